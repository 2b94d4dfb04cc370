//! Whole SDKs: what small descriptions become, and that hostile text of a description never becomes code.
//!
//! Golden files are in `tests/golden/<case>/typescript/` at the repository root; `UPDATE_GOLDEN=1` writes them anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::diag::Severity;
use base::{Diags, Interner, Place, Source};
use base_doc::{DocSet, Syntax};
use serde_json::{Value, json};
use tungsten_emit::{Header, HeaderInput, Input, OptionValue, Plan, RawOption};
use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, Overrides, Pages, PaginationOverride, Request, compile};
use tungsten_ir::assign;
use tungsten_ir::profile::TYPESCRIPT;
use tungsten_manifest::{AgentManifest, read_agent, read_agent_source};

/// Generated files by path, and the findings of the target, `code message`.
struct Sdk {
    files: BTreeMap<String, String>,
    diags: Vec<String>,
}

/// Compiles documents (the names of entries are their namespaces) and generates the SDK. A document of the name
/// `agent.yml` is the agent manifest.
fn generate(
    api: &str,
    entries: &[&str],
    documents: &[(String, Vec<u8>)],
    options: &[RawOption],
    keep_wire: bool,
) -> Sdk {
    generate_with(Overrides::default(), api, entries, documents, options, keep_wire)
}

/// The same with what a project declares.
fn generate_with(
    overrides: Overrides,
    api: &str,
    entries: &[&str],
    documents: &[(String, Vec<u8>)],
    options: &[RawOption],
    keep_wire: bool,
) -> Sdk {
    let mut loader = MemoryLoader::new();
    for (path, bytes) in documents {
        loader = loader.with(path.clone(), bytes.clone());
    }
    let input = |path: &&str| InputRequest {
        namespace: path.split('.').next().unwrap_or_default().to_owned(),
        spec: (*path).to_owned(),
    };
    let request = Request {
        api_name: api.to_owned(),
        inputs: entries.iter().map(input).collect(),
        overrides,
        ..Request::default()
    };
    let mut compiled = compile(&request, &loader);
    let agent = documents.iter().find(|(name, _)| name == AGENT).map(|(_, text)| agent(text, &mut compiled));
    let mut ir = compiled.ir.take().expect("a description without errors has an IR");
    tungsten_agent::apply(&mut ir, agent.as_ref(), &compiled.docs, &mut compiled.diags);
    let errors: Vec<_> = compiled.diags.iter().filter(|found| found.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let mut diags = Diags::new();
    let names = assign(&ir, &TYPESCRIPT, &tungsten_emit_typescript::name_options(keep_wire), &mut diags);
    let plan = Plan::new(&ir, names.members());
    let inputs = documents.iter().map(|(path, bytes)| HeaderInput::new(path, base::digest::Digest::of(bytes)));
    let header = Header { version: "0.1.0".to_owned(), inputs: inputs.collect() };
    let input = Input { ir: &ir, plan: &plan, names: &names, docs: &compiled.docs, options, header: &header };
    let output = tungsten_emit_typescript::emit(&input);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("generated files are UTF-8");
    Sdk {
        files: output.files.iter().map(|(path, bytes)| (path.as_str().to_owned(), text(bytes))).collect(),
        diags: output.diags.iter().map(|found| format!("{} {}", found.code, found.message)).collect(),
    }
}

const AGENT: &str = "agent.yml";

/// The agent manifest. JSON holds characters that YAML refuses.
fn agent(text: &[u8], compiled: &mut Compiled) -> AgentManifest {
    let source = Arc::new(Source::from_bytes(AGENT, text));
    let id = compiled.sources.push(Arc::clone(&source));
    if !text.starts_with(b"{") {
        return read_agent_source(source, id, &mut compiled.diags).expect("the manifest is right");
    }
    let parsed = base_doc::parse(source, id, Syntax::Json, Interner::new());
    let mut set = DocSet::default();
    set.keys = parsed.keys;
    let doc = set.docs.push(parsed.doc.expect("the manifest is JSON"));
    let read = read_agent(set.root(doc), &mut compiled.diags);
    read.unwrap_or_else(|| panic!("the manifest is right: {:?}", compiled.diags.iter().collect::<Vec<_>>()))
}

fn golden(case: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden").join(case)
}

/// The documents of a golden case, sorted by name.
fn documents(case: &str) -> Vec<(String, Vec<u8>)> {
    let mut documents: Vec<(String, Vec<u8>)> = fs::read_dir(golden(case))
        .expect("the case has a folder")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml"))
        .map(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, fs::read(path).expect("readable"))
        })
        .collect();
    documents.sort();
    documents
}

/// Compares a case with its golden files, or writes them.
fn check(case: &str, entries: &[&str]) -> Sdk {
    let documents = documents(case);
    let sdk = generate(case, entries, &documents, &[], false);
    let folder = golden(case).join("typescript");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("golden files can be replaced");
        }
        for (path, text) in &sdk.files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("files have folders")).expect("writable");
            fs::write(path, text).expect("writable");
        }
    }
    let mut stored = BTreeMap::new();
    read_folder(&folder, "", &mut stored);
    let paths = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(&stored), paths(&sdk.files), "{case}: files");
    for (path, text) in &sdk.files {
        assert_eq!(&stored[path], text, "{case}: {path} (UPDATE_GOLDEN=1 writes it anew)");
    }
    sdk
}

