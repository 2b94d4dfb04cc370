//! Finds the `$ref`s of one document that are references, and the members that the format does not know as they are.
//!
//! A `$ref` inside an example, a default, a constant, an enum or an extension is data. Whether a key is a keyword or a
//! name somebody chose (`default` among responses, `example` among properties) depends on the object around it, so the
//! walk carries that one fact downwards. The values of a discriminator's mapping are references too, when they do not look
//! like plain names.

use base::{Id, Sym};
use base_doc::{Doc, DocId, DocSet, Kind, NodeId};

use crate::grammar::{Form, Place};
use crate::keywords as kw;

/// A reference that may be followed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RefEdge {
    /// The object that is the reference; for an entry of a mapping, the entry's string.
    pub(crate) holder: NodeId,
    /// The string that says where it leads.
    pub(crate) text: NodeId,
    /// The innermost object around it that has an `$id`; for a `$recursiveRef`, that has a `$recursiveAnchor`.
    pub(crate) scope: Option<NodeId>,
    /// Whether the holder stands where a schema does.
    pub(crate) in_schema: bool,
}

impl RefEdge {
    pub(crate) fn is_mapping(&self) -> bool {
        self.holder == self.text
    }
}

/// A member that the format does not know, or not of its kind. Whoever reads it says more; what nobody reads is reported by
/// `oddities`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Oddity {
    pub(crate) node: NodeId,
    pub(crate) parent: NodeId,
    /// What the object or list is in which it stands.
    pub(crate) place: Place,
    /// The form that it should have; nothing for a key that is not known.
    pub(crate) form: Option<Form>,
}

/// What the walk over a document finds.
#[derive(Default, Debug)]
pub(crate) struct Scan {
    /// All references, by the row of their holders.
    pub(crate) edges: Vec<RefEdge>,
    /// In document order.
    pub(crate) oddities: Vec<Oddity>,
    /// Schemas that name themselves, in document order.
    pub(crate) names: Vec<SelfName>,
}

/// A schema that names itself, or a place in itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelfName {
    pub(crate) holder: NodeId,
    /// The text under `$id`, `$anchor` or `$dynamicAnchor`.
    pub(crate) text: NodeId,
}

/// What the keys of an object are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    Keywords,
    Names,
    /// Of a `discriminator` object.
    Discriminator,
    /// Of a discriminator's `mapping`.
    Mapping,
}

