//! A small streaming JSON writer: text out, no tree in between. The caller says what comes; the writer sets commas,
//! line ends and indentation (two spaces), and escapes strings.

/// Writes one JSON text.
pub(crate) struct Json {
    out: Vec<u8>,
    pretty: bool,
    depth: usize,
    /// Whether the innermost object or list has a member already.
    has_member: bool,
    /// Whether a key waits for its value.
    after_key: bool,
}

impl Json {
    pub fn new(pretty: bool) -> Self {
        Self { out: Vec::new(), pretty, depth: 0, has_member: false, after_key: false }
    }

    pub fn finish(self) -> String {
        String::from_utf8(self.out).expect("only whole texts were written")
    }

    /// Opens an object (`{`) or a list (`[`).
    pub fn open(&mut self, bracket: u8) {
        self.next();
        self.out.push(bracket);
        self.depth += 1;
        self.has_member = false;
    }

    /// Closes what `open` opened, with `}` or `]`.
    pub fn close(&mut self, bracket: u8) {
        self.depth -= 1;
        if self.has_member {
            self.line();
        }
        self.out.push(bracket);
        self.has_member = true;
    }

    pub fn key(&mut self, key: &str) {
        self.next();
        escape(&mut self.out, key);
        self.out.extend_from_slice(if self.pretty { b": " } else { b":" });
        self.after_key = true;
    }

    pub fn string(&mut self, text: &str) {
        self.next();
        escape(&mut self.out, text);
    }

    /// A number, `true`, `false` or `null`, spelled as JSON.
    pub fn raw(&mut self, text: &str) {
        self.next();
        self.out.extend_from_slice(text.as_bytes());
    }

    pub fn bool(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    /// A whole value, in the order of its members.
    pub fn value(&mut self, value: &serde_json::Value) {
        use serde_json::Value;
        match value {
            Value::Null => self.raw("null"),
            Value::Bool(value) => self.bool(*value),
            Value::Number(number) => self.raw(&number.to_string()),
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.open(b'[');
                for item in items {
                    self.value(item);
                }
                self.close(b']');
            }
            Value::Object(members) => {
                self.open(b'{');
                for (key, value) in members {
                    self.key(key);
                    self.value(value);
                }
                self.close(b'}');
            }
        }
    }

    /// Sets what stands between two members.
    fn next(&mut self) {
        if std::mem::take(&mut self.after_key) {
            return;
        }
        if self.has_member {
            self.out.push(b',');
        }
        if self.depth > 0 {
            self.line();
        }
        self.has_member = true;
    }

    fn line(&mut self) {
        if self.pretty {
            self.out.push(b'\n');
            self.out.resize(self.out.len() + 2 * self.depth, b' ');
        }
    }
}

fn escape(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("memory takes every text");
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn values_come_out_as_serde_prints_them() {
        let value = serde_json::json!({
            "a": [], "b": {}, "c": [1, -2.5, "x\"\n\u{1}é", null, true], "d": {"e": {"f": [{}]}}, "": false
        });
        for pretty in [false, true] {
            let mut json = Json::new(pretty);
            json.value(&value);
            let expect =
                if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            assert_eq!(json.finish(), expect);
        }
    }
}
