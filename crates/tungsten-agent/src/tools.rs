//! What is said about single operations: the manifest's entries over the operations' extensions, key by key.
//!
//! Reads `tools` and extensions; writes one entry an operation, and findings (TG0603) about entries without one.

use base::diag::quoted;
use base::{Code, Id};
use base_doc::DocSet;
use tungsten_ir::OpId;
use tungsten_manifest::{AgentManifest, Tool};

use crate::cx::Cx;
use crate::extensions;

/// One entry an operation at most.
pub(crate) struct Tools {
    by_op: Vec<Option<Box<Tool>>>,
}

impl Tools {
    pub(crate) fn get(&self, op: OpId) -> Option<&Tool> {
        self.by_op[op.index()].as_deref()
    }

    /// All entries, in the order of the operations.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (OpId, &Tool)> {
        let entries = self.by_op.iter().enumerate();
        entries.filter_map(|(index, tool)| Some((OpId::from_index(index), tool.as_deref()?)))
    }
}

pub(crate) fn gather(manifest: &AgentManifest, docs: &DocSet, cx: &mut Cx<'_>) -> Tools {
    let mut by_op: Vec<Option<Box<Tool>>> = vec![None; cx.ir.ops.rows.len()];
    for (op, tool) in extensions::read(docs, cx) {
        by_op[op.index()] = Some(Box::new(tool));
    }
    let mut stated: Vec<Option<&Tool>> = vec![None; by_op.len()];
    for tool in &manifest.tools {
        let Some(op) = cx.op(&tool.operation) else { continue };
        if let Some(first) = stated[op.index()] {
            let message = format!("two entries are about the operation {}", quoted(&tool.operation));
            let place = first.operation.place.clone();
            let diagnostic = cx.report(Code::TG0603, &tool.operation.place, message);
            diagnostic.help = Some("put all of it into one".to_owned());
            diagnostic.related.push((place, "the first, which is used".to_owned()));
            continue;
        }
        stated[op.index()] = Some(tool);
        let slot = &mut by_op[op.index()];
        let extensions = slot.take().map(|tool| *tool);
        *slot = Some(Box::new(over(tool, extensions)));
    }
    Tools { by_op }
}

/// The manifest's entry, completed by what extensions say.
fn over(manifest: &Tool, extensions: Option<Tool>) -> Tool {
    let mut tool = manifest.clone();
    let Some(Tool { safety, idempotency, preview, confirmation, verify, remediation, cluster, .. }) = extensions else {
        return tool;
    };
    tool.safety = tool.safety.or(safety);
    tool.idempotency = tool.idempotency.or(idempotency);
    tool.preview = tool.preview.or(preview);
    tool.confirmation = tool.confirmation.or(confirmation);
    tool.verify = tool.verify.or(verify);
    tool.remediation.complete(remediation);
    tool.cluster = tool.cluster.or(cluster);
    tool
}
