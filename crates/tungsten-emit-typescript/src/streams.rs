//! Writes what an operation with a stream has beside its call: the type of the stream, the member of its descriptor, the
//! method and the standalone function that open it.
//!
//! Reads the plan and the view. What a stream does is the runtime's.

use tungsten_emit::layout::typescript as layout;
use tungsten_emit::{Call, Doc, StreamPlan, Success, Writer};
use tungsten_ir::{Doc as Prose, Encoding, Op, StreamFlag};

use crate::operations::{route, write_value};
use crate::types::{Speller, describe};
use crate::view::View;
use crate::{RUNTIME, literals, object};

/// What opening a stream gives, with the local names of its types.
pub(crate) enum StreamType {
    /// `EventStream<Value>`.
    Items { stream: String, values: Vec<String> },
    /// `Promise<Result<ReadableStream<Uint8Array>>>`.
    Bytes { result: String },
}

impl StreamType {
    /// Imports what the type needs; unnamed types of items are noted by the speller.
    pub(crate) fn new(o: &mut Writer, view: &View<'_>, types: &mut Speller<'_, '_>, stream: StreamPlan) -> Self {
        if is_bytes(view, stream) {
            return Self::Bytes { result: o.import_type(RUNTIME, "Result") };
        }
        let values = types.value_texts(&[item(view, stream)]);
        Self::Items { stream: o.import_type(RUNTIME, "EventStream"), values }
    }

    pub(crate) fn write(&self, doc: &mut Doc) {
        match self {
            Self::Bytes { result } => doc.text(format_args!("Promise<{result}<ReadableStream<Uint8Array>>>")),
            Self::Items { stream, values } => {
                doc.text(stream);
                let simple = matches!(values.as_slice(), [only] if is_name(only));
                layout::type_arguments(doc, simple, [values], |doc, values| write_value(doc, values));
            }
        }
    }
}

pub(crate) fn is_bytes(view: &View<'_>, stream: StreamPlan) -> bool {
    view.ir.ops.contents[stream.content].encoding == Encoding::Bytes
}

/// What the items of a stream are; of bytes there are none.
pub(crate) fn item(view: &View<'_>, stream: StreamPlan) -> Success {
    let content = &view.ir.ops.contents[stream.content];
    match content.encoding {
        Encoding::Bytes => Success::Bytes,
        _ => Success::Json(content.ty),
    }
}

/// The function of the runtime that opens a stream.
pub(crate) fn opener(view: &View<'_>, stream: StreamPlan) -> &'static str {
    if is_bytes(view, stream) { "openDownload" } else { "openStream" }
}

/// The member `stream` of a descriptor; `open` is the local name of the opener.
pub(crate) fn member(doc: &mut Doc, view: &View<'_>, stream: StreamPlan, open: &str) {
    let content = &view.ir.ops.contents[stream.content];
    object::object(doc, |o| {
        o.plain("open", open);
        if is_bytes(view, stream) {
            return;
        }
        if let Some(done) = content.stream_done {
            o.string("done", literals::string(view.ir, done));
        }
        match stream.flag {
            Some(StreamFlag::Param(id)) => o.plain("flag", format_args!("\"{}\"", view.names.param(id))),
            Some(StreamFlag::Field(id)) => o.plain("flag", format_args!("\"{}\"", view.names.field(id))),
            None => {}
        }
        o.flag("text", content.is_text_data);
    });
}

/// The local names that a method or a function prints.
pub(crate) struct Opening<'n> {
    pub(crate) core: &'n str,
    pub(crate) options: &'n str,
    pub(crate) descriptors: &'n str,
    pub(crate) args: &'n str,
    /// Whether the arguments may be left out.
    pub(crate) optional: bool,
}

/// [`method`] or [`function`].
pub(crate) type Write = fn(&mut Writer, &mut Doc, &View<'_>, &Call, &StreamType, &Opening<'_>);

/// `listStream(args?, options?): EventStream<Value>`, a method.
pub(crate) fn method(
    o: &mut Writer,
    doc: &mut Doc,
    view: &View<'_>,
    call: &Call,
    ty: &StreamType,
    names: &Opening<'_>,
) {
    comment(o, view, call);
    doc.clear();
    doc.text(view.names.stream_method(call.op));
    signature(doc, names, &[], ty);
    o.print(doc);
    o.indent(|o| open(o, doc, view, call, names, "this.#core"));
    o.line("}");
}

/// `export function petsListStream(core, args?, options?): EventStream<Value>`.
pub(crate) fn function(
    o: &mut Writer,
    doc: &mut Doc,
    view: &View<'_>,
    call: &Call,
    ty: &StreamType,
    names: &Opening<'_>,
) {
    comment(o, view, call);
    doc.clear();
    doc.text(format_args!("export function {}", view.names.stream_function(call.op)));
    signature(doc, names, &[("core", "", names.core)], ty);
    o.print(doc);
    o.indent(|o| open(o, doc, view, call, names, "core"));
    o.line("}");
}

fn comment(o: &mut Writer, view: &View<'_>, call: &Call) {
    let op: &Op = &view.ir.ops.rows[call.op];
    describe(o, view, Prose::default(), op.deprecated, vec![format!("Stream of {}", route(view, op))]);
}

fn signature(doc: &mut Doc, names: &Opening<'_>, first: &[(&str, &str, &str)], ty: &StreamType) {
    let mark = if names.optional { "?" } else { "" };
    let own = [("args", mark, names.args), ("options", "?", names.options)];
    let parameter = |doc: &mut Doc, (name, mark, ty): (&str, &str, &str)| {
        doc.text(name);
        doc.text(mark);
        doc.text(": ");
        doc.text(ty);
    };
    layout::signature(doc, first.iter().copied().chain(own), parameter, |doc| {
        doc.text(": ");
        ty.write(doc);
    });
    doc.text(" {");
}

fn open(o: &mut Writer, doc: &mut Doc, view: &View<'_>, call: &Call, names: &Opening<'_>, core: &str) {
    doc.clear();
    doc.text(format_args!("return {core}.stream"));
    let constant = format!("{}.{}", names.descriptors, view.names.op_function(call.op));
    layout::arguments(doc, [constant.as_str(), "args", "options"], tungsten_emit::Doc::text);
    doc.text(";");
    o.print(doc);
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'))
}
