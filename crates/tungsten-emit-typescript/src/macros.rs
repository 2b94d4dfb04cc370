//! Writes `macros.ts`: the macros of all namespaces, as descriptors, as members of one class and as functions.
//!
//! Reads macro rows of the IR, the names and the view. Inputs extend the arguments of an operation; outputs are spelled
//! from what the output expression refers to. Expressions nest at most 64 levels, so recursion is bounded.

use std::collections::BTreeSet;

use base::{SpecText, Sym};
use tungsten_emit::escape::typescript;
use tungsten_emit::layout::typescript::{self as layout, Items, Place, array};
use tungsten_emit::{Arg, ArgSource, Call, Doc, DocComment, Lang, Success, Writer, line};
use tungsten_ir::{
    Expr, ExprId, ExprMemberId, Macro, MacroFieldId, MacroId, OpId, Reference, Root, Shape, Step, StepKind,
};

use crate::expressions::{Expressions, conditions};
use crate::input_schemas;
use crate::literals;
use crate::naming::free_name;
use crate::object::{Members, object, object_broken};
use crate::resources::may_be_left_out;
use crate::types::{Speller, note};
use crate::view::{Form, View};
use crate::{NO_ARGUMENTS, RUNTIME};

/// The class of all macros.
pub(crate) const CLASS: &str = "Macros";

/// `src/macros.ts`, or nothing when there are no macros.
pub(crate) fn macros(view: &View<'_>, header: &str) -> Option<String> {
    if !has_macros(view) {
        return None;
    }
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    let all = named(view);
    o.imports.reserve(CLASS);
    for one in &all {
        [one.function, &one.descriptor, &one.input, &one.output].into_iter().for_each(|name| o.imports.reserve(name));
    }
    let core = o.import_type(RUNTIME, "ClientCore");
    let mut file = File { view, types: Speller::below_src(view, 0), doc: Doc::new() };
    for one in &all {
        file.input(&mut o, one);
        file.output(&mut o, one);
        file.descriptor(&mut o, one);
    }
    file.class(&mut o, &all, &core);
    for one in &all {
        file.function(&mut o, one, &core);
    }
    file.values(&mut o);
    file.types.import(&mut o.imports);
    Some(o.finish(header))
}

/// Whether the client has macros.
pub(crate) fn has_macros(view: &View<'_>) -> bool {
    !view.ir.agent.macros.is_empty()
}

/// A macro with the names of its declarations.
struct Named<'a> {
    id: MacroId,
    row: &'a Macro,
    function: &'a str,
    descriptor: String,
    input: String,
    output: String,
}

/// Names of functions are unique; those of types also avoid unnamed types that the file may come to declare.
fn named<'a>(view: &View<'a>) -> Vec<Named<'a>> {
    let ir = view.ir;
    let mut taken: BTreeSet<String> =
        ir.types.rows.ids().filter_map(|ty| view.inline_name(ty)).map(str::to_owned).collect();
    taken.insert(CLASS.to_owned());
    taken.extend(ir.agent.macros.ids().map(|id| view.names.macro_function(id).to_owned()));
    let mut free = |wanted: String| {
        let name = free_name(&taken, &wanted);
        taken.insert(name.clone());
        name
    };
    let identifier = tungsten_ir::profile::TYPESCRIPT.identifiers();
    let rows = ir.agent.macros.iter().map(|(id, row)| {
        let function = view.names.macro_function(id);
        let mut ty = |word: &str| free(identifier(tungsten_ir::profile::Role::Type, &[function, word]));
        let (input, output) = (ty("input"), ty("output"));
        Named { id, row, function, descriptor: free(format!("{function}Macro")), input, output }
    });
    rows.collect()
}

struct File<'v, 'a> {
    view: &'v View<'a>,
    types: Speller<'v, 'a>,
    doc: Doc,
}

impl File<'_, '_> {
    /// The planned call of the operation whose arguments a macro takes.
    fn base(&self, row: &Macro) -> Option<Call> {
        let call = self.view.plan.call_of[row.extends?]?;
        Some(self.view.plan.calls[call])
    }

