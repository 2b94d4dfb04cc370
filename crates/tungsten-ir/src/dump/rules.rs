//! Rules in the JSON form: a list of all types that have some, each with its number, and what their rows say.
//!
//! Rules may lead in circles where no type has a name, so a type that only rules refer to is told by its number.

use super::Dump;
use crate::{Bounds, JsonTypes, MemberId, Rule, RuleMemberId, TypeId};
use base::{Id, Span};

impl Dump<'_> {
    /// What a shape does not say: members of the shape's own object.
    pub(super) fn judged(&mut self, id: TypeId) {
        let judged = self.ir.types.judged[id];
        self.new_bool("inferred", judged.inferred);
        self.new_bool("exclusive", judged.exclusive);
        if let Some(number) = self.rule_number(id) {
            self.count("rules", number as u64);
        }
    }

    /// The rules of all types that have some.
    pub(super) fn rules(&mut self) {
        let types = self.ruled.clone();
        self.new_list_at("rules", &types, |dump, &ty| {
            dump.object(|dump| {
                if let Some(type_id) = dump.type_id(ty) {
                    dump.string("type", &type_id);
                }
                let rules = dump.ir.types.judged[ty].rules;
                dump.list_at("rules", dump.ir.types.rules.rows.slice(rules), |dump, &rule| {
                    dump.object(|dump| dump.rule(rule));
                });
            });
        });
    }

    fn rule(&mut self, rule: Rule) {
        let rules = &self.ir.types.rules;
        self.string("kind", kind_of(rule));
        match rule {
            Rule::Types { admitted } => {
                self.list_at("types", JsonTypes::names(admitted), |dump, name| dump.json.string(name));
            }
            Rule::Bounds { bounds } => self.bounds_of(&self.ir.types.bounds[bounds].clone()),
            Rule::OneOfValues { values } => {
                self.list_at("values", self.ir.values.items.slice(values), |dump, &value| dump.value(value));
            }
            Rule::Required { names } => self.list_at("names", rules.names.slice(names), |dump, &name| {
                dump.json.string(dump.ir.names.resolve(name));
            }),
            Rule::NeedsNames { name, names } => {
                self.sym("name", name);
                self.list_at("names", rules.names.slice(names), |dump, &name| {
                    dump.json.string(dump.ir.names.resolve(name));
                });
            }
            Rule::Properties { members } | Rule::NeedsTypes { members } => self.named_operands(members),
            Rule::Patterns { members } => {
                self.list_at("members", rules.patterns.slice(members), |dump, &(pattern, ty)| {
                    dump.object(|dump| {
                        dump.maybe_text("pattern", Some(pattern));
                        dump.operand_at("ty", ty);
                    });
                });
            }
            Rule::Contains { ty, min, max } => {
                self.operand_at("ty", ty);
                self.count("min", min);
                self.maybe_count("max", max);
            }
            Rule::If { condition, then, otherwise } => {
                self.operand_at("condition", condition);
                for (key, ty) in [("then", then), ("else", otherwise)] {
                    if let Some(ty) = ty {
                        self.operand_at(key, ty);
                    }
                }
            }
            Rule::Prefix { items: list }
            | Rule::All { members: list }
            | Rule::Any { members: list }
            | Rule::One { members: list } => self.operands(list),
            Rule::Additional { ty }
            | Rule::Names { ty }
            | Rule::Items { ty }
            | Rule::Not { ty }
            | Rule::UnevaluatedProperties { ty }
            | Rule::UnevaluatedItems { ty } => self.operand_at("ty", ty),
        }
    }

    fn bounds_of(&mut self, bounds: &Bounds) {
        self.maybe_count("min", bounds.min_items);
        self.maybe_count("max", bounds.max_items);
        self.new_bool("unique", bounds.unique_items);
        self.maybe_count("min_properties", bounds.min_properties);
        self.maybe_count("max_properties", bounds.max_properties);
        self.constraints(bounds);
    }

    fn named_operands(&mut self, members: Span<RuleMemberId>) {
        self.list_at("members", self.ir.types.rules.members.slice(members), |dump, &(name, ty)| {
            dump.object(|dump| {
                dump.sym("name", name);
                dump.operand_at("ty", ty);
            });
        });
    }

    fn operands(&mut self, list: Span<MemberId>) {
        self.list_at("types", self.ir.types.members.slice(list), |dump, &ty| dump.operand(ty));
    }

    fn operand_at(&mut self, key: &str, ty: TypeId) {
        self.json.key(key);
        self.operand(ty);
    }

    /// A type by its name, by the number of its rules, or as it is.
    fn operand(&mut self, ty: TypeId) {
        match self.rule_number(ty).filter(|_| self.ir.types.rows[ty].name.is_none()) {
            Some(number) => self.object(|dump| {
                dump.string("kind", "rules");
                dump.count("value", number as u64);
            }),
            None => self.ty(ty),
        }
    }

    fn count(&mut self, key: &str, count: u64) {
        self.maybe_count(key, Some(count));
    }

    fn rule_number(&self, ty: TypeId) -> Option<usize> {
        self.ruled.binary_search_by_key(&ty.index(), |ty| ty.index()).ok()
    }
}

/// The keyword, in the words of this form.
fn kind_of(rule: Rule) -> &'static str {
    match rule {
        Rule::Types { .. } => "types",
        Rule::Bounds { .. } => "bounds",
        Rule::OneOfValues { .. } => "values",
        Rule::Required { .. } => "required",
        Rule::Properties { .. } => "properties",
        Rule::Patterns { .. } => "patterns",
        Rule::Additional { .. } => "additional",
        Rule::Names { .. } => "names",
        Rule::NeedsNames { .. } => "needs_names",
        Rule::NeedsTypes { .. } => "needs_types",
        Rule::Prefix { .. } => "prefix",
        Rule::Items { .. } => "items",
        Rule::Contains { .. } => "contains",
        Rule::Not { .. } => "not",
        Rule::If { .. } => "if",
        Rule::All { .. } => "all",
        Rule::Any { .. } => "any",
        Rule::One { .. } => "one",
        Rule::UnevaluatedProperties { .. } => "unevaluated_properties",
        Rule::UnevaluatedItems { .. } => "unevaluated_items",
    }
}
