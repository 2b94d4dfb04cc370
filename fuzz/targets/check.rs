#![no_main]
//! Any bytes as an OpenAPI description: compiled, verified, and, without errors, emitted as TypeScript.

use base::Diags;
use libfuzzer_sys::fuzz_target;
use tungsten_emit::{Header, Input, Plan};
use tungsten_frontend::{InputRequest, MemoryLoader, Request, compile};
use tungsten_ir::profile::TYPESCRIPT;

fuzz_target!(|bytes: &[u8]| {
    let input = InputRequest { namespace: "fuzz".to_owned(), spec: "openapi.yaml".to_owned() };
    let request = Request { api_name: "fuzz".to_owned(), inputs: vec![input], ..Request::default() };
    let loader = MemoryLoader::new().with("openapi.yaml", bytes);
    let compiled = compile(&request, &loader);
    let has_errors = compiled.diags.has_errors();
    compiled.diags.finish(&compiled.sources);
    let Some(ir) = compiled.ir else {
        assert!(has_errors, "a refused description has an error");
        return;
    };
    assert_eq!(tungsten_ir::verify_frozen(&ir, has_errors), Vec::<String>::new());
    if has_errors {
        return;
    }
    let mut diags = Diags::new();
    let names = tungsten_ir::assign(&ir, &TYPESCRIPT, &tungsten_emit_typescript::name_options(false), &mut diags);
    let plan = Plan::new(&ir, names.members());
    let header = Header { version: "0".to_owned(), inputs: Vec::new() };
    let input = Input { ir: &ir, plan: &plan, names: &names, docs: &compiled.docs, options: &[], header: &header };
    tungsten_emit_typescript::emit(&input);
});
