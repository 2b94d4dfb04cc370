#![no_main]
//! Any bytes as an OpenAPI description and, where it compiles without errors, through every emitter: safe paths, and
//! files in which no text of the description has left its place.

use base::Diags;
use libfuzzer_sys::fuzz_target;
use tungsten_emit::{Header, Input, Plan};
use tungsten_ir::profile::TYPESCRIPT;

fuzz_target!(|bytes: &[u8]| {
    let compiled = tungsten_fuzz::compiled(bytes, None);
    let Some(ir) = compiled.ir.filter(|_| !compiled.diags.has_errors()) else { return };
    let mut diags = Diags::new();
    let names = tungsten_ir::assign(&ir, &TYPESCRIPT, &tungsten_emit_typescript::name_options(false), &mut diags);
    let plan = Plan::new(&ir, names.members());
    let header = Header { version: "0".to_owned(), inputs: Vec::new() };
    let input = Input { ir: &ir, plan: &plan, names: &names, docs: &compiled.docs, options: &[], header: &header };
    let output = tungsten_emit_typescript::emit(&input);
    assert!(!output.files.is_empty(), "a description has an SDK");
    output.files.iter().for_each(|(path, bytes)| tungsten_fuzz::check_file(path, bytes));
});
