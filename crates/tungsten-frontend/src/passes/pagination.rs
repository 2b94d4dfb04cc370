//! Which operations give their list page by page, and how the next page is asked for.
//!
//! Reads callable GETs and what a project declares; writes `pagination`. A project's entry decides; without one the first
//! rule of `page_rules` that matches does (TG0501).

use crate::lookup::Map;
use base::Sym;
use base::codes::Code;
use base::diag::quoted;
use rayon::prelude::*;
use tungsten_ir::{Exhausted, Ir, Method, Op, OpId, OpKind, OpStatus, PageStyle, Pagination};

use super::Reports;
use super::method_names::ops_by_id;
use super::page_rules::{Found, infer};
use crate::overrides::{Pages, PaginationOverride};

pub(crate) fn pagination(ir: &mut Ir, overrides: &[PaginationOverride], reports: &mut Reports<'_>) {
    let decided = declared(ir, overrides, reports);
    for (id, found) in inferred(ir, &decided) {
        let pages = found.pages(&mut ir.names);
        ir.pagination.set(id, Some(pages));
        reports.at_op(id, Code::TG0501, message(ir, &pages, &found.why));
    }
}

/// What the rules say about the reads that nobody decided about, in their order.
fn inferred(ir: &Ir, decided: &Map<OpId, ()>) -> Vec<(OpId, Found)> {
    let ops: Vec<(OpId, &Op)> = ir.ops.rows.iter().collect();
    let rule = |&(id, op): &(OpId, &Op)| {
        let is_read = op.kind == OpKind::Call && op.status == OpStatus::Implemented && op.method == Method::Get;
        if is_read && !decided.contains_key(&id) { Some((id, infer(ir, op)?)) } else { None }
    };
    ops.par_iter().filter_map(rule).collect()
}

/// Writes what the project declares; the operations that it decides about need no inference.
fn declared(ir: &mut Ir, overrides: &[PaginationOverride], reports: &mut Reports<'_>) -> Map<OpId, ()> {
    let mut decided = Map::default();
    if overrides.is_empty() {
        return decided;
    }
    let by_id = ops_by_id(ir);
    for entry in overrides {
        let Some(&op) = ir.names.find(&entry.operation).and_then(|id| by_id.get(&id)) else {
            let message = format!("no operation has the id {}", quoted(&entry.operation));
            reports.at_place(&entry.place, Code::TG0603, message);
            continue;
        };
        decided.insert(op, ());
        let pages = entry.pages.as_ref().map(|pages| from_declaration(ir, pages));
        ir.pagination.set(op, pages);
    }
    decided
}

fn from_declaration(ir: &mut Ir, pages: &Pages) -> Pagination {
    let mut sym = |text: &str| ir.names.intern(text);
    let (style, items, exhausted_when) = match pages {
        Pages::Cursor { param, field, items, has_more, .. } => {
            let style = PageStyle::Cursor { request_param: sym(param), response_field: Some(sym(field)) };
            (style, items, if has_more.is_some() { Exhausted::HasMoreFalse } else { Exhausted::CursorNull })
        }
        Pages::LastItem { param, items, has_more, .. } => {
            let style = PageStyle::Cursor { request_param: sym(param), response_field: None };
            (style, items, if has_more.is_some() { Exhausted::HasMoreFalse } else { Exhausted::EmptyItems })
        }
        Pages::Offset { offset_param, limit_param, items } => {
            let style = PageStyle::Offset { offset_param: sym(offset_param), limit_param: sym(limit_param) };
            (style, items, Exhausted::EmptyItems)
        }
        Pages::Page { page_param, size_param, items } => {
            let style = PageStyle::Page { page_param: sym(page_param), size_param: sym(size_param) };
            (style, items, Exhausted::EmptyItems)
        }
        Pages::LinkHeader { items } => (PageStyle::LinkHeader, items, Exhausted::NoLink),
        Pages::LinkField { field, items } => {
            (PageStyle::LinkField { response_field: sym(field) }, items, Exhausted::CursorNull)
        }
    };
    let (page_size_param, has_more_field) = match pages {
        Pages::Cursor { page_size_param, has_more, .. } | Pages::LastItem { page_size_param, has_more, .. } => {
            (page_size_param.as_deref().map(&mut sym), has_more.as_deref().map(&mut sym))
        }
        _ => (None, None),
    };
    let cursor_item_field = match pages {
        Pages::LastItem { item_field, .. } => Some(sym(item_field)),
        _ => None,
    };
    Pagination {
        style,
        items: (!items.is_empty()).then(|| sym(items)),
        page_size_param,
        exhausted_when,
        has_more_field,
        cursor_item_field,
        inferred: false,
    }
}

/// What was found, and what says so.
fn message(ir: &Ir, pages: &Pagination, why: &str) -> String {
    let name = |sym: Sym| quoted(ir.names.resolve(sym));
    let how = match pages.style {
        PageStyle::Cursor { request_param, response_field: Some(field) } => {
            format!("pages are read by a cursor: {} is sent as {}", name(field), name(request_param))
        }
        PageStyle::Cursor { request_param, response_field: None } => {
            let field = pages.cursor_item_field.map_or_else(String::new, name);
            format!("pages are read by a cursor: {field} of the last item is sent as {}", name(request_param))
        }
        PageStyle::Offset { offset_param, limit_param } => {
            format!("pages are read by offset: {} and {}", name(offset_param), name(limit_param))
        }
        PageStyle::Page { page_param, size_param } => {
            format!("pages are read by number: {} and {}", name(page_param), name(size_param))
        }
        PageStyle::LinkHeader => "pages are read by the `Link` header".to_owned(),
        PageStyle::LinkField { response_field } => {
            format!("pages are read by a link: {} is the URL of the next page", name(response_field))
        }
    };
    format!("{how}; {why}")
}
