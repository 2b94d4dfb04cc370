//! Small text functions: percent-decoding that refuses what is wrong, lengths in code points, header-safe reasons.
//!
//! Pure functions over text; what the text means is left to their callers.

use tungsten_ir::media::essence;

/// Percent-decodes text. Nothing when a triplet is broken or the result is no UTF-8.
pub(crate) fn percent_decode(text: &str, plus_is_space: bool) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        match bytes[index] {
            b'%' => {
                let high = char::from(*bytes.get(index + 1)?).to_digit(16)?;
                let low = char::from(*bytes.get(index + 2)?).to_digit(16)?;
                out.push((high * 16 + low) as u8);
                index += 2;
            }
            b'+' if plus_is_space => out.push(b' '),
            byte => out.push(byte),
        }
        index += 1;
    }
    String::from_utf8(out).ok()
}

/// Length in Unicode code points.
pub(crate) fn code_points(text: &str) -> u64 {
    text.chars().count() as u64
}

/// Text that may stand in a header: printable ASCII, at most 300 characters.
pub(crate) fn header_safe(text: &str) -> String {
    let printable = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    text.chars().take(300).map(printable).collect()
}

/// Whether a media range (`*/*`, `image/*`, a list of them, or a media type) admits a media type; both as they are
/// written.
pub(crate) fn media_matches(range: &str, media_type: &str) -> bool {
    let wanted = essence(media_type);
    range.split(',').any(|one| {
        let one = essence(one);
        one == wanted
            || one == "*/*"
            || one == "*"
            || one.strip_suffix('*').is_some_and(|prefix| prefix.ends_with('/') && wanted.starts_with(prefix))
    })
}

/// Whether bodies of the media type are JSON.
pub(crate) fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence == "application/json" || essence == "text/json" || essence.ends_with("+json")
}

#[cfg(test)]
mod tests {
    use super::{header_safe, media_matches, percent_decode};

    #[test]
    fn broken_triplets_are_refused() {
        assert_eq!(percent_decode("a%20b+c", true).as_deref(), Some("a b c"));
        assert_eq!(percent_decode("a+c", false).as_deref(), Some("a+c"));
        assert_eq!(percent_decode("%C3%BC", false).as_deref(), Some("ü"));
        for bad in ["%", "%1", "%zz", "a%f", "%ff", "%c3"] {
            assert_eq!(percent_decode(bad, true), None, "{bad}");
        }
    }

    #[test]
    fn media_ranges_admit_media_types() {
        assert!(media_matches("application/json", "Application/JSON; charset=utf-8"));
        assert!(media_matches("image/*", "image/png"));
        assert!(media_matches("text/plain, */*;q=0.1", "image/png"));
        assert!(!media_matches("image/*", "imagex/png"));
        assert_eq!(header_safe("a\r\nb\u{fc}"), "a??b?");
    }
}
