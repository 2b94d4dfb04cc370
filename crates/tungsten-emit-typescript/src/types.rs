//! Spells types: `models/<namespace>.ts`, and the types that other modules mention.
//!
//! Reads the view; writes declarations. Where a name lives and what it is called was decided in the view.

use std::borrow::Cow;

use base::{Id, Span, limits};
use tungsten_emit::escape::{self, comment};
use tungsten_emit::layout::typescript::{self as layout, Place};
use tungsten_emit::{Doc, DocComment, DocTag, Imports, Lang, Success, Writer, line};
use tungsten_ir::{Additional, Doc as Prose, Field, FieldId, IntegerBits, MemberId, NamespaceId, Shape, TypeId};

use crate::literals;
use crate::view::{Declaration, Form, View};

/// Spells types for one file and remembers which modules they come from.
pub(crate) struct Speller<'v, 'a> {
    view: &'v View<'a>,
    /// Path from the file to `models/`; types of `own` need no import.
    models: String,
    own: Option<NamespaceId>,
    /// Namespaces whose types were mentioned, by index.
    used: Vec<bool>,
    /// Whether types for what is not listed were mentioned: of values, of variants.
    unlisted: [bool; 2],
    /// Unnamed types that the file declares because a call's value mentions them, in order of mention.
    pub(crate) values: Vec<TypeId>,
}

/// A member of a union.
enum Part {
    /// Text that never breaks; whether it is a reference decides how Prettier lays out `X | null`.
    Text { text: Cow<'static, str>, is_reference: bool },
    /// A type that must be laid out.
    Laid(TypeId),
}

impl<'v, 'a> Speller<'v, 'a> {
    /// For `models/<own>.ts`.
    pub(crate) fn in_models(view: &'v View<'a>, own: NamespaceId) -> Self {
        Self::new(view, "./".to_owned(), Some(own))
    }

    /// For a file `depth` folders below `src/`.
    pub(crate) fn below_src(view: &'v View<'a>, depth: usize) -> Self {
        let up = if depth == 0 { "./".to_owned() } else { "../".repeat(depth) };
        Self::new(view, format!("{up}models/"), None)
    }

    fn new(view: &'v View<'a>, models: String, own: Option<NamespaceId>) -> Self {
        Self { view, models, own, used: vec![false; view.namespaces.len()], unlisted: [false; 2], values: Vec::new() }
    }

    /// Imports what was mentioned.
    pub(crate) fn import(&self, imports: &mut Imports) {
        self.view.open.import(self.unlisted, imports);
        for (index, _) in self.used.iter().enumerate().filter(|(_, used)| **used) {
            let id = NamespaceId::from_index(index);
            imports.import_all_type(&format!("{}{}.js", self.models, self.view.namespace(id).name), &self.local(id));
        }
    }

    /// The local name of a namespace's models.
    fn local(&self, id: NamespaceId) -> String {
        match self.own {
            Some(_) => self.view.namespace(id).local.clone(),
            None if self.view.has_many_namespaces() => format!("models_{}", self.view.namespace(id).name),
            None => "models".to_owned(),
        }
    }

    fn reference(&mut self, home: NamespaceId, ty: TypeId, form: Form) -> String {
        let name = self.view.declared_name(ty, form);
        if self.own == Some(home) {
            return name.to_owned();
        }
        self.used[home.index()] = true;
        format!("{}.{name}", self.local(home))
    }

    /// The reference to a declared type, or nothing for one that is written in place.
    pub(crate) fn named(&mut self, ty: TypeId, form: Form) -> Option<String> {
        self.view.home(ty).map(|home| self.reference(home, ty, form))
    }

    /// What stands right of a colon or an equals sign, with the space before it. A union that does not fit in the line
    /// goes to the next one, whole or with a line for each member.
    fn write_right(&mut self, doc: &mut Doc, parts: &[Part], form: Form, depth: usize) {
        if parts.len() == 1 || hugs_null(self.view, parts) {
            doc.text(" ");
            return self.write_parts(doc, parts, form, depth);
        }
        doc.group(|doc| {
            doc.indent(|doc| {
                doc.line();
                layout::union(doc, Place::TypeArgument, parts, |doc, part| self.write_member(doc, part, form, depth));
            });
        });
    }

