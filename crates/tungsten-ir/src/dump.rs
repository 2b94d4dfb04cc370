//! The versioned JSON form of the IR: what `ir dump` prints and external emitters read.
//!
//! Reads the frozen IR, writes one JSON text straight from the tables, in a fixed order of members. `schema` describes
//! it. Optional members are left out when unset, lists are always there, names are `{wire, words}`.
//!
//! Choices of this form: an alias reads as an `intersection` of one member; a type that could not be lowered reads as
//! `any`; a discriminator's mapping lists only variants that are named types (others have their `tag`); webhooks and
//! callbacks are operations in lists of their own, beside the resource tree.

use base::digest::Digest;
use base::{Diagnostic, Id, Place, Sources, Span, Sym, TextId};

use crate::json::Json;
use crate::words::Words;
use crate::{
    Additional, AuthKind, AuthPart, Body, Bounds, Content, ContentId, Doc, Encoding, EnumValueId, ErrorModel, Example,
    ExampleId, Exhausted, Field, FlowKind, Format, HeaderSource, IR_VERSION, IntegerBits, Ir, JsonValue, KeyFormat,
    KeyLocation, Literal, Location, NamespaceId, Op, OpId, OpKind, OpStatus, Origin, PageStyle, Pagination, Param,
    Part, Piece, Precision, ResourceId, Response, ResponseKind, Role, Segment, Server, ServerId, Shape, Status,
    Strategy, Style, TypeId, ValueId,
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

/// Inline types and values nest as deep as documents may, with a wrapper at each level; this is far above.
const MAX_DEPTH: u32 = 800;

struct Dump<'a> {
    ir: &'a Ir,
    context: &'a DumpContext<'a>,
    json: Json,
    /// Depth of inline types and values that are being written.
    depth: u32,
    words: Words,
    /// Webhooks and callbacks of each namespace, in order.
    side_ops: Vec<Vec<OpId>>,
}

