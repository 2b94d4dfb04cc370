//! What a key table is made of: the shape of a value, a row for each key, and the macro that declares an object.
//!
//! One declaration gives the Rust struct, its table and its reader; [`crate::schema()`] and the reference page walk the
//! table. Nothing here knows a particular manifest.

use base_doc::Value;

use crate::forms::Form;
use crate::reader::Cx;

/// What a value may be.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// A string of one form.
    Text(&'static Form),
    Bool,
    /// The value `true` and no other.
    True,
    /// A whole number within bounds, both included.
    Integer {
        min: u64,
        max: u64,
    },
    Object(&'static Object),
    /// An object whose keys are the user's own.
    Map {
        keys: &'static Form,
        values: fn() -> Shape,
    },
    List {
        items: fn() -> Shape,
        min_items: usize,
    },
    Either(&'static [Shape]),
    Any,
}

/// An object with a fixed list of keys.
pub(crate) struct Object {
    /// Name of the definition in the JSON Schema.
    pub name: &'static str,
    /// What the object is for, for people.
    pub doc: &'static str,
    pub keys: &'static [KeyRow],
    /// Keys of which exactly one must be there; empty when there is no such rule.
    pub exactly_one: &'static [&'static str],
    /// A key, and the keys that mean nothing without it.
    pub only_with: Option<(&'static str, &'static [&'static str])>,
    /// Whether other keys are handed on unread, as a target's options are.
    pub open: bool,
}

/// One key of an object.
pub(crate) struct KeyRow {
    pub name: &'static str,
    pub doc: &'static str,
    pub shape: fn() -> Shape,
    pub presence: Presence,
    /// False for a key that is read and checked, but that nothing acts on yet.
    pub applied: bool,
}

/// Whether a key must be there, and what its absence means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    /// What holds without the key, as a JSON value.
    Default(&'static str),
    /// What holds without the key, in words.
    Otherwise(&'static str),
}

impl Object {
    pub fn key(&self, name: &str) -> Option<usize> {
        self.keys.iter().position(|row| row.name == name)
    }
}

/// A type that a key can have: its shape, and how a value of that shape is read.
pub(crate) trait Key: Sized {
    /// What holds when an optional key of this type is absent.
    const WITHOUT: Presence = Presence::Otherwise("none");

    fn shape() -> Shape;

    /// The value of an absent optional key; nothing when the type has no such value.
    fn absent() -> Option<Self> {
        None
    }

    /// Reads a value and reports all that is wrong with it; nothing when no value of the type can be made.
    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self>;
}

/// The name of a field whose key is a word of Rust: `r#as` is the key `as`.
pub(crate) const fn plain_name(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

/// Declares an object: a public struct, its table of keys and its reader.
///
/// A key is `name: Type => (required)`, `(optional)`, `(optional "what holds without it")` or `(default value)`, then
/// `not_applied` for a key that nothing acts on yet, then `check path` for a rule beyond the shape. The doc
/// comment of a key is its sentence in the schema and on the reference page.
macro_rules! object {
    (
        $(#[doc = $about:literal])+
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $key:ident: $type:ty => ($($presence:tt)+) $($applied:ident)? $(; check $check:path)?,
            )+
        }
        $(exactly_one [$($one:ident),+])?
        $(only_with $needed:ident [$($needs:ident),+])?
        $(rest $rest:ident: $rest_type:ty)?
    ) => {
        $(#[doc = $about])+
        #[derive(Clone, PartialEq, Debug)]
        pub struct $name {
            $($(#[doc = $doc])+ pub $key: $type,)+
            $(
                /// Members beyond the known keys, in document order.
                pub $rest: $rest_type,
            )?
            /// Where the object stands; nowhere when it was not written.
            pub place: base::Place,
        }

        impl $name {
            pub(crate) const TABLE: &'static $crate::keys::Object = &$crate::keys::Object {
                name: stringify!($name),
                doc: concat!($($about),+),
                keys: &[$($crate::keys::KeyRow {
                    name: $crate::keys::plain_name(stringify!($key)),
                    doc: concat!($($doc),+),
                    shape: <$type as $crate::keys::Key>::shape,
                    presence: $crate::keys::object!(@presence $type, $($presence)+),
                    applied: $crate::keys::object!(@applied $($applied)?),
                },)+],
                exactly_one: &[$($(stringify!($one)),+)?],
                only_with: $crate::keys::object!(@only_with $($needed $($needs)+)?),
                open: $crate::keys::object!(@open $($rest)?),
            };
        }

        impl $crate::keys::Key for $name {
            const WITHOUT: $crate::keys::Presence = $crate::keys::Presence::Default("{}");

            fn shape() -> $crate::keys::Shape {
                $crate::keys::Shape::Object(Self::TABLE)
            }

            fn absent() -> Option<Self> {
                Some(Self {
                    $($key: $crate::keys::object!(@absent $type, $($presence)+)?,)+
                    $($rest: <$rest_type>::default(),)?
                    place: base::Place::default(),
                })
            }

            fn read(value: base_doc::Value<'_>, cx: &mut $crate::reader::Cx<'_>) -> Option<Self> {
                let members = cx.members(value, Self::TABLE)?;
                let mut rows = members.known.into_iter().zip(Self::TABLE.keys);
                // Every key is read before one that failed ends the object: all its errors are reported.
                $(
                    let (member, row) = rows.next().expect("the table has a row for each field");
                    let $key: Option<$type> = member
                        .and_then(|member| cx.inside(row.name, |cx| {
                            let read = <$type as $crate::keys::Key>::read(member, cx);
                            $(if let Some(read) = &read { $check(read, cx); })?
                            read
                        }))
                        .or_else(|| $crate::keys::object!(@absent $type, $($presence)+));
                )+
                let place = cx.place(value);
                $(let $rest = cx.rest(&members.other);)?
                Some(Self { $($key: $key?,)+ $($rest,)? place })
            }
        }
    };
    (@presence $type:ty, required) => { $crate::keys::Presence::Required };
    (@presence $type:ty, optional) => { <$type as $crate::keys::Key>::WITHOUT };
    (@presence $type:ty, optional $text:literal) => { $crate::keys::Presence::Otherwise($text) };
    (@presence $type:ty, default $value:literal) => { $crate::keys::Presence::Default(stringify!($value)) };
    (@absent $type:ty, required) => { None };
    (@absent $type:ty, optional $($text:literal)?) => { <$type as $crate::keys::Key>::absent() };
    (@absent $type:ty, default $value:literal) => { Some(<$type>::from($value)) };
    (@applied) => { true };
    (@applied not_applied) => { false };
    (@only_with) => { None };
    (@only_with $needed:ident $($needs:ident)+) => { Some((stringify!($needed), &[$(stringify!($needs)),+])) };
    (@open) => { false };
    (@open $rest:ident) => { true };
}

pub(crate) use object;
