//! Which named types nothing reaches: they are left out of what is generated.
//!
//! Reads operations (webhooks and callbacks included), error envelopes, types and their rules; writes `pruned`, and takes the
//! warnings and notes about pruned schemas with it. A document without operations is a library: it keeps all its types.

use crate::lookup::Set;
use base::codes::Code;
use base::diag::quoted;
use base::{Diags, Id, Place, Severity, SourceId};
use tungsten_ir::{Additional, Ir, Shape, TypeId};

/// The place of a component that lends its name to a schema elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct LentName {
    pub(crate) ty: TypeId,
    pub(crate) source: SourceId,
    pub(crate) pointer: String,
}

/// Names that the note spells out.
const NAMES_SHOWN: usize = 8;

/// `bases` says which named types were merged into which others: what was found in a base holds for those. `lent` says
/// where the names stand that are not at their schemas.
pub(crate) fn prune(ir: &mut Ir, bases: &[(TypeId, TypeId)], lent: &[LentName], diags: &mut Diags) {
    let reached = reach(ir, roots(ir));
    let dropped: Vec<TypeId> = ir.types.named.iter().copied().filter(|ty| !reached[ty.index()]).collect();
    for ty in ir.types.rows.ids().filter(|ty| !reached[ty.index()]) {
        ir.pruned.set(ty, true);
    }
    if dropped.is_empty() {
        return;
    }
    let in_use: Set<TypeId> = bases.iter().filter(|(ty, _)| reached[ty.index()]).map(|&(_, base)| base).collect();
    let silent: Vec<TypeId> = dropped.iter().copied().filter(|ty| !in_use.contains(ty)).collect();
    drop_findings(ir, &silent, lent, diags);
    let names: Vec<String> = dropped
        .iter()
        .take(NAMES_SHOWN)
        .filter_map(|&ty| ir.types.rows[ty].name)
        .map(|name| quoted(ir.names.resolve(name.name)))
        .collect();
    let more = if dropped.len() > NAMES_SHOWN { ", …" } else { "" };
    let place = ir.namespaces.rows().first().map(|first| Place::at(first.source, "", (0, 0))).unwrap_or_default();
    let what =
        if dropped.len() == 1 { "1 named type is".to_owned() } else { format!("{} named types are", dropped.len()) };
    diags.report(
        Code::TG0760,
        place,
        format!("{what} reached by no operation and left out: {}{more}", names.join(", ")),
    );
}

fn roots(ir: &Ir) -> Vec<TypeId> {
    let mut roots = Vec::new();
    let mut has_ops = vec![false; ir.namespaces.len()];
    let add_contents = |contents, roots: &mut Vec<TypeId>| {
        roots.extend(ir.ops.contents.slice(contents).iter().map(|content| content.ty));
    };
    for (_, op) in ir.ops.rows.iter() {
        has_ops[op.namespace.index()] = true;
        roots.extend(ir.ops.params.slice(op.params).iter().map(|param| param.ty));
        if let Some(body) = op.body {
            add_contents(ir.ops.bodies[body].contents, &mut roots);
        }
        for response in ir.ops.responses.slice(op.responses) {
            add_contents(response.contents, &mut roots);
            roots.extend(ir.ops.headers.slice(response.headers).iter().map(|header| header.ty));
        }
    }
    roots.extend(ir.namespaces.rows().iter().filter_map(|namespace| namespace.errors.envelope));
    let is_library = |ty: TypeId| ir.types.rows[ty].name.is_some_and(|name| !has_ops[name.namespace.index()]);
    roots.extend(ir.types.named.iter().copied().filter(|&ty| is_library(ty)));
    roots
}

/// By type: whether a walk from the roots meets it.
pub(super) fn reach(ir: &Ir, roots: Vec<TypeId>) -> Vec<bool> {
    let mut reached = vec![false; ir.types.rows.len()];
    let mut pending = Vec::new();
    let mut visit = |ty: TypeId, pending: &mut Vec<TypeId>| {
        if !std::mem::replace(&mut reached[ty.index()], true) {
            pending.push(ty);
        }
    };
    for root in roots {
        visit(root, &mut pending);
    }
    while let Some(ty) = pending.pop() {
        let rules = &ir.types.rules;
        for &rule in rules.rows.slice(ir.types.judged[ty].rules) {
            rules.operands(&ir.types.members, rule, |operand| visit(operand, &mut pending));
        }
        match ir.types.rows[ty].shape {
            Shape::Array { items } => visit(items, &mut pending),
            Shape::Map { values } => visit(values, &mut pending),
            Shape::Nullable { inner } => visit(inner, &mut pending),
            Shape::Alias { target } => visit(target, &mut pending),
            Shape::Tuple { prefix, rest } => {
                for &item in ir.types.members.slice(prefix) {
                    visit(item, &mut pending);
                }
                if let Some(rest) = rest {
                    visit(rest, &mut pending);
                }
            }
            Shape::Intersection { members } => {
                for &member in ir.types.members.slice(members) {
                    visit(member, &mut pending);
                }
            }
            Shape::Record { fields, additional } => {
                for field in ir.types.fields.slice(fields) {
                    visit(field.ty, &mut pending);
                }
                if let Additional::Typed(values) = additional {
                    visit(values, &mut pending);
                }
            }
            Shape::Union { variants, discriminator, .. } => {
                for variant in ir.types.variants.slice(variants) {
                    visit(variant.ty, &mut pending);
                }
                if let Some(discriminator) = discriminator {
                    let row = ir.types.discriminators[discriminator];
                    for mapping in ir.types.mappings.slice(row.mapping) {
                        visit(mapping.ty, &mut pending);
                    }
                    if let Some(other) = row.default {
                        visit(other, &mut pending);
                    }
                }
            }
            _ => {}
        }
    }
    reached
}

/// Takes the warnings and notes inside dropped schemas out of the list.
fn drop_findings(ir: &Ir, dropped: &[TypeId], lent: &[LentName], diags: &mut Diags) {
    let mut schemas: Set<(SourceId, &str)> = Set::default();
    let is_dropped: Set<TypeId> = dropped.iter().copied().collect();
    let names = lent.iter().filter(|name| is_dropped.contains(&name.ty));
    schemas.extend(names.map(|name| (name.source, name.pointer.as_str())));
    for &ty in dropped {
        let origin = ir.types.rows[ty].origin;
        if let Some(pointer) = origin.pointer {
            schemas.insert((origin.source, ir.text(pointer).untrusted()));
        }
    }
    diags.retain(|diagnostic| {
        let Some(source) = diagnostic.place.source.filter(|_| diagnostic.severity != Severity::Error) else {
            return true;
        };
        let pointer = diagnostic.place.pointer.as_str();
        let ends = pointer.match_indices('/').map(|(end, _)| end).chain([pointer.len()]);
        !ends.into_iter().any(|end| schemas.contains(&(source, &pointer[..end])))
    });
}
