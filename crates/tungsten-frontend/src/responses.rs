//! Responses of operations: statuses, bodies, headers, links, and which of them is a stream.
//!
//! Reads `responses`; writes responses, headers and links. Answers of 2XX are successes; a default is one when nothing
//! else is.

use base::diag::quoted;
use base::{Code, Span, Sym};
use base_doc::{Kind, Value};
use tungsten_ir::{
    Content, ContentId, Doc, Encoding, Header, HeaderId, Link, LinkId, Response, ResponseId, ResponseKind, Shape,
    Status,
};

use crate::bodies::Direction;
use crate::keywords as kw;
use crate::operations::{LinkTarget, Ops, PendingLink};
use crate::servers;

/// A response without its status: what several operations may refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedResponse {
    contents: Span<ContentId>,
    headers: Span<HeaderId>,
    links: Span<LinkId>,
    doc: Doc,
}

impl<'a> Ops<'_, 'a> {
    pub(crate) fn op_responses(&mut self, operation: Value<'a>) -> Span<ResponseId> {
        let Some(responses) = self.member(operation, kw::RESPONSES) else {
            if self.is_v30() && operation.get(kw::RESPONSES).is_none() {
                self.lower.report(Code::TG0508, operation, "the operation states no `responses`").help =
                    Some("state at least the answer of a call that succeeds".to_owned());
            }
            return Span::EMPTY;
        };
        if !self.is_object(responses, "`responses`") {
            return Span::EMPTY;
        }
        let mut found: Vec<(Response, Value<'a>)> = Vec::with_capacity(responses.n_children());
        for member in responses.children() {
            let key = member.key_text().unwrap_or_default();
            if key.starts_with("x-") {
                continue;
            }
            let Some(status) = status_of(key) else {
                let key = quoted(key);
                let message = format!("the response key {key} is no status code, range or `default`; it is ignored");
                self.lower.report(Code::TG0508, member, message);
                continue;
            };
            if status_is_misspelt(key) {
                let message = format!("the range `{}XX` is written with capitals; it is read as that", &key[..1]);
                self.lower.findings.report_key(Code::TG0110, member.at(), message);
            }
            if let Some((_, first)) = found.iter().find(|(response, _)| response.status == status) {
                let message = format!("the status {} is stated twice; the first response is used", quoted(key));
                self.lower.report(Code::TG0508, member, message);
                self.lower.relate(*first, "the response that is used");
                continue;
            }
            let shared = self.response(member);
            let SharedResponse { contents, headers, links, doc } = shared;
            let doc = self.lower.doc_beside(member, doc);
            let kind = if is_success(status) { ResponseKind::Success } else { ResponseKind::Error };
            found.push((Response { status, kind, contents, headers, links, doc }, member));
        }
        found.sort_by_key(|(response, _)| response.status);
        let has_success = found.iter().any(|(response, _)| response.kind == ResponseKind::Success);
        if !has_success && let Some((last, _)) = found.last_mut().filter(|(last, _)| last.status == Status::Default) {
            last.kind = ResponseKind::Success;
        }
        self.settle_streams(operation, &mut found);
        self.lower.ir.ops.responses.extend(found.into_iter().map(|(response, _)| response))
    }

    /// Reads a response or a reference to one, each once.
    fn response(&mut self, value: Value<'a>) -> SharedResponse {
        let empty =
            SharedResponse { contents: Span::EMPTY, headers: Span::EMPTY, links: Span::EMPTY, doc: Doc::default() };
        let Some(target) = self.lower.follow(value) else { return empty };
        if let Some(known) = self.responses.get(&target.at()) {
            return *known;
        }
        let response = if self.is_object(target, "a response") { self.read_response(target) } else { empty };
        self.responses.insert(target.at(), response);
        response
    }

    fn read_response(&mut self, value: Value<'a>) -> SharedResponse {
        let description = value.get(kw::DESCRIPTION);
        // OpenAPI 3.2 needs none.
        let is_left_out = description.is_none() && self.is_v32();
        if !is_left_out && description.is_none_or(|text| text.as_str().is_none()) {
            self.lower.report(
                Code::TG0508,
                description.unwrap_or(value),
                "the response has no `description`; it stays empty",
            );
        }
        let description = description.and_then(|text| self.lower.text_of(text));
        let summary = value.get(kw::SUMMARY).and_then(|text| self.lower.text_of(text));
        let rows = self.contents(value, Direction::Response);
        let contents = self.lower.ir.ops.contents.extend(rows);
        let headers = self.headers(value);
        let links = self.response_links(value);
        SharedResponse { contents, headers, links, doc: Doc { summary, description, ..Doc::default() } }
    }

    pub(crate) fn headers(&mut self, response: Value<'a>) -> Span<HeaderId> {
        let Some(headers) = self.member(response, kw::HEADERS) else { return Span::EMPTY };
        if !self.is_object(headers, "`headers`") {
            return Span::EMPTY;
        }
        let mut rows = Vec::with_capacity(headers.n_children());
        for member in headers.children() {
            let text = member.key_text().unwrap_or_default();
            if text.eq_ignore_ascii_case("content-type") || text.starts_with("x-tungsten-") {
                continue;
            }
            let (Some(name), Some(header)) = (member.key(), self.lower.follow(member)) else { continue };
            if self.is_object(header, "a header") {
                let row = self.header(name, header);
                let doc = self.lower.doc_beside(member, row.doc);
                rows.push(Header { doc, ..row });
            }
        }
        self.lower.ir.ops.headers.extend(rows)
    }

    fn header(&mut self, name: Sym, header: Value<'a>) -> Header {
        if let Some(style) = header.get(kw::STYLE).filter(|style| style.as_str() != Some("simple")) {
            let message = "a header has the style `simple` and no other; it is used";
            self.lower.report(Code::TG0508, style, message);
        }
        let media = self.member(header, kw::CONTENT).and_then(|content| content.children().next());
        let content = media.and_then(|media| self.lower.follow(media));
        let by_content = || content?.get(kw::SCHEMA);
        let ty = match header.get(kw::SCHEMA).or_else(by_content) {
            Some(schema) => self.lower.schema(schema),
            None => self.lower.implied_type(header, Shape::String { format: None }),
        };
        let media_type = media.filter(|_| header.get(kw::SCHEMA).is_none()).and_then(Value::key);
        let examples = self.examples(&[Some(header), content]);
        let description = header.get(kw::DESCRIPTION).and_then(|text| self.lower.text_of(text));
        let required = self.flag(header, kw::REQUIRED, false);
        let explode = self.flag(header, kw::EXPLODE, false);
        let deprecated = self.flag(header, kw::DEPRECATED, false);
        let doc = Doc { description, ..Doc::default() };
        Header { name, ty, required, explode, deprecated, media_type, doc, examples }
    }

    fn response_links(&mut self, response: Value<'a>) -> Span<LinkId> {
        let Some(links) = self.member(response, kw::LINKS) else { return Span::EMPTY };
        if !self.is_object(links, "`links`") {
            return Span::EMPTY;
        }
        let mut rows = Vec::with_capacity(links.n_children());
        let mut targets = Vec::with_capacity(links.n_children());
        for member in links.children() {
            let (Some(name), Some(link)) = (member.key(), self.lower.follow(member)) else { continue };
            if !self.is_object(link, "a link") {
                continue;
            }
            let id = link.get(kw::OPERATION_ID).and_then(Value::as_str).map(LinkTarget::Id);
            let target = id.or_else(|| link.get(kw::OPERATION_REF).and_then(Value::as_str).map(LinkTarget::Ref));
            match target {
                Some(target) => targets.push((rows.len(), link, target)),
                None => {
                    let name = quoted(self.lower.ir.names.resolve(name));
                    self.lower.report(Code::TG0508, link, format!("the link {name} names no operation")).help =
                        Some("state its `operationId` or `operationRef`".to_owned());
                }
            }
            let mut parameters = Vec::new();
            for parameter in link.get(kw::PARAMETERS).into_iter().flat_map(Value::children) {
                parameters.extend(parameter.key().map(|name| (name, self.lower.literal(parameter))));
            }
            let stated = target.map(|target| match target {
                LinkTarget::Id(text) | LinkTarget::Ref(text) => self.lower.name(text),
            });
            let description = link.get(kw::DESCRIPTION).and_then(|text| self.lower.text_of(text));
            let doc = self.lower.doc_beside(member, Doc { description, ..Doc::default() });
            let server = link.get(kw::SERVER).filter(|server| server.kind() == Kind::Object);
            let server = server.and_then(|server| servers::server(self.lower, server, Code::TG0508));
            rows.push(Link {
                name,
                operation: None,
                target: stated,
                server,
                parameters: self.lower.ir.ops.link_parameters.extend(parameters),
                body: link.get(kw::REQUEST_BODY).map(|body| self.lower.literal(body)),
                doc,
            });
        }
        let span = self.lower.ir.ops.links.extend(rows);
        let ids: Vec<LinkId> = span.iter().collect();
        for (index, at, target) in targets {
            self.links.push(PendingLink { link: ids[index], at, target });
        }
        span
    }

    /// Leaves the event stream to one success: the lowest exact status, a range, or the default. Elsewhere the media
    /// type is text like any other.
    fn settle_streams(&mut self, operation: Value<'a>, responses: &mut [(Response, Value<'a>)]) {
        let mut carrier: Option<usize> = None;
        for index in 0..responses.len() {
            let (response, at) = responses[index];
            let Some(stream) = self.event_stream(response.contents) else { continue };
            if response.kind != ResponseKind::Success {
                responses[index].0.contents = self.without_streams(response.contents);
            } else if let Some(first) = carrier {
                let message = "several success statuses declare an event stream; only the first is streamed";
                self.lower.report(Code::TG0531, at, message);
                self.lower.relate(responses[first].1, "the stream that is used");
                responses[index].0.contents = self.without_streams(response.contents);
            } else {
                carrier = Some(index);
                if stream.stream_done.is_none()
                    && let Some(done) = self.stream_done(operation)
                {
                    responses[index].0.contents = self.with_done(response.contents, done);
                }
                if !stream.schema_stated {
                    let message = "the event stream states no schema; its events are any JSON value";
                    let place = self.stream_place(at);
                    self.lower.report(Code::TG0530, place, message);
                }
            }
        }
    }

    fn event_stream(&self, contents: Span<ContentId>) -> Option<Content> {
        let contents = self.lower.ir.ops.contents.slice(contents);
        contents.iter().find(|content| content.encoding == Encoding::Events).copied()
    }

    fn without_streams(&mut self, contents: Span<ContentId>) -> Span<ContentId> {
        let mut rows = self.lower.ir.ops.contents.slice(contents).to_vec();
        for row in &mut rows {
            if row.encoding == Encoding::Events {
                row.encoding = Encoding::Text;
            }
        }
        self.lower.ir.ops.contents.extend(rows)
    }

    /// The end of an event stream that the operation states: its response may be another one's too.
    fn with_done(&mut self, contents: Span<ContentId>, done: Sym) -> Span<ContentId> {
        let mut rows = self.lower.ir.ops.contents.slice(contents).to_vec();
        for row in &mut rows {
            if row.encoding == Encoding::Events {
                row.stream_done = Some(done);
            }
        }
        self.lower.ir.ops.contents.extend(rows)
    }

    /// The media type object of a response's event stream.
    fn stream_place(&self, response: Value<'a>) -> Value<'a> {
        let content = self.lower.follow(response).and_then(|response| self.member(response, kw::CONTENT));
        let mut members = content.into_iter().flat_map(Value::children);
        let is_stream = |member: &Value<'a>| {
            member.key_text().is_some_and(|key| key.trim().to_ascii_lowercase().starts_with("text/event-stream"))
        };
        members.find(is_stream).unwrap_or(response)
    }
}

