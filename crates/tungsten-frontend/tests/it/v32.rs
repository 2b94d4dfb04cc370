//! What OpenAPI 3.2 brought: sequences, methods, whole query strings, default mappings, `$self`, schemes by URI; and what
//! older versions have that no emitter uses yet but the tables keep.

use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, Overrides, Request, compile};
use tungsten_ir::{
    AuthKind, Content, Encoding, FlowKind, Ir, Location, Method, Op, Safety, Shape, Style, TypeId, XmlNode,
};

use crate::describe::{document, documents, findings, ir, name, op};

fn with(version: &str, rest: &str) -> String {
    format!("openapi: {version}\ninfo: {{ title: T, version: '1' }}\n{rest}")
}

/// A document of 3.2 with one operation, given as YAML flow text.
fn one(operation: &str) -> String {
    with("3.2.0", &format!("paths: {{ /a: {{ get: {{ operationId: it, {operation} }} }} }}\n"))
}

fn answer(content: &str) -> String {
    one(&format!("responses: {{ '200': {{ description: ok, content: {{ {content} }} }} }}"))
}

/// Compiles and expects exactly these findings.
#[track_caller]
fn expect(yaml: &str, expected: &[&str]) -> Compiled {
    let compiled = document(yaml);
    assert_eq!(findings(&compiled), expected, "{yaml}");
    compiled
}

fn the_op<'a>(table: &'a Ir, id: &str) -> &'a Op {
    &table.ops.rows[op(table, id)]
}

fn only_content(table: &Ir) -> Content {
    let [content] = table.ops.contents.rows() else { panic!("one content") };
    *content
}

