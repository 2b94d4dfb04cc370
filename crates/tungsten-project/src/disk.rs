//! Input files from disk. One function decides what may be read: regular files inside the input root, nothing behind a
//! link that leads out of it.

use std::io;
use std::path::{Path, PathBuf};

use base::Source;
use base::limits::FILE_BYTES;
use base::source::{Access, OpenError};
use tungsten_frontend::{LoadError, Loader};

/// The folder below which documents are read, and how its files are named in diagnostics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    pub folder: PathBuf,
    /// The project's folder as seen from the root, `/`-terminated; empty when they are the same.
    project_inside: String,
    /// What is put before the path of a file that is not in the project's folder.
    prefix: String,
}

impl Root {
    /// A root whose files are named by `prefix` and their path.
    pub fn at(folder: &Path, prefix: impl Into<String>) -> Self {
        Self { folder: folder.to_owned(), project_inside: String::new(), prefix: prefix.into() }
    }

    /// The nearest folder that holds the project and every file that it names, description or overlay.
    pub fn of_project(project: &Path, files: &[String]) -> Self {
        let leading = |file: &String| file.split('/').filter(|s| *s != ".").take_while(|s| *s == "..").count();
        let n_up = files.iter().map(leading).max().unwrap_or(0);
        let folder = project.ancestors().nth(n_up).unwrap_or_else(|| Path::new("/")).to_owned();
        let inside = project.strip_prefix(&folder).map(|path| path.to_string_lossy().replace('\\', "/"));
        let inside = inside.ok().filter(|path| !path.is_empty()).map_or(String::new(), |path| path + "/");
        Self { folder, project_inside: inside, prefix: "../".repeat(n_up) }
    }

    /// The loader's path of a document that the manifest names.
    pub fn path_of(&self, spec: &str) -> String {
        let joined = format!("{}{spec}", self.project_inside);
        let mut parts: Vec<&str> = Vec::new();
        for part in joined.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// How the file of a loader's path is named.
    pub fn display(&self, path: &str) -> String {
        match path.strip_prefix(&self.project_inside) {
            Some(inside) if !self.project_inside.is_empty() => inside.to_owned(),
            _ => format!("{}{path}", self.prefix),
        }
    }
}

/// Reads files below one folder.
#[derive(Debug)]
pub struct DiskLoader {
    /// Canonical; nothing when there is no such folder, and so no file in it.
    folder: Option<PathBuf>,
    root: Root,
    access: Access,
}

impl DiskLoader {
    /// A loader for the files below the root.
    pub fn new(root: Root, access: Access) -> Self {
        Self { folder: root.folder.canonicalize().ok(), root, access }
    }
}

impl Loader for DiskLoader {
    fn name(&self, path: &str) -> String {
        self.root.display(path)
    }

    fn load(&self, path: &str) -> Result<Source, LoadError> {
        let folder = self.folder.as_ref().ok_or(LoadError::NotFound)?;
        let mut full = folder.clone();
        for segment in path.split('/') {
            if matches!(segment, "" | "." | "..") {
                return Err(LoadError::Outside);
            }
            // Each of them parts a path on some system, so none stands in the name of a file that is read.
            if segment.contains(['\\', '\0', ':']) {
                return Err(LoadError::Other("a part of its path holds a backslash, a colon or NUL".to_owned()));
            }
            full.push(segment);
        }
        let real = full.canonicalize().map_err(|error| load_error(&error))?;
        if !real.starts_with(folder) {
            return Err(LoadError::Outside);
        }
        Source::open(&real, self.root.display(path), FILE_BYTES, self.access).map_err(|error| match error {
            OpenError::NotAFile => LoadError::NotAFile,
            OpenError::TooLarge(size) => LoadError::TooLarge(size),
            OpenError::Io(error) => load_error(&error),
        })
    }
}

fn load_error(error: &io::Error) -> LoadError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => LoadError::NotFound,
        _ => LoadError::Other(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use base::source::Access;
    use tungsten_frontend::{LoadError, Loader};

    use super::{DiskLoader, Root};

    #[test]
    fn the_root_holds_the_project_and_what_it_names() {
        let project = Path::new("/a/b/project");
        let own = Root::of_project(project, &["openapi.yaml".to_owned(), "./sub/x.yaml".to_owned()]);
        assert_eq!(own, Root::at(project, ""));
        assert_eq!(own.path_of("./sub/x.yaml"), "sub/x.yaml");
        let shared = Root::of_project(project, &["../other/x.yaml".to_owned(), "y.yaml".to_owned()]);
        assert_eq!(shared.folder, Path::new("/a/b"));
        assert_eq!(
            (shared.path_of("../other/x.yaml"), shared.path_of("y.yaml")),
            ("other/x.yaml".into(), "project/y.yaml".into())
        );
        assert_eq!(
            (shared.display("other/x.yaml"), shared.display("project/y.yaml")),
            ("../other/x.yaml".into(), "y.yaml".into())
        );
    }

    #[test]
    fn only_regular_files_inside_the_root_are_read() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let root = dir.path().join("root");
        fs::create_dir_all(root.join("sub")).expect("creatable");
        fs::write(root.join("sub/a.yaml"), "a: 1").expect("writable");
        fs::write(dir.path().join("secret.yaml"), "s: 1").expect("writable");
        let loader = DiskLoader::new(Root::at(&root, "root/"), Access::Read);
        assert_eq!(loader.load("sub/a.yaml").expect("inside").name(), "root/sub/a.yaml");
        assert_eq!(loader.load("sub").err(), Some(LoadError::NotAFile));
        assert_eq!(loader.load("none.yaml").err(), Some(LoadError::NotFound));
        for path in ["../secret.yaml", "sub/../../secret.yaml", "", "/etc/hostname", "sub//a.yaml"] {
            assert_eq!(loader.load(path).err(), Some(LoadError::Outside), "{path}");
        }
        for path in ["c:a", "sub\\a.yaml", "sub/a\0.yaml"] {
            assert!(matches!(loader.load(path), Err(LoadError::Other(_))), "{path:?}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(dir.path().join("secret.yaml"), root.join("link.yaml")).expect("linkable");
            assert_eq!(loader.load("link.yaml").err(), Some(LoadError::Outside));
        }
    }
}
