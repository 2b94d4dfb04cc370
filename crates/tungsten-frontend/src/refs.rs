//! Resolves every `$ref` to the value that it names, once for all documents.
//!
//! Reads the loaded documents and the references found in them; writes one column, reference object -> target, and
//! reports what cannot be resolved (TG0201, TG0202, TG0204), schemas that refer to something else (TG0201), circles
//! (TG0205) and chains that are too long (TG0105).

use base::{Code, Id, Sym, limits};
use base_doc::{DocId, DocSet, Kind, NodeId, NodeRef, Value, parse_pointer};
use rayon::prelude::*;

use crate::findings::Findings;
use crate::grammar::Place;
use crate::keywords as kw;
use crate::load::{self, FileState, Loaded};
use crate::lookup::{Map, Set};
use crate::paths;
use crate::scan::RefEdge;
use crate::uri;

/// The targets of all references.
#[derive(Debug)]
pub(crate) struct Refs {
    columns: Vec<RefColumn>,
}

/// The references of one document.
#[derive(Default, Debug)]
struct RefColumn {
    /// Security requirements that name a scheme by its URI.
    requirements: Vec<NodeRef>,
    /// By row: 0, or one more than the place in `edges`.
    edge_of: Vec<u32>,
    edges: Vec<Edge>,
    is_entry: bool,
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
    /// The requirements that name a security scheme by its URI, in an entry document and in what only other documents
    /// lead to.
    pub(crate) fn requirements(&self, entry: DocId) -> impl Iterator<Item = &NodeRef> {
        let is_of = move |doc: usize, column: &RefColumn| doc == entry.index() || !column.is_entry;
        self.columns
            .iter()
            .enumerate()
            .filter(move |(doc, column)| is_of(*doc, column))
            .flat_map(|(_, column)| &column.requirements)
    }

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

/// What documents state about themselves, for references to be read by.
struct Stated {
    /// Documents by their `$self`.
    selves: Map<String, DocId>,
    /// By document that states one: its `$self`.
    bases: Map<DocId, String>,
    /// Names of security schemes of the inputs: such a name comes before its reading as a URI.
    schemes: Set<String>,
}

impl Stated {
    fn of(loaded: &Loaded) -> Self {
        let docs = &loaded.docs;
        let mut selves: Map<String, DocId> = Map::default();
        let mut bases: Map<DocId, String> = Map::default();
        for doc in docs.docs.ids() {
            if let Some(text) = docs.root(doc).get(kw::SELF).and_then(Value::as_str) {
                let base = uri::resolve(text, "");
                selves.entry(base.clone()).or_insert(doc);
                bases.insert(doc, base);
            }
        }
        let mut schemes: Set<String> = Set::default();
        if loaded.edges.iter().flatten().any(|edge| edge.is_key) {
            for &doc in loaded.entries.iter().flatten() {
                let components = docs.root(doc).get(kw::COMPONENTS);
                let list = components.and_then(|components| components.get(kw::SECURITY_SCHEMES));
                schemes
                    .extend(list.into_iter().flat_map(Value::children).filter_map(Value::key_text).map(str::to_owned));
            }
        }
        Self { selves, bases, schemes }
    }
}

/// What can be named otherwise than by a path.
struct Names {
    stated: Stated,
    anchors: Anchors,
}

/// References that one thread resolves. Those of a part share what it looked up.
const EDGES_PER_PART: usize = 1 << 14;

/// Resolves all references.
pub(crate) fn resolve(loaded: &Loaded, findings: &mut Findings) -> Refs {
    let docs = &loaded.docs.docs;
    let stated = Stated::of(loaded);
    let anchors = Anchors::of(loaded, &stated);
    let names = Names { stated, anchors };
    let parts: Vec<(DocId, &[RefEdge])> = docs
        .ids()
        .flat_map(|doc| loaded.edges[doc.index()].chunks(EDGES_PER_PART).map(move |part| (doc, part)))
        .collect();
    let resolved: Vec<(Vec<Option<Edge>>, Findings)> =
        parts.par_iter().map(|&(doc, edges)| resolve_part(loaded, &names, doc, edges)).collect();
    let column = |doc: DocId| {
        let n_edges = loaded.edges[doc.index()].len();
        let n_rows = if n_edges == 0 { 0 } else { docs[doc].len() };
        let (requirements, edges) = (Vec::new(), Vec::with_capacity(n_edges));
        RefColumn { requirements, edge_of: vec![0; n_rows], edges, is_entry: loaded.entries.contains(&Some(doc)) }
    };
    let mut columns: Vec<RefColumn> = docs.ids().map(column).collect();
    for ((doc, raw), (edges, found)) in parts.into_iter().zip(resolved) {
        let column = &mut columns[doc.index()];
        for (raw, edge) in raw.iter().zip(edges) {
            let Some(edge) = edge else { continue };
            if raw.is_key {
                column.requirements.push(NodeRef { doc, node: raw.holder });
            }
            column.edges.push(edge);
            column.edge_of[raw.holder.index()] = column.edges.len() as u32;
        }
        findings.append(found);
    }
    let mut refs = Refs { columns };
    break_circles(&mut refs, findings);
    refs
}

/// Nothing for a requirement that is no reference, but the name of a component.
fn resolve_part(loaded: &Loaded, names: &Names, doc: DocId, raw: &[RefEdge]) -> (Vec<Option<Edge>>, Findings) {
    let mut findings = Findings::default();
    let Names { stated, anchors } = names;
    let mut resolver = Resolver { loaded, stated, members: Members::default(), anchors, on_the_way: Map::default() };
    let mut known: Map<(&str, Option<NodeId>, bool), Result<Target, Fault>> = Map::default();
    let mut edges = Vec::with_capacity(raw.len());
    for edge in raw {
        let text = loaded.ref_text(doc, edge);
        if edge.is_key && stated.schemes.contains(text) {
            edges.push(None);
            continue;
        }
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
        let is_bound = match keyword {
            _ if edge.is_key => false,
            Some(kw::DYNAMIC_REF) => result.as_ref().is_ok_and(|target| anchors.bind_elsewhere(target.at, text)),
            Some(kw::RECURSIVE_REF) => true,
            _ => false,
        };
        if is_bound {
            let message = "the reference is followed like `$ref`; what another schema binds it to is not modelled";
            findings.report(Code::TG0303, NodeRef { doc, node: edge.text }, message);
        }
        edges.push(Some(Edge { text: edge.text, target: result.as_ref().ok().map(|target| target.at) }));
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
    stated: &'a Stated,
    anchors: &'a Anchors,
    /// Targets of references that pointers lead through.
    on_the_way: Map<NodeRef, Result<Target, Fault>>,
}

/// Schemas that name themselves.
#[derive(Default)]
struct Anchors {
    by_id: Map<String, NodeRef>,
    /// By the schema whose `$id` is around it, or the document.
    by_anchor: Map<(NodeRef, String), NodeRef>,
    /// As `by_anchor`, the first of each document.
    by_document: Map<(DocId, String), NodeRef>,
    /// The name of each schema with an `$id`.
    bases: Map<NodeRef, String>,
    /// How many schemas each `$dynamicAnchor` names.
    n_dynamic: Map<String, usize>,
    dynamic: Set<(NodeRef, String)>,
}

impl Anchors {
    /// Those of all documents. The base of the outermost names is what the document states for itself, else its path.
    fn of(loaded: &Loaded, stated: &Stated) -> Self {
        let mut anchors = Self::default();
        for (doc, tree) in loaded.docs.docs.iter() {
            let root = NodeRef { doc, node: tree.root() };
            let own = stated.bases.get(&doc).map_or(loaded.paths[doc.index()].as_str(), String::as_str);
            // Schemas with an `$id` around the one that is looked at.
            let mut open: Vec<(usize, NodeRef)> = Vec::new();
            for name in &loaded.names[doc.index()] {
                let row = name.holder.index();
                while open.last().is_some_and(|(end, _)| *end <= row) {
                    open.pop();
                }
                let at = NodeRef { doc, node: name.holder };
                let text = tree.as_str(name.text).unwrap_or_default();
                let own_id = tree.get(name.holder, kw::ID).and_then(|id| tree.as_str(id));
                if own_id.is_some_and(|id| !id.starts_with('#')) && open.last().is_none_or(|(_, last)| *last != at) {
                    let outer = open.last().and_then(|(_, outer)| anchors.bases.get(outer));
                    let base = outer.map_or(own, String::as_str);
                    let id = uri::resolve(base, own_id.unwrap_or_default());
                    anchors.by_id.entry(id.clone()).or_insert(at);
                    anchors.bases.insert(at, id);
                    open.push((tree.end(name.holder), at));
                }
                let key = tree.key(name.text);
                if key != Some(kw::ID) {
                    let resource = open.last().map_or(root, |(_, resource)| *resource);
                    anchors.by_anchor.entry((resource, text.to_owned())).or_insert(at);
                    anchors.by_document.entry((doc, text.to_owned())).or_insert(at);
                }
                if key == Some(kw::DYNAMIC_ANCHOR) {
                    *anchors.n_dynamic.entry(text.to_owned()).or_default() += 1;
                    anchors.dynamic.insert((at, text.to_owned()));
                }
            }
        }
        anchors
    }

    /// Whether a `$dynamicRef` may lead elsewhere than to its target: to another schema of the same `$dynamicAnchor`
    /// (JSON Schema 2020-12 core, section 8.2.3.2).
    fn bind_elsewhere(&self, target: NodeRef, text: &str) -> bool {
        let Some((_, name)) = text.split_once('#').filter(|(_, name)| !name.starts_with('/')) else { return false };
        let is_dynamic = self.dynamic.contains(&(target, name.to_owned()));
        is_dynamic && self.n_dynamic.get(name).is_some_and(|n_schemas| *n_schemas > 1)
    }
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
        let root = NodeRef { doc, node: self.loaded.docs.docs[doc].root() };
        let around = scope.map(|node| NodeRef { doc, node });
        let base = if file.is_empty() { around.unwrap_or(root) } else { self.file(doc, around, file, &quoted)? };
        let place = self.place_of(base);
        if fragment.is_empty() {
            return Ok(Target { at: base, place });
        }
        if !fragment.starts_with('/') {
            let anchors = self.anchors;
            let found = anchors.by_anchor.get(&(base, fragment.clone()));
            let found = found.or_else(|| anchors.by_document.get(&(base.doc, fragment))).copied();
            return found
                .map(|at| Target { at, place: Place::Unknown })
                .ok_or_else(|| fault(Code::TG0201, format!("{quoted} names an anchor that no schema declares")));
        }
        let Some(tokens) = parse_pointer(&fragment) else {
            return Err(fault(Code::TG0201, format!("{quoted} holds a `~` that is not followed by `0` or `1`")));
        };
        let result = self.descend(Target { at: base, place }, &tokens, &quoted, depth);
        // A pointer counts from the schema with an `$id` around it; that it was meant from the document is told by what is
        // there.
        if result.is_err() && file.is_empty() && base != root {
            let place = self.place_of(root);
            return self.descend(Target { at: root, place }, &tokens, &quoted, depth).or(result);
        }
        result
    }

    /// What stands where a pointer starts: at the root of a document, or at a schema that names itself.
    fn place_of(&self, base: NodeRef) -> Place {
        let doc = &self.loaded.docs.docs[base.doc];
        if base.node == doc.root() { Place::of_root(doc) } else { Place::Unknown }
    }

    /// The root of the document, or the schema, that a file part names. `around` is the schema with an `$id` in which it
    /// stands.
    fn file(&mut self, doc: DocId, around: Option<NodeRef>, file: &str, quoted: &str) -> Result<NodeRef, Fault> {
        if let Some(at) = self.by_name(doc, around, file) {
            return Ok(at);
        }
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
        if let Some(at) = self.anchors.by_id.get(file) {
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

    /// What a reference is read against before it is taken for the path of a file: the `$id` around it (JSON Schema 2020-12
    /// core, section 9.1.1), else the `$self` of its document (OpenAPI 3.2, section 4.1.2.2).
    fn base(&self, doc: DocId, around: Option<NodeRef>) -> Option<&str> {
        let enclosing = around.and_then(|around| self.anchors.bases.get(&around));
        enclosing.or_else(|| self.stated.bases.get(&doc)).map(String::as_str)
    }

    /// The schema whose `$id`, or the root of the document whose `$self`, a reference leads to.
    fn by_name(&self, doc: DocId, around: Option<NodeRef>, file: &str) -> Option<NodeRef> {
        let base = self.base(doc, around);
        if self.stated.selves.is_empty() && base.is_none() && !uri::is_absolute(file) {
            return None;
        }
        let wanted = uri::resolve(base.unwrap_or_default(), file);
        let is_told = base.is_some() || uri::is_absolute(file);
        if let Some(at) = self.anchors.by_id.get(&wanted).filter(|_| is_told) {
            return Some(*at);
        }
        // Two inputs may be one document under different overlays: each refers to itself.
        let is_own = self.stated.bases.get(&doc) == Some(&wanted);
        let found = if is_own { doc } else { *self.stated.selves.get(&wanted)? };
        Some(NodeRef { doc: found, node: self.loaded.docs.docs[found].root() })
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
        let edges = &self.loaded.edges[at.doc.index()];
        let edge = edges.binary_search_by_key(&at.node.index(), |edge| edge.holder.index());
        let scope = edge.ok().and_then(|place| edges[place].scope);
        let result = self.resolve(at.doc, scope, text, depth + 1);
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
