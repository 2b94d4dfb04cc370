//! `agent.yml`: every key once, with its type, its default and its sentence, and the rules between keys.
//!
//! Reads a parsed document; writes an [`AgentManifest`] and diagnostics (TG0602). Whether operations,
//! fields, codes and types exist is left to the compiler, as are the predicates and expressions (`predicates`).

use std::collections::BTreeMap;

use base::{Diags, Place};
use base_doc::{Kind, Value};

use crate::forms::{
    ClusterName, DisclosureMode, EnvName, ErrorCategory, FieldPath, HeaderName, Jitter, KeyFormat, MacroName,
    MediaOrNone, OnUnknown, OperationRef, Persist, PolicyName, PreviewMode, Retryable, StepName, Text, Tier, Word,
};
use crate::keys::{Key, Shape, object};
use crate::predicates::{Expression, Predicate};
use crate::reader::{Cx, Int, Map, NonEmpty, Raw};
use crate::tungsten_yml::report_empty;

object! {
    /// What agents are told about the operations of an API, and what protects them.
    pub struct AgentManifest {
        /// Version of the manifest's format.
        agent: Int<1, 1> => (required),
        /// What holds for operations that say nothing else.
        defaults: Defaults => (optional),
        /// What holds for single operations, one entry each.
        tools: Vec<Tool> => (optional); check check_tools,
        /// What the API's errors mean.
        errors: Errors => (optional),
        /// Deployment settings that switch operations off, by environment variable.
        gates: Map<EnvName, Gate> => (optional),
        /// Calls of several steps that are offered as one.
        macros: Vec<Macro> => (optional); check check_macros,
        /// How operations are shown to agents.
        disclosure: Disclosure => (optional),
    }
}

object! {
    /// What holds for operations that say nothing else.
    pub struct Defaults {
        /// Safety tiers by HTTP method.
        safety: MethodTiers => (optional),
        /// How calls that are repeated are told apart from new ones.
        idempotency: Option<Idempotency> => (optional "`none`"),
        /// What a preview does.
        preview: Option<Preview> => (optional "`local` for operations that are not read-only"); check check_default_preview,
        /// What becomes of a call whose effect is not known.
        unknown_outcome: UnknownOutcome => (optional),
        /// How calls are repeated.
        retries: Retries => (optional),
        /// How many operations an agent is shown.
        disclosure: DisclosureDefaults => (optional),
    }
}

object! {
    /// Safety tiers by HTTP method.
    pub struct MethodTiers {
        /// Tier of `GET`.
        get: Option<Tier> => (optional "`read_only`"),
        /// Tier of `PUT`.
        put: Option<Tier> => (optional "`mutating`"),
        /// Tier of `POST`.
        post: Option<Tier> => (optional "`mutating`"),
        /// Tier of `DELETE`.
        delete: Option<Tier> => (optional "`destructive`"),
        /// Tier of `OPTIONS`.
        options: Option<Tier> => (optional "`read_only`"),
        /// Tier of `HEAD`.
        head: Option<Tier> => (optional "`read_only`"),
        /// Tier of `PATCH`.
        patch: Option<Tier> => (optional "`mutating`"),
        /// Tier of `TRACE`.
        trace: Option<Tier> => (optional "`read_only`"),
    }
}

object! {
    /// An idempotency policy with its fields.
    pub struct IdempotencyPolicy {
        /// Where the key of a call comes from.
        policy: PolicyName => (required),
        /// Header that carries the key.
        header: Option<HeaderName> => (optional "the operation's key header parameter, else `Idempotency-Key`"),
        /// What a caller's key looks like.
        format: Option<KeyFormat> => (optional),
        /// Whether a key must outlive the process.
        persist: Option<Persist> => (optional),
        /// A remark for callers.
        note: Option<Text> => (optional),
    }
}

/// A policy, written as its name or with its fields.
#[derive(Clone, PartialEq, Debug)]
pub struct Idempotency(pub IdempotencyPolicy);

