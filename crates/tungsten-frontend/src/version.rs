//! The head of an entry document: its version, its title, what it cannot do without.
//!
//! Reads the root of each input; writes the dialect and the texts of the API. Refuses what has no meaning (TG0103,
//! TG0104) and repairs the rest, a diagnostic for each repair (TG0110).

use base::Code;
use base_doc::{DocId, Kind, Value};

use crate::findings::Findings;
use crate::keywords as kw;

/// What to do about Swagger 2.0.
const CONVERT: &str =
    "convert it once, for example with `swagger2openapi`, keep the result and name that file as the input";

/// What to do about a version that is not known.
const STATE: &str = "state the version that the document is written in, such as `openapi: 3.1.1`";

/// Which of the two dialects of schemas a document speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    V30,
    /// Of 3.1 and 3.2.
    V31,
}

/// An input that can be compiled.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) namespace: &'a str,
    pub(crate) doc: DocId,
    pub(crate) root: Value<'a>,
    pub(crate) dialect: Dialect,
    /// The second number of its version.
    pub(crate) minor: u8,
    pub(crate) title: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
    /// `0.0.0` when the document states none.
    pub(crate) version: &'a str,
}

/// The dialect that a document states for itself, if it is one that is understood.
pub(crate) fn stated(root: Value<'_>) -> Option<Dialect> {
    let value = root.get(kw::OPENAPI)?;
    dialect_of(value.as_str().or_else(|| value.as_number())?)
}

/// The second number of the version that a document states, if it is one that is understood.
pub(crate) fn minor(root: Value<'_>) -> Option<u8> {
    let value = root.get(kw::OPENAPI)?;
    minor_of(value.as_str().or_else(|| value.as_number())?)
}

/// Reads the head of an input.
pub(crate) fn entry<'a>(namespace: &'a str, doc: DocId, root: Value<'a>, findings: &mut Findings) -> Option<Entry<'a>> {
    if root.kind() != Kind::Object {
        let message = format!("an OpenAPI document is an object, this one is {}", root.kind().phrase());
        findings.report(Code::TG0104, root.at(), message);
        return None;
    }
    let dialect = dialect(root, findings)?;
    let minor = minor(root).unwrap_or_default();
    let mut entry = Entry { namespace, doc, root, dialect, minor, title: None, description: None, version: "0.0.0" };
    info(&mut entry, findings);
    containers(&entry, findings);
    Some(entry)
}

fn dialect(root: Value<'_>, findings: &mut Findings) -> Option<Dialect> {
    let Some(value) = root.get(kw::OPENAPI) else {
        let swagger = root.get(kw::SWAGGER);
        let (at, message, help) = match swagger {
            Some(value) => (value, "Swagger 2.0 is not compiled; convert the document to OpenAPI 3 first", CONVERT),
            None => (root, "the document has no `openapi` field, so it is no OpenAPI document", STATE),
        };
        findings.report(Code::TG0103, at.at(), message).help = Some(help.to_owned());
        return None;
    };
    let Some(text) = value.as_str().or_else(|| value.as_number()) else {
        let message = format!("`openapi` is {}, not a version such as \"3.1.0\"", value.kind().phrase());
        findings.report(Code::TG0103, value.at(), message);
        return None;
    };
    let dialect = dialect_of(text);
    if dialect.is_none() {
        let message = format!("OpenAPI {} is not compiled; 3.0, 3.1 and 3.2 are", base::diag::quoted(text));
        let help = if text.starts_with('2') { CONVERT } else { STATE };
        findings.report(Code::TG0103, value.at(), message).help = Some(help.to_owned());
    } else if let Some(what) = oddity(text).or((value.kind() == Kind::Number).then_some("a number")) {
        let read = text.split('.').take(2).collect::<Vec<_>>().join(".");
        let message = format!("`openapi` is {}, {what}; it is read as {read}", base::diag::quoted(text));
        findings.report(Code::TG0110, value.at(), message);
    }
    dialect
}

/// What is unusual about a version that is understood.
fn oddity(text: &str) -> Option<&'static str> {
    let patch = text.splitn(3, '.').nth(2);
    match patch {
        None => Some("without a patch number"),
        Some(patch) if !patch.is_empty() && patch.bytes().all(|byte| byte.is_ascii_digit()) => None,
        Some(patch) if patch.contains(['-', '+']) => Some("a preliminary version"),
        Some(_) => Some("no version of three numbers"),
    }
}

fn dialect_of(text: &str) -> Option<Dialect> {
    minor_of(text).map(|minor| if minor == 0 { Dialect::V30 } else { Dialect::V31 })
}

/// The second number of a version 3.0, 3.1 or 3.2.
fn minor_of(text: &str) -> Option<u8> {
    let mut parts = text.split('.');
    match (parts.next(), parts.next()) {
        (Some("3"), Some("0")) => Some(0),
        (Some("3"), Some("1")) => Some(1),
        (Some("3"), Some("2")) => Some(2),
        _ => None,
    }
}

fn info(entry: &mut Entry<'_>, findings: &mut Findings) {
    let Some(info) = entry.root.get(kw::INFO).filter(|info| info.kind() == Kind::Object) else {
        let at = entry.root.get(kw::INFO).unwrap_or(entry.root);
        findings.report(Code::TG0110, at.at(), "the document has no `info` object; its version is taken to be 0.0.0");
        return;
    };
    entry.title = stated_text(info, kw::TITLE, "title", "it stays empty", findings);
    entry.version = stated_text(info, kw::VERSION, "version", "0.0.0 is used", findings).unwrap_or(entry.version);
    entry.description = info.get(kw::DESCRIPTION).and_then(Value::as_str);
}

/// A text that `info` must state; a number is taken as it is spelled.
fn stated_text<'a>(
    info: Value<'a>,
    key: base::Sym,
    name: &str,
    otherwise: &str,
    findings: &mut Findings,
) -> Option<&'a str> {
    let Some(value) = info.get(key) else {
        findings.report(Code::TG0110, info.at(), format!("`info` has no `{name}`; {otherwise}"));
        return None;
    };
    if let Some(text) = value.as_str() {
        return Some(text);
    }
    let number = value.as_number();
    let message = match number {
        Some(number) => format!("`info.{name}` is a number; it is read as the text \"{number}\""),
        None => format!("`info.{name}` is {}, not a text; {otherwise}", value.kind().phrase()),
    };
    findings.report(Code::TG0110, value.at(), message);
    number
}

fn containers(entry: &Entry<'_>, findings: &mut Findings) {
    let has = |key| entry.root.get(key).is_some();
    match entry.dialect {
        Dialect::V30 if !has(kw::PATHS) => {
            findings.report(
                Code::TG0110,
                entry.root.at(),
                "the document has no `paths`; it is read as one without operations",
            );
        }
        Dialect::V31 if !has(kw::PATHS) && !has(kw::COMPONENTS) && !has(kw::WEBHOOKS) => {
            let message = "the document has none of `paths`, `components` and `webhooks`; it is read as an empty one";
            findings.report(Code::TG0110, entry.root.at(), message);
        }
        _ => {}
    }
}
