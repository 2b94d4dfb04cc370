//! Ranges of numbers that bounds leave, read from their spelling: integers exactly, others as binary fractions.

use base::Interner;
use tungsten_ir::Bounds;

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
    use tungsten_ir::Bounds;

    use super::integer_range;

    #[test]
    fn ranges_are_what_bounds_leave() {
        let mut names = Interner::new();
        let mut bound = |text: &str| Some(names.intern(text));
        let closed = Bounds { minimum: bound("1"), maximum: bound("10"), ..Bounds::default() };
        let open = Bounds { exclusive_minimum: bound("0.5"), exclusive_maximum: bound("4"), ..Bounds::default() };
        assert_eq!(integer_range(&names, &open), (Some(1), Some(3)));
        assert_eq!(integer_range(&names, &closed), (Some(1), Some(10)));
    }
}
