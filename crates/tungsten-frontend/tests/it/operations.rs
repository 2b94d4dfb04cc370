//! Operations and their parts: ids, paths, parameters, bodies, responses, servers, webhooks, callbacks, links; and each
//! diagnostic of theirs at its place.

use tungsten_frontend::Overrides;
use tungsten_ir::{
    Encoding, Ir, Location, OpKind, Piece, ResponseKind, Role, Segment, Shape, Status, StreamFlag, Style,
};

use crate::describe::{document, documents, findings, head, ir, manifest, name, op, places, with_overrides};

/// A document whose one operation `get /a/{id}` has extra members, given as YAML flow text.
fn one(members: &str) -> String {
    format!(
        "{}paths:\n  /a/{{id}}:\n    get:\n      operationId: it\n      parameters: [{{ name: id, in: path, required: true, schema: {{ type: string }} }}]\n      responses: {{ '200': {{ description: ok }} }}\n{members}",
        head()
    )
}

fn paths(text: &str) -> String {
    format!("{}paths:\n{text}", head())
}

const OK: &str = "responses: { '204': { description: ok } }";

/// Compiles and expects exactly these findings.
fn expect(yaml: &str, expected: &[&str]) -> tungsten_frontend::Compiled {
    let compiled = document(yaml);
    assert_eq!(findings(&compiled), expected, "{yaml}");
    compiled
}

#[test]
fn ids_are_stated_made_or_numbered() {
    let yaml = paths(&format!(
        "  /pets: {{ get: {{ operationId: list, {OK} }}, post: {{ operationId: list, {OK} }} }}\n  /pets/{{petId}}/toys: {{ get: {{ {OK} }}, put: {{ operationId: list2, {OK} }} }}\n  /: {{ get: {{ {OK} }} }}\n"
    ));
    let compiled = document(&yaml);
    let table = ir(&compiled);
    let ids: Vec<&str> = table.ops.rows.rows().iter().map(|op| name(table, op.id)).collect();
    // `list2` is stated, so the repeated `list` does not take it.
    assert_eq!(ids, ["api.list", "api.list3", "api.getPetsByPetIdToys", "api.list2", "api.getRoot"]);
    let stated: Vec<bool> = table.ops.rows.rows().iter().map(|op| op.id_stated).collect();
    assert_eq!(stated, [true, true, false, true, false]);
    assert_eq!(places(&compiled, "TG0403"), ["/paths/~1/get", "/paths/~1pets~1{petId}~1toys/get"]);
    assert!(places(&compiled, "TG0401").contains(&"/paths/~1pets/post/operationId".to_owned()));
}

fn segments(ir: &Ir, id: &str) -> Vec<String> {
    let path = ir.ops.rows[op(ir, id)].path;
    let show = |segment: &Segment| match segment {
        Segment::Literal(text) => name(ir, *text).to_owned(),
        Segment::Param(param) => format!("{{{}}}", name(ir, *param)),
        Segment::Template(pieces) => ir
            .ops
            .pieces
            .slice(*pieces)
            .iter()
            .map(|piece| match piece {
                Piece::Literal(text) => format!("<{}>", name(ir, *text)),
                Piece::Param(param) => format!("{{{}}}", name(ir, *param)),
            })
            .collect(),
    };
    ir.ops.segments.slice(path.segments).iter().map(show).collect()
}

fn path_case(key: &str, raw: &str, expected_segments: &[&str], codes: &[&str]) {
    let mut params = String::new();
    for (index, part) in key.split('{').enumerate().skip(1) {
        let param = part.split('}').next().unwrap_or_default();
        if index > 0 && key.contains('}') && !param.starts_with('?') {
            params.push_str(&format!("{{ name: '{param}', in: path, required: true, schema: {{ type: string }} }}, "));
        }
    }
    let yaml = paths(&format!("  '{key}': {{ get: {{ operationId: it, parameters: [{params}], {OK} }} }}\n"));
    let compiled = document(&yaml);
    let table = ir(&compiled);
    assert_eq!(name(table, table.ops.rows[op(table, "it")].path.raw), raw, "{key}");
    assert_eq!(segments(table, "it"), expected_segments, "{key}");
    let found: Vec<String> =
        findings(&compiled).iter().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(found, codes, "{key}: {:?}", findings(&compiled));
}

