//! The direct reader of YAML: block style, scalars of all kinds, and brackets as JSON writes them.
//!
//! Reads a source that is UTF-8; feeds a [`DocBuilder`]. It reports nothing: whatever it does not fully understand
//! (errors, tags, anchors of scalars, directives, `? ` keys, tabs, carriage returns) makes it give up, and `events`
//! takes over. In one point it is more lenient than the event parser: a closing bracket may stand as far left as the
//! key of its value, as many published files have it and other readers allow.

use std::borrow::Cow;

use base::{Interner, limits};
use hashbrown::HashMap;

use crate::anchors::{Anchor, Anchors};
use crate::doc::DocBuilder;
use crate::scalar::{Plain, resolve};
use crate::scan::{end_of_plain, find_any};

/// The document has something that this reader leaves to the event parser.
#[derive(Debug)]
pub(crate) struct GiveUp;

type Step<T = ()> = Result<T, GiveUp>;

/// Reads one document. After giving up, `builder` holds a part of it; `keys` may have grown.
pub(crate) fn read(text: &str, builder: &mut DocBuilder, keys: &mut Interner) -> Step {
    let mark_len = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = Reader {
        text,
        bytes: text.as_bytes(),
        at: mark_len,
        line: mark_len,
        builder,
        keys,
        frames: Vec::new(),
        pending: None,
        anchors: Anchors::default(),
        names: HashMap::with_hasher(HASHER),
        anchor: 0,
        has_merges: false,
        decoded: String::new(),
    };
    reader.document()?;
    if reader.has_merges { crate::merge::resolve(reader.builder).map_err(|_| GiveUp) } else { Ok(()) }
}

/// An open container.
#[derive(Clone, Copy)]
struct Frame {
    kind: FrameKind,
    /// The column of its keys or dashes. For brackets the column of the block around them, and nothing outside of any.
    indent: Option<usize>,
    row: u32,
    /// Its anchor, or 0.
    anchor: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Map,
    List,
    /// A list whose dashes stand below the first letter of its key.
    ListAtKey,
    FlowMap,
    FlowList,
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Where the line starts that is being read.
    line: usize,
    builder: &'a mut DocBuilder,
    keys: &'a mut Interner,
    frames: Vec<Frame>,
    /// A key or dash ended its line here, so its value is on a later one, or left out.
    pending: Option<usize>,
    anchors: Anchors,
    /// The number of each anchor. A name may be given again.
    names: HashMap<&'a str, usize, ahash::RandomState>,
    /// The anchor of the value that comes next, or 0.
    anchor: usize,
    has_merges: bool,
    decoded: String,
}

/// Whether a scalar is the text of the source between two places, or `Reader::decoded`.
#[derive(Clone, Copy)]
enum Text {
    InSource(usize, usize),
    Decoded,
}

/// Fixed seeds, since nothing iterates the map.
const HASHER: ahash::RandomState = ahash::RandomState::with_seeds(31, 32, 33, 34);

/// The event parser has no longer keys on one line (YAML 1.2.2, section 7.4.2), counted in characters.
const MAX_KEY_BYTES: usize = 1_000;

impl<'a> Reader<'a> {
    fn document(&mut self) -> Step {
        if self.bytes.contains(&b'\r') || self.text[self.at..].contains('\u{feff}') {
            return Err(GiveUp);
        }
        if self.bytes[self.at..].starts_with(b"---") {
            self.at += 3;
            self.end_of_line()?;
        }
        let mut is_empty = true;
        while let Some(column) = self.next_content()? {
            is_empty = false;
            self.line_of_block(column)?;
        }
        if is_empty {
            return Err(GiveUp);
        }
        while !self.frames.is_empty() {
            self.close();
        }
        if self.anchor == 0 { Ok(()) } else { Err(GiveUp) }
    }

    /// Steps over blank lines and comments to the next line with content; gives its column.
    fn next_content(&mut self) -> Step<Option<usize>> {
        loop {
            self.line = self.at;
            self.skip_spaces();
            match self.peek() {
                None => return Ok(None),
                Some(b'\n') => self.at += 1,
                Some(b'#') => self.skip_line(),
                Some(b'\t') => return Err(GiveUp),
                Some(_) if self.at == self.line && self.starts_at_column_0() => return Err(GiveUp),
                Some(_) => return Ok(Some(self.at - self.line)),
            }
        }
    }

