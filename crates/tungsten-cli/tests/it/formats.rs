//! `check --output-format`: what a CI system reads, also when a description tries to write its lines.

use serde_json::Value;

use super::project::{MANIFEST, Project, SPEC};

/// Texts that would end a line, a command, a string or a page, or steer a terminal.
const HOSTILE: [&str; 10] = [
    "a\\n::error file=x::b",
    "a\\r\\n::stop-commands::t",
    "a%0A::error::b",
    "[click](http://evil.example)",
    "{0} {1}",
    "\\\"}]}, \\\"x\\\": [{",
    "\\u001b[2J\\u0007",
    "\\u202e\\u2028\\u0085",
    "\\ud800",
    "</script><b>",
];

/// A description with the text wherever findings quote texts.
fn hostile_spec(text: &str) -> String {
    format!(
        r##"{{"openapi": "3.1.0", "info": {{"title": "x", "version": "1"}},
"paths": {{"/{text}/{{{text}}}": {{"get": {{"operationId": "{text}", "security": [{{"{text}": []}}],
"{text}": 1, "tags": ["{text}"],
"parameters": [{{"name": "{text}", "in": "{text}"}}, {{"name": "q", "in": "query", "style": "{text}", "schema": {{"type": "{text}"}}}}],
"responses": {{"{text}": {{}}, "200": {{"description": "", "content": {{"{text}": {{"schema": {{"$ref": "#/{text}"}}}},
"application/json": {{"schema": {{"$ref": "{text}.json"}}}}}}}}}}}}}}}},
"components": {{"schemas": {{"{text}": {{"format": "{text}", "type": "string", "pattern": "{text}"}}}}}}}}"##
    )
}

fn sarif(project: &Project, folder: &str, args: &[&str]) -> Value {
    let run = project.run_in(folder, &[&["check", "--output-format", "sarif"], args].concat());
    let log: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout));
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], run.exit);
    assert_sarif(&log);
    log["runs"][0].clone()
}

fn github(project: &Project, folder: &str, args: &[&str]) -> String {
    project.run_in(folder, &[&["check", "--output-format", "github"], args].concat()).stdout
}

fn strings<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
        Value::Object(members) => members.values().for_each(|member| strings(member, out)),
        _ => {}
    }
}

/// The names of an object are among those that SARIF gives it.
#[track_caller]
fn known(value: &Value, names: &str) {
    for name in value.as_object().unwrap_or_else(|| panic!("no object: {value}")).keys() {
        assert!(names.split(' ').any(|known| known == name), "`{name}` in {value}");
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A message string (sections 3.11.5 and 3.11.6): braces come in pairs, and there is no embedded link.
#[track_caller]
fn assert_message(message: &Value) {
    let text = message["text"].as_str().unwrap_or_else(|| panic!("a text: {message}"));
    assert!(!text.is_empty() && !text.contains("]("), "{text}");
    let rest = text.replace("{{", "").replace("}}", "");
    assert!(!rest.contains(['{', '}']), "{text}");
}

/// A URI reference of RFC 3986: its characters, and whole escapes.
#[track_caller]
fn assert_uri(uri: &str, is_relative: bool) {
    let bytes = uri.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let is_escape =
            *byte == b'%' && bytes[index + 1..].iter().take(2).filter(|b| b.is_ascii_hexdigit()).count() == 2;
        assert!(is_escape || byte.is_ascii_alphanumeric() || b"-._~/:?#@&=+".contains(byte), "{uri}");
    }
    if is_relative {
        assert!(!uri.starts_with('/') && !uri.contains([':', '?', '#']), "{uri}");
    } else {
        assert!(uri.contains(":/"), "{uri}");
    }
}

fn assert_location(location: &Value) {
    known(location, "id physicalLocation logicalLocations message");
    let physical = &location["physicalLocation"];
    known(physical, "artifactLocation region");
    let artifact = &physical["artifactLocation"];
    known(artifact, "uri uriBaseId");
    assert_uri(artifact["uri"].as_str().expect("a URI"), artifact.get("uriBaseId").is_some());
    if let Some(region) = physical.get("region") {
        known(region, "startLine startColumn endLine endColumn");
        let [line, column, end_line, end_column] =
            ["startLine", "startColumn", "endLine", "endColumn"].map(|name| region[name].as_u64().expect("a number"));
        assert!(line >= 1 && column >= 1 && (line, column) <= (end_line, end_column), "{region}");
    }
}

/// The rules of SARIF 2.1.0 for what is written here.
fn assert_sarif(log: &Value) {
    known(log, "$schema version runs");
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().map(Vec::len), Some(1));
    let run = &log["runs"][0];
    known(run, "tool invocations columnKind newlineSequences results");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    known(driver, "name version semanticVersion informationUri rules");
    assert_uri(driver["informationUri"].as_str().expect("a URI"), false);
    let rules = driver["rules"].as_array().expect("a list");
    for rule in rules {
        known(rule, "id shortDescription fullDescription help helpUri defaultConfiguration properties");
        ["shortDescription", "fullDescription", "help"].into_iter().for_each(|name| assert_message(&rule[name]));
        assert_uri(rule["helpUri"].as_str().expect("a URI"), false);
        assert!(["error", "warning", "note"].contains(&rule["defaultConfiguration"]["level"].as_str().unwrap()));
    }
    let mut fingerprints = std::collections::BTreeSet::new();
    for result in run["results"].as_array().expect("a list") {
        known(result, "ruleId ruleIndex level message locations relatedLocations partialFingerprints");
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert_message(&result["message"]);
        let fingerprint = result["partialFingerprints"]["tungstenFinding/v1"].as_str().expect("a fingerprint");
        assert!(fingerprints.insert(fingerprint.to_owned()), "one fingerprint for two results: {result}");
        list(&result["locations"]).for_each(assert_location);
        let mut ids = std::collections::BTreeSet::new();
        for related in list(&result["relatedLocations"]) {
            assert_location(related);
            assert_message(&related["message"]);
            assert!(ids.insert(related["id"].as_u64().expect("an id")), "{result}");
        }
    }
}

