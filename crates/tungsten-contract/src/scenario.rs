//! The form of scenarios: what a file may say, as types. `tests/contract/scenario.schema.json` says the same for editors.
//!
//! Reads values that came from YAML; a key that is not here is refused. What the keys mean is in
//! `tests/contract/README.md`; placeholders and references are filled in by `fill`, expectations judged by `compare`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::base64;
use crate::expect::ENVELOPE;

/// The facts of an answer.
const META: [&str; 4] = ["status", "headers", "request_id", "attempts"];
/// What an item of a stream has beside its value.
const EVENT: [&str; 3] = ["event", "id", "retry"];

/// One file: the scenarios of a group.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub group: String,
    /// Options that every client of the group has, but for those that a scenario states itself. They are put into the
    /// scenarios before those are read.
    #[serde(default, rename = "client")]
    _client: Client,
    pub scenarios: Vec<Scenario>,
}

/// One rule, and how it shows.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Names the rule; unique in the suite.
    pub name: String,
    /// The rule as a sentence.
    pub rule: String,
    /// What a driver must be able to do beyond calls and previews.
    #[serde(default)]
    pub needs: Vec<String>,
    /// When it begins, in epoch milliseconds.
    #[serde(default = "noon")]
    pub clock: u64,
    #[serde(default)]
    pub random: Random,
    /// Options of the client `main`.
    #[serde(default)]
    pub client: Client,
    /// Further clients by name.
    #[serde(default)]
    pub clients: BTreeMap<String, Client>,
    /// What the server `main` does with one request after the other.
    #[serde(default)]
    pub server: Vec<Answer>,
    /// Further servers, each of an origin of its own.
    #[serde(default)]
    pub servers: BTreeMap<String, Vec<Answer>>,
    pub calls: Vec<Step>,
    /// All requests that arrive, in their order.
    #[serde(default)]
    pub requests: Vec<Request>,
    /// All pauses between attempts, in milliseconds.
    #[serde(default)]
    pub waits: Vec<u64>,
    /// All time limits that ran, in milliseconds; not looked at when absent.
    pub limits: Option<Vec<u64>>,
    /// All that the hooks of the clients saw; not looked at when absent.
    pub hooks: Option<Vec<Hook>>,
    /// All that the key stores of the clients were asked; not looked at when absent.
    pub store: Option<Vec<Value>>,
    /// Texts that nothing which a driver says may hold.
    #[serde(default)]
    pub never_shown: Vec<String>,
}

/// A value that is there, null included.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Monday, 30 November 2026, 12:00:00 GMT.
fn noon() -> u64 {
    1_796_040_000_000
}

/// Where random numbers in `0.0..1.0` come from.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Random {
    /// Always the same number.
    Constant(f64),
    /// The numbers `x / 2147483647` of the series `x = x * 48271 mod 2147483647`, which starts behind the seed.
    Seed(u64),
}

impl Default for Random {
    fn default() -> Self {
        Self::Seed(1)
    }
}

/// Options of a client.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Default: the server `main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retries: Option<Retries>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validate_responses: Option<Validate>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmation_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<Store>,
    /// Hooks beside those that report what they see.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middleware: Option<Vec<Middleware>>,
    /// Whether `onDiagnostic` is given: without it, nobody hears what `warn` has to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_diagnostic: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_event_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_reconnects: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reconnect_max_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_timeout_ms: Option<u64>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Retries {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jitter: Option<Jitter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub honor_retry_after: Option<bool>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Jitter {
    None,
    Full,
    Equal,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Validate {
    Off,
    Warn,
    Strict,
}

/// A key store. Those of the same name are one store.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Store {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Which operation fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fails: Option<StoreOp>,
    /// What it answers for every call instead of what it keeps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<Value>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreOp {
    Get,
    Put,
}

/// Hooks that do something.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Middleware {
    /// Headers that the request hook adds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub add_headers: BTreeMap<String, String>,
    /// Whether every hook throws.
    #[serde(default)]
    pub throws: bool,
}

/// What a server does with one request or connection.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Which requests it is for: the first answer left that fits is taken. Default: any.
    #[serde(rename = "match")]
    pub matches: Option<Match>,
    /// How much is read before anything else happens. Default: the whole request.
    #[serde(default)]
    pub read: Read,
    /// Wait before the answer, on the virtual clock.
    pub delay_ms: Option<u64>,
    /// Answers with a status of 1xx before the final one.
    #[serde(default)]
    pub informational: Vec<Informational>,
    /// No answer at all; or bytes as they are, then this.
    pub drop: Option<End>,
    /// Bytes that are sent as they are, in place of an answer.
    pub raw: Option<String>,
    pub status: Option<u16>,
    #[serde(default)]
    pub headers: Headers,
    #[serde(default, deserialize_with = "present")]
    pub json: Option<Value>,
    pub text: Option<String>,
    /// Base64.
    pub bytes: Option<String>,
    /// A body in pieces, with what happens between them.
    pub chunks: Option<Vec<Chunk>>,
    #[serde(default)]
    pub framing: Framing,
    /// Another `Content-Length` than that of the body.
    pub content_length: Option<u64>,
    pub cut: Option<Cut>,
    /// Whether the connection takes another request.
    #[serde(default)]
    pub keep_alive: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    pub method: Option<String>,
    /// Path without the query.
    pub path: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Read {
    /// Nothing: the connection is accepted, and then this happens.
    Nothing,
    Head,
    #[default]
    All,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Informational {
    pub status: u16,
    #[serde(default)]
    pub headers: Headers,
}

/// Header lines: by name, a list of values for several lines of one name.
pub type Headers = Map<String, Value>;

/// How a connection ends before its answer is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// With a reset.
    Reset,
    /// In order.
    Close,
    /// Not at all: silence until the client goes, or the scenario ends.
    Stall,
}

