//! Schemas to types: a small document under `components/schemas`, each type as one line of text.

use tungsten_frontend::{Compiled, Overrides};
use tungsten_ir::{
    Additional, Bounds, Format, IntegerBits, Ir, JsonValue, Precision, Shape, Strategy, TypeId, ValueId,
};

use crate::describe::{documents, findings};

fn compiled(version: &str, schemas: &str) -> Compiled {
    let mut yaml =
        format!("openapi: {version}\ninfo: {{ title: T, version: '1' }}\npaths: {{}}\ncomponents:\n  schemas:\n");
    for line in schemas.lines() {
        yaml.push_str(&format!("    {line}\n"));
    }
    let compiled = documents(&[("api", &yaml)], Overrides::default());
    let ir = compiled.ir.as_ref().expect("the document has a version");
    assert_eq!(tungsten_ir::verify(ir), [""; 0], "{schemas}");
    compiled
}

/// The first type of `schemas`, in both dialects when `version` is empty, and the codes with their places.
#[track_caller]
fn check_in(version: &str, schemas: &str, expect: &str, codes: &[&str]) {
    let compiled = compiled(version, schemas);
    let ir = compiled.ir.as_ref().expect("checked before");
    let first = ir.types.named[0];
    assert_eq!(show(ir, first, true), expect, "{version}: {schemas}");
    let prefix = "/components/schemas/";
    let found: Vec<String> = findings(&compiled).iter().map(|one| one.replace(prefix, "")).collect();
    assert_eq!(found, codes, "{version}: {schemas}");
}

#[track_caller]
fn check(schemas: &str, expect: &str) {
    check_in("3.0.3", schemas, expect, &[]);
    check_in("3.1.0", schemas, expect, &[]);
}

#[track_caller]
fn check_30(schemas: &str, expect: &str) {
    check_in("3.0.3", schemas, expect, &[]);
}

#[track_caller]
fn check_31(schemas: &str, expect: &str) {
    check_in("3.1.0", schemas, expect, &[]);
}

/// A type as text: its name, unless `open`.
fn show(ir: &Ir, ty: TypeId, open: bool) -> String {
    let row = &ir.types.rows[ty];
    if let Some(name) = row.name.filter(|_| !open) {
        return ir.names.resolve(name.name).to_owned();
    }
    let bounds = row.bounds.map_or(String::new(), |id| show_bounds(ir, &ir.types.bounds[id]));
    format!("{}{bounds}", show_shape(ir, row.shape))
}

fn show_shape(ir: &Ir, shape: Shape) -> String {
    let types = &ir.types;
    let list =
        |types: &[TypeId], between: &str| types.iter().map(|&ty| show(ir, ty, false)).collect::<Vec<_>>().join(between);
    match shape {
        Shape::Unknown => "unknown".to_owned(),
        Shape::Any => "any".to_owned(),
        Shape::Never => "never".to_owned(),
        Shape::Bool => "bool".to_owned(),
        Shape::Integer { bits: IntegerBits::B32 } => "int32".to_owned(),
        Shape::Integer { bits: IntegerBits::B64 } => "int64".to_owned(),
        Shape::Integer { bits: IntegerBits::Unstated } => "int".to_owned(),
        Shape::Number { precision: Precision::Single } => "float".to_owned(),
        Shape::Number { precision: Precision::Double } => "double".to_owned(),
        Shape::Number { precision: Precision::Unstated } => "number".to_owned(),
        Shape::String { format: None } => "string".to_owned(),
        Shape::String { format: Some(Format::Other(name)) } => format!("string({})", ir.names.resolve(name)),
        Shape::String { format: Some(format) } => format!("string({format:?})").to_lowercase(),
        Shape::Bytes => "bytes".to_owned(),
        Shape::Enum { values } => {
            let choices = types.enum_values.slice(values).iter();
            choices.map(|one| show_value(ir, one.value)).collect::<Vec<_>>().join("|")
        }
        Shape::Const { value } => format!("={}", show_value(ir, value)),
        Shape::Array { items } => format!("[{}]", show(ir, items, false)),
        Shape::Tuple { prefix, rest } => {
            let rest = rest.map_or(String::new(), |rest| format!(", ...{}", show(ir, rest, false)));
            format!("({}{rest})", list(types.members.slice(prefix), ", "))
        }
        Shape::Map { values } => format!("map<{}>", show(ir, values, false)),
        Shape::Record { fields, additional } => {
            let mut parts: Vec<String> = types
                .fields
                .slice(fields)
                .iter()
                .map(|field| {
                    let flags = format!(
                        "{}{}",
                        if field.read_only { "ro " } else { "" },
                        if field.write_only { "wo " } else { "" }
                    );
                    let mark = if field.required { "" } else { "?" };
                    format!("{flags}{}{mark}: {}", ir.names.resolve(field.name), show(ir, field.ty, false))
                })
                .collect();
            match additional {
                Additional::Closed => {}
                Additional::Open => parts.push("..".to_owned()),
                Additional::Typed(values) => parts.push(format!("..{}", show(ir, values, false))),
            }
            format!("{{{}}}", parts.join(", "))
        }
        Shape::Union { variants, discriminator, strategy } => {
            let variants: Vec<String> = types
                .variants
                .slice(variants)
                .iter()
                .map(|variant| {
                    let text = show(ir, variant.ty, false);
                    let name = ir.names.resolve(variant.name);
                    let name = if name == text { String::new() } else { format!("{name}: ") };
                    let tag = variant.tag.map_or(String::new(), |tag| format!(" ={}", show_value(ir, tag)));
                    let key = variant.key.map_or(String::new(), |key| format!(" @{}", ir.names.resolve(key)));
                    format!("{name}{text}{tag}{key}")
                })
                .collect();
            let kind = match (strategy, discriminator) {
                (Strategy::Tagged, Some(id)) => {
                    let row = &types.discriminators[id];
                    format!("{}/{} ", ir.names.resolve(row.property), row.mapping.len())
                }
                (Strategy::Literal, _) => "literal ".to_owned(),
                (Strategy::ByType, _) => "by_type ".to_owned(),
                (Strategy::ByProperty, _) => "by_property ".to_owned(),
                (Strategy::ByValue, _) => "by_value ".to_owned(),
                _ => "untagged ".to_owned(),
            };
            format!("<{kind}{}>", variants.join(" | "))
        }
        Shape::Intersection { members } => format!("<{}>", list(types.members.slice(members), " & ")),
        Shape::Nullable { inner } => format!("null|{}", show(ir, inner, false)),
        Shape::Alias { target } => format!("-> {}", show(ir, target, false)),
    }
}

