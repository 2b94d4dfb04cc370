//! The flat document tree: one row a value, in document order, each container followed by its content.
//!
//! A row knows its key, where it stands in the source and, for a container, where its content ends; siblings are found
//! by stepping over content. Keys are interned (one interner for all documents of a [`DocSet`]); scalars are ranges of
//! the source, or of the decoded text where the source spells them otherwise.

use std::sync::Arc;

use base::{Id, Interner, Source, SourceId, Sym, Table};

base::ids! {
    /// A document of a [`DocSet`].
    DocId "doc";
    /// A value of one [`Doc`].
    NodeId "node";
}

/// A value of one of several documents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodeRef {
    pub doc: DocId,
    pub node: NodeId,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl Kind {
    /// The kind with its article, for messages.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "a list",
            Self::Object => "an object",
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) key: Option<Sym>,
    /// Byte offset of the value in the source.
    pub(crate) offset: u32,
    /// Byte offset of the key, or of the value when it has none.
    pub(crate) key_offset: u32,
    pub(crate) content: Content,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Null,
    Bool(bool),
    /// Exact spelling.
    Number(TextRange),
    String(TextRange),
    /// `end` is the row after the content.
    Array {
        end: u32,
        len: u32,
    },
    Object {
        end: u32,
        len: u32,
    },
}

/// Bytes `start..start + len` of the source, or of the decoded text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextRange {
    start: u32,
    /// The highest bit says that the text is in the decoded pool.
    len_and_pool: u32,
}

const DECODED: u32 = 1 << 31;

impl TextRange {
    pub(crate) fn is_decoded(self) -> bool {
        self.len_and_pool & DECODED != 0
    }

    /// Adds a text to the decoded pool.
    pub(crate) fn decode(text: &str, pool: &mut String) -> Self {
        let start = pool.len() as u32;
        pool.push_str(text);
        Self { start, len_and_pool: text.len() as u32 | DECODED }
    }
}

/// One parsed document.
#[derive(Debug)]
pub struct Doc {
    pub(crate) source: Arc<Source>,
    pub(crate) source_id: SourceId,
    pub(crate) nodes: Vec<Node>,
    pub(crate) decoded: String,
    /// What stands in other sources; nothing for a document as it was read.
    pub(crate) layers: Option<Box<Layers>>,
}

/// The other sources of a document that was changed after it was read.
#[derive(Debug, Default)]
pub(crate) struct Layers {
    pub(crate) sources: Vec<(Arc<Source>, SourceId)>,
    /// By row: 0 for the document's own source, else one more than the place in `sources`. One number for the value and
    /// its key: a value that took another's place has its own offset as that of its key.
    pub(crate) of_row: Vec<u16>,
}

impl Doc {
    /// The outermost value. Every document has one.
    pub fn root(&self) -> NodeId {
        NodeId::from_index(0)
    }

    /// The document's own source. What an overlay wrote stands elsewhere: see [`Doc::source_of`].
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// See [`Doc::source`].
    pub fn source_id(&self) -> SourceId {
        self.source_id
    }

    /// The source that the places of a value and its key are in.
    pub fn source_of(&self, node: NodeId) -> SourceId {
        self.layer(node).1
    }

    /// All sources of the document, its own first.
    pub fn sources(&self) -> impl Iterator<Item = (&Arc<Source>, SourceId)> {
        let others = self.layers.iter().flat_map(|layers| &layers.sources);
        std::iter::once((&self.source, self.source_id)).chain(others.map(|(source, id)| (source, *id)))
    }

