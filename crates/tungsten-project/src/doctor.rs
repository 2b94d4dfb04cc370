//! `tungsten doctor`: which tools are there, and which of them a project's targets need. Starts `--version` of each
//! program and nothing else; no network, no installation.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time that a version probe may take.
const PROBE_LIMIT: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(10);

/// One tool as it was found.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    pub name: &'static str,
    pub found: bool,
    /// What `--version` said, its first line.
    pub version: Option<String>,
    pub purpose: &'static str,
    /// Whether a configured target needs it.
    pub required: bool,
    /// For a required tool: whether it is there in a version that serves.
    pub ok: bool,
    /// The lowest version that serves, when one is set.
    pub minimum: Option<&'static str>,
}

struct Probe {
    name: &'static str,
    purpose: &'static str,
    /// Targets that need the tool, with the lowest version.
    needed_by: &'static [&'static str],
    minimum: Option<&'static str>,
}

const PROBES: &[Probe] = &[
    Probe {
        name: "cargo",
        purpose: "building generated Rust SDKs and command lines",
        needed_by: &["rust"],
        minimum: Some("1.88"),
    },
    Probe {
        name: "rustc",
        purpose: "building generated Rust SDKs and command lines",
        needed_by: &["rust"],
        minimum: Some("1.88"),
    },
    Probe {
        name: "node",
        purpose: "building and running generated TypeScript, MCP and WebMCP packages",
        needed_by: &["typescript", "mcp", "webmcp"],
        minimum: Some("22"),
    },
    Probe {
        name: "npm",
        purpose: "installing the dependencies of generated TypeScript, MCP and WebMCP packages",
        needed_by: &["typescript", "mcp", "webmcp"],
        minimum: None,
    },
    Probe { name: "python3", purpose: "running generated Python SDKs", needed_by: &["python"], minimum: Some("3.12") },
    Probe { name: "deno", purpose: "running the script tool of generated MCP servers", needed_by: &[], minimum: None },
    Probe { name: "uv", purpose: "installing generated Python SDKs quickly", needed_by: &[], minimum: None },
    Probe { name: "prettier", purpose: "checking the layout of generated TypeScript", needed_by: &[], minimum: None },
    Probe { name: "ruff", purpose: "checking generated Python", needed_by: &[], minimum: None },
    Probe { name: "rustfmt", purpose: "checking the layout of generated Rust", needed_by: &[], minimum: None },
];

/// Looks for every tool; `targets` are the configured targets of a project, if there is one.
pub fn tools(targets: &[String]) -> Vec<Tool> {
    PROBES.iter().map(|probe| look(probe, targets)).collect()
}

fn look(probe: &Probe, targets: &[String]) -> Tool {
    let required = probe.needed_by.iter().any(|target| targets.iter().any(|name| name == target));
    let answer = version_of(probe.name);
    let found = answer.is_some();
    let serves = match (probe.minimum, &answer) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(minimum), Some(text)) => numbers(text) >= numbers(minimum) && !numbers(text).is_empty(),
    };
    Tool {
        name: probe.name,
        found,
        version: answer.filter(|text| !text.is_empty()),
        purpose: probe.purpose,
        required,
        ok: !required || serves,
        minimum: probe.minimum,
    }
}

/// The first line that `<program> --version` prints; nothing when it is not there, fails or takes too long.
fn version_of(program: &str) -> Option<String> {
    let mut child = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if start.elapsed() > PROBE_LIMIT => {
                // Either may fail when the program ends by itself at this moment; it is given up all the same.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            None => std::thread::sleep(POLL),
        }
    };
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    status.success().then(|| text.lines().next().unwrap_or_default().trim().to_owned())
}

/// The first dotted number of a text: `v22.3.1` is 22, 3, 1.
fn numbers(text: &str) -> Vec<u32> {
    let start = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let end = text[start..].find(|c: char| !c.is_ascii_digit() && c != '.').map_or(text.len(), |end| start + end);
    text[start..end].split('.').map_while(|part| part.parse().ok()).collect()
}

/// Whether a folder holds a package of the npm kind.
pub fn has_package(folder: &Path) -> bool {
    folder.join("package.json").is_file()
}

#[cfg(test)]
mod tests {
    use super::{numbers, tools};

    #[test]
    fn versions_are_read_out_of_what_programs_print() {
        assert_eq!(numbers("v22.3.1"), [22, 3, 1]);
        assert_eq!(numbers("Python 3.12.1"), [3, 12, 1]);
        assert_eq!(numbers("cargo 1.95.0 (f2d3ce0bd 2026-03-21)"), [1, 95, 0]);
        assert_eq!(numbers("unknown"), [0_u32; 0]);
        assert!(numbers("1.100") > numbers("1.88"));
    }

    #[test]
    fn only_what_the_targets_need_is_required() {
        let none = tools(&[]);
        assert!(none.iter().all(|tool| !tool.required && tool.ok));
        let rust = tools(&["rust".to_owned()]);
        assert!(rust.iter().any(|tool| tool.name == "cargo" && tool.required));
        assert!(rust.iter().any(|tool| tool.name == "node" && !tool.required));
    }
}
