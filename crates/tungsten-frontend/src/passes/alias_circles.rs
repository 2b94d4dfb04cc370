//! Breaks circles of types that stand for one another without a value in between.
//!
//! An alias, a nullable type, a variant of a union and a member of an intersection are at once what they refer to. Unions
//! in a circle admit what any of them admits: all become one union of the variants that lead out of the circle (TG0203).
//! A circle without a way out, or through an intersection, describes nothing (TG0205). A record, a list or a map on the
//! way makes it a recursive type, which is fine. Reads shapes and pending unions; writes the shapes of the circles.

use base::{Code, Id, limits};
use base_doc::NodeRef;
use tungsten_ir::{Shape, Strategy, TypeId, Types, Variant};

use crate::lookup::{Map, Set};
use crate::lower::Lowering;
use crate::schema::flag;
use crate::unions::PendingUnion;

pub(crate) fn alias_circles(lowering: &mut Lowering<'_>) {
    let first = lowering.types.first_type;
    let found = circles(&lowering.ir.types, first);
    let unions: Map<TypeId, usize> =
        lowering.types.unions.iter().enumerate().map(|(place, union)| (union.ty, place)).collect();
    let mut left: Vec<Vec<TypeId>> = Vec::with_capacity(found.len());
    let mut is_broken = false;
    for circle in found {
        if break_intersections(lowering, &circle) {
            is_broken = true;
        } else {
            left.push(circle);
        }
    }
    if is_broken {
        // What an intersection held together may fall apart into smaller circles, none of them with an intersection.
        left = circles(&lowering.ir.types, first);
    }
    for circle in &left {
        join(lowering, &unions, circle);
    }
    shorten(&mut lowering.ir.types, first);
    let rows = &lowering.ir.types.rows;
    lowering.types.unions.retain(|union| matches!(rows[union.ty].shape, Shape::Union { .. }));
}