    fn write_parts(&mut self, doc: &mut Doc, parts: &[Part], form: Form, depth: usize) {
        match parts {
            [only] => self.write_part(doc, only, form, depth),
            many if hugs_null(self.view, many) => {
                layout::hugged(doc, "|", many, |doc, part| self.write_part(doc, part, form, depth));
            }
            many => {
                layout::union(doc, Place::TypeArgument, many, |doc, part| self.write_member(doc, part, form, depth));
            }
        }
    }

    /// A type where an operator binds to it: a union is in parentheses.
    fn write_operand(&mut self, doc: &mut Doc, parts: &[Part], form: Form, depth: usize) {
        if let [only] = parts {
            return self.write_part(doc, only, form, depth);
        }
        if hugs_null(self.view, parts) {
            doc.text("(");
            self.write_parts(doc, parts, form, depth);
            return doc.text(")");
        }
        layout::union(doc, Place::Parenthesized, parts, |doc, part| self.write_member(doc, part, form, depth));
    }

    fn write_part(&mut self, doc: &mut Doc, part: &Part, form: Form, depth: usize) {
        match part {
            Part::Text { text, .. } => doc.text(text),
            Part::Laid(ty) => self.write_shape(doc, *ty, form, depth + 1),
        }
    }

    /// A member of a union: an intersection stands in parentheses.
    fn write_member(&mut self, doc: &mut Doc, part: &Part, form: Form, depth: usize) {
        if !self.is_intersection(part) {
            return self.write_part(doc, part, form, depth);
        }
        doc.text("(");
        self.write_part(doc, part, form, depth);
        doc.text(")");
    }

    fn is_intersection(&self, part: &Part) -> bool {
        matches!(part, Part::Laid(ty) if matches!(self.view.ir.types.rows[*ty].shape, Shape::Intersection { .. }))
    }

    /// A composite type, in place.
    fn write_shape(&mut self, doc: &mut Doc, ty: TypeId, form: Form, depth: usize) {
        // Documents do not nest deeper, so this is a guard and not a limit.
        if depth > limits::DEPTH * 2 {
            return doc.text("unknown");
        }
        match self.view.ir.types.rows[ty].shape {
            Shape::Array { items } => self.write_element(doc, items, form, depth),
            Shape::Tuple { prefix, rest } => {
                let items: Vec<(TypeId, bool)> = self
                    .view
                    .ir
                    .types
                    .members
                    .slice(prefix)
                    .iter()
                    .map(|&item| (item, false))
                    .chain(rest.map(|item| (item, true)))
                    .collect();
                let place = if items.len() > 1 { Place::TupleItem } else { Place::TypeArgument };
                layout::tuple(doc, items, |doc, (item, is_rest)| {
                    if is_rest {
                        doc.text("...");
                        return self.write_element(doc, item, form, depth);
                    }
                    let parts = self.parts(item, form, false);
                    if parts.len() == 1 || hugs_null(self.view, &parts) {
                        self.write_parts(doc, &parts, form, depth);
                    } else {
                        layout::union(doc, place, &parts, |doc, part| self.write_member(doc, part, form, depth));
                    }
                });
            }
            Shape::Map { values } => {
                layout::object_type(doc, [values], |doc, values| {
                    write_index_head(doc);
                    let parts = self.parts(values, form, false);
                    self.write_right(doc, &parts, form, depth);
                });
            }
            Shape::Record { .. } => self.write_object(doc, ty, form, depth),
            Shape::Intersection { members } => self.write_intersection(doc, members, form, depth),
            _ => {
                let parts = self.parts(ty, form, false);
                self.write_operand(doc, &parts, form, depth);
            }
        }
    }

    /// `T[]`, or `(A | B)[]`.
    fn write_element(&mut self, doc: &mut Doc, items: TypeId, form: Form, depth: usize) {
        let parts = self.parts(items, form, false);
        match parts.as_slice() {
            [only] => self.write_member(doc, only, form, depth),
            parts => self.write_operand(doc, parts, form, depth),
        }
        doc.text("[]");
    }

