//! How `check` grows: on a synthetic API of 1,000 documents and 100 MB, and on one of half that size by the same generator.
//!
//! Writes both into `target/bench`, anew each time; prints processor time, wall time and peak memory of both, and the
//! ratio. Twice the operations may take 2.1 times as long, and memory keeps the rule of every other input.

use std::path::{Path, PathBuf};

use crate::bench::{Cost, cost_of, median, memory_failure, write_manifest};
use crate::corpus::build_binary;
use crate::paths;
use crate::run::TaskResult;
use crate::synthetic::{self, Paths, Size};

/// What `--only` calls this.
pub const NAME: &str = "growth";

/// 149,000 operations over 29,800 schemas take 100 MB.
const WHOLE: Size = Size { documents: 1_000, operations: 149_000, paths: Paths::InGroups };
const HALF: Size = Size { documents: WHOLE.documents / 2, operations: WHOLE.operations / 2, paths: Paths::InGroups };

/// The larger one has at least so many bytes, and at most a tenth more.
const WHOLE_BYTES: u64 = 100_000_000;

/// Twice the operations take at most so many times the processor time.
const LIMIT: f64 = 2.1;

/// Counted pairs of runs.
const RUNS: usize = 5;

/// Measures and prints the growth; returns a line for what is above its limit.
pub fn failures() -> TaskResult<Vec<String>> {
    let binary = build_binary()?;
    let (half, half_bytes) = project("half", HALF)?;
    let (whole, whole_bytes) = project("whole", WHOLE)?;
    if !(WHOLE_BYTES..=WHOLE_BYTES + WHOLE_BYTES / 10).contains(&whole_bytes) {
        return Err(format!("the generator wrote {whole_bytes} bytes, and about {WHOLE_BYTES} were meant").into());
    }
    // What was just written would take a part of the second core while it goes to the disk.
    nix::unistd::sync();
    let check = |project: &Path| cost_of(&[binary.clone(), "check".into()], project, None);
    let mut pairs: Vec<(Cost, Cost)> = Vec::new();
    for _ in 0..=RUNS {
        pairs.push((check(&half)?, check(&whole)?));
    }
    // The first pair only warms up.
    pairs.remove(0);
    println!("| synthetic, check | input | processor time | ratio | limit | wall | peak | peak / input |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let ratio = median(pairs.iter().map(|(half, whole)| whole.cpu.as_secs_f64() / half.cpu.as_secs_f64()));
    let mut failures = Vec::new();
    let halves = pairs.iter().map(|(half, _)| *half).collect();
    let wholes = pairs.iter().map(|(_, whole)| *whole).collect();
    for (size, n_bytes, costs, grown) in [(HALF, half_bytes, halves, None), (WHOLE, whole_bytes, wholes, Some(ratio))] {
        let costs: Vec<Cost> = costs;
        let name = format!("{} documents, {} operations", size.documents, size.operations);
        let peak = median(costs.iter().map(|cost| cost.peak_bytes));
        println!(
            "| {name} | {:.0} MB | {:.0} ms | {} | {} | {:.0} ms | {:.0} MB | {:.1} |",
            n_bytes as f64 / 1e6,
            median(costs.iter().map(|cost| cost.cpu.as_secs_f64())) * 1e3,
            grown.map_or(String::new(), |ratio| format!("{ratio:.2}")),
            grown.map_or(String::new(), |_| LIMIT.to_string()),
            median(costs.iter().map(|cost| cost.wall.as_secs_f64())) * 1e3,
            peak / 1e6,
            peak / n_bytes as f64
        );
        failures.extend(memory_failure(&format!("{name}, check"), peak, n_bytes));
    }
    if ratio > LIMIT {
        failures.push(format!("synthetic check: twice the operations take {ratio:.2} times as long, limit {LIMIT}"));
    }
    Ok(failures)
}

/// A project folder with a synthetic description, and the size of that.
fn project(name: &str, size: Size) -> TaskResult<(PathBuf, u64)> {
    let project = paths::target().join("bench/growth").join(name);
    if project.exists() {
        std::fs::remove_dir_all(&project)?;
    }
    let n_bytes = synthetic::write(&project.join("spec"), size)?;
    write_manifest(&project, "growth", "openapi.yaml")?;
    Ok((project, n_bytes as u64))
}
