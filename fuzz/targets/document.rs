#![no_main]
//! Any bytes through both document parsers: a document or a diagnostic, never a crash. A document that comes out is
//! walked, and every value's pointer leads back to it.

use std::sync::Arc;

use base::{Diags, Source, Sources};
use base_doc::{DocSet, parse_all};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for name in ["input.json", "input.yaml"] {
        let mut sources = Sources::new();
        let source = Arc::new(Source::from_bytes(name, bytes));
        let id = sources.push(Arc::clone(&source));
        let (mut set, mut diags) = (DocSet::default(), Diags::new());
        let docs = parse_all(vec![(source, id)], &mut set, &mut diags);
        assert!(docs[0].is_some() || diags.has_errors(), "a refused input has an error");
        diags.finish(&sources);
        let Some(doc) = docs[0] else { continue };
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