#[test]
fn path_templates() {
    path_case("/", "/", &[], &[]);
    path_case("/pets/{petId}", "/pets/{petId}", &["pets", "{petId}"], &[]);
    path_case("/r/{date}.csv", "/r/{date}.csv", &["r", "{date}<.csv>"], &[]);
    path_case("/u/{id}:archive", "/u/{id}:archive", &["u", "{id}<:archive>"], &[]);
    path_case("/c/{a}...{b}", "/c/{a}...{b}", &["c", "{a}<...>{b}"], &[]);
    path_case("/pets/", "/pets/", &["pets", ""], &[]);
    path_case("pets", "/pets", &["pets"], &["TG0508"]);
    path_case("/a#frag", "/a", &["a"], &["TG0508"]);
    path_case("/a/{b", "/a/{b", &["a", "{b"], &["TG0508"]);
    path_case("/a{?x}", "/a", &["a"], &["TG0508"]);
    path_case("/a?beta=true&x=%20y", "/a", &["a"], &["TG0111"]);
}

#[test]
fn query_strings_in_keys_are_constant_pairs() {
    let yaml = paths(&format!(
        "  /v1/m: {{ post: {{ operationId: m, {OK} }} }}\n  '/v1/m?beta=true&q=%20y+z&flag&b={{x}}': {{ post: {{ operationId: mb, {OK} }} }}\n"
    ));
    let compiled = document(&yaml);
    let table = ir(&compiled);
    let pairs: Vec<(&str, &str)> = table
        .ops
        .query_pairs
        .slice(table.ops.rows[op(table, "mb")].path.query)
        .iter()
        .map(|pair| (name(table, pair.name), name(table, pair.value)))
        .collect();
    assert_eq!(pairs, [("beta", "true"), ("q", " y z"), ("flag", "")]);
    assert_eq!(places(&compiled, "TG0111"), ["/paths/~1v1~1m?beta=true&q=%20y+z&flag&b={x}"]);
    assert_eq!(table.op_name[op(table, "mb")].map(|sym| name(table, sym)), Some("create2"));
}

#[test]
fn a_path_beyond_the_depth_limit_is_refused() {
    let within = format!("/{}", vec!["a"; 256].join("/"));
    let beyond = format!("/{}", vec!["a"; 257].join("/"));
    let yaml = |path: &str| paths(&format!("  {path}: {{ get: {{ operationId: it, {OK} }} }}\n"));
    assert_eq!(ir(&document(&yaml(&within))).resources.rows.len(), 256);
    let compiled = document(&yaml(&beyond));
    assert_eq!(places(&compiled, "TG0105"), [format!("/paths/{}", beyond.replace('/', "~1"))]);
    assert!(ir(&compiled).ops.rows.is_empty());
}

#[test]
fn parameters_merge_and_keep_their_order() {
    let yaml = paths(&format!(
        "  /a/{{x}}/{{y}}:\n    parameters:\n      - {{ name: q, in: query, schema: {{ type: string }} }}\n      - {{ name: x, in: path, required: true, schema: {{ type: string }} }}\n      - {{ name: h, in: header, schema: {{ type: string }} }}\n    get:\n      operationId: it\n      parameters:\n        - {{ name: c, in: cookie, schema: {{ type: string }} }}\n        - {{ name: y, in: path, required: true, schema: {{ type: string }} }}\n        - {{ name: q, in: query, required: true, schema: {{ type: integer }} }}\n        - {{ name: H, in: header, required: true, schema: {{ type: string }} }}\n        - {{ name: Accept, in: header, schema: {{ type: string }} }}\n        - {{ name: q2, in: query, schema: {{ type: string }} }}\n      {OK}\n"
    ));
    let compiled = expect(&yaml, &[]);
    let table = ir(&compiled);
    let params = table.ops.params.slice(table.ops.rows[op(table, "it")].params);
    let shown: Vec<(&str, Location, bool)> =
        params.iter().map(|param| (name(table, param.name), param.location, param.required)).collect();
    let want = [
        ("x", Location::Path, true),
        ("y", Location::Path, true),
        ("q", Location::Query, true),
        ("q2", Location::Query, false),
        ("H", Location::Header, true),
        ("c", Location::Cookie, false),
    ];
    assert_eq!(shown, want);
}

#[test]
fn styles_and_their_defaults() {
    let param = |place: &str, extra: &str| {
        format!(
            "        - {{ name: p{}, in: {place}, required: true, schema: {{ type: string }}{extra} }}\n",
            place.len() + extra.len()
        )
    };
    for (place, extra, style, explode) in [
        ("query", "", Style::Form, true),
        ("query", ", explode: false", Style::Form, false),
        ("query", ", style: deepObject", Style::DeepObject, false),
        ("query", ", style: spaceDelimited", Style::SpaceDelimited, false),
        ("query", ", style: pipeDelimited, explode: true", Style::PipeDelimited, true),
        ("header", "", Style::Simple, false),
        ("cookie", "", Style::Form, true),
    ] {
        let yaml = paths(&format!(
            "  /a:\n    get:\n      operationId: it\n      parameters:\n{}      {OK}\n",
            param(place, extra)
        ));
        let compiled = expect(&yaml, &[]);
        let found = ir(&compiled).ops.params.rows()[0];
        assert_eq!((found.style, found.explode), (style, explode), "{place}{extra}");
    }
    for style in ["label", "matrix", "simple"] {
        let yaml = paths(&format!(
            "  '/a/{{x}}': {{ get: {{ operationId: it, parameters: [{{ name: x, in: path, required: true, style: {style}, schema: {{ type: string }} }}], {OK} }} }}\n"
        ));
        expect(&yaml, &[]);
    }
}

