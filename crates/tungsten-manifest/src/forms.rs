//! The forms that text in a manifest may have, one row each, and a type for each row.
//!
//! A row gives the check, the pattern of the JSON Schema and the words of the message. Reads strings; writes typed text
//! with its place. What a name stands for is left to later passes.

use base::Place;
use base_doc::Value;

use crate::keys::{Key, Shape};
use crate::reader::Cx;

/// A form of text.
pub(crate) struct Form {
    /// With its article, for messages.
    pub phrase: &'static str,
    pub rule: Rule,
    /// What the user's part of a path is called on the reference page, for text that serves as a key.
    pub key_name: &'static str,
}

/// What text of a form looks like.
#[derive(Clone, Copy)]
pub(crate) enum Rule {
    Any,
    NotEmpty,
    /// One character of the first class, then any number of the second; classes as in a regular expression.
    Word {
        first: &'static str,
        rest: &'static str,
    },
    OneOf(&'static [&'static str]),
    /// A rule that is no word: the pattern says for editors what the function decides.
    Checked {
        pattern: &'static str,
        holds: fn(&str) -> bool,
        /// What to write instead.
        help: &'static str,
    },
}

impl Rule {
    pub fn holds(self, text: &str) -> bool {
        match self {
            Self::Any => true,
            Self::NotEmpty => !text.is_empty(),
            Self::Word { first, rest } => {
                let mut chars = text.chars();
                chars.next().is_some_and(|c| in_class(c, first)) && chars.all(|c| in_class(c, rest))
            }
            Self::OneOf(words) => words.contains(&text),
            Self::Checked { holds, .. } => holds(text),
        }
    }

    /// The rule as a regular expression (ECMA-262), when it is one.
    pub fn pattern(self) -> Option<String> {
        match self {
            Self::Word { first, rest } => Some(format!("^[{first}][{rest}]*$")),
            Self::Checked { pattern, .. } => Some(pattern.to_owned()),
            Self::Any | Self::NotEmpty | Self::OneOf(_) => None,
        }
    }
}

/// Whether a class such as `a-z0-9_` has the character. A `-` at the end is itself.
fn in_class(c: char, class: &str) -> bool {
    let mut rest = class.chars();
    while let Some(start) = rest.next() {
        let mut ahead = rest.clone();
        match (ahead.next(), ahead.next()) {
            (Some('-'), Some(end)) => {
                rest = ahead;
                if (start..=end).contains(&c) {
                    return true;
                }
            }
            _ if start == c => return true,
            _ => {}
        }
    }
    false
}

macro_rules! texts {
    ($($(#[doc = $doc:literal])+ $name:ident $phrase:literal $key_name:literal $rule:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $name {
            text: String,
            /// Where the text stands; nowhere when it was not written.
            pub place: Place,
        }

        impl $name {
            pub(crate) const FORM: &'static Form =
                &Form { phrase: $phrase, rule: $rule, key_name: $key_name };

            pub fn as_str(&self) -> &str {
                &self.text
            }

            pub(crate) fn new(text: impl Into<String>, place: Place) -> Self {
                Self { text: text.into(), place }
            }
        }

        impl std::ops::Deref for $name {
            type Target = str;

            fn deref(&self) -> &str {
                &self.text
            }
        }

        impl Key for $name {
            fn shape() -> Shape {
                Shape::Text(Self::FORM)
            }

            fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
                let text = cx.text(value, Self::FORM)?;
                Some(Self::new(text, cx.place(value)))
            }
        }

        impl crate::reader::MapKey for $name {
            const KEY_FORM: &'static Form = Self::FORM;

            fn from_key(text: &str, place: Place) -> Self {
                Self::new(text, place)
            }
        }
    )+};
}

