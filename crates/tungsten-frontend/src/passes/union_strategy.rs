//! How a reader finds the variant of a value, for every union of a namespace; names, tags and order of the variants.
//!
//! Reads unions and the types of their variants, which are complete by now; writes `strategy`, discriminators, mappings,
//! names, tags, keys and order of variants. A discriminator that cannot be used is reported (TG0306), and so is a union that leaves
//! nothing but trying (TG0301). Variants that share a tag become a union inside the tagged one.

use base::diag::quoted;
use base::{Code, Id, Span, Sym, limits};
use base_doc::{Kind, NodeRef, Value};
use tungsten_ir::{
    Additional, Discriminator, DiscriminatorId, FieldId, Ir, JsonValue, Mapping, Shape, Strategy, TypeId, Types,
    ValueId, Variant, VariantId,
};

use crate::facts::mask;
use crate::keywords as kw;
use crate::lookup::{Map, Set};
use crate::lower::Lowering;
use crate::passes::union_keys::{Told, Traits};
use crate::unions::PendingUnion;

pub(crate) fn union_strategy(lowering: &mut Lowering<'_>) {
    let mut known = Known { traits: Traits::after(lowering.types.n_compared), ..Known::default() };
    // Variants that share a tag become a union of their own, which is settled in the next round.
    while !lowering.types.unions.is_empty() {
        for union in std::mem::take(&mut lowering.types.unions) {
            settle(lowering, &mut known, &union);
        }
    }
    lowering.types.n_compared = known.traits.n_compared();
}

/// What was found out about types. Many unions may share one large variant, which is looked at once.
#[derive(Default)]
struct Known {
    json_types: Map<TypeId, u8>,
    demands: Map<TypeId, Demand>,
    /// By record: its required fields that are one text.
    constants: Map<TypeId, Vec<(Sym, ValueId)>>,
    /// By record: its fields by name.
    fields: Map<TypeId, Map<Sym, FieldId>>,
    /// What tells variants without tags apart.
    traits: Traits,
    /// By variant of a union with keys: the round in which it is asked for.
    rounds: Map<VariantId, usize>,
}

/// How much a variant demands of a value: required fields, closedness, constant fields.
type Demand = (usize, bool, usize);

/// Properties that are tried as implied tags.
const MAX_CANDIDATES: usize = 16;
/// Types that are looked through below one variant.
const MAX_VISITS: usize = 256;

impl Known {
    fn field(&mut self, types: &Types, record: TypeId, name: Sym) -> Option<FieldId> {
        let Shape::Record { fields, .. } = types.rows[record].shape else { return None };
        let by_name = self
            .fields
            .entry(record)
            .or_insert_with(|| fields.iter().map(|field| (types.fields[field].name, field)).collect());
        by_name.get(&name).copied()
    }

    fn json_types(&mut self, ir: &Ir, ty: TypeId) -> u8 {
        *self.json_types.entry(ty).or_insert_with(|| json_types(ir, ty))
    }

    fn demand(&mut self, ir: &Ir, ty: TypeId) -> Demand {
        let types = &ir.types;
        let (ty, _) = types.without_null(ty);
        let Shape::Record { fields, additional } = types.rows[ty].shape else { return (0, false, 0) };
        *self.demands.entry(ty).or_insert_with(|| {
            let fields = types.fields.slice(fields);
            let n_required = fields.iter().filter(|field| field.required).count();
            let n_constant = fields.iter().filter(|field| single_text(ir, field.ty).is_some()).count();
            (n_required, additional == Additional::Closed, n_constant)
        })
    }

    /// The required fields of a record that are one text. A value that may be null has none.
    fn constants(&mut self, ir: &Ir, ty: TypeId) -> &[(Sym, ValueId)] {
        let (ty, nullable) = ir.types.without_null(ty);
        match ir.types.rows[ty].shape {
            Shape::Record { fields, .. } if !nullable => self.constants.entry(ty).or_insert_with(|| {
                let fields = ir.types.fields.slice(fields).iter().filter(|field| field.required);
                fields.filter_map(|field| Some((field.name, single_text(ir, field.ty)?))).take(MAX_CANDIDATES).collect()
            }),
            _ => &[],
        }
    }
}

