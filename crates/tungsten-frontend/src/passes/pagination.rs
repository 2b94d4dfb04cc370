//! Which operations give their list page by page, and how the next page is asked for.
//!
//! Reads callable GETs, their query parameters and the exact 200 JSON response; writes `pagination`. A project's entry
//! decides; without one the first rule that matches does (TG0501).

use crate::lookup::Map;
use base::Sym;
use base::codes::Code;
use base::diag::quoted;
use tungsten_ir::{
    Additional, Encoding, Exhausted, Field, FieldId, Ir, Method, Op, OpId, OpKind, OpStatus, PageStyle, Pagination,
    Param, Response, Shape, Status, TypeId,
};

use super::Reports;
use super::method_names::{only_array_field, ops_by_id};
use crate::overrides::{Pages, PaginationOverride};

/// Parameters that say how many items a page has, the likeliest first.
const PAGE_SIZES: &[&str] = &["limit", "page_size", "per_page"];
/// Parameters that may carry a cursor whose name the response does not repeat.
const CURSORS: &[&str] = &["before", "cursor", "after", "page_token"];
/// Parameters that say how many items a numbered page has, the likeliest first.
const NUMBERED_PAGE_SIZES: &[&str] = &["page_size", "per_page", "size", "limit"];

pub(crate) fn pagination(ir: &mut Ir, overrides: &[PaginationOverride], reports: &mut Reports<'_>) {
    let decided = declared(ir, overrides, reports);
    for id in ir.ops.rows.ids() {
        let op = ir.ops.rows[id];
        let is_read = op.kind == OpKind::Call && op.status == OpStatus::Implemented && op.method == Method::Get;
        if !is_read || decided.contains_key(&id) {
            continue;
        }
        if let Some(found) = infer(ir, &op) {
            ir.pagination.set(id, Some(found));
            reports.at_op(id, Code::TG0501, message(ir, &found));
        }
    }
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
        Pages::Offset { offset_param, limit_param, items } => {
            let style = PageStyle::Offset { offset_param: sym(offset_param), limit_param: sym(limit_param) };
            (style, items, Exhausted::EmptyItems)
        }
        Pages::Page { page_param, size_param, items } => {
            let style = PageStyle::Page { page_param: sym(page_param), size_param: sym(size_param) };
            (style, items, Exhausted::EmptyItems)
        }
        Pages::LinkHeader { items } => (PageStyle::LinkHeader, items, Exhausted::NoLink),
    };
    let (page_size_param, has_more_field) = match pages {
        Pages::Cursor { page_size_param, has_more, .. } => {
            (page_size_param.as_deref().map(&mut sym), has_more.as_deref().map(&mut sym))
        }
        _ => (None, None),
    };
    Pagination {
        style,
        items: (!items.is_empty()).then(|| sym(items)),
        page_size_param,
        exhausted_when,
        has_more_field,
        cursor_item_field: None,
        inferred: false,
    }
}

/// One list response as the rules see it.
struct List<'a> {
    ir: &'a Ir,
    query: Vec<&'a Param>,
    body: TypeId,
    response: &'a Response,
    /// The only array of a record body.
    array: Option<FieldId>,
    is_array: bool,
}

fn infer(ir: &Ir, op: &Op) -> Option<Pagination> {
    let responses = ir.ops.responses.slice(op.responses);
    let response = responses.iter().find(|response| response.status == Status::Exact(200))?;
    let contents = ir.ops.contents.slice(response.contents);
    let body = contents.iter().find(|content| content.encoding == Encoding::Json && content.schema_stated)?.ty;
    let body = ir.types.without_null(body).0;
    let params = ir.ops.params.slice(op.params);
    let list = List {
        ir,
        query: params.iter().filter(|param| param.location == tungsten_ir::Location::Query).collect(),
        body,
        response,
        array: only_array_field(ir, body),
        is_array: matches!(ir.types.rows[body].shape, Shape::Array { .. }),
    };
    list.by_cursor()
        .or_else(|| list.by_last_id())
        .or_else(|| list.by_link())
        .or_else(|| list.by_offset())
        .or_else(|| list.by_page())
}

