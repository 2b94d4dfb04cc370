//! The JSON Schema test suite: each schema is a component of a description, each test one verdict.
//!
//! Reads `json-schema` of the suites beside the repository. A schema with a finding TG0303 is declared: what is left out
//! is said, and its tests count as neither passed nor wrong. One that refers to what nobody serves is refused. What a
//! version of OpenAPI does not have is left out before.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Code, Id, Interner, Severity, Source, SourceId};
use base_doc::{DocSet, Kind, NodeRef, Syntax, Value};
use tungsten_frontend::{InputRequest, MemoryLoader, Request};
use tungsten_validate::{Options, Patterns, Reading, check};

const OPTIONS: Options = Options { reading: Reading::Strict, direction: None, formats: false };

/// A draft of the suite and the version of OpenAPI that it stands for.
struct Draft {
    folder: &'static str,
    openapi: &'static str,
    /// The least part that must pass, of all that the version has.
    least_percent: usize,
    n_tests: usize,
    /// A keyword that the version does not have, and that changes what references mean.
    without: Option<&'static str>,
}

#[derive(Default)]
struct Tally {
    n_passed: usize,
    declared: Vec<String>,
    refused: Vec<String>,
    left_out: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn verdicts_agree_with_the_suite() {
    let Some(root) = suites() else {
        println!("skipped: no ../shared");
        return;
    };
    let drafts = [
        Draft { folder: "draft2020-12", openapi: "3.1.0", least_percent: 95, n_tests: 1299, without: None },
        Draft { folder: "draft4", openapi: "3.0.3", least_percent: 97, n_tests: 618, without: Some("id") },
    ];
    let mut report = String::new();
    let mut holds = true;
    for draft in drafts {
        let tally = run(&root, &draft);
        let n_judged = tally.n_passed + tally.declared.len() + tally.refused.len() + tally.wrong.len();
        let n_all = n_judged + tally.left_out.len();
        let _ = writeln!(
            report,
            "{}: {n_all} tests, {} left out, {} passed, {} declared, {} refused, {} wrong",
            draft.folder,
            tally.left_out.len(),
            tally.n_passed,
            tally.declared.len(),
            tally.refused.len(),
            tally.wrong.len()
        );
        let lists = [
            ("left out", &tally.left_out),
            ("declared", &tally.declared),
            ("refused", &tally.refused),
            ("wrong", &tally.wrong),
        ];
        for (what, one) in lists.into_iter().flat_map(|(what, list)| list.iter().map(move |one| (what, one))) {
            let _ = writeln!(report, "  {what}: {one}");
        }
        let is_enough = tally.n_passed * 100 >= n_judged * draft.least_percent;
        holds &= tally.wrong.is_empty() && n_all == draft.n_tests && is_enough;
    }
    println!("{report}");
    assert!(holds, "{report}");
}

fn suites() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("TUNGSTEN_SHARED").map_or_else(beside, PathBuf::from);
    let root = shared.join("suites/json-schema");
    root.is_dir().then_some(root)
}

fn run(root: &Path, draft: &Draft) -> Tally {
    // Each draft has documents of its own. Those that describe dialects are for readers of other kinds of schemas.
    let mut remotes = remotes(&root.join("remotes"));
    remotes.retain(|(path, text)| {
        path.starts_with("draft2020-12/") == (draft.folder == "draft2020-12") && !text.contains("\"$vocabulary\"")
    });
    let mut tally = Tally::default();
    for path in files(&root.join("tests").join(draft.folder)) {
        let bytes = std::fs::read(&path).expect("a file of the suite");
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut set = DocSet::default();
        let source = Arc::new(Source::from_bytes(path.to_string_lossy(), bytes));
        let parsed = base_doc::parse(source, SourceId::from_index(0), Syntax::Json, Interner::new());
        set.keys = parsed.keys;
        let doc = set.docs.push(parsed.doc.expect("a document"));
        for group in set.root(doc).children() {
            run_group(draft, &remotes, &name, &set, group, &mut tally);
        }
    }
    tally
}

