//! The rules that tell from a list operation's parameters and response how its next page is asked for.
//!
//! Reads the query parameters and the JSON body of one success, the exact 200 if there is one; writes nothing. The rules
//! stand in the order in which they are asked, and the first that matches decides. A rule that would have to guess finds
//! nothing: a pager that repeats or loses items is worse than none.

use base::{Interner, Sym};
use tungsten_ir::words::Words;
use tungsten_ir::{
    Additional, Doc, Encoding, Exhausted, Field, FieldId, Format, Ir, Location, Op, PageStyle, Pagination, Param,
    Response, ResponseKind, Shape, Status, TypeId,
};

use super::method_names::only_array_field;
use super::names::word_key;

/// Parameters that say how many items a page has, the likeliest first.
const PAGE_SIZES: &[&str] = &["limit", "page_size", "per_page"];
/// Parameters that may carry a cursor whose name the response does not repeat.
const CURSORS: &[&str] = &["before", "cursor", "after", "page_token"];
/// Parameters that say how many items a numbered page has, the likeliest first.
const NUMBERED_PAGE_SIZES: &[&str] = &["page_size", "per_page", "size", "limit"];
/// Fields, by their words, that hold what a body says about its pages rather than its items.
const CONTAINERS: &[&str] = &[
    "links",
    "meta",
    "metadata",
    "next",
    "next_page",
    "page",
    "page_info",
    "pages",
    "pagination",
    "paging",
    "response_metadata",
    "result_info",
];
/// Fields, by their words, that hold the URL of the next page if anything says that they hold a URL.
const NEXT_LINKS: &[&str] = &[
    "next",
    "next_href",
    "next_link",
    "next_page",
    "next_page_link",
    "next_page_uri",
    "next_page_url",
    "next_uri",
    "next_url",
];

/// How pages are read, and what says so.
pub(super) struct Found {
    pages: Pagination,
    /// The response field of the style, where it is not a field of the body itself.
    path: Option<String>,
    pub(super) why: String,
}

/// Asks the rules in order. The first five are older than the rest, which must not change what they find.
pub(super) fn infer(ir: &Ir, op: &Op) -> Option<Found> {
    let list = List::of(ir, op)?;
    list.by_next_cursor()
        .or_else(|| list.by_after_id())
        .or_else(|| list.by_link_header())
        .or_else(|| list.by_offset())
        .or_else(|| list.by_page())
        .or_else(|| list.by_named_cursor())
        .or_else(|| list.by_last_item())
        .or_else(|| list.by_link_field())
        .or_else(|| list.by_described_header())
        .or_else(|| list.by_typed_item_id())
}

impl Found {
    /// The row, its response field as a path.
    pub(super) fn pages(&self, names: &mut Interner) -> Pagination {
        let mut pages = self.pages;
        let Some(path) = &self.path else { return pages };
        let path = names.intern(path);
        match &mut pages.style {
            PageStyle::Cursor { response_field, .. } => *response_field = Some(path),
            PageStyle::LinkField { response_field } => *response_field = path,
            PageStyle::Offset { .. } | PageStyle::Page { .. } | PageStyle::LinkHeader => {}
        }
        pages
    }
}

/// One list response as the rules see it.
struct List<'a> {
    ir: &'a Ir,
    query: Vec<&'a Param>,
    body: TypeId,
    response: &'a Response,
    /// The only array of a record body. A record with an `id` is one thing that happens to hold an array.
    array: Option<FieldId>,
    is_array: bool,
}

/// A field of the body, or of a field of the body that describes the page.
#[derive(Clone, Copy)]
struct Spot<'a> {
    within: Option<&'a Field>,
    field: &'a Field,
}

impl<'a> List<'a> {
    fn of(ir: &'a Ir, op: &Op) -> Option<Self> {
        let (response, body) = success(ir, op)?;
        let body = ir.types.without_null(body).0;
        let params = ir.ops.params.slice(op.params).iter();
        let mut list = List {
            ir,
            query: params.filter(|param| param.location == Location::Query).collect(),
            body,
            response,
            array: only_array_field(ir, body),
            is_array: matches!(ir.types.rows[body].shape, Shape::Array { .. }),
        };
        if list.field(body, "id").is_some() {
            list.array = None;
        }
        Some(list)
    }

