//! HTML: text and attribute values.

use base::SpecText;

use super::chars::{ends_line, stays};
use super::untrusted;

/// Text between tags. Line ends of any kind become line feeds; what a reader cannot see is left out.
pub fn text(text: SpecText<'_>) -> String {
    escaped(text, "\n")
}

/// An attribute value with its double quotes. Line ends become spaces.
pub fn attribute(text: SpecText<'_>) -> String {
    format!("\"{}\"", escaped(text, " "))
}

fn escaped(text: SpecText<'_>, line_end: &str) -> String {
    let mut out = String::new();
    for c in untrusted(text).replace("\r\n", "\n").chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' => out.push(' '),
            _ if ends_line(c) => out.push_str(line_end),
            _ if stays(c) => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use base::SpecText;

    use super::{attribute, text};

    #[test]
    fn nothing_becomes_a_tag() {
        assert_eq!(
            text(SpecText::new("</script> & \"a\" 'b'\r\nc\t\u{202e}\0")),
            "&lt;/script&gt; &amp; &quot;a&quot; &#39;b&#39;\nc "
        );
        assert_eq!(attribute(SpecText::new("\" onload=x\n")), "\"&quot; onload=x \"");
    }
}
