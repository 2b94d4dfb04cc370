//! What the text writer knows about each language: indentation, blocks, comments, width, imports.
//!
//! A `Lang` is data. Names come from naming profiles, text of a description through the escapers; neither is decided
//! here.

use crate::escape::comment::Form;

/// One output language.
#[derive(Clone, Copy, Debug)]
pub struct Lang {
    pub name: &'static str,
    /// One step of indentation.
    pub indent: &'static str,
    /// Columns that one step takes.
    pub indent_width: usize,
    /// Columns of a line, as the language's formatter counts them.
    pub width: usize,
    /// Columns of a comment line, its marker and indentation included.
    pub comment_width: usize,
    /// Between the head of a block and its body.
    pub open: &'static str,
    /// After the body; nothing where indentation alone ends a block.
    pub close: Option<&'static str>,
    /// The head and an empty body on one line.
    pub empty_block: &'static str,
    /// Starts a line comment.
    pub comment: &'static str,
    pub doc: DocStyle,
    pub form: Form,
    pub imports: ImportStyle,
}

/// How documentation is written before an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DocStyle {
    /// `/** text */`, or ` * ` before each line.
    JsDoc,
    /// The marker before each line.
    Lines(&'static str),
}

/// How imports are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportStyle {
    /// `import { a, type B } from "m";`
    TypeScript,
    /// `from m import a, b`
    Python,
    /// `use m::{a, b};`
    Rust,
    /// `import "m"`; names are used through the package.
    Go,
}

impl Lang {
    pub const TYPESCRIPT: Self = Self {
        name: "TypeScript",
        indent: "  ",
        indent_width: 2,
        width: 80,
        comment_width: 100,
        open: " {",
        close: Some("}"),
        empty_block: " {}",
        comment: "//",
        doc: DocStyle::JsDoc,
        form: Form::JsDoc,
        imports: ImportStyle::TypeScript,
    };

    pub const PYTHON: Self = Self {
        name: "Python",
        indent: "    ",
        indent_width: 4,
        width: 88,
        comment_width: 88,
        open: ":",
        close: None,
        empty_block: ": ...",
        comment: "#",
        doc: DocStyle::Lines("#"),
        form: Form::Hash,
        imports: ImportStyle::Python,
    };

    pub const RUST: Self = Self {
        name: "Rust",
        indent: "    ",
        indent_width: 4,
        width: 100,
        comment_width: 100,
        open: " {",
        close: Some("}"),
        empty_block: " {}",
        comment: "//",
        doc: DocStyle::Lines("///"),
        form: Form::RustDoc,
        imports: ImportStyle::Rust,
    };

    pub const GO: Self = Self {
        name: "Go",
        indent: "\t",
        indent_width: 4,
        width: 100,
        comment_width: 100,
        open: " {",
        close: Some("}"),
        empty_block: " {}",
        comment: "//",
        doc: DocStyle::Lines("//"),
        form: Form::GoDoc,
        imports: ImportStyle::Go,
    };
}
