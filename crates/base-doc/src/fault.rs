//! What ends the reading of a document: one syntax error or one exceeded budget.
//!
//! The parsers make faults; `parse` turns them into diagnostics with a pointer.

use base::{Code, limits};

#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: Code,
    /// Bytes of the source.
    pub(crate) range: (usize, usize),
    pub(crate) message: String,
    pub(crate) help: Option<&'static str>,
}

impl Fault {
    pub(crate) fn syntax(range: (usize, usize), message: impl Into<String>) -> Self {
        Self { code: Code::TG0102, range, message: message.into(), help: None }
    }

    pub(crate) fn budget(range: (usize, usize), message: impl Into<String>) -> Self {
        Self { code: Code::TG0105, ..Self::syntax(range, message) }
    }

    pub(crate) fn too_deep(range: (usize, usize)) -> Self {
        Self::budget(range, format!("values are nested more than {} levels deep", limits::DEPTH))
            .help("move the inner parts to `components/schemas`, or to a file of their own, and `$ref` them")
    }

    pub(crate) fn help(mut self, help: &'static str) -> Self {
        self.help = Some(help);
        self
    }
}
