//! From the text of a query to what it says: the grammar and the type rules of RFC 9535.
//!
//! One function a rule of the grammar. Parentheses, filters and function arguments may nest up to a limit, so that
//! neither this parser nor the evaluation runs out of stack.

use super::ast::{Comparison, Operand, Query, Segment, Selector, Test};

/// What is wrong with a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathError {
    /// Byte of the text.
    pub offset: usize,
    /// Lower-case start, no full stop.
    pub message: String,
}

/// Parentheses, filters and arguments within one another.
const NESTING: usize = 64;
/// The integers of I-JSON, which indexes are held to (RFC 9535, section 2.1).
const MAX_INTEGER: i64 = (1 << 53) - 1;

const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

/// Which texts are paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// RFC 9535 and nothing else.
    Standard,
    /// Names without quotes may hold a `-` behind their first character, as in the Overlay Specification's own
    /// `$..[?@.x-oai-traits.paged]`. The standard gives such a text no other meaning.
    DashedNames,
}

pub(super) fn parse(text: &str, dialect: Dialect) -> Result<Query, PathError> {
    let mut parser = Parser { text, at: 0, depth: 0, dialect };
    if !parser.take("$") {
        return Err(parser.error("a path starts with `$`"));
    }
    let segments = parser.segments()?;
    if parser.at < text.len() {
        return Err(parser.unexpected("a segment such as `.name` or `['name']`"));
    }
    Ok(Query { is_absolute: true, segments })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    dialect: Dialect,
}

/// What stands in a comparison, alone as a condition, or as an argument: by its type (RFC 9535, section 2.4.1).
enum Argument {
    Query(Query),
    Value(Operand),
    Logical(Test),
}

