//! Judges JSON values by types of the IR: the mock server's requests and answers, and what a runtime's validators say about
//! values is tested against this.
//!
//! Reads types, their rules and a value, of `serde_json` or of a document; answers with the first thing that is wrong.
//! Nothing is sent, changed or filled in here. Depth and work are bounded, whatever the types and the value are.

mod check;
mod decimal;
mod equal;
mod formats;
mod instance;
mod numbers;
mod pattern;
mod rules;

use base::Id;
use std::sync::OnceLock;

use tungsten_ir::{BoundsId, Ir, RulePatternId, TypeId};

pub use decimal::Decimal;
pub use instance::Json;
pub use numbers::problem as number_problem;
pub use pattern::{Pattern, translate};

/// How values are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    pub reading: Reading,
    /// Without a direction all required members must be there.
    pub direction: Option<Direction>,
    /// Whether formats are more than annotations (JSON Schema 2020-12 validation, section 7.2).
    pub formats: bool,
}

/// What a description is taken to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// What JSON Schema says about it, to the letter.
    Strict,
    /// What its authors mean: types as languages have them. The schemas of an `allOf` are one type, and `additionalProperties`
    /// is about the members of all of them; a schema with `properties` is an object; of `oneOf` any variant will do.
    Practical,
}

/// Which way a value travels: read-only members need not be sent, write-only ones do not come back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Request,
    Response,
}

/// The first thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem(Box<Parts>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Parts {
    /// Steps to the value, the innermost first.
    steps: Vec<String>,
    what: String,
}

impl Problem {
    pub fn new(what: impl Into<String>) -> Self {
        Self(Box::new(Parts { steps: Vec::new(), what: what.into() }))
    }

    /// The same below a member or an item.
    #[must_use]
    pub fn at(mut self, step: impl Into<String>) -> Self {
        self.0.steps.push(step.into());
        self
    }

    /// `<where> <what>`, for people.
    pub fn text(&self, root: &str) -> String {
        let mut path = root.to_owned();
        for step in self.0.steps.iter().rev() {
            path.push('.');
            path.push_str(step);
        }
        format!("{path} {}", self.0.what)
    }

    /// RFC 6901 pointer to the value that is wrong.
    pub fn pointer(&self) -> String {
        let escaped = |step: &String| format!("/{}", step.replace('~', "~0").replace('/', "~1"));
        self.0.steps.iter().rev().map(escaped).collect()
    }
}

/// The patterns of an IR, each compiled when it is first asked.
#[derive(Debug)]
pub struct Patterns {
    of_bounds: Vec<OnceLock<Option<Pattern>>>,
    of_names: Vec<OnceLock<Option<Pattern>>>,
}

impl Patterns {
    pub fn new(ir: &Ir) -> Self {
        let locks = |n_rows: usize| (0..n_rows).map(|_| OnceLock::new()).collect();
        Self { of_bounds: locks(ir.types.bounds.len()), of_names: locks(ir.types.rules.patterns.len()) }
    }

    /// The pattern of some bounds; nothing when they have none, or one that this engine cannot match, which accepts all.
    pub fn of_bounds(&self, ir: &Ir, bounds: BoundsId) -> Option<&Pattern> {
        let text = ir.types.bounds[bounds].pattern?;
        self.of_bounds[bounds.index()].get_or_init(|| Pattern::new(ir.text(text).untrusted())).as_ref()
    }

    /// The pattern of some members' names.
    pub(crate) fn of_names(&self, ir: &Ir, id: RulePatternId) -> Option<&Pattern> {
        let (text, _) = ir.types.rules.patterns[id];
        self.of_names[id.index()].get_or_init(|| Pattern::new(ir.text(text).untrusted())).as_ref()
    }
}

/// Judges a value. `patterns` are those of the same IR.
///
/// A value that takes more than two million looks at types, or goes deeper than 560 of them, is refused for that.
pub fn check<'v, V: Json<'v>>(
    ir: &Ir,
    patterns: &Patterns,
    ty: TypeId,
    value: V,
    options: Options,
) -> Result<(), Problem> {
    check::Checker::new(ir, patterns, options).whole(ty, value)
}
