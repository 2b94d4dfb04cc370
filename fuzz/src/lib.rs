//! What the fuzz targets share: inputs through the parser and the compiler, and the checks that hold for any input.
//!
//! A check that fails is a panic, which is what the fuzzer looks for. Recursion here is bounded by the depth that
//! documents may have.

mod source;

use std::fmt::Write as _;
use std::sync::Arc;

use base::{Diags, Source, Sources};
use base_doc::{DocSet, Kind, Value, parse_all};
use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, OverlayRequest, Request, compile};

pub use source::check_file;

/// Bytes that [`print`] may make of one document: aliases make long texts of short ones.
const PRINTED_BYTES: usize = 1 << 20;

/// Between the parts of an input that has several.
const SEPARATOR: &[u8] = b"\n====\n";

/// The bytes before and after the first separator.
pub fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let at = bytes.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
    at.map_or((bytes, &[]), |at| (&bytes[..at], &bytes[at + SEPARATOR.len()..]))
}

/// Parses a document; nothing when it is refused, which has an error. A document is walked to its end, and every row of
/// it is reached.
pub fn parse(name: &str, bytes: &[u8]) -> Option<DocSet> {
    let mut sources = Sources::new();
    let source = Arc::new(Source::from_bytes(name, bytes));
    let id = sources.push(Arc::clone(&source));
    let (mut set, mut diags) = (DocSet::default(), Diags::new());
    let docs = parse_all(vec![(source, id)], &mut set, &mut diags);
    assert!(docs[0].is_some() || diags.has_errors(), "a refused input has an error");
    diags.finish(&sources);
    let doc = docs[0]?;
    let mut pending = vec![set.root(doc)];
    let mut n_seen = 0;
    while let Some(value) = pending.pop() {
        n_seen += 1;
        if n_seen < 200 {
            let pointer = value.pointer();
            assert!(pointer.is_empty() || pointer.starts_with('/'));
            let (start, end) = value.range();
            assert!(start <= end && end as usize <= bytes.len(), "a range lies in the source");
        }
        pending.extend(value.children());
    }
    assert_eq!(n_seen, set.docs[doc].len(), "every row is reached from the root");
    Some(set)
}

/// A document that was parsed, as JSON; nothing when that would be very long.
pub fn print(set: &DocSet) -> Option<String> {
    let mut out = String::new();
    print_value(set.root(set.docs.ids().next()?), &mut out)?;
    Some(out)
}

fn print_value(value: Value<'_>, out: &mut String) -> Option<()> {
    if out.len() > PRINTED_BYTES {
        return None;
    }
    match value.kind() {
        Kind::Null => out.push_str("null"),
        Kind::Bool => _ = write!(out, "{}", value.as_bool().expect("a boolean")),
        Kind::Number => out.push_str(value.as_number().expect("a number")),
        Kind::String => print_string(value.as_str().expect("a string"), out),
        Kind::Array => {
            out.push('[');
            for (index, item) in value.children().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                print_value(item, out)?;
            }
            out.push(']');
        }
        Kind::Object => {
            out.push('{');
            for (index, member) in value.children().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                print_string(member.key_text().expect("a key"), out);
                out.push(':');
                print_value(member, out)?;
            }
            out.push('}');
        }
    }
    Some(())
}

fn print_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\0'..='\u{1f}' => _ = write!(out, "\\u{:04x}", u32::from(c)),
            _ => out.push(c),
        }
    }
    out.push('"');
}

/// What comes out of a parser and is printed parses to the same again.
pub fn check_round_trip(set: &DocSet) {
    let Some(printed) = print(set) else { return };
    let again = parse("printed.json", printed.as_bytes()).expect("what was printed is JSON");
    assert_eq!(print(&again).as_deref(), Some(printed.as_str()), "printing is stable");
}

/// Compiles a description, with an overlay if there is one. Without errors its tables are whole; what is refused has one.
pub fn compiled(description: &[u8], overlay: Option<&[u8]>) -> Compiled {
    let mut loader = MemoryLoader::new().with("openapi.yaml", description);
    let mut overlays = Vec::new();
    if let Some(overlay) = overlay {
        loader = loader.with("overlay.yaml", overlay);
        overlays.push(OverlayRequest { path: "overlay.yaml".to_owned(), namespace: None });
    }
    let inputs = vec![InputRequest { namespace: "fuzz".to_owned(), spec: "openapi.yaml".to_owned() }];
    let request = Request { api_name: "fuzz".to_owned(), inputs, overlays, ..Request::default() };
    let compiled = compile(&request, &loader);
    let has_errors = compiled.diags.has_errors();
    compiled.diags.clone().finish(&compiled.sources);
    match &compiled.ir {
        Some(ir) => assert_eq!(tungsten_ir::verify_frozen(ir, has_errors), Vec::<String>::new()),
        None => assert!(has_errors, "a refused description has an error"),
    }
    compiled
}
