//! Who supplies each parameter: the caller, the runtime, a credential, or nobody because it has one value.
//!
//! Reads parameters, their types and the authentication schemes of their namespace; writes `role`, `constant` and
//! `default` of the parameters. Runs when types are lowered, since a constant is a matter of the type.

use crate::lookup::Set;
use base::{Id, Interner, Sym};
use base_doc::DocSet;
use tungsten_ir::{AuthKind, AuthPart, Ir, KeyLocation, Literal, Location, Param, Role, Shape, TypeId, ValueId};

use crate::security::NamespaceSchemes;

/// Spellings of the header that asks for a rehearsal, without `x-`, `-` and `_`.
const DRY_RUN: &str = "dryrun";

pub(crate) fn roles(ir: &mut Ir, docs: &DocSet, schemes: &NamespaceSchemes) {
    let credentials = credentials(ir, schemes);
    for op in ir.ops.rows.ids() {
        let op = ir.ops.rows[op];
        for id in op.params {
            let param = ir.ops.params[id];
            let is_credential =
                credentials[op.namespace.index()].contains(&credential(&ir.names, param.location, param.name));
            let constant = single_value(ir, param.ty);
            let role = role(ir, docs, &param, is_credential, constant);
            let row = &mut ir.ops.params[id];
            row.role = role;
            row.constant = constant.filter(|_| role == Role::Constant);
            row.default = row.default.or(ir.types.rows[ir.types.resolved(param.ty)].default);
        }
    }
}

fn role(ir: &Ir, docs: &DocSet, param: &Param, is_credential: bool, constant: Option<ValueId>) -> Role {
    if is_credential && !is_header(ir, param, "origin") {
        return Role::Auth;
    }
    if param.location != Location::Header {
        return Role::Plain;
    }
    let name = ir.names.resolve(param.name).to_ascii_lowercase();
    let bare: String = name.strip_prefix("x-").unwrap_or(&name).chars().filter(|c| !matches!(c, '-' | '_')).collect();
    match name.as_str() {
        "idempotency-key" => Role::IdempotencyKey,
        "origin" => Role::Origin,
        _ if bare == DRY_RUN => Role::DryRun,
        "prefer" if offers_dry_run(ir, docs, param) => Role::DryRun,
        _ if param.required && constant.is_some() => Role::Constant,
        _ => Role::Plain,
    }
}

fn is_header(ir: &Ir, param: &Param, name: &str) -> bool {
    param.location == Location::Header && ir.names.resolve(param.name).eq_ignore_ascii_case(name)
}

/// The value of a type that has only one.
fn single_value(ir: &Ir, ty: TypeId) -> Option<ValueId> {
    match ir.types.rows[ir.types.resolved(ty)].shape {
        Shape::Const { value } => Some(value),
        Shape::Enum { values } if values.len() == 1 => Some(ir.types.enum_values.slice(values)[0].value),
        _ => None,
    }
}

/// Whether a value that the schema or an example names is a rehearsal.
fn offers_dry_run(ir: &Ir, docs: &DocSet, param: &Param) -> bool {
    let says_so = |text: &str| {
        let bare: String = text.chars().filter(|c| !matches!(c, '-' | '_')).collect();
        bare.to_ascii_lowercase().contains(DRY_RUN)
    };
    let value_says_so = |value: ValueId| matches!(ir.values.rows[value], tungsten_ir::JsonValue::String(text) if says_so(ir.names.resolve(text)));
    let ty = &ir.types.rows[ir.types.resolved(param.ty)];
    let by_schema = match ty.shape {
        Shape::Const { value } => value_says_so(value),
        Shape::Enum { values } => ir.types.enum_values.slice(values).iter().any(|value| value_says_so(value.value)),
        _ => ty.default.is_some_and(value_says_so),
    };
    let by_example = |literal: Literal| {
        let doc = base_doc::DocId::from_index(literal.doc as usize);
        docs.docs[doc].as_str(base_doc::NodeId::from_index(literal.node as usize)).is_some_and(says_so)
    };
    by_schema || ir.ops.examples.slice(param.examples).iter().filter_map(|example| example.value).any(by_example)
}

/// A place and a name of a credential; header names without case.
type Credential = (Location, String);

fn credential(names: &Interner, location: Location, name: Sym) -> Credential {
    let name = names.resolve(name);
    (location, if location == Location::Header { name.to_ascii_lowercase() } else { name.to_owned() })
}

/// By namespace: what its schemes and the project's composites send.
fn credentials(ir: &Ir, schemes: &NamespaceSchemes) -> Vec<Set<Credential>> {
    let mut composite = Vec::new();
    for scheme in ir.schemes.rows() {
        let AuthKind::Composite { parts, .. } = scheme.kind else { continue };
        for part in ir.auth_parts.slice(parts) {
            match part {
                AuthPart::Cookie { name } => composite.push(credential(&ir.names, Location::Cookie, *name)),
                AuthPart::Header { name, .. } => composite.push(credential(&ir.names, Location::Header, *name)),
                AuthPart::Bearer { .. } => {}
            }
        }
    }
    let mut all = Vec::with_capacity(ir.namespaces.len());
    for namespace in ir.namespaces.ids() {
        let mut own: Set<Credential> = composite.iter().cloned().collect();
        for &scheme in schemes.of(namespace) {
            if let AuthKind::ApiKey { location, wire_name } = ir.schemes[scheme].kind {
                own.insert(credential(&ir.names, place_of(location), wire_name));
            }
        }
        all.push(own);
    }
    all
}

fn place_of(location: KeyLocation) -> Location {
    match location {
        KeyLocation::Header => Location::Header,
        KeyLocation::Query => Location::Query,
        KeyLocation::Cookie => Location::Cookie,
    }
}
