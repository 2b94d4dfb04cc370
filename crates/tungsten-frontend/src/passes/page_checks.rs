//! Whether an operation has what the manifest says about its pages: parameters, response fields, items.
//!
//! Reads one operation, its parameters, its body and its first successful JSON body; reports names that are not there
//! (TG0621). Where a type leaves its members open, nothing is known and nothing is said.

use base::Code;
use base::diag::quoted;
use base::suggest::did_you_mean;
use tungsten_ir::{Encoding, Ir, OpId, Shape, TypeId};

use super::Reports;
use super::method_names::success_json;
use crate::overrides::{Pages, PaginationOverride};

/// What a walk along a dotted path finds.
enum Walk<'a> {
    Found(TypeId),
    /// Some type on the way admits members that it does not name.
    Open,
    /// No member of that name; those that there are.
    Missing(&'a str, Vec<&'a str>),
}

pub(crate) fn check_pages(ir: &Ir, op: OpId, entry: &PaginationOverride, pages: &Pages, reports: &mut Reports<'_>) {
    let check = Check { ir, op, entry };
    let (params, items) = match pages {
        Pages::Cursor { param, items, page_size_param, .. } | Pages::LastItem { param, items, page_size_param, .. } => {
            (vec![Some(param), page_size_param.as_ref()], items)
        }
        Pages::Offset { offset_param, limit_param, items } => (vec![Some(offset_param), Some(limit_param)], items),
        Pages::Page { page_param, size_param, items } => (vec![Some(page_param), Some(size_param)], items),
        Pages::LinkHeader { items } | Pages::LinkField { items, .. } => (Vec::new(), items),
    };
    for param in params.into_iter().flatten() {
        check.param(param, reports);
    }
    let Some(body) = success_json(ir, op) else { return };
    let fields = match pages {
        Pages::Cursor { field, has_more, .. } => [Some(field), has_more.as_ref()],
        Pages::LastItem { has_more, .. } => [has_more.as_ref(), None],
        Pages::LinkField { field, .. } => [Some(field), None],
        _ => [None, None],
    };
    for field in fields.into_iter().flatten() {
        check.field(body, field, reports);
    }
    let found = if items.is_empty() { Some(body) } else { check.field(body, items, reports) };
    let Some(list) = found.map(|ty| ir.types.without_null(ty).0) else { return };
    let item = match ir.types.rows[list].shape {
        Shape::Array { items } => items,
        Shape::Any | Shape::Unknown | Shape::Tuple { .. } | Shape::Union { .. } | Shape::Intersection { .. } => return,
        _ => {
            let what = if items.is_empty() { "the body".to_owned() } else { quoted(items) };
            check.report(format!("{what} of the answer is no list"), None, reports);
            return;
        }
    };
    if let Pages::LastItem { item_field, .. } = pages {
        check.field(item, item_field, reports);
    }
}

struct Check<'a> {
    ir: &'a Ir,
    op: OpId,
    entry: &'a PaginationOverride,
}

impl Check<'_> {
    fn report(&self, message: String, help: Option<String>, reports: &mut Reports<'_>) {
        let message = format!("{message}, as the pages of {} would need", quoted(&self.entry.operation));
        reports.diags.report(Code::TG0621, self.entry.place.clone(), message).help = help;
    }

    /// A parameter of the operation, or a member of its JSON body.
    fn param(&self, name: &str, reports: &mut Reports<'_>) {
        let ir = self.ir;
        let op = &ir.ops.rows[self.op];
        let params = ir.ops.params.slice(op.params).iter().map(|param| ir.names.resolve(param.name));
        let mut known: Vec<&str> = params.collect();
        let contents = op.body.map_or(&[][..], |body| ir.ops.contents.slice(ir.ops.bodies[body].contents));
        if let Some(content) = contents.iter().find(|content| content.encoding == Encoding::Json) {
            match walk(ir, content.ty, name) {
                Walk::Found(_) | Walk::Open => return,
                Walk::Missing(_, members) => known.extend(members),
            }
        }
        if !known.contains(&name) {
            let help = did_you_mean(name, known);
            self.report(format!("no parameter is named {}", quoted(name)), help, reports);
        }
    }

    /// A member of an answer, by its dotted path; its type when that is known.
    fn field(&self, root: TypeId, path: &str, reports: &mut Reports<'_>) -> Option<TypeId> {
        match walk(self.ir, root, path) {
            Walk::Found(ty) => Some(ty),
            Walk::Open => None,
            Walk::Missing(step, known) => {
                let help = did_you_mean(step, known);
                self.report(format!("the answer has no {}", quoted(path)), help, reports);
                None
            }
        }
    }
}

fn walk<'a>(ir: &'a Ir, root: TypeId, path: &'a str) -> Walk<'a> {
    let mut at = root;
    for step in path.split('.') {
        let Shape::Record { fields, .. } = ir.types.rows[ir.types.without_null(at).0].shape else { return Walk::Open };
        let fields = ir.types.fields.slice(fields);
        if fields.is_empty() {
            return Walk::Open;
        }
        match fields.iter().find(|field| ir.names.resolve(field.name) == step) {
            Some(field) => at = field.ty,
            None => return Walk::Missing(step, fields.iter().map(|field| ir.names.resolve(field.name)).collect()),
        }
    }
    Walk::Found(at)
}