    fn write_object(&mut self, doc: &mut Doc, ty: TypeId, form: Form, depth: usize) {
        let members = self.members(ty, form);
        layout::object_type(doc, members, |doc, member| match member {
            Member::Field(id) => {
                let field = &self.view.ir.types.fields[id];
                write_doc_lines(doc, self.view, field);
                let mark = if field.required { "" } else { "?" };
                doc.text(format_args!("{}{mark}:", self.field_key(id)));
                let parts = self.parts(field.ty, form, false);
                self.write_right(doc, &parts, form, depth);
            }
            Member::Index(parts) => {
                write_index_head(doc);
                self.write_right(doc, &parts, form, depth);
            }
        });
    }

    fn write_intersection(&mut self, doc: &mut Doc, members: Span<MemberId>, form: Form, depth: usize) {
        let operands = self.operands(members, form);
        let is_object = |parts: &[Part]| match parts {
            [Part::Laid(ty)] => {
                matches!(self.view.ir.types.rows[*ty].shape, Shape::Record { .. } | Shape::Map { .. })
            }
            _ => false,
        };
        let members: Vec<(bool, Vec<Part>)> = operands.into_iter().map(|parts| (is_object(&parts), parts)).collect();
        layout::intersection(doc, members, |doc, parts| self.write_operand(doc, &parts, form, depth));
    }

    /// What an intersection consists of. `unknown & T` is `T`, so what admits anything is left out, as are unions that
    /// would multiply the others beyond measure.
    fn operands(&mut self, members: Span<MemberId>, form: Form) -> Vec<Vec<Part>> {
        let mut operands: Vec<Vec<Part>> = Vec::with_capacity(members.len());
        for id in members.iter().filter(|&id| !self.view.is_left_out(id)) {
            let parts = self.parts(self.view.ir.types.members[id], form, false);
            let is_repeat =
                |other: &Vec<Part>| matches!((other.as_slice(), parts.as_slice()), ([a], [b]) if a.is_same(b));
            if !is_unknown(&parts) && !operands.iter().any(is_repeat) {
                operands.push(parts);
            }
        }
        operands
    }

    /// The members of the union that a type is, itself where it is none: without repeats, nested unions opened, `null`
    /// last. `root`: the type is being declared, so its own name does not stand for it.
    fn parts(&mut self, ty: TypeId, form: Form, root: bool) -> Vec<Part> {
        let mut parts = Parts::default();
        self.collect(ty, form, root, &mut parts, 0);
        parts.finish()
    }

    fn collect(&mut self, ty: TypeId, form: Form, root: bool, parts: &mut Parts, depth: usize) {
        if depth > limits::DEPTH * 2 {
            return parts.text("unknown");
        }
        if !root && let Some(name) = self.named(ty, form) {
            return parts.push(Part::Text { text: name.into(), is_reference: true });
        }
        match self.view.ir.types.rows[ty].shape {
            Shape::Unknown | Shape::Any => parts.text("unknown"),
            Shape::Never => {}
            Shape::Bool => parts.text("boolean"),
            Shape::Integer { bits } => {
                parts.text("number");
                let row = &self.view.ir.types.rows[ty];
                if bits == IntegerBits::B64 && literals::may_be_large(self.view.ir, row.bounds) {
                    parts.text("bigint");
                }
            }
            Shape::Number { .. } => parts.text("number"),
            Shape::String { .. } => parts.text("string"),
            Shape::Bytes => {
                parts.push(Part::Text { text: "Uint8Array".into(), is_reference: true });
                if form != Form::Response {
                    parts.push(Part::Text { text: "Blob".into(), is_reference: true });
                }
            }
            Shape::Enum { values } => {
                for id in values {
                    let value = self.view.ir.types.enum_values[id].value;
                    parts.literal(literals::literal_type(self.view.ir, value));
                }
                if let Some(local) = self.view.open.value(self.view.ir, ty).filter(|_| form == Form::Response) {
                    self.unlisted[0] = true;
                    parts.push(Part::Text { text: local.to_owned().into(), is_reference: true });
                }
            }
            Shape::Const { value } => parts.literal(literals::literal_type(self.view.ir, value)),
            Shape::Nullable { inner } => {
                self.collect(inner, form, false, parts, depth + 1);
                parts.text("null");
            }
            Shape::Alias { target } => self.collect(target, form, false, parts, depth + 1),
            Shape::Union { variants, .. } => {
                for id in variants {
                    let variant = self.view.ir.types.variants[id].ty;
                    if !self.leads_back(variant, ty) {
                        self.collect(variant, form, false, parts, depth + 1);
                    }
                }
                if let Some((field, local)) = self.view.open.variant(ty).filter(|_| form == Form::Response) {
                    self.unlisted[1] = true;
                    let text = format!("{local}<\"{}\">", self.view.names.field(field));
                    parts.push(Part::Text { text: text.into(), is_reference: true });
                }
            }
            Shape::Array { items } => match self.array_text(items, form) {
                Some(text) => parts.push(Part::Text { text: text.into(), is_reference: false }),
                None => parts.push(Part::Laid(ty)),
            },
            Shape::Intersection { members } => {
                let mut operands = self.operands(members, form);
                match operands.len() {
                    0 => parts.text("unknown"),
                    1 => operands.remove(0).into_iter().for_each(|part| parts.absorb(part)),
                    _ => parts.push(Part::Laid(ty)),
                }
            }
            Shape::Tuple { .. } | Shape::Map { .. } | Shape::Record { .. } => parts.push(Part::Laid(ty)),
        }
    }

