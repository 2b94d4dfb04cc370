//! Whether a value is one of a type: what its shape says, and its rules where it has some.
//!
//! Reads types and a value; the first thing that is wrong is the result. Verdicts about containers are remembered, so
//! that unions in unions cost no more than types times values; depth and work are bounded besides.

use std::collections::HashMap;

use base::Span;
use base_doc::Kind;
use tungsten_ir::{
    Additional, BoundsId, Discriminator, Field, IntegerBits, Ir, JsonTypes, MemberId, Shape, Strategy, TypeId, Variant,
};

use crate::decimal::Decimal;
use crate::instance::{Instance, Json, phrase};
use crate::{Direction, Options, Patterns, Problem, Reading, equal, formats, numbers};

/// Types within types within values: two for each level of the deepest body, and some more. A thread's stack of 1 MiB
/// holds them; of 2 MiB in debug builds.
const DEPTH: u32 = 560;
/// Types looked at for one value.
const STEPS: u32 = 2_000_000;
/// Names that are compared for the cost of a look at a type.
const COMPARISONS_PER_STEP: usize = 64;

/// What is known about a type and a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// Being looked at: whoever comes back here without a step into the value adds nothing.
    Open,
    Holds,
    Fails,
}

/// Which members or items of one value were looked at, by their place.
pub(crate) type Looked = Vec<bool>;