    fn input(&mut self, o: &mut Writer, one: &Named<'_>) {
        let view = self.view;
        let ir = view.ir;
        let fields: Vec<MacroFieldId> = one.row.fields.iter().collect();
        let base = self.base(one.row).filter(|call| !call.args.is_empty());
        o.blank();
        note(o, format!("Input of `{}.{}`.", view.macros_member(), view.names.macro_method(one.id)));
        if base.is_none() && fields.is_empty() {
            return line!(o, "export type {} = {NO_ARGUMENTS};", one.input);
        }
        let extends = base.and_then(|call| {
            let module = format!("./{}.js", view.resource_module(call.op)?);
            let args = o.import_type(&module, view.names.op_args(call.op));
            let is_replaced =
                |arg: &&Arg| fields.iter().any(|&id| Some(ir.agent.macro_fields[id].name) == wire_name(view, arg));
            let replaced = view.plan.args.slice(call.args).iter().filter(is_replaced);
            let keys: Vec<String> = replaced.map(|arg| format!("\"{}\"", key(view, &call, arg))).collect();
            Some(if keys.is_empty() { args } else { format!("Omit<{args}, {}>", keys.join(" | ")) })
        });
        let head = match extends {
            None => format!("export interface {}", one.input),
            Some(extends) => {
                let flat = format!("export interface {} extends {extends}", one.input);
                let tail = if fields.is_empty() { Lang::TYPESCRIPT.empty_block } else { Lang::TYPESCRIPT.open };
                if flat.len() + tail.len() <= Lang::TYPESCRIPT.width {
                    flat
                } else {
                    line!(o, "export interface {}", one.input);
                    format!("{}extends {extends}", Lang::TYPESCRIPT.indent)
                }
            }
        };
        o.block(head, |o| {
            for id in fields {
                let field = ir.agent.macro_fields[id];
                let mark = if is_required(view, one.row, id) { "" } else { "?" };
                let texts = input_schemas::type_texts(ir, field.schema);
                property(o, &mut self.doc, &format!("{}{mark}", view.names.macro_field(id)), &texts);
            }
        });
    }

    fn output(&mut self, o: &mut Writer, one: &Named<'_>) {
        let view = self.view;
        o.blank();
        note(o, format!("Output of `{}.{}`.", view.macros_member(), view.names.macro_method(one.id)));
        if let Expr::Object(members) = view.ir.agent.exprs[one.row.output]
            && !members.is_empty()
        {
            return o.block(format_args!("export interface {}", one.output), |o| {
                for id in members {
                    let mut doc = Doc::new();
                    self.output_member(&mut doc, id);
                    doc.text(";");
                    o.print(&doc);
                }
            });
        }
        let texts = self.texts(one.row.output);
        o.layout(|doc| {
            let left = |doc: &mut Doc| doc.text(format_args!("export type {}", one.output));
            match texts.as_slice() {
                [only] => layout::assign_string(doc, " =", left, |doc| doc.text(only)),
                many => layout::type_alias_union(doc, left, many, |doc, text| doc.text(text)),
            }
            doc.text(";");
        });
    }

    /// `key?: Type`, without its end. A member whose value leads nowhere is left out by the runtime.
    fn output_member(&mut self, doc: &mut Doc, id: ExprMemberId) {
        let view = self.view;
        let (_, value) = view.ir.agent.expr_members[id];
        let mark = if self.is_always(value) { "" } else { "?" };
        doc.text(format_args!("{}{mark}:", view.names.expr_member(id)));
        if let Expr::Object(members) = view.ir.agent.exprs[value] {
            doc.text(" ");
            return layout::object_type(doc, members, |doc, id| self.output_member(doc, id));
        }
        let texts = self.texts(value);
        write_right(doc, &texts);
    }

    /// The members of the union that an expression's value has as its type.
    fn texts(&mut self, id: ExprId) -> Vec<String> {
        let ir = self.view.ir;
        match ir.agent.exprs[id] {
            Expr::Literal(value) => vec![literals::literal_type(ir, value)],
            Expr::Compare(..) => vec!["boolean".to_owned()],
            Expr::Object(_) | Expr::List(_) => vec![self.nested(id)],
            Expr::Reference(reference) => self.reference(reference),
        }
    }

