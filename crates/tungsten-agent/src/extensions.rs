//! The `x-agent-*` extensions of operations.
//!
//! Reads the extensions that the IR lists, and their values in the documents; writes entries as `tools` has them and
//! findings: TG0610 for a name without a meaning, TG0611 for a value of the wrong shape.

use base::diag::quoted;
use base::{Code, Id, Place};
use base_doc::{DocId, DocSet, NodeId, NodeRef, Value, escape_token};
use tungsten_ir::{Literal, OpId, OpKind};
use tungsten_manifest::{EXTENSIONS, Tool, read_extension};

use crate::cx::{Cx, did_you_mean};

const PREFIX: &str = "x-agent-";

/// The extension of schemas and parameters.
const SENSITIVE: &str = "x-agent-sensitive";

/// Whether any document has such an extension somewhere.
pub(crate) fn are_there(docs: &DocSet) -> bool {
    docs.keys.iter().any(|key| key.starts_with(PREFIX))
}

/// What the extensions of each operation say, by operation.
pub(crate) fn read(docs: &DocSet, cx: &mut Cx<'_>) -> Vec<(OpId, Tool)> {
    let mut found = Vec::new();
    if !are_there(docs) {
        return found;
    }
    for id in cx.ir.ops.rows.ids() {
        let op = cx.ir.ops.rows[id];
        let is_ours = |row: &&tungsten_ir::Extension| cx.ir.names.resolve(row.name).starts_with(PREFIX);
        let rows: Vec<_> = cx.ir.ops.extensions.slice(op.extensions).iter().filter(is_ours).copied().collect();
        if rows.is_empty() || op.kind != OpKind::Call {
            continue;
        }
        let pointer = op.origin.pointer.map_or("", |text| cx.ir.texts.get(text).untrusted()).to_owned();
        let place = Place::at(op.origin.source, pointer.clone(), (op.origin.offset, op.origin.offset));
        let mut tool = Tool::about(cx.ir.names.resolve(op.id), place);
        for row in rows {
            let value = value(docs, row.value);
            if !read_extension(&mut tool, value, &pointer, cx.diags) {
                report_unknown(value, &pointer, cx);
            }
        }
        found.push((id, tool));
    }
    found
}

fn value(docs: &DocSet, literal: Literal) -> Value<'_> {
    docs.value(NodeRef {
        doc: DocId::from_index(literal.doc as usize),
        node: NodeId::from_index(literal.node as usize),
    })
}

fn report_unknown(value: Value<'_>, pointer: &str, cx: &mut Cx<'_>) {
    let name = value.key_text().unwrap_or_default();
    let help = if name == SENSITIVE {
        Some("put it on the properties of a schema, or on parameters".to_owned())
    } else {
        did_you_mean(name, EXTENSIONS)
    };
    let place = Place::at(value.source_id(), format!("{pointer}/{}", escape_token(name)), value.key_range());
    let message = format!("{} is no extension of operations; it is ignored", quoted(name));
    cx.report(Code::TG0610, &place, message).help = help;
}
