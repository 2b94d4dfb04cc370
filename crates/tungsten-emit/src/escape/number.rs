//! Numbers of a description: parsed and printed again, never copied.
//!
//! A spelled number of RFC 8259, section 6, becomes an exact 64-bit integer or the nearest double, in its shortest
//! form. What is no number, or too large for a double, is none here either.

use base::SpecText;

use super::untrusted;

/// A number that was read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    Int(i64),
    /// Above `i64::MAX`.
    Uint(u64),
    /// Finite. Whole numbers beyond 64 bits are here too, as the nearest double.
    Float(f64),
}

impl Number {
    /// Reads a spelled number. `1.0` and `1e2` are whole numbers, as JSON Schema has it; `-0` is 0.
    pub fn parse(text: SpecText<'_>) -> Option<Self> {
        let text = untrusted(text);
        if !is_json_number(text) {
            return None;
        }
        if let Ok(int) = text.parse::<i64>() {
            return Some(Self::Int(int));
        }
        if let Ok(uint) = text.parse::<u64>() {
            return Some(Self::Uint(uint));
        }
        let float: f64 = text.parse().ok().filter(|float: &f64| float.is_finite())?;
        // Whole and below 2^53: the double is exact, so it is an integer spelled another way.
        let exact = float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0;
        Some(if exact { Self::Int(float as i64) } else { Self::Float(float) })
    }

    /// As JSON, and as a literal of TypeScript, Python and Go for a double: `1`, `-0.5`, `1e21`, `1.5e-7`.
    pub fn json(self) -> String {
        match self {
            Self::Int(int) => int.to_string(),
            Self::Uint(uint) => uint.to_string(),
            Self::Float(float) if (1e-6..1e21).contains(&float.abs()) || float == 0.0 => float.to_string(),
            Self::Float(float) => format!("{float:e}"),
        }
    }

    /// A TypeScript number literal; `bigint` of it, `12n`, is for whole numbers a double cannot hold.
    pub fn typescript(self) -> String {
        if self.is_safe_in_a_double() { self.json() } else { format!("{}n", self.json()) }
    }

    /// A Rust literal: a double has a point or an exponent.
    pub fn rust(self) -> String {
        let text = self.json();
        let plain = matches!(self, Self::Float(_)) && !text.contains(['.', 'e']);
        if plain { format!("{text}.0") } else { text }
    }

    /// Whether a double holds the number without loss: false for integers beyond plus or minus 2^53 - 1.
    pub fn is_safe_in_a_double(self) -> bool {
        const LARGEST: u64 = (1 << 53) - 1;
        match self {
            Self::Int(int) => int.unsigned_abs() <= LARGEST,
            Self::Uint(_) => false,
            Self::Float(_) => true,
        }
    }
}

/// The grammar of RFC 8259, section 6.
fn is_json_number(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|exponent| digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent)))
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    use super::Number;

    #[test]
    fn numbers_are_printed_again() {
        for (text, json, typescript, rust) in [
            ("0", "0", "0", "0"),
            ("-0", "0", "0", "0"),
            ("1.0", "1", "1", "1"),
            ("1e2", "100", "100", "100"),
            ("-1.50", "-1.5", "-1.5", "-1.5"),
            ("9007199254740991", "9007199254740991", "9007199254740991", "9007199254740991"),
            ("9223372036854775807", "9223372036854775807", "9223372036854775807n", "9223372036854775807"),
            ("18446744073709551615", "18446744073709551615", "18446744073709551615n", "18446744073709551615"),
            ("18446744073709551616", "18446744073709552000", "18446744073709552000", "18446744073709552000.0"),
            ("1E+21", "1e21", "1e21", "1e21"),
            ("0.00000015", "1.5e-7", "1.5e-7", "1.5e-7"),
            ("0.1", "0.1", "0.1", "0.1"),
        ] {
            let number = Number::parse(SpecText::new(text)).expect(text);
            assert_eq!([number.json(), number.typescript(), number.rust()], [json, typescript, rust], "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "",
            "-",
            "+1",
            "01",
            "1.",
            ".5",
            "1e",
            "1e+",
            "0x10",
            "1_000",
            "NaN",
            "inf",
            "1e400",
            " 1",
            "1;alert()",
            "١",
        ] {
            assert_eq!(Number::parse(SpecText::new(text)), None, "{text}");
        }
    }
}