impl List<'_> {
    fn by_cursor(&self) -> Option<Pagination> {
        self.array?;
        let Shape::Record { fields, additional } = self.ir.types.rows[self.body].shape else { return None };
        let mut cursors = self.ir.types.fields.slice(fields).iter().filter(|field| self.is_next_cursor(field));
        let cursor = cursors.next()?;
        if cursors.next().is_some() {
            return None;
        }
        let exact = self.ir.names.resolve(cursor.name).strip_prefix("next_")?;
        let request_param = if additional == Additional::Closed {
            self.query_param(exact).or_else(|| self.only_query_param(CURSORS))
        } else {
            self.query_param(exact).filter(|param| self.is_string(param.ty))
        }?;
        let style = PageStyle::Cursor { request_param: request_param.name, response_field: Some(cursor.name) };
        Some(Pagination {
            page_size_param: self.first_query_param(PAGE_SIZES),
            ..self.pages(style, Exhausted::CursorNull)
        })
    }

    fn by_last_id(&self) -> Option<Pagination> {
        let request_param = self.query_param("after_id")?.name;
        let items = self.ir.types.fields[self.array?].ty;
        let has_more = self.field(self.body, "has_more")?;
        let is_flag = self.ir.types.rows[self.ir.types.without_null(has_more.ty).0].shape == Shape::Bool;
        let last_id = self.field(self.body, "last_id").filter(|field| self.is_string(field.ty));
        let item_id = || {
            let Shape::Array { items } = self.ir.types.rows[self.ir.types.without_null(items).0].shape else {
                return None;
            };
            self.field(items, "id").filter(|field| self.is_string(field.ty))
        };
        let cursor_item_field = if last_id.is_some() { None } else { Some(item_id()?.name) };
        let style = PageStyle::Cursor { request_param, response_field: last_id.map(|field| field.name) };
        is_flag.then(|| Pagination {
            page_size_param: self.first_query_param(PAGE_SIZES),
            has_more_field: Some(has_more.name),
            cursor_item_field,
            ..self.pages(style, Exhausted::HasMoreFalse)
        })
    }

    fn by_link(&self) -> Option<Pagination> {
        let headers = self.ir.ops.headers.slice(self.response.headers);
        let has_link = headers.iter().any(|header| self.ir.names.resolve(header.name).eq_ignore_ascii_case("link"));
        (has_link && self.is_list()).then(|| Pagination {
            page_size_param: self.first_query_param(PAGE_SIZES),
            ..self.pages(PageStyle::LinkHeader, Exhausted::NoLink)
        })
    }

    fn by_offset(&self) -> Option<Pagination> {
        let (offset, limit) = (self.query_param("offset")?, self.query_param("limit")?);
        let style = PageStyle::Offset { offset_param: offset.name, limit_param: limit.name };
        self.is_list().then(|| self.pages(style, Exhausted::EmptyItems))
    }

    fn by_page(&self) -> Option<Pagination> {
        let page = self.query_param("page").filter(|param| !self.is_string(param.ty))?;
        let size_param = self.first_query_param(NUMBERED_PAGE_SIZES)?;
        let style = PageStyle::Page { page_param: page.name, size_param };
        self.is_list().then(|| self.pages(style, Exhausted::EmptyItems))
    }

    fn pages(&self, style: PageStyle, exhausted_when: Exhausted) -> Pagination {
        Pagination {
            style,
            items: self.array.map(|field| self.ir.types.fields[field].name),
            page_size_param: None,
            exhausted_when,
            has_more_field: None,
            cursor_item_field: None,
            inferred: true,
        }
    }

    fn is_list(&self) -> bool {
        self.is_array || self.array.is_some()
    }

    /// `next_*`, a string that is null on the last page.
    fn is_next_cursor(&self, field: &Field) -> bool {
        let (ty, is_nullable) = self.ir.types.without_null(field.ty);
        is_nullable
            && matches!(self.ir.types.rows[ty].shape, Shape::String { .. })
            && self.ir.names.resolve(field.name).starts_with("next_")
    }

    fn is_string(&self, ty: TypeId) -> bool {
        matches!(self.ir.types.rows[self.ir.types.without_null(ty).0].shape, Shape::String { .. })
    }

    fn field(&self, record: TypeId, name: &str) -> Option<&Field> {
        let Shape::Record { fields, .. } = self.ir.types.rows[self.ir.types.without_null(record).0].shape else {
            return None;
        };
        let name = self.ir.names.find(name)?;
        self.ir.types.fields.slice(fields).iter().find(|field| field.name == name)
    }

    fn query_param(&self, name: &str) -> Option<&Param> {
        let name = self.ir.names.find(name)?;
        self.query.iter().copied().find(|param| param.name == name)
    }

    fn first_query_param(&self, names: &[&str]) -> Option<Sym> {
        names.iter().find_map(|name| self.query_param(name)).map(|param| param.name)
    }

    fn only_query_param(&self, names: &[&str]) -> Option<&Param> {
        let mut present = names.iter().filter_map(|name| self.query_param(name));
        let only = present.next()?;
        present.next().is_none().then_some(only)
    }
}

fn message(ir: &Ir, pages: &Pagination) -> String {
    let name = |sym: Sym| quoted(ir.names.resolve(sym));
    match pages.style {
        PageStyle::Cursor { request_param, response_field: Some(field) } => {
            format!("pages are read by a cursor: {} is sent as {}", name(field), name(request_param))
        }
        PageStyle::Cursor { request_param, response_field: None } => {
            format!("pages are read by a cursor: the last item's id is sent as {}", name(request_param))
        }
        PageStyle::Offset { offset_param, limit_param } => {
            format!("pages are read by offset: {} and {}", name(offset_param), name(limit_param))
        }
        PageStyle::Page { page_param, size_param } => {
            format!("pages are read by number: {} and {}", name(page_param), name(size_param))
        }
        PageStyle::LinkHeader => "pages are read by the `Link` header".to_owned(),
    }
}
