//! Finds the `$ref`s of one document that are references, and the members that the format does not know as they are.
//!
//! A `$ref` inside an example, a default, a constant, an enum or an extension is data. Whether a key is a keyword or a
//! name somebody chose (`default` among responses, `example` among properties) depends on the object around it, so the
//! walk carries that one fact downwards. The values of a discriminator's mapping are references too, when they do not look
//! like plain names. Large documents are walked over in parts, each of which begins inside the objects around its first row.

use std::ops::Range;

use base::{Id, Sym};
use base_doc::{Doc, DocId, DocSet, Kind, NodeId};
use rayon::prelude::*;

use crate::grammar::{Form, Place};
use crate::keywords as kw;
use crate::member_rules::{self, Around, Rule};

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
    /// Whether the reference is the key of `text`: a security scheme that a requirement names by its URI.
    pub(crate) is_key: bool,
}

impl RefEdge {
    pub(crate) fn is_mapping(&self) -> bool {
        self.holder == self.text && !self.is_key
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
    pub(crate) fault: Fault,
}

/// What is odd about a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// Its key is not known.
    Unknown,
    /// It should have another form.
    Form(Form),
    /// Only OpenAPI 3.2 has it.
    Newer,
    /// It may not stand beside this member.
    Beside(Sym),
    /// It stands beside a `$ref`, where it has no effect.
    BesideReference,
    /// It breaks a rule of its own.
    Rule(Rule),
}

