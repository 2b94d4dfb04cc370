//! Values of small descriptions: where the two readings differ, what directions and formats change, and what is hostile.

use serde_json::{Value, json};
use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, Request};
use tungsten_validate::{Direction, Options, Patterns, Problem, Reading, check};

const STRICT: Options = Options { reading: Reading::Strict, direction: None, formats: false };
const PRACTICAL: Options = Options { reading: Reading::Practical, direction: None, formats: true };

fn compiled(version: &str, schemas: &str) -> Compiled {
    let mut yaml =
        format!("openapi: {version}\ninfo: {{ title: T, version: '1' }}\npaths: {{}}\ncomponents:\n  schemas:\n");
    for line in schemas.lines() {
        yaml.push_str(&format!("    {line}\n"));
    }
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: "api.yaml".to_owned() }];
    let request = Request { api_name: "test".to_owned(), inputs, ..Request::default() };
    tungsten_frontend::compile(&request, &MemoryLoader::new().with("api.yaml", yaml))
}

fn judge(compiled: &Compiled, value: &Value, options: Options) -> Result<(), Problem> {
    let ir = compiled.ir.as_ref().expect("the document has a version");
    check(ir, &Patterns::new(ir), ir.types.named[0], value, options)
}

/// What both readings say about values of the first type: admitted by both, by the practical one alone, by the strict one
/// alone, by none.
#[track_caller]
fn both(schemas: &str, admitted: &[Value], practical: &[Value], strict: &[Value], refused: &[Value]) {
    let compiled = compiled("3.1.0", schemas);
    for (values, is_strict, is_practical) in
        [(admitted, true, true), (practical, false, true), (strict, true, false), (refused, false, false)]
    {
        for value in values {
            let (letter, meaning) = (judge(&compiled, value, STRICT), judge(&compiled, value, PRACTICAL));
            assert_eq!(letter.is_ok(), is_strict, "{schemas}: {value}: {letter:?}");
            assert_eq!(meaning.is_ok(), is_practical, "{schemas}: {value}: {meaning:?}");
        }
    }
}

#[test]
fn constraints_count_in_both_readings() {
    both("A: { type: string, not: { const: x } }", &[json!("y")], &[], &[], &[json!("x"), json!(1)]);
    both(
        "A: { type: object, propertyNames: { pattern: '^[a-z]+$' }, minProperties: 1 }",
        &[json!({"a": 1})],
        &[],
        &[],
        &[json!({"A": 1}), json!({})],
    );
    both(
        "A: { type: object, properties: { a: { type: integer } }, patternProperties: { '^x-': { type: string } } }",
        &[json!({"a": 1, "x-b": "c", "other": 5})],
        &[],
        &[],
        &[json!({"x-b": 1}), json!({"a": "1"})],
    );
    both(
        "A: { type: object, patternProperties: { '^x-': { type: string } }, additionalProperties: false }",
        &[json!({"x-b": "c"}), json!({})],
        &[],
        &[],
        &[json!({"x-b": 1}), json!({"other": "c"})],
    );
    both(
        "A: { type: array, items: { type: integer }, contains: { minimum: 5 }, uniqueItems: true }",
        &[json!([1, 7])],
        &[],
        &[],
        &[json!([1, 2]), json!([7, 7.0]), json!(["7"])],
    );
    both(
        "A: { type: object, dependentRequired: { card: [address] }, anyOf: [{ required: [card] }, { required: [iban] }] }",
        &[json!({"iban": 1}), json!({"card": 1, "address": 2})],
        &[],
        &[],
        &[json!({"card": 1}), json!({})],
    );
    both(
        "A: { type: object, properties: { kind: { type: string } }, if: { properties: { kind: { const: b } }, required: [kind] }, then: { required: [x] }, else: { required: [y] } }",
        &[json!({"kind": "b", "x": 1}), json!({"kind": "c", "y": 1})],
        &[],
        &[],
        &[json!({"kind": "b", "y": 1}), json!({"kind": "c"})],
    );
}

