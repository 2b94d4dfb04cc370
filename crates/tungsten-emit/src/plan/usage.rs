//! Which way each type travels, and which types need one declaration for requests and another for responses.
//!
//! Reads types and the planned calls; writes one set of marks a type. A type travels with everything below it, except
//! that read-only fields are not sent and write-only fields do not come back.

use base::{Id, Span};
use tungsten_ir::{Additional, ContentId, Ir, OpKind, ResponseKind, Shape, TypeId};

use super::Plan;

/// How a type is used; several may hold at once.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Usage(u8);

impl Usage {
    const REQUEST: Self = Self(1);
    const RESPONSE: Self = Self(2);
    const SCHEMA: Self = Self(4);
    const SPLIT: Self = Self(8);

    fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Sent by callers.
    pub fn in_requests(self) -> bool {
        self.has(Self::REQUEST)
    }

    /// Received by callers.
    pub fn in_responses(self) -> bool {
        self.has(Self::RESPONSE)
    }

    /// Checked by validators: part of a parameter, a body that is sent, a success or what a webhook brings.
    pub fn is_validated(self) -> bool {
        self.has(Self::SCHEMA)
    }

    /// Sent and received, and not the same in both directions.
    pub fn is_split(self) -> bool {
        self.has(Self::SPLIT)
    }
}

/// The usage of every type.
#[derive(Debug, Default)]
pub struct UsageTable {
    rows: Vec<Usage>,
    /// Inline types that contain themselves without a named type on the way, in table order. They cannot be written
    /// in place, so emitters give them declarations.
    pub hoisted: Vec<TypeId>,
    edges: Edges,
}

impl UsageTable {
    /// The types directly below a type.
    pub fn below(&self, ty: TypeId) -> impl Iterator<Item = TypeId> {
        self.edges.below(ty).iter().map(|(child, _)| *child)
    }

    pub fn of(&self, ty: TypeId) -> Usage {
        self.rows[ty.index()]
    }

    /// Whether an unnamed type needs a declaration of its own.
    pub fn is_hoisted(&self, ty: TypeId) -> bool {
        self.hoisted.binary_search(&ty).is_ok()
    }
}

pub(super) fn compute(ir: &Ir, plan: &Plan) -> UsageTable {
    let edges = Edges::collect(ir);
    let mut rows = vec![Usage::default(); ir.types.rows.len()];
    spread(ir, &edges, roots(ir, plan), &mut rows);
    mark_splits(ir, &edges, &mut rows);
    UsageTable { rows, hoisted: inline_circles(ir, &edges), edges }
}

/// Where types enter: parameters, bodies, responses of calls; for webhooks and callbacks we are the server.
fn roots(ir: &Ir, plan: &Plan) -> Vec<(TypeId, Usage)> {
    let mut roots = Vec::with_capacity(ir.ops.params.len() + plan.rows.len());
    for call in plan.calls.rows() {
        let sent = Usage::REQUEST.with(Usage::SCHEMA);
        roots.extend(ir.ops.rows[call.op].params.iter().map(|id| (ir.ops.params[id].ty, sent)));
        roots.extend(call.body.iter().map(|body| (ir.ops.contents[body.content].ty, sent)));
        for row in plan.rows.slice(call.rows) {
            let Some(content) = row.content else { continue };
            let checked = ir.ops.responses[row.response].kind == ResponseKind::Success;
            let usage = if checked { Usage::RESPONSE.with(Usage::SCHEMA) } else { Usage::RESPONSE };
            roots.push((ir.ops.contents[content].ty, usage));
        }
    }
    let contents = |span: Span<ContentId>| span.iter().map(|id| ir.ops.contents[id].ty);
    for (_, op) in ir.ops.rows.iter().filter(|(_, op)| op.kind != OpKind::Call) {
        let received = op.body.iter().flat_map(|&body| contents(ir.ops.bodies[body].contents));
        roots.extend(received.map(|ty| (ty, Usage::RESPONSE)));
        let answered = op.responses.iter().flat_map(|id| contents(ir.ops.responses[id].contents));
        roots.extend(answered.map(|ty| (ty, Usage::REQUEST)));
    }
    let read = plan.webhooks.iter().filter_map(|webhook| webhook.content);
    roots.extend(read.map(|id| (ir.ops.contents[id].ty, Usage::RESPONSE.with(Usage::SCHEMA))));
    roots
}

/// What a rule names is checked with its type; it does not travel.
fn spread(ir: &Ir, edges: &Edges, roots: Vec<(TypeId, Usage)>, rows: &mut [Usage]) {
    let types = &ir.types;
    let mut pending = roots;
    while let Some((ty, usage)) = pending.pop() {
        let known = &mut rows[ty.index()];
        let added = usage.without(*known);
        if added == Usage::default() {
            continue;
        }
        *known = known.with(added);
        if added.is_validated() {
            for &rule in types.rules.rows.slice(types.judged[ty].rules) {
                types.rules.operands(&types.members, rule, |operand| pending.push((operand, Usage::SCHEMA)));
            }
        }
        pending.extend(edges.below(ty).iter().map(|&(child, kept_out)| (child, added.without(kept_out))));
    }
}

