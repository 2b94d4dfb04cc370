//! Writes `descriptors/<resource path>.ts`: what the runtime must know about each call, as one constant a call.
//!
//! Reads the plan and the view. Members at their default are left out, so that the files stay small. Arguments and
//! methods are written by `resources`.

use base::Span;
use tungsten_emit::escape::typescript;
use tungsten_emit::layout::typescript::{self as layout, Items, Place, array};
use tungsten_emit::{BodyLayout, BodyPlan, Call, CallId, Doc, Lang, NodeId, Success, Writer};
use tungsten_ir::{ContentId, Encoding, Idempotency, Ir, Method, Op, Part, PartId, Policy, ResponseKind, Rpc, Status};

use crate::literals;
use crate::object::{Members, object, object_broken};
use crate::parameters::{self, Parameters};
use crate::schemas::Schemas;
use crate::streams::{self, StreamType};
use crate::types::Speller;
use crate::view::View;
use crate::{NO_ARGUMENTS, RUNTIME, agent, expressions, pages};

/// The descriptors of the calls of a file's resources, or nothing when there are none.
pub(crate) fn descriptors(view: &View<'_>, node: NodeId, header: &str) -> Option<String> {
    let mut calls = view.nodes_of_file(node).flat_map(|node| &view.plan.nodes[node].calls).peekable();
    calls.peek()?;
    let depth = view.node_path(node).matches('/').count() + 1;
    let resources = format!("{}resources/{}.js", "../".repeat(depth), view.node_path(node));
    let own = format!("descriptors/{}", view.node_path(node));
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    calls.clone().for_each(|&call| o.imports.reserve(view.names.op_function(view.plan.calls[call].op)));
    let mut doc = Doc::new();
    let mut file = File {
        view,
        resources,
        own,
        types: Speller::below_src(view, depth),
        schemas: Schemas::below_src(view, depth),
        parameters: Parameters::below_src(view, depth),
    };
    for &call in calls {
        o.blank();
        doc.clear();
        file.constant(&mut o, &mut doc, call);
        o.print(&doc);
    }
    file.types.import(&mut o.imports);
    file.schemas.import(&mut o.imports);
    file.parameters.import(&mut o.imports);
    Some(o.finish(header))
}

struct File<'v, 'a> {
    view: &'v View<'a>,
    /// The module that declares the arguments and values of these calls.
    resources: String,
    /// Path of the file below `src/`, without ending.
    own: String,
    types: Speller<'v, 'a>,
    schemas: Schemas<'v, 'a>,
    parameters: Parameters<'v, 'a>,
}

impl File<'_, '_> {
    fn constant(&mut self, o: &mut Writer, doc: &mut Doc, id: CallId) {
        let call = &self.view.plan.calls[id];
        let args = self.args_type(o, call);
        let values = self.types.value_texts(self.view.successes(call));
        let stream = call.stream.map(|stream| StreamType::new(o, self.view, &mut self.types, stream));
        let item = page_item(self.view, &mut self.types, id);
        for ty in std::mem::take(&mut self.types.values) {
            if let Some(name) = self.view.inline_name(ty) {
                o.import_type(&self.resources, name);
            }
        }
        let word = match (&item, &stream) {
            (None, None) => "OperationDescriptor",
            (Some(_), None) => "PagedDescriptor",
            (None, Some(_)) => "StreamingDescriptor",
            (Some(_), Some(_)) => "PagedStreamingDescriptor",
        };
        let descriptor = o.import_type(RUNTIME, word);
        let behaviour = Behaviour::import(o, self.view, &self.own, id);
        let name = self.view.names.op_function(call.op);
        let left = |doc: &mut Doc| {
            doc.text(format_args!("export const {name}: {descriptor}"));
            write_type_arguments(doc, &args, &values, item.as_deref(), stream.as_ref());
        };
        let mut right = |doc: &mut Doc| object_broken(doc, |o| self.members(o, id, &behaviour));
        // Prettier never puts the value on a line of its own where a type argument has arguments itself.
        if args.contains('<') || stream.is_some() {
            left(doc);
            doc.text(" = ");
            right(doc);
        } else {
            layout::assign(doc, left, right);
        }
        doc.text(";");
    }

    fn args_type(&self, o: &mut Writer, call: &Call) -> String {
        if call.args.is_empty() {
            NO_ARGUMENTS.to_owned()
        } else {
            o.import_type(&self.resources, self.view.names.op_args(call.op))
        }
    }

