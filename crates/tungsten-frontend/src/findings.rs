//! Findings that point at a value of a document. Their pointers and places are made once, at the end.
//!
//! A pointer is found by descending from the root, past all siblings on the way. Thousands of findings in one document
//! share one walk instead, so that the cost stays linear in the document.

use base::{Code, Diagnostic, Diags, Id, Place};
use base_doc::{DocId, DocSet, Kind, NodeId, NodeRef, escape_token};

/// Findings of one pass or several, not yet placed.
#[derive(Default, Debug)]
pub(crate) struct Findings {
    list: Vec<Finding>,
}

#[derive(Debug)]
struct Finding {
    diagnostic: Diagnostic,
    at: NodeRef,
    related: Vec<(NodeRef, String)>,
}

impl Findings {
    /// Reports a finding at a value; returns it for a help text. Its place is filled in by [`Findings::into_diags`].
    pub(crate) fn report(&mut self, code: Code, at: NodeRef, message: impl Into<String>) -> &mut Diagnostic {
        let diagnostic = Diagnostic::new(code, Place::default(), message);
        self.list.push(Finding { diagnostic, at, related: Vec::new() });
        &mut self.list.last_mut().expect("a finding was just pushed").diagnostic
    }

    /// Names a second place that the last finding is about.
    pub(crate) fn relate(&mut self, at: NodeRef, why: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.related.push((at, why.into()));
        }
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.list.extend(other.list);
    }

    /// Gives every finding its pointer and byte range.
    pub(crate) fn into_diags(self, docs: &DocSet, diags: &mut Diags) {
        let mut nodes: Vec<NodeRef> = self
            .list
            .iter()
            .flat_map(|one| std::iter::once(one.at).chain(one.related.iter().map(|(at, _)| *at)))
            .collect();
        nodes.sort_unstable_by_key(key_of);
        nodes.dedup();
        let pointers = pointers(docs, &nodes);
        let place = |at: NodeRef| {
            let pointer = nodes.binary_search_by_key(&key_of(&at), key_of).map(|index| pointers[index].clone());
            place_of(docs, at, pointer.unwrap_or_default())
        };
        for Finding { mut diagnostic, at, related } in self.list {
            diagnostic.place = place(at);
            diagnostic.related.extend(related.into_iter().map(|(at, why)| (place(at), why)));
            diags.push(diagnostic);
        }
    }
}

fn key_of(at: &NodeRef) -> (usize, usize) {
    (at.doc.index(), at.node.index())
}

/// The place of a value: a scalar's own text, the key of a container.
pub(crate) fn place_of(docs: &DocSet, at: NodeRef, pointer: String) -> Place {
    let doc = &docs.docs[at.doc];
    let value = docs.value(at);
    let scalar = match value.kind() {
        Kind::String => value.as_str().and_then(|text| text.lines().next()).map(str::len),
        Kind::Number => value.as_number().map(str::len),
        Kind::Bool => value.as_bool().map(|yes| if yes { 4 } else { 5 }),
        Kind::Null => Some(4),
        Kind::Array | Kind::Object => None,
    };
    let (start, len) = match (scalar, value.key_text()) {
        (Some(len), _) => (doc.offset(at.node), len),
        (None, Some(key)) => (doc.key_offset(at.node), key.len()),
        (None, None) => (doc.offset(at.node), 1),
    };
    let bytes = doc.source().bytes();
    let quotes = if matches!(bytes.get(start as usize), Some(b'"' | b'\'')) { 2 } else { 0 };
    let end = (start as usize + len + quotes).min(bytes.len());
    Place::at(doc.source_id(), pointer, (start, (end as u32).max(start)))
}

/// The pointers of values that are sorted by document and row.
pub(crate) fn pointers(docs: &DocSet, sorted: &[NodeRef]) -> Vec<String> {
    let mut out = Vec::with_capacity(sorted.len());
    let mut way: Option<Way<'_>> = None;
    for at in sorted {
        let way = match &mut way {
            Some(way) if way.doc == at.doc => way,
            other => other.insert(Way::new(docs, at.doc)),
        };
        out.push(way.down_to(at.node));
    }
    out
}

/// The way from a root down to a value; the next way starts where it leaves the last one.
struct Way<'a> {
    docs: &'a DocSet,
    doc: DocId,
    /// Rows of the values on the way; after each, the length of the pointer there and the number of earlier siblings.
    steps: Vec<(NodeId, usize, usize)>,
    pointer: String,
}

impl<'a> Way<'a> {
    fn new(docs: &'a DocSet, doc: DocId) -> Self {
        Self { docs, doc, steps: vec![(docs.docs[doc].root(), 0, 0)], pointer: String::new() }
    }

    fn down_to(&mut self, node: NodeId) -> String {
        let doc = &self.docs.docs[self.doc];
        // The next sibling to look at below the last value of the way that holds the node.
        let mut resume = None;
        while let Some(&(at, _, index)) = self.steps.last() {
            if at == node || doc.end(at) > node.index() || self.steps.len() == 1 {
                break;
            }
            self.steps.pop();
            resume = Some((doc.end(at), index + 1));
        }
        loop {
            let &(at, len, _) = self.steps.last().expect("the root is always on the way");
            self.pointer.truncate(len);
            if at == node || doc.end(at) <= node.index() {
                return self.pointer.clone();
            }
            let (mut row, mut index) = resume.take().unwrap_or((at.index() + 1, 0));
            while row < doc.end(at) && doc.end(NodeId::from_index(row)) <= node.index() {
                row = doc.end(NodeId::from_index(row));
                index += 1;
            }
            if row >= doc.end(at) {
                return self.pointer.clone();
            }
            let child = NodeId::from_index(row);
            self.pointer.push('/');
            match doc.key(child) {
                Some(key) => self.pointer.push_str(&escape_token(self.docs.keys.resolve(key))),
                None => self.pointer.push_str(&index.to_string()),
            }
            self.steps.push((child, self.pointer.len(), index));
        }
    }
}
