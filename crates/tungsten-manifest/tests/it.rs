//! The reader, the schema and the reference page of `tungsten.yml` (and in `agent`, of `agent.yml`), seen from outside.
//!
//! Each case is a manifest; the schema is judged with the same manifests as the reader, by a small validator of the
//! keywords that it uses, so that the two cannot drift apart.

#[path = "it/agent.rs"]
mod agent;
mod validator;

use std::borrow::Cow;
use std::sync::Arc;

use base::{Code, Diagnostic, Diags, Severity, Source, Sources};
use tungsten_manifest::{
    External, Manifest, OptionKind, OptionRow, OptionTable, PaginationStyle, Part, Profile, Raw,
    agent_reference_markdown, agent_schema, read_source, reference_markdown, schema, schema_with,
};

/// A manifest with all that is required, on five lines.
const HEAD: &str = "tungsten: 1\napi: { name: acme }\ninputs:\n  - namespace: public\n    spec: api.yaml\n";

struct Run {
    manifest: Option<Manifest>,
    found: Vec<Diagnostic>,
    sources: Sources,
}

fn run(text: &str) -> Run {
    let mut sources = Sources::new();
    let source = Arc::new(Source::from_bytes("tungsten.yml", text));
    let id = sources.push(Arc::clone(&source));
    let mut diags = Diags::new();
    let manifest = read_source(source, id, &mut diags);
    Run { manifest, found: diags.finish(&sources), sources }
}

impl Run {
    /// `code line:column pointer message`, one a finding.
    fn lines(&self) -> Vec<String> {
        let line = |d: &Diagnostic| {
            let source = d.place.source.map(|id| self.sources.get(id)).expect("a manifest's findings have a place");
            let (line, column) = source.line_column(d.place.range.expect("and a range").0);
            format!("{} {line}:{column} {} {}", d.code, d.place.pointer, d.message)
        };
        self.found.iter().map(line).collect()
    }

    /// The lines of what is wrong, without those of keys that nothing acts on yet.
    fn error_lines(&self) -> Vec<String> {
        self.lines().into_iter().filter(|line| !line.starts_with("TG0615")).collect()
    }

    fn errors(&self) -> usize {
        self.found.iter().filter(|d| d.severity == Severity::Error).count()
    }
}

/// The manifest of a text in which nothing is wrong.
#[track_caller]
fn good(text: &str) -> Manifest {
    let run = run(text);
    let shown: String = text.chars().take(1000).collect();
    assert_eq!(run.errors(), 0, "{shown}\n{:#?}", run.lines());
    assert_eq!(schema_faults(text), Vec::<String>::new(), "the schema refuses what the reader reads:\n{shown}");
    run.manifest.expect("a manifest without errors is there")
}

/// One error, and its help; the schema refuses the text too.
#[track_caller]
fn bad(text: &str, expect: &str, help: &str) {
    bad_together(text, expect, help);
    assert!(!schema_faults(text).is_empty(), "the schema allows what the reader refuses:\n{text}");
}

/// One error that may be about how keys go together, which no schema says.
#[track_caller]
fn bad_together(text: &str, expect: &str, help: &str) {
    let run = run(text);
    assert!(run.manifest.is_none(), "{text}");
    assert_eq!(run.error_lines(), [expect], "{text}");
    assert_eq!(run.found[0].help.as_deref().unwrap_or_default(), help, "{text}");
}

fn schema_faults(text: &str) -> Vec<String> {
    validator::faults(&schema(), &validator::parse(text))
}