    /// Whether what starts here is no content, because it is in column 0: a document mark or a directive.
    fn starts_at_column_0(&self) -> bool {
        let rest = &self.bytes[self.at..];
        rest.starts_with(b"---") || rest.starts_with(b"...") || rest.starts_with(b"%")
    }

    /// Reads a line, and what belongs to it, that starts at `column` outside of brackets and multi-line scalars.
    fn line_of_block(&mut self, column: usize) -> Step {
        let is_dash = self.is_indicator(b'-');
        if let Some(place) = self.pending {
            let frame = self.frames.last().copied();
            let indent = frame.and_then(|frame| frame.indent);
            let is_below_key = frame.is_some_and(|frame| frame.kind == FrameKind::Map && frame.indent == Some(column));
            if indent.is_none_or(|indent| column > indent) {
                self.pending = None;
                return self.block_node(column, indent, FrameKind::List);
            }
            if is_dash && is_below_key {
                self.pending = None;
                return self.block_node(column, indent, FrameKind::ListAtKey);
            }
            if self.anchor != 0 {
                return Err(GiveUp);
            }
            self.builder.null(place as u32);
            self.pending = None;
        }
        let Some(frame) = self.frame_at(column, is_dash)? else {
            // The first line of the document.
            return if self.builder.is_empty() { self.block_node(column, None, FrameKind::List) } else { Err(GiveUp) };
        };
        match (frame.kind, is_dash) {
            (FrameKind::Map, false) => self.member(column),
            (FrameKind::List | FrameKind::ListAtKey, true) => self.item(column),
            _ => Err(GiveUp),
        }
    }

    /// Ends the containers that a line at `column` is outside of; the innermost one that is left, whose column it is.
    fn frame_at(&mut self, column: usize, is_dash: bool) -> Step<Option<Frame>> {
        while let Some(&frame) = self.frames.last() {
            let ends_list = frame.kind == FrameKind::ListAtKey && !is_dash;
            match frame.indent {
                Some(indent) if indent == column && !ends_list => return Ok(Some(frame)),
                Some(indent) if indent >= column => self.close(),
                _ => return Err(GiveUp),
            }
        }
        Ok(None)
    }

    /// Ends the innermost container, first the value that was left out last in it.
    fn close(&mut self) {
        if let Some(place) = self.pending.take() {
            self.builder.null(place as u32);
        }
        self.end_container();
    }

