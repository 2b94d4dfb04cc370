//! Rules: what schemas say where shapes do not say the same.
//!
//! Reads schemas once more, when all shapes are known; writes `ir.types.rules`. Operands are types: those that a schema has
//! already, else rows without a shape of their own, which nothing but rules refers to. Each schema is read once for each
//! part of it that counts, so the rows stay linear in the documents.

use base::{Id, Span, Sym};
use base_doc::{Kind, NodeRef, Value};
use smallvec::SmallVec;
use tungsten_ir::{ItemId, JsonTypes, JsonValue, Judged, MemberId, Rule, RuleNameId, Shape, TypeId};

use crate::facts::{Facts, mask};
use crate::keywords as kw;
use crate::lookup::Map;
use crate::lower::Lowering;
use crate::pieces::{Flat, Part, Piece, Pieces};
use crate::refs::Reference;
use crate::values;
use crate::version::Dialect;

/// What is still to be given rules, and what has them.
#[derive(Default, Debug)]
pub(crate) struct RuleState {
    queue: Vec<Work>,
    /// Types that only rules refer to.
    types: Map<Piece, TypeId>,
    /// The schemas behind a type, where it is not the one that stands at its node.
    pieces: Map<TypeId, Pieces>,
    /// Types with rules, and whether these also say which parts of a value they have looked at.
    done: Map<TypeId, bool>,
}

#[derive(Debug)]
struct Work {
    ty: TypeId,
    /// Whether a rule around it asks which members and items were looked at: then the types that hold for the same value
    /// must have rules as well.
    looks: bool,
}

impl RuleState {
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

impl<'a> Lowering<'a> {
    /// Gives a type rules, once all shapes are known. `pieces` are the schemas that say together what it is.
    pub(crate) fn require_rules(&mut self, ty: TypeId, pieces: &[Piece]) {
        self.types.rules.pieces.insert(ty, pieces.into());
        self.types.rules.queue.push(Work { ty, looks: false });
    }

    /// Writes the rules of all types that are to have some, and of what these refer to.
    pub(crate) fn drain_rules(&mut self) {
        while let Some(work) = self.types.rules.queue.pop() {
            let known = self.types.rules.done.get(&work.ty).copied();
            if known.is_none_or(|looks| !looks && work.looks) {
                self.lower_rules(work);
            } else if work.looks {
                let judged = self.ir.types.judged[work.ty];
                self.ir.types.judged.set(work.ty, Judged { asked: true, ..judged });
            }
        }
    }

    fn lower_rules(&mut self, Work { ty, looks: asked }: Work) {
        let mut looks = asked;
        let pieces = match self.types.rules.pieces.get(&ty) {
            Some(pieces) => pieces.clone(),
            None => SmallVec::from_elem(Piece::whole(self.types.nodes[ty.index()]), 1),
        };
        let mut rows = Vec::new();
        if let [piece] = pieces.as_slice() {
            let mut facts = self.types.facts.take().unwrap_or_default();
            facts.clear();
            self.piece_rules(&mut facts, *piece, &mut looks, &mut rows);
            self.types.facts = Some(facts);
        } else {
            let members: Vec<TypeId> = pieces.iter().map(|piece| self.operand_piece(*piece)).collect();
            rows.push(Rule::All { members: self.ir.types.members.extend(members) });
        }
        self.types.rules.done.insert(ty, looks);
        if looks {
            for &row in &rows {
                self.look_into(row);
            }
        }
        let judged = self.ir.types.judged[ty];
        let rules = self.ir.types.rules.rows.extend(rows);
        self.ir.types.judged.set(ty, Judged { rules, asked, ..judged });
    }

    /// Sees to it that types that hold for the same value as this rule say what they have looked at.
    fn look_into(&mut self, rule: Rule) {
        let types = &self.ir.types;
        let queue = &mut self.types.rules.queue;
        if matches!(
            rule,
            Rule::All { .. } | Rule::Any { .. } | Rule::One { .. } | Rule::If { .. } | Rule::NeedsTypes { .. }
        ) {
            types.rules.operands(&types.members, rule, |ty| queue.push(Work { ty, looks: true }));
        }
    }

    /// The type of an operand.
    fn operand(&mut self, value: Value<'a>) -> TypeId {
        let mut at = value.at();
        for _ in 0..=base::limits::REF_CHAIN {
            let Reference::To(target) = self.refs.get(at) else { break };
            if !self.is_plain_reference(at) {
                break;
            }
            at = target;
        }
        self.operand_piece(Piece::whole(at))
    }