#[test]
fn the_documented_example_is_read_whole() {
    let run = run(EXAMPLE);
    assert_eq!(run.lines(), Vec::<String>::new());
    assert_eq!(schema_faults(EXAMPLE), Vec::<String>::new());
    let manifest = run.manifest.expect("only warnings");
    assert_eq!((manifest.api.name.as_str(), manifest.api.title.as_deref()), ("acme", Some("Acme")));

    let namespaces: Vec<&str> = manifest.inputs.iter().map(|input| input.namespace.as_str()).collect();
    assert_eq!(namespaces, ["public", "sealed", "workflow"]);
    assert_eq!(manifest.inputs[0].spec.as_str(), "../acme/protocol/v1/openapi/public-v1.json");
    let include = manifest.inputs[0].include.as_ref().expect("written");
    assert_eq!((include.extension.as_deref(), &include.equals), (Some("x-implemented"), &Some(Raw::Bool(true))));
    let rpc = manifest.inputs[2].rpc_unflatten.as_ref().expect("written");
    assert_eq!((rpc.method.as_str(), rpc.name_strip_prefix.as_deref()), ("post", Some("workflow.")));

    assert_eq!(manifest.servers.default.as_deref(), Some("https://api.example.test"));
    assert!(manifest.servers.allow_override && manifest.types.prune_unreferenced);

    let public = manifest.resources.get("public").expect("written");
    let webhooks = public.get("webhooks").expect("written");
    assert_eq!(webhooks.path.as_deref(), Some("/v1/webhooks"));
    let (name, deliveries) = &webhooks.children[0];
    assert_eq!(name.as_str(), "deliveries");
    assert_eq!(deliveries.path.as_deref(), Some("/v1/webhooks/{endpoint_id}/deliveries"));
    assert_eq!(
        deliveries.path.as_ref().map(|path| path.place.pointer.as_str()),
        Some("/resources/public/webhooks/children/deliveries/path")
    );

    let (operation, method) = &manifest.naming.operations[0];
    assert_eq!((operation.split(), method.as_str()), (Some(("public", "listWebhookEndpoints")), "list"));
    assert!(!manifest.naming.fields.preserve_wire_names_in_ts);

    let owner = manifest.auth_profiles.get("ownerSession").expect("written");
    let Profile::Composite(parts) = owner.profile() else { panic!("composite: {owner:?}") };
    assert!(matches!(parts[0].part(), Part::Cookie(name) if name.as_str() == "__Host-acme_session"));
    assert!(matches!(parts[3].part(), Part::Header(header) if header.from_config.as_deref() == Some("origin")
        && header.when.is_some()));
    assert_eq!(
        owner.satisfies.iter().map(std::ops::Deref::deref).collect::<Vec<&str>>(),
        ["ownerSession", "ownerCsrf"]
    );
    let workflow = manifest.auth_profiles.get("workflowCredential").expect("written");
    assert!(matches!(workflow.profile(), Profile::Bearer(bearer) if bearer.prefix.as_deref() == Some("ztw_")));

    let pages = manifest.pagination.get("public.listOwnerMessages").expect("written");
    let PaginationStyle::Cursor(cursor) = pages.style() else { panic!("it is a cursor") };
    assert_eq!(cursor.field.as_deref(), Some("next_cursor"));

    let targets: Vec<&str> = manifest.targets.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(targets, ["typescript", "python", "rust", "mcp", "docs", "mock"]);
    let rust = manifest.targets.get("rust").expect("written");
    assert_eq!(rust.out.parts(), ["generated", "rust"]);
    let options: Vec<(&str, &str)> = rust.options.iter().map(|o| (o.key.as_str(), o.place.pointer.as_str())).collect();
    assert_eq!(options, [("crate", "/targets/rust/crate"), ("cli", "/targets/rust/cli")]);
    let Raw::Map(cli) = &rust.options[1].value else { panic!("an object: {:?}", rust.options[1]) };
    assert_eq!((cli[0].key.as_str(), &cli[0].value), ("bin", &Raw::Text("acme".to_owned())));
    assert_eq!(cli[0].place.pointer, "/targets/rust/cli/bin");
}

#[test]
fn every_key_is_read() {
    for text in [
        "api: { name: a, title: '', docs_url: x, description: y }\n",
        "inputs: [{ namespace: a, spec: ./a.json, overlays: [o.yaml, ../p.yaml], note: why }]\n",
        "overlays: [a.yaml]\n",
        "servers: {}\n",
        "servers: { default: '/v1' }\n",
        "resources: { public: { a: {}, b-c: { path: /, children: { d: { children: {} } } } } }\n",
        "naming: { operations: { a.b: c, odd: d_E2 }, fields: { preserve_wire_names_in_ts: true } }\n",
        "auth_profiles: { a: { api_key: {} }, b: { api_key: { env: _A1 }, satisfies: [x], config: { c: {} } } }\n",
        "auth_profiles: { a: { bearer: {}, config: { origin: { env: O, description: d } } } }\n",
        "auth_profiles: { 'a.bearer-auth': { bearer: {} } }\n",
        "auth_profiles: { a: { composite: [{ bearer: { env: A, prefix: p } }] } }\n",
        "auth_profiles: { a: { composite: [{ header: { name: h, from_config: undeclared } }] } }\n",
        "auth_profiles: { a: { bearer: {}, declares: {} } }\n",
        "auth_profiles: { a: { basic: { env: A }, declares: { namespaces: [public], tags: [t], optional: true } } }\n",
        "auth_profiles: { a: { api_key: { in: query, name: key }, declares: { paths: [/v1], operations: [a.b] } } }\n",
        "include: { tags: [a, b], paths: [/v1/pets], operations: [public.listPets] }\n",
        "planned_from: { extension: x-stage, equals: { at: [1, null] } }\n",
        "pagination: { a.b: { none: true } }\n",
        "pagination: { a.b: { cursor: { param: p, field: f, items: '', page_size_param: s, has_more: h } } }\n",
        "pagination: { a.b: { offset: { offset_param: o, limit_param: l, items: data.rows } } }\n",
        "pagination: { a.b: { page: { page_param: o, size_param: l, items: i } } }\n",
        "pagination: { a.b: { cursor: { param: p, item_field: id, items: data } } }\n",
        "pagination: { a.b: { link_header: { items: '' } } }\n",
        "pagination: { a.b: { link_field: { field: links.next, items: data } } }\n",
        "types: { break_cycles: [Node.next, a.b.c], prune_unreferenced: false }\n",
        "targets: { docs: { out: docs } }\n",
        "targets: { go: { out: go, external: true, module: example.test/x, timeout_ms: 1 } }\n",
        "targets: { k-2: { out: k, external: node x.mjs, max_output_bytes: 1099511627776 } }\n",
        "targets: { python: { out: p, external: true } }\n",
        "output: [anything, { at: all }]\n",
        "agent: agents/agent.yml\n",
    ] {
        let head = match text.split(':').next() {
            Some("api") => "tungsten: 1\ninputs: [{ namespace: a, spec: a.json }]\n",
            Some("inputs") => "tungsten: 1\napi: { name: a }\n",
            _ => HEAD,
        };
        good(&format!("{head}{text}"));
    }
}

