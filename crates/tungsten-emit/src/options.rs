//! Options of a target: the table that an emitter declares, and the reader that it gives.
//!
//! Reads the raw options of a manifest; writes typed values and diagnostics under the target's own code. A wrong option
//! is reported and its default is used, so a run never fails over one. What the default is, is the emitter's to say:
//! some depend on the API's name.

use base::diag::quoted;
use base::{Code, Diags, Place};

mod grammar;

pub use grammar::Grammar;

/// An option as the manifest has it.
#[derive(Clone, PartialEq, Debug)]
pub struct RawOption {
    pub key: String,
    pub value: OptionValue,
    pub place: Place,
}

/// The value of an option as the manifest has it.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionValue {
    Null,
    Bool(bool),
    /// The exact spelling.
    Number(String),
    Text(String),
    List(Vec<OptionValue>),
    Map(Vec<RawOption>),
}

impl OptionValue {
    /// What the value is, for people.
    fn phrase(&self) -> String {
        match self {
            Self::Null => "`null`".to_owned(),
            Self::Bool(value) => format!("`{value}`"),
            Self::Number(text) => format!("the number {}", quoted(text)),
            Self::Text(text) => quoted(text),
            Self::List(_) => "a list".to_owned(),
            Self::Map(_) => "an object".to_owned(),
        }
    }
}

/// All options of a target.
#[derive(Clone, Copy, Debug)]
pub struct OptionTable {
    /// Name of the target.
    pub target: &'static str,
    /// The code under which a wrong option is reported.
    pub code: Code,
    pub rows: &'static [OptionRow],
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    pub name: &'static str,
    pub kind: OptionKind,
    /// What holds without the option, in words for people: `` `<api-kebab>-sdk` ``.
    pub default: &'static str,
    /// One sentence.
    pub doc: &'static str,
}

/// What the value of an option may be.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    Text(Grammar),
    OneOf(&'static [&'static str]),
    Bool,
    /// A whole number, both bounds included.
    Integer {
        min: u64,
        max: u64,
    },
    /// A closed object.
    Object(&'static [OptionRow]),
    /// `true`, `false` or a closed object.
    Switch(&'static [OptionRow]),
}

/// The checked options of a target.
#[derive(Clone, Debug)]
pub struct Options {
    rows: &'static [OptionRow],
    /// One for each row; nothing where the default holds.
    values: Vec<Option<Checked>>,
}

#[derive(Clone, Debug)]
enum Checked {
    Text(String),
    Bool(bool),
    Integer(u64),
    Object(Options),
}

impl Options {
    /// The text of an option; nothing when the default holds. Panics when the table has no such option of text.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            Checked::Text(text) => Some(text),
            other => panic!("option `{name}` is text, not {other:?}"),
        }
    }

    /// A switch; nothing when the default holds. Panics when the table has no such switch.
    pub fn bool(&self, name: &str) -> Option<bool> {
        match self.value(name)? {
            Checked::Bool(value) => Some(*value),
            // An object says what is on in more words.
            Checked::Object(_) => Some(true),
            other => panic!("option `{name}` is a switch, not {other:?}"),
        }
    }

    /// The options inside an option; nothing when the default holds, or for a switch that is no object. Panics when the
    /// table has no such option.
    pub fn object(&self, name: &str) -> Option<&Options> {
        match self.value(name)? {
            Checked::Object(options) => Some(options),
            Checked::Bool(_) => None,
            other => panic!("option `{name}` is an object, not {other:?}"),
        }
    }

    /// A number; nothing when the default holds. Panics when the table has no such number.
    pub fn integer(&self, name: &str) -> Option<u64> {
        match self.value(name)? {
            Checked::Integer(value) => Some(*value),
            other => panic!("option `{name}` is a number, not {other:?}"),
        }
    }

    fn value(&self, name: &str) -> Option<&Checked> {
        let at = position(self.rows, name).expect("an emitter asks for options of its own table");
        self.values[at].as_ref()
    }
}

fn position(rows: &[OptionRow], name: &str) -> Option<usize> {
    rows.iter().position(|row| row.name == name)
}

impl OptionTable {
    /// Checks the options; reports each that is unknown, given twice or wrong.
    pub fn read(&self, raw: &[RawOption], diags: &mut Diags) -> Options {
        self.read_below("", raw, diags)
    }

    /// As [`Self::read`], for options that stand inside another one: `path` is its name with a dot behind.
    pub fn read_below(&self, path: &str, raw: &[RawOption], diags: &mut Diags) -> Options {
        self.read_rows(self.rows, path, raw, diags)
    }

