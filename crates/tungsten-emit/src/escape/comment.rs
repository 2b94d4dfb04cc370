//! Text of a description inside comments: prose wrapped to a width, in lines that hold nothing but words.
//!
//! A line end of any language is a line end here. Characters that hide or reorder text are left out, end markers are
//! broken, and what tools read as a directive or a tag is written so that they do not. The comment's own marker, and the
//! space behind it, are left to the writer.

use std::borrow::Cow;

use base::SpecText;

use super::chars::{ends_line, is_plain_ascii, stays, width};
use super::untrusted;

/// What reads the comment besides people, which decides what must be broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `/** */` or `//` of TypeScript: tags start with `@`, the comment ends at `*/`.
    JsDoc,
    /// `#` of Python, TOML and YAML: tools read `type:`, `noqa` and others.
    Hash,
    /// `///` and `//!` of Rust: Markdown whose code blocks are compiled as tests.
    RustDoc,
    /// `//` of Go: build constraints start with `+build`.
    GoDoc,
}

/// The text as one line: line ends become spaces.
pub fn one_line(text: SpecText<'_>, form: Form) -> String {
    let text = untrusted(text);
    let mut words = String::with_capacity(text.len());
    for line in source_lines(text, form) {
        push_words(&mut words, &line);
    }
    if form == Form::RustDoc {
        words = break_fences(&words);
    }
    let mut line = [finish_line(words, form)];
    if form == Form::JsDoc {
        close_backticks(line.iter_mut());
    }
    std::mem::take(&mut line[0])
}

/// The text as lines of at most `columns` columns where words allow. Paragraphs, list items, tables, headings and fenced
/// code keep their own lines. No line is empty at either end, and none ends with a space or a backslash.
pub fn prose(text: SpecText<'_>, form: Form, columns: usize) -> Vec<String> {
    let mut prose = Prose { form, columns, out: Vec::new(), words: String::new(), hanging: String::new(), fence: None };
    for line in source_lines(untrusted(text), form) {
        prose.take(&line);
    }
    prose.end()
}

/// Splits at every line end, drops what may not stay and breaks markers. Most lines are borrowed as they are.
fn source_lines(text: &str, form: Form) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(at) = text.find(ends_line) else { return rest.take() };
        let (line, after) = text.split_at(at);
        let after_end = after.strip_prefix("\r\n").unwrap_or_else(|| {
            let mut chars = after.chars();
            chars.next();
            chars.as_str()
        });
        rest = Some(after_end);
        Some(line)
    })
    .map(move |line| clean(line, form))
}

fn clean(line: &str, form: Form) -> Cow<'_, str> {
    let kept: Cow<'_, str> = if is_plain_ascii(line) {
        line.into()
    } else {
        line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| stays(*c)).collect()
    };
    match form {
        // `/*` goes too: some tools count nesting.
        Form::JsDoc if kept.contains(['*', '@']) => {
            break_tags(&kept.replace("*/", "*\\/").replace("/*", "/\\*")).into()
        }
        _ => kept,
    }
}

/// Writes `\@` where a reader of JSDoc starts a tag: anywhere but inside a word. A word such as a mail address is
/// left, unless what follows is one of the compiler's own directives.
fn break_tags(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        let in_word = before.is_alphanumeric() || matches!(before, '.' | '_' | '%' | '+' | '-' | '`' | '\\');
        if c == '@' && before != '\\' && (!in_word || is_directive(&line[at + 1..])) {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

/// `@ts-ignore`, `@jsx` and their kin are obeyed wherever they stand.
fn is_directive(after: &str) -> bool {
    let start: String = after.chars().take(3).collect::<String>().to_ascii_lowercase();
    start == "ts-" || start == "jsx"
}

/// An odd number of backticks would take the comment's own tags into a code span; the last one becomes an apostrophe.
fn close_backticks<'a>(lines: impl Iterator<Item = &'a mut String>) {
    let mut lines: Vec<&mut String> = lines.collect();
    let count: usize = lines.iter().map(|line| line.matches('`').count()).sum();
    if count.is_multiple_of(2) {
        return;
    }
    let last = lines.iter_mut().rev().find_map(|line| line.rfind('`').map(|at| (line, at)));
    if let Some((line, at)) = last {
        line.replace_range(at..=at, "'");
    }
}

/// `# noqa` is read in the middle of a comment as well: a backslash stands behind a `#` that a word follows.
fn break_inner_directives(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        out.push(c);
        if c == '#' && line[at + 1..].trim_start().starts_with(char::is_alphabetic) {
            out.push('\\');
        }
    }
    out
}

/// Words of prose with single spaces between. In Rust, nothing that could open a code block in a list or a quote.
fn push_plain_words(out: &mut String, line: &str, form: Form) {
    match form {
        Form::RustDoc => push_words(out, &break_fences(&squeeze(line))),
        Form::JsDoc | Form::Hash | Form::GoDoc => push_words(out, line),
    }
}

fn break_fences(line: &str) -> String {
    line.replace("```", "\\`\\`\\`").replace("~~~", "\\~\\~\\~")
}

/// Appends words, a single space before each but the first of the text.
fn push_words(out: &mut String, line: &str) {
    for word in line.split_whitespace() {
        if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(word);
    }
}

/// Runs of spaces become one; none at the ends.
fn squeeze(line: &str) -> String {
    let mut words = String::with_capacity(line.len());
    push_words(&mut words, line);
    words
}

/// What must hold for each printed line, whatever came before it.
fn finish_line(mut line: String, form: Form) -> String {
    line.truncate(line.trim_end_matches(|c: char| c == '\\' || c.is_whitespace()).len());
    match form {
        Form::Hash if starts_directive(&line) => format!("\\{}", break_inner_directives(&line)),
        Form::Hash => break_inner_directives(&line),
        Form::GoDoc if line.starts_with('+') => format!("\\{line}"),
        _ => line,
    }
}

