//! Scenario files as values: YAML (or JSON) through the document tree of the compiler, which refuses repeated keys.

use std::sync::Arc;

use base::{Id as _, Interner, Source, SourceId};
use base_doc::{DocSet, Kind, Syntax, Value as Node};
use serde_json::{Map, Number, Value};

/// Reads a document; the first thing that is wrong with it as text.
pub fn read(name: &str, bytes: Vec<u8>) -> Result<Value, String> {
    let source = Arc::new(Source::from_bytes(name, bytes));
    let parsed = base_doc::parse(source, SourceId::from_index(0), Syntax::Yaml, Interner::new());
    if let Some(diagnostic) = parsed.diags.iter().next() {
        return Err(format!("{name}: {}", diagnostic.message));
    }
    let doc = parsed.doc.ok_or_else(|| format!("{name}: no document"))?;
    let mut set = DocSet::default();
    set.keys = parsed.keys;
    let id = set.docs.push(doc);
    Ok(value(set.root(id)))
}

/// A copy of a node. The reader bounds its depth.
fn value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Null => Value::Null,
        Kind::Bool => Value::Bool(node.as_bool().unwrap_or_default()),
        Kind::Number => number(node.as_number().unwrap_or_default()),
        Kind::String => Value::String(node.as_str().unwrap_or_default().to_owned()),
        Kind::Array => Value::Array(node.children().map(value).collect()),
        Kind::Object => {
            let members = node.children().map(|child| (child.key_text().unwrap_or_default().to_owned(), value(child)));
            Value::Object(members.collect::<Map<String, Value>>())
        }
    }
}

fn number(text: &str) -> Value {
    let exact = text.parse::<Number>().ok();
    let rounded = || text.parse::<f64>().ok().and_then(Number::from_f64);
    exact.or_else(rounded).map_or_else(|| Value::String(text.to_owned()), Value::Number)
}
