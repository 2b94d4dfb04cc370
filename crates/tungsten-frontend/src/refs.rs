//! Resolves every `$ref` to the value that it names, once for all documents.
//!
//! Reads the loaded documents and the references found in them; writes one column, reference object -> target, and
//! reports what cannot be resolved (TG0201, TG0202, TG0204), schemas that refer to something else (TG0201), circles
//! (TG0205) and chains that are too long (TG0105).

use base::{Code, Id, Sym, limits};
use base_doc::{DocId, DocSet, Kind, NodeId, NodeRef, parse_pointer};
use rayon::prelude::*;

use crate::findings::Findings;
use crate::grammar::Place;
use crate::keywords as kw;
use crate::load::{self, FileState, Loaded};
use crate::lookup::{Map, Set};
use crate::paths;
use crate::scan::RefEdge;

/// The targets of all references.
#[derive(Debug)]
pub(crate) struct Refs {
    columns: Vec<RefColumn>,
}

/// The references of one document.
#[derive(Default, Debug)]
struct RefColumn {
    /// By row: 0, or one more than the place in `edges`.
    edge_of: Vec<u32>,
    edges: Vec<Edge>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    text: NodeId,
    /// Nothing when the reference is broken, which was reported.
    target: Option<NodeRef>,
}

/// What a value says about being a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reference {
    /// It is none.
    No,
    To(NodeRef),
    /// It is one and leads nowhere; that was reported.
    Broken,
}

impl Refs {
    /// The direct target of a reference object.
    pub(crate) fn get(&self, at: NodeRef) -> Reference {
        let column = &self.columns[at.doc.index()];
        match column.edge_of.get(at.node.index()) {
            None | Some(0) => Reference::No,
            Some(&number) => match column.edges[number as usize - 1].target {
                Some(target) => Reference::To(target),
                None => Reference::Broken,
            },
        }
    }
}

impl Refs {
    pub(crate) fn n_edges(&self) -> usize {
        self.columns.iter().map(|column| column.edges.len()).sum()
    }

    /// References into another document.
    pub(crate) fn n_cross_document(&self) -> usize {
        let leaves = |doc: usize, edge: &Edge| edge.target.is_some_and(|target| target.doc.index() != doc);
        let count = |(doc, column): (usize, &RefColumn)| column.edges.iter().filter(|edge| leaves(doc, edge)).count();
        self.columns.iter().enumerate().map(count).sum()
    }
}

/// References that one thread resolves. Those of a part share what it looked up.
const EDGES_PER_PART: usize = 1 << 14;

/// Resolves all references.
pub(crate) fn resolve(loaded: &Loaded, findings: &mut Findings) -> Refs {
    let docs = &loaded.docs.docs;
    let parts: Vec<(DocId, &[RefEdge])> = docs
        .ids()
        .flat_map(|doc| loaded.edges[doc.index()].chunks(EDGES_PER_PART).map(move |part| (doc, part)))
        .collect();
    let resolved: Vec<(Vec<Edge>, Findings)> =
        parts.par_iter().map(|&(doc, edges)| resolve_part(loaded, doc, edges)).collect();
    let column = |doc: DocId| {
        let n_edges = loaded.edges[doc.index()].len();
        let n_rows = if n_edges == 0 { 0 } else { docs[doc].len() };
        RefColumn { edge_of: vec![0; n_rows], edges: Vec::with_capacity(n_edges) }
    };
    let mut columns: Vec<RefColumn> = docs.ids().map(column).collect();
    for ((doc, raw), (edges, found)) in parts.into_iter().zip(resolved) {
        let column = &mut columns[doc.index()];
        for (raw, edge) in raw.iter().zip(edges) {
            column.edges.push(edge);
            column.edge_of[raw.holder.index()] = column.edges.len() as u32;
        }
        findings.append(found);
    }
    let mut refs = Refs { columns };
    break_circles(&mut refs, findings);
    refs
}

fn resolve_part(loaded: &Loaded, doc: DocId, raw: &[RefEdge]) -> (Vec<Edge>, Findings) {
    let mut findings = Findings::default();
    let mut resolver = Resolver { loaded, members: Members::default(), anchors: None, on_the_way: Map::default() };
    let mut known: Map<(&str, Option<NodeId>, bool), Result<Target, Fault>> = Map::default();
    let mut edges = Vec::with_capacity(raw.len());
    for edge in raw {
        let text = loaded.ref_text(doc, edge);
        let keyword = loaded.docs.docs[doc].key(edge.text);
        let enclosing;
        let result = if keyword == Some(kw::RECURSIVE_REF) {
            enclosing = enclosing_anchor(doc, edge, text);
            &enclosing
        } else {
            known.entry((text, edge.scope, edge.in_schema)).or_insert_with(|| {
                let target = resolver.resolve(doc, edge.scope, text, 0)?;
                if edge.in_schema { target.as_schema(&loaded.docs, text) } else { Ok(target) }
            })
        };
        if let Err(Fault { code: Some(code), message }) = result
            && !edge.is_mapping()
        {
            findings.report(*code, NodeRef { doc, node: edge.text }, message.clone());
        }
        if matches!(keyword, Some(kw::DYNAMIC_REF | kw::RECURSIVE_REF)) {
            let message = "the reference is followed like `$ref`; what another schema binds it to is not modelled";
            findings.report(Code::TG0303, NodeRef { doc, node: edge.text }, message);
        }
        edges.push(Edge { text: edge.text, target: result.as_ref().ok().map(|target| target.at) });
    }
    (edges, findings)
}

