//! The validators of the TypeScript runtime and of the IR give the same verdicts, value by value: on the JSON Schema test
//! suite, and on values made at random.
//!
//! Both read practically (docs/decisions/0007), as the runtime and the mock server do: the strict reading is there for the
//! suite alone. Formats count, and values travel as responses, under the names on the wire. Needs Node and the built
//! runtime, so `cargo xtask test` runs it.

#[allow(dead_code, reason = "the other tests read more of a case")]
#[path = "../../tungsten-validate/tests/it/cases.rs"]
mod cases;

use std::fs;
use std::path::Path;
use std::process::Command;

use base::{Diags, Severity};
use serde_json::{Value, json};
use tungsten_emit::{Header, Input, Plan};
use tungsten_frontend::Compiled;
use tungsten_ir::profile::TYPESCRIPT;
use tungsten_ir::{Ir, TypeId, assign};
use tungsten_validate::{Direction, Options, Patterns, Reading, check};

const OPTIONS: Options = Options { reading: Reading::Practical, direction: Some(Direction::Response), formats: true };

/// A schema and the values to judge by it, as JSON texts with names.
struct Case {
    name: String,
    compiled: Compiled,
    values: Vec<(String, String)>,
}

fn subject(ir: &Ir) -> TypeId {
    let is_subject = |&ty: &TypeId| ir.types.rows[ty].name.is_some_and(|name| ir.names.resolve(name.name) == "Subject");
    ir.types.named.iter().copied().find(is_subject).expect("a component has a type")
}

/// Writes the schemas and the descriptors of the SDK into a folder.
fn write_sdk(compiled: &Compiled, folder: &Path) {
    let ir = compiled.ir.as_ref().expect("the description has a version");
    let names = assign(ir, &TYPESCRIPT, &tungsten_emit_typescript::name_options(false), &mut Diags::new());
    let plan = Plan::new(ir, names.members());
    let header = Header { version: "0.1.0".to_owned(), inputs: Vec::new() };
    let input = Input { ir, plan: &plan, names: &names, docs: &compiled.docs, options: &[], header: &header };
    for (path, bytes) in tungsten_emit_typescript::emit(&input).files.iter() {
        let Some(below) = path.as_str().strip_prefix("src/") else { continue };
        if below.starts_with("schemas/") || below.starts_with("descriptors/") {
            let path = folder.join(below);
            fs::create_dir_all(path.parent().expect("files have folders")).expect("writable");
            fs::write(path, bytes).expect("writable");
        }
    }
}

/// What the TypeScript runtime says about each value: `true`, or what is wrong.
fn by_typescript(cases: &[Case], work: &str) -> Vec<Vec<Value>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(work);
    let _ = fs::remove_dir_all(&folder);
    let mut list = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let own = folder.join(index.to_string());
        write_sdk(&case.compiled, &own);
        let values: Vec<&String> = case.values.iter().map(|(_, text)| text).collect();
        list.push(json!({ "folder": own, "values": values }));
    }
    fs::create_dir_all(&folder).expect("writable");
    fs::write(folder.join("package.json"), "{ \"type\": \"module\" }\n").expect("writable");
    fs::write(folder.join("cases.json"), Value::from(list).to_string()).expect("writable");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("node")
        .arg("--no-warnings")
        .arg(root.join("tests/verdicts/judge.mjs"))
        .arg(root.join("../../runtimes/ts/dist"))
        .arg(folder.join("cases.json"))
        .output()
        .expect("Node runs: `cargo xtask test` brings it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the judge prints JSON")
}

/// Compares all verdicts; returns how many, and those that differ.
fn compare(cases: &[Case], work: &str) -> (usize, Vec<String>) {
    let (mut n_values, mut different) = (0, Vec::new());
    for (case, found) in cases.iter().zip(by_typescript(cases, work)) {
        let ir = case.compiled.ir.as_ref().expect("the description has a version");
        let (patterns, ty) = (Patterns::new(ir), subject(ir));
        assert_eq!(case.values.len(), found.len());
        for ((name, text), found) in case.values.iter().zip(found) {
            n_values += 1;
            let (set, root) = cases::document("value.json", text.as_str());
            let verdict = check(ir, &patterns, ty, set.value(root), OPTIONS);
            if verdict.is_ok() != (found == true) {
                let verdict = verdict.map_err(|problem| problem.text("value"));
                different.push(format!("{}: {name}: {text}: IR {verdict:?}, TypeScript {found}", case.name));
            }
        }
    }
    (n_values, different)
}

#[test]
#[ignore = "needs Node and the built runtime: `cargo xtask test`"]
fn the_suite_is_judged_alike() {
    let Some(root) = cases::suites() else {
        println!("skipped: no ../shared");
        return;
    };
    let mut all = Vec::new();
    for draft in &cases::DRAFTS {
        for group in cases::groups(&root, draft) {
            let compiled = cases::compile(draft, &group.reached, &group.schema);
            // What is refused has no SDK.
            if compiled.diags.iter().any(|one| one.severity == Severity::Error) {
                continue;
            }
            let values = group.tests.into_iter().map(|test| (test.name, test.data)).collect();
            all.push(Case { name: format!("{} {}", draft.openapi, group.name), compiled, values });
        }
    }
    let (n_values, different) = compare(&all, "suite");
    println!("{} schemas, {n_values} values, {} verdicts differ", all.len(), different.len());
    assert!(n_values > 1800, "{n_values} values");
    assert!(different.is_empty(), "{}", different.join("\n"));
}
