//! From what schemas say to what values look like: scalars, lists, records.
//!
//! Reads [`Facts`]; writes the row of one type and what belongs to it. Enums are built in `enums`, unions in `unions`.

use base::{Code, Id, Sym};
use base_doc::{Kind, NodeRef, Value};
use smallvec::SmallVec;
use tungsten_ir::{Additional, Bounds, Doc, Field, JsonValue, Judged, Shape, TypeId, ValueId};

use crate::facts::{Facts, FieldFact, mask};
use crate::keywords as kw;
use crate::lookup::Map;
use crate::lower::Lowering;
use crate::pieces::{Flat, Part, Piece};
use crate::refs::Reference;
use crate::schema::flag;
use crate::version::Dialect;

/// What a type's row will hold.
pub(crate) struct Built {
    pub(crate) shape: Shape,
    pub(crate) bounds: Bounds,
    pub(crate) nullable: bool,
    /// See [`tungsten_ir::Judged`].
    pub(crate) inferred: bool,
    pub(crate) exclusive: bool,
}

impl Built {
    pub(crate) fn plain(shape: Shape, nullable: bool) -> Self {
        Self { shape, bounds: Bounds::default(), nullable, inferred: false, exclusive: false }
    }
}

/// The type names in the order in which a union lists them when the description gives no order.
const SINGLE_TYPES: [u8; 6] = [mask::STRING, mask::NUMBER, mask::INTEGER, mask::BOOL, mask::ARRAY, mask::OBJECT];

impl<'a> Lowering<'a> {
    /// Lowers the schema that stands at `at`.
    pub(crate) fn lower_schema(&mut self, at: NodeRef, ty: TypeId) {
        let value = self.docs.value(at);
        let reference = self.refs.get(at);
        if reference == Reference::Broken {
            return;
        }
        let mut facts = self.types.facts.take().unwrap_or_default();
        facts.clear();
        if reference == Reference::No && value.get(kw::ALL_OF).is_none() {
            let flat = Flat { at, part: Part::Whole, own: true, null_waived: false };
            self.read_schema(&mut facts, flat);
            self.build(&mut facts, &[Piece::whole(at)], &[flat], ty);
        } else if let Some((inner, holders)) = self.wrapped(value) {
            for holder in holders {
                self.read_schema(&mut facts, holder);
            }
            if reference != Reference::No && self.dialect_of(at.doc) == Dialect::V30 {
                self.report_ignored_siblings(value);
            }
            let target = self.reference_target(inner);
            self.describe(&facts, ty);
            facts.exact =
                reference != Reference::No && self.dialect_of(at.doc) == Dialect::V30 || value.get(kw::TYPE).is_none();
            let built = Built::plain(Shape::Alias { target }, facts.null_waived);
            self.set(ty, &facts, &[Piece::whole(at)], built);
        } else {
            self.lower_pieces(&mut facts, &[Piece::whole(at)], ty);
        }
        self.types.facts = Some(facts);
    }

    /// Lowers the type of values that all `pieces` admit.
    pub(crate) fn lower_merge(&mut self, pieces: &[Piece], ty: TypeId) {
        let mut facts = self.types.facts.take().unwrap_or_default();
        facts.clear();
        self.lower_pieces(&mut facts, pieces, ty);
        self.types.facts = Some(facts);
    }

    fn lower_pieces(&mut self, facts: &mut Facts<'a>, pieces: &[Piece], ty: TypeId) {
        let Some(flats) = self.flatten(pieces) else { return };
        for flat in &flats {
            if let Some(base) = self.existing_type(flat.at).filter(|&base| base != ty) {
                self.types.bases.push((ty, base));
            }
            self.read_schema(facts, *flat);
        }
        self.build(facts, pieces, &flats, ty);
    }

    /// The type that a reference object refers to, whatever stands beside the reference.
    fn reference_target(&mut self, value: Value<'a>) -> TypeId {
        let Reference::To(target) = self.refs.get(value.at()) else { return self.schema(value) };
        let ty = self.schema(self.docs.value(target));
        self.mark_named(ty);
        ty
    }

