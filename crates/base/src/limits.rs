//! The work budgets: each figure once, read by the check, the message, the pages and the tests.
//!
//! What is above a budget is refused with TG0105; [`PRINTED_PER_CODE`] alone only shortens what is printed.

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
/// Nodes after YAML aliases are expanded, and nodes that overlays may make of a document: this many times the nodes
/// read, plus [`ALIAS_NODES_BASE`].
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
/// Nodes that all JSONPaths of one run may visit. An overlay may have as many actions as fit into a file, so the budget
/// of one path alone bounds nothing.
pub const ALL_JSON_PATH_VISITS: usize = 100_000_000;
/// Bytes of all JSON Pointers that are made for one manifest: long keys around many values would multiply.
pub const POINTER_BYTES: usize = 64 << 20;
/// Diagnostics of one code that are printed in full.
pub const PRINTED_PER_CODE: usize = 20;

/// A budget as the pages show it.
#[derive(Debug)]
pub struct Budget {
    pub what: &'static str,
    pub at_most: String,
    /// What to do about an input that is above it.
    pub advice: &'static str,
}

/// All budgets that refuse an input, in the order of the pages.
pub fn budgets() -> Vec<Budget> {
    let mib = |bytes: u64| format!("{} MiB", bytes >> 20);
    let row = |what, at_most, advice| Budget { what, at_most, advice };
    vec![
        row("bytes of one input file", mib(FILE_BYTES), "split it into files that `$ref` each other"),
        row("bytes of all input files", mib(TOTAL_BYTES), "compile its parts as projects of their own"),
        row("input files", FILES.to_string(), "join those that are always read together"),
        row(
            "nesting of a document or a schema, and segments of a path",
            DEPTH.to_string(),
            "move the inner parts to `components/schemas` and `$ref` them",
        ),
        row("`$ref`s one after the other", REF_CHAIN.to_string(), "refer to the end of the chain"),
        row(
            "values after YAML aliases are expanded, and after overlays are applied",
            format!("{ALIAS_NODES_FACTOR} times those read, plus {ALIAS_NODES_BASE}"),
            "use `$ref` in place of aliases",
        ),
        row("schemas that one `allOf` reads", ALL_OF_MEMBERS.to_string(), "put the common properties into one schema"),
        row(
            "schemas that all `allOf`s read together",
            MERGED_SCHEMAS.to_string(),
            "shorten chains in which each schema extends the one before",
        ),
        row(
            "variants of one union",
            UNION_VARIANTS.to_string(),
            "group them in unions of their own, or state the schema that they share",
        ),
        row(
            "properties and values that all unions compare together",
            UNION_PROPERTIES.to_string(),
            "give large unions a `discriminator`",
        ),
        row(
            "values that one path of an overlay looks at",
            JSON_PATH_VISITS.to_string(),
            "name the members on the way instead of `..`",
        ),
        row(
            "values that all paths of overlays look at together",
            ALL_JSON_PATH_VISITS.to_string(),
            "join actions whose targets are found in the same way",
        ),
        row(
            "bytes of the paths to all values of a manifest",
            mib(POINTER_BYTES as u64),
            "shorten the keys that many values stand below",
        ),
    ]
}

/// The table on the page of TG0105.
pub fn budget_table() -> String {
    let rows = budgets().into_iter().map(|row| format!("| {} | {} | {} |\n", row.what, row.at_most, row.advice));
    format!("| budget | at most | what to do |\n|---|---:|---|\n{}", rows.collect::<String>())
}

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
    use super::{budget_table, file_too_large, files_too_large};
    use crate::Code;

    #[test]
    fn the_page_states_every_figure() {
        let page = Code::TG0105.page();
        assert!(page.contains(&format!("\n\n{}\n", budget_table())), "run `cargo xtask regen`: {page}");
    }

    #[test]
    fn messages_name_the_limit_in_bytes_and_in_words() {
        assert_eq!(file_too_large(1 << 30), "the file has 1073741824 bytes, and at most 33554432 (32 MiB) are read");
        assert_eq!(files_too_large(), "the input files have more than 536870912 bytes (512 MiB) together");
    }
}
