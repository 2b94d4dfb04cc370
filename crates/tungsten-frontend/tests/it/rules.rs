//! What schemas say beside shapes: the rules of a type, as one line of text.

use tungsten_frontend::{Compiled, Overrides};
use tungsten_ir::{Ir, JsonValue, Rule, Shape, TypeId};

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

/// The rules of the first type, and no finding; an empty text where its shape says it all.
#[track_caller]
fn check(schemas: &str, expect: &str) {
    let compiled = compiled("3.1.0", schemas);
    let ir = compiled.ir.as_ref().expect("checked before");
    assert_eq!(show(ir, ir.types.named[0], true), expect, "{schemas}");
    assert_eq!(findings(&compiled), [""; 0], "{schemas}");
}

/// A type: its name, else its rules in brackets, else how its shape is written in the tables.
fn show(ir: &Ir, ty: TypeId, open: bool) -> String {
    let types = &ir.types;
    let row = &types.rows[ty];
    if let Some(name) = row.name.filter(|_| !open) {
        return ir.names.resolve(name.name).to_owned();
    }
    let judged = types.judged[ty];
    let rules: Vec<String> = types.rules.rows.slice(judged.rules).iter().map(|&rule| show_rule(ir, rule)).collect();
    match (rules.is_empty(), open) {
        (false, true) => rules.join(" "),
        (false, false) => format!("({})", rules.join(" ")),
        (true, true) if judged.exclusive => "exclusive".to_owned(),
        (true, true) if judged.inferred => "inferred".to_owned(),
        (true, true) => String::new(),
        (true, false) => shape_name(row.shape).to_owned(),
    }
}

fn shape_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Any => "any",
        Shape::String { .. } => "string",
        Shape::Integer { .. } => "int",
        Shape::Const { .. } => "const",
        Shape::Record { .. } => "record",
        Shape::Nullable { .. } => "nullable",
        _ => "type",
    }
}

fn show_rule(ir: &Ir, rule: Rule) -> String {
    let types = &ir.types;
    let ty = |ty: TypeId| show(ir, ty, false);
    let name = |sym| ir.names.resolve(sym).to_owned();
    let names = |span| types.rules.names.slice(span).iter().map(|&sym| name(sym)).collect::<Vec<_>>().join(",");
    let list = |span| types.members.slice(span).iter().map(|&one| ty(one)).collect::<Vec<_>>().join(",");
    let members = |span| {
        let members = types.rules.members.slice(span).iter();
        members.map(|&(sym, one)| format!("{}:{}", name(sym), ty(one))).collect::<Vec<_>>().join(",")
    };
    match rule {
        Rule::Types { admitted } => format!("type={}", admitted.names().collect::<Vec<_>>().join("|")),
        Rule::Bounds { bounds } => format!("bounds={:?}", types.bounds[bounds].min_length),
        Rule::OneOfValues { values } => {
            let values = ir.values.items.slice(values).iter().map(|&value| match ir.values.rows[value] {
                JsonValue::Null => "null".to_owned(),
                JsonValue::Number(text) | JsonValue::String(text) => name(text),
                other => format!("{other:?}"),
            });
            format!("values={}", values.collect::<Vec<_>>().join("|"))
        }
        Rule::Required { names: span } => format!("required={}", names(span)),
        Rule::Properties { members: span } => format!("properties={}", members(span)),
        Rule::Patterns { members: span } => {
            let patterns = types.rules.patterns.slice(span).iter();
            let patterns = patterns.map(|&(text, one)| format!("{}:{}", ir.text(text).untrusted(), ty(one)));
            format!("patterns={}", patterns.collect::<Vec<_>>().join(","))
        }
        Rule::Additional { ty: one } => format!("additional={}", ty(one)),
        Rule::Names { ty: one } => format!("names={}", ty(one)),
        Rule::NeedsNames { name: sym, names: span } => format!("{}->{}", name(sym), names(span)),
        Rule::NeedsTypes { members: span } => format!("needs={}", members(span)),
        Rule::Prefix { items } => format!("prefix={}", list(items)),
        Rule::Items { ty: one } => format!("items={}", ty(one)),
        Rule::Contains { ty: one, min, max } => format!("contains={} {min}..{max:?}", ty(one)),
        Rule::Not { ty: one } => format!("not={}", ty(one)),
        Rule::If { condition, then, otherwise } => {
            format!("if={} then={:?} else={:?}", ty(condition), then.map(ty), otherwise.map(ty))
        }
        Rule::All { members } => format!("all={}", list(members)),
        Rule::Any { members } => format!("any={}", list(members)),
        Rule::One { members } => format!("one={}", list(members)),
        Rule::UnevaluatedProperties { ty: one } => format!("rest={}", ty(one)),
        Rule::UnevaluatedItems { ty: one } => format!("rest items={}", ty(one)),
    }
}

