//! From bytes to documents: which syntax a file has, one document, and many of them in parallel.
//!
//! Reads sources; writes [`Doc`]s, their keys and diagnostics (TG0102, TG0105). What ends a document is a [`Fault`] of
//! a parser; duplicate keys are reported all together, and the document is still there, with the first of each.

use std::sync::Arc;

use base::{Code, Diags, Interner, Place, Source, SourceId, Sym, limits};
use rayon::prelude::*;

use crate::doc::{Doc, DocBuilder, DocId, DocSet, Duplicate, pointer_of};
use crate::fault::Fault;
use crate::{json, merge, token, yaml};

/// How a file is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// JSON and nothing else.
    Json,
    /// YAML. A text that starts with `{` or `[` is tried as JSON first: that is faster, and allows what YAML's readers
    /// refuse in JSON, such as escaped surrogate pairs.
    Yaml,
    /// JSON when the text starts with `{` or `[`, else YAML.
    Sniff,
}

impl Syntax {
    /// The syntax that a file's name tells.
    pub fn of_name(name: &str) -> Self {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("json") => Self::Json,
            Some("yaml" | "yml") => Self::Yaml,
            _ => Self::Sniff,
        }
    }
}

/// One document, the interner of its keys, and what was found wrong.
#[derive(Debug)]
pub struct Parsed {
    /// Nothing after a syntax error or an exceeded budget. A document with duplicate keys is there, with the first
    /// of each.
    pub doc: Option<Doc>,
    /// The given interner, with the document's own keys behind its words.
    pub keys: Interner,
    pub diags: Diags,
}

/// Reads one document. Key symbols are those of `keys`, which grows.
pub fn parse(source: Arc<Source>, source_id: SourceId, syntax: Syntax, keys: Interner) -> Parsed {
    let mut reader = Reader { source, source_id, keys, diags: Diags::new() };
    let doc = reader.document(syntax);
    Parsed { doc, keys: reader.keys, diags: reader.diags }
}

/// Reads documents in parallel and adds them to `set`, in the order in which they are given: neither ids, symbols nor
/// diagnostics depend on the number of threads. The syntax is told by each source's name. Nothing stands for a document
/// that could not be read.
pub fn parse_all(sources: Vec<(Arc<Source>, SourceId)>, set: &mut DocSet, diags: &mut Diags) -> Vec<Option<DocId>> {
    let words = set.words();
    let read = |(source, id): (Arc<Source>, SourceId)| {
        let syntax = Syntax::of_name(source.name());
        parse(source, id, syntax, words.clone())
    };
    let n_words = words.len();
    let parsed: Vec<Parsed> = sources.into_par_iter().map(read).collect();
    let mut docs = Vec::with_capacity(parsed.len());
    for one in parsed {
        diags.append(one.diags);
        docs.push(one.doc.map(|doc| (doc, merge_keys(one.keys, n_words, &mut set.keys))));
    }
    docs.par_iter_mut().flatten().for_each(|(doc, to)| {
        if !to.is_empty() {
            doc.remap_keys(to);
        }
    });
    docs.into_iter().map(|doc| doc.map(|(doc, _)| set.docs.push(doc))).collect()
}

/// Adds a document's keys to those of all. The new symbol of each, or an empty list when they are the same.
fn merge_keys(keys: Interner, n_words: usize, all: &mut Interner) -> Vec<Sym> {
    if keys.len() == n_words {
        return Vec::new();
    }
    if all.len() == n_words {
        *all = keys;
        return Vec::new();
    }
    let words = (0..n_words).map(|index| Sym::at(index as u32));
    let own = keys.iter().skip(n_words).map(|text| all.intern(text));
    words.chain(own).collect()
}

struct Reader {
    source: Arc<Source>,
    source_id: SourceId,
    keys: Interner,
    diags: Diags,
}

