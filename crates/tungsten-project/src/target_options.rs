//! The options of the built-in targets: one table for each, from which the check, the manifest's schema and the
//! reference page are made.
//!
//! Reads the raw options of a manifest; reports unknown and wrong ones under the target's code. A target with an
//! emitter brings its own table; the others have theirs here, so that a misspelled option is found before there is an
//! emitter.

use std::borrow::Cow;

use base::{Code, Diags, Place, Severity};
use tungsten_emit::{Grammar, OptionKind, OptionRow, OptionTable, OptionValue, RawOption};

use crate::targets::emitter;

const fn text(name: &'static str, grammar: Grammar, default: &'static str, doc: &'static str) -> OptionRow {
    OptionRow { name, kind: OptionKind::Text(grammar), default, doc }
}

const VERSION: OptionRow = text("version", Grammar::Version, "`0.1.0`", "Version of the generated package.");
const RUNTIME: OptionRow =
    text("runtime", Grammar::Range, "`^0.1.0`", "Version range of the runtime that the package depends on.");
const RUNTIME_PATH: OptionRow = text(
    "runtime_path",
    Grammar::RelativePath,
    "none",
    "Folder of the runtime, relative to the output; replaces the version range.",
);
const SDK: OptionRow = text(
    "sdk",
    Grammar::NpmPackage,
    "the package of the typescript target",
    "The TypeScript SDK that is called, with or without a version range.",
);
const SDK_PATH: OptionRow =
    text("sdk_path", Grammar::RelativePath, "none", "Folder of the SDK, relative to the output; replaces its version.");

const PYTHON: OptionTable = OptionTable {
    target: "python",
    code: Code::TG0731,
    rows: &[
        text("package", Grammar::PythonName, "`<api-kebab>-sdk`", "Name of the distribution."),
        text("module", Grammar::PythonModule, "`<api_snake>_sdk`", "Name of the package that is imported."),
        text("version", Grammar::PythonVersion, "`0.1.0`", "Version of the distribution."),
        text("runtime", Grammar::PythonRange, "`>=0.1.0,<0.2.0`", "Version specifier of the runtime."),
        RUNTIME_PATH,
        OptionRow {
            name: "models",
            kind: OptionKind::OneOf(&["pydantic", "dataclasses"]),
            default: "`pydantic`",
            doc: "What models are.",
        },
    ],
};

const RUST: OptionTable = OptionTable {
    target: "rust",
    code: Code::TG0740,
    rows: &[
        text("crate", Grammar::CrateName, "`<api-kebab>-sdk`", "Name of the crate."),
        VERSION,
        text("runtime", Grammar::CargoRange, "`0.1`", "Version requirement of the runtime."),
        RUNTIME_PATH,
        OptionRow {
            name: "cli",
            kind: OptionKind::Switch(&[
                text("bin", Grammar::CrateName, "`<api-kebab>`", "Name of the program."),
                text("crate", Grammar::CrateName, "`<api-kebab>-cli`", "Name of the program's crate."),
                text("kit", Grammar::CargoRange, "`0.1`", "Version requirement of the library behind the program."),
                text("kit_path", Grammar::RelativePath, "none", "Folder of that library, relative to the output."),
            ]),
            default: "`true`",
            doc: "Whether a command line is generated, and how it is called.",
        },
    ],
};

const MCP: OptionTable = OptionTable {
    target: "mcp",
    code: Code::TG0720,
    rows: &[
        text("package", Grammar::NpmName, "`<api-kebab>-mcp`", "Name of the npm package and of its program."),
        VERSION,
        SDK,
        SDK_PATH,
        RUNTIME,
        RUNTIME_PATH,
        OptionRow {
            name: "sandbox",
            kind: OptionKind::Bool,
            default: "`false`",
            doc: "Whether the server has a tool that runs scripts.",
        },
        OptionRow {
            name: "search",
            kind: OptionKind::Object(&[OptionRow {
                name: "embeddings",
                kind: OptionKind::Object(EMBEDDINGS.rows),
                default: "none",
                doc: "An index of embeddings beside the index of words.",
            }]),
            default: "the index of words alone",
            doc: "How tools are searched.",
        },
    ],
};

