//! The project's manifests, typed: `tungsten.yml`, with room for `agent.yml` beside it.
//!
//! Reads a parsed document; writes a [`Manifest`] and diagnostics. `tungsten_yml` holds the one list of keys, from which
//! the reader, the JSON Schema and the reference page are made. Files, and whether an operation or a path that a
//! manifest names exists, are left to others.

mod forms;
mod keys;
mod names;
mod reader;
mod reference;
mod schema;
mod syntax;
mod targets;
mod tungsten_yml;

pub use forms::{
    CommandLine, EnvName, Extension, FieldRef, FilePath, HeaderName, HttpMethod, Identifier, MachineName, Only,
    OperationRef, OutPath, ResourceName, TargetName, Text, UrlPath, Word,
};
pub use names::{api_name, machine_name, namespace_name};
pub use reader::{Int, Map, NonEmpty, Raw, RawEntry, True};
pub use reference::{reference_markdown, reference_markdown_with};
pub use schema::{schema, schema_with};
pub use syntax::read_source;
pub use targets::{BUILT_IN_TARGETS, BuiltInTarget, OptionKind, OptionRow, OptionTable};
pub use tungsten_yml::{
    Api, ApiKeyProfile, AuthProfile, BearerProfile, CompositePart, ConfigEntry, CursorPages, External, FieldNaming,
    Filter, HeaderPart, Input, LinkFieldPages, LinkPages, Manifest, NamedPages, Naming, OffsetPages, Pagination,
    PaginationStyle, Part, Profile, Resource, RpcUnflatten, Servers, Target, Types, read,
};
