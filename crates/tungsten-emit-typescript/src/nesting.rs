//! Inline types that would nest too deep where they are written: which of them get a declaration of their own, and the
//! names of those that the tables of names pass over.
//!
//! Reads types, the plan and the names; returns [`Cuts`], which the view treats as it does other declared types. Types
//! that few levels lie below stay where they are.

use std::collections::{BTreeMap, BTreeSet};

use base::Id;
use tungsten_emit::{InlineRoot, Plan, inline_roots};
use tungsten_ir::profile::{Role, TYPESCRIPT};
use tungsten_ir::{Ir, Names, NamespaceId, OpId, Shape, TypeId};

use crate::naming::free_name;

/// Levels of inline types that one declaration holds: lists, records, unions and the like inside each other. The compiler
/// of TypeScript compares a literal with its type level by level: 20 levels cost nothing, at 50 it gives up (TS2321) and at
/// 100 it takes minutes. Published descriptions stay below twelve.
pub(crate) const MAX_INLINE_LEVELS: u8 = 12;

/// The inline types that are declared because more levels lie below them than a declaration holds.
#[derive(Debug, Default)]
pub(crate) struct Cuts {
    /// In the order in which a walk leaves them: inner ones first.
    pub types: Vec<TypeId>,
    /// By type index; empty when there are none.
    is_cut: Vec<bool>,
    /// Names of lists, maps, tuples and nullable types, which have none in the tables of names.
    names: BTreeMap<TypeId, String>,
}

impl Cuts {
    pub(crate) fn has(&self, ty: TypeId) -> bool {
        self.is_cut.get(ty.index()).is_some_and(|cut| *cut)
    }

    /// The name of a type that the tables of names pass over.
    pub(crate) fn name(&self, ty: TypeId) -> Option<&str> {
        self.names.get(&ty).map(String::as_str)
    }
}

/// Whose name the name of an inline type starts with.
#[derive(Clone, Copy)]
enum Owner {
    Type(TypeId),
    Op(OpId),
}

/// A step of the walk: into a type, or out of it when all below it is done.
enum Step {
    Enter(TypeId, Owner),
    Leave(TypeId, Owner),
}

struct Walk<'a> {
    ir: &'a Ir,
    plan: &'a Plan,
    names: &'a Names,
    /// By type: met already.
    is_met: Vec<bool>,
    /// By type: inline levels at and below it; 0 for what is declared or ends a branch.
    levels: Vec<u8>,
    /// Types that have too many levels, and whose name theirs starts with.
    found: Vec<(TypeId, Owner)>,
}

/// Finds the types to declare. `is_declared` tells which ones have a declaration anyway.
pub(crate) fn cuts(ir: &Ir, plan: &Plan, names: &Names, is_declared: impl Fn(TypeId) -> bool) -> Cuts {
    let n_types = ir.types.rows.len();
    let mut walk = Walk { ir, plan, names, is_met: vec![false; n_types], levels: vec![0; n_types], found: Vec::new() };
    let hoisted = plan.usage.hoisted.iter().map(|&ty| (ty, Owner::Type(ty)));
    let owner = |root: &InlineRoot| root.op.map_or(Owner::Type(root.ty), Owner::Op);
    let roots = inline_roots(ir, plan);
    for (root, owner) in roots.iter().map(|root| (root.ty, owner(root))).chain(hoisted) {
        walk.below(root, owner, &is_declared);
    }
    let mut cuts = Cuts::default();
    if !walk.found.is_empty() {
        cuts.is_cut = vec![false; n_types];
    }
    for (ty, _) in &walk.found {
        cuts.is_cut[ty.index()] = true;
        cuts.types.push(*ty);
    }
    cuts.names = walk.name();
    cuts
}

impl Walk<'_> {
    /// Counts the levels of the types below a root, and of the root itself when it is inline.
    fn below(&mut self, root: TypeId, owner: Owner, is_declared: impl Fn(TypeId) -> bool) {
        let mut steps = vec![Step::Enter(root, owner)];
        let mut is_first = true;
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(ty, owner) => {
                    let is_other_root = is_declared(ty) && !is_first;
                    is_first = false;
                    if is_other_root || std::mem::replace(&mut self.is_met[ty.index()], true) {
                        continue;
                    }
                    steps.push(Step::Leave(ty, owner));
                    let owner = if self.names.try_ty(ty).is_some() { Owner::Type(ty) } else { owner };
                    let start = steps.len();
                    steps.extend(self.plan.usage.below(ty).map(|child| Step::Enter(child, owner)));
                    steps[start..].reverse();
                }
                Step::Leave(ty, owner) => self.leave(ty, owner, is_declared(ty)),
            }
        }
    }

    fn leave(&mut self, ty: TypeId, owner: Owner, is_declared: bool) {
        let Some(below) = self.plan.usage.below(ty).map(|child| self.levels[child.index()]).max() else { return };
        // An alias is written as what it stands for.
        let levels = below + u8::from(!matches!(self.ir.types.rows[ty].shape, Shape::Alias { .. }));
        if is_declared {
            return;
        }
        if levels < MAX_INLINE_LEVELS {
            self.levels[ty.index()] = levels;
        } else {
            self.found.push((ty, owner));
        }
    }

    /// Names the types that have no name, each after what it stands in.
    fn name(&self) -> BTreeMap<TypeId, String> {
        let mut names = BTreeMap::new();
        let mut taken: BTreeMap<NamespaceId, BTreeSet<String>> = BTreeMap::new();
        for &(ty, owner) in self.found.iter().filter(|(ty, _)| self.names.try_ty(*ty).is_none()) {
            let Some(home) = self.plan.inline.home(ty) else { continue };
            let owner = match owner {
                Owner::Type(owner) => self.names.ty(owner),
                Owner::Op(op) => self.names.op_function(op),
            };
            let word = match self.ir.types.rows[ty].shape {
                Shape::Array { .. } => "list",
                Shape::Map { .. } => "map",
                Shape::Tuple { .. } => "tuple",
                _ => "value",
            };
            let taken = taken.entry(home).or_insert_with(|| self.taken(home));
            let name = free_name(taken, &TYPESCRIPT.identifier(Role::Type, &[owner, word]));
            taken.insert(name.clone());
            names.insert(ty, name);
        }
        names
    }

    /// All type names of a namespace, printed or not: what is named here must not depend on which are.
    fn taken(&self, home: NamespaceId) -> BTreeSet<String> {
        let ir = self.ir;
        let is_here = |ty: &TypeId| match ir.types.rows[*ty].name {
            Some(name) => name.namespace == home,
            None => self.plan.inline.home(*ty) == Some(home),
        };
        let types = ir.types.rows.ids().filter(is_here).filter_map(|ty| self.names.try_ty(ty));
        let ops = ir.ops.rows.iter().filter(|(_, op)| op.namespace == home).map(|(id, _)| self.names.op_args(id));
        let resources = ir.resources.rows.iter().filter(|(_, row)| row.namespace == home);
        let classes = resources.map(|(id, _)| self.names.resource_class(id));
        types.chain(ops).chain(classes).map(str::to_owned).collect()
    }
}
