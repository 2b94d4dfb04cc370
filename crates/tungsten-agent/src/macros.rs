//! Macros in their canonical form: operations looked up, expressions and predicates as rows, checked against the API.
//!
//! Reads `macros`; writes rows and findings: TG0603, TG0604, TG0605, TG0607, TG0609. A macro that cannot run is left
//! out; rows of its expressions may stay behind, and nothing refers to them.

use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Id, Place, Span};
use tungsten_ir::{Macro, MacroField, MacroFieldId, NamespaceId, OpId, Origin, Root, Safety, Step, StepId, StepKind};
use tungsten_manifest::{Expression, Macro as Stated, MacroInput, OperationRef, Raw, RawEntry, Step as StatedStep};

use crate::cx::Cx;
use crate::expressions::{self, Made, Scope};
use crate::fields::{Kinds, Known, answer, argument_object, arguments, page_items};
use crate::operations::sensitive_fields;
use crate::predicates::predicate;
use crate::{safety, steps, values};

pub(crate) fn macros(stated: &[Stated], cx: &mut Cx<'_>) {
    for one in stated {
        if let Some(row) = macro_row(one, cx) {
            cx.ir.agent.macros.push(row);
        }
    }
}

fn macro_row(stated: &Stated, cx: &mut Cx<'_>) -> Option<Macro> {
    let (namespace, name) = named(stated, cx)?;
    // All operations are looked up before one that is not there ends the macro.
    let ops: Vec<Option<OpId>> = stated.steps.iter().map(|step| step_op(step, cx)).collect();
    let ops: Vec<OpId> = ops.into_iter().collect::<Option<_>>()?;
    let (extends, fields, input) = input(stated, ops[0], cx)?;
    let mut scope = Scope { names: vec![("input".to_owned(), Root::Input, input)] };
    let (rows, can_run) = step_rows(stated, &ops, &mut scope, cx);
    let output = expressions::expression(&stated.output, &scope, cx);
    if !can_run {
        return None;
    }
    let safety = tier(stated, &rows, cx);
    let sensitive = stated.response.as_ref().map_or(Span::EMPTY, |rule| {
        sensitive_fields(rule, &output.known, &format!("the output of {}", quoted(&stated.name)), cx)
    });
    let place = &stated.name.place;
    let pointer = cx.text(&place.pointer);
    let origin = Origin {
        source: place.source.unwrap_or(cx.ir.namespaces[namespace].source),
        offset: place.range.map_or(0, |range| range.0),
        pointer: Some(pointer),
    };
    Some(Macro {
        id: cx.sym(&stated.name),
        name: cx.sym(&name),
        namespace,
        summary: cx.text(&stated.summary),
        safety,
        extends,
        fields,
        steps: rows,
        output: output.id,
        sensitive,
        shown_once: stated.response.as_ref().is_some_and(|rule| rule.shown_once),
        cluster: None,
        origin,
    })
}

/// Namespace and name, when both can be.
fn named(stated: &Stated, cx: &mut Cx<'_>) -> Option<(NamespaceId, String)> {
    let (namespace, name) = stated.name.split_once('.')?;
    let found = cx.ir.namespaces.ids().find(|id| cx.ir.names.resolve(cx.ir.namespaces[*id].name) == namespace);
    let Some(found) = found else {
        let message = format!("no input has the namespace {} of the macro {}", quoted(namespace), quoted(&stated.name));
        let all = cx.ir.namespaces.rows().iter().map(|row| cx.ir.names.resolve(row.name));
        let help = did_you_mean(namespace, all).unwrap_or_else(|| "use the `namespace` of an input".to_owned());
        cx.report(Code::TG0604, &stated.name.place, message).help = Some(help);
        return None;
    };
    if cx.names.op(&stated.name).is_some() {
        let message = format!("{} is an operation, so the macro of that name is left out", quoted(&stated.name));
        cx.report(Code::TG0609, &stated.name.place, message).help = Some("rename the macro".to_owned());
        return None;
    }
    Some((found, name.to_owned()))
}

