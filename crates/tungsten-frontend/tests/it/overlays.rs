//! Overlays: the published suite, what an action does, what is said of one that does nothing or cannot be done, and where
//! findings about an overlaid document point.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Code, Diagnostic, Diags, Id as _, Source, SourceId, limits};
use base_doc::jsonpath::{Dialect, JsonPath, Visits};
use base_doc::{DocId, DocSet, Kind, Tree, Value, parse_all};
use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, OverlayRequest, Request, compile};

const PETS: &str = "\
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
servers: [{ url: https://one.example.test }]
paths:
  /pets:
    get:
      operationId: list
      tags: [a, b]
      responses: { '204': { description: none } }
    post:
      operationId: add
      responses: { '204': { description: none } }
";

fn input(namespace: &str, spec: &str) -> InputRequest {
    InputRequest { namespace: namespace.to_owned(), spec: spec.to_owned() }
}

fn overlay(path: &str, namespace: Option<&str>) -> OverlayRequest {
    OverlayRequest { path: path.to_owned(), namespace: namespace.map(str::to_owned) }
}

fn run(files: &[(&str, &str)], inputs: Vec<InputRequest>, overlays: Vec<OverlayRequest>) -> Compiled {
    let add = |loader: MemoryLoader, (path, text): &(&str, &str)| loader.with(*path, text.as_bytes());
    let loader = files.iter().fold(MemoryLoader::new(), add);
    compile(&Request { api_name: "test".to_owned(), inputs, overlays, ..Request::default() }, &loader)
}

/// `PETS` after one overlay with these actions.
fn pets(actions: &str) -> Compiled {
    let text = format!("overlay: 1.1.0\ninfo: {{ title: t, version: v }}\nactions:\n{actions}");
    let files = [("pets.yaml", PETS), ("o.yaml", text.as_str())];
    run(&files, vec![input("pets", "pets.yaml")], vec![overlay("o.yaml", Some("pets"))])
}

/// `code file:line:column pointer message`, sorted.
fn lines(compiled: &Compiled) -> Vec<String> {
    let line = |one: &Diagnostic| {
        let (line, column) = match (one.place.source, one.place.range) {
            (Some(source), Some((start, _))) => compiled.sources.get(source).line_column(start),
            _ => (0, 0),
        };
        let file = one.place.file_name(&compiled.sources);
        format!("{} {file}:{line}:{column} {} {}", one.code, one.place.pointer, one.message)
    };
    compiled.diags.clone().finish(&compiled.sources).iter().map(line).collect()
}

/// The value as compact JSON, members in their order.
fn json(value: Value<'_>) -> String {
    let join = |parts: Vec<String>| parts.join(",");
    match value.kind() {
        Kind::Null => "null".to_owned(),
        Kind::Bool => (value.as_bool() == Some(true)).to_string(),
        Kind::Number => value.as_number().expect("a number").to_owned(),
        Kind::String => format!("{:?}", value.as_str().expect("a string")),
        Kind::Array => format!("[{}]", join(value.children().map(json).collect())),
        Kind::Object => {
            let member = |one: Value<'_>| format!("{:?}:{}", one.key_text().expect("a key"), json(one));
            format!("{{{}}}", join(value.children().map(member).collect()))
        }
    }
}

fn at<'a>(docs: &'a DocSet, keys: &[&str]) -> Value<'a> {
    keys.iter().fold(docs.root(DocId::from_index(0)), |value, key| {
        let found = docs.keys.find(key).and_then(|key| value.get(key));
        found.unwrap_or_else(|| panic!("there is a member {key}"))
    })
}

