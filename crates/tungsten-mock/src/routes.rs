//! Which operation a request is for.
//!
//! Reads path templates, query constants (TG0111) and server URLs; the path of a server URL is taken as a prefix, and
//! the bare path as well. Among the templates that fit, the one with the most literal segments wins.

use tungsten_ir::{Ir, Method, Op, OpId, OpKind, OpStatus, Piece, Segment};

use crate::text::percent_decode;

/// All routes of an API.
pub(crate) struct Routes {
    /// Paths of server URLs, without a trailing slash; the empty one first.
    bases: Vec<String>,
    rows: Vec<Route>,
    /// By number of segments: indices into `rows`, the best first.
    by_length: Vec<Vec<usize>>,
}

struct Route {
    op: OpId,
    method: Method,
    bases: Vec<usize>,
    n_literals: usize,
    /// Literal bytes of segments that mix text and placeholders.
    n_mixed: usize,
}

/// What a request is for.
#[derive(Debug)]
pub(crate) enum Found {
    Op(Matched),
    /// The methods that the path has, sorted.
    OtherMethods(Vec<String>),
    /// The body names no method of the envelope.
    NoMethod(String),
    Nothing,
}

/// An operation and the texts of its placeholders, still percent-encoded, by name.
#[derive(Debug)]
pub(crate) struct Matched {
    pub(crate) op: OpId,
    pub(crate) captures: Vec<(base::Sym, String)>,
    /// Operations that fit as well: templates that differ in names only, or in a fragment of the path's key.
    pub(crate) twins: Vec<Matched>,
}

impl Routes {
    pub(crate) fn new(ir: &Ir) -> Self {
        let mut routes = Self { bases: vec![String::new()], rows: Vec::new(), by_length: Vec::new() };
        for (id, op) in ir.ops.rows.iter() {
            if op.kind == OpKind::Call && op.status == OpStatus::Implemented {
                routes.add(ir, id, op);
            }
        }
        for list in &mut routes.by_length {
            list.sort_by_key(|&index| std::cmp::Reverse(routes.rows[index].n_literals));
        }
        routes
    }

    fn add(&mut self, ir: &Ir, id: OpId, op: &Op) {
        let servers = if op.servers.is_empty() { ir.api.servers } else { op.servers };
        let mut bases = vec![0];
        for server in ir.servers.slice(servers) {
            let base = url_path(ir.names.resolve(server.url));
            let index = self.bases.iter().position(|known| *known == base).unwrap_or_else(|| {
                self.bases.push(base);
                self.bases.len() - 1
            });
            bases.push(index);
        }
        let segments = ir.ops.segments.slice(op.path.segments);
        let n_literals = segments.iter().filter(|segment| matches!(segment, Segment::Literal(_))).count();
        if self.by_length.len() <= segments.len() {
            self.by_length.resize(segments.len() + 1, Vec::new());
        }
        self.by_length[segments.len()].push(self.rows.len());
        let pieces = segments.iter().map(|segment| match *segment {
            Segment::Template(pieces) => ir.ops.pieces.slice(pieces),
            _ => &[],
        });
        let literal = |piece: &Piece| match *piece {
            Piece::Literal(text) => ir.names.resolve(text).len(),
            Piece::Param(_) => 0,
        };
        let n_mixed = pieces.flatten().map(literal).sum();
        self.rows.push(Route { op: id, method: op.method, bases, n_literals, n_mixed });
    }

    /// Finds the operation of a request; `path` and `query` as they were sent.
    pub(crate) fn find(&self, ir: &Ir, method: &str, path: &str, query: &str) -> Found {
        let pairs = query_texts(query);
        let mut best: Option<((usize, usize, usize, bool), Matched)> = None;
        let mut methods: Vec<String> = Vec::new();
        for (index, base) in self.bases.iter().enumerate() {
            let Some(rest) = path.strip_prefix(base.as_str()).filter(|rest| rest.starts_with('/') || rest.is_empty())
            else {
                continue;
            };
            let segments: Vec<&str> = if rest.len() <= 1 { Vec::new() } else { rest[1..].split('/').collect() };
            for &row in self.by_length.get(segments.len()).into_iter().flatten() {
                let route = &self.rows[row];
                if !route.bases.contains(&index) {
                    continue;
                }
                let Some(captures) = captures(ir, route.op, &segments) else { continue };
                let Some(n_constants) = constants(ir, route.op, &pairs) else { continue };
                if route.method.name(&ir.names) != method {
                    methods.push(route.method.name(&ir.names).to_owned());
                    continue;
                }
                let rank = (route.n_literals, n_constants, route.n_mixed, index == 0);
                let matched = Matched { op: route.op, captures, twins: Vec::new() };
                match &mut best {
                    Some((other, first)) if rank == *other => first.twins.push(matched),
                    Some((other, _)) if rank < *other => {}
                    _ => best = Some((rank, matched)),
                }
            }
        }
        methods.sort_unstable();
        methods.dedup();
        match best {
            Some((_, matched)) => Found::Op(matched),
            None if methods.is_empty() => Found::Nothing,
            None => Found::OtherMethods(methods),
        }
    }
}

