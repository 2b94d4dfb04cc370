//! Names at the top level of a namespace: types, classes, functions and argument types of operations, inline types that
//! an emitter hoists, and modules.
//!
//! Reads the IR; writes [`TopLevelNames`], each column by its row.

use base::{Diags, Id, Interner, Sym};

use super::scope::Scope;
use super::speller::{Speller, Written};
use crate::profile::{MAX_NAME_LEN, Role};
use crate::{Additional, Encoding, Ir, NamespaceId, OpId, ResourceId, ResponseKind, Shape, TypeId};

/// Names that are unique in their namespace.
#[derive(Clone, Debug)]
pub(super) struct TopLevelNames {
    pub(super) pool: Interner,
    pub(super) types: Vec<Option<Sym>>,
    pub(super) functions: Vec<Sym>,
    pub(super) stream_functions: Vec<Sym>,
    pub(super) op_args: Vec<Sym>,
    pub(super) resource_classes: Vec<Sym>,
    pub(super) resource_modules: Vec<Sym>,
}

pub(super) fn assign(mut speller: Speller<'_>) -> (TopLevelNames, Diags) {
    let ir = speller.ir;
    let none = speller.pool.intern("_");
    let names = TopLevelNames {
        pool: Interner::new(),
        types: vec![None; ir.types.rows.len()],
        functions: vec![none; ir.ops.rows.len()],
        stream_functions: vec![none; ir.ops.rows.len()],
        op_args: vec![none; ir.ops.rows.len()],
        resource_classes: vec![none; ir.resources.rows.len()],
        resource_modules: vec![none; ir.resources.rows.len()],
    };
    let visited = vec![false; ir.types.rows.len()];
    let mut top_level = TopLevel { ir, speller, names, visited, homes: Vec::new(), strangers: Vec::new() };
    top_level.type_scopes();
    let TopLevel { speller, mut names, .. } = top_level;
    names.pool = speller.pool;
    (names, speller.diags)
}

struct TopLevel<'a> {
    ir: &'a Ir,
    speller: Speller<'a>,
    names: TopLevelNames,
    /// Inline types that have been named or passed.
    visited: Vec<bool>,
    /// The named types of the namespace by their place.
    homes: Vec<(Place, TypeId)>,
    /// Inline types that were met in another named type than the one that they stand in.
    strangers: Vec<Pending>,
}

/// A source and a byte offset in it.
type Place = (usize, u32);

fn place_of(ir: &Ir, ty: TypeId) -> Place {
    let origin = ir.types.rows[ty].origin;
    (origin.source.index(), origin.offset)
}

/// An inline type that waits for its name, the name it asks for, and the name to fall back to when that gets long.
struct Pending {
    ty: TypeId,
    name: String,
    root: Sym,
}

/// Names of inline types start anew from their owner beyond this length.
const MAX_DERIVED_LEN: usize = 96;

impl<'a> TopLevel<'a> {
    /// All that shares the top level of a namespace.
    fn type_scopes(&mut self) {
        let ir = self.ir;
        let (mut scope, mut modules) = (Scope::new(self.speller.profile.ignores_case), Scope::new(true));
        let mut named: Vec<Vec<TypeId>> = vec![Vec::new(); ir.namespaces.len()];
        for &id in &ir.types.named {
            if let Some(name) = ir.types.rows[id].name {
                named[name.namespace.index()].push(id);
            }
        }
        let resources = by_namespace(ir, ir.resources.rows.iter().map(|(id, row)| (id, row.namespace)));
        let ops = by_namespace(ir, ir.ops.rows.iter().map(|(id, row)| (id, row.namespace)));
        for namespace in ir.namespaces.ids() {
            let index = namespace.index();
            scope.begin();
            modules.begin();
            for &id in &named[index] {
                self.named_type(&mut scope, id);
            }
            for &id in &resources[index] {
                self.resource_names(&mut scope, &mut modules, id);
            }
            for &id in &ops[index] {
                self.op_names(&mut scope, id);
            }
            self.inline_types(&mut scope, &mut named[index]);
            for &id in &ops[index] {
                self.op_types(&mut scope, id);
            }
            for &id in &ops[index] {
                self.stream_name(&mut scope, id);
            }
            if index + 1 == ir.namespaces.len() {
                self.unreached_types(&mut scope);
            }
        }
    }