impl Key for Idempotency {
    fn shape() -> Shape {
        const { Shape::Either(&[Shape::Text(PolicyName::FORM), Shape::Object(IdempotencyPolicy::TABLE)]) }
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        if value.kind() != Kind::Object {
            let policy = PolicyName::read(value, cx)?;
            let (header, format, persist, note) = (None, None, None, None);
            return Some(Self(IdempotencyPolicy { policy, header, format, persist, note, place: cx.place(value) }));
        }
        let read = IdempotencyPolicy::read(value, cx)?;
        check_policy(&read, cx);
        Some(Self(read))
    }
}

/// Which fields a policy may have (a row a field: the policies, and what to write instead).
fn check_policy(policy: &IdempotencyPolicy, cx: &mut Cx<'_>) {
    const KEYED: &[&str] = &["auto", "caller_owned", "content_hash"];
    let persist_of: &[&str] = match policy.persist.as_deref() {
        Some("required") => &["caller_owned"],
        Some("runtime") => &["auto", "content_hash"],
        _ => KEYED,
    };
    let fields = [
        ("header", policy.header.as_ref().map(|header| &header.place), KEYED),
        ("format", policy.format.as_ref().map(|format| &format.place), &["caller_owned"]),
        ("persist", policy.persist.as_ref().map(|persist| &persist.place), persist_of),
    ];
    for (field, place, policies) in fields {
        let Some(place) = place.filter(|_| !policies.contains(&&*policy.policy)) else { continue };
        let value = if field == "persist" { policy.persist.as_deref().unwrap_or_default() } else { "" };
        let value = if value.is_empty() { String::new() } else { format!(": {value}") };
        let message = format!("`{field}{value}` means nothing under the policy `{}`", &*policy.policy);
        let help =
            format!("remove it, or choose one of the policies {}", crate::reader::list(policies.iter().copied()));
        cx.wrong(place.clone(), message).help = Some(help);
    }
}

object! {
    /// A preview with its fields.
    pub struct PreviewRule {
        /// What a preview does.
        mode: PreviewMode => (required),
        /// Header that makes the server only try.
        header: Option<HeaderName> => (optional),
        /// What the header says.
        value: Option<Word> => (optional),
        /// The operation that answers instead.
        operation: Option<OperationRef> => (optional),
    }
}

/// A preview, written as its mode or with its fields.
#[derive(Clone, PartialEq, Debug)]
pub struct Preview(pub PreviewRule);

impl Key for Preview {
    fn shape() -> Shape {
        const { Shape::Either(&[Shape::Text(PreviewMode::FORM), Shape::Object(PreviewRule::TABLE)]) }
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        let rule = if value.kind() == Kind::Object {
            PreviewRule::read(value, cx)?
        } else {
            let mode = PreviewMode::read(value, cx)?;
            PreviewRule { mode, header: None, value: None, operation: None, place: cx.place(value) }
        };
        check_preview(&rule, cx);
        Some(Self(rule))
    }
}

/// Each mode has its own fields and needs all of them.
fn check_preview(rule: &PreviewRule, cx: &mut Cx<'_>) {
    let needed: &[&str] = match &*rule.mode {
        "header" => &["header", "value"],
        "endpoint" => &["operation"],
        _ => &[],
    };
    let fields = [
        ("header", rule.header.as_ref().map(|header| &header.place)),
        ("value", rule.value.as_ref().map(|value| &value.place)),
        ("operation", rule.operation.as_ref().map(|operation| &operation.place)),
    ];
    for (field, place) in fields {
        match (place, needed.contains(&field)) {
            (None, true) => {
                let message = format!("the preview mode `{}` needs the key `{field}`", &*rule.mode);
                cx.wrong(rule.place.clone(), message);
            }
            (Some(place), false) => {
                let message = format!("`{field}` means nothing under the preview mode `{}`", &*rule.mode);
                cx.wrong(place.clone(), message).help = Some(format!("remove `{field}`"));
            }
            _ => {}
        }
    }
}

