//! Values of types: examples first, else made from the seed, the operation and the path of the field, and nothing else.
//!
//! Reads types; writes JSON values. Recursion ends because a type that is already being made is left out where it may
//! be, and made as small as it can be where it may not (see `heights`); the number of values is bounded besides.

use base::{Id, Sym};
use serde_json::{Map, Value};
use tungsten_ir::{Additional, Bounds, BoundsId, Field, Format, IntegerBits, Shape, Type, TypeId, ValueId, Variant};

use crate::check::{Direction, check};
use crate::demanded::demanded;
use crate::heights::ENDLESS;
use crate::world::World;
use crate::{json, numbers};

/// A number that depends on where it stands, and on nothing that was asked before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// The state of a part, by name.
    pub(crate) fn child(self, name: &str) -> Self {
        // FNV-1a.
        let hash = name
            .bytes()
            .fold(self.0 ^ 0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        Self(mix(hash))
    }

    /// The state of a part, by number.
    pub(crate) fn child_at(self, index: u64) -> Self {
        Self(mix(self.0 ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1)))
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `n`, or 0.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        if n == 0 { 0 } else { self.next() % n }
    }
}

/// SplitMix64's finalizer.
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Optional members below this depth are left out.
const OPTIONAL_DEPTH: u32 = 4;
/// Values made before optional members are left out everywhere.
const OPTIONAL_VALUES: u32 = 3_000;
/// Values made for one answer.
const VALUES: u32 = 50_000;
/// The largest integer up to which a double holds every one.
const EXACT: i128 = (1 << 53) - 1;

/// Types within types.
const DEPTH: u32 = 128;
/// Items of one list.
const ITEMS: u64 = 1_000;
/// Characters of one text.
const CHARACTERS: u64 = 100_000;
/// 2026-01-01T00:00:00Z, in seconds since 1970.
const YEAR_START: u64 = 1_767_225_600;
const YEAR_SECONDS: u64 = 365 * 86_400;

/// A value made for an answer, and what is wrong with it where none could be made that is right.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) value: Value,
    pub(crate) problem: Option<String>,
}

/// A value of a type as it comes back from the API. `name` is what the value is called.
pub(crate) fn generate(world: &World, ty: TypeId, random: Random, name: &str) -> Made {
    let mut first: Option<Made> = None;
    // The whole first, then as little as the schema admits.
    for minimal in [false, true] {
        let mut maker = Maker { world, open: Vec::new(), made: 0 };
        let place = Place { random, name, depth: 0, nth: 0, minimal };
        let Some(value) = maker.value(ty, place) else { continue };
        match check(world, ty, &value, Direction::Response) {
            Ok(()) => return Made { value, problem: None },
            Err(found) => first = first.or(Some(Made { value, problem: Some(found.text("body")) })),
        }
    }
    first.unwrap_or_else(|| Made { value: Value::Null, problem: Some("the schema admits no finite value".to_owned()) })
}

#[derive(Clone, Copy)]
struct Place<'a> {
    random: Random,
    name: &'a str,
    depth: u32,
    /// Which of several values in one list: equal items are avoided.
    nth: u64,
    /// Only what must be there.
    minimal: bool,
}

impl<'a> Place<'a> {
    fn member(self, name: &'a str) -> Self {
        Self { random: self.random.child(name), name, depth: self.depth + 1, ..self }
    }

    fn item(self, index: u64) -> Self {
        Self { random: self.random.child_at(index), depth: self.depth + 1, nth: index, ..self }
    }
}

struct Maker<'a> {
    world: &'a World,
    /// Types that are being made.
    open: Vec<TypeId>,
    made: u32,
}

