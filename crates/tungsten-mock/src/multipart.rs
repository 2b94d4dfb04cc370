//! Bodies of `multipart/form-data` (RFC 7578) as parts.
//!
//! Reads bytes and a boundary; writes borrowed parts. What the parts mean is left to `bodies`.

/// One part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part<'a> {
    pub(crate) name: String,
    pub(crate) has_file_name: bool,
    pub(crate) content_type: Option<String>,
    pub(crate) bytes: &'a [u8],
}

/// Parts of one body.
const PARTS: usize = 10_000;

/// The boundary that a content type names.
pub(crate) fn boundary(content_type: &str) -> Option<String> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let value = value.trim().trim_matches('"');
        (name.trim().eq_ignore_ascii_case("boundary") && !value.is_empty()).then(|| value.to_owned())
    })
}

/// Splits a body. Nothing when it does not keep the form, or has too many parts.
pub(crate) fn parts<'a>(body: &'a [u8], boundary: &str) -> Option<Vec<Part<'a>>> {
    let delimiter = format!("\r\n--{boundary}");
    let first = format!("--{boundary}");
    let mut rest = match body.strip_prefix(first.as_bytes()) {
        Some(rest) => rest,
        None => &body[find(body, delimiter.as_bytes())? + delimiter.len()..],
    };
    let mut found = Vec::new();
    while !rest.starts_with(b"--") {
        rest = &rest[find(rest, b"\r\n")? + 2..];
        let end = find(rest, delimiter.as_bytes())?;
        found.push(part(&rest[..end])?);
        rest = &rest[end + delimiter.len()..];
        if found.len() > PARTS {
            return None;
        }
    }
    Some(found)
}

fn part(bytes: &[u8]) -> Option<Part<'_>> {
    let (head, content) = if let Some(content) = bytes.strip_prefix(b"\r\n") {
        (&b""[..], content)
    } else {
        let end = find(bytes, b"\r\n\r\n")?;
        (&bytes[..end], &bytes[end + 4..])
    };
    let head = std::str::from_utf8(head).ok()?;
    let header = |wanted: &str| {
        let mut lines = head.split("\r\n").filter_map(|line| line.split_once(':'));
        lines.find(|(name, _)| name.trim().eq_ignore_ascii_case(wanted)).map(|(_, value)| value.trim())
    };
    let disposition = header("content-disposition")?;
    let name = quoted(disposition, "name")?;
    let has_file_name =
        quoted(disposition, "filename").is_some() || disposition.to_ascii_lowercase().contains("filename*=");
    Some(Part { name, has_file_name, content_type: header("content-type").map(str::to_owned), bytes: content })
}

/// A parameter of a disposition; quoting as browsers do it.
fn quoted(disposition: &str, wanted: &str) -> Option<String> {
    let mut rest = disposition;
    while let Some(start) = rest.find(';') {
        rest = rest[start + 1..].trim_start();
        let (name, value) = rest.split_once('=')?;
        let (text, after) = match value.strip_prefix('"') {
            Some(value) => value.split_once('"')?,
            None => value.split_once(';').map_or((value, ""), |(text, _)| (text, &value[text.len()..])),
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(text.trim().replace("%22", "\"").replace("%0D%0A", "\r\n"));
        }
        rest = after;
    }
    None
}

/// Where `needle` first stands. Boundaries are short and bodies bounded, so a plain search does.
fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut start = 0;
    while let Some(at) = haystack.get(start..)?.iter().position(|&byte| byte == first) {
        let at = start + at;
        if haystack[at..].starts_with(needle) {
            return Some(at);
        }
        start = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{boundary, parts};

    #[test]
    fn bodies_are_split() {
        assert_eq!(boundary("multipart/form-data; boundary=\"a b\"").as_deref(), Some("a b"));
        assert_eq!(boundary("multipart/form-data"), None);
        let body = b"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x\r\nContent-Disposition: form-data; name=f; filename=\"z\"\r\ncontent-type: image/png\r\n\r\n\xff\r\n\r\n--x--\r\n";
        let found = parts(body, "x").expect("two parts");
        assert_eq!((found[0].name.as_str(), found[0].bytes, found[0].has_file_name), ("a", &b"1"[..], false));
        assert_eq!((found[1].name.as_str(), found[1].bytes, found[1].has_file_name), ("f", &b"\xff\r\n"[..], true));
        assert_eq!(found[1].content_type.as_deref(), Some("image/png"));
        assert_eq!(parts(b"--x--\r\n", "x").map(|parts| parts.len()), Some(0));
        for bad in [
            &b""[..],
            b"--x",
            b"--x\r\n",
            b"--x\r\nContent-Disposition: form-data; name=\"a\r\n\r\n1\r\n--x--",
            b"--x\r\n\r\n1\r\n--x--",
        ] {
            assert_eq!(parts(bad, "x"), None, "{bad:?}");
        }
    }
}
