//! Look-up of an object's members by key in constant time, for objects with thousands of them.
//!
//! Reads one object of a [`Doc`]; a reader that looks into an object often builds one index and keeps it. For objects
//! of a few members [`Doc::get`] is faster.

use base::Sym;
use hashbrown::HashMap;

use crate::doc::{Doc, Kind, NodeId};

/// Fixed seeds: look-ups never depend on the run, and nothing iterates the map.
const HASHER: ahash::RandomState = ahash::RandomState::with_seeds(21, 22, 23, 24);

/// The members of one object, by key.
#[derive(Clone)]
pub struct MemberIndex {
    members: HashMap<Sym, NodeId, ahash::RandomState>,
}

impl MemberIndex {
    /// The index of the object `node`; empty for any other value. Of two members with one key it holds the first, as
    /// [`Doc::get`] does.
    pub fn of(doc: &Doc, node: NodeId) -> Self {
        let mut members = HashMap::with_hasher(HASHER);
        if doc.kind(node) == Kind::Object {
            members.reserve(doc.n_children(node));
            for member in doc.children(node) {
                if let Some(key) = doc.key(member) {
                    members.entry(key).or_insert(member);
                }
            }
        }
        Self { members }
    }

    pub fn get(&self, key: Sym) -> Option<NodeId> {
        self.members.get(&key).copied()
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

impl std::fmt::Debug for MemberIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MemberIndex({} members)", self.len())
    }
}
