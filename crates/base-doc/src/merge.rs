//! Which members an object has in the end: YAML's merge key `<<`, and keys that stand twice.
//!
//! Reads rows in which a member without a key stands for a merge; writes rows without such members. A mapping's own
//! keys win, then those of the mapping that comes first, and the first of two members under one key. It only ever drops
//! rows, so the budget for aliases covers it.

use base::{Id, Sym};
use hashbrown::HashSet;

use crate::doc::{Content, Doc, DocBuilder, Kind, Node, NodeId};
use crate::fault::Fault;

/// Fixed seeds, since nothing iterates the set.
const HASHER: ahash::RandomState = ahash::RandomState::with_seeds(5, 6, 7, 8);

/// Resolves all merges of a finished tree.
pub(crate) fn resolve(builder: &mut DocBuilder) -> Result<(), Fault> {
    let doc = builder.doc_so_far();
    check_sources(doc)?;
    let rows = rewrite(doc, has_merge);
    builder.set_rows(rows);
    Ok(())
}

/// Keeps the first of the members under one key, for a document in which such members were found and reported: its
/// readers may rely on keys that differ.
pub(crate) fn drop_duplicates(builder: &mut DocBuilder) {
    let rows = rewrite(builder.doc_so_far(), |doc, node| doc.kind(node) == Kind::Object);
    builder.set_rows(rows);
}

/// Every merge is of a mapping or of a list of mappings.
fn check_sources(doc: &Doc) -> Result<(), Fault> {
    for row in 0..doc.len() {
        let object = NodeId::from_index(row);
        if doc.kind(object) != Kind::Object {
            continue;
        }
        for source in doc.children(object).filter(|&child| doc.key(child).is_none()) {
            let wrong = match doc.kind(source) {
                Kind::Object => None,
                Kind::Array => doc.children(source).find(|&item| doc.kind(item) != Kind::Object),
                _ => Some(source),
            };
            if let Some(wrong) = wrong {
                let found = doc.kind(wrong).phrase();
                let range = doc.range(wrong);
                let message = format!("the merge key `<<` takes an object or a list of objects, found {found}");
                return Err(Fault::syntax((range.0 as usize, range.1 as usize), message));
            }
        }
    }
    Ok(())
}

/// A container whose children are being copied.
struct Frame {
    /// Its row in the new tree.
    to: usize,
    /// Its effective members, last first, when they are chosen; else its children follow each other.
    members: Option<Vec<NodeId>>,
    next: usize,
    end: usize,
    len: u32,
}

/// The tree in which the objects that `chosen` tells hold their effective members only.
fn rewrite(doc: &Doc, chosen: fn(&Doc, NodeId) -> bool) -> Vec<Node> {
    let mut rows: Vec<Node> = Vec::with_capacity(doc.len());
    let mut stack: Vec<Frame> = Vec::new();
    let mut next = Some(doc.root());
    loop {
        if let Some(node) = next {
            let to = rows.len();
            rows.push(doc.nodes[node.index()]);
            if matches!(doc.kind(node), Kind::Array | Kind::Object) {
                let members = chosen(doc, node).then(|| effective_members(doc, node));
                stack.push(Frame { to, members, next: node.index() + 1, end: doc.end(node), len: 0 });
            }
        }
        let Some(frame) = stack.last_mut() else { return rows };
        next = frame.next_child(doc);
        if next.is_none() {
            let (end_row, to, n_children) = (rows.len() as u32, frame.to, frame.len);
            if let Content::Array { end, len } | Content::Object { end, len } = &mut rows[to].content {
                (*end, *len) = (end_row, n_children);
            }
            stack.pop();
        }
    }
}

impl Frame {
    fn next_child(&mut self, doc: &Doc) -> Option<NodeId> {
        let child = match &mut self.members {
            Some(members) => members.pop()?,
            None if self.next < self.end => NodeId::from_index(self.next),
            None => return None,
        };
        self.next = doc.end(child);
        self.len += 1;
        Some(child)
    }
}

fn has_merge(doc: &Doc, node: NodeId) -> bool {
    doc.kind(node) == Kind::Object && doc.children(node).any(|child| doc.key(child).is_none())
}

/// The members of an object and of all that it merges, last first, in the order in which they are written.
fn effective_members(doc: &Doc, object: NodeId) -> Vec<NodeId> {
    let mut taken: HashSet<Sym, ahash::RandomState> = HashSet::with_hasher(HASHER);
    let mut members = Vec::new();
    let mut sources = vec![object];
    while let Some(source) = sources.pop() {
        let mut merged = Vec::new();
        for child in doc.children(source) {
            match doc.key(child) {
                Some(key) if taken.insert(key) => members.push(child),
                Some(_) => {}
                None if doc.kind(child) == Kind::Object => merged.push(child),
                None => merged.extend(doc.children(child)),
            }
        }
        sources.extend(merged.into_iter().rev());
    }
    members.sort_unstable_by(|a, b| b.cmp(a));
    members
}
