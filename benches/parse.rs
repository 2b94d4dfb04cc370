//! Bytes to documents, against what others take for the same bytes in the same run.
//!
//! JSON against `serde_json::Value`, YAML against the bare events of yaml-rust2: the ratios of decision 0001.
//! Reads the published descriptions when they are there, else texts made here. The last lines are the ratios.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{Diags, Id, Source, SourceId};
use base_doc::{DocSet, parse_all};
use criterion::{Criterion, Throughput};
use yaml_rust2::parser::{Event, EventReceiver, Parser};

/// Inputs of one entry.
struct Entry {
    name: &'static str,
    files: Vec<Arc<Source>>,
}

struct Ignore;

impl EventReceiver for Ignore {
    fn on_event(&mut self, event: Event) {
        black_box(event);
    }
}

fn ours(files: &[Arc<Source>]) {
    let inputs = files.iter().enumerate().map(|(index, source)| (Arc::clone(source), SourceId::from_index(index)));
    let mut set = DocSet::with_words(&["type", "properties", "items", "$ref"]);
    let mut diags = Diags::new();
    black_box(parse_all(inputs.collect(), &mut set, &mut diags));
    black_box(set);
}

fn theirs(files: &[Arc<Source>]) {
    for source in files {
        if source.name().ends_with(".json") {
            black_box(serde_json::from_slice::<serde_json::Value>(source.bytes()).is_ok());
        } else if let Ok(text) = source.text() {
            black_box(Parser::new_from_str(text).load(&mut Ignore, false).is_ok());
        }
    }
}

/// The best of several runs, one of each in turn, so that a busy moment meets both.
fn ratio(files: &[Arc<Source>]) -> f64 {
    let time = |run: fn(&[Arc<Source>])| {
        let start = Instant::now();
        run(files);
        start.elapsed()
    };
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..10 {
        best = (best.0.min(time(ours)), best.1.min(time(theirs)));
    }
    best.0.as_secs_f64() / best.1.as_secs_f64()
}

fn files_below(path: &Path, found: &mut Vec<PathBuf>) {
    let Ok(folder) = std::fs::read_dir(path) else { return };
    let mut entries: Vec<_> = folder.filter_map(Result::ok).map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            files_below(&entry, found);
        } else if entry.extension().is_some_and(|ending| ["json", "yaml", "yml"].iter().any(|known| ending == *known)) {
            found.push(entry);
        }
    }
}

fn published() -> Vec<Entry> {
    let folder = std::env::var_os("TUNGSTEN_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let read = |name| {
        let mut paths = Vec::new();
        files_below(&folder.join("corpus").join(name), &mut paths);
        let source = |path: &PathBuf| {
            let source = Source::from_bytes(path.to_string_lossy(), std::fs::read(path).ok()?);
            Some(Arc::new(source))
        };
        Entry { name, files: paths.iter().filter_map(source).collect() }
    };
    let names = ["github-rest", "microsoft-graph", "digitalocean", "matrix", "cloudflare", "asana"];
    names.map(read).into_iter().filter(|entry| !entry.files.is_empty()).collect()
}

fn generated() -> Vec<Entry> {
    let (mut json, mut yaml) = (String::from("{\n"), String::new());
    for n in 0..20_000 {
        json +=
            &format!("  \"Schema{n}\": {{\n    \"type\": \"object\",\n    \"description\": \"Number {n}\"\n  }},\n");
        yaml += &format!("Schema{n}:\n  type: object\n  description: Number {n}\n  required:\n    - id\n");
    }
    json += "  \"end\": null\n}\n";
    let source = |name: &str, text: String| vec![Arc::new(Source::from_bytes(name, text))];
    vec![
        Entry { name: "generated JSON", files: source("x.json", json) },
        Entry { name: "generated YAML", files: source("x.yaml", yaml) },
    ]
}

fn main() {
    let mut entries = published();
    if entries.is_empty() {
        println!("skipped: no ../shared");
        entries = generated();
    }
    let mut criterion =
        Criterion::default().sample_size(10).measurement_time(Duration::from_secs(2)).configure_from_args();
    for entry in &entries {
        let mut group = criterion.benchmark_group(entry.name);
        group.throughput(Throughput::Bytes(entry.files.iter().map(|source| source.bytes().len() as u64).sum()));
        group.bench_function("documents", |bencher| bencher.iter(|| ours(&entry.files)));
        group.bench_function("theirs", |bencher| bencher.iter(|| theirs(&entry.files)));
        group.finish();
    }
    for entry in &entries {
        println!("ratio {}: {:.2}", entry.name, ratio(&entry.files));
    }
}
