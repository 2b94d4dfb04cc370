//! Base64 with padding (RFC 4648, section 4): how scenarios and drivers write bytes.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of bytes.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let word = group.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let digit = (word >> (18 - 6 * place)) & 63;
            text.push(if place <= group.len() { char::from(ALPHABET[digit as usize]) } else { '=' });
        }
    }
    text
}

/// The bytes of a text; nothing when it is no base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let digits = text.trim_end_matches('=').bytes();
    let mut bytes = Vec::new();
    let (mut word, mut n_bits) = (0u32, 0);
    for digit in digits {
        let value = ALPHABET.iter().position(|known| *known == digit)?;
        word = (word << 6 | value as u32) & 0xffff;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            bytes.push((word >> n_bits) as u8);
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_belong_together() {
        for (bytes, text) in
            [(&b""[..], ""), (b"f", "Zg=="), (b"fo", "Zm8="), (b"foo", "Zm9v"), (b"\xff\x00\xfe\x7f", "/wD+fw==")]
        {
            assert_eq!(encode(bytes), text);
            assert_eq!(decode(text).as_deref(), Some(bytes));
        }
        assert_eq!(decode("Zg="), None);
        assert_eq!(decode("Z!=="), None);
    }
}
