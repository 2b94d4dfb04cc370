//! Hash maps with fixed seeds, for look-ups only: nothing may depend on the run, and nothing iterates them.

use std::hash::BuildHasher;

/// ahash with the same seeds in every run.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Fixed;

pub(crate) type Map<K, V> = hashbrown::HashMap<K, V, Fixed>;
pub(crate) type Set<K> = hashbrown::HashSet<K, Fixed>;

const SEEDED: ahash::RandomState = ahash::RandomState::with_seeds(21, 22, 23, 24);

impl BuildHasher for Fixed {
    type Hasher = ahash::AHasher;

    fn build_hasher(&self) -> ahash::AHasher {
        SEEDED.build_hasher()
    }
}