#[test]
fn absent_keys_have_their_defaults() {
    let manifest = good(HEAD);
    assert!(manifest.types.prune_unreferenced);
    assert!(!manifest.servers.allow_override && manifest.servers.default.is_none());
    assert!(manifest.overlays.is_empty() && manifest.targets.is_empty() && manifest.agent.is_none());
    let manifest = good(&format!("{HEAD}targets: {{ go: {{ out: go, external: node e.mjs }} }}\n"));
    let go = &manifest.targets[0].1;
    assert_eq!((go.timeout_ms.0, go.max_output_bytes.0), (60_000, 67_108_864));
    assert!(matches!(&go.external, Some(External::Command(command)) if command.as_str() == "node e.mjs"));
}

#[test]
fn every_key_refuses_what_it_is_not() {
    let machine = "a machine name: lower-case letters, digits and `_`, a letter first";
    for (text, expect, help) in [
        (
            "7\n",
            "TG0602 1:1  the manifest must be an object, but is the number `7`".to_owned(),
            "",
        ),
        (
            "tungsten: 2\napi: { name: a }\ninputs: [{ namespace: a, spec: a }]\n",
            "TG0602 1:11 /tungsten `tungsten` must be 1, but is the number `2`".to_owned(),
            "",
        ),
        (
            "tungsten: 1\napi: { name: Acme-API }\ninputs: [{ namespace: a, spec: a }]\n",
            format!("TG0602 2:14 /api/name `api.name` must be {machine}, but is `Acme-API`"),
            "for example `acme_api`",
        ),
        (
            "tungsten: 1\napi: { name: 12 }\ninputs: [{ namespace: a, spec: a }]\n",
            format!("TG0602 2:14 /api/name `api.name` must be {machine}, but is the number `12`"),
            "put it in quotes",
        ),
        (
            "tungsten: 1\napi: { name: a, titel: b }\ninputs: [{ namespace: a, spec: a }]\n",
            "TG0602 2:17 /api/titel unknown key `titel` in `api`".to_owned(),
            "did you mean `title`?",
        ),
        (
            "tungsten: 1\napi: { name: a, title: [] }\ninputs: [{ namespace: a, spec: a }]\n",
            "TG0602 2:24 /api/title `api.title` must be a string, but is a list".to_owned(),
            "",
        ),
        (
            "tungsten: 1\napi: { name: a }\ninputs: []\n",
            "TG0602 3:1 /inputs `inputs` must have at least one item".to_owned(),
            "",
        ),
        (
            "tungsten: 1\napi: { name: a }\ninputs: { a: b }\n",
            "TG0602 3:9 /inputs `inputs` must be a list, but is an object".to_owned(),
            "",
        ),
        (
            "tungsten: 1\napi: { name: a }\ninputs: [{ spec: a }]\n",
            "TG0602 3:10 /inputs/0 `inputs[0]` lacks the required key `namespace`".to_owned(),
            "add `namespace`: Name of the document's operations, resources and types: `<namespace>.<operationId>`",
        ),
        (
            "tungsten: 1\napi: { name: a }\ninputs: [{ namespace: a, spec: /a }]\n",
            "TG0602 3:32 /inputs/0/spec `inputs[0].spec` must be a relative path with `/` between its parts, but is `/a`".to_owned(),
            "write it relative to the folder of the manifest, for example `../specs/openapi.yaml`",
        ),
        (
            "tungsten: 1\napi: { name: a }\ninputs: [{ namespace: a, spec: 'https://x.test/a' }]\n",
            "TG0602 3:32 /inputs/0/spec `inputs[0].spec` must be a relative path with `/` between its parts, but is `https://x.test/a`".to_owned(),
            "write it relative to the folder of the manifest, for example `../specs/openapi.yaml`",
        ),
    ] {
        bad(text, &expect, help);
    }
    for (text, expect, help) in [
        (
            "zzz: 1",
            "6:1 /zzz unknown key `zzz` in the manifest",
            "known keys here: `tungsten`, `api`, `inputs`, `include`, `planned_from`, `overlays`, `servers`, `resources`, `naming`, `auth_profiles`, `pagination`, `types`, `targets`, `output`, `agent`",
        ),
        ("target: {}", "6:1 /target unknown key `target` in the manifest", "did you mean `targets`?"),
        ("overlays:", "6:10 /overlays `overlays` must be a list, but is null", "give the key a value, or remove it"),
        (
            "overlays: [a, 1]",
            "6:15 /overlays/1 `overlays[1]` must be a relative path with `/` between its parts, but is the number `1`",
            "put it in quotes",
        ),
        (
            "servers: { default: '' }",
            "6:21 /servers/default `servers.default` must be a string that is not empty, but is empty",
            "",
        ),
        (
            "servers: { allow_override: yes }",
            "6:28 /servers/allow_override `servers.allow_override` must be `true` or `false`, but is the string `yes`",
            "write `true` or `false` without quotes",
        ),
        (
            "resources: { public: { a: { path: v1 } } }",
            "6:35 /resources/public/a/path `resources.public.a.path` must be a path of the API, which starts with `/`, but is `v1`",
            "for example `/v1/pets`",
        ),
        (
            "resources: { public: { 2a: {} } }",
            "6:24 /resources/public/2a key `2a` of `resources.public` must be a resource name: letters, digits, `_` and `-`, a letter first",
            "for example `api_2a`",
        ),
        (
            "resources: { public: { a: { children: { b: { c: d } } } } }",
            "6:46 /resources/public/a/children/b/c unknown key `c` in `resources.public.a.children.b`",
            "known keys here: `path`, `children`",
        ),
        (
            "naming: { operations: { a.b: 'c d' } }",
            "6:30 /naming/operations/a.b `naming.operations.a.b` must be a name of letters, digits and `_`, a letter first, but is `c d`",
            "for example `c_d`",
        ),
        (
            "naming: { fields: preserve_wire_names_in_ts }",
            "6:19 /naming/fields `naming.fields` must be an object, but is the string `preserve_wire_names_in_ts`",
            "",
        ),
        (
            "auth_profiles: { a: {} }",
            "6:18 /auth_profiles/a `auth_profiles.a` needs one of the keys `composite`, `bearer`, `basic`, `api_key`",
            "",
        ),
        (
            "auth_profiles: { a: { bearer: {}, api_key: {} } }",
            "6:35 /auth_profiles/a/api_key `auth_profiles.a` may have only one of the keys `composite`, `bearer`, `basic`, `api_key`",
            "keep one of them",
        ),
        (
            "auth_profiles: { a: { bearer: { env: A-B } } }",
            "6:38 /auth_profiles/a/bearer/env `auth_profiles.a.bearer.env` must be the name of an environment variable: letters, digits and `_`, no digit first, but is `A-B`",
            "for example `a_b`",
        ),
        (
            "auth_profiles: { a: { composite: [] } }",
            "6:23 /auth_profiles/a/composite `auth_profiles.a.composite` must have at least one item",
            "",
        ),
        (
            "auth_profiles: { a: { composite: [{ header: { name: h } }] } }",
            "6:37 /auth_profiles/a/composite/0/header `auth_profiles.a.composite[0].header` needs one of the keys `equals_cookie`, `from_config`",
            "",
        ),
        (
            "auth_profiles: { a: { composite: [{ header: { name: h, from_config: c, when: never } }] } }",
            "6:78 /auth_profiles/a/composite/0/header/when `auth_profiles.a.composite[0].header.when` must be `mutation`, but is `never`",
            "allowed: `mutation`",
        ),
        (
            "pagination: { a.b: { none: false } }",
            "6:28 /pagination/a.b/none `pagination.a.b.none` must be `true`, but is `false`",
            "write `true`, or leave the key out",
        ),
        (
            "pagination: { a.b: { cursor: { param: p, items: i } } }",
            "6:22 /pagination/a.b/cursor `pagination.a.b.cursor` needs one of the keys `field`, `item_field`",
            "",
        ),
        (
            "types: { prune_unreferenced: 1 }",
            "6:30 /types/prune_unreferenced `types.prune_unreferenced` must be `true` or `false`, but is the number `1`",
            "",
        ),
        (
            "targets: { docs: {} }",
            "6:12 /targets/docs `targets.docs` lacks the required key `out`",
            "add `out`: Folder that the target is written to, inside the project folder; no two targets share or nest theirs",
        ),
        (
            "targets: { Docs: { out: d, external: true } }",
            "6:12 /targets/Docs key `Docs` of `targets` must be a target name: lower-case letters, digits, `_` and `-`, a letter first",
            "for example `docs`",
        ),
        (
            "targets: { ts: { out: d } }",
            "6:12 /targets/ts target `ts` is not built in and has no `external`",
            "did you mean `typescript`? Any other name needs `external`",
        ),
        (
            "targets: { phyton: { out: d } }",
            "6:12 /targets/phyton target `phyton` is not built in and has no `external`",
            "did you mean `python`? Any other name needs `external`",
        ),
        (
            "targets: { go: { out: d, external: false } }",
            "6:36 /targets/go/external `targets.go.external` must be `true` or a command line, but is `false`",
            "a built-in target needs no `external`",
        ),
        (
            "targets: { go: { out: d, external: true, timeout_ms: 0 } }",
            "6:54 /targets/go/timeout_ms `targets.go.timeout_ms` must be a whole number from 1 to 3600000, but is the number `0`",
            "",
        ),
        (
            "targets: { docs: { out: d, timeout_ms: 5 } }",
            "6:28 /targets/docs/timeout_ms `timeout_ms` of `targets.docs` means nothing without `external`",
            "add `external`, or remove `timeout_ms`",
        ),
        (
            "agent: 'C:\\x.yml'",
            "6:8 /agent `agent` must be a relative path with `/` between its parts, but is `C:\\x.yml`",
            "write it relative to the folder of the manifest, for example `../specs/openapi.yaml`",
        ),
    ] {
        bad(&format!("{HEAD}{text}\n"), &format!("TG0602 {expect}"), help);
    }
}

