//! Emits the configured targets and brings their output folders up to date, one after the other.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use base::digest::Digest;
use base::{Code, Diags, Files, Place, Severity};
use tungsten_emit::{Header, HeaderInput, Input, Plan};
use tungsten_ir::{Ir, MemberNames, Names};

use crate::compile::Compilation;
use crate::failure::Failure;
use crate::output::{self, Changes, Mode, Refusal, Target};
use crate::project::Opened;
use crate::targets::{Emitter, VERSION, emitter, raw_options};

/// How `generate` goes about it.
#[derive(Clone, Debug)]
pub struct GenerateOptions {
    pub mode: Mode,
    /// Write into folders that tungsten does not own.
    pub force: bool,
    /// Write nothing when there is a warning, in any target.
    pub strict: bool,
    /// Only these; all when nothing is said.
    pub targets: Option<Vec<String>>,
}

impl GenerateOptions {
    fn wants(&self, target: &str) -> bool {
        self.targets.as_ref().is_none_or(|wanted| wanted.iter().any(|one| one == target))
    }
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self { mode: Mode::Write, force: false, strict: false, targets: None }
    }
}

/// What became of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Generated,
    DryRun,
    Fresh,
    Stale,
    /// No emitter in this version (TG0702).
    Skipped,
    /// The emitter or the disk failed (TG0701).
    Failed,
    /// TG0703 or TG0704.
    Refused,
    /// Warnings under `--strict`.
    Withheld,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Self::Generated => "generated",
            Self::DryRun => "dry_run",
            Self::Fresh => "fresh",
            Self::Stale => "stale",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Withheld => "withheld",
        }
    }
}

/// What became of a target, in full.
#[derive(Debug)]
pub struct TargetReport {
    pub target: String,
    pub status: Status,
    pub out: String,
    pub n_files: usize,
    pub changes: Changes,
}

/// A target's files before anything is compared or written.
struct Emitted {
    target: String,
    out: String,
    place: Place,
    /// Nothing when there is no emitter or it failed.
    files: Option<Files>,
    status: Status,
}

/// The reports of a run that would change nothing, found without compiling: every wanted target's folder is as this very
/// generator left it and no input has changed since. Nothing when anything is in doubt.
pub fn unchanged(project: &Opened, options: &GenerateOptions) -> Option<Vec<TargetReport>> {
    let manifest =
        project.manifest.as_ref().filter(|_| project.manifest_name.is_some() && project.diagnostics.is_empty())?;
    let manifests: Vec<&str> = project.sources.iter().map(|(_, source)| source.name()).collect();
    let mut reports = Vec::new();
    for (name, target) in manifest.targets.iter().filter(|(name, _)| options.wants(name)) {
        emitter(name)?;
        let out = target.out.normalized();
        let changes = output::is_current(&project.dir, &out, VERSION, &manifests)?;
        let status = match options.mode {
            Mode::Write => Status::Generated,
            Mode::DryRun => Status::DryRun,
            Mode::Check => Status::Fresh,
        };
        let n_files = changes.unchanged.len() + changes.preserved.len();
        reports.push(TargetReport { target: name.to_string(), status, out, n_files, changes });
    }
    (!reports.is_empty()).then_some(reports)
}

/// Adds what naming finds for the configured targets, so that `check` tells what `generate` would.
pub fn check_names(compilation: &mut Compilation) {
    let (Some(ir), Some(manifest)) = (&compilation.ir, &compilation.project.manifest) else { return };
    let mut diags = Diags::new();
    let mut shared = Shared::new(ir, manifest.naming.fields.preserve_wire_names_in_ts);
    for found in manifest.targets.iter().filter_map(|(name, _)| emitter(name)) {
        shared.for_emitter(&found, &mut diags);
    }
    compilation.add_diagnostics(diags);
}

/// Generates every wanted target. New findings are added to the compilation's, sorted.
pub fn generate(compilation: &mut Compilation, options: &GenerateOptions) -> Result<Vec<TargetReport>, Failure> {
    let mut diags = Diags::new();
    let emitted = emit_all(compilation, options, &mut diags);
    let count = |severity| diags.count(severity) + compilation.count(severity);
    let withheld = options.strict && count(Severity::Warning) > 0 || diags.has_errors();
    let inputs: BTreeMap<String, String> =
        compilation.input_digests().into_iter().map(|(name, digest)| (name, digest.to_string())).collect();
    let mut reports = Vec::new();
    for one in emitted {
        let mut report = TargetReport {
            target: one.target,
            status: one.status,
            out: one.out,
            n_files: one.files.as_ref().map_or(0, Files::len),
            changes: Changes::default(),
        };
        match &one.files {
            Some(_) if withheld => report.status = Status::Withheld,
            Some(files) => write(compilation, &mut report, files, &inputs, options, &one.place, &mut diags),
            None => {}
        }
        reports.push(report);
    }
    compilation.add_diagnostics(diags);
    Ok(reports)
}

