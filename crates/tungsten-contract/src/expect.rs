//! What a scenario expects of results, requests, waits, hooks and stores, compared with what was seen; and what holds for
//! every result of every scenario: the form of results and envelopes.

use serde_json::{Map, Value, json};

use crate::base64;
use crate::compare::{Comparison, Mode, shown};
use crate::http::Arrived;
use crate::scenario::{Expect, Part, Request, Scenario};

/// What a run saw beside results.
#[derive(Debug, Default)]
pub struct Seen {
    pub requests: Vec<Arrived>,
    pub waits: Vec<u64>,
    pub limits: Vec<u64>,
    /// Lines of the driver.
    pub hooks: Vec<Value>,
    pub store: Vec<Value>,
}

/// What a call gave.
#[derive(Clone, Copy, Debug)]
pub struct Got<'a> {
    pub result: &'a Value,
    pub items: &'a [Value],
}

/// The members of an envelope, in their order, and whether each may be null.
pub const ENVELOPE: [(&str, bool); 14] = [
    ("status", false),
    ("category", false),
    ("operation", false),
    ("http_status", true),
    ("code", true),
    ("failed_parameter", true),
    ("received_value", true),
    ("expected", true),
    ("remediation", false),
    ("retryable", false),
    ("retry_after_ms", true),
    ("next_action", true),
    ("request_id", true),
    ("trace", false),
];

const CATEGORIES: [&str; 14] = [
    "VALIDATION_FAILED",
    "MALFORMED_REQUEST",
    "REQUEST_TOO_LARGE",
    "AUTH_FAILED",
    "NOT_FOUND",
    "CONFLICT",
    "PRECONDITION_FAILED",
    "RATE_LIMITED",
    "UPSTREAM_UNAVAILABLE",
    "OUTCOME_UNKNOWN",
    "TRANSPORT_FAILED",
    "CONFIRMATION_REQUIRED",
    "GATE_DISABLED",
    "UNEXPECTED_RESPONSE",
];

const RETRYABLE: [&str; 4] = ["never", "after_delay", "same_key_only", "after_remediation"];

/// Compares what a call gave.
pub fn result(to: &mut Comparison, place: &str, expected: &Expect, got: &Got<'_>) {
    let Some(items) = &expected.items else {
        return one(to, place, expected, got.result);
    };
    for (index, (expected, item)) in items.iter().zip(got.items).enumerate() {
        one(to, &format!("{place} item {index}"), expected, item);
    }
    if items.len() != got.items.len() {
        to.differs(
            place,
            &format!("{} items", items.len()),
            &format!("{}: {}", got.items.len(), shown(&json!(got.items))),
        );
    }
}

fn one(to: &mut Comparison, place: &str, expected: &Expect, got: &Value) {
    form(to, place, got);
    if let Some(error) = &expected.error {
        if got["ok"] != false {
            return to.differs(place, &format!("the error {}", shown(error)), &shown(got));
        }
        to.value(&format!("{place} error"), &plain(error), Some(&plain(&got["error"])), Mode::Partial);
    }
    if let Some(value) = &expected.value {
        if got["ok"] != true {
            return to.differs(place, &format!("the value {}", shown(value)), &shown(got));
        }
        to.value(&format!("{place} value"), value, got.get("value"), Mode::Exact);
    }
    if let Some(meta) = &expected.meta {
        to.value(&format!("{place} meta"), meta, got.get("meta"), Mode::Partial);
    }
    let absent = json!({ "$absent": true });
    for (name, wanted) in [("partial", &expected.partial), ("verification", &expected.verification)] {
        to.value(&format!("{place} {name}"), wanted.as_ref().unwrap_or(&absent), got.get(name), Mode::Exact);
    }
    if let Some(event) = &expected.event {
        to.value(&format!("{place} event"), event, got.get("event"), Mode::Partial);
    }
}

/// An envelope whose `failed_parameter` has no case and no separators: languages spell the names of arguments each their
/// own way.
fn plain(error: &Value) -> Value {
    let mut plain = error.clone();
    if let Some(path) = plain.get_mut("failed_parameter")
        && let Some(text) = path.as_str()
    {
        *path = json!(text.replace('_', "").to_lowercase());
    }
    plain
}

/// The form that every result has.
fn form(to: &mut Comparison, place: &str, got: &Value) {
    let allowed: &[&str] = match &got["ok"] {
        Value::Bool(true) => &["ok", "value", "meta", "verification", "event"],
        Value::Bool(false) => &["ok", "error", "partial"],
        _ => return to.differs(place, "a result", &shown(got)),
    };
    for key in got.as_object().into_iter().flat_map(Map::keys).filter(|key| !allowed.contains(&key.as_str())) {
        to.differs(place, "no other member of a result", key);
    }
    if got["ok"] == true {
        let meta = json!({ "status": { "$any": 1 }, "headers": { "$any": 1 }, "request_id": { "$any": 1 }, "attempts": { "$any": 1 } });
        to.value(&format!("{place} meta"), &meta, got.get("meta"), Mode::Partial);
    } else {
        envelope(to, &format!("{place} error"), &got["error"]);
    }
}