#[test]
fn what_a_base_has_is_not_left_over() {
    both(
        "A: { allOf: [{ $ref: '#/components/schemas/B' }], properties: { b: { type: integer } }, unevaluatedProperties: false }\nB: { type: object, required: [a], properties: { a: { type: string } } }",
        &[json!({"a": "x", "b": 1}), json!({"a": "x"})],
        &[],
        &[],
        &[json!({"a": "x", "c": 1}), json!({"b": 1}), json!({"a": 1})],
    );
}

#[test]
fn readings_differ_where_authors_and_letters_do() {
    let base = "A: { allOf: [{ $ref: '#/components/schemas/B' }, { type: object, properties: { b: { type: integer } } }] }\nB: { type: object, properties: { a: { type: string } }, additionalProperties: false }";
    both(base, &[json!({"a": "x"})], &[json!({"a": "x", "b": 1})], &[], &[json!({"a": 1}), json!({"c": 1})]);
    both(
        "A: { properties: { a: { type: string } } }",
        &[json!({"a": "x"})],
        &[],
        &[json!(5), json!([])],
        &[json!({"a": 1})],
    );
    both("A: { oneOf: [{ type: number }, { type: integer }] }", &[json!(1.5)], &[json!(1)], &[], &[json!("1")]);
    both("A: { type: [string, 'null'], enum: [a] }", &[json!("a")], &[json!(null)], &[], &[json!("b")]);
}

#[test]
fn a_mapping_for_all_other_values_takes_them() {
    let schemas = |more: &str| {
        format!(
            "A:\n  oneOf: [{{ $ref: '#/components/schemas/Cat' }}, {{ $ref: '#/components/schemas/Other' }}]\n  discriminator: {{ propertyName: kind, mapping: {{ cat: '#/components/schemas/Cat' }}{more} }}\nCat: {{ type: object, required: [kind, lives], properties: {{ kind: {{ const: cat }}, lives: {{ type: integer }} }} }}\nOther: {{ type: object, required: [label], properties: {{ kind: {{ type: string }}, label: {{ type: string }} }} }}"
        )
    };
    let cat = json!({"kind": "cat", "lives": 9});
    let others = [json!({"kind": "dog", "label": "d"}), json!({"label": "d"})];
    for (more, takes_others) in [(", defaultMapping: '#/components/schemas/Other'", true), ("", false)] {
        let compiled = compiled("3.2.0", &schemas(more));
        assert_eq!(judge(&compiled, &cat, PRACTICAL), Ok(()));
        for other in &others {
            assert_eq!(judge(&compiled, other, PRACTICAL).is_ok(), takes_others, "{more}: {other}");
        }
        assert!(judge(&compiled, &json!({"kind": "cat", "label": "d"}), PRACTICAL).is_err());
        assert!(judge(&compiled, &json!({"kind": "dog"}), PRACTICAL).is_err());
    }
    // Variants that share a tag are one: the mapping is to what holds them.
    let shared = "A:\n  oneOf: [{ $ref: '#/components/schemas/B' }, { $ref: '#/components/schemas/C' }, { $ref: '#/components/schemas/D' }]\n  discriminator: { propertyName: kind, defaultMapping: '#/components/schemas/C' }\nB: { type: object, required: [kind, b], properties: { kind: { const: x }, b: { type: integer } } }\nC: { type: object, required: [c], properties: { kind: { enum: [x, y] }, c: { type: integer } } }\nD: { type: object, required: [kind], properties: { kind: { const: z } } }";
    let compiled = compiled("3.2.0", shared);
    let ir = compiled.ir.as_ref().expect("the document has a version");
    assert_eq!(tungsten_ir::verify(ir), [""; 0]);
    assert!(judge(&compiled, &json!({"c": 1}), PRACTICAL).is_ok());
    assert!(judge(&compiled, &json!({"b": 1}), PRACTICAL).is_err());
}

