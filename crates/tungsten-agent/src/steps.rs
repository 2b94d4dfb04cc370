//! Whether an operation can take the arguments that a hook or a step gives it.
//!
//! Reads an expression as written and as made; writes findings: TG0607 for arguments that the operation does not have,
//! TG0605 for arguments that are missing or of another kind.

use base::suggest::did_you_mean;
use base::{Code, Place, diag::quoted};
use tungsten_ir::OpId;
use tungsten_manifest::{Expression, OperationRef, Term};

use crate::cx::Cx;
use crate::expressions::Made;
use crate::fields::{Argument, Kinds, Known, arguments, missing_arguments};
use crate::names::is_callable;

/// The operation of a hook or a step, when it can be called; `what` says who calls.
pub(crate) fn callable(reference: &OperationRef, what: &str, cx: &mut Cx<'_>) -> Option<OpId> {
    let op = cx.op(reference)?;
    if is_callable(cx.ir, op) {
        return Some(op);
    }
    let message = format!("{} cannot be called, so {what} is left out", quoted(reference));
    let help = "name an operation that is neither planned nor called by the API itself";
    cx.report(Code::TG0605, &reference.place, message).help = Some(help.to_owned());
    None
}

/// Whether the operation can be called with the arguments; what is wrong with them is reported.
pub(crate) fn check_args(
    stated: Option<&Expression>,
    made: &Made,
    op: OpId,
    reference: &OperationRef,
    cx: &mut Cx<'_>,
) -> bool {
    let arguments = arguments(cx.ir, op);
    let place = stated.map_or(&reference.place, |stated| &stated.place);
    let mut is_right = true;
    match (&made.known, stated.map(|stated| &stated.term)) {
        (Known::Object(given), Some(Term::Object(members))) => {
            for (member, (_, known)) in members.iter().zip(given) {
                is_right &= check_arg(&member.name, known, &arguments, op, &member.place, cx);
            }
            is_right &= check_missing(given, &arguments, op, place, cx);
        }
        (Known::Object(given), _) => {
            for (name, known) in given {
                if let Some(argument) = arguments.iter().find(|argument| argument.name == *name) {
                    is_right &= check_kind(argument, known, op, place, cx);
                }
            }
            is_right &= check_missing(given, &arguments, op, place, cx);
        }
        (known, _) if !known.kinds(cx.ir).meets(Kinds::OBJECT) => {
            let message = format!("the arguments of {} are an object, not {}", cx.op_name(op), phrase(known, cx));
            let help = "write `{ <argument>: <value> }`";
            cx.report(Code::TG0605, place, message).help = Some(help.to_owned());
            is_right = false;
        }
        _ => {}
    }
    is_right
}

fn check_arg(name: &str, known: &Known, arguments: &[Argument], op: OpId, place: &Place, cx: &mut Cx<'_>) -> bool {
    if let Some(argument) = arguments.iter().find(|argument| argument.name == name) {
        return check_kind(argument, known, op, place, cx);
    }
    let message = format!("{} has no argument {}", cx.op_name(op), quoted(name));
    let help = did_you_mean(name, arguments.iter().map(|argument| argument.name.as_str()));
    let help = help.unwrap_or_else(|| "use the wire names of its parameters and of its body's fields".to_owned());
    cx.report(Code::TG0607, place, message).help = Some(help);
    false
}

fn check_kind(argument: &Argument, known: &Known, op: OpId, place: &Place, cx: &mut Cx<'_>) -> bool {
    let (wanted, given) = (argument.known.kinds(cx.ir), known.kinds(cx.ir));
    if wanted.meets(given) {
        return true;
    }
    let name = quoted(&argument.name);
    let message = format!("{name} of {} is {}, but gets {}", cx.op_name(op), wanted.phrase(), given.phrase());
    cx.report(Code::TG0605, place, message).help = Some("give it a value of its own type".to_owned());
    false
}

fn check_missing(given: &[(String, Known)], arguments: &[Argument], op: OpId, place: &Place, cx: &mut Cx<'_>) -> bool {
    let missing = missing_arguments(cx.ir, op, arguments, |name| given.iter().any(|(given, _)| given == name));
    if missing.is_empty() {
        return true;
    }
    let names: Vec<String> = missing.iter().map(|name| quoted(name)).collect();
    let message = format!("{} cannot be called without {}", cx.op_name(op), names.join(", "));
    cx.report(Code::TG0605, place, message).help = Some("add it to `args`".to_owned());
    false
}

fn phrase(known: &Known, cx: &Cx<'_>) -> String {
    known.kinds(cx.ir).phrase()
}
