//! A document that is being changed: values are added, merged and removed, then it is a [`Doc`] again.
//!
//! Reads a [`Doc`] and the documents that values are taken from; writes a new [`Doc`], each row of which knows the
//! source that it stands in. A change costs what it touches, not the size of the document. What to change is left to
//! others.

use std::sync::Arc;

use base::{Id, Interner, Sym, limits};
use hashbrown::HashMap;

use crate::doc::{Content, Doc, Kind, Layers, Node, NodeId, TextRange};

base::ids! {
    /// A value of one [`Tree`].
    TreeId "value";
}

/// Why a change was refused; nothing was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditError {
    /// Containers within containers beyond [`limits::DEPTH`].
    TooDeep,
    /// More values than [`Tree::max_values`].
    TooLarge,
    /// The two kinds cannot be merged: an object takes members, a scalar takes a scalar.
    Misfit { target: Kind, value: Kind },
}

/// A document from which values are taken.
#[derive(Clone, Copy, Debug)]
pub struct Origin(u16);

/// A document that is being changed.
#[derive(Debug)]
pub struct Tree<'a> {
    docs: Vec<&'a Doc>,
    keys: &'a mut Interner,
    rows: Vec<Row>,
    /// Values that were read, those of all origins.
    n_read: usize,
}

/// One value. Siblings are a list, so that adding and removing touches no others.
#[derive(Clone, Copy, Debug)]
struct Row {
    key: Option<Sym>,
    /// Where the value is from: its kind, its text and its place.
    doc: u16,
    node: NodeId,
    /// The key stands elsewhere than the value: its place is unknown.
    key_is_elsewhere: bool,
    removed: bool,
    parent: Option<TreeId>,
    first: Option<TreeId>,
    last: Option<TreeId>,
    next: Option<TreeId>,
    len: u32,
}

/// Objects of more members are indexed before many members are merged into them.
const INDEXED_FROM: usize = 16;

/// Fixed seeds: look-ups never depend on the run, and nothing iterates the map.
const HASHER: ahash::RandomState = ahash::RandomState::with_seeds(41, 42, 43, 44);

impl<'a> Tree<'a> {
    /// The document as it is. `keys` are the document's, and get those of what is added.
    pub fn new(doc: &'a Doc, keys: &'a mut Interner) -> Self {
        let mut tree = Self { docs: vec![doc], keys, rows: Vec::with_capacity(doc.len()), n_read: doc.len() };
        tree.import_rows(0, doc.root(), |_, key| key);
        tree
    }

    /// Names a document that values will be taken from.
    pub fn origin(&mut self, doc: &'a Doc) -> Origin {
        let number = u16::try_from(self.docs.len()).expect("fewer files than the budget of a run");
        self.docs.push(doc);
        self.n_read += doc.len();
        Origin(number)
    }

    pub fn root(&self) -> TreeId {
        TreeId::from_index(0)
    }

    pub fn keys(&self) -> &Interner {
        self.keys
    }

    pub fn kind(&self, at: TreeId) -> Kind {
        let row = self.row(at);
        self.doc(row).kind(row.node)
    }

    pub fn key(&self, at: TreeId) -> Option<Sym> {
        self.row(at).key
    }

    /// The text of the key under which the value stands.
    pub fn key_text(&self, at: TreeId) -> Option<&str> {
        self.key(at).map(|key| self.keys.resolve(key))
    }

    pub fn as_str(&self, at: TreeId) -> Option<&str> {
        let row = self.row(at);
        self.doc(row).as_str(row.node)
    }

    pub fn as_bool(&self, at: TreeId) -> Option<bool> {
        let row = self.row(at);
        self.doc(row).as_bool(row.node)
    }

    /// The number as it was spelled, in JSON's form.
    pub fn as_number(&self, at: TreeId) -> Option<&str> {
        let row = self.row(at);
        self.doc(row).as_number(row.node)
    }

    /// Number of items or members; 0 for a scalar.
    pub fn n_children(&self, at: TreeId) -> usize {
        self.row(at).len as usize
    }

    /// Items or members in order; nothing for a scalar.
    pub fn children(&self, at: TreeId) -> impl Iterator<Item = TreeId> {
        std::iter::successors(self.row(at).first, |&child| self.row(child).next)
    }