fn read_folder(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let entry = entry.expect("readable");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            if name != "node_modules" {
                read_folder(&entry.path(), &format!("{name}/"), files);
            }
        } else {
            files.insert(name, fs::read_to_string(entry.path()).expect("golden files are text"));
        }
    }
}

#[test]
fn a_small_api() {
    check("petstore", &["petstore.yaml"]);
}

#[test]
fn all_shapes_of_types() {
    check("shapes", &["shapes.yaml"]);
}

#[test]
fn everything_that_travels() {
    let sdk = check("wire", &["wire.yaml"]);
    assert_eq!(
        sdk.diags,
        ["TG0712 the SDK sends the credential of the OpenID Connect scheme `oidc` as a bearer token"]
    );
}

#[test]
fn lists_and_calls_of_several_steps() {
    let sdk = check("lists", &["shop.yaml"]);
    assert_eq!(sdk.diags, [""; 0]);
}

/// The descriptor's `pagination` in one line, for a list whose pages a project declares.
fn declared_pages(pages: Pages) -> String {
    let document = "openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /rows:
    get:
      operationId: rows
      parameters: [{ name: after_id, in: query, schema: { type: string } }, { name: n, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties:
                  has_more: { type: boolean }
                  next_url: { type: string }
                  meta: { type: object, properties: { rows: { type: array, items: { type: object, properties: { row_id: { type: string } } } } } }
";
    let pages = PaginationOverride { operation: "t.rows".to_owned(), pages: Some(pages), place: Place::default() };
    let overrides = Overrides { pagination: vec![pages], ..Overrides::default() };
    let documents = [("t.yaml".to_owned(), document.as_bytes().to_vec())];
    let sdk = generate_with(overrides, "t", &["t.yaml"], &documents, &[], false);
    let resource = &sdk.files["src/resources/rows.ts"];
    assert!(resource.contains("): Pages<RowsListResponseMetaRowsItem, RowsListResponse> {"), "{resource}");
    let text = &sdk.files["src/descriptors/rows.ts"];
    let (_, pagination) = text.split_once("  pagination: {").expect("the list has pages");
    let (members, _) = pagination.split_once("\n  },").expect("the literal ends");
    members.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn pages_that_a_project_declares() {
    let text = str::to_owned;
    let items = || text("meta.rows");
    let (none, some) = (None, Some(text("has_more")));
    let cases = [
        (
            Pages::LastItem {
                param: text("after_id"),
                item_field: text("row_id"),
                items: items(),
                page_size_param: Some(text("n")),
                has_more: some,
            },
            "open: openPages, style: \"cursor\", requestParam: \"after_id\", itemsField: \"meta.rows\", \
             pageSizeParam: \"n\", hasMoreField: \"has_more\", cursorItemField: \"row_id\",",
        ),
        (
            Pages::Cursor {
                param: text("after_id"),
                field: text("next_url"),
                items: items(),
                page_size_param: none.clone(),
                has_more: none,
            },
            "open: openPages, style: \"cursor\", requestParam: \"after_id\", responseField: \"next_url\", \
             itemsField: \"meta.rows\",",
        ),
        (
            Pages::LinkField { field: text("next_url"), items: items() },
            "open: openPages, style: \"link_field\", responseField: \"next_url\", itemsField: \"meta.rows\",",
        ),
        (Pages::LinkHeader { items: items() }, "open: openPages, style: \"link_header\", itemsField: \"meta.rows\","),
        (
            Pages::Offset { offset_param: text("n"), limit_param: text("n"), items: items() },
            "open: openPages, style: \"offset\", offsetParam: \"n\", limitParam: \"n\", itemsField: \"meta.rows\",",
        ),
        (
            Pages::Page { page_param: text("n"), size_param: text("n"), items: items() },
            "open: openPages, style: \"page\", pageParam: \"n\", sizeParam: \"n\", itemsField: \"meta.rows\",",
        ),
    ];
    for (pages, expected) in cases {
        assert_eq!(declared_pages(pages), expected);
    }
}

#[test]
fn what_openapi_3_2_brought() {
    let sdk = check("v32", &["v32.yaml"]);
    assert_eq!(sdk.diags, [""; 0]);
}

#[test]
fn answers_that_arrive_piece_by_piece() {
    check("streams", &["streams.yaml"]);
}

#[test]
fn calls_that_fetch_cannot_send() {
    let description = "openapi: 3.2.0
info: { title: T, version: '1' }
paths:
  /a:
    trace: { operationId: t, responses: { '204': { description: ok } } }
    get: { operationId: g, requestBody: { required: true, content: { application/json: { schema: {} } } }, responses: { '204': { description: ok } } }
    head: { operationId: h, requestBody: { content: { application/json: { schema: {} } } }, responses: { '204': { description: ok } } }
    put: { operationId: p, requestBody: { content: { multipart/form-data: { schema: { type: object }, encoding: { a: { headers: { X-A: { required: true, schema: {} } } }, b: { contentType: multipart/mixed, itemEncoding: {} } } } } }, responses: { '204': { description: ok } } }
    additionalOperations: { Connect: { operationId: c, responses: { '204': { description: ok } } } }
";
    let sdk = generate("t", &["t.yaml"], &[("t.yaml".to_owned(), description.as_bytes().to_vec())], &[], false);
    assert_eq!(
        sdk.diags,
        [
            "TG0714 `fetch` refuses the method `TRACE`; a call fails",
            "TG0714 `fetch` sends no body with `GET`, which the operation needs; a call fails",
            "TG0714 a part of the body needs the header `X-A`, which is not sent",
            "TG0714 a part of the body has parts itself, which are written as one",
            "TG0714 `fetch` refuses the method `Connect`; a call fails",
        ]
    );
}

#[test]
fn what_protects_operations() {
    check("guarded", &["shop.yaml"]);
}

#[test]
fn what_the_api_sends_and_how_users_authorize() {
    check("hooks", &["hooks.yaml"]);
}

/// Type declarations of `models/api.ts` for a schema `Thing` that a call answers with, beside others.
fn models_of(schemas: Value) -> String {
    let mut document: Value =
        serde_json::from_slice(&answering(&json!({ "$ref": "#/components/schemas/Thing" }))[0].1).expect("JSON");
    document["components"] = json!({ "schemas": schemas });
    let documents = vec![("api.json".to_owned(), document.to_string().into_bytes())];
    generate("api", &["api.json"], &documents, &[], false).files["src/models/api.ts"].clone()
}

#[test]
fn answers_admit_values_that_are_not_listed() {
    let tagged = |tag: Value| json!({ "type": "object", "required": ["kind"], "properties": { "kind": tag } });
    let models = models_of(json!({
        "Thing": { "type": "object", "required": ["pet", "size", "unit", "state"], "properties": {
            "pet": { "oneOf": [{ "$ref": "#/components/schemas/Cat" }, { "$ref": "#/components/schemas/Dog" }],
                "discriminator": { "propertyName": "kind", "mapping": { "cat": "#/components/schemas/Cat", "kitten": "#/components/schemas/Cat", "dog": "#/components/schemas/Dog" } } },
            "size": { "enum": [1, 2] },
            "unit": { "enum": ["g"] },
            "state": { "enum": ["a", "b"] },
            "more": { "$ref": "#/components/schemas/Unlisted2" },
        } },
        "Cat": tagged(json!({ "enum": ["cat", "kitten"] })),
        "Dog": tagged(json!({ "const": "dog" })),
        // The name of a type of the runtime.
        "Unlisted": { "type": "string" },
        "Unlisted2": { "type": "array", "items": { "$ref": "#/components/schemas/Unlisted" } },
    }));
    assert!(models.contains("  Unlisted as Unlisted3,\n  UnlistedVariant,\n} from"), "{models}");
    assert!(models.contains("pet: Cat | Dog | UnlistedVariant<\"kind\">;"), "{models}");
    // Numbers, the only value and tags of described variants stay as they are.
    for line in ["size: 1 | 2;", "unit: \"g\";", "state: \"a\" | \"b\" | Unlisted3;", "kind: \"cat\" | \"kitten\";"] {
        assert!(models.contains(line), "{line}: {models}");
    }
}

#[test]
fn rules_beside_shapes() {
    check("rules", &["openapi.yaml"]);
}

#[test]
fn several_namespaces() {
    check("namespaces", &["public.yaml", "admin.yaml"]);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let documents = documents("shapes");
    let first = generate("shapes", &["shapes.yaml"], &documents, &[], false);
    let second = generate("shapes", &["shapes.yaml"], &documents, &[], false);
    assert_eq!(first.files, second.files);
}

#[test]
fn wire_names_can_be_kept() {
    let documents = documents("petstore");
    let sdk = generate("petstore", &["petstore.yaml"], &documents, &[], true);
    let models = &sdk.files["src/models/petstore.ts"];
    assert!(models.contains("  born_on?: string;"), "{models}");
    assert!(!sdk.files["src/schemas/petstore.ts"].contains("wire: \"born_on\""));
}

/// A description whose operations take the parameters that `parameters` gives for each path.
fn described_paths(paths: &[String], parameters: impl Fn(usize) -> Value) -> Vec<(String, Vec<u8>)> {
    let operation = |index: usize| {
        json!({
            "parameters": parameters(index),
            "responses": { "200": { "description": "Done" } },
        })
    };
    let paths: serde_json::Map<String, Value> =
        paths.iter().enumerate().map(|(index, path)| (path.clone(), json!({ "get": operation(index) }))).collect();
    let document = json!({ "openapi": "3.1.0", "info": { "title": "Large", "version": "1" }, "paths": paths });
    vec![("large.json".to_owned(), document.to_string().into_bytes())]
}

#[test]
fn equal_enums_and_parameters_are_written_once() {
    let paths: Vec<String> = ["a", "b", "c", "d", "e"].iter().map(|name| format!("/{name}")).collect();
    let values = json!(["v1", "v2", "v3", "v4", "v5", "v6", "v7"]);
    let documents = described_paths(&paths, |index| {
        let mut values = values.clone();
        if index == 3 {
            // One value more, so it is another enum and another parameter.
            values.as_array_mut().expect("a list").push(json!("v8"));
        }
        json!([
            { "name": "select", "in": "query", "schema": { "type": "array", "items": { "enum": values } } },
            { "name": "top", "in": if index < 2 { "query" } else { "header" }, "schema": { "type": "integer" } },
        ])
    });
    let sdk = generate("large", &["large.json"], &documents, &[], false);
    let (models, schemas) = (&sdk.files["src/models/large.ts"], &sdk.files["src/schemas/large.ts"]);
    assert_eq!((models.matches("\"v7\"").count(), schemas.matches("\"v7\"").count()), (1, 1), "{models}{schemas}");
    assert!(models.contains("export type AGetSelectItem ="), "{models}");
    for name in ["a", "b", "c", "e"] {
        let resource = &sdk.files[&format!("src/resources/{name}.ts")];
        assert!(resource.contains("  select?: models.AGetSelectItem[];"), "{resource}");
    }
    let other = &sdk.files["src/resources/d.ts"];
    assert!(other.contains("\"v8\"") && !other.contains("models."), "{other}");

    // Three headers are one constant, two query parameters of the same key are too few for one.
    let parameters = &sdk.files["src/parameters/large.ts"];
    assert_eq!(parameters.matches("export const ").count(), 2, "{parameters}");
    assert!(parameters.contains("  in: \"header\",\n  schema: { kind: \"integer\" },"), "{parameters}");
    assert!(sdk.files["src/descriptors/c.ts"].contains("params: [parameters.select, parameters.top],"));
    assert!(sdk.files["src/descriptors/d.ts"].contains("    parameters.top,\n"));
    assert!(sdk.files["src/descriptors/a.ts"].contains("    parameters.select,\n    {"));
}

#[test]
fn a_large_tree_has_few_files() {
    let paths =
        |n: usize| -> Vec<String> { (0..n).flat_map(|i| [format!("/r{i}/s/t"), format!("/r{i}/s/t/u")]).collect() };
    let none = |_| json!([]);
    let small = generate("large", &["large.json"], &described_paths(&paths(3), none), &[], false);
    assert!(small.files.contains_key("src/resources/r0/s/t/u.ts"), "{:?}", small.files.keys());
    let large = generate("large", &["large.json"], &described_paths(&paths(101), none), &[], false);
    assert!(!large.files.contains_key("src/resources/r0/s/t.ts"), "{:?}", large.files.keys());
    let resource = &large.files["src/resources/r0/s.ts"];
    for class in ["R0SResource", "R0STResource", "R0STUResource"] {
        assert_eq!(resource.matches(&format!("export class {class} {{")).count(), 1, "{resource}");
    }
    assert!(!resource.contains("/s/t.js"), "what stands in the same file is not imported: {resource}");
    let descriptors = &large.files["src/descriptors/r0/s.ts"];
    assert_eq!(descriptors.matches("export const ").count(), 2, "{descriptors}");
}

#[test]
fn options_decide_the_package() {
    let option = |key: &str, text: &str| RawOption {
        key: key.to_owned(),
        value: OptionValue::Text(text.to_owned()),
        place: Place::default(),
    };
    let options = [
        option("package", "@shop/pets"),
        option("version", "2.1.0"),
        option("runtime_path", "../runtime"),
        option("runtime", "not a range!"),
        option("colour", "red"),
    ];
    let sdk = generate("petstore", &["petstore.yaml"], &documents("petstore"), &options, false);
    let manifest: Value = serde_json::from_str(&sdk.files["package.json"]).expect("package.json is JSON");
    assert_eq!(manifest["name"], "@shop/pets");
    assert_eq!(manifest["version"], "2.1.0");
    assert_eq!(manifest["dependencies"], json!({ "@elysra/tungsten-runtime": "file:../runtime" }));
    assert!(sdk.files["src/internal.ts"].contains("\"@shop/pets/2.1.0 tungsten/0.1.0 (typescript)\""));
    assert!(sdk.files["README.md"].contains("npm install @shop/pets\n"));
    assert_eq!(sdk.diags.len(), 2, "{:?}", sdk.diags);
    assert!(sdk.diags.iter().all(|found| found.starts_with("TG0711 ")), "{:?}", sdk.diags);
}

/// The descriptor of `POST /a`, whose body has a schema with the components `schemas`.
fn descriptor_of_body(schema: Value, schemas: Value) -> String {
    let content = json!({ "application/json": { "schema": schema } });
    let operation = json!({
        "requestBody": { "required": true, "content": content },
        "responses": { "200": { "description": "Done", "content": content } },
    });
    let document = json!({
        "openapi": "3.1.0", "info": { "title": "Secrets", "version": "1" },
        "paths": { "/a": { "post": operation } }, "components": { "schemas": schemas },
    });
    let document = ("secrets.json".to_owned(), document.to_string().into_bytes());
    generate("secrets", &["secrets.json"], &[document], &[], false).files["src/descriptors/a.ts"].clone()
}

#[test]
fn fields_marked_as_sensitive_are_listed_by_path() {
    let secret = json!({ "type": "string", "x-agent-sensitive": true });
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let node = json!({ "$ref": "#/components/schemas/Node" });
    let schemas = json!({ "Node": object(json!({ "pin": secret, "next": node })) });
    let root = object(json!({
        "plain": { "type": "string" },
        "list": { "type": "array", "items": { "oneOf": [object(json!({ "key": secret })), { "type": "null" }] } },
        "map": { "type": "object", "additionalProperties": object(json!({ "key": secret })) },
        "node": node,
    }));
    let found = descriptor_of_body(root, schemas);
    let list = "[\"list.key\", \"map\", \"node.pin\", \"node.next\"]";
    assert!(found.contains(&format!("sensitiveResponseFields: {list},")), "{found}");
    assert!(found.contains(&format!("sensitiveRequestFields: {list},")), "{found}");

    // Of too many paths the first steps are kept.
    let many: serde_json::Map<String, Value> = (0..300).map(|n| (format!("f{n}"), secret.clone())).collect();
    let root = object(json!({ "a": { "type": "string" }, "b": object(Value::Object(many)), "c": secret, "d": node }));
    let found = descriptor_of_body(root, json!({ "Node": object(json!({ "pin": secret, "next": node })) }));
    assert!(found.contains("sensitiveRequestFields: [\"c\", \"b\", \"d\"],"), "{found}");
    let found = descriptor_of_body(object(json!({ "a": { "type": "string" } })), json!({}));
    assert!(!found.contains("sensitive"), "{found}");
}

/// What has broken generators, for each position of text.
const HOSTILE: &[&str] = &[
    "\"; process.exit(1); //",
    "'); process.exit(1); ('",
    "*/ process.exit(1); /*",
    "${process.exit(1)}",
    "`process.exit(1)`",
    "line\nprocess.exit(1);",
    "line\r\nprocess.exit(1);",
    "line\rprocess.exit(1);",
    "line\u{2028}process.exit(1);\u{2029}",
    "line\u{85}\u{b}\u{c}process.exit(1);",
    "\u{202e}desrever\u{202c}\u{2066}",
    "\u{feff}bom\u{e0041}\u{e007f}",
    "nul\0",
    "backslash\\",
    "\\\"; process.exit(1); //",
    "@ts-ignore",
    "@ts-nocheck\n@jsx evil",
    "</script><!-- --> ]]>",
    "__proto__",
    "constructor",
    "} export const x = 1; {",
    "```\nprocess.exit(1)\n```",
    "#!/bin/sh",
    "/// <reference path=\"/etc/passwd\" />",
];

/// A description with `prose` wherever people may write what they like and `name` wherever things are named.
fn hostile_document(prose: &str, name: &str) -> Value {
    let named = format!("Named {name}");
    let schema_ref =
        format!("#/components/schemas/{}", named.replace('~', "~0").replace('/', "~1").replace('%', "%25"));
    let described = |mut schema: Value| {
        schema["description"] = json!(prose);
        schema["title"] = json!(prose);
        schema
    };
    let sent = json!({
        "summary": prose,
        "description": prose,
        "requestBody": { "content": { "application/json": { "schema": described(json!({
            "type": "object",
            "properties": { (format!("field {name}")): described(json!({ "$ref": schema_ref })), "inner": { "const": prose } },
        })) } } },
        "responses": { "204": { "description": prose } },
    });
    json!({
        "openapi": "3.1.0",
        "info": { "title": prose, "version": prose, "description": prose, "contact": { "name": prose } },
        "servers": [{ "url": format!("https://example.com/{prose}"), "description": prose }],
        "tags": [{ "name": "things", "description": prose, "externalDocs": { "url": prose } }],
        "security": [{ (format!("scheme {name}")): [prose] }, { (format!("login {name}")): [prose] }],
        "paths": { "/things/{id}": {
            "summary": prose,
            "post": {
                "operationId": format!("make {name}"),
                "tags": ["things"],
                "summary": prose,
                "description": prose,
                "deprecated": true,
                "parameters": [
                    { "name": "id", "in": "path", "required": true, "description": prose, "schema": { "type": "string" } },
                    {
                        "name": format!("query {name}"), "in": "query", "description": prose,
                        "schema": { "enum": [prose, "other"], "default": prose, "examples": [prose] },
                    },
                    { "name": format!("x-{}", "header"), "in": "header", "schema": { "type": "string", "pattern": prose } },
                ],
                "requestBody": {
                    "required": true,
                    "description": prose,
                    "content": { "application/json": { "schema": described(json!({
                        "type": "object",
                        "required": ["fixed"],
                        "properties": {
                            "fixed": { "const": prose },
                            (format!("field {name}")): described(json!({ "$ref": schema_ref })),
                            "nested": { "const": { (format!("member {prose}")): [prose, 1] } },
                        },
                    })) } },
                },
                "responses": {
                    "200": {
                        "description": prose,
                        "headers": { "x-h": { "description": prose, "schema": { "type": "string" } } },
                        "content": { "application/json": { "schema": { "$ref": schema_ref } } },
                    },
                    "400": { "description": prose },
                },
                "callbacks": { (format!("callback {name}")): { "{$request.body#/fixed}": { "post": sent } } },
                "x-anything": prose,
            },
        } },
        "webhooks": { (format!("hook {name}")): { "post": sent } },
        "components": {
            "securitySchemes": {
                (format!("scheme {name}")): { "type": "apiKey", "in": "header", "name": "k", "description": prose },
                (format!("login {name}")): {
                    "type": "oauth2",
                    "description": prose,
                    "flows": { "authorizationCode": {
                        "authorizationUrl": format!("https://example.com/{prose}"),
                        "tokenUrl": format!("https://example.com/token/{prose}"),
                        "scopes": { (format!("scope {prose}")): prose },
                    } },
                },
            },
            "schemas": { (named): described(json!({
                "type": "object",
                "properties": {
                    (format!("field {name}")): described(json!({ "type": "string", "format": prose, "pattern": prose })),
                    "inner": { "type": "object", "properties": { "a": described(json!({ "type": "boolean" })) } },
                    "choice": { "type": "string", "enum": [prose, "x"], "deprecated": true },
                },
            })) },
        },
    })
}

/// An agent manifest with the same texts.
fn hostile_agent(prose: &str, name: &str) -> Value {
    let entry = json!({ "text": prose, "next_action": prose, "retryable": "never", "category": "CONFLICT" });
    let code = format!("code {name}");
    json!({
        "agent": 1,
        "tools": [{
            "operation": format!("things.make {name}"),
            "idempotency": { "policy": "auto", "note": prose },
            "preview": { "mode": "header", "header": "x-try", "value": prose },
            "confirmation": { "summary_fields": ["id"], "message": format!("{prose} {{id}}") },
            "remediation": { (code.clone()): entry },
            "remediation_note": prose,
            "response": { "sensitive_fields": ["inner.a"], "shown_once": true },
        }],
        "macros": [{
            "name": "things.go",
            "summary": prose,
            "input": {
                "extends": format!("things.make {name}"),
                "add": {
                    (format!("wait {name}")): { "enum": [prose, "x"], "default": prose },
                    "note": { "type": "object", "required": [format!("member {prose}")], "properties": { (format!("member {prose}")): { "type": "string", "pattern": prose } } },
                },
            },
            "steps": [{
                "call": format!("things.make {name}"),
                "args": { "id": "x", "fixed": "x" },
                "as": "made",
            }],
            "output": { (format!("field {name}")): ["x", "$made.inner"], "is": { "expr": "$made.choice == 'x'" } },
            "response": { "sensitive_fields": ["is"] },
        }],
        "errors": {
            "codes": { (code): entry },
            "non_json": [{ "status": 400, "media": "none", "category": "MALFORMED_REQUEST", "text": prose }],
        },
    })
}

fn hostile_sdk(prose: &str, name: &str) -> Sdk {
    let text = |value: &Value| serde_json::to_vec(value).expect("JSON");
    let document = ("things.json".to_owned(), text(&hostile_document(prose, name)));
    let agent = (AGENT.to_owned(), text(&hostile_agent(prose, name)));
    let sdk = generate("things", &["things.json"], &[document, agent], &[], false);
    assert!(sdk.files.contains_key("src/macros.ts"), "the macro can run");
    sdk
}

/// A token of TypeScript; what a string or a comment holds does not count.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    String,
    Word(String),
    Mark(char),
}

/// Splits TypeScript into tokens. Panics where a string does not end in its line, and at a template literal.
fn tokens(path: &str, text: &str) -> Vec<Token> {
    const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        match c {
            '/' if chars.get(at + 1) == Some(&'/') => {
                while at < chars.len() && !LINE_ENDS.contains(&chars[at]) {
                    at += 1;
                }
            }
            '/' if chars.get(at + 1) == Some(&'*') => {
                let end = (at + 2..chars.len()).find(|&end| chars[end] == '*' && chars.get(end + 1) == Some(&'/'));
                at = end.unwrap_or_else(|| panic!("{path}: a comment without end")) + 2;
            }
            '"' | '\'' => {
                at += 1;
                while chars.get(at) != Some(&c) {
                    let inside = *chars.get(at).unwrap_or_else(|| panic!("{path}: a string without end"));
                    assert!(!LINE_ENDS.contains(&inside), "{path}: a string over two lines");
                    at += if inside == '\\' { 2 } else { 1 };
                }
                at += 1;
                tokens.push(Token::String);
            }
            '`' => panic!("{path}: a template literal"),
            _ if c.is_alphanumeric() || matches!(c, '_' | '$' | '#') => {
                let start = at;
                while at < chars.len() && (chars[at].is_alphanumeric() || matches!(chars[at], '_' | '$' | '#')) {
                    at += 1;
                }
                tokens.push(Token::Word(chars[start..at].iter().collect()));
            }
            _ => {
                if !c.is_whitespace() {
                    tokens.push(Token::Mark(c));
                }
                at += 1;
            }
        }
    }
    tokens
}

fn code_of(sdk: &Sdk) -> BTreeMap<String, Vec<Token>> {
    let code = sdk.files.iter().filter(|(path, _)| path.ends_with(".ts"));
    code.map(|(path, text)| (path.clone(), without_layout(tokens(path, text)))).collect()
}

/// Commas and semicolons before a closing bracket, and the bar before the first member of a union, are there or not
/// with the width of what stands around them.
fn without_layout(tokens: Vec<Token>) -> Vec<Token> {
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let closes = matches!(token, Token::Mark('}' | ']' | ')' | '>'));
        if closes && matches!(kept.last(), Some(Token::Mark(',' | ';'))) {
            kept.pop();
        }
        let opens = matches!(kept.last(), Some(Token::Mark(':' | '=' | '<' | '(' | ',')));
        if token != Token::Mark('|') || !opens {
            kept.push(token);
        }
    }
    kept
}