    fn members(&mut self, o: &mut Members<'_>, id: CallId, behaviour: &Behaviour) {
        let ir = self.view.ir;
        let call = &self.view.plan.calls[id];
        let op = ir.ops.rows[call.op];
        o.string("id", literals::string(ir, op.id));
        match op.method {
            Method::Other(name) => o.string("method", literals::string(ir, name)),
            fixed => o.plain("method", format_args!("\"{}\"", fixed.fixed_name().unwrap_or_default())),
        }
        o.string("path", literals::string(ir, op.path.raw));
        self.query(o, &op);
        self.params(o, &op);
        if let Some(body) = &call.body {
            o.member("body", |doc| object(doc, |o| self.body(o, call, body)));
        }
        if let Some(rpc) = ir.rpc[call.op] {
            o.member("rpc", |doc| object(doc, |o| self.rpc(o, rpc)));
        }
        self.responses(o, call);
        if let (Some(stream), Some(open)) = (call.stream, &behaviour.open_stream) {
            o.member("stream", |doc| streams::member(doc, self.view, stream, open));
        }
        if let (Some(pages), Some(open)) = (ir.pagination[call.op], &behaviour.open_pages) {
            o.member("pagination", |doc| object(doc, |o| pages::members(o, ir, call.op, &pages, open)));
        }
        self.security(o, &op);
        if !op.servers.is_empty() {
            o.member("servers", |doc| {
                array(doc, Items::Others, op.servers, |doc, id| doc.text(literals::string(ir, ir.servers[id].url)));
            });
        }
        o.plain("safety", format_args!("\"{}\"", ir.safety[call.op].name()));
        self.idempotency(o, ir.idempotency[call.op]);
        if let (Some(id), Some((run, read))) = (ir.agent.ops[call.op].verify, &behaviour.verify) {
            o.member("verify", |doc| object(doc, |o| expressions::verify(o, ir, ir.agent.verifies[id], run, read)));
        }
        agent::operation(o, ir, call.op, self.view.plan.secrets.get(id));
        if let Some(path) = call.error_code {
            o.string("errorCodeField", literals::string(ir, path));
        }
        if let Some(gate) = ir.gate[call.op] {
            o.member("gate", |doc| {
                object(doc, |o| {
                    o.string("env", literals::string(ir, gate.env));
                    o.plain("disabledStatus", gate.disabled_status);
                    if let Some(said) = ir.agent.gates.rows().iter().find(|said| said.env == gate.env) {
                        o.string("text", literals::prose(ir, said.text));
                    }
                });
            });
        }
        if let Some(summary) = op.doc.summary {
            o.string("summary", literals::prose(ir, summary));
        }
        o.flag("deprecated", op.deprecated);
    }

    fn query(&self, o: &mut Members<'_>, op: &Op) {
        if op.path.query.is_empty() {
            return;
        }
        let ir = self.view.ir;
        o.member("query", |doc| {
            let kind = if op.path.query.len() > 1 { Items::Composite } else { Items::Others };
            array(doc, kind, op.path.query, |doc, id| {
                let pair = ir.ops.query_pairs[id];
                object(doc, |o| {
                    o.string("name", literals::string(ir, pair.name));
                    o.string("value", literals::string(ir, pair.value));
                });
            });
        });
    }

    /// A parameter that several operations have is a constant of its namespace.
    fn params(&mut self, o: &mut Members<'_>, op: &Op) {
        if op.params.is_empty() {
            return;
        }
        let view = self.view;
        let all_own = op.params.iter().all(|id| view.plan.params.of(id).is_none());
        let kind = if op.params.len() > 1 && all_own { Items::Composite } else { Items::Others };
        o.member("params", |doc| {
            array(doc, kind, op.params, |doc, id| match view.plan.params.of(id) {
                Some(shared) => self.parameters.write(doc, shared),
                None => parameters::write(doc, view, &mut self.schemas, id),
            });
        });
    }

    fn body(&mut self, o: &mut Members<'_>, call: &Call, body: &BodyPlan) {
        let ir = self.view.ir;
        let content = ir.ops.contents[body.content];
        o.string("mediaType", literals::string(ir, content.media_type));
        o.plain("encoding", format_args!("\"{}\"", body_encoding(content.encoding)));
        o.flag("required", body.required);
        o.member("schema", |doc| self.schemas.write(doc, content.ty, 0));
        if body.layout == BodyLayout::Whole {
            o.plain("arg", format_args!("\"{}\"", self.view.names.body_arg(call.op)));
        }
        if matches!(content.encoding, Encoding::Form | Encoding::Multipart) {
            parts(o, ir, "parts", content.parts.named);
            parts(o, ir, "prefixParts", content.parts.prefix);
            if let Some(item) = content.parts.item {
                o.member("itemPart", |doc| object(doc, |o| part(o, ir, &ir.ops.parts[item])));
            }
        }
    }

