//! A driver without a runtime, for the tests of the harness: operations tell it what to do.
//!
//! `get:/path` sends a request and returns the status; `pause:ms` and `limit:ms` sleep first; `say:{json}` says a line;
//! `value:{json}` returns a value; `die` ends. Words are joined with `;` and done in order.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

fn main() {
    say(&json!({ "say": "hello", "target": "fake", "features": [] }));
    let sleepers: Sleepers = Sleepers::default();
    let mut base = String::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Ok(command) = serde_json::from_str::<Value>(&line) else { continue };
        match command["do"].as_str().unwrap_or_default() {
            "open" => base = text(&command["options"]["base_url"]),
            "sync" => say(&json!({ "say": "synced", "id": command["id"] })),
            "reset" => say(&json!({ "say": "reset" })),
            "wake" => {
                let id = command["sleep"].as_u64().unwrap_or_default();
                if let Some(sleeper) = sleepers.lock().ok().and_then(|mut sleepers| sleepers.remove(&id)) {
                    let _ = sleeper.send(());
                }
            }
            "start" => {
                let (base, sleepers) = (base.clone(), Sleepers::clone(&sleepers));
                std::thread::spawn(move || start(&command, &base, &sleepers));
            }
            _ => {}
        }
    }
}

/// Calls that sleep, by the number of the sleep.
type Sleepers = Arc<Mutex<BTreeMap<u64, Sender<()>>>>;

fn start(command: &Value, base: &str, sleepers: &Sleepers) {
    let mut value = json!(null);
    let operation = text(&command["operation"]);
    for (id, word) in (0..).zip(operation.split(';')) {
        let (verb, rest) = word.split_once(':').unwrap_or((word, ""));
        match verb {
            "get" => value = json!(get(base, rest)),
            "pause" | "limit" => {
                let (wake, woken) = channel();
                sleepers.lock().expect("no thread panics").insert(id, wake);
                say(&json!({ "say": "sleep", "sleep": id, "ms": rest.parse::<u64>().ok(), "role": verb }));
                let _ = woken.recv();
            }
            "say" => say(&serde_json::from_str(rest).expect("a line of JSON")),
            "value" => value = serde_json::from_str(rest).expect("JSON"),
            "die" => std::process::exit(1),
            _ => {}
        }
    }
    let meta = json!({ "status": 200, "headers": {}, "request_id": null, "attempts": 1 });
    say(&json!({ "say": "result", "call": command["call"], "result": { "ok": true, "value": value, "meta": meta } }));
}

/// The status of a request; 0 when the answer did not come.
fn get(base: &str, path: &str) -> u16 {
    let address = base.trim_start_matches("http://");
    let answer = TcpStream::connect(address).and_then(|mut stream| {
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n")?;
        let mut line = Vec::new();
        BufReader::new(stream).read_to_end(&mut line)?;
        Ok(String::from_utf8_lossy(&line).into_owned())
    });
    let status = answer.ok().and_then(|text| text.split(' ').nth(1).and_then(|word| word.parse().ok()));
    status.unwrap_or(0)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn say(line: &Value) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
