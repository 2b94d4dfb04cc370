//! The intermediate representation: a handful of tables with typed ids, and everything else is a function over them.
//!
//! `Ir` owns its data, has no lifetimes and is shared as `&Ir` by all threads once it is frozen. The frontend fills the
//! tables, passes add columns, emitters read. Nothing here reads a file, a clock or the environment.

mod agent;
mod api;
mod dump;
mod error_codes;
mod error_model;
mod json;
pub mod names;
mod ops;
pub mod pattern;
pub mod profile;
mod rules;
#[cfg(test)]
mod sample;
pub mod schema;
mod types;
mod values;
mod verify;
pub mod words;

pub use agent::*;
pub use api::*;
pub use dump::{DumpContext, dump, dump_op, dump_type};
pub use error_codes::{ErrorCode, error_codes};
pub use error_model::error_model;
pub use names::{MemberNames, NameOptions, Names, assign, assign_and};
pub use ops::*;
pub use profile::Profile;
pub use rules::*;
pub use types::*;
pub use values::*;
pub use verify::{verify, verify_frozen};

use base::{Column, Interner, SpecText, Sym, Table, TextId, TextPool};

/// Version of the JSON form; minor versions only add.
pub const IR_VERSION: &str = "1.1.0";

/// One compiled API: all its documents, all its namespaces.
#[derive(Debug, Default)]
pub struct Ir {
    /// Names, keys, tags, enum strings: short text that repeats.
    pub names: Interner,
    /// Prose: descriptions, patterns, pointers.
    pub texts: TextPool,
    pub api: Api,
    pub namespaces: Table<NamespaceId, Namespace>,
    pub types: Types,
    pub values: Values,
    pub ops: Ops,
    pub resources: Resources,
    pub servers: Table<ServerId, Server>,
    pub server_variables: Table<ServerVariableId, ServerVariable>,
    pub server_choices: Table<ServerChoiceId, Sym>,
    /// Tags that descriptions declare, in document order.
    pub tags: Table<TagRowId, Tag>,
    /// Sorted by name; a composite after a scheme of the same name.
    pub schemes: Table<SchemeId, AuthScheme>,
    pub flows: Table<FlowId, OauthFlow>,
    pub scopes: Table<ScopeId, Scope>,
    pub auth_parts: Table<AuthPartId, AuthPart>,

    /// How types are written as XML.
    pub xml: Column<TypeId, Option<XmlId>>,
    /// Types that can contain themselves.
    pub recursive: Column<TypeId, bool>,
    /// Types that an operation reaches; all are, until a pass says otherwise.
    pub pruned: Column<TypeId, bool>,
    /// The resource of each callable operation.
    pub op_resource: Column<OpId, Option<ResourceId>>,
    /// The name of each operation within its resource, as words to be cased by a profile.
    pub op_name: Column<OpId, Option<Sym>>,
    pub safety: Column<OpId, Safety>,
    pub idempotency: Column<OpId, Idempotency>,
    pub pagination: Column<OpId, Option<Pagination>>,
    /// The switch of the server that each operation needs.
    pub gate: Column<OpId, Option<Gate>>,
    /// How the body of each method of an envelope is wrapped.
    pub rpc: Column<OpId, Option<Rpc>>,
    /// What an agent manifest adds.
    pub agent: Agent,
}

impl Ir {
    /// The text of a symbol. It came from an input and cannot be printed as it is.
    pub fn name(&self, sym: Sym) -> SpecText<'_> {
        SpecText::new(self.names.resolve(sym))
    }

    /// A prose text. It came from an input and cannot be printed as it is.
    pub fn text(&self, id: TextId) -> SpecText<'_> {
        self.texts.get(id)
    }
}
