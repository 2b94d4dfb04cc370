//! What callers without a person beside them are told about operations, and what protects them: previews, confirmations,
//! verification, remediation, gates, groups, and calls of several steps.
//!
//! Filled from an agent manifest and from extensions of operations; safety tiers and idempotency are columns of their own.
//! Paths, conditions and expressions are rows, parsed once: whoever needs one reads rows and no text.

mod compact;
mod infer;

pub use compact::compact_doc;
pub use infer::{implied_idempotency, implied_safety, is_header};

use base::{Column, Span, Sym, Table, TextId};

use crate::{Ir, KeyFormat, NamespaceId, OpId, Origin, Safety, TypeId, ValueId};

base::ids! {
    /// A call of several steps.
    MacroId "macro";
    /// A step of a macro.
    StepId "step";
    /// An argument that a macro adds to those of an operation.
    MacroFieldId "input";
    /// A group of operations and macros.
    ClusterId "cluster";
    /// What is said about a gate.
    GateTextId "gate";
    /// What to do about an error with a code.
    RemediationId "remediation";
    /// An error whose body is no JSON.
    NonJsonId "non_json";
    /// A rule of the real server that the description leaves out.
    ServerRuleId "server_rule";
    /// An ending of host names.
    SuffixId "suffix";
    /// What is asked before a call.
    ConfirmationId "confirmation";
    /// A piece of a confirmation's message.
    MessagePartId "message_part";
    /// How to find out what a call has done.
    VerifyId "verify";
    /// What must hold of one field.
    ConditionId "condition";
    /// A part of an expression.
    ExprId "expr";
    /// An item of a list in an expression.
    ExprItemId "expr_item";
    /// A member of an object in an expression.
    ExprMemberId "expr_member";
    /// A field in a list of fields.
    FieldPathId "field_path";
    /// A name on the way to a field.
    PathStepId "path_step";
}

/// Wire names from the outside in.
pub type FieldPath = Span<PathStepId>;

/// What must hold of an answer: all of it.
pub type Predicate = Span<ConditionId>;

/// Tables of all that an agent manifest adds.
#[derive(Debug, Default)]
pub struct Agent {
    pub ops: Column<OpId, OpAgent>,
    pub macros: Table<MacroId, Macro>,
    pub steps: Table<StepId, Step>,
    pub macro_fields: Table<MacroFieldId, MacroField>,
    pub clusters: Table<ClusterId, Cluster>,
    pub gates: Table<GateTextId, GateText>,
    pub remediations: Table<RemediationId, Remediation>,
    pub non_json: Table<NonJsonId, NonJson>,
    pub server_rules: Table<ServerRuleId, ServerRule>,
    pub suffixes: Table<SuffixId, Sym>,
    pub confirmations: Table<ConfirmationId, Confirmation>,
    pub message_parts: Table<MessagePartId, MessagePart>,
    pub verifies: Table<VerifyId, Verify>,
    pub conditions: Table<ConditionId, Condition>,
    pub exprs: Table<ExprId, Expr>,
    pub expr_items: Table<ExprItemId, ExprId>,
    pub expr_members: Table<ExprMemberId, (Sym, ExprId)>,
    pub field_paths: Table<FieldPathId, FieldPath>,
    pub path_steps: Table<PathStepId, Sym>,
    /// What to do about errors of any operation, by code.
    pub error_codes: Span<RemediationId>,
    /// Statuses that leave open whether a call had its effect, ascending.
    pub ambiguous_statuses: Vec<u16>,
    pub retries: Retries,
    pub unknown_outcome: UnknownOutcome,
    pub disclosure: Disclosure,
}

/// What is said about one operation.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct OpAgent {
    /// Nothing: that of the tier. [`Ir::preview`] gives what holds.
    pub preview: Option<Preview>,
    pub confirmation: Option<ConfirmationId>,
    pub verify: Option<VerifyId>,
    /// In the order of the manifest; no two of one code.
    pub remediation: Span<RemediationId>,
    pub remediation_note: Option<TextId>,
    /// Fields of the answer that are kept out of logs.
    pub sensitive: Span<FieldPathId>,
    /// Whether the answer's secrets cannot be had again.
    pub shown_once: bool,
    pub cluster: Option<ClusterId>,
    /// Whether agents do not see the operation.
    pub hidden: bool,
    pub server_rules: Span<ServerRuleId>,
}

/// What a preview does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preview {
    /// Sends nothing.
    Local,
    /// Sends the request with a header that makes the server only try.
    Header {
        name: Sym,
        value: Sym,
    },
    /// Calls another operation.
    Endpoint(OpId),
    None,
}

impl Preview {
    pub fn mode(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Header { .. } => "header",
            Self::Endpoint(_) => "endpoint",
            Self::None => "none",
        }
    }

    /// What a preview does where nobody says so.
    pub fn of_tier(safety: Safety) -> Self {
        if safety == Safety::ReadOnly { Self::None } else { Self::Local }
    }
}

