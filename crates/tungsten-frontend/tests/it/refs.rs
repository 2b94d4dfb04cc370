//! References, files and the head of a document.

use base::limits;
use tungsten_frontend::{Compiled, InputRequest, LoadError, Loader, MemoryLoader, Request, compile};

use crate::describe::findings;

const HEAD: &str = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\n";

fn files(entry: &str, files: &[(&str, &str)]) -> Compiled {
    let mut loader = MemoryLoader::new();
    for (path, text) in files {
        loader = loader.with(*path, text.as_bytes());
    }
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: entry.to_owned() }];
    let request = Request { api_name: "test".to_owned(), inputs, ..Request::default() };
    let compiled = compile(&request, &loader);
    if let Some(ir) = &compiled.ir {
        assert_eq!(tungsten_ir::verify(ir), [""; 0]);
    }
    compiled
}

/// Names of the named types in order, and the codes with their places.
#[track_caller]
fn check(entry: &str, documents: &[(&str, &str)], names: &[&str], codes: &[&str]) {
    let compiled = files(entry, documents);
    assert_eq!(findings(&compiled), codes);
    let ir = compiled.ir.as_ref().expect("compiled");
    let rows = ir.types.named.iter().filter_map(|&ty| ir.types.rows[ty].name);
    let found: Vec<&str> = rows.map(|name| ir.names.resolve(name.name)).collect();
    assert_eq!(found, names);
}

#[track_caller]
fn check_schemas(schemas: &str, codes: &[&str]) {
    let yaml = format!("{HEAD}components:\n  schemas:\n{schemas}");
    assert_eq!(findings(&files("api.yaml", &[("api.yaml", &yaml)])), codes, "{schemas}");
}

#[test]
fn pointers_are_decoded_then_unescaped() {
    check_schemas(
        "    A: { $ref: '#/components/schemas/b~1c%20d' }\n    b/c d: { type: string }\n",
        &["TG0110 /components/schemas/b~1c d"],
    );
    check_schemas(
        "    A: { $ref: '#/components/schemas/B/properties/x' }\n    B: { type: object, properties: { x: { type: string } } }\n",
        &[],
    );
    check_schemas(
        "    A: { $ref: '#/components/schemas/B/oneOf/1' }\n    B: { oneOf: [{ type: string }, { type: integer }] }\n",
        &[],
    );
    check_schemas(
        "    A: { $ref: '#/components/schemas/B/properties/x' }\n    B: { $ref: '#/components/schemas/C' }\n    C: { type: object, properties: { x: { type: string } } }\n",
        &[],
    );
    check_schemas("    A: { $ref: '#item' }\n    B: { $anchor: item, type: string }\n", &[]);
    check_schemas("    A: { $ref: 'urn:b' }\n    B: { $id: 'urn:b', type: string }\n", &[]);
}

#[test]
fn what_leads_nowhere_is_said_at_the_reference() {
    let at = |code: &str| [format!("{code} /components/schemas/A/$ref")];
    let one = |reference: &str| {
        findings(&files(
            "api.yaml",
            &[("api.yaml", &format!("{HEAD}components:\n  schemas:\n    A: {{ $ref: '{reference}' }}\n"))],
        ))
    };
    assert_eq!(one("#/components/schemas/B"), at("TG0201"));
    assert_eq!(one("#/components/schemas/~2"), at("TG0201"));
    assert_eq!(one("#nowhere"), at("TG0201"));
    assert_eq!(one("%23/%ff#%ff"), at("TG0201"));
    assert_eq!(one("other.yaml"), at("TG0201"));
    assert_eq!(one("https://example.com/x.yaml"), at("TG0202"));
    assert_eq!(one("../outside.yaml"), at("TG0204"));
    assert_eq!(one("..%2f..%2foutside.yaml"), at("TG0204"));
    assert_eq!(one("/etc/passwd"), at("TG0204"));
    assert_eq!(one("#/components/schemas/A"), at("TG0205"));
}

