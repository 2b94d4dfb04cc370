//! `cargo xtask test`: sets up, then runs every check and test, in the order in which a failure is cheapest to learn.

use std::process::Command;
use std::time::Instant;

use crate::run::{TaskResult, run};
use crate::setup::{JsTools, setup};
use crate::{bench_counts, contract, corpus, demo, fuzz, paths, regen};

/// Published descriptions whose SDKs are type-checked and compared with Prettier in every run; the whole corpus is
/// `cargo xtask corpus`.
const SAMPLE: &str = "github-rest,openai,box,discord,kubernetes,museum";

/// Seconds that each fuzz target runs for.
const FUZZ_SECONDS: u32 = 20;

pub fn test() -> TaskResult {
    let start = Instant::now();
    let tools = setup()?;
    let js = tools.path_variable();
    step("formatting", || run(cargo().args(["fmt", "--all", "--check"])))?;
    step("lints", || run(cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])))?;
    step("Rust tests", || run(cargo().args(["test", "--workspace", "--quiet"]).env("PATH", &js)))?;
    step("generated pages are current", || regen::regen(&["--check".to_owned()]))?;
    step("TypeScript runtime", || runtime_tests(&tools))?;
    step("contract suite", || contract::contract(&["ts".to_owned()]))?;
    step("validators agree", || {
        let test = ["test", "--quiet", "--package", "tungsten-emit-typescript", "--test", "verdicts"];
        run(cargo().args(test).args(["--", "--include-ignored"]).env("PATH", &js))
    })?;
    step("demo", demo::demo)?;
    step("instruction counts", bench_counts::gate)?;
    step("published descriptions", || corpus::corpus(&["--only".to_owned(), SAMPLE.to_owned(), "--check".to_owned()]))?;
    step("fuzzing", || fuzz::fuzz(FUZZ_SECONDS, None))?;
    println!("all checks passed in {} s", start.elapsed().as_secs());
    Ok(())
}

fn step(name: &str, body: impl FnOnce() -> TaskResult) -> TaskResult {
    let start = Instant::now();
    println!("== {name}");
    body().map_err(|error| format!("{name}: {error}"))?;
    println!("== {name}: done in {} s", start.elapsed().as_secs());
    Ok(())
}

fn cargo() -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(paths::root());
    command
}

fn runtime_tests(tools: &JsTools) -> TaskResult {
    let folder = paths::root().join("runtimes/ts");
    let npm = |script: &str| {
        let mut command = Command::new("npm");
        command.args(["run", "--silent", script]).current_dir(&folder).env("PATH", tools.path_variable());
        command
    };
    run(&mut npm("format:check"))?;
    run(&mut npm("test"))
}
