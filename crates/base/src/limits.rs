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
/// Nodes after YAML aliases are expanded: this many times the nodes read, plus [`ALIAS_NODES_BASE`].
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
/// Nodes that one JSONPath may visit.
pub const JSON_PATH_VISITS: usize = 1_000_000;
/// Diagnostics of one code that are printed in full.
pub const PRINTED_PER_CODE: usize = 20;
