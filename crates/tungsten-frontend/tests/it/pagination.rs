//! Pagination, inferred and declared; the error model; safety and idempotency; pruning.

use tungsten_frontend::{Overrides, Pages, PaginationOverride};
use tungsten_ir::{Exhausted, Ir, KeyFormat, PageStyle, Pagination, Policy, Safety};

use crate::describe::{document, documents, findings, head, ir, manifest, name, op, places, with_overrides};

/// A GET with query parameters (`name` or `name:type`), a response schema and, perhaps, response headers.
fn list(params: &str, schema: &str, headers: &str) -> String {
    let row = |param: &str| {
        let (name, ty) = param.split_once(':').unwrap_or((param, "string"));
        format!("        - {{ name: {name}, in: query, schema: {{ type: {ty} }} }}\n")
    };
    let params: Vec<String> = params.split_whitespace().map(row).collect();
    let params = params.concat();
    let params = if params.is_empty() { "        []\n".to_owned() } else { params };
    let headers = if headers.is_empty() { String::new() } else { format!("          headers: {headers}\n") };
    format!(
        "{}paths:\n  /items:\n    get:\n      operationId: listItems\n      parameters:\n{params}      responses:\n        '200':\n          description: ok\n{headers}          content: {{ application/json: {{ schema: {schema} }} }}\n",
        head()
    )
}

fn show(ir: &Ir, found: Pagination) -> String {
    let n = |sym| name(ir, sym);
    let o = |sym: Option<base::Sym>| sym.map_or("-", n);
    let style = match found.style {
        PageStyle::Cursor { request_param, response_field } => {
            format!("cursor {} {}", n(request_param), o(response_field))
        }
        PageStyle::Offset { offset_param, limit_param } => format!("offset {} {}", n(offset_param), n(limit_param)),
        PageStyle::Page { page_param, size_param } => format!("page {} {}", n(page_param), n(size_param)),
        PageStyle::LinkHeader => "link".to_owned(),
        PageStyle::LinkField { response_field } => format!("link {}", n(response_field)),
    };
    let end = match found.exhausted_when {
        Exhausted::CursorNull => "null",
        Exhausted::EmptyItems => "empty",
        Exhausted::NoLink => "no_link",
        Exhausted::HasMoreFalse => "has_more",
    };
    format!(
        "{style} items={} size={} until={end} more={} item={}",
        o(found.items),
        o(found.page_size_param),
        o(found.has_more_field),
        o(found.cursor_item_field)
    )
}

fn check(params: &str, schema: &str, headers: &str, expect: Option<&str>) {
    let compiled = document(&list(params, schema, headers));
    let ir = ir(&compiled);
    let found = ir.pagination[op(ir, "listItems")].map(|found| show(ir, found));
    assert_eq!(found.as_deref(), expect, "{params} {schema}\n{:?}", findings(&compiled));
    let reported: &[&str] = if expect.is_some() { &["/paths/~1items/get"] } else { &[] };
    assert_eq!(places(&compiled, "TG0501"), reported, "{params} {schema}");
}

const ARRAY: &str = "{ type: array, items: { type: string } }";

#[test]
fn cursors() {
    let closed = "{ type: object, additionalProperties: false, properties: { items: { type: array, items: {} }, next_cursor: { type: [string, 'null'] } } }";
    let open = closed.replace("additionalProperties: false, ", "");
    check(
        "cursor limit:integer",
        closed,
        "",
        Some("cursor cursor next_cursor items=items size=limit until=null more=- item=-"),
    );
    check("before", closed, "", Some("cursor before next_cursor items=items size=- until=null more=- item=-"));
    check("before after", closed, "", None);
    check("", closed, "", None);
    check(
        "cursor page_size:integer",
        &open,
        "",
        Some("cursor cursor next_cursor items=items size=page_size until=null more=- item=-"),
    );
    check("before", &open, "", None);
    check("cursor:integer", &open, "", None);
    let any_of = open.replace("{ type: [string, 'null'] }", "{ anyOf: [{ type: string }, { type: 'null' }] }");
    check("cursor", &any_of, "", Some("cursor cursor next_cursor items=items size=- until=null more=- item=-"));
    let not_nullable = open.replace("[string, 'null']", "string");
    check("cursor", &not_nullable, "", None);
    let two_arrays = open.replace("items: {", "other: { type: array, items: {} }, items: {").replacen(
        "items: { type: array",
        "list: { type: array",
        1,
    );
    check("cursor", &two_arrays, "", None);
}