    fn by_next_cursor(&self) -> Option<Found> {
        self.array?;
        let Shape::Record { fields, additional } = self.ir.types.rows[self.body].shape else { return None };
        let mut cursors = self.ir.types.fields.slice(fields).iter().filter(|field| self.is_next_cursor(field));
        let cursor = cursors.next()?;
        if cursors.next().is_some() {
            return None;
        }
        let exact = self.name(cursor.name).strip_prefix("next_")?;
        let request_param = if additional == Additional::Closed {
            self.query_param(exact).or_else(|| self.only_query_param(CURSORS))
        } else {
            self.query_param(exact).filter(|param| self.is_string(param.ty))
        }
        .filter(|param| !self.must_be_switched_on(param))?;
        let style = PageStyle::Cursor { request_param: request_param.name, response_field: Some(cursor.name) };
        Some(self.found(style, Exhausted::CursorNull, "the response has one string `next_…`, null on the last page"))
    }

    fn by_after_id(&self) -> Option<Found> {
        let request_param = self.query_param("after_id")?.name;
        self.array?;
        let has_more = self.field(self.body, "has_more").filter(|field| self.is_flag(field.ty))?;
        let last_id = self.field(self.body, "last_id").filter(|field| self.is_string(field.ty)).map(|field| field.name);
        let id = if last_id.is_some() { None } else { Some(self.string_item_id()?) };
        let style = PageStyle::Cursor { request_param, response_field: last_id };
        let mut found = self.found(style, Exhausted::HasMoreFalse, "`has_more` says whether more items follow it");
        found.pages.has_more_field = Some(has_more.name);
        found.pages.cursor_item_field = id;
        Some(found)
    }

    fn by_link_header(&self) -> Option<Found> {
        let headers = self.ir.ops.headers.slice(self.response.headers);
        let has_link = headers.iter().any(|header| self.name(header.name).eq_ignore_ascii_case("link"));
        let why = "the response declares the header and gives a list";
        (has_link && self.is_list()).then(|| self.found(PageStyle::LinkHeader, Exhausted::NoLink, why))
    }

    fn by_offset(&self) -> Option<Found> {
        // An offset that is text is a token that the last page gave, not a number of items to skip.
        let offset = self.query_param("offset").filter(|param| !self.is_string(param.ty))?;
        let limit = self.query_param("limit")?;
        let style = PageStyle::Offset { offset_param: offset.name, limit_param: limit.name };
        self.counted(style)
    }

    fn by_page(&self) -> Option<Found> {
        let page = self.query_param("page").filter(|param| !self.is_string(param.ty))?;
        let size_param = self.first_query_param(NUMBERED_PAGE_SIZES)?;
        self.counted(PageStyle::Page { page_param: page.name, size_param })
    }

    /// Offsets and page numbers: the size of a page is part of the style.
    fn counted(&self, style: PageStyle) -> Option<Found> {
        let mut found = self.found(style, Exhausted::EmptyItems, "the operation takes both and gives a list");
        found.pages.page_size_param = None;
        self.is_list().then_some(found)
    }

    /// `nextPageToken` sent as `pageToken`, `metadata.continue` as `continue`, `next` as the only cursor there is.
    fn by_named_cursor(&self) -> Option<Found> {
        self.array?;
        let matches = self.spots().into_iter().filter_map(|spot| Some((spot, self.cursor_param(spot)?)));
        let (spot, param) = only(matches)?;
        let style = PageStyle::Cursor { request_param: param.name, response_field: Some(spot.field.name) };
        let mut found = self.found(style, Exhausted::CursorNull, "they belong together, and the last page lacks it");
        found.path = Some(self.path(spot, None)?);
        Some(found)
    }

