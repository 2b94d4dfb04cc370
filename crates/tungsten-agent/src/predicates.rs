//! Predicates, and the values that rules compare with.
//!
//! Reads what must hold of an answer; writes rows and TG0607: fields that are not there, values that a field never has.

use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Place};
use tungsten_ir::{Check, Condition, Ir, JsonValue, Predicate, ValueId};
use tungsten_manifest::{Condition as StatedCondition, Predicate as Stated};

use crate::cx::Cx;
use crate::expressions::Scope;
use crate::fields::{Kinds, Known, follow, follow_names};
use crate::values;

/// Writes a predicate over `answer`, which is described as `owner`: `the answer of ...`. Text that is a reference of
/// the scope stands for what it leads to when the predicate is used, so it is no value to compare the field with.
pub(crate) fn predicate(stated: &Stated, answer: &Known, owner: &str, scope: &Scope, cx: &mut Cx<'_>) -> Predicate {
    let mut rows = Vec::with_capacity(stated.conditions.len());
    for (field, condition) in &stated.conditions {
        let found = follow(cx.ir, answer, field, false);
        if let Some((name, near)) = &found.missing {
            report_missing(field, name, near.as_deref(), owner, &field.place, cx);
        }
        let known = if found.missing.is_some() { Known::Anything } else { found.known };
        let subject = format!("{} of {owner}", quoted(field));
        let path = cx.path(found.steps.iter().map(String::as_str));
        let check = match condition {
            StatedCondition::In(items) => {
                let list = values::keep_list(cx.ir, items);
                let JsonValue::Array(items) = cx.ir.values.rows[list] else { continue };
                for value in cx.ir.values.items.slice(items).to_vec() {
                    check_compared(&known, value, &subject, scope, &field.place, cx);
                }
                Check::In(list)
            }
            StatedCondition::Equals(raw) => {
                let value = values::keep(cx.ir, raw);
                check_compared(&known, value, &subject, scope, &field.place, cx);
                Check::Equals(value)
            }
            StatedCondition::Contains(raw) => Check::Contains(values::keep(cx.ir, raw)),
        };
        rows.push(Condition { path, check });
    }
    cx.ir.agent.conditions.extend(rows)
}

/// Reports a reference that leads nowhere, or a value that the subject never is.
fn check_compared(known: &Known, value: ValueId, subject: &str, scope: &Scope, place: &Place, cx: &mut Cx<'_>) {
    let reference = text(cx.ir, value).and_then(|text| text.strip_prefix('$')).map(str::to_owned);
    let mut names = reference.as_deref().unwrap_or_default().split('.');
    let root = names.next().unwrap_or_default();
    let Some((_, _, start)) = scope.names.iter().find(|(name, ..)| reference.is_some() && name == root) else {
        return check_value(known, value, subject, place, cx);
    };
    let names: Vec<&str> = names.collect();
    if let Some((name, near)) = follow_names(cx.ir, start, &names, false).missing {
        report_missing(&names.join("."), &name, near.as_deref(), &format!("`${root}`"), place, cx);
    }
}

/// Reports a field that is not there. `path` is what was written, `name` its part that leads nowhere.
pub(crate) fn report_missing(path: &str, name: &str, near: Option<&str>, owner: &str, place: &Place, cx: &mut Cx<'_>) {
    let inside = if path == name { String::new() } else { format!(" in {}", quoted(path)) };
    let message = format!("{owner} has no {}{inside}", quoted(name));
    let help = match near {
        Some(near) => format!("did you mean {}?", quoted(near)),
        None => "use the wire names of the description, with dots between nested ones".to_owned(),
    };
    cx.report(Code::TG0607, place, message).help = Some(help);
}

/// Reports the items of a list value that the subject never is.
pub(crate) fn check_items(known: &Known, list: ValueId, subject: &str, place: &Place, cx: &mut Cx<'_>) {
    let JsonValue::Array(items) = cx.ir.values.rows[list] else { return };
    for item in items {
        let value = cx.ir.values.items[item];
        check_value(known, value, subject, place, cx);
    }
}

/// Reports a value that the subject never is.
pub(crate) fn check_value(known: &Known, value: ValueId, subject: &str, place: &Place, cx: &mut Cx<'_>) {
    if cx.ir.values.rows[value] == JsonValue::Null {
        return;
    }
    let kinds = known.kinds(cx.ir);
    if !Kinds::of_value(cx.ir, value).meets(kinds) {
        let message = format!("{subject} is {} and never {}", kinds.phrase(), shown(cx.ir, value));
        cx.report(Code::TG0607, place, message).help = Some("compare it with a value that it can have".to_owned());
        return;
    }
    let Some(choices) = known.choices(cx.ir) else { return };
    if choices.iter().any(|choice| cx.ir.values.equal(&cx.ir.names, *choice, value)) {
        return;
    }
    let message = format!("{subject} is never {}", shown(cx.ir, value));
    let near = text(cx.ir, value).and_then(|wanted| {
        let texts: Vec<&str> = choices.iter().filter_map(|choice| text(cx.ir, *choice)).collect();
        did_you_mean(wanted, texts)
    });
    let help = near.unwrap_or_else(|| {
        let texts: Vec<String> = choices.iter().take(8).map(|choice| shown(cx.ir, *choice)).collect();
        format!("its values are {}{}", texts.join(", "), if choices.len() > 8 { ", …" } else { "" })
    });
    cx.report(Code::TG0607, place, message).help = Some(help);
}

fn text(ir: &Ir, value: ValueId) -> Option<&str> {
    match ir.values.rows[value] {
        JsonValue::String(text) => Some(ir.names.resolve(text)),
        _ => None,
    }
}

/// A value for a message.
fn shown(ir: &Ir, value: ValueId) -> String {
    match ir.values.rows[value] {
        JsonValue::Null => "`null`".to_owned(),
        JsonValue::Bool(value) => format!("`{value}`"),
        JsonValue::Number(text) | JsonValue::String(text) => quoted(ir.names.resolve(text)),
        JsonValue::Array(_) => "a list".to_owned(),
        JsonValue::Object(_) => "an object".to_owned(),
    }
}
