//! The crate from outside: small documents in, tables and diagnostics out.

#[path = "it/budgets.rs"]
mod budgets;
#[path = "it/codes.rs"]
mod codes;
#[path = "it/corpus.rs"]
mod corpus;
#[path = "it/describe.rs"]
mod describe;
#[path = "it/malformed.rs"]
mod malformed;
#[path = "it/metamorphic.rs"]
mod metamorphic;
#[path = "it/official.rs"]
mod official;
#[path = "it/operations.rs"]
mod operations;
#[path = "it/overlays.rs"]
mod overlays;
#[path = "it/pagination.rs"]
mod pagination;
#[path = "it/refs.rs"]
mod refs;
#[path = "it/repairs.rs"]
mod repairs;
#[path = "it/resources.rs"]
mod resources;
#[path = "it/rules.rs"]
mod rules;
#[path = "it/security.rs"]
mod security;
#[path = "it/selection.rs"]
mod selection;
#[path = "it/spelled.rs"]
mod spelled;
#[path = "it/types.rs"]
mod types;
#[path = "it/v32.rs"]
mod v32;