/// A piece of a body; exactly one member is there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunk {
    pub text: Option<String>,
    /// Base64.
    pub bytes: Option<String>,
    pub delay_ms: Option<u64>,
    pub drop: Option<End>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Framing {
    /// `Content-Length`.
    #[default]
    Length,
    /// `Transfer-Encoding: chunked`.
    Chunked,
    /// The end of the connection is the end of the body.
    Close,
}

/// Where an answer is cut: after so many bytes of its head or its body.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    pub head: Option<usize>,
    pub body: Option<usize>,
    #[serde(rename = "with")]
    pub end: End,
}

/// One step of a scenario: a call, several at once, or time that passes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Operation id.
    pub call: Option<String>,
    pub preview: Option<String>,
    /// The items of an event stream or of JSON lines.
    pub stream: Option<String>,
    /// The pages of a list.
    pub pages: Option<String>,
    #[serde(rename = "macro")]
    pub run_macro: Option<String>,
    pub preview_macro: Option<String>,
    /// Calls that run at the same time.
    pub together: Option<Vec<Step>>,
    /// Moves the clock on.
    pub advance_ms: Option<u64>,
    #[serde(default = "main_name")]
    pub client: String,
    /// Arguments by wire name, the body's members among them; `body` when it is one argument.
    pub args: Option<Value>,
    #[serde(default)]
    pub options: Options,
    /// When the caller gives up.
    pub cancel: Option<Cancel>,
    pub expect: Option<Expect>,
}

fn main_name() -> String {
    "main".to_owned()
}

/// Options of a call.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<Value>,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_confirm_true: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_pages: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_reconnects: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconnect_max_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_timeout_ms: Option<u64>,
}

/// When a call is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Cancel {
    /// Before it starts.
    Before,
    /// So long after it started, on the virtual clock.
    AfterMs(u64),
    /// When so many requests have arrived at the servers.
    OnRequest(usize),
    /// When so many items were delivered.
    OnItem(usize),
}

/// What a call must give: a value, or an error.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Compared whole.
    #[serde(default, deserialize_with = "present")]
    pub value: Option<Value>,
    /// Members that are named.
    pub meta: Option<Value>,
    /// Members of the envelope that are named.
    pub error: Option<Value>,
    /// What a failure carries beside its envelope; it has none when this is absent.
    #[serde(default, deserialize_with = "present")]
    pub partial: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    pub verification: Option<Value>,
    /// Every item of a stream, or every page, as an expectation of its own; the last may be an error.
    pub items: Option<Vec<Expect>>,
    /// Members of an item of a stream that are named (`event`, `id`, `retry`).
    pub event: Option<Value>,
}

/// A request that must have arrived.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    #[serde(default = "main_name")]
    pub server: String,
    pub method: String,
    /// Path and query as they arrived.
    pub target: Value,
    /// Named headers; `{$absent: true}` for one that must not be there.
    #[serde(default)]
    pub headers: Map<String, Value>,
    /// The body as JSON.
    #[serde(default, deserialize_with = "present")]
    pub json: Option<Value>,
    /// The body as text, byte for byte; empty for no body.
    pub text: Option<Value>,
    /// The body in base64.
    pub bytes: Option<String>,
    /// The parts of a multipart body.
    pub parts: Option<Vec<Part>>,
}

/// One part of a multipart body.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub headers: Map<String, Value>,
    pub text: Option<String>,
    /// Base64.
    pub bytes: Option<String>,
}

/// Something that a hook must have seen.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hook {
    pub hook: HookKind,
    #[serde(default = "main_name")]
    pub client: String,
    /// Members that are named.
    #[serde(default)]
    pub sees: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HookKind {
    Request,
    Response,
    Retry,
    Diagnostic,
}

impl HookKind {
    /// The name that drivers use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Response => "response",
            Self::Retry => "retry",
            Self::Diagnostic => "diagnostic",
        }
    }
}

impl Step {
    /// What is asked for and of which operation or macro; nothing for a step that is no call.
    pub fn asked(&self) -> Option<(&'static str, &str)> {
        [
            ("call", &self.call),
            ("preview", &self.preview),
            ("stream", &self.stream),
            ("pages", &self.pages),
            ("macro", &self.run_macro),
            ("preview_macro", &self.preview_macro),
        ]
        .into_iter()
        .find_map(|(kind, id)| id.as_deref().map(|id| (kind, id)))
    }

