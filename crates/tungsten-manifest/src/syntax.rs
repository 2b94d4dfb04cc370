//! From the bytes of a manifest to its typed form: YAML without aliases.
//!
//! Reads a source; writes a [`Manifest`] and diagnostics: TG0601 for what is no YAML or no manifest's YAML, TG0105 for
//! an exceeded budget, and all that [`crate::read`] finds.

use std::sync::Arc;

use base::limits::PRINTED_PER_CODE;
use base::{Code, Diags, Id, Interner, Place, Source, SourceId};
use base_doc::{Doc, DocSet, Kind, NodeId, Syntax};

use crate::agent_yml::{AgentManifest, read_agent};
use crate::keys::Object;
use crate::tungsten_yml::{Manifest, read, report_empty};

/// Reads the text of `tungsten.yml` and reports all that is wrong with it; nothing when an error was reported.
pub fn read_source(source: Arc<Source>, source_id: SourceId, diags: &mut Diags) -> Option<Manifest> {
    let set = parse(source, source_id, Manifest::TABLE, diags)?;
    let (root, _) = set.docs.iter().next().expect("a parsed manifest is one document");
    read(set.root(root), diags)
}

/// Reads the text of `agent.yml` and reports all that is wrong with it; nothing when an error was reported.
pub fn read_agent_source(source: Arc<Source>, source_id: SourceId, diags: &mut Diags) -> Option<AgentManifest> {
    let set = parse(source, source_id, AgentManifest::TABLE, diags)?;
    let (root, _) = set.docs.iter().next().expect("a parsed manifest is one document");
    read_agent(set.root(root), diags)
}

/// The document of a manifest; nothing when its syntax is wrong.
fn parse(source: Arc<Source>, source_id: SourceId, table: &Object, diags: &mut Diags) -> Option<DocSet> {
    if source.text().is_ok_and(is_empty) {
        report_empty(table, Place::at(source_id, "", (0, 0)), diags);
        return None;
    }
    let parsed = base_doc::parse(source, source_id, Syntax::Yaml, Interner::new());
    let mut is_valid = true;
    for mut diagnostic in parsed.diags.iter().cloned() {
        is_valid = false;
        if diagnostic.code == Code::TG0102 {
            diagnostic.code = Code::TG0601;
            diagnostic.severity = Code::TG0601.severity();
        }
        diags.push(diagnostic);
    }
    let doc = parsed.doc?;
    is_valid &= !report_aliases(&doc, &parsed.keys, diags);
    let mut set = DocSet::default();
    set.keys = parsed.keys;
    set.docs.push(doc);
    is_valid.then_some(set)
}

/// Whether a text has nothing but comments and marks of a document.
fn is_empty(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    lines.all(|line| line.is_empty() || line.starts_with('#') || line == "---" || line == "...")
}

/// A manifest says each thing where it holds: aliases are refused, as are merge keys, which need one.
fn report_aliases(doc: &Doc, keys: &Interner, diags: &mut Diags) -> bool {
    let bytes = doc.source().bytes();
    let mut n_found = 0;
    let mut row = 0;
    // Keys and scalars follow each other as in the text, but for members that a merge key brought from further up.
    let mut reached = 0;
    while row < doc.len() && n_found < PRINTED_PER_CODE {
        let node = NodeId::from_index(row);
        let is_token = doc.key(node).is_some() || !matches!(doc.kind(node), Kind::Array | Kind::Object);
        let is_alias = bytes.get(doc.offset(node) as usize) == Some(&b'*');
        let is_merged = is_token && doc.key_offset(node) < reached;
        if is_alias || is_merged {
            n_found += 1;
            let pointer = doc.pointer(node, keys);
            let (what, pointer, range) = if is_alias {
                ("YAML alias", pointer.as_str(), doc.range(node))
            } else {
                let object = parent(doc, node);
                (
                    "YAML merge key",
                    pointer.rsplit_once('/').map_or("", |(object, _)| object),
                    doc.key_range(object, keys),
                )
            };
            let place = Place::at(doc.source_id(), pointer, range);
            diags.report(Code::TG0601, place, format!("a manifest cannot hold a {what}")).help =
                Some("write the value out where it holds".to_owned());
            // What the alias stands for was written elsewhere.
            row = doc.end(node);
        } else {
            reached = if is_token { reached.max(doc.key_offset(node)) } else { reached };
            row += 1;
        }
    }
    n_found > 0
}

/// The object that holds a value, found by descending from the root.
fn parent(doc: &Doc, node: NodeId) -> NodeId {
    let mut at = doc.root();
    while let Some(inside) = doc.children(at).find(|&child| doc.end(child) > node.index()) {
        if inside == node {
            break;
        }
        at = inside;
    }
    at
}