/// What a person is asked before the call.
#[derive(Clone, Copy, Debug)]
pub struct Confirmation {
    /// Arguments that are shown.
    pub summary: Span<FieldPathId>,
    /// The question as it was written.
    pub message: Option<TextId>,
    /// The same in pieces.
    pub parts: Span<MessagePartId>,
}

/// A piece of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessagePart {
    Text(TextId),
    /// The value of an argument.
    Field(FieldPath),
}

/// How to find out what a call has done.
#[derive(Clone, Copy, Debug)]
pub struct Verify {
    /// Without side effects.
    pub operation: OpId,
    pub args: ExprId,
    /// What holds when the call has done its work.
    pub expect: Option<Predicate>,
    /// What holds when nothing more will change.
    pub terminal: Option<Predicate>,
    /// Between two questions; 1,000 when absent.
    pub poll_interval_ms: Option<u64>,
    /// For all questions together; 30,000 when absent.
    pub poll_budget_ms: Option<u64>,
}

/// What must hold of one field.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    pub path: FieldPath,
    pub check: Check,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// One of the items of a list value.
    In(ValueId),
    Equals(ValueId),
    /// A subset of the field's value, tested recursively.
    Contains(ValueId),
}

/// How a value is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expr {
    Literal(ValueId),
    Reference(Reference),
    /// Whether it holds; what leads nowhere compares as null.
    Compare(Reference, Test),
    List(Span<ExprItemId>),
    /// References that lead nowhere leave their member out.
    Object(Span<ExprMemberId>),
}

/// A value that is known when the expression is: `$root.a.b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    pub root: Root,
    pub path: FieldPath,
    /// Type of the value; nothing where the description does not tell.
    pub ty: Option<TypeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// `$response`: the answer of the verified call.
    Response,
    /// `$args`: the arguments of the verified call.
    Args,
    /// `$input`: the arguments of the macro. As the arguments of a step it stands for those that the operation has.
    Input,
    /// The answer of an earlier step.
    Step(StepId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Test {
    /// One of the items of a list value.
    In(ValueId),
    Equals(ValueId),
    Differs(ValueId),
}

/// What to do about an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remediation {
    /// The API's code.
    pub code: Sym,
    pub category: Option<Category>,
    pub retryable: Option<Retryable>,
    pub text: Option<TextId>,
    pub next_action: Option<TextId>,
    /// The status that carries the code; for the mock server.
    pub status: Option<u16>,
}

/// An error whose body is no JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NonJson {
    pub status: u16,
    /// Nothing for a response without a body.
    pub media: Option<Sym>,
    pub category: Category,
    pub retryable: Option<Retryable>,
    pub text: Option<TextId>,
}

/// Categories of the diagnostic envelope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Category {
    ValidationFailed,
    MalformedRequest,
    RequestTooLarge,
    AuthFailed,
    NotFound,
    Conflict,
    PreconditionFailed,
    RateLimited,
    UpstreamUnavailable,
    OutcomeUnknown,
    TransportFailed,
    ConfirmationRequired,
    GateDisabled,
    UnexpectedResponse,
}

/// Whether, and how, a call may be made again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Retryable {
    Never,
    AfterDelay,
    SameKeyOnly,
    AfterRemediation,
}

/// How a wait is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Jitter {
    None,
    Full,
    Equal,
}

/// Whether operations are listed or searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DisclosureMode {
    Auto,
    Discrete,
    Progressive,
}

/// What becomes of a call whose effect is not known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum OnUnknown {
    #[default]
    Unknown,
    Fail,
}

/// Gives the words of an enum: each variant and its name in manifests and in the JSON form.
macro_rules! words {
    ($($type:ident { $($variant:ident $name:literal),+ $(,)? })+) => {$(
        impl $type {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The variant of a name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == name)
            }
        }
    )+};
}

words! {
    Category {
        ValidationFailed "VALIDATION_FAILED",
        MalformedRequest "MALFORMED_REQUEST",
        RequestTooLarge "REQUEST_TOO_LARGE",
        AuthFailed "AUTH_FAILED",
        NotFound "NOT_FOUND",
        Conflict "CONFLICT",
        PreconditionFailed "PRECONDITION_FAILED",
        RateLimited "RATE_LIMITED",
        UpstreamUnavailable "UPSTREAM_UNAVAILABLE",
        OutcomeUnknown "OUTCOME_UNKNOWN",
        TransportFailed "TRANSPORT_FAILED",
        ConfirmationRequired "CONFIRMATION_REQUIRED",
        GateDisabled "GATE_DISABLED",
        UnexpectedResponse "UNEXPECTED_RESPONSE",
    }
    Retryable {
        Never "never",
        AfterDelay "after_delay",
        SameKeyOnly "same_key_only",
        AfterRemediation "after_remediation",
    }
    Jitter { None "none", Full "full", Equal "equal" }
    DisclosureMode { Auto "auto", Discrete "discrete", Progressive "progressive" }
    OnUnknown { Unknown "unknown", Fail "fail" }
    KeyFormat { UuidV4 "uuid_v4", Uuid "uuid", Opaque "opaque" }
}

