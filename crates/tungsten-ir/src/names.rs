//! The names of one target: every row that a language needs a name for gets one, by its profile, unique in its scope.
//!
//! Reads the frozen IR and a profile, writes [`Names`]. Emitters only look names up: each is an ASCII identifier and
//! may be printed as it is. Wire names stay in the IR; words and cases are in `words`, the languages in `profile`.

use base::diag::quoted;
use base::{Code, Diags, Id, Interner, Place, Span, Sym};

use crate::profile::{Lexicon, MAX_NAME_LEN, Profile, Role};
use crate::words::Words;
use crate::{
    Additional, EnumValueId, FieldId, Ir, NamespaceId, OpId, Origin, ParamId, ResourceId, ResourceRefId, ResponseKind,
    Role as ParamRole, Shape, TypeId, VariantId,
};

/// What an emitter may say about its names.
#[derive(Clone, Copy, Default, Debug)]
pub struct NameOptions<'a> {
    /// Keep a field's wire name where it is an ASCII identifier (`naming.fields.preserve_wire_names_in_ts`).
    pub preserve_wire_field_names: bool,
    /// Report TG0401. One target of a run asks for it, so that a collision is reported once.
    pub report_collisions: bool,
    /// Report TG0402.
    pub report_escapes: bool,
    /// Types that the target's files import or declare themselves; a type of this name gets the word `model`.
    pub used_types: &'a [&'a str],
    /// Members that every generated resource or client has; methods and child resources avoid them.
    pub used_members: &'a [&'a str],
}

/// The names of one target, by row.
///
/// Every answer is a non-empty ASCII identifier of the profile's alphabet (letters, digits, `_`; Dart adds `$`).
#[derive(Clone, Debug)]
pub struct Names {
    pool: Interner,
    types: Vec<Option<Sym>>,
    fields: Vec<Sym>,
    variants: Vec<Sym>,
    enum_values: Vec<Sym>,
    params: Vec<Sym>,
    methods: Vec<Sym>,
    functions: Vec<Sym>,
    op_args: Vec<Sym>,
    body_args: Vec<Sym>,
    resources: Vec<Sym>,
    resource_classes: Vec<Sym>,
    resource_files: Vec<Sym>,
    resource_modules: Vec<Sym>,
    namespaces: Vec<Sym>,
}

impl Names {
    /// The name of a named type, or of an inline record, enum, union or intersection should the emitter hoist it;
    /// unique in the namespace together with [`Self::op_args`] and [`Self::resource_class`]. Panics for other types.
    pub fn ty(&self, id: TypeId) -> &str {
        self.try_ty(id).expect("only named types, records, enums, unions and intersections have names")
    }

    /// As [`Self::ty`], or nothing for a type that has no name.
    pub fn try_ty(&self, id: TypeId) -> Option<&str> {
        self.types[id.index()].map(|name| self.pool.resolve(name))
    }

    /// Unique in the field's record.
    pub fn field(&self, id: FieldId) -> &str {
        self.pool.resolve(self.fields[id.index()])
    }

    /// Unique in the variant's union.
    pub fn variant(&self, id: VariantId) -> &str {
        self.pool.resolve(self.variants[id.index()])
    }

    /// Unique in the value's enum.
    pub fn enum_value(&self, id: EnumValueId) -> &str {
        self.pool.resolve(self.enum_values[id.index()])
    }

    /// The key of a parameter in the arguments object; unique in its operation.
    pub fn param(&self, id: ParamId) -> &str {
        self.pool.resolve(self.params[id.index()])
    }

    /// The key of the body where it is one argument: `body`, or `body2` and so on when a parameter has that name.
    pub fn body_arg(&self, id: OpId) -> &str {
        self.pool.resolve(self.body_args[id.index()])
    }

    /// The method of an operation; unique in its resource together with the child resources. An operation outside
    /// the tree (planned, webhook, callback) has a name that is unique nowhere.
    pub fn method(&self, id: OpId) -> &str {
        self.pool.resolve(self.methods[id.index()])
    }

    /// The standalone function of an operation (`petsList`, `usersMessagesList`); unique in the namespace.
    pub fn op_function(&self, id: OpId) -> &str {
        self.pool.resolve(self.functions[id.index()])
    }

    /// The type of an operation's arguments (`PetsListArgs`); unique among the types of the namespace.
    pub fn op_args(&self, id: OpId) -> &str {
        self.pool.resolve(self.op_args[id.index()])
    }

    /// A resource as a member of its parent or of the client; unique there together with the methods.
    pub fn resource(&self, id: ResourceId) -> &str {
        self.pool.resolve(self.resources[id.index()])
    }

    /// The class of a resource (`PetsResource`, `UsersMessagesResource`); unique among the types of the namespace.
    pub fn resource_class(&self, id: ResourceId) -> &str {
        self.pool.resolve(self.resource_classes[id.index()])
    }

    /// The file name of a resource without ending, unique without regard to case among its siblings: for nested
    /// folders, where each parent is a folder of its own name.
    pub fn resource_file(&self, id: ResourceId) -> &str {
        self.pool.resolve(self.resource_files[id.index()])
    }

    /// The file name of a resource with the names of its parents in front (`users_messages`), unique without regard
    /// to case in the namespace: for one flat folder.
    pub fn resource_module(&self, id: ResourceId) -> &str {
        self.pool.resolve(self.resource_modules[id.index()])
    }