/// The tags of a union's variants: (value, place of the variant), in the order of the mapping.
type Tags = Vec<(ValueId, usize)>;

fn settle<'a>(lowering: &mut Lowering<'a>, known: &mut Known, union: &PendingUnion<'a>) {
    let Shape::Union { mut variants, .. } = lowering.ir.types.rows[union.ty].shape else { return };
    let mut ids: Vec<VariantId> = variants.iter().collect();
    let mut stated = union.discriminator.and_then(|value| stated_tags(lowering, known, union, &ids, value));
    let mut group_of: Vec<usize> = (0..ids.len()).collect();
    if let Some((_, tags)) = &mut stated
        && let Some(groups) = groups(lowering, tags, ids.len())
    {
        variants = regroup(lowering, union.ty, &ids, tags, &groups);
        for (place, group) in groups.iter().enumerate() {
            for &member in group {
                group_of[member] = place;
            }
        }
        ids = variants.iter().collect();
    }
    let default_at = union.discriminator.and_then(|value| value.get(kw::DEFAULT_MAPPING)).filter(|_| stated.is_some());
    let tagged = stated.or_else(|| implied_tags(lowering, known, &ids));
    let (strategy, discriminator) = match tagged {
        Some((property, tags)) => {
            let discriminator = write_tags(lowering, &ids, property, &tags);
            let place = default_at.and_then(|at| default_place(lowering, union, at));
            let default = place.and_then(|place| ids.get(*group_of.get(place)?));
            lowering.ir.types.discriminators[discriminator].default =
                default.map(|&id| lowering.ir.types.variants[id].ty);
            (Strategy::Tagged, Some(discriminator))
        }
        None => (untagged_strategy(lowering, known, union.ty, &ids), None),
    };
    name_variants(lowering, &ids);
    if matches!(strategy, Strategy::ByProperty | Strategy::ByValue) {
        order_for_trying(lowering, known, &ids);
    }
    if strategy == Strategy::Untagged {
        let at = lowering.types.nodes[union.ty.index()];
        let message = match union.shared_tag {
            None => format!("nothing tells the {} variants apart; they are tried in order", ids.len()),
            Some(tag) => {
                let tag = quoted(lowering.ir.names.resolve(tag));
                format!("{} variants have the discriminator's value {tag}; they are tried in order", ids.len())
            }
        };
        lowering.findings.report(Code::TG0301, at, message);
        order_for_trying(lowering, known, &ids);
    }
    lowering.ir.types.rows[union.ty].shape = Shape::Union { variants, discriminator, strategy };
}

/// The tags that a `discriminator` gives, or nothing when it cannot be used.
fn stated_tags<'a>(
    lowering: &mut Lowering<'a>,
    known: &mut Known,
    union: &PendingUnion<'a>,
    ids: &[VariantId],
    discriminator: Value<'a>,
) -> Option<(Sym, Tags)> {
    let property = discriminator.get(kw::PROPERTY_NAME);
    let Some(property_text) = property.and_then(Value::as_str) else {
        let at = property.unwrap_or(discriminator);
        lowering.report(Code::TG0306, at, "the discriminator has no `propertyName`; it is ignored");
        return None;
    };
    let property = lowering.name(property_text);
    for id in ids {
        let ty = lowering.ir.types.variants[*id].ty;
        if known.json_types(&lowering.ir, ty) & !mask::NULL != mask::OBJECT {
            let name = quoted(property_text);
            let message = format!("a variant is no object and so has no property {name}; the discriminator is ignored");
            lowering.report(Code::TG0306, discriminator, message);
            lowering.findings.relate(lowering.types.nodes[ty.index()], "the variant");
            return None;
        }
    }
    let mut tags = mapped_tags(lowering, union, discriminator);
    let mut has_tag = vec![false; ids.len()];
    for &(_, place) in &tags {
        has_tag[place] = true;
    }
    for (place, id) in ids.iter().enumerate().filter(|&(place, _)| !has_tag[place]) {
        let ty = lowering.ir.types.variants[*id].ty;
        let own = tags_of(lowering, known, ty, property);
        match (own.is_empty(), union.targets[place]) {
            (false, _) => tags.extend(own.into_iter().map(|value| (value, place))),
            (true, Some(target)) => {
                let Some(name) = name_of(lowering, target) else { continue };
                tags.push((lowering.ir.values.rows.push(JsonValue::String(name)), place));
            }
            (true, None) => {
                let name = quoted(property_text);
                let message = format!("a variant has no value for the property {name}; the discriminator is ignored");
                lowering.report(Code::TG0306, discriminator, message);
                lowering.findings.relate(lowering.types.nodes[ty.index()], "the variant");
                return None;
            }
        }
    }
    let is_one_group = groups(lowering, &tags, ids.len()).is_some_and(|groups| groups.len() == 1);
    if is_one_group {
        let name = quoted(property_text);
        let message = format!("the variants share their values of the property {name}; the discriminator is ignored");
        lowering.report(Code::TG0306, discriminator, message);
        return None;
    }
    Some((property, tags))
}

