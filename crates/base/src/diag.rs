//! Diagnostics: what was found, where, and what to do. Collected by passes in any order, sorted before anybody sees
//! them.

use crate::codes::Code;
use crate::source::{SourceId, Sources};

/// How bad a finding is; the order is the order of printing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input is refused.
    Error,
    /// The output may be wrong or somebody must act.
    Warning,
    /// A safe choice was made.
    Info,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// A place in an input: the file, a JSON Pointer for people, a byte range for editors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    pub source: Option<SourceId>,
    /// File name for places in no loaded source, such as a file that could not be read.
    pub file: Option<String>,
    /// RFC 6901. Empty for the whole document.
    pub pointer: String,
    /// Byte range in the source, if known.
    pub range: Option<(u32, u32)>,
}

impl Place {
    /// A place in a loaded source.
    pub fn at(source: SourceId, pointer: impl Into<String>, range: (u32, u32)) -> Self {
        Self { source: Some(source), file: None, pointer: pointer.into(), range: Some(range) }
    }

    /// A file that is no source, because it could not be read or is an output.
    pub fn file(name: impl Into<String>) -> Self {
        Self { file: Some(name.into()), ..Self::default() }
    }

    /// The file's name, empty when there is none.
    pub fn file_name<'a>(&'a self, sources: &'a Sources) -> &'a str {
        match (self.source, &self.file) {
            (Some(id), _) => sources.get(id).name(),
            (None, Some(name)) => name,
            (None, None) => "",
        }
    }
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// Lower-case start, no full stop; makes sense alone.
    pub message: String,
    /// What to do, when the message does not already say it all.
    pub help: Option<String>,
    pub place: Place,
    /// Other places that matter, each with a word on why.
    pub related: Vec<(Place, String)>,
}

impl Diagnostic {
    /// A finding with the severity, and the help if there is one, that the registry gives its code.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        let help = code.help().map(str::to_owned);
        Self { code, severity: code.severity(), message: message.into(), help, place, related: Vec::new() }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    pub fn related(mut self, place: Place, why: impl Into<String>) -> Self {
        self.related.push((place, why.into()));
        self
    }
}

/// The findings of a run.
#[derive(Clone, Default, Debug)]
pub struct Diags {
    list: Vec<Diagnostic>,
}

impl Diags {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Reports a finding; returns it for a help text or related places.
    pub fn report(&mut self, code: Code, place: Place, message: impl Into<String>) -> &mut Diagnostic {
        self.list.push(Diagnostic::new(code, place, message));
        self.list.last_mut().expect("a diagnostic was just pushed")
    }

    pub fn append(&mut self, other: Self) {
        self.list.extend(other.list);
    }

    pub fn extend(&mut self, others: impl IntoIterator<Item = Diagnostic>) {
        self.list.extend(others);
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.list.iter_mut()
    }

    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.list.retain(keep);
    }

    pub fn count(&self, severity: Severity) -> usize {
        self.list.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    pub fn has_errors(&self) -> bool {
        self.list.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Sorts by severity, code, file, pointer, message, and drops exact repeats: thread order cannot show.
    pub fn finish(mut self, sources: &Sources) -> Vec<Diagnostic> {
        self.list.sort_by(|a, b| {
            let key = |d: &Diagnostic| (d.severity, d.code);
            key(a)
                .cmp(&key(b))
                .then_with(|| a.place.file_name(sources).cmp(b.place.file_name(sources)))
                .then_with(|| a.place.pointer.cmp(&b.place.pointer))
                .then_with(|| a.place.range.cmp(&b.place.range))
                .then_with(|| a.message.cmp(&b.message))
        });
        self.list.dedup();
        self.list
    }
}

/// Text of an input inside a message: one line, at most 80 characters, control and format characters escaped, so that
/// a terminal shows what is there and obeys nothing. An empty text is shown as two quotes.
pub fn quoted(text: &str) -> String {
    const MAX_CHARS: usize = 80;
    if text.is_empty() {
        return "`\"\"`".to_owned();
    }
    let mut out = String::from("`");
    for (index, c) in text.chars().enumerate() {
        if index == MAX_CHARS {
            out.push('…');
            break;
        }
        if is_printable(c) { out.push(c) } else { out.extend(c.escape_unicode()) }
    }
    out.push('`');
    out
}

/// Whether a terminal shows the character as itself: no control, bidirectional or other format character, no unassigned
/// separator.
pub fn is_printable(c: char) -> bool {
    !(c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'))
}

#[cfg(test)]
mod tests {
    use super::{Diagnostic, Diags, Place, Severity, quoted};
    use crate::codes::Code;
    use crate::source::Sources;

    #[test]
    fn findings_are_sorted_and_repeats_dropped() {
        let mut diags = Diags::new();
        for (code, pointer) in [(Code::TG0401, "/b"), (Code::TG0201, "/z"), (Code::TG0201, "/a"), (Code::TG0201, "/a")]
        {
            let place = Place { pointer: pointer.to_owned(), ..Place::default() };
            diags.report(code, place, "m");
        }
        let order: Vec<_> = diags.finish(&Sources::new()).into_iter().map(|d| (d.code, d.place.pointer)).collect();
        let expect = [(Code::TG0201, "/a"), (Code::TG0201, "/z"), (Code::TG0401, "/b")];
        assert_eq!(order, expect.map(|(code, pointer)| (code, pointer.to_owned())));
        assert!(Severity::Error < Severity::Info);
    }

    #[test]
    fn an_exceeded_budget_says_what_to_do() {
        let finding = |code| Diagnostic::new(code, Place::default(), "m").help;
        assert!(finding(Code::TG0105).is_some_and(|help| help.contains("split the input")));
        assert_eq!(finding(Code::TG0401), None);
    }

    #[test]
    fn quoted_text_cannot_drive_a_terminal() {
        assert_eq!(quoted("a\u{1b}[2J\u{202e}"), "`a\\u{1b}[2J\\u{202e}`");
        assert_eq!(quoted(&"x".repeat(90)).chars().count(), 83);
        assert_eq!(quoted(""), "`\"\"`");
    }
}
