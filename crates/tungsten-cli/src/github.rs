//! The findings of `check` as workflow commands of GitHub Actions, which show them beside the lines of a change:
//! `::error file=..,line=..,col=..,title=..::message`.
//!
//! Files are named from the working directory. As in the text format, at most
//! [`base::limits::PRINTED_PER_CODE`] findings of a code are printed, then their number.

use std::fmt::Write as _;

use base::{Diagnostic, Severity};

use crate::files::{Files, visible};
use crate::outcome::Outcome;
use crate::render::{PerCode, more_line};

/// One line a finding, and the error of a run that could not finish.
pub fn render(outcome: &Outcome) -> String {
    let files = Files::of(outcome);
    let mut out = String::new();
    let mut per_code = PerCode::default();
    for diagnostic in outcome.diagnostics.iter().filter(|one| per_code.admits(one.code)) {
        command(diagnostic, &files, &mut out);
    }
    for (code, n_more) in per_code.left_out() {
        out.push_str(&more_line(code, n_more));
    }
    if let Some(error) = &outcome.error {
        let _ = writeln!(out, "::error title=tungsten::{}", data(&error.message));
    }
    out
}

fn command(diagnostic: &Diagnostic, files: &Files<'_>, out: &mut String) {
    let name = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let _ = write!(out, "::{name} ");
    let file = files.relative(&diagnostic.place);
    if !file.is_empty() {
        let _ = write!(out, "file={},", property(&file));
    }
    if let Some((line, column)) = files.position(&diagnostic.place) {
        let _ = write!(out, "line={line},col={column},");
    }
    let title = format!("{}: {}", diagnostic.code, diagnostic.code.title());
    let mut message = diagnostic.message.clone();
    for (place, why) in &diagnostic.related {
        let file = files.relative(place);
        let at = files.position(place).map_or(file.clone(), |(line, column)| format!("{file}:{line}:{column}"));
        let _ = write!(message, "\n{at}: {why}");
    }
    if let Some(help) = &diagnostic.help {
        let _ = write!(message, "\nhelp: {help}");
    }
    let _ = writeln!(out, "title={}::{}", property(&title), data(&message));
}

/// Text behind the second `::`. Line ends would begin another command, and `%` begins an escape.
fn data(text: &str) -> String {
    escaped(&visible(text, true))
}

/// A value of a `name=value` pair, which `,` and `:` would end.
fn property(text: &str) -> String {
    let shown: String = text
        .chars()
        .map(|c| if base::diag::is_printable(c) || matches!(c, '\r' | '\n') { c } else { '\u{fffd}' })
        .collect();
    escaped(&shown).replace(':', "%3A").replace(',', "%2C")
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn no_text_ends_its_command() {
        assert_eq!(data("a\n::error::b\r50%0A"), "a%0A::error::b\\u{d}50%250A");
        assert_eq!(property("a,b:c\n%\r"), "a%2Cb%3Ac%0A%25%0D");
        for text in ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{b}", "\u{1b}[2J", "\u{202e}", "\0"] {
            for shown in [data(text), property(text)] {
                let is_plain = |c: char| c == '\u{fffd}' || base::diag::is_printable(c);
                assert!(shown.chars().all(is_plain), "{text:?}: {shown:?}");
            }
        }
    }
}