    pub(crate) fn layer(&self, node: NodeId) -> (&Arc<Source>, SourceId) {
        let Some(layers) = &self.layers else { return (&self.source, self.source_id) };
        match layers.of_row[node.index()] {
            0 => (&self.source, self.source_id),
            number => {
                let (source, id) = &layers.sources[usize::from(number) - 1];
                (source, *id)
            }
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn kind(&self, node: NodeId) -> Kind {
        match self.nodes[node.index()].content {
            Content::Null => Kind::Null,
            Content::Bool(_) => Kind::Bool,
            Content::Number(_) => Kind::Number,
            Content::String(_) => Kind::String,
            Content::Array { .. } => Kind::Array,
            Content::Object { .. } => Kind::Object,
        }
    }

    /// The key under which an object's member stands.
    pub fn key(&self, node: NodeId) -> Option<Sym> {
        self.nodes[node.index()].key
    }

    /// Byte offset of the value.
    pub fn offset(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].offset
    }

    /// Byte offset of the value's key, or of the value itself.
    pub fn key_offset(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].key_offset
    }

    pub fn as_str(&self, node: NodeId) -> Option<&str> {
        match self.nodes[node.index()].content {
            Content::String(range) => Some(self.text(node, range)),
            _ => None,
        }
    }

    pub fn as_bool(&self, node: NodeId) -> Option<bool> {
        match self.nodes[node.index()].content {
            Content::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The number as it was spelled, in JSON's form.
    pub fn as_number(&self, node: NodeId) -> Option<&str> {
        match self.nodes[node.index()].content {
            Content::Number(range) => Some(self.text(node, range)),
            _ => None,
        }
    }

    /// Byte range of the value's token: a scalar as it is spelled, the opening bracket of a container, the first line
    /// of what YAML spreads over several.
    pub fn range(&self, node: NodeId) -> (u32, u32) {
        let row = &self.nodes[node.index()];
        let bytes = self.layer(node).0.bytes();
        let plain_len = match row.content {
            Content::Number(range) | Content::String(range) if !range.is_decoded() => Some(range.len_and_pool),
            Content::Null | Content::Bool(_) => Some(crate::token::word_len(bytes, row.offset)),
            _ => None,
        };
        crate::token::value_range(bytes, row.offset, plain_len)
    }

    /// Byte range of the key under which the value stands, or of the value itself when it has none.
    pub fn key_range(&self, node: NodeId, keys: &Interner) -> (u32, u32) {
        let has_place = self.layers.is_none() || self.key_offset(node) != self.offset(node);
        match self.key(node).filter(|_| has_place) {
            Some(key) => crate::token::key_range(self.layer(node).0.bytes(), self.key_offset(node), keys.resolve(key)),
            None => self.range(node),
        }
    }

    /// Number of items or members; 0 for a scalar.
    pub fn n_children(&self, node: NodeId) -> usize {
        match self.nodes[node.index()].content {
            Content::Array { len, .. } | Content::Object { len, .. } => len as usize,
            _ => 0,
        }
    }

    /// Items of a list or members of an object, in document order; nothing for a scalar.
    pub fn children(&self, node: NodeId) -> Children<'_> {
        let end = self.end(node);
        Children { doc: self, next: node.index() + 1, end }
    }

    /// The member of an object under a key, by a walk over its members.
    pub fn get(&self, node: NodeId, key: Sym) -> Option<NodeId> {
        if self.kind(node) != Kind::Object {
            return None;
        }
        self.children(node).find(|&child| self.key(child) == Some(key))
    }

    /// The row after the value and everything in it.
    pub fn end(&self, node: NodeId) -> usize {
        match self.nodes[node.index()].content {
            Content::Array { end, .. } | Content::Object { end, .. } => end as usize,
            _ => node.index() + 1,
        }
    }

    /// RFC 6901 pointer to a value, found by descending from the root: only diagnostics ask.
    pub fn pointer(&self, node: NodeId, keys: &Interner) -> String {
        let mut pointer = String::new();
        let mut at = self.root();
        while at != node {
            let inside = self.children(at).enumerate().find(|&(_, child)| self.end(child) > node.index());
            let Some((index, child)) = inside else { break };
            pointer.push('/');
            match self.key(child) {
                Some(key) => pointer.push_str(&crate::pointer::escape_token(keys.resolve(key))),
                None => pointer.push_str(&index.to_string()),
            }
            at = child;
        }
        pointer
    }

    /// Renumbers keys after the document's own interner was merged into another: `to[old] = new`.
    pub fn remap_keys(&mut self, to: &[Sym]) {
        for node in &mut self.nodes {
            if let Some(key) = &mut node.key {
                *key = to[key.index()];
            }
        }
    }

    pub(crate) fn text(&self, node: NodeId, range: TextRange) -> &str {
        self.text_in(self.layer(node).0, range)
    }

    /// A text of a document that is being read.
    pub(crate) fn text_so_far(&self, range: TextRange) -> &str {
        self.text_in(&self.source, range)
    }

    fn text_in<'a>(&'a self, source: &'a Source, range: TextRange) -> &'a str {
        let start = range.start as usize;
        let len = (range.len_and_pool & !DECODED) as usize;
        if range.is_decoded() {
            &self.decoded[start..start + len]
        } else {
            // The builder only takes ranges of a source that is UTF-8.
            &source.text().expect("a parsed source is UTF-8")[start..start + len]
        }
    }
}

/// See [`Doc::children`].
#[derive(Clone, Debug)]
pub struct Children<'a> {
    doc: &'a Doc,
    next: usize,
    end: usize,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let node = NodeId::from_index(self.next);
        self.next = self.doc.end(node);
        Some(node)
    }
}

