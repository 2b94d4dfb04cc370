//! What an unquoted YAML scalar is, by the core schema of YAML 1.2 (section 10.3.2), and its spelling in JSON.
//!
//! Reads the scalar's text; `no`, `on`, `12:30` and `3.10.1` are strings.

use std::borrow::Cow;

/// An unquoted scalar.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Plain<'a> {
    Null,
    Bool(bool),
    /// As JSON spells it; borrowed when YAML's spelling is the same.
    Number(Cow<'a, str>),
    /// An infinity or `.nan`, for which JSON has no spelling.
    NotFinite,
    /// A hexadecimal or octal number beyond 128 bits.
    TooLarge,
    String,
}

/// Hexadecimal or octal digits beyond this many bits are refused: there is no decimal number of that size in any API.
const RADIX_BITS: u32 = u128::BITS;

pub(crate) fn resolve(text: &str) -> Plain<'_> {
    match text.as_bytes().first() {
        None => Plain::Null,
        Some(b'n' | b'N' | b'~' | b't' | b'T' | b'f' | b'F') => word(text),
        Some(b'+' | b'-' | b'.' | b'0'..=b'9') => number(text),
        Some(_) => Plain::String,
    }
}

fn word(text: &str) -> Plain<'_> {
    match text {
        "null" | "Null" | "NULL" | "~" => Plain::Null,
        "true" | "True" | "TRUE" => Plain::Bool(true),
        "false" | "False" | "FALSE" => Plain::Bool(false),
        _ => Plain::String,
    }
}

fn number(text: &str) -> Plain<'_> {
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Plain::NotFinite;
    }
    match split_decimal(unsigned) {
        Some(parts) => Plain::Number(json_spelling(text, &parts)),
        None => Plain::String,
    }
}

fn radix(digits: &str, radix: u32) -> Plain<'_> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return Plain::String;
    }
    let significant = digits.trim_start_matches('0');
    let bits_a_digit = radix.ilog2();
    if significant.len() as u32 > RADIX_BITS / bits_a_digit {
        return Plain::TooLarge;
    }
    match u128::from_str_radix(significant, radix) {
        Ok(value) => Plain::Number(value.to_string().into()),
        Err(_) => Plain::Number("0".into()),
    }
}

/// A decimal number without its sign.
struct Decimal<'a> {
    whole: &'a str,
    /// The digits behind the point, if there is one.
    fraction: Option<&'a str>,
    /// The exponent with its letter and sign, or nothing.
    exponent: &'a str,
}

fn split_decimal(text: &str) -> Option<Decimal<'_>> {
    let (mantissa, exponent) = text.split_at(text.find(['e', 'E']).unwrap_or(text.len()));
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digit = !whole.is_empty() || fraction.is_some_and(|fraction| !fraction.is_empty());
    let exponent_digits = exponent.get(1..).map(|rest| rest.strip_prefix(['-', '+']).unwrap_or(rest));
    let exponent_fits = exponent_digits.is_none_or(|digits| !digits.is_empty() && are_digits(digits));
    let fits = has_digit && are_digits(whole) && fraction.is_none_or(are_digits) && exponent_fits;
    fits.then_some(Decimal { whole, fraction, exponent })
}

/// JSON allows no plus sign, no leading zeros and no point without digits on both sides.
fn json_spelling<'a>(text: &'a str, parts: &Decimal<'a>) -> Cow<'a, str> {
    let digits = parts.whole.trim_start_matches('0');
    let whole = if digits.is_empty() { "0" } else { digits };
    let sign = if text.starts_with('-') { "-" } else { "" };
    let fraction = match parts.fraction {
        Some("") => ".0".to_owned(),
        Some(digits) => format!(".{digits}"),
        None => String::new(),
    };
    let spelled = format!("{sign}{whole}{fraction}{}", parts.exponent);
    if spelled == text { Cow::Borrowed(text) } else { Cow::Owned(spelled) }
}

#[cfg(test)]
mod tests {
    use super::{Plain, resolve};

    #[track_caller]
    fn number(text: &str, expect: &str) {
        assert_eq!(resolve(text), Plain::Number(expect.into()), "{text}");
    }

    #[test]
    fn numbers_are_spelled_as_json_spells_them() {
        number("0", "0");
        number("-0", "-0");
        number("+12", "12");
        number("012", "12");
        number("000", "0");
        number("1.50", "1.50");
        number(".5", "0.5");
        number("-.5e3", "-0.5e3");
        number("1.", "1.0");
        number("1.E+05", "1.0E+05");
        number("3.10", "3.10");
        number("0x1F", "31");
        number("0o17", "15");
        number("0x0000", "0");
        number("0xffffffffffffffffffffffffffffffff", &u128::MAX.to_string());
        number("123456789012345678901234567890", "123456789012345678901234567890");
    }

    #[test]
    fn what_looks_like_a_number_or_a_word_is_a_string() {
        for text in [
            "12:30",
            "3.10.1",
            "1_000",
            "-",
            "+",
            ".",
            "-.",
            "e3",
            "1e",
            "1e+",
            "0x",
            "0xg",
            "0o8",
            "-0x1",
            "0b1",
            "no",
            "on",
            "yes",
            "y",
            "tRUE",
            "nULL",
            "nil",
            "2001-01-01",
            "--1",
            "+-1",
            ".inf1",
            "-.nan",
            "١",
            "1 2",
        ] {
            assert_eq!(resolve(text), Plain::String, "{text}");
        }
    }

    #[test]
    fn words_of_the_core_schema() {
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(resolve(text), Plain::Null, "{text}");
        }
        assert_eq!(resolve("True"), Plain::Bool(true));
        assert_eq!(resolve("FALSE"), Plain::Bool(false));
        for text in [".inf", "-.INF", "+.Inf", ".nan", ".NaN"] {
            assert_eq!(resolve(text), Plain::NotFinite, "{text}");
        }
        assert_eq!(resolve("0x1ffffffffffffffffffffffffffffffff"), Plain::TooLarge);
    }
}
