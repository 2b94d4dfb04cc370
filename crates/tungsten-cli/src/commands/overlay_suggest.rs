//! `tungsten overlay suggest`: prints an overlay that states ids, or writes it to a file.

use std::io::Write as _;
use std::path::Path;

use base::Code;
use serde_json::{Value, json};
use tungsten_project::Compilation;
use tungsten_project::failure::Failure;
use tungsten_project::suggest::{FIXED, ForInput, overlay, overlay_yaml, suggest};

use crate::args::OverlaySuggest;
use crate::outcome::{CommandError, ErrorKind, Exit, Outcome};

const NAME: &str = "overlay suggest";

pub fn run(args: &OverlaySuggest) -> Outcome {
    let only = match codes(&args.only) {
        Ok(only) => only,
        Err(error) => return Outcome::failed(Some(NAME), error),
    };
    let compilation = match tungsten_project::compile(&args.project.path) {
        Ok(compilation) => compilation,
        Err(failure) => return Outcome::failed(Some(NAME), failure.into()),
    };
    let Some(found) = suggest(&compilation, only.as_deref()) else {
        let exit = Exit::of(&compilation.diagnostics, false, &[]);
        let summary = "ids are suggested for a project without errors".to_owned();
        let outcome = Outcome { exit, summary, ..Outcome::of(NAME) };
        return outcome.with_diagnostics(compilation.diagnostics, compilation.sources, compilation.project.shown);
    };
    let chosen = match choose(&found.inputs, args.namespace.as_deref(), &compilation) {
        Ok(chosen) => chosen.cloned(),
        Err(error) => return Outcome::failed(Some(NAME), error),
    };
    let mut result = json!({});
    if let Some(input) = &chosen {
        result["namespace"] = json!(input.namespace);
        result["spec"] = json!(input.spec);
    }
    result["actions"] = actions_json(chosen.as_ref());
    result["skipped"] = json!(found.skipped);
    let mut outcome = Outcome::of(NAME);
    if let Some(input) = &chosen {
        let extends = extends(&compilation, input, args.write.as_deref());
        let text = overlay_yaml(input, &extends);
        match &args.write {
            Some(path) => {
                if let Err(error) = write_new(path, &text, args.force) {
                    return Outcome::failed(Some(NAME), error);
                }
                result["out"] = json!(path.display().to_string());
                let list = format!("add it to the `overlays` of the input `{}`", input.namespace);
                outcome.text = format!("{}: {}; {list}\n", path.display(), actions_phrase(input.actions.len()));
            }
            None => {
                result["overlay"] = overlay(input, &extends);
                outcome.text = text;
            }
        }
    } else {
        outcome.summary = "no id is missing or used twice".to_owned();
    }
    outcome.result = Some(result);
    let diagnostics = found.diags.finish(&compilation.sources);
    outcome.exit = Exit::of(&diagnostics, false, &[]);
    outcome.with_diagnostics(diagnostics, compilation.sources, compilation.project.shown)
}

/// The codes that were named; each is one.
fn codes(names: &[String]) -> Result<Option<Vec<Code>>, CommandError> {
    let parse = |name: &String| {
        Code::parse(name.trim()).ok_or_else(|| {
            let fixed = FIXED.map(Code::name).join(", ");
            CommandError::new(ErrorKind::Usage, format!("there is no code {}", base::diag::quoted(name)))
                .help(format!("codes that an overlay fixes: {fixed}"))
        })
    };
    let codes: Vec<Code> = names.iter().map(parse).collect::<Result<_, _>>()?;
    Ok((!codes.is_empty()).then_some(codes))
}

/// The input that is meant: the one that is named, or the only one with actions.
fn choose<'f>(
    inputs: &'f [ForInput],
    wanted: Option<&str>,
    compilation: &Compilation,
) -> Result<Option<&'f ForInput>, CommandError> {
    if let Some(wanted) = wanted {
        let known = compilation.namespaces();
        if !known.iter().any(|name| name == wanted) {
            let message = format!("no input has the namespace {}", base::diag::quoted(wanted));
            return Err(CommandError::new(ErrorKind::NotFound, message).help(format!("inputs: {}", known.join(", "))));
        }
        return Ok(inputs.iter().find(|input| input.namespace == wanted));
    }
    match inputs {
        [] => Ok(None),
        [only] => Ok(Some(only)),
        several => {
            let names: Vec<&str> = several.iter().map(|input| input.namespace.as_str()).collect();
            let message = "several inputs have suggestions, and an overlay is for one";
            let help = format!("name one with --namespace: {}", names.join(", "));
            Err(CommandError::new(ErrorKind::Usage, message).help(help))
        }
    }
}

fn actions_json(input: Option<&ForInput>) -> Value {
    let action = |action: &tungsten_project::suggest::Action| {
        json!({
            "codes": [action.code.name()],
            "target": action.target,
            "pointer": action.pointer,
            "update": { "operationId": action.operation_id },
        })
    };
    input.map_or_else(|| json!([]), |input| input.actions.iter().map(action).collect())
}

fn actions_phrase(count: usize) -> String {
    if count == 1 { "1 action".to_owned() } else { format!("{count} actions") }
}

/// The document as the overlay's folder sees it; the project's folder when nothing is written.
fn extends(compilation: &Compilation, input: &ForInput, out: Option<&Path>) -> String {
    let Some(out) = out else { return input.spec.clone() };
    let here = std::env::current_dir().unwrap_or_default();
    let folder = here.join(out.parent().unwrap_or(Path::new("")));
    let document = compilation.project.dir.join(&input.spec);
    tungsten_project::relative_path(&folder, &document.to_string_lossy())
}

fn write_new(path: &Path, text: &str, force: bool) -> Result<(), CommandError> {
    if path.exists() && !force {
        let message = format!("{} is there already", path.display());
        return Err(CommandError::new(ErrorKind::Refused, message).help("pass --force to overwrite it"));
    }
    let write = || std::fs::File::create(path)?.write_all(text.as_bytes());
    write().map_err(|error| Failure::of("writing", path)(error).into())
}
