//! Operations: what can be called, with which parameters and bodies, and what comes back.

use base::{Interner, Span, Sym, Table, TextId};

use crate::{Doc, FieldId, Literal, NamespaceId, Origin, SchemeId, ServerId, TypeId, ValueId};

base::ids! {
    /// An operation: callable, planned, a webhook or a callback.
    OpId "op";
    /// A parameter of one operation.
    ParamId "param";
    /// The request body of one operation.
    BodyId "body";
    /// One media type of a body or response.
    ContentId "content";
    /// How one property of a form body is written.
    PartId "part";
    ResponseId "response";
    HeaderId "header";
    LinkId "link";
    ExampleId "example";
    ExtensionId "extension";
    SegmentId "segment";
    /// A piece of a path segment that mixes text and placeholders.
    PieceId "piece";
    QueryPairId "pair";
    /// A tag of an operation.
    TagId "tag";
    /// One way to satisfy an operation's security.
    AlternativeId "alternative";
    /// A scheme that an alternative needs.
    RequirementId "requirement";
    /// A scope that a requirement names.
    ScopeUseId "scope_use";
    LinkParameterId "link_parameter";
    /// A member that a remote procedure call always carries.
    RpcConstantId "rpc_constant";
}

/// Tables of all operations.
#[derive(Debug, Default)]
pub struct Ops {
    /// Namespace by namespace, in document order.
    pub rows: Table<OpId, Op>,
    pub params: Table<ParamId, Param>,
    pub bodies: Table<BodyId, Body>,
    pub contents: Table<ContentId, Content>,
    pub parts: Table<PartId, Part>,
    pub responses: Table<ResponseId, Response>,
    pub headers: Table<HeaderId, Header>,
    pub links: Table<LinkId, Link>,
    pub link_parameters: Table<LinkParameterId, (Sym, Literal)>,
    pub examples: Table<ExampleId, Example>,
    pub extensions: Table<ExtensionId, Extension>,
    pub segments: Table<SegmentId, Segment>,
    pub pieces: Table<PieceId, Piece>,
    pub query_pairs: Table<QueryPairId, QueryPair>,
    pub tags: Table<TagId, Sym>,
    pub alternatives: Table<AlternativeId, Alternative>,
    pub requirements: Table<RequirementId, Requirement>,
    pub scope_uses: Table<ScopeUseId, Sym>,
    pub rpc_constants: Table<RpcConstantId, RpcConstant>,
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    /// `<namespace>.<local id>`, unique.
    pub id: Sym,
    /// The stated `operationId`, or one made from method and path (TG0403).
    pub local_id: Sym,
    /// Whether the description states the id.
    pub id_stated: bool,
    pub namespace: NamespaceId,
    pub kind: OpKind,
    pub status: OpStatus,
    pub method: Method,
    pub path: Path,
    pub doc: Doc,
    pub tags: Span<TagId>,
    /// In path, query, header, cookie order; within one place in document order.
    pub params: Span<ParamId>,
    pub body: Option<BodyId>,
    /// Exact statuses ascending, then ranges, then the default.
    pub responses: Span<ResponseId>,
    /// Any of these alternatives; none at all: no authentication.
    pub security: Span<AlternativeId>,
    /// Where they differ from the API's: the operation's own, else the path's.
    pub servers: Span<ServerId>,
    pub deprecated: bool,
    pub extensions: Span<ExtensionId>,
    pub origin: Origin,
}

/// What kind of row an operation is. Only calls are emitted as methods.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpKind {
    Call,
    /// The API calls us; the symbol is the webhook's name.
    Webhook(Sym),
    /// The API calls back in answer to an operation.
    Callback {
        of: OpId,
        name: Sym,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpStatus {
    Implemented,
    /// Documented but not callable.
    Planned {
        reason: TextId,
    },
}

/// The success that arrives piece by piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stream {
    pub response: ResponseId,
    pub content: ContentId,
}