/// The sink that both parsers feed.
#[derive(Debug)]
pub struct DocBuilder {
    doc: Doc,
    open: Vec<Open>,
    key: Option<(Option<Sym>, u32)>,
    duplicates: Vec<Duplicate>,
    n_duplicates: usize,
    /// By symbol: the container that held the key last, and the member there. Looked at when an object ends, so that
    /// each key costs one look whatever the size of its object.
    seen: Vec<(u32, u32)>,
}

/// A container that is not ended yet.
#[derive(Clone, Copy, Debug)]
struct Open {
    row: u32,
    len: u32,
    is_object: bool,
}

/// Two members of one object under the same key.
#[derive(Debug)]
pub(crate) struct Duplicate {
    /// The way to the object.
    pub(crate) path: Vec<Step>,
    /// Nothing for YAML's merge key, which stands for other members.
    pub(crate) key: Option<Sym>,
    pub(crate) first_offset: u32,
    pub(crate) second_offset: u32,
}

/// One step down from a container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Key(Sym),
    Index(u32),
    /// YAML's merge key.
    Merge,
}

/// Duplicate keys of one document that are reported one by one; the others are counted.
pub(crate) const REPORTED_DUPLICATES: usize = 1_000;

/// No row: a document has fewer than 2^32 of them.
const NO_ROW: u32 = u32::MAX;

impl DocBuilder {
    pub fn new(source: Arc<Source>, source_id: SourceId) -> Self {
        let doc = Doc { source, source_id, nodes: Vec::new(), decoded: String::new(), layers: None };
        Self { doc, open: Vec::new(), key: None, duplicates: Vec::new(), n_duplicates: 0, seen: Vec::new() }
    }

    pub fn reserve(&mut self, n_nodes: usize) {
        self.doc.nodes.reserve(n_nodes);
    }

    /// The key of the value that comes next.
    pub fn key(&mut self, key: Sym, offset: u32) {
        self.key = Some((Some(key), offset));
    }

    /// The value that comes next stands under YAML's merge key. It becomes a member without a key, for `merge`.
    pub(crate) fn merge_key(&mut self, offset: u32) {
        self.key = Some((None, offset));
    }

    pub fn null(&mut self, offset: u32) {
        self.push(offset, Content::Null);
    }

    pub fn bool(&mut self, offset: u32, value: bool) {
        self.push(offset, Content::Bool(value));
    }

    /// A number spelled in the source at `start..start + len`.
    pub fn number(&mut self, offset: u32, start: u32, len: u32) {
        self.push(offset, Content::Number(TextRange { start, len_and_pool: len }));
    }

