//! What the API's errors mean: the envelope, codes, bodies that are no JSON, statuses that leave the outcome open.
//!
//! Reads `errors`; writes the namespaces' error models and the agent model, and findings: TG0604 for an unknown schema,
//! TG0606 for unknown codes, TG0607 for fields that the envelope does not have.

use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Id, Span};
use tungsten_ir::{
    Category, Ir, NamespaceId, NonJson, Remediation, RemediationId, Retryable, TypeId, error_codes, error_model,
};
use tungsten_manifest::{Envelope, Errors, FieldPath, Map, Remediation as Stated, Word};

use crate::cx::Cx;
use crate::fields::{Known, follow};
use crate::predicates::report_missing;

pub(crate) fn errors(stated: &Errors, cx: &mut Cx<'_>) {
    if let Some(envelope) = &stated.envelope {
        set_envelope(envelope, cx);
    }
    let mut statuses: Vec<u16> = stated.ambiguous_statuses.iter().map(|status| status.0 as u16).collect();
    statuses.sort_unstable();
    statuses.dedup();
    cx.ir.agent.ambiguous_statuses = statuses;
    for row in &stated.non_json {
        let row = NonJson {
            status: row.status.0 as u16,
            media: Some(&*row.media).filter(|media| *media != "none").map(|media| cx.sym(media)),
            category: Category::parse(&row.category).unwrap_or(Category::UnexpectedResponse),
            retryable: row.retryable.as_deref().and_then(Retryable::parse),
            text: cx.maybe_text(row.text.as_deref()),
        };
        cx.ir.agent.non_json.push(row);
    }
    set_codes(stated, cx);
}

fn set_codes(stated: &Errors, cx: &mut Cx<'_>) {
    if stated.codes.is_empty() {
        return;
    }
    let known = KnownCodes::of(cx.ir);
    let mut rows = Vec::with_capacity(stated.codes.len());
    for (code, entry) in stated.codes.iter() {
        if let Some(help) = known.unknown(cx.ir, None, code) {
            let message = format!("no namespace has the error code {}", quoted(code));
            cx.report(Code::TG0606, &code.place, message).help = Some(help);
        }
        rows.push(Remediation {
            code: cx.sym(code),
            category: entry.category.as_deref().and_then(Category::parse),
            retryable: entry.retryable.as_deref().and_then(Retryable::parse),
            text: cx.maybe_text(entry.text.as_deref()),
            next_action: cx.maybe_text(entry.next_action.as_deref()),
            status: entry.status.as_ref().map(|status| status.0 as u16),
        });
    }
    cx.ir.agent.error_codes = cx.ir.agent.remediations.extend(rows);
}

/// Writes the remediation table of one operation.
pub(crate) fn remediations(stated: &Map<Word, Stated>, cx: &mut Cx<'_>) -> Span<RemediationId> {
    let mut rows = Vec::with_capacity(stated.len());
    for (code, entry) in stated.iter() {
        rows.push(Remediation {
            code: cx.sym(code),
            category: entry.category.as_deref().and_then(Category::parse),
            retryable: entry.retryable.as_deref().and_then(Retryable::parse),
            text: cx.maybe_text(entry.text.as_deref()),
            next_action: cx.maybe_text(entry.next_action.as_deref()),
            status: None,
        });
    }
    cx.ir.agent.remediations.extend(rows)
}

/// The error codes that the description lists, by namespace; an empty list where any text may be a code.
pub(crate) struct KnownCodes {
    by_namespace: Vec<Vec<base::Sym>>,
}

impl KnownCodes {
    pub(crate) fn of(ir: &Ir) -> Self {
        let codes = |namespace| error_codes(ir, namespace).into_iter().map(|row| row.code).collect();
        Self { by_namespace: ir.namespaces.ids().map(codes).collect() }
    }

    /// What to do about a code that the namespace, or every namespace, does not list; nothing for one that may be.
    pub(crate) fn unknown(&self, ir: &Ir, namespace: Option<NamespaceId>, code: &str) -> Option<String> {
        let lists = match namespace {
            Some(namespace) => std::slice::from_ref(&self.by_namespace[namespace.index()]),
            None => &self.by_namespace,
        };
        if lists.iter().any(Vec::is_empty) {
            return None;
        }
        let mut names = lists.iter().flatten().map(|code| ir.names.resolve(*code));
        if names.clone().any(|name| name == code) {
            return None;
        }
        let near = did_you_mean(code, names.by_ref());
        Some(near.unwrap_or_else(|| "use a code of the error schema, or add it there".to_owned()))
    }
}

fn set_envelope(stated: &Envelope, cx: &mut Cx<'_>) {
    let types = types_named(cx.ir, &stated.schema);
    if types.is_empty() {
        let message = format!("no schema of the inputs is {}", quoted(&stated.schema));
        let all: Vec<String> = cx.ir.types.named.iter().filter_map(|ty| component_name(cx.ir, *ty)).collect();
        let help = did_you_mean(&stated.schema, all.iter().map(String::as_str));
        let help = help.unwrap_or_else(|| "name a component, or a type's id: `<namespace>.<name>`".to_owned());
        cx.report(Code::TG0604, &stated.schema.place, message).help = Some(help);
        return;
    }
    for (namespace, ty) in types {
        let mut model = error_model(cx.ir, ty);
        if let Some(field) = &stated.code_field {
            model.code_field = envelope_field(ty, field, cx).or(model.code_field);
        }
        if let Some(field) = &stated.message_field {
            model.message_field = envelope_field(ty, field, cx).or(model.message_field);
        }
        cx.ir.namespaces[namespace].errors = model;
        keep(cx.ir, ty);
    }
}

fn envelope_field(envelope: TypeId, field: &FieldPath, cx: &mut Cx<'_>) -> Option<base::Sym> {
    let found = follow(cx.ir, &Known::Types(vec![envelope]), field, false);
    if let Some((name, near)) = found.missing {
        report_missing(field, &name, near.as_deref(), "the error envelope", &field.place, cx);
        return None;
    }
    Some(cx.sym(&found.steps.join(".")))
}

/// The types that a schema's name stands for: a type's id, or a component of any namespace.
fn types_named(ir: &Ir, wanted: &str) -> Vec<(NamespaceId, TypeId)> {
    let mut found = Vec::new();
    for &ty in &ir.types.named {
        let Some(name) = ir.types.rows[ty].name else { continue };
        let local = ir.names.resolve(name.name);
        let namespace = ir.names.resolve(ir.namespaces[name.namespace].name);
        let is_id = wanted.strip_prefix(namespace).and_then(|rest| rest.strip_prefix('.')) == Some(local);
        if is_id {
            return vec![(name.namespace, ty)];
        }
        if local == wanted {
            found.push((name.namespace, ty));
        }
    }
    found
}

fn component_name(ir: &Ir, ty: TypeId) -> Option<String> {
    ir.types.rows[ty].name.map(|name| ir.names.resolve(name.name).to_owned())
}

/// Keeps a type and what it is made of, though no operation reaches them.
fn keep(ir: &mut Ir, ty: TypeId) {
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        if ir.pruned[ty] {
            ir.pruned.set(ty, false);
            ir.types.parts(ty, &mut pending);
        }
    }
}
