//! What tells the variants of a union without tags apart: their JSON types, their values, or properties of their objects.
//!
//! Reads types, which are complete by now; writes nothing. `passes::union_strategy` asks and keeps the answer. What was
//! found out about a type is kept, since many unions may share one large variant; what each union compares is counted
//! against a budget of the run.

use std::rc::Rc;

use base::{Span, Sym, limits};
use tungsten_ir::{Additional, FieldId, Ir, JsonValue, Shape, Strategy, TypeId, ValueId};

use crate::facts::mask;
use crate::lookup::{Map, Set};

/// Types that are looked through below one variant, or below one property of it.
const MAX_VISITS: usize = 256;
/// Rounds in which variants are set aside by their keys. Real unions take one or two.
const MAX_ROUNDS: usize = 8;
/// Lists within lists whose items are looked at.
const MAX_LISTS: usize = 4;
/// One bit for each JSON type, places in the counts of [`Holders`].
const N_TYPES: usize = 8;
/// JSON types that several variants may share. That several admit null tells nothing, and needs not be told: null reads
/// the same in each.
const SHARED_TYPES: [u8; 5] = [mask::BOOL, mask::NUMBER, mask::STRING, mask::ARRAY, mask::OBJECT];

/// How a reader finds the variant of a value.
pub(crate) struct Told {
    pub(crate) strategy: Strategy,
    /// By variant.
    pub(crate) keys: Vec<Option<Key>>,
}

/// The property that tells a variant from those that are not set aside before it.
#[derive(Clone, Copy)]
pub(crate) struct Key {
    pub(crate) property: Sym,
    /// Variants of earlier rounds are asked for first.
    pub(crate) round: usize,
    /// Whether the property's value tells, not its presence.
    by_value: bool,
}

/// What is known of the types of a namespace.
#[derive(Default)]
pub(crate) struct Traits {
    values: Map<TypeId, Rc<Values>>,
    objects: Map<TypeId, Rc<Object>>,
    n_compared: usize,
}

/// The values of a type.
#[derive(Default)]
struct Values {
    /// JSON types whose values are not listed.
    open: u8,
    /// Texts, numbers and booleans that are listed.
    listed: Vec<Listed>,
    /// JSON types of all values.
    types: u8,
}

/// A listed value: its JSON type, and what tells it from others of that type.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Listed {
    Bool(bool),
    Number(Sym),
    String(Sym),
}

/// The objects of a type, as one record.
#[derive(Default)]
struct Object {
    properties: Vec<Property>,
    /// JSON types of members under any name, where the type states that there may be such members.
    wild: u8,
}

#[derive(Clone)]
struct Property {
    name: Sym,
    /// Whether every object has it, in requests as in responses.
    sure: bool,
    values: Rc<Values>,
}

impl Listed {
    fn json_type(self) -> u8 {
        match self {
            Self::Bool(_) => mask::BOOL,
            Self::Number(_) => mask::NUMBER,
            Self::String(_) => mask::STRING,
        }
    }
}

impl Values {
    fn add(&mut self, ir: &Ir, value: ValueId) {
        match ir.values.rows[value] {
            JsonValue::Null => self.open |= mask::NULL,
            JsonValue::Bool(yes) => self.listed.push(Listed::Bool(yes)),
            JsonValue::Number(text) if is_plain_integer(ir.names.resolve(text)) => {
                self.listed.push(Listed::Number(text));
            }
            // Fractions and powers have several spellings.
            JsonValue::Number(_) => self.open |= mask::NUMBER,
            JsonValue::String(text) => self.listed.push(Listed::String(text)),
            JsonValue::Array(_) => self.open |= mask::ARRAY,
            JsonValue::Object(_) => self.open |= mask::OBJECT,
        }
    }

    fn merge(&mut self, other: &Self) {
        self.open |= other.open;
        self.listed.extend_from_slice(&other.listed);
    }

    /// Brings the parts in line with each other, once all values are there.
    fn complete(mut self) -> Self {
        if self.open & mask::NUMBER != 0 {
            // A reader that sees a number knows no more than that it is one.
            self.open |= mask::NUMBER;
        }
        let mut seen = Set::default();
        self.listed.retain(|&value| seen.insert(value));
        self.types = self.listed.iter().fold(self.open, |types, value| types | value.json_type());
        self
    }
}

fn is_plain_integer(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    digits.bytes().all(|byte| byte.is_ascii_digit()) && number != "-0"
}

impl Traits {
    /// After the unions of other namespaces compared `n_compared` properties and values.
    pub(crate) fn after(n_compared: usize) -> Self {
        Self { n_compared, ..Self::default() }
    }

