//! Writes what a schema has looked at when it holds: which members and items, by itself and through the types that hold
//! for the same value. Rules about the rest (`unevaluatedProperties`, `unevaluatedItems`) ask it.
//!
//! Reads the rules of types; writes object literals that the runtime's `looks.ts` reads.

use tungsten_emit::Doc;
use tungsten_emit::layout::typescript::{Items, array};
use tungsten_ir::{Rule, TypeId, Types};

use base::Sym;

use crate::literals;
use crate::object::object;
use crate::schemas::Schemas;

/// What some rules look at.
#[derive(Default)]
struct Looks {
    all_members: bool,
    names: Vec<Sym>,
    patterns: Vec<base::TextId>,
    all_items: bool,
    n_first: usize,
    contained: Vec<TypeId>,
    parts: Vec<TypeId>,
    variants: Vec<TypeId>,
    conditions: Vec<(TypeId, Option<TypeId>, Option<TypeId>)>,
    needs: Vec<(Sym, TypeId)>,
}

/// The types that the looks of some rules mention.
pub(crate) fn operands(types: &Types, rows: &[Rule], mut visit: impl FnMut(TypeId)) {
    for &rule in rows {
        if matches!(
            rule,
            Rule::Contains { .. }
                | Rule::All { .. }
                | Rule::Any { .. }
                | Rule::One { .. }
                | Rule::If { .. }
                | Rule::NeedsTypes { .. }
        ) {
            types.rules.operands(&types.members, rule, &mut visit);
        }
    }
}

impl Schemas<'_, '_> {
    fn collect(&self, rows: &[Rule]) -> Looks {
        let types = &self.view.ir.types;
        let mut looks = Looks::default();
        for &rule in rows {
            match rule {
                Rule::Properties { members } => {
                    looks.names.extend(types.rules.members.slice(members).iter().map(|row| row.0));
                }
                Rule::Patterns { members } => {
                    looks.patterns.extend(types.rules.patterns.slice(members).iter().map(|row| row.0));
                }
                Rule::Additional { .. } | Rule::UnevaluatedProperties { .. } => looks.all_members = true,
                Rule::Prefix { items } => looks.n_first = looks.n_first.max(items.len()),
                Rule::Items { .. } | Rule::UnevaluatedItems { .. } => looks.all_items = true,
                Rule::Contains { ty, .. } => looks.contained.push(ty),
                Rule::All { members } => looks.parts.extend_from_slice(types.members.slice(members)),
                Rule::Any { members } | Rule::One { members } => {
                    looks.variants.extend_from_slice(types.members.slice(members));
                }
                Rule::If { condition, then, otherwise } => looks.conditions.push((condition, then, otherwise)),
                Rule::NeedsTypes { members } => looks.needs.extend_from_slice(types.rules.members.slice(members)),
                Rule::Types { .. }
                | Rule::Bounds { .. }
                | Rule::OneOfValues { .. }
                | Rule::Required { .. }
                | Rule::NeedsNames { .. }
                | Rule::Names { .. }
                | Rule::Not { .. } => {}
            }
        }
        looks.names.sort_unstable_by_key(|name| self.view.ir.names.resolve(*name));
        looks.names.dedup();
        looks
    }

    /// Whether other types ask what a type has looked at.
    pub(crate) fn is_asked(&self, ty: TypeId) -> bool {
        self.view.ir.types.judged[ty].asked
    }

    /// What all rules of a type look at.
    pub(crate) fn all_looks(&mut self, doc: &mut Doc, ty: TypeId, depth: usize) {
        let types = &self.view.ir.types;
        self.looks(doc, types.rules.rows.slice(types.judged[ty].rules), depth);
    }

    pub(crate) fn looks(&mut self, doc: &mut Doc, rows: &[Rule], depth: usize) {
        let ir = self.view.ir;
        let looks = self.collect(rows);
        object(doc, |o| {
            if looks.all_members {
                o.plain("members", "\"all\"");
            } else if !looks.names.is_empty() {
                o.member("members", |doc| self.names(doc, &looks.names));
            }
            if !looks.all_members && !looks.patterns.is_empty() {
                o.member("patterns", |doc| {
                    array(doc, Items::Others, &looks.patterns, |doc, &one| doc.text(literals::any_pattern(ir, one)));
                });
            }
            if looks.all_items {
                o.plain("items", "\"all\"");
            } else if looks.n_first > 0 {
                o.plain("items", looks.n_first as u64);
            }
            let lists = [("contains", &looks.contained), ("parts", &looks.parts), ("variants", &looks.variants)];
            for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
                o.member(key, |doc| self.list(doc, list, depth));
            }
            if !looks.conditions.is_empty() {
                let kind = if looks.conditions.len() > 1 { Items::Composite } else { Items::Others };
                o.member("conditions", |doc| {
                    array(doc, kind, &looks.conditions, |doc, &(condition, then, otherwise)| {
                        object(doc, |o| {
                            let parts = [("condition", Some(condition)), ("then", then), ("otherwise", otherwise)];
                            for (key, ty) in parts.into_iter().filter_map(|(key, ty)| Some((key, ty?))) {
                                o.member(key, |doc| self.write(doc, ty, depth));
                            }
                        });
                    });
                });
            }
            if !looks.needs.is_empty() {
                let kind = if looks.needs.len() > 1 { Items::Composite } else { Items::Others };
                o.member("needs", |doc| {
                    array(doc, kind, &looks.needs, |doc, &(name, ty)| {
                        object(doc, |o| {
                            o.string("name", literals::string(ir, name));
                            o.member("schema", |doc| self.write(doc, ty, depth));
                        });
                    });
                });
            }
        });
    }
}
