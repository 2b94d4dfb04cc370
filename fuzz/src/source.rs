//! Checks of generated files that need no compiler: which characters stand in them, and whether TypeScript's strings,
//! comments and brackets end where they should. Text of a description that broke out of its place would show.

use base::RelPath;

/// Panics when a generated file is not what an emitter may write.
pub fn check_file(path: &RelPath, bytes: &[u8]) {
    assert!(RelPath::new(path.as_str()).is_some(), "{path} is no safe path");
    let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{path} is no UTF-8: {error}"));
    if let Some(odd) = text.chars().find(|c| !may_stand(*c)) {
        panic!("{path} holds {}", odd.escape_unicode());
    }
    if path.as_str().ends_with(".ts")
        && let Err(fault) = scan(text)
    {
        panic!("{path}: {fault}\n{text}");
    }
    if path.as_str().ends_with(".json") {
        crate::parse("output.json", bytes).unwrap_or_else(|| panic!("{path} is no JSON"));
    }
}

/// Controls, line separators, marks of direction, invisible characters and private use end lines, reorder or hide.
fn may_stand(c: char) -> bool {
    let hides = matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{e000}'..='\u{f8ff}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{10ffff}'
    );
    c == '\n' || !(c.is_control() || hides)
}

/// Reads TypeScript as the emitter writes it: no template literals, no regular expressions, no division.
fn scan(text: &str) -> Result<(), String> {
    let bytes = text.as_bytes();
    let mut open: Vec<u8> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let fault = |what: &str| Err(format!("{what} at byte {at}"));
        at += match byte {
            b'"' | b'\'' => match string(&bytes[at..]) {
                Some(len) => len,
                None => return fault("a string without an end"),
            },
            b'/' if bytes[at..].starts_with(b"//") => {
                bytes[at..].iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len() - at)
            }
            b'/' if bytes[at..].starts_with(b"/*") => match text[at..].find("*/") {
                Some(len) => len + 2,
                None => return fault("a comment without an end"),
            },
            b'/' => return fault("a slash"),
            b'`' => return fault("a template"),
            b'(' | b'[' | b'{' => {
                open.push(byte);
                1
            }
            b')' | b']' | b'}' => {
                let opening = open.pop();
                if !matches!((opening, byte), (Some(b'('), b')') | (Some(b'['), b']') | (Some(b'{'), b'}')) {
                    return fault("a bracket that closes nothing");
                }
                1
            }
            _ => 1,
        };
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{} brackets are left open", open.len())) }
}

/// Bytes of the string that starts here, quotes included; nothing when it does not end on its line.
fn string(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\n' => return None,
            b'\\' => at += 2,
            byte if *byte == bytes[0] => return Some(at + 1),
            _ => at += 1,
        }
    }
}
