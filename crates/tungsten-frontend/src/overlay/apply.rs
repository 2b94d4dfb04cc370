//! Applies overlays to one input, action by action.
//!
//! Reads the overlays and the input; writes the changed input, notes which actions matched, and reports what cannot be
//! done (TG0207) or takes too much work (TG0105).

use base::{Code, Interner, limits};
use base_doc::jsonpath::{JsonPath, Visits};
use base_doc::{Doc, DocId, DocSet, EditError, NodeId, NodeRef, Origin, Tree, TreeId};

use crate::findings::Findings;
use crate::lookup::Set;

use super::document::{Action, Change, Overlay};

/// What the paths of a run may still look at.
pub(super) struct Work {
    visits_left: usize,
    /// That it is used up was reported.
    is_spent: bool,
}

impl Default for Work {
    fn default() -> Self {
        Self { visits_left: limits::ALL_JSON_PATH_VISITS, is_spent: false }
    }
}

/// The input `doc` after the overlays with these numbers, in order.
pub(super) fn apply(
    order: &[usize],
    overlays: &mut [Overlay],
    docs: &DocSet,
    (doc, keys): (&Doc, &mut Interner),
    name: &str,
    (findings, work): (&mut Findings, &mut Work),
) -> Doc {
    let mut tree = Tree::new(doc, keys);
    for &number in order {
        let overlay = &mut overlays[number];
        let origin = tree.origin(&docs.docs[overlay.doc]);
        let mut run = Run { tree: &mut tree, origin, docs, doc: overlay.doc, name, findings, work };
        overlay.actions.iter_mut().for_each(|action| run.action(action));
    }
    tree.into_doc()
}

struct Run<'r, 't> {
    tree: &'r mut Tree<'t>,
    origin: Origin,
    docs: &'r DocSet,
    doc: DocId,
    name: &'r str,
    findings: &'r mut Findings,
    work: &'r mut Work,
}

impl Run<'_, '_> {
    fn action(&mut self, action: &mut Action) {
        let Some(targets) = self.select(&action.target, action.target_node) else {
            action.has_matched = true;
            return;
        };
        if targets.is_empty() {
            return;
        }
        match &action.change {
            Change::None => {}
            Change::Remove if targets.contains(&self.tree.root()) => {
                let message = format!("`target` is the root of `{}`, which cannot be removed", self.name);
                self.report(Code::TG0207, action.target_node, message);
            }
            Change::Remove => self.tree.remove(&targets),
            Change::Update(value) => {
                let (origin, node, keys) = (self.origin, *value, &self.docs.keys);
                self.merge_into(&targets, node, |tree| tree.import(origin, node, keys));
            }
            Change::Copy(at, path) => {
                let (at, path) = (*at, path.clone());
                if !self.copy(&targets, at, &path) {
                    action.unmatched = Some((at, "`copy`"));
                    return;
                }
            }
        }
        action.has_matched = true;
    }

    /// The values that a path selects, each once; nothing when that takes too much work.
    fn select(&mut self, path: &JsonPath, at: NodeId) -> Option<Vec<TreeId>> {
        let n_granted = limits::JSON_PATH_VISITS.min(self.work.visits_left);
        let mut visits = Visits::new(n_granted);
        let found = path.select(self.tree, &mut visits);
        self.work.visits_left -= n_granted - visits.left();
        let Ok(mut found) = found else {
            self.refuse_path(n_granted, at);
            return None;
        };
        let mut seen: Set<TreeId> = Set::default();
        found.retain(|&value| seen.insert(value));
        Some(found)
    }

    /// Reports a path that would look at more than it was granted; of those that come when all work is done, the first.
    fn refuse_path(&mut self, n_granted: usize, at: NodeId) {
        if n_granted == limits::JSON_PATH_VISITS {
            let message = format!("the path looks at more than {n_granted} values of `{}`", self.name);
            self.report(Code::TG0105, at, message);
        } else if !std::mem::replace(&mut self.work.is_spent, true) {
            let message = format!("all paths together look at more than {} values", limits::ALL_JSON_PATH_VISITS);
            self.report(Code::TG0105, at, message);
        }
    }

    /// Merges the value that a path selects into the targets; false when it selects none.
    fn copy(&mut self, targets: &[TreeId], at: NodeId, path: &JsonPath) -> bool {
        let from = match self.select(path, at).as_deref() {
            None => return true,
            Some([]) => return false,
            Some(&[from]) => from,
            Some(several) => {
                let message =
                    format!("`copy` selects {} values of `{}`, and must select one", several.len(), self.name);
                self.report(Code::TG0207, at, message);
                return true;
            }
        };
        // A copy is made first: one of the targets may be the value, or be in it.
        match self.tree.copy(from) {
            Ok(value) => self.merge_into(targets, at, |tree| tree.copy(value)),
            Err(error) => self.refuse(error, at),
        }
        true
    }

    /// Merges a value, made anew for each, into the targets, up to the first that does not take it.
    fn merge_into(
        &mut self,
        targets: &[TreeId],
        at: NodeId,
        mut value: impl FnMut(&mut Tree<'_>) -> Result<TreeId, EditError>,
    ) {
        for &target in targets {
            let merged = value(self.tree).and_then(|value| self.tree.merge(target, value));
            if let Err(error) = merged {
                return self.refuse(error, at);
            }
        }
    }

    fn refuse(&mut self, error: EditError, at: NodeId) {
        let (code, message) = match error {
            EditError::TooDeep => {
                let message = format!("`{}` would nest deeper than {} levels here", self.name, limits::DEPTH);
                (Code::TG0105, message)
            }
            EditError::TooLarge => {
                let message =
                    format!("the overlays make `{}` grow to more than {} values", self.name, self.tree.max_values());
                (Code::TG0105, message)
            }
            EditError::Misfit { target, value } => {
                let (target, value) = (target.phrase(), value.phrase());
                let message =
                    format!("`target` selects {target} of `{}`, and {value} cannot be merged into it", self.name);
                (Code::TG0207, message)
            }
        };
        self.report(code, at, message);
    }

    fn report(&mut self, code: Code, node: NodeId, message: String) {
        self.findings.report(code, NodeRef { doc: self.doc, node }, message);
    }
}