#[test]
fn rules_between_keys_are_checked() {
    bad_together(
        "tungsten: 1\napi: { name: a }\ninputs:\n  - { namespace: a, spec: a }\n  - { namespace: b, spec: b }\n  - { namespace: a, spec: c }\n",
        "TG0602 6:18 /inputs/2/namespace namespace `a` is used by two inputs",
        "give each input a namespace of its own",
    );
    for (text, expect, help) in [
        (
            "resources:\n  pubilc: {}",
            "TG0604 7:3 /resources/pubilc no input has the namespace `pubilc`",
            "did you mean `public`?",
        ),
        (
            "resources:\n  other: {}",
            "TG0604 7:3 /resources/other no input has the namespace `other`",
            "namespaces of the inputs: `public`",
        ),
        (
            "auth_profiles: { a: { composite: [{ cookie: c }, { header: { name: h, equals_cookie: C } }] } }",
            "TG0602 6:86 /auth_profiles/a/composite/1/header/equals_cookie `auth_profiles.a.composite` has no cookie `C`",
            "did you mean `c`?",
        ),
        (
            "include: { extension: x-a }",
            "TG0602 6:10 /include `include` lacks the key `equals` beside `extension`",
            "add `equals`: the value of the extension",
        ),
        (
            "planned_from: {}",
            "TG0602 6:15 /planned_from `planned_from` says nothing about operations",
            "give at least one of the keys `extension`, `operations`, `tags`, `paths` a value",
        ),
        (
            "auth_profiles: { a: { bearer: {}, declares: { namespaces: [pubic] } } }",
            "TG0604 6:60 /auth_profiles/a/declares/namespaces/0 no input has the namespace `pubic`",
            "did you mean `public`?",
        ),
        (
            "auth_profiles: { a: { api_key: { in: query }, declares: {} } }",
            "TG0602 6:32 /auth_profiles/a/api_key `auth_profiles.a.api_key` lacks the key `name` beside `in`",
            "add `name`: the header, parameter or cookie",
        ),
        (
            "auth_profiles: { a: { api_key: { name: k }, declares: {} } }",
            "TG0602 6:32 /auth_profiles/a/api_key `auth_profiles.a.api_key` lacks the key `in` beside `name`",
            "add `in`: `header`, `query` or `cookie`",
        ),
        (
            "auth_profiles: { a: { api_key: { in: query, name: k } } }",
            "TG0602 6:32 /auth_profiles/a/api_key `in` and `name` of `auth_profiles.a.api_key` mean nothing without `declares`",
            "add `declares`, or remove them: the document's scheme says where its key goes",
        ),
        (
            "targets: { docs: { out: .. } }",
            "TG0602 6:25 /targets/docs/out `targets.docs.out` must be a relative path of a folder inside the project folder, but is `..`",
            "for example `generated/typescript`",
        ),
        (
            "targets: { docs: { out: a/.. } }",
            "TG0602 6:25 /targets/docs/out `targets.docs.out` must be a relative path of a folder inside the project folder, but is `a/..`",
            "for example `generated/typescript`",
        ),
    ] {
        bad_together(&format!("{HEAD}{text}\n"), expect, help);
    }
}