    /// The member of an object under a key, by a walk over its members.
    pub fn get(&self, at: TreeId, key: Sym) -> Option<TreeId> {
        self.children(at).find(|&child| self.key(child) == Some(key))
    }

    /// The container of a value; nothing for the root.
    pub fn parent(&self, at: TreeId) -> Option<TreeId> {
        self.row(at).parent
    }

    /// The value after `at` in document order, among `top` and what is in it.
    pub fn next_within(&self, top: TreeId, at: TreeId) -> Option<TreeId> {
        if let Some(first) = self.row(at).first {
            return Some(first);
        }
        let mut at = at;
        while at != top {
            if let Some(next) = self.row(at).next {
                return Some(next);
            }
            at = self.row(at).parent?;
        }
        None
    }

    /// The value and what is in it, in document order.
    pub fn within(&self, top: TreeId) -> impl Iterator<Item = TreeId> {
        std::iter::successors(Some(top), move |&at| self.next_within(top, at))
    }

    /// Values that may be made in all: the factor and the base of YAML's aliases, since a change that is made in many
    /// places multiplies as they do.
    pub fn max_values(&self) -> usize {
        self.n_read.saturating_mul(limits::ALIAS_NODES_FACTOR) + limits::ALIAS_NODES_BASE
    }

    /// A copy of a value of another document, which belongs nowhere yet. `keys` are that document's.
    pub fn import(&mut self, origin: Origin, node: NodeId, keys: &Interner) -> Result<TreeId, EditError> {
        let doc = self.docs[usize::from(origin.0)];
        self.check_size(doc.end(node) - node.index())?;
        Ok(self.import_rows(origin.0, node, |tree, key| tree.intern(keys.resolve(key))))
    }

    /// A copy of a value of the tree, which belongs nowhere yet.
    pub fn copy(&mut self, at: TreeId) -> Result<TreeId, EditError> {
        let mut size = 0;
        for _ in self.within(at) {
            size += 1;
            self.check_size(size)?;
        }
        let top = TreeId::from_index(self.rows.len());
        self.push(Row { key: None, parent: None, ..self.row(at).alone() });
        let mut pairs = vec![(at, top)];
        while let Some((from, to)) = pairs.pop() {
            let mut next = self.row(from).first;
            while let Some(child) = next {
                let copied = self.push(self.row(child).alone());
                self.attach(to, copied);
                pairs.push((child, copied));
                next = self.row(child).next;
            }
        }
        Ok(top)
    }

    /// Merges a value that belongs nowhere into a target, which is an object, a list or a scalar of its own kind:
    /// members that are there already are merged in turn, others are added; a list gets another list's items, or one
    /// more item; all else is replaced.
    pub fn merge(&mut self, target: TreeId, value: TreeId) -> Result<(), EditError> {
        let (into, kind) = (self.kind(target), self.kind(value));
        let is_item = into == Kind::Array && kind != Kind::Array;
        if self.n_above(target) + usize::from(is_item) + self.height(value) > limits::DEPTH {
            return Err(EditError::TooDeep);
        }
        match (into, kind) {
            (Kind::Array, _) | (Kind::Object, Kind::Object) => {}
            (Kind::Object, _) | (_, Kind::Object | Kind::Array) => {
                return Err(EditError::Misfit { target: into, value: kind });
            }
            _ => {}
        }
        if is_item {
            self.attach(target, value);
            return Ok(());
        }
        let mut pairs = vec![(target, value)];
        while let Some((target, value)) = pairs.pop() {
            match (self.kind(target), self.kind(value)) {
                (Kind::Object, Kind::Object) => self.merge_members(target, value, &mut pairs),
                (Kind::Array, Kind::Array) => {
                    let mut next = self.row(value).first;
                    while let Some(item) = next {
                        next = self.row(item).next;
                        self.attach(target, item);
                    }
                }
                _ => self.replace(target, value),
            }
        }
        Ok(())
    }

