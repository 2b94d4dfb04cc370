//! Values of a manifest as values of the IR. Recursion ends at the depth that the parser checked
//! (`limits::DEPTH`).

use base::Sym;
use tungsten_ir::{Ir, JsonValue, ValueId};
use tungsten_manifest::Raw;

pub(crate) fn keep(ir: &mut Ir, raw: &Raw) -> ValueId {
    let row = match raw {
        Raw::Null => JsonValue::Null,
        Raw::Bool(value) => JsonValue::Bool(*value),
        Raw::Number(text) => JsonValue::Number(ir.names.intern(text)),
        Raw::Text(text) => JsonValue::String(ir.names.intern(text)),
        Raw::List(items) => return keep_list(ir, items),
        Raw::Map(members) => {
            let members: Vec<(Sym, ValueId)> =
                members.iter().map(|member| (ir.names.intern(&member.key), keep(ir, &member.value))).collect();
            JsonValue::Object(ir.values.members.extend(members))
        }
    };
    ir.values.rows.push(row)
}

pub(crate) fn keep_list(ir: &mut Ir, items: &[Raw]) -> ValueId {
    let items: Vec<ValueId> = items.iter().map(|item| keep(ir, item)).collect();
    let items = ir.values.items.extend(items);
    ir.values.rows.push(JsonValue::Array(items))
}