#[test]
fn targets_have_folders_of_their_own() {
    let check = |outs: &[(&str, &str)], expect: &[&str]| {
        let lines: Vec<String> = outs.iter().map(|(name, out)| format!("  {name}: {{ out: {out} }}\n")).collect();
        let targets = lines.concat();
        assert_eq!(run(&format!("{HEAD}targets:\n{targets}")).lines(), expect, "{outs:?}");
    };
    check(&[("docs", "gen/a"), ("mcp", "gen/ab"), ("rust", "gen/a-b")], &[]);
    check(
        &[("docs", "./gen//a/"), ("mcp", "gen/x/../a")],
        &["TG0612 8:15 /targets/mcp/out targets `docs` and `mcp` both write to `./gen//a/`"],
    );
    check(
        &[("docs", "gen/a/b"), ("mcp", "gen/a"), ("rust", "GEN/A/c/d")],
        &[
            "TG0612 7:16 /targets/docs/out target `docs` writes into `gen/a`, the folder of target `mcp`",
            "TG0612 9:16 /targets/rust/out target `rust` writes into `gen/a`, the folder of target `mcp`",
        ],
    );
}

#[test]
fn all_errors_are_reported_in_one_run() {
    let text = "\
tungsten: '1'
api: { nmae: Acme }
inputs:
  - { namespace: Public, spec: 7 }
  - spec: b.yaml
    overlay: []
resources: { nowhere: [] }
naming: { operations: [] }
pagination:
  a.b: { cursor: {}, none: true }
targets:
  docs: { out: /abs }
  mcp: { out: gen }
  rust: { out: gen/rust }
  kotlin: { out: k }
\"extra ä\": 1
";
    let run = run(text);
    assert!(run.manifest.is_none());
    let places: Vec<String> =
        run.lines().iter().map(|line| line.split(' ').take(3).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        places,
        [
            "TG0602 2:1 /api",
            "TG0602 2:8 /api/nmae",
            "TG0602 16:1 /extra",
            "TG0602 4:18 /inputs/0/namespace",
            "TG0602 4:32 /inputs/0/spec",
            "TG0602 5:5 /inputs/1",
            "TG0602 6:5 /inputs/1/overlay",
            "TG0602 8:23 /naming/operations",
            "TG0602 10:10 /pagination/a.b/cursor",
            "TG0602 10:10 /pagination/a.b/cursor",
            "TG0602 10:10 /pagination/a.b/cursor",
            "TG0602 10:22 /pagination/a.b/none",
            "TG0602 7:23 /resources/nowhere",
            "TG0602 12:16 /targets/docs/out",
            "TG0602 15:3 /targets/kotlin",
            "TG0602 1:11 /tungsten",
            "TG0612 14:16 /targets/rust/out",
        ]
    );
}