#[test]
fn code_that_escapes_is_seen() {
    let plain = tokens("a.ts", "const a = \"text\"; // comment\n");
    assert_eq!(plain, tokens("a.ts", "/* other */ const a = 'more text';\n"));
    assert_ne!(plain, tokens("a.ts", "const a = \"text\"; evil(); // comment\n"));
    assert_ne!(plain, tokens("a.ts", "const a = \"text\"; // comment\u{2028}evil();\n"));
    assert!(std::panic::catch_unwind(|| tokens("a.ts", "const a = \"text\n\";\n")).is_err());
}

#[test]
fn hostile_prose_changes_only_strings_and_comments() {
    let plain = code_of(&hostile_sdk("plain", "plain"));
    assert!(plain.len() > 5, "{:?}", plain.keys());
    for payload in HOSTILE {
        let hostile = code_of(&hostile_sdk(payload, "plain"));
        for (path, expect) in &plain {
            let found = hostile.get(path).unwrap_or_else(|| panic!("{payload:?}: {path} is missing"));
            let differs = expect.iter().zip(found).position(|(a, b)| a != b);
            let around = differs.map(|at| &found[at.saturating_sub(5)..(at + 5).min(found.len())]);
            assert!(differs.is_none() && expect.len() == found.len(), "{payload:?}: {path} near {around:?}");
        }
        assert_eq!(plain.len(), hostile.len(), "{payload:?}");
    }
}