    /// Module or member of a namespace; unique in the API without regard to case.
    pub fn namespace(&self, id: NamespaceId) -> &str {
        self.pool.resolve(self.namespaces[id.index()])
    }
}

/// Names all rows. Reads the IR and the profile; reports what `options` asks for.
///
/// The order is fixed: within a scope rows come in document order, the first keeps its name and a later one gets the
/// lowest free number from 2. In a namespace named types come first, then classes, functions and argument types of
/// operations, then inline types, so that what nobody wrote never renames what somebody did.
pub fn assign(ir: &Ir, profile: &Profile, options: &NameOptions<'_>, diags: &mut Diags) -> Names {
    let mut namer = Namer::new(ir, profile, *options, diags);
    namer.namespaces();
    namer.records();
    namer.unions_and_enums();
    namer.params();
    namer.resource_tree();
    namer.type_scopes();
    namer.names
}

/// A scope: which names are taken in it. Cheap to begin anew, since names carry the number of the scope that took them.
#[derive(Default)]
struct Scope {
    taken: Vec<Taken>,
    current: u32,
    /// Whether names that differ in case only are one name.
    ignores_case: bool,
}

#[derive(Clone, Copy, Default)]
struct Taken {
    scope: u32,
    /// The lowest number that may be free after this name. Without it, each of many equal names would try all numbers
    /// of those before it.
    next: u32,
    /// The wire name that became this name; nothing for one that generated code needs for itself.
    holder: Option<Sym>,
}

/// A name that was free, and what stood in the way of the one that was wanted.
struct Claimed {
    name: Sym,
    is_renamed: bool,
    /// The wire name that became the wanted name before.
    holder: Option<Sym>,
}

impl Scope {
    fn new(ignores_case: bool) -> Self {
        Self { ignores_case, ..Self::default() }
    }

    fn begin(&mut self) {
        self.current += 1;
    }

    /// Takes `name` for the wire name `holder` if it is free in the scope.
    fn take(&mut self, pool: &mut Interner, name: Sym, holder: Option<Sym>) -> bool {
        let key = self.key(pool, name);
        if self.taken.len() <= key {
            self.taken.resize(key + 1, Taken::default());
        }
        let free = self.taken[key].scope != self.current;
        if free {
            self.taken[key] = Taken { scope: self.current, next: 2, holder };
        }
        free
    }

    fn key(&self, pool: &mut Interner, name: Sym) -> usize {
        if self.ignores_case {
            let folded = pool.resolve(name).to_ascii_lowercase();
            return pool.intern(&folded).index();
        }
        name.index()
    }

    /// Takes `name`, or `name` with the lowest free number, for the wire name `wire`. All claims of a scope together
    /// try about as many names as the scope holds in the end.
    fn claim(
        &mut self,
        pool: &mut Interner,
        name: Sym,
        wire: Option<Sym>,
        is_reserved: impl Fn(&str) -> bool,
    ) -> Claimed {
        if self.take(pool, name, wire) {
            return Claimed { name, is_renamed: false, holder: None };
        }
        let key = self.key(pool, name);
        let holder = self.taken[key].holder;
        let base = pool.resolve(name).to_owned();
        let joint = if base.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        for number in self.taken[key].next.. {
            let numbered = format!("{base}{joint}{number}");
            if is_reserved(&numbered) {
                continue;
            }
            let candidate = pool.intern(&numbered);
            if self.take(pool, candidate, wire) {
                self.taken[key].next = number + 1;
                return Claimed { name: candidate, is_renamed: true, holder };
            }
        }
        unreachable!("a scope holds fewer names than there are numbers")
    }
}

/// A spelled name and whether it had to be escaped.
type Spelled = (Sym, bool);

/// Something that a person named.
#[derive(Clone, Copy)]
struct Written {
    wire: Sym,
    origin: Origin,
    /// Whether emitters print it. What happened to other names concerns nobody.
    is_emitted: bool,
}

struct Namer<'a> {
    ir: &'a Ir,
    profile: &'a Profile,
    options: NameOptions<'a>,
    diags: &'a mut Diags,
    names: Names,
    /// The spelling of each symbol, a column a role.
    spelled: [Vec<Option<Spelled>>; Role::ALL.len()],
    /// Inline types that have been named or passed.
    visited: Vec<bool>,
    lexicon: Lexicon,
    words: Words,
    /// The name that is being written.
    name: String,
}

/// An inline type that waits for its name, the name it asks for, and the name to fall back to when that gets long.
struct Pending {
    ty: TypeId,
    name: String,
    root: Sym,
}

/// Names of inline types start anew from their owner beyond this length.
const MAX_DERIVED_LEN: usize = 96;

impl<'a> Namer<'a> {
    fn new(ir: &'a Ir, profile: &'a Profile, options: NameOptions<'a>, diags: &'a mut Diags) -> Self {
        let mut pool = Interner::new();
        let none = pool.intern("_");
        let names = Names {
            types: vec![None; ir.types.rows.len()],
            fields: vec![none; ir.types.fields.len()],
            variants: vec![none; ir.types.variants.len()],
            enum_values: vec![none; ir.types.enum_values.len()],
            params: vec![none; ir.ops.params.len()],
            methods: vec![none; ir.ops.rows.len()],
            functions: vec![none; ir.ops.rows.len()],
            op_args: vec![none; ir.ops.rows.len()],
            body_args: vec![none; ir.ops.rows.len()],
            resources: vec![none; ir.resources.rows.len()],
            resource_classes: vec![none; ir.resources.rows.len()],
            resource_files: vec![none; ir.resources.rows.len()],
            resource_modules: vec![none; ir.resources.rows.len()],
            namespaces: vec![none; ir.namespaces.len()],
            pool,
        };
        Self {
            ir,
            profile,
            options,
            diags,
            names,
            spelled: Role::ALL.map(|_| Vec::new()),
            visited: vec![false; ir.types.rows.len()],
            lexicon: Lexicon::new(profile, options.used_types),
            words: Words::default(),
            name: String::new(),
        }
    }

