//! The work budgets (all TG0105): each figure once, read by the check, the message, the docs and the tests.

/// Bytes of one input file.
pub const FILE_BYTES: u64 = 32 << 20;
/// Bytes of all input files of one run.
pub const TOTAL_BYTES: u64 = 512 << 20;
/// Input files of one run.
pub const FILES: usize = 10_000;
/// Nesting of one document: JSON, YAML, schemas.
pub const DEPTH: usize = 256;
/// `$ref`s followed one after the other before the chain is refused.
pub const REF_CHAIN: usize = 64;
/// Nodes after YAML aliases are expanded, and nodes that overlays may make of a document: this many times the nodes read, plus [`ALIAS_NODES_BASE`].
pub const ALIAS_NODES_FACTOR: usize = 4;
/// See [`ALIAS_NODES_FACTOR`].
pub const ALIAS_NODES_BASE: usize = 100_000;
/// Members that one `allOf` merge may read.
pub const ALL_OF_MEMBERS: usize = 10_000;
/// Schemas that all merges of one run may read. A chain in which each schema extends the one before is read again for
/// every schema of the chain, so the budget of one merge alone bounds nothing.
pub const MERGED_SCHEMAS: usize = 1_000_000;
/// Variants of one union.
pub const UNION_VARIANTS: usize = 1_000;
/// Properties and listed values that all unions of one run may compare. Many unions may share one large variant, so the
/// input's size bounds nothing.
pub const UNION_PROPERTIES: usize = 1_000_000;
/// Nodes that one JSONPath may visit.
pub const JSON_PATH_VISITS: usize = 1_000_000;
/// Nodes that all JSONPaths of one run may visit. An overlay may have as many actions as fit into a file, so the budget of
/// one path alone bounds nothing.
pub const ALL_JSON_PATH_VISITS: usize = 100_000_000;
/// Diagnostics of one code that are printed in full.
pub const PRINTED_PER_CODE: usize = 20;

/// The words for a file of more bytes than [`FILE_BYTES`].
pub fn file_too_large(n_bytes: u64) -> String {
    format!("the file has {n_bytes} bytes, and at most {FILE_BYTES} ({} MiB) are read", FILE_BYTES >> 20)
}

/// The words for files of more bytes together than [`TOTAL_BYTES`].
pub fn files_too_large() -> String {
    format!("the input files have more than {TOTAL_BYTES} bytes ({} MiB) together", TOTAL_BYTES >> 20)
}

#[cfg(test)]
mod tests {
    use super::{
        ALIAS_NODES_BASE, ALIAS_NODES_FACTOR, ALL_JSON_PATH_VISITS, ALL_OF_MEMBERS, DEPTH, FILE_BYTES, FILES,
        JSON_PATH_VISITS, MERGED_SCHEMAS, REF_CHAIN, TOTAL_BYTES, UNION_PROPERTIES, UNION_VARIANTS, file_too_large,
        files_too_large,
    };
    use crate::Code;

    #[test]
    fn the_page_states_every_figure() {
        let figures = [
            format!("{} MiB", FILE_BYTES >> 20),
            format!("{} MiB", TOTAL_BYTES >> 20),
            FILES.to_string(),
            DEPTH.to_string(),
            REF_CHAIN.to_string(),
            format!("{ALIAS_NODES_FACTOR} times those written, plus {ALIAS_NODES_BASE}"),
            ALL_OF_MEMBERS.to_string(),
            MERGED_SCHEMAS.to_string(),
            UNION_VARIANTS.to_string(),
            UNION_PROPERTIES.to_string(),
            JSON_PATH_VISITS.to_string(),
            ALL_JSON_PATH_VISITS.to_string(),
        ];
        let rows = Code::TG0105.page().lines().filter_map(|line| line.strip_prefix("| ")).skip(1);
        let stated: Vec<&str> = rows.filter_map(|row| row.split(" | ").nth(1)).collect();
        assert_eq!(stated, figures);
    }

    #[test]
    fn messages_name_the_limit_in_bytes_and_in_words() {
        assert_eq!(file_too_large(1 << 30), "the file has 1073741824 bytes, and at most 33554432 (32 MiB) are read");
        assert_eq!(files_too_large(), "the input files have more than 536870912 bytes (512 MiB) together");
    }
}
