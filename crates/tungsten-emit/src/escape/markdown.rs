//! Markdown (CommonMark 0.31 with tables): text, table cells and code spans that stay what they are.
//!
//! Text of a description becomes plain words: no link, image, HTML, heading, list, fence, table, emphasis or bare
//! address can come of it. Whether prose may keep its own Markdown is the emitter's choice, made with
//! [`super::comment::prose`] instead.

use base::SpecText;

use super::chars::{ends_line, stays};
use super::untrusted;

/// Words on one line: line ends become spaces.
pub fn text(text: SpecText<'_>) -> String {
    let line = one_line(text);
    let mut out = String::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        let escape = match c {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '!' | '&' | '@' | '$' => {
                true
            }
            // Starts a list, a rule or a heading's underline.
            '-' | '+' | '=' => at == 0,
            // `1.` and `1)` start a list.
            '.' | ')' => at > 0 && line[..at].bytes().all(|byte| byte.is_ascii_digit()),
            // `https://` and `mailto:` become links by themselves in many readers, and so does `www.`.
            ':' => true,
            _ => false,
        };
        if escape || (c == '.' && line[..at].to_ascii_lowercase().ends_with("www")) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A code span: the text itself between as many backticks as it needs, on one line; empty text gives nothing.
pub fn code(text: SpecText<'_>) -> String {
    span(&one_line(text))
}

/// A code span inside a table, where a bar would end the cell.
pub fn code_cell(text: SpecText<'_>) -> String {
    span(&one_line(text)).replace('|', "\\|")
}

/// A fence longer than any run of backticks in `text`, for a code block around it.
pub fn fence(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

fn span(line: &str) -> String {
    if line.is_empty() {
        return String::new();
    }
    let ticks = "`".repeat(longest_run(line) + 1);
    // A backtick beside the marks needs a space between, which readers take away again.
    let space = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{line}{space}{ticks}")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// One line without hidden characters, single spaces between words.
fn one_line(text: SpecText<'_>) -> String {
    let shown: String = untrusted(text)
        .chars()
        .map(|c| if c == '\t' || ends_line(c) { ' ' } else { c })
        .filter(|c| stays(*c))
        .collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    use super::{code, code_cell, fence, text};

    #[test]
    fn text_stays_text() {
        for (input, expect) in [
            ("plain words, here.", "plain words, here."),
            ("# a\n## b", r"\# a \#\# b"),
            ("[x](https://e.test) <b>", r"\[x\](https\://e.test) \<b\>"),
            ("- a", r"\- a"),
            ("a - b", "a - b"),
            ("12. a", r"12\. a"),
            ("1) a 2) b", r"1\) a 2) b"),
            ("a|b ```x``` ~~~", r"a\|b \`\`\`x\`\`\` \~\~\~"),
            ("www.e.test me@e.test", r"www\.e.test me\@e.test"),
            ("&lt; \\ *a* _b_ ![i]", r"\&lt; \\ \*a\* \_b\_ \!\[i\]"),
            ("\u{202e}a\u{2028}b\t", "a b"),
        ] {
            assert_eq!(text(SpecText::new(input)), expect, "{input:?}");
        }
    }

    #[test]
    fn code_spans() {
        for (input, expect) in [
            ("a", "`a`"),
            ("", ""),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("a\nb", "`a b`"),
            ("</script>", "`</script>`"),
        ] {
            assert_eq!(code(SpecText::new(input)), expect, "{input:?}");
        }
        assert_eq!(code_cell(SpecText::new("a|b")), r"`a\|b`");
        assert_eq!(fence("x"), "```");
        assert_eq!(fence("````"), "`````");
    }
}
