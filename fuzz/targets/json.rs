#![no_main]
//! Any bytes as JSON: a document or a diagnostic, never a crash. A document prints as JSON that means the same, to the
//! YAML parser as well.

use libfuzzer_sys::fuzz_target;
use tungsten_fuzz::{check_round_trip, parse, print};

fuzz_target!(|bytes: &[u8]| {
    let Some(set) = parse("input.json", bytes) else { return };
    check_round_trip(&set);
    if let Some(printed) = print(&set) {
        let as_yaml = parse("printed.yaml", printed.as_bytes()).expect("JSON is YAML");
        assert_eq!(print(&as_yaml).as_deref(), Some(printed.as_str()), "both parsers read the same");
    }
});
