//! Agent manifests and `x-agent-*` extensions, from files to the IR's JSON form and to findings with their lines.

use serde_json::{Value, json};
use tungsten_project::{Compilation, compile};

const MANIFEST: &str = "tungsten: 1\napi: { name: bakery }\ninputs: [{ namespace: public, spec: openapi.yaml }]\n";

const API: &str = r##"openapi: 3.1.0
info: { title: Bakery, version: 1.0.0 }
paths:
  /orders:
    get:
      operationId: listOrders
      summary: Lists orders
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        "200": { description: Orders, content: { application/json: { schema: { $ref: "#/components/schemas/Orders" } } } }
    post:
      operationId: placeOrder
      summary: Places an order
      description: Internal note. The oven starts at once. There is no way back. More words.
      parameters:
        - { name: Idempotency-Key, in: header, required: true, schema: { type: string, format: uuid } }
        - { name: X-Once, in: header, schema: { type: string } }
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Cake" } } }
      responses:
        "201": { description: Placed, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
        "409": { description: The code is oven_full., content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } } }
  /orders/{order_id}:
    parameters: [{ name: order_id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getOrder
      responses:
        "200": { description: An order, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
    patch: { operationId: mendOrder, responses: { "204": { description: Mended } } }
    delete: { operationId: dropOrder, responses: { "204": { description: Gone } } }
components:
  schemas:
    Cake:
      type: object
      required: [size]
      properties: { size: { type: integer }, owner: { type: object, properties: { name: { type: string } } }, at: { type: string } }
    Order:
      type: object
      required: [id, state]
      properties:
        id: { type: string }
        state: { enum: [queued, baked, lost] }
        codes: { type: array, items: { type: object, properties: { pickup: { type: string } } } }
        n: { type: integer }
    Orders:
      type: object
      required: [items]
      properties: { items: { type: array, items: { $ref: "#/components/schemas/Order" } }, next_cursor: { type: [string, "null"] } }
    Error: { type: object, required: [code], properties: { code: { enum: [oven_full, closed] }, message: { type: string } } }
    Fault: { type: object, properties: { error: { type: object, properties: { reason: { type: string } } } } }
"##;

fn compiled_api(api: &str, agent: &str) -> Compilation {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [("tungsten.yml", MANIFEST), ("openapi.yaml", api), ("agent.yml", agent)] {
        if !text.is_empty() {
            std::fs::write(dir.path().join(name), text).expect("writable");
        }
    }
    compile(dir.path()).expect("the world is in order")
}

fn compiled(agent: &str) -> Compilation {
    compiled_api(API, &format!("agent: 1\n{agent}"))
}

/// Warnings and errors as `code line:column message`.
fn lines(compilation: &Compilation) -> Vec<String> {
    let mut lines = Vec::new();
    for finding in compilation.diagnostics.iter().filter(|one| one.severity != base::Severity::Info) {
        let source = compilation.sources.get(finding.place.source.expect("a finding has a source"));
        let (line, column) = source.line_column(finding.place.range.expect("a finding has a place").0);
        let file = source.name();
        lines.push(format!("{} {file}:{line}:{column} {}", finding.code, finding.message));
    }
    lines
}

#[track_caller]
fn check(agent: &str, expect: &[&str]) -> Compilation {
    let compilation = compiled(agent);
    assert_eq!(lines(&compilation), expect, "{agent}");
    compilation
}

fn dump(compilation: &Compilation) -> Value {
    let text = compilation.dump(false).expect("no error was found");
    serde_json::from_str(&text).expect("the dump is JSON")
}

/// An operation of the dump.
fn op(dump: &Value, id: &str) -> Value {
    let mut pending: Vec<&Value> = dump["namespaces"][0]["resources"].as_array().expect("a list").iter().collect();
    while let Some(resource) = pending.pop() {
        let ops = resource["operations"].as_array().expect("a list");
        if let Some(op) = ops.iter().find(|op| op["id"] == id) {
            return op.clone();
        }
        pending.extend(resource["children"].as_array().expect("a list"));
    }
    panic!("{id} is an operation")
}

const EVERYTHING: &str = r#"
defaults:
  safety: { patch: destructive }
  idempotency: { policy: auto, note: Any key will do. }
  preview: { mode: header, header: X-Try, value: "1" }
  unknown_outcome: { on_timeout: fail }
  retries: { read_only: { max: 5, backoff: { base_ms: 100, max_ms: 1000, jitter: equal } }, honor_retry_after: false }
  disclosure: { mode: progressive, description_budget_tokens: 20 }
tools:
  - operation: public.placeOrder
    safety: irreversible
    preview: local
    confirmation: { summary_fields: [size, owner.name], message: "Bake {size} cm for {owner.name}? {} {" }
    verify:
      operation: public.getOrder
      args: { order_id: $response.id }
      expect: { state: { in: [queued, baked] } }
      terminal: { state: baked, codes: { contains: { pickup: x } } }
      poll: { interval_ms: 500, budget_ms: 5000 }
    remediation: { oven_full: { text: Wait., retryable: same_key_only, category: CONFLICT, next_action: getOrder } }
    remediation_note: The oven is slow.
    response: { sensitive_fields: [codes.pickup], shown_once: true }
    gate: OVEN_ENABLED
    cluster: baking
    server_rules:
      - { field: owner.name, reject_host_suffixes: [.test], status: 422, code: bad_host, message: No. }
      - { field: at, max_ahead_minutes: 15 }
  - { operation: public.orders.list, hidden: true }
errors:
  envelope: { schema: Error, code_field: code, message_field: message }
  ambiguous_statuses: [503, 408, 503]
  non_json: [{ status: 413, media: text/plain, category: REQUEST_TOO_LARGE }, { status: 400, media: none, category: MALFORMED_REQUEST, text: Bad. }]
  codes: { closed: { category: PRECONDITION_FAILED, status: 409 } }
gates: { OVEN_ENABLED: { text: The oven is off., disabled_status: 503, default_on: true } }
macros:
  - name: public.orderAndWait
    summary: Orders and waits.
    input: { extends: public.placeOrder, add: { wait_ms: { type: integer, default: 5000 } } }
    steps:
      - { call: public.placeOrder, args: { size: $input.size }, as: order }
      - { poll: public.getOrder, args: { order_id: $order.id }, until: { state: { in: [baked, lost] } }, budget_ms: $input.wait_ms, as: done }
      - { paginate: public.listOrders, max_pages: 3, as: all }
    output: { id: $order.id, lost: { expr: "$done.state == 'lost'" }, all: $all, first: $all.0.id }
    response: { sensitive_fields: [id], shown_once: true }
disclosure:
  clusters:
    - { name: orders, summary: All about orders., operations: [public.orders.*, public.orderAndWait] }
    - { name: rest, operations: [public.*] }
  prune: { descriptions: { max_sentences: 3, drop_phrases: [Internal] } }
"#;

#[test]
fn every_key_reaches_the_ir() {
    let dump = dump(&check(EVERYTHING, &[]));
    let place = op(&dump, "public.placeOrder");
    assert_eq!(
        place["agent"],
        json!({
            "safety": "irreversible",
            "idempotency": {
                "policy": "caller_owned", "header": "Idempotency-Key", "format": "uuid", "persist_required": true
            },
            "preview": {"mode": "local"},
            "confirmation": {
                "summary_fields": ["size", "owner.name"],
                "message": "Bake {size} cm for {owner.name}? {} {",
                "message_parts": [
                    {"kind": "text", "value": "Bake "}, {"kind": "field", "value": "size"},
                    {"kind": "text", "value": " cm for "}, {"kind": "field", "value": "owner.name"},
                    {"kind": "text", "value": "? {} {"}
                ]
            },
            "verify": {
                "operation": "public.getOrder", "args": {"order_id": "$response.id"},
                "expect": {"state": {"in": ["queued", "baked"]}},
                "terminal": {"state": {"equals": "baked"}, "codes": {"contains": {"pickup": "x"}}},
                "poll_interval_ms": 500, "poll_budget_ms": 5000
            },
            "remediation": {"oven_full": {
                "category": "CONFLICT", "text": "Wait.", "retryable": "same_key_only", "next_action": "getOrder"
            }},
            "remediation_note": "The oven is slow.",
            "sensitive_response_fields": ["codes.pickup"],
            "shown_once": true,
            "compact_doc": "Places an order. The oven starts at once. There is no way back.",
            "cluster": "baking",
            "hidden": false,
            "server_rules": [
                {
                    "field": "owner.name", "check": {"kind": "host_suffixes", "suffixes": [".test"]}, "status": 422,
                    "code": "bad_host", "message": "No."
                },
                {"field": "at", "check": {"kind": "max_ahead_minutes", "minutes": 15}, "status": 400}
            ]
        })
    );
    let gate =
        json!({"kind": "gated", "gate": {"env_var": "OVEN_ENABLED", "default_on": true, "disabled_status": 503}});
    assert_eq!(place["status"], gate);
    let list = op(&dump, "public.listOrders");
    assert_eq!((&list["agent"]["hidden"], &list["agent"]["preview"]["mode"]), (&json!(true), &json!("none")));
    assert_eq!(list["agent"]["cluster"], "orders");
    let mend = op(&dump, "public.mendOrder");
    assert_eq!(mend["agent"]["safety"], "destructive");
    let auto = json!({"policy": "auto", "persist_required": false, "note": "Any key will do."});
    assert_eq!(mend["agent"]["idempotency"], auto);
    assert_eq!(mend["agent"]["preview"], json!({"mode": "header", "header": "X-Try", "value": "1"}));
}

#[test]
fn the_model_of_the_api_is_whole() {
    let dump = dump(&check(EVERYTHING, &[]));
    let model = &dump["agent"];
    let step = |index: usize| model["macros"][0]["steps"][index].clone();
    assert_eq!(
        step(0),
        json!({
            "kind": "call", "operation": "public.placeOrder", "args": {"size": "$input.size"}, "as": "order",
            "until": null, "interval_ms": null, "budget_ms": null, "max_pages": null
        })
    );
    assert_eq!(
        step(1),
        json!({
            "kind": "poll", "operation": "public.getOrder", "args": {"order_id": "$order.id"}, "as": "done",
            "until": {"state": {"in": ["baked", "lost"]}}, "interval_ms": null, "budget_ms": "$input.wait_ms",
            "max_pages": null
        })
    );
    assert_eq!((&step(2)["kind"], &step(2)["max_pages"]), (&json!("paginate"), &json!(3)));
    let one = &model["macros"][0];
    assert_eq!((&one["name"], &one["safety"]), (&json!("public.orderAndWait"), &json!("irreversible")));
    let output =
        json!({"id": "$order.id", "lost": {"expr": "$done.state == \"lost\""}, "all": "$all", "first": "$all.0.id"});
    assert_eq!(one["output"], output);
    let input = json!({"extends": "public.placeOrder", "add": {"wait_ms": {"type": "integer", "default": 5000}}});
    assert_eq!((&one["input"], &one["cluster"]), (&input, &json!("orders")));
    assert_eq!((&one["sensitive_response_fields"], &one["shown_once"]), (&json!(["id"]), &json!(true)));
    let clusters = json!([
        {"name": "orders", "summary": "All about orders.", "operations": [
            "public.dropOrder", "public.getOrder", "public.listOrders", "public.mendOrder", "public.orderAndWait"
        ]},
        {"name": "rest", "operations": []},
        {"name": "baking", "operations": ["public.placeOrder"]}
    ]);
    assert_eq!(model["clusters"], clusters);
    assert_eq!(model["gates"], json!({"OVEN_ENABLED": "The oven is off."}));
    assert_eq!(model["error_codes"], json!({"closed": {"category": "PRECONDITION_FAILED", "status": 409}}));
    assert_eq!(model["ambiguous_statuses"], json!([408, 503]));
    assert_eq!(model["non_json"][1]["media"], "none");
    let rule = json!({"max": 5, "base_ms": 100, "max_ms": 1000, "jitter": "equal"});
    assert_eq!((&model["retries"]["read_only"], &model["retries"]["mutating"]["max"]), (&rule, &json!(0)));
    assert_eq!(model["unknown_outcome"]["on_timeout"], "fail");
    assert_eq!(model["disclosure"]["mode"], "progressive");
    let errors = json!({
        "envelope": "public.Error", "code_field": "code", "message_field": "message",
        "codes": [{"code": "oven_full", "statuses": [409]}, {"code": "closed", "statuses": []}]
    });
    assert_eq!(dump["errors"], errors);
}

#[test]
fn a_manifest_wins_over_extensions_and_these_over_what_is_implied() {
    let api = API.replace(
        "      operationId: placeOrder\n",
        "      operationId: placeOrder\n      x-agent-safety: irreversible\n      x-agent-idempotency: { policy: caller_owned, header: X-Once }\n      x-agent-cluster: ovens\n      x-agent-remediation: { oven_full: { text: Later. }, closed: { text: Tomorrow. } }\n      x-agent-verify: { operation: public.listOrders }\n",
    );
    let plain = dump(&compiled_api(&api, ""));
    let place = &op(&plain, "public.placeOrder")["agent"];
    assert_eq!((&place["safety"], &place["cluster"]), (&json!("irreversible"), &json!("ovens")));
    assert_eq!(place["idempotency"], json!({"policy": "caller_owned", "header": "X-Once", "persist_required": false}));
    assert_eq!(place["verify"]["operation"], "public.listOrders");
    assert_eq!(place["remediation"]["closed"], json!({"text": "Tomorrow."}));
    // Another header carries the key, so the description's own is the caller's to give.
    let roles: Vec<Value> = op(&plain, "public.placeOrder")["params"]["header"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|param| param["role"].clone())
        .collect();
    assert_eq!(roles, ["plain", "idempotency_key"]);

    let agent = "agent: 1\ntools:\n  - { operation: public.placeOrder, safety: mutating, cluster: cakes, remediation: { oven_full: { text: Wait. } } }\n";
    let compilation = compiled_api(&api, agent);
    assert_eq!(lines(&compilation), [""; 0]);
    let place = &op(&dump(&compilation), "public.placeOrder")["agent"];
    assert_eq!((&place["safety"], &place["cluster"]), (&json!("mutating"), &json!("cakes")));
    assert_eq!(place["idempotency"]["header"], "X-Once");
    let both = json!({"oven_full": {"text": "Wait."}, "closed": {"text": "Tomorrow."}});
    assert_eq!(place["remediation"], both);
}

#[test]
fn tiers_and_policies_have_their_precedence() {
    let with = |tools: &str| {
        let agent = format!(
            "defaults: {{ safety: {{ get: mutating, delete: irreversible }}, idempotency: content_hash }}\ntools: [{tools}]\n"
        );
        compiled(&agent)
    };
    let of = |compilation: &Compilation, id: &str| {
        let agent = op(&dump(compilation), id)["agent"].clone();
        (agent["safety"].clone(), agent["idempotency"]["policy"].clone(), agent["idempotency"]["header"].clone())
    };
    let plain = with("");
    assert_eq!(of(&plain, "public.listOrders"), (json!("mutating"), json!("content_hash"), Value::Null));
    let key = json!("Idempotency-Key");
    assert_eq!(of(&plain, "public.placeOrder"), (json!("mutating"), json!("caller_owned"), key));
    assert_eq!(of(&plain, "public.dropOrder"), (json!("irreversible"), json!("content_hash"), Value::Null));
    let stated = with(
        "{ operation: public.listOrders, safety: read_only }, { operation: public.orders.create, idempotency: { policy: auto, header: x-once } }, { operation: public.dropOrder, safety: mutating, idempotency: none }, { operation: public.dorpOrder }, { operation: public.placeOrder, safety: destructive }",
    );
    assert_eq!(of(&stated, "public.listOrders"), (json!("read_only"), json!("none"), Value::Null));
    assert_eq!(of(&stated, "public.placeOrder"), (json!("mutating"), json!("auto"), json!("x-once")));
    assert_eq!(of(&stated, "public.dropOrder"), (json!("mutating"), json!("none"), Value::Null));
    assert_eq!(
        lines(&stated),
        [
            "TG0603 agent.yml:3:229 no operation is `public.dorpOrder`",
            "TG0603 agent.yml:3:262 two entries are about the operation `public.placeOrder`",
        ]
    );
}

#[test]
fn hooks_and_previews_need_operations_that_serve() {
    let tool = |rest: &str| format!("tools:\n  - operation: public.placeOrder\n    {rest}\n");
    check(
        &tool("verify: { operation: public.mendOrder, args: { order_id: $response.id } }"),
        &["TG0605 agent.yml:4:26 `public.mendOrder` is not `read_only`, so it cannot verify a call"],
    );
    check(
        &tool("verify: { operation: public.getOrder, args: { order: $response.id } }"),
        &[
            "TG0605 agent.yml:4:49 `public.getOrder` cannot be called without `order_id`",
            "TG0607 agent.yml:4:51 `public.getOrder` has no argument `order`",
        ],
    );
    check(
        &tool("verify: { operation: public.getOrder, args: { order_id: $response.n } }"),
        &["TG0605 agent.yml:4:51 `order_id` of `public.getOrder` is text, but gets a number"],
    );
    check(
        &tool(
            "verify: { operation: public.listOrders, args: { cursor: $response.nr }, expect: { items.0.stat: baked, items.0.state: { in: [bakd] } } }",
        ),
        &[
            "TG0607 agent.yml:4:61 `$response` has no `nr`",
            "TG0607 agent.yml:4:87 the answer of `public.listOrders` has no `stat` in `items.0.stat`",
            "TG0607 agent.yml:4:108 `items.0.state` of the answer of `public.listOrders` is never `bakd`",
        ],
    );
    // References of the hook stand for what they lead to.
    check(
        &tool("verify: { operation: public.listOrders, expect: { items.0.state: { in: [$response.id, $args.nr] } } }"),
        &["TG0607 agent.yml:4:55 `$args` has no `nr`"],
    );
    check(
        &tool("verify: { operation: public.lookOrder }"),
        &["TG0603 agent.yml:4:26 no operation is `public.lookOrder`"],
    );
    check(
        &tool("preview: { mode: endpoint, operation: public.placeOrder }"),
        &["TG0605 agent.yml:4:43 `public.placeOrder` cannot preview itself by being called"],
    );
    let compilation = check(&tool("preview: { mode: endpoint, operation: public.mendOrder }"), &[]);
    let preview = json!({"mode": "endpoint", "operation": "public.mendOrder"});
    assert_eq!(op(&dump(&compilation), "public.placeOrder")["agent"]["preview"], preview);
}

#[test]
fn fields_that_are_not_there_are_reported() {
    let compilation = check(
        "tools:\n  - operation: public.placeOrder\n    confirmation: { summary_fields: [sise, size], message: \"For {owner.nam} and {when}\" }\n    response: { sensitive_fields: [codes.pin] }\n    server_rules: [{ field: until, max_ahead_minutes: 5 }]\n",
        &[
            "TG0607 agent.yml:4:60 the call of `public.placeOrder` has no `nam` in `owner.nam`",
            "TG0607 agent.yml:4:60 the call of `public.placeOrder` has no `when`",
            "TG0607 agent.yml:4:38 the call of `public.placeOrder` has no `sise`",
            "TG0607 agent.yml:5:36 the answer of `public.placeOrder` has no `pin` in `codes.pin`",
            "TG0607 agent.yml:6:29 the body of `public.placeOrder` has no `until`",
        ],
    );
    let place = &op(&dump(&compilation), "public.placeOrder")["agent"];
    assert_eq!(place["confirmation"]["summary_fields"], json!(["size"]));
    let parts = json!([{"kind": "text", "value": "For {owner.nam} and {when}"}]);
    assert_eq!(place["confirmation"]["message_parts"], parts);
    assert_eq!(place["sensitive_response_fields"], json!(["codes.pin"]));
}

#[test]
fn errors_name_what_the_description_has() {
    let compilation = check(
        "errors:\n  envelope: { schema: public.Fault, code_field: error.reason, message_field: error.text }\n",
        &["TG0607 agent.yml:3:78 the error envelope has no `text` in `error.text`"],
    );
    let errors = json!({"envelope": "public.Fault", "code_field": "error.reason", "codes": []});
    let dump = dump(&compilation);
    assert_eq!(dump["errors"], errors);
    // No operation reached the schema before.
    assert!(dump["types"]["types"].as_array().expect("a list").iter().any(|ty| ty["id"] == "public.Fault"));
    check("errors: { envelope: { schema: Eror } }\n", &["TG0604 agent.yml:2:31 no schema of the inputs is `Eror`"]);
    check(
        "errors: { codes: { oven_ful: { text: Wait. } } }\ntools: [{ operation: public.getOrder, remediation: { shut: { text: No. } } }]\n",
        &[
            "TG0606 agent.yml:2:20 no namespace has the error code `oven_ful`",
            "TG0606 agent.yml:3:54 the errors of `public.getOrder` have no code `shut`",
        ],
    );
    // Any text may be a code of this one.
    check("errors: { envelope: { schema: Fault, code_field: error.reason }, codes: { any: { text: Wait. } } }\n", &[]);
}

#[test]
fn gates_are_declared_and_used() {
    check(
        "tools: [{ operation: public.placeOrder, gate: OVEN }]\ngates: { OVENS: { text: Off. } }\n",
        &[
            "TG0608 agent.yml:2:47 `OVEN` is no gate; `public.placeOrder` has none",
            "TG0614 agent.yml:3:10 no operation is gated by `OVENS`",
        ],
    );
}

#[test]
fn the_gate_of_a_description_wins() {
    let api = API.replace(
        "      operationId: placeOrder\n",
        "      operationId: placeOrder\n      x-runtime-gate: { env_var: OVEN, disabled_status: 410 }\n",
    );
    let agent = |tools: &str, status: &str| {
        format!("agent: 1\ntools: [{tools}]\ngates: {{ OVEN: {{ text: Off.{status} }}, HALL: {{ text: Closed. }} }}\n")
    };
    let hall = "{ operation: public.mendOrder, gate: HALL }";
    let quiet = compiled_api(&api, &agent(&format!("{hall}, {{ operation: public.getOrder, gate: OVEN }}"), ""));
    assert_eq!(lines(&quiet), [""; 0]);
    // The variable is the description's, and so is its status.
    let status = op(&dump(&quiet), "public.getOrder")["status"]["gate"]["disabled_status"].clone();
    assert_eq!(status, 410);
    let loud = agent(&format!("{hall}, {{ operation: public.placeOrder, gate: HALL }}"), ", disabled_status: 404");
    assert_eq!(
        lines(&compiled_api(&api, &loud)),
        [
            "TG0608 agent.yml:3:10 `OVEN` answers 410 while it is off, as the description states, not 404",
            "TG0608 agent.yml:2:92 the description gates `public.placeOrder` by `OVEN`, not by `HALL`",
        ]
    );
}

#[test]
fn macros_that_cannot_run_are_left_out() {
    let with = |name: &str, rest: &str, steps: &str, output: &str| {
        format!("macros:\n  - name: {name}\n    summary: s\n    {rest}\n    steps: [{steps}]\n    output: {output}\n")
    };
    let place = "{ call: public.placeOrder, args: $input, as: order }";
    let n_macros = |compilation: &Compilation| dump(compilation)["agent"]["macros"].as_array().map_or(0, Vec::len);
    let left_out = [
        (
            with("public.getOrder", "", place, "1"),
            "TG0609 agent.yml:3:11 `public.getOrder` is an operation, so the macro of that name is left out",
        ),
        (
            with("pubic.m", "", place, "1"),
            "TG0604 agent.yml:3:11 no input has the namespace `pubic` of the macro `pubic.m`",
        ),
        (
            with("public.m", "", "{ call: public.orderCake }", "1"),
            "TG0603 agent.yml:6:21 no operation is `public.orderCake`",
        ),
        (
            with("public.m", "", "{ poll: public.placeOrder, until: { state: baked } }", "1"),
            "TG0605 agent.yml:6:21 `public.placeOrder` is not `read_only`, so it cannot be polled; the macro is left out",
        ),
        (
            with("public.m", "", "{ paginate: public.getOrder }", "1"),
            "TG0605 agent.yml:6:25 `public.getOrder` has no pages to collect; the macro is left out",
        ),
        (
            with("public.m", "", "{ call: public.placeOrder }", "1"),
            "TG0605 agent.yml:6:21 `public.placeOrder` cannot be called without `size`",
        ),
        (
            with("public.m", "", "{ call: public.placeOrder, args: { size: large } }", "1"),
            "TG0605 agent.yml:6:48 `size` of `public.placeOrder` is a number, but gets text",
        ),
        (
            with("public.m", "input: { add: { size: { type: string } } }", place, "1"),
            "TG0605 agent.yml:6:46 `size` of `public.placeOrder` is a number, but gets text",
        ),
        (
            with("public.m", "", "{ call: public.placeOrder, args: { size: 1, colour: red } }", "1"),
            "TG0607 agent.yml:6:57 `public.placeOrder` has no argument `colour`",
        ),
    ];
    for (agent, expect) in left_out {
        assert_eq!(n_macros(&check(&agent, &[expect])), 0, "{agent}");
    }
    let compilation = check(
        &with(
            "public.m",
            "safety: read_only",
            place,
            "{ a: $order.di, b: { expr: \"$order.state in ['baked', 'burnt']\" } }",
        ),
        &[
            "TG0607 agent.yml:7:18 `$order` has no `di`",
            "TG0607 agent.yml:7:40 `$order.state` is never `burnt`",
            "TG0609 agent.yml:5:13 `public.m` calls an operation that is `mutating`, so it is not `read_only`",
        ],
    );
    assert_eq!(dump(&compilation)["agent"]["macros"][0]["safety"], "mutating");
}

#[test]
fn a_macro_without_input_takes_the_budgets_it_refers_to() {
    let compilation = check(
        "macros:\n  - name: public.m\n    summary: s\n    steps:\n      - { call: public.placeOrder, args: $input, as: order }\n      - { poll: public.getOrder, args: { order_id: $order.id }, until: { state: baked }, budget_ms: $input.wait_ms }\n    output: $order\n",
        &[],
    );
    let input = json!({"extends": "public.placeOrder", "add": {"wait_ms": {"type": "integer", "minimum": 100}}});
    assert_eq!(dump(&compilation)["agent"]["macros"][0]["input"], input);
    check(
        "macros:\n  - name: public.m\n    summary: s\n    steps:\n      - { call: public.placeOrder, args: { size: $input.sise } }\n    output: 1\n",
        &["TG0607 agent.yml:6:50 `$input` has no `sise`"],
    );
}

#[test]
fn a_threshold_of_operations_is_not_applied() {
    check(
        "defaults:\n  disclosure: { threshold: 30 }\n",
        &["TG0613 agent.yml:3:15 `defaults.disclosure.threshold` is not applied by this version; it is ignored"],
    );
    check("defaults:\n  disclosure: { threshold: 24 }\n", &[]);
}

#[test]
fn clusters_cover_what_there_is() {
    let compilation = check(
        "disclosure:\n  clusters:\n    - { name: a, operations: [public.getOrder, public.pay, public.cakes.*] }\n    - { name: b, operations: [public.*] }\n  prune: { drop_fields: [at], keep_examples: true }\n",
        &[
            "TG0603 agent.yml:4:48 neither an operation nor a macro is `public.pay`",
            "TG0604 agent.yml:4:60 nothing lies below `public.cakes`",
            "TG0613 agent.yml:6:10 `disclosure.prune.keep_examples` is not applied by this version; it is ignored",
            "TG0613 agent.yml:6:26 `disclosure.prune.drop_fields` is not applied by this version; it is ignored",
        ],
    );
    let dump = dump(&compilation);
    assert_eq!(op(&dump, "public.getOrder")["agent"]["cluster"], "a");
    assert_eq!(op(&dump, "public.listOrders")["agent"]["cluster"], "b");
}

#[test]
fn extensions_without_a_meaning_are_reported_anywhere() {
    let api = API
        .replace(
            "        id: { type: string }\n",
            "        id: { type: string, x-agent-sensitve: true, example: { x-agent-x: 1 } }\n",
        )
        .replace("        n: { type: integer }\n", "        x-agent-name: { type: integer, x-agent-sensitive: true }\n")
        .replace(
            "  /orders/{order_id}:\n",
            "  /orders/{order_id}:\n    x-agent-safety: read_only\n    x-note: { x-agent-y: 1 }\n",
        );
    let compilation = compiled_api(&api, "");
    assert_eq!(
        lines(&compilation),
        [
            "TG0610 openapi.yaml:46:29 `x-agent-sensitve` has no meaning here; it is ignored",
            "TG0610 openapi.yaml:27:5 `x-agent-safety` has no meaning here; it is ignored",
        ]
    );
    assert_eq!(compilation.diagnostics[0].help.as_deref(), Some("did you mean `x-agent-sensitive`?"));
}

#[test]
fn extensions_are_read_where_they_stand() {
    let api = API.replace(
        "    patch: { operationId: mendOrder,",
        "    patch: { operationId: mendOrder, x-agent-safty: mutating, x-agent-sensitive: true, x-agent-preview: { mode: header, header: X-Try }, x-agent-verify: { operation: public.listOrders, args: { limit: $input.n } }, x-other: 1,",
    );
    let compilation = compiled_api(&api, "");
    assert_eq!(
        lines(&compilation),
        [
            "TG0610 openapi.yaml:32:38 `x-agent-safty` is no extension of operations; it is ignored",
            "TG0610 openapi.yaml:32:63 `x-agent-sensitive` is no extension of operations; it is ignored",
            "TG0611 openapi.yaml:32:105 the preview mode `header` needs the key `value`",
            "TG0611 openapi.yaml:32:201 `$input` is nothing that a verification knows",
        ]
    );
    let pointers: Vec<&str> = compilation
        .diagnostics
        .iter()
        .filter(|one| one.code.name() == "TG0611")
        .map(|one| &*one.place.pointer)
        .collect();
    let start = "/paths/~1orders~1{order_id}/patch";
    assert_eq!(pointers, [format!("{start}/x-agent-preview"), format!("{start}/x-agent-verify/args/limit")]);
}
