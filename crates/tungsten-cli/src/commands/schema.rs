//! `tungsten schema`: the JSON Schemas that tungsten publishes.

use serde_json::json;

use crate::args::{Schema, SchemaName};
use crate::cli_output;
use crate::outcome::Outcome;

pub fn run(args: &Schema) -> Outcome {
    let (name, schema) = match args.name {
        SchemaName::Tungsten => ("tungsten", tungsten_manifest::schema_with(&tungsten_project::option_tables())),
        SchemaName::Agent => ("agent", tungsten_manifest::agent_schema()),
        SchemaName::Ir => ("ir", tungsten_ir::schema::schema()),
        SchemaName::CliOutput => ("cli-output", cli_output::schema()),
    };
    let text = serde_json::to_string_pretty(&schema).expect("a schema is plain data") + "\n";
    Outcome { result: Some(json!({ "name": name, "schema": schema })), text, ..Outcome::of("schema") }
}
