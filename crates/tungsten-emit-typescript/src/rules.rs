//! Writes rules in the neutral form: what a schema says beside its shape, as the runtime checks it.
//!
//! Reads the rules of types; writes members of object literals. Only what the shape does not say is written; types that
//! lead back to themselves, or far down, have constants (`rule_types`).

use std::collections::BTreeSet;

use tungsten_emit::Doc;
use tungsten_emit::layout::typescript::{Items, array};
use tungsten_ir::{Bounds, BoundsId, MemberId, Rule, RuleId, Shape, TypeId, Types};

use base::{Span, Sym};

use crate::literals;
use crate::object::{Members, object};
use crate::schemas::{Schemas, item_limits, limit, size_limits};

/// A rule, those of the schema in which it stands, and its place among them.
#[derive(Clone, Copy)]
pub(crate) struct Written {
    pub(crate) rule: Rule,
    pub(crate) around: Span<RuleId>,
    pub(crate) place: usize,
}

/// The rules of a type that are written: all where nothing has a shape, else what its shape does not say.
pub(crate) fn written(types: &Types, ty: TypeId) -> Vec<Written> {
    let mut out: Vec<Written> = Vec::new();
    if types.judged[ty].rules.is_empty() {
        return out;
    }
    let is_shaped = is_shaped(types, ty);
    let mut seen: BTreeSet<TypeId> = BTreeSet::from([ty]);
    let mut pending: Vec<TypeId> = vec![ty];
    while let Some(at) = pending.pop() {
        let around = types.judged[at].rules;
        let rows = types.rules.rows.slice(around);
        for (place, &rule) in rows.iter().enumerate() {
            match rule {
                // The shape is that of all of them together.
                Rule::All { members } if is_shaped => {
                    let below = types.members.slice(members).iter().copied();
                    pending.extend(below.filter(|member| seen.insert(*member)));
                }
                Rule::Bounds { bounds } if is_shaped && says_already(types, ty, bounds) => {}
                _ if is_shaped && !rule.adds_to(types.rows[at].shape, rows) => {}
                _ if out.iter().any(|one| one.rule == rule && !is_about_the_rest(rule)) => {}
                _ => out.push(Written { rule, around, place }),
            }
        }
    }
    out
}

impl Schemas<'_, '_> {
    pub(crate) fn constraints(&self, ty: TypeId) -> Vec<Written> {
        written(&self.view.ir.types, ty)
    }

    /// `rules: [...]`, or nothing.
    pub(crate) fn rules(&mut self, o: &mut Members<'_>, rules: &[Written], depth: usize) {
        if rules.is_empty() {
            return;
        }
        // Every rule has a kind and an operand.
        let kind = if rules.len() > 1 { Items::Composite } else { Items::Others };
        o.member("rules", |doc| {
            array(doc, kind, rules, |doc, written| {
                object(doc, |o| self.rule(o, written, depth));
            });
        });
    }

