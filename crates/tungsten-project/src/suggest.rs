//! `tungsten overlay suggest`: an overlay that states the ids which the compiler has chosen already.
//!
//! Reads a compiled project and its findings; returns actions, one list an input, and what was left out (TG0920,
//! TG0921). Only ids are suggested: of operations without one (TG0403) and of those whose id another one has (TG0401).
//! With the overlay applied, operations and types keep their ids and names, and now keep them when paths change.
//! Nothing is written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use base::diag::quoted;
use base::{Code, Diagnostic, Diags, Severity, SourceId};
use base_doc::parse_pointer;
use tungsten_ir::{Ir, OpId};

use crate::compile::Compilation;

/// The codes that an action can fix.
pub const FIXED: [Code; 2] = [Code::TG0401, Code::TG0403];

/// One action of an overlay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    pub code: Code,
    /// JSONPath of the operation.
    pub target: String,
    /// Its pointer (RFC 6901) in the document.
    pub pointer: String,
    pub operation_id: String,
}

/// What is suggested for one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForInput {
    pub namespace: String,
    /// The document, as the manifest names it.
    pub spec: String,
    /// In document order.
    pub actions: Vec<Action>,
}

/// All suggestions.
#[derive(Debug)]
pub struct Suggestions {
    /// Inputs with at least one action, in manifest order.
    pub inputs: Vec<ForInput>,
    /// Findings that have an action in principle, but none here.
    pub skipped: usize,
    pub diags: Diags,
}

/// The last token of the pointer of a finding about an id that several operations have.
const ID_TOKEN: &str = "/operationId";

/// Suggests actions for the findings of `only`, or of all codes when nothing is said. Nothing when the project has
/// errors.
pub fn suggest(compilation: &Compilation, only: Option<&[Code]>) -> Option<Suggestions> {
    let ir = compilation.ir.as_ref()?;
    let mut out = Suggestions { inputs: Vec::new(), skipped: 0, diags: Diags::new() };
    let mut actions: BTreeMap<usize, BTreeMap<OpId, Action>> = BTreeMap::new();
    let mut others: BTreeMap<Code, usize> = BTreeMap::new();
    let ops = ops_by_place(ir);
    let renamed = renamed(&compilation.diagnostics);
    let wanted = |code: Code| only.is_none_or(|only| only.contains(&code));
    for found in compilation.diagnostics.iter().filter(|found| wanted(found.code)) {
        let Some(pointer) = fixable(found) else {
            if found.severity == Severity::Warning {
                *others.entry(found.code).or_default() += 1;
            }
            continue;
        };
        let source = found.place.source;
        let at = source.and_then(|source| ops.get(&(source, pointer))).map(Vec::as_slice).unwrap_or_default();
        match action(ir, found.code, source, pointer, at, &renamed) {
            Ok((namespace, op, action)) => {
                actions.entry(namespace).or_default().insert(op, action);
            }
            Err(why) => {
                out.skipped += 1;
                let message = format!("no action states the operation's id: {why}");
                out.diags.report(Code::TG0920, found.place.clone(), message);
            }
        }
    }
    for (code, count) in others {
        let what = if count == 1 { "1 finding".to_owned() } else { format!("{count} findings") };
        let message = format!("no overlay action fixes {what} of {code} ({})", code.title());
        out.diags.report(Code::TG0921, base::Place::default(), message).help =
            Some(format!("`tungsten explain {code}` says what does"));
    }
    let specs = compilation.input_names();
    for (namespace, actions) in actions {
        let name = ir.namespaces.rows()[namespace].name;
        out.inputs.push(ForInput {
            namespace: ir.names.resolve(name).to_owned(),
            spec: specs.get(namespace).cloned().unwrap_or_default(),
            actions: actions.into_values().collect(),
        });
    }
    Some(out)
}

/// The pointer of the operation that a finding about its id is about.
fn fixable(found: &Diagnostic) -> Option<&str> {
    match found.code {
        Code::TG0403 => Some(&found.place.pointer),
        Code::TG0401 => found.place.pointer.strip_suffix(ID_TOKEN),
        _ => None,
    }
}

/// Operations by where they stand.
fn ops_by_place(ir: &Ir) -> BTreeMap<(SourceId, &str), Vec<OpId>> {
    let mut by_place: BTreeMap<(SourceId, &str), Vec<OpId>> = BTreeMap::new();
    for (id, op) in ir.ops.rows.iter() {
        if let Some(pointer) = op.origin.pointer {
            by_place.entry((op.origin.source, ir.text(pointer).untrusted())).or_default().push(id);
        }
    }
    by_place
}

