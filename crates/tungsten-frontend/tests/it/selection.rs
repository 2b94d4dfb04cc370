//! Which operations a project compiles, plans and leaves out, and what it says about gates, envelopes, circles and
//! credentials.

use base::Severity;
use tungsten_frontend::{
    AuthProfile, AuthProfileKind, CycleBreak, Declares, Filter, Named, Overrides, Plain, RpcOverride, SchemeName,
    Selection,
};
use tungsten_ir::{AuthKind, Ir, JsonValue, OpId, OpStatus, Role, Shape};

use crate::describe::{document, documents, head, ir, manifest, name, op, places, tree, with_overrides};

fn named(names: &[&str]) -> Vec<Named> {
    names.iter().map(|name| Named { name: (*name).to_owned(), place: manifest(name) }).collect()
}

fn by_extension(name: &str, value: Plain) -> Filter {
    Filter { extension: Some((name.to_owned(), value)), ..Filter::default() }
}

fn select(include: Option<Filter>, planned_from: Option<Filter>) -> Overrides {
    let selection = Selection { namespaces: vec!["api".to_owned()], include, planned_from };
    Overrides { selections: vec![selection], ..Overrides::default() }
}

fn bakery() -> String {
    head()
        + "
paths:
  /v1/loaves:
    get:
      operationId: listLoaves
      tags: [loaves]
      x-implemented: true
      responses:
        '200':
          description: ok
          links:
            one: { operationId: getLoaf }
            cakes: { operationId: listCakes }
    post: { operationId: bakeLoaf, tags: [loaves], x-implemented: false, responses: { '204': { description: ok } } }
  /v1/loaves/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getLoaf, x-implemented: true, x-level: 1.0, responses: { '204': { description: ok } } }
  /v1/cakes:
    get: { operationId: listCakes, tags: [cakes], responses: { '204': { description: ok } } }
    put: { tags: [cakes], x-level: 2, responses: { '204': { description: ok } } }
webhooks:
  baked: { post: { operationId: onBaked, responses: { '204': { description: ok } } } }
"
}

/// Operations as `listLoaves` or `bakeLoaf (why)`.
fn ops(ir: &Ir) -> Vec<String> {
    let row = |(_, op): (OpId, &tungsten_ir::Op)| match op.status {
        OpStatus::Implemented => name(ir, op.local_id).to_owned(),
        OpStatus::Planned { reason } => format!("{} ({})", name(ir, op.local_id), ir.text(reason).untrusted()),
    };
    ir.ops.rows.iter().map(row).collect()
}

#[test]
fn an_extension_decides() {
    let yes = || Some(by_extension("x-implemented", Plain::Bool(true)));
    let no = || Some(by_extension("x-implemented", Plain::Bool(false)));
    let compiled = with_overrides(&bakery(), select(yes(), no()));
    assert_eq!(ops(ir(&compiled)), ["listLoaves", "bakeLoaf (its `x-implemented` is `false`)", "getLoaf", "onBaked"]);
    assert_eq!(
        places(&compiled, "TG0504"),
        ["/paths/~1v1~1cakes/get", "/paths/~1v1~1cakes/put", "/paths/~1v1~1loaves/post"]
    );
    // A link to what is left out is no mistake, and planned operations have names but no place.
    assert_eq!(places(&compiled, "TG0508"), [""; 0]);
    assert_eq!(tree(ir(&compiled)), ["loaves.list = listLoaves", "loaves.get = getLoaf"]);
    let planned = ir(&compiled).namespaces.rows()[0].planned;
    assert_eq!(planned.len(), 1);
    assert!(ir(&compiled).op_name[op(ir(&compiled), "bakeLoaf")].is_some());

    let compiled = with_overrides(&bakery(), select(None, no()));
    assert_eq!(ops(ir(&compiled)).len(), 6);
    assert_eq!(places(&compiled, "TG0504"), ["/paths/~1v1~1loaves/post"]);
    let compiled = with_overrides(&bakery(), select(yes(), None));
    assert_eq!(ops(ir(&compiled)), ["listLoaves", "getLoaf", "onBaked"]);
    let one = Some(by_extension("x-level", Plain::Number("1".to_owned())));
    assert_eq!(ops(ir(&with_overrides(&bakery(), select(one, None)))), ["getLoaf", "onBaked"]);
}

