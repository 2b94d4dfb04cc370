//! JSON values that the IR keeps: enum members, constants, defaults. Numbers keep their exact spelling.
//!
//! Examples and extensions can be most of a description, so they are not copied: a [`Literal`] says where one stands.

use std::cmp::Ordering;

use base::{Interner, Span, Sym, Table};

base::ids! {
    /// A JSON value.
    ValueId "value";
    /// An item of a list value.
    ItemId "item";
    /// A member of an object value.
    ValueMemberId "member";
}

/// A JSON value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonValue {
    Null,
    Bool(bool),
    /// The exact spelling, in the grammar of RFC 8259, section 6.
    Number(Sym),
    String(Sym),
    Array(Span<ItemId>),
    Object(Span<ValueMemberId>),
}

/// The values of one IR.
#[derive(Debug, Default)]
pub struct Values {
    pub rows: Table<ValueId, JsonValue>,
    pub items: Table<ItemId, ValueId>,
    pub members: Table<ValueMemberId, (Sym, ValueId)>,
}

/// Where a value stands in the documents that the IR was made from; whoever holds the documents can read it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Literal {
    pub doc: u32,
    pub node: u32,
}

impl Values {
    /// Whether two values are the same JSON: numbers by value, members in any order.
    pub fn equal(&self, names: &Interner, a: ValueId, b: ValueId) -> bool {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            match (self.rows[a], self.rows[b]) {
                (JsonValue::Number(x), JsonValue::Number(y)) => {
                    if x != y && !equal_numbers(names.resolve(x), names.resolve(y)) {
                        return false;
                    }
                }
                (JsonValue::Array(x), JsonValue::Array(y)) if x.len() == y.len() => {
                    pending.extend(x.iter().zip(y).map(|(x, y)| (self.items[x], self.items[y])));
                }
                (JsonValue::Object(x), JsonValue::Object(y)) if x.len() == y.len() => {
                    for (key, value) in self.members.slice(x) {
                        let Some((_, other)) = self.members.slice(y).iter().find(|(other, _)| other == key) else {
                            return false;
                        };
                        pending.push((*value, *other));
                    }
                }
                (x, y) if x == y => {}
                _ => return false,
            }
        }
        true
    }
}

/// Whether two spellings are one number: exactly where both are integers, else as the nearest binary fraction.
fn equal_numbers(a: &str, b: &str) -> bool {
    match (a.parse::<i128>(), b.parse::<i128>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => {
            matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a.partial_cmp(&b) == Some(Ordering::Equal))
        }
    }
}