/// All groups of types of which each leads to each, in the order of their first members; members in the order of rows.
///
/// Tarjan's algorithm with a stack of its own: each edge is followed once.
fn circles(types: &Types, first: usize) -> Vec<Vec<TypeId>> {
    const NEW: u32 = 0;
    const DONE: u32 = u32::MAX;
    let n_types = types.rows.len() - first;
    // By type: the step at which it was met, and the earliest step of an open type that it leads to.
    let (mut met, mut low) = (vec![NEW; n_types], vec![NEW; n_types]);
    let mut n_met = NEW;
    let (mut walk, mut open): (Vec<(usize, usize)>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut found = Vec::new();
    for start in 0..n_types {
        if met[start] != NEW {
            continue;
        }
        walk.push((start, 0));
        while let Some((at, place)) = walk.last_mut() {
            let at = *at;
            if *place == 0 {
                n_met += 1;
                (met[at], low[at]) = (n_met, n_met);
                open.push(at);
            }
            let next = stands_for(types, TypeId::from_index(first + at), *place);
            *place += 1;
            if let Some(next) = next {
                // Types of earlier namespaces are never reached from here.
                let Some(next) = next.index().checked_sub(first) else { continue };
                match met[next] {
                    NEW => walk.push((next, 0)),
                    DONE => {}
                    step => low[at] = low[at].min(step),
                }
                continue;
            }
            walk.pop();
            if let Some((before, _)) = walk.last() {
                low[*before] = low[*before].min(low[at]);
            }
            if low[at] != met[at] {
                continue;
            }
            let from = open.iter().rposition(|&other| other == at).unwrap_or(0);
            let mut members: Vec<TypeId> = Vec::new();
            for other in open.drain(from..) {
                met[other] = DONE;
                members.push(TypeId::from_index(first + other));
            }
            if members.len() > 1 || leads_to_itself(types, members[0]) {
                members.sort_unstable_by_key(|ty| ty.index());
                found.push(members);
            }
        }
    }
    found.sort_unstable_by_key(|members| members[0].index());
    found
}

fn leads_to_itself(types: &Types, ty: TypeId) -> bool {
    (0..).map_while(|place| stands_for(types, ty, place)).any(|next| next == ty)
}

/// Makes the intersections of a circle unknown; whether there were any. What an intersection with itself admits is
/// nowhere said.
fn break_intersections(lowering: &mut Lowering<'_>, circle: &[TypeId]) -> bool {
    let mut is_broken = false;
    for &ty in circle {
        if matches!(lowering.ir.types.rows[ty].shape, Shape::Intersection { .. }) {
            report_nothing(lowering, ty);
            is_broken = true;
        }
    }
    is_broken
}

fn report_nothing(lowering: &mut Lowering<'_>, ty: TypeId) {
    let at = lowering.types.nodes[ty.index()];
    lowering.findings.report(Code::TG0205, at, "the schema stands for itself, so it describes no value");
    lowering.ir.types.rows[ty].shape = Shape::Unknown;
}

/// A variant that leads out of a circle.
struct Exit {
    variant: Variant,
    /// The type whose name the variant takes, and the schema that it refers to.
    name_of: Option<TypeId>,
    target: Option<NodeRef>,
}

/// Gives all members of a circle one meaning: what leads out of it, and null if any of them admits it. The first member
/// with a name holds it, and the others become names for that one.
fn join(lowering: &mut Lowering<'_>, unions: &Map<TypeId, usize>, circle: &[TypeId]) {
    let is_named = |ty: &&TypeId| lowering.types.flags[ty.index()] & flag::NAMED != 0;
    let holder = *circle.iter().find(is_named).unwrap_or(&circle[0]);
    let exits = exits(lowering, unions, circle, holder);
    let shape_of = |lowering: &Lowering<'_>, ty: TypeId| lowering.ir.types.rows[ty].shape;
    let nullable = circle.iter().any(|&ty| matches!(shape_of(lowering, ty), Shape::Nullable { .. }));
    let members = circle.iter().filter(|&&ty| matches!(shape_of(lowering, ty), Shape::Union { .. }));
    let members: Vec<TypeId> = members.copied().collect();
    for &ty in circle.iter().filter(|&&ty| ty != holder) {
        lowering.ir.types.rows[ty].shape = Shape::Alias { target: holder };
    }
    if exits.is_empty() {
        report_nothing(lowering, holder);
        return;
    }
    report_joined(lowering, holder, &members);
    if exits.len() > limits::UNION_VARIANTS {
        let message = format!(
            "the unions have {} variants together, and {} are read at most",
            exits.len(),
            limits::UNION_VARIANTS
        );
        lowering.findings.report(Code::TG0105, lowering.types.nodes[holder.index()], message);
        lowering.ir.types.rows[holder].shape = Shape::Unknown;
        return;
    }
    let shape = match exits.as_slice() {
        [only] if nullable => Shape::Nullable { inner: only.variant.ty },
        [only] => Shape::Alias { target: only.variant.ty },
        _ if nullable => {
            let inner = lowering.push_type(lowering.types.nodes[holder.index()], Shape::Unknown);
            lowering.ir.types.rows[inner].shape = union_of(lowering, unions, inner, &members, exits);
            Shape::Nullable { inner }
        }
        _ => union_of(lowering, unions, holder, &members, exits),
    };
    lowering.ir.types.rows[holder].shape = shape;
}

/// What the unions of a circle admit beside one another, each type once: the holder's variants first, then those of the
/// unions that it leads to, nearest first.
fn exits(lowering: &Lowering<'_>, unions: &Map<TypeId, usize>, circle: &[TypeId], holder: TypeId) -> Vec<Exit> {
    let types = &lowering.ir.types;
    let inside: Set<TypeId> = circle.iter().copied().collect();
    let mut seen: Set<TypeId> = Set::default();
    seen.insert(holder);
    let mut queue = vec![holder];
    let mut exits = Vec::new();
    let mut at = 0;
    while let Some(&ty) = queue.get(at) {
        at += 1;
        let pending = unions.get(&ty).map(|&place| &lowering.types.unions[place]);
        for place in 0.. {
            let Some(next) = stands_for(types, ty, place) else { break };
            if !seen.insert(next) {
                continue;
            }
            if inside.contains(&next) {
                queue.push(next);
            } else if let Shape::Union { variants, .. } = types.rows[ty].shape {
                let row = variants.range().start + place;
                exits.push(Exit {
                    variant: types.variants.rows()[row],
                    name_of: lowering.types.variant_names[row],
                    target: pending.and_then(|pending| pending.targets[place]),
                });
            }
        }
    }
    exits
}

/// The unions of a circle that a finding spells out.
const UNIONS_NAMED: usize = 8;

fn report_joined(lowering: &mut Lowering<'_>, holder: TypeId, members: &[TypeId]) {
    let at = lowering.types.nodes[holder.index()];
    if let [_] = members {
        let message = "a variant leads back to the union itself; it adds no value and is left out";
        lowering.findings.report(Code::TG0203, at, message);
        return;
    }
    let message = format!("{} unions are variants of one another; each admits what any of them admits", members.len());
    lowering.findings.report(Code::TG0203, at, message);
    let others = members.iter().filter(|&&ty| ty != holder).take(UNIONS_NAMED);
    let others: Vec<NodeRef> = others.map(|ty| lowering.types.nodes[ty.index()]).collect();
    for other in others {
        lowering.findings.relate(other, "another of them");
    }
}

/// The rows of the one union of a circle. It keeps the first discriminator that a member states.
fn union_of(
    lowering: &mut Lowering<'_>,
    unions: &Map<TypeId, usize>,
    ty: TypeId,
    members: &[TypeId],
    exits: Vec<Exit>,
) -> Shape {
    let mut pending =
        PendingUnion { ty, targets: Vec::with_capacity(exits.len()), discriminator: None, shared_tag: None };
    let mut rows = Vec::with_capacity(exits.len());
    for exit in exits {
        pending.targets.push(exit.target);
        lowering.types.variant_names.push(exit.name_of);
        rows.push(exit.variant);
    }
    let places: Vec<usize> = members.iter().filter_map(|member| unions.get(member).copied()).collect();
    pending.discriminator = places.iter().find_map(|&place| lowering.types.unions[place].discriminator);
    // It takes the place of what was pending for its row; what is pending for a row that is no union any more goes.
    match unions.get(&ty).or(places.first()) {
        Some(&place) => lowering.types.unions[place] = pending,
        None => lowering.types.unions.push(pending),
    }
    let variants = lowering.ir.types.variants.extend(rows);
    Shape::Union { variants, discriminator: None, strategy: Strategy::Untagged }
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
