//! OpenAPI descriptions in, the intermediate representation out.
//!
//! Reads documents through a [`Loader`] that somebody else provides; writes tables and diagnostics. No file, clock or
//! environment is read here, and wrong input is a diagnostic, never a failure.

mod bodies;
mod contradictions;
mod declared;
mod enums;
mod facts;
mod findings;
mod formats;
mod grammar;
mod info;
pub mod keywords;
mod load;
mod loader;
mod lookup;
mod lower;
mod member_rules;
mod oddities;
mod operations;
mod overlay;
mod overrides;
mod params;
mod passes;
mod path_template;
mod paths;
mod pieces;
mod read;
mod refs;
mod responses;
mod rules;
mod scan;
mod schema;
mod security;
mod select;
mod servers;
mod shapes;
mod suggest;
mod type_names;
mod unions;
mod uri;
mod values;
mod version;
mod xml;

use base::{Code, Diags, Place, Sources, Span};
use base_doc::{DocId, DocSet};
use tungsten_ir::{Api, ErrorModel, Ir, Namespace};

pub use findings::place_rows;
pub use loader::{LoadError, Loader, MemoryLoader};
pub use overrides::{
    AuthHeaderSource, AuthProfile, AuthProfileKind, AuthProfilePart, CycleBreak, Declares, Filter, NameOverride, Named,
    Overrides, Pages, PaginationOverride, Plain, ResourceOverride, RpcOverride, SchemeName, Selection,
};

use findings::Findings;
use lower::Lowering;
use operations::Described;
use passes::Reports;
use select::{Project, Selector};
use version::Entry;

/// What is to be compiled.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// Machine name of the API.
    pub api_name: String,
    /// The first input gives the API its title and version.
    pub inputs: Vec<InputRequest>,
    /// Applied in order: to each input first its own, then those for every input.
    pub overlays: Vec<OverlayRequest>,
    /// What the project decides instead of the rules.
    pub overrides: Overrides,
}

/// One entry document.
#[derive(Clone, Default, Debug)]
pub struct InputRequest {
    /// Machine name, unique among the inputs.
    pub namespace: String,
    /// Path of the document, relative to the loader's root.
    pub spec: String,
}

/// An OpenAPI Overlay that changes inputs before anything else reads them.
#[derive(Clone, Default, Debug)]
pub struct OverlayRequest {
    /// Path of the overlay, relative to the loader's root.
    pub path: String,
    /// The input that it is for, whatever its `extends` says; without one it is for every input that its `extends` names,
    /// or for all.
    pub namespace: Option<String>,
}

/// A compiled API.
#[derive(Debug)]
pub struct Compiled {
    /// Nothing when no input could be read. With errors among the diagnostics it is incomplete.
    pub ir: Option<Ir>,
    /// The documents behind the IR's literals.
    pub docs: DocSet,
    pub sources: Sources,
    /// Not sorted yet: `Diags::finish` does that with `sources`.
    pub diags: Diags,
    pub stats: Stats,
}

/// How much was read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    pub n_documents: usize,
    pub n_bytes: u64,
    pub n_types: usize,
    pub n_ops: usize,
    pub refs: RefStats,
}

/// What references there are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RefStats {
    /// Named types.
    pub schemas: usize,
    /// References, wherever they stand.
    pub edges: usize,
    /// References into another document.
    pub cross_document: usize,
    /// Circles of named types (TG0203).
    pub cycles: usize,
    /// Named types that can contain themselves.
    pub recursive: usize,
}

/// Compiles the inputs of one API. Never fails: what is wrong is in the diagnostics.
pub fn compile(request: &Request, loader: &dyn Loader) -> Compiled {
    compile_after(Sources::new(), request, loader)
}

