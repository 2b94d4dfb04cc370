//! What is said about single operations and needs no other operation: questions, remediation, secrets, server rules.
//!
//! Reads the entries of operations; writes the operations' agent rows and findings: TG0606 for codes, TG0607 for
//! fields.

use base::Code;
use base::diag::quoted;
use tungsten_ir::{FieldPath, FieldPathId, OpId, ServerCheck, ServerRule};
use tungsten_manifest::{FieldPath as StatedField, ResponseRule, ServerRule as StatedRule, Tool};

use crate::confirmation::confirmation;
use crate::cx::Cx;
use crate::errors::{KnownCodes, remediations};
use crate::fields::{Known, answer, body, follow};
use crate::predicates::report_missing;
use crate::tools::Tools;

pub(crate) fn operations(tools: &Tools, cx: &mut Cx<'_>) {
    let codes = KnownCodes::of(cx.ir);
    for (op, tool) in tools.iter() {
        operation(op, tool, &codes, cx);
    }
}

fn operation(op: OpId, tool: &Tool, codes: &KnownCodes, cx: &mut Cx<'_>) {
    let confirmation = tool.confirmation.as_ref().map(|stated| confirmation(op, stated, cx));
    let namespace = cx.ir.ops.rows[op].namespace;
    for (code, _) in tool.remediation.iter() {
        if let Some(near) = codes.unknown(cx.ir, Some(namespace), code) {
            let message = format!("the errors of {} have no code {}", cx.op_name(op), quoted(code));
            cx.report(Code::TG0606, &code.place, message).help = Some(near);
        }
    }
    let remediation = remediations(&tool.remediation, cx);
    let remediation_note = cx.maybe_text(tool.remediation_note.as_deref());
    let secrets = tool.response.as_ref();
    let sensitive = secrets.map(|rule| {
        let answer = answer(cx.ir, op);
        let owner = format!("the answer of {}", cx.op_name(op));
        sensitive_fields(rule, &answer, &owner, cx)
    });
    let rules: Vec<ServerRule> = tool.server_rules.iter().map(|stated| server_rule(op, stated, cx)).collect();
    let server_rules = cx.ir.agent.server_rules.extend(rules);
    cx.change(op, |row| {
        row.confirmation = confirmation;
        row.remediation = remediation;
        row.remediation_note = remediation_note;
        row.sensitive = sensitive.unwrap_or_default();
        row.shown_once = secrets.is_some_and(|rule| rule.shown_once);
        row.hidden = tool.hidden;
        row.server_rules = server_rules;
    });
}

/// Fields of an answer that are secret; one that is not described is kept, since the server may send it.
pub(crate) fn sensitive_fields(
    rule: &ResponseRule,
    answer: &Known,
    owner: &str,
    cx: &mut Cx<'_>,
) -> base::Span<FieldPathId> {
    let paths: Vec<FieldPath> =
        rule.sensitive_fields.iter().map(|field| described(field, answer, owner, true, cx)).collect();
    cx.ir.agent.field_paths.extend(paths)
}

/// The path of a field, which is reported when it is not there.
fn described(field: &StatedField, value: &Known, owner: &str, through_lists: bool, cx: &mut Cx<'_>) -> FieldPath {
    let found = follow(cx.ir, value, field, through_lists);
    if let Some((name, near)) = &found.missing {
        report_missing(field, name, near.as_deref(), owner, &field.place, cx);
    }
    cx.path(found.steps.iter().map(String::as_str))
}

fn server_rule(op: OpId, stated: &StatedRule, cx: &mut Cx<'_>) -> ServerRule {
    let is_query = cx.ir.ops.params.slice(cx.ir.ops.rows[op].params).iter().any(|param| {
        param.location == tungsten_ir::Location::Query && cx.ir.names.resolve(param.name) == &*stated.field
    });
    let field = if is_query {
        cx.path([&*stated.field])
    } else {
        let owner = format!("the body of {}", cx.op_name(op));
        let body = body(cx.ir, op);
        described(&stated.field, &body, &owner, false, cx)
    };
    let check = match (&stated.reject_host_suffixes, &stated.max_ahead_minutes) {
        (Some(suffixes), _) => {
            let suffixes: Vec<_> = suffixes.iter().map(|suffix| cx.sym(suffix)).collect();
            ServerCheck::HostSuffixes(cx.ir.agent.suffixes.extend(suffixes))
        }
        (None, minutes) => ServerCheck::MaxAheadMinutes(minutes.as_ref().map_or(0, |minutes| minutes.0)),
    };
    ServerRule {
        field,
        check,
        status: stated.status.0 as u16,
        code: stated.code.as_deref().map(|code| cx.sym(code)),
        message: cx.maybe_text(stated.message.as_deref()),
    }
}