/// An operation that previews another one cannot be a default.
#[allow(clippy::ref_option, reason = "a check is handed the key as it was read")]
fn check_default_preview(preview: &Option<Preview>, cx: &mut Cx<'_>) {
    if let Some(Preview(rule)) = preview.as_ref().filter(|preview| &*preview.0.mode == "endpoint") {
        let message = "the preview mode `endpoint` is for single operations, not for the defaults";
        cx.wrong(rule.mode.place.clone(), message).help =
            Some("put it into the operation's entry of `tools`".to_owned());
    }
}

object! {
    /// What becomes of a call whose effect is not known.
    pub struct UnknownOutcome {
        /// After a timeout.
        on_timeout: Option<OnUnknown> => (optional "`unknown`"),
        /// After a connection that was cut.
        on_connection_reset: Option<OnUnknown> => (optional "`unknown`"),
        /// After a status that leaves it open.
        on_ambiguous_status: Option<OnUnknown> => (optional "`unknown`"),
    }
}

object! {
    /// How calls are repeated.
    pub struct Retries {
        /// For operations without side effects.
        read_only: Option<RetryRule> => (optional "`max: 3`"),
        /// For the others, when they carry an idempotency key.
        mutating: Option<RetryRule> => (optional "`max: 0`"),
        /// Whether a server's `Retry-After` is waited for.
        honor_retry_after: bool => (default true),
    }
}

object! {
    /// How often a call is repeated.
    pub struct RetryRule {
        /// Attempts after the first.
        max: Int<0, 10> => (required),
        /// How long to wait between attempts.
        backoff: Backoff => (optional); check check_backoff,
    }
}

object! {
    /// How long to wait between attempts.
    pub struct Backoff {
        /// Longest first wait, in milliseconds; it doubles with each attempt.
        base_ms: Int<1, 86400000> => (default 200),
        /// Longest wait, in milliseconds.
        max_ms: Int<1, 86400000> => (default 5000),
        /// How a wait is drawn.
        jitter: Option<Jitter> => (optional "`full`"),
    }
}

fn check_backoff(backoff: &Backoff, cx: &mut Cx<'_>) {
    if backoff.base_ms.0 > backoff.max_ms.0 {
        let message = format!("`base_ms` is {} and more than `max_ms`, {}", backoff.base_ms.0, backoff.max_ms.0);
        cx.wrong(backoff.place.clone(), message).help = Some("make `max_ms` at least as large".to_owned());
    }
}

object! {
    /// How many operations an agent is shown.
    pub struct DisclosureDefaults {
        /// Whether all operations are listed, or found by searching.
        mode: Option<DisclosureMode> => (optional "`auto`"),
        /// Kept for manifests that count operations. Another number than the default is not applied by this version
        /// (TG0613).
        threshold: Int<1, 1000000> => (default 24),
        /// Tokens that a list of all operations may take.
        list_budget_tokens: Int<100, 1000000000> => (default 10000),
        /// Tokens that a description may take.
        description_budget_tokens: Int<10, 1000000> => (default 60),
        /// Tokens that the schema of an operation may take.
        schema_budget_tokens: Int<50, 1000000> => (default 600),
    }
}

object! {
    /// What holds for one operation.
    pub struct Tool {
        /// The operation: its id, or `namespace.resource.method`.
        operation: OperationRef => (required),
        /// Its safety tier.
        safety: Option<Tier> => (optional "that of its method"),
        /// How calls that are repeated are told apart from new ones.
        idempotency: Option<Idempotency> => (optional "inferred, else that of the defaults"),
        /// What a preview does.
        preview: Option<Preview> => (optional "that of the defaults"),
        /// What a person is asked before the call.
        confirmation: Option<Confirmation> => (optional),
        /// How to find out what a call has done.
        verify: Option<Verify> => (optional); check check_verify,
        /// What to do about an error, by the API's code.
        remediation: Map<Word, Remediation> => (optional); check check_remediation,
        /// What to keep in mind about the operation.
        remediation_note: Option<Text> => (optional),
        /// What is secret in the response.
        response: Option<ResponseRule> => (optional),
        /// The deployment setting that switches the operation off.
        gate: Option<EnvName> => (optional),
        /// The group that the operation is found in.
        cluster: Option<ClusterName> => (optional),
        /// Whether agents do not see the operation.
        hidden: bool => (default false),
        /// Rules of the real server that the description leaves out; for the mock server.
        server_rules: Vec<ServerRule> => (optional),
    }
}

