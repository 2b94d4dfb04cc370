//! Loads the input documents, changes them by their overlays, and loads every file that their references reach, wave by
//! wave.
//!
//! Reads through a [`Loader`]; writes the documents, their paths and the place of every `$ref`. A wave is loaded and
//! parsed in parallel and joined in the order in which its files were first named. What a reference means inside a
//! document is left to `refs`.

use std::sync::Arc;

use base::{Code, Diags, Id, Place, Source, Sources, limits};
use base_doc::{Doc, DocId, DocSet, NodeId, NodeRef, Tree};
use rayon::prelude::*;

use crate::keywords;
use crate::loader::{LoadError, Loader};
use crate::lookup::{Map, Set};
use crate::overlay::{OverlayIndex, Overlays};
use crate::paths;
use crate::scan::{self, Oddity, RefEdge, Scan, SelfName};
use crate::{OverlayRequest, Request};

/// All documents of a run.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) docs: DocSet,
    pub(crate) sources: Sources,
    /// The document of each input.
    pub(crate) entries: Vec<Option<DocId>>,
    /// The path of each document, relative to the input root.
    pub(crate) paths: Vec<String>,
    pub(crate) files: Map<String, FileState>,
    /// The references of each document, in document order.
    pub(crate) edges: Vec<Vec<RefEdge>>,
    /// By document: members that the format does not know.
    pub(crate) oddities: Vec<Vec<Oddity>>,
    /// By document: schemas that have an `xml` object.
    pub(crate) with_xml: Vec<Vec<NodeId>>,
    /// By document: schemas that name themselves.
    pub(crate) names: Vec<Vec<SelfName>>,
}

/// What became of a file.
#[derive(Clone, Debug)]
pub(crate) enum FileState {
    Read(DocId),
    /// The file is there but no document; the parser said why.
    Refused,
    Failed(LoadError),
    /// Not loaded any more, because a budget was used up; that was reported.
    OverBudget,
}

/// Files whose bytes may be in memory before the budget is looked at again.
const FILES_PER_STEP: usize = 64;

/// Loads the entry documents of a request and what they lead to.
pub(crate) fn load(request: &Request, sources: Sources, loader: &dyn Loader, diags: &mut Diags) -> Loaded {
    let mut run = Run { loader, as_read: Map::default(), n_bytes: 0, over_budget: false, loaded: Loaded::new(sources) };
    let specs = request.inputs.iter().map(|input| input.spec.as_str());
    let entry_paths: Vec<Option<String>> = specs.map(|path| entry_path(path, "an input", diags)).collect();
    let mut wave: Vec<String> = Vec::new();
    for path in entry_paths.iter().flatten() {
        if !wave.contains(path) {
            wave.push(path.clone());
        }
    }
    run.load_wave(&wave, Digests::Now, diags);
    for path in &entry_paths {
        let state = path.as_ref().and_then(|path| run.loaded.files.get(path));
        if let (Some(FileState::Failed(error)), Some(path)) = (state, path) {
            report_entry(&loader.name(path), error, diags);
        }
        let doc = match state {
            Some(FileState::Read(doc)) => Some(*doc),
            _ => None,
        };
        run.loaded.entries.push(doc);
    }
    if !request.overlays.is_empty() {
        run.apply_overlays(request, &entry_paths, diags);
    }
    let mut first_new = 0;
    loop {
        wave = run.next_wave(first_new);
        if wave.is_empty() {
            return run.loaded;
        }
        first_new = run.loaded.docs.docs.len();
        run.load_wave(&wave, Digests::WhenAsked, diags);
    }
}

impl Loaded {
    fn new(sources: Sources) -> Self {
        Self {
            docs: DocSet::with_words(keywords::WORDS),
            sources,
            entries: Vec::new(),
            paths: Vec::new(),
            files: Map::default(),
            edges: Vec::new(),
            oddities: Vec::new(),
            with_xml: Vec::new(),
            names: Vec::new(),
        }
    }

    /// The text of a reference.
    pub(crate) fn ref_text(&self, doc: DocId, edge: &RefEdge) -> &str {
        let value = self.docs.value(NodeRef { doc, node: edge.text });
        let text = if edge.is_key { value.key_text() } else { value.as_str() };
        text.unwrap_or_default()
    }
}

/// Whether to take the digests of what is loaded. Those of the entry documents stand in the IR, and a thread that has no
/// document to parse takes them meanwhile; those of thousands of others may never be asked for.
#[derive(Clone, Copy)]
enum Digests {
    Now,
    WhenAsked,
}

