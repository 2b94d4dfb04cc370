//! From the texts of a request to JSON values, led by types: every style of OpenAPI 3.2, section 4.12.
//!
//! Reads texts that are still percent-encoded, so that an encoded delimiter is data; writes values for `check` to
//! judge. A text that is no value of its type stays a text, and the check says what is wrong with it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tungsten_ir::{Additional, Location, Param, Shape, Style, TypeId};

use crate::check::{Direction, Problem, check};
use crate::json;
use crate::text::percent_decode;
use crate::world::World;

/// Types within types when a text is read: null in unions in intersections.
const DEPTH: u32 = 4;
/// Brackets of one name, `a[b][c]`.
const BRACKETS: usize = 16;

/// A pair of a query, form or cookie header: the name decoded, the value as it was sent.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) raw: String,
}

/// How texts are percent-decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Coding {
    /// As in a query: `+` is a space.
    Form,
    Path,
    /// Headers and cookies travel as they are.
    None,
}

impl Coding {
    fn decode(self, raw: &str) -> Result<String, Problem> {
        let decoded = match self {
            Self::None => Some(raw.to_owned()),
            Self::Path => percent_decode(raw, false),
            Self::Form => percent_decode(raw, true),
        };
        decoded.ok_or_else(|| Problem::new("is not percent-encoded UTF-8"))
    }
}

/// How one parameter is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Styled<'a> {
    pub(crate) name: &'a str,
    pub(crate) ty: TypeId,
    pub(crate) style: Style,
    pub(crate) explode: bool,
}

impl<'a> Styled<'a> {
    pub(crate) fn of(world: &'a World, param: &Param) -> Self {
        Self { name: world.ir.names.resolve(param.name), ty: param.ty, style: param.style, explode: param.explode }
    }
}

/// Splits a query or form into pairs. Fails on names that are not percent-encoded UTF-8.
pub(crate) fn pairs(text: &str) -> Result<Vec<Pair>, Problem> {
    let pair = |part: &str| {
        let (name, raw) = part.split_once('=').unwrap_or((part, ""));
        Ok(Pair { name: Coding::Form.decode(name)?, raw: raw.to_owned() })
    };
    text.split('&').filter(|part| !part.is_empty()).map(pair).collect()
}

/// The value of a parameter that is written as pairs; nothing when it is not there. `claimed` says which names belong
/// to other parameters, for objects that take any name.
pub(crate) fn from_pairs(
    world: &World,
    styled: Styled<'_>,
    pairs: &[Pair],
    claimed: &dyn Fn(&str) -> bool,
) -> Result<Option<Value>, Problem> {
    let coding = Coding::Form;
    best(world, styled.ty, |leaf| match kind(world, leaf) {
        Kind::List => list_of_pairs(world, leaf, styled, pairs, coding),
        Kind::Object if styled.style == Style::DeepObject => deep_object(world, leaf, styled.name, pairs),
        Kind::Object if styled.explode => exploded_object(world, leaf, styled, pairs, claimed),
        Kind::Object => {
            let Some(pair) = pairs.iter().find(|pair| pair.name == styled.name) else {
                return deep_object(world, leaf, styled.name, pairs);
            };
            flat_object(world, leaf, &split(&pair.raw, styled.style), coding).map(Some)
        }
        Kind::Scalar => match pairs.iter().find(|pair| pair.name == styled.name) {
            Some(pair) => Ok(Some(scalar(world, leaf, &coding.decode(&pair.raw)?, 0))),
            None => deep_object(world, leaf, styled.name, pairs),
        },
    })
}

/// The value of a path, header or cookie parameter.
pub(crate) fn from_text(world: &World, styled: Styled<'_>, location: Location, raw: &str) -> Result<Value, Problem> {
    let coding = if location == Location::Path { Coding::Path } else { Coding::None };
    let found = best(world, styled.ty, |leaf| text_value(world, leaf, styled, raw, coding).map(Some))?;
    found.ok_or_else(|| Problem::new("has no value"))
}