#[test]
fn after_the_last_id() {
    let page = "{ type: object, properties: { data: { type: array, items: { type: object, properties: { id: { type: string } } } }, has_more: { type: boolean } } }";
    check(
        "after_id limit:integer",
        page,
        "",
        Some("cursor after_id - items=data size=limit until=has_more more=has_more item=id"),
    );
    let last = page.replace("has_more: {", "last_id: { type: string }, has_more: {");
    check("after_id", &last, "", Some("cursor after_id last_id items=data size=- until=has_more more=has_more item=-"));
    let number = page.replace("id: { type: string }", "id: { type: integer }");
    check("after_id", &number, "", None);
}

#[test]
fn link_headers_offsets_and_pages() {
    let link = "{ Link: { schema: { type: string } } }";
    check("per_page:integer", ARRAY, link, Some("link items=- size=per_page until=no_link more=- item=-"));
    check("", "{ type: string }", link, None);
    let item = page("more: {}");
    check("", &item, link, Some("link items=data size=- until=no_link more=- item=-"));
    check("", &item.replace("more:", "id:"), link, None);
    check(
        "offset:integer limit:integer",
        ARRAY,
        "",
        Some("offset offset limit items=- size=- until=empty more=- item=-"),
    );
    check("offset:integer", ARRAY, "", None);
    check(
        "page:integer per_page:integer",
        ARRAY,
        "",
        Some("page page per_page items=- size=- until=empty more=- item=-"),
    );
    check("page:string per_page:integer", ARRAY, "", None);
    // The first rule that matches decides.
    check(
        "page:integer size:integer offset:integer limit:integer",
        ARRAY,
        "",
        Some("offset offset limit items=- size=- until=empty more=- item=-"),
    );
}

/// A list in an open object with further fields.
fn page(fields: &str) -> String {
    format!(
        "{{ type: object, properties: {{ data: {{ type: array, items: {{ type: object, properties: {{ id: {{ type: string }} }} }} }}, {fields} }} }}"
    )
}

#[test]
fn an_offset_that_is_text_is_no_number() {
    check("offset limit:integer", ARRAY, "", None);
    let token = page(
        "next_page: { type: [object, 'null'], properties: { offset: { type: string }, uri: { type: string, format: uri } } }",
    );
    check(
        "offset limit:integer",
        &token,
        "",
        Some("cursor offset next_page.offset items=data size=limit until=null more=- item=-"),
    );
    check("limit:integer", &token, "", Some("link next_page.uri items=data size=limit until=null more=- item=-"));
}

#[test]
fn cursors_are_found_by_their_words() {
    let expect = |style: &str| format!("cursor {style} items=data size=- until=null more=- item=-");
    for (param, fields, style) in [
        ("pageToken", "nextPageToken: { type: string }", "pageToken nextPageToken"),
        (
            "next_token",
            "meta: { type: object, properties: { next_token: { type: string } } }",
            "next_token meta.next_token",
        ),
        (
            "continue",
            "metadata: { type: object, properties: { continue: { type: string } } }",
            "continue metadata.continue",
        ),
        (
            "pageToken",
            "pagination: { type: object, properties: { nextPageToken: { type: string } } }",
            "pageToken pagination.nextPageToken",
        ),
        ("after", "next: { type: [string, 'null'], description: Cursor of the next page }", "after next"),
    ] {
        check(param, &page(fields), "", Some(&expect(style)));
    }
    for (param, fields) in [
        // What the request said is only repeated.
        ("cursor", "pagination: { type: object, properties: { cursor: { type: string } } }"),
        // A cursor that is always there would have no end.
        ("pageToken", "nextPageToken: { type: string } }, required: [nextPageToken], x-more: {"),
        ("pageToken:integer", "nextPageToken: { type: string }"),
        ("other", "nextPageToken: { type: string }"),
        ("after", "next: { type: [string, 'null'] }"),
        ("a.b", "meta: { type: object, properties: { next_a.b: { type: string } } }"),
    ] {
        check(param, &page(fields), "", None);
    }
    // Unless a caller sets the flag there is no cursor, but the offset always works.
    let both = page("next_marker: { type: [string, 'null'] }");
    check(
        "marker useMarker:boolean offset:integer limit:integer",
        &both,
        "",
        Some("offset offset limit items=data size=- until=empty more=- item=-"),
    );
}

