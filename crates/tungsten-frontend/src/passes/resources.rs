//! The resource tree: where each callable operation is found by people.
//!
//! Reads operations, their paths, tags and a project's resources; writes the rows of the tree, `op_resource` and, with
//! `method_names`, `op_name`. A path's literal segments nest (a leading version and a trailing action set aside); a
//! resource of the project whose path is the longest prefix wins. Each step is linear in the operations.

use crate::lookup::Map;
use base::codes::Code;
use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Id, Interner, Place, Sym};
use tungsten_ir::{Doc, Ir, Method, NamespaceId, OpId, OpKind, OpStatus, Resource, ResourceId, Tag};

use super::Reports;
use super::method_names::{self, Naming, OpPlace, Rest};
use super::names::{Scope, word_key};
use super::paths::{self, Key, PathNode, PathTrie, VersionPrefixes, Walk};
use crate::overrides::{Overrides, ResourceOverride};

/// The resource of operations whose path has no literal segment.
const ROOT_NAME: &str = "root";

/// Builds the trees of all namespaces and names the operations in them.
pub(crate) fn resources(ir: &mut Ir, overrides: &Overrides, reports: &mut Reports<'_>) {
    let Overrides { resources: configured, operation_names, .. } = overrides;
    report_unknown_namespaces(ir, configured, reports);
    let explicit = method_names::explicit_names(ir, operation_names, reports);
    let mut ops_of = vec![Vec::new(); ir.namespaces.len()];
    for (id, op) in ir.ops.rows.iter() {
        if op.kind == OpKind::Call {
            ops_of[op.namespace.index()].push(id);
        }
    }
    let mut tags_of = vec![Vec::new(); ir.namespaces.len()];
    for tag in ir.tags.rows() {
        tags_of[tag.namespace.index()].push(*tag);
    }
    for namespace in ir.namespaces.ids() {
        let name = ir.names.resolve(ir.namespaces[namespace].name).to_owned();
        let mut project = Configured::new(&mut ir.names, configured.iter().filter(|entry| entry.namespace == name));
        let (ops, tags) = (&ops_of[namespace.index()], &tags_of[namespace.index()]);
        namespace_tree(ir, namespace, ops, &mut project, &explicit, tags, reports);
        project.report_unmatched(ir, ops, reports);
    }
}

fn namespace_tree(
    ir: &mut Ir,
    namespace: NamespaceId,
    ops: &[OpId],
    project: &mut Configured<'_>,
    explicit: &Map<OpId, Sym>,
    tags: &[Tag],
    reports: &mut Reports<'_>,
) {
    let mut by_path = PathTrie::new();
    let walks: Vec<Walk> = ops
        .iter()
        .map(|&id| {
            let op = ir.ops.rows[id];
            by_path.insert_op(&ir.ops, &mut ir.names, id, &op)
        })
        .collect();
    let mut tree = Tree::default();
    let versions = VersionPrefixes::of(&by_path, &ir.names, &walks);
    let mut places = Vec::with_capacity(ops.len());
    for (&id, walk) in ops.iter().zip(&walks) {
        places.push(place_op(ir, &by_path, &versions, project, &mut tree, id, walk));
    }
    tree.finish_prefixes(&by_path);
    tree.apply_tags(ir);
    let mut scopes = tree.name_siblings(ir, reports);
    let shared = method_names::shared_paths(ir, ops);
    let naming = Naming { trie: &by_path, explicit, shared: &shared };
    method_names::assign(ir, &naming, &places, &mut scopes, reports);
    tree.write(ir, namespace, &by_path, tags);
    let is_planned = |&op: &OpId| matches!(ir.ops.rows[op].status, OpStatus::Planned { .. });
    let planned: Vec<OpId> = ops.iter().copied().filter(is_planned).collect();
    ir.namespaces[namespace].planned = ir.resources.op_refs.extend(planned);
}

