//! The one text writer, for all languages: lines, blocks, comments, imports.
//!
//! Trusted text goes in as it is: constants of the emitter, names of a naming profile, numbers, and what the escapers
//! return. Text of a description is a [`SpecText`], which has no `Display`; here it only fits into comments.
//! Indentation comes from `block` and `indent` alone, never from looking at the text.

use std::fmt::Arguments;

use base::SpecText;

use crate::escape::comment::{self, Lines};
use crate::imports::Imports;
use crate::lang::{DocStyle, Lang};
use crate::layout::{Doc, Page, Scratch};
use crate::text::Text;

/// A file that is being written.
#[derive(Debug)]
pub struct Writer {
    lang: &'static Lang,
    body: String,
    depth: usize,
    /// A blank line is due before the next line.
    blank: bool,
    /// Nothing stands in the current block yet.
    fresh: bool,
    pub imports: Imports,
    /// Memory for layouts and comments, kept from one to the next.
    doc: Doc,
    scratch: Scratch,
    lines: Lines,
}

/// Documentation of one item.
#[derive(Clone, Default, Debug)]
pub struct DocComment<'a> {
    /// Paragraphs of the description; empty ones are left out.
    pub texts: Vec<SpecText<'a>>,
    /// Paragraphs of our own, behind the description's.
    pub notes: Vec<String>,
    pub tags: Vec<DocTag<'a>>,
}

/// A tag behind the prose: `@name lead text`.
#[derive(Clone, Debug)]
pub struct DocTag<'a> {
    pub name: &'static str,
    /// Trusted text: a parameter's name, a literal from an escaper. May be empty.
    pub lead: String,
    pub text: Option<SpecText<'a>>,
}

/// Writes one line at the current depth: `line!(o, "{name}: {ty};")`.
#[macro_export]
macro_rules! line {
    ($o:expr, $($arg:tt)*) => {
        $o.line(format_args!($($arg)*))
    };
}

impl Writer {
    pub fn new(lang: &'static Lang) -> Self {
        Self {
            lang,
            body: String::new(),
            depth: 0,
            blank: false,
            fresh: true,
            imports: Imports::new(),
            doc: Doc::new(),
            scratch: Scratch::default(),
            lines: Lines::default(),
        }
    }

