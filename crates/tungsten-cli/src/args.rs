//! The command line as clap sees it. One struct a command; the help texts are the reference page's source.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

const AFTER_HELP: &str = "\
Examples:
  tungsten init --from openapi.yaml    Write tungsten.yml and agent.yml
  tungsten check .                     Compile the project and print diagnostics
  tungsten generate --target ts        Generate the TypeScript SDK
  tungsten mock --port 4010            Serve a mock of the API
  tungsten explain TG0201              Say what a diagnostic code means
  tungsten overlay suggest --write ids.overlay.yaml
                                       Suggest ids that operations lack

Exit codes:
  0  success
  1  the input has errors (or warnings with --strict) or is no OpenAPI document, generated output is stale, or what was
     asked for does not exist
  2  the command line could not be understood
  3  trouble with the world: a file, a folder or a port
  4  refused: files that tungsten does not own would be overwritten (see --force)

Without --json, results go to standard output and diagnostics to standard error. With --json, standard output carries
one JSON document (`tungsten schema cli-output`), help and version included; its file names are relative to the
project's folder, wherever the command was started, while those of the text are as seen from the working directory.
Color is used on a terminal only, and never when NO_COLOR is set.";

/// Compiles an OpenAPI description into SDKs and a mock server for autonomous callers.
#[derive(Parser, Debug)]
#[command(name = "tungsten", version, after_help = AFTER_HELP, disable_help_subcommand = false)]
pub struct Cli {
    /// Print exactly one JSON document on standard output
    #[arg(long, global = true)]
    pub json: bool,

    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Compile the project and report diagnostics
    Check(Check),
    /// Intermediate representation commands
    #[command(subcommand)]
    Ir(IrCommand),
    /// Explain a diagnostic code, an operation or a type
    Explain(Explain),
    /// Print a JSON Schema published by tungsten
    Schema(Schema),
    /// Write tungsten.yml and agent.yml for a new project
    Init(Init),
    /// Report installed tools, and what a project needs
    Doctor(Doctor),
    /// Generate every configured target
    Generate(Generate),
    /// Serve a mock of the API on 127.0.0.1 until standard input closes
    Mock(Mock),
    /// OpenAPI Overlay authoring helpers
    #[command(subcommand)]
    Overlay(OverlayCommand),
}

#[derive(Args, Debug)]
pub struct ProjectPath {
    /// A folder with a tungsten.yml, a tungsten*.yml manifest, or a single OpenAPI document
    #[arg(default_value = ".")]
    pub path: PathBuf,
}

#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    pub project: ProjectPath,

    /// CI mode: never color, no progress, run the emitters too, report what they find, and fail (TG0901) when the
    /// generated output of a target differs from what `generate` would write. Without it the document, the manifests,
    /// the options of targets and the names of generated code are checked, and no emitter runs
    #[arg(long)]
    pub ci: bool,

    /// Treat warnings as errors
    #[arg(long)]
    pub strict: bool,

    /// How findings are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub output_format: OutputFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// For people, on standard error
    Text,
    /// The same as --json
    Json,
    /// A SARIF 2.1.0 log on standard output, all findings in it, columns in code points; files are relative to the
    /// working directory (`%SRCROOT%`), so start it where the repository begins
    Sarif,
    /// Workflow commands of GitHub Actions on standard output (`::error file=..,line=..`), files relative to the
    /// working directory
    Github,
}

#[derive(Subcommand, Debug)]
pub enum IrCommand {
    /// Write the intermediate representation as JSON
    Dump(IrDump),
}

#[derive(Args, Debug)]
pub struct IrDump {
    #[command(flatten)]
    pub project: ProjectPath,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// One line instead of indented JSON
    #[arg(long, conflicts_with = "pretty")]
    pub compact: bool,

    /// Indented JSON (the default)
    #[arg(long)]
    pub pretty: bool,
}

#[derive(Args, Debug)]
pub struct Explain {
    /// A diagnostic code (TG0201), an operation id (public.listPets) or a type id (public.Pet); a bare operationId or
    /// type name is accepted when only one fits
    pub target: String,