/// The variants of a union by the tags they share, directly or through a third one, in the order of each group's first
/// variant; nothing when all tags differ.
fn groups(lowering: &Lowering<'_>, tags: &Tags, n_variants: usize) -> Option<Vec<Vec<usize>>> {
    // Each variant points to one of its group before it, the first one to itself.
    let mut above: Vec<usize> = (0..n_variants).collect();
    let first_of = |above: &mut Vec<usize>, mut place: usize| {
        while above[place] != place {
            above[place] = above[above[place]];
            place = above[place];
        }
        place
    };
    let mut owner: Map<(u8, Option<Sym>), usize> = Map::default();
    for &(value, place) in tags {
        let other = *owner.entry(tag_key(lowering, value)).or_insert(place);
        let (a, b) = (first_of(&mut above, place), first_of(&mut above, other));
        above[a.max(b)] = a.min(b);
    }
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); n_variants];
    for place in 0..n_variants {
        let first = first_of(&mut above, place);
        groups[first].push(place);
    }
    groups.retain(|group| !group.is_empty());
    (groups.len() < n_variants).then_some(groups)
}

/// Puts a union of its own in the place of each group of several variants, so that the tags of what is left differ.
fn regroup(
    lowering: &mut Lowering<'_>,
    union: TypeId,
    ids: &[VariantId],
    tags: &mut Tags,
    groups: &[Vec<usize>],
) -> Span<VariantId> {
    let at = lowering.types.nodes[union.index()];
    let mut rows = Vec::with_capacity(groups.len());
    let mut place_of = vec![0; ids.len()];
    for (place, group) in groups.iter().enumerate() {
        for &member in group {
            place_of[member] = place;
        }
        let first = ids[group[0]];
        if group.len() == 1 {
            rows.push((lowering.ir.types.variants[first], lowering.types.variant_names[first.index()]));
            continue;
        }
        let inner = lowering.push_type(at, Shape::Unknown);
        let members: Vec<Variant> = group.iter().map(|&member| lowering.ir.types.variants[ids[member]]).collect();
        for &member in group {
            let name_of = lowering.types.variant_names[ids[member].index()];
            lowering.types.variant_names.push(name_of);
        }
        let variants = lowering.ir.types.variants.extend(members);
        let shape = Shape::Union { variants, discriminator: None, strategy: Strategy::Untagged };
        lowering.ir.types.rows[inner].shape = shape;
        let shared_tag =
            tags.iter().find(|(_, owner)| *owner == group[0]).and_then(|(value, _)| text_of(lowering, *value));
        let targets = vec![None; group.len()];
        lowering.types.unions.push(PendingUnion { ty: inner, targets, discriminator: None, shared_tag });
        rows.push((Variant { ty: inner, ..lowering.ir.types.variants[first] }, None));
    }
    for (_, place) in tags.iter_mut() {
        *place = place_of[*place];
    }
    let mut seen: Set<(u8, Option<Sym>)> = Set::default();
    tags.retain(|(value, _)| seen.insert(tag_key(lowering, *value)));
    lowering.types.variant_names.extend(rows.iter().map(|(_, name_of)| *name_of));
    lowering.ir.types.variants.extend(rows.into_iter().map(|(row, _)| row))
}

