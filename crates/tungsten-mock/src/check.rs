//! Whether a value is one of a type: JSON Schema's meaning over the rows of the IR.
//!
//! Reads types and a JSON value; the first thing that is wrong is the result. Verdicts about containers are remembered,
//! so that unions in unions cost no more than types times values; depth and work are bounded besides.

use std::collections::HashMap;

use serde_json::{Map, Value};
use tungsten_ir::{Additional, Bounds, DiscriminatorId, Field, IntegerBits, Shape, Strategy, TypeId, Variant};

use crate::json;
use crate::world::World;
use crate::{formats, numbers, text};

/// Which way a value travels: read-only members need not be sent, write-only ones do not come back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Request,
    Response,
}

/// The first thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Problem {
    /// Steps to the value, the innermost first.
    steps: Vec<String>,
    what: String,
}

impl Problem {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { steps: Vec::new(), what: what.into() }
    }

    pub(crate) fn at(mut self, step: impl Into<String>) -> Self {
        self.steps.push(step.into());
        self
    }

    /// `<where> <what>`, for people.
    pub(crate) fn text(&self, root: &str) -> String {
        let mut path = root.to_owned();
        for step in self.steps.iter().rev() {
            path.push('.');
            path.push_str(step);
        }
        format!("{path} {}", self.what)
    }
}

/// Types within types within values; far beyond what a body of the greatest depth needs.
const DEPTH: u32 = 1024;
/// Types looked at for one value.
const STEPS: u32 = 2_000_000;

/// Checks a value.
pub(crate) fn check(world: &World, ty: TypeId, value: &Value, direction: Direction) -> Result<(), Problem> {
    Checker { world, direction, known: HashMap::new(), steps: 0 }.value(ty, value, 0)
}

struct Checker<'a> {
    world: &'a World,
    direction: Direction,
    /// Verdicts by type and place of the value in memory, which nobody moves meanwhile. Looked up, never iterated.
    known: HashMap<(TypeId, usize), bool>,
    steps: u32,
}

