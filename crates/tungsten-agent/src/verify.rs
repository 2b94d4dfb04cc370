//! Verification hooks: which read tells what a call has done.
//!
//! Reads `verify`; writes hooks and findings: TG0603, TG0605 for an operation that cannot serve, TG0607. A hook whose
//! operation cannot be called as it says is left out.

use base::Code;
use base::diag::quoted;
use tungsten_ir::{OpId, Root, Safety, Verify};
use tungsten_manifest::Verify as Stated;

use crate::cx::Cx;
use crate::expressions::{self, Scope};
use crate::fields::{answer, argument_object, arguments};
use crate::predicates::predicate;
use crate::steps;
use crate::tools::Tools;

pub(crate) fn verify(tools: &Tools, cx: &mut Cx<'_>) {
    for (op, tool) in tools.iter() {
        let Some(stated) = &tool.verify else { continue };
        if let Some(row) = hook(op, stated, cx) {
            let id = cx.ir.agent.verifies.push(row);
            cx.change(op, |row| row.verify = Some(id));
        }
    }
}

fn hook(op: OpId, stated: &Stated, cx: &mut Cx<'_>) -> Option<Verify> {
    let operation = steps::callable(&stated.operation, "the hook", cx)?;
    if cx.ir.safety[operation] != Safety::ReadOnly {
        let message = format!("{} is not `read_only`, so it cannot verify a call", quoted(&stated.operation));
        let help = "name an operation without side effects, or state its `safety`";
        cx.report(Code::TG0605, &stated.operation.place, message).help = Some(help.to_owned());
        return None;
    }
    let own = argument_object(&arguments(cx.ir, op));
    let names = vec![("response".to_owned(), Root::Response, answer(cx.ir, op)), ("args".to_owned(), Root::Args, own)];
    let scope = Scope { names };
    let args = match &stated.args {
        Some(args) => expressions::expression(args, &scope, cx),
        None => expressions::empty_object(cx),
    };
    if !steps::check_args(stated.args.as_ref(), &args, operation, &stated.operation, cx) {
        return None;
    }
    let answer = answer(cx.ir, operation);
    let owner = format!("the answer of {}", cx.op_name(operation));
    let mut holds = |stated: &Option<tungsten_manifest::Predicate>| {
        stated.as_ref().map(|stated| predicate(stated, &answer, &owner, &scope, cx))
    };
    Some(Verify {
        operation,
        args: args.id,
        expect: holds(&stated.expect),
        terminal: holds(&stated.terminal),
        poll_interval_ms: stated.poll.as_ref().map(|poll| poll.interval_ms.0),
        poll_budget_ms: stated.poll.as_ref().map(|poll| poll.budget_ms.0),
    })
}
