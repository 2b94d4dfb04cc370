//! When two values are one: numbers by value, members in any order.
//!
//! Reads values; writes verdicts. What recurses is bounded by the depth that documents and bodies may have.

use base_doc::Kind;
use tungsten_ir::{Ir, JsonValue, ValueId};

use crate::decimal::Decimal;
use crate::instance::{Instance, Json};

/// Whether a value is the one that the IR keeps.
pub(crate) fn is_value<'v, V: Json<'v>>(ir: &Ir, id: ValueId, instance: Instance<'v, V>) -> bool {
    let mut pending = vec![(id, instance)];
    while let Some((id, instance)) = pending.pop() {
        let kind = instance.kind();
        let same = match ir.values.rows[id] {
            JsonValue::Null => kind == Kind::Null,
            JsonValue::Bool(value) => instance.as_bool() == Some(value),
            JsonValue::Number(text) => {
                let text = ir.names.resolve(text);
                instance
                    .number()
                    .is_some_and(|number| number == text || Decimal::parse(&number) == Decimal::parse(text))
            }
            JsonValue::String(text) => instance.text() == Some(ir.names.resolve(text)),
            JsonValue::Array(items) => {
                let items = ir.values.items.slice(items);
                pending.extend(items.iter().copied().zip(instance.items()));
                kind == Kind::Array && items.len() == instance.size()
            }
            JsonValue::Object(members) => {
                let members = ir.values.members.slice(members);
                let found = members.iter().map(|&(name, id)| Some((id, instance.member(ir.names.resolve(name))?)));
                let found: Option<Vec<_>> = found.collect();
                let is_same = kind == Kind::Object && members.len() == instance.size() && found.is_some();
                pending.extend(found.into_iter().flatten());
                is_same
            }
        };
        if !same {
            return false;
        }
    }
    true
}

/// Whether no two items are one. Compared by their texts, since lists may be long.
pub(crate) fn are_unique<'v, V: Json<'v>>(items: impl Iterator<Item = Instance<'v, V>>) -> bool {
    let mut texts: Vec<String> = items
        .map(|item| {
            let mut text = String::new();
            canonical(item, &mut text);
            text
        })
        .collect();
    texts.sort_unstable();
    texts.windows(2).all(|pair| pair[0] != pair[1])
}

/// Appends a text that is the same for equal values, and for no others.
fn canonical<'v, V: Json<'v>>(instance: Instance<'v, V>, out: &mut String) {
    match instance.kind() {
        Kind::Null => out.push('~'),
        Kind::Bool => out.push(if instance.as_bool() == Some(true) { '+' } else { '-' }),
        Kind::Number => {
            let text = instance.number().unwrap_or_default();
            match Decimal::parse(&text) {
                Some(number) => out.push_str(&format!("{number:?}")),
                None => out.push_str(&text),
            }
        }
        Kind::String => out.push_str(&format!("{:?}", instance.text().unwrap_or_default())),
        Kind::Array => {
            out.push('[');
            for item in instance.items() {
                canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Kind::Object => {
            let mut members: Vec<String> = instance
                .members()
                .map(|(name, member)| {
                    let mut text = format!("{name:?}:");
                    canonical(member, &mut text);
                    text
                })
                .collect();
            members.sort_unstable();
            out.push('{');
            for member in members {
                out.push_str(&member);
                out.push(',');
            }
            out.push('}');
        }
    }
}
