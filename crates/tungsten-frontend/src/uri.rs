//! URI references: what a reference means against the base that a document or a schema states for itself.
//!
//! Text in, text out (RFC 3986, section 5.2); nothing is fetched or looked up: these are only names. A base without a scheme
//! is the path of a document.

/// A URI reference in its five parts (RFC 3986, appendix B).
#[derive(Clone, Copy)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

/// `reference` against `base`, both without their fragments.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    let reference = split(without_fragment(reference));
    let base = split(without_fragment(base));
    let (authority, path, query) = if reference.scheme.is_some() || reference.authority.is_some() {
        (reference.authority, without_dots(reference.path), reference.query)
    } else if reference.path.is_empty() {
        (base.authority, base.path.to_owned(), reference.query.or(base.query))
    } else {
        (base.authority, without_dots(&merged(base, reference.path)), reference.query)
    };
    let mut out = String::new();
    if let Some(scheme) = reference.scheme.or(base.scheme) {
        out.push_str(&scheme.to_ascii_lowercase());
        out.push(':');
    }
    if let Some(authority) = authority {
        out.push_str("//");
        out.push_str(&authority.to_ascii_lowercase());
    }
    out.push_str(&path);
    if let Some(query) = query {
        out.push('?');
        out.push_str(query);
    }
    out
}

/// Whether a name has a scheme, so that it means the same everywhere.
pub(crate) fn is_absolute(text: &str) -> bool {
    split(without_fragment(text)).scheme.is_some()
}

fn without_fragment(text: &str) -> &str {
    text.split_once('#').map_or(text, |(before, _)| before)
}

fn split(text: &str) -> Parts<'_> {
    let (text, query) = text.split_once('?').map_or((text, None), |(before, query)| (before, Some(query)));
    let is_scheme = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
    };
    let (scheme, rest) = match text.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, text),
    };
    let Some(after) = rest.strip_prefix("//") else { return Parts { scheme, authority: None, path: rest, query } };
    let end = after.find('/').unwrap_or(after.len());
    Parts { scheme, authority: Some(&after[..end]), path: &after[end..], query }
}

/// A relative path in the folder of the base's (section 5.2.3).
fn merged(base: Parts<'_>, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    match base.path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{path}"),
        None if base.authority.is_some() => format!("/{path}"),
        None => path.to_owned(),
    }
}

/// A path without `.` and `..` (section 5.2.4). Those that lead above the top go.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let is_rooted = path.starts_with('/');
    let parts: Vec<&str> = path.split('/').skip(usize::from(is_rooted)).collect();
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        match *part {
            "." => {}
            ".." => {
                kept.pop();
            }
            other => {
                kept.push(other);
                continue;
            }
        }
        if is_last {
            kept.push("");
        }
    }
    format!("{}{}", if is_rooted { "/" } else { "" }, kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{is_absolute, resolve, without_fragment};

    /// Of RFC 3986, section 5.4, without the fragments.
    #[test]
    fn references_resolve_as_the_standard_has_them() {
        for (reference, expect) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("./g/.", "http://a/b/c/g/"),
            ("g/../h", "http://a/b/c/h"),
        ] {
            assert_eq!(resolve("http://a/b/c/d;p?q", reference), expect, "{reference}");
        }
        assert_eq!(resolve("", "b/c.yaml"), "b/c.yaml");
        assert_eq!(resolve("/api/openapi", "other"), "/api/other");
        assert_eq!(resolve("HTTP://A.test/x", "y#z"), "http://a.test/y");
        assert_eq!(resolve("specs/api.yaml", "pet.json"), "specs/pet.json");
        assert_eq!(resolve("api.yaml", "urn:a:b?+c"), "urn:a:b?+c");
        assert_eq!(resolve("http://a", "b"), "http://a/b");
        assert_eq!(without_fragment("a#b"), "a");
        assert!(is_absolute("urn:x") && is_absolute("file:///c:/x") && !is_absolute("a/b:c"));
    }
}
