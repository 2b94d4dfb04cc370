//! Documents as plain trees that tests change and spell again: as JSON, and as block YAML in several styles.
//!
//! Reads values of `base-doc`, so numbers keep their spelling and members their order. What a document means is left to
//! the tests. Recursion ends at the depth that the parser checked.

use std::fmt::Write as _;
use std::sync::Arc;

use base::{Diags, Source, Sources};
use base_doc::{DocSet, Kind, Value, parse_all};

#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    Null,
    Bool(bool),
    /// As it was spelled.
    Number(String),
    String(String),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// A document by its file's name and bytes.
pub fn read(name: &str, bytes: &[u8]) -> Node {
    let mut sources = Sources::new();
    let source = Arc::new(Source::from_bytes(name, bytes));
    let id = sources.push(Arc::clone(&source));
    let (mut set, mut diags) = (DocSet::default(), Diags::new());
    let docs = parse_all(vec![(source, id)], &mut set, &mut diags);
    Node::of(set.root(docs[0].unwrap_or_else(|| panic!("{name} is no document: {diags:?}"))))
}

impl Node {
    fn of(value: Value<'_>) -> Self {
        match value.kind() {
            Kind::Null => Self::Null,
            Kind::Bool => Self::Bool(value.as_bool().expect("a boolean")),
            Kind::Number => Self::Number(value.as_number().expect("a number").to_owned()),
            Kind::String => Self::String(value.as_str().expect("a string").to_owned()),
            Kind::Array => Self::List(value.children().map(Self::of).collect()),
            Kind::Object => {
                let member = |child: Value<'_>| (child.key_text().expect("a key").to_owned(), Self::of(child));
                Self::Object(value.children().map(member).collect())
            }
        }
    }

    pub fn string(text: impl Into<String>) -> Self {
        Self::String(text.into())
    }

    /// An object that refers to `target`.
    pub fn reference(target: impl Into<String>) -> Self {
        Self::Object(vec![("$ref".to_owned(), Self::string(target))])
    }

    pub fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let Self::Object(members) = self else { return None };
        members.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn members_mut(&mut self) -> &mut Vec<(String, Self)> {
        let Self::Object(members) = self else { panic!("an object is expected") };
        members
    }

    /// The target of an object that is a reference and nothing else.
    pub fn only_reference(&self) -> Option<&str> {
        match self {
            Self::Object(members) => match &members[..] {
                [(key, Self::String(target))] if key == "$ref" => Some(target),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    fn write_json(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => _ = write!(out, "{value}"),
            Self::Number(text) => out.push_str(text),
            Self::String(text) => out.push_str(&quoted(text)),
            Self::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    item.write_json(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    _ = write!(out, "{}: ", quoted(key));
                    value.write_json(out);
                }
                out.push('}');
            }
        }
    }

    /// Block YAML. Each scalar is plain, quoted or a block, by turns and as far as its text allows.
    pub fn yaml(&self) -> String {
        let mut writer = Yaml { out: String::new(), turn: 0 };
        writer.value(self, 0, Position::Root);
        writer.out
    }
}

/// A string of JSON is one of YAML as well: both know the escapes that are used here.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a string has a spelling")
}

/// What stands before a value on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Root,
    AfterKey,
    AfterDash,
}

struct Yaml {
    out: String,
    /// Which spelling is next.
    turn: usize,
}

impl Yaml {
    fn value(&mut self, node: &Node, indent: usize, position: Position) {
        let before = if position == Position::Root { "" } else { " " };
        match node {
            Node::Null => self.line(before, "null"),
            Node::Bool(value) => self.line(before, &value.to_string()),
            Node::Number(text) => self.line(before, text),
            Node::String(text) => {
                let spelled = self.string(text, indent);
                self.line(before, &spelled);
            }
            Node::List(items) if items.is_empty() => self.line(before, "[]"),
            Node::Object(members) if members.is_empty() => self.line(before, "{}"),
            Node::List(items) => {
                // Below a key a list may stand as deep as the key or deeper.
                let is_shallow = position == Position::AfterKey && self.next_turn().is_multiple_of(2);
                let indent = if is_shallow { indent - 2 } else { indent };
                for (index, item) in items.iter().enumerate() {
                    self.begin(index, indent, position);
                    self.out.push('-');
                    self.value(item, indent + 2, Position::AfterDash);
                }
            }
            Node::Object(members) => {
                for (index, (key, value)) in members.iter().enumerate() {
                    self.begin(index, indent, position);
                    let key = self.one_line(key);
                    self.out.push_str(&key);
                    self.out.push(':');
                    self.value(value, indent + 2, Position::AfterKey);
                }
            }
        }
    }

