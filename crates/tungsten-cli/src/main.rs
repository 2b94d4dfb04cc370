//! The `tungsten` command line: reads arguments, runs one command, prints its outcome once, ends with its exit code.

mod args;
mod cli_output;
mod commands;
mod outcome;
mod progress;
mod render;

use std::io::Write as _;
use std::process::ExitCode;

use args::{Cli, Command, IrCommand};
use clap::Parser as _;
use clap::error::ErrorKind as ClapError;
use outcome::{CommandError, ErrorKind, Exit, Outcome};

fn main() -> ExitCode {
    let wants_json = std::env::args_os()
        .skip(1)
        .take_while(|arg| arg != "--")
        .any(|arg| arg == "--json" || arg.to_string_lossy().starts_with("--json="));
    let outcome = match Cli::try_parse() {
        Ok(cli) => run(cli),
        Err(error) => of_clap(&error),
    };
    let exit = print(&outcome, wants_json);
    outcome.hold.wait();
    exit
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
    stderr.write_all(render::render(outcome).as_bytes())?;
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(outcome.text.as_bytes())?;
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
