//! Typed row numbers. `ids!` declares one newtype a row kind, so that an operation can never index the types.
//!
//! Ids print with their kind (`type12`, `op3`). They are identity, never order: do not sort by id to get a stable
//! output. Built on `NonZeroU32`, so that `Option<TypeId>` stays four bytes.

/// A typed, dense row number.
pub trait Id: Copy + Eq + std::hash::Hash + std::fmt::Debug {
    /// The id of row `index`. Panics beyond `u32::MAX - 1` rows; input budgets keep tables far below that.
    fn from_index(index: usize) -> Self;

    /// The row's place in its table, from 0.
    fn index(self) -> usize;
}

/// Declares id types: `ids! { TypeId "type"; OpId "op"; }`.
#[macro_export]
macro_rules! ids {
    ($($(#[$meta:meta])* $name:ident $kind:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(std::num::NonZeroU32);

        impl $crate::ids::Id for $name {
            fn from_index(index: usize) -> Self {
                let number = u32::try_from(index + 1).expect("a table holds fewer than 2^32 rows");
                Self(std::num::NonZeroU32::new(number).expect("an index plus one is never zero"))
            }

            fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($kind, "{}"), $crate::ids::Id::index(*self))
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    use super::Id;

    crate::ids! { RowId "row"; }

    #[test]
    fn an_id_prints_its_kind_and_an_option_costs_nothing() {
        assert_eq!(format!("{:?}", RowId::from_index(12)), "row12");
        assert_eq!(RowId::from_index(7).index(), 7);
        assert_eq!(size_of::<Option<RowId>>(), 4);
    }
}
