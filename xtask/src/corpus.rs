//! `cargo xtask corpus`: every published description through check, generate (TypeScript), `tsc --strict` and Prettier.
//!
//! Reads the folder of published descriptions beside the checkout; writes `corpus/results.md`, a line a description.
//! With `--check` nothing is written and a line that is not as it was fails. Each description is generated twice
//! with one thread and twice with two, and the bytes must be the same.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde::Deserialize;
use serde_json::Value;

use crate::paths;
use crate::round_trip::round_trips;
use crate::run::{TaskResult, flag, option, run};
use crate::setup::{JsTools, setup};

/// Threads of the runs that must give the bytes of the first, which has one: each number of threads runs twice.
const AGAIN: [usize; 3] = [2, 1, 2];

#[derive(Deserialize)]
struct Corpus {
    spec: Vec<Spec>,
}

#[derive(Deserialize)]
struct Spec {
    name: String,
    entry: String,
    #[serde(default)]
    entries: Vec<String>,
}

/// What became of one description.
#[derive(Default)]
struct Row {
    name: String,
    /// "generated", or the codes for which it was refused.
    status: String,
    /// Errors and warnings by code.
    problems: BTreeMap<String, usize>,
    notes: BTreeMap<String, usize>,
    operations: u64,
    /// Operations that give their list page by page.
    paged: usize,
    types: u64,
    /// Unions by the strategy that tells their variants apart.
    unions: BTreeMap<String, usize>,
    files: usize,
    tsc_errors: usize,
    unformatted: usize,
    /// Further documents of the same source: how many compile, and how many there are.
    others: (usize, usize),
    milliseconds: u128,
}

pub fn corpus(args: &[String]) -> TaskResult {
    let Some(shared) = paths::shared() else {
        println!("skipped: no ../shared (set TUNGSTEN_SHARED to the folder of published descriptions)");
        return Ok(());
    };
    let tools = setup()?;
    let binary = build_binary()?;
    let text = std::fs::read_to_string(shared.join("corpus/CORPUS.toml"))?;
    let specs = toml::from_str::<Corpus>(&text)?.spec;
    let only: Option<Vec<&str>> = option(args, "--only").map(|names| names.split(',').collect());
    let work = paths::target().join("corpus");
    link_runtime(&work)?;

    let mut rows = Vec::new();
    for spec in specs.iter().filter(|spec| only.as_ref().is_none_or(|names| names.contains(&spec.name.as_str()))) {
        let row = entry(spec, &shared, &work, &binary, &tools).map_err(|error| format!("{}: {error}", spec.name))?;
        println!("{}", line(&row));
        rows.push(row);
    }
    round_trips(&work, &binary, &tools)?;
    finish(&rows, flag(args, "--check"), only.is_some())
}

/// The command line, built for release: what users run.
pub fn build_binary() -> TaskResult<PathBuf> {
    run(Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "tungsten-cli"])
        .current_dir(paths::root()))?;
    Ok(paths::target().join("release/tungsten"))
}

/// Makes the runtime resolvable from every folder below `work`.
pub fn link_runtime(work: &Path) -> TaskResult {
    let scope = work.join("node_modules/@elysra");
    std::fs::create_dir_all(&scope)?;
    let link = scope.join("tungsten-runtime");
    if !link.exists() {
        std::os::unix::fs::symlink(paths::root().join("runtimes/ts"), &link)?;
    }
    Ok(())
}

