//! JSON: string literals (RFC 8259, section 7). Everything that may not stay as it is leaves as `\uXXXX`.

use base::SpecText;

/// A string literal with its quotes.
pub fn string(text: SpecText<'_>) -> String {
    super::double_quoted(text, |out, c| {
        let mut units = [0; 2];
        c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
    })
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    #[test]
    fn a_json_reader_gets_the_same_text() {
        for text in super::super::HOSTILE {
            let literal = super::string(SpecText::new(text));
            assert_eq!(serde_json::from_str::<String>(&literal).expect(&literal), *text);
            assert!(!literal.contains('\n'));
        }
        assert_eq!(super::string(SpecText::new("a\u{2028}\u{e0041}\"")), r#""a\u2028\udb40\udc41\"""#);
    }
}
