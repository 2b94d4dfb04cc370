//! Figures that stand in constants of the crates, read from their source so that pages can state them.
//!
//! Most are private to one file of one crate, and a page is no reason to make them public. A row names the file and the
//! constant; one that moves or goes fails `cargo xtask regen` and the test below, which reads the pages written by hand.

use crate::paths;
use crate::run::TaskResult;

/// A limit whose effect is another than the refusal of the input.
pub struct Limit {
    pub what: &'static str,
    pub figure: Figure,
    /// What becomes of what is above it.
    pub above: &'static str,
}

/// A constant, by file and name.
#[derive(Clone, Copy)]
pub struct Figure(&'static str, &'static str);

const VALIDATE: &str = "crates/tungsten-validate/src/check.rs";
const PATTERN: &str = "crates/tungsten-validate/src/pattern.rs";
const TYPESCRIPT_FILES: &str = "crates/tungsten-emit-typescript/src/view.rs";
const TYPESCRIPT_NESTING: &str = "crates/tungsten-emit-typescript/src/nesting.rs";
const TYPESCRIPT_PRODUCTS: &str = "crates/tungsten-emit-typescript/src/products.rs";
const TYPESCRIPT_RULES: &str = "crates/tungsten-emit-typescript/src/rule_types.rs";
const TYPESCRIPT_INPUTS: &str = "crates/tungsten-emit-typescript/src/input_schemas.rs";
const MADE: &str = "crates/tungsten-mock/src/generate.rs";
const CONTROL: &str = "crates/tungsten-mock/src/control.rs";
const PATHS: &str = "crates/base-doc/src/jsonpath/parse.rs";
const REGEXES: &str = "crates/base-doc/src/jsonpath/iregexp.rs";

/// The limits that shorten, loosen or answer in another way.
pub const LIMITS: &[Limit] = &[
    limit(
        "duplicate keys of one document that are reported one by one",
        Figure("crates/base-doc/src/doc.rs", "REPORTED_DUPLICATES"),
        "they are counted",
    ),
    limit(
        "`x-agent-*` extensions in a wrong place that are reported",
        Figure("crates/tungsten-agent/src/extensions.rs", "MAX_FINDINGS"),
        "they are ignored without a word",
    ),
    limit(
        "filters and parentheses of a JSONPath within each other",
        Figure(PATHS, "NESTING"),
        "the action of the overlay is refused (TG0207)",
    ),
    limit(
        "bytes of a compiled regular expression of a JSONPath",
        Figure(REGEXES, "PROGRAM_BYTES"),
        "it matches nothing",
    ),
    limit(
        "levels of an expression of `agent.yml`",
        Figure("crates/tungsten-manifest/src/predicates.rs", "EXPRESSION_DEPTH"),
        "it is refused (TG0602)",
    ),
    limit(
        "lists and objects of an enum that are compared with those of another",
        Figure("crates/tungsten-frontend/src/enums.rs", "MAX_COMPARED"),
        "the merged enum keeps its own and allows more",
    ),
    limit(
        "characters of a generated name",
        Figure("crates/tungsten-ir/src/profile.rs", "MAX_NAME_LEN"),
        "it is cut; what then meets another gets a number",
    ),
    limit(
        "paths to secrets of one call",
        Figure("crates/tungsten-emit/src/plan/secrets.rs", "MAX_PATHS"),
        "only the first steps are kept, so that more is hidden",
    ),
    limit(
        "TypeScript: resources of a namespace that have a file each",
        Figure(TYPESCRIPT_FILES, "MAX_FILES"),
        "resources below the second level stand in the files of their parents",
    ),
    limit(
        "TypeScript: levels of inline types in one declaration",
        Figure(TYPESCRIPT_NESTING, "MAX_INLINE_LEVELS"),
        "what lies deeper is declared by itself",
    ),
    limit(
        "TypeScript: alternatives that the unions of one intersection make",
        Figure(TYPESCRIPT_PRODUCTS, "MAX_ALTERNATIVES"),
        "unions are left out of the declared type (TG0713)",
    ),
    limit(
        "TypeScript: levels of types that only rules refer to",
        Figure(TYPESCRIPT_RULES, "MAX_LEVELS"),
        "what lies deeper has a constant of its own",
    ),
    limit(
        "TypeScript: levels of the schema of a macro's input",
        Figure(TYPESCRIPT_INPUTS, "MAX_LEVELS"),
        "what lies deeper may be anything",
    ),
    limit("validation: types within types within values", Figure(VALIDATE, "DEPTH"), "the value is refused"),
    limit("validation: types looked at for one value", Figure(VALIDATE, "STEPS"), "the value is refused"),
    limit("validation: bytes of a compiled `pattern`", Figure(PATTERN, "PROGRAM_BYTES"), "it is not checked"),
    limit("validation: groups of a `pattern` within each other", Figure(PATTERN, "NESTING"), "it is not checked"),
    limit("mock: bytes of a request's body", Figure("crates/base-serve/src/server.rs", "BODY_BYTES"), "413"),
    limit("mock: pairs of a form", Figure("crates/tungsten-mock/src/bodies.rs", "PAIRS"), "400"),
    limit("mock: parts of a multipart body", Figure("crates/tungsten-mock/src/multipart.rs", "PARTS"), "400"),
    limit("mock: brackets of a name", Figure("crates/tungsten-mock/src/decode.rs", "BRACKETS"), "400"),
    limit("mock: programs that wait", Figure(CONTROL, "PROGRAMS"), "400"),
    limit("mock: answers of one program", Figure(CONTROL, "TIMES"), "400"),
    limit("mock: milliseconds of an injected fault", Figure("crates/tungsten-mock/src/inject.rs", "LONGEST_MS"), "400"),
    limit(
        "mock: bytes of recorded bodies, and of stored answers",
        Figure("crates/tungsten-mock/src/state.rs", "BODY_BYTES"),
        "the oldest are forgotten",
    ),
    limit(
        "mock: values made before optional members are left out",
        Figure(MADE, "OPTIONAL_VALUES"),
        "optional members are left out",
    ),
    limit("mock: values of one answer", Figure(MADE, "VALUES"), ANSWER_LACKS),
    limit("mock: types within types of one answer", Figure(MADE, "DEPTH"), ANSWER_LACKS),
    limit("mock: items of a list", Figure(MADE, "ITEMS"), "no more are made"),
    limit("mock: characters of a text", Figure(MADE, "CHARACTERS"), "no more are made"),
];

