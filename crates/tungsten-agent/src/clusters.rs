//! The groups that operations and macros are found in.
//!
//! Reads `disclosure.clusters` and the groups that operations name themselves; writes clusters and the cluster of each
//! operation and macro: the one that it names, else the first whose list covers it. TG0603 and TG0604 for what a list
//! names in vain.

use std::collections::BTreeMap;

use base::Code;
use base::diag::quoted;
use tungsten_ir::{Cluster, ClusterId, MacroId, OpId};
use tungsten_manifest::{Disclosure, Macro, Word};

use crate::cx::Cx;
use crate::names::{is_callable, path_of};
use crate::tools::Tools;

pub(crate) fn clusters(stated: &Disclosure, tools: &Tools, macros: &[Macro], cx: &mut Cx<'_>) {
    let mut by_name: BTreeMap<String, ClusterId> = BTreeMap::new();
    for cluster in &stated.clusters {
        let summary = cx.maybe_text(cluster.summary.as_deref());
        cluster_of(&cluster.name, summary, &mut by_name, cx);
    }
    for (op, tool) in tools.iter() {
        if let Some(name) = &tool.cluster {
            let id = cluster_of(name, None, &mut by_name, cx);
            cx.change(op, |row| row.cluster = Some(id));
        }
    }
    for cluster in &stated.clusters {
        let Some(&id) = by_name.get(&*cluster.name) else { continue };
        for member in &cluster.operations {
            for one in members(member, macros, cx) {
                put(one, id, cx);
            }
        }
    }
}

/// The cluster of a name, which is made when there is none.
fn cluster_of(
    name: &str,
    summary: Option<base::TextId>,
    by_name: &mut BTreeMap<String, ClusterId>,
    cx: &mut Cx<'_>,
) -> ClusterId {
    if let Some(&id) = by_name.get(name) {
        let row = &mut cx.ir.agent.clusters[id];
        row.summary = row.summary.or(summary);
        return id;
    }
    let id = {
        let row = Cluster { name: cx.sym(name), summary };
        cx.ir.agent.clusters.push(row)
    };
    by_name.insert(name.to_owned(), id);
    id
}

#[derive(Clone, Copy)]
enum Member {
    Op(OpId),
    Macro(MacroId),
}

/// Sets the cluster of a member that has none yet.
fn put(member: Member, cluster: ClusterId, cx: &mut Cx<'_>) {
    match member {
        Member::Op(op) => cx.change(op, |row| row.cluster = row.cluster.or(Some(cluster))),
        Member::Macro(id) => {
            let row = &mut cx.ir.agent.macros[id];
            row.cluster = row.cluster.or(Some(cluster));
        }
    }
}

/// What a list's entry stands for: an operation, a macro, or all below a namespace or a resource.
fn members(stated: &Word, macros: &[Macro], cx: &mut Cx<'_>) -> Vec<Member> {
    if let Some(prefix) = stated.strip_suffix(".*") {
        return below(stated, prefix, cx);
    }
    let is_named = |id: &MacroId| cx.ir.names.resolve(cx.ir.agent.macros[*id].id) == &**stated;
    if let Some(id) = cx.ir.agent.macros.ids().find(is_named) {
        return vec![Member::Macro(id)];
    }
    if let Some(op) = cx.names.op(stated) {
        return vec![Member::Op(op)];
    }
    // A macro that was left out has been reported.
    if macros.iter().all(|one| *one.name != **stated) {
        let message = format!("neither an operation nor a macro is {}", quoted(stated));
        let help = cx.names.did_you_mean(stated);
        cx.report(Code::TG0603, &stated.place, message).help = help;
    }
    Vec::new()
}

fn below(stated: &Word, prefix: &str, cx: &mut Cx<'_>) -> Vec<Member> {
    let path = path_of(prefix);
    let ops = cx.ir.ops.rows.ids().filter(|op| is_callable(cx.ir, *op) && cx.names.is_below(*op, &path));
    let mut found: Vec<Member> = ops.map(Member::Op).collect();
    let namespace = |id: &MacroId| cx.ir.namespaces[cx.ir.agent.macros[*id].namespace].name;
    let macros = cx.ir.agent.macros.ids().filter(|id| cx.ir.names.resolve(namespace(id)) == prefix);
    found.extend(macros.map(Member::Macro));
    if found.is_empty() {
        let message = format!("nothing lies below {}", quoted(prefix));
        let help = "write `<namespace>.*` or `<namespace>.<resource>.*`; `tungsten ir dump` shows the resources";
        cx.report(Code::TG0604, &stated.place, message).help = Some(help.to_owned());
    }
    found
}