#[test]
fn circles_and_chains() {
    check_schemas(
        "    A: { $ref: '#/components/schemas/B' }\n    B: { $ref: '#/components/schemas/A' }\n",
        &["TG0205 /components/schemas/A/$ref"],
    );
    let chain = |n: usize| {
        let mut yaml = String::new();
        for step in 0..n {
            yaml.push_str(&format!("    S{step}: {{ $ref: '#/components/schemas/S{}' }}\n", step + 1));
        }
        yaml + &format!("    S{n}: {{ type: string }}\n")
    };
    check_schemas(&chain(limits::REF_CHAIN), &[]);
    check_schemas(&chain(limits::REF_CHAIN + 1), &["TG0105 /components/schemas/S0/$ref"]);
    check_schemas(
        "    A: { $ref: '#/components/schemas/B/x/y' }\n    B: { $ref: '#/components/schemas/A/x/y' }\n",
        &["TG0205 /components/schemas/A/$ref", "TG0205 /components/schemas/B/$ref"],
    );
}

#[test]
fn a_reference_inside_data_is_data() {
    let schemas = "    A:\n      type: object\n      example: { $ref: '#/a' }\n      default: { $ref: '#/b' }\n      enum: [{ $ref: '#/c' }]\n      x-y: { $ref: '#/d' }\n      properties:\n        example: { $ref: '#/components/schemas/B' }\n    B: { type: string, const: x, examples: [{ $ref: '#/e' }] }\n";
    check_schemas(schemas, &[]);
}

#[test]
fn dynamic_references_are_followed_like_plain_ones() {
    let schemas = "    A: { type: object, properties: { item: { $dynamicRef: '#item' } } }\n    B: { $dynamicAnchor: item, type: string }\n";
    check_schemas(schemas, &[]);
    let bound = format!("{schemas}    C: {{ $id: other, $dynamicAnchor: item, type: integer }}\n");
    check_schemas(&bound, &["TG0303 /components/schemas/A/properties/item/$dynamicRef"]);
    let tree = "    A: { $recursiveAnchor: true, type: object, properties: { children: { type: array, items: { $recursiveRef: '#' } } } }\n";
    check_schemas(
        tree,
        &["TG0203 /components/schemas/A", "TG0303 /components/schemas/A/properties/children/items/$recursiveRef"],
    );
}