pub(crate) fn scan(docs: &DocSet, doc: DocId) -> Scan {
    let tree = &docs.docs[doc];
    let n_words = kw::WORDS.len();
    let (mut edges, mut oddities, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let (mut with_id, mut with_anchor) = (Vec::new(), Vec::new());
    let mut open: Vec<(usize, NodeId, Keys, Place)> =
        vec![(tree.len(), tree.root(), Keys::Keywords, Place::of_root(tree))];
    let mut row = 1;
    while row < tree.len() {
        while open.len() > 1 && open.last().is_some_and(|(end, ..)| *end <= row) {
            open.pop();
        }
        let Some(&(_, parent, keys, place)) = open.last() else { break };
        let node = NodeId::from_index(row);
        let key = tree.key(node);
        let kind = tree.kind(node);
        let is_reference = match key {
            Some(kw::REF) => true,
            Some(kw::DYNAMIC_REF | kw::RECURSIVE_REF) => tree.get(parent, kw::REF).is_none(),
            _ => false,
        };
        if is_reference && kind == Kind::String {
            edges.push(RefEdge { holder: parent, text: node, scope: None, in_schema: place == Place::Schema });
        } else if keys == Keys::Mapping && kind == Kind::String && tree.as_str(node).is_some_and(looks_like_path) {
            edges.push(RefEdge { holder: node, text: node, scope: None, in_schema: false });
        } else if matches!(key, Some(kw::ID | kw::ANCHOR | kw::DYNAMIC_ANCHOR)) && kind == Kind::String {
            names.push(SelfName { holder: parent, text: node });
            // A name of a place in the schema only, as older drafts have it, begins nothing.
            if key == Some(kw::ID) && tree.as_str(node).is_some_and(|text| !text.starts_with('#')) {
                with_id.push(parent);
            }
        } else if key == Some(kw::RECURSIVE_ANCHOR) && tree.as_bool(node) == Some(true) {
            with_anchor.push(parent);
        }
        let is_extension = |key: Sym| docs.keys.resolve(key).starts_with("x-");
        let below = place.below(key);
        let is_known = below.is_some_and(|(form, _)| form.admits(kind));
        if !is_known && !key.is_some_and(is_extension) && key != Some(kw::REF) {
            oddities.push(Oddity { node, parent, place, form: below.map(|(form, _)| form) });
        }
        if !matches!(kind, Kind::Array | Kind::Object) || tree.end(node) == row + 1 {
            row += 1;
            continue;
        }
        let is_extension = |key: Sym| key.index() >= n_words && is_extension(key);
        let inside = match (keys, key) {
            (Keys::Keywords, Some(kw::EXAMPLE | kw::DEFAULT | kw::CONST | kw::ENUM | kw::VALUE)) => None,
            (Keys::Keywords, Some(kw::EXAMPLES)) if kind == Kind::Array => None,
            (Keys::Keywords, Some(key)) if holds_names(key) && kind == Kind::Object => Some(Keys::Names),
            (Keys::Keywords, Some(kw::DISCRIMINATOR)) if kind == Kind::Object => Some(Keys::Discriminator),
            (Keys::Discriminator, Some(kw::MAPPING)) if kind == Kind::Object => Some(Keys::Mapping),
            (Keys::Keywords, Some(key)) if is_extension(key) => None,
            _ => Some(Keys::Keywords),
        };
        match inside {
            Some(keys) => {
                open.push((tree.end(node), node, keys, below.map_or(Place::Unknown, |(_, place)| place)));
                row += 1;
            }
            None => row = tree.end(node),
        }
    }
    edges.sort_unstable_by_key(|edge| edge.holder.index());
    if !with_id.is_empty() {
        set_scopes(tree, &mut edges, with_id, |key| key != kw::RECURSIVE_REF);
    }
    if !with_anchor.is_empty() {
        set_scopes(tree, &mut edges, with_anchor, |key| key == kw::RECURSIVE_REF);
    }
    names.sort_by_key(|name| name.holder.index());
    Scan { edges, oddities, names }
}

/// Finds the innermost of `objects` around each reference under a key that `applies`. Objects nest, so one walk over
/// both lists in document order does.
fn set_scopes(tree: &Doc, edges: &mut [RefEdge], mut objects: Vec<NodeId>, applies: impl Fn(Sym) -> bool) {
    objects.sort_unstable_by_key(|node| node.index());
    let mut next = objects.into_iter().peekable();
    let mut around: Vec<NodeId> = Vec::new();
    for edge in edges {
        let row = edge.holder.index();
        while let Some(object) = next.next_if(|object| object.index() <= row) {
            leave(&mut around, tree, object.index());
            around.push(object);
        }
        leave(&mut around, tree, row);
        if tree.key(edge.text).is_some_and(&applies) {
            edge.scope = around.last().copied();
        }
    }
}

/// Drops the innermost objects that end before `row`.
fn leave(around: &mut Vec<NodeId>, tree: &Doc, row: usize) {
    while around.last().is_some_and(|&object| tree.end(object) <= row) {
        around.pop();
    }
}

/// Whether an entry of a mapping is a reference and not the name of a component. The specification leaves both readings
/// open for some texts; a name has neither a slash nor a fragment nor the ending of a file.
fn looks_like_path(text: &str) -> bool {
    text.contains(['/', '#']) || [".yaml", ".yml", ".json"].iter().any(|ending| text.ends_with(ending))
}

/// Whether the members of an object under this keyword are named by the author.
fn holds_names(key: Sym) -> bool {
    matches!(
        key,
        kw::PROPERTIES
            | kw::PATTERN_PROPERTIES
            | kw::DEFS
            | kw::DEFINITIONS
            | kw::DEPENDENT_SCHEMAS
            | kw::DEPENDENCIES
            | kw::SCHEMAS
            | kw::RESPONSES
            | kw::PARAMETERS
            | kw::REQUEST_BODIES
            | kw::HEADERS
            | kw::SECURITY_SCHEMES
            | kw::LINKS
            | kw::CALLBACKS
            | kw::PATH_ITEMS
            | kw::PATHS
            | kw::WEBHOOKS
            | kw::CONTENT
            | kw::ENCODING
            | kw::VARIABLES
            | kw::EXAMPLES
    )
}