fn show_value(ir: &Ir, value: ValueId) -> String {
    match ir.values.rows[value] {
        JsonValue::Null => "null".to_owned(),
        JsonValue::Bool(yes) => yes.to_string(),
        JsonValue::Number(text) => ir.names.resolve(text).to_owned(),
        JsonValue::String(text) => format!("'{}'", ir.names.resolve(text)),
        JsonValue::Array(items) => {
            format!(
                "[{}]",
                ir.values.items.slice(items).iter().map(|&one| show_value(ir, one)).collect::<Vec<_>>().join(",")
            )
        }
        JsonValue::Object(members) => format!("{{{} members}}", members.len()),
    }
}

fn show_bounds(ir: &Ir, bounds: &Bounds) -> String {
    let number = |sym: Option<base::Sym>| sym.map(|sym| ir.names.resolve(sym).to_owned());
    let count = |count: Option<u64>| count.map(|count| count.to_string());
    let parts = [
        ("pattern", bounds.pattern.map(|id| ir.text(id).untrusted().to_owned())),
        ("length>=", count(bounds.min_length)),
        ("length<=", count(bounds.max_length)),
        (">=", number(bounds.minimum)),
        ("<=", number(bounds.maximum)),
        (">", number(bounds.exclusive_minimum)),
        ("<", number(bounds.exclusive_maximum)),
        ("%", number(bounds.multiple_of)),
        ("items>=", count(bounds.min_items)),
        ("items<=", count(bounds.max_items)),
        ("unique", bounds.unique_items.then(String::new)),
        ("properties>=", count(bounds.min_properties)),
        ("properties<=", count(bounds.max_properties)),
    ];
    let stated: Vec<String> = parts.into_iter().filter_map(|(name, value)| Some(format!("{name}{}", value?))).collect();
    format!("[{}]", stated.join(" "))
}

#[test]
fn scalars_and_formats() {
    check("A: { type: boolean }", "bool");
    check("A: { type: integer }", "int");
    check("A: { type: integer, format: int32 }", "int32");
    check("A: { type: integer, format: int64 }", "int64");
    check("A: { type: number }", "number");
    check("A: { type: number, format: float }", "float");
    check("A: { type: number, format: double }", "double");
    check("A: { type: number, format: int64 }", "int64");
    check("A: { type: string }", "string");
    check("A: { type: string, format: date-time }", "string(datetime)");
    check("A: { type: string, format: uri-reference }", "string(uri)");
    check("A: { type: string, format: byte }", "string(byte)");
    check("A: { type: string, format: binary }", "bytes");
    check_31("A: { type: string, contentEncoding: base64 }", "string(byte)");
    check_31("A: { type: string, contentMediaType: image/png }", "bytes");
    check_31("A: { type: string, contentMediaType: application/json }", "string");
    check_in("3.0.3", "A: { type: string, format: odd }", "string(odd)", &["TG0304 A/format"]);
    check_in("3.0.3", "A: { type: integer, format: odd }", "int", &["TG0304 A/format"]);
    check("A: {}", "any");
    check_31("A: true", "any");
}

#[test]
fn null_in_both_dialects() {
    check_30("A: { type: string, nullable: true }", "null|string");
    check_31("A: { type: [string, 'null'] }", "null|string");
    check_31("A: { type: 'null' }", "=null");
    check_in("3.0.3", "A: { type: 'null' }", "=null", &["TG0110 A/type"]);
    check_in("3.0.3", "A: { type: [string, 'null'] }", "null|string", &["TG0110 A/type"]);
    check_in("3.1.0", "A: { type: string, nullable: true }", "null|string", &["TG0110 A/nullable"]);
    check_31("A: { anyOf: [{ type: string }, { type: 'null' }] }", "null|string");
    check_31("A: { oneOf: [{ $ref: '#/components/schemas/B' }, { type: 'null' }] }\nB: { type: string }", "null|B");
    check_30("A: { nullable: true, allOf: [{ $ref: '#/components/schemas/B' }] }\nB: { type: string }", "null|B");
    check_30(
        "A: { nullable: true, oneOf: [{ type: string }, { type: integer }] }",
        "null|<by_type string | integer: int>",
    );
    check_30("A: { type: string, nullable: true, enum: [a, null] }", "null|'a'");
    check("A: { enum: [a, null] }", "null|'a'");
    check("A: { enum: [null] }", "=null");
    check_30(
        "A: { anyOf: [{ $ref: '#/components/schemas/B' }, { type: object, nullable: true }] }\nB: { type: object, properties: { a: { type: string } } }",
        "null|B",
    );
}

#[test]
fn enums_and_constants() {
    check("A: { type: string, enum: [a, b] }", "'a'|'b'");
    check("A: { enum: [a, 1, true, 1.50] }", "'a'|1|true|1.50");
    check("A: { type: string, enum: [only] }", "'only'");
    check_31("A: { const: x }", "='x'");
    check_31("A: { const: null }", "=null");
    check_31("A: { const: [1, { a: 2 }] }", "=[1,{1 members}]");
    check_in("3.0.3", "A: { type: string, enum: [a, a] }", "'a'", &["TG0303 A/enum/1"]);
    check_in("3.0.3", "A: { type: string, enum: [1, true] }", "'1'|'true'", &["TG0110 A/enum/0", "TG0110 A/enum/1"]);
    check_in("3.0.3", "A: { type: integer, enum: ['1', x] }", "1", &["TG0110 A/enum/0", "TG0303 A/enum/1"]);
    check_in("3.0.3", "A: { type: string, enum: [] }", "never", &["TG0307 A/enum"]);
    check_in("3.1.0", "A: false", "never", &["TG0307 A"]);
    check_in("3.1.0", "A: { type: string, const: 5 }", "never", &["TG0307 A/const"]);
    let compiled = compiled(
        "3.0.3",
        "A: { type: integer, enum: [1, 2], x-enum-varnames: [One, Two], x-enum-descriptions: [first, second] }",
    );
    let ir = compiled.ir.as_ref().expect("compiled");
    let choices: Vec<(&str, &str)> = ir
        .types
        .enum_values
        .rows()
        .iter()
        .map(|one| (ir.names.resolve(one.name), one.doc.map_or("", |doc| ir.text(doc).untrusted())))
        .collect();
    assert_eq!(choices, [("One", "first"), ("Two", "second")]);
}