    fn named_type(&mut self, scope: &mut Scope, id: TypeId) {
        let row = &self.ir.types.rows[id];
        let name = row.name.expect("the list of named types holds named types").name;
        let spelled = self.speller.spell(Role::Type, name);
        let written = Written { wire: name, origin: row.origin, is_emitted: !self.ir.pruned[id] };
        let claimed = self.speller.claim_reported(scope, Role::Type, spelled, written);
        self.names.types[id.index()] = Some(claimed);
    }

    fn resource_names(&mut self, scope: &mut Scope, modules: &mut Scope, id: ResourceId) {
        let path = self.resource_path(Some(id));
        let mut parts: Vec<&str> = path.clone();
        let module = self.speller.spell_parts(Role::File, &parts);
        self.names.resource_modules[id.index()] = self.speller.claim(modules, Role::File, module.0);
        parts.push("resource");
        let class = self.speller.spell_parts(Role::Type, &parts);
        self.names.resource_classes[id.index()] = self.speller.claim(scope, Role::Type, class.0);
    }

    fn op_names(&mut self, scope: &mut Scope, id: OpId) {
        let mut parts = self.op_path(id);
        let function = self.speller.spell_parts(Role::Function, &parts);
        self.names.functions[id.index()] = self.speller.claim(scope, Role::Function, function.0);
        parts.push("args");
        let args = self.speller.spell_parts(Role::Type, &parts);
        self.names.op_args[id.index()] = self.speller.claim(scope, Role::Type, args.0);
    }

    fn stream_name(&mut self, scope: &mut Scope, id: OpId) {
        let function = if self.ir.ops.stream(&self.ir.ops.rows[id]).is_some() {
            let mut parts = self.op_path(id);
            parts.push("stream");
            let spelled = self.speller.spell_parts(Role::Function, &parts);
            self.speller.claim(scope, Role::Function, spelled.0)
        } else {
            self.names.functions[id.index()]
        };
        self.names.stream_functions[id.index()] = function;
    }