    /// `T[]` where `T` is a single piece of text.
    fn array_text(&mut self, items: TypeId, form: Form) -> Option<String> {
        match self.parts(items, form, false).as_slice() {
            [Part::Text { text, .. }] => Some(format!("{text}[]")),
            _ => None,
        }
    }

    /// Whether a variant of `union` is that union again, through names that add nothing. It says nothing then, and
    /// TypeScript refuses an alias that is defined by itself.
    fn leads_back(&self, variant: TypeId, union: TypeId) -> bool {
        self.view.ir.types.without_null(variant).0 == union
    }

    /// The key of a field in an object type.
    pub(crate) fn field_key(&self, id: FieldId) -> &'a str {
        // Names are identifiers, and those need no quotes.
        self.view.names.field(id)
    }

    /// The members of a record that a form has, and the index signature of those that have no name.
    fn members(&mut self, ty: TypeId, form: Form) -> Vec<Member> {
        let Shape::Record { fields, additional } = self.view.ir.types.rows[ty].shape else { return Vec::new() };
        let kept = |id: &FieldId| form.keeps(&self.view.ir.types.fields[*id]);
        let fields: Vec<FieldId> = fields.iter().filter(kept).collect();
        let index = self.index_signature(&fields, additional, form);
        fields.into_iter().map(Member::Field).chain(index.map(Member::Index)).collect()
    }

    /// What may stand under other names: with a type of its own it must admit the fields too.
    fn index_signature(&mut self, fields: &[FieldId], additional: Additional, form: Form) -> Option<Vec<Part>> {
        let mut parts = Parts::default();
        match additional {
            Additional::Typed(ty) => {
                self.collect(ty, form, false, &mut parts, 0);
                for &id in fields {
                    let field = &self.view.ir.types.fields[id];
                    self.collect(field.ty, form, false, &mut parts, 0);
                    if !field.required {
                        parts.optional = true;
                    }
                }
            }
            Additional::Open if fields.is_empty() => parts.text("unknown"),
            Additional::Closed if fields.is_empty() => {}
            Additional::Open | Additional::Closed => return None,
        }
        Some(parts.finish())
    }

    /// The declaration of a type under `name`.
    pub(crate) fn declare(&mut self, o: &mut Writer, doc: &mut Doc, ty: TypeId, name: &str, form: Form) {
        let row = &self.view.ir.types.rows[ty];
        describe(o, self.view, row.doc, row.deprecated, Vec::new());
        if self.view.is_interface(ty) {
            let members = self.members(ty, form);
            o.block(format_args!("export interface {name}"), |o| self.write_members(o, doc, members, form));
        } else {
            let parts = self.parts(ty, form, true);
            self.alias(o, doc, name, &parts, form);
        }
    }

    /// The type of what a webhook brings.
    pub(crate) fn payload(&mut self, o: &mut Writer, doc: &mut Doc, name: &str, ty: TypeId) {
        let parts = self.parts(ty, Form::Response, false);
        self.alias(o, doc, name, &parts, Form::Response);
    }

