//! Python: string literals, comment text.
//!
//! Plain strings in the quote that `ruff format` chooses: never f-strings, raw or triple-quoted ones. Escapes are those
//! of the language reference, section 2.4.1.1.

use base::SpecText;

use super::chars::{preferred_quote, stays};
use super::untrusted;

/// A string literal with its quotes.
pub fn string(text: SpecText<'_>) -> String {
    let text = untrusted(text);
    let quote = preferred_quote(text);
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if c == quote => out.extend(['\\', c]),
            _ if stays(c) => out.push(c),
            '\0'..='\u{ff}' => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            '\u{100}'..='\u{ffff}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    out.push(quote);
    out
}

/// The text of a line comment: one line, without marker.
pub fn line_comment(text: SpecText<'_>) -> String {
    super::comment::one_line(text, super::comment::Form::Hash)
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    use super::{line_comment, string};

    #[test]
    fn strings() {
        for (text, expect) in [
            ("it's", r#""it's""#),
            (r#"say "hi""#, r#"'say "hi"'"#),
            (r#""""'"#, r#"'"""\''"#),
            ("{x} %s \\N{BULLET}", r#""{x} %s \\N{BULLET}""#),
            ("\n\r\t\0\u{b}\u{85}", r#""\n\r\t\x00\x0b\x85""#),
            ("\u{2028}\u{feff}\u{e0041}é", r#""\u2028\ufeff\U000e0041é""#),
            ("a\\", r#""a\\""#),
        ] {
            assert_eq!(string(SpecText::new(text)), expect, "{text:?}");
        }
    }

    #[test]
    fn comments_hold_no_directive() {
        assert_eq!(line_comment(SpecText::new("type: ignore\rimport os")), "\\type: ignore import os");
        assert_eq!(line_comment(SpecText::new("see # noqa and #12")), "see #\\ noqa and #12");
    }
}
