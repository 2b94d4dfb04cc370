//! Intersections of unions. TypeScript multiplies them out, so ten small unions that hold together make a type that the
//! compiler refuses (TS2590): which members a type leaves out so that the product stays small.
//!
//! Reads types and the plan; returns members and reports each intersection that loses one (TG0713). Schemas keep all
//! members: values are checked against each, one after the other.

use base::{Code, Diags, Id, Place};
use tungsten_emit::Plan;
use tungsten_ir::{Ir, MemberId, Shape, TypeId};

/// Alternatives that the unions of one intersection may make together. The compiler of TypeScript refuses 100,000 and
/// takes seconds for tens of thousands; a thousand, as many as one union may have, it does not feel.
pub(crate) const MAX_ALTERNATIVES: u64 = 1_000;

struct Sizes<'a> {
    ir: &'a Ir,
    /// By type: how many alternatives it has, 0 until that is known.
    sizes: Vec<u64>,
    is_open: Vec<bool>,
    left_out: Vec<MemberId>,
}

/// The members that the types of intersections leave out, sorted.
pub(crate) fn left_out(ir: &Ir, plan: &Plan, diags: &mut Diags) -> Vec<MemberId> {
    let intersections: Vec<(TypeId, base::Span<MemberId>)> = ir
        .types
        .rows
        .iter()
        .filter_map(|(ty, row)| match row.shape {
            Shape::Intersection { members } if members.len() > 1 => Some((ty, members)),
            _ => None,
        })
        .collect();
    if intersections.is_empty() {
        return Vec::new();
    }
    let n_types = ir.types.rows.len();
    let mut sizes = Sizes { ir, sizes: vec![0; n_types], is_open: vec![false; n_types], left_out: Vec::new() };
    for (ty, _) in &intersections {
        sizes.measure(*ty);
    }
    sizes.left_out.sort_unstable();
    for (ty, members) in intersections {
        let n_left_out = members.iter().filter(|id| sizes.left_out.binary_search(id).is_ok()).count();
        let row = &ir.types.rows[ty];
        let is_emitted = if row.name.is_some() { !ir.pruned[ty] } else { plan.inline.home(ty).is_some() };
        if n_left_out == 0 || !is_emitted {
            continue;
        }
        let message = format!(
            "the unions that hold together here make more than {MAX_ALTERNATIVES} alternatives; the type mentions {} of \
             {} members, and validation checks all",
            members.len() - n_left_out,
            members.len()
        );
        let pointer = row.origin.pointer.map_or("", |text| ir.texts.get(text).untrusted());
        diags.report(
            Code::TG0713,
            Place::at(row.origin.source, pointer, (row.origin.offset, row.origin.offset)),
            message,
        );
    }
    sizes.left_out
}

impl Sizes<'_> {
    /// Finds how many alternatives a type has, those of its parts first. A circle counts as one where it closes.
    fn measure(&mut self, root: TypeId) {
        let mut stack = vec![root];
        while let Some(&ty) = stack.last() {
            if self.sizes[ty.index()] > 0 {
                stack.pop();
            } else if std::mem::replace(&mut self.is_open[ty.index()], true) {
                self.sizes[ty.index()] = self.of_parts(ty).max(1);
                stack.pop();
            } else {
                let parts = self.parts(ty);
                stack.extend(parts.into_iter().filter(|part| !self.is_open[part.index()]));
            }
        }
    }

    /// What is at once what the type is.
    fn parts(&self, ty: TypeId) -> Vec<TypeId> {
        let types = &self.ir.types;
        match types.rows[ty].shape {
            Shape::Union { variants, .. } => types.variants.slice(variants).iter().map(|one| one.ty).collect(),
            Shape::Intersection { members } => types.members.slice(members).to_vec(),
            Shape::Nullable { inner } => vec![inner],
            Shape::Alias { target } => vec![target],
            _ => Vec::new(),
        }
    }

    fn of_parts(&mut self, ty: TypeId) -> u64 {
        let types = &self.ir.types;
        let size = |ty: TypeId| self.sizes[ty.index()].max(1);
        match types.rows[ty].shape {
            Shape::Bool | Shape::Bytes => 2,
            Shape::Enum { values } => values.len() as u64,
            Shape::Nullable { inner } => size(inner).saturating_add(1),
            Shape::Alias { target } => size(target),
            Shape::Union { variants, .. } => {
                types.variants.slice(variants).iter().fold(0, |sum: u64, one| sum.saturating_add(size(one.ty)))
            }
            Shape::Intersection { members } => {
                let mut product: u64 = 1;
                for id in members {
                    let factor = self.sizes[types.members[id].index()].max(1);
                    // A single union is as long as it was written; only products grow.
                    if product > 1 && factor > 1 && product.saturating_mul(factor) > MAX_ALTERNATIVES {
                        self.left_out.push(id);
                    } else {
                        product = product.saturating_mul(factor);
                    }
                }
                product
            }
            _ => 1,
        }
    }
}
