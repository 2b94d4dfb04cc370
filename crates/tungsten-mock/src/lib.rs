//! The API served from the IR on the loopback interface: requests are checked, answers are generated.
//!
//! Reads a frozen [`Ir`] and the documents behind its literals; keeps calls, scripted answers and idempotent answers in
//! memory. The same seed gives the same answers, whatever the order of the requests. Sockets are left to `base-serve`.

mod answer;
mod auth;
mod bodies;
mod check;
mod control;
mod decode;
mod demanded;
mod generate;
mod heights;
mod inject;
mod json;
mod multipart;
mod numbers;
mod params;
mod pattern;
mod refuse;
mod routes;
mod server;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod world;

use std::sync::Arc;

use base_doc::DocSet;
use base_serve::{Handler, Limits, Server};
use tungsten_ir::Ir;

use crate::server::Mock;

/// What can be chosen about a mock server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The same seed gives the same answers.
    pub seed: u64,
    /// Runtime gates that are on, by environment variable.
    pub gates: Vec<String>,
    /// Calls kept for `/__tungsten/calls`; past it the oldest is dropped.
    pub max_recorded_calls: usize,
    /// Answers kept for replays; past it the oldest is dropped.
    pub max_idempotent_responses: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 0, gates: Vec::new(), max_recorded_calls: 10_000, max_idempotent_responses: 10_000 }
    }
}

/// A running mock server. Stops when it is dropped.
#[derive(Debug)]
pub struct MockServer {
    server: Server,
    gates: Vec<String>,
}

impl MockServer {
    /// `http://127.0.0.1:<port>`.
    pub fn base_url(&self) -> String {
        self.server.base_url()
    }

    /// Ends the server; open connections are closed.
    pub fn stop(&mut self) {
        self.server.stop();
    }

    /// The gates of the options, sorted, each once.
    pub fn enabled_gates(&self) -> &[String] {
        &self.gates
    }
}

/// Starts a mock server on 127.0.0.1 (port 0: a free one). `docs` are the documents that `ir` was made from. Fails when
/// the port cannot be bound.
pub fn start(ir: Arc<Ir>, docs: Arc<DocSet>, port: u16, options: Options) -> std::io::Result<MockServer> {
    let mut gates = options.gates.clone();
    gates.sort();
    gates.dedup();
    let mock: Arc<dyn Handler> = Arc::new(Mock::new(ir, docs, &options));
    Ok(MockServer { server: Server::start(port, Limits::default(), mock)?, gates })
}
