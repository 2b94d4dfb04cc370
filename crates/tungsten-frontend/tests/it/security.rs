//! Security schemes, requirements, profiles and the inferred key header.

use tungsten_frontend::{AuthHeaderSource, AuthProfile, AuthProfileKind, AuthProfilePart, Overrides, SchemeName};
use tungsten_ir::{AuthKind, AuthPart, FlowKind, HeaderSource, Ir, KeyLocation, Role};

use crate::describe::{document, documents, findings, head, ir, manifest, name, op, places, with_overrides};

/// A document with schemes, a root requirement and one operation per requirement.
fn secured(schemes: &str, root: &str, operations: &[(&str, &str)]) -> String {
    let mut yaml = head();
    if !root.is_empty() {
        yaml.push_str(&format!("security: {root}\n"));
    }
    yaml.push_str("paths:\n");
    for (id, security) in operations {
        let security = if security.is_empty() { String::new() } else { format!("security: {security}, ") };
        yaml.push_str(&format!(
            "  /{id}: {{ get: {{ operationId: {id}, {security}responses: {{ '204': {{ description: ok }} }} }} }}\n"
        ));
    }
    if !schemes.is_empty() {
        yaml.push_str(&format!("components:\n  securitySchemes:\n{schemes}"));
    }
    yaml
}

/// The security of an operation: alternatives by ` | `, schemes together by `+`, scopes in brackets.
fn security(ir: &Ir, id: &str) -> String {
    let alternatives = ir.ops.alternatives.slice(ir.ops.rows[op(ir, id)].security);
    let show = |alternative: &tungsten_ir::Alternative| {
        let parts: Vec<String> = ir
            .ops
            .requirements
            .slice(alternative.all_of)
            .iter()
            .map(|part| {
                let scopes: Vec<&str> = ir.ops.scope_uses.slice(part.scopes).iter().map(|sym| name(ir, *sym)).collect();
                let scheme = name(ir, ir.schemes[part.scheme].name);
                if scopes.is_empty() { scheme.to_owned() } else { format!("{scheme}[{}]", scopes.join(",")) }
            })
            .collect();
        if parts.is_empty() { "anonymous".to_owned() } else { parts.join("+") }
    };
    alternatives.iter().map(show).collect::<Vec<_>>().join(" | ")
}

fn schemes(ir: &Ir) -> Vec<String> {
    let kind = |kind: AuthKind| match kind {
        AuthKind::ApiKey { location, wire_name } => {
            let place = match location {
                KeyLocation::Header => "header",
                KeyLocation::Query => "query",
                KeyLocation::Cookie => "cookie",
            };
            format!("key {place} {}", name(ir, wire_name))
        }
        AuthKind::Bearer { format, prefix } => {
            format!("bearer {} {}", format.map_or("-", |sym| name(ir, sym)), prefix.map_or("-", |sym| name(ir, sym)))
        }
        AuthKind::Basic => "basic".to_owned(),
        AuthKind::Oauth2 { flows, .. } => {
            let flows: Vec<FlowKind> = ir.flows.slice(flows).iter().map(|flow| flow.kind).collect();
            format!("oauth2 {flows:?}")
        }
        AuthKind::OpenIdConnect { url } => format!("oidc {}", name(ir, url)),
        AuthKind::Composite { satisfies, parts } => {
            let names: Vec<&str> = ir.satisfied.slice(satisfies).iter().map(|sym| name(ir, *sym)).collect();
            format!("composite {} {}", names.join(","), parts.len())
        }
        AuthKind::Unsupported => "unsupported".to_owned(),
    };
    ir.schemes.rows().iter().map(|scheme| format!("{}: {}", name(ir, scheme.name), kind(scheme.kind))).collect()
}

