//! Takes envelopes apart: one operation whose body is one of several methods becomes an operation for each of them.
//!
//! Reads the operations of one namespace, their types and what the project says (`rpc_unflatten`); writes operations and
//! `rpc`. Each method is called with its own parameters, and the runtime wraps them again. An envelope that is not made
//! of methods with a constant name stays one operation, which is an error of the manifest (TG0506).

use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Diags, Id, Span, Sym, Table};
use base_doc::NodeRef;
use tungsten_ir::{
    Body, BodyId, Content, Doc, Encoding, Field, Ir, JsonValue, NamespaceId, Op, OpId, OpKind, Parts, Rpc, RpcConstant,
    Shape, TypeId, ValueId,
};

use crate::lookup::Set;
use crate::lower::Lowering;
use crate::overrides::RpcOverride;

/// A method of an envelope, read from a variant of its body.
struct Found {
    local_id: String,
    value: Sym,
    /// The type of its parameters, and whether they must be there; nothing for a method without.
    params: Option<(TypeId, bool)>,
    constants: Vec<RpcConstant>,
    doc: Doc,
}

/// Takes apart the envelopes of the namespace that was just lowered; its operations begin at `first_op`. `nodes` are the
/// places of all operations.
pub(crate) fn rpc(
    lower: &mut Lowering<'_>,
    overrides: &[RpcOverride],
    first_op: usize,
    nodes: &mut Vec<NodeRef>,
    diags: &mut Diags,
) {
    let namespace = lower.namespace;
    for entry in overrides {
        if lower.ir.names.resolve(lower.ir.namespaces[namespace].name) != entry.namespace {
            continue;
        }
        match methods(&lower.ir, namespace, entry, first_op) {
            Ok((envelope, content, found)) => unflatten(lower, entry, (envelope, content), found, first_op, nodes),
            Err((what, help)) => {
                let message = format!("{what}; the envelope stays one operation");
                let diagnostic = diags.report(Code::TG0506, entry.place.clone(), message);
                diagnostic.help = help.or(diagnostic.help.take());
            }
        }
    }
}

type Failed = (String, Option<String>);

/// The envelope, the media type that carries it and its methods.
fn methods(
    ir: &Ir,
    namespace: NamespaceId,
    entry: &RpcOverride,
    first_op: usize,
) -> Result<(OpId, Content, Vec<Found>), Failed> {
    let envelope = envelope(ir, entry, first_op)?;
    let op = &ir.ops.rows[envelope];
    let contents = op.body.map_or(&[][..], |body| ir.ops.contents.slice(ir.ops.bodies[body].contents));
    let content = contents.iter().find(|content| content.encoding == Encoding::Json);
    let content = *content.ok_or_else(|| (format!("{} has no JSON body", route(entry)), None))?;
    let body = ir.types.without_null(content.ty).0;
    let variants: Vec<(TypeId, Sym)> = match ir.types.rows[body].shape {
        Shape::Union { variants, .. } => {
            ir.types.variants.slice(variants).iter().map(|variant| (variant.ty, variant.name)).collect()
        }
        // A `oneOf` of one member is that member.
        Shape::Record { .. } if method(ir, entry, body, op.local_id).is_ok() => vec![(body, op.local_id)],
        _ => return Err((format!("the body of {} is no `oneOf`", route(entry)), None)),
    };
    let mut found = Vec::with_capacity(variants.len());
    let mut taken: Set<Sym> = ir.ops.rows.iter().skip(first_op).map(|(_, op)| op.local_id).collect();
    taken.remove(&op.local_id);
    let mut names: Set<String> = Set::default();
    for (ty, name) in variants {
        let method = method(ir, entry, ty, name)?;
        let is_used = ir.names.find(&method.local_id).is_some_and(|id| taken.contains(&id));
        if is_used || !names.insert(method.local_id.clone()) {
            let namespace = ir.names.resolve(ir.namespaces[namespace].name);
            let id = quoted(&format!("{namespace}.{}", method.local_id));
            return Err((format!("two operations would have the id {id}"), None));
        }
        found.push(method);
    }
    Ok((envelope, content, found))
}

fn route(entry: &RpcOverride) -> String {
    format!("`{} {}`", entry.method.to_uppercase(), quoted(&entry.path).trim_matches('`'))
}

fn envelope(ir: &Ir, entry: &RpcOverride, first_op: usize) -> Result<OpId, Failed> {
    let calls = || ir.ops.rows.iter().skip(first_op).filter(|(_, op)| op.kind == OpKind::Call);
    let is_path = |op: &Op| ir.names.resolve(op.path.raw) == entry.path;
    let found = calls().find(|(_, op)| op.method.key() == Some(entry.method.as_str()) && is_path(op));
    if let Some((id, _)) = found {
        return Ok(id);
    }
    let methods: Vec<&str> = calls().filter(|(_, op)| is_path(op)).filter_map(|(_, op)| op.method.key()).collect();
    let help = if methods.is_empty() {
        did_you_mean(&entry.path, calls().map(|(_, op)| ir.names.resolve(op.path.raw)))
    } else {
        Some(format!("the path has: {}", methods.join(", ")))
    };
    Err((format!("the input has no operation {}", route(entry)), help))
}

