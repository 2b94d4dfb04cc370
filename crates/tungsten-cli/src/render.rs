//! Diagnostics for people: the finding, the source line with the place marked, other places, what to do.
//!
//! At most [`base::limits::PRINTED_PER_CODE`] findings of one code are printed in full, then their number.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use base::limits::PRINTED_PER_CODE;
use base::{Code, Diagnostic, Place, Severity, Sources};
use tungsten_project::Shown;

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

/// All diagnostics as text. Colors are left in; the stream that prints it drops them where they do not belong.
pub fn render(outcome: &Outcome) -> String {
    let (files, notes) = (Files { sources: &outcome.sources, shown: &outcome.shown }, outcome.notes);
    let renderer = Renderer::styled();
    let mut out = String::new();
    let mut printed: BTreeMap<Code, usize> = BTreeMap::new();
    for diagnostic in &outcome.diagnostics {
        let is_note = diagnostic.severity == Severity::Info;
        let count = printed.entry(diagnostic.code).or_default();
        *count += 1;
        if *count > PRINTED_PER_CODE || is_note && notes == Notes::Counted {
            continue;
        }
        if is_note {
            note_line(diagnostic, files, &mut out);
        } else {
            out.push_str(&renderer.render(&[group(diagnostic, files)]));
            out.push_str("\n\n");
        }
    }
    if notes == Notes::Counted {
        for (code, count) in printed.iter().filter(|(code, _)| code.severity() == Severity::Info) {
            let _ = writeln!(out, "{code}: {count} (note: {})", code.title());
        }
        printed.retain(|code, _| code.severity() != Severity::Info);
    }
    for (code, count) in printed {
        if count > PRINTED_PER_CODE {
            let _ = writeln!(
                out,
                "{code}: {} more like this; --json lists all ({})",
                count - PRINTED_PER_CODE,
                code.title()
            );
        }
    }
    out
}

/// The inputs, and how they are called.
#[derive(Clone, Copy)]
struct Files<'a> {
    sources: &'a Sources,
    shown: &'a Shown,
}

impl Files<'_> {
    /// The path of a place's file, without what a terminal would obey: a `$ref` may have chosen the name.
    fn name(self, place: &Place) -> String {
        let path = self.shown.path(place.file_name(self.sources));
        path.chars().map(printable).collect()
    }
}

fn printable(c: char) -> char {
    if base::diag::is_printable(c) { c } else { '\u{fffd}' }
}

fn note_line(diagnostic: &Diagnostic, files: Files<'_>, out: &mut String) {
    let name = files.name(&diagnostic.place);
    let _ = write!(out, "note[{}]: ", diagnostic.code);
    if let (Some(source), Some((start, _))) = (diagnostic.place.source, diagnostic.place.range) {
        let (line, column) = files.sources.get(source).line_column(start);
        let _ = write!(out, "{name}:{line}:{column}: ");
    }
    let _ = writeln!(out, "{}", diagnostic.message);
}

fn group<'a>(diagnostic: &'a Diagnostic, files: Files<'a>) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.name());
    let mut elements = vec![place_element(&diagnostic.place, files, None)];
    elements.extend(diagnostic.related.iter().map(|(place, why)| place_element(place, files, Some(why))));
    let mut group = Group::with_title(title).elements(elements.into_iter().flatten());
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

fn place_element<'a>(place: &'a Place, files: Files<'a>, label: Option<&'a String>) -> Option<Element<'a>> {
    let name = files.name(place);
    let (Some(source), Some((start, end))) = (place.source, place.range) else {
        return (!name.is_empty()).then(|| Origin::path(name).into());
    };
    let source = files.sources.get(source);
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
