//! Numeric bounds of a type, read from their spelling: integers exactly, others as binary fractions.

use base::Interner;
use serde_json::Number;
use tungsten_ir::Bounds;

/// What a bound says about a number, or nothing when it holds.
pub(crate) fn problem(names: &Interner, bounds: &Bounds, number: &Number) -> Option<String> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let wrong = |bound: Option<base::Sym>, refused: &[std::cmp::Ordering], phrase: &str| {
        let text = names.resolve(bound?);
        refused.contains(&compare(number, text)?).then(|| format!("is not {phrase} {text}"))
    };
    wrong(bounds.minimum, &[Less], "at least")
        .or_else(|| wrong(bounds.maximum, &[Greater], "at most"))
        .or_else(|| wrong(bounds.exclusive_minimum, &[Less, Equal], "more than"))
        .or_else(|| wrong(bounds.exclusive_maximum, &[Greater, Equal], "less than"))
        .or_else(|| {
            let text = names.resolve(bounds.multiple_of?);
            (!is_multiple(number, text)).then(|| format!("is not a multiple of {text}"))
        })
}

fn compare(number: &Number, text: &str) -> Option<std::cmp::Ordering> {
    match (crate::json::integer(number), text.parse::<i128>()) {
        (Some(a), Ok(b)) => Some(a.cmp(&b)),
        _ => number.as_f64()?.partial_cmp(&text.parse::<f64>().ok()?),
    }
}

/// Exact between integers; else within a relative 1e-9, as the runtimes do.
fn is_multiple(number: &Number, text: &str) -> bool {
    if let (Some(a), Ok(b)) = (crate::json::integer(number), text.parse::<i128>()) {
        return b == 0 || a % b == 0;
    }
    let (Some(a), Ok(b)) = (number.as_f64(), text.parse::<f64>()) else { return true };
    if b == 0.0 {
        return true;
    }
    let ratio = a / b;
    (ratio - ratio.round()).abs() <= 1e-9 * ratio.abs().max(1.0)
}

/// Bounds beyond this are read as this, so that arithmetic with them cannot overflow.
const FAR: i128 = 1_000_000_000_000_000_000_000_000_000_000;

/// The least and the greatest integer that the bounds admit.
pub(crate) fn integer_range(names: &Interner, bounds: &Bounds) -> (Option<i128>, Option<i128>) {
    let read = |bound: Option<base::Sym>, round: fn(f64) -> f64| {
        let text = names.resolve(bound?);
        let (value, is_exact) = if let Ok(integer) = text.parse::<i128>() {
            (integer, true)
        } else {
            let float = text.parse::<f64>().ok()?;
            // A cast saturates.
            (round(float) as i128, float.fract() == 0.0)
        };
        Some((value.clamp(-FAR, FAR), is_exact))
    };
    let low = read(bounds.minimum, f64::ceil).map(|(low, _)| low);
    let above = read(bounds.exclusive_minimum, f64::ceil).map(|(low, is_exact)| low + i128::from(is_exact));
    let high = read(bounds.maximum, f64::floor).map(|(high, _)| high);
    let below = read(bounds.exclusive_maximum, f64::floor).map(|(high, is_exact)| high - i128::from(is_exact));
    (low.max(above), [high, below].into_iter().flatten().min())
}

/// A bound, and whether it is admitted itself.
pub(crate) type Limit = (f64, bool);

/// The least and the greatest number that the bounds name, and whether these are admitted themselves.
pub(crate) fn float_range(names: &Interner, bounds: &Bounds) -> (Option<Limit>, Option<Limit>) {
    let read = |bound: Option<base::Sym>, admitted: bool| {
        names.resolve(bound?).parse::<f64>().ok().filter(|value| value.is_finite()).map(|value| (value, admitted))
    };
    let stricter = |a: Option<Limit>, b: Option<Limit>, b_wins: fn(f64, f64) -> bool| match (a, b) {
        (Some(a), Some(b)) => Some(if b_wins(b.0, a.0) { b } else { a }),
        (a, b) => a.or(b),
    };
    let low = stricter(read(bounds.minimum, true), read(bounds.exclusive_minimum, false), |b, a| b >= a);
    let high = stricter(read(bounds.maximum, true), read(bounds.exclusive_maximum, false), |b, a| b <= a);
    (low, high)
}

#[cfg(test)]
mod tests {
    use base::Interner;
    use serde_json::Number;
    use tungsten_ir::Bounds;

    use super::{integer_range, problem};

    #[test]
    fn bounds_hold_exactly() {
        let mut names = Interner::new();
        let mut bound = |text: &str| Some(names.intern(text));
        let closed = Bounds { minimum: bound("1"), maximum: bound("10"), multiple_of: bound("3"), ..Bounds::default() };
        let open = Bounds { exclusive_minimum: bound("0.5"), exclusive_maximum: bound("4"), ..Bounds::default() };
        let cents = Bounds { multiple_of: bound("0.01"), ..Bounds::default() };
        let ok = |bounds: &Bounds, number: Number| problem(&names, bounds, &number).is_none();
        assert!(ok(&closed, 9.into()) && !ok(&closed, 10.into()) && !ok(&closed, 0.into()) && !ok(&closed, 12.into()));
        assert!(ok(&open, 1.into()) && !ok(&open, 4.into()) && !ok(&open, Number::from_f64(0.5).expect("finite")));
        assert!(
            ok(&cents, Number::from_f64(19.99).expect("finite"))
                && !ok(&cents, Number::from_f64(0.005).expect("finite"))
        );
        assert_eq!(integer_range(&names, &open), (Some(1), Some(3)));
        assert_eq!(integer_range(&names, &closed), (Some(1), Some(10)));
    }
}