fn text_value(world: &World, leaf: TypeId, styled: Styled<'_>, raw: &str, coding: Coding) -> Result<Value, Problem> {
    let shape = kind(world, leaf);
    let body = match styled.style {
        Style::Label => raw.strip_prefix('.').ok_or_else(|| Problem::new("does not start with `.`"))?,
        Style::Matrix => raw.strip_prefix(';').ok_or_else(|| Problem::new("does not start with `;`"))?,
        _ => raw,
    };
    let delimiter = match (styled.style, styled.explode) {
        (Style::Label, true) => '.',
        (Style::Matrix, true) => ';',
        _ => ',',
    };
    // A matrix parameter repeats its name, but for the members of an exploded object.
    let named = |part: &str| -> Result<String, Problem> {
        if styled.style != Style::Matrix {
            return Ok(part.to_owned());
        }
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        if coding.decode(name)? != styled.name {
            return Err(Problem::new(format!("is not written as `;{}=`", styled.name)));
        }
        Ok(value.to_owned())
    };
    let parts = |text: &str| -> Vec<String> {
        let trim = |part: &str| if coding == Coding::None { part.trim().to_owned() } else { part.to_owned() };
        if text.is_empty() { Vec::new() } else { text.split(delimiter).map(trim).collect() }
    };
    match shape {
        Kind::Scalar => Ok(scalar(world, leaf, &coding.decode(&named(body)?)?, 0)),
        Kind::List if styled.explode && styled.style == Style::Matrix => {
            let items = parts(body).iter().map(|part| named(part)).collect::<Result<Vec<_>, _>>()?;
            list(world, leaf, &items, coding)
        }
        Kind::List => list(world, leaf, &parts(&named(body)?), coding),
        Kind::Object if styled.explode => {
            let mut members = Map::new();
            for part in parts(body) {
                let (key, value) = part.split_once('=').unwrap_or((&part, ""));
                let key = coding.decode(key)?;
                let member = member_value(world, leaf, &key, &coding.decode(value)?);
                members.insert(key, member);
            }
            Ok(Value::Object(members))
        }
        Kind::Object => flat_object(world, leaf, &parts(&named(body)?), coding),
    }
}

/// What texts of a type look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Scalar,
    List,
    Object,
}

fn kind(world: &World, ty: TypeId) -> Kind {
    let types = &world.ir.types;
    match types.rows[types.without_null(ty).0].shape {
        Shape::Array { .. } | Shape::Tuple { .. } => Kind::List,
        Shape::Record { .. } | Shape::Map { .. } => Kind::Object,
        Shape::Intersection { members } => {
            let is_object = |member: &TypeId| {
                let shape = types.rows[types.without_null(*member).0].shape;
                matches!(shape, Shape::Record { .. } | Shape::Map { .. })
            };
            if types.members.slice(members).iter().any(is_object) { Kind::Object } else { Kind::Scalar }
        }
        _ => Kind::Scalar,
    }
}

/// Reads a value as each variant of the type, until one holds; else the problem of the first.
fn best(
    world: &World,
    ty: TypeId,
    read: impl Fn(TypeId) -> Result<Option<Value>, Problem>,
) -> Result<Option<Value>, Problem> {
    let mut first: Option<Result<Option<Value>, Problem>> = None;
    for leaf in leaves(world, ty) {
        match read(leaf) {
            Ok(Some(value)) => match check(world, ty, &value, Direction::Request) {
                Ok(()) => return Ok(Some(value)),
                Err(problem) => {
                    if !matches!(first, Some(Err(_))) {
                        first = Some(Err(problem));
                    }
                }
            },
            other => first = first.or(Some(other)),
        }
    }
    first.unwrap_or(Ok(None))
}

/// The text of a pair's value.
pub(crate) fn pair_text(pair: &Pair) -> Result<String, Problem> {
    Coding::Form.decode(&pair.raw)
}

/// The type without null and unions: at most 64 variants.
pub(crate) fn leaves(world: &World, ty: TypeId) -> Vec<TypeId> {
    let types = &world.ir.types;
    let mut found: Vec<TypeId> = Vec::new();
    let mut seen: Vec<TypeId> = Vec::new();
    let mut pending = vec![ty];
    while let Some(next) = pending.pop() {
        let (inner, _) = types.without_null(next);
        if seen.contains(&inner) || found.len() == 64 {
            continue;
        }
        seen.push(inner);
        match types.rows[inner].shape {
            Shape::Union { variants, .. } => {
                pending.extend(types.variants.slice(variants).iter().rev().map(|variant| variant.ty));
            }
            _ => found.push(inner),
        }
    }
    found
}

