//! Trouble with the world: a disk, a process, a port. Wrong input is never one of these; it is a diagnostic.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What could not be done, on what, and why. Ends a command with exit code 3.
#[derive(Debug)]
pub struct Failure {
    /// "writing", "reading the output manifest", ...
    pub doing: &'static str,
    pub path: PathBuf,
    pub source: io::Error,
}

impl Failure {
    /// For `map_err`: `.map_err(Failure::of("writing", path))`.
    pub fn of(doing: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |source| Self { doing, path, source }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} failed: {}", self.doing, self.path.display(), self.source)
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}
