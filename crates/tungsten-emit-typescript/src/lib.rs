//! The TypeScript target: an SDK over `@elysra/tungsten-runtime`.
//!
//! Reads the plan, the names and the target's options; returns files in the layout of Prettier's default options.
//! Generated code is thin: types, descriptors and typed signatures. What a call does is the runtime's.

mod agent;
mod client;
mod expressions;
mod input_schemas;
mod literals;
mod looks;
mod macros;
mod naming;
mod nesting;
mod object;
mod open;
mod operations;
mod package;
mod pages;
mod parameters;
mod products;
mod readme;
mod resources;
mod rule_types;
mod rules;
mod sample;
mod schemas;
mod streams;
mod types;
mod unsendable;
mod view;
mod webhooks;

use base::{Diags, Files, Id, RelPath};
use rayon::prelude::*;
use tungsten_emit::{Input, Lang, NodeId, Output};
use tungsten_ir::{NameOptions, NamespaceId};

pub use package::OPTIONS;

use package::Package;
use view::View;

/// The package that generated code imports.
const RUNTIME: &str = "@elysra/tungsten-runtime";

/// The arguments of a call that takes none.
const NO_ARGUMENTS: &str = "Record<string, never>";

/// What this target asks of the naming pass, beyond what the manifest says. Private fields have an alphabet of their own,
/// so members of resources keep nothing free but `then`: whatever has that method is waited for by `await`.
pub fn name_options(preserve_wire_field_names: bool) -> NameOptions<'static> {
    NameOptions {
        preserve_wire_field_names,
        report_collisions: true,
        report_escapes: true,
        used_members: &["then"],
        ..NameOptions::default()
    }
}

/// A file of the output.
#[derive(Clone, Copy)]
enum Job {
    Models(NamespaceId),
    Schemas(NamespaceId),
    Parameters(NamespaceId),
    /// The class of a namespace, where there are several.
    Namespace(NamespaceId),
    NamespaceDescriptors(NamespaceId),
    /// The file that starts with this node.
    Resource(NodeId),
    Descriptors(NodeId),
    Client,
    Index,
    Internal,
    AllDescriptors,
    Macros,
    Webhooks,
    Readme,
}

/// Generates the SDK.
pub fn emit(input: &Input<'_>) -> Output {
    let mut diags = Diags::new();
    let package = Package::new(input, &mut diags);
    client::report_schemes(input.ir, &mut diags);
    unsendable::report(input.ir, input.plan, &mut diags);
    let left_out = products::left_out(input.ir, input.plan, &mut diags);
    let view = View::new(input.ir, input.plan, input.names, left_out);
    let header = input.header.text(&Lang::TYPESCRIPT);
    let jobs = jobs(&view);
    let texts: Vec<Option<(String, String)>> =
        jobs.par_iter().with_max_len(1).map(|job| run(*job, &view, &package, &header)).collect();
    let mut files = Files::new();
    let mut add = |path: &str, text: String| {
        files.add(RelPath::new(path).expect("the view makes paths that are safe"), text);
    };
    texts.into_iter().flatten().for_each(|(path, text)| add(&path, text));
    add("package.json", package.manifest(macros::has_macros(&view), !view.plan.webhooks.is_empty()));
    add("tsconfig.json", include_str!("../assets/tsconfig.json").to_owned());
    add("src/custom/index.ts", include_str!("../assets/custom.ts").to_owned());
    Output { files, diags }
}

/// Large files first, so that no thread ends with one.
fn jobs(view: &View<'_>) -> Vec<Job> {
    let namespaces = || (0..view.namespaces.len()).map(NamespaceId::from_index);
    let mut jobs: Vec<Job> =
        namespaces().flat_map(|id| [Job::Models(id), Job::Schemas(id), Job::Parameters(id)]).collect();
    jobs.extend([Job::Client, Job::Index, Job::Internal, Job::AllDescriptors, Job::Macros, Job::Webhooks, Job::Readme]);
    if view.has_many_namespaces() {
        jobs.extend(namespaces().flat_map(|id| [Job::Namespace(id), Job::NamespaceDescriptors(id)]));
    }
    jobs.extend(view.files().flat_map(|id| [Job::Resource(id), Job::Descriptors(id)]));
    jobs
}

fn run(job: Job, view: &View<'_>, package: &Package, header: &str) -> Option<(String, String)> {
    let namespace = |id: NamespaceId| view.namespace(id).name.as_str();
    Some(match job {
        Job::Models(id) => (format!("src/models/{}.ts", namespace(id)), types::models(view, id, header)?),
        Job::Schemas(id) => (format!("src/schemas/{}.ts", namespace(id)), schemas::schemas(view, id, header)?),
        Job::Parameters(id) => {
            (format!("src/parameters/{}.ts", namespace(id)), parameters::parameters(view, id, header)?)
        }
        Job::Namespace(id) if view.roots(id).is_empty() => return None,
        Job::Namespace(id) => {
            let class = client::namespace_class(view, id);
            (format!("src/resources/{}.ts", namespace(id)), resources::namespace(view, id, &class, header))
        }
        Job::NamespaceDescriptors(id) => {
            (format!("src/descriptors/{}.ts", namespace(id)), client::namespace_descriptors(view, id, header))
        }
        Job::Resource(id) => {
            (format!("src/resources/{}.ts", view.node_path(id)), resources::resources(view, id, header))
        }
        Job::Descriptors(id) => {
            (format!("src/descriptors/{}.ts", view.node_path(id)), operations::descriptors(view, id, header)?)
        }
        Job::Client => ("src/client.ts".to_owned(), client::client(view, package, header)),
        Job::Index => ("src/index.ts".to_owned(), client::index(view, package, header)),
        Job::Internal => ("src/internal.ts".to_owned(), client::internal(view, package, header)),
        Job::AllDescriptors => ("src/descriptors.ts".to_owned(), client::descriptors(view, header)),
        Job::Macros => ("src/macros.ts".to_owned(), macros::macros(view, header)?),
        Job::Webhooks => ("src/webhooks.ts".to_owned(), webhooks::webhooks(view, header)?),
        Job::Readme => ("README.md".to_owned(), readme::readme(view, package)),
    })
}
