//! The check from outside: JSON Schema's own test suite, and what API descriptions have beside it.

#[allow(dead_code, reason = "the other tests read more of a case")]
#[path = "it/cases.rs"]
mod cases;
#[path = "it/readings.rs"]
mod readings;
#[path = "it/suite.rs"]
mod suite;
