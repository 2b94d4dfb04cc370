//! The mock in process: each row of what it promises, over a small description, and generated answers of whole APIs.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base_serve::{Answer, Body, Ending, Handler as _, Head, Request, Response};
use serde_json::{Value, json};
use tungsten_frontend::{InputRequest, MemoryLoader, Overrides, RpcOverride, compile};
use tungsten_ir::{
    AuthKind, Content, Encoding, Ir, KeyLocation, Location, OpId, OpKind, OpStatus, ResponseKind, Role, Style,
};

use crate::check::{Direction, check};
use crate::generate::{Random, generate};
use crate::routes::op_name;
use crate::server::Mock;
use crate::{Options, json};

const HARBOUR: &str = include_str!("../../../corpus/harbour/openapi.yaml");
const WHARF: &str = include_str!("../tests/wharf.yaml");
const ID: &str = "5b0f6a1e-3f0b-4d7e-9a51-5d2f8c1b7a10";

fn mock_of(name: &str, bytes: impl Into<Vec<u8>>, options: &Options) -> Mock {
    mock_with(name, bytes, options, Overrides::default())
}

fn mock_with(name: &str, bytes: impl Into<Vec<u8>>, options: &Options, overrides: Overrides) -> Mock {
    let loader = MemoryLoader::new().with(name, bytes);
    let input = InputRequest { namespace: "api".to_owned(), spec: name.to_owned() };
    let request =
        tungsten_frontend::Request { api_name: "api".to_owned(), inputs: vec![input], overrides, ..Default::default() };
    let compiled = compile(&request, &loader);
    let found: Vec<String> = compiled
        .diags
        .iter()
        .filter(|one| one.code.severity() == base::Severity::Error)
        .map(|one| one.message.clone())
        .collect();
    assert!(found.is_empty(), "{name}: {found:?}");
    Mock::new(Arc::new(compiled.ir.expect("it compiles")), Arc::new(compiled.docs), options)
}

fn harbour() -> Mock {
    mock_of("openapi.yaml", HARBOUR, &Options::default())
}

fn wharf() -> Mock {
    mock_of("wharf.yaml", WHARF, &Options::default())
}

/// A request under way.
#[derive(Clone)]
struct Call(Request);

fn call(method: &str, target: &str) -> Call {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers =
        vec![("host".to_owned(), "127.0.0.1".to_owned()), ("authorization".to_owned(), "Bearer t".to_owned())];
    let head = Head { method: method.to_owned(), path: path.to_owned(), query: query.to_owned(), headers };
    Call(Request { head, body: Vec::new() })
}

impl Call {
    fn header(mut self, name: &str, value: &str) -> Self {
        self.0.head.headers.retain(|(known, _)| known != name || name == "cookie");
        self.0.head.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    fn without(mut self, name: &str) -> Self {
        self.0.head.headers.retain(|(known, _)| known != name);
        self
    }

    fn body(mut self, media_type: &str, body: impl AsRef<[u8]>) -> Self {
        self.0.body = body.as_ref().to_vec();
        self.header("content-type", media_type)
    }

    fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    fn answer(&self, mock: &Mock) -> Answer {
        mock.head(&self.0.head).unwrap_or_else(|| mock.request(self.0.clone()))
    }

    fn send(&self, mock: &Mock) -> Response {
        match self.answer(mock) {
            Answer::Respond(response) => response,
            Answer::Drop { .. } => panic!("the connection was closed"),
        }
    }

    #[track_caller]
    fn status(&self, mock: &Mock, expect: u16) -> Response {
        let response = self.send(mock);
        let target: String = format!("{}?{}", self.0.head.path, self.0.head.query).chars().take(200).collect();
        assert_eq!(response.status, expect, "{target}: {:?}", header(&response, "x-tungsten-reason"));
        response
    }
}

fn text(response: &Response) -> String {
    let bytes = match &response.body {
        Body::Whole(bytes) => bytes.clone(),
        Body::Pieces(pieces, _) => pieces.iter().flat_map(|piece| piece.bytes.clone()).collect(),
    };
    String::from_utf8_lossy(&bytes).into_owned()
}

fn value(response: &Response) -> Value {
    json::parse(text(response).as_bytes()).expect("a JSON body")
}

fn header<'a>(response: &'a Response, name: &str) -> Option<&'a str> {
    response.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

fn booking() -> Value {
    json!({"berth_id": ID, "ship": {"drive": "sail", "name": "Anna", "masts": 2}, "arrives_on": "2026-12-01"})
}

fn book() -> Call {
    call("POST", "/bookings").header("idempotency-key", ID).json(&booking())
}

#[test]
fn examples_come_first_and_values_are_the_same_every_time() {
    let (mock, other) = (harbour(), harbour());
    let berth = value(&call("GET", &format!("/berths/{ID}")).status(&mock, 200));
    assert_eq!(berth, json!({"id": ID, "kind": "deep", "depth_m": 14.5, "occupied_by": null}));
    let list = text(&call("GET", "/berths").status(&mock, 200));
    book().status(&other, 201);
    assert_eq!(text(&call("GET", "/berths").status(&other, 200)), list, "the order of requests does not matter");
    let seeded = mock_of("openapi.yaml", HARBOUR, &Options { seed: 7, ..Options::default() });
    assert_ne!(text(&call("GET", "/berths").status(&seeded, 200)), list);
    let list: Value = json::parse(list.as_bytes()).expect("JSON");
    assert_eq!(list.as_array().map(Vec::len), Some(1), "one item");
    assert_eq!(list[0]["kind"], "shallow", "the first value of an enum");
    assert_eq!(list[0]["id"].as_str().map(|id| &id[14..15]), Some("4"), "a UUID of version 4");
    assert_eq!(list[0]["occupied_by"]["drive"], "motor", "the first variant, with its tag");
    let made = value(&book().status(&mock, 201));
    assert!(made["arrives_on"].as_str().is_some_and(|date| date.starts_with("2026-")), "{made}");
    let gone = call("DELETE", &format!("/berths/{ID}")).status(&mock, 204);
    assert_eq!(text(&gone), "");
}

