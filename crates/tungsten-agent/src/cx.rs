//! What the passes of this crate carry along: the IR that they fill, the names of operations, and the findings.

use base::diag::quoted;
use base::{Code, Diagnostic, Diags, Place, Sym, TextId};
use tungsten_ir::{FieldPath, Ir, OpAgent, OpId};
use tungsten_manifest::OperationRef;

use crate::names::Names;

pub(crate) struct Cx<'a> {
    pub(crate) ir: &'a mut Ir,
    pub(crate) diags: &'a mut Diags,
    pub(crate) names: Names,
}

impl<'a> Cx<'a> {
    pub(crate) fn new(ir: &'a mut Ir, diags: &'a mut Diags) -> Self {
        let names = Names::of(ir);
        Self { ir, diags, names }
    }

    pub(crate) fn sym(&mut self, text: &str) -> Sym {
        self.ir.names.intern(text)
    }

    pub(crate) fn text(&mut self, text: &str) -> TextId {
        self.ir.texts.push(text)
    }

    pub(crate) fn maybe_text(&mut self, text: Option<&str>) -> Option<TextId> {
        text.map(|text| self.ir.texts.push(text))
    }

    /// The id of an operation, in backticks.
    pub(crate) fn op_name(&self, op: OpId) -> String {
        quoted(self.ir.names.resolve(self.ir.ops.rows[op].id))
    }

    /// Changes what is said about an operation.
    pub(crate) fn change(&mut self, op: OpId, change: impl FnOnce(&mut OpAgent)) {
        let mut row = self.ir.agent.ops[op];
        change(&mut row);
        self.ir.agent.ops.set(op, row);
    }

    /// A path from its names.
    pub(crate) fn path<'t>(&mut self, names: impl IntoIterator<Item = &'t str>) -> FieldPath {
        let steps: Vec<Sym> = names.into_iter().map(|name| self.ir.names.intern(name)).collect();
        self.ir.agent.path_steps.extend(steps)
    }

    pub(crate) fn report(&mut self, code: Code, place: &Place, message: impl Into<String>) -> &mut Diagnostic {
        self.diags.report(code, place.clone(), message)
    }

    /// The operation that a manifest names; one that there is not is reported.
    pub(crate) fn op(&mut self, reference: &OperationRef) -> Option<OpId> {
        let found = self.names.op(reference);
        if found.is_none() {
            let message = format!("no operation is {}", quoted(reference));
            let help = self.names.did_you_mean(reference);
            self.report(Code::TG0603, &reference.place, message).help = help;
        }
        found
    }
}
