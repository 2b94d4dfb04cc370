//! YAML from the events of yaml-rust2: all of the language, and every message about an error.
//!
//! Reads a source that is UTF-8 without NUL; feeds a [`DocBuilder`]. Of the event parser only lines and columns are
//! used for places (its index is not reliable), and scalars are resolved here (`scalar`). One document a file; tags of
//! the core schema only; aliases are copied within a budget; merge keys are resolved by `merge` at the end.

use std::borrow::Cow;

use base::{Id, Interner, Sym, limits};
use yaml_rust2::parser::{Event, Parser, Tag};
use yaml_rust2::scanner::{Marker, ScanError, TScalarStyle};

use crate::anchors::{Anchor, Anchors, contains_itself};
use crate::doc::{Content, DocBuilder, Kind, NodeId};
use crate::fault::Fault;
use crate::lines::{Lines, Role};
use crate::scalar::{Plain, resolve};

/// Reads one document. `text` is the whole source, so that places in it are places in the source.
pub(crate) fn read(text: &str, builder: &mut DocBuilder, keys: &mut Interner) -> Result<(), Fault> {
    let mut reader = Reader::new(text, builder, keys);
    reader.stream()?;
    if reader.has_merges { crate::merge::resolve(builder) } else { Ok(()) }
}

struct Reader<'a> {
    text: &'a str,
    lines: Lines<'a>,
    builder: &'a mut DocBuilder,
    keys: &'a mut Interner,
    frames: Vec<Frame>,
    /// By the parser's anchor number, which counts from 1.
    anchors: Anchors,
    has_merges: bool,
}

/// An open container.
struct Frame {
    row: u32,
    anchor: usize,
    /// Whether a key comes next. Never for a list.
    wants_key: bool,
    /// A mapping without a bracket starts at its first key; the parser places it at that key's colon.
    starts_at_key: bool,
}

/// A scalar as the parser gives it.
struct Scalar {
    text: String,
    is_plain: bool,
    tag: Option<Tag>,
    offset: usize,
}

/// The tags of the core schema (YAML 1.2.2, section 10.3) stand below this prefix.
const CORE: &str = "tag:yaml.org,2002:";

impl<'a> Reader<'a> {
    fn new(text: &'a str, builder: &'a mut DocBuilder, keys: &'a mut Interner) -> Self {
        let lines = Lines::new(text);
        Self { text, lines, builder, keys, frames: Vec::new(), anchors: Anchors::default(), has_merges: false }
    }

    fn stream(&mut self) -> Result<(), Fault> {
        let mut parser = Parser::new_from_str(self.lines.text_without_mark());
        let mut n_documents = 0;
        loop {
            let (event, mark) = parser.next_token().map_err(|error| self.syntax_error(&error))?;
            match event {
                Event::Nothing | Event::StreamStart | Event::DocumentEnd => {}
                Event::StreamEnd if n_documents == 0 => {
                    let what =
                        if self.text.trim().is_empty() { "the file is empty" } else { "the file holds only comments" };
                    return Err(Fault::syntax((0, self.text.len()), what));
                }
                Event::StreamEnd => return Ok(()),
                Event::DocumentStart if n_documents == 0 => n_documents = 1,
                Event::DocumentStart => {
                    let start = self.lines.offset(&mark);
                    return self.nothing_follows(&mut parser, start);
                }
                event => self.node(event, &mark)?,
            }
        }
    }

    /// After the first document: an empty one may follow, for files that end with `---`.
    fn nothing_follows(&mut self, parser: &mut Parser<std::str::Chars<'_>>, start: usize) -> Result<(), Fault> {
        let mut next = || parser.next_token().map(|(event, _)| event);
        let is_empty = match (next(), next(), next()) {
            (Ok(Event::Scalar(text, TScalarStyle::Plain, 0, None)), Ok(Event::DocumentEnd), Ok(Event::StreamEnd)) => {
                text.is_empty()
            }
            _ => false,
        };
        if is_empty {
            return Ok(());
        }
        let end = (start + 3).min(self.text.len());
        Err(Fault::syntax((start, end), "a second document starts here, and one file holds one document"))
    }

