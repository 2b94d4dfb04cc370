//! Every operation of some published descriptions, called once through the generated client against the mock server.
//!
//! Uses the SDKs that the corpus run has generated; compiles each and runs `tests/round_trip/walk.mjs` over it. Responses
//! are validated strictly, so what fails is the mock, the SDK or the runtime. Operations that cannot go through are listed
//! in `tests/round_trip/known.json`, each with its reason; a reason that no longer holds fails too.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::mock::Mock;
use crate::paths;
use crate::run::{TaskResult, output, run};
use crate::setup::JsTools;

/// Descriptions of which every operation is called.
pub const NAMES: [&str; 4] = ["openai", "box", "discord", "kubernetes"];

/// Calls every operation of the descriptions that were generated below `work`.
pub fn round_trips(work: &Path, binary: &Path, tools: &JsTools) -> TaskResult {
    let root = paths::root();
    let text = std::fs::read_to_string(root.join("tests/round_trip/known.json"))?;
    let known: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_str(&text)?;
    std::fs::copy(root.join("tests/round_trip/walk.mjs"), work.join("walk.mjs"))?;
    for name in NAMES {
        let project = work.join(name);
        if !project.join("generated/typescript").exists() {
            continue;
        }
        let (called, failures) = walk(&project, work, binary, tools).map_err(|error| format!("{name}: {error}"))?;
        let expected = known.get(name).cloned().unwrap_or_default();
        let new: Vec<&Value> = failures.iter().filter(|f| !expected.contains_key(operation(f))).collect();
        for failure in new.iter().take(10) {
            println!("  {failure}");
        }
        let gone: Vec<&String> = expected.keys().filter(|id| !failures.iter().any(|f| operation(f) == *id)).collect();
        println!(
            "{name}: {called} operations called through the client, {} failed, {} of them known",
            failures.len(),
            failures.len() - new.len()
        );
        if !new.is_empty() || !gone.is_empty() {
            return Err(format!("{name}: {} failures are not known, {gone:?} no longer fail", new.len()).into());
        }
    }
    Ok(())
}

fn operation(failure: &Value) -> &str {
    failure["operation"].as_str().unwrap_or_default()
}

fn walk(project: &Path, work: &Path, binary: &Path, tools: &JsTools) -> TaskResult<(u64, Vec<Value>)> {
    let dist = project.join("dist");
    let sdk = project.join("generated/typescript");
    run(tools
        .script("typescript/bin/tsc")
        .args(["-p", ".", "--declaration", "false", "--outDir"])
        .arg(&dist)
        .current_dir(sdk))?;
    std::fs::write(dist.join("package.json"), "{ \"type\": \"module\" }\n")?;
    let mock = Mock::start(binary, project)?;
    let text = output(Command::new(&tools.node).arg(work.join("walk.mjs")).arg(&dist).arg(&mock.base_url))?;
    let result: Value = serde_json::from_str(text.trim())?;
    let called = result["called"].as_u64().unwrap_or(0);
    if called == 0 {
        return Err("no operation was found".into());
    }
    Ok((called, result["failures"].as_array().cloned().unwrap_or_default()))
}
