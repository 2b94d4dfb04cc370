//! One scenario from its first call to the last comparison: owns the virtual clock and decides when time passes.
//!
//! Time passes only when nothing else can: when as many calls are held up (by a pause, or by a server that waits) as are
//! running. Then the clock jumps to the earliest of pauses, time limits, servers' delays and cancellations.

use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpListener};
use std::sync::mpsc::Sender;

use serde_json::{Value, json};

use crate::compare::Comparison;
use crate::driver::Driver;
use crate::event::{Event, Go};
use crate::expect;
use crate::fill::{at, fill};
use crate::http::Arrived;
use crate::scenario::{Cancel, Scenario, Step};
use crate::server::Server;

/// What came of a scenario.
#[derive(Debug)]
pub struct Ran {
    /// What differed from what it says.
    pub differences: Vec<String>,
    /// Whether calls may still be running in the driver: it is of no further use.
    pub is_broken: bool,
}

/// Runs a scenario, given as the value that it was read from.
pub fn run(driver: &mut Driver, raw: &Value) -> Result<Ran, String> {
    let unfilled: Scenario = serde_json::from_value(raw.clone()).map_err(|error| error.to_string())?;
    let world = |error: std::io::Error| format!("the scripted server: {error}");
    let listen = || TcpListener::bind(("127.0.0.1", 0));
    let names = std::iter::once("main").chain(unfilled.servers.keys().map(String::as_str));
    let mut listeners = BTreeMap::new();
    for name in names {
        listeners.insert(name.to_owned(), listen().map_err(world)?);
    }
    let mut origins = BTreeMap::new();
    for (name, listener) in &listeners {
        origins.insert(name.clone(), origin(listener.local_addr().map_err(world)?));
    }
    // A port that was just free is closed now.
    let closed = origin(listen().and_then(|listener| listener.local_addr()).map_err(world)?);
    let places = |name: &str| {
        let (what, server) = name.split_once('.').unwrap_or((name, "main"));
        match what {
            "closed" => Some(closed.clone()),
            "origin" => origins.get(server).cloned(),
            "authority" => Some(origins.get(server)?.replace("http://", "")),
            _ => None,
        }
    };
    let filled = fill(raw, &|name| places(name).map(Value::String));
    let scenario: Scenario = serde_json::from_value(filled).map_err(|error| error.to_string())?;
    let mut servers = Vec::new();
    for (name, listener) in listeners {
        let script = if name == "main" { Some(&scenario.server) } else { scenario.servers.get(&name) };
        let script = script.cloned().unwrap_or_default();
        servers.push((name.clone(), Server::start(&name, listener, script, driver.sender.clone()).map_err(world)?));
    }
    let mut run = Run::new(driver, &scenario, origins["main"].clone());
    let outcome = run.all();
    let is_broken = outcome.is_err();
    let mut differences = run.finish(outcome);
    for (name, server) in &servers {
        if server.n_left() > 0 {
            differences.push(format!("server {name}: {} answers were not asked for", server.n_left()));
        }
    }
    drop(servers);
    if !is_broken {
        driver.reset()?;
    }
    Ok(Ran { differences, is_broken })
}

fn origin(address: SocketAddr) -> String {
    format!("http://{address}")
}

/// A sleep of the driver.
struct Sleep {
    deadline: u64,
    is_limit: bool,
}

/// A connection that waits.
struct Stalled {
    deadline: Option<u64>,
    go: Sender<Go>,
}

/// A call that has not ended.
struct Running {
    cancel: Option<Cancel>,
    started: u64,
    is_cancelled: bool,
}

struct Run<'a> {
    driver: &'a mut Driver,
    scenario: &'a Scenario,
    base_url: String,
    now: u64,
    sleeps: BTreeMap<u64, Sleep>,
    stalled: BTreeMap<usize, Stalled>,
    /// Waiting connections that the client is about to close.
    n_leaving: usize,
    running: BTreeMap<usize, Running>,
    /// By the number of the call.
    results: Vec<Value>,
    items: Vec<Vec<Value>>,
    seen: expect::Seen,
    n_syncs: u64,
    comparison: Comparison,
}

impl<'a> Run<'a> {
    fn new(driver: &'a mut Driver, scenario: &'a Scenario, base_url: String) -> Self {
        Self {
            driver,
            scenario,
            base_url,
            now: scenario.clock,
            sleeps: BTreeMap::new(),
            stalled: BTreeMap::new(),
            n_leaving: 0,
            running: BTreeMap::new(),
            results: Vec::new(),
            items: Vec::new(),
            seen: expect::Seen::default(),
            n_syncs: 0,
            comparison: Comparison::default(),
        }
    }

