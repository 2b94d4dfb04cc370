//! The control routes below `/__tungsten/`: recorded calls, a fresh start, scripted answers.
//!
//! Reads requests; changes the state. These routes are no part of the API: no authentication, no faults, no recording.

use base_serve::{Request, Response};
use serde_json::{Map, Value, json};
use tungsten_ir::{Ir, OpKind};

use crate::inject;
use crate::json;
use crate::refuse::REASON;
use crate::routes::op_name;
use crate::state::{Program, Scripted, State};
use crate::text::header_safe;

/// Where the control routes are.
pub(crate) const PREFIX: &str = "/__tungsten/";

/// Programs that may wait.
const PROGRAMS: usize = 10_000;
/// Answers of one program.
const TIMES: u64 = 10_000;

/// Answers a request below [`PREFIX`].
pub(crate) fn answer(ir: &Ir, state: &mut State, request: &Request) -> Response {
    let route = request.head.path.strip_prefix(PREFIX).unwrap_or_default();
    let (method, allowed) = match route {
        "calls" => ("GET", true),
        "reset" | "program" => ("POST", true),
        _ => ("", false),
    };
    if !allowed {
        return refused(404, "there is no such control route");
    }
    if request.head.method != method {
        let mut response = refused(405, &format!("the control route takes {method}"));
        response.headers.push(("allow".to_owned(), method.to_owned()));
        return response;
    }
    match route {
        "calls" => Response::json(200, state.calls().to_string()),
        "reset" => {
            state.clear();
            Response::new(204, Vec::new(), Vec::new())
        }
        _ => match programs(ir, &request.body) {
            Ok(programs) if state.n_programs() + programs.len() > PROGRAMS => {
                refused(400, &format!("more than {PROGRAMS} programs would wait"))
            }
            Ok(programs) => {
                let n_programs = programs.len();
                for (operation, program) in programs {
                    state.queue(operation, program);
                }
                Response::json(200, json!({ "queued": n_programs }).to_string())
            }
            Err(why) => refused(400, &why),
        },
    }
}

pub(crate) fn refused(status: u16, why: &str) -> Response {
    let mut response = Response::text(status, format!("{why}\n"));
    response.headers.push((REASON.to_owned(), header_safe(why)));
    response
}

/// Reads one program or a list of them; nothing is queued when one of them is wrong.
fn programs(ir: &Ir, body: &[u8]) -> Result<Vec<(String, Program)>, String> {
    let body = json::parse(body).map_err(|why| format!("the program is not JSON: {why}"))?;
    match body {
        Value::Array(list) => list.iter().map(|one| program(ir, one)).collect(),
        one => Ok(vec![program(ir, &one)?]),
    }
}

fn program(ir: &Ir, value: &Value) -> Result<(String, Program), String> {
    let members = value.as_object().ok_or("a program is an object")?;
    let operation = members.get("operation").and_then(Value::as_str).ok_or("a program names its `operation`")?;
    let operation =
        resolve(ir, operation).ok_or_else(|| format!("there is no operation {}", base::diag::quoted(operation)))?;
    let times = match members.get("times") {
        None => 1,
        Some(times) => times
            .as_u64()
            .filter(|times| (1..=TIMES).contains(times))
            .ok_or_else(|| format!("`times` is a number from 1 to {TIMES}"))?,
    };
    let known: &[&str] = if members.contains_key("inject") {
        &["operation", "inject", "times"]
    } else {
        &["operation", "status", "body", "headers", "times", "code"]
    };
    if let Some(key) = members.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(format!("the program has no member {}", base::diag::quoted(key)));
    }
    let scripted = match members.get("inject") {
        Some(inject) => Scripted::Inject(inject::parse(inject.as_str().ok_or("`inject` is a string")?)?),
        None => scripted(members)?,
    };
    Ok((operation.to_owned(), Program { scripted, times: times as u32 }))
}

fn scripted(members: &Map<String, Value>) -> Result<Scripted, String> {
    let status = members.get("status").and_then(Value::as_u64).filter(|status| (200..=599).contains(status));
    let status = status.ok_or("`status` is a number from 200 to 599")? as u16;
    let code = match members.get("code") {
        None => None,
        Some(code) => Some(code.as_str().ok_or("`code` is a string")?.to_owned()),
    };
    let headers = members.get("headers").map_or_else(|| Ok(Vec::new()), headers)?;
    Ok(Scripted::Answer { status, body: members.get("body").cloned(), headers, code })
}

/// Headers as an object of strings, or as a list of pairs.
fn headers(value: &Value) -> Result<Vec<(String, String)>, String> {
    let wrong = || "`headers` is an object of strings, or a list of pairs of strings".to_owned();
    let pair = |name: &str, value: &Value| Some((name.to_ascii_lowercase(), value.as_str()?.to_owned()));
    match value {
        Value::Object(members) => members.iter().map(|(name, value)| pair(name, value).ok_or_else(wrong)).collect(),
        Value::Array(pairs) => {
            let read = |one: &Value| match one.as_array().map(Vec::as_slice) {
                Some([name, value]) => pair(name.as_str()?, value),
                _ => None,
            };
            pairs.iter().map(|one| read(one).ok_or_else(wrong)).collect()
        }
        _ => Err(wrong()),
    }
}

/// The id of an operation that is named in full or, where that is one operation, by its local id.
fn resolve<'a>(ir: &'a Ir, name: &str) -> Option<&'a str> {
    let calls = || ir.ops.rows.iter().filter(|(_, op)| op.kind == OpKind::Call);
    if let Some((id, _)) = calls().find(|(id, _)| op_name(ir, *id) == name) {
        return Some(op_name(ir, id));
    }
    let mut local = calls().filter(|(_, op)| ir.names.resolve(op.local_id) == name);
    match (local.next(), local.next()) {
        (Some((id, _)), None) => Some(op_name(ir, id)),
        _ => None,
    }
}