#[test]
fn tags_paths_and_ids_decide_together() {
    let check = |filter: Filter, expect: &[&str]| {
        let compiled = with_overrides(&bakery(), select(Some(filter), None));
        let mut found = ops(ir(&compiled));
        found.pop();
        assert_eq!(found, expect);
    };
    check(Filter { tags: named(&["cakes", "pies"]), ..Filter::default() }, &["listCakes", "putV1Cakes"]);
    check(Filter { paths: named(&["/v1/loaves/{x}"]), ..Filter::default() }, &["getLoaf"]);
    check(Filter { paths: named(&["/v1/loaves"]), ..Filter::default() }, &["listLoaves", "bakeLoaf", "getLoaf"]);
    check(
        Filter { operations: named(&["api.getLoaf", "putV1Cakes"]), ..Filter::default() },
        &["getLoaf", "putV1Cakes"],
    );
    let both = Filter { tags: named(&["loaves"]), operations: named(&["getLoaf", "bakeLoaf"]), ..Filter::default() };
    check(both, &["bakeLoaf"]);
}

#[test]
fn names_that_nothing_has_are_reported_once() {
    let filter = Filter {
        operations: named(&["api.listLoafs", "bakeLoaf"]),
        tags: named(&["loafes"]),
        paths: named(&["/v1/loafs"]),
        ..Filter::default()
    };
    let selection =
        Selection { namespaces: vec!["api".to_owned(), "two".to_owned()], include: Some(filter), planned_from: None };
    let overrides = Overrides { selections: vec![selection], ..Overrides::default() };
    let compiled = documents(&[("api", &bakery()), ("two", &bakery())], overrides);
    let sorted = compiled.diags.clone().finish(&compiled.sources);
    let found: Vec<String> = sorted
        .iter()
        .filter(|one| one.severity == Severity::Warning)
        .map(|one| format!("{} {}; {}", one.code, one.message, one.help.clone().unwrap_or_default()))
        .collect();
    assert_eq!(
        found,
        [
            "TG0603 no operation has the id `api.listLoafs`; did you mean `api.listLoaves`?",
            "TG0604 no operation has a path below `/v1/loafs`; did you mean `/v1/loaves`?",
            "TG0604 no operation has the tag `loafes`; did you mean `loaves`?",
        ]
    );
}

#[test]
fn gates_have_a_short_and_a_long_form() {
    let operation = |gate: &str| {
        let yaml = format!(
            "paths: {{ /a: {{ get: {{ operationId: a, x-runtime-gate: {gate}, responses: {{ '204': {{ description: ok }} }} }} }} }}\n"
        );
        document(&(head() + &yaml))
    };
    let check = |gate: &str, expect: Option<(&str, bool, u16)>, reports: &str| {
        let compiled = operation(gate);
        let ir = ir(&compiled);
        let found = ir.gate[op(ir, "a")].map(|gate| (name(ir, gate.env), gate.default_on, gate.disabled_status));
        assert_eq!(found, expect, "{gate}");
        assert_eq!(places(&compiled, reports).len(), 1, "{gate}");
    };
    check("OVEN_ENABLED", Some(("OVEN_ENABLED", false, 404)), "TG0505");
    check("{ env_var: OVEN, default_on: true, disabled_status: 503 }", Some(("OVEN", true, 503)), "TG0505");
    check("{ env_var: OVEN, defaults_on: true }", Some(("OVEN", false, 404)), "TG0508");
    for broken in ["[OVEN]", "'1OVEN'", "{ default_on: true }", "{ env_var: A, disabled_status: 200 }", "''"] {
        check(broken, None, "TG0508");
    }
}