/// What tells one tag from another. Lists and objects are no tags, and count as one.
fn tag_key(lowering: &Lowering<'_>, tag: ValueId) -> (u8, Option<Sym>) {
    match lowering.ir.values.rows[tag] {
        JsonValue::Null => (0, None),
        JsonValue::Bool(yes) => (1 + u8::from(yes), None),
        JsonValue::Number(text) => (3, Some(text)),
        JsonValue::String(text) => (4, Some(text)),
        JsonValue::Array(_) | JsonValue::Object(_) => (5, None),
    }
}

fn text_of(lowering: &Lowering<'_>, tag: ValueId) -> Option<Sym> {
    match lowering.ir.values.rows[tag] {
        JsonValue::Number(text) | JsonValue::String(text) => Some(text),
        _ => None,
    }
}

/// The variant of values that the discriminator does not tell (OpenAPI 3.2, section 4.25).
fn default_place<'a>(lowering: &mut Lowering<'a>, union: &PendingUnion<'a>, at: Value<'a>) -> Option<usize> {
    let target = lowering.mapping_target(at);
    let place = target.and_then(|target| union.targets.iter().position(|one| *one == Some(target)));
    if place.is_some() {
        return place;
    }
    let what = if target.is_some() { "no variant of the union" } else { "no schema" };
    lowering.report(Code::TG0306, at, format!("what `defaultMapping` names is {what}; it is ignored"));
    None
}

/// The entries of a mapping that name variants.
fn mapped_tags<'a>(lowering: &mut Lowering<'a>, union: &PendingUnion<'a>, discriminator: Value<'a>) -> Tags {
    let Some(mapping) = discriminator.get(kw::MAPPING) else { return Tags::new() };
    if mapping.kind() != Kind::Object {
        let message = format!("`mapping` is {}, not an object; it is ignored", mapping.kind().phrase());
        lowering.report(Code::TG0306, mapping, message);
        return Tags::new();
    }
    let mut places: Map<NodeRef, usize> = Map::default();
    for (place, target) in union.targets.iter().enumerate() {
        if let Some(target) = target {
            places.entry(*target).or_insert(place);
        }
    }
    let mut tags = Tags::new();
    for entry in mapping.children() {
        let Some(key) = entry.key() else { continue };
        let target = lowering.mapping_target(entry);
        match (target, target.and_then(|target| places.get(&target))) {
            (_, Some(&place)) => tags.push((lowering.ir.values.rows.push(JsonValue::String(key)), place)),
            (Some(_), None) => {
                let key = quoted(lowering.ir.names.resolve(key));
                let message = format!("what the mapping names for {key} is no variant of the union; it is left out");
                lowering.report(Code::TG0306, entry, message);
            }
            (None, None) => {
                let key = quoted(lowering.ir.names.resolve(key));
                let message = format!("what the mapping names for {key} is no schema; it is left out");
                lowering.report(Code::TG0306, entry, message);
            }
        }
    }
    tags
}

/// The name by which a mapping would call a schema when it says nothing: the component's.
fn name_of(lowering: &Lowering<'_>, target: NodeRef) -> Option<Sym> {
    let value = lowering.docs.value(target);
    match value.key() {
        Some(key) => Some(key),
        None => lowering.existing_type(target).and_then(|ty| lowering.ir.types.rows[ty].name).map(|name| name.name),
    }
}

/// A required property that is a constant text in every variant, each time another one.
fn implied_tags(lowering: &Lowering<'_>, known: &mut Known, ids: &[VariantId]) -> Option<(Sym, Tags)> {
    let ir = &lowering.ir;
    let type_of = |id: &VariantId| ir.types.variants[*id].ty;
    let candidates = known.constants(ir, type_of(&ids[0])).to_vec();
    for (property, _) in candidates {
        let mut tags = Tags::new();
        for (place, id) in ids.iter().enumerate() {
            let own = known.constants(ir, type_of(id)).iter().find(|(name, _)| *name == property);
            let Some(&(_, value)) = own else { break };
            tags.push((value, place));
        }
        if tags.len() == ids.len() && are_distinct(lowering, &tags) {
            return Some((property, tags));
        }
    }
    None
}

/// The one text that a type admits.
fn single_text(ir: &Ir, ty: TypeId) -> Option<ValueId> {
    let types = &ir.types;
    let value = match types.rows[types.resolved(ty)].shape {
        Shape::Const { value } => value,
        Shape::Enum { values } if values.len() == 1 => types.enum_values.slice(values)[0].value,
        _ => return None,
    };
    matches!(ir.values.rows[value], JsonValue::String(_)).then_some(value)
}