    fn cursor_param(&self, spot: Spot<'_>) -> Option<&'a Param> {
        // What the body itself calls `next_…` is for the first rule, which wants it nullable.
        let is_for_first_rule = spot.within.is_none() && self.name(spot.field.name).starts_with("next_");
        if is_for_first_rule || !self.is_string(spot.field.ty) || !self.can_end(spot) || self.holds_link(spot) {
            return None;
        }
        let key = self.key(spot.field.name);
        let within = spot.within.map(|field| self.key(field.name)).unwrap_or_default();
        let is_next = self.speaks_of(spot.field.doc, &["next"])
            || key.starts_with("next")
            || key == "continue"
            || key.starts_with("continuation")
            || within.starts_with("next");
        if !is_next {
            return None;
        }
        let is_cursor = |param: &&&Param| self.is_string(param.ty) && !self.must_be_switched_on(param);
        let strings = || self.query.iter().filter(is_cursor);
        if key == "next" {
            let is_token = self.speaks_of(spot.field.doc, &["cursor"]) || self.speaks_of(spot.field.doc, &["token"]);
            let cursors = strings().filter(|param| CURSORS.contains(&self.key(param.name).as_str()));
            return only(cursors.filter(|_| is_token)).copied();
        }
        let rest = key.strip_prefix("next_").unwrap_or(&key);
        let names_it = |param: &&&Param| {
            let param = self.key(param.name);
            param == key || param == rest
        };
        only(strings().filter(names_it)).copied()
    }

    /// `starting_after` or `after`, the id of the last item that was seen.
    fn by_last_item(&self) -> Option<Found> {
        self.array?;
        let fields = self.fields(self.body);
        let has_more = fields.iter().find(|field| self.key(field.name) == "has_more" && self.is_flag(field.ty))?;
        let is_id = |param: &Param| self.is_string(param.ty);
        let param = self.param_by_key("starting_after").or_else(|| self.param_by_key("after")).filter(|p| is_id(p))?;
        let last_id = fields.iter().find(|field| self.key(field.name) == "last_id");
        // Another field may be the cursor that this parameter takes, or the parameter the middle of a window.
        if self.param_by_key("around").is_some()
            || (last_id.is_none() && self.spots().iter().any(|&s| self.may_be_cursor(s)))
        {
            return None;
        }
        let id = match last_id {
            Some(last_id) => self.is_string(last_id.ty).then_some(None)?,
            None => Some(self.string_item_id()?),
        };
        let style = PageStyle::Cursor { request_param: param.name, response_field: last_id.map(|field| field.name) };
        let mut found = self.found(style, Exhausted::HasMoreFalse, "the response says whether more items follow it");
        found.pages.has_more_field = Some(has_more.name);
        found.pages.cursor_item_field = id;
        Some(found)
    }

    /// A field that holds the URL of the next page: `next_page_uri`, `links.next`, `_links.next.href`.
    fn by_link_field(&self) -> Option<Found> {
        self.array?;
        let links = self.spots().into_iter().filter_map(|spot| Some((spot.field, self.link_path(spot)?)));
        let (field, path) = only(links)?;
        let style = PageStyle::LinkField { response_field: field.name };
        let mut found =
            self.found(style, Exhausted::CursorNull, "its name and form say so, and the last page lacks it");
        found.path = Some(path);
        Some(found)
    }

    /// Where a spot holds the next page's URL: itself or as its `href`.
    fn link_path(&self, spot: Spot<'_>) -> Option<String> {
        let key = self.key(spot.field.name);
        let within = spot.within.map(|field| self.key(field.name)).unwrap_or_default();
        let full = if within.starts_with("next") { format!("{within}_{key}") } else { key };
        if !NEXT_LINKS.contains(&full.as_str()) || !self.can_end(spot) {
            return None;
        }
        if self.is_string(spot.field.ty) {
            return self.path(spot, None).filter(|_| self.holds_link(spot));
        }
        let href = self.field(spot.field.ty, "href").filter(|href| within == "links" && self.is_string(href.ty))?;
        self.path(spot, Some(href.name))
    }

    /// No header is declared, but a cursor's description says that the `Link` header gives it.
    fn by_described_header(&self) -> Option<Found> {
        let speaks_of_header = |param: &&&Param| {
            let is_cursor = CURSORS.contains(&self.key(param.name).as_str()) && self.is_string(param.ty);
            let phrases: &[&[&str]] = &[&["link", "header"], &["link", "response", "header"]];
            // In a body that is the list itself there is no place for a link but the header.
            let bare: &[&[&str]] = &[&["next", "link"], &["link", "relationship"], &["link", "relation"]];
            let says = |phrases: &[&[&str]]| phrases.iter().any(|phrase| self.speaks_of(param.doc, phrase));
            is_cursor && (says(phrases) || (self.is_array && says(bare)))
        };
        let param = self.query.iter().find(speaks_of_header).filter(|_| self.is_list())?;
        let name = base::diag::quoted(self.name(param.name));
        let mut found = self.found(PageStyle::LinkHeader, Exhausted::NoLink, "");
        found.why = format!("the description of {name} refers to it");
        Some(found)
    }

    /// `after` has the very type of the items' `id`, and no other field of theirs that is an id has it.
    fn by_typed_item_id(&self) -> Option<Found> {
        let param = self.param_by_key("after").filter(|param| self.is_string(param.ty))?;
        // With a `before` or an `around` the list may run the other way.
        if self.param_by_key("before").is_some() || self.param_by_key("around").is_some() {
            return None;
        }
        let ty = self.ir.types.without_null(param.ty).0;
        self.ir.types.rows[ty].name?;
        let ids = self.fields(self.items()?).iter().filter(|field| {
            let key = self.key(field.name);
            (key == "id" || key.ends_with("_id")) && self.ir.types.without_null(field.ty).0 == ty
        });
        let id = only(ids).filter(|field| self.key(field.name) == "id" && field.required)?;
        let style = PageStyle::Cursor { request_param: param.name, response_field: None };
        let mut found = self.found(style, Exhausted::EmptyItems, "the two are of one named type");
        found.pages.cursor_item_field = Some(id.name);
        found.pages.page_size_param.is_some().then_some(found)
    }

    fn found(&self, style: PageStyle, exhausted_when: Exhausted, why: &str) -> Found {
        let pages = Pagination {
            style,
            items: self.array.map(|field| self.ir.types.fields[field].name),
            page_size_param: self.page_size(),
            exhausted_when,
            has_more_field: None,
            cursor_item_field: None,
            inferred: true,
        };
        Found { pages, path: None, why: why.to_owned() }
    }

    fn page_size(&self) -> Option<Sym> {
        let by_words = || PAGE_SIZES.iter().find_map(|size| self.param_by_key(size)).map(|param| param.name);
        self.first_query_param(PAGE_SIZES).or_else(by_words)
    }

    fn is_list(&self) -> bool {
        self.is_array || self.array.is_some()
    }

    /// The type of one item.
    fn items(&self) -> Option<TypeId> {
        let list = self.array.map_or(self.body, |field| self.ir.types.fields[field].ty);
        match self.ir.types.rows[self.ir.types.without_null(list).0].shape {
            Shape::Array { items } => Some(items),
            _ => None,
        }
    }

    /// `id`, if every kind of item has one and it is a string.
    fn string_item_id(&self) -> Option<Sym> {
        let items = self.ir.types.without_null(self.items()?).0;
        let id = |ty: TypeId| self.field(ty, "id").filter(|field| self.is_string(field.ty)).map(|field| field.name);
        let Shape::Union { variants, .. } = self.ir.types.rows[items].shape else { return id(items) };
        let mut ids = self.ir.types.variants.slice(variants).iter().map(|variant| id(variant.ty));
        let first = ids.next()??;
        ids.all(|other| other == Some(first)).then_some(first)
    }

    /// The fields of the body and of what describes the page in it.
    fn spots(&self) -> Vec<Spot<'a>> {
        let mut spots = Vec::new();
        for field in self.fields(self.body) {
            spots.push(Spot { within: None, field });
            if CONTAINERS.contains(&self.key(field.name).as_str()) {
                spots.extend(self.fields(field.ty).iter().map(|inner| Spot { within: Some(field), field: inner }));
            }
        }
        spots
    }

