//! The documents that the publisher of OpenAPI tests its own schemas with: those that must pass compile without an
//! error, those that must fail are refused or have a finding.

use std::path::{Path, PathBuf};

use tungsten_frontend::{Compiled, InputRequest, Request, compile};

use crate::corpus::{Folder, shared};
use crate::describe::findings;

/// References to other hosts are not fetched, whatever stands there.
const REMOTE: &[&str] = &["security-scheme-object-examples.yaml"];

/// The documents of a folder, by name.
fn documents(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".yaml")).collect();
    names.sort();
    names
}

fn compiled(folder: &Path, name: &str) -> Compiled {
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: name.to_owned() }];
    let request = Request { api_name: "official".to_owned(), inputs, ..Request::default() };
    compile(&request, &Folder(folder.to_owned()))
}

/// Compiles what a folder holds; a line for each document that did not do as it must.
fn faults(root: &Path, pass: &str, fail: Option<&str>) -> Vec<String> {
    let mut faults = Vec::new();
    let (passing, failing) = (documents(&root.join(pass)), fail.map_or(Vec::new(), |fail| documents(&root.join(fail))));
    assert!(!passing.is_empty() && (fail.is_none() || !failing.is_empty()), "{} has documents", root.display());
    for name in passing {
        let compiled = compiled(&root.join(pass), &name);
        let has_errors = compiled.diags.iter().any(|one| one.severity == base::diag::Severity::Error);
        let is_remote = REMOTE.contains(&name.as_str());
        let only_remote = findings(&compiled).iter().all(|one| !one.starts_with("TG020") || one.starts_with("TG0202"));
        if compiled.ir.is_none() || (has_errors && !(is_remote && only_remote)) {
            faults.push(format!("{pass}/{name} does not compile: {:?}", findings(&compiled)));
        }
    }
    for name in failing {
        let compiled = compiled(&root.join(fail.unwrap_or_default()), &name);
        // What is only about names and unused types would be said of a good document as well.
        let told =
            findings(&compiled).into_iter().filter(|one| !one.starts_with("TG0403") && !one.starts_with("TG0760"));
        if told.count() == 0 {
            faults.push(format!("fail/{name} has no finding"));
        }
    }
    faults
}

#[test]
fn documents_of_32() {
    let Some(shared) = shared() else {
        println!("skipped: no ../shared");
        return;
    };
    assert_eq!(faults(&shared.join("corpus/oai-schema-tests-3.2"), "pass", Some("fail")), [""; 0]);
}

#[test]
fn documents_of_31() {
    let Some(shared) = shared() else {
        println!("skipped: no ../shared");
        return;
    };
    assert_eq!(faults(&shared.join("suites/oas-official/tests/schema"), "pass", Some("fail")), [""; 0]);
    assert_eq!(faults(&shared.join("corpus/oai-schema-tests-3.1"), "pass", Some("fail")), [""; 0]);
}

#[test]
fn documents_of_30() {
    let Some(shared) = shared() else {
        println!("skipped: no ../shared");
        return;
    };
    let folder: PathBuf = shared.join("suites/oas-official/_archive_/schemas/v3.0");
    assert_eq!(faults(&folder, "pass", None), [""; 0]);
}
