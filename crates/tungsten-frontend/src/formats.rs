//! What `format`, `contentEncoding` and `contentMediaType` say about a value.
//!
//! Reads words; writes shapes. A format without a meaning here is reported (TG0304) and its name kept.

use base::Code;
use base_doc::Value;
use tungsten_ir::{Format, IntegerBits, Precision, Shape};

use crate::facts::Facts;
use crate::lower::Lowering;

impl<'a> Lowering<'a> {
    pub(crate) fn string_shape(&mut self, facts: &Facts<'a>) -> Shape {
        let name = facts.format.and_then(Value::as_str);
        if name == Some("binary") {
            return Shape::Bytes;
        }
        if let Some(encoding) = facts.encoding {
            // RFC 4648 names; the others do not matter, since the text is passed on as it is.
            let is_base64 = encoding.eq_ignore_ascii_case("base64") || encoding.eq_ignore_ascii_case("base64url");
            return Shape::String { format: is_base64.then_some(Format::Byte) };
        }
        if name.is_none() && facts.media_type.is_some_and(is_binary) {
            return Shape::Bytes;
        }
        let format = name.map(|name| {
            known(name).unwrap_or_else(|| {
                self.unknown_format(facts, "a plain string");
                Format::Other(self.name(name))
            })
        });
        Shape::String { format }
    }

    pub(crate) fn integer_shape(&mut self, facts: &Facts<'a>) -> Shape {
        let bits = match facts.format.and_then(Value::as_str) {
            Some("int32") => IntegerBits::B32,
            Some("int64") => IntegerBits::B64,
            Some(_) => {
                self.unknown_format(facts, "any integer");
                IntegerBits::Unstated
            }
            None => IntegerBits::Unstated,
        };
        Shape::Integer { bits }
    }

    pub(crate) fn number_shape(&mut self, facts: &Facts<'a>) -> Shape {
        let precision = match facts.format.and_then(Value::as_str) {
            Some("float") => Precision::Single,
            Some("double") => Precision::Double,
            // The format registry has these two for numbers as well: a number that is an integer.
            Some("int32") => return Shape::Integer { bits: IntegerBits::B32 },
            Some("int64") => return Shape::Integer { bits: IntegerBits::B64 },
            Some(_) => {
                self.unknown_format(facts, "any number");
                Precision::Unstated
            }
            None => Precision::Unstated,
        };
        Shape::Number { precision }
    }

    fn unknown_format(&mut self, facts: &Facts<'a>, meaning: &str) {
        if let Some(format) = facts.format {
            let name = base::diag::quoted(format.as_str().unwrap_or_default());
            self.report(Code::TG0304, format, format!("format {name} has no meaning here; the value is {meaning}"));
        }
    }
}

/// The formats with a meaning of their own.
fn known(name: &str) -> Option<Format> {
    Some(match name {
        "uuid" => Format::Uuid,
        "date-time" => Format::DateTime,
        "date" => Format::Date,
        "time" => Format::Time,
        "duration" => Format::Duration,
        "email" => Format::Email,
        "uri" | "uri-reference" => Format::Uri,
        "hostname" => Format::Hostname,
        "ipv4" => Format::Ipv4,
        "ipv6" => Format::Ipv6,
        "byte" => Format::Byte,
        "password" => Format::Password,
        _ => return None,
    })
}

/// Whether a media type is one of bytes and not of text.
fn is_binary(media_type: &str) -> bool {
    let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let text = ["json", "xml", "yaml", "javascript", "x-www-form-urlencoded"];
    !(name.starts_with("text/") || text.iter().any(|ending| name.ends_with(ending)))
}
