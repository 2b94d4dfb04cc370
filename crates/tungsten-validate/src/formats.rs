//! String formats that are checked (JSON Schema 2020-12 validation, section 7.3). The other formats are annotations.
//!
//! The same six as in the runtimes, so that an answer of the mock passes a client that validates strictly.

use tungsten_ir::Format;

/// What is wrong with a text of that format.
pub(crate) fn problem(format: Format, text: &str) -> Option<&'static str> {
    let (expected, holds) = match format {
        Format::Uuid => ("a UUID", is_uuid(text)),
        Format::Email => ("an e-mail address", is_email(text)),
        Format::DateTime => ("an RFC 3339 date and time", is_date_time(text)),
        Format::Date => ("a date as YYYY-MM-DD", is_date(text)),
        Format::Ipv4 => ("an IPv4 address", text.parse::<std::net::Ipv4Addr>().is_ok()),
        Format::Ipv6 => ("an IPv6 address", text.parse::<std::net::Ipv6Addr>().is_ok()),
        _ => return None,
    };
    (!holds).then_some(expected)
}

fn is_uuid(text: &str) -> bool {
    let mut lengths = [8, 4, 4, 4, 12].into_iter();
    text.split('-')
        .all(|group| lengths.next() == Some(group.len()) && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
        && lengths.next().is_none()
}

fn is_email(text: &str) -> bool {
    let is_plain = |c: char| !c.is_whitespace() && !"\"(),:;<>[]\\@".contains(c);
    let Some((local, domain)) = text.split_once('@') else { return false };
    !local.is_empty()
        && local.chars().all(is_plain)
        && domain.chars().all(is_plain)
        && domain.split('.').all(|label| !label.is_empty())
}

/// Digits of a fixed-width number.
fn digits(text: &str, range: std::ops::Range<usize>) -> Option<u32> {
    let part = text.get(range)?;
    part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
}

fn is_date(text: &str) -> bool {
    let parts = (digits(text, 0..4), digits(text, 5..7), digits(text, 8..10));
    let (Some(year), Some(month), Some(day)) = parts else { return false };
    let is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        _ => 0,
    };
    text.len() == 10 && text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-' && (1..=length).contains(&day)
}

/// RFC 3339, section 5.6; a leap second is accepted.
fn is_date_time(text: &str) -> bool {
    let (Some(date), Some(separator)) = (text.get(..10), text.as_bytes().get(10)) else { return false };
    if !is_date(date) || !matches!(separator, b'T' | b't' | b' ') {
        return false;
    }
    let Some(time) = text.get(11..) else { return false };
    let clock = (digits(time, 0..2), digits(time, 3..5), digits(time, 6..8));
    let (Some(hour), Some(minute), Some(second)) = clock else { return false };
    if time.as_bytes()[2] != b':' || time.as_bytes()[5] != b':' || hour > 23 || minute > 59 || second > 60 {
        return false;
    }
    let mut rest = &time[8..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let end = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
        if end == 0 {
            return false;
        }
        rest = &fraction[end..];
    }
    let is_offset = |offset: &str| {
        let parts = (digits(offset, 0..2), digits(offset, 3..5));
        offset.len() == 5 && offset.as_bytes()[2] == b':' && matches!(parts, (Some(0..=23), Some(0..=59)))
    };
    rest.eq_ignore_ascii_case("z") || rest.strip_prefix(['+', '-']).is_some_and(is_offset)
}

#[cfg(test)]
mod tests {
    use tungsten_ir::Format;

    use super::problem;

    #[test]
    fn formats_tell_right_from_wrong() {
        for (format, good, bad) in [
            (Format::Uuid, "5b0f6a1e-3f0b-4d7e-9a51-5d2f8c1b7a10", "5b0f6a1e-3f0b-4d7e-9a51-5d2f8c1b7a1"),
            (Format::Date, "2024-02-29", "2026-02-29"),
            (Format::Date, "2026-12-31", "2026-1-31"),
            (Format::DateTime, "2026-01-02T03:04:05Z", "2026-01-02"),
            (Format::DateTime, "2026-01-02t03:04:60.25+01:30", "2026-01-02T24:04:05Z"),
            (Format::DateTime, "2026-01-02 03:04:05z", "2026-01-02T03:04:05"),
            (Format::DateTime, "2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05."),
            (Format::Email, "a.b@example.com", "a@b@c"),
            (Format::Email, "a@localhost", "a@.com"),
            (Format::Ipv4, "192.0.2.1", "192.0.2.256"),
            (Format::Ipv6, "2001:db8::1", "2001:db8::1::2"),
        ] {
            assert_eq!(problem(format, good), None, "{good}");
            assert!(problem(format, bad).is_some(), "{bad}");
        }
        for odd in ["", "é", "2026-é1-02", "aaaa-bb-ccT", "2026-01-02T03:04:é5Z"] {
            assert!(problem(Format::DateTime, odd).is_some());
            assert!(problem(Format::Date, odd).is_some());
        }
    }
}
