//! Values made at random for a schema: most of them nearly right, so that both verdicts are met often.
//!
//! Reads JSON Schemas as JSON; the same seed gives the same values.

use serde_json::{Map, Number, Value, json};

/// Values in values.
const DEPTH: u32 = 5;

/// Texts that formats and common patterns tell apart.
const TEXTS: [&str; 22] = [
    "",
    "a",
    "ab1",
    "x-a",
    "n-a",
    "A",
    "é😀",
    "a b",
    "a\nb",
    "0000",
    "none",
    "5b0f6a1e-3f0b-4d7e-9a51-5d2f8c1b7a10",
    "2024-02-29",
    "2023-02-29",
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:60.5+01:30",
    "a@example.com",
    "a@.com",
    "192.0.2.1",
    "192.0.2.256",
    "2001:db8::1",
    "\u{feff}\u{85}\u{2028}",
];

const NUMBERS: [&str; 20] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "6",
    "7",
    "1.0",
    "1.5",
    "-0.5",
    "0.3",
    "0.30000000000000004",
    "100",
    "1e2",
    "2147483648",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "1e20",
];

pub struct Random<'a> {
    root: &'a Value,
    state: u64,
}

impl<'a> Random<'a> {
    pub fn new(root: &'a Value, seed: u64) -> Self {
        Self { root, state: seed }
    }

