//! Numeric bounds, exactly as they are spelled.
//!
//! Reads the bounds of a type and a number's spelling; writes what is wrong. Fractions that somebody computed in binary
//! may be a multiple as nearly as doubles tell, unless the reading is strict.

use std::cmp::Ordering::{self, Equal, Greater, Less};

use base::Interner;
use tungsten_ir::Bounds;

use crate::Reading;
use crate::decimal::Decimal;

/// What a bound says about a number, or nothing when all hold. The number is spelled as JSON has it.
pub fn problem(names: &Interner, bounds: &Bounds, text: &str, reading: Reading) -> Option<String> {
    let limits: [(_, &[Ordering], _); 4] = [
        (bounds.minimum, &[Less], "at least"),
        (bounds.maximum, &[Greater], "at most"),
        (bounds.exclusive_minimum, &[Less, Equal], "more than"),
        (bounds.exclusive_maximum, &[Greater, Equal], "less than"),
    ];
    if bounds.multiple_of.is_none() && limits.iter().all(|(bound, ..)| bound.is_none()) {
        return None;
    }
    let number = Decimal::parse(text)?;
    for (bound, refused, phrase) in limits {
        let Some(limit) = bound.map(|bound| names.resolve(bound)) else { continue };
        if Decimal::parse(limit).is_some_and(|limit| refused.contains(&number.cmp(&limit))) {
            return Some(format!("is not {phrase} {limit}"));
        }
    }
    let divisor = names.resolve(bounds.multiple_of?);
    let is_multiple = Decimal::parse(divisor).is_none_or(|divisor| number.is_multiple_of(&divisor))
        || (reading == Reading::Practical && is_nearly_multiple(text, divisor));
    (!is_multiple).then(|| format!("is not a multiple of {divisor}"))
}

/// Whether a fraction is a multiple as nearly as doubles tell, as the runtimes have it: within 1e-9, and for large quotients
/// what binary fractions cannot express.
fn is_nearly_multiple(text: &str, divisor: &str) -> bool {
    let (Ok(number), Ok(divisor)) = (text.parse::<f64>(), divisor.parse::<f64>()) else { return false };
    if divisor == 0.0 || (number.fract() == 0.0 && divisor.fract() == 0.0) {
        return false;
    }
    let ratio = number / divisor;
    (ratio - ratio.round()).abs() <= (ratio.abs() * f64::EPSILON * 4.0).max(1e-9)
}

#[cfg(test)]
mod tests {
    use base::Interner;
    use tungsten_ir::Bounds;

    use super::problem;
    use crate::Reading::{Practical, Strict};

    #[test]
    fn bounds_hold_exactly() {
        let mut names = Interner::new();
        let mut bound = |text: &str| Some(names.intern(text));
        let closed = Bounds { minimum: bound("1"), maximum: bound("10"), multiple_of: bound("3"), ..Bounds::default() };
        let open = Bounds { exclusive_minimum: bound("0.5"), exclusive_maximum: bound("4"), ..Bounds::default() };
        let cents = Bounds { multiple_of: bound("0.01"), ..Bounds::default() };
        let large = Bounds { maximum: bound("9007199254740992"), ..Bounds::default() };
        for (bounds, good, bad) in [
            (&closed, &["9", "3.0"][..], &["10", "0", "12"][..]),
            (&open, &["1", "0.51"], &["4", "0.5", "4.00"]),
            (&cents, &["19.99", "-1e-2"], &["0.005"]),
            (&large, &["9007199254740992"], &["9007199254740993"]),
        ] {
            for reading in [Strict, Practical] {
                good.iter().for_each(|text| assert_eq!(problem(&names, bounds, text, reading), None, "{text}"));
                bad.iter().for_each(|text| assert!(problem(&names, bounds, text, reading).is_some(), "{text}"));
            }
        }
        // A large fraction is not whole only because it is large.
        let whole = Bounds { multiple_of: Some(names.intern("1")), ..Bounds::default() };
        assert!(problem(&names, &whole, "12391239123.5", Practical).is_some());
        let computed = "0.30000000000000004";
        assert!(problem(&names, &cents, computed, Strict).is_some());
        assert_eq!(problem(&names, &cents, computed, Practical), None);
    }
}