#[test]
fn the_last_item_is_a_cursor() {
    let more = page("has_more: { type: boolean }");
    let expect = "cursor starting_after - items=data size=limit until=has_more more=has_more item=id";
    check("starting_after ending_before limit:integer", &more, "", Some(expect));
    check("startingAfter:integer", &more, "", None);
    check("starting_after", &page("has_more: { type: string }"), "", None);
    check("starting_after", &more.replace("id: {", "key: {"), "", None);
    let expect = "cursor after - items=data size=- until=has_more more=hasMore item=id";
    check("after", &page("hasMore: { type: boolean }"), "", Some(expect));
    check("after around", &more, "", None);
    check("after", &page("has_more: { type: boolean }, end_cursor: { type: string }"), "", None);
    let last = page("has_more: { type: boolean }, last_id: { type: [string, 'null'] }");
    check("after", &last, "", Some("cursor after last_id items=data size=- until=has_more more=has_more item=-"));
    let union = "{ type: object, properties: { has_more: { type: boolean }, data: { type: array, items: { oneOf: [{ type: object, required: [a], properties: { a: {}, id: { type: string } } }, { type: object, required: [b], properties: { b: {}, id: { type: string } } }] } } } }";
    let expect = "cursor starting_after - items=data size=- until=has_more more=has_more item=id";
    check("starting_after", union, "", Some(expect));
    check("starting_after", &union.replacen("id: { type: string }", "key: { type: string }", 1), "", None);
}

#[test]
fn a_parameter_of_the_type_of_ids() {
    let typed = |params: &str, item: &str| {
        let schema = format!("{{ type: array, items: {{ type: object, required: [id], properties: {{ {item} }} }} }}");
        let id = "{ $ref: '#/components/schemas/Key' }";
        let yaml = list(params, &schema, "").replace("ID", id).replace("{ type: key }", id);
        let compiled = document(&format!("{yaml}components: {{ schemas: {{ Key: {{ type: string }} }} }}\n"));
        let ir = ir(&compiled);
        ir.pagination[op(ir, "listItems")].map(|found| show(ir, found))
    };
    let expect = "cursor after - items=- size=limit until=empty more=- item=id".to_owned();
    assert_eq!(typed("after:key limit:integer", "id: ID, name: { type: string }"), Some(expect));
    assert_eq!(typed("after:key", "id: ID"), None);
    assert_eq!(typed("after:key before:key limit:integer", "id: ID"), None);
    assert_eq!(typed("after:key limit:integer", "id: ID, user_id: ID"), None);
    assert_eq!(typed("after limit:integer", "id: ID"), None);
}

#[test]
fn links_in_the_body() {
    let expect = |field: &str| format!("link {field} items=data size=- until=null more=- item=-");
    let uri = "{ type: [string, 'null'], format: uri }";
    for (fields, field) in [
        (format!("next: {uri}"), "next"),
        ("next_page_uri: { type: [string, 'null'] }".to_owned(), "next_page_uri"),
        ("nextUrl: { type: string }".to_owned(), "nextUrl"),
        ("links: { type: object, properties: { next: { type: string } } }".to_owned(), "links.next"),
        (
            "_links: { type: object, properties: { next: { type: object, properties: { href: { type: string } } } } }"
                .to_owned(),
            "_links.next.href",
        ),
        ("next_page: { type: string, description: The URL of the next page }".to_owned(), "next_page"),
    ] {
        check("", &page(&fields), "", Some(&expect(field)));
    }
    for fields in [
        "next: { type: string }",
        "next_url: { type: integer }",
        "next_url: { type: string } }, required: [next_url], x-more: {",
        "next_url: { type: string }, links: { type: object, properties: { next: { type: string } } }",
    ] {
        check("", &page(fields), "", None);
    }
}

