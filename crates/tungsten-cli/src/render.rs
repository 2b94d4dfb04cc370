//! Diagnostics for people: the finding, the source line with the place marked, other places, what to do.
//!
//! At most [`base::limits::PRINTED_PER_CODE`] findings of one code are printed in full, then their number.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use base::limits::PRINTED_PER_CODE;
use base::{Code, Diagnostic, Place, Severity};

use crate::files::{Files, printable, visible};
use crate::outcome::Outcome;

/// Bytes of a line that is still shown; of a longer one, such as a minified document, only the place is named.
const LONGEST_LINE: usize = 400;

/// How notes (findings of severity info) are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notes {
    /// A line each.
    #[default]
    Listed,
    /// Their number by code: for commands whose result is something else.
    Counted,
}

/// Counts findings by code, and tells which are still printed.
#[derive(Default)]
pub struct PerCode(BTreeMap<Code, usize>);

impl PerCode {
    /// Counts one finding: whether it is among the first of its code.
    pub fn admits(&mut self, code: Code) -> bool {
        let count = self.0.entry(code).or_default();
        *count += 1;
        *count <= PRINTED_PER_CODE
    }

    /// The codes of which some were not printed, and how many.
    pub fn left_out(&self) -> impl Iterator<Item = (Code, usize)> {
        let more = self.0.iter().filter(|(_, count)| **count > PRINTED_PER_CODE);
        more.map(|(code, count)| (*code, count - PRINTED_PER_CODE))
    }
}

/// What stands for the findings of a code that are not printed.
pub fn more_line(code: Code, n_more: usize) -> String {
    format!("{code}: {n_more} more like this; --json lists all ({})\n", code.title())
}

/// All diagnostics as text. Colors are left in; the stream that prints it drops them where they do not belong.
pub fn render(outcome: &Outcome) -> String {
    let (files, notes) = (Files::of(outcome), outcome.notes);
    let renderer = Renderer::styled();
    let mut out = String::new();
    let (mut per_code, mut notes_by_code) = (PerCode::default(), BTreeMap::<Code, usize>::new());
    for diagnostic in &outcome.diagnostics {
        if diagnostic.severity == Severity::Info && notes == Notes::Counted {
            *notes_by_code.entry(diagnostic.code).or_default() += 1;
        } else if per_code.admits(diagnostic.code) {
            finding(&renderer, diagnostic, &files, &mut out);
        }
    }
    for (code, count) in notes_by_code {
        let _ = writeln!(out, "{code}: {count} (note: {})", code.title());
    }
    for (code, n_more) in per_code.left_out() {
        out.push_str(&more_line(code, n_more));
    }
    out
}

/// A note is a line, anything else is shown with its places.
fn finding(renderer: &Renderer, diagnostic: &Diagnostic, files: &Files<'_>, out: &mut String) {
    if diagnostic.severity == Severity::Info {
        note_line(diagnostic, files, out);
    } else {
        out.push_str(&full(renderer, diagnostic, files));
        out.push_str("\n\n");
    }
}

fn note_line(diagnostic: &Diagnostic, files: &Files<'_>, out: &mut String) {
    let name = files.name(&diagnostic.place);
    let _ = write!(out, "note[{}]: ", diagnostic.code);
    if let Some((line, column)) = files.position(&diagnostic.place) {
        let _ = write!(out, "{name}:{line}:{column}: ");
    }
    let _ = writeln!(out, "{}", visible(&diagnostic.message, false));
}

/// A finding with its places. Line ends in its texts are escaped: no line of the output is an input's alone.
fn full(renderer: &Renderer, diagnostic: &Diagnostic, files: &Files<'_>) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let message = visible(&diagnostic.message, false);
    let title = level.primary_title(message.as_str()).id(diagnostic.code.name());
    let labels: Vec<String> = diagnostic.related.iter().map(|(_, why)| visible(why, false)).collect();
    let mut elements = vec![place_element(&diagnostic.place, files, None)];
    let related = diagnostic.related.iter().zip(&labels);
    elements.extend(related.map(|((place, _), why)| place_element(place, files, Some(why))));
    let help = diagnostic.help.as_deref().map(|help| visible(help, false));
    let mut group = Group::with_title(title).elements(elements.into_iter().flatten());
    if let Some(help) = &help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

fn place_element<'a>(place: &Place, files: &Files<'_>, label: Option<&'a String>) -> Option<Element<'a>> {
    let name = files.name(place);
    let Some((source, (start, end))) = files.range(place) else {
        return (!name.is_empty()).then(|| Origin::path(name).into());
    };
    let (line, column) = source.line_column(start);
    if source.line_bytes(line).len() > LONGEST_LINE {
        return Some(Origin::path(name).line(line as usize).char_column(column as usize).into());
    }
    let marked = &source.bytes()[start as usize..(end.max(start) as usize).min(source.bytes().len())];
    let n_marked = String::from_utf8_lossy(marked).chars().take_while(|c| *c != '\n').count().max(1);
    let (text, marked) = shown_line(&source.line(line), column as usize - 1, n_marked);
    let kind = if label.is_some() { AnnotationKind::Context } else { AnnotationKind::Primary };
    let mut annotation = kind.span(marked);
    if let Some(label) = label {
        annotation = annotation.label(label.as_str());
    }
    Some(Snippet::source(text).line_start(line as usize).path(name).annotation(annotation).into())
}

/// A line as it is printed, and the bytes of it that are marked. Characters that a terminal would obey are replaced.
fn shown_line(line: &str, column: usize, n_marked: usize) -> (String, std::ops::Range<usize>) {
    let text: String = line.chars().map(|c| if c == '\t' { c } else { printable(c) }).collect();
    let byte = |n: usize| text.char_indices().nth(n).map_or(text.len(), |(index, _)| index);
    let marked = byte(column)..byte(column + n_marked);
    (text, marked)
}

#[cfg(test)]
mod tests {
    use base::Code;
    use base::limits::PRINTED_PER_CODE;

    use super::PerCode;

    #[test]
    fn so_many_findings_of_a_code_are_printed_and_no_more() {
        let mut per_code = PerCode::default();
        let mut admitted = |n: usize| (0..n).filter(|_| per_code.admits(Code::TG0201)).count();
        assert_eq!(admitted(PRINTED_PER_CODE), PRINTED_PER_CODE);
        assert_eq!(admitted(1), 0);
        assert!(per_code.admits(Code::TG0202), "each code has its own");
        assert_eq!(per_code.left_out().collect::<Vec<_>>(), [(Code::TG0201, 1)]);
    }
}
