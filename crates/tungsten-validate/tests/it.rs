//! The check from outside: JSON Schema's own test suite, and what API descriptions have beside it.

#[path = "it/cases.rs"]
mod cases;
#[path = "it/readings.rs"]
mod readings;
#[path = "it/suite.rs"]
mod suite;
