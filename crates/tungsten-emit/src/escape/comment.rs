//! Text of a description inside comments: prose wrapped to a width, in lines that hold nothing but words.
//!
//! A line end of any language is a line end here. Characters that hide or reorder text are left out, end markers are
//! broken, and what tools read as a directive or a tag is written so that they do not. The comment's own marker, and
//! the space behind it, are left to the writer.

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

/// Lines of a comment, all in one text: a file has thousands of them.
#[derive(Clone, Default, Debug)]
pub struct Lines {
    /// The lines without their ends, and behind them the one that is being written.
    text: String,
    ends: Vec<u32>,
}

impl Lines {
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.line(index))
    }

    pub fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.end_line();
    }

    /// Keeps the first `n` lines.
    pub(crate) fn truncate(&mut self, n: usize) {
        self.ends.truncate(n);
        self.text.truncate(self.start());
    }

    /// Text of the line that is being written.
    pub(crate) fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(crate) fn end_line(&mut self) {
        self.ends.push(self.text.len() as u32);
    }

    fn line(&self, index: usize) -> &str {
        &self.text[self.start_of(index)..self.ends[index] as usize]
    }

    fn start_of(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    /// Where the line that is being written starts.
    fn start(&self) -> usize {
        self.start_of(self.len())
    }

    /// Whether the line before this one, if it is the `first` line or behind it, holds anything.
    fn stands_behind_text(&self, first: usize) -> bool {
        self.len() > first && self.start_of(self.len() - 1) < self.start()
    }
}

/// The text as one line: line ends become spaces.
pub fn one_line(text: SpecText<'_>, form: Form) -> String {
    let mut lines = Lines::default();
    for line in source_lines(untrusted(text), form) {
        push_words(&mut lines.text, &line);
    }
    if form == Form::RustDoc {
        lines.text = break_fences(&lines.text);
    }
    finish_line(&mut lines, form, 0);
    if form == Form::JsDoc {
        close_backticks(&mut lines, 0, |_| true);
    }
    lines.text
}

/// Appends the text as lines of at most `columns` columns where words allow. Paragraphs, list items, tables, headings
/// and fenced code keep their own lines. No line is empty at either end, and none ends with a space or a backslash.
pub fn prose(lines: &mut Lines, text: SpecText<'_>, form: Form, columns: usize) {
    let first = lines.len();
    let mut prose = Prose { form, columns, lines, first, words: String::new(), hanging: 0, fence: None };
    for line in source_lines(untrusted(text), form) {
        prose.take(&line);
    }
    prose.end();
}

/// Splits at every line end, drops what may not stay and breaks markers. Most lines are borrowed as they are.
fn source_lines(text: &str, form: Form) -> impl Iterator<Item = Cow<'_, str>> {
    let (is_one, is_ascii) = (is_plain_ascii(text), text.is_ascii());
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let at = match (is_one, is_ascii) {
            (true, _) => None,
            (false, true) => text.bytes().position(|byte| ends_line(byte.into())),
            (false, false) => text.find(ends_line),
        };
        let Some(at) = at else { return rest.take() };
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
        Form::JsDoc if has_any(&kept, |byte| matches!(byte, b'*' | b'@')) => {
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

/// An odd number of backticks would take the comment's own tags into a code span; the last one, in the lines from
/// `first` on that count, becomes an apostrophe.
fn close_backticks(lines: &mut Lines, first: usize, counts: impl Fn(&str) -> bool) {
    let start = lines.start_of(first);
    if !has_any(&lines.text[start..], |byte| byte == b'`') {
        return;
    }
    let counted = || (first..lines.len()).filter(|index| counts(lines.line(*index)));
    let count: usize = counted().map(|index| lines.line(index).matches('`').count()).sum();
    if count.is_multiple_of(2) {
        return;
    }
    let last = counted().rev().find_map(|index| lines.line(index).rfind('`').map(|at| lines.start_of(index) + at));
    if let Some(at) = last {
        lines.text.replace_range(at..=at, "'");
    }
}

/// Looks at every byte, which is faster than stopping at the first.
fn has_any(text: &str, is: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(false, |any, byte| any | is(byte))
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
    let mut push = |word: &str| {
        if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(word);
    };
    if is_squeezed(line) {
        push(line);
    } else {
        line.split_whitespace().for_each(push);
    }
}

/// Whether the text is words of printable ASCII with single spaces between.
fn is_squeezed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    let is_ended = |byte: Option<&u8>| byte.is_some_and(|byte| *byte != b' ');
    is_ended(bytes.first())
        && is_ended(bytes.last())
        && is_plain_ascii(text)
        && pairs.filter(|(one, next)| **one == b' ' && **next == b' ').count() == 0
}

/// Runs of spaces become one; none at the ends.
fn squeeze(line: &str) -> String {
    let mut words = String::with_capacity(line.len());
    push_words(&mut words, line);
    words
}

