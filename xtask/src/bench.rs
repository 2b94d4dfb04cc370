//! `cargo xtask bench`: whole commands, as ratios to the time that a library needs to read the same bytes.
//!
//! The unit is measured beside each command, alternating with it, so that a machine whose speed drifts does not change
//! the ratio. Figures are medians of processor time (user and system) of whole processes, and peak memory. `--gate` fails
//! where a ratio is above its limit, or a count of instructions above its baseline (`bench_counts.rs`). Per stage:
//! `cargo bench --package tungsten-benches`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

use crate::corpus::build_binary;
use crate::run::{TaskResult, flag, option, run};
use crate::{bench_counts, paths};

/// Counted runs of each command.
const RUNS: usize = 5;

/// Counted pairs of runs with one thread and with two. Wall time is less steady than processor time.
const THREAD_RUNS: usize = 15;

/// A description and the limits that hold for it.
struct Case {
    name: &'static str,
    entry: &'static str,
    /// Whether the description is spread over all YAML files of the folder.
    many: bool,
    /// `check` at most this many units.
    check: f64,
    /// `generate` for TypeScript into an empty folder at most this many units.
    generate: f64,
    /// An unchanged second run at most this many units.
    unchanged: f64,
    /// `generate` is at least this many times faster in wall time with two threads than with one.
    two_threads: Option<f64>,
}

/// The largest descriptions of the corpus. For YAML the unit is the event parser.
const CASES: &[Case] = &[
    Case {
        name: "github-rest",
        entry: "api.github.com.json",
        many: false,
        check: 2.0,
        generate: 4.0,
        unchanged: 2.0,
        two_threads: None,
    },
    Case {
        name: "microsoft-graph",
        entry: "graph.json",
        many: false,
        check: 2.0,
        generate: 4.0,
        unchanged: 2.0,
        two_threads: Some(1.4),
    },
    Case {
        name: "digitalocean",
        entry: "DigitalOcean-public.v2.yaml",
        many: true,
        check: 3.0,
        generate: 4.0,
        unchanged: 3.0,
        two_threads: None,
    },
    Case {
        name: "stripe",
        entry: "spec3.yaml",
        many: false,
        check: 2.5,
        generate: 4.0,
        unchanged: 2.5,
        two_threads: None,
    },
];

/// Peak memory: this many times the input, plus [`MEMORY_BASE`].
const MEMORY_FACTOR: f64 = 6.0;
const MEMORY_BASE: f64 = 40.0 * 1024.0 * 1024.0;

/// What one process took.
#[derive(Clone, Copy, Debug)]
struct Cost {
    cpu: Duration,
    wall: Duration,
    peak_bytes: f64,
}

pub fn bench(args: &[String]) -> TaskResult {
    if let Some(at) = args.iter().position(|arg| arg == "--one") {
        return measure_here(&args[at + 1..]);
    }
    if flag(args, "--renew") {
        return bench_counts::renew(option(args, "--reason"));
    }
    let only = option(args, "--only");
    if let Some(name) = only.filter(|name| !bench_counts::knows(name) && CASES.iter().all(|case| case.name != *name)) {
        return Err(format!("no description `{name}` is measured").into());
    }
    let mut failures = if flag(args, "--counts") { Vec::new() } else { ratios(only)? };
    failures.extend(bench_counts::failures(only)?);
    if failures.is_empty() || !flag(args, "--gate") {
        failures.iter().for_each(|failure| println!("above the limit: {failure}"));
        return Ok(());
    }
    Err(format!("above the limit:\n{}", failures.join("\n")).into())
}