    /// A number whose JSON spelling is not the source's.
    pub fn number_text(&mut self, offset: u32, text: &str) {
        let range = self.decode(text);
        self.push(offset, Content::Number(range));
    }

    /// A string that stands in the source as it is, at `start..start + len`.
    pub fn string(&mut self, offset: u32, start: u32, len: u32) {
        self.push(offset, Content::String(TextRange { start, len_and_pool: len }));
    }

    /// A string that the source spells otherwise.
    pub fn string_text(&mut self, offset: u32, text: &str) {
        let range = self.decode(text);
        self.push(offset, Content::String(range));
    }

    pub fn begin_array(&mut self, offset: u32) {
        self.begin(offset, Content::Array { end: 0, len: 0 }, false);
    }

    pub fn begin_object(&mut self, offset: u32) {
        self.begin(offset, Content::Object { end: 0, len: 0 }, true);
    }

    /// Ends the innermost open container. An object's keys are compared: the same key twice is a finding of
    /// [`DocBuilder::finish`].
    pub fn end(&mut self) {
        let opened = self.open.pop().expect("a parser ends only what it began");
        let end_row = self.doc.nodes.len() as u32;
        if opened.is_object && opened.len > 1 {
            self.find_duplicates(opened, end_row);
        }
        match &mut self.doc.nodes[opened.row as usize].content {
            Content::Array { end, len } | Content::Object { end, len } => (*end, *len) = (end_row, opened.len),
            _ => unreachable!("only containers are opened"),
        }
    }

