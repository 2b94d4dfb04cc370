//! Writes `parameters/<namespace>.ts`: the parameters that several operations have, as one constant each, and the
//! parameters inside descriptors.
//!
//! Reads the plan and the view. Members at their default are left out.

use base::Id;
use tungsten_emit::layout::typescript as layout;
use tungsten_emit::{Doc, Imports, Lang, SharedParamId, Writer};
use tungsten_ir::{Location, NamespaceId, ParamId, Role, Style};

use crate::RUNTIME;
use crate::literals;
use crate::object::{Members, object, object_broken};
use crate::operations;
use crate::schemas::Schemas;
use crate::view::View;

/// Writes references to shared parameters for one file and remembers which modules they come from.
pub(crate) struct Parameters<'v, 'a> {
    view: &'v View<'a>,
    /// Path from the file to `parameters/`.
    path: String,
    used: Vec<bool>,
}

impl<'v, 'a> Parameters<'v, 'a> {
    /// For a file `depth` folders below `src/`.
    pub(crate) fn below_src(view: &'v View<'a>, depth: usize) -> Self {
        let path = format!("{}parameters/", "../".repeat(depth));
        Self { view, path, used: vec![false; view.namespaces.len()] }
    }

    pub(crate) fn write(&mut self, doc: &mut Doc, id: SharedParamId) {
        let namespace = self.view.plan.params.rows[id].namespace;
        self.used[namespace.index()] = true;
        doc.text(self.local(namespace));
        doc.text(".");
        doc.text(self.view.param_name(id));
    }

    /// Imports what was mentioned.
    pub(crate) fn import(&self, imports: &mut Imports) {
        for (index, _) in self.used.iter().enumerate().filter(|(_, used)| **used) {
            let id = NamespaceId::from_index(index);
            imports.import_all(&format!("{}{}.js", self.path, self.view.namespace(id).name), &self.local(id));
        }
    }

    fn local(&self, id: NamespaceId) -> String {
        if self.view.has_many_namespaces() {
            format!("parameters_{}", self.view.namespace(id).name)
        } else {
            "parameters".to_owned()
        }
    }
}

/// `parameters/<namespace>.ts`, or nothing when no parameter is shared.
pub(crate) fn parameters(view: &View<'_>, id: NamespaceId, header: &str) -> Option<String> {
    let mut shared = view.plan.params.rows.iter().filter(|(_, row)| row.namespace == id).peekable();
    shared.peek()?;
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    let mut doc = Doc::new();
    let mut schemas = Schemas::below_src(view, 1);
    let ty = o.import_type(RUNTIME, "ParamDescriptor");
    for (id, row) in shared {
        o.blank();
        doc.clear();
        layout::assign(
            &mut doc,
            |doc| doc.text(format_args!("export const {}: {ty}", view.param_name(id))),
            |doc| object_broken(doc, |o| members(o, view, &mut schemas, row.param)),
        );
        doc.text(";");
        o.print(&doc);
    }
    schemas.import(&mut o.imports);
    Some(o.finish(header))
}

/// A parameter in place.
pub(crate) fn write(doc: &mut Doc, view: &View<'_>, schemas: &mut Schemas<'_, '_>, id: ParamId) {
    object(doc, |o| members(o, view, schemas, id));
}

fn members(o: &mut Members<'_>, view: &View<'_>, schemas: &mut Schemas<'_, '_>, id: ParamId) {
    let ir = view.ir;
    let param = ir.ops.params[id];
    o.plain("key", format_args!("\"{}\"", view.names.param(id)));
    o.string("name", literals::string(ir, param.name));
    o.plain("in", format_args!("\"{}\"", location_name(param.location)));
    o.member("schema", |doc| schemas.write(doc, param.ty, 0));
    o.flag("required", param.required);
    if param.media_type.is_none() {
        if param.style != default_style(param.location) {
            o.plain("style", format_args!("\"{}\"", param.style.name()));
        }
        if param.explode != matches!(param.style, Style::Form | Style::Cookie) {
            o.plain("explode", param.explode);
        }
    }
    o.flag("allowReserved", param.allow_reserved);
    if let Some(media_type) = param.media_type {
        o.string("mediaType", literals::string(ir, media_type));
        if param.location == Location::Querystring {
            operations::parts(o, ir, "parts", param.parts.named);
        }
    }
    if let Some(role) = role_name(param.role) {
        o.plain("role", format_args!("\"{role}\""));
    }
    if let Some(constant) = param.constant.filter(|_| param.role == Role::Constant) {
        o.string("constant", literals::value(ir, constant));
    }
    o.flag("sensitive", param.sensitive);
}

fn location_name(location: Location) -> &'static str {
    match location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Cookie => "cookie",
        Location::Querystring => "querystring",
    }
}

fn default_style(location: Location) -> Style {
    match location {
        Location::Path | Location::Header => Style::Simple,
        Location::Query | Location::Cookie | Location::Querystring => Style::Form,
    }
}

/// The role of a parameter that is more than an argument of the call.
fn role_name(role: Role) -> Option<&'static str> {
    match role {
        Role::Plain => None,
        Role::DryRun => Some("dry_run"),
        Role::IdempotencyKey => Some("idempotency_key"),
        Role::Origin => Some("origin"),
        Role::Auth => Some("auth"),
        Role::Constant => Some("constant"),
    }
}