impl Reader {
    fn document(&mut self, syntax: Syntax) -> Option<Doc> {
        let source = Arc::clone(&self.source);
        let n_bytes = source.bytes().len();
        if n_bytes as u64 > limits::FILE_BYTES {
            self.report(Fault::budget((0, 0), limits::file_too_large(n_bytes as u64)), String::new());
            return None;
        }
        let text = match source.text() {
            Ok(text) => text,
            Err(at) => {
                self.report(not_utf8(source.bytes(), at), String::new());
                return None;
            }
        };
        let starts_like_json = text.trim_start_matches('\u{feff}').trim_ascii_start().starts_with(['{', '[']);
        match (syntax, starts_like_json) {
            (Syntax::Json, _) | (Syntax::Sniff, true) => {
                self.run(text, json::scan).map_err(|stop| self.stop(stop)).ok()
            }
            (Syntax::Yaml, true) => self.json_or_yaml(text),
            (Syntax::Yaml | Syntax::Sniff, false) => self.run(text, yaml::read).map_err(|stop| self.stop(stop)).ok(),
        }
    }

    /// A text that is not JSON may still be YAML, whose error is the one that counts.
    fn json_or_yaml(&mut self, text: &str) -> Option<Doc> {
        let result = match self.run(text, json::scan) {
            Err(stop) if stop.fault.code == Code::TG0102 => self.run(text, yaml::read),
            result => result,
        };
        result.map_err(|stop| self.stop(stop)).ok()
    }

    fn run(&mut self, text: &str, parser: Parser) -> Result<Doc, Stop> {
        let mut builder = DocBuilder::new(Arc::clone(&self.source), self.source_id);
        let result = parser(text, &mut builder, &mut self.keys);
        let (duplicates, n_duplicates) = builder.take_duplicates();
        if let Err(fault) = result {
            let pointer = pointer_of(&builder.path(), &self.keys);
            return Err(Stop { fault, pointer, duplicates, n_duplicates });
        }
        if n_duplicates > 0 {
            self.report_duplicates(&duplicates, n_duplicates);
            merge::drop_duplicates(&mut builder);
        }
        Ok(builder.finish().expect("a parser that succeeds gives a whole value"))
    }

    fn stop(&mut self, stop: Stop) {
        self.report_duplicates(&stop.duplicates, stop.n_duplicates);
        self.report(stop.fault, stop.pointer);
    }

    fn report(&mut self, fault: Fault, pointer: String) {
        let range = (fault.range.0 as u32, fault.range.1 as u32);
        let diagnostic = self.diags.report(fault.code, Place::at(self.source_id, pointer, range), fault.message);
        if let Some(help) = fault.help {
            diagnostic.help = Some(help.to_owned());
        }
    }

    fn report_duplicates(&mut self, duplicates: &[Duplicate], n_in_all: usize) {
        for duplicate in duplicates {
            let text = duplicate.key.map_or("<<", |key| self.keys.resolve(key));
            let container = pointer_of(&duplicate.path, &self.keys);
            let pointer = format!("{container}/{}", crate::escape_token(text));
            let place = |offset| {
                let range = token::key_range(self.source.bytes(), offset, text);
                Place::at(self.source_id, pointer.clone(), range)
            };
            let (first, second) = (place(duplicate.first_offset), place(duplicate.second_offset));
            let (first_line, first_column) = self.source.line_column(duplicate.first_offset);
            let message = format!(
                "the key {} stands twice in one object, first at line {first_line}, column {first_column}",
                base::diag::quoted(text)
            );
            self.diags.report(Code::TG0102, second, message).related.push((first, "the first one".to_owned()));
        }
        let n_left = n_in_all - duplicates.len();
        if n_left > 0 {
            let place = Place { source: Some(self.source_id), ..Place::default() };
            self.diags.report(Code::TG0102, place, format!("{n_left} more keys stand twice in their objects"));
        }
    }
}

type Parser = fn(&str, &mut DocBuilder, &mut Interner) -> Result<(), Fault>;

/// Why a document ended early, and what was found up to there.
struct Stop {
    fault: Fault,
    pointer: String,
    duplicates: Vec<Duplicate>,
    n_duplicates: usize,
}

fn not_utf8(bytes: &[u8], at: usize) -> Fault {
    let message = format!("byte 0x{:02X} at offset {at} is not valid UTF-8", bytes[at]);
    let fault = Fault::syntax((at, at + 1), message);
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => fault.help("the file looks like UTF-16: save it as UTF-8"),
        _ => fault,
    }
}