/// What a gate's absence means, for callers. Which operations need it is a column: `Ir::gate`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GateText {
    /// The server's environment variable; no two rows have the same.
    pub env: Sym,
    pub text: TextId,
}

/// A group of operations and macros, which name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cluster {
    /// Unique.
    pub name: Sym,
    pub summary: Option<TextId>,
}

/// A rule of the real server that the description leaves out.
#[derive(Clone, Copy, Debug)]
pub struct ServerRule {
    /// Field of the JSON body, else a query parameter.
    pub field: FieldPath,
    pub check: ServerCheck,
    /// Status of the refusal.
    pub status: u16,
    /// The API's code of the refusal.
    pub code: Option<Sym>,
    pub message: Option<TextId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServerCheck {
    /// Endings of host names that are refused.
    HostSuffixes(Span<SuffixId>),
    /// How far ahead of now a time may lie.
    MaxAheadMinutes(u64),
}

/// A call of several steps.
#[derive(Clone, Copy, Debug)]
pub struct Macro {
    /// `<namespace>.<name>`; neither an operation's id nor another macro's.
    pub id: Sym,
    pub name: Sym,
    pub namespace: NamespaceId,
    pub summary: TextId,
    /// At least as strict as every step that calls.
    pub safety: Safety,
    /// The operation whose arguments it takes.
    pub extends: Option<OpId>,
    /// Further arguments.
    pub fields: Span<MacroFieldId>,
    /// In order; there is at least one.
    pub steps: Span<StepId>,
    pub output: ExprId,
    pub sensitive: Span<FieldPathId>,
    pub shown_once: bool,
    pub cluster: Option<ClusterId>,
    pub origin: Origin,
}

/// An argument that a macro adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MacroField {
    pub name: Sym,
    /// Its JSON Schema, as it was written.
    pub schema: ValueId,
    /// The schema's default.
    pub default: Option<ValueId>,
}

/// A step of a macro.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub operation: OpId,
    pub args: ExprId,
    /// The name under which later steps know its answer.
    pub name: Option<Sym>,
    pub kind: StepKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    Call,
    /// Calls until the predicate holds.
    Poll {
        until: Predicate,
        /// 1,000 when absent.
        interval_ms: Option<u64>,
        /// A number or a reference; 30,000 when absent.
        budget_ms: Option<ExprId>,
    },
    /// Collects the items of pages.
    Paginate {
        /// 100 when absent.
        max_pages: Option<u64>,
    },
}

impl StepKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Poll { .. } => "poll",
            Self::Paginate { .. } => "paginate",
        }
    }
}

/// How calls are repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Retries {
    pub read_only: RetryRule,
    /// For the others, when they carry an idempotency key.
    pub mutating: RetryRule,
    pub honor_retry_after: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RetryRule {
    /// Attempts after the first.
    pub max: u64,
    pub base_ms: u64,
    pub max_ms: u64,
    pub jitter: Jitter,
}

impl RetryRule {
    /// A rule with the waits that hold where nothing is stated.
    pub const fn times(max: u64) -> Self {
        Self { max, base_ms: 200, max_ms: 5000, jitter: Jitter::Full }
    }
}

impl Default for Retries {
    fn default() -> Self {
        Self { read_only: RetryRule::times(3), mutating: RetryRule::times(0), honor_retry_after: true }
    }
}

/// What becomes of a call whose effect is not known, by the cause.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct UnknownOutcome {
    pub on_timeout: OnUnknown,
    pub on_connection_reset: OnUnknown,
    pub on_ambiguous_status: OnUnknown,
}

/// How operations are shown to agents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disclosure {
    pub mode: DisclosureMode,
    pub threshold: u64,
    pub list_budget_tokens: u64,
    pub description_budget_tokens: u64,
    pub schema_budget_tokens: u64,
    /// Sentences of a description that stay.
    pub max_sentences: u64,
    /// Sentences that hold one of these go.
    pub drop_phrases: Vec<TextId>,
    /// Not applied (TG0613).
    pub drop_fields: Vec<Sym>,
    /// Not applied (TG0613).
    pub keep_examples: bool,
}

impl Default for Disclosure {
    fn default() -> Self {
        Self {
            mode: DisclosureMode::Auto,
            threshold: 24,
            list_budget_tokens: 10_000,
            description_budget_tokens: 60,
            schema_budget_tokens: 600,
            max_sentences: 2,
            drop_phrases: Vec::new(),
            drop_fields: Vec::new(),
            keep_examples: false,
        }
    }
}

impl Ir {
    /// What a preview of an operation does.
    pub fn preview(&self, op: OpId) -> Preview {
        self.agent.ops[op].preview.unwrap_or(Preview::of_tier(self.safety[op]))
    }

    /// A path as people write it, its wire names with dots between.
    pub fn dotted(&self, path: FieldPath) -> String {
        let names: Vec<&str> = self.agent.path_steps.slice(path).iter().map(|step| self.names.resolve(*step)).collect();
        names.join(".")
    }
}