#[test]
fn requests_find_their_operation() {
    let mock = harbour();
    call("GET", "/v1/berths").status(&mock, 200);
    call("GET", "/v1").status(&mock, 404);
    for path in ["/berths/", "/nothing", "/v2/berths", "/", "", "/berths//", "//berths", "/v1berths"] {
        let refused = call("GET", path).status(&mock, 404);
        assert_eq!(value(&refused)["code"], "not_found");
        assert!(header(&refused, "x-tungsten-reason").is_some());
    }
    let refused = call("PATCH", &format!("/berths/{ID}")).status(&mock, 405);
    assert_eq!(header(&refused, "allow"), Some("DELETE, GET"));

    let mock = wharf();
    assert_eq!(text(&call("GET", "/cranes/tallest").status(&mock, 200)), "\"literal\"", "literal segments first");
    assert_eq!(text(&call("GET", "/cranes/other").status(&mock, 200)), "\"placeholder\"");
    assert_eq!(
        text(&call("GET", "/cranes/%74allest").status(&mock, 200)),
        "\"literal\"",
        "an encoded literal is the literal"
    );
    assert_eq!(text(&call("GET", "/ropes/a-b.json").status(&mock, 200)), "\"template\"");
    call("GET", "/ropes/a-.json").status(&mock, 404);
    call("GET", "/ropes/ab.json").status(&mock, 404);
    assert_eq!(text(&call("GET", "/size(w=1)").status(&mock, 200)), "\"width\"");
    assert_eq!(text(&call("GET", "/size(w=1,h=2)").status(&mock, 200)), "\"both\"", "more literal text first");
    assert_eq!(text(&call("GET", "/docks/7").status(&mock, 200)), "\"by id\"");
    assert_eq!(text(&call("GET", "/docks/seven").status(&mock, 200)), "\"by name\"", "the one that takes the request");
    call("GET", "/docks/Seven").status(&mock, 400);
    let named = call("GET", "/docks/7").header("x-tungsten-operation", "api.dockByName");
    assert_eq!(named.status(&mock, 400).status, 400, "the one that the client names, also when another would take it");
    assert_eq!(text(&call("GET", "/weather?kind=wind").status(&mock, 200)), "\"wind\"");
    assert_eq!(text(&call("GET", "/weather").status(&mock, 200)), "\"weather\"");
    assert_eq!(text(&call("GET", "/weather?kind=rain").status(&mock, 200)), "\"weather\"");
}

#[test]
fn credentials_are_asked_for() {
    let mock = harbour();
    let list = call("GET", "/berths");
    let refused = list.clone().without("authorization").status(&mock, 401);
    assert_eq!(value(&refused)["code"], "unauthorized");
    list.clone().header("authorization", "Basic dTpw").status(&mock, 401);
    list.clone().header("authorization", "Bearer ").status(&mock, 403);
    list.header("authorization", "bearer x").status(&mock, 200);

    let mock = wharf();
    let bare = |target: &str| call("GET", target).without("authorization");
    bare("/auth/basic").status(&mock, 401);
    bare("/auth/basic").header("authorization", "Basic bm8=").status(&mock, 403);
    bare("/auth/basic").header("authorization", "Basic dTpw").status(&mock, 200);
    bare("/auth/basic").header("authorization", "Bearer x").status(&mock, 401);
    bare("/auth/both").status(&mock, 401);
    bare("/auth/both").header("x-key", "k").status(&mock, 403);
    bare("/auth/both?key=q").status(&mock, 403);
    bare("/auth/both?key=q").header("x-key", "k").status(&mock, 200);
    bare("/auth/either").status(&mock, 401);
    bare("/auth/either").header("cookie", "a=b; session=s").status(&mock, 200);
    bare("/auth/either").header("authorization", "Bearer x").status(&mock, 200);
    bare("/auth/optional").status(&mock, 200);
    bare("/cranes/tallest").status(&mock, 200);
}

#[test]
fn parameters_are_checked() {
    let mock = harbour();
    call("GET", "/berths?limit=5&kind=deep,shallow&unknown=1").status(&mock, 200);
    for bad in [
        "limit=0",
        "limit=101",
        "limit=x",
        "limit=1.5",
        "limit=",
        "kind=wet",
        "kind=deep,wet",
        "limit=%",
        "%ff=1",
        "limit=%zz",
    ] {
        let refused = call("GET", &format!("/berths?{bad}")).status(&mock, 400);
        assert_eq!(value(&refused)["code"], "invalid_request", "{bad}");
    }
    call("GET", "/berths/not-a-uuid").status(&mock, 400);
    book().header("idempotency-key", "x").status(&mock, 400);
    book().without("idempotency-key").status(&mock, 400);

    let mock = wharf();
    for good in [
        "/styles/1,2/.a.b/;matrix=5",
        "/styles/1/.a/;matrix=5",
        "/styles/1,2/.a.b/;matrix=5?pipes=1|2&spaces=1%202",
        "/styles/1,2/.a.b/;matrix=5?pipes=1%7C2&spaces=1+2",
        "/styles/1,2/.a.b/;matrix=5?deep[a]=1&deep[list][]=x&deep[list][]=y",
        "/styles/1,2/.a.b/;matrix=5?deep%5Blist%5D%5B4294967295%5D=x&deep[list][0]=y",
        "/styles/1,2/.a.b/;matrix=5?many=1&many=2",
        "/styles/1,2/.a.b/;matrix=5?x=1&y=2",
        "/styles/1,2/.a.b/;matrix=5?flat=x,1,y,2",
        "/styles/1,2/.a.b/;matrix=5?doc=%7B%22a%22%3A1%7D",
        "/styles/1,2/.a.b/;matrix=5?flag=true",
        "/styles/1,2/.a.b/;matrix=5?either=word&empty=",
        "/styles/1,2/.a.b/;matrix=5?either=12",
    ] {
        call("GET", good).status(&mock, 200);
    }
    for bad in [
        "/styles/1,x/.a.b/;matrix=5",
        "/styles/1/a/;matrix=5",
        "/styles/1/.a/matrix=5",
        "/styles/1/.a/;n=5",
        "/styles/1,2/.a.b/;matrix=5?pipes=1|x",
        "/styles/1,2/.a.b/;matrix=5?spaces=1%20x",
        "/styles/1,2/.a.b/;matrix=5?deep[a]=x",
        "/styles/1,2/.a.b/;matrix=5?deep[a=1",
        "/styles/1,2/.a.b/;matrix=5?many=1&many=x",
        "/styles/1,2/.a.b/;matrix=5?x=z",
        "/styles/1,2/.a.b/;matrix=5?flat=x",
        "/styles/1,2/.a.b/;matrix=5?doc=%7B",
        "/styles/1,2/.a.b/;matrix=5?doc=%7B%22a%22%3A%22b%22%7D",
        "/styles/1,2/.a.b/;matrix=5?flag=yes",
        "/styles/1,2/.a.b/;matrix=5?either=-1",
        "/styles/1,2/.a.b/;matrix=5?code=abc",
        "/styles/%ff/.a/;matrix=5",
    ] {
        call("GET", bad).status(&mock, 400);
    }
    let styles = || call("GET", "/styles/1/.a/;matrix=5");
    styles().header("x-list", "1, 2").header("cookie", "crumb=3").status(&mock, 200);
    styles().header("x-list", "1, x").status(&mock, 400);
    styles().header("cookie", "crumb=x").status(&mock, 400);
}