#[test]
fn files_are_loaded_wave_by_wave_and_named() {
    let entry = format!(
        "{HEAD}components:\n  schemas:\n    Pet: {{ $ref: 'models/pet.yaml' }}\n    Tag: {{ $ref: 'models/all.json#/tag' }}\n"
    );
    let pet = "type: object\nproperties:\n  owner: { $ref: '../people/owner.yaml' }\n  tag: { $ref: all.json#/tag }\n";
    let documents = [
        ("v1/api.yaml", entry.as_str()),
        ("v1/models/pet.yaml", pet),
        ("v1/models/all.json", r#"{"tag": {"type": "string"}}"#),
        ("v1/people/owner.yaml", "type: object\nproperties: { pet: { $ref: '../models/pet.yaml' } }\n"),
    ];
    check("v1/api.yaml", &documents, &["Pet", "Tag", "owner"], &["TG0203 "]);
}

#[test]
fn names_that_meet_are_numbered() {
    let entry = format!(
        "{HEAD}components:\n  schemas:\n    item: {{ type: array, items: {{ $ref: a/item.yaml }} }}\n    other: {{ type: array, items: {{ $ref: b/item.yaml }} }}\n"
    );
    let documents =
        [("api.yaml", entry.as_str()), ("a/item.yaml", "type: string\n"), ("b/item.yaml", "type: integer\n")];
    check("api.yaml", &documents, &["item", "other", "item2", "item3"], &["TG0401 ", "TG0401 "]);
}

#[test]
fn fragments_speak_the_dialect_of_their_entry() {
    let entry = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n    A: { $ref: a.yaml }\n";
    check("api.yaml", &[("api.yaml", entry), ("a.yaml", "type: string\nnullable: true\n")], &["A"], &[]);
}

#[test]
fn heads_that_are_repaired() {
    let one = |text: &str| findings(&files("api.yaml", &[("api.yaml", text)]));
    assert_eq!(one("openapi: 3.0.3\npaths: {}\n"), ["TG0110 "]);
    assert_eq!(one("openapi: 3.0.3\ninfo: { version: 1.0 }\npaths: {}\n"), ["TG0110 /info", "TG0110 /info/version"]);
    assert_eq!(one("openapi: 3.1\ninfo: { title: T, version: '1' }\npaths: {}\n"), ["TG0110 /openapi"]);
    assert_eq!(one("openapi: 3.0.3\ninfo: { title: T, version: '1' }\n"), ["TG0110 "]);
    assert_eq!(one("openapi: 3.1.0\ninfo: { title: T, version: '1' }\n"), ["TG0110 "]);
}

#[test]
fn versions_that_are_read_as_another_one() {
    let one = |version: &str| {
        let text = format!("openapi: {version}\ninfo: {{ title: T, version: '1' }}\npaths: {{}}\n");
        let compiled = files("api.yaml", &[("api.yaml", &text)]);
        compiled.diags.iter().map(|one| one.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(one("3.1.1"), [""; 0]);
    assert_eq!(one("3.1"), ["`openapi` is `3.1`, without a patch number; it is read as 3.1"]);
    assert_eq!(one("'3.0'"), ["`openapi` is `3.0`, without a patch number; it is read as 3.0"]);
    assert_eq!(one("3.1.0-rc.1"), ["`openapi` is `3.1.0-rc.1`, a preliminary version; it is read as 3.1"]);
    assert_eq!(one("3.0.x"), ["`openapi` is `3.0.x`, no version of three numbers; it is read as 3.0"]);
    assert_eq!(one("3.2.1"), [""; 0]);
    assert_eq!(one("3.2.0-rc.1"), ["`openapi` is `3.2.0-rc.1`, a preliminary version; it is read as 3.2"]);
    assert_eq!(one("3.3.0"), ["OpenAPI `3.3.0` is not compiled; 3.0, 3.1 and 3.2 are"]);
}

#[test]
fn names_of_schemas_are_read_against_what_a_document_says_of_itself() {
    let at = |reference: &str, own: &str| {
        let text = format!(
            "openapi: 3.2.0\n{own}info: {{ title: T, version: '1' }}\ncomponents:\n  schemas:\n    A: {{ $ref: '{reference}' }}\n    B: {{ $id: schemas/b, $ref: c }}\n    C: {{ $id: schemas/c, type: string }}\n"
        );
        findings(&files("api.yaml", &[("api.yaml", &text)]))
    };
    let own = "$self: https://a.test/v1/api\n";
    let missing = |code: &str| vec![format!("{code} /components/schemas/A/$ref")];
    for reference in ["https://a.test/v1/schemas/c", "schemas/c", "/v1/schemas/c", "HTTPS://A.test/v1/x/../schemas/b"] {
        assert_eq!(at(reference, own), [""; 0], "{reference}");
    }
    assert_eq!(at("https://a.test/schemas/c", own), missing("TG0202"));
    assert_eq!(at("https://a.test/v1/schemas/c", ""), missing("TG0202"));
    assert_eq!(at("api#/components/schemas/C", own), [""; 0]);
    assert_eq!(at("api#/components/schemas/C", ""), missing("TG0201"));
}

#[test]
fn references_to_what_is_no_file_of_the_input() {
    let one = |reference: &str| {
        let text = format!("{HEAD}components: {{ schemas: {{ A: {{ $ref: '{reference}' }} }} }}\n");
        let compiled = files("api.yaml", &[("api.yaml", &text)]);
        compiled.diags.iter().map(|one| format!("{} {}", one.code, one.message)).collect::<Vec<_>>()
    };
    let only_files = "only files below the input root are read";
    assert_eq!(one("."), ["TG0201 `.` names a folder, not a document"]);
    assert_eq!(one("models/#/A"), ["TG0201 `models/#/A` names a folder, not a document"]);
    assert_eq!(one("file:///a.yaml"), [format!("TG0202 `file:///a.yaml` is a file URL; {only_files}")]);
    assert_eq!(one("https://host/a"), [format!("TG0202 `https://host/a` names another host; {only_files}")]);
    assert_eq!(one("urn:a"), [format!("TG0202 `urn:a` is a URL; {only_files}")]);
}

#[test]
fn rows_are_placed_at_their_keys() {
    let yaml = r#"openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      parameters:
        - in: query
          name: q
          schema: { type: string }
      responses: { '200': { description: ok, content: { a/json: { schema: { $ref: '#/components/schemas/A' } } } } }
components:
  schemas:
    A:
      properties:
        "x y":
          type: string
"#;
    let compiled = files("api.yaml", &[("api.yaml", yaml)]);
    let ir = compiled.ir.as_ref().expect("compiled");
    let mut diags = base::Diags::new();
    let field = ir.types.fields.rows()[0].origin;
    let (param, op, ty) = (ir.ops.params.rows()[0].origin, ir.ops.rows.rows()[0].origin, ir.types.named[0]);
    for origin in [field, param, op, ir.types.rows[ty].origin] {
        let pointer = origin.pointer.map_or("", |text| ir.text(text).untrusted());
        let place = base::Place::at(origin.source, pointer, (origin.offset, origin.offset));
        diags.report(base::Code::TG0402, place, "x");
    }
    tungsten_frontend::place_rows(&compiled.docs, &mut diags);
    let found: Vec<_> = diags
        .iter()
        .map(|one| {
            let (start, end) = one.place.range.expect("placed");
            (one.place.pointer.as_str(), &yaml[start as usize..end as usize])
        })
        .collect();
    let expect = [
        ("/components/schemas/A/properties/x y", "\"x y\""),
        ("/paths/~1a/get/parameters/0", "q"),
        ("/paths/~1a/get", "get"),
        ("/components/schemas/A", "A"),
    ];
    assert_eq!(found, expect);
}

#[test]
fn heads_that_are_refused() {
    let one = |text: &str| findings(&files("api.yaml", &[("api.yaml", text)]));
    assert_eq!(one("swagger: '2.0'\n"), ["TG0103 /swagger"]);
    assert_eq!(one("openapi: 4.0.0\n"), ["TG0103 /openapi"]);
    let help = |text: &str| files("api.yaml", &[("api.yaml", text)]).diags.iter().find_map(|one| one.help.clone());
    assert!(help("swagger: '2.0'\n").is_some_and(|help| help.contains("swagger2openapi")));
    assert!(help("openapi: 4.0.0\n").is_some_and(|help| help.contains("openapi: 3.1.1")));
    assert_eq!(one("openapi: {}\n"), ["TG0103 /openapi"]);
    assert_eq!(one("info: {}\n"), ["TG0103 "]);
    assert_eq!(one("[1]\n"), ["TG0104 "]);
    assert_eq!(one("openapi: 3.1.0\ninfo: {"), ["TG0102 /info"]);
}

#[test]
fn inputs_that_cannot_be_read() {
    assert_eq!(findings(&files("missing.yaml", &[])), ["TG0101 "]);
    assert_eq!(findings(&files("../api.yaml", &[])), ["TG0101 "]);
    assert_eq!(findings(&compile(&Request::default(), &MemoryLoader::new())), ["TG0101 "]);
    struct Broken(LoadError);
    impl Loader for Broken {
        fn load(&self, path: &str) -> Result<base::Source, LoadError> {
            let entry = format!("{HEAD}components: {{ schemas: {{ A: {{ $ref: b.yaml }} }} }}\n");
            if path == "api.yaml" { Ok(base::Source::from_bytes(path, entry)) } else { Err(self.0.clone()) }
        }
    }
    let broken = |error: LoadError| {
        let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: "api.yaml".to_owned() }];
        findings(&compile(&Request { inputs, ..Request::default() }, &Broken(error)))
    };
    let at = |code: &str| [format!("{code} /components/schemas/A/$ref")];
    assert_eq!(broken(LoadError::NotAFile), at("TG0201"));
    assert_eq!(broken(LoadError::TooLarge(1 << 40)), at("TG0105"));
    assert_eq!(broken(LoadError::Outside), at("TG0204"));
    assert_eq!(broken(LoadError::Other("denied".to_owned())), at("TG0101"));
}

#[test]
fn too_many_files_are_refused() {
    struct Endless;
    impl Loader for Endless {
        fn load(&self, path: &str) -> Result<base::Source, LoadError> {
            if path == "api.yaml" {
                let mut text = format!("{HEAD}components:\n  schemas:\n");
                for n in 0..limits::FILES {
                    text.push_str(&format!("    S{n}: {{ $ref: f{n}.yaml }}\n"));
                }
                return Ok(base::Source::from_bytes(path, text));
            }
            Ok(base::Source::from_bytes(path, "type: string\n"))
        }
    }
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: "api.yaml".to_owned() }];
    let compiled = compile(&Request { inputs, ..Request::default() }, &Endless);
    assert_eq!(findings(&compiled), ["TG0105 "]);
}

