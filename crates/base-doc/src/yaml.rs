//! YAML 1.2 as JSON's data.
//!
//! Reads a source that is UTF-8; feeds a [`DocBuilder`]. What people write most, plain block style, is read by
//! `direct`; when that meets anything else it gives up, and `events` reads the document from the start. Both give the
//! same tree with the same places.

use base::Interner;

use crate::doc::DocBuilder;
use crate::fault::Fault;
use crate::{direct, events};

/// Reads one document. `text` is the whole source, so that places in it are places in the source.
pub(crate) fn read(text: &str, builder: &mut DocBuilder, keys: &mut Interner) -> Result<(), Fault> {
    check_characters(text)?;
    if direct::read(text, builder, keys).is_ok() {
        return Ok(());
    }
    builder.restart();
    events::read(text, builder, keys)
}

/// YAML allows of the control characters only tab and line ends; the event parser would take NUL for the end.
fn check_characters(text: &str) -> Result<(), Fault> {
    let is_refused = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r');
    match text.as_bytes().iter().position(is_refused) {
        None => Ok(()),
        Some(at) => {
            let code = text.as_bytes()[at];
            let message = format!("control character U+{code:04X}, which YAML does not allow");
            Err(Fault::syntax((at, at + 1), message))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use base::{Id, Interner, Source, SourceId};

    use super::check_characters;
    use crate::doc::{Doc, DocBuilder, NodeId};
    use crate::fault::Fault;
    use crate::{direct, events};

    struct Tree {
        doc: Doc,
        keys: Interner,
    }

    fn tree<E>(
        text: &str,
        read: impl FnOnce(&str, &mut DocBuilder, &mut Interner) -> Result<(), E>,
    ) -> Result<Tree, E> {
        let source = Arc::new(Source::from_bytes("x.yaml", text));
        let mut builder = DocBuilder::new(source, SourceId::from_index(0));
        let mut keys = Interner::new();
        read(text, &mut builder, &mut keys)?;
        Ok(Tree { doc: builder.finish().expect("a whole value"), keys })
    }

    /// Rows as text: key, places, value, one a line.
    fn rows(tree: &Tree, with_places: bool) -> Vec<String> {
        let (doc, keys) = (&tree.doc, &tree.keys);
        let row = |node: NodeId| {
            let key = doc.key(node).map(|key| keys.resolve(key));
            let places = with_places.then(|| (doc.key_offset(node), doc.offset(node)));
            let text = doc.as_str(node).or_else(|| doc.as_number(node));
            format!("{key:?} {places:?} {:?} {:?} {text:?} {}", doc.kind(node), doc.as_bool(node), doc.end(node))
        };
        (0..doc.len()).map(|index| row(NodeId::from_index(index))).collect()
    }

    /// What the direct reader reads, the event parser reads in the same way. True when the direct reader took it.
    fn agree(name: &str, text: &str) -> Result<bool, String> {
        if check_characters(text).is_err() {
            return Ok(false);
        }
        let Ok(ours) = tree(text, direct::read) else { return Ok(false) };
        match tree(text, events::read) {
            Ok(theirs) => compare(name, text, &rows(&ours, true), &rows(&theirs, true))?,
            Err(fault) => {
                let (text, theirs) = with_brackets_indented(text, fault)
                    .map_err(|fault| format!("{name}: {} at {:?} of {text:?}", fault.message, fault.range))?;
                compare(name, &text, &rows(&ours, false), &rows(&theirs, false))?;
            }
        }
        Ok(true)
    }

    fn compare(name: &str, text: &str, ours: &[String], theirs: &[String]) -> Result<(), String> {
        let differ = ours.iter().zip(theirs).find(|(ours, theirs)| ours != theirs);
        let shown = if text.len() < 2_000 { text } else { "" };
        let same = differ.is_none() && ours.len() == theirs.len();
        if same { Ok(()) } else { Err(format!("{name}: {differ:#?} of {shown:?}")) }
    }

    /// Of texts with names, how many the direct reader takes, when all of them are read alike.
    #[track_caller]
    fn count_direct(texts: impl IntoIterator<Item = (String, String)>) -> (usize, usize) {
        let results: Vec<_> = texts.into_iter().map(|(name, text)| agree(&name, &text)).collect();
        let wrong: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).take(12).cloned().collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        (results.iter().filter(|result| **result == Ok(true)).count(), results.len())
    }

    /// The one point in which the direct reader is more lenient: closing brackets are moved one column to the right
    /// until the event parser takes the text.
    fn with_brackets_indented(text: &str, mut fault: Fault) -> Result<(String, Tree), Fault> {
        let mut text = text.to_owned();
        loop {
            let at = fault.range.0;
            if !(fault.message.contains("invalid indentation") && text[at..].starts_with(['}', ']'])) {
                return Err(fault);
            }
            text.insert(at, ' ');
            match tree(&text, events::read) {
                Ok(tree) => return Ok((text, tree)),
                Err(next) => fault = next,
            }
        }
    }

    fn shared(path: &str) -> Option<PathBuf> {
        let folder = match std::env::var_os("TUNGSTEN_SHARED") {
            Some(folder) => PathBuf::from(folder),
            None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        };
        let path = folder.join(path);
        if !path.exists() {
            println!("skipped: no ../shared");
            return None;
        }
        Some(path)
    }

    fn suite() -> Vec<(String, String)> {
        let Some(path) = shared("suites/yaml/cases.json") else { return Vec::new() };
        let cases: serde_json::Value = serde_json::from_slice(&std::fs::read(path).expect("readable")).expect("JSON");
        let text = |case: &serde_json::Value, key: &str| case[key].as_str().expect("a text").to_owned();
        cases.as_array().expect("a list").iter().map(|case| (text(case, "id"), text(case, "yaml"))).collect()
    }

    #[test]
    fn both_readers_agree_on_the_suite() {
        let (n_direct, n_cases) = count_direct(suite());
        println!("yaml suite: {n_direct} of {n_cases} are read directly, all of them alike");
    }

    /// A generator of numbers that is the same in every run (Knuth's MMIX constants).
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) as usize) % n
        }
    }

    /// The text with up to three characters taken away, put in or replaced.
    fn mutated(text: &str, random: &mut Random) -> String {
        const PIECES: [&str; 24] = [
            " ", "  ", "\n", "\n ", "- ", ": ", ":", " #", "'", "\"", "[", "]", "{", "}", ", ", "|\n", ">", "a", "1",
            "\\", "?", "-", "\t", "\u{e9}",
        ];
        let mut chars: Vec<String> = text.chars().map(String::from).collect();
        for _ in 0..=random.below(3) {
            let at = random.below(chars.len() + 1);
            let piece = PIECES[random.below(PIECES.len())].to_owned();
            match random.below(3) {
                0 => chars.insert(at, piece),
                1 if at < chars.len() => drop(chars.remove(at)),
                _ if at < chars.len() => chars[at] = piece,
                _ => {}
            }
        }
        chars.concat()
    }

    #[test]
    fn both_readers_agree_on_damaged_texts() {
        let own = OWN_TEXTS.iter().map(|text| ("own".to_owned(), (*text).to_owned()));
        let cases: Vec<_> = own.chain(suite()).collect();
        let rounds: usize = std::env::var("TUNGSTEN_YAML_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
        let mut random = Random(1);
        let mut texts = Vec::new();
        for (id, text) in cases.iter().filter(|(_, text)| text.len() < 2_000) {
            texts.extend((0..rounds).map(|_| (id.clone(), mutated(text, &mut random))));
        }
        let (n_direct, n_texts) = count_direct(texts);
        println!("damaged texts: {n_direct} of {n_texts} are read directly, all of them alike");
        assert!(n_direct > n_texts / 20);
    }

    const OWN_TEXTS: [&str; 10] = [
        "a: 1\nb:\n  - x\n  - y: z\n    w: 'it''s'\nc: [1, {d: \"e\\n\"}]\n",
        "a:\n- b\n-\n  c: d\n- - e\n  - f\ng:\nh: |\n  text\n   more\n\n  end\n",
        "# head\na: >-\n  folded\n  text\n\n    kept\n  end # no comment\nb: plain text\n  goes on\n\n  here\n# end\n",
        "a: \"two\n  lines\\\n  three\"\nb: 'two\n\n  lines'\nc: d # comment\n",
        "x: {\n  a: 1,\n  b: [\n    2,\n  ],\n  }\ny: []\nz: {}\n",
        "---\n- |2-\n    a\n   b\n- >+\n  c\n\n- ~\n- 0x1F\n- +1\n- .5\n",
        "\u{e9}: \u{1f44d}\n\"\u{e9}\": '\u{4e2d}' # \u{e9}\nk: [\u{e9}, \"\u{e9}\"]\n",
        "a: b: c\n",
        "key with spaces: http://x.y/z#f\n? a\n: b\n",
        "a: &x 1\nb: *x\nc: !!str 2\n<<: {d: 1}\n",
    ];

    #[test]
    fn both_readers_agree_on_the_corpus() {
        let Some(folder) = shared("corpus") else { return };
        let mut texts = Vec::new();
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
                if entry.is_dir() {
                    folders.push(entry);
                } else if entry.extension().is_some_and(|ending| ending == "yaml" || ending == "yml") {
                    let Ok(text) = std::fs::read_to_string(&entry) else { continue };
                    texts.push((entry.to_string_lossy().into_owned(), text));
                }
            }
        }
        let (n_direct, n_files) = count_direct(texts);
        assert!(n_direct * 10 > n_files * 9, "{n_direct} of {n_files}");
        println!("corpus: {n_direct} of {n_files} YAML files are read directly, all of them alike");
    }
}