fn tools() -> String {
    head()
        + "
paths:
  /v1/workflow/tools:
    post:
      operationId: callTool
      description: Calls a tool.
      parameters: [{ name: trace, in: header, schema: { type: string } }]
      requestBody:
        required: true
        content: { application/json: { schema: { oneOf: [
          { $ref: '#/components/schemas/Send' }, { $ref: '#/components/schemas/Cancel' },
          { type: object, required: [method], properties: { method: { enum: [workflow.ping] } } } ] } } }
      callbacks: { done: { '{$request.body#/url}': { post: { operationId: onDone, responses: { '204': { description: ok } } } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
  /v1/health: { get: { operationId: health, responses: { '204': { description: ok, links: { self: { operationId: health } } } } } }
components:
  schemas:
    Send:
      type: object
      description: Sends a message.
      required: [method, params, jsonrpc]
      properties:
        jsonrpc: { const: '2.0' }
        method: { const: workflow.action.send }
        params: { type: object, required: [to], properties: { to: { type: string } } }
    Cancel:
      type: object
      required: [method]
      properties:
        method: { const: workflow.action.cancel }
        note: { type: string }
        params: { type: object, properties: { id: { type: string } } }
"
}

fn rpc(path: &str, discriminator: &str, params: &str) -> Overrides {
    let rpc = RpcOverride {
        namespace: "api".to_owned(),
        path: path.to_owned(),
        method: "post".to_owned(),
        discriminator: discriminator.to_owned(),
        params: params.to_owned(),
        name_strip_prefix: "workflow.".to_owned(),
        place: manifest("/inputs/0/rpc_unflatten"),
    };
    Overrides { rpc: vec![rpc], ..Overrides::default() }
}

#[test]
fn an_envelope_becomes_its_methods() {
    let compiled = with_overrides(&tools(), rpc("/v1/workflow/tools", "method", "params"));
    assert!(!compiled.diags.has_errors(), "{:?}", crate::describe::findings(&compiled));
    let ir = ir(&compiled);
    assert_eq!(
        tree(ir),
        [
            "action.send = action.send",
            "action.cancel = action.cancel",
            "workflow.tools.ping = ping",
            "health.get = health"
        ]
    );
    let send = op(ir, "action.send");
    let row = ir.ops.rows[send];
    assert_eq!(
        (name(ir, row.id), row.id_stated, name(ir, row.path.raw)),
        ("api.action.send", false, "/v1/workflow/tools")
    );
    assert_eq!(row.doc.description.map(|text| ir.text(text).untrusted()), Some("Sends a message."));
    let rpc = ir.rpc[send].expect("it is a method");
    let constants: Vec<&str> =
        ir.ops.rpc_constants.slice(rpc.constants).iter().map(|constant| name(ir, constant.name)).collect();
    assert_eq!((name(ir, rpc.field), name(ir, rpc.value)), ("method", "workflow.action.send"));
    assert_eq!((rpc.params.map(|params| name(ir, params)), constants), (Some("params"), vec!["jsonrpc"]));
    let body = ir.ops.bodies[row.body.expect("it has parameters")];
    assert!(body.required);
    let ty = ir.ops.contents.slice(body.contents)[0].ty;
    let Shape::Record { fields, .. } = ir.types.rows[ty].shape else { panic!("{:?}", ir.types.rows[ty].shape) };
    assert_eq!(ir.types.fields.slice(fields).iter().map(|field| name(ir, field.name)).collect::<Vec<_>>(), ["to"]);
    let ping = op(ir, "ping");
    assert!(ir.ops.rows[ping].body.is_none() && ir.rpc[ping].expect("a method").params.is_none());
    // What came after the envelope moved with its references.
    let health = op(ir, "health");
    assert_eq!(ir.ops.links.rows()[0].operation, Some(health));
    let tungsten_ir::OpKind::Callback { of, .. } = ir.ops.rows[op(ir, "onDone")].kind else { panic!("a callback") };
    assert_eq!(of, send);
    let params = ir.ops.params.slice(row.params);
    assert_eq!(params.iter().map(|param| name(ir, param.name)).collect::<Vec<_>>(), ["trace"]);
}

#[test]
fn methods_go_below_the_resource_of_their_path() {
    let resource = |name: &str, path: Option<&str>, children: Vec<tungsten_frontend::ResourceOverride>| {
        tungsten_frontend::ResourceOverride {
            namespace: "api".to_owned(),
            name: name.to_owned(),
            path: path.map(|path| (path.to_owned(), manifest("/path"))),
            children,
            place: manifest("/resource"),
        }
    };
    let overrides = Overrides {
        resources: vec![resource("tools", Some("/v1/workflow/tools"), vec![resource("action", None, Vec::new())])],
        ..rpc("/v1/workflow/tools", "method", "params")
    };
    let compiled = with_overrides(&tools(), overrides);
    assert_eq!(
        tree(ir(&compiled)),
        [
            "tools.ping = ping",
            "tools.action.send = action.send",
            "tools.action.cancel = action.cancel",
            "health.get = health"
        ]
    );
    assert_eq!(crate::describe::prefixes(ir(&compiled))[1], "tools.action /v1/workflow/tools");
}

#[test]
fn an_envelope_without_methods_stays_one_operation() {
    let check = |yaml: &str, overrides: Overrides, says: &str, help: Option<&str>| {
        let compiled = with_overrides(yaml, overrides);
        let found: Vec<_> = compiled.diags.iter().filter(|one| one.code.name() == "TG0506").collect();
        assert_eq!(found.len(), 1, "{says}: {:?}", crate::describe::findings(&compiled));
        assert!(found[0].message.starts_with(says), "{}", found[0].message);
        if let Some(help) = help {
            assert_eq!(found[0].help.as_deref(), Some(help));
        }
        assert!(compiled.ir.is_some_and(|ir| ir.ops.rows.iter().any(|(_, op)| name(&ir, op.local_id) == "callTool")));
    };
    let (path, tools) = ("/v1/workflow/tools", tools());
    check(
        &tools,
        rpc("/v1/workflow/tool", "method", "params"),
        "the input has no operation `POST /v1/workflow/tool`",
        Some("did you mean `/v1/workflow/tools`?"),
    );
    check(
        &tools,
        rpc(path, "methods", "params"),
        "the variant `Send` of the body has no text constant as its `methods`",
        Some("did you mean `method`?"),
    );
    check(
        &tools,
        rpc(path, "method", "param"),
        "the method `workflow.action.send` needs `params`",
        Some("did you mean `params`?"),
    );
    let same = tools.replace("workflow.action.cancel", "workflow.action.send");
    check(&same, rpc(path, "method", "params"), "two operations would have the id `api.action.send`", None);
    let taken = tools.replace("workflow.ping", "workflow.health");
    check(&taken, rpc(path, "method", "params"), "two operations would have the id `api.health`", None);
    let dots = tools.replace("workflow.ping", "workflow.a..b");
    check(&dots, rpc(path, "method", "params"), "the method `workflow.a..b` leaves no name", None);
    let plain = tools.replace("oneOf: [", "type: object, x-was: [");
    check(&plain, rpc(path, "method", "params"), "the body of `POST /v1/workflow/tools` is no `oneOf`", None);
}

#[test]
fn circles_are_cut_where_the_project_says_so() {
    let yaml = head()
        + "
paths: { /a: { get: { operationId: a, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } } } } } } }
components:
  schemas:
    Node: { type: object, properties: { name: { type: string }, children: { type: array, items: { $ref: '#/components/schemas/Node' } } } }
