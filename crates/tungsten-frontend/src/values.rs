//! JSON values that the IR keeps: constants, enum members, defaults. Copied from the documents without recursion.
//!
//! JSON does not limit numbers, and the programs that read them mostly have doubles: which numbers those hold is told
//! here, so that none is changed or dropped unsaid (TG0310).

use base::diag::quoted;
use base::{Code, Id, Sym};
use base_doc::{Kind, NodeId, NodeRef, Value};
use tungsten_ir::{Ir, JsonValue, Literal, ValueId};

use crate::lower::Lowering;

/// The greatest integer up to which doubles hold every one: 2^53 - 1.
pub(crate) const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// How a double holds a number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Held {
    /// As it is, or as near as fractions ever are.
    Well,
    /// An integer of more digits than a double has: the nearest one that it has.
    Rounded(f64),
    /// Too large, or so small that nothing is left.
    Not,
}

/// How a double holds a number that is spelled in the grammar of RFC 8259, section 6.
pub(crate) fn held(text: &str) -> Held {
    let Ok(double) = text.parse::<f64>() else { return Held::Not };
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let is_zero = mantissa.bytes().all(|byte| !matches!(byte, b'1'..=b'9'));
    if !double.is_finite() || (double == 0.0 && !is_zero) {
        return Held::Not;
    }
    if double.abs() <= MAX_SAFE_INTEGER as f64 {
        return Held::Well;
    }
    let Some(digits) = whole_digits(text) else { return Held::Well };
    // Printed in full, and as most programs print it: the shortest digits that give the double again.
    let is_exact = digits == format!("{:.0}", double.abs()) || digits == double.abs().to_string();
    if is_exact { Held::Well } else { Held::Rounded(double) }
}

/// The digits of a spelled number without its sign, nothing when it is no integer. For numbers that a double has room for.
fn whole_digits(text: &str) -> Option<String> {
    /// Digits of the largest double.
    const MAX_DIGITS: usize = 309;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.trim_start_matches('-').split_once('.').unwrap_or((mantissa, ""));
    let whole = whole.trim_start_matches('-');
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    // Digits before the point, once the exponent has moved it.
    let n_whole = whole.len() as i64 - (all.len() - digits.len()) as i64;
    let n_whole = usize::try_from(n_whole.checked_add(exponent.parse().ok()?)?).ok()?;
    let digits = digits.trim_end_matches('0');
    if digits.len() > n_whole || n_whole > MAX_DIGITS {
        return None;
    }
    Some(format!("{digits}{}", "0".repeat(n_whole - digits.len())))
}

/// What makes two spellings one number: `1`, `1.0` and `10e-1`; `0` and `-0`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum NumberKey {
    Integer(i128),
    /// The bits of the nearest double.
    Double(u64),
}

pub(crate) fn number_key(text: &str) -> NumberKey {
    let exact = whole_digits(text).and_then(|digits| digits.parse::<i128>().ok());
    match exact {
        Some(number) if text.starts_with('-') => NumberKey::Integer(-number),
        Some(number) => NumberKey::Integer(number),
        None => NumberKey::Double(text.parse::<f64>().unwrap_or_default().to_bits()),
    }
}

impl<'a> Lowering<'a> {
    /// Whether doubles hold a number, or all numbers in a value. Reports those that they do not hold (`what` is then
    /// left out: "the constant") and those that they round, which are kept.
    pub(crate) fn holds(&mut self, value: Value<'a>, what: &str) -> bool {
        let mut holds = true;
        for part in parts(value) {
            let Some(text) = part.as_number() else { continue };
            if held(text) == Held::Not {
                holds = false;
                let size = if text.parse::<f64>().is_ok_and(|double| double == 0.0) { "small" } else { "large" };
                let message = format!("{} is too {size} for a double; {what} is left out", quoted(text));
                self.report(Code::TG0310, part, message);
            } else if let Some(message) = rounding(text) {
                self.report(Code::TG0310, part, message);
            }
        }
        holds
    }

    /// Whether an enum has a value that can be taken up, or is empty. Reports those that cannot.
    pub(crate) fn holds_some(&mut self, list: Value<'a>) -> bool {
        let mut n_held = 0;
        for value in list.children() {
            n_held += usize::from(self.holds(value, "the value"));
        }
        n_held > 0 || list.n_children() == 0
    }
}

/// What is to be said about a number that a double rounds.
pub(crate) fn rounding(text: &str) -> Option<String> {
    let Held::Rounded(double) = held(text) else { return None };
    let double = if double.abs() < 1e21 { format!("{double:.0}") } else { format!("{double:e}") };
    Some(format!("{} has more digits than a double keeps; the nearest is {double}", quoted(text)))
}

/// Whether doubles hold all numbers in a value, which was reported before if they do not.
pub(crate) fn is_held(value: Value<'_>) -> bool {
    parts(value).all(|part| part.as_number().is_none_or(|text| held(text) != Held::Not))
}

