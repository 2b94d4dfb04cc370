//! What a person is asked before a call: the arguments that are shown, and the question with its placeholders.
//!
//! Reads `confirmation`; writes rows and TG0607. A summary field that is no argument is left out; a placeholder that is
//! none stays in the text as it was written.

use tungsten_ir::{Confirmation, ConfirmationId, FieldPath, MessagePart, OpId};
use tungsten_manifest::{Confirmation as Stated, Text};

use crate::cx::Cx;
use crate::fields::{Known, argument_object, arguments, follow};
use crate::predicates::report_missing;

pub(crate) fn confirmation(op: OpId, stated: &Stated, cx: &mut Cx<'_>) -> ConfirmationId {
    let arguments = argument_object(&arguments(cx.ir, op));
    let owner = format!("the call of {}", cx.op_name(op));
    let mut summary: Vec<FieldPath> = Vec::with_capacity(stated.summary_fields.len());
    for field in &stated.summary_fields {
        let found = follow(cx.ir, &arguments, field, false);
        match found.missing {
            None => summary.push(cx.path(found.steps.iter().map(String::as_str))),
            Some((name, near)) => report_missing(field, &name, near.as_deref(), &owner, &field.place, cx),
        }
    }
    let summary = cx.ir.agent.field_paths.extend(summary);
    let parts = stated.message.as_ref().map_or(Vec::new(), |message| parts(message, &arguments, &owner, cx));
    let parts = cx.ir.agent.message_parts.extend(parts);
    let message = cx.maybe_text(stated.message.as_deref());
    cx.ir.agent.confirmations.push(Confirmation { summary, message, parts })
}

fn parts(message: &Text, arguments: &Known, owner: &str, cx: &mut Cx<'_>) -> Vec<MessagePart> {
    let mut parts = Vec::new();
    let mut text = String::new();
    for piece in pieces(message) {
        let name = match piece {
            Piece::Text(piece) => {
                text.push_str(piece);
                continue;
            }
            Piece::Placeholder(name) => name,
        };
        let found = follow(cx.ir, arguments, name.trim(), false);
        if let Some((missing, near)) = found.missing {
            report_missing(name.trim(), &missing, near.as_deref(), owner, &message.place, cx);
            text.push_str(&format!("{{{name}}}"));
            continue;
        }
        if !text.is_empty() {
            parts.push(MessagePart::Text(cx.text(&text)));
            text.clear();
        }
        parts.push(MessagePart::Field(cx.path(found.steps.iter().map(String::as_str))));
    }
    if !text.is_empty() {
        parts.push(MessagePart::Text(cx.text(&text)));
    }
    parts
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece<'t> {
    Text(&'t str),
    /// What stands between the braces.
    Placeholder(&'t str),
}

/// The pieces of a message: `{` and `}` with something between them that holds neither is a placeholder.
fn pieces(message: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = message;
    while let Some(end) = rest.find('}') {
        let placeholder = rest[..end].rfind('{').filter(|start| start + 1 < end);
        match placeholder {
            Some(start) => pieces.extend([Piece::Text(&rest[..start]), Piece::Placeholder(&rest[start + 1..end])]),
            None => pieces.push(Piece::Text(&rest[..=end])),
        }
        rest = &rest[end + 1..];
    }
    pieces.push(Piece::Text(rest));
    pieces.retain(|piece| *piece != Piece::Text(""));
    pieces
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    #[test]
    fn placeholders_stand_in_braces() {
        use Piece::{Placeholder, Text};
        let cases: [(&str, &[Piece<'_>]); 6] = [
            ("", &[]),
            ("a {b.c} d", &[Text("a "), Placeholder("b.c"), Text(" d")]),
            ("{a}{b}", &[Placeholder("a"), Placeholder("b")]),
            ("{{a}}", &[Text("{"), Placeholder("a"), Text("}")]),
            ("{} {", &[Text("{}"), Text(" {")]),
            ("é{ü}", &[Text("é"), Placeholder("ü")]),
        ];
        for (message, expect) in cases {
            assert_eq!(pieces(message), expect, "{message}");
        }
    }
}