#[test]
fn lists_tuples_and_maps() {
    check("A: { type: array, items: { type: string } }", "[string]");
    check_31("A: { type: array, prefixItems: [{ type: string }, { type: integer }], items: false }", "(string, int)");
    check_31("A: { prefixItems: [{ type: string }], items: { type: boolean } }", "(string, ...bool)");
    check_31("A: { type: array, prefixItems: [{ type: string }] }", "(string, ...any)");
    check_in("3.1.0", "A: { type: array, items: [{ type: string }] }", "(string, ...any)", &["TG0110 A/items"]);
    check_in("3.1.0", "A: { type: array }", "[any]", &["TG0305 A"]);
    check("A: { type: object, additionalProperties: { type: string } }", "map<string>");
    check("A: { additionalProperties: true }", "map<any>");
    check("A: { type: object }", "{..}");
    check("A: { type: object, additionalProperties: false }", "{}");
    check("A: { type: object, properties: { a: { type: string } }, additionalProperties: false }", "{a?: string}");
    check(
        "A: { type: object, properties: { a: { type: string } }, additionalProperties: { type: integer } }",
        "{a?: string, ..int}",
    );
    check_in("3.1.0", "A: { type: object, patternProperties: { '^x': { type: integer } } }", "map<int>", &[]);
    check_in(
        "3.1.0",
        "A: { type: object, patternProperties: { '^x': { type: integer } }, additionalProperties: false }",
        "map<int>",
        &[],
    );
}

#[test]
fn records_and_what_a_field_is_told() {
    check(
        "A: { type: object, required: [a], properties: { a: { type: string }, b: { type: integer } } }",
        "{a: string, b?: int, ..}",
    );
    check("A: { properties: { a: { type: string } } }", "{a?: string, ..}");
    check("A: { type: object, required: [a] }", "{a: any, ..}");
    check("A: { type: object, required: [a], additionalProperties: { type: string } }", "{a: string, ..string}");
    check(
        "A: { type: object, properties: { a: { type: string, readOnly: true }, b: { type: string, writeOnly: true } } }",
        "{ro a?: string, wo b?: string, ..}",
    );
    check(
        "A: { type: object, properties: { default: { type: string }, enum: { type: string }, $ref: { type: string } } }",
        "{default?: string, enum?: string, $ref?: string, ..}",
    );
    let compiled = compiled(
        "3.0.3",
        "A: { type: object, properties: { a: { type: string, default: x, deprecated: true, title: Short, description: Long. }, b: { $ref: '#/components/schemas/B' } } }\nB: { type: string, description: Named., readOnly: true }",
    );
    let ir = compiled.ir.as_ref().expect("compiled");
    let [a, b] = ir.types.fields.rows() else { panic!("two fields") };
    assert_eq!(a.default.map(|value| show_value(ir, value)).as_deref(), Some("'x'"));
    assert!(a.deprecated && !b.deprecated);
    assert_eq!(a.doc.summary.map(|id| ir.text(id).untrusted()), Some("Short"));
    assert_eq!(a.doc.description.map(|id| ir.text(id).untrusted()), Some("Long."));
    assert!(b.read_only, "what a type says of its values holds where it is used");
    assert_eq!(b.doc.description, None);
}

#[test]
fn bounds_stay_with_the_type_they_are_about() {
    check("A: { type: string, minLength: 1, maxLength: 5, pattern: '^a' }", "string[pattern^a length>=1 length<=5]");
    check("A: { type: integer, minimum: 1, maximum: 10, multipleOf: 2 }", "int[>=1 <=10 %2]");
    check_30(
        "A: { type: number, minimum: 0, exclusiveMinimum: true, maximum: 1, exclusiveMaximum: false }",
        "number[<=1 >0]",
    );
    check_31("A: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 1.5 }", "number[>0 <1.5]");
    check_in(
        "3.1.0",
        "A: { type: number, minimum: 0, exclusiveMinimum: true }",
        "number[>0]",
        &["TG0110 A/exclusiveMinimum"],
    );
    check(
        "A: { type: array, items: { type: string, maxLength: 3 }, minItems: 1, uniqueItems: true }",
        "[string[length<=3]][items>=1 unique]",
    );
    check("A: { type: object, maxProperties: 3 }", "{..}[properties<=3]");
    check_31(
        "A: { type: [string, integer], minLength: 2, minimum: 3 }",
        "<by_type string: string[length>=2] | integer: int[>=3]>",
    );
    check(
        "A: { type: object, properties: { a: { type: string, nullable: false, maxLength: 2 } } }",
        "{a?: string[length<=2], ..}",
    );
    check_in("3.0.3", "A: { type: number, exclusiveMinimum: 0 }", "number[>0]", &["TG0110 A/exclusiveMinimum"]);
}

#[test]
fn types_that_are_not_stated() {
    check("A: { items: { type: string } }", "[string]");
    check("A: { minLength: 3 }", "string[length>=3]");
    check("A: { format: uuid }", "string(uuid)");
    check("A: { format: int64 }", "int64");
    check("A: { minimum: 3 }", "number[>=3]");
    check_in("3.1.0", "A: { description: Something. }", "any", &["TG0305 A"]);
    check_in("3.1.0", "A: { minimum: 3, minLength: 3 }", "any", &["TG0305 A"]);
    check_31("A: { type: [integer, number] }", "number");
}

#[test]
fn what_is_not_modelled_is_named_once() {
    check_in("3.1.0", "A: { type: string, nott: { const: x }, iff: {}, thn: {} }", "string", &["TG0303 A/nott"]);
    check_in("3.1.0", "A: { type: string, contentSchema: {} }", "string", &[]);
    check_in("3.1.0", "A: { type: string, contentSchema: 3 }", "string", &["TG0303 A/contentSchema"]);
    check_in("3.1.0", "A: { $schema: 'https://example.com/own', type: string }", "string", &["TG0303 A/$schema"]);
    check_in("3.1.0", "A: { type: string, pattern: '^(?!x)' }", "string[pattern^(?!x)]", &["TG0303 A/pattern"]);
    check("A: { type: string, x-anything: { $ref: '#/nowhere' } }", "string");
}

#[test]
fn malformed_keywords_are_reported_and_ignored() {
    check_in("3.0.3", "A: { type: 5 }", "any", &["TG0309 A/type", "TG0305 A"]);
    check_in("3.0.3", "A: { type: object, properties: [] }", "{..}", &["TG0303 A/properties"]);
    check_in(
        "3.0.3",
        "A: { type: object, properties: { a: { type: string, required: true } } }",
        "{a?: string, ..}",
        &["TG0303 A/properties/a/required"],
    );
    check_in("3.0.3", "A: { type: strin }", "any", &["TG0309 A/type", "TG0305 A"]);
    check_in(
        "3.0.3",
        "A: { type: string, minLength: -1, maxLength: x }",
        "string",
        &["TG0303 A/maxLength", "TG0303 A/minLength"],
    );
    check_in("3.0.3", "A: 5", "any", &["TG0303 A"]);
    check_in("3.0.3", "A: { allOf: {} }", "any", &["TG0303 A/allOf", "TG0305 A"]);
    check_in("3.0.3", "A: { oneOf: [] }", "never", &["TG0307 A/oneOf"]);
    check_in("3.0.3", "A b: { type: string }", "string", &["TG0110 A b"]);
}

