//! `cargo xtask regen`: rewrites the pages that are made from registries, and the golden outputs. With `--check` it only
//! compares, and fails where a page is not what the registries say.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use base::{codes, limits};

use crate::paths;
use crate::run::{TaskResult, flag, output, run};

/// Writes a page's text.
type Page = fn() -> TaskResult<String>;

/// The pages and what writes each.
const PAGES: [(&str, Page); 5] = [
    ("docs/codes.md", codes_page),
    ("docs/tungsten-yml.md", || Ok(manifest_page())),
    ("docs/agent-yml.md", || Ok(agent_page())),
    ("docs/cli.md", cli_page),
    ("docs/limits.md", || Ok(limits_page())),
];

/// Commands whose help makes the reference, in the order of `tungsten --help`.
const COMMANDS: [&[&str]; 12] = [
    &[],
    &["check"],
    &["ir"],
    &["ir", "dump"],
    &["explain"],
    &["schema"],
    &["init"],
    &["doctor"],
    &["generate"],
    &["mock"],
    &["overlay"],
    &["overlay", "suggest"],
];

pub fn regen(args: &[String]) -> TaskResult {
    let check = flag(args, "--check");
    let mut stale = Vec::new();
    for (path, page) in PAGES {
        let text = page()?;
        let file = paths::root().join(path);
        if std::fs::read_to_string(&file).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            stale.push(path);
        } else {
            std::fs::write(&file, text)?;
            println!("wrote {path}");
        }
    }
    if !stale.is_empty() {
        return Err(format!("not current: {}; run `cargo xtask regen`", stale.join(", ")).into());
    }
    if !check {
        let mut golden = Command::new("cargo");
        golden.args(["test", "--quiet", "--package", "tungsten-emit-typescript", "--test", "it"]);
        run(golden.env("UPDATE_GOLDEN", "1").current_dir(paths::root()))?;
    }
    Ok(())
}

fn generated_from(what: &str) -> String {
    format!("<!-- generated from {what} by `cargo xtask regen`; edit that -->\n\n")
}

fn codes_page() -> TaskResult<String> {
    let mut out = generated_from("crates/base/src/codes.rs and crates/base/codes");
    out.push_str(
        "# Diagnostic codes\n\nThe first two digits name the area. `tungsten explain TGnnnn` prints one page.\n",
    );
    let mut area = "";
    for code in codes::ALL {
        if code.area() != area {
            area = code.area();
            let _ = write!(out, "\n## {}{}\n", area[..1].to_uppercase(), &area[1..]);
        }
        let page = code.page().trim_end();
        let (heading, body) = page.split_once('\n').ok_or("a page has a heading")?;
        let _ = write!(
            out,
            "\n### {}\n\nSeverity: {}.\n{body}\n",
            heading.trim_start_matches("# "),
            code.severity().name()
        );
    }
    Ok(out)
}

fn manifest_page() -> String {
    generated_from("crates/tungsten-manifest/src/tungsten_yml.rs and the tables of target options")
        + &tungsten_manifest::reference_markdown_with(&tungsten_project::option_tables())
}

fn agent_page() -> String {
    generated_from("crates/tungsten-manifest/src/agent_yml.rs and agent_yml.md")
        + &tungsten_manifest::agent_reference_markdown()
}

fn cli_page() -> TaskResult<String> {
    let binary = binary()?;
    let mut out = generated_from("crates/tungsten-cli/src/args.rs");
    out.push_str("# Commands\n");
    for command in COMMANDS {
        let help = output(Command::new(&binary).args(command).arg("--help").env("NO_COLOR", "1"))?;
        let name = std::iter::once("tungsten").chain(command.iter().copied()).collect::<Vec<_>>().join(" ");
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        let _ = write!(out, "\n## {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
    }
    Ok(out)
}

/// The command line as it is built for development.
pub fn binary() -> TaskResult<PathBuf> {
    run(Command::new("cargo").args(["build", "--quiet", "--package", "tungsten-cli"]).current_dir(paths::root()))?;
    Ok(paths::target().join("debug/tungsten"))
}

fn limits_page() -> String {
    let mut out = generated_from("crates/base/src/limits.rs");
    out.push_str(
        "# Limits\n\nWork is budgeted, so that no input can make the compiler run without end. An input above a limit is \
         refused with TG0105.\n\n| what | limit |\n|---|---:|\n",
    );
    let mib = |bytes: u64| format!("{} MiB", bytes >> 20);
    let rows = [
        ("bytes of one input file", mib(limits::FILE_BYTES)),
        ("bytes of all input files", mib(limits::TOTAL_BYTES)),
        ("input files", limits::FILES.to_string()),
        ("nesting of a document or a schema", limits::DEPTH.to_string()),
        ("`$ref`s one after the other", limits::REF_CHAIN.to_string()),
        (
            "values after YAML aliases are expanded, and after overlays are applied",
            format!("{} times those read, plus {}", limits::ALIAS_NODES_FACTOR, limits::ALIAS_NODES_BASE),
        ),
        ("members that one `allOf` merge reads", limits::ALL_OF_MEMBERS.to_string()),
        ("schemas that all merges read together", limits::MERGED_SCHEMAS.to_string()),
        ("variants of one union", limits::UNION_VARIANTS.to_string()),
        ("properties and values that all unions compare together", limits::UNION_PROPERTIES.to_string()),
        ("values that one JSONPath of an overlay looks at", limits::JSON_PATH_VISITS.to_string()),
        ("values that all JSONPaths together look at", limits::ALL_JSON_PATH_VISITS.to_string()),
    ];
    for (what, limit) in rows {
        let _ = writeln!(out, "| {what} | {limit} |");
    }
    let _ = write!(
        out,
        "\nOn a terminal, at most {} findings of one code are printed in full; `--json` lists all.\n",
        limits::PRINTED_PER_CODE
    );
    out
}
