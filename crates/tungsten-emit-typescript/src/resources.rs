//! Writes `resources/<path>.ts`: the arguments of each call, the class of the resource, and each call once more as a
//! function of its own, which bundlers can keep without the rest.
//!
//! Reads the plan and the view; the descriptors are in `operations`.

use tungsten_emit::layout::typescript as layout;
use tungsten_emit::{ArgSource, BodyLayout, Call, CallId, Doc, Imports, Lang, NodeId, Writer, line};
use tungsten_ir::{Doc as Prose, NamespaceId, Shape};

use crate::operations::{page_item, route, write_type_arguments, write_value};
use crate::types::{Speller, describe, note};
use crate::view::{Form, View};
use crate::{NO_ARGUMENTS, RUNTIME};

/// A member of a client or resource that is another resource.
pub(crate) struct Child {
    /// Name of the member.
    pub member: String,
    pub class: String,
    /// Module that exports the class; nothing when it stands in the same file.
    pub module: Option<String>,
    pub doc: Option<NodeId>,
}

/// The module of the resources in one file.
pub(crate) fn resources(view: &View<'_>, first: NodeId, header: &str) -> String {
    let depth = view.node_path(first).matches('/').count() + 1;
    let nodes = view.nodes_of_file(first);
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    nodes.clone().for_each(|node| reserve(&mut o.imports, view, node));
    let mut file = File { view, depth, types: Speller::below_src(view, depth), doc: Doc::new() };
    let names = file.import(&mut o, first);
    nodes.for_each(|node| file.resource(&mut o, node, &names));
    file.values(&mut o);
    file.types.import(&mut o.imports);
    o.finish(header)
}

/// The module of a namespace, where a client has several.
pub(crate) fn namespace(view: &View<'_>, id: NamespaceId, class: &str, header: &str) -> String {
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    o.imports.reserve(class);
    let core = o.import_type(RUNTIME, "ClientCore");
    let children = view.roots(id).into_iter().map(|root| child(view, root, 1)).collect();
    let namespace = &view.ir.namespaces[id];
    if let Some(title) = namespace.title {
        o.doc(view.ir.text(title));
    }
    let children = ChildClasses::import(&mut o, children);
    o.block(format_args!("export class {class}"), |o| {
        line!(o, "readonly #core: {core};");
        children.fields(o);
        constructor(o, &core);
        children.getters(o, view);
    });
    o.finish(header)
}

/// A child resource as seen from a file `depth` folders below `src/`.
pub(crate) fn child(view: &View<'_>, node: NodeId, depth: usize) -> Child {
    let resource = view.plan.nodes[node].resource;
    let up = if depth == 0 { "./".to_owned() } else { "../".repeat(depth) };
    Child {
        member: view.names.resource(resource).to_owned(),
        class: view.names.resource_class(resource).to_owned(),
        module: Some(format!("{up}resources/{}.js", view.node_path(node))),
        doc: Some(node),
    }
}

/// Keeps the names that the module exports free of imports.
fn reserve(imports: &mut Imports, view: &View<'_>, node: NodeId) {
    let row = &view.plan.nodes[node];
    imports.reserve(view.names.resource_class(row.resource));
    for &call in &row.calls {
        let op = view.plan.calls[call].op;
        imports.reserve(view.names.op_args(op));
        imports.reserve(view.names.op_function(op));
        if view.ir.pagination[op].is_some() {
            imports.reserve(view.pages_name(call));
        }
    }
    // Unnamed types of values are declared here under names that only show up later.
    for &call in &row.calls {
        view.plan.page_item[call]
            .and_then(|ty| view.inline_name(ty))
            .into_iter()
            .for_each(|name| imports.reserve(name));
        for success in view.successes(&view.plan.calls[call]) {
            if let tungsten_emit::Success::Json(ty) | tungsten_emit::Success::Lines(ty) = success {
                view.inline_name(*ty).into_iter().for_each(|name| imports.reserve(name));
            }
        }
    }
}

/// Local names of what a module imports from the runtime and its descriptors.
struct Names {
    core: String,
    options: String,
    result: String,
    descriptors: String,
}

struct File<'v, 'a> {
    view: &'v View<'a>,
    /// Folders between `src/` and the file.
    depth: usize,
    types: Speller<'v, 'a>,
    doc: Doc,
}

