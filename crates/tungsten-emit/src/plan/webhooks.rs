//! What the API sends by itself: webhooks and callbacks, and which body of each an SDK reads.
//!
//! Reads operations; writes `plan.webhooks`. A receiver answers with statuses, so only bodies matter.

use tungsten_ir::{ContentId, Encoding, Ir, OpId, OpKind};

/// A request that the API sends.
#[derive(Clone, Copy, Debug)]
pub struct Webhook {
    /// A webhook or a callback.
    pub op: OpId,
    /// The body that is read: the first JSON one, else the first; nothing for a request without a body.
    pub content: Option<ContentId>,
    pub required: bool,
}

/// Callbacks first, as operations have them.
pub(super) fn webhooks(ir: &Ir) -> Vec<Webhook> {
    let sent = ir.ops.rows.iter().filter(|(_, op)| op.kind != OpKind::Call);
    let row = sent.map(|(id, op)| {
        let body = op.body.map(|body| &ir.ops.bodies[body]);
        let contents = || body.iter().flat_map(|body| body.contents);
        let json = contents().find(|id| ir.ops.contents[*id].encoding == Encoding::Json);
        let content = json.or_else(|| contents().next());
        Webhook { op: id, content, required: body.is_some_and(|body| body.required) }
    });
    row.collect()
}
