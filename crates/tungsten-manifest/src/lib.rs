//! The project's manifests, typed: `tungsten.yml`, and `agent.yml` beside it.
//!
//! Reads a parsed document; writes a [`Manifest`] or an [`AgentManifest`] and diagnostics. `tungsten_yml` and
//! `agent_yml` hold the one list of keys each, from which reader, JSON Schema and reference page are made. Files, and
//! whether an operation or a path that a manifest names exists, are left to others.

mod agent_yml;
mod extensions;
mod forms;
mod keys;
mod names;
mod predicates;
mod reader;
mod reference;
mod schema;
mod syntax;
mod targets;
mod tungsten_yml;

pub use agent_yml::{
    AgentManifest, Backoff, Cluster, CodeEntry, Confirmation, Defaults, Disclosure, DisclosureDefaults, Envelope,
    Errors, Gate, Idempotency, IdempotencyPolicy, Macro, MacroInput, MethodTiers, NonJson, Poll, Preview, PreviewRule,
    Prune, PruneDescriptions, Remediation, ResponseRule, Retries, RetryRule, ServerRule, Step, Tool, UnknownOutcome,
    Verify, read_agent,
};
pub use extensions::{EXTENSIONS, read_extension};
pub use forms::{
    ClusterName, DisclosureMode, ErrorCategory, FieldPath, Jitter, KeyFormat, MacroName, MediaOrNone, OnUnknown,
    Persist, PolicyName, PreviewMode, Retryable, StepName, Tier,
};
pub use forms::{
    CommandLine, EnvName, Extension, FieldRef, FilePath, HeaderName, HttpMethod, Identifier, KeyPlace, MachineName,
    Only, OperationRef, OutPath, ResourceName, TargetName, Text, UrlPath, Word,
};
pub use names::{api_name, machine_name, namespace_name};
pub use predicates::{
    Comparison, Condition, EXPRESSION_DEPTH, Expression, Predicate, Reference, Term, TermMember, Test,
};
pub use reader::{Int, Map, NonEmpty, Raw, RawEntry, True};
pub use reference::{agent_reference_markdown, reference_markdown};
pub use schema::{agent_schema, schema, schema_with};
pub use syntax::{read_agent_source, read_source};
pub use targets::{BUILT_IN_TARGETS, BuiltInTarget, OptionKind, OptionRow, OptionTable, resolve_alias};
pub use tungsten_yml::{
    Api, ApiKeyProfile, AuthProfile, BasicProfile, BearerProfile, CompositePart, ConfigEntry, CursorPages, Declares,
    External, FieldNaming, Filter, HeaderPart, Input, LinkFieldPages, LinkPages, Manifest, NamedPages, Naming,
    OffsetPages, Pagination, PaginationStyle, Part, Profile, Resource, RpcUnflatten, Servers, Target, Types, read,
};
