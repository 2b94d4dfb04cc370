//! What the server remembers: calls, scripted answers, answers by idempotency key. All of it bounded, the oldest goes
//! first.

use std::collections::{BTreeMap, VecDeque};

use base::digest::Digest;
use base_serve::Response;
use serde_json::{Value, json};

use crate::inject::Inject;

/// Bytes of recorded or stored bodies.
const BODY_BYTES: usize = 64 << 20;

/// A call, as `/__tungsten/calls` shows it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) operation: Option<String>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// 0 when the connection was closed without an answer.
    pub(crate) status: u16,
    pub(crate) injected: bool,
}

impl Call {
    pub(crate) fn to_json(&self) -> Value {
        let mut headers = self.headers.clone();
        headers.sort();
        json!({
            "method": self.method,
            "path": self.path,
            "query": self.query,
            "operation": self.operation,
            "headers": headers,
            "body": self.body,
            "response_status": self.status,
            "injected": self.injected,
            "body_text": std::str::from_utf8(&self.body).ok(),
        })
    }
}

/// What a program answers.
#[derive(Clone, Debug)]
pub(crate) enum Scripted {
    Answer { status: u16, body: Option<Value>, headers: Vec<(String, String)>, code: Option<String> },
    Inject(Inject),
}

/// A scripted answer and how often it is still given.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) scripted: Scripted,
    pub(crate) times: u32,
}

/// An answer kept under an idempotency key.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) body: Digest,
    pub(crate) response: Response,
}

/// Everything that is remembered.
#[derive(Debug, Default)]
pub(crate) struct State {
    max_calls: usize,
    max_stored: usize,
    calls: VecDeque<Call>,
    call_bytes: usize,
    /// By operation id.
    programs: BTreeMap<String, VecDeque<Program>>,
    stored: BTreeMap<String, Stored>,
    stored_order: VecDeque<String>,
}

impl State {
    pub(crate) fn new(max_calls: usize, max_stored: usize) -> Self {
        Self { max_calls, max_stored, ..Self::default() }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.max_calls, self.max_stored);
    }

    pub(crate) fn record(&mut self, call: Call) {
        if self.max_calls == 0 {
            return;
        }
        self.call_bytes += call.body.len();
        self.calls.push_back(call);
        while self.calls.len() > self.max_calls || (self.call_bytes > BODY_BYTES && self.calls.len() > 1) {
            if let Some(oldest) = self.calls.pop_front() {
                self.call_bytes -= oldest.body.len();
            }
        }
    }

    pub(crate) fn calls(&self) -> Value {
        self.calls.iter().map(Call::to_json).collect()
    }

    pub(crate) fn n_programs(&self) -> usize {
        self.programs.values().map(VecDeque::len).sum()
    }

    pub(crate) fn queue(&mut self, operation: String, program: Program) {
        self.programs.entry(operation).or_default().push_back(program);
    }

    /// The next scripted answer of an operation, which is used up.
    pub(crate) fn next_program(&mut self, operation: &str) -> Option<Scripted> {
        let queue = self.programs.get_mut(operation)?;
        let front = queue.front_mut()?;
        let scripted = front.scripted.clone();
        front.times -= 1;
        if front.times == 0 {
            queue.pop_front();
        }
        Some(scripted)
    }

    pub(crate) fn stored(&self, key: &str) -> Option<&Stored> {
        self.stored.get(key)
    }

    pub(crate) fn store(&mut self, key: String, stored: Stored) {
        if self.max_stored == 0 {
            return;
        }
        if self.stored.insert(key.clone(), stored).is_none() {
            self.stored_order.push_back(key);
        }
        while self.stored_order.len() > self.max_stored {
            if let Some(oldest) = self.stored_order.pop_front() {
                self.stored.remove(&oldest);
            }
        }
    }
}