impl Checker<'_> {
    fn value(&mut self, ty: TypeId, value: &Value, depth: u32) -> Result<(), Problem> {
        self.steps += 1;
        if depth > DEPTH || self.steps > STEPS {
            return Err(Problem::new("takes too much work to check"));
        }
        let row = &self.world.ir.types.rows[ty];
        if let Some(bounds) = row.bounds {
            self.bounds(bounds, value)?;
        }
        match row.shape {
            Shape::Unknown | Shape::Any => Ok(()),
            Shape::Alias { target } => self.value(target, value, depth + 1),
            Shape::Nullable { .. } if value.is_null() => Ok(()),
            Shape::Nullable { inner } => self.value(inner, value, depth + 1),
            Shape::Array { .. }
            | Shape::Tuple { .. }
            | Shape::Map { .. }
            | Shape::Record { .. }
            | Shape::Union { .. }
            | Shape::Intersection { .. } => self.composite(ty, value, depth),
            shape => self.scalar(shape, value),
        }
    }

    fn composite(&mut self, ty: TypeId, value: &Value, depth: u32) -> Result<(), Problem> {
        let key = (ty, std::ptr::from_ref(value) as usize);
        match self.known.get(&key) {
            Some(true) => return Ok(()),
            Some(false) => return Err(Problem::new("does not match its schema")),
            None => {}
        }
        // A type that comes back to itself without a step into the value adds nothing.
        self.known.insert(key, !matches!(self.world.ir.types.rows[ty].shape, Shape::Union { .. }));
        let result = self.parts(ty, value, depth);
        self.known.insert(key, result.is_ok());
        result
    }

    fn parts(&mut self, ty: TypeId, value: &Value, depth: u32) -> Result<(), Problem> {
        let types = &self.world.ir.types;
        match types.rows[ty].shape {
            Shape::Array { items } => {
                let list = value.as_array().ok_or_else(|| wrong_kind("a list", value))?;
                for (index, item) in list.iter().enumerate() {
                    self.value(items, item, depth + 1).map_err(|problem| problem.at(index.to_string()))?;
                }
                Ok(())
            }
            Shape::Tuple { prefix, rest } => {
                let list = value.as_array().ok_or_else(|| wrong_kind("a list", value))?;
                let prefix = types.members.slice(prefix);
                for (index, item) in list.iter().enumerate() {
                    let Some(ty) = prefix.get(index).copied().or(rest) else {
                        return Err(Problem::new(format!("has more than {} items", prefix.len())));
                    };
                    self.value(ty, item, depth + 1).map_err(|problem| problem.at(index.to_string()))?;
                }
                Ok(())
            }
            Shape::Map { values } => {
                let members = value.as_object().ok_or_else(|| wrong_kind("an object", value))?;
                for (key, member) in members {
                    self.value(values, member, depth + 1).map_err(|problem| problem.at(key))?;
                }
                Ok(())
            }
            Shape::Record { fields, additional } => {
                let members = value.as_object().ok_or_else(|| wrong_kind("an object", value))?;
                self.record(types.fields.slice(fields), additional, members, depth)
            }
            Shape::Union { variants, discriminator, strategy } => {
                self.union(types.variants.slice(variants), discriminator, strategy, value, depth)
            }
            Shape::Intersection { members } => {
                types.members.slice(members).iter().try_for_each(|&member| self.value(member, value, depth + 1))
            }
            _ => Ok(()),
        }
    }

    fn record(
        &mut self,
        fields: &[Field],
        additional: Additional,
        members: &Map<String, Value>,
        depth: u32,
    ) -> Result<(), Problem> {
        let names = &self.world.ir.names;
        for field in fields {
            let name = names.resolve(field.name);
            let stays_away = match self.direction {
                Direction::Request => field.read_only,
                Direction::Response => field.write_only,
            };
            match members.get(name) {
                Some(member) => self.value(field.ty, member, depth + 1).map_err(|problem| problem.at(name))?,
                None if field.required && !stays_away => return Err(Problem::new("is missing").at(name)),
                None => {}
            }
        }
        if additional == Additional::Open {
            return Ok(());
        }
        for (key, member) in members {
            if names.find(key).is_some_and(|key| fields.iter().any(|field| field.name == key)) {
                continue;
            }
            match additional {
                Additional::Typed(ty) => self.value(ty, member, depth + 1).map_err(|problem| problem.at(key))?,
                _ => return Err(Problem::new("is not a member that the description knows").at(key)),
            }
        }
        Ok(())
    }

    fn union(
        &mut self,
        variants: &[Variant],
        discriminator: Option<DiscriminatorId>,
        strategy: Strategy,
        value: &Value,
        depth: u32,
    ) -> Result<(), Problem> {
        if let (Strategy::Tagged, Some(discriminator)) = (strategy, discriminator) {
            return self.tagged(variants, discriminator, value, depth);
        }
        let mut first = None;
        for variant in variants {
            match self.value(variant.ty, value, depth + 1) {
                Ok(()) => return Ok(()),
                Err(problem) => first = first.or(Some(problem)),
            }
        }
        match (first, variants.len()) {
            (Some(problem), 1) => Err(problem),
            _ => Err(Problem::new("matches none of the variants of its schema")),
        }
    }

    fn tagged(
        &mut self,
        variants: &[Variant],
        discriminator: DiscriminatorId,
        value: &Value,
        depth: u32,
    ) -> Result<(), Problem> {
        let ir = &self.world.ir;
        let row = &ir.types.discriminators[discriminator];
        let property = ir.names.resolve(row.property);
        let members = value.as_object().ok_or_else(|| wrong_kind("an object", value))?;
        let Some(tag) = members.get(property) else {
            let missing = || Problem::new("is missing").at(property);
            return row.default.map_or_else(|| Err(missing()), |ty| self.value(ty, value, depth + 1));
        };
        let is_tag = |id| json::equal(&json::of_value(ir, id), tag);
        let mapped =
            ir.types.mappings.slice(row.mapping).iter().find(|mapping| is_tag(mapping.tag)).map(|mapping| mapping.ty);
        let chosen = mapped
            .or_else(|| variants.iter().find(|variant| variant.tag.is_some_and(is_tag)).map(|variant| variant.ty));
        match chosen.or(row.default) {
            Some(ty) => self.value(ty, value, depth + 1),
            None => Err(Problem::new("chooses no variant").at(property)),
        }
    }

    fn scalar(&self, shape: Shape, value: &Value) -> Result<(), Problem> {
        let ir = &self.world.ir;
        let holds = |holds: bool, expected: &str| if holds { Ok(()) } else { Err(wrong_kind(expected, value)) };
        match shape {
            Shape::Never => Err(Problem::new("admits no value")),
            Shape::Bool => holds(value.is_boolean(), "a boolean"),
            Shape::Integer { bits } => {
                let integer =
                    value.as_number().and_then(json::integer).ok_or_else(|| wrong_kind("an integer", value))?;
                match bits {
                    IntegerBits::B32 => holds(i32::try_from(integer).is_ok(), "an integer of 32 bits"),
                    IntegerBits::B64 => holds(i64::try_from(integer).is_ok(), "an integer of 64 bits"),
                    IntegerBits::Unstated => Ok(()),
                }
            }
            Shape::Number { .. } => holds(value.is_number(), "a number"),
            Shape::Bytes => holds(value.is_string(), "a string"),
            Shape::String { format } => {
                let text = value.as_str().ok_or_else(|| wrong_kind("a string", value))?;
                match format.and_then(|format| formats::problem(format, text)) {
                    Some(expected) => Err(Problem::new(format!("is not {expected}"))),
                    None => Ok(()),
                }
            }
            Shape::Enum { values } => {
                let is_one = ir
                    .types
                    .enum_values
                    .slice(values)
                    .iter()
                    .any(|one| json::equal(&json::of_value(ir, one.value), value));
                if is_one { Ok(()) } else { Err(Problem::new("is none of the values of its enum")) }
            }
            Shape::Const { value: only } => {
                let only = json::of_value(ir, only);
                if json::equal(&only, value) {
                    Ok(())
                } else {
                    Err(Problem::new("is not the one value that its schema admits"))
                }
            }
            _ => Ok(()),
        }
    }

    fn bounds(&self, id: tungsten_ir::BoundsId, value: &Value) -> Result<(), Problem> {
        let bounds = &self.world.ir.types.bounds[id];
        let found = match value {
            Value::String(text) => self.text_problem(id, bounds, text),
            Value::Number(number) => numbers::problem(&self.world.ir.names, bounds, number),
            Value::Array(items) => count_problem(items.len(), bounds.min_items, bounds.max_items, "items")
                .or_else(|| (bounds.unique_items && !are_unique(items)).then(|| "has an item twice".to_owned())),
            Value::Object(members) => {
                count_problem(members.len(), bounds.min_properties, bounds.max_properties, "members")
            }
            _ => None,
        };
        found.map_or(Ok(()), |what| Err(Problem::new(what)))
    }

    fn text_problem(&self, id: tungsten_ir::BoundsId, bounds: &Bounds, text: &str) -> Option<String> {
        if bounds.min_length.is_some() || bounds.max_length.is_some() {
            let length = text::code_points(text);
            if bounds.min_length.is_some_and(|min| length < min) {
                return Some(format!("has {length} characters, fewer than {}", bounds.min_length.unwrap_or_default()));
            }
            if bounds.max_length.is_some_and(|max| length > max) {
                return Some(format!("has {length} characters, more than {}", bounds.max_length.unwrap_or_default()));
            }
        }
        let pattern = self.world.pattern(id)?;
        (!pattern.matches(text)).then(|| "does not match its pattern".to_owned())
    }
}