impl Maker<'_> {
    fn value(&mut self, ty: TypeId, mut place: Place<'_>) -> Option<Value> {
        self.made += 1;
        if self.made > VALUES || self.open.len() as u32 > DEPTH || self.world.heights[ty.index()] == ENDLESS {
            return None;
        }
        let row = &self.world.ir.types.rows[ty];
        if let Some(example) = self.example(ty, row, place) {
            return Some(example);
        }
        place.minimal |= self.open.contains(&ty);
        self.open.push(ty);
        let value = self.shape(ty, row, place);
        self.open.pop();
        value
    }

    /// An example or default of the schema itself.
    fn example(&self, ty: TypeId, row: &Type, place: Place<'_>) -> Option<Value> {
        if place.nth > 0 {
            return None;
        }
        let default = row.default.map(|value| json::of_value(&self.world.ir, value));
        let stated = self.world.examples_of(row.origin);
        stated.into_iter().chain(default).find(|value| check(self.world, ty, value, Direction::Response).is_ok())
    }

    fn shape(&mut self, ty: TypeId, row: &Type, place: Place<'_>) -> Option<Value> {
        let types = &self.world.ir.types;
        let none = Bounds::default();
        let bounds = row.bounds.map_or(&none, |bounds| &types.bounds[bounds]);
        match row.shape {
            Shape::Never => None,
            Shape::Unknown | Shape::Any if place.depth == 0 => Some(Value::Object(Map::new())),
            Shape::Unknown | Shape::Any => Some(Value::String(fitted(place, bounds))),
            Shape::Bool => Some(Value::Bool((place.random.child("bool").0 ^ place.nth) & 1 == 0)),
            Shape::Integer { bits } => self.integer(bits, bounds, place),
            Shape::Number { .. } => Some(self.number(bounds, place)),
            Shape::String { format } => Some(Value::String(self.text(format, row.bounds, bounds, place))),
            Shape::Bytes => Some(Value::String(fitted(place, bounds))),
            Shape::Enum { values } => {
                let values = types.enum_values.slice(values);
                let index = place.nth as usize % values.len().max(1);
                values.get(index).map(|one| json::of_value(&self.world.ir, one.value))
            }
            Shape::Const { value } => Some(json::of_value(&self.world.ir, value)),
            Shape::Array { items } => Some(self.array(items, bounds, place)),
            Shape::Tuple { prefix, rest } => self.tuple(types.members.slice(prefix), rest, bounds, place),
            Shape::Map { values } => Some(self.map(Additional::Typed(values), Map::new(), bounds, place)),
            Shape::Record { fields, additional } => {
                let asked = demanded(types, ty);
                self.record(types.fields.slice(fields), &asked, additional, bounds, place)
            }
            Shape::Union { variants, discriminator, .. } => {
                let property = discriminator.map(|id| self.world.ir.names.resolve(types.discriminators[id].property));
                self.union(types.variants.slice(variants), property, place)
            }
            Shape::Intersection { members } => self.intersection(types.members.slice(members), place),
            Shape::Nullable { inner } => {
                if place.minimal && self.open.contains(&inner) {
                    return Some(Value::Null);
                }
                self.value(inner, place).or(Some(Value::Null))
            }
            Shape::Alias { target } => self.value(target, place),
        }
    }

    /// `asked`: names of members that must be there though their fields do not say so.
    fn record(
        &mut self,
        fields: &[Field],
        asked: &[Sym],
        additional: Additional,
        bounds: &Bounds,
        place: Place<'_>,
    ) -> Option<Value> {
        let world = self.world;
        let most = bounds.max_properties.unwrap_or(u64::MAX);
        let least = bounds.min_properties.unwrap_or_default();
        let n_required = fields.iter().filter(|field| field.required && !field.write_only).count() as u64;
        let mut room = most.saturating_sub(n_required);
        let wants_optional = !place.minimal && place.depth < OPTIONAL_DEPTH;
        let mut n_missing = least.saturating_sub(n_required);
        let mut members = Map::new();
        for field in fields.iter().filter(|field| !field.write_only) {
            let name = world.ir.names.resolve(field.name);
            if !field.required {
                let is_wanted = wants_optional && self.made < OPTIONAL_VALUES && !self.is_open(field.ty);
                if room == 0 || !(is_wanted || n_missing > 0 || asked.contains(&field.name)) {
                    continue;
                }
            }
            let inner = place.member(name);
            let is_right = |maker: &Self, value: &Value| field.required || maker.holds(field.ty, value);
            let mut made = self.field(field, inner).filter(|value| is_right(self, value));
            // As little as there must be, before it stays away: what need not be there and cannot be right.
            if made.is_none() && !place.minimal {
                let smaller = self.field(field, Place { minimal: true, ..inner });
                made = smaller.filter(|value| is_right(self, value));
            }
            match made {
                Some(value) => {
                    members.insert(name.to_owned(), value);
                    if !field.required {
                        room -= 1;
                        n_missing = n_missing.saturating_sub(1);
                    }
                }
                None if field.required => return None,
                None => {}
            }
        }
        if (members.len() as u64) < least {
            return Some(self.map(additional, members, bounds, place));
        }
        Some(Value::Object(members))
    }

    fn field(&mut self, field: &Field, place: Place<'_>) -> Option<Value> {
        let stated = self.world.examples_of(field.origin);
        let default = field.default.map(|value: ValueId| json::of_value(&self.world.ir, value));
        let example = stated
            .into_iter()
            .chain(default)
            .find(|value| check(self.world, field.ty, value, Direction::Response).is_ok());
        example.filter(|_| place.nth == 0).or_else(|| self.value(field.ty, place))
    }

    /// Adds members of free names to an object: one, or as many as there must be.
    fn map(
        &mut self,
        additional: Additional,
        mut members: Map<String, Value>,
        bounds: &Bounds,
        place: Place<'_>,
    ) -> Value {
        let is_small = place.minimal || place.depth >= OPTIONAL_DEPTH;
        let wanted = u64::from(!is_small && members.is_empty());
        let n_members = wanted
            .max(bounds.min_properties.unwrap_or_default())
            .min(bounds.max_properties.unwrap_or(u64::MAX))
            .min(ITEMS);
        for index in 1..=n_members {
            if members.len() as u64 >= n_members {
                break;
            }
            let key = format!("key{index}");
            let value = match additional {
                Additional::Typed(values) => {
                    let made = self.value(values, place.member(&key));
                    made.filter(|value| bounds.min_properties.is_some() || self.holds(values, value))
                }
                Additional::Open => Some(Value::String(format!("value{index}"))),
                Additional::Closed => None,
            };
            match value {
                Some(value) => {
                    members.insert(key, value);
                }
                None => break,
            }
        }
        Value::Object(members)
    }

    fn array(&mut self, items: TypeId, bounds: &Bounds, place: Place<'_>) -> Value {
        let wanted = u64::from(!place.minimal && place.depth < OPTIONAL_DEPTH * 2 && !self.is_open(items));
        let least = bounds.min_items.unwrap_or_default();
        let n_items = wanted.max(least).min(bounds.max_items.unwrap_or(u64::MAX)).min(ITEMS);
        let mut list: Vec<Value> = Vec::new();
        // Some values repeat (booleans, short enums): a few more are tried than are needed.
        for index in 0..n_items * 2 + 8 {
            if list.len() as u64 >= n_items {
                break;
            }
            let made = self.value(items, place.item(index));
            match made.filter(|item| least > 0 || self.holds(items, item)) {
                Some(item) if bounds.unique_items && list.iter().any(|other| json::equal(other, &item)) => {}
                Some(item) => list.push(item),
                None => break,
            }
        }
        Value::Array(list)
    }

    fn tuple(&mut self, prefix: &[TypeId], rest: Option<TypeId>, bounds: &Bounds, place: Place<'_>) -> Option<Value> {
        let most = bounds.max_items.unwrap_or(u64::MAX).min(ITEMS);
        let n_items = (prefix.len() as u64).max(bounds.min_items.unwrap_or_default()).min(most);
        let mut list = Vec::new();
        for index in 0..n_items {
            let Some(ty) = prefix.get(index as usize).copied().or(rest) else { break };
            list.push(self.value(ty, place.item(index))?);
        }
        Some(Value::Array(list))
    }

    fn union(&mut self, variants: &[Variant], property: Option<&str>, place: Place<'_>) -> Option<Value> {
        let mut order: Vec<&Variant> = variants.iter().collect();
        if place.minimal {
            order.sort_by_key(|variant| self.world.heights[variant.ty.index()]);
        } else {
            order.sort_by_key(|variant| self.is_open(variant.ty));
        }
        for variant in order {
            let Some(mut value) = self.value(variant.ty, place) else { continue };
            if let (Some(property), Some(tag), Some(members)) = (property, variant.tag, value.as_object_mut()) {
                members.insert(property.to_owned(), json::of_value(&self.world.ir, tag));
            }
            if check(self.world, variant.ty, &value, Direction::Response).is_ok() {
                return Some(value);
            }
        }
        None
    }

    /// Objects are put together; of other values, one that all members admit is taken.
    fn intersection(&mut self, members: &[TypeId], place: Place<'_>) -> Option<Value> {
        let mut values = Vec::new();
        for &member in members {
            values.push(self.value(member, place)?);
        }
        let holds =
            |value: &Value| members.iter().all(|&member| check(self.world, member, value, Direction::Response).is_ok());
        let merged = values.iter().cloned().reduce(|first, second| merge(first, second, false));
        let later = || values.iter().cloned().reduce(|first, second| merge(first, second, true));
        let whole = merged.clone().filter(holds).or_else(|| later().filter(holds));
        whole.or_else(|| values.iter().find(|value| holds(value)).cloned()).or(merged)
    }

    fn holds(&self, ty: TypeId, value: &Value) -> bool {
        check(self.world, ty, value, Direction::Response).is_ok()
    }

    /// Whether a type is being made, under whatever name.
    fn is_open(&self, ty: TypeId) -> bool {
        let types = &self.world.ir.types;
        let (inner, _) = types.without_null(ty);
        let is_in = |ty: TypeId| self.open.contains(&ty);
        let item = match types.rows[inner].shape {
            Shape::Array { items } | Shape::Map { values: items } => types.without_null(items).0,
            _ => inner,
        };
        is_in(ty) || is_in(inner) || is_in(item)
    }

    fn is_in_bounds(&self, bounds: &Bounds, number: &serde_json::Number) -> bool {
        let reading = tungsten_validate::Reading::Practical;
        tungsten_validate::number_problem(&self.world.ir.names, bounds, &number.to_string(), reading).is_none()
    }

    fn integer(&self, bits: IntegerBits, bounds: &Bounds, place: Place<'_>) -> Option<Value> {
        let mut random = place.random;
        let (low, high) = numbers::integer_range(&self.world.ir.names, bounds);
        let (least, most) = match bits {
            IntegerBits::B32 => (i32::MIN.into(), i32::MAX.into()),
            _ => (i128::from(i64::MIN), i128::from(u64::MAX)),
        };
        let (least, most) = (low.map_or(least, |low| low.max(least)), high.map_or(most, |high| high.min(most)));
        // Within what a double holds exactly, where the bounds leave anything of it: JavaScript reads no more.
        let (near, far) = (least.max(-EXACT), most.min(EXACT));
        let (least, most) = if near <= far { (near, far) } else { (least, most.max(least)) };
        let fits = |value: &i128| (least..=most).contains(value);
        let by_name = time_by_name(place.name, &mut random)
            .map(i128::from)
            .filter(|value| fits(value) && bounds.multiple_of.is_none());
        let value = by_name.unwrap_or_else(|| {
            let start = 1.clamp(least, most).min((most - 999).max(least));
            let span = (most - start).clamp(0, 999) as u64 + 1;
            start + i128::from((random.below(span) + place.nth) % span)
        });
        let value = match bounds.multiple_of.map(|step| self.world.ir.names.resolve(step)) {
            None => value,
            Some(step) => match step.parse::<i128>() {
                Ok(step) if step > 0 => {
                    let first = least.div_euclid(step) + i128::from(least.rem_euclid(step) != 0);
                    let first = if low.is_some() || most < 1 { first } else { first.max(1) };
                    let span = (most.div_euclid(step) - first).clamp(0, 99) as u64 + 1;
                    (first + i128::from((random.below(span) + place.nth) % span)).checked_mul(step)?
                }
                _ => (0..2_000).map(|n| value.max(least) + n).find(|&value| {
                    serde_json::Number::from_i128(value).is_some_and(|number| self.is_in_bounds(bounds, &number))
                })?,
            },
        };
        i64::try_from(value).map(Value::from).or_else(|_| u64::try_from(value).map(Value::from)).ok()
    }

    fn number(&self, bounds: &Bounds, place: Place<'_>) -> Value {
        let mut random = place.random;
        // Quarters are exact in binary, so that they print short.
        let quarter = random.below(4) as f64 / 4.0;
        let some = (random.below(999) + 1 + place.nth) as f64 + quarter;
        let (low, high) = numbers::float_range(&self.world.ir.names, bounds);
        let value = match (low, high) {
            (None, None) => some,
            (Some((low, _)), None) => low.floor() + some,
            (None, Some((high, _))) => high.ceil() - some,
            (Some((low, _)), Some((high, _))) if high - low > 2.0 => {
                let whole = ((high - low).floor() - 1.0).clamp(1.0, 998.0) as u64;
                low.floor() + 1.0 + ((random.below(whole) + place.nth) % whole) as f64
            }
            (Some((low, admitted)), Some(_)) if admitted && place.nth == 0 => low,
            (Some((low, _)), Some((high, _))) => low + (high - low) * (0.5 + 0.4 * (place.nth % 64) as f64 / 64.0),
        };
        let Some(step) = bounds
            .multiple_of
            .and_then(|step| self.world.ir.names.resolve(step).parse::<f64>().ok())
            .filter(|step| *step > 0.0)
        else {
            return json::number(&value.to_string());
        };
        let count = (value / step).floor();
        let on_step = [count, count + 1.0].map(|count| round(count * step));
        let holds =
            |value: &f64| serde_json::Number::from_f64(*value).is_some_and(|number| self.is_in_bounds(bounds, &number));
        json::number(&on_step.into_iter().find(holds).unwrap_or(on_step[0]).to_string())
    }

    fn text(&self, format: Option<Format>, id: Option<BoundsId>, bounds: &Bounds, place: Place<'_>) -> String {
        let (min, max) = (bounds.min_length.unwrap_or_default(), bounds.max_length.unwrap_or(u64::MAX));
        let formatted = format.and_then(|format| format_text(format, place)).or_else(|| text_by_name(place, format));
        let Some(pattern) = id.and_then(|id| self.world.pattern(id)) else {
            let fits = |text: &String| (min..=max).contains(&crate::text::code_points(text));
            return formatted.filter(fits).unwrap_or_else(|| fitted(place, bounds));
        };
        let fits = |text: &String| (min..=max).contains(&crate::text::code_points(text)) && pattern.matches(text);
        formatted.filter(fits).or_else(|| pattern.text(place.random, min, max)).unwrap_or_else(|| fitted(place, bounds))
    }
}