#[test]
fn ranges_end_where_the_text_ends() {
    let text = format!("{HEAD}agent: /etc/x # no\n'ap''x': 1\n");
    let run = run(&text);
    let spans: Vec<&str> = run
        .found
        .iter()
        .map(|d| d.place.range.expect("a range"))
        .map(|(start, end)| &text[start as usize..end as usize])
        .collect();
    assert_eq!(spans, ["/etc/x", "'ap''x'"]);
}

#[test]
fn what_is_no_yaml_of_a_manifest_is_refused() {
    for (text, expect) in [
        (format!("{HEAD}tungsten: 1\n"), "TG0601 6:1 /tungsten"),
        (format!("{HEAD}---\na: 1\n"), "TG0601 6:1"),
        (format!("{HEAD}servers: {{\n"), "TG0601"),
        ("tungsten: 1\n\tapi: x\n".to_owned(), "TG0601 "),
        (format!("{HEAD}types: &t {{}}\nservers: *t\n"), "TG0601 7:10 /servers a manifest cannot hold a YAML alias"),
        (
            format!("{HEAD}types: &t {{ prune_unreferenced: true }}\nservers:\n  <<: *t\n"),
            "TG0601 7:1 /servers a manifest cannot hold a YAML merge key",
        ),
        (String::new(), "TG0602 1:1  the manifest is empty"),
        ("\u{feff}# nothing yet\n---\n".to_owned(), "TG0602 1:1  the manifest is empty"),
        ("null\n".to_owned(), "TG0602 1:1  the manifest is empty"),
    ] {
        let run = run(&text);
        assert!(run.manifest.is_none(), "{text}");
        assert_eq!(run.lines().len(), 1, "{text}\n{:#?}", run.lines());
        assert!(run.lines()[0].starts_with(expect), "{text}\n{:#?}", run.lines());
    }
}

#[test]
fn text_of_a_manifest_cannot_drive_a_terminal() {
    let run = run(&format!("{HEAD}\"\\e[2J\": 1\n"));
    assert_eq!(run.lines(), ["TG0602 6:1 /\u{1b}[2J unknown key `\\u{1b}[2J` in the manifest"]);
}

#[test]
fn many_entries_take_time_in_proportion() {
    let names: Vec<String> = (0..20_000).map(|n| format!("    public.operation{n}: name{n}\n")).collect();
    let names = names.concat();
    let manifest = good(&format!("{HEAD}naming:\n  operations:\n{names}"));
    assert_eq!(manifest.naming.operations.len(), 20_000);
    assert_eq!(manifest.naming.operations[19_999].0.place.pointer, "/naming/operations/public.operation19999");
}