    fn operand_piece(&mut self, piece: Piece) -> TypeId {
        if piece.is_whole()
            && let Some(ty) = self.existing_type(piece.at)
        {
            return ty;
        }
        if let Some(&ty) = self.types.rules.types.get(&piece) {
            return ty;
        }
        // A broken reference was reported.
        let is_broken = self.refs.get(piece.at) == Reference::Broken;
        let ty = self.push_type(piece.at, if is_broken { Shape::Unknown } else { Shape::Any });
        self.types.rules.types.insert(piece, ty);
        if !is_broken {
            self.require_rules(ty, &[piece]);
        }
        ty
    }

    fn operands(&mut self, list: impl Iterator<Item = Value<'a>>) -> Span<MemberId> {
        let types: Vec<TypeId> = list.map(|value| self.operand(value)).collect();
        self.ir.types.members.extend(types)
    }

    /// The rules of one schema, or of the part of it that counts.
    fn piece_rules(&mut self, facts: &mut Facts<'a>, piece: Piece, looks: &mut bool, rows: &mut Vec<Rule>) {
        let value = self.docs.value(piece.at);
        if value.kind() != Kind::Object {
            if value.as_bool() == Some(false) {
                rows.push(Rule::OneOfValues { values: Span::EMPTY });
            }
            return;
        }
        let reference = self.refs.get(piece.at);
        if let (Reference::To(target), true) = (reference, piece.is_whole()) {
            rows.push(Rule::All { members: self.operands(std::iter::once(self.docs.value(target))) });
            if self.dialect_of(piece.at.doc) == Dialect::V30 {
                return;
            }
        }
        self.read_schema(facts, Flat { at: piece.at, part: piece.part, own: true, null_waived: false });
        let mut extra = std::mem::take(&mut facts.extra);
        // What a union's schema says about the rest, it says about what all of it leaves: not in each variant.
        if piece.part == Part::Rest {
            extra.retain(|one| !is_unevaluated(*one));
        }
        *looks |= extra.iter().any(|one| is_unevaluated(*one));
        if facts.typed {
            rows.push(Rule::Types { admitted: JsonTypes(facts.mask) });
        }
        self.value_rules(facts, rows);
        self.member_rules(facts, *looks, rows);
        self.item_rules(facts, &extra, rows);
        if let (Some(list), true) = (value.get(kw::ALL_OF), piece.is_whole())
            && list.kind() == Kind::Array
        {
            rows.push(Rule::All { members: self.operands(list.children()) });
        }
        for union in std::mem::take(&mut facts.unions) {
            let members = self.operands(union.list.children());
            rows.push(if union.list.key() == Some(kw::ONE_OF) { Rule::One { members } } else { Rule::Any { members } });
        }
        self.extra_rules(&extra, rows);
    }

    fn value_rules(&mut self, facts: &Facts<'a>, rows: &mut Vec<Rule>) {
        if !facts.bounds.is_empty() {
            rows.push(Rule::Bounds { bounds: self.ir.types.bounds.push(facts.bounds) });
        }
        for list in &facts.enums {
            let mut ids: Vec<_> = Vec::new();
            for value in list.list.children().filter(|value| values::is_held(*value)) {
                ids.push(self.value(value));
            }
            // A type that admits null means it, in 3.0, although its list does not.
            if self.dialect_of(list.list.at().doc) == Dialect::V30 && facts.typed && facts.mask & mask::NULL != 0 {
                ids.push(self.ir.values.rows.push(JsonValue::Null));
            }
            rows.push(self.one_of(ids));
        }
        for &only in &facts.consts {
            let id = self.value(only);
            rows.push(self.one_of(vec![id]));
        }
    }

    fn one_of(&mut self, values: Vec<tungsten_ir::ValueId>) -> Rule {
        let values: Span<ItemId> = self.ir.values.items.extend(values);
        Rule::OneOfValues { values }
    }

    fn names(&mut self, names: impl IntoIterator<Item = Sym>) -> Span<RuleNameId> {
        self.ir.types.rules.names.extend(names)
    }

