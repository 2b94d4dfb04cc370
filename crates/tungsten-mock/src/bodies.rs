//! The body of a request: of a declared media type, there when it must be, and a value of its type.
//!
//! Reads the body's rows and the request; a refusal is a status and a reason.

use std::collections::BTreeMap;

use base_serve::Request;
use serde_json::{Map, Value};
use tungsten_ir::media::essence;
use tungsten_ir::{Content, Encoding, Ir, Op, OpId, Parts, Rpc, Shape, Style, TypeId};

use crate::check::{Direction, Problem, check};
use crate::decode::{self, Pair, Styled};
use crate::json;
use crate::multipart;
use crate::text::{is_json, media_matches};
use crate::world::World;

/// Checks the body. A body that the operation does not declare is allowed, as unknown parameters are.
pub(crate) fn check_body(world: &World, op: &Op, request: &Request) -> Result<(), (u16, String)> {
    let Some(body) = op.body else { return Ok(()) };
    let body = &world.ir.ops.bodies[body];
    let sent_type = request.head.header("content-type").filter(|sent| !sent.trim().is_empty());
    if request.body.is_empty() && !(body.required && sent_type.is_some()) {
        return if body.required { Err((400, "the body is missing".to_owned())) } else { Ok(()) };
    }
    if request.head.header("content-encoding").is_some_and(|coding| !coding.trim().eq_ignore_ascii_case("identity")) {
        return Err((415, "a body with a content coding is not read".to_owned()));
    }
    let contents = world.ir.ops.contents.slice(body.contents);
    if contents.is_empty() {
        return Ok(());
    }
    let Some(sent_type) = sent_type else { return Err((415, "the body has no Content-Type".to_owned())) };
    let is_exact = |content: &&Content| essence(world.ir.names.resolve(content.media_type)) == essence(sent_type);
    let admits = |content: &&Content| media_matches(world.ir.names.resolve(content.media_type), sent_type);
    let Some(content) = contents.iter().find(is_exact).or_else(|| contents.iter().find(admits)) else {
        return Err((415, format!("the operation takes no {}", essence(sent_type))));
    };
    content_problem(world, content, sent_type, &request.body).map_err(|problem| (400, problem.text("body")))
}

/// Whether the body of a request is the envelope of this method.
pub(crate) fn names_method(ir: &Ir, id: OpId, request: &Request) -> bool {
    let Some(rpc) = ir.rpc[id] else { return false };
    let Ok(Value::Object(members)) = json::parse(&request.body) else { return false };
    members.get(ir.names.resolve(rpc.field)).and_then(Value::as_str) == Some(ir.names.resolve(rpc.value))
}

/// Checks the envelope of a method: what is always the same, and its parameters.
pub(crate) fn check_method(world: &World, op: &Op, rpc: Rpc, request: &Request) -> Result<(), (u16, String)> {
    let ir = &world.ir;
    let sent_type = request.head.header("content-type").unwrap_or_default();
    if !is_json(sent_type) {
        return Err((415, "the envelope of a method is JSON".to_owned()));
    }
    let value = json::parse(&request.body).map_err(|why| (400, format!("body is not JSON: {why}")))?;
    for constant in ir.ops.rpc_constants.slice(rpc.constants) {
        let name = ir.names.resolve(constant.name);
        let is_same = value.get(name).is_some_and(|sent| json::equal(sent, &json::of_value(ir, constant.value)));
        if !is_same {
            return Err((400, format!("body.{name} is not the one value that its schema admits")));
        }
    }
    let (Some(body), Some(params)) = (op.body, rpc.params) else { return Ok(()) };
    let (body, params) = (&ir.ops.bodies[body], ir.names.resolve(params));
    let Some(content) = ir.ops.contents.slice(body.contents).first() else { return Ok(()) };
    match value.get(params) {
        None if body.required => Err((400, format!("body.{params} is missing"))),
        None => Ok(()),
        Some(sent) => check(world, content.ty, sent, Direction::Request)
            .map_err(|problem| (400, problem.text(&format!("body.{params}")))),
    }
}

fn content_problem(world: &World, content: &Content, sent_type: &str, bytes: &[u8]) -> Result<(), Problem> {
    let value = match content.encoding {
        Encoding::Json if is_json(sent_type) || !world.ir.names.resolve(content.media_type).contains('*') => {
            json::parse(bytes).map_err(|why| Problem::new(format!("is not JSON: {why}")))?
        }
        Encoding::Form => form(world, content, bytes)?,
        Encoding::Multipart if essence(sent_type) == "multipart/form-data" => {
            multipart_object(world, content, sent_type, bytes)?
        }
        Encoding::Text => {
            let text = std::str::from_utf8(bytes).map_err(|_| Problem::new("is not UTF-8"))?;
            let types = &world.ir.types;
            if !matches!(
                types.rows[types.without_null(content.ty).0].shape,
                Shape::String { .. } | Shape::Enum { .. } | Shape::Const { .. }
            ) {
                return Ok(());
            }
            Value::String(text.to_owned())
        }
        _ => return Ok(()),
    };
    if content.schema_stated { check(world, content.ty, &value, Direction::Request) } else { Ok(()) }
}