#[test]
fn hostile_names_become_nothing_but_names() {
    let shape = |sdk: &Sdk| -> BTreeMap<String, Vec<Token>> {
        let anonymous = |token: Token| match token {
            Token::Word(word) if !is_keyword(&word) => Token::Word("name".to_owned()),
            other => other,
        };
        code_of(sdk).into_iter().map(|(path, list)| (path, list.into_iter().map(anonymous).collect())).collect()
    };
    let plain = shape(&hostile_sdk("plain", "plain"));
    for payload in HOSTILE {
        let hostile = shape(&hostile_sdk("plain", payload));
        assert_eq!(plain.keys().collect::<Vec<_>>(), hostile.keys().collect::<Vec<_>>(), "{payload:?}");
        for (path, expect) in &plain {
            let found = &hostile[path];
            let differs = expect.iter().zip(found).position(|(a, b)| a != b);
            let around = differs.map(|at| &found[at.saturating_sub(8)..(at + 5).min(found.len())]);
            assert!(differs.is_none() && expect.len() == found.len(), "{payload:?}: {path} near {around:?}");
        }
    }
}

/// Words that make statements; everything else is a name to the test above.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "import" | "export" | "from" | "const" | "class" | "function" | "interface" | "type" | "return" | "new"
    )
}

#[test]
fn hostile_text_leaves_other_files_whole() {
    for payload in HOSTILE {
        let sdk = hostile_sdk(payload, payload);
        let manifest: Value = serde_json::from_str(&sdk.files["package.json"]).expect("package.json is JSON");
        assert_eq!(manifest["name"], "things-sdk");
        let readme = &sdk.files["README.md"];
        let fences = readme.lines().filter(|line| line.starts_with("```")).count();
        assert_eq!(fences % 2, 0, "{payload:?}: a fence is left open");
        assert!(readme.lines().all(|line| !line.starts_with("process.exit")), "{payload:?}: {readme}");
        for (path, text) in &sdk.files {
            let hidden = text.chars().find(|c| *c != '\n' && !base::diag::is_printable(*c));
            assert_eq!(hidden, None, "{payload:?}: {path}");
        }
    }
}

