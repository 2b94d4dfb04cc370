//! What a new user gets wrong, and what a hostile description tries: a code, a place, the documented exit code, soon.

use std::time::Duration;

use super::project::{MANIFEST, Project, SPEC, error_codes};

/// Checks one document: exit code, the one error code, and that line and column are those.
#[track_caller]
fn check(name: &str, bytes: impl AsRef<[u8]>, code: &str, at: Option<(u64, u64)>) {
    let project = Project::empty();
    project.write(name, bytes);
    let (exit, envelope) = project.json(&["check", name]);
    assert_eq!(exit, 1, "{envelope}");
    let errors = error_codes(&envelope);
    assert!(!errors.is_empty() && errors.iter().all(|error| error == code), "{code} expected: {envelope}");
    let first = &envelope["diagnostics"][0];
    assert_eq!(first["file"], name, "{first}");
    if let Some((line, column)) = at {
        assert_eq!((first["line"].as_u64(), first["column"].as_u64()), (Some(line), Some(column)), "{first}");
    }
}

#[test]
fn a_file_that_is_not_there() {
    check_missing("none.yaml");
    check_missing("none/none.yaml");
    check_missing("https://pets.example.test/openapi.yaml");
    let run = Project::empty().run(&["generate", "https://pets.example.test/openapi.yaml"]);
    assert!(run.stderr.contains("fetches no URL") && run.stderr.contains("download"), "{}", run.stderr);
}

fn check_missing(name: &str) {
    let (exit, envelope) = Project::empty().json(&["check", name]);
    assert_eq!((exit, error_codes(&envelope)), (1, vec!["TG0101".to_owned()]), "{envelope}");
    assert_eq!(envelope["diagnostics"][0]["file"], name);
}

#[test]
fn a_folder_without_a_manifest() {
    let (exit, envelope) = Project::empty().json(&["check", "."]);
    assert_eq!((exit, error_codes(&envelope)), (1, vec!["TG0101".to_owned()]), "{envelope}");
    assert!(envelope["diagnostics"][0]["help"].as_str().is_some_and(|help| help.contains("tungsten init")));
}

#[test]
fn a_folder_where_a_description_should_be() {
    let project = Project::pets();
    std::fs::remove_file(project.path("openapi.yaml")).expect("removable");
    std::fs::create_dir(project.path("openapi.yaml")).expect("creatable");
    let (exit, envelope) = project.json(&["check"]);
    assert_eq!((exit, error_codes(&envelope)), (1, vec!["TG0101".to_owned()]), "{envelope}");
}

#[test]
fn files_that_are_no_documents() {
    check("empty.yaml", "", "TG0102", None);
    check("empty.json", "", "TG0102", None);
    check("binary.json", [0x7f, b'E', b'L', b'F', 0, 1, 2, 0xff], "TG0102", Some((1, 8)));
    check("binary.yaml", [b'a', b':', b' ', 0xff, 0xfe], "TG0102", Some((1, 4)));
    check("nul.yaml", "a: \0", "TG0102", Some((1, 4)));
}

#[test]
fn syntax_errors_are_placed_to_the_character() {
    check("cut.json", "{\"openapi\": \"3.1.0\",\n \"info\": {", "TG0102", None);
    check("comma.json", "{\"a\": 1,}", "TG0102", Some((1, 9)));
    check("tabs.yaml", "openapi: 3.1.0\ninfo:\n\ttitle: x\n", "TG0102", None);
    check("twice.json", "{\"openapi\": \"3.1.0\", \"paths\": {},\n \"ä\": 2,\n \"paths\": 3}", "TG0102", Some((3, 2)));
}

#[test]
fn versions_that_are_not_read() {
    check("swagger.yaml", "swagger: '2.0'\ninfo: {title: x, version: '1'}\npaths: {}\n", "TG0103", None);
    check("next.yaml", "openapi: 4.0.0\ninfo: {title: x, version: '1'}\npaths: {}\n", "TG0103", None);
    check("none.yaml", "info: {title: x, version: '1'}\npaths: {}\n", "TG0103", None);
    check("list.yaml", "- 1\n", "TG0104", Some((1, 1)));
}

fn with_ref(target: &str) -> String {
    SPEC.replace("'#/components/schemas/Pet'", &format!("'{target}'"))
}