    fn alias(&mut self, o: &mut Writer, doc: &mut Doc, name: &str, parts: &[Part], form: Form) {
        doc.clear();
        match parts {
            [Part::Text { text, .. }] => layout::assign_string(
                doc,
                " =",
                |doc| doc.text(format_args!("export type {name}")),
                |doc| doc.text(text),
            ),
            [Part::Laid(ty)]
                if matches!(self.view.ir.types.rows[*ty].shape, Shape::Map { .. } | Shape::Record { .. }) =>
            {
                doc.text(format_args!("export type {name} = "));
                self.write_shape(doc, *ty, form, 0);
            }
            [Part::Laid(ty)] => layout::assign(
                doc,
                |doc| doc.text(format_args!("export type {name}")),
                |doc| self.write_shape(doc, *ty, form, 0),
            ),
            many => {
                doc.text(format_args!("export type {name} ="));
                self.write_right(doc, many, form, 0);
            }
        }
        doc.text(";");
        o.print(doc);
    }

    /// The members of an interface, a line or more each.
    fn write_members(&mut self, o: &mut Writer, doc: &mut Doc, members: Vec<Member>, form: Form) {
        for member in members {
            match member {
                Member::Field(id) => {
                    let field = self.view.ir.types.fields[id];
                    self.property(o, doc, self.field_key(id), field.required, &field, form);
                }
                Member::Index(parts) => {
                    doc.clear();
                    write_index_head(doc);
                    self.write_right(doc, &parts, form, 0);
                    doc.text(";");
                    o.print(doc);
                }
            }
        }
    }

    /// A property with its documentation.
    pub(crate) fn property(
        &mut self,
        o: &mut Writer,
        doc: &mut Doc,
        key: &str,
        required: bool,
        field: &Field,
        form: Form,
    ) {
        describe(o, self.view, field.doc, field.deprecated, Vec::new());
        let parts = self.parts(field.ty, form, false);
        let mark = if required { "" } else { "?" };
        self.typed_line(o, doc, &format!("{key}{mark}:"), &parts, form);
    }

    /// A property of a type, without documentation.
    pub(crate) fn bare_property(&mut self, o: &mut Writer, doc: &mut Doc, key: &str, required: bool, ty: TypeId) {
        let parts = self.parts(ty, Form::Request, false);
        let mark = if required { "" } else { "?" };
        self.typed_line(o, doc, &format!("{key}{mark}:"), &parts, Form::Request);
    }

    /// As [`Self::bare_property`], for bytes that are the whole body: those may also come piece by piece.
    pub(crate) fn bytes_property(&mut self, o: &mut Writer, doc: &mut Doc, key: &str, required: bool, ty: TypeId) {
        let mut parts = self.parts(ty, Form::Request, false);
        parts.push(Part::Text { text: "ReadableStream<Uint8Array>".into(), is_reference: true });
        let mark = if required { "" } else { "?" };
        self.typed_line(o, doc, &format!("{key}{mark}:"), &parts, Form::Request);
    }

    fn typed_line(&mut self, o: &mut Writer, doc: &mut Doc, head: &str, parts: &[Part], form: Form) {
        if let [Part::Text { text, .. }] = parts {
            return line!(o, "{head} {text};");
        }
        doc.clear();
        doc.text(head);
        self.write_right(doc, parts, form, 0);
        doc.text(";");
        o.print(doc);
    }

    /// The values that a call may give, each as text without line breaks. Unnamed types with members of their own are
    /// mentioned by name and noted in `values`, so that the file can declare them.
    pub(crate) fn value_texts(&mut self, successes: &[Success]) -> Vec<String> {
        let mut parts = Parts::default();
        for success in successes {
            match success {
                Success::Nothing => parts.text(if successes.len() == 1 { "void" } else { "undefined" }),
                Success::Json(ty) => self.collect_value(*ty, &mut parts, 0),
                Success::Text | Success::Events(_) => parts.text("string"),
                Success::Form => parts.text("{ [key: string]: string | string[] }"),
                Success::Bytes => parts.text("Uint8Array"),
                Success::Lines(ty) => {
                    let text = self.value_text(*ty, true, 0);
                    parts.push(Part::Text { text: format!("{text}[]").into(), is_reference: false });
                }
            }
        }
        if successes.is_empty() {
            parts.text("void");
        }
        parts.finish().into_iter().map(Part::into_text).collect()
    }