/// The operation of a step, when it can serve.
fn step_op(step: &StatedStep, cx: &mut Cx<'_>) -> Option<OpId> {
    let reference = step_reference(step);
    let op = steps::callable(reference, "the macro", cx)?;
    let (problem, help) = if step.poll.is_some() && cx.ir.safety[op] != Safety::ReadOnly {
        ("is not `read_only`, so it cannot be polled", "poll an operation without side effects, or state its `safety`")
    } else if step.paginate.is_some() && cx.ir.pagination[op].is_none() {
        ("has no pages to collect", "state its pagination in `tungsten.yml`, or use a `call` step")
    } else {
        return Some(op);
    };
    let message = format!("{} {problem}; the macro is left out", quoted(reference));
    cx.report(Code::TG0605, &reference.place, message).help = Some(help.to_owned());
    None
}

fn step_reference(step: &StatedStep) -> &OperationRef {
    let reference = step.call.as_ref().or(step.poll.as_ref()).or(step.paginate.as_ref());
    reference.expect("the manifest's reader lets no step without an operation through")
}

/// The operation whose arguments the macro takes, those that it adds, and both together.
fn input(stated: &Stated, first: OpId, cx: &mut Cx<'_>) -> Option<(Option<OpId>, Span<MacroFieldId>, Known)> {
    let extends = match &stated.input {
        None => Some(first),
        Some(MacroInput { extends: Some(reference), .. }) => Some(steps::callable(reference, "the macro", cx)?),
        Some(_) => None,
    };
    let mut known = match extends.map(|op| argument_object(&arguments(cx.ir, op))) {
        Some(Known::Object(members)) => members,
        _ => Vec::new(),
    };
    let mut rows = Vec::new();
    let mut add = |name: &str, schema: &Raw, cx: &mut Cx<'_>| {
        known.retain(|(other, _)| other != name);
        known.push((name.to_owned(), kind_of_schema(schema)));
        let default = member(schema, "default").map(|raw| values::keep(cx.ir, raw));
        rows.push(MacroField { name: cx.sym(name), schema: values::keep(cx.ir, schema), default });
    };
    match &stated.input {
        Some(input) => input.add.iter().for_each(|(name, schema)| add(name, schema, cx)),
        None => {
            for name in budgets(stated, first, cx) {
                add(&name, &budget_schema(), cx);
            }
        }
    }
    Some((extends, cx.ir.agent.macro_fields.extend(rows), Known::Object(known)))
}

/// The members of `$input` that are budgets of polls and no arguments of the first step. A macro that states no input
/// of its own takes these besides, since no operation has an argument for how long its caller waits.
fn budgets(stated: &Stated, first: OpId, cx: &Cx<'_>) -> Vec<String> {
    let arguments = arguments(cx.ir, first);
    let mut names: Vec<String> = Vec::new();
    for reference in stated.steps.iter().filter_map(|step| step.budget_ms.as_ref()).flat_map(Expression::references) {
        let ([name], "input") = (reference.path.as_slice(), reference.root.as_str()) else { continue };
        if !names.contains(name) && arguments.iter().all(|argument| argument.name != *name) {
            names.push(name.clone());
        }
    }
    names
}

/// The JSON Schema of a budget in milliseconds.
fn budget_schema() -> Raw {
    let member = |key: &str, value: Raw| RawEntry { key: key.to_owned(), value, place: Place::default() };
    let ty = Raw::Text("integer".to_owned());
    Raw::Map(vec![member("type", ty), member("minimum", Raw::Number("100".to_owned()))])
}

fn member<'r>(raw: &'r Raw, key: &str) -> Option<&'r Raw> {
    let Raw::Map(members) = raw else { return None };
    members.iter().find(|member| member.key == key).map(|member| &member.value)
}

