//! The generated success of an operation: its status, headers and body, or its stream of events.
//!
//! Reads responses, the request's `Accept` and `Last-Event-ID`, and a stream fault; writes a response. The values
//! depend on the seed, the operation's id and the place in the body alone.

use std::time::Duration;

use base_serve::{Body, Ending, Head, Piece, Response};
use serde_json::Value;
use tungsten_ir::media::essence;
use tungsten_ir::{Content, Encoding, OpId, Response as ResponseRow, Status};

use crate::check::{Direction, check};
use crate::generate::{Random, generate};
use crate::json;
use crate::refuse::REASON;
use crate::routes::op_name;
use crate::text::{header_safe, media_matches};
use crate::world::World;

/// What shall go wrong with a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamFault {
    /// Events that arrive.
    pub(crate) events: usize,
    /// Then silence for so long; else the connection breaks at once.
    pub(crate) silence: Option<Duration>,
    pub(crate) retry_ms: Option<u64>,
}

/// Events of a stream, lines of a text of JSON lines.
const STREAM_ITEMS: u64 = 3;

/// The generated answer. Fails when a stream fault is asked of an operation that answers with no stream.
pub(crate) fn success(world: &World, op: OpId, head: &Head, fault: Option<StreamFault>) -> Result<Response, String> {
    let ir = &world.ir;
    let random = Random::new(world.seed).child(op_name(ir, op));
    let responses = ir.ops.responses.slice(ir.ops.rows[op].responses);
    let Some((row, status)) = chosen(responses) else {
        return if fault.is_some() {
            Err(NO_STREAM.to_owned())
        } else {
            Ok(Response::new(204, Vec::new(), Vec::new()))
        };
    };
    let content = preferred(world, ir.ops.contents.slice(row.contents), head, fault.is_some());
    let content = content.filter(|_| !matches!(status, 204 | 205 | 304));
    let mut response = match content {
        Some(content) => with_content(world, content, random, status, head, fault)?,
        None if fault.is_some() => return Err(NO_STREAM.to_owned()),
        None => Response::new(status, Vec::new(), Vec::new()),
    };
    let headers = ir.ops.headers.slice(row.headers).iter().filter(|header| header.required);
    for header in headers {
        let name = ir.names.resolve(header.name);
        let value = generate(world, header.ty, random.child("header").child(name), name).value;
        response.headers.push((name.to_ascii_lowercase(), header_safe(&header_value(&value))));
    }
    Ok(response)
}

/// Whether bodies are sent item by item.
fn is_stream(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Events | Encoding::JsonLines | Encoding::JsonSeq)
}

const NO_STREAM: &str = "the operation answers with no stream that could be broken";

/// The lowest success; a range and the default answer as 200, when nothing else is declared.
fn chosen(responses: &[ResponseRow]) -> Option<(&ResponseRow, u16)> {
    let exact = |from: u16, to: u16| {
        let number = |row: &ResponseRow| match row.status {
            Status::Exact(status) if (from..to).contains(&status) => Some(status),
            _ => None,
        };
        responses.iter().filter_map(|row| Some((row, number(row)?))).min_by_key(|(_, status)| *status)
    };
    let other = |wanted: Status| responses.iter().find(|row| row.status == wanted).map(|row| (row, 200));
    exact(200, 300).or_else(|| other(Status::Range(2))).or_else(|| exact(300, 400)).or_else(|| other(Status::Default))
}

/// The content that the request's `Accept` names, else the first; a stream where a stream fault is asked.
fn preferred<'a>(world: &World, contents: &'a [Content], head: &Head, wants_stream: bool) -> Option<&'a Content> {
    let is_stream = |content: &&Content| is_stream(content.encoding);
    if wants_stream && let Some(stream) = contents.iter().find(is_stream) {
        return Some(stream);
    }
    let accept = head.header("accept").unwrap_or("*/*");
    // The q-values are followed; equal ones keep the order of the header.
    let mut ranges: Vec<(f64, &str)> =
        accept.split(',').map(|range| (quality(range), range)).filter(|(q, _)| *q > 0.0).collect();
    ranges.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut found = ranges
        .iter()
        .filter_map(|(_, range)| contents.iter().find(|content| media_matches(range, &media_type(world, content))));
    found.next().or_else(|| contents.first())
}

fn quality(range: &str) -> f64 {
    let q = range.split(';').skip(1).find_map(|parameter| parameter.trim().strip_prefix("q="));
    q.and_then(|q| q.trim().parse().ok()).unwrap_or(1.0)
}

/// The media type that is sent: a wildcard becomes a type that it admits.
fn media_type(world: &World, content: &Content) -> String {
    let declared = world.ir.names.resolve(content.media_type);
    let concrete = declared.split(',').map(str::trim).find(|one| !one.is_empty() && !one.contains('*'));
    if let Some(concrete) = concrete {
        return concrete.to_owned();
    }
    match (content.encoding, essence(declared).as_str()) {
        (Encoding::Json, _) => "application/json",
        (Encoding::Text, _) => "text/plain",
        (_, "image/*") => "image/png",
        (_, "audio/*") => "audio/mpeg",
        (_, "video/*") => "video/mp4",
        _ => "application/octet-stream",
    }
    .to_owned()
}

