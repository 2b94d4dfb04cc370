//! Development tasks, run as `cargo xtask <task>`. Each task is one file; this one only chooses.

mod bench;
mod bench_counts;
mod bench_growth;
mod contract;
mod corpus;
mod demo;
mod fuzz;
mod mock;
mod paths;
mod regen;
mod round_trip;
mod run;
mod setup;
#[path = "../../corpus/synthetic.rs"]
mod synthetic;
mod test;

use std::process::ExitCode;

use run::TaskResult;

const USAGE: &str = "\
Usage: cargo xtask <task> [options]

Tasks:
  setup    Install what the tests need into target/tools and build the TypeScript runtime
  demo     Generate an SDK from a real description, start the mock, call it through the generated code
  test     Set up, then run every check and test
  bench    Measure whole commands: ratios within one run, growth on a synthetic API of up to 100 MB, and instruction
           counts [--gate] [--counts] [--only NAME];
           write the counts to benches/baseline.json: bench --renew --reason WHY
  corpus   Check, generate and type-check every published description; write corpus/results.md [--only NAME,...] [--check]
  contract Run the contract suite against a runtime: contract ts [--only NAME or group] [--json]
  regen    Rewrite generated pages and golden outputs [--check]
  fuzz     Run the fuzz targets [--seconds N] [--only NAME]
  synth    Write a large synthetic API of many documents: synth <folder> [--documents N] [--operations N]
           [--split: paths beside their schemas, not in the entry]
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some("setup") => setup::setup().map(|_| ()),
        Some("demo") => demo::demo(),
        Some("test") => test::test(),
        Some("bench") => bench::bench(&args[1..]),
        Some("corpus") => corpus::corpus(&args[1..]),
        Some("contract") => contract::contract(&args[1..]),
        Some("regen") => regen::regen(&args[1..]),
        Some("fuzz") => {
            let seconds = run::option(&args, "--seconds").map_or(Ok(60), str::parse);
            seconds.map_err(Into::into).and_then(|seconds| fuzz::fuzz(seconds, run::option(&args, "--only")))
        }
        Some("synth") => synth(&args[1..]),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn synth(args: &[String]) -> TaskResult {
    let folder = args.first().filter(|arg| !arg.starts_with("--")).ok_or("synth needs a folder to write to")?;
    let number =
        |name, default| run::option(args, name).map_or(Ok(default), str::parse).map_err(|e| format!("{name}: {e}"));
    let paths = if run::flag(args, "--split") { synthetic::Paths::InGroups } else { synthetic::Paths::InEntry };
    let size =
        synthetic::Size { documents: number("--documents", 100)?, operations: number("--operations", 2_000)?, paths };
    let n_bytes = synthetic::write(folder.as_ref(), size).map_err(|error| format!("writing {folder}: {error}"))?;
    println!("{folder}/openapi.yaml: {} documents, {} operations, {n_bytes} bytes", size.documents, size.operations);
    Ok(())
}