    fn collect_value(&mut self, ty: TypeId, parts: &mut Parts, depth: usize) {
        if depth > limits::DEPTH {
            return parts.text("unknown");
        }
        let is_home = self.view.home(ty).is_some();
        match self.view.ir.types.rows[ty].shape {
            Shape::Nullable { inner } if !is_home => {
                self.collect_value(inner, parts, depth + 1);
                parts.text("null");
            }
            Shape::Alias { target } if !is_home => self.collect_value(target, parts, depth + 1),
            _ => {
                let text = self.value_text(ty, false, depth);
                parts.push(Part::Text { text: text.into(), is_reference: true });
            }
        }
    }

    fn value_text(&mut self, ty: TypeId, in_array: bool, depth: usize) -> String {
        if let Some(name) = self.named(ty, Form::Response) {
            return name;
        }
        if depth > limits::DEPTH {
            return "unknown".to_owned();
        }
        match self.view.ir.types.rows[ty].shape {
            Shape::Record { .. } | Shape::Union { .. } | Shape::Intersection { .. } | Shape::Enum { .. } => {
                self.value_name(ty)
            }
            Shape::Array { items } => format!("{}[]", self.value_text(items, true, depth + 1)),
            Shape::Map { values } => format!("{{ [key: string]: {} }}", self.value_text(values, false, depth + 1)),
            Shape::Tuple { prefix, rest } => {
                let prefix = self.view.ir.types.members.slice(prefix);
                let mut items: Vec<String> =
                    prefix.iter().map(|&item| self.value_text(item, false, depth + 1)).collect();
                items.extend(rest.map(|item| format!("...{}[]", self.value_text(item, true, depth + 1))));
                format!("[{}]", items.join(", "))
            }
            Shape::Nullable { .. } | Shape::Alias { .. } => {
                let mut parts = Parts::default();
                self.collect_value(ty, &mut parts, depth + 1);
                let texts: Vec<String> = parts.finish().into_iter().map(Part::into_text).collect();
                if in_array && texts.len() > 1 { format!("({})", texts.join(" | ")) } else { texts.join(" | ") }
            }
            _ => {
                let texts: Vec<String> =
                    self.parts(ty, Form::Response, false).into_iter().map(Part::into_text).collect();
                if in_array && texts.len() > 1 { format!("({})", texts.join(" | ")) } else { texts.join(" | ") }
            }
        }
    }

    /// The name that an unnamed type gets in the file, noted for its declaration.
    fn value_name(&mut self, ty: TypeId) -> String {
        let Some(name) = self.view.inline_name(ty) else { return "unknown".to_owned() };
        if !self.values.contains(&ty) {
            self.values.push(ty);
        }
        name.to_owned()
    }
}

/// A member of an object type.
enum Member {
    Field(FieldId),
    Index(Vec<Part>),
}

impl Part {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text { text: a, .. }, Self::Text { text: b, .. }) => a == b,
            (Self::Laid(a), Self::Laid(b)) => a == b,
            _ => false,
        }
    }

    fn into_text(self) -> String {
        match self {
            Self::Text { text, .. } => text.into_owned(),
            Self::Laid(_) => "unknown".to_owned(),
        }
    }
}

/// Collects the members of a union.
#[derive(Default)]
struct Parts {
    list: Vec<Part>,
    null: bool,
    undefined: bool,
    unknown: bool,
    /// Fields that may be left out stand below an index signature.
    optional: bool,
}

impl Parts {
    /// A word of the language.
    fn text(&mut self, text: &'static str) {
        match text {
            "null" => self.null = true,
            "undefined" => self.undefined = true,
            "unknown" => self.unknown = true,
            _ => self.push(Part::Text { text: text.into(), is_reference: false }),
        }
    }

    fn literal(&mut self, text: String) {
        if text == "null" { self.null = true } else { self.push(Part::Text { text: text.into(), is_reference: false }) }
    }

    /// A part of another list.
    fn absorb(&mut self, part: Part) {
        match part {
            Part::Text { text, .. } if text == "null" => self.null = true,
            Part::Text { text, .. } if text == "unknown" => self.unknown = true,
            part => self.push(part),
        }
    }

