//! How a list is read page by page, as a member of descriptors.
//!
//! Reads one row of the IR's column; writes into object literals. Names are wire names: the runtime knows the others.

use base::Sym;
use tungsten_ir::{Ir, JsonValue, OpId, PageStyle, Pagination};

use crate::literals;
use crate::object::Members;

/// `open` is the local name of the runtime's function.
pub(crate) fn members(o: &mut Members<'_>, ir: &Ir, op: OpId, pages: &Pagination, open: &str) {
    let name = |sym: Sym| literals::string(ir, sym);
    o.plain("open", open);
    match pages.style {
        PageStyle::Cursor { request_param, response_field } => {
            o.plain("style", "\"cursor\"");
            o.string("requestParam", name(request_param));
            if let Some(field) = response_field {
                o.string("responseField", name(field));
            }
        }
        PageStyle::Offset { offset_param, limit_param } => {
            o.plain("style", "\"offset\"");
            o.string("offsetParam", name(offset_param));
            o.string("limitParam", name(limit_param));
        }
        PageStyle::Page { page_param, size_param } => {
            o.plain("style", "\"page\"");
            o.string("pageParam", name(page_param));
            o.string("sizeParam", name(size_param));
            if let Some(first) = first_page(ir, op, page_param) {
                o.plain("firstPage", first);
            }
        }
        PageStyle::LinkHeader => o.plain("style", "\"link_header\""),
        PageStyle::LinkField { response_field } => {
            o.plain("style", "\"link_field\"");
            o.string("responseField", name(response_field));
        }
    }
    let fields = [
        ("itemsField", pages.items),
        ("pageSizeParam", pages.page_size_param),
        ("hasMoreField", pages.has_more_field),
        ("cursorItemField", pages.cursor_item_field),
    ];
    for (key, field) in fields {
        if let Some(field) = field {
            o.string(key, name(field));
        }
    }
}

/// The number of the page that is read without one, where the description states it and it is not 1.
fn first_page(ir: &Ir, op: OpId, page_param: Sym) -> Option<u64> {
    let mut params = ir.ops.params.slice(ir.ops.rows[op].params).iter();
    let JsonValue::Number(text) = ir.values.rows[params.find(|param| param.name == page_param)?.default?] else {
        return None;
    };
    ir.names.resolve(text).parse().ok().filter(|first| *first != 1)
}