/// Pairs of one form body.
const PAIRS: usize = 20_000;

/// The object that a form body writes.
fn form(world: &World, content: &Content, bytes: &[u8]) -> Result<Value, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|_| Problem::new("is not UTF-8"))?;
    form_value(world, content.ty, content.parts, text)
}

/// The object that form text writes, in a body or as a whole query string.
pub(crate) fn form_value(world: &World, ty: TypeId, parts: Parts, text: &str) -> Result<Value, Problem> {
    if text.matches('&').count() >= PAIRS {
        return Err(Problem::new(format!("has more than {PAIRS} pairs")));
    }
    // Grouped by property first, so that long forms are read in one go. A name with brackets may be a name as it
    // stands.
    let mut order: Vec<String> = Vec::new();
    let mut groups: BTreeMap<String, Vec<Pair>> = BTreeMap::new();
    for pair in decode::pairs(text)? {
        let is_whole = decode::member_type(world, ty, &pair.name, false).is_some();
        let name =
            if is_whole { pair.name.as_str() } else { pair.name.split('[').next().unwrap_or_default() }.to_owned();
        if !groups.contains_key(&name) {
            order.push(name.clone());
        }
        groups.entry(name).or_default().push(pair);
    }
    let mut members = Map::new();
    for (name, pairs) in order.into_iter().filter_map(|name| groups.remove_entry(&name)) {
        let value = match property_type(world, ty, &name) {
            Some(ty) => form_member(world, parts, &name, ty, &pairs).map_err(|problem| problem.at(&name))?,
            None => {
                pairs.first().map_or(Ok(None), |pair| decode::pair_text(pair).map(|text| Some(Value::String(text))))?
            }
        };
        if let Some(value) = value {
            members.insert(name, value);
        }
    }
    Ok(Value::Object(members))
}

fn form_member(world: &World, parts: Parts, name: &str, ty: TypeId, pairs: &[Pair]) -> Result<Option<Value>, Problem> {
    let mut named = world.ir.ops.parts.slice(parts.named).iter();
    let part = named.find(|part| part.name.is_some_and(|own| world.ir.names.resolve(own) == name));
    let style = part.and_then(|part| part.style).unwrap_or(Style::Form);
    let explode = part.and_then(|part| part.explode).unwrap_or(style == Style::Form);
    let is_styled = part.is_some_and(|part| part.style.is_some() || part.explode.is_some() || part.allow_reserved);
    let styled = || decode::from_pairs(world, Styled { name, ty, style, explode }, pairs, &|_| true);
    let Some(pair) = pairs.iter().find(|pair| pair.name == name).filter(|_| !is_styled) else { return styled() };
    // An object without a style is JSON text.
    let plain = decode::scalar(world, ty, &decode::pair_text(pair)?, 0);
    if check(world, ty, &plain, Direction::Request).is_ok() {
        return Ok(Some(plain));
    }
    Ok(styled()?.or(Some(plain)))
}

/// The type of a property, in whichever variant has it.
fn property_type(world: &World, ty: TypeId, name: &str) -> Option<TypeId> {
    decode::leaves(world, ty).into_iter().find_map(|leaf| decode::member_type(world, leaf, name, true))
}

fn multipart_object(world: &World, content: &Content, sent_type: &str, bytes: &[u8]) -> Result<Value, Problem> {
    let boundary = multipart::boundary(sent_type).ok_or_else(|| Problem::new("has no boundary"))?;
    let parts = multipart::parts(bytes, &boundary).ok_or_else(|| Problem::new("is not multipart/form-data"))?;
    let mut members: Map<String, Value> = Map::new();
    for part in parts {
        let ty = property_type(world, content.ty, part.name.trim_end_matches("[]"));
        let name = if ty.is_some() { part.name.trim_end_matches("[]").to_owned() } else { part.name.clone() };
        let items = ty.and_then(|ty| items_of(world, ty));
        let is_json_part = part.content_type.as_deref().is_some_and(is_json);
        let one = |ty: Option<TypeId>| -> Result<Value, Problem> {
            if is_json_part && !part.has_file_name {
                return json::parse(part.bytes).map_err(|why| Problem::new(format!("is not JSON: {why}")).at(&name));
            }
            let text = String::from_utf8_lossy(part.bytes);
            Ok(match ty {
                Some(ty) if !part.has_file_name => decode::scalar(world, ty, &text, 0),
                _ => Value::String(text.into_owned()),
            })
        };
        let whole = one(ty)?;
        let is_whole = items.is_none() || ty.is_some_and(|ty| check(world, ty, &whole, Direction::Request).is_ok());
        if is_whole {
            members.entry(name).or_insert(whole);
            continue;
        }
        let item = one(items)?;
        match members.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(list) => list.push(item),
            _ => return Err(Problem::new("mixes a list and its items")),
        }
    }
    Ok(Value::Object(members))
}

/// The type of the items when a property is a list, in whichever variant.
fn items_of(world: &World, ty: TypeId) -> Option<TypeId> {
    let types = &world.ir.types;
    decode::leaves(world, ty).into_iter().find_map(|leaf| match types.rows[leaf].shape {
        Shape::Array { items } => Some(items),
        _ => None,
    })
}
