//! Switches of the server that operations need: `x-runtime-gate`.
//!
//! Reads the extension of callable operations, the name of an environment variable or an object with `env_var`,
//! `default_on` and `disabled_status`; writes `gate` (TG0505). A malformed one is left out (TG0508).

use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Id};
use base_doc::{DocId, DocSet, Kind, NodeId, NodeRef, Value};
use tungsten_ir::{Gate, Ir, Literal, OpKind};

use super::Reports;

/// The extension that names a gate.
const EXTENSION: &str = "x-runtime-gate";

/// The members of its long form.
const MEMBERS: [&str; 3] = ["env_var", "default_on", "disabled_status"];

pub(crate) fn gates(ir: &mut Ir, docs: &DocSet, reports: &mut Reports<'_>) {
    let Some(extension) = ir.names.find(EXTENSION) else { return };
    for id in ir.ops.rows.ids() {
        let op = ir.ops.rows[id];
        let stated = ir.ops.extensions.slice(op.extensions).iter().find(|row| row.name == extension);
        let Some(value) = stated.filter(|_| op.kind == OpKind::Call).map(|row| value(docs, row.value)) else {
            continue;
        };
        match read(ir, value, reports) {
            Ok(gate) => {
                let message = format!(
                    "the operation needs {} to be on at the server; while it is off, the answer is {}",
                    quoted(ir.names.resolve(gate.env)),
                    gate.disabled_status
                );
                ir.gate.set(id, Some(gate));
                reports.at_op(id, Code::TG0505, message);
            }
            Err((at, why)) => {
                let message = format!("`{EXTENSION}` {why}; it is ignored");
                reports.findings.report(Code::TG0508, at, message);
            }
        }
    }
}

fn value(docs: &DocSet, literal: Literal) -> Value<'_> {
    let at = NodeRef { doc: DocId::from_index(literal.doc as usize), node: NodeId::from_index(literal.node as usize) };
    docs.value(at)
}

fn read(ir: &mut Ir, value: Value<'_>, reports: &mut Reports<'_>) -> Result<Gate, (NodeRef, String)> {
    if value.kind() != Kind::Object {
        let env = variable(value)?;
        return Ok(Gate { env: ir.names.intern(env), default_on: false, disabled_status: Gate::DISABLED_STATUS });
    }
    let mut gate: Option<&str> = None;
    let (mut default_on, mut disabled_status) = (false, Gate::DISABLED_STATUS);
    for member in value.children() {
        match member.key_text().unwrap_or_default() {
            "env_var" => gate = Some(variable(member)?),
            "default_on" => {
                default_on =
                    member.as_bool().ok_or((member.at(), "has a `default_on` that is no boolean".to_owned()))?;
            }
            "disabled_status" => disabled_status = status(member)?,
            other => {
                let message = format!("`{EXTENSION}` has no member {}; it is ignored", quoted(other));
                let help = did_you_mean(other, MEMBERS);
                reports.findings.report_key(Code::TG0508, member.at(), message).help = help;
            }
        }
    }
    let env = gate.ok_or((value.at(), "names no `env_var`".to_owned()))?;
    Ok(Gate { env: ir.names.intern(env), default_on, disabled_status })
}

fn variable(value: Value<'_>) -> Result<&str, (NodeRef, String)> {
    let is_name = |text: &str| {
        !text.starts_with(|c: char| c.is_ascii_digit())
            && !text.is_empty()
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let text = value.as_str().filter(|text| is_name(text));
    text.ok_or((value.at(), "does not name an environment variable".to_owned()))
}

fn status(value: Value<'_>) -> Result<u16, (NodeRef, String)> {
    let status = value.as_number().and_then(|text| text.parse().ok()).filter(|status| (400..600).contains(status));
    status.ok_or((value.at(), "has a `disabled_status` that is not between 400 and 599".to_owned()))
}