/// Finds the resource of one operation, creating what is missing of the tree above it.
fn place_op(
    ir: &mut Ir,
    by_path: &PathTrie,
    versions: &VersionPrefixes,
    project: &mut Configured<'_>,
    tree: &mut Tree,
    id: OpId,
    walk: &Walk,
) -> OpPlace {
    let op = &ir.ops.rows[id];
    let is_planned = matches!(op.status, OpStatus::Planned { .. });
    let trailing = if walk.custom_method.is_none() && op.method == Method::Post {
        trailing_action(by_path, &ir.names, &walk.nodes)
    } else {
        None
    };
    let nodes = &walk.nodes[..walk.nodes.len() - usize::from(trailing.is_some())];
    let at = nodes.last().copied().unwrap_or(paths::ROOT);
    let action = walk.custom_method.or(trailing);
    let n_version = versions.length(by_path, &ir.names, nodes);
    if let Some(place) = place_method(ir, by_path, project, tree, id, &walk.nodes) {
        return OpPlace { n_version, ..place };
    }

    if let Some((entry, length)) = project.find(by_path, nodes) {
        let own = length.checked_sub(1).map_or(paths::ROOT, |last| nodes[last]);
        let is_items = nodes[length..].iter().all(|&node| by_path.key(node).is_item());
        let rest = match nodes.len() - length {
            0 => Rest::None,
            _ if is_items => Rest::Items,
            _ => Rest::Other,
        };
        let resource = (!is_planned).then(|| {
            let resource = project.node(tree, &mut ir.names, entry);
            tree.add_op(resource, id, by_path, own);
            resource
        });
        return OpPlace { op: id, resource, at, n_version, rest, action };
    }

    let first = n_version;
    let last_literal = nodes.iter().rposition(|&node| !by_path.key(node).is_item()).filter(|&index| index >= first);
    let own_length = last_literal.map_or(first, |index| index + 1);
    let rest = if nodes.len() == own_length { Rest::None } else { Rest::Items };
    let resource = (!is_planned).then(|| {
        let resource = if last_literal.is_some() {
            tree.descend(by_path, &mut ir.names, &nodes[first..own_length])
        } else {
            let name = ir.names.intern(ROOT_NAME);
            tree.root(name)
        };
        let prefix = if last_literal.is_some() { nodes[own_length - 1] } else { at };
        tree.add_op(resource, id, by_path, prefix);
        resource
    });
    OpPlace { op: id, resource, at, n_version, rest, action }
}

/// The place of a method of an envelope with a dotted name: below the configured resource of its path, else at the top, one
/// level for each part of the name but the last, which names the method.
fn place_method(
    ir: &mut Ir,
    by_path: &PathTrie,
    project: &mut Configured<'_>,
    tree: &mut Tree,
    id: OpId,
    nodes: &[PathNode],
) -> Option<OpPlace> {
    ir.rpc[id]?;
    let op = ir.ops.rows[id];
    let name = ir.names.resolve(op.local_id).to_owned();
    let (above, last) = name.rsplit_once('.')?;
    let at = nodes.last().copied().unwrap_or(paths::ROOT);
    let resource = matches!(op.status, OpStatus::Implemented).then(|| {
        let mut entry = project.find(by_path, nodes).map(|(entry, _)| entry);
        let mut node = entry.map(|entry| project.node(tree, &mut ir.names, entry));
        for part in above.split('.') {
            entry = if node.is_none() || entry.is_some() { project.child(entry, part) } else { None };
            let made = match entry {
                Some(entry) => project.node(tree, &mut ir.names, entry),
                None => {
                    let part = ir.names.intern(part);
                    tree.child(node, part)
                }
            };
            tree.widen_prefix(made, by_path, at);
            node = Some(made);
        }
        let node = node.expect("a name with a dot has a part above its last");
        tree.add_op(node, id, by_path, at);
        node
    });
    let action = Some(ir.names.intern(last));
    Some(OpPlace { op: id, resource, at, n_version: 0, rest: Rest::Other, action })
}