    pub(crate) fn n_compared(&self) -> usize {
        self.n_compared
    }

    /// What tells the variants apart; nothing when some can only be told by trying them, or when the budget is spent.
    pub(crate) fn told(&mut self, ir: &Ir, variants: &[TypeId]) -> Option<Told> {
        self.told_within(ir, variants, MAX_LISTS)
    }

    /// Whether all unions so far compared no more than the budget allows.
    pub(crate) fn is_within_budget(&self) -> bool {
        self.n_compared <= limits::UNION_PROPERTIES
    }

    /// Goes down into the items of lists, `n_lists` deep at most.
    fn told_within(&mut self, ir: &Ir, variants: &[TypeId], n_lists: usize) -> Option<Told> {
        let values: Vec<Rc<Values>> = variants.iter().map(|&ty| self.values(ir, ty)).collect();
        let only_null = |values: &Rc<Values>| values.types == mask::NULL;
        if values.iter().any(|values| values.types == 0) || values.iter().filter(|values| only_null(values)).count() > 1
        {
            return None;
        }
        let mut told = Told { strategy: Strategy::ByType, keys: vec![None; variants.len()] };
        for json_type in SHARED_TYPES {
            let group: Vec<usize> = (0..variants.len()).filter(|&place| values[place].types & json_type != 0).collect();
            if group.len() < 2 {
                continue;
            }
            let types: Vec<TypeId> = group.iter().map(|&place| variants[place]).collect();
            match json_type {
                mask::ARRAY => {
                    let items = types.iter().map(|&ty| items_of(ir, ty)).collect::<Option<Vec<_>>>()?;
                    let below = self.told_within(ir, &items, n_lists.checked_sub(1)?)?;
                    told.strategy = later(told.strategy, below.strategy);
                }
                mask::OBJECT => {
                    for (&place, key) in group.iter().zip(self.keys(ir, &types)?) {
                        let by =
                            if key.is_some_and(|key| key.by_value) { Strategy::ByValue } else { Strategy::ByProperty };
                        told.strategy = later(told.strategy, by);
                        told.keys[place] = key;
                    }
                }
                _ => {
                    let group: Vec<&Values> = group.iter().map(|&place| &*values[place]).collect();
                    if !self.are_apart(&group, json_type) {
                        return None;
                    }
                    told.strategy = Strategy::ByValue;
                }
            }
        }
        Some(told)
    }

    /// Whether the variants list different values of a JSON type; one of them may admit those that no other lists.
    fn are_apart(&mut self, variants: &[&Values], json_type: u8) -> bool {
        self.n_compared += variants.iter().map(|values| values.listed.len()).sum::<usize>();
        let n_open = variants.iter().filter(|values| values.open & json_type != 0).count();
        let mut seen: Set<Listed> = Set::default();
        n_open <= 1
            && self.is_within_budget()
            && variants
                .iter()
                .flat_map(|values| &values.listed)
                .filter(|value| value.json_type() == json_type)
                .all(|&value| seen.insert(value))
    }

    /// By variant: its key. One variant, the last to be left, needs none.
    fn keys(&mut self, ir: &Ir, variants: &[TypeId]) -> Option<Vec<Option<Key>>> {
        let objects: Vec<Rc<Object>> = variants.iter().map(|&ty| self.object(ir, ty)).collect::<Option<_>>()?;
        self.n_compared += objects.iter().map(|object| object.size()).sum::<usize>();
        let mut keys: Vec<Option<Key>> = vec![None; objects.len()];
        let mut rest: Vec<usize> = (0..objects.len()).collect();
        for round in 0..MAX_ROUNDS {
            if rest.len() < 2 {
                return Some(keys);
            }
            if !self.is_within_budget() {
                return None;
            }
            let holders = Holders::of(rest.iter().map(|&place| &*objects[place]));
            let n_before = rest.len();
            rest.retain(|&place| {
                keys[place] = holders.key(&objects[place], round);
                keys[place].is_none()
            });
            if rest.len() == n_before {
                return None;
            }
        }
        (rest.len() < 2).then_some(keys)
    }

    fn values(&mut self, ir: &Ir, ty: TypeId) -> Rc<Values> {
        let known = self.values.entry(ty).or_insert_with(|| Rc::new(values_of(ir, ty)));
        Rc::clone(known)
    }

    /// Nothing when what its objects look like cannot be told.
    fn object(&mut self, ir: &Ir, ty: TypeId) -> Option<Rc<Object>> {
        if let Some(known) = self.objects.get(&ty) {
            return Some(Rc::clone(known));
        }
        let object = Rc::new(self.object_of(ir, ty)?);
        self.objects.insert(ty, Rc::clone(&object));
        Some(object)
    }

