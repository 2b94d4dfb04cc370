//! What real documents break most often and every reader reads: each compiles, with one finding at its place.

use tungsten_frontend::Compiled;

use crate::describe::{document, findings, ir};

const INFO: &str = "info: { title: T, version: '1' }\n";
const PATHS: &str = "paths: { /a: { get: { operationId: a, responses: { '200': { description: ok } } } } }\n";

/// What is broken, the document, and its one finding.
const CASES: &[(&str, &str, &str)] = &[
    ("no info", "openapi: 3.0.3\n@PATHS", "TG0110 "),
    ("info is null", "openapi: 3.0.3\ninfo: null\n@PATHS", "TG0110 /info"),
    ("no title", "openapi: 3.0.3\ninfo: { version: '1' }\n@PATHS", "TG0110 /info"),
    ("no version", "openapi: 3.0.3\ninfo: { title: T }\n@PATHS", "TG0110 /info"),
    ("a number as the title", "openapi: 3.0.3\ninfo: { title: 7, version: '1' }\n@PATHS", "TG0110 /info/title"),
    ("a number as the version", "openapi: 3.0.3\ninfo: { title: T, version: 1.0 }\n@PATHS", "TG0110 /info/version"),
    ("no paths in 3.0", "openapi: 3.0.3\n@INFO", "TG0110 "),
    ("paths without a value", "openapi: 3.0.3\n@INFOpaths:\n", "TG0110 /paths"),
    ("paths: null", "openapi: 3.1.0\n@INFOpaths: null\n", "TG0110 /paths"),
    ("paths: null in 3.2", "openapi: 3.2.0\n@INFOpaths: null\n", "TG0110 /paths"),
    (
        "an operation without responses",
        "openapi: 3.0.3\n@INFOpaths: { /a: { get: { operationId: a } } }\n",
        "TG0508 /paths/~1a/get",
    ),
    (
        "a response without a description",
        "openapi: 3.0.3\n@INFOpaths: { /a: { get: { operationId: a, responses: { '200': {} } } } }\n",
        "TG0508 /paths/~1a/get/responses/200",
    ),
    (
        "a number as the default of a server variable",
        "openapi: 3.0.3\n@INFO@PATHSservers: [{ url: 'https://a.test:{port}', variables: { port: { default: 8443 } } }]\n",
        "TG0110 /servers/0/variables/port/default",
    ),
    (
        "a number among the choices of a server variable",
        "openapi: 3.0.3\n@INFO@PATHSservers: [{ url: 'https://a.test:{port}', variables: { port: { default: 443, enum: [443] } } }]\n",
        "TG0110 /servers/0/variables/port/default",
    ),
    ("the type null in 3.0", "@SCHEMA{ type: 'null' }\n", "TG0110 @S/type"),
    ("a list of types in 3.0", "@SCHEMA{ type: [string, 'null'] }\n", "TG0110 @S/type"),
    ("a list of one type in 3.0", "@SCHEMA{ type: [string] }\n", "TG0110 @S/type"),
    (
        "a component's name with a space",
        "@SCHEMA{ type: array, items: { $ref: '#/components/schemas/A B' } }\n    A B: { type: string }\n",
        "TG0110 /components/schemas/A B",
    ),
    (
        "a component's name with a bracket",
        "@SCHEMA{ type: array, items: { $ref: '#/components/schemas/Page<A>' } }\n    'Page<A>': { type: string }\n",
        "TG0110 /components/schemas/Page<A>",
    ),
];

const SCHEMA: &str = "openapi: 3.0.3\n@INFOpaths:\n  /a: { get: { operationId: a, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/S' } } } } } } }\ncomponents:\n  schemas:\n    S: ";

fn compiled(text: &str) -> Compiled {
    document(&text.replace("@SCHEMA", SCHEMA).replace("@INFO", INFO).replace("@PATHS", PATHS))
}

#[test]
fn each_repair_has_one_finding_at_its_place() {
    for (what, text, expect) in CASES {
        let compiled = compiled(text);
        // An unused component is no fault of the format.
        let found: Vec<String> = findings(&compiled).into_iter().filter(|one| !one.starts_with("TG0760")).collect();
        assert_eq!(found, [expect.replace("@S", "/components/schemas/S")], "{what}");
        assert_eq!(tungsten_ir::verify_frozen(ir(&compiled), false), [""; 0], "{what}");
        assert!(!compiled.diags.has_errors(), "{what}");
    }
}

#[test]
fn what_was_repaired_is_there() {
    let api = |text: &str| {
        let compiled = compiled(text);
        let ir = ir(&compiled);
        let title = ir.api.title.map(|title| ir.text(title).untrusted().to_owned());
        (title, ir.names.resolve(ir.api.version).to_owned(), ir.ops.rows.len())
    };
    assert_eq!(api("openapi: 3.0.3\n@PATHS"), (None, "0.0.0".to_owned(), 1));
    let numbers = api("openapi: 3.0.3\ninfo: { title: 7, version: 1.0 }\n@PATHS");
    assert_eq!(numbers, (Some("7".to_owned()), "1.0".to_owned(), 1));
    let compiled = compiled(
        "openapi: 3.0.3\n@INFO@PATHSservers: [{ url: 'https://a.test:{port}', variables: { port: { default: 8443 } } }]\n",
    );
    let table = ir(&compiled);
    let server = table.servers.slice(table.api.servers)[0];
    assert_eq!(table.names.resolve(server.url), "https://a.test:8443");
}