fn list_of_pairs(
    world: &World,
    leaf: TypeId,
    styled: Styled<'_>,
    pairs: &[Pair],
    coding: Coding,
) -> Result<Option<Value>, Problem> {
    let bracketed = format!("{}[]", styled.name);
    let own: Vec<&Pair> = pairs.iter().filter(|pair| pair.name == styled.name || pair.name == bracketed).collect();
    if own.is_empty() {
        return deep_object(world, leaf, styled.name, pairs);
    }
    let raws: Vec<String> = match (styled.explode, own.as_slice()) {
        (false, [only]) => split(&only.raw, styled.style),
        _ => own.iter().map(|pair| pair.raw.clone()).collect(),
    };
    list(world, leaf, &raws, coding).map(Some)
}

/// Items of a value that is not exploded, still encoded.
fn split(raw: &str, style: Style) -> Vec<String> {
    let normal = match style {
        Style::SpaceDelimited => raw.replace('+', "%20").replace("%20", ","),
        Style::PipeDelimited => raw.replace("%7C", "|").replace("%7c", "|").replace('|', ","),
        _ => raw.to_owned(),
    };
    if normal.is_empty() {
        return Vec::new();
    }
    let parts: Vec<String> = normal.split(',').map(str::to_owned).collect();
    // Clients that encode the whole value encode its commas too.
    if parts.len() == 1 && style == Style::Form && raw.to_ascii_lowercase().contains("%2c") {
        return raw.replace("%2C", ",").replace("%2c", ",").split(',').map(str::to_owned).collect();
    }
    parts
}

fn list(world: &World, leaf: TypeId, raws: &[String], coding: Coding) -> Result<Value, Problem> {
    let types = &world.ir.types;
    let item_type = |index: usize| match types.rows[types.without_null(leaf).0].shape {
        Shape::Array { items } => Some(items),
        Shape::Tuple { prefix, rest } => types.members.slice(prefix).get(index).copied().or(rest),
        _ => None,
    };
    let mut items = Vec::with_capacity(raws.len());
    for (index, raw) in raws.iter().enumerate() {
        let text = coding.decode(raw)?;
        items.push(item_type(index).map_or_else(|| Value::String(text.clone()), |ty| scalar(world, ty, &text, 0)));
    }
    Ok(Value::Array(items))
}

/// `key,value,key,value`.
fn flat_object(world: &World, leaf: TypeId, raws: &[String], coding: Coding) -> Result<Value, Problem> {
    if raws.len() % 2 == 1 {
        return Err(Problem::new("has a member without a value"));
    }
    let mut members = Map::new();
    for pair in raws.chunks_exact(2) {
        let key = coding.decode(&pair[0])?;
        let value = member_value(world, leaf, &key, &coding.decode(&pair[1])?);
        members.insert(key, value);
    }
    Ok(Value::Object(members))
}

/// An object whose members are pairs of their own.
fn exploded_object(
    world: &World,
    leaf: TypeId,
    styled: Styled<'_>,
    pairs: &[Pair],
    claimed: &dyn Fn(&str) -> bool,
) -> Result<Option<Value>, Problem> {
    let mut members: Map<String, Value> = Map::new();
    for pair in pairs {
        let member = member_type(world, leaf, &pair.name, false);
        let is_free = member.is_none() && takes_any(world, leaf) && !claimed(&pair.name);
        if member.is_none() && !is_free {
            continue;
        }
        let text = Coding::Form.decode(&pair.raw)?;
        let member = member.or_else(|| member_type(world, leaf, &pair.name, true));
        let is_list = member.is_some_and(|ty| kind(world, ty) == Kind::List);
        match members.get_mut(&pair.name) {
            Some(Value::Array(items)) if is_list => items.push(list_item(world, member, &text)),
            Some(_) => {}
            None => {
                let value = match member {
                    Some(_) if is_list => Value::Array(vec![list_item(world, member, &text)]),
                    Some(ty) => scalar(world, ty, &text, 0),
                    None => Value::String(text),
                };
                members.insert(pair.name.clone(), value);
            }
        }
    }
    if members.is_empty() {
        return deep_object(world, leaf, styled.name, pairs);
    }
    Ok(Some(Value::Object(members)))
}

fn list_item(world: &World, list: Option<TypeId>, text: &str) -> Value {
    let types = &world.ir.types;
    match list.map(|list| types.rows[types.without_null(list).0].shape) {
        Some(Shape::Array { items }) => scalar(world, items, text, 0),
        _ => Value::String(text.to_owned()),
    }
}

