//! The parsers against the published suites and the published descriptions, both read from outside the repository.
//!
//! JSON: every `y_` file is accepted, every `n_` file refused, nothing crashes. YAML: values agree with the suite's
//! JSON, and what is refused on purpose is listed here by id. Corpus: values agree with serde_json, and every place is
//! where the token stands. Without the outside folder the tests say so and pass.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{Code, Id, Interner, Source, SourceId, limits};
use base_doc::jsonpath::{Dialect, JsonPath, OverBudget, Visits, normalized_path};
use base_doc::{Doc, DocSet, EditError, Kind, NodeId, Parsed, Syntax, Tree, TreeId, parse, parse_all};
use serde_json::Value;

/// Refused on purpose: a key stands twice.
const DUPLICATE_KEYS: [&str; 2] = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"];

fn shared(path: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("TUNGSTEN_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let path = folder.join(path);
    if !path.exists() {
        println!("skipped: no ../shared");
        return None;
    }
    Some(path)
}

fn read(name: &str, bytes: impl Into<Vec<u8>>, syntax: Syntax) -> Parsed {
    let source = Arc::new(Source::from_bytes(name, bytes));
    parse(source, SourceId::from_index(0), syntax, Interner::new())
}

fn codes(parsed: &Parsed) -> Vec<Code> {
    parsed.diags.iter().map(|diagnostic| diagnostic.code).collect()
}

fn messages(parsed: &Parsed) -> String {
    parsed.diags.iter().map(|diagnostic| diagnostic.message.as_str()).collect::<Vec<_>>().join("; ")
}

/// All files below a folder with one of the endings, in path order.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted)) {
                found.push(entry);
            }
        }
    }
    found.sort();
    found
}

/// The tree as serde_json's value. Test documents are shallow, so this may recurse.
fn to_value(doc: &Doc, keys: &Interner, node: NodeId) -> Value {
    match doc.kind(node) {
        Kind::Null => Value::Null,
        Kind::Bool => Value::Bool(doc.as_bool(node).expect("a boolean")),
        Kind::Number => serde_json::from_str(doc.as_number(node).expect("a number")).expect("a number of JSON"),
        Kind::String => Value::String(doc.as_str(node).expect("a string").to_owned()),
        Kind::Array => doc.children(node).map(|item| to_value(doc, keys, item)).collect(),
        Kind::Object => {
            let key = |node| keys.resolve(doc.key(node).expect("a member has a key")).to_owned();
            Value::Object(doc.children(node).map(|member| (key(member), to_value(doc, keys, member))).collect())
        }
    }
}

/// Integers and floats of one value are equal: `1.0` is what the YAML suite's JSON makes of `1e0`.
fn agree(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| agree(a, b)))
        }
        _ => ours == theirs,
    }
}

#[test]
fn json_parsing_suite() {
    let Some(folder) = shared("suites/json-parsing/test_parsing") else { return };
    let mut wrong = Vec::new();
    let (mut n_accepted, mut n_refused, mut n_either) = (0, 0, 0);
    for path in files(&folder, &["json"]) {
        let name = path.file_name().expect("a file name").to_string_lossy().into_owned();
        let parsed = read(&name, std::fs::read(&path).expect("readable"), Syntax::Json);
        let codes = codes(&parsed);
        let refused = !codes.is_empty() && codes.iter().all(|code| matches!(code, Code::TG0102 | Code::TG0105));
        let must_accept = name.starts_with("y_") && !DUPLICATE_KEYS.contains(&name.as_str());
        let must_refuse = name.starts_with("n_") || DUPLICATE_KEYS.contains(&name.as_str());
        let accepted = codes.is_empty() && parsed.doc.is_some();
        match (must_accept, must_refuse) {
            (true, _) if accepted => n_accepted += 1,
            (_, true) if refused => n_refused += 1,
            (false, false) if accepted || refused => n_either += 1,
            _ => wrong.push(format!("{name}: {}", messages(&parsed))),
        }
    }
    println!("json suite: {n_accepted} accepted, {n_refused} refused, {n_either} either way; {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_accepted == 93 && n_refused == 190 && n_either == 35, "the suite has other files than expected");
}

#[test]
fn json_transforms_are_read_or_refused_alike() {
    let Some(folder) = shared("suites/json-parsing/test_transform") else { return };
    for path in files(&folder, &["json"]) {
        let bytes = std::fs::read(&path).expect("readable");
        let theirs = serde_json::from_slice::<Value>(&bytes);
        let parsed = read("x.json", bytes, Syntax::Json);
        if let (true, Some(doc), Ok(theirs)) = (parsed.diags.is_empty(), &parsed.doc, theirs) {
            let number = doc.children(doc.root()).any(|node| doc.kind(node) == Kind::Number);
            assert!(number || agree(&to_value(doc, &parsed.keys, doc.root()), &theirs), "{}", path.display());
        }
    }
}

/// Cases that are refused on purpose, by the words of the diagnostic.
const REFUSED: [(&str, &str); 5] = [
    ("a list stands as a key", "4FJ6 6BFJ 6PBE KK5P LX3P M5DY RZP5 SBG9 X38W XW4D"),
    ("an object stands as a key", "9MMW M2N8/00 M2N8/01 Q9WF V9D5"),
    ("none of YAML's core schema", "2XXW 565N 5TYM 6CK3 6WLZ 7FWL 9WXW C4HZ CC74 CUP7 J7PZ M5C3 P76L UGM3 Z67P Z9M4"),
    ("a second document starts here", "35KP 6ZKB 7Z25 9DXL 9KAX JHB9 KSS4 L383 M7A3 NKF9 RZT7 U9NS"),
    ("stands twice in one object", "2JQS"),
];

/// Refused on purpose: there is no value at all.
const NO_VALUE: &str = "8G76 98YD AVM7 HWV9 QT73";

/// Accepted, without JSON to compare with: the suite gives none for keys that are left out, and they are empty text
/// here.
const NO_JSON: &str = "4ABK 6M2F CFD4 DFF7 FH7J FRK4 NHX8 PW8X S3PD SM9W/01 UKK6/00 UKK6/02";

/// Accepted, and equal to the first of the suite's values: the second document is empty.
const EMPTY_SECOND: &str = "6XDY PUW8 UT92 W4TN";

fn has(list: &str, id: &str) -> bool {
    list.split(' ').any(|listed| listed == id)
}

/// The words for which a case is refused on purpose.
fn refusal(id: &str) -> Option<&'static str> {
    let reason = REFUSED.iter().find(|(_, ids)| has(ids, id)).map(|(words, _)| *words);
    reason.or_else(|| has(NO_VALUE, id).then_some("the file "))
}

