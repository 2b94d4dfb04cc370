//! Streams end to end: the SDK of `tests/golden/streams` against the mock server, whose connections break and fall silent
//! on request.
//!
//! Generates the SDK, compiles it with `tests/streams/faults.ts` and runs that.

use std::process::Command;

use crate::corpus::{build_binary, link_runtime};
use crate::demo;
use crate::mock::Mock;
use crate::paths;
use crate::run::{TaskResult, run};
use crate::setup::JsTools;

const MANIFEST: &str = "tungsten: 1\napi: { name: streams }\ninputs:\n  - { namespace: streams, spec: streams.yaml }\n\
                        targets:\n  typescript: { package: \"@example/streams\", out: generated/typescript }\n";

pub fn streams(tools: &JsTools) -> TaskResult {
    let binary = build_binary()?;
    let work = paths::target().join("streams");
    link_runtime(&work)?;
    let project = work.join("project");
    std::fs::create_dir_all(&project)?;
    let root = paths::root();
    std::fs::copy(root.join("tests/golden/streams/streams.yaml"), project.join("streams.yaml"))?;
    std::fs::write(project.join("tungsten.yml"), MANIFEST)?;
    run(Command::new(&binary).args(["generate", "."]).current_dir(&project))?;
    let out = project.join("generated/typescript");
    let program = project.join("generated/faults.ts");
    std::fs::copy(root.join("tests/streams/faults.ts"), &program)?;
    demo::compile(tools, &out, &program)?;
    let mock = Mock::start(&binary, &project)?;
    let script = project.join("generated/dist/faults.js");
    run(Command::new(&tools.node).arg(script).env("BASE_URL", &mock.base_url).current_dir(&project))
}
