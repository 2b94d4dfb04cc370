//! The short description of an operation that agents read: its first sentences, within a budget of tokens.
//!
//! Reads an operation's texts and the disclosure settings; writes nothing. Made when it is asked for: most runs print
//! none.

use base::TextId;

use crate::{Ir, OpId};

/// Characters that are counted as a token.
const CHARS_PER_TOKEN: u64 = 4;

/// The summary, then the description: sentences with a dropped phrase left out, the first of the others kept, cut
/// between words to the budget. One line; empty where nothing is written. An ellipsis says that the last sentence was
/// cut.
pub fn compact_doc(ir: &Ir, op: OpId) -> String {
    let settings = &ir.agent.disclosure;
    let doc = ir.ops.rows[op].doc;
    let phrases: Vec<&str> = settings.drop_phrases.iter().map(|phrase| ir.texts.get(*phrase).untrusted()).collect();
    let text = |id: Option<TextId>| id.map_or("", |id| ir.texts.get(id).untrusted());
    let mut kept: Vec<String> = Vec::new();
    let max_sentences = usize::try_from(settings.max_sentences).unwrap_or(usize::MAX);
    for sentence in sentences(text(doc.summary)).chain(sentences(text(doc.description))) {
        if kept.len() == max_sentences {
            break;
        }
        let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_dropped = phrases.iter().any(|phrase| sentence.contains(phrase));
        let is_repeat = kept.iter().any(|other| same_words(other, &sentence));
        if !sentence.is_empty() && !is_dropped && !is_repeat {
            kept.push(sentence);
        }
    }
    // A summary seldom ends with a stop; the sentence after it needs one.
    let n_kept = kept.len();
    for sentence in kept.iter_mut().take(n_kept.saturating_sub(1)) {
        if !sentence.ends_with(['.', '!', '?', ':']) {
            sentence.push('.');
        }
    }
    cut(kept.join(" "), settings.description_budget_tokens.saturating_mul(CHARS_PER_TOKEN))
}

fn same_words(a: &str, b: &str) -> bool {
    a.trim_end_matches('.').eq_ignore_ascii_case(b.trim_end_matches('.'))
}

/// The sentences of a text, in order: up to a stop with white space and no small letter behind it, or to a blank line.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let end = sentence_end(rest);
        let (sentence, after) = rest.split_at(end);
        rest = after;
        Some(sentence.trim_end())
    })
}

/// Where the first sentence of a text ends, which starts with no white space.
fn sentence_end(text: &str) -> usize {
    let mut newlines = 0;
    for (at, c) in text.char_indices() {
        if c == '\n' {
            newlines += 1;
            if newlines == 2 {
                return at;
            }
        } else if !c.is_whitespace() {
            newlines = 0;
        }
        let after = &text[at + c.len_utf8()..];
        if matches!(c, '.' | '!' | '?') && after.starts_with(char::is_whitespace) {
            let next = after.trim_start().chars().next();
            if !next.is_some_and(char::is_lowercase) {
                return at + c.len_utf8();
            }
        }
    }
    text.len()
}

/// A text of at most `max_chars` characters, cut between words.
fn cut(text: String, max_chars: u64) -> String {
    let max_chars = usize::try_from(max_chars).unwrap_or(usize::MAX);
    if text.chars().count() <= max_chars {
        return text;
    }
    // The ellipsis is a character too.
    let end = text.char_indices().nth(max_chars.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    let is_between = text[end..].starts_with(char::is_whitespace);
    let kept = if is_between { &text[..end] } else { text[..end].rsplit_once(' ').map_or(&text[..end], |cut| cut.0) };
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::{compact_doc, cut, sentences};
    use crate::sample::Sample;

    #[test]
    fn sentences_end_at_stops_and_blank_lines() {
        let cases: [(&str, &[&str]); 6] = [
            ("One. Two? Three", &["One.", "Two?", "Three"]),
            ("Use v1.2 here, e.g. this one. Then", &["Use v1.2 here, e.g. this one.", "Then"]),
            ("A\nline.\nB", &["A\nline.", "B"]),
            ("Title\n\nText", &["Title", "Text"]),
            ("  ", &[]),
            ("x.", &["x."]),
        ];
        for (text, expect) in cases {
            assert_eq!(sentences(text).collect::<Vec<_>>(), expect, "{text:?}");
        }
    }

    #[test]
    fn texts_are_cut_between_words() {
        for (text, max_chars, expect) in [
            ("one two", 7, "one two"),
            ("one two", 6, "one…"),
            ("one two", 4, "one…"),
            ("onetwo", 4, "one…"),
            ("é à", 2, "é…"),
        ] {
            assert_eq!(cut(text.to_owned(), max_chars), expect, "{text} {max_chars}");
        }
    }

    #[test]
    fn a_compact_description_is_the_first_sentences_that_stay() {
        let mut sample = Sample::new();
        let op = sample.op("get", vec![]);
        assert_eq!(compact_doc(&sample.ir, op), "");
        let texts = ["Gets a pet", "Gets a pet. Implemented today (x). It may\n  be old. More."];
        let [summary, description] = texts.map(|text| Some(sample.ir.texts.push(text)));
        sample.ir.ops.rows[op].doc.summary = summary;
        sample.ir.ops.rows[op].doc.description = description;
        assert_eq!(compact_doc(&sample.ir, op), "Gets a pet. Implemented today (x).");
        let phrase = sample.ir.texts.push("Implemented today (");
        sample.ir.agent.disclosure.drop_phrases.push(phrase);
        assert_eq!(compact_doc(&sample.ir, op), "Gets a pet. It may be old.");
        sample.ir.agent.disclosure.description_budget_tokens = 4;
        assert_eq!(compact_doc(&sample.ir, op), "Gets a pet. It…");
        sample.ir.agent.disclosure.max_sentences = 1;
        assert_eq!(compact_doc(&sample.ir, op), "Gets a pet");
    }
}
