//! Parameters that several operations describe alike, so that emitters can describe them once.
//!
//! Reads the parameters of the planned calls; writes `plan.params`. Two are alike when runtimes cannot tell them apart:
//! names, place, spelling on the wire and type. Documentation does not count. Names are left to the emitters.

use std::collections::HashMap;

use base::{Column, Id, Sym, Table};
use tungsten_ir::{
    Format, IntegerBits, Ir, JsonValue, MemberNames, NamespaceId, OpId, Param, ParamId, Shape, TypeId, ValueId,
};

use super::{InlineTypes, Plan};

/// Parameters that fewer operations have are described in place.
const LEAST_USES: u32 = 3;

/// Types nest no deeper in a parameter that is shared.
const MAX_DEPTH: usize = 8;

base::ids! {
    /// A parameter that several operations have.
    SharedParamId "shared_param";
}

/// The parameters that are described once.
#[derive(Debug, Default)]
pub struct SharedParams {
    /// In the order in which they are first met.
    pub rows: Table<SharedParamId, SharedParam>,
    shared_of: Column<ParamId, Option<SharedParamId>>,
}

/// A parameter that stands for all that are like it in its namespace.
#[derive(Clone, Copy, Debug)]
pub struct SharedParam {
    /// The first of them.
    pub param: ParamId,
    /// The operation of the first.
    pub op: OpId,
    pub namespace: NamespaceId,
    pub n_uses: u32,
}

struct Group {
    first: SharedParam,
    id: Option<SharedParamId>,
}

impl SharedParams {
    /// The shared parameter that a parameter is one of.
    pub fn of(&self, param: ParamId) -> Option<SharedParamId> {
        self.shared_of[param]
    }

    /// The map is for look-up only; order comes from the calls.
    pub(super) fn new(ir: &Ir, keys: &MemberNames, plan: &Plan) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut members: Vec<(ParamId, usize)> = Vec::with_capacity(ir.ops.params.len());
        let mut key = Vec::new();
        for call in plan.calls.rows() {
            let op = &ir.ops.rows[call.op];
            for id in op.params {
                if !write_key(ir, &plan.inline, op.namespace, &ir.ops.params[id], &mut key) {
                    continue;
                }
                let at = known.get(key.as_slice()).copied().unwrap_or(groups.len());
                if at == groups.len() {
                    known.insert(key.clone(), at);
                    let first = SharedParam { param: id, op: call.op, namespace: op.namespace, n_uses: 0 };
                    groups.push(Group { first, id: None });
                }
                // In another operation the key may be a different one, since keys are unique in theirs.
                if keys.param(groups[at].first.param) == keys.param(id) {
                    groups[at].first.n_uses += 1;
                    members.push((id, at));
                }
            }
        }
        let mut shared = Self::default();
        for group in groups.iter_mut().filter(|group| group.first.n_uses >= LEAST_USES) {
            group.id = Some(shared.rows.push(group.first));
        }
        for (param, at) in members {
            shared.shared_of.set(param, groups[at].id);
        }
        shared
    }
}

/// Writes what makes two parameters alike. False for one whose type is more than a few words.
fn write_key(ir: &Ir, inline: &InlineTypes, namespace: NamespaceId, param: &Param, key: &mut Vec<u64>) -> bool {
    key.clear();
    let flags = [param.required, param.explode, param.allow_reserved, param.allow_empty, param.sensitive];
    let flags = flags.iter().fold(0, |flags, flag| flags << 1 | u64::from(*flag));
    key.extend([namespace.index() as u64, param.name.index() as u64, flags]);
    key.extend([param.location as u64, param.style as u64, param.role as u64, optional(param.media_type)]);
    write_type(ir, inline, param.ty, key) && param.constant.is_none_or(|value| write_value(ir, value, key))
}

fn optional(sym: Option<Sym>) -> u64 {
    sym.map_or(0, |sym| sym.index() as u64 + 1)
}

/// Writes the structure of a type down to scalars, declared types and enums of scalars.
fn write_type(ir: &Ir, inline: &InlineTypes, ty: TypeId, key: &mut Vec<u64>) -> bool {
    let mut at = ty;
    for _ in 0..MAX_DEPTH {
        let row = &ir.types.rows[at];
        if row.name.is_some() {
            key.extend([1, at.index() as u64]);
            return true;
        }
        if let Some(shared) = inline.shared(at) {
            key.extend([1, shared.ty.index() as u64]);
            return true;
        }
        if let Some(id) = row.bounds {
            write_bounds(&ir.types.bounds[id], key);
        }
        at = match row.shape {
            Shape::Array { items } => {
                key.push(2);
                items
            }
            Shape::Nullable { inner } => {
                key.push(3);
                inner
            }
            Shape::Alias { target } => {
                key.push(4);
                target
            }
            shape => return write_scalar(ir, shape, key),
        };
    }
    false
}

fn write_scalar(ir: &Ir, shape: Shape, key: &mut Vec<u64>) -> bool {
    match shape {
        Shape::Unknown | Shape::Any => key.push(5),
        Shape::Bool => key.push(6),
        Shape::Integer { bits } => key.extend([
            7,
            match bits {
                IntegerBits::B32 => 32,
                IntegerBits::B64 => 64,
                IntegerBits::Unstated => 0,
            },
        ]),
        Shape::Number { precision } => key.extend([8, precision as u64]),
        Shape::String { format } => key.extend([9, format.map_or(0, format_key)]),
        Shape::Const { value } => {
            key.push(10);
            return write_value(ir, value, key);
        }
        Shape::Enum { values } => {
            key.extend([11, values.len() as u64]);
            return ir.types.enum_values.slice(values).iter().all(|choice| write_value(ir, choice.value, key));
        }
        _ => return false,
    }
    true
}

fn format_key(format: Format) -> u64 {
    const NAMED: [Format; 12] = [
        Format::Uuid,
        Format::DateTime,
        Format::Date,
        Format::Time,
        Format::Duration,
        Format::Email,
        Format::Uri,
        Format::Hostname,
        Format::Ipv4,
        Format::Ipv6,
        Format::Byte,
        Format::Password,
    ];
    match format {
        Format::Other(name) => 100 + name.index() as u64,
        named => 1 + NAMED.iter().position(|one| *one == named).unwrap_or(NAMED.len()) as u64,
    }
}

fn write_bounds(bounds: &tungsten_ir::Bounds, key: &mut Vec<u64>) {
    let pattern = bounds.pattern.map_or(0, |text| text.index() as u64 + 1);
    key.extend([20, u64::from(bounds.unique_items), pattern]);
    let limits = [bounds.minimum, bounds.maximum, bounds.exclusive_minimum, bounds.exclusive_maximum];
    key.extend(limits.map(optional));
    key.push(optional(bounds.multiple_of));
    let counts = [bounds.min_length, bounds.max_length, bounds.min_items, bounds.max_items];
    let sizes = [bounds.min_properties, bounds.max_properties];
    for count in counts.into_iter().chain(sizes) {
        key.extend([u64::from(count.is_some()), count.unwrap_or(0)]);
    }
}

/// Writes a scalar; false for a list or an object.
pub(super) fn write_value(ir: &Ir, value: ValueId, key: &mut Vec<u64>) -> bool {
    let (kind, number) = match ir.values.rows[value] {
        JsonValue::Null => (0, 0),
        JsonValue::Bool(value) => (1, usize::from(value)),
        JsonValue::Number(text) => (2, text.index()),
        JsonValue::String(text) => (3, text.index()),
        JsonValue::Array(_) | JsonValue::Object(_) => return false,
    };
    key.push(kind << 32 | number as u64);
    true
}
