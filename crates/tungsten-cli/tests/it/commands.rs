//! Each command on a small project: its text, its JSON against the published schema, what it leaves on disk.

use serde_json::Value;

use super::project::{MANIFEST, Project, SPEC, error_codes};

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
fn summaries_say_what_was_done_and_what_would_be() {
    let project = Project::pets();
    let run = project.run(&["generate", "--dry-run"]);
    assert!(run.stdout.contains(" would be written"), "{}", run.stdout);
    assert!(!project.path("generated").exists());
    let run = project.run(&["generate"]);
    assert!(run.stdout.contains(" written") && !run.stdout.contains("would"), "{}", run.stdout);
    assert!(!run.stderr.contains("nothing changed"), "{}", run.stderr);
    for args in [&["generate"][..], &["generate", "--strict"]] {
        let run = project.run(args);
        assert_eq!((run.exit, run.stdout.contains("written")), (0, false), "{args:?}: {}", run.stdout);
        assert!(run.stderr.starts_with("nothing changed"), "{args:?}: {}", run.stderr);
    }
    for args in [&["generate", "--dry-run"][..], &["generate", "--dry-run", "--strict"]] {
        let run = project.run(args);
        assert!(run.stderr.starts_with("nothing would change"), "{args:?}: {}", run.stderr);
    }
    // A file that the last run wrote and this one does not.
    let manifest = project.read("generated/typescript/.tungsten/manifest.json");
    let more = manifest.replacen("\"files\":", "\"files\": [{ \"path\": \"old.ts\", \"digest\": \"\" }], \"x\":", 1);
    project.write("generated/typescript/.tungsten/manifest.json", more).write("generated/typescript/old.ts", "");
    let run = project.run(&["generate", "--dry-run"]);
    assert!(run.stdout.contains("1 would be removed"), "{}{}", run.stdout, run.stderr);
    assert!(project.path("generated/typescript/old.ts").exists());
}

