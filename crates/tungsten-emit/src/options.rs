//! Options of a target: one table gives the reader, the JSON Schema and the reference page.
//!
//! Reads the raw options of a manifest; writes typed values and diagnostics under the target's own code. A wrong option
//! is reported and its default is used, so a run never fails over one. What the default is, is the emitter's to say:
//! some depend on the API's name.

use base::diag::quoted;
use base::{Code, Diags, Place};
use serde_json::{Map, Value, json};

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
}

/// The checked options of a target.
#[derive(Clone, Debug)]
pub struct Options {
    table: OptionTable,
    /// One for each row; nothing where the default holds.
    values: Vec<Option<Checked>>,
}

#[derive(Clone, Debug)]
enum Checked {
    Text(String),
    Bool(bool),
    Integer(u64),
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
            other => panic!("option `{name}` is a switch, not {other:?}"),
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
        let at = self.table.position(name).expect("an emitter asks for options of its own table");
        self.values[at].as_ref()
    }
}

impl OptionTable {
    /// Checks the options; reports each that is unknown, given twice or wrong.
    pub fn read(&self, raw: &[RawOption], diags: &mut Diags) -> Options {
        let mut values = vec![None; self.rows.len()];
        for option in raw {
            match self.position(&option.key) {
                None => self.report_unknown(option, diags),
                Some(at) => match check(&self.rows[at].kind, &option.value) {
                    Some(value) => values[at] = Some(value),
                    None => self.report_wrong(&self.rows[at], option, diags),
                },
            }
        }
        Options { table: *self, values }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.name == name)
    }

    fn report_unknown(&self, option: &RawOption, diags: &mut Diags) {
        let message = format!("target `{}` has no option {}", self.target, quoted(&option.key));
        let diagnostic = diags.report(self.code, option.place.clone(), message);
        let names = self.rows.iter().map(|row| row.name);
        diagnostic.help = Some(match base::suggest::nearest(&option.key, names.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("options: {}", list(names)),
        });
    }

    fn report_wrong(&self, row: &OptionRow, option: &RawOption, diags: &mut Diags) {
        let message = format!("option `{}` must be {}, found {}", row.name, row.kind.phrase(), option.value.phrase());
        diags.report(self.code, option.place.clone(), message).help =
            Some(format!("the default is used: {}", row.default));
    }

    /// The JSON Schema of the target's options, for its place in the manifest's schema.
    pub fn schema(&self) -> Value {
        let mut properties = Map::new();
        for row in self.rows {
            let mut schema = row.kind.schema();
            schema.insert("description".to_owned(), json!(format!("{} Default: {}.", row.doc, row.default)));
            properties.insert(row.name.to_owned(), Value::Object(schema));
        }
        json!({ "type": "object", "properties": properties, "additionalProperties": false })
    }

    /// The table of the reference page.
    pub fn markdown(&self) -> String {
        let mut out = String::from("| Option | Value | Default | |\n|---|---|---|---|\n");
        for row in self.rows {
            out.push_str(&format!("| `{}` | {} | {} | {} |\n", row.name, row.kind.phrase(), row.default, row.doc));
        }
        out
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
        }
    }

    fn schema(&self) -> Map<String, Value> {
        let schema = match self {
            Self::Text(grammar) => grammar.schema(),
            Self::OneOf(words) => json!({ "enum": words }),
            Self::Bool => json!({ "type": "boolean" }),
            Self::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        };
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
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
        (OptionKind::Bool, OptionValue::Bool(value)) => Some(Checked::Bool(*value)),
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
    use serde_json::json;

    use super::{Grammar, OptionKind, OptionRow, OptionTable, OptionValue, Options, RawOption};

    const TABLE: OptionTable = OptionTable {
        target: "typescript",
        code: Code::TG0711,
        rows: &[
            OptionRow { name: "package", kind: OptionKind::Text(Grammar::NpmName), default: "`x`", doc: "Name." },
            OptionRow { name: "models", kind: OptionKind::OneOf(&["a", "b"]), default: "`a`", doc: "Kind." },
            OptionRow { name: "fast", kind: OptionKind::Bool, default: "`false`", doc: "Speed." },
            OptionRow { name: "max", kind: OptionKind::Integer { min: 1, max: 9 }, default: "`3`", doc: "Most." },
        ],
    };

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
                "target `typescript` has no option `zzz`; options: `package`, `models`, `fast`, `max`",
                "option `max` must be a whole number from 1 to 9, found an object; the default is used: `3`",
            ]
        );
    }

    #[test]
    fn schema_and_page_come_from_the_table() {
        let schema = TABLE.schema();
        assert_eq!(schema["properties"]["models"], json!({ "enum": ["a", "b"], "description": "Kind. Default: `a`." }));
        assert_eq!(schema["properties"]["max"]["maximum"], 9);
        assert_eq!(schema["properties"]["fast"]["type"], "boolean");
        assert_eq!(schema["properties"]["package"]["maxLength"], 214);
        assert!(TABLE.markdown().contains("| `fast` | `true` or `false` | `false` | Speed. |\n"));
    }
}