";
    let cut = |entry: &str| {
        let (ty, field) = entry.split_once('.').expect("two names");
        let entry = CycleBreak { ty: ty.to_owned(), field: field.to_owned(), place: manifest(entry) };
        with_overrides(&yaml, Overrides { break_cycles: vec![entry], ..Overrides::default() })
    };
    let compiled = cut("Node.children");
    assert_eq!((places(&compiled, "TG0203"), places(&compiled, "TG0308")), (Vec::new(), Vec::new()));
    let node = ir(&compiled).types.named[0];
    assert!(!ir(&compiled).recursive[node]);
    for (entry, help) in [
        ("Nod.children", Some("did you mean `Node`?")),
        ("Node.childen", Some("did you mean `children`?")),
        ("Node.name", Some("remove the entry, or name a property that is on a circle")),
    ] {
        let compiled = cut(entry);
        assert_eq!(places(&compiled, "TG0203").len(), 1, "{entry}");
        let found = compiled.diags.iter().find(|one| one.code.name() == "TG0308").expect("it is reported");
        assert_eq!(found.help.as_deref(), help, "{entry}");
    }
}

fn profile(name: &str, kind: AuthProfileKind, declares: Option<Declares>) -> AuthProfile {
    AuthProfile { name: name.to_owned(), kind, satisfies: Vec::new(), declares, place: manifest(name) }
}