fn write(
    compilation: &Compilation,
    report: &mut TargetReport,
    files: &Files,
    inputs: &BTreeMap<String, String>,
    options: &GenerateOptions,
    place: &Place,
    diags: &mut Diags,
) {
    let project = &compilation.project.dir;
    let target = Target { project, out: &report.out, files, inputs, tungsten_version: VERSION };
    match output::apply(&target, options.mode, options.force) {
        Ok(changes) => {
            report.status = match options.mode {
                Mode::Write => Status::Generated,
                Mode::DryRun => Status::DryRun,
                Mode::Check if changes.stale.is_empty() => Status::Fresh,
                Mode::Check => Status::Stale,
            };
            if report.status == Status::Stale {
                let message = format!(
                    "{} of the files of target `{}` are not what would be generated, for example `{}`",
                    changes.stale.len(),
                    report.target,
                    changes.stale[0]
                );
                diags.report(Code::TG0901, place.clone(), message).help = Some("run `tungsten generate`".to_owned());
            }
            report.changes = changes;
        }
        Err(Refusal::Diagnostic(mut diagnostic)) => {
            report.status = Status::Refused;
            if diagnostic.place.source.is_none() && place.source.is_some() {
                diagnostic.place = place.clone();
            }
            diags.push(*diagnostic);
        }
        Err(Refusal::Failure(failure)) => {
            report.status = Status::Failed;
            diags.report(Code::TG0701, place.clone(), failure.seen_from(project));
        }
    }
}

/// Runs the emitters, one target after the other: each is parallel in itself.
fn emit_all(compilation: &Compilation, options: &GenerateOptions, diags: &mut Diags) -> Vec<Emitted> {
    let (Some(ir), Some(manifest)) = (&compilation.ir, &compilation.project.manifest) else { return Vec::new() };
    let mut shared = Shared::new(ir, manifest.naming.fields.preserve_wire_names_in_ts);
    let first = manifest.targets.iter().filter(|(name, _)| options.wants(name)).find_map(|(name, _)| emitter(name));
    // Digests take a while where inputs are large, and names need none.
    let (inputs, ()) = rayon::join(
        || header_inputs(compilation),
        || {
            if let Some(first) = first {
                shared.for_emitter(&first, diags);
            }
        },
    );
    let header = Header { version: VERSION.to_owned(), inputs };
    let mut emitted = Vec::new();
    for (name, target) in manifest.targets.iter() {
        if !options.wants(name) {
            continue;
        }
        let mut one = Emitted {
            target: name.to_string(),
            out: target.out.normalized(),
            place: target.place.clone(),
            files: None,
            status: Status::Skipped,
        };
        match emitter(name) {
            Some(found) => {
                let raw = raw_options(&target.options);
                let (plan, names) = shared.for_emitter(&found, diags);
                let input = Input { ir, plan, names, docs: &compilation.docs, options: &raw, header: &header };
                emit_one(&found, &input, &mut one, diags);
            }
            None => {
                let message = format!("this version has no emitter for target `{}`", &**name);
                diags.report(Code::TG0702, target.place.clone(), message);
            }
        }
        emitted.push(one);
    }
    emitted
}

/// What the notice of every file names: the manifest and the documents that it names. Documents that those refer to may
/// be thousands; they stand in one line, under one digest of all.
fn header_inputs(compilation: &Compilation) -> Vec<HeaderInput> {
    let named = compilation.named_inputs();
    let (named, others): (Vec<_>, Vec<_>) =
        compilation.input_digests().into_iter().partition(|(name, _)| named.contains(name));
    let mut inputs: Vec<HeaderInput> = named.iter().map(|(name, digest)| HeaderInput::new(name, *digest)).collect();
    if !others.is_empty() {
        let parts = others.iter().flat_map(|(name, digest)| [name.as_bytes(), digest.as_bytes()]);
        let name = format!("{} further documents", others.len());
        inputs.push(HeaderInput::new(&name, Digest::of_parts(parts)));
    }
    inputs
}

/// A panic of one emitter is reported as its failure and does not hide the results of the others.
fn emit_one(emitter: &Emitter, input: &Input<'_>, one: &mut Emitted, diags: &mut Diags) {
    match catch_unwind(AssertUnwindSafe(|| (emitter.emit)(input))) {
        Ok(output) => {
            diags.append(output.diags);
            one.files = Some(output.files);
            one.status = Status::Generated;
        }
        Err(_) => {
            one.status = Status::Failed;
            let message = format!("the emitter of target `{}` failed; this is a fault of tungsten's", one.target);
            diags.report(Code::TG0701, one.place.clone(), message);
        }
    }
}

/// What several targets use: the plan, and the names of the TypeScript profile, which key every arguments object.
struct Shared<'a> {
    ir: &'a Ir,
    preserve_wire_names: bool,
    made: Option<(Plan, Names)>,
}

impl<'a> Shared<'a> {
    fn new(ir: &'a Ir, preserve_wire_names: bool) -> Self {
        Self { ir, preserve_wire_names, made: None }
    }

    fn for_emitter(&mut self, emitter: &Emitter, diags: &mut Diags) -> (&Plan, &Names) {
        let made = self.made.get_or_insert_with(|| {
            let options = (emitter.name_options)(self.preserve_wire_names);
            let plan = |keys: &MemberNames| Plan::new(self.ir, keys);
            let (names, plan) = tungsten_ir::assign_and(self.ir, emitter.profile, &options, diags, plan);
            (plan, names)
        });
        (&made.0, &made.1)
    }
}