impl Parser<'_> {
    /// Segments with white space before each; that behind the last is left.
    fn segments(&mut self) -> Result<Vec<Segment>, PathError> {
        let mut segments = Vec::new();
        loop {
            let before = self.at;
            self.space();
            match self.peek() {
                Some('.' | '[') => segments.push(self.segment()?),
                _ => {
                    self.at = before;
                    return Ok(segments);
                }
            }
        }
    }

    fn segment(&mut self) -> Result<Segment, PathError> {
        let descends = self.take("..");
        let is_dotted = descends || self.take(".");
        let selectors = if self.peek() == Some('[') && (descends || !is_dotted) {
            self.bracketed()?
        } else if self.take("*") {
            vec![Selector::Wildcard]
        } else {
            vec![Selector::Name(self.shorthand()?)]
        };
        Ok(Segment { descends, selectors })
    }

    fn shorthand(&mut self) -> Result<String, PathError> {
        let is_first = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
        let has_dashes = self.dialect == Dialect::DashedNames;
        let is_next = |c: char| is_first(c) || c.is_ascii_digit() || (has_dashes && c == '-');
        let rest = self.rest();
        let len = rest.find(|c: char| !is_next(c)).unwrap_or(rest.len());
        if !rest.starts_with(is_first) {
            return Err(self.unexpected("a name, which starts with a letter or `_`; any other is written `['...']`"));
        }
        let name = rest[..len].to_owned();
        self.at += len;
        Ok(name)
    }

    fn bracketed(&mut self) -> Result<Vec<Selector>, PathError> {
        self.expect("[")?;
        let mut selectors = Vec::new();
        loop {
            self.space();
            selectors.push(self.selector()?);
            self.space();
            if self.take("]") {
                return Ok(selectors);
            }
            if !self.take(",") {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    fn selector(&mut self) -> Result<Selector, PathError> {
        match self.peek() {
            Some('\'' | '"') => Ok(Selector::Name(self.string()?)),
            Some('*') => {
                self.at += 1;
                Ok(Selector::Wildcard)
            }
            Some('?') => {
                self.at += 1;
                self.space();
                Ok(Selector::Filter(self.nested(Self::any)?))
            }
            Some(':' | '-' | '0'..='9') => self.index_or_slice(),
            _ => Err(self.unexpected("a name in quotes, an index, a slice, `*` or a filter `?...`")),
        }
    }

    fn index_or_slice(&mut self) -> Result<Selector, PathError> {
        let start = self.optional_integer()?;
        let before = self.at;
        self.space();
        if !self.take(":") {
            self.at = before;
            return start.map(Selector::Index).ok_or_else(|| self.unexpected("an index"));
        }
        self.space();
        let end = self.optional_integer()?;
        let before = self.at;
        self.space();
        let step = if self.take(":") {
            self.space();
            self.optional_integer()?
        } else {
            self.at = before;
            None
        };
        Ok(Selector::Slice { start, end, step: step.unwrap_or(1) })
    }

    fn optional_integer(&mut self) -> Result<Option<i64>, PathError> {
        let rest = self.rest();
        let digits = rest.strip_prefix('-').unwrap_or(rest);
        let n_digits = digits.bytes().take_while(u8::is_ascii_digit).count();
        let text = &rest[..rest.len() - digits.len() + n_digits];
        if text.is_empty() {
            return Ok(None);
        }
        let is_plain = n_digits > 0 && (!digits.starts_with('0') || text == "0");
        let value = text.parse::<i64>().ok().filter(|value| is_plain && (-MAX_INTEGER..=MAX_INTEGER).contains(value));
        let Some(value) = value else {
            return Err(self.error(&format!("`{text}` is no integer without leading zeros of at most 2^53 - 1")));
        };
        self.at += text.len();
        Ok(Some(value))
    }

    fn any(&mut self) -> Result<Test, PathError> {
        let mut tests = vec![self.all()?];
        while self.take_after_space("||") {
            self.space();
            tests.push(self.all()?);
        }
        Ok(one_or(tests, Test::Any))
    }

    fn all(&mut self) -> Result<Test, PathError> {
        let mut tests = vec![self.basic()?];
        while self.take_after_space("&&") {
            self.space();
            tests.push(self.basic()?);
        }
        Ok(one_or(tests, Test::All))
    }

    fn basic(&mut self) -> Result<Test, PathError> {
        if self.take("!") {
            self.space();
            let test = if self.peek() == Some('(') { self.parenthesis()? } else { self.existence()? };
            return Ok(Test::Not(Box::new(test)));
        }
        if self.peek() == Some('(') {
            return self.parenthesis();
        }
        let start = self.at;
        let left = self.argument()?;
        let before = self.at;
        self.space();
        let found = COMPARISONS.iter().find(|(sign, _)| self.rest().starts_with(sign));
        let Some(&(sign, comparison)) = found else {
            self.at = before;
            return self.tested(left, start);
        };
        let left = self.compared(left, start)?;
        self.at += sign.len();
        self.space();
        let start = self.at;
        let right = self.argument()?;
        Ok(Test::Compare(left, comparison, self.compared(right, start)?))
    }

    fn parenthesis(&mut self) -> Result<Test, PathError> {
        self.expect("(")?;
        self.space();
        let test = self.nested(Self::any)?;
        self.space();
        self.expect(")")?;
        Ok(test)
    }

    /// A query or a function whose result is a test.
    fn existence(&mut self) -> Result<Test, PathError> {
        let start = self.at;
        let argument = self.argument()?;
        self.tested(argument, start)
    }

    fn tested(&mut self, argument: Argument, start: usize) -> Result<Test, PathError> {
        let what = match argument {
            Argument::Query(query) => return Ok(Test::Exists(query)),
            Argument::Logical(test) => return Ok(test),
            Argument::Value(_) => "a value alone is no condition: compare it with another",
        };
        self.at = start;
        Err(self.error(what))
    }

    fn compared(&mut self, argument: Argument, start: usize) -> Result<Operand, PathError> {
        let what = match argument {
            Argument::Value(operand) => return Ok(operand),
            Argument::Query(query) if query.is_singular() => return Ok(Operand::Singular(query)),
            Argument::Query(_) => "only a path that selects at most one value can be compared",
            Argument::Logical(_) => "the result of this function is a condition and cannot be compared",
        };
        self.at = start;
        Err(self.error(what))
    }

    /// A literal, a query or a function call.
    fn argument(&mut self) -> Result<Argument, PathError> {
        match self.peek() {
            Some('@' | '$') => {
                let is_absolute = self.take("$");
                self.at += usize::from(!is_absolute);
                Ok(Argument::Query(Query { is_absolute, segments: self.nested(Self::segments)? }))
            }
            Some('\'' | '"') => Ok(Argument::Value(Operand::String(self.string()?))),
            Some('-' | '0'..='9') => Ok(Argument::Value(Operand::Number(self.number()?))),
            Some('a'..='z') => {
                let word = self.word();
                if self.rest()[word.len()..].starts_with('(') {
                    return self.nested(Self::call);
                }
                let literal = match word {
                    "null" => Operand::Null,
                    "true" => Operand::Bool(true),
                    "false" => Operand::Bool(false),
                    _ => return Err(self.unexpected("a literal, a path or a function")),
                };
                self.at += word.len();
                Ok(Argument::Value(literal))
            }
            _ => Err(self.unexpected("a literal, a path that starts with `@` or `$`, or a function")),
        }
    }

    fn call(&mut self) -> Result<Argument, PathError> {
        let (start, name) = (self.at, self.word().to_owned());
        self.at += name.len();
        let mut arguments = self.arguments()?;
        let end = self.at;
        self.at = start;
        let call = match (name.as_str(), arguments.as_mut_slice()) {
            ("length", [_]) => {
                let operand = self.value_argument(arguments.remove(0), start)?;
                Argument::Value(Operand::Length(Box::new(operand)))
            }
            ("count" | "value", [Argument::Query(_)]) => {
                let Argument::Query(query) = arguments.remove(0) else { unreachable!("the argument is a query") };
                Argument::Value(if name == "count" { Operand::Count(query) } else { Operand::Value(query) })
            }
            ("count" | "value", [_]) => return Err(self.error(&format!("the argument of `{name}` must be a path"))),
            ("match" | "search", [_, _]) => {
                let text = Box::new(self.value_argument(arguments.remove(0), start)?);
                let pattern = Box::new(self.value_argument(arguments.remove(0), start)?);
                Argument::Logical(Test::Matches { text, pattern, is_whole: name == "match" })
            }
            ("length" | "count" | "value" | "match" | "search", _) => {
                return Err(self.error(&format!("`{name}` has another number of arguments")));
            }
            _ => return Err(self.error(&format!("there is no function `{name}`"))),
        };
        self.at = end;
        Ok(call)
    }

    fn arguments(&mut self) -> Result<Vec<Argument>, PathError> {
        self.expect("(")?;
        self.space();
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.argument()?);
            self.space();
            if self.take(")") {
                return Ok(arguments);
            }
            if !self.take(",") {
                return Err(self.unexpected("`,` or `)`"));
            }
            self.space();
        }
    }

    fn value_argument(&mut self, argument: Argument, start: usize) -> Result<Operand, PathError> {
        self.compared(argument, start).map_err(|error| {
            let message = "this function takes values: literals, and paths that select at most one value".to_owned();
            PathError { message, ..error }
        })
    }

    /// A string literal without its quotes and escapes.
    fn string(&mut self) -> Result<String, PathError> {
        let quote = self.peek().unwrap_or_default();
        self.at += quote.len_utf8();
        let mut out = String::new();
        loop {
            let Some(c) = self.peek() else { return Err(self.error("a string is not ended")) };
            if c < ' ' {
                return Err(self.error("a control character in a string must be escaped"));
            }
            self.at += c.len_utf8();
            match c {
                '\\' => out.push(self.escaped(quote)?),
                _ if c == quote => return Ok(out),
                _ => out.push(c),
            }
        }
    }

    fn escaped(&mut self, quote: char) -> Result<char, PathError> {
        let c = self.peek().unwrap_or_default();
        let plain = match c {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '/' | '\\' => c,
            'u' => {
                self.at += 1;
                return self.escaped_unit();
            }
            _ if c == quote => c,
            _ => return Err(self.error("a string has an escape that there is not")),
        };
        self.at += 1;
        Ok(plain)
    }

    fn escaped_unit(&mut self) -> Result<char, PathError> {
        let first = self.hex()?;
        if !(0xd800..0xe000).contains(&first) {
            return char::from_u32(first).ok_or_else(|| self.error("an escape names no character"));
        }
        let second = if first < 0xdc00 && self.take("\\u") { self.hex()? } else { 0 };
        if !(0xdc00..0xe000).contains(&second) {
            return Err(self.error("an escape is half of a surrogate pair"));
        }
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        char::from_u32(code).ok_or_else(|| self.error("an escape names no character"))
    }

    fn hex(&mut self) -> Result<u32, PathError> {
        let digits = self.rest().get(..4).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let value = digits.and_then(|text| u32::from_str_radix(text, 16).ok());
        let value = value.ok_or_else(|| self.error("`\\u` is followed by four hexadecimal digits"))?;
        self.at += 4;
        Ok(value)
    }

    /// A number as JSON spells it.
    fn number(&mut self) -> Result<String, PathError> {
        let start = self.at;
        self.take("-");
        let has_zero = self.take("0");
        let mut is_number = has_zero || self.digits() > 0;
        if self.take(".") {
            is_number &= self.digits() > 0;
        }
        if self.take("e") || self.take("E") {
            let _ = self.take("-") || self.take("+");
            is_number &= self.digits() > 0;
        }
        if is_number && !matches!(self.peek(), Some('0'..='9')) {
            return Ok(self.text[start..self.at].to_owned());
        }
        self.at = start;
        Err(self.error("not a number as JSON spells them"))
    }

    fn digits(&mut self) -> usize {
        let n_digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        self.at += n_digits;
        n_digits
    }

    /// The letters, digits and `_` that come next: a function's name or a literal.
    fn word(&self) -> &str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
        &rest[..end.unwrap_or(rest.len())]
    }

    fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Result<T, PathError>) -> Result<T, PathError> {
        self.depth += 1;
        if self.depth > NESTING {
            return Err(self.error(&format!("filters and parentheses nest deeper than {NESTING}")));
        }
        let result = rule(self);
        self.depth -= 1;
        result
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn space(&mut self) {
        let n_spaces = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.at += n_spaces;
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn take_after_space(&mut self, sign: &str) -> bool {
        let before = self.at;
        self.space();
        let found = self.take(sign);
        if !found {
            self.at = before;
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), PathError> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> PathError {
        match self.peek() {
            Some(c) => self.error(&format!("{} stands where {wanted} is expected", base::diag::quoted(&c.to_string()))),
            None => self.error(&format!("the path ends where {wanted} is expected")),
        }
    }

    fn error(&self, message: &str) -> PathError {
        PathError { offset: self.at, message: message.to_owned() }
    }
}

fn one_or(mut tests: Vec<Test>, several: fn(Vec<Test>) -> Test) -> Test {
    if tests.len() == 1 { tests.remove(0) } else { several(tests) }
}
