//! TOML: basic strings and keys (TOML 1.0, "String" and "Keys").

use base::SpecText;

use super::untrusted;

/// A basic string with its quotes.
pub fn string(text: SpecText<'_>) -> String {
    super::double_quoted(text, super::short_or_long)
}

/// A key: bare when it can be.
pub fn key(text: SpecText<'_>) -> String {
    let name = untrusted(text);
    let bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if bare { name.to_owned() } else { string(text) }
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    use super::{key, string};

    #[test]
    fn strings_and_keys() {
        for (text, expect) in [
            ("a\"b\\", r#""a\"b\\""#),
            ("\n\r\t\0\u{7f}", r#""\n\r\t\u0000\u007f""#),
            ("\u{feff}\u{e0041}é", r#""\ufeff\U000e0041é""#),
            ("\"\"\"\n[evil]", r#""\"\"\"\n[evil]""#),
        ] {
            assert_eq!(string(SpecText::new(text)), expect);
        }
        for (text, expect) in [("a-b_1", "a-b_1"), ("", "\"\""), ("a.b", "\"a.b\""), ("é", "\"é\"")] {
            assert_eq!(key(SpecText::new(text)), expect);
        }
    }
}
