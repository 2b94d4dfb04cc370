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

impl Failure {
    /// The failure in words, its path relative to `folder` where it lies in it: for diagnostics, whose paths are all
    /// relative to the project.
    pub fn seen_from(&self, folder: &Path) -> String {
        match self.path.strip_prefix(folder) {
            Ok(inside) if inside.as_os_str().is_empty() => self.words(Path::new(".")),
            Ok(inside) => self.words(inside),
            Err(_) => self.words(&self.path),
        }
    }

    fn words(&self, path: &Path) -> String {
        format!("{} {} failed: {}", self.doing, path.display(), self.source)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(&self.path))
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::Path;

    use super::Failure;

    #[test]
    fn paths_in_the_project_are_told_from_its_folder() {
        let failure = |path: &str| Failure::of("writing", path)(io::Error::other("full"));
        let cases = [
            ("/a/b/out/x.ts", "writing out/x.ts failed: full"),
            ("/a/b", "writing . failed: full"),
            ("/a/bc", "writing /a/bc failed: full"),
        ];
        for (path, expect) in cases {
            assert_eq!(failure(path).seen_from(Path::new("/a/b")), expect);
        }
        assert_eq!(failure("/a/b").to_string(), "writing /a/b failed: full");
    }
}
