//! Forms of text options: names and versions that go into package manifests, paths that go beside them.
//!
//! Each is one row: what it is called, the pattern for JSON Schemas, the check. The check and the pattern say the same.

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
    /// An npm package name, or one with `@` and a range.
    NpmPackage,
    /// A name of a Python distribution (PEP 508).
    PythonName,
    /// A Python package: lower-case identifiers; none that generated code imports.
    PythonModule,
    /// A version of PEP 440, without epoch and local part.
    PythonVersion,
    /// A version specifier of PEP 440: comparisons with commas between.
    PythonRange,
    /// A name of a crate.
    CrateName,
    /// A version requirement as Cargo reads it.
    CargoRange,
    /// An environment variable.
    EnvName,
    /// A plain HTTP URL.
    HttpUrl,
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
            Self::NpmPackage => "an npm package name, or one with a range such as `@acme/sdk@^1.2.0`",
            Self::PythonName => "the name of a Python distribution",
            Self::PythonModule => {
                "a module name: lower-case letters, digits and `_`, a letter first, no module that generated code imports"
            }
            Self::PythonVersion => "a Python version such as `1.2.3`",
            Self::PythonRange => "a version specifier such as `>=0.1.0,<0.2.0`",
            Self::CrateName => "the name of a crate",
            Self::CargoRange => "a version requirement such as `0.1`",
            Self::EnvName => "the name of an environment variable",
            Self::HttpUrl => "a URL that starts with `http://`",
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
            Self::NpmPackage => is_npm_package(text),
            Self::PythonName => is_python_name(text),
            Self::PythonModule => is_python_module(text),
            Self::PythonVersion => is_python_version(text),
            Self::PythonRange => text.split(',').all(is_python_clause),
            Self::CrateName => is_crate_name(text),
            Self::CargoRange => text.split(',').all(is_cargo_clause),
            Self::EnvName => is_env_name(text),
            Self::HttpUrl => is_http_url(text),
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
            Self::NpmPackage => Some("^(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*(?:@.+)?$"),
            Self::PythonName => Some("^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$"),
            Self::PythonModule => Some("^[a-z][a-z0-9_]*$"),
            Self::PythonVersion => Some(r"^\d+(?:\.\d+)*(?:(?:a|b|rc)\d+)?(?:\.post\d+)?(?:\.dev\d+)?$"),
            Self::PythonRange => Some(r"^[0-9A-Za-z.,<>=!~* ]+$"),
            Self::CrateName => Some("^[A-Za-z][A-Za-z0-9_-]*$"),
            Self::CargoRange => Some(r"^[0-9A-Za-z.+\-^~<>=*, ]+$"),
            Self::EnvName => Some("^[A-Za-z_][A-Za-z0-9_]*$"),
            Self::HttpUrl => Some("^http://.+$"),
        }
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

fn is_npm_package(text: &str) -> bool {
    let at = text.char_indices().skip(1).find(|(_, c)| *c == '@').map(|(at, _)| at);
    let (name, range) = at.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
    name.len() <= MAX_NPM_NAME && is_npm_name(name) && range.is_none_or(|range| Grammar::Range.matches(range))
}

fn is_python_name(text: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    text.chars().all(known) && !text.starts_with(['.', '_', '-']) && !text.ends_with(['.', '_', '-'])
}

/// What generated Python imports, by the name that it has there.
const IMPORTED: [&str; 4] = ["httpx", "pydantic", "pydantic_core", "tungsten_runtime"];

/// Reserved words of Python 3.12 that are lower case (The Python Language Reference, section 2.3.1).
const PYTHON_WORDS: [&str; 32] = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
    "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
    "return", "try", "while", "with", "yield",
];

fn is_python_module(text: &str) -> bool {
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(known)
        && !IMPORTED.contains(&text)
        && !PYTHON_WORDS.contains(&text)
}

