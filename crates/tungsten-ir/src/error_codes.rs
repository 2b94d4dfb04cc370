//! The error codes that a namespace's description lists: the values of the code field of its error envelope.
//!
//! Reads error models, types and responses; writes nothing. Statuses of a code come from the descriptions of error
//! responses that name it (a word of the text).

use std::collections::BTreeMap;

use base::Sym;

use crate::{Ir, JsonValue, NamespaceId, ResponseKind, Shape, Status, TypeId, Types};

/// A code that the description lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ErrorCode {
    pub code: Sym,
    /// Exact statuses whose descriptions name the code, ascending.
    pub statuses: Vec<u16>,
}

/// The codes of a namespace, in the order of the schema; none where any text may be a code.
pub fn error_codes(ir: &Ir, namespace: NamespaceId) -> Vec<ErrorCode> {
    let model = ir.namespaces[namespace].errors;
    let (Some(envelope), Some(field)) = (model.envelope, model.code_field) else { return Vec::new() };
    let mut types = vec![envelope];
    for step in ir.names.resolve(field).split('.') {
        let Some(name) = ir.names.find(step) else { return Vec::new() };
        let records = ir.types.alternatives(&types);
        types = records.into_iter().filter_map(|record| field_type(&ir.types, record, name)).collect();
    }
    let mut codes = Vec::new();
    for ty in ir.types.alternatives(&types) {
        let values: Vec<_> = match ir.types.rows[ty].shape {
            Shape::Enum { values } => ir.types.enum_values.slice(values).iter().map(|value| value.value).collect(),
            Shape::Const { value } => vec![value],
            // Any text may be a code.
            _ => return Vec::new(),
        };
        for value in values {
            if let JsonValue::String(code) = ir.values.rows[value]
                && !codes.iter().any(|one: &ErrorCode| one.code == code)
            {
                codes.push(ErrorCode { code, statuses: Vec::new() });
            }
        }
    }
    add_statuses(ir, namespace, &mut codes);
    codes
}

fn field_type(types: &Types, record: TypeId, name: Sym) -> Option<TypeId> {
    let Shape::Record { fields, .. } = types.rows[record].shape else { return None };
    types.fields.slice(fields).iter().find(|field| field.name == name).map(|field| field.ty)
}

fn add_statuses(ir: &Ir, namespace: NamespaceId, codes: &mut [ErrorCode]) {
    let index: BTreeMap<&str, usize> =
        codes.iter().enumerate().map(|(index, one)| (ir.names.resolve(one.code), index)).collect();
    let mut statuses: Vec<Vec<u16>> = vec![Vec::new(); codes.len()];
    for (_, op) in ir.ops.rows.iter().filter(|(_, op)| op.namespace == namespace) {
        for response in ir.ops.responses.slice(op.responses) {
            let (Status::Exact(status), ResponseKind::Error) = (response.status, response.kind) else { continue };
            let Some(text) = response.doc.description else { continue };
            let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
            for word in ir.texts.get(text).untrusted().split(|c| !is_word(c)) {
                if let Some(&code) = index.get(word.trim_end_matches('.')) {
                    statuses[code].push(status);
                }
            }
        }
    }
    for (code, mut statuses) in codes.iter_mut().zip(statuses) {
        statuses.sort_unstable();
        statuses.dedup();
        code.statuses = statuses;
    }
}
