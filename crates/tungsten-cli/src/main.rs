//! The `tungsten` command line: reads arguments, runs one command, prints its outcome once, ends with its exit code.

mod args;
mod cli_output;
mod commands;
mod files;
mod github;
mod outcome;
mod progress;
mod render;
mod sarif;

use std::borrow::Cow;
use std::io::Write as _;
use std::process::ExitCode;

use args::{Cli, Command, IrCommand, OverlayCommand};
use clap::Parser as _;
use clap::error::ErrorKind as ClapError;
use outcome::{CommandError, ErrorKind, Exit, Format, Outcome};

fn main() -> ExitCode {
    let wants_json = wants_json(std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()));
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(error) => of_clap(&error),
    };
    let exit = print(&outcome, wants_json);
    outcome.hold.wait();
    exit
}

/// Whether JSON was asked for, read from the bare arguments: those that clap refuses are answered in JSON as well.
fn wants_json(args: impl Iterator<Item = String>) -> bool {
    let mut before = String::new();
    for arg in args.take_while(|arg| arg != "--") {
        if arg == "--json"
            || arg.starts_with("--json=")
            || arg == "--output-format=json"
            || before == "--output-format" && arg == "json"
        {
            return true;
        }
        before = arg;
    }
    false
}

fn run(cli: Cli) -> Outcome {
    let json = cli.json;
    match cli.command {
        Command::Check(args) => commands::check::run(&args, json),
        Command::Ir(IrCommand::Dump(args)) => commands::ir_dump::run(&args, json),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Init(args) => commands::init::run(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        Command::Generate(args) => commands::generate::run(&args, json),
        Command::Mock(args) => commands::mock::run(&args, json),
        Command::Overlay(OverlayCommand::Suggest(args)) => commands::overlay_suggest::run(&args),
    }
}

/// Help and version are results; anything else that clap refuses is a usage error.
fn of_clap(error: &clap::Error) -> Outcome {
    let text = error.render().to_string();
    match error.kind() {
        ClapError::DisplayHelp | ClapError::DisplayVersion => {
            let result = serde_json::json!({ "help": text });
            Outcome { command: None, result: Some(result), text, ..Outcome::of("") }
        }
        ClapError::DisplayHelpOnMissingArgumentOrSubcommand => {
            Outcome::failed(None, CommandError::new(ErrorKind::Usage, "no command given").help(text))
        }
        _ => {
            let (message, help) = text.split_once("\n\n").unwrap_or((&text, ""));
            let message = message.trim().trim_start_matches("error: ").to_owned();
            let error = CommandError::new(ErrorKind::Usage, message);
            Outcome::failed(None, if help.trim().is_empty() { error } else { error.help(help.trim()) })
        }
    }
}

/// Results to standard output, the rest to standard error. A reader that went away is no failure.
fn print(outcome: &Outcome, json: bool) -> ExitCode {
    let result = if json { print_json(outcome) } else { print_text(outcome) };
    match result {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln!("error: writing to standard output failed: {error}");
            ExitCode::from(Exit::World as u8)
        }
        _ => ExitCode::from(outcome.exit as u8),
    }
}

fn print_json(outcome: &Outcome) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(outcome.to_json().as_bytes())?;
    stdout.flush()
}

fn print_text(outcome: &Outcome) -> std::io::Result<()> {
    let mut stderr = anstream::stderr().lock();
    let result = match outcome.format {
        Format::Text => {
            stderr.write_all(render::render(outcome).as_bytes())?;
            outcome.text.as_str().into()
        }
        Format::Sarif => Cow::Owned(sarif::render(outcome)),
        Format::Github => Cow::Owned(github::render(outcome)),
    };
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(result.as_bytes())?;
    stdout.flush()?;
    if let Some(error) = &outcome.error {
        writeln!(stderr, "error: {}", error.message)?;
        if let Some(help) = &error.help {
            writeln!(stderr, "{help}")?;
        }
    }
    if !outcome.summary.is_empty() {
        writeln!(stderr, "{}", outcome.summary)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::wants_json;

    #[test]
    fn json_is_asked_for_in_three_ways() {
        let asks = |line: &str| wants_json(line.split(' ').map(str::to_owned));
        for line in ["check --json", "--json=x", "check --output-format json .", "check --output-format=json"] {
            assert!(asks(line), "{line}");
        }
        for line in ["check json", "check --output-format sarif json", "explain -- --json", "--output-format -- json"] {
            assert!(!asks(line), "{line}");
        }
    }
}
