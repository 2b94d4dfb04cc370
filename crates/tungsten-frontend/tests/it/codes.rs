//! The examples of the diagnostics' pages that are one description: the bad one has the code and no other, the good one
//! has none. Examples with a manifest are run where manifests are read.

use std::collections::BTreeMap;

use base::codes::ALL;

use crate::describe::{document, findings};

/// The only file of an example is the description itself.
const DESCRIPTION: &str = "openapi.yaml";

/// The files of a page's examples: by `bad` or `good`, then name and text.
fn examples(page: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let mut out: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let mut open: Option<(String, String, String)> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(""), Some(_)) => {
                if let Some((sense, file, text)) = open.take() {
                    out.entry(sense).or_default().push((file, text));
                }
            }
            (Some(head), None) => {
                let words: Vec<&str> = head.split(' ').collect();
                if let [_, sense @ ("bad" | "good"), file] = words.as_slice() {
                    open = Some(((*sense).to_owned(), (*file).to_owned(), String::new()));
                }
            }
            (_, Some((_, _, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (_, None) => {}
        }
    }
    out
}

#[test]
fn bad_examples_have_their_code_and_good_ones_none() {
    let (mut n_checked, mut faults) = (0, Vec::new());
    for code in ALL {
        for (sense, files) in examples(code.page()) {
            let [(file, text)] = files.as_slice() else { continue };
            if file != DESCRIPTION {
                continue;
            }
            let compiled = document(text);
            let mut codes: Vec<&str> = compiled.diags.iter().map(|one| one.code.name()).collect();
            codes.sort_unstable();
            codes.dedup();
            let expected: &[&str] = if sense == "bad" { &[code.name()] } else { &[] };
            if codes != expected {
                faults.push(format!("{code} {sense}: {:?}", findings(&compiled)));
            }
            n_checked += 1;
        }
    }
    assert!(n_checked > 40, "the pages have examples: {n_checked}");
    assert_eq!(faults, [""; 0]);
}
