//! Placeholders in the texts of a scenario: `{{origin}}`, `{{origin.NAME}}`, `{{closed}}`, `{{result.N.path}}`.
//!
//! A text that is one placeholder becomes what it stands for; inside other text its text is put in. What a run does not
//! know yet (results of calls) stays until it does.

use serde_json::Value;

/// Fills in all placeholders of a value that `known` knows.
pub fn fill(value: &Value, known: &dyn Fn(&str) -> Option<Value>) -> Value {
    match value {
        Value::String(text) => fill_text(text, known),
        Value::Array(items) => Value::Array(items.iter().map(|item| fill(item, known)).collect()),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (key.clone(), fill(value, known))).collect())
        }
        other => other.clone(),
    }
}

fn fill_text(text: &str, known: &dyn Fn(&str) -> Option<Value>) -> Value {
    if let Some(name) = text.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"))
        && !name.contains("{{")
    {
        return known(name).unwrap_or_else(|| Value::String(text.to_owned()));
    }
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let Some((name, behind)) = after.split_once("}}") else {
            rest = &rest[before.len()..];
            break;
        };
        match known(name) {
            Some(Value::String(value)) => filled.push_str(&value),
            Some(value) => filled.push_str(&value.to_string()),
            None => filled.push_str(&format!("{{{{{name}}}}}")),
        }
        rest = behind;
    }
    filled.push_str(rest);
    Value::String(filled)
}

/// The value at a dotted path. A number leads to an item of a list, and to a part of a text between its dots.
pub fn at<'a>(value: &'a Value, path: &str) -> Option<Value> {
    let mut at: std::borrow::Cow<'a, Value> = std::borrow::Cow::Borrowed(value);
    for step in path.split('.') {
        let index = step.parse::<usize>().ok();
        let next = match (at.as_ref(), index) {
            (Value::Object(members), _) => members.get(step)?.clone(),
            (Value::Array(items), Some(index)) => items.get(index)?.clone(),
            (Value::String(text), Some(index)) => Value::String(text.split('.').nth(index)?.to_owned()),
            _ => return None,
        };
        at = std::borrow::Cow::Owned(next);
    }
    Some(at.into_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn placeholders_give_way_to_what_they_stand_for() {
        let results = json!([{ "value": { "token": "a.b.c", "n": 1 } }]);
        let known = |name: &str| match name {
            "origin" => Some(json!("http://localhost")),
            name => at(&results, name.strip_prefix("result.")?),
        };
        let check = |text: &str, expected: Value| assert_eq!(fill(&json!([text]), &known), json!([expected]), "{text}");
        check("{{origin}}/a", json!("http://localhost/a"));
        check("{{result.0.value.n}}", json!(1));
        check("<{{result.0.value.n}}>", json!("<1>"));
        check("x.{{result.0.value.token.1}}.{{result.0.value.token.2}}", json!("x.b.c"));
        check("{{result.1.value}}", json!("{{result.1.value}}"));
        check("a {{other}} b {{", json!("a {{other}} b {{"));
        check("plain", json!("plain"));
    }
}
