//! The paths of one namespace as a trie, so that questions about neighbours cost a look: which methods stand on the
//! same path, whether a path continues, whether an item path exists below it.
//!
//! Reads operations and their path segments; leaves what to conclude to `resources` and `method_names`. Any placeholder
//! matches any other. The depth of a path is bounded where it is read, so walks up the trie are short.

use crate::lookup::Map;
use base::{Interner, Span, Sym};
use tungsten_ir::{Method, Op, OpId, Ops, Piece, Segment, SegmentId};

/// A node of a [`PathTrie`].
pub(crate) type PathNode = u32;

/// The empty path.
pub(crate) const ROOT: PathNode = 0;

/// A segment as far as matching is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    Literal(Sym),
    /// `{any}`.
    Param,
    /// Text and placeholders, the placeholders without their names.
    Template(Sym),
}

impl Key {
    /// Whether the segment stands for one of many.
    pub(crate) fn is_item(self) -> bool {
        !matches!(self, Self::Literal(_))
    }
}

#[derive(Clone, Copy, Debug)]
struct Row {
    parent: PathNode,
    depth: u32,
    key: Key,
    /// The segment as the first path spells it.
    spelled: Option<Segment>,
    has_children: bool,
    has_item_child: bool,
    /// A bit for each method of [`Method::ALL`].
    methods: u16,
    get: Option<OpId>,
}

/// A path with what belongs to the operation set aside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk {
    /// The nodes after each segment, without a custom method's suffix.
    pub(crate) nodes: Vec<PathNode>,
    /// `archive` of `/users/{id}:archive`.
    pub(crate) custom_method: Option<Sym>,
}

#[derive(Debug)]
pub(crate) struct PathTrie {
    rows: Vec<Row>,
    children: Map<(PathNode, Key), PathNode>,
}

impl PathTrie {
    pub(crate) fn new() -> Self {
        let root = Row {
            parent: ROOT,
            depth: 0,
            key: Key::Param,
            spelled: None,
            has_children: false,
            has_item_child: false,
            methods: 0,
            get: None,
        };
        Self { rows: vec![root], children: Map::default() }
    }

    /// Adds the path of an operation and notes its method there.
    pub(crate) fn insert_op(&mut self, ops: &Ops, names: &mut Interner, id: OpId, op: &Op) -> Walk {
        let walk = self.insert(ops, names, op.path.segments);
        let end = walk.nodes.last().copied().unwrap_or(ROOT) as usize;
        if walk.custom_method.is_none() {
            self.rows[end].methods |= bit(op.method);
            if op.method == Method::Get && self.rows[end].get.is_none() {
                self.rows[end].get = Some(id);
            }
        }
        walk
    }

    fn insert(&mut self, ops: &Ops, names: &mut Interner, segments: Span<SegmentId>) -> Walk {
        let mut walk = Walk::default();
        let mut at = ROOT;
        let last = segments.len().wrapping_sub(1);
        for (index, &segment) in ops.segments.slice(segments).iter().enumerate() {
            // A slash at the end, or two in a row: the same resource for people.
            if matches!(segment, Segment::Literal(sym) if names.resolve(sym).is_empty()) {
                continue;
            }
            let (key, custom_method) = if index == last {
                split_custom_method(ops, names, segment)
            } else {
                (key_of(ops, names, segment), None)
            };
            walk.custom_method = custom_method;
            at = self.child_or_new(at, key, custom_method.is_none().then_some(segment));
            walk.nodes.push(at);
        }
        walk
    }

    fn child_or_new(&mut self, parent: PathNode, key: Key, spelled: Option<Segment>) -> PathNode {
        if let Some(&child) = self.children.get(&(parent, key)) {
            let row = &mut self.rows[child as usize];
            row.spelled = row.spelled.or(spelled);
            return child;
        }
        let child = self.rows.len() as PathNode;
        let depth = self.rows[parent as usize].depth + 1;
        self.rows.push(Row {
            parent,
            depth,
            key,
            spelled,
            has_children: false,
            has_item_child: false,
            methods: 0,
            get: None,
        });
        let above = &mut self.rows[parent as usize];
        above.has_children = true;
        above.has_item_child |= key.is_item();
        self.children.insert((parent, key), child);
        child
    }