/// Why a reference leads nowhere; without a code when somebody reported it already.
#[derive(Clone, Debug)]
struct Fault {
    code: Option<Code>,
    message: String,
}

/// Where a reference leads, and what stands there.
#[derive(Clone, Copy, Debug)]
struct Target {
    at: NodeRef,
    place: Place,
}

impl Target {
    /// The target of a schema's reference, which is a schema.
    fn as_schema(self, docs: &DocSet, text: &str) -> Result<Self, Fault> {
        let kind = docs.value(self.at).kind();
        let other = match kind {
            Kind::Object | Kind::Bool => self.place.phrase(),
            _ => Some(self.place.phrase().unwrap_or(kind.phrase())),
        };
        let Some(other) = other else { return Ok(self) };
        Err(fault(Code::TG0201, format!("{} leads to {other}, which is no schema", base::diag::quoted(text))))
    }
}

fn fault(code: Code, message: String) -> Fault {
    Fault { code: Some(code), message }
}

/// The schema around a `$recursiveRef` that declares itself as its target (JSON Schema 2019-09, section 8.2.4.2).
fn enclosing_anchor(doc: DocId, edge: &RefEdge, text: &str) -> Result<Target, Fault> {
    let target = |node| Target { at: NodeRef { doc, node }, place: Place::Schema };
    let found = edge.scope.filter(|_| text == "#").map(target);
    found.ok_or_else(|| {
        let message = "no schema around the `$recursiveRef` has a `$recursiveAnchor`, or it does not say `#`";
        fault(Code::TG0201, message.to_owned())
    })
}

struct Resolver<'a> {
    loaded: &'a Loaded,
    members: Members,
    anchors: Option<Anchors>,
    /// Targets of references that pointers lead through.
    on_the_way: Map<NodeRef, Result<Target, Fault>>,
}

/// Schemas that name themselves.
#[derive(Default)]
struct Anchors {
    by_id: Map<String, NodeRef>,
    by_anchor: Map<(DocId, String), NodeRef>,
}

