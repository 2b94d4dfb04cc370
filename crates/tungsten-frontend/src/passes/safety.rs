//! Safety tiers and idempotency as the description alone implies them: by the method, and by a required key header.
//!
//! Reads methods and parameters; writes `safety` and `idempotency`. What a project decides instead comes later.

use tungsten_ir::{Ir, Safety, implied_idempotency, implied_safety};

pub(crate) fn safety(ir: &mut Ir) {
    for id in ir.ops.rows.ids() {
        let op = ir.ops.rows[id];
        let tier = implied_safety(ir, op.method);
        ir.safety.set(id, tier);
        if tier != Safety::ReadOnly
            && let Some(policy) = implied_idempotency(ir, &op)
        {
            ir.idempotency.set(id, policy);
        }
    }
}
