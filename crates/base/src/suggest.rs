//! "Did you mean": the known word that is nearest to one that is not known.
//!
//! Reads two words; writes nothing. Work is bounded: a word longer than any key is not compared.

use crate::diag::quoted;

/// Words of more characters are no misspelling of a key.
const MAX_CHARS: usize = 64;

/// Of many known words, only the first are compared.
const MAX_CANDIDATES: usize = 100;

/// Letters at an end of two names that make them worth comparing.
const SHARED: usize = 3;

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

/// `did you mean ...?` for the nearest of the many names of a description, when one is near. Names that share no
/// beginning and no end with the wanted one are passed over first, so that the comparison, which looks at few, looks at
/// the right ones.
pub fn did_you_mean<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let wanted_key = wanted.to_lowercase();
    let is_close = |name: &&str| {
        let name = name.to_lowercase();
        let shared = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
            a.zip(b).take_while(|(a, b)| a == b).take(SHARED).count() == SHARED
        };
        name.chars().count() <= 2 * SHARED
            || shared(&mut last_part(&name).chars(), &mut last_part(&wanted_key).chars())
            || shared(&mut name.chars().rev(), &mut wanted_key.chars().rev())
    };
    nearest(wanted, known.into_iter().filter(is_close)).map(|near| format!("did you mean {}?", quoted(near)))
}

/// The name without its namespace, or the last segment of a path.
fn last_part(name: &str) -> &str {
    name.rsplit(['.', '/']).next().unwrap_or(name)
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
    use super::{did_you_mean, nearest};

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

    #[test]
    fn near_names_are_found_among_many() {
        let many: Vec<String> = (0..500).map(|index| format!("api.getThing{index}")).collect();
        let known = || many.iter().map(String::as_str).chain(["api.listPets", "api.x"]);
        assert_eq!(did_you_mean("api.listPats", known()).as_deref(), Some("did you mean `api.listPets`?"));
        assert_eq!(did_you_mean("api.lostPets", known()).as_deref(), Some("did you mean `api.listPets`?"));
        assert_eq!(did_you_mean("api.removeEverything", known()), None);
        assert_eq!(did_you_mean("", known()), None);
    }
}
