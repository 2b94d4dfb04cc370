//! One document tree for every syntax: JSON and YAML become the same flat [`Doc`], with positions.
//!
//! Reads sources; writes [`Doc`]s and diagnostics. What a document means is left to its readers.

mod anchors;
mod direct;
mod doc;
mod events;
mod fault;
mod index;
mod json;
pub mod jsonpath;
mod lines;
mod merge;
mod parse;
mod pointer;
mod scalar;
mod scan;
mod token;
mod tree;
mod yaml;

pub use doc::{Doc, DocBuilder, DocId, DocSet, Kind, NodeId, NodeRef, Value};
pub use index::MemberIndex;
pub use parse::{Parsed, Syntax, parse, parse_all};
pub use pointer::{escape_token, parse_pointer};
pub use tree::{EditError, Origin, Tree, TreeId};
