//! Patterns: regular expressions of ECMAScript (JSON Schema 2020-12 core, section 6.4), read once for every engine.
//!
//! Reads the text of a description; tells what an engine does not know, and spells the expression for engines that match
//! in linear time and for ECMAScript's Unicode mode. What older modes of ECMAScript tolerate (`\-`, a brace that is
//! alone) is read as it is meant. The walk has no recursion; groups in groups and the size of repetitions are bounded.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Groups within groups.
const NESTING: usize = 60;
/// Steps that an expression may have when its repetitions are written out.
const STEPS: u64 = 100_000;
/// Steps of a Unicode property, and of a set that holds most characters.
const PROPERTY_STEPS: u64 = 600;
const SET_STEPS: u64 = 16;

/// An expression that was read.
#[derive(Debug)]
pub struct Pattern<'p> {
    text: &'p str,
    tokens: Vec<Token<'p>>,
    /// What linear engines cannot match.
    beyond_regular: Option<&'static str>,
    /// Whether ECMAScript's Unicode mode reads the text as it stands.
    is_strict: bool,
}

#[derive(Clone, PartialEq, Debug)]
enum Token<'p> {
    Char(char),
    Any,
    Start,
    End,
    /// `\b`, or `\B`.
    Boundary(bool),
    Set(Set<'p>),
    Class(bool, Vec<Item<'p>>),
    /// `(`, `(?:`, `(?=` and the like.
    Open(&'p str),
    Close,
    Bar,
    /// With the mark for few repetitions, if any.
    Repeat(&'p str),
    /// `\1`, `\k<name>`.
    Group(&'p str),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Set<'p> {
    Digits(bool),
    Words(bool),
    Spaces(bool),
    /// `\p{...}`: what stands in the braces.
    Property(bool, &'p str),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Item<'p> {
    Range(char, char),
    Set(Set<'p>),
}

const REFERENCES: &str = "references to its own groups";
const CONDITIONS: &str = "conditions on what stands around";
const ESCAPE: &str = "an escape that ECMAScript does not know";
const GROUP: &str = "a group of a kind that ECMAScript does not know";
const NOTHING: &str = "a repetition of nothing";
const COUNTS: &str = "a repetition whose most is less than its least";
const BRACKETS: &str = "brackets that do not match";
const RANGE: &str = "a range that ends before it starts";
const PROPERTY: &str = "a Unicode property that ECMAScript does not know";
const SURROGATE: &str = "half of a character";
const DEEP: &str = "groups in groups beyond measure";
const LARGE: &str = "repetitions beyond measure";
const NAMES: &str = "two groups of one name";

impl<'p> Pattern<'p> {
    /// Reads an expression, or tells what it has that ECMAScript does not know.
    pub fn read(text: &'p str) -> Result<Self, &'static str> {
        let mut reader = Reader { text, at: 0, is_strict: true, beyond_regular: None };
        let tokens = reader.tokens()?;
        let measure = check_shape(&tokens)?;
        let beyond_regular = reader.beyond_regular.or(measure);
        Ok(Self { text, tokens, beyond_regular, is_strict: reader.is_strict })
    }

    /// What the expression has that only engines which step back can match, or that is beyond the measure of others.
    pub fn beyond_regular(&self) -> Option<&'static str> {
        self.beyond_regular
    }

    /// For ECMAScript's Unicode mode (the flag `u`).
    pub fn ecmascript(&self) -> Cow<'p, str> {
        if self.is_strict {
            return Cow::Borrowed(self.text);
        }
        let mut out = String::with_capacity(self.text.len() + 8);
        for token in &self.tokens {
            match token {
                Token::Char(c) => push_char(&mut out, *c, r"^$\.*+?()[]{}|/"),
                Token::Set(set) => out.push_str(&set.ecmascript()),
                Token::Class(negated, items) => {
                    out.push_str(if *negated { "[^" } else { "[" });
                    for item in items {
                        match item {
                            Item::Range(from, to) => {
                                push_char(&mut out, *from, r"^\[]-");
                                if from != to {
                                    out.push('-');
                                    push_char(&mut out, *to, r"^\[]-");
                                }
                            }
                            Item::Set(set) => out.push_str(&set.ecmascript()),
                        }
                    }
                    out.push(']');
                }
                token => out.push_str(token.same_everywhere()),
            }
        }
        Cow::Owned(out)
    }

    /// For engines that match in linear time, in the spelling of the `regex` crate. Nothing when they cannot.
    pub fn linear(&self) -> Option<String> {
        if self.beyond_regular.is_some() {
            return None;
        }
        let mut out = String::with_capacity(self.text.len() * 2);
        for token in &self.tokens {
            match token {
                Token::Char(c) => push_code(&mut out, *c),
                Token::Any => out.push_str(r"[^\n\r\x{2028}\x{2029}]"),
                Token::Boundary(true) => out.push_str(r"(?-u:\b)"),
                Token::Boundary(false) => out.push_str(r"(?-u:\B)"),
                Token::Set(set) => out.push_str(&set.linear()),
                Token::Class(true, items) if items.is_empty() => out.push_str("(?s:.)"),
                Token::Class(false, items) if items.is_empty() => out.push_str(r"[^\x{0}-\x{10FFFF}]"),
                Token::Class(negated, items) => {
                    out.push_str(if *negated { "[^" } else { "[" });
                    for item in items {
                        match item {
                            Item::Range(from, to) => {
                                push_code(&mut out, *from);
                                out.push('-');
                                push_code(&mut out, *to);
                            }
                            Item::Set(set) => out.push_str(&set.linear()),
                        }
                    }
                    out.push(']');
                }
                // Names of groups mean nothing here.
                Token::Open(open) if *open != "(" => out.push_str("(?:"),
                token => out.push_str(token.same_everywhere()),
            }
        }
        Some(out)
    }
}

impl<'p> Token<'p> {
    fn same_everywhere(&self) -> &'p str {
        match self {
            Self::Any => ".",
            Self::Start => "^",
            Self::End => "$",
            Self::Boundary(true) => r"\b",
            Self::Boundary(false) => r"\B",
            Self::Open(text) | Self::Repeat(text) | Self::Group(text) => text,
            Self::Close => ")",
            Self::Bar => "|",
            Self::Char(_) | Self::Set(_) | Self::Class(..) => "",
        }
    }

    /// Steps that matching it once takes.
    fn steps(&self) -> u64 {
        match self {
            Self::Set(set) => set.steps(),
            Self::Any => SET_STEPS,
            Self::Class(_, items) if has_everything(items) => SET_STEPS,
            Self::Class(_, items) => items.iter().fold(SET_STEPS, |sum, item| {
                sum + match item {
                    Item::Set(set @ (Set::Property(..) | Set::Spaces(_))) => set.steps(),
                    _ => 2,
                }
            }),
            _ => 1,
        }
    }
}

/// Whether some set of a class and all that it leaves stand there: `[\s\S]`.
fn has_everything(items: &[Item<'_>]) -> bool {
    [Set::Digits, Set::Words, Set::Spaces]
        .into_iter()
        .any(|set: fn(bool) -> Set<'static>| [true, false].iter().all(|&is| items.contains(&Item::Set(set(is)))))
}

impl Set<'_> {
    fn steps(self) -> u64 {
        match self {
            Self::Property(..) => PROPERTY_STEPS,
            Self::Spaces(_) => SET_STEPS * 2,
            Self::Digits(_) | Self::Words(_) => SET_STEPS,
        }
    }

    fn ecmascript(self) -> String {
        let letter = |c: char, is: bool| format!("\\{}", if is { c } else { c.to_ascii_uppercase() });
        match self {
            Self::Digits(is) => letter('d', is),
            Self::Words(is) => letter('w', is),
            Self::Spaces(is) => letter('s', is),
            Self::Property(is, name) => format!("{}{{{name}}}", letter('p', is)),
        }
    }

    /// ECMAScript's digits and words are ASCII; its spaces are not those of Unicode.
    fn linear(self) -> String {
        let (is, members) = match self {
            Self::Digits(is) => (is, "0-9"),
            Self::Words(is) => (is, "A-Za-z0-9_"),
            Self::Spaces(is) => (
                is,
                r"\x{9}-\x{D}\x{20}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}",
            ),
            Self::Property(is, name) => return format!("\\{}{{{name}}}", if is { 'p' } else { 'P' }),
        };
        format!("[{}{members}]", if is { "" } else { "^" })
    }
}

fn push_char(out: &mut String, c: char, escaped: &str) {
    match c {
        _ if escaped.contains(c) => out.extend(['\\', c]),
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
        _ => out.push(c),
    }
}

fn push_code(out: &mut String, c: char) {
    if c.is_ascii_alphanumeric() {
        out.push(c);
    } else {
        let _ = write!(out, "\\x{{{:X}}}", u32::from(c));
    }
}

struct Reader<'p> {
    text: &'p str,
    at: usize,
    is_strict: bool,
    beyond_regular: Option<&'static str>,
}

/// What a backslash starts.
enum Escape<'p> {
    Char(char),
    Set(Set<'p>),
    Boundary(bool),
    Group(&'p str),
}

impl<'p> Reader<'p> {
    fn rest(&self) -> &'p str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take(&mut self, start: &str) -> bool {
        let is_there = self.rest().starts_with(start);
        if is_there {
            self.at += start.len();
        }
        is_there
    }

    fn tokens(&mut self) -> Result<Vec<Token<'p>>, &'static str> {
        let mut tokens = Vec::new();
        loop {
            let start = self.at;
            let Some(c) = self.next() else { return Ok(tokens) };
            tokens.push(match c {
                '\\' => match self.escape(r"^$\.*+?()[]{}|/")? {
                    Escape::Char(c) => Token::Char(c),
                    Escape::Set(set) => Token::Set(set),
                    Escape::Boundary(is) => Token::Boundary(is),
                    Escape::Group(text) => {
                        self.beyond_regular.get_or_insert(REFERENCES);
                        Token::Group(text)
                    }
                },
                '.' => Token::Any,
                '^' => Token::Start,
                '$' => Token::End,
                '|' => Token::Bar,
                ')' => Token::Close,
                '(' => self.open(start)?,
                '[' => self.class()?,
                '*' | '+' | '?' => {
                    self.take("?");
                    Token::Repeat(&self.text[start..self.at])
                }
                '{' if self.counts(start).is_some() => {
                    self.at = start + self.counts(start).map_or(1, |(_, length)| length);
                    self.take("?");
                    Token::Repeat(&self.text[start..self.at])
                }
                '{' | '}' | ']' => {
                    self.is_strict = false;
                    Token::Char(c)
                }
                c => Token::Char(c),
            });
        }
    }

    /// `{2}`, `{2,}` or `{2,5}` at a place, and how long it is.
    fn counts(&self, start: usize) -> Option<((u64, Option<u64>), usize)> {
        counts(&self.text[start..])
    }

    fn open(&mut self, start: usize) -> Result<Token<'p>, &'static str> {
        let kinds = [("?:", false), ("?=", true), ("?!", true), ("?<=", true), ("?<!", true)];
        for (kind, looks_around) in kinds {
            if self.take(kind) {
                if looks_around {
                    self.beyond_regular.get_or_insert(CONDITIONS);
                }
                return Ok(Token::Open(&self.text[start..self.at]));
            }
        }
        if !self.take("?") {
            return Ok(Token::Open("("));
        }
        let name = self.rest().strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(name, _)| name);
        match name.filter(|name| is_identifier(name)) {
            Some(name) => self.at += name.len() + 2,
            None => return Err(GROUP),
        }
        Ok(Token::Open(&self.text[start..self.at]))
    }

    /// What follows a backslash. `needed`: characters that have one in Unicode mode.
    fn escape(&mut self, needed: &str) -> Result<Escape<'p>, &'static str> {
        let start = self.at - 1;
        let c = self.next().ok_or(ESCAPE)?;
        Ok(match c {
            'd' | 'D' => Escape::Set(Set::Digits(c == 'd')),
            'w' | 'W' => Escape::Set(Set::Words(c == 'w')),
            's' | 'S' => Escape::Set(Set::Spaces(c == 's')),
            'b' | 'B' => Escape::Boundary(c == 'b'),
            'n' => Escape::Char('\n'),
            'r' => Escape::Char('\r'),
            't' => Escape::Char('\t'),
            'f' => Escape::Char('\u{c}'),
            'v' => Escape::Char('\u{b}'),
            '0' if !self.rest().starts_with(|c: char| c.is_ascii_digit()) => Escape::Char('\0'),
            'c' => {
                let letter = self.next().filter(char::is_ascii_alphabetic).ok_or(ESCAPE)?;
                Escape::Char(char::from(letter as u8 % 32))
            }
            'x' => Escape::Char(char::from(self.hexadecimal(2).ok_or(ESCAPE)? as u8)),
            'u' => Escape::Char(self.unicode()?),
            'p' | 'P' => {
                let inside = self.rest().strip_prefix('{').and_then(|rest| rest.split_once('}')).ok_or(PROPERTY)?.0;
                self.at += inside.len() + 2;
                if !is_property(inside) {
                    return Err(PROPERTY);
                }
                Escape::Set(Set::Property(c == 'p', inside))
            }
            '1'..='9' => {
                while self.rest().starts_with(|c: char| c.is_ascii_digit()) {
                    self.at += 1;
                }
                Escape::Group(&self.text[start..self.at])
            }
            'k' => {
                let name = self.rest().strip_prefix('<').and_then(|rest| rest.split_once('>')).ok_or(ESCAPE)?.0;
                self.at += name.len() + 2;
                Escape::Group(&self.text[start..self.at])
            }
            c if c.is_ascii_alphanumeric() => return Err(ESCAPE),
            c => {
                self.is_strict &= needed.contains(c);
                Escape::Char(c)
            }
        })
    }

    fn hexadecimal(&mut self, n_digits: usize) -> Option<u32> {
        let digits = self.rest().get(..n_digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        self.at += n_digits;
        u32::from_str_radix(digits, 16).ok()
    }

    /// `\u{1F600}`, or `\u0041`, where two halves make one character.
    fn unicode(&mut self) -> Result<char, &'static str> {
        if let Some((digits, _)) = self.rest().strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            self.at += digits.len() + 2;
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_number).ok_or(ESCAPE)?;
            return char::from_u32(code).ok_or(SURROGATE);
        }
        let first = self.hexadecimal(4).ok_or(ESCAPE)?;
        if (0xd800..0xdc00).contains(&first) && self.take("\\u") {
            let second = self.hexadecimal(4).filter(|code| (0xdc00..0xe000).contains(code)).ok_or(SURROGATE)?;
            return char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)).ok_or(SURROGATE);
        }
        char::from_u32(first).ok_or(SURROGATE)
    }

    fn class(&mut self) -> Result<Token<'p>, &'static str> {
        let negated = self.take("^");
        let mut items = Vec::new();
        loop {
            let Some(item) = self.class_item()? else { return Ok(Token::Class(negated, items)) };
            let is_range = self.rest().starts_with('-') && !self.rest().starts_with("-]");
            let Item::Range(from, _) = item else {
                // Behind a set a hyphen is itself, which Unicode mode wants to have escaped.
                items.push(item);
                if is_range {
                    self.at += 1;
                    self.is_strict = false;
                    items.push(Item::Range('-', '-'));
                }
                continue;
            };
            if !is_range {
                items.push(item);
                continue;
            }
            self.at += 1;
            match self.class_item()?.ok_or(BRACKETS)? {
                Item::Range(to, _) if from <= to => items.push(Item::Range(from, to)),
                Item::Range(..) => return Err(RANGE),
                set @ Item::Set(_) => {
                    self.is_strict = false;
                    items.extend([item, Item::Range('-', '-'), set]);
                }
            }
        }
    }

    /// One character or set of a class; nothing at its end.
    fn class_item(&mut self) -> Result<Option<Item<'p>>, &'static str> {
        let c = match self.next().ok_or(BRACKETS)? {
            ']' => return Ok(None),
            '\\' => match self.escape(r"^$\.*+?()[]{}|/-")? {
                Escape::Char(c) => c,
                Escape::Set(set) => return Ok(Some(Item::Set(set))),
                Escape::Boundary(true) => '\u{8}',
                Escape::Boundary(false) | Escape::Group(_) => return Err(ESCAPE),
            },
            c => c,
        };
        Ok(Some(Item::Range(c, c)))
    }
}

/// Bytes of the longest counts of a repetition: each brace is looked at once.
const COUNTS_BYTES: usize = 48;

/// `{2}`, `{2,}` or `{2,5}` at the start of a text, and how long it is.
fn counts(text: &str) -> Option<((u64, Option<u64>), usize)> {
    let end = text.bytes().take(COUNTS_BYTES).position(|byte| byte == b'}')?;
    let inside = text.get(..end)?.strip_prefix('{')?;
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().unwrap_or(u64::MAX))
    };
    let range = match inside.split_once(',') {
        None => (number(inside)?, number(inside)),
        Some((least, "")) => (number(least)?, None),
        Some((least, most)) => (number(least)?, Some(number(most)?)),
    };
    Some((range, inside.len() + 2))
}