    fn namespaces(&mut self) {
        let mut scope = Scope::new(true);
        scope.begin();
        for (id, namespace) in self.ir.namespaces.iter() {
            let spelled = self.spell(Role::Module, namespace.name);
            self.names.namespaces[id.index()] = self.claim(&mut scope, Role::Module, spelled.0);
        }
    }

    fn records(&mut self) {
        let mut scope = Scope::new(false);
        for (ty, row) in self.ir.types.rows.iter() {
            let Shape::Record { fields, .. } = row.shape else { continue };
            let is_emitted = !self.ir.pruned[ty];
            scope.begin();
            for id in fields {
                let field = &self.ir.types.fields[id];
                let spelled = self.spell_field(field.name);
                let written = Written { wire: field.name, origin: field.origin, is_emitted };
                self.names.fields[id.index()] = self.claim_reported(&mut scope, Role::Field, spelled, written);
            }
        }
    }

    fn spell_field(&mut self, wire: Sym) -> Spelled {
        let text = self.ir.names.resolve(wire);
        if self.options.preserve_wire_field_names && is_identifier(text) {
            return (self.names.pool.intern(text), false);
        }
        self.spell(Role::Field, wire)
    }

    fn unions_and_enums(&mut self) {
        let mut scope = Scope::new(self.profile.ignores_case);
        for row in self.ir.types.rows.rows() {
            scope.begin();
            match row.shape {
                Shape::Union { variants, .. } => {
                    for id in variants {
                        let spelled = self.spell(Role::Variant, self.ir.types.variants[id].name);
                        self.names.variants[id.index()] = self.claim(&mut scope, Role::Variant, spelled.0);
                    }
                }
                Shape::Enum { values } => {
                    for id in values {
                        let spelled = self.spell(Role::Variant, self.ir.types.enum_values[id].name);
                        self.names.enum_values[id.index()] = self.claim(&mut scope, Role::Variant, spelled.0);
                    }
                }
                _ => {}
            }
        }
    }

    /// Arguments first, then the parameters that callers never see, so that these cannot rename an argument.
    fn params(&mut self) {
        let mut scope = Scope::new(false);
        for (op_id, op) in self.ir.ops.rows.iter() {
            let is_emitted = self.ir.op_resource[op_id].is_some();
            scope.begin();
            for arguments in [true, false] {
                for id in op.params {
                    let param = &self.ir.ops.params[id];
                    if matches!(param.role, ParamRole::Plain | ParamRole::DryRun) != arguments {
                        continue;
                    }
                    let spelled = self.spell(Role::Param, param.name);
                    let written = Written { wire: param.name, origin: param.origin, is_emitted };
                    self.names.params[id.index()] = self.claim_reported(&mut scope, Role::Param, spelled, written);
                }
            }
            let body = self.spell_parts(Role::Param, &["body"]);
            self.names.body_args[op_id.index()] = self.claim(&mut scope, Role::Param, body.0);
        }
    }

    /// Members of resources and clients, and the files of resources. Parents come before children.
    fn resource_tree(&mut self) {
        let mut members = Scope::new(self.profile.ignores_case);
        let mut files = Scope::new(true);
        for (id, op) in self.ir.ops.rows.iter() {
            if self.ir.op_resource[id].is_none() {
                let name = self.ir.op_name[id].unwrap_or(op.local_id);
                self.names.methods[id.index()] = self.spell(Role::Method, name).0;
            }
        }
        for namespace in self.ir.namespaces.rows() {
            self.begin_members(&mut members);
            self.children(namespace.resources, &mut members, &mut files);
        }
        for resource in self.ir.resources.rows.rows() {
            self.begin_members(&mut members);
            for &id in self.ir.resources.op_refs.slice(resource.ops) {
                let op = &self.ir.ops.rows[id];
                let name = self.ir.op_name[id].unwrap_or(op.local_id);
                let spelled = self.spell(Role::Method, name);
                let written = Written { wire: name, origin: op.origin, is_emitted: true };
                self.names.methods[id.index()] = self.claim_reported(&mut members, Role::Method, spelled, written);
            }
            self.children(resource.children, &mut members, &mut files);
        }
    }

    fn begin_members(&mut self, members: &mut Scope) {
        members.begin();
        for used in self.options.used_members {
            let name = self.names.pool.intern(used);
            members.take(&mut self.names.pool, name, None);
        }
    }

    fn children(&mut self, children: Span<ResourceRefId>, members: &mut Scope, files: &mut Scope) {
        files.begin();
        for &id in self.ir.resources.resource_refs.slice(children) {
            let name = self.ir.resources.rows[id].name;
            let spelled = self.spell(Role::Method, name);
            self.names.resources[id.index()] = self.claim(members, Role::Method, spelled.0);
            let spelled = self.spell(Role::File, name);
            self.names.resource_files[id.index()] = self.claim(files, Role::File, spelled.0);
        }
    }

