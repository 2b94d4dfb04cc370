//! One file a command: each takes its arguments and returns an [`crate::outcome::Outcome`].

pub mod check;
pub mod doctor;
pub mod explain;
pub mod generate;
pub mod init;
pub mod ir_dump;
pub mod mock;
pub mod overlay_suggest;
pub mod schema;

use serde_json::{Value, json};
use tungsten_project::Compilation;

/// Counts of what was compiled, as `--json` has them; null when there is no IR.
fn stats_json(compilation: &Compilation) -> Value {
    let Some(stats) = compilation.stats() else { return Value::Null };
    json!({
        "api": stats.api,
        "namespaces": stats.namespaces,
        "resources": stats.resources,
        "operations": {
            "total": stats.operations,
            "implemented": stats.implemented,
            "planned": stats.planned,
            "gated": stats.gated,
        },
        "types": stats.types,
        "auth_schemes": stats.auth_schemes,
    })
}
