//! The versioned JSON form of the IR: what `ir dump` prints.
//!
//! Reads the frozen IR, writes one JSON text straight from the tables, in a fixed order of members. `schema` describes
//! it. Optional members are left out when unset, lists are always there, names are `{wire, words}`.
//!
//! Choices of this form: an alias reads as an `intersection` of one member; a type that could not be lowered reads as
//! `any`; a discriminator's mapping lists only variants that are named types (others have their `tag`); webhooks and
//! callbacks are operations in lists of their own, beside the resource tree.

mod agent;
mod ops;
mod rules;
#[cfg(test)]
mod tests;
mod types;

use std::collections::BTreeMap;

use base::digest::Digest;
use base::{Diagnostic, Id, Place, Sources, Span, Sym, TextId};

use crate::json::Json;
use crate::words::Words;
use crate::{
    AuthKind, AuthPart, Contact, Doc, ErrorCode, ErrorModel, FlowKind, HeaderSource, IR_VERSION, Info, Ir, JsonValue,
    KeyLocation, License, Literal, NamespaceId, OpId, OpKind, Origin, ResourceId, Server, ServerId, Tag, TypeId,
    ValueId, error_codes,
};

/// What the IR itself does not hold.
pub struct DumpContext<'a> {
    pub tungsten_version: &'a str,
    /// Path and digest of each input, in the order to print.
    pub inputs: &'a [(String, Digest)],
    /// The sources that origins and diagnostics refer to.
    pub sources: &'a Sources,
    /// Sorted already.
    pub diagnostics: &'a [Diagnostic],
    /// Reads an example or an extension from the documents.
    pub literal: &'a dyn Fn(Literal) -> serde_json::Value,
    /// Indented by two spaces, or without any white space.
    pub pretty: bool,
}

/// The whole document.
pub fn dump(ir: &Ir, context: &DumpContext<'_>) -> String {
    let mut dump = Dump::new(ir, context);
    dump.document();
    dump.json.finish()
}

/// One operation, as it stands in the document.
pub fn dump_op(ir: &Ir, context: &DumpContext<'_>, id: OpId) -> String {
    let mut dump = Dump::new(ir, context);
    dump.op(id);
    dump.json.finish()
}

/// One named type, as it stands in the document. Panics for a type without a name.
pub fn dump_type(ir: &Ir, context: &DumpContext<'_>, id: TypeId) -> String {
    let mut dump = Dump::new(ir, context);
    dump.named_type(id);
    dump.json.finish()
}

/// Inline types and values nest as deep as documents may (256), perhaps with a nullable at each level; this is above.
const MAX_DEPTH: u32 = 600;

struct Dump<'a> {
    ir: &'a Ir,
    context: &'a DumpContext<'a>,
    json: Json,
    /// Depth of inline types and values that are being written.
    depth: u32,
    words: Words,
    /// Webhooks and callbacks of each namespace, in order.
    side_ops: Vec<Vec<OpId>>,
    /// Types with rules, in the order of their rows; a type's place here is its number.
    ruled: Vec<TypeId>,
}

impl<'a> Dump<'a> {
    fn new(ir: &'a Ir, context: &'a DumpContext<'a>) -> Self {
        let mut side_ops: Vec<Vec<OpId>> = ir.namespaces.ids().map(|_| Vec::new()).collect();
        for (id, op) in ir.ops.rows.iter() {
            if op.kind != OpKind::Call {
                side_ops[op.namespace.index()].push(id);
            }
        }
        let has_rules = |ty: &TypeId| !ir.types.judged[*ty].rules.is_empty();
        let ruled = ir.types.rows.ids().filter(has_rules).collect();
        Self { ir, context, json: Json::new(context.pretty), depth: 0, words: Words::default(), side_ops, ruled }
    }

    // Small members.

    fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.json.open(b'{');
        members(self);
        self.json.close(b'}');
    }

    fn object_at(&mut self, key: &str, members: impl FnOnce(&mut Self)) {
        self.json.key(key);
        self.object(members);
    }

    fn list_at<T>(&mut self, key: &str, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        self.json.key(key);
        self.json.open(b'[');
        for value in items {
            item(self, value);
        }
        self.json.close(b']');
    }

    /// A list that is left out when empty: one that version 1.1.0 added.
    fn new_list_at<T>(&mut self, key: &str, items: &[T], mut item: impl FnMut(&mut Self, &T)) {
        if !items.is_empty() {
            self.list_at(key, items, |dump, value| item(dump, value));
        }
    }

    fn string(&mut self, key: &str, text: &str) {
        self.json.key(key);
        self.json.string(text);
    }

    fn sym(&mut self, key: &str, sym: Sym) {
        self.string(key, self.ir.names.resolve(sym));
    }

    fn maybe_sym(&mut self, key: &str, sym: Option<Sym>) {
        if let Some(sym) = sym {
            self.sym(key, sym);
        }
    }

    fn maybe_text(&mut self, key: &str, text: Option<TextId>) {
        if let Some(text) = text {
            self.string(key, self.ir.texts.get(text).untrusted());
        }
    }

    fn bool(&mut self, key: &str, value: bool) {
        self.json.key(key);
        self.json.bool(value);
    }

    /// A switch that version 1.1.0 added: left out when off.
    fn new_bool(&mut self, key: &str, value: bool) {
        if value {
            self.bool(key, true);
        }
    }

    fn maybe_count(&mut self, key: &str, count: Option<u64>) {
        if let Some(count) = count {
            self.json.key(key);
            self.json.raw(&count.to_string());
        }
    }

    fn kind(&mut self, key: &str, kind: &str) {
        self.object_at(key, |dump| dump.string("kind", kind));
    }

    fn ident(&mut self, key: &str, name: Sym) {
        let text = self.ir.names.resolve(name);
        let mut words = std::mem::take(&mut self.words);
        words.clear();
        words.push(text);
        self.object_at(key, |dump| {
            dump.string("wire", text);
            dump.list_at("words", words.iter(), |dump, word| dump.json.string(word));
        });
        self.words = words;
    }

    fn doc(&mut self, doc: Doc) {
        if doc == Doc::default() {
            return;
        }
        self.object_at("doc", |dump| {
            dump.maybe_text("summary", doc.summary);
            dump.maybe_text("description", doc.description);
            dump.maybe_text("external", doc.external);
            dump.maybe_text("external_description", doc.external_description);
        });
    }

    fn origin(&mut self, key: &str, origin: Origin) {
        let pointer = origin.pointer.map_or("", |text| self.ir.texts.get(text).untrusted());
        self.object_at(key, |dump| {
            dump.string("file", dump.file(origin.source));
            dump.string("pointer", pointer);
        });
    }

    fn file(&self, source: base::SourceId) -> &'a str {
        if self.context.sources.contains(source) { self.context.sources.get(source).name() } else { "" }
    }

    fn value_at(&mut self, key: &str, value: ValueId) {
        self.json.key(key);
        self.value(value);
    }

    fn value(&mut self, id: ValueId) {
        self.depth += 1;
        match self.ir.values.rows[id] {
            _ if self.depth > MAX_DEPTH => self.json.raw("null"),
            JsonValue::Null => self.json.raw("null"),
            JsonValue::Bool(value) => self.json.bool(value),
            JsonValue::Number(number) => self.json.raw(self.ir.names.resolve(number)),
            JsonValue::String(text) => self.json.string(self.ir.names.resolve(text)),
            JsonValue::Array(items) => {
                self.json.open(b'[');
                for &item in self.ir.values.items.slice(items) {
                    self.value(item);
                }
                self.json.close(b']');
            }
            JsonValue::Object(members) => {
                self.json.open(b'{');
                for &(name, value) in self.ir.values.members.slice(members) {
                    self.json.key(self.ir.names.resolve(name));
                    self.value(value);
                }
                self.json.close(b'}');
            }
        }
        self.depth -= 1;
    }

    // The document.

    fn document(&mut self) {
        let ir = self.ir;
        self.object(|dump| {
            dump.string("ir_version", IR_VERSION);
            dump.object_at("generator", |dump| {
                dump.string("tungsten_version", dump.context.tungsten_version);
                dump.object_at("inputs", |dump| {
                    for (path, digest) in dump.context.inputs {
                        dump.string(path, &digest.to_string());
                    }
                });
            });
            dump.object_at("api", Self::api);
            dump.list_at("namespaces", ir.namespaces.ids(), Self::namespace);
            dump.object_at("types", |dump| {
                let types = dump.sorted_types();
                dump.list_at("types", types, Self::named_type);
                dump.rules();
            });
            dump.list_at("auth", ir.schemes.ids(), Self::scheme);
            dump.errors(merged_errors(ir), &merged_codes(ir));
            dump.agent_model();
            dump.list_at("diagnostics", dump.context.diagnostics, Self::diagnostic);
        });
    }

    fn api(&mut self) {
        let api = self.ir.api;
        if self.ir.namespaces.is_empty() {
            self.object_at("name", |dump| {
                dump.string("wire", "");
                dump.list_at("words", [(); 0], |_, ()| {});
            });
            self.string("title", "");
            self.string("version", "");
        } else {
            self.ident("name", api.name);
            self.string("title", api.title.map_or("", |text| self.ir.texts.get(text).untrusted()));
            self.maybe_text("description", api.description);
            self.maybe_text("docs_url", api.docs_url);
            self.sym("version", api.version);
        }
        self.list_at("servers", api.servers, Self::server);
    }

    fn server(&mut self, id: ServerId) {
        let Server { template, url, name, description, variables } = self.ir.servers[id];
        self.object(|dump| {
            dump.sym("url", url);
            dump.maybe_text("description", description);
            if template != url {
                dump.sym("template", template);
            }
            dump.maybe_sym("name", name);
            dump.new_list_at("variables", dump.ir.server_variables.slice(variables), |dump, row| {
                dump.object(|dump| {
                    dump.sym("name", row.name);
                    dump.sym("default", row.default);
                    dump.maybe_text("description", row.description);
                    let choices = dump.ir.server_choices.slice(row.choices);
                    dump.new_list_at("choices", choices, |dump, &choice| {
                        dump.json.string(dump.ir.names.resolve(choice));
                    });
                });
            });
        });
    }

    fn namespace(&mut self, id: NamespaceId) {
        let ir = self.ir;
        let row = &ir.namespaces[id];
        self.object(|dump| {
            dump.ident("name", row.name);
            dump.object_at("source", |dump| {
                dump.string("file", dump.file(row.source));
                dump.string("pointer", "");
            });
            dump.string("digest", &row.digest.to_string());
            dump.string("title", row.title.map_or("", |text| ir.texts.get(text).untrusted()));
            dump.sym("version", row.version);
            dump.resources(row.resources);
            dump.list_at("planned", ir.resources.op_refs.slice(row.planned), |dump, &op| dump.op(op));
            dump.errors(row.errors, &error_codes(ir, id));
            let side_ops = std::mem::take(&mut dump.side_ops[id.index()]);
            let is_webhook = |op: &OpId| matches!(ir.ops.rows[*op].kind, OpKind::Webhook(_));
            let (webhooks, callbacks): (Vec<OpId>, Vec<OpId>) = side_ops.into_iter().partition(is_webhook);
            dump.new_list_at("webhooks", &webhooks, |dump, &op| dump.op(op));
            dump.new_list_at("callbacks", &callbacks, |dump, &op| dump.op(op));
            let tags: Vec<Tag> = ir.tags.rows().iter().filter(|tag| tag.namespace == id).copied().collect();
            dump.new_list_at("tags", &tags, Self::tag);
            dump.info(row.info);
        });
    }

    fn tag(&mut self, row: &Tag) {
        self.object(|dump| {
            dump.sym("name", row.name);
            dump.doc(row.doc);
            dump.maybe_sym("parent", row.parent);
            dump.maybe_sym("kind", row.kind);
        });
    }

    fn info(&mut self, info: Info) {
        if info == Info::default() {
            return;
        }
        let Info { uri, doc, terms_of_service, contact, license } = info;
        self.object_at("info", |dump| {
            dump.maybe_text("uri", uri);
            dump.doc(doc);
            dump.maybe_text("terms_of_service", terms_of_service);
            if contact != Contact::default() {
                dump.object_at("contact", |dump| {
                    dump.maybe_text("name", contact.name);
                    dump.maybe_text("url", contact.url);
                    dump.maybe_text("email", contact.email);
                });
            }
            if license != License::default() {
                dump.object_at("license", |dump| {
                    dump.maybe_text("name", license.name);
                    dump.maybe_text("identifier", license.identifier);
                    dump.maybe_text("url", license.url);
                });
            }
        });
    }

    /// The resource tree, with a stack of its own: a path may nest as deep as it is long.
    fn resources(&mut self, top: Span<crate::ResourceRefId>) {
        let ir = self.ir;
        let refs = |span| ir.resources.resource_refs.slice(span).iter();
        self.json.key("resources");
        self.json.open(b'[');
        let mut stack = vec![refs(top)];
        while let Some(siblings) = stack.last_mut() {
            let Some(&id) = siblings.next() else {
                stack.pop();
                self.json.close(b']');
                if !stack.is_empty() {
                    self.json.close(b'}');
                }
                continue;
            };
            self.json.open(b'{');
            self.resource(id);
            self.json.key("children");
            self.json.open(b'[');
            stack.push(refs(ir.resources.rows[id].children));
        }
    }

    fn resource(&mut self, id: ResourceId) {
        let row = &self.ir.resources.rows[id];
        self.ident("name", row.name);
        self.sym("path_prefix", row.path_prefix);
        self.doc(row.doc);
        self.list_at("operations", self.ir.resources.op_refs.slice(row.ops), |dump, &op| dump.op(op));
    }

    // Authentication, errors, diagnostics.

    fn scheme(&mut self, id: crate::SchemeId) {
        let row = self.ir.schemes[id];
        self.object(|dump| {
            dump.string("kind", scheme_kind(row.kind));
            dump.sym("name", row.name);
            match row.kind {
                AuthKind::ApiKey { location, wire_name } => {
                    dump.string("location", key_location_name(location));
                    dump.sym("wire_name", wire_name);
                    dump.maybe_text("doc", row.doc);
                    dump.maybe_sym("env", row.env);
                }
                AuthKind::Bearer { format, prefix } => {
                    dump.maybe_sym("format", format);
                    dump.maybe_text("doc", row.doc);
                    dump.maybe_sym("prefix", prefix);
                    dump.maybe_sym("env", row.env);
                }
                AuthKind::Basic | AuthKind::Unsupported => dump.maybe_text("doc", row.doc),
                AuthKind::Oauth2 { flows, metadata_url } => {
                    dump.list_at("flows", dump.ir.flows.slice(flows), Self::flow);
                    dump.maybe_sym("metadata_url", metadata_url);
                    dump.maybe_text("doc", row.doc);
                }
                AuthKind::OpenIdConnect { url } => {
                    dump.sym("url", url);
                    dump.maybe_text("doc", row.doc);
                }
                AuthKind::Composite { satisfies, parts } => {
                    let satisfies = dump.ir.satisfied.slice(satisfies);
                    dump.list_at("satisfies", satisfies, |dump, name| {
                        dump.json.string(dump.ir.names.resolve(*name));
                    });
                    dump.list_at("parts", dump.ir.auth_parts.slice(parts), Self::auth_part);
                }
            }
            dump.new_bool("deprecated", row.deprecated);
        });
    }

    fn flow(&mut self, row: &crate::OauthFlow) {
        self.object(|dump| {
            let kind = match row.kind {
                FlowKind::ClientCredentials => "clientCredentials",
                FlowKind::AuthorizationCode => "authorizationCode",
                FlowKind::Password => "password",
                FlowKind::Implicit => "implicit",
                FlowKind::DeviceAuthorization => "deviceAuthorization",
            };
            dump.string("kind", kind);
            dump.maybe_sym("token_url", row.token_url);
            dump.maybe_sym("authorization_url", row.authorization_url);
            dump.maybe_sym("refresh_url", row.refresh_url);
            dump.maybe_sym("device_authorization_url", row.device_authorization_url);
            dump.object_at("scopes", |dump| {
                for scope in dump.ir.scopes.slice(row.scopes) {
                    let doc = scope.doc.map_or("", |text| dump.ir.texts.get(text).untrusted());
                    dump.string(dump.ir.names.resolve(scope.name), doc);
                }
            });
        });
    }

    fn auth_part(&mut self, row: &AuthPart) {
        self.object(|dump| match *row {
            AuthPart::Cookie { name } => {
                dump.string("kind", "cookie");
                dump.sym("name", name);
            }
            AuthPart::Header { name, source, mutation_only } => {
                dump.string("kind", "header");
                dump.sym("name", name);
                match source {
                    HeaderSource::Cookie(cookie) => dump.sym("equals_cookie", cookie),
                    HeaderSource::Config(key) => dump.sym("from_config", key),
                }
                dump.bool("mutation_only", mutation_only);
            }
            AuthPart::Bearer { env, prefix } => {
                dump.string("kind", "bearer");
                dump.maybe_sym("env", env);
                dump.maybe_sym("prefix", prefix);
            }
        });
    }

    fn errors(&mut self, errors: ErrorModel, codes: &[ErrorCode]) {
        let envelope = errors.envelope.and_then(|ty| self.type_id(ty));
        self.object_at("errors", |dump| {
            if let Some(envelope) = envelope {
                dump.string("envelope", &envelope);
            }
            dump.maybe_sym("code_field", errors.code_field);
            dump.maybe_sym("message_field", errors.message_field);
            dump.list_at("codes", codes, |dump, row| {
                dump.object(|dump| {
                    dump.sym("code", row.code);
                    dump.list_at("statuses", &row.statuses, |dump, status| dump.json.raw(&status.to_string()));
                });
            });
        });
    }

    fn diagnostic(&mut self, row: &Diagnostic) {
        self.object(|dump| {
            dump.string("code", row.code.name());
            dump.string("severity", row.severity.name());
            dump.string("message", &row.message);
            let first = std::iter::once((&row.place, None));
            let related = row.related.iter().map(|(place, why)| (place, Some(why.as_str())));
            dump.list_at("labels", first.chain(related), |dump, (place, why)| dump.label(place, why));
            if let Some(help) = &row.help {
                dump.string("help", help);
            }
        });
    }

    fn label(&mut self, place: &Place, why: Option<&str>) {
        self.object(|dump| {
            dump.string("file", place.file_name(dump.context.sources));
            dump.string("pointer", &place.pointer);
            if let Some((start, end)) = place.range {
                dump.object_at("span", |dump| {
                    dump.maybe_count("start", Some(start.into()));
                    dump.maybe_count("end", Some(end.into()));
                });
            }
            if let Some(why) = why {
                dump.string("message", why);
            }
        });
    }
}

