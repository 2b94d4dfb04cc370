//! `agent.yml` and `x-agent-*` extensions, turned into columns of the IR: what protects an operation and what is said
//! about it, and calls of several steps.
//!
//! Reads a compiled API, the manifest and the documents' extensions; writes `safety`, `idempotency`, `gate`, the error
//! models, the roles of key headers and everything under `agent`. A rule that cannot apply is left out with a
//! diagnostic (TG0603 to TG0614), and the rest still applies. Precedence: the manifest's entry of an operation, its
//! extensions, what the description implies, the manifest's defaults, the method.

mod clusters;
mod confirmation;
mod cx;
mod errors;
mod expressions;
mod extensions;
mod fields;
mod gates;
mod macros;
mod names;
mod operations;
mod predicates;
mod previews;
mod safety;
mod settings;
mod steps;
mod tools;
mod values;
mod verify;

use base::Diags;
use base_doc::DocSet;
use tungsten_ir::Ir;
use tungsten_manifest::AgentManifest;

use cx::Cx;

/// Applies a manifest and the extensions of the documents to a compiled API. Never fails: what is wrong is reported.
///
/// Costs nothing worth measuring when there is neither a manifest nor an extension.
pub fn apply(ir: &mut Ir, manifest: Option<&AgentManifest>, docs: &DocSet, diags: &mut Diags) {
    if manifest.is_none() && !extensions::are_there(docs) {
        return;
    }
    let empty = AgentManifest::empty();
    let manifest = manifest.unwrap_or(&empty);
    let mut cx = Cx::new(ir, diags);
    let tools = tools::gather(manifest, docs, &mut cx);
    settings::settings(manifest, &mut cx);
    safety::safety(&manifest.defaults, &tools, &mut cx);
    errors::errors(&manifest.errors, &mut cx);
    gates::gates(&manifest.gates, &tools, &mut cx);
    previews::previews(&manifest.defaults, &tools, &mut cx);
    operations::operations(&tools, &mut cx);
    verify::verify(&tools, &mut cx);
    macros::macros(&manifest.macros, &mut cx);
    clusters::clusters(&manifest.disclosure, &tools, &manifest.macros, &mut cx);
    if cfg!(debug_assertions) {
        let faults = tungsten_ir::verify(cx.ir);
        assert!(faults.is_empty(), "the IR is broken after the agent manifest: {faults:?}");
    }
}