/// A line of the github format, taken apart as the runner does it: name, properties, message.
fn command(line: &str) -> (String, Vec<(String, String)>, String) {
    let (head, message) = line.strip_prefix("::").and_then(|rest| rest.split_once("::")).expect("a command");
    let (name, properties) = head.split_once(' ').expect("properties");
    let unescaped = |text: &str| {
        let text = text.replace("%3A", ":").replace("%2C", ",");
        text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
    };
    let pairs = properties.split(',').map(|pair| pair.split_once('=').expect("a pair"));
    (name.to_owned(), pairs.map(|(key, value)| (key.to_owned(), unescaped(value))).collect(), unescaped(message))
}

#[test]
fn sarif_places_findings_in_code_points_and_names_related_places() {
    let project = Project::empty();
    project.write("api/o.json", "{\"😀ä\": 0,\n \"x\": \"😀\", \"x\": 1}");
    let run = sarif(&project, ".", &["api/o.json"]);
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"TG0102".into(), &"error".into()));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "api/o.json");
    assert_eq!((&place["region"]["startLine"], &place["region"]["startColumn"]), (&2.into(), &12.into()), "{place}");
    let related = &result["relatedLocations"][0];
    assert_eq!(related["physicalLocation"]["region"]["startColumn"], 2, "{result}");
    let rules: Vec<&str> = list(&run["tool"]["driver"]["rules"]).filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(rules, base::codes::ALL.iter().map(|code| code.name()).collect::<Vec<_>>());
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let prints = |spec: &str| -> Vec<String> {
        let project = Project::empty();
        project.write("o.yaml", spec);
        let run = sarif(&project, ".", &["o.yaml"]);
        list(&run["results"]).map(|result| result["partialFingerprints"].to_string()).collect()
    };
    let broken = SPEC.replace("/schemas/Pet'", "/schemas/Cat'");
    assert!(!prints(&broken).is_empty());
    assert_eq!(prints(&broken), prints(&format!("# one\n\n# two\n{}", broken.replace("paths:", "\n\npaths:"))));
    assert_ne!(prints(&broken), prints(&broken.replace("schemas/Cat", "schemas/Dog")));
}

#[test]
fn files_are_named_from_the_working_directory() {
    let project = Project::empty();
    project
        .write("pets/tungsten.yml", MANIFEST)
        .write("pets/openapi.yaml", SPEC.replace("/schemas/Pet'", "/schemas/Cat'"))
        .write("other/x", "");
    let absolute = project.path("pets/openapi.yaml");
    let cases = [
        (".", "pets", "pets/openapi.yaml"),
        (".", "./pets/", "pets/openapi.yaml"),
        (".", "./pets/openapi.yaml", "pets/openapi.yaml"),
        (".", absolute.to_str().expect("UTF-8"), "pets/openapi.yaml"),
        ("pets", ".", "openapi.yaml"),
        ("pets", absolute.to_str().expect("UTF-8"), "openapi.yaml"),
        ("other", "../pets", "../pets/openapi.yaml"),
        ("other", absolute.to_str().expect("UTF-8"), "../pets/openapi.yaml"),
    ];
    for (folder, path, expect) in cases {
        let run = sarif(&project, folder, &[path]);
        let artifact = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(artifact["uri"], expect, "{folder} {path}");
        let line = github(&project, folder, &[path]);
        assert!(line.starts_with(&format!("::error file={expect},line=12,col=")), "{folder} {path}: {line}");
    }
}