/// The path of an absolute or relative URL, without a trailing slash.
fn url_path(url: &str) -> String {
    let after_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let has_scheme = after_scheme.len() != url.len();
    let path = if has_scheme { after_scheme.find('/').map_or("", |at| &after_scheme[at..]) } else { url };
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    if path.starts_with('/') { path.to_owned() } else { String::new() }
}

/// The texts of the placeholders when the segments fit the operation's template.
fn captures(ir: &Ir, op: OpId, segments: &[&str]) -> Option<Vec<(base::Sym, String)>> {
    let template = ir.ops.segments.slice(ir.ops.rows[op].path.segments);
    let mut found = Vec::new();
    for (expected, &sent) in template.iter().zip(segments) {
        match *expected {
            Segment::Literal(text) => {
                let text = ir.names.resolve(text);
                if text != sent && percent_decode(sent, false)? != text {
                    return None;
                }
            }
            Segment::Param(_) if sent.is_empty() => return None,
            Segment::Param(name) => found.push((name, sent.to_owned())),
            Segment::Template(pieces) => mixed(ir, ir.ops.pieces.slice(pieces), sent, &mut found)?,
        }
    }
    Some(found)
}

/// A segment of text and placeholders: each placeholder takes as little as it can, the last one what is left.
fn mixed(ir: &Ir, pieces: &[Piece], sent: &str, found: &mut Vec<(base::Sym, String)>) -> Option<()> {
    let mut rest = sent;
    let mut waiting: Option<base::Sym> = None;
    for (index, piece) in pieces.iter().enumerate() {
        match *piece {
            Piece::Param(name) => {
                if let Some(before) = waiting.replace(name) {
                    // Nothing stands between two placeholders: the first takes one character.
                    let first = rest.chars().next()?;
                    found.push((before, first.to_string()));
                    rest = &rest[first.len_utf8()..];
                }
            }
            Piece::Literal(text) => {
                let text = ir.names.resolve(text);
                match waiting.take() {
                    None => rest = rest.strip_prefix(text)?,
                    Some(name) if index + 1 == pieces.len() => {
                        let taken = rest.strip_suffix(text).filter(|taken| !taken.is_empty())?;
                        found.push((name, taken.to_owned()));
                        rest = "";
                    }
                    Some(name) => {
                        let first = rest.chars().next()?.len_utf8();
                        let at = rest[first..].find(text)? + first;
                        found.push((name, rest[..at].to_owned()));
                        rest = &rest[at + text.len()..];
                    }
                }
            }
        }
    }
    match waiting {
        Some(name) if !rest.is_empty() => found.push((name, rest.to_owned())),
        Some(_) => return None,
        None if !rest.is_empty() => return None,
        None => {}
    }
    Some(())
}

/// How many constant pairs the operation's path has, when the request carries them all.
fn constants(ir: &Ir, op: OpId, pairs: &[(String, String)]) -> Option<usize> {
    let constants = ir.ops.query_pairs.slice(ir.ops.rows[op].path.query);
    let is_sent = |pair: &tungsten_ir::QueryPair| {
        let (name, value) = (ir.names.resolve(pair.name), ir.names.resolve(pair.value));
        pairs.iter().any(|(key, text)| key == name && text == value)
    };
    constants.iter().all(is_sent).then_some(constants.len())
}

/// Pairs of a query, those that can be decoded.
pub(crate) fn query_texts(query: &str) -> Vec<(String, String)> {
    let decode = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((percent_decode(name, true)?, percent_decode(value, true)?))
    };
    query.split('&').filter(|pair| !pair.is_empty()).filter_map(decode).collect()
}

/// `ns.local` of an operation.
pub(crate) fn op_name(ir: &Ir, op: OpId) -> &str {
    ir.names.resolve(ir.ops.rows[op].id)
}

#[cfg(test)]
mod tests {
    use super::url_path;

    #[test]
    fn server_urls_have_paths() {
        for (url, expect) in [
            ("https://api.example.com/v1/", "/v1"),
            ("https://api.example.com", ""),
            ("/api/v2", "/api/v2"),
            ("/", ""),
            ("https://h/a/b?x#y", "/a/b"),
            ("{scheme}://h/a", "/a"),
            ("relative/path", ""),
        ] {
            assert_eq!(url_path(url), expect, "{url}");
        }
    }
}