const ALL: &str = "    token: { type: http, scheme: Bearer, bearerFormat: JWT }
    pass: { type: http, scheme: basic }
    key: { type: apiKey, in: query, name: k }
    session: { type: apiKey, in: cookie, name: sid }
    oauth:
      type: oauth2
      flows:
        implicit: { authorizationUrl: https://a.test/auth, scopes: { read: Read things } }
        clientCredentials: { tokenUrl: https://a.test/token, scopes: {} }
        authorizationCode: { authorizationUrl: https://a.test/auth, tokenUrl: https://a.test/token, refreshUrl: https://a.test/refresh, scopes: {} }
        password: { tokenUrl: https://a.test/token, scopes: {} }
    oidc: { type: openIdConnect, openIdConnectUrl: https://a.test/.well-known }
";

#[test]
fn every_kind_of_scheme_sorted_by_name() {
    let compiled = document(&secured(ALL, "", &[("a", "")]));
    let expect = [
        "key: key query k",
        "oauth: oauth2 [Implicit, ClientCredentials, AuthorizationCode, Password]",
        "oidc: oidc https://a.test/.well-known",
        "pass: basic",
        "session: key cookie sid",
        "token: bearer JWT -",
    ];
    assert_eq!(schemes(ir(&compiled)), expect, "{:?}", findings(&compiled));
    let flow = ir(&compiled).flows.rows()[0];
    let scope = ir(&compiled).scopes.slice(flow.scopes)[0];
    assert_eq!(name(ir(&compiled), scope.name), "read");
    assert!(scope.doc.is_some());
}

#[test]
fn requirements_of_the_root_and_of_operations() {
    let operations = [
        ("inherits", ""),
        ("open", "[]"),
        ("either", "[{ token: [] }, { key: [], session: [] }]"),
        ("maybe", "[{ oauth: [read] }, {}]"),
    ];
    let compiled = document(&secured(ALL, "[{ pass: [] }]", &operations));
    let ir = ir(&compiled);
    assert_eq!(security(ir, "inherits"), "pass");
    assert_eq!(security(ir, "open"), "");
    assert_eq!(security(ir, "either"), "token | key+session");
    assert_eq!(security(ir, "maybe"), "oauth[read] | anonymous");
}

#[test]
fn undefined_and_unsupported_schemes() {
    let schemes_text = "    tls: { type: mutualTLS }
    digest: { type: http, scheme: digest }
    nameless: { type: apiKey, in: header }
    flowless: { type: oauth2 }
    good: { type: http, scheme: bearer }
";
    let compiled = document(&secured(
        schemes_text,
        "[{ gone: [] }]",
        &[("a", "[{ tls: [] }, { good: [] }]"), ("b", "[{ lost: [] }]")],
    ));
    assert_eq!(places(&compiled, "TG0502"), ["/paths/~1b/get/security/0/lost", "/security/0/gone"]);
    let expect = ["digest", "flowless", "nameless", "tls"].map(|name| format!("/components/securitySchemes/{name}"));
    assert_eq!(places(&compiled, "TG0509"), expect);
    assert_eq!(security(ir(&compiled), "a"), "tls | good");
    assert!(schemes(ir(&compiled)).contains(&"tls: unsupported".to_owned()));
}

#[test]
fn an_undefined_scheme_is_reported_once_and_its_alternatives_are_dropped() {
    let operations = [
        ("inherits", ""),
        ("only", "[{ gone: [] }, { gone: [], good: [] }]"),
        ("other", "[{ gone: [] }, { good: [] }]"),
        ("open", "[]"),
        ("none", "[{ good: [] }]"),
    ];
    let good = "    good: { type: http, scheme: bearer }\n    better: { type: http, scheme: basic }\n";
    let compiled = document(&secured(good, "[{ gone: [] }]", &operations));
    assert!(!compiled.diags.has_errors());
    let of_code: Vec<_> = compiled.diags.iter().filter(|one| one.code == base::Code::TG0502).collect();
    let [one] = of_code.as_slice() else { panic!("{of_code:?}") };
    assert_eq!(one.place.pointer, "/security/0/gone");
    assert_eq!(
        one.message,
        "no security scheme is named `gone` (defined are `better`, `good`); 3 operations name it, and 2 of them are \
         called without a credential"
    );
    let table = ir(&compiled);
    assert_eq!(security(table, "inherits"), "");
    assert_eq!(security(table, "only"), "");
    assert_eq!(security(table, "other"), "good");
    let callable = table.ops.rows.ids().filter(|&op| table.op_resource[op].is_some()).count();
    assert_eq!(callable, operations.len());
}

#[test]
fn documents_that_disagree_about_a_name() {
    let bearer = secured(
        "    auth: { type: http, scheme: bearer }\n    same: { type: http, scheme: basic }\n",
        "[{ auth: [] }]",
        &[("a", "")],
    );
    let key = secured(
        "    auth: { type: apiKey, in: header, name: K }\n    same: { type: http, scheme: basic }\n",
        "[{ auth: [] }]",
        &[("b", "")],
    );
    let compiled = documents(&[("one", &bearer), ("two", &key)], Overrides::default());
    let table = ir(&compiled);
    assert_eq!(schemes(table), ["one.auth: bearer - -", "same: basic", "two.auth: key header K"]);
    assert_eq!(security(table, "a"), "one.auth");
    assert_eq!(security(table, "b"), "two.auth");
    assert_eq!(places(&compiled, "TG0401").len(), 2);
}

#[test]
fn a_key_header_becomes_a_scheme() {
    let yaml = |rest: &str| {
        format!(
            "{}paths:\n  /a:\n    get:\n      operationId: a\n      parameters: [{{ name: X-API-Key, in: header, schema: {{ type: string }} }}]\n      responses: {{ '204': {{ description: ok }} }}\n  /b:\n    get: {{ operationId: b, responses: {{ '204': {{ description: ok }} }} }}\n{rest}",
            head()
        )
    };
    let compiled = document(&yaml(""));
    let table = ir(&compiled);
    assert_eq!(places(&compiled, "TG0112"), ["/paths/~1a/get/parameters/0/name"]);
    assert_eq!(schemes(table), ["apiKey: key header X-API-Key"]);
    assert_eq!((security(table, "a"), security(table, "b")), ("apiKey".to_owned(), "apiKey".to_owned()));
    assert_eq!(table.ops.params.rows()[0].role, Role::Auth);
    for rest in ["security: []\n", "components: { securitySchemes: { t: { type: http, scheme: bearer } } }\n"] {
        assert!(places(&document(&yaml(rest)), "TG0112").is_empty(), "{rest}");
    }
}

#[test]
fn profiles_of_a_project() {
    let profile = |name: &str, satisfies: &[&str], kind| AuthProfile {
        name: name.into(),
        kind,
        satisfies: satisfies
            .iter()
            .enumerate()
            .map(|(index, text)| SchemeName {
                name: (*text).to_owned(),
                place: manifest(&format!("/auth_profiles/{name}/satisfies/{index}")),
            })
            .collect(),
        declares: None,
        place: manifest(&format!("/auth_profiles/{name}")),
    };
    let composite = AuthProfileKind::Composite(vec![
        AuthProfilePart::Cookie { name: "session".into() },
        AuthProfilePart::Header {
            name: "x-csrf".into(),
            source: AuthHeaderSource::EqualsCookie("session".into()),
            mutation_only: false,
        },
        AuthProfilePart::Header {
            name: "Origin".into(),
            source: AuthHeaderSource::FromConfig("origin".into()),
            mutation_only: true,
        },
    ]);
    let overrides = Overrides {
        auth_profiles: vec![
            profile("owner", &["owner", "missing"], composite),
            profile("token", &[], AuthProfileKind::Bearer { env: Some("A_TOKEN".into()), prefix: Some("ztw_".into()) }),
            profile("key", &[], AuthProfileKind::ApiKey { env: Some("A_KEY".into()), at: None }),
        ],
        ..Overrides::default()
    };
    let schemes_text = "    owner: { type: apiKey, in: cookie, name: session }
    token: { type: http, scheme: bearer }
    key: { type: apiKey, in: header, name: K }
    zeta: { type: http, scheme: basic }
";
    let mut yaml = secured(schemes_text, "", &[("a", "[{ owner: [] }]")]);
    yaml = yaml.replace(
        "operationId: a,",
        "operationId: a, parameters: [{ name: X-Csrf, in: header, schema: { type: string } }, { name: origin, in: header, schema: { type: string } }, { name: K, in: header, schema: { type: string } }],",
    );
    let compiled = with_overrides(&yaml, overrides);
    let table = ir(&compiled);
    let expect = [
        "key: key header K",
        "owner: key cookie session",
        "owner: composite owner 3",
        "token: bearer - ztw_",
        "zeta: basic",
    ];
    assert_eq!(schemes(table), expect);
    assert_eq!(places(&compiled, "TG0503"), ["/auth_profiles/owner/satisfies/1"]);
    let env = |index: usize| table.schemes.rows()[index].env.map(|sym| name(table, sym));
    assert_eq!((env(0), env(3)), (Some("A_KEY"), Some("A_TOKEN")));
    let roles: Vec<Role> = table.ops.params.rows().iter().map(|param| param.role).collect();
    assert_eq!(roles, [Role::Auth, Role::Origin, Role::Auth]);
    let part = table.auth_parts.rows()[2];
    assert!(matches!(part, AuthPart::Header { source: HeaderSource::Config(_), mutation_only: true, .. }));
}
