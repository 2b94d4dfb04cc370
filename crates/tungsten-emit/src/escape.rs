//! The only ways by which text of a description reaches an output.
//!
//! A [`base::SpecText`] cannot be printed; the functions below take one and give text that is safe in one context of
//! one language: a string literal, a property key, a comment. What may stay as it is, is decided once, in `chars`. No
//! function here knows what a text means.
//!
//! `go`, `html`, `python`, `rust`, `shell` and `toml` wait for the emitters of their languages: they were made and
//! tested together, so that no emitter starts with an escaper of its own.

mod chars;
pub mod comment;
pub mod go;
pub mod html;
pub mod json;
pub mod markdown;
pub mod number;
pub mod python;
pub mod rust;
pub mod shell;
pub mod toml;
pub mod typescript;

pub use chars::width;
pub use number::Number;

/// The one place where a text of a description is opened for escaping.
#[expect(clippy::disallowed_methods, reason = "the escapers are the way out")]
fn untrusted(text: base::SpecText<'_>) -> &str {
    text.untrusted()
}

/// A string in double quotes with the escapes that most languages share. `escape` writes what may not stay.
fn double_quoted(text: base::SpecText<'_>, escape: impl Fn(&mut String, char)) -> String {
    let text = untrusted(text);
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if chars::stays(c) => out.push(c),
            _ => escape(&mut out, c),
        }
    }
    out.push('"');
    out
}

/// `\uhhhh` and, beyond U+FFFF, `\Uhhhhhhhh`: what Go and TOML have.
fn short_or_long(out: &mut String, c: char) {
    let code = u32::from(c);
    out.push_str(&if code <= 0xffff { format!("\\u{code:04x}") } else { format!("\\U{code:08x}") });
}

/// Texts that have broken generators: each must leave every escaper as one token of its context.
#[cfg(test)]
pub(crate) const HOSTILE: &[&str] = &[
    "",
    "plain",
    "\"; process.exit(1); //",
    "'); import os; os.abort() #",
    "*/ alert(1) /*",
    "${process.exit(1)}",
    "`whoami`",
    "\r\nInjected: yes",
    "a\rb",
    "a\nb",
    "a\u{85}b",
    "a\u{2028}b\u{2029}c",
    "a\u{b}b\u{c}c",
    "nul\0nul",
    "\u{202e}olleh\u{202c}\u{2066}x\u{2069}",
    "\u{feff}bom",
    "tag\u{e0041}\u{e007f}",
    "private\u{e000}\u{10ffff}",
    "trailing\\",
    "\\",
    "\\\"",
    "//go:build ignore",
    "go:build ignore",
    "+build ignore",
    "# type: ignore",
    "type: ignore",
    "noqa",
    "coding: latin-1",
    "@ts-ignore",
    "@ts-nocheck",
    "x@ts-ignore",
    "@jsxImportSource evil",
    "a@jsxImportSource evil",
    "*\u{feff}/ broken twice",
    "</script><script>alert(1)</script>",
    "<!-- -->",
    "```\nfn main() { panic!() }\n```",
    "    indented code",
    "\"\"\"",
    "'''",
    "#\" raw \"#",
    "{0} {x} %s",
    "[link](javascript:alert(1))",
    "{@link evil}",
    "__proto__",
    "\u{ff07}\u{201d}",
];
