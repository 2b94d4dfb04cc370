//! Every description of the shared corpus: compiled, verified, its diagnostics counted by code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::source::{Access, OpenError};
use base::{Source, limits};
use tungsten_frontend::{InputRequest, LoadError, Loader, Request, compile};

/// Files below a folder. A test may read the disk; the crate may not.
struct Folder(PathBuf);

impl Loader for Folder {
    fn load(&self, path: &str) -> Result<Source, LoadError> {
        Source::open(&self.0.join(path), path, limits::FILE_BYTES, Access::Read).map_err(|error| match error {
            OpenError::NotAFile => LoadError::NotAFile,
            OpenError::TooLarge(n_bytes) => LoadError::TooLarge(n_bytes),
            OpenError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => LoadError::NotFound,
            OpenError::Io(error) => LoadError::Other(error.to_string()),
        })
    }
}

fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("TUNGSTEN_SHARED").map_or(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// The `entry` and `entries` of the list, relative to it.
fn entries(list: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in list.lines() {
        if let Some((key, value)) = line.split_once(" = ")
            && matches!(key, "entry" | "entries")
        {
            out.extend(value.split('"').skip(1).step_by(2).map(str::to_owned));
        }
    }
    out
}

#[test]
fn every_description_compiles() {
    let Some(shared) = shared() else {
        println!("skipped: no ../shared");
        return;
    };
    let corpus = shared.join("corpus");
    let list = std::fs::read_to_string(corpus.join("CORPUS.toml")).expect("the corpus has a list");
    let entries = entries(&list);
    assert!(entries.len() > 31, "the list names its entries");
    for entry in entries {
        let (folder, spec) = entry.split_once('/').expect("an entry stands in a folder");
        let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: spec.to_owned() }];
        let request = Request { api_name: "corpus".to_owned(), inputs, ..Request::default() };
        let compiled = compile(&request, &Folder(corpus.join(folder)));
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for one in compiled.diags.clone().finish(&compiled.sources) {
            *counts.entry(one.code.name()).or_default() += 1;
        }
        let stats = compiled.stats;
        println!("{entry}: {} types, {} operations, {counts:?}", stats.n_types, stats.n_ops);
        match &compiled.ir {
            Some(ir) => {
                let faults = tungsten_ir::verify_frozen(ir, compiled.diags.has_errors());
                assert_eq!(faults, [""; 0], "{entry}");
            }
            None => assert!(counts.contains_key("TG0103"), "{entry} is refused for its version or not at all"),
        }
    }
}