    fn build(&mut self, facts: &mut Facts<'a>, pieces: &[Piece], flats: &[Flat], ty: TypeId) {
        self.describe(facts, ty);
        let built = match facts.conflict {
            Some((first, second, what)) => {
                let message = format!("two schemas that hold together state {what}");
                self.findings.report(Code::TG0302, second, message);
                self.findings.relate(first, "the first of them");
                self.intersection(flats)
            }
            None => self.shape(facts, flats, ty),
        };
        let closes = facts.additional.iter().any(|value| !is_open(*value));
        if (closes && facts.n_with_members > 1) || (facts.prefix.is_some() && facts.n_with_items > 1) {
            facts.exact = false;
        }
        self.set(ty, facts, pieces, built);
    }

    fn shape(&mut self, facts: &mut Facts<'a>, flats: &[Flat], ty: TypeId) -> Built {
        let nullable = facts.null_waived || (facts.typed && facts.mask & mask::NULL != 0);
        if let Some(at) = facts.never {
            self.findings.report(Code::TG0307, at, "the schema is `false`: it admits no value");
            return Built::plain(Shape::Never, nullable);
        }
        if let Some(&value) = facts.consts.first() {
            return self.constant(facts, value, flats, nullable);
        }
        if !facts.enums.is_empty() {
            return self.enumeration(facts, flats, nullable);
        }
        if !facts.unions.is_empty()
            && let Some(built) = self.union(facts, flats, ty)
        {
            return built;
        }
        let mut types = facts.mask & !mask::NULL;
        if !facts.typed {
            types = self.inferred(facts, ty);
            if types == 0 {
                return Built::plain(Shape::Any, false);
            }
        }
        self.typed(facts, types, ty, nullable)
    }

    /// The type that the keywords of a schema without a type are about; 0 for none or several.
    fn inferred(&mut self, facts: &mut Facts<'a>, ty: TypeId) -> u8 {
        let families = match (facts.families, facts.format.and_then(Value::as_str)) {
            (0, Some("int32" | "int64")) => mask::INTEGER,
            (0, Some("float" | "double")) => mask::NUMBER,
            (0, Some(_)) => mask::STRING,
            (families, _) => families,
        };
        if matches!(families, mask::STRING | mask::NUMBER | mask::INTEGER | mask::ARRAY | mask::OBJECT) {
            return families;
        }
        let value = self.docs.value(self.types.nodes[ty.index()]);
        if families != 0 {
            facts.exact = false;
            let message = "the schema states no type, and its keywords are about several; it is typed as any value";
            self.report(Code::TG0305, value, message);
        } else if value.n_children() > 0 {
            self.report(Code::TG0305, value, "the schema states no type; any value is accepted");
        }
        0
    }

    fn typed(&mut self, facts: &mut Facts<'a>, types: u8, ty: TypeId, nullable: bool) -> Built {
        if types == 0 {
            let null = self.ir.values.rows.push(JsonValue::Null);
            return Built::plain(Shape::Const { value: null }, false);
        }
        if let Some(shape) = self.single(facts, types, ty) {
            let bounds = bounds_of(&facts.bounds, types);
            return Built { bounds, inferred: !facts.typed, ..Built::plain(shape, nullable) };
        }
        let mut order: SmallVec<[u8; 6]> = SmallVec::new();
        for bits in facts.types_in_order.iter().copied().chain(SINGLE_TYPES) {
            let bits = bits & types;
            if bits != 0 && order.iter().all(|other| other & bits == 0) {
                order.push(bits);
            }
        }
        let at = self.types.nodes[ty.index()];
        let mut variants: Vec<(TypeId, Option<NodeRef>)> = Vec::new();
        for bits in order {
            let shape = self.single(facts, bits, ty).unwrap_or(Shape::Any);
            let variant = self.push_type(at, shape);
            self.set_bounds(variant, bounds_of(&facts.bounds, bits));
            variants.push((variant, None));
        }
        let shape = self.push_union(ty, variants, None);
        Built::plain(shape, nullable)
    }

    /// The shape of a single JSON type.
    fn single(&mut self, facts: &mut Facts<'a>, types: u8, ty: TypeId) -> Option<Shape> {
        Some(match types {
            mask::BOOL => Shape::Bool,
            mask::INTEGER => self.integer_shape(facts),
            mask::NUMBER | mask::FRACTION => self.number_shape(facts),
            mask::STRING => self.string_shape(facts),
            mask::ARRAY => self.list(facts, ty),
            mask::OBJECT => self.record(facts, ty),
            _ => return None,
        })
    }