fn bearer() -> AuthProfileKind {
    AuthProfileKind::Bearer { env: Some("BAKERY_TOKEN".to_owned()), prefix: None }
}

/// The alternatives of an operation: `token`, `a+b`, `-` for none needed.
fn security(ir: &Ir, id: &str) -> Vec<String> {
    let alternatives = ir.ops.alternatives.slice(ir.ops.rows[op(ir, id)].security);
    let names = |alternative: &tungsten_ir::Alternative| {
        let schemes = ir.ops.requirements.slice(alternative.all_of).iter();
        let names: Vec<&str> = schemes.map(|one| name(ir, ir.schemes[one.scheme].name)).collect();
        if names.is_empty() { "-".to_owned() } else { names.join("+") }
    };
    alternatives.iter().map(names).collect()
}

#[test]
fn a_profile_declares_what_the_document_does_not_state() {
    let with = |profiles: Vec<AuthProfile>| {
        with_overrides(&bakery(), Overrides { auth_profiles: profiles, ..Overrides::default() })
    };
    let compiled = with(vec![profile("token", bearer(), Some(Declares::default()))]);
    let ir_of = ir(&compiled);
    assert_eq!(
        (security(ir_of, "listLoaves"), security(ir_of, "listCakes")),
        (vec!["token".to_owned()], vec!["token".to_owned()])
    );
    let scheme = ir_of.schemes.rows()[0];
    assert!(matches!(scheme.kind, AuthKind::Bearer { .. }));
    assert_eq!(scheme.env.map(|env| name(ir_of, env)), Some("BAKERY_TOKEN"));
    // The API calls us: no credential of ours.
    assert_eq!(security(ir_of, "onBaked"), [""; 0]);

    let key = AuthProfileKind::ApiKey { env: None, at: Some((tungsten_ir::KeyLocation::Query, "key".to_owned())) };
    let cakes = Declares {
        filter: Filter { tags: named(&["cakes"]), ..Filter::default() },
        optional: true,
        ..Declares::default()
    };
    let loaf = Declares { filter: Filter { paths: named(&["/v1"]), ..Filter::default() }, ..Declares::default() };
    let compiled = with(vec![
        profile("cake", key, Some(cakes)),
        profile("user", AuthProfileKind::Basic { env: None }, Some(loaf)),
    ]);
    let ir_of = ir(&compiled);
    assert_eq!(security(ir_of, "listCakes"), ["cake", "user", "-"]);
    assert_eq!(security(ir_of, "listLoaves"), ["user"]);
    assert_eq!(places(&compiled, "TG0620"), [""; 0]);
}