    pub(crate) fn key(&self, node: PathNode) -> Key {
        self.rows[node as usize].key
    }

    pub(crate) fn has_children(&self, node: PathNode) -> bool {
        self.rows[node as usize].has_children
    }

    pub(crate) fn has_item_child(&self, node: PathNode) -> bool {
        self.rows[node as usize].has_item_child
    }

    pub(crate) fn has_method(&self, node: PathNode, method: Method) -> bool {
        self.rows[node as usize].methods & bit(method) != 0
    }

    /// Whether every operation on exactly this path is a POST.
    pub(crate) fn has_only_posts(&self, node: PathNode) -> bool {
        self.rows[node as usize].methods == bit(Method::Post)
    }

    /// The first GET on exactly this path.
    pub(crate) fn get_op(&self, node: PathNode) -> Option<OpId> {
        self.rows[node as usize].get
    }

    /// The longest path that both begin with.
    pub(crate) fn common(&self, mut a: PathNode, mut b: PathNode) -> PathNode {
        while a != b {
            let (row_a, row_b) = (self.rows[a as usize], self.rows[b as usize]);
            if row_a.depth >= row_b.depth {
                a = row_a.parent;
            }
            if row_b.depth >= row_a.depth {
                b = row_b.parent;
            }
        }
        a
    }

    /// The keys of a path without its first segments.
    pub(crate) fn keys_from(&self, node: PathNode, n_first: usize) -> Vec<Key> {
        let mut keys = Vec::new();
        let mut at = node;
        while self.rows[at as usize].depth as usize > n_first {
            keys.push(self.key(at));
            at = self.rows[at as usize].parent;
        }
        keys.reverse();
        keys
    }

    /// The path without the placeholders that it ends with, as the first operation spells it: `/` for the empty one.
    pub(crate) fn text_without_trailing_items(&self, node: PathNode, ops: &Ops, names: &Interner) -> String {
        let mut at = node;
        while at != ROOT && self.key(at).is_item() {
            at = self.rows[at as usize].parent;
        }
        let mut chain = Vec::new();
        while at != ROOT {
            chain.push(at);
            at = self.rows[at as usize].parent;
        }
        let mut text = String::new();
        for &node in chain.iter().rev() {
            text.push('/');
            let row = &self.rows[node as usize];
            match (row.spelled, row.key) {
                (Some(segment), _) => write_segment(segment, ops, names, &mut text),
                (None, Key::Literal(sym) | Key::Template(sym)) => text.push_str(names.resolve(sym)),
                (None, Key::Param) => text.push_str("{}"),
            }
        }
        if text.is_empty() { "/".to_owned() } else { text }
    }
}

/// What a segment matches. `users.json` is `users` and `{id}.json` is `{id}`: the suffix says how, not what.
pub(crate) fn key_of(ops: &Ops, names: &mut Interner, segment: Segment) -> Key {
    match segment {
        Segment::Literal(sym) => Key::Literal(without_json(names, sym)),
        Segment::Param(_) => Key::Param,
        Segment::Template(pieces) => {
            let shape = template_key(names, ops.pieces.slice(pieces));
            key_of_shape(names, shape)
        }
    }
}

/// The key of a segment whose placeholders are written `{}`.
fn key_of_shape(names: &mut Interner, shape: Sym) -> Key {
    let shape = without_json(names, shape);
    match names.resolve(shape) {
        "{}" => Key::Param,
        text if text.contains("{}") => Key::Template(shape),
        _ => Key::Literal(shape),
    }
}

