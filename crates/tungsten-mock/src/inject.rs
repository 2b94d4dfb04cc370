//! Faults on request: the `X-Tungsten-Inject` header and the `inject` of a program.
//!
//! Reads `name[=value][;key=value]...`; what the fault does is left to the server.

use std::time::Duration;

/// A fault to apply to one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Inject {
    /// No answer: the connection closes after the time.
    Timeout(Duration),
    /// The call takes effect, then the connection closes.
    DropAfterWrite,
    /// The connection closes before the body is read.
    Reset,
    Status {
        status: u16,
        retry_after: Option<u64>,
        code: Option<String>,
        apply: bool,
    },
    /// The first events of a stream, then the connection breaks.
    DropAfter {
        events: usize,
        retry_ms: Option<u64>,
    },
    /// The first events of a stream, then silence.
    StallAfter {
        events: usize,
        silence: Duration,
        retry_ms: Option<u64>,
    },
}

/// A fault lasts no longer.
const LONGEST_MS: u64 = 600_000;
const DEFAULT: Duration = Duration::from_secs(30);

/// Reads an injection. The error says what is wrong.
pub(crate) fn parse(text: &str) -> Result<Inject, String> {
    let mut parts = text.split(';').map(str::trim);
    let head = parts.next().unwrap_or_default();
    let (name, value) = match head.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (head, None),
    };
    let mut options = Options::default();
    for part in parts {
        options.read(name, part)?;
    }
    match (name, value) {
        ("timeout", None) => Ok(Inject::Timeout(DEFAULT)),
        ("timeout", Some(ms)) => Ok(Inject::Timeout(Duration::from_millis(milliseconds("timeout", ms)?))),
        ("drop-after-write", None) => Ok(Inject::DropAfterWrite),
        ("reset", None) => Ok(Inject::Reset),
        ("status", Some(status)) => {
            let status = status.parse().ok().filter(|status| (200..=599).contains(status));
            let status = status.ok_or("the status is not a number from 200 to 599")?;
            Ok(Inject::Status { status, retry_after: options.retry_after, code: options.code, apply: options.apply })
        }
        ("drop-after", Some(n)) => Ok(Inject::DropAfter { events: count(n)?, retry_ms: options.retry }),
        ("stall-after", Some(n)) => {
            let silence = options.ms.map_or(DEFAULT, Duration::from_millis);
            Ok(Inject::StallAfter { events: count(n)?, silence, retry_ms: options.retry })
        }
        _ => Err(format!("there is no injection {}", base::diag::quoted(head))),
    }
}

#[derive(Default)]
struct Options {
    retry_after: Option<u64>,
    code: Option<String>,
    apply: bool,
    retry: Option<u64>,
    ms: Option<u64>,
}

impl Options {
    fn read(&mut self, name: &str, part: &str) -> Result<(), String> {
        let (key, value) = match part.split_once('=') {
            Some((key, value)) => (key.trim(), Some(value.trim())),
            None => (part, None),
        };
        match (name, key, value) {
            ("status", "apply", None) => self.apply = true,
            ("status", "code", Some(code)) if !code.is_empty() => self.code = Some(code.to_owned()),
            ("status", "retry-after", Some(seconds)) => {
                self.retry_after = Some(seconds.parse().map_err(|_| "`retry-after` is not a number of seconds")?);
            }
            ("drop-after" | "stall-after", "retry", Some(ms)) => {
                self.retry = Some(ms.parse().map_err(|_| "`retry` is not a number of milliseconds")?);
            }
            ("stall-after", "ms", Some(ms)) => self.ms = Some(milliseconds("ms", ms)?),
            _ => return Err(format!("the injection {name} has no option {}", base::diag::quoted(part))),
        }
        Ok(())
    }
}

fn milliseconds(key: &str, text: &str) -> Result<u64, String> {
    let ms = text.parse().ok().filter(|&ms| ms <= LONGEST_MS);
    ms.ok_or_else(|| format!("`{key}` is not a number of milliseconds up to {LONGEST_MS}"))
}

fn count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "the number of events is not a number".to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Inject, parse};

    #[test]
    fn injections_are_read() {
        let ms = Duration::from_millis;
        for (text, expect) in [
            ("timeout", Inject::Timeout(ms(30_000))),
            ("timeout=5", Inject::Timeout(ms(5))),
            ("drop-after-write", Inject::DropAfterWrite),
            ("reset", Inject::Reset),
            ("status=503", Inject::Status { status: 503, retry_after: None, code: None, apply: false }),
            (
                "status=429; retry-after=2; code=rate_limited; apply",
                Inject::Status {
                    status: 429,
                    retry_after: Some(2),
                    code: Some("rate_limited".to_owned()),
                    apply: true,
                },
            ),
            ("drop-after=2;retry=10", Inject::DropAfter { events: 2, retry_ms: Some(10) }),
            ("stall-after=0;ms=7", Inject::StallAfter { events: 0, silence: ms(7), retry_ms: None }),
        ] {
            assert_eq!(parse(text), Ok(expect), "{text}");
        }
        for bad in [
            "",
            "nothing",
            "timeout=x",
            "timeout=999999999",
            "status",
            "status=99",
            "status=600",
            "status=500;what",
            "reset=1",
            "drop-after",
            "drop-after=-1",
            "drop-after=1;ms=2",
            "status=500;retry-after=soon",
            "stall-after=1;apply",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
