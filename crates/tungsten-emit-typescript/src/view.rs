//! What this target decides before it prints: which types are declared where and under which name, in which form a
//! type is meant, which file a resource has.
//!
//! Reads the IR, the plan and the names; writes tables that the printing modules look up.

use std::collections::{BTreeMap, BTreeSet};

use base::{Id, RelPath};
use tungsten_emit::{CallId, NodeId, Plan, SharedParam, SharedParamId, Success};
use tungsten_ir::profile::{Role, TYPESCRIPT};
use tungsten_ir::{Field, Ir, MemberId, Names, NamespaceId, OpId, Shape, TypeId};

use crate::naming::free_name;
use crate::nesting::{Cuts, cuts};
use crate::open::Open;
use crate::rule_types::{RuleTypes, rule_types};

/// A namespace of more resources than this has no file for each of them: writing thousands of small files takes longer
/// than all the rest (docs/decisions/0005-files-of-large-apis.md).
const MAX_FILES: usize = 400;

/// Depth of the resources that have a file of their own in such a namespace; deeper ones stand in their parent's.
const DEEPEST_FILE: u32 = 1;

/// The direction that a type is written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// What callers send: no read-only fields, bytes from anywhere.
    Request,
    /// What callers receive: no write-only fields.
    Response,
    /// A type that no call uses: all fields.
    Whole,
}

impl Form {
    pub(crate) fn keeps(self, field: &Field) -> bool {
        match self {
            Self::Request => !field.read_only,
            Self::Response => !field.write_only,
            Self::Whole => true,
        }
    }
}

/// A declaration of `models/<namespace>.ts`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declaration {
    pub ty: TypeId,
    pub form: Form,
}

/// What one namespace is called and holds.
#[derive(Clone, Debug)]
pub(crate) struct NamespaceView {
    /// File name without ending, also the member of the client where there are several namespaces: any word will do.
    pub name: String,
    /// Name of its module where a file imports it: no reserved word.
    pub local: String,
    pub declarations: Vec<Declaration>,
    /// Types that have a schema constant.
    pub schemas: Vec<TypeId>,
}

