//! What a description implies about effects and repeats: a tier by the method; a required key header means that callers
//! own the key.
//!
//! Reads methods and parameters; writes nothing. Whether the implication holds (a read needs no key) is the caller's to
//! say.

use crate::{Format, Idempotency, Ir, KeyFormat, Location, Method, Op, Param, Policy, Role, Safety, Shape};

/// Methods that OpenAPI has no key for and that are registered as safe (RFC 9110, section 16.1.2).
const SAFE_METHODS: [&str; 4] = ["PRI", "PROPFIND", "REPORT", "SEARCH"];

/// The tier of a method for which nothing is stated.
pub fn implied_safety(ir: &Ir, method: Method) -> Safety {
    match method {
        Method::Get | Method::Head | Method::Options | Method::Trace | Method::Query => Safety::ReadOnly,
        Method::Delete => Safety::Destructive,
        Method::Other(name) if SAFE_METHODS.contains(&ir.names.resolve(name)) => Safety::ReadOnly,
        Method::Put | Method::Post | Method::Patch | Method::Other(_) => Safety::Mutating,
    }
}

/// The policy that a required key header implies for an operation with side effects.
pub fn implied_idempotency(ir: &Ir, op: &Op) -> Option<Idempotency> {
    let params = ir.ops.params.slice(op.params);
    let key = params.iter().find(|param| param.role == Role::IdempotencyKey && param.required)?;
    Some(Idempotency {
        policy: Policy::CallerOwned,
        header: Some(key.name),
        format: is_inline_uuid(ir, key).then_some(KeyFormat::Uuid),
        persist_required: true,
        note: None,
    })
}

/// Whether a parameter is the header of a name, in any case (RFC 9110, section 5.1).
pub fn is_header(ir: &Ir, param: &Param, name: &str) -> bool {
    param.location == Location::Header && ir.names.resolve(param.name).eq_ignore_ascii_case(name)
}

fn is_inline_uuid(ir: &Ir, param: &Param) -> bool {
    let ty = &ir.types.rows[param.ty];
    ty.name.is_none() && ty.shape == Shape::String { format: Some(Format::Uuid) }
}
