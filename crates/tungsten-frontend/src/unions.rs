//! `oneOf` and `anyOf`: which variants there are. How a reader tells them apart is settled by a pass, once they are known.
//!
//! Reads [`Facts`]; writes union rows, variants, and a list of unions for `passes::union_strategy`.

use base::{Code, Sym, limits};
use base_doc::{Kind, NodeRef, Value};
use smallvec::SmallVec;
use tungsten_ir::{JsonValue, Shape, Strategy, TypeId, Variant};

use crate::facts::{Facts, mask};
use crate::keywords as kw;
use crate::lower::Lowering;
use crate::pieces::{Flat, Part, Piece, Pieces, is_annotation};
use crate::read::type_mask;
use crate::refs::Reference;
use crate::shapes::Built;
use crate::version::Dialect;

/// A union whose variants are known and whose strategy is not.
#[derive(Debug)]
pub(crate) struct PendingUnion<'a> {
    /// The row whose shape is the union.
    pub(crate) ty: TypeId,
    /// By variant, in document order: the schema that it refers to.
    pub(crate) targets: Vec<Option<NodeRef>>,
    pub(crate) discriminator: Option<Value<'a>>,
    /// The value of an outer union's discriminator that leads to all variants of this one.
    pub(crate) shared_tag: Option<Sym>,
}

impl<'a> Lowering<'a> {
    /// The type of a schema with `oneOf` or `anyOf`. Nothing when these only say which properties are required together:
    /// then the schema is what the rest of it says.
    pub(crate) fn union(&mut self, facts: &mut Facts<'a>, flats: &[Flat], ty: TypeId) -> Option<Built> {
        if !facts.fields.is_empty() || (facts.typed && facts.mask & !mask::NULL == mask::OBJECT) {
            drop_requirements(facts);
        }
        match facts.unions.len() {
            0 => None,
            1 => Some(self.one_union(facts, flats, ty)),
            _ => Some(self.several_unions(facts, flats)),
        }
    }