/// The argument that asks for a stream: it is true in each call of the stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamFlag {
    Param(ParamId),
    /// A field of the body.
    Field(FieldId),
}

impl Ops {
    /// The stream of an operation: events before JSON texts before bytes, of those the first.
    pub fn stream(&self, op: &Op) -> Option<Stream> {
        const ORDER: [Encoding; 4] = [Encoding::Events, Encoding::JsonLines, Encoding::JsonSeq, Encoding::Bytes];
        let rank = |stream: &Stream| ORDER.iter().position(|known| *known == self.contents[stream.content].encoding);
        let successes = op.responses.iter().filter(|&id| self.responses[id].kind == ResponseKind::Success);
        let all = successes.flat_map(|response| {
            self.responses[response].contents.iter().map(move |content| Stream { response, content })
        });
        all.filter_map(|stream| Some((rank(&stream)?, stream))).min_by_key(|(rank, _)| *rank).map(|(_, stream)| stream)
    }
}

/// A switch of the server that an operation needs (`x-runtime-gate`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gate {
    /// The server's environment variable.
    pub env: Sym,
    /// Whether a server that was told nothing has it on.
    pub default_on: bool,
    /// What a server answers while it is off.
    pub disabled_status: u16,
}

impl Gate {
    /// What a server answers while a gate is off, when nothing is said.
    pub const DISABLED_STATUS: u16 = 404;
}

/// One method of an envelope: its body is wrapped as `{<field>: <value>, <params>: <body>, ...constants}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rpc {
    /// Wire name of the member that names the method.
    pub field: Sym,
    /// The method, as it is sent.
    pub value: Sym,
    /// Wire name of the member that carries the operation's body; nothing for a method without parameters.
    pub params: Option<Sym>,
    /// Members that are always the same.
    pub constants: Span<RpcConstantId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RpcConstant {
    pub name: Sym,
    pub value: ValueId,
}

/// An HTTP method: one that OpenAPI has a key for, or another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    Get,
    Put,
    Post,
    Delete,
    Options,
    Head,
    Patch,
    Trace,
    /// Safe and idempotent, with a body.
    Query,
    /// A method that the description names itself: a token (RFC 9110, section 9.1), spelled as it is sent.
    Other(Sym),
}

impl Method {
    /// Those that have a key of their own in a path item.
    pub const FIXED: [Self; 9] = [
        Self::Get,
        Self::Put,
        Self::Post,
        Self::Delete,
        Self::Options,
        Self::Head,
        Self::Patch,
        Self::Trace,
        Self::Query,
    ];

    /// As on the wire.
    pub fn name(self, names: &Interner) -> &str {
        match self {
            Self::Other(name) => names.resolve(name),
            fixed => fixed.fixed_name().unwrap_or_default(),
        }
    }

    /// Upper case, as on the wire; nothing for a method without a key of its own.
    pub fn fixed_name(self) -> Option<&'static str> {
        Some(match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Head => "HEAD",
            Self::Patch => "PATCH",
            Self::Trace => "TRACE",
            Self::Query => "QUERY",
            Self::Other(_) => return None,
        })
    }

    /// Lower case, as the key of a path item; nothing for a method without a key of its own.
    pub fn key(self) -> Option<&'static str> {
        Some(match self {
            Self::Get => "get",
            Self::Put => "put",
            Self::Post => "post",
            Self::Delete => "delete",
            Self::Options => "options",
            Self::Head => "head",
            Self::Patch => "patch",
            Self::Trace => "trace",
            Self::Query => "query",
            Self::Other(_) => return None,
        })
    }
}

