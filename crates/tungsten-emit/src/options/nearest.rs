//! "Did you mean": the option that is nearest to a word that is none.

/// Words of more characters are no misspelling of an option.
const MAX_CHARS: usize = 64;

/// The nearest of `known`, when at most a third of the characters differ; the first of several equally near ones.
pub(super) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = word.to_lowercase().chars().take(MAX_CHARS + 1).collect();
    if letters.is_empty() || letters.len() > MAX_CHARS {
        return None;
    }
    known
        .map(|name| (distance(&letters, name), name))
        .filter(|(distance, name)| *distance * 3 <= letters.len().max(name.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Insertions, deletions and replacements between two words.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_misspelling_finds_its_word() {
        for (word, expect) in [
            ("pakage", Some("package")),
            ("Versions", Some("version")),
            ("zzz", None),
            ("", None),
            (&"a".repeat(99), None),
        ] {
            assert_eq!(super::nearest(word, ["package", "version"].into_iter()), expect, "{word:?}");
        }
    }
}