    fn list(&mut self, facts: &Facts<'a>, ty: TypeId) -> Shape {
        let value = self.docs.value(self.types.nodes[ty.index()]);
        let closed = facts.prefix.is_some() && facts.items.iter().any(|items| items.as_bool() == Some(false));
        let items = match facts.items.as_slice() {
            [] => None,
            _ if closed => None,
            [one] => Some(self.schema(*one)),
            many => {
                let pieces = many.iter().map(|items| Piece::whole(items.at())).collect();
                Some(self.merged(pieces))
            }
        };
        if let Some(prefix) = facts.prefix {
            let types: Vec<TypeId> = prefix.children().map(|item| self.schema(item)).collect();
            let full = facts.bounds.max_items.is_some_and(|max| max <= types.len() as u64);
            let rest = match items {
                _ if closed || full => None,
                Some(items) => Some(items),
                None => Some(self.implied_type(prefix, Shape::Any)),
            };
            return Shape::Tuple { prefix: self.ir.types.members.extend(types), rest };
        }
        let items = items.unwrap_or_else(|| {
            self.report(Code::TG0305, value, "the list states no `items`; any item is accepted");
            self.implied_type(value, Shape::Any)
        });
        Shape::Array { items }
    }

    fn record(&mut self, facts: &mut Facts<'a>, ty: TypeId) -> Shape {
        let declares_fields = !facts.fields.is_empty();
        for (name, at) in std::mem::take(&mut facts.required) {
            match facts.field(name) {
                Some(place) => facts.fields[place].required = true,
                None => {
                    facts.exact &= facts.additional.iter().all(|value| value.as_bool() != Some(false));
                    facts.add_undeclared(name, at);
                }
            }
        }
        let tag = self.inherited_tag(facts, ty);
        if let Some((property, at, _)) = tag
            && facts.field(property).is_none()
        {
            facts.add_undeclared(property, at);
        }
        let additional = self.additional(facts);
        if !declares_fields && facts.fields.is_empty() {
            let stated = facts.additional.first().copied().or(facts.patterns);
            match (additional, stated) {
                (Additional::Typed(values), _) => return Shape::Map { values },
                (Additional::Open, Some(stated)) => {
                    return Shape::Map { values: self.implied_type(stated, Shape::Any) };
                }
                _ => {}
            }
        }
        let fields = std::mem::take(&mut facts.fields);
        let mut rows: Vec<Field> = Vec::with_capacity(fields.len());
        for field in &fields {
            let field_type = match tag {
                Some((property, at, value)) if property == field.name => self.push_type(at, Shape::Const { value }),
                _ => self.field_type(field, additional, ty),
            };
            rows.push(self.field(field, field_type));
        }
        facts.fields = fields;
        Shape::Record { fields: self.ir.types.fields.extend(rows), additional }
    }

    fn field_type(&mut self, field: &FieldFact, additional: Additional, owner: TypeId) -> TypeId {
        match (field.schemas.as_slice(), additional) {
            ([], Additional::Typed(values)) => values,
            ([], _) => self.push_type(self.types.nodes[owner.index()], Shape::Any),
            ([one], _) => self.schema(self.docs.value(*one)),
            (many, _) => self.merged(many.iter().map(|&at| Piece::whole(at)).collect()),
        }
    }

    fn field(&mut self, field: &FieldFact, ty: TypeId) -> Field {
        let origin = match field.schemas.last() {
            Some(&at) => self.origin(self.docs.value(at)),
            None => self.ir.types.rows[ty].origin,
        };
        Field {
            name: field.name,
            ty,
            required: field.required,
            read_only: false,
            write_only: false,
            deprecated: false,
            sensitive: false,
            default: None,
            doc: Doc::default(),
            origin,
        }
    }

