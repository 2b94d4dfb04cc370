#![no_main]
//! Any bytes through both document parsers: a document or a diagnostic, never a crash. A document that comes out is
//! walked, and every value's pointer leads back to it.

use std::sync::Arc;

use base::{Interner, Source, Sources};
use base_doc::{DocSet, Syntax, parse};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for syntax in [Syntax::Json, Syntax::Yaml] {
        let mut sources = Sources::new();
        let source = Arc::new(Source::from_bytes("input", bytes));
        let id = sources.push(Arc::clone(&source));
        let parsed = parse(source, id, syntax, Interner::new());
        assert!(parsed.doc.is_some() || parsed.diags.has_errors(), "a refused input has an error");
        parsed.diags.finish(&sources);
        let Some(doc) = parsed.doc else { continue };
        let mut set = DocSet { keys: parsed.keys, ..DocSet::default() };
        let doc = set.docs.push(doc);
        let mut pending = vec![set.root(doc)];
        let mut n_seen = 0;
        while let Some(value) = pending.pop() {
            n_seen += 1;
            if n_seen < 200 {
                assert!(value.pointer().is_empty() || value.pointer().starts_with('/'));
            }
            pending.extend(value.children());
        }
        assert_eq!(n_seen, set.docs[doc].len(), "every row is reached from the root");
    }
});
