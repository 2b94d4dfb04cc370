//! From the event parser's lines and columns to bytes of the source.
//!
//! Reads the source; a table of line starts is built once, and columns, which count characters, are walked from the
//! last place that was asked for, so that one long line costs no more than many short ones.

use yaml_rust2::scanner::Marker;

pub(crate) struct Lines<'a> {
    text: &'a str,
    /// Length of the byte order mark, which the event parser does not see.
    mark_len: usize,
    starts: Vec<u32>,
    last: Last,
}

/// What a value is to the container that it stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Key,
    Member,
    Item,
}

/// The place that was asked for last.
#[derive(Clone, Copy)]
struct Last {
    line: usize,
    column: usize,
    offset: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mark_len = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let bytes = text.as_bytes();
        let mut starts = vec![mark_len as u32];
        for (index, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || (*byte == b'\r' && bytes.get(index + 1) != Some(&b'\n')) {
                starts.push(index as u32 + 1);
            }
        }
        let last = Last { line: 0, column: 0, offset: mark_len };
        Self { text, mark_len, starts, last }
    }

    pub(crate) fn text_without_mark(&self) -> &'a str {
        &self.text[self.mark_len..]
    }

    /// The byte that a mark stands at. Marks past the end are the end.
    pub(crate) fn offset(&mut self, mark: &Marker) -> usize {
        let line = mark.line().saturating_sub(1);
        let Some(&start) = self.starts.get(line) else { return self.text.len() };
        let from = if self.last.line == line && self.last.column <= mark.col() {
            self.last
        } else {
            Last { line, column: 0, offset: start as usize }
        };
        let offset = step(self.text, from.offset, mark.col() - from.column);
        self.last = Last { line, column: mark.col(), offset };
        offset
    }

    /// Where a value is left out that the parser places at `mark`, the token after it: behind the last text before.
    pub(crate) fn left_out(&self, mark: usize, role: Role) -> usize {
        if role == Role::Member && self.text.as_bytes().get(mark) == Some(&b':') {
            return mark + 1;
        }
        let mark_line = self.line_of(mark);
        let (mut line, mut end) = (mark_line, mark);
        loop {
            let start = self.starts[line] as usize;
            let mut content = without_comment(&self.text[start..end]);
            // The mark of a dash is behind the dash, which is then the next item's.
            if role == Role::Item && line == mark_line && mark < self.text.len() {
                content = content.strip_suffix('-').unwrap_or(content).trim_end();
            }
            if !content.is_empty() {
                return start + content.len();
            }
            if line == 0 {
                return mark;
            }
            (line, end) = (line - 1, start);
        }
    }

    /// Where a member's list starts that the parser places at `mark`: at its bracket or dash or, when the dashes stand
    /// below the key, behind the first dash.
    pub(crate) fn list_start(&self, mark: usize) -> usize {
        let start = self.starts[self.line_of(mark)] as usize;
        let before = without_comment(&self.text[start..mark]);
        if before.trim_start() == "-" { start + before.len() - 1 } else { mark }
    }

    /// Where the indicator of a literal or folded scalar stands, which the parser places at `mark`, its first text.
    pub(crate) fn block_indicator(&self, mark: usize) -> usize {
        let mut line = self.line_of(mark);
        let mut end = mark;
        loop {
            let start = self.starts[line] as usize;
            let content = &self.text[start..end];
            if !content.trim().is_empty() {
                let is_header = |&(at, _): &(usize, &str)| is_block_header(&content[..at], &content[at + 1..]);
                return content.match_indices(['|', '>']).find(is_header).map_or(mark, |(at, _)| start + at);
            }
            if line == 0 {
                return mark;
            }
            (line, end) = (line - 1, start);
        }
    }

    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= offset) - 1
    }

    /// The first tab in the white space that starts the line of `offset` or the line before.
    pub(crate) fn indenting_tab(&self, offset: usize) -> Option<usize> {
        let line = self.line_of(offset);
        let tab_of = |line: usize| {
            let start = self.starts[line] as usize;
            let indent = self.text[start..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
            indent.enumerate().find(|&(_, byte)| byte == b'\t').map(|(index, _)| start + index)
        };
        tab_of(line).or_else(|| line.checked_sub(1).and_then(tab_of))
    }
}

/// The place `n_chars` characters further.
fn step(text: &str, from: usize, n_chars: usize) -> usize {
    let bytes = text.as_bytes();
    match bytes.get(from..from + n_chars) {
        Some(passed) if passed.is_ascii() => from + n_chars,
        _ => text[from..].char_indices().nth(n_chars).map_or(text.len(), |(index, _)| from + index),
    }
}

/// Whether an indicator between the two parts of a line starts a block scalar: at most two characters and a comment
/// follow it.
fn is_block_header(before: &str, after: &str) -> bool {
    let rest = after.trim_start_matches(['-', '+', '1', '2', '3', '4', '5', '6', '7', '8', '9']);
    let is_alone = before.is_empty() || before.ends_with([' ', '\t']);
    is_alone && (rest.trim().is_empty() || (rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#')))
}

/// A line up to its comment and the white space before. A `#` starts a comment when what is before it ends a token that
/// can have no value on its line.
fn without_comment(line: &str) -> &str {
    let is_comment = |&(at, _): &(usize, &str)| {
        let before = line[..at].trim_end();
        (at == 0 || line[..at].ends_with([' ', '\t'])) && (before.is_empty() || before.ends_with([':', '-', '?', ',']))
    };
    let end = line.match_indices('#').find(is_comment).map_or(line.len(), |(at, _)| at);
    line[..end].trim_end()
}