fn entry(spec: &Spec, shared: &Path, work: &Path, binary: &Path, tools: &JsTools) -> TaskResult<Row> {
    let start = Instant::now();
    let project = work.join(&spec.name);
    copy_folder(&shared.join("corpus").join(&spec.name), &project.join("spec"))?;
    let inside = spec.entry.strip_prefix(&format!("{}/", spec.name)).unwrap_or(&spec.entry);
    let name = spec.name.replace(['-', '.'], "_");
    let manifest = format!(
        "tungsten: 1\napi: {{ name: {name} }}\ninputs:\n  - {{ namespace: {name}, spec: spec/{inside} }}\n\
         targets:\n  typescript: {{ out: generated/typescript }}\n"
    );
    std::fs::write(project.join("tungsten.yml"), manifest)?;

    let check = tungsten(binary, &project, &["check", "--json", "."], 2)?;
    let mut row = Row { name: spec.name.clone(), ..Row::default() };
    for diagnostic in check["diagnostics"].as_array().into_iter().flatten() {
        let codes = if diagnostic["severity"] == "info" { &mut row.notes } else { &mut row.problems };
        *codes.entry(text(&diagnostic["code"])).or_default() += 1;
    }
    row.operations = check["result"]["stats"]["operations"]["total"].as_u64().unwrap_or(0);
    row.types = check["result"]["stats"]["types"].as_u64().unwrap_or(0);
    row.others = check_others(spec, binary, &project)?;
    if check["exit_code"] != 0 {
        let errors = check["diagnostics"].as_array().into_iter().flatten().filter(|d| d["severity"] == "error");
        let codes: std::collections::BTreeSet<String> = errors.map(|error| text(&error["code"])).collect();
        if codes.is_empty() {
            return Err(format!("refused without a code: {check}").into());
        }
        row.status = format!("refused: {}", codes.into_iter().collect::<Vec<_>>().join(" "));
        row.milliseconds = start.elapsed().as_millis();
        return Ok(row);
    }
    let one = tungsten(binary, &project, &["generate", "--json", "--force", "."], 1)?;
    if one["exit_code"] != 0 {
        return Err(format!("generate failed: {}", one["error"]).into());
    }
    for threads in AGAIN {
        let again = tungsten(binary, &project, &["generate", "--json", "--check", "."], threads)?;
        if again["exit_code"] != 0 {
            return Err(format!("another run, with {threads} threads, gives other bytes than the first").into());
        }
    }
    count_shapes(binary, &project, &mut row)?;
    row.status = "generated".to_owned();
    row.files = one["result"]["targets"][0]["files"].as_u64().unwrap_or(0) as usize;
    let out = project.join("generated/typescript");
    row.tsc_errors = type_errors(tools, &out)?;
    row.unformatted = unformatted(tools, &out)?;
    row.milliseconds = start.elapsed().as_millis();
    Ok(row)
}

/// The strategies of unions, as the intermediate representation names them.
const STRATEGIES: [&str; 6] = ["tagged", "literal", "by_type", "by_property", "by_value", "untagged"];

/// Counts in the intermediate representation's text. Quotes of its strings are escaped, so a member's name with its quotes
/// is a member.
fn count_shapes(binary: &Path, project: &Path, row: &mut Row) -> TaskResult {
    let file = project.join("ir.json");
    tungsten(binary, project, &["ir", "dump", "--json", "--compact", "--out", "ir.json", "."], 2)?;
    let dump = std::fs::read_to_string(&file)?;
    std::fs::remove_file(&file)?;
    row.paged = dump.matches("\"pagination\":{").count();
    for name in STRATEGIES {
        let count = dump.matches(&format!("\"strategy\":\"{name}\"")).count();
        if count > 0 {
            row.unions.insert(name.to_owned(), count);
        }
    }
    Ok(())
}

/// Checks the further documents that stand alone: each must compile or say why not. A manifest of its own makes the whole
/// folder the input root, since documents refer to their neighbours.
fn check_others(spec: &Spec, binary: &Path, project: &Path) -> TaskResult<(usize, usize)> {
    let mut compiled = 0;
    for other in &spec.entries {
        let inside = other.strip_prefix(&format!("{}/", spec.name)).unwrap_or(other);
        let manifest = format!(
            "tungsten: 1\napi: {{ name: other }}\ninputs:\n  - {{ namespace: other, spec: \"spec/{inside}\" }}\n"
        );
        std::fs::write(project.join("tungsten.other.yml"), manifest)?;
        let check = tungsten(binary, project, &["check", "--json", "tungsten.other.yml"], 2)?;
        let errors = check["diagnostics"].as_array().into_iter().flatten().any(|d| d["severity"] == "error");
        match check["exit_code"].as_u64() {
            Some(0) => compiled += 1,
            Some(1) if errors => {}
            _ => return Err(format!("{other}: neither compiled nor refused with a code: {check}").into()),
        }
    }
    Ok((compiled, spec.entries.len()))
}

/// Runs the command line and reads its JSON envelope. A crash has none and fails.
fn tungsten(binary: &Path, folder: &Path, args: &[&str], threads: usize) -> TaskResult<Value> {
    let output = Command::new(binary)
        .args(args)
        .current_dir(folder)
        .env("RAYON_NUM_THREADS", threads.to_string())
        .output()
        .map_err(|error| format!("starting {}: {error}", binary.display()))?;
    serde_json::from_slice(&output.stdout).map_err(|error| {
        format!(
            "tungsten {} ended with {}, no envelope ({error}): {}",
            args.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        )
        .into()
    })
}

