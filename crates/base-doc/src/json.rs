//! The JSON scanner (RFC 8259): strict, exact about numbers and places, without recursion.
//!
//! Reads a source that is UTF-8, with or without a byte order mark; feeds a [`DocBuilder`]. The first syntax error ends
//! the document. Duplicate keys are found by the builder and reported by `parse`.

use base::diag::quoted;
use base::{Id, Interner, Sym, limits};

use crate::doc::DocBuilder;
use crate::fault::Fault;
use crate::scan::end_of_plain;

/// Scans one document. `text` is the whole source, so that places in it are places in the source.
pub(crate) fn scan(text: &str, builder: &mut DocBuilder, keys: &mut Interner) -> Result<(), Fault> {
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let bytes = text.as_bytes();
    let mut scanner =
        Scanner { text, bytes, at, builder, keys, last_key: None, followers: Vec::new(), decoded: String::new() };
    scanner.document()
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    builder: &'a mut DocBuilder,
    keys: &'a mut Interner,
    last_key: Option<Sym>,
    /// By key: the one that came next when it came last. Programs write members in the same order again and again.
    followers: Vec<Option<Sym>>,
    /// The string that is being read, when it has escapes.
    decoded: String,
}

/// A string as it stands in the source.
enum Scanned {
    /// Bytes `start..end` between the quotes are the value.
    Plain(usize, usize),
    /// The value is in `Scanner::decoded`.
    Decoded,
}