/// A short word for a type.
fn word(table: &Ir, ty: TypeId) -> String {
    let ty = table.types.resolved(ty);
    match table.types.rows[ty].shape {
        Shape::String { .. } => "string".to_owned(),
        Shape::Integer { .. } => "integer".to_owned(),
        Shape::Record { .. } => "record".to_owned(),
        Shape::Any => "any".to_owned(),
        Shape::Array { items } => format!("[{}]", word(table, items)),
        Shape::Union { variants, .. } => {
            let words: Vec<String> =
                table.types.variants.slice(variants).iter().map(|row| word(table, row.ty)).collect();
            words.join("|")
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn methods_beside_the_old_ones() {
    let ok = "responses: { '204': { description: ok } }";
    let yaml = with(
        "3.2.0",
        &format!(
            "paths:\n  /pets/{{id}}:\n    parameters: [{{ name: id, in: path, required: true, schema: {{ type: string }} }}]\n    get: {{ operationId: g, {ok} }}\n    query: {{ operationId: q, {ok} }}\n    additionalOperations:\n      COPY: {{ operationId: c, {ok} }}\n      M-SEARCH: {{ {ok} }}\n      REPORT: {{ operationId: r, {ok} }}\n"
        ),
    );
    let compiled = expect(&yaml, &["TG0403 /paths/~1pets~1{id}/additionalOperations/M-SEARCH"]);
    let table = ir(&compiled);
    let methods: Vec<&str> = table.ops.rows.rows().iter().map(|op| op.method.name(&table.names)).collect();
    assert_eq!(methods, ["GET", "QUERY", "COPY", "M-SEARCH", "REPORT"]);
    assert_eq!(name(table, table.ops.rows.rows()[3].local_id), "mSearchPetsById");
    let safety = |id: &str| table.safety[op(table, id)];
    assert_eq!(["q", "c", "r"].map(safety), [Safety::ReadOnly, Safety::Mutating, Safety::ReadOnly]);
    let named = |id: &str| table.op_name[op(table, id)].map(|sym| name(table, sym));
    assert_eq!((named("q"), named("c")), (Some("query"), Some("c")));
    let pointer = table.ops.rows.rows()[2].origin.pointer.map(|text| table.text(text).untrusted());
    assert_eq!(pointer, Some("/paths/~1pets~1{id}/additionalOperations/COPY"));
}

#[test]
fn methods_that_belong_elsewhere_or_are_none() {
    let ok = "responses: { '204': { description: ok } }";
    let item = |members: &str| with("3.2.0", &format!("paths: {{ /a: {{ {members} }} }}\n"));
    let at = |key: &str| format!("TG0508 /paths/~1a/additionalOperations/{key}");
    let lone = item(&format!("additionalOperations: {{ POST: {{ operationId: p, {ok} }} }}"));
    let compiled = expect(&lone, &[&at("POST")]);
    assert_eq!(the_op(ir(&compiled), "p").method, Method::Post);
    let both = item(&format!(
        "post: {{ operationId: a, {ok} }}, additionalOperations: {{ POST: {{ operationId: p, {ok} }} }}"
    ));
    assert_eq!(ir(&expect(&both, &[&at("POST")])).ops.rows.len(), 1);
    let none = item(&format!("additionalOperations: {{ 'A B': {{ operationId: p, {ok} }}, C: 3 }}"));
    let compiled = expect(&none, &[&at("A B"), &at("C")]);
    assert!(ir(&compiled).ops.rows.is_empty());
    assert_eq!(findings(&document(&item("additionalOperations: 3"))), ["TG0508 /paths/~1a/additionalOperations"]);
}

#[test]
fn an_item_beside_a_reference_comes_first() {
    let ok = "responses: { '204': { description: ok } }";
    let yaml = with(
        "3.2.0",
        &format!(
            "paths: {{ /a: {{ $ref: '#/components/pathItems/P', summary: own, additionalOperations: {{ COPY: {{ operationId: own, {ok} }} }} }} }}\ncomponents: {{ pathItems: {{ P: {{ summary: other, additionalOperations: {{ COPY: {{ operationId: other, {ok} }}, LINK: {{ operationId: link, {ok} }} }} }} }} }}\n"
        ),
    );
    let compiled = expect(&yaml, &[]);
    let table = ir(&compiled);
    let ids: Vec<&str> = table.ops.rows.rows().iter().map(|op| name(table, op.local_id)).collect();
    assert_eq!(ids, ["own", "link"]);
    assert_eq!(the_op(table, "link").doc.summary.map(|text| table.text(text).untrusted()), Some("own"));
}

#[test]
fn sequences_have_items() {
    let cases = [
        ("application/jsonl: { itemSchema: { type: integer } }", Encoding::JsonLines, "integer", Some("integer")),
        ("application/json-seq: { itemSchema: { type: integer } }", Encoding::JsonSeq, "integer", Some("integer")),
        (
            "application/x-ndjson: { schema: { type: array, items: { type: integer } } }",
            Encoding::JsonLines,
            "integer",
            Some("integer"),
        ),
        ("application/x-ndjson: { schema: { type: integer } }", Encoding::JsonLines, "integer", None),
        (
            "text/event-stream: { itemSchema: { type: object, properties: { data: { type: string, contentMediaType: application/json, contentSchema: { type: integer } } } } }",
            Encoding::Events,
            "integer",
            Some("record"),
        ),
        (
            "text/event-stream: { itemSchema: { type: object, properties: { data: { type: string, contentMediaType: application/json } } } }",
            Encoding::Events,
            "any",
            Some("record"),
        ),
        (
            "text/event-stream: { itemSchema: { type: object, properties: { data: { type: string }, event: { type: string } } } }",
            Encoding::Events,
            "string",
            Some("record"),
        ),
        (
            "text/event-stream: { itemSchema: { type: object, properties: { n: { type: integer } } } }",
            Encoding::Events,
            "record",
            Some("record"),
        ),
    ];
    for (content, encoding, ty, item) in cases {
        let compiled = document(&answer(content));
        // The event itself is a type as well, whose data is a plain text.
        let found = findings(&compiled).into_iter().filter(|one| !one.ends_with("/contentSchema"));
        assert_eq!(found.collect::<Vec<_>>(), [""; 0], "{content}");
        let table = ir(&compiled);
        let row = only_content(table);
        assert_eq!((row.encoding, word(table, row.ty).as_str()), (encoding, ty), "{content}");
        assert_eq!(row.item.map(|item| word(table, item)).as_deref(), item, "{content}");
        assert!(row.schema_stated, "{content}");
    }
}

#[test]
fn data_of_events_is_text_or_json() {
    let is_text = |data: &str| {
        let item = format!("text/event-stream: {{ itemSchema: {{ type: object, properties: {{ data: {data} }} }} }}");
        let compiled = document(&answer(&item));
        only_content(ir(&compiled)).is_text_data
    };
    for (data, expected) in [
        ("{ type: string }", true),
        ("{ const: ping }", true),
        ("{ enum: [a, b] }", true),
        ("{ enum: [a, 1] }", false),
        ("{ enum: [] }", false),
        ("{ type: object }", false),
        ("{}", false),
        ("{ type: string, contentMediaType: application/json }", false),
        ("{ type: string, contentSchema: { type: string } }", false),
    ] {
        assert_eq!(is_text(data), expected, "{data}");
    }
    let whole = document(&answer("text/event-stream: { schema: { type: string } }"));
    assert!(!only_content(ir(&whole)).is_text_data);
}

/// The example of OpenAPI 3.2, section 4.14.4, has events whose data differs by their name.
#[test]
fn events_of_several_kinds() {
    let compiled = document(&answer(
        "text/event-stream: { itemSchema: { type: object, required: [event], properties: { event: { type: string }, data: { type: string } }, oneOf: [{ properties: { event: { const: a }, data: { contentMediaType: application/json, contentSchema: { type: integer } } } }, { properties: { event: { const: b }, data: { contentMediaType: application/json, contentSchema: { type: object, properties: { x: { type: string } } } } } }] } }",
    ));
    let table = ir(&compiled);
    assert_eq!(word(table, only_content(table).ty), "integer|record");
    assert!(!compiled.diags.has_errors());
}

#[test]
fn responses_may_say_nothing() {
    let answer = |version: &str| {
        let yaml = with(version, "paths: { /a: { get: { operationId: it, responses: { '204': {} } } } }\n");
        findings(&document(&yaml))
    };
    assert_eq!(answer("3.2.0"), [""; 0]);
    assert_eq!(answer("3.1.1"), ["TG0508 /paths/~1a/get/responses/204"]);
}

#[test]
fn what_stands_beside_a_reference() {
    let answer = |version: &str| {
        let yaml = with(
            version,
            "paths: { /a: { get: { operationId: it, parameters: [{ $ref: '#/components/parameters/P', required: true, description: own, x-note: 1 }], responses: { '204': { description: ok } } } } }\ncomponents: { parameters: { P: { name: p, in: query, schema: { type: string } } } }\n",
        );
        findings(&document(&yaml))
    };
    let at = |key: &str| format!("TG0508 /paths/~1a/get/parameters/0/{key}");
    assert_eq!(answer("3.1.1"), [at("required")]);
    assert_eq!(answer("3.0.3"), [at("description"), at("required")]);
}

#[test]
fn items_of_what_is_no_sequence() {
    let place = "TG0508 /paths/~1a/get/responses/200/content/application~1json/itemSchema";
    let compiled = expect(&answer("application/json: { schema: {}, itemSchema: { type: string } }"), &[place]);
    assert_eq!(only_content(ir(&compiled)).item, None);
}

#[test]
fn parts_by_their_place() {
    let compiled = expect(
        &answer("multipart/mixed: { itemSchema: {}, itemEncoding: { contentType: image/png } }"),
        &["TG0532 /paths/~1a/get/responses/200/content/multipart~1mixed"],
    );
    let table = ir(&compiled);
    let row = only_content(table);
    assert_eq!((row.encoding, word(table, row.ty).as_str()), (Encoding::Bytes, "[any]"));
    let item = row.parts.item.expect("an encoding");
    assert_eq!(table.ops.parts[item].content_type.map(|sym| name(table, sym)), Some("image/png"));

    let body = "requestBody: { content: { multipart/mixed: { schema: { type: array, items: {} }, prefixEncoding: [{ contentType: application/json, headers: { X-Part: { schema: { type: integer } } } }, {}], itemEncoding: { contentType: multipart/mixed, encoding: { a: { style: form } }, prefixEncoding: [{}] } } } }, responses: { '204': { description: ok } }";
    let compiled = document(&one(body));
    // The rule that the two lists exclude each other holds inside an encoding as well.
    let at = "/paths/~1a/get/requestBody/content/multipart~1mixed/itemEncoding/prefixEncoding";
    assert_eq!(findings(&compiled), [format!("TG0508 {at}")]);
    let table = ir(&compiled);
    let row = only_content(table);
    assert_eq!(row.encoding, Encoding::Multipart);
    let [first, second] = table.ops.parts.slice(row.parts.prefix) else { panic!("two parts") };
    assert_eq!((first.name, first.headers.len(), second.headers.len()), (None, 1, 0));
    let item = table.ops.parts[row.parts.item.expect("an encoding")];
    let inner = table.ops.parts.slice(item.parts.named)[0];
    assert_eq!((inner.style, item.parts.prefix.len()), (Some(Style::Form), 1));
}

#[test]
fn encodings_nest_as_deep_as_documents() {
    let (open, close) = ("{ encoding: { a: ".repeat(100), " } }".repeat(100));
    let body = format!(
        "requestBody: {{ content: {{ multipart/form-data: {{ schema: {{ type: object }}, encoding: {{ a: {open}{{}}{close} }} }} }} }}, responses: {{ '204': {{ description: ok }} }}"
    );
    let compiled = document(&one(&body));
    assert_eq!(ir(&compiled).ops.parts.len(), 101);
}

#[test]
fn parameters_of_32() {
    let yaml = one(
        "parameters: [{ name: all, in: querystring, required: true, content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { a: { type: array, items: { type: string } } } }, encoding: { a: { explode: false } }, examples: { e: { dataValue: { a: [x] }, serializedValue: a=x } } } } }, { name: c, in: cookie, style: cookie, schema: { type: string } }], responses: { '204': { description: ok } }",
    );
    let compiled = expect(&yaml, &[]);
    let table = ir(&compiled);
    let [cookie, whole] = table.ops.params.slice(the_op(table, "it").params) else { panic!("two parameters") };
    assert_eq!((cookie.location, cookie.style, cookie.explode), (Location::Cookie, Style::Cookie, true));
    assert_eq!((whole.location, whole.parts.named.len(), whole.examples.len()), (Location::Querystring, 1, 1));
    let example = table.ops.examples.slice(whole.examples)[0];
    assert!(example.value.is_some());
    assert_eq!(example.serialized.map(|text| table.text(text).untrusted()), Some("a=x"));
}

#[test]
fn a_whole_query_string_is_alone_and_has_content() {
    let whole = |name: &str| {
        format!("{{ name: {name}, in: querystring, content: {{ application/json: {{ schema: {{}} }} }} }}")
    };
    let ok = "responses: { '204': { description: ok } }";
    let at = |index: usize| format!("TG0508 /paths/~1a/get/parameters/{index}/in");
    let n_params = |parameters: &str, expected: &[String]| {
        let compiled = document(&one(&format!("parameters: [{parameters}], {ok}")));
        assert_eq!(findings(&compiled), expected, "{parameters}");
        ir(&compiled).ops.rows.rows()[0].params.len()
    };
    let query = "{ name: q, in: query, schema: { type: string } }";
    assert_eq!(n_params(&format!("{}, {query}", whole("w")), &[at(0)]), 1);
    assert_eq!(n_params(&format!("{}, {}", whole("a"), whole("b")), &[at(1)]), 1);
    assert_eq!(n_params("{ name: w, in: querystring, schema: {} }", &[at(0)]), 0);
    assert_eq!(n_params(&whole("w"), &[]), 1);
}

#[test]
fn a_mapping_for_all_other_values() {
    let with_default = |default: &str| {
        with(
            "3.2.0",
            &format!(
                "paths: {{ /a: {{ get: {{ operationId: it, responses: {{ '200': {{ description: ok, content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/Pet' }} }} }} }} }} }} }} }}\ncomponents:\n  schemas:\n    Pet: {{ oneOf: [{{ $ref: '#/components/schemas/Cat' }}, {{ $ref: '#/components/schemas/Dog' }}], discriminator: {{ propertyName: kind, defaultMapping: {default} }} }}\n    Cat: {{ type: object, properties: {{ kind: {{ type: string }} }} }}\n    Dog: {{ type: object, properties: {{ kind: {{ type: string }} }} }}\n    Other: {{ type: object }}\n"
            ),
        )
    };
    for default in ["Dog", "'#/components/schemas/Dog'"] {
        let compiled = document(&with_default(default));
        let table = ir(&compiled);
        let [row] = table.types.discriminators.rows() else { panic!("one discriminator") };
        let chosen = row.default.and_then(|ty| table.types.rows[ty].name).map(|row| name(table, row.name));
        assert_eq!(chosen, Some("Dog"), "{default}");
        assert_eq!(findings(&compiled), ["TG0760 "], "{default}");
    }
    for default in ["Other", "Nobody"] {
        let found = findings(&document(&with_default(default)));
        assert_eq!(found, ["TG0306 /components/schemas/Pet/discriminator/defaultMapping", "TG0760 "], "{default}");
    }
}

/// Types that extend a schema with a discriminator have its property as a constant, but for the default one.
#[test]
fn a_default_among_types_that_extend() {
    let yaml = with(
        "3.2.0",
        "paths: { /a: { get: { operationId: it, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, prefixItems: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Other' }] } } } } } } } }\ncomponents:\n  schemas:\n    Pet: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind, defaultMapping: Other } }\n    Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: object, properties: { lives: { type: integer } } }] }\n    Other: { allOf: [{ $ref: '#/components/schemas/Pet' }, { type: object, properties: { name: { type: string } } }] }\n",
    );
    let compiled = document(&yaml);
    let table = ir(&compiled);
    let kind = |wanted: &str| {
        let is_it = |ty: &&TypeId| table.types.rows[**ty].name.is_some_and(|row| name(table, row.name) == wanted);
        let ty = *table.types.named.iter().find(is_it).expect("the type is there");
        let Shape::Record { fields, .. } = table.types.rows[ty].shape else { panic!("a record") };
        let field = table.types.fields.slice(fields).iter().find(|field| name(table, field.name) == "kind");
        table.types.rows[field.expect("a field").ty].shape
    };
    assert!(matches!(kind("Cat"), Shape::Const { .. } | Shape::Enum { .. }), "{:?}", kind("Cat"));
    assert!(matches!(kind("Other"), Shape::String { .. }), "{:?}", kind("Other"));
}

#[test]
fn credentials_of_32() {
    let yaml = with(
        "3.2.0",
        "paths: { /a: { get: { operationId: it, security: [{ oauth: [r] }], responses: { '204': { description: ok } } } } }\ncomponents:\n  securitySchemes:\n    oauth:\n      type: oauth2\n      deprecated: true\n      oauth2MetadataUrl: https://a.test/meta\n      flows: { deviceAuthorization: { deviceAuthorizationUrl: https://a.test/device, tokenUrl: https://a.test/token, scopes: { r: read } } }\n    lacking: { type: oauth2, flows: { deviceAuthorization: { tokenUrl: https://a.test/token, scopes: {} } } }\n",
    );
    let compiled = expect(&yaml, &["TG0509 /components/securitySchemes/lacking/flows/deviceAuthorization"]);
    let table = ir(&compiled);
    let oauth = table.schemes.rows().iter().find(|row| name(table, row.name) == "oauth").expect("the scheme");
    assert!(oauth.deprecated);
    let AuthKind::Oauth2 { flows, metadata_url } = oauth.kind else { panic!("an OAuth scheme") };
    assert_eq!(metadata_url.map(|url| name(table, url)), Some("https://a.test/meta"));
    let flow = table.flows.slice(flows)[0];
    assert_eq!(flow.kind, FlowKind::DeviceAuthorization);
    assert_eq!(flow.device_authorization_url.map(|url| name(table, url)), Some("https://a.test/device"));
}

fn files(entry: &str, list: &[(&str, &str)]) -> Compiled {
    let mut loader = MemoryLoader::new();
    for (path, text) in list {
        loader = loader.with(*path, text.as_bytes());
    }
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: entry.to_owned() }];
    compile(&Request { api_name: "test".to_owned(), inputs, ..Request::default() }, &loader)
}

#[test]
fn a_scheme_by_its_uri() {
    let secured = |requirement: &str, components: &str| {
        with(
            "3.2.0",
            &format!(
                "paths: {{ /a: {{ get: {{ operationId: it, security: [{{ '{requirement}': [] }}], responses: {{ '204': {{ description: ok }} }} }} }} }}\n{components}"
            ),
        )
    };
    let common = with("3.2.0", "components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }\n");
    let entry = secured("common.yaml#/components/securitySchemes/key", "");
    let compiled = files("api.yaml", &[("api.yaml", &entry), ("common.yaml", &common)]);
    assert_eq!(findings(&compiled), [""; 0]);
    let table = ir(&compiled);
    let [scheme] = table.schemes.rows() else { panic!("one scheme") };
    assert_eq!(name(table, scheme.name), "key");
    assert_eq!(the_op(table, "it").security.len(), 1);

    // A component's own name comes first, however it looks.
    let own = "components: { securitySchemes: { 'a/b.json': { type: http, scheme: basic } } }\n";
    let compiled = document(&secured("a/b.json", own));
    assert_eq!(findings(&compiled), [""; 0]);
    assert_eq!(the_op(ir(&compiled), "it").security.len(), 1);

    // The same scheme by name and by URI is one.
    let own = "components: { securitySchemes: { k: { type: http, scheme: basic } } }\nsecurity: [{ k: [] }]\n";
    let compiled = document(&secured("#/components/securitySchemes/k", own));
    assert_eq!((findings(&compiled).len(), ir(&compiled).schemes.len()), (0, 1));

    let place = "/paths/~1a/get/security/0";
    for (requirement, code) in [("https://a.test/x#/k", "TG0202"), ("#/components/securitySchemes/no", "TG0201")] {
        let found = findings(&document(&secured(requirement, "")));
        let token = requirement.replace('~', "~0").replace('/', "~1");
        assert_eq!(found, [format!("{code} {place}/{token}")]);
    }
}

#[test]
fn a_document_says_where_it_belongs() {
    let pet = |reference: &str, own: &str| {
        format!(
            "openapi: 3.2.0\n{own}info: {{ title: T, version: '1' }}\npaths: {{ /a: {{ get: {{ operationId: it, responses: {{ '200': {{ description: ok, content: {{ application/json: {{ schema: {{ $ref: '{reference}' }} }} }} }} }} }} }} }}\ncomponents: {{ schemas: {{ Own: {{ type: string }} }} }}\n"
        )
    };
    let shared = "openapi: 3.2.0\n$self: https://a.test/shared/models\ninfo: { title: S, version: '1' }\ncomponents: { schemas: { Pet: { type: integer } } }\n";
    let own = "$self: https://a.test/apis/pets\n";
    let ty = |reference: &str, own: &str| {
        // The second input makes the other document known.
        let inputs = [("api", "api.yaml"), ("models", "lib/models.yaml")]
            .map(|(namespace, spec)| InputRequest { namespace: namespace.to_owned(), spec: spec.to_owned() });
        let entry = pet(reference, own);
        let loader = MemoryLoader::new().with("api.yaml", entry.as_bytes()).with("lib/models.yaml", shared.as_bytes());
        let request = Request { api_name: "test".to_owned(), inputs: inputs.to_vec(), ..Request::default() };
        let compiled = compile(&request, &loader);
        let errors: Vec<String> = findings(&compiled).into_iter().filter(|one| one.starts_with("TG02")).collect();
        match errors.as_slice() {
            [] => word(ir(&compiled), only_content(ir(&compiled)).ty),
            some => some.join(" "),
        }
    };
    assert_eq!(ty("https://a.test/apis/pets#/components/schemas/Own", own), "string");
    assert_eq!(ty("pets#/components/schemas/Own", own), "string");
    assert_eq!(ty("../shared/models#/components/schemas/Pet", own), "integer");
    assert_eq!(ty("https://a.test/shared/models#/components/schemas/Pet", ""), "integer");
    // Where nothing says otherwise, files are found where they lie.
    assert_eq!(ty("lib/models.yaml#/components/schemas/Pet", own), "integer");
    let at = "/paths/~1a/get/responses/200/content/application~1json/schema/$ref";
    assert_eq!(ty("https://b.test/x#/Pet", own), format!("TG0202 {at}"));
}

#[test]
fn tags_belong_to_one_another() {
    let yaml = with(
        "3.2.0",
        "paths: {}\ntags:\n  - { name: a, summary: A, kind: nav, externalDocs: { url: https://a.test, description: More } }\n  - { name: b, parent: a }\n  - { name: c, parent: nobody }\n  - { name: d, parent: e }\n  - { name: e, parent: d }\n",
    );
    let compiled = expect(&yaml, &["TG0110 /tags/2/parent", "TG0110 /tags/3/parent"]);
    let table = ir(&compiled);
    let row = table.tags.rows()[0];
    assert_eq!(row.kind.map(|kind| name(table, kind)), Some("nav"));
    assert!(row.doc.summary.is_some() && row.doc.external.is_some() && row.doc.external_description.is_some());
    assert_eq!(table.tags.rows()[1].parent.map(|parent| name(table, parent)), Some("a"));
}

#[test]
fn members_of_32_in_older_documents() {
    let older = |rest: &str| findings(&document(&with("3.1.0", rest)));
    assert_eq!(older("paths: {}\nservers: [{ url: /, name: local }]\n"), ["TG0110 /servers/0/name"]);
    assert_eq!(older("paths: {}\ncomponents: { mediaTypes: {} }\n"), ["TG0110 /components/mediaTypes"]);
    let query = "paths: { /a: { query: { operationId: it, responses: { '204': { description: ok } } } } }\n";
    assert_eq!(older(query), ["TG0110 /paths/~1a/query"]);
    let parameters = "paths: { /a: { get: { operationId: it, parameters: [{ name: w, in: querystring, content: { text/plain: {} } }, { name: c, in: cookie, style: cookie, schema: {} }], responses: { '204': { description: ok } } } } }\n";
    let at = "TG0110 /paths/~1a/get/parameters";
    assert_eq!(older(parameters), [format!("{at}/0/in"), format!("{at}/1/style")]);
    let compiled = document(&with("3.0.3", query));
    assert_eq!(the_op(ir(&compiled), "it").method, Method::Query);
}

#[test]
fn media_types_are_components() {
    let yaml = with(
        "3.2.0",
        "paths: { /a: { get: { operationId: it, responses: { '200': { description: ok, content: { application/jsonl: { $ref: '#/components/mediaTypes/Rows' } } } } } } }\ncomponents: { mediaTypes: { Rows: { description: one a line, itemSchema: { type: integer } } } }\n",
    );
    let compiled = expect(&yaml, &[]);
    let table = ir(&compiled);
    let row = only_content(table);
    assert_eq!((word(table, row.ty).as_str(), row.description.is_some()), ("integer", true));
}

#[test]
fn references_may_say_it_better() {
    let text = |version: &str| {
        let yaml = with(
            version,
            "paths: { /a: { get: { operationId: it, parameters: [{ $ref: '#/components/parameters/P', description: own }], requestBody: { $ref: '#/components/requestBodies/B', description: own }, responses: { '204': { $ref: '#/components/responses/R', description: own } } } } }\ncomponents:\n  parameters: { P: { name: p, in: query, description: shared, schema: { type: string } } }\n  requestBodies: { B: { description: shared, content: { application/json: { schema: {} } } } }\n  responses: { R: { description: shared, headers: { H: { $ref: '#/components/headers/H', description: own } } } }\n  headers: { H: { description: shared, schema: { type: string } } }\n",
        );
        let compiled = document(&yaml);
        let table = ir(&compiled);
        let row = the_op(table, "it");
        let param = table.ops.params.slice(row.params)[0].doc;
        let body = table.ops.bodies[row.body.expect("a body")].doc;
        let response = table.ops.responses.slice(row.responses)[0];
        let header = table.ops.headers.slice(response.headers)[0].doc;
        [param, body, response.doc, header]
            .map(|doc| doc.description.map(|text| table.text(text).untrusted().to_owned()).unwrap_or_default())
    };
    assert_eq!(text("3.1.0"), ["own"; 4]);
    assert_eq!(text("3.0.3"), ["shared"; 4]);
}

#[test]
fn what_no_emitter_uses_is_kept() {
    let yaml = with(
        "3.1.0",
        "externalDocs: { url: https://docs.test, description: All }\npaths:\n  /a:\n    servers: [{ url: 'https://{v}.test', variables: { v: { default: x, enum: [x, y] } } }]\n    get:\n      operationId: it\n      responses:\n        '200':\n          description: ok\n          headers: { H: { style: simple, explode: true, deprecated: true, schema: { type: object } }, C: { content: { application/json: { schema: {} } } } }\n          content: { application/xml: { schema: { $ref: '#/components/schemas/S' } } }\n          links: { l: { operationId: it, server: { url: https://l.test } }, m: { operationRef: 'https://o.test/#/paths/~1a/get' } }\ncomponents:\n  schemas:\n    S: { type: object, xml: { name: s, namespace: https://n.test }, properties: { id: { type: string, xml: { attribute: true, prefix: p } }, l: { type: array, items: { type: string }, xml: { wrapped: true } } } }\n",
    )
    .replace("version: '1' }", "version: '1', summary: Short, termsOfService: https://t.test, contact: { name: N, email: n@a.test }, license: { name: MIT, identifier: MIT } }");
    let compiled = expect(&yaml, &["TG0508 /paths/~1a/get/responses/200/links/m"]);
    let table = ir(&compiled);
    let info = table.namespaces.rows()[0].info;
    assert!(info.doc.external.is_some() && info.doc.external_description.is_some() && info.doc.summary.is_some());
    assert!(info.terms_of_service.is_some() && info.contact.email.is_some() && info.license.identifier.is_some());
    let servers = table.servers.slice(the_op(table, "it").servers);
    let variable = table.server_variables.slice(servers[0].variables)[0];
    let choices: Vec<&str> = table.server_choices.slice(variable.choices).iter().map(|sym| name(table, *sym)).collect();
    assert_eq!(choices, ["x", "y"]);
    let [h, c] = table.ops.headers.rows() else { panic!("two headers") };
    assert!(h.explode && h.deprecated);
    assert_eq!(c.media_type.map(|sym| name(table, sym)), Some("application/json"));
    let [own, other] = table.ops.links.rows() else { panic!("two links") };
    assert!(own.operation.is_some() && own.server.is_some() && other.operation.is_none());
    assert_eq!(other.target.map(|sym| name(table, sym)), Some("https://o.test/#/paths/~1a/get"));
    let hints: Vec<Option<XmlNode>> = table.types.xml.rows().iter().map(|row| row.node).collect();
    assert_eq!(hints, [None, Some(XmlNode::Attribute), Some(XmlNode::Element)]);
    let named = table.types.named[0];
    let xml = table.types.xml[table.xml[named].expect("a hint")];
    assert_eq!(xml.name.map(|sym| name(table, sym)), Some("s"));
}

#[test]
fn nodes_of_xml_that_are_none() {
    let yaml =
        |xml: &str| with("3.2.0", &format!("components: {{ schemas: {{ S: {{ type: string, xml: {xml} }} }} }}\n"));
    let found = |xml: &str| {
        let all = findings(&document(&yaml(xml)));
        all.into_iter().filter(|one| !one.starts_with("TG0760")).collect::<Vec<_>>()
    };
    let at = "TG0303 /components/schemas/S/xml";
    assert_eq!(found("{ nodeType: cdata }"), [""; 0]);
    assert_eq!(found("{ nodeType: atribute }"), [format!("{at}/nodeType")]);
    assert_eq!(found("3"), [at.to_owned()]);
    assert_eq!(found("{ nmae: a }"), [format!("{at}/nmae")]);
    assert_eq!(found("{ attribute: true, nodeType: attribute }"), [format!("{at}/nodeType")]);
}

#[test]
fn two_inputs_with_tags_and_servers() {
    let first = with("3.2.0", "paths: {}\ntags: [{ name: a }]\nservers: [{ url: https://a.test, name: main }]\n");
    let second = with("3.1.0", "paths: {}\ntags: [{ name: b }]\n");
    let compiled = documents(&[("one", &first), ("two", &second)], Overrides::default());
    let table = ir(&compiled);
    let of: Vec<(&str, &str)> = table
        .tags
        .rows()
        .iter()
        .map(|row| (name(table, table.namespaces[row.namespace].name), name(table, row.name)))
        .collect();
    assert_eq!(of, [("one", "a"), ("two", "b")]);
    assert_eq!(table.servers.slice(table.api.servers)[0].name.map(|sym| name(table, sym)), Some("main"));
}