/// What all namespaces agree on about errors.
fn merged_errors(ir: &Ir) -> ErrorModel {
    let mut models = ir.namespaces.rows().iter().map(|row| row.errors);
    let Some(first) = models.next() else { return ErrorModel::default() };
    models.fold(first, |merged, other| ErrorModel {
        envelope: merged.envelope.filter(|_| merged.envelope == other.envelope),
        code_field: merged.code_field.filter(|_| merged.code_field == other.code_field),
        message_field: merged.message_field.filter(|_| merged.message_field == other.message_field),
    })
}

/// The codes of all namespaces, each once, with the statuses that any of them knows.
fn merged_codes(ir: &Ir) -> Vec<ErrorCode> {
    let mut merged: Vec<ErrorCode> = Vec::new();
    let mut places: BTreeMap<Sym, usize> = BTreeMap::new();
    for code in ir.namespaces.ids().flat_map(|id| error_codes(ir, id)) {
        let place = *places.entry(code.code).or_insert(merged.len());
        match merged.get_mut(place) {
            None => merged.push(code),
            Some(first) => {
                first.statuses.extend(code.statuses);
                first.statuses.sort_unstable();
                first.statuses.dedup();
            }
        }
    }
    merged
}

fn scheme_kind(kind: AuthKind) -> &'static str {
    match kind {
        AuthKind::ApiKey { .. } => "api_key",
        AuthKind::Bearer { .. } => "http_bearer",
        AuthKind::Basic => "http_basic",
        AuthKind::Oauth2 { .. } => "o_auth2",
        AuthKind::OpenIdConnect { .. } => "open_id_connect",
        AuthKind::Composite { .. } => "composite",
        AuthKind::Unsupported => "unsupported",
    }
}

fn key_location_name(location: KeyLocation) -> &'static str {
    match location {
        KeyLocation::Header => "header",
        KeyLocation::Query => "query",
        KeyLocation::Cookie => "cookie",
    }
}
