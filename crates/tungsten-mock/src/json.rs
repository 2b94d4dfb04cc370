//! JSON values: from documents, from the IR, from request bodies; and when two of them are equal.
//!
//! Reads rows and bytes; writes `serde_json` values. Nothing here recurses beyond the depth that the parser allows.

use std::sync::Arc;

use base::{Id, Interner, Source, SourceId};
use base_doc::{DocSet, Kind, NodeId, NodeRef, Syntax};
use serde_json::{Map, Number, Value};
use tungsten_ir::{Ir, JsonValue, Literal, ValueId};

/// A value of a document, with everything in it.
pub(crate) fn of_doc(value: base_doc::Value<'_>) -> Value {
    let (doc, start) = (value.doc(), value.at().node.index());
    let end = doc.end(value.at().node);
    // A container's content stands behind it, so in reverse order the parts come before the whole.
    let mut made: Vec<Option<Value>> = vec![None; end - start];
    for row in (start..end).rev() {
        let node = NodeId::from_index(row);
        let one = match doc.kind(node) {
            Kind::Null => Value::Null,
            Kind::Bool => Value::Bool(doc.as_bool(node) == Some(true)),
            Kind::Number => number(doc.as_number(node).unwrap_or("0")),
            Kind::String => Value::String(doc.as_str(node).unwrap_or_default().to_owned()),
            Kind::Array => {
                Value::Array(doc.children(node).filter_map(|child| made[child.index() - start].take()).collect())
            }
            Kind::Object => {
                let mut members = Map::new();
                for child in doc.children(node) {
                    if let (Some(key), Some(member)) = (doc.key(child), made[child.index() - start].take()) {
                        members.insert(value.set().keys.resolve(key).to_owned(), member);
                    }
                }
                Value::Object(members)
            }
        };
        made[row - start] = Some(one);
    }
    made.first_mut().and_then(Option::take).unwrap_or(Value::Null)
}

/// The value that a literal stands for; nothing when it points outside of the documents.
pub(crate) fn of_literal(docs: &DocSet, literal: Literal) -> Option<Value> {
    let at = NodeRef { doc: Id::from_index(literal.doc as usize), node: NodeId::from_index(literal.node as usize) };
    let doc = docs.docs.get(at.doc)?;
    (at.node.index() < doc.len()).then(|| of_doc(docs.value(at)))
}

/// A value of the IR. Recursion ends at the depth that the parser of its document checked (`limits::DEPTH`).
pub(crate) fn of_value(ir: &Ir, id: ValueId) -> Value {
    match ir.values.rows[id] {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(value) => Value::Bool(value),
        JsonValue::Number(text) => number(ir.names.resolve(text)),
        JsonValue::String(text) => Value::String(ir.names.resolve(text).to_owned()),
        JsonValue::Array(items) => {
            Value::Array(ir.values.items.slice(items).iter().map(|&item| of_value(ir, item)).collect())
        }
        JsonValue::Object(members) => {
            let member = |&(key, value): &(base::Sym, ValueId)| (ir.names.resolve(key).to_owned(), of_value(ir, value));
            Value::Object(ir.values.members.slice(members).iter().map(member).collect())
        }
    }
}

/// Reads JSON as strictly as descriptions are read: no duplicate keys, nesting within the limit. The error says why
/// not.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, String> {
    let source = Arc::new(Source::from_bytes("body", bytes));
    let mut set = DocSet::default();
    let parsed = base_doc::parse(source, SourceId::from_index(0), Syntax::Json, Interner::new());
    if let Some(diagnostic) = parsed.diags.iter().next() {
        return Err(diagnostic.message.clone());
    }
    set.keys = parsed.keys;
    let doc = parsed.doc.ok_or("there is no value")?;
    let id = set.docs.push(doc);
    Ok(of_doc(set.root(id)))
}

/// A number of JSON's grammar: an integer where 64 bits hold it, else the nearest binary fraction.
pub(crate) fn number(text: &str) -> Value {
    if let Ok(integer) = text.parse::<i64>() {
        return Value::from(integer);
    }
    if let Ok(integer) = text.parse::<u64>() {
        return Value::from(integer);
    }
    let float = text.parse::<f64>().unwrap_or_default();
    Number::from_f64(float).map_or_else(|| Value::from(f64::MAX.copysign(float)), Value::Number)
}

/// Whether two values are the same JSON: numbers by value, members in any order.
pub(crate) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (integer(a), integer(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a.as_f64() == b.as_f64(),
        },
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

/// The number as an integer, when it is one.
pub(crate) fn integer(number: &Number) -> Option<i128> {
    if let Some(value) = number.as_i64() {
        return Some(i128::from(value));
    }
    if let Some(value) = number.as_u64() {
        return Some(i128::from(value));
    }
    let float = number.as_f64()?;
    (float.fract() == 0.0 && float.abs() < 1e38).then_some(float as i128)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{equal, parse};

    #[test]
    fn bodies_are_read_strictly() {
        assert_eq!(parse(br#"{"a": [1, 2.5, null, "x"]}"#), Ok(json!({"a": [1, 2.5, null, "x"]})));
        for bad in [&b""[..], b"{", b"{\"a\":1,\"a\":2}", b"[1,]", b"\xff", b"nan", b"[1] 2"] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(base::limits::DEPTH).as_bytes()).is_ok());
        assert!(parse(nested(base::limits::DEPTH + 1).as_bytes()).is_err());
        assert!(parse(nested(500_000).as_bytes()).is_err());
    }

    #[test]
    fn numbers_are_equal_by_value() {
        assert!(equal(&json!(1), &json!(1.0)));
        assert!(!equal(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64)));
        assert!(equal(&json!({"a": 1, "b": 2}), &json!({"b": 2.0, "a": 1})));
        assert!(!equal(&json!([1]), &json!([1, 1])));
    }
}
