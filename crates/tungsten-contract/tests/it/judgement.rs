//! What the harness says about a driver that does what a scenario does not expect: each of its checks can fail.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tungsten_contract::{Verdict, read_scenario_text, run_scenarios};

/// The example that plays a driver; cargo builds it with the tests.
fn driver() -> Command {
    let test = std::env::current_exe().expect("a test has a path");
    let folder: PathBuf = test.parent().and_then(|deps| deps.parent()).expect("tests lie in target/…/deps").to_owned();
    Command::new(folder.join("examples").join(format!("fake_driver{}", std::env::consts::EXE_SUFFIX)))
}

/// The differences of one scenario, with the rest of it filled in.
fn run(scenario: Value) -> Vec<String> {
    let mut whole = json!({ "name": "one", "rule": "One." });
    whole.as_object_mut().expect("an object").extend(scenario.as_object().expect("an object").clone());
    let after = json!({ "name": "two", "rule": "Two.", "calls": [{ "call": "value:2", "expect": { "value": 2 } }] });
    let file = json!({ "group": "g", "scenarios": [whole, after] });
    let cases = read_scenario_text("g.yaml", &file.to_string()).expect("a file");
    let outcomes = run_scenarios(&cases, &driver).expect("a driver");
    // Whatever the first one did, the second is untouched by it.
    assert_eq!(outcomes[1].verdict, Verdict::Passed);
    match outcomes[0].verdict.clone() {
        Verdict::Passed => Vec::new(),
        Verdict::Failed(differences) => differences,
        Verdict::Skipped(need) => vec![format!("skipped: {need}")],
    }
}

#[track_caller]
fn complains(scenario: Value, expected: &[&str]) {
    let differences = run(scenario);
    assert_eq!(differences.len(), expected.len(), "{differences:#?}");
    for (difference, expected) in differences.iter().zip(expected) {
        assert!(difference.contains(expected), "{difference:?} does not hold {expected:?}");
    }
}

#[test]
fn what_holds_passes() {
    complains(
        json!({
            "server": [{ "status": 204 }, { "status": 200, "delay_ms": 3 }],
            "calls": [
                { "call": "get:/a;pause:7;get:/b", "expect": { "value": 200 } },
                { "call": "value:\"{{origin}}\"", "expect": { "value": "{{origin}}" } },
            ],
            "requests": [{ "method": "GET", "target": "/a", "text": "" }, { "method": "GET", "target": "/b" }],
            "waits": [7],
        }),
        &[],
    );
}

#[test]
fn values_that_differ() {
    complains(
        json!({ "calls": [{ "call": "value:1", "expect": { "value": 2 } }] }),
        &["call 0 value: expected 2, got 1"],
    );
    complains(json!({ "calls": [{ "call": "value:1", "expect": { "error": {} } }] }), &["call 0: expected the error"]);
    complains(
        json!({ "calls": [{ "call": "value:1", "expect": { "value": 1, "meta": { "attempts": 2 } } }] }),
        &["meta.attempts: expected 2, got 1"],
    );
    complains(
        json!({ "calls": [{ "call": "value:1", "expect": { "value": 1, "partial": 1 } }] }),
        &["partial: expected 1"],
    );
    complains(json!({ "calls": [{ "call": "value:1", "expect": { "items": [] } }] }), &[]);
    complains(
        json!({ "calls": [{ "call": "value:1", "expect": { "items": [{ "value": 1 }] } }] }),
        &["expected 1 items"],
    );
}

#[test]
fn requests_that_differ() {
    let call = json!([{ "call": "get:/a", "expect": { "value": { "$any": true } } }]);
    complains(json!({ "server": [{ "status": 200 }], "calls": call }), &["requests: expected 0"]);
    complains(
        json!({ "calls": call, "requests": [{ "method": "GET", "target": "/a" }] }),
        &["server main: expected no further request"],
    );
    complains(
        json!({ "server": [{ "status": 200 }, { "status": 201 }], "calls": call, "requests": [{ "method": "GET", "target": "/a" }] }),
        &["1 answers were not asked for"],
    );
    complains(
        json!({
            "server": [{ "status": 200 }],
            "calls": call,
            "requests": [{ "method": "PUT", "target": "/b", "headers": { "host": "x", "accept": "y" }, "text": "z" }],
        }),
        &["method", "target", "header host", "header accept", "body: expected \"z\", got \"\""],
    );
}

