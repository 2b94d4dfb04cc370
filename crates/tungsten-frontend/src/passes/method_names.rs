//! The name of each operation within its resource: `list`, `get`, `create`, `update`, `delete`, an action, or its id.
//!
//! Reads the path trie, pagination, response types and a project's names; writes `op_name`. Names are words; each target
//! cases them. Where two paths meet in a resource, the later one keeps its id; other meetings are numbered (TG0401).

use crate::lookup::{Map, Set};
use base::Sym;
use base::codes::Code;
use base::diag::quoted;
use tungsten_ir::{Encoding, Ir, Method, Op, OpId, ResponseKind, Shape, TypeId};

use super::Reports;
use super::names::{Scope, word_key};
use super::paths::{Key, PathNode, PathTrie};
use crate::overrides::NameOverride;

/// Words that make a trailing POST segment an action although they end in `s`, and those that never need a guess.
const VERBS: &[&str] = &[
    "accept",
    "activate",
    "approve",
    "archive",
    "assign",
    "authorize",
    "cancel",
    "capture",
    "charge",
    "check",
    "claim",
    "clone",
    "close",
    "complete",
    "confirm",
    "copy",
    "deactivate",
    "decline",
    "disable",
    "dismiss",
    "duplicate",
    "enable",
    "execute",
    "export",
    "finalize",
    "flag",
    "import",
    "invite",
    "lock",
    "login",
    "logout",
    "mark",
    "merge",
    "move",
    "pause",
    "ping",
    "process",
    "publish",
    "refresh",
    "refund",
    "reject",
    "release",
    "reopen",
    "replay",
    "resend",
    "reset",
    "restart",
    "restore",
    "resume",
    "retry",
    "revoke",
    "rotate",
    "run",
    "send",
    "start",
    "stop",
    "submit",
    "subscribe",
    "suspend",
    "sync",
    "test",
    "transfer",
    "trigger",
    "unarchive",
    "unlock",
    "unpublish",
    "unsubscribe",
    "upload",
    "validate",
    "verify",
    "void",
];

/// Where an operation stands in the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpPlace {
    pub(crate) op: OpId,
    /// Index of its resource; planned operations have none.
    pub(crate) resource: Option<u32>,
    /// Its path without an action.
    pub(crate) at: PathNode,
    /// How many leading segments of the path are a version.
    pub(crate) n_version: usize,
    /// What follows the resource's own path.
    pub(crate) rest: Rest,
    pub(crate) action: Option<Sym>,
}

/// What follows a resource's own path in the path of an operation, its action set aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rest {
    None,
    /// Only placeholders: one item.
    Items,
    Other,
}

/// A project's names by operation; entries that name no operation are reported.
pub(crate) fn explicit_names(ir: &mut Ir, overrides: &[NameOverride], reports: &mut Reports<'_>) -> Map<OpId, Sym> {
    let mut names = Map::default();
    if overrides.is_empty() {
        return names;
    }
    let by_id = ops_by_id(ir);
    for entry in overrides {
        let Some(&op) = ir.names.find(&entry.operation).and_then(|id| by_id.get(&id)) else {
            reports.unknown_operation(ir, &entry.operation, &entry.place);
            continue;
        };
        let name = ir.names.intern(&entry.name);
        names.insert(op, name);
    }
    names
}

/// Operations by their full ids.
pub(crate) fn ops_by_id(ir: &Ir) -> Map<Sym, OpId> {
    ir.ops.rows.iter().map(|(id, op)| (op.id, id)).collect()
}

/// What the names of one namespace depend on.
pub(crate) struct Naming<'a> {
    pub(crate) trie: &'a PathTrie,
    /// The project's names.
    pub(crate) explicit: &'a Map<OpId, Sym>,
    /// Paths and methods of several operations.
    pub(crate) shared: &'a Set<(Sym, Method)>,
}

/// Paths that one method calls for several operations: some descriptions tell them apart by a fragment of the key,
/// which is not sent. Nothing but their ids says what they do.
pub(crate) fn shared_paths(ir: &Ir, ops: &[OpId]) -> Set<(Sym, Method)> {
    let mut seen = Set::default();
    let mut shared = Set::default();
    for &op in ops {
        let op = &ir.ops.rows[op];
        let key = (op.path.raw, op.method);
        if op.path.query.is_empty() && !seen.insert(key) {
            shared.insert(key);
        }
    }
    shared
}

