//! Searches through bytes, eight at a time: where a quoted string or a run of ordinary text ends.
//!
//! In a word of eight bytes, a byte's high bit is set in the mask when the byte is one of those looked for. A borrow
//! can only raise bits above the first true one, and the first is the one that is asked for.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;

/// The place of the first byte from `at` on that a string cannot hold as it is: a quote, a backslash, a control
/// character; else the end.
pub(crate) fn end_of_plain(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let chunk = u64::from_le_bytes(chunk);
        let control = chunk.wrapping_sub(ONES * 0x20) & !chunk;
        let mask = (equal(chunk, b'"') | equal(chunk, b'\\') | control) & HIGHS;
        if mask != 0 {
            return at + (mask.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at.min(bytes.len())
}

/// The place of the first byte from `at` on that is one of three; else the end.
pub(crate) fn find_any(bytes: &[u8], mut at: usize, wanted: [u8; 3]) -> usize {
    while let Some(&chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let chunk = u64::from_le_bytes(chunk);
        let mask = (equal(chunk, wanted[0]) | equal(chunk, wanted[1]) | equal(chunk, wanted[2])) & HIGHS;
        if mask != 0 {
            return at + (mask.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| !wanted.contains(byte)) {
        at += 1;
    }
    at.min(bytes.len())
}

/// High bits of the bytes that equal `byte`; see the top of the file about the others.
fn equal(chunk: u64, byte: u8) -> u64 {
    let x = chunk ^ (ONES * u64::from(byte));
    x.wrapping_sub(ONES) & !x
}

#[cfg(test)]
mod tests {
    use super::{end_of_plain, find_any};

    #[test]
    fn the_first_hit_is_found_at_every_place() {
        for len in 0..40 {
            for stop in [b'"', b'\\', 0, 0x1f, b'\n'] {
                for other in [b'a', 0x80, 0xff, b'!', 0x20, b']'] {
                    let mut text = vec![other; len];
                    assert_eq!(end_of_plain(&text, 0), len);
                    assert_eq!(find_any(&text, 0, [b'"', b':', b'#']), len);
                    text.extend([stop, stop, b'#', b'"']);
                    assert_eq!(end_of_plain(&text, 0), len, "{text:?}");
                    assert_eq!(find_any(&text, 0, [stop, b':', b'#']), len, "{text:?}");
                    assert_eq!(end_of_plain(&text, len + 4), len + 4);
                }
            }
        }
    }
}