    pub fn lang(&self) -> &'static Lang {
        self.lang
    }

    /// One line at the current depth, without its line end.
    pub fn line(&mut self, text: impl Text) {
        self.line_of(text, "");
    }

    fn line_of(&mut self, text: impl Text, tail: &str) {
        let start = self.start_line();
        text.push_to(&mut self.body);
        self.body.push_str(tail);
        debug_assert!(!self.body[start..].contains('\n'), "one line at a time: {:?}", &self.body[start..]);
        self.body.push('\n');
    }

    /// A blank line before the next line. At the start of a block, at its end and after another one it counts for
    /// nothing.
    pub fn blank(&mut self) {
        self.blank = !self.fresh;
    }

    /// `head`, the block's opening, what `body` writes one step deeper, and its closing.
    pub fn block(&mut self, head: impl Text, body: impl FnOnce(&mut Self)) {
        let Lang { open, close, empty_block, .. } = *self.lang;
        self.line_of(head, open);
        let before = self.body.len();
        self.fresh = true;
        self.indent(body);
        self.blank = false;
        if self.body.len() == before {
            self.body.truncate(before - open.len() - 1);
            self.body.push_str(empty_block);
            self.body.push('\n');
        } else if let Some(close) = close {
            self.line(close);
        }
        self.fresh = false;
    }

    /// What `body` writes, one step deeper.
    pub fn indent(&mut self, body: impl FnOnce(&mut Self)) {
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    /// Fixed lines, their common indentation removed, at the current depth.
    pub fn text(&mut self, text: &'static str) {
        let lines = || text.trim_matches('\n').lines();
        let common = lines().filter(|line| !line.trim().is_empty()).map(leading_spaces).min().unwrap_or(0);
        for line in lines() {
            if line.trim().is_empty() { self.blank() } else { self.line(&line[common..]) }
        }
    }

    /// A layout, starting on a line of its own.
    pub fn print(&mut self, doc: &Doc) {
        self.start_line();
        let (page, column) = (self.page(), self.depth * self.lang.indent_width);
        doc.print_with(&mut self.scratch, &mut self.body, page, self.depth, column);
        self.body.push('\n');
    }

    /// Builds a layout and writes it, starting on a line of its own.
    pub fn layout(&mut self, build: impl FnOnce(&mut Doc)) {
        let mut doc = std::mem::take(&mut self.doc);
        doc.clear();
        build(&mut doc);
        self.print(&doc);
        self.doc = doc;
    }

    /// Documentation of the item that follows; nothing when the text has no words.
    pub fn doc(&mut self, text: SpecText<'_>) {
        self.doc_comment(&DocComment { texts: vec![text], ..DocComment::default() });
    }

    /// Documentation with notes and tags; nothing when all of it is empty.
    pub fn doc_comment(&mut self, comment: &DocComment<'_>) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.clear();
        self.doc_lines(&mut lines, comment);
        let only = if lines.len() == 1 { lines.iter().next() } else { None };
        match (self.lang.doc, only) {
            _ if lines.is_empty() => {}
            (DocStyle::Lines(marker), _) => self.marked(marker, &lines),
            (DocStyle::JsDoc, Some(only)) if self.fits_one_line(only) => {
                self.line(format_args!("/** {only} */"));
            }
            (DocStyle::JsDoc, _) => {
                self.line("/**");
                self.marked(" *", &lines);
                self.line(" */");
            }
        }
        self.lines = lines;
    }

    /// A line comment, wrapped.
    pub fn comment(&mut self, text: SpecText<'_>) {
        let mut lines = Lines::default();
        comment::prose(&mut lines, text, self.lang.form, self.comment_columns(self.lang.comment.len()));
        self.marked(self.lang.comment, &lines);
    }

    /// A line comment of our own words.
    pub fn note(&mut self, text: Arguments<'_>) {
        self.line(format_args!("{} {text}", self.lang.comment));
    }

    /// See [`Imports::import`].
    pub fn import(&mut self, module: &str, name: &str) -> String {
        self.imports.import(module, name)
    }

    /// See [`Imports::import_type`].
    pub fn import_type(&mut self, module: &str, name: &str) -> String {
        self.imports.import_type(module, name)
    }

    /// The whole file: `header` (its lines already comments, or empty), imports, body; one blank line between them and
    /// a line end last.
    pub fn finish(self, header: &str) -> String {
        let mut top = header.to_owned();
        if !self.imports.is_empty() {
            separate(&mut top);
            self.imports.print(self.lang.imports, self.page(), &mut top);
        }
        let mut body = self.body;
        if !body.is_empty() {
            separate(&mut top);
        }
        // Moved within its memory: a new one would be touched for the first time, which costs more.
        body.insert_str(0, &top);
        body
    }

    fn page(&self) -> Page {
        Page { width: self.lang.width, indent: self.lang.indent, indent_width: self.lang.indent_width }
    }

    /// Writes the blank line that is due and the indentation; returns where the line's text starts.
    fn start_line(&mut self) -> usize {
        if std::mem::take(&mut self.blank) {
            self.body.push('\n');
        }
        self.fresh = false;
        for _ in 0..self.depth {
            self.body.push_str(self.lang.indent);
        }
        self.body.len()
    }

    /// Columns that are left for a comment's text behind a marker and a space.
    fn comment_columns(&self, marker: usize) -> usize {
        const LEAST: usize = 40;
        self.lang.comment_width.saturating_sub(self.depth * self.lang.indent_width + marker + 1).max(LEAST)
    }

    fn fits_one_line(&self, line: &str) -> bool {
        crate::escape::width(line) + self.depth * self.lang.indent_width + "/** */".len() < self.lang.comment_width
    }

    /// Lines behind a marker, a space between; an empty line has the marker alone.
    fn marked(&mut self, marker: &str, lines: &Lines) {
        for line in lines.iter() {
            self.start_line();
            self.body.push_str(marker);
            if !line.is_empty() {
                self.body.push(' ');
                self.body.push_str(line);
            }
            self.body.push('\n');
        }
    }

    fn doc_lines(&self, lines: &mut Lines, comment: &DocComment<'_>) {
        let marker = match self.lang.doc {
            DocStyle::JsDoc => 2,
            DocStyle::Lines(marker) => marker.len(),
        };
        let columns = self.comment_columns(marker);
        for text in &comment.texts {
            paragraph(lines, |lines| comment::prose(lines, *text, self.lang.form, columns));
        }
        for note in &comment.notes {
            paragraph(lines, |lines| comment::wrap(lines, note, 0, columns, Lines::end_line));
        }
        paragraph(lines, |lines| comment.tags.iter().for_each(|tag| self.tag_lines(lines, tag, columns)));
    }

    fn tag_lines(&self, lines: &mut Lines, tag: &DocTag<'_>, columns: usize) {
        let mut words = match self.lang.doc {
            DocStyle::JsDoc => format!("@{}", tag.name),
            DocStyle::Lines(_) => format!("{}:", tag.name),
        };
        if !tag.lead.is_empty() {
            words.push(' ');
            words.push_str(&tag.lead);
        }
        let text = tag.text.map(|text| comment::one_line(text, self.lang.form)).unwrap_or_default();
        if text.is_empty() {
            return lines.push(&words);
        }
        // The lead is not wrapped: spaces in it may be part of a literal.
        let columns = columns.saturating_sub(words.len() + 1).max(columns / 2);
        words.push(' ');
        lines.push_str(&words);
        comment::wrap(lines, &text, 2, columns, Lines::end_line);
    }
}

