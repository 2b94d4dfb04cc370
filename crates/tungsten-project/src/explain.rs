//! Finds an operation or a named type by what a person types: the full id, or a part that only one has.

use tungsten_ir::{Ir, OpId, OpKind, OpStatus, TypeId};

use crate::compile::Compilation;
use crate::dump;

/// Most suggestions for a name that nothing has.
const SUGGESTIONS: usize = 3;

/// What a name stands for.
#[derive(Debug)]
pub enum Explained {
    Operation {
        id: String,
        resource: Option<String>,
        planned: bool,
        fragment: serde_json::Value,
    },
    Type {
        id: String,
        fragment: serde_json::Value,
    },
    /// Several ids fit.
    Ambiguous(Vec<String>),
    /// Nothing fits; ids that are near.
    Nothing(Vec<String>),
}

#[derive(Clone, Copy)]
enum Found {
    Op(OpId),
    Type(TypeId),
}

/// Looks `target` up as an id, then as a bare operation id or type name.
pub fn explain(compilation: &Compilation, target: &str) -> Explained {
    let Some(ir) = &compilation.ir else { return Explained::Nothing(Vec::new()) };
    let all = ids(ir);
    let exact: Vec<&(String, Found)> = all.iter().filter(|(id, _)| id == target).collect();
    let bare = || all.iter().filter(|(id, _)| id.split_once('.').is_some_and(|(_, name)| name == target)).collect();
    let fitting: Vec<&(String, Found)> = if exact.is_empty() { bare() } else { exact };
    match fitting[..] {
        [] => Explained::Nothing(near(&all, target)),
        [(id, Found::Op(op))] => operation(compilation, ir, id, *op),
        [(id, Found::Type(ty))] => Explained::Type { id: id.clone(), fragment: dump::named_type(compilation, ir, *ty) },
        _ => Explained::Ambiguous(fitting.into_iter().map(|(id, _)| id.clone()).collect()),
    }
}

fn operation(compilation: &Compilation, ir: &Ir, id: &str, op: OpId) -> Explained {
    let mut path = Vec::new();
    let mut at = ir.op_resource[op];
    while let Some(resource) = at {
        path.push(ir.names.resolve(ir.resources.rows[resource].name));
        at = ir.resources.rows[resource].parent;
    }
    path.reverse();
    Explained::Operation {
        id: id.to_owned(),
        resource: (!path.is_empty()).then(|| path.join(".")),
        planned: matches!(ir.ops.rows[op].status, OpStatus::Planned { .. }),
        fragment: dump::operation(compilation, ir, op),
    }
}

/// All ids, operations first, in document order.
fn ids(ir: &Ir) -> Vec<(String, Found)> {
    let ops = ir.ops.rows.iter().filter(|(_, op)| op.kind == OpKind::Call);
    let ops = ops.map(|(id, op)| (ir.names.resolve(op.id).to_owned(), Found::Op(id)));
    let types = ir.types.named.iter().filter_map(|&ty| {
        let name = ir.types.rows[ty].name?;
        let namespace = ir.names.resolve(ir.namespaces[name.namespace].name);
        Some((format!("{namespace}.{}", ir.names.resolve(name.name)), Found::Type(ty)))
    });
    ops.chain(types).collect()
}

/// Ids that hold the text, in any case; where none does, the one that differs least, looked for among the bare names
/// too.
fn near(all: &[(String, Found)], target: &str) -> Vec<String> {
    let wanted = target.to_ascii_lowercase();
    let holds = |id: &&(String, Found)| !wanted.is_empty() && id.0.to_ascii_lowercase().contains(&wanted);
    let holding: Vec<String> = all.iter().filter(holds).take(SUGGESTIONS).map(|(id, _)| id.clone()).collect();
    if !holding.is_empty() {
        return holding;
    }
    let bare = |id: &str| id.split_once('.').map_or(0, |(namespace, _)| namespace.len() + 1);
    let nearest = base::suggest::nearest(target, all.iter().map(|(id, _)| id.as_str()))
        .or_else(|| base::suggest::nearest(target, all.iter().map(|(id, _)| &id[bare(id)..])));
    let of = |name: &str| all.iter().find(|(id, _)| id == name || &id[bare(id)..] == name);
    nearest.and_then(of).map(|(id, _)| id.clone()).into_iter().collect()
}