/// Marks types that are sent and received in different forms: below them lies a field of one direction or raw bytes.
fn mark_splits(ir: &Ir, edges: &Edges, rows: &mut [Usage]) {
    let differs = |ty: TypeId| {
        matches!(ir.types.rows[ty].shape, Shape::Bytes)
            || edges.below(ty).iter().any(|&(_, kept_out)| kept_out != Usage::default())
    };
    let both = Usage::REQUEST.with(Usage::RESPONSE);
    let mut pending: Vec<TypeId> =
        ir.types.rows.ids().filter(|&ty| rows[ty.index()].has(both) && differs(ty)).collect();
    if pending.is_empty() {
        return;
    }
    let above = edges.reversed();
    while let Some(ty) = pending.pop() {
        let row = &mut rows[ty.index()];
        if row.is_split() || !row.has(both) {
            continue;
        }
        *row = row.with(Usage::SPLIT);
        pending.extend_from_slice(above.of(ty));
    }
}

/// The types below each type, next to each other, with the directions in which an edge is not followed.
#[derive(Debug, Default)]
struct Edges {
    ends: Vec<u32>,
    list: Vec<(TypeId, Usage)>,
}

impl Edges {
    fn collect(ir: &Ir) -> Self {
        let mut edges = Self { ends: Vec::with_capacity(ir.types.rows.len()), list: Vec::new() };
        for row in ir.types.rows.rows() {
            edges.push_below(ir, row.shape);
            edges.ends.push(edges.list.len() as u32);
        }
        edges
    }

    fn push_below(&mut self, ir: &Ir, shape: Shape) {
        let free = Usage::default();
        match shape {
            Shape::Array { items: ty } | Shape::Map { values: ty } => self.list.push((ty, free)),
            Shape::Nullable { inner: ty } | Shape::Alias { target: ty } => self.list.push((ty, free)),
            Shape::Tuple { prefix, rest } => {
                self.list.extend(ir.types.members.slice(prefix).iter().map(|&ty| (ty, free)));
                self.list.extend(rest.map(|ty| (ty, free)));
            }
            Shape::Record { fields, additional } => {
                for field in ir.types.fields.slice(fields) {
                    let not_sent = if field.read_only { Usage::REQUEST } else { free };
                    let not_received = if field.write_only { Usage::RESPONSE } else { free };
                    self.list.push((field.ty, not_sent.with(not_received)));
                }
                if let Additional::Typed(ty) = additional {
                    self.list.push((ty, free));
                }
            }
            Shape::Union { variants, .. } => {
                self.list.extend(ir.types.variants.slice(variants).iter().map(|variant| (variant.ty, free)));
            }
            Shape::Intersection { members } => {
                self.list.extend(ir.types.members.slice(members).iter().map(|&ty| (ty, free)));
            }
            Shape::Unknown
            | Shape::Any
            | Shape::Never
            | Shape::Bool
            | Shape::Integer { .. }
            | Shape::Number { .. }
            | Shape::String { .. }
            | Shape::Bytes
            | Shape::Enum { .. }
            | Shape::Const { .. } => {}
        }
    }

    fn below(&self, ty: TypeId) -> &[(TypeId, Usage)] {
        let start = if ty.index() == 0 { 0 } else { self.ends[ty.index() - 1] as usize };
        &self.list[start..self.ends[ty.index()] as usize]
    }

    fn reversed(&self) -> Above {
        let n_types = self.ends.len();
        let mut starts = vec![0u32; n_types + 1];
        for (child, _) in &self.list {
            starts[child.index() + 1] += 1;
        }
        for index in 0..n_types {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut list = vec![TypeId::from_index(0); self.list.len()];
        for index in 0..n_types {
            let parent = TypeId::from_index(index);
            for (child, _) in self.below(parent) {
                let place = &mut next[child.index()];
                list[*place as usize] = parent;
                *place += 1;
            }
        }
        Above { starts, list }
    }
}

/// The types directly above each type.
struct Above {
    starts: Vec<u32>,
    list: Vec<TypeId>,
}

impl Above {
    fn of(&self, ty: TypeId) -> &[TypeId] {
        &self.list[self.starts[ty.index()] as usize..self.starts[ty.index() + 1] as usize]
    }
}

/// A type of every circle that is closed by unnamed types alone: the first one on it that can be declared under a
/// name. Found by a walk along unnamed types that meets a type it is still inside of.
fn inline_circles(ir: &Ir, edges: &Edges) -> Vec<TypeId> {
    const NEW: u8 = 0;
    const INSIDE: u8 = 1;
    const DONE: u8 = 2;
    let is_inline = |ty: TypeId| ir.types.rows[ty].name.is_none();
    let mut state = vec![NEW; ir.types.rows.len()];
    let mut found = Vec::new();
    let mut path: Vec<(TypeId, usize)> = Vec::new();
    for root in ir.types.rows.ids().filter(|&ty| is_inline(ty) && !edges.below(ty).is_empty()) {
        if state[root.index()] != NEW {
            continue;
        }
        state[root.index()] = INSIDE;
        path.push((root, 0));
        while let Some((ty, next)) = path.last_mut() {
            let Some(&(child, _)) = edges.below(*ty).get(*next) else {
                state[ty.index()] = DONE;
                path.pop();
                continue;
            };
            *next += 1;
            match state[child.index()] {
                NEW if is_inline(child) => {
                    state[child.index()] = INSIDE;
                    path.push((child, 0));
                }
                INSIDE => {
                    let circle = path.iter().map(|(ty, _)| *ty).skip_while(|ty| *ty != child);
                    found.extend(circle.into_iter().find(|&ty| can_be_named(ir.types.rows[ty].shape)));
                }
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn can_be_named(shape: Shape) -> bool {
    matches!(shape, Shape::Record { .. } | Shape::Union { .. } | Shape::Intersection { .. })
}
