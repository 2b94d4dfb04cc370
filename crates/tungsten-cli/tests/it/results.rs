//! The `--json` results, member by member and in order, and each envelope against `tungsten schema cli-output`.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::project::{Project, SPEC};
use super::schema_check;

const ENVELOPE: &str = "tool version command ok exit_code diagnostics error result";
const REPORT: &str = "target status out files written unchanged removed preserved stale";
const STATS: &str = "api namespaces resources operations types auth_schemes";

#[track_caller]
fn members(value: &Value, expect: &str) {
    let names: Vec<&String> = value.as_object().unwrap_or_else(|| panic!("no object: {value}")).keys().collect();
    assert_eq!(names, expect.split(' ').collect::<Vec<_>>(), "{value}");
}

#[track_caller]
fn each_has(list: &Value, expect: &str) {
    let list = list.as_array().expect("a list");
    assert!(!list.is_empty());
    list.iter().for_each(|one| members(one, expect));
}

fn schema() -> Value {
    let run = Project::empty().run(&["schema", "cli-output"]);
    serde_json::from_str(&run.stdout).expect("a schema is JSON")
}

/// Against the published schema.
#[track_caller]
fn is_valid(envelope: &Value) {
    assert_eq!(schema_check::faults(&schema(), envelope), Vec::<String>::new(), "{envelope}");
    members(envelope, ENVELOPE);
    let exit = envelope["exit_code"].as_u64().expect("a number");
    assert_eq!(envelope["ok"], exit == 0);
    for diagnostic in envelope["diagnostics"].as_array().expect("a list") {
        members(diagnostic, "code severity message help file pointer line column");
    }
    if !envelope["error"].is_null() {
        members(&envelope["error"], "kind message help");
    }
}

/// Runs, checks the envelope, and returns the result.
#[track_caller]
fn result(project: &Project, args: &[&str], exit: i32) -> Value {
    let (code, envelope) = project.json(args);
    assert_eq!(code, exit, "{envelope}");
    assert_eq!(envelope["exit_code"], exit);
    is_valid(&envelope);
    let command = match args[0] {
        "ir" => "ir dump",
        "overlay" => "overlay suggest",
        name => name,
    };
    assert_eq!(envelope["command"], command);
    envelope["result"].clone()
}

#[test]
fn of_check() {
    const PLAIN: &str = "inputs openapi_versions documents counts promoted strict ci refs stats";
    let project = Project::pets();
    let plain = result(&project, &["check"], 0);
    members(&plain, PLAIN);
    members(&plain["counts"], "errors warnings infos");
    members(&plain["refs"], "schemas edges cross_document cycles recursive");
    members(&plain["stats"], STATS);
    members(&plain["stats"]["operations"], "total implemented planned gated");
    assert_eq!((&plain["strict"], &plain["ci"]), (&false.into(), &false.into()));
    let stale = result(&project, &["check", "--ci", "--strict"], 1);
    members(&stale, &format!("{PLAIN} outputs"));
    each_has(&stale["outputs"], REPORT);
    assert_eq!(stale["outputs"][0]["status"], "stale");
    assert_eq!(stale["counts"]["errors"], 1);
    project.write("openapi.yaml", "{");
    let broken = result(&project, &["check"], 1);
    assert_eq!((&broken["openapi_versions"], &broken["stats"]), (&serde_json::json!([null]), &Value::Null));
    assert_eq!(result(&project, &["check", "--output-format", "json"], 1), broken);
}

#[test]
fn of_generate() {
    let project = Project::pets();
    for (args, exit, status) in [
        (&["generate", "--check"][..], 1, "stale"),
        (&["generate", "--dry-run"], 0, "dry_run"),
        (&["generate"], 0, "generated"),
        (&["generate", "--check"], 0, "fresh"),
    ] {
        let found = result(&project, args, exit);
        members(&found, "targets dry_run check strict promoted");
        each_has(&found["targets"], REPORT);
        assert_eq!(found["targets"][0]["status"], status);
    }
    project.write("openapi.yaml", "{");
    assert!(result(&project, &["generate"], 1).is_null());
}

#[test]
fn of_ir_dump() {
    let project = Project::pets();
    members(&result(&project, &["ir", "dump"], 0), "stats ir");
    let written = result(&project, &["ir", "dump", "--out", "ir.json"], 0);
    members(&written, "stats out bytes");
    assert_eq!(written["bytes"].as_u64(), Some(project.read("ir.json").len() as u64));
}

