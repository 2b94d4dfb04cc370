//! The reference pages of `tungsten.yml` and `agent.yml` in Markdown, made from their key tables.
//!
//! Reads the table and the option tables of targets; writes text. One section an object, one row a key.

use std::fmt::Write;

use crate::agent_yml::AgentManifest;
use crate::forms::{Form, Rule};
use crate::keys::{Object, Presence, Shape};
use crate::reader::list;
use crate::targets::{BUILT_IN_TARGETS, OptionKind, OptionRow, OptionTable};
use crate::tungsten_yml::Manifest;

const AGENT_HEAD: &str = "# agent.yml\n";
/// What holds between keys, which no row of a table can say.
const AGENT_TAIL: &str = include_str!("agent_yml.md");
const HEAD: &str = "# tungsten.yml\n";

/// The page of `tungsten.yml`. `options` are the tables of the built-in targets.
pub fn reference_markdown(options: &[OptionTable]) -> String {
    let mut page = HEAD.to_owned();
    sections(&mut page, Manifest::TABLE);
    targets_section(&mut page, options);
    page
}

/// The page of `agent.yml`.
pub fn agent_reference_markdown() -> String {
    let mut page = AGENT_HEAD.to_owned();
    sections(&mut page, AgentManifest::TABLE);
    page.push_str(AGENT_TAIL);
    page
}

/// An object and where it stands. An object that holds itself, or stands in two places, is described at the first.
type Section = (String, &'static Object);

/// A section for each object that a table holds.
fn sections(page: &mut String, root: &'static Object) {
    let mut pending: Vec<Section> = vec![(String::new(), root)];
    let mut sections: Vec<Section> = Vec::new();
    while let Some((path, object)) = pending.pop() {
        if sections.iter().any(|(_, known)| known.name == object.name) {
            continue;
        }
        let at = pending.len();
        for row in object.keys {
            objects_below(join(&path, row.name), (row.shape)(), &mut pending);
        }
        // The section that comes next is the last one.
        pending[at..].reverse();
        sections.push((path, object));
    }
    for (path, object) in &sections {
        section(page, path, object, &sections);
    }
}

fn section(page: &mut String, path: &str, object: &Object, sections: &[Section]) {
    if !path.is_empty() {
        put(page, format_args!("\n## `{path}`\n"));
    }
    put(page, format_args!("\n{}\n", object.doc.trim()));
    if !object.exactly_one.is_empty() {
        put(page, format_args!("\nExactly one of {}.\n", list(object.exactly_one.iter().copied())));
    }
    page.push_str("\n| Key | Type | Default | Meaning |\n|---|---|---|---|\n");
    for row in object.keys {
        let default = match row.presence {
            Presence::Required => "required".to_owned(),
            Presence::Default(value) => format!("`{value}`"),
            Presence::Otherwise(text) => text.to_owned(),
        };
        let note = if row.applied { "" } else { " Not applied by this version (TG0615)." };
        let (name, doc) = (row.name, row.doc.trim());
        let kind = shape_text(join(path, row.name), (row.shape)(), sections);
        put(page, format_args!("| `{name}` | {} | {} | {}{note} |\n", cell(&kind), cell(&default), cell(doc)));
    }
}

fn targets_section(page: &mut String, options: &[OptionTable]) {
    page.push_str(
        "\n## Built-in targets\n\nAny other name needs `external`; keys beyond those above are handed to the emitter. A \
         target without an emitter in this version is checked, and nothing is generated for it (TG0702).\n\n\
         | Target | Emitter in this version |\n|---|---|\n",
    );
    for target in BUILT_IN_TARGETS {
        let emitted = options.iter().any(|table| table.target == target.name && table.has_emitter);
        put(page, format_args!("| `{}` | {} |\n", target.name, if emitted { "yes" } else { "no" }));
    }
    for table in options {
        put(page, format_args!("\n### `targets.{}`\n\n", table.target));
        if table.rows.is_empty() {
            page.push_str("No options but those of every target.\n");
            continue;
        }
        page.push_str("| Option | Type | Default | Meaning |\n|---|---|---|---|\n");
        option_rows(page, "", &table.rows);
    }
}

/// Options hold options to a depth that their tables state, not an input.
fn option_rows(page: &mut String, path: &str, rows: &[OptionRow]) {
    for row in rows {
        let name = join(path, row.name);
        let (kind, below): (String, &[OptionRow]) = match &row.kind {
            OptionKind::Text { phrase, .. } => (without_article(phrase).to_owned(), &[]),
            OptionKind::OneOf(words) => (list(words.iter().copied()), &[]),
            OptionKind::Bool => ("boolean".to_owned(), &[]),
            OptionKind::Integer { min, max } => (format!("{min} to {max}"), &[]),
            OptionKind::Object(rows) => ("object".to_owned(), rows),
            OptionKind::Switch(rows) => ("boolean or object".to_owned(), rows),
        };
        let (default, doc) = (cell(row.default), cell(row.doc.trim()));
        put(page, format_args!("| `{name}` | {} | {default} | {doc} |\n", cell(&kind)));
        option_rows(page, &name, below);
    }
}

/// Adds the objects of which values of a shape are made, each with its path. Shapes hold shapes to a depth that the
/// table states, not an input.
fn objects_below(path: String, shape: Shape, out: &mut Vec<Section>) {
    match shape {
        Shape::Object(object) => out.push((path, object)),
        Shape::Map { keys, values } => objects_below(below_map(&path, keys), values(), out),
        Shape::List { items, .. } => objects_below(below_list(&path), items(), out),
        Shape::Either(shapes) => shapes.iter().for_each(|shape| objects_below(path.clone(), *shape, out)),
        Shape::Text(_) | Shape::Bool | Shape::True | Shape::Integer { .. } | Shape::Any => {}
    }
}

fn below_map(path: &str, keys: &Form) -> String {
    format!("{path}.<{}>", keys.key_name)
}

fn below_list(path: &str) -> String {
    format!("{path}[]")
}

/// What a value is; of an object that is described elsewhere, where.
fn shape_text(path: String, shape: Shape, sections: &[Section]) -> String {
    match shape {
        Shape::Text(form) => form_text(form),
        Shape::Bool => "boolean".to_owned(),
        Shape::True => "`true`".to_owned(),
        Shape::Integer { min, max } if min == max => format!("{min}"),
        Shape::Integer { min, max } => format!("{min} to {max}"),
        Shape::Object(object) => match sections.iter().find(|(_, known)| known.name == object.name) {
            Some((described, _)) if *described != path => format!("object, as `{described}`"),
            _ => "object".to_owned(),
        },
        Shape::Map { keys, values } => {
            format!("map of {} to: {}", keys.key_name, shape_text(below_map(&path, keys), values(), sections))
        }
        Shape::List { items, min_items } => {
            let kind = if min_items == 0 { "list of" } else { "list, not empty, of" };
            format!("{kind}: {}", shape_text(below_list(&path), items(), sections))
        }
        Shape::Either(shapes) => {
            let kinds = shapes.iter().map(|shape| shape_text(path.clone(), *shape, sections));
            kinds.collect::<Vec<_>>().join(" or ")
        }
        Shape::Any => "any value".to_owned(),
    }
}

fn form_text(form: &Form) -> String {
    match form.rule {
        Rule::OneOf(words) => list(words.iter().copied()),
        _ => without_article(form.phrase).to_owned(),
    }
}

fn without_article(phrase: &str) -> &str {
    phrase.trim_start_matches("a ").trim_start_matches("an ").trim_start_matches("the ")
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn put(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("writing to a string cannot fail");
}