    fn rule(&mut self, o: &mut Members<'_>, written: &Written, depth: usize) {
        let ir = self.view.ir;
        let rules = &ir.types.rules;
        let around = rules.rows.slice(written.around);
        match written.rule {
            Rule::Types { admitted } => {
                o.plain("kind", "\"types\"");
                o.member("types", |doc| {
                    array(doc, Items::Others, admitted.names(), |doc, name| doc.text(format_args!("\"{name}\"")));
                });
            }
            Rule::Bounds { bounds } => self.bounds(o, bounds),
            Rule::OneOfValues { values } => {
                o.plain("kind", "\"values\"");
                o.member("values", |doc| self.values(doc, ir.values.items.slice(values)));
            }
            Rule::Required { names } => {
                o.plain("kind", "\"required\"");
                o.member("names", |doc| self.names(doc, rules.names.slice(names)));
            }
            Rule::NeedsNames { name, names } => {
                o.plain("kind", "\"needsNames\"");
                o.string("name", literals::string(ir, name));
                o.member("names", |doc| self.names(doc, rules.names.slice(names)));
            }
            Rule::Properties { members } | Rule::NeedsTypes { members } => {
                let is_needs = matches!(written.rule, Rule::NeedsTypes { .. });
                o.plain("kind", if is_needs { "\"needsTypes\"" } else { "\"properties\"" });
                let rows = rules.members.slice(members);
                let pairs = rows.iter().map(|&(name, ty)| (literals::string(ir, name), ty)).collect();
                self.pairs(o, "name", pairs, depth);
            }
            Rule::Patterns { members } => {
                o.plain("kind", "\"patterns\"");
                let rows = rules.patterns.slice(members);
                let pairs = rows.iter().map(|&(pattern, ty)| (literals::pattern(ir, pattern), ty)).collect();
                self.pairs(o, "pattern", pairs, depth);
            }
            Rule::Additional { ty } => self.additional(o, ty, around, depth),
            Rule::Contains { ty, min, max } => {
                o.plain("kind", "\"contains\"");
                o.plain("min", min);
                limit(o, "max", max);
                o.member("schema", |doc| self.write(doc, ty, depth));
            }
            Rule::Items { ty } => {
                let n_before = around.iter().filter_map(|rule| match rule {
                    Rule::Prefix { items } => Some(items.len()),
                    _ => None,
                });
                o.plain("kind", "\"items\"");
                o.plain("from", n_before.max().unwrap_or(0) as u64);
                o.member("schema", |doc| self.write(doc, ty, depth));
            }
            Rule::If { condition, then, otherwise } => {
                o.plain("kind", "\"if\"");
                for (key, ty) in [("condition", Some(condition)), ("then", then), ("otherwise", otherwise)] {
                    if let Some(ty) = ty {
                        o.member(key, |doc| self.write(doc, ty, depth));
                    }
                }
            }
            Rule::Names { ty } => self.one(o, "\"names\"", ty, depth),
            Rule::Not { ty } => self.one(o, "\"not\"", ty, depth),
            Rule::Prefix { items } => self.several(o, "\"prefix\"", items, depth),
            Rule::All { members } => self.several(o, "\"all\"", members, depth),
            Rule::Any { members } => self.several(o, "\"any\"", members, depth),
            Rule::One { members } => self.several(o, "\"one\"", members, depth),
            Rule::UnevaluatedProperties { ty } | Rule::UnevaluatedItems { ty } => {
                let is_items = matches!(written.rule, Rule::UnevaluatedItems { .. });
                o.plain("kind", "\"unevaluated\"");
                o.plain("of", if is_items { "\"items\"" } else { "\"members\"" });
                o.member("beside", |doc| self.looks(doc, &around[..written.place], depth));
                o.member("schema", |doc| self.write(doc, ty, depth));
            }
        }
    }

    fn one(&mut self, o: &mut Members<'_>, kind: &'static str, ty: TypeId, depth: usize) {
        o.plain("kind", kind);
        o.member("schema", |doc| self.write(doc, ty, depth));
    }

    fn several(&mut self, o: &mut Members<'_>, kind: &'static str, members: Span<MemberId>, depth: usize) {
        o.plain("kind", kind);
        let types: Vec<TypeId> = self.view.ir.types.members.slice(members).to_vec();
        o.member("schemas", |doc| self.list(doc, &types, depth));
    }

    pub(crate) fn names(&self, doc: &mut Doc, names: &[Sym]) {
        array(doc, Items::Others, names, |doc, &name| doc.text(literals::string(self.view.ir, name)));
    }

    /// A list of names or patterns, each with a schema.
    fn pairs(&mut self, o: &mut Members<'_>, key: &str, pairs: Vec<(String, TypeId)>, depth: usize) {
        let kind = if pairs.len() > 1 { Items::Composite } else { Items::Others };
        o.member("members", |doc| {
            array(doc, kind, pairs, |doc, (text, ty)| {
                object(doc, |o| {
                    o.string(key, text);
                    o.member("schema", |doc| self.write(doc, ty, depth));
                });
            });
        });
    }