/// A path template.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// As it is sent, `/pets/{petId}`, without a query string.
    pub raw: Sym,
    pub segments: Span<SegmentId>,
    /// Pairs that the path's key carries (TG0111).
    pub query: Span<QueryPairId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Segment {
    Literal(Sym),
    Param(Sym),
    /// Text and placeholders in one segment.
    Template(Span<PieceId>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    Literal(Sym),
    Param(Sym),
}

#[derive(Clone, Copy, Debug)]
pub struct QueryPair {
    pub name: Sym,
    pub value: Sym,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Name on the wire.
    pub name: Sym,
    pub location: Location,
    pub ty: TypeId,
    pub required: bool,
    pub style: Style,
    pub explode: bool,
    pub allow_reserved: bool,
    pub allow_empty: bool,
    pub role: Role,
    pub deprecated: bool,
    pub sensitive: bool,
    /// Set when the parameter is described by `content`.
    pub media_type: Option<Sym>,
    /// How the members of a form are written that the parameter's media type is.
    pub parts: Parts,
    pub constant: Option<ValueId>,
    pub default: Option<ValueId>,
    pub doc: Doc,
    pub examples: Span<ExampleId>,
    pub origin: Origin,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Location {
    Path,
    Query,
    Header,
    Cookie,
    /// All of the query string at once.
    Querystring,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Simple,
    Form,
    Label,
    Matrix,
    SpaceDelimited,
    PipeDelimited,
    DeepObject,
    /// Like a form, between semicolons and without percent-encoding.
    Cookie,
}

impl Style {
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Form => "form",
            Self::Label => "label",
            Self::Matrix => "matrix",
            Self::SpaceDelimited => "space_delimited",
            Self::PipeDelimited => "pipe_delimited",
            Self::DeepObject => "deep_object",
            Self::Cookie => "cookie",
        }
    }
}

/// Who supplies a parameter. Only plain and dry-run ones are arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Plain,
    IdempotencyKey,
    DryRun,
    Origin,
    Auth,
    Constant,
}

#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// In document order.
    pub contents: Span<ContentId>,
    pub required: bool,
    pub doc: Doc,
}

#[derive(Clone, Copy, Debug)]
pub struct Content {
    pub media_type: Sym,
    pub encoding: Encoding,
    /// The body's type; `Any` where none is stated.
    pub ty: TypeId,
    /// Whether the description states a schema.
    pub schema_stated: bool,
    /// The type of one item of a sequence, as `itemSchema` states it. For server-sent events that is the event with its
    /// fields, while `ty` is what its data holds.
    pub item: Option<TypeId>,
    pub description: Option<TextId>,
    pub parts: Parts,
    pub examples: Span<ExampleId>,
    /// `x-tungsten-stream-done`: the data that ends an event stream.
    pub stream_done: Option<Sym>,
    /// Whether the data of events is text as it stands, not JSON.
    pub is_text_data: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Json,
    Form,
    Multipart,
    Bytes,
    Text,
    /// JSON texts, one a line (responses).
    JsonLines,
    /// JSON texts, each after a record separator (RFC 7464; responses).
    JsonSeq,
    /// Server-sent events (responses).
    Events,
}

/// How the parts of a form or multipart body are written, where that is said.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Parts {
    /// By the name of the property.
    pub named: Span<PartId>,
    /// By place, from the first on.
    pub prefix: Span<PartId>,
    /// Each one after those.
    pub item: Option<PartId>,
}

/// How one part of a form or multipart body is written.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Wire name of the property; nothing for a part that is known by its place.
    pub name: Option<Sym>,
    pub content_type: Option<Sym>,
    pub style: Option<Style>,
    pub explode: Option<bool>,
    pub allow_reserved: bool,
    pub headers: Span<HeaderId>,
    /// Of a part that is a form or multipart body itself.
    pub parts: Parts,
}

