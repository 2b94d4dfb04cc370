//! `src/webhooks.ts`: what the API sends by itself, a payload type and a descriptor for each webhook and callback.
//!
//! Reads the plan and the view. A module of its own: clients that receive nothing do not carry it. Verifying and reading
//! a request is the runtime's.

use std::collections::BTreeSet;

use tungsten_emit::{Doc, Lang, Webhook, Writer};
use tungsten_ir::profile::{Role, TYPESCRIPT};
use tungsten_ir::{Encoding, Method, OpKind};

use crate::literals;
use crate::naming::free_name;
use crate::object::{Members, object_broken};
use crate::operations::response_encoding;
use crate::schemas::Schemas;
use crate::types::{Speller, describe};
use crate::view::View;

/// The entry of the runtime that reads webhooks.
pub(crate) const RUNTIME_ENTRY: &str = "@elysra/tungsten-runtime/webhooks";

/// What the module declares for a webhook.
pub(crate) struct Names {
    pub constant: String,
    pub payload: String,
}

/// The names of all webhooks, in the order of the plan. No two are alike, also without regard to namespaces.
pub(crate) fn names(view: &View<'_>) -> Vec<Names> {
    // What the module imports.
    let mut constants = BTreeSet::from(["models".to_owned(), "schemas".to_owned()]);
    let mut payloads = BTreeSet::from(["WebhookDescriptor", "Unlisted", "UnlistedVariant"].map(str::to_owned));
    let identifier = TYPESCRIPT.identifiers();
    let mut named = |webhook: &Webhook| {
        let words: Vec<&str> = match view.ir.ops.rows[webhook.op].kind {
            OpKind::Callback { of, name } => vec![view.names.op_function(of), view.ir.names.resolve(name)],
            OpKind::Webhook(name) => vec![view.ir.names.resolve(name)],
            OpKind::Call => vec![view.names.op_function(webhook.op)],
        };
        let constant = free_name(&constants, &identifier(Role::Function, &words));
        constants.insert(constant.clone());
        let payload = free_name(&payloads, &identifier(Role::Type, &[words.as_slice(), &["payload"]].concat()));
        payloads.insert(payload.clone());
        Names { constant, payload }
    };
    view.plan.webhooks.iter().map(&mut named).collect()
}

/// The module, or nothing when the API sends nothing.
pub(crate) fn webhooks(view: &View<'_>, header: &str) -> Option<String> {
    if view.plan.webhooks.is_empty() {
        return None;
    }
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    let names = names(view);
    for name in &names {
        o.imports.reserve(&name.constant);
        o.imports.reserve(&name.payload);
    }
    let descriptor = o.import_type(RUNTIME_ENTRY, "WebhookDescriptor");
    let mut doc = Doc::new();
    let mut types = Speller::below_src(view, 0);
    let mut schemas = Schemas::below_src(view, 0);
    for (webhook, Names { constant, payload }) in view.plan.webhooks.iter().zip(&names) {
        let op = &view.ir.ops.rows[webhook.op];
        o.blank();
        write_payload(&mut o, &mut doc, view, &mut types, webhook, payload);
        o.blank();
        describe(&mut o, view, op.doc, op.deprecated, Vec::new());
        doc.clear();
        tungsten_emit::layout::typescript::assign(
            &mut doc,
            |doc| doc.text(format_args!("export const {constant}: {descriptor}<{payload}>")),
            |doc| object_broken(doc, |o| members(o, view, &mut schemas, webhook)),
        );
        doc.text(";");
        o.print(&doc);
    }
    types.import(&mut o.imports);
    schemas.import(&mut o.imports);
    Some(o.finish(header))
}

fn write_payload(
    o: &mut Writer,
    doc: &mut Doc,
    view: &View<'_>,
    types: &mut Speller<'_, '_>,
    webhook: &Webhook,
    name: &str,
) {
    let Some(content) = webhook.content.map(|id| view.ir.ops.contents[id]) else {
        return o.line(format!("export type {name} = undefined;"));
    };
    let fixed = match content.encoding {
        Encoding::Json | Encoding::Form if content.schema_stated => None,
        Encoding::Json => Some("unknown"),
        Encoding::Form => Some("{ [key: string]: string | string[] }"),
        Encoding::Text => Some("string"),
        Encoding::Bytes | Encoding::Multipart => Some("Uint8Array"),
        Encoding::JsonLines | Encoding::JsonSeq | Encoding::Events => Some("unknown"),
    };
    match fixed {
        Some(text) => o.line(format!("export type {name} = {text};")),
        None => types.payload(o, doc, name, content.ty),
    }
}

fn members(o: &mut Members<'_>, view: &View<'_>, schemas: &mut Schemas<'_, '_>, webhook: &Webhook) {
    let ir = view.ir;
    let op = &ir.ops.rows[webhook.op];
    o.string("id", literals::string(ir, op.id));
    match op.kind {
        OpKind::Callback { of, name } => {
            o.plain("kind", "\"callback\"");
            o.string("name", literals::string(ir, name));
            o.string("operation", literals::string(ir, ir.ops.rows[of].id));
        }
        OpKind::Webhook(name) => {
            o.plain("kind", "\"webhook\"");
            o.string("name", literals::string(ir, name));
        }
        OpKind::Call => {}
    }
    match op.method {
        Method::Other(name) => o.string("method", literals::string(ir, name)),
        fixed => o.plain("method", format_args!("\"{}\"", fixed.fixed_name().unwrap_or_default())),
    }
    let Some(content) = webhook.content.map(|id| ir.ops.contents[id]) else { return };
    o.string("mediaType", literals::string(ir, content.media_type));
    o.plain("encoding", format_args!("\"{}\"", response_encoding(content.encoding)));
    o.flag("required", webhook.required);
    if matches!(content.encoding, Encoding::Json | Encoding::Form) && content.schema_stated {
        o.member("schema", |doc| schemas.write(doc, content.ty, 0));
    }
}