#[test]
fn bodies_are_checked() {
    let mock = harbour();
    book().status(&mock, 201);
    for (path, bad) in [
        ("berth_id", json!("x")),
        ("ship", json!({"drive": "wind"})),
        ("ship", json!({"drive": "sail", "name": "", "masts": 2})),
        ("arrives_on", json!("2026-02-30")),
        ("nights", json!(0)),
        ("nights", json!(1.5)),
        ("note", json!("x".repeat(501))),
        ("arrives_on", Value::Null),
    ] {
        let mut body = booking();
        body[path] = bad.clone();
        book().json(&body).status(&mock, 400);
    }
    let mut short = booking();
    short.as_object_mut().expect("an object").remove("ship");
    let refused = book().json(&short).status(&mock, 400);
    assert_eq!(header(&refused, "x-tungsten-reason"), Some("body.ship is missing"));
    book().body("application/json", "").status(&mock, 400);
    book().body("text/plain", "x").status(&mock, 415);
    book().without("content-type").status(&mock, 415);
    book().header("content-encoding", "gzip").status(&mock, 415);
    for bad in ["{", "[1,]", "{\"a\":1,\"a\":1}", "\u{feff}x", "nul"] {
        book().body("application/json; charset=utf-8", bad).status(&mock, 400);
    }
    let deep = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    for depth in [255, 256, 257, 100_000] {
        book().body("application/json", deep(depth)).status(&mock, 400);
    }
    book().body("application/json", b"\"\xff\"").status(&mock, 400);

    let mock = wharf();
    call("POST", "/any").body("application/json", deep(256)).status(&mock, 204);
    call("POST", "/any").body("application/json", deep(257)).status(&mock, 400);
    call("POST", "/tree").json(&json!({"value": 1, "children": [{"value": 2, "children": []}]})).status(&mock, 204);
    call("POST", "/tree").json(&json!({"value": 1, "children": [{"value": "x"}]})).status(&mock, 400);
    let form = |body: &str| call("POST", "/form").body("application/x-www-form-urlencoded", body);
    form("name=a+b&age=3&tags=x&tags=y&address=%7B%22city%22%3A%22c%22%7D&home[city]=d").status(&mock, 204);
    for bad in
        ["age=3", "name=a&age=x", "name=a&address=%7B%7D", "name=a&home[city]=", "name=%zz", "name=a&tags=toolong"]
    {
        form(bad).status(&mock, 400);
    }
    form(&format!("name=a{}", "&b=".repeat(10_000))).status(&mock, 204);
    form(&format!("name=a{}", "&b=".repeat(30_000))).status(&mock, 400);
    let part = |name: &str, extra: &str, content: &str| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"{extra}\r\n\r\n{content}\r\n")
    };
    let multipart = |parts: &[String]| {
        call("POST", "/upload").body("multipart/form-data; boundary=x", format!("{}--x--\r\n", parts.concat()))
    };
    let file = part("file", "; filename=\"a\"", "\u{0}bytes");
    multipart(&[file.clone(), part("count", "", "3"), part("list", "", "1"), part("list", "", "2")]).status(&mock, 204);
    multipart(&[part("count", "", "3")]).status(&mock, 400);
    multipart(&[file.clone(), part("count", "", "x")]).status(&mock, 400);
    multipart(&[file, part("list", "", "x")]).status(&mock, 400);
    call("POST", "/upload").body("multipart/form-data; boundary=x", "nothing").status(&mock, 400);
    call("POST", "/upload").body("multipart/form-data", "nothing").status(&mock, 400);
}

#[test]
fn keys_replay_answers() {
    let mock = wharf();
    let order = |key: &str, n: u32| call("POST", "/orders").header("idempotency-key", key).json(&json!({"n": n}));
    let first = value(&order("k", 1).status(&mock, 201));
    assert_eq!(first["created"], true);
    let mut again = value(&order("k", 1).status(&mock, 201));
    assert_eq!(again["created"], false);
    again["created"] = json!(true);
    assert_eq!(again, first);
    assert_eq!(value(&order("k", 2).status(&mock, 409))["error"]["code"], "idempotency_conflict");
    let mut other = order("k", 1);
    other.0.head.query = "x=1".to_owned();
    other.status(&mock, 409);
    order("other", 2).status(&mock, 201);
    call("POST", "/__tungsten/reset").status(&mock, 204);
    assert_eq!(value(&order("k", 2).status(&mock, 201))["created"], true);

    let small = mock_of("wharf.yaml", WHARF, &Options { max_idempotent_responses: 1, ..Options::default() });
    order("a", 1).status(&small, 201);
    order("b", 1).status(&small, 201);
    assert_eq!(value(&order("a", 1).status(&small, 201))["created"], true, "the oldest is dropped");
    let none = mock_of("wharf.yaml", WHARF, &Options { max_idempotent_responses: 0, ..Options::default() });
    order("a", 1).status(&none, 201);
    assert_eq!(value(&order("a", 1).status(&none, 201))["created"], true);
    // A refused request is never stored.
    let broken = call("POST", "/orders").header("idempotency-key", "z").body("application/json", "{");
    broken.status(&mock, 400);
    order("z", 1).status(&mock, 201);
}