/// A description with one operation that answers with `schema`.
fn answering(schema: &Value) -> Vec<(String, Vec<u8>)> {
    let description = json!({
        "openapi": "3.1.0",
        "info": { "title": "T", "version": "1" },
        "paths": { "/boxes": { "get": {
            "operationId": "getBoxes",
            "responses": { "200": {
                "description": "All.",
                "content": { "application/json": { "schema": schema } }
            } }
        } } }
    });
    vec![("api.json".to_owned(), description.to_string().into_bytes())]
}

/// The deepest brackets of any statement of a file.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for c in text.chars() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn nested(levels: usize, inner: Value, around: impl Fn(Value) -> Value) -> Value {
    (0..levels).fold(inner, |schema, _| around(schema))
}

#[test]
fn what_nests_too_deep_is_declared_under_names() {
    let text = || json!({ "type": "string" });
    let record = |inner: Value| json!({ "type": "object", "properties": { "a": inner } });
    let list = |inner: Value| json!({ "type": "array", "items": inner });
    let map = |inner: Value| json!({ "type": "object", "additionalProperties": inner });
    let tuple =
        |inner: Value| json!({ "type": "array", "prefixItems": [inner, { "type": "integer" }], "items": false });
    let union = |inner: Value| json!({ "oneOf": [{ "type": "integer" }, record(inner)] });
    // With the two brackets of the document's own levels the deepest is just below the limit of documents.
    for (kind, schema) in [
        ("records", nested(100, text(), record)),
        ("lists", nested(200, text(), list)),
        ("maps", nested(200, text(), map)),
        ("tuples", nested(100, text(), tuple)),
        ("unions", nested(60, text(), union)),
        ("all", nested(20, text(), |inner| record(list(map(tuple(union(inner))))))),
    ] {
        let sdk = generate("deep", &["api.json"], &answering(&schema), &[], false);
        for (path, text) in sdk.files.iter().filter(|(path, _)| path.ends_with(".ts")) {
            assert!(nesting(text) <= 12 * 3 + 6, "{kind}: {path} nests {} deep", nesting(text));
        }
        let models = sdk.files.get("src/models/api.ts").map_or("", String::as_str);
        let mut names: Vec<&str> = models
            .lines()
            .filter_map(|line| line.strip_prefix("export type ").or_else(|| line.strip_prefix("export interface ")))
            .filter_map(|line| line.split(' ').next())
            .collect();
        let n_names = names.len();
        assert!(n_names > 3, "{kind}: {names:?}");
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_names, "{kind}: {names:?}");
        let schemas = &sdk.files["src/schemas/api.ts"];
        for name in &names {
            assert!(schemas.contains(&format!("export const {name}: Schema =")), "{kind}: {name}");
        }
    }
}