/// A node of `name[a][b]=x`. Keys are kept as text, so that a huge index costs nothing.
#[derive(Default)]
struct Node {
    texts: Vec<String>,
    /// In order of their first use.
    order: Vec<String>,
    children: BTreeMap<String, Node>,
}

/// `name[a][b]=x`: an object, or a list where the type says so.
fn deep_object(world: &World, leaf: TypeId, name: &str, pairs: &[Pair]) -> Result<Option<Value>, Problem> {
    let mut root = Node::default();
    for pair in pairs {
        let Some(rest) = pair.name.strip_prefix(name).filter(|rest| rest.starts_with('[')) else { continue };
        let mut node = &mut root;
        for (depth, key) in brackets(rest)?.into_iter().enumerate() {
            if depth >= BRACKETS {
                return Err(Problem::new(format!("has more than {BRACKETS} brackets")));
            }
            if !node.children.contains_key(key) {
                node.order.push(key.to_owned());
            }
            node = node.children.entry(key.to_owned()).or_default();
        }
        node.texts.push(Coding::Form.decode(&pair.raw)?);
    }
    if root.order.is_empty() {
        return Ok(None);
    }
    Ok(Some(deep_value(world, Some(leaf), &root)))
}

/// The keys of `[a][b]`.
fn brackets(text: &str) -> Result<Vec<&str>, Problem> {
    let mut keys = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let inner = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let Some((key, after)) = inner else { return Err(Problem::new("has brackets that do not match")) };
        keys.push(key);
        rest = after;
    }
    Ok(keys)
}

/// Recursion is bounded by the number of brackets.
fn deep_value(world: &World, ty: Option<TypeId>, node: &Node) -> Value {
    let types = &world.ir.types;
    let leaf = ty.and_then(|ty| {
        let leaves = leaves(world, ty);
        let wanted = if node.order.is_empty() { Kind::Scalar } else { Kind::Object };
        leaves
            .iter()
            .copied()
            .find(|&leaf| kind(world, leaf) == wanted || (kind(world, leaf) == Kind::List))
            .or(leaves.first().copied())
    });
    if let Some(leaf) = leaf
        && let Shape::Array { items } = types.rows[types.without_null(leaf).0].shape
    {
        let mut list: Vec<Value> = node.texts.iter().map(|text| scalar(world, items, text, 0)).collect();
        let mut keys: Vec<&String> = node.order.iter().collect();
        keys.sort_by_key(|key| key.parse::<u64>().unwrap_or(u64::MAX));
        for child in keys.into_iter().filter_map(|key| node.children.get(key)) {
            if child.order.is_empty() {
                list.extend(child.texts.iter().map(|text| scalar(world, items, text, 0)));
            } else {
                list.push(deep_value(world, Some(items), child));
            }
        }
        return Value::Array(list);
    }
    if node.order.is_empty() {
        let text = node.texts.first().map_or("", String::as_str);
        return leaf.map_or_else(|| Value::String(text.to_owned()), |leaf| scalar(world, leaf, text, 0));
    }
    let mut members = Map::new();
    for key in &node.order {
        if let Some(child) = node.children.get(key) {
            let member = leaf.and_then(|leaf| member_type(world, leaf, key, true));
            members.insert(key.clone(), deep_value(world, member, child));
        }
    }
    Value::Object(members)
}

fn member_value(world: &World, object: TypeId, key: &str, text: &str) -> Value {
    match member_type(world, object, key, true) {
        Some(ty) => scalar(world, ty, text, 0),
        None => Value::String(text.to_owned()),
    }
}

/// The type of a member; with `any`, also of one that is no field.
pub(crate) fn member_type(world: &World, object: TypeId, key: &str, any: bool) -> Option<TypeId> {
    let types = &world.ir.types;
    let mut pending = vec![object];
    for _ in 0..64 {
        let next = pending.pop()?;
        match types.rows[types.without_null(next).0].shape {
            Shape::Record { fields, additional } => {
                let fields = types.fields.slice(fields);
                let name = world.ir.names.find(key);
                if let Some(field) = fields.iter().find(|field| Some(field.name) == name) {
                    return Some(field.ty);
                }
                if let (true, Additional::Typed(ty)) = (any, additional) {
                    return Some(ty);
                }
            }
            Shape::Map { values } if any => return Some(values),
            Shape::Intersection { members } => pending.extend(types.members.slice(members).iter().rev()),
            _ => {}
        }
    }
    None
}

