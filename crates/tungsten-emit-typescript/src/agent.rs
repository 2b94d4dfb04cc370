//! What an agent manifest says, as members of descriptors: previews, confirmations, remediation, secrets, retries.
//!
//! Reads the agent rows of the IR; writes into object literals. Members at their default are left out. Gates and macros
//! are written elsewhere.

use base::{Span, SpecText};
use tungsten_emit::Secrets;
use tungsten_emit::escape::typescript;
use tungsten_emit::layout::typescript::{Items, array};
use tungsten_ir::{
    Category, Confirmation, FieldPath, Ir, OpId, Preview, Remediation, RemediationId, Retries, RetryRule, Retryable,
};

use crate::literals;
use crate::object::{Members, object};

/// The members of an operation's descriptor that a manifest decides, beside safety and idempotency. `secrets` are the
/// fields that the description marks.
pub(crate) fn operation(o: &mut Members<'_>, ir: &Ir, op: OpId, secrets: &Secrets) {
    let row = ir.agent.ops[op];
    let preview = ir.preview(op);
    if preview != Preview::of_tier(ir.safety[op]) {
        o.member("preview", |doc| object(doc, |o| write_preview(o, ir, preview)));
    }
    if let Some(id) = row.confirmation {
        o.member("confirmation", |doc| object(doc, |o| confirmation(o, ir, ir.agent.confirmations[id])));
    }
    remediations(o, ir, "remediation", row.remediation);
    if let Some(note) = row.remediation_note {
        o.string("remediationNote", literals::prose(ir, note));
    }
    let mut response: Vec<String> =
        ir.agent.field_paths.slice(row.sensitive).iter().map(|field| ir.dotted(*field)).collect();
    for field in &secrets.response {
        if !response.contains(field) {
            response.push(field.clone());
        }
    }
    fields(o, "sensitiveResponseFields", &response);
    fields(o, "sensitiveRequestFields", &secrets.request);
    o.flag("shownOnce", row.shown_once);
}

/// The members of the API's descriptor that a manifest decides.
pub(crate) fn api(o: &mut Members<'_>, ir: &Ir) {
    let agent = &ir.agent;
    remediations(o, ir, "errorCodes", agent.error_codes);
    if !agent.ambiguous_statuses.is_empty() {
        o.member("ambiguousStatuses", |doc| {
            array(doc, Items::Numbers, &agent.ambiguous_statuses, |doc, status| doc.text(*status));
        });
    }
    if !agent.non_json.is_empty() {
        let rows = agent.non_json.rows();
        let kind = if rows.len() > 1 { Items::Composite } else { Items::Others };
        o.member("nonJson", |doc| {
            array(doc, kind, rows, |doc, row| {
                object(doc, |o| {
                    o.plain("status", row.status);
                    match row.media {
                        Some(media) => o.string("media", literals::string(ir, media)),
                        None => o.plain("media", "\"none\""),
                    }
                    word(o, "category", Some(row.category.name()));
                    word(o, "retryable", row.retryable.map(Retryable::name));
                    if let Some(text) = row.text {
                        o.string("text", literals::prose(ir, text));
                    }
                });
            });
        });
    }
    let (retries, default) = (agent.retries, Retries::default());
    if retries != default {
        o.member("retries", |doc| {
            object(doc, |o| {
                tier(o, "readOnly", retries.read_only, default.read_only);
                tier(o, "mutating", retries.mutating, default.mutating);
                if !retries.honor_retry_after {
                    o.plain("honorRetryAfter", false);
                }
            });
        });
    }
}

/// Dotted paths; nothing where there are none.
fn fields(o: &mut Members<'_>, key: &str, fields: &[String]) {
    if !fields.is_empty() {
        o.member(key, |doc| {
            array(doc, Items::Others, fields, |doc, field| doc.text(typescript::string(SpecText::new(field))));
        });
    }
}

fn tier(o: &mut Members<'_>, key: &str, rule: RetryRule, default: RetryRule) {
    if rule == default {
        return;
    }
    o.member(key, |doc| {
        object(doc, |o| {
            o.plain("max", rule.max);
            o.plain("baseMs", rule.base_ms);
            o.plain("maxMs", rule.max_ms);
            word(o, "jitter", Some(rule.jitter.name()));
        });
    });
}

fn write_preview(o: &mut Members<'_>, ir: &Ir, preview: Preview) {
    word(o, "mode", Some(preview.mode()));
    match preview {
        Preview::Header { name, value } => {
            o.string("header", literals::string(ir, name));
            o.string("value", literals::string(ir, value));
        }
        Preview::Endpoint(op) => o.string("operation", literals::string(ir, ir.ops.rows[op].id)),
        Preview::Local | Preview::None => {}
    }
}

fn confirmation(o: &mut Members<'_>, ir: &Ir, row: Confirmation) {
    o.member("summaryFields", |doc| {
        array(doc, Items::Others, ir.agent.field_paths.slice(row.summary), |doc, field| doc.text(path(ir, *field)));
    });
    if let Some(message) = row.message {
        o.string("message", literals::prose(ir, message));
    }
}

fn remediations(o: &mut Members<'_>, ir: &Ir, key: &str, rows: Span<RemediationId>) {
    if rows.is_empty() {
        return;
    }
    o.member(key, |doc| {
        object(doc, |o| {
            for row in ir.agent.remediations.slice(rows) {
                o.member(&typescript::key(ir.name(row.code)), |doc| object(doc, |o| remediation(o, ir, row)));
            }
        });
    });
}

fn remediation(o: &mut Members<'_>, ir: &Ir, row: &Remediation) {
    if let Some(text) = row.text {
        o.string("text", literals::prose(ir, text));
    }
    if let Some(next) = row.next_action {
        o.string("nextAction", literals::prose(ir, next));
    }
    word(o, "retryable", row.retryable.map(Retryable::name));
    word(o, "category", row.category.map(Category::name));
}

/// A member that is one of our own words.
fn word(o: &mut Members<'_>, key: &str, word: Option<&'static str>) {
    if let Some(word) = word {
        o.plain(key, format_args!("\"{word}\""));
    }
}

/// A dotted path as a string literal.
fn path(ir: &Ir, path: FieldPath) -> String {
    typescript::string(SpecText::new(&ir.dotted(path)))
}