#[test]
fn a_description_that_names_the_header() {
    let described = |text: &str, schema: &str| {
        let yaml = list("after", schema, "").replace("in: query,", &format!("in: query, description: '{text}',"));
        let compiled = document(&yaml);
        let ir = ir(&compiled);
        let sorted = compiled.diags.clone().finish(&compiled.sources);
        let messages: Vec<String> = sorted.iter().map(|one| one.message.clone()).collect();
        assert_eq!(places(&compiled, "TG0501").len(), usize::from(ir.pagination[op(ir, "listItems")].is_some()));
        (ir.pagination[op(ir, "listItems")].map(|found| show(ir, found)), messages.join("\n"))
    };
    let expect = Some("link items=- size=- until=no_link more=- item=-".to_owned());
    assert_eq!(described("As given in the [Link header](x).", ARRAY).0, expect);
    let (found, messages) = described("Obtained through the `next` link relationship", ARRAY);
    assert_eq!(found, expect);
    assert!(messages.contains("the description of `after` refers to it"), "{messages}");
    assert_eq!(described("Obtained through the `next` link relationship", &page("more: {}")).0, None);
    assert_eq!(described("Where to go on", ARRAY).0, None);
}

#[test]
fn another_success_than_200() {
    let with = |status: &str| {
        let compiled = document(&list("offset:integer limit:integer", ARRAY, "").replace("'200'", status));
        let ir = ir(&compiled);
        ir.pagination[op(ir, "listItems")].is_some()
    };
    assert!(with("'206'"));
    assert!(with("'2XX'"));
    assert!(!with("default"));
    assert!(!with("'400'"));
}

#[test]
fn a_project_decides() {
    let entry = |operation: &str, pages| PaginationOverride {
        operation: operation.into(),
        pages,
        place: manifest("/pagination"),
    };
    let declared = Pages::Cursor {
        param: "before".into(),
        field: "meta.next".into(),
        items: String::new(),
        page_size_param: Some("n".into()),
        has_more: Some("meta.more".into()),
    };
    let overrides = Overrides {
        pagination: vec![entry("api.listItems", Some(declared)), entry("api.gone", None)],
        ..Overrides::default()
    };
    let yaml = list("offset:integer limit:integer", ARRAY, "");
    let compiled = with_overrides(&yaml, overrides);
    let table = ir(&compiled);
    let found = table.pagination[op(table, "listItems")].expect("it is declared");
    assert_eq!(show(table, found), "cursor before meta.next items=- size=n until=has_more more=meta.more item=-");
    assert!(!found.inferred);
    assert!(places(&compiled, "TG0501").is_empty());
    assert_eq!(places(&compiled, "TG0603"), ["/pagination"]);

    for (pages, expect) in [
        (
            Pages::LastItem {
                param: "after".into(),
                item_field: "key".into(),
                items: "rows".into(),
                page_size_param: None,
                has_more: None,
            },
            "cursor after - items=rows size=- until=empty more=- item=key",
        ),
        (
            Pages::LinkField { field: "links.next".into(), items: "rows".into() },
            "link links.next items=rows size=- until=null more=- item=-",
        ),
    ] {
        let overrides = Overrides { pagination: vec![entry("api.listItems", Some(pages))], ..Overrides::default() };
        let compiled = with_overrides(&yaml, overrides);
        let table = ir(&compiled);
        assert_eq!(table.pagination[op(table, "listItems")].map(|found| show(table, found)).as_deref(), Some(expect));
    }

    let none = Overrides { pagination: vec![entry("api.listItems", None)], ..Overrides::default() };
    let compiled = with_overrides(&yaml, none);
    assert!(ir(&compiled).pagination[op(ir(&compiled), "listItems")].is_none());
    assert!(places(&compiled, "TG0501").is_empty());
}

