//! `tungsten init`: writes `tungsten.yml`.

use serde_json::json;
use tungsten_project::init::{InitError, Request, init};

use crate::args::Init;
use crate::outcome::{CommandError, ErrorKind, Exit, Outcome};

const TARGETS: [&str; 7] = ["typescript", "python", "rust", "docs", "mcp", "webmcp", "mock"];
const DEFAULT_TARGETS: [&str; 3] = ["typescript", "python", "docs"];

pub fn run(args: &Init) -> Outcome {
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
    let action = if written.overwritten { "overwritten" } else { "created" };
    let path = written.path.display().to_string();
    let mut text = format!("{action} {path}\n");
    if written.spec_found {
        text.push_str("next: `tungsten check`, then `tungsten generate`\n");
    } else {
        text.push_str("no OpenAPI document was found: put its path under `inputs`, then run `tungsten check`\n");
    }
    let result = json!({
        "dir": args.dir.display().to_string(),
        "api_name": written.api_name,
        "namespace": written.namespace,
        "spec": written.spec,
        "spec_found": written.spec_found,
        "files": [{ "path": "tungsten.yml", "action": action }],
    });
    Outcome { result: Some(result), text, ..Outcome::of("init") }
}

/// Aliases resolved, repeats dropped; an unknown name is a usage error before anything is written.
fn targets(asked: &[String]) -> Result<Vec<String>, CommandError> {
    let mut targets: Vec<String> = Vec::new();
    for name in asked {
        let name = match name.trim() {
            "ts" => "typescript",
            "py" => "python",
            "rs" => "rust",
            name => name,
        };
        if !TARGETS.contains(&name) {
            let message = format!("unknown target {}", base::diag::quoted(name));
            return Err(CommandError::new(ErrorKind::Usage, message).help(format!("targets: {}", TARGETS.join(", "))));
        }
        if !targets.iter().any(|known| known == name) {
            targets.push(name.to_owned());
        }
    }
    if targets.is_empty() {
        targets = DEFAULT_TARGETS.map(str::to_owned).to_vec();
    }
    Ok(targets)
}

fn failed(error: InitError) -> Outcome {
    let error = match error {
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
    let exit: Exit = error.kind.exit();
    Outcome { exit, ..Outcome::failed(Some("init"), error) }
}
