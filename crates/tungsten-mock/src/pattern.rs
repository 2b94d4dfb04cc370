//! Texts made from patterns.
//!
//! Reads ECMAScript expressions; those that cannot be matched here are left out: then a text is made as if there were no
//! pattern. Sizes are bounded at every step.

use regex_syntax::hir::{Class, Hir, HirKind};
use tungsten_validate::translate;

use crate::generate::Random;

/// Bytes of a text made from a pattern.
const TEXT_BYTES: usize = 4096;
/// Groups within groups.
const NESTING: u32 = 64;

/// A pattern of which texts can be made.
#[derive(Debug)]
pub(crate) struct Pattern {
    matcher: tungsten_validate::Pattern,
    hir: Hir,
}

impl Pattern {
    pub(crate) fn new(pattern: &str) -> Option<Self> {
        let matcher = tungsten_validate::Pattern::new(pattern)?;
        let hir = regex_syntax::ParserBuilder::new().nest_limit(NESTING).build().parse(&translate(pattern)?).ok()?;
        Some(Self { matcher, hir })
    }

    /// Whether the pattern is found in the text; patterns are not anchored.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.matcher.matches(text)
    }

    /// A text that matches and whose length in code points is within the bounds; nothing when none was found.
    pub(crate) fn text(&self, random: Random, min: u64, max: u64) -> Option<String> {
        // How often repetitions repeat: once each reads best, the others are for length bounds, also behind a fixed start.
        let for_length = (0..=16).map(|fixed| min.min(TEXT_BYTES as u64).saturating_sub(fixed) as u32);
        [1, 2, 0, 3, 4, 6, 8, 12].into_iter().chain(for_length).find_map(|repeat| {
            (0..4_u64).find_map(|attempt| {
                let mut random = random.child_at(attempt);
                let mut text = String::new();
                write(&self.hir, &mut random, repeat, attempt == 0, &mut text)?;
                let length = crate::text::code_points(&text);
                // An unanchored pattern may stand anywhere in a longer text.
                if length < min && min <= TEXT_BYTES as u64 {
                    text.extend(std::iter::repeat_n('x', (min - length) as usize));
                }
                (length <= max && self.matches(&text)).then_some(text)
            })
        })
    }
}

/// Appends a text of the expression. Recursion is bounded by the nesting limit of the parser.
fn write(hir: &Hir, random: &mut Random, repeat: u32, first: bool, out: &mut String) -> Option<()> {
    if out.len() > TEXT_BYTES {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => out.push(pick(class, random)?),
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX);
            for _ in 0..repetition.min.max(repeat).min(most) {
                write(&repetition.sub, random, repeat, first, out)?;
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, random, repeat, first, out)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(part, random, repeat, first, out)?;
            }
        }
        HirKind::Alternation(choices) => {
            let index = if first { 0 } else { random.below(choices.len() as u64) as usize };
            write(choices.get(index)?, random, repeat, first, out)?;
        }
    }
    Some(())
}

/// A character of the class: a letter or digit where it has some, else a printable one, else its first.
fn pick(class: &Class, random: &mut Random) -> Option<char> {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.ranges().iter().map(|range| (range.start(), range.end())).collect(),
        Class::Bytes(class) => {
            class.ranges().iter().map(|range| (char::from(range.start()), char::from(range.end()))).collect()
        }
    };
    let has = |c: &char| ranges.iter().any(|(start, end)| (start..=end).contains(&c));
    let mut choices: Vec<char> = ('a'..='z').chain('0'..='9').chain('A'..='Z').filter(has).collect();
    if choices.is_empty() {
        choices = (' '..='~').filter(has).collect();
    }
    if choices.is_empty() {
        return ranges.first().map(|(start, _)| *start);
    }
    choices.get(random.below(choices.len() as u64) as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::Pattern;
    use crate::generate::Random;

    fn made(pattern: &str, min: u64, max: u64) -> Option<String> {
        Pattern::new(pattern)?.text(Random::new(7), min, max)
    }

    #[test]
    fn texts_match_their_pattern() {
        for pattern in [
            r"^[a-z]{3,10}$",
            r"^\d{4}-\d{2}$",
            r"^(foo|bar)+_[\w.-]*$",
            r"^[^/]+\/[0-9]+$",
            "abc",
            "",
            r"^#[0-9a-fA-F]{6}$",
            r"^\+?[1-9]\d{1,14}$",
            r"^[\[\]&~]+$",
            r"^([A-Z]{2}|[0-9]{3})$",
            r"^.+@.+\..+$",
            "^\u{e4}{2}$",
            r"^[\u0041-\u0043]$",
            r"^\p{Lu}$",
        ] {
            let text = made(pattern, 0, u64::MAX);
            assert!(text.is_some(), "{pattern}");
        }
    }

    #[test]
    fn lengths_are_kept_too() {
        assert_eq!(made("^[a-z]+$", 21, 21).map(|text| text.len()), Some(21));
        assert_eq!(made("^sk_[a-z]+$", 40, 40).map(|text| text.len()), Some(40));
        assert_eq!(made("^[a-z]*$", 0, 0), Some(String::new()));
        assert_eq!(made("^a{50}$", 0, 10), None);
    }

    #[test]
    fn what_has_no_meaning_here_is_left_out() {
        for pattern in [r"^(?=a)", r"(a)\1", "(", "a{1000000}", "(?<!x)y"] {
            assert!(Pattern::new(pattern).is_none(), "{pattern}");
        }
        let deep = format!("{}a{}", "(".repeat(1000), ")".repeat(1000));
        assert!(Pattern::new(&deep).is_none());
        assert_eq!(made("(((a{100}){100}){10})", 0, u64::MAX), None);
    }
}
