//! `README.md`: how to install, call and extend this package, with the names of this API.
//!
//! Reads the view and the package; fills `assets/README.md`. The code blocks are code that the package's own types
//! accept, in the layout of the formatter.

use tungsten_emit::escape::{markdown, typescript};
use tungsten_emit::{ArgSource, Call, CallId, Doc, Lang, NodeId, Writer, line};
use tungsten_ir::{Policy, Safety, TypeId};

use crate::literals;
use crate::object::object;
use crate::package::{Package, fill};
use crate::sample;
use crate::view::View;

/// Shown where the description names no server that could be called.
const EXAMPLE_URL: &str = "https://api.example.com";

pub(crate) fn readme(view: &View<'_>, package: &Package) -> String {
    let ir = view.ir;
    let calls: Vec<(NodeId, CallId)> = view
        .plan
        .nodes
        .iter()
        .flat_map(|(node, row)| row.calls.iter().map(move |&call| (node, call)))
        .collect();
    fill(
        include_str!("../assets/README.md"),
        &[
            ("__PACKAGE__", package.name.clone()),
            ("__CLIENT__", package.client.clone()),
            ("__API__", markdown::text(ir.name(ir.api.name))),
            ("__API_VERSION__", markdown::text(ir.name(ir.api.version))),
            ("__BASE_URL__", base_url(view)),
            ("__AUTH__", auth(view)),
            ("__READ__", read(view, &calls).unwrap_or_default()),
            ("__CHANGE__", change(view, &calls).unwrap_or_default()),
        ],
    )
}

fn base_url(view: &View<'_>) -> String {
    let ir = view.ir;
    let absolute = |text: &str| text.starts_with("https://") || text.starts_with("http://");
    let server = ir.api.servers.iter().map(|id| ir.servers[id].url).find(|&url| absolute(ir.names.resolve(url)));
    server.map_or_else(|| format!("\"{EXAMPLE_URL}\""), |url| literals::string(ir, url))
}

/// The credential of the first scheme that an operation asks for alone.
fn auth(view: &View<'_>) -> String {
    let ir = view.ir;
    let alone = view.plan.calls.rows().iter().find_map(|call| {
        let alternatives = ir.ops.alternatives.slice(ir.ops.rows[call.op].security);
        let one = alternatives.iter().find(|alternative| alternative.all_of.len() == 1)?;
        one.all_of.iter().next().map(|id| ir.ops.requirements[id].scheme)
    });
    alone.map_or_else(String::new, |scheme| {
        let key = typescript::key(ir.name(ir.schemes[scheme].name));
        format!("\n  auth: {{ {key}: \"<credential>\" }},")
    })
}

fn read(view: &View<'_>, calls: &[(NodeId, CallId)]) -> Option<String> {
    let is_read = |call: &Call| view.ir.safety[call.op] == Safety::ReadOnly;
    let (node, call) = choose(view, calls, is_read)?;
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    print_call(&mut o, view, node, call, false);
    o.line("if (res.ok) console.log(res.value);");
    o.line("else console.error(res.error.category, res.error.remediation);");
    Some(section("Read", "", &o.finish("")))
}

fn change(view: &View<'_>, calls: &[(NodeId, CallId)]) -> Option<String> {
    let changes = |call: &Call| view.ir.safety[call.op] == Safety::Mutating;
    let keyed = |call: &Call| changes(call) && view.ir.idempotency[call.op].policy != Policy::None;
    let (node, call) = choose(view, calls, keyed).or_else(|| choose(view, calls, changes))?;
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    o.line("const idempotencyKey = crypto.randomUUID();");
    print_call(&mut o, view, node, call, true);
    let words = "Mutations are never retried blindly. When the operation takes an idempotency key, generate it once, \
                 persist it with your intent, and reuse it on every retry.\n\n";
    Some(section("Change something, safely", words, &o.finish("")))
}

fn section(title: &str, words: &str, code: &str) -> String {
    format!("\n## {title}\n\n{words}```ts\n{code}```\n")
}

/// The first call without required arguments, else the first whose arguments can be made up.
fn choose(view: &View<'_>, calls: &[(NodeId, CallId)], fits: impl Fn(&Call) -> bool) -> Option<(NodeId, CallId)> {
    let row = |(_, call): &&(NodeId, CallId)| &view.plan.calls[*call];
    let bare = calls.iter().find(|pair| fits(row(pair)) && !row(pair).args_required);
    let filled = || calls.iter().find(|pair| fits(row(pair)) && can_fill(view, row(pair)));
    bare.or_else(filled).copied()
}

fn required_args<'v>(view: &'v View<'_>, call: &'v Call) -> impl Iterator<Item = (&'v str, TypeId)> {
    let types = &view.ir.types;
    view.plan.args.slice(call.args).iter().filter(|arg| arg.required).filter_map(move |arg| match arg.source {
        ArgSource::Param(id) => Some((view.names.param(id), view.ir.ops.params[id].ty)),
        ArgSource::Field(id) => Some((view.names.field(id), types.fields[id].ty)),
        ArgSource::Body => {
            let body = call.body?;
            Some((view.names.body_arg(call.op), view.ir.ops.contents[body.content].ty))
        }
    })
}

fn can_fill(view: &View<'_>, call: &Call) -> bool {
    required_args(view, call).all(|(_, ty)| sample::has_sample(view, ty, 0))
}

/// `const res = await client.pets.list({ ... });`
fn print_call(o: &mut Writer, view: &View<'_>, node: NodeId, id: CallId, with_key: bool) {
    let call = &view.plan.calls[id];
    let path = view.call_path(call.op, node);
    if !call.args_required && !with_key {
        return line!(o, "const res = await client.{path}();");
    }
    let mut doc = Doc::new();
    doc.text(format_args!("const res = await client.{path}("));
    let args: Vec<(&str, TypeId)> = required_args(view, call).collect();
    let write_args = |doc: &mut Doc| {
        object(doc, |o| {
            for (key, ty) in args {
                o.member(key, |doc| sample::write(doc, view, ty, 0));
            }
        });
    };
    if with_key {
        doc.group(|doc| {
            doc.indent(|doc| {
                doc.softline();
                write_args(doc);
                doc.text(",");
                doc.line();
                doc.text("{ idempotencyKey }");
                doc.if_broken(|doc| doc.text(","));
            });
            doc.softline();
        });
    } else {
        write_args(&mut doc);
    }
    doc.text(");");
    o.print(&doc);
}