/// Names the operations of one namespace. `scopes` hold what is taken in each resource; the project's names come first.
pub(crate) fn assign(
    ir: &mut Ir,
    naming: &Naming<'_>,
    places: &[OpPlace],
    scopes: &mut [Scope],
    reports: &mut Reports<'_>,
) {
    let (first, rest): (Vec<&OpPlace>, Vec<&OpPlace>) =
        places.iter().partition(|place| naming.explicit.contains_key(&place.op));
    let mut named = FirstNamed::default();
    for place in first.into_iter().chain(rest) {
        let wanted = match naming.explicit.get(&place.op) {
            Some(&name) => ir.names.resolve(name).to_owned(),
            None => {
                let name = inferred_name(ir, naming, place);
                place
                    .resource
                    .and_then(|at| id_instead(ir, naming, place, at, &name, &mut named, scopes))
                    .unwrap_or(name)
            }
        };
        let name = match place.resource {
            None => wanted,
            Some(resource) => {
                let (name, is_renamed) = scopes[resource as usize].take_numbered(&wanted);
                if is_renamed {
                    let message = format!(
                        "another member of the resource is named {}; this operation becomes {}",
                        quoted(&wanted),
                        quoted(&name)
                    );
                    reports.at_op(place.op, Code::TG0401, message);
                }
                name
            }
        };
        let name = ir.names.intern(&name);
        ir.op_name.set(place.op, Some(name));
    }
}

/// By resource and the words of an inferred name: the operation that has the name.
type FirstNamed = Map<(u32, String), OpPlace>;

/// The id of an operation whose inferred name another path of the resource has: `listForOrder` says more than `list2`.
///
/// Nothing where the paths differ in version or query string only, where the name is a project's, and where no id is stated.
fn id_instead(
    ir: &Ir,
    naming: &Naming<'_>,
    place: &OpPlace,
    resource: u32,
    name: &str,
    named: &mut FirstNamed,
    scopes: &[Scope],
) -> Option<String> {
    let key = (resource, word_key(name));
    let Some(first) = named.get(&key) else {
        named.insert(key, *place);
        return None;
    };
    let op = &ir.ops.rows[place.op];
    let id = ir.names.resolve(op.local_id);
    let is_free = !scopes[resource as usize].is_taken(id);
    (op.id_stated && is_free && !are_variants(ir, naming.trie, first, place)).then(|| id.to_owned())
}

/// Whether two paths are the same but for their versions or for a query string in their keys, which names nothing.
fn are_variants(ir: &Ir, trie: &PathTrie, a: &OpPlace, b: &OpPlace) -> bool {
    let has_query = |place: &OpPlace| !ir.ops.rows[place.op].path.query.is_empty();
    let rest = |place: &OpPlace| trie.keys_from(place.at, place.n_version);
    rest(a) == rest(b) && (a.at != b.at || has_query(a) || has_query(b))
}

fn inferred_name(ir: &Ir, naming: &Naming<'_>, place: &OpPlace) -> String {
    let (trie, op) = (naming.trie, &ir.ops.rows[place.op]);
    if let Some(method) = place.action.filter(|_| ir.rpc[place.op].is_some()) {
        return ir.names.resolve(method).to_owned();
    }
    if op.path.query.is_empty() && naming.shared.contains(&(op.path.raw, op.method)) {
        return ir.names.resolve(op.local_id).to_owned();
    }
    if let Some(action) = place.action {
        return ir.names.resolve(action).to_owned();
    }
    let by_rule = match place.rest {
        Rest::None => own_path_name(ir, trie, op, place),
        Rest::Items => item_name(trie, op.method, place.at),
        Rest::Other => None,
    };
    by_rule.unwrap_or_else(|| ir.names.resolve(op.local_id)).to_owned()
}

fn own_path_name(ir: &Ir, trie: &PathTrie, op: &Op, place: &OpPlace) -> Option<&'static str> {
    match op.method {
        Method::Get if is_collection(ir, trie, place.at, Some(place.op)) => Some("list"),
        Method::Get => Some("get"),
        Method::Post => Some("create"),
        Method::Put | Method::Patch | Method::Delete if is_collection(ir, trie, place.at, trie.get_op(place.at)) => {
            None
        }
        Method::Put if trie.has_method(place.at, Method::Patch) => Some("replace"),
        Method::Put | Method::Patch => Some("update"),
        Method::Delete => Some("delete"),
        Method::Query => Some("query"),
        Method::Options | Method::Head | Method::Trace | Method::Other(_) => None,
    }
}