#[test]
fn ordinary_schemas_have_none() {
    check("A: { type: string, minLength: 2 }", "");
    check("A: { type: [string, 'null'], enum: [a, null] }", "");
    check("A: { type: object, required: [a], properties: { a: { type: string } }, additionalProperties: false }", "");
    check(
        "A: { allOf: [{ $ref: '#/components/schemas/B' }, { type: object, properties: { b: {} } }] }\nB: { type: object, properties: { a: {} } }",
        "",
    );
    check("A: { type: array, prefixItems: [{ type: string }], items: false, uniqueItems: true }", "");
    check("A: { anyOf: [{ type: string }, { type: integer }] }", "");
    check("A: { oneOf: [{ type: string }, { type: integer }] }", "exclusive");
    check("A: { properties: { a: { type: string } } }", "inferred");
}

#[test]
fn keywords_without_a_shape_are_rules() {
    check("A: { type: string, not: { const: x } }", "type=string not=(values=x)");
    check("A: { type: object, propertyNames: { minLength: 2 } }", "type=object names=(bounds=Some(2))");
    check(
        "A: { type: object, patternProperties: { '^x': { type: integer } }, additionalProperties: false }",
        "type=object patterns=^x:int additional=(values=)",
    );
    check(
        "A: { type: array, items: { type: integer }, contains: { const: 1 }, maxContains: 2 }",
        "type=array items=int contains=(values=1) 1..Some(2)",
    );
    check(
        "A: { type: object, dependentRequired: { a: [b, c] }, dependentSchemas: { d: { required: [e] } } }",
        "type=object a->b,c needs=d:(required=e)",
    );
    check(
        "A: { type: object, if: { required: [a] }, then: { required: [b] } }",
        "type=object if=(required=a) then=Some(\"(required=b)\") else=None",
    );
    check(
        "A: { type: object, oneOf: [{ required: [a] }, { required: [b] }], properties: { a: {}, b: {} } }",
        "type=object properties=a:any,b:any one=(required=a),(required=b)",
    );
    check(
        "A: { oneOf: [{ type: string }, { type: integer }], anyOf: [{ minLength: 1 }] }",
        "one=string,int any=(bounds=Some(1))",
    );
}

#[test]
fn what_is_left_is_asked_of_all_that_holds_for_the_value() {
    check(
        "A: { $ref: '#/components/schemas/B', unevaluatedProperties: false }\nB: { type: object, properties: { a: { type: string } } }",
        "all=B rest=(values=)",
    );
    let compiled = compiled(
        "3.1.0",
        "A: { $ref: '#/components/schemas/B', unevaluatedProperties: false }\nB: { type: object, properties: { a: { type: string } } }",
    );
    let ir = compiled.ir.as_ref().expect("compiled");
    assert_eq!(show(ir, ir.types.named[1], true), "type=object properties=a:string");
}

#[test]
fn what_a_shape_widens_is_said_by_rules() {
    check("A: { type: [string, 'null'], enum: [a, b] }", "type=null|string values=a|b");
    check("A: { const: ab, minLength: 3 }", "bounds=Some(3) values=ab");
    check(
        "A: { allOf: [{ $ref: '#/components/schemas/B' }, { properties: { b: {} } }] }\nB: { type: object, properties: { a: {} }, additionalProperties: false }",
        "all=B,(properties=b:any)",
    );
    check("A: { oneOf: [{ type: string }, { type: 'null' }] }", "one=string,(type=null)");
}

#[test]
fn operands_are_no_types_of_their_own() {
    let compiled = compiled(
        "3.1.0",
        "A: { type: object, not: { $ref: '#/components/schemas/A/$defs/x' }, $defs: { x: { properties: { y: { $ref: '#/components/schemas/A/$defs/x' } } } } }",
    );
    let ir = compiled.ir.as_ref().expect("compiled");
    assert_eq!(ir.types.named.len(), 1);
    assert_eq!(findings(&compiled), [""; 0]);
}

#[test]
fn older_drafts_are_read_as_the_newest() {
    let compiled = compiled(
        "3.0.3",
        "A: { type: object, dependencies: { a: [b], c: { required: [d] } } }\nB: { type: array, items: [{ type: string }], additionalItems: false }",
    );
    let ir = compiled.ir.as_ref().expect("compiled");
    assert_eq!(show(ir, ir.types.named[0], true), "type=object a->b needs=c:(required=d)");
    assert!(matches!(ir.types.rows[ir.types.named[1]].shape, Shape::Tuple { rest: None, .. }));
    let codes: Vec<String> = findings(&compiled);
    let codes: Vec<&str> = codes.iter().map(|one| &one[..6]).collect();
    assert_eq!(codes, ["TG0110"; 3]);
}