#[test]
fn content_parameters_and_flags() {
    let yaml = paths(&format!(
        "  /a:\n    get:\n      operationId: it\n      parameters:\n        - {{ name: j, in: query, content: {{ application/json: {{ schema: {{ type: integer }} }} }}, example: 3 }}\n        - {{ name: r, in: query, allowReserved: true, allowEmptyValue: true, deprecated: true, description: Text, schema: {{ type: string, default: x }}, examples: {{ one: {{ value: 1 }}, two: {{ externalValue: 'https://a.test' }} }} }}\n      {OK}\n"
    ));
    let compiled = expect(&yaml, &[]);
    let table = ir(&compiled);
    let [json, flags] = table.ops.params.rows() else { panic!("two parameters") };
    assert_eq!(json.media_type.map(|sym| name(table, sym)), Some("application/json"));
    assert!(matches!(table.types.rows[json.ty].shape, Shape::Integer { .. }));
    assert_eq!(json.examples.len(), 1);
    assert!(flags.allow_reserved && flags.allow_empty && flags.deprecated && flags.default.is_some());
    assert!(flags.doc.description.is_some());
    let names: Vec<Option<&str>> =
        table.ops.examples.slice(flags.examples).iter().map(|one| one.name.map(|sym| name(table, sym))).collect();
    assert_eq!(names, [Some("one"), Some("two")]);
    let external = table.ops.examples.slice(flags.examples)[1];
    assert!(external.value.is_none() && external.external.is_some());
}

#[test]
fn roles_of_headers() {
    let header = |name: &str, extra: &str| format!("        - {{ name: {name}, in: header, {extra} }}\n");
    let string = "schema: { type: string }";
    let rows = [
        (header("IDEMPOTENCY-KEY", string), Role::IdempotencyKey),
        (header("Origin", string), Role::Origin),
        (header("X-Dry-Run", string), Role::DryRun),
        (header("dry_run", string), Role::DryRun),
        (header("Prefer", "schema: { type: string, enum: [dry-run, minimal] }"), Role::DryRun),
        (header("prefer", "schema: { type: string }, example: dry-run"), Role::DryRun),
        (header("Prefer", string), Role::Plain),
        (header("X-Version", "required: true, schema: { type: string, enum: ['1'] }"), Role::Constant),
        (header("X-Version", "required: true, schema: { const: '1' }"), Role::Constant),
        (header("X-Version", "schema: { const: '1' }"), Role::Plain),
        (header("X-Plain", string), Role::Plain),
    ];
    for (header, role) in rows {
        let yaml = paths(&format!("  /a:\n    get:\n      operationId: it\n      parameters:\n{header}      {OK}\n"));
        let compiled = document(&yaml);
        let param = ir(&compiled).ops.params.rows()[0];
        assert_eq!(param.role, role, "{header}");
        assert_eq!(param.constant.is_some(), role == Role::Constant, "{header}");
    }
}

#[test]
fn placeholders_without_parameters() {
    let yaml = paths(&format!(
        "  '/a/{{x}}/{{y}}': {{ get: {{ operationId: it, parameters: [{{ name: y, in: path, required: true, schema: {{ type: integer }} }}], {OK} }} }}\n"
    ));
    let compiled = expect(&yaml, &["TG0507 /paths/~1a~1{x}~1{y}"]);
    let table = ir(&compiled);
    let x = table.ops.params.rows().iter().find(|param| name(table, param.name) == "x").expect("it is assumed");
    assert!(x.required);
    assert!(matches!(table.types.rows[x.ty].shape, Shape::String { format: None }));

    // One finding an operation, however many there are.
    let many: Vec<String> = (0..60).map(|n| format!("/{{p{n}}}.x{{q{n}}}")).collect();
    let many = many.concat();
    let yaml = paths(&format!("  '{many}': {{ get: {{ operationId: it, {OK} }} }}\n"));
    let compiled = document(&yaml);
    assert_eq!(places(&compiled, "TG0507").len(), 1);
    assert_eq!(ir(&compiled).ops.params.rows().len(), 120);
}