    /// The start of a line for an item or a member. The first one behind a dash stands on the dash's own line.
    fn begin(&mut self, index: usize, indent: usize, position: Position) {
        match position {
            Position::AfterDash if index == 0 => self.out.push(' '),
            Position::AfterKey if index == 0 => {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
            _ => self.out.extend(std::iter::repeat_n(' ', indent)),
        }
    }

    fn line(&mut self, before: &str, text: &str) {
        self.out.push_str(before);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn next_turn(&mut self) -> usize {
        self.turn += 1;
        self.turn
    }

    fn string(&mut self, text: &str, indent: usize) -> String {
        if !is_block(text) || self.next_turn().is_multiple_of(4) {
            return self.one_line(text);
        }
        let (mark, body) = match text.strip_suffix('\n') {
            Some(body) => ("|", body),
            None => ("|-", text),
        };
        let lines = body.split('\n').map(|line| {
            let n_spaces = if line.is_empty() { 0 } else { indent };
            format!("\n{}{line}", " ".repeat(n_spaces))
        });
        mark.to_owned() + &lines.collect::<String>()
    }

    fn one_line(&mut self, text: &str) -> String {
        match self.next_turn() % 3 {
            0 if text.chars().all(|c| !c.is_control() && c != '\u{feff}') => format!("'{}'", text.replace('\'', "''")),
            1 | 2 if is_plain(text) => text.to_owned(),
            _ => quoted(text),
        }
    }
}

/// Whether a text means itself without quotes, whatever stands around it. There are more such texts; these suffice.
fn is_plain(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_/.$(".contains(&byte);
    let inner = |byte: u8| is_word(byte) || b" -+,;)={}".contains(&byte);
    let bytes = text.as_bytes();
    let first_fits = bytes.first().is_some_and(|byte| byte.is_ascii_alphabetic() || b"/$".contains(byte));
    let word = text.to_ascii_lowercase();
    first_fits
        && bytes.iter().all(|byte| inner(*byte))
        && !text.ends_with(' ')
        && !matches!(word.as_str(), "null" | "true" | "false")
}

/// Whether a text of several lines can be a literal block.
fn is_block(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let is_odd = |c: char| c != '\n' && (c.is_control() || "\u{feff}\u{2028}\u{2029}".contains(c));
    let lines_fit = body.split('\n').all(|line| line.is_empty() || !line.trim().is_empty());
    body.contains('\n')
        && !body.starts_with([' ', '\n'])
        && !body.ends_with('\n')
        && lines_fit
        && !text.contains(is_odd)
}

#[test]
fn what_is_spelled_reads_as_it_was() {
    let texts = [
        "",
        " ",
        "a",
        "a b",
        "a: b",
        "a #b",
        "#",
        "-",
        "- a",
        "12",
        "1e3",
        "null",
        "Null",
        "~",
        "true",
        "yes",
        "'",
        "\"",
        "it's",
        "a\nb",
        "a\nb\n",
        "a\n\n b\nc\n\n",
        "\na",
        " a\nb",
        "a\n \nb",
        "\u{feff}",
        "\u{2028}",
        "\u{1f600}",
        "\t",
        "a\tb\nc",
        "\r\n",
        "{}",
        "[a]",
        "&a",
        "*a",
        "!a",
        "%a",
        "@a",
        "`a`",
        "/a/{b}",
        "$ref",
        "<<",
        "2020-01-01",
        "0x1f",
        "\u{7f}",
        "\u{85}",
        "a\u{85}b\nc",
        "gr\u{fc}n",
    ];
    let scalars: Vec<Node> = texts.iter().map(|text| Node::string(*text)).collect();
    let numbers = ["0", "-0", "1.0", "1e2", "12345678901234567890"].map(|text| Node::Number(text.to_owned()));
    let others = [Node::Null, Node::Bool(true), Node::List(vec![]), Node::Object(vec![])];
    let leaves: Vec<Node> = scalars.into_iter().chain(numbers).chain(others).collect();
    let keyed = texts.iter().enumerate().map(|(at, text)| ((*text).to_owned(), leaves[at].clone())).collect();
    let object = Node::Object(keyed);
    let nested = Node::List(vec![
        Node::List(vec![Node::List(leaves.clone()), object.clone()]),
        Node::Object(vec![("a".to_owned(), Node::List(leaves)), ("b".to_owned(), object.clone())]),
    ]);
    for node in [object, nested.clone(), Node::Object(vec![("x".to_owned(), nested)])] {
        assert_eq!(read("x.json", node.json().as_bytes()), node);
        assert_eq!(read("x.yaml", node.yaml().as_bytes()), node, "{}", node.yaml());
    }
}
