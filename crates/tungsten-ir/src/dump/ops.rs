//! Operations in the JSON form: parameters, bodies, responses, security, pages and streams.

use base::Span;

use super::Dump;
use crate::{
    Body, Content, Encoding, Example, ExampleId, Exhausted, Header, Literal, Location, Op, OpId, OpKind, OpStatus,
    PageStyle, Pagination, Param, Part, Parts, Piece, Response, ResponseKind, Role, Rpc, Segment, Status, StreamFlag,
};

impl Dump<'_> {
    pub(super) fn op(&mut self, id: OpId) {
        let ir = self.ir;
        let op = &ir.ops.rows[id];
        self.object(|dump| {
            dump.sym("id", op.id);
            dump.ident("name", ir.op_name[id].unwrap_or(op.local_id));
            if op.id_stated {
                dump.sym("operation_id", op.local_id);
            }
            dump.string("method", op.method.name(&ir.names));
            dump.path(op);
            dump.doc(op.doc);
            dump.list_at("tags", ir.ops.tags.slice(op.tags), |dump, &tag| dump.json.string(ir.names.resolve(tag)));
            dump.object_at("params", |dump| {
                for (key, location) in LOCATIONS {
                    let params = ir.ops.params.slice(op.params).iter().filter(|param| param.location == location);
                    dump.list_at(key, params, Self::param);
                }
                let whole = |param: &&Param| param.location == Location::Querystring;
                let whole: Vec<&Param> = ir.ops.params.slice(op.params).iter().filter(whole).collect();
                dump.new_list_at("querystring", &whole, |dump, param| dump.param(param));
            });
            if let Some(body) = op.body {
                dump.body(&ir.ops.bodies[body]);
            }
            dump.list_at("responses", ir.ops.responses.slice(op.responses), Self::response);
            dump.security(op);
            if let Some(pagination) = ir.pagination[id] {
                dump.pagination(pagination);
            }
            dump.streaming(id, op);
            dump.bool("deprecated", op.deprecated);
            dump.op_status(id);
            if let Some(rpc) = ir.rpc[id] {
                dump.rpc(rpc);
            }
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

    pub(super) fn path(&mut self, op: &Op) {
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

    pub(super) fn piece(&mut self, piece: Piece) {
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

    pub(super) fn param(&mut self, param: &Param) {
        self.object(|dump| {
            dump.sym("wire_name", param.name);
            dump.ident("name", param.name);
            dump.ty_at("ty", param.ty);
            dump.bool("required", param.required);
            dump.doc(param.doc);
            dump.string("style", param.style.name());
            dump.bool("explode", param.explode);
            dump.string("role", role_name(param.role));
            dump.bool("deprecated", param.deprecated);
            dump.maybe_sym("media_type", param.media_type);
            dump.parts(param.parts);
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

    pub(super) fn body(&mut self, body: &Body) {
        self.object_at("body", |dump| {
            dump.list_at("content", dump.ir.ops.contents.slice(body.contents), Self::content);
            dump.bool("required", body.required);
            dump.doc(body.doc);
        });
    }

    pub(super) fn content(&mut self, content: &Content) {
        self.object(|dump| {
            dump.sym("media_type", content.media_type);
            dump.ty_at("ty", content.ty);
            dump.string("encoding", encoding_name(content.encoding));
            dump.maybe_text("description", content.description);
            if let Some(item) = content.item {
                dump.ty_at("item", item);
            }
            dump.parts(content.parts);
            dump.examples(content.examples);
        });
    }

    /// Encodings nest as deep as documents may.
    fn parts(&mut self, parts: Parts) {
        let rows = &self.ir.ops.parts;
        self.new_list_at("parts", rows.slice(parts.named), Self::part);
        self.new_list_at("prefix_parts", rows.slice(parts.prefix), Self::part);
        if let Some(item) = parts.item {
            self.json.key("item_part");
            self.part(&rows[item]);
        }
    }

    pub(super) fn part(&mut self, part: &Part) {
        self.object(|dump| {
            dump.maybe_sym("wire_name", part.name);
            dump.maybe_sym("content_type", part.content_type);
            if let Some(style) = part.style {
                dump.string("style", style.name());
            }
            if let Some(explode) = part.explode {
                dump.bool("explode", explode);
            }
            dump.new_bool("allow_reserved", part.allow_reserved);
            dump.new_list_at("headers", dump.ir.ops.headers.slice(part.headers), Self::header);
            dump.parts(part.parts);
        });
    }

    pub(super) fn examples(&mut self, examples: Span<ExampleId>) {
        let rows = self.ir.ops.examples.slice(examples);
        let (with_value, others): (Vec<Example>, Vec<Example>) = rows.iter().partition(|row| row.value.is_some());
        self.new_list_at("examples", &with_value, Self::example);
        self.new_list_at("written_examples", &others, Self::example);
    }

    fn example(&mut self, row: &Example) {
        self.object(|dump| {
            dump.maybe_sym("name", row.name);
            if let Some(value) = row.value {
                dump.json.key("value");
                dump.literal(value);
            }
            dump.maybe_text("serialized", row.serialized);
            dump.maybe_text("external", row.external);
            dump.doc(row.doc);
        });
    }

    pub(super) fn literal(&mut self, literal: Literal) {
        let value = (self.context.literal)(literal);
        self.json.value(&value);
    }

    pub(super) fn response(&mut self, response: &Response) {
        let ops = &self.ir.ops;
        self.object(|dump| {
            dump.status(response.status);
            dump.list_at("content", ops.contents.slice(response.contents), Self::content);
            dump.list_at("headers", ops.headers.slice(response.headers), Self::header);
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
                    dump.maybe_sym("target", link.target);
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
                    if let Some(server) = link.server {
                        dump.json.key("server");
                        dump.server(server);
                    }
                    dump.doc(link.doc);
                });
            });
        });
    }

    fn header(&mut self, header: &Header) {
        self.object(|dump| {
            dump.sym("wire_name", header.name);
            dump.ty_at("ty", header.ty);
            dump.bool("required", header.required);
            dump.new_bool("explode", header.explode);
            dump.new_bool("deprecated", header.deprecated);
            dump.maybe_sym("media_type", header.media_type);
            dump.doc(header.doc);
            dump.examples(header.examples);
        });
    }

    pub(super) fn status(&mut self, status: Status) {
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

    pub(super) fn security(&mut self, op: &Op) {
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

    pub(super) fn pagination(&mut self, row: Pagination) {
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
                PageStyle::LinkField { response_field } => {
                    dump.string("kind", "link_field");
                    dump.sym("response_field", response_field);
                }
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
    pub(super) fn streaming(&mut self, id: OpId, op: &Op) {
        let ops = &self.ir.ops;
        let Some(stream) = ops.stream(op) else { return };
        let (response, content) = (&ops.responses[stream.response], &ops.contents[stream.content]);
        if let Some(name) = stream_name(content.encoding) {
            self.string("streaming", name);
        }
        if content.encoding != Encoding::Events {
            return;
        }
        let also_plain = ops.contents.slice(response.contents).iter().any(|other| other.encoding == Encoding::Json);
        let flag = self.ir.stream_flag[id].map(|flag| match flag {
            StreamFlag::Param(param) => ops.params[param].name,
            StreamFlag::Field(field) => self.ir.types.fields[field].name,
        });
        self.object_at("stream", |dump| {
            dump.status(response.status);
            dump.sym("media_type", content.media_type);
            dump.ty_at("event", content.ty);
            dump.maybe_sym("done", content.stream_done);
            dump.maybe_sym("request_flag", flag);
            dump.bool("also_plain", also_plain);
        });
    }

    pub(super) fn op_status(&mut self, id: OpId) {
        let ir = self.ir;
        self.object_at("status", |dump| match (ir.ops.rows[id].status, ir.gate[id]) {
            (OpStatus::Planned { reason }, _) => {
                dump.string("kind", "planned");
                dump.maybe_text("reason", Some(reason));
            }
            (OpStatus::Implemented, None) => dump.string("kind", "implemented"),
            (OpStatus::Implemented, Some(gate)) => {
                dump.string("kind", "gated");
                dump.object_at("gate", |dump| {
                    dump.sym("env_var", gate.env);
                    dump.bool("default_on", gate.default_on);
                    dump.maybe_count("disabled_status", Some(gate.disabled_status.into()));
                });
            }
        });
    }

    fn rpc(&mut self, rpc: Rpc) {
        self.object_at("rpc", |dump| {
            dump.sym("discriminator_field", rpc.field);
            dump.sym("discriminator_value", rpc.value);
            dump.maybe_sym("params_field", rpc.params);
            if !rpc.constants.is_empty() {
                dump.object_at("constants", |dump| {
                    for constant in dump.ir.ops.rpc_constants.slice(rpc.constants) {
                        dump.json.key(dump.ir.names.resolve(constant.name));
                        dump.value(constant.value);
                    }
                });
            }
        });
    }
}

const LOCATIONS: [(&str, Location); 4] =
    [("path", Location::Path), ("query", Location::Query), ("header", Location::Header), ("cookie", Location::Cookie)];

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
        Encoding::JsonSeq => "json_seq",
        Encoding::Events => "events",
    }
}

fn stream_name(encoding: Encoding) -> Option<&'static str> {
    match encoding {
        Encoding::Events => Some("sse"),
        Encoding::JsonLines => Some("ndjson"),
        Encoding::JsonSeq => Some("json_seq"),
        Encoding::Bytes => Some("bytes"),
        _ => None,
    }
}
