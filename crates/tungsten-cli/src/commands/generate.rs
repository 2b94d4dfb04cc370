//! `tungsten generate`: compiles, emits every target, writes what differs.

use std::fmt::Write as _;
use std::path::Path;

use base::Severity;
use base::source::Access;
use serde_json::{Value, json};
use tungsten_manifest::resolve_alias;
use tungsten_project::output::Mode;
use tungsten_project::{GenerateOptions, Opened, Shown, Status, TargetReport};

use crate::args::Generate;
use crate::outcome::{CommandError, ErrorKind, Exit, Outcome, count_phrase};
use crate::progress::Progress;
use crate::render::Notes;

pub fn run(args: &Generate, json: bool) -> Outcome {
    let _progress = Progress::start("generating", !json);
    let mode = match (args.check, args.dry_run) {
        (true, _) => Mode::Check,
        (_, true) => Mode::DryRun,
        _ => Mode::Write,
    };
    let opened = match tungsten_project::open(&args.project.path) {
        Ok(opened) => opened,
        Err(failure) => return Outcome::failed(Some("generate"), failure.into()),
    };
    let mut options = GenerateOptions { mode, force: args.force, strict: args.strict, targets: None };
    match wanted_targets(&args.targets, &opened) {
        Ok(wanted) => options.targets = wanted,
        Err(error) => return Outcome::failed(Some("generate"), error),
    }
    // The findings of an unchanged project are known to nobody but a compilation, so what must tell them compiles.
    if !json
        && !args.strict
        && let Some(reports) = tungsten_project::unchanged(&opened, &options)
    {
        let text = reports.iter().map(|report| report_line(report, mode, &opened.shown)).collect();
        let summary = format!("{}; `tungsten check` lists the findings", unchanged_phrase(mode));
        return Outcome { text, summary, ..Outcome::of("generate") };
    }
    let mut compilation = tungsten_project::compile_opened(opened, Access::Map);
    let mut outcome = Outcome::of("generate");
    outcome.notes = Notes::Counted;
    outcome.exit = Exit::of(&compilation.diagnostics, false, &[]);
    if outcome.exit != Exit::Success {
        outcome.summary = format!("nothing was generated: {}", count_phrase(&compilation.diagnostics));
        return outcome.with_diagnostics(compilation.diagnostics, compilation.sources, compilation.project.shown);
    }
    if compilation.project.manifest_name.is_none() {
        return Outcome::failed(Some("generate"), single_document(&args.project.path));
    }
    let reports = tungsten_project::generate(&mut compilation, &options);
    outcome.exit = Exit::of(&compilation.diagnostics, args.strict, &reports);
    outcome.result = Some(json!({
        "targets": reports.iter().map(report_json).collect::<Vec<_>>(),
        "dry_run": args.dry_run,
        "check": args.check,
        "strict": args.strict,
        "promoted": if args.strict { compilation.count(Severity::Warning) } else { 0 },
    }));
    outcome.text = reports.iter().map(|report| report_line(report, mode, &compilation.project.shown)).collect();
    if reports.is_empty() {
        outcome.summary = "tungsten.yml configures no targets; add one under `targets`".to_owned();
    } else {
        outcome.summary = count_phrase(&compilation.diagnostics);
        if is_unchanged(&reports) {
            outcome.summary = format!("{}; {}", unchanged_phrase(mode), outcome.summary);
        }
    }
    outcome.with_diagnostics(compilation.diagnostics, compilation.sources, compilation.project.shown)
}

/// There is no manifest that could say what is generated, and where to.
fn single_document(path: &Path) -> CommandError {
    let path = path.display();
    CommandError::new(ErrorKind::NotFound, format!("{path} is a single document, which configures no targets"))
        .help(format!("to make a project of it, run `tungsten init --from {path}`"))
}

/// Aliases resolved, each name known to the project.
fn wanted_targets(asked: &[String], project: &Opened) -> Result<Option<Vec<String>>, CommandError> {
    if asked.is_empty() || project.manifest.is_none() {
        return Ok(None);
    }
    let configured = project.target_names();
    let mut wanted = Vec::new();
    for name in asked {
        let name = resolve_alias(name);
        if !configured.iter().any(|known| known == name) {
            let message = format!("the project configures no target `{name}`");
            let help = format!("configured targets: {}", configured.join(", "));
            return Err(CommandError::new(ErrorKind::NotFound, message).help(help));
        }
        wanted.push(name.to_owned());
    }
    Ok(Some(wanted))
}

/// A `TargetReport` in the JSON envelope.
pub fn report_json(report: &TargetReport) -> Value {
    json!({
        "target": report.target,
        "status": report.status.name(),
        "out": report.out,
        "files": report.n_files,
        "written": report.changes.written,
        "unchanged": report.changes.unchanged,
        "removed": report.changes.removed,
        "preserved": report.changes.preserved,
        "stale": report.changes.stale,
    })
}

/// Whether the folders held all that was to be written into them and nothing more.
fn is_unchanged(reports: &[TargetReport]) -> bool {
    let was_compared = |report: &TargetReport| matches!(report.status, Status::Generated | Status::DryRun);
    reports.iter().any(was_compared)
        && reports.iter().all(|report| was_compared(report) || report.status == Status::Skipped)
        && reports.iter().all(|report| report.changes.written.is_empty() && report.changes.removed.is_empty())
}

fn unchanged_phrase(mode: Mode) -> &'static str {
    if mode == Mode::DryRun { "nothing would change" } else { "nothing changed" }
}

fn report_line(report: &TargetReport, mode: Mode, shown: &Shown) -> String {
    let out = shown.path(&report.out);
    let mut line = format!("{}: {} ({out})", report.target, report.status.name().replace('_', " "));
    let changes = &report.changes;
    let is_dry = mode == Mode::DryRun;
    for (count, word) in [
        (changes.written.len(), if is_dry { "would be written" } else { "written" }),
        (changes.unchanged.len(), "unchanged"),
        (changes.removed.len(), if is_dry { "would be removed" } else { "removed" }),
        (changes.preserved.len(), "yours"),
        (changes.stale.len(), "stale"),
    ] {
        if count > 0 {
            let _ = write!(line, ", {count} {word}");
        }
    }
    line + "\n"
}