#[test]
fn long_keys_around_many_values_have_a_budget() {
    let nested = |key_len: usize| {
        let children: Vec<String> = (0..20_000).map(|n| format!("r{n}: {{}}, ")).collect();
        let children = children.concat();
        format!("{HEAD}resources: {{ public: {{ {}: {{ children: {{ {children} }} }} }} }}\n", "k".repeat(key_len))
    };
    assert_eq!(run(&nested(700)).lines(), Vec::<String>::new());
    let found = run(&nested(7000)).found;
    assert_eq!(found.iter().map(|d| d.code).collect::<Vec<_>>(), [Code::TG0105]);
}

#[test]
fn nesting_to_the_limit_is_read() {
    let deep = format!("{}{{}}{}", "{ a: { children: ".repeat(100), " } }".repeat(100));
    let run = run(&format!("{HEAD}resources: {{ public: {deep} }}\n"));
    assert_eq!(run.lines(), Vec::<String>::new());
    let deep = format!("{}1{}", "[".repeat(400), "]".repeat(400));
    let run = self::run(&format!("{HEAD}output: {deep}\n"));
    assert_eq!(run.found[0].code, Code::TG0105);
}

#[test]
fn a_lone_document_has_a_default_manifest() {
    let manifest = Manifest::default_for("acme", "public", "specs/public-v1.json");
    assert_eq!((manifest.inputs.len(), manifest.inputs[0].spec.as_str()), (1, "specs/public-v1.json"));
    assert!(manifest.targets.is_empty() && manifest.types.prune_unreferenced);
}

const OPTIONS: &[OptionTable] = &[OptionTable {
    target: "rust",
    has_emitter: true,
    rows: Cow::Borrowed(&[
        OptionRow {
            name: "crate",
            kind: OptionKind::Text { pattern: Some("^[a-z-]+$"), phrase: "the name of a crate" },
            default: "`<api>-sdk`",
            doc: "Name of the crate.",
        },
        OptionRow {
            name: "cli",
            kind: OptionKind::Switch(Cow::Borrowed(&[OptionRow {
                name: "bin",
                kind: OptionKind::Text { pattern: None, phrase: "a string" },
                default: "`<api>`",
                doc: "Name of the program.",
            }])),
            default: "on",
            doc: "Whether a command line is generated.",
        },
    ]),
}];

#[test]
fn the_schema_knows_the_options_of_emitters() {
    let faults =
        |text: &str| validator::faults(&schema_with(OPTIONS), &validator::parse(&format!("{HEAD}{text}\n"))).len();
    assert_eq!(faults("targets: { rust: { out: r, crate: acme-sdk, cli: { bin: acme } } }"), 0);
    assert_eq!(faults("targets: { rust: { out: r, cli: false } }"), 0);
    assert_eq!(faults("targets: { rust: { out: r, external: true, anything: 1 } }"), 0);
    assert_eq!(faults("targets: { docs: { out: r, anything: 1 } }"), 0);
    assert!(faults("targets: { rust: { out: r, crates: acme-sdk } }") > 0);
    assert!(faults("targets: { rust: { out: r, cli: { bim: acme } } }") > 0);
    assert!(faults("targets: { rust: { crate: a } }") > 0);
}

#[test]
fn the_schema_is_closed_and_its_references_resolve() {
    let schema = schema_with(OPTIONS);
    assert_eq!(schema["$id"], "https://tungsten.dev/schemas/tungsten-v1.json");
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["additionalProperties"], false);
    let defs = schema["$defs"].as_object().expect("definitions");
    for (name, definition) in defs {
        assert_eq!(definition.get("additionalProperties").is_none(), name == "Target", "{name} is closed");
        assert!(definition["description"].as_str().is_some_and(|text| !text.is_empty()), "{name} is described");
    }
    for reference in validator::references(&schema) {
        let name = reference.strip_prefix("#/$defs/").expect("references stay inside");
        assert!(defs.contains_key(name), "{name} is defined");
    }
    assert_eq!(schema_with(OPTIONS).to_string(), schema.to_string());
}

#[test]
fn a_damaged_manifest_is_reported_and_nothing_else() {
    for index in (0..EXAMPLE.len()).step_by(4) {
        // Cut short, one character lost, and one replaced by a character with a meaning.
        for text in [
            EXAMPLE[..index].to_owned(),
            format!("{}{}", &EXAMPLE[..index], &EXAMPLE[index + 1..]),
            format!(
                "{}{}{}",
                &EXAMPLE[..index],
                [":", "{", "]", "*", "&", "\t", "7"][index % 7],
                &EXAMPLE[index + 1..]
            ),
        ] {
            let run = run(&text);
            assert_eq!(run.manifest.is_none(), run.errors() > 0, "{text}\n{:#?}", run.lines());
        }
    }
}

