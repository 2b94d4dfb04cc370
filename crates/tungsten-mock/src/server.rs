//! The way of a request through the mock, first answer wins: reset, body limit, route, fault, program, 404/405,
//! authentication, parameters, body, idempotency, generated success. Every request is recorded with what became of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base::digest::Digest;
use base_doc::DocSet;
use base_serve::{Answer, Body, Handler, Head, Request, Response};
use serde_json::Value;
use tungsten_ir::{AuthPart, Ir, Location, OpId, Policy, Role};

use crate::answer::{self, StreamFault};
use crate::inject::{self, Inject};
use crate::refuse::{self, Refusal};
use crate::routes::{Found, Matched, Routes, op_name};
use crate::state::{Call, Scripted, State, Stored};
use crate::world::World;
use crate::{Options, auth, bodies, control, params};

const INJECT: &str = "x-tungsten-inject";

/// A mock of one API, without its sockets.
pub(crate) struct Mock {
    world: World,
    routes: Routes,
    /// Gates that are on, by environment variable.
    gates: Vec<String>,
    state: Mutex<State>,
}

/// What became of a request.
struct Outcome {
    answer: Answer,
    injected: bool,
}

impl From<Response> for Outcome {
    fn from(response: Response) -> Self {
        Self { answer: response.into(), injected: false }
    }
}

/// Header in which generated clients name the operation that they call.
const OPERATION: &str = "x-tungsten-operation";

impl Mock {
    pub(crate) fn new(ir: Arc<Ir>, docs: Arc<DocSet>, options: &Options) -> Self {
        let routes = Routes::new(&ir);
        let state = State::new(options.max_recorded_calls, options.max_idempotent_responses);
        let gates = options.gates.clone();
        Self { world: World::new(ir, docs, options.seed), routes, gates, state: Mutex::new(state) }
    }