/// Like [`compile`], for a caller that has read sources already (a manifest, which the overrides' places point into);
/// the documents come behind them.
pub fn compile_after(sources: Sources, request: &Request, loader: &dyn Loader) -> Compiled {
    let mut diags = Diags::new();
    let mut findings = Findings::default();
    let documents = load::load(request, sources, loader, &mut diags);
    let refs = refs::resolve(&documents, &mut findings);
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for (input, doc) in request.inputs.iter().zip(&documents.entries) {
        let Some(doc) = *doc else { continue };
        entries.extend(version::entry(&input.namespace, doc, documents.docs.root(doc), &mut findings));
    }
    let overrides = &request.overrides;
    let (mut bases, mut lent) = (Vec::new(), Vec::new());
    let mut ir = (!entries.is_empty()).then(|| {
        let mut lowering = Lowering::new(&documents.docs, &refs, &documents.paths);
        lowering.api(&request.api_name, overrides, &entries[0]);
        let (schemes, auth) = security::schemes(&mut lowering, &entries, &overrides.auth_profiles, &mut diags);
        let mut project = Project { selector: Selector::new(&overrides.selections), auth };
        let mut described = Described::default();
        for entry in &entries {
            lowering.begin_namespace(entry);
            lowering.component_schemas(entry.root);
            let first_op = lowering.ir.ops.rows.len();
            operations::operations(&mut lowering, &schemes, &mut project, entry, &mut described);
            lowering.drain();
            lowering.finish_types();
            xml::hints(&mut lowering, &documents.with_xml);
            passes::rpc(&mut lowering, &overrides.rpc, first_op, &mut described.ops, &mut diags);
        }
        project.selector.report(&mut diags);
        project.auth.report(&lowering.ir, &mut diags);
        passes::break_cycles(&mut lowering, &overrides.break_cycles, &mut diags);
        passes::recursion(&mut lowering);
        verified(&lowering.ir, "lowering");
        if let Some(url) = &overrides.default_server {
            servers::prefer(&mut lowering, url);
        }
        findings.append(lowering.findings);
        (bases, lent) = (lowering.types.bases, lowering.types.lent);
        let mut ir = lowering.ir;
        passes::roles(&mut ir, &documents.docs, &schemes);
        let mut reports = Reports { ops: &described.ops, findings: &mut findings, diags: &mut diags };
        passes::gates(&mut ir, &documents.docs, &mut reports);
        passes::pagination(&mut ir, &overrides.pagination, &mut reports);
        passes::resources(&mut ir, overrides, &mut reports);
        passes::safety(&mut ir);
        passes::errors(&mut ir);
        ir
    });
    let whole: Vec<DocId> = entries.iter().map(|entry| entry.doc).collect();
    oddities::report(&documents, &whole, &mut findings);
    findings.into_diags(&documents.docs, &mut diags);
    if let Some(ir) = ir.as_mut().filter(|_| overrides.prune_unreferenced) {
        passes::prune(ir, &bases, &lent, &mut diags);
    }
    findings::fold(&mut diags, Code::TG0304);
    if let Some(ir) = &ir {
        verified(ir, "all passes");
    }
    let stats = Stats {
        n_documents: documents.docs.docs.len(),
        n_bytes: documents.sources.iter().map(|(_, source)| source.bytes().len() as u64).sum(),
        n_types: ir.as_ref().map_or(0, |ir| ir.types.rows.len()),
        n_ops: ir.as_ref().map_or(0, |ir| ir.ops.rows.len()),
        refs: RefStats {
            schemas: ir.as_ref().map_or(0, |ir| ir.types.named.len()),
            edges: refs.n_edges(),
            cross_document: refs.n_cross_document(),
            cycles: diags.iter().filter(|diagnostic| diagnostic.code == Code::TG0203).count(),
            recursive: ir.as_ref().map_or(0, |ir| ir.types.named.iter().filter(|ty| ir.recursive[**ty]).count()),
        },
    };
    if request.inputs.is_empty() {
        diags.report(Code::TG0101, Place::default(), "no input is named");
    }
    Compiled { ir, docs: documents.docs, sources: documents.sources, diags, stats }
}

/// In debug builds, panics when the tables are broken: later code follows ids and spans without asking.
fn verified(ir: &Ir, after: &str) {
    if cfg!(debug_assertions) {
        let faults = tungsten_ir::verify(ir);
        assert!(faults.is_empty(), "the IR is broken after {after}: {faults:?}");
    }
}

impl<'a> Lowering<'a> {
    fn api(&mut self, name: &str, overrides: &Overrides, first: &Entry<'a>) {
        let name = self.name(name);
        let title = overrides.title.as_deref().or(first.title).map(|text| self.text(text));
        let description = overrides.description.as_deref().or(first.description).map(|text| self.text(text));
        let docs_url = overrides.docs_url.as_deref().map(|text| self.text(text));
        let version = self.name(first.version);
        self.ir.api = Api { name, title, description, docs_url, version, servers: Span::EMPTY };
    }

    fn begin_namespace(&mut self, entry: &Entry<'a>) {
        let doc = &self.docs.docs[entry.doc];
        let row = Namespace {
            name: self.name(entry.namespace),
            source: doc.source_id(),
            digest: doc.source().digest(),
            title: entry.title.map(|text| self.text(text)),
            version: self.name(entry.version),
            resources: Span::EMPTY,
            planned: Span::EMPTY,
            errors: ErrorModel::default(),
            info: self.info(entry.root),
        };
        self.namespace = self.ir.namespaces.push(row);
        self.entry_dialect = entry.dialect;
        self.begin_types();
    }
}
