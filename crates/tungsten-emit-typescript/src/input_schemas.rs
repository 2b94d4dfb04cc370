//! Types of the arguments that macros add: JSON Schema as a manifest writes it, as types and in the neutral form.
//!
//! Reads values of the IR; returns texts and writes object literals. A keyword that is not known says nothing, so the
//! argument may then be more than it says. Values nest as deep as documents do, which a budget bounds.

use tungsten_emit::Doc;
use tungsten_emit::escape::typescript;
use tungsten_emit::layout::typescript::{Items, array};
use tungsten_ir::{Ir, JsonValue, ValueId};

use crate::literals;
use crate::object::{Members, object};

/// Levels that are looked at; what lies deeper may be anything.
const MAX_LEVELS: u8 = 32;

/// A keyword of a schema.
fn keyword(ir: &Ir, schema: ValueId, name: &str) -> Option<ValueId> {
    let JsonValue::Object(members) = ir.values.rows[schema] else { return None };
    let members = ir.values.members.slice(members).iter();
    members.rev().find(|(key, _)| ir.names.resolve(*key) == name).map(|(_, value)| *value)
}

fn text(ir: &Ir, value: ValueId) -> Option<&str> {
    match ir.values.rows[value] {
        JsonValue::String(text) => Some(ir.names.resolve(text)),
        _ => None,
    }
}

fn items(ir: &Ir, value: ValueId) -> Vec<ValueId> {
    match ir.values.rows[value] {
        JsonValue::Array(items) => ir.values.items.slice(items).to_vec(),
        _ => Vec::new(),
    }
}

/// What a schema admits.
enum Kind {
    Any,
    Null,
    Boolean,
    Text,
    Number { integer: bool },
    Values(Vec<ValueId>),
    List(Option<ValueId>),
    Object,
}

/// The kind, and whether null is admitted beside it.
fn kind(ir: &Ir, schema: ValueId) -> (Kind, bool) {
    if let Some(value) = keyword(ir, schema, "const") {
        return (Kind::Values(vec![value]), false);
    }
    if let Some(values) = keyword(ir, schema, "enum").map(|list| items(ir, list)).filter(|values| !values.is_empty()) {
        return (Kind::Values(values), false);
    }
    let Some(stated) = keyword(ir, schema, "type") else { return (Kind::Any, false) };
    let list = items(ir, stated);
    let words: Vec<&str> = match text(ir, stated) {
        Some(word) => vec![word],
        None => list.iter().filter_map(|&word| text(ir, word)).collect(),
    };
    let others: Vec<&str> = words.iter().copied().filter(|word| *word != "null").collect();
    let kind = match others.as_slice() {
        [] if words.is_empty() => Kind::Any,
        [] => Kind::Null,
        ["boolean"] => Kind::Boolean,
        ["string"] => Kind::Text,
        ["integer"] => Kind::Number { integer: true },
        ["number"] => Kind::Number { integer: false },
        ["array"] => Kind::List(keyword(ir, schema, "items")),
        ["object"] => Kind::Object,
        _ => Kind::Any,
    };
    let nullable = others.len() < words.len() && !matches!(kind, Kind::Any | Kind::Null);
    (kind, nullable)
}

struct Property<'a> {
    name: base::SpecText<'a>,
    schema: ValueId,
    required: bool,
}

fn properties(ir: &Ir, schema: ValueId) -> Vec<Property<'_>> {
    let required: Vec<&str> = keyword(ir, schema, "required")
        .map(|list| items(ir, list))
        .unwrap_or_default()
        .into_iter()
        .filter_map(|name| text(ir, name))
        .collect();
    let Some(JsonValue::Object(members)) = keyword(ir, schema, "properties").map(|id| ir.values.rows[id]) else {
        return Vec::new();
    };
    let members = ir.values.members.slice(members).iter();
    members
        .map(|(name, schema)| Property {
            name: ir.name(*name),
            schema: *schema,
            required: required.contains(&ir.names.resolve(*name)),
        })
        .collect()
}

fn is_closed(ir: &Ir, schema: ValueId) -> bool {
    keyword(ir, schema, "additionalProperties").is_some_and(|id| ir.values.rows[id] == JsonValue::Bool(false))
}

/// The members of the union that a schema is as a type, each in one line.
pub(crate) fn type_texts(ir: &Ir, schema: ValueId) -> Vec<String> {
    texts(ir, schema, 0)
}

