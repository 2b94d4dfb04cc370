//! Parameters of a request: each read by its style, present when it must be, and a value of its type.
//!
//! Reads parameters and the head of the request; the first thing that is wrong is the result. Parameters that the
//! description does not name are allowed.

use base_serve::Head;
use tungsten_ir::media::essence;
use tungsten_ir::{Location, Op, Param, Role, Style};

use crate::bodies;
use crate::check::{Direction, Problem, check};
use crate::decode::{self, Pair, Styled};
use crate::json;
use crate::routes::Matched;
use crate::text::{is_json, percent_decode};
use crate::world::World;

const FORM: &str = "application/x-www-form-urlencoded";

/// Checks all parameters but those that authentication is about. The error names the parameter.
pub(crate) fn check_all(world: &World, op: &Op, matched: &Matched, head: &Head) -> Result<(), String> {
    let ir = &world.ir;
    let pairs = decode::pairs(&head.query).map_err(|problem| problem.text("query"))?;
    let cookies = cookies(head);
    let params = ir.ops.params.slice(op.params);
    for param in params.iter().filter(|param| param.role != Role::Auth) {
        let name = ir.names.resolve(param.name);
        one(world, params, param, matched, head, &pairs, &cookies)
            .map_err(|problem| problem.text(&format!("{} parameter {name}", place(param.location))))?;
    }
    Ok(())
}

fn place(location: Location) -> &'static str {
    match location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Cookie => "cookie",
        Location::Querystring => "query string",
    }
}

fn one(
    world: &World,
    params: &[Param],
    param: &Param,
    matched: &Matched,
    head: &Head,
    pairs: &[Pair],
    cookies: &[(String, String)],
) -> Result<(), Problem> {
    let name = world.ir.names.resolve(param.name);
    let styled = Styled::of(world, param);
    let raw: Option<String> = match param.location {
        Location::Path => matched.captures.iter().find(|(key, _)| *key == param.name).map(|(_, raw)| raw.clone()),
        Location::Header => header_text(head, name),
        Location::Cookie => cookie_text(cookies, name),
        Location::Query => pairs.iter().find(|pair| pair.name == name).map(|pair| pair.raw.clone()),
        Location::Querystring => Some(head.query.clone()).filter(|query| !query.is_empty()),
    };
    if let Some(media_type) = param.media_type {
        let media_type_text = world.ir.names.resolve(media_type);
        if param.location == Location::Querystring && essence(media_type_text) == FORM {
            let Some(raw) = raw else { return missing(param) };
            let value = bodies::form_value(world, param.ty, param.parts, &raw)?;
            return check(world, param.ty, &value, Direction::Request);
        }
        return described(world, param, world.ir.names.resolve(media_type), raw);
    }
    if param.location == Location::Query {
        if param.allow_empty && raw.as_deref() == Some("") {
            return Ok(());
        }
        let claimed = |key: &str| {
            params.iter().any(|other| other.location == Location::Query && world.ir.names.resolve(other.name) == key)
        };
        return match decode::from_pairs(world, styled, pairs, &claimed)? {
            Some(value) => check(world, param.ty, &value, Direction::Request),
            None => missing(param),
        };
    }
    // A cookie's list that is exploded has a pair an item.
    let is_listed = matches!(styled.style, Style::Form | Style::Cookie);
    if param.location == Location::Cookie && styled.explode && is_listed {
        let pairs: Vec<Pair> =
            cookies.iter().map(|(name, raw)| Pair { name: name.clone(), raw: raw.replace('+', "%2B") }).collect();
        return match decode::from_pairs(world, styled, &pairs, &|_| true)? {
            Some(value) => check(world, param.ty, &value, Direction::Request),
            None => missing(param),
        };
    }
    let Some(raw) = raw else { return missing(param) };
    let value = decode::from_text(world, styled, param.location, &raw)?;
    check(world, param.ty, &value, Direction::Request)
}

/// A parameter that is described by `content`.
fn described(world: &World, param: &Param, media_type: &str, raw: Option<String>) -> Result<(), Problem> {
    let Some(raw) = raw else { return missing(param) };
    let text = match param.location {
        Location::Query => percent_decode(&raw, true),
        Location::Path => percent_decode(&raw, false),
        Location::Querystring => percent_decode(&raw, false),
        Location::Header | Location::Cookie => Some(raw),
    };
    let text = text.ok_or_else(|| Problem::new("is not percent-encoded UTF-8"))?;
    if !is_json(media_type) {
        return Ok(());
    }
    let value = json::parse(text.as_bytes()).map_err(|why| Problem::new(format!("is not JSON: {why}")))?;
    check(world, param.ty, &value, Direction::Request)
}

fn missing(param: &Param) -> Result<(), Problem> {
    if param.required { Err(Problem::new("is missing")) } else { Ok(()) }
}

/// All values of a header, joined as RFC 9110, section 5.3, says.
fn header_text(head: &Head, name: &str) -> Option<String> {
    let values: Vec<&str> = head
        .headers
        .iter()
        .filter(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value.as_str())
        .collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// Names and values of all cookies, as they were sent.
pub(crate) fn cookies(head: &Head) -> Vec<(String, String)> {
    let headers = head.headers.iter().filter(|(key, _)| key == "cookie");
    let pairs = headers.flat_map(|(_, value)| value.split(';'));
    pairs
        .filter_map(|pair| pair.trim().split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn cookie_text(cookies: &[(String, String)], name: &str) -> Option<String> {
    let (_, raw) = cookies.iter().find(|(key, _)| key == name)?;
    // Clients encode what a cookie cannot hold; a value that is no encoding is taken as it is.
    Some(percent_decode(raw, false).unwrap_or_else(|| raw.clone()))
}
