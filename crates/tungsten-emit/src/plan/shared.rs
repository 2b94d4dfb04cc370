//! Inline types that emitters declare under a name: where each belongs, and which long enums are spelled alike.
//!
//! Reads types and the planned calls; writes `plan.inline`. Many operations list the same values (of a field list, a
//! sort order), so one enum stands for all of its namespace that are equal and is declared once, under the name that it
//! would get if it were hoisted.

use std::collections::HashMap;

use base::{Column, Id, Table};
use tungsten_ir::{Ir, NamespaceId, OpId, ResponseKind, Shape, TypeId};

use super::params::write_value;
use super::{Plan, UsageTable};

/// Enums with fewer values are as short in place as a reference to them.
const SHARED_VALUES: usize = 7;

base::ids! {
    /// An enum that several inline types share.
    SharedId "shared";
}

/// The inline types that emitted code leads to.
#[derive(Debug, Default)]
pub struct InlineTypes {
    /// Enums that several inline types are, in the order in which they are first met.
    pub shared: Table<SharedId, SharedEnum>,
    shared_of: Column<TypeId, Option<SharedId>>,
    homes: Column<TypeId, Option<NamespaceId>>,
}

/// An enum that stands for all inline enums of a namespace with the same values in the same order.
#[derive(Clone, Copy, Debug)]
pub struct SharedEnum {
    /// The first of them; its name is the name of all.
    pub ty: TypeId,
    pub namespace: NamespaceId,
    /// Whether a validator checks one of them.
    pub is_validated: bool,
}

impl InlineTypes {
    /// The shared enum that a type is one of.
    pub fn shared(&self, ty: TypeId) -> Option<&SharedEnum> {
        self.shared_of[ty].map(|id| &self.shared[id])
    }

    /// The namespace of the first named type or call whose inline types lead to this one.
    pub fn home(&self, ty: TypeId) -> Option<NamespaceId> {
        self.homes[ty]
    }

    pub(super) fn new(ir: &Ir, plan: &Plan) -> Self {
        let mut inline = Self::default();
        let mut enums = Vec::new();
        for root in inline_roots(ir, plan) {
            inline.place(ir, &plan.usage, root.ty, root.namespace, &mut enums);
        }
        inline.share(ir, &plan.usage, &enums);
        inline
    }

    /// Places the inline types at and below a root, and collects its long enums.
    fn place(
        &mut self,
        ir: &Ir,
        usage: &UsageTable,
        root: TypeId,
        namespace: NamespaceId,
        enums: &mut Vec<(TypeId, NamespaceId)>,
    ) {
        let mut pending = vec![root];
        let mut is_first = true;
        while let Some(ty) = pending.pop() {
            let row = &ir.types.rows[ty];
            let is_inline = row.name.is_none();
            // A named type is a root of its own; only the first one is this walk's.
            if is_inline && self.homes[ty].is_some() || !is_inline && !std::mem::take(&mut is_first) {
                continue;
            }
            is_first = false;
            if is_inline {
                self.homes.set(ty, Some(namespace));
                if matches!(row.shape, Shape::Enum { values } if values.len() >= SHARED_VALUES) {
                    enums.push((ty, namespace));
                }
            }
            let start = pending.len();
            pending.extend(usage.below(ty));
            pending[start..].reverse();
        }
    }

    /// Finds equal enums. The map is for look-up only; order comes from the walk.
    fn share(&mut self, ir: &Ir, usage: &UsageTable, enums: &[(TypeId, NamespaceId)]) {
        let mut first: HashMap<Vec<u64>, (TypeId, Option<SharedId>)> = HashMap::with_capacity(enums.len());
        let mut key = Vec::new();
        for &(ty, namespace) in enums {
            if !write_key(ir, ty, namespace, &mut key) {
                continue;
            }
            let Some((ty_of_first, shared)) = first.get_mut(key.as_slice()) else {
                first.insert(key.clone(), (ty, None));
                continue;
            };
            let ty_of_first = *ty_of_first;
            let id = *shared.get_or_insert_with(|| {
                self.shared_of.set(ty_of_first, Some(SharedId::from_index(self.shared.len())));
                let is_validated = usage.of(ty_of_first).is_validated();
                self.shared.push(SharedEnum { ty: ty_of_first, namespace, is_validated })
            });
            self.shared_of.set(ty, Some(id));
            self.shared[id].is_validated |= usage.of(ty).is_validated();
        }
    }
}

/// A type that emitted code spells, with the inline types below it: a named one, or one of a call.
#[derive(Clone, Copy, Debug)]
pub struct InlineRoot {
    pub ty: TypeId,
    pub namespace: NamespaceId,
    /// The call or webhook; nothing for a named type.
    pub op: Option<OpId>,
}

/// Where emitted code spells types: declarations, arguments, bodies that are sent, values that come back, payloads of
/// webhooks.
pub fn inline_roots(ir: &Ir, plan: &Plan) -> Vec<InlineRoot> {
    let named = ir.types.named.iter().filter(|ty| !ir.pruned[**ty]);
    let named = named.filter_map(|&ty| Some((ty, ir.types.rows[ty].name?.namespace)));
    let mut roots: Vec<_> = named.map(|(ty, namespace)| InlineRoot { ty, namespace, op: None }).collect();
    for call in plan.calls.rows() {
        let op = &ir.ops.rows[call.op];
        let params = op.params.iter().map(|id| ir.ops.params[id].ty);
        let body = call.body.iter().map(|body| ir.ops.contents[body.content].ty);
        let rows = plan.rows.slice(call.rows).iter();
        let values = rows
            .filter(|row| ir.ops.responses[row.response].kind == ResponseKind::Success)
            .filter_map(|row| Some(ir.ops.contents[row.content?].ty));
        let types = params.chain(body).chain(values);
        roots.extend(types.map(|ty| InlineRoot { ty, namespace: op.namespace, op: Some(call.op) }));
    }
    for webhook in &plan.webhooks {
        let Some(content) = webhook.content else { continue };
        let namespace = ir.ops.rows[webhook.op].namespace;
        roots.push(InlineRoot { ty: ir.ops.contents[content].ty, namespace, op: Some(webhook.op) });
    }
    roots
}

/// Writes what makes two enums equal: their namespace and the values in order. False for an enum with lists or objects
/// among its values.
fn write_key(ir: &Ir, ty: TypeId, namespace: NamespaceId, key: &mut Vec<u64>) -> bool {
    let Shape::Enum { values } = ir.types.rows[ty].shape else { return false };
    key.clear();
    key.push(namespace.index() as u64);
    ir.types.enum_values.slice(values).iter().all(|choice| write_value(ir, choice.value, key))
}
