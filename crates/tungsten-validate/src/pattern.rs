//! Patterns of texts and of names (JSON Schema 2020-12 core, section 6.4).
//!
//! Reads ECMAScript expressions; those that this engine does not know (TG0303) are left out: then nothing is checked. Sizes
//! are bounded, and matching is linear in the text.

use regex::Regex;
use tungsten_ir::pattern;

/// Bytes that a compiled pattern may take: room for all that `tungsten_ir::pattern` lets pass.
const PROGRAM_BYTES: usize = 8 << 20;
/// Groups within groups, and what they become here.
const NESTING: u32 = 250;

/// A pattern that could be compiled.
#[derive(Debug)]
pub struct Pattern {
    regex: Regex,
}

impl Pattern {
    pub fn new(pattern: &str) -> Option<Self> {
        let translated = translate(pattern)?;
        let regex = regex::RegexBuilder::new(&translated).size_limit(PROGRAM_BYTES).nest_limit(NESTING).build().ok()?;
        Some(Self { regex })
    }

    /// Whether the pattern is found in the text; patterns are not anchored.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// The ECMAScript expression as the `regex` crate spells it; nothing where it cannot.
pub fn translate(text: &str) -> Option<String> {
    pattern::Pattern::read(text).ok()?.linear()
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
            (r"^[\w-.]+$", "a-.", "a,"),
            (r"^[+--]$", "-", "a"),
            (r"^\s$", "\u{feff}", "\u{85}"),
            ("^.$", "\u{85}", "\u{2028}"),
            (r"^[^]$", "\n", ""),
            (r"^\uD83D\uDE00\0$", "\u{1f600}\0", "\u{1f600}"),
            (r"^a\Bb\b$", "ab", "a b"),
            ("^(?<year>[0-9]{4})$", "2026", "26"),
            (r"^[\b\cJ]$", "\u{8}", "b"),
        ] {
            let compiled = Pattern::new(pattern).expect(pattern);
            assert!(compiled.matches(good) && !compiled.matches(bad), "{pattern}");
        }
        // As large as `tungsten_ir::pattern` lets pass.
        for pattern in [
            "[]",
            r"\p{L}{160}",
            "a{100000}",
            ".{6200}",
            r"[\s\S]{5000}",
            r"[^\s]{2000}",
            r"\S{3100}",
            r"\P{Lu}{160}",
            r"\W{6200}",
            "[^a-c]{5500}",
        ] {
            assert!(Pattern::new(pattern).is_some(), "{pattern}");
        }
        assert!(!Pattern::new("[]").expect("it matches nothing").matches("a"));
        for pattern in [r"^(?=a)", r"(a)\1", "(", "a{1000000}", "(?<!x)y"] {
            assert!(Pattern::new(pattern).is_none(), "{pattern}");
        }
    }
}
