//! How the files of findings are called by each output format, and text of an input made harmless to look at.

use std::path::PathBuf;

use base::{Place, Source, Sources};
use tungsten_project::Shown;

use crate::outcome::Outcome;

/// The inputs of a run, and how they are called.
pub struct Files<'a> {
    sources: &'a Sources,
    shown: &'a Shown,
    /// Unknown when the working directory is gone; then names stay as they are.
    here: Option<PathBuf>,
}

impl<'a> Files<'a> {
    pub fn of(outcome: &'a Outcome) -> Self {
        Self { sources: &outcome.sources, shown: &outcome.shown, here: std::env::current_dir().ok() }
    }

    /// The path of a place's file for people, without what a terminal would obey: a `$ref` may have chosen the name.
    pub fn name(&self, place: &Place) -> String {
        let path = self.shown.path(place.file_name(self.sources));
        path.chars().map(printable).collect()
    }

    /// The path of a place's file from the working directory, for programs that open it: always relative below that
    /// directory, whatever way the command line named it. Empty for a place without a file.
    pub fn relative(&self, place: &Place) -> String {
        let name = place.file_name(self.sources);
        if place.source.is_none() && tungsten_project::is_url(name) {
            return name.to_owned();
        }
        let path = self.shown.path(name);
        match &self.here {
            Some(here) if !path.is_empty() => tungsten_project::relative_path(here, &path),
            _ => path,
        }
    }

    pub fn range(&self, place: &Place) -> Option<(&'a Source, (u32, u32))> {
        Some((self.sources.get(place.source?).as_ref(), place.range?))
    }

    /// Line and column of a place, both from 1, the column in characters.
    pub fn position(&self, place: &Place) -> Option<(u32, u32)> {
        let (source, (start, _)) = self.range(place)?;
        Some(source.line_column(start))
    }
}

/// The character, or a stand-in for one that a terminal would obey.
pub fn printable(c: char) -> char {
    if base::diag::is_printable(c) { c } else { '\u{fffd}' }
}

/// Text whose control, bidirectional and other format characters stand as escapes; line feeds stay when `lines` says
/// so.
pub fn visible(text: &str, lines: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if base::diag::is_printable(c) || lines && c == '\n' { out.push(c) } else { out.extend(c.escape_unicode()) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn text_drives_no_terminal() {
        assert_eq!(visible("a\nb\t\u{1b}", true), "a\nb\\u{9}\\u{1b}");
        assert_eq!(visible("a\nb\u{2028}ä😀", false), "a\\u{a}b\\u{2028}ä😀");
    }
}