    fn node(&mut self, event: Event, mark: &Marker) -> Result<(), Fault> {
        let offset = self.lines.offset(mark);
        let wants_key = self.frames.last().is_some_and(|frame| frame.wants_key);
        match event {
            Event::MappingEnd | Event::SequenceEnd => {
                self.end();
                return Ok(());
            }
            event if wants_key => return self.key(event, offset),
            Event::Scalar(text, style, anchor, tag) => {
                let role = if self.builder.in_object() == Some(false) { Role::Item } else { Role::Member };
                let scalar = self.scalar(text, style, tag, offset, role);
                let content = self.content(&scalar)?;
                self.builder.scalar(scalar.offset as u32, content);
                self.set_scalar_anchor(anchor, content, &scalar.text);
            }
            Event::MappingStart(anchor, tag) => {
                check_container_tag(tag, "map", offset)?;
                self.begin(offset, anchor, true)?;
                return Ok(());
            }
            Event::SequenceStart(anchor, tag) => {
                check_container_tag(tag, "seq", offset)?;
                let is_member = self.builder.in_object() == Some(true);
                let start = if is_member { self.lines.list_start(offset) } else { offset };
                self.begin(start, anchor, false)?;
                return Ok(());
            }
            Event::Alias(anchor) => {
                let range = (offset, self.alias_end(offset));
                self.anchors.copy(self.builder, anchor, range)?;
            }
            _ => return Ok(()),
        }
        self.value_ended();
        Ok(())
    }

    fn begin(&mut self, offset: usize, anchor: usize, is_object: bool) -> Result<(), Fault> {
        let row = self.builder.len() as u32;
        if is_object {
            self.builder.begin_object(offset as u32);
        } else {
            self.builder.begin_array(offset as u32);
        }
        if self.builder.depth() > limits::DEPTH {
            return Err(Fault::too_deep((offset, self.char_end(offset))));
        }
        self.anchors.set(anchor, Anchor::Open);
        let starts_at_key = is_object && self.text.as_bytes().get(offset) != Some(&b'{');
        self.frames.push(Frame { row, anchor, wants_key: is_object, starts_at_key });
        Ok(())
    }

    fn end(&mut self) {
        let frame = self.frames.pop().expect("the event parser ends only what it started");
        self.builder.end();
        self.anchors.set(frame.anchor, Anchor::Container(frame.row));
        self.value_ended();
    }

    fn value_ended(&mut self) {
        let in_object = self.builder.in_object() == Some(true);
        if let Some(frame) = self.frames.last_mut() {
            frame.wants_key = in_object;
        }
    }

