//! Builds and runs the fuzz targets with a nightly compiler, without further tools: the instrumentation flags are given
//! here. Without a nightly toolchain the targets are said to be skipped.

use std::path::Path;
use std::process::Command;

use crate::paths;
use crate::run::{TaskResult, run};

/// From the bytes to the output.
const TARGETS: [&str; 6] = ["json", "yaml", "overlay", "manifests", "check", "emitters"];

/// The fuzzer's own seed: a run from the same inputs starts the same way. What it reaches still depends on the time.
const SEED: u32 = 1;

/// Coverage feedback for libFuzzer (LLVM, "SanitizerCoverage").
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";

/// Runs each target for `seconds`, from the committed seeds and the published descriptions that are small enough.
pub fn fuzz(seconds: u32, only: Option<&str>) -> TaskResult {
    if let Some(name) = only.filter(|name| !TARGETS.contains(name)) {
        return Err(format!("no fuzz target is named `{name}`; there are {}", TARGETS.join(", ")).into());
    }
    let nightly = Command::new("cargo").args(["+nightly", "--version"]).output();
    if !nightly.is_ok_and(|output| output.status.success()) {
        println!("skipped: fuzzing needs a nightly toolchain (rustup toolchain install nightly)");
        return Ok(());
    }
    let host = host()?;
    let folder = paths::root().join("fuzz");
    let target_dir = paths::target().join("fuzz");
    run(Command::new("cargo")
        .args(["+nightly", "build", "--release", "--quiet", "--target", &host, "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .env("RUSTFLAGS", FLAGS)
        .env("CARGO_TARGET_DIR", &target_dir))?;
    for target in TARGETS.into_iter().filter(|target| only.is_none_or(|only| only == *target)) {
        let work = target_dir.join("corpus").join(target);
        seed(&folder.join("seeds"), target, &work)?;
        let mut command = Command::new(target_dir.join(&host).join("release").join(target));
        command.arg(&work).args([
            format!("-max_total_time={seconds}"),
            format!("-seed={SEED}"),
            "-timeout=10".to_owned(),
            "-rss_limit_mb=2048".to_owned(),
            "-max_len=65536".to_owned(),
            "-print_final_stats=1".to_owned(),
            format!("-artifact_prefix={}/", target_dir.display()),
        ]);
        let output = command.output().map_err(|error| format!("starting the fuzz target {target}: {error}"))?;
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        let runs = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
        if !output.status.success() {
            return Err(format!("fuzz target {target} found a fault:\n{}", fault(&log)).into());
        }
        println!("fuzz target {target}: {} inputs in {seconds} s, no fault", runs.unwrap_or("?").trim());
    }
    Ok(())
}

/// What a fault's log says: the panic's message with the place, and the closing lines, which name the input's file.
fn fault(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let panic = lines.iter().position(|line| line.contains("panicked at")).unwrap_or(lines.len());
    let told = lines[panic..].iter().take_while(|line| !line.starts_with("stack backtrace"));
    let closing = &lines[lines.len().saturating_sub(40).max(panic)..];
    told.chain(closing).copied().collect::<Vec<&str>>().join("\n")
}

/// The compiler's own target triple.
fn host() -> TaskResult<String> {
    let text = crate::run::output(Command::new("rustc").args(["+nightly", "-vV"]))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc names no host".into())
}

/// Copies seeds of at most 64 KB into the folder that the fuzzer adds to: those of every target, and those of this one.
fn seed(seeds: &Path, target: &str, work: &Path) -> TaskResult {
    std::fs::create_dir_all(work)?;
    let mut folders = vec![seeds.to_owned()];
    folders.extend(Some(seeds.join(target)).filter(|own| own.is_dir()));
    if let Some(shared) = paths::shared() {
        folders.push(shared.join("corpus/museum"));
        folders.push(shared.join("corpus/oai-learn/v3.0"));
        folders.push(shared.join("corpus/oai-schema-tests-3.1/pass"));
    }
    for folder in folders {
        for entry in std::fs::read_dir(&folder)?.flatten() {
            let is_small = entry.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= 65_536);
            if is_small {
                std::fs::copy(entry.path(), work.join(entry.file_name()))?;
            }
        }
    }
    Ok(())
}