pub(crate) struct Checker<'a> {
    pub(crate) ir: &'a Ir,
    pub(crate) patterns: &'a Patterns,
    pub(crate) options: Options,
    /// Looked up, never iterated.
    known: HashMap<(TypeId, usize), Known>,
    steps: u32,
    too_deep: bool,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(ir: &'a Ir, patterns: &'a Patterns, options: Options) -> Self {
        Self { ir, patterns, options, known: HashMap::new(), steps: 0, too_deep: false }
    }

    pub(crate) fn whole<'v, V: Json<'v>>(&mut self, ty: TypeId, value: V) -> Result<(), Problem> {
        self.value(ty, Instance::Value(value), 0, None)
    }

    pub(crate) fn is_strict(&self) -> bool {
        self.options.reading == Reading::Strict
    }

    /// Counts a look at a type.
    pub(crate) fn step(&mut self, depth: u32) -> Result<(), Problem> {
        self.steps = self.steps.saturating_add(1);
        self.too_deep |= depth > DEPTH;
        if self.is_exhausted() { Err(exhausted()) } else { Ok(()) }
    }

    /// Counts comparisons, which are cheaper than looks at types.
    pub(crate) fn compare(&mut self, n_names: usize, n_others: usize) -> Result<(), Problem> {
        let steps = n_names.saturating_mul(n_others) / COMPARISONS_PER_STEP;
        self.steps = self.steps.saturating_add(u32::try_from(steps).unwrap_or(u32::MAX));
        if self.is_exhausted() { Err(exhausted()) } else { Ok(()) }
    }

    /// Whether a budget is used up: from then on every verdict is a refusal.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.too_deep || self.steps > STEPS
    }

    /// Judges a value by a type. `looked` is told which of its parts the type has looked at.
    ///
    /// Types that stand for another one take no depth: what recurses is bounded by the parts of the value, and by types in
    /// types that have the same value.
    pub(crate) fn value<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        value: Instance<'v, V>,
        depth: u32,
        looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let mut ty = ty;
        loop {
            self.step(depth)?;
            if !self.ir.types.judged[ty].rules.is_empty() {
                return self.remembered(ty, value, depth, looked);
            }
            match self.ir.types.rows[ty].shape {
                Shape::Unknown | Shape::Any => return self.row_bounds(ty, value),
                Shape::Alias { target } => {
                    self.row_bounds(ty, value)?;
                    ty = target;
                }
                Shape::Nullable { .. } if value.kind() == Kind::Null => return Ok(()),
                Shape::Nullable { inner } => ty = inner,
                shape if is_composite(shape) => return self.remembered(ty, value, depth, looked),
                _ => return self.by_shape(ty, value, depth),
            }
        }
    }

    fn remembered<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        value: Instance<'v, V>,
        depth: u32,
        looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let key = value.address().map(|address| (ty, address));
        match key.and_then(|key| self.known.get(&key)) {
            Some(Known::Open) => {
                let is_union = matches!(self.ir.types.rows[ty].shape, Shape::Union { .. });
                return if is_union { Err(mismatch()) } else { Ok(()) };
            }
            // Which parts were looked at is not remembered.
            Some(Known::Holds) if looked.is_none() => return Ok(()),
            Some(Known::Fails) => return Err(mismatch()),
            _ => {}
        }
        self.remember(key, Known::Open);
        let result = if self.ir.types.judged[ty].rules.is_empty() {
            self.by_shape(ty, value, depth)
        } else {
            self.by_all(ty, value, depth, looked)
        };
        self.remember(key, if result.is_ok() { Known::Holds } else { Known::Fails });
        result
    }

    fn remember(&mut self, key: Option<(TypeId, usize)>, known: Known) {
        if let Some(key) = key {
            self.known.insert(key, known);
        }
    }

    /// Rules are all that the schema says, so they decide alone; read as types, they only add to the shape.
    fn by_all<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        value: Instance<'v, V>,
        depth: u32,
        looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let shapeless = matches!(self.ir.types.rows[ty].shape, Shape::Any | Shape::Unknown);
        if !self.is_strict() && !shapeless {
            self.by_shape(ty, value, depth)?;
        }
        self.by_rules(ty, value, depth, looked, self.is_strict() || shapeless)
    }

    fn row_bounds<'v, V: Json<'v>>(&self, ty: TypeId, value: Instance<'v, V>) -> Result<(), Problem> {
        match self.ir.types.rows[ty].bounds {
            Some(bounds) => self.bounds(bounds, value),
            None => Ok(()),
        }
    }

    fn by_shape<'v, V: Json<'v>>(&mut self, ty: TypeId, value: Instance<'v, V>, depth: u32) -> Result<(), Problem> {
        let shape = self.ir.types.rows[ty].shape;
        if self.ir.types.judged[ty].inferred && self.is_strict() && !is_of_shape(shape, value) {
            return Ok(());
        }
        self.row_bounds(ty, value)?;
        match shape {
            Shape::Alias { target: inner } | Shape::Nullable { inner } => {
                self.value_or_null(shape, inner, value, depth)
            }
            Shape::Array { .. } | Shape::Tuple { .. } => self.list(shape, value, depth),
            Shape::Map { .. } | Shape::Record { .. } => self.object(ty, shape, value, depth),
            Shape::Union { .. } => self.union(ty, shape, value, depth),
            Shape::Intersection { members } => self.members(members, value, depth),
            shape => self.scalar(shape, value),
        }
    }

    fn value_or_null<'v, V: Json<'v>>(
        &mut self,
        shape: Shape,
        inner: TypeId,
        value: Instance<'v, V>,
        depth: u32,
    ) -> Result<(), Problem> {
        if matches!(shape, Shape::Nullable { .. }) && value.kind() == Kind::Null {
            return Ok(());
        }
        self.value(inner, value, depth + 1, None)
    }

    fn members<'v, V: Json<'v>>(
        &mut self,
        members: Span<MemberId>,
        value: Instance<'v, V>,
        depth: u32,
    ) -> Result<(), Problem> {
        for &member in self.ir.types.members.slice(members) {
            self.value(member, value, depth + 1, None)?;
        }
        Ok(())
    }

    fn list<'v, V: Json<'v>>(&mut self, shape: Shape, value: Instance<'v, V>, depth: u32) -> Result<(), Problem> {
        expect(value, Kind::Array)?;
        match shape {
            Shape::Array { items } => self.items(value, &[], Some(items), depth),
            Shape::Tuple { prefix, rest } => self.items(value, self.ir.types.members.slice(prefix), rest, depth),
            _ => Ok(()),
        }
    }

    fn object<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        shape: Shape,
        value: Instance<'v, V>,
        depth: u32,
    ) -> Result<(), Problem> {
        expect(value, Kind::Object)?;
        let (fields, additional) = match shape {
            Shape::Record { fields, additional } => (self.ir.types.fields.slice(fields), additional),
            Shape::Map { values } => (&[][..], Additional::Typed(values)),
            _ => (&[][..], Additional::Open),
        };
        let additional = if self.rules_name_members(ty) { Additional::Open } else { additional };
        self.record(fields, additional, value, depth)
    }

    /// Whether the type's rules say by pattern which members there are; its shape only tells what most look like.
    fn rules_name_members(&self, ty: TypeId) -> bool {
        let rules = self.ir.types.judged[ty].rules;
        tungsten_ir::has_patterns(self.ir.types.rules.rows.slice(rules))
    }

    fn items<'v, V: Json<'v>>(
        &mut self,
        list: Instance<'v, V>,
        prefix: &[TypeId],
        rest: Option<TypeId>,
        depth: u32,
    ) -> Result<(), Problem> {
        for (index, item) in list.items().enumerate() {
            let Some(ty) = prefix.get(index).copied().or(rest) else {
                return Err(Problem::new(format!("has more than {} items", prefix.len())));
            };
            at(self.value(ty, item, depth + 1, None), index)?;
        }
        Ok(())
    }

    fn record<'v, V: Json<'v>>(
        &mut self,
        fields: &[Field],
        additional: Additional,
        object: Instance<'v, V>,
        depth: u32,
    ) -> Result<(), Problem> {
        let names = &self.ir.names;
        for field in fields {
            let name = names.resolve(field.name);
            let stays_away = match self.options.direction {
                Some(Direction::Request) => field.read_only,
                Some(Direction::Response) => field.write_only,
                None => false,
            };
            match object.member(name) {
                Some(member) => at(self.value(field.ty, member, depth + 1, None), name)?,
                None if field.required && !stays_away => return Err(Problem::new("is missing").at(name)),
                None => {}
            }
        }
        if additional == Additional::Open {
            return Ok(());
        }
        self.compare(object.size(), fields.len())?;
        for (name, member) in object.members() {
            if names.find(name).is_some_and(|name| fields.iter().any(|field| field.name == name)) {
                continue;
            }
            match additional {
                Additional::Typed(ty) => at(self.value(ty, member, depth + 1, None), name)?,
                _ => return Err(Problem::new("is not a member that the description knows").at(name)),
            }
        }
        Ok(())
    }

    fn union<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        shape: Shape,
        value: Instance<'v, V>,
        depth: u32,
    ) -> Result<(), Problem> {
        let Shape::Union { variants, discriminator, strategy } = shape else { return Ok(()) };
        let types = &self.ir.types;
        let variants = types.variants.slice(variants);
        if let (Strategy::Tagged, Some(discriminator)) = (strategy, discriminator) {
            return self.tagged(variants, types.discriminators[discriminator], value, depth);
        }
        let exclusive = self.is_strict() && types.judged[ty].exclusive;
        let mut first = None;
        let mut n_matches = 0;
        for variant in variants {
            match self.value(variant.ty, value, depth + 1, None) {
                Ok(()) if !exclusive => return Ok(()),
                Ok(()) => n_matches += 1,
                Err(problem) => first = first.or(Some(problem)),
            }
        }
        match (first, variants.len()) {
            _ if n_matches == 1 => Ok(()),
            _ if n_matches > 1 => Err(Problem::new("matches several variants of its schema, and may match one")),
            (Some(problem), 1) => Err(problem),
            _ => Err(Problem::new("matches none of the variants of its schema")),
        }
    }

    fn tagged<'v, V: Json<'v>>(
        &mut self,
        variants: &[Variant],
        discriminator: Discriminator,
        value: Instance<'v, V>,
        depth: u32,
    ) -> Result<(), Problem> {
        let ir = self.ir;
        let property = ir.names.resolve(discriminator.property);
        expect(value, Kind::Object)?;
        let Some(tag) = value.member(property) else {
            let missing = || Err(Problem::new("is missing").at(property));
            return discriminator.default.map_or_else(missing, |ty| self.value(ty, value, depth + 1, None));
        };
        let is_tag = |id| equal::is_value(ir, id, tag);
        let mapped = ir.types.mappings.slice(discriminator.mapping).iter().find(|mapping| is_tag(mapping.tag));
        let chosen = mapped
            .map(|mapping| mapping.ty)
            .or_else(|| variants.iter().find(|variant| variant.tag.is_some_and(is_tag)).map(|variant| variant.ty));
        match chosen.or(discriminator.default) {
            Some(ty) => self.value(ty, value, depth + 1, None),
            None => Err(Problem::new("chooses no variant").at(property)),
        }
    }

    fn scalar<'v, V: Json<'v>>(&self, shape: Shape, value: Instance<'v, V>) -> Result<(), Problem> {
        let ir = self.ir;
        match shape {
            Shape::Never => Err(Problem::new("admits no value")),
            Shape::Bool => expect(value, Kind::Bool),
            Shape::Integer { bits } => {
                let number = value.number().and_then(|number| Decimal::parse(&number));
                let integer =
                    number.filter(Decimal::is_integer).ok_or_else(|| wrong_kind("an integer", value.kind()))?;
                let expected = match bits {
                    IntegerBits::B32 if integer.to_i64().is_none_or(|it| i32::try_from(it).is_err()) => "32",
                    IntegerBits::B64 if integer.to_i64().is_none() => "64",
                    _ => return Ok(()),
                };
                if self.options.formats {
                    return Err(wrong_kind(&format!("an integer of {expected} bits"), Kind::Number));
                }
                Ok(())
            }
            Shape::Number { .. } => expect(value, Kind::Number),
            Shape::Bytes => expect(value, Kind::String),
            Shape::String { format } => {
                let text = value.text().ok_or_else(|| wrong_kind("a string", value.kind()))?;
                let format = format.filter(|_| self.options.formats);
                match format.and_then(|format| formats::problem(format, text)) {
                    Some(expected) => Err(Problem::new(format!("is not {expected}"))),
                    None => Ok(()),
                }
            }
            Shape::Enum { values } => {
                let mut values = ir.types.enum_values.slice(values).iter();
                if values.any(|one| equal::is_value(ir, one.value, value)) {
                    return Ok(());
                }
                Err(Problem::new("is none of the values of its enum"))
            }
            Shape::Const { value: only } if equal::is_value(ir, only, value) => Ok(()),
            Shape::Const { .. } => Err(Problem::new("is not the one value that its schema admits")),
            _ => Ok(()),
        }
    }

    pub(crate) fn bounds<'v, V: Json<'v>>(&self, id: BoundsId, value: Instance<'v, V>) -> Result<(), Problem> {
        let bounds = &self.ir.types.bounds[id];
        let found = match value.kind() {
            Kind::String => self.text_problem(id, value.text().unwrap_or_default()),
            Kind::Number => {
                let reading = self.options.reading;
                value.number().and_then(|number| numbers::problem(&self.ir.names, bounds, &number, reading))
            }
            Kind::Array => count_problem(value.size(), bounds.min_items, bounds.max_items, "items").or_else(|| {
                (bounds.unique_items && !equal::are_unique(value.items())).then(|| "has an item twice".to_owned())
            }),
            Kind::Object => count_problem(value.size(), bounds.min_properties, bounds.max_properties, "members"),
            Kind::Null | Kind::Bool => None,
        };
        found.map_or(Ok(()), |what| Err(Problem::new(what)))
    }

    fn text_problem(&self, id: BoundsId, text: &str) -> Option<String> {
        let bounds = &self.ir.types.bounds[id];
        if bounds.min_length.is_some() || bounds.max_length.is_some() {
            let length = text.chars().count();
            let problem = count_problem(length, bounds.min_length, bounds.max_length, "characters");
            if problem.is_some() {
                return problem;
            }
        }
        let pattern = self.patterns.of_bounds(self.ir, id)?;
        (!pattern.matches(text)).then(|| "does not match its pattern".to_owned())
    }
}

