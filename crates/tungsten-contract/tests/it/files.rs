//! Every scenario file has the form that `scenario.schema.json` describes, and the harness refuses what the schema refuses.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tungsten_contract::{read_scenario_text, read_scenarios, read_value};
use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, Request};
use tungsten_validate::{Options, Patterns, Reading, check};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/contract")
}

/// The schema as a type of a small description that refers to it.
fn schema() -> Compiled {
    let text = std::fs::read_to_string(folder().join("scenario.schema.json")).expect("the schema is there");
    let api = "openapi: 3.1.0\ninfo: { title: Suite, version: '1' }\npaths: {}\n\
               components: { schemas: { File: { $ref: scenario.schema.json } } }\n";
    let inputs = vec![InputRequest { namespace: "suite".to_owned(), spec: "api.yaml".to_owned() }];
    let request = Request { api_name: "suite".to_owned(), inputs, ..Request::default() };
    let loader = MemoryLoader::new().with("api.yaml", api.to_owned()).with("scenario.schema.json", text);
    tungsten_frontend::compile(&request, &loader)
}

fn problem(schema: &Compiled, file: &Value) -> Option<String> {
    let ir = schema.ir.as_ref().expect("the schema compiles");
    let options = Options { reading: Reading::Strict, direction: None, formats: false };
    check(ir, &Patterns::new(ir), ir.types.named[0], file, options).err().map(|problem| problem.text("file"))
}

#[test]
fn every_file_has_the_form_of_the_schema() {
    let schema = schema();
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder().join("scenarios")).expect("the folder is there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let file = read_value(&name, std::fs::read(entry.path()).expect("readable")).expect("YAML");
        assert_eq!(problem(&schema, &file), None, "{name}");
        n_files += 1;
    }
    assert!(n_files >= 15, "{n_files} files");
}

#[test]
fn the_suite_is_as_large_as_it_says() {
    let cases = read_scenarios(&folder().join("scenarios")).expect("the suite can be read");
    assert!(cases.len() >= 200, "{} scenarios", cases.len());
}

/// A whole file around one scenario, of which a part is replaced.
fn file(scenario: &Value) -> Value {
    json!({ "group": "g", "scenarios": [scenario] })
}

fn good() -> Value {
    json!({
        "name": "a-rule",
        "rule": "Something holds.",
        "random": { "constant": 0.5 },
        "client": { "auth": { "token": "t" }, "retries": { "max": 1, "jitter": "none" }, "timeout_ms": { "$number": "Infinity" } },
        "server": [
            { "status": 200, "json": {}, "headers": { "A": ["b", "c"] }, "cut": { "body": 1, "with": "reset" } },
            { "drop": "stall" },
        ],
        "calls": [
            { "call": "a.b", "args": { "x": 1 }, "cancel": { "after_ms": 1 }, "expect": { "value": 1, "meta": { "attempts": 1 } } },
            { "together": [{ "preview": "a.b", "expect": { "error": { "code": null } } }] },
            { "advance_ms": 5 },
            { "stream": "a.b", "expect": { "items": [{ "value": 1, "event": { "id": "1" } }] } },
        ],
        "requests": [{ "method": "GET", "target": "/", "headers": { "a": { "$absent": true } } }],
        "waits": [1],
    })
}

#[test]
fn wrong_files_are_refused_by_schema_and_harness() {
    let schema = schema();
    let accepted = |file: &Value| read_scenario_text("g.yaml", &file.to_string()).is_ok();
    assert_eq!(problem(&schema, &file(&good())), None);
    assert!(accepted(&file(&good())));
    let wrong: [(&str, Value); 21] = [
        ("/unheard", json!(1)),
        ("/name", json!(1)),
        ("/calls", Value::Null),
        ("/client/unheard", json!(1)),
        ("/client/retries/unheard", json!(1)),
        ("/client/retries/jitter", json!("some")),
        ("/random/constant", json!("half")),
        ("/server/0/unheard", json!(1)),
        ("/server/0/cut/with", json!("crash")),
        ("/server/0/read", json!("half")),
        ("/server/1/drop", json!("melt")),
        ("/calls/0/unheard", json!(1)),
        ("/calls/0/preview", json!("a.b")),
        ("/calls/0/cancel", json!("later")),
        ("/calls/0/expect/unheard", json!(1)),
        ("/calls/0/expect/error", json!({})),
        ("/calls/2/call", json!("a.b")),
        ("/calls/3/expect", json!({ "meta": {} })),
        ("/requests/0/unheard", json!(1)),
        ("/requests/0/method", Value::Null),
        ("/waits", json!(["1"])),
    ];
    for (pointer, value) in wrong {
        let mut scenario = good();
        set(&mut scenario, pointer, value);
        let file = file(&scenario);
        assert!(problem(&schema, &file).is_some(), "the schema accepts {pointer}");
        assert!(!accepted(&file), "the harness accepts {pointer}");
    }
}

/// Sets a member; null removes it.
fn set(value: &mut Value, pointer: &str, to: Value) {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer has steps");
    let parent = value.pointer_mut(parent).and_then(Value::as_object_mut).expect("the parent is an object");
    if to.is_null() {
        parent.remove(name);
    } else {
        parent.insert(name.to_owned(), to);
    }
}

#[test]
fn names_are_unique_and_groups_are_files() {
    let two = json!({ "group": "g", "scenarios": [good(), good()] });
    assert!(read_scenario_text("g.yaml", &two.to_string()).is_err_and(|why| why.contains("two scenarios")));
    let other = file(&good());
    assert!(read_scenario_text("h.yaml", &other.to_string()).is_err_and(|why| why.contains("group")));
    assert!(read_scenario_text("g.yaml", "{").is_err());
}

#[test]
fn what_would_not_be_checked_is_refused() {
    for (pointer, value) in [
        ("/server/0/raw", json!("HTTP/1.1 200 OK")),
        ("/server/0/text", json!("a second body")),
        ("/server/0/keep_alive", json!(true)),
        ("/server/0/bytes", json!("no base64")),
        ("/server/0/read", json!("head")),
        ("/server/0/cut", json!({ "with": "close" })),
        ("/server/1/text", json!("never sent")),
        ("/calls/0/expect/meta", json!({ "attemps": { "$absent": true } })),
        ("/calls/1/together/0/expect", json!({ "error": { "retryafter": { "$absent": true } } })),
        ("/calls/1/expect", json!({ "value": 1 })),
        ("/calls/3/expect/items/0/event", json!({ "name": { "$absent": true } })),
    ] {
        let mut scenario = good();
        set(&mut scenario, pointer, value);
        assert!(read_scenario_text("g.yaml", &file(&scenario).to_string()).is_err(), "the harness accepts {pointer}");
    }
}
