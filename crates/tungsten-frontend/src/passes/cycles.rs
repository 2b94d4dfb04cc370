//! Cuts circles of types where the project says so (`types.break_cycles`).
//!
//! Reads named types and their fields; a field that is named and that leads back to its type admits any value from then
//! on. Runs before circles are looked for. An entry that names no such field is reported and does nothing (TG0308).

use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Diags, Id};
use tungsten_ir::{FieldId, Ir, Shape, TypeId};

use super::prune::reach;
use crate::lower::Lowering;
use crate::overrides::CycleBreak;

pub(crate) fn break_cycles(lower: &mut Lowering<'_>, breaks: &[CycleBreak], diags: &mut Diags) {
    let mut cut: Vec<FieldId> = Vec::new();
    // All are looked up before any is cut: two cuts of one circle are no mistake.
    for entry in breaks {
        let types = named(&lower.ir, &entry.ty);
        let fields: Vec<(TypeId, FieldId)> =
            types.iter().filter_map(|&ty| Some((ty, field(&lower.ir, ty, &entry.field)?))).collect();
        let before = cut.len();
        cut.extend(fields.iter().filter(|(ty, field)| leads_back(&lower.ir, *ty, *field)).map(|(_, field)| *field));
        if cut.len() == before {
            report(&lower.ir, entry, &types, !fields.is_empty(), diags);
        }
    }
    for field in cut {
        let at = lower.types.nodes[lower.ir.types.fields[field].ty.index()];
        lower.ir.types.fields[field].ty = lower.push_type(at, Shape::Any);
    }
}

/// The named types of that name, one a namespace.
fn named(ir: &Ir, name: &str) -> Vec<TypeId> {
    let Some(name) = ir.names.find(name) else { return Vec::new() };
    let is_it = |ty: &TypeId| ir.types.rows[*ty].name.is_some_and(|own| own.name == name);
    ir.types.named.iter().copied().filter(is_it).collect()
}

fn field(ir: &Ir, ty: TypeId, name: &str) -> Option<FieldId> {
    let name = ir.names.find(name)?;
    let Shape::Record { fields, .. } = ir.types.rows[ir.types.without_null(ty).0].shape else { return None };
    fields.iter().find(|&field| ir.types.fields[field].name == name)
}

fn leads_back(ir: &Ir, ty: TypeId, field: FieldId) -> bool {
    reach(ir, vec![ir.types.fields[field].ty])[ty.index()]
}

fn report(ir: &Ir, entry: &CycleBreak, types: &[TypeId], is_field: bool, diags: &mut Diags) {
    let name = |sym| ir.names.resolve(sym);
    let (ty, field) = (quoted(&entry.ty), quoted(&entry.field));
    let (message, help) = if is_field {
        let message = format!("the property {field} of {ty} does not lead back to {ty}; nothing is cut");
        (message, Some("remove the entry, or name a property that is on a circle".to_owned()))
    } else if types.is_empty() {
        let known = ir.types.named.iter().filter_map(|ty| ir.types.rows[*ty].name).map(|own| name(own.name));
        (format!("no schema of the documents is named {ty}; nothing is cut"), did_you_mean(&entry.ty, known))
    } else {
        let shape = |ty: &TypeId| ir.types.rows[ir.types.without_null(*ty).0].shape;
        let fields = types.iter().filter_map(|ty| match shape(ty) {
            Shape::Record { fields, .. } => Some(ir.types.fields.slice(fields)),
            _ => None,
        });
        let known = fields.flatten().map(|row| name(row.name));
        (format!("{ty} has no property {field}; nothing is cut"), did_you_mean(&entry.field, known))
    };
    diags.report(Code::TG0308, entry.place.clone(), message).help = help;
}