    fn end_container(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.builder.end();
            self.anchors.set(frame.anchor, Anchor::Container(frame.row));
        }
    }

    /// Reads what starts a value on its own line, or behind a dash: here block containers may start. `around` is the
    /// column of the container that the value is in.
    fn block_node(&mut self, column: usize, around: Option<usize>, list: FrameKind) -> Step {
        if self.is_indicator(b'-') {
            self.open(list, Some(column))?;
            return self.item(column);
        }
        if self.starts_key() {
            self.open(FrameKind::Map, Some(column))?;
            return self.member(column);
        }
        if self.anchor != 0 && !matches!(self.peek(), Some(b'[' | b'{')) {
            return Err(GiveUp);
        }
        self.inline_value(around)
    }

    /// Reads an item whose dash is here.
    fn item(&mut self, column: usize) -> Step {
        self.at += 1;
        let behind_dash = self.at;
        self.skip_spaces();
        match self.peek() {
            None | Some(b'\n' | b'#') => self.end_of_value(behind_dash),
            Some(_) => self.block_node(self.at - self.line, Some(column), FrameKind::List),
        }
    }

    /// Reads a member whose key is here.
    fn member(&mut self, column: usize) -> Step {
        let start = self.at;
        let (text, end) = self.key_text()?;
        let key = match text {
            Text::InSource(from, to) => self.keys.intern(&self.text[from..to]),
            Text::Decoded => self.keys.intern(&self.decoded),
        };
        if end - start > MAX_KEY_BYTES {
            return Err(GiveUp);
        }
        if self.bytes[start..end] == *b"<<" {
            self.builder.merge_key(start as u32);
            self.has_merges = true;
        } else {
            self.builder.key(key, start as u32);
        }
        self.at = end;
        self.skip_spaces();
        if !self.is_indicator(b':') {
            return Err(GiveUp);
        }
        self.at += 1;
        let behind_colon = self.at;
        self.skip_spaces();
        match self.peek() {
            None | Some(b'\n' | b'#') => self.end_of_value(behind_colon),
            Some(_) => self.inline_value(Some(column)),
        }
    }

    /// The value of a key or dash is not on its line.
    fn end_of_value(&mut self, place: usize) -> Step {
        self.pending = Some(place);
        self.end_of_line()
    }

    /// Whether a key with its colon starts here.
    fn starts_key(&mut self) -> bool {
        let start = self.at;
        let is_key = match self.peek() {
            Some(b'"' | b'\'') => match self.key_text() {
                Ok((_, end)) => {
                    self.at = end;
                    self.skip_spaces();
                    self.is_indicator(b':')
                }
                Err(GiveUp) => false,
            },
            Some(first) => {
                self.starts_plain(first) && {
                    self.at = self.plain_end_in_line(start);
                    self.skip_spaces();
                    self.is_indicator(b':')
                }
            }
            None => false,
        };
        self.at = start;
        is_key
    }

    /// The text of the key that starts here, which is on one line, and the place behind it.
    fn key_text(&mut self) -> Step<(Text, usize)> {
        let start = self.at;
        match self.peek() {
            Some(b'"' | b'\'') => {
                let text = self.quoted(None)?;
                let end = self.at;
                let is_one_line = !self.bytes[start..end].contains(&b'\n');
                self.at = start;
                if is_one_line { Ok((text, end)) } else { Err(GiveUp) }
            }
            Some(first) if self.starts_plain(first) => {
                let end = self.plain_end_in_line(start);
                Ok((Text::InSource(start, end), end))
            }
            _ => Err(GiveUp),
        }
    }

    /// Reads a value that starts here and is no block container. `around` is the column of the container that it is in.
    fn inline_value(&mut self, around: Option<usize>) -> Step {
        let start = self.at;
        match self.peek() {
            Some(b'&') => return self.anchored(around),
            Some(b'*') => self.alias()?,
            Some(b'|' | b'>') => return self.block_scalar(around),
            Some(b'"' | b'\'') => {
                let text = self.quoted(around)?;
                self.push_string(start, text);
            }
            Some(b'[' | b'{') => self.brackets(around)?,
            Some(first) if self.starts_plain(first) => return self.plain(around),
            _ => return Err(GiveUp),
        }
        self.end_of_line()
    }

    /// Reads an anchor and, when it is on this line, its value. Of values, containers alone have anchors here.
    fn anchored(&mut self, around: Option<usize>) -> Step {
        if self.anchor != 0 {
            return Err(GiveUp);
        }
        let name = self.anchor_name()?;
        let behind_name = self.at;
        self.anchor = self.anchors.add();
        self.names.insert(name, self.anchor);
        self.skip_spaces();
        match self.peek() {
            Some(b'\n' | b'#') if !self.frames.is_empty() => self.end_of_value(behind_name),
            Some(b'[' | b'{') => self.inline_value(around),
            _ => Err(GiveUp),
        }
    }

    fn alias(&mut self) -> Step {
        let start = self.at;
        let name = self.anchor_name()?;
        let &number = self.names.get(name).ok_or(GiveUp)?;
        self.anchors.copy(self.builder, number, (start, self.at)).map_err(|_| GiveUp)
    }

    /// The name behind `&` or `*`.
    fn anchor_name(&mut self) -> Step<&'a str> {
        let start = self.at + 1;
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        self.at = start + self.bytes[start..].iter().take_while(is_name).count();
        let ends = self.peek().is_none_or(is_space_or_end);
        if self.at > start && ends { Ok(&self.text[start..self.at]) } else { Err(GiveUp) }
    }

    fn push_string(&mut self, start: usize, text: Text) {
        match text {
            Text::InSource(from, to) => self.builder.string(start as u32, from as u32, (to - from) as u32),
            Text::Decoded => self.builder.string_text(start as u32, &self.decoded),
        }
    }

    /// Whether an unquoted scalar may start with the byte that is here.
    fn starts_plain(&self, first: u8) -> bool {
        match first {
            b'-' | b'?' | b':' => self.bytes.get(self.at + 1).is_some_and(|&next| !is_space_or_end(next)),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%' | b'@'
            | b'`' => false,
            _ => !is_space_or_end(first),
        }
    }

    /// The end of the unquoted text from `start` on: before a colon that ends a key, a comment or the line's end, and
    /// before the white space there.
    fn plain_end_in_line(&self, start: usize) -> usize {
        let mut at = start;
        loop {
            at = find_any(self.bytes, at, [b'\n', b':', b'#']);
            let ends_here = match self.bytes.get(at) {
                None | Some(b'\n') => true,
                Some(b':') => self.bytes.get(at + 1).is_none_or(|&next| is_space_or_end(next)),
                Some(_) => at > start && matches!(self.bytes[at - 1], b' ' | b'\t'),
            };
            if ends_here {
                return trim_end(self.bytes, start, at);
            }
            at += 1;
        }
    }

    /// Reads an unquoted scalar, which may go on in lines that are indented more than `around`.
    fn plain(&mut self, around: Option<usize>) -> Step {
        let start = self.at;
        let end = self.plain_end_in_line(start);
        self.at = end;
        self.skip_spaces();
        match self.peek() {
            None => {}
            Some(b'\n') => {
                if let Some(around) = around
                    && self.continues(around)
                {
                    return self.plain_lines(start, end, around);
                }
                self.at += 1;
            }
            // A comment ends the scalar.
            Some(b'#') => self.skip_line(),
            Some(_) => return Err(GiveUp),
        }
        self.push_plain(start, end)
    }

    /// Whether the next line with content, looked for from a line's end on, is indented more than `around`.
    fn continues(&self, around: usize) -> bool {
        let mut at = self.at;
        let mut line = at;
        while let Some(byte) = self.bytes.get(at) {
            match byte {
                b'\n' => line = at + 1,
                b' ' => {}
                // A comment ends the scalar. A tab is looked at by whoever reads the line.
                b'#' => return false,
                _ => return at - line > around || *byte == b'\t',
            }
            at += 1;
        }
        false
    }

    /// Reads the further lines of an unquoted scalar whose first line is `start..end`.
    fn plain_lines(&mut self, start: usize, end: usize, around: usize) -> Step {
        self.decoded.clear();
        self.decoded.push_str(&self.text[start..end]);
        while self.peek() == Some(b'\n') && self.continues(around) {
            let n_breaks = self.skip_breaks()?;
            let from = self.at;
            let to = self.plain_end_in_line(from);
            push_break(&mut self.decoded, n_breaks);
            self.decoded.push_str(&self.text[from..to]);
            self.at = to;
            self.skip_spaces();
        }
        match self.peek() {
            None => {}
            Some(b'\n') => self.at += 1,
            Some(b'#') => self.skip_line(),
            Some(_) => return Err(GiveUp),
        }
        self.builder.string_text(start as u32, &self.decoded);
        Ok(())
    }

    fn push_plain(&mut self, start: usize, end: usize) -> Step {
        let (offset, len) = (start as u32, (end - start) as u32);
        match resolve(&self.text[start..end]) {
            Plain::String => self.builder.string(offset, offset, len),
            Plain::Null => self.builder.null(offset),
            Plain::Bool(value) => self.builder.bool(offset, value),
            Plain::Number(Cow::Borrowed(_)) => self.builder.number(offset, offset, len),
            Plain::Number(Cow::Owned(spelled)) => self.builder.number_text(offset, &spelled),
            Plain::NotFinite | Plain::TooLarge => return Err(GiveUp),
        }
        Ok(())
    }

    /// Steps over line ends and the spaces that follow; how many there were. Gives up on tabs.
    fn skip_breaks(&mut self) -> Step<usize> {
        let mut n_breaks = 0;
        while self.peek() == Some(b'\n') {
            n_breaks += 1;
            self.at += 1;
            self.line = self.at;
            self.skip_spaces();
        }
        if self.peek() == Some(b'\t') { Err(GiveUp) } else { Ok(n_breaks) }
    }

    /// Reads the quoted scalar that starts here, up to behind its closing quote. It may go on in further lines when
    /// `around` is given, which must be indented more than that.
    fn quoted(&mut self, around: Option<usize>) -> Step<Text> {
        let open = self.at;
        let quote = self.bytes[open];
        self.at += 1;
        let end = self.quoted_run(quote);
        if self.bytes.get(end) == Some(&quote) && !(quote == b'\'' && self.bytes.get(end + 1) == Some(&quote)) {
            self.at = end + 1;
            return Ok(Text::InSource(open + 1, end));
        }
        self.decoded.clear();
        loop {
            let end = self.quoted_run(quote);
            self.decoded.push_str(&self.text[self.at..end]);
            self.at = end;
            match self.peek() {
                Some(b'\'') if self.bytes.get(end + 1) == Some(&b'\'') => {
                    self.decoded.push('\'');
                    self.at += 2;
                }
                Some(byte) if byte == quote => {
                    self.at += 1;
                    return Ok(Text::Decoded);
                }
                Some(b'\\') => self.escape(around)?,
                Some(b'\n') => {
                    let len = self.decoded.trim_end_matches([' ', '\t']).len();
                    // White space that an escape made is content; it is rare, so the event parser decides.
                    let spelled = &self.bytes[..end];
                    if self.decoded.len() - len > spelled.len() - spelled.trim_ascii_end().len() {
                        return Err(GiveUp);
                    }
                    self.decoded.truncate(len);
                    let n_breaks = self.quoted_break(around)?;
                    push_break(&mut self.decoded, n_breaks);
                }
                _ => return Err(GiveUp),
            }
        }
    }

    /// The end of the text from here on that a quoted scalar holds as it is.
    fn quoted_run(&self, quote: u8) -> usize {
        if quote == b'\'' {
            return find_any(self.bytes, self.at, [b'\'', b'\n', b'\'']);
        }
        let mut end = end_of_plain(self.bytes, self.at);
        while self.bytes.get(end) == Some(&b'\t') {
            end = end_of_plain(self.bytes, end + 1);
        }
        end
    }

    /// Steps over the line ends inside a quoted scalar, to the next line's text.
    fn quoted_break(&mut self, around: Option<usize>) -> Step<usize> {
        let Some(around) = around else { return Err(GiveUp) };
        let n_breaks = self.skip_breaks()?;
        if self.at - self.line > around { Ok(n_breaks) } else { Err(GiveUp) }
    }

    /// Reads an escape of a double-quoted scalar whose backslash is here (YAML 1.2.2, section 5.7).
    fn escape(&mut self, around: Option<usize>) -> Step {
        let c = match self.bytes.get(self.at + 1) {
            Some(b'\n') => {
                self.at += 1;
                let n_breaks = self.quoted_break(around)?;
                (1..n_breaks).for_each(|_| self.decoded.push('\n'));
                return Ok(());
            }
            Some(b'0') => '\0',
            Some(b'a') => '\u{7}',
            Some(b'b') => '\u{8}',
            Some(b't') => '\t',
            Some(b'n') => '\n',
            Some(b'v') => '\u{b}',
            Some(b'f') => '\u{c}',
            Some(b'r') => '\r',
            Some(b'e') => '\u{1b}',
            Some(b' ') => ' ',
            Some(b'"') => '"',
            Some(b'/') => '/',
            Some(b'\\') => '\\',
            Some(b'N') => '\u{85}',
            Some(b'_') => '\u{a0}',
            Some(b'L') => '\u{2028}',
            Some(b'P') => '\u{2029}',
            Some(b'x') => self.escaped_code(2)?,
            Some(b'u') => self.escaped_code(4)?,
            Some(b'U') => self.escaped_code(8)?,
            _ => return Err(GiveUp),
        };
        self.decoded.push(c);
        self.at += 2;
        Ok(())
    }

    /// The character of an escape with `n_digits` hexadecimal digits, which are stepped over.
    fn escaped_code(&mut self, n_digits: usize) -> Step<char> {
        let start = self.at + 2;
        let digits = self.bytes.get(start..start + n_digits).ok_or(GiveUp)?;
        let mut code = 0;
        for &digit in digits {
            code = code * 16 + (digit as char).to_digit(16).ok_or(GiveUp)?;
        }
        self.at += n_digits;
        char::from_u32(code).ok_or(GiveUp)
    }

    /// Reads the literal or folded scalar whose indicator is here (YAML 1.2.2, section 8.1).
    fn block_scalar(&mut self, around: Option<usize>) -> Step {
        let start = self.at;
        let Some(around) = around else { return Err(GiveUp) };
        let is_folded = self.bytes[start] == b'>';
        self.at += 1;
        let (chomp, digit) = self.block_header();
        self.end_of_line()?;
        let indent = self.block_indent(around, digit)?;
        self.decoded.clear();
        let mut lines = BlockLines { is_folded, is_first: true, after_indented: false };
        let mut n_blank = 0;
        loop {
            self.line = self.at;
            while self.peek() == Some(b' ') && self.at - self.line < indent {
                self.at += 1;
            }
            match self.peek() {
                Some(b'\n') => {
                    n_blank += 1;
                    self.at += 1;
                    continue;
                }
                Some(b'\t') if self.at - self.line < indent => return Err(GiveUp),
                Some(_) if self.at - self.line == indent => {}
                // The file ends, or what follows stands further left.
                _ => break,
            }
            let end = find_any(self.bytes, self.at, [b'\n'; 3]);
            // The event parser decides what white space at the end of the file is.
            if end == self.bytes.len() && trim_end(self.bytes, self.at, end) == self.at {
                return Err(GiveUp);
            }
            lines.push(&mut self.decoded, n_blank, &self.text[self.at..end]);
            n_blank = 0;
            // The end of the file ends the last line as a line end does.
            self.at = (end + 1).min(self.bytes.len());
        }
        if self.peek().is_none() && (self.at > self.line || lines.is_first) {
            return Err(GiveUp);
        }
        self.at = self.line;
        match chomp {
            Some(b'-') => {}
            Some(_) if lines.is_first => return Err(GiveUp),
            Some(_) => (0..=n_blank).for_each(|_| self.decoded.push('\n')),
            None if lines.is_first => {}
            None => self.decoded.push('\n'),
        }
        self.builder.string_text(start as u32, &self.decoded);
        Ok(())
    }

    /// What follows `|` or `>`: `-` or `+`, and the digit of an indentation, in either order.
    fn block_header(&mut self) -> (Option<u8>, Option<usize>) {
        let (mut chomp, mut digit) = (None, None);
        for _ in 0..2 {
            match self.peek() {
                Some(byte @ (b'-' | b'+')) if chomp.is_none() => chomp = Some(byte),
                Some(byte @ b'1'..=b'9') if digit.is_none() => digit = Some(usize::from(byte - b'0')),
                _ => break,
            }
            self.at += 1;
        }
        (chomp, digit)
    }

    /// The column of a block scalar's text: told by its header or by its first line that is not blank.
    fn block_indent(&self, around: usize, digit: Option<usize>) -> Step<usize> {
        if let Some(digit) = digit {
            return Ok(around + digit);
        }
        let mut at = self.at;
        let mut widest_blank = 0;
        loop {
            let line = at;
            while self.bytes.get(at) == Some(&b' ') {
                at += 1;
            }
            match self.bytes.get(at) {
                Some(b'\n') => widest_blank = widest_blank.max(at - line),
                Some(b'\t') => return Err(GiveUp),
                Some(_) if at - line > around && at - line >= widest_blank => return Ok(at - line),
                // No text: blank lines only. They may not be wider than the text would have to be.
                _ if widest_blank <= around => return Ok(around + 1),
                _ => return Err(GiveUp),
            }
            at += 1;
        }
    }

    /// Reads a value in brackets, up to behind the last of them, without recursion.
    fn brackets(&mut self, around: Option<usize>) -> Step {
        let outside = self.frames.len();
        self.flow_open(around)?;
        let mut after_value = false;
        loop {
            let is_map = self.frames.last().is_some_and(|frame| frame.kind == FrameKind::FlowMap);
            match (self.peek(), is_map) {
                (Some(b'}'), true) | (Some(b']'), false) => {
                    self.at += 1;
                    self.end_container();
                    if self.frames.len() == outside {
                        return Ok(());
                    }
                    after_value = true;
                }
                (Some(b','), _) if after_value => {
                    self.at += 1;
                    after_value = false;
                }
                _ if after_value => return Err(GiveUp),
                _ => {
                    if is_map {
                        self.flow_key(around)?;
                    }
                    after_value = self.flow_value(around)?;
                    if !after_value {
                        continue;
                    }
                }
            }
            self.flow_space(around)?;
        }
    }

    fn flow_open(&mut self, around: Option<usize>) -> Step {
        let kind = if self.peek() == Some(b'{') { FrameKind::FlowMap } else { FrameKind::FlowList };
        self.open(kind, around)?;
        self.at += 1;
        self.flow_space(around)
    }

    /// Reads a key and its colon, which are on one line, up to the value.
    fn flow_key(&mut self, around: Option<usize>) -> Step {
        let start = self.at;
        let is_quoted = matches!(self.peek(), Some(b'"' | b'\''));
        let text = if is_quoted { self.quoted(None)? } else { self.flow_plain()? };
        let end = self.at;
        let key = match text {
            Text::InSource(from, to) => self.keys.intern(&self.text[from..to]),
            Text::Decoded => self.keys.intern(&self.decoded),
        };
        if end - start > MAX_KEY_BYTES || self.bytes[start..end] == *b"<<" {
            return Err(GiveUp);
        }
        self.builder.key(key, start as u32);
        self.skip_spaces();
        let is_colon = if is_quoted { self.peek() == Some(b':') } else { self.is_indicator(b':') };
        if !is_colon {
            return Err(GiveUp);
        }
        self.at += 1;
        self.flow_space(around)
    }

    /// Reads a scalar inside brackets, or the bracket that opens a container; whether the value has ended.
    fn flow_value(&mut self, around: Option<usize>) -> Step<bool> {
        let start = self.at;
        match self.peek() {
            Some(b'[' | b'{') => {
                self.flow_open(around)?;
                return Ok(false);
            }
            Some(b'"' | b'\'') => {
                let text = self.quoted(around)?;
                self.push_string(start, text);
            }
            _ => {
                self.flow_plain()?;
                self.push_plain(start, self.at)?;
            }
        }
        Ok(true)
    }

    /// Steps over an unquoted scalar inside brackets, which is on one line.
    fn flow_plain(&mut self) -> Step<Text> {
        let start = self.at;
        let Some(first) = self.peek() else { return Err(GiveUp) };
        let next = self.bytes.get(start + 1).copied().unwrap_or(b'\n');
        if !self.starts_plain(first) || (matches!(first, b'-' | b'?' | b':') && is_flow(next)) {
            return Err(GiveUp);
        }
        let mut at = start;
        loop {
            match self.bytes.get(at) {
                None => return Err(GiveUp),
                Some(b',' | b'[' | b']' | b'{' | b'}' | b'\n') => break,
                Some(b':') => match self.bytes.get(at + 1) {
                    Some(&next) if is_flow(next) => return Err(GiveUp),
                    Some(&next) if !is_space_or_end(next) => {}
                    _ => break,
                },
                Some(b'#') if matches!(self.bytes[at - 1], b' ' | b'\t') => break,
                Some(_) => {}
            }
            at += 1;
        }
        // The event parser refuses a dash before a bracket or comma.
        if self.bytes[at - 1] == b'-' && is_flow(self.bytes[at]) {
            return Err(GiveUp);
        }
        self.at = trim_end(self.bytes, start, at);
        Ok(Text::InSource(start, self.at))
    }

    /// Steps over white space, line ends and comments inside brackets. What follows is indented more than the block
    /// around, but for a closing bracket, which may be in its column.
    fn flow_space(&mut self, around: Option<usize>) -> Step {
        let mut is_new_line = false;
        loop {
            let before = self.at;
            self.skip_spaces();
            match self.peek() {
                Some(b'\n') => {
                    self.at += 1;
                    self.line = self.at;
                    is_new_line = true;
                }
                Some(b'#') if before < self.at || self.at == self.line => {
                    self.at = find_any(self.bytes, self.at, [b'\n'; 3]);
                }
                None | Some(b'\t' | b'#') => return Err(GiveUp),
                Some(byte) => {
                    let column = self.at - self.line;
                    let least = match around {
                        Some(around) => around + usize::from(!matches!(byte, b'}' | b']')),
                        None => 0,
                    };
                    let is_mark = column == 0 && self.starts_at_column_0();
                    return if is_new_line && (column < least || is_mark) { Err(GiveUp) } else { Ok(()) };
                }
            }
        }
    }

    fn open(&mut self, kind: FrameKind, indent: Option<usize>) -> Step {
        let row = self.builder.len() as u32;
        if matches!(kind, FrameKind::Map | FrameKind::FlowMap) {
            self.builder.begin_object(self.at as u32);
        } else {
            self.builder.begin_array(self.at as u32);
        }
        let anchor = std::mem::take(&mut self.anchor);
        self.anchors.set(anchor, Anchor::Open);
        self.frames.push(Frame { kind, indent, row, anchor });
        if self.builder.depth() > limits::DEPTH { Err(GiveUp) } else { Ok(()) }
    }

    /// Steps over the spaces, the comment and the line end behind a token.
    fn end_of_line(&mut self) -> Step {
        let before = self.at;
        self.skip_spaces();
        match self.peek() {
            None => {}
            Some(b'\n') => self.at += 1,
            Some(b'#') if self.at > before => self.skip_line(),
            Some(_) => return Err(GiveUp),
        }
        Ok(())
    }

    fn skip_line(&mut self) {
        let end = find_any(self.bytes, self.at, [b'\n'; 3]);
        self.at = (end + 1).min(self.bytes.len());
    }

    fn skip_spaces(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    /// Whether the byte stands here with white space behind it.
    fn is_indicator(&self, byte: u8) -> bool {
        self.peek() == Some(byte) && self.bytes.get(self.at + 1).is_none_or(|&next| is_space_or_end(next))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}

/// The lines of a block scalar as they are put together.
struct BlockLines {
    is_folded: bool,
    is_first: bool,
    /// The line before starts with white space, so its line end is kept.
    after_indented: bool,
}

impl BlockLines {
    /// Adds a line that has `n_blank` blank ones before it.
    fn push(&mut self, to: &mut String, n_blank: usize, line: &str) {
        let is_indented = line.starts_with([' ', '\t']);
        let folds = self.is_folded && !self.after_indented && !is_indented;
        if !self.is_first {
            match (folds, n_blank) {
                (true, 0) => to.push(' '),
                (true, _) => {}
                (false, _) => to.push('\n'),
            }
        }
        (0..n_blank).for_each(|_| to.push('\n'));
        to.push_str(line);
        self.is_first = false;
        self.after_indented = is_indented;
    }
}

/// What line ends inside an unquoted or quoted scalar become: one is a space, more are one less (section 6.5).
fn push_break(to: &mut String, n_breaks: usize) {
    if n_breaks == 1 {
        to.push(' ');
    } else {
        (1..n_breaks).for_each(|_| to.push('\n'));
    }
}

fn is_space_or_end(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

fn is_flow(byte: u8) -> bool {
    matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

/// The end of `start..end` without the white space there.
fn trim_end(bytes: &[u8], start: usize, mut end: usize) -> usize {
    while end > start && matches!(bytes[end - 1], b' ' | b'\t') {
        end -= 1;
    }
    end
}