    /// Where a spot stands in the body. A name with a dot cannot be written as a path.
    fn path(&self, spot: Spot<'_>, inner: Option<Sym>) -> Option<String> {
        let parts = [spot.within.map(|field| field.name), Some(spot.field.name), inner];
        let parts: Vec<&str> = parts.into_iter().flatten().map(|name| self.name(name)).collect();
        parts.iter().all(|part| !part.contains('.')).then(|| parts.join("."))
    }

    /// Whether the last page can do without the field.
    fn can_end(&self, spot: Spot<'_>) -> bool {
        let can_lack = |field: &Field| !field.required || self.ir.types.is_nullable(field.ty);
        can_lack(spot.field) || spot.within.is_some_and(can_lack)
    }

    /// Whether a string is a URL: by its format, its name, its description, or as a member of `links`.
    fn holds_link(&self, spot: Spot<'_>) -> bool {
        let ty = self.ir.types.without_null(spot.field.ty).0;
        let is_url = match self.ir.types.rows[ty].shape {
            Shape::String { format: Some(Format::Uri) } => true,
            Shape::String { format: Some(Format::Other(name)) } => matches!(self.name(name), "url" | "uri-reference"),
            _ => false,
        };
        let key = self.key(spot.field.name);
        let last = key.rsplit('_').next().unwrap_or_default();
        is_url
            || matches!(last, "url" | "uri" | "href" | "link")
            || spot.within.is_some_and(|field| self.key(field.name) == "links")
            || self.speaks_of(spot.field.doc, &["url"])
            || self.speaks_of(spot.field.doc, &["uri"])
    }

