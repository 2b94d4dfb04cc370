#![no_main]
//! An input in two parts with a line `====` between: `tungsten.yml` and `agent.yml`, beside a description that is always
//! the same. What they ask for holds in tables that are whole, or is refused with an error.

use std::sync::Arc;

use base::{Diags, Severity, Source, Sources};
use libfuzzer_sys::fuzz_target;
use tungsten_frontend::{InputRequest, MemoryLoader, Request, compile_after};

const DESCRIPTION: &str = include_str!("../../tests/golden/guarded/shop.yaml");

fuzz_target!(|bytes: &[u8]| {
    let (project, agent) = tungsten_fuzz::split(bytes);
    let mut sources = Sources::new();
    let mut diags = Diags::new();
    let mut source = |name: &str, bytes: &[u8]| {
        let source = Arc::new(Source::from_bytes(name, bytes));
        (Arc::clone(&source), sources.push(source))
    };
    let (text, id) = source("tungsten.yml", project);
    let manifest = tungsten_manifest::read_source(text, id, &mut diags);
    assert!(manifest.is_some() || diags.has_errors(), "a refused manifest has an error");
    let n_errors = count_errors(&diags);
    let (text, id) = source("agent.yml", agent);
    let agent = tungsten_manifest::read_agent_source(text, id, &mut diags);
    assert!(agent.is_some() || count_errors(&diags) > n_errors, "a refused manifest has an error");
    let overrides = manifest.as_ref().map(tungsten_project::overrides_of).unwrap_or_default();
    let inputs = vec![InputRequest { namespace: "shop".to_owned(), spec: "shop.yaml".to_owned() }];
    let request = Request { api_name: "shop".to_owned(), inputs, overrides, ..Request::default() };
    let mut compiled = compile_after(sources, &request, &MemoryLoader::new().with("shop.yaml", DESCRIPTION));
    if let Some(ir) = &mut compiled.ir {
        tungsten_agent::apply(ir, agent.as_ref(), &compiled.docs, &mut compiled.diags);
        assert_eq!(tungsten_ir::verify_frozen(ir, compiled.diags.has_errors()), Vec::<String>::new());
    }
    diags.finish(&compiled.sources);
    compiled.diags.finish(&compiled.sources);
});

fn count_errors(diags: &Diags) -> usize {
    diags.iter().filter(|one| one.severity == Severity::Error).count()
}
