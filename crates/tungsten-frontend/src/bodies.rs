//! Request bodies and media types: what is sent, in which encoding, and how the parts of forms are written.
//!
//! Reads request bodies, `content` and `encoding` objects and examples; writes bodies, contents, parts and examples.

use base::{Code, Span, Sym};
use base_doc::{Kind, NodeRef, Value};
use tungsten_ir::media::essence;
use tungsten_ir::{BodyId, Content, Doc, Encoding, Example, ExampleId, Part, Parts, Shape, TypeId};

use crate::keywords as kw;
use crate::lookup::Set;
use crate::operations::{EventData, Ops};
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
        let body = match self.bodies.get(&target.at()) {
            Some(known) => *known,
            None => {
                let body = self.read_body(target);
                self.bodies.insert(target.at(), body);
                body
            }
        };
        let row = self.lower.ir.ops.bodies[body?];
        let doc = self.lower.doc_beside(value, row.doc);
        if doc == row.doc {
            return body;
        }
        Some(self.lower.ir.ops.bodies.push(tungsten_ir::Body { doc, ..row }))
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
        let name = self.lower.docs.keys.resolve(media_type).to_owned();
        if !is_media_type(&name) {
            let name = base::diag::quoted(&name);
            let message = format!("{name} is no media type such as `application/json`; its bodies are bytes");
            self.lower.report(Code::TG0508, media, message);
        }
        let is_whole = self.is_object(target, "a media type");
        let schema = if is_whole { target.get(kw::SCHEMA) } else { None };
        let item_schema = self.item_schema(target, schema, &name);
        let encoding = encoding_of(&name, schema.or(item_schema).is_some(), direction);
        let item = item_schema.map(|schema| self.lower.schema(schema));
        let mut is_text_data = false;
        let ty = match (encoding, item_schema, item, schema) {
            (Encoding::Events, Some(item_schema), ..) => {
                let data = self.event_data(item_schema);
                is_text_data = data.is_text;
                data.ty
            }
            (Encoding::JsonLines | Encoding::JsonSeq, _, Some(item), _) => item,
            (_, _, _, Some(schema)) => self.lower.schema(schema),
            (Encoding::Multipart | Encoding::Bytes, _, Some(items), None) => {
                self.lower.implied_type(media, Shape::Array { items })
            }
            (Encoding::Text, _, Some(_), None) => self.lower.implied_type(media, Shape::String { format: None }),
            _ => self.lower.implied_type(media, Shape::Any),
        };
        let is_sequence_of_parts = [kw::ITEM_SCHEMA, kw::ITEM_ENCODING, kw::PREFIX_ENCODING];
        if encoding == Encoding::Bytes && is_sequence_of_parts.iter().any(|key| target.get(*key).is_some()) {
            let message = format!("{} is a sequence of parts, which is passed as bytes", base::diag::quoted(&name));
            self.lower.report(Code::TG0532, media, message);
        }
        let parts = if is_whole { self.parts(target) } else { Parts::default() };
        let examples = self.examples(&[Some(target)]);
        let description = target.get(kw::DESCRIPTION).and_then(|text| self.lower.text_of(text));
        let stream_done = self.stream_done(target);
        let schema_stated = schema.or(item_schema).is_some();
        Some(Content {
            media_type,
            encoding,
            ty,
            schema_stated,
            item,
            description,
            parts,
            examples,
            stream_done,
            is_text_data,
        })
    }

    /// The data that ends an event stream, as a media type or an operation states it.
    pub(crate) fn stream_done(&mut self, holder: Value<'a>) -> Option<Sym> {
        let done = holder.get(kw::X_TUNGSTEN_STREAM_DONE)?;
        let Some(text) = done.as_str() else {
            let message = format!("`x-tungsten-stream-done` is {}, not a string; it is ignored", done.kind().phrase());
            self.lower.report(Code::TG0508, done, message);
            return None;
        };
        Some(self.lower.name(text))
    }

    /// The schema of one item of a sequence: the `itemSchema`, and in 3.2, where a sequence counts as a list, the `items`
    /// of its `schema` (OpenAPI 3.2, section 4.14.3). A media type that is no sequence has none.
    fn item_schema(&mut self, media: Value<'a>, schema: Option<Value<'a>>, media_type: &str) -> Option<Value<'a>> {
        let stated = media.get(kw::ITEM_SCHEMA);
        if !is_sequence(media_type) {
            if let Some(stated) = stated {
                let name = base::diag::quoted(media_type);
                let message = format!("{name} is no sequence of items; the schema of its items is ignored");
                self.lower.findings.report_key(Code::TG0508, stated.at(), message);
            }
            return None;
        }
        if stated.is_some() || !self.is_v32() || essence(media_type).starts_with("multipart/") {
            return stated;
        }
        let list = schema.and_then(|schema| self.lower.follow(schema))?;
        let is_list = list.get(kw::TYPE).and_then(Value::as_str) == Some("array");
        list.get(kw::ITEMS).filter(|_| is_list)
    }

    /// The type of what the data of server-sent events holds. An item is the event with its fields, whose data is a text;
    /// `contentSchema` says what the text holds (OpenAPI 3.2, section 4.14.4). An item without such a field is taken to
    /// be the data itself.
    fn event_data(&mut self, item: Value<'a>) -> EventData {
        let at = self.lower.follow(item).unwrap_or(item).at();
        if let Some(known) = self.events.get(&at) {
            return *known;
        }
        let data = self.read_event_data(item);
        self.events.insert(at, data);
        data
    }

    fn read_event_data(&mut self, item: Value<'a>) -> EventData {
        let mut types: Vec<TypeId> = Vec::new();
        let fields = self.data_fields(item);
        let is_text = !fields.is_empty() && fields.iter().all(|&data| self.is_plain_text(data));
        for data in fields {
            let target = self.lower.follow(data).unwrap_or(data);
            let media_type = target.get(kw::CONTENT_MEDIA_TYPE).and_then(Value::as_str).unwrap_or_default();
            let ty = match target.get(kw::CONTENT_SCHEMA) {
                Some(schema) => self.lower.schema(schema),
                None if encoding_of(media_type, true, Direction::Response) == Encoding::Json => {
                    self.lower.implied_type(data, Shape::Any)
                }
                None => self.lower.schema(data),
            };
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        let ty = match types.as_slice() {
            [] => self.lower.schema(item),
            [only] => *only,
            _ => {
                let union = self.lower.implied_type(item, Shape::Unknown);
                let variants = types.into_iter().map(|ty| (ty, None)).collect();
                let shape = self.lower.push_union(union, variants, None);
                self.lower.ir.types.rows[union].shape = shape;
                union
            }
        };
        EventData { ty, is_text }
    }

    /// Whether a schema of `data` asks for a text and does not say what that holds.
    fn is_plain_text(&self, data: Value<'a>) -> bool {
        let target = self.lower.follow(data).unwrap_or(data);
        let is_text = |value: Value<'a>| value.kind() == Kind::String;
        target.get(kw::CONTENT_SCHEMA).is_none()
            && target.get(kw::CONTENT_MEDIA_TYPE).is_none()
            && match (target.get(kw::TYPE), target.get(kw::CONST), target.get(kw::ENUM)) {
                (Some(ty), ..) => ty.as_str() == Some("string"),
                (None, Some(value), _) => is_text(value),
                (None, None, Some(values)) => values.n_children() > 0 && values.children().all(is_text),
                (None, None, None) => false,
            }
    }

    /// The schemas of the property `data`: an event's own, or those of its variants where they say what the text holds.
    fn data_fields(&mut self, item: Value<'a>) -> Vec<Value<'a>> {
        let (mut plain, mut with_content) = (Vec::new(), Vec::new());
        let mut seen: Set<NodeRef> = Set::default();
        let mut pending = vec![item];
        while let Some(schema) = pending.pop().and_then(|schema| self.lower.follow(schema)) {
            if seen.len() >= base::limits::UNION_VARIANTS || !seen.insert(schema.at()) {
                continue;
            }
            let data = schema.get(kw::PROPERTIES).and_then(|fields| fields.get(kw::DATA));
            if let Some(data) = data {
                let target = self.lower.follow(data).unwrap_or(data);
                let says = target.get(kw::CONTENT_SCHEMA).or_else(|| target.get(kw::CONTENT_MEDIA_TYPE)).is_some();
                if says { with_content.push(data) } else { plain.push(data) }
            }
            let lists = [kw::ALL_OF, kw::ONE_OF, kw::ANY_OF].into_iter().filter_map(|key| schema.get(key));
            let members: Vec<Value<'a>> = lists.flat_map(Value::children).collect();
            pending.extend(members.into_iter().rev());
        }
        if with_content.is_empty() { plain } else { with_content }
    }

    /// `encoding`, `prefixEncoding` and `itemEncoding` of a media type.
    pub(crate) fn parts(&mut self, media: Value<'a>) -> Parts {
        let named = self.member(media, kw::ENCODING);
        self.parts_of(media, named)
    }

    /// Encodings nest as deep as their document, which is bounded; references are followed at the top alone.
    fn parts_of(&mut self, owner: Value<'a>, named: Option<Value<'a>>) -> Parts {
        let mut parts = Parts::default();
        if let Some(named) = named.filter(|named| self.is_object(*named, "`encoding`")) {
            let rows: Vec<Part> = named.children().filter_map(|part| self.part(part, part.key())).collect();
            parts.named = self.lower.ir.ops.parts.extend(rows);
        }
        let prefix = owner.get(kw::PREFIX_ENCODING).filter(|list| list.kind() == Kind::Array);
        if let Some(prefix) = prefix {
            let rows: Vec<Part> = prefix.children().filter_map(|part| self.part(part, None)).collect();
            parts.prefix = self.lower.ir.ops.parts.extend(rows);
        }
        if let Some(item) = owner.get(kw::ITEM_ENCODING).and_then(|part| self.part(part, None)) {
            parts.item = Some(self.lower.ir.ops.parts.push(item));
        }
        parts
    }

    fn part(&mut self, part: Value<'a>, name: Option<Sym>) -> Option<Part> {
        if !self.is_object(part, "an encoding") {
            return None;
        }
        let content_type = part.get(kw::CONTENT_TYPE).and_then(Value::as_str).map(|text| self.lower.name(text));
        let style = part.get(kw::STYLE).and_then(Value::as_str).and_then(style_of);
        if let (Some(stated), None) = (part.get(kw::STYLE), style) {
            let message = "the style of the property is unknown; the default style is used";
            let help = stated.as_str().and_then(|text| meant(text, &STYLES));
            self.lower.report(Code::TG0508, stated, message).help = help;
        }
        let explode = part.get(kw::EXPLODE).is_some().then(|| self.flag(part, kw::EXPLODE, false));
        let allow_reserved = self.flag(part, kw::ALLOW_RESERVED, false);
        let headers = self.headers(part);
        let parts = self.parts_of(part, part.get(kw::ENCODING));
        Some(Part { name, content_type, style, explode, allow_reserved, headers, parts })
    }

    /// `example` and `examples` of parameters, headers or media types.
    pub(crate) fn examples(&mut self, owners: &[Option<Value<'a>>]) -> Span<ExampleId> {
        let mut rows = Vec::new();
        for owner in owners.iter().flatten() {
            if let Some(example) = owner.get(kw::EXAMPLE) {
                let value = Some(self.lower.literal(example));
                rows.push(Example { name: None, doc: Doc::default(), value, serialized: None, external: None });
            }
            for member in self.member(*owner, kw::EXAMPLES).into_iter().flat_map(Value::children) {
                rows.extend(self.named_example(member));
            }
        }
        self.lower.ir.ops.examples.extend(rows)
    }

    fn named_example(&mut self, member: Value<'a>) -> Option<Example> {
        let target = self.lower.follow(member)?;
        let value = target.get(kw::VALUE).or_else(|| target.get(kw::DATA_VALUE));
        let value = value.map(|value| self.lower.literal(value));
        let serialized = target.get(kw::SERIALIZED_VALUE).and_then(|text| self.lower.text_of(text));
        let external = target.get(kw::EXTERNAL_VALUE).and_then(|text| self.lower.text_of(text));
        if value.is_none() && serialized.is_none() && external.is_none() {
            return None;
        }
        let doc = self.lower.doc_of(target);
        let doc = self.lower.doc_beside(member, doc);
        Some(Example { name: member.key(), doc, value, serialized, external })
    }
}

/// Whether bodies of a media type are items one after another (OpenAPI 3.2, section 4.14.3).
fn is_sequence(media_type: &str) -> bool {
    let stream = encoding_of(media_type, true, Direction::Response);
    matches!(stream, Encoding::Events | Encoding::JsonLines | Encoding::JsonSeq)
        || essence(media_type).starts_with("multipart/")
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
    let essence = essence(media_type);
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
        ("application", "json-seq") => {
            if is_response {
                Encoding::JsonSeq
            } else {
                Encoding::Text
            }
        }
        (_, sub) if sub.ends_with("+json-seq") => {
            if is_response {
                Encoding::JsonSeq
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
            ("application/json-seq", Encoding::JsonSeq),
            ("application/geo+json-seq", Encoding::JsonSeq),
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
