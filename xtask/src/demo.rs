//! `cargo xtask demo`: from a description to a typed SDK that calls a mock server, in one command.
//!
//! Generates the SDK of `corpus/harbour` (and of GitHub's description, when published ones are there), starts the mock,
//! type-checks and runs a small program against the generated client and prints what came back.

use std::path::Path;
use std::process::Command;

use crate::corpus::{build_binary, link_runtime};
use crate::mock::Mock;
use crate::paths;
use crate::run::{TaskResult, run};
use crate::setup::{JsTools, setup};

/// A description, and the program that calls its client.
struct Demo {
    name: &'static str,
    title: &'static str,
    program: &'static str,
}

const HARBOUR: Demo = Demo {
    name: "harbour",
    title: "Harbour, a small API of our own",
    program: include_str!("../../corpus/harbour/demo.ts"),
};
const GITHUB: Demo = Demo {
    name: "github-rest",
    title: "GitHub's REST API, over 1,000 operations",
    program: include_str!("../assets/github_demo.ts"),
};

pub fn demo() -> TaskResult {
    let tools = setup()?;
    let binary = build_binary()?;
    let work = paths::target().join("demo");
    link_runtime(&work)?;
    let root = paths::root();
    let harbour = work.join(HARBOUR.name);
    std::fs::create_dir_all(&harbour)?;
    for file in ["openapi.yaml", "tungsten.yml"] {
        std::fs::copy(root.join("corpus/harbour").join(file), harbour.join(file))?;
    }
    show(&HARBOUR, &harbour, &binary, &tools)?;
    let Some(shared) = paths::shared() else {
        println!("\nskipped: no ../shared, so no published description to show");
        return Ok(());
    };
    let github = work.join(GITHUB.name);
    std::fs::create_dir_all(&github)?;
    std::fs::copy(shared.join("corpus/github-rest/api.github.com.json"), github.join("openapi.json"))?;
    let manifest = "tungsten: 1\napi: { name: github }\ninputs:\n  - { namespace: github, spec: openapi.json }\n\
                    targets:\n  typescript: { package: \"@example/github\", out: generated/typescript }\n";
    std::fs::write(github.join("tungsten.yml"), manifest)?;
    show(&GITHUB, &github, &binary, &tools)
}

fn show(demo: &Demo, project: &Path, binary: &Path, tools: &JsTools) -> TaskResult {
    println!("\n--- {}", demo.title);
    println!("$ tungsten generate");
    run(Command::new(binary).args(["generate", "."]).current_dir(project))?;
    let out = project.join("generated/typescript");
    let program = project.join("generated/demo.ts");
    std::fs::write(&program, demo.program)?;
    compile(tools, &out, &program)?;
    println!("$ tungsten mock");
    let mock = Mock::start(binary, project)?;
    println!("mock server: {}", mock.base_url);
    println!("$ node demo.js");
    let script = project.join("generated/dist/demo.js");
    run(Command::new(&tools.node).arg(script).env("BASE_URL", &mock.base_url).current_dir(project))
}

/// Type-checks the SDK and the program, and compiles both to JavaScript.
pub fn compile(tools: &JsTools, out: &Path, program: &Path) -> TaskResult {
    let folder = program.parent().expect("a file lies in a folder");
    let config = serde_json::json!({
        "extends": "./typescript/tsconfig.json",
        "compilerOptions": { "rootDir": ".", "outDir": "dist", "declaration": false },
        "include": [program.file_name().unwrap_or_default().to_string_lossy(), "typescript/src"],
    });
    std::fs::write(folder.join("tsconfig.json"), config.to_string())?;
    std::fs::write(folder.join("package.json"), "{ \"type\": \"module\" }\n")?;
    if !out.join("package.json").exists() {
        return Err(format!("{} holds no package", out.display()).into());
    }
    println!("$ tsc --strict");
    run(tools.script("typescript/bin/tsc").args(["-p", "."]).current_dir(folder))
}
