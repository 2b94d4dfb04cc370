//! From a path on the command line to a compiled API: open, read, compile, sort the findings.

use std::path::Path;
use std::sync::Arc;

use base::digest::Digest;
use base::source::Access;
use base::{Diagnostic, Diags, Severity, Source, Sources};
use base_doc::DocSet;
use tungsten_frontend::{InputRequest, OverlayRequest, Request};
use tungsten_ir::{Ir, OpKind, OpStatus};
use tungsten_manifest::Manifest;

use crate::disk::DiskLoader;
use crate::failure::Failure;
use crate::project::{Opened, open};
use crate::{dump, explain, overrides};

/// A compiled project. `ir` is only there when no error was found.
#[derive(Debug)]
pub struct Compilation {
    pub project: Opened,
    pub ir: Option<Ir>,
    /// The documents behind the IR's literals.
    pub docs: DocSet,
    pub sources: Arc<Sources>,
    /// Sorted.
    pub diagnostics: Vec<Diagnostic>,
    frontend: tungsten_frontend::Stats,
}

/// Counts of a compiled API.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stats {
    pub api: String,
    pub namespaces: usize,
    pub resources: usize,
    pub operations: usize,
    pub implemented: usize,
    pub planned: usize,
    /// Callable ones that need a switch of the server.
    pub gated: usize,
    /// Named types that emitters declare.
    pub types: usize,
    pub auth_schemes: usize,
}

/// Compiles what the command line names. Wrong input is among the diagnostics; only trouble with the world fails.
pub fn compile(path: &Path) -> Result<Compilation, Failure> {
    Ok(compile_opened(open(path)?, Access::Map))
}

/// Compiles an opened project. `access` is [`Access::Read`] for commands that go on after the compilation.
pub fn compile_opened(mut project: Opened, access: Access) -> Compilation {
    let Some(manifest) = &project.manifest else {
        let (sources, diagnostics) = (Arc::clone(&project.sources), std::mem::take(&mut project.diagnostics));
        let frontend = tungsten_frontend::Stats::default();
        return Compilation { project, ir: None, docs: DocSet::default(), sources, diagnostics, frontend };
    };
    let loader = DiskLoader::new(project.root.clone(), access);
    let request = request(manifest, &project);
    let sources = Arc::try_unwrap(std::mem::take(&mut project.sources)).unwrap_or_default();
    let mut compiled = tungsten_frontend::compile_after(sources, &request, &loader);
    if let Some(ir) = &mut compiled.ir {
        tungsten_agent::apply(ir, project.agent.as_ref(), &compiled.docs, &mut compiled.diags);
    }
    compiled.diags.extend(std::mem::take(&mut project.diagnostics));
    let diagnostics = compiled.diags.finish(&compiled.sources);
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    let sources = Arc::new(compiled.sources);
    project.sources = Arc::clone(&sources);
    Compilation {
        project,
        ir: compiled.ir.filter(|_| !has_errors),
        docs: compiled.docs,
        sources,
        diagnostics,
        frontend: compiled.stats,
    }
}

fn request(manifest: &Manifest, project: &Opened) -> Request {
    let inputs = manifest
        .inputs
        .iter()
        .map(|input| InputRequest { namespace: input.namespace.to_string(), spec: project.root.path_of(&input.spec) });
    let overlay =
        |path: &str, namespace: Option<String>| OverlayRequest { path: project.root.path_of(path), namespace };
    let mut overlays = Vec::new();
    for input in manifest.inputs.iter() {
        overlays.extend(input.overlays.iter().map(|path| overlay(path, Some(input.namespace.to_string()))));
    }
    overlays.extend(manifest.overlays.iter().map(|path| overlay(path, None)));
    Request {
        api_name: manifest.api.name.to_string(),
        inputs: inputs.collect(),
        overlays,
        overrides: overrides::of(manifest),
    }
}

