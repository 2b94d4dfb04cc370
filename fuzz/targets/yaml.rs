#![no_main]
//! Any bytes as YAML: a document or a diagnostic, never a crash. A document prints as JSON that means the same.

use libfuzzer_sys::fuzz_target;
use tungsten_fuzz::{check_round_trip, parse};

fuzz_target!(|bytes: &[u8]| {
    if let Some(set) = parse("input.yaml", bytes) {
        check_round_trip(&set);
    }
});