    fn all(&mut self) -> Result<(), String> {
        let random = serde_json::to_value(self.scenario.random).map_err(|error| error.to_string())?;
        self.tell(json!({ "do": "begin", "random": random }))?;
        let main = ("main".to_owned(), self.scenario.client.clone());
        let others = self.scenario.clients.clone();
        for (name, client) in std::iter::once(main).chain(others) {
            let mut options = serde_json::to_value(client).map_err(|error| error.to_string())?;
            if options["base_url"].is_null() {
                options["base_url"] = json!(self.base_url);
            }
            self.tell(json!({ "do": "open", "client": name, "options": options }))?;
        }
        for step in &self.scenario.calls {
            self.step(step)?;
        }
        // What hooks have to say about the last call may come behind its result.
        self.sync()
    }

    fn step(&mut self, step: &Step) -> Result<(), String> {
        if let Some(ms) = step.advance_ms {
            self.now += ms;
            return self.tell(json!({ "do": "advance" }));
        }
        let steps = step.together.as_deref().unwrap_or(std::slice::from_ref(step));
        let first = self.results.len();
        for step in steps {
            self.start(step)?;
        }
        self.until_done()?;
        for (index, step) in steps.iter().enumerate() {
            let call = first + index;
            let place = format!("call {call}");
            let expected = step.expect.clone().unwrap_or_default();
            let result = expect::Got { result: &self.results[call], items: &self.items[call] };
            expect::result(&mut self.comparison, &place, &expected, &result);
        }
        Ok(())
    }

    fn start(&mut self, step: &Step) -> Result<(), String> {
        let (kind, operation) = step.asked().ok_or("a step that is no call was started")?;
        let results = Value::Array(self.results.clone());
        let known = |name: &str| at(&results, name.strip_prefix("result.")?);
        let args = step.args.as_ref().map(|args| fill(args, &known));
        let options = serde_json::to_value(&step.options).map_err(|error| error.to_string())?;
        let call = self.results.len();
        self.results.push(Value::Null);
        self.items.push(Vec::new());
        let is_cancelled = step.cancel == Some(Cancel::Before);
        self.running.insert(call, Running { cancel: step.cancel, started: self.now, is_cancelled });
        self.tell(json!({
            "do": "start",
            "call": call,
            "client": step.client,
            "kind": kind,
            "operation": operation,
            "args": args,
            "options": fill(&options, &known),
            "cancellable": step.cancel.is_some(),
            "cancelled": is_cancelled,
        }))
    }

    /// Lets things happen until no call is running.
    fn until_done(&mut self) -> Result<(), String> {
        while !self.running.is_empty() {
            if !self.is_held_up() {
                let event = self.driver.next().map_err(|why| format!("{why}; {}", self.state()))?;
                self.take(event)?;
                continue;
            }
            // What the driver does at this moment may change what comes first.
            self.sync()?;
            if self.is_held_up() {
                self.pass_time()?;
            }
        }
        Ok(())
    }

    fn is_held_up(&self) -> bool {
        let n_pauses = self.sleeps.values().filter(|sleep| !sleep.is_limit).count();
        !self.running.is_empty() && self.n_leaving == 0 && n_pauses + self.stalled.len() >= self.running.len()
    }

    fn state(&self) -> String {
        let limits = self.sleeps.values().filter(|sleep| sleep.is_limit).count();
        format!(
            "{} calls running, {} pauses, {limits} time limits, {} connections waiting, {} to be closed by the client",
            self.running.len(),
            self.sleeps.len() - limits,
            self.stalled.len(),
            self.n_leaving
        )
    }

    /// Jumps to whatever comes first.
    fn pass_time(&mut self) -> Result<(), String> {
        let sleep = self.sleeps.iter().map(|(id, sleep)| (sleep.deadline, *id)).min();
        let delay = self.stalled.iter().filter_map(|(id, one)| one.deadline.map(|deadline| (deadline, *id))).min();
        let cancel = self.running.iter().filter_map(|(id, running)| match running.cancel {
            Some(Cancel::AfterMs(ms)) if !running.is_cancelled => Some((running.started + ms, *id)),
            _ => None,
        });
        let cancel = cancel.min();
        let earliest = [sleep.map(|(at, _)| at), delay.map(|(at, _)| at), cancel.map(|(at, _)| at)];
        let Some(now) = earliest.into_iter().flatten().min() else {
            return Err(format!("nothing can happen any more: {}", self.state()));
        };
        self.now = self.now.max(now);
        // At the same moment servers come first, then cancellations: a limit is passed only when it is passed.
        if let Some((_, id)) = delay.filter(|(at, _)| *at == now) {
            if let Some(stalled) = self.stalled.remove(&id) {
                let _ = stalled.go.send(Go::On);
            }
            return self.tell(json!({ "do": "advance" }));
        }
        if let Some((_, call)) = cancel.filter(|(at, _)| *at == now) {
            return self.cancel(call);
        }
        let Some((_, id)) = sleep else { return Ok(()) };
        let is_limit = self.sleeps.remove(&id).is_some_and(|sleep| sleep.is_limit);
        if is_limit && !self.stalled.is_empty() {
            self.n_leaving += 1;
        }
        self.tell(json!({ "do": "wake", "sleep": id }))
    }