#[test]
fn a_declaration_is_checked_against_the_operation() {
    let schema = "{ type: object, properties: { meta: { type: object, properties: { next: { type: string } } }, rows: { type: array, items: { type: object, properties: { id: { type: string } } } }, total: { type: integer } } }";
    let yaml = list("after limit:integer", schema, "");
    let found = |pages: Pages| {
        let entry = PaginationOverride { operation: "api.listItems".into(), pages: Some(pages), place: manifest("/p") };
        let compiled = with_overrides(&yaml, Overrides { pagination: vec![entry], ..Overrides::default() });
        let mut lines: Vec<String> = Vec::new();
        for one in compiled.diags.iter().filter(|one| one.code.name() == "TG0621") {
            let message = one.message.strip_suffix(", as the pages of `api.listItems` would need").expect("its end");
            lines.push(format!("{message}; {}", one.help.clone().unwrap_or_default()));
        }
        lines
    };
    let cursor = |param: &str, field: &str, items: &str| Pages::Cursor {
        param: param.into(),
        field: field.into(),
        items: items.into(),
        page_size_param: Some("limit".into()),
        has_more: None,
    };
    assert_eq!(found(cursor("after", "meta.next", "rows")), [""; 0]);
    assert_eq!(
        found(cursor("aftr", "meta.nxt", "row")),
        [
            "no parameter is named `aftr`; did you mean `after`?",
            "the answer has no `meta.nxt`; did you mean `next`?",
            "the answer has no `row`; did you mean `rows`?",
        ]
    );
    assert_eq!(found(cursor("after", "meta.next", "total")), ["`total` of the answer is no list; "]);
    assert_eq!(found(cursor("after", "meta.next", "")), ["the body of the answer is no list; "]);
    let last = |item_field: &str| Pages::LastItem {
        param: "after".into(),
        item_field: item_field.into(),
        items: "rows".into(),
        page_size_param: None,
        has_more: Some("total".into()),
    };
    assert_eq!(found(last("id")), [""; 0]);
    assert_eq!(found(last("ids")), ["the answer has no `ids`; did you mean `id`?"]);
    let offset = Pages::Offset { offset_param: "offset".into(), limit_param: "limit".into(), items: "rows".into() };
    assert_eq!(found(offset), ["no parameter is named `offset`; "]);
    assert_eq!(found(Pages::LinkHeader { items: "rows".into() }), [""; 0]);
}

#[test]
fn a_paginated_get_is_a_list() {
    let compiled = document(&list("offset:integer limit:integer", ARRAY, "").replace("/items", "/thing"));
    let ir = ir(&compiled);
    assert_eq!(ir.op_name[op(ir, "listItems")].map(|sym| name(ir, sym)), Some("list"));
}

/// Operations whose 400 has the schema `ref` each, and component schemas.
fn failing(refs: &[&str], schemas: &str) -> String {
    let mut yaml = head();
    yaml.push_str("paths:\n");
    for (index, target) in refs.iter().enumerate() {
        yaml.push_str(&format!("  /p{index}:\n    get:\n      operationId: op{index}\n      responses:\n        '204': {{ description: ok }}\n        '400':\n          description: bad\n          content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/{target}' }} }} }}\n"));
    }
    yaml.push_str(&format!("components:\n  schemas:\n{schemas}"));
    yaml
}

fn errors(refs: &[&str], schemas: &str) -> String {
    let compiled = document(&failing(refs, schemas));
    let ir = ir(&compiled);
    let errors = ir.namespaces.rows()[0].errors;
    let envelope = errors.envelope.and_then(|ty| ir.types.rows[ty].name).map_or("-", |named| name(ir, named.name));
    let show = |sym: Option<base::Sym>| sym.map_or("-", |sym| name(ir, sym));
    format!("{envelope} {} {}", show(errors.code_field), show(errors.message_field))
}