/// `1.2.3`, `1.2rc1`, `1.2.post1`, `1.2.dev3`: the release, then what may follow it, each at most once.
fn is_python_version(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (text, dev) = text.split_once(".dev").map_or((text, None), |(text, dev)| (text, Some(dev)));
    let (text, post) = text.split_once(".post").map_or((text, None), |(text, post)| (text, Some(post)));
    let pre = text.find(|c: char| c.is_ascii_alphabetic());
    let (release, pre) = pre.map_or((text, None), |at| (&text[..at], Some(&text[at..])));
    let is_pre = |text: &str| ["a", "b", "rc"].iter().any(|mark| text.strip_prefix(mark).is_some_and(digits));
    release.split('.').all(digits) && dev.is_none_or(digits) && post.is_none_or(digits) && pre.is_none_or(is_pre)
}

fn is_python_clause(text: &str) -> bool {
    let text = text.trim();
    let mark = ["~=", "==", "!=", "<=", ">=", "<", ">"].into_iter().find(|mark| text.starts_with(mark));
    let Some(mark) = mark else { return false };
    let version = text[mark.len()..].trim();
    let any = if matches!(mark, "==" | "!=") { version.strip_suffix(".*") } else { None };
    is_python_version(any.unwrap_or(version))
}

fn is_crate_name(text: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    text.len() <= 64 && text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(known)
}

fn is_cargo_clause(text: &str) -> bool {
    let text = text.trim();
    let version = ["<=", ">=", "<", ">", "=", "^", "~"].iter().find_map(|mark| text.strip_prefix(mark));
    is_partial(version.unwrap_or(text).trim())
}

fn is_env_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_http_url(text: &str) -> bool {
    text.strip_prefix("http://").is_some_and(|rest| {
        !rest.is_empty() && !rest.starts_with(['/', ':', '?', '#']) && !rest.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use super::Grammar::{
        self, CargoRange, CrateName, EnvName, HttpUrl, Line, NpmName, NpmPackage, PythonModule, PythonName,
        PythonRange, PythonVersion, Range, RelativePath, Version,
    };

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
        check(
            NpmPackage,
            &["a", "@a/b", "a@^1", "@a/b@1.x || 2", "a@*"],
            &["", "@", "a@", "@a@1", "a@latest", "A@1", "a@1@2"],
        );
        check(PythonName, &["acme", "a.b-c_D", "a"], &["", "-a", "a-", "a b", "é"]);
        check(
            PythonModule,
            &["acme_sdk", "a1"],
            &["", "1a", "_a", "Acme", "a-b", "httpx", "class", "tungsten_runtime"],
        );
        check(
            PythonVersion,
            &["1", "1.2.3", "2026.11.1", "1.0rc1", "1.0a0", "1.0.post1", "1.0.dev2", "1.0b1.post2.dev3"],
            &["", "v1", "1.", "1.0-1", "1.0rc", "1.0x1", "1.0.dev", "1!2"],
        );
        check(PythonRange, &[">=0.1.0,<0.2.0", "==1.*", "~=1.4", "!=1.5, >1"], &["", "1.0", "^1", ">=1,", ">=1.*"]);
        check(CrateName, &["acme-sdk", "a_b", "A1"], &["", "1a", "-a", "a b", "a.b", &"a".repeat(65)]);
        check(CargoRange, &["0.1", "^1.2.3", ">=1, <2", "*", "=1.0.0"], &["", "x y", ">= ", "1.2.3.4", "latest"]);
        check(EnvName, &["A", "_a1"], &["", "1A", "A-B", "A B"]);
        check(
            HttpUrl,
            &["http://127.0.0.1:8080/v1", "http://a"],
            &["", "https://a", "http://", "http:///a", "http://a b"],
        );
    }

    #[test]
    fn every_form_but_a_line_has_a_pattern() {
        for grammar in [
            NpmName,
            Version,
            Range,
            RelativePath,
            NpmPackage,
            PythonName,
            PythonModule,
            PythonVersion,
            PythonRange,
            CrateName,
            CargoRange,
            EnvName,
            HttpUrl,
        ] {
            assert!(grammar.pattern().is_some_and(|pattern| pattern.starts_with('^') && pattern.ends_with('$')));
            assert!(!grammar.phrase().is_empty());
        }
        assert_eq!(Line.pattern(), None);
    }
}
