//! The resource tree as a list, parents before children, without branches that lead to no call.
//!
//! Reads the IR's resources; writes `plan.nodes`. Names and files are left to the emitters.

use base::{Column, Table};
use tungsten_ir::{Ir, OpId, ResourceId};

use super::{CallId, NodeId};

/// A resource that leads to at least one call.
#[derive(Clone, Debug)]
pub struct ResourceNode {
    pub resource: ResourceId,
    pub parent: Option<NodeId>,
    /// 0 for top-level resources.
    pub depth: u32,
    /// Its own calls, in document order.
    pub calls: Vec<CallId>,
    /// In the order of their first operation.
    pub children: Vec<NodeId>,
}

pub(super) fn walk(ir: &Ir, call_of: &Column<OpId, Option<CallId>>) -> Table<NodeId, ResourceNode> {
    let alive = reach_calls(ir, call_of);
    let mut nodes: Table<NodeId, ResourceNode> = Table::new();
    let roots = ir.namespaces.rows().iter().flat_map(|namespace| namespace.resources);
    let mut pending: Vec<(ResourceId, Option<NodeId>)> =
        roots.map(|place| (ir.resources.resource_refs[place], None)).filter(|(id, _)| alive[*id]).collect();
    pending.reverse();
    while let Some((resource, parent)) = pending.pop() {
        let row = &ir.resources.rows[resource];
        let calls = row.ops.iter().filter_map(|place| call_of[ir.resources.op_refs[place]]).collect();
        let depth = parent.map_or(0, |parent: NodeId| nodes[parent].depth + 1);
        let node = nodes.push(ResourceNode { resource, parent, depth, calls, children: Vec::new() });
        if let Some(parent) = parent {
            nodes[parent].children.push(node);
        }
        let children = row.children.iter().rev().map(|place| ir.resources.resource_refs[place]);
        pending.extend(children.filter(|&child| alive[child]).map(|child| (child, Some(node))));
    }
    nodes
}

/// Which resources have a call of their own or below them. Marks from each such resource up to its root.
fn reach_calls(ir: &Ir, call_of: &Column<OpId, Option<CallId>>) -> Column<ResourceId, bool> {
    let mut alive: Column<ResourceId, bool> = Column::default();
    for (id, row) in ir.resources.rows.iter() {
        if !row.ops.iter().any(|place| call_of[ir.resources.op_refs[place]].is_some()) {
            continue;
        }
        let mut at = Some(id);
        while let Some(resource) = at.filter(|resource| !alive[*resource]) {
            alive.set(resource, true);
            at = ir.resources.rows[resource].parent;
        }
    }
    alive
}