/// The kind of values that a schema's `type` admits; anything when it is not one word.
fn kind_of_schema(schema: &Raw) -> Known {
    let Some(Raw::Text(ty)) = member(schema, "type") else { return Known::Anything };
    Known::Of(match ty.as_str() {
        "boolean" => Kinds::BOOL,
        "integer" | "number" => Kinds::NUMBER,
        "string" => Kinds::TEXT,
        "array" => Kinds::LIST,
        "object" => Kinds::OBJECT,
        _ => return Known::Anything,
    })
}

/// The rows of the steps, whose answers are then in `scope`; and whether every step can be called.
fn step_rows(stated: &Stated, ops: &[OpId], scope: &mut Scope, cx: &mut Cx<'_>) -> (Span<StepId>, bool) {
    let first = cx.ir.agent.steps.len();
    let mut rows = Vec::with_capacity(ops.len());
    let mut can_run = true;
    for (index, (step, &op)) in stated.steps.iter().zip(ops).enumerate() {
        let args = match &step.args {
            Some(args) => expressions::expression(args, scope, cx),
            None => expressions::empty_object(cx),
        };
        can_run &= steps::check_args(step.args.as_ref(), &args, op, step_reference(step), cx);
        let (kind, known) = step_kind(step, op, scope, cx);
        if let Some(name) = &step.r#as {
            scope.names.push((name.to_string(), Root::Step(StepId::from_index(first + index)), known));
        }
        let name = step.r#as.as_deref().map(|name| cx.sym(name));
        rows.push(Step { operation: op, args: args.id, name, kind });
    }
    (cx.ir.agent.steps.extend(rows), can_run)
}

/// What a step does, and what is known of its answer.
fn step_kind(step: &StatedStep, op: OpId, scope: &Scope, cx: &mut Cx<'_>) -> (StepKind, Known) {
    if let Some(until) = &step.until {
        let answer = answer(cx.ir, op);
        let owner = format!("the answer of {}", cx.op_name(op));
        let until = predicate(until, &answer, &owner, &Scope::default(), cx);
        let budget = step.budget_ms.as_ref().map(|budget| (budget, expressions::expression(budget, scope, cx)));
        if let Some((budget, made)) = &budget
            && !made.known.kinds(cx.ir).meets(Kinds::NUMBER)
        {
            let message = format!("`budget_ms` is a number of milliseconds, not {}", made.known.kinds(cx.ir).phrase());
            cx.report(Code::TG0607, &budget.place, message).help = Some("refer to a number".to_owned());
        }
        let budget_ms = budget.map(|(_, made): (_, Made)| made.id);
        let interval_ms = step.interval_ms.as_ref().map(|interval| interval.0);
        return (StepKind::Poll { until, interval_ms, budget_ms }, answer);
    }
    if step.paginate.is_some() {
        let pages = cx.ir.pagination[op];
        let known = pages.map_or(Known::Anything, |pages| page_items(cx.ir, op, &pages));
        return (StepKind::Paginate { max_pages: step.max_pages.as_ref().map(|pages| pages.0) }, known);
    }
    (StepKind::Call, answer(cx.ir, op))
}

/// The stated tier, or the strictest of the steps that call when that is stricter.
fn tier(stated: &Stated, rows: &Span<StepId>, cx: &mut Cx<'_>) -> Safety {
    let steps = cx.ir.agent.steps.slice(*rows).iter();
    let calls = steps.filter(|step| step.kind == StepKind::Call);
    let strictest = calls.map(|step| cx.ir.safety[step.operation]).max().unwrap_or(Safety::ReadOnly);
    let Some(word) = &stated.safety else { return strictest };
    let Some(own) = safety::tier(word).filter(|own| *own < strictest) else {
        return safety::tier(word).unwrap_or(strictest);
    };
    let message = format!(
        "{} calls an operation that is `{}`, so it is not `{}`",
        quoted(&stated.name),
        strictest.name(),
        own.name()
    );
    let help = format!("state `{}`, or leave `safety` out", strictest.name());
    cx.report(Code::TG0609, &word.place, message).help = Some(help);
    strictest
}
