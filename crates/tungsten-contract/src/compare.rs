//! What was expected against what came: values, and the matchers that stand for many values.
//!
//! Writes a line for each difference, with its place. An object with one member whose name starts with `$` is a matcher;
//! names that matchers bind (`$bind`) hold for the whole scenario.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Map, Value};

/// Values that matchers have given a name.
pub type Bound = BTreeMap<String, Value>;

/// Whether members that are not named may be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Exact,
    Partial,
}

/// Compares, and remembers names and differences.
#[derive(Debug, Default)]
pub struct Comparison {
    pub bound: Bound,
    pub differences: Vec<String>,
}

/// Longest text of a value inside a difference.
const SHOWN: usize = 400;

impl Comparison {
    pub fn differs(&mut self, place: &str, expected: &str, got: &str) {
        self.differences.push(format!("{place}: expected {expected}, got {got}"));
    }

    /// Compares a value with what was expected; `None` is a member that is not there.
    pub fn value(&mut self, place: &str, expected: &Value, got: Option<&Value>, mode: Mode) {
        if let Some((name, of)) = matcher(expected) {
            return self.matcher(place, name, of, got, mode);
        }
        let Some(got) = got else {
            return self.differs(place, &shown(expected), "nothing");
        };
        match (expected, got) {
            (Value::Object(wanted), Value::Object(members)) => self.members(place, wanted, members, mode),
            (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
                for (index, (wanted, item)) in wanted.iter().zip(items).enumerate() {
                    self.value(&format!("{place}[{index}]"), wanted, Some(item), mode);
                }
            }
            _ if is_equal(expected, got) => {}
            _ => self.differs(place, &shown(expected), &shown(got)),
        }
    }

    fn members(&mut self, place: &str, wanted: &Map<String, Value>, members: &Map<String, Value>, mode: Mode) {
        for (key, value) in wanted {
            self.value(&format!("{place}.{key}"), value, members.get(key), mode);
        }
        if mode == Mode::Exact {
            for (key, value) in members.iter().filter(|(key, _)| !wanted.contains_key(*key)) {
                self.differs(&format!("{place}.{key}"), "nothing", &shown(value));
            }
        }
    }

    fn matcher(&mut self, place: &str, name: &str, of: &Value, got: Option<&Value>, mode: Mode) {
        match name {
            "$absent" => {
                if let Some(got) = got {
                    self.differs(place, "nothing", &shown(got));
                }
                return;
            }
            "$all" => {
                for one in of.as_array().into_iter().flatten() {
                    self.value(place, one, got, mode);
                }
                return;
            }
            _ => {}
        }
        let Some(got) = got else {
            return self.differs(place, &format!("{name} {}", shown(of)), "nothing");
        };
        let text = got.as_str().map_or_else(|| got.to_string(), str::to_owned);
        let wanted = of.as_str().unwrap_or_default();
        let holds = match name {
            "$any" => true,
            "$partial" => return self.value(place, of, Some(got), Mode::Partial),
            "$exact" => return self.value(place, of, Some(got), Mode::Exact),
            "$matches" => match Regex::new(wanted) {
                Ok(pattern) => pattern.is_match(&text),
                Err(error) => return self.differences.push(format!("{place}: `{wanted}`: {error}")),
            },
            "$contains" => text.contains(wanted),
            "$lacks" => !text.contains(wanted),
            "$bind" => match self.bound.get(wanted) {
                Some(before) => is_equal(before, got),
                None => {
                    self.bound.insert(wanted.to_owned(), got.clone());
                    true
                }
            },
            "$other" => match self.bound.get(wanted) {
                Some(before) => !is_equal(before, got),
                None => return self.differences.push(format!("{place}: nothing is bound to `{wanted}`")),
            },
            "$one_of" => of.as_array().is_some_and(|values| values.iter().any(|value| is_equal(value, got))),
            _ => return self.differences.push(format!("{place}: no matcher is called `{name}`")),
        };
        if !holds {
            let bound = self.bound.get(wanted).map(|value| format!(" = {}", shown(value))).unwrap_or_default();
            self.differs(place, &format!("{name} {}{bound}", shown(of)), &shown(got));
        }
    }
}