fn wrong_kind(expected: &str, value: &Value) -> Problem {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    let not = if expected == found { "another one" } else { found };
    Problem::new(format!("is {not}, not {expected}"))
}

fn count_problem(count: usize, min: Option<u64>, max: Option<u64>, what: &str) -> Option<String> {
    let count = count as u64;
    if let Some(min) = min.filter(|&min| count < min) {
        return Some(format!("has {count} {what}, fewer than {min}"));
    }
    max.filter(|&max| count > max).map(|max| format!("has {count} {what}, more than {max}"))
}

/// Whether no two items are equal. Items are sorted by their text first, since long lists are compared.
fn are_unique(items: &[Value]) -> bool {
    if items.len() <= 32 {
        return items
            .iter()
            .enumerate()
            .all(|(index, item)| items[..index].iter().all(|other| !json::equal(item, other)));
    }
    let mut texts: Vec<String> = items.iter().map(canonical).collect();
    texts.sort_unstable();
    texts.windows(2).all(|pair| pair[0] != pair[1])
}

/// A text that equal values share: members sorted, integers without a fraction. Bounded by the depth of bodies.
fn canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => {
            json::integer(number).map_or_else(|| number.to_string(), |integer| integer.to_string())
        }
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let mut texts: Vec<String> =
                members.iter().map(|(key, member)| format!("{key:?}:{}", canonical(member))).collect();
            texts.sort_unstable();
            format!("{{{}}}", texts.join(","))
        }
        scalar => scalar.to_string(),
    }
}
