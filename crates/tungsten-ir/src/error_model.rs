//! Which fields of an error envelope carry the code and the message, at the top or one level down.
//!
//! Reads types; writes nothing but the names of dotted paths. Which type is the envelope is the caller's to say.

use base::Sym;

use crate::{ErrorModel, Ir, JsonValue, Shape, Strategy, TypeId, Types};

/// Properties that carry an error's code, the likeliest first.
const CODES: &[&str] = &["code", "error_code", "type", "error"];
/// Properties that carry an error's message, the likeliest first.
const MESSAGES: &[&str] = &["message", "detail", "error_description"];

/// One level of an envelope: the top, or a field that holds a record or a union of records.
#[derive(Clone, Copy)]
struct Level {
    field: Option<Sym>,
    code: Option<Sym>,
    message: Option<Sym>,
    /// Whether the code admits more than one value.
    is_open: bool,
}

impl Level {
    /// The larger, the better.
    fn rank(self) -> (bool, bool, bool, bool) {
        (self.code.is_some(), self.is_open, self.message.is_some(), self.field.is_none())
    }
}

/// The code and the message of an envelope: of the level that looks most like an error's.
pub fn error_model(ir: &mut Ir, envelope: TypeId) -> ErrorModel {
    let mut levels = vec![level(ir, envelope, None)];
    if let Shape::Record { fields, .. } = shape(&ir.types, envelope) {
        for field in ir.types.fields.slice(fields) {
            levels.push(level(ir, field.ty, Some(field.name)));
        }
    }
    let mut best: Option<Level> = None;
    for level in levels.into_iter().flatten() {
        if best.is_none_or(|best| level.rank() > best.rank()) {
            best = Some(level);
        }
    }
    let mut dotted = |field: Option<Sym>, name: Sym| match field {
        None => name,
        Some(field) => {
            let path = format!("{}.{}", ir.names.resolve(field), ir.names.resolve(name));
            ir.names.intern(&path)
        }
    };
    ErrorModel {
        envelope: Some(envelope),
        code_field: best.and_then(|best| best.code.map(|code| dotted(best.field, code))),
        message_field: best.and_then(|best| best.message.map(|message| dotted(best.field, message))),
    }
}

fn level(ir: &Ir, ty: TypeId, field: Option<Sym>) -> Option<Level> {
    match shape(&ir.types, ty) {
        Shape::Record { .. } => record_level(ir, ty, field),
        Shape::Union { variants, strategy: Strategy::Tagged, .. } if field.is_some() => {
            let mut levels =
                ir.types.variants.slice(variants).iter().map(|variant| record_level(ir, variant.ty, field));
            let first = levels.next()??;
            let mut all = Level { is_open: first.is_open || variants.len() > 1, ..first };
            for level in levels {
                let level = level?;
                if level.code != first.code {
                    return None;
                }
                all.message = all.message.filter(|_| level.message == first.message);
            }
            Some(all)
        }
        _ => None,
    }
}

fn record_level(ir: &Ir, ty: TypeId, field: Option<Sym>) -> Option<Level> {
    let code = first_text(ir, ty, CODES);
    let message = first_text(ir, ty, MESSAGES).map(|(name, _)| name);
    if code.is_none() && message.is_none() {
        return None;
    }
    Some(Level { field, code: code.map(|(name, _)| name), message, is_open: code.is_some_and(|(_, is_open)| is_open) })
}

/// The first of the names that is a text in the record, and whether the text may vary.
fn first_text(ir: &Ir, record: TypeId, names: &[&str]) -> Option<(Sym, bool)> {
    let Shape::Record { fields, .. } = shape(&ir.types, record) else { return None };
    let fields = ir.types.fields.slice(fields);
    names.iter().find_map(|name| {
        let name = ir.names.find(name)?;
        let field = fields.iter().find(|field| field.name == name)?;
        text_is_open(ir, field.ty).map(|is_open| (name, is_open))
    })
}

/// Whether a text type admits more than one value; nothing for other types.
fn text_is_open(ir: &Ir, ty: TypeId) -> Option<bool> {
    let is_text = |value| matches!(ir.values.rows[value], JsonValue::String(_));
    match shape(&ir.types, ty) {
        Shape::String { .. } => Some(true),
        Shape::Enum { values } => {
            let values = ir.types.enum_values.slice(values);
            values.iter().all(|value| is_text(value.value)).then_some(values.len() > 1)
        }
        Shape::Const { value } => is_text(value).then_some(false),
        _ => None,
    }
}

fn shape(types: &Types, ty: TypeId) -> Shape {
    types.rows[types.without_null(ty).0].shape
}