    fn push(&mut self, part: Part) {
        // Short lists are searched; long ones are enums, whose values differ.
        const SEARCHED: usize = 64;
        let known = self.list.len() < SEARCHED && self.list.iter().any(|other| other.is_same(&part));
        if !known {
            self.list.push(part);
        }
    }

    /// At least one part; `unknown` alone when anything is allowed.
    fn finish(mut self) -> Vec<Part> {
        let plain = |text: &'static str| Part::Text { text: text.into(), is_reference: false };
        if self.unknown {
            return vec![plain("unknown")];
        }
        if self.undefined || self.optional {
            self.list.push(plain("undefined"));
        }
        if self.null {
            self.list.push(plain("null"));
        }
        if self.list.is_empty() {
            self.list.push(plain("never"));
        }
        self.list
    }
}

fn is_unknown(parts: &[Part]) -> bool {
    matches!(parts, [Part::Text { text, .. }] if text == "unknown")
}

/// Prettier keeps one object or reference and `null` together.
fn hugs_null(view: &View<'_>, parts: &[Part]) -> bool {
    let is_null = |part: &Part| matches!(part, Part::Text { text, .. } if text == "null");
    let hugs = |part: &Part| match part {
        Part::Text { is_reference, .. } => *is_reference,
        Part::Laid(ty) => matches!(view.ir.types.rows[*ty].shape, Shape::Record { .. } | Shape::Map { .. }),
    };
    match parts {
        [one, other] => is_null(other) && hugs(one),
        _ => false,
    }
}

/// `[key: string]:`, which Prettier breaks open when what follows cannot break and does not fit.
fn write_index_head(doc: &mut Doc) {
    doc.group(|doc| {
        doc.text("[");
        doc.indent(|doc| {
            doc.softline();
            doc.text("key: string");
        });
        doc.softline();
        doc.text("]");
    });
    doc.text(":");
}

/// The documentation of an item.
pub(crate) fn describe(o: &mut Writer, view: &View<'_>, prose: Prose, deprecated: bool, notes: Vec<String>) {
    let texts: Vec<_> = [prose.summary, prose.description].into_iter().flatten().map(|id| view.ir.text(id)).collect();
    if texts.is_empty() && notes.is_empty() && !deprecated {
        return;
    }
    let tags =
        if deprecated { vec![DocTag { name: "deprecated", lead: String::new(), text: None }] } else { Vec::new() };
    o.doc_comment(&DocComment { texts, notes, tags });
}

/// Documentation in our own words.
pub(crate) fn note(o: &mut Writer, text: String) {
    o.doc_comment(&DocComment { notes: vec![text], ..DocComment::default() });
}

/// The documentation of a field of an object type that is written in place; it takes lines of its own.
fn write_doc_lines(doc: &mut Doc, view: &View<'_>, field: &Field) {
    const COLUMNS: usize = 76;
    let text = field.doc.description.or(field.doc.summary);
    let mut lines = comment::Lines::default();
    if let Some(id) = text {
        comment::prose(&mut lines, view.ir.text(id), Lang::TYPESCRIPT.form, COLUMNS);
    }
    if field.deprecated {
        lines.push("@deprecated");
    }
    let only = if lines.len() == 1 { lines.iter().next() } else { None };
    match only {
        _ if lines.is_empty() => {}
        Some(only) if escape::width(only) <= COLUMNS => {
            doc.text(format_args!("/** {only} */"));
            doc.hardline();
        }
        _ => {
            doc.text("/**");
            doc.hardline();
            for line in lines.iter() {
                let space = if line.is_empty() { "" } else { " " };
                doc.text(format_args!(" *{space}{line}"));
                doc.hardline();
            }
            doc.text(" */");
            doc.hardline();
        }
    }
}

/// `models/<namespace>.ts`, or nothing when it declares nothing.
pub(crate) fn models(view: &View<'_>, id: NamespaceId, header: &str) -> Option<String> {
    let namespace = view.namespace(id);
    if namespace.declarations.is_empty() {
        return None;
    }
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    let mut doc = Doc::new();
    let mut speller = Speller::in_models(view, id);
    for &Declaration { ty, form } in &namespace.declarations {
        o.blank();
        speller.declare(&mut o, &mut doc, ty, view.declared_name(ty, form), form);
    }
    speller.import(&mut o.imports);
    Some(o.finish(header))
}