/// What the walk over a document finds.
#[derive(Default, Debug)]
pub(crate) struct Scan {
    /// All references, by the row of their holders.
    pub(crate) edges: Vec<RefEdge>,
    /// In document order.
    pub(crate) oddities: Vec<Oddity>,
    /// Schemas that have an `xml` object.
    pub(crate) with_xml: Vec<NodeId>,
    /// Schemas that name themselves, by the rows of their holders.
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

/// Rows that one thread walks over. A part pays for finding the objects around its start.
const ROWS_PER_PART: usize = 1 << 17;

/// An object or list that the walk is inside of.
#[derive(Clone, Copy)]
struct Open {
    node: NodeId,
    /// What holds it; itself at the root.
    within: NodeId,
    /// The row after its last.
    end: usize,
    keys: Keys,
    place: Place,
}

/// What the walk over some rows finds.
#[derive(Default)]
struct Part {
    edges: Vec<RefEdge>,
    oddities: Vec<Oddity>,
    names: Vec<SelfName>,
    with_id: Vec<NodeId>,
    with_anchor: Vec<NodeId>,
    with_xml: Vec<NodeId>,
}

pub(crate) fn scan(docs: &DocSet, doc: DocId) -> Scan {
    scan_in_parts(docs, doc, ROWS_PER_PART)
}

fn scan_in_parts(docs: &DocSet, doc: DocId, rows_per_part: usize) -> Scan {
    let tree = &docs.docs[doc];
    let starts: Vec<usize> = (0..tree.len()).step_by(rows_per_part).collect();
    let rows = |start| start..tree.len().min(start + rows_per_part);
    let parts: Vec<Part> = starts.into_par_iter().map(|start| scan_rows(docs, tree, rows(start))).collect();
    let mut whole = Part::default();
    for part in parts {
        whole.edges.extend(part.edges);
        whole.oddities.extend(part.oddities);
        whole.names.extend(part.names);
        whole.with_id.extend(part.with_id);
        whole.with_anchor.extend(part.with_anchor);
        whole.with_xml.extend(part.with_xml);
    }
    let Part { mut edges, oddities, mut names, with_id, with_anchor, with_xml } = whole;
    edges.sort_unstable_by_key(|edge| edge.holder.index());
    if !with_id.is_empty() {
        set_scopes(tree, &mut edges, with_id, |key| key != kw::RECURSIVE_REF);
    }
    if !with_anchor.is_empty() {
        set_scopes(tree, &mut edges, with_anchor, |key| key == kw::RECURSIVE_REF);
    }
    names.sort_by_key(|name| name.holder.index());
    Scan { edges, oddities, with_xml, names }
}

fn scan_rows(docs: &DocSet, tree: &Doc, rows: Range<usize>) -> Part {
    let mut part = Part::default();
    let (root, place) = (tree.root(), Place::of_root(tree));
    let mut open = vec![Open { node: root, within: root, end: tree.len(), keys: Keys::Keywords, place }];
    let mut row = enter(docs, tree, rows.start.max(1), &mut open);
    while row < rows.end {
        while open.len() > 1 && open.last().is_some_and(|around| around.end <= row) {
            open.pop();
        }
        let Some(&around) = open.last() else { break };
        let node = NodeId::from_index(row);
        part.see(docs, tree, node, around);
        row = match inside(docs, tree, node, around) {
            Inside::Nothing => row + 1,
            Inside::Data => tree.end(node),
            Inside::Members(inner) => {
                open.push(inner);
                row + 1
            }
        };
    }
    part
}

/// Opens all that is around the row `start`; returns that row, or the first one after data that it is part of.
fn enter(docs: &DocSet, tree: &Doc, start: usize, open: &mut Vec<Open>) -> usize {
    let mut row = 1;
    while row < start {
        let Some(&around) = open.last() else { break };
        let node = NodeId::from_index(row);
        let end = tree.end(node).max(row + 1);
        if end <= start {
            row = end;
            continue;
        }
        match inside(docs, tree, node, around) {
            Inside::Nothing | Inside::Data => return end,
            Inside::Members(inner) => open.push(inner),
        }
        row += 1;
    }
    row
}

/// What the walk does after a row.
enum Inside {
    /// It holds no others.
    Nothing,
    /// What it holds means nothing to this walk.
    Data,
    Members(Open),
}

fn inside(docs: &DocSet, tree: &Doc, node: NodeId, around: Open) -> Inside {
    let (key, kind, end) = (tree.key(node), tree.kind(node), tree.end(node));
    if !matches!(kind, Kind::Array | Kind::Object) || end == node.index() + 1 {
        return Inside::Nothing;
    }
    let is_extension = |key: Sym| key.index() >= kw::WORDS.len() && docs.keys.resolve(key).starts_with("x-");
    let keys = match (around.keys, key) {
        (Keys::Keywords, Some(kw::EXAMPLE | kw::DEFAULT | kw::CONST | kw::ENUM | kw::VALUE | kw::DATA_VALUE)) => {
            return Inside::Data;
        }
        (Keys::Keywords, Some(kw::EXAMPLES)) if kind == Kind::Array => return Inside::Data,
        (Keys::Keywords, Some(key)) if holds_names(key) && kind == Kind::Object => Keys::Names,
        (Keys::Keywords, Some(kw::DISCRIMINATOR)) if kind == Kind::Object => Keys::Discriminator,
        (Keys::Discriminator, Some(kw::MAPPING)) if kind == Kind::Object => Keys::Mapping,
        (Keys::Keywords, Some(key)) if is_extension(key) => return Inside::Data,
        _ => Keys::Keywords,
    };
    // What stands in a value of another kind is not what the place says.
    let below = around.place.below(key).filter(|(form, _)| form.admits(kind));
    let place = below.map_or(Place::Unknown, |(_, place)| place);
    Inside::Members(Open { node, within: around.node, end, keys, place })
}

impl Part {
    fn see(&mut self, docs: &DocSet, tree: &Doc, node: NodeId, around: Open) {
        let Open { node: parent, keys, place, .. } = around;
        let (key, kind) = (tree.key(node), tree.kind(node));
        let is_reference = match key {
            Some(kw::REF) => true,
            Some(kw::DYNAMIC_REF | kw::RECURSIVE_REF) => tree.get(parent, kw::REF).is_none(),
            _ => false,
        };
        if is_reference && kind == Kind::String {
            let in_schema = place == Place::Schema;
            self.edges.push(RefEdge { holder: parent, text: node, scope: None, in_schema, is_key: false });
            if place.may_be_reference() {
                let others = tree.children(parent).filter(|&other| other != node);
                let odd = |node| Oddity { node, parent, place, fault: Fault::BesideReference };
                self.oddities.extend(others.map(odd));
            }
        } else if is_mapping_entry(keys, key) && kind == Kind::String && tree.as_str(node).is_some_and(looks_like_path)
        {
            self.edges.push(RefEdge { holder: node, text: node, scope: None, in_schema: false, is_key: false });
        } else if place == Place::Requirement && key.is_some_and(|key| looks_like_path(docs.keys.resolve(key))) {
            self.edges.push(RefEdge { holder: node, text: node, scope: None, in_schema: false, is_key: true });
        } else if matches!(key, Some(kw::ID | kw::ANCHOR | kw::DYNAMIC_ANCHOR)) && kind == Kind::String {
            self.names.push(SelfName { holder: parent, text: node });
            // A name of a place in the schema only, as older drafts have it, begins nothing.
            if key == Some(kw::ID) && tree.as_str(node).is_some_and(|text| !text.starts_with('#')) {
                self.with_id.push(parent);
            }
        } else if key == Some(kw::RECURSIVE_ANCHOR) && tree.as_bool(node) == Some(true) {
            self.with_anchor.push(parent);
        } else if key == Some(kw::XML) && keys == Keys::Keywords && matches!(place, Place::Schema | Place::Unknown) {
            self.with_xml.push(parent);
        }
        let is_extension = |key: Sym| docs.keys.resolve(key).starts_with("x-");
        let below = place.below(key);
        let is_known = below.is_some_and(|(form, _)| form.admits(kind));
        if !is_known && !key.is_some_and(is_extension) && key != Some(kw::REF) {
            let fault = below.map_or(Fault::Unknown, |(form, _)| Fault::Form(form));
            self.oddities.push(Oddity { node, parent, place, fault });
        } else if let Some(key) = key.filter(|_| !matches!(place, Place::Schema | Place::Schemas | Place::Unknown)) {
            // Most members are of schemas, which have no such rules.
            self.judge(docs, tree, node, key, around);
        }
    }

