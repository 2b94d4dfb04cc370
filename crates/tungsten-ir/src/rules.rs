//! Rules: what a schema says about values, keyword by keyword, where its shape does not say the same.
//!
//! A shape tells what values look like, so that languages can have types for them. Some of JSON Schema is no matter of
//! looks: conditions, exclusions, names by pattern, members that nothing else knows. A type whose shape leaves out or
//! widens some of that has rules as well: rows for all that its schema says, each keyword one, their operands other
//! types. Few types have any; the frontend fills these tables, validators read them.

use base::{Span, Sym, Table, TextId};

use crate::{BoundsId, ItemId, MemberId, Shape, TypeId};

base::ids! {
    /// A rule of a type.
    RuleId "rule";
    /// The name of a member that a rule requires.
    RuleNameId "rule name";
    /// The name of a member and a type that a rule connects it with.
    RuleMemberId "rule member";
    /// A pattern of names and the type of their members.
    RulePatternId "rule pattern";
}

/// Tables of all rules.
#[derive(Debug, Default)]
pub struct Rules {
    pub rows: Table<RuleId, Rule>,
    pub names: Table<RuleNameId, Sym>,
    pub members: Table<RuleMemberId, (Sym, TypeId)>,
    pub patterns: Table<RulePatternId, (TextId, TypeId)>,
}

/// How values of a type are judged, beside its shape.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Judged {
    /// All that the schema says, where its shape says less or more; empty where the shape says it all.
    pub rules: Span<RuleId>,
    /// The schema states no type, and its keywords are about the shape's: it admits values of any other JSON type.
    pub inferred: bool,
    /// Exactly one of the union's variants may admit a value (`oneOf`).
    pub exclusive: bool,
    /// A rule of another type asks which members and items this one has looked at.
    pub asked: bool,
}

/// One keyword (JSON Schema 2020-12, core sections 10 and 11, validation section 6). It says nothing about values of a
/// JSON type that it is not about.
///
/// The rows of a type stand in the order in which they build on one another: members by name, by pattern, then the
/// others; what no rule before has looked at comes last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// `type`.
    Types { admitted: JsonTypes },
    /// Bounds of texts, numbers, lists and objects.
    Bounds { bounds: BoundsId },
    /// `enum`, `const`; without values none is admitted (the schema `false`).
    OneOfValues { values: Span<ItemId> },
    /// `required`.
    Required { names: Span<RuleNameId> },
    /// `properties`.
    Properties { members: Span<RuleMemberId> },
    /// `patternProperties`.
    Patterns { members: Span<RulePatternId> },
    /// `additionalProperties`: members that `Properties` and `Patterns` of the same type do not name.
    Additional { ty: TypeId },
    /// `propertyNames`: the names of members, as texts.
    Names { ty: TypeId },
    /// `dependentRequired`, for one name.
    NeedsNames { name: Sym, names: Span<RuleNameId> },
    /// `dependentSchemas`: objects with the member are of the type.
    NeedsTypes { members: Span<RuleMemberId> },
    /// `prefixItems`.
    Prefix { items: Span<MemberId> },
    /// `items`: those behind `Prefix` of the same type.
    Items { ty: TypeId },
    /// `contains`, `minContains`, `maxContains`.
    Contains { ty: TypeId, min: u64, max: Option<u64> },
    /// `not`.
    Not { ty: TypeId },
    /// `if`, `then`, `else`.
    If { condition: TypeId, then: Option<TypeId>, otherwise: Option<TypeId> },
    /// `allOf`, `$ref`.
    All { members: Span<MemberId> },
    /// `anyOf`.
    Any { members: Span<MemberId> },
    /// `oneOf`.
    One { members: Span<MemberId> },
    /// `unevaluatedProperties`: members that no other rule has looked at, here or in a type that holds for the same value.
    UnevaluatedProperties { ty: TypeId },
    /// `unevaluatedItems`.
    UnevaluatedItems { ty: TypeId },
}

/// A set of JSON types; numbers that are no integers are a type of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JsonTypes(pub u8);

