//! `cargo xtask contract <target>`: the contract suite against the runtime of one language.
//!
//! Generates the SDK of `tests/contract` into `target/contract/<target>`, compiles it, and runs all scenarios through the
//! driver of the language. Prints what differed, a scenario after the other, and a last line with the counts.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use tungsten_contract::{Outcome, Verdict, read_scenarios, run_scenarios};

use crate::corpus::link_runtime;
use crate::paths;
use crate::regen::binary;
use crate::run::{TaskResult, flag, option, output, run};
use crate::setup::{JsTools, setup};

/// What the suite's project is made of.
const FILES: [&str; 3] = ["openapi.yaml", "tungsten.yml", "agent.yml"];

pub fn contract(args: &[String]) -> TaskResult {
    match args.first().map(String::as_str) {
        Some("ts") => {}
        Some(other) if !other.starts_with("--") => return Err(format!("no driver for `{other}`: there is `ts`").into()),
        _ => return Err("contract needs a target: `ts`".into()),
    }
    let start = Instant::now();
    let tests = paths::root().join("tests/contract");
    let only = option(args, "--only");
    let cases: Vec<_> = read_scenarios(&tests.join("scenarios"))?
        .into_iter()
        .filter(|case| only.is_none_or(|only| case.name == only || case.group == only))
        .collect();
    if cases.is_empty() {
        return Err(format!("no scenario or group is called `{}`", only.unwrap_or_default()).into());
    }
    let tools = setup()?;
    let work = paths::target().join("contract");
    build_typescript(&tests, &work, &tools)?;
    let driver = || {
        let mut command = Command::new(&tools.node);
        command.arg(work.join("driver.mjs")).arg(work.join("dist"));
        command
    };
    let outcomes = run_scenarios(&cases, &driver)?;
    report("ts", &outcomes, flag(args, "--json"), start)
}

/// Generates the SDK and compiles it; puts the driver beside it, where it finds the runtime.
fn build_typescript(tests: &Path, work: &Path, tools: &JsTools) -> TaskResult {
    link_runtime(work)?;
    for file in FILES {
        std::fs::copy(tests.join(file), work.join(file))?;
    }
    output(Command::new(binary()?).args(["generate", "."]).current_dir(work))?;
    let dist = work.join("dist");
    let mut tsc = tools.script("typescript/bin/tsc");
    run(tsc.args(["-p", ".", "--declaration", "false", "--outDir"]).arg(&dist).current_dir(work.join("ts")))?;
    std::fs::write(dist.join("package.json"), "{ \"type\": \"module\" }\n")?;
    std::fs::copy(tests.join("drivers/ts/driver.mjs"), work.join("driver.mjs"))?;
    Ok(())
}

fn report(target: &str, outcomes: &[Outcome], is_json: bool, start: Instant) -> TaskResult {
    let count = |wanted: fn(&Verdict) -> bool| outcomes.iter().filter(|outcome| wanted(&outcome.verdict)).count();
    let n_passed = count(|verdict| *verdict == Verdict::Passed);
    let n_skipped = count(|verdict| matches!(verdict, Verdict::Skipped(_)));
    let n_failed = outcomes.len() - n_passed - n_skipped;
    if is_json {
        let rows: Vec<Value> = outcomes.iter().map(row).collect();
        let counts =
            json!({ "scenarios": outcomes.len(), "passed": n_passed, "failed": n_failed, "skipped": n_skipped });
        println!("{}", json!({ "target": target, "counts": counts, "scenarios": rows }));
    } else {
        for outcome in outcomes {
            if let Verdict::Failed(differences) = &outcome.verdict {
                println!("FAILED {}: {}\n  {}", outcome.group, outcome.name, outcome.rule);
                differences.iter().for_each(|difference| println!("  - {difference}"));
            }
        }
        let skipped = if n_skipped == 0 { String::new() } else { format!(", {n_skipped} skipped") };
        let failed = if n_failed == 0 { String::new() } else { format!(", {n_failed} failed") };
        println!("contract {target}: ran in {:.1} s", start.elapsed().as_secs_f64());
        println!("contract {target}: {} scenarios, {n_passed} passed{failed}{skipped}", outcomes.len());
    }
    if n_failed > 0 { Err(format!("{n_failed} scenarios failed").into()) } else { Ok(()) }
}

fn row(outcome: &Outcome) -> Value {
    let (verdict, why) = match &outcome.verdict {
        Verdict::Passed => ("passed", json!([])),
        Verdict::Failed(differences) => ("failed", json!(differences)),
        Verdict::Skipped(need) => ("skipped", json!([need])),
    };
    json!({ "group": outcome.group, "name": outcome.name, "verdict": verdict, "differences": why })
}
