//! Counts the instructions of whole commands with callgrind and compares them with `benches/baseline.json`.
//!
//! Seconds and ratios are noisy, counts are not: with one thread, fixed seeds and an empty environment two runs differ by
//! some hundredths of a percent at most. Reads two descriptions that need nothing but the checkout, and a published one
//! where it is there; writes `target/bench/<name>/<command>.callgrind`, and the baseline when it is renewed, with a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::corpus::build_binary;
use crate::run::{TaskResult, output};
use crate::{bench, paths, synthetic};

/// A command may take this much more than the baseline says.
const TOLERANCE: f64 = 0.10;

/// Two runs of the same binary may differ by this much; above it a count says nothing, and no baseline is written.
const STEADY: f64 = 0.005;

const ABOUT: &str = "Instructions of whole commands, one thread, counted by callgrind. Written by \
                     `cargo xtask bench --renew --reason \"...\"`; not edited by hand.";

/// Large enough that start-up is a small part, small enough for every test run.
const SYNTHETIC: synthetic::Size = synthetic::Size { documents: 20, operations: 500, paths: synthetic::Paths::InEntry };

/// A description and the commands that are counted on it, in this order.
struct Case {
    name: &'static str,
    /// Makes the project folder hold the description and a manifest; returns it, or nothing where the description is not
    /// on this machine.
    prepare: fn() -> TaskResult<Option<PathBuf>>,
    /// The output folder of the manifest.
    out: &'static str,
    steps: &'static [Step],
}

/// A command and the state of the output folder that it finds.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    command: &'static str,
    /// Whether the output folder is removed before.
    fresh: bool,
}

const CHECK: Step = Step { name: "check", command: "check", fresh: false };
const COLD: Step = Step { name: "generate-cold", command: "generate", fresh: true };
/// Follows [`COLD`], whose output it finds.
const UNCHANGED: Step = Step { name: "generate-unchanged", command: "generate", fresh: false };

/// The smallest case shows start-up, where an unchanged run would be too short to be counted steadily.
const CASES: &[Case] = &[
    Case { name: "harbour", prepare: harbour, out: "generated", steps: &[CHECK, COLD] },
    Case { name: "synthetic", prepare: synthetic_project, out: "out", steps: &[CHECK, COLD, UNCHANGED] },
    Case { name: "github-rest", prepare: github, out: "out", steps: &[CHECK] },
];

/// `benches/baseline.json`.
#[derive(Serialize, Deserialize)]
struct Baseline {
    about: String,
    /// Why it was renewed the last time.
    reason: String,
    build: Build,
    /// Counts by case and command.
    instructions: Counts,
}

type Counts = BTreeMap<String, u64>;

/// What counts depend on besides our own code: with another build they are shown, not judged.
#[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
struct Build {
    rustc: String,
    target: String,
    /// Cargo's profile, and `RUSTFLAGS` where they are set.
    profile: String,
    /// The widest vectors that the machine offers under valgrind: libraries choose by it when the program runs.
    vectors: String,
}

/// What one run of the cases gave.
#[derive(Default)]
struct Measured {
    counts: Counts,
    /// Rows that were left out: not asked for, or the description is not there.
    skipped: BTreeSet<String>,
}

/// A line of the comparison.
#[derive(Debug, PartialEq)]
struct Row {
    name: String,
    baseline: Option<u64>,
    count: Option<u64>,
    verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Within the tolerance.
    Steady,
    /// Above the tolerance: fails.
    Worse,
    /// Below the tolerance: the baseline would hide a later loss of what was gained.
    Better,
    /// Counted, but not in the baseline: fails, since nothing guards it.
    Unknown,
    /// In the baseline, and no command of that name is left: fails, since the baseline no longer says what is guarded.
    Missing,
    /// In the baseline, and left out in this run.
    Skipped,
}

impl Verdict {
    fn words(self) -> &'static str {
        match self {
            Self::Steady => "",
            Self::Worse => "worse",
            Self::Better => "better; renew, so that it stays",
            Self::Unknown => "not in the baseline",
            Self::Missing => "no such command any more",
            Self::Skipped => "not counted here",
        }
    }

    fn fails(self) -> bool {
        matches!(self, Self::Worse | Self::Unknown | Self::Missing)
    }
}