fn shared(path: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("TUNGSTEN_SHARED").map_or(beside, PathBuf::from).join(path);
    if !folder.is_dir() {
        println!("skipped: no ../shared");
        return None;
    }
    Some(folder)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let list = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = list.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

#[test]
fn published_suite() {
    let Some(suite) = shared("suites/overlay") else { return };
    let read = |path: &Path| std::fs::read_to_string(path).expect("a text");
    let mut faults = Vec::new();
    let (mut n_sets, mut n_pass, mut n_fail) = (0, 0, 0);
    for set in entries(&suite.join("compliant-sets")) {
        let text = |name: &str| read(&set.join(name));
        let (spec, own, output) = (text("openapi.yaml"), text("overlay.yaml"), text("output.yaml"));
        let apply = |spec: &str, overlays| {
            run(&[("openapi.yaml", spec), ("overlay.yaml", &own)], vec![input("a", "openapi.yaml")], overlays)
        };
        let (found, expect) = (apply(&spec, vec![overlay("overlay.yaml", Some("a"))]), apply(&output, Vec::new()));
        let (left, right) = (at(&found.docs, &[]), at(&expect.docs, &[]));
        let is_noted = found.diags.iter().any(|one| matches!(one.code, Code::TG0206 | Code::TG0207));
        if same(left, right) && !is_noted {
            n_sets += 1;
        } else {
            faults.push(format!("{}: {} {:?}", set.display(), json(left), lines(&found)));
        }
    }
    for (version, sense) in ["v1.0", "v1.1"].iter().flat_map(|version| [(version, "pass"), (version, "fail")]) {
        for file in entries(&suite.join("tests").join(version).join(sense)) {
            let own = read(&file);
            let files = [("pets.yaml", PETS), ("o.yaml", own.as_str())];
            let compiled = run(&files, vec![input("a", "pets.yaml")], vec![overlay("o.yaml", Some("a"))]);
            let mut refusals = compiled.diags.iter().filter(|one| one.code == Code::TG0207).peekable();
            let is_refused = refusals.peek().is_some();
            let has_place =
                refusals.all(|one| one.place.file_name(&compiled.sources) == "o.yaml" && one.place.range.is_some());
            match (sense, is_refused && has_place, is_refused) {
                ("pass", _, false) => n_pass += 1,
                ("fail", true, _) => n_fail += 1,
                _ => faults.push(format!("{}: {:?}", file.display(), lines(&compiled))),
            }
        }
    }
    println!("Overlay suite: apply sets {n_sets}/8, valid {n_pass}/25, invalid {n_fail}/42");
    assert!(faults.is_empty() && (n_sets, n_pass, n_fail) == (8, 25, 42), "{}", faults.join("\n"));
}

/// Whether two values are the same data. Test documents are shallow.
fn same(a: Value<'_>, b: Value<'_>) -> bool {
    if a.kind() != b.kind() || a.n_children() != b.n_children() {
        return false;
    }
    match a.kind() {
        Kind::Array => a.children().zip(b.children()).all(|(a, b)| same(a, b)),
        Kind::Object => {
            a.children().all(|one| b.children().any(|two| one.key_text() == two.key_text() && same(one, two)))
        }
        _ => json(a) == json(b),
    }
}

#[test]
fn actions_change_what_they_select() {
    let cases: [(&str, &[&str], &str); 10] = [
        (
            "- { target: $.info, update: { title: New, x-a: 1 } }",
            &["info"],
            r#"{"title":"New","version":"1.0.0","x-a":1}"#,
        ),
        ("- { target: $.info.title, update: New }", &["info"], r#"{"title":"New","version":"1.0.0"}"#),
        ("- { target: $.info, update: { title: { a: [1] } } }", &["info"], r#"{"title":{"a":[1]},"version":"1.0.0"}"#),
        ("- { target: $..tags, update: c }", &["paths", "/pets", "get", "tags"], r#"["a","b","c"]"#),
        ("- { target: $..tags, update: [c, d] }", &["paths", "/pets", "get", "tags"], r#"["a","b","c","d"]"#),
        ("- { target: $.paths.*.get, update: { tags: [c] } }", &["paths", "/pets", "get", "tags"], r#"["a","b","c"]"#),
        (
            "- { target: \"$..tags[?@ == 'a']\", remove: true, update: x }",
            &["paths", "/pets", "get", "tags"],
            r#"["b"]"#,
        ),
        (
            "- { target: $.info, copy: \"$.servers[0]\" }",
            &["info"],
            r#"{"title":"Pets","version":"1.0.0","url":"https://one.example.test"}"#,
        ),
        (
            "- { target: $.servers, copy: \"$.servers[0]\" }",
            &["servers"],
            r#"[{"url":"https://one.example.test"},{"url":"https://one.example.test"}]"#,
        ),
        (
            "- { target: $.servers, remove: true }\n- { target: $, update: { servers: [{ url: /two }] } }",
            &["servers"],
            r#"[{"url":"/two"}]"#,
        ),
    ];
    for (actions, place, expect) in cases {
        let compiled = pets(actions);
        assert_eq!(json(at(&compiled.docs, place)), expect, "{actions}");
        let noted = lines(&compiled).into_iter().filter(|line| line.contains("o.yaml") && line.starts_with("TG020"));
        assert_eq!(noted.collect::<Vec<_>>(), [""; 0], "{actions}");
    }
}

#[test]
fn what_cannot_be_done_is_said_in_the_overlay() {
    let cases = [
        (
            "- { target: $, remove: true }",
            "TG0207 o.yaml:4:13 /actions/0/target `target` is the root of `pets.yaml`, which cannot be removed",
        ),
        (
            "- { target: $.info, update: x }",
            "TG0207 o.yaml:4:29 /actions/0/update `target` selects an object of `pets.yaml`, and a string cannot be merged into it",
        ),
        (
            "- { target: $.info.title, update: {} }",
            "TG0207 o.yaml:4:27 /actions/0/update `target` selects a string of `pets.yaml`, and an object cannot be merged into it",
        ),
        (
            "- { target: $.info, copy: $..tags.* }",
            "TG0207 o.yaml:4:27 /actions/0/copy `copy` selects 2 values of `pets.yaml`, and must select one",
        ),
        (
            "- { target: $.info, copy: $.nowhere }",
            "TG0206 o.yaml:4:27 /actions/0/copy `copy` matches nothing, so the action has no effect",
        ),
        (
            "- { target: $.nowhere, remove: true }",
            "TG0206 o.yaml:4:13 /actions/0/target `target` matches nothing, so the action has no effect",
        ),
        (
            "- { target: '$.a[', remove: true }",
            "TG0207 o.yaml:4:13 /actions/0/target `target` is no JSONPath: the path ends where a name in quotes, an index, a slice, `*` or a filter `?...` is expected, at character 5",
        ),
        ("- { target: $, updates: {} }", "TG0207 o.yaml:4:16 /actions/0/updates an action has no member `updates`"),
        (
            "- { target: $, update: {}, copy: $ }",
            "TG0207 o.yaml:4:34 /actions/0/copy an action either updates or copies, not both",
        ),
    ];
    for (actions, expect) in cases {
        assert_eq!(lines(&pets(actions)), [expect], "{actions}");
    }
}

#[test]
fn findings_point_to_the_file_that_says_it() {
    // A scalar that the overlay wrote, one under a key that the description wrote, and one beside them that it left.
    let compiled = pets(
        "- target: $.paths['/pets'].get\n  update:\n    responses: { '200': { description: ok, content: { application/json: { schema: { type: odd } } } } }\n- target: $.paths['/pets'].post.operationId\n  update: list\n",
    );
    let found = lines(&compiled);
    assert_eq!(found.len(), 3, "{found:?}");
    let schema = "/paths/~1pets/get/responses/200/content/application~1json/schema/type";
    assert!(found[0].starts_with(&format!("TG0309 o.yaml:6:91 {schema} ")), "{found:?}");
    assert!(found[1].starts_with("TG0401 o.yaml:8:11 /paths/~1pets/post/operationId "), "{found:?}");
    let origins: Vec<&str> = {
        let ir = compiled.ir.as_ref().expect("it compiles");
        ir.ops.rows.iter().map(|(_, op)| compiled.sources.get(op.origin.source).name()).collect()
    };
    assert_eq!(origins, ["pets.yaml", "pets.yaml"]);
}

#[test]
fn an_overlay_is_for_the_inputs_that_it_names() {
    let files = |extends: &str| {
        format!(
            "overlay: 1.0.0\ninfo: {{ title: t, version: v }}\n{extends}actions:\n- target: $.info\n  update: {{ title: New }}\n"
        )
    };
    let titles = |extends: &str, overlays: Vec<OverlayRequest>| {
        let text = files(extends);
        let all = [("a.yaml", PETS), ("b.yaml", PETS), ("over/o.yaml", text.as_str())];
        let compiled = run(&all, vec![input("a", "a.yaml"), input("b", "b.yaml"), input("c", "a.yaml")], overlays);
        let ir = compiled.ir.as_ref().expect("it compiles");
        let titles = ir.namespaces.iter().map(|(_, row)| ir.text(row.title.expect("a title")).untrusted().to_owned());
        let notes = lines(&compiled).into_iter().filter(|line| line.starts_with("TG0206"));
        titles.chain(notes).collect::<Vec<String>>().join(" ")
    };
    let of_all = || vec![overlay("over/o.yaml", None)];
    assert_eq!(titles("", of_all()), "New New New");
    assert_eq!(titles("extends: ../b.yaml\n", of_all()), "Pets New Pets");
    assert_eq!(titles("extends: https://example.test/a.yaml\n", of_all()), "New New New");
    assert_eq!(
        titles("extends: c.yaml\n", of_all()),
        "Pets Pets Pets TG0206 over/o.yaml:3:10 /extends `extends` names none of the inputs, so the overlay is not applied"
    );
    // One document under two inputs, of which one is changed.
    assert_eq!(titles("extends: c.yaml\n", vec![overlay("over/o.yaml", Some("a"))]), "New Pets Pets");
    assert_eq!(titles("", vec![overlay("over/o.yaml", Some("c"))]), "Pets Pets New");
}

#[test]
fn overlays_are_applied_before_references_are_followed() {
    let text = "overlay: 1.0.0\ninfo: { title: t, version: v }\nactions:\n- target: $\n  update: { components: { schemas: { A: { $ref: 'types.yaml#/B' }, C: { $ref: 'a.yaml#/components/schemas/A' } } } }\n";
    let files = [("a.yaml", PETS), ("o.yaml", text), ("types.yaml", "B: { type: string }\n")];
    let compiled = run(&files, vec![input("a", "a.yaml")], vec![overlay("o.yaml", Some("a"))]);
    let errors = lines(&compiled).into_iter().filter(|line| !line.starts_with("TG0760"));
    assert_eq!(errors.collect::<Vec<_>>(), [""; 0]);
    assert_eq!((compiled.stats.n_documents, compiled.stats.refs.edges, compiled.stats.refs.cross_document), (2, 2, 1));
}

#[test]
fn a_missing_overlay_is_an_error() {
    let compiled =
        run(&[("a.yaml", PETS)], vec![input("a", "a.yaml")], vec![overlay("o.yaml", None), overlay("../o.yaml", None)]);
    assert_eq!(
        lines(&compiled),
        [
            "TG0101 ../o.yaml:0:0  the path of an overlay leads out of the input root",
            "TG0101 o.yaml:0:0  the file does not exist"
        ]
    );
}

/// A description with a long list.
fn long_list(n_items: usize) -> String {
    let items = "1,".repeat(n_items - 1);
    format!(r#"{{"openapi":"3.1.0","info":{{"title":"t","version":"v"}},"paths":{{}},"x-a":[{items}1]}}"#)
}

/// How many values a path looks at.
fn visits(spec: &str, path: &str) -> usize {
    let mut set = DocSet::default();
    let source = Arc::new(Source::from_bytes("a.json", spec));
    let docs = parse_all(vec![(source, SourceId::from_index(0))], &mut set, &mut Diags::new());
    let tree = Tree::new(&set.docs[docs[0].expect("a document")], &mut set.keys);
    let mut visits = Visits::default();
    let path = JsonPath::parse(path, Dialect::Standard).expect("a path");
    path.select(&tree, &mut visits).expect("one path is within its budget");
    limits::JSON_PATH_VISITS - visits.left()
}

#[test]
fn work_is_granted_up_to_the_budgets() {
    // `$..*` looks at each value twice: when it is met, and when it is selected.
    let refused = |n_items: usize, path: &str, n_paths: usize| {
        let action = |index: usize| format!("  - {{ target: \"{path}\", x-number: {index} }}\n");
        let actions = (0..n_paths).map(action).collect::<Vec<_>>().concat();
        let text = format!("overlay: 1.0.0\ninfo: {{ title: t, version: v }}\nactions:\n{actions}");
        let files = [("a.json", &*long_list(n_items)), ("o.yaml", &*text)];
        let found = lines(&run(&files, vec![input("a", "a.json")], vec![overlay("o.yaml", None)]));
        found.into_iter().filter(|line| line.starts_with("TG0105")).collect::<Vec<String>>()
    };
    // One visit for the name of the list and its siblings, one for the list, two for each item.
    let most = (limits::JSON_PATH_VISITS - 2) / 2;
    assert_eq!(refused(most, "$['x-a']..*", 1), [""; 0]);
    let above = ["TG0105 o.yaml:4:15 /actions/0/target the path looks at more than 1000000 values of `a.json`"];
    assert_eq!(refused(most + 1, "$['x-a']..*", 1), above);

    // So many paths are all that a run may ask; of the two that are too many, one is told.
    let (n_items, path) = (450_000, "$['x-a']..b");
    let n_paths = limits::ALL_JSON_PATH_VISITS / visits(&long_list(n_items), path);
    assert_eq!(refused(n_items, path, n_paths), [""; 0]);
    let line = n_paths + 4;
    let message = "all paths together look at more than 100000000 values";
    let above = format!("TG0105 o.yaml:{line}:15 /actions/{n_paths}/target {message}");
    assert_eq!(refused(n_items, path, n_paths + 2), [above]);

    // Each action doubles a list.
    let copies = |n_actions: usize| {
        let action = |index: usize| format!("- {{ target: $.x-a, copy: $.x-a, x-number: {index} }}\n");
        let actions = (0..n_actions).map(action).collect::<Vec<String>>().concat();
        lines(&pets(&format!("- {{ target: $, update: {{ x-a: [1, 2] }} }}\n{actions}")))
    };
    assert_eq!(copies(13), [""; 0]);
    let refused = copies(17);
    assert!(refused[0].starts_with("TG0105 o.yaml") && refused[0].contains("grow to more than 100"), "{refused:?}");

    // The root is the first container; the list that the overlay holds stands below five more.
    let deep = |depth: usize| {
        let inner = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let outer = "- { target: $, update: { x-a: { b: { c: { d: { e: {} } } } } } }\n";
        lines(&pets(&format!("{outer}- {{ target: $.x-a.b.c.d.e, update: {{ f: {inner} }} }}\n")))
    };
    assert_eq!(deep(limits::DEPTH - 6), [""; 0]);
    let refused = ["TG0105 o.yaml:5:28 /actions/1/update `pets.yaml` would nest deeper than 256 levels here"];
    assert_eq!(deep(limits::DEPTH - 5), refused);
}