impl File<'_, '_> {
    fn import(&self, o: &mut Writer, first: NodeId) -> Names {
        let core = o.import_type(RUNTIME, "ClientCore");
        let has_calls = |node| !self.view.plan.nodes[node].calls.is_empty();
        if !self.view.nodes_of_file(first).any(has_calls) {
            let none = String::new;
            return Names { core, options: none(), result: none(), descriptors: none() };
        }
        let module = format!("{}descriptors/{}.js", "../".repeat(self.depth), self.view.node_path(first));
        Names {
            core,
            options: o.import_type(RUNTIME, "CallOptions"),
            result: o.import_type(RUNTIME, "Result"),
            descriptors: o.imports.import_all(&module, "descriptors"),
        }
    }

    fn resource(&mut self, o: &mut Writer, node: NodeId, names: &Names) {
        let view = self.view;
        let row = &view.plan.nodes[node];
        let child = |&id: &NodeId| {
            let child = child(view, id, self.depth);
            if view.file_of(id) == view.file_of(node) { Child { module: None, ..child } } else { child }
        };
        let children = ChildClasses::import(o, row.children.iter().map(child).collect());
        for &call in &row.calls {
            self.args(o, node, &view.plan.calls[call]);
        }
        self.class(o, node, names, &children);
        for &call in &row.calls {
            self.function(o, &view.plan.calls[call], names);
            if view.ir.pagination[view.plan.calls[call].op].is_some() {
                self.pages_function(o, call, names);
            }
        }
    }

    /// `PetsListArgs`.
    fn args(&mut self, o: &mut Writer, node: NodeId, call: &Call) {
        if call.args.is_empty() {
            return;
        }
        let view = self.view;
        let name = view.names.op_args(call.op);
        let base = self.merged_base(call);
        o.blank();
        note(o, format!("Arguments of `{}`.", view.call_path(call.op, node)));
        let head = match &base {
            Some(base) => {
                let flat = format!("export interface {name} extends {base}");
                let has_more =
                    view.plan.args.slice(call.args).iter().any(|arg| !matches!(arg.source, ArgSource::Field(_)));
                let tail = if has_more { Lang::TYPESCRIPT.open } else { Lang::TYPESCRIPT.empty_block };
                if flat.len() + tail.len() <= Lang::TYPESCRIPT.width {
                    flat
                } else {
                    line!(o, "export interface {name}");
                    format!("{}extends {base}", Lang::TYPESCRIPT.indent)
                }
            }
            None => format!("export interface {name}"),
        };
        let args = view.plan.args.slice(call.args);
        o.block(head, |o| {
            for arg in args {
                match arg.source {
                    ArgSource::Param(id) => {
                        let param = &view.ir.ops.params[id];
                        describe(o, view, param.doc, param.deprecated, Vec::new());
                        let key = view.names.param(id);
                        self.types.bare_property(o, &mut self.doc, key, arg.required, param.ty);
                    }
                    ArgSource::Field(_) if base.is_some() => {}
                    ArgSource::Field(id) => {
                        let field = view.ir.types.fields[id];
                        let key = view.names.field(id);
                        self.types.property(o, &mut self.doc, key, arg.required, &field, Form::Request);
                    }
                    ArgSource::Body => {
                        let Some(body) = call.body else { continue };
                        if let Some(id) = view.ir.ops.rows[call.op].body {
                            describe(o, view, view.ir.ops.bodies[id].doc, false, Vec::new());
                        }
                        let key = view.names.body_arg(call.op);
                        let ty = view.ir.ops.contents[body.content].ty;
                        self.types.bare_property(o, &mut self.doc, key, arg.required, ty);
                    }
                }
            }
        });
    }

    /// The interface that the arguments extend: that of a merged body which has a declaration of its own.
    fn merged_base(&mut self, call: &Call) -> Option<String> {
        let BodyLayout::Merged(record) = call.body?.layout else { return None };
        let is_record = matches!(self.view.ir.types.rows[record].shape, Shape::Record { .. });
        self.types.named(record, Form::Request).filter(|_| is_record)
    }

