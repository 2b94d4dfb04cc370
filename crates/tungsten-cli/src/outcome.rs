//! What a command comes to: its text, its JSON result, its diagnostics, its exit code. `main` prints it, once.

use std::fmt::Write as _;
use std::sync::Arc;

use base::{Diagnostic, Severity, Sources};
use serde_json::{Value, json};
use tungsten_project::failure::Failure;
use tungsten_project::{Shown, Status, TargetReport};

use crate::render::Notes;

/// Exit codes, as `--help` lists them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    Success = 0,
    /// Errors in the input, stale output, or nothing by that name.
    Input = 1,
    Usage = 2,
    /// A file, a folder, a port.
    World = 3,
    Refused = 4,
}

impl Exit {
    /// What findings come to, with `--strict` or without, and what became of targets.
    pub fn of(diagnostics: &[Diagnostic], strict: bool, targets: &[TargetReport]) -> Self {
        let any = |status: Status| targets.iter().any(|report| report.status == status);
        let refused = |severity: Severity| severity == Severity::Error || (strict && severity == Severity::Warning);
        if any(Status::Refused) {
            Self::Refused
        } else if any(Status::Failed) {
            Self::World
        } else if diagnostics.iter().any(|d| refused(d.severity)) || any(Status::Stale) || any(Status::Withheld) {
            Self::Input
        } else {
            Self::Success
        }
    }
}

/// Why a command did not do what was asked, apart from diagnostics.
#[derive(Debug)]
pub struct CommandError {
    pub kind: ErrorKind,
    pub message: String,
    pub help: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    Usage,
    Refused,
    NotFound,
    Io,
}

impl ErrorKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Refused => "refused",
            Self::NotFound => "not_found",
            Self::Io => "io",
        }
    }

    pub fn exit(self) -> Exit {
        match self {
            Self::Usage => Exit::Usage,
            Self::Refused => Exit::Refused,
            Self::NotFound => Exit::Input,
            Self::Io => Exit::World,
        }
    }
}

impl CommandError {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl From<Failure> for CommandError {
    fn from(failure: Failure) -> Self {
        Self::new(ErrorKind::Io, failure.to_string())
    }
}

/// Everything there is to say about a finished command.
#[derive(Debug)]
pub struct Outcome {
    /// The command's name in the JSON envelope.
    pub command: Option<&'static str>,
    pub exit: Exit,
    /// Sorted.
    pub diagnostics: Vec<Diagnostic>,
    pub sources: Arc<Sources>,
    /// How the files of the diagnostics are shown to people.
    pub shown: Shown,
    pub error: Option<CommandError>,
    pub result: Option<Value>,
    /// For standard output when `--json` is not given.
    pub text: String,
    /// Last lines for standard error: what it all came to.
    pub summary: String,
    /// How notes are shown to people.
    pub notes: Notes,
    /// How the diagnostics are printed when `--json` is not given.
    pub format: Format,
    /// What goes on after the outcome was printed.
    pub hold: Hold,
}

/// How diagnostics are printed, next to the envelope of `--json`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For people, on standard error.
    #[default]
    Text,
    /// A SARIF log on standard output.
    Sarif,
    /// Workflow commands on standard output.
    Github,
}

/// Work that a command leaves for after its outcome was printed: a server that runs on.
#[derive(Default)]
pub struct Hold(Option<Box<dyn FnOnce()>>);

impl Hold {
    pub fn until(done: impl FnOnce() + 'static) -> Self {
        Self(Some(Box::new(done)))
    }

    pub fn wait(self) {
        if let Some(done) = self.0 {
            done();
        }
    }
}

impl std::fmt::Debug for Hold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Hold({})", self.0.is_some())
    }
}

impl Outcome {
    pub fn of(command: &'static str) -> Self {
        Self {
            command: Some(command),
            exit: Exit::Success,
            diagnostics: Vec::new(),
            sources: Arc::new(Sources::new()),
            shown: Shown::default(),
            error: None,
            result: None,
            text: String::new(),
            summary: String::new(),
            notes: Notes::default(),
            format: Format::default(),
            hold: Hold::default(),
        }
    }

    pub fn failed(command: Option<&'static str>, error: CommandError) -> Self {
        Self { command, exit: error.kind.exit(), error: Some(error), ..Self::of("") }
    }

    pub fn with_diagnostics(mut self, diagnostics: Vec<Diagnostic>, sources: Arc<Sources>, shown: Shown) -> Self {
        self.diagnostics = diagnostics;
        self.sources = sources;
        self.shown = shown;
        self
    }

    /// The closed envelope of `--json`, members in their fixed order.
    pub fn to_json(&self) -> String {
        let error = self
            .error
            .as_ref()
            .map(|error| json!({"kind": error.kind.name(), "message": error.message, "help": error.help}));
        let envelope = json!({
            "tool": "tungsten",
            "version": env!("CARGO_PKG_VERSION"),
            "command": self.command,
            "ok": self.exit == Exit::Success,
            "exit_code": self.exit as u8,
            "diagnostics": self.diagnostics.iter().map(|d| diagnostic_json(d, &self.sources)).collect::<Vec<_>>(),
            "error": error,
            "result": self.result,
        });
        envelope.to_string() + "\n"
    }
}

/// A diagnostic in the JSON envelope: every member present, lines and columns from 1, columns in characters.
pub fn diagnostic_json(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let place = &diagnostic.place;
    let file = Some(place.file_name(sources)).filter(|name| !name.is_empty());
    let position = match (place.source, place.range) {
        (Some(source), Some((start, _))) => Some(sources.get(source).line_column(start)),
        _ => None,
    };
    json!({
        "code": diagnostic.code.name(),
        "severity": diagnostic.severity.name(),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "file": file,
        "pointer": place.source.is_some().then_some(&place.pointer),
        "line": position.map(|(line, _)| line),
        "column": position.map(|(_, column)| column),
    })
}

/// "2 errors, 1 warning, 14 notes"; "no findings" when there are none.
pub fn count_phrase(diagnostics: &[Diagnostic]) -> String {
    let mut phrase = String::new();
    for (severity, word) in [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "note")] {
        let count = diagnostics.iter().filter(|d| d.severity == severity).count();
        if count > 0 {
            let comma = if phrase.is_empty() { "" } else { ", " };
            let plural = if count == 1 { "" } else { "s" };
            let _ = write!(phrase, "{comma}{count} {word}{plural}");
        }
    }
    if phrase.is_empty() { "no findings".to_owned() } else { phrase }
}