    /// How the body of a method is wrapped.
    fn rpc(&self, o: &mut Members<'_>, rpc: Rpc) {
        let ir = self.view.ir;
        o.string("field", literals::string(ir, rpc.field));
        o.string("value", literals::string(ir, rpc.value));
        if let Some(params) = rpc.params {
            o.string("params", literals::string(ir, params));
        }
        if !rpc.constants.is_empty() {
            let rows = ir.ops.rpc_constants.slice(rpc.constants);
            let kind = if rows.len() > 1 { Items::Composite } else { Items::Others };
            o.member("constants", |doc| {
                array(doc, kind, rows, |doc, row| {
                    object(doc, |o| {
                        o.string("name", literals::string(ir, row.name));
                        o.string("value", literals::value(ir, row.value));
                    });
                });
            });
        }
    }

    /// A row for each media type of a success. Of other answers only the status matters: their bodies are read by what
    /// they say they are.
    fn responses(&mut self, o: &mut Members<'_>, call: &Call) {
        let ir = self.view.ir;
        let mut rows = Vec::with_capacity(call.rows.len());
        let mut last = None;
        for row in self.view.plan.rows.slice(call.rows) {
            let is_success = ir.ops.responses[row.response].kind == ResponseKind::Success;
            if is_success || last != Some(row.response) {
                rows.push((ir.ops.responses[row.response], row.content.filter(|_| is_success)));
            }
            last = Some(row.response);
        }
        let kind = if rows.len() > 1 { Items::Composite } else { Items::Others };
        o.member("responses", |doc| {
            array(doc, kind, rows, |doc, (response, content)| {
                object(doc, |o| {
                    match response.status {
                        Status::Exact(code) => o.plain("status", code),
                        Status::Range(digit) => o.plain("status", format_args!("\"{digit}XX\"")),
                        Status::Default => o.plain("status", "\"default\""),
                    }
                    o.plain("kind", format_args!("\"{}\"", kind_name(response.kind)));
                    if let Some(content) = content {
                        self.response_content(o, content);
                    }
                });
            });
        });
    }

    /// The schema is that of values; text and bytes have none.
    fn response_content(&mut self, o: &mut Members<'_>, id: ContentId) {
        let content = self.view.ir.ops.contents[id];
        o.string("mediaType", literals::string(self.view.ir, content.media_type));
        o.plain("encoding", format_args!("\"{}\"", response_encoding(content.encoding)));
        let has_values = matches!(
            content.encoding,
            Encoding::Json | Encoding::JsonLines | Encoding::JsonSeq | Encoding::Events | Encoding::Form
        );
        if has_values && content.schema_stated {
            o.member("schema", |doc| self.schemas.write(doc, content.ty, 0));
        }
    }

    fn security(&self, o: &mut Members<'_>, op: &Op) {
        if op.security.is_empty() {
            return;
        }
        let ir = self.view.ir;
        let alternatives = ir.ops.alternatives.slice(op.security);
        let composite = alternatives.len() > 1 && alternatives.iter().all(|one| one.all_of.len() > 1);
        let kind = if composite { Items::Composite } else { Items::Others };
        o.member("security", |doc| {
            array(doc, kind, alternatives, |doc, alternative| {
                array(doc, Items::Others, alternative.all_of, |doc, id| {
                    let scheme = ir.ops.requirements[id].scheme;
                    doc.text(literals::string(ir, ir.schemes[scheme].name));
                });
            });
        });
    }

    fn idempotency(&self, o: &mut Members<'_>, idempotency: Idempotency) {
        if idempotency.policy == Policy::None {
            return;
        }
        o.member("idempotency", |doc| {
            object(doc, |o| {
                o.plain("policy", format_args!("\"{}\"", idempotency.policy.name()));
                if let Some(header) = idempotency.header {
                    o.string("header", literals::string(self.view.ir, header));
                }
                if let Some(format) = idempotency.format {
                    o.plain("format", format_args!("\"{}\"", format.name()));
                }
                o.flag("persistRequired", idempotency.persist_required);
                if let Some(note) = idempotency.note {
                    o.string("note", literals::prose(self.view.ir, note));
                }
            });
        });
    }
}