object! {
    /// What a person is asked before the call.
    pub struct Confirmation {
        /// Arguments that are shown, by dotted wire names.
        summary_fields: Vec<FieldPath> => (required),
        /// The question; `{field}` stands for an argument.
        message: Option<Text> => (optional),
    }
}

object! {
    /// How to find out what a call has done.
    pub struct Verify {
        /// An operation without side effects.
        operation: OperationRef => (required),
        /// Its arguments: `$response.…` and `$args.…`.
        args: Option<Expression> => (optional "{}"),
        /// What holds when the call has done its work.
        expect: Option<Predicate> => (optional),
        /// What holds when nothing more will change.
        terminal: Option<Predicate> => (optional),
        /// How often to ask until `terminal` holds.
        poll: Option<Poll> => (optional),
    }
    only_with terminal [poll]
}

object! {
    /// How often to ask.
    pub struct Poll {
        /// Between two questions, in milliseconds.
        interval_ms: Int<100, 86400000> => (default 1000),
        /// For all questions together, in milliseconds.
        budget_ms: Int<100, 86400000> => (default 30000),
    }
}

/// The arguments of a verification come from the call alone.
#[allow(clippy::ref_option, reason = "a check is handed the key as it was read")]
pub(crate) fn check_verify(verify: &Option<Verify>, cx: &mut Cx<'_>) {
    let Some(verify) = verify else { return };
    for reference in verify.args.iter().flat_map(Expression::references) {
        if !matches!(reference.root.as_str(), "response" | "args") {
            let message = format!("`${}` is nothing that a verification knows", reference.root);
            let help = "write `$response.<field>` or `$args.<argument>`";
            cx.wrong(reference.place.clone(), message).help = Some(help.to_owned());
        }
    }
}

object! {
    /// What to do about an error.
    pub struct Remediation {
        /// What to do, in words.
        text: Option<Text> => (optional),
        /// Whether, and how, the call may be made again.
        retryable: Option<Retryable> => (optional "that of the category"),
        /// What kind of error it is.
        category: Option<ErrorCategory> => (optional),
        /// What to call next.
        next_action: Option<Text> => (optional),
    }
}

/// An entry says something.
pub(crate) fn check_remediation(entries: &Map<Word, Remediation>, cx: &mut Cx<'_>) {
    for (code, entry) in entries.iter() {
        if entry.text.is_none() && entry.retryable.is_none() && entry.category.is_none() && entry.next_action.is_none()
        {
            empty_entry(code, cx);
        }
    }
}

fn empty_entry(code: &Word, cx: &mut Cx<'_>) {
    let message = format!("the entry for {} says nothing", base::diag::quoted(code));
    cx.wrong(code.place.clone(), message).help = Some("give it a `text`, or remove it".to_owned());
}

object! {
    /// What is secret in a response.
    pub struct ResponseRule {
        /// Fields that are kept out of logs, by dotted wire names.
        sensitive_fields: Vec<FieldPath> => (optional),
        /// Whether the values cannot be had again.
        shown_once: bool => (default false),
    }
}

