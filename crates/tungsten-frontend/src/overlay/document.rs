//! An overlay document: what it may hold, and its actions.
//!
//! Reads one document; writes its actions, or TG0207 for everything in it that the specification does not allow. Nothing
//! of an overlay with such a finding is applied.

use base::{Code, Interner};
use base_doc::jsonpath::{Dialect, JsonPath};
use base_doc::{Doc, DocId, DocSet, Kind, NodeId, NodeRef};

use crate::findings::Findings;
use crate::lookup::Map;

/// An overlay that can be applied.
pub(super) struct Overlay {
    pub(super) doc: DocId,
    /// The file, relative to the input root.
    pub(super) path: String,
    /// The document that it is for, as written.
    pub(super) extends: Option<(NodeId, String)>,
    pub(super) actions: Vec<Action>,
    /// Some input was changed by it.
    pub(super) is_applied: bool,
}

pub(super) struct Action {
    pub(super) target_node: NodeId,
    pub(super) target: JsonPath,
    pub(super) change: Change,
    /// It selected something in some input.
    pub(super) has_matched: bool,
    /// What selected nothing, when it is not the target.
    pub(super) unmatched: Option<(NodeId, &'static str)>,
}

pub(super) enum Change {
    /// The action only describes itself.
    None,
    Remove,
    /// The value to merge.
    Update(NodeId),
    /// The place of the path, and the path of the value to merge.
    Copy(NodeId, JsonPath),
}

/// What a member must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Text,
    Flag,
    Object,
    List,
    Anything,
}

struct Field {
    name: &'static str,
    wanted: Wanted,
    is_required: bool,
}

const fn field(name: &'static str, wanted: Wanted, is_required: bool) -> Field {
    Field { name, wanted, is_required }
}

const ROOT: [Field; 4] = [
    field("overlay", Wanted::Text, true),
    field("info", Wanted::Object, true),
    field("extends", Wanted::Text, false),
    field("actions", Wanted::List, true),
];
/// Overlay 1.0 has no `description` of `info`; it changes nothing, so it is let through.
const INFO: [Field; 3] = [
    field("title", Wanted::Text, true),
    field("version", Wanted::Text, true),
    field("description", Wanted::Text, false),
];
const ACTION: [Field; 5] = [
    field("target", Wanted::Text, true),
    field("description", Wanted::Text, false),
    field("update", Wanted::Anything, false),
    field("remove", Wanted::Flag, false),
    field("copy", Wanted::Text, false),
];

/// Reads an overlay. Nothing when something in it is wrong, which is reported.
pub(super) fn read(docs: &DocSet, id: DocId, path: &str, findings: &mut Findings) -> Option<Overlay> {
    let mut reader = Reader { doc: &docs.docs[id], id, keys: &docs.keys, findings, is_valid: true };
    let overlay = reader.overlay(path);
    overlay.filter(|_| reader.is_valid)
}

struct Reader<'a> {
    doc: &'a Doc,
    id: DocId,
    keys: &'a Interner,
    findings: &'a mut Findings,
    is_valid: bool,
}

