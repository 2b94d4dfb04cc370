//! The JSON Schemas of `tungsten.yml` and `agent.yml` (draft 2020-12), made from their key tables.
//!
//! Reads the table and the option tables of targets; writes a JSON value. Objects are closed; a target whose options
//! are not known here is open.

use serde_json::{Map, Value, json};

use crate::agent_yml::AgentManifest;
use crate::forms::{Form, Rule};
use crate::keys::{KeyRow, Object, Presence, Shape};
use crate::targets::{BUILT_IN_TARGETS, OptionKind, OptionRow, OptionTable};
use crate::tungsten_yml::{Manifest, Target};

/// A manifest's schema: its id, its title and its table.
struct Document {
    id: &'static str,
    title: &'static str,
    table: &'static Object,
}

const TUNGSTEN: Document =
    Document { id: "https://tungsten.dev/schemas/tungsten-v1.json", title: "tungsten.yml", table: Manifest::TABLE };

const AGENT: Document =
    Document { id: "https://tungsten.dev/schemas/agent-v1.json", title: "agent.yml", table: AgentManifest::TABLE };

/// The schema of `agent.yml`.
pub fn agent_schema() -> Value {
    Value::Object(document(&AGENT))
}

/// The schema, with targets that take any option.
pub fn schema() -> Value {
    schema_with(&[])
}

/// The schema. `options` are the tables of the built-in targets; a target without one takes any option.
pub fn schema_with(options: &[OptionTable]) -> Value {
    let mut schema = document(&TUNGSTEN);
    if let Some(targets) = schema.get_mut("properties").and_then(|properties| properties.get_mut("targets")) {
        *targets = targets_schema(targets, options);
    }
    Value::Object(schema)
}

fn document(of: &Document) -> Map<String, Value> {
    let mut defs = Definitions::default();
    let root = defs.object(of.table);
    defs.add_pending();
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("$id".to_owned(), json!(of.id));
    schema.insert("title".to_owned(), json!(of.title));
    schema.extend(root);
    schema.insert("$defs".to_owned(), Value::Object(defs.done));
    schema
}

/// Definitions of objects, made once each: a resource holds resources.
#[derive(Default)]
struct Definitions {
    done: Map<String, Value>,
    pending: Vec<&'static Object>,
}

impl Definitions {
    fn add_pending(&mut self) {
        while let Some(object) = self.pending.pop() {
            if !self.done.contains_key(object.name) {
                let schema = self.object(object);
                self.done.insert(object.name.to_owned(), Value::Object(schema));
            }
        }
        self.done.sort_keys();
    }

    fn object(&mut self, object: &'static Object) -> Map<String, Value> {
        let properties: Map<String, Value> =
            object.keys.iter().map(|row| (row.name.to_owned(), self.property(row))).collect();
        let required: Vec<&str> =
            object.keys.iter().filter(|row| row.presence == Presence::Required).map(|row| row.name).collect();
        let mut schema = Map::new();
        schema.insert("description".to_owned(), json!(object.doc.trim()));
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), Value::Object(properties));
        if !required.is_empty() {
            schema.insert("required".to_owned(), json!(required));
        }
        if !object.exactly_one.is_empty() {
            let one: Vec<Value> = object.exactly_one.iter().map(|name| json!({"required": [name]})).collect();
            schema.insert("oneOf".to_owned(), Value::Array(one));
        }
        if let Some((needed, keys)) = object.only_with {
            let keys: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), json!([needed]))).collect();
            schema.insert("dependentRequired".to_owned(), Value::Object(keys));
        }
        if !object.open {
            schema.insert("additionalProperties".to_owned(), json!(false));
        }
        schema
    }

    fn property(&mut self, row: &KeyRow) -> Value {
        let mut schema = Map::new();
        schema.insert("description".to_owned(), json!(row.doc.trim()));
        if let Presence::Default(value) = row.presence {
            let value = serde_json::from_str(value).expect("defaults of the key table are JSON");
            schema.insert("default".to_owned(), value);
        }
        schema.extend(self.shape((row.shape)()));
        Value::Object(schema)
    }

    fn shape(&mut self, shape: Shape) -> Map<String, Value> {
        let schema = match shape {
            Shape::Text(form) => return text(form),
            Shape::Bool => json!({"type": "boolean"}),
            Shape::True => json!({"const": true}),
            Shape::Integer { min, max } if min == max => json!({"const": min}),
            Shape::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
            Shape::Object(object) => {
                self.pending.push(object);
                json!({"$ref": format!("#/$defs/{}", object.name)})
            }
            Shape::Map { keys, values } => {
                let mut schema = Map::new();
                schema.insert("type".to_owned(), json!("object"));
                let names = text(keys);
                if names.len() > 1 {
                    schema.insert("propertyNames".to_owned(), Value::Object(names));
                }
                schema.insert("additionalProperties".to_owned(), Value::Object(self.shape(values())));
                return schema;
            }
            Shape::List { items, min_items } => {
                let mut schema = Map::new();
                schema.insert("type".to_owned(), json!("array"));
                if min_items > 0 {
                    schema.insert("minItems".to_owned(), json!(min_items));
                }
                schema.insert("items".to_owned(), Value::Object(self.shape(items())));
                return schema;
            }
            Shape::Either(shapes) => {
                let any: Vec<Value> = shapes.iter().map(|shape| Value::Object(self.shape(*shape))).collect();
                json!({"anyOf": any})
            }
            Shape::Any => return Map::new(),
        };
        into_map(schema)
    }
}

