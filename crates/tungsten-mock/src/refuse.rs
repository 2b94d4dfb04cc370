//! Refusals: the status, the reason in a header, and the namespace's error envelope where the description has one.
//!
//! Reads the error model; writes responses. The reason never goes into the body's typed members but its message.

use base::Id;
use base_serve::Response;
use serde_json::Value;
use tungsten_ir::{Encoding, Ir, NamespaceId, OpId, Status};

use crate::check::{Direction, check};
use crate::generate::{Random, generate};
use crate::text::header_safe;
use crate::world::World;

/// The header that says why a request was refused.
pub(crate) const REASON: &str = "x-tungsten-reason";

/// A request that was not served.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) reason: String,
    /// The code that the body shall carry, before those that suit the status.
    pub(crate) code: Option<String>,
    pub(crate) headers: Vec<(String, String)>,
    /// Whether the answer has no body: the API itself did not hear of the request.
    pub(crate) is_bare: bool,
}

impl Refusal {
    pub(crate) fn new(status: u16, reason: impl Into<String>) -> Self {
        Self { status, reason: reason.into(), code: None, headers: Vec::new(), is_bare: false }
    }

    pub(crate) fn bare(self) -> Self {
        Self { is_bare: true, ..self }
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn code(mut self, code: Option<String>) -> Self {
        self.code = code;
        self
    }
}

/// Codes that suit a status, the best first.
fn codes(status: u16) -> &'static [&'static str] {
    match status {
        401 => &["unauthorized", "unauthenticated", "authentication_error"],
        403 => &["forbidden", "permission_denied"],
        404 => &["not_found"],
        405 => &["method_not_allowed", "invalid_request"],
        409 => &["idempotency_conflict", "conflict"],
        413 => &["payload_too_large", "invalid_request"],
        415 => &["unsupported_media_type", "invalid_request"],
        429 => &["rate_limited", "too_many_requests"],
        500..=599 => &["unavailable", "internal_error", "internal"],
        _ => &["invalid_request", "bad_request"],
    }
}

/// The response of a refusal. Without an operation, the first namespace's envelope is used.
pub(crate) fn response(world: &World, op: Option<OpId>, refusal: &Refusal) -> Response {
    let ir = &world.ir;
    let namespace = op.map(|op| ir.ops.rows[op].namespace).or_else(|| ir.namespaces.ids().next());
    let envelope = namespace.and_then(|namespace| envelope(world, namespace, refusal));
    let has_body = !refusal.is_bare && !matches!(refusal.status, 204 | 205 | 304);
    let mut response = match envelope {
        _ if !has_body => Response::new(refusal.status, Vec::new(), Vec::new()),
        Some(body) => {
            let media_type = op.and_then(|op| error_media_type(ir, op, refusal.status)).unwrap_or("application/json");
            Response::new(refusal.status, vec![("content-type".to_owned(), media_type.to_owned())], body.to_string())
        }
        None => Response::text(refusal.status, format!("{}\n", refusal.reason)),
    };
    response.headers.push((REASON.to_owned(), header_safe(&refusal.reason)));
    response.headers.extend(refusal.headers.iter().cloned());
    response
}

/// The error envelope with the best code that it admits.
fn envelope(world: &World, namespace: NamespaceId, refusal: &Refusal) -> Option<Value> {
    let model = world.ir.namespaces[namespace].errors;
    let ty = model.envelope?;
    let random =
        Random::new(world.seed).child("error").child_at(namespace.index() as u64).child_at(u64::from(refusal.status));
    let made = generate(world, ty, random, "error");
    if made.problem.is_some() {
        return None;
    }
    let holds = |value: &Value| check(world, ty, value, Direction::Response).is_ok();
    let mut body = made.value;
    if let Some(field) = model.code_field {
        let path = world.ir.names.resolve(field);
        let wanted = refusal.code.as_deref().into_iter().chain(codes(refusal.status).iter().copied());
        let mut coded = wanted.filter_map(|code| with_text(&body, path, code)).filter(|body| holds(body));
        if let Some(found) = coded.next() {
            body = found;
        }
    }
    if let Some(field) = model.message_field
        && let Some(found) = with_text(&body, world.ir.names.resolve(field), &refusal.reason).filter(holds)
    {
        body = found;
    }
    Some(body)
}

/// The value with the text at a dotted path. Nothing when there is no object on the way.
fn with_text(body: &Value, path: &str, text: &str) -> Option<Value> {
    let mut changed = body.clone();
    let mut at = &mut changed;
    let mut steps = path.split('.').peekable();
    while let Some(step) = steps.next() {
        let members = at.as_object_mut()?;
        if steps.peek().is_none() {
            members.insert(step.to_owned(), Value::String(text.to_owned()));
            break;
        }
        at = members.get_mut(step)?;
    }
    Some(changed)
}

/// The JSON media type that the operation declares for errors of that status.
fn error_media_type(ir: &Ir, op: OpId, status: u16) -> Option<&str> {
    let responses = ir.ops.responses.slice(ir.ops.rows[op].responses);
    let wanted = [Status::Exact(status), Status::Range((status / 100) as u8), Status::Default];
    let response = wanted.iter().find_map(|wanted| responses.iter().find(|response| response.status == *wanted))?;
    let contents = ir.ops.contents.slice(response.contents);
    let json = contents.iter().find(|content| content.encoding == Encoding::Json)?;
    let text = ir.names.resolve(json.media_type);
    (!text.contains(['*', ','])).then_some(text)
}