#[test]
fn yaml_suite() {
    let Some(path) = shared("suites/yaml/cases.json") else { return };
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).expect("readable")).expect("a list of cases");
    let mut wrong = Vec::new();
    let (mut n_agree, mut n_errors, mut n_by_name, mut n_without) = (0, 0, 0, 0);
    for case in &cases {
        let id = case["id"].as_str().expect("an id");
        let parsed = read("x.yaml", case["yaml"].as_str().expect("a text"), Syntax::Yaml);
        let is_error = case["error"].as_bool().expect("a boolean");
        let expected: Vec<Value> = match case["json"].as_str() {
            Some(text) => {
                serde_json::Deserializer::from_str(text).into_iter().map(|value| value.expect("JSON")).collect()
            }
            None => Vec::new(),
        };
        let value = match &parsed.doc {
            Some(doc) if parsed.diags.is_empty() => Some(to_value(doc, &parsed.keys, doc.root())),
            _ => None,
        };
        let is_first = expected.len() == 1 || (expected.len() == 2 && has(EMPTY_SECOND, id) && expected[1].is_null());
        match (is_error, refusal(id), value) {
            (true, None, None) if codes(&parsed).iter().all(|&code| code == Code::TG0102) => n_errors += 1,
            (false, Some(words), None) if messages(&parsed).contains(words) => n_by_name += 1,
            (false, None, Some(value)) if is_first && agree(&value, &expected[0]) => n_agree += 1,
            (false, None, Some(_)) if expected.is_empty() && has(NO_JSON, id) => n_without += 1,
            (_, _, value) => wrong.push(format!("{id}: {value:?} {}", messages(&parsed))),
        }
    }
    println!(
        "yaml suite: {n_agree} agree, {n_errors} errors refused, {n_by_name} refused by name, {n_without} without JSON; {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(cases.len(), 402, "the suite has other cases than expected");
}

/// What stands in the source at a value's place, told by its first byte, fits the value.
fn place_fits(doc: &Doc, node: NodeId) -> bool {
    let rest = &doc.source().text().expect("UTF-8")[doc.offset(node) as usize..];
    let (start, end) = doc.range(node);
    let token = &doc.source().text().expect("UTF-8")[start as usize..end as usize];
    let is_yaml_block = !doc.source().name().ends_with("json");
    if is_yaml_block && rest.starts_with('*') {
        return true;
    }
    match doc.kind(node) {
        Kind::Object => rest.starts_with('{') || is_yaml_block,
        Kind::Array => rest.starts_with('[') || (is_yaml_block && rest.starts_with('-')),
        Kind::String => {
            let text = doc.as_str(node).expect("a string");
            let is_inside = inside(token) == Some(text);
            match token.chars().next() {
                Some('"') => is_inside || token.contains('\\') || token.contains('\n'),
                Some('\'') => is_inside || token.contains("''") || token.contains('\n'),
                Some('|' | '>') => is_yaml_block,
                _ => is_yaml_block && text.starts_with(token),
            }
        }
        Kind::Number => {
            doc.as_number(node) == Some(token) || (is_yaml_block && token.starts_with(['+', '0', '.', '-']))
        }
        Kind::Bool => token.eq_ignore_ascii_case(if doc.as_bool(node) == Some(true) { "true" } else { "false" }),
        Kind::Null => matches!(token, "" | "~") || token.eq_ignore_ascii_case("null"),
    }
}

