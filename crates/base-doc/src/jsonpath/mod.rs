//! JSONPath (RFC 9535) over a [`Tree`]: a text becomes a checked query, a query selects values.
//!
//! Ours and not a library's: the values that it selects must be the tree's own, so that their places survive, and its
//! work is counted, so that no query runs for long. Judged by the JSONPath compliance suite.

mod ast;
mod eval;
mod iregexp;
mod parse;

use std::fmt::Write as _;

use crate::tree::{Tree, TreeId};

pub use eval::{OverBudget, Visits};
pub use parse::{Dialect, PathError};

/// A query that is well-formed and well-typed.
#[derive(Clone, Debug)]
pub struct JsonPath {
    query: ast::Query,
}

impl JsonPath {
    /// Reads a query (RFC 9535, section 2). The error says what is wrong and at which byte.
    pub fn parse(text: &str, dialect: Dialect) -> Result<Self, PathError> {
        parse::parse(text, dialect).map(|query| Self { query })
    }

    /// The values that the query selects, in its order; a value may stand twice. What is looked at is taken from
    /// `visits`.
    pub fn select(&self, tree: &Tree<'_>, visits: &mut Visits) -> Result<Vec<TreeId>, OverBudget> {
        eval::select(&self.query, tree, visits)
    }
}

/// The normalized path of a value (RFC 9535, section 2.7).
pub fn normalized_path(tree: &Tree<'_>, at: TreeId) -> String {
    let mut way = vec![at];
    way.extend(std::iter::successors(tree.parent(at), |&at| tree.parent(at)));
    let mut path = "$".to_owned();
    for pair in way.windows(2).rev() {
        let (child, container) = (pair[0], pair[1]);
        match tree.key_text(child) {
            Some(key) => write_name(key, &mut path),
            None => {
                let index = tree.children(container).position(|item| item == child).unwrap_or_default();
                let _ = write!(path, "[{index}]");
            }
        }
    }
    path
}

fn write_name(name: &str, out: &mut String) {
    out.push_str("['");
    for c in name.chars() {
        match c {
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\'' | '\\' => out.extend(['\\', c]),
            '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push_str("']");
}