/// Measures and prints the ratios; returns a line for each that is above its limit.
fn ratios(only: Option<&str>) -> TaskResult<Vec<String>> {
    let mut failures = Vec::new();
    let Some(shared) = paths::shared() else {
        println!("skipped: no ../shared (set TUNGSTEN_SHARED to the folder of published descriptions)");
        return Ok(failures);
    };
    let binary = build_binary()?;
    run(Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "tungsten-benches"])
        .current_dir(paths::root()))?;
    let unit = paths::target().join("release/parse-unit");
    println!("| description | what | processor time | unit | ratio | limit | wall | peak | peak / input |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for case in CASES.iter().filter(|case| only.is_none_or(|only| only == case.name)) {
        measure(case, &shared, &binary, &unit, &mut failures).map_err(|error| format!("{}: {error}", case.name))?;
    }
    std::fs::remove_dir_all(old_outputs())?;
    Ok(failures)
}

/// Where outputs of earlier runs wait for the end.
fn old_outputs() -> PathBuf {
    paths::target().join("bench/old")
}

/// Moves an output folder out of the way of a cold run. It is not deleted before all is measured: for minutes after
/// thousands of files are gone, a file system such as ext4 takes several times as long to create new ones.
fn put_away(out: &Path) -> TaskResult {
    let old = old_outputs();
    std::fs::create_dir_all(&old)?;
    if out.exists() {
        let n_old = std::fs::read_dir(&old)?.count();
        std::fs::rename(out, old.join(n_old.to_string()))?;
    }
    Ok(())
}

/// A project folder with one published description and a manifest; returns the folder.
pub fn prepare(shared: &Path, name: &str, entry: &str) -> TaskResult<PathBuf> {
    let project = paths::target().join("bench").join(name);
    std::fs::create_dir_all(&project)?;
    let spec = project.join("spec");
    if !spec.exists() {
        let source = shared.join("corpus").join(name);
        run(Command::new("cp").args(["-r", "--no-preserve=mode"]).arg(&source).arg(&spec))?;
    }
    write_manifest(&project, name, entry)?;
    Ok(project)
}

/// Writes a manifest for the description `spec/<entry>` and the output folder `out`.
pub fn write_manifest(project: &Path, name: &str, entry: &str) -> TaskResult {
    let name = name.replace('-', "_");
    let manifest = format!(
        "tungsten: 1\napi: {{ name: {name} }}\ninputs:\n  - {{ namespace: {name}, spec: spec/{entry} }}\ntargets:\n  typescript: {{ out: out }}\n"
    );
    std::fs::write(project.join("tungsten.yml"), manifest)?;
    Ok(())
}

fn measure(case: &Case, shared: &Path, binary: &Path, unit: &Path, failures: &mut Vec<String>) -> TaskResult {
    let project = prepare(shared, case.name, case.entry)?;
    let spec = project.join("spec");
    let inputs = input_files(&spec, case);
    let n_bytes: u64 = inputs.iter().filter_map(|path| path.metadata().ok()).map(|metadata| metadata.len()).sum();
    let unit_command: Vec<PathBuf> = std::iter::once(unit.to_owned()).chain(inputs).collect();
    let command = |args: &[&str]| -> Vec<PathBuf> {
        std::iter::once(binary.to_owned()).chain(args.iter().map(PathBuf::from)).collect()
    };
    let out = project.join("out");
    let cases: [(&str, Vec<PathBuf>, f64, bool); 3] = [
        ("check", command(&["check"]), case.check, false),
        ("generate, cold", command(&["generate"]), case.generate, true),
        ("generate, unchanged", command(&["generate"]), case.unchanged, false),
    ];
    for (what, words, limit, fresh) in cases {
        let mut pairs = Vec::new();
        for _ in 0..=RUNS {
            if fresh {
                put_away(&out)?;
            }
            let cost = cost_of(&words, &project, None)?;
            pairs.push((cost, cost_of(&unit_command, &project, None)?));
        }
        // The first pair only warms up.
        pairs.remove(0);
        let cpu = median(pairs.iter().map(|(cost, _)| cost.cpu.as_secs_f64()));
        let unit = median(pairs.iter().map(|(_, unit)| unit.cpu.as_secs_f64()));
        let ratio = median(pairs.iter().map(|(cost, unit)| cost.cpu.as_secs_f64() / unit.cpu.as_secs_f64()));
        let wall = median(pairs.iter().map(|(cost, _)| cost.wall.as_secs_f64()));
        let peak = median(pairs.iter().map(|(cost, _)| cost.peak_bytes));
        println!(
            "| {} | {what} | {:.0} ms | {:.0} ms | {ratio:.2} | {limit} | {:.0} ms | {:.0} MB | {:.1} |",
            case.name,
            cpu * 1e3,
            unit * 1e3,
            wall * 1e3,
            peak / 1048576.0,
            peak / n_bytes as f64
        );
        if ratio > limit {
            failures.push(format!("{} {what}: {ratio:.2} units, limit {limit}", case.name));
        }
        if peak > MEMORY_FACTOR * n_bytes as f64 + MEMORY_BASE {
            failures.push(format!(
                "{} {what}: peak {:.0} MB for {:.0} MB of input",
                case.name,
                peak / 1e6,
                n_bytes as f64 / 1e6
            ));
        }
    }
    failures.extend(threads(case, &command(&["generate"]), &project, &out)?);
    Ok(())
}