    /// All that shares the top level of a namespace.
    fn type_scopes(&mut self) {
        let ir = self.ir;
        let (mut scope, mut modules) = (Scope::new(self.profile.ignores_case), Scope::new(true));
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
            for &id in &named[index] {
                let root = self.names.types[id.index()].expect("a named type was just named");
                self.inline_children(&mut scope, id, root);
            }
            for &id in &ops[index] {
                self.op_types(&mut scope, id);
            }
            if index + 1 == ir.namespaces.len() {
                self.unreached_types(&mut scope);
            }
        }
    }

    fn named_type(&mut self, scope: &mut Scope, id: TypeId) {
        let row = &self.ir.types.rows[id];
        let name = row.name.expect("the list of named types holds named types").name;
        let spelled = self.spell(Role::Type, name);
        let written = Written { wire: name, origin: row.origin, is_emitted: !self.ir.pruned[id] };
        let claimed = self.claim_reported(scope, Role::Type, spelled, written);
        self.names.types[id.index()] = Some(claimed);
    }

    fn resource_names(&mut self, scope: &mut Scope, modules: &mut Scope, id: ResourceId) {
        let path = self.resource_path(Some(id));
        let mut parts: Vec<&str> = path.clone();
        let module = self.spell_parts(Role::File, &parts);
        self.names.resource_modules[id.index()] = self.claim(modules, Role::File, module.0);
        parts.push("resource");
        let class = self.spell_parts(Role::Type, &parts);
        self.names.resource_classes[id.index()] = self.claim(scope, Role::Type, class.0);
    }

    fn op_names(&mut self, scope: &mut Scope, id: OpId) {
        let mut parts = self.op_path(id);
        let function = self.spell_parts(Role::Function, &parts);
        self.names.functions[id.index()] = self.claim(scope, Role::Function, function.0);
        parts.push("args");
        let args = self.spell_parts(Role::Type, &parts);
        self.names.op_args[id.index()] = self.claim(scope, Role::Type, args.0);
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
            let word = if response.kind == ResponseKind::Error { "error" } else { "response" };
            for content in ir.ops.contents.slice(response.contents) {
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
            self.spell_parts(Role::Type, &parts).0
        });
        let mut pending = Vec::new();
        self.push_inline(&mut pending, ty, root, root, suffix);
        self.name_pending(scope, pending);
    }

    /// Names the inline types inside a named one.
    fn inline_children(&mut self, scope: &mut Scope, id: TypeId, root: Sym) {
        let mut pending = Vec::new();
        self.push_children(&mut pending, id, root, root);
        self.name_pending(scope, pending);
    }

    fn name_pending(&mut self, scope: &mut Scope, mut pending: Vec<Pending>) {
        while let Some(Pending { ty, name, root }) = pending.pop() {
            if std::mem::replace(&mut self.visited[ty.index()], true) {
                continue;
            }
            let mut base = self.names.pool.intern(&name);
            if is_hoistable(&self.ir.types.rows[ty].shape) {
                base = self.claim(scope, Role::Type, base);
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
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        for part in suffix {
            words.push(part);
        }
        if words.is_empty() {
            words.push(Role::Field.fallback());
        }
        self.inline_behind(ty, |word| words.push(word));
        let base = self.names.pool.resolve(base);
        let base = if base.len() > MAX_DERIVED_LEN { self.names.pool.resolve(root) } else { base };
        let mut name = base.to_owned();
        words.write(self.profile.case(Role::Type), &mut name);
        self.words = words;
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
            let root = self.spell_parts(Role::Type, &["inline"]).0;
            let name = self.names.pool.resolve(root).to_owned();
            self.name_pending(scope, vec![Pending { ty: id, name, root }]);
        }
    }

    /// The identifier of one symbol in a role, remembered.
    fn spell(&mut self, role: Role, sym: Sym) -> Spelled {
        let column = &mut self.spelled[role as usize];
        if column.is_empty() {
            column.resize(self.ir.names.len(), None);
        }
        if let Some(spelled) = column[sym.index()] {
            return spelled;
        }
        let spelled = self.spell_parts(role, &[self.ir.names.resolve(sym)]);
        self.spelled[role as usize][sym.index()] = Some(spelled);
        spelled
    }

    fn spell_parts(&mut self, role: Role, parts: &[&str]) -> Spelled {
        self.words.clear();
        for part in parts {
            self.words.push(part);
        }
        let escaped = self.profile.spell(role, &mut self.words, &self.lexicon, &mut self.name);
        (self.names.pool.intern(&self.name), escaped)
    }

    /// Claims a name whose change concerns nobody.
    fn claim(&mut self, scope: &mut Scope, role: Role, name: Sym) -> Sym {
        self.claim_for(scope, role, name, None).name
    }

    fn claim_for(&mut self, scope: &mut Scope, role: Role, name: Sym, wire: Option<Sym>) -> Claimed {
        let lexicon = &self.lexicon;
        scope.claim(&mut self.names.pool, name, wire, |numbered| lexicon.is_reserved(role, numbered))
    }

    /// Claims the name of something that a person wrote, and reports what happened to it.
    fn claim_reported(&mut self, scope: &mut Scope, role: Role, spelled: Spelled, written: Written) -> Sym {
        let (wanted, escaped) = spelled;
        let claimed = self.claim_for(scope, role, wanted, Some(written.wire));
        if claimed.is_renamed && written.is_emitted && self.options.report_collisions {
            let message = self.collision(wanted, &claimed, written.wire);
            self.diags.report(Code::TG0401, self.place(written.origin), message);
        }
        if escaped && written.is_emitted && self.options.report_escapes {
            let (wire, name) = (self.ir.names.resolve(written.wire), self.names.pool.resolve(claimed.name));
            let message = format!("{} is no free {} identifier and becomes `{name}`", quoted(wire), self.profile.title);
            self.diags.report(Code::TG0402, self.place(written.origin), message);
        }
        claimed.name
    }

    /// The words for two names that met: both as they are written, where both are known.
    fn collision(&self, wanted: Sym, claimed: &Claimed, wire: Sym) -> String {
        let (wanted, name) = (self.names.pool.resolve(wanted), self.names.pool.resolve(claimed.name));
        let language = self.profile.title;
        let this = quoted(self.ir.names.resolve(wire));
        match claimed.holder {
            Some(other) if other == wire => {
                format!("{this} is there twice in one scope; this one becomes `{name}` in {language}")
            }
            Some(other) => {
                let other = quoted(self.ir.names.resolve(other));
                format!("{this} and {other} are both `{wanted}` in {language}; {this} becomes `{name}`")
            }
            None => format!("generated code needs `{wanted}` for itself in {language}; {this} becomes `{name}`"),
        }
    }

    fn place(&self, origin: Origin) -> Place {
        let pointer = origin.pointer.map_or("", |text| self.ir.texts.get(text).untrusted());
        Place::at(origin.source, pointer, (origin.offset, origin.offset))
    }
}