fn text(form: &Form) -> Map<String, Value> {
    let mut schema = Map::new();
    if let Rule::OneOf(words) = form.rule {
        schema.insert("enum".to_owned(), json!(words));
        return schema;
    }
    schema.insert("type".to_owned(), json!("string"));
    if let Some(pattern) = form.rule.pattern() {
        schema.insert("pattern".to_owned(), json!(pattern));
    } else if matches!(form.rule, Rule::NotEmpty) {
        schema.insert("minLength".to_owned(), json!(1));
    }
    schema
}

/// The map of targets: a built-in one has its options, any other needs `external`.
fn targets_schema(generic: &Value, options: &[OptionTable]) -> Value {
    let mut schema = generic.as_object().cloned().unwrap_or_default();
    let target = schema.remove("additionalProperties").unwrap_or_default();
    let built_in: Map<String, Value> = BUILT_IN_TARGETS
        .iter()
        .map(|built_in| {
            let table = options.iter().find(|table| table.target == built_in.name);
            (built_in.name.to_owned(), table.map_or_else(|| target.clone(), |table| with_options(&target, table)))
        })
        .collect();
    schema.insert("properties".to_owned(), Value::Object(built_in));
    schema.insert("additionalProperties".to_owned(), json!({"allOf": [target, {"required": ["external"]}]}));
    Value::Object(schema)
}

/// A target with the options of its own emitter; an external one under the same name has options of its own.
fn with_options(target: &Value, table: &OptionTable) -> Value {
    let mut closed = options_object(&table.rows);
    if let Some(properties) = closed.get_mut("properties").and_then(Value::as_object_mut) {
        properties.extend(Target::TABLE.keys.iter().map(|row| (row.name.to_owned(), json!(true))));
    }
    json!({"allOf": [target, {"if": {"required": ["external"]}, "then": true, "else": closed}]})
}

/// A closed object of options. Options hold options to a depth that their tables state, not an input.
fn options_object(rows: &[OptionRow]) -> Value {
    let properties: Map<String, Value> = rows.iter().map(|row| (row.name.to_owned(), option(row))).collect();
    json!({"properties": properties, "additionalProperties": false})
}

fn option(row: &OptionRow) -> Value {
    let mut schema = Map::new();
    schema.insert("description".to_owned(), json!(format!("{} Default: {}.", row.doc.trim(), row.default)));
    schema.extend(into_map(match &row.kind {
        OptionKind::Text { pattern: Some(pattern), .. } => json!({"type": "string", "pattern": pattern}),
        OptionKind::Text { pattern: None, .. } => json!({"type": "string"}),
        OptionKind::OneOf(words) => json!({"enum": words}),
        OptionKind::Bool => json!({"type": "boolean"}),
        OptionKind::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        OptionKind::Object(rows) => typed_object(rows),
        OptionKind::Switch(rows) => json!({"anyOf": [{"type": "boolean"}, typed_object(rows)]}),
    }));
    Value::Object(schema)
}

fn typed_object(rows: &[OptionRow]) -> Value {
    let mut schema = into_map(options_object(rows));
    schema.insert("type".to_owned(), json!("object"));
    Value::Object(schema)
}

fn into_map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
