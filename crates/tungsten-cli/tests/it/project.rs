//! A temporary project folder and the binary run in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

pub const SPEC: &str = "\
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
servers: [{ url: https://pets.example.test }]
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: Pets.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } }
components:
  schemas:
    Pet: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }
";

pub const MANIFEST: &str = "\
tungsten: 1
api: { name: pets }
inputs: [{ namespace: pets, spec: openapi.yaml }]
targets: { typescript: { out: generated/typescript } }
";

/// No answer may take longer than this: a hang is a failure.
const LIMIT: Duration = Duration::from_secs(30);

pub struct Project {
    dir: TempDir,
}

pub struct Run {
    pub exit: i32,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

impl Project {
    pub fn empty() -> Self {
        Self { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A folder with a manifest and a description.
    pub fn pets() -> Self {
        let project = Self::empty();
        project.write("openapi.yaml", SPEC).write("tungsten.yml", MANIFEST);
        project
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("creatable");
        std::fs::write(path, bytes).expect("writable");
        self
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).expect("readable")
    }

    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, &[])
    }

    /// Runs with environment variables.
    pub fn run_with(&self, args: &[&str], environment: &[(&str, &str)]) -> Run {
        run_in(self.dir.path(), args, environment)
    }

    /// Runs in a folder of the project.
    pub fn run_in(&self, folder: &str, args: &[&str]) -> Run {
        run_in(&self.path(folder), args, &[])
    }

    /// Runs with `--json` and reads the envelope.
    pub fn json(&self, args: &[&str]) -> (i32, Value) {
        let run = self.run(&[args, &["--json"]].concat());
        let envelope = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout));
        (run.exit, envelope)
    }
}

fn run_in(folder: &Path, args: &[&str], environment: &[(&str, &str)]) -> Run {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_tungsten"))
        .args(args)
        .current_dir(folder)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let watch = child.id();
    let (done, waiting) = std::sync::mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        if waiting.recv_timeout(LIMIT).is_err() {
            let _ = Command::new("kill").args(["-9", &watch.to_string()]).status();
        }
    });
    let stdin = child.stdin.take();
    drop(stdin);
    let output = child.wait_with_output().expect("the binary ends");
    let _ = done.send(());
    watchdog.join().expect("the watchdog ends");
    Run {
        exit: output.status.code().expect("no signal ended the binary"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("output is UTF-8"),
        took: start.elapsed(),
    }
}

/// The workspace's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The codes of the envelope's errors.
pub fn error_codes(envelope: &Value) -> Vec<String> {
    let diagnostics = envelope["diagnostics"].as_array().expect("a list");
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic["severity"] == "error");
    errors.map(|error| error["code"].as_str().expect("a code").to_owned()).collect()
}