#[derive(Clone, Copy, Debug)]
pub struct Response {
    pub status: Status,
    pub kind: ResponseKind,
    pub contents: Span<ContentId>,
    pub headers: Span<HeaderId>,
    pub links: Span<LinkId>,
    pub doc: Doc,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    Exact(u16),
    /// The first digit of `2XX`.
    Range(u8),
    Default,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResponseKind {
    Success,
    Error,
    Ambiguous,
}

#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Name on the wire.
    pub name: Sym,
    pub ty: TypeId,
    pub required: bool,
    /// Headers have the style `simple` and no other.
    pub explode: bool,
    pub deprecated: bool,
    /// Set when the header is described by `content`.
    pub media_type: Option<Sym>,
    pub doc: Doc,
    pub examples: Span<ExampleId>,
}

#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub name: Sym,
    /// The target, when it is an operation of the same API.
    pub operation: Option<OpId>,
    /// The `operationId` or `operationRef` as it is written.
    pub target: Option<Sym>,
    pub server: Option<ServerId>,
    pub parameters: Span<LinkParameterId>,
    pub body: Option<Literal>,
    pub doc: Doc,
}

#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// Name under `examples`; none for `example`.
    pub name: Option<Sym>,
    pub doc: Doc,
    /// The value before it is written; nothing when only its written form is stated.
    pub value: Option<Literal>,
    /// The value as it is sent.
    pub serialized: Option<TextId>,
    /// URL of the value as it is sent.
    pub external: Option<TextId>,
}

/// A member whose name starts with `x-`.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    pub name: Sym,
    pub value: Literal,
}

/// All of these schemes together.
#[derive(Clone, Copy, Debug)]
pub struct Alternative {
    pub all_of: Span<RequirementId>,
}

#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    pub scheme: SchemeId,
    pub scopes: Span<ScopeUseId>,
}

/// Safety tiers, weak to strong.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Safety {
    #[default]
    ReadOnly,
    Mutating,
    Destructive,
    Irreversible,
}

impl Safety {
    pub const ALL: [Self; 4] = [Self::ReadOnly, Self::Mutating, Self::Destructive, Self::Irreversible];

    pub fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::Mutating => "mutating",
            Self::Destructive => "destructive",
            Self::Irreversible => "irreversible",
        }
    }
}

/// How repeats of an operation are kept from doubling its effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Idempotency {
    pub policy: Policy,
    /// Header that carries the key; `Idempotency-Key` when absent.
    pub header: Option<Sym>,
    pub format: Option<KeyFormat>,
    pub persist_required: bool,
    /// A remark for callers.
    pub note: Option<TextId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    #[default]
    None,
    Auto,
    CallerOwned,
    ContentHash,
    ContentIdentity,
}

impl Policy {
    pub const ALL: [Self; 5] = [Self::None, Self::Auto, Self::CallerOwned, Self::ContentHash, Self::ContentIdentity];

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Auto => "auto",
            Self::CallerOwned => "caller_owned",
            Self::ContentHash => "content_hash",
            Self::ContentIdentity => "content_identity",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyFormat {
    UuidV4,
    Uuid,
    Opaque,
}

/// How a list is read page by page. Names are wire names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pagination {
    pub style: PageStyle,
    /// Dotted path of the items; nothing when the body is the array.
    pub items: Option<Sym>,
    pub page_size_param: Option<Sym>,
    pub exhausted_when: Exhausted,
    pub has_more_field: Option<Sym>,
    /// Field of the last item that is the next cursor.
    pub cursor_item_field: Option<Sym>,
    /// Whether nobody declared it (TG0501).
    pub inferred: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageStyle {
    /// `response_field` is a dotted path; without one the cursor is a field of the last item.
    Cursor {
        request_param: Sym,
        response_field: Option<Sym>,
    },
    Offset {
        offset_param: Sym,
        limit_param: Sym,
    },
    Page {
        page_param: Sym,
        size_param: Sym,
    },
    LinkHeader,
    /// A field of the body is the URL of the next page.
    LinkField {
        response_field: Sym,
    },
}

/// What the last page looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// The cursor or the link is null, absent or empty.
    CursorNull,
    EmptyItems,
    NoLink,
    HasMoreFalse,
}