impl JsonTypes {
    pub const NULL: u8 = 1;
    pub const BOOL: u8 = 2;
    pub const INTEGER: u8 = 4;
    pub const FRACTION: u8 = 8;
    pub const STRING: u8 = 16;
    pub const ARRAY: u8 = 32;
    pub const OBJECT: u8 = 64;
    pub const NUMBER: u8 = Self::INTEGER | Self::FRACTION;
    pub const ALL: u8 = 127;

    pub fn admits(self, ty: u8) -> bool {
        self.0 & ty != 0
    }

    /// The names that `type` has for them, in the order of the constants.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let all = [
            (Self::NULL, "null"),
            (Self::BOOL, "boolean"),
            (Self::NUMBER, "number"),
            (Self::INTEGER, "integer"),
            (Self::STRING, "string"),
            (Self::ARRAY, "array"),
            (Self::OBJECT, "object"),
        ];
        let is_number = self.0 & Self::FRACTION != 0;
        all.into_iter()
            .filter(move |&(bits, _)| match bits {
                Self::NUMBER => is_number,
                Self::INTEGER => !is_number && self.0 & bits != 0,
                _ => self.0 & bits != 0,
            })
            .map(|(_, name)| name)
    }
}

impl Rules {
    /// The types that a rule names, in order.
    pub fn operands(&self, members: &Table<MemberId, TypeId>, rule: Rule, mut visit: impl FnMut(TypeId)) {
        match rule {
            Rule::Types { .. }
            | Rule::Bounds { .. }
            | Rule::OneOfValues { .. }
            | Rule::Required { .. }
            | Rule::NeedsNames { .. } => {}
            Rule::Properties { members } | Rule::NeedsTypes { members } => {
                self.members.slice(members).iter().for_each(|&(_, ty)| visit(ty));
            }
            Rule::Patterns { members } => self.patterns.slice(members).iter().for_each(|&(_, ty)| visit(ty)),
            Rule::Prefix { items: list }
            | Rule::All { members: list }
            | Rule::Any { members: list }
            | Rule::One { members: list } => {
                members.slice(list).iter().for_each(|&ty| visit(ty));
            }
            Rule::Additional { ty }
            | Rule::Names { ty }
            | Rule::Items { ty }
            | Rule::Contains { ty, .. }
            | Rule::Not { ty }
            | Rule::UnevaluatedProperties { ty }
            | Rule::UnevaluatedItems { ty } => visit(ty),
            Rule::If { condition, then, otherwise } => {
                [Some(condition), then, otherwise].into_iter().flatten().for_each(visit);
            }
        }
    }
}

impl Rule {
    /// Whether a rule of a type says what the type's shape does not. `rows` are all of them.
    pub fn adds_to(self, shape: Shape, rows: &[Self]) -> bool {
        match self {
            Self::Types { .. }
            | Self::OneOfValues { .. }
            | Self::Required { .. }
            | Self::Properties { .. }
            | Self::Prefix { .. }
            | Self::Items { .. } => false,
            // Beside patterns, further members are left to the rules.
            Self::Additional { .. } => has_patterns(rows),
            // Of two lists of variants, the shape has those of `oneOf`.
            Self::Any { .. } => !has_variants(shape) || rows.iter().any(|rule| matches!(rule, Self::One { .. })),
            Self::One { .. } => !has_variants(shape),
            _ => true,
        }
    }
}

/// Whether rules say by pattern which members there are; the shape only tells what most look like.
pub fn has_patterns(rows: &[Rule]) -> bool {
    rows.iter().any(|rule| matches!(rule, Rule::Patterns { .. }))
}

/// Whether a shape has the variants of its schema itself.
fn has_variants(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::Union { .. }
            | Shape::Intersection { .. }
            | Shape::Alias { .. }
            | Shape::Nullable { .. }
            | Shape::Const { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::JsonTypes;

    #[test]
    fn types_have_their_names() {
        let names = |bits: u8| JsonTypes(bits).names().collect::<Vec<_>>().join(" ");
        assert_eq!(names(JsonTypes::ALL), "null boolean number string array object");
        assert_eq!(names(JsonTypes::INTEGER | JsonTypes::NULL), "null integer");
        assert_eq!(names(JsonTypes::NUMBER), "number");
        assert!(JsonTypes(JsonTypes::NUMBER).admits(JsonTypes::INTEGER));
    }
}