    fn may_be_cursor(&self, spot: Spot<'_>) -> bool {
        let key = self.key(spot.field.name);
        let mut words = key.split('_');
        spot.within.is_some() && self.is_string(spot.field.ty)
            || words.any(|word| matches!(word, "cursor" | "token" | "next" | "continue" | "continuation"))
    }

    /// `use_marker` beside `marker`: unless a caller sets the flag, no page has a cursor.
    fn must_be_switched_on(&self, cursor: &Param) -> bool {
        let flag = format!("use{}", self.key(cursor.name).replace('_', ""));
        self.query.iter().any(|param| self.is_flag(param.ty) && self.key(param.name).replace('_', "") == flag)
    }

    /// `next_*`, a string that is null on the last page.
    fn is_next_cursor(&self, field: &Field) -> bool {
        let (ty, is_nullable) = self.ir.types.without_null(field.ty);
        is_nullable
            && matches!(self.ir.types.rows[ty].shape, Shape::String { .. })
            && self.name(field.name).starts_with("next_")
    }

    fn is_string(&self, ty: TypeId) -> bool {
        matches!(self.ir.types.rows[self.ir.types.without_null(ty).0].shape, Shape::String { .. })
    }

    fn is_flag(&self, ty: TypeId) -> bool {
        self.ir.types.rows[self.ir.types.without_null(ty).0].shape == Shape::Bool
    }

    fn fields(&self, record: TypeId) -> &'a [Field] {
        match self.ir.types.rows[self.ir.types.without_null(record).0].shape {
            Shape::Record { fields, .. } => self.ir.types.fields.slice(fields),
            _ => &[],
        }
    }

    fn field(&self, record: TypeId, name: &str) -> Option<&'a Field> {
        let name = self.ir.names.find(name)?;
        self.fields(record).iter().find(|field| field.name == name)
    }

    fn name(&self, name: Sym) -> &'a str {
        self.ir.names.resolve(name)
    }

    fn key(&self, name: Sym) -> String {
        word_key(self.name(name))
    }

    /// Whether a description has these words next to each other, whatever stands between them.
    fn speaks_of(&self, doc: Doc, phrase: &[&str]) -> bool {
        let texts = [doc.summary, doc.description];
        texts.into_iter().flatten().any(|text| {
            let words = Words::of(self.ir.text(text).untrusted());
            let words: Vec<&str> = words.iter().collect();
            words.windows(phrase.len()).any(|window| window == phrase)
        })
    }

    fn query_param(&self, name: &str) -> Option<&'a Param> {
        let name = self.ir.names.find(name)?;
        self.query.iter().copied().find(|param| param.name == name)
    }

    /// A parameter by its words.
    fn param_by_key(&self, key: &str) -> Option<&'a Param> {
        self.query.iter().copied().find(|param| self.key(param.name) == key)
    }

    fn first_query_param(&self, names: &[&str]) -> Option<Sym> {
        names.iter().find_map(|name| self.query_param(name)).map(|param| param.name)
    }

    fn only_query_param(&self, names: &[&str]) -> Option<&'a Param> {
        only(names.iter().filter_map(|name| self.query_param(name)))
    }
}

/// The JSON body of the exact 200, else of the only other success that has one.
fn success<'a>(ir: &'a Ir, op: &Op) -> Option<(&'a Response, TypeId)> {
    let responses = ir.ops.responses.slice(op.responses);
    let json = |response: &'a Response| {
        let mut contents = ir.ops.contents.slice(response.contents).iter();
        let content = contents.find(|content| content.encoding == Encoding::Json && content.schema_stated)?;
        Some((response, content.ty))
    };
    if let Some(exact) = responses.iter().find(|response| response.status == Status::Exact(200)) {
        return json(exact);
    }
    let others = responses.iter().filter(|row| row.kind == ResponseKind::Success && row.status != Status::Default);
    only(others.filter_map(json))
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
