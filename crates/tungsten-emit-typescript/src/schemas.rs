//! Writes types in the neutral form that the runtime turns into validators: `schemas/<namespace>.ts`, and the schemas
//! inside descriptors.
//!
//! Reads the view; writes object literals. A declared type is one constant; everywhere else it is a reference behind a
//! function, so constants may stand in any order and bundlers drop those that nobody mentions.

use base::{Id, Span, limits};
use tungsten_emit::layout::typescript::{Items, array};
use tungsten_emit::{Doc, Imports, Lang, Writer};
use tungsten_ir::{
    Additional, Bounds, Discriminator, Field, FieldId, Format, IntegerBits, JsonValue, MemberId, NamespaceId, Shape,
    Strategy, TypeId, ValueId, VariantId,
};

use crate::RUNTIME;
use crate::literals;
use crate::object::{Members, object, object_broken};
use crate::view::View;

/// Writes schemas for one file and remembers which modules they come from.
pub(crate) struct Schemas<'v, 'a> {
    pub(crate) view: &'v View<'a>,
    /// Path from the file to `schemas/`; constants of `own` need no import.
    path: String,
    own: Option<NamespaceId>,
    used: Vec<bool>,
}

impl<'v, 'a> Schemas<'v, 'a> {
    /// For `schemas/<own>.ts`.
    fn in_schemas(view: &'v View<'a>, own: NamespaceId) -> Self {
        Self { view, path: "./".to_owned(), own: Some(own), used: vec![false; view.namespaces.len()] }
    }

    /// For a file `depth` folders below `src/`.
    pub(crate) fn below_src(view: &'v View<'a>, depth: usize) -> Self {
        let up = if depth == 0 { "./".to_owned() } else { "../".repeat(depth) };
        let path = format!("{up}schemas/");
        Self { view, path, own: None, used: vec![false; view.namespaces.len()] }
    }

    /// Imports what was mentioned.
    pub(crate) fn import(&self, imports: &mut Imports) {
        for (index, _) in self.used.iter().enumerate().filter(|(_, used)| **used) {
            let id = NamespaceId::from_index(index);
            imports.import_all(&format!("{}{}.js", self.path, self.view.namespace(id).name), &self.local(id));
        }
    }

    fn local(&self, id: NamespaceId) -> String {
        match self.own {
            Some(_) => self.view.namespace(id).local.clone(),
            None if self.view.has_many_namespaces() => format!("schemas_{}", self.view.namespace(id).name),
            None => "schemas".to_owned(),
        }
    }

    /// The schema of a type: a reference when it is declared, else the schema itself.
    pub(crate) fn write(&mut self, doc: &mut Doc, ty: TypeId, depth: usize) {
        let Some(home) = self.view.schema_home(ty) else { return self.write_shape(doc, ty, false, depth) };
        let name = self.view.schema_name(ty);
        let constant = if self.own == Some(home) {
            name.to_owned()
        } else {
            self.used[home.index()] = true;
            format!("{}.{name}", self.local(home))
        };
        object(doc, |o| {
            o.plain("kind", "\"ref\"");
            o.member("ref", |doc| arrow(doc, &constant));
        });
    }

