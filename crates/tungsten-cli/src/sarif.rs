//! The findings of `check` as a SARIF 2.1.0 log (OASIS, errata 01), for code scanning and for editors.
//!
//! One run. Its rules are the whole code registry, so a rule has one index in every log of a version. Columns count
//! Unicode code points, files are named from the working directory. Reads an outcome, writes text; leaves the printing
//! to `main`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base::codes::ALL;
use base::digest::Digest;
use base::{Code, Diagnostic, Place, Severity, Source};
use serde_json::{Value, json};

use crate::files::{Files, visible};
use crate::outcome::Outcome;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const HOME: &str = "https://tungsten.dev";

/// Files are relative to this; whoever reads the log says which folder it is (SARIF, section 3.14.14).
const BASE: &str = "%SRCROOT%";

/// What a fingerprint is made of; another recipe takes the next number (SARIF, section 3.27.17).
const FINGERPRINT: &str = "tungstenFinding/v1";

/// The whole log, one indented JSON document.
pub fn render(outcome: &Outcome) -> String {
    let files = Files::of(outcome);
    let mut seen = BTreeMap::new();
    let results: Vec<Value> = outcome.diagnostics.iter().map(|one| result(one, &files, &mut seen)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tungsten",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": HOME,
                "rules": ALL.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
            } },
            "invocations": [invocation(outcome)],
            "columnKind": "unicodeCodePoints",
            "newlineSequences": ["\r\n", "\n", "\r"],
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).expect("a log is plain data") + "\n"
}

/// A run that could not finish says why in a notification; findings, however bad, are not a failure of the tool.
fn invocation(outcome: &Outcome) -> Value {
    let notifications: Vec<Value> = outcome
        .error
        .iter()
        .map(|error| json!({ "level": "error", "message": { "text": message_string(&error.message) } }))
        .collect();
    json!({
        "executionSuccessful": outcome.error.is_none(),
        "exitCode": outcome.exit as u8,
        "toolExecutionNotifications": notifications,
    })
}