/// The form that every envelope has: all members, in their order, from closed sets where those are closed.
pub fn envelope(to: &mut Comparison, place: &str, error: &Value) {
    let Some(members) = error.as_object() else {
        return to.differs(place, "an envelope", &shown(error));
    };
    let names: Vec<&str> = members.keys().map(String::as_str).collect();
    let wanted: Vec<&str> = ENVELOPE.iter().map(|(name, _)| *name).collect();
    if names != wanted {
        to.differs(place, &format!("the members {wanted:?}"), &format!("{names:?}"));
    }
    for (name, nullable) in ENVELOPE {
        let value = &error[name];
        let fits = (nullable && value.is_null())
            || match name {
                "status" => value == "error",
                "category" => CATEGORIES.iter().any(|category| value == category),
                "retryable" => RETRYABLE.iter().any(|retryable| value == retryable),
                "http_status" | "retry_after_ms" => value.is_u64(),
                "received_value" => value.as_str().is_none_or(|text| text.encode_utf16().count() <= 200),
                "trace" => value.as_object().is_some_and(|trace| trace.len() == 1 && value["attempts"].is_u64()),
                "code" | "request_id" => value.as_str().is_some_and(|text| text.encode_utf16().count() <= 200),
                "remediation" => value.as_str().is_some_and(|text| !text.is_empty()),
                _ => value.is_string(),
            };
        if !fits {
            to.differs(&format!("{place}.{name}"), "a value of its form", &shown(value));
        }
    }
}

/// Compares what a scenario as a whole expects. `shown` is all that callers and hooks were shown.
pub fn whole(to: &mut Comparison, scenario: &Scenario, seen: &Seen, shown_values: &[Value]) {
    for (index, (expected, got)) in scenario.requests.iter().zip(&seen.requests).enumerate() {
        request(to, &format!("request {index}"), expected, got);
    }
    if scenario.requests.len() != seen.requests.len() {
        let lines: Vec<String> = seen.requests.iter().map(|got| format!("{} {}", got.method, got.target)).collect();
        to.differs("requests", &scenario.requests.len().to_string(), &format!("{}: {lines:?}", lines.len()));
    }
    to.value("waits", &json!(scenario.waits), Some(&json!(seen.waits)), Mode::Exact);
    if let Some(limits) = &scenario.limits {
        to.value("limits", &json!(limits), Some(&json!(seen.limits)), Mode::Exact);
    }
    if let Some(hooks) = &scenario.hooks {
        for (index, (expected, got)) in hooks.iter().zip(&seen.hooks).enumerate() {
            let place = format!("hook {index}");
            let name = json!({ "hook": expected.hook.name(), "client": expected.client });
            to.value(&place, &name, Some(got), Mode::Partial);
            if !expected.sees.is_null() {
                to.value(&format!("{place} sees"), &expected.sees, got.get("sees"), Mode::Partial);
            }
        }
        if hooks.len() != seen.hooks.len() {
            let names: Vec<&Value> = seen.hooks.iter().map(|hook| &hook["hook"]).collect();
            to.differs("hooks", &hooks.len().to_string(), &format!("{}: {}", names.len(), shown(&json!(names))));
        }
    }
    if let Some(store) = &scenario.store {
        to.value("store", &json!(store), Some(&json!(seen.store)), Mode::Partial);
    }
    for secret in &scenario.never_shown {
        for value in shown_values.iter().filter(|value| value.to_string().contains(secret.as_str())) {
            to.differs("shown", &format!("nothing that holds {secret:?}"), &shown(value));
        }
    }
}

fn request(to: &mut Comparison, place: &str, expected: &Request, got: &Arrived) {
    let line = json!({ "server": expected.server, "method": expected.method, "target": expected.target });
    let arrived = json!({ "server": got.server, "method": got.method, "target": got.target });
    to.value(place, &line, Some(&arrived), Mode::Exact);
    for (name, wanted) in &expected.headers {
        let value = got.header(&name.to_ascii_lowercase()).map(Value::String);
        to.value(&format!("{place} header {name}"), wanted, value.as_ref(), Mode::Exact);
    }
    let place = format!("{place} body");
    if let Some(json) = &expected.json {
        match serde_json::from_slice(&got.body) {
            Ok(body) => to.value(&place, json, Some(&body), Mode::Exact),
            Err(_) => to.differs(&place, &shown(json), &format!("{:?}", String::from_utf8_lossy(&got.body))),
        }
    }
    if let Some(text) = &expected.text {
        let body = Value::String(String::from_utf8_lossy(&got.body).into_owned());
        to.value(&place, text, Some(&body), Mode::Exact);
    }
    if let Some(bytes) = &expected.bytes {
        to.value(&place, &json!(bytes), Some(&json!(base64::encode(&got.body))), Mode::Exact);
    }
    if let Some(wanted) = &expected.parts {
        parts(to, &place, wanted, got);
    }
}