/// The last segment of a POST path when it is an action: a literal after a placeholder that only posts stand on, that
/// leads nowhere, and that reads as a verb.
fn trailing_action(by_path: &PathTrie, names: &Interner, nodes: &[PathNode]) -> Option<Sym> {
    let [.., item, last] = nodes else { return None };
    let Key::Literal(literal) = by_path.key(*last) else { return None };
    let stands_alone = by_path.key(*item).is_item() && by_path.has_only_posts(*last) && !by_path.has_children(*last);
    (stands_alone && method_names::reads_as_verb(names.resolve(literal))).then_some(literal)
}

fn report_unknown_namespaces(ir: &Ir, configured: &[ResourceOverride], reports: &mut Reports<'_>) {
    for entry in configured {
        let is_known = ir.namespaces.rows().iter().any(|namespace| ir.names.resolve(namespace.name) == entry.namespace);
        if !is_known {
            let message = format!("no input has the namespace {}", quoted(&entry.namespace));
            reports.at_place(&entry.place, Code::TG0604, message);
        }
    }
}

/// The resources that a project declares for one namespace.
struct Configured<'a> {
    entries: Vec<Entry<'a>>,
    /// A trie of the declared paths; node 0 is the empty path.
    children: Map<(u32, Key), u32>,
    /// By node: the first entry declared for the path, and whether a path of the input passes.
    ends: Vec<(Option<usize>, bool)>,
}

struct Entry<'a> {
    name: &'a str,
    place: &'a Place,
    parent: Option<usize>,
    path: Option<(&'a str, &'a Place, u32)>,
    node: Option<u32>,
}

impl<'a> Configured<'a> {
    fn new(names: &mut Interner, roots: impl Iterator<Item = &'a ResourceOverride>) -> Self {
        let mut this = Self { entries: Vec::new(), children: Map::default(), ends: vec![(None, false)] };
        let mut pending: Vec<(&ResourceOverride, Option<usize>)> = roots.map(|root| (root, None)).collect();
        pending.reverse();
        while let Some((entry, parent)) = pending.pop() {
            let index = this.entries.len();
            let path = entry.path.as_ref().map(|(path, place)| (path.as_str(), place, this.insert(names, path, index)));
            this.entries.push(Entry { name: &entry.name, place: &entry.place, parent, path, node: None });
            pending.extend(entry.children.iter().rev().map(|child| (child, Some(index))));
        }
        this
    }

    fn insert(&mut self, names: &mut Interner, path: &str, entry: usize) -> u32 {
        let mut at = 0;
        for key in paths::keys_of_text(names, path) {
            let next = self.ends.len() as u32;
            at = *self.children.entry((at, key)).or_insert(next);
            if at == next {
                self.ends.push((None, false));
            }
        }
        self.ends[at as usize].0.get_or_insert(entry);
        at
    }

    /// The entry whose path is the longest prefix, and that prefix's number of segments. `/` is a prefix of every path.
    fn find(&mut self, by_path: &PathTrie, nodes: &[PathNode]) -> Option<(usize, usize)> {
        self.ends[0].1 = true;
        let (mut at, mut best) = (0, self.ends[0].0.map(|entry| (entry, 0)));
        for (index, &node) in nodes.iter().enumerate() {
            let Some(&next) = self.children.get(&(at, by_path.key(node))) else { break };
            at = next;
            let (entry, is_matched) = &mut self.ends[at as usize];
            *is_matched = true;
            best = entry.map(|entry| (entry, index + 1)).or(best);
        }
        best
    }

