//! The `x-agent-*` extensions of operations: each is a key of `tools`, written where the operation is described.
//!
//! Reads one extension's value; writes one key of a [`Tool`] and diagnostics (TG0611). Which operations there are, and
//! extensions that are none of these, are left to the compiler.

use base::{Code, Diags, Place};
use base_doc::Value;

use crate::agent_yml::{Confirmation, Idempotency, Preview, Tool, Verify, check_remediation, check_verify};
use crate::forms::{ClusterName, OperationRef, Tier};
use crate::keys::Key;
use crate::reader::{Cx, Map};

/// The extensions that operations may have; each is a key of `tools` behind `x-agent-`.
pub const EXTENSIONS: [&str; 7] = [
    "x-agent-safety",
    "x-agent-idempotency",
    "x-agent-preview",
    "x-agent-confirmation",
    "x-agent-remediation",
    "x-agent-verify",
    "x-agent-cluster",
];

impl Tool {
    /// An entry that says nothing yet about an operation.
    pub fn about(operation: &str, place: Place) -> Self {
        Self {
            operation: OperationRef::new(operation, place.clone()),
            safety: None,
            idempotency: None,
            preview: None,
            confirmation: None,
            verify: None,
            remediation: Map::default(),
            remediation_note: None,
            response: None,
            gate: None,
            cluster: None,
            hidden: false,
            server_rules: Vec::new(),
            place,
        }
    }
}

/// Reads an extension of the operation at `pointer` into its key of `tool`, and reports all that is wrong with it; then
/// the key stays as it was. False when the name is none of [`EXTENSIONS`].
pub fn read_extension(tool: &mut Tool, value: Value<'_>, pointer: &str, diags: &mut Diags) -> bool {
    let name = value.key_text().unwrap_or_default();
    let mut found = Diags::new();
    let mut cx = Cx::at(&mut found, Code::TG0611, pointer.to_owned());
    let mut read = tool.clone();
    let is_known = cx.inside(name, |cx| {
        match name {
            "x-agent-safety" => read.safety = Tier::read(value, cx),
            "x-agent-idempotency" => read.idempotency = Idempotency::read(value, cx),
            "x-agent-preview" => read.preview = Preview::read(value, cx),
            "x-agent-confirmation" => read.confirmation = Confirmation::read(value, cx),
            "x-agent-remediation" => {
                read.remediation = Map::read(value, cx).unwrap_or_default();
                check_remediation(&read.remediation, cx);
            }
            "x-agent-verify" => {
                read.verify = Verify::read(value, cx);
                check_verify(&read.verify, cx);
            }
            "x-agent-cluster" => read.cluster = ClusterName::read(value, cx),
            _ => return false,
        }
        true
    });
    if found.is_empty() {
        *tool = read;
    }
    diags.append(found);
    is_known
}
