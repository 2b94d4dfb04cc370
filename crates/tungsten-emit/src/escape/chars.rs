//! Which characters may stand in an output as they are, and how wide they print.
//!
//! Letters, marks, digits, punctuation, symbols and spaces of any script stay. Controls, format characters
//! (bidirectional marks, byte order mark, tags), private use, unassigned, line and paragraph separators do not: they
//! can end a line, reorder what a reader sees, or hide.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Whether the character may stand in an output as it is.
pub(crate) fn stays(c: char) -> bool {
    match c {
        ' '..='~' => true,
        '\0'..='\u{9f}' => false,
        _ => !matches!(
            get_general_category(c),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::PrivateUse
                | GeneralCategory::Surrogate
                | GeneralCategory::Unassigned
        ),
    }
}

/// Whether all of a text is printable ASCII. Looks at every byte, which is faster than stopping at the first other one.
pub(crate) fn is_plain_ascii(text: &str) -> bool {
    text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'))
}

/// Whether the character ends a line in any language that a target prints: LF, VT, FF, CR, NEL, U+2028, U+2029.
pub(crate) fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The quote that a formatter chooses: double, unless the text has more double quotes than single ones.
pub(crate) fn preferred_quote(text: &str) -> char {
    let count = |quote: u8| text.bytes().filter(|byte| *byte == quote).count();
    if count(b'"') > count(b'\'') { '\'' } else { '"' }
}

/// Columns that the text takes on a terminal: two for wide characters, none for combining ones.
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(char_width).sum() }
}

fn char_width(c: char) -> usize {
    if c.is_ascii() {
        return 1;
    }
    match get_general_category(c) {
        GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark | GeneralCategory::Format => 0,
        _ if is_wide(c) => 2,
        _ => 1,
    }
}

/// East Asian wide and fullwidth blocks (Unicode annex 11), and the pictographs that terminals show two columns wide.
fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{303e}' | '\u{3041}'..='\u{33ff}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{a000}'..='\u{a4cf}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff01}'..='\u{ff60}' | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}' | '\u{1f680}'..='\u{1f6ff}' | '\u{1f900}'..='\u{1f9ff}'
        | '\u{20000}'..='\u{3fffd}')
}

#[cfg(test)]
mod tests {
    use super::{ends_line, preferred_quote, stays, width};

    #[test]
    fn any_script_stays_and_nothing_hidden_does() {
        for c in "aZ0 ~`é文अ्ि٣€→🙂\u{a0}\u{3000}".chars() {
            assert!(stays(c), "{c:?}");
        }
        for c in "\0\t\n\u{b}\u{1b}\u{7f}\u{85}\u{ad}\u{200b}\u{200f}\u{202e}\u{2028}\u{2029}\u{2066}\u{feff}\u{e000}\u{e0041}\u{378}\u{10ffff}".chars() {
            assert!(!stays(c), "{c:?}");
        }
    }

    #[test]
    fn line_ends_of_every_language() {
        assert!("\n\r\u{b}\u{c}\u{85}\u{2028}\u{2029}".chars().all(ends_line));
        assert!(!"\t a\u{a0}".chars().any(ends_line));
    }

    #[test]
    fn the_quote_that_needs_fewer_escapes() {
        assert_eq!(preferred_quote("it's"), '"');
        assert_eq!(preferred_quote("say \"hi\""), '\'');
        assert_eq!(preferred_quote("\"'"), '"');
    }

    #[test]
    fn columns() {
        assert_eq!(width("abc"), 3);
        assert_eq!(width("é文🙂"), 5);
        assert_eq!(width("e\u{301}\u{20dd}\u{200b}"), 1);
    }
}