/// Counts, prints the comparison, and returns a line for each row that fails.
///
/// `only` names the one case to count. Without valgrind, or with another build than the baseline's, nothing fails.
pub fn failures(only: Option<&str>) -> TaskResult<Vec<String>> {
    if !has_valgrind() {
        println!("skipped: valgrind is not installed");
        return Ok(Vec::new());
    }
    let baseline = read()?;
    let build = build()?;
    let measured = measure(&build_binary()?, only)?;
    let rows = compare(&baseline.instructions, &measured);
    print(&rows);
    if build != baseline.build {
        println!(
            "not judged: the baseline is of another build\n  baseline: {}\n  here:     {}",
            baseline.build.line(),
            build.line()
        );
        return Ok(Vec::new());
    }
    Ok(rows.iter().filter(|row| row.verdict.fails()).map(Row::failure).collect())
}

/// The gate alone: fails where a command takes too many instructions.
pub fn gate() -> TaskResult {
    let failures = failures(None)?;
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Counts twice and writes the baseline.
///
/// Rows that cannot be counted here stay as they are, unless the build is another one: counts of two builds do not belong
/// in one table. Fails when valgrind is missing, or the two runs differ.
pub fn renew(reason: Option<&str>) -> TaskResult {
    let reason = reason.map(str::trim).filter(|reason| !reason.is_empty() && !reason.starts_with("--"));
    let reason = reason.ok_or("--renew needs --reason \"why the counts changed\"")?;
    if !has_valgrind() {
        return Err("counting needs valgrind, which is not installed".into());
    }
    let old = read().ok();
    let build = build()?;
    let binary = build_binary()?;
    let mut measured = measure(&binary, None)?;
    steady(&measured.counts, &measure(&binary, None)?.counts)?;
    if let Some(old) = &old {
        print(&compare(&old.instructions, &measured));
    }
    if !measured.skipped.is_empty() {
        let old = old.filter(|old| old.build == build).ok_or_else(|| {
            let skipped: Vec<&str> = measured.skipped.iter().map(String::as_str).collect();
            format!("another build needs every count anew, and these have no description here: {}", skipped.join(", "))
        })?;
        let kept = old.instructions.into_iter().filter(|(name, _)| measured.skipped.contains(name));
        measured.counts.extend(kept);
    }
    let baseline =
        Baseline { about: ABOUT.to_owned(), reason: reason.to_owned(), build, instructions: measured.counts };
    std::fs::write(path(), serde_json::to_string_pretty(&baseline)? + "\n")?;
    println!("wrote benches/baseline.json");
    Ok(())
}

/// Whether a case has this name.
pub fn knows(name: &str) -> bool {
    CASES.iter().any(|case| case.name == name)
}

fn path() -> PathBuf {
    paths::root().join("benches/baseline.json")
}

fn read() -> TaskResult<Baseline> {
    let text = std::fs::read_to_string(path()).map_err(|error| format!("reading benches/baseline.json: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("benches/baseline.json: {error}").into())
}

impl Build {
    fn line(&self) -> String {
        format!("rustc {}, {}, profile {}, vectors {}", self.rustc, self.target, self.profile, self.vectors)
    }
}

fn build() -> TaskResult<Build> {
    let text = output(Command::new("rustc").arg("-vV").current_dir(paths::root()))?;
    let field = |start: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(start));
        line.map(str::to_owned).ok_or_else(|| format!("`rustc -vV` has no line `{start}`"))
    };
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    let profile = if flags.is_empty() { "release".to_owned() } else { format!("release with {flags}") };
    Ok(Build { rustc: field("rustc ")?, target: field("host: ")?, profile, vectors: vectors().to_owned() })
}

#[cfg(target_arch = "x86_64")]
fn vectors() -> &'static str {
    if is_x86_feature_detected!("avx2") { "avx2" } else { "sse2" }
}

#[cfg(not(target_arch = "x86_64"))]
fn vectors() -> &'static str {
    "the target's"
}

fn has_valgrind() -> bool {
    output(Command::new("valgrind").arg("--version")).is_ok()
}

/// The name of a command's row.
fn row_name(case: &Case, step: Step) -> String {
    format!("{} {}", case.name, step.name)
}

/// Counts every command of the cases, or of the one that `only` names.
fn measure(binary: &Path, only: Option<&str>) -> TaskResult<Measured> {
    let mut measured = Measured::default();
    for case in CASES {
        let project = if only.is_none_or(|only| only == case.name) { (case.prepare)()? } else { None };
        let Some(project) = project else {
            measured.skipped.extend(case.steps.iter().map(|step| row_name(case, *step)));
            continue;
        };
        for step in case.steps {
            let name = row_name(case, *step);
            let out = project.join(case.out);
            if step.fresh && out.exists() {
                std::fs::remove_dir_all(&out)?;
            }
            let count = count(binary, &project, *step).map_err(|error| format!("{name}: {error}"))?;
            measured.counts.insert(name, count);
        }
    }
    Ok(measured)
}

