//! What happens during a run, from the driver and from the servers, in one queue. Types only.

use std::sync::mpsc::Sender;

use serde_json::Value;

use crate::http::Arrived;

/// Something that happened.
#[derive(Debug)]
pub enum Event {
    /// A line that the driver said.
    Said(Value),
    /// The driver ended, or said something that is no line of JSON.
    Silent(String),
    Arrived {
        request: Arrived,
        /// Whether the script has an answer for it.
        expected: bool,
    },
    /// A connection waits for the clock; without a time, for its end.
    Stalled { connection: usize, ms: Option<u64>, go: Sender<Go> },
    /// The client closed a connection that waits or waited.
    Gone { connection: usize },
}

/// What a waiting connection is told.
#[derive(Debug)]
pub enum Go {
    On,
    /// The client has gone.
    Gone,
}