    /// The names of a resource and its parents, outermost first.
    fn resource_path(&self, id: Option<ResourceId>) -> Vec<&'a str> {
        let mut path = Vec::new();
        let mut at = id;
        while let Some(id) = at {
            if path.len() > self.ir.resources.rows.len() {
                break;
            }
            path.push(self.ir.names.resolve(self.ir.resources.rows[id].name));
            at = self.ir.resources.rows[id].parent;
        }
        path.reverse();
        path
    }

    /// The names of an operation's resources and its own.
    fn op_path(&self, id: OpId) -> Vec<&'a str> {
        let mut path = self.resource_path(self.ir.op_resource[id]);
        let name = self.ir.op_name[id].filter(|_| !path.is_empty()).unwrap_or(self.ir.ops.rows[id].local_id);
        path.push(self.ir.names.resolve(name));
        path
    }

    /// Names the inline types of an operation: of parameters, the body, responses and their headers.
    fn op_types(&mut self, scope: &mut Scope, id: OpId) {
        let ir = self.ir;
        let op = &ir.ops.rows[id];
        let mut owner = None;
        for param in ir.ops.params.slice(op.params) {
            self.op_type(scope, id, &mut owner, param.ty, &[ir.names.resolve(param.name)]);
        }
        if let Some(body) = op.body {
            for content in ir.ops.contents.slice(ir.ops.bodies[body].contents) {
                self.op_type(scope, id, &mut owner, content.ty, &["body"]);
            }
        }
        for response in ir.ops.responses.slice(op.responses) {
            for content in ir.ops.contents.slice(response.contents) {
                let word = match (response.kind, content.encoding) {
                    (ResponseKind::Error, _) => "error",
                    (_, Encoding::Events) => "event",
                    _ => "response",
                };
                self.op_type(scope, id, &mut owner, content.ty, &[word]);
            }
            for header in ir.ops.headers.slice(response.headers) {
                self.op_type(scope, id, &mut owner, header.ty, &["header", ir.names.resolve(header.name)]);
            }
        }
    }

    fn op_type(&mut self, scope: &mut Scope, op: OpId, owner: &mut Option<Sym>, ty: TypeId, suffix: &[&str]) {
        if self.inline_behind(ty, |_| {}).is_none() {
            return;
        }
        let root = *owner.get_or_insert_with(|| {
            let parts = self.op_path(op);
            self.speller.spell_parts(Role::Type, &parts).0
        });
        let mut pending = Vec::new();
        self.push_inline(&mut pending, ty, root, root, suffix);
        self.name_pending(scope, pending, None);
    }

    /// Names the inline types inside named ones.
    ///
    /// A merge takes the types of fields over, so an inline type may be in several named ones. It is named after the
    /// one that it stands in, or else after the first by name: the order of the named types in the document must not
    /// matter.
    fn inline_types(&mut self, scope: &mut Scope, named: &mut [TypeId]) {
        let ir = self.ir;
        self.homes = named.iter().map(|&id| (place_of(ir, id), id)).collect();
        self.homes.sort_by_key(|&(place, _)| place);
        named.sort_by_key(|&id| ir.types.rows[id].name.map(|name| ir.names.resolve(name.name)));
        for &id in &*named {
            let root = self.names.types[id.index()].expect("a named type was just named");
            let mut pending = Vec::new();
            self.push_children(&mut pending, id, root, root);
            self.name_pending(scope, pending, Some(id));
        }
        let mut strangers = std::mem::take(&mut self.strangers);
        strangers.reverse();
        self.name_pending(scope, strangers, None);
    }

    /// Whether an inline type stands in the named type `owner`, which is the last to begin before it.
    fn is_at_home(&self, ty: TypeId, owner: TypeId) -> bool {
        let place = place_of(self.ir, ty);
        let n_before = self.homes.partition_point(|&(home, _)| home <= place);
        self.homes[..n_before].last().is_some_and(|&(_, home)| home == owner)
    }

    /// Names what is pending, last first, and what is in it; what does not stand in `owner`, if there is one, later.
    fn name_pending(&mut self, scope: &mut Scope, mut pending: Vec<Pending>, owner: Option<TypeId>) {
        while let Some(Pending { ty, name, root }) = pending.pop() {
            if self.visited[ty.index()] {
                continue;
            }
            if owner.is_some_and(|owner| !self.is_at_home(ty, owner)) {
                self.strangers.push(Pending { ty, name, root });
                continue;
            }
            self.visited[ty.index()] = true;
            let mut base = self.speller.pool.intern(&name);
            if is_hoistable(&self.ir.types.rows[ty].shape) {
                base = self.speller.claim(scope, Role::Type, base);
                self.names.types[ty.index()] = Some(base);
            }
            self.push_children(&mut pending, ty, base, root);
        }
    }

    /// Queues the inline types directly inside `id`, so that they are taken off the end in document order.
    fn push_children(&mut self, pending: &mut Vec<Pending>, id: TypeId, base: Sym, root: Sym) {
        let ir = self.ir;
        let start = pending.len();
        match ir.types.rows[id].shape {
            Shape::Record { fields, additional } => {
                for field in ir.types.fields.slice(fields) {
                    self.push_inline(pending, field.ty, base, root, &[ir.names.resolve(field.name)]);
                }
                if let Additional::Typed(ty) = additional {
                    self.push_inline(pending, ty, base, root, &["value"]);
                }
            }
            Shape::Union { variants, .. } => {
                for variant in ir.types.variants.slice(variants) {
                    self.push_inline(pending, variant.ty, base, root, &[ir.names.resolve(variant.name)]);
                }
            }
            Shape::Intersection { members } => {
                for &ty in ir.types.members.slice(members) {
                    self.push_inline(pending, ty, base, root, &["part"]);
                }
            }
            Shape::Tuple { prefix, rest } => {
                for &ty in ir.types.members.slice(prefix) {
                    self.push_inline(pending, ty, base, root, &["item"]);
                }
                if let Some(ty) = rest {
                    self.push_inline(pending, ty, base, root, &["rest"]);
                }
            }
            // A named list, map or alias of an inline type: the owner is the named one.
            Shape::Array { items } => self.push_inline(pending, items, base, root, &["item"]),
            Shape::Map { values } => self.push_inline(pending, values, base, root, &["value"]),
            Shape::Nullable { inner } => self.push_inline(pending, inner, base, root, &["value"]),
            Shape::Alias { target } => self.push_inline(pending, target, base, root, &["value"]),
            _ => {}
        }
        pending[start..].reverse();
    }

    /// Queues the record, enum, union, intersection or tuple behind `ty`, if it is inline, under the name of `base`
    /// with the words of `suffix` and of the lists and maps on the way.
    fn push_inline(&mut self, pending: &mut Vec<Pending>, ty: TypeId, base: Sym, root: Sym, suffix: &[&str]) {
        let Some(inner) = self.inline_behind(ty, |_| {}) else { return };
        let mut words = std::mem::take(&mut self.speller.words);
        words.clear();
        for part in suffix {
            words.push(part);
        }
        if words.is_empty() {
            words.push(Role::Field.fallback());
        }
        self.inline_behind(ty, |word| words.push(word));
        let base = self.speller.pool.resolve(base);
        let base = if base.len() > MAX_DERIVED_LEN { self.speller.pool.resolve(root) } else { base };
        let mut name = base.to_owned();
        words.write(self.speller.profile.case(Role::Type), &mut name);
        self.speller.words = words;
        name.truncate(MAX_NAME_LEN);
        pending.push(Pending { ty: inner, name, root });
    }

    /// The inline type that needs a name behind any nullability, lists and maps, each of which says its word.
    fn inline_behind(&self, ty: TypeId, mut say: impl FnMut(&'static str)) -> Option<TypeId> {
        let mut at = ty;
        for _ in 0..=MAX_WRAPPERS {
            let row = &self.ir.types.rows[at];
            if row.name.is_some() {
                return None;
            }
            at = match row.shape {
                Shape::Nullable { inner } => inner,
                Shape::Alias { target } => target,
                Shape::Array { items } => {
                    say("item");
                    items
                }
                Shape::Map { values } => {
                    say("value");
                    values
                }
                Shape::Tuple { .. } => return Some(at),
                shape => return is_hoistable(&shape).then_some(at),
            };
        }
        None
    }

    /// Names the inline types that no named type and no operation leads to.
    fn unreached_types(&mut self, scope: &mut Scope) {
        for (id, row) in self.ir.types.rows.iter() {
            if row.name.is_some() || self.visited[id.index()] || !is_hoistable(&row.shape) {
                continue;
            }
            let root = self.speller.spell_parts(Role::Type, &["inline"]).0;
            let name = self.speller.pool.resolve(root).to_owned();
            self.name_pending(scope, vec![Pending { ty: id, name, root }], None);
        }
    }
}

/// Lists, maps and nullables between an owner and an inline type; nesting is limited far below.
const MAX_WRAPPERS: usize = 1024;

/// Whether an inline type of this shape gets a name.
fn is_hoistable(shape: &Shape) -> bool {
    matches!(shape, Shape::Record { .. } | Shape::Enum { .. } | Shape::Union { .. } | Shape::Intersection { .. })
}

/// The rows of each namespace, in order.
fn by_namespace<I>(ir: &Ir, rows: impl Iterator<Item = (I, NamespaceId)>) -> Vec<Vec<I>> {
    let mut lists: Vec<Vec<I>> = ir.namespaces.ids().map(|_| Vec::new()).collect();
    for (id, namespace) in rows {
        lists[namespace.index()].push(id);
    }
    lists
}
