//! What YAML's anchors name, and the copies that aliases make of it, within the budget.
//!
//! Both readers of YAML number their anchors here, from 1. Reads and extends the tree that a [`DocBuilder`] holds.

use base::limits;

use crate::doc::{Content, DocBuilder, TextRange};
use crate::fault::Fault;

/// What an anchor names.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    /// A container that is not ended: an alias to it would contain itself.
    Open,
    /// A container that is complete, by its row.
    Container(u32),
    /// A scalar or a key, and its text as a key.
    Scalar(Content, TextRange),
}

/// The anchors of one document.
#[derive(Default)]
pub(crate) struct Anchors {
    list: Vec<Anchor>,
    /// Rows that aliases added.
    n_copied: usize,
}

impl Anchors {
    /// The number of a further anchor.
    pub(crate) fn add(&mut self) -> usize {
        self.list.push(Anchor::Open);
        self.list.len()
    }

    /// Says what anchor `number` names. 0 is no anchor.
    pub(crate) fn set(&mut self, number: usize, anchor: Anchor) {
        if number == 0 {
            return;
        }
        if number > self.list.len() {
            self.list.resize(number, Anchor::Open);
        }
        self.list[number - 1] = anchor;
    }

    pub(crate) fn get(&self, number: usize) -> Anchor {
        number.checked_sub(1).and_then(|index| self.list.get(index)).copied().unwrap_or(Anchor::Open)
    }

    /// Adds to the tree what an alias stands for, which is written at `range`.
    pub(crate) fn copy(&mut self, builder: &mut DocBuilder, number: usize, range: (usize, usize)) -> Result<(), Fault> {
        let anchor = self.get(number);
        let (n_rows, height) = match anchor {
            Anchor::Open => return Err(contains_itself(builder, range)),
            Anchor::Scalar(..) => (1, 0),
            Anchor::Container(row) => builder.size(row),
        };
        let n_read = builder.len() - self.n_copied;
        let most = n_read * limits::ALIAS_NODES_FACTOR + limits::ALIAS_NODES_BASE;
        if builder.len() + n_rows > most {
            let message = format!("aliases make more than {most} values of the {n_read} that are written up to here");
            let help = "an alias counts as a copy of all that it stands for: `$ref` a schema instead of repeating it";
            return Err(Fault::budget(range, message).help(help));
        }
        if builder.depth() + height > limits::DEPTH {
            return Err(Fault::too_deep(range));
        }
        self.n_copied += n_rows;
        match anchor {
            Anchor::Container(row) => builder.copy(row, range.0 as u32),
            Anchor::Scalar(content, _) => builder.scalar(range.0 as u32, content),
            Anchor::Open => {}
        }
        Ok(())
    }
}

/// The alias at `range` stands in the value that it names.
pub(crate) fn contains_itself(builder: &DocBuilder, range: (usize, usize)) -> Fault {
    let text = builder.doc_so_far().source().text().unwrap_or_default();
    let name = base::diag::quoted(&text[range.0..range.1]);
    Fault::syntax(range, format!("the alias {name} stands inside the value that it names"))
}