#[test]
fn all_of_becomes_one_record() {
    let base = "B: { type: object, required: [a], properties: { a: { type: string } } }";
    check(
        &format!(
            "A: {{ allOf: [{{ $ref: '#/components/schemas/B' }}, {{ type: object, properties: {{ b: {{ type: integer }} }} }}] }}\n{base}"
        ),
        "{a: string, b?: int, ..}",
    );
    check(
        &format!(
            "A: {{ allOf: [{{ $ref: '#/components/schemas/B' }}], required: [b], properties: {{ b: {{ type: integer }} }} }}\n{base}"
        ),
        "{a: string, b: int, ..}",
    );
    check("A: { allOf: [{ properties: { a: { type: string } } }, { required: [a] }] }", "{a: string, ..}");
    check(
        "A: { allOf: [{ type: string }, { maxLength: 5 }, { maxLength: 3, minLength: 1 }] }",
        "string[length>=1 length<=3]",
    );
    check(&format!("A: {{ description: Text., allOf: [{{ $ref: '#/components/schemas/B' }}] }}\n{base}"), "-> B");
    check(
        &format!(
            "A: {{ type: object, allOf: [{{ $ref: '#/components/schemas/B' }}, {{ description: Text. }}] }}\n{base}"
        ),
        "-> B",
    );
    check_31(&format!("A: {{ $ref: '#/components/schemas/B', description: Text. }}\n{base}"), "-> B");
    check_31(
        &format!("A: {{ $ref: '#/components/schemas/B', properties: {{ b: {{ type: integer }} }} }}\n{base}"),
        "{a: string, b?: int, ..}",
    );
    check_in(
        "3.0.3",
        &format!("A: {{ $ref: '#/components/schemas/B', nullable: true }}\n{base}"),
        "-> B",
        &["TG0303 A/nullable"],
    );
    check(
        "A: { allOf: [{ properties: { a: { type: string } } }, { properties: { a: { type: string, enum: [x] } } }] }",
        "{a?: 'x', ..}",
    );
    check(
        "A: { allOf: [{ properties: { a: { type: number } } }, { properties: { a: { type: integer } } }] }",
        "{a?: int, ..}",
    );
    check("A: { allOf: [{ enum: [a, b] }, { enum: [b, c] }] }", "'b'");
    check(
        "A: { allOf: [{ $ref: '#/components/schemas/A' }, { properties: { a: { type: string } } }] }",
        "{a?: string, ..}",
    );
    check_31("A: { allOf: [{ type: [string, 'null'] }, { maxLength: 3 }] }", "null|string[length<=3]");
}

#[test]
fn a_contradiction_names_both_places() {
    let schemas = "A: { allOf: [{ properties: { a: { type: string } } }, { properties: { a: { type: integer } } }] }";
    check_in("3.1.0", schemas, "{a?: <string & int>, ..}", &["TG0302 A/allOf/1/properties/a/type"]);
    let compiled = compiled("3.1.0", schemas);
    let conflict = compiled.diags.iter().find(|one| one.code == base::Code::TG0302).expect("reported");
    assert_eq!(conflict.related[0].0.pointer, "/components/schemas/A/allOf/0/properties/a/type");
    check_in(
        "3.1.0",
        "A: { allOf: [{ type: string }, { type: object }] }",
        "<string & {..}>",
        &["TG0302 A/allOf/1/type"],
    );
    check_in("3.1.0", "A: { allOf: [{ enum: [a] }, { enum: [b] }] }", "<'a' & 'b'>", &["TG0302 A/allOf/1/enum"]);
    check_in("3.1.0", "A: { allOf: [{ const: a }, { const: b }] }", "<='a' & ='b'>", &["TG0302 A/allOf/1/const"]);
}

const CAT_AND_DOG: &str = "Cat: { type: object, required: [kind], properties: { kind: { type: string } } }\nDog: { type: object, required: [kind], properties: { kind: { type: string }, bark: { type: string } } }";

#[test]
fn unions_with_a_discriminator() {
    let union = |mapping: &str| {
        format!(
            "A: {{ oneOf: [{{ $ref: '#/components/schemas/Cat' }}, {{ $ref: '#/components/schemas/Dog' }}], discriminator: {{ propertyName: kind{mapping} }} }}\n{CAT_AND_DOG}"
        )
    };
    check(&union(""), "<kind/2 Cat ='Cat' | Dog ='Dog'>");
    check(&union(", mapping: { c: '#/components/schemas/Cat', d: Dog, d2: Dog }"), "<kind/3 Cat ='c' | Dog ='d'>");
    check_in(
        "3.1.0",
        &union(", mapping: { c: Cat, d: '#/components/schemas/Nowhere', e: Mouse }"),
        "<kind/2 Cat ='c' | Dog ='Dog'>",
        &["TG0306 A/discriminator/mapping/d", "TG0306 A/discriminator/mapping/e"],
    );
    check(&union(", mapping: { 'true': Cat, 'null': Dog }"), "<kind/2 Cat ='true' | Dog ='null'>");
    let no_property = "A: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { type: string }], discriminator: {} }";
    check_in("3.1.0", &format!("{no_property}\n{CAT_AND_DOG}"), "<by_type Cat | string>", &["TG0306 A/discriminator"]);
    let scalar =
        "A: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { type: string }], discriminator: { propertyName: kind } }";
    check_in("3.1.0", &format!("{scalar}\n{CAT_AND_DOG}"), "<by_type Cat | string>", &["TG0306 A/discriminator"]);
    check(
        "A: { oneOf: [{ $ref: '#/components/schemas/X' }, { $ref: '#/components/schemas/Y' }], discriminator: { propertyName: k } }\nX: { type: object, properties: { k: { type: string, enum: [x, x2] } } }\nY: { type: object, properties: { k: { type: string, enum: [y] } } }",
        "<k/3 X ='x' | Y ='y'>",
    );
}

#[test]
fn unions_that_tell_themselves() {
    check(
        "A: { oneOf: [{ type: object, required: [k], properties: { k: { type: string, enum: [x] } } }, { type: object, required: [k], properties: { k: { type: string, enum: [y] } } }] }",
        "<k/2 x: {k: 'x', ..} ='x' | y: {k: 'y', ..} ='y'>",
    );
    check(
        "A: { anyOf: [{ type: string, enum: [a] }, { type: string, enum: [b] }] }",
        "<literal variant1: 'a' | variant2: 'b'>",
    );
    check(
        "A: { anyOf: [{ type: string }, { type: integer }, { type: array, items: { type: string } }] }",
        "<by_type string | integer: int | array: [string]>",
    );
    check_in(
        "3.1.0",
        "A: { anyOf: [{ type: integer }, { type: number }] }",
        "<untagged integer: int | number>",
        &["TG0301 A"],
    );
    check(
        &format!("A: {{ anyOf: [{{ type: object }}, {{ $ref: '#/components/schemas/Cat' }}] }}\n{CAT_AND_DOG}"),
        "<by_property Cat @kind | variant1: {..}>",
    );
    check_31("A: { type: [string, integer, 'null'] }", "null|<by_type string | integer: int>");
    check("A: { oneOf: [{ type: string }] }", "-> string");
    check_in(
        "3.1.0",
        "A: { type: string, oneOf: [{ format: date }, { format: uuid }] }",
        "<untagged string: string(date) | string: string(uuid)>",
        &["TG0301 A"],
    );
}

