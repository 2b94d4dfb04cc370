//! One number for each distinct short string: keys, names, references.
//!
//! Ours and not a library's, because each of thousands of small documents starts from the same list of known keys:
//! cloning this interner is three memory copies. Symbols are identity, never order.

use hashbrown::HashTable;

use crate::ids::Id;

crate::ids! {
    /// An interned string.
    Sym "sym";
}

impl Sym {
    /// The symbol of place `index`, usable in constants: a keyword list numbers its own symbols with it.
    pub const fn at(index: u32) -> Self {
        match std::num::NonZeroU32::new(index + 1) {
            Some(number) => Self(number),
            None => panic!("an index plus one is never zero"),
        }
    }
}

/// Fixed seeds: look-ups never depend on the run, and nothing iterates the map.
const HASHER: ahash::RandomState = ahash::RandomState::with_seeds(11, 22, 33, 44);

/// Maps strings to [`Sym`] and back. Equal strings have equal symbols.
#[derive(Clone, Default)]
pub struct Interner {
    bytes: String,
    ends: Vec<u32>,
    lookup: HashTable<Entry>,
}

/// Place of a string, and its hash: a table that grows need not read the strings again.
#[derive(Clone, Copy)]
struct Entry {
    hash: u32,
    index: u32,
}

impl Entry {
    /// The table looks at the low bits and the highest seven.
    fn spread(hash: u32) -> u64 {
        u64::from(hash) << 32 | u64::from(hash)
    }
}

fn hash_of(text: &str) -> u32 {
    HASHER.hash_one(text) as u32
}

impl Interner {
    pub fn new() -> Self {
        Self::default()
    }

    /// An interner whose first symbols are `words`, in order. Panics when a word stands twice.
    pub fn with_words(words: &[&str]) -> Self {
        let mut interner = Self::new();
        for (index, word) in words.iter().enumerate() {
            let sym = interner.intern(word);
            assert_eq!(sym.index(), index, "a word list names each word once: {word}");
        }
        interner
    }

    /// The symbol of `text`, new if it was not known. Panics beyond 4 GiB of distinct text; budgets keep it below.
    pub fn intern(&mut self, text: &str) -> Sym {
        let hash = hash_of(text);
        let Self { bytes, ends, lookup } = self;
        let slice = |index: u32| &bytes[start(ends, index)..ends[index as usize] as usize];
        let found = lookup.find(Entry::spread(hash), |entry| entry.hash == hash && slice(entry.index) == text);
        if let Some(entry) = found {
            return Sym::at(entry.index);
        }
        let index = u32::try_from(ends.len()).expect("fewer than 2^32 distinct strings");
        lookup.insert_unique(Entry::spread(hash), Entry { hash, index }, |entry| Entry::spread(entry.hash));
        bytes.push_str(text);
        ends.push(u32::try_from(bytes.len()).expect("distinct text stays below 4 GiB"));
        Sym::at(index)
    }

    /// The symbol of `text` if it is known.
    pub fn find(&self, text: &str) -> Option<Sym> {
        let hash = hash_of(text);
        let is = |entry: &Entry| entry.hash == hash && self.slice(entry.index) == text;
        self.lookup.find(Entry::spread(hash), is).map(|entry| Sym::at(entry.index))
    }

    /// The text of a symbol of this interner. Panics on a symbol of another one that is longer.
    pub fn resolve(&self, sym: Sym) -> &str {
        self.slice(sym.index() as u32)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings in symbol order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len() as u32).map(|index| self.slice(index))
    }

    fn slice(&self, index: u32) -> &str {
        &self.bytes[start(&self.ends, index)..self.ends[index as usize] as usize]
    }
}

impl std::fmt::Debug for Interner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Interner({} strings)", self.len())
    }
}

fn start(ends: &[u32], index: u32) -> usize {
    if index == 0 { 0 } else { ends[index as usize - 1] as usize }
}

#[cfg(test)]
mod tests {
    use super::{Interner, Sym};

    #[test]
    fn equal_text_has_one_symbol() {
        let mut interner = Interner::with_words(&["type", "items"]);
        assert_eq!(interner.intern("type"), Sym::at(0));
        let pet = interner.intern("Pet");
        assert_eq!(interner.intern("Pet"), pet);
        assert_eq!(interner.resolve(pet), "Pet");
        assert_eq!(interner.find("Cat"), None);
        assert_eq!(interner.intern(""), interner.intern(""));
        assert_eq!(interner.iter().collect::<Vec<_>>(), ["type", "items", "Pet", ""]);
    }

    #[test]
    fn a_thousand_strings_stay_apart() {
        let mut interner = Interner::new();
        let syms: Vec<Sym> = (0..1000).map(|n| interner.intern(&n.to_string())).collect();
        for (n, sym) in syms.iter().enumerate() {
            assert_eq!(interner.resolve(*sym), n.to_string());
        }
    }
}
