//! Names that must differ once they are cased: two spellings of the same words meet in every language.
//!
//! Reads candidate names; gives each the lowest free number. Case is the business of the naming profiles.

use crate::lookup::Map;
use tungsten_ir::words::{Case, to_case};

/// The words of a name, joined: equal for names that meet once they are cased. A name without words is its own text.
pub(crate) fn word_key(name: &str) -> String {
    let key = to_case(name, Case::Snake);
    if key.is_empty() { name.to_owned() } else { key }
}

/// The names taken in one scope, by their words.
#[derive(Default)]
pub(crate) struct Scope {
    /// For each name, the number that is tried next.
    taken: Map<String, u32>,
}

impl Scope {
    /// Takes `name` if it is free.
    pub(crate) fn take(&mut self, name: &str) -> bool {
        let key = word_key(name);
        if self.taken.contains_key(&key) {
            return false;
        }
        self.taken.insert(key, 2);
        true
    }

    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains_key(&word_key(name))
    }

    /// Takes `name`, or `name` with the lowest free number from 2, and says whether it had to be numbered.
    pub(crate) fn take_numbered(&mut self, name: &str) -> (String, bool) {
        if self.take(name) {
            return (name.to_owned(), false);
        }
        let key = word_key(name);
        let mut number = self.taken[&key];
        loop {
            let candidate = numbered(name, number);
            number += 1;
            if self.take(&candidate) {
                self.taken.insert(key, number);
                return (candidate, true);
            }
        }
    }
}

/// `list2`; `v1_2` after a digit, which would read as twelve.
pub(crate) fn numbered(name: &str, number: u32) -> String {
    let joint = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    format!("{name}{joint}{number}")
}

#[cfg(test)]
mod tests {
    use super::{Scope, numbered};

    #[test]
    fn the_lowest_free_number_is_taken() {
        let mut scope = Scope::default();
        let mut take = |name: &str| scope.take_numbered(name).0;
        assert_eq!(take("list"), "list");
        assert_eq!(take("list3"), "list3");
        assert_eq!(take("list"), "list2");
        assert_eq!(take("list"), "list4");
        assert_eq!(take("owner_messages"), "owner_messages");
        assert_eq!(take("ownerMessages"), "ownerMessages2");
        assert_eq!(numbered("v1", 2), "v1_2");
    }
}