    fn cancel(&mut self, call: usize) -> Result<(), String> {
        if let Some(running) = self.running.get_mut(&call) {
            running.is_cancelled = true;
        }
        if !self.stalled.is_empty() {
            self.n_leaving += 1;
        }
        self.tell(json!({ "do": "cancel", "call": call }))
    }

    fn sync(&mut self) -> Result<(), String> {
        self.n_syncs += 1;
        let id = self.n_syncs;
        self.tell(json!({ "do": "sync", "id": id }))?;
        loop {
            let event = self.driver.next()?;
            if let Event::Said(said) = &event
                && said["say"] == "synced"
                && said["id"] == id
            {
                return Ok(());
            }
            self.take(event)?;
        }
    }

    fn take(&mut self, event: Event) -> Result<(), String> {
        match event {
            Event::Said(said) => self.heard(said),
            Event::Silent(why) => Err(why),
            Event::Arrived { request, expected } => self.arrived(request, expected),
            Event::Stalled { connection, ms, go } => {
                let deadline = ms.map(|ms| self.now + ms);
                self.stalled.insert(connection, Stalled { deadline, go });
                Ok(())
            }
            Event::Gone { connection } => {
                if self.stalled.remove(&connection).is_some() {
                    self.n_leaving = self.n_leaving.saturating_sub(1);
                }
                Ok(())
            }
        }
    }

    fn arrived(&mut self, request: Arrived, expected: bool) -> Result<(), String> {
        if !expected {
            let what = format!("{} {}", request.method, request.target);
            self.comparison.differs(&format!("server {}", request.server), "no further request", &what);
        }
        self.seen.requests.push(request);
        let n = self.seen.requests.len();
        let due = self.running.iter().find(|(_, running)| running.cancel == Some(Cancel::OnRequest(n)));
        due.map(|(call, _)| *call).map_or(Ok(()), |call| self.cancel(call))
    }

    fn heard(&mut self, said: Value) -> Result<(), String> {
        let number = |key: &str| said[key].as_u64();
        match said["say"].as_str().unwrap_or_default() {
            "sleep" => {
                let (Some(id), Some(ms)) = (number("sleep"), number("ms")) else {
                    return Err(format!("a sleep that is no whole number of milliseconds: {said}"));
                };
                let is_limit = said["role"] == "limit";
                if is_limit { &mut self.seen.limits } else { &mut self.seen.waits }.push(ms);
                self.sleeps.insert(id, Sleep { deadline: self.now.saturating_add(ms), is_limit });
            }
            "unsleep" => {
                number("sleep").and_then(|id| self.sleeps.remove(&id));
            }
            "hook" => self.seen.hooks.push(said),
            "store" => self.seen.store.push(said["asked"].clone()),
            "item" => {
                let call = number("call").unwrap_or_default() as usize;
                let items = self.items.get_mut(call).ok_or("an item of a call that was not started")?;
                items.push(said["item"].clone());
                let n = items.len();
                if self.running.get(&call).is_some_and(|running| running.cancel == Some(Cancel::OnItem(n))) {
                    return self.cancel(call);
                }
            }
            "result" => {
                let call = number("call").unwrap_or_default() as usize;
                self.running.remove(&call).ok_or_else(|| format!("a result of no running call: {said}"))?;
                self.results[call] = said["result"].clone();
            }
            "fault" => return Err(format!("the driver: {}", said["text"].as_str().unwrap_or_default())),
            _ => return Err(format!("the driver said what it should not: {said}")),
        }
        Ok(())
    }

    fn tell(&mut self, mut line: Value) -> Result<(), String> {
        line["now"] = json!(self.now);
        self.driver.tell(&line)
    }

    /// Compares what is left to compare; all differences.
    fn finish(mut self, outcome: Result<(), String>) -> Vec<String> {
        match outcome {
            Ok(()) => {
                let shown = [self.results.as_slice(), &self.items.concat(), &self.seen.hooks].concat();
                expect::whole(&mut self.comparison, self.scenario, &self.seen, &shown);
            }
            Err(why) => self.comparison.differences.push(why),
        }
        self.comparison.differences
    }
}
