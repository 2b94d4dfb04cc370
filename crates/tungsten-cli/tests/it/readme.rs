//! Every command that the README and the documentation show: those of the README are run, in order, in one project.

use super::project::{Project, root};

/// Lines of the shell fences of a page.
fn shell_lines(page: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            lines.push(line.split(" #").next().unwrap_or_default().trim().to_owned());
        }
    }
    lines
}

fn page(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("the page is part of the repository")
}

#[test]
fn the_readme_leads_to_an_sdk() {
    let project = Project::empty();
    project.write("openapi.yaml", page("corpus/harbour/openapi.yaml"));
    let mut n_run = 0;
    for line in shell_lines(&page("README.md")) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["tungsten", ref args @ ..] => {
                let run = project.run(args);
                assert_eq!(run.exit, 0, "`{line}`: {}", run.stderr);
                n_run += 1;
            }
            // The test run itself, and the demo, which is a step of it.
            ["cargo", "xtask", "demo" | "test"] => {}
            ["cargo", "install", "--path", path] => assert!(root().join(path).join("Cargo.toml").exists(), "{line}"),
            _ => panic!("nothing runs `{line}`"),
        }
    }
    assert!(n_run >= 4, "the README shows how to use the command line");
    assert!(project.path("generated/typescript/src/client.ts").exists());
}

#[test]
fn commands_in_the_documentation_are_understood() {
    let project = Project::empty();
    for entry in std::fs::read_dir(root().join("docs")).expect("the folder is there").flatten() {
        if entry.path().extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).expect("a page is text");
        for line in shell_lines(&text).iter().filter(|line| line.starts_with("tungsten ")) {
            let args: Vec<&str> = line.split(' ').skip(1).chain(["--help"]).collect();
            assert_eq!(project.run(&args).exit, 0, "{}: `{line}`", entry.path().display());
        }
    }
}