object! {
    /// A rule of the real server that the description leaves out.
    pub struct ServerRule {
        /// Field of the JSON body, by its dotted path, else a query parameter.
        field: FieldPath => (required),
        /// Endings of host names that are refused.
        reject_host_suffixes: Option<NonEmpty<Word>> => (optional),
        /// How far ahead of now a time may lie, in minutes.
        max_ahead_minutes: Option<Int<1, 100000000>> => (optional),
        /// Status of the refusal.
        status: Int<400, 599> => (default 400),
        /// The API's code of the refusal.
        code: Option<Word> => (optional),
        /// Message of the refusal.
        message: Option<Text> => (optional),
    }
    exactly_one [reject_host_suffixes, max_ahead_minutes]
}

object! {
    /// What the API's errors mean.
    pub struct Errors {
        /// What an error body looks like.
        envelope: Option<Envelope> => (optional "inferred"),
        /// Statuses that leave open whether a call had its effect.
        ambiguous_statuses: Vec<Int<100, 599>> => (optional),
        /// Errors whose bodies are no JSON.
        non_json: Vec<NonJson> => (optional),
        /// What to do about an error, by the API's code.
        codes: Map<Word, CodeEntry> => (optional); check check_codes,
    }
}

object! {
    /// What an error body looks like.
    pub struct Envelope {
        /// The schema: a type's id, or the name of a component.
        schema: Word => (required),
        /// Field that holds the code, by its dotted wire name.
        code_field: Option<FieldPath> => (optional),
        /// Field that holds the message, by its dotted wire name.
        message_field: Option<FieldPath> => (optional),
    }
}

object! {
    /// An error whose body is no JSON.
    pub struct NonJson {
        /// Its status.
        status: Int<100, 599> => (required),
        /// Its media type, or `none` for a response without one.
        media: MediaOrNone => (required),
        /// What kind of error it is.
        category: ErrorCategory => (required),
        /// Whether, and how, the call may be made again.
        retryable: Option<Retryable> => (optional "that of the category"),
        /// What to do, in words.
        text: Option<Text> => (optional),
    }
}

object! {
    /// What to do about an error with a code.
    pub struct CodeEntry {
        /// What to do, in words.
        text: Option<Text> => (optional),
        /// Whether, and how, the call may be made again.
        retryable: Option<Retryable> => (optional "that of the category"),
        /// What kind of error it is.
        category: Option<ErrorCategory> => (optional),
        /// What to call next.
        next_action: Option<Text> => (optional),
        /// The status that carries the code; for the mock server.
        status: Option<Int<400, 499>> => (optional),
    }
}

/// An entry says something.
fn check_codes(entries: &Map<Word, CodeEntry>, cx: &mut Cx<'_>) {
    for (code, entry) in entries.iter() {
        let says =
            [entry.text.is_some(), entry.retryable.is_some(), entry.category.is_some(), entry.next_action.is_some()];
        if !says.contains(&true) && entry.status.is_none() {
            empty_entry(code, cx);
        }
    }
}

object! {
    /// A deployment setting that switches operations off.
    pub struct Gate {
        /// What its absence means, for callers.
        text: Text => (required),
        /// Status of a call while it is off.
        disabled_status: Option<Int<100, 599>> => (optional "what the description states, else `404`"),
        /// Whether the mock server starts with it on.
        default_on: bool => (default false),
    }
}

object! {
    /// A call of several steps.
    pub struct Macro {
        /// `namespace.name`; no operation has the same id.
        name: MacroName => (required),
        /// What it does, in a sentence.
        summary: Text => (required),
        /// Its safety tier.
        safety: Option<Tier> => (optional "the strictest of its steps"),
        /// Its arguments.
        input: Option<MacroInput> => (optional "those of its first step, and what a `budget_ms` refers to"),
        /// Its steps, in order.
        steps: NonEmpty<Step> => (required); check check_steps,
        /// What it answers with.
        output: Expression => (required),
        /// What is secret in its answer.
        response: Option<ResponseRule> => (optional),
    }
}

object! {
    /// The arguments of a macro.
    pub struct MacroInput {
        /// The operation whose arguments it takes.
        extends: Option<OperationRef> => (optional),
        /// Further arguments: name, then JSON Schema.
        add: Map<Word, Raw> => (optional),
    }
}

