//! The reader, the schema and the reference page of `agent.yml`, seen from outside, like `tungsten.yml` beside it.

use std::sync::Arc;

use base::{Diags, Severity, Source, Sources};
use tungsten_manifest::{
    AgentManifest, Condition, Raw, Term, Test, agent_reference_markdown, agent_schema, read_agent_source,
};

use crate::validator;

struct Run {
    manifest: Option<AgentManifest>,
    /// `code line:column pointer message`, one a finding.
    lines: Vec<String>,
    n_errors: usize,
}

fn run(text: &str) -> Run {
    let mut sources = Sources::new();
    let source = Arc::new(Source::from_bytes("agent.yml", text));
    let id = sources.push(Arc::clone(&source));
    let mut diags = Diags::new();
    let manifest = read_agent_source(Arc::clone(&source), id, &mut diags);
    let found = diags.finish(&sources);
    let line = |d: &base::Diagnostic| {
        let (line, column) = source.line_column(d.place.range.map_or(0, |range| range.0));
        format!("{} {line}:{column} {} {}", d.code, d.place.pointer, d.message)
    };
    let n_errors = found.iter().filter(|d| d.severity == Severity::Error).count();
    Run { manifest, lines: found.iter().map(line).collect(), n_errors }
}

#[track_caller]
fn good(text: &str) -> AgentManifest {
    let run = run(text);
    assert_eq!(run.n_errors, 0, "{text}\n{:#?}", run.lines);
    let faults = validator::faults(&agent_schema(), &validator::parse(text));
    assert_eq!(faults, Vec::<String>::new(), "the schema refuses what the reader reads:\n{text}");
    run.manifest.expect("a manifest without errors is there")
}

/// One error; whether the schema refuses the text too.
#[track_caller]
fn bad(text: &str, expect: &str, in_schema: bool) {
    let text = format!("agent: 1\n{text}\n");
    let run = run(&text);
    assert!(run.manifest.is_none(), "{text}");
    assert_eq!(run.lines, [expect], "{text}");
    let faults = validator::faults(&agent_schema(), &validator::parse(&text));
    assert_eq!(!faults.is_empty(), in_schema, "{text}\n{faults:?}");
}

const EVERYTHING: &str = "\
agent: 1
defaults:
  safety: { get: read_only, put: mutating, post: mutating, delete: irreversible, options: read_only, head: read_only,
            patch: destructive, trace: read_only }
  idempotency: auto
  preview: local
  unknown_outcome: { on_timeout: unknown, on_connection_reset: fail, on_ambiguous_status: unknown }
  retries:
    read_only: { max: 3, backoff: { base_ms: 100, max_ms: 1000, jitter: equal } }
    mutating: { max: 0 }
    honor_retry_after: false
  disclosure: { mode: auto, threshold: 24, list_budget_tokens: 100, description_budget_tokens: 10, schema_budget_tokens: 50 }
