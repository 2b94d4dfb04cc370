//! What previews do.
//!
//! Reads `preview` of operations and of the defaults; writes the preview of each operation for which something else
//! holds than its tier's own, and findings: TG0603, TG0605 for an operation that would preview itself.

use base::Code;
use base::diag::quoted;
use tungsten_ir::{OpId, Preview, Safety};
use tungsten_manifest::{Defaults, PreviewRule};

use crate::cx::Cx;
use crate::steps;
use crate::tools::Tools;

pub(crate) fn previews(defaults: &Defaults, tools: &Tools, cx: &mut Cx<'_>) {
    for op in cx.ir.ops.rows.ids() {
        let own = tools.get(op).and_then(|tool| tool.preview.as_ref());
        // A read has nothing to preview unless its own entry says so.
        let default = defaults.preview.as_ref().filter(|_| cx.ir.safety[op] != Safety::ReadOnly);
        let own = own.and_then(|rule| preview(op, &rule.0, cx));
        let Some(preview) = own.or_else(|| default.and_then(|rule| preview(op, &rule.0, cx))) else { continue };
        cx.change(op, |row| row.preview = Some(preview));
    }
}

fn preview(op: OpId, rule: &PreviewRule, cx: &mut Cx<'_>) -> Option<Preview> {
    Some(match (&*rule.mode, &rule.header, &rule.value, &rule.operation) {
        ("header", Some(name), Some(value), _) => Preview::Header { name: cx.sym(name), value: cx.sym(value) },
        ("endpoint", _, _, Some(reference)) => {
            let target = steps::callable(reference, "the preview", cx)?;
            if target == op {
                let message = format!("{} cannot preview itself by being called", quoted(reference));
                let help = "name the operation that only tries, or choose another mode";
                cx.report(Code::TG0605, &reference.place, message).help = Some(help.to_owned());
                return None;
            }
            Preview::Endpoint(target)
        }
        ("local", ..) => Preview::Local,
        _ => Preview::None,
    })
}
