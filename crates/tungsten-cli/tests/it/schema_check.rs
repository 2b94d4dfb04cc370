//! A checker for the JSON Schemas that the command line publishes: as much of draft 2020-12 as they use. A keyword that
//! it does not know is a failure, so that no schema grows past its test. Reads a schema and a value, writes faults.

use serde_json::Value;

/// Keywords that say nothing about a value.
const NOTES: [&str; 5] = ["$schema", "$id", "title", "description", "$defs"];

/// What is wrong with `value`, a line each.
pub fn faults(root: &Value, value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    check(root, root, value, "", &mut out);
    out
}

fn holds(root: &Value, schema: &Value, value: &Value) -> bool {
    let mut out = Vec::new();
    check(root, schema, value, "", &mut out);
    out.is_empty()
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    let Some(keywords) = schema.as_object() else {
        assert_eq!(schema, &Value::Bool(true), "a schema is an object or `true`");
        return;
    };
    for (keyword, argument) in keywords {
        let list = || argument.as_array().expect("a list").iter();
        let is_met = match keyword.as_str() {
            "$ref" => {
                let pointer = argument.as_str().and_then(|text| text.strip_prefix('#')).expect("a local reference");
                check(root, root.pointer(pointer).expect("the reference leads somewhere"), value, at, out);
                true
            }
            "type" => argument.as_str().map_or_else(|| list().any(|ty| is_of(ty, value)), |_| is_of(argument, value)),
            "const" => argument == value,
            "enum" => list().any(|one| one == value),
            "minimum" => value.as_i64().is_none_or(|number| number >= argument.as_i64().expect("a number")),
            "maximum" => value.as_i64().is_none_or(|number| number <= argument.as_i64().expect("a number")),
            "pattern" => {
                assert_eq!(argument, "^TG[0-9]{4}$", "the one pattern that is known");
                value.as_str().is_none_or(|code| {
                    code.len() == 6 && code.starts_with("TG") && code[2..].bytes().all(|byte| byte.is_ascii_digit())
                })
            }
            "required" => {
                value.as_object().is_none_or(|map| list().all(|name| map.contains_key(name.as_str().unwrap())))
            }
            "properties" => {
                for (name, schema) in argument.as_object().expect("an object") {
                    if let Some(member) = value.get(name) {
                        check(root, schema, member, &format!("{at}/{name}"), out);
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(argument, &Value::Bool(false));
                let known = keywords.get("properties").expect("a closed object has properties");
                value.as_object().is_none_or(|map| map.keys().all(|name| known.get(name).is_some()))
            }
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, argument, item, &format!("{at}/{index}"), out);
                }
                true
            }
            "allOf" => {
                list().for_each(|one| check(root, one, value, at, out));
                true
            }
            "anyOf" => list().any(|one| holds(root, one, value)),
            "oneOf" => list().filter(|one| holds(root, one, value)).count() == 1,
            "if" => {
                if holds(root, argument, value) {
                    check(root, &keywords["then"], value, at, out);
                }
                true
            }
            "then" => true,
            note => {
                assert!(NOTES.contains(&note), "the checker does not know `{note}`");
                true
            }
        };
        if !is_met {
            out.push(format!("{at}: `{keyword}` {argument} refuses {value}"));
        }
    }
}

fn is_of(ty: &Value, value: &Value) -> bool {
    match ty.as_str().expect("a type's name") {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the checker does not know the type `{other}`"),
    }
}

#[test]
fn the_checker_refuses_what_differs() {
    let schema = serde_json::json!({
        "type": "object", "additionalProperties": false, "required": ["a"],
        "properties": { "a": { "type": "integer", "minimum": 1 }, "b": { "anyOf": [{ "const": 1 }, { "type": "null" }] } },
    });
    for (text, is_valid) in [
        (r#"{"a":1}"#, true),
        (r#"{"a":1,"b":null}"#, true),
        (r#"{"a":0}"#, false),
        (r#"{"a":"1"}"#, false),
        (r#"{"a":1,"b":2}"#, false),
        (r#"{"a":1,"c":2}"#, false),
        ("{}", false),
        ("[]", false),
    ] {
        let value = serde_json::from_str(text).expect("JSON");
        assert_eq!(faults(&schema, &value).is_empty(), is_valid, "{text}");
    }
}