/// The values that a property of a variant can have, when they are listed; of a union of such variants, all of theirs.
fn tags_of(lowering: &Lowering<'_>, known: &mut Known, ty: TypeId, property: Sym) -> Vec<ValueId> {
    let types = &lowering.ir.types;
    let mut out = Vec::new();
    let mut pending = vec![ty];
    let mut seen: Set<TypeId> = Set::default();
    while let Some(ty) = pending.pop() {
        let (ty, _) = types.without_null(ty);
        if !seen.insert(ty) {
            continue;
        }
        if seen.len() > MAX_VISITS {
            return Vec::new();
        }
        match types.rows[ty].shape {
            Shape::Record { .. } => {
                let Some(field) = known.field(types, ty, property) else { return Vec::new() };
                let (field_type, _) = types.without_null(types.fields[field].ty);
                match types.rows[field_type].shape {
                    Shape::Const { value } => out.push(value),
                    Shape::Enum { values } => out.extend(types.enum_values.slice(values).iter().map(|one| one.value)),
                    _ => return Vec::new(),
                }
            }
            Shape::Union { variants, .. } => {
                pending.extend(types.variants.slice(variants).iter().rev().map(|variant| variant.ty));
            }
            _ => return Vec::new(),
        }
    }
    out
}

fn are_distinct(lowering: &Lowering<'_>, tags: &Tags) -> bool {
    let mut seen: Map<(u8, Option<Sym>), usize> = Map::default();
    tags.iter().all(|&(value, place)| *seen.entry(tag_key(lowering, value)).or_insert(place) == place)
}

fn write_tags(lowering: &mut Lowering<'_>, ids: &[VariantId], property: Sym, tags: &Tags) -> DiscriminatorId {
    let types = &mut lowering.ir.types;
    let mut rows: Vec<Mapping> = Vec::with_capacity(tags.len());
    for &(tag, place) in tags {
        let variant = &mut types.variants[ids[place]];
        if variant.tag.is_none() {
            variant.tag = Some(tag);
        }
        rows.push(Mapping { tag, ty: variant.ty });
    }
    let mapping = types.mappings.extend(rows);
    types.discriminators.push(Discriminator { property, mapping, default: None })
}

/// The strategy of a union without tags. Writes the keys of its variants, and the rounds in which they are tried.
fn untagged_strategy(lowering: &mut Lowering<'_>, known: &mut Known, union: TypeId, ids: &[VariantId]) -> Strategy {
    let ir = &lowering.ir;
    let types = &ir.types;
    let shape = |id: &VariantId| types.rows[types.resolved(types.variants[*id].ty)].shape;
    if ids.iter().all(|id| matches!(shape(id), Shape::Const { .. } | Shape::Enum { .. })) {
        return Strategy::Literal;
    }
    let variants: Vec<TypeId> = ids.iter().map(|id| types.variants[*id].ty).collect();
    let was_within = known.traits.is_within_budget();
    let told = known.traits.told(ir, &variants);
    if was_within && !known.traits.is_within_budget() {
        let message =
            format!("all unions together would compare more than {} properties and values", limits::UNION_PROPERTIES);
        lowering.findings.report(Code::TG0105, lowering.types.nodes[union.index()], message);
    }
    let Some(Told { strategy, keys }) = told else { return Strategy::Untagged };
    let last_round = keys.iter().flatten().map(|key| key.round).max().unwrap_or_default();
    for (&id, key) in ids.iter().zip(keys) {
        lowering.ir.types.variants[id].key = key.map(|key| key.property);
        known.rounds.insert(id, key.map_or(last_round, |key| key.round));
    }
    strategy
}