#[test]
fn faults_are_injected() {
    let mock = wharf();
    let list = |inject: &str| call("GET", "/cranes/tallest").header("x-tungsten-inject", inject);
    assert!(matches!(list("reset").answer(&mock), Answer::Drop { after: Duration::ZERO }));
    assert!(matches!(list("timeout=5").answer(&mock), Answer::Drop { after } if after == Duration::from_millis(5)));
    assert!(matches!(list("drop-after-write").answer(&mock), Answer::Drop { .. }));
    let refused = list("status=429;retry-after=3;code=slow_down").status(&mock, 429);
    assert_eq!((header(&refused, "retry-after"), &value(&refused)["error"]["code"]), (Some("3"), &json!("slow_down")));
    list("status=204").status(&mock, 204);
    list("what").status(&mock, 400);
    list("drop-after=1").status(&mock, 400);
    call("GET", "/nothing").header("x-tungsten-inject", "status=503").status(&mock, 503);

    let order = || call("POST", "/orders").header("idempotency-key", "k").json(&json!({"n": 1}));
    order().header("x-tungsten-inject", "status=500").status(&mock, 500);
    assert_eq!(value(&order().status(&mock, 201))["created"], true, "nothing took effect");
    call("POST", "/__tungsten/reset").status(&mock, 204);
    order().header("x-tungsten-inject", "status=500;apply").status(&mock, 500);
    assert_eq!(value(&order().status(&mock, 201))["created"], false, "it took effect");
    call("POST", "/__tungsten/reset").status(&mock, 204);
    assert!(matches!(order().header("x-tungsten-inject", "drop-after-write").answer(&mock), Answer::Drop { .. }));
    assert_eq!(value(&order().status(&mock, 201))["created"], false, "it took effect");
}

#[test]
fn streams_resume_and_break() {
    let mock = wharf();
    let watch = || call("GET", "/watch");
    let all = watch().status(&mock, 200);
    assert_eq!(header(&all, "content-type"), Some("text/event-stream"));
    let all = text(&all);
    assert_eq!(all.matches("id: ").count(), 3);
    assert!(all.starts_with("id: 1\ndata: {") && all.ends_with("data: [DONE]\n\n"), "{all}");
    let rest = text(&watch().header("last-event-id", "1").status(&mock, 200));
    assert!(all.ends_with(&rest) && rest.starts_with("id: 2\n"), "{rest}");
    assert_eq!(text(&watch().header("last-event-id", "3").status(&mock, 200)), "data: [DONE]\n\n");
    let broken = watch().header("x-tungsten-inject", "drop-after=1;retry=7").status(&mock, 200);
    assert!(matches!(broken.body, Body::Pieces(_, Ending::Break)));
    assert!(text(&broken).starts_with("retry: 7\n\nid: 1\n") && !text(&broken).contains("id: 2"));
    let stalled = watch().header("x-tungsten-inject", "stall-after=2;ms=9").status(&mock, 200);
    assert!(matches!(stalled.body, Body::Pieces(_, Ending::Stall(time)) if time == Duration::from_millis(9)));
    let lines = text(&call("GET", "/lines").status(&mock, 200));
    assert_eq!(lines.lines().filter(|line| json::parse(line.as_bytes()).is_ok()).count(), 3);
}

const QUAY: &str = "openapi: 3.2.0
info: { title: Quay, version: '1' }
paths:
  /boats:
    query:
      operationId: queryBoats
      parameters:
        - name: filter
          in: querystring
          required: true
          content: { application/x-www-form-urlencoded: { schema: { type: object, required: [length], properties: { length: { type: integer }, names: { type: array, items: { type: string } } } }, encoding: { names: { explode: false } } } }
      responses: { '200': { description: ok, content: { application/json-seq: { itemSchema: { type: integer } } } } }
    get:
      operationId: findBoats
      parameters: [{ name: filter, in: querystring, content: { application/json: { schema: { type: array, items: { type: integer } } } } }, { name: crew, in: cookie, style: cookie, schema: { type: array, items: { type: integer } } }]
      responses: { '204': { description: ok } }
    additionalOperations:
      COPY:
        operationId: copyBoats
        requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Boat' } } } }
        responses: { '204': { description: ok } }
components:
  schemas:
    Boat: { oneOf: [{ $ref: '#/components/schemas/Sail' }, { $ref: '#/components/schemas/Other' }], discriminator: { propertyName: kind, mapping: { sail: Sail }, defaultMapping: Other } }
    Sail: { type: object, required: [mast], properties: { kind: { type: string }, mast: { type: integer } } }
    Other: { type: object, required: [name], properties: { kind: { type: string }, name: { type: string } } }
";

#[test]
fn what_3_2_brought_is_served() {
    let mock = mock_of("quay.yaml", QUAY, &Options::default());
    let answer = call("QUERY", "/boats?length=3&names=a,b").status(&mock, 200);
    assert!(text(&answer).starts_with('\u{1e}') && text(&answer).ends_with('\n'));
    call("QUERY", "/boats?length=long").status(&mock, 400);
    call("QUERY", "/boats?names=a").status(&mock, 400);
    call("QUERY", "/boats").status(&mock, 400);
    call("GET", "/boats?%5B1%2C2%5D").status(&mock, 204);
    call("GET", "/boats?%5B%22x%22%5D").status(&mock, 400);
    call("GET", "/boats").header("cookie", "crew=1; crew=2").status(&mock, 204);
    call("GET", "/boats").header("cookie", "crew=x").status(&mock, 400);
    for (boat, status) in [
        (json!({"kind": "sail", "mast": 2}), 204),
        (json!({"kind": "sail", "name": "x"}), 400),
        (json!({"kind": "row", "name": "x"}), 204),
        (json!({"name": "x"}), 204),
        (json!({"mast": 2}), 400),
    ] {
        call("COPY", "/boats").json(&boat).status(&mock, status);
    }
    let refused = call("POST", "/boats").status(&mock, 405);
    assert_eq!(header(&refused, "allow"), Some("COPY, GET, QUERY"));
}