#[test]
fn what_does_not_nest_deep_stays_in_place() {
    let record = |inner: Value| json!({ "type": "object", "properties": { "a": inner } });
    for (levels, is_declared) in [(11, false), (12, true)] {
        let schema = nested(levels, json!({ "type": "string" }), record);
        let sdk = generate("deep", &["api.json"], &answering(&schema), &[], false);
        assert_eq!(sdk.files.contains_key("src/models/api.ts"), is_declared, "{levels}");
    }
}

#[test]
fn names_of_deep_types_keep_clear_of_written_ones() {
    let lists = nested(40, json!({ "type": "string" }), |inner| json!({ "type": "array", "items": inner }));
    let schema = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    let properties =
        json!({ "mine": schema("BoxesListResponseList"), "yours": schema("BoxesListResponseList3"), "deep": lists });
    let documents = answering(&json!({ "type": "object", "properties": properties }));
    let mut description: Value = serde_json::from_slice(&documents[0].1).expect("the description is JSON");
    description["components"]["schemas"] = json!({
        "BoxesListResponseList": { "type": "object", "properties": { "mine": { "type": "boolean" } } },
        "BoxesListResponseList3": { "type": "integer" }
    });
    let documents = vec![("api.json".to_owned(), description.to_string().into_bytes())];
    let sdk = generate("deep", &["api.json"], &documents, &[], false);
    let models = &sdk.files["src/models/api.ts"];
    for declaration in [
        "export interface BoxesListResponseList {\n  mine?: boolean;",
        "export type BoxesListResponseList3 = number;",
        "export type BoxesListResponseList2 = string[]",
        "export type BoxesListResponseList4 =\n  BoxesListResponseList2[]",
    ] {
        assert_eq!(models.matches(declaration).count(), 1, "{declaration}\n{models}");
    }
}

