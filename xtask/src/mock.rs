//! A running `tungsten mock`, for the demo and the round trips.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::run::TaskResult;

/// Stopped when dropped.
pub struct Mock {
    child: Child,
    pub base_url: String,
}

impl Mock {
    /// Starts the mock server of the project in a folder, on a free port.
    pub fn start(binary: &Path, project: &Path) -> TaskResult<Self> {
        let mut child = Command::new(binary)
            .args(["mock", "--json", "."])
            .current_dir(project)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("starting the mock server: {error}"))?;
        let mut line = String::new();
        let stdout = child.stdout.take().expect("standard output is piped");
        BufReader::new(stdout).read_line(&mut line)?;
        let mut mock = Self { child, base_url: String::new() };
        let envelope: serde_json::Value =
            serde_json::from_str(&line).map_err(|error| format!("the mock said `{line}`: {error}"))?;
        let base_url = envelope["result"]["base_url"].as_str();
        mock.base_url = base_url.ok_or_else(|| format!("the mock did not start: {}", envelope["error"]))?.to_owned();
        Ok(mock)
    }
}

impl Drop for Mock {
    /// Closes its standard input, which ends it, and waits.
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // It may have ended by itself; either way nothing is left running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
