//! What `tungsten.yml` says, from the manifest to generated code, and the overlay that is suggested for a description.

use serde_json::Value;

use super::project::{MANIFEST, Project};

const SHED: &str = "\
openapi: 3.1.0
info: { title: Shed, version: 1.0.0 }
servers: [{ url: https://shed.example.test }]
paths:
  /lamps:
    get: { operationId: listLamps, x-runtime-gate: LAMPS_ENABLED, responses: { '204': { description: ok } } }
    post: { operationId: addLamp, x-implemented: false, responses: { '204': { description: ok } } }
  /tools:
    post:
      operationId: callTool
      requestBody:
        required: true
        content:
          application/json:
            schema:
              oneOf:
                - type: object
                  required: [tool, with]
                  properties:
                    tool: { const: saw.cut }
                    with: { type: object, required: [cm], properties: { cm: { type: integer } } }
                - { type: object, required: [tool], properties: { tool: { const: saw.stop } } }
      responses: { '204': { description: ok } }
";

fn shed(more: &str) -> Project {
    let project = Project::empty();
    let manifest = MANIFEST.replace("name: pets", "name: shed").replace("namespace: pets", "namespace: shed");
    project.write("openapi.yaml", SHED).write("tungsten.yml", manifest + more);
    project
}

fn codes(project: &Project, args: &[&str]) -> Vec<String> {
    let (_, envelope) = project.json(args);
    let diagnostics = envelope["diagnostics"].as_array().expect("a list").clone();
    diagnostics.iter().map(|one| one["code"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_the_manifest_says_reaches_the_sdk() {
    let project = shed(
        "planned_from: { extension: x-implemented, equals: false }
auth_profiles: { token: { bearer: { env: SHED_TOKEN }, declares: { optional: true } } }
",
    );
    let manifest = project.read("tungsten.yml").replace(
        "spec: openapi.yaml",
        "spec: openapi.yaml, rpc_unflatten: { path: /tools, method: post, discriminator: tool, params: with }",
    );
    project.write("tungsten.yml", manifest);
    let (exit, envelope) = project.json(&["check"]);
    assert_eq!(exit, 0, "{envelope}");
    let operations = &envelope["result"]["stats"]["operations"];
    let count = |name: &str| operations[name].as_u64();
    assert_eq!(
        (count("total"), count("implemented"), count("planned"), count("gated")),
        (Some(4), Some(2), Some(1), Some(1))
    );
    assert_eq!(codes(&project, &["check"]), ["TG0504", "TG0505"]);
    assert_eq!(project.run(&["generate"]).exit, 0);
    let saw = project.read("generated/typescript/src/descriptors/saw.ts");
    assert!(saw.contains(r#"rpc: { field: "tool", value: "saw.cut", params: "with" }"#), "{saw}");
    assert!(saw.contains(r#"rpc: { field: "tool", value: "saw.stop" }"#), "{saw}");
    assert!(saw.contains(r#"security: [["token"], []]"#), "{saw}");
    let lamps = project.read("generated/typescript/src/descriptors/lamps.ts");
    assert!(lamps.contains(r#"gate: { env: "LAMPS_ENABLED", disabledStatus: 404 }"#), "{lamps}");
    assert!(!lamps.contains("addLamp"), "planned operations are not called: {lamps}");
    let internal = project.read("generated/typescript/src/internal.ts");
    assert!(internal.contains(r#"auth: [{ kind: "http_bearer", name: "token" }]"#), "{internal}");
    assert!(project.read("generated/typescript/README.md").contains("auth: { token: "));
    let (_, envelope) = project.json(&["explain", "addLamp"]);
    assert_eq!((&envelope["result"]["planned"], &envelope["result"]["resource"]), (&true.into(), &Value::Null));
}

#[test]
fn what_is_left_out_is_not_generated() {
    let project = shed("include: { tags: [none], paths: [/lamp] }\n");
    let (exit, envelope) = project.json(&["check"]);
    assert_eq!(exit, 0, "{envelope}");
    assert_eq!(envelope["result"]["stats"]["operations"]["total"], 0);
    let help: Vec<&str> =
        envelope["diagnostics"].as_array().expect("a list").iter().filter_map(|one| one["help"].as_str()).collect();
    assert_eq!(help, ["did you mean `/lamps`?"]);
    assert_eq!(codes(&project, &["check"]), ["TG0604", "TG0604", "TG0504", "TG0504", "TG0504"]);
}

#[test]
fn check_looks_at_the_options_of_targets() {
    let project = Project::pets();
    let manifest = MANIFEST.replace(
        "{ out: generated/typescript }",
        "{ out: generated/typescript, pakage: x }, rust: { out: generated/rust, cli: { bin: 7 } }",
    );
    project.write("tungsten.yml", manifest);
    for args in [&["check"][..], &["check", "--ci"], &["generate", "--dry-run"]] {
        let found: Vec<String> = codes(&project, args).into_iter().filter(|code| code.starts_with("TG07")).collect();
        let found: Vec<&str> = found.iter().map(String::as_str).filter(|code| *code != "TG0702").collect();
        assert_eq!(found, ["TG0711", "TG0740"], "{args:?}");
    }
    let schema: Value = serde_json::from_str(&project.run(&["schema", "tungsten"]).stdout).expect("a schema is JSON");
    assert!(schema.to_string().contains("dataclasses"), "the schema knows the options of targets");
}

/// Two operations without an id, and two that share one.
const NAMELESS: &str = "\
openapi: 3.1.0
info: { title: Loft, version: 1.0.0 }
paths:
  /boxes: { get: { responses: { '204': { description: ok } } } }
  /boxes/{it's}:
    parameters: [{ name: it's, in: path, required: true, schema: { type: string } }]
    get: { operationId: look, responses: { '204': { description: ok } } }
    put: { operationId: look, responses: { '204': { description: ok } } }
webhooks:
  box.fell: { post: { responses: { '204': { description: ok } } } }
";

/// Ids and names of the operations of a dump.
fn operations(project: &Project) -> Vec<String> {
    let ir: Value = serde_json::from_str(&project.run(&["ir", "dump"]).stdout).expect("the dump is JSON");
    let mut found = Vec::new();
    let mut pending = vec![&ir["namespaces"]];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items.iter().rev()),
            Value::Object(members) => {
                if let (Some(id), Some(_)) = (value["id"].as_str(), value["method"].as_str()) {
                    found.push(format!("{id} {}", value["name"]["wire"]));
                }
                pending.extend(members.values());
            }
            _ => {}
        }
    }
    found.sort();
    found
}

#[test]
fn a_suggested_overlay_keeps_every_id() {
    let project = Project::pets();
    project.write("openapi.yaml", NAMELESS).write("overlays/.keep", "");
    let before = operations(&project);
    let text = project.run(&["overlay", "suggest"]);
    assert!(text.stdout.contains("extends: \"openapi.yaml\"\n"), "{}{}", text.stdout, text.stderr);
    let run = project.run(&["overlay", "suggest", "--write", "overlays/ids.yaml"]);
    assert_eq!(run.exit, 0, "{}", run.stderr);
    assert_eq!(run.stdout, "overlays/ids.yaml: 3 actions; add it to the `overlays` of the input `pets`\n");
    assert!(project.read("overlays/ids.yaml").contains("extends: \"../openapi.yaml\"\n"));
    assert_eq!(project.run(&["overlay", "suggest", "--write", "overlays/ids.yaml"]).exit, 4);
    assert_eq!(project.run(&["overlay", "suggest", "--write", "overlays/ids.yaml", "--force"]).exit, 0);

    project.write("tungsten.yml", format!("{MANIFEST}overlays: [overlays/ids.yaml]\n"));
    assert_eq!(operations(&project), before);
    let found = codes(&project, &["check"]);
    assert!(!found.iter().any(|code| ["TG0401", "TG0403", "TG0206", "TG0207"].contains(&code.as_str())), "{found:?}");
    let (exit, envelope) = project.json(&["overlay", "suggest"]);
    assert_eq!((exit, &envelope["result"]["actions"]), (0, &serde_json::json!([])), "{envelope}");
}

#[test]
fn suggestions_are_for_one_input_and_the_codes_that_were_named() {
    let project = Project::pets();
    project.write("openapi.yaml", NAMELESS).write("two.yaml", NAMELESS).write("bad.yaml", "{");
    let actions = |args: &[&str]| {
        let (exit, envelope) = project.json(args);
        let actions = envelope["result"]["actions"].as_array().map(Vec::len);
        (exit, actions, envelope["error"]["kind"].as_str().map(str::to_owned))
    };
    assert_eq!(actions(&["overlay", "suggest", "--only", "tg0401"]), (0, Some(1), None));
    assert_eq!(actions(&["overlay", "suggest", "--only", "TG0403,TG0301"]), (0, Some(2), None));
    assert_eq!(actions(&["overlay", "suggest", "--only", "TG9999"]), (2, None, Some("usage".to_owned())));
    let inputs = "inputs: [{ namespace: pets, spec: openapi.yaml }, { namespace: two, spec: two.yaml }]";
    project.write("tungsten.yml", MANIFEST.replace("inputs: [{ namespace: pets, spec: openapi.yaml }]", inputs));
    assert_eq!(actions(&["overlay", "suggest"]), (2, None, Some("usage".to_owned())));
    assert_eq!(actions(&["overlay", "suggest", "--namespace", "two"]), (0, Some(3), None));
    assert_eq!(actions(&["overlay", "suggest", "--namespace", "one"]), (1, None, Some("not_found".to_owned())));
    assert_eq!(actions(&["overlay", "suggest", "bad.yaml"]).0, 1);
}

/// The description that the guide's manifests are for.
const BAKERY: &str = "\
openapi: 3.1.0
info: { title: Bakery, version: 1.0.0 }
paths:
  /v1/orders:
    get:
      operationId: listOrders
      tags: [orders]
      x-implemented: true
      parameters: [{ name: after, in: query, schema: { type: string } }]
      responses:
        '200':
          description: Orders
          content: { application/json: { schema: { type: object, properties: {
            more: { type: boolean },
            orders: { type: array, items: { type: object, properties: { id: { type: string } } } } } } } }
  /v1/loaves:
    get:
      operationId: listLoaves
      tags: [loaves]
      x-implemented: false
      responses: { '200': { description: Recipes, content: { application/json: { schema: { $ref: '#/components/schemas/Recipe' } } } } }
  /v1/oven: { post: { operationId: heatOven, x-implemented: true, responses: { '204': { description: ok } } } }
  /v1/tools:
    post:
      operationId: callTool
      x-implemented: true
      requestBody: { required: true, content: { application/json: { schema: { oneOf: [
        { type: object, required: [method, params], properties: { method: { const: bakery.oven.heat }, params: { type: object } } } ] } } } }
      responses: { '204': { description: ok } }
components:
  schemas:
    Recipe: { type: object, properties: { parts: { type: array, items: { $ref: '#/components/schemas/Recipe' } } } }
";

/// What it lacks: requirements and the schemes behind them.
const SECURED: &str = "\
security: [{ token: [] }, { session: [] }]
";

#[test]
fn every_manifest_of_the_guide_is_taken_without_a_warning() {
    let guide = std::fs::read_to_string(super::project::root().join("docs/project.md")).expect("the page is there");
    let secured = BAKERY.replace("components:\n", "components:\n  securitySchemes:\n    token: { type: http, scheme: bearer }\n    session: { type: apiKey, in: cookie, name: bakery_session }\n") + SECURED;
    let blocks: Vec<&str> =
        guide.split("```yaml tungsten.yml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() > 6, "{}", blocks.len());
    for block in blocks {
        let project = Project::empty();
        project.write("openapi.yaml", BAKERY).write("secured.yaml", &secured).write("tungsten.yml", block);
        let (exit, envelope) = project.json(&["check"]);
        let counts = &envelope["result"]["counts"];
        assert_eq!((exit, &counts["errors"], &counts["warnings"]), (0, &0.into(), &0.into()), "{block}\n{envelope}");
    }
}
