//! Writes rules in the neutral form: what a schema says beside its shape, as the runtime checks it.
//!
//! Reads the rules of types; writes members of object literals. Only what the shape does not say is written, and only where
//! the runtime can judge all of it: rules about what no other rule has looked at, and rules that lead in circles, are left
//! out whole, so that no value is refused that is right.

use tungsten_emit::Doc;
use tungsten_emit::layout::typescript::{Items, array};
use tungsten_ir::{Bounds, BoundsId, MemberId, Rule, RuleId, Shape, TypeId, Types};

use base::{Span, Sym};

use crate::literals;
use crate::object::{Members, object};
use crate::schemas::{Schemas, item_limits, limit, size_limits};

/// Types in types that only rules refer to.
const MAX_LEVELS: u32 = 8;
/// Rows of one rule and of all below it.
const MAX_ROWS: u32 = 200;

/// A rule, and those of the schema in which it stands.
#[derive(Clone, Copy)]
pub(crate) struct Written {
    rule: Rule,
    around: Span<RuleId>,
}

impl Schemas<'_, '_> {
    /// The rules of a type that are written: all where nothing has a shape, else what its shape does not say.
    pub(crate) fn constraints(&self, ty: TypeId) -> Vec<Written> {
        let types = &self.view.ir.types;
        let rows = types.rules.rows.slice(types.judged[ty].rules);
        if rows.is_empty() {
            return Vec::new();
        }
        let mut out = Vec::new();
        let mut pending: Vec<(TypeId, u32)> = vec![(ty, 0)];
        while let Some((at, level)) = pending.pop() {
            let around = types.judged[at].rules;
            let rows = types.rules.rows.slice(around);
            for &rule in rows {
                match rule {
                    // The shape is that of all of them together.
                    Rule::All { members } if is_shaped(types, ty) => {
                        let below = types.members.slice(members).iter().filter(|_| level < MAX_LEVELS);
                        pending.extend(below.map(|&member| (member, level + 1)));
                    }
                    _ if is_shaped(types, ty) && !is_constraint(rule, rows, types.rows[ty].shape) => {}
                    _ if self.can_write(rule) && out.iter().all(|one: &Written| one.rule != rule) => {
                        out.push(Written { rule, around });
                    }
                    _ => {}
                }
            }
        }
        out
    }

    fn can_write(&self, rule: Rule) -> bool {
        let mut n_rows = 0;
        self.can_write_at(rule, 0, &mut n_rows)
    }

    /// Bounded by its levels and by the rows in all.
    fn can_write_at(&self, rule: Rule, level: u32, n_rows: &mut u32) -> bool {
        *n_rows += 1;
        if level > MAX_LEVELS || *n_rows > MAX_ROWS || is_about_the_rest(rule) {
            return false;
        }
        let types = &self.view.ir.types;
        let mut operands = Vec::new();
        types.rules.operands(&types.members, rule, |ty| operands.push(ty));
        let rows = |ty: TypeId| types.rules.rows.slice(types.judged[ty].rules);
        operands.into_iter().all(|ty| rows(ty).iter().all(|&below| self.can_write_at(below, level + 1, n_rows)))
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
                let pairs = rows.iter().map(|&(pattern, ty)| (literals::prose(ir, pattern), ty)).collect();
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
            // Not written; see `can_write`.
            Rule::UnevaluatedProperties { .. } | Rule::UnevaluatedItems { .. } => {
                self.several(o, "\"all\"", Span::EMPTY, depth);
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

    fn names(&self, doc: &mut Doc, names: &[Sym]) {
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
            array(doc, Items::Others, patterns, |doc, pattern| doc.text(literals::prose(ir, pattern)));
        });
        o.member("schema", |doc| self.write(doc, ty, depth));
    }

    fn bounds(&mut self, o: &mut Members<'_>, id: BoundsId) {
        let ir = self.view.ir;
        let bounds: &Bounds = &ir.types.bounds[id];
        o.plain("kind", "\"limits\"");
        if let Some(pattern) = bounds.pattern {
            o.string("pattern", literals::prose(ir, pattern));
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

fn is_about_the_rest(rule: Rule) -> bool {
    matches!(rule, Rule::UnevaluatedProperties { .. } | Rule::UnevaluatedItems { .. })
}

/// Whether a rule says what a shape does not. Members by pattern are such; the shape only tells what most look like.
fn is_constraint(rule: Rule, rows: &[Rule], shape: Shape) -> bool {
    let is_variants = matches!(
        shape,
        Shape::Union { .. } | Shape::Intersection { .. } | Shape::Nullable { .. } | Shape::Const { .. }
    );
    match rule {
        Rule::Patterns { .. }
        | Rule::Names { .. }
        | Rule::NeedsNames { .. }
        | Rule::NeedsTypes { .. }
        | Rule::Contains { .. }
        | Rule::Not { .. }
        | Rule::If { .. } => true,
        Rule::Additional { .. } => rows.iter().any(|rule| matches!(rule, Rule::Patterns { .. })),
        Rule::Any { .. } => !is_variants || rows.iter().any(|rule| matches!(rule, Rule::One { .. })),
        Rule::One { .. } => !is_variants,
        _ => false,
    }
}