    /// Removes values from their containers. The root stays.
    pub fn remove(&mut self, values: &[TreeId]) {
        let mut parents = Vec::new();
        for &value in values {
            if let Some(parent) = self.row(value).parent {
                self.rows[value.index()].removed = true;
                parents.push(parent);
            }
        }
        parents.sort_unstable();
        parents.dedup();
        for parent in parents {
            let mut next = self.row(parent).first;
            let row = &mut self.rows[parent.index()];
            (row.first, row.last, row.len) = (None, None, 0);
            while let Some(child) = next {
                next = self.row(child).next;
                if !self.row(child).removed {
                    self.attach(parent, child);
                }
            }
        }
    }

    /// The document with all changes.
    pub fn into_doc(self) -> Doc {
        let main = self.docs[0];
        let mut sources = Sources::of(&self.docs);
        let mut out = Rows { nodes: Vec::with_capacity(main.len()), of_row: Vec::new(), decoded: main.decoded.clone() };
        let mut open: Vec<(TreeId, usize)> = Vec::new();
        for at in self.within(self.root()) {
            while open.last().is_some_and(|&(top, _)| Some(top) != self.row(at).parent) {
                out.end(open.pop());
            }
            let row = self.row(at);
            let layer = sources.number(self.doc(row), row.node);
            if matches!(self.kind(at), Kind::Array | Kind::Object) {
                open.push((at, out.nodes.len()));
            }
            out.push(self.doc(row), row, layer);
        }
        while let Some(top) = open.pop() {
            out.end(Some(top));
        }
        let layers = Layers { sources: sources.others, of_row: out.of_row };
        Doc {
            source: Arc::clone(main.source()),
            source_id: main.source_id(),
            nodes: out.nodes,
            decoded: out.decoded,
            layers: (!layers.sources.is_empty()).then(|| Box::new(layers)),
        }
    }

    fn row(&self, at: TreeId) -> &Row {
        &self.rows[at.index()]
    }

    fn doc(&self, row: &Row) -> &'a Doc {
        self.docs[usize::from(row.doc)]
    }

    fn push(&mut self, row: Row) -> TreeId {
        let id = TreeId::from_index(self.rows.len());
        self.rows.push(row);
        id
    }

    fn check_size(&self, n_more: usize) -> Result<(), EditError> {
        if self.rows.len() + n_more > self.max_values() { Err(EditError::TooLarge) } else { Ok(()) }
    }

    fn intern(&mut self, key: &str) -> Sym {
        self.keys.intern(key)
    }

    /// Copies the rows of a document's value. The copied top has no key.
    fn import_rows(&mut self, number: u16, top: NodeId, key_of: impl Fn(&mut Self, Sym) -> Sym) -> TreeId {
        let doc = self.docs[usize::from(number)];
        let first = TreeId::from_index(self.rows.len());
        // The container and the row after its content.
        let mut open: Vec<(TreeId, usize)> = Vec::new();
        for index in top.index()..doc.end(top) {
            while open.last().is_some_and(|&(_, end)| end <= index) {
                open.pop();
            }
            let node = NodeId::from_index(index);
            let key = doc.key(node).filter(|_| index > top.index()).map(|key| key_of(self, key));
            let id = self.push(Row::new(key, number, node));
            if let Some(&(parent, _)) = open.last() {
                self.attach(parent, id);
            }
            if matches!(doc.kind(node), Kind::Array | Kind::Object) {
                open.push((id, doc.end(node)));
            }
        }
        first
    }

    /// Appends a value to a container.
    fn attach(&mut self, parent: TreeId, child: TreeId) {
        let row = &mut self.rows[child.index()];
        (row.parent, row.next) = (Some(parent), None);
        let row = &mut self.rows[parent.index()];
        row.len += 1;
        match row.last.replace(child) {
            Some(last) => self.rows[last.index()].next = Some(child),
            None => row.first = Some(child),
        }
    }

    fn merge_members(&mut self, target: TreeId, value: TreeId, pairs: &mut Vec<(TreeId, TreeId)>) {
        let is_indexed = self.n_children(target) > INDEXED_FROM && self.n_children(value) > 1;
        let mut index: HashMap<Sym, TreeId, ahash::RandomState> = HashMap::with_hasher(HASHER);
        if is_indexed {
            index.extend(self.children(target).filter_map(|child| Some((self.key(child)?, child))));
        }
        let mut next = self.row(value).first;
        while let Some(member) = next {
            next = self.row(member).next;
            let Some(key) = self.key(member) else { continue };
            let there = if is_indexed { index.get(&key).copied() } else { self.get(target, key) };
            match there {
                Some(there) => pairs.push((there, member)),
                None => self.attach(target, member),
            }
        }
    }

    /// Puts a value in the place of another, under the same key.
    fn replace(&mut self, target: TreeId, value: TreeId) {
        let new = *self.row(value);
        let row = &mut self.rows[target.index()];
        (row.doc, row.node) = (new.doc, new.node);
        row.key_is_elsewhere = new.key_is_elsewhere || row.key != new.key;
        (row.first, row.last, row.len) = (new.first, new.last, new.len);
        let mut next = new.first;
        while let Some(child) = next {
            self.rows[child.index()].parent = Some(target);
            next = self.row(child).next;
        }
    }

    /// Containers around a value.
    fn n_above(&self, at: TreeId) -> usize {
        std::iter::successors(self.parent(at), |&at| self.parent(at)).count()
    }

    /// Containers on the longest way down, with the value itself.
    fn height(&self, top: TreeId) -> usize {
        let mut height = 0;
        let mut open: Vec<TreeId> = Vec::new();
        for at in self.within(top) {
            while open.last().is_some_and(|&last| Some(last) != self.parent(at)) {
                open.pop();
            }
            if matches!(self.kind(at), Kind::Array | Kind::Object) {
                open.push(at);
                height = height.max(open.len());
            }
        }
        height
    }
}

