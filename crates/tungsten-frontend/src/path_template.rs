//! Path templates: a key of `paths` as segments, placeholders and the query pairs that some authors put there.
//!
//! Reads the key; writes segments, pieces and query pairs. What the placeholders mean is up to the parameters.

use base::{Code, Span, Sym, limits};
use base_doc::Value;
use percent_encoding::percent_decode_str;
use smallvec::SmallVec;
use tungsten_ir::{Path, Piece, QueryPair, QueryPairId, Segment, SegmentId};

use crate::lookup::Set;
use crate::lower::Lowering;

/// A key of `paths`, read.
pub(crate) struct Template {
    pub(crate) path: Path,
    /// Names of the placeholders, each once, in order.
    pub(crate) params: Vec<Sym>,
}

/// Reads the key `text`, which stands at `item`. Nothing when the path is beyond a budget, which was reported.
pub(crate) fn template<'a>(lower: &mut Lowering<'a>, item: Value<'a>, text: &str) -> Option<Template> {
    let (before_fragment, fragment) = split_outside_braces(text, '#');
    let (written, query) = split_outside_braces(before_fragment, '?');
    let mut raw = written.to_owned();
    if fragment.is_some() {
        lower.report(Code::TG0508, item, "the path's key carries a fragment, which is never sent; it is left out");
    }
    if !raw.starts_with('/') {
        lower.report(Code::TG0508, item, "the path does not start with `/`; one is put before it");
        raw.insert(0, '/');
    }
    let parts: Vec<&str> = if raw == "/" { Vec::new() } else { split_segments(&raw[1..]) };
    if parts.len() > limits::DEPTH {
        let message = format!("the path has more than {} segments", limits::DEPTH);
        lower.report(Code::TG0105, item, message);
        return None;
    }
    let mut params = Params { names: Vec::new(), seen: Set::default(), repeated: None };
    let mut kept = String::with_capacity(raw.len());
    let mut segments = Vec::with_capacity(parts.len());
    for part in parts {
        let pieces = pieces(lower, item, part);
        kept.push('/');
        write_pieces(lower, &pieces, &mut kept);
        segments.push(segment(lower, pieces, &mut params));
    }
    if let Some(name) = params.repeated {
        let name = base::diag::quoted(lower.ir.names.resolve(name));
        let message = format!("the placeholder {name} stands in the path more than once; it has one value");
        lower.report(Code::TG0110, item, message);
    }
    let segments: Span<SegmentId> = lower.ir.ops.segments.extend(segments);
    let query = query.map_or(Span::EMPTY, |query| query_pairs(lower, item, query));
    let raw = lower.name(if kept.is_empty() { "/" } else { &kept });
    Some(Template { path: Path { raw, segments, query }, params: params.names })
}

struct Params {
    names: Vec<Sym>,
    seen: Set<Sym>,
    /// The first placeholder that stands in the path again.
    repeated: Option<Sym>,
}

/// Splits at the first `mark` that is in no placeholder.
fn split_outside_braces(text: &str, mark: char) -> (&str, Option<&str>) {
    if !text.contains(mark) {
        return (text, None);
    }
    let mut depth = 0_usize;
    for (index, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if c == mark && depth == 0 => return (&text[..index], Some(&text[index + mark.len_utf8()..])),
            _ => {}
        }
    }
    (text, None)
}

/// Splits at each `/` that is in no placeholder.
fn split_segments(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut is_inside) = (Vec::new(), 0, false);
    let last_close = text.rfind('}').unwrap_or(0);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => is_inside = index < last_close,
            b'}' => is_inside = false,
            b'/' if !is_inside => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn pieces<'a>(lower: &mut Lowering<'a>, item: Value<'a>, part: &str) -> SmallVec<[Piece; 2]> {
    let mut pieces = SmallVec::new();
    if !part.is_empty() && !part.contains(['{', '}']) {
        pieces.push(Piece::Literal(lower.name(part)));
        return pieces;
    }
    let mut literal = String::new();
    let mut rest = part;
    while let Some(open) = rest.find('{') {
        let Some(length) = rest[open..].find('}') else { break };
        literal.push_str(&rest[..open]);
        let name = &rest[open + 1..open + length];
        rest = &rest[open + length + 1..];
        if name.starts_with(['?', '&', '#']) {
            lower.report(
                Code::TG0508,
                item,
                "the path's key expands a query, which is stated by the parameters; left out",
            );
            continue;
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(lower.name(&literal)));
            literal.clear();
        }
        pieces.push(Piece::Param(lower.name(name)));
    }
    if rest.contains(['{', '}']) {
        lower.report(Code::TG0508, item, "a brace of the path is not closed or not opened; it is read as text");
    }
    literal.push_str(rest);
    if !literal.is_empty() {
        pieces.push(Piece::Literal(lower.name(&literal)));
    }
    pieces
}

fn write_pieces(lower: &Lowering<'_>, pieces: &[Piece], out: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Literal(sym) => out.push_str(lower.ir.names.resolve(*sym)),
            Piece::Param(sym) => {
                out.push('{');
                out.push_str(lower.ir.names.resolve(*sym));
                out.push('}');
            }
        }
    }
}

fn segment(lower: &mut Lowering<'_>, pieces: SmallVec<[Piece; 2]>, params: &mut Params) -> Segment {
    for piece in &pieces {
        let Piece::Param(name) = *piece else { continue };
        if params.seen.insert(name) {
            params.names.push(name);
        } else {
            params.repeated.get_or_insert(name);
        }
    }
    match pieces.as_slice() {
        [] => Segment::Literal(lower.name("")),
        [Piece::Literal(text)] => Segment::Literal(*text),
        [Piece::Param(name)] => Segment::Param(*name),
        _ => Segment::Template(lower.ir.ops.pieces.extend(pieces)),
    }
}

fn query_pairs<'a>(lower: &mut Lowering<'a>, item: Value<'a>, query: &str) -> Span<QueryPairId> {
    let mut pairs = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if pair.contains('{') {
            let message =
                format!("the pair {} of the path's key is no constant; it is left out", base::diag::quoted(pair));
            lower.report(Code::TG0508, item, message);
            continue;
        }
        let (name, value) = (form_decoded(name), form_decoded(value));
        pairs.push(QueryPair { name: lower.name(&name), value: lower.name(&value) });
    }
    if !pairs.is_empty() {
        let message = "the path's key carries a query string; its pairs are sent on every call";
        lower.report(Code::TG0111, item, message);
    }
    lower.ir.ops.query_pairs.extend(pairs)
}

/// Text of a query pair without its encoding, so that it is encoded once when it is sent.
fn form_decoded(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::{split_outside_braces, split_segments};

    #[test]
    fn marks_inside_placeholders_do_not_split() {
        assert_eq!(split_outside_braces("/a{?b}?c=1", '?'), ("/a{?b}", Some("c=1")));
        assert_eq!(split_outside_braces("/a", '?'), ("/a", None));
        assert_eq!(split_segments("a/{b/c}/d/"), ["a", "{b/c}", "d", ""]);
        assert_eq!(split_segments("a/{b/c"), ["a", "{b", "c"]);
    }
}