/// Values that scenarios write and drivers say for what JSON has no form of; they are no matchers.
const TAGS: [&str; 3] = ["$bytes", "$int", "$number"];

/// The matcher that an expected value is.
fn matcher(expected: &Value) -> Option<(&str, &Value)> {
    let members = expected.as_object()?;
    let (name, of) = members.iter().next()?;
    (members.len() == 1 && name.starts_with('$') && !TAGS.contains(&name.as_str())).then_some((name.as_str(), of))
}

/// Equality that does not tell `1` and `1.0` apart.
fn is_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        _ => left == right,
    }
}

/// A value as one line of JSON, cut when it is long.
pub fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn differences(expected: Value, got: Value, mode: Mode) -> Vec<String> {
        let mut comparison = Comparison::default();
        comparison.value("value", &expected, Some(&got), mode);
        comparison.differences
    }

    #[test]
    fn differences_name_their_place() {
        let got = json!({ "a": [1, { "b": null }], "c": "x" });
        assert!(differences(got.clone(), got.clone(), Mode::Exact).is_empty());
        assert!(differences(json!({ "c": "x" }), got.clone(), Mode::Partial).is_empty());
        assert_eq!(
            differences(json!({ "a": [1, { "b": 2 }] }), got.clone(), Mode::Exact),
            ["value.a[1].b: expected 2, got null", "value.c: expected nothing, got \"x\""]
        );
        assert_eq!(differences(json!({ "d": 1 }), got.clone(), Mode::Partial), ["value.d: expected 1, got nothing"]);
        assert_eq!(differences(json!([1]), json!([1, 2]), Mode::Exact), ["value: expected [1], got [1,2]"]);
    }

    #[test]
    fn matchers_stand_for_many_values() {
        for (expected, fits, other) in [
            (json!({ "$any": true }), json!(1), None),
            (json!({ "$matches": "^a+$" }), json!("aa"), Some(json!("b"))),
            (json!({ "$contains": "b" }), json!("abc"), Some(json!("ac"))),
            (json!({ "$lacks": "b" }), json!("ac"), Some(json!("abc"))),
            (json!({ "$one_of": [1, 2] }), json!(2), Some(json!(3))),
            (json!({ "$partial": { "a": 1 } }), json!({ "a": 1, "b": 2 }), Some(json!({ "b": 2 }))),
            (json!({ "$all": [{ "$matches": "a" }, { "$lacks": "b" }] }), json!("a"), Some(json!("ab"))),
            (json!({ "$bytes": "AA==" }), json!({ "$bytes": "AA==" }), Some(json!({ "$bytes": "AQ==" }))),
            (json!(1), json!(1.0), Some(json!("1"))),
        ] {
            assert!(differences(expected.clone(), fits, Mode::Exact).is_empty(), "{expected}");
            if let Some(other) = other {
                assert_eq!(differences(expected.clone(), other, Mode::Exact).len(), 1, "{expected}");
            }
        }
        assert_eq!(differences(json!({ "$unheard": 1 }), json!(1), Mode::Exact).len(), 1);
        assert_eq!(differences(json!({ "a": { "$absent": true } }), json!({ "a": 1 }), Mode::Exact).len(), 1);
    }

    #[test]
    fn names_are_bound_by_their_first_value() {
        let mut comparison = Comparison::default();
        let bind = json!({ "$bind": "key" });
        comparison.value("a", &bind, Some(&json!("k")), Mode::Exact);
        comparison.value("b", &bind, Some(&json!("k")), Mode::Exact);
        comparison.value("c", &json!({ "$other": "key" }), Some(&json!("l")), Mode::Exact);
        assert!(comparison.differences.is_empty());
        comparison.value("d", &bind, Some(&json!("l")), Mode::Exact);
        comparison.value("e", &json!({ "$other": "key" }), Some(&json!("k")), Mode::Exact);
        comparison.value("f", &json!({ "$other": "none" }), Some(&json!("k")), Mode::Exact);
        assert_eq!(comparison.differences.len(), 3);
    }
}