impl Row {
    fn new(key: Option<Sym>, doc: u16, node: NodeId) -> Self {
        Self {
            key,
            doc,
            node,
            key_is_elsewhere: false,
            removed: false,
            parent: None,
            first: None,
            last: None,
            next: None,
            len: 0,
        }
    }

    /// The value without its content and its place among others.
    fn alone(&self) -> Self {
        Self { key_is_elsewhere: self.key_is_elsewhere, ..Self::new(self.key, self.doc, self.node) }
    }
}

/// The sources of a changed document, numbered as they are met.
struct Sources<'a> {
    main: &'a Doc,
    others: Vec<(Arc<base::Source>, base::SourceId)>,
}

impl<'a> Sources<'a> {
    fn of(docs: &[&'a Doc]) -> Self {
        Self { main: docs[0], others: Vec::new() }
    }

    fn number(&mut self, doc: &Doc, node: NodeId) -> u16 {
        let (source, id) = doc.layer(node);
        if id == self.main.source_id() {
            return 0;
        }
        let place = self.others.iter().rposition(|(_, other)| *other == id).unwrap_or_else(|| {
            self.others.push((Arc::clone(source), id));
            self.others.len() - 1
        });
        place as u16 + 1
    }
}

/// The rows of a changed document.
struct Rows {
    nodes: Vec<Node>,
    of_row: Vec<u16>,
    decoded: String,
}

impl Rows {
    fn push(&mut self, doc: &Doc, row: &Row, layer: u16) {
        let Node { offset, key_offset, mut content, .. } = doc.nodes[row.node.index()];
        // The pool of the main document is kept as it is.
        let is_main = row.doc == 0;
        if let Content::Number(range) | Content::String(range) = &mut content
            && range.is_decoded()
            && !is_main
        {
            *range = TextRange::decode(doc.text(row.node, *range), &mut self.decoded);
        }
        if let Content::Array { len, .. } | Content::Object { len, .. } = &mut content {
            *len = row.len;
        }
        let has_key_place = row.key.is_some() && !row.key_is_elsewhere;
        let key_offset = if has_key_place { key_offset } else { offset };
        self.nodes.push(Node { key: row.key, offset, key_offset, content });
        self.of_row.push(layer);
    }

    fn end(&mut self, top: Option<(TreeId, usize)>) {
        let end_row = self.nodes.len() as u32;
        if let Some((_, row)) = top
            && let Content::Array { end, .. } | Content::Object { end, .. } = &mut self.nodes[row].content
        {
            *end = end_row;
        }
    }
}
