//! Scopes: which names are taken, and the lowest free number for one that is.
//!
//! Reads and extends the pool that the names are interned in. What a name is for is its caller's business.

use base::{Id, Interner, Sym};

/// A scope: which names are taken in it. Cheap to begin anew, since names carry the number of the scope that took them.
#[derive(Default)]
pub(super) struct Scope {
    taken: Vec<Taken>,
    current: u32,
    /// Whether names that differ in case only are one name.
    ignores_case: bool,
}

#[derive(Clone, Copy, Default)]
struct Taken {
    scope: u32,
    /// The lowest number that may be free after this name. Without it, each of many equal names would try all numbers
    /// of those before it.
    next: u32,
    /// The wire name that became this name; nothing for one that generated code needs for itself.
    holder: Option<Sym>,
}

/// A name that was free, and what stood in the way of the one that was wanted.
pub(super) struct Claimed {
    pub(super) name: Sym,
    pub(super) is_renamed: bool,
    /// The wire name that became the wanted name before.
    pub(super) holder: Option<Sym>,
}

impl Scope {
    pub(super) fn new(ignores_case: bool) -> Self {
        Self { ignores_case, ..Self::default() }
    }

    pub(super) fn begin(&mut self) {
        self.current += 1;
    }

    /// Takes `name` for the wire name `holder` if it is free in the scope.
    pub(super) fn take(&mut self, pool: &mut Interner, name: Sym, holder: Option<Sym>) -> bool {
        let key = self.key(pool, name);
        if self.taken.len() <= key {
            self.taken.resize(key + 1, Taken::default());
        }
        let free = self.taken[key].scope != self.current;
        if free {
            self.taken[key] = Taken { scope: self.current, next: 2, holder };
        }
        free
    }

    fn key(&self, pool: &mut Interner, name: Sym) -> usize {
        if self.ignores_case {
            let folded = pool.resolve(name).to_ascii_lowercase();
            return pool.intern(&folded).index();
        }
        name.index()
    }

    /// Takes `name`, or `name` with the lowest free number, for the wire name `wire`. All claims of a scope together
    /// try about as many names as the scope holds in the end.
    pub(super) fn claim(
        &mut self,
        pool: &mut Interner,
        name: Sym,
        wire: Option<Sym>,
        is_reserved: impl Fn(&str) -> bool,
    ) -> Claimed {
        if self.take(pool, name, wire) {
            return Claimed { name, is_renamed: false, holder: None };
        }
        let key = self.key(pool, name);
        let holder = self.taken[key].holder;
        let base = pool.resolve(name).to_owned();
        let joint = if base.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
        for number in self.taken[key].next.. {
            let numbered = format!("{base}{joint}{number}");
            if is_reserved(&numbered) {
                continue;
            }
            let candidate = pool.intern(&numbered);
            if self.take(pool, candidate, wire) {
                self.taken[key].next = number + 1;
                return Claimed { name: candidate, is_renamed: true, holder };
            }
        }
        unreachable!("a scope holds fewer names than there are numbers")
    }
}