/// Runs one command under callgrind, with one thread and no environment, and returns how many instructions it took.
fn count(binary: &Path, project: &Path, step: Step) -> TaskResult<u64> {
    // A relative name: valgrind gives `%` in it a meaning, and the checkout's path is not ours to choose.
    let profile = format!("{}.callgrind", step.name);
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", &format!("--callgrind-out-file={profile}")]);
    command.arg(binary).args([step.command, "."]).current_dir(project);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("RAYON_NUM_THREADS", "1");
    let profile = project.join(profile);
    if profile.exists() {
        std::fs::remove_file(&profile)?;
    }
    output(&mut command)?;
    let text = std::fs::read_to_string(&profile).map_err(|error| format!("reading {}: {error}", profile.display()))?;
    total(&text).ok_or_else(|| format!("{} has no line `totals: <count>`", profile.display()).into())
}

/// The sum that callgrind writes at the end of a profile.
fn total(profile: &str) -> Option<u64> {
    profile.lines().rev().find_map(|line| line.strip_prefix("totals: "))?.trim().parse().ok()
}

/// The description that the repository brings, with its own manifest.
fn harbour() -> TaskResult<Option<PathBuf>> {
    let project = paths::target().join("bench/harbour");
    std::fs::create_dir_all(&project)?;
    for name in ["openapi.yaml", "tungsten.yml"] {
        let bytes = std::fs::read(paths::root().join("corpus/harbour").join(name))?;
        std::fs::write(project.join(name), bytes)?;
    }
    Ok(Some(project))
}

fn synthetic_project() -> TaskResult<Option<PathBuf>> {
    let project = paths::target().join("bench/synthetic");
    synthetic::write(&project.join("spec"), SYNTHETIC)?;
    bench::write_manifest(&project, "synthetic", "openapi.yaml")?;
    Ok(Some(project))
}

fn github() -> TaskResult<Option<PathBuf>> {
    paths::shared().map(|shared| bench::prepare(&shared, "github-rest", "api.github.com.json")).transpose()
}

/// Joins the baseline's rows and the counted ones, by name.
fn compare(baseline: &Counts, measured: &Measured) -> Vec<Row> {
    let names: BTreeSet<&String> = baseline.keys().chain(measured.counts.keys()).collect();
    let row = |name: &String| {
        let (old, new) = (baseline.get(name).copied(), measured.counts.get(name).copied());
        let verdict = match (old, new) {
            (Some(old), Some(new)) => judge(old, new),
            (None, _) => Verdict::Unknown,
            (Some(_), None) if measured.skipped.contains(name) => Verdict::Skipped,
            (Some(_), None) => Verdict::Missing,
        };
        Row { name: name.clone(), baseline: old, count: new, verdict }
    };
    names.into_iter().map(row).collect()
}

fn judge(old: u64, new: u64) -> Verdict {
    match change(old, new) {
        change if change > TOLERANCE => Verdict::Worse,
        change if change < -TOLERANCE => Verdict::Better,
        _ => Verdict::Steady,
    }
}

/// How much `new` is above `old`, as a part of `old`.
fn change(old: u64, new: u64) -> f64 {
    new as f64 / old as f64 - 1.0
}

/// Fails where two runs of the same binary differ.
fn steady(first: &Counts, second: &Counts) -> TaskResult {
    for (name, count) in first {
        let again = second.get(name).copied().unwrap_or(0);
        let change = change(*count, again);
        println!("{name}: {count} and {again} instructions, {:+.4} %", change * 100.0);
        if change.abs() > STEADY {
            return Err(format!("{name}: two runs differ by more than {} %", STEADY * 100.0).into());
        }
    }
    Ok(())
}

impl Row {
    fn change(&self) -> Option<String> {
        let change = change(self.baseline?, self.count?);
        Some(format!("{:+.2} %", change * 100.0))
    }

    fn failure(&self) -> String {
        let what = format!("instructions of {}: {}", self.name, self.verdict.words());
        let renew = "`cargo xtask bench --renew --reason \"...\"`";
        let (Verdict::Worse, Some(change), Some((case, step))) =
            (self.verdict, self.change(), self.name.split_once(' '))
        else {
            return format!("{what}; {renew} writes the table anew");
        };
        let allowed = TOLERANCE * 100.0;
        format!(
            "{what}, {change} where {allowed} % are allowed; `callgrind_annotate target/bench/{case}/{step}.callgrind` \
             shows where they go, {renew} accepts them"
        )
    }
}