/// The text between the quotes of a token.
fn inside(token: &str) -> Option<&str> {
    let quote = token.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    token[1..].strip_suffix(quote)
}

fn key_fits(doc: &Doc, keys: &Interner, node: NodeId) -> bool {
    let Some(key) = doc.key(node) else { return true };
    let (start, end) = doc.key_range(node, keys);
    let token = &doc.source().text().expect("UTF-8")[start as usize..end as usize];
    let text = keys.resolve(key);
    token == text
        || token.starts_with(['|', '>'])
        || inside(token) == Some(text)
        || (inside(token).is_some() && token.contains(['\\', '\n']))
}

#[test]
fn corpus_places_are_right_to_the_character() {
    let Some(folder) = shared("corpus") else { return };
    let sources: Vec<_> = files(&folder, &["json", "yaml", "yml"])
        .into_iter()
        .enumerate()
        .map(|(index, path)| {
            let name = path.strip_prefix(&folder).expect("inside").to_string_lossy().into_owned();
            (Arc::new(Source::from_bytes(name, std::fs::read(&path).expect("readable"))), SourceId::from_index(index))
        })
        .collect();
    let mut set = DocSet::with_words(&["type", "properties", "items"]);
    let mut diags = base::Diags::new();
    let docs = parse_all(sources.clone(), &mut set, &mut diags);
    for diagnostic in diags.iter() {
        let source = diagnostic.place.source.expect("a source");
        println!("{}: {} {:?}", sources[source.index()].0.name(), diagnostic.message, diagnostic.place);
    }
    let mut n_nodes = 0;
    let mut wrong = Vec::new();
    for doc in docs.iter().flatten().map(|&id| &set.docs[id]) {
        for node in (0..doc.len()).map(NodeId::from_index) {
            n_nodes += 1;
            if wrong.len() < 30 && !(place_fits(doc, node) && key_fits(doc, &set.keys, node)) {
                let (line, column) = doc.source().line_column(doc.offset(node));
                let pointer = doc.pointer(node, &set.keys);
                wrong.push(format!("{}:{line}:{column} {pointer} {:?}", doc.source().name(), doc.kind(node)));
            }
        }
    }
    println!("corpus: {} files, {} read, {n_nodes} values in place; {} wrong", docs.len(), set.docs.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn corpus_json_agrees_with_another_parser() {
    let Some(folder) = shared("corpus") else { return };
    let mut n_files = 0;
    for path in files(&folder, &["json"]) {
        let bytes = std::fs::read(&path).expect("readable");
        let theirs: Value = match serde_json::from_slice(&bytes) {
            Ok(value) => value,
            Err(error) => {
                assert!(read("x.json", bytes, Syntax::Json).doc.is_none(), "{}: {error}", path.display());
                continue;
            }
        };
        let parsed = read("x.json", bytes, Syntax::Json);
        let doc = parsed.doc.as_ref().unwrap_or_else(|| panic!("{}: {}", path.display(), messages(&parsed)));
        assert!(agree(&to_value(doc, &parsed.keys, doc.root()), &theirs), "{}", path.display());
        n_files += 1;
    }
    println!("corpus: {n_files} JSON files agree");
}

/// The one diagnostic of a text: its code, the text at its place, line and column, its words.
#[track_caller]
fn refused(name: &str, text: &str, code: Code, at: (u32, u32), token: &str, words: &str) {
    let source = Arc::new(Source::from_bytes(name, text));
    let parsed = parse(Arc::clone(&source), SourceId::from_index(0), Syntax::of_name(name), Interner::new());
    assert_eq!(parsed.diags.len(), 1, "{text:?}: {}", messages(&parsed));
    let diagnostic = parsed.diags.iter().next().expect("one diagnostic");
    let (start, end) = diagnostic.place.range.expect("a range");
    let found = (diagnostic.code, source.line_column(start), &text[start as usize..end as usize]);
    assert_eq!(found, (code, at, token), "{text:?}: {}", diagnostic.message);
    assert!(diagnostic.message.contains(words), "{text:?}: {}", diagnostic.message);
}

#[test]
fn json_errors_stand_at_the_character() {
    let check = |text: &str, at, token: &str, words: &str| refused("x.json", text, Code::TG0102, at, token, words);
    check("", (1, 1), "", "the file is empty");
    check(" \n", (1, 1), " \n", "the file is empty");
    check("{\"a\": tru}", (1, 7), "tru", "expected a value, found `tru`");
    check("{\"ä\": \"\\u00e4\", \"b\" 1}", (1, 21), "1", "expected `:` after a key, found `1`");
    check("[1,\n 2,\n]", (3, 1), "]", "a comma before the closing `]`");
    check("{\"a\": 1,}", (1, 9), "}", "a comma before the closing `}`");
    check("{a: 1}", (1, 2), "a", "a key in double quotes");
    check("[1 2]", (1, 4), "2", "`,` or `]` after an item");
    check("{\"a\": 1", (1, 8), "", "found the end of the file");
    check("[\"abc", (1, 2), "\"", "no closing quote");
    check("[\"a\nb\"]", (1, 4), "\n", "a line break inside a string");
    check("[\"a\u{1}\"]", (1, 4), "\u{1}", "control character U+0001");
    check("[\"\\ud800\"]", (1, 3), "\\ud800", "half of a surrogate pair");
    check("[\"\\ud800\\u0041\"]", (1, 3), "\\ud800", "half of a surrogate pair");
    check("[\"\\q\"]", (1, 3), "\\q", "no escape of JSON");
    check("[\"\\u12g4\"]", (1, 3), "\\u12", "fewer than four");
    check("[01]", (1, 2), "01", "starts with a zero");
    check("[1.]", (1, 4), "]", "a digit after the decimal point");
    check("[-]", (1, 3), "]", "a digit after `-`");
    check("[1e]", (1, 4), "]", "a digit of the exponent");
    check("{} x", (1, 4), "x", "expected the end of the file");
    check("[1]\0", (1, 4), "\0", "expected the end of the file, found `\\u{0}`");
    check("\u{feff}[x]", (1, 3), "x", "expected a value");
    check("['a']", (1, 2), "'", "single quote");
    refused("x.txt", "{a: 1}", Code::TG0102, (1, 2), "a", "a key in double quotes");
}

#[test]
fn yaml_errors_stand_at_the_character() {
    let check = |text: &str, at, token: &str, words: &str| refused("x.yaml", text, Code::TG0102, at, token, words);
    check("", (1, 1), "", "the file is empty");
    check("# nothing\n", (1, 1), "# nothing\n", "only comments");
    check("a:\n\tb: 1\n", (2, 1), "\t", "a tab is used for indentation");
    check("a: 1\n---\nb: 2\n", (2, 1), "---", "a second document starts here");
    check("a: b\0c\n", (1, 5), "\0", "control character U+0000");
    check("ä: .inf\n", (1, 4), ".inf", "JSON cannot express");
    check("a: !thing x\n", (1, 11), "", "the tag `!thing`");
    check("a: !!int x\n", (1, 10), "x", "the tag `!!int` does not fit `x`");
    check("? [a]\n: b\n", (1, 3), "[", "a list stands as a key");
    check("a: &x [*x]\n", (1, 8), "*x", "stands inside the value that it names");
    check("<<: 1\n", (1, 5), "1", "takes an object or a list of objects, found a number");
    check("a: [1, 2\n", (2, 1), "", "not valid YAML");
    check("a: *x\n", (1, 4), "*", "unknown anchor");
}

#[test]
fn duplicate_keys_name_both_places() {
    let json = "{\"a\": {\"b\": 1, \"c\": 2, \"b\": 3}, \"\\u0061\": 4}";
    let yaml = "a:\n  b: 1\n  c: 2\n  'b': 3\n\"a\": 4\n";
    for (name, text, pairs) in [
        ("x.json", json, [("\"b\"", "\"b\""), ("\"a\"", "\"\\u0061\"")]),
        ("x.yaml", yaml, [("b", "'b'"), ("a", "\"a\"")]),
    ] {
        let parsed = read(name, text, Syntax::of_name(name));
        let found: Vec<_> = parsed
            .diags
            .iter()
            .map(|diagnostic| {
                let token = |range: Option<(u32, u32)>| range.map(|(start, end)| &text[start as usize..end as usize]);
                let (first, _) = &diagnostic.related[0];
                (diagnostic.place.pointer.as_str(), token(first.range), token(diagnostic.place.range))
            })
            .collect();
        let expect = [("/a/b", Some(pairs[0].0), Some(pairs[0].1)), ("/a", Some(pairs[1].0), Some(pairs[1].1))];
        assert_eq!(found, expect, "{text}");
        assert!(parsed.doc.is_some(), "the readers go on");
    }
    let many = format!("[{}]", "{\"a\":1,\"a\":2},".repeat(1_500) + "0");
    let parsed = read("x.json", many, Syntax::Json);
    assert_eq!(parsed.diags.len(), 1_001);
    assert!(messages(&parsed).ends_with("500 more keys stand twice in their objects"));
}

#[test]
fn the_first_of_two_members_under_one_key_stays() {
    for (name, text) in [
        ("x.json", "{\"a\": {\"b\": [1], \"c\": 2, \"b\": {\"d\": 3}}, \"a\": 4, \"e\": 5}"),
        ("x.yaml", "a: &x\n  b: [1]\n  c: 2\n  b: {d: 3}\na: 4\ne: 5\n"),
        ("x.yaml", "a: &x {b: [1], c: 2, b: 1}\ne: 5\na: *x\n"),
    ] {
        let parsed = read(name, text, Syntax::of_name(name));
        assert!(!parsed.diags.is_empty(), "{text}");
        let doc = parsed.doc.expect("a document");
        let value = to_value(&doc, &parsed.keys, doc.root());
        assert_eq!(value, serde_json::json!({"a": {"b": [1], "c": 2}, "e": 5}), "{text}");
        for node in (0..doc.len()).map(NodeId::from_index) {
            let n_children = doc.children(node).count();
            assert_eq!(doc.n_children(node), n_children, "{text}");
        }
    }
}

#[test]
fn bytes_that_are_not_utf8_are_named() {
    for name in ["x.json", "x.yaml"] {
        let parsed = read(name, b"{\"a\": \"\xe4\"}".to_vec(), Syntax::of_name(name));
        assert_eq!(messages(&parsed), "byte 0xE4 at offset 7 is not valid UTF-8");
    }
    let parsed = read("x.json", b"\xff\xfe{\0}\0".to_vec(), Syntax::Json);
    assert!(parsed.diags.iter().next().expect("one").help.as_deref().is_some_and(|help| help.contains("UTF-16")));
}

#[track_caller]
fn value_of(name: &str, text: &str) -> Value {
    let parsed = read(name, text, Syntax::of_name(name));
    assert!(parsed.diags.is_empty(), "{text:?}: {}", messages(&parsed));
    let doc = parsed.doc.expect("a document");
    to_value(&doc, &parsed.keys, doc.root())
}

#[test]
fn yaml_is_read_as_json_data() {
    let check = |yaml: &str, json: &str| {
        let expect: Value = serde_json::from_str(json).expect("JSON");
        assert_eq!(value_of("x.yaml", yaml), expect, "{yaml:?}");
    };
    check("\u{feff}a: no\nb: on\nc: 12:30\nd: 3.10\n", r#"{"a":"no","b":"on","c":"12:30","d":3.10}"#);
    check("200: x\nnull: y\ntrue: z\n", r#"{"200":"x","null":"y","true":"z"}"#);
    check("a: !!str 1\nb: !!int '3'\nc: ! x\nd: !!map {}\n", r#"{"a":"1","b":3,"c":"x","d":{}}"#);
    check(
        "a: &x {b: 1}\nc: *x\n&k d: *k\ne: {*k : &n +1, f: *n}\n",
        r#"{"a":{"b":1},"c":{"b":1},"d":"d","e":{"d":1,"f":1}}"#,
    );
    check("a: &n 0x10\n*n : b\n", r#"{"a":16,"0x10":"b"}"#);
}

#[test]
fn merge_keys_keep_own_members_and_order() {
    let yaml = "x: &x {a: 1, b: 2}\ny: &y {<<: *x, b: 3, c: 4}\nz: {d: 0, <<: [{a: 9}, *y], c: 5}\n";
    let value = value_of("x.yaml", yaml);
    assert_eq!(value["z"].to_string(), r#"{"d":0,"a":9,"b":3,"c":5}"#);
    assert_eq!(value["y"].to_string(), r#"{"a":1,"b":3,"c":4}"#);
    assert_eq!(value_of("x.yaml", "'<<': 1\n").to_string(), r#"{"<<":1}"#);
}

#[test]
fn json_in_a_yaml_file_and_yaml_that_looks_like_json() {
    assert_eq!(value_of("x.yaml", "{\"a\": \"\\ud83d\\ude00\"}"), value_of("x.json", "{\"a\": \"\u{1f600}\"}"));
    assert_eq!(value_of("x.yml", "{a: 1, # c\n b: [x]}\n"), value_of("x.json", "{\"a\": 1, \"b\": [\"x\"]}"));
    assert_eq!(value_of("x", "a: 1\n"), value_of("x", "{\"a\": 1}"));
}

#[test]
fn nesting_is_read_up_to_the_limit() {
    let n = base::limits::DEPTH;
    let json = |n: usize| "[".repeat(n) + &"]".repeat(n);
    let block = |n: usize| "- ".repeat(n) + "x\n";
    let maps = |n: usize| (0..n).map(|depth| " ".repeat(depth) + "a:\n").collect::<String>();
    for (name, text) in [
        ("x.json", json(n)),
        ("x.yaml", json(n)),
        ("x.yaml", block(n)),
        ("x.yaml", maps(n)),
        ("x.yaml", format!("a: {}\n", json(n - 1))),
    ] {
        let parsed = read(name, text, Syntax::of_name(name));
        assert!(parsed.doc.is_some() && parsed.diags.is_empty(), "{name}: {}", messages(&parsed));
    }
    let deep = [json(n + 1), json(100_000), "[".repeat(100_000), "{\"a\":".repeat(100_000)];
    for text in deep {
        assert_eq!(codes(&read("x.json", text.clone(), Syntax::Json)), [Code::TG0105]);
        assert_eq!(codes(&read("x.yaml", text, Syntax::Yaml)), [Code::TG0105]);
    }
    for text in
        [block(n + 1), block(100_000), maps(n + 1), format!("a: {}\n", json(n)), format!("a: {}\n", json(5_000))]
    {
        assert_eq!(codes(&read("x.yaml", text, Syntax::Yaml)), [Code::TG0105]);
    }
    let alias = |depth: usize| format!("- &x {}\n- {}*x{}\n", json(200), "[".repeat(depth), "]".repeat(depth));
    assert!(read("x.yaml", alias(n - 201), Syntax::Yaml).diags.is_empty());
    assert_eq!(codes(&read("x.yaml", alias(n - 200), Syntax::Yaml)), [Code::TG0105]);
}

#[test]
fn aliases_are_copied_up_to_the_limit() {
    use base::limits::{ALIAS_NODES_BASE, ALIAS_NODES_FACTOR};
    // A list of two: a list of `n` items, and as many aliases to it as are asked for.
    let text = |n: usize, n_aliases: usize, n_single: usize| {
        let items = "1,".repeat(n - 1) + "1";
        format!("- &one 1\n- &x [{items}]\n- [{}{}]\n", "*x,".repeat(n_aliases), "*one,".repeat(n_single))
    };
    let n = 999;
    let n_read = 1 + 1 + (n + 1) + 1;
    let most = n_read * ALIAS_NODES_FACTOR + ALIAS_NODES_BASE;
    let n_aliases = (most - n_read) / (n + 1);
    let n_single = (most - n_read) % (n + 1);
    let parsed = read("x.yaml", text(n, n_aliases, n_single), Syntax::Yaml);
    assert!(parsed.diags.is_empty(), "{}", messages(&parsed));
    assert_eq!(parsed.doc.expect("a document").len(), most);
    let over = read("x.yaml", text(n, n_aliases, n_single + 1), Syntax::Yaml);
    assert_eq!(codes(&over), [Code::TG0105]);
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let item = format!("*a{}", level - 1);
        bomb += &format!("a{level}: &a{level} [{}]\n", vec![item; 9].join(", "));
    }
    assert_eq!(codes(&read("x.yaml", bomb, Syntax::Yaml)), [Code::TG0105]);
}

#[test]
fn files_are_read_up_to_the_limit() {
    let limit = usize::try_from(base::limits::FILE_BYTES).expect("fits");
    let text = |len: usize| "[]".to_owned() + &" ".repeat(len - 2);
    assert!(read("x.json", text(limit), Syntax::Json).diags.is_empty());
    assert_eq!(codes(&read("x.json", text(limit + 1), Syntax::Json)), [Code::TG0105]);
}

#[test]
fn places_count_bytes_after_escapes_and_other_scripts() {
    let check = |name: &str, text: &str, pointer: &[&str], token: &str, key: &str| {
        let mut set = DocSet::with_words(&["b"]);
        let source = Arc::new(Source::from_bytes(name, text));
        let ids = parse_all(vec![(source, SourceId::from_index(0))], &mut set, &mut base::Diags::new());
        let mut value = set.root(ids[0].expect("a document"));
        for step in pointer {
            value = value.get(set.keys.find(step).expect("a key")).expect("a member");
        }
        let cut = |(start, end): (u32, u32)| &text[start as usize..end as usize];
        assert_eq!((cut(value.range()), cut(value.key_range())), (token, key), "{text:?}");
        assert_eq!(value.pointer(), format!("/{}", pointer.join("/")));
    };
    check("x.json", "{\"\\u00e4\": \"\u{1f44d}\\\"\", \"b\": {\"c\": -1.50e2}}", &["b", "c"], "-1.50e2", "\"c\"");
    check("x.json", "{\"\u{e4}\": \"\u{1f44d}\\\"x\"}", &["\u{e4}"], "\"\u{1f44d}\\\"x\"", "\"\u{e4}\"");
    check("x.json", "{\"a\": [true, null], \"b\": true}", &["b"], "true", "\"b\"");
    check("x.yaml", "\u{e4}: '\u{1f44d}' # c\nb: {c: \"\\u00e4\", d: x y}\n", &["b", "d"], "x y", "d");
    check("x.yaml", "a: !!str \u{e4}\nb: {\u{1f44d}: \u{e4}, c: \"\\u00e4\"}\n", &["b", "c"], "\"\\u00e4\"", "c");
    check("x.yaml", "a:\nb:   # c\n", &["a"], "", "a");
    check("x.yaml", "? a\n: !!str\nb: |  # c\n\n  text\n", &["b"], "|", "b");
    check("x.yaml", "a: &x [1]\nb: *x\n", &["b"], "*x", "b");
}

#[test]
fn documents_are_the_same_whatever_the_number_of_threads() {
    let run = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("a pool");
        let source = |index: usize| {
            let text = format!("type: a\nk{index}: {{shared: 1, k{}: 2}}\n", index / 2);
            let text = if index % 7 == 3 { "a: [\n".to_owned() } else { text };
            (Arc::new(Source::from_bytes(format!("{index}.yaml"), text)), SourceId::from_index(index))
        };
        let mut set = DocSet::with_words(&["type", "items"]);
        let mut diags = base::Diags::new();
        let first = pool.install(|| parse_all((0..50).map(source).collect(), &mut set, &mut diags));
        let second = pool.install(|| parse_all((50..90).map(source).collect(), &mut set, &mut diags));
        let ids: Vec<_> = first.into_iter().chain(second).map(|id| id.map(Id::index)).collect();
        let values: Vec<_> = set.docs.iter().map(|(_, doc)| to_value(doc, &set.keys, doc.root()).to_string()).collect();
        let keys: Vec<_> = set.keys.iter().map(str::to_owned).collect();
        (ids, values, keys, diags.iter().map(|diagnostic| format!("{diagnostic:?}")).collect::<Vec<_>>())
    };
    let (ids, values, keys, diags) = run(1);
    assert_eq!(keys[..4], ["type", "items", "k0", "shared"]);
    assert_eq!(values[1], r#"{"type":"a","k1":{"shared":1,"k0":2}}"#);
    assert_eq!((ids[2], ids[3], ids[4], diags.len()), (Some(2), None, Some(3), 13));
    assert_eq!(run(3), (ids, values, keys, diags));
}

#[test]
fn an_index_finds_what_a_walk_finds() {
    let members: Vec<String> = (0..2_000).map(|n| format!("\"k{n}\": [{n}],")).collect();
    let text = format!("{{{}\"k0\": 0}}", members.concat());
    let parsed = read("x.json", text, Syntax::Json);
    let doc = parsed.doc.expect("a document with a duplicate key");
    let index = base_doc::MemberIndex::of(&doc, doc.root());
    assert_eq!(index.len(), 2_000);
    for name in ["k0", "k7", "k1999"] {
        let key = parsed.keys.find(name).expect("a key");
        assert_eq!(index.get(key), doc.get(doc.root(), key), "{name}");
        assert!(index.get(key).is_some());
    }
    assert!(base_doc::MemberIndex::of(&doc, doc.children(doc.root()).next().expect("an item")).is_empty());
}

/// The tree's value as serde_json's. Test documents are shallow, so this may recurse.
fn tree_value(tree: &Tree<'_>, at: TreeId) -> Value {
    match tree.kind(at) {
        Kind::Null => Value::Null,
        Kind::Bool => Value::Bool(tree.as_bool(at).expect("a boolean")),
        Kind::Number => serde_json::from_str(tree.as_number(at).expect("a number")).expect("a number of JSON"),
        Kind::String => Value::String(tree.as_str(at).expect("a string").to_owned()),
        Kind::Array => tree.children(at).map(|item| tree_value(tree, item)).collect(),
        Kind::Object => {
            let member = |at| (tree.key_text(at).expect("a member has a key").to_owned(), tree_value(tree, at));
            Value::Object(tree.children(at).map(member).collect())
        }
    }
}

/// Why a case of the suite is not met.
fn jsonpath_fault(case: &Value) -> Option<String> {
    let selector = case["selector"].as_str().expect("a selector");
    let path = match (JsonPath::parse(selector, Dialect::Standard), case["invalid_selector"] == true) {
        (Err(_), true) => return None,
        (Ok(_), true) => return Some("is accepted".to_owned()),
        (Err(error), false) => return Some(format!("is refused: {} at {}", error.message, error.offset)),
        (Ok(path), false) => path,
    };
    let parsed = read("case.json", case["document"].to_string(), Syntax::Json);
    let (doc, mut keys) = (parsed.doc.expect("a document"), parsed.keys);
    let tree = Tree::new(&doc, &mut keys);
    let found = path.select(&tree, &mut Visits::default()).expect("a small document");
    let values = Value::Array(found.iter().map(|&at| tree_value(&tree, at)).collect());
    let paths = Value::Array(found.iter().map(|&at| normalized_path(&tree, at).into()).collect());
    let one_of = |one: &str, several: &str, ours: &Value| match case.get(one) {
        Some(expect) => agree(ours, expect),
        None => case[several].as_array().expect("a list").iter().any(|expect| agree(ours, expect)),
    };
    let is_met = one_of("result", "results", &values) && one_of("result_paths", "results_paths", &paths);
    (!is_met).then(|| format!("selects {values} at {paths}"))
}

#[test]
fn jsonpath_suite() {
    let Some(file) = shared("suites/jsonpath-cts/cts.json") else { return };
    let suite: Value = serde_json::from_slice(&std::fs::read(file).expect("a file")).expect("JSON");
    let cases = suite["tests"].as_array().expect("a list");
    let fault = |case: &Value| Some(format!("{} ({}) {}", case["name"], case["selector"], jsonpath_fault(case)?));
    let faults: Vec<String> = cases.iter().filter_map(fault).collect();
    println!("JSONPath compliance suite: {}/{}", cases.len() - faults.len(), cases.len());
    assert!(faults.is_empty() && cases.len() == 703, "{}", faults.join("\n"));
}

/// The values that a path selects in a document, and the visits that are left of a budget.
fn selected(json: &str, path: &str, n_visits: usize) -> Result<(usize, usize), OverBudget> {
    let parsed = read("case.json", json, Syntax::Json);
    let (doc, mut keys) = (parsed.doc.expect("a document"), parsed.keys);
    let tree = Tree::new(&doc, &mut keys);
    let mut visits = Visits::new(n_visits);
    let path = JsonPath::parse(path, Dialect::DashedNames).expect("a path");
    path.select(&tree, &mut visits).map(|found| (found.len(), visits.left()))
}

#[test]
fn a_path_ends_with_its_budget() {
    // One visit a step by name; one a value that `..` meets and one a value that `*` selects.
    assert_eq!(selected(r#"{"a-b":{"c":1}}"#, "$.a-b.c", 2), Ok((1, 0)));
    assert_eq!(selected(r#"{"a-b":{"c":1}}"#, "$.a-b.c", 1), Err(OverBudget));
    assert_eq!(selected("[1,[2]]", "$..*", 7), Ok((3, 0)));
    assert_eq!(selected("[1,[2]]", "$..*", 6), Err(OverBudget));
    // Work that grows faster than the document is counted where it is done.
    let wide = format!("[{}[]]", "[],".repeat(2_000));
    for path in ["$[?count($..*) > 1]", "$[?$ == $]", "$[?!$[-1] || @]", "$[?$[5000]]"] {
        assert_eq!(selected(&wide, path, 100_000).map(|(n_found, _)| n_found), Err(OverBudget), "{path}");
    }
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    assert_eq!(selected(&deep, "$..*..*..*", 1_000_000), Err(OverBudget));
    let patterns = (0..200).map(|number| format!("\"a{number}\",")).collect::<Vec<String>>().concat();
    assert_eq!(selected(&format!("[{patterns}\"a\"]"), "$[?search('a', @)]", 100_000), Err(OverBudget));
}

#[test]
fn paths_nest_up_to_a_limit() {
    let nested = |depth: usize| format!("$[?{}@{}]", "(".repeat(depth), ")".repeat(depth));
    let parse = |depth: usize| JsonPath::parse(&nested(depth), Dialect::Standard);
    assert!(parse(62).is_ok());
    assert!(parse(63).is_err_and(|error| error.message.contains("nest deeper than 64")));
    assert!(JsonPath::parse("$.a-b", Dialect::Standard).is_err());
}

#[test]
fn a_tree_grows_up_to_the_limits() {
    let parsed = read("case.json", "[[1],{}]", Syntax::Json);
    let (doc, mut keys) = (parsed.doc.expect("a document"), parsed.keys);
    let mut tree = Tree::new(&doc, &mut keys);
    assert_eq!(tree.max_values(), doc.len() * limits::ALIAS_NODES_FACTOR + limits::ALIAS_NODES_BASE);
    let items: Vec<TreeId> = tree.children(tree.root()).collect();
    let misfit = EditError::Misfit { target: Kind::Object, value: Kind::Array };
    let list = tree.copy(items[0]).expect("there is room");
    assert_eq!(tree.merge(items[1], list), Err(misfit));
    // What was made counts, wherever it went: four rows were read, two copied.
    let mut n_made = doc.len() + 2;
    let number = tree.children(items[0]).next().expect("an item");
    while let Ok(copy) = tree.copy(number) {
        tree.merge(items[0], copy).expect("a list takes an item");
        n_made += 1;
    }
    assert_eq!(n_made, tree.max_values());
    assert_eq!(tree.copy(number), Err(EditError::TooLarge));
    assert_eq!(tree.n_children(items[0]), n_made - doc.len() - 1);
    assert_eq!(tree.into_doc().len(), n_made - 2);

    let lists = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let deepest = |depth: usize| {
        let (outer, inner) = (read("a.json", "[[]]", Syntax::Json), read("b.json", lists(depth), Syntax::Json));
        let (outer_doc, inner_doc) = (outer.doc.expect("a document"), inner.doc.expect("a document"));
        let (mut keys, inner_keys) = (outer.keys, inner.keys);
        let mut tree = Tree::new(&outer_doc, &mut keys);
        let target = tree.children(tree.root()).next().expect("an item");
        let origin = tree.origin(&inner_doc);
        let value = tree.import(origin, inner_doc.root(), &inner_keys).expect("there is room");
        tree.merge(target, value)
    };
    // The items of a list go into a list at the second level.
    assert_eq!(deepest(limits::DEPTH - 1), Ok(()));
    assert_eq!(deepest(limits::DEPTH), Err(EditError::TooDeep));
}