/// Ends the line that is being written, with what must hold for each printed line, whatever came before it. An empty
/// line only counts behind one that is not, from `first` on.
fn finish_line(lines: &mut Lines, form: Form, first: usize) {
    let start = lines.start();
    let kept = lines.text[start..].trim_end_matches(|c: char| c == '\\' || c.is_whitespace()).len();
    lines.text.truncate(start + kept);
    let line = &lines.text[start..];
    let (is_mark, is_broken) = match form {
        Form::Hash => (starts_directive(line), line.contains('#')),
        Form::GoDoc => (line.starts_with('+'), false),
        Form::JsDoc | Form::RustDoc => (false, false),
    };
    if is_broken {
        let line = break_inner_directives(line);
        lines.text.truncate(start);
        lines.text.push_str(&line);
    }
    if is_mark {
        lines.text.insert(start, '\\');
    }
    if lines.text.len() > start || lines.stands_behind_text(first) {
        lines.end_line();
    }
}

/// `type: ignore`, `fmt: off`, `noqa`, `-*- coding`, `!interpreter`: what tools look for right behind a `#`.
fn starts_directive(line: &str) -> bool {
    let line = line.trim_start();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let (word, rest) = line.split_at(line.find(|c| !is_word(c)).unwrap_or(line.len()));
    line.starts_with(['!', '-', '%'])
        || (!word.is_empty() && rest.trim_start().starts_with([':', '=']))
        || word.to_ascii_lowercase().starts_with("noqa")
}

/// Prose that is being wrapped.
struct Prose<'a> {
    form: Form,
    columns: usize,
    lines: &'a mut Lines,
    /// Index of the prose's first line.
    first: usize,
    /// Words of the paragraph that is being read.
    words: String,
    /// Spaces before the paragraph's second and later lines.
    hanging: usize,
    /// Inside fenced code: the mark that ends it.
    fence: Option<&'static str>,
}

impl Prose<'_> {
    fn take(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(mark) = self.fence {
            return self.take_code(line, trimmed, mark);
        }
        if trimmed.is_empty() {
            self.flush();
            self.push(0, "");
        } else if let Some(mark) = fence_mark(trimmed) {
            self.flush();
            self.fence = Some(mark);
            // A code block of a Rust comment is compiled unless it says that it is text.
            let info = if self.form == Form::RustDoc { "text".to_owned() } else { fence_info(trimmed) };
            self.push(0, &format!("{mark}{info}"));
        } else if stands_alone(line, trimmed) {
            self.flush();
            let depth = leading_spaces(line).min(self.deepest());
            if self.form == Form::RustDoc {
                self.push(depth, &break_fences(&squeeze(trimmed)));
            } else {
                self.push(depth, trimmed);
            }
        } else if let Some(marker) = list_marker(trimmed) {
            self.flush();
            let depth = leading_spaces(line).min(self.deepest());
            self.hanging = depth + marker + 1;
            push_spaces(&mut self.words, depth);
            push_plain_words(&mut self.words, trimmed, self.form);
        } else {
            push_plain_words(&mut self.words, trimmed, self.form);
        }
    }

    fn take_code(&mut self, line: &str, trimmed: &str, mark: &'static str) {
        if trimmed.starts_with(mark) {
            self.fence = None;
            self.push(0, mark);
        } else {
            self.push(0, line.trim_end());
        }
    }

    /// Deepest indentation that does not make a line code which somebody runs.
    fn deepest(&self) -> usize {
        if self.form == Form::RustDoc { 3 } else { 8 }
    }

    fn flush(&mut self) {
        let (form, first) = (self.form, self.first);
        wrap(self.lines, &self.words, self.hanging, self.columns, |lines| finish_line(lines, form, first));
        self.words.clear();
        self.hanging = 0;
    }

    fn push(&mut self, depth: usize, line: &str) {
        push_spaces(&mut self.lines.text, depth);
        self.lines.push_str(line);
        finish_line(self.lines, self.form, self.first);
    }

    fn end(mut self) {
        self.flush();
        if let Some(mark) = self.fence {
            self.push(0, mark);
        }
        if self.lines.len() > self.first && !self.lines.stands_behind_text(self.first) {
            self.lines.truncate(self.lines.len() - 1);
        }
        if self.form == Form::JsDoc {
            // Fences come in pairs.
            close_backticks(self.lines, self.first, |line| !line.starts_with("```"));
        }
    }
}

/// Greedy wrapping behind what stands in the line already; `end` ends each line. A word that would mean something at
/// the start of a line stays on the line before it.
pub(crate) fn wrap(lines: &mut Lines, words: &str, hanging: usize, columns: usize, end: impl Fn(&mut Lines)) {
    let indent = leading_spaces(words);
    let text = &words[indent..];
    if text.is_empty() {
        return;
    }
    push_spaces(&mut lines.text, indent);
    if words.len() <= columns && is_squeezed(text) {
        lines.push_str(text);
        return end(lines);
    }
    let mut column = indent;
    let mut is_first = true;
    for word in text.split_whitespace() {
        let taken = width(word);
        if !is_first && column + 1 + taken > columns && !means_something_first(word) {
            end(lines);
            push_spaces(&mut lines.text, hanging);
            column = hanging;
            is_first = true;
        }
        if !is_first {
            lines.push_str(" ");
            column += 1;
        }
        lines.push_str(word);
        column += taken;
        is_first = false;
    }
    end(lines);
}

fn push_spaces(out: &mut String, n: usize) {
    out.extend(std::iter::repeat_n(' ', n));
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