impl Scanner<'_> {
    fn document(&mut self) -> Result<(), Fault> {
        self.skip_space();
        if self.at == self.bytes.len() {
            return Err(Fault::syntax((0, self.at), "the file is empty"));
        }
        loop {
            if self.value()? {
                continue;
            }
            if !self.next_value()? {
                return self.trailing();
            }
        }
    }

    /// Reads the value that starts here. True when it is a container whose first child comes next.
    fn value(&mut self) -> Result<bool, Fault> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => match self.string()? {
                Scanned::Plain(from, to) => self.builder.string(start as u32, from as u32, (to - from) as u32),
                Scanned::Decoded => self.builder.string_text(start as u32, &self.decoded),
            },
            Some(b'{') => {
                self.builder.begin_object(start as u32);
                self.check_depth()?;
                self.at += 1;
                self.skip_space();
                if self.peek() != Some(b'}') {
                    self.member_key()?;
                    return Ok(true);
                }
                self.at += 1;
                self.builder.end();
            }
            Some(b'[') => {
                self.builder.begin_array(start as u32);
                self.check_depth()?;
                self.at += 1;
                self.skip_space();
                if self.peek() != Some(b']') {
                    return Ok(true);
                }
                self.at += 1;
                self.builder.end();
            }
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') if self.word("true") => self.builder.bool(start as u32, true),
            Some(b'f') if self.word("false") => self.builder.bool(start as u32, false),
            Some(b'n') if self.word("null") => self.builder.null(start as u32),
            _ => return Err(self.no_value()),
        }
        Ok(false)
    }

    /// Steps over what follows a value. True when another value comes, false when the outermost one has ended.
    fn next_value(&mut self) -> Result<bool, Fault> {
        loop {
            self.skip_space();
            let Some(in_object) = self.builder.in_object() else { return Ok(false) };
            match (self.peek(), in_object) {
                (Some(b','), true) => {
                    self.at += 1;
                    self.skip_space();
                    self.member_key()?;
                    return Ok(true);
                }
                (Some(b','), false) => {
                    self.at += 1;
                    self.skip_space();
                    return Ok(true);
                }
                (Some(b'}'), true) | (Some(b']'), false) => {
                    self.at += 1;
                    self.builder.end();
                }
                (_, true) => return Err(self.unexpected("`,` or `}` after a member")),
                (_, false) => return Err(self.unexpected("`,` or `]` after an item")),
            }
        }
    }

    /// Reads a key and its colon, up to the value.
    fn member_key(&mut self) -> Result<(), Fault> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            let after_comma = self.bytes[..start].trim_ascii_end().last() == Some(&b',');
            return Err(match self.peek() {
                Some(b'}') if after_comma => self.here("a comma before the closing `}`"),
                _ => self.unexpected("a key in double quotes"),
            });
        }
        let key = match self.expected_key() {
            Some(key) => key,
            None => self.other_key()?,
        };
        self.last_key = Some(key);
        self.builder.key(key, start as u32);
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:` after a key"));
        }
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    /// Reads the key that followed the last one before, if it stands here.
    fn expected_key(&mut self) -> Option<Sym> {
        let key = (*self.followers.get(self.last_key?.index())?)?;
        let word = self.keys.resolve(key).as_bytes();
        let after = self.bytes[self.at + 1..].strip_prefix(word)?;
        if after.first() != Some(&b'"') {
            return None;
        }
        self.at += word.len() + 2;
        Some(key)
    }

    fn other_key(&mut self) -> Result<Sym, Fault> {
        let (from, to) = match self.string()? {
            Scanned::Plain(from, to) => (from, to),
            // A key with escapes is not expected again: its text is not what stands in the source.
            Scanned::Decoded => return Ok(self.keys.intern(&self.decoded)),
        };
        let key = self.keys.intern(&self.text[from..to]);
        if let Some(last) = self.last_key {
            if self.followers.len() <= last.index() {
                self.followers.resize(self.keys.len(), None);
            }
            self.followers[last.index()] = Some(key);
        }
        Ok(key)
    }

    /// Reads the string whose opening quote is here.
    fn string(&mut self) -> Result<Scanned, Fault> {
        let open = self.at;
        let end = end_of_plain(self.bytes, open + 1);
        if self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Scanned::Plain(open + 1, end));
        }
        self.decoded.clear();
        self.at = open + 1;
        loop {
            let end = end_of_plain(self.bytes, self.at);
            self.decoded.push_str(&self.text[self.at..end]);
            self.at = end;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Scanned::Decoded);
                }
                Some(b'\\') => {
                    let c = self.escape(open)?;
                    self.decoded.push(c);
                }
                Some(b'\n' | b'\r') => {
                    let message = "a line break inside a string, which is written `\\n`, or a closing quote is missing";
                    return Err(self.here(message));
                }
                Some(control) => {
                    let message = format!(
                        "control character U+{control:04X} inside a string, which is written `\\u{control:04x}`"
                    );
                    return Err(self.here(&message));
                }
                None => return Err(unclosed(open)),
            }
        }
    }

    /// Reads the escape whose backslash is here.
    fn escape(&mut self, open: usize) -> Result<char, Fault> {
        let c = match self.bytes.get(self.at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            Some(_) => {
                let next = self.text[self.at + 1..].chars().next().map_or(0, char::len_utf8);
                let range = (self.at, self.at + 1 + next);
                let spelled = quoted(&self.text[range.0..range.1]);
                return Err(Fault::syntax(range, format!("{spelled} is no escape of JSON")));
            }
            None => return Err(unclosed(open)),
        };
        self.at += 2;
        Ok(c)
    }

    /// Reads `\uXXXX`, or two of them that make one character beyond U+FFFF.
    fn unicode_escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        let first = self.four_digits(start)?;
        self.at += 6;
        let code = match first {
            0xd800..=0xdbff if self.bytes[self.at..].starts_with(b"\\u") => {
                let second = self.four_digits(self.at)?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(lone_surrogate(start, first));
                }
                self.at += 6;
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(|| lone_surrogate(start, code))
    }

    /// The number of the escape `\uXXXX` at `start`.
    fn four_digits(&self, start: usize) -> Result<u32, Fault> {
        let digits = &self.bytes[start + 2..];
        let n_digits = digits.iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if n_digits < 4 {
            let range = (start, start + 2 + n_digits);
            return Err(Fault::syntax(range, "`\\u` is followed by fewer than four hexadecimal digits"));
        }
        Ok(digits[..4].iter().fold(0, |code, &digit| code * 16 + (digit as char).to_digit(16).unwrap_or(0)))
    }

    /// Reads a number and keeps its spelling.
    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let first_digit = self.at;
        self.digits("a digit after `-`")?;
        if self.bytes[first_digit] == b'0' && self.at > first_digit + 1 {
            return Err(Fault::syntax((start, self.at), "a number starts with a zero before other digits"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits("a digit after the decimal point")?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits("a digit of the exponent")?;
        }
        if self.peek().is_some_and(|byte| is_word(byte) || matches!(byte, b'.' | b'+' | b'-')) {
            return Err(self.unexpected("the end of the number"));
        }
        self.builder.number(start as u32, start as u32, (self.at - start) as u32);
        Ok(())
    }

    fn digits(&mut self, expected: &str) -> Result<(), Fault> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected(expected)) } else { Ok(()) }
    }

    /// Steps over `word` when it stands here as a whole.
    fn word(&mut self, word: &str) -> bool {
        let end = self.at + word.len();
        let found =
            self.bytes[self.at..].starts_with(word.as_bytes()) && !self.bytes.get(end).copied().is_some_and(is_word);
        if found {
            self.at = end;
        }
        found
    }

    fn trailing(&mut self) -> Result<(), Fault> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.unexpected("the end of the file")) }
    }

    fn check_depth(&self) -> Result<(), Fault> {
        if self.builder.depth() <= limits::DEPTH {
            return Ok(());
        }
        Err(Fault::too_deep((self.at, self.at + 1)))
    }

    fn no_value(&self) -> Fault {
        let before = self.bytes[..self.at].trim_ascii_end().last();
        match (self.peek(), before) {
            (Some(b']'), Some(b',')) => self.here("a comma before the closing `]`"),
            (Some(b'\''), _) => self.here("a single quote, where JSON has only double quotes"),
            _ => self.unexpected("a value"),
        }
    }

    fn unexpected(&self, expected: &str) -> Fault {
        let (range, found) = self.found();
        Fault::syntax(range, format!("expected {expected}, found {found}"))
    }

    /// A fault at the character that stands here.
    fn here(&self, message: &str) -> Fault {
        let len = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Fault::syntax((self.at, self.at + len), message)
    }

    /// The word or the character that stands here, and its name for a message.
    fn found(&self) -> ((usize, usize), String) {
        let rest = &self.text[self.at..];
        let word = rest.bytes().take_while(|&byte| is_word(byte)).count();
        let len = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        let name = if len == 0 { "the end of the file".to_owned() } else { quoted(&rest[..len]) };
        ((self.at, self.at + len), name)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        const SPACES: u64 = u64::from_ne_bytes([b' '; 8]);
        loop {
            match self.peek() {
                Some(b' ') => {
                    self.at += 1;
                    // Indentation comes in runs.
                    while self.bytes[self.at..].first_chunk().is_some_and(|&chunk| u64::from_ne_bytes(chunk) == SPACES)
                    {
                        self.at += 8;
                    }
                }
                Some(b'\n' | b'\r' | b'\t') => self.at += 1,
                _ => return,
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn unclosed(open: usize) -> Fault {
    Fault::syntax((open, open + 1), "the string that starts here has no closing quote")
}

fn lone_surrogate(start: usize, code: u32) -> Fault {
    let message = format!("`\\u{code:04x}` is half of a surrogate pair and stands alone");
    Fault::syntax((start, start + 6), message)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use base::{Id, Interner, Source, SourceId};

    use crate::{NodeId, Syntax, parse};

    /// The keys of all members, in document order; nothing when the text is refused.
    fn keys(text: &str) -> Option<Vec<String>> {
        let source = Arc::new(Source::from_bytes("a.json", text.as_bytes().to_vec()));
        let parsed = parse(source, SourceId::from_index(0), Syntax::Json, Interner::new());
        let doc = parsed.doc?;
        let key = |row| doc.key(NodeId::from_index(row)).map(|key| parsed.keys.resolve(key).to_owned());
        Some((0..doc.len()).filter_map(key).collect())
    }

    #[test]
    fn a_key_is_read_as_it_stands_whatever_followed_the_last_one_before() {
        let seconds = [r"b", r"b", r"bc", r"", r"b\\", r"b\\", r"b\u0022", r"b\u0022x", r"\u0062", r"b", "\u{e9}", "b"];
        let expect = ["b", "b", "bc", "", "b\\", "b\\", "b\"", "b\"x", "b", "b", "\u{e9}", "b"];
        let objects: Vec<String> = seconds.iter().map(|second| format!(r#"{{"a": 1, "{second}": 2}}"#)).collect();
        let expect: Vec<&str> = expect.iter().flat_map(|second| ["a", *second]).collect();
        assert_eq!(keys(&format!("[{}]", objects.join(","))).expect("the text is JSON"), expect);
    }

    #[test]
    fn an_expected_key_must_be_whole() {
        for end in ["", "b", "b\\", "b\\\"", "b\n\"", "b\" 2}"] {
            assert_eq!(keys(&format!(r#"[{{"a": 1, "b": 2}}, {{"a": 1, "{end}"#)), None, "{end:?}");
        }
    }
}