/// `<Args, Value>`, the value a union where there are several, then the item of a page and the stream where there are such.
pub(crate) fn write_type_arguments(
    doc: &mut Doc,
    args: &str,
    values: &[String],
    item: Option<&[String]>,
    stream: Option<&StreamType>,
) {
    enum Argument<'a> {
        Args,
        Value(&'a [String]),
        Stream(&'a StreamType),
    }
    let some = [item.map(Argument::Value), stream.map(Argument::Stream)];
    let all = [Argument::Args, Argument::Value(values)].into_iter().chain(some.into_iter().flatten());
    layout::type_arguments(doc, false, all, |doc, argument| match argument {
        Argument::Args => doc.text(args),
        Argument::Value(values) => write_value(doc, values),
        Argument::Stream(stream) => stream.write(doc),
    });
}

/// The type of one item of a call's pages; nothing for a call that has none.
pub(crate) fn page_item(view: &View<'_>, types: &mut Speller<'_, '_>, id: CallId) -> Option<Vec<String>> {
    view.ir.pagination[view.plan.calls[id].op]?;
    Some(match view.plan.page_item[id] {
        Some(ty) => types.value_texts(&[Success::Json(ty)]),
        None => vec!["unknown".to_owned()],
    })
}

/// Local names of what a descriptor refers to beside data: functions of the runtime, and the operation of its hook.
struct Behaviour {
    open_pages: Option<String>,
    open_stream: Option<String>,
    /// What runs the hook, and the descriptor that it reads through.
    verify: Option<(String, String)>,
}

impl Behaviour {
    /// `own`: the descriptors' module, as the file itself would import it.
    fn import(o: &mut Writer, view: &View<'_>, own: &str, id: CallId) -> Self {
        let ir = view.ir;
        let op = view.plan.calls[id].op;
        let read = ir.agent.ops[op].verify.and_then(|hook| view.descriptor(ir.agent.verifies[hook].operation));
        Self {
            open_pages: ir.pagination[op].map(|_| o.import(RUNTIME, "openPages")),
            open_stream: view.plan.calls[id].stream.map(|stream| o.import(RUNTIME, streams::opener(view, stream))),
            verify: read.map(|(path, name)| {
                let module = format!("{}{path}.js", "../".repeat(own.matches('/').count()));
                let read = if path == own { name.to_owned() } else { o.import(&module, name) };
                (o.import(RUNTIME, "verifyCall"), read)
            }),
        }
    }
}

/// The value of a call inside type arguments.
pub(crate) fn write_value(doc: &mut Doc, values: &[String]) {
    match values {
        [only] => doc.text(only),
        [one, null] if null == "null" && !one.ends_with(']') && !is_keyword(one) => {
            doc.text(format_args!("{one} | null"));
        }
        many => layout::union(doc, Place::TypeArgument, many, tungsten_emit::Doc::text),
    }
}

fn is_keyword(text: &str) -> bool {
    matches!(text, "string" | "number" | "boolean" | "void" | "undefined" | "unknown" | "never")
}

/// How parts are written, under `key`; nothing when that is not said.
pub(crate) fn parts(o: &mut Members<'_>, ir: &Ir, key: &'static str, parts: Span<PartId>) {
    if parts.is_empty() {
        return;
    }
    let parts = ir.ops.parts.slice(parts);
    let composite = parts.len() > 1 && parts.iter().all(has_several_members);
    let kind = if composite { Items::Composite } else { Items::Others };
    o.member(key, |doc| array(doc, kind, parts, |doc, row| object(doc, |o| part(o, ir, row))));
}

fn part(o: &mut Members<'_>, ir: &Ir, part: &Part) {
    if let Some(name) = part.name {
        o.string("name", literals::string(ir, name));
    }
    if let Some(content_type) = part.content_type {
        o.string("contentType", literals::string(ir, content_type));
    }
    if let Some(style) = part.style {
        o.plain("style", format_args!("\"{}\"", style.name()));
    }
    if let Some(explode) = part.explode {
        o.plain("explode", explode);
    }
    o.flag("allowReserved", part.allow_reserved);
}

fn has_several_members(part: &Part) -> bool {
    let others = [part.content_type.is_some(), part.style.is_some(), part.explode.is_some(), part.allow_reserved];
    others.iter().filter(|stated| **stated).count() + usize::from(part.name.is_some()) > 1
}

fn body_encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Json => "json",
        Encoding::Form => "form",
        Encoding::Multipart => "multipart",
        Encoding::Bytes => "bytes",
        Encoding::Text | Encoding::JsonLines | Encoding::JsonSeq | Encoding::Events => "text",
    }
}

/// How a body that comes is decoded.
pub(crate) fn response_encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::JsonLines => "jsonl",
        Encoding::JsonSeq => "json_seq",
        Encoding::Events => "sse",
        other => body_encoding(other),
    }
}

fn kind_name(kind: ResponseKind) -> &'static str {
    match kind {
        ResponseKind::Success => "success",
        ResponseKind::Error => "error",
        ResponseKind::Ambiguous => "ambiguous",
    }
}

/// A text of the description in backticks inside a comment of ours.
pub(crate) fn route(view: &View<'_>, op: &Op) -> String {
    let path = typescript::line_comment(view.ir.name(op.path.raw)).replace('`', "'");
    let method = match op.method {
        Method::Other(name) => typescript::line_comment(view.ir.name(name)).replace('`', "'"),
        fixed => fixed.fixed_name().unwrap_or_default().to_owned(),
    };
    format!("`{method} {path}`")
}