    fn write_shape(&mut self, doc: &mut Doc, ty: TypeId, broken: bool, depth: usize) {
        // Documents do not nest deeper, so this is a guard and not a limit.
        if depth > limits::DEPTH * 2 {
            return doc.text("{ kind: \"any\" }");
        }
        let row = self.view.ir.types.rows[ty];
        let rules = self.constraints(ty);
        if let Shape::Alias { target } = row.shape
            && rules.is_empty()
            && !self.is_asked(ty)
        {
            return self.write(doc, target, depth + 1);
        }
        let bounds = row.bounds.map_or_else(Bounds::default, |id| self.view.ir.types.bounds[id]);
        let is_ruled =
            tungsten_ir::has_patterns(self.view.ir.types.rules.rows.slice(self.view.ir.types.judged[ty].rules));
        let body = |o: &mut Members<'_>| {
            self.members(o, row.shape, &bounds, depth + 1);
            o.flag("ruled", is_ruled && matches!(row.shape, Shape::Map { .. } | Shape::Record { .. }));
            self.rules(o, &rules, depth + 1);
            if self.is_asked(ty) {
                o.member("looks", |doc| self.all_looks(doc, ty, depth + 1));
            }
        };
        if broken { object_broken(doc, body) } else { object(doc, body) }
    }

    fn members(&mut self, o: &mut Members<'_>, shape: Shape, bounds: &Bounds, depth: usize) {
        match shape {
            Shape::Unknown | Shape::Any => o.plain("kind", "\"any\""),
            // One with rules of its own.
            Shape::Alias { target } => {
                o.plain("kind", "\"all\"");
                o.member("members", |doc| self.list(doc, &[target], depth));
            }
            Shape::Never => o.plain("kind", "\"never\""),
            Shape::Bool => o.plain("kind", "\"boolean\""),
            Shape::Bytes => o.plain("kind", "\"bytes\""),
            Shape::Integer { bits } => {
                o.plain("kind", "\"integer\"");
                match bits {
                    IntegerBits::B32 => o.plain("bits", "32"),
                    IntegerBits::B64 => o.plain("bits", "64"),
                    IntegerBits::Unstated => {}
                }
                self.numeric(o, bounds);
            }
            Shape::Number { .. } => {
                o.plain("kind", "\"number\"");
                self.numeric(o, bounds);
            }
            Shape::String { format } => self.string(o, format, bounds),
            Shape::Enum { values } => {
                o.plain("kind", "\"enum\"");
                let values: Vec<ValueId> = values.iter().map(|id| self.view.ir.types.enum_values[id].value).collect();
                o.member("values", |doc| self.values(doc, &values));
            }
            Shape::Const { value } => {
                o.plain("kind", "\"const\"");
                o.string("value", literals::value(self.view.ir, value));
            }
            Shape::Array { items } => {
                o.plain("kind", "\"array\"");
                o.member("items", |doc| self.write(doc, items, depth));
                item_limits(o, bounds);
            }
            Shape::Tuple { prefix, rest } => {
                o.plain("kind", "\"array\"");
                o.member("prefix", |doc| self.list(doc, self.view.ir.types.members.slice(prefix), depth));
                match rest {
                    Some(rest) => o.member("items", |doc| self.write(doc, rest, depth)),
                    None => o.plain("items", "\"closed\""),
                }
                item_limits(o, bounds);
            }
            Shape::Map { values } => {
                o.plain("kind", "\"map\"");
                o.member("values", |doc| self.write(doc, values, depth));
                size_limits(o, bounds);
            }
            Shape::Record { fields, additional } => {
                o.plain("kind", "\"object\"");
                o.member("fields", |doc| self.fields(doc, fields, depth));
                match additional {
                    Additional::Open => {}
                    Additional::Closed => o.plain("additional", "\"closed\""),
                    Additional::Typed(ty) => o.member("additional", |doc| self.write(doc, ty, depth)),
                }
                size_limits(o, bounds);
            }
            Shape::Union { variants, discriminator, strategy } => {
                // A discriminator that could not be applied decides nothing.
                let applied = discriminator.filter(|_| strategy == Strategy::Tagged);
                let discriminator = applied.map(|id| self.view.ir.types.discriminators[id]);
                self.union(o, variants, discriminator, depth);
            }
            Shape::Intersection { members } => {
                o.plain("kind", "\"all\"");
                o.member("members", |doc| self.intersected(doc, members, depth));
            }
            Shape::Nullable { inner } => {
                o.plain("kind", "\"nullable\"");
                o.member("inner", |doc| self.write(doc, inner, depth));
            }
        }
    }

    fn string(&self, o: &mut Members<'_>, format: Option<Format>, bounds: &Bounds) {
        o.plain("kind", "\"string\"");
        match format {
            // Other formats are not checked, so their names would only take room.
            None | Some(Format::Other(_) | Format::Password) => {}
            Some(format) => o.plain("format", format_name(format)),
        }
        if let Some(pattern) = bounds.pattern {
            o.string("pattern", literals::pattern(self.view.ir, pattern));
        }
        limit(o, "minLength", bounds.min_length);
        limit(o, "maxLength", bounds.max_length);
    }

    pub(crate) fn numeric(&self, o: &mut Members<'_>, bounds: &Bounds) {
        let all = [
            ("minimum", bounds.minimum),
            ("maximum", bounds.maximum),
            ("exclusiveMinimum", bounds.exclusive_minimum),
            ("exclusiveMaximum", bounds.exclusive_maximum),
            ("multipleOf", bounds.multiple_of),
        ];
        for (key, sym) in all {
            if let Some(number) = sym.and_then(|sym| literals::number(self.view.ir, sym)) {
                o.plain(key, number);
            }
        }
    }

    fn fields(&mut self, doc: &mut Doc, fields: Span<FieldId>, depth: usize) {
        let kind = if fields.len() > 1 { Items::Composite } else { Items::Others };
        array(doc, kind, fields, |doc, id| {
            let field = self.view.ir.types.fields[id];
            object(doc, |o| self.field(o, id, &field, depth));
        });
    }

    fn field(&mut self, o: &mut Members<'_>, id: FieldId, field: &Field, depth: usize) {
        let name = self.view.names.field(id);
        o.plain("name", format_args!("\"{name}\""));
        if self.view.ir.names.resolve(field.name) != name {
            o.plain("wire", literals::string(self.view.ir, field.name));
        }
        o.member("schema", |doc| self.write(doc, field.ty, depth));
        o.flag("required", field.required);
        o.flag("readOnly", field.read_only);
        o.flag("writeOnly", field.write_only);
    }

    fn union(
        &mut self,
        o: &mut Members<'_>,
        variants: Span<VariantId>,
        discriminator: Option<Discriminator>,
        depth: usize,
    ) {
        let rows = self.view.ir.types.variants.slice(variants);
        o.plain("kind", "\"union\"");
        let types: Vec<TypeId> = rows.iter().map(|row| row.ty).collect();
        o.member("variants", |doc| self.list(doc, &types, depth));
        if rows.iter().any(|row| row.key.is_some()) {
            o.member("keys", |doc| {
                array(doc, Items::Others, rows, |doc, row| match row.key {
                    Some(key) => doc.text(literals::string(self.view.ir, key)),
                    None => doc.text("null"),
                });
            });
        }
        let Some(discriminator) = discriminator else { return };
        o.string("tag", literals::string(self.view.ir, discriminator.property));
        let mapping = self.view.ir.types.mappings.slice(discriminator.mapping);
        let tags: Vec<Vec<ValueId>> = rows
            .iter()
            .map(|row| {
                let mapped = mapping.iter().filter(|entry| entry.ty == row.ty).map(|entry| entry.tag);
                let mut tags: Vec<ValueId> = mapped.collect();
                if let Some(tag) = row.tag.filter(|_| tags.is_empty()) {
                    tags.push(tag);
                }
                tags
            })
            .collect();
        let composite = tags.len() > 1 && tags.iter().all(|list| list.len() > 1);
        o.member("tags", |doc| {
            let kind = if composite { Items::Composite } else { Items::Others };
            array(doc, kind, &tags, |doc, list| self.values(doc, list));
        });
        if let Some(other) = discriminator.default.and_then(|ty| types.iter().position(|variant| *variant == ty)) {
            o.plain("other", other as u64);
        }
    }

    fn intersected(&mut self, doc: &mut Doc, members: Span<MemberId>, depth: usize) {
        self.list(doc, self.view.ir.types.members.slice(members), depth);
    }

    /// An array of schemas.
    pub(crate) fn list(&mut self, doc: &mut Doc, types: &[TypeId], depth: usize) {
        let composite = types.len() > 1 && types.iter().all(|&ty| self.has_several_members(ty));
        let kind = if composite { Items::Composite } else { Items::Others };
        array(doc, kind, types, |doc, &ty| self.write(doc, ty, depth));
    }

    /// Whether the schema of a type is an object literal of two or more members.
    fn has_several_members(&self, ty: TypeId) -> bool {
        let row = self.view.ir.types.rows[ty];
        if self.view.schema_home(ty).is_some() || !self.constraints(ty).is_empty() || self.is_asked(ty) {
            return true;
        }
        let bounds = row.bounds.map_or_else(Bounds::default, |id| self.view.ir.types.bounds[id]);
        match row.shape {
            Shape::Alias { target } => self.has_several_members(target),
            Shape::Unknown | Shape::Any | Shape::Never | Shape::Bool | Shape::Bytes => false,
            Shape::Integer { bits } => bits != IntegerBits::Unstated || self.has_numeric_bounds(&bounds),
            Shape::Number { .. } => self.has_numeric_bounds(&bounds),
            Shape::String { format } => {
                !matches!(format, None | Some(Format::Other(_) | Format::Password))
                    || bounds.pattern.is_some()
                    || bounds.min_length.is_some()
                    || bounds.max_length.is_some()
            }
            _ => true,
        }
    }

    fn has_numeric_bounds(&self, bounds: &Bounds) -> bool {
        let all =
            [bounds.minimum, bounds.maximum, bounds.exclusive_minimum, bounds.exclusive_maximum, bounds.multiple_of];
        all.into_iter().flatten().any(|sym| literals::number(self.view.ir, sym).is_some())
    }

    /// An array of JSON values.
    pub(crate) fn values(&self, doc: &mut Doc, values: &[ValueId]) {
        let ir = self.view.ir;
        // The formatter fills lines with numbers, not with `bigint`s.
        let is_number = |id: &ValueId| match ir.values.rows[*id] {
            JsonValue::Number(text) => literals::number(ir, text).is_none_or(|text| !text.ends_with('n')),
            _ => false,
        };
        let is_composite = |id: &ValueId| match ir.values.rows[*id] {
            JsonValue::Array(items) => items.len() > 1,
            JsonValue::Object(members) => members.len() > 1,
            _ => false,
        };
        let many = values.len() > 1;
        let kind = if many && values.iter().all(is_number) {
            Items::Numbers
        } else if many && values.iter().all(is_composite) {
            Items::Composite
        } else {
            Items::Others
        };
        array(doc, kind, values, |doc, id| doc.text(literals::value(ir, *id)));
    }
}

