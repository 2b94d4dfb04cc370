//! Inline types that only rules lead to and that cannot be written in place: those that lead back to themselves, those that
//! several rules share, and those far below a declaration. Their schemas are constants.
//!
//! Reads types, the plan and which types are declared anyway; returns names and namespaces. Each type is walked once, with
//! a stack of our own.

use std::collections::BTreeMap;

use base::Id;
use tungsten_emit::Plan;
use tungsten_ir::{Ir, NamespaceId, TypeId};

use crate::looks;
use crate::rules::{is_about_the_rest, written};

/// Types in types until the next constant. Shapes by themselves stay far below that.
const MAX_LEVELS: usize = 16;

/// The constants, by type.
#[derive(Debug, Default)]
pub(crate) struct RuleTypes {
    homes: BTreeMap<TypeId, (NamespaceId, String)>,
    /// In the order in which they were found.
    types: Vec<TypeId>,
}

impl RuleTypes {
    pub(crate) fn home(&self, ty: TypeId) -> Option<NamespaceId> {
        self.homes.get(&ty).map(|(home, _)| *home)
    }

    pub(crate) fn name(&self, ty: TypeId) -> Option<&str> {
        self.homes.get(&ty).map(|(_, name)| name.as_str())
    }

    /// In the order in which they are declared.
    pub(crate) fn of(&self, home: NamespaceId) -> impl Iterator<Item = TypeId> {
        self.types.iter().copied().filter(move |&ty| self.home(ty) == Some(home))
    }
}

/// Finds the types that need constants. Nothing where no type has rules.
pub(crate) fn rule_types(ir: &Ir, plan: &Plan, is_declared: impl Fn(TypeId) -> bool) -> RuleTypes {
    let types = &ir.types;
    if types.rules.rows.is_empty() {
        return RuleTypes::default();
    }
    let mut walk = Walk {
        ir,
        plan,
        state: vec![State::New; types.rows.len()],
        found: RuleTypes::default(),
        n_named: vec![0; ir.namespaces.len()],
    };
    let is_root = |ty: &TypeId| plan.usage.of(*ty).is_validated();
    let (declared, inline): (Vec<_>, Vec<_>) = types.rows.ids().filter(is_root).partition(|&ty| is_declared(ty));
    for root in declared.into_iter().chain(inline) {
        let named = types.rows[root].name.map(|name| name.namespace);
        let home = named.or_else(|| plan.inline.home(root)).unwrap_or(NamespaceId::from_index(0));
        walk.below(root, home, &is_declared);
    }
    walk.found
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Inside,
    Done,
}

struct Walk<'a> {
    ir: &'a Ir,
    plan: &'a Plan,
    state: Vec<State>,
    found: RuleTypes,
    /// Constants so far, by namespace.
    n_named: Vec<u32>,
}

impl Walk<'_> {
    fn below(&mut self, root: TypeId, home: NamespaceId, is_declared: impl Fn(TypeId) -> bool) {
        if self.state[root.index()] != State::New {
            return;
        }
        self.state[root.index()] = State::Inside;
        // Types that are being written, each with those below it that are still to come, and its level.
        let mut path = vec![(root, self.children(root), 0)];
        while let Some((ty, children, level)) = path.last_mut() {
            let Some((child, by_rule)) = children.pop() else {
                self.state[ty.index()] = State::Done;
                path.pop();
                continue;
            };
            if is_declared(child) {
                continue;
            }
            let level = *level + 1;
            match self.state[child.index()] {
                State::New => {
                    let is_far = level > MAX_LEVELS && by_rule;
                    if is_far {
                        self.declare(child, home);
                    }
                    self.state[child.index()] = State::Inside;
                    path.push((child, self.children(child), if is_far { 0 } else { level }));
                }
                State::Inside => self.declare(child, home),
                State::Done if by_rule => self.declare(child, home),
                State::Done => {}
            }
        }
    }

    /// The types that the schema of a type mentions, the first one last; whether a rule mentions it.
    fn children(&self, ty: TypeId) -> Vec<(TypeId, bool)> {
        let types = &self.ir.types;
        let mut list: Vec<(TypeId, bool)> = self.plan.usage.below(ty).map(|child| (child, false)).collect();
        for written in written(types, ty) {
            types.rules.operands(&types.members, written.rule, |operand| list.push((operand, true)));
            if is_about_the_rest(written.rule) {
                let beside = &types.rules.rows.slice(written.around)[..written.place];
                looks::operands(types, beside, |operand| list.push((operand, true)));
            }
        }
        if types.judged[ty].asked {
            looks::operands(types, types.rules.rows.slice(types.judged[ty].rules), |ty| list.push((ty, true)));
        }
        list.reverse();
        list
    }

    fn declare(&mut self, ty: TypeId, home: NamespaceId) {
        if self.found.homes.contains_key(&ty) || !self.is_worth_it(ty) {
            return;
        }
        let number = &mut self.n_named[home.index()];
        *number += 1;
        // No other name starts with the prefix of private names.
        self.found.homes.insert(ty, (home, format!("_rule{number}")));
        self.found.types.push(ty);
    }

    /// Whether a schema mentions others: what does not is as short in place.
    fn is_worth_it(&self, ty: TypeId) -> bool {
        self.plan.usage.below(ty).next().is_some() || !written(&self.ir.types, ty).is_empty()
    }
}
