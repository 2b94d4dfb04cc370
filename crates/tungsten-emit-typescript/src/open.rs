//! Which types of answers admit what the description does not list: string enums, and unions with a tag. Newer servers
//! send new values, and a type that hides them makes callers forget the case.
//!
//! Reads types and names; returns tables that spelling looks up. Requests stay closed: the added types are the runtime's
//! own, which no literal is of.

use std::collections::{BTreeMap, BTreeSet};

use tungsten_emit::Imports;
use tungsten_ir::{FieldId, Ir, JsonValue, Shape, Strategy, TypeId};

use crate::RUNTIME;
use crate::naming::free_name;

/// The runtime's types: a value that is not listed, and a variant that is not.
const NAMES: [&str; 2] = ["Unlisted", "UnlistedVariant"];

/// What spelling looks up.
pub(crate) struct Open {
    /// The field that holds the tag, by union.
    tags: BTreeMap<TypeId, FieldId>,
    /// Enums of tags, which tell variants apart.
    closed: BTreeSet<TypeId>,
    /// The names under which files import the runtime's types.
    locals: [String; 2],
}

impl Open {
    /// `taken`: the names of all types that files declare.
    pub(crate) fn new(ir: &Ir, taken: &BTreeSet<String>) -> Self {
        let mut open =
            Self { tags: BTreeMap::new(), closed: BTreeSet::new(), locals: NAMES.map(|name| free_name(taken, name)) };
        for (ty, row) in ir.types.rows.iter() {
            let Shape::Union { variants, discriminator: Some(discriminator), strategy: Strategy::Tagged } = row.shape
            else {
                continue;
            };
            let discriminator = ir.types.discriminators[discriminator];
            for variant in ir.types.variants.slice(variants) {
                let Some(field) = field_of(ir, variant.ty, discriminator.property) else { continue };
                let (tag, _) = ir.types.without_null(ir.types.fields[field].ty);
                if ir.types.rows[tag].name.is_none() {
                    open.closed.insert(tag);
                }
                // A union that has a variant for other tags lists them all.
                if discriminator.default.is_none() {
                    open.tags.entry(ty).or_insert(field);
                }
            }
        }
        open
    }

    /// Whether a declared name could be one that files import the runtime's types under.
    pub(crate) fn may_be_local(name: &str) -> bool {
        name.starts_with(NAMES[0])
    }

    /// What an enum of an answer admits beside its values.
    pub(crate) fn value(&self, ir: &Ir, ty: TypeId) -> Option<&str> {
        let Shape::Enum { values } = ir.types.rows[ty].shape else { return None };
        let is_text = |value| matches!(ir.values.rows[value], JsonValue::String(_));
        let all_text = ir.types.enum_values.slice(values).iter().all(|row| is_text(row.value));
        (values.len() > 1 && all_text && !self.closed.contains(&ty)).then_some(self.locals[0].as_str())
    }

    /// The field of the tag of a union that admits other variants, and the type of those.
    pub(crate) fn variant(&self, union: TypeId) -> Option<(FieldId, &str)> {
        self.tags.get(&union).map(|&field| (field, self.locals[1].as_str()))
    }

    /// Imports what was spelled.
    pub(crate) fn import(&self, used: [bool; 2], imports: &mut Imports) {
        for ((name, local), _) in NAMES.iter().zip(&self.locals).zip(used).filter(|(_, used)| *used) {
            // The import gets the first free name, which is to be this one.
            let numbered = (2_u32..).map(|number| format!("{name}{number}"));
            for taken in std::iter::once((*name).to_owned()).chain(numbered).take_while(|taken| taken != local) {
                imports.reserve(&taken);
            }
            imports.import_type(RUNTIME, name);
        }
    }
}

/// The field of a wire name in a record, or in a part of an intersection.
fn field_of(ir: &Ir, ty: TypeId, wire: base::Sym) -> Option<FieldId> {
    let mut seen = BTreeSet::new();
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        if !seen.insert(ty) {
            continue;
        }
        match ir.types.rows[ty].shape {
            Shape::Record { fields, .. } => {
                if let Some(field) = fields.iter().find(|id| ir.types.fields[*id].name == wire) {
                    return Some(field);
                }
            }
            Shape::Intersection { members } => stack.extend(ir.types.members.slice(members).iter().rev()),
            Shape::Alias { target: inner } | Shape::Nullable { inner } => stack.push(inner),
            _ => {}
        }
    }
    None
}