#[test]
fn a_path_speaks_for_operations_that_say_nothing() {
    let yaml = paths(&format!(
        "  /a:\n    summary: Path summary\n    description: Path text\n    get: {{ operationId: quiet, {OK} }}\n    put: {{ operationId: loud, summary: Own, {OK} }}\n"
    ));
    let compiled = expect(&yaml, &[]);
    let table = ir(&compiled);
    let texts = |id: &str| {
        let doc = table.ops.rows[op(table, id)].doc;
        [doc.summary, doc.description].map(|text| text.map(|text| table.text(text).untrusted()))
    };
    assert_eq!(texts("quiet"), [Some("Path summary"), Some("Path text")]);
    assert_eq!(texts("loud"), [Some("Own"), Some("Path text")]);
}

#[test]
fn malformed_parts_are_left_out_one_by_one() {
    let get = "/paths/~1a~1{id}/get";
    for (members, place) in [
        ("      tags: x\n", "tags"),
        ("      tags: [1]\n", "tags/0"),
        ("      deprecated: 'true'\n", "deprecated"),
        ("      requestBody: []\n", "requestBody"),
        ("      requestBody: { content: {} }\n", "requestBody"),
        ("      requestBody: { content: { application/json: 3 } }\n", "requestBody/content/application~1json"),
        ("      requestBody: { required: 1, content: { application/json: {} } }\n", "requestBody/required"),
        (
            "      requestBody: { content: { multipart/form-data: { encoding: [] } } }\n",
            "requestBody/content/multipart~1form-data/encoding",
        ),
        (
            "      requestBody: { content: { multipart/form-data: { encoding: { a: { style: odd } } } } }\n",
            "requestBody/content/multipart~1form-data/encoding/a/style",
        ),
        ("      security: {}\n", "security"),
        ("      security: [x]\n", "security/0"),
        ("      servers: {}\n", "servers"),
        ("      servers: [{}]\n", "servers/0"),
        ("      callbacks: []\n", "callbacks"),
    ] {
        expect(&one(members), &[&format!("TG0508 {get}/{place}")]);
    }
    for (responses, place) in [
        ("'20': { description: ok }", "responses/20"),
        ("'2xx': { description: ok }, '2XX': { description: again }", "responses/2XX"),
        ("'200': 3", "responses/200"),
        ("'200': {}", "responses/200"),
        ("'200': { description: 3 }", "responses/200/description"),
        ("'200': { description: ok, headers: [] }", "responses/200/headers"),
        ("'200': { description: ok, links: { l: {} } }", "responses/200/links/l"),
        ("'200': { description: ok, links: { l: { operationId: gone } } }", "responses/200/links/l"),
        (
            "'200': { description: ok, content: { text/event-stream: { schema: {}, x-tungsten-stream-done: 1 } } }",
            "responses/200/content/text~1event-stream/x-tungsten-stream-done",
        ),
    ] {
        let yaml = one("").replace("'200': { description: ok }", responses);
        let compiled = document(&yaml);
        assert_eq!(places(&compiled, "TG0508"), [format!("{get}/{place}")], "{responses}");
    }
    for (param, place) in [
        ("3", "3"),
        ("{ in: query, schema: {} }", "3"),
        ("{ name: q, schema: {} }", "3"),
        ("{ name: q, in: body, schema: {} }", "3/in"),
        ("{ name: gone, in: path, required: true, schema: { type: string } }", "3"),
        ("{ name: q, in: query }", "3"),
        ("{ name: q, in: query, style: matrix, schema: { type: string } }", "3/style"),
        ("{ name: twice, in: query, schema: { type: string } }", "3"),
    ] {
        let yaml = one("").replace(
            "schema: { type: string } }]",
            &format!("schema: {{ type: string }} }}, {{ name: twice, in: query, schema: {{ type: string }} }}, {{ name: more, in: query, schema: {{ type: string }} }}, {param}]"),
        );
        let compiled = document(&yaml);
        assert_eq!(places(&compiled, "TG0508"), [format!("{get}/parameters/{place}")], "{param}");
        assert_eq!(
            ir(&compiled).ops.params.rows().iter().filter(|one| name(ir(&compiled), one.name) == "more").count(),
            1
        );
    }
    let yaml = one("").replace("required: true, ", "");
    expect(&yaml, &[&format!("TG0508 {get}/parameters/0")]);
    expect(&paths("  /a: 3\n"), &["TG0508 /paths/~1a"]);
    expect(&paths("  /a: { get: 3 }\n"), &["TG0508 /paths/~1a/get"]);
    let number = paths(&format!("  /a: {{ get: {{ operationId: 7, {OK} }} }}\n"));
    assert_eq!(
        name(
            ir(&expect(&number, &["TG0508 /paths/~1a/get/operationId"])),
            ir(&document(&number)).ops.rows.rows()[0].id
        ),
        "api.7"
    );
}

