#![no_main]
//! An input in parts, each behind a line `====`: a description, an overlay for it, and JSONPath queries, one a line.
//!
//! The description is compiled after the overlay: what that makes of it stays within the budget of values. A query either
//! is none, or takes more work than it may, or selects values whose normalized paths select them again.

use std::sync::Arc;

use base::{Diags, Source, Sources, limits};
use base_doc::jsonpath::{Dialect, JsonPath, Visits, normalized_path};
use base_doc::{DocSet, Tree, parse_all};
use libfuzzer_sys::fuzz_target;

/// Queries of one input that are asked, and what each may look at: much less than an overlay's may, so that many inputs
/// are tried.
const QUERIES: usize = 8;
const VISITS: usize = 50_000;

fuzz_target!(|bytes: &[u8]| {
    let (description, rest) = tungsten_fuzz::split(bytes);
    let (overlay, queries) = tungsten_fuzz::split(rest);
    let compiled = tungsten_fuzz::compiled(description, Some(overlay));
    // A row takes a byte at least, or is one of those that aliases made; overlays multiply what was read.
    let most_read = limits::ALIAS_NODES_FACTOR * bytes.len() + 2 * limits::ALIAS_NODES_BASE;
    let most = limits::ALIAS_NODES_FACTOR * most_read + limits::ALIAS_NODES_BASE;
    assert!(compiled.docs.docs.iter().all(|(_, doc)| doc.len() <= most), "the overlay stays within its budget");
    if let Ok(queries) = std::str::from_utf8(queries) {
        ask(description, queries);
    }
});

fn ask(description: &[u8], queries: &str) {
    let mut sources = Sources::new();
    let source = Arc::new(Source::from_bytes("openapi.yaml", description));
    let id = sources.push(Arc::clone(&source));
    let mut set = DocSet::default();
    let Some(doc) = parse_all(vec![(source, id)], &mut set, &mut Diags::new())[0] else { return };
    let DocSet { docs, keys, .. } = &mut set;
    let tree = Tree::new(&docs[doc], keys);
    for query in queries.lines().take(QUERIES) {
        for dialect in [Dialect::Standard, Dialect::DashedNames] {
            let Ok(path) = JsonPath::parse(query, dialect) else { continue };
            let Ok(found) = path.select(&tree, &mut Visits::new(VISITS)) else { continue };
            for &at in found.iter().take(20) {
                let normalized = normalized_path(&tree, at);
                let again = JsonPath::parse(&normalized, Dialect::Standard)
                    .unwrap_or_else(|error| panic!("{normalized} is no path: {error:?}"));
                assert_eq!(again.select(&tree, &mut Visits::default()), Ok(vec![at]), "{normalized}");
            }
        }
    }
}