fn rule(code: Code) -> Value {
    let section = |name| code.section(name).replace('\n', " ");
    let help = format!("{} {}", section("Meaning"), section("Fix"));
    json!({
        "id": code.name(),
        "shortDescription": { "text": message_string(code.title()) },
        "fullDescription": { "text": message_string(&section("Meaning")) },
        "help": { "text": message_string(&help), "markdown": message_string(code.page()) },
        "helpUri": format!("{HOME}/codes/{code}"),
        "defaultConfiguration": { "level": level(code.severity()) },
        "properties": { "tags": [code.area()] },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(diagnostic: &Diagnostic, files: &Files<'_>, seen: &mut BTreeMap<String, usize>) -> Value {
    let text = match &diagnostic.help {
        Some(help) => format!("{}\nhelp: {help}", diagnostic.message),
        None => diagnostic.message.clone(),
    };
    let mut result = json!({
        "ruleId": diagnostic.code.name(),
        "ruleIndex": ALL.iter().position(|code| *code == diagnostic.code),
        "level": level(diagnostic.severity),
        "message": { "text": message_string(&text) },
        "partialFingerprints": { FINGERPRINT: fingerprint(diagnostic, files, seen) },
    });
    if let Some(location) = location(&diagnostic.place, files) {
        result["locations"] = json!([location]);
    }
    let related: Vec<Value> = diagnostic
        .related
        .iter()
        .enumerate()
        .filter_map(|(id, (place, why))| {
            let mut location = location(place, files)?;
            location["id"] = id.into();
            location["message"] = json!({ "text": message_string(why) });
            Some(location)
        })
        .collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

/// The same for a finding wherever its lines move to: no offset, line or column goes in. Equal findings are numbered.
fn fingerprint(diagnostic: &Diagnostic, files: &Files<'_>, seen: &mut BTreeMap<String, usize>) -> String {
    let file = files.relative(&diagnostic.place);
    let parts = [diagnostic.code.name(), "\0", &file, "\0", &diagnostic.place.pointer, "\0", &diagnostic.message];
    let digest = Digest::of_parts(parts.map(str::as_bytes)).hex();
    let count = seen.entry(digest.clone()).or_default();
    *count += 1;
    format!("{digest}:{count}")
}

/// Nothing for a place without a file.
fn location(place: &Place, files: &Files<'_>) -> Option<Value> {
    let file = files.relative(place);
    if file.is_empty() {
        return None;
    }
    let mut physical = json!({ "artifactLocation": artifact(&file) });
    if let Some((source, range)) = files.range(place) {
        physical["region"] = region(source, range);
    }
    let mut location = json!({ "physicalLocation": physical });
    if place.source.is_some() {
        location["logicalLocations"] =
            json!([{ "fullyQualifiedName": format!("#{}", visible(&place.pointer, false)) }]);
    }
    Some(location)
}

fn artifact(file: &str) -> Value {
    if tungsten_project::is_url(file) {
        return json!({ "uri": percent_encoded(file, b"/:?#@&=+") });
    }
    match file.strip_prefix('/') {
        Some(inside) => json!({ "uri": format!("file:///{}", percent_encoded(inside, b"/")) }),
        None => json!({ "uri": percent_encoded(file, b"/"), "uriBaseId": BASE }),
    }
}

/// Everything but unreserved characters (RFC 3986, section 2.3) and `keep` as `%XX`.
fn percent_encoded(text: &str, keep: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || keep.contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Lines and columns from 1, the end behind the last character (SARIF, section 3.30). A byte order mark is no
/// character.
fn region(source: &Source, (start, end): (u32, u32)) -> Value {
    let has_mark = source.bytes().starts_with(b"\xef\xbb\xbf");
    let position = |offset| {
        let (line, column) = source.line_column(offset);
        (line, if line == 1 && has_mark { column.saturating_sub(1).max(1) } else { column })
    };
    let ((line, column), (end_line, end_column)) = (position(start), position(end.max(start)));
    json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
}

/// Text as a SARIF message string: braces are doubled, since single ones hold placeholders (section 3.11.5), and what
/// would read as a link (section 3.11.6) is parted, so that no input puts one before a reviewer. What an editor would
/// obey is escaped.
fn message_string(text: &str) -> String {
    visible(text, true).replace("](", "] (").replace('{', "{{").replace('}', "}}")
}

#[cfg(test)]
mod tests {
    use super::{artifact, message_string, region};
    use base::Source;
    use serde_json::json;

    #[test]
    fn message_strings_hold_neither_placeholders_nor_links() {
        assert_eq!(message_string("/pets/{0}"), "/pets/{{0}}");
        assert_eq!(message_string("[a](http://x) [b\\](y)"), "[a] (http://x) [b\\] (y)");
        assert_eq!(message_string("a\u{1b}\u{202e}\nb"), "a\\u{{1b}}\\u{{202e}}\nb");
    }

    #[test]
    fn files_are_uri_references() {
        let cases = [
            ("api/open api.yaml", json!({ "uri": "api/open%20api.yaml", "uriBaseId": "%SRCROOT%" })),
            ("a:b/%41#?.yaml", json!({ "uri": "a%3Ab/%2541%23%3F.yaml", "uriBaseId": "%SRCROOT%" })),
            ("../ä\n.yaml", json!({ "uri": "../%C3%A4%0A.yaml", "uriBaseId": "%SRCROOT%" })),
            ("/srv/x y", json!({ "uri": "file:///srv/x%20y" })),
            ("https://a.test/x y", json!({ "uri": "https://a.test/x%20y" })),
        ];
        for (file, expect) in cases {
            assert_eq!(artifact(file), expect, "{file}");
        }
    }

    #[test]
    fn regions_count_code_points_and_no_byte_order_mark() {
        let place = |text: &str, range| {
            let region = region(&Source::from_bytes("x", text), range);
            ["startLine", "startColumn", "endLine", "endColumn"].map(|key| region[key].as_u64().expect("a number"))
        };
        assert_eq!(place("\u{1f600}ä: 1\n", (4, 6)), [1, 2, 1, 3]);
        assert_eq!(place("\u{feff}a: 1\n", (3, 4)), [1, 1, 1, 2]);
        assert_eq!(place("a\r\nb\rc\n", (5, 6)), [3, 1, 3, 2]);
        assert_eq!(place("a: |\n x\n y\n", (5, 10)), [2, 1, 3, 3]);
        assert_eq!(place("", (0, 0)), [1, 1, 1, 1]);
    }
}
