//! The rules of the house, as tests: which crate may use which, what must not appear anywhere, what every file needs.
//!
//! Reads the checkout's own files and `cargo metadata`; needs no network.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The page whose table of rooms says which crate may use which.
const ROOMS: &str = "docs/architecture.md";

/// Folders of which comments and pages keep to [`COLUMNS`]. Those that are missing follow.
const WRAPPED: &[&str] = &[
    "benches/",
    "corpus/synthetic.rs",
    "crates/base",
    "crates/tungsten-agent/",
    "crates/tungsten-cli/",
    "crates/tungsten-emit/",
    "crates/tungsten-ir/",
    "crates/tungsten-manifest/",
    "crates/tungsten-mock/",
    "crates/tungsten-project/",
    "docs/",
    "fuzz/",
    "tests/house.rs",
    "tests/round_trip/",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
];

/// Longest line of a comment or a page, in characters, as `rustfmt.toml` has it for code.
const COLUMNS: usize = 120;

/// Crates that may not read files, clock, environment or randomness.
const PURE: &[&str] =
    &["tungsten-ir", "tungsten-frontend", "tungsten-agent", "tungsten-emit", "tungsten-emit-typescript"];

/// Licences that a dependency may have; an expression with `OR` needs one of them, with `AND` all.
const LICENCES: &[&str] = &[
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates of HTTP and TLS clients: none may be in the command line's dependency tree.
const NETWORK_CLIENTS: &[&str] =
    &["reqwest", "ureq", "curl", "rustls", "native-tls", "openssl", "openssl-sys", "hyper-tls", "isahc", "attohttpc"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}

/// Files that git knows, or would add.
fn tracked() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git is installed");
    let text = String::from_utf8(output.stdout).expect("paths are UTF-8");
    text.lines().filter(|path| root().join(path).is_file()).map(str::to_owned).collect()
}

fn read(path: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(root().join(path)).expect("a tracked file is readable")).into_owned()
}

/// The compiler's own target triple: packages of other systems may not have been downloaded.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").current_dir(root()).output().expect("rustc runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host").to_owned()
}

fn metadata() -> serde_json::Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", &host()])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON")
}

/// A crate, and the crates of this workspace that it may use, as the table of rooms has them: `ir` is `tungsten-ir`.
fn edges() -> BTreeMap<String, BTreeSet<String>> {
    let full = |name: &str| if name.starts_with("base") { name.to_owned() } else { format!("tungsten-{name}") };
    let text = read(ROOMS);
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `crates/")?.strip_suffix(" |"));
    let edges = rows.map(|row| {
        let (name, _) = row.split_once("` |").expect("a room is named in backticks");
        let (_, uses) = row.rsplit_once(" | ").expect("the last cell says what a room may use");
        let uses = uses.split(", ").filter(|name| *name != "-").map(full).collect();
        (name.to_owned(), uses)
    });
    edges.collect()
}

#[test]
fn crates_use_only_what_their_layer_allows() {
    let edges = edges();
    let metadata = metadata();
    let ours: BTreeSet<&str> = metadata["workspace_members"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|id| {
            let packages = metadata["packages"].as_array()?;
            packages.iter().find(|package| package["id"] == *id)?["name"].as_str()
        })
        .collect();
    for name in edges.keys() {
        assert!(ours.contains(name.as_str()), "{ROOMS} has a row for {name}, which is no crate");
    }
    for package in metadata["packages"].as_array().expect("a list") {
        let name = package["name"].as_str().expect("a name");
        if !ours.contains(name) || matches!(name, "xtask" | "tungsten-benches") {
            continue;
        }
        let allowed = edges.get(name).unwrap_or_else(|| panic!("{name} has no row in {ROOMS}"));
        for dependency in package["dependencies"].as_array().expect("a list") {
            let used = dependency["name"].as_str().expect("a name");
            let for_tests = dependency["kind"] == "dev";
            assert!(
                !ours.contains(used) || for_tests || allowed.contains(used),
                "{ROOMS} does not let {name} use {used}: a new edge is a decision, not a detail"
            );
        }
    }
}

#[test]
fn dependencies_have_licences_that_fit_ours() {
    for package in metadata()["packages"].as_array().expect("a list") {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or("none");
        if package["source"].is_null() {
            continue;
        }
        assert!(licence_fits(licence), "{name} is licensed under `{licence}`");
    }
}

fn licence_fits(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], "");
    let alternative = |text: &str| text.split(" AND ").all(|part| LICENCES.contains(&part.trim()));
    // Read flat, an expression such as `A AND (B OR C)` asks for more than it says, never for less, because each part
    // is checked by itself.
    expression.split(" OR ").any(alternative)
}

#[test]
fn the_command_line_holds_no_network_client() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--package", "tungsten-cli", "--edges", "normal,build", "--prefix", "none", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in tree.lines() {
        let name = line.split(' ').next().unwrap_or_default();
        assert!(!NETWORK_CLIENTS.contains(&name), "{name} is in the dependency tree");
    }
}