#[test]
fn what_a_document_states_stays() {
    let stated = bakery()
        + "security: [{ key: [] }]\ncomponents: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }\n";
    let overrides = |name: &str, kind| {
        let declares = Declares { place: manifest(name), ..Declares::default() };
        let profiles = vec![profile(name, kind, Some(declares))];
        Overrides { auth_profiles: profiles, ..Overrides::default() }
    };
    let compiled = with_overrides(&stated, overrides("token", bearer()));
    assert_eq!(security(ir(&compiled), "listLoaves"), ["key"]);
    assert_eq!(places(&compiled, "TG0620"), ["token"]);
    // A scheme that is defined and that nothing requires is taken as it is defined.
    let unused = stated.replace("security: [{ key: [] }]\n", "");
    let compiled = with_overrides(&unused, overrides("key", AuthProfileKind::ApiKey { env: None, at: None }));
    assert_eq!((security(ir(&compiled), "getLoaf"), ir(&compiled).schemes.len()), (vec!["key".to_owned()], 1));
    assert_eq!(places(&compiled, "TG0620"), [""; 0]);
}

#[test]
fn a_declared_key_is_no_argument() {
    let yaml = head()
        + "paths: { /a: { get: { operationId: a, parameters: [{ name: X-Api-Key, in: header, schema: { type: string } }], responses: { '204': { description: ok } } } } }\n";
    let key =
        AuthProfileKind::ApiKey { env: None, at: Some((tungsten_ir::KeyLocation::Header, "x-api-key".to_owned())) };
    let profiles = vec![profile("house", key, Some(Declares::default()))];
    let compiled = with_overrides(&yaml, Overrides { auth_profiles: profiles, ..Overrides::default() });
    let ir = ir(&compiled);
    assert_eq!(ir.ops.params.rows()[0].role, Role::Auth);
    // Nothing is inferred where the project says it.
    assert_eq!((places(&compiled, "TG0112"), security(ir, "a")), (Vec::new(), vec!["house".to_owned()]));
}

#[test]
fn profiles_without_effect_are_reported() {
    let stated = bakery()
        + "security: [{ key: [] }]\ncomponents: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }\n";
    let composite = AuthProfileKind::Composite(Vec::new());
    for (profile, help) in [
        (profile("kex", AuthProfileKind::ApiKey { env: None, at: None }, None), "did you mean `key`?"),
        (
            profile("key", bearer(), None),
            "state `bearer`, `basic` or `api_key`, as the scheme is; `prefix` is for bearer schemes",
        ),
        (profile("browser", composite, None), "name the schemes that it stands in for under `satisfies`"),
    ] {
        let overrides = Overrides { auth_profiles: vec![profile], ..Overrides::default() };
        let compiled = with_overrides(&stated, overrides);
        let found = compiled.diags.iter().find(|one| one.code.name() == "TG0620").expect("it is reported");
        assert_eq!(found.help.as_deref(), Some(help));
    }
    let mut other = profile("house", AuthProfileKind::ApiKey { env: Some("KEY".to_owned()), at: None }, None);
    other.satisfies.push(SchemeName { name: "key".to_owned(), place: manifest("satisfies") });
    let compiled = with_overrides(&stated, Overrides { auth_profiles: vec![other], ..Overrides::default() });
    let ir = ir(&compiled);
    assert_eq!(places(&compiled, "TG0620"), [""; 0]);
    assert_eq!(ir.schemes.rows()[0].env.map(|env| name(ir, env)), Some("KEY"));
}

#[test]
fn constants_of_envelopes_are_values_of_the_ir() {
    let compiled = with_overrides(&tools(), rpc("/v1/workflow/tools", "method", "params"));
    let ir = ir(&compiled);
    let value = ir.ops.rpc_constants.rows()[0].value;
    assert!(matches!(ir.values.rows[value], JsonValue::String(text) if name(ir, text) == "2.0"));
}

#[test]
fn a_project_names_the_api_for_people() {
    let overrides = Overrides {
        title: Some("The Bakery".to_owned()),
        docs_url: Some("https://docs.example.test".to_owned()),
        ..Overrides::default()
    };
    let text = |ir: &Ir, text: Option<base::TextId>| text.map(|text| ir.text(text).untrusted().to_owned());
    let compiled = with_overrides(&bakery(), overrides);
    let named = ir(&compiled);
    assert_eq!(text(named, named.api.title).as_deref(), Some("The Bakery"));
    assert_eq!(text(named, named.api.docs_url).as_deref(), Some("https://docs.example.test"));
    let plain = document(&bakery());
    assert_eq!(text(ir(&plain), ir(&plain).api.title).as_deref(), Some("Test"));
}