impl<'a> Dump<'a> {
    fn new(ir: &'a Ir, context: &'a DumpContext<'a>) -> Self {
        let mut side_ops: Vec<Vec<OpId>> = ir.namespaces.ids().map(|_| Vec::new()).collect();
        for (id, op) in ir.ops.rows.iter() {
            if op.kind != OpKind::Call {
                side_ops[op.namespace.index()].push(id);
            }
        }
        Self { ir, context, json: Json::new(context.pretty), depth: 0, words: Words::default(), side_ops }
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
            });
            dump.list_at("auth", ir.schemes.ids(), Self::scheme);
            dump.errors(merged_errors(ir));
            dump.object_at("agent", |dump| {
                for list in ["macros", "clusters"] {
                    dump.list_at(list, [(); 0], |_, ()| {});
                }
                dump.object_at("gates", |_| {});
                dump.object_at("error_codes", |_| {});
                for list in ["ambiguous_statuses", "non_json"] {
                    dump.list_at(list, [(); 0], |_, ()| {});
                }
            });
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
            self.sym("version", api.version);
        }
        self.list_at("servers", api.servers, Self::server);
    }

    fn server(&mut self, id: ServerId) {
        let Server { template, url, description, variables } = self.ir.servers[id];
        self.object(|dump| {
            dump.sym("url", url);
            dump.maybe_text("description", description);
            if template != url {
                dump.sym("template", template);
            }
            dump.new_list_at("variables", dump.ir.server_variables.slice(variables), |dump, row| {
                dump.object(|dump| {
                    dump.sym("name", row.name);
                    dump.sym("default", row.default);
                    dump.maybe_text("description", row.description);
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
            dump.errors(row.errors);
            let side_ops = std::mem::take(&mut dump.side_ops[id.index()]);
            let is_webhook = |op: &OpId| matches!(ir.ops.rows[*op].kind, OpKind::Webhook(_));
            let (webhooks, callbacks): (Vec<OpId>, Vec<OpId>) = side_ops.into_iter().partition(is_webhook);
            dump.new_list_at("webhooks", &webhooks, |dump, &op| dump.op(op));
            dump.new_list_at("callbacks", &callbacks, |dump, &op| dump.op(op));
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

    // Operations.

    fn op(&mut self, id: OpId) {
        let ir = self.ir;
        let op = &ir.ops.rows[id];
        self.object(|dump| {
            dump.sym("id", op.id);
            dump.ident("name", ir.op_name[id].unwrap_or(op.local_id));
            if op.id_stated {
                dump.sym("operation_id", op.local_id);
            }
            dump.string("method", op.method.name());
            dump.path(op);
            dump.doc(op.doc);
            dump.list_at("tags", ir.ops.tags.slice(op.tags), |dump, &tag| dump.json.string(ir.names.resolve(tag)));
            dump.object_at("params", |dump| {
                for (key, location) in LOCATIONS {
                    let params = ir.ops.params.slice(op.params).iter().filter(|param| param.location == location);
                    dump.list_at(key, params, Self::param);
                }
            });
            if let Some(body) = op.body {
                dump.body(&ir.ops.bodies[body]);
            }
            dump.list_at("responses", ir.ops.responses.slice(op.responses), Self::response);
            dump.security(op);
            if let Some(pagination) = ir.pagination[id] {
                dump.pagination(pagination);
            }
            dump.streaming(op);
            dump.bool("deprecated", op.deprecated);
            dump.op_status(op.status);
            dump.object_at("extensions", |dump| {
                for row in ir.ops.extensions.slice(op.extensions) {
                    dump.json.key(ir.names.resolve(row.name));
                    dump.literal(row.value);
                }
            });
            dump.op_agent(id);
            dump.origin("source", op.origin);
            if !op.servers.is_empty() {
                dump.list_at("servers", op.servers, Self::server);
            }
            match op.kind {
                OpKind::Call => {}
                OpKind::Webhook(name) => dump.sym("webhook", name),
                OpKind::Callback { of, name } => dump.object_at("callback", |dump| {
                    dump.sym("operation", ir.ops.rows[of].id);
                    dump.sym("name", name);
                }),
            }
        });
    }

    fn path(&mut self, op: &Op) {
        let ops = &self.ir.ops;
        self.object_at("path", |dump| {
            dump.sym("raw", op.path.raw);
            dump.list_at("segments", ops.segments.slice(op.path.segments), |dump, segment| match *segment {
                Segment::Literal(value) => dump.piece(Piece::Literal(value)),
                Segment::Param(name) => dump.piece(Piece::Param(name)),
                Segment::Template(pieces) => dump.object(|dump| {
                    dump.string("kind", "template");
                    dump.list_at("parts", ops.pieces.slice(pieces), |dump, piece| dump.piece(*piece));
                }),
            });
            dump.new_list_at("query", ops.query_pairs.slice(op.path.query), |dump, pair| {
                dump.object(|dump| {
                    dump.sym("name", pair.name);
                    dump.sym("value", pair.value);
                });
            });
        });
    }

    fn piece(&mut self, piece: Piece) {
        self.object(|dump| match piece {
            Piece::Literal(value) => {
                dump.string("kind", "literal");
                dump.sym("value", value);
            }
            Piece::Param(name) => {
                dump.string("kind", "param");
                dump.sym("name", name);
            }
        });
    }

    fn param(&mut self, param: &Param) {
        self.object(|dump| {
            dump.sym("wire_name", param.name);
            dump.ident("name", param.name);
            dump.ty_at("ty", param.ty);
            dump.bool("required", param.required);
            dump.doc(param.doc);
            dump.string("style", style_name(param.style));
            dump.bool("explode", param.explode);
            dump.string("role", role_name(param.role));
            dump.bool("deprecated", param.deprecated);
            dump.maybe_sym("media_type", param.media_type);
            if let Some(constant) = param.constant {
                dump.value_at("constant", constant);
            }
            dump.new_bool("allow_reserved", param.allow_reserved);
            dump.new_bool("allow_empty", param.allow_empty);
            dump.new_bool("sensitive", param.sensitive);
            if let Some(default) = param.default {
                dump.value_at("default", default);
            }
            dump.examples(param.examples);
        });
    }

    fn body(&mut self, body: &Body) {
        self.object_at("body", |dump| {
            dump.list_at("content", dump.ir.ops.contents.slice(body.contents), Self::content);
            dump.bool("required", body.required);
            dump.doc(body.doc);
        });
    }

    fn content(&mut self, content: &Content) {
        self.object(|dump| {
            dump.sym("media_type", content.media_type);
            dump.ty_at("ty", content.ty);
            dump.string("encoding", encoding_name(content.encoding));
            dump.new_list_at("parts", dump.ir.ops.parts.slice(content.parts), Self::part);
            dump.examples(content.examples);
        });
    }

    fn part(&mut self, part: &Part) {
        self.object(|dump| {
            dump.sym("wire_name", part.name);
            dump.maybe_sym("content_type", part.content_type);
            if let Some(style) = part.style {
                dump.string("style", style_name(style));
            }
            if let Some(explode) = part.explode {
                dump.bool("explode", explode);
            }
            dump.new_bool("allow_reserved", part.allow_reserved);
        });
    }

    fn examples(&mut self, examples: Span<ExampleId>) {
        self.new_list_at("examples", self.ir.ops.examples.slice(examples), |dump, &Example { name, value }| {
            dump.object(|dump| {
                dump.maybe_sym("name", name);
                dump.json.key("value");
                dump.literal(value);
            });
        });
    }

    fn literal(&mut self, literal: Literal) {
        let value = (self.context.literal)(literal);
        self.json.value(&value);
    }

    fn response(&mut self, response: &Response) {
        let ops = &self.ir.ops;
        self.object(|dump| {
            dump.status(response.status);
            dump.list_at("content", ops.contents.slice(response.contents), Self::content);
            dump.list_at("headers", ops.headers.slice(response.headers), |dump, header| {
                dump.object(|dump| {
                    dump.sym("wire_name", header.name);
                    dump.ty_at("ty", header.ty);
                    dump.bool("required", header.required);
                    dump.doc(header.doc);
                });
            });
            let kind = match response.kind {
                ResponseKind::Success => "success",
                ResponseKind::Error => "error",
                ResponseKind::Ambiguous => "ambiguous",
            };
            dump.kind("kind", kind);
            dump.doc(response.doc);
            dump.new_list_at("links", ops.links.slice(response.links), |dump, link| {
                dump.object(|dump| {
                    dump.sym("name", link.name);
                    if let Some(op) = link.operation {
                        dump.sym("operation", ops.rows[op].id);
                    }
                    dump.object_at("parameters", |dump| {
                        for &(name, value) in ops.link_parameters.slice(link.parameters) {
                            dump.json.key(dump.ir.names.resolve(name));
                            dump.literal(value);
                        }
                    });
                    if let Some(body) = link.body {
                        dump.json.key("body");
                        dump.literal(body);
                    }
                    dump.doc(link.doc);
                });
            });
        });
    }

    fn status(&mut self, status: Status) {
        self.object_at("status", |dump| match status {
            Status::Exact(code) => {
                dump.string("kind", "exact");
                dump.maybe_count("value", Some(code.into()));
            }
            Status::Range(digit) => {
                dump.string("kind", "range");
                dump.maybe_count("value", Some(digit.into()));
            }
            Status::Default => dump.string("kind", "default"),
        });
    }

    fn security(&mut self, op: &Op) {
        let ir = self.ir;
        self.list_at("security", ir.ops.alternatives.slice(op.security), |dump, alternative| {
            dump.object(|dump| {
                dump.list_at("all_of", ir.ops.requirements.slice(alternative.all_of), |dump, requirement| {
                    dump.object(|dump| {
                        dump.sym("scheme", ir.schemes[requirement.scheme].name);
                        let scopes = ir.ops.scope_uses.slice(requirement.scopes);
                        dump.list_at("scopes", scopes, |dump, &scope| dump.json.string(ir.names.resolve(scope)));
                    });
                });
            });
        });
    }

    fn pagination(&mut self, row: Pagination) {
        self.object_at("pagination", |dump| {
            dump.object_at("style", |dump| match row.style {
                PageStyle::Cursor { request_param, response_field } => {
                    dump.string("kind", "cursor");
                    dump.sym("request_param", request_param);
                    dump.maybe_sym("response_field", response_field);
                }
                PageStyle::Offset { offset_param, limit_param } => {
                    dump.string("kind", "offset");
                    dump.sym("offset_param", offset_param);
                    dump.sym("limit_param", limit_param);
                }
                PageStyle::Page { page_param, size_param } => {
                    dump.string("kind", "page");
                    dump.sym("page_param", page_param);
                    dump.sym("size_param", size_param);
                }
                PageStyle::LinkHeader => dump.string("kind", "link_header"),
            });
            dump.string("items_field", row.items.map_or("", |items| dump.ir.names.resolve(items)));
            dump.maybe_sym("page_size_param", row.page_size_param);
            let exhausted = match row.exhausted_when {
                Exhausted::CursorNull => "cursor_null",
                Exhausted::EmptyItems => "empty_items",
                Exhausted::NoLink => "no_link",
                Exhausted::HasMoreFalse => "has_more_false",
            };
            dump.string("exhausted_when", exhausted);
            dump.maybe_sym("has_more_field", row.has_more_field);
            dump.maybe_sym("cursor_item_field", row.cursor_item_field);
            dump.bool("inferred", row.inferred);
        });
    }

    /// How the first successful answer that streams does so.
    fn streaming(&mut self, op: &Op) {
        let ops = &self.ir.ops;
        let contents = |response: &Response| -> Span<ContentId> { response.contents };
        let success = ops.responses.slice(op.responses).iter().filter(|row| row.kind == ResponseKind::Success);
        let streams = success.flat_map(|row| contents(row).iter().map(move |content| (row, &ops.contents[content])));
        let found = streams.into_iter().find_map(|(row, content)| Some((row, content, stream_name(content.encoding)?)));
        let Some((response, content, name)) = found else { return };
        self.string("streaming", name);
        if content.encoding != Encoding::Events {
            return;
        }
        let also_plain = ops.contents.slice(response.contents).iter().any(|other| other.encoding == Encoding::Json);
        self.object_at("stream", |dump| {
            dump.status(response.status);
            dump.sym("media_type", content.media_type);
            dump.ty_at("event", content.ty);
            dump.maybe_sym("done", content.stream_done);
            dump.bool("also_plain", also_plain);
        });
    }

    fn op_status(&mut self, status: OpStatus) {
        self.object_at("status", |dump| match status {
            OpStatus::Implemented => dump.string("kind", "implemented"),
            OpStatus::Planned { reason } => {
                dump.string("kind", "planned");
                dump.maybe_text("reason", Some(reason));
            }
        });
    }

    fn op_agent(&mut self, id: OpId) {
        let idempotency = self.ir.idempotency[id];
        self.object_at("agent", |dump| {
            dump.string("safety", dump.ir.safety[id].name());
            dump.object_at("idempotency", |dump| {
                dump.string("policy", idempotency.policy.name());
                dump.maybe_sym("header", idempotency.header);
                if let Some(format) = idempotency.format {
                    let name = match format {
                        KeyFormat::UuidV4 => "uuid_v4",
                        KeyFormat::Uuid => "uuid",
                        KeyFormat::Opaque => "opaque",
                    };
                    dump.string("format", name);
                }
                dump.bool("persist_required", idempotency.persist_required);
            });
        });
    }

    // Types.

    /// Named types by id, which is `<namespace>.<name>`.
    fn sorted_types(&self) -> Vec<TypeId> {
        let mut types: Vec<(String, TypeId)> =
            self.ir.types.named.iter().filter_map(|&id| Some((self.type_id(id)?, id))).collect();
        types.sort();
        types.into_iter().map(|(_, id)| id).collect()
    }

    fn type_id(&self, id: TypeId) -> Option<String> {
        let name = self.ir.types.rows[id].name?;
        let namespace = self.ir.namespaces[name.namespace].name;
        Some(format!("{}.{}", self.ir.names.resolve(namespace), self.ir.names.resolve(name.name)))
    }

    fn named_type(&mut self, id: TypeId) {
        let row = &self.ir.types.rows[id];
        let name = row.name.expect("only named types stand in the list of types");
        let type_id = self.type_id(id).unwrap_or_default();
        self.object(|dump| {
            dump.string("id", &type_id);
            dump.ident("name", name.name);
            dump.sym("namespace", dump.ir.namespaces[name.namespace].name);
            dump.json.key("shape");
            dump.shape(id);
            dump.doc(row.doc);
            dump.bool("recursive", dump.ir.recursive[id]);
            dump.origin("origin", row.origin);
            dump.new_bool("deprecated", row.deprecated);
            if let Some(default) = row.default {
                dump.value_at("default", default);
            }
        });
    }

    fn ty_at(&mut self, key: &str, ty: TypeId) {
        self.json.key(key);
        self.ty(ty);
    }

    fn ty(&mut self, ty: TypeId) {
        let target = self.without_inline_aliases(ty);
        if let Some(type_id) = self.type_id(target) {
            self.object(|dump| {
                dump.string("kind", "named");
                dump.string("value", &type_id);
            });
            return;
        }
        self.object(|dump| {
            dump.string("kind", "inline");
            dump.json.key("value");
            dump.shape(target);
        });
    }

    /// An inline alias has no name to keep, so it reads as its target.
    fn without_inline_aliases(&self, ty: TypeId) -> TypeId {
        let mut at = ty;
        for _ in 0..MAX_DEPTH {
            match self.ir.types.rows[at] {
                crate::Type { name: None, shape: Shape::Alias { target }, .. } => at = target,
                _ => break,
            }
        }
        at
    }

    fn shape(&mut self, id: TypeId) {
        self.depth += 1;
        let shape = if self.depth > MAX_DEPTH { Shape::Unknown } else { self.ir.types.rows[id].shape };
        self.json.open(b'{');
        self.shape_members(id, shape);
        self.json.close(b'}');
        self.depth -= 1;
    }

    fn shape_members(&mut self, id: TypeId, shape: Shape) {
        let types = &self.ir.types;
        let bounds = types.rows[id].bounds.map_or_else(Bounds::default, |bounds| types.bounds[bounds]);
        match shape {
            Shape::Unknown | Shape::Any => self.string("kind", "any"),
            Shape::Never => self.string("kind", "never"),
            Shape::Bool | Shape::Integer { .. } | Shape::Number { .. } | Shape::String { .. } | Shape::Bytes => {
                self.string("kind", "primitive");
                self.object_at("primitive", |dump| dump.primitive(shape));
            }
            Shape::Enum { values } => {
                self.string("kind", "enum");
                self.kind("base", self.enum_base(values));
                self.list_at("values", types.enum_values.slice(values), |dump, row| {
                    dump.object(|dump| {
                        dump.value_at("value", row.value);
                        dump.ident("name", row.name);
                        if let Some(doc) = row.doc {
                            dump.doc(Doc { description: Some(doc), ..Doc::default() });
                        }
                    });
                });
            }
            Shape::Const { value } => {
                self.string("kind", "const");
                self.value_at("value", value);
            }
            Shape::Array { items } => {
                self.string("kind", "array");
                self.ty_at("items", items);
                self.list_bounds(&bounds);
            }
            Shape::Tuple { prefix, rest } => {
                self.string("kind", "tuple");
                self.list_at("items", types.members.slice(prefix), |dump, &ty| dump.ty(ty));
                if let Some(rest) = rest {
                    self.ty_at("rest", rest);
                }
                self.list_bounds(&bounds);
            }
            Shape::Map { values } => {
                self.string("kind", "map");
                self.ty_at("values", values);
            }
            Shape::Record { fields, additional } => {
                self.string("kind", "record");
                self.list_at("fields", types.fields.slice(fields), Self::field);
                self.additional(additional);
            }
            Shape::Union { .. } => self.union(shape),
            Shape::Intersection { members } => {
                self.string("kind", "intersection");
                self.list_at("members", types.members.slice(members), |dump, &ty| dump.ty(ty));
            }
            Shape::Nullable { inner } => {
                self.string("kind", "nullable");
                self.ty_at("inner", inner);
            }
            Shape::Alias { target } => {
                self.string("kind", "intersection");
                self.list_at("members", [target], Self::ty);
            }
        }
        self.maybe_count("min_properties", bounds.min_properties);
        self.maybe_count("max_properties", bounds.max_properties);
        self.constraints(&bounds);
    }

    fn list_bounds(&mut self, bounds: &Bounds) {
        self.maybe_count("min", bounds.min_items);
        self.maybe_count("max", bounds.max_items);
        self.bool("unique", bounds.unique_items);
    }

    fn constraints(&mut self, bounds: &Bounds) {
        let numbers = [
            ("minimum", bounds.minimum),
            ("maximum", bounds.maximum),
            ("exclusive_minimum", bounds.exclusive_minimum),
            ("exclusive_maximum", bounds.exclusive_maximum),
            ("multiple_of", bounds.multiple_of),
        ];
        let texts = bounds.pattern.is_some() || bounds.min_length.is_some() || bounds.max_length.is_some();
        if !texts && numbers.iter().all(|(_, number)| number.is_none()) {
            return;
        }
        self.object_at("constraints", |dump| {
            dump.maybe_text("pattern", bounds.pattern);
            dump.maybe_count("min_length", bounds.min_length);
            dump.maybe_count("max_length", bounds.max_length);
            for (key, number) in numbers {
                if let Some(number) = number {
                    dump.json.key(key);
                    dump.json.raw(dump.ir.names.resolve(number));
                }
            }
        });
    }

    fn primitive(&mut self, shape: Shape) {
        let kind = match shape {
            Shape::Bool => "bool",
            Shape::Integer { bits: IntegerBits::B32 } => "int32",
            Shape::Integer { bits: IntegerBits::B64 } => "int64",
            Shape::Integer { bits: IntegerBits::Unstated } => "integer",
            Shape::Number { precision: Precision::Single } => "float",
            Shape::Number { precision: Precision::Double } => "double",
            Shape::Number { precision: Precision::Unstated } => "number",
            Shape::Bytes => "bytes",
            _ => "string",
        };
        self.string("kind", kind);
        let Shape::String { format: Some(format) } = shape else { return };
        match format {
            Format::Other(name) => self.object_at("format", |dump| dump.sym("other", name)),
            known => self.string("format", format_name(known)),
        }
    }

    /// The primitive that all values of an enum are; `mixed` when they differ.
    fn enum_base(&self, values: Span<EnumValueId>) -> &'static str {
        let kind = |value: ValueId| match self.ir.values.rows[value] {
            JsonValue::String(_) => "string",
            JsonValue::Bool(_) => "bool",
            JsonValue::Number(number) if self.ir.names.resolve(number).contains(['.', 'e', 'E']) => "number",
            JsonValue::Number(_) => "integer",
            JsonValue::Null | JsonValue::Array(_) | JsonValue::Object(_) => "mixed",
        };
        let join = |a, b| match (a, b) {
            _ if a == b => a,
            ("integer" | "number", "integer" | "number") => "number",
            _ => "mixed",
        };
        let kinds = self.ir.types.enum_values.slice(values).iter().map(|row| kind(row.value));
        kinds.reduce(join).unwrap_or("mixed")
    }

    fn field(&mut self, field: &Field) {
        let presence = match (field.required, self.ir.types.is_nullable(field.ty)) {
            (true, false) => "required",
            (true, true) => "required_nullable",
            (false, false) => "optional",
            (false, true) => "optional_nullable",
        };
        self.object(|dump| {
            dump.sym("wire_name", field.name);
            dump.ident("name", field.name);
            dump.ty_at("ty", field.ty);
            dump.string("presence", presence);
            dump.bool("read_only", field.read_only);
            dump.bool("write_only", field.write_only);
            dump.bool("deprecated", field.deprecated);
            if let Some(default) = field.default {
                dump.value_at("default", default);
            }
            dump.doc(field.doc);
            dump.bool("sensitive", field.sensitive);
        });
    }

    fn additional(&mut self, additional: Additional) {
        self.object_at("additional", |dump| match additional {
            Additional::Closed => dump.string("kind", "closed"),
            Additional::Open => dump.string("kind", "open"),
            Additional::Typed(values) => {
                dump.string("kind", "typed");
                dump.ty_at("values", values);
            }
        });
    }

    fn union(&mut self, shape: Shape) {
        let Shape::Union { variants, discriminator, strategy } = shape else { return };
        let types = &self.ir.types;
        self.string("kind", "union");
        self.list_at("variants", types.variants.slice(variants), |dump, variant| {
            dump.object(|dump| {
                dump.ident("name", variant.name);
                dump.ty_at("ty", variant.ty);
                if let Some(tag) = variant.tag {
                    dump.value_at("tag", tag);
                }
            });
        });
        if let Some(discriminator) = discriminator {
            let row = types.discriminators[discriminator];
            self.object_at("discriminator", |dump| {
                dump.sym("property", row.property);
                let named = types.mappings.slice(row.mapping).iter();
                let named: Vec<_> = named.filter_map(|row| Some((row.tag, dump.type_id(row.ty)?))).collect();
                dump.list_at("mapping", named, |dump, (tag, type_id)| {
                    dump.json.open(b'[');
                    dump.value(tag);
                    dump.json.string(&type_id);
                    dump.json.close(b']');
                });
            });
        }
        let name = match strategy {
            Strategy::Tagged => "tagged",
            Strategy::Literal => "literal",
            Strategy::ByType => "by_type",
            Strategy::ByProperty => "by_property",
            Strategy::ByValue => "by_value",
            Strategy::Untagged => "untagged",
        };
        self.string("strategy", name);
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
                AuthKind::Oauth2 { flows } => {
                    dump.list_at("flows", dump.ir.flows.slice(flows), Self::flow);
                    dump.maybe_text("doc", row.doc);
                }
                AuthKind::OpenIdConnect { url } => {
                    dump.sym("url", url);
                    dump.maybe_text("doc", row.doc);
                }
                AuthKind::Composite { satisfies, parts } => {
                    let satisfies = dump.ir.scopes.slice(satisfies);
                    dump.list_at("satisfies", satisfies, |dump, row| {
                        dump.json.string(dump.ir.names.resolve(row.name));
                    });
                    dump.list_at("parts", dump.ir.auth_parts.slice(parts), Self::auth_part);
                }
            }
        });
    }

    fn flow(&mut self, row: &crate::OauthFlow) {
        self.object(|dump| {
            let kind = match row.kind {
                FlowKind::ClientCredentials => "clientCredentials",
                FlowKind::AuthorizationCode => "authorizationCode",
                FlowKind::Password => "password",
                FlowKind::Implicit => "implicit",
            };
            dump.string("kind", kind);
            dump.maybe_sym("token_url", row.token_url);
            dump.maybe_sym("authorization_url", row.authorization_url);
            dump.maybe_sym("refresh_url", row.refresh_url);
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

    fn errors(&mut self, errors: ErrorModel) {
        let envelope = errors.envelope.and_then(|ty| self.type_id(ty));
        self.object_at("errors", |dump| {
            if let Some(envelope) = envelope {
                dump.string("envelope", &envelope);
            }
            dump.maybe_sym("code_field", errors.code_field);
            dump.maybe_sym("message_field", errors.message_field);
            dump.list_at("codes", [(); 0], |_, ()| {});
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

const LOCATIONS: [(&str, Location); 4] =
    [("path", Location::Path), ("query", Location::Query), ("header", Location::Header), ("cookie", Location::Cookie)];

fn style_name(style: Style) -> &'static str {
    match style {
        Style::Simple => "simple",
        Style::Form => "form",
        Style::Label => "label",
        Style::Matrix => "matrix",
        Style::SpaceDelimited => "space_delimited",
        Style::PipeDelimited => "pipe_delimited",
        Style::DeepObject => "deep_object",
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Plain => "plain",
        Role::IdempotencyKey => "idempotency_key",
        Role::DryRun => "dry_run",
        Role::Origin => "origin",
        Role::Auth => "auth",
        Role::Constant => "constant",
    }
}

fn encoding_name(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Json => "json",
        Encoding::Form => "form",
        Encoding::Multipart => "multipart",
        Encoding::Bytes => "bytes",
        Encoding::Text => "text",
        Encoding::JsonLines => "jsonl",
        Encoding::Events => "events",
    }
}

fn stream_name(encoding: Encoding) -> Option<&'static str> {
    match encoding {
        Encoding::Events => Some("sse"),
        Encoding::JsonLines => Some("ndjson"),
        Encoding::Bytes => Some("bytes"),
        _ => None,
    }
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Uuid => "uuid",
        Format::DateTime => "date_time",
        Format::Date => "date",
        Format::Time => "time",
        Format::Duration => "duration",
        Format::Email => "email",
        Format::Uri => "uri",
        Format::Hostname => "hostname",
        Format::Ipv4 => "ipv4",
        Format::Ipv6 => "ipv6",
        Format::Byte => "byte",
        Format::Password => "password",
        Format::Other(_) => "other",
    }
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

#[cfg(test)]
mod tests {
    use base::{Code, Diags, Id, Place};
    use serde_json::{Value, json};

    use super::{DumpContext, dump, dump_op, dump_type};
    use crate::sample::{Sample, shop};
    use crate::schema::schema;
    use crate::schema::tests::fault;
    use crate::{Literal, OpId, ResourceId, Shape};

    fn with_context<T>(sample: &Sample, pretty: bool, run: impl FnOnce(&DumpContext<'_>) -> T) -> T {
        let mut diags = Diags::new();
        diags.report(Code::TG0203, Place::at(sample.source, "/a", (1, 2)), "circle").help = Some("none".to_owned());
        let diagnostics = diags.finish(&sample.sources);
        let literal = |literal: Literal| json!({"node": literal.node});
        run(&DumpContext {
            tungsten_version: "0.1.0",
            inputs: &[("openapi.yaml".to_owned(), base::digest::Digest::of(b""))],
            sources: &sample.sources,
            diagnostics: &diagnostics,
            literal: &literal,
            pretty,
        })
    }

    fn document(sample: &Sample) -> Value {
        let text = with_context(sample, false, |context| dump(&sample.ir, context));
        serde_json::from_str(&text).expect("the dump is JSON")
    }

    #[test]
    fn dumps_fit_the_schema() {
        let schema = schema();
        for sample in [Sample::new(), shop()] {
            assert_eq!(sample.faults(), [""; 0]);
            assert_eq!(fault(&schema, &document(&sample)), None);
        }
        let breaks: [(&str, Value, &str); 6] = [
            ("/namespaces/0/resources/0/operations/0/method", json!("get"), "enum"),
            ("/types/types/0/shape/kind", json!("primitve"), "oneOf"),
            ("/types/types/0/id", json!(1), "type"),
            ("/ir_version", json!("2.0.0"), "pattern"),
            ("/namespaces/0/resources/0/operations/0/extensions", json!({"y": 1}), "propertyNames"),
            ("/namespaces/0/resources/0", json!({}), "required"),
        ];
        for (pointer, value, keyword) in breaks {
            let mut broken = document(&shop());
            *broken.pointer_mut(pointer).expect("the sample has it") = value;
            let fault = fault(&schema, &broken).unwrap_or_default();
            assert!(fault.contains(keyword), "{pointer}: {fault:?}");
        }
    }

    #[test]
    fn members_come_in_their_order_and_pretty_means_the_same() {
        let sample = shop();
        let compact = with_context(&sample, false, |context| dump(&sample.ir, context));
        let pretty = with_context(&sample, true, |context| dump(&sample.ir, context));
        let value: Value = serde_json::from_str(&compact).expect("the dump is JSON");
        assert_eq!(serde_json::from_str::<Value>(&pretty).expect("the dump is JSON"), value);
        assert!(!compact.contains('\n') && pretty.starts_with("{\n  \"ir_version\": \"1.1.0\",\n"));
        let keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
        let expect =
            ["ir_version", "generator", "api", "namespaces", "types", "auth", "errors", "agent", "diagnostics"];
        assert_eq!(keys, expect);
        let ids: Vec<&str> =
            value["types"]["types"].as_array().expect("a list").iter().map(|row| text(&row["id"])).collect();
        assert!(ids.is_sorted() && ids.contains(&"shop.Pet"));
    }

    fn text(value: &Value) -> &str {
        value.as_str().expect("a string")
    }

    #[test]
    fn shapes_read_as_documented() {
        let sample = shop();
        let document = document(&sample);
        let types = document["types"]["types"].as_array().expect("a list");
        let cases = [
            ("shop.Creature", json!({"kind": "intersection", "members": [{"kind": "named", "value": "shop.Pet"}]})),
            (
                "shop.Account",
                json!({"kind": "primitive", "primitive": {"kind": "string", "format": {"other": "iban"}}}),
            ),
            ("shop.Fixed", json!({"kind": "const", "value": 100.0})),
        ];
        for (id, shape) in cases {
            let row = types.iter().find(|row| row["id"] == id).expect("the type is there");
            assert_eq!(row["shape"], shape, "{id}");
        }
        let animal = types.iter().find(|row| row["id"] == "shop.Animal").expect("the type is there");
        let mapping = json!({"property": "kind", "mapping": [["Cat", "shop.Cat"], ["Dog", "shop.Dog"]]});
        assert_eq!(animal["shape"]["discriminator"], mapping);
        let dog = types.iter().find(|row| row["id"] == "shop.Dog").expect("the type is there");
        assert_eq!(dog["shape"]["fields"][1]["presence"], "required_nullable");
        let cat = types.iter().find(|row| row["id"] == "shop.Cat").expect("the type is there");
        let constraints = json!({"minimum": 0, "multiple_of": 0.5});
        assert_eq!(cat["shape"]["fields"][1]["ty"]["value"]["constraints"], constraints);
    }

    #[test]
    fn operations_stand_in_the_tree_and_beside_it() {
        let document = document(&shop());
        let namespace = &document["namespaces"][0];
        assert_eq!(namespace["name"], json!({"wire": "shop", "words": ["shop"]}));
        let pets = &namespace["resources"][0];
        assert_eq!(pets["operations"][0]["id"], "shop.getPet");
        assert_eq!(pets["operations"][0]["extensions"], json!({"x-note": {"node": 7}}));
        let scheme = json!([{"all_of": [{"scheme": "scheme3", "scopes": ["read"]}]}]);
        assert_eq!(pets["operations"][0]["security"], scheme);
        let watch = &pets["children"][0]["operations"][0];
        assert_eq!((&watch["streaming"], &watch["stream"]["also_plain"]), (&json!("sse"), &json!(false)));
        assert_eq!(namespace["webhooks"][0]["webhook"], "pet.sold");
        assert_eq!(namespace["callbacks"][0]["callback"], json!({"operation": "shop.getPet", "name": "pet.sold"}));
        let label = json!({"file": "openapi.yaml", "pointer": "/a", "span": {"start": 1, "end": 2}});
        assert_eq!(document["diagnostics"][0]["labels"], json!([label]));
    }

    #[test]
    fn fragments_equal_their_place_in_the_document() {
        let sample = shop();
        let document = document(&sample);
        let (op, ty) = with_context(&sample, false, |context| {
            let op = OpId::from_index(0);
            (dump_op(&sample.ir, context, op), dump_type(&sample.ir, context, sample.ir.types.named[0]))
        });
        let op: Value = serde_json::from_str(&op).expect("JSON");
        let ty: Value = serde_json::from_str(&ty).expect("JSON");
        assert_eq!(op, document["namespaces"][0]["resources"][0]["operations"][0]);
        assert!(document["types"]["types"].as_array().expect("a list").contains(&ty));
    }

    #[test]
    fn nesting_beyond_all_documents_ends() {
        let mut sample = Sample::new();
        let mut inner = sample.text_type();
        for _ in 0..5000 {
            inner = sample.ty("", Shape::Array { items: inner });
        }
        sample.ty("Deep", Shape::Array { items: inner });
        let mut parent = None;
        for _ in 0..20_000 {
            parent = Some(sample.resource("a", parent, &[]));
        }
        let rows = &mut sample.ir.resources;
        let top = rows.resource_refs.extend([ResourceId::from_index(0)]);
        sample.ir.namespaces[sample.namespace].resources = top;
        for index in 0..rows.rows.len() - 1 {
            let child = rows.resource_refs.extend([ResourceId::from_index(index + 1)]);
            rows.rows[ResourceId::from_index(index)].children = child;
        }
        let text = with_context(&sample, false, |context| dump(&sample.ir, context));
        assert_eq!(text.matches("\"path_prefix\"").count(), 20_000);
        assert!(text.contains("\"kind\":\"any\""));
    }
}