/// Lists, maps and nullables between an owner and an inline type; nesting is limited far below.
const MAX_WRAPPERS: usize = 1024;

/// Whether an inline type of this shape gets a name.
fn is_hoistable(shape: &Shape) -> bool {
    matches!(shape, Shape::Record { .. } | Shape::Enum { .. } | Shape::Union { .. } | Shape::Intersection { .. })
}

/// Whether a wire name can stay: an ASCII identifier, and not the one that JavaScript objects treat as their prototype.
fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && text.len() <= MAX_NAME_LEN
        && text != "__proto__"
}

/// The rows of each namespace, in order.
fn by_namespace<I>(ir: &Ir, rows: impl Iterator<Item = (I, NamespaceId)>) -> Vec<Vec<I>> {
    let mut lists: Vec<Vec<I>> = ir.namespaces.ids().map(|_| Vec::new()).collect();
    for (id, namespace) in rows {
        lists[namespace.index()].push(id);
    }
    lists
}

#[cfg(test)]
mod tests {
    use base::{Diags, Id};

    use super::{NameOptions, Names, assign};
    use crate::profile::{self, MAX_NAME_LEN, Profile};
    use crate::sample::{Sample, shop};
    use crate::{Additional, Encoding, Location, NamespaceId, OpId, Role, Shape, Status, TypeId};

    fn names(sample: &Sample, profile: &Profile) -> Names {
        assign(&sample.ir, profile, &NameOptions::default(), &mut Diags::new())
    }

    /// The names of the fields of one record, for a profile.
    fn fields(profile: &Profile, options: &NameOptions<'_>, wire: &[&str]) -> Vec<String> {
        let mut sample = Sample::new();
        let text = sample.text_type();
        let fields: Vec<_> = wire.iter().map(|&name| (name, text)).collect();
        sample.record("Row", &fields);
        let names = assign(&sample.ir, profile, options, &mut Diags::new());
        sample.ir.types.fields.ids().map(|id| names.field(id).to_owned()).collect()
    }

    fn types(profile: &Profile, options: &NameOptions<'_>, wire: &[&str]) -> Vec<String> {
        let mut sample = Sample::new();
        for name in wire {
            sample.ty(name, Shape::Any);
        }
        let names = assign(&sample.ir, profile, options, &mut Diags::new());
        sample.ir.types.named.iter().map(|&id| names.ty(id).to_owned()).collect()
    }

    #[test]
    fn fields_are_spelled_by_language() {
        let wire = ["userIDs", "class", "2fa", "v1_2", "__proto__", "\u{1f600}", "json", "this"];
        let cases: [(&Profile, [&str; 8]); 11] = [
            (&profile::TYPESCRIPT, ["userIds", "class", "_2fa", "v1_2", "proto", "field", "json", "this"]),
            (&profile::PYTHON, ["user_ids", "class_", "field_2fa", "v1_2", "proto", "field", "json_", "this"]),
            (&profile::RUST, ["user_ids", "class", "_2fa", "v1_2", "proto", "field", "json", "this"]),
            (&profile::JAVA, ["userIds", "class_", "_2fa", "v1_2", "proto", "field", "json", "this_"]),
            (&profile::CSHARP, ["UserIds", "Class", "_2fa", "V1_2", "Proto", "Field", "Json", "This"]),
            (&profile::KOTLIN, ["userIds", "class_", "_2fa", "v1_2", "proto", "field", "json", "this_"]),
            (&profile::SWIFT, ["userIds", "class_", "_2fa", "v1_2", "proto", "field", "json", "this"]),
            (&profile::PHP, ["userIds", "class", "_2fa", "v1_2", "proto", "field", "json", "this_"]),
            (&profile::RUBY, ["user_ids", "class_", "_2fa", "v1_2", "proto", "field", "json", "this"]),
            (&profile::DART, ["userIds", "class_", "$2fa", "v1_2", "proto", "field", "json", "this_"]),
            (&profile::GO, ["UserIds", "Class", "N2fa", "V1_2", "Proto", "Field", "Json", "This"]),
        ];
        for (profile, expect) in cases {
            assert_eq!(fields(profile, &NameOptions::default(), &wire), expect, "{}", profile.language);
        }
    }

