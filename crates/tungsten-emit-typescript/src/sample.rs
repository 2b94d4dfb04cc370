//! Values for examples in documentation: the smallest that a type admits, required fields only.
//!
//! Reads types; writes literals that the type checker accepts. Whether a server would like them is another matter.

use tungsten_emit::Doc;
use tungsten_emit::layout::typescript::{Items, array};
use tungsten_ir::{FieldId, Format, Shape, TypeId};

use crate::literals;
use crate::object::object;
use crate::view::{Form, View};

/// Types nested deeper have no short example.
const MAX_DEPTH: usize = 8;

/// Whether a short value of the type can be written.
pub(crate) fn has_sample(view: &View<'_>, ty: TypeId, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let row = &view.ir.types.rows[ty];
    let bounded =
        |check: &dyn Fn(&tungsten_ir::Bounds) -> bool| row.bounds.is_some_and(|id| check(&view.ir.types.bounds[id]));
    match row.shape {
        Shape::Never => false,
        Shape::Enum { values } => !values.is_empty(),
        Shape::Array { items } => {
            !bounded(&|bounds| bounds.min_items.unwrap_or(0) > 0) || has_sample(view, items, depth + 1)
        }
        Shape::Tuple { prefix, .. } => {
            view.ir.types.members.slice(prefix).iter().all(|&item| has_sample(view, item, depth + 1))
        }
        Shape::Alias { target: inner } | Shape::Nullable { inner } => has_sample(view, inner, depth + 1),
        Shape::Union { variants, .. } => {
            view.ir.types.variants.slice(variants).first().is_some_and(|first| has_sample(view, first.ty, depth + 1))
        }
        Shape::Record { .. } | Shape::Intersection { .. } => {
            let mut fields = Vec::new();
            required_fields(view, ty, &mut fields, depth)
                && fields.iter().all(|&id| has_sample(view, view.ir.types.fields[id].ty, depth + 1))
        }
        _ => true,
    }
}

/// Writes a value of the type; [`has_sample`] said that there is one.
pub(crate) fn write(doc: &mut Doc, view: &View<'_>, ty: TypeId, depth: usize) {
    let ir = view.ir;
    let row = &ir.types.rows[ty];
    let bounds = row.bounds.map(|id| ir.types.bounds[id]).unwrap_or_default();
    match row.shape {
        Shape::Bool => doc.text("true"),
        Shape::Integer { .. } | Shape::Number { .. } => {
            let least = bounds.minimum.or(bounds.maximum).and_then(|sym| literals::number(ir, sym));
            doc.text(least.as_deref().unwrap_or("1"));
        }
        Shape::String { format } => doc.text(format_args!("\"{}\"", text(format))),
        Shape::Bytes => doc.text("new Uint8Array()"),
        Shape::Enum { values } => {
            if let Some(first) = ir.types.enum_values.slice(values).first() {
                doc.text(literals::value(ir, first.value));
            }
        }
        Shape::Const { value } => doc.text(literals::value(ir, value)),
        Shape::Array { items } => {
            let needed = (bounds.min_items.unwrap_or(0) > 0).then_some(items);
            array(doc, Items::Others, needed, |doc, items| write(doc, view, items, depth + 1));
        }
        Shape::Tuple { prefix, .. } => {
            let items = ir.types.members.slice(prefix);
            array(doc, Items::Others, items, |doc, &item| write(doc, view, item, depth + 1));
        }
        Shape::Alias { target: inner } | Shape::Nullable { inner } => write(doc, view, inner, depth + 1),
        Shape::Union { variants, .. } => {
            if let Some(first) = ir.types.variants.slice(variants).first() {
                write(doc, view, first.ty, depth + 1);
            }
        }
        Shape::Record { .. } | Shape::Intersection { .. } => {
            let mut fields = Vec::new();
            required_fields(view, ty, &mut fields, depth);
            object(doc, |o| {
                for id in fields {
                    o.member(view.names.field(id), |doc| write(doc, view, ir.types.fields[id].ty, depth + 1));
                }
            });
        }
        Shape::Unknown | Shape::Any | Shape::Never | Shape::Map { .. } => doc.text("{}"),
    }
}

/// The required fields that callers send, of a record or of all records of an intersection; false when some part of
/// it has no fields to speak of.
fn required_fields(view: &View<'_>, ty: TypeId, fields: &mut Vec<FieldId>, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match view.ir.types.rows[view.ir.types.resolved(ty)].shape {
        Shape::Record { fields: own, .. } => {
            let needed = own.iter().filter(|&id| {
                let field = &view.ir.types.fields[id];
                field.required && Form::Request.keeps(field)
            });
            for id in needed {
                if !fields.iter().any(|&other| view.names.field(other) == view.names.field(id)) {
                    fields.push(id);
                }
            }
            true
        }
        Shape::Intersection { members } => {
            view.ir.types.members.slice(members).iter().all(|&member| required_fields(view, member, fields, depth + 1))
        }
        _ => false,
    }
}

fn text(format: Option<Format>) -> &'static str {
    match format {
        Some(Format::Uuid) => "123e4567-e89b-12d3-a456-426614174000",
        Some(Format::DateTime) => "2026-01-31T12:00:00Z",
        Some(Format::Date) => "2026-01-31",
        Some(Format::Time) => "12:00:00Z",
        Some(Format::Duration) => "PT1H",
        Some(Format::Email) => "user@example.com",
        Some(Format::Uri) => "https://example.com",
        Some(Format::Hostname) => "example.com",
        Some(Format::Ipv4) => "192.0.2.1",
        Some(Format::Ipv6) => "2001:db8::1",
        Some(Format::Byte) => "ZXhhbXBsZQ==",
        Some(Format::Password | Format::Other(_)) | None => "example",
    }
}
