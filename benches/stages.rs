//! Each stage of the compiler over one description: reading, compiling, planning and naming, emitting.
//!
//! Reads GitHub's published description when it is there, else a synthetic one. Compare stages within one run.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use base::{Diags, Interner, Source};
use base_doc::{Syntax, parse};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tungsten_emit::{Header, Input, Plan};
use tungsten_frontend::{InputRequest, MemoryLoader, Request, compile};
use tungsten_ir::profile::TYPESCRIPT;

#[path = "../corpus/synthetic.rs"]
mod synthetic;

/// Name and bytes of each document of the description, the entry first.
type Documents = Vec<(String, Vec<u8>)>;

fn description() -> Documents {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let shared = std::env::var_os("TUNGSTEN_SHARED").map_or_else(|| root.join("../shared"), PathBuf::from);
    if let Ok(bytes) = std::fs::read(shared.join("corpus/github-rest/api.github.com.json")) {
        return vec![("openapi.json".to_owned(), bytes)];
    }
    println!("skipped: no ../shared, a synthetic description stands in");
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let size = synthetic::Size { documents: 1, operations: 1_000, paths: synthetic::Paths::InEntry };
    synthetic::write(folder.path(), size).expect("the temporary folder is writable");
    let read = |name: &str| (name.to_owned(), std::fs::read(folder.path().join(name)).expect("just written"));
    vec![read("openapi.yaml"), read("schemas/group0.yaml")]
}

fn stages(criterion: &mut Criterion) {
    let documents = description();
    let mut group = criterion.benchmark_group("stages");
    let n_bytes: usize = documents.iter().map(|(_, bytes)| bytes.len()).sum();
    group.sample_size(10).throughput(Throughput::Bytes(n_bytes as u64));

    if documents.iter().all(|(name, _)| name.ends_with(".json")) {
        group.bench_function("serde_json::Value, for comparison", |bench| {
            bench.iter(|| {
                for (_, bytes) in &documents {
                    black_box(serde_json::from_slice::<serde_json::Value>(bytes).expect("a description is JSON"));
                }
            });
        });
    }
    group.bench_function("bytes to document", |bench| {
        bench.iter(|| {
            for (name, bytes) in &documents {
                let source = std::sync::Arc::new(Source::from_bytes(name.clone(), bytes.clone()));
                let id = base::Sources::new().push(source.clone());
                black_box(parse(source, id, Syntax::of_name(name), Interner::new()).doc.expect("a document"));
            }
        });
    });
    let with = |loader: MemoryLoader, (name, bytes): &(String, Vec<u8>)| loader.with(name.clone(), bytes.clone());
    let loader = documents.iter().fold(MemoryLoader::new(), with);
    let input = InputRequest { namespace: "api".to_owned(), spec: documents[0].0.clone() };
    let request = Request { api_name: "api".to_owned(), inputs: vec![input], ..Request::default() };
    group.bench_function("check: bytes to IR", |bench| {
        bench.iter(|| black_box(compile(&request, &loader).stats));
    });
    let compiled = compile(&request, &loader);
    let ir = compiled.ir.expect("the description is compiled");
    assert!(!ir.ops.rows.is_empty(), "the description has operations to measure");
    group.bench_function("names and plan", |bench| {
        bench.iter(|| {
            let names = tungsten_ir::assign(
                &ir,
                &TYPESCRIPT,
                &tungsten_emit_typescript::name_options(false),
                &mut Diags::new(),
            );
            black_box(Plan::new(&ir, names.members()).calls.len())
        });
    });
    let names =
        tungsten_ir::assign(&ir, &TYPESCRIPT, &tungsten_emit_typescript::name_options(false), &mut Diags::new());
    let plan = Plan::new(&ir, names.members());
    let header = Header { version: "0".to_owned(), inputs: Vec::new() };
    group.bench_function("emit TypeScript", |bench| {
        let input = Input { ir: &ir, plan: &plan, names: &names, docs: &compiled.docs, options: &[], header: &header };
        bench.iter(|| black_box(tungsten_emit_typescript::emit(&input).files.len()));
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
