//! BLAKE3 digests: of inputs, of output files, of a whole run.

/// A BLAKE3 digest. Its text is `blake3:` and 64 hex digits; the short form is the first 12 digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The digest of several parts; each part's length goes in too, so that no two lists of parts meet.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(*hasher.finalize().as_bytes())
    }

    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// 64 lower-case hex digits.
    pub fn hex(&self) -> String {
        const DIGITS: [u8; 16] = *b"0123456789abcdef";
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
    }

    /// The first 12 hex digits.
    pub fn short(&self) -> String {
        self.hex()[..12].to_owned()
    }

    /// Reads the text that `Display` writes.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.strip_prefix("blake3:")?;
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        let mut bytes = [0; 32];
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&hex[index * 2..index * 2 + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "blake3:{}", self.hex())
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn the_text_form_reads_back() {
        let digest = Digest::of(b"abc");
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert_eq!(digest.short(), "6437b3ac3846");
        assert_eq!(Digest::parse("blake3:00"), None);
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(Digest::of_parts([b"ab".as_slice(), b"c"]), Digest::of_parts([b"a".as_slice(), b"bc"]));
    }
}
