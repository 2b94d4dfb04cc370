//! JSON values that the IR keeps: constants, enum members, defaults. Copied from the documents without recursion.

use base::{Id, Sym};
use base_doc::{Kind, NodeId, NodeRef, Value};
use tungsten_ir::{Ir, JsonValue, Literal, ValueId};

/// Copies a value and everything in it.
pub(crate) fn keep(ir: &mut Ir, value: Value<'_>) -> ValueId {
    if let Some(scalar) = scalar(ir, value) {
        return ir.values.rows.push(scalar);
    }
    // A container's content stands behind it, so in reverse order the parts come before the whole.
    let (doc, start) = (value.doc(), value.at().node.index());
    let end = doc.end(value.at().node);
    let mut ids: Vec<Option<ValueId>> = vec![None; end - start];
    for row in (start..end).rev() {
        let node = NodeId::from_index(row);
        let part = value.set().value(NodeRef { doc: value.at().doc, node });
        let id_of = |child: NodeId| ids[child.index() - start];
        let row_value = match part.kind() {
            Kind::Array => {
                let items: Vec<ValueId> = doc.children(node).filter_map(id_of).collect();
                JsonValue::Array(ir.values.items.extend(items))
            }
            Kind::Object => {
                let members: Vec<(Sym, ValueId)> =
                    doc.children(node).filter_map(|child| Some((doc.key(child)?, id_of(child)?))).collect();
                JsonValue::Object(ir.values.members.extend(members))
            }
            _ => scalar(ir, part).unwrap_or(JsonValue::Null),
        };
        ids[row - start] = Some(ir.values.rows.push(row_value));
    }
    match ids[0] {
        Some(id) => id,
        None => ir.values.rows.push(JsonValue::Null),
    }
}

/// Where a value stands, for values that are not copied.
pub(crate) fn literal(value: Value<'_>) -> Literal {
    Literal { doc: value.at().doc.index() as u32, node: value.at().node.index() as u32 }
}

/// A value without parts.
pub(crate) fn scalar(ir: &mut Ir, value: Value<'_>) -> Option<JsonValue> {
    Some(match value.kind() {
        Kind::Null => JsonValue::Null,
        Kind::Bool => JsonValue::Bool(value.as_bool()?),
        Kind::Number => JsonValue::Number(ir.names.intern(value.as_number()?)),
        Kind::String => JsonValue::String(ir.names.intern(value.as_str()?)),
        Kind::Array | Kind::Object => return None,
    })
}
