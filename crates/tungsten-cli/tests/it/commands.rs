//! Each command on a small project: its text, its JSON against the published schema, what it leaves on disk.

use serde_json::Value;

use super::project::{Project, SPEC, error_codes};

#[test]
fn check_counts_what_is_there() {
    let project = Project::pets();
    let (exit, envelope) = project.json(&["check"]);
    assert_eq!(exit, 0, "{envelope}");
    assert_eq!(envelope["result"]["stats"]["operations"]["total"], 1);
    assert_eq!(envelope["result"]["stats"]["types"], 1);
    assert_eq!(envelope["result"]["openapi_versions"][0], "3.1.0");
    assert_eq!(envelope["result"]["refs"]["edges"], 1);
    let run = project.run(&["check", "openapi.yaml"]);
    assert_eq!((run.exit, run.stdout.as_str()), (0, ""));
}

#[test]
fn strict_makes_warnings_fail() {
    let project = Project::pets();
    project.write("openapi.yaml", SPEC.replace("info: { title: Pets, version: 1.0.0 }", "info: { title: Pets }"));
    assert_eq!(project.run(&["check"]).exit, 0);
    let (exit, envelope) = project.json(&["check", "--strict"]);
    assert_eq!((exit, envelope["result"]["promoted"].as_u64()), (1, Some(1)), "{envelope}");
    let (exit, envelope) = project.json(&["generate", "--strict"]);
    assert_eq!((exit, envelope["result"]["targets"][0]["status"].as_str()), (1, Some("withheld")), "{envelope}");
    assert!(!project.path("generated").exists());
}

#[test]
fn generate_writes_once_and_then_nothing() {
    let project = Project::pets();
    let (exit, envelope) = project.json(&["generate"]);
    assert_eq!(exit, 0, "{envelope}");
    let report = &envelope["result"]["targets"][0];
    assert_eq!(report["written"].as_array().map(Vec::len), report["files"].as_u64().map(|n| n as usize));
    assert!(project.read("generated/typescript/src/client.ts").contains("class PetsClient"));

    let (exit, envelope) = project.json(&["generate", "--check"]);
    assert_eq!((exit, envelope["result"]["targets"][0]["status"].as_str()), (0, Some("fresh")), "{envelope}");
    let (_, envelope) = project.json(&["generate", "--target", "ts"]);
    assert_eq!(envelope["result"]["targets"][0]["written"].as_array().map(Vec::len), Some(0), "{envelope}");
    assert_eq!(project.run(&["check", "--ci"]).exit, 0);

    project.write("generated/typescript/src/client.ts", "edited");
    let (exit, envelope) = project.json(&["check", "--ci"]);
    assert_eq!((exit, error_codes(&envelope)), (1, vec!["TG0901".to_owned()]), "{envelope}");
    let (_, envelope) = project.json(&["generate", "--dry-run"]);
    assert_eq!(envelope["result"]["targets"][0]["written"], serde_json::json!(["src/client.ts"]));
    assert_eq!(project.read("generated/typescript/src/client.ts"), "edited");
}

#[test]
fn check_tells_what_generate_would() {
    let project = Project::pets();
    project.write(
        "openapi.yaml",
        SPEC.replace("name: { type: string }", "pet_name: { type: string }, petName: { type: string }"),
    );
    let codes = |args: &[&str]| {
        let (_, envelope) = project.json(args);
        let diagnostics = envelope["diagnostics"].as_array().expect("a list").clone();
        diagnostics.iter().map(|one| one["code"].to_string()).collect::<Vec<_>>()
    };
    assert!(codes(&["check"]).contains(&"\"TG0401\"".to_owned()));
    assert_eq!(codes(&["check"]), codes(&["generate"]));
    assert_eq!(codes(&["check"]), codes(&["check", "--ci"]));
}

#[test]
fn an_operation_called_then_does_not_make_its_resource_awaitable() {
    let project = Project::pets();
    let manifest = super::project::MANIFEST.to_owned() + "naming: { operations: { pets.listPets: then } }\n";
    project.write("tungsten.yml", manifest);
    assert_eq!(project.run(&["generate"]).exit, 0);
    let text = project.read("generated/typescript/src/resources/pets.ts");
    assert!(!text.contains("get then()") && text.contains("get then2()"), "{text}");
}