    /// Notes what is odd about a member that the format knows.
    fn judge(&mut self, docs: &DocSet, tree: &Doc, node: NodeId, key: Sym, around: Open) {
        let Open { node: parent, within, place, .. } = around;
        let mut add = |node, fault| self.oddities.push(Oddity { node, parent, place, fault });
        if place.is_of_32(key) {
            add(node, Fault::Newer);
        }
        if let Some(&other) = place.excluded_by(key).iter().find(|other| tree.get(parent, **other).is_some()) {
            add(node, Fault::Beside(other));
        }
        if let Some((at, rule)) = member_rules::broken(&Around { docs, tree, parent, within }, place, key, node) {
            add(at, Fault::Rule(rule));
        }
    }
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

/// Whether a schema is named here: by an entry of a mapping, or by the mapping for all other values.
fn is_mapping_entry(keys: Keys, key: Option<Sym>) -> bool {
    keys == Keys::Mapping || (keys == Keys::Discriminator && key == Some(kw::DEFAULT_MAPPING))
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
            | kw::MEDIA_TYPES
            | kw::ADDITIONAL_OPERATIONS
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base::{Diags, Id, Source, SourceId};
    use base_doc::DocSet;

    use super::{scan, scan_in_parts};
    use crate::keywords as kw;

    const TEXT: &str = r##"{
        "openapi": "3.1.0", "odd": [{"$ref": "#/a"}], "x-odd": {"$ref": "#/no"},
        "paths": {"/a": {"get": {"parameters": [{"$ref": "#/components/parameters/A"}], "unknown": 1}}},
        "components": {"schemas": {
            "A": {"$id": "a", "properties": {"example": {"$ref": "#/$defs/B"}, "x-named": {"$ref": "#"}},
                  "example": {"deep": [[{"$ref": "#/no"}]], "more": [1, 2, 3]}, "examples": [{"$ref": "#/no"}],
                  "$defs": {"B": {"$recursiveAnchor": true, "items": {"$recursiveRef": "#"}}}},
            "C": {"discriminator": {"propertyName": "kind", "mapping": {"a": "#/components/schemas/A", "b": "A"}}},
            "D": {"enum": [{"$ref": "#/no"}], "x-data": {"items": {"$ref": "#/no"}}, "items": {"$dynamicRef": "#a"}}
        }}
    }"##;

    #[test]
    fn parts_of_any_size_find_the_same() {
        let mut docs = DocSet::with_words(kw::WORDS);
        let source = Arc::new(Source::from_bytes("a.json", TEXT.as_bytes().to_vec()));
        let id = SourceId::from_index(0);
        let doc = base_doc::parse_all(vec![(source, id)], &mut docs, &mut Diags::new())[0].expect("the text is JSON");
        let whole = format!("{:?}", scan(&docs, doc));
        assert_eq!(whole.matches("RefEdge").count(), 7, "{whole}");
        for rows in 1..docs.docs[doc].len() {
            assert_eq!(format!("{:?}", scan_in_parts(&docs, doc, rows)), whole, "{rows} rows a part");
        }
    }
}