/// Whether brackets match and repetitions repeat something; what is beyond the measure of linear engines.
fn check_shape(tokens: &[Token<'_>]) -> Result<Option<&'static str>, &'static str> {
    let mut measure = None;
    let mut names = Vec::new();
    // Steps of each open group, and of what a repetition would repeat.
    let mut open: Vec<u64> = Vec::new();
    let mut sum = 0_u64;
    let mut last: Option<u64> = None;
    for token in tokens {
        match token {
            Token::Open(text) => {
                if text.ends_with('>') {
                    names.push(*text);
                }
                open.push(sum);
                if open.len() > NESTING {
                    measure = Some(DEEP);
                }
                (sum, last) = (0, None);
            }
            Token::Close => {
                let inside = sum + 1;
                sum = open.pop().ok_or(BRACKETS)?.saturating_add(inside);
                last = Some(inside);
            }
            Token::Repeat(text) => {
                let repeated = last.take().ok_or(NOTHING)?;
                let (from, to) = counts(text).map_or((1, None), |(range, _)| range);
                if to.is_some_and(|to| to < from) {
                    return Err(COUNTS);
                }
                let times = to.unwrap_or(from.saturating_add(1)).max(1);
                sum = sum.saturating_add(repeated.saturating_mul(times - 1));
            }
            Token::Bar | Token::Start | Token::End | Token::Boundary(_) => last = None,
            token => {
                last = Some(token.steps());
                sum = sum.saturating_add(token.steps());
            }
        }
        if sum > STEPS {
            measure = measure.or(Some(LARGE));
        }
    }
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(NAMES);
    }
    if open.is_empty() { Ok(measure) } else { Err(BRACKETS) }
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// General categories that ECMAScript knows, and the properties that occur beside them.
const PROPERTIES: &str = "L Lu Ll Lt LC Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf \
    Co Cn Letter Uppercase_Letter Lowercase_Letter Titlecase_Letter Cased_Letter Modifier_Letter Other_Letter Mark \
    Nonspacing_Mark Spacing_Mark Enclosing_Mark Number Decimal_Number Letter_Number Other_Number Punctuation \
    Connector_Punctuation Dash_Punctuation Open_Punctuation Close_Punctuation Initial_Punctuation Final_Punctuation \
    Other_Punctuation Symbol Math_Symbol Currency_Symbol Modifier_Symbol Other_Symbol Separator Space_Separator \
    Line_Separator Paragraph_Separator Other Control Format Private_Use Unassigned Alphabetic Lowercase Uppercase \
    White_Space ASCII Any";

/// Scripts whose names both kinds of engines share.
const SCRIPTS: &str = "Latin Latn Greek Grek Cyrillic Cyrl Han Hani Hiragana Hira Katakana Kana Hangul Hang Arabic Arab \
    Hebrew Hebr Thai Devanagari Deva Armenian Armn Georgian Geor Common Zyyy";

fn is_property(text: &str) -> bool {
    let holds = |list: &str, name: &str| list.split_ascii_whitespace().any(|known| known == name);
    match text.split_once('=') {
        None => holds(PROPERTIES, text),
        Some(("General_Category" | "gc", name)) => holds(PROPERTIES, name),
        Some(("Script" | "sc" | "Script_Extensions" | "scx", name)) => holds(SCRIPTS, name),
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unicode_mode_refuses_is_spelled_for_it() {
        for (pattern, expected) in [
            (r"^[a-z]+$", r"^[a-z]+$"),
            (r"^\d{2,3}?\.\p{L}(?<a>x|y)*$", r"^\d{2,3}?\.\p{L}(?<a>x|y)*$"),
            (r"^\-\_\@a$", "^-_@a$"),
            ("x{a}]", r"x\{a\}\]"),
            (r"^[\w-.]+\:$", r"^[\w\-.]+:$"),
            (r"[a-\d]\-", r"[a\-\d]-"),
            (r"(?!a)\-\1", r"(?!a)-\1"),
            ("}\n", r"\}\u000a"),
        ] {
            assert_eq!(Pattern::read(pattern).expect(pattern).ecmascript(), expected, "{pattern}");
        }
    }

    #[test]
    fn what_engines_do_not_know_is_told() {
        for (pattern, what) in [
            (r"^a\Z", ESCAPE),
            (r"\x4", ESCAPE),
            (r"a\", ESCAPE),
            (r"[\1]", ESCAPE),
            ("(?i)a", GROUP),
            ("(?P<a>b)", GROUP),
            ("(?>a)", GROUP),
            ("a**", NOTHING),
            ("a++", NOTHING),
            ("a{2}{3}", NOTHING),
            ("^*", NOTHING),
            ("(|+)", NOTHING),
            ("a{3,2}", COUNTS),
            ("(", BRACKETS),
            ("a)", BRACKETS),
            ("[a", BRACKETS),
            ("[b-a]", RANGE),
            (r"\p{Greek}", PROPERTY),
            (r"\pL", PROPERTY),
            (r"\ud800", SURROGATE),
            ("(?<a>b)(?<a>c)", NAMES),
        ] {
            assert_eq!(Pattern::read(pattern).err(), Some(what), "{pattern}");
        }
    }

    #[test]
    fn what_is_beyond_measure_is_told() {
        let beyond = |text: &str| Pattern::read(text).expect("ECMAScript knows it").beyond_regular();
        let deep = |n: usize| "(".repeat(n) + &")".repeat(n);
        assert_eq!(beyond(&deep(NESTING)), None);
        assert_eq!(beyond(&deep(NESTING + 1)), Some(DEEP));
        let long = |n: u64| format!("a{{{n}}}");
        assert_eq!(beyond(&long(STEPS)), None);
        assert_eq!(beyond(&long(STEPS + 1)), Some(LARGE));
        assert_eq!(beyond(r"^[\s\S]{0,4096}$"), None);
        assert_eq!(beyond("((a{100}){100}){100}"), Some(LARGE));
        assert_eq!(beyond("a{99999999999999999999}"), Some(LARGE));
    }

    #[test]
    fn what_steps_back_is_known_and_told() {
        for (pattern, what) in [("(?=a)", CONDITIONS), ("(?<!x)y", CONDITIONS), (r"(a)\1", REFERENCES)] {
            let read = Pattern::read(pattern).expect(pattern);
            assert_eq!((read.beyond_regular(), read.linear()), (Some(what), None), "{pattern}");
        }
        assert_eq!(Pattern::read("(?:a|[^b])").expect("known").beyond_regular(), None);
    }
}