object! {
    /// A step of a macro.
    pub struct Step {
        /// An operation that is called once.
        call: Option<OperationRef> => (optional),
        /// An operation that is called until something holds.
        poll: Option<OperationRef> => (optional),
        /// An operation whose pages are collected.
        paginate: Option<OperationRef> => (optional),
        /// Its arguments.
        args: Option<Expression> => (optional "{}"),
        /// The name under which later steps know its answer.
        r#as: Option<StepName> => (optional),
        /// What ends a poll.
        until: Option<Predicate> => (optional),
        /// Between two questions of a poll, in milliseconds.
        interval_ms: Option<Int<100, 86400000>> => (optional "1000"),
        /// For all questions of a poll, in milliseconds: a number, or a reference such as `$input.wait_ms`.
        budget_ms: Option<Expression> => (optional "30000"); check check_budget,
        /// Pages that are collected at most.
        max_pages: Option<Int<1, 100000>> => (optional "100"),
    }
    exactly_one [call, poll, paginate]
}

/// A budget is a number of milliseconds or a reference to one.
#[allow(clippy::ref_option, reason = "a check is handed the key as it was read")]
fn check_budget(budget: &Option<Expression>, cx: &mut Cx<'_>) {
    let Some(budget) = budget else { return };
    let is_number =
        matches!(&budget.literal(), Some(Raw::Number(text)) if text.parse::<u64>().is_ok_and(|ms| ms >= 100));
    if !is_number && !budget.is_reference() {
        let message = format!("{} must be a number of milliseconds, at least 100, or a reference", cx.subject());
        cx.wrong(budget.place.clone(), message).help = Some("for example `60000` or `$input.wait_ms`".to_owned());
    }
}

/// Each kind of step has fields of its own, and no two steps share a name.
fn check_steps(steps: &NonEmpty<Step>, cx: &mut Cx<'_>) {
    let mut named: BTreeMap<&str, &StepName> = BTreeMap::new();
    for step in steps.iter() {
        let kind = if step.poll.is_some() {
            "poll"
        } else if step.paginate.is_some() {
            "paginate"
        } else {
            "call"
        };
        let fields = [
            ("until", "poll", step.until.is_some()),
            ("interval_ms", "poll", step.interval_ms.is_some()),
            ("budget_ms", "poll", step.budget_ms.is_some()),
            ("max_pages", "paginate", step.max_pages.is_some()),
        ];
        for (field, of, _) in fields.iter().filter(|(_, of, is_there)| *is_there && *of != kind) {
            let message = format!("`{field}` means nothing in a `{kind}` step");
            cx.wrong(step.place.clone(), message).help = Some(format!("it belongs to a `{of}` step"));
        }
        if kind == "poll" && step.until.is_none() {
            cx.wrong(step.place.clone(), "a `poll` step needs the key `until`");
        }
        let Some(name) = &step.r#as else { continue };
        if &**name == "input" {
            let message = "a step named `input` would hide the macro's own arguments";
            cx.wrong(name.place.clone(), message).help = Some("choose another name".to_owned());
        }
        if let Some(first) = named.insert(&**name, name) {
            let message = format!("two steps are named `{}`", &**name);
            let place = first.place.clone();
            cx.wrong(name.place.clone(), message).related.push((place, "the first".to_owned()));
        }
    }
}

