//! How deep the smallest value of each type is. Decides how recursive types end, and which cannot.
//!
//! Reads types; writes one number a type: 1 for a scalar, one more than the deepest required part for a container.

use base::Id;
use tungsten_ir::{Ir, Shape, TypeId};

/// No finite value.
pub(crate) const ENDLESS: u32 = u32::MAX;

/// The height of each type, by index. Passes over all types until nothing changes: as many as the highest type is high.
pub(crate) fn heights(ir: &Ir) -> Vec<u32> {
    let mut heights = vec![ENDLESS; ir.types.rows.len()];
    loop {
        let mut changed = false;
        for ty in ir.types.rows.ids() {
            let height = height(ir, ty, &heights);
            changed |= height < heights[ty.index()];
            heights[ty.index()] = height.min(heights[ty.index()]);
        }
        if !changed {
            return heights;
        }
    }
}

fn height(ir: &Ir, ty: TypeId, heights: &[u32]) -> u32 {
    let row = &ir.types.rows[ty];
    let of = |ty: TypeId| heights[ty.index()];
    let above = |height: u32| if height == ENDLESS { ENDLESS } else { height.saturating_add(1) };
    let min_items = row.bounds.and_then(|bounds| ir.types.bounds[bounds].min_items).unwrap_or_default();
    let min_properties = row.bounds.and_then(|bounds| ir.types.bounds[bounds].min_properties).unwrap_or_default();
    match row.shape {
        Shape::Never => ENDLESS,
        Shape::Alias { target } => above(of(target)),
        Shape::Nullable { .. } => 1,
        Shape::Array { items } => {
            if min_items == 0 {
                1
            } else {
                above(of(items))
            }
        }
        Shape::Map { values } => {
            if min_properties == 0 {
                1
            } else {
                above(of(values))
            }
        }
        Shape::Tuple { prefix, .. } => {
            above(ir.types.members.slice(prefix).iter().map(|&ty| of(ty)).max().unwrap_or(1))
        }
        Shape::Record { fields, .. } => {
            let required = ir.types.fields.slice(fields).iter().filter(|field| field.required && !field.write_only);
            above(required.map(|field| of(field.ty)).max().unwrap_or(1))
        }
        Shape::Union { variants, .. } => {
            above(ir.types.variants.slice(variants).iter().map(|v| of(v.ty)).min().unwrap_or(1))
        }
        Shape::Intersection { members } => {
            above(ir.types.members.slice(members).iter().map(|&ty| of(ty)).max().unwrap_or(1))
        }
        _ => 1,
    }
}