/// Whether an object type is made of members of any name. A record that merely allows more takes its fields only.
fn takes_any(world: &World, object: TypeId) -> bool {
    let types = &world.ir.types;
    match types.rows[types.without_null(object).0].shape {
        Shape::Map { .. } => true,
        Shape::Record { fields, additional } => fields.is_empty() && additional != Additional::Closed,
        _ => false,
    }
}

/// A text as a value of the type; the text itself where it is none.
pub(crate) fn scalar(world: &World, ty: TypeId, text: &str, depth: u32) -> Value {
    let plain = || Value::String(text.to_owned());
    if depth > DEPTH {
        return plain();
    }
    let types = &world.ir.types;
    let inner = types.resolved(ty);
    match types.rows[inner].shape {
        Shape::Integer { .. } | Shape::Number { .. } => {
            if is_number(text) {
                json::number(text)
            } else {
                plain()
            }
        }
        Shape::Bool => match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => plain(),
        },
        Shape::Nullable { inner } => {
            let value = scalar(world, inner, text, depth + 1);
            let is_null = matches!(text, "" | "null") && check(world, inner, &value, Direction::Request).is_err();
            if is_null { Value::Null } else { value }
        }
        Shape::Enum { values } => {
            let mut values = types.enum_values.slice(values).iter().map(|one| json::of_value(&world.ir, one.value));
            values.find(|value| is_text_of(value, text)).unwrap_or_else(plain)
        }
        Shape::Const { value } => {
            let value = json::of_value(&world.ir, value);
            if is_text_of(&value, text) { value } else { plain() }
        }
        Shape::Union { .. } => {
            // Flattened, so that unions in unions cost what their variants cost.
            let read = |leaf: TypeId| {
                let value = scalar(world, leaf, text, depth + 1);
                check(world, leaf, &value, Direction::Request).is_ok().then_some(value)
            };
            leaves(world, inner).into_iter().find_map(read).unwrap_or_else(plain)
        }
        Shape::Intersection { members } => {
            let read =
                |member: &TypeId| Some(scalar(world, *member, text, depth + 1)).filter(|value| !value.is_string());
            types.members.slice(members).iter().find_map(read).unwrap_or_else(plain)
        }
        // What is nested deeper than a style can write is JSON text.
        Shape::Record { .. } | Shape::Map { .. } | Shape::Array { .. } | Shape::Tuple { .. } => {
            json::parse(text.as_bytes()).unwrap_or_else(|_| plain())
        }
        _ => plain(),
    }
}

/// RFC 8259, section 6.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let has_leading_zero = digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'));
    let starts = digits.starts_with(|c: char| c.is_ascii_digit());
    starts && is_plain && !has_leading_zero && !text.ends_with('.') && text.parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_text_of(value: &Value, text: &str) -> bool {
    match value {
        Value::String(value) => value == text,
        Value::Number(number) => is_number(text) && json::equal(&json::number(text), &Value::Number(number.clone())),
        Value::Bool(value) => text == if *value { "true" } else { "false" },
        Value::Null => text == "null",
        Value::Array(_) | Value::Object(_) => {
            json::parse(text.as_bytes()).is_ok_and(|parsed| json::equal(&parsed, value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{brackets, is_number, split};
    use tungsten_ir::Style;

    #[test]
    fn numbers_are_those_of_json() {
        for good in ["0", "-1", "10.5", "1e3", "1E+3", "-0"] {
            assert!(is_number(good), "{good}");
        }
        for bad in ["", "01", "+1", ".5", "1.", "0x1", "inf", "NaN", "1e999", "1_0", "--1", "-"] {
            assert!(!is_number(bad), "{bad}");
        }
    }

    #[test]
    fn encoded_delimiters_are_data() {
        assert_eq!(split("a,b%2Cc", Style::Form), ["a", "b%2Cc"]);
        assert_eq!(split("a%20b+c", Style::SpaceDelimited), ["a", "b", "c"]);
        assert_eq!(split("a%7Cb|c", Style::PipeDelimited), ["a", "b", "c"]);
        assert!(brackets("[a][b").is_err() && brackets("[a]b").is_err());
        assert_eq!(brackets("[4294967295][]").expect("they match"), ["4294967295", ""]);
    }
}