fn with_content(
    world: &World,
    content: &Content,
    random: Random,
    status: u16,
    head: &Head,
    fault: Option<StreamFault>,
) -> Result<Response, String> {
    let mut headers = vec![("content-type".to_owned(), media_type(world, content))];
    if is_stream(content.encoding) {
        if content.encoding == Encoding::Events {
            headers.push(("cache-control".to_owned(), "no-cache".to_owned()));
        }
        let (pieces, ending) = stream(world, content, random, head, fault);
        return Ok(Response { status, headers, body: Body::Pieces(pieces, ending), close: false });
    }
    if fault.is_some() {
        return Err(NO_STREAM.to_owned());
    }
    let (value, problem) = value_of(world, content, random);
    if let Some(problem) = problem {
        headers.push((
            REASON.to_owned(),
            header_safe(&format!("the generated answer does not keep its schema: {problem}")),
        ));
    }
    let body = match content.encoding {
        Encoding::Form => form_text(&value).into_bytes(),
        Encoding::Multipart => {
            let boundary = "tungsten-mock-boundary";
            headers[0].1 = format!("{}; boundary={boundary}", essence(&headers[0].1));
            multipart_text(&value, boundary).into_bytes()
        }
        Encoding::Text => text_body(&value, &headers[0].1).into_bytes(),
        Encoding::Bytes => bytes_body(&value),
        _ => value.to_string().into_bytes(),
    };
    Ok(Response { status, headers, body: Body::Whole(body), close: false })
}

/// The first example that is a value of the type, else a generated value. Only JSON and what is made from it is
/// checked.
fn value_of(world: &World, content: &Content, random: Random) -> (Value, Option<String>) {
    let is_text = matches!(content.encoding, Encoding::Text | Encoding::Bytes);
    let examples = world
        .ir
        .ops
        .examples
        .slice(content.examples)
        .iter()
        .filter_map(|example| json::of_literal(&world.docs, example.value?));
    let holds = |value: &Value| is_text || check(world, content.ty, value, Direction::Response).is_ok();
    let mut examples = examples.filter(holds);
    if let Some(example) = examples.next() {
        return (example, None);
    }
    let made = generate(world, content.ty, random.child("body"), "body");
    (made.value, made.problem.filter(|_| !is_text))
}

fn text_body(value: &Value, media_type: &str) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(_) | Value::Array(_) | Value::Null if essence(media_type).ends_with("xml") => {
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mock/>\n".to_owned()
        }
        other => other.to_string(),
    }
}

fn bytes_body(value: &Value) -> Vec<u8> {
    match value {
        Value::String(text) => text.clone().into_bytes(),
        _ => b"bytes\0\x01\xfe\xff".to_vec(),
    }
}

fn header_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(header_value).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, String)> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name, value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
}

fn form_text(value: &Value) -> String {
    let pairs: Vec<String> =
        members(value).map(|(name, text)| format!("{}={}", percent_encode(name), percent_encode(&text))).collect();
    pairs.join("&")
}

fn percent_encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

fn multipart_text(value: &Value, boundary: &str) -> String {
    let mut out = String::new();
    for (name, text) in members(value) {
        let name = name.replace(['"', '\r', '\n'], "_");
        out.push_str(&format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n"));
    }
    out.push_str(&format!("--{boundary}--\r\n"));
    out
}

/// Events with numeric ids from 1, or JSON lines: those after the request's `Last-Event-ID`, as far as the fault lets
/// them.
fn stream(
    world: &World,
    content: &Content,
    random: Random,
    head: &Head,
    fault: Option<StreamFault>,
) -> (Vec<Piece>, Ending) {
    let is_events = content.encoding == Encoding::Events;
    // RFC 7464 puts a record separator before each text.
    let before = if content.encoding == Encoding::JsonSeq { "\u{1e}" } else { "" };
    let last: u64 =
        head.header("last-event-id").filter(|_| is_events).and_then(|id| id.trim().parse().ok()).unwrap_or(0);
    let most = fault.map_or(usize::MAX, |fault| fault.events);
    let mut pieces = Vec::new();
    if let (true, Some(retry_ms)) = (is_events, fault.and_then(|fault| fault.retry_ms)) {
        pieces.push(piece(format!("retry: {retry_ms}\n\n")));
    }
    let ids: Vec<u64> = (1..=STREAM_ITEMS).filter(|id| *id > last).take(most).collect();
    for &id in &ids {
        let value = generate(world, content.ty, random.child("event").child_at(id), "event").value;
        pieces.push(piece(if is_events { event(id, &event_text(value)) } else { format!("{before}{value}\n") }));
    }
    if let Some(fault) = fault {
        return (pieces, fault.silence.map_or(Ending::Break, Ending::Stall));
    }
    if let Some(done) = content.stream_done {
        let done = world.ir.names.resolve(done);
        pieces.push(piece(if is_events { data_lines(done) + "\n" } else { format!("{before}{done}\n") }));
    }
    (pieces, Ending::Clean)
}

fn piece(text: String) -> Piece {
    Piece { after: Duration::ZERO, bytes: text.into_bytes() }
}

/// The text of one event: a string as it is, everything else as JSON.
fn event_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

fn event(id: u64, data: &str) -> String {
    format!("id: {id}\n{}\n", data_lines(data))
}

/// Text as `data:` lines; each line end of the text starts another (HTML, section 9.2.6).
fn data_lines(data: &str) -> String {
    let normal = data.replace("\r\n", "\n").replace('\r', "\n");
    let mut lines = String::with_capacity(normal.len() + 8);
    for line in normal.split('\n') {
        lines.push_str("data: ");
        lines.push_str(line);
        lines.push('\n');
    }
    lines
}
