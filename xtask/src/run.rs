//! Running programs and saying what was run when one fails.

use std::process::Command;

pub type TaskResult<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Runs a program with inherited output. Fails with the command line when it cannot start or does not succeed.
pub fn run(command: &mut Command) -> TaskResult {
    let status = command.status().map_err(|error| format!("starting {}: {error}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", shown(command)).into()) }
}

/// Runs a program and returns its standard output, whatever it is; fails like [`run`].
pub fn output(command: &mut Command) -> TaskResult<String> {
    let output = command.output().map_err(|error| format!("starting {}: {error}", shown(command)))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let tail = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(20)..].join("\n")
    };
    Err(format!("{} ended with {}\n{}\n{}", shown(command), output.status, tail(&output.stdout), tail(&output.stderr))
        .into())
}

/// The value after `--name`.
pub fn option<'a>(args: &'a [String], name: &str) -> Option<&'a str> {
    let at = args.iter().position(|arg| arg == name)?;
    args.get(at + 1).map(String::as_str)
}

pub fn flag(args: &[String], name: &str) -> bool {
    args.iter().any(|arg| arg == name)
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
