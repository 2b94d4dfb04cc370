//! A small JSON Schema validator: the keywords that the manifest's schema uses, and a panic for any other.
//!
//! Reads a schema and a value; gives the faults. It stands in for a full validator, which would take longer to compile
//! than all that it checks here.

use std::sync::Arc;

use base::{Interner, Source, Sources};
use base_doc::{DocSet, Kind, Syntax};
use serde_json::{Map, Value};

/// A YAML text as JSON. Panics on a syntax error.
pub fn parse(text: &str) -> Value {
    let mut sources = Sources::new();
    let source = Arc::new(Source::from_bytes("case.yml", text));
    let id = sources.push(Arc::clone(&source));
    let parsed = base_doc::parse(source, id, Syntax::Yaml, Interner::new());
    let mut set = DocSet::default();
    set.keys = parsed.keys;
    let doc = set.docs.push(parsed.doc.unwrap_or_else(|| panic!("{text}")));
    convert(set.root(doc))
}

fn convert(value: base_doc::Value<'_>) -> Value {
    match value.kind() {
        Kind::Null => Value::Null,
        Kind::Bool => value.as_bool().into(),
        Kind::Number => serde_json::from_str(value.as_number().unwrap_or_default()).expect("a JSON number"),
        Kind::String => value.as_str().into(),
        Kind::Array => value.children().map(convert).collect(),
        Kind::Object => {
            let entry =
                |member: base_doc::Value<'_>| (member.key_text().unwrap_or_default().to_owned(), convert(member));
            Value::Object(value.children().map(entry).collect::<Map<_, _>>())
        }
    }
}

/// What is wrong with `value` under the schema `root`.
pub fn faults(root: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(root, root, value, "", &mut faults);
    faults
}

/// All `$ref`s of a schema.
pub fn references(schema: &Value) -> Vec<&str> {
    match schema {
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, value)| match value.as_str() {
                Some(text) if key == "$ref" => vec![text],
                _ => references(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

fn holds(root: &Value, schema: &Value, value: &Value) -> bool {
    let mut faults = Vec::new();
    check(root, schema, value, "", &mut faults);
    faults.is_empty()
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    let rules = match schema {
        Value::Bool(true) => return,
        Value::Object(rules) => rules,
        _ => return faults.push(format!("{at}: nothing is allowed")),
    };
    for (keyword, rule) in rules {
        if !keyword_holds(root, rules, keyword, rule, value, at, faults) {
            faults.push(format!("{at}: {keyword}"));
        }
    }
}

fn keyword_holds(
    root: &Value,
    rules: &Map<String, Value>,
    keyword: &str,
    rule: &Value,
    value: &Value,
    at: &str,
    faults: &mut Vec<String>,
) -> bool {
    let all = || rule.as_array().expect("a list of schemas").iter();
    match keyword {
        "$schema" | "$id" | "$defs" | "title" | "description" | "default" => true,
        "$ref" => {
            let target = root.pointer(rule.as_str().expect("a reference").trim_start_matches('#'));
            check(root, target.expect("the reference resolves"), value, at, faults);
            true
        }
        "type" => match rule.as_str().expect("one type") {
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_u64() || value.is_i64(),
            "object" => value.is_object(),
            "array" => value.is_array(),
            other => panic!("type {other}"),
        },
        "const" => value == rule,
        "enum" => all().any(|one| one == value),
        "pattern" => value.as_str().is_none_or(|text| {
            regex::Regex::new(rule.as_str().expect("a pattern")).expect("a valid pattern").is_match(text)
        }),
        "minLength" => {
            value.as_str().is_none_or(|text| text.chars().count() as u64 >= rule.as_u64().expect("a number"))
        }
        "minimum" => value.as_u64().is_none_or(|number| number >= rule.as_u64().expect("a number")),
        "maximum" => value.as_u64().is_none_or(|number| number <= rule.as_u64().expect("a number")),
        "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().expect("a number")),
        "items" => {
            for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                check(root, rule, item, &format!("{at}/{index}"), faults);
            }
            true
        }
        "required" => {
            value.as_object().is_none_or(|map| all().all(|key| map.contains_key(key.as_str().expect("a key"))))
        }
        "dependentRequired" => value.as_object().is_none_or(|map| {
            let rules = rule.as_object().expect("an object").iter();
            rules.filter(|(key, _)| map.contains_key(*key)).all(|(_, needed)| {
                needed.as_array().expect("a list").iter().all(|key| map.contains_key(key.as_str().expect("a key")))
            })
        }),
        "properties" => {
            for (key, rule) in rule.as_object().expect("an object") {
                if let Some(member) = value.get(key) {
                    check(root, rule, member, &format!("{at}/{key}"), faults);
                }
            }
            true
        }
        "additionalProperties" => {
            let known = rules.get("properties").and_then(Value::as_object);
            for (key, member) in value.as_object().into_iter().flatten() {
                if known.is_none_or(|known| !known.contains_key(key)) {
                    check(root, rule, member, &format!("{at}/{key}"), faults);
                }
            }
            true
        }
        "propertyNames" => {
            value.as_object().is_none_or(|map| map.keys().all(|key| holds(root, rule, &Value::String(key.clone()))))
        }
        "oneOf" => all().filter(|one| holds(root, one, value)).count() == 1,
        "anyOf" => all().any(|one| holds(root, one, value)),
        "allOf" => {
            all().for_each(|one| check(root, one, value, at, faults));
            true
        }
        "if" => {
            let next = if holds(root, rule, value) { "then" } else { "else" };
            rules.get(next).is_none_or(|schema| holds(root, schema, value))
        }
        "then" | "else" => true,
        other => panic!("the validator does not know `{other}`"),
    }
}