/// Operations whose method has a number: a stated id would become the method's name.
fn renamed(found: &[Diagnostic]) -> BTreeSet<(SourceId, &str)> {
    let is_renamed = |one: &&Diagnostic| one.code == Code::TG0401 && !one.place.pointer.ends_with(ID_TOKEN);
    found.iter().filter(is_renamed).filter_map(|one| Some((one.place.source?, one.place.pointer.as_str()))).collect()
}

/// The action for one finding, with the number of its namespace; or why there is none.
fn action(
    ir: &Ir,
    code: Code,
    source: Option<SourceId>,
    pointer: &str,
    ops: &[OpId],
    renamed: &BTreeSet<(SourceId, &str)>,
) -> Result<(usize, OpId, Action), String> {
    let [op] = ops else {
        let why = if ops.is_empty() { "it is in no list of operations" } else { "it has several ids, one a use" };
        return Err(why.to_owned());
    };
    let row = &ir.ops.rows[*op];
    let same_source = ir.namespaces.iter().filter(|(_, namespace)| Some(namespace.source) == source);
    let namespaces: Vec<usize> = same_source.map(|(id, _)| base::Id::index(id)).collect();
    let [namespace] = namespaces[..] else {
        let is_shared = !namespaces.is_empty();
        let why = if is_shared { "several inputs read its document" } else { "it does not stand in the input itself" };
        return Err(why.to_owned());
    };
    if ir.rpc[*op].is_some() {
        return Err("it is a method of an envelope".to_owned());
    }
    if code == Code::TG0403 && source.is_some_and(|source| renamed.contains(&(source, pointer))) {
        let name = ir.op_name[*op].map_or("", |name| ir.names.resolve(name));
        return Err(format!("its method is {}, and with an id it would be named after that", quoted(name)));
    }
    let target = json_path(pointer).ok_or("its place cannot be written as a path")?;
    let operation_id = ir.names.resolve(row.local_id).to_owned();
    Ok((namespace, *op, Action { code, target, pointer: pointer.to_owned(), operation_id }))
}

/// A pointer to an operation as a JSONPath (RFC 9535): every step is a name, since operations stand in objects only.
fn json_path(pointer: &str) -> Option<String> {
    let mut path = String::from("$");
    for token in parse_pointer(pointer)? {
        let mut chars = token.chars();
        let is_name = chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_name {
            let _ = write!(path, ".{token}");
            continue;
        }
        path.push_str("['");
        for c in token.chars() {
            match c {
                '\'' | '\\' => {
                    path.push('\\');
                    path.push(c);
                }
                c if base::diag::is_printable(c) => path.push(c),
                c => {
                    let mut units = [0; 2];
                    for unit in c.encode_utf16(&mut units) {
                        let _ = write!(path, "\\u{unit:04x}");
                    }
                }
            }
        }
        path.push_str("']");
    }
    Some(path)
}

/// The overlay of one input (OpenAPI Overlay 1.0.0). `extends` is where the document is, seen from the overlay.
pub fn overlay(input: &ForInput, extends: &str) -> serde_json::Value {
    let actions: Vec<serde_json::Value> = input
        .actions
        .iter()
        .map(|action| serde_json::json!({ "target": action.target, "update": { "operationId": action.operation_id } }))
        .collect();
    serde_json::json!({
        "overlay": "1.0.0",
        "info": { "title": format!("Operation ids of {}", input.namespace), "version": "1.0.0" },
        "extends": extends,
        "actions": actions,
    })
}

/// The overlay as YAML. Texts are double-quoted, which JSON's strings are a form of (YAML 1.2, section 1.3).
pub fn overlay_yaml(input: &ForInput, extends: &str) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let title = text(&format!("Operation ids of {}", input.namespace));
    let mut out = format!("overlay: 1.0.0\ninfo:\n  title: {title}\n  version: 1.0.0\nextends: {}\n", text(extends));
    out.push_str("actions:\n");
    for action in &input.actions {
        let _ = writeln!(out, "  - target: {}", text(&action.target));
        let _ = writeln!(out, "    update: {{ operationId: {} }}", text(&action.operation_id));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::json_path;

    #[test]
    fn pointers_become_paths() {
        for (pointer, path) in [
            ("/paths/~1pets~1{id}/get", "$.paths['/pets/{id}'].get"),
            ("/webhooks/pet.sold/post", "$.webhooks['pet.sold'].post"),
            ("/paths/~1it's~0\\/x-query", "$.paths['/it\\'s~\\\\']['x-query']"),
            ("/paths/~1a\n\u{1f600}\u{202e}/get", "$.paths['/a\\u000a\u{1f600}\\u202e'].get"),
        ] {
            assert_eq!(json_path(pointer).as_deref(), Some(path), "{pointer}");
        }
        assert_eq!(json_path("paths"), None);
    }
}
