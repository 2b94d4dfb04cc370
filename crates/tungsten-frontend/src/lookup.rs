//! Hash tables for look-ups. The seeds are fixed, so nothing depends on the run; nothing iterates one.

use std::hash::BuildHasher;

use ahash::{AHasher, RandomState};

pub(crate) type Map<K, V> = hashbrown::HashMap<K, V, Seeds>;
pub(crate) type Set<K> = hashbrown::HashSet<K, Seeds>;

const SEEDS: RandomState = RandomState::with_seeds(21, 32, 43, 54);

#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Seeds;

impl BuildHasher for Seeds {
    type Hasher = AHasher;

    fn build_hasher(&self) -> AHasher {
        SEEDS.build_hasher()
    }
}
