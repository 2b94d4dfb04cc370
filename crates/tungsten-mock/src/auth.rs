//! Whether a request says who sends it, in one of the ways that its operation takes.
//!
//! Reads the operation's alternatives, the schemes and the request. No credential is right or wrong: 401 when nothing,
//! or something else, was sent, 403 when a part is missing or does not fit. Composite schemes stand in for what they
//! satisfy.

use base_serve::Head;
use tungsten_ir::{AuthKind, AuthPart, AuthScheme, HeaderSource, Ir, KeyLocation, Op, OpId, Safety};

use crate::params::cookies;
use crate::routes::query_texts;

/// What became of one scheme, from bad to good.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Outcome {
    /// Nothing, or a header that is about another scheme.
    NotSent(String),
    /// Something is there, but not all, or not in the right form.
    Wrong(String),
    Holds,
}

/// Refuses with 401 or 403 and a reason.
pub(crate) fn check_auth(ir: &Ir, id: OpId, op: &Op, head: &Head) -> Result<(), (u16, String)> {
    let alternatives = ir.ops.alternatives.slice(op.security);
    if alternatives.is_empty() || alternatives.iter().any(|alternative| alternative.all_of.is_empty()) {
        return Ok(());
    }
    let sent = Sent { head, query: query_texts(&head.query), cookies: cookies(head) };
    let is_mutation = ir.safety[id] != Safety::ReadOnly;
    let composites: Vec<&AuthScheme> =
        ir.schemes.rows().iter().filter(|scheme| matches!(scheme.kind, AuthKind::Composite { .. })).collect();
    let mut best: Option<(bool, String)> = None;
    for alternative in alternatives {
        let outcomes: Vec<Outcome> = ir
            .ops
            .requirements
            .slice(alternative.all_of)
            .iter()
            .map(|requirement| {
                let scheme = &ir.schemes[requirement.scheme];
                let direct = outcome(ir, scheme, &sent, is_mutation);
                let stand_ins = composites.iter().filter(|composite| satisfies(ir, composite, scheme));
                stand_ins.map(|composite| outcome(ir, composite, &sent, is_mutation)).fold(direct, Ord::max)
            })
            .collect();
        let is_something = outcomes.iter().any(|outcome| !matches!(outcome, Outcome::NotSent(_)));
        let Some(reason) = outcomes.into_iter().find_map(|outcome| match outcome {
            Outcome::NotSent(reason) | Outcome::Wrong(reason) => Some(reason),
            Outcome::Holds => None,
        }) else {
            return Ok(());
        };
        if best.as_ref().is_none_or(|(was_something, _)| is_something && !was_something) {
            best = Some((is_something, reason));
        }
    }
    match best {
        Some((true, reason)) => Err((403, reason)),
        Some((false, reason)) => Err((401, reason)),
        None => Ok(()),
    }
}

struct Sent<'a> {
    head: &'a Head,
    query: Vec<(String, String)>,
    cookies: Vec<(String, String)>,
}

impl Sent<'_> {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.head.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

fn satisfies(ir: &Ir, composite: &AuthScheme, scheme: &AuthScheme) -> bool {
    match composite.kind {
        AuthKind::Composite { satisfies, .. } => ir.satisfied.slice(satisfies).contains(&scheme.name),
        _ => false,
    }
}

fn outcome(ir: &Ir, scheme: &AuthScheme, sent: &Sent<'_>, is_mutation: bool) -> Outcome {
    let name = ir.names.resolve(scheme.name);
    match scheme.kind {
        AuthKind::ApiKey { location, wire_name } => {
            let wire = ir.names.resolve(wire_name);
            let (value, place) = match location {
                KeyLocation::Header => (sent.header(wire), "header"),
                KeyLocation::Query => (sent.query(wire), "query parameter"),
                KeyLocation::Cookie => (sent.cookie(wire), "cookie"),
            };
            match value {
                None => Outcome::NotSent(format!("the {place} {wire} of {name} is missing")),
                Some(value) if value.trim().is_empty() => {
                    Outcome::Wrong(format!("the {place} {wire} of {name} is empty"))
                }
                Some(_) => Outcome::Holds,
            }
        }
        AuthKind::Bearer { prefix, .. } => bearer(name, prefix.map(|prefix| ir.names.resolve(prefix)), sent),
        AuthKind::Oauth2 { .. } | AuthKind::OpenIdConnect { .. } => bearer(name, None, sent),
        AuthKind::Basic => basic(name, sent),
        AuthKind::Composite { parts, .. } => composite(ir, name, ir.auth_parts.slice(parts), sent, is_mutation),
        // Nobody can say what would be right.
        AuthKind::Unsupported => Outcome::Holds,
    }
}