    fn class(&mut self, o: &mut Writer, node: NodeId, names: &Names, children: &ChildClasses) {
        let view = self.view;
        let row = &view.plan.nodes[node];
        let resource = &view.ir.resources.rows[row.resource];
        o.blank();
        describe(o, view, resource.doc, false, Vec::new());
        o.block(format_args!("export class {}", view.names.resource_class(row.resource)), |o| {
            line!(o, "readonly #core: {};", names.core);
            children.fields(o);
            constructor(o, &names.core);
            for &call in &row.calls {
                o.blank();
                self.getter(o, call, names);
            }
            children.getters(o, view);
        });
    }

    fn getter(&mut self, o: &mut Writer, id: CallId, names: &Names) {
        let view = self.view;
        let call = &view.plan.calls[id];
        let op = &view.ir.ops.rows[call.op];
        describe(o, view, op.doc, op.deprecated, vec![route(view, op)]);
        let values = self.types.value_texts(view.successes(call));
        let item = page_item(view, &mut self.types, id);
        let operation = match item {
            Some(_) => o.import_type(RUNTIME, "PagedOperation"),
            None => o.import_type(RUNTIME, "Operation"),
        };
        let doc = &mut self.doc;
        doc.clear();
        doc.text(format_args!("get {}(): {operation}", view.names.method(call.op)));
        write_type_arguments(doc, args_type(view, call), &values, item.as_deref());
        doc.text(" {");
        o.print(doc);
        o.indent(|o| {
            doc.clear();
            doc.text("return this.#core.operation");
            let function = view.names.op_function(call.op);
            layout::arguments(doc, [function], |doc, function| {
                doc.text(format_args!("{}.{function}", names.descriptors));
            });
            doc.text(";");
            o.print(doc);
        });
        o.line("}");
    }

    fn function(&mut self, o: &mut Writer, call: &Call, names: &Names) {
        let view = self.view;
        let op = &view.ir.ops.rows[call.op];
        let function = view.names.op_function(call.op);
        let values = self.types.value_texts(view.successes(call));
        o.blank();
        match op.doc.summary {
            Some(_) => describe(o, view, Prose { description: None, ..op.doc }, op.deprecated, Vec::new()),
            None => describe(o, view, Prose::default(), op.deprecated, vec![route(view, op)]),
        }
        let mark = if may_be_left_out(view, call) { "?" } else { "" };
        let parameters = [
            ("core", "", names.core.as_str()),
            ("args", mark, args_type(view, call)),
            ("options", "?", &names.options),
        ];
        let doc = &mut self.doc;
        doc.clear();
        doc.text(format_args!("export function {function}"));
        layout::signature(doc, parameters, parameter, |doc| {
            doc.text(": Promise");
            layout::type_arguments(doc, false, [&values], |doc, values| {
                doc.text(&names.result);
                let simple = matches!(values.as_slice(), [only] if is_name(only));
                layout::type_arguments(doc, simple, [values], |doc, values| write_value(doc, values));
            });
        });
        doc.text(" {");
        o.print(doc);
        o.indent(|o| {
            doc.clear();
            doc.text("return core.call");
            let constant = (names.descriptors.as_str(), ".", function);
            layout::arguments(doc, [constant, ("", "", "args"), ("", "", "options")], argument);
            doc.text(";");
            o.print(doc);
        });
        o.line("}");
    }

    /// The function that reads a list page by page.
    fn pages_function(&mut self, o: &mut Writer, id: CallId, names: &Names) {
        let view = self.view;
        let call = &view.plan.calls[id];
        let values = self.types.value_texts(view.successes(call));
        let item = page_item(view, &mut self.types, id).unwrap_or_default();
        let (pages, options) = (o.import_type(RUNTIME, "Pages"), o.import_type(RUNTIME, "PageOptions"));
        let function = view.names.op_function(call.op);
        o.blank();
        note(o, format!("The pages of `{function}`; nothing is sent before the first one is asked for."));
        let mark = if may_be_left_out(view, call) { "?" } else { "" };
        let parameters =
            [("core", "", names.core.as_str()), ("args", mark, args_type(view, call)), ("options", "?", &options)];
        let doc = &mut self.doc;
        doc.clear();
        doc.text(format_args!("export function {}", view.pages_name(id)));
        layout::signature(doc, parameters, parameter, |doc| {
            doc.text(format_args!(": {pages}"));
            layout::type_arguments(doc, false, [&item, &values], |doc, texts| write_value(doc, texts));
        });
        doc.text(" {");
        o.print(doc);
        o.indent(|o| {
            doc.clear();
            doc.text("return core.pages");
            let constant = (names.descriptors.as_str(), ".", function);
            layout::arguments(doc, [constant, ("", "", "args"), ("", "", "options")], argument);
            doc.text(";");
            o.print(doc);
        });
        o.line("}");
    }