#[test]
fn references_that_lead_nowhere_or_out() {
    check("a.yaml", with_ref("#/components/schemas/Cat"), "TG0201", Some((12, 80)));
    check("a.yaml", with_ref("other.yaml#/Pet"), "TG0201", None);
    check("a.yaml", with_ref("../outside.yaml#/Pet"), "TG0204", None);
    check("a.yaml", with_ref("%2e%2e/outside.yaml#/Pet"), "TG0204", None);
    check("a.yaml", with_ref("/etc/hostname"), "TG0204", None);
    check("a.yaml", with_ref("https://example.test/pet.yaml"), "TG0202", None);
    check("a.yaml", with_ref("file:///etc/hostname"), "TG0202", None);
}

#[test]
fn inputs_beyond_their_budgets_are_refused_soon() {
    let deep = 100_000;
    check("deep.json", format!("{}{}", "[".repeat(deep), "]".repeat(deep)), "TG0105", Some((1, 257)));
    check("deep.yaml", format!("{}{}", "[".repeat(deep), "]".repeat(deep)), "TG0105", None);
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        bomb.push_str(&format!("a{level}: &a{level} [{}]\n", [before.as_str(); 10].join(", ")));
    }
    check("bomb.yaml", bomb, "TG0105", None);
    let project = Project::empty();
    let file = std::fs::File::create(project.path("large.json")).expect("creatable");
    file.set_len(200 << 20).expect("a sparse file");
    let run = project.run(&["check", "large.json"]);
    assert_eq!(run.exit, 1);
    assert!(run.stderr.contains("TG0105"), "{}", run.stderr);
    for part in ["209715200", "33554432 (32 MiB)", "help: ", "split the input"] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    assert!(run.took < Duration::from_secs(5), "took {:?}", run.took);
}

#[test]
fn manifests_report_all_their_faults_at_once() {
    let project = Project::pets();
    project
        .write("tungsten.yml", "tungsten: 2\napi: { nam: pets }\ninputs: []\ntargets: { typescript: { out: ../x } }\n");
    let (exit, envelope) = project.json(&["check"]);
    assert_eq!(exit, 1);
    assert!(error_codes(&envelope).iter().filter(|code| *code == "TG0602").count() >= 4, "{envelope}");
    project.write("tungsten.yml", "tungsten: 1\napi: [\n");
    let (exit, envelope) = project.json(&["check"]);
    assert_eq!((exit, error_codes(&envelope)), (1, vec!["TG0601".to_owned()]), "{envelope}");
}

#[test]
fn output_folders_that_cannot_be_written() {
    let project = Project::pets();
    project.write("generated", "a file");
    let run = project.run(&["generate"]);
    assert_eq!(run.exit, 3, "{}", run.stderr);
    assert!(run.stderr.contains("TG0701"), "{}", run.stderr);
    assert!(run.stderr.contains("using the output folder generated failed"), "{}", run.stderr);
    let (_, envelope) = project.json(&["generate"]);
    let folder = project.path("").to_string_lossy().into_owned();
    assert!(!envelope.to_string().contains(&folder), "{envelope}");

    let project = Project::pets();
    project.write("generated/typescript/mine.txt", "x");
    let run = project.run(&["generate"]);
    assert_eq!(run.exit, 4, "{}", run.stderr);
    assert!(run.stderr.contains("TG0703"), "{}", run.stderr);
    assert_eq!(project.run(&["generate", "--force"]).exit, 0);
    assert_eq!(project.read("generated/typescript/mine.txt"), "x");
}

#[test]
fn targets_may_not_share_a_folder() {
    let project = Project::pets();
    let nested = MANIFEST.replace("targets: {", "targets: { docs: { out: generated },");
    project.write("tungsten.yml", nested);
    let (exit, envelope) = project.json(&["check"]);
    assert_eq!((exit, error_codes(&envelope)), (1, vec!["TG0612".to_owned()]), "{envelope}");
}

#[test]
fn a_port_in_use() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("bound").port().to_string();
    let project = Project::pets();
    let run = project.run(&["mock", "--port", &port]);
    assert_eq!(run.exit, 3, "{}", run.stderr);
    assert!(run.stderr.contains(&port), "{}", run.stderr);
}

#[test]
fn a_command_line_that_is_not_understood() {
    let project = Project::empty();
    for args in [&["chekc"][..], &["check", "--nope"], &["mock", "--port", "99999"], &["check", "--json=true"], &[]] {
        let run = project.run(args);
        assert_eq!(run.exit, 2, "{args:?}: {}", run.stderr);
        let (exit, envelope) = project.json(args);
        assert_eq!((exit, envelope["error"]["kind"].as_str()), (2, Some("usage")), "{envelope}");
    }
}