    /// A number below `n` (SplitMix64).
    fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n.max(1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'t, T>(&mut self, list: &'t [T]) -> Option<&'t T> {
        let at = self.below(list.len());
        list.get(at)
    }

    /// A value that may be of the schema.
    pub fn value(&mut self, schema: &Value, depth: u32) -> Value {
        if depth > DEPTH || self.one_in(24) {
            return self.noise(depth);
        }
        if let Some(pointer) = schema["$ref"].as_str().and_then(|text| text.strip_prefix('#')) {
            let root = self.root;
            let target = root.pointer(pointer).unwrap_or(&Value::Null);
            let mut value = self.value(target, depth + 1);
            self.merge(&mut value, schema, depth);
            return value;
        }
        let mut value = self.own(schema, depth);
        self.merge(&mut value, schema, depth);
        value
    }

    /// Adds the members that the parts of a schema ask for.
    fn merge(&mut self, value: &mut Value, schema: &Value, depth: u32) {
        let mut parts: Vec<&Value> = schema["allOf"].as_array().into_iter().flatten().collect();
        for key in ["oneOf", "anyOf"] {
            let list = schema[key].as_array().map_or(&[][..], Vec::as_slice);
            parts.extend(self.pick(list));
        }
        let branch = if self.one_in(2) { "then" } else { "else" };
        parts.extend(["if", branch].into_iter().filter_map(|key| schema.get(key)));
        parts.extend(schema["dependentSchemas"].as_object().into_iter().flat_map(Map::values));
        for part in parts {
            let other = self.value(part, depth + 1);
            match (&mut *value, other) {
                (Value::Object(members), Value::Object(more)) => members.extend(more),
                (value, other) if schema.get("type").is_none() && schema.get("properties").is_none() => *value = other,
                _ => {}
            }
        }
    }

    fn own(&mut self, schema: &Value, depth: u32) -> Value {
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        if let Some(values) = schema["enum"].as_array() {
            return self.pick(values).cloned().unwrap_or(Value::Null);
        }
        if schema["nullable"] == true && self.one_in(4) {
            return Value::Null;
        }
        let named = match &schema["type"] {
            Value::String(name) => Some(name.as_str()),
            Value::Array(names) => self.pick(names).and_then(Value::as_str),
            _ => None,
        };
        let has = |keys: &[&str]| keys.iter().any(|key| schema.get(key).is_some());
        match named {
            Some("object") => self.object(schema, depth),
            Some("array") => self.array(schema, depth),
            Some("string") => self.text(schema),
            Some("integer" | "number") => self.number(schema),
            Some("boolean") => json!(self.one_in(2)),
            Some(_) => Value::Null,
            None if has(&["properties", "required", "additionalProperties", "patternProperties", "propertyNames"]) => {
                self.object(schema, depth)
            }
            None if has(&["items", "prefixItems", "contains", "unevaluatedItems"]) => self.array(schema, depth),
            None if has(&["minimum", "maximum", "multipleOf", "exclusiveMinimum"]) => self.number(schema),
            None if has(&["pattern", "minLength", "maxLength", "format"]) => self.text(schema),
            None => self.noise(depth),
        }
    }

    fn object(&mut self, schema: &Value, depth: u32) -> Value {
        let mut members = Map::new();
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            let is_wanted = if required.contains(&name.as_str()) { !self.one_in(20) } else { self.one_in(2) };
            if is_wanted {
                members.insert(name.clone(), self.value(member, depth + 1));
            }
        }
        for name in required {
            if !members.contains_key(name) && !self.one_in(20) {
                let value = self.noise(depth + 1);
                members.insert(name.to_owned(), value);
            }
        }
        for (pattern, member) in schema["patternProperties"].as_object().into_iter().flatten() {
            if self.one_in(2) {
                let name = format!("{}{}", pattern.trim_matches(['^', '$']), self.below(3));
                members.insert(name, self.value(member, depth + 1));
            }
        }
        let others = if schema["additionalProperties"] == false { 8 } else { 3 };
        if self.one_in(others) {
            let name = (*self.pick(&TEXTS).unwrap_or(&"")).to_owned();
            let further =
                ["additionalProperties", "unevaluatedProperties"].into_iter().find(|key| schema[key].is_object());
            let value = match further {
                Some(key) => self.value(&schema[key], depth + 1),
                None => self.noise(depth + 1),
            };
            members.insert(name, value);
        }
        Value::Object(members)
    }

    fn array(&mut self, schema: &Value, depth: u32) -> Value {
        let prefix = schema["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
        let least = schema["minItems"].as_u64().unwrap_or(0) as usize;
        let n_items = least + self.below(prefix.len() + 3);
        let items = (0..n_items).map(|at| match prefix.get(at) {
            Some(item) => self.value(item, depth + 1),
            None if schema.get("contains").is_some() && self.one_in(2) => self.value(&schema["contains"], depth + 1),
            None if schema["items"].is_object() => self.value(&schema["items"], depth + 1),
            None => self.noise(depth + 1),
        });
        Value::Array(items.collect())
    }

    fn text(&mut self, schema: &Value) -> Value {
        if let Some(example) =
            schema["examples"].as_array().filter(|_| !self.one_in(3)).and_then(|list| self.pick(list))
        {
            return example.clone();
        }
        let edge = ["minLength", "maxLength"].into_iter().filter_map(|key| schema[key].as_u64());
        let edges: Vec<u64> = edge.filter(|edge| *edge < 100).collect();
        if let Some(&edge) = self.pick(&edges).filter(|_| schema.get("pattern").is_none()) {
            let length = (edge as usize + self.below(3)).saturating_sub(1);
            return json!("a😀".chars().cycle().take(length).collect::<String>());
        }
        json!(self.pick(&TEXTS).unwrap_or(&""))
    }

    fn number(&mut self, schema: &Value) -> Value {
        let keys = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
        let bounds: Vec<&Value> = keys.into_iter().map(|key| &schema[key]).filter(|bound| bound.is_number()).collect();
        if let Some(bound) = self.pick(&bounds).filter(|_| !self.one_in(3)) {
            let shift = self.below(3) as i64 - 1;
            return match (bound.as_i64(), bound.as_f64()) {
                (Some(bound), _) => json!(bound.saturating_add(shift)),
                (None, Some(bound)) => json!(bound + shift as f64 * if self.one_in(2) { bound } else { 0.25 }),
                _ => json!(shift),
            };
        }
        if schema["type"] == "integer" && !self.one_in(4) {
            return json!(self.below(12) as i64 - 2);
        }
        self.any_number()
    }

    fn any_number(&mut self) -> Value {
        let text = self.pick(&NUMBERS).unwrap_or(&"0");
        text.parse::<Number>().map_or(Value::Null, Value::Number)
    }

    /// Anything.
    fn noise(&mut self, depth: u32) -> Value {
        match self.below(if depth > DEPTH { 4 } else { 6 }) {
            0 => Value::Null,
            1 => json!(self.one_in(2)),
            2 => self.any_number(),
            3 => json!(self.pick(&TEXTS).unwrap_or(&"")),
            4 => {
                let n_items = self.below(3);
                Value::Array((0..n_items).map(|_| self.noise(depth + 1)).collect())
            }
            _ => {
                let n_members = self.below(3);
                let name = |random: &mut Self| (*random.pick(&TEXTS).unwrap_or(&"")).to_owned();
                Value::Object((0..n_members).map(|_| (name(self), self.noise(depth + 1))).collect())
            }
        }
    }
}