#[test]
fn documents_that_break_the_format_compile() {
    let no_responses = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: { /a: { get: { operationId: a } } }\n";
    let compiled = expect(no_responses, &["TG0508 /paths/~1a/get"]);
    assert_eq!(ir(&compiled).ops.rows.len(), 1);
    // OpenAPI 3.1 does not require them.
    expect(&no_responses.replace("3.0.3", "3.1.0"), &[]);
    let null_paths = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: null\n";
    assert!(ir(&expect(null_paths, &["TG0110 /paths"])).ops.rows.is_empty());
    let port = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: {}\nservers: [{ url: 'https://{h}:{port}/x', variables: { h: { default: a.test }, port: { default: 8080 } } }]\n";
    let compiled = expect(port, &["TG0110 /servers/0/variables/port/default"]);
    let server = ir(&compiled).servers.rows()[0];
    assert_eq!(name(ir(&compiled), server.url), "https://a.test:8080/x");
    assert_eq!(name(ir(&compiled), server.template), "https://{h}:{port}/x");
    expect(&port.replace("default: 8080", "enum: ['1']"), &["TG0110 /servers/0/variables/port"]);
    expect(&port.replace("port: { default: 8080 }", "other: { default: a }"), &["TG0110 /servers/0"]);
}

#[test]
fn bodies_and_encodings() {
    let yaml = one(
        "      requestBody:\n        description: Text\n        required: true\n        content:\n          application/vnd.x+json: { schema: { type: object }, example: {} }\n          multipart/form-data:\n            schema: { type: object, properties: { a: { type: string }, f: { type: string, format: binary } } }\n            encoding: { a: { contentType: text/plain, style: form, explode: true, allowReserved: true }, f: {} }\n          application/x-www-form-urlencoded: { schema: { type: object } }\n          text/plain: { schema: { type: string } }\n          application/octet-stream: {}\n",
    );
    let compiled = document(&yaml);
    let table = ir(&compiled);
    let body = table.ops.bodies[table.ops.rows[op(table, "it")].body.expect("a body")];
    assert!(body.required && body.doc.description.is_some());
    let contents = table.ops.contents.slice(body.contents);
    let encodings: Vec<Encoding> = contents.iter().map(|content| content.encoding).collect();
    assert_eq!(encodings, [Encoding::Json, Encoding::Multipart, Encoding::Form, Encoding::Text, Encoding::Bytes]);
    assert!(!contents[4].schema_stated && table.types.rows[contents[4].ty].shape == Shape::Any);
    assert_eq!(contents[0].examples.len(), 1);
    let [a, f] = table.ops.parts.slice(contents[1].parts.named) else { panic!("two parts") };
    assert_eq!((a.style, a.explode, a.allow_reserved), (Some(Style::Form), Some(true), true));
    assert_eq!(a.content_type.map(|sym| name(table, sym)), Some("text/plain"));
    assert_eq!((f.style, f.explode), (None, None));
}

#[test]
fn responses_are_ordered_and_classified() {
    let yaml = one("").replace(
        "'200': { description: ok }",
        "default: { description: d }, 4XX: { description: r }, '404': { description: n }, '201': { description: c, summary: S }, '302': { description: m }, 2XX: { description: s }",
    );
    let compiled = document(&yaml);
    let table = ir(&compiled);
    let rows = table.ops.responses.slice(table.ops.rows[op(table, "it")].responses);
    let shown: Vec<(Status, ResponseKind)> = rows.iter().map(|row| (row.status, row.kind)).collect();
    let want = [
        (Status::Exact(201), ResponseKind::Success),
        (Status::Exact(302), ResponseKind::Error),
        (Status::Exact(404), ResponseKind::Error),
        (Status::Range(2), ResponseKind::Success),
        (Status::Range(4), ResponseKind::Error),
        (Status::Default, ResponseKind::Error),
    ];
    assert_eq!(shown, want);
    let only_default = one("").replace("'200'", "default");
    let compiled = document(&only_default);
    assert_eq!(ir(&compiled).ops.responses.rows()[0].kind, ResponseKind::Success);
}

#[test]
fn headers_and_media_types_of_responses() {
    let yaml = one("").replace(
        "'200': { description: ok }",
        "'200': { description: ok, headers: { X-Rate: { required: true, description: R, schema: { type: integer } }, Content-Type: { schema: { type: string } }, X-Json: { content: { application/json: { schema: { type: boolean } } } } }, content: { application/json: { schema: { type: string } }, text/csv: { schema: { type: string } } } }",
    );
    let compiled = expect(&yaml, &[]);
    let table = ir(&compiled);
    let response = table.ops.responses.rows()[0];
    let headers: Vec<(&str, bool)> = table
        .ops
        .headers
        .slice(response.headers)
        .iter()
        .map(|header| (name(table, header.name), header.required))
        .collect();
    assert_eq!(headers, [("X-Rate", true), ("X-Json", false)]);
    assert_eq!(table.ops.contents.slice(response.contents).len(), 2);
}

