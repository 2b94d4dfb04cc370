//! The two small languages of `agent.yml`: predicates over a response, and expressions that make values.
//!
//! Reads values; writes typed rows and diagnostics (TG0602). A predicate is an object: dotted field paths, and what
//! holds of each. An expression is a literal, `$reference`, or `{ expr: "$a.b in ['x']" }`, also inside objects and
//! lists. Whether a reference leads anywhere is left to the compiler.

use base::Place;
use base_doc::{Kind, Value};

use crate::forms::{FieldPath, Rule};
use crate::keys::{Key, Presence, Shape};
use crate::reader::{Cx, MapKey, Raw};

/// What must hold of a response: all of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Predicate {
    /// In document order.
    pub conditions: Vec<(FieldPath, Condition)>,
    pub place: Place,
}

/// What must hold of one field.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    In(Vec<Raw>),
    Equals(Raw),
    /// A subset of the field's value, tested recursively.
    Contains(Raw),
}

impl Key for Predicate {
    fn shape() -> Shape {
        Shape::Map { keys: FieldPath::FORM, values: || Shape::Any }
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        if value.kind() != Kind::Object {
            cx.wrong_kind(value, "an object of fields and what holds of them", Some("for example `{ state: done }`"));
            return None;
        }
        let mut conditions = Vec::with_capacity(value.n_children());
        for member in value.children() {
            let text = member.key_text().unwrap_or_default();
            let place = cx.key_place(member);
            if !FieldPath::FORM.rule.holds(text) {
                cx.wrong(place.clone(), "a predicate names a field without a name");
            }
            if let Some(condition) = cx.inside(text, |cx| Condition::read(member, cx)) {
                conditions.push((FieldPath::from_key(text, place), condition));
            }
        }
        Some(Self { conditions, place: cx.place(value) })
    }
}

impl Condition {
    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        if value.kind() != Kind::Object {
            return Raw::read(value, cx).map(Self::Equals);
        }
        let mut members = value.children();
        let (Some(member), None) = (members.next(), members.next()) else {
            return not_one_test(value, cx);
        };
        match member.key_text() {
            Some("equals") => cx.inside("equals", |cx| Raw::read(member, cx)).map(Self::Equals),
            Some("contains") => cx.inside("contains", |cx| Raw::read(member, cx)).map(Self::Contains),
            Some("in") => cx.inside("in", |cx| Vec::<Raw>::read(member, cx)).map(Self::In),
            _ => not_one_test(value, cx),
        }
    }
}

fn not_one_test(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Condition> {
    let message = format!("{} must have exactly one of the keys `in`, `equals`, `contains`", cx.subject());
    let place = cx.place(value);
    cx.wrong(place, message).help = Some("to compare with an object, write `{ equals: { … } }`".to_owned());
    None
}

/// How a value is made.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    pub term: Term,
    pub place: Place,
}

/// A part of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    Literal(Raw),
    Reference(Reference),
    Comparison(Comparison),
    List(Vec<Term>),
    /// In document order.
    Object(Vec<TermMember>),
}

/// A member of an object in an expression.
#[derive(Clone, PartialEq, Debug)]
pub struct TermMember {
    pub name: String,
    pub term: Term,
    /// Where its name stands.
    pub place: Place,
}

/// `$root.a.b`
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    pub root: String,
    pub path: Vec<String>,
    pub place: Place,
}

/// `$root.a == "x"`: whether it holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub left: Reference,
    pub test: Test,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Test {
    In(Vec<Raw>),
    Equals(Raw),
    Differs(Raw),
}

/// Objects and lists that an expression may nest.
pub const EXPRESSION_DEPTH: usize = 64;

impl Expression {
    /// All references, in document order.
    pub fn references(&self) -> Vec<&Reference> {
        let mut found = Vec::new();
        let mut terms = vec![&self.term];
        while let Some(term) = terms.pop() {
            match term {
                Term::Literal(_) => {}
                Term::Reference(reference) => found.push(reference),
                Term::Comparison(comparison) => found.push(&comparison.left),
                Term::List(items) => terms.extend(items.iter().rev()),
                Term::Object(members) => terms.extend(members.iter().rev().map(|member| &member.term)),
            }
        }
        found
    }