#[test]
fn programs_script_answers() {
    let mock = wharf();
    let program = |body: &Value| call("POST", "/__tungsten/program").json(body);
    let list = || call("GET", "/cranes/tallest");
    let queued = program(&json!([
        {"operation": "tallest", "status": 503, "code": "down", "times": 2, "headers": {"Retry-After": "1"}},
        {"operation": "api.tallest", "status": 200, "body": {"x": 1}},
        {"operation": "tallest", "status": 200, "body": "data: x\n\n", "headers": [["content-type", "text/event-stream"]]},
        {"operation": "tallest", "inject": "timeout=1"},
    ]))
    .status(&mock, 200);
    assert_eq!(value(&queued), json!({"queued": 4}));
    for _ in 0..2 {
        let refused = list().status(&mock, 503);
        assert_eq!((header(&refused, "retry-after"), &value(&refused)["error"]["code"]), (Some("1"), &json!("down")));
    }
    assert_eq!(value(&list().status(&mock, 200)), json!({"x": 1}));
    let stream = list().status(&mock, 200);
    assert_eq!((header(&stream, "content-type"), text(&stream).as_str()), (Some("text/event-stream"), "data: x\n\n"));
    assert!(matches!(list().answer(&mock), Answer::Drop { .. }));
    assert_eq!(text(&list().status(&mock, 200)), "\"literal\"");
    for bad in [
        json!({"operation": "nobody", "status": 200}),
        json!({"status": 200}),
        json!({"operation": "tallest"}),
        json!({"operation": "tallest", "status": 600}),
        json!({"operation": "tallest", "status": 200, "times": 0}),
        json!({"operation": "tallest", "inject": "x"}),
        json!("x"),
        json!({"operation": "tallest", "status": 200, "headers": 1}),
        json!({"operation": "tallest", "inject": "reset", "status": 200}),
        json!([{"operation": "tallest", "status": 503}, {"operation": "nobody", "status": 200}]),
    ] {
        program(&bad).status(&mock, 400);
    }
    list().status(&mock, 200);
    call("GET", "/__tungsten/program").status(&mock, 405);
    call("GET", "/__tungsten/else").status(&mock, 404);
    call("GET", "/__tungsten/calls").header("origin", "https://evil.example").status(&mock, 403);
}

#[test]
fn calls_are_recorded() {
    let mock = wharf();
    call("POST", "/any?a=%20b").json(&json!([1])).status(&mock, 204);
    let _ = call("GET", "/cranes/tallest").header("x-tungsten-inject", "reset").answer(&mock);
    call("GET", "/nothing").status(&mock, 404);
    let calls = value(&call("GET", "/__tungsten/calls").status(&mock, 200));
    let first = json!({
        "method": "POST", "path": "/any", "query": "a=%20b", "operation": "api.takeAny",
        "headers": [["authorization", "Bearer t"], ["content-type", "application/json"], ["host", "127.0.0.1"]],
        "body": [91, 49, 93], "response_status": 204, "injected": false, "body_text": "[1]",
    });
    assert_eq!(calls[0], first);
    assert_eq!(
        (&calls[1]["response_status"], &calls[1]["injected"], &calls[1]["operation"]),
        (&json!(0), &json!(true), &json!("api.tallest"))
    );
    assert_eq!((&calls[2]["response_status"], &calls[2]["operation"]), (&json!(404), &Value::Null));
    assert_eq!(calls.as_array().map(Vec::len), Some(3), "control routes are not recorded");
    call("POST", "/__tungsten/reset").status(&mock, 204);
    assert_eq!(value(&call("GET", "/__tungsten/calls").status(&mock, 200)), json!([]));
    let small = mock_of("wharf.yaml", WHARF, &Options { max_recorded_calls: 2, ..Options::default() });
    for path in ["/a", "/b", "/c"] {
        call("GET", path).status(&small, 404);
    }
    let kept = value(&call("GET", "/__tungsten/calls").status(&small, 200));
    assert_eq!((kept.as_array().map(Vec::len), &kept[0]["path"]), (Some(2), &json!("/b")));
}

