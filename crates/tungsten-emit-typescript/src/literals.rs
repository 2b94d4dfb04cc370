//! JSON values of a description as TypeScript: numbers in the spelling that the formatter keeps, strings escaped.
//!
//! Reads values of the IR; returns text without line ends. The same text is a literal type and a literal value.

use base::{SpecText, Sym, TextId};
use tungsten_emit::escape::{Number, json, typescript};
use tungsten_ir::pattern::Pattern;
use tungsten_ir::{BoundsId, Ir, JsonValue, ValueId};

use crate::nesting::MAX_INLINE_LEVELS;

/// A string literal.
pub(crate) fn string(ir: &Ir, sym: Sym) -> String {
    typescript::string(ir.name(sym))
}

/// A string literal of a prose text.
pub(crate) fn prose(ir: &Ir, id: TextId) -> String {
    typescript::string(ir.text(id))
}

/// A pattern as ECMAScript's Unicode mode reads it. One that it does not know was reported, and stays as it is: it does not
/// compile there, and then nothing is checked.
pub(crate) fn pattern(ir: &Ir, id: TextId) -> String {
    let text = ir.text(id);
    match Pattern::read(text.untrusted()) {
        Ok(pattern) => typescript::string(SpecText::new(&pattern.ecmascript())),
        Err(_) => typescript::string(text),
    }
}

/// As `pattern`; one that is not known matches everything, where nothing may be refused for not matching it.
pub(crate) fn any_pattern(ir: &Ir, id: TextId) -> String {
    let is_known = Pattern::read(ir.text(id).untrusted()).is_ok();
    if is_known { pattern(ir, id) } else { "\"\"".to_owned() }
}

/// A number, parsed and printed again: a `bigint` where a double would lose digits of an integer. Nothing when it is too
/// large for either.
pub(crate) fn number(ir: &Ir, sym: Sym) -> Option<String> {
    Number::parse(ir.name(sym)).map(Number::typescript)
}

/// Whether the values of a number type may be integers that a double does not hold.
pub(crate) fn may_be_large(ir: &Ir, bounds: Option<BoundsId>) -> bool {
    let is_safe = |sym: Option<Sym>| {
        sym.and_then(|sym| Number::parse(ir.name(sym))).is_some_and(|number| match number {
            Number::Float(float) => float.abs() <= LARGEST_SAFE,
            whole => whole.is_safe_in_a_double(),
        })
    };
    let Some(bounds) = bounds.map(|id| &ir.types.bounds[id]) else { return true };
    let has_floor = is_safe(bounds.minimum) || is_safe(bounds.exclusive_minimum);
    !(has_floor && (is_safe(bounds.maximum) || is_safe(bounds.exclusive_maximum)))
}

/// `Number.MAX_SAFE_INTEGER`.
const LARGEST_SAFE: f64 = 9_007_199_254_740_991.0;

/// A value of any kind: a literal, or JSON text that is read when the module is loaded where a literal nests so deep that
/// the compiler of TypeScript gives up comparing it (TS2321). Values nest as deep as documents do, which a budget bounds.
pub(crate) fn value(ir: &Ir, id: ValueId) -> String {
    let mut out = String::new();
    if !nests_deeper(ir, id, MAX_INLINE_LEVELS) {
        write_value(ir, id, Notation::TypeScript, &mut out);
        return out;
    }
    write_value(ir, id, Notation::Json, &mut out);
    format!("JSON.parse({})", typescript::string(SpecText::new(&out)))
}

/// Whether more lists and objects than `levels` stand inside each other.
fn nests_deeper(ir: &Ir, id: ValueId, levels: u8) -> bool {
    let below = |value: ValueId| nests_deeper(ir, value, levels - 1);
    match ir.values.rows[id] {
        JsonValue::Array(items) => levels == 0 || ir.values.items.slice(items).iter().any(|&item| below(item)),
        JsonValue::Object(members) => levels == 0 || ir.values.members.slice(members).iter().any(|one| below(one.1)),
        _ => false,
    }
}

/// How strings and keys are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notation {
    TypeScript,
    Json,
}

impl Notation {
    fn string(self, text: SpecText<'_>) -> String {
        if self == Self::Json { json::string(text) } else { typescript::string(text) }
    }

    fn key(self, text: SpecText<'_>) -> String {
        if self == Self::Json { json::string(text) } else { typescript::key(text) }
    }
}

fn write_value(ir: &Ir, id: ValueId, notation: Notation, out: &mut String) {
    match ir.values.rows[id] {
        JsonValue::Null => out.push_str("null"),
        JsonValue::Bool(true) => out.push_str("true"),
        JsonValue::Bool(false) => out.push_str("false"),
        JsonValue::Number(text) => {
            let number = Number::parse(ir.name(text));
            let spell = if notation == Notation::Json { Number::json } else { Number::typescript };
            out.push_str(number.map(spell).as_deref().unwrap_or("null"));
        }
        JsonValue::String(text) => out.push_str(&notation.string(ir.name(text))),
        JsonValue::Array(items) => {
            out.push('[');
            for (index, item) in ir.values.items.slice(items).iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_value(ir, *item, notation, out);
            }
            out.push(']');
        }
        JsonValue::Object(members) => {
            out.push('{');
            for (index, (name, member)) in ir.values.members.slice(members).iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { " " });
                out.push_str(&notation.key(ir.name(*name)));
                out.push_str(": ");
                write_value(ir, *member, notation, out);
            }
            out.push_str(if members.is_empty() { "}" } else { " }" });
        }
    }
}

/// A literal type. Objects and arrays are spelled as such: TypeScript has no literal for them. What nests deeper than a
/// declaration does may be anything; validation compares the whole value.
pub(crate) fn literal_type(ir: &Ir, id: ValueId) -> String {
    spell_type(ir, id, 0)
}

fn spell_type(ir: &Ir, id: ValueId, depth: u8) -> String {
    match ir.values.rows[id] {
        JsonValue::Number(text) if number(ir, text).is_none() => "number".to_owned(),
        JsonValue::Object(_) | JsonValue::Array(_) if depth == MAX_INLINE_LEVELS => "unknown".to_owned(),
        JsonValue::Object(members) if members.is_empty() => "{ [key: string]: never }".to_owned(),
        JsonValue::Object(members) => {
            let members = ir.values.members.slice(members).iter();
            let spelled: Vec<String> = members
                .map(|(name, member)| {
                    format!("{}: {}", typescript::type_key(ir.name(*name)), spell_type(ir, *member, depth + 1))
                })
                .collect();
            format!("{{ {} }}", spelled.join("; "))
        }
        JsonValue::Array(items) => {
            let items = ir.values.items.slice(items).iter();
            let items: Vec<String> = items.map(|item| spell_type(ir, *item, depth + 1)).collect();
            format!("[{}]", items.join(", "))
        }
        _ => value(ir, id),
    }
}