    /// Containers that are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    pub fn len(&self) -> usize {
        self.doc.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.doc.nodes.is_empty()
    }

    /// The document, or nothing when no value was given.
    pub fn finish(self) -> Option<Doc> {
        (!self.doc.nodes.is_empty() && self.open.is_empty()).then_some(self.doc)
    }

    /// Forgets everything that was given, to read the same source in another way.
    pub(crate) fn restart(&mut self) {
        let (source, source_id) = (Arc::clone(&self.doc.source), self.doc.source_id);
        *self = Self::new(source, source_id);
    }

    /// Whether the innermost open container is an object; nothing outside of all containers.
    pub(crate) fn in_object(&self) -> Option<bool> {
        self.open.last().map(|open| open.is_object)
    }

    /// The keys that stand twice, at most [`REPORTED_DUPLICATES`] of them, and how many there are in all.
    pub(crate) fn take_duplicates(&mut self) -> (Vec<Duplicate>, usize) {
        (std::mem::take(&mut self.duplicates), std::mem::take(&mut self.n_duplicates))
    }

    /// The way to the place that is being read: to the value that comes next or, after a value, to its container.
    pub(crate) fn path(&self) -> Vec<Step> {
        let mut path: Vec<Step> = self.container_path();
        path.extend(self.key.map(|(key, _)| key.map_or(Step::Merge, Step::Key)));
        path
    }

    /// The document as it is built so far.
    pub(crate) fn doc_so_far(&self) -> &Doc {
        &self.doc
    }

    /// Replaces the rows of a finished tree.
    pub(crate) fn set_rows(&mut self, rows: Vec<Node>) {
        self.doc.nodes = rows;
    }

    /// A text that stands in the source as it is.
    pub(crate) fn in_source(start: usize, len: usize) -> TextRange {
        TextRange { start: start as u32, len_and_pool: len as u32 }
    }

    /// A finished row's number of values, with itself, and the number of containers on the longest way down, with
    /// itself.
    pub(crate) fn size(&self, row: u32) -> (usize, usize) {
        let end = self.doc.end(NodeId::from_index(row as usize));
        let mut height = 0;
        let mut ends: Vec<u32> = Vec::new();
        for index in row as usize..end {
            while ends.last().is_some_and(|&end| end as usize <= index) {
                ends.pop();
            }
            if let Content::Array { end, .. } | Content::Object { end, .. } = self.doc.nodes[index].content {
                ends.push(end);
                height = height.max(ends.len());
            }
        }
        (end - row as usize, height)
    }

    /// A value with the content of a row that is complete, at another place: what a YAML alias stands for.
    pub(crate) fn copy(&mut self, row: u32, offset: u32) {
        let end = self.doc.end(NodeId::from_index(row as usize)) as u32;
        let to = self.doc.nodes.len() as u32;
        self.push(offset, self.doc.nodes[row as usize].content);
        self.doc.nodes.extend_from_within(row as usize + 1..end as usize);
        for node in &mut self.doc.nodes[to as usize..] {
            if let Content::Array { end, .. } | Content::Object { end, .. } = &mut node.content {
                *end = *end - row + to;
            }
        }
    }

    /// Corrects the place of a value.
    pub(crate) fn move_to(&mut self, row: u32, offset: u32) {
        let node = &mut self.doc.nodes[row as usize];
        if node.key_offset == node.offset {
            node.key_offset = offset;
        }
        node.offset = offset;
    }

    /// A scalar with a content that was made before.
    pub(crate) fn scalar(&mut self, offset: u32, content: Content) {
        self.push(offset, content);
    }

    fn begin(&mut self, offset: u32, content: Content, is_object: bool) {
        let row = self.doc.nodes.len() as u32;
        self.push(offset, content);
        self.open.push(Open { row, len: 0, is_object });
    }

    fn push(&mut self, offset: u32, content: Content) {
        let (key, key_offset) = match self.key.take() {
            Some((key, key_offset)) => (key, key_offset),
            None => (None, offset),
        };
        if let Some(open) = self.open.last_mut() {
            open.len += 1;
        }
        self.doc.nodes.push(Node { key, offset, key_offset, content });
    }

    pub(crate) fn decode(&mut self, text: &str) -> TextRange {
        TextRange::decode(text, &mut self.doc.decoded)
    }

    fn find_duplicates(&mut self, opened: Open, end_row: u32) {
        let mut merge_row = NO_ROW;
        let mut row = opened.row + 1;
        while row < end_row {
            let node = NodeId::from_index(row as usize);
            let first = match self.doc.key(node) {
                Some(key) => self.first_of_key(key, opened.row, row),
                None if merge_row == NO_ROW => std::mem::replace(&mut merge_row, row),
                None => merge_row,
            };
            if first != NO_ROW {
                self.push_duplicate(opened, first, row);
            }
            row = self.doc.end(node) as u32;
        }
    }

    /// The earlier member of the object in row `object` under `key`, or [`NO_ROW`]; then `row` is noted as the first.
    fn first_of_key(&mut self, key: Sym, object: u32, row: u32) -> u32 {
        if key.index() >= self.seen.len() {
            self.seen.resize(key.index() + 64, (NO_ROW, NO_ROW));
        }
        let seen = &mut self.seen[key.index()];
        if seen.0 == object {
            return seen.1;
        }
        *seen = (object, row);
        NO_ROW
    }

    fn push_duplicate(&mut self, opened: Open, first: u32, second: u32) {
        self.n_duplicates += 1;
        if self.duplicates.len() == REPORTED_DUPLICATES {
            return;
        }
        let mut path = self.container_path();
        path.extend(self.open.last().map(|&parent| self.step(parent, opened.row)));
        let (first, second) = (self.doc.nodes[first as usize], self.doc.nodes[second as usize]);
        self.duplicates.push(Duplicate {
            path,
            key: second.key,
            first_offset: first.key_offset,
            second_offset: second.key_offset,
        });
    }

    /// The way to the innermost open container.
    fn container_path(&self) -> Vec<Step> {
        let pairs = self.open.windows(2);
        pairs.map(|pair| self.step(pair[0], pair[1].row)).collect()
    }

    /// The step from an open container to its last child, which stands in `row`.
    fn step(&self, parent: Open, row: u32) -> Step {
        match self.doc.nodes[row as usize].key {
            Some(key) => Step::Key(key),
            None if parent.is_object => Step::Merge,
            None => Step::Index(parent.len - 1),
        }
    }
}