texts! {
    /// Any text, also none.
    Text "a string" "text" Rule::Any;
    /// Text that is not empty, such as a parameter's name.
    Word "a string that is not empty" "name" Rule::NotEmpty;
    /// A name that packages, namespaces and environment variables are made from.
    MachineName "a machine name: lower-case letters, digits and `_`, a letter first" "namespace"
        Rule::Word { first: "a-z", rest: "a-z0-9_" };
    /// A name for generated code; each language's casing is applied to it.
    Identifier "a name of letters, digits and `_`, a letter first" "name"
        Rule::Word { first: "A-Za-z", rest: "A-Za-z0-9_" };
    /// The name of a resource.
    ResourceName "a resource name: letters, digits, `_` and `-`, a letter first" "resource"
        Rule::Word { first: "A-Za-z", rest: "A-Za-z0-9_-" };
    /// The name of a target: a built-in one or the `<name>` of a `tungsten-emit-<name>`.
    TargetName "a target name: lower-case letters, digits, `_` and `-`, a letter first" "target"
        Rule::Word { first: "a-z", rest: "a-z0-9_-" };
    /// An environment variable.
    EnvName "the name of an environment variable: letters, digits and `_`, no digit first" "variable"
        Rule::Word { first: "A-Za-z_", rest: "A-Za-z0-9_" };
    /// The name of a header or a cookie: a token (RFC 9110, section 5.6.2).
    HeaderName "a header or cookie name: letters, digits and ``!#$%&'*+.^_`|~-``" "header"
        Rule::Word { first: TOKEN, rest: TOKEN };
    /// An extension of an operation.
    Extension "an extension name that starts with `x-`" "extension" Rule::Checked {
        pattern: "^x-.+$",
        holds: |text| text.len() > 2 && text.starts_with("x-"),
        help: "for example `x-implemented`",
    };
    /// An HTTP method in lower case.
    HttpMethod "an HTTP method in lower case" "method"
        Rule::OneOf(&["get", "put", "post", "delete", "options", "head", "patch", "trace"]);
    /// Where an API key goes.
    KeyPlace "`header`, `query` or `cookie`" "in" Rule::OneOf(&["header", "query", "cookie"]);
    /// `when` of a header part: the calls that carry it.
    Only "`mutation`" "when" Rule::OneOf(&["mutation"]);
    /// A safety tier.
    Tier "a safety tier" "tier" Rule::OneOf(&["read_only", "mutating", "destructive", "irreversible"]);
    /// An idempotency policy.
    PolicyName "an idempotency policy" "policy"
        Rule::OneOf(&["none", "auto", "caller_owned", "content_hash", "content_identity"]);
    /// What a caller's key looks like.
    KeyFormat "a key format" "format" Rule::OneOf(&["uuid_v4", "uuid", "opaque"]);
    /// Whether a key must outlive the process.
    Persist "`required`, `runtime` or `none`" "persist" Rule::OneOf(&["required", "runtime", "none"]);
    /// What a preview does.
    PreviewMode "a preview mode" "mode" Rule::OneOf(&["local", "header", "endpoint", "none"]);
    /// What becomes of a call whose effect is not known.
    OnUnknown "`unknown` or `fail`" "outcome" Rule::OneOf(&["unknown", "fail"]);
    /// How a wait is drawn.
    Jitter "`none`, `full` or `equal`" "jitter" Rule::OneOf(&["none", "full", "equal"]);
    /// Whether operations are listed or searched.
    DisclosureMode "`auto`, `discrete` or `progressive`" "mode"
        Rule::OneOf(&["auto", "discrete", "progressive"]);
    /// Whether, and how, a call may be made again.
    Retryable "`never`, `after_delay`, `same_key_only` or `after_remediation`" "retryable"
        Rule::OneOf(&["never", "after_delay", "same_key_only", "after_remediation"]);
    /// A category of the diagnostic envelope.
    ErrorCategory "an error category" "category" Rule::OneOf(&[
        "VALIDATION_FAILED", "MALFORMED_REQUEST", "REQUEST_TOO_LARGE", "AUTH_FAILED", "NOT_FOUND", "CONFLICT",
        "PRECONDITION_FAILED", "RATE_LIMITED", "UPSTREAM_UNAVAILABLE", "OUTCOME_UNKNOWN", "TRANSPORT_FAILED",
        "CONFIRMATION_REQUIRED", "GATE_DISABLED", "UNEXPECTED_RESPONSE",
    ]);
    /// A group of operations.
    ClusterName "a group's name: lower-case letters, digits and `_`, a letter first" "cluster"
        Rule::Word { first: "a-z", rest: "a-z0-9_" };
    /// The name under which later steps of a macro know an answer.
    StepName "a step's name: letters, digits and `_`, no digit first" "step"
        Rule::Word { first: "A-Za-z_", rest: "A-Za-z0-9_" };
    /// A field by its dotted wire names; whether there is one is left to the compiler (TG0607).
    FieldPath "a field: wire names with dots between" "field" Rule::NotEmpty;
    /// A media type, or `none`.
    MediaOrNone "a media type, or `none`" "media" Rule::Checked {
        pattern: "^(none|[^\\s/]+/[^\\s/]+)$",
        holds: |text| text == "none" || is_media_type(text),
        help: "for example `text/plain`",
    };
    /// `namespace.name` of a macro.
    MacroName "a macro's name: `namespace.name`" "macro" Rule::Checked {
        pattern: "^[a-z][a-z0-9_]*\\.[A-Za-z_][A-Za-z0-9_]*$",
        holds: is_macro_name,
        help: "for example `public.submitAndWait`",
    };
    /// `namespace.operationId`; whether it names an operation is left to the compiler (TG0603).
    OperationRef "an operation: `namespace.operationId`" "operation" Rule::NotEmpty;
    /// `Type.field`: a property of a schema under `components/schemas`.
    FieldRef "a property: `Type.field`" "field" Rule::Checked {
        pattern: "^.+\\..+$",
        holds: |text| split_inside(text).is_some(),
        help: "for example `Node.children`",
    };
    /// A path of the described API.
    UrlPath "a path of the API, which starts with `/`" "path" Rule::Checked {
        pattern: "^/",
        holds: |text| text.starts_with('/'),
        help: "for example `/v1/pets`",
    };
    /// A file, relative to the folder of the manifest; it may lie outside that folder.
    FilePath "a relative path with `/` between its parts" "path" Rule::Checked {
        pattern: RELATIVE,
        holds: is_relative,
        help: "write it relative to the folder of the manifest, for example `../specs/openapi.yaml`",
    };
    /// A folder inside the folder of the manifest.
    OutPath "a relative path of a folder inside the project folder" "path" Rule::Checked {
        pattern: RELATIVE,
        holds: |text| inside_parts(text).is_some_and(|parts| !parts.is_empty()),
        help: "for example `generated/typescript`",
    };
    /// A program and its arguments, split on spaces; quotes group.
    CommandLine "a command line" "command" Rule::Checked {
        pattern: "\\S",
        holds: |text| !text.trim().is_empty(),
        help: "for example `node tools/emit.mjs`",
    };
}