fn method(ir: &Ir, entry: &RpcOverride, ty: TypeId, name: Sym) -> Result<Found, Failed> {
    let variant = || format!("the variant {} of the body", quoted(ir.names.resolve(name)));
    let record = ir.types.without_null(ty).0;
    let Shape::Record { fields, .. } = ir.types.rows[record].shape else {
        return Err((format!("{} is no object", variant()), None));
    };
    let fields = ir.types.fields.slice(fields);
    let field_name = |field: &Field| ir.names.resolve(field.name);
    let value = fields.iter().find(|field| field_name(field) == entry.discriminator);
    let value = value.and_then(|field| constant(ir, field.ty)).and_then(|value| match ir.values.rows[value] {
        JsonValue::String(text) => Some(text),
        _ => None,
    });
    let Some(value) = value else {
        let message = format!("{} has no text constant as its {}", variant(), quoted(&entry.discriminator));
        return Err((message, did_you_mean(&entry.discriminator, fields.iter().map(field_name))));
    };
    let text = ir.names.resolve(value);
    let local_id = text.strip_prefix(&entry.name_strip_prefix).unwrap_or(text).to_owned();
    if local_id.split('.').any(str::is_empty) {
        return Err((format!("the method {} leaves no name of words with dots between", quoted(text)), None));
    }
    let (mut params, mut constants) = (None, Vec::new());
    for field in fields.iter().filter(|field| field_name(field) != entry.discriminator) {
        if field_name(field) == entry.params {
            params = Some((field.ty, field.required));
        } else if let Some(value) = constant(ir, field.ty) {
            constants.push(RpcConstant { name: field.name, value });
        } else if field.required {
            let message = format!(
                "the method {} needs {}, which is neither its parameters nor a constant",
                quoted(text),
                quoted(field_name(field))
            );
            return Err((message, did_you_mean(&entry.params, fields.iter().map(field_name))));
        }
    }
    Ok(Found { local_id, value, params, constants, doc: ir.types.rows[record].doc })
}

/// The value of a type that has only one.
fn constant(ir: &Ir, ty: TypeId) -> Option<ValueId> {
    match ir.types.rows[ir.types.resolved(ty)].shape {
        Shape::Const { value } => Some(value),
        Shape::Enum { values } if values.len() == 1 => Some(ir.types.enum_values.slice(values)[0].value),
        _ => None,
    }
}

/// Puts the methods where the envelope was, and moves what refers to operations.
fn unflatten(
    lower: &mut Lowering<'_>,
    entry: &RpcOverride,
    (envelope, content): (OpId, Content),
    found: Vec<Found>,
    first_op: usize,
    nodes: &mut Vec<NodeRef>,
) {
    let at = envelope.index();
    let n_added = found.len().saturating_sub(1);
    let old = std::mem::take(&mut lower.ir.ops.rows);
    let mut rows: Table<OpId, Op> = Table::with_capacity(old.len() + n_added);
    let mut methods = Vec::with_capacity(found.len());
    for (id, op) in old.iter() {
        if id != envelope {
            rows.push(*op);
            continue;
        }
        for method in &found {
            methods.push(rows.push(method_row(lower, op, method, content)));
        }
    }
    let moved = |id: OpId| if id.index() > at { OpId::from_index(id.index() + n_added) } else { id };
    for index in first_op..rows.len() {
        if let OpKind::Callback { of, name } = rows[OpId::from_index(index)].kind {
            rows[OpId::from_index(index)].kind = OpKind::Callback { of: moved(of), name };
        }
    }
    for link in lower.ir.ops.links.rows_mut() {
        link.operation = link.operation.map(moved);
    }
    lower.ir.ops.rows = rows;
    let node = nodes[at];
    let behind = nodes.split_off(at + 1);
    nodes.extend(std::iter::repeat_n(node, n_added));
    nodes.extend(behind);
    let (field, params) = (lower.name(&entry.discriminator), lower.name(&entry.params));
    let moved_rpc: Vec<(OpId, Rpc)> =
        (first_op..old.len()).map(OpId::from_index).filter_map(|id| Some((moved(id), lower.ir.rpc[id]?))).collect();
    for id in (first_op..old.len()).map(OpId::from_index) {
        lower.ir.rpc.set(id, None);
    }
    for (id, rpc) in moved_rpc {
        lower.ir.rpc.set(id, Some(rpc));
    }
    for (id, method) in methods.into_iter().zip(found) {
        let constants = lower.ir.ops.rpc_constants.extend(method.constants);
        let params = method.params.map(|_| params);
        lower.ir.rpc.set(id, Some(Rpc { field, value: method.value, params, constants }));
    }
}

/// The operation of a method: the envelope with the method's own id, text and parameters.
fn method_row(lower: &mut Lowering<'_>, envelope: &Op, method: &Found, content: Content) -> Op {
    let namespace = lower.ir.names.resolve(lower.ir.namespaces[envelope.namespace].name);
    let id = format!("{namespace}.{}", method.local_id);
    let params: Vec<_> = lower.ir.ops.params.slice(envelope.params).to_vec();
    let body: Option<BodyId> = method.params.map(|(ty, required)| {
        let content = Content { ty, parts: Parts::default(), examples: Span::EMPTY, ..content };
        let contents = lower.ir.ops.contents.extend([content]);
        lower.ir.ops.bodies.push(Body { contents, required, doc: Doc::default() })
    });
    Op {
        id: lower.name(&id),
        local_id: lower.name(&method.local_id),
        id_stated: false,
        params: lower.ir.ops.params.extend(params),
        body,
        doc: if method.doc == Doc::default() { envelope.doc } else { method.doc },
        ..*envelope
    }
}