#[test]
fn values_keep_their_bounds() {
    let mock = wharf();
    let values = value(&call("GET", "/values").status(&mock, 200));
    for (field, holds) in [
        ("site_url", values["site_url"].as_str().is_some_and(|url| url.starts_with("https://"))),
        ("work_email", values["work_email"].as_str().is_some_and(|email| email.contains('@'))),
        ("seen_ms", values["seen_ms"].as_i64().is_some_and(|ms| (1_767_225_600_000..1_798_761_600_000).contains(&ms))),
        ("madeAt", values["madeAt"].as_i64().is_some_and(|at| (1_767_225_600..1_798_761_600).contains(&at))),
        ("step", values["step"].as_i64().is_some_and(|step| step % 7 == 0 && step >= 100)),
        ("price", values["price"].as_f64().is_some_and(|price| price > 0.0 && price < 1.0)),
        ("code", values["code"].as_str().is_some_and(|code| code.len() == 7 && &code[2..3] == "-")),
        (
            "three",
            values["three"]
                .as_array()
                .is_some_and(|three| three.len() == 3 && three[0] != three[1] && three[1] != three[2]),
        ),
        (
            "pair",
            values["pair"]
                .as_array()
                .is_some_and(|pair| pair.len() == 2 && pair[0].is_string() && pair[1].is_boolean()),
        ),
        ("map", values["map"].as_object().is_some_and(|map| map.len() == 1)),
        ("far", values["far"].is_i64()),
        ("farther", values.get("farther").is_none()),
        ("secret", values.get("secret").is_none()),
        ("server_set", values.get("server_set").is_some()),
        ("stated", values["stated"] == "an example"),
        ("bad_example", values["bad_example"].as_str().is_some_and(|text| text.len() <= 3)),
        ("both", values["both"]["a"].is_i64() && values["both"]["b"].is_string()),
        ("maybe", values["maybe"].is_string()),
        ("one_of_two", values["one_of_two"].as_object().is_some_and(|one| one.len() == 1)),
        ("tree", values["tree"]["value"].is_i64()),
    ] {
        assert!(holds, "{field}: {values}");
    }
    let response = call("GET", "/values").send(&mock);
    assert!(header(&response, "x-total").is_some_and(|total| total.parse::<i64>().is_ok()), "a required header");
    assert_eq!(header(&response, "x-tungsten-reason"), None, "the body keeps its schema");
    assert_eq!(text(&call("GET", "/text").send(&mock)), "plain words");
    assert_eq!(header(&call("GET", "/image").send(&mock), "content-type"), Some("image/png"));
    let either = |accept: &str| {
        header(&call("GET", "/either").header("accept", accept).send(&mock), "content-type").map(str::to_owned)
    };
    assert_eq!(either("text/csv").as_deref(), Some("text/csv"));
    assert_eq!(either("text/csv;q=0.5, application/json").as_deref(), Some("application/json"));
    assert_eq!(either("image/png").as_deref(), Some("application/json"));
    call("GET", "/cranes/tallest").header("origin", "https://evil.example").status(&mock, 403);
    call("GET", "/cranes/tallest").header("origin", "http://localhost:5173").status(&mock, 200);
}

#[test]
fn requests_made_to_hurt_are_answered() {
    let mock = wharf();
    let many: Vec<String> = (0..10_000).map(|n| format!("k{n}[a][{n}]=x")).collect();
    call("GET", &format!("/styles/1/.a/;matrix=5?{}", many.join("&"))).status(&mock, 200);
    let deep: Vec<String> = (0..10_000).map(|n| format!("deep[list][{n}]=x")).collect();
    call("GET", &format!("/styles/1/.a/;matrix=5?{}", deep.join("&"))).status(&mock, 200);
    call("GET", &format!("/styles/1/.a/;matrix=5?deep{}=x", "[a]".repeat(10_000))).status(&mock, 400);
    call("GET", &format!("/{}", "a/".repeat(20_000))).status(&mock, 404);
    call("GET", "/cranes/%00%ff").status(&mock, 400);
    call("GET", "/cranes/%2e%2e").status(&mock, 200);
    call("GET", "/cranes/é").status(&mock, 200);
    // Variants in variants that all fit until the last value.
    let nested = format!("{}\"x\"{}", "{\"next\":".repeat(255), "}".repeat(255));
    call("POST", "/maze").body("application/json", nested).status(&mock, 400);
    for noise in ["\u{fffd}", "=", "&", "?", "[", "%5B", "a[", "a]", "=&=&="] {
        let _ = call("GET", &format!("/styles/{noise}/.a/;matrix=5?{noise}")).answer(&mock);
        let _ = call("POST", "/form").body("application/x-www-form-urlencoded", noise).answer(&mock);
        let _ = call("POST", "/upload").body(&format!("multipart/form-data; boundary={noise}"), noise).answer(&mock);
        let _ = call("GET", "/auth/basic").header("authorization", noise).header("cookie", noise).answer(&mock);
    }
}

fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = std::env::var_os("TUNGSTEN_SHARED").map_or_else(beside, PathBuf::from);
    root.is_dir().then_some(root)
}

/// Generates the answer of every response of every operation; returns what does not keep its schema, and how many there
/// were.
fn wrong_answers(mock: &Mock) -> (usize, Vec<String>) {
    let world = mock.world();
    let ir = &world.ir;
    let (mut n_answers, mut wrong) = (0, Vec::new());
    for (id, op) in ir.ops.rows.iter().filter(|(_, op)| op.kind == OpKind::Call) {
        for response in
            ir.ops.responses.slice(op.responses).iter().filter(|response| response.kind != ResponseKind::Error)
        {
            let contents = ir.ops.contents.slice(response.contents);
            for content in contents
                .iter()
                .filter(|content| matches!(content.encoding, Encoding::Json | Encoding::Events | Encoding::JsonLines))
            {
                n_answers += 1;
                let made = generate(world, content.ty, Random::new(0).child(op_name(ir, id)), "body");
                if let Err(problem) = check(world, content.ty, &made.value, Direction::Response) {
                    wrong.push(format!("{}: {}", op_name(ir, id), problem.text("body")));
                }
            }
        }
    }
    (n_answers, wrong)
}

/// Percent-encodes everything but unreserved characters.
fn escape(text: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn scalar_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A value in a style of a path or header, or as pairs of a query (RFC 6570).
fn styled(name: &str, value: &Value, style: Style, explode: bool, escape: &dyn Fn(&str) -> String) -> Vec<String> {
    let is_named = !matches!(style, Style::Simple | Style::Label);
    let named = |text: String| if is_named { format!("{}={text}", escape(name)) } else { text };
    let comma = match style {
        Style::SpaceDelimited => "%20",
        Style::PipeDelimited => "%7C",
        _ => ",",
    };
    let text = |value: &Value| escape(&scalar_text(value));
    match value {
        Value::Object(members) if style == Style::DeepObject => members
            .iter()
            .map(|(key, member)| format!("{}={}", escape(&format!("{name}[{key}]")), text(member)))
            .collect(),
        Value::Array(items) if explode => items.iter().map(|item| named(text(item))).collect(),
        Value::Array(items) => vec![named(items.iter().map(text).collect::<Vec<_>>().join(comma))],
        Value::Object(members) if explode => {
            members.iter().map(|(key, member)| format!("{}={}", escape(key), text(member))).collect()
        }
        Value::Object(members) => vec![named(
            members
                .iter()
                .map(|(key, member)| format!("{},{}", escape(key), text(member)))
                .collect::<Vec<_>>()
                .join(comma),
        )],
        scalar => vec![named(text(scalar))],
    }
}

/// Whether there is an empty list or object, which no style can write.
fn has_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty() || items.iter().any(has_empty),
        Value::Object(members) => members.is_empty() || members.values().any(has_empty),
        _ => false,
    }
}

