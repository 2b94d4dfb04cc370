//! Deployment settings that switch operations off.
//!
//! Reads `gates`, the gates that operations name, and those that the description states; writes `gate` of operations
//! and the texts of gates, and findings: TG0608 where they disagree (the description wins), TG0614 for a gate without
//! use.

use std::collections::BTreeMap;

use base::Code;
use base::diag::quoted;
use base::suggest::did_you_mean;
use tungsten_ir::{Gate, GateText};
use tungsten_manifest::{EnvName, Gate as Stated, Map};

use crate::cx::Cx;
use crate::tools::Tools;

pub(crate) fn gates(stated: &Map<EnvName, Stated>, tools: &Tools, cx: &mut Cx<'_>) {
    // The gates that the description states, by variable.
    let mut described: BTreeMap<String, Gate> = BTreeMap::new();
    for id in cx.ir.ops.rows.ids() {
        if let Some(gate) = cx.ir.gate[id] {
            described.entry(cx.ir.names.resolve(gate.env).to_owned()).or_insert(gate);
        }
    }
    let mut used: Vec<String> = described.keys().cloned().collect();
    for (name, gate) in stated.iter() {
        report_status(name, gate, &described, cx);
    }
    for (op, tool) in tools.iter() {
        let Some(name) = &tool.gate else { continue };
        if let Some(own) = cx.ir.gate[op] {
            let own = cx.ir.names.resolve(own.env);
            if own != &**name {
                let message =
                    format!("the description gates {} by {}, not by {}", cx.op_name(op), quoted(own), quoted(name));
                let help = format!("name {}, which is what holds", quoted(own));
                cx.report(Code::TG0608, &name.place, message).help = Some(help);
            }
            continue;
        }
        let gate = match (described.get(&**name), stated.get(name)) {
            (Some(gate), _) => *gate,
            (None, Some(gate)) => Gate {
                env: cx.sym(name),
                default_on: gate.default_on,
                disabled_status: gate.disabled_status.as_ref().map_or(Gate::DISABLED_STATUS, |status| status.0 as u16),
            },
            (None, None) => {
                let message = format!("{} is no gate; {} has none", quoted(name), cx.op_name(op));
                let names = stated.iter().map(|(name, _)| &**name).chain(described.keys().map(String::as_str));
                let help = did_you_mean(name, names).unwrap_or_else(|| format!("declare `{}` under `gates`", &**name));
                cx.report(Code::TG0608, &name.place, message).help = Some(help);
                continue;
            }
        };
        cx.ir.gate.set(op, Some(gate));
        used.push(name.to_string());
    }
    for (name, gate) in stated.iter() {
        if !used.iter().any(|used| used == &**name) {
            let message = format!("no operation is gated by {}", quoted(name));
            let help = "add it as `gate` to the entries of the operations that it switches off, or remove it";
            cx.report(Code::TG0614, &name.place, message).help = Some(help.to_owned());
        }
        let row = GateText { env: cx.sym(name), text: cx.text(&gate.text) };
        cx.ir.agent.gates.push(row);
    }
}

fn report_status(name: &EnvName, gate: &Stated, described: &BTreeMap<String, Gate>, cx: &mut Cx<'_>) {
    let (Some(status), Some(described)) = (&gate.disabled_status, described.get(&**name)) else { return };
    if status.0 != u64::from(described.disabled_status) {
        let message = format!(
            "{} answers {} while it is off, as the description states, not {}",
            quoted(name),
            described.disabled_status,
            status.0
        );
        let help = "leave `disabled_status` out, or correct the description".to_owned();
        cx.report(Code::TG0608, &name.place, message).help = Some(help);
    }
}
