//! Runs the contract suite: scenario files against a driver of one language.
//!
//! Reads `tests/contract/scenarios`; starts a scripted server for each scenario and one driver process for all; owns the
//! clock of both. What a runtime has to do is in the files, how a language does it in its driver.

mod base64;
mod compare;
mod driver;
mod event;
mod expect;
mod fill;
mod http;
mod run;
mod scenario;
mod server;
mod yaml;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};

use driver::Driver;
use run::Ran;
use scenario::{Group, Scenario};

/// A scenario as it was read.
#[derive(Clone, Debug)]
pub struct Case {
    pub group: String,
    pub name: String,
    /// The rule as a sentence.
    pub rule: String,
    needs: Vec<String>,
    raw: Value,
}

/// What became of a scenario.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub group: String,
    pub name: String,
    pub rule: String,
    pub verdict: Verdict,
}

/// Whether the scenario held.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Passed,
    /// What differed, a line each.
    Failed(Vec<String>),
    /// What the driver cannot do yet.
    Skipped(String),
}

/// Reads all scenario files of a folder, in the order of their names. A file or a scenario of the wrong form is an error.
pub fn read_scenarios(folder: &Path) -> Result<Vec<Case>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("reading {}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = std::fs::read(&file).map_err(|error| format!("reading {name}: {error}"))?;
        cases.extend(read_group(&name, bytes)?);
    }
    unique(cases)
}

/// Reads the text of one scenario file.
pub fn read_scenario_text(name: &str, text: &str) -> Result<Vec<Case>, String> {
    unique(read_group(name, text.as_bytes().to_vec())?)
}

/// Reads a YAML or JSON document as a value.
pub fn read_value(name: &str, bytes: Vec<u8>) -> Result<Value, String> {
    yaml::read(name, bytes)
}

fn unique(cases: Vec<Case>) -> Result<Vec<Case>, String> {
    let mut names = BTreeSet::new();
    match cases.iter().find(|case| !names.insert(&case.name)) {
        Some(case) => Err(format!("{}: two scenarios are called `{}`", case.group, case.name)),
        None => Ok(cases),
    }
}

/// Reads one file.
fn read_group(name: &str, bytes: Vec<u8>) -> Result<Vec<Case>, String> {
    let value = yaml::read(name, bytes)?;
    let group = String::from(name.split('.').next().unwrap_or_default());
    let whole: Group =
        serde_json::from_value(value.clone()).map_err(|error| format!("{name}: {}", place(&value, &error)))?;
    if whole.group != group {
        return Err(format!("{name}: its group is `{}`", whole.group));
    }
    let mut raws = value["scenarios"].as_array().cloned().unwrap_or_default();
    raws.iter_mut().for_each(|raw| inherit(raw, &value["client"]));
    let case = |(scenario, raw): (Scenario, Value)| match scenario.problem() {
        Some(problem) => Err(format!("{name}: {}: {problem}", scenario.name)),
        None => Ok(Case { group: group.clone(), name: scenario.name, rule: scenario.rule, needs: scenario.needs, raw }),
    };
    whole.scenarios.into_iter().zip(raws).map(case).collect()
}

/// Gives the clients of a scenario the options of the group that they do not state.
fn inherit(scenario: &mut Value, options: &Value) {
    let (Some(members), Some(options)) = (scenario.as_object_mut(), options.as_object()) else { return };
    members.entry("client").or_insert_with(|| json!({}));
    members.entry("clients").or_insert_with(|| json!({}));
    let main = members.get_mut("client").into_iter();
    for client in main.filter_map(Value::as_object_mut) {
        add_missing(client, options);
    }
    let others = members.get_mut("clients").and_then(Value::as_object_mut);
    for client in others.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
        add_missing(client, options);
    }
}

fn add_missing(client: &mut Map<String, Value>, options: &Map<String, Value>) {
    for (name, value) in options {
        client.entry(name).or_insert_with(|| value.clone());
    }
}

/// An error of form, with the scenario that it is in.
fn place(group: &Value, error: &serde_json::Error) -> String {
    let scenarios = group["scenarios"].as_array().into_iter().flatten();
    let bad = scenarios.filter_map(|raw| {
        let error = serde_json::from_value::<Scenario>(raw.clone()).err()?;
        Some(format!("{}: {error}", raw["name"]))
    });
    bad.into_iter().next().unwrap_or_else(|| error.to_string())
}

/// Runs scenarios one after the other in one driver process, which is started again when a scenario breaks it.
pub fn run_scenarios(cases: &[Case], driver: &dyn Fn() -> Command) -> Result<Vec<Outcome>, String> {
    let mut running = Driver::start(driver())?;
    let mut outcomes = Vec::new();
    for case in cases {
        let missing: Vec<&String> = case.needs.iter().filter(|need| !running.features.contains(need)).collect();
        let verdict = if let Some(need) = missing.first() {
            Verdict::Skipped((*need).clone())
        } else {
            let ran =
                run::run(&mut running, &case.raw).unwrap_or_else(|why| Ran { differences: vec![why], is_broken: true });
            if ran.is_broken {
                running = Driver::start(driver())?;
            }
            if ran.differences.is_empty() { Verdict::Passed } else { Verdict::Failed(ran.differences) }
        };
        let Case { group, name, rule, .. } = case.clone();
        outcomes.push(Outcome { group, name, rule, verdict });
    }
    Ok(outcomes)
}