/// A form as a client writes it: styled properties by their style, objects as JSON text.
fn form_text(ir: &Ir, content: &Content, value: &Value) -> String {
    let mut pairs = Vec::new();
    for (name, member) in value.as_object().into_iter().flatten() {
        let part = ir
            .ops
            .parts
            .slice(content.parts.named)
            .iter()
            .find(|part| part.name.is_some_and(|own| ir.names.resolve(own) == name));
        match part.and_then(|part| part.style) {
            Some(Style::DeepObject) if member.is_object() || member.is_array() => deep_pairs(name, member, &mut pairs),
            _ if member.is_object() => pairs.push(format!("{}={}", escape(name), escape(&member.to_string()))),
            _ if member.is_null() => {}
            style => pairs.extend(styled(name, member, style.unwrap_or(Style::Form), true, &escape)),
        }
    }
    pairs.join("&")
}

fn deep_pairs(name: &str, value: &Value, pairs: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                deep_pairs(&format!("{name}[{index}]"), item, pairs);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                deep_pairs(&format!("{name}[{key}]"), member, pairs);
            }
        }
        Value::Null => {}
        scalar => pairs.push(format!("{}={}", escape(name), escape(&scalar_text(scalar)))),
    }
}

/// A call of the operation with generated arguments; nothing when it cannot be written here.
fn generated_call(mock: &Mock, id: OpId) -> Option<Call> {
    let world = mock.world();
    let ir = &world.ir;
    let op = &ir.ops.rows[id];
    let mut path = ir.names.resolve(op.path.raw).to_owned();
    let mut pairs: Vec<String> = ir
        .ops
        .query_pairs
        .slice(op.path.query)
        .iter()
        .map(|pair| format!("{}={}", escape(ir.names.resolve(pair.name)), escape(ir.names.resolve(pair.value))))
        .collect();
    let mut out = call(op.method.name(&ir.names), "/");
    for param in ir.ops.params.slice(op.params).iter().filter(|param| param.role != Role::Auth) {
        let name = ir.names.resolve(param.name);
        let made = generate(world, param.ty, Random::new(3).child(name), name);
        let nests = |value: &Value| {
            value
                .as_array()
                .into_iter()
                .flatten()
                .chain(value.as_object().into_iter().flat_map(|members| members.values()))
                .any(|one| one.is_array() || one.is_object())
        };
        let is_unusable = made.problem.is_some()
            || has_empty(&made.value)
            || made.value.is_null()
            || nests(&made.value)
            || scalar_text(&made.value).is_empty();
        if is_unusable && !param.required {
            continue;
        }
        if is_unusable {
            return None;
        }
        let value = if param.media_type.is_some() { Value::String(made.value.to_string()) } else { made.value };
        let raw = |text: &str| text.to_owned();
        match param.location {
            Location::Query => pairs.extend(styled(name, &value, param.style, param.explode, &escape)),
            Location::Path => {
                let (first, separator) = match param.style {
                    Style::Label => (".", if param.explode { "." } else { "," }),
                    Style::Matrix => (";", ";"),
                    _ => ("", ","),
                };
                path = path.replace(
                    &format!("{{{name}}}"),
                    &format!("{first}{}", styled(name, &value, param.style, param.explode, &escape).join(separator)),
                );
            }
            Location::Header => {
                out = out.header(
                    &name.to_ascii_lowercase(),
                    &styled(name, &value, Style::Simple, param.explode, &raw).join(","),
                );
            }
            Location::Cookie => {
                out = out.header("cookie", &styled(name, &value, Style::Form, param.explode, &escape).join("; "));
            }
            // A form has tests of its own.
            Location::Querystring if ir.names.resolve(param.media_type?).ends_with("urlencoded") => return None,
            Location::Querystring => pairs.push(escape(value.as_str().unwrap_or_default())),
        }
    }
    if let Some(body) = op.body {
        let contents = ir.ops.contents.slice(ir.ops.bodies[body].contents);
        let content = |encoding: Encoding| contents.iter().find(|content| content.encoding == encoding);
        if let Some(content) = content(Encoding::Json).or_else(|| content(Encoding::Form)) {
            let made = generate(world, content.ty, Random::new(3).child("body"), "body");
            // What is generated is an answer: members that only requests carry are missing.
            check(world, content.ty, &made.value, Direction::Request).ok()?;
            let media_type = ir.names.resolve(content.media_type);
            out = match content.encoding {
                Encoding::Form if has_empty(&made.value) && ir.ops.bodies[body].required => return None,
                Encoding::Form if has_empty(&made.value) => out,
                Encoding::Form => out.body(media_type, form_text(ir, content, &made.value)),
                _ if media_type.contains(['*', ',']) => out.json(&made.value),
                _ => out.body(media_type, made.value.to_string()),
            };
        } else if ir.ops.bodies[body].required {
            return None;
        }
    }
    (out.0.head.path, out.0.head.query) = (path, pairs.join("&"));
    Some(out)
}

/// Calls every operation, with every kind of credential; returns how many were called, and those that were refused.
fn refused_calls(mock: &Mock) -> (usize, Vec<String>) {
    let ir = &mock.world().ir;
    let (mut n_calls, mut refused) = (0, Vec::new());
    for (id, _) in ir.ops.rows.iter().filter(|(_, op)| op.kind == OpKind::Call && op.status == OpStatus::Implemented) {
        let Some(mut call) = generated_call(mock, id) else { continue };
        for scheme in ir.schemes.rows() {
            match scheme.kind {
                AuthKind::ApiKey { location: KeyLocation::Header, wire_name } => {
                    let name = ir.names.resolve(wire_name).to_ascii_lowercase();
                    call = if name == "authorization" { call } else { call.header(&name, "k") };
                }
                AuthKind::ApiKey { location: KeyLocation::Query, wire_name } => {
                    call.0.head.query.push_str(&format!("&{}=k", ir.names.resolve(wire_name)));
                }
                AuthKind::ApiKey { location: KeyLocation::Cookie, wire_name } => {
                    call = call.header("cookie", &format!("{}=k", ir.names.resolve(wire_name)));
                }
                _ => {}
            }
        }
        n_calls += 1;
        let response = match call.send(mock) {
            response if matches!(response.status, 401 | 403) => call.header("authorization", "Basic dTpw").send(mock),
            response => response,
        };
        if response.status >= 400 {
            refused.push(format!(
                "{}: {} {:?}",
                op_name(ir, id),
                response.status,
                header(&response, "x-tungsten-reason")
            ));
        }
    }
    (n_calls, refused)
}

