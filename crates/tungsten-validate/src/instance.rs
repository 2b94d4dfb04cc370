//! JSON values as the check sees them, whoever holds them: the JSON library, or a document with its exact numbers.
//!
//! Reads values; writes nothing. The name of a member can be judged like a text.

use std::borrow::Cow;

use base_doc::Kind;

/// A JSON value.
pub trait Json<'v>: Copy + 'v {
    fn kind(self) -> Kind;
    fn as_bool(self) -> Option<bool>;
    /// The number's spelling, in the grammar of RFC 8259, section 6.
    fn number(self) -> Option<Cow<'v, str>>;
    fn text(self) -> Option<&'v str>;
    /// Items of a list; none for other values.
    fn items(self) -> impl Iterator<Item = Self>;
    /// Members of an object, each name once; none for other values.
    fn members(self) -> impl Iterator<Item = (&'v str, Self)>;
    fn member(self, name: &str) -> Option<Self>;
    /// How many items or members it has.
    fn size(self) -> usize;
    /// Tells it from all other values that are there at the same time.
    fn address(self) -> usize;
}

impl<'v> Json<'v> for &'v serde_json::Value {
    fn kind(self) -> Kind {
        match self {
            serde_json::Value::Null => Kind::Null,
            serde_json::Value::Bool(_) => Kind::Bool,
            serde_json::Value::Number(_) => Kind::Number,
            serde_json::Value::String(_) => Kind::String,
            serde_json::Value::Array(_) => Kind::Array,
            serde_json::Value::Object(_) => Kind::Object,
        }
    }

    fn as_bool(self) -> Option<bool> {
        self.as_bool()
    }

    fn number(self) -> Option<Cow<'v, str>> {
        self.as_number().map(|number| Cow::Owned(number.to_string()))
    }

    fn text(self) -> Option<&'v str> {
        self.as_str()
    }

    fn items(self) -> impl Iterator<Item = Self> {
        self.as_array().into_iter().flatten()
    }

    fn members(self) -> impl Iterator<Item = (&'v str, Self)> {
        self.as_object().into_iter().flatten().map(|(name, member)| (name.as_str(), member))
    }

    fn member(self, name: &str) -> Option<Self> {
        self.as_object()?.get(name)
    }

    fn size(self) -> usize {
        match self {
            serde_json::Value::Array(items) => items.len(),
            serde_json::Value::Object(members) => members.len(),
            _ => 0,
        }
    }

    fn address(self) -> usize {
        std::ptr::from_ref(self) as usize
    }
}

impl<'v> Json<'v> for base_doc::Value<'v> {
    fn kind(self) -> Kind {
        base_doc::Value::kind(self)
    }

    fn as_bool(self) -> Option<bool> {
        base_doc::Value::as_bool(self)
    }

    fn number(self) -> Option<Cow<'v, str>> {
        self.as_number().map(Cow::Borrowed)
    }

    fn text(self) -> Option<&'v str> {
        self.as_str()
    }

    fn items(self) -> impl Iterator<Item = Self> {
        self.children().filter(move |_| self.kind() == Kind::Array)
    }

    fn members(self) -> impl Iterator<Item = (&'v str, Self)> {
        self.children().filter_map(|child| Some((child.key_text()?, child)))
    }

    fn member(self, name: &str) -> Option<Self> {
        if self.kind() != Kind::Object {
            return None;
        }
        self.get(self.set().keys.find(name)?)
    }

    fn size(self) -> usize {
        match self.kind() {
            Kind::Array | Kind::Object => self.n_children(),
            _ => 0,
        }
    }

    fn address(self) -> usize {
        use base::Id;
        let at = self.at();
        (at.doc.index() << 32) | at.node.index()
    }
}

/// A value, or the name of a member.
#[derive(Clone, Copy)]
pub(crate) enum Instance<'v, V> {
    Value(V),
    Name(&'v str),
}

impl<'v, V: Json<'v>> Instance<'v, V> {
    pub(crate) fn kind(self) -> Kind {
        self.value().map_or(Kind::String, V::kind)
    }

    pub(crate) fn value(self) -> Option<V> {
        match self {
            Self::Value(value) => Some(value),
            Self::Name(_) => None,
        }
    }

    pub(crate) fn as_bool(self) -> Option<bool> {
        self.value()?.as_bool()
    }

    pub(crate) fn number(self) -> Option<Cow<'v, str>> {
        self.value()?.number()
    }

    pub(crate) fn text(self) -> Option<&'v str> {
        match self {
            Self::Value(value) => value.text(),
            Self::Name(name) => Some(name),
        }
    }

    pub(crate) fn items(self) -> impl Iterator<Item = Self> {
        self.value().into_iter().flat_map(V::items).map(Self::Value)
    }

    pub(crate) fn members(self) -> impl Iterator<Item = (&'v str, Self)> {
        self.value().into_iter().flat_map(V::members).map(|(name, member)| (name, Self::Value(member)))
    }

    pub(crate) fn member(self, name: &str) -> Option<Self> {
        self.value()?.member(name).map(Self::Value)
    }

    pub(crate) fn size(self) -> usize {
        self.value().map_or(0, V::size)
    }

    /// See [`Json::address`]; nothing for a name.
    pub(crate) fn address(self) -> Option<usize> {
        self.value().map(V::address)
    }
}

/// What a value is, for a message.
pub(crate) fn phrase(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Bool => "a boolean",
        Kind::Number => "a number",
        Kind::String => "a string",
        Kind::Array => "a list",
        Kind::Object => "an object",
    }
}