/// A value and everything in it.
fn parts(value: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let at = value.at();
    let end = match value.kind() {
        Kind::Array | Kind::Object => value.doc().end(at.node),
        _ => at.node.index() + 1,
    };
    let nodes = (at.node.index()..end).map(NodeId::from_index);
    nodes.map(move |node| value.set().value(NodeRef { doc: at.doc, node }))
}

/// Copies a value and everything in it.
pub(crate) fn keep(ir: &mut Ir, value: Value<'_>) -> ValueId {
    if let Some(scalar) = scalar(ir, value) {
        return ir.values.rows.push(scalar);
    }
    // A container's content stands behind it, so in reverse order the parts come before the whole.
    let (doc, start) = (value.doc(), value.at().node.index());
    let end = doc.end(value.at().node);
    let mut ids: Vec<Option<ValueId>> = vec![None; end - start];
    for row in (start..end).rev() {
        let node = NodeId::from_index(row);
        let part = value.set().value(NodeRef { doc: value.at().doc, node });
        let id_of = |child: NodeId| ids[child.index() - start];
        let row_value = match part.kind() {
            Kind::Array => {
                let items: Vec<ValueId> = doc.children(node).filter_map(id_of).collect();
                JsonValue::Array(ir.values.items.extend(items))
            }
            Kind::Object => {
                let members: Vec<(Sym, ValueId)> =
                    doc.children(node).filter_map(|child| Some((doc.key(child)?, id_of(child)?))).collect();
                JsonValue::Object(ir.values.members.extend(members))
            }
            _ => scalar(ir, part).unwrap_or(JsonValue::Null),
        };
        ids[row - start] = Some(ir.values.rows.push(row_value));
    }
    match ids[0] {
        Some(id) => id,
        None => ir.values.rows.push(JsonValue::Null),
    }
}

/// Where a value stands, for values that are not copied.
pub(crate) fn literal(value: Value<'_>) -> Literal {
    Literal { doc: value.at().doc.index() as u32, node: value.at().node.index() as u32 }
}

/// A value without parts.
pub(crate) fn scalar(ir: &mut Ir, value: Value<'_>) -> Option<JsonValue> {
    Some(match value.kind() {
        Kind::Null => JsonValue::Null,
        Kind::Bool => JsonValue::Bool(value.as_bool()?),
        Kind::Number => JsonValue::Number(ir.names.intern(value.as_number()?)),
        Kind::String => JsonValue::String(ir.names.intern(value.as_str()?)),
        Kind::Array | Kind::Object => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Held, held, number_key};

    #[test]
    fn doubles_hold_fractions_and_safe_integers() {
        for text in [
            "0",
            "-0",
            "-0.0e9",
            "0.1",
            "1e-300",
            "-1E2",
            "1.0",
            "9007199254740991",
            "-9007199254740991",
            "9007199254740992",
            "9223372036854775808",
            "9223372036854776000",
            "-9223372036854775808",
            "18446744073709552000",
            "1e23",
            "0.1e24",
            "1.7976931348623157e308",
        ] {
            assert_eq!(held(text), Held::Well, "{text}");
        }
    }

    #[test]
    fn longer_integers_are_rounded() {
        for (text, nearest) in [
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("-9007199254740993", -9_007_199_254_740_992.0),
            ("9007199254740993.0", 9_007_199_254_740_992.0),
            ("900719925474099.3e1", 9_007_199_254_740_992.0),
            ("90071992547409930E-1", 9_007_199_254_740_992.0),
            ("9223372036854775807", 9_223_372_036_854_775_808.0),
            ("0.00012345678901234567890123456789e40", 1.234_567_890_123_456_8e36),
        ] {
            assert_eq!(held(text), Held::Rounded(nearest), "{text}");
        }
    }

    #[test]
    fn what_is_too_large_or_too_small_is_not_held() {
        for text in ["1e400", "-1e400", "1e-400", "-0.1e-999", "2e308", "1e99999999999999999999"] {
            assert_eq!(held(text), Held::Not, "{text}");
        }
        let long = format!("1{}", "0".repeat(400));
        assert_eq!(held(&long), Held::Not);
        assert_eq!(held("0e99999999999999999999"), Held::Well);
    }

    #[test]
    fn a_number_has_one_key_however_it_is_spelled() {
        for same in [["1", "1.0"], ["1", "10e-1"], ["0", "-0"], ["0", "0.0"], ["100", "1E2"], ["-1.50", "-15e-1"]] {
            assert_eq!(number_key(same[0]), number_key(same[1]), "{same:?}");
        }
        for other in [["1", "-1"], ["1", "1.5"], ["9007199254740992", "9007199254740993"], ["0.5", "0.25"]] {
            assert_ne!(number_key(other[0]), number_key(other[1]), "{other:?}");
        }
    }
}
