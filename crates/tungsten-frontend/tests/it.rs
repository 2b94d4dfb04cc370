//! The crate from outside: small documents in, tables and diagnostics out.

#[path = "it/describe.rs"]
mod describe;
#[path = "it/operations.rs"]
mod operations;
#[path = "it/pagination.rs"]
mod pagination;
#[path = "it/resources.rs"]
mod resources;
#[path = "it/security.rs"]
mod security;
