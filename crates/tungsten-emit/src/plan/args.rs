//! Layout of the arguments object: one member a parameter, then the body as a whole or field by field.
//!
//! Reads one operation and the argument keys; writes rows of `plan.args`. Spelling the members is left to emitters.

use base::{Span, Table};
use tungsten_ir::{
    Additional, Body, Content, ContentId, Encoding, Field, FieldId, Ir, MemberNames, Op, ParamId, Role, Shape, TypeId,
};

use super::ArgId;

/// A member of an arguments object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg {
    pub source: ArgSource,
    pub required: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgSource {
    Param(ParamId),
    /// A field of a body that is merged into the arguments.
    Field(FieldId),
    /// The whole body, under the name that `Names::body_arg` gives it.
    Body,
}

/// How an operation's body is passed.
#[derive(Clone, Copy, Debug)]
pub struct BodyPlan {
    /// The media type that is sent.
    pub content: ContentId,
    pub required: bool,
    pub layout: BodyLayout,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyLayout {
    /// The fields of this record are members of the arguments object.
    Merged(TypeId),
    /// The body is one argument.
    Whole,
}

/// Writes the arguments of an operation.
pub(super) fn plan(
    ir: &Ir,
    keys: &MemberNames,
    op: &Op,
    args: &mut Table<ArgId, Arg>,
) -> (Span<ArgId>, Option<BodyPlan>) {
    let start = args.len();
    for param_id in op.params {
        let param = &ir.ops.params[param_id];
        if is_argument(param.role) {
            args.push(Arg { source: ArgSource::Param(param_id), required: param.required });
        }
    }
    let params = Span::new(start, args.len());
    let body = op.body.and_then(|body_id| {
        let body = &ir.ops.bodies[body_id];
        let content = chosen_content(ir, body)?;
        let merged = merged_record(ir, keys, body, &ir.ops.contents[content], args.slice(params));
        let layout = if let Some((record, fields)) = merged {
            push_fields(ir, body, fields, args);
            BodyLayout::Merged(record)
        } else {
            args.push(Arg { source: ArgSource::Body, required: body.required });
            BodyLayout::Whole
        };
        Some(BodyPlan { content, required: body.required, layout })
    });
    (Span::new(start, args.len()), body)
}

/// Only plain and dry-run parameters are supplied by callers.
fn is_argument(role: Role) -> bool {
    matches!(role, Role::Plain | Role::DryRun)
}

/// The first JSON content, else the first.
fn chosen_content(ir: &Ir, body: &Body) -> Option<ContentId> {
    let json = |content: &ContentId| ir.ops.contents[*content].encoding == Encoding::Json;
    body.contents.iter().find(json).or_else(|| body.contents.iter().next())
}

/// The record whose fields can stand beside the parameters: a JSON record without typed extras, of a body that is
/// required or may be empty, none of whose fields has a parameter's key.
fn merged_record(
    ir: &Ir,
    keys: &MemberNames,
    body: &Body,
    content: &Content,
    params: &[Arg],
) -> Option<(TypeId, Span<FieldId>)> {
    let record = ir.types.resolved(content.ty);
    let Shape::Record { fields, additional: Additional::Closed | Additional::Open } = ir.types.rows[record].shape
    else {
        return None;
    };
    let sent = || fields.iter().filter(|&id| !ir.types.fields[id].read_only);
    let mergeable = content.encoding == Encoding::Json
        && sent().next().is_some()
        && (body.required || sent().all(|id| !ir.types.fields[id].required))
        && sent().all(|id| !params.iter().any(|param| key_of(keys, *param) == Some(keys.field(id))));
    mergeable.then_some((record, fields))
}

fn key_of(keys: &MemberNames, arg: Arg) -> Option<&str> {
    match arg.source {
        ArgSource::Param(id) => Some(keys.param(id)),
        ArgSource::Field(_) | ArgSource::Body => None,
    }
}

fn push_fields(ir: &Ir, body: &Body, fields: Span<FieldId>, args: &mut Table<ArgId, Arg>) {
    for field_id in fields {
        let field: &Field = &ir.types.fields[field_id];
        if !field.read_only {
            args.push(Arg { source: ArgSource::Field(field_id), required: field.required && body.required });
        }
    }
}