fn texts(ir: &Ir, schema: ValueId, level: u8) -> Vec<String> {
    let (kind, nullable) = if level > MAX_LEVELS { (Kind::Any, false) } else { kind(ir, schema) };
    let mut texts = match kind {
        Kind::Any => vec!["unknown".to_owned()],
        Kind::Null => vec!["null".to_owned()],
        Kind::Boolean => vec!["boolean".to_owned()],
        Kind::Text => vec!["string".to_owned()],
        Kind::Number { .. } => vec!["number".to_owned()],
        Kind::Values(values) => values.into_iter().map(|value| literals::literal_type(ir, value)).collect(),
        Kind::List(None) => vec!["unknown[]".to_owned()],
        Kind::List(Some(items)) => {
            let items = texts(ir, items, level + 1);
            vec![if items.len() == 1 { format!("{}[]", items[0]) } else { format!("({})[]", items.join(" | ")) }]
        }
        Kind::Object => {
            let properties = properties(ir, schema);
            let member = |one: &Property<'_>| {
                let mark = if one.required { "" } else { "?" };
                format!("{}{mark}: {}", typescript::type_key(one.name), texts(ir, one.schema, level + 1).join(" | "))
            };
            let members: Vec<String> = properties.iter().map(member).collect();
            vec![match members.is_empty() {
                true => "{ [key: string]: unknown }".to_owned(),
                false => format!("{{ {} }}", members.join("; ")),
            }]
        }
    };
    if nullable {
        texts.push("null".to_owned());
    }
    texts
}

/// The neutral form of a schema.
pub(crate) fn write(doc: &mut Doc, ir: &Ir, schema: ValueId) {
    write_at(doc, ir, schema, 0);
}

fn write_at(doc: &mut Doc, ir: &Ir, schema: ValueId, level: u8) {
    let (kind, nullable) = if level > MAX_LEVELS { (Kind::Any, false) } else { kind(ir, schema) };
    if !nullable {
        return object(doc, |o| members(o, ir, schema, kind, level));
    }
    object(doc, |o| {
        o.plain("kind", "\"nullable\"");
        o.member("inner", |doc| object(doc, |o| members(o, ir, schema, kind, level)));
    });
}

fn members(o: &mut Members<'_>, ir: &Ir, schema: ValueId, kind: Kind, level: u8) {
    let number = |o: &mut Members<'_>, name: &str| {
        let value = keyword(ir, schema, name).map(|id| ir.values.rows[id]);
        if let Some(JsonValue::Number(text)) = value
            && let Some(number) = literals::number(ir, text)
        {
            o.plain(name, number);
        }
    };
    match kind {
        Kind::Any => o.plain("kind", "\"any\""),
        Kind::Null => {
            o.plain("kind", "\"const\"");
            o.plain("value", "null");
        }
        Kind::Boolean => o.plain("kind", "\"boolean\""),
        Kind::Text => {
            o.plain("kind", "\"string\"");
            if let Some(format) = keyword(ir, schema, "format").and_then(|id| text(ir, id)).and_then(format_name) {
                o.plain("format", format_args!("\"{format}\""));
            }
            if let Some(JsonValue::String(pattern)) = keyword(ir, schema, "pattern").map(|id| ir.values.rows[id]) {
                o.string("pattern", literals::string(ir, pattern));
            }
            ["minLength", "maxLength"].into_iter().for_each(|name| number(o, name));
        }
        Kind::Number { integer } => {
            o.plain("kind", if integer { "\"integer\"" } else { "\"number\"" });
            let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
            bounds.into_iter().for_each(|name| number(o, name));
        }
        Kind::Values(values) => match values.as_slice() {
            [only] => {
                o.plain("kind", "\"const\"");
                o.string("value", literals::value(ir, *only));
            }
            many => {
                o.plain("kind", "\"enum\"");
                o.member("values", |doc| {
                    array(doc, Items::Others, many, |doc, id| doc.text(literals::value(ir, *id)));
                });
            }
        },
        Kind::List(items) => {
            o.plain("kind", "\"array\"");
            o.member("items", |doc| match items {
                Some(items) => write_at(doc, ir, items, level + 1),
                None => doc.text("{ kind: \"any\" }"),
            });
            ["minItems", "maxItems"].into_iter().for_each(|name| number(o, name));
            let unique = keyword(ir, schema, "uniqueItems").map(|id| ir.values.rows[id]);
            o.flag("unique", unique == Some(JsonValue::Bool(true)));
        }
        Kind::Object => fields(o, ir, schema, level),
    }
}

fn fields(o: &mut Members<'_>, ir: &Ir, schema: ValueId, level: u8) {
    let properties = properties(ir, schema);
    o.plain("kind", "\"object\"");
    o.member("fields", |doc| {
        let kind = if properties.len() > 1 { Items::Composite } else { Items::Others };
        array(doc, kind, &properties, |doc, one| {
            object(doc, |o| {
                o.string("name", typescript::string(one.name));
                o.member("schema", |doc| write_at(doc, ir, one.schema, level + 1));
                o.flag("required", one.required);
            });
        });
    });
    if is_closed(ir, schema) {
        o.plain("additional", "\"closed\"");
    }
}

/// The formats that runtimes check.
fn format_name(format: &str) -> Option<&'static str> {
    const CHECKED: [&str; 10] =
        ["uuid", "date-time", "date", "time", "duration", "email", "uri", "hostname", "ipv4", "ipv6"];
    CHECKED.into_iter().find(|known| *known == format)
}