#[test]
fn every_generated_answer_keeps_its_schema() {
    assert_eq!(wrong_answers(&harbour()), (5, Vec::new()));
    assert_eq!(refused_calls(&harbour()), (6, Vec::new()));
    let (n_answers, wrong) = wrong_answers(&wharf());
    assert!(n_answers > 10);
    assert_eq!(wrong, ["api.never: body is not a date as YYYY-MM-DD"], "nothing can be both");
    let never = call("GET", "/never").status(&wharf(), 200);
    assert!(header(&never, "x-tungsten-reason").is_some_and(|reason| reason.contains("does not keep its schema")));
    let Some(shared) = shared() else {
        println!("skipped: no ../shared");
        return;
    };
    for (entry, least) in [
        ("museum/openapi.yaml", 5),
        ("box/openapi.json", 150),
        ("discord/openapi.json", 100),
        ("github-rest/api.github.com.json", 700),
        ("openai/openapi.yaml", 100),
        ("stripe/spec3.yaml", 300),
    ] {
        let Ok(bytes) = std::fs::read(shared.join("corpus").join(entry)) else {
            println!("skipped: no {entry}");
            continue;
        };
        let name = entry.rsplit('/').next().unwrap_or_default();
        let mock = mock_of(name, bytes, &Options::default());
        let (n_answers, wrong) = wrong_answers(&mock);
        assert!(n_answers > 3, "{entry}");
        assert!(wrong.is_empty(), "{entry}: {} of {n_answers}: {:#?}", wrong.len(), &wrong[..wrong.len().min(10)]);
        let (n_calls, refused) = refused_calls(&mock);
        assert!(
            refused.is_empty(),
            "{entry}: {} of {n_calls}: {:#?}",
            refused.len(),
            &refused[..refused.len().min(20)]
        );
        assert!(n_calls >= least, "{entry}: {n_calls} calls");
    }
}

const SHED: &str = "openapi: 3.1.0
info: { title: Shed, version: 1.0.0 }
paths:
  /oven: { get: { operationId: oven, x-runtime-gate: { env_var: OVEN, disabled_status: 501 }, responses: { '204': { description: ok } } } }
  /lamp: { get: { operationId: lamp, x-runtime-gate: { env_var: LAMP, default_on: true }, responses: { '204': { description: ok } } } }
  /tools:
    post:
      operationId: callTool
      requestBody:
        required: true
        content: { application/json: { schema: { oneOf: [
          { type: object, required: [tool, with, v], properties: { tool: { const: saw.cut }, v: { const: 1 }, with: { type: object, required: [cm], properties: { cm: { type: integer } } } } },
          { type: object, required: [tool], properties: { tool: { const: saw.stop } } } ] } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, required: [ok], properties: { ok: { type: boolean } } } } } } }
";

#[test]
fn an_operation_is_not_there_while_its_gate_is_off() {
    let off = mock_of("shed.yaml", SHED, &Options::default());
    let answer = call("GET", "/oven").status(&off, 501);
    assert_eq!((text(&answer).as_str(), header(&answer, "x-tungsten-reason")), ("", Some("the gate OVEN is off")));
    call("GET", "/lamp").status(&off, 204);
    let on = mock_of("shed.yaml", SHED, &Options { gates: vec!["OVEN".to_owned()], ..Options::default() });
    call("GET", "/oven").status(&on, 204);
}

#[test]
fn methods_of_an_envelope_are_told_apart_by_their_name() {
    let rpc = RpcOverride {
        namespace: "api".to_owned(),
        path: "/tools".to_owned(),
        method: "post".to_owned(),
        discriminator: "tool".to_owned(),
        params: "with".to_owned(),
        name_strip_prefix: String::new(),
        place: base::Place::default(),
    };
    let overrides = Overrides { rpc: vec![rpc], ..Overrides::default() };
    let mock = mock_with("shed.yaml", SHED, &Options::default(), overrides);
    let tools = |body: Value| call("POST", "/tools").json(&body);
    assert!(
        value(&tools(json!({ "tool": "saw.cut", "v": 1, "with": { "cm": 3 } })).status(&mock, 200))["ok"].is_boolean()
    );
    tools(json!({ "tool": "saw.stop" })).status(&mock, 200);
    for (body, reason) in [
        (json!({ "tool": "saw.bend" }), "the body's tool names no method"),
        (json!([]), "the body's tool names no method"),
        (json!({ "tool": "saw.cut", "v": 1 }), "body.with is missing"),
        (
            json!({ "tool": "saw.cut", "v": 2, "with": { "cm": 3 } }),
            "body.v is not the one value that its schema admits",
        ),
        (json!({ "tool": "saw.cut", "v": 1, "with": { "cm": "3" } }), "body.with.cm is a string, not an integer"),
    ] {
        assert_eq!(header(&tools(body).status(&mock, 400), "x-tungsten-reason"), Some(reason));
    }
    call("POST", "/tools").body("text/plain", "{\"tool\":\"saw.stop\"}").status(&mock, 415);
    let calls = value(&call("GET", "/__tungsten/calls").status(&mock, 200));
    let names: Vec<&str> =
        calls.as_array().expect("a list").iter().filter_map(|one| one["operation"].as_str()).collect();
    assert_eq!(names[..2], ["api.saw.cut", "api.saw.stop"]);
}
