//! The IR's JSON form, with what only a compiled project knows: input digests, sources, documents behind literals.

use base::Id as _;
use base::digest::Digest;
use base_doc::{DocId, Kind, NodeId, NodeRef, Value};
use tungsten_ir::{DumpContext, Ir, Literal, OpId, TypeId};

use crate::compile::Compilation;
use crate::targets::VERSION;

/// The whole IR.
pub fn dump(compilation: &Compilation, ir: &Ir, pretty: bool) -> String {
    with_context(compilation, pretty, |context| tungsten_ir::dump(ir, context))
}

/// One operation's part of the dump.
pub fn operation(compilation: &Compilation, ir: &Ir, id: OpId) -> serde_json::Value {
    fragment(&with_context(compilation, false, |context| tungsten_ir::dump_op(ir, context, id)))
}

/// One named type's part of the dump.
pub fn named_type(compilation: &Compilation, ir: &Ir, id: TypeId) -> serde_json::Value {
    fragment(&with_context(compilation, false, |context| tungsten_ir::dump_type(ir, context, id)))
}

fn fragment(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("the dump is JSON")
}

fn with_context<R>(compilation: &Compilation, pretty: bool, body: impl FnOnce(&DumpContext<'_>) -> R) -> R {
    let inputs: Vec<(String, Digest)> = compilation.input_digests();
    let literal = |at: Literal| {
        let at = NodeRef { doc: DocId::from_index(at.doc as usize), node: NodeId::from_index(at.node as usize) };
        json(compilation.docs.value(at))
    };
    body(&DumpContext {
        tungsten_version: VERSION,
        inputs: &inputs,
        sources: &compilation.sources,
        diagnostics: &compilation.diagnostics,
        literal: &literal,
        pretty,
    })
}

/// A document value as JSON. Recursion ends at the depth that the parser checked (`limits::DEPTH`).
pub fn json(value: Value<'_>) -> serde_json::Value {
    match value.kind() {
        Kind::Null => serde_json::Value::Null,
        Kind::Bool => value.as_bool().unwrap_or_default().into(),
        Kind::Number => value.as_number().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default(),
        Kind::String => value.as_str().unwrap_or_default().into(),
        Kind::Array => value.children().map(json).collect(),
        Kind::Object => {
            let member = |child: Value<'_>| (child.key_text().unwrap_or_default().to_owned(), json(child));
            serde_json::Value::Object(value.children().map(member).collect())
        }
    }
}
