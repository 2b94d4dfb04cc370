//! Members of the wrong kind, one at a time, in every place of a description: each has a finding at its place, none is
//! passed over, none ends the run.

use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, Request, compile};

use crate::describe::{document, findings};

/// A description without a fault. A case puts its members where its mark stands.
const WHOLE: &str = "openapi: @VERSION
info: { title: T, version: '1' @info }
paths:
  /a/{id}:
    @item
    get:
      @op
      operationId: a
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }, { name: q, in: query, schema: { $ref: '#/components/schemas/S' } @param }]
      requestBody: { content: { multipart/form-data: { schema: { type: object, properties: { f: { type: string } } }, encoding: { f: { contentType: text/plain @encoding } } @media } } @body }
      responses: { '200': { description: ok, headers: { H: { schema: { type: string } @header } }, links: { l: { operationId: a @link } } @response } @statuses }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: k @scheme }, oauth: { type: oauth2, flows: { implicit: { authorizationUrl: https://a.test, scopes: { s: text } @flow } @kinds } } }
  schemas: { S: { @schema } }
  @components
@root
";

/// The marks of [`WHOLE`], and the pointer of the object in which each stands.
const MARKS: &[(&str, &str)] = &[
    ("@info", "/info"),
    ("@item", "/paths/~1a~1{id}"),
    ("@op", "/paths/~1a~1{id}/get"),
    ("@param", "/paths/~1a~1{id}/get/parameters/1"),
    ("@encoding", "/paths/~1a~1{id}/get/requestBody/content/multipart~1form-data/encoding/f"),
    ("@media", "/paths/~1a~1{id}/get/requestBody/content/multipart~1form-data"),
    ("@body", "/paths/~1a~1{id}/get/requestBody"),
    ("@header", "/paths/~1a~1{id}/get/responses/200/headers/H"),
    ("@link", "/paths/~1a~1{id}/get/responses/200/links/l"),
    ("@response", "/paths/~1a~1{id}/get/responses/200"),
    ("@statuses", "/paths/~1a~1{id}/get/responses"),
    ("@scheme", "/components/securitySchemes/key"),
    ("@flow", "/components/securitySchemes/oauth/flows/implicit"),
    ("@kinds", "/components/securitySchemes/oauth/flows"),
    ("@schema", "/components/schemas/S"),
    ("@components", "/components"),
    ("@root", ""),
];

fn whole(version: &str, mark: &str, members: &str) -> String {
    let mut out = String::new();
    for line in WHOLE.replace("@VERSION", version).lines() {
        let mut line = line.to_owned();
        for (name, _) in MARKS {
            let is_alone = line.trim() == *name || *name == "@schema";
            let text = match *name == mark {
                true if is_alone => members.to_owned(),
                true => format!(", {members}"),
                false if *name == "@schema" => "type: string".to_owned(),
                false => String::new(),
            };
            line = line.replace(name, &text);
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn compiled(version: &str, mark: &str, members: &str) -> Compiled {
    let compiled = document(&whole(version, mark, members));
    let ir = compiled.ir.as_ref().expect("the document has a version");
    assert_eq!(tungsten_ir::verify(ir), [""; 0], "{version} {mark} {members}");
    compiled
}

/// Each case: what is written at the mark, then the code and the pointer below the mark's object of every finding.
#[track_caller]
fn check(mark: &str, cases: &[(&str, &[&str])]) {
    let (_, folder) = MARKS.iter().find(|(name, _)| *name == mark).expect("a mark of the description");
    for (members, expect) in cases {
        let expect: Vec<String> = expect
            .iter()
            .map(|one| match one.split_once(' ') {
                Some((code, below)) => format!("{code} {folder}/{below}"),
                None => format!("{one} {folder}"),
            })
            .collect();
        for version in ["3.0.3", "3.1.0"] {
            assert_eq!(findings(&compiled(version, mark, members)), expect, "{version} {mark} {members}");
        }
    }
}

#[test]
fn a_description_without_a_fault_has_no_finding() {
    check("@root", &[("x-anything: 3", &[])]);
    check("@media", &[("examples: { a: { externalValue: https://a.test } }", &[])]);
    check("@param", &[("example: 3", &[])]);
}

#[test]
fn heads_of_documents() {
    check(
        "@info",
        &[
            ("description: 3", &["TG0110 description"]),
            ("termsOfService: []", &["TG0110 termsOfService"]),
            ("contact: 3", &["TG0110 contact"]),
            ("contact: { name: 3 }", &["TG0110 contact/name"]),
            ("license: MIT", &["TG0110 license"]),
            ("licence: { name: MIT }", &["TG0110 licence"]),
        ],
    );
    check(
        "@root",
        &[
            ("servers: {}", &["TG0110 servers"]),
            ("servers: [3]", &["TG0110 servers/0"]),
            ("servers: [{ url: 3 }]", &["TG0110 servers/0/url"]),
            ("servers: [{ url: https://a.test, variables: [] }]", &["TG0110 servers/0/variables"]),
            ("servers: [{ url: https://a.test, description: 3 }]", &["TG0110 servers/0/description"]),
            (
                "servers: [{ url: 'https://{v}', variables: { v: { default: x, enum: y } } }]",
                &["TG0110 servers/0/variables/v/enum"],
            ),
            (
                "servers: [{ url: 'https://{v}', variables: { v: { default: x, enum: [y] } } }]",
                &["TG0110 servers/0/variables/v/default"],
            ),
            ("security: {}", &["TG0508 security"]),
            ("security: [3]", &["TG0508 security/0"]),
            ("security: [{ key: 3 }]", &["TG0508 security/0/key"]),
            ("security: [{ key: [3] }]", &["TG0508 security/0/key/0"]),
            ("tags: a", &["TG0110 tags"]),
            ("tags: [3]", &["TG0110 tags/0"]),
            ("tags: [{ name: 3 }]", &["TG0110 tags/0/name"]),
            (
                "tags: [{ name: a, description: { $ref: x.md } }]",
                &["TG0201 tags/0/description/$ref", "TG0110 tags/0/description"],
            ),
            ("webhooks: []", &["TG0110 webhooks"]),
            ("webhooks: { w: 3 }", &["TG0508 webhooks/w"]),
            ("externalDocs: 3", &["TG0110 externalDocs"]),
            ("jsonSchemaDialect: 3", &["TG0110 jsonSchemaDialect"]),
            ("servrs: []", &["TG0110 servrs"]),
        ],
    );
    check(
        "@components",
        &[
            ("responses: 3", &["TG0110 responses"]),
            ("responses: { R: 3 }", &["TG0508 responses/R"]),
            ("parameters: { P: 3 }", &["TG0508 parameters/P"]),
            ("parameters: { P: { name: p, in: query, requird: true } }", &["TG0508 parameters/P/requird"]),
            ("requestBodies: []", &["TG0110 requestBodies"]),
            ("requestBodies: { B: 3 }", &["TG0508 requestBodies/B"]),
            ("headers: { H: 3 }", &["TG0508 headers/H"]),
            ("examples: 3", &["TG0110 examples"]),
            ("links: 3", &["TG0110 links"]),
            ("callbacks: { c: 3 }", &["TG0508 callbacks/c"]),
            ("pathItems: { p: 3 }", &["TG0508 pathItems/p"]),
            ("definitions: {}", &["TG0110 definitions"]),
        ],
    );
}

#[test]
fn operations_and_parameters() {
    check(
        "@item",
        &[
            ("parameters: {}", &["TG0508 parameters"]),
            ("summary: 3", &["TG0508 summary"]),
            ("servers: 3", &["TG0508 servers"]),
            ("gett: {}", &["TG0508 gett"]),
        ],
    );
    check(
        "@op",
        &[
            ("tags: a", &["TG0508 tags"]),
            ("summary: 3", &["TG0508 summary"]),
            ("description: [a]", &["TG0508 description"]),
            ("externalDocs: 3", &["TG0508 externalDocs"]),
            ("externalDocs: { url: 3 }", &["TG0110 externalDocs/url"]),
            ("callbacks: 3", &["TG0508 callbacks"]),
            ("callbacks: { c: 3 }", &["TG0508 callbacks/c"]),
            ("deprecated: 'true'", &["TG0508 deprecated"]),
            ("requestbody: {}", &["TG0508 requestbody"]),
        ],
    );
    check(
        "@param",
        &[
            ("description: 3", &["TG0508 description"]),
            ("required: 'yes'", &["TG0508 required"]),
            ("style: frm", &["TG0508 style"]),
            ("style: 3", &["TG0508 style"]),
            ("explode: 'no'", &["TG0508 explode"]),
            ("examples: []", &["TG0508 examples"]),
            ("examples: { a: 3 }", &["TG0508 examples/a"]),
            ("content: 3", &["TG0508 content"]),
            ("content: {}", &["TG0508 content"]),
            ("x-agent-sensitive: 'yes'", &["TG0508 x-agent-sensitive"]),
            ("type: string", &["TG0508 type"]),
        ],
    );
    check(
        "@link",
        &[
            ("parameters: 3", &["TG0508 parameters"]),
            ("description: 3", &["TG0508 description"]),
            ("server: 3", &["TG0508 server"]),
        ],
    );
}

#[test]
fn bodies_and_answers() {
    check("@body", &[("required: 'yes'", &["TG0508 required"]), ("description: 3", &["TG0508 description"])]);
    check("@media", &[("examples: []", &["TG0508 examples"]), ("scheam: {}", &["TG0508 scheam"])]);
    check(
        "@encoding",
        &[("headers: 3", &["TG0508 headers"]), ("style: frm", &["TG0508 style"]), ("explode: 3", &["TG0508 explode"])],
    );
    check(
        "@header",
        &[
            ("required: 'yes'", &["TG0508 required"]),
            ("style: form", &["TG0508 style"]),
            ("explode: 3", &["TG0508 explode"]),
            ("description: 3", &["TG0508 description"]),
            ("content: 3", &["TG0508 content"]),
            ("name: H", &["TG0508 name"]),
        ],
    );
    check(
        "@response",
        &[
            ("content: 3", &["TG0508 content"]),
            ("content: { a/b: 3 }", &["TG0508 content/a~1b"]),
            ("content: { json: {} }", &["TG0508 content/json"]),
            ("content: { 'a/b, c/d': {} }", &["TG0508 content/a~1b, c~1d"]),
            ("content: { a/b: { schema: 3 } }", &["TG0303 content/a~1b/schema"]),
            ("schema: {}", &["TG0508 schema"]),
        ],
    );
    check(
        "@statuses",
        &[
            ("'2000': { description: x }", &["TG0508 2000"]),
            ("'4xx': { description: x }", &["TG0110 4xx"]),
            ("'ok': { description: x }", &["TG0508 ok"]),
            ("'404': 3", &["TG0508 404"]),
        ],
    );
    check("@scheme", &[("description: 3", &["TG0508 description"]), ("bearerFormat: 3", &["TG0508 bearerFormat"])]);
    check("@kinds", &[("password: 3", &["TG0508 password"]), ("implict: {}", &["TG0508 implict"])]);
    check("@flow", &[("refreshUrl: 3", &["TG0508 refreshUrl"]), ("url: x", &["TG0508 url"])]);
}

#[test]
fn schemas() {
    check(
        "@schema",
        &[
            ("type: object, required: 'yes'", &["TG0303 required"]),
            ("type: string, enum: {}", &["TG0303 enum"]),
            ("type: string, enum: []", &["TG0307 enum"]),
            ("type: object, properties: []", &["TG0303 properties"]),
            ("type: object, properties: { a: 3 }", &["TG0303 properties/a"]),
            ("type: string, nullable: 'true'", &["TG0303 nullable"]),
            ("type: string, readOnly: 'true'", &["TG0303 readOnly"]),
            ("type: string, title: 3", &["TG0303 title"]),
            ("type: string, externalDocs: 3", &["TG0303 externalDocs"]),
            ("type: string, externalDocs: { url: 3 }", &["TG0303 externalDocs/url"]),
            ("type: string, format: 3", &["TG0303 format"]),
            ("type: string, pattern: 3", &["TG0303 pattern"]),
            ("type: string, pattern: '(?i)a'", &["TG0303 pattern"]),
            ("type: string, pattern: '^a\\Z'", &["TG0303 pattern"]),
            ("type: string, pattern: 'a(?!b)'", &["TG0303 pattern"]),
            ("type: string, pattern: 'a{1000000}'", &["TG0303 pattern"]),
            ("type: object, patternProperties: { '[': true }", &["TG0303 patternProperties/["]),
            ("type: string, pattern: '^[\\w-.]+$'", &[]),
            ("type: string, minLength: 5, maxLength: 3", &["TG0311 maxLength"]),
            ("type: array, items: { type: string }, minItems: 2, maxItems: 1", &["TG0311 maxItems"]),
            ("type: object, properties: {}, minProperties: 2, maxProperties: 1", &["TG0311 maxProperties"]),
            ("type: integer, minimum: 2, maximum: 1", &["TG0311 maximum"]),
            ("type: integer, minimum: 2, maximum: 2", &[]),
            ("type: integer, default: '1'", &["TG0311 default"]),
            ("type: integer, default: 1.5", &["TG0311 default"]),
            ("type: number, default: 1", &[]),
            ("type: string, default: null", &[]),
            ("type: number, multipleOf: 0", &["TG0303 multipleOf"]),
            ("type: number, multipleOf: -1", &["TG0303 multipleOf"]),
            ("type: string, enum: [a], x-enum-varnames: 3", &["TG0303 x-enum-varnames"]),
            ("type: string, enum: [a], x-enum-varnames: [3]", &["TG0303 x-enum-varnames/0"]),
            ("type: string, enum: [a], x-enum-descriptions: 3", &["TG0303 x-enum-descriptions"]),
            ("type: string, x-agent-sensitive: 'yes'", &["TG0303 x-agent-sensitive"]),
            ("type: object, additionalProperties: 3", &["TG0303 additionalProperties"]),
            ("type: object, discriminator: 3", &["TG0306 discriminator"]),
            ("type: object, discriminator: { propertyName: 3 }", &["TG0306 discriminator/propertyName"]),
            ("type: object, discriminator: { propertyName: a, mapping: 3 }", &["TG0306 discriminator/mapping"]),
            ("oneOf: 3, type: string", &["TG0303 oneOf"]),
            ("allOf: 3, type: string", &["TG0303 allOf"]),
            ("not: 3, type: string", &["TG0303 not"]),
            ("$defs: 3, type: string", &["TG0303 $defs"]),
            ("$defs: { a: 3 }, type: string", &["TG0303 $defs/a"]),
        ],
    );
}

#[test]
fn types_that_are_none() {
    check(
        "@schema",
        &[
            ("type: strnig", &["TG0309 type", "TG0305"]),
            ("type: strnig, minLength: 3", &["TG0309 type"]),
            ("type: 7", &["TG0309 type", "TG0305"]),
            ("type: {}", &["TG0309 type", "TG0305"]),
            ("type: []", &["TG0309 type", "TG0305"]),
        ],
    );
    let all = |version: &str, members: &str| {
        let compiled = compiled(version, "@schema", members);
        let found = compiled.diags.iter().filter(|one| one.code != base::Code::TG0305);
        found.map(|one| format!("{} {:?}", one.message, one.help.as_deref())).collect::<Vec<_>>()
    };
    let none = |word: &str, help: &str| {
        [format!("`type` is `{word}`, which names no JSON type; the schema is read as if it stated no type {help}")]
    };
    assert_eq!(all("3.1.0", "type: strnig"), none("strnig", "Some(\"did you mean `string`?\")"));
    assert_eq!(all("3.1.0", "type: String"), none("String", "Some(\"did you mean `string`?\")"));
    assert_eq!(all("3.0.3", "type: file"), none("file", "Some(\"use `type: string, format: binary`\")"));
    assert_eq!(all("3.1.0", "type: int"), none("int", "Some(\"use `type: integer`\")"));
    assert_eq!(all("3.1.0", "type: zebra"), none("zebra", "None"));
    assert_eq!(
        all("3.1.0", "type: [string, 5]"),
        ["`type` lists a number, which names no JSON type; it is left out of the list None"]
    );
    assert_eq!(
        all("3.1.0", "type: [string, null]"),
        ["`type` is the value null; it is read as the text \"null\", which names the type None"]
    );
}

#[test]
fn what_was_meant_is_said() {
    let help = |mark: &str, members: &str| {
        let compiled = compiled("3.1.0", mark, members);
        compiled.diags.iter().filter_map(|one| one.help.clone()).collect::<Vec<_>>()
    };
    assert_eq!(help("@op", "requestbody: {}"), ["did you mean `requestBody`?"]);
    assert_eq!(help("@media", "scheam: {}"), ["did you mean `schema`?"]);
    assert_eq!(help("@param", "style: frm"), ["did you mean `form`?"]);
    assert_eq!(help("@encoding", "style: deepobject"), ["did you mean `deepObject`?"]);
    assert_eq!(help("@item", "parameters: [{ name: p, in: heder }]"), ["did you mean `header`?"]);
    assert_eq!(help("@item", "zebra: {}"), [""; 0]);
}

#[test]
fn texts_in_fragments_are_told_as_well() {
    let entry = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: { /a: { $ref: item.yaml } }\n";
    let item = "get: { operationId: a, summary: 3, responses: { '200': { description: ok } } }\n";
    let loader = MemoryLoader::new().with("api.yaml", entry.as_bytes()).with("item.yaml", item.as_bytes());
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: "api.yaml".to_owned() }];
    let compiled = compile(&Request { api_name: "test".to_owned(), inputs, ..Request::default() }, &loader);
    assert_eq!(findings(&compiled), ["TG0508 /get/summary"]);
}

#[test]
fn schemas_that_refer_to_what_is_no_schema() {
    for (reference, found) in [
        ("#", "a whole document"),
        ("api.yaml", "a whole document"),
        ("#/paths/~1a~1{id}/get", "an operation"),
        ("#/paths", "a list of paths"),
        ("#/paths/~1a~1{id}/get/parameters", "a list of parameters"),
        ("#/paths/~1a~1{id}/get/parameters/0", "a parameter"),
        ("#/paths/~1a~1{id}/get/responses/200", "a response"),
        ("#/components/schemas", "a list of schemas"),
        ("#/components/schemas/Whole/properties", "a list of schemas"),
        ("#/components/schemas/Whole/required", "a list"),
        ("#/components/schemas/Whole/required/0", "a string"),
        ("#/info/title", "a string"),
    ] {
        let members = format!("type: object, properties: {{ p: {{ $ref: '{reference}' }} }}");
        let yaml = whole("3.1.0", "@schema", &members).replace(
            "  schemas: {",
            "  schemas: { Whole: { type: object, required: [a], properties: { a: { type: string } } },",
        );
        let compiled = document(&yaml);
        let found_here: Vec<String> = compiled
            .diags
            .iter()
            .filter(|one| one.code.name() != "TG0760")
            .map(|one| format!("{} {} {}", one.code, one.place.pointer, one.message))
            .collect();
        let place = "/components/schemas/S/properties/p/$ref";
        assert_eq!(found_here, [format!("TG0201 {place} `{reference}` leads to {found}, which is no schema")]);
    }
    for reference in [
        "#/components/schemas/Whole/properties/a",
        "#/paths/~1a~1{id}/get/parameters/0/schema",
        "#/x-shared/Thing",
        "#/components/schemas/Whole/additionalProperties",
    ] {
        let members = format!("type: object, properties: {{ p: {{ $ref: '{reference}' }} }}");
        let yaml = whole("3.1.0", "@schema", &members).replace(
            "  schemas: {",
            "  schemas: { Whole: { type: object, additionalProperties: { type: string }, properties: { a: { type: string } } },",
        ) + "x-shared: { Thing: { type: string } }\n";
        let compiled = document(&yaml);
        let errors: Vec<String> = findings(&compiled).into_iter().filter(|one| one.starts_with("TG02")).collect();
        assert_eq!(errors, [""; 0], "{reference}");
    }
}

#[test]
fn paths_and_flows() {
    let get = |id: &str, names: &[&str]| {
        let param = |name: &&str| format!("{{ name: {name}, in: path, required: true, schema: {{ type: string }} }}");
        let params: Vec<String> = names.iter().map(param).collect();
        format!(
            "{{ get: {{ operationId: {id}, parameters: [{}], responses: {{ '200': {{ description: ok }} }} }} }}",
            params.join(", ")
        )
    };
    let one = |members: &str| {
        let yaml = format!("openapi: 3.1.0\ninfo: {{ title: T, version: '1' }}\n{members}\n");
        let mut found = findings(&document(&yaml));
        found.retain(|one| !one.starts_with("TG0401"));
        found
    };
    let (x, y) = (get("a", &["x"]), get("b", &["y"]));
    assert_eq!(one(&format!("paths: {{ '/a/{{x}}': {x}, '/a/{{y}}': {y} }}")), ["TG0508 /paths/~1a~1{y}/get"]);
    assert_eq!(one(&format!("paths: {{ '/a/{{x}}': {x}, '/b/{{y}}': {y} }}")), [""; 0]);
    assert_eq!(one(&format!("paths: {{ '/a/{{x}}/{{x}}': {x} }}")), ["TG0110 /paths/~1a~1{x}~1{x}"]);
    let flows = |flows: &str| {
        one(&format!("components: {{ securitySchemes: {{ o: {{ type: oauth2, flows: {{ {flows} }} }} }} }}"))
    };
    let at = "TG0509 /components/securitySchemes/o/flows";
    assert_eq!(flows("implicit: {}"), [format!("{at}/implicit")]);
    assert_eq!(flows("clientCredentials: { scopes: {} }"), [format!("{at}/clientCredentials")]);
    assert_eq!(flows("authorizationCode: { tokenUrl: https://a.test }"), [format!("{at}/authorizationCode")]);
    assert_eq!(flows("password: { tokenUrl: https://a.test }"), [""; 0]);
}