#[test]
fn every_source_file_says_what_it_is_for() {
    for path in tracked().iter().filter(|path| !path.contains("/golden/")) {
        let start: String = read(path).chars().take(400).collect();
        let opens_well = match path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("rs") => {
                start.starts_with("//! ") || (path.starts_with("fuzz/") && start.starts_with("#![no_main]\n//! "))
            }
            Some("ts") => start.starts_with("// ") || start.starts_with("/**"),
            _ => true,
        };
        assert!(opens_well, "{path} opens without a comment that says what it is for");
    }
}

#[test]
fn one_file_has_unsafe_code() {
    let with_unsafe: Vec<String> = tracked()
        .into_iter()
        .filter(|path| path.ends_with(".rs") && path != "tests/house.rs")
        .filter(|path| {
            read(path)
                .lines()
                .any(|line| line.contains("unsafe {") || line.contains("unsafe fn") || line.contains("unsafe impl"))
        })
        .collect();
    assert_eq!(with_unsafe, ["crates/base/src/source.rs"]);
}

#[test]
fn pure_crates_touch_neither_files_nor_clocks_nor_the_environment() {
    let forbidden =
        ["std::fs", "std::env", "std::time", "std::net", "std::process", "SystemTime", "Instant::now", "File::"];
    for path in rust_files_of(PURE) {
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in forbidden {
            assert!(!code.contains(word), "{path} uses {word}");
        }
    }
}

#[test]
fn case_is_converted_in_one_place() {
    let forbidden = ["to_uppercase()", "to_lowercase()", "to_ascii_uppercase()", "make_ascii_uppercase()"];
    for path in rust_files_of(&["tungsten-emit", "tungsten-emit-typescript"]) {
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for word in forbidden {
            assert!(!code.contains(word), "{path} converts case by itself ({word}): naming profiles do that");
        }
    }
}

fn rust_files_of(crates: &[&str]) -> Vec<String> {
    let inside = |path: &String| crates.iter().any(|name| path.starts_with(&format!("crates/{name}/src/")));
    tracked().into_iter().filter(|path| path.ends_with(".rs") && !path.ends_with("/tests.rs") && inside(path)).collect()
}

#[test]
fn nothing_names_a_machine_or_a_registry() {
    // Written in pieces, so that this file does not name them either.
    let hosts =
        [["registry.npm", "js"], ["pypi", ".org"], ["python", "hosted"], ["crates", ".io/api"], ["proxy.go", "lang"]];
    let homes = ["/ro".to_owned() + "ot/", "/ho".to_owned() + "me/", "/wo".to_owned() + "rk/"];
    for path in tracked() {
        let text = read(&path);
        for host in &hosts {
            assert!(!text.contains(&host.concat()), "{path} names a registry's host");
        }
        if path.ends_with(".lock") || path.starts_with("corpus/") {
            continue;
        }
        for home in &homes {
            assert!(!text.contains(home.as_str()), "{path} holds a path of one machine ({home})");
        }
    }
}

#[test]
fn pages_and_readmes_link_to_files_that_are_there() {
    for path in tracked().iter().filter(|path| path.ends_with(".md") && !path.contains("/golden/")) {
        let folder = root().join(path).parent().expect("a file lies in a folder").to_owned();
        let text = read(path);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.contains(' ') {
                continue;
            }
            assert!(folder.join(target).exists(), "{path} links to {target}, which is not there");
        }
    }
}

/// Every page can be found from the table of contents; the links of that table lead somewhere (see above).
#[test]
fn the_summary_names_every_page() {
    let summary = read("docs/SUMMARY.md");
    for path in tracked().iter().filter_map(|path| path.strip_prefix("docs/")?.strip_suffix(".md")) {
        let is_named = summary.contains(&format!("]({path}.md)"));
        assert!(path == "SUMMARY" || is_named, "docs/SUMMARY.md does not name {path}.md");
    }
}

/// Tables, links and examples stay on one line, however long.
#[test]
fn comments_and_pages_are_wrapped() {
    let mut long = Vec::new();
    for path in tracked().iter().filter(|path| WRAPPED.iter().any(|folder| path.starts_with(folder))) {
        let is_page = path.ends_with(".md");
        if !is_page && !path.ends_with(".rs") {
            continue;
        }
        let text = read(path);
        // A page says that it was generated on its first line; what it was made from is wrapped there.
        if is_page && text.starts_with("<!-- generated") {
            continue;
        }
        let mut in_example = false;
        for (index, line) in text.lines().enumerate() {
            in_example ^= line.trim_start().trim_start_matches('/').trim_start().starts_with("```");
            let is_prose = if is_page {
                !in_example && !line.starts_with('|') && !line.trim_start().starts_with("- [")
            } else {
                line.trim_start().starts_with("//")
            };
            if is_prose && line.chars().count() > COLUMNS {
                long.push(format!("{path}:{}", index + 1));
            }
        }
    }
    assert!(long.is_empty(), "lines of more than {COLUMNS} columns: {}", long.join(", "));
}