/// No two macros share a name, and each reference names the input or an earlier step.
fn check_macros(macros: &Vec<Macro>, cx: &mut Cx<'_>) {
    let mut named: BTreeMap<&str, &MacroName> = BTreeMap::new();
    for one in macros {
        if let Some(first) = named.insert(&*one.name, &one.name) {
            let place = first.place.clone();
            let message = format!("two macros are named `{}`", &*one.name);
            cx.wrong(one.name.place.clone(), message).related.push((place, "the first".to_owned()));
        }
        let mut known: Vec<&str> = vec!["input"];
        for step in one.steps.iter() {
            check_references(step.args.iter().chain(&step.budget_ms), &known, cx);
            known.extend(step.r#as.as_deref());
        }
        check_references(std::iter::once(&one.output), &known, cx);
    }
}

fn check_references<'a>(expressions: impl Iterator<Item = &'a Expression>, known: &[&str], cx: &mut Cx<'_>) {
    for reference in expressions.flat_map(Expression::references) {
        if known.contains(&reference.root.as_str()) {
            continue;
        }
        let message = format!("`${}` names neither the input nor an earlier step", reference.root);
        let help = match base::suggest::nearest(&reference.root, known.iter().copied()) {
            Some(near) => format!("did you mean `${near}`?"),
            None => "give the step that answers it a name with `as`".to_owned(),
        };
        cx.wrong(reference.place.clone(), message).help = Some(help);
    }
}

object! {
    /// How operations are shown to agents.
    pub struct Disclosure {
        /// Groups that operations are found in; the first that covers an operation has it.
        clusters: Vec<Cluster> => (optional),
        /// What is left out of what agents read.
        prune: Prune => (optional),
    }
}

object! {
    /// A group of operations.
    pub struct Cluster {
        /// Its name.
        name: ClusterName => (required),
        /// What its operations are for.
        summary: Option<Text> => (optional),
        /// Operations, macros, `<namespace>.*` and `<namespace>.<resource>.*`.
        operations: Vec<Word> => (required),
    }
}

object! {
    /// What is left out of what agents read.
    pub struct Prune {
        /// How descriptions are cut.
        descriptions: PruneDescriptions => (optional),
        /// Fields that are left out. Not applied by this version (TG0613).
        drop_fields: Vec<Word> => (optional),
        /// Whether examples stay. Not applied by this version (TG0613).
        keep_examples: bool => (default false),
    }
}

object! {
    /// How descriptions are cut.
    pub struct PruneDescriptions {
        /// Sentences that stay.
        max_sentences: Int<1, 1000> => (default 2),
        /// Sentences that hold one of these go.
        drop_phrases: Vec<Word> => (optional),
    }
}

impl AgentManifest {
    /// A manifest that says nothing.
    pub fn empty() -> Self {
        Self {
            agent: Int(1),
            defaults: of_nothing(),
            tools: Vec::new(),
            errors: of_nothing(),
            gates: Map::default(),
            macros: Vec::new(),
            disclosure: of_nothing(),
            place: Place::default(),
        }
    }
}

/// An object none of whose keys is required, without any key.
fn of_nothing<T: Key>() -> T {
    T::absent().expect("every key of the object has a default")
}

/// No two entries are about one operation.
fn check_tools(tools: &Vec<Tool>, cx: &mut Cx<'_>) {
    let mut seen: BTreeMap<&str, &OperationRef> = BTreeMap::new();
    for tool in tools {
        if let Some(first) = seen.insert(&*tool.operation, &tool.operation) {
            let message = format!("two entries are about {}", base::diag::quoted(&tool.operation));
            let diagnostic = cx.wrong(tool.operation.place.clone(), message);
            diagnostic.help = Some("put all of it into one".to_owned());
            diagnostic.related.push((first.place.clone(), "the first".to_owned()));
        }
    }
}

/// Reads `agent.yml` and reports all that is wrong with it; nothing when an error was reported.
///
/// `value` is the outermost value of the document; its syntax was checked by the parser (TG0601).
pub fn read_agent(value: Value<'_>, diags: &mut Diags) -> Option<AgentManifest> {
    let mut found = Diags::new();
    let mut cx = Cx::new(&mut found);
    if value.is_null() {
        report_empty(AgentManifest::TABLE, cx.place(value), diags);
        return None;
    }
    let manifest = AgentManifest::read(value, &mut cx);
    cx.check_budget(value);
    let has_errors = found.has_errors();
    diags.append(found);
    manifest.filter(|_| !has_errors)
}