#[test]
fn event_streams() {
    let stream = |responses: &str| one("").replace("'200': { description: ok }", responses);
    let get = "/paths/~1a~1{id}/get/responses";
    let done = "'200': { description: ok, content: { application/json: { schema: { type: string } }, text/event-stream: { schema: { type: object }, x-tungsten-stream-done: '[DONE]' } } }";
    let compiled = document(&stream(done));
    let table = ir(&compiled);
    let contents = table.ops.contents.slice(table.ops.responses.rows()[0].contents);
    assert_eq!(contents[1].encoding, Encoding::Events);
    assert_eq!(contents[1].stream_done.map(|sym| name(table, sym)), Some("[DONE]"));

    let bare = "'200': { description: ok, content: { text/event-stream: {} } }";
    assert_eq!(places(&document(&stream(bare)), "TG0530"), [format!("{get}/200/content/text~1event-stream")]);

    let several = "'201': { description: ok, content: { text/event-stream: { schema: {} } } }, '200': { description: ok, content: { text/event-stream: { schema: {} } } }, default: { description: bad, content: { text/event-stream: {} } }";
    let compiled = document(&stream(several));
    assert_eq!(places(&compiled, "TG0531"), [format!("{get}/201")]);
    assert!(places(&compiled, "TG0530").is_empty());
    let table = ir(&compiled);
    let encodings: Vec<Encoding> =
        table.ops.responses.rows().iter().map(|row| table.ops.contents.slice(row.contents)[0].encoding).collect();
    assert_eq!(encodings, [Encoding::Events, Encoding::Text, Encoding::Text]);

    let lines = "'200': { description: ok, content: { application/x-ndjson: { schema: { type: object } } } }";
    assert_eq!(ir(&document(&stream(lines))).ops.contents.rows()[0].encoding, Encoding::JsonLines);
}

/// What an operation says about the end of its stream holds where the media type says nothing.
#[test]
fn an_operation_may_name_the_end_of_its_stream() {
    let done = |operation: &str, media_type: &str| {
        let content = format!("content: {{ text/event-stream: {{ schema: {{}}{media_type} }} }}");
        let compiled =
            document(&one(operation).replace("description: ok }", &format!("description: ok, {content} }}")));
        let table = ir(&compiled);
        let content = table.ops.stream(&table.ops.rows.rows()[0]).expect("a stream").content;
        table.ops.contents[content].stream_done.map(|sym| name(table, sym).to_owned())
    };
    assert_eq!(done("", ""), None);
    let stated = "      x-tungsten-stream-done: end\n";
    assert_eq!(done(stated, "").as_deref(), Some("end"));
    let both = done(stated, ", x-tungsten-stream-done: own");
    assert_eq!(both.as_deref(), Some("own"));
}

#[test]
fn arguments_that_ask_for_a_stream() {
    let sse = "{ application/json: { schema: {} }, text/event-stream: { schema: {} } }";
    let flag = |extra: &str, content: &str| {
        let yaml = format!(
            "openapi: 3.1.0\ninfo: {{ title: T, version: '1' }}\npaths:\n  /a:\n    post:\n      operationId: it\n{extra}      responses: {{ '200': {{ description: ok, content: {content} }} }}\n"
        );
        let compiled = document(&yaml);
        let table = ir(&compiled);
        table.stream_flag[table.ops.rows.ids().next().expect("an operation")].map(|flag| match flag {
            StreamFlag::Param(id) => ("param", name(table, table.ops.params[id].name).to_owned()),
            StreamFlag::Field(id) => ("field", name(table, table.types.fields[id].name).to_owned()),
        })
    };
    let body =
        |schema: &str| format!("      requestBody: {{ content: {{ application/json: {{ schema: {schema} }} }} }}\n");
    let query = |schema: &str| format!("      parameters: [{{ name: stream, in: query, schema: {schema} }}]\n");
    let field = |schema: &str| body(&format!("{{ type: object, properties: {{ stream: {schema} }} }}"));
    let found = |kind| Some((kind, "stream".to_owned()));
    for (extra, expected) in [
        (query("{ type: boolean }"), found("param")),
        (query("{ type: string }"), None),
        (field("{ type: boolean }"), found("field")),
        (field("{ type: [boolean, 'null'] }"), found("field")),
        (field("{ const: true }"), found("field")),
        (field("{ const: false }"), None),
        (field("{ type: boolean, readOnly: true }"), None),
        (
            body("{ allOf: [{ type: object, properties: { a: {} } }, { properties: { stream: { type: boolean } } }] }"),
            found("field"),
        ),
        (body("{ type: object, properties: { streams: { type: boolean } } }"), None),
        (body("{ type: string }"), None),
        (String::new(), None),
    ] {
        assert_eq!(flag(&extra, sse), expected, "{extra}");
        assert_eq!(flag(&extra, "{ application/json: { schema: {} } }"), None, "{extra}");
        assert_eq!(flag(&extra, "{ application/octet-stream: {} }"), None, "{extra}");
    }
    assert_eq!(flag(&field("{ type: boolean }"), "{ application/x-ndjson: { schema: {} } }"), found("field"));
}

