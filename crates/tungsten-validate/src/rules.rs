//! What rules say about a value, keyword by keyword.
//!
//! Reads the rules of one type and a value; tells which parts of the value they have looked at, for the rules that are
//! about the rest. What shapes say as well (`structural`) counts only where the rules decide alone.

use base::Span;
use base_doc::Kind;
use tungsten_ir::{JsonTypes, MemberId, Rule, RuleMemberId, RulePatternId, TypeId};

use crate::Problem;
use crate::check::{Checker, Looked, at, exhausted, type_of, wrong_kind};
use crate::equal;
use crate::instance::{Instance, Json};

impl Checker<'_> {
    /// Judges a value by all rules of a type.
    pub(crate) fn by_rules<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        value: Instance<'v, V>,
        depth: u32,
        looked: Option<&mut Looked>,
        structural: bool,
    ) -> Result<(), Problem> {
        let rules = self.ir.types.judged[ty].rules;
        let rows = self.ir.types.rules.rows.slice(rules);
        let asks = |rule: &Rule| matches!(rule, Rule::UnevaluatedProperties { .. } | Rule::UnevaluatedItems { .. });
        let mut own = (looked.is_some() || rows.iter().any(asks)).then(|| vec![false; value.size()]);
        for (index, &rule) in rows.iter().enumerate() {
            let counts = structural || rule.adds_to(self.ir.types.rows[ty].shape, rows);
            // What does not count still looks at parts of the value.
            if !counts && own.is_none() {
                continue;
            }
            let result = self.rule(rule, &rows[..index], value, depth, own.as_mut(), structural);
            if counts {
                result?;
            }
        }
        if let (Some(looked), Some(own)) = (looked, own) {
            merge(looked, &own);
        }
        Ok(())
    }

    fn rule<'v, V: Json<'v>>(
        &mut self,
        rule: Rule,
        before: &[Rule],
        value: Instance<'v, V>,
        depth: u32,
        looked: Option<&mut Looked>,
        structural: bool,
    ) -> Result<(), Problem> {
        let ir = self.ir;
        let is_object = value.kind() == Kind::Object;
        match rule {
            Rule::Types { admitted } if admitted.admits(type_of(value)) => Ok(()),
            Rule::Types { admitted } => Err(wrong_type(admitted, value)),
            Rule::Bounds { bounds } => self.bounds(bounds, value),
            Rule::OneOfValues { values } => {
                let values = ir.values.items.slice(values);
                if values.iter().any(|&id| equal::is_value(ir, id, value)) {
                    return Ok(());
                }
                Err(Problem::new("is none of the values that its schema admits"))
            }
            Rule::Required { names } if is_object => self.required(names, value),
            Rule::NeedsNames { name, names } if value.member(ir.names.resolve(name)).is_some() => {
                self.required(names, value)
            }
            Rule::Properties { members } => self.properties(members, value, depth, looked),
            Rule::Patterns { members } => self.patterns(members, value, depth, looked),
            Rule::Additional { ty } => self.additional(ty, before, value, depth, looked),
            Rule::Names { ty } => {
                for (name, _) in value.members() {
                    self.value(ty, Instance::<'v, V>::Name(name), depth + 1, None)
                        .map_err(|_| Problem::new("has a name that its schema does not admit").at(name))?;
                }
                Ok(())
            }
            Rule::NeedsTypes { members } => self.needs_types(members, value, depth, looked),
            Rule::Prefix { items } => self.prefix(items, value, depth, looked),
            Rule::Items { ty } => self.further_items(ty, before, value, depth, looked),
            Rule::Contains { ty, min, max } if value.kind() == Kind::Array => {
                self.contains(ty, min, max, value, depth, looked)
            }
            Rule::Not { ty } => match self.value(ty, value, depth + 1, None) {
                Ok(()) => Err(Problem::new("is what its schema excludes")),
                Err(_) if self.is_exhausted() => Err(exhausted()),
                Err(_) => Ok(()),
            },
            Rule::If { condition, then, otherwise } => self.condition(condition, then, otherwise, value, depth, looked),
            Rule::All { members } => self.all(members, value, depth, looked, structural),
            Rule::Any { members } => self.some(members, false, value, depth, looked),
            Rule::One { members } => self.some(members, true, value, depth, looked),
            Rule::UnevaluatedProperties { ty } if is_object => self.rest(ty, value, depth, looked),
            Rule::UnevaluatedItems { ty } if value.kind() == Kind::Array => self.rest(ty, value, depth, looked),
            // It is about values of another JSON type.
            _ => Ok(()),
        }
    }

    fn required<'v, V: Json<'v>>(
        &self,
        names: Span<tungsten_ir::RuleNameId>,
        value: Instance<'v, V>,
    ) -> Result<(), Problem> {
        for &name in self.ir.types.rules.names.slice(names) {
            let name = self.ir.names.resolve(name);
            if value.member(name).is_none() {
                return Err(Problem::new("is missing").at(name));
            }
        }
        Ok(())
    }

    fn properties<'v, V: Json<'v>>(
        &mut self,
        members: Span<RuleMemberId>,
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let ir = self.ir;
        self.compare(value.size(), members.len())?;
        for (place, (name, member)) in value.members().enumerate() {
            let Some(sym) = ir.names.find(name) else { continue };
            for &(_, ty) in ir.types.rules.members.slice(members).iter().filter(|(other, _)| *other == sym) {
                at(self.value(ty, member, depth + 1, None), name)?;
                mark(looked.as_deref_mut(), place);
            }
        }
        Ok(())
    }

    fn patterns<'v, V: Json<'v>>(
        &mut self,
        members: Span<RulePatternId>,
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        for (place, (name, member)) in value.members().enumerate() {
            for id in ids(members) {
                match self.pattern_matches(id, name) {
                    Some(false) => continue,
                    Some(true) => {
                        let (_, ty) = self.ir.types.rules.patterns[id];
                        at(self.value(ty, member, depth + 1, None), name)?;
                    }
                    None => {}
                }
                mark(looked.as_deref_mut(), place);
            }
        }
        Ok(())
    }

    /// Nothing when the pattern is not known: then it says nothing about members, and nobody may refuse one for not
    /// matching it.
    fn pattern_matches(&self, id: RulePatternId, name: &str) -> Option<bool> {
        self.patterns.of_names(self.ir, id).map(|pattern| pattern.matches(name))
    }

    fn additional<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        before: &[Rule],
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let ir = self.ir;
        let n_named = before.iter().map(|rule| match rule {
            Rule::Properties { members } => members.len(),
            Rule::Patterns { members } => members.len(),
            _ => 0,
        });
        self.compare(value.size(), n_named.sum())?;
        for (place, (name, member)) in value.members().enumerate() {
            let sym = ir.names.find(name);
            let is_named = before.iter().any(|rule| match *rule {
                Rule::Properties { members } => {
                    let members = ir.types.rules.members.slice(members);
                    sym.is_some_and(|sym| members.iter().any(|&(other, _)| other == sym))
                }
                Rule::Patterns { members } => ids(members).any(|id| self.pattern_matches(id, name) != Some(false)),
                _ => false,
            });
            if !is_named {
                at(self.value(ty, member, depth + 1, None), name)?;
                mark(looked.as_deref_mut(), place);
            }
        }
        Ok(())
    }

    fn needs_types<'v, V: Json<'v>>(
        &mut self,
        members: Span<RuleMemberId>,
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        for &(name, ty) in self.ir.types.rules.members.slice(members) {
            if value.member(self.ir.names.resolve(name)).is_some() {
                self.value(ty, value, depth + 1, looked.as_deref_mut())?;
            }
        }
        Ok(())
    }

    fn prefix<'v, V: Json<'v>>(
        &mut self,
        items: Span<MemberId>,
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let types = self.ir.types.members.slice(items);
        for (place, (item, &ty)) in value.items().zip(types).enumerate() {
            at(self.value(ty, item, depth + 1, None), place)?;
            mark(looked.as_deref_mut(), place);
        }
        Ok(())
    }

    fn further_items<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        before: &[Rule],
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let n_before = before.iter().filter_map(|rule| match rule {
            Rule::Prefix { items } => Some(items.len()),
            _ => None,
        });
        let n_before = n_before.max().unwrap_or(0);
        for (place, item) in value.items().enumerate().skip(n_before) {
            at(self.value(ty, item, depth + 1, None), place)?;
            mark(looked.as_deref_mut(), place);
        }
        Ok(())
    }

    fn contains<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        min: u64,
        max: Option<u64>,
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let mut n_found = 0;
        for (place, item) in value.items().enumerate() {
            if self.value(ty, item, depth + 1, None).is_ok() {
                n_found += 1;
                mark(looked.as_deref_mut(), place);
            }
        }
        if n_found < min {
            return Err(Problem::new(format!("has {n_found} items of a kind of which it needs {min}")));
        }
        match max {
            Some(max) if n_found > max => {
                Err(Problem::new(format!("has {n_found} items of a kind of which it may have {max}")))
            }
            _ => Ok(()),
        }
    }

    fn condition<'v, V: Json<'v>>(
        &mut self,
        condition: TypeId,
        then: Option<TypeId>,
        otherwise: Option<TypeId>,
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let holds = self.tried(condition, value, depth, looked.as_deref_mut()).is_ok();
        if self.is_exhausted() {
            return Err(exhausted());
        }
        match if holds { then } else { otherwise } {
            Some(ty) => self.value(ty, value, depth + 1, looked),
            None => Ok(()),
        }
    }

    /// Judges by all of the types. Where shapes decide, that is theirs, and only further rules are asked.
    fn all<'v, V: Json<'v>>(
        &mut self,
        members: Span<MemberId>,
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
        structural: bool,
    ) -> Result<(), Problem> {
        for &ty in self.ir.types.members.slice(members) {
            if structural {
                self.value(ty, value, depth + 1, looked.as_deref_mut())?;
            } else {
                self.step(depth)?;
                self.by_rules(ty, value, depth + 1, looked.as_deref_mut(), false)?;
            }
        }
        Ok(())
    }

    /// Judges by the types of which one must hold, or exactly one. Each that holds tells what it has looked at.
    fn some<'v, V: Json<'v>>(
        &mut self,
        members: Span<MemberId>,
        only_one: bool,
        value: Instance<'v, V>,
        depth: u32,
        mut looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let mut n_matches = 0;
        for &ty in self.ir.types.members.slice(members) {
            n_matches += u32::from(self.tried(ty, value, depth, looked.as_deref_mut()).is_ok());
            if n_matches > 0 && !only_one && looked.is_none() {
                break;
            }
        }
        match n_matches {
            _ if self.is_exhausted() => Err(exhausted()),
            0 => Err(Problem::new("matches none of the variants of its schema")),
            1 => Ok(()),
            _ if only_one => Err(Problem::new("matches several variants of its schema, and may match one")),
            _ => Ok(()),
        }
    }

    /// Judges by a type that may fail: then it has looked at nothing.
    fn tried<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        value: Instance<'v, V>,
        depth: u32,
        looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let Some(looked) = looked else { return self.value(ty, value, depth + 1, None) };
        let mut own = vec![false; looked.len()];
        self.value(ty, value, depth + 1, Some(&mut own))?;
        merge(looked, &own);
        Ok(())
    }

    /// Judges what nothing has looked at.
    fn rest<'v, V: Json<'v>>(
        &mut self,
        ty: TypeId,
        value: Instance<'v, V>,
        depth: u32,
        looked: Option<&mut Looked>,
    ) -> Result<(), Problem> {
        let Some(looked) = looked else { return Ok(()) };
        for (place, item) in value.items().enumerate().filter(|(place, _)| !looked[*place]).collect::<Vec<_>>() {
            at(self.value(ty, item, depth + 1, None), place)?;
            looked[place] = true;
        }
        for (place, (name, member)) in value.members().enumerate() {
            if !looked[place] {
                at(self.value(ty, member, depth + 1, None), name)?;
                looked[place] = true;
            }
        }
        Ok(())
    }
}

fn ids(span: Span<RulePatternId>) -> impl Iterator<Item = RulePatternId> {
    span.range().map(<RulePatternId as base::Id>::from_index)
}

fn mark(looked: Option<&mut Looked>, place: usize) {
    if let Some(looked) = looked {
        looked[place] = true;
    }
}

fn merge(looked: &mut Looked, own: &[bool]) {
    for (all, one) in looked.iter_mut().zip(own) {
        *all |= one;
    }
}

fn wrong_type<'v, V: Json<'v>>(admitted: JsonTypes, value: Instance<'v, V>) -> Problem {
    let names: Vec<&str> = admitted.names().collect();
    wrong_kind(&format!("of type {}", names.join(" or ")), value.kind())
}