impl Resolver<'_> {
    fn resolve(&mut self, doc: DocId, scope: Option<NodeId>, text: &str, depth: usize) -> Result<Target, Fault> {
        let quoted = base::diag::quoted(text);
        if depth > limits::REF_CHAIN {
            return Err(fault(
                Code::TG0105,
                format!("{quoted} leads through more than {} references", limits::REF_CHAIN),
            ));
        }
        let (file, fragment) = text.split_once('#').unwrap_or((text, ""));
        let Some(fragment) = paths::decode(fragment) else {
            return Err(fault(Code::TG0201, format!("the fragment of {quoted} is not UTF-8 after percent-decoding")));
        };
        let base = if file.is_empty() { self.base_of(doc, scope, &fragment) } else { self.file(doc, file, &quoted)? };
        let place = self.place_of(base);
        if fragment.is_empty() {
            return Ok(Target { at: base, place });
        }
        if !fragment.starts_with('/') {
            let found = self.anchors().by_anchor.get(&(base.doc, fragment)).copied();
            return found
                .map(|at| Target { at, place: Place::Unknown })
                .ok_or_else(|| fault(Code::TG0201, format!("{quoted} names an anchor that no schema declares")));
        }
        let Some(tokens) = parse_pointer(&fragment) else {
            return Err(fault(Code::TG0201, format!("{quoted} holds a `~` that is not followed by `0` or `1`")));
        };
        self.descend(Target { at: base, place }, &tokens, &quoted, depth)
    }

    /// What stands where a pointer starts: at the root of a document, or at a schema that names itself.
    fn place_of(&self, base: NodeRef) -> Place {
        let doc = &self.loaded.docs.docs[base.doc];
        if base.node == doc.root() { Place::of_root(doc) } else { Place::Unknown }
    }

    /// The value from which a fragment of the same document is counted: the document, unless an enclosing schema has an
    /// `$id` of its own and the pointer is only good from there.
    fn base_of(&mut self, doc: DocId, scope: Option<NodeId>, fragment: &str) -> NodeRef {
        let docs = &self.loaded.docs;
        let root = NodeRef { doc, node: docs.docs[doc].root() };
        let Some(scope) = scope else { return root };
        let first = fragment.split('/').nth(1).and_then(|token| docs.keys.find(token));
        let good_from_root = first.is_some_and(|key| self.members.find(docs, root, key).is_some());
        if good_from_root { root } else { NodeRef { doc, node: scope } }
    }

    /// The root of the document that a file part names.
    fn file(&mut self, doc: DocId, file: &str, quoted: &str) -> Result<NodeRef, Fault> {
        let own = &self.loaded.paths[doc.index()];
        let target = paths::resolve(own, file);
        // Two inputs may be one file under different overlays: each refers to itself.
        if matches!(&target, paths::Place::Inside(path) if path == own) {
            return Ok(NodeRef { doc, node: self.loaded.docs.docs[doc].root() });
        }
        let state = match &target {
            paths::Place::Inside(path) => self.loaded.files.get(path),
            _ => None,
        };
        if let Some(FileState::Read(doc)) = state {
            return Ok(NodeRef { doc: *doc, node: self.loaded.docs.docs[*doc].root() });
        }
        if let Some(at) = self.anchors().by_id.get(file) {
            return Ok(*at);
        }
        Err(match (target, state) {
            (paths::Place::Remote(kind), _) => {
                fault(Code::TG0202, format!("{quoted} {kind}; only files below the input root are read"))
            }
            (paths::Place::Folder, _) => fault(Code::TG0201, format!("{quoted} names a folder, not a document")),
            (paths::Place::Outside(why), _) => fault(Code::TG0204, format!("the path of {quoted} {why}")),
            (_, Some(FileState::Failed(error))) => {
                let (code, why) = load::describe(error);
                fault(code, format!("{quoted}: {why}"))
            }
            (_, Some(FileState::Refused | FileState::OverBudget)) => Fault { code: None, message: String::new() },
            _ => fault(Code::TG0201, format!("{quoted} names a file that was not loaded")),
        })
    }

    fn descend(&mut self, base: Target, tokens: &[String], quoted: &str, depth: usize) -> Result<Target, Fault> {
        let mut at = base;
        for token in tokens {
            let mut next = self.step(at, token);
            if next.is_none()
                && let Some(target) = self.target_of(at.at, depth)?
            {
                next = self.step(target, token);
            }
            at = next.ok_or_else(|| {
                let message = format!("{quoted} leads nowhere: there is no {}", base::diag::quoted(token));
                fault(Code::TG0201, message)
            })?;
        }
        Ok(at)
    }

    /// Where the reference in an object on the way leads, if it is one. Each such object is resolved once: pointers that
    /// lead through one another would multiply.
    fn target_of(&mut self, at: NodeRef, depth: usize) -> Result<Option<Target>, Fault> {
        let docs = &self.loaded.docs;
        if docs.value(at).kind() != Kind::Object {
            return Ok(None);
        }
        let reference = self.members.find(docs, at, kw::REF).and_then(|at| docs.value(at).as_str());
        let Some(text) = reference else { return Ok(None) };
        if let Some(known) = self.on_the_way.get(&at) {
            return known.clone().map(Some);
        }
        let circle = "the pointer leads through references that lead back to it".to_owned();
        self.on_the_way.insert(at, Err(fault(Code::TG0205, circle)));
        let result = self.resolve(at.doc, None, text, depth + 1);
        self.on_the_way.insert(at, result.clone());
        result.map(Some)
    }

    fn step(&mut self, from: Target, token: &str) -> Option<Target> {
        let docs = &self.loaded.docs;
        let Target { at, place } = from;
        match docs.value(at).kind() {
            Kind::Object => {
                let key = docs.keys.find(token)?;
                let at = self.members.find(docs, at, key)?;
                Some(Target { at, place: place.below(Some(key)).map_or(Place::Unknown, |(_, place)| place) })
            }
            Kind::Array => {
                let canonical = token == "0" || !token.starts_with('0');
                let index = token.parse::<usize>().ok().filter(|_| canonical && !token.starts_with('+'))?;
                let at = self.members.item(docs, at, index)?;
                Some(Target { at, place: place.below(None).map_or(Place::Unknown, |(_, place)| place) })
            }
            _ => None,
        }
    }

    /// All `$id`s and anchors, looked for when the first reference needs one.
    fn anchors(&mut self) -> &Anchors {
        let loaded = self.loaded;
        self.anchors.get_or_insert_with(|| {
            let mut anchors = Anchors::default();
            for (doc, tree) in loaded.docs.docs.iter() {
                let keys = [kw::ID, kw::ANCHOR, kw::DYNAMIC_ANCHOR];
                let mut open: Vec<(usize, NodeId)> = Vec::new();
                for row in 0..tree.len() {
                    let node = NodeId::from_index(row);
                    while open.last().is_some_and(|(end, _)| *end <= row) {
                        open.pop();
                    }
                    if let (Some(key), Some(&(_, holder))) = (tree.key(node), open.last())
                        && keys.contains(&key)
                        && let Some(text) = tree.as_str(node)
                    {
                        let at = NodeRef { doc, node: holder };
                        if key == kw::ID {
                            anchors.by_id.entry(text.trim_end_matches('#').to_owned()).or_insert(at);
                        } else {
                            anchors.by_anchor.entry((doc, text.to_owned())).or_insert(at);
                        }
                    }
                    if tree.end(node) > row + 1 {
                        open.push((tree.end(node), node));
                    }
                }
            }
            anchors
        })
    }
}