struct Run<'a> {
    loader: &'a dyn Loader,
    /// By document that an overlay changed: what was read.
    as_read: Map<DocId, Doc>,
    n_bytes: u64,
    over_budget: bool,
    loaded: Loaded,
}

impl Run<'_> {
    fn load_wave(&mut self, wave: &[String], digests: Digests, diags: &mut Diags) {
        for step in wave.chunks(FILES_PER_STEP) {
            let loader = self.loader;
            let read: Vec<_> = step.par_iter().map(|path| loader.load(path)).collect();
            let mut batch = Vec::new();
            let mut batch_paths = Vec::new();
            for (path, source) in step.iter().zip(read) {
                match source {
                    Ok(source) if self.within_budget(path, source.bytes().len() as u64, diags) => {
                        let source = Arc::new(source);
                        let id = self.loaded.sources.push(Arc::clone(&source));
                        batch.push((source, id));
                        batch_paths.push(path);
                    }
                    Ok(_) => self.set(path, FileState::OverBudget),
                    Err(error) => self.set(path, FileState::Failed(error)),
                }
            }
            let digested: Vec<Arc<Source>> = match digests {
                Digests::Now => batch.iter().map(|(source, _)| Arc::clone(source)).collect(),
                Digests::WhenAsked => Vec::new(),
            };
            let set = &mut self.loaded.docs;
            let (docs, ()) = rayon::join(
                || base_doc::parse_all(batch, set, diags),
                || digested.par_iter().for_each(|source| _ = source.digest()),
            );
            for (path, doc) in batch_paths.into_iter().zip(docs) {
                if doc.is_some() {
                    self.loaded.paths.push(path.clone());
                }
                self.set(path, doc.map_or(FileState::Refused, FileState::Read));
            }
        }
    }

    /// Changes the entry documents by the overlays that are for them. Inputs that share a document have one each when
    /// their overlays differ.
    fn apply_overlays(&mut self, request: &Request, entry_paths: &[Option<String>], diags: &mut Diags) {
        let mut overlays = Overlays::default();
        let known = self.load_overlays(&request.overlays, &mut overlays, diags);
        let mut done: Map<(DocId, Vec<OverlayIndex>), DocId> = Map::default();
        let mut changed: Set<DocId> = Set::default();
        for (index, input) in request.inputs.iter().enumerate() {
            let (Some(doc), Some(path)) = (self.loaded.entries[index], &entry_paths[index]) else { continue };
            let of_input = |overlay: &OverlayRequest| overlay.namespace.as_ref().map(|name| *name == input.namespace);
            let pairs =
                || request.overlays.iter().zip(&known).filter_map(|(overlay, index)| Some((overlay, (*index)?)));
            let own = pairs().filter(|(overlay, _)| of_input(overlay) == Some(true));
            let of_all =
                pairs().filter(|(overlay, index)| of_input(overlay).is_none() && overlays.extends(*index, path));
            let order: Vec<OverlayIndex> = own.chain(of_all).map(|(_, index)| index).collect();
            let target = match done.get(&(doc, order.clone())) {
                Some(&same) => same,
                None => self.with_overlays(doc, path, &order, &mut overlays, changed.insert(doc)),
            };
            done.insert((doc, order), target);
            self.loaded.entries[index] = Some(target);
        }
        overlays.finish(diags);
    }

    /// The document of an entry after its overlays: in its own place for the first, as a document of its own for another.
    fn with_overlays(
        &mut self,
        doc: DocId,
        path: &str,
        order: &[OverlayIndex],
        overlays: &mut Overlays,
        is_first: bool,
    ) -> DocId {
        let name = self.loader.name(path);
        let DocSet { docs, keys, .. } = &mut self.loaded.docs;
        let read = self.as_read.get(&doc).unwrap_or(&docs[doc]);
        let changed = overlays.apply(order, read, keys, &name);
        if is_first {
            if let Some(changed) = changed {
                let read = std::mem::replace(&mut docs[doc], changed);
                self.as_read.insert(doc, read);
            }
            return doc;
        }
        let changed = changed.unwrap_or_else(|| Tree::new(read, keys).into_doc());
        self.loaded.paths.push(path.to_owned());
        docs.push(changed)
    }

    /// Loads and reads the overlays; the place of each in `overlays`, nothing for one that cannot be applied.
    fn load_overlays(
        &mut self,
        requests: &[OverlayRequest],
        overlays: &mut Overlays,
        diags: &mut Diags,
    ) -> Vec<Option<OverlayIndex>> {
        let mut known: Map<String, Option<OverlayIndex>> = Map::default();
        let mut out = Vec::with_capacity(requests.len());
        for request in requests {
            let Some(path) = entry_path(&request.path, "an overlay", diags) else {
                out.push(None);
                continue;
            };
            if let Some(index) = known.get(&path) {
                out.push(*index);
                continue;
            }
            let index = self.load_overlay(&path, overlays, diags);
            known.insert(path, index);
            out.push(index);
        }
        out
    }

    fn load_overlay(&mut self, path: &str, overlays: &mut Overlays, diags: &mut Diags) -> Option<OverlayIndex> {
        let source = match self.loader.load(path) {
            Ok(source) if self.within_budget(path, source.bytes().len() as u64, diags) => Arc::new(source),
            Ok(_) => return None,
            Err(error) => {
                report_entry(&self.loader.name(path), &error, diags);
                return None;
            }
        };
        let id = self.loaded.sources.push(Arc::clone(&source));
        let docs = base_doc::parse_all(vec![(source, id)], overlays.docs(), diags);
        overlays.add(docs.into_iter().next().flatten()?, path)
    }

    fn set(&mut self, path: &str, state: FileState) {
        self.loaded.files.insert(path.to_owned(), state);
    }

    fn within_budget(&mut self, path: &str, n_bytes: u64, diags: &mut Diags) -> bool {
        if self.over_budget {
            return false;
        }
        self.n_bytes += n_bytes;
        let message = if self.loaded.sources.len() >= limits::FILES {
            format!("more than {} files are reached", limits::FILES)
        } else if self.n_bytes > limits::TOTAL_BYTES {
            limits::files_too_large()
        } else {
            return true;
        };
        self.over_budget = true;
        diags.report(Code::TG0105, Place::file(self.loader.name(path)), message);
        false
    }

    /// The files that the documents from `first_new` on name and that were not met before, in the order of the names.
    fn next_wave(&mut self, first_new: usize) -> Vec<String> {
        let loaded = &mut self.loaded;
        let new: Vec<DocId> = (first_new..loaded.docs.docs.len()).map(DocId::from_index).collect();
        let docs = &loaded.docs;
        let scans: Vec<Scan> = new.par_iter().map(|&doc| scan::scan(docs, doc)).collect();
        for scan in scans {
            loaded.edges.push(scan.edges);
            loaded.oddities.push(scan.oddities);
            loaded.with_xml.push(scan.with_xml);
            loaded.names.push(scan.names);
        }
        let mut wave = Vec::new();
        let mut named: Set<String> = Set::default();
        let mut last = "";
        for &doc in &new {
            for edge in &loaded.edges[doc.index()] {
                let text = loaded.ref_text(doc, edge);
                let file = text.split('#').next().unwrap_or_default();
                if file.is_empty() || file == last {
                    continue;
                }
                if let paths::Place::Inside(path) = paths::resolve(&loaded.paths[doc.index()], file)
                    && !loaded.files.contains_key(&path)
                    && !named.contains(&path)
                {
                    named.insert(path.clone());
                    wave.push(path);
                }
                last = file;
            }
            last = "";
        }
        wave
    }
}

fn entry_path(path: &str, what: &str, diags: &mut Diags) -> Option<String> {
    let inside = if path.starts_with('/') { None } else { paths::normalise("", path) };
    if inside.is_none() {
        let message = format!("the path of {what} leads out of the input root");
        diags.report(Code::TG0101, Place::file(path), message);
    }
    inside
}

fn report_entry(name: &str, error: &LoadError, diags: &mut Diags) {
    let (code, message) = describe(error);
    diags.report(if code == Code::TG0105 { code } else { Code::TG0101 }, Place::file(name), message);
}

/// The code and the words for a file that could not be loaded because a reference names it.
pub(crate) fn describe(error: &LoadError) -> (Code, String) {
    match error {
        LoadError::NotFound => (Code::TG0201, "the file does not exist".to_owned()),
        LoadError::NotAFile => (Code::TG0201, "the path names no regular file".to_owned()),
        LoadError::TooLarge(n_bytes) => (Code::TG0105, limits::file_too_large(*n_bytes)),
        LoadError::Outside => (Code::TG0204, "the path leads out of the input root".to_owned()),
        LoadError::Other(why) => (Code::TG0101, format!("the file could not be read: {why}")),
    }
}
