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

/// The input `doc` after the overlays with these numbers, in order.
pub(super) fn apply(
    order: &[usize],
    overlays: &mut [Overlay],
    docs: &DocSet,
    (doc, keys): (&Doc, &mut Interner),
    name: &str,
    findings: &mut Findings,
) -> Doc {
    let mut tree = Tree::new(doc, keys);
    for &number in order {
        let overlay = &mut overlays[number];
        let origin = tree.origin(&docs.docs[overlay.doc]);
        let mut run = Run { tree: &mut tree, origin, docs, doc: overlay.doc, name, findings };
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
        let Ok(mut found) = path.select(self.tree, &mut Visits::default()) else {
            let message = format!("the path looks at more than {} values of `{}`", limits::JSON_PATH_VISITS, self.name);
            self.report(Code::TG0105, at, message);
            return None;
        };
        let mut seen: Set<TreeId> = Set::default();
        found.retain(|&value| seen.insert(value));
        Some(found)
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
