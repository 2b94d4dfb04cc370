//! `tungsten init`: writes `tungsten.yml` and `agent.yml`.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use tungsten_manifest::{BUILT_IN_TARGETS, resolve_alias};
use tungsten_project::Shown;
use tungsten_project::init::{InitError, Request, WrittenFile, default_targets, init};

use crate::args::Init;
use crate::outcome::{CommandError, ErrorKind, Exit, Outcome};

pub fn run(args: &Init) -> Outcome {
    if let Some(misplaced) = &args.misplaced {
        return Outcome::failed(Some("init"), misplaced_argument(misplaced));
    }
    let targets = match targets(&args.targets) {
        Ok(targets) => targets,
        Err(error) => return Outcome::failed(Some("init"), error),
    };
    let request = Request {
        dir: &args.dir,
        from: args.from.as_deref(),
        name: args.name.as_deref(),
        targets: &targets,
        force: args.force,
    };
    let written = match init(&request) {
        Ok(written) => written,
        Err(error) => return failed(error),
    };
    let action = |file: &WrittenFile| if file.overwritten { "overwritten" } else { "created" };
    let project = written.files[0].path.parent().filter(|dir| !dir.as_os_str().is_empty());
    let project = project.map_or(String::new(), |dir| format!(" {}", dir.display()));
    let line = |file: &WrittenFile| format!("{} {}\n", action(file), file.path.display());
    let mut text: String = written.files.iter().map(line).collect();
    let _ = if written.spec_found {
        writeln!(text, "next: `tungsten check{project}`, then `tungsten generate{project}`")
    } else {
        let todo = "no OpenAPI document was found: put its path under `inputs`";
        writeln!(text, "{todo}, then run `tungsten check{project}`")
    };
    let name = |file: &WrittenFile| file.path.file_name().map(|name| name.to_string_lossy().into_owned());
    let files: Vec<Value> =
        written.files.iter().map(|file| json!({ "path": name(file), "action": action(file) })).collect();
    let result = json!({
        "dir": args.dir.display().to_string(),
        "api_name": written.api_name,
        "namespace": written.namespace,
        "spec": written.spec,
        "spec_found": written.spec_found,
        "files": files,
    });
    Outcome { result: Some(result), text, ..Outcome::of("init") }
}

/// Aliases resolved, repeats dropped; an unknown name is a usage error before anything is written.
fn targets(asked: &[String]) -> Result<Vec<String>, CommandError> {
    let mut targets: Vec<String> = Vec::new();
    for name in asked {
        let name = resolve_alias(name.trim());
        if !BUILT_IN_TARGETS.iter().any(|target| target.name == name) {
            let message = format!("unknown target {}", base::diag::quoted(name));
            let names: Vec<&str> = BUILT_IN_TARGETS.iter().map(|target| target.name).collect();
            return Err(CommandError::new(ErrorKind::Usage, message).help(format!("targets: {}", names.join(", "))));
        }
        if !targets.iter().any(|known| known == name) {
            targets.push(name.to_owned());
        }
    }
    if targets.is_empty() {
        targets = default_targets().into_iter().map(str::to_owned).collect();
    }
    Ok(targets)
}

/// What to write instead of an argument that no option stands before.
fn misplaced_argument(argument: &Path) -> CommandError {
    let shown = base::diag::quoted(&argument.to_string_lossy());
    let text = argument.display();
    if tungsten_project::is_url(&argument.to_string_lossy()) {
        return url(&shown);
    }
    let help = if argument.is_dir() {
        format!("to write the manifest into that folder, run `tungsten init --dir {text}`")
    } else {
        format!("to start from that document, run `tungsten init --from {text}`")
    };
    CommandError::new(ErrorKind::Usage, format!("{shown} is not expected: init takes only options")).help(help)
}

fn url(shown: &str) -> CommandError {
    CommandError::new(ErrorKind::Usage, format!("{shown} is a URL, and tungsten fetches none"))
        .help("download the document, then run `tungsten init --from <FILE>`")
}

fn folder(path: &Path, inside: Option<&Path>) -> CommandError {
    let help = match inside {
        Some(document) => format!("name the document in it: `--from {}`", document.display()),
        None => "name the OpenAPI document with --from; --dir names the folder of the manifest".to_owned(),
    };
    CommandError::new(ErrorKind::Usage, format!("{} is a folder, not an OpenAPI document", path.display())).help(help)
}

fn failed(error: InitError) -> Outcome {
    let error = match error {
        InitError::NotADescription(diagnostics, sources) => {
            let summary = "nothing was written: mend the document, or name an OpenAPI 3 one with `--from`".to_owned();
            let exit = Exit::of(&diagnostics, false, &[]);
            let outcome = Outcome { exit, summary, ..Outcome::of("init") };
            return outcome.with_diagnostics(diagnostics, sources, Shown::default());
        }
        InitError::Url(text) => url(&base::diag::quoted(&text)),
        InitError::Folder(path, inside) => folder(&path, inside.as_deref()),
        InitError::Exists(path) => {
            CommandError::new(ErrorKind::Refused, format!("{} is there already", path.display()))
                .help("pass --force to overwrite it")
        }
        InitError::NotAFile(path) => {
            CommandError::new(ErrorKind::Refused, format!("{} is not a regular file", path.display()))
                .help("remove it: --force does not replace a link or a folder")
        }
        InitError::NoSpec(path) => CommandError {
            kind: ErrorKind::NotFound,
            message: format!("there is no file {}", path.display()),
            help: Some("name the OpenAPI document with --from".to_owned()),
        },
        InitError::BadName(name) => {
            CommandError::new(ErrorKind::Usage, format!("{} is not a machine name", base::diag::quoted(&name)))
                .help("use lower-case letters, digits and underscores, a letter first")
        }
        InitError::Failure(failure) => failure.into(),
    };
    Outcome::failed(Some("init"), error)
}
