//! What one schema says, or several together: scratch between reading schemas and building a type.
//!
//! Filled by `read`, which brings 3.0 to 3.1's meaning; read by `shapes`, `enums` and `unions`.

use base::{Id, Sym};
use base_doc::{NodeRef, Value};
use smallvec::SmallVec;
use tungsten_ir::Bounds;

/// Sets of JSON types; a number that is no integer is a type of its own.
pub(crate) mod mask {
    pub(crate) const NULL: u8 = 1;
    pub(crate) const BOOL: u8 = 2;
    pub(crate) const INTEGER: u8 = 4;
    pub(crate) const FRACTION: u8 = 8;
    pub(crate) const STRING: u8 = 16;
    pub(crate) const ARRAY: u8 = 32;
    pub(crate) const OBJECT: u8 = 64;
    pub(crate) const NUMBER: u8 = INTEGER | FRACTION;
    pub(crate) const ALL: u8 = 127;
}

/// What the schemas of one type say together.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    /// JSON types that are admitted.
    pub(crate) mask: u8,
    /// Whether any schema states a type.
    pub(crate) typed: bool,
    /// Families of types whose keywords stand here.
    pub(crate) families: u8,
    /// Whether the outermost schema admits null whatever else it says.
    pub(crate) null_waived: bool,
    /// Whether any keyword stands here that admits or refuses values.
    pub(crate) constrains: bool,
    /// The first schema that is the boolean `false`.
    pub(crate) never: Option<NodeRef>,
    pub(crate) types_in_order: SmallVec<[u8; 4]>,
    pub(crate) enums: SmallVec<[EnumFact<'a>; 1]>,
    pub(crate) consts: SmallVec<[Value<'a>; 1]>,
    pub(crate) fields: Vec<FieldFact>,
    pub(crate) required: Vec<(Sym, NodeRef)>,
    pub(crate) additional: SmallVec<[Value<'a>; 1]>,
    pub(crate) patterns: Option<Value<'a>>,
    pub(crate) items: SmallVec<[Value<'a>; 1]>,
    pub(crate) prefix: Option<Value<'a>>,
    pub(crate) unions: SmallVec<[UnionFact<'a>; 1]>,
    pub(crate) discriminator: Option<Value<'a>>,
    /// Discriminators of schemas without a union that were reached through a reference: of base types.
    pub(crate) base_discriminators: SmallVec<[Value<'a>; 1]>,
    pub(crate) bounds: Bounds,
    pub(crate) format: Option<Value<'a>>,
    pub(crate) encoding: Option<&'a str>,
    pub(crate) media_type: Option<&'a str>,
    pub(crate) title: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
    pub(crate) external: Option<&'a str>,
    pub(crate) external_description: Option<&'a str>,
    pub(crate) deprecated: bool,
    pub(crate) default: Option<Value<'a>>,
    pub(crate) read_only: bool,
    pub(crate) write_only: bool,
    pub(crate) sensitive: bool,
    /// The first contradiction: the two places and what is wrong.
    pub(crate) conflict: Option<(NodeRef, NodeRef, &'static str)>,
    /// Where the type was stated first.
    pub(crate) typed_at: Option<NodeRef>,
    /// Keywords that no shape has room for; `rules` reads them.
    pub(crate) extra: SmallVec<[Value<'a>; 2]>,
    /// Whether a shape can say all that stands here.
    pub(crate) exact: bool,
    /// Schemas that speak of members by name, and of items.
    pub(crate) n_with_members: u32,
    pub(crate) n_with_items: u32,
    /// Keywords that are not modelled, to be reported together, and where they stand.
    pub(crate) unmodelled: SmallVec<[(Sym, NodeRef); 4]>,
    /// Place of each field by name: (generation, place).
    slots: Vec<(u32, u32)>,
    generation: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct EnumFact<'a> {
    pub(crate) list: Value<'a>,
    /// `x-enum-varnames`.
    pub(crate) names: Option<Value<'a>>,
    /// `x-enum-descriptions`.
    pub(crate) descriptions: Option<Value<'a>>,
}

/// A property, by all schemas that declare it.
#[derive(Clone, Debug)]
pub(crate) struct FieldFact {
    pub(crate) name: Sym,
    pub(crate) schemas: SmallVec<[NodeRef; 1]>,
    pub(crate) required: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct UnionFact<'a> {
    pub(crate) list: Value<'a>,
    pub(crate) holder: NodeRef,
}

impl Default for Facts<'_> {
    fn default() -> Self {
        Self {
            mask: mask::ALL,
            typed: false,
            families: 0,
            null_waived: false,
            constrains: false,
            never: None,
            types_in_order: SmallVec::new(),
            enums: SmallVec::new(),
            consts: SmallVec::new(),
            fields: Vec::new(),
            required: Vec::new(),
            additional: SmallVec::new(),
            patterns: None,
            items: SmallVec::new(),
            prefix: None,
            unions: SmallVec::new(),
            discriminator: None,
            base_discriminators: SmallVec::new(),
            bounds: Bounds::default(),
            format: None,
            encoding: None,
            media_type: None,
            title: None,
            description: None,
            external: None,
            external_description: None,
            deprecated: false,
            default: None,
            read_only: false,
            write_only: false,
            sensitive: false,
            conflict: None,
            typed_at: None,
            extra: SmallVec::new(),
            exact: true,
            n_with_members: 0,
            n_with_items: 0,
            unmodelled: SmallVec::new(),
            slots: Vec::new(),
            generation: 0,
        }
    }
}

impl Facts<'_> {
    /// Empties the facts for the next schema and keeps their memory.
    pub(crate) fn clear(&mut self) {
        let (mut fields, mut required) = (std::mem::take(&mut self.fields), std::mem::take(&mut self.required));
        fields.clear();
        required.clear();
        let slots = std::mem::take(&mut self.slots);
        *self = Self { fields, required, slots, generation: self.generation + 1, ..Self::default() };
    }

    /// The place of a field by its name.
    pub(crate) fn field(&mut self, name: Sym) -> Option<usize> {
        match self.slots.get(name.index()) {
            Some(&(generation, place)) if generation == self.generation => Some(place as usize),
            _ => None,
        }
    }

    pub(crate) fn add_field(&mut self, name: Sym, schema: NodeRef) {
        if let Some(place) = self.field(name) {
            let schemas = &mut self.fields[place].schemas;
            if !schemas.contains(&schema) {
                schemas.push(schema);
            }
            return;
        }
        if self.slots.len() <= name.index() {
            self.slots.resize(name.index() + 64, (0, 0));
        }
        self.slots[name.index()] = (self.generation, self.fields.len() as u32);
        self.fields.push(FieldFact { name, schemas: SmallVec::from_elem(schema, 1), required: false });
    }

    /// Adds a required field that no schema declares.
    pub(crate) fn add_undeclared(&mut self, name: Sym, at: NodeRef) {
        self.add_field(name, at);
        if let Some(field) = self.fields.last_mut() {
            field.schemas.clear();
            field.required = true;
        }
    }

    pub(crate) fn conflict(&mut self, first: NodeRef, second: NodeRef, what: &'static str) {
        self.conflict.get_or_insert((first, second, what));
    }
}