/// A union of references to the schemas that follow, one a line.
fn union_of(names: &[&str], schemas: &[&str]) -> String {
    let refs: Vec<String> = names.iter().map(|name| format!("{{ $ref: '#/components/schemas/{name}' }}")).collect();
    format!("A: {{ anyOf: [{}] }}\n{}", refs.join(", "), schemas.join("\n"))
}

#[test]
fn a_property_that_one_variant_has_tells_it() {
    let b = "B: { type: object, required: [id, b], properties: { id: { type: string }, b: { type: string } } }";
    let c = "C: { type: object, required: [id], properties: { id: { type: string }, c: { type: string } } }";
    check(&union_of(&["B", "C"], &[b, c]), "<by_property B @b | C>");
    check(&union_of(&["C", "B"], &[b, c]), "<by_property B @b | C>");
    // An id, or what it names, or what is left of it.
    let gone = "Gone: { type: object, required: [id, gone], properties: { id: { type: string }, gone: { type: boolean, enum: [true] } } }";
    check(
        &union_of(&["Text", "C", "Gone"], &["Text: { type: string, maxLength: 9 }", c, gone]),
        "<by_property Gone @gone | C | Text>",
    );
    // The key of a later round may be a property of an earlier variant.
    let d = "D: { type: object, required: [d, b], properties: { d: { type: string }, b: { type: string } } }";
    let only_b = "E: { type: object, required: [id, b, x], properties: { id: { type: string }, b: { type: string }, x: { type: string } } }";
    let x = "F: { type: object, required: [id], properties: { id: { type: string }, x: { type: string } } }";
    check(&union_of(&["F", "E", "D"], &[only_b, d, x]), "<by_property D @d | E @b | F>");
    // A property that requests or responses lack is not always there.
    let hidden = b.replace("b: { type: string }", "b: { type: string, readOnly: true }");
    check_in("3.1.0", &union_of(&["B", "C"], &[&hidden, c]), "<untagged B | C>", &["TG0301 A"]);
    // Any name may be there.
    let map = "M: { type: object, additionalProperties: { type: string } }";
    check_in("3.1.0", &union_of(&["B", "M"], &[b, map]), "<untagged B | M>", &["TG0301 A"]);
    let of_numbers = "M: { type: object, additionalProperties: { type: integer } }";
    check(&union_of(&["B", "M"], &[b, of_numbers]), "<by_value B @id | M>");
    let optional = b.replace("required: [id, b]", "required: [id]");
    check_in("3.1.0", &union_of(&["B", "C"], &[&optional, c]), "<untagged B | C>", &["TG0301 A"]);
}

#[test]
fn values_that_differ_tell_variants() {
    let record = |name: &str, p: &str| format!("{name}: {{ type: object, required: [p], properties: {{ p: {p} }} }}");
    let of = |p: &str, q: &str| union_of(&["B", "C"], &[&record("B", p), &record("C", q)]);
    check(&of("{ enum: [a, b] }", "{ enum: [c] }"), "<by_value C @p | B @p>");
    check(&of("{ enum: [1] }", "{ enum: [2] }"), "<by_value B @p | C @p>");
    check(&of("{ type: string }", "{ type: integer }"), "<by_value B @p | C @p>");
    check(&of("{ type: string }", "{ type: array, items: { type: string } }"), "<by_value B @p | C @p>");
    let untagged = |p: &str, q: &str| check_in("3.1.0", &of(p, q), "<untagged B | C>", &["TG0301 A"]);
    untagged("{ enum: [a, b] }", "{ enum: [b, c] }");
    untagged("{ enum: [a] }", "{ type: string }");
    untagged("{ enum: [1] }", "{ enum: [1.0] }");
    untagged("{ type: integer }", "{ type: number }");
    untagged("{ type: [string, 'null'] }", "{ type: [integer, 'null'] }");
    // The variant without the property is the one that is left.
    let without = "C: { type: object, properties: { p: { type: integer } } }";
    check(&union_of(&["C", "B"], &[&record("B", "{ type: string }"), without]), "<by_value B @p | C>");
    // Texts and numbers themselves.
    check("A: { anyOf: [{ type: string }, { type: string, enum: [a, b] }] }", "<by_value string | variant2: 'a'|'b'>");
    check_in(
        "3.1.0",
        "A: { anyOf: [{ type: string, enum: [a] }, { type: string, enum: [a, b] }, { type: string }] }",
        "<untagged variant1: 'a' | variant2: 'a'|'b' | string>",
        &["TG0301 A"],
    );
}

#[test]
fn lists_are_told_by_their_items() {
    let lists = |items: &[&str]| {
        let lists: Vec<String> = items.iter().map(|items| format!("{{ type: array, items: {items} }}")).collect();
        format!("A: {{ anyOf: [{{ type: string }}, {}] }}", lists.join(", "))
    };
    check(
        &lists(&["{ type: string }", "{ type: integer }", "{ type: array, items: { type: integer } }"]),
        "<by_type string | array: [string] | array: [int] | array: [[int]]>",
    );
    check_in(
        "3.1.0",
        &lists(&["{ type: integer }", "{ type: number }"]),
        "<untagged string | array: [int] | array: [number]>",
        &["TG0301 A"],
    );
}

#[test]
fn unions_together_compare_within_a_budget() {
    let n_properties = 1_000;
    let properties: Vec<String> = (1..n_properties).map(|n| format!("p{n}: {{ type: boolean }}")).collect();
    let schemas = |n_unions: usize| {
        let mut out = format!(
            "B: {{ type: object, required: [p1], properties: {{ {} }} }}\nC: {{ type: object, properties: {{ c: {{ type: string }} }} }}\n",
            properties.join(", ")
        );
        for n in 0..n_unions {
            out += &format!(
                "U{n}: {{ oneOf: [{{ $ref: '#/components/schemas/B' }}, {{ $ref: '#/components/schemas/C' }}] }}\n"
            );
        }
        out
    };
    let fits = base::limits::UNION_PROPERTIES / n_properties;
    assert_eq!(findings(&compiled("3.1.0", &schemas(fits))), [""; 0]);
    // The one that is settled last is over the budget.
    assert_eq!(
        findings(&compiled("3.1.0", &schemas(fits + 1))),
        ["TG0105 /components/schemas/U0", "TG0301 /components/schemas/U0"]
    );
}

