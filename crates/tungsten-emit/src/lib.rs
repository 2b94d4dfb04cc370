//! What every target shares: the contract, the plan, escapers, the text writer with its layout and imports, the file
//! header, target options.
//!
//! Reads the IR; writes nothing itself: emitters return [`base::Files`]. Spellings of one language beyond its escapes
//! belong to that language's emitter.

#![deny(clippy::disallowed_methods)]

pub mod contract;
pub mod escape;
pub mod header;
pub mod imports;
pub mod lang;
pub mod layout;
pub mod options;
mod plan;
pub mod text;
pub mod writer;

pub use contract::{Input, Output, is_created_once};
pub use header::{Header, HeaderInput};
pub use imports::Imports;
pub use lang::Lang;
pub use layout::Doc;
pub use options::{Grammar, OptionKind, OptionRow, OptionTable, OptionValue, Options, RawOption};
pub use plan::*;
pub use text::Text;
pub use writer::{DocComment, DocTag, Writer};
