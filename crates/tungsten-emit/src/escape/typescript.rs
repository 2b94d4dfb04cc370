//! TypeScript: string literals, property keys, comment text.
//!
//! Strings are in the quote that Prettier chooses and never templates. What a string may not hold as it is leaves as an
//! escape of ECMA-262, section 12.9.4.

use base::SpecText;

use super::chars::{is_plain_ascii, preferred_quote, stays};
use super::untrusted;

/// A string literal with its quotes.
pub fn string(text: SpecText<'_>) -> String {
    let mut out = String::new();
    push_string(&mut out, text);
    out
}

/// Appends a string literal with its quotes.
pub fn push_string(out: &mut String, text: SpecText<'_>) {
    let text = untrusted(text);
    out.reserve(text.len() + 2);
    if is_plain_ascii(text) && !text.bytes().any(|byte| matches!(byte, b'"' | b'\'' | b'\\')) {
        out.push('"');
        out.push_str(text);
        out.push('"');
        return;
    }
    let quote = preferred_quote(text);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if c == quote => out.extend(['\\', c]),
            _ if stays(c) => out.push(c),
            '\0'..='\u{ffff}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
        }
    }
    out.push(quote);
}

/// A property key of an object literal, interface or class: quoted only when it must be. `__proto__` is a computed key,
/// which makes a property instead of setting the prototype.
pub fn key(text: SpecText<'_>) -> String {
    let name = untrusted(text);
    if name == "__proto__" {
        return "[\"__proto__\"]".to_owned();
    }
    if is_plain_name(name) { name.to_owned() } else { string(text) }
}

/// A property key of a type, where nothing is set and a computed key would not be one: quoted only when it must be.
pub fn type_key(text: SpecText<'_>) -> String {
    let name = untrusted(text);
    if is_plain_name(name) { name.to_owned() } else { string(text) }
}

/// How a property is reached: `.name`, or `["name"]` when the name is no identifier.
pub fn member(text: SpecText<'_>) -> String {
    let name = untrusted(text);
    if is_plain_name(name) { format!(".{name}") } else { format!("[{}]", string(text)) }
}

/// The names that Prettier leaves without quotes: ASCII identifiers, reserved words among them.
fn is_plain_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$'))
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$'))
}

/// The text of a line comment: one line, without marker.
pub fn line_comment(text: SpecText<'_>) -> String {
    super::comment::one_line(text, super::comment::Form::JsDoc)
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    use super::{key, line_comment, member, string, type_key};

    #[test]
    fn strings() {
        for (text, expect) in [
            ("plain", r#""plain""#),
            ("it's", r#""it's""#),
            (r#"say "hi""#, r#"'say "hi"'"#),
            (r#"""''"#, r#""\"\"''""#),
            ("a\\", r#""a\\""#),
            ("`${x}`", r#""`${x}`""#),
            ("a\nb\rc\td", r#""a\nb\rc\td""#),
            ("\0\u{b}\u{c}\u{85}\u{2028}\u{2029}", r#""\u0000\u000b\u000c\u0085\u2028\u2029""#),
            ("\u{feff}\u{202e}\u{e0041}", r#""\ufeff\u202e\u{e0041}""#),
            ("é文🙂 */ //", r#""é文🙂 */ //""#),
        ] {
            assert_eq!(string(SpecText::new(text)), expect, "{text:?}");
        }
    }

    #[test]
    fn keys() {
        for (text, expect) in [
            ("id", "id"),
            ("$ref", "$ref"),
            ("class", "class"),
            ("x-y", r#""x-y""#),
            ("1", r#""1""#),
            ("", r#""""#),
            ("é", r#""é""#),
            ("__proto__", r#"["__proto__"]"#),
            ("a]: 1, [\"b", r#"'a]: 1, ["b'"#),
        ] {
            assert_eq!(key(SpecText::new(text)), expect, "{text:?}");
        }
        assert_eq!(type_key(SpecText::new("__proto__")), "__proto__");
        assert_eq!(type_key(SpecText::new("a b")), r#""a b""#);
        assert_eq!(member(SpecText::new("a")), ".a");
        assert_eq!(member(SpecText::new("a-b")), r#"["a-b"]"#);
    }

    #[test]
    fn a_line_comment_is_one_line() {
        assert_eq!(line_comment(SpecText::new("a\u{2028}@ts-ignore */ \\")), r"a \@ts-ignore *\/");
    }
}
