//! The language-neutral plan of an SDK: what each call takes and gives, which types travel which way, and the order of
//! the resources.
//!
//! Reads the IR and the TypeScript names (all targets share the keys of the arguments object). Computed once for all
//! targets; every emitter reads it. Spelling types and choosing names is left to the emitters.

mod args;
mod calls;
mod pages;
mod params;
mod secrets;
mod shared;
mod tree;
mod usage;
mod webhooks;

pub use args::{Arg, ArgSource, BodyLayout, BodyPlan};
pub use calls::{Call, ResponseRow, StreamPlan, Success};
pub use params::{SharedParam, SharedParamId, SharedParams};
pub use secrets::Secrets;
pub use shared::{InlineRoot, InlineTypes, SharedEnum, SharedId, inline_roots};
pub use tree::ResourceNode;
pub use usage::{Usage, UsageTable};
pub use webhooks::Webhook;

use base::{Column, Table};
use tungsten_ir::{Ir, MemberNames, OpId, OpKind, OpStatus, TypeId};

base::ids! {
    /// An operation that can be called.
    CallId "call";
    /// A member of an arguments object.
    ArgId "arg";
    /// A row of an operation's responses.
    RowId "row";
    /// A kind of value that an operation answers with.
    SuccessId "success";
    /// A node of the resource tree, parents before children.
    NodeId "node";
}

/// What every SDK target must know beyond the IR.
#[derive(Debug)]
pub struct Plan {
    /// Callable operations in document order.
    pub calls: Table<CallId, Call>,
    pub call_of: Column<OpId, Option<CallId>>,
    /// Members of the arguments objects: parameters first, then the body or its fields.
    pub args: Table<ArgId, Arg>,
    pub rows: Table<RowId, ResponseRow>,
    pub successes: Table<SuccessId, Success>,
    /// Resources that lead to at least one call, parents before children, in document order.
    pub nodes: Table<NodeId, ResourceNode>,
    pub usage: UsageTable,
    pub inline: InlineTypes,
    pub params: SharedParams,
    /// What the API sends by itself.
    pub webhooks: Vec<Webhook>,
    /// The type of one item of a list that comes page by page, where the description tells.
    pub page_item: Column<CallId, Option<TypeId>>,
    /// Fields that are kept out of logs because the description says so.
    pub secrets: Column<CallId, Secrets>,
}

impl Plan {
    /// Makes the plan of an API. `keys` are the names of the TypeScript profile, which key every arguments object.
    pub fn new(ir: &Ir, keys: &MemberNames) -> Self {
        let mut plan = Self {
            calls: Table::with_capacity(ir.ops.rows.len()),
            call_of: Column::default(),
            args: Table::new(),
            rows: Table::with_capacity(ir.ops.responses.len()),
            successes: Table::new(),
            nodes: Table::new(),
            usage: UsageTable::default(),
            inline: InlineTypes::default(),
            params: SharedParams::default(),
            webhooks: webhooks::webhooks(ir),
            page_item: Column::default(),
            secrets: Column::default(),
        };
        for (op_id, op) in ir.ops.rows.iter() {
            if op.kind == OpKind::Call && op.status == OpStatus::Implemented {
                calls::plan(ir, keys, op_id, &mut plan);
            }
        }
        for (id, call) in plan.calls.iter() {
            if let Some(item) = pages::item(ir, call, &plan.successes) {
                plan.page_item.set(id, Some(item));
            }
        }
        plan.nodes = tree::walk(ir, &plan.call_of);
        plan.usage = usage::compute(ir, &plan);
        plan.inline = InlineTypes::new(ir, &plan);
        plan.params = SharedParams::new(ir, keys, &plan);
        plan.secrets = secrets::secrets(ir, &plan.calls);
        plan
    }
}
