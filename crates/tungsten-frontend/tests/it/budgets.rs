//! Budgets that several places share a figure of: each place reads what the figure allows, and one more is refused.

use base::limits::{DEPTH, REF_CHAIN, UNION_VARIANTS};
use tungsten_frontend::Overrides;

use crate::describe::{documents, findings, head};

/// Where a document is over a budget.
fn refused(yaml: &str) -> Vec<String> {
    let found = findings(&documents(&[("api", yaml)], Overrides::default()));
    found.iter().filter_map(|line| line.strip_prefix("TG0105 ")).map(str::to_owned).collect()
}

#[test]
fn segments_of_a_path() {
    let path = |n_segments: usize| {
        let path = "/a".repeat(n_segments);
        format!("{}paths: {{ '{path}': {{ get: {{ responses: {{ '204': {{ description: x }} }} }} }} }}\n", head())
    };
    assert_eq!(refused(&path(DEPTH)), [""; 0]);
    assert_eq!(refused(&path(DEPTH + 1)).len(), 1);
}

#[test]
fn variants_of_unions_in_a_circle() {
    let circle = |n_variants: usize| {
        let union = |name: &str, other: &str, values: std::ops::Range<usize>| {
            let values = values.map(|value| format!(", {{ const: {value} }}")).collect::<Vec<_>>().concat();
            format!("    {name}: {{ oneOf: [{{ $ref: '#/components/schemas/{other}' }}{values}] }}\n")
        };
        let half = n_variants / 2;
        let unions = union("A", "B", 0..half) + &union("B", "A", half..n_variants);
        format!("{}paths: {{}}\ncomponents:\n  schemas:\n{unions}", head())
    };
    assert_eq!(refused(&circle(UNION_VARIANTS)), [""; 0]);
    assert_eq!(refused(&circle(UNION_VARIANTS + 1)).len(), 1);
}

#[test]
fn references_that_a_pointer_leads_through() {
    // Each schema is a property of the next one, which is a reference as well; the last one is an object.
    let chain = |n_through: usize| {
        let n = n_through + 1;
        let step = |at: usize| format!("    S{at}: {{ $ref: '#/components/schemas/S{}/properties/x' }}\n", at + 1);
        let (open, close) = ("{ properties: { x: ".repeat(n), " } }".repeat(n));
        let steps = (0..n).map(step).collect::<Vec<_>>().concat();
        format!("{}paths: {{}}\ncomponents:\n  schemas:\n{steps}    S{n}: {open}{{ type: string }}{close}\n", head())
    };
    assert_eq!(refused(&chain(REF_CHAIN)), [""; 0]);
    assert_eq!(refused(&chain(REF_CHAIN + 1)).first().map(String::as_str), Some("/components/schemas/S0/$ref"));
}
