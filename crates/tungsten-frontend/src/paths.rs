//! The one function that turns the file part of a `$ref` into a path below the input root.
//!
//! Percent signs are decoded until nothing changes; what then still looks like anything but a relative path of plain
//! names is refused: schemes are remote, the rest leads outside.

/// Where the file part of a reference leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A path below the input root, normalised.
    Inside(String),
    /// A URL.
    Remote,
    /// Out of the input root, or something that is no relative path; the reason completes "the path …".
    Outside(&'static str),
}

/// Resolves `reference` (without its fragment) against the file `from`.
pub(crate) fn resolve(from: &str, reference: &str) -> Place {
    if is_remote(reference) {
        return Place::Remote;
    }
    let Some(path) = decode_fully(reference) else { return Place::Outside("is not UTF-8") };
    if is_remote(&path) {
        return Place::Remote;
    }
    if path.contains(['%', '\\', '\0', ':']) {
        return Place::Outside("holds a character that no relative path may hold");
    }
    if path.starts_with('/') {
        return Place::Outside("starts at the root of the file system");
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    normalise(folder, &path).map_or(Place::Outside("leaves the input root"), Place::Inside)
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

/// Whether a text starts with a scheme of two letters or more, or with `//` (RFC 3986, section 4.2).
fn is_remote(text: &str) -> bool {
    if text.starts_with("//") {
        return true;
    }
    let Some((scheme, _)) = text.split_once(':') else { return false };
    scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
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
        for reference in ["https://host/x.yaml", "//host/x", "file:///x", "urn:a:b", "http%3a//x"] {
            assert_eq!(resolve("api.yaml", reference), Place::Remote, "{reference}");
        }
    }
}
