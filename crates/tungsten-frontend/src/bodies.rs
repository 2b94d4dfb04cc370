//! Request bodies and media types: what is sent, in which encoding, and how the parts of forms are written.
//!
//! Reads request bodies, `content` and `encoding` objects and examples; writes bodies, contents, parts and examples.

use base::{Code, Span, Sym};
use base_doc::Value;
use tungsten_ir::{BodyId, Content, Doc, Encoding, Example, ExampleId, Part, PartId, Shape};

use crate::keywords as kw;
use crate::operations::Ops;
use crate::params::{STYLES, meant, style_of};

/// Which way a body goes: some encodings only exist for answers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Request,
    Response,
}

impl<'a> Ops<'_, 'a> {
    /// Reads a request body or a reference to one, each once.
    pub(crate) fn body(&mut self, value: Value<'a>) -> Option<BodyId> {
        let target = self.lower.follow(value)?;
        if let Some(known) = self.bodies.get(&target.at()) {
            return *known;
        }
        let body = self.read_body(target);
        self.bodies.insert(target.at(), body);
        body
    }

    fn read_body(&mut self, value: Value<'a>) -> Option<BodyId> {
        if !self.is_object(value, "a request body") {
            return None;
        }
        let rows = self.contents(value, Direction::Request);
        if rows.is_empty() {
            self.lower.report(Code::TG0508, value, "a request body without a media type is ignored");
            return None;
        }
        let contents = self.lower.ir.ops.contents.extend(rows);
        let required = self.flag(value, kw::REQUIRED, false);
        let description = value.get(kw::DESCRIPTION).and_then(|text| self.lower.text_of(text));
        let doc = Doc { description, ..Doc::default() };
        Some(self.lower.ir.ops.bodies.push(tungsten_ir::Body { contents, required, doc }))
    }

    /// The media types of a body or a response, in document order.
    pub(crate) fn contents(&mut self, owner: Value<'a>, direction: Direction) -> Vec<Content> {
        let Some(content) = self.member(owner, kw::CONTENT) else { return Vec::new() };
        if !self.is_object(content, "`content`") {
            return Vec::new();
        }
        let mut rows = Vec::with_capacity(content.n_children());
        for media in content.children() {
            let Some(media_type) = media.key().filter(|_| !media.key_text().is_some_and(|key| key.starts_with("x-")))
            else {
                continue;
            };
            rows.extend(self.content(media, media_type, direction));
        }
        rows
    }

    fn content(&mut self, media: Value<'a>, media_type: Sym, direction: Direction) -> Option<Content> {
        let target = self.lower.follow(media)?;
        if !is_media_type(self.lower.docs.keys.resolve(media_type)) {
            let name = base::diag::quoted(self.lower.docs.keys.resolve(media_type));
            let message = format!("{name} is no media type such as `application/json`; its bodies are bytes");
            self.lower.report(Code::TG0508, media, message);
        }
        let schema = if self.is_object(target, "a media type") { target.get(kw::SCHEMA) } else { None };
        let encoding = encoding_of(self.lower.docs.keys.resolve(media_type), schema.is_some(), direction);
        let ty = match schema {
            Some(schema) => self.lower.schema(schema),
            None => self.lower.implied_type(media, Shape::Any),
        };
        let parts =
            if matches!(encoding, Encoding::Form | Encoding::Multipart) { self.parts(target) } else { Span::EMPTY };
        let examples = self.examples(target);
        let stream_done = match target.get(kw::X_TUNGSTEN_STREAM_DONE) {
            Some(done) if done.as_str().is_none() => {
                let message =
                    format!("`x-tungsten-stream-done` is {}, not a string; it is ignored", done.kind().phrase());
                self.lower.report(Code::TG0508, done, message);
                None
            }
            done => done.and_then(Value::as_str).map(|text| self.lower.name(text)),
        };
        Some(Content { media_type, encoding, ty, schema_stated: schema.is_some(), parts, examples, stream_done })
    }

    fn parts(&mut self, media: Value<'a>) -> Span<PartId> {
        let Some(encoding) = self.member(media, kw::ENCODING) else { return Span::EMPTY };
        if !self.is_object(encoding, "`encoding`") {
            return Span::EMPTY;
        }
        let mut rows = Vec::with_capacity(encoding.n_children());
        for part in encoding.children() {
            let Some(name) = part.key().filter(|_| self.is_object(part, "an encoding")) else { continue };
            let content_type = part.get(kw::CONTENT_TYPE).and_then(Value::as_str).map(|text| self.lower.name(text));
            let style = part.get(kw::STYLE).and_then(Value::as_str).and_then(style_of);
            if let (Some(stated), None) = (part.get(kw::STYLE), style) {
                let message = "the style of the property is unknown; the default style is used";
                let help = stated.as_str().and_then(|text| meant(text, &STYLES));
                self.lower.report(Code::TG0508, stated, message).help = help;
            }
            let explode = part.get(kw::EXPLODE).is_some().then(|| self.flag(part, kw::EXPLODE, false));
            let allow_reserved = self.flag(part, kw::ALLOW_RESERVED, false);
            rows.push(Part { name, content_type, style, explode, allow_reserved });
        }
        self.lower.ir.ops.parts.extend(rows)
    }

    /// `example` and `examples` of a parameter, a header or a media type.
    pub(crate) fn examples(&mut self, owner: Value<'a>) -> Span<ExampleId> {
        let mut rows = Vec::new();
        if let Some(example) = owner.get(kw::EXAMPLE) {
            rows.push(Example { name: None, value: self.lower.literal(example) });
        }
        for member in self.member(owner, kw::EXAMPLES).into_iter().flat_map(Value::children) {
            let Some(target) = self.lower.follow(member) else { continue };
            if let Some(value) = target.get(kw::VALUE) {
                rows.push(Example { name: member.key(), value: self.lower.literal(value) });
            }
        }
        self.lower.ir.ops.examples.extend(rows)
    }
}

