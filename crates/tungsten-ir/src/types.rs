//! Types: what a value may be. A row for each schema, named or inline; references are ids, so cycles cost nothing.

use base::{Column, SourceId, Span, Sym, Table, TextId};

use crate::{Judged, NamespaceId, Rules, ValueId};

base::ids! {
    /// A type, named or inline.
    TypeId "type";
    /// A member of a record.
    FieldId "field";
    /// A variant of a union.
    VariantId "variant";
    /// A member of an intersection or an item of a tuple.
    MemberId "part";
    /// A value of an enum.
    EnumValueId "choice";
    /// The bounds of a type.
    BoundsId "bounds";
    /// The discriminator of a union.
    DiscriminatorId "discriminator";
    /// An entry of a discriminator's mapping.
    MappingId "mapping";
    /// How a type is written as XML.
    XmlId "xml";
}

/// Where a row comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    pub source: SourceId,
    /// Byte offset.
    pub offset: u32,
    /// RFC 6901 pointer, for rows that a person knows by name.
    pub pointer: Option<TextId>,
}

/// What people wrote about a row.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Doc {
    /// Title of a schema, summary of an operation.
    pub summary: Option<TextId>,
    pub description: Option<TextId>,
    /// URL of `externalDocs`.
    pub external: Option<TextId>,
    pub external_description: Option<TextId>,
}

/// Tables of all types.
#[derive(Debug, Default)]
pub struct Types {
    pub rows: Table<TypeId, Type>,
    pub fields: Table<FieldId, Field>,
    pub variants: Table<VariantId, Variant>,
    pub members: Table<MemberId, TypeId>,
    pub enum_values: Table<EnumValueId, EnumValue>,
    pub bounds: Table<BoundsId, Bounds>,
    pub discriminators: Table<DiscriminatorId, Discriminator>,
    pub mappings: Table<MappingId, Mapping>,
    pub xml: Table<XmlId, Xml>,
    pub rules: Rules,
    /// How values are judged where the shape is not all that their schema says.
    pub judged: Column<TypeId, Judged>,
    /// Named types in the order in which emitters declare them: namespace, then document order.
    pub named: Vec<TypeId>,
}

/// A schema.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    pub shape: Shape,
    /// Set for a type that has a name of its own: a component, or the target of a reference elsewhere.
    pub name: Option<TypeName>,
    pub doc: Doc,
    pub bounds: Option<BoundsId>,
    pub deprecated: bool,
    pub default: Option<ValueId>,
    pub origin: Origin,
}

/// The name of a type, unique within its namespace; `ns.Name` is its id in the JSON form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeName {
    pub namespace: NamespaceId,
    pub name: Sym,
}

/// What a value of a type looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Not lowered yet, or broken beyond repair (an error was reported). Reads as `Any`.
    Unknown,
    Any,
    /// No value at all.
    Never,
    Bool,
    Integer {
        bits: IntegerBits,
    },
    Number {
        precision: Precision,
    },
    String {
        format: Option<Format>,
    },
    /// Bytes: `format: binary` and bodies of binary media types; `format: byte` is a string.
    Bytes,
    Enum {
        values: Span<EnumValueId>,
    },
    Const {
        value: ValueId,
    },
    Array {
        items: TypeId,
    },
    /// `prefixItems`, then `rest` for further items; without `rest` none may follow.
    Tuple {
        prefix: Span<MemberId>,
        rest: Option<TypeId>,
    },
    Map {
        values: TypeId,
    },
    Record {
        fields: Span<FieldId>,
        additional: Additional,
    },
    Union {
        variants: Span<VariantId>,
        discriminator: Option<DiscriminatorId>,
        strategy: Strategy,
    },
    Intersection {
        members: Span<MemberId>,
    },
    Nullable {
        inner: TypeId,
    },
    /// A name for another type.
    Alias {
        target: TypeId,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntegerBits {
    /// `format: int32`.
    B32,
    /// `format: int64`.
    B64,
    /// No format: any integer.
    Unstated,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// `format: float`.
    Single,
    /// `format: double`.
    Double,
    /// No format: any number.
    Unstated,
}

/// A string format with a meaning of its own, or the name of another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Uuid,
    DateTime,
    Date,
    Time,
    Duration,
    Email,
    Uri,
    Hostname,
    Ipv4,
    Ipv6,
    /// Base64 text.
    Byte,
    Password,
    Other(Sym),
}

/// Members of a record that are not fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Additional {
    /// Refused.
    Closed,
    /// Kept as they are.
    Open,
    Typed(TypeId),
}

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name on the wire.
    pub name: Sym,
    pub ty: TypeId,
    pub required: bool,
    pub read_only: bool,
    pub write_only: bool,
    pub deprecated: bool,
    pub sensitive: bool,
    pub default: Option<ValueId>,
    pub doc: Doc,
    pub origin: Origin,
}

/// A variant of a union.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// The referenced type's name, the tag, or the kind of an inline value.
    pub name: Sym,
    pub ty: TypeId,
    /// The discriminator's value that chooses it (the first, when the mapping has several).
    pub tag: Option<ValueId>,
    /// Wire name of the property that tells it from the variants after it, where the strategy is by property or by
    /// value: by its presence, or by its value where others have it too. What has no variant's key is of the one
    /// without.
    pub key: Option<Sym>,
}

