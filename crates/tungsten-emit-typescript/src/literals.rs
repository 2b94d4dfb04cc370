//! JSON values of a description as TypeScript: numbers in the spelling that the formatter keeps, strings escaped.
//!
//! Reads values of the IR; returns text without line ends. The same text is a literal type and a literal value.

use base::{Sym, TextId};
use tungsten_emit::escape::{Number, typescript};
use tungsten_ir::{Ir, JsonValue, ValueId};

/// A string literal.
pub(crate) fn string(ir: &Ir, sym: Sym) -> String {
    typescript::string(ir.name(sym))
}

/// A string literal of a prose text.
pub(crate) fn prose(ir: &Ir, id: TextId) -> String {
    typescript::string(ir.text(id))
}

/// A number, parsed and printed again; nothing when it is too large for one.
pub(crate) fn number(ir: &Ir, sym: Sym) -> Option<String> {
    Number::parse(ir.name(sym)).map(Number::json)
}

/// A value of any kind. Objects and arrays nest as deep as documents do, which a budget bounds.
pub(crate) fn value(ir: &Ir, id: ValueId) -> String {
    let mut out = String::new();
    write_value(ir, id, &mut out);
    out
}

fn write_value(ir: &Ir, id: ValueId, out: &mut String) {
    match ir.values.rows[id] {
        JsonValue::Null => out.push_str("null"),
        JsonValue::Bool(true) => out.push_str("true"),
        JsonValue::Bool(false) => out.push_str("false"),
        JsonValue::Number(text) => out.push_str(number(ir, text).as_deref().unwrap_or("null")),
        JsonValue::String(text) => out.push_str(&string(ir, text)),
        JsonValue::Array(items) => {
            out.push('[');
            for (index, item) in ir.values.items.slice(items).iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_value(ir, *item, out);
            }
            out.push(']');
        }
        JsonValue::Object(members) => {
            out.push('{');
            for (index, (name, member)) in ir.values.members.slice(members).iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { " " });
                out.push_str(&typescript::key(ir.name(*name)));
                out.push_str(": ");
                write_value(ir, *member, out);
            }
            out.push_str(if members.is_empty() { "}" } else { " }" });
        }
    }
}

/// A literal type. Objects and arrays are spelled as such: TypeScript has no literal for them.
pub(crate) fn literal_type(ir: &Ir, id: ValueId) -> String {
    match ir.values.rows[id] {
        JsonValue::Number(text) if number(ir, text).is_none() => "number".to_owned(),
        JsonValue::Object(members) if members.is_empty() => "{ [key: string]: never }".to_owned(),
        JsonValue::Object(members) => {
            let members = ir.values.members.slice(members).iter();
            let spelled: Vec<String> = members
                .map(|(name, member)| {
                    format!("{}: {}", typescript::type_key(ir.name(*name)), literal_type(ir, *member))
                })
                .collect();
            format!("{{ {} }}", spelled.join("; "))
        }
        JsonValue::Array(items) => {
            let items: Vec<String> = ir.values.items.slice(items).iter().map(|item| literal_type(ir, *item)).collect();
            format!("[{}]", items.join(", "))
        }
        _ => value(ir, id),
    }
}