/// Appends a paragraph, a blank line before it when something stands there already.
fn paragraph(lines: &mut Lines, write: impl FnOnce(&mut Lines)) {
    let before = lines.len();
    if before > 0 {
        lines.push("");
    }
    let first = lines.len();
    write(lines);
    if lines.len() == first {
        lines.truncate(before);
    }
}

fn separate(out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
}

fn leading_spaces(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    use super::{DocComment, DocTag, Writer};
    use crate::layout::typescript::object;
    use crate::{Doc, Lang};

    #[test]
    fn blocks_indent_and_blank_lines_meet() {
        let mut o = Writer::new(&Lang::TYPESCRIPT);
        o.blank();
        let name = "A";
        o.block(format_args!("class {name}"), |o| {
            o.blank();
            line!(o, "a = {};", 1);
            o.blank();
            o.blank();
            o.block("b()", |o| o.line("return;"));
            o.block("c()", |_| {});
            o.blank();
        });
        o.blank();
        o.text("\n    if (a) {\n      b;\n\n    }\n");
        o.note(format_args!("{} words", 2));
        o.layout(|doc| object(doc, ["a"], Doc::text));
        assert_eq!(
            o.finish("// header\n"),
            "// header\n\nclass A {\n  a = 1;\n\n  b() {\n    return;\n  }\n  c() {}\n}\n\nif (a) {\n  b;\n\n}\n// 2 words\n{ a }\n"
        );
    }

    #[test]
    fn python_blocks_have_no_end() {
        let mut o = Writer::new(&Lang::PYTHON);
        o.block("class A", |o| o.block("def b()", |_| {}));
        o.comment(SpecText::new("type: ignore"));
        assert_eq!(o.finish(""), "class A:\n    def b(): ...\n# \\type: ignore\n");
    }

    #[test]
    fn documentation() {
        let mut o = Writer::new(&Lang::TYPESCRIPT);
        o.doc(SpecText::new(""));
        o.doc(SpecText::new("One */ line"));
        o.doc(SpecText::new("Two.\n\nParagraphs."));
        o.indent(|o| {
            o.doc_comment(&DocComment {
                texts: vec![SpecText::new("Text."), SpecText::new(" ")],
                notes: vec!["Our own words.".to_owned()],
                tags: vec![
                    DocTag { name: "default", lead: "\"a  b\"".to_owned(), text: None },
                    DocTag { name: "deprecated", lead: String::new(), text: Some(SpecText::new("Use\n@other.")) },
                ],
            });
        });
        assert_eq!(
            o.finish(""),
            "/** One *\\/ line */\n/**\n * Two.\n *\n * Paragraphs.\n */\n  /**\n   * Text.\n   *\n   * Our own words.\n   *\n   \
             * @default \"a  b\"\n   * @deprecated Use \\@other.\n   */\n"
        );
        let mut o = Writer::new(&Lang::RUST);
        o.doc(SpecText::new("A\n\nB"));
        o.doc_comment(&DocComment {
            tags: vec![DocTag { name: "Default", lead: "1".to_owned(), text: None }],
            ..DocComment::default()
        });
        assert_eq!(o.finish(""), "/// A\n///\n/// B\n/// Default: 1\n");
    }

    #[test]
    fn comments_stay_within_their_width() {
        let mut o = Writer::new(&Lang::TYPESCRIPT);
        let long = "word ".repeat(100);
        o.indent(|o| {
            o.doc(SpecText::new(&long));
            o.comment(SpecText::new(&long));
            let tag = DocTag { name: "deprecated", lead: String::new(), text: Some(SpecText::new(&long)) };
            o.doc_comment(&DocComment { tags: vec![tag], ..DocComment::default() });
        });
        let file = o.finish("");
        assert!(file.lines().all(|line| line.len() <= Lang::TYPESCRIPT.comment_width), "{file}");
        assert_eq!(file.matches("word").count(), 300);
    }
}
