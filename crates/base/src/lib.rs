//! What every other crate stands on.
//!
//! Typed ids and the tables they index, the interner, text that came from an input, sources and positions,
//! diagnostics with their registry, output files and digests. Reads files only in [`source`].

pub mod codes;
pub mod diag;
pub mod digest;
pub mod files;
pub mod ids;
pub mod intern;
pub mod limits;
pub mod source;
pub mod suggest;
pub mod table;
pub mod text;

pub use codes::Code;
pub use diag::{Diagnostic, Diags, Place, Severity};
pub use files::{Files, RelPath};
pub use ids::Id;
pub use intern::{Interner, Sym};
pub use source::{Source, SourceId, Sources};
pub use table::{Column, Span, Table};
pub use text::{SpecText, TextId, TextPool};
