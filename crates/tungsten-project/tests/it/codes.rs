//! Every code's page shows a bad example, which fires exactly that code, and a good one, which does not.
//!
//! An example is a fence whose info string is a language, `bad` or `good`, and a file name; several fences of one kind
//! make one project. A fence of the language `link` makes a symlink to what it holds. A folder with a `tungsten.yml` is
//! a project and is generated too; otherwise the first file is the description.

use std::collections::BTreeSet;
use std::path::Path;

use base::{Code, codes};
use tungsten_project::output::Mode;
use tungsten_project::{Compilation, GenerateOptions, compile, generate};

struct Example {
    files: Vec<(String, String, String)>,
}

/// The fences of a page that are of one kind.
fn example(page: &str, kind: &str) -> Example {
    let mut files = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let words: Vec<&str> = info.split(' ').collect();
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let [language, found, name] = words[..]
            && found == kind
        {
            files.push((language.to_owned(), name.to_owned(), body.join("\n") + "\n"));
        }
    }
    Example { files }
}

/// Codes that only `overlay suggest` has; it says nothing about other findings.
const SUGGESTED: [Code; 2] = [Code::TG0920, Code::TG0921];

/// The codes that an example fires, by the command that has `code`.
fn fired(code: Code, example: &Example) -> BTreeSet<Code> {
    let compilation = compiled(example);
    if SUGGESTED.contains(&code) {
        let found = tungsten_project::suggest::suggest(&compilation, None).expect("the example has no errors");
        return found.diags.iter().map(|diagnostic| diagnostic.code).collect();
    }
    compilation.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// An example, compiled and, when it is a project, generated.
fn compiled(example: &Example) -> Compilation {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (language, name, text) in &example.files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("creatable");
        if language == "link" {
            std::os::unix::fs::symlink(text.trim(), &path).expect("linkable");
        } else {
            std::fs::write(&path, text).expect("writable");
        }
    }
    let is_project = dir.path().join("tungsten.yml").exists();
    let input = if is_project { dir.path().to_owned() } else { dir.path().join(&example.files[0].1) };
    let mut compilation = compile(&input).expect("the world is in order");
    if is_project && compilation.ir.is_some() {
        let was_generated = Path::new(&dir.path().join("generated/typescript/.tungsten/manifest.json")).exists();
        let mode = if was_generated { Mode::Check } else { Mode::Write };
        generate(&mut compilation, &GenerateOptions { mode, ..GenerateOptions::default() });
    }
    compilation
}

#[test]
fn every_page_fires_its_code_where_it_says_so() {
    let mut wrong = Vec::new();
    for code in codes::ALL {
        let (bad, good) = (example(code.page(), "bad"), example(code.page(), "good"));
        if bad.files.is_empty() || good.files.is_empty() {
            wrong.push(format!("{code}: the page lacks a bad or a good example"));
            continue;
        }
        let (from_bad, from_good) = (fired(*code, &bad), fired(*code, &good));
        if !from_bad.contains(code) {
            wrong.push(format!("{code}: the bad example fires {from_bad:?}"));
        }
        // An example shows one thing: what else it fires may only be notes.
        let others = from_bad.iter().filter(|other| *other != code && other.severity() != base::Severity::Info);
        wrong.extend(others.map(|other| format!("{code}: the bad example also fires {other}")));
        let loud = from_good.iter().filter(|other| *other == code || other.severity() != base::Severity::Info);
        wrong.extend(loud.map(|other| format!("{code}: the good example fires {other}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A line on its own says what was found, where, and what to do or what was done about it.
#[test]
fn findings_about_descriptions_name_finding_place_and_fix() {
    let (mut wrong, mut n_checked) = (Vec::new(), 0);
    for code in codes::ALL.iter().filter(|code| code.name() < "TG0600") {
        let compilation = compiled(&example(code.page(), "bad"));
        for finding in compilation.diagnostics.iter().filter(|finding| finding.code == *code) {
            n_checked += 1;
            let (message, place) = (&finding.message, &finding.place);
            let is_name = ["OpenAPI", "Swagger"].into_iter().any(|name| message.starts_with(name));
            if message.starts_with(char::is_uppercase) && !is_name || message.ends_with('.') {
                wrong.push(format!("{code}: wording: {message}"));
            }
            let is_placed = place.source.is_some() && place.range.is_some() || *code == Code::TG0101;
            if !is_placed || place.file_name(&compilation.sources).is_empty() {
                wrong.push(format!("{code}: no place: {message}"));
            }
            let says_what_is_done = message.contains("; ");
            if finding.severity != base::Severity::Info && finding.help.is_none() && !says_what_is_done {
                wrong.push(format!("{code}: no fix: {message}"));
            }
        }
    }
    assert!(n_checked > 30, "{n_checked}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