    /// Checks the options below `path`, which ends with a dot where it is not empty. Options hold options to a depth
    /// that the table states, not an input.
    fn read_rows(&self, rows: &'static [OptionRow], path: &str, raw: &[RawOption], diags: &mut Diags) -> Options {
        let mut values = vec![None; rows.len()];
        for option in raw {
            let Some(at) = position(rows, &option.key) else {
                self.report_unknown(rows, path, option, diags);
                continue;
            };
            let row = &rows[at];
            let checked = match (row.kind, &option.value) {
                (OptionKind::Object(rows) | OptionKind::Switch(rows), OptionValue::Map(raw)) => {
                    Some(Checked::Object(self.read_rows(rows, &format!("{path}{}.", row.name), raw, diags)))
                }
                (kind, value) => check(&kind, value),
            };
            match checked {
                Some(value) => values[at] = Some(value),
                None => self.report_wrong(path, row, option, diags),
            }
        }
        Options { rows, values }
    }

    fn report_unknown(&self, rows: &[OptionRow], path: &str, option: &RawOption, diags: &mut Diags) {
        let name = quoted(&format!("{path}{}", option.key));
        let message = format!("target `{}` has no option {name}", self.target);
        let diagnostic = diags.report(self.code, option.place.clone(), message);
        let names = rows.iter().map(|row| row.name);
        diagnostic.help = Some(match base::suggest::nearest(&option.key, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if rows.is_empty() => "the target has no options but `out`".to_owned(),
            None => format!("options: {}", list(names)),
        });
    }

    fn report_wrong(&self, path: &str, row: &OptionRow, option: &RawOption, diags: &mut Diags) {
        let found = option.value.phrase();
        let message = format!("option `{path}{}` must be {}, found {found}", row.name, row.kind.phrase());
        let default = format!("the default is used: {}", row.default);
        let near = match (row.kind, &option.value) {
            (OptionKind::OneOf(words), OptionValue::Text(text)) => base::suggest::nearest(text, words.iter().copied()),
            _ => None,
        };
        diags.report(self.code, option.place.clone(), message).help = Some(match near {
            Some(near) => format!("did you mean `{near}`? Else {default}"),
            None => default,
        });
    }
}

impl OptionKind {
    /// What a value must be, for people.
    fn phrase(&self) -> String {
        match self {
            Self::Text(grammar) => grammar.phrase().to_owned(),
            Self::OneOf(words) => format!("one of {}", list(words.iter().copied())),
            Self::Bool => "`true` or `false`".to_owned(),
            Self::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Self::Object(_) => "an object".to_owned(),
            Self::Switch(_) => "`true`, `false` or an object".to_owned(),
        }
    }
}

fn check(kind: &OptionKind, value: &OptionValue) -> Option<Checked> {
    match (kind, value) {
        (OptionKind::Text(grammar), OptionValue::Text(text)) => {
            grammar.matches(text).then(|| Checked::Text(text.clone()))
        }
        (OptionKind::OneOf(words), OptionValue::Text(text)) => {
            words.contains(&text.as_str()).then(|| Checked::Text(text.clone()))
        }
        (OptionKind::Bool | OptionKind::Switch(_), OptionValue::Bool(value)) => Some(Checked::Bool(*value)),
        (OptionKind::Integer { min, max }, OptionValue::Number(text)) => {
            text.parse().ok().filter(|number| (min..=max).contains(&number)).map(Checked::Integer)
        }
        _ => None,
    }
}

fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use base::{Code, Diags, Place};

    use super::{Grammar, OptionKind, OptionRow, OptionTable, OptionValue, Options, RawOption};

    const TABLE: OptionTable = OptionTable {
        target: "typescript",
        code: Code::TG0711,
        rows: &[
            OptionRow { name: "package", kind: OptionKind::Text(Grammar::NpmName), default: "`x`", doc: "Name." },
            OptionRow { name: "models", kind: OptionKind::OneOf(&["a", "b"]), default: "`a`", doc: "Kind." },
            OptionRow { name: "fast", kind: OptionKind::Bool, default: "`false`", doc: "Speed." },
            OptionRow { name: "max", kind: OptionKind::Integer { min: 1, max: 9 }, default: "`3`", doc: "Most." },
            OptionRow {
                name: "cli",
                kind: OptionKind::Switch(&[
                    OptionRow { name: "bin", kind: OptionKind::Text(Grammar::Line), default: "`x`", doc: "Program." },
                    OptionRow {
                        name: "log",
                        kind: OptionKind::Object(&[OptionRow {
                            name: "on",
                            kind: OptionKind::Bool,
                            default: "`false`",
                            doc: "Whether.",
                        }]),
                        default: "none",
                        doc: "Log.",
                    },
                ]),
                default: "`true`",
                doc: "Command line.",
            },
        ],
    };

    fn map(members: &[(&str, OptionValue)]) -> OptionValue {
        let member = |(key, value): &(&str, OptionValue)| RawOption {
            key: (*key).to_owned(),
            value: value.clone(),
            place: Place::default(),
        };
        OptionValue::Map(members.iter().map(member).collect())
    }

    #[test]
    fn options_inside_options_are_checked() {
        let (options, diags) =
            read(&[("cli", map(&[("bin", text("acme")), ("log", map(&[("on", OptionValue::Bool(true))]))]))]);
        assert!(diags.is_empty(), "{diags:?}");
        let cli = options.object("cli").expect("an object");
        assert_eq!((options.bool("cli"), cli.text("bin")), (Some(true), Some("acme")));
        assert_eq!(cli.object("log").and_then(|log| log.bool("on")), Some(true));
        let (options, diags) = read(&[("cli", OptionValue::Bool(false))]);
        assert!(diags.is_empty() && options.object("cli").is_none());
        assert_eq!(options.bool("cli"), Some(false));
        let (_, diags) =
            read(&[("cli", map(&[("bim", text("acme")), ("log", map(&[("on", text("yes"))]))])), ("cli", text("on"))]);
        assert_eq!(
            diags,
            [
                "target `typescript` has no option `cli.bim`; did you mean `bin`?",
                "option `cli.log.on` must be `true` or `false`, found `yes`; the default is used: `false`",
                "option `cli` must be `true`, `false` or an object, found `on`; the default is used: `true`",
            ]
        );
    }

    fn read(options: &[(&str, OptionValue)]) -> (Options, Vec<String>) {
        let raw: Vec<RawOption> = options
            .iter()
            .map(|(key, value)| RawOption { key: (*key).to_owned(), value: value.clone(), place: Place::default() })
            .collect();
        let mut diags = Diags::new();
        let options = TABLE.read(&raw, &mut diags);
        assert!(diags.iter().all(|diagnostic| diagnostic.code == Code::TG0711));
        let line = |d: &base::Diagnostic| format!("{}; {}", d.message, d.help.clone().unwrap_or_default());
        (options, diags.iter().map(line).collect())
    }

    fn text(text: &str) -> OptionValue {
        OptionValue::Text(text.to_owned())
    }

    #[test]
    fn right_options_are_typed() {
        let (options, diags) = read(&[
            ("package", text("@a/b")),
            ("models", text("b")),
            ("fast", OptionValue::Bool(true)),
            ("max", OptionValue::Number("9".to_owned())),
        ]);
        assert!(diags.is_empty());
        assert_eq!(
            (options.text("package"), options.text("models"), options.bool("fast"), options.integer("max")),
            (Some("@a/b"), Some("b"), Some(true), Some(9))
        );
    }

    #[test]
    fn wrong_options_keep_their_defaults() {
        let (options, diags) = read(&[
            ("package", text("Bad Name")),
            ("models", text("c")),
            ("fast", text("yes")),
            ("max", OptionValue::Number("10".to_owned())),
            ("pakage", OptionValue::Null),
            ("zzz", OptionValue::List(Vec::new())),
            ("max", OptionValue::Map(Vec::new())),
        ]);
        assert_eq!(
            (options.text("package"), options.text("models"), options.bool("fast"), options.integer("max")),
            (None, None, None, None)
        );
        assert_eq!(
            diags,
            [
                "option `package` must be an npm package name, found `Bad Name`; the default is used: `x`",
                "option `models` must be one of `a`, `b`, found `c`; the default is used: `a`",
                "option `fast` must be `true` or `false`, found `yes`; the default is used: `false`",
                "option `max` must be a whole number from 1 to 9, found the number `10`; the default is used: `3`",
                "target `typescript` has no option `pakage`; did you mean `package`?",
                "target `typescript` has no option `zzz`; options: `package`, `models`, `fast`, `max`, `cli`",
                "option `max` must be a whole number from 1 to 9, found an object; the default is used: `3`",
            ]
        );
    }
}
