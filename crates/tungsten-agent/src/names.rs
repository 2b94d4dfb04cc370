//! What manifests may call an operation: its id, or `<namespace>.<resource path>.<method>`.
//!
//! Reads operations and the resource tree; writes look-up tables. Resources and methods have a name in each language,
//! so the words of a path count and not their case: `orderItems`, `order_items` and `order-items` are one.

use std::collections::BTreeMap;

use base::suggest::did_you_mean;
use base::{Id, Sym};
use tungsten_ir::words::{Case, to_case};
use tungsten_ir::{Ir, OpId, OpKind, OpStatus, ResourceId};

/// The names of the operations of an API.
pub(crate) struct Names {
    by_id: BTreeMap<String, OpId>,
    by_path: BTreeMap<String, OpId>,
    /// By operation: `<namespace>.<resource path>`; nothing for one outside of the tree.
    resources: Vec<Option<String>>,
}

impl Names {
    pub(crate) fn of(ir: &Ir) -> Self {
        let mut by_path = BTreeMap::new();
        let mut resources = vec![None; ir.ops.rows.len()];
        let paths: Vec<String> = ir.resources.rows.ids().map(|resource| resource_path(ir, resource)).collect();
        for id in ir.ops.rows.ids() {
            let (Some(resource), Some(method)) = (ir.op_resource[id], ir.op_name[id]) else { continue };
            let path = &paths[resource.index()];
            by_path.entry(format!("{path}.{}", words(ir.names.resolve(method)))).or_insert(id);
            resources[id.index()] = Some(path.clone());
        }
        let by_id = ir.ops.rows.iter().map(|(id, op)| (ir.names.resolve(op.id).to_owned(), id)).collect();
        Self { by_id, by_path, resources }
    }

    /// The operation of an id, which wins over the path of another one, or of a path.
    pub(crate) fn op(&self, name: &str) -> Option<OpId> {
        self.by_id.get(name).or_else(|| self.by_path.get(&path_of(name))).copied()
    }

    /// A help text that offers the name that is nearest to one that no operation has.
    pub(crate) fn did_you_mean(&self, name: &str) -> Option<String> {
        did_you_mean(name, self.by_id.keys().chain(self.by_path.keys()).map(String::as_str))
    }

    /// Whether the operation lies below a path in the form of [`path_of`]: a namespace, or a resource of one.
    pub(crate) fn is_below(&self, op: OpId, prefix: &str) -> bool {
        let path = self.resources[op.index()].as_deref().unwrap_or_default();
        path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// A dotted path in the form in which paths are compared.
pub(crate) fn path_of(name: &str) -> String {
    let (namespace, rest) = name.split_once('.').unwrap_or((name, ""));
    let parts = rest.split('.').filter(|part| !part.is_empty()).map(words);
    std::iter::once(namespace.to_owned()).chain(parts).collect::<Vec<_>>().join(".")
}

/// The words of a name; the name itself where it has none.
fn words(name: &str) -> String {
    let words = to_case(name, Case::Snake);
    if words.is_empty() { name.to_owned() } else { words }
}

/// `<namespace>.<resource>.<child>`
fn resource_path(ir: &Ir, resource: ResourceId) -> String {
    let name = |sym: Sym| ir.names.resolve(sym);
    let mut parts = Vec::new();
    let mut at = Some(resource);
    while let Some(resource) = at {
        let row = &ir.resources.rows[resource];
        parts.push(words(name(row.name)));
        at = row.parent;
        if at.is_none() {
            parts.push(name(ir.namespaces[row.namespace].name).to_owned());
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