/// How a reader finds the variant of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// By the value of the discriminator.
    Tagged,
    /// All variants are single values.
    Literal,
    /// Each variant is another JSON type, or a list of another one.
    ByType,
    /// Where variants share a JSON type: by a property that only one of them has.
    ByProperty,
    /// Where variants share a JSON type: by values that differ, their own or those of a property.
    ByValue,
    /// By trying them in order.
    Untagged,
}

#[derive(Clone, Copy, Debug)]
pub struct Discriminator {
    /// Wire name.
    pub property: Sym,
    pub mapping: Span<MappingId>,
    /// The type of values whose property is absent or has none of the mapping's values.
    pub default: Option<TypeId>,
}

/// One value of a discriminator and the type that it chooses.
#[derive(Clone, Copy, Debug)]
pub struct Mapping {
    pub tag: ValueId,
    pub ty: TypeId,
}

/// How the values of a type are written as XML (OpenAPI 3.2, section 4.26).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Xml {
    /// Name of the element or attribute, where it differs from the member's.
    pub name: Option<Sym>,
    /// An IRI.
    pub namespace: Option<Sym>,
    pub prefix: Option<Sym>,
    /// Where the description leaves it open, it follows from the type.
    pub node: Option<XmlNode>,
}

/// What a value becomes in XML.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum XmlNode {
    /// Also what `wrapped` means for a list.
    Element,
    Attribute,
    Text,
    Cdata,
    /// Nothing of its own: what is in it stands in its place.
    None,
}

/// A value of an enum.
#[derive(Clone, Copy, Debug)]
pub struct EnumValue {
    pub value: ValueId,
    /// `x-enum-varnames` or the value itself, as words to be cased by a profile.
    pub name: Sym,
    pub doc: Option<TextId>,
}

/// Bounds of a type (JSON Schema 2020-12 validation, section 6). Numbers keep their spelling.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Bounds {
    pub pattern: Option<TextId>,
    /// Unicode code points.
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub minimum: Option<Sym>,
    pub maximum: Option<Sym>,
    pub exclusive_minimum: Option<Sym>,
    pub exclusive_maximum: Option<Sym>,
    pub multiple_of: Option<Sym>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,
}

impl Bounds {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Types {
    /// The shape behind any number of aliases. A circle of aliases reads as `Unknown`.
    pub fn resolved(&self, ty: TypeId) -> TypeId {
        let mut at = ty;
        for _ in 0..=self.rows.len() {
            match self.rows[at].shape {
                Shape::Alias { target } => at = target,
                _ => return at,
            }
        }
        ty
    }

    /// The types that say something about the very values of `of`, without aliases, nullability, unions and
    /// intersections.
    pub fn alternatives(&self, of: &[TypeId]) -> Vec<TypeId> {
        let mut seen: Vec<TypeId> = Vec::new();
        let mut found = Vec::new();
        let mut pending: Vec<TypeId> = of.iter().rev().copied().collect();
        while let Some(ty) = pending.pop() {
            if seen.contains(&ty) {
                continue;
            }
            seen.push(ty);
            match self.rows[ty].shape {
                Shape::Alias { target: inner } | Shape::Nullable { inner } => pending.push(inner),
                Shape::Union { variants, .. } => {
                    pending.extend(self.variants.slice(variants).iter().rev().map(|variant| variant.ty));
                }
                Shape::Intersection { members } => pending.extend(self.members.slice(members).iter().rev()),
                _ => found.push(ty),
            }
        }
        found
    }

    /// The type without aliases and nullability, and whether null was allowed on the way.
    pub fn without_null(&self, ty: TypeId) -> (TypeId, bool) {
        let (mut at, mut nullable) = (self.resolved(ty), false);
        while let Shape::Nullable { inner } = self.rows[at].shape {
            nullable = true;
            let next = self.resolved(inner);
            if next == at {
                break;
            }
            at = next;
        }
        (at, nullable)
    }

    /// Appends the types directly inside a type.
    pub fn parts(&self, id: TypeId, out: &mut Vec<TypeId>) {
        match self.rows[id].shape {
            Shape::Array { items } => out.push(items),
            Shape::Map { values } => out.push(values),
            Shape::Nullable { inner } => out.push(inner),
            Shape::Alias { target } => out.push(target),
            Shape::Tuple { prefix, rest } => {
                out.extend(self.members.slice(prefix));
                out.extend(rest);
            }
            Shape::Intersection { members } => out.extend(self.members.slice(members)),
            Shape::Union { variants, .. } => out.extend(self.variants.slice(variants).iter().map(|variant| variant.ty)),
            Shape::Record { fields, additional } => {
                out.extend(self.fields.slice(fields).iter().map(|field| field.ty));
                if let Additional::Typed(ty) = additional {
                    out.push(ty);
                }
            }
            _ => {}
        }
    }

    pub fn is_nullable(&self, ty: TypeId) -> bool {
        matches!(self.rows[self.resolved(ty)].shape, Shape::Nullable { .. })
    }
}