    fn object_of(&mut self, ir: &Ir, ty: TypeId) -> Option<Object> {
        let types = &ir.types;
        let mut object = Object::default();
        // By record among those that the type may be: the fields of all parts.
        let mut records: Vec<Vec<Span<FieldId>>> = Vec::new();
        for leaf in leaves(ir, ty)?.0 {
            let parts: &[TypeId] = match types.rows[leaf].shape {
                Shape::Intersection { members } => types.members.slice(members),
                _ => &[leaf],
            };
            let mut fields_of = Vec::with_capacity(parts.len());
            for part in parts {
                match types.rows[types.without_null(*part).0].shape {
                    Shape::Record { fields, additional } => {
                        fields_of.push(fields);
                        if let Additional::Typed(extra) = additional {
                            object.wild |= self.values(ir, extra).types;
                        }
                    }
                    Shape::Map { values } => {
                        fields_of.push(Span::EMPTY);
                        object.wild |= self.values(ir, values).types;
                    }
                    _ if self.values(ir, *part).types & mask::OBJECT == 0 => {}
                    _ => return None,
                }
            }
            if !fields_of.is_empty() {
                records.push(fields_of);
            }
        }
        object.properties = self.properties(ir, &records);
        Some(object)
    }

    /// The properties of records, any of which a value may be. Sure is what each of them is sure to have.
    fn properties(&mut self, ir: &Ir, records: &[Vec<Span<FieldId>>]) -> Vec<Property> {
        struct Merged {
            name: Sym,
            n_sure: usize,
            last_sure: Option<usize>,
            values: Vec<Rc<Values>>,
        }
        let mut merged: Vec<Merged> = Vec::new();
        let mut places: Map<Sym, usize> = Map::default();
        for (record, spans) in records.iter().enumerate() {
            for field in spans.iter().flat_map(|&span| ir.types.fields.slice(span)) {
                let place = *places.entry(field.name).or_insert(merged.len());
                if place == merged.len() {
                    merged.push(Merged { name: field.name, n_sure: 0, last_sure: None, values: Vec::new() });
                }
                let property = &mut merged[place];
                property.values.push(self.values(ir, field.ty));
                let is_sure = field.required && !field.read_only && !field.write_only;
                if is_sure && property.last_sure.replace(record) != Some(record) {
                    property.n_sure += 1;
                }
            }
        }
        let of_all = |all: Vec<Rc<Values>>| match all.as_slice() {
            [only] => Rc::clone(only),
            _ => {
                let mut out = Values::default();
                all.iter().for_each(|one| out.merge(one));
                Rc::new(out.complete())
            }
        };
        merged
            .into_iter()
            .map(|one| Property { name: one.name, sure: one.n_sure == records.len(), values: of_all(one.values) })
            .collect()
    }
}

