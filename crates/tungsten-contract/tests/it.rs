//! The suite from outside: its files against their schema, and the harness against a driver that does what it should not.

#[path = "it/files.rs"]
mod files;
#[path = "it/judgement.rs"]
mod judgement;