    /// Takes the event as a key: a scalar's text, whatever its type. JSON has no other keys.
    fn key(&mut self, event: Event, offset: usize) -> Result<(), Fault> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_merge = text == "<<" && style == TScalarStyle::Plain && tag.is_none();
                let scalar = self.scalar(text, style, tag, offset, Role::Key);
                self.place_mapping(scalar.offset);
                if is_merge {
                    self.has_merges = true;
                    self.builder.merge_key(scalar.offset as u32);
                } else {
                    let key = self.keys.intern(&scalar.text);
                    self.builder.key(key, scalar.offset as u32);
                    if anchor != 0 || scalar.tag.is_some() {
                        let content = self.key_content(&scalar)?;
                        self.set_scalar_anchor(anchor, content, &scalar.text);
                    }
                }
            }
            Event::Alias(anchor) => {
                let key = self.alias_as_key(anchor, offset)?;
                self.place_mapping(offset);
                self.builder.key(key, offset as u32);
            }
            Event::MappingStart(..) => return Err(self.no_key(offset, Kind::Object)),
            _ => return Err(self.no_key(offset, Kind::Array)),
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.wants_key = false;
        }
        Ok(())
    }

    /// Moves the mapping to its first key, which stands at `offset`.
    fn place_mapping(&mut self, offset: usize) {
        if let Some(frame) = self.frames.last_mut()
            && std::mem::take(&mut frame.starts_at_key)
        {
            self.builder.move_to(frame.row, offset as u32);
        }
    }

    /// A key that is `.inf` is just a text, so only its tag can be wrong.
    fn key_content(&mut self, scalar: &Scalar) -> Result<Content, Fault> {
        match (&scalar.tag, resolve(&scalar.text)) {
            (None, Plain::NotFinite | Plain::TooLarge) => Ok(self.string(scalar)),
            _ => self.content(scalar),
        }
    }

    fn alias_as_key(&mut self, anchor: usize, offset: usize) -> Result<Sym, Fault> {
        match self.anchors.get(anchor) {
            Anchor::Scalar(_, text) => Ok(self.keys.intern(self.builder.doc_so_far().text_so_far(text))),
            Anchor::Container(row) => {
                let kind = self.builder.doc_so_far().kind(NodeId::from_index(row as usize));
                Err(self.no_key(offset, kind))
            }
            Anchor::Open => Err(contains_itself(self.builder, (offset, self.alias_end(offset)))),
        }
    }

    fn scalar(&mut self, text: String, style: TScalarStyle, tag: Option<Tag>, offset: usize, role: Role) -> Scalar {
        let is_plain = style == TScalarStyle::Plain;
        let offset = match style {
            // The parser places a value that is left out at the token that follows.
            TScalarStyle::Plain if text.is_empty() => self.lines.left_out(offset, role),
            TScalarStyle::Literal | TScalarStyle::Folded => self.lines.block_indicator(offset),
            _ => offset,
        };
        Scalar { text, is_plain, tag, offset }
    }

    fn content(&mut self, scalar: &Scalar) -> Result<Content, Fault> {
        match &scalar.tag {
            None if scalar.is_plain => self.plain(scalar),
            None => Ok(self.string(scalar)),
            Some(tag) => self.tagged(scalar, tag),
        }
    }

    fn plain(&mut self, scalar: &Scalar) -> Result<Content, Fault> {
        let range = (scalar.offset, scalar.offset + scalar.text.len());
        Ok(match resolve(&scalar.text) {
            Plain::Null => Content::Null,
            Plain::Bool(value) => Content::Bool(value),
            Plain::Number(Cow::Borrowed(_)) if self.stands_at(scalar.offset, &scalar.text) => {
                Content::Number(DocBuilder::in_source(scalar.offset, scalar.text.len()))
            }
            Plain::Number(spelled) => Content::Number(self.builder.decode(&spelled)),
            Plain::String => self.string(scalar),
            Plain::NotFinite => {
                let message = format!("`{}` is a number that JSON cannot express", scalar.text);
                return Err(Fault::syntax(range, message).help("quote it if a string is meant"));
            }
            Plain::TooLarge => return Err(Fault::syntax(range, "a hexadecimal or octal number of more than 128 bits")),
        })
    }

    /// A scalar with a tag of the core schema, whose text must be of that type.
    fn tagged(&mut self, scalar: &Scalar, tag: &Tag) -> Result<Content, Fault> {
        let name = tag_name(tag);
        let Some(kind) = name.strip_prefix(CORE) else {
            return if name == "!" { Ok(self.string(scalar)) } else { Err(unknown_tag(&name, scalar.offset)) };
        };
        let range = (scalar.offset, scalar.offset + usize::from(!scalar.text.is_empty()));
        let misfit = || {
            let message = format!("the tag `!!{kind}` does not fit {}", base::diag::quoted(&scalar.text));
            Fault::syntax(range, message)
        };
        match (kind, resolve(&scalar.text)) {
            ("str", _) => Ok(self.string(scalar)),
            ("null", Plain::Null) => Ok(Content::Null),
            ("bool", Plain::Bool(value)) => Ok(Content::Bool(value)),
            ("float", Plain::Number(spelled)) => Ok(Content::Number(self.builder.decode(&spelled))),
            ("int", Plain::Number(spelled)) if !spelled.contains(['.', 'e', 'E']) => {
                Ok(Content::Number(self.builder.decode(&spelled)))
            }
            ("null" | "bool" | "int" | "float" | "map" | "seq", _) => Err(misfit()),
            _ => Err(unknown_tag(&name, scalar.offset)),
        }
    }

    /// The text of a string, in the source where it stands there as it is.
    fn string(&mut self, scalar: &Scalar) -> Content {
        let (offset, len) = (scalar.offset, scalar.text.len());
        let is_in_source = if scalar.is_plain {
            self.stands_at(offset, &scalar.text)
        } else {
            let quote = self.text.as_bytes().get(offset).copied();
            let closing = self.text.as_bytes().get(offset + 1 + len).copied();
            matches!(quote, Some(b'"' | b'\'')) && quote == closing && self.stands_at(offset + 1, &scalar.text)
        };
        Content::String(if is_in_source {
            DocBuilder::in_source(offset + usize::from(!scalar.is_plain), len)
        } else {
            self.builder.decode(&scalar.text)
        })
    }

    fn stands_at(&self, offset: usize, text: &str) -> bool {
        self.text.as_bytes().get(offset..).is_some_and(|rest| rest.starts_with(text.as_bytes()))
    }

    fn set_scalar_anchor(&mut self, number: usize, content: Content, text: &str) {
        if number != 0 {
            let text = self.builder.decode(text);
            self.anchors.set(number, Anchor::Scalar(content, text));
        }
    }

    fn no_key(&self, offset: usize, kind: Kind) -> Fault {
        let message = format!("{} stands as a key, and keys are strings", kind.phrase());
        Fault::syntax((offset, self.char_end(offset)), message)
    }

    fn char_end(&self, offset: usize) -> usize {
        offset + self.text[offset..].chars().next().map_or(0, char::len_utf8)
    }

    fn alias_end(&self, offset: usize) -> usize {
        crate::token::value_range(self.text.as_bytes(), offset as u32, None).1 as usize
    }

    fn syntax_error(&mut self, error: &ScanError) -> Fault {
        let offset = self.lines.offset(error.marker());
        if let Some(tab) = self.lines.indenting_tab(offset) {
            let message = "a tab is used for indentation, where YAML allows only spaces";
            return Fault::syntax((tab, tab + 1), message);
        }
        let range = (offset, self.char_end(offset));
        if error.info() == "recursion limit exceeded" {
            return Fault::too_deep(range);
        }
        // The parser's texts are constants but for one ASCII character.
        let info = error.info().strip_prefix("while ").unwrap_or(error.info());
        Fault::syntax(range, format!("not valid YAML: {info}"))
    }
}

fn check_container_tag(tag: Option<Tag>, own: &str, offset: usize) -> Result<(), Fault> {
    let Some(tag) = tag else { return Ok(()) };
    let name = tag_name(&tag);
    match name.strip_prefix(CORE) {
        Some(kind) if kind == own => Ok(()),
        Some(kind @ ("map" | "seq" | "str" | "int" | "float" | "bool" | "null")) => {
            let found = if own == "map" { Kind::Object } else { Kind::Array };
            let message = format!("the tag `!!{kind}` does not fit {}", found.phrase());
            Err(Fault::syntax((offset, offset + 1), message))
        }
        None if name == "!" => Ok(()),
        _ => Err(unknown_tag(&name, offset)),
    }
}

fn tag_name(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}

fn unknown_tag(name: &str, offset: usize) -> Fault {
    let message = format!("the tag {} is none of YAML's core schema, and no other is read", base::diag::quoted(name));
    Fault::syntax((offset, offset), message)
}