/// Whether a text has the form of a media type or a range of them: `type/subtype`, then parameters (RFC 9110, sections
/// 8.3.1 and 12.5.1).
fn is_media_type(text: &str) -> bool {
    let essence = text.split(';').next().unwrap_or_default().trim();
    let is_token = |part: &str| {
        let is_mark = |byte: u8| b"!#$%&'*+-.^_`|~".contains(&byte);
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_mark(byte))
    };
    essence.split_once('/').is_some_and(|(main, sub)| is_token(main) && is_token(sub))
}

/// How bodies of a media type are written and read. A type that admits anything is JSON where a schema is stated.
fn encoding_of(media_type: &str, schema_stated: bool, direction: Direction) -> Encoding {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let (main, sub) = essence.split_once('/').unwrap_or((&essence, ""));
    let is_response = direction == Direction::Response;
    match (main, sub) {
        ("application" | "text", "json") => Encoding::Json,
        ("application", "x-www-form-urlencoded") => Encoding::Form,
        // Nothing states how the parts of an answer are told apart, so it stays as it is.
        ("multipart", _) => {
            if is_response {
                Encoding::Bytes
            } else {
                Encoding::Multipart
            }
        }
        ("text", "event-stream") if is_response => Encoding::Events,
        (
            "application",
            "jsonl" | "x-jsonl" | "ndjson" | "x-ndjson" | "jsonlines" | "x-jsonlines" | "json-lines" | "stream+json",
        ) => {
            if is_response {
                Encoding::JsonLines
            } else {
                Encoding::Text
            }
        }
        (_, sub) if sub.ends_with("+json") => Encoding::Json,
        ("*" | "application", "*") if schema_stated => Encoding::Json,
        ("text", _) => Encoding::Text,
        ("application", "xml" | "yaml" | "x-yaml" | "javascript" | "graphql" | "sql" | "jwt" | "toml") => {
            Encoding::Text
        }
        (_, sub) if sub.ends_with("+xml") || sub.ends_with("+yaml") => Encoding::Text,
        _ => Encoding::Bytes,
    }
}

#[cfg(test)]
mod tests {
    use tungsten_ir::Encoding;

    use super::{Direction, encoding_of, is_media_type};

    #[test]
    fn media_types_have_a_form() {
        for text in ["a/b", "*/*", "application/vnd.a+json; charset=utf-8", "text/*", "A/B.c-d"] {
            assert!(is_media_type(text), "{text}");
        }
        for text in ["", "json", "a/", "/b", "a/b/c", "a b/c", "application/json, text/plain", "ä/b"] {
            assert!(!is_media_type(text), "{text}");
        }
    }

    #[test]
    fn media_types_have_encodings() {
        for (media_type, expect) in [
            ("application/json", Encoding::Json),
            ("application/json; charset=utf-8", Encoding::Json),
            ("Application/Problem+JSON", Encoding::Json),
            ("application/vnd.github.v3+json", Encoding::Json),
            ("*/*", Encoding::Json),
            ("application/*", Encoding::Json),
            ("application/x-www-form-urlencoded", Encoding::Form),
            ("text/event-stream", Encoding::Events),
            ("application/x-ndjson", Encoding::JsonLines),
            ("text/plain", Encoding::Text),
            ("application/xml", Encoding::Text),
            ("image/svg+xml", Encoding::Text),
            ("application/octet-stream", Encoding::Bytes),
            ("image/*", Encoding::Bytes),
            ("", Encoding::Bytes),
        ] {
            assert_eq!(encoding_of(media_type, true, Direction::Response), expect, "{media_type}");
        }
        assert_eq!(encoding_of("*/*", false, Direction::Response), Encoding::Bytes);
        assert_eq!(encoding_of("text/event-stream", true, Direction::Request), Encoding::Text);
        assert_eq!(encoding_of("application/jsonl", true, Direction::Request), Encoding::Text);
        assert_eq!(encoding_of("multipart/form-data", true, Direction::Request), Encoding::Multipart);
        assert_eq!(encoding_of("multipart/mixed", true, Direction::Response), Encoding::Bytes);
    }
}