/// Members of objects by key; large objects get an index when they are first asked.
#[derive(Default)]
struct Members {
    indexed: Set<NodeRef>,
    items: Map<NodeRef, Vec<NodeId>>,
    by_key: Map<(NodeRef, Sym), NodeId>,
}

const INDEXED_FROM: usize = 16;

impl Members {
    fn find(&mut self, docs: &DocSet, object: NodeRef, key: Sym) -> Option<NodeRef> {
        let tree = &docs.docs[object.doc];
        let node = if tree.n_children(object.node) < INDEXED_FROM {
            tree.get(object.node, key)
        } else {
            if self.indexed.insert(object) {
                for child in tree.children(object.node) {
                    if let Some(key) = tree.key(child) {
                        self.by_key.entry((object, key)).or_insert(child);
                    }
                }
            }
            self.by_key.get(&(object, key)).copied()
        };
        node.map(|node| NodeRef { doc: object.doc, node })
    }

    fn item(&mut self, docs: &DocSet, list: NodeRef, index: usize) -> Option<NodeRef> {
        let tree = &docs.docs[list.doc];
        let items = self.items.entry(list).or_insert_with(|| tree.children(list.node).collect());
        items.get(index).map(|&node| NodeRef { doc: list.doc, node })
    }
}

/// Each reference object has one target, so following them from every edge visits each once: circles are found where a
/// walk meets itself, and the length of each chain is known from the next edge's.
fn break_circles(refs: &mut Refs, findings: &mut Findings) {
    const NEW: u32 = 0;
    const OPEN: u32 = u32::MAX;
    let mut length: Vec<Vec<u32>> = refs.columns.iter().map(|column| vec![NEW; column.edges.len()]).collect();
    let mut walk: Vec<(usize, usize)> = Vec::new();
    for doc in 0..refs.columns.len() {
        for edge in 0..refs.columns[doc].edges.len() {
            if length[doc][edge] != NEW {
                continue;
            }
            walk.clear();
            let mut at = Some((doc, edge));
            while let Some((doc, edge)) = at.filter(|&(doc, edge)| length[doc][edge] == NEW) {
                length[doc][edge] = OPEN;
                walk.push((doc, edge));
                at = refs.columns[doc].edges[edge].target.and_then(|target| {
                    let number =
                        refs.columns[target.doc.index()].edge_of.get(target.node.index()).copied().unwrap_or(0);
                    (number > 0).then(|| (target.doc.index(), number as usize - 1))
                });
            }
            if let Some((doc, edge)) = at.filter(|&(doc, edge)| length[doc][edge] == OPEN) {
                let start = walk.iter().position(|&step| step == (doc, edge)).unwrap_or(0);
                report_circle(refs, &walk[start..], findings);
            }
            let mut n_steps = at.map_or(0, |(doc, edge)| if length[doc][edge] == OPEN { 0 } else { length[doc][edge] });
            for &(doc, edge) in walk.iter().rev() {
                n_steps += 1;
                length[doc][edge] = n_steps;
                let Edge { text, target } = refs.columns[doc].edges[edge];
                if n_steps as usize > limits::REF_CHAIN && target.is_some() {
                    let at = NodeRef { doc: DocId::from_index(doc), node: text };
                    let message = format!("more than {} references are followed from here", limits::REF_CHAIN);
                    findings.report(Code::TG0105, at, message);
                    refs.columns[doc].edges[edge].target = None;
                }
            }
        }
    }
}

fn report_circle(refs: &mut Refs, circle: &[(usize, usize)], findings: &mut Findings) {
    for (index, &(doc, edge)) in circle.iter().enumerate() {
        let edge = &mut refs.columns[doc].edges[edge];
        edge.target = None;
        if index == 0 {
            let at = NodeRef { doc: DocId::from_index(doc), node: edge.text };
            let message = format!("{} references lead to one another and to no value", circle.len());
            findings.report(
                Code::TG0205,
                at,
                if circle.len() == 1 { "the reference leads to itself".into() } else { message },
            );
        }
    }
}
