//! What operations describe and the runtime cannot send: it has `fetch` to send with (TG0714).
//!
//! Reads the operations that are emitted; writes diagnostics at their places. The runtime refuses such calls by itself.

use base::diag::quoted;
use base::{Code, Diags, Place};
use tungsten_emit::Plan;
use tungsten_ir::{Content, Encoding, Ir, Method, Op, PartId};

/// Methods that the Fetch standard refuses, whatever their capitals.
const REFUSED: [&str; 3] = ["CONNECT", "TRACE", "TRACK"];

pub(crate) fn report(ir: &Ir, plan: &Plan, diags: &mut Diags) {
    for call in plan.calls.rows() {
        let op = &ir.ops.rows[call.op];
        let mut findings = Vec::new();
        let method = op.method.name(&ir.names);
        if REFUSED.iter().any(|refused| method.eq_ignore_ascii_case(refused)) {
            findings.push(format!("`fetch` refuses the method {}; a call fails", quoted(method)));
        }
        if let Some(body) = &call.body {
            let has_none = matches!(op.method, Method::Get | Method::Head);
            if has_none && body.required {
                findings.push(format!(
                    "`fetch` sends no body with {}, which the operation needs; a call fails",
                    quoted(method)
                ));
            }
            part_findings(ir, &ir.ops.contents[body.content], &mut findings);
        }
        for message in findings {
            diags.report(Code::TG0714, place(op), message);
        }
    }
}

fn part_findings(ir: &Ir, content: &Content, findings: &mut Vec<String>) {
    if content.encoding != Encoding::Multipart {
        return;
    }
    let ids = content.parts.named.iter().chain(content.parts.prefix).chain(content.parts.item);
    for part in ids.map(|id: PartId| &ir.ops.parts[id]) {
        let required = ir.ops.headers.slice(part.headers).iter().find(|header| header.required);
        if let Some(header) = required {
            let name = quoted(ir.names.resolve(header.name));
            findings.push(format!("a part of the body needs the header {name}, which is not sent"));
        }
        if part.parts != tungsten_ir::Parts::default() {
            findings.push("a part of the body has parts itself, which are written as one".to_owned());
        }
    }
}

fn place(op: &Op) -> Place {
    Place::at(op.origin.source, "", (op.origin.offset, op.origin.offset))
}
