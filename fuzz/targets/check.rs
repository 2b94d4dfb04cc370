#![no_main]
//! Any bytes as an OpenAPI description: compiled to tables that are whole, or refused with an error.

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    tungsten_fuzz::compiled(bytes, None);
});