#[test]
fn github_levels_and_parts() {
    let project = Project::pets();
    let spec = SPEC.replace("title: Pets, version: 1.0.0", "title: Pets").replace("/schemas/Pet'", "/schemas/Cat'");
    project.write("openapi.yaml", spec.replace("      operationId: listPets\n", ""));
    let text = github(&project, ".", &[]);
    let mut names: Vec<String> = text.lines().map(|line| command(line).0).collect();
    names.dedup();
    assert_eq!(names, ["error", "warning", "notice"], "{text}");
    let (_, properties, message) = command(text.lines().next().expect("a line"));
    let keys: Vec<&str> = properties.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["file", "line", "col", "title"]);
    assert_eq!(properties[3].1, "TG0201: unresolvable $ref");
    assert!(message.contains("Cat"), "{message}");
}

#[test]
fn hostile_texts_stay_texts_in_every_format() {
    for text in HOSTILE {
        let project = Project::empty();
        project.write("o.json", hostile_spec(text));
        let run = sarif(&project, ".", &["o.json"]);
        let n_results = list(&run["results"]).count();
        assert!(n_results > 0, "{text}");
        let mut all = Vec::new();
        strings(&run["results"], &mut all);
        for one in all {
            let is_harmless = |c: char| c == '\n' || base::diag::is_printable(c);
            assert!(one.chars().all(is_harmless), "{text}: {one:?}");
        }
        let lines = github(&project, ".", &["o.json"]);
        assert!(lines.chars().all(|c| c == '\n' || base::diag::is_printable(c)), "{text}: {lines:?}");
        for line in lines.lines() {
            let (name, properties, _) = command(line);
            assert!(["error", "warning", "notice"].contains(&name.as_str()), "{text}: {line}");
            let keys: Vec<&str> = properties.iter().map(|(key, _)| key.as_str()).collect();
            assert!(keys.iter().all(|key| ["file", "line", "col", "title"].contains(key)), "{text}: {line}");
            assert!(properties.iter().all(|(key, value)| key != "file" || value == "o.json"), "{text}: {line}");
        }
        let (_, envelope) = project.json(&["check", "o.json"]);
        assert_eq!(envelope["diagnostics"].as_array().map(Vec::len), Some(n_results), "{text}");
        let run = project.run(&["check", "o.json"]);
        for line in run.stderr.lines() {
            assert!(!line.trim_start().starts_with("::"), "{text}: {line}");
            assert!(line.chars().all(|c| c == '\t' || base::diag::is_printable(c)), "{text}: {line:?}");
        }
    }
}

#[test]
fn hostile_file_names_stay_names() {
    for name in
        ["a\n::error::b.json", "a,line=9:b%0A.json", "a\u{1b}[2J.json", "\"a'b`.json", "[a](b).json", "ä #?.json"]
    {
        let project = Project::empty();
        project.write(name, "{\n\"openapi\": 3}");
        let run = sarif(&project, ".", &[name]);
        let uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
        let mut bytes = Vec::new();
        let mut rest = uri.as_str().expect("a URI").bytes();
        while let Some(byte) = rest.next() {
            let mut digit = || char::from(rest.next().expect("two digits")).to_digit(16).expect("a digit") as u8;
            bytes.push(if byte == b'%' { digit() * 16 + digit() } else { byte });
        }
        assert_eq!(String::from_utf8(bytes).expect("UTF-8"), name);
        let lines = github(&project, ".", &[name]);
        for line in lines.lines() {
            let (_, properties, _) = command(line);
            assert_eq!(properties[0], ("file".to_owned(), name.replace('\u{1b}', "\u{fffd}")), "{lines}");
            assert!(
                properties.last().is_some_and(|(key, value)| key == "title" && value.starts_with("TG01")),
                "{lines}"
            );
        }
    }
}

/// A name that is not UTF-8 is no name of a document; every format says so in UTF-8.
#[cfg(unix)]
#[test]
fn file_names_that_are_no_text_are_findings() {
    use std::os::unix::ffi::OsStrExt as _;
    let project = Project::empty();
    for format in ["text", "json", "sarif", "github"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tungsten"))
            .args(["check", "--output-format", format])
            .arg(std::ffi::OsStr::from_bytes(b"a\xff.yaml"))
            .current_dir(project.path(""))
            .output()
            .expect("the binary starts");
        assert_eq!(output.status.code(), Some(1), "{format}");
        let all = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
        assert!(all.contains("TG0101"), "{format}: {all}");
    }
}

