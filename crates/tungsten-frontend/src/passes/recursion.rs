//! Marks types that can contain themselves (TG0203).
//!
//! Reads all types; writes `recursive`. Tarjan's strongly connected components with an explicit stack; each circle that
//! goes through a named type is reported once, at the first of its named types.

use base::{Code, Id};
use tungsten_ir::{Additional, Shape, TypeId, Types};

use crate::lower::Lowering;

pub(crate) fn recursion(lowering: &mut Lowering<'_>) {
    let mut circles = Circles::new(&lowering.ir.types);
    for ty in lowering.ir.types.rows.ids() {
        circles.walk_from(ty);
    }
    let components = circles.component;
    let mut is_circle = circles.is_circle;
    for &ty in &lowering.ir.types.named {
        let component = components[ty.index()] as usize;
        if std::mem::take(&mut is_circle[component]) {
            let name = lowering.ir.types.rows[ty].name.map_or("", |name| lowering.ir.names.resolve(name.name));
            let message = format!("values of {} can contain further ones", base::diag::quoted(name));
            lowering.findings.report(Code::TG0203, lowering.types.nodes[ty.index()], message);
        }
    }
    for (ty, recursive) in circles.recursive {
        lowering.ir.recursive.set(ty, recursive);
    }
}

/// Sees to it that every circle of a namespace goes through a named type: only there can generated code refer back.
/// Schemas that were merged have no name of their own, and can still contain themselves.
pub(crate) fn name_circles(lowering: &mut Lowering<'_>) {
    let first = lowering.types.first_type;
    let n_types = lowering.ir.types.rows.len();
    let is_named = |lowering: &Lowering<'_>, ty: TypeId| {
        ty.index() < first || lowering.types.flags[ty.index()] & crate::schema::flag::NAMED != 0
    };
    let mut is_done = vec![false; n_types - first];
    let mut is_open = vec![false; n_types - first];
    let mut stack: Vec<(TypeId, usize)> = Vec::new();
    for start in (first..n_types).map(TypeId::from_index) {
        if is_done[start.index() - first] {
            continue;
        }
        is_open[start.index() - first] = true;
        stack.push((start, 0));
        while let Some(&(ty, place)) = stack.last() {
            let Some(next) = part(&lowering.ir.types, ty, place) else {
                is_open[ty.index() - first] = false;
                is_done[ty.index() - first] = true;
                stack.pop();
                continue;
            };
            if let Some(top) = stack.last_mut() {
                top.1 += 1;
            }
            if is_named(lowering, next) || is_done[next.index() - first] {
                continue;
            }
            if is_open[next.index() - first] {
                lowering.mark_named(next);
            } else {
                is_open[next.index() - first] = true;
                stack.push((next, 0));
            }
        }
    }
}

const UNSEEN: u32 = u32::MAX;

struct Circles<'a> {
    types: &'a Types,
    order: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    stack: Vec<TypeId>,
    n_seen: u32,
    /// By type: its component.
    component: Vec<u32>,
    /// By component: whether its types contain themselves.
    is_circle: Vec<bool>,
    recursive: Vec<(TypeId, bool)>,
}

impl<'a> Circles<'a> {
    fn new(types: &'a Types) -> Self {
        let n_types = types.rows.len();
        Self {
            types,
            order: vec![UNSEEN; n_types],
            low: vec![0; n_types],
            on_stack: vec![false; n_types],
            stack: Vec::new(),
            n_seen: 0,
            component: vec![0; n_types],
            is_circle: Vec::new(),
            recursive: Vec::new(),
        }
    }

    fn walk_from(&mut self, start: TypeId) {
        if self.order[start.index()] != UNSEEN {
            return;
        }
        let mut open: Vec<(TypeId, usize)> = vec![(start, 0)];
        self.enter(start);
        while let Some(&(ty, place)) = open.last() {
            if let Some(next) = part(self.types, ty, place) {
                if let Some(top) = open.last_mut() {
                    top.1 += 1;
                }
                if self.order[next.index()] == UNSEEN {
                    self.enter(next);
                    open.push((next, 0));
                } else if self.on_stack[next.index()] {
                    self.low[ty.index()] = self.low[ty.index()].min(self.order[next.index()]);
                }
                continue;
            }
            open.pop();
            if let Some(&(parent, _)) = open.last() {
                self.low[parent.index()] = self.low[parent.index()].min(self.low[ty.index()]);
            }
            if self.low[ty.index()] == self.order[ty.index()] {
                self.close(ty);
            }
        }
    }

    fn enter(&mut self, ty: TypeId) {
        self.order[ty.index()] = self.n_seen;
        self.low[ty.index()] = self.n_seen;
        self.n_seen += 1;
        self.on_stack[ty.index()] = true;
        self.stack.push(ty);
    }

    /// Takes the component whose first type is `first` off the stack.
    fn close(&mut self, first: TypeId) {
        let component = self.is_circle.len();
        let start = self.stack.iter().rposition(|&ty| ty == first).unwrap_or(0);
        let n_types = self.stack.len() - start;
        let is_circle = n_types > 1 || refers_to_itself(self.types, first);
        self.is_circle.push(is_circle);
        for ty in self.stack.drain(start..) {
            self.on_stack[ty.index()] = false;
            self.component[ty.index()] = component as u32;
            if is_circle {
                self.recursive.push((ty, true));
            }
        }
    }
}

fn refers_to_itself(types: &Types, ty: TypeId) -> bool {
    (0..).map_while(|place| part(types, ty, place)).any(|other| other == ty)
}

/// The `place`th type that a value of this one can hold, or that it stands for.
fn part(types: &Types, ty: TypeId, place: usize) -> Option<TypeId> {
    match types.rows[ty].shape {
        Shape::Array { items } => (place == 0).then_some(items),
        Shape::Map { values } => (place == 0).then_some(values),
        Shape::Nullable { inner } => (place == 0).then_some(inner),
        Shape::Alias { target } => (place == 0).then_some(target),
        Shape::Tuple { prefix, rest } => match types.members.slice(prefix).get(place) {
            Some(&item) => Some(item),
            None => rest.filter(|_| place == prefix.len()),
        },
        Shape::Record { fields, additional } => match (types.fields.slice(fields).get(place), additional) {
            (Some(field), _) => Some(field.ty),
            (None, Additional::Typed(values)) if place == fields.len() => Some(values),
            _ => None,
        },
        Shape::Union { variants, .. } => types.variants.slice(variants).get(place).map(|variant| variant.ty),
        Shape::Intersection { members } => types.members.slice(members).get(place).copied(),
        Shape::Unknown
        | Shape::Any
        | Shape::Never
        | Shape::Bool
        | Shape::Integer { .. }
        | Shape::Number { .. }
        | Shape::String { .. }
        | Shape::Bytes
        | Shape::Enum { .. }
        | Shape::Const { .. } => None,
    }
}
