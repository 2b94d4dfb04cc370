//! Names of members: fields, variants, values, parameters, methods and child resources, files of resources, and the
//! namespaces of the API.
//!
//! Reads the IR; writes [`MemberNames`], each column by its row.

use base::{Diags, Id, Interner, Span, Sym};

use super::scope::Scope;
use super::speller::{Spelled, Speller, Written};
use crate::profile::{MAX_NAME_LEN, Role};
use crate::{Expr, FieldId, Ir, ParamId, ResourceRefId, Role as ParamRole, Shape};

/// Names that are unique among the members of something: those of [`super::Names`] that the plan of an SDK needs as well,
/// since they key every arguments object.
#[derive(Clone, Debug)]
pub struct MemberNames {
    pub(super) pool: Interner,
    pub(super) fields: Vec<Sym>,
    pub(super) variants: Vec<Sym>,
    pub(super) enum_values: Vec<Sym>,
    pub(super) params: Vec<Sym>,
    pub(super) methods: Vec<Sym>,
    pub(super) body_args: Vec<Sym>,
    pub(super) resources: Vec<Sym>,
    pub(super) resource_files: Vec<Sym>,
    pub(super) namespaces: Vec<Sym>,
    pub(super) macros: Vec<Sym>,
    pub(super) macro_functions: Vec<Sym>,
    pub(super) macro_fields: Vec<Sym>,
    pub(super) expr_members: Vec<Sym>,
}

impl MemberNames {
    /// See [`super::Names::field`].
    pub fn field(&self, id: FieldId) -> &str {
        self.pool.resolve(self.fields[id.index()])
    }

    /// See [`super::Names::param`].
    pub fn param(&self, id: ParamId) -> &str {
        self.pool.resolve(self.params[id.index()])
    }
}

pub(super) fn assign(mut speller: Speller<'_>) -> (MemberNames, Diags) {
    let ir = speller.ir;
    let none = speller.pool.intern("_");
    let names = MemberNames {
        pool: Interner::new(),
        fields: vec![none; ir.types.fields.len()],
        variants: vec![none; ir.types.variants.len()],
        enum_values: vec![none; ir.types.enum_values.len()],
        params: vec![none; ir.ops.params.len()],
        methods: vec![none; ir.ops.rows.len()],
        body_args: vec![none; ir.ops.rows.len()],
        resources: vec![none; ir.resources.rows.len()],
        resource_files: vec![none; ir.resources.rows.len()],
        namespaces: vec![none; ir.namespaces.len()],
        macros: vec![none; ir.agent.macros.len()],
        macro_functions: vec![none; ir.agent.macros.len()],
        macro_fields: vec![none; ir.agent.macro_fields.len()],
        expr_members: vec![none; ir.agent.expr_members.len()],
    };
    let mut members = Members { ir, speller, names };
    members.namespaces();
    members.records();
    members.unions_and_enums();
    members.params();
    members.resource_tree();
    members.macros();
    members.expressions();
    let Members { speller, mut names, .. } = members;
    names.pool = speller.pool;
    (names, speller.diags)
}

struct Members<'a> {
    ir: &'a Ir,
    speller: Speller<'a>,
    names: MemberNames,
}