/// The strategy that looks at more of a value.
fn later(a: Strategy, b: Strategy) -> Strategy {
    let rank = |strategy| match strategy {
        Strategy::ByType => 0,
        Strategy::ByProperty => 1,
        _ => 2,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// The types that a type stands for: behind aliases and null, and by variant of unions; and whether null is on the way.
/// Nothing when there are too many.
fn leaves(ir: &Ir, ty: TypeId) -> Option<(Vec<TypeId>, bool)> {
    let types = &ir.types;
    let mut out = Vec::new();
    let mut has_null = false;
    let mut pending = vec![ty];
    let mut seen: Set<TypeId> = Set::default();
    while let Some(ty) = pending.pop() {
        let (ty, nullable) = types.without_null(ty);
        has_null |= nullable;
        if !seen.insert(ty) {
            continue;
        }
        if seen.len() > MAX_VISITS {
            return None;
        }
        match types.rows[ty].shape {
            Shape::Union { variants, .. } => {
                if variants.len() > MAX_VISITS {
                    return None;
                }
                pending.extend(types.variants.slice(variants).iter().rev().map(|variant| variant.ty));
            }
            _ => out.push(ty),
        }
    }
    Some((out, has_null))
}

/// The values of a type. What cannot be told counts as any value.
fn values_of(ir: &Ir, ty: TypeId) -> Values {
    let types = &ir.types;
    let mut out = Values::default();
    let Some((leaves, has_null)) = leaves(ir, ty) else { return Values { open: mask::ALL, ..out }.complete() };
    if has_null {
        out.open |= mask::NULL;
    }
    for leaf in leaves {
        let mut leaf = leaf;
        // Any one member bounds an intersection.
        for _ in 0..MAX_VISITS {
            let Shape::Intersection { members } = types.rows[leaf].shape else { break };
            let Some(&first) = types.members.slice(members).first() else { break };
            leaf = types.without_null(first).0;
        }
        match types.rows[leaf].shape {
            Shape::Const { value } => out.add(ir, value),
            Shape::Enum { values } => types.enum_values.slice(values).iter().for_each(|one| out.add(ir, one.value)),
            Shape::Never => {}
            Shape::Bool => out.open |= mask::BOOL,
            Shape::Integer { .. } | Shape::Number { .. } => out.open |= mask::NUMBER,
            Shape::String { .. } | Shape::Bytes => out.open |= mask::STRING,
            Shape::Array { .. } | Shape::Tuple { .. } => out.open |= mask::ARRAY,
            Shape::Map { .. } | Shape::Record { .. } => out.open |= mask::OBJECT,
            _ => out.open |= mask::ALL,
        }
    }
    out.complete()
}

/// The items of the one kind of list that a type admits.
fn items_of(ir: &Ir, ty: TypeId) -> Option<TypeId> {
    let mut found = None;
    for leaf in leaves(ir, ty)?.0 {
        match ir.types.rows[leaf].shape {
            Shape::Array { items } if found.is_none() => found = Some(items),
            Shape::Array { .. } | Shape::Tuple { .. } | Shape::Any | Shape::Unknown | Shape::Intersection { .. } => {
                return None;
            }
            _ => {}
        }
    }
    found
}

impl Object {
    fn size(&self) -> usize {
        self.properties.iter().map(|property| 1 + property.values.listed.len()).sum()
    }
}

/// What the variants that are left have, by property.
#[derive(Default)]
struct Holders {
    by_name: Map<Sym, Holder>,
    /// How many list a value of a property.
    by_value: Map<(Sym, Listed), usize>,
    /// By JSON type: how many admit members of it under any name.
    wild: [usize; N_TYPES],
    n_wild: usize,
}

#[derive(Clone, Copy, Default)]
struct Holder {
    n: usize,
    /// By JSON type: how many admit values of it.
    any: [usize; N_TYPES],
    /// By JSON type: how many admit values of it that they do not list.
    open: [usize; N_TYPES],
}

fn bits(types: u8) -> impl Iterator<Item = usize> {
    (0..N_TYPES).filter(move |bit| types & (1 << bit) != 0)
}

impl Holders {
    fn of<'o>(objects: impl Iterator<Item = &'o Object>) -> Self {
        let mut out = Self::default();
        for object in objects {
            out.n_wild += usize::from(object.wild != 0);
            bits(object.wild).for_each(|bit| out.wild[bit] += 1);
            for property in &object.properties {
                let holder = out.by_name.entry(property.name).or_default();
                holder.n += 1;
                bits(property.values.types).for_each(|bit| holder.any[bit] += 1);
                bits(property.values.open).for_each(|bit| holder.open[bit] += 1);
                for &value in &property.values.listed {
                    *out.by_value.entry((property.name, value)).or_default() += 1;
                }
            }
        }
        out
    }

    /// The property that tells an object from all others: one that no other has, else one whose values no other has.
    fn key(&self, object: &Object, round: usize) -> Option<Key> {
        let is_alone = |property: &&Property| {
            self.by_name.get(&property.name).is_some_and(|holder| holder.n == 1)
                && self.n_wild == usize::from(object.wild != 0)
        };
        let sure = || object.properties.iter().filter(|property| property.sure && property.values.types != 0);
        let key = |property: &Property, by_value| Key { property: property.name, round, by_value };
        if let Some(property) = sure().find(is_alone) {
            return Some(key(property, false));
        }
        sure().find(|property| self.is_apart(object, property)).map(|property| key(property, true))
    }

    /// Whether no other variant has a value that the property may have.
    fn is_apart(&self, object: &Object, property: &Property) -> bool {
        let Some(holder) = self.by_name.get(&property.name) else { return false };
        let values = &property.values;
        let is_own = |types: u8, bit: usize| usize::from(types & (1 << bit) != 0);
        bits(values.types).all(|bit| self.wild[bit] == is_own(object.wild, bit))
            && bits(values.open).all(|bit| holder.any[bit] == 1)
            && values.listed.iter().all(|&value| {
                self.by_value.get(&(property.name, value)) == Some(&1)
                    && bits(value.json_type()).all(|bit| holder.open[bit] == is_own(values.open, bit))
            })
    }
}