    #[test]
    fn types_avoid_builtins_reserved_words_and_what_the_target_uses() {
        let cases: [(&Profile, &str, &str); 12] = [
            (&profile::TYPESCRIPT, "error", "ErrorModel"),
            (&profile::TYPESCRIPT, "3d-model", "_3dModel"),
            (&profile::TYPESCRIPT, "Widget", "WidgetModel"),
            (&profile::TYPESCRIPT, "\u{540d}", "Type"),
            (&profile::PYTHON, "none", "None_"),
            (&profile::RUST, "self", "Self_"),
            (&profile::RUST, "option", "OptionModel"),
            (&profile::SWIFT, "protocol", "Protocol_"),
            (&profile::PHP, "list", "List_"),
            (&profile::PHP, "readOnly", "ReadOnly_"),
            (&profile::RUBY, "3d", "N3d"),
            (&profile::DART, "function", "Function_"),
        ];
        let options = NameOptions { used_types: &["Widget"], ..NameOptions::default() };
        for (profile, wire, expect) in cases {
            assert_eq!(types(profile, &options, &[wire]), [expect], "{}", profile.language);
        }
    }

    #[test]
    fn later_names_get_the_lowest_free_number() {
        let options = NameOptions::default();
        let cases: [(&[&str], &[&str]); 5] = [
            (&["a_b", "aB", "a-b", "aB2"], &["aB", "aB2", "aB3", "aB2_2"]),
            (&["aB2", "a_b", "aB"], &["aB2", "aB", "aB3"]),
            (&["v1", "V1", "v_1"], &["v1", "v1_2", "v1_3"]),
            (&["", "\u{1f600}", "field"], &["field", "field2", "field3"]),
            (&["delete", "Delete"], &["delete", "delete2"]),
        ];
        for (wire, expect) in cases {
            assert_eq!(fields(&profile::TYPESCRIPT, &options, wire), expect);
        }
        assert_eq!(types(&profile::TYPESCRIPT, &options, &["pet", "Pet", "pet2"]), ["Pet", "Pet2", "Pet2_2"]);
        // Case does not tell classes of PHP apart.
        assert_eq!(types(&profile::PHP, &options, &["petID", "PETid"]), ["PetId", "PeTid2"]);
        assert_eq!(types(&profile::PHP, &options, &["ab c", "a bc"]), ["AbC", "ABc2"]);
        assert_eq!(types(&profile::TYPESCRIPT, &options, &["ab c", "a bc"]), ["AbC", "ABc"]);
    }

