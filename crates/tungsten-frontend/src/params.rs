//! Parameters of operations: where each stands, how it is written, what it may be.
//!
//! Reads `parameters` of path items and operations; writes parameters, those of the operation in the place of the
//! path's. Who supplies a parameter is decided by the pass `roles` when types are known.

use crate::lookup::{Map, Set};
use base::diag::quoted;
use base::{Code, Span, Sym};
use base_doc::Value;
use tungsten_ir::{Doc, Location, OpKind, Param, ParamId, Parts, Role, Shape, Style};

use crate::keywords as kw;
use crate::member_rules::Rule;
use crate::operations::Ops;
use crate::path_template::Template;

/// Headers that are no parameters, because the transport or the security of an operation writes them (OpenAPI 3.1.1,
/// section 4.8.12.1).
const RESERVED_HEADERS: &[&str] = &["accept", "content-type", "authorization"];

/// Placeholders that a message spells out.
const NAMES_SHOWN: usize = 8;

/// What tells one parameter of an operation from another; header names without case.
type ParamKey = (Location, Sym);

/// The parameters of one operation as they are gathered, in document order.
#[derive(Default)]
struct Gathered<'a> {
    /// And where each is stated.
    rows: Vec<(Param, Value<'a>)>,
    index_of: Map<ParamKey, usize>,
}