#[test]
fn a_union_beside_properties_is_a_union_of_whole_records() {
    check_in(
        "3.1.0",
        &format!(
            "A: {{ type: object, required: [id], properties: {{ id: {{ type: string }} }}, oneOf: [{{ $ref: '#/components/schemas/Cat' }}, {{ $ref: '#/components/schemas/Dog' }}] }}\n{CAT_AND_DOG}"
        ),
        "<untagged Cat: {id: string, kind: string, ..} | Dog: {id: string, kind: string, bark?: string, ..}>",
        &["TG0301 A"],
    );
    check(
        "A: { oneOf: [{ anyOf: [{ type: string }, { type: integer }] }, { type: boolean }] }",
        "<by_type string | integer: int | boolean: bool>",
    );
    check(
        "A: { allOf: [{ oneOf: [{ type: string }, { type: integer }] }, { oneOf: [{ type: string }, { type: boolean }] }] }",
        "<<by_type string | integer: int> & <by_type string | boolean: bool>>",
    );
}

#[test]
fn a_union_keeps_the_variants_that_the_schemas_beside_it_admit() {
    let any = "{ anyOf: [{ type: object }, { type: array, items: { type: string } }, { type: string }] }";
    let both = |beside: &str| format!("A: {{ allOf: [{any}, {beside}] }}");
    check(&both("{ type: array, items: { type: string }, maxItems: 3 }"), "-> [string][items<=3]");
    check(&both("{ type: string, maxLength: 3 }"), "-> string[length<=3]");
    // What one schema says of itself is taken as it is meant, and a contradiction stays one.
    let own = "A: { type: string, maxLength: 3, oneOf: [{ type: object }, { type: string }] }";
    let codes = |schemas: &str| findings(&compiled("3.1.0", schemas));
    assert!(codes(own).iter().any(|one| one.starts_with("TG0302")), "{:?}", codes(own));
    assert!(codes(&both("{ type: integer, minimum: 1 }")).iter().any(|one| one.starts_with("TG0302")));
}

#[test]
fn a_base_type_with_a_discriminator_tags_its_children() {
    let base = "Base: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind, mapping: { a: '#/components/schemas/A' } } }";
    let child = |name: &str| {
        format!(
            "{name}: {{ allOf: [{{ $ref: '#/components/schemas/Base' }}, {{ properties: {{ x: {{ type: string }} }} }}] }}"
        )
    };
    check(&format!("{}\n{base}", child("A")), "{kind: ='a', x?: string, ..}");
    check(&format!("{}\n{base}", child("B")), "{kind: string, x?: string, ..}");
    let unmapped = base.replace(", mapping: { a: '#/components/schemas/A' }", "");
    check(&format!("{}\n{unmapped}", child("A")), "{kind: ='A', x?: string, ..}");
    check(
        &format!(
            "{}\n{base}\nC: {{ allOf: [{{ $ref: '#/components/schemas/A' }}, {{ properties: {{ y: {{ type: string }} }} }}] }}",
            child("A")
        ),
        "{kind: string, x?: string, ..}",
    );
}

#[test]
fn recursion_is_kept_and_reported() {
    check_in(
        "3.1.0",
        "A: { type: object, properties: { next: { $ref: '#/components/schemas/A' } } }",
        "{next?: A, ..}",
        &["TG0203 A"],
    );
    check_in(
        "3.1.0",
        "A: { type: array, items: { $ref: '#/components/schemas/B' } }\nB: { type: object, additionalProperties: { $ref: '#/components/schemas/A' } }",
        "[B]",
        &["TG0203 A"],
    );
    check_in(
        "3.1.0",
        "A: { oneOf: [{ $ref: '#/components/schemas/A' }, { type: string }] }",
        "-> string",
        &["TG0203 A"],
    );
    check_in(
        "3.1.0",
        "A: { description: x, allOf: [{ $ref: '#/components/schemas/B' }] }\nB: { description: y, allOf: [{ $ref: '#/components/schemas/A' }] }",
        "unknown",
        &["TG0205 A"],
    );
    let compiled = compiled(
        "3.1.0",
        "A: { type: object, properties: { next: { $ref: '#/components/schemas/A' }, other: { $ref: '#/components/schemas/B' } } }\nB: { type: object }",
    );
    let ir = compiled.ir.as_ref().expect("compiled");
    let recursive: Vec<bool> = ir.types.named.iter().map(|&ty| ir.recursive[ty]).collect();
    assert_eq!(recursive, [true, false]);
}

/// The named types of `schemas`, each as its name and its shape, and the codes with their places.
#[track_caller]
fn check_all(schemas: &str, expect: &[&str], codes: &[&str]) {
    for version in ["3.0.3", "3.1.0"] {
        let compiled = compiled(version, schemas);
        let ir = compiled.ir.as_ref().expect("checked before");
        let named = ir.types.named.iter().map(|&ty| format!("{} {}", show(ir, ty, false), show(ir, ty, true)));
        assert_eq!(named.collect::<Vec<_>>(), expect, "{version}: {schemas}");
        let prefix = "/components/schemas/";
        let found: Vec<String> = findings(&compiled).iter().map(|one| one.replace(prefix, "")).collect();
        assert_eq!(found, codes, "{version}: {schemas}");
    }
}

