//! `tungsten check`: compiles and reports; with `--ci` also compares what was generated.

use base::Severity;
use serde_json::json;
use tungsten_project::GenerateOptions;
use tungsten_project::output::Mode;

use super::generate::report_json;
use super::stats_json;
use crate::args::{Check, OutputFormat};
use crate::outcome::{CommandError, ErrorKind, Exit, Format, Outcome, count_phrase};
use crate::progress::Progress;

pub fn run(args: &Check, json: bool) -> Outcome {
    let format = match args.output_format {
        OutputFormat::Text | OutputFormat::Json => Format::Text,
        OutputFormat::Sarif => Format::Sarif,
        OutputFormat::Github => Format::Github,
    };
    if json && format != Format::Text {
        let error = CommandError::new(ErrorKind::Usage, "--json and --output-format ask for different documents");
        return Outcome::failed(Some("check"), error.help("leave one of them out"));
    }
    if args.ci {
        anstream::ColorChoice::Never.write_global();
    }
    Outcome { format, ..checked(args, json || args.output_format == OutputFormat::Json) }
}

fn checked(args: &Check, json: bool) -> Outcome {
    let _progress = Progress::start("compiling", !json && !args.ci);
    let mut compilation = match tungsten_project::compile(&args.project.path) {
        Ok(compilation) => compilation,
        Err(failure) => return Outcome::failed(Some("check"), failure.into()),
    };
    let mut reports = Vec::new();
    if !args.ci {
        tungsten_project::check_targets(&mut compilation);
    } else if compilation.count(Severity::Error) == 0 {
        // Warnings that --strict refuses do not hide which folders are stale.
        let options = GenerateOptions { mode: Mode::Check, ..GenerateOptions::default() };
        reports = tungsten_project::generate(&mut compilation, &options);
    }
    // Emitters and names have findings of their own, so only now is it known what there is.
    let promoted = if args.strict { compilation.count(Severity::Warning) } else { 0 };
    let mut outcome = Outcome::of("check");
    outcome.exit = match Exit::of(&compilation.diagnostics, args.strict, &reports) {
        // Nothing would be overwritten: a folder that is not tungsten's is a finding like others.
        Exit::Refused => Exit::Input,
        exit => exit,
    };
    let mut result = json!({
        "inputs": compilation.input_names(),
        "openapi_versions": compilation.openapi_versions(),
        "documents": compilation.n_documents(),
        "counts": {
            "errors": compilation.count(Severity::Error),
            "warnings": compilation.count(Severity::Warning),
            "infos": compilation.count(Severity::Info),
        },
        "promoted": promoted,
        "strict": args.strict,
        "ci": args.ci,
        "refs": refs_json(&compilation),
        "stats": stats_json(&compilation),
    });
    if args.ci {
        result["outputs"] = reports.iter().map(report_json).collect();
    }
    outcome.result = Some(result);
    outcome.summary = match compilation.stats() {
        Some(stats) => format!(
            "{}: {} operations, {} types, {}",
            stats.api,
            stats.operations,
            stats.types,
            count_phrase(&compilation.diagnostics)
        ),
        None => count_phrase(&compilation.diagnostics),
    };
    outcome.with_diagnostics(compilation.diagnostics, compilation.sources, compilation.project.shown)
}

fn refs_json(compilation: &tungsten_project::Compilation) -> serde_json::Value {
    let refs = compilation.refs();
    json!({
        "schemas": refs.schemas,
        "edges": refs.edges,
        "cross_document": refs.cross_document,
        "cycles": refs.cycles,
        "recursive": refs.recursive,
    })
}