    /// What is wrong with the step's form that its types do not say.
    fn problem(&self, inside: bool) -> Option<&'static str> {
        let kinds = [&self.call, &self.preview, &self.stream, &self.pages, &self.run_macro, &self.preview_macro];
        let n_calls = kinds.iter().filter(|kind| kind.is_some()).count();
        let n_others = usize::from(self.together.is_some()) + usize::from(self.advance_ms.is_some());
        if n_calls + n_others != 1 {
            return Some("a step is one call, `together` or `advance_ms`");
        }
        if n_calls == 1 && self.expect.is_none() {
            return Some("a call says what is expected");
        }
        if n_calls == 0 && (self.expect.is_some() || self.args.is_some() || self.cancel.is_some() || inside) {
            return Some("`together` and `advance_ms` stand alone");
        }
        self.together.iter().flatten().find_map(|step| step.problem(true))
    }
}

impl Expect {
    fn problem(&self) -> Option<&'static str> {
        let n =
            usize::from(self.value.is_some()) + usize::from(self.error.is_some()) + usize::from(self.items.is_some());
        if n != 1 {
            return Some("an expectation is one of `value`, `error` and `items`");
        }
        // A matcher for what is absent would pass whatever else a misspelt name is.
        let names = |value: &Option<Value>, known: &[&str]| {
            let members = value.as_ref().and_then(Value::as_object);
            members.is_none_or(|members| members.keys().all(|key| known.contains(&key.as_str())))
        };
        if !names(&self.error, &ENVELOPE.map(|(name, _)| name)) {
            return Some("an envelope has no such member");
        }
        if !names(&self.meta, &META) {
            return Some("the facts of an answer have no such member");
        }
        if !names(&self.event, &EVENT) {
            return Some("an event has no such member");
        }
        if self.error.is_some() && (self.meta.is_some() || self.verification.is_some()) {
            return Some("a failure has no facts of an answer");
        }
        self.items.iter().flatten().find_map(Self::problem)
    }
}

impl Answer {
    /// Whether the answer says anything that only a whole one has.
    fn has_parts(&self) -> bool {
        self.json.is_some()
            || self.text.is_some()
            || self.bytes.is_some()
            || self.chunks.is_some()
            || self.content_length.is_some()
            || self.cut.is_some()
            || self.keep_alive
            || self.framing != Framing::Length
            || !self.headers.is_empty()
            || !self.informational.is_empty()
    }

    fn problem(&self) -> Option<&'static str> {
        let n_whats = usize::from(self.status.is_some())
            + usize::from(self.raw.is_some())
            + usize::from(self.drop.is_some() && self.raw.is_none());
        if n_whats != 1 {
            return Some("an answer is one of `status`, `raw` and `drop`");
        }
        if self.status.is_none() && self.has_parts() {
            return Some("a connection that is dropped has no answer to describe");
        }
        if self.read != Read::All && self.status.is_some() {
            return Some("an answer follows a request that was read");
        }
        if self.read == Read::Nothing && self.matches.is_some() {
            return Some("what is not read cannot match");
        }
        let bodies = [self.json.is_some(), self.text.is_some(), self.bytes.is_some(), self.chunks.is_some()];
        if bodies.iter().filter(|there| **there).count() > 1 {
            return Some("an answer has one body");
        }
        if self.cut.as_ref().is_some_and(|cut| cut.head.is_some() == cut.body.is_some()) {
            return Some("a cut is in the head or in the body");
        }
        if self.chunks.is_some() && self.cut.is_some() {
            return Some("a body in pieces is cut by a piece that drops the connection");
        }
        if self.chunks.is_some() && self.framing == Framing::Length && self.content_length.is_none() {
            return Some("a body in pieces is chunked, ends with the connection or states its length");
        }
        let waits = self.delay_ms.is_some()
            || self.chunks.iter().flatten().any(|chunk| chunk.delay_ms.is_some() || chunk.drop.is_some());
        if self.keep_alive && (waits || self.cut.is_some() || self.framing == Framing::Close) {
            return Some("a connection that waits or is cut takes no further request");
        }
        let is_base64 = |text: &Option<String>| text.as_deref().is_none_or(|text| base64::decode(text).is_some());
        let pieces = self.chunks.iter().flatten();
        if !is_base64(&self.bytes) || !pieces.into_iter().all(|chunk| is_base64(&chunk.bytes)) {
            return Some("bytes are written in base64");
        }
        None
    }
}

impl Scenario {
    /// What is wrong with the scenario's form that its types do not say.
    pub fn problem(&self) -> Option<&'static str> {
        let answers = self.server.iter().chain(self.servers.values().flatten());
        let steps = || self.calls.iter().chain(self.calls.iter().filter_map(|step| step.together.as_ref()).flatten());
        answers
            .map(Answer::problem)
            .chain(self.calls.iter().map(|step| step.problem(false)))
            .chain(steps().filter_map(|step| step.expect.as_ref()).map(Expect::problem))
            .find_map(|problem| problem)
    }
}
