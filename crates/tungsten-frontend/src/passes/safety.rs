//! Safety tiers and idempotency: what the agent manifest says, else what the description implies.
//!
//! Reads methods, parameters, the resource tree and the manifest's rules; writes `safety` and `idempotency`, and the role
//! of a header that a rule makes the key's. A required key header on an operation with side effects means that callers
//! own the key. Precedence: the operation's own rule, what is inferred, the manifest's defaults, the method.

use base::diag::quoted;
use base::{Code, Sym};
use tungsten_ir::{Format, Idempotency, Ir, KeyFormat, Location, Method, Op, OpId, Param, Policy, Role, Safety, Shape};

use super::Reports;
use crate::lookup::Map;
use crate::overrides::{AgentRules, KeyRule, ToolRule};

pub(crate) fn safety(ir: &mut Ir, rules: &AgentRules, reports: &mut Reports<'_>) {
    let tools = tools(ir, &rules.tools, reports);
    for id in ir.ops.rows.ids() {
        let op = ir.ops.rows[id];
        let tool = tools.get(&id);
        let of_method = rules.tiers.iter().find(|(method, _)| *method == op.method).map(|(_, tier)| *tier);
        let stated = tool.and_then(|tool| tool.safety).or(of_method);
        let tier = stated.unwrap_or_else(|| tier_of(ir, op.method));
        ir.safety.set(id, tier);
        let own = tool.and_then(|tool| tool.idempotency.as_ref());
        let default = rules.idempotency.as_ref().filter(|_| tier != Safety::ReadOnly);
        let inferred = if tier == Safety::ReadOnly { None } else { key_policy(ir, &op) };
        let policy = match (own, inferred, default) {
            (Some(rule), ..) | (None, None, Some(rule)) => Some(stated_policy(ir, &op, rule)),
            (None, inferred, _) => inferred,
        };
        if let Some(policy) = policy {
            ir.idempotency.set(id, policy);
        }
    }
}

/// Methods that OpenAPI has no key for and that are registered as safe (RFC 9110, section 16.1.2).
const SAFE_METHODS: [&str; 4] = ["PRI", "PROPFIND", "REPORT", "SEARCH"];

/// The tier of a method for which nothing is stated.
fn tier_of(ir: &Ir, method: Method) -> Safety {
    match method {
        Method::Other(name) if SAFE_METHODS.contains(&ir.names.resolve(name)) => Safety::ReadOnly,
        _ => Safety::of_method(method),
    }
}

/// The rules by operation; an entry that names none is reported.
fn tools<'r>(ir: &Ir, rules: &'r [ToolRule], reports: &mut Reports<'_>) -> Map<OpId, &'r ToolRule> {
    let mut found: Map<OpId, &ToolRule> = Map::default();
    if rules.is_empty() {
        return found;
    }
    let names = references(ir);
    for rule in rules {
        let Some(&op) = names.get(&rule.operation) else {
            let message = format!("no operation is {}", quoted(&rule.operation));
            let near = base::suggest::nearest(&rule.operation, sorted(&names));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            reports.diags.report(Code::TG0603, rule.place.clone(), message).help = help;
            continue;
        };
        if let Some(first) = found.get(&op) {
            let message = format!("two entries are about the operation {}", quoted(&rule.operation));
            let place = first.place.clone();
            let diagnostic = reports.diags.report(Code::TG0603, rule.place.clone(), message);
            diagnostic.help = Some("put all of it into one".to_owned());
            diagnostic.related.push((place, "the first, which is used".to_owned()));
            continue;
        }
        found.insert(op, rule);
    }
    found
}

/// Operations by all that a manifest may call them: their ids, and `<namespace>.<resource path>.<method>`.
fn references(ir: &Ir) -> Map<String, OpId> {
    let name = |sym: Sym| ir.names.resolve(sym);
    let mut names: Map<String, OpId> = Map::default();
    for (id, _) in ir.ops.rows.iter() {
        let (Some(resource), Some(method)) = (ir.op_resource[id], ir.op_name[id]) else { continue };
        let mut parts = vec![name(method)];
        let mut at = Some(resource);
        while let Some(resource) = at {
            let row = &ir.resources.rows[resource];
            parts.push(name(row.name));
            at = row.parent;
            if at.is_none() {
                parts.push(name(ir.namespaces[row.namespace].name));
            }
        }
        parts.reverse();
        names.entry(parts.join(".")).or_insert(id);
    }
    // An id wins over a path of another operation.
    names.extend(ir.ops.rows.iter().map(|(id, op)| (name(op.id).to_owned(), id)));
    names
}

/// The names in an order that does not depend on the map's.
fn sorted(names: &Map<String, OpId>) -> impl Iterator<Item = &str> + Clone {
    let mut all: Vec<&str> = names.keys().map(String::as_str).collect();
    all.sort_unstable();
    all.into_iter()
}

fn stated_policy(ir: &mut Ir, op: &Op, rule: &KeyRule) -> Idempotency {
    let header = rule.header.as_deref().map(|header| ir.names.intern(header));
    let is_keyed = matches!(rule.policy, Policy::Auto | Policy::CallerOwned | Policy::ContentHash);
    let own = op.params.iter().find(|id| ir.ops.params[*id].role == Role::IdempotencyKey);
    let key = match header.filter(|_| is_keyed) {
        Some(header) => op.params.iter().find(|id| is_header(ir, &ir.ops.params[*id], header)),
        None => own,
    };
    if let Some(own) = own.filter(|_| is_keyed && header.is_some() && key != own) {
        // Another header carries the key: this one is the caller's to give.
        ir.ops.params[own].role = Role::Plain;
    }
    if let Some(id) = key.filter(|_| is_keyed) {
        // What carries the key is no argument besides.
        ir.ops.params[id].role = Role::IdempotencyKey;
        ir.ops.params[id].constant = None;
    }
    Idempotency {
        policy: rule.policy,
        header: header.or(key.filter(|_| is_keyed).map(|id| ir.ops.params[id].name)),
        format: rule.format,
        persist_required: rule.persist_required,
    }
}

fn is_header(ir: &Ir, param: &Param, name: Sym) -> bool {
    param.location == Location::Header && ir.names.resolve(param.name).eq_ignore_ascii_case(ir.names.resolve(name))
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