/// RFC 6901 pointer of a way down from the root.
pub(crate) fn pointer_of(path: &[Step], keys: &Interner) -> String {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        match step {
            Step::Key(key) => pointer.push_str(&crate::pointer::escape_token(keys.resolve(*key))),
            Step::Index(index) => pointer.push_str(&index.to_string()),
            Step::Merge => pointer.push_str("<<"),
        }
    }
    pointer
}

/// All documents of a run, in the order in which they were found, with one interner for their keys.
///
/// `keys` only grows: its first symbols are the words that [`DocSet::with_words`] was given, in every document.
#[derive(Debug, Default)]
pub struct DocSet {
    pub docs: Table<DocId, Doc>,
    pub keys: Interner,
    words: Interner,
}

impl DocSet {
    /// A set whose first key symbols are `words`, in order. Panics when a word stands twice.
    pub fn with_words(words: &[&str]) -> Self {
        let words = Interner::with_words(words);
        Self { docs: Table::default(), keys: words.clone(), words }
    }

    /// The words that all documents share: where the interner of each document starts.
    pub fn words(&self) -> &Interner {
        &self.words
    }

    pub fn value(&self, at: NodeRef) -> Value<'_> {
        Value { set: self, at }
    }

    pub fn root(&self, doc: DocId) -> Value<'_> {
        self.value(NodeRef { doc, node: self.docs[doc].root() })
    }
}

/// A value together with the documents it belongs to: the reader's handle, two words and a half.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    set: &'a DocSet,
    at: NodeRef,
}

impl<'a> Value<'a> {
    pub fn at(self) -> NodeRef {
        self.at
    }

    pub fn set(self) -> &'a DocSet {
        self.set
    }

    pub fn doc(self) -> &'a Doc {
        &self.set.docs[self.at.doc]
    }

    pub fn kind(self) -> Kind {
        self.doc().kind(self.at.node)
    }

    pub fn key(self) -> Option<Sym> {
        self.doc().key(self.at.node)
    }

    /// The text of the key under which the value stands.
    pub fn key_text(self) -> Option<&'a str> {
        self.key().map(|key| self.set.keys.resolve(key))
    }

    pub fn as_str(self) -> Option<&'a str> {
        self.doc().as_str(self.at.node)
    }

    pub fn as_bool(self) -> Option<bool> {
        self.doc().as_bool(self.at.node)
    }

    /// The number as it was spelled, in JSON's form.
    pub fn as_number(self) -> Option<&'a str> {
        self.doc().as_number(self.at.node)
    }

    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    pub fn get(self, key: Sym) -> Option<Value<'a>> {
        self.doc().get(self.at.node, key).map(|node| self.sibling(node))
    }

    pub fn n_children(self) -> usize {
        self.doc().n_children(self.at.node)
    }

    /// Items of a list or members of an object, in document order; nothing for a scalar.
    pub fn children(self) -> impl Iterator<Item = Value<'a>> {
        self.doc().children(self.at.node).map(move |node| self.sibling(node))
    }

    /// Byte range of the value's token, for diagnostics.
    pub fn range(self) -> (u32, u32) {
        self.doc().range(self.at.node)
    }

    /// The source that the ranges of the value and its key are in.
    pub fn source_id(self) -> SourceId {
        self.doc().source_of(self.at.node)
    }

    /// Byte range of the value's key, or of the value itself.
    pub fn key_range(self) -> (u32, u32) {
        self.doc().key_range(self.at.node, &self.set.keys)
    }

    /// RFC 6901 pointer, for diagnostics.
    pub fn pointer(self) -> String {
        self.doc().pointer(self.at.node, &self.set.keys)
    }

    fn sibling(self, node: NodeId) -> Self {
        Self { set: self.set, at: NodeRef { doc: self.at.doc, node } }
    }
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}/{:?} ({:?})", self.at.doc, self.at.node, self.kind())
    }
}
