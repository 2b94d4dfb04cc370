//! `cargo xtask regen`: rewrites the pages that are made from registries, and the golden outputs. With `--check` it only
//! compares, and fails where a page is not what the registries say.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use base::{codes, limits};

use crate::run::{TaskResult, flag, output, run};
use crate::{figures, paths};

/// Writes a page's text.
type Page = fn() -> TaskResult<String>;

/// Crates whose tests compare golden outputs, and rewrite them on request.
const GOLDEN_PACKAGES: [&str; 1] = ["tungsten-emit-typescript"];

const BUDGET_PAGE: &str = "crates/base/codes/TG0105.md";

/// The pages and what writes each. The page of a code comes before the one that holds all.
const PAGES: [(&str, Page); 6] = [
    (BUDGET_PAGE, budget_page),
    ("docs/codes.md", codes_page),
    ("docs/tungsten-yml.md", || Ok(manifest_page())),
    ("docs/agent-yml.md", || Ok(agent_page())),
    ("docs/cli.md", cli_page),
    ("docs/limits.md", limits_page),
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
        for package in GOLDEN_PACKAGES {
            let mut golden = Command::new("cargo");
            golden.args(["test", "--quiet", "--package", package, "--test", "it"]);
            run(golden.env("UPDATE_GOLDEN", "1").current_dir(paths::root()))?;
        }
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
        // From the file, not as it was compiled in: this run may have rewritten it.
        let page = std::fs::read_to_string(paths::root().join(format!("crates/base/codes/{code}.md")))?;
        let page = page.trim_end();
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
        + &tungsten_manifest::reference_markdown(&tungsten_project::option_tables())
}

fn agent_page() -> String {
    generated_from("crates/tungsten-manifest/src/agent_yml.rs and agent_yml.md")
        + &tungsten_manifest::agent_reference_markdown()
}

fn cli_page() -> TaskResult<String> {
    let binary = binary()?;
    let mut out = generated_from("crates/tungsten-cli/src/args.rs");
    out.push_str("# Commands\n");
    // In the order of `--help`, a command before those below it. The next one is last.
    let mut pending: Vec<Vec<String>> = vec![Vec::new()];
    while let Some(command) = pending.pop() {
        let help = output(Command::new(&binary).args(&command).arg("--help").env("NO_COLOR", "1"))?;
        let name = std::iter::once("tungsten").chain(command.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        let _ = write!(out, "\n## {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
        let below = subcommands(&lines).into_iter().map(|word| [command.as_slice(), &[word]].concat());
        pending.extend(below.rev());
    }
    Ok(out)
}

/// The names under `Commands:` of a help text, but that of the help itself.
fn subcommands(help: &[&str]) -> Vec<String> {
    let listed = help.iter().skip_while(|line| **line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A description that goes on in the next line is indented further.
    let names = listed.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    names.filter_map(|rest| rest.split(' ').next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The command line as it is built for development.
pub fn binary() -> TaskResult<PathBuf> {
    run(Command::new("cargo").args(["build", "--quiet", "--package", "tungsten-cli"]).current_dir(paths::root()))?;
    Ok(paths::target().join("debug/tungsten"))
}

fn limits_page() -> TaskResult<String> {
    let mut out = generated_from("crates/base/src/limits.rs and xtask/src/figures.rs");
    out.push_str(
        "# Limits\n\nWork is budgeted, so that no input can make the compiler run without end. An input above a limit is \
         refused with [TG0105](codes.md), whose page says what to do about each.\n\n| what | limit |\n|---|---:|\n",
    );
    for row in limits::budgets() {
        let _ = writeln!(out, "| {} | {} |", row.what, row.at_most);
    }
    out.push_str("\nOther limits have another effect:\n\n");
    out.push_str(&figures::limits_table()?);
    let _ = write!(
        out,
        "\nOn a terminal, at most {} findings of one code are printed in full; `--json` lists all.\n",
        limits::PRINTED_PER_CODE
    );
    Ok(out)
}

/// The page of TG0105 as it stands, with the table of today's budgets.
fn budget_page() -> TaskResult<String> {
    let page = std::fs::read_to_string(paths::root().join(BUDGET_PAGE))?;
    let (before, rest) = page.split_once("\n\n| budget ").ok_or("the page of TG0105 has a table of budgets")?;
    let (_, after) = rest.split_once("\n\n").ok_or("text follows the table of budgets")?;
    Ok(format!("{before}\n\n{}\n{after}", limits::budget_table()))
}

#[cfg(test)]
mod tests {
    use super::subcommands;

    #[test]
    fn commands_are_read_from_the_help() {
        let help =
            "Usage: tungsten\n\nCommands:\n  check  Compile\n           and report\n  help   Print\n\nOptions:\n  -h";
        assert_eq!(subcommands(&help.lines().collect::<Vec<_>>()), ["check"]);
        assert!(subcommands(&["Usage: tungsten check"]).is_empty());
    }
}
