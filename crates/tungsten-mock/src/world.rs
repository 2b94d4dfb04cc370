//! What all requests read: the IR, its documents, and what is worked out once from both.
//!
//! Reads the IR and the documents; keeps compiled patterns, the heights of types and the examples of schemas.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use base::{Id, SourceId};
use base_doc::{DocSet, Kind, NodeId, NodeRef};
use serde_json::Value;
use tungsten_ir::{BoundsId, Ir, Origin};
use tungsten_validate::Patterns;

use crate::heights;
use crate::json;
use crate::pattern::Pattern;

pub(crate) struct World {
    pub(crate) ir: Arc<Ir>,
    pub(crate) docs: Arc<DocSet>,
    pub(crate) seed: u64,
    /// By type, see `heights`.
    pub(crate) heights: Vec<u32>,
    /// For the check.
    pub(crate) patterns: Patterns,
    /// To make texts from. By bounds; compiled on first use.
    templates: Vec<OnceLock<Option<Pattern>>>,
    /// Schemas with examples of their own, by where they start. Looked up, never iterated.
    stated: HashMap<(SourceId, u32), NodeRef>,
}

impl World {
    pub(crate) fn new(ir: Arc<Ir>, docs: Arc<DocSet>, seed: u64) -> Self {
        let heights = heights::heights(&ir);
        let patterns = Patterns::new(&ir);
        let templates = (0..ir.types.bounds.len()).map(|_| OnceLock::new()).collect();
        let stated = stated_examples(&docs);
        Self { ir, docs, seed, heights, patterns, templates, stated }
    }

    /// The pattern of some bounds; nothing when they have none, or one that has no meaning here.
    pub(crate) fn pattern(&self, bounds: BoundsId) -> Option<&Pattern> {
        let text = self.ir.types.bounds[bounds].pattern?;
        self.templates[bounds.index()].get_or_init(|| Pattern::new(self.ir.text(text).untrusted())).as_ref()
    }

    /// The `example` and `examples` of the schema that a row comes from. At most 16 of them.
    pub(crate) fn examples_of(&self, origin: Origin) -> Vec<Value> {
        let Some(&at) = self.stated.get(&(origin.source, origin.offset)) else { return Vec::new() };
        let schema = self.docs.value(at);
        let mut found = Vec::new();
        if let Some(example) = self.docs.keys.find("example").and_then(|key| schema.get(key)) {
            found.push(json::of_doc(example));
        }
        if let Some(examples) = self.docs.keys.find("examples").and_then(|key| schema.get(key))
            && examples.kind() == Kind::Array
        {
            found.extend(examples.children().take(16).map(json::of_doc));
        }
        found
    }
}

/// Objects that have `example` or `examples`, by source and offset. A YAML alias repeats an offset: the first one
/// counts.
fn stated_examples(docs: &DocSet) -> HashMap<(SourceId, u32), NodeRef> {
    let mut stated = HashMap::new();
    let keys = [docs.keys.find("example"), docs.keys.find("examples")];
    if keys == [None, None] {
        return stated;
    }
    for (id, doc) in docs.docs.iter() {
        for node in (0..doc.len()).map(NodeId::from_index).filter(|&node| doc.kind(node) == Kind::Object) {
            if doc.children(node).any(|child| doc.key(child).is_some() && keys.contains(&doc.key(child))) {
                stated.entry((doc.source_of(node), doc.offset(node))).or_insert(NodeRef { doc: id, node });
            }
        }
    }
    stated
}
