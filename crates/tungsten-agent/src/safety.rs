//! Safety tiers and idempotency policies.
//!
//! Reads what is stated about operations and methods; writes `safety` and `idempotency`, and the role of a header that
//! a rule makes the key's. Precedence: the operation's own rule, what the description implies, the defaults, the
//! method.

use tungsten_ir::{
    Idempotency, KeyFormat, Method, Op, OpId, Policy, Role, Safety, implied_idempotency, implied_safety, is_header,
};
use tungsten_manifest::{Defaults, Idempotency as Rule, MethodTiers};

use crate::cx::Cx;
use crate::tools::Tools;

pub(crate) fn safety(defaults: &Defaults, tools: &Tools, cx: &mut Cx<'_>) {
    for id in cx.ir.ops.rows.ids() {
        let op = cx.ir.ops.rows[id];
        let tool = tools.get(id);
        let stated = tool.and_then(|tool| tool.safety.as_deref()).or_else(|| of_method(&defaults.safety, op.method));
        let tier = stated.and_then(tier).unwrap_or_else(|| implied_safety(cx.ir, op.method));
        cx.ir.safety.set(id, tier);
        let policy = policy(id, &op, tier, tool.and_then(|tool| tool.idempotency.as_ref()), defaults, cx);
        cx.ir.idempotency.set(id, policy);
    }
}

fn policy(id: OpId, op: &Op, tier: Safety, own: Option<&Rule>, defaults: &Defaults, cx: &mut Cx<'_>) -> Idempotency {
    if let Some(rule) = own {
        return stated_policy(op, rule, cx);
    }
    if tier == Safety::ReadOnly {
        return Idempotency::default();
    }
    match (implied_idempotency(cx.ir, &cx.ir.ops.rows[id]), &defaults.idempotency) {
        (Some(implied), _) => implied,
        (None, Some(rule)) => stated_policy(op, rule, cx),
        (None, None) => Idempotency::default(),
    }
}

fn of_method(tiers: &MethodTiers, method: Method) -> Option<&str> {
    let tier = match method {
        Method::Get => &tiers.get,
        Method::Put => &tiers.put,
        Method::Post => &tiers.post,
        Method::Delete => &tiers.delete,
        Method::Options => &tiers.options,
        Method::Head => &tiers.head,
        Method::Patch => &tiers.patch,
        Method::Trace => &tiers.trace,
        // The manifest has no key for other methods.
        Method::Query | Method::Other(_) => return None,
    };
    tier.as_deref()
}

/// The tier of a name; the manifest lets no other words through.
pub(crate) fn tier(name: &str) -> Option<Safety> {
    Safety::ALL.into_iter().find(|tier| tier.name() == name)
}

fn stated_policy(op: &Op, rule: &Rule, cx: &mut Cx<'_>) -> Idempotency {
    let rule = &rule.0;
    let policy = Policy::ALL.into_iter().find(|policy| policy.name() == &*rule.policy).unwrap_or_default();
    let is_keyed = matches!(policy, Policy::Auto | Policy::CallerOwned | Policy::ContentHash);
    let header = rule.header.as_deref().filter(|_| is_keyed);
    let own = op.params.iter().find(|id| cx.ir.ops.params[*id].role == Role::IdempotencyKey);
    let key = match header {
        Some(header) => op.params.iter().find(|id| is_header(cx.ir, &cx.ir.ops.params[*id], header)),
        None => own.filter(|_| is_keyed),
    };
    if let Some(own) = own.filter(|_| header.is_some() && key != own) {
        // Another header carries the key: this one is the caller's to give.
        cx.ir.ops.params[own].role = Role::Plain;
    }
    if let Some(id) = key {
        // What carries the key is no argument besides.
        cx.ir.ops.params[id].role = Role::IdempotencyKey;
        cx.ir.ops.params[id].constant = None;
    }
    let header = header.map(|header| cx.sym(header));
    Idempotency {
        policy,
        header: header.or(key.map(|id| cx.ir.ops.params[id].name)),
        format: rule.format.as_deref().and_then(KeyFormat::parse),
        persist_required: rule.persist.as_deref() == Some("required"),
        note: cx.maybe_text(rule.note.as_deref()),
    }
}