    /// A list, or an object inside one, in one line.
    fn nested(&mut self, id: ExprId) -> String {
        let ir = self.view.ir;
        match ir.agent.exprs[id] {
            Expr::List(items) => {
                let items = ir.agent.expr_items.slice(items).to_vec();
                let one = |item: ExprId, file: &mut Self| {
                    let mut texts = file.texts(item);
                    if !file.is_always(item) && !texts.iter().any(|text| text == "null") {
                        texts.push("null".to_owned());
                    }
                    texts.join(" | ")
                };
                let items: Vec<String> = items.into_iter().map(|item| one(item, self)).collect();
                format!("[{}]", items.join(", "))
            }
            Expr::Object(members) => {
                let mut parts = Vec::new();
                for id in members {
                    let value = ir.agent.expr_members[id].1;
                    let mark = if self.is_always(value) { "" } else { "?" };
                    parts.push(format!("{}{mark}: {}", self.view.names.expr_member(id), self.texts(value).join(" | ")));
                }
                if parts.is_empty() { NO_ARGUMENTS.to_owned() } else { format!("{{ {} }}", parts.join("; ")) }
            }
            _ => self.texts(id).join(" | "),
        }
    }

    fn reference(&mut self, reference: Reference) -> Vec<String> {
        let view = self.view;
        // What is sent may have another form than what comes back.
        let is_sent = reference.root == Root::Input;
        let spelled = reference.ty.filter(|&ty| !(is_sent && view.plan.usage.of(ty).is_split()));
        let Some(ty) = spelled else { return vec!["unknown".to_owned()] };
        let mut texts = self.types.value_texts(&[Success::Json(ty)]);
        let timed_out = reference.path.is_empty() && self.is_poll(reference.root);
        if timed_out && !texts.iter().any(|text| text == "null" || text == "unknown") {
            texts.push("null".to_owned());
        }
        texts
    }

    fn is_poll(&self, root: Root) -> bool {
        matches!(root, Root::Step(step) if matches!(self.view.ir.agent.steps[step].kind, StepKind::Poll { .. }))
    }

    /// Whether an expression has a value in every run that comes to its end.
    fn is_always(&self, id: ExprId) -> bool {
        let ir = self.view.ir;
        let Expr::Reference(reference) = ir.agent.exprs[id] else { return true };
        let Root::Step(step) = reference.root else { return false };
        let names = ir.agent.path_steps.slice(reference.path);
        if names.is_empty() {
            return reference.ty.is_some();
        }
        if self.is_poll(reference.root) {
            return false;
        }
        let call = self.view.plan.call_of[ir.agent.steps[step].operation].map(|id| self.view.plan.calls[id]);
        let Some([Success::Json(body)]) = call.as_ref().map(|call| self.view.successes(call)) else { return false };
        let mut at = *body;
        for name in names {
            let Shape::Record { fields, .. } = ir.types.rows[ir.types.resolved(at)].shape else { return false };
            let field = ir.types.fields.slice(fields).iter().find(|field| field.name == *name && field.required);
            let Some(field) = field.filter(|field| Form::Response.keeps(field)) else { return false };
            at = field.ty;
        }
        true
    }

    fn descriptor(&mut self, o: &mut Writer, one: &Named<'_>) {
        let (view, row) = (self.view, one.row);
        let ir = view.ir;
        let descriptor = o.import_type(RUNTIME, "MacroDescriptor");
        let engine = o.import(RUNTIME, "macroEngine");
        let mut import = |op: OpId| {
            let (module, name) = view.descriptor(op).expect("macros name operations that can be called");
            o.import(&format!("./{module}.js"), name)
        };
        let extends = row.extends.map(&mut import);
        let steps: Vec<(Step, String)> =
            ir.agent.steps.slice(row.steps).iter().map(|step| (*step, import(step.operation))).collect();
        let expressions = Expressions { ir, names: None, first_step: row.steps.iter().next() };
        o.blank();
        self.doc.clear();
        let (input, output) = (&one.input, &one.output);
        layout::assign(
            &mut self.doc,
            |doc| {
                doc.text(format_args!("export const {}: {descriptor}", one.descriptor));
                layout::type_arguments(doc, false, [input, output], |doc, name| doc.text(name));
            },
            |doc| {
                object_broken(doc, |o| {
                    o.string("name", literals::string(ir, row.id));
                    o.string("summary", literals::prose(ir, row.summary));
                    o.plain("safety", format_args!("\"{}\"", row.safety.name()));
                    o.plain("engine", &engine);
                    o.member("input", |doc| {
                        object(doc, |o| {
                            if let Some(extends) = &extends {
                                o.plain("extends", extends);
                            }
                            input_fields(o, view, row);
                        });
                    });
                    o.member("steps", |doc| {
                        let kind = if steps.len() > 1 { Items::Composite } else { Items::Others };
                        array(doc, kind, &steps, |doc, (step, operation)| {
                            object(doc, |o| write_step(o, expressions, step, operation));
                        });
                    });
                    let output = Expressions { names: Some(view.names), ..expressions };
                    o.member("output", |doc| output.write(doc, row.output));
                    sensitive(o, view, row);
                    o.flag("shownOnce", row.shown_once);
                });
            },
        );
        self.doc.text(";");
        o.print(&self.doc);
    }

