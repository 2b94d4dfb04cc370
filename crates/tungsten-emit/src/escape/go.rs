//! Go: string literals, comment text.
//!
//! Interpreted strings, never raw ones, with the escapes of the specification, "String literals". Struct tags are built
//! from such literals too.

use base::SpecText;

/// An interpreted string literal with its quotes.
pub fn string(text: SpecText<'_>) -> String {
    super::double_quoted(text, super::short_or_long)
}

/// The text of a line comment: one line, without marker.
pub fn line_comment(text: SpecText<'_>) -> String {
    super::comment::one_line(text, super::comment::Form::GoDoc)
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    use super::{line_comment, string};

    #[test]
    fn strings() {
        for (text, expect) in [
            ("`a` \"b\" \\", r#""`a` \"b\" \\""#),
            ("\n\r\t\0\u{feff}\u{e0041}é", r#""\n\r\t\u0000\ufeff\U000e0041é""#),
        ] {
            assert_eq!(string(SpecText::new(text)), expect, "{text:?}");
        }
    }

    #[test]
    fn a_comment_is_no_build_constraint() {
        assert_eq!(line_comment(SpecText::new("+build ignore")), "\\+build ignore");
        assert_eq!(line_comment(SpecText::new("go:build\u{b}x")), "go:build x");
    }
}