impl<'a> Ops<'_, 'a> {
    pub(crate) fn op_params(
        &mut self,
        key: Value<'a>,
        items: &[Option<Value<'a>>; 2],
        operation: Value<'a>,
        template: &Template,
        kind: OpKind,
    ) -> Span<ParamId> {
        let placeholders: Set<Sym> = template.params.iter().copied().collect();
        let is_call = kind == OpKind::Call;
        let mut gathered = Gathered::default();
        // What is referred to comes first, so that what stands beside the reference wins.
        let owners = items.iter().rev().flatten().copied().chain([operation]);
        for owner in owners {
            let mut own: Set<ParamKey> = Set::default();
            for param in self.list(owner, kw::PARAMETERS, "parameters") {
                let Some(mut row) = self.param(param) else { continue };
                row.doc = self.lower.doc_beside(param, row.doc);
                if is_call && row.location == Location::Path && !placeholders.contains(&row.name) {
                    let name = quoted(self.lower.ir.names.resolve(row.name));
                    let message = format!("the path has no placeholder {name}; the parameter is ignored");
                    self.lower.report(Code::TG0508, param, message);
                    continue;
                }
                let key = self.param_key(&row);
                if !own.insert(key) {
                    let name = quoted(self.lower.ir.names.resolve(row.name));
                    let message = format!("the parameter {name} is stated twice; the first one is used");
                    self.lower.report(Code::TG0508, param, message);
                    continue;
                }
                gathered.put(key, row, param);
            }
        }
        self.settle_whole_query(&mut gathered);
        if is_call {
            self.assume_placeholders(key, template, &mut gathered);
        }
        let mut rows: Vec<Param> = gathered.rows.into_iter().map(|(row, _)| row).collect();
        rows.sort_by_key(|param| param.location);
        self.lower.ir.ops.params.extend(rows)
    }

    /// Leaves out parameters that would be the whole query string beside others of the query (OpenAPI 3.2, section
    /// 4.12.1).
    fn settle_whole_query(&mut self, gathered: &mut Gathered<'a>) {
        let is_whole = |param: &Param| param.location == Location::Querystring;
        if !gathered.rows.iter().any(|(param, _)| is_whole(param)) {
            return;
        }
        let mut is_taken = gathered.rows.iter().any(|(param, _)| param.location == Location::Query);
        gathered.rows.retain(|(param, at)| {
            let keeps = !is_whole(param) || !std::mem::replace(&mut is_taken, true);
            if !keeps {
                let target = self.lower.follow(*at).unwrap_or(*at);
                let message = format!("{}; it is left out", Rule::WholeQueryAlone.text());
                self.lower.report(Code::TG0508, target.get(kw::IN).unwrap_or(target), message);
            }
            keeps
        });
        let keys = gathered.rows.iter().enumerate().map(|(index, (row, _))| ((row.location, row.name), index));
        gathered.index_of = keys.collect();
    }

    fn param_key(&mut self, param: &Param) -> ParamKey {
        if param.location != Location::Header {
            return (param.location, param.name);
        }
        let lower_case = self.lower.ir.names.resolve(param.name).to_ascii_lowercase();
        (param.location, self.lower.name(&lower_case))
    }

    /// Adds a required string for each placeholder that no parameter describes.
    fn assume_placeholders(&mut self, key: Value<'a>, template: &Template, gathered: &mut Gathered<'a>) {
        let is_missing = |name: &&Sym| !gathered.index_of.contains_key(&(Location::Path, **name));
        let missing: Vec<Sym> = template.params.iter().filter(is_missing).copied().collect();
        if missing.is_empty() {
            return;
        }
        let shown: Vec<String> =
            missing.iter().take(NAMES_SHOWN).map(|name| quoted(self.lower.ir.names.resolve(*name))).collect();
        let more = if missing.len() > NAMES_SHOWN { ", …" } else { "" };
        let plural = if missing.len() == 1 { "" } else { "s" };
        let message = format!(
            "no parameter describes the placeholder{plural} {}{more}; a required string is assumed",
            shown.join(", ")
        );
        self.lower.report(Code::TG0507, key, message);
        for name in missing {
            let ty = self.lower.implied_type(key, Shape::String { format: None });
            let origin = self.lower.origin(key);
            let row = Param {
                name,
                location: Location::Path,
                ty,
                required: true,
                style: Style::Simple,
                explode: false,
                allow_reserved: false,
                allow_empty: false,
                role: Role::Plain,
                deprecated: false,
                sensitive: false,
                media_type: None,
                parts: Parts::default(),
                constant: None,
                default: None,
                doc: Doc::default(),
                examples: Span::EMPTY,
                origin,
            };
            gathered.put((Location::Path, name), row, key);
        }
    }

    /// Reads a parameter or a reference to one, each once.
    fn param(&mut self, value: Value<'a>) -> Option<Param> {
        let target = self.lower.follow(value)?;
        if let Some(known) = self.params.get(&target.at()) {
            return *known;
        }
        let param = self.read_param(target);
        self.params.insert(target.at(), param);
        param
    }

    fn read_param(&mut self, value: Value<'a>) -> Option<Param> {
        if !self.is_object(value, "a parameter") {
            return None;
        }
        let Some(name) = value.get(kw::NAME).and_then(Value::as_str).filter(|name| !name.is_empty()) else {
            let at = value.get(kw::NAME).unwrap_or(value);
            self.lower.report(Code::TG0508, at, "a parameter without a text as its `name` is ignored");
            return None;
        };
        let location = self.location(value, name)?;
        if location == Location::Header && RESERVED_HEADERS.iter().any(|header| name.eq_ignore_ascii_case(header)) {
            return None;
        }
        if location == Location::Querystring && value.get(kw::CONTENT).is_none() {
            let message = format!("{}; this one is ignored", Rule::WholeQueryContent.text());
            self.lower.report(Code::TG0508, value.get(kw::IN).unwrap_or(value), message);
            return None;
        }
        let (ty, media) = self.param_type(value, name);
        let style = self.style(value, location);
        let content = media.and_then(|media| self.lower.follow(media));
        let examples = self.examples(&[Some(value), content]);
        let parts = content.map_or(Parts::default(), |content| self.parts(content));
        let sensitive = self.is_sensitive(value);
        let description = value.get(kw::DESCRIPTION).and_then(|text| self.lower.text_of(text));
        Some(Param {
            name: self.lower.name(name),
            location,
            ty,
            required: self.required(value, location, name),
            style,
            explode: self.flag(value, kw::EXPLODE, matches!(style, Style::Form | Style::Cookie)),
            allow_reserved: self.flag(value, kw::ALLOW_RESERVED, false) && self.has_reserved(location, style),
            allow_empty: self.flag(value, kw::ALLOW_EMPTY_VALUE, false),
            role: Role::Plain,
            deprecated: self.flag(value, kw::DEPRECATED, false),
            sensitive,
            media_type: media.and_then(Value::key),
            parts,
            constant: None,
            default: None,
            doc: Doc { description, ..Doc::default() },
            examples,
            origin: self.lower.origin(value),
        })
    }

    /// Whether values are percent-encoded, so that reserved characters can be left out of it: before 3.2 only those of the
    /// query (OpenAPI 3.1.1, section 4.8.12.2; 3.2.0, section 4.12.2).
    fn has_reserved(&self, location: Location, style: Style) -> bool {
        match location {
            Location::Query | Location::Querystring => true,
            Location::Path => self.is_v32(),
            Location::Cookie => self.is_v32() && style != Style::Cookie,
            Location::Header => false,
        }
    }

    fn location(&mut self, value: Value<'a>, name: &str) -> Option<Location> {
        let place = value.get(kw::IN);
        match place.and_then(Value::as_str) {
            Some("path") => Some(Location::Path),
            Some("query") => Some(Location::Query),
            Some("header") => Some(Location::Header),
            Some("cookie") => Some(Location::Cookie),
            Some("querystring") => Some(Location::Querystring),
            other => {
                let what = other.map_or_else(|| "no `in`".to_owned(), |text| format!("the `in` {}", quoted(text)));
                let message = format!("the parameter {} has {what}; it is ignored", quoted(name));
                let help = other.and_then(|text| meant(text, &LOCATIONS));
                self.lower.report(Code::TG0508, place.unwrap_or(value), message).help = help;
                None
            }
        }
    }

    fn required(&mut self, value: Value<'a>, location: Location, name: &str) -> bool {
        let required = self.flag(value, kw::REQUIRED, false);
        if location == Location::Path && !required {
            let message =
                format!("the path parameter {} is not `required`; it is, since the path needs it", quoted(name));
            self.lower.report(Code::TG0508, value, message);
        }
        required || location == Location::Path
    }

    /// The type of a parameter, and its media type object, under that type's name, when it is described by `content`.
    fn param_type(&mut self, value: Value<'a>, name: &str) -> (tungsten_ir::TypeId, Option<Value<'a>>) {
        let content = self.member(value, kw::CONTENT).filter(|content| self.is_object(*content, "`content`"));
        if let Some(schema) = value.get(kw::SCHEMA) {
            if let Some(content) = content {
                let message = "`content` beside `schema` is ignored; a parameter has one of the two";
                self.lower.report(Code::TG0508, content, message);
            }
            return (self.lower.schema(schema), None);
        }
        let mut media_types = content.into_iter().flat_map(Value::children);
        if let Some(media) = media_types.next()
            && media.key().is_some()
        {
            if let Some(second) = media_types.next() {
                let message = "a parameter has one media type; the first one is used";
                self.lower.report(Code::TG0508, second, message);
            }
            let target = self.lower.follow(media).unwrap_or(media);
            let ty = match target.get(kw::SCHEMA) {
                Some(schema) => self.lower.schema(schema),
                None => self.lower.implied_type(media, Shape::Any),
            };
            return (ty, Some(media));
        }
        let message = format!("the parameter {} has neither `schema` nor `content`; a string is assumed", quoted(name));
        self.lower.report(Code::TG0508, value, message);
        (self.lower.implied_type(value, Shape::String { format: None }), None)
    }

    /// The stated style where it suits the place, else the place's default (OpenAPI 3.1.1, section 4.8.12.2).
    fn style(&mut self, value: Value<'a>, location: Location) -> Style {
        let default = default_style(location);
        let Some(stated) = value.get(kw::STYLE) else { return default };
        let style = stated.as_str().and_then(style_of).filter(|style| suits(*style, location));
        if style.is_none() {
            let text = stated.as_str();
            let message = match text.filter(|text| style_of(text).is_none()) {
                Some(text) => format!("there is no style {}; the default style is used", quoted(text)),
                None => "the style does not suit the place of the parameter; the default style is used".to_owned(),
            };
            let help = text.filter(|text| style_of(text).is_none()).and_then(|text| meant(text, &STYLES));
            self.lower.report(Code::TG0508, stated, message).help = help;
        }
        style.unwrap_or(default)
    }

    /// Whether a parameter or header says that its values are secret.
    fn is_sensitive(&mut self, value: Value<'a>) -> bool {
        let schema = value.get(kw::SCHEMA).and_then(|schema| self.lower.follow(schema));
        let says_so = |value: Value<'a>| value.get(kw::X_AGENT_SENSITIVE).and_then(Value::as_bool);
        if value.get(kw::X_AGENT_SENSITIVE).is_some() {
            return self.flag(value, kw::X_AGENT_SENSITIVE, false);
        }
        schema.and_then(says_so).unwrap_or(false)
    }
}

