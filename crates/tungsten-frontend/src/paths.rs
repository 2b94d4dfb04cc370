//! The one function that turns the file part of a `$ref` into a path below the input root.
//!
//! Percent signs are decoded until nothing changes; what then still looks like anything but a relative path of plain
//! names is refused: schemes are remote, the rest leads outside.

/// Where the file part of a reference leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A path below the input root, normalised.
    Inside(String),
    /// The folder of a document, not a document.
    Folder,
    /// A URL; the text says of what kind.
    Remote(&'static str),
    /// Out of the input root, or something that is no relative path; the reason completes "the path …".
    Outside(&'static str),
}

/// Resolves `reference` (without its fragment) against the file `from`.
pub(crate) fn resolve(from: &str, reference: &str) -> Place {
    if let Some(kind) = remote(reference) {
        return Place::Remote(kind);
    }
    let Some(path) = decode_fully(reference) else { return Place::Outside("is not UTF-8") };
    if let Some(kind) = remote(&path) {
        return Place::Remote(kind);
    }
    if path.contains(['%', '\\', '\0', ':']) {
        return Place::Outside("holds a character that no relative path may hold");
    }
    if path.starts_with('/') {
        return Place::Outside("starts at the root of the file system");
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    match normalise(folder, &path) {
        None => Place::Outside("leaves the input root"),
        Some(_) if matches!(path.rsplit('/').next(), Some("" | "." | "..")) => Place::Folder,
        Some(inside) => Place::Inside(inside),
    }
}

/// A path as the user gave it for an input: `.` and empty parts go, `..` may not leave the root.
pub(crate) fn normalise(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Decodes `%XX` once. Nothing when the result is not UTF-8; a `%` without two digits stays.
pub(crate) fn decode(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let bytes = text.as_bytes();
    let digit = |index: usize| bytes.get(index).and_then(|&byte| (byte as char).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, _, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

fn decode_fully(text: &str) -> Option<String> {
    let mut path = text.to_owned();
    loop {
        let next = decode(&path)?;
        if next == path {
            return Some(path);
        }
        path = next;
    }
}

/// What kind of URL a text is: one with a scheme of two letters or more, or with `//` (RFC 3986, section 4.2).
fn remote(text: &str) -> Option<&'static str> {
    const OTHER_HOST: &str = "names another host";
    if text.starts_with("//") {
        return Some(OTHER_HOST);
    }
    let (scheme, _) = text.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    is_scheme.then(|| match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" | "ftp" | "ftps" => OTHER_HOST,
        "file" => "is a file URL",
        _ => "is a URL",
    })
}

#[cfg(test)]
mod tests {
    use super::{Place, resolve};

    #[track_caller]
    fn inside(from: &str, reference: &str, expect: &str) {
        assert_eq!(resolve(from, reference), Place::Inside(expect.to_owned()), "{reference}");
    }

    #[test]
    fn relative_paths_are_joined_and_normalised() {
        inside("api.yaml", "models/pet.yaml", "models/pet.yaml");
        inside("a/b/api.yaml", "../c/./d.yaml", "a/c/d.yaml");
        inside("a/b.yaml", "with%20space.yaml", "a/with space.yaml");
        inside("a/b.yaml", "../b//c.yaml", "b/c.yaml");
    }

    #[test]
    fn what_leads_outside_is_refused() {
        for reference in ["../x", "/etc/passwd", "..%2fx", "..%252fx", "a\\b", "c:/x", "%00", "a%2525zz"] {
            assert!(matches!(resolve("api.yaml", reference), Place::Outside(_)), "{reference}");
        }
        for reference in ["https://host/x.yaml", "//host/x", "http%3a//x"] {
            assert_eq!(resolve("api.yaml", reference), Place::Remote("names another host"), "{reference}");
        }
        assert_eq!(resolve("api.yaml", "file:///x"), Place::Remote("is a file URL"));
        assert_eq!(resolve("api.yaml", "urn:a:b"), Place::Remote("is a URL"));
    }

    #[test]
    fn folders_are_no_documents() {
        for reference in [".", "./", "models/", "models/..", "%2e"] {
            assert_eq!(resolve("api.yaml", reference), Place::Folder, "{reference}");
        }
        assert_eq!(resolve("a/api.yaml", ".."), Place::Folder);
        assert!(matches!(resolve("api.yaml", ".."), Place::Outside(_)));
    }
}
