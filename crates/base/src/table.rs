//! Tables own rows, columns annotate someone else's rows, spans name runs of neighbouring rows.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use crate::ids::Id;

/// Owns the rows of one kind. Rows are only ever added.
#[derive(Clone)]
pub struct Table<I, T> {
    rows: Vec<T>,
    ids: PhantomData<fn() -> I>,
}

impl<I: Id, T> Table<I, T> {
    pub fn new() -> Self {
        Self { rows: Vec::new(), ids: PhantomData }
    }

    pub fn with_capacity(n_rows: usize) -> Self {
        Self { rows: Vec::with_capacity(n_rows), ids: PhantomData }
    }

    /// Adds a row and returns its id.
    pub fn push(&mut self, row: T) -> I {
        let id = I::from_index(self.rows.len());
        self.rows.push(row);
        id
    }

    /// Adds rows next to each other and returns their span.
    pub fn extend(&mut self, rows: impl IntoIterator<Item = T>) -> Span<I> {
        let start = self.rows.len();
        self.rows.extend(rows);
        Span::new(start, self.rows.len())
    }

    /// The id that the next `push` will return.
    pub fn next_id(&self) -> I {
        I::from_index(self.rows.len())
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All rows in order, with their ids.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.rows.iter().enumerate().map(|(index, row)| (I::from_index(index), row))
    }

    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.rows.len()).map(I::from_index)
    }

    pub fn rows(&self) -> &[T] {
        &self.rows
    }

    pub fn rows_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }

    /// The row, or nothing when the id belongs to no row of this table.
    pub fn get(&self, id: I) -> Option<&T> {
        self.rows.get(id.index())
    }

    /// The rows of a span as a slice.
    pub fn slice(&self, span: Span<I>) -> &[T] {
        &self.rows[span.range()]
    }
}

impl<I: Id, T> Default for Table<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.rows[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.rows[id.index()]
    }
}

impl<I: Id, T: std::fmt::Debug> std::fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// One value for each row of someone else's table; the default until set.
#[derive(Clone, Debug)]
pub struct Column<I, V> {
    values: Vec<V>,
    default: V,
    ids: PhantomData<fn() -> I>,
}

impl<I: Id, V: Clone> Column<I, V> {
    pub fn new(default: V) -> Self {
        Self { values: Vec::new(), default, ids: PhantomData }
    }

    pub fn set(&mut self, id: I, value: V) {
        if self.values.len() <= id.index() {
            self.values.resize(id.index() + 1, self.default.clone());
        }
        self.values[id.index()] = value;
    }

    pub fn get(&self, id: I) -> &V {
        self.values.get(id.index()).unwrap_or(&self.default)
    }
}

impl<I: Id, V: Clone + Default> Default for Column<I, V> {
    fn default() -> Self {
        Self::new(V::default())
    }
}

impl<I: Id, V: Clone> Index<I> for Column<I, V> {
    type Output = V;

    fn index(&self, id: I) -> &V {
        self.get(id)
    }
}

/// Neighbouring rows of one table: the children of a row, stored next to each other.
pub struct Span<I> {
    start: u32,
    end: u32,
    ids: PhantomData<fn() -> I>,
}

impl<I: Id> Span<I> {
    pub const EMPTY: Self = Self { start: 0, end: 0, ids: PhantomData };

    /// The rows `start..end`. Panics when the rows do not fit a table.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "a span starts before it ends");
        let fit = |row: usize| u32::try_from(row).expect("a table holds fewer than 2^32 rows");
        Self { start: fit(start), end: fit(end), ids: PhantomData }
    }

    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The ids of the span, in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I> {
        self.range().map(I::from_index)
    }
}

impl<I: Id> IntoIterator for Span<I> {
    type Item = I;
    type IntoIter = std::iter::Map<std::ops::Range<usize>, fn(usize) -> I>;

    fn into_iter(self) -> Self::IntoIter {
        self.range().map(I::from_index)
    }
}

impl<I> Clone for Span<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Span<I> {}

impl<I> PartialEq for Span<I> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.end) == (other.start, other.end)
    }
}

impl<I> Eq for Span<I> {}

impl<I: Id> Default for Span<I> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<I> std::fmt::Debug for Span<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

#[cfg(test)]
mod tests {
    use super::{Column, Table};

    crate::ids! { RowId "row"; }

    #[test]
    fn rows_are_found_by_the_id_that_push_returned() {
        let mut table: Table<RowId, char> = Table::new();
        let a = table.push('a');
        let rest = table.extend(['b', 'c']);
        assert_eq!(table[a], 'a');
        assert_eq!(table.slice(rest), ['b', 'c']);
        assert_eq!(rest.iter().map(|id| table[id]).collect::<String>(), "bc");
    }

    #[test]
    fn a_column_answers_its_default_until_set() {
        let mut table: Table<RowId, ()> = Table::new();
        let (a, b) = (table.push(()), table.push(()));
        let mut column = Column::new(1);
        column.set(b, 5);
        assert_eq!((column[a], column[b]), (1, 5));
    }
}
