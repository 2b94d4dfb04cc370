//! POSIX shell words, for commands in a README.

use base::SpecText;

use super::chars::stays;
use super::untrusted;

/// One word: as it is when it holds nothing special, else in single quotes. Characters that a reader cannot see are
/// left out, since a shell has no portable escape for them.
pub fn word(text: SpecText<'_>) -> String {
    let text: String = untrusted(text).chars().filter(|c| stays(*c)).collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '%' | '+' | ',');
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    #[test]
    fn words() {
        for (text, expect) in [
            ("pets/1", "pets/1"),
            ("", "''"),
            ("a b", "'a b'"),
            ("it's", r"'it'\''s'"),
            ("$(rm -rf ~)\n`x`", "'$(rm -rf ~)`x`'"),
            ("~", "'~'"),
            ("a=b", "'a=b'"),
        ] {
            assert_eq!(super::word(SpecText::new(text)), expect);
        }
    }
}