/// The JSON types of a type's values. What cannot be told, or is a union too deep to look through, counts as all.
fn json_types(ir: &Ir, ty: TypeId) -> u8 {
    let types = &ir.types;
    let mut out = 0;
    let mut n_visits = 0;
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        n_visits += 1;
        if n_visits > MAX_VISITS {
            return mask::ALL;
        }
        out |= match types.rows[ty].shape {
            Shape::Unknown | Shape::Any => mask::ALL,
            Shape::Const { value } => type_of_value(ir, value),
            Shape::Enum { values } => {
                let choices = types.enum_values.slice(values);
                choices.iter().fold(0, |bits, choice| bits | type_of_value(ir, choice.value))
            }
            Shape::Never => 0,
            Shape::Bool => mask::BOOL,
            Shape::Integer { .. } => mask::INTEGER,
            Shape::Number { .. } => mask::NUMBER,
            Shape::String { .. } | Shape::Bytes => mask::STRING,
            Shape::Array { .. } | Shape::Tuple { .. } => mask::ARRAY,
            Shape::Map { .. } | Shape::Record { .. } => mask::OBJECT,
            Shape::Nullable { inner } => {
                pending.push(inner);
                mask::NULL
            }
            Shape::Alias { target } => {
                pending.push(target);
                0
            }
            Shape::Union { variants, .. } => {
                pending.extend(types.variants.slice(variants).iter().map(|variant| variant.ty));
                0
            }
            Shape::Intersection { members } => {
                // Any one member bounds the whole.
                pending.extend(types.members.slice(members).first());
                0
            }
        };
    }
    out
}

fn type_of_value(ir: &Ir, value: ValueId) -> u8 {
    match ir.values.rows[value] {
        JsonValue::Null => mask::NULL,
        JsonValue::Bool(_) => mask::BOOL,
        JsonValue::Number(_) => mask::NUMBER,
        JsonValue::String(_) => mask::STRING,
        JsonValue::Array(_) => mask::ARRAY,
        JsonValue::Object(_) => mask::OBJECT,
    }
}

/// Names each variant: after the type it refers to, its tag, the kind of an inline scalar, or its number.
fn name_variants(lowering: &mut Lowering<'_>, ids: &[VariantId]) {
    for (place, &id) in ids.iter().enumerate() {
        let variant = lowering.ir.types.variants[id];
        let named = lowering.types.variant_names[id.index()].unwrap_or(variant.ty);
        let of_type = lowering.ir.types.rows[named].name.map(|name| name.name);
        let of_tag = variant.tag.and_then(|tag| match lowering.ir.values.rows[tag] {
            JsonValue::String(text) => Some(text),
            _ => None,
        });
        let name = of_type.or(of_tag).unwrap_or_else(|| {
            let kind = kind_name(&lowering.ir, variant.ty);
            let text = kind.map_or_else(|| format!("variant{}", place + 1), str::to_owned);
            lowering.name(&text)
        });
        lowering.ir.types.variants[id].name = name;
    }
}

fn kind_name(ir: &Ir, ty: TypeId) -> Option<&'static str> {
    Some(match ir.types.rows[ir.types.without_null(ty).0].shape {
        Shape::Bool => "boolean",
        Shape::Integer { .. } => "integer",
        Shape::Number { .. } => "number",
        Shape::String { .. } => "string",
        Shape::Bytes => "bytes",
        Shape::Array { .. } | Shape::Tuple { .. } => "array",
        Shape::Map { .. } => "map",
        _ => return None,
    })
}

/// Puts the variants that demand most first: more required fields, then closed, then more constant fields, then in
/// document order. Keys hold in the order of their rounds, and what has none of them is of the variant without.
fn order_for_trying(lowering: &mut Lowering<'_>, known: &mut Known, ids: &[VariantId]) {
    let ir = &lowering.ir;
    let mut order: Vec<(usize, std::cmp::Reverse<Demand>, usize)> = Vec::with_capacity(ids.len());
    for (place, id) in ids.iter().enumerate() {
        let round = known.rounds.get(id).copied().unwrap_or_default();
        order.push((round, std::cmp::Reverse(known.demand(ir, ir.types.variants[*id].ty)), place));
    }
    order.sort_unstable();
    let rows: Vec<_> = order.iter().map(|&(_, _, place)| ir.types.variants[ids[place]]).collect();
    let names: Vec<_> = order.iter().map(|&(_, _, place)| lowering.types.variant_names[ids[place].index()]).collect();
    for ((id, row), name) in ids.iter().zip(rows).zip(names) {
        lowering.ir.types.variants[*id] = row;
        lowering.types.variant_names[id.index()] = name;
    }
}