/// The characters of a token (RFC 9110, section 5.6.2), as a class.
const TOKEN: &str = "!#$%&'*+.^_`|~0-9A-Za-z-";

/// Not empty, no root, no drive or scheme (a colon in the first part), no backslash, no control character.
const RELATIVE: &str = "^[^/:\\\\\\x00-\\x1f\\x7f][^/:\\\\\\x00-\\x1f\\x7f]*(/[^\\\\\\x00-\\x1f\\x7f]*)?$";

impl OperationRef {
    /// Namespace and operation id, split at the first dot; nothing when there is none.
    pub fn split(&self) -> Option<(&str, &str)> {
        self.text.split_once('.')
    }
}

impl FieldRef {
    /// Type and field. Type names may hold dots and so may fields: the split is at the last dot inside.
    pub fn split(&self) -> (&str, &str) {
        split_inside(&self.text).unwrap_or((&self.text, ""))
    }
}

impl OutPath {
    /// The parts of the path, with `.` and `..` resolved: never empty, never leaving the project folder.
    pub fn parts(&self) -> Vec<&str> {
        inside_parts(&self.text).unwrap_or_default()
    }

    /// The path in its shortest form: `generated/rust`.
    pub fn normalized(&self) -> String {
        self.parts().join("/")
    }
}

fn split_inside(text: &str) -> Option<(&str, &str)> {
    let (index, _) = text.char_indices().rev().skip(1).find(|&(index, c)| c == '.' && index > 0)?;
    Some((&text[..index], &text[index + 1..]))
}