/// What `search.embeddings` of the mcp target holds.
const EMBEDDINGS: OptionTable = OptionTable {
    target: "mcp",
    code: Code::TG0570,
    rows: &[
        OptionRow {
            name: "provider",
            kind: OptionKind::OneOf(&["command", "http"]),
            default: "none, so the index is off",
            doc: "Who makes embeddings: a program, or a server of this machine.",
        },
        text("command", Grammar::Line, "none", "The program and its arguments; quotes group."),
        text("url", Grammar::HttpUrl, "none", "The server's address."),
        text("model", Grammar::Line, "none, so the index is off", "Name of the model."),
        OptionRow {
            name: "dimensions",
            kind: OptionKind::Integer { min: 1, max: 65536 },
            default: "those of the first answer",
            doc: "Length of the vectors, checked on every answer.",
        },
        text("api_key_env", Grammar::EnvName, "none", "Environment variable with the server's key."),
        OptionRow {
            name: "required",
            kind: OptionKind::Bool,
            default: "`false`",
            doc: "Whether a failure of the provider fails the run.",
        },
        OptionRow {
            name: "batch_size",
            kind: OptionKind::Integer { min: 1, max: 512 },
            default: "`32`",
            doc: "Documents in one call.",
        },
        OptionRow {
            name: "timeout_ms",
            kind: OptionKind::Integer { min: 1, max: 3_600_000 },
            default: "`60000`",
            doc: "Longest call, in milliseconds.",
        },
    ],
};

const WEBMCP: OptionTable = OptionTable {
    target: "webmcp",
    code: Code::TG0790,
    rows: &[
        text("package", Grammar::NpmName, "`<api-kebab>-webmcp`", "Name of the npm package."),
        VERSION,
        SDK,
        SDK_PATH,
        RUNTIME,
        RUNTIME_PATH,
        text("sdk_runtime", Grammar::Range, "`^0.1.0`", "Version range of the runtime that the SDK depends on."),
        text("sdk_runtime_path", Grammar::RelativePath, "none", "Folder of that runtime, relative to the output."),
    ],
};

const DOCS: OptionTable = OptionTable { target: "docs", code: Code::TG0705, rows: &[] };
const MOCK: OptionTable = OptionTable { target: "mock", code: Code::TG0705, rows: &[] };

/// All tables, in order of the targets' names.
pub const TABLES: [OptionTable; 7] = [DOCS, MCP, MOCK, PYTHON, RUST, tungsten_emit_typescript::OPTIONS, WEBMCP];

/// Reports what is wrong with the options of a built-in target. Its emitter uses the defaults instead.
pub fn check(target: &str, raw: &[RawOption], diags: &mut Diags) {
    let Some(table) = TABLES.iter().find(|table| table.target == target) else { return };
    if target != MCP.target {
        table.read(raw, diags);
        return;
    }
    let mut rest = raw.to_vec();
    for search in rest.iter_mut().filter(|option| option.key == "search") {
        let OptionValue::Map(members) = &mut search.value else { continue };
        members.retain(|member| {
            let is_embeddings = member.key == "embeddings";
            if is_embeddings {
                check_embeddings(member, diags);
            }
            !is_embeddings
        });
    }
    table.read(&rest, diags);
}

/// Reports what is wrong with the embeddings: as errors when the project says that it cannot do without.
fn check_embeddings(option: &RawOption, diags: &mut Diags) {
    let OptionValue::Map(members) = &option.value else {
        let message = "option `search.embeddings` must be an object";
        diags.report(Code::TG0570, option.place.clone(), message).help = Some("the index is off".to_owned());
        return;
    };
    let mut found = Diags::new();
    let options = EMBEDDINGS.read_below("search.embeddings.", members, &mut found);
    let is_there = |name: &str| members.iter().any(|member| member.key == name);
    let mut lacks = |name: &str, why: &str| {
        if !is_there(name) {
            let message = format!("`search.embeddings` lacks `{name}`{why}");
            let place: Place = option.place.clone();
            found.report(Code::TG0570, place, message).help = Some("the index is off without it".to_owned());
        }
    };
    lacks("provider", "");
    lacks("model", "");
    match options.text("provider") {
        Some("command") => lacks("command", ", which the provider `command` runs"),
        Some("http") => lacks("url", ", where the provider `http` is"),
        _ => {}
    }
    if options.bool("required") == Some(true) {
        found.iter_mut().for_each(|diagnostic| diagnostic.severity = Severity::Error);
    }
    diags.append(found);
}

/// The tables as the manifest's schema and its reference page take them.
pub fn for_manifest() -> Vec<tungsten_manifest::OptionTable> {
    let table = |table: &OptionTable| tungsten_manifest::OptionTable {
        target: table.target,
        has_emitter: emitter(table.target).is_some(),
        rows: rows(table.rows),
    };
    TABLES.iter().map(table).collect()
}