#[test]
fn unions_in_a_circle_admit_what_any_of_them_admits() {
    let reference = |name: &str| format!("{{ $ref: '#/components/schemas/{name}' }}");
    let (a, b, c) = (reference("A"), reference("B"), reference("C"));
    let both = "<by_type string | integer: int>";
    check_all(
        &format!("A: {{ oneOf: [{b}, {{ type: string }}] }}\nB: {{ oneOf: [{a}, {{ type: integer }}] }}"),
        &[&format!("A {both}"), "B -> A"],
        &["TG0203 A"],
    );
    // Whichever comes first, and by either keyword.
    check_all(
        &format!("A: {{ anyOf: [{{ type: string }}, {b}] }}\nB: {{ oneOf: [{{ type: integer }}, {a}] }}"),
        &[&format!("A {both}"), "B -> A"],
        &["TG0203 A"],
    );
    check_all(
        &format!(
            "A: {{ oneOf: [{b}, {{ type: string }}] }}\nB: {{ oneOf: [{c}, {{ type: integer }}] }}\nC: {{ oneOf: [{a}, {{ type: boolean }}, {b}] }}"
        ),
        &["A <by_type string | integer: int | boolean: bool>", "B -> A", "C -> A"],
        &["TG0203 A"],
    );
    // Through a name for the other, and through an `allOf` of one.
    check_all(
        &format!(
            "A: {{ oneOf: [{c}, {{ type: string }}] }}\nB: {{ oneOf: [{a}, {{ type: integer }}] }}\nC: {{ description: x, allOf: [{b}] }}"
        ),
        &[&format!("A {both}"), "B -> A", "C -> A"],
        &["TG0203 A"],
    );
    // Who admits null admits it for all.
    check_all(
        &format!(
            "A: {{ oneOf: [{c}, {{ type: string }}] }}\nB: {{ oneOf: [{a}, {{ type: integer }}] }}\nC: {{ oneOf: [{b}, {{ enum: [null] }}] }}"
        ),
        &[&format!("A null|{both}"), "B -> A", "C -> A"],
        &["TG0203 A"],
    );
    // A union inside the other, written where it stands.
    check_all(
        &format!("A: {{ oneOf: [{{ oneOf: [{a}, {{ type: integer }}] }}, {{ type: string }}] }}"),
        &["A <by_type integer: int | string>"],
        &["TG0203 A"],
    );
    // Who only leads into the circle is not of it; a record on the way makes a recursive type and no circle.
    check_all(
        &format!(
            "A: {{ oneOf: [{b}, {{ type: boolean }}] }}\nB: {{ oneOf: [{c}, {{ type: string }}] }}\nC: {{ oneOf: [{b}, {{ type: integer }}] }}"
        ),
        &["A <by_type B | boolean: bool>", &format!("B {both}"), "C -> B"],
        &["TG0203 B"],
    );
    check_all(
        &format!("A: {{ oneOf: [{b}, {{ type: string }}] }}\nB: {{ type: object, properties: {{ a: {a} }} }}"),
        &["A <by_type B | string>", "B {a?: A, ..}"],
        &["TG0203 A"],
    );
    // One way out is what all of them are; without one there is nothing.
    check_all(
        &format!("A: {{ oneOf: [{b}, {a}] }}\nB: {{ oneOf: [{a}, {{ type: integer }}] }}"),
        &["A -> int", "B -> A"],
        &["TG0203 A"],
    );
    check_all(
        &format!("A: {{ oneOf: [{b}, {c}] }}\nB: {{ oneOf: [{a}, {c}] }}\nC: {{ oneOf: [{a}, {b}] }}"),
        &["A unknown", "B -> A", "C -> A"],
        &["TG0205 A"],
    );
}

#[test]
fn the_union_of_a_circle_keeps_its_discriminator() {
    let record = |name: &str| {
        format!(
            "{name}: {{ type: object, required: [kind], properties: {{ kind: {{ type: string, enum: [{name}] }} }} }}"
        )
    };
    let one_of = |first: &str, second: &str| {
        format!(
            "{{ oneOf: [{{ $ref: '#/components/schemas/{first}' }}, {{ $ref: '#/components/schemas/{second}' }}], discriminator: {{ propertyName: kind }} }}"
        )
    };
    check_all(
        &format!("A: {}\nB: {}\n{}\n{}", one_of("B", "Cat"), one_of("A", "Dog"), record("Cat"), record("Dog")),
        &["A <kind/2 Cat ='Cat' | Dog ='Dog'>", "B -> A", "Cat {kind: 'Cat', ..}", "Dog {kind: 'Dog', ..}"],
        &["TG0203 A"],
    );
}

#[test]
fn a_long_circle_of_unions_costs_what_it_is_long() {
    let n_unions = 900;
    let union = |n: usize| {
        let next = (n + 1) % n_unions;
        format!("U{n}: {{ oneOf: [{{ $ref: '#/components/schemas/U{next}' }}, {{ type: string, enum: [v{n}] }}] }}\n")
    };
    let schemas: String = (0..n_unions).map(union).collect();
    let compiled = compiled("3.1.0", &schemas);
    let ir = compiled.ir.as_ref().expect("compiled");
    let Shape::Union { variants, .. } = ir.types.rows[ir.types.named[0]].shape else { panic!("a union") };
    assert_eq!(variants.len(), n_unions);
    assert!(ir.types.named[1..].iter().all(|&ty| matches!(ir.types.rows[ty].shape, Shape::Alias { .. })));
    assert!(ir.types.rows.len() < 3 * n_unions, "no row a pair: {}", ir.types.rows.len());
}

#[test]
fn merged_types_that_contain_themselves_get_a_name() {
    let a = "A: { allOf: [{ $ref: '#/components/schemas/B' }, { $ref: '#/components/schemas/C' }] }";
    let node = |name: &str| {
        format!("{name}: {{ type: object, properties: {{ next: {{ $ref: '#/components/schemas/{name}' }} }} }}")
    };
    let compiled = compiled("3.1.0", &format!("{a}\n{}\n{}", node("B"), node("C")));
    let ir = compiled.ir.as_ref().expect("compiled");
    let next = *ir.types.named.iter().find(|&&ty| show(ir, ty, false) == "next").expect("the merged type");
    assert_eq!(show(ir, next, true), "{next?: next, ..}");
}

#[test]
fn variants_that_share_a_tag_become_a_union_inside() {
    let message = |name: &str, rest: &str| {
        format!(
            "{name}: {{ type: object, required: [type], properties: {{ type: {{ type: string, enum: [message] }}, {rest} }} }}"
        )
    };
    let schemas = |input: &str, output: &str| {
        format!(
            "A: {{ oneOf: [{{ $ref: '#/components/schemas/In' }}, {{ $ref: '#/components/schemas/Call' }}, {{ $ref: '#/components/schemas/Out' }}], discriminator: {{ propertyName: type }} }}\n{}\n{}\nCall: {{ type: object, required: [type], properties: {{ type: {{ type: string, enum: [call, reply] }} }} }}",
            message("In", input),
            message("Out", output)
        )
    };
    check_in(
        "3.1.0",
        &schemas("a: { type: string }", "b: { type: string }"),
        "<type/3 message: <untagged In | Out> ='message' | Call ='call'>",
        &["TG0301 A"],
    );
    // Where another property tells the two apart, nothing has to be tried.
    let role = |role: &str| format!("role: {{ type: string, enum: [{role}] }}");
    let (input, output) = (role("user"), role("assistant"));
    let with_roles = schemas(&input, &output).replace(
        "required: [type], properties: { type: { type: string, enum: [message] }",
        "required: [type, role], properties: { type: { type: string, enum: [message] }",
    );
    check(&with_roles, "<type/3 message: <role/2 In ='user' | Out ='assistant'> ='message' | Call ='call'>");
    // A tag that all variants share tells nothing.
    let same = format!(
        "A: {{ oneOf: [{{ $ref: '#/components/schemas/In' }}, {{ $ref: '#/components/schemas/Out' }}], discriminator: {{ propertyName: type }} }}\n{}\n{}",
        message("In", "a: { type: string }"),
        message("Out", "b: { type: string }")
    );
    check_in("3.1.0", &same, "<untagged In | Out>", &["TG0301 A", "TG0306 A/discriminator"]);
}

