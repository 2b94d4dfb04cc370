//! Which fields of a call's body and of its answer the description marks as secret (`x-agent-sensitive`).
//!
//! Reads fields and types; writes dotted wire names, which runtimes keep out of logs and diagnostics. Lists are no
//! steps of a path. Where a path cannot say it, what holds the secret is secret as a whole: the values of maps, a
//! record that stands inside itself, and everything below the top where there are too many paths.

use base::{Column, Id, Sym, Table};
use tungsten_ir::{Additional, Ir, ResponseKind, Shape, TypeId};

use super::{Call, CallId};

/// Dotted wire names, each once.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Secrets {
    /// Fields of the request's body.
    pub request: Vec<String>,
    /// Fields of successful answers.
    pub response: Vec<String>,
}

/// Of more paths only the first steps are kept.
const MAX_PATHS: usize = 200;

/// The secrets of each call that has some.
pub(super) fn secrets(ir: &Ir, calls: &Table<CallId, Call>) -> Column<CallId, Secrets> {
    let mut found = Column::default();
    if !ir.types.fields.rows().iter().any(|field| field.sensitive) {
        return found;
    }
    let leads = leading(ir);
    for (id, call) in calls.iter() {
        let body = call.body.iter().map(|body| ir.ops.contents[body.content].ty);
        let responses = ir.ops.responses.slice(ir.ops.rows[call.op].responses).iter();
        let answers = responses
            .filter(|response| response.kind == ResponseKind::Success)
            .flat_map(|response| ir.ops.contents.slice(response.contents).iter().map(|content| content.ty));
        let secrets = Secrets { request: paths(ir, &leads, body), response: paths(ir, &leads, answers) };
        if secrets != Secrets::default() {
            found.set(id, secrets);
        }
    }
    found
}

/// By type: whether a secret field lies in it.
fn leading(ir: &Ir) -> Vec<bool> {
    let types = &ir.types;
    let mut parents: Vec<Vec<TypeId>> = vec![Vec::new(); types.rows.len()];
    let mut parts = Vec::new();
    let mut leads = vec![false; types.rows.len()];
    let mut pending = Vec::new();
    for id in types.rows.ids() {
        types.parts(id, &mut parts);
        for part in parts.drain(..) {
            parents[part.index()].push(id);
        }
        if let Shape::Record { fields, .. } = types.rows[id].shape
            && types.fields.slice(fields).iter().any(|field| field.sensitive)
        {
            pending.push(id);
        }
    }
    while let Some(id) = pending.pop() {
        if !std::mem::replace(&mut leads[id.index()], true) {
            pending.extend(&parents[id.index()]);
        }
    }
    leads
}

/// A type on the way to secrets.
struct Visit {
    ty: TypeId,
    path: Vec<Sym>,
    /// Types that the way led through.
    trail: Vec<TypeId>,
}

fn paths(ir: &Ir, leads: &[bool], roots: impl Iterator<Item = TypeId>) -> Vec<String> {
    let mut found: Vec<Vec<Sym>> = Vec::new();
    let mut pending: Vec<Visit> = Vec::new();
    for ty in roots.filter(|ty| leads[ty.index()]) {
        pending.push(Visit { ty, path: Vec::new(), trail: Vec::new() });
    }
    pending.reverse();
    while let Some(visit) = pending.pop() {
        step(ir, leads, visit, &mut pending, &mut found);
        if found.len() > MAX_PATHS {
            return tops(ir, leads, found, pending);
        }
    }
    dotted(ir, found)
}

fn step(ir: &Ir, leads: &[bool], visit: Visit, pending: &mut Vec<Visit>, found: &mut Vec<Vec<Sym>>) {
    let types = &ir.types;
    let Visit { ty, path, mut trail } = visit;
    if trail.contains(&ty) {
        found.push(path);
        return;
    }
    trail.push(ty);
    let mut next: Vec<Visit> = Vec::new();
    match types.rows[ty].shape {
        Shape::Map { .. } => found.push(path),
        Shape::Record { fields, additional } => {
            for field in types.fields.slice(fields) {
                let path = path.iter().copied().chain([field.name]).collect();
                if field.sensitive {
                    found.push(path);
                } else if leads[field.ty.index()] {
                    next.push(Visit { ty: field.ty, path, trail: trail.clone() });
                }
            }
            if matches!(additional, Additional::Typed(ty) if leads[ty.index()]) {
                found.push(path);
            }
        }
        _ => {
            let mut parts = Vec::new();
            types.parts(ty, &mut parts);
            let leading = parts.into_iter().filter(|part| leads[part.index()]);
            next.extend(leading.map(|ty| Visit { ty, path: path.clone(), trail: trail.clone() }));
        }
    }
    pending.extend(next.into_iter().rev());
}

/// The first steps of too many paths, those still to be walked among them.
fn tops(ir: &Ir, leads: &[bool], found: Vec<Vec<Sym>>, pending: Vec<Visit>) -> Vec<String> {
    let mut tops: Vec<Vec<Sym>> = found.into_iter().map(|path| path.into_iter().take(1).collect()).collect();
    let mut seen = vec![false; ir.types.rows.len()];
    let mut at_top: Vec<TypeId> = Vec::new();
    for visit in pending {
        match visit.path.first() {
            Some(first) => tops.push(vec![*first]),
            None => at_top.push(visit.ty),
        }
    }
    while let Some(ty) = at_top.pop() {
        if std::mem::replace(&mut seen[ty.index()], true) {
            continue;
        }
        if let Shape::Record { fields, .. } = ir.types.rows[ty].shape {
            let fields = ir.types.fields.slice(fields).iter();
            tops.extend(
                fields.filter(|field| field.sensitive || leads[field.ty.index()]).map(|field| vec![field.name]),
            );
        } else {
            ir.types.parts(ty, &mut at_top);
        }
    }
    dotted(ir, tops)
}

/// Paths as text, each once. The whole value has no path.
fn dotted(ir: &Ir, paths: Vec<Vec<Sym>>) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for path in paths.into_iter().filter(|path| !path.is_empty()) {
        let names: Vec<_> = path.iter().map(|name| ir.name(*name)).collect();
        let text = join(&names);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

#[expect(clippy::disallowed_methods, reason = "the path is escaped as a whole where it is written")]
fn join(names: &[base::SpecText<'_>]) -> String {
    names.iter().map(|name| name.untrusted()).collect::<Vec<_>>().join(".")
}
