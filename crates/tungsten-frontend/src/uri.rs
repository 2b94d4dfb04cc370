//! Names of schemas: `$id` against the `$id` around it (JSON Schema 2020-12 core, section 8.2).
//!
//! Resolves references as RFC 3986, section 5.2, has it; a base without a scheme is the path of a document. Nothing is
//! fetched: these are only names.

/// The reference's target as a name of its own. Without fragments, on both sides.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    let reference = Parts::of(reference);
    if reference.scheme.is_some() {
        return reference.text(&without_dots(reference.path));
    }
    let base = Parts::of(base);
    if reference.authority.is_some() {
        return Parts { scheme: base.scheme, ..reference }.text(&without_dots(reference.path));
    }
    if reference.path.is_empty() {
        return Parts { query: reference.query.or(base.query), ..base }.text(base.path);
    }
    let path = if reference.path.starts_with('/') {
        without_dots(reference.path)
    } else {
        let folder = base.path.rfind('/').map_or("", |end| &base.path[..=end]);
        let folder = if folder.is_empty() && base.authority.is_some() { "/" } else { folder };
        without_dots(&format!("{folder}{}", reference.path))
    };
    Parts { query: reference.query, ..base }.text(&path)
}

/// Whether a name has a scheme, so that it means the same everywhere.
pub(crate) fn is_absolute(text: &str) -> bool {
    Parts::of(text).scheme.is_some()
}

/// The parts of a reference (RFC 3986, appendix B), each without its delimiter.
#[derive(Clone, Copy)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.split('#').next().unwrap_or_default();
        let is_scheme = |scheme: &str| {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
        };
        let (scheme, rest) = match text.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, text),
        };
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, Some(query)),
            None => (rest, None),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (Some(&rest[..end]), &rest[end..])
            }
            None => (None, rest),
        };
        Self { scheme, authority, path, query }
    }

    /// The whole, with another path.
    fn text(&self, path: &str) -> String {
        let mut out = String::new();
        if let Some(scheme) = self.scheme {
            out.push_str(scheme);
            out.push(':');
        }
        if let Some(authority) = self.authority {
            out.push_str("//");
            out.push_str(authority);
        }
        out.push_str(path);
        if let Some(query) = self.query {
            out.push('?');
            out.push_str(query);
        }
        out
    }
}

/// RFC 3986, section 5.2.4.
fn without_dots(path: &str) -> String {
    let is_rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    let n_parts = path.split('/').count();
    for (index, part) in path.split('/').enumerate() {
        let is_last = index + 1 == n_parts;
        match part {
            "." | ".." => {
                if part == ".." && parts.len() > usize::from(is_rooted) {
                    parts.pop();
                }
                if is_last {
                    parts.push("");
                }
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::{is_absolute, resolve};

    #[test]
    fn references_resolve_as_the_standard_has_it() {
        // RFC 3986, section 5.4, without fragments.
        let base = "http://a/b/c/d;p?q";
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
            assert_eq!(resolve(base, reference), expect, "{reference}");
        }
        assert_eq!(resolve("specs/api.yaml", "pet.json"), "specs/pet.json");
        assert_eq!(resolve("api.yaml", "urn:a:b?+c"), "urn:a:b?+c");
        assert_eq!(resolve("http://a", "b"), "http://a/b");
        assert!(is_absolute("urn:x") && is_absolute("file:///c:/x") && !is_absolute("a/b:c"));
    }
}
