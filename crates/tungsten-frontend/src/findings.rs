//! Findings that point at a value of a document. Their pointers and places are made once, at the end.
//!
//! A pointer is found by descending from the root, past all siblings on the way. Thousands of findings in one document
//! share one walk instead, so that the cost stays linear in the document.

use base::{Code, Diagnostic, Diags, Id, Place, SourceId};
use base_doc::{DocId, DocSet, Kind, NodeId, NodeRef, Value, escape_token};

use crate::keywords as kw;
use crate::lookup::{Map, Set};

/// Findings of one pass or several, not yet placed.
#[derive(Default, Debug)]
pub(crate) struct Findings {
    list: Vec<Finding>,
}

#[derive(Debug)]
struct Finding {
    diagnostic: Diagnostic,
    at: NodeRef,
    /// Whether the place is the value's key, whatever the value is.
    is_key: bool,
    related: Vec<(NodeRef, String)>,
}

impl Findings {
    /// Reports a finding at a value; returns it for a help text. Its place is filled in by [`Findings::into_diags`].
    pub(crate) fn report(&mut self, code: Code, at: NodeRef, message: impl Into<String>) -> &mut Diagnostic {
        self.push(code, at, false, message.into())
    }

    /// Reports a finding at the key of a value, such as a keyword that is not known.
    pub(crate) fn report_key(&mut self, code: Code, at: NodeRef, message: impl Into<String>) -> &mut Diagnostic {
        self.push(code, at, true, message.into())
    }

    fn push(&mut self, code: Code, at: NodeRef, is_key: bool, message: String) -> &mut Diagnostic {
        let diagnostic = Diagnostic::new(code, Place::default(), message);
        self.list.push(Finding { diagnostic, at, is_key, related: Vec::new() });
        &mut self.list.last_mut().expect("a finding was just pushed").diagnostic
    }

    /// Names a second place that the last finding is about.
    pub(crate) fn relate(&mut self, at: NodeRef, why: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.related.push((at, why.into()));
        }
    }

    /// The values that findings are about.
    pub(crate) fn places(&self) -> Set<NodeRef> {
        self.list.iter().map(|one| one.at).collect()
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
        for Finding { mut diagnostic, at, is_key, related } in self.list {
            diagnostic.place = place(at);
            if is_key {
                diagnostic.place.range = Some(docs.value(at).key_range());
            }
            diagnostic.related.extend(related.into_iter().map(|(at, why)| (place(at), why)));
            diags.push(diagnostic);
        }
    }
}

/// Makes one finding of those of `code` that say the same about one document: the first place is kept, and how many more
/// there are.
pub(crate) fn fold(diags: &mut Diags, code: Code) {
    let mut list: Vec<Diagnostic> = Vec::new();
    diags.retain(|diagnostic| {
        let is_other = diagnostic.code != code;
        if !is_other {
            list.push(diagnostic.clone());
        }
        is_other
    });
    let document = |one: &Diagnostic| one.place.source.map(Id::index);
    list.sort_by(|a, b| {
        let what = document(a).cmp(&document(b)).then_with(|| a.message.cmp(&b.message));
        what.then_with(|| a.place.range.cmp(&b.place.range)).then_with(|| a.place.pointer.cmp(&b.place.pointer))
    });
    list.dedup_by(|a, b| a.message == b.message && a.place == b.place);
    for same in list.chunk_by(|a, b| document(a) == document(b) && a.message == b.message) {
        let mut first = same[0].clone();
        match same.len() - 1 {
            0 => {}
            1 => first.message.push_str(" (here and in 1 more place)"),
            more => first.message.push_str(&format!(" (here and in {more} more places)")),
        }
        diags.push(first);
    }
}

fn key_of(at: &NodeRef) -> (usize, usize) {
    (at.doc.index(), at.node.index())
}

/// The place of a value: a scalar's own text, the key of a container.
pub(crate) fn place_of(docs: &DocSet, at: NodeRef, pointer: String) -> Place {
    let value = docs.value(at);
    let is_container = matches!(value.kind(), Kind::Array | Kind::Object);
    let range = if is_container { value.key_range() } else { value.range() };
    Place::at(value.source_id(), pointer, range)
}

/// Gives findings about rows of the IR, which know where a value starts and little more, their pointer and the range of
/// the key that names the row: a component's, a property's, an operation's; the `name` of a parameter in a list.
pub fn place_rows(docs: &DocSet, diags: &mut Diags) {
    let starts = starts(docs, diags);
    let row_of = |place: &Place| {
        let (start, _) = place.range.filter(|(start, end)| start == end)?;
        let candidates = starts.get(&(place.source?, start))?;
        // In YAML an object starts where its first key does; a pointer tells which of the two is meant.
        let last = place.pointer.rsplit('/').next().unwrap_or_default();
        let is_named = |at: &&NodeRef| docs.value(**at).key_text().is_some_and(|key| escape_token(key) == last);
        candidates.iter().find(|at| place.pointer.is_empty() || is_named(at)).copied()
    };
    let mut nodes: Vec<NodeRef> = diags.iter().filter_map(|diagnostic| row_of(&diagnostic.place)).collect();
    nodes.sort_unstable_by_key(key_of);
    nodes.dedup();
    let pointers = pointers(docs, &nodes);
    for diagnostic in diags.iter_mut() {
        let Some(at) = row_of(&diagnostic.place) else { continue };
        let value = docs.value(at);
        let name = value.get(kw::NAME).filter(|name| value.key().is_none() && name.as_str().is_some());
        diagnostic.place.range = Some(name.map_or_else(|| value.key_range(), Value::range));
        if let Ok(index) = nodes.binary_search_by_key(&key_of(&at), key_of) {
            diagnostic.place.pointer.clone_from(&pointers[index]);
        }
    }
}

/// Bytes of a document that are looked at as one when a place is searched.
const NEAR: usize = 256;

/// The rows of the documents that start where a finding without an extent is, by value or by key, in document order.
fn starts(docs: &DocSet, diags: &Diags) -> Map<(SourceId, u32), Vec<NodeRef>> {
    let mut wanted: Map<SourceId, Vec<u32>> = Map::default();
    for place in diags.iter().map(|diagnostic| &diagnostic.place) {
        if let (Some(source), Some((start, end))) = (place.source, place.range)
            && start == end
        {
            wanted.entry(source).or_default().push(start);
        }
    }
    let mut found: Map<(SourceId, u32), Vec<NodeRef>> = Map::default();
    for (id, doc) in docs.docs.iter() {
        for (source, source_id) in doc.sources() {
            let Some(offsets) = wanted.get_mut(&source_id) else { continue };
            offsets.sort_unstable();
            // Most rows start where nothing is wanted: one look tells so.
            let mut is_near = vec![false; source.bytes().len() / NEAR + 1];
            offsets.iter().for_each(|&start| is_near[start as usize / NEAR] = true);
            for node in (0..doc.len()).map(NodeId::from_index).filter(|&node| doc.source_of(node) == source_id) {
                let (value, key) = (doc.offset(node), doc.key_offset(node));
                for start in std::iter::once(value).chain((key != value).then_some(key)) {
                    if is_near[start as usize / NEAR] && offsets.binary_search(&start).is_ok() {
                        found.entry((source_id, start)).or_default().push(NodeRef { doc: id, node });
                    }
                }
            }
        }
    }
    found
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