fn parts(to: &mut Comparison, place: &str, expected: &[Part], got: &Arrived) {
    let content_type = got.header("content-type").unwrap_or_default();
    let boundary = content_type.split_once("boundary=").map(|(_, boundary)| boundary.trim_matches('"').to_owned());
    let Some(found) = boundary.and_then(|boundary| split_parts(&got.body, &boundary)) else {
        return to.differs(
            place,
            "a multipart body",
            &format!("{content_type}: {:?}", String::from_utf8_lossy(&got.body)),
        );
    };
    if found.len() != expected.len() {
        return to.differs(place, &format!("{} parts", expected.len()), &found.len().to_string());
    }
    for (index, (expected, (headers, body))) in expected.iter().zip(&found).enumerate() {
        let place = format!("{place} part {index}");
        to.value(&place, &Value::Object(expected.headers.clone()), Some(&Value::Object(headers.clone())), Mode::Exact);
        let wanted =
            expected.bytes.clone().or_else(|| expected.text.as_ref().map(|text| base64::encode(text.as_bytes())));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if wanted.as_ref().is_some_and(|wanted| *wanted != base64::encode(body)) {
            to.differs(&place, &format!("{:?}", expected.text.as_ref().or(expected.bytes.as_ref())), &text(body));
        }
    }
}

/// Headers (lower-case names) and bytes of a part.
type FoundPart = (Map<String, Value>, Vec<u8>);

/// The parts of a multipart body (RFC 2046, section 5.1.1).
fn split_parts(body: &[u8], boundary: &str) -> Option<Vec<FoundPart>> {
    let find = |within: &[u8], what: &[u8]| within.windows(what.len()).position(|window| window == what);
    let mut rest = body.strip_prefix(format!("--{boundary}").as_bytes())?;
    let end = format!("\r\n--{boundary}");
    let mut parts = Vec::new();
    while let Some(part) = rest.strip_prefix(b"\r\n") {
        let head_end = find(part, b"\r\n\r\n")?;
        let body_end = head_end + 4 + find(&part[head_end + 4..], end.as_bytes())?;
        let head = String::from_utf8_lossy(&part[..head_end]).into_owned();
        let headers = head.split("\r\n").filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), json!(value))).collect();
        parts.push((headers, part[head_end + 4..body_end].to_vec()));
        rest = &part[body_end + end.len()..];
    }
    rest.starts_with(b"--").then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn envelopes_have_one_form() {
        let good = json!({
            "status": "error", "category": "NOT_FOUND", "operation": "a.b", "http_status": 404, "code": null,
            "failed_parameter": null, "received_value": null, "expected": null, "remediation": "Look again.",
            "retryable": "never", "retry_after_ms": null, "next_action": null, "request_id": null,
            "trace": { "attempts": 1 },
        });
        let problems = |error: &Value| {
            let mut to = Comparison::default();
            envelope(&mut to, "error", error);
            to.differences.len()
        };
        assert_eq!(problems(&good), 0);
        for (name, value) in [
            ("category", json!("LOST")),
            ("retryable", json!("soon")),
            ("remediation", json!("")),
            ("trace", json!({})),
            ("http_status", json!("404")),
            ("code", json!("x".repeat(201))),
        ] {
            let mut bad = good.clone();
            bad[name] = value;
            assert_eq!(problems(&bad), 1, "{name}");
        }
        let mut more = good.clone();
        more["partial"] = json!(1);
        assert_eq!(problems(&more), 1);
        assert_eq!(problems(&json!({})), 1 + 6);
    }

    #[test]
    fn parts_are_split_at_the_boundary() {
        let body =
            b"--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n\r\n--b\r\nX: y\r\n\r\n\r\n--b--\r\n";
        let parts = split_parts(body, "b").expect("parts");
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].1, b"1\r\n");
        assert_eq!(parts[1].0["x"], json!("y"));
        assert!(split_parts(b"--b\r\nX: y\r\n\r\n", "b").is_none());
        assert!(split_parts(b"none", "b").is_none());
    }
}