tools:
  - operation: bakery.placeOrder
    safety: irreversible
    idempotency: { policy: caller_owned, header: X-Key, format: uuid_v4, persist: required, note: Keep it. }
    preview: { mode: header, header: X-Try, value: \"1\" }
    confirmation: { summary_fields: [cake.size], message: \"Bake {cake.size}?\" }
    verify:
      operation: bakery.getOrder
      args: { id: $response.id, kind: order }
      expect: { state: { in: [queued, baked] }, paid: true }
      terminal: { state: baked, cake: { contains: { size: 3 } } }
      poll: { interval_ms: 100, budget_ms: 5000 }
    remediation: { oven_full: { text: Wait., retryable: same_key_only, category: CONFLICT, next_action: getOrder } }
    remediation_note: The oven is slow.
    response: { sensitive_fields: [pickup_code], shown_once: true }
    gate: OVEN_ENABLED
    cluster: orders
    hidden: true
    server_rules:
      - { field: callback, reject_host_suffixes: [.test], status: 422, code: bad_host, message: No. }
      - { field: at, max_ahead_minutes: 15 }
errors:
  envelope: { schema: Error, code_field: error.code, message_field: error.message }
  ambiguous_statuses: [408, 503]
  non_json: [{ status: 413, media: text/plain, category: REQUEST_TOO_LARGE, retryable: never, text: Too much. }]
  codes: { oven_full: { category: CONFLICT, status: 409 } }
gates: { OVEN_ENABLED: { text: The oven is off., disabled_status: 404, default_on: true } }
macros:
  - name: bakery.orderAndWait
    summary: Orders and waits.
    safety: irreversible
    input: { extends: bakery.placeOrder, add: { wait_ms: { type: integer } } }
    steps:
      - { call: bakery.placeOrder, args: $input, as: order }
      - { poll: bakery.getOrder, args: { id: $order.id }, until: { state: baked }, interval_ms: 500, budget_ms: $input.wait_ms, as: done }
      - { paginate: bakery.listOrders, max_pages: 3, as: all }
    output: { id: $order.id, ok: { expr: \"$done.state == 'baked'\" }, list: [$all, 1] }
    response: { sensitive_fields: [code], shown_once: false }
disclosure:
  clusters: [{ name: orders, summary: Cakes., operations: [bakery.orders.*] }]
  prune: { descriptions: { max_sentences: 2, drop_phrases: [Internal] }, drop_fields: [note], keep_examples: true }
";

#[test]
fn every_key_is_read() {
    let manifest = good(EVERYTHING);
    let tool = &manifest.tools[0];
    assert_eq!(tool.safety.as_deref(), Some("irreversible"));
    let key = tool.idempotency.as_ref().expect("a policy");
    assert_eq!(
        (&*key.0.policy, key.0.header.as_deref(), key.0.format.as_deref()),
        ("caller_owned", Some("X-Key"), Some("uuid_v4"))
    );
    let verify = tool.verify.as_ref().expect("a hook");
    let conditions = &verify.expect.as_ref().expect("a predicate").conditions;
    assert!(matches!(&conditions[0].1, Condition::In(values) if values.len() == 2));
    assert_eq!(conditions[1].1, Condition::Equals(Raw::Bool(true)));
    let output = &manifest.macros[0].output;
    let roots: Vec<&str> = output.references().iter().map(|reference| reference.root.as_str()).collect();
    assert_eq!(roots, ["order", "done", "all"]);
    let Term::Object(members) = &output.term else { panic!("an object") };
    assert!(
        matches!(&members[1].term, Term::Comparison(one) if one.test == Test::Equals(Raw::Text("baked".to_owned())))
    );
    assert_eq!(run(EVERYTHING).lines, [""; 0]);
}

#[test]
fn absent_keys_have_their_defaults() {
    let manifest = good("agent: 1\nmacros: [{ name: a.b, summary: s, steps: [{ call: a.c }], output: 1 }]\n");
    assert!(manifest.tools.is_empty() && manifest.defaults.idempotency.is_none());
    assert!(manifest.defaults.retries.honor_retry_after);
    assert_eq!(manifest.defaults.disclosure.list_budget_tokens.0, 10_000);
    assert!(manifest.macros[0].steps[0].r#as.is_none());
}

#[test]
fn every_key_refuses_what_it_is_not() {
    bad("tool: []", "TG0602 2:1 /tool unknown key `tool` in the manifest", true);
    bad(
        "defaults: { safety: { get: safe } }",
        "TG0602 2:28 /defaults/safety/get `defaults.safety.get` must be a safety tier, but is `safe`",
        true,
    );
    bad(
        "defaults: { idempotency: sometimes }",
        "TG0602 2:26 /defaults/idempotency `defaults.idempotency` must be an idempotency policy, but is `sometimes`",
        true,
    );
    bad(
        "defaults: { retries: { read_only: { max: 11 } } }",
        "TG0602 2:42 /defaults/retries/read_only/max `defaults.retries.read_only.max` must be a whole number from 0 to 10, but is the number `11`",
        true,
    );
    bad("tools: [{ safety: mutating }]", "TG0602 2:9 /tools/0 `tools[0]` lacks the required key `operation`", true);
    bad(
        "gates: { 1A: { text: x } }",
        "TG0602 2:10 /gates/1A key `1A` of `gates` must be the name of an environment variable: letters, digits and `_`, no digit first",
        true,
    );
    bad(
        "macros: [{ name: b, summary: s, steps: [{ call: a.c }], output: 1 }]",
        "TG0602 2:18 /macros/0/name `macros[0].name` must be a macro's name: `namespace.name`, but is `b`",
        true,
    );
    bad(
        "errors: { non_json: [{ status: 413, media: text, category: CONFLICT }] }",
        "TG0602 2:44 /errors/non_json/0/media `errors.non_json[0].media` must be a media type, or `none`, but is `text`",
        true,
    );
}

#[test]
fn rules_between_keys_are_checked() {
    bad(
        "defaults: { idempotency: { policy: none, header: A } }",
        "TG0602 2:50 /defaults/idempotency/header `header` means nothing under the policy `none`",
        false,
    );
    bad(
        "defaults: { idempotency: { policy: auto, format: uuid } }",
        "TG0602 2:50 /defaults/idempotency/format `format` means nothing under the policy `auto`",
        false,
    );
    bad(
        "defaults: { idempotency: { policy: auto, persist: required } }",
        "TG0602 2:51 /defaults/idempotency/persist `persist: required` means nothing under the policy `auto`",
        false,
    );
    bad(
        "defaults: { preview: { mode: header, header: A } }",
        "TG0602 2:22 /defaults/preview the preview mode `header` needs the key `value`",
        false,
    );
    bad(
        "defaults: { preview: { mode: endpoint, operation: a.b } }",
        "TG0602 2:30 /defaults/preview/mode the preview mode `endpoint` is for single operations, not for the defaults",
        false,
    );
    bad(
        "defaults: { retries: { mutating: { max: 1, backoff: { base_ms: 9, max_ms: 5 } } } }",
        "TG0602 2:53 /defaults/retries/mutating/backoff `base_ms` is 9 and more than `max_ms`, 5",
        false,
    );
    bad(
        "tools: [{ operation: a.b }, { operation: a.b }]",
        "TG0602 2:42 /tools/1/operation two entries are about `a.b`",
        false,
    );
    bad(
        "tools: [{ operation: a.b, verify: { operation: a.c, args: { x: $input.y } } }]",
        "TG0602 2:64 /tools/0/verify/args/x `$input` is nothing that a verification knows",
        false,
    );
    bad(
        "tools: [{ operation: a.b, verify: { operation: a.c, expect: { x: { is: 1 } } } }]",
        "TG0602 2:66 /tools/0/verify/expect/x `tools[0].verify.expect.x` must have exactly one of the keys `in`, `equals`, `contains`",
        false,
    );
    bad(
        "tools: [{ operation: a.b, verify: { operation: a.c, poll: { interval_ms: 100 } } }]",
        "TG0602 2:53 /tools/0/verify/poll `poll` of `tools[0].verify` means nothing without `terminal`",
        true,
    );
    bad(
        "tools: [{ operation: a.b, remediation: { x: {} } }]",
        "TG0602 2:42 /tools/0/remediation/x the entry for `x` says nothing",
        false,
    );
    bad(
        "tools: [{ operation: a.b, server_rules: [{ field: x }] }]",
        "TG0602 2:42 /tools/0/server_rules/0 `tools[0].server_rules[0]` needs one of the keys `reject_host_suffixes`, `max_ahead_minutes`",
        true,
    );
    let steps = |steps: &str, output: &str| {
        format!("macros: [{{ name: a.m, summary: s, steps: [{steps}], output: {output} }}]")
    };
    bad(
        &steps("{ call: a.b, until: { x: 1 } }", "1"),
        "TG0602 2:43 /macros/0/steps/0 `until` means nothing in a `call` step",
        false,
    );
    bad(&steps("{ poll: a.b }", "1"), "TG0602 2:43 /macros/0/steps/0 a `poll` step needs the key `until`", false);
    bad(
        &steps("{ call: a.b, as: x }, { call: a.c, as: x }", "1"),
        "TG0602 2:82 /macros/0/steps/1/as two steps are named `x`",
        false,
    );
    bad(
        &steps("{ call: a.b, args: $x }, { call: a.c, as: x }", "1"),
        "TG0602 2:62 /macros/0/steps/0/args `$x` names neither the input nor an earlier step",
        false,
    );
    bad(
        &steps("{ call: a.b, as: x }", "{ y: $z.q }"),
        "TG0602 2:79 /macros/0/output/y `$z` names neither the input nor an earlier step",
        false,
    );
    bad(&steps("{ call: a.b }", "$1"), "TG0602 2:67 /macros/0/output `$1` is no reference", false);
    bad(
        &steps("{ call: a.b }", "{ expr: $input }"),
        "TG0602 2:75 /macros/0/output/expr `macros[0].output.expr` must be `<reference> in [..]`, `<reference> == <value>` or `<reference> != <value>`",
        false,
    );
    let deep = format!("{}1{}", "[".repeat(66), "]".repeat(66));
    let run = run(&format!("agent: 1\n{}\n", steps("{ call: a.b }", &deep)));
    assert!(run.lines.iter().any(|line| line.contains("nests more than 64")), "{:#?}", run.lines);
}

#[test]
fn an_empty_manifest_says_what_it_needs() {
    for text in ["", "# nothing\n", "---\n", "null\n"] {
        let run = run(text);
        assert_eq!(run.lines.len(), 1, "{text:?}");
        assert!(run.lines[0].contains("the manifest is empty"), "{:?}", run.lines);
    }
}

#[test]
fn the_reference_page_has_each_key_once() {
    let page = agent_reference_markdown();
    for heading in ["`defaults.retries.read_only`", "`tools[].verify`", "`macros[].steps[]`", "`gates.<variable>`"] {
        assert_eq!(page.matches(&format!("\n## {heading}\n")).count(), 1, "{heading}\n{page}");
    }
    assert!(page.contains("| `as` | step's name: letters, digits and `_`, no digit first |"), "{page}");
}