/// Errors that `tsc --noEmit --strict` finds in a generated package.
fn type_errors(tools: &JsTools, out: &Path) -> TaskResult<usize> {
    let found = tools
        .script("typescript/bin/tsc")
        .args(["--noEmit", "--pretty", "false", "-p", "."])
        .current_dir(out)
        .output()?;
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    let n_errors = text.lines().filter(|line| line.contains("error TS")).count();
    for line in text.lines().filter(|line| line.contains("error TS")).take(5) {
        println!("  {line}");
    }
    if n_errors == 0 && !found.status.success() {
        return Err(format!("tsc ended with {}: {text}{}", found.status, String::from_utf8_lossy(&found.stderr)).into());
    }
    Ok(n_errors)
}

/// Files that Prettier would lay out otherwise.
fn unformatted(tools: &JsTools, out: &Path) -> TaskResult<usize> {
    let found = tools
        .script("prettier/bin/prettier.cjs")
        .args(["--list-different", "--ignore-path", "/dev/null", "src", "package.json", "tsconfig.json", "README.md"])
        .current_dir(out)
        .output()?;
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    for line in text.lines().take(3) {
        println!("  layout differs: {line}");
    }
    if !found.stderr.is_empty() {
        println!("  prettier: {}", String::from_utf8_lossy(&found.stderr).lines().next().unwrap_or_default());
    }
    Ok(text.lines().count())
}

fn copy_folder(from: &Path, to: &Path) -> TaskResult {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).map_err(|error| format!("reading {}: {error}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else if !target.exists() {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

fn line(row: &Row) -> String {
    let list = |counts: &BTreeMap<String, usize>| {
        counts.iter().map(|(what, count)| format!("{what} {count}")).collect::<Vec<_>>().join(", ")
    };
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {}/{} | {} | {} |",
        row.name,
        row.status,
        row.operations,
        row.paged,
        row.types,
        list(&row.unions),
        row.files,
        row.tsc_errors,
        row.unformatted,
        row.others.0,
        row.others.1,
        list(&row.problems),
        list(&row.notes)
    )
}

const HEAD: &str = "\
# Published descriptions: results

Generated by `cargo xtask corpus`; do not edit. A line a description: whether it compiles, what it holds (operations, those
of them that give their list page by page, named types, unions by how their variants are told apart), how many files the
TypeScript SDK has, how many errors `tsc --noEmit --strict` finds in them, how many of them Prettier would lay out
otherwise, how many further documents of the same source compile, and the diagnostics by code.

| description | status | operations | paged | types | unions | files | tsc errors | layout | others | errors and warnings | notes |
|---|---|---:|---:|---:|---|---:|---:|---:|---:|---|---|
";

fn finish(rows: &[Row], check: bool, partial: bool) -> TaskResult {
    let path = paths::root().join("corpus/results.md");
    let bad: Vec<&str> = rows.iter().filter(|row| row.tsc_errors > 0).map(|row| row.name.as_str()).collect();
    let (files, unformatted) = rows.iter().fold((0, 0), |(f, u), row| (f + row.files, u + row.unformatted));
    println!("{} descriptions, {files} files, {unformatted} laid out otherwise by Prettier", rows.len());
    if !bad.is_empty() {
        return Err(format!("tsc finds errors in: {}", bad.join(", ")).into());
    }
    if unformatted * 100 > files {
        return Err("more than 1 % of the files are not laid out as Prettier prints them".into());
    }
    let snapshot = std::fs::read_to_string(&path).unwrap_or_default();
    if check {
        let known: Vec<&str> = snapshot.lines().collect();
        let changed: Vec<String> = rows.iter().map(line).filter(|line| !known.contains(&line.as_str())).collect();
        if changed.is_empty() {
            return Ok(());
        }
        let changed = changed.join("\n");
        return Err(
            format!("corpus/results.md says otherwise; run `cargo xtask corpus` and look at:\n{changed}").into()
        );
    }
    let mut text = HEAD.to_owned();
    if partial {
        // The other lines of the snapshot stay.
        let name = |line: &str| line.split('|').nth(1).map(str::trim).map(str::to_owned);
        for old in snapshot.lines().skip(HEAD.lines().count()) {
            let new = rows.iter().find(|row| name(old).is_some_and(|name| name == row.name));
            let _ = writeln!(text, "{}", new.map_or(old.to_owned(), line));
        }
    } else {
        for row in rows {
            let _ = writeln!(text, "{}", line(row));
        }
    }
    std::fs::write(&path, text)?;
    println!("wrote corpus/results.md");
    Ok(())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
