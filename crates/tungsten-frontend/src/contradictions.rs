//! Keywords of one schema that leave nothing between them, and defaults of another type than the schema's (TG0311).
//!
//! Reads one schema; reports, and changes nothing: what a schema says counts, even where nothing fits it.

use base::diag::quoted;
use base::{Code, Sym};
use base_doc::Value;

use crate::enums::mask_of;
use crate::facts::Facts;
use crate::keywords as kw;
use crate::lower::Lowering;

/// Lower and upper bounds of one thing; whether the two may be equal.
const PAIRS: [(Sym, Sym, bool); 8] = [
    (kw::MIN_LENGTH, kw::MAX_LENGTH, true),
    (kw::MIN_ITEMS, kw::MAX_ITEMS, true),
    (kw::MIN_PROPERTIES, kw::MAX_PROPERTIES, true),
    (kw::MIN_CONTAINS, kw::MAX_CONTAINS, true),
    (kw::MINIMUM, kw::MAXIMUM, true),
    (kw::MINIMUM, kw::EXCLUSIVE_MAXIMUM, false),
    (kw::EXCLUSIVE_MINIMUM, kw::MAXIMUM, false),
    (kw::EXCLUSIVE_MINIMUM, kw::EXCLUSIVE_MAXIMUM, false),
];

impl<'a> Lowering<'a> {
    /// Reports bounds of one schema that no value meets together.
    pub(crate) fn check_bounds(&mut self, schema: Value<'a>) {
        for (low, high, may_be_equal) in PAIRS {
            let (Some(least), Some(most)) = (schema.get(low), schema.get(high)) else { continue };
            let (Some(low_text), Some(high_text)) = (least.as_number(), most.as_number()) else { continue };
            // OpenAPI 3.0 has booleans beside the bounds for what may not be equal.
            let excludes = [kw::EXCLUSIVE_MINIMUM, kw::EXCLUSIVE_MAXIMUM]
                .into_iter()
                .any(|key| schema.get(key).and_then(Value::as_bool) == Some(true));
            let may_be_equal = may_be_equal && !(excludes && low == kw::MINIMUM);
            if !is_empty(low_text, high_text, may_be_equal) {
                continue;
            }
            let stated = |key, text: &str| quoted(&format!("{}: {text}", self.docs.keys.resolve(key)));
            let (low, high) = (stated(low, low_text), stated(high, high_text));
            let message = format!("{low} and {high} leave nothing between them");
            self.report(Code::TG0311, most, message);
            self.relate(least, "the other bound");
        }
    }

    /// Reports a default that is not of the type that the schema states. Null is how many say that there is none.
    pub(crate) fn check_default(&mut self, facts: &Facts<'a>, default: Value<'a>) {
        if !facts.typed || default.is_null() || mask_of(default) & facts.mask != 0 {
            return;
        }
        let message = format!("the default is {}, which is not of the stated type", default.kind().phrase());
        self.report(Code::TG0311, default, message);
    }
}

/// Whether no number lies between two that are spelled.
fn is_empty(low: &str, high: &str, may_be_equal: bool) -> bool {
    let order = match (low.parse::<i128>(), high.parse::<i128>()) {
        (Ok(low), Ok(high)) => Some(low.cmp(&high)),
        _ => match (low.parse::<f64>(), high.parse::<f64>()) {
            (Ok(low), Ok(high)) => low.partial_cmp(&high),
            _ => None,
        },
    };
    order.is_some_and(|order| order.is_gt() || (order.is_eq() && !may_be_equal))
}

#[cfg(test)]
mod tests {
    use super::is_empty;

    #[test]
    fn bounds_are_compared_by_value() {
        for (low, high, may_be_equal, is) in [
            ("5", "3", true, true),
            ("3", "3", true, false),
            ("3", "3.0", false, true),
            ("-1", "1e2", true, false),
            ("0.5", "0.25", true, true),
            ("9007199254740993", "9007199254740992", true, true),
        ] {
            assert_eq!(is_empty(low, high, may_be_equal), is, "{low} {high}");
        }
    }
}
