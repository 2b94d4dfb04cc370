//! The validators of the TypeScript runtime and of the IR give the same verdicts, value by value: on the JSON Schema test
//! suite, and on values made at random.
//!
//! Both read practically (docs/decisions/0007), as the runtime and the mock server do: the strict reading is there for the
//! suite alone. Formats count, and values travel as responses, under the names on the wire. Needs Node and the built
//! runtime, so `cargo xtask test` runs it.

#[allow(dead_code, reason = "the other tests read more of a case")]
#[path = "../../tungsten-validate/tests/it/cases.rs"]
mod cases;
#[path = "verdicts/random.rs"]
mod random;

use std::fs;
use std::path::Path;
use std::process::Command;

use base::{Diags, Severity};
use random::Random;
use serde_json::{Map, Value, json};
use tungsten_emit::{Header, Input, Plan};
use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, Request};
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

/// Values for each schema.
const N_VALUES: u64 = 150;

/// What the schemas of `schemas.json` refer to.
fn components() -> Map<String, Value> {
    let components = json!({
        "Base": { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } },
        "Cat": { "type": "object", "required": ["kind"], "properties": { "kind": { "type": "string", "enum": ["cat"] }, "lives": { "type": "integer", "maximum": 9 } } },
        "Dog": { "type": "object", "required": ["kind"], "properties": { "kind": { "type": "string", "enum": ["dog"] }, "loud": { "type": "boolean" } } },
        "Tree": { "type": "object", "properties": { "value": { "type": "integer" }, "children": { "type": "array", "items": { "$ref": "#/components/schemas/Tree" } } }, "not": { "required": ["value", "children"], "properties": { "value": { "minimum": 5 }, "children": { "items": { "not": { "$ref": "#/components/schemas/Tree" } } } } } },
    });
    components.as_object().expect("an object").clone()
}

/// The description with one of its components as the subject, and values for it.
fn random_case(name: &str, document: &Value, subject: Value, seed: u64) -> Case {
    let mut document = document.clone();
    document["paths"] = serde_json::from_str(&format!("{{{}}}", cases::OPERATION)).expect("a path");
    document["components"]["schemas"]["Subject"] = subject;
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: "api.json".to_owned() }];
    let request = Request { api_name: "random".to_owned(), inputs, ..Request::default() };
    let compiled = tungsten_frontend::compile(&request, &MemoryLoader::new().with("api.json", document.to_string()));
    let errors: Vec<_> = compiled.diags.iter().filter(|one| one.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    let subject = &document["components"]["schemas"]["Subject"];
    let value = |at: u64| {
        let mut random = Random::new(&document, seed * 1_000_000 + at);
        (format!("seed {at}"), random.value(subject, 0).to_string())
    };
    Case { name: name.to_owned(), compiled, values: (0..N_VALUES).map(value).collect() }
}

/// A golden description as JSON.
fn golden(case: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden").join(case);
    let (set, root) = cases::yaml(&path.to_string_lossy(), fs::read(&path).expect("a golden description"));
    serde_json::from_str(&cases::text_of(set.value(root))).expect("the text of a value is JSON")
}

#[test]
#[ignore = "needs Node and the built runtime: `cargo xtask test`"]
fn random_values_are_judged_alike() {
    let text = include_str!("verdicts/schemas.json");
    let own: Map<String, Value> = serde_json::from_str(text).expect("an object of schemas");
    let info = json!({ "title": "T", "version": "1" });
    let document = json!({ "openapi": "3.1.0", "info": info, "components": { "schemas": components() } });
    let mut all = Vec::new();
    for (name, schema) in own {
        all.push(random_case(&name, &document, schema, all.len() as u64));
    }
    for case in ["rules/openapi.yaml", "shapes/shapes.yaml", "petstore/petstore.yaml", "wire/wire.yaml", "v32/v32.yaml"]
    {
        let document = golden(case);
        let names = document["components"]["schemas"].as_object().into_iter().flat_map(Map::keys);
        for name in names {
            let subject = json!({ "$ref": format!("#/components/schemas/{name}") });
            all.push(random_case(&format!("{case} {name}"), &document, subject, all.len() as u64));
        }
    }
    let valid = |case: &Case| {
        let ir = case.compiled.ir.as_ref().expect("the description has a version");
        let (patterns, ty) = (Patterns::new(ir), subject(ir));
        let holds = |text: &str| {
            let (set, root) = cases::document("value.json", text);
            check(ir, &patterns, ty, set.value(root), OPTIONS).is_ok()
        };
        case.values.iter().filter(|(_, text)| holds(text)).count()
    };
    let n_valid: usize = all.iter().map(valid).sum();
    let (n_values, different) = compare(&all, "random");
    println!("{} schemas, {n_values} values, {n_valid} of them valid, {} verdicts differ", all.len(), different.len());
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert!(n_valid * 5 > n_values && n_valid * 5 < n_values * 4, "{n_valid} of {n_values} are valid");
}