/// Wall time with two threads against one; a line when that is below its limit. What the system still has to write of
/// the run before is waited for: it would take a part of the second core.
fn threads(case: &Case, words: &[PathBuf], project: &Path, out: &Path) -> TaskResult<Option<String>> {
    let mut ratios = Vec::new();
    for _ in 0..THREAD_RUNS {
        let wall = |threads: usize| -> TaskResult<f64> {
            put_away(out)?;
            nix::unistd::sync();
            Ok(cost_of(words, project, Some(threads))?.wall.as_secs_f64())
        };
        ratios.push(wall(1)? / wall(2)?);
    }
    let ratio = median(ratios.into_iter());
    let limit = case.two_threads.map_or(String::new(), |limit| format!("at least {limit}"));
    println!("| {} | generate, wall time of one thread to two | | | {ratio:.2} | {limit} | | | |", case.name);
    Ok(case
        .two_threads
        .filter(|limit| ratio < *limit)
        .map(|limit| format!("{}: two threads are {ratio:.2} times as fast as one, limit {limit}", case.name)))
}

/// Runs a command in a process of its own that asks the system what its child took.
fn cost_of(words: &[PathBuf], folder: &Path, threads: Option<usize>) -> TaskResult<Cost> {
    let me = std::env::current_exe()?;
    let mut command = Command::new(me);
    command.args(["bench", "--one"]).args(words).current_dir(folder).stderr(Stdio::null());
    if let Some(threads) = threads {
        command.env("RAYON_NUM_THREADS", threads.to_string());
    }
    let text = crate::run::output(&mut command)?;
    let last = text.lines().last().unwrap_or_default();
    let numbers: Vec<f64> = last.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [cpu, wall, peak] = numbers[..] else { return Err(format!("no figures in `{last}`").into()) };
    Ok(Cost { cpu: Duration::from_secs_f64(cpu), wall: Duration::from_secs_f64(wall), peak_bytes: peak })
}

/// The inner process: runs the command, prints processor seconds, wall seconds and peak bytes of it.
fn measure_here(words: &[String]) -> TaskResult {
    let (program, args) = words.split_first().ok_or("--one needs a command")?;
    let start = Instant::now();
    let status = Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    let wall = start.elapsed();
    if !status.success() {
        return Err(format!("{program} ended with {status}").into());
    }
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = (usage.user_time() + usage.system_time()).num_microseconds();
    println!("{} {} {}", micros as f64 / 1e6, wall.as_secs_f64(), usage.max_rss() as f64 * 1024.0);
    Ok(())
}

/// The documents of a description: the entry, or all YAML below the folder when it has many.
fn input_files(spec: &Path, case: &Case) -> Vec<PathBuf> {
    if !case.many {
        return vec![spec.join(case.entry)];
    }
    let mut files = Vec::new();
    let mut folders = vec![spec.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