    /// The entry of that name without a path, below another one or at the top.
    fn child(&self, parent: Option<usize>, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.parent == parent && entry.path.is_none() && entry.name == name)
    }

    /// The node of an entry, made with the nodes above it when an operation needs it first.
    fn node(&mut self, tree: &mut Tree, names: &mut Interner, entry: usize) -> u32 {
        let mut missing = Vec::new();
        let mut at = Some(entry);
        while let Some(index) = at.filter(|&index| self.entries[index].node.is_none()) {
            missing.push(index);
            at = self.entries[index].parent;
        }
        let mut parent = at.and_then(|index| self.entries[index].node);
        for index in missing.into_iter().rev() {
            let node =
                tree.add(Node { is_configured: true, ..Node::new(names.intern(self.entries[index].name), parent) });
            self.entries[index].node = Some(node);
            parent = Some(node);
        }
        parent.expect("an entry's node was just made")
    }

    fn report_unmatched(&self, ir: &Ir, ops: &[OpId], reports: &mut Reports<'_>) {
        for (index, entry) in self.entries.iter().enumerate() {
            let is_leaf = !self.entries.iter().skip(index + 1).any(|other| other.parent == Some(index));
            if entry.path.is_none() && entry.node.is_none() && is_leaf {
                let name = quoted(entry.name);
                let message = format!("resource {name} has no path, and no method of an envelope belongs to it");
                reports.diags.report(Code::TG0604, entry.place.clone(), message).help =
                    Some("give it the `path` that its operations start with".to_owned());
            }
            let Some((path, place, end)) = entry.path else { continue };
            if !self.ends[end as usize].1 {
                let message =
                    format!("resource {} has the path {}, which no operation has", quoted(entry.name), quoted(path));
                let known = ops.iter().map(|op| ir.names.resolve(ir.ops.rows[*op].path.raw));
                reports.diags.report(Code::TG0604, place.clone(), message).help = did_you_mean(path, known);
            }
        }
    }
}

/// The tree of one namespace while it grows. A parent stands before its children.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    top: Vec<u32>,
    by_literal: Map<(Option<u32>, Sym), u32>,
    root: Option<u32>,
}

struct Node {
    name: Sym,
    parent: Option<u32>,
    depth: u32,
    is_configured: bool,
    ops: Vec<OpId>,
    children: Vec<u32>,
    /// What the paths of its operations begin with.
    prefix: Option<PathNode>,
    n_ops_below: usize,
    /// The tag that all operations below carry and no others.
    tag: Option<Sym>,
}

impl Node {
    fn new(name: Sym, parent: Option<u32>) -> Self {
        Self {
            name,
            parent,
            depth: 0,
            is_configured: false,
            ops: Vec::new(),
            children: Vec::new(),
            prefix: None,
            n_ops_below: 0,
            tag: None,
        }
    }
}

impl Tree {
    fn add(&mut self, mut node: Node) -> u32 {
        let index = self.nodes.len() as u32;
        match node.parent {
            Some(parent) => {
                node.depth = self.nodes[parent as usize].depth + 1;
                self.nodes[parent as usize].children.push(index);
            }
            None => self.top.push(index),
        }
        self.nodes.push(node);
        index
    }

    fn root(&mut self, name: Sym) -> u32 {
        if let Some(root) = self.root {
            return root;
        }
        let root = self.add(Node::new(name, None));
        self.root = Some(root);
        root
    }

    /// The node of the literal segments of a path, made where it is missing. There is at least one.
    fn descend(&mut self, by_path: &PathTrie, names: &mut Interner, path: &[PathNode]) -> u32 {
        let mut at = None;
        for &path_node in path {
            let Key::Literal(literal) = by_path.key(path_node) else { continue };
            // A version by date that only some paths have is named as one: no name starts with a digit.
            let name = if paths::is_date(names.resolve(literal)) {
                let name = format!("v{}", names.resolve(literal));
                names.intern(&name)
            } else {
                literal
            };
            let known = self.by_literal.get(&(at, name)).copied();
            let node = known.unwrap_or_else(|| self.add(Node::new(name, at)));
            self.by_literal.insert((at, name), node);
            self.widen_prefix(node, by_path, path_node);
            at = Some(node);
        }
        at.expect("the path has a literal segment")
    }

