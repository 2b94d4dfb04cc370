//! Text that came from an input. [`SpecText`] cannot be printed: it has no `Display`, no `Deref` and no `AsRef`.
//!
//! The only ways out are the escapers of `tungsten-emit`, one for each language and context, which call
//! [`SpecText::untrusted`]; everywhere else in the emitters that method is a disallowed one. Prose is kept once in a
//! [`TextPool`] and referred to by id, never interned.

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

/// Long texts, stored one behind the other.
#[derive(Clone, Default)]
pub struct TextPool {
    bytes: String,
    ends: Vec<usize>,
}

impl TextPool {
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps `text` and returns its id. Equal texts are kept twice: prose hardly ever repeats.
    pub fn push(&mut self, text: &str) -> TextId {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
        <TextId as crate::ids::Id>::from_index(self.ends.len() - 1)
    }

    pub fn get(&self, id: TextId) -> SpecText<'_> {
        let index = <TextId as crate::ids::Id>::index(id);
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        SpecText(&self.bytes[start..self.ends[index]])
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

impl std::fmt::Debug for TextPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TextPool({} texts, {} bytes)", self.ends.len(), self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::TextPool;

    #[test]
    fn texts_come_back_as_they_were() {
        let mut pool = TextPool::new();
        let (a, b, c) = (pool.push("one"), pool.push(""), pool.push("zwei */"));
        assert_eq!(pool.get(a).untrusted(), "one");
        assert!(pool.get(b).is_empty());
        assert_eq!(pool.get(c).untrusted(), "zwei */");
    }
}