fn arrow(doc: &mut Doc, constant: &str) {
    doc.group(|doc| {
        doc.text("() =>");
        doc.indent(|doc| {
            doc.line();
            doc.text(constant);
        });
    });
}

pub(crate) fn limit(o: &mut Members<'_>, key: &str, value: Option<u64>) {
    if let Some(value) = value {
        o.plain(key, value);
    }
}

pub(crate) fn item_limits(o: &mut Members<'_>, bounds: &Bounds) {
    limit(o, "minItems", bounds.min_items);
    limit(o, "maxItems", bounds.max_items);
    o.flag("unique", bounds.unique_items);
}

pub(crate) fn size_limits(o: &mut Members<'_>, bounds: &Bounds) {
    limit(o, "minProperties", bounds.min_properties);
    limit(o, "maxProperties", bounds.max_properties);
}

/// The names that runtimes know formats by.
fn format_name(format: Format) -> &'static str {
    match format {
        Format::Uuid => "\"uuid\"",
        Format::DateTime => "\"date-time\"",
        Format::Date => "\"date\"",
        Format::Time => "\"time\"",
        Format::Duration => "\"duration\"",
        Format::Email => "\"email\"",
        Format::Uri => "\"uri\"",
        Format::Hostname => "\"hostname\"",
        Format::Ipv4 => "\"ipv4\"",
        Format::Ipv6 => "\"ipv6\"",
        Format::Byte => "\"byte\"",
        Format::Password | Format::Other(_) => "\"password\"",
    }
}