#[test]
fn the_reference_page_has_each_key_once() {
    let page = reference_markdown(OPTIONS);
    for line in [
        "# tungsten.yml",
        "## `inputs[]`",
        "## `resources.<namespace>.<resource>`",
        "## `auth_profiles.<name>.composite[].header`",
        "| `tungsten` | 1 | required | Version of the manifest's format. |",
        "| `prune_unreferenced` | boolean | `true` | Whether types that no operation reaches are left out. |",
        "| `break_cycles` | list of: property: `Type.field` | `[]` | Properties at which a circle of types is cut: `Type.field`. |",
        "| `cli.bin` | string | `<api>` | Name of the program. |",
        "| `children` | map of resource to: object, as `resources.<namespace>.<resource>` | `{}` | Resources below this one. |",
        "| `rust` | yes |",
        "| `docs` | no |",
    ] {
        assert_eq!(page.lines().filter(|found| *found == line).count(), 1, "{line}\n{page}");
    }
    assert!(page.contains("\n| `include` | object, as `inputs[].include` | every operation |"), "{page}");
}

/// Objects are counted where they are defined for the schema, which walks the tables by itself.
#[test]
fn the_reference_pages_have_a_section_for_each_object() {
    for (page, schema) in [(reference_markdown(&[]), schema()), (agent_reference_markdown(), agent_schema())] {
        let defs = schema["$defs"].as_object().expect("definitions");
        assert_eq!(page.matches("\n## `").count(), defs.len(), "{page}");
        for (name, definition) in defs {
            let description = definition["description"].as_str().expect("every object is described");
            let keys = definition["properties"].as_object().expect("an object has properties").keys();
            let section = |text: &str| {
                text.contains(&format!("\n\n{description}\n"))
                    && keys.clone().all(|key| text.contains(&format!("\n| `{key}` |")))
            };
            assert!(page.split("\n## `").any(section), "no section for {name}\n{page}");
        }
    }
}

#[test]
fn keys_without_effect_are_reported() {
    let run = run(&format!("{HEAD}targets: {{ go: {{ out: go, external: true, timeout_ms: 5 }} }}\n"));
    assert_eq!(run.errors(), 0);
    assert_eq!(
        run.found.iter().map(|found| found.message.as_str()).collect::<Vec<_>>(),
        [
            "`targets.go.external` is not applied by this version",
            "`targets.go.timeout_ms` is not applied by this version"
        ]
    );
    assert!(run.found.iter().all(|found| found.code == Code::TG0615 && found.severity == Severity::Warning));
}

/// The manifest of the documentation.
const EXAMPLE: &str = r#"tungsten: 1
api:
  name: acme
  title: Acme
inputs:                                   # several documents, each a namespace
  - namespace: public
    spec: ../acme/protocol/v1/openapi/public-v1.json
    include: { extension: x-implemented, equals: true }
    planned_from: { extension: x-implemented, equals: false }
  - namespace: sealed
    spec: ../acme/protocol/v1/openapi/sealed-v1.json
  - namespace: workflow
    spec: ../acme/protocol/v1/openapi/workflow-tools-v1.json
    rpc_unflatten:
      path: /v1/workflow/tools
      method: post
      discriminator: method
      params: params
      name_strip_prefix: "workflow."
overlays: []                                # OpenAPI Overlay 1.0 files, applied in order
servers:
  default: https://api.example.test     # placeholder
  allow_override: true
resources:                                  # optional overrides of the inferred tree
  public:
    webhooks:
      path: /v1/webhooks
      children:
        deliveries: { path: "/v1/webhooks/{endpoint_id}/deliveries" }
    devices: { path: /v1/enrollment/devices }
    owner_messages: { path: /v1/owner/messages }
    alpha_messages: { path: /v1/alpha/messages }
naming:
  operations:
    public.listWebhookEndpoints: list
    public.createWebhookEndpoint: create
    public.replayWebhookDelivery: replay
  fields: { preserve_wire_names_in_ts: false }
auth_profiles:
  ownerSession:                             # Composite scheme
    composite:
      - cookie: __Host-acme_session
      - cookie: __Host-acme_csrf
      - header: { name: x-acme-csrf, equals_cookie: __Host-acme_csrf }
      - header: { name: Origin, from_config: origin, when: mutation }
    satisfies: [ownerSession, ownerCsrf]    # the spec's requirement pair
  bearerAuth: { bearer: { env: ACME_API_KEY } }
  workflowCredential: { bearer: { env: ACME_WORKFLOW_TOKEN, prefix: "ztw_" } }
pagination:                                 # explicit overrides; otherwise inferred
  public.listOwnerMessages: { cursor: { param: before, field: next_cursor, items: messages } }
targets:
  typescript: { package: "@acme/sdk", out: generated/typescript, runtime: "^0.1" }
  python:     { package: acme_sdk, out: generated/python, models: pydantic }
  rust:       { crate: acme-sdk, out: generated/rust, cli: { bin: acme } }
  mcp:        { package: "@acme/mcp", out: generated/mcp }
  docs:       { out: generated/docs }
  mock:       { out: generated/mock }
"#;
