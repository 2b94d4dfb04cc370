//! The `x-agent-*` extensions of operations.
//!
//! Reads the extensions that the IR lists, and their values in the documents; writes entries as `tools` has them and
//! findings: TG0610 for a name without a meaning, or one that has its meaning elsewhere, TG0611 for a value of the
//! wrong shape. `x-agent-sensitive` is read where schemas and parameters are.

use std::collections::BTreeSet;

use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Id, Place};
use base_doc::{DocId, DocSet, Kind, NodeId, NodeRef, Value, escape_token};
use tungsten_ir::{Literal, OpId, OpKind};
use tungsten_manifest::{EXTENSIONS, Tool, read_extension};

use crate::cx::Cx;

const PREFIX: &str = "x-agent-";

/// The extension of schemas and parameters.
const SENSITIVE: &str = "x-agent-sensitive";

/// Whether any document has such an extension somewhere.
pub(crate) fn are_there(docs: &DocSet) -> bool {
    docs.keys.iter().any(|key| key.starts_with(PREFIX))
}

/// What the extensions of each operation say, by operation.
pub(crate) fn read(docs: &DocSet, cx: &mut Cx<'_>) -> Vec<(OpId, Tool)> {
    let mut found = Vec::new();
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    if !are_there(docs) {
        return found;
    }
    for id in cx.ir.ops.rows.ids() {
        let op = cx.ir.ops.rows[id];
        let is_ours = |row: &&tungsten_ir::Extension| cx.ir.names.resolve(row.name).starts_with(PREFIX);
        let rows: Vec<_> = cx.ir.ops.extensions.slice(op.extensions).iter().filter(is_ours).copied().collect();
        if rows.is_empty() || op.kind != OpKind::Call {
            continue;
        }
        let pointer = op.origin.pointer.map_or("", |text| cx.ir.texts.get(text).untrusted()).to_owned();
        let place = Place::at(op.origin.source, pointer.clone(), (op.origin.offset, op.origin.offset));
        let mut tool = Tool::about(cx.ir.names.resolve(op.id), place);
        for row in rows {
            let value = value(docs, row.value);
            seen.insert(place_in(value));
            if !read_extension(&mut tool, value, &pointer, cx.diags) {
                report_unknown(value, &pointer, cx);
            }
        }
        found.push((id, tool));
    }
    report_elsewhere(docs, &seen, cx);
    found
}

/// Document and row of a value.
fn place_in(value: Value<'_>) -> (usize, usize) {
    (value.at().doc.index(), value.at().node.index())
}

fn value(docs: &DocSet, literal: Literal) -> Value<'_> {
    docs.value(NodeRef {
        doc: DocId::from_index(literal.doc as usize),
        node: NodeId::from_index(literal.node as usize),
    })
}

fn report_unknown(value: Value<'_>, pointer: &str, cx: &mut Cx<'_>) {
    let name = value.key_text().unwrap_or_default();
    let help = if name == SENSITIVE {
        Some("put it on the properties of a schema, or on parameters".to_owned())
    } else {
        did_you_mean(name, EXTENSIONS)
    };
    let place = Place::at(value.source_id(), format!("{pointer}/{}", escape_token(name)), value.key_range());
    let message = format!("{} is no extension of operations; it is ignored", quoted(name));
    cx.report(Code::TG0610, &place, message).help = help;
}

/// Members whose values are data: a key in there is no extension.
const DATA: [&str; 6] = ["example", "examples", "default", "enum", "const", "value"];

/// Members whose own members have names that people choose.
const NAMED: [&str; 3] = ["properties", "responses", "patternProperties"];

/// Findings of this kind that are made: each one looks for its pointer, past all siblings on the way.
const MAX_FINDINGS: usize = 1000;

/// Reports extensions that stand where they have no meaning: on schemas, paths, operations that the API calls.
fn report_elsewhere(docs: &DocSet, seen: &BTreeSet<(usize, usize)>, cx: &mut Cx<'_>) {
    if docs.keys.iter().all(|key| !key.starts_with(PREFIX) || key == SENSITIVE) {
        return;
    }
    let mut n_found = 0;
    for (doc_id, doc) in docs.docs.iter() {
        // Ends of the objects and lists around a row, and whether what they hold is data.
        let mut around: Vec<(usize, bool, bool)> = Vec::new();
        for row in 0..doc.len() {
            while around.last().is_some_and(|(end, ..)| *end <= row) {
                around.pop();
            }
            let node = NodeId::from_index(row);
            let key = doc.key(node).map(|key| docs.keys.resolve(key)).unwrap_or_default();
            let (_, inside_data, has_names) = around.last().copied().unwrap_or_default();
            let is_extension = key.starts_with("x-") && !has_names;
            if is_extension && key.starts_with(PREFIX) && key != SENSITIVE && !inside_data && n_found < MAX_FINDINGS {
                let value = docs.value(NodeRef { doc: doc_id, node });
                if !seen.contains(&place_in(value)) {
                    n_found += 1;
                    let message = format!("{} has no meaning here; it is ignored", quoted(key));
                    let place = Place::at(value.source_id(), value.pointer(), value.key_range());
                    let help = if EXTENSIONS.contains(&key) {
                        Some("put it on an operation that callers call".to_owned())
                    } else {
                        did_you_mean(key, EXTENSIONS.into_iter().chain([SENSITIVE]))
                    };
                    cx.report(Code::TG0610, &place, message).help = help;
                }
            }
            if matches!(doc.kind(node), Kind::Array | Kind::Object) {
                let is_data = inside_data || is_extension || (DATA.contains(&key) && !has_names);
                around.push((doc.end(node), is_data, NAMED.contains(&key) && !has_names));
            }
        }
    }
}