#[test]
fn servers_at_every_level() {
    let yaml = format!(
        "{}servers: [{{ url: /api, description: D }}, {{ url: 'https://b.test' }}]\npaths:\n  /a:\n    servers: [{{ url: 'https://path.test' }}]\n    get: {{ operationId: a, {OK} }}\n    put: {{ operationId: b, servers: [{{ url: 'https://op.test' }}], {OK} }}\n  /c: {{ get: {{ operationId: c, {OK} }} }}\n",
        head()
    );
    let urls = |ir: &Ir, span| -> Vec<String> {
        ir.servers.slice(span).iter().map(|server| name(ir, server.url).to_owned()).collect()
    };
    let compiled = expect(&yaml, &[]);
    let table = ir(&compiled);
    assert_eq!(urls(table, table.api.servers), ["/api", "https://b.test"]);
    let of = |id: &str| urls(table, table.ops.rows[op(table, id)].servers);
    assert_eq!(
        (of("a"), of("b"), of("c")),
        (vec!["https://path.test".to_owned()], vec!["https://op.test".to_owned()], vec![])
    );

    let preferred = Overrides { default_server: Some("https://b.test".into()), ..Overrides::default() };
    let compiled = with_overrides(&yaml, preferred);
    assert_eq!(urls(ir(&compiled), ir(&compiled).api.servers), ["https://b.test", "/api"]);

    // Another document's servers go with its operations.
    let other = format!(
        "{}servers: [{{ url: 'https://other.test' }}]\npaths: {{ /o: {{ get: {{ operationId: o, {OK} }} }} }}\n",
        head()
    );
    let compiled = documents(&[("one", &yaml), ("two", &other)], Overrides::default());
    let table = ir(&compiled);
    assert_eq!(urls(table, table.ops.rows[op(table, "o")].servers), ["https://other.test"]);
}

#[test]
fn path_items_by_reference() {
    let yaml = format!(
        "{}paths:\n  /a: {{ $ref: '#/components/pathItems/Shared', get: {{ operationId: own, {OK} }} }}\n  /b: {{ $ref: '#/components/pathItems/Shared' }}\ncomponents:\n  pathItems:\n    Shared:\n      parameters: [{{ name: q, in: query, schema: {{ type: string }} }}]\n      get: {{ operationId: shared, {OK} }}\n      post: {{ operationId: make, {OK} }}\n",
        head()
    );
    let compiled = document(&yaml);
    let table = ir(&compiled);
    let rows: Vec<(&str, &str, usize)> = table
        .ops
        .rows
        .rows()
        .iter()
        .map(|row| (name(table, row.local_id), name(table, row.path.raw), row.params.len()))
        .collect();
    assert_eq!(rows, [("own", "/a", 1), ("make", "/a", 1), ("shared", "/b", 1), ("make2", "/b", 1)]);
    assert_eq!(places(&compiled, "TG0401"), ["/components/pathItems/Shared/post/operationId"]);
}

#[test]
fn references_stand_where_the_format_has_none() {
    let yaml = format!(
        "{}paths:\n  /a/{{id}}: {{ get: {{ $ref: '#/components/pathItems/P/get' }} }}\n  /b: {{ get: {{ $ref: '#/components/pathItems/Gone/get' }} }}\ncomponents:\n  responses:\n    R: {{ description: ok, headers: {{ $ref: '#/components/headers' }}, content: {{ application/json: {{ examples: {{ $ref: '#/components/examples' }} }} }} }}\n  headers: {{ X-A: {{ schema: {{ type: string }} }} }}\n  examples: {{ one: {{ value: 1 }}, two: {{ value: 2 }} }}\n  pathItems:\n    P:\n      parameters: [{{ name: id, in: path, required: true, schema: {{ type: string }} }}]\n      get: {{ operationId: it, parameters: {{ $ref: '#/components/pathItems/P/parameters' }}, responses: {{ '200': {{ $ref: '#/components/responses/R' }} }} }}\n",
        head()
    );
    let compiled = expect(&yaml, &["TG0201 /paths/~1b/get/$ref"]);
    let table = ir(&compiled);
    let row = table.ops.rows[op(table, "it")];
    assert_eq!((row.params.len(), table.ops.headers.len(), table.ops.examples.len()), (1, 1, 2));
    assert_eq!(row.origin.pointer.map(|id| table.text(id).untrusted()), Some("/components/pathItems/P/get"));
}

