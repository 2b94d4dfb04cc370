//! Cases of the JSON Schema test suite: each schema as a component of a description, its tests as values.
//!
//! Reads `json-schema` of the suites beside the repository; the tests of several crates judge what it yields.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Id, Interner, Source, SourceId};
use base_doc::{DocSet, Kind, NodeRef, Syntax, Value};
use tungsten_frontend::{InputRequest, MemoryLoader, Request};

/// A draft of the suite and the version of OpenAPI that it stands for.
pub struct Draft {
    pub folder: &'static str,
    pub openapi: &'static str,
    pub n_tests: usize,
    /// A keyword that the version does not have, and that changes what references mean.
    pub without: Option<&'static str>,
}

pub const DRAFTS: [Draft; 2] = [
    Draft { folder: "draft2020-12", openapi: "3.1.0", n_tests: 1299, without: None },
    Draft { folder: "draft4", openapi: "3.0.3", n_tests: 618, without: Some("id") },
];

/// A schema and its tests.
pub struct Group {
    /// `<file>: <description>`.
    pub name: String,
    pub schema: String,
    /// What it may refer to elsewhere: path below the server's root and text.
    pub reached: Vec<(String, String)>,
    /// Whether it holds the keyword that the version does not have.
    pub is_left_out: bool,
    pub tests: Vec<Test>,
}

pub struct Test {
    pub name: String,
    /// JSON text, its numbers as they are spelled.
    pub data: String,
    pub valid: bool,
}

/// The folder of the suite; nothing without `../shared`.
pub fn suites() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("TUNGSTEN_SHARED").map_or_else(beside, PathBuf::from);
    let root = shared.join("suites/json-schema");
    root.is_dir().then_some(root)
}

/// All groups of a draft.
pub fn groups(root: &Path, draft: &Draft) -> Vec<Group> {
    // Each draft has documents of its own. Those that describe dialects are for readers of other kinds of schemas.
    let mut remotes = remotes(&root.join("remotes"));
    remotes.retain(|(path, text)| {
        path.starts_with("draft2020-12/") == (draft.folder == "draft2020-12") && !text.contains("\"$vocabulary\"")
    });
    let mut groups = Vec::new();
    for path in files(&root.join("tests").join(draft.folder)) {
        let bytes = std::fs::read(&path).expect("a file of the suite");
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (set, root) = document(&path.to_string_lossy(), bytes);
        for group in set.value(root).children() {
            groups.push(read_group(draft, &remotes, &name, &set, group));
        }
    }
    groups
}

/// A JSON document and its root.
pub fn document(name: &str, bytes: impl Into<Vec<u8>>) -> (DocSet, NodeRef) {
    parse(name, bytes.into(), Syntax::Json)
}

/// A YAML document and its root.
pub fn yaml(name: &str, bytes: impl Into<Vec<u8>>) -> (DocSet, NodeRef) {
    parse(name, bytes.into(), Syntax::Yaml)
}

fn parse(name: &str, bytes: Vec<u8>, syntax: Syntax) -> (DocSet, NodeRef) {
    let mut set = DocSet::default();
    let source = Arc::new(Source::from_bytes(name, bytes));
    let parsed = base_doc::parse(source, SourceId::from_index(0), syntax, Interner::new());
    set.keys = parsed.keys;
    let doc = set.docs.push(parsed.doc.expect("a document"));
    let root = set.root(doc).at();
    (set, root)
}

fn read_group(draft: &Draft, remotes: &[(String, String)], file: &str, set: &DocSet, group: Value<'_>) -> Group {
    let member = |value: Value<'_>, key: &str| -> NodeRef {
        value.get(set.keys.find(key).expect("a key of the suite")).expect("a member of the suite").at()
    };
    let text = |value: Value<'_>, key: &str| set.value(member(value, key)).as_str().unwrap_or_default().to_owned();
    let schema = text_of(set.value(member(group, "schema")));
    let reached = reached(remotes, &schema);
    let has_keyword = |keyword: &str| {
        let served = reached.iter().map(|(_, text)| serde_json::from_str(text).expect("a document of the suite"));
        let own: serde_json::Value = serde_json::from_str(&schema).expect("a schema of the suite");
        std::iter::once(own).chain(served).any(|one| states(&one, keyword))
    };
    let read = |test: Value<'_>| Test {
        name: text(test, "description"),
        data: text_of(set.value(member(test, "data"))),
        valid: set.value(member(test, "valid")).as_bool().expect("a verdict"),
    };
    Group {
        name: format!("{file}: {}", text(group, "description")),
        is_left_out: draft.without.is_some_and(has_keyword),
        tests: set.value(member(group, "tests")).children().map(read).collect(),
        schema,
        reached,
    }
}

/// The path whose operation answers with the subject.
pub const OPERATION: &str = r##""/subject":{"get":{"operationId":"getSubject","responses":{"200":{"description":"It.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Subject"}}}}}}}"##;

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

/// The schema as the only component that counts, `Subject`, which the one operation answers with. What it may refer to elsewhere is a component as well, named by the
/// address at which the suite serves it.
pub fn compile(draft: &Draft, reached: &[(String, String)], schema: &str) -> tungsten_frontend::Compiled {
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
        "{{\"openapi\":\"{}\",\"info\":{{\"title\":\"T\",\"version\":\"1\"}},\"paths\":{{{OPERATION}}},\
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
fn reached(remotes: &[(String, String)], schema: &str) -> Vec<(String, String)> {
    let mut texts = vec![schema.to_owned()];
    let mut out: Vec<(String, String)> = Vec::new();
    let mut at = 0;
    while at < texts.len() {
        let text = texts[at].clone();
        for (path, remote) in remotes {
            let name = path.rsplit('/').next().unwrap_or(path);
            if text.contains(name) && out.iter().all(|(other, _)| other != path) {
                out.push((path.clone(), remote.clone()));
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
pub fn text_of(value: Value<'_>) -> String {
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
