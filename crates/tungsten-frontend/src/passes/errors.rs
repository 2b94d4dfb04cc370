//! What the error bodies of a namespace look like: the envelope that most of them share.
//!
//! Reads JSON bodies of error responses and their types; writes `Namespace::errors`.

use crate::lookup::Map;
use base::Id;
use tungsten_ir::{Encoding, Ir, NamespaceId, OpKind, ResponseKind, TypeId, error_model};

pub(crate) fn errors(ir: &mut Ir) {
    let mut uses: Map<(NamespaceId, TypeId), u32> = Map::default();
    let mut seen: Vec<Vec<TypeId>> = vec![Vec::new(); ir.namespaces.len()];
    for (_, op) in ir.ops.rows.iter().filter(|(_, op)| op.kind == OpKind::Call) {
        let responses = ir.ops.responses.slice(op.responses);
        for response in responses.iter().filter(|response| response.kind == ResponseKind::Error) {
            let contents = ir.ops.contents.slice(response.contents);
            let Some(content) = contents.iter().find(|content| content.encoding == Encoding::Json) else { continue };
            if ir.types.rows[content.ty].name.is_none() {
                continue;
            }
            let count = uses.entry((op.namespace, content.ty)).or_insert(0);
            *count += 1;
            if *count == 1 {
                seen[op.namespace.index()].push(content.ty);
            }
        }
    }
    for namespace in ir.namespaces.ids() {
        let count = |ty: TypeId| uses.get(&(namespace, ty)).copied().unwrap_or_default();
        let mut best: Option<TypeId> = None;
        for &ty in &seen[namespace.index()] {
            let is_better = best.is_none_or(|best| {
                count(ty) > count(best) || count(ty) == count(best) && type_id(ir, ty) < type_id(ir, best)
            });
            if is_better {
                best = Some(ty);
            }
        }
        if let Some(envelope) = best {
            ir.namespaces[namespace].errors = error_model(ir, envelope);
        }
    }
}

fn type_id(ir: &Ir, ty: TypeId) -> Option<(&str, &str)> {
    let name = ir.types.rows[ty].name?;
    let namespace: NamespaceId = name.namespace;
    Some((ir.names.resolve(ir.namespaces[namespace].name), ir.names.resolve(name.name)))
}
