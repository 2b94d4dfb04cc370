//! What manifests may call an operation: its id, or `<namespace>.<resource path>.<method>`.
//!
//! Reads operations and the resource tree; writes look-up tables.

use std::collections::BTreeMap;

use base::{Id, Sym};
use tungsten_ir::{Ir, OpId, OpKind, OpStatus};

/// The names of the operations of an API.
pub(crate) struct Names {
    ops: BTreeMap<String, OpId>,
    /// By operation: `<namespace>.<resource path>`; nothing for one outside of the tree.
    resources: Vec<Option<String>>,
}

impl Names {
    pub(crate) fn of(ir: &Ir) -> Self {
        let name = |sym: Sym| ir.names.resolve(sym);
        let mut ops = BTreeMap::new();
        let mut resources = vec![None; ir.ops.rows.len()];
        let paths: Vec<String> = ir.resources.rows.ids().map(|resource| resource_path(ir, resource)).collect();
        for id in ir.ops.rows.ids() {
            let (Some(resource), Some(method)) = (ir.op_resource[id], ir.op_name[id]) else { continue };
            let path = &paths[resource.index()];
            ops.entry(format!("{path}.{}", name(method))).or_insert(id);
            resources[id.index()] = Some(path.clone());
        }
        // An id wins over a path of another operation.
        ops.extend(ir.ops.rows.iter().map(|(id, op)| (name(op.id).to_owned(), id)));
        Self { ops, resources }
    }

    pub(crate) fn op(&self, name: &str) -> Option<OpId> {
        self.ops.get(name).copied()
    }

    /// The name that is nearest to one that no operation has. Of very many names only likely ones are compared.
    pub(crate) fn near(&self, name: &str) -> Option<&str> {
        let slack = (name.chars().count() / 3).max(1);
        let last = |name: &str| name.rsplit('.').next().and_then(|word| word.chars().next());
        let is_likely = |other: &&str| other.len().abs_diff(name.len()) <= slack && last(other) == last(name);
        let all = || self.ops.keys().map(String::as_str);
        base::suggest::nearest(name, all().filter(is_likely)).or_else(|| base::suggest::nearest(name, all()))
    }

    /// Whether the operation lies below `<namespace>` or `<namespace>.<resource path>`.
    pub(crate) fn is_below(&self, op: OpId, prefix: &str) -> bool {
        let path = self.resources[op.index()].as_deref().unwrap_or_default();
        path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// `<namespace>.<resource>.<child>`
fn resource_path(ir: &Ir, resource: tungsten_ir::ResourceId) -> String {
    let mut parts = Vec::new();
    let mut at = Some(resource);
    while let Some(resource) = at {
        let row = &ir.resources.rows[resource];
        parts.push(ir.names.resolve(row.name));
        at = row.parent;
        if at.is_none() {
            parts.push(ir.names.resolve(ir.namespaces[row.namespace].name));
        }
    }
    parts.reverse();
    parts.join(".")
}

/// Whether an SDK has a method for the operation.
pub(crate) fn is_callable(ir: &Ir, op: OpId) -> bool {
    let row = &ir.ops.rows[op];
    row.kind == OpKind::Call && row.status == OpStatus::Implemented
}