/// Everything the printing modules look up.
pub(crate) struct View<'a> {
    pub ir: &'a Ir,
    pub plan: &'a Plan,
    pub names: &'a Names,
    /// By namespace index.
    pub namespaces: Vec<NamespaceView>,
    /// Path of each file below `resources/` and `descriptors/`, without ending; by the index of its first node. Empty
    /// for nodes that stand in the file of another one.
    node_paths: Vec<String>,
    /// The first node of the file in which each node stands, by node index.
    file_of: Vec<NodeId>,
    /// Names of the constants of shared parameters, by index.
    param_names: Vec<String>,
    /// Names of the request forms of split types.
    request_names: BTreeMap<TypeId, String>,
    /// Inline types that are declared because they nest too deep.
    cuts: Cuts,
    /// Inline types whose schemas are constants because of rules.
    rule_types: RuleTypes,
    /// Members of intersections that types leave out, sorted.
    left_out: Vec<MemberId>,
    /// Types of answers that admit what is not listed.
    pub open: Open,
    /// Names of the functions that read a list page by page.
    pages_names: BTreeMap<CallId, String>,
    /// The node in which each call stands, by call index.
    node_of: Vec<Option<NodeId>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(ir: &'a Ir, plan: &'a Plan, names: &'a Names, left_out: Vec<MemberId>) -> Self {
        let mut view = Self {
            ir,
            plan,
            names,
            namespaces: Vec::with_capacity(ir.namespaces.len()),
            node_paths: Vec::with_capacity(plan.nodes.len()),
            file_of: Vec::with_capacity(plan.nodes.len()),
            param_names: Vec::with_capacity(plan.params.rows.len()),
            request_names: BTreeMap::new(),
            cuts: Cuts::default(),
            rule_types: RuleTypes::default(),
            left_out,
            open: Open::new(ir, &BTreeSet::new()),
            pages_names: BTreeMap::new(),
            node_of: vec![None; plan.calls.len()],
        };
        view.cuts = cuts(ir, plan, names, |ty| view.home(ty).is_some());
        view.rule_types = rule_types(ir, plan, |ty| view.home(ty).is_some());
        view.collect_namespaces();
        view.name_request_forms();
        view.name_params();
        view.place_nodes();
        view.open = Open::new(ir, &view.open_names());
        view.name_pages();
        view
    }

    /// The function that reads the pages of a call.
    pub(crate) fn pages_name(&self, call: CallId) -> &str {
        &self.pages_names[&call]
    }

    /// Where the descriptor of an operation stands: its module below `src/`, without ending, and its name there. Nothing
    /// for an operation that cannot be called.
    pub(crate) fn descriptor(&self, op: OpId) -> Option<(String, &'a str)> {
        let node = self.node_of[self.plan.call_of[op]?.index()]?;
        Some((format!("descriptors/{}", self.node_path(node)), self.names.op_function(op)))
    }

    /// The module that declares the arguments of an operation, below `src/`, without ending.
    pub(crate) fn resource_module(&self, op: OpId) -> Option<String> {
        let node = self.node_of[self.plan.call_of[op]?.index()]?;
        Some(format!("resources/{}", self.node_path(node)))
    }

    /// The member of the client that has the macros: `macros`, or that with the lowest number that makes it free.
    pub(crate) fn macros_member(&self) -> String {
        let namespaces = || (0..self.namespaces.len()).map(NamespaceId::from_index);
        let members: BTreeSet<String> = if self.has_many_namespaces() {
            self.namespaces.iter().map(|namespace| namespace.name.clone()).collect()
        } else {
            let roots = namespaces().flat_map(|id| self.roots(id));
            roots.map(|root| self.names.resource(self.plan.nodes[root].resource).to_owned()).collect()
        };
        free_name(&members, "macros")
    }

    /// Whether the client has a member for each namespace, or for each resource of the only one.
    pub(crate) fn has_many_namespaces(&self) -> bool {
        self.ir.namespaces.len() > 1
    }

    pub(crate) fn namespace(&self, id: NamespaceId) -> &NamespaceView {
        &self.namespaces[id.index()]
    }

    /// The namespace whose modules declare a type; nothing for a type that is written in place.
    pub(crate) fn home(&self, ty: TypeId) -> Option<NamespaceId> {
        match self.ir.types.rows[ty].name {
            Some(name) => Some(name.namespace),
            None if self.is_hoisted(ty) => self.plan.inline.home(ty),
            None => None,
        }
    }

    /// The namespace whose module has the schema of a type as a constant.
    pub(crate) fn schema_home(&self, ty: TypeId) -> Option<NamespaceId> {
        self.home(ty).or_else(|| self.rule_types.home(ty))
    }

    /// Whether an inline type is declared under a name.
    fn is_hoisted(&self, ty: TypeId) -> bool {
        self.plan.inline.shared(ty).is_some() || self.plan.usage.is_hoisted(ty) || self.cuts.has(ty)
    }

    /// Whether the type of an intersection does not mention a member, though its schema does.
    pub(crate) fn is_left_out(&self, member: MemberId) -> bool {
        self.left_out.binary_search(&member).is_ok()
    }

    /// The name of a declared type in the form that is meant.
    pub(crate) fn declared_name(&self, ty: TypeId, form: Form) -> &str {
        match self.request_names.get(&ty) {
            Some(name) if form == Form::Request => name,
            _ => self.schema_name(ty),
        }
    }

    /// The name of a declared type's schema, which is the type's own.
    pub(crate) fn schema_name(&self, ty: TypeId) -> &str {
        match self.cuts.name(ty).or_else(|| self.rule_types.name(ty)) {
            Some(name) => name,
            None => self.names.ty(self.plan.inline.shared(ty).map_or(ty, |shared| shared.ty)),
        }
    }

    /// A type that has a name in the tables of names, declared or not: one that may be given a declaration.
    pub(crate) fn inline_name(&self, ty: TypeId) -> Option<&'a str> {
        self.names.try_ty(ty)
    }

    /// The constant that describes a shared parameter.
    pub(crate) fn param_name(&self, id: SharedParamId) -> &str {
        &self.param_names[id.index()]
    }

    pub(crate) fn namespace_of_node(&self, node: NodeId) -> NamespaceId {
        self.ir.resources.rows[self.plan.nodes[node].resource].namespace
    }

    /// Path of the file in which a node stands.
    pub(crate) fn node_path(&self, node: NodeId) -> &str {
        &self.node_paths[self.file_of(node).index()]
    }

    /// Names of types that any file declares and that may meet those of the runtime.
    fn open_names(&self) -> BTreeSet<String> {
        let types = self.ir.types.rows.ids().filter_map(|ty| self.names.try_ty(ty));
        let args = self.plan.calls.rows().iter().map(|call| self.names.op_args(call.op));
        let classes = self.plan.nodes.rows().iter().map(|node| self.names.resource_class(node.resource));
        let requests = self.request_names.values().map(String::as_str);
        let cuts =
            self.namespaces.iter().flat_map(|namespace| &namespace.declarations).map(|row| self.schema_name(row.ty));
        let all = types.chain(args).chain(classes).chain(requests).chain(cuts);
        all.filter(|name| Open::may_be_local(name)).map(str::to_owned).collect()
    }

    /// The first node of the file in which a node stands: itself or one of its parents.
    pub(crate) fn file_of(&self, node: NodeId) -> NodeId {
        self.file_of[node.index()]
    }

    /// The first nodes of all files.
    pub(crate) fn files(&self) -> impl Iterator<Item = NodeId> {
        self.plan.nodes.ids().filter(|&id| self.file_of(id) == id)
    }

    /// The nodes of the file that starts with `first`, parents before children.
    pub(crate) fn nodes_of_file(&self, first: NodeId) -> impl Iterator<Item = NodeId> + Clone {
        // Nodes are listed depth first, so the nodes of a file follow each other.
        let rest = (first.index()..self.file_of.len()).map(NodeId::from_index);
        rest.take_while(move |&id| self.file_of(id) == first)
    }

    /// Top-level nodes of a namespace, in order.
    pub(crate) fn roots(&self, namespace: NamespaceId) -> Vec<NodeId> {
        let is_root = |id: &NodeId| self.plan.nodes[*id].parent.is_none() && self.namespace_of_node(*id) == namespace;
        self.plan.nodes.ids().filter(is_root).collect()
    }

    /// How callers reach an operation, from the client: `pets.list`.
    pub(crate) fn call_path(&self, op: OpId, node: NodeId) -> String {
        self.member_path(self.names.method(op), node)
    }

    /// How callers reach the stream of an operation: `pets.listStream`.
    pub(crate) fn stream_path(&self, op: OpId, node: NodeId) -> String {
        self.member_path(self.names.stream_method(op), node)
    }

    fn member_path(&self, member: &str, node: NodeId) -> String {
        let mut parts = vec![member];
        let mut at = Some(node);
        while let Some(id) = at {
            parts.push(self.names.resource(self.plan.nodes[id].resource));
            at = self.plan.nodes[id].parent;
        }
        if self.has_many_namespaces() {
            parts.push(&self.namespace(self.namespace_of_node(node)).name);
        }
        parts.reverse();
        parts.join(".")
    }

    /// The form in which the only declaration of a type is written.
    fn single_form(&self, ty: TypeId) -> Form {
        let usage = self.plan.usage.of(ty);
        match (usage.in_requests(), usage.in_responses()) {
            (true, false) => Form::Request,
            (_, true) => Form::Response,
            (false, false) => Form::Whole,
        }
    }

    fn collect_namespaces(&mut self) {
        let identifier = TYPESCRIPT.identifiers();
        for (id, row) in self.ir.namespaces.iter() {
            // The package exports `custom` itself.
            let local = match self.names.namespace(id) {
                "custom" => "custom_".to_owned(),
                name => name.to_owned(),
            };
            let member = identifier(Role::Method, &[self.ir.names.resolve(row.name)]);
            // Both are one word in different roles; numbers that keep namespaces apart are in the second alone.
            let is_same_word = local.strip_suffix('_') == Some(&member);
            let name = safe_file(if is_same_word { &member } else { &local });
            self.namespaces.push(NamespaceView { name, local, declarations: Vec::new(), schemas: Vec::new() });
        }
        let named = self.ir.types.named.iter().copied().filter(|ty| !self.ir.pruned[*ty]);
        let hoisted = self.plan.usage.hoisted.iter().chain(&self.cuts.types).copied();
        let all: Vec<TypeId> = named.chain(hoisted).collect();
        for ty in all {
            let Some(home) = self.home(ty) else { continue };
            let usage = self.plan.usage.of(ty);
            let form = self.single_form(ty);
            let namespace = &mut self.namespaces[home.index()];
            namespace.declarations.push(Declaration { ty, form });
            if usage.is_split() {
                namespace.declarations.push(Declaration { ty, form: Form::Request });
            }
            if usage.is_validated() {
                namespace.schemas.push(ty);
            }
        }
        for shared in self.plan.inline.shared.rows() {
            let namespace = &mut self.namespaces[shared.namespace.index()];
            namespace.declarations.push(Declaration { ty: shared.ty, form: Form::Whole });
            if shared.is_validated {
                namespace.schemas.push(shared.ty);
            }
        }
        for (index, namespace) in self.namespaces.iter_mut().enumerate() {
            namespace.schemas.extend(self.rule_types.of(NamespaceId::from_index(index)));
        }
    }

    /// `PetInput` beside `Pet`, or with the lowest number that makes it free.
    fn name_request_forms(&mut self) {
        for namespace in &self.namespaces {
            let split = |declaration: &&Declaration| self.plan.usage.of(declaration.ty).is_split();
            if !namespace.declarations.iter().any(|declaration| split(&declaration)) {
                continue;
            }
            let mut taken: BTreeSet<String> =
                namespace.declarations.iter().map(|declaration| self.schema_name(declaration.ty).to_owned()).collect();
            for Declaration { ty, form } in namespace.declarations.iter().filter(split) {
                if *form == Form::Request {
                    let name = free_name(&taken, &format!("{}Input", self.schema_name(*ty)));
                    taken.insert(name.clone());
                    self.request_names.insert(*ty, name);
                }
            }
        }
    }

    /// The parameter that most operations have under a key is called by the key; another one that is not like it has
    /// the name of its first operation in front.
    fn name_params(&mut self) {
        let identifier = TYPESCRIPT.identifiers();
        let plain = |row: &SharedParam| identifier(Role::Function, &[self.names.param(row.param)]);
        let rows = &self.plan.params.rows;
        let mut owners: BTreeMap<(NamespaceId, String), (SharedParamId, u32)> = BTreeMap::new();
        for (id, row) in rows.iter() {
            let owner = owners.entry((row.namespace, plain(row))).or_insert((id, row.n_uses));
            if row.n_uses > owner.1 {
                *owner = (id, row.n_uses);
            }
        }
        // The module imports the schemas under their own name.
        let mut taken = vec![BTreeSet::from(["schemas".to_owned()]); self.namespaces.len()];
        for (namespace, name) in owners.keys() {
            taken[namespace.index()].insert(name.clone());
        }
        for (id, row) in rows.iter() {
            let key = (row.namespace, plain(row));
            if owners[&key].0 == id && key.1 != "schemas" {
                self.param_names.push(key.1);
                continue;
            }
            let parts = [self.names.op_function(row.op), self.names.param(row.param)];
            let taken = &mut taken[row.namespace.index()];
            let name = free_name(taken, &identifier(Role::Function, &parts));
            taken.insert(name.clone());
            self.param_names.push(name);
        }
    }

    /// `petsListPages`, or with the lowest number that makes it free.
    fn name_pages(&mut self) {
        for (node, row) in self.plan.nodes.iter() {
            for &call in &row.calls {
                self.node_of[call.index()] = Some(node);
            }
        }
        let paged = |id: &CallId| self.ir.pagination[self.plan.calls[*id].op].is_some();
        let paged: Vec<CallId> = self.plan.calls.ids().filter(paged).collect();
        if paged.is_empty() {
            return;
        }
        let function = |id: CallId| self.names.op_function(self.plan.calls[id].op);
        let mut taken: BTreeSet<String> = self.plan.calls.ids().map(|id| function(id).to_owned()).collect();
        taken.extend(self.plan.calls.rows().iter().map(|call| self.names.stream_function(call.op).to_owned()));
        for id in paged {
            let name = free_name(&taken, &format!("{}Pages", function(id)));
            taken.insert(name.clone());
            self.pages_names.insert(id, name);
        }
    }

    fn place_nodes(&mut self) {
        let mut n_nodes = vec![0_usize; self.namespaces.len()];
        for id in self.plan.nodes.ids() {
            n_nodes[self.namespace_of_node(id).index()] += 1;
        }
        for (id, node) in self.plan.nodes.iter() {
            let is_large = n_nodes[self.namespace_of_node(id).index()] > MAX_FILES;
            let parent_file = node.parent.filter(|_| is_large && node.depth > DEEPEST_FILE);
            if let Some(parent) = parent_file {
                self.file_of.push(self.file_of[parent.index()]);
                self.node_paths.push(String::new());
                continue;
            }
            self.file_of.push(id);
            let file = self.names.resource_file(node.resource);
            let folder = match node.parent {
                Some(parent) => Some(self.node_paths[parent.index()].as_str()),
                None if self.has_many_namespaces() => {
                    Some(self.namespaces[self.namespace_of_node(id).index()].name.as_str())
                }
                None => None,
            };
            let path = folder.map_or_else(|| file.to_owned(), |folder| format!("{folder}/{file}"));
            // A tree that nests too deep for a path keeps its names in code and gets short file names.
            let fits = RelPath::new(&format!("src/descriptors/{path}.ts")).is_some();
            self.node_paths.push(if fits { path } else { format!("_deep/n{}", id.index()) });
        }
    }

    /// Whether a type is declared as an interface: a record whose further members, if any, have no type of their own.
    pub(crate) fn is_interface(&self, ty: TypeId) -> bool {
        matches!(self.ir.types.rows[ty].shape, Shape::Record { .. })
    }

    /// The values that a call may give.
    pub(crate) fn successes(&self, call: &tungsten_emit::Call) -> &'a [Success] {
        self.plan.successes.slice(call.successes)
    }
}

/// A file name that every system takes.
fn safe_file(name: &str) -> String {
    let fits = RelPath::new(&format!("{name}.ts")).is_some();
    if fits { name.to_owned() } else { format!("{}_", name.chars().take(100).collect::<String>()) }
}