#[test]
fn error_models() {
    let flat = "    E: { type: object, properties: { message: { type: string }, code: { type: string } } }\n";
    assert_eq!(errors(&["E"], flat), "E code message");
    let nested = "    E: { type: object, properties: { error: { type: object, properties: { type: { type: string }, detail: { type: string } } } } }\n";
    assert_eq!(errors(&["E"], nested), "E error.type error.detail");
    let constant = "    E: { type: object, properties: { type: { const: error }, error: { type: object, properties: { code: { type: string, enum: [a, b] } } } } }\n";
    assert_eq!(errors(&["E"], constant), "E error.code -");
    let tagged = "    E: { type: object, properties: { error: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] } } }\n    A: { type: object, required: [type], properties: { type: { type: string, const: a }, message: { type: string } } }\n    B: { type: object, required: [type], properties: { type: { type: string, const: b }, message: { type: string } } }\n";
    assert_eq!(errors(&["E"], tagged), "E error.type error.message");
    let two = "    A: { type: object, properties: { code: { type: integer } } }\n    B: { type: object, properties: { error_code: { type: string } } }\n";
    assert_eq!(errors(&["A", "B", "B"], two), "B error_code -");
    assert_eq!(errors(&["B", "A"], two), "A - -");
}

#[test]
fn safety_and_key_headers() {
    let yaml = format!(
        "{}paths:\n  /a:\n    parameters:\n      - {{ name: idempotency-key, in: header, required: true, schema: {{ type: string, format: uuid }} }}\n    get: {{ operationId: read, responses: {{ '204': {{ description: ok }} }} }}\n    post: {{ operationId: make, responses: {{ '204': {{ description: ok }} }} }}\n    delete:\n      operationId: drop\n      parameters: [{{ name: Idempotency-Key, in: header, schema: {{ type: string }} }}]\n      responses: {{ '204': {{ description: ok }} }}\n",
        head()
    );
    let compiled = document(&yaml);
    let ir = ir(&compiled);
    let of = |id: &str| (ir.safety[op(ir, id)], ir.idempotency[op(ir, id)]);
    assert_eq!((of("read").0, of("read").1.policy), (Safety::ReadOnly, Policy::None));
    let (safety, key) = of("make");
    assert_eq!(
        (safety, key.policy, key.format, key.persist_required),
        (Safety::Mutating, Policy::CallerOwned, Some(KeyFormat::Uuid), true)
    );
    assert_eq!(key.header.map(|sym| name(ir, sym)), Some("idempotency-key"));
    // The operation's own parameter is optional: nothing is inferred.
    assert_eq!((of("drop").0, of("drop").1.policy), (Safety::Destructive, Policy::None));
}

#[test]
fn unreached_types_are_pruned_with_their_findings() {
    let yaml = failing(
        &["E"],
        "    E: { type: object, properties: { code: { type: string }, more: { $ref: '#/components/schemas/Used' } } }\n    Used: { type: string, format: used-format }\n    Unused: { type: object, properties: { x: { type: string, format: odd-format }, y: { $ref: '#/components/schemas/Deeper' } } }\n    Deeper: { type: string }\n",
    );
    let compiled = document(&yaml);
    let ir = ir(&compiled);
    let pruned: Vec<&str> = ir
        .types
        .named
        .iter()
        .filter(|&&ty| ir.pruned[ty])
        .filter_map(|&ty| ir.types.rows[ty].name)
        .map(|named| name(ir, named.name))
        .collect();
    assert_eq!(pruned, ["Unused", "Deeper"]);
    assert_eq!(places(&compiled, "TG0760").len(), 1);
    assert_eq!(places(&compiled, "TG0304"), ["/components/schemas/Used/format"]);

    let kept = with_overrides(&yaml, Overrides { prune_unreferenced: false, ..Overrides::default() });
    assert!(places(&kept, "TG0760").is_empty());
    assert_eq!(places(&kept, "TG0304").len(), 2);
}

#[test]
fn a_document_without_operations_keeps_its_types() {
    let library = format!("{}paths: {{}}\ncomponents: {{ schemas: {{ A: {{ type: string }} }} }}\n", head());
    let compiled =
        documents(&[("api", &failing(&["E"], "    E: { type: string }\n")), ("lib", &library)], Overrides::default());
    assert!(places(&compiled, "TG0760").is_empty());
    let ir = ir(&compiled);
    assert!(ir.types.named.iter().all(|&ty| !ir.pruned[ty]));
}