impl<'a> Gathered<'a> {
    fn put(&mut self, key: ParamKey, row: Param, at: Value<'a>) {
        let index = *self.index_of.entry(key).or_insert(self.rows.len());
        if index == self.rows.len() {
            self.rows.push((row, at));
        } else {
            self.rows[index] = (row, at);
        }
    }
}

/// The places of parameters, as they are written.
const LOCATIONS: [&str; 5] = ["path", "query", "header", "cookie", "querystring"];

/// The styles, as they are written.
pub(crate) const STYLES: [&str; 8] =
    ["simple", "form", "label", "matrix", "spaceDelimited", "pipeDelimited", "deepObject", "cookie"];

/// The word that was meant by one that is not known, as a help.
pub(crate) fn meant(text: &str, known: &[&'static str]) -> Option<String> {
    base::suggest::nearest(text, known.iter().copied()).map(|near| format!("did you mean `{near}`?"))
}

pub(crate) fn style_of(text: &str) -> Option<Style> {
    Some(match text {
        "simple" => Style::Simple,
        "form" => Style::Form,
        "label" => Style::Label,
        "matrix" => Style::Matrix,
        "spaceDelimited" => Style::SpaceDelimited,
        "pipeDelimited" => Style::PipeDelimited,
        "deepObject" => Style::DeepObject,
        "cookie" => Style::Cookie,
        _ => return None,
    })
}

fn default_style(location: Location) -> Style {
    match location {
        Location::Path | Location::Header => Style::Simple,
        Location::Query | Location::Cookie | Location::Querystring => Style::Form,
    }
}

fn suits(style: Style, location: Location) -> bool {
    match location {
        Location::Path => matches!(style, Style::Simple | Style::Label | Style::Matrix),
        Location::Query | Location::Querystring => {
            matches!(style, Style::Form | Style::SpaceDelimited | Style::PipeDelimited | Style::DeepObject)
        }
        Location::Header => style == Style::Simple,
        Location::Cookie => matches!(style, Style::Form | Style::Cookie),
    }
}
