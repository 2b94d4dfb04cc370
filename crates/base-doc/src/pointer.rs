//! JSON Pointer (RFC 6901): the tokens of a pointer, and a token's escaped form.

/// A token as it stands in a pointer: `~` becomes `~0`, `/` becomes `~1` (RFC 6901, section 3).
pub fn escape_token(token: &str) -> String {
    if token.contains(['~', '/']) { token.replace('~', "~0").replace('/', "~1") } else { token.to_owned() }
}

/// The unescaped tokens of a pointer; nothing when it does not start with `/` or holds a `~` without 0 or 1.
pub fn parse_pointer(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    pointer.strip_prefix('/')?.split('/').map(unescape_token).collect()
}

fn unescape_token(token: &str) -> Option<String> {
    let mut out = String::with_capacity(token.len());
    let mut chars = token.chars();
    while let Some(c) = chars.next() {
        match c {
            '~' => match chars.next()? {
                '0' => out.push('~'),
                '1' => out.push('/'),
                _ => return None,
            },
            _ => out.push(c),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{escape_token, parse_pointer};

    #[test]
    fn tokens_are_unescaped_once() {
        assert_eq!(parse_pointer(""), Some(vec![]));
        assert_eq!(parse_pointer("/a~1b/~01"), Some(vec!["a/b".to_owned(), "~1".to_owned()]));
        assert_eq!(parse_pointer("/"), Some(vec![String::new()]));
        assert_eq!(parse_pointer("a"), None);
        assert_eq!(parse_pointer("/~2"), None);
        assert_eq!(escape_token("~/"), "~0~1");
    }
}