/// The credentials of an `Authorization` header of that scheme (RFC 9110, section 11.4).
fn authorization<'a>(name: &str, scheme: &str, sent: &'a Sent<'_>) -> Result<&'a str, Outcome> {
    let Some(value) = sent.header("authorization") else {
        return Err(Outcome::NotSent(format!("the Authorization header of {name} is missing")));
    };
    let (sent_scheme, rest) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    if !sent_scheme.eq_ignore_ascii_case(scheme) {
        return Err(Outcome::NotSent(format!(
            "the Authorization header does not start with {scheme}, as {name} needs"
        )));
    }
    Ok(rest.trim())
}

fn bearer(name: &str, prefix: Option<&str>, sent: &Sent<'_>) -> Outcome {
    match authorization(name, "Bearer", sent) {
        Err(outcome) => outcome,
        Ok("") => Outcome::Wrong(format!("the token of {name} is empty")),
        Ok(token) if !token.starts_with(prefix.unwrap_or_default()) => {
            Outcome::NotSent(format!("the token of {name} does not start with {}", prefix.unwrap_or_default()))
        }
        Ok(_) => Outcome::Holds,
    }
}

fn basic(name: &str, sent: &Sent<'_>) -> Outcome {
    match authorization(name, "Basic", sent) {
        Err(outcome) => outcome,
        Ok(token) if decode_base64(token).is_some_and(|bytes| bytes.contains(&b':')) => Outcome::Holds,
        Ok(_) => Outcome::Wrong(format!("the credentials of {name} are no user name and password")),
    }
}

fn composite(ir: &Ir, name: &str, parts: &[AuthPart], sent: &Sent<'_>, is_mutation: bool) -> Outcome {
    let (mut n_held, mut missing, mut wrong) = (0_usize, None, None);
    for part in parts {
        match part_outcome(ir, name, *part, sent, is_mutation) {
            None => {}
            Some(Outcome::Holds) => n_held += 1,
            Some(Outcome::Wrong(reason)) => wrong = wrong.or(Some(reason)),
            Some(Outcome::NotSent(reason)) => missing = missing.or(Some(reason)),
        }
    }
    match (missing, wrong) {
        (None, None) => Outcome::Holds,
        (_, Some(reason)) => Outcome::Wrong(reason),
        (Some(reason), None) if n_held > 0 => Outcome::Wrong(reason),
        (Some(reason), None) => Outcome::NotSent(reason),
    }
}

/// Nothing for a part that this request need not carry.
fn part_outcome(ir: &Ir, name: &str, part: AuthPart, sent: &Sent<'_>, is_mutation: bool) -> Option<Outcome> {
    Some(match part {
        AuthPart::Cookie { name: cookie } => match sent.cookie(ir.names.resolve(cookie)) {
            Some(value) if !value.is_empty() => Outcome::Holds,
            _ => Outcome::NotSent(format!("the cookie {} of {name} is missing", ir.names.resolve(cookie))),
        },
        AuthPart::Header { mutation_only: true, .. } if !is_mutation => return None,
        AuthPart::Header { name: header, source, .. } => {
            let header = ir.names.resolve(header);
            let Some(value) = sent.header(header).filter(|value| !value.is_empty()) else {
                return Some(Outcome::NotSent(format!("the header {header} of {name} is missing")));
            };
            match source {
                HeaderSource::Cookie(cookie) if sent.cookie(ir.names.resolve(cookie)) != Some(value) => Outcome::Wrong(
                    format!("the header {header} is not the value of the cookie {}", ir.names.resolve(cookie)),
                ),
                _ => Outcome::Holds,
            }
        }
        AuthPart::Bearer { prefix, .. } => bearer(name, prefix.map(|prefix| ir.names.resolve(prefix)), sent),
    })
}

/// RFC 4648, section 4, with or without padding.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    let (mut bits, mut n_bits, mut out) = (0_u32, 0_u32, Vec::with_capacity(digits.len()));
    for byte in digits.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            out.push((bits >> n_bits) as u8);
            bits &= (1 << n_bits) - 1;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::decode_base64;

    #[test]
    fn base64_is_read() {
        assert_eq!(decode_base64("dXNlcjpwYXNz").as_deref(), Some(&b"user:pass"[..]));
        assert_eq!(decode_base64("dTo=").as_deref(), Some(&b"u:"[..]));
        assert_eq!(decode_base64("d!"), None);
    }
}
