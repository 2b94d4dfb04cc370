//! Text that came from an input. [`SpecText`] cannot be printed: it has no `Display`, no `Deref` and no `AsRef`.
//!
//! The only ways out are the escapers of `tungsten-emit`, one for each language and context, which call
//! [`SpecText::untrusted`]; everywhere else in the emitters that method is a disallowed one. Prose is kept once in a
//! [`TextPool`] and referred to by id, never interned.

use std::sync::Arc;

use crate::source::Source;

crate::ids! {
    /// A text of a [`TextPool`].
    TextId "text";
}

/// Borrowed text of a description: a name, a description, a pattern. Never trusted, never printed as it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SpecText<'a>(&'a str);

impl<'a> SpecText<'a> {
    pub fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// The text as it was written, with whatever its author put into it. For comparing, measuring and escaping.
    pub fn untrusted(self) -> &'a str {
        self.0
    }

    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

impl std::fmt::Debug for SpecText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SpecText({:?})", self.0)
    }
}

/// Long texts: places in the sources that they were read from, and copies of texts that stand in none of these.
#[derive(Clone, Default)]
pub struct TextPool {
    copies: String,
    sources: Vec<Arc<Source>>,
    /// The sources by the address of their first byte.
    by_address: Vec<(usize, u32)>,
    rows: Vec<Row>,
}

/// Bytes `start..end` of a source, or of the copies.
#[derive(Clone, Copy)]
struct Row {
    /// 0 for the copies, else one more than the place in `sources`.
    source: u32,
    start: u32,
    end: u32,
}

impl TextPool {
    pub fn new() -> Self {
        Self::default()
    }

    /// A pool that need not copy texts of these sources, and keeps the sources instead. A source that is no UTF-8 is
    /// left out.
    pub fn over(sources: impl IntoIterator<Item = Arc<Source>>) -> Self {
        let sources: Vec<Arc<Source>> = sources.into_iter().filter(|source| source.text().is_ok()).collect();
        let address = |source: &Arc<Source>| source.bytes().as_ptr() as usize;
        let mut by_address: Vec<(usize, u32)> = sources.iter().map(address).zip(1..).collect();
        by_address.sort_unstable();
        Self { sources, by_address, ..Self::default() }
    }

    /// Keeps `text` and returns its id. Equal texts are kept twice: prose hardly ever repeats. Panics beyond 4 GiB of
    /// copies; budgets keep it below.
    pub fn push(&mut self, text: &str) -> TextId {
        let row = self.place(text).unwrap_or_else(|| {
            let start = self.copies.len();
            self.copies.push_str(text);
            Row { source: 0, start: offset(start), end: offset(self.copies.len()) }
        });
        self.rows.push(row);
        <TextId as crate::ids::Id>::from_index(self.rows.len() - 1)
    }

    /// Where the text stands in a source, told by its address.
    fn place(&self, text: &str) -> Option<Row> {
        let address = text.as_ptr() as usize;
        let above = self.by_address.partition_point(|(first, _)| *first <= address);
        let (first, source) = *self.by_address.get(above.checked_sub(1)?)?;
        let (start, end) = (address - first, address - first + text.len());
        let is_inside = end <= self.sources[source as usize - 1].bytes().len();
        is_inside.then(|| Row { source, start: offset(start), end: offset(end) })
    }

    pub fn get(&self, id: TextId) -> SpecText<'_> {
        let Row { source, start, end } = self.rows[<TextId as crate::ids::Id>::index(id)];
        let whole = match source {
            0 => self.copies.as_str(),
            number => self.sources[number as usize - 1].text().expect("a pool is over sources that are UTF-8"),
        };
        SpecText(&whole[start as usize..end as usize])
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl std::fmt::Debug for TextPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TextPool({} texts, {} bytes copied)", self.rows.len(), self.copies.len())
    }
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("sources and copies stay below 4 GiB")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::TextPool;
    use crate::Source;

    #[test]
    fn texts_come_back_as_they_were() {
        let mut pool = TextPool::new();
        let (a, b, c) = (pool.push("one"), pool.push(""), pool.push("zwei */"));
        assert_eq!(pool.get(a).untrusted(), "one");
        assert!(pool.get(b).is_empty());
        assert_eq!(pool.get(c).untrusted(), "zwei */");
    }

    #[test]
    fn texts_of_a_source_are_not_copied() {
        let sources = ["title: One", "", "title: Zwei"].map(|text| Arc::new(Source::from_bytes("a.yaml", text)));
        let mut pool = TextPool::over(sources.clone());
        let texts = sources.each_ref().map(|source| source.text().expect("a text"));
        let elsewhere = texts[2].to_owned();
        let wanted = [&texts[0][7..], &texts[2][7..], texts[1], &elsewhere[7..], texts[0], ""];
        let ids = wanted.map(|text| pool.push(text));
        assert_eq!(ids.map(|id| pool.get(id).untrusted()), wanted);
        assert_eq!(pool.copies, "Zwei");
    }
}