impl Compilation {
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// Configured targets, in manifest order.
    pub fn target_names(&self) -> Vec<String> {
        self.project.target_names()
    }

    /// Documents that were read.
    pub fn n_documents(&self) -> usize {
        self.frontend.n_documents
    }

    /// Namespaces of the inputs, in manifest order.
    pub fn namespaces(&self) -> Vec<String> {
        let inputs = self.project.manifest.iter().flat_map(|manifest| manifest.inputs.iter());
        inputs.map(|input| input.namespace.to_string()).collect()
    }

    /// The documents that the manifest names, as it names them.
    pub fn input_names(&self) -> Vec<String> {
        let inputs = self.project.manifest.iter().flat_map(|manifest| manifest.inputs.iter());
        inputs.map(|input| input.spec.to_string()).collect()
    }

    /// Names of the sources that a person chose: the manifests, and the documents and overlays that they name.
    pub fn named_inputs(&self) -> Vec<String> {
        let root = &self.project.root;
        let manifest = self.project.manifest.iter();
        let files = manifest.flat_map(Manifest::files).map(|file| root.display(&root.path_of(file)));
        files.chain(self.project.manifest_name.clone()).chain(self.project.agent_name.clone()).collect()
    }

    /// What each input's `openapi` says; nothing for one that could not be read.
    pub fn openapi_versions(&self) -> Vec<Option<String>> {
        let version = |name: &String| {
            let path = self.project.root.path_of(name);
            let display = self.project.root.display(&path);
            let (_, doc) = self.docs.docs.iter().find(|(_, doc)| doc.source().name() == display)?;
            let key = self.docs.keys.find("openapi")?;
            doc.get(doc.root(), key).and_then(|node| doc.as_str(node)).map(str::to_owned)
        };
        self.input_names().iter().map(version).collect()
    }

    /// Name and digest of every document that was read and of the manifest, by name.
    pub fn input_digests(&self) -> Vec<(String, Digest)> {
        let digest = |source: &Arc<Source>| (source.name().to_owned(), source.digest());
        let mut digests: Vec<_> = self.sources.iter().map(|(_, source)| digest(source)).collect();
        digests.sort_by(|a, b| a.0.cmp(&b.0));
        digests
    }

    /// Adds findings of later steps and sorts all again.
    pub fn add_diagnostics(&mut self, mut diags: Diags) {
        tungsten_frontend::place_rows(&self.docs, &mut diags);
        diags.extend(std::mem::take(&mut self.diagnostics));
        self.diagnostics = diags.finish(&self.sources);
    }

    /// What the frontend counted about references.
    pub fn refs(&self) -> tungsten_frontend::RefStats {
        self.frontend.refs
    }

    /// Nothing when the project has errors.
    pub fn stats(&self) -> Option<Stats> {
        let ir = self.ir.as_ref()?;
        let calls = || ir.ops.rows.iter().filter(|(_, op)| op.kind == OpKind::Call);
        let operations = calls().count();
        let planned = calls().filter(|(_, op)| matches!(op.status, OpStatus::Planned { .. })).count();
        let gated = calls().filter(|(id, op)| op.status == OpStatus::Implemented && ir.gate[*id].is_some()).count();
        Some(Stats {
            api: ir.names.resolve(ir.api.name).to_owned(),
            namespaces: ir.namespaces.len(),
            resources: ir.resources.rows.len(),
            operations,
            implemented: operations - planned - gated,
            planned,
            gated,
            types: ir.types.named.iter().filter(|ty| !ir.pruned[**ty]).count(),
            auth_schemes: ir.schemes.len(),
        })
    }

    /// The IR's JSON form; nothing when the project has errors.
    pub fn dump(&self, pretty: bool) -> Option<String> {
        self.ir.as_ref().map(|ir| dump::dump(self, ir, pretty))
    }

    /// Looks up an operation or a type by its id, or by a name that only one has.
    pub fn explain(&self, target: &str) -> explain::Explained {
        explain::explain(self, target)
    }
}