    fn member_rules(&mut self, facts: &mut Facts<'a>, looks: bool, rows: &mut Vec<Rule>) {
        if !facts.required.is_empty() {
            let names: Vec<Sym> = facts.required.iter().map(|&(name, _)| name).collect();
            rows.push(Rule::Required { names: self.names(names) });
        }
        if !facts.fields.is_empty() {
            let fields: Vec<(Sym, SmallVec<[NodeRef; 1]>)> =
                facts.fields.iter().map(|field| (field.name, field.schemas.clone())).collect();
            let mut members = Vec::with_capacity(fields.len());
            for (name, schemas) in fields {
                for at in schemas {
                    members.push((name, self.operand(self.docs.value(at))));
                }
            }
            rows.push(Rule::Properties { members: self.ir.types.rules.members.extend(members) });
        }
        if let Some(patterns) = facts.patterns {
            let mut members = Vec::with_capacity(patterns.n_children());
            for pattern in patterns.children() {
                let text = self.text(pattern.key_text().unwrap_or_default());
                members.push((text, self.operand(pattern)));
            }
            rows.push(Rule::Patterns { members: self.ir.types.rules.patterns.extend(members) });
        }
        // What admits everything only matters to a rule that asks what was looked at.
        for additional in std::mem::take(&mut facts.additional) {
            if looks || additional.as_bool() != Some(true) {
                rows.push(Rule::Additional { ty: self.operand(additional) });
            }
        }
    }

    fn item_rules(&mut self, facts: &mut Facts<'a>, extra: &[Value<'a>], rows: &mut Vec<Rule>) {
        if let Some(prefix) = facts.prefix {
            rows.push(Rule::Prefix { items: self.operands(prefix.children()) });
        }
        for items in std::mem::take(&mut facts.items) {
            rows.push(Rule::Items { ty: self.operand(items) });
        }
        let find = |key: Sym| extra.iter().copied().find(|one| one.key() == Some(key));
        if let Some(contains) = find(kw::CONTAINS) {
            let ty = self.operand(contains);
            let min = find(kw::MIN_CONTAINS).and_then(|count| self.count(count)).unwrap_or(1);
            let max = find(kw::MAX_CONTAINS).and_then(|count| self.count(count));
            rows.push(Rule::Contains { ty, min, max });
        }
    }

    fn extra_rules(&mut self, extra: &[Value<'a>], rows: &mut Vec<Rule>) {
        let find = |key: Sym| extra.iter().copied().find(|one| one.key() == Some(key));
        for &one in extra.iter().filter(|one| !is_unevaluated(**one)) {
            match one.key() {
                Some(kw::PROPERTY_NAMES) => rows.push(Rule::Names { ty: self.operand(one) }),
                Some(kw::NOT) => rows.push(Rule::Not { ty: self.operand(one) }),
                Some(kw::ANY_OF) => rows.push(Rule::Any { members: self.operands(one.children()) }),
                Some(kw::IF) => {
                    let condition = self.operand(one);
                    let then = find(kw::THEN).map(|then| self.operand(then));
                    let otherwise = find(kw::ELSE).map(|otherwise| self.operand(otherwise));
                    rows.push(Rule::If { condition, then, otherwise });
                }
                Some(kw::DEPENDENT_REQUIRED | kw::DEPENDENT_SCHEMAS | kw::DEPENDENCIES) => {
                    self.dependencies(one, rows);
                }
                // Read with `contains` and `if`, without which they say nothing.
                _ => {}
            }
        }
        for &one in extra.iter().filter(|one| is_unevaluated(**one)) {
            let ty = self.operand(one);
            rows.push(match one.key() {
                Some(kw::UNEVALUATED_ITEMS) => Rule::UnevaluatedItems { ty },
                _ => Rule::UnevaluatedProperties { ty },
            });
        }
    }

    fn dependencies(&mut self, list: Value<'a>, rows: &mut Vec<Rule>) {
        let mut types = Vec::new();
        for entry in list.children() {
            let Some(name) = entry.key() else { continue };
            match entry.kind() {
                Kind::Array => {
                    let texts: Vec<&'a str> = entry.children().filter_map(Value::as_str).collect();
                    let names: Vec<Sym> = texts.into_iter().map(|text| self.name(text)).collect();
                    rows.push(Rule::NeedsNames { name, names: self.names(names) });
                }
                Kind::Object | Kind::Bool => types.push((name, self.operand(entry))),
                _ => {}
            }
        }
        if !types.is_empty() {
            rows.push(Rule::NeedsTypes { members: self.ir.types.rules.members.extend(types) });
        }
    }
}

fn is_unevaluated(value: Value<'_>) -> bool {
    matches!(value.key(), Some(kw::UNEVALUATED_PROPERTIES | kw::UNEVALUATED_ITEMS))
}
