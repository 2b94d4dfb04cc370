//! Prose in comments: what is kept, what is broken, and that no hostile text leaves its line.

use base::SpecText;

use super::super::HOSTILE;
use super::{Form, Lines, one_line};

fn prose(text: SpecText<'_>, form: Form, columns: usize) -> Vec<String> {
    let mut lines = Lines::default();
    super::prose(&mut lines, text, form, columns);
    lines.iter().map(str::to_owned).collect()
}

#[track_caller]
fn check(form: Form, text: &str, expect: &[&str]) {
    assert_eq!(prose(SpecText::new(text), form, 40), expect, "{form:?} {text:?}");
}

#[test]
fn prose_is_wrapped_and_paragraphs_are_kept() {
    let js = Form::JsDoc;
    check(js, "", &[]);
    check(js, " \n\t\r\n", &[]);
    check(js, "One line.", &["One line."]);
    check(
        js,
        "Some words that are more than\nforty columns when joined.\n\n\n\nNext.",
        &["Some words that are more than forty", "columns when joined.", "", "Next."],
    );
    check(js, &format!("{} b", "a".repeat(60)), &[&"a".repeat(60), "b"]);
    check(js, "a\rb\u{b}c\u{c}d\u{85}e\u{2028}f\u{2029}g", &["a b c d e f g"]);
}

#[test]
fn markdown_keeps_its_lines() {
    let js = Form::JsDoc;
    check(
        js,
        "Kinds:\n- one that is so long that it must be wrapped\n  - two\n* three\n1. four\n2) five\n\nEnd",
        &[
            "Kinds:",
            "- one that is so long that it must be",
            "  wrapped",
            "  - two",
            "* three",
            "1. four",
            "2) five",
            "",
            "End",
        ],
    );
    check(js, "# Head\ntext\n| a | b |\n|---|---|\n> quote", &["# Head", "text", "| a | b |", "|---|---|", "> quote"]);
    check(js, "x\n```json\n{ \"a\":   1 }\n\n```\ny", &["x", "```json", "{ \"a\":   1 }", "", "```", "y"]);
    check(js, "~~~\nopen", &["~~~", "open", "~~~"]);
    check(js, "a\n\n    indented   code", &["a", "", "    indented   code"]);
    // A word that would start a heading, a list or a rule is not put first in a line.
    check(js, "forty columns of words and then it has # 1", &["forty columns of words and then it has #", "1"]);
    check(js, "forty columns of words and then a rule --- x", &["forty columns of words and then a rule ---", "x"]);
}

#[test]
fn comment_ends_and_tags_are_broken() {
    let js = Form::JsDoc;
    check(js, "a */ b /* c", &["a *\\/ b /\\* c"]);
    check(js, "*\u{feff}/", &["*\\/"]);
    check(js, "*/*/", &["*\\/\\*\\/"]);
    check(js, "@deprecated gone", &["\\@deprecated gone"]);
    check(js, "see {@link x} (@y)", &["see {\\@link x} (\\@y)"]);
    check(js, "me@e.test `@a/b` \\@done", &["me@e.test `@a/b` \\@done"]);
    check(js, "x@ts-ignore y@JSXImportSource", &["x\\@ts-ignore y\\@JSXImportSource"]);
    check(js, "a ` b", &["a ' b"]);
    check(js, "````json` x\n`", &["```json x", "'", "```"]);
    check(js, "`a` `b\n\nc", &["`a` 'b", "", "c"]);
    check(js, "ends \\\\", &["ends"]);
    check(js, "\\", &[]);
}

#[test]
fn directives_of_other_languages_are_broken() {
    check(Form::Hash, "type: ignore", &["\\type: ignore"]);
    check(Form::Hash, "mypy: x\n\n-*- coding: x", &["\\mypy: x", "", "\\-*- coding: x"]);
    check(Form::Hash, "a # noqa #1 #", &["a #\\ noqa #1 #"]);
    check(Form::Hash, "NOQA", &["\\NOQA"]);
    check(Form::Hash, "!/bin/sh", &["\\!/bin/sh"]);
    check(Form::Hash, "plain words", &["plain words"]);
    check(Form::GoDoc, "+build x", &["\\+build x"]);
    check(Form::GoDoc, "go:build x", &["go:build x"]);
    check(Form::RustDoc, "```\nlet x;\n```", &["```text", "let x;", "```"]);
    check(Form::RustDoc, "```rust\nlet x;", &["```text", "let x;", "```"]);
    check(Form::RustDoc, "a\n\n        let x;\n        - item", &["a", "", "   let x;", "   - item"]);
    check(Form::RustDoc, "a */ @b", &["a */ @b"]);
    check(Form::RustDoc, "- ```rust\n> ```\n>     x", &["- \\`\\`\\`rust", "> \\`\\`\\`", "> x"]);
    check(Form::RustDoc, "~~~sh\nx\n~~~", &["~~~text", "x", "~~~"]);
}

#[test]
fn one_line_is_one_line() {
    assert_eq!(one_line(SpecText::new("  a\r\n\n b\u{2028}@c \\"), Form::JsDoc), "a b \\@c");
    assert_eq!(one_line(SpecText::new(""), Form::Hash), "");
    assert_eq!(one_line(SpecText::new("a `b"), Form::JsDoc), "a 'b");
    assert_eq!(one_line(SpecText::new("``` x"), Form::JsDoc), "``' x");
}

#[test]
fn no_hostile_text_leaves_its_line() {
    for form in [Form::JsDoc, Form::Hash, Form::RustDoc, Form::GoDoc] {
        for (text, other) in HOSTILE.iter().flat_map(|text| HOSTILE.iter().map(move |other| (text, other))) {
            for text in [format!("{text}{other}"), format!("{text}\n{other}"), format!("word {text} {other} word")] {
                let mut lines = prose(SpecText::new(&text), form, 30);
                lines.push(one_line(SpecText::new(&text), form));
                for line in lines {
                    harmless(form, &line);
                }
            }
        }
    }
}

#[track_caller]
fn harmless(form: Form, line: &str) {
    assert!(!line.chars().any(|c| super::ends_line(c) || !super::stays(c)), "{line:?}");
    assert!(!line.ends_with(['\\', ' ']), "{line:?}");
    match form {
        Form::JsDoc => {
            assert!(!line.contains("*/") && !line.starts_with('@') && !line.contains(" @"), "{line:?}");
            assert!(!line.replace("\\@", "").to_lowercase().contains("@ts-"), "{line:?}");
        }
        Form::Hash => assert!(!line.starts_with("type:") && !line.contains("# noqa"), "{line:?}"),
        Form::RustDoc => {
            assert!(!line.starts_with("```") || ["```", "```text"].contains(&line), "{line:?}");
        }
        Form::GoDoc => assert!(!line.starts_with("+build"), "{line:?}"),
    }
}