fn print(rows: &[Row]) {
    println!("| command | instructions | baseline | change | |");
    println!("|---|---:|---:|---:|---|");
    let shown = |count: Option<u64>| count.map(|count| count.to_string()).unwrap_or_default();
    for row in rows {
        println!(
            "| {} | {} | {} | {} | {} |",
            row.name,
            shown(row.count),
            shown(row.baseline),
            row.change().unwrap_or_default(),
            row.verdict.words()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(rows: &[(&str, u64)]) -> Counts {
        rows.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn counts_are_judged_against_the_baseline() {
        let check = |baseline: &[(&str, u64)], measured: &[(&str, u64)], skipped: &[&str], expect: &[Verdict]| {
            let skipped = skipped.iter().map(|name| (*name).to_owned()).collect();
            let rows = compare(&counts(baseline), &Measured { counts: counts(measured), skipped });
            assert_eq!(rows.iter().map(|row| row.verdict).collect::<Vec<_>>(), expect, "{baseline:?} {measured:?}");
        };
        check(&[("a", 1000)], &[("a", 1000)], &[], &[Verdict::Steady]);
        check(&[("a", 1000)], &[("a", 1099)], &[], &[Verdict::Steady]);
        check(&[("a", 1000)], &[("a", 1101)], &[], &[Verdict::Worse]);
        check(&[("a", 1000)], &[("a", 901)], &[], &[Verdict::Steady]);
        check(&[("a", 1000)], &[("a", 899)], &[], &[Verdict::Better]);
        check(&[], &[("a", 1000)], &[], &[Verdict::Unknown]);
        check(&[("a", 1000)], &[], &[], &[Verdict::Missing]);
        check(&[("a", 1000)], &[], &["a"], &[Verdict::Skipped]);
        // One row's verdict does not touch another's; the order is that of the names.
        check(
            &[("b", 1000), ("d", 10)],
            &[("a", 5), ("b", 2000), ("d", 10)],
            &[],
            &[Verdict::Unknown, Verdict::Worse, Verdict::Steady],
        );
    }

    #[test]
    fn what_guards_nothing_fails_and_what_is_better_does_not() {
        let failing = [Verdict::Worse, Verdict::Unknown, Verdict::Missing];
        let passing = [Verdict::Steady, Verdict::Better, Verdict::Skipped];
        assert!(failing.into_iter().all(Verdict::fails));
        assert!(!passing.into_iter().any(Verdict::fails));
    }

    #[test]
    fn a_failure_says_by_how_much_and_where_to_look() {
        let measured = Measured { counts: counts(&[("harbour check", 1500)]), ..Measured::default() };
        let rows = compare(&counts(&[("harbour check", 1000)]), &measured);
        let text = rows[0].failure();
        assert!(text.contains("worse, +50.00 % where 10 % are allowed"), "{text}");
        assert!(text.contains("target/bench/harbour/check.callgrind"), "{text}");
        let gone = compare(&counts(&[("gone check", 1000)]), &Measured::default());
        assert!(gone[0].failure().contains("no such command any more; `cargo xtask bench --renew"));
    }

    #[test]
    fn two_runs_that_differ_make_no_baseline() {
        assert!(steady(&counts(&[("a", 100_000)]), &counts(&[("a", 100_490)])).is_ok());
        assert!(steady(&counts(&[("a", 100_000)]), &counts(&[("a", 100_510)])).is_err());
        assert!(steady(&counts(&[("a", 100_000)]), &counts(&[("a", 99_490)])).is_err());
        assert!(steady(&counts(&[("a", 100_000)]), &counts(&[])).is_err());
    }

    #[test]
    fn the_sum_is_the_last_line_of_a_profile() {
        assert_eq!(total("events: Ir\nfn=(1) main\n1 5\n\ntotals: 2518649\n"), Some(2_518_649));
        assert_eq!(total("events: Ir\n"), None);
    }

    #[test]
    fn the_baseline_names_every_counted_command_and_a_reason() {
        let baseline = read().expect("benches/baseline.json can be read");
        let names: BTreeSet<String> =
            CASES.iter().flat_map(|case| case.steps.iter().map(|step| row_name(case, *step))).collect();
        assert_eq!(baseline.instructions.into_keys().collect::<BTreeSet<_>>(), names);
        assert_eq!(baseline.about, ABOUT);
        assert!(!baseline.reason.is_empty());
    }

    #[test]
    fn renewing_without_a_reason_is_refused() {
        for reason in [None, Some(""), Some("  "), Some("--gate")] {
            let error = renew(reason).expect_err("no reason was given");
            assert!(error.to_string().contains("--reason"), "{error}");
        }
    }
}