#[test]
fn an_unknown_target_is_not_found() {
    let (exit, envelope) = Project::pets().json(&["generate", "--target", "cobol"]);
    assert_eq!((exit, envelope["error"]["kind"].as_str()), (1, Some("not_found")), "{envelope}");
}

#[test]
fn init_writes_a_manifest_that_compiles() {
    let project = Project::empty();
    project.write("openapi.yaml", SPEC);
    let (exit, envelope) = project.json(&["init", "--targets", "ts"]);
    assert_eq!((exit, envelope["result"]["api_name"].as_str()), (0, Some("pets")), "{envelope}");
    assert_eq!(project.run(&["check", "--strict"]).exit, 0);
    assert_eq!(project.run(&["generate"]).exit, 0);
    assert_eq!(project.run(&["init"]).exit, 4);
    assert_eq!(project.run(&["init", "--force"]).exit, 0);
    assert_eq!(project.run(&["init", "--targets", "cobol", "--force"]).exit, 2);
}

#[test]
fn explain_knows_codes_operations_and_types() {
    let project = Project::pets();
    let run = project.run(&["explain", "tg0201"]);
    assert!(run.exit == 0 && run.stdout.starts_with("# TG0201:"), "{}", run.stdout);
    let (_, envelope) = project.json(&["explain", "listPets"]);
    assert_eq!(
        (envelope["result"]["kind"].as_str(), envelope["result"]["id"].as_str()),
        (Some("operation"), Some("pets.listPets"))
    );
    let (_, envelope) = project.json(&["explain", "pets.Pet"]);
    assert_eq!(envelope["result"]["kind"], "type");
    for target in ["TG9999", "nothing"] {
        assert_eq!(project.run(&["explain", target]).exit, 1);
    }
    let (exit, envelope) = project.json(&["explain", "listPets", "--project", "none"]);
    assert_eq!((exit, error_codes(&envelope)), (1, vec!["TG0101".to_owned()]), "{envelope}");
}

#[test]
fn the_ir_is_dumped_the_same_to_a_file_and_to_standard_output() {
    let project = Project::pets();
    let run = project.run(&["ir", "dump"]);
    assert_eq!(project.run(&["ir", "dump", "--out", "ir.json"]).exit, 0);
    assert_eq!(project.read("ir.json"), run.stdout);
    let ir: Value = serde_json::from_str(&run.stdout).expect("the dump is JSON");
    assert_eq!(ir["api"]["name"]["wire"], "pets");
    assert_eq!(project.run(&["ir", "dump", "--compact"]).stdout.trim_end().lines().count(), 1);
    assert_eq!(project.run(&["ir", "dump", "--out", "none/ir.json"]).exit, 3);
}

#[test]
fn schemas_are_printed() {
    let project = Project::empty();
    for name in ["tungsten", "ir", "cli-output"] {
        let run = project.run(&["schema", name]);
        let schema: Value = serde_json::from_str(&run.stdout).expect("a schema is JSON");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
    }
}

#[test]
fn doctor_tells_what_a_project_needs() {
    let project = Project::pets();
    assert_eq!(project.run(&["doctor"]).exit, 0);
    let (exit, envelope) = project.json(&["doctor", "."]);
    assert_eq!(exit, 0, "{envelope}");
    let tools = envelope["result"]["tools"].as_array().expect("a list");
    let required: Vec<&str> =
        tools.iter().filter(|tool| tool["required"] == true).filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(required, ["node", "npm"]);
    assert_eq!(project.run(&["doctor", "none"]).exit, 1);
}

#[test]
fn help_and_version_are_results() {
    let project = Project::empty();
    for args in [&["--help"][..], &["--version"], &["check", "--help"]] {
        assert_eq!(project.run(args).exit, 0);
        let (exit, envelope) = project.json(args);
        assert!(exit == 0 && envelope["result"]["help"].is_string(), "{envelope}");
    }
}

#[test]
fn findings_show_the_source_line() {
    let project = Project::pets();
    project.write("openapi.yaml", SPEC.replace("'#/components/schemas/Pet'", "'#/components/schemas/Cat'"));
    let run = project.run(&["check"]);
    assert!(run.stderr.contains("openapi.yaml:12:"), "{}", run.stderr);
    assert!(run.stderr.contains("^^^"), "{}", run.stderr);
    assert!(!run.stderr.contains('\u{1b}'), "no color where no terminal is");
}
