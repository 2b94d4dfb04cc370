//! Overlays (OpenAPI Overlay 1.0 and 1.1): documents that change an input before anything else reads it.
//!
//! `document` reads and checks an overlay, `apply` changes an input by it. Here is which overlay is for which input, and
//! what is said of actions that changed nothing (TG0206).

mod apply;
mod document;

use base::{Code, Diags, Interner};
use base_doc::{Doc, DocId, DocSet, NodeRef};

use crate::findings::Findings;
use crate::paths;

use apply::Work;
use document::Overlay;

/// The overlays of a run. Their documents are a set of their own: no reference leads into them.
#[derive(Default)]
pub(crate) struct Overlays {
    docs: DocSet,
    list: Vec<Overlay>,
    findings: Findings,
    work: Work,
}

/// An overlay of [`Overlays`], in the order in which it is applied to an input.
pub(crate) type OverlayIndex = usize;

impl Overlays {
    /// Where the overlays' documents are parsed into.
    pub(crate) fn docs(&mut self) -> &mut DocSet {
        &mut self.docs
    }

    /// Reads an overlay from its document; nothing when it is none, which is reported.
    pub(crate) fn add(&mut self, doc: DocId, path: &str) -> Option<OverlayIndex> {
        let overlay = document::read(&self.docs, doc, path, &mut self.findings)?;
        self.list.push(overlay);
        Some(self.list.len() - 1)
    }

    /// Whether an overlay that is for every input is for the one at `path`: `extends` may name it. What it names on the
    /// network cannot be compared with a file.
    pub(crate) fn extends(&self, index: OverlayIndex, path: &str) -> bool {
        let overlay = &self.list[index];
        overlay.extends.as_ref().is_none_or(|(_, extended)| match paths::resolve(&overlay.path, extended) {
            paths::Place::Inside(inside) => inside == path,
            paths::Place::Remote(_) => true,
            paths::Place::Folder | paths::Place::Outside(_) => false,
        })
    }

    /// The input after `overlays`, in order; nothing when it stays as it is. `name` is the input's, for messages.
    pub(crate) fn apply(
        &mut self,
        overlays: &[OverlayIndex],
        doc: &Doc,
        keys: &mut Interner,
        name: &str,
    ) -> Option<Doc> {
        if overlays.is_empty() {
            return None;
        }
        for &index in overlays {
            self.list[index].is_applied = true;
        }
        Some(apply::apply(
            overlays,
            &mut self.list,
            &self.docs,
            (doc, keys),
            name,
            (&mut self.findings, &mut self.work),
        ))
    }

    /// Reports what had no effect on any input, and gives all findings their places.
    pub(crate) fn finish(mut self, diags: &mut Diags) {
        for overlay in &self.list {
            let at = |node| NodeRef { doc: overlay.doc, node };
            if let Some((node, _)) = overlay.extends.as_ref().filter(|_| !overlay.is_applied) {
                let message = "`extends` names none of the inputs, so the overlay is not applied";
                let finding = self.findings.report(Code::TG0206, at(*node), message);
                finding.help = Some("name an input, or list the overlay under the input that it is for".to_owned());
                continue;
            }
            for action in overlay.actions.iter().filter(|action| overlay.is_applied && !action.has_matched) {
                let (node, what) = action.unmatched.unwrap_or((action.target_node, "`target`"));
                let message = format!("{what} matches nothing, so the action has no effect");
                self.findings.report(Code::TG0206, at(node), message);
            }
        }
        self.findings.into_diags(&self.docs, diags);
    }
}
