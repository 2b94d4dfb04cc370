//! "Did you mean": the known word that is nearest to one that is not known.
//!
//! Reads two words; writes nothing. Work is bounded: a word longer than any key is not compared.

/// Words of more characters are no misspelling of a key.
const MAX_CHARS: usize = 64;

/// Of many known words, only the first are compared.
const MAX_CANDIDATES: usize = 100;

/// The nearest of `known`, when a third of the word's characters or fewer differ; the first of several that are equally
/// near.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.to_lowercase().chars().take(MAX_CHARS + 1).collect();
    if letters.is_empty() || letters.len() > MAX_CHARS {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in known.into_iter().take(MAX_CANDIDATES) {
        let other: Vec<char> = candidate.to_lowercase().chars().take(MAX_CHARS + 1).collect();
        let allowed = (letters.len().max(other.len()) / 3).max(1);
        if letters.len().abs_diff(other.len()) > allowed {
            continue;
        }
        let distance = edit_distance(&letters, &other);
        if distance <= allowed && distance < other.len() && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[track_caller]
    fn check(word: &str, expect: Option<&str>) {
        assert_eq!(nearest(word, ["inputs", "output", "api", "agent", "auth_profiles"]), expect, "{word:?}");
    }

    #[test]
    fn a_misspelling_finds_its_word() {
        check("input", Some("inputs"));
        check("inptus", Some("inputs"));
        check("Outputs", Some("output"));
        check("auth-profiles", Some("auth_profiles"));
        check("apl", Some("api"));
        check("pia", None);
        check("x", None);
        check("", None);
        check("zzzzzz", None);
        check(&"inputs".repeat(20), None);
    }
}