#[test]
fn deep_constants_are_read_from_text() {
    let constant = nested(60, json!("\u{2028}\"x"), |inner| json!([inner, { "__proto__": 1 }]));
    let sdk = generate("deep", &["api.json"], &answering(&json!({ "const": constant })), &[], false);
    let descriptors = &sdk.files["src/descriptors/boxes.ts"];
    let line = descriptors.lines().find(|line| line.contains("JSON.parse(")).expect("the constant is text");
    let literal = &line[line.find("JSON.parse(").unwrap_or_default() + 11..line.rfind(')').unwrap_or_default()];
    // The literal is in single quotes for the sake of those inside; what is escaped in it is escaped as in JSON.
    let inner = literal.trim_matches('\'').replace("\\\\", "\\");
    assert_eq!(serde_json::from_str::<Value>(&inner).expect(&inner), constant);
    assert!(nesting(&sdk.files["src/resources/boxes.ts"]) < 24, "the type is bounded too");
}

#[test]
fn unions_that_hold_together_are_bounded() {
    let choice = |at: usize, n: usize| {
        let one = |other: usize| {
            let name = format!("part{at}");
            json!({ "type": "object", "required": [name], "properties": { name: { "const": other } } })
        };
        json!({ "oneOf": (0..n).map(one).collect::<Vec<_>>() })
    };
    for (factors, n_left_out) in [
        (vec![3; 10], 4),
        (vec![10, 10, 10], 0),
        (vec![10, 10, 11], 1),
        // A long union is as long as it was written.
        (vec![900], 0),
        (vec![900, 2, 1], 1),
    ] {
        let all: Vec<Value> = factors.iter().enumerate().map(|(at, &n)| choice(at, n)).collect();
        let sdk = generate("deep", &["api.json"], &answering(&json!({ "allOf": all })), &[], false);
        let types = &sdk.files["src/resources/boxes.ts"];
        let schemas = &sdk.files["src/descriptors/boxes.ts"];
        for at in 0..factors.len() {
            let is_mentioned = types.contains(&format!("part{at}:"));
            assert!(is_mentioned || n_left_out > 0, "{factors:?}: {at}");
            assert!(schemas.contains(&format!("\"part{at}\"")), "{factors:?}: values are checked against all");
        }
        let n_mentioned = (0..factors.len()).filter(|at| types.contains(&format!("part{at}:"))).count();
        assert_eq!(factors.len() - n_mentioned, n_left_out, "{factors:?}");
        let n_found = sdk.diags.iter().filter(|found| found.starts_with("TG0713 ")).count();
        assert_eq!(n_found, usize::from(n_left_out > 0), "{factors:?}: {:?}", sdk.diags);
    }
}