fn is_media_type(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c == '/');
    text.split_once('/').is_some_and(|(main, sub)| is_part(main) && is_part(sub))
}

fn is_macro_name(text: &str) -> bool {
    let is_name = |name: &str| StepName::FORM.rule.holds(name);
    text.split_once('.').is_some_and(|(namespace, name)| MachineName::FORM.rule.holds(namespace) && is_name(name))
}

fn is_relative(text: &str) -> bool {
    let first = text.split('/').next().unwrap_or_default();
    !first.is_empty() && !first.contains(':') && !text.contains(|c: char| c == '\\' || c.is_ascii_control())
}

/// The parts of a relative path without `.`, `..` and empty ones; nothing when it leaves the folder it starts in.
fn inside_parts(text: &str) -> Option<Vec<&str>> {
    if !is_relative(text) {
        return None;
    }
    let mut parts = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(form: &Form, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(form.rule.holds(text), "{text:?} is {}", form.phrase);
        }
        for text in bad {
            assert!(!form.rule.holds(text), "{text:?} is not {}", form.phrase);
        }
        let Some(pattern) = form.rule.pattern() else { return };
        let pattern = regex::Regex::new(&pattern).expect("a pattern is a regular expression");
        for text in good {
            assert!(pattern.is_match(text), "the pattern of {} refuses {text:?}", form.phrase);
        }
        // No pattern says that a path stays inside its folder.
        for text in bad.iter().filter(|_| form.phrase != OutPath::FORM.phrase) {
            assert!(!pattern.is_match(text), "the pattern of {} allows {text:?}", form.phrase);
        }
    }

    #[test]
    fn each_form_knows_its_own() {
        check(Text::FORM, &["", "x"], &[]);
        check(Word::FORM, &["x", " "], &[""]);
        check(MachineName::FORM, &["a", "acme_2"], &["", "A", "2a", "_a", "a-b", "ä", "a\n"]);
        check(Identifier::FORM, &["a", "listAll_2"], &["", "_a", "a-b", "a b"]);
        check(ResourceName::FORM, &["owner_messages", "sealed-events"], &["", "-a", "a/b"]);
        check(TargetName::FORM, &["go", "kotlin-jvm"], &["", "Go", "go/x"]);
        check(EnvName::FORM, &["A", "_A1"], &["", "1A", "A-B", "A=B"]);
        check(HeaderName::FORM, &["x-acme-csrf", "__Host-a", "-", "`"], &["", "a b", "a:", "a\r\nb", "é", ","]);
        check(Extension::FORM, &["x-a"], &["x-", "y-a", ""]);
        check(HttpMethod::FORM, &["post"], &["POST", "query", ""]);
        check(MediaOrNone::FORM, &["none", "text/plain"], &["", "text", "a/", "/b", "a/b/c"]);
        check(MacroName::FORM, &["public.a", "p_1._b2"], &["a", "a.", ".a", "A.b", "a.1", "a.b.c", "a.b-c"]);
        check(FieldRef::FORM, &["Node.children", "a.b.c"], &["Node", ".a", "a.", "", "."]);
        check(UrlPath::FORM, &["/", "/v1/{id}"], &["", "v1"]);
        check(
            FilePath::FORM,
            &["a.json", "../acme/a.json", "./a b/c:d"],
            &["", "/a", "C:/a", "https://x/a", "a\\b", "a\0"],
        );
        check(OutPath::FORM, &["a", "a/b/", "./a", "a/../b"], &["", ".", "..", "../a", "a/..", "a/../../b", "/a"]);
        check(CommandLine::FORM, &["node x.mjs"], &["", "  "]);
    }

    #[test]
    fn references_come_apart() {
        let text = |text: &str| OperationRef::new(text, Place::default());
        assert_eq!(text("public.a.b").split(), Some(("public", "a.b")));
        assert_eq!(text("public").split(), None);
        assert_eq!(FieldRef::new("api.v1.Node.next", Place::default()).split(), ("api.v1.Node", "next"));
        assert_eq!(OutPath::new("./a//b/../c/", Place::default()).normalized(), "a/c");
    }
}
