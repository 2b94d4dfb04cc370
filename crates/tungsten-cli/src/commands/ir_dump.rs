//! `tungsten ir dump`: the IR as JSON, to standard output or a file.

use std::io::Write as _;

use serde_json::{Value, json};
use tungsten_project::failure::Failure;

use super::stats_json;
use crate::args::IrDump;
use crate::outcome::{Exit, Outcome, count_phrase};
use crate::progress::Progress;
use crate::render::Notes;

pub fn run(args: &IrDump, wants_json: bool) -> Outcome {
    let _progress = Progress::start("compiling", !wants_json);
    let compilation = match tungsten_project::compile(&args.project.path) {
        Ok(compilation) => compilation,
        Err(failure) => return Outcome::failed(Some("ir dump"), failure.into()),
    };
    let mut outcome = Outcome::of("ir dump");
    outcome.notes = Notes::Counted;
    outcome.exit = Exit::of(&compilation.diagnostics, false, &[]);
    if let (Exit::Success, Some(text)) = (outcome.exit, compilation.dump(!args.compact)) {
        let mut result = json!({ "stats": stats_json(&compilation) });
        match &args.out {
            Some(path) => {
                let write = || std::fs::File::create(path)?.write_all(text.as_bytes());
                if let Err(failure) = write().map_err(Failure::of("writing", path)) {
                    return Outcome::failed(Some("ir dump"), failure.into());
                }
                result["out"] = path.display().to_string().into();
                result["bytes"] = text.len().into();
                outcome.text = format!("{}: {} bytes\n", path.display(), text.len());
            }
            None if wants_json => result["ir"] = serde_json::from_str::<Value>(&text).expect("the dump is JSON"),
            None => outcome.text = text,
        }
        outcome.result = Some(result);
    }
    outcome.summary = count_phrase(&compilation.diagnostics);
    outcome.with_diagnostics(compilation.diagnostics, compilation.sources, compilation.project.shown)
}
