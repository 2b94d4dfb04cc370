#![no_main]
//! Any bytes as an OpenAPI description: compiled, verified, and, without errors, emitted as TypeScript.

use base::Sources;
use libfuzzer_sys::fuzz_target;
use tungsten_frontend::{InputRequest, MemoryLoader, Request, compile};

fuzz_target!(|bytes: &[u8]| {
    let input = InputRequest { namespace: "fuzz".to_owned(), spec: "openapi.yaml".to_owned() };
    let request = Request { api_name: "fuzz".to_owned(), inputs: vec![input], ..Request::default() };
    let loader = MemoryLoader::new().with("openapi.yaml", bytes);
    let compiled = compile(&request, Sources::new(), &loader);
    let has_errors = compiled.diags.has_errors();
    compiled.diags.finish(&compiled.sources);
    let Some(ir) = compiled.ir else {
        assert!(has_errors, "a refused description has an error");
        return;
    };
    if !has_errors {
        assert_eq!(tungsten_ir::verify(&ir), Vec::<String>::new());
    }
});