/// Options hold options to a depth that the tables state.
fn rows(of: &'static [OptionRow]) -> Cow<'static, [tungsten_manifest::OptionRow]> {
    let row = |row: &'static OptionRow| tungsten_manifest::OptionRow {
        name: row.name,
        kind: match row.kind {
            OptionKind::Text(grammar) => {
                tungsten_manifest::OptionKind::Text { pattern: grammar.pattern(), phrase: grammar.phrase() }
            }
            OptionKind::OneOf(words) => tungsten_manifest::OptionKind::OneOf(words),
            OptionKind::Bool => tungsten_manifest::OptionKind::Bool,
            OptionKind::Integer { min, max } => tungsten_manifest::OptionKind::Integer { min, max },
            OptionKind::Object(below) => tungsten_manifest::OptionKind::Object(rows(below)),
            OptionKind::Switch(below) => tungsten_manifest::OptionKind::Switch(rows(below)),
        },
        default: row.default,
        doc: row.doc,
    };
    of.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use base::{Diags, Place, Severity};
    use tungsten_emit::{OptionValue, RawOption};
    use tungsten_manifest::BUILT_IN_TARGETS;

    use super::{TABLES, check};

    fn option(key: &str, value: OptionValue) -> RawOption {
        RawOption { key: key.to_owned(), value, place: Place::default() }
    }

    fn text(key: &str, value: &str) -> RawOption {
        option(key, OptionValue::Text(value.to_owned()))
    }

    /// `TG0720 message; help`, one a finding.
    fn found(target: &str, raw: &[RawOption]) -> Vec<String> {
        let mut diags = Diags::new();
        check(target, raw, &mut diags);
        let line =
            |one: &base::Diagnostic| format!("{} {}; {}", one.code, one.message, one.help.clone().unwrap_or_default());
        diags.iter().map(line).collect()
    }

    #[test]
    fn every_built_in_target_has_a_table() {
        let names: Vec<&str> = TABLES.iter().map(|table| table.target).collect();
        assert_eq!(names, BUILT_IN_TARGETS.iter().map(|target| target.name).collect::<Vec<_>>());
    }

    #[test]
    fn misspelled_options_are_found_at_every_level() {
        assert_eq!(
            found("python", &[text("pakage", "x"), text("models", "pydantics"), text("module", "httpx")]),
            [
                "TG0731 target `python` has no option `pakage`; did you mean `package`?",
                "TG0731 option `models` must be one of `pydantic`, `dataclasses`, found `pydantics`; did you mean \
                 `pydantic`? Else the default is used: `pydantic`",
                "TG0731 option `module` must be a module name: lower-case letters, digits and `_`, a letter first, no \
                 module that generated code imports, found `httpx`; the default is used: `<api_snake>_sdk`",
            ]
        );
        let cli = option("cli", OptionValue::Map(vec![text("bim", "acme")]));
        assert_eq!(found("rust", &[cli]), ["TG0740 target `rust` has no option `cli.bim`; did you mean `bin`?"]);
        assert_eq!(
            found("docs", &[text("layout", "x")]),
            ["TG0705 target `docs` has no option `layout`; the target has no options but `out`"]
        );
        assert_eq!(found("webmcp", &[text("sdk_path", "../typescript"), text("sdk", "@a/b@^1")]), Vec::<String>::new());
        assert_eq!(found("kotlin", &[text("anything", "x")]), Vec::<String>::new());
    }

    #[test]
    fn embeddings_have_a_code_of_their_own() {
        let search = |members: Vec<RawOption>| {
            let embeddings = option("embeddings", OptionValue::Map(members));
            option("search", OptionValue::Map(vec![embeddings]))
        };
        let good = || vec![text("provider", "command"), text("command", "node embed.mjs"), text("model", "m")];
        assert_eq!(found("mcp", &[search(good())]), Vec::<String>::new());
        assert_eq!(
            found("mcp", &[search(vec![text("provider", "http"), text("modle", "m")])]),
            [
                "TG0570 target `mcp` has no option `search.embeddings.modle`; did you mean `model`?",
                "TG0570 `search.embeddings` lacks `model`; the index is off without it",
                "TG0570 `search.embeddings` lacks `url`, where the provider `http` is; the index is off without it",
            ]
        );
        assert_eq!(
            found("mcp", &[option("search", OptionValue::Map(vec![text("index", "x")]))]),
            ["TG0720 target `mcp` has no option `search.index`; options: `embeddings`"]
        );
        assert_eq!(
            found("mcp", &[option("search", OptionValue::Map(vec![text("embeddings", "x")]))]),
            ["TG0570 option `search.embeddings` must be an object; the index is off"]
        );
        let mut members = good();
        members.push(option("required", OptionValue::Bool(true)));
        members.push(option("batch_size", OptionValue::Number("513".to_owned())));
        let mut diags = Diags::new();
        check("mcp", &[search(members)], &mut diags);
        assert_eq!(diags.count(Severity::Error), 1);
    }
}