    pub fn is_reference(&self) -> bool {
        matches!(self.term, Term::Reference(_))
    }

    /// The value of an expression that refers to nothing.
    pub fn literal(&self) -> Option<&Raw> {
        match &self.term {
            Term::Literal(raw) => Some(raw),
            _ => None,
        }
    }
}

impl Key for Expression {
    const WITHOUT: Presence = Presence::Default("{}");

    fn shape() -> Shape {
        Shape::Any
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        Some(Self { term: read_term(value, cx, 0)?, place: cx.place(value) })
    }
}

fn read_term(value: Value<'_>, cx: &mut Cx<'_>, depth: usize) -> Option<Term> {
    if depth > EXPRESSION_DEPTH {
        let place = cx.place(value);
        cx.wrong(place, format!("an expression nests more than {EXPRESSION_DEPTH} objects and lists"));
        return None;
    }
    match value.kind() {
        Kind::String => {
            let text = value.as_str().unwrap_or_default();
            if !text.starts_with('$') {
                return Some(Term::Literal(Raw::Text(text.to_owned())));
            }
            let place = cx.place(value);
            match parse_reference(text, &place) {
                Some((reference, "")) => Some(Term::Reference(reference)),
                _ => {
                    let message = format!("{} is no reference", base::diag::quoted(text));
                    cx.wrong(place, message).help =
                        Some("write `$name.field`, with letters, digits, `_` and `-`".to_owned());
                    None
                }
            }
        }
        Kind::Array => {
            let items = value.children().enumerate();
            let read = items.map(|(index, item)| cx.inside_item(index, |cx| read_term(item, cx, depth + 1)));
            Some(Term::List(read.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?))
        }
        Kind::Object => {
            if let Some(text) = only_member(value, "expr") {
                return cx.inside("expr", |cx| read_comparison(text, cx)).map(Term::Comparison);
            }
            let mut members = Vec::with_capacity(value.n_children());
            for member in value.children() {
                let key = member.key_text().unwrap_or_default();
                let place = cx.key_place(member);
                let term = cx.inside(key, |cx| read_term(member, cx, depth + 1))?;
                members.push(TermMember { name: key.to_owned(), term, place });
            }
            Some(Term::Object(members))
        }
        Kind::Null | Kind::Bool | Kind::Number => Raw::read(value, cx).map(Term::Literal),
    }
}

/// The value of an object's only member when it stands under `key`.
fn only_member<'a>(value: Value<'a>, key: &str) -> Option<Value<'a>> {
    let mut members = value.children();
    let first = members.next().filter(|member| member.key_text() == Some(key))?;
    members.next().is_none().then_some(first)
}

fn read_comparison(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Comparison> {
    let place = cx.place(value);
    let parsed = value.as_str().and_then(|text| parse_comparison(text, &place));
    if parsed.is_none() {
        let message = format!(
            "{} must be `<reference> in [..]`, `<reference> == <value>` or `<reference> != <value>`",
            cx.subject()
        );
        cx.wrong(place, message).help = Some("for example `$status.state in ['done', 'failed']`".to_owned());
    }
    parsed
}

/// The names of a reference.
const NAME: Rule = Rule::Word { first: "A-Za-z_", rest: "A-Za-z0-9_-" };

/// A reference at the start of a text, and what follows it.
fn parse_reference<'t>(text: &'t str, place: &Place) -> Option<(Reference, &'t str)> {
    let rest = text.strip_prefix('$')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(rest.len());
    let mut parts = rest[..end].split('.').map(str::to_owned);
    let root = parts.next().filter(|root| NAME.holds(root))?;
    let path: Vec<String> = parts.collect();
    if path.iter().any(String::is_empty) {
        return None;
    }
    Some((Reference { root, path, place: place.clone() }, &rest[end..]))
}

