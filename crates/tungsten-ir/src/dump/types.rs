//! Types in the JSON form: named types, references to types, shapes.

use base::Span;

use super::{Dump, MAX_DEPTH};
use crate::{
    Additional, Bounds, Doc, EnumValueId, Field, Format, IntegerBits, JsonValue, Precision, Shape, Strategy, Type,
    TypeId, ValueId, Xml, XmlNode,
};

impl Dump<'_> {
    /// Named types by id, which is `<namespace>.<name>`.
    pub(super) fn sorted_types(&self) -> Vec<TypeId> {
        let mut types: Vec<(String, TypeId)> =
            self.ir.types.named.iter().filter_map(|&id| Some((self.type_id(id)?, id))).collect();
        types.sort();
        types.into_iter().map(|(_, id)| id).collect()
    }

    pub(super) fn type_id(&self, id: TypeId) -> Option<String> {
        let name = self.ir.types.rows[id].name?;
        let namespace = self.ir.namespaces[name.namespace].name;
        Some(format!("{}.{}", self.ir.names.resolve(namespace), self.ir.names.resolve(name.name)))
    }

    pub(super) fn named_type(&mut self, id: TypeId) {
        let row = &self.ir.types.rows[id];
        let name = row.name.expect("only named types stand in the list of types");
        let type_id = self.type_id(id).unwrap_or_default();
        self.object(|dump| {
            dump.string("id", &type_id);
            dump.ident("name", name.name);
            dump.sym("namespace", dump.ir.namespaces[name.namespace].name);
            dump.json.key("shape");
            dump.shape(id);
            dump.doc(row.doc);
            dump.bool("recursive", dump.ir.recursive[id]);
            dump.origin("origin", row.origin);
            dump.new_bool("deprecated", row.deprecated);
            if let Some(default) = row.default {
                dump.value_at("default", default);
            }
        });
    }

    pub(super) fn ty_at(&mut self, key: &str, ty: TypeId) {
        self.json.key(key);
        self.ty(ty);
    }

    pub(super) fn ty(&mut self, ty: TypeId) {
        let target = self.without_inline_aliases(ty);
        if let Some(type_id) = self.type_id(target) {
            self.object(|dump| {
                dump.string("kind", "named");
                dump.string("value", &type_id);
            });
            return;
        }
        self.object(|dump| {
            dump.string("kind", "inline");
            dump.json.key("value");
            dump.shape(target);
        });
    }

    /// An inline alias has no name to keep, so it reads as its target.
    pub(super) fn without_inline_aliases(&self, ty: TypeId) -> TypeId {
        let mut at = ty;
        for _ in 0..MAX_DEPTH {
            match self.ir.types.rows[at] {
                Type { name: None, shape: Shape::Alias { target }, .. } => at = target,
                _ => break,
            }
        }
        at
    }

    pub(super) fn shape(&mut self, id: TypeId) {
        self.depth += 1;
        let shape = if self.depth > MAX_DEPTH { Shape::Unknown } else { self.ir.types.rows[id].shape };
        self.json.open(b'{');
        self.shape_members(id, shape);
        self.json.close(b'}');
        self.depth -= 1;
    }

    pub(super) fn shape_members(&mut self, id: TypeId, shape: Shape) {
        let types = &self.ir.types;
        let bounds = types.rows[id].bounds.map_or_else(Bounds::default, |bounds| types.bounds[bounds]);
        match shape {
            Shape::Unknown | Shape::Any => self.string("kind", "any"),
            Shape::Never => self.string("kind", "never"),
            Shape::Bool | Shape::Integer { .. } | Shape::Number { .. } | Shape::String { .. } | Shape::Bytes => {
                self.string("kind", "primitive");
                self.object_at("primitive", |dump| dump.primitive(shape));
            }
            Shape::Enum { values } => {
                self.string("kind", "enum");
                self.kind("base", self.enum_base(values));
                self.list_at("values", types.enum_values.slice(values), |dump, row| {
                    dump.object(|dump| {
                        dump.value_at("value", row.value);
                        dump.ident("name", row.name);
                        if let Some(doc) = row.doc {
                            dump.doc(Doc { description: Some(doc), ..Doc::default() });
                        }
                    });
                });
            }
            Shape::Const { value } => {
                self.string("kind", "const");
                self.value_at("value", value);
            }
            Shape::Array { items } => {
                self.string("kind", "array");
                self.ty_at("items", items);
                self.list_bounds(&bounds);
            }
            Shape::Tuple { prefix, rest } => {
                self.string("kind", "tuple");
                self.list_at("items", types.members.slice(prefix), |dump, &ty| dump.ty(ty));
                if let Some(rest) = rest {
                    self.ty_at("rest", rest);
                }
                self.list_bounds(&bounds);
            }
            Shape::Map { values } => {
                self.string("kind", "map");
                self.ty_at("values", values);
            }
            Shape::Record { fields, additional } => {
                self.string("kind", "record");
                self.list_at("fields", types.fields.slice(fields), Self::field);
                self.additional(additional);
            }
            Shape::Union { .. } => self.union(shape),
            Shape::Intersection { members } => {
                self.string("kind", "intersection");
                self.list_at("members", types.members.slice(members), |dump, &ty| dump.ty(ty));
            }
            Shape::Nullable { inner } => {
                self.string("kind", "nullable");
                self.ty_at("inner", inner);
            }
            Shape::Alias { target } => {
                self.string("kind", "intersection");
                self.list_at("members", [target], Self::ty);
            }
        }
        self.maybe_count("min_properties", bounds.min_properties);
        self.maybe_count("max_properties", bounds.max_properties);
        self.constraints(&bounds);
        self.judged(id);
        self.xml(id);
    }

    fn xml(&mut self, id: TypeId) {
        let Some(xml) = self.ir.xml[id] else { return };
        let Xml { name, namespace, prefix, node } = self.ir.types.xml[xml];
        self.object_at("xml", |dump| {
            dump.maybe_sym("name", name);
            dump.maybe_sym("namespace", namespace);
            dump.maybe_sym("prefix", prefix);
            if let Some(node) = node {
                dump.string("node_type", xml_node_name(node));
            }
        });
    }

    pub(super) fn list_bounds(&mut self, bounds: &Bounds) {
        self.maybe_count("min", bounds.min_items);
        self.maybe_count("max", bounds.max_items);
        self.bool("unique", bounds.unique_items);
    }

    pub(super) fn constraints(&mut self, bounds: &Bounds) {
        let numbers = [
            ("minimum", bounds.minimum),
            ("maximum", bounds.maximum),
            ("exclusive_minimum", bounds.exclusive_minimum),
            ("exclusive_maximum", bounds.exclusive_maximum),
            ("multiple_of", bounds.multiple_of),
        ];
        let texts = bounds.pattern.is_some() || bounds.min_length.is_some() || bounds.max_length.is_some();
        if !texts && numbers.iter().all(|(_, number)| number.is_none()) {
            return;
        }
        self.object_at("constraints", |dump| {
            dump.maybe_text("pattern", bounds.pattern);
            dump.maybe_count("min_length", bounds.min_length);
            dump.maybe_count("max_length", bounds.max_length);
            for (key, number) in numbers {
                if let Some(number) = number {
                    dump.json.key(key);
                    dump.json.raw(dump.ir.names.resolve(number));
                }
            }
        });
    }

    pub(super) fn primitive(&mut self, shape: Shape) {
        let kind = match shape {
            Shape::Bool => "bool",
            Shape::Integer { bits: IntegerBits::B32 } => "int32",
            Shape::Integer { bits: IntegerBits::B64 } => "int64",
            Shape::Integer { bits: IntegerBits::Unstated } => "integer",
            Shape::Number { precision: Precision::Single } => "float",
            Shape::Number { precision: Precision::Double } => "double",
            Shape::Number { precision: Precision::Unstated } => "number",
            Shape::Bytes => "bytes",
            _ => "string",
        };
        self.string("kind", kind);
        let Shape::String { format: Some(format) } = shape else { return };
        match format {
            Format::Other(name) => self.object_at("format", |dump| dump.sym("other", name)),
            known => self.string("format", format_name(known)),
        }
    }

    /// The primitive that all values of an enum are; `mixed` when they differ.
    pub(super) fn enum_base(&self, values: Span<EnumValueId>) -> &'static str {
        let kind = |value: ValueId| match self.ir.values.rows[value] {
            JsonValue::String(_) => "string",
            JsonValue::Bool(_) => "bool",
            JsonValue::Number(number) if self.ir.names.resolve(number).contains(['.', 'e', 'E']) => "number",
            JsonValue::Number(_) => "integer",
            JsonValue::Null | JsonValue::Array(_) | JsonValue::Object(_) => "mixed",
        };
        let join = |a, b| match (a, b) {
            _ if a == b => a,
            ("integer" | "number", "integer" | "number") => "number",
            _ => "mixed",
        };
        let kinds = self.ir.types.enum_values.slice(values).iter().map(|row| kind(row.value));
        kinds.reduce(join).unwrap_or("mixed")
    }

    pub(super) fn field(&mut self, field: &Field) {
        let presence = match (field.required, self.ir.types.is_nullable(field.ty)) {
            (true, false) => "required",
            (true, true) => "required_nullable",
            (false, false) => "optional",
            (false, true) => "optional_nullable",
        };
        self.object(|dump| {
            dump.sym("wire_name", field.name);
            dump.ident("name", field.name);
            dump.ty_at("ty", field.ty);
            dump.string("presence", presence);
            dump.bool("read_only", field.read_only);
            dump.bool("write_only", field.write_only);
            dump.bool("deprecated", field.deprecated);
            if let Some(default) = field.default {
                dump.value_at("default", default);
            }
            dump.doc(field.doc);
            dump.bool("sensitive", field.sensitive);
        });
    }

    pub(super) fn additional(&mut self, additional: Additional) {
        self.object_at("additional", |dump| match additional {
            Additional::Closed => dump.string("kind", "closed"),
            Additional::Open => dump.string("kind", "open"),
            Additional::Typed(values) => {
                dump.string("kind", "typed");
                dump.ty_at("values", values);
            }
        });
    }

    pub(super) fn union(&mut self, shape: Shape) {
        let Shape::Union { variants, discriminator, strategy } = shape else { return };
        let types = &self.ir.types;
        self.string("kind", "union");
        self.list_at("variants", types.variants.slice(variants), |dump, variant| {
            dump.object(|dump| {
                dump.ident("name", variant.name);
                dump.ty_at("ty", variant.ty);
                if let Some(tag) = variant.tag {
                    dump.value_at("tag", tag);
                }
                if let Some(key) = variant.key {
                    dump.sym("key", key);
                }
            });
        });
        if let Some(discriminator) = discriminator {
            let row = types.discriminators[discriminator];
            self.object_at("discriminator", |dump| {
                dump.sym("property", row.property);
                let named = types.mappings.slice(row.mapping).iter();
                let named: Vec<_> = named.filter_map(|row| Some((row.tag, dump.type_id(row.ty)?))).collect();
                dump.list_at("mapping", named, |dump, (tag, type_id)| {
                    dump.json.open(b'[');
                    dump.value(tag);
                    dump.json.string(&type_id);
                    dump.json.close(b']');
                });
                if let Some(default) = row.default.and_then(|ty| dump.type_id(ty)) {
                    dump.string("default", &default);
                }
            });
        }
        let name = match strategy {
            Strategy::Tagged => "tagged",
            Strategy::Literal => "literal",
            Strategy::ByType => "by_type",
            Strategy::ByProperty => "by_property",
            Strategy::ByValue => "by_value",
            Strategy::Untagged => "untagged",
        };
        self.string("strategy", name);
    }
}

fn xml_node_name(node: XmlNode) -> &'static str {
    match node {
        XmlNode::Element => "element",
        XmlNode::Attribute => "attribute",
        XmlNode::Text => "text",
        XmlNode::Cdata => "cdata",
        XmlNode::None => "none",
    }
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Uuid => "uuid",
        Format::DateTime => "date_time",
        Format::Date => "date",
        Format::Time => "time",
        Format::Duration => "duration",
        Format::Email => "email",
        Format::Uri => "uri",
        Format::Hostname => "hostname",
        Format::Ipv4 => "ipv4",
        Format::Ipv6 => "ipv6",
        Format::Byte => "byte",
        Format::Password => "password",
        Format::Other(_) => "other",
    }
}
