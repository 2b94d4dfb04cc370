//! Breaks circles of types that stand for one another without a value in between (TG0205).
//!
//! An alias, a nullable type, a variant of a union and a member of an intersection are at once what they refer to: a
//! circle of only these describes nothing. A variant that leads back to its own union adds no value and is left out. A record, a list or a map on the way makes it a recursive type, which is fine.

use base::{Code, Id, Span};
use tungsten_ir::{Shape, TypeId, Types};

use crate::lookup::Map;
use crate::lower::Lowering;

/// Marks of the walk.
const NEW: u8 = 0;
const OPEN: u8 = 1;
const DONE: u8 = 2;

pub(crate) fn alias_circles(lowering: &mut Lowering<'_>) {
    let first = lowering.types.first_type;
    let n_types = lowering.ir.types.rows.len();
    let mut marks = vec![NEW; n_types - first];
    let unions: Map<TypeId, usize> =
        lowering.types.unions.iter().enumerate().map(|(place, union)| (union.ty, place)).collect();
    let mut stack: Vec<(TypeId, usize)> = Vec::new();
    for start in first..n_types {
        if marks[start - first] != NEW {
            continue;
        }
        stack.push((TypeId::from_index(start), 0));
        marks[start - first] = OPEN;
        while let Some((ty, place)) = stack.last_mut() {
            let ty = *ty;
            let Some(next) = stands_for(&lowering.ir.types, ty, *place) else {
                marks[ty.index() - first] = DONE;
                stack.pop();
                continue;
            };
            *place += 1;
            // Types of earlier namespaces are never reached from here.
            match marks.get(next.index().wrapping_sub(first)).copied() {
                Some(NEW) => {
                    marks[next.index() - first] = OPEN;
                    stack.push((next, 0));
                }
                Some(OPEN) => {
                    let at = lowering.types.nodes[ty.index()];
                    if matches!(lowering.ir.types.rows[ty].shape, Shape::Union { .. }) {
                        *place -= 1;
                        let place = *place;
                        leave_out(lowering, &unions, ty, place);
                        let message = "a variant leads back to the union itself; it adds no value and is left out";
                        lowering.findings.report(Code::TG0203, at, message);
                    } else {
                        lowering.findings.report(
                            Code::TG0205,
                            at,
                            "the schema stands for itself, so it describes no value",
                        );
                        lowering.ir.types.rows[ty].shape = Shape::Unknown;
                    }
                }
                _ => {}
            }
        }
    }
    shorten(&mut lowering.ir.types, first);
    let rows = &lowering.ir.types.rows;
    lowering.types.unions.retain(|union| matches!(rows[union.ty].shape, Shape::Union { .. }));
}

/// Names for names longer than this are shortened: everybody who asks what an alias is walks the whole way.
const MAX_STEPS: u32 = 16;

/// Points long chains of aliases and nullable types at their ends. There are no circles any more.
fn shorten(types: &mut Types, first: usize) {
    // By type: its end, whether null is admitted on the way, and the number of steps.
    let mut ends: Vec<Option<(TypeId, bool, u32)>> = vec![None; types.rows.len() - first];
    let mut way: Vec<TypeId> = Vec::new();
    for start in first..types.rows.len() {
        let mut at = TypeId::from_index(start);
        let known = loop {
            match at.index().checked_sub(first).map(|place| ends[place]) {
                Some(Some(known)) => break known,
                None => break (at, false, 0),
                Some(None) => {}
            }
            match types.rows[at].shape {
                Shape::Alias { target: next } | Shape::Nullable { inner: next } => {
                    way.push(at);
                    at = next;
                }
                _ => break (at, false, 0),
            }
        };
        let (end, mut nullable, mut n_steps) = known;
        while let Some(ty) = way.pop() {
            n_steps += 1;
            nullable |= matches!(types.rows[ty].shape, Shape::Nullable { .. });
            ends[ty.index() - first] = Some((end, nullable, n_steps));
            if n_steps > MAX_STEPS {
                let row = &mut types.rows[ty];
                row.shape = if nullable { Shape::Nullable { inner: end } } else { Shape::Alias { target: end } };
            }
        }
    }
}

/// Takes one variant out of a union.
fn leave_out(lowering: &mut Lowering<'_>, unions: &Map<TypeId, usize>, ty: TypeId, place: usize) {
    let types = &mut lowering.ir.types;
    let Shape::Union { variants, discriminator, strategy } = types.rows[ty].shape else { return };
    let range = variants.range();
    types.variants.rows_mut()[range.start + place..range.end].rotate_left(1);
    lowering.types.variant_names[range.start + place..range.end].rotate_left(1);
    if let Some(&union) = unions.get(&ty) {
        lowering.types.unions[union].targets.remove(place);
    }
    let variants = Span::new(range.start, range.end - 1);
    types.rows[ty].shape = match types.variants.slice(variants) {
        [only] => Shape::Alias { target: only.ty },
        _ => Shape::Union { variants, discriminator, strategy },
    };
}

/// The `place`th type that this one is without anything in between.
fn stands_for(types: &Types, ty: TypeId, place: usize) -> Option<TypeId> {
    match types.rows[ty].shape {
        Shape::Alias { target } if place == 0 => Some(target),
        Shape::Nullable { inner } if place == 0 => Some(inner),
        Shape::Union { variants, .. } => types.variants.slice(variants).get(place).map(|variant| variant.ty),
        Shape::Intersection { members } => types.members.slice(members).get(place).copied(),
        _ => None,
    }
}
