//! The driver process: JSON lines to its standard input, JSON lines from its standard output into the queue of events.
//!
//! One process runs all scenarios. What the lines mean is in `tests/contract/README.md`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::event::Event;

/// How long, in real time, nothing may happen before a run is given up.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running driver.
#[derive(Debug)]
pub struct Driver {
    child: Child,
    stdin: Option<ChildStdin>,
    pub events: Receiver<Event>,
    pub sender: Sender<Event>,
    /// What the driver can do beyond calls and previews.
    pub features: Vec<String>,
}

impl Driver {
    /// Starts a driver and hears who it is.
    pub fn start(mut command: Command) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("starting the driver: {error}"))?;
        let stdout = child.stdout.take().ok_or("the driver's standard output is piped")?;
        let stdin = child.stdin.take();
        let (sender, events) = channel();
        let lines = sender.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                let event = match serde_json::from_str(&line) {
                    Ok(said) => Event::Said(said),
                    Err(error) => Event::Silent(format!("the driver said `{line}`: {error}")),
                };
                if lines.send(event).is_err() {
                    return;
                }
            }
            let _ = lines.send(Event::Silent("the driver ended".to_owned()));
        });
        let mut driver = Self { child, stdin, events, sender, features: Vec::new() };
        let hello = match driver.next()? {
            Event::Said(said) if said["say"] == "hello" => said,
            other => return Err(format!("the driver did not say hello: {other:?}")),
        };
        let features = hello["features"].as_array().into_iter().flatten();
        driver.features = features.filter_map(Value::as_str).map(str::to_owned).collect();
        Ok(driver)
    }

    /// The next event; an error when nothing happens.
    pub fn next(&self) -> Result<Event, String> {
        match self.events.recv_timeout(PATIENCE) {
            Ok(Event::Silent(why)) => Err(why),
            Ok(event) => Ok(event),
            Err(_) => Err(format!("nothing happened for {} s", PATIENCE.as_secs())),
        }
    }

    /// Tells the driver something.
    pub fn tell(&mut self, line: &Value) -> Result<(), String> {
        let stdin = self.stdin.as_mut().ok_or("the driver was stopped")?;
        let text = format!("{line}\n");
        stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .map_err(|error| format!("the driver ended: {error}"))
    }

    /// Forgets what a scenario left behind, on both sides.
    pub fn reset(&mut self) -> Result<(), String> {
        self.tell(&json!({ "do": "reset" }))?;
        loop {
            if matches!(self.next()?, Event::Said(said) if said["say"] == "reset") {
                return Ok(());
            }
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The end of its input ends it; one that hangs is ended.
        drop(self.stdin.take());
        for _ in 0..100 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::yield_now();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