fn run_group(
    draft: &Draft,
    remotes: &[(String, String)],
    file: &str,
    set: &DocSet,
    group: Value<'_>,
    tally: &mut Tally,
) {
    let member = |value: Value<'_>, key: &str| -> NodeRef {
        value.get(set.keys.find(key).expect("a key of the suite")).expect("a member of the suite").at()
    };
    let schema = text_of(set.value(member(group, "schema")));
    let group_name = set.value(member(group, "description")).as_str().unwrap_or_default();
    let reached = reached(remotes, &schema);
    let has_keyword = |keyword: &str| {
        let served = reached.iter().map(|(_, text)| serde_json::from_str(text).expect("a document of the suite"));
        let own: serde_json::Value = serde_json::from_str(&schema).expect("a schema of the suite");
        std::iter::once(own).chain(served).any(|one| states(&one, keyword))
    };
    let is_left_out = draft.without.is_some_and(has_keyword);
    let compiled = compile(draft, &reached, &schema);
    let ir = compiled.ir.as_ref().expect("the description has a version");
    assert_eq!(tungsten_ir::verify(ir), [""; 0], "{schema}");
    let subject = ir
        .types
        .named
        .iter()
        .copied()
        .find(|&ty| ir.types.rows[ty].name.is_some_and(|name| ir.names.resolve(name.name) == "Subject"));
    let subject = subject.expect("a component has a type");
    let declared = compiled.diags.iter().find(|one| one.code == Code::TG0303);
    let refused = compiled.diags.iter().find(|one| one.severity == Severity::Error);
    let patterns = Patterns::new(ir);
    for test in set.value(member(group, "tests")).children() {
        let data = set.value(member(test, "data"));
        let expected = set.value(member(test, "valid")).as_bool().expect("a verdict");
        let verdict = check(ir, &patterns, subject, data, OPTIONS);
        let test_name = set.value(member(test, "description")).as_str().unwrap_or_default();
        let name = format!("{file}: {group_name}: {test_name}");
        match (declared, refused) {
            _ if is_left_out => tally.left_out.push(name),
            (Some(finding), _) => tally.declared.push(format!("{name}: {}", finding.message)),
            (_, Some(finding)) => tally.refused.push(format!("{name}: {}", finding.message)),
            _ if verdict.is_ok() == expected => tally.n_passed += 1,
            _ => tally.wrong.push(format!("{name}: {verdict:?}")),
        }
    }
}

/// Whether a keyword with a text stands in a schema.
fn states(schema: &serde_json::Value, keyword: &str) -> bool {
    match schema {
        serde_json::Value::Array(items) => items.iter().any(|item| states(item, keyword)),
        serde_json::Value::Object(members) => {
            members.get(keyword).is_some_and(serde_json::Value::is_string)
                || members.values().any(|member| states(member, keyword))
        }
        _ => false,
    }
}

/// The schema as the only component that counts. What it may refer to elsewhere is a component as well, named by the
/// address at which the suite serves it.
fn compile(draft: &Draft, reached: &[(&String, &String)], schema: &str) -> tungsten_frontend::Compiled {
    let mut components = String::from("\"Subject\":{\"$ref\":\"schema.json\"}");
    let mut loader = MemoryLoader::new().with("schema.json", schema);
    for (index, (path, text)) in reached.iter().enumerate() {
        let address = format!("http://localhost:1234/{path}");
        let mut own: serde_json::Value = serde_json::from_str(text).expect("a document of the suite");
        let stated = own.get("$id").and_then(serde_json::Value::as_str).map(str::to_owned);
        if stated.is_none() {
            own["$id"] = address.clone().into();
        }
        let alias = match stated {
            Some(stated) if stated != address => format!("\"$id\":\"{address}\","),
            _ => String::new(),
        };
        let _ = write!(components, ",\"Remote{index}\":{{{alias}\"$ref\":\"remotes/{path}\"}}");
        loader = loader.with(format!("remotes/{path}"), own.to_string());
    }
    let entry = format!(
        "{{\"openapi\":\"{}\",\"info\":{{\"title\":\"T\",\"version\":\"1\"}},\"paths\":{{}},\
         \"components\":{{\"schemas\":{{{components}}}}}}}",
        draft.openapi
    );
    let request = Request {
        api_name: "suite".to_owned(),
        inputs: vec![InputRequest { namespace: "api".to_owned(), spec: "api.json".to_owned() }],
        ..Request::default()
    };
    tungsten_frontend::compile(&request, &loader.with("api.json", entry))
}

/// The served documents whose names stand in the schema, or in a document that is reached.
fn reached<'a>(remotes: &'a [(String, String)], schema: &str) -> Vec<(&'a String, &'a String)> {
    let mut texts = vec![schema.to_owned()];
    let mut out: Vec<(&String, &String)> = Vec::new();
    let mut at = 0;
    while at < texts.len() {
        let text = texts[at].clone();
        for (path, remote) in remotes {
            let name = path.rsplit('/').next().unwrap_or(path);
            if text.contains(name) && out.iter().all(|(other, _)| *other != path) {
                out.push((path, remote));
                texts.push(remote.clone());
            }
        }
        at += 1;
    }
    out
}

/// The documents that the suite serves, by path.
fn remotes(root: &Path) -> Vec<(String, String)> {
    let mut folders = vec![root.to_owned()];
    let mut out = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the suite") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if let (Ok(text), Ok(below)) = (std::fs::read_to_string(&path), path.strip_prefix(root)) {
                out.push((below.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    out.sort();
    out
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder of the suite")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
}

/// A value as text, its numbers as they are spelled.
fn text_of(value: Value<'_>) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    match value.kind() {
        Kind::Null => "null".to_owned(),
        Kind::Bool => (value.as_bool() == Some(true)).to_string(),
        Kind::Number => value.as_number().unwrap_or_default().to_owned(),
        Kind::String => quoted(value.as_str().unwrap_or_default()),
        Kind::Array => format!("[{}]", value.children().map(text_of).collect::<Vec<_>>().join(",")),
        Kind::Object => {
            let member =
                |member: Value<'_>| format!("{}:{}", quoted(member.key_text().unwrap_or_default()), text_of(member));
            format!("{{{}}}", value.children().map(member).collect::<Vec<_>>().join(","))
        }
    }
}
