//! Forms of text options: names and versions that go into package manifests, paths that go beside them.
//!
//! Each is one row: what it is called, the pattern of its JSON Schema, the check. The check and the pattern say the same.

use serde_json::{Value, json};

/// The form of a text option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grammar {
    /// Any text without line ends and control characters.
    Line,
    /// An npm package name: lower case, at most 214 characters, a scope or none.
    NpmName,
    /// A version of Semantic Versioning 2.0.
    Version,
    /// A version range as npm reads it: comparators, `^`, `~`, `x`, hyphens, `||`.
    Range,
    /// A path relative to the project; `..` may lead out of it.
    RelativePath,
}

/// Longest npm package name, scope included.
const MAX_NPM_NAME: usize = 214;

/// Longest text of the other forms.
const MAX_TEXT: usize = 512;

impl Grammar {
    /// What the text must be, for people.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Line => "one line of text",
            Self::NpmName => "an npm package name",
            Self::Version => "a version such as `1.2.3`",
            Self::Range => "a version range such as `^1.2.3`",
            Self::RelativePath => "a relative path",
        }
    }

    /// Whether the text has this form.
    pub fn matches(self, text: &str) -> bool {
        if text.is_empty() || text.len() > self.max_len() || text.chars().any(|c| !base::diag::is_printable(c)) {
            return false;
        }
        match self {
            Self::Line => true,
            Self::NpmName => is_npm_name(text),
            Self::Version => is_version(text),
            Self::Range => text.split("||").all(|part| is_range(part.trim())),
            Self::RelativePath => is_relative_path(text),
        }
    }

    fn max_len(self) -> usize {
        if self == Self::NpmName { MAX_NPM_NAME } else { MAX_TEXT }
    }

    /// The pattern (ECMA-262) of the form; nothing where any line will do.
    pub fn pattern(self) -> Option<&'static str> {
        match self {
            Self::Line => None,
            Self::NpmName => Some("^(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$"),
            Self::Version => Some(concat!(
                r"^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)",
                r"(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$"
            )),
            Self::Range => Some(r"^[0-9A-Za-z.+\-^~<>=*| ]+$"),
            Self::RelativePath => Some(r"^[^/\\:%]+(?:/[^/\\:%]+)*/?$"),
        }
    }

    pub(super) fn schema(self) -> Value {
        let mut schema = json!({ "type": "string", "minLength": 1, "maxLength": self.max_len() });
        if let Some(pattern) = self.pattern() {
            schema["pattern"] = json!(pattern);
        }
        schema
    }
}

fn is_npm_name(text: &str) -> bool {
    let part = |part: &str| {
        let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '_' | '~' | '-');
        !part.is_empty() && !part.starts_with(['.', '_']) && part.chars().all(known)
    };
    match text.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| part(scope) && part(name)),
        // Names that npm keeps for itself.
        None => part(text) && !matches!(text, "node_modules" | "favicon.ico"),
    }
}

fn is_version(text: &str) -> bool {
    let (text, build) = match text.split_once('+') {
        Some((text, build)) => (text, Some(build)),
        None => (text, None),
    };
    let (core, pre) = match text.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (text, None),
    };
    core.split('.').count() == 3
        && core.split('.').all(is_number)
        && pre.is_none_or(|pre| pre.split('.').all(|part| is_identifier(part) && !has_leading_zero(part)))
        && build.is_none_or(|build| build.split('.').all(is_identifier))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 16 && text.bytes().all(|byte| byte.is_ascii_digit()) && !has_leading_zero(text)
}

fn has_leading_zero(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// One alternative: a hyphen range, or comparators with spaces between.
fn is_range(text: &str) -> bool {
    if let Some((low, high)) = text.split_once(" - ") {
        return is_partial(low.trim()) && is_partial(high.trim());
    }
    let mut words = text.split_whitespace().peekable();
    words.peek().is_some()
        && words.all(|word| {
            let version = ["<=", ">=", "<", ">", "=", "^", "~"].iter().find_map(|mark| word.strip_prefix(mark));
            is_partial(version.unwrap_or(word))
        })
}

/// `1`, `1.2`, `1.x`, `*`, `1.2.3-rc.1`.
fn is_partial(text: &str) -> bool {
    let any = |part: &str| matches!(part, "x" | "X" | "*");
    let parts: Vec<&str> = text.split('.').collect();
    is_version(text) || (parts.len() <= 3 && parts.iter().all(|part| any(part) || is_number(part)))
}

fn is_relative_path(text: &str) -> bool {
    let path = text.strip_suffix('/').unwrap_or(text);
    !text.contains(['\\', ':', '%']) && !text.starts_with('~') && path.split('/').all(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::Grammar::{self, Line, NpmName, Range, RelativePath, Version};

    #[track_caller]
    fn check(grammar: Grammar, right: &[&str], wrong: &[&str]) {
        for text in right {
            assert!(grammar.matches(text), "{grammar:?} should be {text:?}");
        }
        for text in wrong {
            assert!(!grammar.matches(text), "{grammar:?} should not be {text:?}");
        }
    }

    #[test]
    fn forms() {
        check(Line, &["a b", "é"], &["", "a\nb", "\u{202e}", &"x".repeat(513)]);
        check(
            NpmName,
            &["a", "a-b.c_d", "@scope/name", &"a".repeat(214)],
            &["", "A", ".a", "_a", "a b", "@a", "@/a", "@a/", "a/b", "node_modules", "é", "a\"", &"a".repeat(215)],
        );
        check(
            Version,
            &["0.1.0", "1.2.3-rc.1", "1.0.0+build.01", "1.0.0-a-b+c"],
            &["1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+", "v1.2.3", "1.2.x", "-1.2.3"],
        );
        check(
            Range,
            &["^0.1.0", "~1.2", ">=1 <2", "1.x", "*", "1.2.3 - 2", "^1 || ^2", "=1.0.0"],
            &["", " ", "^", "latest", "1.2.3.4", "^1 ||", "\"^1\"", ">>1", "https://e.test", "1 -"],
        );
        check(
            RelativePath,
            &["../runtimes/ts", "a/b c", "./a", "a/"],
            &["", "/a", "a//b", "C:/a", "a\\b", "~/a", "http://a", "a%2fb", "a\nb"],
        );
    }

    #[test]
    fn every_form_but_a_line_has_a_pattern() {
        for grammar in [NpmName, Version, Range, RelativePath] {
            assert!(grammar.pattern().is_some_and(|pattern| pattern.starts_with('^') && pattern.ends_with('$')));
            assert!(!grammar.phrase().is_empty());
        }
        assert_eq!(Line.pattern(), None);
    }
}
