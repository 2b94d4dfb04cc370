//! Safety tiers and idempotency as the description implies them, before an agent manifest has its say.
//!
//! Reads methods and parameters; writes `safety` and `idempotency`. A required key header on an operation with side
//! effects means that callers own the key.

use tungsten_ir::{Format, Idempotency, Ir, KeyFormat, Op, Param, Policy, Role, Safety, Shape};

pub(crate) fn safety(ir: &mut Ir) {
    for id in ir.ops.rows.ids() {
        let op = ir.ops.rows[id];
        let tier = Safety::of_method(op.method);
        ir.safety.set(id, tier);
        if tier != Safety::ReadOnly
            && let Some(policy) = key_policy(ir, &op)
        {
            ir.idempotency.set(id, policy);
        }
    }
}

fn key_policy(ir: &Ir, op: &Op) -> Option<Idempotency> {
    let params = ir.ops.params.slice(op.params);
    let key = params.iter().find(|param| param.role == Role::IdempotencyKey && param.required)?;
    Some(Idempotency {
        policy: Policy::CallerOwned,
        header: Some(key.name),
        format: is_inline_uuid(ir, key).then_some(KeyFormat::Uuid),
        persist_required: true,
    })
}

fn is_inline_uuid(ir: &Ir, param: &Param) -> bool {
    let ty = &ir.types.rows[param.ty];
    ty.name.is_none() && ty.shape == Shape::String { format: Some(Format::Uuid) }
}