#[test]
fn directions_and_formats_are_options() {
    let compiled = compiled(
        "3.0.3",
        "A: { type: object, required: [id, secret], properties: { id: { type: string, readOnly: true }, secret: { type: string, writeOnly: true }, at: { type: string, format: date }, n: { type: integer, format: int32 } } }",
    );
    let with = |direction, formats| Options { reading: Reading::Practical, direction, formats };
    let request = json!({"secret": "x", "at": "soon"});
    assert!(judge(&compiled, &request, with(Some(Direction::Request), false)).is_ok());
    assert!(judge(&compiled, &request, with(Some(Direction::Response), false)).is_err());
    assert!(judge(&compiled, &request, with(None, false)).is_err());
    let wrong = judge(&compiled, &request, with(Some(Direction::Request), true)).expect_err("no date");
    assert_eq!(wrong.text("body"), "body.at is not a date as YYYY-MM-DD");
    assert_eq!(wrong.pointer(), "/at");
    let large = json!({"secret": "x", "n": 5_000_000_000_i64});
    assert!(judge(&compiled, &large, with(Some(Direction::Request), false)).is_ok());
    assert!(judge(&compiled, &large, with(Some(Direction::Request), true)).is_err());
}

#[test]
fn hostile_schemas_and_values_end() {
    // A schema that excludes itself has no verdict; it has one answer.
    let paradox = compiled("3.1.0", "A: { not: { $ref: '#/components/schemas/A' } }");
    let _ = judge(&paradox, &json!(1), STRICT);
    let circle = compiled("3.1.0", "A: { anyOf: [{ $ref: '#/components/schemas/A' }, { type: string }] }");
    assert!(judge(&circle, &json!("x"), STRICT).is_ok());
    // Each level asks twice for the next, and is asked what was looked at: that is never remembered.
    let mut schemas = String::from("A: { $ref: '#/components/schemas/L0', unevaluatedProperties: false }");
    for level in 0..40 {
        let next = format!("{{ $ref: '#/components/schemas/L{}' }}", level + 1);
        schemas.push_str(&format!("\nL{level}: {{ anyOf: [{next}, {next}], allOf: [{next}] }}"));
    }
    schemas.push_str("\nL40: { properties: { a: { type: string } } }");
    let doubling = compiled("3.1.0", &schemas);
    let wrong = judge(&doubling, &json!({"a": "x"}), STRICT).expect_err("too much work");
    assert_eq!(wrong.text("value"), "value takes too much work to check");
    // A chain of types that all have the same value, longer than is followed.
    let mut schemas = String::new();
    for level in 0..3000 {
        schemas.push_str(&format!(
            "L{level}: {{ allOf: [{{ $ref: '#/components/schemas/L{}' }}], not: {{ const: 1 }} }}\n",
            level + 1
        ));
    }
    let chain = compiled("3.1.0", &format!("{schemas}L3000: {{ not: {{ type: string }} }}"));
    for options in [STRICT, PRACTICAL] {
        let _ = judge(&chain, &json!({"a": [1]}), options);
    }
    let names = compiled(
        "3.1.0",
        "A: { propertyNames: { $ref: '#/components/schemas/B' } }\nB: { allOf: [{ $ref: '#/components/schemas/B' }], minLength: 1, not: { const: x } }",
    );
    let _ = judge(&names, &json!({"a": 1}), STRICT);
    // As deep as a body may be, in the small stack of a thread.
    let deep = compiled(
        "3.1.0",
        "A: { type: object, properties: { a: { oneOf: [{ type: string }, { $ref: '#/components/schemas/A' }] } }, not: { required: [b] } }",
    );
    let mut value = json!("end");
    for _ in 0..base::limits::DEPTH {
        value = json!({"a": value});
    }
    for options in [STRICT, PRACTICAL] {
        assert!(judge(&deep, &value, options).is_ok());
    }
}

#[test]
fn numbers_beyond_doubles_are_told_apart() {
    let compiled = compiled("3.1.0", "A: { type: integer, maximum: 9223372036854775806 }");
    assert!(judge(&compiled, &json!(9_223_372_036_854_775_806_i64), STRICT).is_ok());
    assert!(judge(&compiled, &json!(9_223_372_036_854_775_807_i64), STRICT).is_err());
}
