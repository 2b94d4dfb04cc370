//! I-Regexp (RFC 9485) as an expression of the `regex` crate.
//!
//! The whole grammar is checked: what is no I-Regexp gives nothing. Every character that the crate would read otherwise
//! is escaped. `^` and `$` are anchors, as the JSONPath compliance suite has them, though the grammar counts them among
//! the plain characters. The crate bounds the size of what it compiles and matches in linear time.

use std::iter::Peekable;
use std::str::Chars;

use regex::Regex;

/// Bytes that a compiled expression may take.
const PROGRAM_BYTES: usize = 1 << 18;
/// Groups within groups.
const NESTING: usize = 64;

/// The general categories that `\p{...}` may name: the letter, and those that may follow it (RFC 9485, section 4).
const CATEGORIES: [(char, &str); 7] =
    [('L', "lmotu"), ('M', "cen"), ('N', "dlo"), ('P', "cdefios"), ('Z', "lps"), ('S', "ckmo"), ('C', "cfno")];

/// Compiles an expression that matches a whole text, or anywhere in it.
pub(super) fn compile(pattern: &str, is_whole: bool) -> Option<Regex> {
    let translated = translate(pattern)?;
    let anchored = if is_whole { format!(r"\A(?:{translated})\z") } else { translated };
    let mut builder = regex::RegexBuilder::new(&anchored);
    builder.size_limit(PROGRAM_BYTES).dfa_size_limit(PROGRAM_BYTES).nest_limit(NESTING as u32 * 2 + 8).build().ok()
}

fn translate(pattern: &str) -> Option<String> {
    let mut out = String::with_capacity(pattern.len() + 16);
    let mut depth = 0;
    // Whether a quantifier may come next.
    let mut is_atom = false;
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let was_atom = std::mem::replace(&mut is_atom, true);
        match c {
            '(' => {
                depth += 1;
                out.push_str("(?:");
                is_atom = false;
                if depth > NESTING {
                    return None;
                }
            }
            ')' => {
                depth = usize::checked_sub(depth, 1)?;
                out.push(')');
            }
            '|' => {
                out.push('|');
                is_atom = false;
            }
            '*' | '+' | '?' if was_atom => {
                out.push(c);
                is_atom = false;
            }
            '{' if was_atom => {
                quantity(&mut chars, &mut out)?;
                is_atom = false;
            }
            '.' => out.push_str(r"[^\n\r]"),
            '[' => class(&mut chars, &mut out)?,
            '\\' => escape(&mut chars, &mut out)?,
            '^' | '$' => out.push(c),
            '*' | '+' | '?' | '{' | '}' | ']' => return None,
            _ => push_literal(c, &mut out),
        }
    }
    (depth == 0).then_some(out)
}

/// `n}`, `n,}` or `n,m}`, behind the brace.
fn quantity(chars: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    out.push('{');
    digits(chars, out)?;
    if chars.next_if_eq(&',').is_some() {
        out.push(',');
        if chars.peek() != Some(&'}') {
            digits(chars, out)?;
        }
    }
    chars.next_if_eq(&'}')?;
    out.push('}');
    Some(())
}

fn digits(chars: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    out.push(chars.next_if(char::is_ascii_digit)?);
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        out.push(digit);
    }
    Some(())
}

/// A class, behind its `[`. A `-` stands for itself only at the two ends.
fn class(chars: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    out.push('[');
    if chars.next_if_eq(&'^').is_some() {
        out.push('^');
    }
    let mut is_first = true;
    loop {
        match chars.next()? {
            ']' if !is_first => break,
            '-' if is_first || chars.peek() == Some(&']') => out.push_str(r"\-"),
            '-' | '[' | ']' => return None,
            '\\' if matches!(chars.peek(), Some('p' | 'P')) => escape(chars, out)?,
            c => {
                let low = class_char(c, chars)?;
                push_literal(low, out);
                let is_range = chars.peek() == Some(&'-') && chars.clone().nth(1) != Some(']');
                if is_range {
                    chars.next();
                    let c = chars.next().filter(|c| !matches!(c, '-' | '[' | ']'))?;
                    out.push('-');
                    push_literal(class_char(c, chars)?, out);
                }
            }
        }
        is_first = false;
    }
    out.push(']');
    Some(())
}

fn class_char(c: char, chars: &mut Peekable<Chars<'_>>) -> Option<char> {
    if c == '\\' { escaped_char(chars.next()?) } else { Some(c) }
}

/// A character or a category behind a backslash.
fn escape(chars: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    let c = chars.next()?;
    if !matches!(c, 'p' | 'P') {
        push_literal(escaped_char(c)?, out);
        return Some(());
    }
    chars.next_if_eq(&'{')?;
    let major = chars.next()?;
    let (_, minors) = CATEGORIES.iter().find(|(letter, _)| *letter == major)?;
    out.extend(['\\', c, '{', major]);
    if let Some(minor) = chars.next_if(|c| minors.contains(*c)) {
        out.push(minor);
    }
    chars.next_if_eq(&'}')?;
    out.push('}');
    Some(())
}

fn escaped_char(c: char) -> Option<char> {
    match c {
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        '('..='+' | '-' | '.' | '?' | '['..='^' | '{'..='}' => Some(c),
        _ => None,
    }
}

/// A character that means itself, inside and outside of a class.
fn push_literal(c: char, out: &mut String) {
    if c.is_ascii_punctuation() {
        out.push('\\');
    }
    out.push(c);
}

#[cfg(test)]
mod tests {
    use super::compile;

    #[test]
    fn expressions_mean_what_the_standard_says() {
        let cases = [
            ("a.c", "abc", true),
            ("a.c", "a\nc", false),
            ("a.c", "a\rc", false),
            ("^a$", "a", true),
            (r"\^a[$]", "^a$", true),
            ("[a-c&&b]", "&", true),
            ("[-a]+", "a-a", true),
            ("[^-a-]", "b", true),
            (r"\p{Lu}\P{L}{2}", "A12", true),
            (r"(a|b){2,3}", "abab", false),
            (r"[\]\\]{2}", r"\]", true),
            ("a#b c", "a#b c", true),
            ("", "", true),
        ];
        for (pattern, text, expect) in cases {
            let regex = compile(pattern, true).unwrap_or_else(|| panic!("{pattern} is an expression"));
            assert_eq!(regex.is_match(text), expect, "{pattern} on {text:?}");
        }
    }

    #[test]
    fn other_dialects_and_huge_expressions_are_refused() {
        let huge = "(a{1000}){1000}";
        let deep = format!("{}a{}", "(".repeat(65), ")".repeat(65));
        for pattern in
            [r"\d", r"\w", "(?i)a", "a**", "*", "a{", "a{1,2", "[", "[]", "a)", "(", "[a--b]", huge, &deep, "\\p{Xx}"]
        {
            assert!(compile(pattern, false).is_none(), "{pattern}");
        }
    }
}