#[test]
fn files_are_named_so_that_they_can_be_opened_from_where_one_stands() {
    let project = Project::empty();
    let broken = SPEC.replace("'#/components/schemas/Pet'", "'../shared/pet.yaml'");
    project
        .write("pets/tungsten.yml", super::project::MANIFEST.replace("openapi.yaml", "../shared/openapi.yaml"))
        .write("shared/openapi.yaml", broken.replace("../shared/pet.yaml", "pet.yaml"))
        .write("shared/pet.yaml", "type: 7\n")
        .write("bad/tungsten.yml", super::project::MANIFEST.replace("name: pets", "nam: pets"))
        .write("elsewhere/x", "");
    let absolute = project.path("pets");
    let absolute = absolute.to_str().expect("UTF-8");
    let cases = [
        (".", "pets", "shared/pet.yaml:1:"),
        (".", "./pets/tungsten.yml", "shared/pet.yaml:1:"),
        (".", absolute, "shared/pet.yaml:1:"),
        (".", "shared/openapi.yaml", "shared/pet.yaml:1:"),
        (".", "bad", "bad/tungsten.yml:"),
        (".", "bad/tungsten.yml", "bad/tungsten.yml:"),
        ("pets", ".", "../shared/pet.yaml:1:"),
        ("elsewhere", "../pets", "../shared/pet.yaml:1:"),
        ("elsewhere", "../bad", "../bad/tungsten.yml:"),
    ];
    for (folder, path, expect) in cases {
        let run = project.run_in(folder, &["check", path]);
        assert!(run.stderr.contains(&format!(" {expect}")), "{folder} {path}: {}", run.stderr);
    }
    // What programs read does not depend on where they stand.
    let names = |folder: &str, path: &str| {
        let run = project.run_in(folder, &["check", path, "--json"]);
        let envelope: Value = serde_json::from_str(&run.stdout).expect("one JSON document");
        envelope["diagnostics"][0]["file"].as_str().map(str::to_owned)
    };
    assert_eq!(names(".", "pets").as_deref(), Some("../shared/pet.yaml"));
    assert_eq!(names(".", "pets"), names("pets", "."));
    assert_eq!(names("elsewhere", "../bad").as_deref(), Some("tungsten.yml"));

    project.write("shared/pet.yaml", "type: integer\n");
    let run = project.run(&["generate", "pets"]);
    assert!(run.stdout.contains("(pets/generated/typescript)"), "{}", run.stdout);
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
fn init_writes_an_agent_manifest_without_a_finding() {
    let project = Project::empty();
    let more = "    post: { operationId: addPet, responses: { '204': { description: Added. } } }\n    delete: { operationId: removePets, responses: { '204': { description: Gone. } } }\n";
    project.write("openapi.yaml", SPEC.replace("components:", &format!("{more}components:")));
    assert_eq!(project.run(&["init"]).exit, 0);
    let (exit, envelope) = project.json(&["check", "--strict"]);
    assert_eq!((exit, &envelope["diagnostics"]), (0, &serde_json::json!([])), "{envelope}");
    let agent = project.read("agent.yml");
    assert!(agent.contains("# post `/pets` `pets.addPet`\n# delete `/pets` `pets.removePets`\n"), "{agent}");
    // The example that it shows is one that can be used.
    let used = agent
        .replace("# tools:", "tools:")
        .replace("#   - operation", "  - operation")
        .replace("#     safety", "    safety");
    project.write("agent.yml", used);
    let (exit, envelope) = project.json(&["check", "--strict"]);
    assert_eq!((exit, &envelope["diagnostics"]), (0, &serde_json::json!([])), "{envelope}");
}

#[test]
fn init_configures_only_targets_that_can_be_generated() {
    let project = Project::empty();
    project.write("api/openapi.yaml", SPEC);
    let run = project.run(&["init", "--dir", "api"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_eq!(
        run.stdout,
        "created api/tungsten.yml\ncreated api/agent.yml\nnext: `tungsten check api`, then `tungsten generate api`\n"
    );
    let (exit, envelope) = project.json(&["generate", "api"]);
    assert_eq!(exit, 0, "{envelope}");
    let targets = envelope["result"]["targets"].as_array().expect("a list");
    assert!(!targets.is_empty() && targets.iter().all(|target| target["status"] == "generated"), "{envelope}");
}

#[test]
fn init_says_what_it_cannot_start_from() {
    let project = Project::empty();
    project.write("sub/openapi.yaml", SPEC).write("README.md", "# Pets\n\nA text.\n").write("package.json", "{}");
    let cases: [(&[&str], i32, &str); 8] = [
        (&["init", "https://pets.example.test/openapi.json"], 2, "download the document"),
        (&["init", "--from", "https://pets.example.test/openapi.json"], 2, "download the document"),
        (&["init", "sub"], 2, "`tungsten init --dir sub`"),
        (&["init", "sub/openapi.yaml"], 2, "`tungsten init --from sub/openapi.yaml`"),
        (&["init", "--from", "sub"], 2, "`--from sub/openapi.yaml`"),
        (&["init", "--from", "none.yaml"], 1, "there is no file none.yaml"),
        (&["init", "--from", "README.md"], 1, "nothing was written"),
        (&["init", "--from", "package.json"], 1, "no `openapi` field"),
    ];
    for (args, exit, says) in cases {
        let run = project.run(args);
        assert_eq!(run.exit, exit, "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{args:?}: {}", run.stderr);
        assert!(!project.path("tungsten.yml").exists(), "{args:?}");
    }
    let (_, envelope) = project.json(&["init", "--from", "package.json"]);
    assert_eq!((envelope["error"].is_null(), error_codes(&envelope)), (true, vec!["TG0103".to_owned()]), "{envelope}");
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
    for (target, help) in [("listPats", "did you mean pets.listPets?"), ("pets.Pat", "did you mean pets.Pet?")] {
        let (exit, envelope) = project.json(&["explain", target]);
        assert_eq!((exit, envelope["error"]["help"].as_str()), (1, Some(help)), "{envelope}");
    }
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
    for name in ["tungsten", "agent", "ir", "cli-output"] {
        let run = project.run(&["schema", name]);
        let schema: Value = serde_json::from_str(&run.stdout).expect("a schema is JSON");
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
    }
}

#[test]
fn the_agent_manifest_is_read_beside_the_manifest() {
    let project = Project::pets();
    assert_eq!(project.run(&["generate"]).exit, 0);
    let descriptors = "generated/typescript/src/descriptors/pets.ts";
    assert!(project.read(descriptors).contains("safety: \"read_only\""));

    // A manifest that was written since is no input of the run before.
    project.write("agent.yml", "agent: 1\ntools: [{ operation: pets.listPets, safety: irreversible }]\n");
    assert_eq!(project.run(&["generate"]).exit, 0);
    assert!(project.read(descriptors).contains("safety: \"irreversible\""));
    assert!(project.run(&["generate"]).stdout.contains("unchanged"));

    project.write("agent.yml", "agent: 1\ntools: [{ operation: pets.lostPets, safety: careful }]\n");
    let (exit, envelope) = project.json(&["check", "."]);
    assert_eq!((exit, error_codes(&envelope)), (1, vec!["TG0602".to_owned()]), "{envelope}");
    assert_eq!(envelope["diagnostics"][0]["file"], "agent.yml");
    project.write("agent.yml", "agent: 1\ntools: [{ operation: pets.lostPets, safety: mutating }]\n");
    let (exit, envelope) = project.json(&["check", "."]);
    assert_eq!((exit, &envelope["diagnostics"][0]["code"]), (0, &Value::from("TG0603")), "{envelope}");
    assert_eq!(envelope["diagnostics"][0]["help"], "did you mean `pets.listPets`?");

    project.write("tungsten.yml", format!("{MANIFEST}agent: rules/agents.yml\n"));
    let (exit, envelope) = project.json(&["check", "."]);
    assert_eq!((exit, error_codes(&envelope)), (1, vec!["TG0101".to_owned()]), "{envelope}");
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
    project.write("openapi.yaml", SPEC.replace("#/components/schemas/Pet", "pet\u{202e}.yaml"));
    project.write("pet\u{202e}.yaml", "type: 7\n");
    let run = project.run(&["check"]);
    assert!(run.stderr.contains("pet\u{fffd}.yaml:1:7") && !run.stderr.contains('\u{202e}'), "{}", run.stderr);
}