    fn one_union(&mut self, facts: &mut Facts<'a>, flats: &[Flat], ty: TypeId) -> Built {
        let list = facts.unions[0].list;
        let is_one = list.key() == Some(kw::ONE_OF);
        let (members, same) = self.flat_members(list, facts.discriminator.is_some());
        facts.exact &= same;
        if members.len() > limits::UNION_VARIANTS {
            let message =
                format!("the union has {} variants, and {} are read at most", members.len(), limits::UNION_VARIANTS);
            self.report(Code::TG0105, list, message);
            return Built::plain(Shape::Unknown, false);
        }
        let variants: SmallVec<[Value<'a>; 8]> =
            members.iter().copied().filter(|&member| !self.is_null(member, &members)).collect();
        let lists_null = variants.len() < members.len();
        let admits_null = !facts.typed || facts.mask & mask::NULL != 0;
        let nullable = facts.null_waived || (lists_null && admits_null) || (facts.typed && admits_null);
        let base: Pieces = if needs_base(facts, &variants) { base_pieces(flats) } else { Pieces::new() };
        facts.exact &= (!facts.typed || !base.is_empty()) && (!nullable || lists_null || facts.null_waived);
        let variants = if base.is_empty() { variants } else { self.possible(variants, facts.unions[0].holder, flats) };
        let n_variants = variants.len();
        let mut rows: Vec<(TypeId, Option<NodeRef>)> = Vec::with_capacity(variants.len());
        for variant in variants {
            let named = self.named_target(variant);
            let variant_type = if base.is_empty() {
                self.schema(variant)
            } else {
                let mut pieces = base.clone();
                pieces.push(Piece::whole(variant.at()));
                self.merged(pieces)
            };
            if rows.iter().all(|(other, _)| *other != variant_type) {
                rows.push((variant_type, named));
            }
        }
        if is_one && (lists_null || rows.len() < n_variants) {
            facts.exact = false;
        }
        match rows.as_slice() {
            [] if lists_null => {
                let value = self.ir.values.rows.push(JsonValue::Null);
                Built::plain(Shape::Const { value }, false)
            }
            [] => {
                self.report(Code::TG0307, list, "the list has no members: no value is admitted");
                Built::plain(Shape::Never, false)
            }
            [(only, _)] => {
                if let Some(discriminator) = facts.discriminator
                    && !lists_null
                {
                    self.report(Code::TG0306, discriminator, "the discriminator tells one variant from no other");
                }
                Built::plain(Shape::Alias { target: *only }, nullable)
            }
            _ => {
                let shape = self.push_union(ty, rows, facts.discriminator);
                Built { exclusive: is_one, ..Built::plain(shape, nullable) }
            }
        }
    }

    /// The variants that values of the types stated by other schemas can be of; all where none can, which is a
    /// contradiction. What a schema says of its own union is taken as it is: who writes both means both.
    fn possible(
        &self,
        variants: SmallVec<[Value<'a>; 8]>,
        holder: NodeRef,
        flats: &[Flat],
    ) -> SmallVec<[Value<'a>; 8]> {
        let others = flats.iter().filter(|flat| flat.at != holder && flat.part != Part::Annotations);
        let admitted = others.filter_map(|flat| stated_types(self.docs.value(flat.at))).fold(mask::ALL, |a, b| a & b);
        let is_possible = |variant: &&Value<'a>| {
            let types = self.follow(**variant).and_then(stated_types);
            types.is_none_or(|types| types & admitted & !mask::NULL != 0)
        };
        let possible: SmallVec<[Value<'a>; 8]> = variants.iter().filter(is_possible).copied().collect();
        if possible.is_empty() { variants } else { possible }
    }

    /// The members of a union, with those of an inner union in its place where that changes nothing: nothing refers to
    /// the inner one, it says nothing else, and no discriminator chooses it. Also whether the members admit the same values
    /// as before: which of them may hold together is another matter.
    fn flat_members(&self, list: Value<'a>, has_discriminator: bool) -> (SmallVec<[Value<'a>; 8]>, bool) {
        if has_discriminator {
            return (list.children().collect(), true);
        }
        let mut same = true;
        let mut out = SmallVec::new();
        let mut lists: Vec<_> = vec![list.children()];
        while let Some(members) = lists.last_mut() {
            match members.next() {
                Some(member) => match self.inner_union(member) {
                    Some(inner) => {
                        same &= list.key() == Some(kw::ANY_OF) && inner.key() == Some(kw::ANY_OF);
                        lists.push(inner.children());
                    }
                    None => out.push(member),
                },
                None => {
                    lists.pop();
                }
            }
        }
        (out, same)
    }

    /// The list of a schema that is a union and says nothing else.
    fn inner_union(&self, member: Value<'a>) -> Option<Value<'a>> {
        if self.refs.get(member.at()) != Reference::No || member.kind() != Kind::Object || member.n_children() != 1 {
            return None;
        }
        let list = member.children().next()?;
        let is_union = matches!(list.key(), Some(kw::ONE_OF | kw::ANY_OF)) && list.kind() == Kind::Array;
        (is_union && list.n_children() > 0).then_some(list)
    }

    /// Several unions that hold together are kept side by side, with the rest of the schema.
    fn several_unions(&mut self, facts: &mut Facts<'a>, flats: &[Flat]) -> Built {
        let mut members: Vec<TypeId> = Vec::new();
        if facts.families != 0 {
            members.push(self.merged(base_pieces(flats)));
        }
        facts.exact &= !facts.typed || facts.families != 0;
        for union in &facts.unions {
            members.push(self.merged(SmallVec::from_slice(&[Piece { at: union.holder, part: Part::Union }])));
        }
        Built::plain(Shape::Intersection { members: self.ir.types.members.extend(members) }, facts.null_waived)
    }

    /// Adds the rows of a union and notes it for the pass that settles its strategy. The second part of a variant is the
    /// schema whose name it takes.
    pub(crate) fn push_union(
        &mut self,
        ty: TypeId,
        variants: Vec<(TypeId, Option<NodeRef>)>,
        discriminator: Option<Value<'a>>,
    ) -> Shape {
        let mut targets = Vec::with_capacity(variants.len());
        let mut rows = Vec::with_capacity(variants.len());
        for (variant, named) in variants {
            let name_of = named.map(|at| self.type_at(at));
            self.types.variant_names.push(name_of.filter(|&name_of| name_of != variant));
            targets.push(named);
            rows.push(Variant { name: Sym::at(0), ty: variant, tag: None, key: None });
        }
        let variants = self.ir.types.variants.extend(rows);
        self.types.unions.push(PendingUnion { ty, targets, discriminator, shared_tag: None });
        Shape::Union { variants, discriminator: None, strategy: Strategy::Untagged }
    }

    /// Says that the union's row is another one than was thought.
    pub(crate) fn move_union(&mut self, from: TypeId, to: TypeId) {
        if let Some(last) = self.types.unions.last_mut()
            && last.ty == from
        {
            last.ty = to;
        }
    }

    /// The schema behind a variant that is a reference.
    fn named_target(&self, variant: Value<'a>) -> Option<NodeRef> {
        if self.refs.get(variant.at()) == Reference::No {
            return None;
        }
        self.follow(variant).map(Value::at)
    }

    /// Whether a member of a union only admits null.
    fn is_null(&self, member: Value<'a>, members: &[Value<'a>]) -> bool {
        if self.refs.get(member.at()) != Reference::No {
            return false;
        }
        let only = |list: Value<'a>, is: &dyn Fn(Value<'a>) -> bool| list.n_children() == 1 && list.children().all(is);
        let is_null_name = |name: Value<'a>| name.as_str() == Some("null");
        let mut stated = false;
        for keyword in member.children() {
            stated |= match keyword.key() {
                Some(kw::TYPE) => is_null_name(keyword) || keyword.is_null() || only(keyword, &is_null_name),
                Some(kw::CONST) => keyword.is_null(),
                Some(kw::ENUM) => only(keyword, &|value: Value<'a>| value.is_null()),
                _ => false,
            };
        }
        stated || (members.len() == 2 && self.is_null_marker(member))
    }

    /// OData's way to say null in 3.0: beside one other variant, `{type: object, nullable: true}` and nothing more.
    fn is_null_marker(&self, member: Value<'a>) -> bool {
        self.dialect_of(member.at().doc) == Dialect::V30
            && member.get(kw::NULLABLE).and_then(Value::as_bool) == Some(true)
            && member.children().all(|keyword| match keyword.key() {
                Some(kw::TYPE) => keyword.as_str() == Some("object"),
                Some(kw::NULLABLE) => true,
                Some(key) => is_annotation(key),
                None => false,
            })
    }
}

/// The JSON types that a schema's own `type` names.
fn stated_types(schema: Value<'_>) -> Option<u8> {
    let stated = schema.get(kw::TYPE)?;
    let of = |name: Value<'_>| name.as_str().and_then(type_mask);
    let types = match stated.kind() {
        Kind::Array => stated.children().filter_map(of).fold(0, |a, b| a | b),
        _ => of(stated)?,
    };
    (types != 0).then_some(types)
}

/// Drops unions whose members only require properties: which of them come together is left to the rules.
fn drop_requirements(facts: &mut Facts<'_>) {
    let n_unions = facts.unions.len();
    facts.unions.retain(|union| union.list.n_children() == 0 || !union.list.children().all(only_requires));
    facts.exact &= facts.unions.len() == n_unions;
}

/// Whether the variants are only whole together with what stands around the union.
fn needs_base(facts: &Facts<'_>, variants: &[Value<'_>]) -> bool {
    if facts.families != 0 || facts.format.is_some() {
        return true;
    }
    let types = facts.mask & !mask::NULL;
    let states_type = |variant: &Value<'_>| {
        variant.children().any(|member| {
            let key = member.key();
            let states = [kw::TYPE, kw::REF, kw::ALL_OF, kw::ONE_OF, kw::ANY_OF, kw::ENUM, kw::CONST];
            key.is_some_and(|key| states.contains(&key)) || (types == mask::OBJECT && key == Some(kw::PROPERTIES))
        })
    };
    facts.typed && !variants.iter().all(states_type)
}

/// What stands around a union, as parts of each variant.
fn base_pieces(flats: &[Flat]) -> Pieces {
    let around = |flat: &Flat| match flat.part {
        Part::Union | Part::Annotations => None,
        _ => Some(Piece { at: flat.at, part: Part::Rest }),
    };
    flats.iter().filter_map(around).collect()
}

/// Whether a schema only says which properties are required, or which are not.
fn only_requires(value: Value<'_>) -> bool {
    value.kind() == Kind::Object
        && value.n_children() > 0
        && value.children().all(|member| match member.key() {
            Some(kw::REQUIRED | kw::NOT) => true,
            Some(kw::TYPE) => member.as_str() == Some("object"),
            Some(kw::ANY_OF | kw::ALL_OF | kw::ONE_OF) => {
                member.children().all(|part| part.get(kw::REQUIRED).is_some() || part.get(kw::NOT).is_some())
            }
            Some(key) => is_annotation(key),
            None => false,
        })
        && value.children().any(|member| !member.key().is_some_and(is_annotation) && member.key() != Some(kw::TYPE))
}
