//! Brings what a property's schema says about the property to the field: read-only, write-only, default, description.
//!
//! Reads types and their flags; writes fields of the namespace that was just lowered.

use base::Id;
use tungsten_ir::{FieldId, Shape, TypeId};

use crate::lower::Lowering;
use crate::schema::flag;

pub(crate) fn fields(lowering: &mut Lowering<'_>) {
    for index in lowering.types.first_field..lowering.ir.types.fields.len() {
        let id = FieldId::from_index(index);
        let ty = lowering.ir.types.fields[id].ty;
        let flags = flags(lowering, ty);
        let row = lowering.ir.types.rows[ty];
        let field = &mut lowering.ir.types.fields[id];
        field.read_only = flags & flag::READ_ONLY != 0;
        field.write_only = flags & flag::WRITE_ONLY != 0;
        field.sensitive = flags & flag::SENSITIVE != 0;
        // What a named type says about itself is said there.
        if row.name.is_none() {
            field.doc = row.doc;
            field.deprecated = row.deprecated;
            field.default = row.default;
        }
    }
}

/// The flags of a type and of those that it only wraps. A circle of aliases was broken before.
fn flags(lowering: &Lowering<'_>, ty: TypeId) -> u8 {
    let mut at = ty;
    let mut flags = 0;
    for _ in 0..8 {
        flags |= lowering.types.flags[at.index()];
        match lowering.ir.types.rows[at].shape {
            Shape::Alias { target } => at = target,
            Shape::Nullable { inner } => at = inner,
            _ => break,
        }
    }
    flags
}