    /// What a generated answer of an operation looks like, for the checks of this crate.
    #[cfg(test)]
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves the state as whole as it was: each change is one call.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, head: &Head) -> Found {
        self.routes.find(&self.world.ir, &head.method, &head.path, &head.query)
    }

    /// Of operations whose paths fit equally well, the one that the client names, else the first that takes the
    /// request; the first of all when none does.
    fn settle(&self, found: Found, request: &Request) -> Found {
        let Found::Op(mut matched) = found else { return found };
        if self.world.ir.rpc[matched.op].is_some() {
            return self.method(matched, request);
        }
        let mut twins = std::mem::take(&mut matched.twins);
        let named = request.head.header(OPERATION).unwrap_or_default();
        let is_named = |one: &Matched| op_name(&self.world.ir, one.op) == named;
        if is_named(&matched) {
            return Found::Op(matched);
        }
        if let Some(twin) = twins.iter().position(is_named) {
            return Found::Op(twins.swap_remove(twin));
        }
        let takes = |one: &Matched| {
            let op = &self.world.ir.ops.rows[one.op];
            params::check_all(&self.world, op, one, &request.head).is_ok()
                && bodies::check_body(&self.world, op, request).is_ok()
        };
        if twins.is_empty() || takes(&matched) {
            return Found::Op(matched);
        }
        Found::Op(twins.into_iter().find(takes).unwrap_or(matched))
    }

    /// Of the methods of an envelope, the one that the body names.
    fn method(&self, matched: Matched, request: &Request) -> Found {
        let ir = &self.world.ir;
        let mut first = matched;
        let methods = std::mem::take(&mut first.twins);
        let named = |one: &Matched| bodies::names_method(ir, one.op, request);
        let mut all = std::iter::once(first).chain(methods);
        let mut field = None;
        let found = all.find(|one| {
            field = field.or(ir.rpc[one.op].map(|rpc| rpc.field));
            named(one)
        });
        let field = field.map_or("", |field| ir.names.resolve(field));
        found.map_or_else(|| Found::NoMethod(format!("the body's {field} names no method")), Found::Op)
    }

    fn record(&self, head: &Head, body: &[u8], op: Option<OpId>, answer: &Answer, injected: bool) {
        let status = match answer {
            Answer::Respond(response) => response.status,
            Answer::Drop { .. } => 0,
        };
        self.state().record(Call {
            method: head.method.clone(),
            path: head.path.clone(),
            query: head.query.clone(),
            operation: op.map(|op| op_name(&self.world.ir, op).to_owned()),
            headers: head.headers.clone(),
            body: body.to_vec(),
            status,
            injected,
        });
    }

    fn answer(&self, found: &Found, request: &Request) -> Outcome {
        let op = found_op(found);
        if let Some(text) = request.head.header(INJECT) {
            return match inject::parse(text) {
                Ok(inject) => self.injected(&inject, found, request),
                Err(why) => self.refuse(op, &Refusal::new(400, why)).into(),
            };
        }
        let next = op.and_then(|op| self.state().next_program(op_name(&self.world.ir, op)));
        match next {
            Some(Scripted::Inject(inject)) => self.injected(&inject, found, request),
            Some(Scripted::Answer { status, body, headers, code }) => {
                let response = self.scripted(op, status, body, headers, code);
                Outcome { answer: response.into(), injected: true }
            }
            None => self.serve(found, request, None).unwrap_or_else(|refusal| self.refuse(op, &refusal)).into(),
        }
    }

    fn refuse(&self, op: Option<OpId>, refusal: &Refusal) -> Response {
        refuse::response(&self.world, op, refusal)
    }

    fn injected(&self, inject: &Inject, found: &Found, request: &Request) -> Outcome {
        let op = found_op(found);
        let answer = match inject {
            Inject::Timeout(after) => Answer::Drop { after: *after },
            Inject::Reset => Answer::Drop { after: Duration::ZERO },
            Inject::DropAfterWrite => {
                // The call takes effect; nobody hears of it.
                let _ = self.serve(found, request, None);
                Answer::Drop { after: Duration::ZERO }
            }
            Inject::Status { status, retry_after, code, apply } => {
                if *apply {
                    // As above: what is answered is the injected status.
                    let _ = self.serve(found, request, None);
                }
                let mut refusal = Refusal::new(*status, "injected").code(code.clone());
                if let Some(seconds) = retry_after {
                    refusal = refusal.header("retry-after", seconds.to_string());
                }
                self.refuse(op, &refusal).into()
            }
            Inject::DropAfter { events, retry_ms } => {
                let fault = StreamFault { events: *events, silence: None, retry_ms: *retry_ms };
                self.serve(found, request, Some(fault)).unwrap_or_else(|refusal| self.refuse(op, &refusal)).into()
            }
            Inject::StallAfter { events, silence, retry_ms } => {
                let fault = StreamFault { events: *events, silence: Some(*silence), retry_ms: *retry_ms };
                self.serve(found, request, Some(fault)).unwrap_or_else(|refusal| self.refuse(op, &refusal)).into()
            }
        };
        Outcome { answer, injected: true }
    }

    /// A scripted answer: the body as it is given, else an error body where the status is an error.
    fn scripted(
        &self,
        op: Option<OpId>,
        status: u16,
        body: Option<Value>,
        headers: Vec<(String, String)>,
        code: Option<String>,
    ) -> Response {
        let mut response = match body {
            Some(Value::String(text)) => Response::text(status, text),
            Some(body) => Response::json(status, body.to_string()),
            None if status < 400 => Response::new(status, Vec::new(), Vec::new()),
            None => self.refuse(op, &Refusal::new(status, "scripted").code(code)),
        };
        for (name, value) in headers {
            if name == "content-type" {
                response.headers.retain(|(known, _)| known != "content-type");
            }
            response.headers.push((name, value));
        }
        response
    }

    /// The API itself.
    fn serve(&self, found: &Found, request: &Request, fault: Option<StreamFault>) -> Result<Response, Refusal> {
        let matched = match found {
            Found::Op(matched) => matched,
            Found::Nothing => return Err(Refusal::new(404, "no operation has this path")),
            Found::OtherMethods(methods) => {
                let refusal = Refusal::new(405, format!("the path has no operation with {}", request.head.method));
                return Err(refusal.header("allow", methods.join(", ")));
            }
            Found::NoMethod(why) => return Err(Refusal::new(400, why.as_str())),
        };
        let ir = &self.world.ir;
        let (id, op) = (matched.op, &ir.ops.rows[matched.op]);
        self.check_gate(id)?;
        self.check_origin(id, &request.head)?;
        auth::check_auth(ir, id, op, &request.head).map_err(|(status, reason)| Refusal::new(status, reason))?;
        params::check_all(&self.world, op, matched, &request.head).map_err(|reason| Refusal::new(400, reason))?;
        let body = match ir.rpc[id] {
            Some(rpc) => bodies::check_method(&self.world, op, rpc, request),
            None => bodies::check_body(&self.world, op, request),
        };
        body.map_err(|(status, reason)| Refusal::new(status, reason))?;
        self.once(matched, request, fault)
    }

    /// While its gate is off, an operation is not there at all.
    fn check_gate(&self, id: OpId) -> Result<(), Refusal> {
        let Some(gate) = self.world.ir.gate[id] else { return Ok(()) };
        let env = self.world.ir.names.resolve(gate.env);
        if gate.default_on || self.gates.iter().any(|known| known == env) {
            return Ok(());
        }
        Err(Refusal::new(gate.disabled_status, format!("the gate {env} is off")).bare())
    }

    /// Pages of other sites have no business here, unless the API itself reads the header.
    fn check_origin(&self, id: OpId, head: &Head) -> Result<(), Refusal> {
        let Some(origin) = head.header("origin") else { return Ok(()) };
        let ir = &self.world.ir;
        let is_origin = |name: base::Sym| ir.names.resolve(name).eq_ignore_ascii_case("origin");
        let params = ir.ops.params.slice(ir.ops.rows[id].params);
        let is_read = params.iter().any(|param| param.location == Location::Header && is_origin(param.name))
            || ir
                .auth_parts
                .rows()
                .iter()
                .any(|part| matches!(part, AuthPart::Header { name, .. } if is_origin(*name)));
        if is_read || is_local_origin(origin) {
            Ok(())
        } else {
            Err(Refusal::new(403, "pages of other sites are not served"))
        }
    }

    /// The generated success, or the one that an idempotency key names.
    fn once(&self, matched: &Matched, request: &Request, fault: Option<StreamFault>) -> Result<Response, Refusal> {
        let id = matched.op;
        let make = || answer::success(&self.world, id, &request.head, fault).map_err(|why| Refusal::new(400, why));
        let key = self.key_header(id).and_then(|header| {
            let found = request.head.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(header));
            found.map(|(_, value)| value.clone()).filter(|value| !value.is_empty())
        });
        let Some(key) = key else { return make() };
        let digest = Digest::of(&request.body);
        if let Some(stored) = self.state().stored(&key) {
            let head = &request.head;
            let is_same = stored.method == head.method
                && stored.path == head.path
                && stored.query == head.query
                && stored.body == digest;
            if !is_same {
                return Err(Refusal::new(409, "the idempotency key was used for another request"));
            }
            return Ok(replayed(stored.response.clone()));
        }
        let response = make()?;
        let Head { method, path, query, .. } = request.head.clone();
        self.state().store(key, Stored { method, path, query, body: digest, response: response.clone() });
        Ok(response)
    }

    /// The header that carries the operation's idempotency key.
    fn key_header(&self, id: OpId) -> Option<&str> {
        let ir = &self.world.ir;
        let idempotency = ir.idempotency[id];
        let params = ir.ops.params.slice(ir.ops.rows[id].params);
        let param =
            || params.iter().find(|param| param.role == Role::IdempotencyKey).map(|param| ir.names.resolve(param.name));
        let by_policy = || match idempotency.policy {
            Policy::Auto | Policy::CallerOwned | Policy::ContentHash => Some("idempotency-key"),
            Policy::None | Policy::ContentIdentity => None,
        };
        idempotency.header.map(|header| ir.names.resolve(header)).or_else(param).or_else(by_policy)
    }
}