#[test]
fn time_that_differs() {
    let call = json!([{ "call": "pause:7", "expect": { "value": null } }]);
    complains(json!({ "calls": call }), &["waits: expected [], got [7]"]);
    complains(json!({ "calls": call, "waits": [8] }), &["waits[0]: expected 8, got 7"]);
    complains(json!({ "calls": call, "waits": [7], "limits": [1] }), &["limits: expected [1], got []"]);
    complains(json!({ "calls": [{ "call": "pause:soon", "expect": { "value": null } }] }), &["no whole number"]);
}

#[test]
fn hooks_and_stores_that_differ() {
    let hook = r#"say:{"say":"hook","client":"main","hook":"retry","sees":{"attempt":1,"url":"c4nary"}}"#;
    let calls = json!([{ "call": hook, "expect": { "value": null } }]);
    complains(json!({ "calls": calls }), &[]);
    complains(json!({ "calls": calls, "hooks": [] }), &["hooks: expected 0"]);
    complains(
        json!({ "calls": calls, "hooks": [{ "hook": "retry", "sees": { "attempt": 2 } }] }),
        &["hook 0 sees.attempt"],
    );
    complains(json!({ "calls": calls, "hooks": [{ "hook": "request" }] }), &["hook 0.hook"]);
    complains(json!({ "calls": calls, "never_shown": ["c4nary"] }), &["shown: expected nothing that holds"]);
    let store = json!([{ "call": r#"say:{"say":"store","asked":{"op":"get"}}"#, "expect": { "value": null } }]);
    complains(json!({ "calls": store, "store": [{ "op": "put" }] }), &["store[0].op"]);
}

#[test]
fn items_that_differ() {
    let item = |value: u32, id: &str| {
        let meta = json!({ "status": 200, "headers": {}, "request_id": null, "attempts": 1 });
        let item = json!({ "ok": true, "value": value, "meta": meta, "event": { "event": "message", "id": id } });
        format!("say:{}", json!({ "say": "item", "call": 0, "item": item }))
    };
    let calls = |expected: Value| {
        let stream = format!("{};{}", item(1, "a"), item(2, "b"));
        json!({ "calls": [{ "stream": stream, "expect": { "items": expected } }] })
    };
    let first = json!({ "value": 1, "event": { "id": "a" } });
    complains(calls(json!([first, { "value": 2 }])), &[]);
    complains(calls(json!([first])), &["expected 1 items, got 2"]);
    complains(calls(json!([first, { "value": 2, "event": { "id": "c" } }])), &["item 1 event.id: expected \"c\""]);
    complains(
        calls(json!([{ "value": 2 }, { "error": { "code": "STREAM_IDLE" } }])),
        &["item 0 value", "item 1: expected the error"],
    );
}

#[test]
fn drivers_that_break() {
    complains(json!({ "calls": [{ "call": "die", "expect": { "value": null } }] }), &["the driver ended"]);
    complains(
        json!({ "calls": [{ "call": r#"say:{"say":"nonsense"}"#, "expect": { "value": null } }] }),
        &["what it should not"],
    );
    complains(
        json!({ "calls": [{ "call": r#"say:{"say":"fault","text":"no such operation"}"#, "expect": { "value": null } }] }),
        &["no such operation"],
    );
    complains(
        json!({ "needs": ["wings"], "calls": [{ "call": "die", "expect": { "value": null } }] }),
        &["skipped: wings"],
    );
}

#[test]
fn a_standstill_is_an_error() {
    complains(
        json!({
            "server": [{ "drop": "stall" }],
            "calls": [{ "call": "get:/a", "expect": { "value": 0 } }],
            "requests": [{ "method": "GET", "target": "/a" }],
        }),
        &["nothing can happen any more"],
    );
}