/// `schemas/<namespace>.ts`, or nothing when it holds nothing.
pub(crate) fn schemas(view: &View<'_>, id: NamespaceId, header: &str) -> Option<String> {
    let namespace = view.namespace(id);
    if namespace.schemas.is_empty() {
        return None;
    }
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    // The import's own name, and those that it would get instead.
    for name in namespace.schemas.iter().map(|ty| view.schema_name(*ty)).filter(|name| name.starts_with("Schema")) {
        o.imports.reserve(name);
    }
    let schema = o.import_type(RUNTIME, "Schema");
    let mut doc = Doc::new();
    let mut schemas = Schemas::in_schemas(view, id);
    for &ty in &namespace.schemas {
        o.blank();
        doc.clear();
        schemas.constant(&mut doc, ty, &schema);
        o.print(&doc);
    }
    schemas.import(&mut o.imports);
    Some(o.finish(header))
}

impl Schemas<'_, '_> {
    fn constant(&mut self, doc: &mut Doc, ty: TypeId, schema: &str) {
        let name = self.view.schema_name(ty);
        tungsten_emit::layout::typescript::assign(
            doc,
            |doc| doc.text(format_args!("export const {name}: {schema}")),
            |doc| self.write_shape(doc, ty, false, 0),
        );
        doc.text(";");
    }
}