const ANSWER_LACKS: &str = "the value is left out";

const fn limit(what: &'static str, figure: Figure, above: &'static str) -> Limit {
    Limit { what, figure, above }
}

impl Figure {
    /// The value of the constant: a product of numbers and shifts, as sizes are written.
    pub fn value(self) -> TaskResult<u64> {
        let Self(file, name) = self;
        let text = std::fs::read_to_string(paths::root().join(file)).map_err(|error| format!("{file}: {error}"))?;
        let start = format!("const {name}: ");
        let declared = text.lines().find_map(|line| line.split_once(start.as_str()).map(|(_, rest)| rest));
        let value = declared.and_then(|rest| rest.split_once(" = ")?.1.strip_suffix(';'));
        let value = value.ok_or_else(|| format!("{file} declares no `const {name}` on one line"))?;
        evaluate(value).ok_or_else(|| format!("{file}: `{name}` is no plain figure: {value}").into())
    }
}

fn evaluate(text: &str) -> Option<u64> {
    let number = |text: &str| text.trim().replace('_', "").parse::<u64>().ok();
    match text.split_once("<<") {
        Some((base, shift)) => number(base)?.checked_shl(u32::try_from(number(shift)?).ok()?),
        None => number(text),
    }
}

/// The table of [`LIMITS`].
pub fn limits_table() -> TaskResult<String> {
    let mut out = String::from("| what | limit | above it |\n|---|---:|---|\n");
    for limit in LIMITS {
        let value = limit.figure.value()?;
        let bytes = limit.what.contains("bytes ");
        let shown = match value {
            _ if bytes && value >= 1 << 20 => format!("{} MiB", value >> 20),
            _ if bytes && value >= 1 << 10 => format!("{} KiB", value >> 10),
            _ => value.to_string(),
        };
        out.push_str(&format!("| {} | {shown} | {} |\n", limit.what, limit.above));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{Figure, TYPESCRIPT_FILES, TYPESCRIPT_PRODUCTS, evaluate};
    use crate::paths;

    const LIMITS: &str = "crates/base/src/limits.rs";

    /// A page written by hand, words on it with `{}` for the figure, and the constant.
    const STATED: &[(&str, &str, Figure)] = &[
        ("docs/overlays.md", "looks at more than {} values", Figure(LIMITS, "JSON_PATH_VISITS")),
        ("docs/ci.md", "for people; at most {} findings", Figure(LIMITS, "PRINTED_PER_CODE")),
        ("docs/ci.md", "GitHub Actions; at most {} findings", Figure(LIMITS, "PRINTED_PER_CODE")),
        ("docs/mock.md", "body of more than {} MiB", Figure("crates/base-serve/src/server.rs", "BODY_BYTES")),
        ("docs/mock.md", "at most {} levels", Figure(LIMITS, "DEPTH")),
        ("docs/mock.md", "A form has at most {} pairs", Figure("crates/tungsten-mock/src/bodies.rs", "PAIRS")),
        ("docs/mock.md", "a name at most {} brackets", Figure("crates/tungsten-mock/src/decode.rs", "BRACKETS")),
        ("crates/base/codes/TG0713.md", "within {} alternatives", Figure(TYPESCRIPT_PRODUCTS, "MAX_ALTERNATIVES")),
        (
            "docs/decisions/0005-files-of-large-apis.md",
            "of more than {} resources",
            Figure(TYPESCRIPT_FILES, "MAX_FILES"),
        ),
        ("docs/architecture.md", "depth budget of {}", Figure(LIMITS, "DEPTH")),
    ];

    #[test]
    fn pages_written_by_hand_state_the_figures_of_the_code() {
        for (page, words, figure) in STATED {
            let text = std::fs::read_to_string(paths::root().join(page)).expect("the page is there");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let value = figure.value().expect("the constant is there");
            let value = if words.contains("{} MiB") { value >> 20 } else { value };
            let expect = words.replace("{}", &value.to_string());
            assert!(text.replace(',', "").contains(&expect.replace(',', "")), "{page} does not say `{expect}`");
        }
    }

    #[test]
    fn figures_are_read_as_they_are_written() {
        assert_eq!(
            [evaluate("20_000"), evaluate("64 << 20"), evaluate("u32::MAX")],
            [Some(20_000), Some(64 << 20), None]
        );
        assert!(Figure(LIMITS, "NO_SUCH_LIMIT").value().is_err());
    }
}