fn item_name(trie: &PathTrie, method: Method, at: PathNode) -> Option<&'static str> {
    match method {
        Method::Get => Some("get"),
        Method::Put if trie.has_method(at, Method::Patch) => Some("replace"),
        Method::Put | Method::Patch => Some("update"),
        Method::Delete => Some("delete"),
        Method::Post if !trie.has_method(at, Method::Put) && !trie.has_method(at, Method::Patch) => Some("update"),
        Method::Query => Some("query"),
        Method::Post | Method::Options | Method::Head | Method::Trace | Method::Other(_) => None,
    }
}

/// Whether a path holds many: its GET says so, else an item path below it or a plural last segment does.
fn is_collection(ir: &Ir, trie: &PathTrie, at: PathNode, get: Option<OpId>) -> bool {
    let stated = get.and_then(|get| if ir.pagination[get].is_some() { Some(true) } else { body_is_list(ir, get) });
    stated.unwrap_or_else(|| trie.has_item_child(at) || is_plural_segment(ir, trie, at))
}

fn is_plural_segment(ir: &Ir, trie: &PathTrie, at: PathNode) -> bool {
    match trie.key(at) {
        Key::Literal(sym) => {
            let text = ir.names.resolve(sym);
            text.ends_with(['s', 'S']) && !text.ends_with("ss")
        }
        Key::Param | Key::Template(_) => false,
    }
}

/// What the first JSON body of a success says: an array or an object with one array in it is a list, another type is
/// not; nothing when no schema, or one that leaves it open, is stated.
fn body_is_list(ir: &Ir, op: OpId) -> Option<bool> {
    let ty = success_json(ir, op)?;
    match ir.types.rows[ir.types.without_null(ty).0].shape {
        Shape::Array { .. } | Shape::Tuple { .. } => Some(true),
        Shape::Record { .. } => Some(only_array_field(ir, ty).is_some()),
        Shape::Unknown | Shape::Any | Shape::Never | Shape::Union { .. } | Shape::Intersection { .. } => None,
        _ => Some(false),
    }
}

pub(crate) fn success_json(ir: &Ir, op: OpId) -> Option<TypeId> {
    let responses = ir.ops.responses.slice(ir.ops.rows[op].responses);
    let successes = responses.iter().filter(|response| response.kind == ResponseKind::Success);
    let mut contents = successes.flat_map(|response| ir.ops.contents.slice(response.contents));
    contents.find(|content| content.encoding == Encoding::Json && content.schema_stated).map(|content| content.ty)
}

/// The one array among the fields of a record; nothing for another type and for none or several.
pub(crate) fn only_array_field(ir: &Ir, ty: TypeId) -> Option<tungsten_ir::FieldId> {
    let Shape::Record { fields, .. } = ir.types.rows[ir.types.without_null(ty).0].shape else { return None };
    let mut arrays = fields.iter().filter(|&field| {
        let (ty, _) = ir.types.without_null(ir.types.fields[field].ty);
        matches!(ir.types.rows[ty].shape, Shape::Array { .. } | Shape::Tuple { .. })
    });
    let first = arrays.next()?;
    arrays.next().is_none().then_some(first)
}

/// Whether a segment tells what to do: its last word is a known verb, or no plural.
pub(crate) fn reads_as_verb(segment: &str) -> bool {
    let words = tungsten_ir::words::Words::of(segment);
    let Some(last) = words.iter().last() else { return false };
    VERBS.contains(&last) || !last.ends_with('s')
}

#[cfg(test)]
mod tests {
    use super::{VERBS, reads_as_verb};

    #[test]
    fn plurals_are_no_verbs() {
        for segment in ["enable", "rotate", "bulk-process", "dismiss", "sealedEvent", "reopen"] {
            assert!(reads_as_verb(segment), "{segment}");
        }
        for segment in ["sealed-events", "deliveries", "bypass", ""] {
            assert!(!reads_as_verb(segment), "{segment}");
        }
        assert!(VERBS.is_sorted_by(|a, b| a != b));
    }
}
