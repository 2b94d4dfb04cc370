//! Where the bytes of documents come from. The frontend reads no files: it asks a [`Loader`].
//!
//! Paths are `/`-separated, normalised (no `.`, `..` or empty parts) and relative to the input root. A loader for disks
//! is outside of this crate; the one for memory is here.

use std::collections::BTreeMap;

use base::Source;

/// Gives the bytes of a path. Called by several threads at once.
pub trait Loader: Sync {
    /// Loads one regular file of at most `base::limits::FILE_BYTES`.
    fn load(&self, path: &str) -> Result<Source, LoadError>;

    /// How the file of a path is named in diagnostics.
    fn name(&self, path: &str) -> String {
        path.to_owned()
    }
}

/// Why a file could not be loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    NotFound,
    /// A directory, a device, a pipe.
    NotAFile,
    /// Larger than the limit, in bytes.
    TooLarge(u64),
    /// The path leads out of the input root, for example through a link.
    Outside,
    /// Anything else, in the words of the system.
    Other(String),
}

/// Documents held in memory, by path.
#[derive(Clone, Default, Debug)]
pub struct MemoryLoader {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryLoader {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document, or replaces the one at `path`.
    pub fn with(mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.into(), bytes.into());
        self
    }
}

impl Loader for MemoryLoader {
    fn load(&self, path: &str) -> Result<Source, LoadError> {
        let bytes = self.files.get(path).ok_or(LoadError::NotFound)?;
        if bytes.len() as u64 > base::limits::FILE_BYTES {
            return Err(LoadError::TooLarge(bytes.len() as u64));
        }
        Ok(Source::from_bytes(path, bytes.clone()))
    }
}