impl Handler for Mock {
    fn head(&self, head: &Head) -> Option<Answer> {
        let is_reset = head.header(INJECT).is_some_and(|text| inject::parse(text) == Ok(Inject::Reset));
        if head.path.starts_with(control::PREFIX) || !is_reset {
            return None;
        }
        let answer = Answer::Drop { after: Duration::ZERO };
        self.record(head, &[], found_op(&self.find(head)), &answer, true);
        Some(answer)
    }

    fn request(&self, request: Request) -> Answer {
        if request.head.path.starts_with(control::PREFIX) {
            return match request.head.header("origin") {
                Some(origin) if !is_local_origin(origin) => {
                    control::refused(403, "pages of other sites are not served").into()
                }
                _ => control::answer(&self.world.ir, &mut self.state(), &request).into(),
            };
        }
        let found = self.settle(self.find(&request.head), &request);
        let Outcome { answer, injected } = self.answer(&found, &request);
        self.record(&request.head, &request.body, found_op(&found), &answer, injected);
        answer
    }

    fn refused(&self, head: &Head, status: u16, why: &str) -> Response {
        let op = found_op(&self.find(head));
        let response = self.refuse(op, &Refusal::new(status, why));
        if status != 421 {
            self.record(head, &[], op, &response.clone().into(), false);
        }
        response
    }
}

fn found_op(found: &Found) -> Option<OpId> {
    match found {
        Found::Op(matched) => Some(matched.op),
        _ => None,
    }
}

fn is_local_origin(origin: &str) -> bool {
    let Some((_, authority)) = origin.split_once("://") else { return false };
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    matches!(host, "127.0.0.1" | "localhost" | "[::1]")
}

/// The stored answer, which created nothing: a top-level boolean `created` says so.
fn replayed(mut response: Response) -> Response {
    if let Body::Whole(bytes) = &response.body
        && let Ok(Value::Object(mut members)) = serde_json::from_slice(bytes)
        && let Some(created) = members.get_mut("created").filter(|created| created.is_boolean())
    {
        *created = Value::Bool(false);
        response.body = Body::Whole(Value::Object(members).to_string().into_bytes());
    }
    response
}