    fn class(&mut self, o: &mut Writer, all: &[Named<'_>], core: &str) {
        let ty = o.import_type(RUNTIME, "Macro");
        o.blank();
        note(o, "Calls of several steps.".to_owned());
        o.block(format_args!("export class {CLASS}"), |o| {
            line!(o, "readonly #core: {core};");
            o.blank();
            o.block(format_args!("constructor(core: {core})"), |o| o.line("this.#core = core;"));
            for one in all {
                o.blank();
                self.summary(o, one);
                o.layout(|doc| {
                    doc.text(format_args!("get {}(): {ty}", self.view.names.macro_method(one.id)));
                    layout::type_arguments(doc, false, [&one.input, &one.output], |doc, name| doc.text(name));
                    doc.text(" {");
                });
                o.indent(|o| {
                    o.layout(|doc| {
                        doc.text("return this.#core.macro");
                        layout::arguments(doc, [&one.descriptor], |doc, name| doc.text(name));
                        doc.text(";");
                    });
                });
                o.line("}");
            }
        });
    }

    fn function(&mut self, o: &mut Writer, one: &Named<'_>, core: &str) {
        let (options, result) = (o.import_type(RUNTIME, "MacroOptions"), o.import_type(RUNTIME, "Result"));
        let view = self.view;
        let base = self.base(one.row);
        let has_required = one.row.fields.iter().any(|id| is_required(view, one.row, id));
        let is_optional = !has_required && base.is_none_or(|call| may_be_left_out(view, &call));
        let mark = if is_optional { "?" } else { "" };
        o.blank();
        self.summary(o, one);
        let parameters = [("core", "", core), ("input", mark, one.input.as_str()), ("options", "?", &options)];
        o.layout(|doc| {
            doc.text(format_args!("export function {}", one.function));
            layout::signature(
                doc,
                parameters,
                |doc, (name, mark, ty)| doc.text(format_args!("{name}{mark}: {ty}")),
                |doc| doc.text(format_args!(": Promise<{result}<{}>>", one.output)),
            );
            doc.text(" {");
        });
        o.indent(|o| {
            o.layout(|doc| {
                doc.text("return core.runMacro");
                layout::arguments(doc, [one.descriptor.as_str(), "input", "options"], |doc, word| doc.text(word));
                doc.text(";");
            });
        });
        o.line("}");
    }

    fn summary(&self, o: &mut Writer, one: &Named<'_>) {
        o.doc_comment(&DocComment { texts: vec![self.view.ir.text(one.row.summary)], ..DocComment::default() });
    }

    /// The unnamed types that outputs mention.
    fn values(&mut self, o: &mut Writer) {
        for ty in std::mem::take(&mut self.types.values) {
            if let Some(name) = self.view.inline_name(ty) {
                o.blank();
                self.types.declare(o, &mut self.doc, ty, name, Form::Response);
            }
        }
    }
}

/// An added argument without a default is required where a step cannot be called without it.
fn is_required(view: &View<'_>, row: &Macro, id: MacroFieldId) -> bool {
    let ir = view.ir;
    let field = ir.agent.macro_fields[id];
    let is_it = |value: ExprId| match ir.agent.exprs[value] {
        Expr::Reference(Reference { root: Root::Input, path, .. }) => ir.agent.path_steps.slice(path) == [field.name],
        _ => false,
    };
    let needs = |step: &Step| {
        let Expr::Object(members) = ir.agent.exprs[step.args] else { return false };
        let members = ir.agent.expr_members.slice(members).iter();
        members.filter(|(_, value)| is_it(*value)).any(|(name, _)| requires(view, step.operation, *name))
    };
    field.default.is_none() && ir.agent.steps.slice(row.steps).iter().any(needs)
}

fn requires(view: &View<'_>, op: OpId, wire: Sym) -> bool {
    let plan = view.plan;
    let Some(call) = plan.call_of[op] else { return false };
    let args = plan.args.slice(plan.calls[call].args).iter();
    args.filter(|arg| arg.required).any(|arg| wire_name(view, arg) == Some(wire))
}

/// Wire name of an argument; a whole body is called so.
fn wire_name(view: &View<'_>, arg: &Arg) -> Option<Sym> {
    match arg.source {
        ArgSource::Param(id) => Some(view.ir.ops.params[id].name),
        ArgSource::Field(id) => Some(view.ir.types.fields[id].name),
        ArgSource::Body => view.ir.names.find("body"),
    }
}

fn key<'v>(view: &'v View<'_>, call: &Call, arg: &Arg) -> &'v str {
    match arg.source {
        ArgSource::Param(id) => view.names.param(id),
        ArgSource::Field(id) => view.names.field(id),
        ArgSource::Body => view.names.body_arg(call.op),
    }
}

/// `key: Type;`
fn property(o: &mut Writer, doc: &mut Doc, head: &str, texts: &[String]) {
    doc.clear();
    doc.text(format_args!("{head}:"));
    write_right(doc, texts);
    doc.text(";");
    o.print(doc);
}

/// What stands right of a colon, with the space before it.
fn write_right(doc: &mut Doc, texts: &[String]) {
    if let [only] = texts {
        doc.text(" ");
        return doc.text(only);
    }
    doc.group(|doc| {
        doc.indent(|doc| {
            doc.line();
            layout::union(doc, Place::TypeArgument, texts, |doc, text| doc.text(text));
        });
    });
}

fn input_fields(o: &mut Members<'_>, view: &View<'_>, row: &Macro) {
    if row.fields.is_empty() {
        return;
    }
    let ir = view.ir;
    o.member("fields", |doc| {
        let kind = if row.fields.len() > 1 { Items::Composite } else { Items::Others };
        array(doc, kind, row.fields, |doc, id| {
            let field = ir.agent.macro_fields[id];
            object(doc, |o| {
                o.plain("key", format_args!("\"{}\"", view.names.macro_field(id)));
                o.string("name", literals::string(ir, field.name));
                o.member("schema", |doc| input_schemas::write(doc, ir, field.schema));
                o.flag("required", is_required(view, row, id));
                if let Some(default) = field.default {
                    o.plain("default", literals::value(ir, default));
                }
            });
        });
    });
}

fn write_step(o: &mut Members<'_>, expressions: Expressions<'_>, step: &Step, operation: &str) {
    let ir = expressions.ir;
    o.plain("kind", format_args!("\"{}\"", step.kind.name()));
    o.plain("operation", operation);
    o.member("args", |doc| expressions.write(doc, step.args));
    match step.kind {
        StepKind::Call => {}
        StepKind::Poll { until, interval_ms, budget_ms } => {
            o.member("until", |doc| conditions(doc, ir, until));
            if let Some(interval) = interval_ms {
                o.plain("intervalMs", interval);
            }
            if let Some(budget) = budget_ms {
                o.member("budgetMs", |doc| expressions.write(doc, budget));
            }
        }
        StepKind::Paginate { max_pages } => {
            if let Some(pages) = max_pages {
                o.plain("maxPages", pages);
            }
        }
    }
    if let Some(name) = step.name {
        o.string("as", literals::string(ir, name));
    }
}

fn sensitive(o: &mut Members<'_>, view: &View<'_>, row: &Macro) {
    let ir = view.ir;
    if row.sensitive.is_empty() {
        return;
    }
    o.member("sensitiveResponseFields", |doc| {
        array(doc, Items::Others, ir.agent.field_paths.slice(row.sensitive), |doc, field| {
            doc.text(typescript::string(SpecText::new(&ir.dotted(*field))));
        });
    });
}