    /// The node of that name below another one or at the top, made when it is missing.
    fn child(&mut self, parent: Option<u32>, name: Sym) -> u32 {
        let known = self.by_literal.get(&(parent, name)).copied();
        let node = known.unwrap_or_else(|| self.add(Node::new(name, parent)));
        self.by_literal.insert((parent, name), node);
        node
    }

    fn add_op(&mut self, node: u32, op: OpId, by_path: &PathTrie, prefix: PathNode) {
        self.nodes[node as usize].ops.push(op);
        self.widen_prefix(node, by_path, prefix);
    }

    fn widen_prefix(&mut self, node: u32, by_path: &PathTrie, path: PathNode) {
        let prefix = &mut self.nodes[node as usize].prefix;
        *prefix = Some(prefix.map_or(path, |prefix| by_path.common(prefix, path)));
    }

    /// Gives resources without a path of their own the common path of what is below, and counts the operations below.
    fn finish_prefixes(&mut self, by_path: &PathTrie) {
        let mut below: Vec<Option<PathNode>> = vec![None; self.nodes.len()];
        for index in (0..self.nodes.len()).rev() {
            let node = &mut self.nodes[index];
            node.n_ops_below += node.ops.len();
            let prefix = *node.prefix.get_or_insert(below[index].unwrap_or(paths::ROOT));
            let (count, Some(parent)) = (node.n_ops_below, node.parent) else { continue };
            self.nodes[parent as usize].n_ops_below += count;
            let above = &mut below[parent as usize];
            *above = Some(above.map_or(prefix, |other| by_path.common(other, prefix)));
        }
    }

    /// Finds the resources that a tag covers: every operation below carries it, and it is on no other operation.
    ///
    /// Of a chain of resources with the same operations, the one that has the tag's name already takes the tag, so that
    /// `/chat/completions` tagged `Chat` stays chat > completions; else the lowest one does.
    fn apply_tags(&mut self, ir: &Ir) {
        let mut order: Vec<(Sym, Option<u32>, usize)> = Vec::new();
        let mut index_of: Map<Sym, usize> = Map::default();
        let mut last_op: Vec<OpId> = Vec::new();
        for node in 0..self.nodes.len() as u32 {
            for &op in &self.nodes[node as usize].ops {
                for &tag in ir.ops.tags.slice(ir.ops.rows[op].tags) {
                    let index = *index_of.entry(tag).or_insert(order.len());
                    if index == order.len() {
                        order.push((tag, Some(node), 1));
                        last_op.push(op);
                    } else if last_op[index] != op {
                        last_op[index] = op;
                        order[index].1 = order[index].1.and_then(|other| self.common(other, node));
                        order[index].2 += 1;
                    }
                }
            }
        }
        for (tag, node, count) in order {
            let Some(lowest) = node.filter(|&node| self.nodes[node as usize].n_ops_below == count) else { continue };
            let wanted = word_key(ir.names.resolve(tag));
            let mut at = Some(lowest);
            let named = loop {
                let Some(node) = at.filter(|&node| self.nodes[node as usize].n_ops_below == count) else {
                    break lowest;
                };
                if word_key(ir.names.resolve(self.nodes[node as usize].name)) == wanted {
                    break node;
                }
                at = self.nodes[node as usize].parent;
            };
            self.nodes[named as usize].tag.get_or_insert(tag);
        }
    }