    /// Project in which operations and types are looked up
    #[arg(long, value_name = "PATH", default_value = ".")]
    pub project: PathBuf,
}

#[derive(Args, Debug)]
pub struct Schema {
    /// Which schema to print
    pub name: SchemaName,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SchemaName {
    /// The tungsten.yml manifest
    Tungsten,
    /// The agent.yml manifest
    Agent,
    /// The intermediate representation that `ir dump` writes
    Ir,
    /// The `--json` output of this command line
    CliOutput,
}

#[derive(Args, Debug)]
pub struct Init {
    /// Taken only to say which option was meant
    #[arg(hide = true)]
    pub misplaced: Option<PathBuf>,

    /// OpenAPI document to start from; default: openapi.json, openapi.yaml or openapi.yml in the folder
    #[arg(long, value_name = "SPEC")]
    pub from: Option<PathBuf>,

    /// Folder to write the manifests into, created if missing
    #[arg(long, default_value = ".")]
    pub dir: PathBuf,

    /// API machine name: lower-case letters, digits and underscores; default: made from the title
    #[arg(long)]
    pub name: Option<String>,

    /// Targets to configure, comma-separated or repeated (ts, py and rs are accepted); default: those of typescript,
    /// python and docs that this version has an emitter for; webmcp also configures typescript
    #[arg(long, value_delimiter = ',')]
    pub targets: Vec<String>,

    /// Overwrite existing manifests
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct Doctor {
    /// Project folder or manifest whose targets are looked at
    pub path: Option<PathBuf>,

    /// Fail when a tool that the project needs is missing or too old; without PATH, the current folder is looked at
    #[arg(long)]
    pub strict: bool,
}

#[derive(Args, Debug)]
pub struct Generate {
    #[command(flatten)]
    pub project: ProjectPath,

    /// Only these targets, comma-separated (`typescript,docs`; ts, py and rs are accepted)
    #[arg(long = "target", value_name = "TARGETS", value_delimiter = ',')]
    pub targets: Vec<String>,

    /// Report what would be written or removed; touch nothing
    #[arg(long, conflicts_with = "check")]
    pub dry_run: bool,

    /// Compare the output folders with what would be generated; write nothing, exit 1 when they differ
    #[arg(long)]
    pub check: bool,

    /// Write into a non-empty folder that tungsten did not generate
    #[arg(long)]
    pub force: bool,

    /// Treat warnings as errors: nothing is written when there are any, in any target
    #[arg(long)]
    pub strict: bool,
}

#[derive(Args, Debug)]
pub struct Mock {
    #[command(flatten)]
    pub project: ProjectPath,

    /// Port on 127.0.0.1; 0 picks a free one
    #[arg(long, default_value_t = 0)]
    pub port: u16,

    /// Seed for generated values; the same seed gives the same answers
    #[arg(long, default_value_t = 0)]
    pub seed: u64,

    /// Treat this runtime gate (its environment variable) as on; repeat for several
    #[arg(long = "gate", value_name = "ENV")]
    pub gates: Vec<String>,

    /// Calls kept for `/__tungsten/calls`; the oldest go first, 0 keeps none
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_recorded_calls: usize,

    /// Stored idempotent answers kept for replays; the oldest go first, 0 keeps none
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_idempotent_responses: usize,
}

#[derive(Subcommand, Debug)]
pub enum OverlayCommand {
    /// Suggest an overlay that states the ids of operations without one or with one that another has
    Suggest(OverlaySuggest),
}

#[derive(Args, Debug)]
pub struct OverlaySuggest {
    #[command(flatten)]
    pub project: ProjectPath,

    /// Write the overlay to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,

    /// Overwrite the file if it is there
    #[arg(long)]
    pub force: bool,

    /// Only fix findings of these codes, comma-separated
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub only: Vec<String>,

    /// The input (namespace) to suggest for; needed when several have suggestions, since an overlay fits one document
    #[arg(long, value_name = "NAME")]
    pub namespace: Option<String>,
}
