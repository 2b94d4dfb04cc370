//! Patterns of texts and of names (JSON Schema 2020-12 core, section 6.4).
//!
//! Reads ECMAScript expressions; those that mean something else here, or nothing (look-around, back-references, TG0303),
//! are left out: then nothing is checked. Sizes are bounded, and matching is linear in the text.

use regex::Regex;

/// Bytes that a compiled pattern may take.
const PROGRAM_BYTES: usize = 1 << 20;
/// Groups within groups.
const NESTING: u32 = 64;

/// A pattern that could be compiled.
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
}

impl Pattern {
    pub fn new(pattern: &str) -> Option<Self> {
        let translated = translate(pattern);
        let regex = regex::RegexBuilder::new(&translated).size_limit(PROGRAM_BYTES).nest_limit(NESTING).build().ok()?;
        Some(Self { regex })
    }

    /// Whether the pattern is found in the text; patterns are not anchored.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// The ECMAScript expression as the `regex` crate spells it.
pub fn translate(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut chars = pattern.chars().peekable();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => match (chars.next(), in_class) {
                // ECMAScript's classes are ASCII.
                (Some('d'), true) => out.push_str("0-9"),
                (Some('d'), false) => out.push_str("[0-9]"),
                (Some('D'), _) => out.push_str("[^0-9]"),
                (Some('w'), true) => out.push_str("A-Za-z0-9_"),
                (Some('w'), false) => out.push_str("[A-Za-z0-9_]"),
                (Some('W'), _) => out.push_str("[^A-Za-z0-9_]"),
                (Some('/'), _) => out.push('/'),
                (Some('b'), false) => out.push_str(r"(?-u:\b)"),
                (Some(next @ ('p' | 'P' | 'u' | 'x')), _) if chars.peek() == Some(&'{') => {
                    out.extend(['\\', next]);
                    out.extend(chars.by_ref().take_while(|&c| c != '}'));
                    out.push('}');
                }
                (Some(next), _) => out.extend(['\\', next]),
                (None, _) => out.push('\\'),
            },
            '[' if in_class => out.push_str("\\["),
            '[' => {
                in_class = true;
                out.push('[');
                if chars.peek() == Some(&'^') {
                    chars.next();
                    out.push('^');
                }
            }
            ']' => {
                in_class = false;
                out.push(']');
            }
            '&' | '~' if in_class => out.extend(['\\', c]),
            '{' if !in_class && !chars.peek().is_some_and(char::is_ascii_digit) => out.push_str("\\{"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn patterns_mean_what_they_mean_in_ecmascript() {
        for (pattern, good, bad) in [
            (r"^\d+$", "12", "\u{661}"),
            (r"^\w$", "a", "\u{e4}"),
            (r"^a*$", "aaa", "xyz"),
            ("a+", "xxaayy", "b"),
            (r"^[[\]&~]+$", "[]&~", "x"),
            (r"^\p{Letter}+$", "\u{3c0}", "1"),
            (r"^\S(|(.|\n)*\S)$", "a\nb", "a "),
            (r"^\u0041\/$", "A/", "B/"),
            ("^x{a}$", "x{a}", "xa"),
        ] {
            let compiled = Pattern::new(pattern).expect(pattern);
            assert!(compiled.matches(good) && !compiled.matches(bad), "{pattern}");
        }
        for pattern in [r"^(?=a)", r"(a)\1", "(", "a{1000000}", "(?<!x)y"] {
            assert!(Pattern::new(pattern).is_none(), "{pattern}");
        }
    }
}