#[test]
fn webhooks_callbacks_and_links_are_rows() {
    let yaml = format!(
        "{}paths:\n  /subs:\n    post:\n      operationId: subscribe\n      responses:\n        '201':\n          description: ok\n          links:\n            byId: {{ operationId: getSub, parameters: {{ id: $response.body#/id }}, requestBody: $request.body, description: D }}\n            byRef: {{ operationRef: '#/paths/~1subs~1%7Bid%7D/get' }}\n      callbacks:\n        onEvent:\n          '{{$request.body#/url}}': {{ post: {{ {OK} }} }}\n        shared: {{ $ref: '#/components/callbacks/Shared' }}\n  /subs/{{id}}:\n    get: {{ operationId: getSub, parameters: [{{ name: id, in: path, required: true, schema: {{ type: string }} }}], {OK} }}\nwebhooks:\n  petAdded: {{ post: {{ operationId: hook, {OK} }} }}\ncomponents:\n  callbacks:\n    Shared: {{ '{{$request.body#/other}}': {{ put: {{ operationId: back, {OK} }} }} }}\n",
        head()
    );
    let compiled = document(&yaml);
    let table = ir(&compiled);
    assert_eq!(findings(&compiled), ["TG0403 /paths/~1subs/post/callbacks/onEvent/{$request.body#~1url}/post"]);
    let kinds: Vec<(&str, &str)> = table
        .ops
        .rows
        .rows()
        .iter()
        .map(|row| {
            let kind = match row.kind {
                OpKind::Call => "call",
                OpKind::Webhook(hook) => name(table, hook),
                OpKind::Callback { of, name: callback } => {
                    assert_eq!(of, op(table, "subscribe"));
                    name(table, callback)
                }
            };
            (name(table, row.local_id), kind)
        })
        .collect();
    let want = [
        ("subscribe", "call"),
        ("getSub", "call"),
        ("subscribeOnEventPost", "onEvent"),
        ("back", "shared"),
        ("hook", "petAdded"),
    ];
    assert_eq!(kinds, want);
    let links = table.ops.links.rows();
    assert_eq!(links.iter().map(|link| link.operation).collect::<Vec<_>>(), vec![Some(op(table, "getSub")); 2]);
    assert_eq!((links[0].parameters.len(), links[0].body.is_some()), (1, true));
}

#[test]
fn docs_tags_and_extensions() {
    let yaml = format!(
        "{}tags: [{{ name: Pets, description: All about pets, externalDocs: {{ url: 'https://docs.test' }} }}]\npaths:\n  /pets:\n    get:\n      operationId: it\n      summary: S\n      description: D\n      externalDocs: {{ url: 'https://e.test' }}\n      tags: [Pets]\n      deprecated: true\n      x-level: {{ deep: [1, 2] }}\n      x-flag: true\n      {OK}\n",
        head()
    );
    let compiled = expect(&yaml, &[]);
    let table = ir(&compiled);
    let row = table.ops.rows.rows()[0];
    assert!(row.doc.summary.is_some() && row.doc.description.is_some() && row.doc.external.is_some() && row.deprecated);
    let extensions: Vec<&str> =
        table.ops.extensions.slice(row.extensions).iter().map(|one| name(table, one.name)).collect();
    assert_eq!(extensions, ["x-level", "x-flag"]);
    let doc = table.resources.rows.rows()[0].doc;
    assert_eq!(doc.description.map(|id| table.text(id).untrusted()), Some("All about pets"));
    let _ = manifest("");
}

#[test]
fn a_callback_in_a_circle_ends() {
    let yaml = format!(
        "{}paths:\n  /a: {{ post: {{ operationId: a, {OK}, callbacks: {{ again: {{ $ref: '#/components/callbacks/C' }} }} }} }}\ncomponents:\n  callbacks:\n    C: {{ '{{$request.body#/u}}': {{ post: {{ operationId: c, {OK}, callbacks: {{ again: {{ $ref: '#/components/callbacks/C' }} }} }} }} }}\n",
        head()
    );
    let compiled = document(&yaml);
    assert_eq!(ir(&compiled).ops.rows.len(), 2);
    assert_eq!(places(&compiled, "TG0508"), ["/components/callbacks/C/{$request.body#~1u}/post/callbacks"]);
}
