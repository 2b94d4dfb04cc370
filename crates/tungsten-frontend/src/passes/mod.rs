//! Passes over the filled tables: each reads them and writes one column or one kind of row.

mod alias_circles;
mod cycles;
mod errors;
mod fields;
mod gates;
mod method_names;
mod names;
mod page_checks;
mod page_rules;
mod pagination;
mod paths;
mod prune;
mod recursion;
mod resources;
mod roles;
mod rpc;
mod safety;
mod streams;
mod union_keys;
mod union_strategy;

use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Diags, Id, Place};
use base_doc::NodeRef;
use tungsten_ir::{Ir, OpId};

use crate::findings::Findings;

pub(crate) use alias_circles::alias_circles;
pub(crate) use cycles::break_cycles;
pub(crate) use errors::errors;
pub(crate) use fields::fields;
pub(crate) use gates::gates;
pub(crate) use names::numbered;
pub(crate) use pagination::pagination;
pub(crate) use prune::{LentName, prune};
pub(crate) use recursion::{name_circles, recursion};
pub(crate) use resources::resources;
pub(crate) use roles::roles;
pub(crate) use rpc::rpc;
pub(crate) use safety::safety;
pub(crate) use streams::stream_flags;
pub(crate) use union_strategy::union_strategy;

/// Where passes over operations report: at the operation, or at an entry of the manifest.
pub(crate) struct Reports<'a> {
    /// By operation: where it stands.
    pub(crate) ops: &'a [NodeRef],
    pub(crate) findings: &'a mut Findings,
    pub(crate) diags: &'a mut Diags,
}

impl Reports<'_> {
    pub(crate) fn at_op(&mut self, op: OpId, code: Code, message: impl Into<String>) {
        self.findings.report(code, self.ops[op.index()], message);
    }

    /// Reports an entry of the manifest that is about an operation which there is not.
    pub(crate) fn unknown_operation(&mut self, ir: &Ir, name: &str, place: &Place) {
        let message = format!("no operation has the id {}", quoted(name));
        let known = ir.ops.rows.iter().map(|(_, op)| ir.names.resolve(op.id));
        self.diags.report(Code::TG0603, place.clone(), message).help = did_you_mean(name, known);
    }

    pub(crate) fn at_place(&mut self, place: &Place, code: Code, message: impl Into<String>) {
        self.diags.report(code, place.clone(), message);
    }
}