    /// Were every name to try all numbers of those before it, each of these would take half a minute and more.
    #[test]
    fn many_names_that_meet_are_numbered_in_linear_time() {
        const MANY: usize = 20_000;
        const LIMIT: std::time::Duration = std::time::Duration::from_secs(10);
        let separated = |stem: &'static str| {
            let marks = ["-", "_", ".", " "];
            let digits = move |n: usize| (0..8).map(move |place| marks[n >> (2 * place) & 3]);
            (0..MANY).map(move |n| digits(n).chain([stem]).collect::<String>())
        };
        let numbered = || (2..MANY).map(|number| format!("x{number}"));
        let cases: [(Vec<String>, String); 3] = [
            (separated("x").collect(), format!("x{MANY}")),
            (separated("x1").collect(), format!("x1_{MANY}")),
            (numbered().chain(separated("x")).collect(), format!("x{}", 2 * MANY - 2)),
        ];
        for (wire, last) in &cases {
            let wire: Vec<&str> = wire.iter().map(String::as_str).collect();
            for profile in [&profile::RUST, &profile::TYPESCRIPT] {
                let start = std::time::Instant::now();
                assert_eq!(fields(profile, &NameOptions::default(), &wire).last(), Some(last));
                assert!(start.elapsed() < LIMIT, "{last} took {:?}", start.elapsed());
            }
        }
        // Types of PHP are told apart without regard to case.
        let wire: Vec<String> = separated("x").collect();
        let wire: Vec<&str> = wire.iter().map(String::as_str).collect();
        let start = std::time::Instant::now();
        assert_eq!(types(&profile::PHP, &NameOptions::default(), &wire).last(), Some(&format!("X{MANY}")));
        assert!(start.elapsed() < LIMIT, "types took {:?}", start.elapsed());
    }

    #[test]
    fn wire_names_stay_on_request_where_they_are_identifiers() {
        let options = NameOptions { preserve_wire_field_names: true, ..NameOptions::default() };
        let wire = ["user_id", "userId", "X-Y", "class", "__proto__", "gr\u{f6}\u{df}e", "2fa"];
        let expect = ["user_id", "userId", "xY", "class", "proto", "gre", "_2fa"];
        assert_eq!(fields(&profile::TYPESCRIPT, &options, &wire), expect);
    }

    #[test]
    fn collisions_and_escapes_are_reported_when_asked() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        sample.record("Row", &[("a_b", text), ("aB", text), ("class", text)]);
        let mut diags = Diags::new();
        assign(&sample.ir, &profile::PYTHON, &NameOptions::default(), &mut diags);
        assert!(diags.is_empty());
        let options = NameOptions { report_collisions: true, report_escapes: true, ..NameOptions::default() };
        assign(&sample.ir, &profile::PYTHON, &options, &mut diags);
        let found: Vec<_> =
            diags.iter().map(|d| (d.code.name(), d.place.pointer.as_str(), d.message.as_str())).collect();
        let expect = [
            (
                "TG0401",
                "/components/schemas/Row/properties/aB",
                "`aB` and `a_b` are both `a_b` in Python; `aB` becomes `a_b2`",
            ),
            (
                "TG0402",
                "/components/schemas/Row/properties/class",
                "`class` is no free Python identifier and becomes `class_`",
            ),
        ];
        assert_eq!(found, expect);
    }

    #[test]
    fn a_collision_names_both_that_met() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        sample.record("Reactions", &[("+1", text), ("-1", text), ("a-b", text), ("aB", text), ("aB2", text)]);
        let params =
            vec![sample.param("id", Location::Path, Role::Plain), sample.param("id", Location::Query, Role::Plain)];
        let op = sample.op("a", params);
        sample.resource("pets", None, &[(op, "request")]);
        sample.place();
        let options = NameOptions { report_collisions: true, used_members: &["request"], ..NameOptions::default() };
        let mut diags = Diags::new();
        assign(&sample.ir, &profile::TYPESCRIPT, &options, &mut diags);
        let found: Vec<&str> = diags.iter().map(|found| found.message.as_str()).collect();
        let expect = [
            "`-1` and `+1` are both `_1` in TypeScript; `-1` becomes `_1_2`",
            "`aB` and `a-b` are both `aB` in TypeScript; `aB` becomes `aB2`",
            "`aB2` and `aB` are both `aB2` in TypeScript; `aB2` becomes `aB2_2`",
            "`id` is there twice in one scope; this one becomes `id2` in TypeScript",
            "generated code needs `request` for itself in TypeScript; `request` becomes `request2`",
        ];
        assert_eq!(found, expect);
    }

    #[test]
    fn names_that_nobody_emits_are_not_reported() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        let row = sample.record("class", &[("a_b", text), ("aB", text), ("class", text)]);
        sample.ir.pruned.set(row, true);
        // An operation outside the tree, as webhooks and callbacks are.
        let params = vec![
            sample.param("from", Location::Query, Role::Plain),
            sample.param("From", Location::Query, Role::Plain),
        ];
        sample.op("hook", params);
        let options = NameOptions { report_collisions: true, report_escapes: true, ..NameOptions::default() };
        let mut diags = Diags::new();
        let names = assign(&sample.ir, &profile::PYTHON, &options, &mut diags);
        assert_eq!(diags.iter().collect::<Vec<_>>(), Vec::<&base::Diagnostic>::new());
        let found: Vec<&str> = sample.ir.types.fields.ids().map(|id| names.field(id)).collect();
        assert_eq!(found, ["a_b", "a_b2", "class_"]);
    }

    #[test]
    fn arguments_come_before_hidden_parameters_and_the_body_after_both() {
        let mut sample = Sample::new();
        let params = vec![
            sample.param("id", Location::Path, Role::Plain),
            sample.param("ID", Location::Query, Role::Auth),
            sample.param("Id", Location::Header, Role::Plain),
            sample.param("body", Location::Header, Role::Plain),
            sample.param("default", Location::Header, Role::DryRun),
        ];
        let op = sample.op("get", params);
        let names = names(&sample, &profile::TYPESCRIPT);
        let found: Vec<&str> = sample.ir.ops.params.ids().map(|id| names.param(id)).collect();
        assert_eq!(found, ["id", "id3", "id2", "body", "default_"]);
        assert_eq!(names.body_arg(op), "body2");
    }

    #[test]
    fn the_tree_has_members_files_classes_and_functions() {
        let sample = shop();
        let cases: [(&Profile, [&str; 8]); 3] = [
            (
                &profile::TYPESCRIPT,
                ["pets", "live", "live", "petsLive", "PetsLiveResource", "watch", "petsLiveWatch", "PetsLiveWatchArgs"],
            ),
            (
                &profile::PYTHON,
                [
                    "pets",
                    "live",
                    "live",
                    "pets_live",
                    "PetsLiveResource",
                    "watch",
                    "pets_live_watch",
                    "PetsLiveWatchArgs",
                ],
            ),
            (
                &profile::CSHARP,
                ["Pets", "Live", "Live", "PetsLive", "PetsLiveResource", "Watch", "PetsLiveWatch", "PetsLiveWatchArgs"],
            ),
        ];
        let (pets, live) = (crate::ResourceId::from_index(0), crate::ResourceId::from_index(1));
        let watch = OpId::from_index(2);
        for (profile, expect) in cases {
            let names = names(&sample, profile);
            let found = [
                names.resource(pets),
                names.resource(live),
                names.resource_file(live),
                names.resource_module(live),
                names.resource_class(live),
                names.method(watch),
                names.op_function(watch),
                names.op_args(watch),
            ];
            assert_eq!(found, expect, "{}", profile.language);
        }
        let names = names(&sample, &profile::TYPESCRIPT);
        assert_eq!(names.namespace(NamespaceId::from_index(0)), "shop");
        assert_eq!(names.op_function(OpId::from_index(3)), "petSold");
    }

    #[test]
    fn members_of_a_resource_share_its_scope() {
        let mut sample = Sample::new();
        let (list, make, private) = (sample.op("a", vec![]), sample.op("b", vec![]), sample.op("c", vec![]));
        let names_of = [(list, "list"), (make, "constructor"), (private, "request")];
        let pets = sample.resource("pets", None, &names_of);
        let child = sample.resource("List", Some(pets), &[]);
        let file = sample.resource("Index", Some(pets), &[]);
        let device = sample.resource("con", Some(pets), &[]);
        sample.place();
        let options = NameOptions { used_members: &["request"], ..NameOptions::default() };
        let names = assign(&sample.ir, &profile::TYPESCRIPT, &options, &mut Diags::new());
        let found = [names.method(list), names.method(make), names.method(private), names.resource(child)];
        assert_eq!(found, ["list", "constructor_", "request2", "list2"]);
        assert_eq!([file, device].map(|id| names.resource_file(id)), ["index_", "con_"]);
    }

    #[test]
    fn inline_types_are_named_after_their_owner() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        let leaf = sample.record("", &[("x", text)]);
        let list = sample.ty("", Shape::Array { items: leaf });
        let choice = sample.text_enum("", &["a", "A", "a2"]);
        let variant = sample.record("", &[("y", text)]);
        let union = sample.union("", &[("first", variant), ("text", text)], None);
        let extra = sample.record("", &[("z", text)]);
        let owner = sample.record("pet", &[("all-tags", list), ("state", choice), ("u", union)]);
        if let Shape::Record { additional, .. } = &mut sample.ir.types.rows[owner].shape {
            *additional = Additional::Typed(extra);
        }
        sample.ty("PetState", Shape::Any);
        let inner = sample.record("", &[("w", text)]);
        let lists = sample.ty("", Shape::Array { items: inner });
        sample.ty("Rows", Shape::Array { items: lists });
        let filter = sample.record("", &[("f", text)]);
        let mut param = sample.param("filter", Location::Query, Role::Plain);
        param.ty = filter;
        let op = sample.op("findPets", vec![param]);
        let (body, answer) = (sample.record("", &[]), sample.record("", &[]));
        let content = sample.content("application/json", Encoding::Json, body);
        let contents = sample.ir.ops.contents.extend([content]);
        let body_row = crate::Body { contents, required: true, doc: crate::Doc::default() };
        sample.ir.ops.rows[op].body = Some(sample.ir.ops.bodies.push(body_row));
        let content = sample.content("application/json", Encoding::Json, answer);
        let response = sample.response(Status::Exact(200), vec![content]);
        sample.ir.ops.rows[op].responses = sample.ir.ops.responses.extend([response]);
        let orphan = sample.record("", &[]);

        let names = names(&sample, &profile::TYPESCRIPT);
        let cases = [
            (leaf, "PetAllTagsItem"),
            (choice, "PetState2"),
            (union, "PetU"),
            (variant, "PetUFirst"),
            (extra, "PetValue"),
            (inner, "RowsItemItem"),
            (filter, "FindPetsFilter"),
            (body, "FindPetsBody"),
            (answer, "FindPetsResponse"),
            (orphan, "Inline"),
        ];
        for (id, expect) in cases {
            assert_eq!(names.ty(id), expect);
        }
        assert_eq!(names.try_ty(text), None);
        assert_eq!(names.op_args(op), "FindPetsArgs");
        let values: Vec<&str> = sample.ir.types.enum_values.ids().map(|id| names.enum_value(id)).collect();
        assert_eq!(values, ["A", "A2", "A2_2"]);
        assert_eq!(names.variant(crate::VariantId::from_index(0)), "First");
    }

    #[test]
    fn deep_and_long_names_stay_short() {
        let mut sample = Sample::new();
        let text = sample.text_type();
        let long = "x".repeat(10_000);
        let mut inner = sample.record("", &[("leaf", text)]);
        for _ in 0..200 {
            inner = sample.record("", &[("aVeryLongNameForAField", inner), (&long, text)]);
        }
        sample.record("Top", &[("first", inner), (&(long.clone() + "y"), text), (&(long + "z"), text)]);
        let names = names(&sample, &profile::RUST);
        let all = sample.ir.types.rows.ids().filter_map(|id: TypeId| names.try_ty(id));
        let mut all: Vec<&str> = all.chain(sample.ir.types.fields.ids().map(|id| names.field(id))).collect();
        assert!(all.iter().all(|name| name.len() <= MAX_NAME_LEN + 8));
        let n_types = 202;
        all.truncate(n_types);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), n_types);
    }

    #[test]
    fn names_are_identifiers_whatever_the_wire_says() {
        let hostile = [
            "a`;drop",
            "*/ x",
            "\u{202e}evil",
            "\0",
            "\"",
            "${x}",
            "<T>",
            "constructor",
            "__proto__",
            "toString",
            "1",
            "-1",
            "COM1",
            "..",
            "a/b",
            "",
            " ",
            "def f():",
        ];
        for profile in Profile::ALL {
            for options in
                [false, true].map(|keep| NameOptions { preserve_wire_field_names: keep, ..NameOptions::default() })
            {
                let all = [fields(profile, &options, &hostile), types(profile, &options, &hostile)].concat();
                for name in all {
                    let plain = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
                    assert!(plain && !name.starts_with(|c: char| c.is_ascii_digit()), "{}: {name}", profile.language);
                }
            }
        }
    }

    #[test]
    fn the_same_names_every_time() {
        let sample = shop();
        for profile in Profile::ALL {
            let (a, b) = (names(&sample, profile), names(&sample, profile));
            assert!(a.pool.iter().eq(b.pool.iter()), "{}", profile.language);
        }
    }
}