    /// What becomes of members without a property of their own.
    fn additional(&mut self, facts: &Facts<'a>) -> Additional {
        let closed = facts.additional.iter().any(|value| value.as_bool() == Some(false));
        if let Some(patterns) = facts.patterns.filter(|_| closed || facts.additional.is_empty()) {
            // Members that a pattern admits are no fields, and refusing them would be wrong. A single pattern is how
            // descriptions write a map whose keys have a form.
            return match (patterns.n_children(), patterns.children().next()) {
                (1, Some(only)) if only.kind() == Kind::Object => Additional::Typed(self.schema(only)),
                _ => Additional::Open,
            };
        }
        if closed {
            return Additional::Closed;
        }
        let typed: SmallVec<[Value<'a>; 1]> =
            facts.additional.iter().copied().filter(|value| !is_open(*value)).collect();
        match typed.as_slice() {
            [] => Additional::Open,
            [one] => Additional::Typed(self.schema(*one)),
            many => Additional::Typed(self.merged(many.iter().map(|value| Piece::whole(value.at())).collect())),
        }
    }

    /// The members of a type whose schemas cannot be made one.
    pub(crate) fn intersection(&mut self, flats: &[Flat]) -> Built {
        let mut members: Vec<TypeId> = Vec::new();
        for flat in flats {
            let value = self.docs.value(flat.at);
            let says_nothing = value.children().all(|member| {
                let key = member.key();
                key.is_some_and(crate::pieces::is_annotation) || matches!(key, Some(kw::ALL_OF | kw::REF))
            });
            if says_nothing {
                continue;
            }
            let is_alone = value.get(kw::ALL_OF).is_none() && self.refs.get(flat.at) == Reference::No;
            let part = match flat.part {
                Part::Whole | Part::Own if is_alone => Part::Whole,
                Part::Whole => Part::Own,
                part => part,
            };
            let ty = self.merged(SmallVec::from_slice(&[Piece { at: flat.at, part }]));
            if !members.contains(&ty) {
                members.push(ty);
            }
        }
        Built::plain(Shape::Intersection { members: self.ir.types.members.extend(members) }, false)
    }

    /// Writes what people said about a type into its row.
    fn describe(&mut self, facts: &Facts<'a>, ty: TypeId) {
        let default = facts.default.filter(|&default| self.holds(default, "the default"));
        let mut keep =
            |text: Option<&'a str>| text.filter(|text| !text.is_empty()).map(|text| self.ir.texts.push(text));
        let doc = Doc {
            summary: keep(facts.title),
            description: keep(facts.description),
            external: keep(facts.external),
            external_description: keep(facts.external_description),
        };
        if let Some(default) = default {
            self.check_default(facts, default);
        }
        let default = default.map(|value| self.value(value));
        let row = &mut self.ir.types.rows[ty];
        row.doc = doc;
        row.deprecated = facts.deprecated;
        row.default = default;
        let mut flags = self.types.flags[ty.index()];
        for (yes, bit) in [
            (facts.read_only, flag::READ_ONLY),
            (facts.write_only, flag::WRITE_ONLY),
            (facts.sensitive, flag::SENSITIVE),
        ] {
            if yes {
                flags |= bit;
            }
        }
        self.types.flags[ty.index()] = flags;
    }

    /// Writes what was built into the row of a type, and sees to its rules where the shape does not say it all.
    fn set(&mut self, ty: TypeId, facts: &Facts<'a>, pieces: &[Piece], built: Built) {
        // What admits null whatever else it says has its rules below null.
        let ruled_below = built.nullable && facts.null_waived && !facts.exact;
        let holder = match built.shape {
            _ if !built.nullable => ty,
            // What refers to another type needs no row of its own below null.
            Shape::Alias { target } if !ruled_below => target,
            shape => {
                let inner = self.push_type(self.types.nodes[ty.index()], shape);
                self.move_union(ty, inner);
                inner
            }
        };
        if holder == ty || !matches!(built.shape, Shape::Alias { .. }) || ruled_below {
            self.ir.types.rows[holder].shape = built.shape;
            self.set_bounds(holder, built.bounds);
        }
        if built.nullable {
            self.ir.types.rows[ty].shape = Shape::Nullable { inner: holder };
        }
        if built.inferred || built.exclusive {
            let judged = Judged { inferred: built.inferred, exclusive: built.exclusive, ..Judged::default() };
            self.ir.types.judged.set(holder, judged);
        }
        if !facts.exact {
            self.require_rules(if ruled_below { holder } else { ty }, pieces);
        }
    }

    fn set_bounds(&mut self, ty: TypeId, bounds: Bounds) {
        if !bounds.is_empty() {
            self.ir.types.rows[ty].bounds = Some(self.ir.types.bounds.push(bounds));
        }
    }

    /// The constant that a base type's discriminator gives to this type, with its property and its place.
    ///
    /// Only for a named type that nothing extends: where a subtype is sent in its place, the tag is the subtype's.
    fn inherited_tag(&mut self, facts: &Facts<'a>, ty: TypeId) -> Option<(Sym, NodeRef, ValueId)> {
        let at = self.types.nodes[ty.index()];
        let name = self.docs.value(at).key()?;
        if facts.base_discriminators.is_empty()
            || facts.discriminator.is_some()
            || self.types.components.get(&name) != Some(&at)
            || self.types.extended.contains(&at)
        {
            return None;
        }
        for &discriminator in &facts.base_discriminators {
            let Some(property) = discriminator.get(kw::PROPERTY_NAME).and_then(Value::as_str) else { continue };
            // Values with any other tag, or none, are of the default type.
            let default = discriminator.get(kw::DEFAULT_MAPPING).and_then(|entry| self.mapping_target(entry));
            if default == Some(at) {
                continue;
            }
            let mapping = discriminator.get(kw::MAPPING).filter(|mapping| mapping.n_children() > 0);
            let tag = match mapping {
                Some(mapping) => match self.mapping_entry(mapping, at) {
                    Some(entry) => self.docs.value(entry).key()?,
                    None => continue,
                },
                None => name,
            };
            let property = self.name(property);
            return Some((property, discriminator.at(), self.ir.values.rows.push(JsonValue::String(tag))));
        }
        None
    }

    /// The first entry of a mapping that names the schema at `target`. Each mapping is read once: a base type's is asked
    /// by every type that extends it.
    fn mapping_entry(&mut self, mapping: Value<'a>, target: NodeRef) -> Option<NodeRef> {
        if !self.types.mappings.contains_key(&mapping.at()) {
            let mut entries: Map<NodeRef, NodeRef> = Map::default();
            for entry in mapping.children() {
                if let Some(target) = self.mapping_target(entry) {
                    entries.entry(target).or_insert(entry.at());
                }
            }
            self.types.mappings.insert(mapping.at(), entries);
        }
        self.types.mappings.get(&mapping.at()).and_then(|entries| entries.get(&target)).copied()
    }

    /// The schema that a mapping's entry names: by reference, or by the name of a component.
    pub(crate) fn mapping_target(&self, entry: Value<'a>) -> Option<NodeRef> {
        match self.refs.get(entry.at()) {
            Reference::To(target) => self.follow(self.docs.value(target)).map(Value::at),
            Reference::Broken => None,
            Reference::No => {
                let name = self.docs.keys.find(entry.as_str()?)?;
                let component = *self.types.components.get(&name)?;
                self.follow(self.docs.value(component)).map(Value::at)
            }
        }
    }
}

/// Whether a schema of further members admits all.
fn is_open(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Object => value.n_children() == 0,
        _ => value.as_bool() != Some(false),
    }
}

/// The bounds that apply to values of these types.
fn bounds_of(all: &Bounds, types: u8) -> Bounds {
    let mut out = Bounds::default();
    if types & mask::STRING != 0 {
        (out.pattern, out.min_length, out.max_length) = (all.pattern, all.min_length, all.max_length);
    }
    if types & mask::NUMBER != 0 {
        (out.minimum, out.maximum, out.multiple_of) = (all.minimum, all.maximum, all.multiple_of);
        (out.exclusive_minimum, out.exclusive_maximum) = (all.exclusive_minimum, all.exclusive_maximum);
    }
    if types & mask::ARRAY != 0 {
        (out.min_items, out.max_items, out.unique_items) = (all.min_items, all.max_items, all.unique_items);
    }
    if types & mask::OBJECT != 0 {
        (out.min_properties, out.max_properties) = (all.min_properties, all.max_properties);
    }
    out
}