    /// The unnamed types of values that were mentioned.
    fn values(&mut self, o: &mut Writer) {
        let types = std::mem::take(&mut self.types.values);
        for ty in types {
            if let Some(name) = self.view.inline_name(ty) {
                o.blank();
                self.types.declare(o, &mut self.doc, ty, name, Form::Response);
            }
        }
    }
}

fn parameter(doc: &mut Doc, (name, mark, ty): (&str, &str, &str)) {
    doc.text(name);
    doc.text(mark);
    doc.text(": ");
    doc.text(ty);
}

fn argument(doc: &mut Doc, (object, dot, word): (&str, &str, &str)) {
    doc.text(object);
    doc.text(dot);
    doc.text(word);
}

/// Whether a call needs no arguments object. Beside required arguments, one that every object inherits under the same
/// name needs it: for the type checker, even `{}` has that member then.
pub(crate) fn may_be_left_out(view: &View<'_>, call: &Call) -> bool {
    const INHERITED: [&str; 7] = [
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    ];
    let key = |source: ArgSource| match source {
        ArgSource::Param(id) => view.names.param(id),
        ArgSource::Field(id) => view.names.field(id),
        ArgSource::Body => view.names.body_arg(call.op),
    };
    let inherited = |arg: &tungsten_emit::Arg| INHERITED.contains(&key(arg.source));
    !call.args_required && !view.plan.args.slice(call.args).iter().any(inherited)
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'))
}

fn args_type<'a>(view: &View<'a>, call: &Call) -> &'a str {
    if call.args.is_empty() { NO_ARGUMENTS } else { view.names.op_args(call.op) }
}

fn constructor(o: &mut Writer, core: &str) {
    o.blank();
    o.block(format_args!("constructor(core: {core})"), |o| o.line("this.#core = core;"));
}

/// Child resources with the local names of their classes. Each is made when it is first asked for.
#[derive(Clone)]
pub(crate) struct ChildClasses {
    /// Member, local name of the class, node.
    list: Vec<(String, String, Option<NodeId>)>,
}

impl ChildClasses {
    pub(crate) fn import(o: &mut Writer, children: Vec<Child>) -> Self {
        let list = children.into_iter().map(|child| {
            let class = match &child.module {
                Some(module) => o.import(module, &child.class),
                None => child.class,
            };
            (child.member, class, child.doc)
        });
        Self { list: list.collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The fields that keep the children; their names start with the reserved prefix.
    pub(crate) fn fields(&self, o: &mut Writer) {
        for (member, class, _) in &self.list {
            let class = class.as_str();
            o.layout(|doc| {
                doc.text(format_args!("#_{member}:"));
                doc.group(|doc| {
                    doc.indent(|doc| {
                        doc.line();
                        layout::union(doc, layout::Place::TypeArgument, [class, "undefined"], |doc, text| {
                            doc.text(text);
                        });
                    });
                });
                doc.text(";");
            });
        }
    }

    pub(crate) fn getters(&self, o: &mut Writer, view: &View<'_>) {
        for (member, class, node) in &self.list {
            o.blank();
            if let Some(node) = node {
                describe(o, view, view.ir.resources.rows[view.plan.nodes[*node].resource].doc, false, Vec::new());
            }
            o.block(format_args!("get {member}(): {class}"), |o| {
                // The layout of an assignment in parentheses: its value goes to the next line only when not even the
                // value's first part fits.
                let width = Lang::TYPESCRIPT.width - 4;
                let head = format!("return (this.#_{member} ??= new {class}(");
                if head.len() + "this.#core));".len() <= width {
                    line!(o, "{head}this.#core));");
                } else if head.len() <= width {
                    o.line(head);
                    o.indent(|o| o.line("this.#core,"));
                    o.line("));");
                } else {
                    line!(o, "return (this.#_{member} ??=");
                    o.indent(|o| {
                        if "new (this.#core));".len() + class.len() <= width - 2 {
                            line!(o, "new {class}(this.#core));");
                        } else {
                            line!(o, "new {class}(");
                            o.indent(|o| o.line("this.#core,"));
                            o.line("));");
                        }
                    });
                }
            });
        }
    }
}