    /// What the rules around it name is repeated: the runtime looks at one rule at a time.
    fn additional(&mut self, o: &mut Members<'_>, ty: TypeId, around: &[Rule], depth: usize) {
        let ir = self.view.ir;
        let rules = &ir.types.rules;
        let (mut names, mut patterns) = (Vec::new(), Vec::new());
        for rule in around {
            match *rule {
                Rule::Properties { members } => names.extend(rules.members.slice(members).iter().map(|row| row.0)),
                Rule::Patterns { members } => patterns.extend(rules.patterns.slice(members).iter().map(|row| row.0)),
                _ => {}
            }
        }
        o.plain("kind", "\"additional\"");
        o.member("names", |doc| self.names(doc, &names));
        o.member("patterns", |doc| {
            array(doc, Items::Others, patterns, |doc, pattern| doc.text(literals::any_pattern(ir, pattern)));
        });
        o.member("schema", |doc| self.write(doc, ty, depth));
    }

    fn bounds(&mut self, o: &mut Members<'_>, id: BoundsId) {
        let ir = self.view.ir;
        let bounds: &Bounds = &ir.types.bounds[id];
        o.plain("kind", "\"limits\"");
        if let Some(pattern) = bounds.pattern {
            o.string("pattern", literals::pattern(ir, pattern));
        }
        limit(o, "minLength", bounds.min_length);
        limit(o, "maxLength", bounds.max_length);
        self.numeric(o, bounds);
        item_limits(o, bounds);
        size_limits(o, bounds);
    }
}

/// Whether a type is more than its rules.
fn is_shaped(types: &Types, ty: TypeId) -> bool {
    !matches!(types.rows[ty].shape, Shape::Any | Shape::Unknown)
}

pub(crate) fn is_about_the_rest(rule: Rule) -> bool {
    matches!(rule, Rule::UnevaluatedProperties { .. } | Rule::UnevaluatedItems { .. })
}

/// Whether the bounds of a type's shape are as narrow as those of a rule.
fn says_already(types: &Types, ty: TypeId, bounds: BoundsId) -> bool {
    let Some(own) = types.rows[ty].bounds.filter(|_| has_written_bounds(types.rows[ty].shape)) else { return false };
    let (own, rule) = (&types.bounds[own], &types.bounds[bounds]);
    let at_least = |own: Option<u64>, rule: Option<u64>| rule.is_none_or(|rule| own.is_some_and(|own| own >= rule));
    let at_most = |own: Option<u64>, rule: Option<u64>| rule.is_none_or(|rule| own.is_some_and(|own| own <= rule));
    let same = |own: Option<Sym>, rule: Option<Sym>| rule.is_none() || own == rule;
    at_least(own.min_length, rule.min_length)
        && at_most(own.max_length, rule.max_length)
        && at_least(own.min_items, rule.min_items)
        && at_most(own.max_items, rule.max_items)
        && at_least(own.min_properties, rule.min_properties)
        && at_most(own.max_properties, rule.max_properties)
        && same(own.minimum, rule.minimum)
        && same(own.maximum, rule.maximum)
        && same(own.exclusive_minimum, rule.exclusive_minimum)
        && same(own.exclusive_maximum, rule.exclusive_maximum)
        && same(own.multiple_of, rule.multiple_of)
        && (rule.pattern.is_none() || own.pattern == rule.pattern)
        && (own.unique_items || !rule.unique_items)
}

/// Whether the shape's bounds are members of its schema.
fn has_written_bounds(shape: Shape) -> bool {
    matches!(
        shape,
        Shape::Integer { .. }
            | Shape::Number { .. }
            | Shape::String { .. }
            | Shape::Array { .. }
            | Shape::Tuple { .. }
            | Shape::Map { .. }
            | Shape::Record { .. }
    )
}