fn parse_comparison(text: &str, place: &Place) -> Option<Comparison> {
    let (left, operator) = parse_reference(text.trim(), place)?;
    let operator = operator.trim_start();
    let starts_list = |after: &&str| after.starts_with([' ', '[']);
    let (kind, value) = [Operator::Equals, Operator::Differs, Operator::In]
        .into_iter()
        .find_map(|kind| Some((kind, operator.strip_prefix(kind.sign())?)))
        .filter(|(kind, value)| *kind != Operator::In || starts_list(value))?;
    let (raw, after) = parse_value(value.trim_start(), true)?;
    if !after.trim().is_empty() {
        return None;
    }
    let compared = match (kind, raw) {
        (Operator::Equals, raw) => Test::Equals(raw),
        (Operator::Differs, raw) => Test::Differs(raw),
        (Operator::In, Raw::List(items)) => Test::In(items),
        (Operator::In, _) => return None,
    };
    Some(Comparison { left, test: compared })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equals,
    Differs,
    In,
}

impl Operator {
    fn sign(self) -> &'static str {
        match self {
            Self::Equals => "==",
            Self::Differs => "!=",
            Self::In => "in",
        }
    }
}

/// A JSON scalar, a text in single quotes, or, where `lists` are taken, a list of these; and what follows it.
fn parse_value(text: &str, lists: bool) -> Option<(Raw, &str)> {
    if let Some(mut rest) = text.strip_prefix('[').filter(|_| lists) {
        let mut items = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(rest) = rest.strip_prefix(']').filter(|_| items.is_empty()) {
                return Some((Raw::List(items), rest));
            }
            let (item, after) = parse_value(rest, false)?;
            items.push(item);
            rest = after.trim_start();
            if let Some(after) = rest.strip_prefix(']') {
                return Some((Raw::List(items), after));
            }
            rest = rest.strip_prefix(',')?;
        }
    }
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '\'' | '"')) {
        return parse_text(&text[1..], quote);
    }
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, ',' | ']')).unwrap_or(text.len());
    let raw = match &text[..end] {
        "true" => Raw::Bool(true),
        "false" => Raw::Bool(false),
        "null" => Raw::Null,
        number => Raw::Number(serde_json::from_str::<serde_json::Number>(number).ok().map(|_| number.to_owned())?),
    };
    Some((raw, &text[end..]))
}

/// A quoted text behind its opening quote. A backslash takes the next character as it is.
fn parse_text(text: &str, quote: char) -> Option<(Raw, &str)> {
    let mut read = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => read.push(chars.next()?.1),
            c if c == quote => return Some((Raw::Text(read), &text[at + 1..])),
            c => read.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use base::Place;

    use super::{Comparison, Test, parse_comparison};
    use crate::reader::Raw;

    #[test]
    fn comparisons_have_three_forms() {
        let text = |text: &str| Raw::Text(text.to_owned());
        let parse = |text: &str| {
            parse_comparison(text, &Place::default()).map(|Comparison { left, test }| (left.root, left.path, test))
        };
        let path = |path: &[&str]| path.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        for (written, expect) in [
            ("$a.b in ['x', \"y\"]", ("a", path(&["b"]), Test::In(vec![text("x"), text("y")]))),
            (" $a in[] ", ("a", path(&[]), Test::In(vec![]))),
            ("$a == 'it\\'s'", ("a", path(&[]), Test::Equals(text("it's")))),
            ("$a.b-c.0 != null", ("a", path(&["b-c", "0"]), Test::Differs(Raw::Null))),
            ("$a==1.50", ("a", path(&[]), Test::Equals(Raw::Number("1.50".to_owned())))),
            ("$a == true", ("a", path(&[]), Test::Equals(Raw::Bool(true)))),
        ] {
            let (root, steps, wanted) = expect;
            assert_eq!(parse(written), Some((root.to_owned(), steps, wanted)), "{written}");
        }
        for wrong in [
            "",
            "a == 1",
            "$ == 1",
            "$a",
            "$a = 1",
            "$a ==",
            "$a == x",
            "$a in 1",
            "$a in [1",
            "$a in [1,]",
            "$a in [[1]]",
            "$a == 'x",
            "$a == 1 2",
            "$a..b == 1",
            "$a. == 1",
            "$a inn [1]",
            "$1 == 1",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
