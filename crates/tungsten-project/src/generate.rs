//! Emits the configured targets and brings their output folders up to date, one after the other.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use base::digest::Digest;
use base::{Code, Diags, Files, Place, Severity};
use tungsten_emit::{Header, HeaderInput, Input, Plan};
use tungsten_ir::{Ir, MemberNames, Names};
use tungsten_manifest::Manifest;

use crate::compile::Compilation;
use crate::output::{self, Changes, Mode, Refusal, Target};
use crate::project::Opened;
use crate::target_options;
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

/// The reports of a run that would change nothing, found without compiling: every wanted target's folder is as this
/// very generator left it and no input has changed since. Nothing when anything is in doubt.
pub fn unchanged(project: &Opened, options: &GenerateOptions) -> Option<Vec<TargetReport>> {
    let manifest =
        project.manifest.as_ref().filter(|_| project.manifest_name.is_some() && project.diagnostics.is_empty())?;
    let manifests: Vec<&str> = project.sources.iter().map(|(_, source)| source.name()).collect();
    let mut reports = Vec::new();
    for (name, target) in manifest.targets.iter().filter(|(name, _)| options.wants(name)) {
        emitter(name).filter(|_| target.external.is_none())?;
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

/// Adds what is wrong with the options of the configured targets, and what naming finds for them. No emitter runs and
/// no folder is looked at: what they find (TG0702, TG0712 to TG0714, stale files) needs [`generate`], in
/// [`Mode::Check`] for `check --ci`.
pub fn check_targets(compilation: &mut Compilation) {
    let Some(manifest) = &compilation.project.manifest else { return };
    let mut diags = Diags::new();
    let built_in = || manifest.targets.iter().filter(|(_, target)| target.external.is_none());
    for (name, target) in built_in() {
        target_options::check(name, &raw_options(&target.options), &mut diags);
    }
    if let Some(ir) = &compilation.ir {
        let mut shared: Option<Shared<'_>> = None;
        for (name, found) in built_in().filter_map(|(name, _)| Some((name, emitter(name)?))) {
            let shared = shared.get_or_insert_with(|| Shared::new(ir, preserves_wire_names(manifest)));
            shared.for_target(name, &found, &mut diags);
        }
    }
    compilation.add_diagnostics(diags);
}

/// Generates every wanted target. New findings are added to the compilation's, sorted.
pub fn generate(compilation: &mut Compilation, options: &GenerateOptions) -> Vec<TargetReport> {
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
    reports
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
    let mut wanted = manifest.targets.iter().filter(|(name, _)| options.wants(name));
    let is_emitted = wanted.any(|(name, target)| target.external.is_none() && emitter(name).is_some());
    // Digests take a while where inputs are large, and names need none.
    let (inputs, mut shared) = rayon::join(
        || header_inputs(compilation),
        || is_emitted.then(|| Shared::new(ir, preserves_wire_names(manifest))),
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
        match (emitter(name).filter(|_| target.external.is_none()), &mut shared) {
            (Some(found), Some(shared)) => {
                let raw = raw_options(&target.options);
                let (plan, names) = shared.for_target(name, &found, diags);
                let input = Input { ir, plan, names, docs: &compilation.docs, options: &raw, header: &header };
                emit_one(&found, &input, &mut one, diags);
            }
            _ => {
                if target.external.is_none() {
                    target_options::check(name, &raw_options(&target.options), diags);
                }
                let message = format!("this version has no emitter for target `{}`", &**name);
                diags.report(Code::TG0702, target.place.clone(), message);
            }
        }
        emitted.push(one);
    }
    emitted
}

fn preserves_wire_names(manifest: &Manifest) -> bool {
    manifest.naming.fields.preserve_wire_names_in_ts
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

/// The target whose names of members key the arguments object of every target (`Plan::new`).
const KEYS_OF: &str = "typescript";

/// What all targets use, and the names of the one whose turn it is.
struct Shared<'a> {
    ir: &'a Ir,
    preserve_wire_names: bool,
    plan: Plan,
    /// Of the target [`KEYS_OF`], and what was found while they were made: of interest when it is a target of the run.
    keys: Names,
    found: Diags,
    /// Of the last target that was asked for, unless it was that one.
    own: Option<Names>,
}

impl<'a> Shared<'a> {
    fn new(ir: &'a Ir, preserve_wire_names: bool) -> Self {
        let of = emitter(KEYS_OF).expect("the target whose names key arguments has an emitter");
        let mut found = Diags::new();
        let options = (of.name_options)(preserve_wire_names);
        let plan = |keys: &MemberNames| Plan::new(ir, keys);
        let (keys, plan) = tungsten_ir::assign_and(ir, of.profile, &options, &mut found, plan);
        Self { ir, preserve_wire_names, plan, keys, found, own: None }
    }

    /// The plan, and the names of the target's own profile.
    fn for_target(&mut self, target: &str, emitter: &Emitter, diags: &mut Diags) -> (&Plan, &Names) {
        if target == KEYS_OF {
            diags.append(std::mem::take(&mut self.found));
            return (&self.plan, &self.keys);
        }
        let options = (emitter.name_options)(self.preserve_wire_names);
        (&self.plan, self.own.insert(tungsten_ir::assign(self.ir, emitter.profile, &options, diags)))
    }
}

#[cfg(test)]
mod tests {
    use base::Diags;
    use tungsten_ir::{NameOptions, profile};

    use super::Shared;
    use crate::targets::{Emitter, emitter};

    #[test]
    fn each_target_has_the_names_of_its_profile() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let path = dir.path().join("openapi.yaml");
        let text = "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n    Pet: { type: object, properties: { bornAt: { type: string } } }\n";
        std::fs::write(&path, text).expect("writable");
        let compilation = crate::compile(&path).expect("readable");
        let ir = compilation.ir.as_ref().expect("an IR");
        let field = ir.types.fields.ids().next().expect("a field");
        let typescript = emitter("typescript").expect("there");
        let python =
            Emitter { profile: &profile::PYTHON, name_options: |_| NameOptions::default(), emit: typescript.emit };
        let mut diags = Diags::new();
        let mut shared = Shared::new(ir, false);
        let mut name =
            |target: &str, emitter: &Emitter| shared.for_target(target, emitter, &mut diags).1.field(field).to_owned();
        assert_eq!(name("python", &python), "born_at");
        assert_eq!(name("typescript", &typescript), "bornAt");
        assert_eq!(name("python", &python), "born_at");
    }
}