#[test]
fn each_namespace_has_types_of_its_own() {
    let entry = format!("{HEAD}components:\n  schemas:\n    List: {{ type: array, items: {{ $ref: shared.yaml }} }}\n");
    let loader = MemoryLoader::new()
        .with("one.yaml", entry.as_bytes())
        .with("two.yaml", entry.replace("3.1.0", "3.0.3").as_bytes())
        .with("shared.yaml", "type: string\nnullable: true\n");
    let input = |name: &str| InputRequest { namespace: name.to_owned(), spec: format!("{name}.yaml") };
    let request =
        Request { api_name: "test".to_owned(), inputs: vec![input("one"), input("two")], ..Request::default() };
    let compiled = compile(&request, &loader);
    let ir = compiled.ir.as_ref().expect("compiled");
    assert_eq!(tungsten_ir::verify(ir), [""; 0]);
    let names: Vec<String> = ir
        .types
        .named
        .iter()
        .filter_map(|&ty| ir.types.rows[ty].name)
        .map(|name| {
            let namespace = ir.names.resolve(ir.namespaces[name.namespace].name);
            format!("{namespace}.{}", ir.names.resolve(name.name))
        })
        .collect();
    assert_eq!(names, ["one.List", "one.shared", "two.List", "two.shared"]);
    // Only the second namespace speaks 3.0, where `nullable` is no repair.
    assert_eq!(findings(&compiled), ["TG0110 /nullable"]);
}

#[test]
fn threads_do_not_show() {
    let mut entry = format!("{HEAD}components:\n  schemas:\n");
    let mut loader = MemoryLoader::new();
    for n in 0..100 {
        entry.push_str(&format!("    S{n}: {{ $ref: f{n}.yaml }}\n"));
        let text = format!(
            "type: object\nproperties:\n  own{n}: {{ $ref: 'f{}.yaml' }}\n  odd: {{ type: string, format: f{n} }}\n",
            (n + 7) % 100
        );
        loader = loader.with(format!("f{n}.yaml"), text.as_bytes());
    }
    let loader = loader.with("api.yaml", entry.as_bytes());
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: "api.yaml".to_owned() }];
    let request = Request { api_name: "test".to_owned(), inputs, ..Request::default() };
    let run = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
        let compiled = pool.install(|| compile(&request, &loader));
        let ir = compiled.ir.as_ref().expect("compiled");
        format!("{:?} {:?} {:?}", ir.types, findings(&compiled), ir.names.iter().collect::<Vec<_>>())
    };
    assert_eq!(run(1), run(2));
}