fn is_composite(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::Array { .. }
            | Shape::Tuple { .. }
            | Shape::Map { .. }
            | Shape::Record { .. }
            | Shape::Union { .. }
            | Shape::Intersection { .. }
    )
}

pub(crate) fn exhausted() -> Problem {
    Problem::new("takes too much work to check")
}

fn mismatch() -> Problem {
    Problem::new("does not match its schema")
}

/// The JSON type of a value, as one bit of a set.
pub(crate) fn type_of<'v, V: Json<'v>>(value: Instance<'v, V>) -> u8 {
    match value.kind() {
        Kind::Null => JsonTypes::NULL,
        Kind::Bool => JsonTypes::BOOL,
        Kind::String => JsonTypes::STRING,
        Kind::Array => JsonTypes::ARRAY,
        Kind::Object => JsonTypes::OBJECT,
        Kind::Number => {
            let number = value.number().and_then(|number| Decimal::parse(&number));
            if number.is_some_and(|number| number.is_integer()) { JsonTypes::INTEGER } else { JsonTypes::FRACTION }
        }
    }
}

/// Whether a value is of the JSON type that a shape is about.
fn is_of_shape<'v, V: Json<'v>>(shape: Shape, value: Instance<'v, V>) -> bool {
    let admitted = match shape {
        Shape::Bool => JsonTypes::BOOL,
        Shape::Integer { .. } | Shape::Number { .. } => JsonTypes::NUMBER,
        Shape::String { .. } | Shape::Bytes => JsonTypes::STRING,
        Shape::Array { .. } | Shape::Tuple { .. } => JsonTypes::ARRAY,
        Shape::Map { .. } | Shape::Record { .. } => JsonTypes::OBJECT,
        _ => JsonTypes::ALL,
    };
    JsonTypes(admitted).admits(type_of(value))
}

/// A verdict about a part of a value.
pub(crate) fn at(result: Result<(), Problem>, step: impl ToString) -> Result<(), Problem> {
    result.map_err(|problem| problem.at(step.to_string()))
}

pub(crate) fn expect<'v, V: Json<'v>>(value: Instance<'v, V>, kind: Kind) -> Result<(), Problem> {
    if value.kind() == kind { Ok(()) } else { Err(wrong_kind(phrase(kind), value.kind())) }
}

pub(crate) fn wrong_kind(expected: &str, found: Kind) -> Problem {
    let found = phrase(found);
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
