//! What the pages of a list hold.
//!
//! Reads a planned call and how its pages are read; returns the type of one item. Whoever spells it is an emitter.

use base::{Sym, Table};
use tungsten_ir::{Ir, Shape, TypeId};

use super::{Call, Success, SuccessId};

/// Members of intersections and names on a path that are looked at; longer ones say nothing.
const MAX_STEPS: usize = 64;

/// The type of one item; nothing where the call has no pages, or the description does not tell.
pub(super) fn item(ir: &Ir, call: &Call, successes: &Table<SuccessId, Success>) -> Option<TypeId> {
    let pages = ir.pagination[call.op]?;
    let body = successes.slice(call.successes).iter().find_map(|success| match success {
        Success::Json(ty) => Some(*ty),
        _ => None,
    })?;
    let list = match pages.items {
        None => body,
        Some(path) => {
            ir.names.resolve(path).split('.').try_fold(body, |ty, name| member(ir, ty, ir.names.find(name)?))?
        }
    };
    match ir.types.rows[ir.types.without_null(list).0].shape {
        Shape::Array { items } => Some(items),
        _ => None,
    }
}

fn member(ir: &Ir, ty: TypeId, name: Sym) -> Option<TypeId> {
    let mut pending = vec![ty];
    for _ in 0..MAX_STEPS {
        let at = ir.types.without_null(pending.pop()?).0;
        match ir.types.rows[at].shape {
            Shape::Record { fields, .. } => {
                if let Some(field) = ir.types.fields.slice(fields).iter().find(|field| field.name == name) {
                    return Some(field.ty);
                }
            }
            Shape::Intersection { members } => pending.extend(ir.types.members.slice(members).iter().rev()),
            _ => {}
        }
    }
    None
}
