//! The budgets on input files as a whole: what they allow is read, one more is refused.
//!
//! The files come from a loader that has as many as are asked for; their bytes are those of one sparse file, mapped.

use std::path::{Path, PathBuf};

use base::limits::{FILE_BYTES, FILES, TOTAL_BYTES};
use base::source::Access;
use base::{Code, Source};
use tungsten_frontend::{InputRequest, LoadError, Loader, Request, compile};

/// A description whose schemas refer to `n_files` files.
fn entry(n_files: usize) -> String {
    let mut text = "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n".to_owned();
    for n in 0..n_files {
        text.push_str(&format!("    S{n}: {{ $ref: f{n}.json }}\n"));
    }
    text
}

/// The codes of the errors that a description with `n_files` further files has, each with its file.
fn errors(loader: &dyn Loader) -> Vec<(Code, String)> {
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: "api.yaml".to_owned() }];
    let compiled = compile(&Request { inputs, ..Request::default() }, loader);
    let found = compiled.diags.finish(&compiled.sources).into_iter();
    let errors = found.filter(|found| found.severity == base::Severity::Error);
    errors.map(|found| (found.code, found.place.file_name(&compiled.sources).to_owned())).collect()
}

/// Files of the greatest size that one may have, but for the last, which has what is left.
struct Large {
    entry: String,
    full: PathBuf,
    last_name: String,
    last: PathBuf,
}

impl Large {
    /// `n_bytes` in all files together, the entry included.
    fn new(folder: &Path, n_bytes: u64) -> Self {
        let sparse = |name: &str, n_bytes| {
            let path = folder.join(name);
            std::fs::File::create(&path).expect("creatable").set_len(n_bytes).expect("a sparse file");
            path
        };
        let n_files = usize::try_from(TOTAL_BYTES / FILE_BYTES).expect("few");
        let entry = entry(n_files);
        let before = entry.len() as u64 + (n_files as u64 - 1) * FILE_BYTES;
        let (full, last) = (sparse("full", FILE_BYTES), sparse("last", n_bytes - before));
        Self { entry, full, last_name: format!("f{}.json", n_files - 1), last }
    }
}

impl Loader for Large {
    fn load(&self, path: &str) -> Result<Source, LoadError> {
        if path == "api.yaml" {
            return Ok(Source::from_bytes(path, self.entry.clone()));
        }
        let file = if path == self.last_name { &self.last } else { &self.full };
        Source::open(file, path, FILE_BYTES, Access::Map).map_err(|error| LoadError::Other(format!("{error:?}")))
    }
}

#[test]
fn all_files_together_may_have_so_many_bytes_and_no_more() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    // NUL bytes are no JSON: a file that is read has its error, and one beyond the budget is not read.
    let within = errors(&Large::new(dir.path(), TOTAL_BYTES));
    assert_eq!(within.len() as u64, TOTAL_BYTES / FILE_BYTES);
    assert!(within.iter().all(|(code, _)| *code == Code::TG0102), "{within:?}");

    let above = Large::new(dir.path(), TOTAL_BYTES + 1);
    let (over, read): (Vec<_>, Vec<_>) = errors(&above).into_iter().partition(|(code, _)| *code == Code::TG0105);
    assert_eq!(over, [(Code::TG0105, above.last_name)]);
    assert_eq!(read.len(), within.len() - 1);
}

/// Small files, as many as the entry names.
struct Many(String);

impl Loader for Many {
    fn load(&self, path: &str) -> Result<Source, LoadError> {
        let text = if path == "api.yaml" { self.0.as_str() } else { "{\"type\": \"string\"}" };
        Ok(Source::from_bytes(path, text))
    }

    fn name(&self, path: &str) -> String {
        format!("api/{path}")
    }
}

#[test]
fn so_many_files_are_read_and_no_more() {
    assert_eq!(errors(&Many(entry(FILES - 1))), []);
    assert_eq!(errors(&Many(entry(FILES))), [(Code::TG0105, format!("api/f{}.json", FILES - 1))]);
}