#[test]
fn many_findings_of_a_code_are_counted_where_people_read() {
    let project = Project::empty();
    let refs: Vec<String> = (0..30).map(|n| format!("p{n}: {{ $ref: '#/components/schemas/X{n}' }}")).collect();
    let spec = SPEC.replace("name: { type: string }", &refs.join(", "));
    project.write("o.yaml", spec);
    let n_of = |text: &str, part: &str| text.lines().filter(|line| line.contains(part)).count();
    let text = project.run(&["check", "o.yaml"]).stderr;
    assert_eq!(n_of(&text, "error[TG0201]"), 20, "{text}");
    assert_eq!(n_of(&text, "TG0201: 10 more like this"), 1, "{text}");
    let lines = github(&project, ".", &["o.yaml"]);
    assert_eq!((n_of(&lines, "::error "), n_of(&lines, "TG0201: 10 more like this")), (20, 1), "{lines}");
    assert_eq!(list(&sarif(&project, ".", &["o.yaml"])["results"]).count(), 30);
    assert_eq!(project.json(&["check", "o.yaml"]).1["diagnostics"].as_array().map(Vec::len), Some(30));
    // One below: nothing is left out.
    project.write("o.yaml", SPEC.replace("name: { type: string }", &refs[..20].join(", ")));
    assert!(!project.run(&["check", "o.yaml"]).stderr.contains("more like this"));
}

#[test]
fn ci_and_strict_go_together() {
    let project = Project::pets();
    project.write("openapi.yaml", SPEC.replace("title: Pets, version: 1.0.0", "title: Pets"));
    let json = |args: &[&str]| project.json(args);
    let (exit, envelope) = json(&["check", "--ci"]);
    assert_eq!((exit, &envelope["result"]["outputs"][0]["status"]), (1, &"stale".into()), "{envelope}");
    assert_eq!(project.run(&["generate"]).exit, 0);
    assert_eq!(json(&["check", "--ci"]).0, 0);
    // The warning fails the run, and the comparison is made all the same.
    let (exit, envelope) = json(&["check", "--ci", "--strict"]);
    assert_eq!((exit, &envelope["result"]["promoted"]), (1, &1.into()), "{envelope}");
    assert_eq!(envelope["result"]["outputs"][0]["status"], "fresh");
    project.write("generated/typescript/src/client.ts", "edited");
    let lines = github(&project, ".", &["--ci", "--strict"]);
    assert!(lines.starts_with("::error file=tungsten.yml,line=4,"), "{lines}");
    assert!(lines.contains("title=TG0901%3A") && lines.contains("src/client.ts"), "{lines}");
    let run = sarif(&project, ".", &["--ci"]);
    assert_eq!(run["results"][0]["ruleId"], "TG0901");
}

#[test]
fn warnings_of_emitters_count_under_ci_and_strict() {
    let project = Project::pets();
    let spec = SPEC.replace("name: { type: string }", "pet_name: { type: string }, petName: { type: string }");
    project.write("openapi.yaml", spec);
    assert_eq!(project.run(&["generate"]).exit, 0);
    assert_eq!(project.run(&["check", "--ci"]).exit, 0);
    let (exit, envelope) = project.json(&["check", "--ci", "--strict"]);
    assert_eq!((exit, &envelope["result"]["promoted"]), (1, &envelope["result"]["counts"]["warnings"]), "{envelope}");
    assert_eq!(project.json(&["check", "--strict"]).0, 1);
}

#[test]
fn ci_never_colors() {
    let project = Project::pets();
    project.write("openapi.yaml", "{");
    let colored = |args: &[&str]| project.run_with(args, &[("CLICOLOR_FORCE", "1")]).stderr.contains('\u{1b}');
    assert!(colored(&["check"]), "color was asked for");
    assert!(!colored(&["check", "--ci"]));
}

#[test]
fn one_document_at_a_time() {
    let project = Project::pets();
    let (exit, envelope) = project.json(&["check", "--output-format", "sarif"]);
    assert_eq!((exit, envelope["error"]["kind"].as_str()), (2, Some("usage")), "{envelope}");
    assert_eq!(project.json(&["check", "--output-format", "json"]).0, 0);
    assert_eq!(project.run(&["check", "--output-format", "xml"]).exit, 2);
    let run = project.run(&["check", "--output-format", "github"]);
    assert_eq!((run.exit, run.stdout.as_str()), (0, ""));
}