/// A number without the noise of binary fractions.
fn round(value: f64) -> f64 {
    format!("{value:.9}").parse().unwrap_or(value)
}

/// Members of both objects; of other values, and of members that both have, the first or the second.
fn merge(first: Value, second: Value, second_wins: bool) -> Value {
    match (first, second) {
        (Value::Object(mut members), Value::Object(others)) => {
            for (key, other) in others {
                match members.get_mut(&key) {
                    Some(member) => *member = merge(member.take(), other, second_wins),
                    None => {
                        members.insert(key, other);
                    }
                }
            }
            Value::Object(members)
        }
        (_, second) if second_wins => second,
        (first, _) => first,
    }
}

/// The last word of a name: of `created_at` and `createdAt` it is `at`.
fn last_word(name: &str) -> String {
    let start = name
        .char_indices()
        .rev()
        .find(|&(_, c)| c.is_ascii_uppercase() || matches!(c, '_' | '-' | '.'))
        .map_or(0, |(index, _)| index);
    name[start..].trim_start_matches(['_', '-', '.']).to_ascii_lowercase()
}

/// A time of 2026, for integers called `*_ms` (milliseconds) or `*_at` (seconds).
fn time_by_name(name: &str, random: &mut Random) -> Option<u64> {
    let seconds = YEAR_START + random.child("time").0 % YEAR_SECONDS;
    match last_word(name).as_str() {
        "ms" => Some(seconds * 1_000 + random.child("ms").0 % 1_000),
        "at" => Some(seconds),
        _ => None,
    }
}

