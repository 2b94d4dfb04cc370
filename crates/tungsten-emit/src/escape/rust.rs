//! Rust: string literals, comment text.
//!
//! Plain strings, never raw ones, with the escapes of the reference, "String literals". Braces stay: a literal that a
//! formatting macro reads must not be text of a description.

use base::SpecText;

/// A string literal with its quotes.
pub fn string(text: SpecText<'_>) -> String {
    super::double_quoted(text, |out, c| out.push_str(&format!("\\u{{{:x}}}", u32::from(c))))
}

/// The text of a line comment: one line, without marker.
pub fn line_comment(text: SpecText<'_>) -> String {
    super::comment::one_line(text, super::comment::Form::RustDoc)
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    use super::{line_comment, string};

    #[test]
    fn strings() {
        for (text, expect) in [
            ("it's \"#", r##""it's \"#""##),
            ("{x} a\\", r#""{x} a\\""#),
            ("\n\r\t\0\u{202e}\u{e0041}é", r#""\n\r\t\u{0}\u{202e}\u{e0041}é""#),
        ] {
            assert_eq!(string(SpecText::new(text)), expect, "{text:?}");
        }
    }

    #[test]
    fn a_line_comment_is_one_line() {
        assert_eq!(line_comment(SpecText::new("a\rb\u{feff} \\")), "a b");
    }
}