/// `type: ignore`, `fmt: off`, `noqa`, `-*- coding`, `!interpreter`: what tools look for right behind a `#`.
fn starts_directive(line: &str) -> bool {
    let line = line.trim_start();
    let word: String = line.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.')).collect();
    let rest = line[word.len()..].trim_start();
    line.starts_with(['!', '-', '%'])
        || (!word.is_empty() && rest.starts_with([':', '=']))
        || word.to_ascii_lowercase().starts_with("noqa")
}

/// Lines being wrapped.
struct Prose {
    form: Form,
    columns: usize,
    out: Vec<String>,
    /// Words of the paragraph that is being read.
    words: String,
    /// Spaces before the paragraph's second and later lines.
    hanging: String,
    /// Inside fenced code: the mark that ends it.
    fence: Option<&'static str>,
}

impl Prose {
    fn take(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(mark) = self.fence {
            return self.take_code(line, trimmed, mark);
        }
        if trimmed.is_empty() {
            self.flush();
            self.blank();
        } else if let Some(mark) = fence_mark(trimmed) {
            self.flush();
            self.fence = Some(mark);
            // A code block of a Rust comment is compiled unless it says that it is text.
            let info = if self.form == Form::RustDoc { "text".to_owned() } else { fence_info(trimmed) };
            self.push(format!("{mark}{info}"));
        } else if stands_alone(line, trimmed) {
            self.flush();
            let depth = leading_spaces(line).min(self.deepest());
            let words = if self.form == Form::RustDoc { break_fences(&squeeze(trimmed)) } else { trimmed.to_owned() };
            self.push(format!("{}{words}", " ".repeat(depth)));
        } else if let Some(marker) = list_marker(trimmed) {
            self.flush();
            let depth = leading_spaces(line).min(self.deepest());
            self.hanging = " ".repeat(depth + marker + 1);
            self.words = " ".repeat(depth);
            push_plain_words(&mut self.words, trimmed, self.form);
        } else {
            push_plain_words(&mut self.words, trimmed, self.form);
        }
    }

    fn take_code(&mut self, line: &str, trimmed: &str, mark: &'static str) {
        if trimmed.starts_with(mark) {
            self.fence = None;
            self.push(mark.to_owned());
        } else {
            self.push(line.trim_end().to_owned());
        }
    }

    /// Deepest indentation that does not make a line code which somebody runs.
    fn deepest(&self) -> usize {
        if self.form == Form::RustDoc { 3 } else { 8 }
    }

    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        let hanging = std::mem::take(&mut self.hanging);
        for line in wrap(&words, &hanging, self.columns) {
            self.push(line);
        }
    }

    fn blank(&mut self) {
        if self.out.last().is_some_and(|line| !line.is_empty()) {
            self.out.push(String::new());
        }
    }

    fn push(&mut self, line: String) {
        let line = finish_line(line, self.form);
        if line.is_empty() { self.blank() } else { self.out.push(line) }
    }

    fn end(mut self) -> Vec<String> {
        self.flush();
        if let Some(mark) = self.fence {
            self.push(mark.to_owned());
        }
        while self.out.last().is_some_and(String::is_empty) {
            self.out.pop();
        }
        if self.form == Form::JsDoc {
            // Fences come in pairs.
            close_backticks(self.out.iter_mut().filter(|line| !line.starts_with("```")));
        }
        self.out
    }
}

/// Greedy wrapping. A word that would mean something at the start of a line stays on the line before it.
pub(crate) fn wrap(words: &str, hanging: &str, columns: usize) -> Vec<String> {
    let indent = leading_spaces(words);
    let mut lines = Vec::new();
    let mut line = " ".repeat(indent);
    let mut column = indent;
    let mut empty = true;
    for word in words.split_whitespace() {
        let taken = width(word);
        if !empty && column + 1 + taken > columns && !means_something_first(word) {
            lines.push(std::mem::replace(&mut line, hanging.to_owned()));
            column = hanging.len();
            empty = true;
        }
        if !empty {
            line.push(' ');
            column += 1;
        }
        line.push_str(word);
        column += taken;
        empty = false;
    }
    if !empty {
        lines.push(line);
    }
    lines
}

fn leading_spaces(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

fn fence_mark(trimmed: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark))
}

/// The language behind a fence's mark.
fn fence_info(trimmed: &str) -> String {
    squeeze(&trimmed.replace(['`', '~'], ""))
}

/// Headings, quotes, tables and indented code are not joined with their neighbours.
fn stands_alone(line: &str, trimmed: &str) -> bool {
    trimmed.starts_with(['#', '>', '|']) || (leading_spaces(line) >= 4 && list_marker(trimmed).is_none())
}

/// Length of a list item's marker: `-`, `*`, `+`, or a number with `.` or `)`.
fn list_marker(trimmed: &str) -> Option<usize> {
    let word = trimmed.split(' ').next().unwrap_or_default();
    let number = word.strip_suffix(['.', ')']).unwrap_or_default();
    let numbered = !number.is_empty() && number.len() <= 9 && number.bytes().all(|byte| byte.is_ascii_digit());
    (matches!(word, "-" | "*" | "+") || numbered).then_some(word.len())
}

fn means_something_first(word: &str) -> bool {
    list_marker(word).is_some()
        || word.starts_with(['#', '>', '|'])
        || fence_mark(word).is_some()
        || word.chars().all(|c| matches!(c, '-' | '='))
}

#[cfg(test)]
mod tests;