#[test]
fn of_explain() {
    let project = Project::pets();
    for code in base::codes::ALL {
        let found = result(&project, &["explain", code.name()], 0);
        members(&found, "kind code summary area meaning fix");
        assert_eq!((&found["kind"], &found["code"]), (&"diagnostic_code".into(), &code.name().into()));
        let is_text = |name: &str| found[name].as_str().is_some_and(|text| text.len() > 3);
        assert!(["summary", "area", "meaning", "fix"].into_iter().all(is_text), "{found}");
    }
    let found = result(&project, &["explain", "listPets"], 0);
    members(&found, "kind id resource planned fragment");
    assert_eq!((&found["resource"], &found["planned"]), (&"pets".into(), &false.into()));
    members(&result(&project, &["explain", "Pet"], 0), "kind id fragment");
    assert!(result(&project, &["explain", "Pat"], 1).is_null());
}

#[test]
fn of_schema() {
    let project = Project::empty();
    for name in ["tungsten", "ir", "cli-output"] {
        let found = result(&project, &["schema", name], 0);
        members(&found, "name schema");
        assert_eq!(found["name"], name);
    }
}

#[test]
fn of_init() {
    let project = Project::empty();
    project.write("openapi.yaml", SPEC);
    for (args, action) in [(&["init"][..], "created"), (&["init", "--force"], "overwritten")] {
        let found = result(&project, args, 0);
        members(&found, "dir api_name namespace spec spec_found files");
        each_has(&found["files"], "path action");
        assert_eq!(found["files"][0]["action"], action);
    }
    assert!(result(&project, &["init"], 4).is_null());
}

#[test]
fn of_doctor() {
    let project = Project::pets();
    let bare = result(&project, &["doctor"], 0);
    members(&bare, "tools");
    each_has(&bare["tools"], "name found version purpose required ok");
    let found = result(&project, &["doctor", "."], 0);
    members(&found, "tools project");
    members(&found["project"], "targets missing local_packages");
}

/// The envelope is printed once the server listens, and the server ends with its standard input.
#[test]
fn of_mock() {
    let project = Project::pets();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tungsten"))
        .args(["mock", "--json", "--max-recorded-calls", "7"])
        .current_dir(project.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    drop(child.stdin.take());
    assert!(child.wait().expect("the binary ends").success());
    let envelope: Value = serde_json::from_str(&line).expect("one JSON document");
    is_valid(&envelope);
    members(&envelope["result"], "base_url enabled_gates max_recorded_calls max_idempotent_responses");
    assert_eq!(envelope["result"]["max_recorded_calls"], 7);
}

#[test]
fn of_help_and_failures() {
    let project = Project::pets();
    for args in [&["--help"][..], &["--version"], &["check", "--nope"], &["generate", "--target", "cobol"]] {
        is_valid(&project.json(args).1);
    }
    let (_, envelope) = project.json(&["--version"]);
    members(&envelope["result"], "help");
}

/// What a checker of any kind could not find out: a wrong envelope is refused.
#[test]
fn the_published_schema_is_closed() {
    let (_, envelope) = Project::pets().json(&["check"]);
    for spoil in [
        |envelope: &mut Value| envelope["more"] = 1.into(),
        |envelope: &mut Value| envelope["result"]["more"] = 1.into(),
        |envelope: &mut Value| envelope["command"] = "generate".into(),
        |envelope: &mut Value| envelope["exit_code"] = 5.into(),
        |envelope: &mut Value| envelope["result"]["counts"]["errors"] = Value::Null,
    ] {
        let mut spoilt = envelope.clone();
        spoil(&mut spoilt);
        assert!(!schema_check::faults(&schema(), &spoilt).is_empty(), "{spoilt}");
    }
}

#[test]
fn of_overlay_suggest() {
    let project = Project::pets();
    project.write("openapi.yaml", SPEC.replace("operationId: listPets", "summary: Lists pets"));
    let suggested = result(&project, &["overlay", "suggest"], 0);
    members(&suggested, "namespace spec actions skipped overlay");
    each_has(&suggested["actions"], "codes target pointer update");
    assert_eq!((&suggested["namespace"], &suggested["spec"]), (&"pets".into(), &"openapi.yaml".into()));
    assert_eq!(suggested["overlay"]["overlay"], "1.0.0");
    let written = result(&project, &["overlay", "suggest", "--write", "ids.yaml"], 0);
    members(&written, "namespace spec actions skipped out");
    members(&result(&Project::pets(), &["overlay", "suggest"], 0), "actions skipped");
}
