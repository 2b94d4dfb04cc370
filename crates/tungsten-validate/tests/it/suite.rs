//! The JSON Schema test suite: each schema is a component of a description, each test one verdict.
//!
//! A schema with a finding TG0303 is declared: what is left out is said, and its tests count as neither passed nor wrong.
//! One that refers to what nobody serves is refused. What a version of OpenAPI does not have is left out before.

use std::fmt::Write as _;
use std::path::Path;

use base::{Code, Severity};
use tungsten_validate::{Options, Patterns, Reading, check};

use crate::cases::{DRAFTS, Draft, Group, compile, document, groups, suites};

const OPTIONS: Options = Options { reading: Reading::Strict, direction: None, formats: false };

/// The least part of each draft that must pass, of all that the version of OpenAPI has.
const LEAST_PERCENT: [usize; 2] = [95, 97];

#[derive(Default)]
struct Tally {
    n_passed: usize,
    declared: Vec<String>,
    refused: Vec<String>,
    left_out: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn verdicts_agree_with_the_suite() {
    let Some(root) = suites() else {
        println!("skipped: no ../shared");
        return;
    };
    let mut report = String::new();
    let mut holds = true;
    for (draft, least_percent) in DRAFTS.iter().zip(LEAST_PERCENT) {
        let tally = run(&root, draft);
        let n_judged = tally.n_passed + tally.declared.len() + tally.refused.len() + tally.wrong.len();
        let n_all = n_judged + tally.left_out.len();
        let _ = writeln!(
            report,
            "{}: {n_all} tests, {} left out, {} passed, {} declared, {} refused, {} wrong",
            draft.folder,
            tally.left_out.len(),
            tally.n_passed,
            tally.declared.len(),
            tally.refused.len(),
            tally.wrong.len()
        );
        let lists = [
            ("left out", &tally.left_out),
            ("declared", &tally.declared),
            ("refused", &tally.refused),
            ("wrong", &tally.wrong),
        ];
        for (what, one) in lists.into_iter().flat_map(|(what, list)| list.iter().map(move |one| (what, one))) {
            let _ = writeln!(report, "  {what}: {one}");
        }
        let is_enough = tally.n_passed * 100 >= n_judged * least_percent;
        holds &= tally.wrong.is_empty() && n_all == draft.n_tests && is_enough;
    }
    println!("{report}");
    assert!(holds, "{report}");
}

fn run(root: &Path, draft: &Draft) -> Tally {
    let mut tally = Tally::default();
    for group in groups(root, draft) {
        run_group(draft, &group, &mut tally);
    }
    tally
}

fn run_group(draft: &Draft, group: &Group, tally: &mut Tally) {
    let compiled = compile(draft, &group.reached, &group.schema);
    let ir = compiled.ir.as_ref().expect("the description has a version");
    assert_eq!(tungsten_ir::verify(ir), [""; 0], "{}", group.schema);
    let subject = ir
        .types
        .named
        .iter()
        .copied()
        .find(|&ty| ir.types.rows[ty].name.is_some_and(|name| ir.names.resolve(name.name) == "Subject"));
    let subject = subject.expect("a component has a type");
    let declared = compiled.diags.iter().find(|one| one.code == Code::TG0303);
    let refused = compiled.diags.iter().find(|one| one.severity == Severity::Error);
    let patterns = Patterns::new(ir);
    for test in &group.tests {
        let (set, root) = document("data.json", test.data.as_str());
        let verdict = check(ir, &patterns, subject, set.value(root), OPTIONS);
        let name = format!("{}: {}", group.name, test.name);
        match (declared, refused) {
            _ if group.is_left_out => tally.left_out.push(name),
            (Some(finding), _) => tally.declared.push(format!("{name}: {}", finding.message)),
            (_, Some(finding)) => tally.refused.push(format!("{name}: {}", finding.message)),
            _ if verdict.is_ok() == test.valid => tally.n_passed += 1,
            _ => tally.wrong.push(format!("{name}: {verdict:?}")),
        }
    }
}