fn without_json(names: &mut Interner, sym: Sym) -> Sym {
    match names.resolve(sym).strip_suffix(".json").filter(|rest| !rest.is_empty()) {
        Some(rest) => {
            let rest = rest.to_owned();
            names.intern(&rest)
        }
        None => sym,
    }
}

/// The key of a path template that a project wrote, segment by segment.
pub(crate) fn keys_of_text(names: &mut Interner, path: &str) -> Vec<Key> {
    let parts = path.trim_matches('/').split('/').filter(|part| !part.is_empty());
    parts.map(|part| key_of_text(names, part)).collect()
}

fn key_of_text(names: &mut Interner, part: &str) -> Key {
    let mut shape = String::with_capacity(part.len());
    let mut rest = part;
    while let Some((before, (_, after))) = rest.split_once('{').and_then(|(a, b)| Some((a, b.split_once('}')?))) {
        shape.push_str(before);
        shape.push_str("{}");
        rest = after;
    }
    shape.push_str(rest);
    let shape = names.intern(&shape);
    key_of_shape(names, shape)
}

fn template_key(names: &mut Interner, pieces: &[Piece]) -> Sym {
    let mut shape = String::new();
    for piece in pieces {
        match piece {
            Piece::Literal(sym) => shape.push_str(names.resolve(*sym)),
            Piece::Param(_) => shape.push_str("{}"),
        }
    }
    names.intern(&shape)
}

/// The segment without a `:verb` at its end, and the verb.
fn split_custom_method(ops: &Ops, names: &mut Interner, segment: Segment) -> (Key, Option<Sym>) {
    let unsplit = key_of(ops, names, segment);
    match segment {
        Segment::Literal(sym) => {
            let Some((rest, verb)) = split_verb(names.resolve(sym)) else { return (unsplit, None) };
            let (rest, verb) = (rest.to_owned(), verb.to_owned());
            if rest.is_empty() {
                return (unsplit, None);
            }
            (Key::Literal(names.intern(&rest)), Some(names.intern(&verb)))
        }
        Segment::Param(_) => (unsplit, None),
        Segment::Template(pieces) => {
            let pieces = ops.pieces.slice(pieces);
            let Some((&Piece::Literal(sym), before)) = pieces.split_last() else { return (unsplit, None) };
            let Some((rest, verb)) = split_verb(names.resolve(sym)) else { return (unsplit, None) };
            let (rest, verb) = (rest.to_owned(), verb.to_owned());
            let key = match before {
                [Piece::Param(_)] if rest.is_empty() => Key::Param,
                _ => {
                    let before = template_key(names, before);
                    let mut shape = names.resolve(before).to_owned();
                    shape.push_str(&rest);
                    Key::Template(names.intern(&shape))
                }
            };
            (key, Some(names.intern(&verb)))
        }
    }
}

/// `("users", "search")` of `users:search`.
fn split_verb(text: &str) -> Option<(&str, &str)> {
    let (rest, verb) = text.rsplit_once(':')?;
    let is_name = verb.starts_with(|c: char| c.is_ascii_alphabetic())
        && verb.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    is_name.then_some((rest, verb))
}

fn write_segment(segment: Segment, ops: &Ops, names: &Interner, out: &mut String) {
    let param = |name: Sym, out: &mut String| {
        out.push('{');
        out.push_str(names.resolve(name));
        out.push('}');
    };
    match segment {
        Segment::Literal(sym) => out.push_str(names.resolve(sym)),
        Segment::Param(name) => param(name, out),
        Segment::Template(pieces) => {
            for piece in ops.pieces.slice(pieces) {
                match piece {
                    Piece::Literal(sym) => out.push_str(names.resolve(*sym)),
                    Piece::Param(name) => param(*name, out),
                }
            }
        }
    }
}

fn bit(method: Method) -> u16 {
    Method::FIXED.iter().position(|&other| other == method).map_or(1 << 15, |place| 1 << place)
}