impl Members<'_> {
    fn namespaces(&mut self) {
        let mut scope = Scope::new(true);
        scope.begin();
        for (id, namespace) in self.ir.namespaces.iter() {
            let spelled = self.speller.spell(Role::Module, namespace.name);
            self.names.namespaces[id.index()] = self.speller.claim(&mut scope, Role::Module, spelled.0);
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
                self.names.fields[id.index()] = self.speller.claim_reported(&mut scope, Role::Field, spelled, written);
            }
        }
    }

    fn spell_field(&mut self, wire: Sym) -> Spelled {
        let text = self.ir.names.resolve(wire);
        if self.speller.options.preserve_wire_field_names && is_identifier(text) {
            return (self.speller.pool.intern(text), false);
        }
        self.speller.spell(Role::Field, wire)
    }

    fn unions_and_enums(&mut self) {
        let mut scope = Scope::new(self.speller.profile.ignores_case);
        for row in self.ir.types.rows.rows() {
            scope.begin();
            match row.shape {
                Shape::Union { variants, .. } => {
                    for id in variants {
                        let spelled = self.speller.spell(Role::Variant, self.ir.types.variants[id].name);
                        self.names.variants[id.index()] = self.speller.claim(&mut scope, Role::Variant, spelled.0);
                    }
                }
                Shape::Enum { values } => {
                    for id in values {
                        let spelled = self.speller.spell(Role::Variant, self.ir.types.enum_values[id].name);
                        self.names.enum_values[id.index()] = self.speller.claim(&mut scope, Role::Variant, spelled.0);
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
                    let spelled = self.speller.spell(Role::Param, param.name);
                    let written = Written { wire: param.name, origin: param.origin, is_emitted };
                    self.names.params[id.index()] =
                        self.speller.claim_reported(&mut scope, Role::Param, spelled, written);
                }
            }
            let body = self.speller.spell_parts(Role::Param, &["body"]);
            self.names.body_args[op_id.index()] = self.speller.claim(&mut scope, Role::Param, body.0);
        }
    }

    /// Members of resources and clients, and the files of resources. Parents come before children.
    fn resource_tree(&mut self) {
        let mut members = Scope::new(self.speller.profile.ignores_case);
        let mut files = Scope::new(true);
        for (id, op) in self.ir.ops.rows.iter() {
            if self.ir.op_resource[id].is_none() {
                let name = self.ir.op_name[id].unwrap_or(op.local_id);
                self.names.methods[id.index()] = self.speller.spell(Role::Method, name).0;
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
                let spelled = self.speller.spell(Role::Method, name);
                let written = Written { wire: name, origin: op.origin, is_emitted: true };
                self.names.methods[id.index()] =
                    self.speller.claim_reported(&mut members, Role::Method, spelled, written);
            }
            self.children(resource.children, &mut members, &mut files);
        }
    }

    /// Macros are members of one object, whatever their namespaces; so are their functions of one module. An argument that
    /// a macro adds avoids the parameters of the operation that it extends, but for the one that it replaces.
    fn macros(&mut self) {
        let mut methods = Scope::new(self.speller.profile.ignores_case);
        let mut functions = Scope::new(self.speller.profile.ignores_case);
        let mut inputs = Scope::new(false);
        self.begin_members(&mut methods);
        functions.begin();
        for (id, row) in self.ir.agent.macros.iter() {
            let spelled = self.speller.spell(Role::Method, row.name);
            self.names.macros[id.index()] = self.speller.claim(&mut methods, Role::Method, spelled.0);
            let spelled = self.speller.spell(Role::Function, row.name);
            self.names.macro_functions[id.index()] = self.speller.claim(&mut functions, Role::Function, spelled.0);
            inputs.begin();
            let added = self.ir.agent.macro_fields.slice(row.fields);
            for param in row.extends.iter().flat_map(|&op| self.ir.ops.rows[op].params) {
                let wire = self.ir.ops.params[param].name;
                if !added.iter().any(|field| field.name == wire) {
                    inputs.take(&mut self.speller.pool, self.names.params[param.index()], Some(wire));
                }
            }
            for field in row.fields {
                let spelled = self.speller.spell(Role::Param, self.ir.agent.macro_fields[field].name);
                self.names.macro_fields[field.index()] = self.speller.claim(&mut inputs, Role::Param, spelled.0);
            }
        }
    }

    /// Members of objects that expressions make, as fields.
    fn expressions(&mut self) {
        let mut scope = Scope::new(false);
        for expr in self.ir.agent.exprs.rows() {
            let Expr::Object(members) = *expr else { continue };
            scope.begin();
            for member in members {
                let spelled = self.spell_field(self.ir.agent.expr_members[member].0);
                self.names.expr_members[member.index()] = self.speller.claim(&mut scope, Role::Field, spelled.0);
            }
        }
    }

    fn begin_members(&mut self, members: &mut Scope) {
        members.begin();
        for used in self.speller.options.used_members {
            let name = self.speller.pool.intern(used);
            members.take(&mut self.speller.pool, name, None);
        }
    }

    fn children(&mut self, children: Span<ResourceRefId>, members: &mut Scope, files: &mut Scope) {
        files.begin();
        for &id in self.ir.resources.resource_refs.slice(children) {
            let name = self.ir.resources.rows[id].name;
            let spelled = self.speller.spell(Role::Method, name);
            self.names.resources[id.index()] = self.speller.claim(members, Role::Method, spelled.0);
            let spelled = self.speller.spell(Role::File, name);
            self.names.resource_files[id.index()] = self.speller.claim(files, Role::File, spelled.0);
        }
    }
}

/// Whether a wire name can stay: an ASCII identifier, and not the one that JavaScript objects treat as their prototype.
fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && text.len() <= MAX_NAME_LEN
        && text != "__proto__"
}
