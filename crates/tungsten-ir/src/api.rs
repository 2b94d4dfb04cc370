//! The API as a whole: namespaces, the resource tree, servers, authentication.

use base::digest::Digest;
use base::{SourceId, Span, Sym, Table, TextId};

use crate::{Doc, OpId, TypeId};

base::ids! {
    /// One input document and everything it reaches.
    NamespaceId "namespace";
    /// A node of the resource tree.
    ResourceId "resource";
    /// An operation's place in a list of operations.
    OpRefId "op_ref";
    /// A resource's place in a list of resources.
    ResourceRefId "resource_ref";
    ServerId "server";
    ServerVariableId "server_variable";
    /// A value that a server variable may have.
    ServerChoiceId "server_choice";
    /// A tag that a description declares.
    TagRowId "tag_row";
    /// An authentication scheme.
    SchemeId "scheme";
    FlowId "flow";
    ScopeId "scope";
    /// A scheme that a composite satisfies.
    SatisfiedId "satisfied";
    AuthPartId "auth_part";
}

/// What holds for the whole API.
#[derive(Clone, Copy, Debug)]
pub struct Api {
    /// Machine name: `[a-z][a-z0-9_]*`.
    pub name: Sym,
    pub title: Option<TextId>,
    pub description: Option<TextId>,
    /// Where the API's documentation is published.
    pub docs_url: Option<TextId>,
    /// Version of the first document.
    pub version: Sym,
    /// The default first.
    pub servers: Span<ServerId>,
}

impl Default for Api {
    /// Placeholder until the frontend has read a document: symbol 0 is whatever the interner holds first.
    fn default() -> Self {
        Self {
            name: Sym::at(0),
            title: None,
            description: None,
            docs_url: None,
            version: Sym::at(0),
            servers: Span::EMPTY,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Namespace {
    /// Machine name, unique.
    pub name: Sym,
    pub source: SourceId,
    /// Digest of the input document.
    pub digest: Digest,
    pub title: Option<TextId>,
    pub version: Sym,
    /// Top-level resources, in the order of their first operation.
    pub resources: Span<ResourceRefId>,
    /// Operations that are documented but not callable.
    pub planned: Span<OpRefId>,
    pub errors: ErrorModel,
    pub info: Info,
}

/// What a description says about itself beside title and version.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Info {
    /// Where the document says that it belongs: the base of its references.
    pub uri: Option<TextId>,
    /// Of the whole API; `external` is the document's `externalDocs`.
    pub doc: Doc,
    /// A URL.
    pub terms_of_service: Option<TextId>,
    pub contact: Contact,
    pub license: License,
}

/// Whom to ask about an API.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Contact {
    pub name: Option<TextId>,
    pub url: Option<TextId>,
    pub email: Option<TextId>,
}

/// Under which terms a description is published.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct License {
    pub name: Option<TextId>,
    /// An SPDX expression.
    pub identifier: Option<TextId>,
    pub url: Option<TextId>,
}

/// A tag that a description declares.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    pub namespace: NamespaceId,
    pub name: Sym,
    pub doc: Doc,
    /// Name of the tag that this one belongs to, as it is written.
    pub parent: Option<Sym>,
    /// What the tag is for: `nav`, `badge`, `audience` or a word of the author's.
    pub kind: Option<Sym>,
}

/// What an API's error bodies look like.
#[derive(Clone, Copy, Default, Debug)]
pub struct ErrorModel {
    pub envelope: Option<TypeId>,
    /// Dotted wire names.
    pub code_field: Option<Sym>,
    pub message_field: Option<Sym>,
}

/// Tables of the resource tree.
#[derive(Debug, Default)]
pub struct Resources {
    pub rows: Table<ResourceId, Resource>,
    pub op_refs: Table<OpRefId, OpId>,
    pub resource_refs: Table<ResourceRefId, ResourceId>,
}

/// A node of the resource tree.
#[derive(Clone, Copy, Debug)]
pub struct Resource {
    /// As words to be cased by a profile.
    pub name: Sym,
    pub namespace: NamespaceId,
    pub parent: Option<ResourceId>,
    /// Longest common path of its operations, without trailing parameters.
    pub path_prefix: Sym,
    pub doc: Doc,
    /// In document order.
    pub ops: Span<OpRefId>,
    /// In the order of their first operation.
    pub children: Span<ResourceRefId>,
}

#[derive(Clone, Copy, Debug)]
pub struct Server {
    /// URL with `{variable}`s as written.
    pub template: Sym,
    /// URL with the variables' defaults filled in; absolute, or relative to where the description was found.
    pub url: Sym,
    /// What people call it.
    pub name: Option<Sym>,
    pub description: Option<TextId>,
    pub variables: Span<ServerVariableId>,
}

#[derive(Clone, Copy, Debug)]
pub struct ServerVariable {
    pub name: Sym,
    pub default: Sym,
    /// All values that it may have; empty when any is good.
    pub choices: Span<ServerChoiceId>,
    pub description: Option<TextId>,
}

/// An authentication scheme.
#[derive(Clone, Copy, Debug)]
pub struct AuthScheme {
    /// The description's name, qualified by the namespace where two documents disagree.
    pub name: Sym,
    pub kind: AuthKind,
    pub doc: Option<TextId>,
    /// Environment variable of the credential, from an auth profile.
    pub env: Option<Sym>,
    pub deprecated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuthKind {
    ApiKey {
        location: KeyLocation,
        wire_name: Sym,
    },
    Bearer {
        format: Option<Sym>,
        prefix: Option<Sym>,
    },
    Basic,
    Oauth2 {
        flows: Span<FlowId>,
        /// URL of the authorization server's metadata (RFC 8414).
        metadata_url: Option<Sym>,
    },
    OpenIdConnect {
        url: Sym,
    },
    /// Several parts sent together; stands in for the schemes it satisfies.
    Composite {
        satisfies: Span<SatisfiedId>,
        parts: Span<AuthPartId>,
    },
    /// Named by a requirement but not usable (TG0509).
    Unsupported,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyLocation {
    Header,
    Query,
    Cookie,
}

#[derive(Clone, Copy, Debug)]
pub struct OauthFlow {
    pub kind: FlowKind,
    pub token_url: Option<Sym>,
    pub authorization_url: Option<Sym>,
    pub refresh_url: Option<Sym>,
    /// Of the device flow (RFC 8628).
    pub device_authorization_url: Option<Sym>,
    pub scopes: Span<ScopeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlowKind {
    ClientCredentials,
    AuthorizationCode,
    Password,
    Implicit,
    DeviceAuthorization,
}

/// A scope of a flow.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    pub name: Sym,
    pub doc: Option<TextId>,
}

#[derive(Clone, Copy, Debug)]
pub enum AuthPart {
    Cookie { name: Sym },
    Header { name: Sym, source: HeaderSource, mutation_only: bool },
    Bearer { env: Option<Sym>, prefix: Option<Sym> },
}

/// Where the value of a composite's header comes from.
#[derive(Clone, Copy, Debug)]
pub enum HeaderSource {
    Cookie(Sym),
    Config(Sym),
}
