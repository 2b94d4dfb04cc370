//! The check judged by JSON Schema's own test suite, and by values of types that only API descriptions have.

mod suite;
