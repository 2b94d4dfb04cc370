//! What an emitter returns: a sorted map from safe relative paths to bytes. Only the driver touches the disk.

use std::collections::BTreeMap;

/// A relative path that cannot leave its folder: `/`-separated segments of `[A-Za-z0-9._@+-]`, none of them `.`, `..`
/// or a name of [`DEVICE_NAMES`], none ending in a dot; at most 240 bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RelPath(String);

/// Device names that Windows gives to no file, with any ending, in lower case (Microsoft, "Naming Files, Paths, and
/// Namespaces"; `com0` and `lpt0` are reserved too, as older versions take them for devices).
pub const DEVICE_NAMES: &[&str] = &[
    "aux", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "con", "lpt0", "lpt1",
    "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "nul", "prn",
];

impl RelPath {
    pub const MAX_BYTES: usize = 240;

    /// The path, or nothing when it is not a safe relative path.
    pub fn new(path: &str) -> Option<Self> {
        let safe = path.len() <= Self::MAX_BYTES && path.split('/').all(is_safe_segment);
        safe.then(|| Self(path.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path's segments, the file name last.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/')
    }
}

impl std::fmt::Display for RelPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_safe_segment(segment: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '@' | '+' | '-');
    let stem = segment.split('.').next().unwrap_or_default().to_ascii_lowercase();
    !segment.is_empty()
        && segment.chars().all(known)
        && !segment.ends_with('.')
        && !DEVICE_NAMES.contains(&stem.as_str())
}

/// Output files by path, in path order. Two paths that differ only in case are one file on some systems, so they meet
/// here too.
#[derive(Default, Debug)]
pub struct Files {
    files: BTreeMap<RelPath, Vec<u8>>,
    folded: BTreeMap<String, RelPath>,
}

impl Files {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Panics when the path is there already, in any case: two emitters of one file is a bug.
    pub fn add(&mut self, path: RelPath, bytes: impl Into<Vec<u8>>) {
        let earlier = self.folded.insert(path.as_str().to_ascii_lowercase(), path.clone());
        assert!(earlier.is_none(), "each output file is added once: {path}");
        self.files.insert(path, bytes.into());
    }

    pub fn contains(&self, path: &RelPath) -> bool {
        self.folded.contains_key(&path.as_str().to_ascii_lowercase())
    }

    pub fn get(&self, path: &RelPath) -> Option<&[u8]> {
        self.files.get(path).map(Vec::as_slice)
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// All files in path order.
    pub fn iter(&self) -> impl Iterator<Item = (&RelPath, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path, bytes.as_slice()))
    }

    /// Takes all files of `other`. Panics as [`Files::add`] does.
    pub fn append(&mut self, other: Self) {
        for (path, bytes) in other.files {
            self.add(path, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Files, RelPath};

    #[test]
    fn unsafe_paths_are_refused() {
        let long = "a/".repeat(120) + "b";
        for path in [
            "",
            "/a",
            "a//b",
            "..",
            "a/../b",
            ".",
            "a/.",
            "c:\\x",
            "a\\b",
            "a b",
            "é",
            "con",
            "src/NUL.ts",
            "a.",
            &long,
        ] {
            assert!(RelPath::new(path).is_none(), "{path}");
        }
        for path in ["a", "src/models/pet.ts", ".tungsten/manifest.json", "a..b", "@scope/x"] {
            assert!(RelPath::new(path).is_some(), "{path}");
        }
    }

    #[test]
    #[should_panic(expected = "each output file is added once")]
    fn the_same_path_twice_is_a_bug() {
        let mut files = Files::new();
        files.add(RelPath::new("a/B.ts").expect("safe"), "x");
        files.add(RelPath::new("a/b.ts").expect("safe"), "y");
    }
}