fn text_by_name(place: Place<'_>, format: Option<Format>) -> Option<String> {
    match (format, last_word(place.name).as_str()) {
        (None, "url" | "uri") => format_text(Format::Uri, place),
        (None, "email") => format_text(Format::Email, place),
        _ => None,
    }
}

/// A text of a format; nothing for those that do not say what a text looks like.
fn format_text(format: Format, place: Place<'_>) -> Option<String> {
    let mut random = place.random.child("text");
    let (a, b) = (random.next(), random.next());
    let (month, day) = (a % 12 + 1, a / 12 % 28 + 1);
    let (hour, minute, second) = (b % 24, b / 24 % 60, b / 1440 % 60);
    Some(match format {
        Format::Uuid => format!(
            "{:08x}-{:04x}-4{:03x}-{:x}{:03x}-{:012x}",
            a >> 32,
            a >> 16 & 0xffff,
            a & 0xfff,
            8 + (b >> 60 & 3),
            b >> 48 & 0xfff,
            b & 0xffff_ffff_ffff
        ),
        Format::Date => format!("2026-{month:02}-{day:02}"),
        Format::DateTime => format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"),
        Format::Time => format!("{hour:02}:{minute:02}:{second:02}Z"),
        Format::Duration => format!("PT{}S", b % 3600),
        Format::Email => format!("user-{:04x}@example.com", a & 0xffff),
        Format::Uri => format!("https://example.com/{:06x}", a & 0xff_ffff),
        Format::Hostname => format!("host-{:04x}.example.com", a & 0xffff),
        Format::Ipv4 => format!("192.0.2.{}", a % 254 + 1),
        Format::Ipv6 => format!("2001:db8::{:x}", a % 0xffff + 1),
        // Six bytes make eight characters.
        Format::Byte => {
            const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            (0..8).map(|index| char::from(ALPHABET[(a >> (index * 6) & 63) as usize])).collect()
        }
        Format::Password | Format::Other(_) => return None,
    })
}

/// A plain text, named after its place, as long as the bounds ask.
fn fitted(place: Place<'_>, bounds: &Bounds) -> String {
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name: String = place.name.chars().filter(is_plain).take(40).collect();
    let name = if name.is_empty() { "text".to_owned() } else { name };
    let mut text = format!("{name}-{:04x}", place.random.child("text").0 & 0xffff);
    let least = bounds.min_length.unwrap_or_default().min(CHARACTERS) as usize;
    if text.len() < least {
        text.extend(std::iter::repeat_n('x', least - text.len()));
    }
    let most = bounds.max_length.unwrap_or(u64::MAX);
    if text.len() as u64 > most {
        // The end differs from item to item, so it is what is kept.
        text = text[text.len() - most as usize..].to_owned();
    }
    text
}
