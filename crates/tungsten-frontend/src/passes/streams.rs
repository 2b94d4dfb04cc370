//! What asks an operation for its stream: a boolean argument `stream`.
//!
//! Reads callable operations whose success is a stream of events or JSON texts; writes `stream_flag`.

use base::Sym;
use tungsten_ir::{
    ContentId, Encoding, FieldId, Ir, JsonValue, Location, Op, OpKind, Param, Role, Shape, StreamFlag, TypeId,
};

/// The name that the argument has everywhere.
const NAME: &str = "stream";

pub(crate) fn stream_flags(ir: &mut Ir) {
    let Some(name) = ir.names.find(NAME) else { return };
    for id in ir.ops.rows.ids() {
        let op = ir.ops.rows[id];
        let stream = ir.ops.stream(&op).map(|stream| ir.ops.contents[stream.content].encoding);
        if op.kind != OpKind::Call || !matches!(stream, Some(encoding) if encoding != Encoding::Bytes) {
            continue;
        }
        let is_param = |param: &Param| {
            param.name == name
                && param.role == Role::Plain
                && matches!(param.location, Location::Query | Location::Header)
                && takes_true(ir, param.ty)
        };
        let param = op.params.iter().find(|&id| is_param(&ir.ops.params[id]));
        let flag = match param {
            Some(param) => Some(StreamFlag::Param(param)),
            None => body_field(ir, &op, name).map(StreamFlag::Field),
        };
        ir.stream_flag.set(id, flag);
    }
}

/// The field of an operation's JSON body, also in a part of an intersection.
fn body_field(ir: &Ir, op: &Op, name: Sym) -> Option<FieldId> {
    let is_json = |id: &ContentId| ir.ops.contents[*id].encoding == Encoding::Json;
    let content = ir.ops.bodies[op.body?].contents.iter().find(is_json)?;
    let is_flag = |id: &FieldId| {
        let field = &ir.types.fields[*id];
        field.name == name && !field.read_only && takes_true(ir, field.ty)
    };
    let mut pending = vec![ir.ops.contents[content].ty];
    // A part may be part of itself; nobody means that many.
    for _ in 0..base::limits::ALL_OF_MEMBERS {
        match ir.types.rows[ir.types.without_null(pending.pop()?).0].shape {
            Shape::Record { fields, .. } => {
                let found = fields.iter().find(is_flag);
                if found.is_some() {
                    return found;
                }
            }
            Shape::Intersection { members } => pending.extend_from_slice(ir.types.members.slice(members)),
            _ => {}
        }
    }
    None
}

/// Whether a type has `true` among its values, and no others than booleans and null.
fn takes_true(ir: &Ir, ty: TypeId) -> bool {
    match ir.types.rows[ir.types.without_null(ty).0].shape {
        Shape::Bool => true,
        Shape::Const { value } => ir.values.rows[value] == JsonValue::Bool(true),
        _ => false,
    }
}
