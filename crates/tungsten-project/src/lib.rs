//! The pipeline as one function: from a path on the command line to a compiled API and to files on disk.
//!
//! The only crate below the command line that reads and writes files.

mod compile;
mod disk;
pub mod doctor;
mod dump;
mod explain;
pub mod failure;
mod generate;
pub mod init;
pub mod output;
mod overrides;
mod project;
pub mod suggest;
mod target_options;
mod targets;

pub use compile::{Compilation, Stats, compile, compile_opened};
pub use disk::{DiskLoader, Root};
pub use explain::Explained;
pub use generate::{GenerateOptions, Status, TargetReport, check_targets, generate, unchanged};
pub use overrides::of as overrides_of;
pub use project::{LocalPackage, Opened, Shown, is_url, open, relative_path};
pub use target_options::for_manifest as option_tables;