impl Reader<'_> {
    fn overlay(&mut self, path: &str) -> Option<Overlay> {
        let root = self.doc.root();
        if !self.object(root, "an overlay", &ROOT) {
            return None;
        }
        let is_first = self.version(root);
        if let Some(info) = self.member(root, "info", Kind::Object) {
            self.object(info, "`info`", &INFO);
        }
        let list = self.member(root, "actions", Kind::Array)?;
        let actions = self.actions(list, is_first);
        let extends = self.member(root, "extends", Kind::String);
        let extends = extends.and_then(|node| Some((node, self.doc.as_str(node)?.to_owned())));
        Some(Overlay { doc: self.id, path: path.to_owned(), extends, actions, is_applied: false })
    }

    /// Checks the version; whether it is 1.0.
    fn version(&mut self, root: NodeId) -> bool {
        let Some(node) = self.member(root, "overlay", Kind::String) else { return false };
        let text = self.doc.as_str(node).unwrap_or_default();
        let parts: Vec<&str> = text.split('.').collect();
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        match parts[..] {
            ["1", minor @ ("0" | "1"), patch] if is_number(patch) => minor == "0",
            _ => {
                let message = format!("{} is no version of Overlay that is read", base::diag::quoted(text));
                self.report(node, message).help = Some("write `overlay: 1.0.0` or `overlay: 1.1.0`".to_owned());
                false
            }
        }
    }

    fn actions(&mut self, list: NodeId, is_first: bool) -> Vec<Action> {
        if self.doc.n_children(list) == 0 {
            self.report(list, "`actions` is empty".to_owned());
        }
        let mut seen: Map<String, usize> = Map::default();
        let mut actions = Vec::with_capacity(self.doc.n_children(list));
        for (index, node) in self.doc.children(list).enumerate() {
            if !self.object(node, "an action", &ACTION) {
                continue;
            }
            let mut text = String::new();
            canonical(self.doc, self.keys, node, &mut text);
            let first = *seen.entry(text).or_insert(index);
            if first != index {
                self.report(node, format!("the action is the same as the one at /actions/{first}"));
            }
            actions.extend(self.action(node, is_first));
        }
        actions
    }

    fn action(&mut self, node: NodeId, is_first: bool) -> Option<Action> {
        let target_node = self.member(node, "target", Kind::String)?;
        let target = self.path(target_node, "target");
        let copy = self.member(node, "copy", Kind::String);
        let update = self.keys.find("update").and_then(|key| self.doc.get(node, key));
        let is_removed =
            self.member(node, "remove", Kind::Bool).is_some_and(|flag| self.doc.as_bool(flag) == Some(true));
        if let Some(copy) = copy.filter(|_| is_first) {
            self.report(copy, "`copy` is part of Overlay 1.1, and the document says 1.0".to_owned());
        }
        if let (Some(copy), Some(_), false) = (copy, update, is_removed) {
            self.report(copy, "an action either updates or copies, not both".to_owned());
        }
        let from = copy.and_then(|copy| Some((copy, self.path(copy, "copy")?)));
        let change = match (is_removed, update, from) {
            (true, _, _) => Change::Remove,
            (false, Some(update), _) => Change::Update(update),
            (false, None, Some((copy, path))) => Change::Copy(copy, path),
            (false, None, None) => Change::None,
        };
        Some(Action { target_node, target: target?, change, has_matched: false, unmatched: None })
    }

    fn path(&mut self, node: NodeId, key: &str) -> Option<JsonPath> {
        let text = self.doc.as_str(node)?;
        match JsonPath::parse(text, Dialect::DashedNames) {
            Ok(path) => Some(path),
            Err(error) => {
                let column = text[..error.offset].chars().count() + 1;
                let message = format!("`{key}` is no JSONPath: {}, at character {column}", error.message);
                self.report(node, message);
                None
            }
        }
    }

    /// Checks that a value is an object, and its members; whether it is one.
    fn object(&mut self, node: NodeId, what: &str, fields: &[Field]) -> bool {
        if self.doc.kind(node) != Kind::Object {
            self.report(node, format!("{what} must be an object, but is {}", self.doc.kind(node).phrase()));
            return false;
        }
        let mut n_found = 0;
        for member in self.doc.children(node) {
            let name = self.doc.key(member).map_or("", |key| self.keys.resolve(key));
            let known = fields.iter().find(|field| field.name == name);
            n_found += usize::from(known.is_some_and(|field| field.is_required));
            match known {
                Some(field) => self.kind(member, field),
                None if name.starts_with("x-") => {}
                None => {
                    self.is_valid = false;
                    let message = format!("{what} has no member {}", base::diag::quoted(name));
                    let at = NodeRef { doc: self.id, node: member };
                    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
                    let help = format!("known members: `{}`, and those that start with `x-`", names.join("`, `"));
                    self.findings.report_key(Code::TG0207, at, message).help = Some(help);
                }
            }
        }
        let required = fields.iter().filter(|field| field.is_required);
        if n_found < required.clone().count() {
            let has = |field: &&Field| self.keys.find(field.name).and_then(|key| self.doc.get(node, key)).is_some();
            let missing: Vec<&str> = required.filter(|field| !has(field)).map(|field| field.name).collect();
            self.report(node, format!("{what} lacks `{}`", missing.join("`, `")));
        }
        true
    }

    fn kind(&mut self, node: NodeId, field: &Field) {
        let found = self.doc.kind(node);
        let (fits, wanted) = match field.wanted {
            Wanted::Text => (found == Kind::String, Kind::String),
            Wanted::Flag => (found == Kind::Bool, Kind::Bool),
            Wanted::Object => (found == Kind::Object, Kind::Object),
            Wanted::List => (found == Kind::Array, Kind::Array),
            Wanted::Anything => (true, found),
        };
        if !fits {
            self.report(node, format!("`{}` must be {}, but is {}", field.name, wanted.phrase(), found.phrase()));
        }
    }

    fn member(&self, node: NodeId, name: &str, kind: Kind) -> Option<NodeId> {
        let key = self.keys.find(name)?;
        self.doc.get(node, key).filter(|&member| self.doc.kind(member) == kind)
    }

    fn report(&mut self, node: NodeId, message: String) -> &mut base::Diagnostic {
        self.is_valid = false;
        self.findings.report(Code::TG0207, NodeRef { doc: self.id, node }, message)
    }
}

/// A text that two values share when they are equal as JSON: members sorted by key, numbers by value. The depth of calls
/// is that of the document, which its parser bounds.
fn canonical(doc: &Doc, keys: &Interner, node: NodeId, out: &mut String) {
    match doc.kind(node) {
        Kind::Null => out.push('n'),
        Kind::Bool => out.push(if doc.as_bool(node) == Some(true) { 't' } else { 'f' }),
        Kind::Number => push_number(doc.as_number(node).unwrap_or_default(), out),
        Kind::String => push_text(doc.as_str(node).unwrap_or_default(), out),
        Kind::Array => {
            out.push('[');
            doc.children(node).for_each(|item| canonical(doc, keys, item, out));
            out.push(']');
        }
        Kind::Object => {
            let name = |member: &NodeId| doc.key(*member).map_or("", |key| keys.resolve(key));
            let mut members: Vec<NodeId> = doc.children(node).collect();
            members.sort_by(|a, b| name(a).cmp(name(b)));
            out.push('{');
            for member in members {
                push_text(name(&member), out);
                canonical(doc, keys, member, out);
            }
            out.push('}');
        }
    }
}

fn push_text(text: &str, out: &mut String) {
    out.push_str(&format!("{}:{text}", text.len()));
}

fn push_number(text: &str, out: &mut String) {
    match (text.parse::<i128>(), text.parse::<f64>()) {
        (Ok(whole), _) => out.push_str(&format!("#{whole};")),
        (Err(_), Ok(number)) => out.push_str(&format!("#{number};")),
        (Err(_), Err(_)) => out.push_str(&format!("#{text};")),
    }
}
