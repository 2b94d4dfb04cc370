//! Numbers as JSON spells them, compared and divided exactly: no binary fraction comes between.
//!
//! Reads spellings (RFC 8259, section 6); writes nothing. The work is linear in the digits that are written, whatever
//! the exponents are.

use std::cmp::Ordering;

/// A decimal number: `digits * 10^exponent`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Decimal {
    is_negative: bool,
    /// Values 0 to 9, without zeros at either end; empty for zero.
    digits: Vec<u8>,
    exponent: i64,
}

/// Exponents beyond this are read as this; no two numbers of a document differ there.
const FAR: i64 = 1 << 40;

impl Decimal {
    /// Nothing for what is no number of JSON.
    pub fn parse(text: &str) -> Option<Self> {
        let (is_negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() || !mantissa.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            return None;
        }
        let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|byte| byte.wrapping_sub(b'0')).collect();
        if digits.iter().any(|digit| *digit > 9) {
            return None;
        }
        let mut exponent = exponent - fraction.len() as i64;
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        let n_leading = digits.iter().take_while(|digit| **digit == 0).count();
        digits.drain(..n_leading);
        if digits.is_empty() {
            return Some(Self { is_negative: false, digits, exponent: 0 });
        }
        Some(Self { is_negative, digits, exponent })
    }

    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// The integer, when it is one of 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        if !self.is_integer() || self.magnitude() > 19 {
            return None;
        }
        let mut whole: i128 = 0;
        for digit in self.digits.iter().copied().chain(std::iter::repeat_n(0, self.exponent as usize)) {
            whole = whole * 10 + i128::from(digit);
        }
        i64::try_from(if self.is_negative { -whole } else { whole }).ok()
    }

    /// Digits before the point; less than one for small fractions.
    fn magnitude(&self) -> i64 {
        self.digits.len() as i64 + self.exponent
    }

    /// Whether this is an integer times `divisor`; nothing is a multiple of zero but zero.
    pub fn is_multiple_of(&self, divisor: &Self) -> bool {
        if self.digits.is_empty() {
            return true;
        }
        // Without zeros at the end, digits are no multiple of ten, so of no larger power of it either.
        if divisor.digits.is_empty() || self.exponent < divisor.exponent {
            return false;
        }
        // Digits beyond 38 do not fit 128 bits; no description has had any.
        let Some(modulus) = small(&divisor.digits) else { return self == divisor };
        let mut rest = 0_u128;
        for &digit in &self.digits {
            rest = add(multiply(rest, 10, modulus), u128::from(digit) % modulus, modulus);
        }
        multiply(rest, power_of_ten(self.exponent - divisor.exponent, modulus), modulus) == 0
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.is_empty(), number.is_negative) {
            (true, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        sign(self).cmp(&sign(other)).then_with(|| {
            let order = self.magnitude().cmp(&other.magnitude()).then_with(|| self.digits.cmp(&other.digits));
            if self.is_negative { order.reverse() } else { order }
        })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn parse_exponent(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let far = digits.parse::<i64>().unwrap_or(FAR).min(FAR);
    Some(if is_negative { -far } else { far })
}

/// The digits as one number, when 127 bits hold it.
fn small(digits: &[u8]) -> Option<u128> {
    if digits.len() > 38 {
        return None;
    }
    Some(digits.iter().fold(0, |number, digit| number * 10 + u128::from(*digit))).filter(|number| *number < 1 << 126)
}

fn add(a: u128, b: u128, modulus: u128) -> u128 {
    (a + b) % modulus
}

/// `a * b % modulus`, by doubling where the product does not fit.
fn multiply(a: u128, b: u128, modulus: u128) -> u128 {
    if let Some(product) = a.checked_mul(b) {
        return product % modulus;
    }
    let (mut sum, mut a, mut b) = (0, a % modulus, b);
    while b > 0 {
        if b & 1 == 1 {
            sum = add(sum, a, modulus);
        }
        a = add(a, a, modulus);
        b >>= 1;
    }
    sum
}

fn power_of_ten(exponent: i64, modulus: u128) -> u128 {
    let (mut power, mut base, mut left) = (1 % modulus, 10 % modulus, exponent);
    while left > 0 {
        if left & 1 == 1 {
            power = multiply(power, base, modulus);
        }
        base = multiply(base, base, modulus);
        left >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::Decimal;

    fn number(text: &str) -> Decimal {
        Decimal::parse(text).expect("a number")
    }

    #[test]
    fn numbers_compare_by_value() {
        for (a, b, order) in [
            ("1", "1.0", Ordering::Equal),
            ("10e-1", "1", Ordering::Equal),
            ("-0", "0.00e7", Ordering::Equal),
            ("9007199254740993", "9007199254740992", Ordering::Greater),
            ("-2", "-1", Ordering::Less),
            ("-1", "0", Ordering::Less),
            ("0.1", "0.09999999999999999999", Ordering::Greater),
            ("1e400", "1e399", Ordering::Greater),
            ("1e-400", "0", Ordering::Greater),
            ("123", "1.24e2", Ordering::Less),
            ("1e99999999999999999999", "2", Ordering::Greater),
        ] {
            assert_eq!(number(a).cmp(&number(b)), order, "{a} {b}");
            assert_eq!(number(a) == number(b), order == Ordering::Equal, "{a} {b}");
        }
    }

    #[test]
    fn multiples_are_exact() {
        for (a, b, is) in [
            ("19.99", "0.01", true),
            ("0.0075", "0.0001", true),
            ("0.00751", "0.0001", false),
            ("1e308", "0.123456789", false),
            ("1e308", "0.5", true),
            ("12391239123", "1e-8", true),
            ("30", "1e1", true),
            ("35", "10", false),
            ("0", "7", true),
            ("-9", "3", true),
            ("7", "2", false),
            ("170141183460469231731687303715884105728", "3", false),
            ("340282366920938463463374607431768211455", "5", true),
            ("1e4000000000000", "3", false),
        ] {
            assert_eq!(number(a).is_multiple_of(&number(b)), is, "{a} {b}");
        }
    }

    #[test]
    fn integers_are_told() {
        for (text, integer) in [("1.0", Some(1)), ("-1e2", Some(-100)), ("1.5", None), ("9223372036854775808", None)] {
            assert_eq!(number(text).to_i64(), integer, "{text}");
        }
        assert!(number("1e400").is_integer());
        for bad in ["", "-", "x", "1.2.3", "1e", "--1", "+1", "0x10"] {
            assert_eq!(Decimal::parse(bad), None, "{bad}");
        }
    }
}