    /// The lowest resource that both are in.
    fn common(&self, mut a: u32, mut b: u32) -> Option<u32> {
        while a != b {
            let (row_a, row_b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
            let (depth_a, depth_b) = (row_a.depth, row_b.depth);
            if depth_a >= depth_b {
                a = row_a.parent?;
            }
            if depth_b >= depth_a {
                b = row_b.parent?;
            }
        }
        Some(a)
    }

    /// Names the resources so that siblings differ, and returns the names taken inside each.
    fn name_siblings(&mut self, ir: &mut Ir, reports: &mut Reports<'_>) -> Vec<Scope> {
        let top = std::mem::take(&mut self.top);
        self.name_children(ir, &top, &mut Scope::default(), reports);
        self.top = top;
        (0..self.nodes.len())
            .map(|index| {
                let children = std::mem::take(&mut self.nodes[index].children);
                let mut scope = Scope::default();
                self.name_children(ir, &children, &mut scope, reports);
                self.nodes[index].children = children;
                scope
            })
            .collect()
    }

    fn name_children(&mut self, ir: &mut Ir, children: &[u32], scope: &mut Scope, reports: &mut Reports<'_>) {
        self.take_tag_names(ir, children);
        let (configured, inferred): (Vec<u32>, Vec<u32>) =
            children.iter().partition(|&&child| self.nodes[child as usize].is_configured);
        for child in configured.into_iter().chain(inferred) {
            let wanted = ir.names.resolve(self.nodes[child as usize].name).to_owned();
            let (name, is_renamed) = scope.take_numbered(&wanted);
            if is_renamed {
                self.nodes[child as usize].name = ir.names.intern(&name);
                self.report_renamed(child, &wanted, &name, reports);
            }
        }
    }

    /// Puts tags in the place of segment names where no sibling has that name.
    fn take_tag_names(&mut self, ir: &Ir, children: &[u32]) {
        if children.iter().all(|&child| self.nodes[child as usize].tag.is_none()) {
            return;
        }
        let mut segments = Scope::default();
        for &child in children {
            segments.take(ir.names.resolve(self.nodes[child as usize].name));
        }
        for &child in children {
            let node = &mut self.nodes[child as usize];
            let Some(tag) = node.tag.filter(|_| !node.is_configured && Some(child) != self.root) else { continue };
            let text = ir.names.resolve(tag);
            let has_words = word_key(text).starts_with(|c: char| c.is_ascii_alphabetic());
            if has_words && !segments.is_taken(text) {
                node.name = tag;
            }
        }
    }

    fn report_renamed(&self, node: u32, wanted: &str, name: &str, reports: &mut Reports<'_>) {
        let mut at = node;
        while self.nodes[at as usize].ops.is_empty() {
            let Some(&child) = self.nodes[at as usize].children.first() else { return };
            at = child;
        }
        let Some(&op) = self.nodes[at as usize].ops.first() else { return };
        let message = format!("two resources are named {}; this one becomes {}", quoted(wanted), quoted(name));
        reports.at_op(op, Code::TG0401, message);
    }

    fn write(self, ir: &mut Ir, namespace: NamespaceId, by_path: &PathTrie, tags: &[Tag]) {
        let tag_docs: Map<String, Doc> =
            tags.iter().rev().map(|tag| (word_key(ir.names.resolve(tag.name)), tag.doc)).collect();
        let first = ir.resources.rows.len();
        let id_of = |node: u32| ResourceId::from_index(first + node as usize);
        for node in &self.nodes {
            let id = ir.resources.rows.next_id();
            for &op in &node.ops {
                ir.op_resource.set(op, Some(id));
            }
            let ops = ir.resources.op_refs.extend(node.ops.iter().copied());
            let children = ir.resources.resource_refs.extend(node.children.iter().map(|&child| id_of(child)));
            let prefix = node.prefix.unwrap_or(paths::ROOT);
            let prefix = by_path.text_without_trailing_items(prefix, &ir.ops, &ir.names);
            let described = node.tag.or((node.parent.is_none()).then_some(node.name));
            let doc = described.and_then(|tag| tag_docs.get(&word_key(ir.names.resolve(tag))));
            ir.resources.rows.push(Resource {
                name: node.name,
                namespace,
                parent: node.parent.map(id_of),
                path_prefix: ir.names.intern(&prefix),
                doc: doc.copied().unwrap_or_default(),
                ops,
                children,
            });
        }
        let top = ir.resources.resource_refs.extend(self.top.iter().map(|&node| id_of(node)));
        ir.namespaces[namespace].resources = top;
    }
}