#[test]
fn a_format_is_reported_once_with_the_number_of_its_places() {
    let compiled = compiled(
        "3.1.0",
        "A: { type: string, format: odd }\nB: { type: string, format: odd }\nC: { type: array, items: { type: string, format: odd } }\nD: { type: integer, format: odd }\nE: { type: string, format: even }",
    );
    let messages: Vec<String> = compiled
        .diags
        .clone()
        .finish(&compiled.sources)
        .iter()
        .map(|one| format!("{} {}", one.place.pointer, one.message))
        .collect();
    let expect = [
        "/components/schemas/A/format format `odd` has no meaning here; the value is a plain string (here and in 2 more places)",
        "/components/schemas/D/format format `odd` has no meaning here; the value is any integer",
        "/components/schemas/E/format format `even` has no meaning here; the value is a plain string",
    ];
    assert_eq!(messages, expect);
}

#[test]
fn all_merges_together_have_a_budget() {
    // Each schema extends the one before: the chain is read again for every one of its members.
    let chain = |n: usize| {
        let first = "S0: { type: object }\n".to_owned();
        (1..n).fold(first, |out, at| {
            let before = at - 1;
            out + &format!(
                "S{at}: {{ allOf: [{{ $ref: '#/components/schemas/S{before}' }}, {{ maxProperties: 9 }}] }}\n"
            )
        })
    };
    let n_refused = |n: usize| {
        let found = findings(&compiled("3.1.0", &chain(n)));
        found.iter().filter(|one| one.starts_with("TG0105")).count()
    };
    // A step of the chain is six reads: a schema, what it says itself, and the same of its two members. A chain of n is
    // read n / 2 times on average.
    let fits = (base::limits::MERGED_SCHEMAS / 3).isqrt();
    assert_eq!((n_refused(fits - 20), n_refused(fits + 20)), (0, 1));
}

#[test]
fn budgets_refuse_what_is_above_them() {
    let union = |n: usize| {
        let variants: Vec<String> = (0..n).map(|n| format!("{{ const: {n} }}")).collect();
        format!("A: {{ oneOf: [{}] }}", variants.join(", "))
    };
    let codes = |schemas: &str| findings(&compiled("3.1.0", schemas));
    assert_eq!(codes(&union(base::limits::UNION_VARIANTS)), [""; 0]);
    assert_eq!(codes(&union(base::limits::UNION_VARIANTS + 1)), ["TG0105 /components/schemas/A/oneOf"]);
    let all_of = |n: usize| format!("A: {{ allOf: [{}] }}", vec!["{ type: object }"; n].join(", "));
    assert_eq!(codes(&all_of(base::limits::ALL_OF_MEMBERS)), [""; 0]);
    assert_eq!(codes(&all_of(base::limits::ALL_OF_MEMBERS + 1)), ["TG0105 /components/schemas/A"]);
}

#[test]
fn numbers_that_no_double_holds_are_left_out_and_reported() {
    for number in ["1e400", "-1e400", "1e-400"] {
        check_in("3.1.0", &format!("A: {{ type: number, const: {number} }}"), "number", &["TG0310 A/const"]);
        check_in("3.1.0", &format!("A: {{ type: number, enum: [{number}] }}"), "number", &["TG0310 A/enum/0"]);
        check_in("3.1.0", &format!("A: {{ type: number, enum: [1, {number}] }}"), "1", &["TG0310 A/enum/1"]);
        check_in("3.1.0", &format!("A: {{ enum: [[1, {number}], x] }}"), "'x'", &["TG0310 A/enum/0/1"]);
        for key in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] {
            let place = format!("TG0310 A/{key}");
            check_in("3.1.0", &format!("A: {{ type: number, {key}: {number} }}"), "number", &[&place]);
        }
        check_in("3.1.0", &format!("A: {{ type: number, default: {number} }}"), "number", &["TG0310 A/default"]);
    }
    let compiled = compiled("3.1.0", "A: { type: number, default: 1e400 }\nB: { type: number, default: 1e4 }");
    let ir = compiled.ir.as_ref().expect("compiled");
    let defaults: Vec<bool> = ir.types.named.iter().map(|&ty| ir.types.rows[ty].default.is_some()).collect();
    assert_eq!(defaults, [false, true]);
}

#[test]
fn integers_that_a_double_rounds_are_kept_and_reported() {
    let odd = "9007199254740993";
    check_in("3.1.0", &format!("A: {{ const: {odd} }}"), &format!("={odd}"), &["TG0310 A/const"]);
    check_in("3.1.0", &format!("A: {{ enum: [1, {odd}] }}"), &format!("1|{odd}"), &["TG0310 A/enum/1"]);
    check_in(
        "3.1.0",
        &format!("A: {{ type: integer, enum: ['{odd}'] }}"),
        odd,
        &["TG0110 A/enum/0", "TG0310 A/enum/0"],
    );
    check_in(
        "3.1.0",
        &format!("A: {{ type: integer, maximum: {odd} }}"),
        &format!("int[<={odd}]"),
        &["TG0310 A/maximum"],
    );
    check_in("3.1.0", &format!("A: {{ type: integer, default: {odd} }}"), "int", &["TG0310 A/default"]);
    // These are exact, or what programs print for a double.
    for safe in ["9007199254740991", "-9007199254740992", "9223372036854775808", "9223372036854776000", "1e21"] {
        check_31(&format!("A: {{ type: integer, maximum: {safe} }}"), &format!("int[<={safe}]"));
    }
}

#[test]
fn numbers_in_other_spellings() {
    check("A: { type: integer, minimum: 1E2, maximum: 2.5e+2 }", "int[>=1E2 <=2.5e+2]");
    check("A: { type: integer, enum: [1.0, 2] }", "1.0|2");
    check("A: { type: number, minimum: -0 }", "number[>=-0]");
    check_in(
        "3.0.3",
        "A: { type: number, enum: [0, -0, 1, 1.0, 10e-1] }",
        "0|1",
        &["TG0303 A/enum/1", "TG0303 A/enum/3", "TG0303 A/enum/4"],
    );
    check("A: { type: string, minLength: 1E1, maxLength: 20.0 }", "string[length>=10 length<=20]");
    for wrong in ["1.5", "-1", "1e-1"] {
        check_in("3.0.3", &format!("A: {{ type: string, minLength: {wrong} }}"), "string", &["TG0303 A/minLength"]);
    }
    for large in ["1e30", "9007199254740992", "1e400"] {
        check_in("3.0.3", &format!("A: {{ type: string, maxLength: {large} }}"), "string", &["TG0310 A/maxLength"]);
    }
    for step in ["0", "-2", "-0.0"] {
        check_in("3.0.3", &format!("A: {{ type: number, multipleOf: {step} }}"), "number", &["TG0303 A/multipleOf"]);
    }
}

#[test]
fn of_two_exclusive_bounds_the_stricter_one_holds() {
    check_31(
        "A: { allOf: [{ type: number, exclusiveMinimum: 5, exclusiveMaximum: 6 }, { exclusiveMinimum: 3, exclusiveMaximum: 9 }] }",
        "number[>5 <6]",
    );
}
