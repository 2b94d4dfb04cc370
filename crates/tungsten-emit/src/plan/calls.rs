//! One row for each operation that can be called: its arguments, the rows of its responses and the values it may give.
//!
//! Reads one operation; writes rows of `plan.calls`, `plan.rows` and `plan.successes`.

use base::{Span, Sym};
use tungsten_ir::{ContentId, Encoding, Ir, MemberNames, Op, OpId, ResponseId, ResponseKind, StreamFlag, TypeId};

use super::{ArgId, BodyPlan, Plan, RowId, SuccessId, args};

/// An operation that can be called.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub op: OpId,
    pub args: Span<ArgId>,
    /// Whether at least one argument is required.
    pub args_required: bool,
    pub body: Option<BodyPlan>,
    pub rows: Span<RowId>,
    /// The distinct values of the success responses, in row order; none: the API states no success.
    pub successes: Span<SuccessId>,
    /// The answer that arrives piece by piece.
    pub stream: Option<StreamPlan>,
    /// Dotted wire name of the member of error bodies that holds the API's error code.
    pub error_code: Option<Sym>,
}

/// How a stream is asked for, and what it gives.
#[derive(Clone, Copy, Debug)]
pub struct StreamPlan {
    pub content: ContentId,
    pub flag: Option<StreamFlag>,
}

/// One media type of one response, or a response without a body.
#[derive(Clone, Copy, Debug)]
pub struct ResponseRow {
    pub response: ResponseId,
    pub content: Option<ContentId>,
}

/// A kind of value that a successful call gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Success {
    /// A response without a body.
    Nothing,
    Json(TypeId),
    Text,
    /// Form fields: names to one text or several.
    Form,
    Bytes,
    /// JSON texts one after another, each of this type.
    Lines(TypeId),
    /// Server-sent events whose data is of this type.
    Events(TypeId),
}

pub(super) fn plan(ir: &Ir, keys: &MemberNames, op_id: OpId, plan: &mut Plan) {
    let op = &ir.ops.rows[op_id];
    let (args, body) = args::plan(ir, keys, op, &mut plan.args);
    let args_required = plan.args.slice(args).iter().any(|arg| arg.required);
    let rows = push_rows(ir, op, plan);
    let successes = push_successes(ir, rows, plan);
    let stream = ir.ops.stream(op).map(|stream| StreamPlan { content: stream.content, flag: ir.stream_flag[op_id] });
    let error_code = ir.namespaces[op.namespace].errors.code_field;
    let call = plan.calls.push(Call { op: op_id, args, args_required, body, rows, successes, stream, error_code });
    plan.call_of.set(op_id, Some(call));
}

fn push_rows(ir: &Ir, op: &Op, plan: &mut Plan) -> Span<RowId> {
    let start = plan.rows.len();
    for response in op.responses {
        let contents = ir.ops.responses[response].contents;
        if contents.is_empty() {
            plan.rows.push(ResponseRow { response, content: None });
        }
        plan.rows.extend(contents.iter().map(|content| ResponseRow { response, content: Some(content) }));
    }
    Span::new(start, plan.rows.len())
}

/// Event streams are asked for only where there is nothing else, so beside another value they do not count.
fn push_successes(ir: &Ir, rows: Span<RowId>, plan: &mut Plan) -> Span<SuccessId> {
    let start = plan.successes.len();
    let mut events = None;
    for row in plan.rows.slice(rows) {
        if ir.ops.responses[row.response].kind != ResponseKind::Success {
            continue;
        }
        let success = row.content.map_or(Success::Nothing, |content| success_of(ir, content));
        if matches!(success, Success::Events(_)) {
            events.get_or_insert(success);
        } else if !plan.successes.rows()[start..].contains(&success) {
            plan.successes.push(success);
        }
    }
    let only_empty = plan.successes.rows()[start..].iter().all(|success| *success == Success::Nothing);
    plan.successes.extend(events.filter(|_| only_empty));
    Span::new(start, plan.successes.len())
}

fn success_of(ir: &Ir, content: ContentId) -> Success {
    let content = &ir.ops.contents[content];
    match content.encoding {
        Encoding::Json => Success::Json(content.ty),
        Encoding::Text => Success::Text,
        Encoding::Form => Success::Form,
        Encoding::Bytes | Encoding::Multipart => Success::Bytes,
        Encoding::JsonLines | Encoding::JsonSeq => Success::Lines(content.ty),
        Encoding::Events => Success::Events(content.ty),
    }
}