fn is_success(status: Status) -> bool {
    match status {
        Status::Exact(code) => (200..300).contains(&code),
        Status::Range(digit) => digit == 2,
        Status::Default => false,
    }
}

/// Whether a range is written otherwise than the format has it (OpenAPI 3.1.1, section 4.8.16.2).
fn status_is_misspelt(key: &str) -> bool {
    matches!(key.as_bytes(), [b'1'..=b'5', a, b] if *a == b'x' || *b == b'x')
}

/// `200`, `2XX` or `default`.
fn status_of(key: &str) -> Option<Status> {
    if key == "default" {
        return Some(Status::Default);
    }
    let bytes: [u8; 3] = key.as_bytes().try_into().ok()?;
    let [first, rest @ ..] = bytes;
    let digit = first.checked_sub(b'0').filter(|digit| (1..=5).contains(digit))?;
    if rest.iter().all(|byte| byte.eq_ignore_ascii_case(&b'x')) {
        return Some(Status::Range(digit));
    }
    rest.iter().all(u8::is_ascii_digit).then(|| key.parse().ok().map(Status::Exact))?
}

#[cfg(test)]
mod tests {
    use tungsten_ir::Status;

    use super::status_of;

    #[test]
    fn response_keys_are_a_closed_set() {
        assert_eq!(status_of("200"), Some(Status::Exact(200)));
        assert_eq!(status_of("4xx"), Some(Status::Range(4)));
        assert_eq!(status_of("5XX"), Some(Status::Range(5)));
        assert_eq!(status_of("default"), Some(Status::Default));
        for key in ["", "2", "20", "2X0", "600", "099", "2000", "ok", "+20", "Default"] {
            assert_eq!(status_of(key), None, "{key}");
        }
    }
}