#[test]
fn a_resource_that_holds_nothing_is_reported() {
    let resource = |name: &str, path: Option<&str>, children: Vec<tungsten_frontend::ResourceOverride>| {
        tungsten_frontend::ResourceOverride {
            namespace: "api".to_owned(),
            name: name.to_owned(),
            path: path.map(|path| (path.to_owned(), manifest("/path"))),
            children,
            place: manifest(name),
        }
    };
    let shelf = resource("shelf", None, vec![resource("loaves", Some("/v1/loaves"), Vec::new())]);
    let overrides = Overrides { resources: vec![shelf, resource("cellar", None, Vec::new())], ..Overrides::default() };
    let compiled = with_overrides(&bakery(), overrides);
    assert_eq!(places(&compiled, "TG0604"), ["cellar"]);
    assert_eq!(tree(ir(&compiled))[0], "shelf.loaves.list = listLoaves");
}

#[test]
fn a_filter_of_the_whole_manifest_is_met_where_one_input_meets_it() {
    let filter = || Some(Filter { tags: named(&["cakes", "pies"]), ..Filter::default() });
    let row =
        |namespace: &str| Selection { namespaces: vec![namespace.to_owned()], include: filter(), planned_from: None };
    let overrides = Overrides { selections: vec![row("api"), row("two")], ..Overrides::default() };
    let other = bakery().replace("[cakes]", "[tarts]");
    let compiled = documents(&[("api", &bakery()), ("two", &other)], overrides);
    assert_eq!(places(&compiled, "TG0604"), ["pies"]);
}

#[test]
fn schemas_of_operations_that_are_left_out_go_with_them() {
    let answer = |ty: &str| {
        format!(
            "responses: {{ '200': {{ description: ok, content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/{ty}' }} }} }} }} }}"
        )
    };
    let yaml = format!(
        "{}paths:
  /a: {{ get: {{ operationId: a, tags: [kept], {} }} }}
  /b: {{ get: {{ operationId: b, {} }} }}
components:
  schemas:
    Kept: {{ type: object, properties: {{ id: {{ type: string }} }} }}
    Gone: {{ oneOf: [{{ type: object, properties: {{ a: {{}} }} }}, {{ type: object, properties: {{ a: {{}} }} }}] }}
",
        head(),
        answer("Kept"),
        answer("Gone"),
    );
    assert_eq!(places(&document(&yaml), "TG0301"), ["/components/schemas/Gone"]);
    let filter = Filter { tags: named(&["kept"]), ..Filter::default() };
    let compiled = with_overrides(&yaml, select(Some(filter), None));
    assert_eq!((places(&compiled, "TG0301"), places(&compiled, "TG0760").len()), (Vec::new(), 1));
    // What is only planned keeps the types that it uses.
    let filter = Filter { operations: named(&["b"]), ..Filter::default() };
    let compiled = with_overrides(&yaml, select(None, Some(filter)));
    assert_eq!((places(&compiled, "TG0301").len(), places(&compiled, "TG0760").len()), (1, 0));
}

#[test]
fn a_profile_defines_the_scheme_that_a_document_only_requires() {
    let yaml = bakery() + "security: [{ token: [] }]\n";
    assert_eq!(places(&document(&yaml), "TG0502").len(), 1);
    let profiles = vec![profile("token", bearer(), Some(Declares::default()))];
    let compiled = with_overrides(&yaml, Overrides { auth_profiles: profiles, ..Overrides::default() });
    assert_eq!((places(&compiled, "TG0502"), places(&compiled, "TG0620")), (Vec::new(), Vec::new()));
    assert_eq!(security(ir(&compiled), "listLoaves"), ["token"]);
}
