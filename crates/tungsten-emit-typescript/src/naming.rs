//! Names of declarations that the tables of names do not hold: made here, kept apart by numbers.
//!
//! Reads the names that are taken; writes nothing. What a name starts with is the caller's.

use std::collections::BTreeSet;

/// The name that is wanted, or it with the lowest number that makes it free.
pub(crate) fn free_name(taken: &BTreeSet<String>, wanted: &str) -> String {
    let numbered = (2_u32..).map(|number| format!("{wanted}{number}"));
    let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered);
    candidates.find(|name| !taken.contains(name)).unwrap_or_else(|| wanted.to_owned())
}
