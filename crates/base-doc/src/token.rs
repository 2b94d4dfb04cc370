//! Where a token ends, found from its first byte: diagnostics alone ask, so no row stores it.
//!
//! Reads bytes of a source that was parsed without error, JSON or YAML; leaves what tokens mean to the parsers.

/// Byte range of the scalar, the opening bracket or the first line of a block, which starts at `offset`. `plain_len` is
/// the length of an unquoted scalar when it stands in the source as it is.
pub(crate) fn value_range(bytes: &[u8], offset: u32, plain_len: Option<u32>) -> (u32, u32) {
    let start = offset as usize;
    let end = match bytes.get(start) {
        None => start,
        Some(b'{' | b'[') => start + 1,
        Some(quote @ (b'"' | b'\'')) => quoted_end(bytes, start, *quote),
        Some(b'*') => start + bytes[start..].iter().take_while(|byte| !is_alias_end(**byte)).count(),
        Some(_) => match plain_len {
            Some(len) => start + len as usize,
            None => plain_end(bytes, start),
        },
    };
    (offset, end as u32)
}

/// Length of the word `null`, `true`, `~`... at `offset`; 0 for a value that is left out.
pub(crate) fn word_len(bytes: &[u8], offset: u32) -> u32 {
    let rest = bytes.get(offset as usize..).unwrap_or_default();
    rest.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'~').count() as u32
}

/// Byte range of the key `text` that starts at `offset`.
pub(crate) fn key_range(bytes: &[u8], offset: u32, text: &str) -> (u32, u32) {
    let spelled_so = bytes.get(offset as usize..).is_some_and(|rest| rest.starts_with(text.as_bytes()));
    value_range(bytes, offset, spelled_so.then_some(text.len() as u32))
}

fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\\' && quote == b'"' {
            at += 2;
        } else if byte != quote {
            at += 1;
        } else if quote == b'\'' && bytes.get(at + 1) == Some(&quote) {
            at += 2;
        } else {
            return at + 1;
        }
    }
    bytes.len()
}

fn is_alias_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
}

/// The end of an unquoted scalar on its first line: before a comment, a `: ` or the spaces at the line's end.
fn plain_end(bytes: &[u8], start: usize) -> usize {
    let line = bytes[start..].split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let ends_at = |index: usize| match line[index] {
        b'#' => index > 0 && line[index - 1].is_ascii_whitespace(),
        b':' => line.get(index + 1).is_none_or(u8::is_ascii_whitespace),
        _ => false,
    };
    let end = (0..line.len()).find(|&index| ends_at(index)).unwrap_or(line.len());
    start + line[..end].trim_ascii_end().len()
}