/// Whether a leading segment is a version that names no resource: `v1`, `v2beta`, `v2alpha1`, `v1.1`.
pub(crate) fn is_version(text: &str) -> bool {
    let Some(rest) = text.strip_prefix(['v', 'V']) else { return false };
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let letters = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    letters.trim_start_matches(|c: char| c.is_ascii_lowercase()).bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a segment is a version by date: `2022-11-28`.
pub(crate) fn is_date(text: &str) -> bool {
    let lengths = [4, 2, 2];
    let mut n_parts = 0;
    text.split('-').all(|part| {
        n_parts += 1;
        lengths.get(n_parts - 1) == Some(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    }) && n_parts == lengths.len()
}

/// How many leading segments of each path name a version and no resource.
///
/// A leading `v1` always does. Where every path has one, so do `api/v1` and a date; and `apis/apps/v1` where it is
/// the same for every path. What stands before the version must be a word for the interface as a whole.
pub(crate) struct VersionPrefixes {
    is_everywhere: bool,
    /// The literal that every path has between the word and the version.
    group: Option<Sym>,
}

/// Leading segments that stand for the whole interface.
const INTERFACE_WORDS: &[&str] = &["api", "apis", "rest"];

impl VersionPrefixes {
    pub(crate) fn of(trie: &PathTrie, names: &Interner, walks: &[Walk]) -> Self {
        let literal = |walk: &Walk, index: usize| match trie.key(*walk.nodes.get(index)?) {
            Key::Literal(sym) => Some(sym),
            Key::Param | Key::Template(_) => None,
        };
        let plain = Self { is_everywhere: true, group: None };
        if !walks.is_empty() && walks.iter().all(|walk| plain.length(trie, names, &walk.nodes) > 0) {
            return plain;
        }
        let grouped = Self { is_everywhere: true, group: walks.first().and_then(|walk| literal(walk, 1)) };
        let is_same = |walk: &Walk| grouped.length(trie, names, &walk.nodes) > 0;
        if grouped.group.is_some() && walks.iter().all(is_same) {
            return grouped;
        }
        Self { is_everywhere: false, group: None }
    }

    pub(crate) fn length(&self, trie: &PathTrie, names: &Interner, nodes: &[PathNode]) -> usize {
        let text = |index: usize| match nodes.get(index).map(|&node| trie.key(node)) {
            Some(Key::Literal(sym)) => names.resolve(sym),
            _ => "",
        };
        if is_version(text(0)) {
            return 1;
        }
        if !self.is_everywhere {
            return 0;
        }
        let is_any_version = |index: usize| is_version(text(index)) || is_date(text(index));
        let starts_with_word = INTERFACE_WORDS.contains(&text(0));
        match self.group {
            _ if is_any_version(0) => 1,
            None if starts_with_word && is_any_version(1) => 2,
            Some(group) if starts_with_word && text(1) == names.resolve(group) && is_any_version(2) => 3,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_date, is_version, split_verb};

    #[test]
    fn dates_are_told_from_numbers() {
        assert!(is_date("2022-11-28"));
        for text in ["2022-11", "2022-11-28-01", "22-11-2028", "2022-1-28", "", "2022-ab-28"] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn versions_are_told_from_words() {
        for text in ["v1", "v2", "v1beta", "v2alpha1", "v1.1", "v10", "V3"] {
            assert!(is_version(text), "{text}");
        }
        for text in ["v", "version", "vault", "1", "v1-beta", "v1betaX", "videos"] {
            assert!(!is_version(text), "{text}");
        }
    }

    #[test]
    fn a_custom_method_is_a_name_after_a_colon() {
        assert_eq!(split_verb("users:search"), Some(("users", "search")));
        assert_eq!(split_verb(":archive"), Some(("", "archive")));
        assert_eq!(split_verb("12:30"), None);
        assert_eq!(split_verb("users"), None);
        assert_eq!(split_verb("users:"), None);
    }
}
