//! Writes the files around the resources: the client class, what holds for the whole API, and the re-exports.
//!
//! Reads the view and the package; nothing here depends on single calls.

use base::{Code, Diags, Id, Place, Span, Sym};
use tungsten_emit::escape::typescript;
use tungsten_emit::layout::typescript::{Items, array};
use tungsten_emit::{Doc, Lang, Writer, line};
use tungsten_ir::profile::{Role, TYPESCRIPT};
use tungsten_ir::{
    AuthKind, AuthPart, AuthPartId, AuthScheme, FlowKind, HeaderSource, Ir, KeyLocation, NamespaceId, OauthFlow, Op,
    SchemeId,
};

use crate::naming::free_name;
use crate::object::{Members, object, object_broken};
use crate::package::Package;
use crate::resources::{Child, ChildClasses, child};
use crate::types::note;
use crate::view::View;
use crate::{RUNTIME, agent, literals, macros, streams};

/// Names of the runtime that the package exports again.
const RE_EXPORTED: [&str; 5] = ["CallOptions", "ClientOptions", "Envelope", "Operation", "Result"];

/// The type of the client's OAuth 2 helpers.
const OAUTH_HELPERS: &str = "OAuthHelpers";

/// `src/client.ts`.
pub(crate) fn client(view: &View<'_>, package: &Package, header: &str) -> String {
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    o.imports.reserve(&package.client);
    let core = o.import_type(RUNTIME, "ClientCore");
    let options = o.import_type(RUNTIME, "ClientOptions");
    let create = o.import("./internal.js", "createCore");
    o.imports.reserve(OAUTH_HELPERS);
    let children = ChildClasses::import(&mut o, children(view));
    let oauth = OauthHelpers::new(view);
    oauth.declare(&mut o, view.ir);
    match view.ir.api.title {
        Some(title) => o.doc(view.ir.text(title)),
        None => o.doc(view.ir.name(view.ir.api.name)),
    }
    o.block(format_args!("export class {}", package.client), |o| {
        // A client without members has nothing else to give, and nothing whose name could be the same.
        let field = if children.is_empty() { "core" } else { "#core" };
        line!(o, "readonly {field}: {core};");
        children.fields(o);
        o.blank();
        o.block(format_args!("constructor(options: {options} = {{}})"), |o| {
            line!(o, "this.{field} = {create}(options);");
        });
        oauth.getter(o, field);
        children.getters(o, view);
    });
    o.finish(header)
}

/// Helpers of the authorization code flow: a member of the client where the API has such a scheme.
struct OauthHelpers<'a> {
    schemes: Vec<&'a AuthScheme>,
    /// `oauth`, or with a number where a resource has that name.
    member: String,
}

impl<'a> OauthHelpers<'a> {
    fn new(view: &View<'a>) -> Self {
        let has_flow = |row: &&AuthScheme| oauth_flow(view.ir, row, FlowKind::AuthorizationCode).is_some();
        let taken = children(view).into_iter().map(|child| child.member).collect();
        Self { schemes: view.ir.schemes.rows().iter().filter(has_flow).collect(), member: free_name(&taken, "oauth") }
    }

    /// The type of the member, above the class.
    fn declare(&self, o: &mut Writer, ir: &Ir) {
        if self.schemes.is_empty() {
            return;
        }
        let helper = o.import_type(RUNTIME, "AuthorizationCodeHelper");
        o.block(format_args!("interface {OAUTH_HELPERS}"), |o| {
            for row in &self.schemes {
                line!(o, "readonly {}: {helper};", typescript::key(ir.name(row.name)));
            }
        });
        o.blank();
    }

    fn getter(&self, o: &mut Writer, field: &str) {
        if self.schemes.is_empty() {
            return;
        }
        o.blank();
        note(o, "Helpers of the OAuth 2 authorization code flow, by scheme.".to_owned());
        o.block(format_args!("get {}(): {OAUTH_HELPERS}", self.member), |o| {
            line!(o, "return this.{field}.oauth<keyof {OAUTH_HELPERS}>();");
        });
    }
}

/// The member of the client that holds the helpers of the authorization code flow and the first scheme that has one.
pub(crate) fn oauth_member<'a>(view: &View<'a>) -> Option<(String, &'a AuthScheme)> {
    let helpers = OauthHelpers::new(view);
    let first = helpers.schemes.first().copied()?;
    Some((helpers.member, first))
}

/// A flow of a scheme that the runtime can run: its URLs are there.
fn oauth_flow<'a>(ir: &'a Ir, row: &AuthScheme, kind: FlowKind) -> Option<&'a OauthFlow> {
    let AuthKind::Oauth2 { flows, .. } = row.kind else { return None };
    let is_whole = |flow: &&OauthFlow| {
        let is_authorized = flow.kind != FlowKind::AuthorizationCode || flow.authorization_url.is_some();
        flow.kind == kind && flow.token_url.is_some() && is_authorized
    };
    ir.flows.slice(flows).iter().find(is_whole)
}

/// Whether a client of this API may run a flow.
fn runs_flows(ir: &Ir) -> bool {
    let runs = |row: &AuthScheme| {
        [FlowKind::ClientCredentials, FlowKind::AuthorizationCode]
            .iter()
            .any(|&kind| oauth_flow(ir, row, kind).is_some())
    };
    ir.schemes.rows().iter().any(runs)
}

/// The members of the client: namespaces where there are several, else the resources of the only one.
fn children(view: &View<'_>) -> Vec<Child> {
    let mut children = resource_children(view);
    if macros::has_macros(view) {
        let module = Some("./macros.js".to_owned());
        children.push(Child { member: view.macros_member(), class: macros::CLASS.to_owned(), module, doc: None });
    }
    children
}

fn resource_children(view: &View<'_>) -> Vec<Child> {
    let ids = || (0..view.namespaces.len()).map(NamespaceId::from_index);
    if !view.has_many_namespaces() {
        return ids().flat_map(|id| view.roots(id)).map(|root| child(view, root, 0)).collect();
    }
    let of_namespace = |id: NamespaceId| {
        let name = &view.namespace(id).name;
        let module = format!("./resources/{name}.js");
        Child { member: name.clone(), class: namespace_class(view, id), module: Some(module), doc: None }
    };
    ids().filter(|&id| !view.roots(id).is_empty()).map(of_namespace).collect()
}

/// The class of a namespace.
pub(crate) fn namespace_class(view: &View<'_>, id: NamespaceId) -> String {
    TYPESCRIPT.identifier(Role::Type, &[&view.namespace(id).name, "namespace"])
}

/// `src/internal.ts`: what holds for the whole API.
pub(crate) fn internal(view: &View<'_>, package: &Package, header: &str) -> String {
    let ir = view.ir;
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    o.import(RUNTIME, "ClientCore");
    o.import_type(RUNTIME, "ApiDescriptor");
    o.import_type(RUNTIME, "ClientOptions");
    note(&mut o, "What holds for the whole API.".to_owned());
    o.layout(|doc| {
        doc.text("export const api: ApiDescriptor = ");
        object_broken(doc, |o| {
            o.string("name", literals::string(ir, ir.api.name));
            o.string("version", literals::string(ir, ir.api.version));
            let agent = format!("{}/{} tungsten/{} (typescript)", package.name, package.version, package.generator);
            o.string("userAgent", format!("\"{agent}\""));
            o.member("servers", |doc| {
                array(doc, Items::Others, ir.api.servers, |doc, id| doc.text(literals::string(ir, ir.servers[id].url)));
            });
            let schemes: Vec<&AuthScheme> =
                ir.schemes.rows().iter().filter(|scheme| scheme.kind != AuthKind::Unsupported).collect();
            let kind = if schemes.len() > 1 { Items::Composite } else { Items::Others };
            o.member("auth", |doc| array(doc, kind, schemes, |doc, row| object(doc, |o| scheme(o, ir, row))));
            agent::api(o, ir);
        });
        doc.text(";");
    });
    o.blank();
    note(&mut o, "Credentials, options and state that calls share, for functions without the client.".to_owned());
    o.block("export function createCore(options: ClientOptions = {}): ClientCore", |o| {
        let parts =
            if runs_flows(ir) { format!(", {{ oauth: {} }}", o.import(RUNTIME, "oauth2")) } else { String::new() };
        line!(o, "return new ClientCore(api, options{parts});");
    });
    o.finish(header)
}

fn scheme(o: &mut Members<'_>, ir: &Ir, row: &AuthScheme) {
    let name = literals::string(ir, row.name);
    match row.kind {
        AuthKind::ApiKey { location, wire_name } => {
            o.plain("kind", "\"api_key\"");
            o.string("name", name);
            let location = match location {
                KeyLocation::Header => "\"header\"",
                KeyLocation::Query => "\"query\"",
                KeyLocation::Cookie => "\"cookie\"",
            };
            o.plain("in", location);
            o.string("wire", literals::string(ir, wire_name));
        }
        AuthKind::Bearer { prefix, .. } => {
            o.plain("kind", "\"http_bearer\"");
            o.string("name", name);
            if let Some(prefix) = prefix {
                o.string("prefix", literals::string(ir, prefix));
            }
        }
        // Discovery and obtaining tokens are the caller's (TG0712). Unsupported schemes were left out.
        AuthKind::OpenIdConnect { .. } | AuthKind::Unsupported => {
            o.plain("kind", "\"http_bearer\"");
            o.string("name", name);
        }
        AuthKind::Basic => {
            o.plain("kind", "\"http_basic\"");
            o.string("name", name);
        }
        AuthKind::Oauth2 { .. } => {
            o.plain("kind", "\"oauth2\"");
            o.string("name", name);
            oauth(o, ir, row);
        }
        AuthKind::Composite { satisfies, parts } => {
            o.plain("kind", "\"composite\"");
            o.string("name", name);
            o.member("satisfies", |doc| {
                array(doc, Items::Others, satisfies, |doc, id| doc.text(literals::string(ir, ir.satisfied[id])));
            });
            o.member("parts", |doc| auth_parts(doc, ir, parts));
        }
    }
}

/// The flows that the runtime can run by itself: that of a client, and that of a user who authorized.
fn oauth(o: &mut Members<'_>, ir: &Ir, row: &AuthScheme) {
    if let Some(flow) = oauth_flow(ir, row, FlowKind::ClientCredentials) {
        flow_url(o, ir, "tokenUrl", flow.token_url);
        flow_scopes(o, ir, flow);
    }
    let Some(flow) = oauth_flow(ir, row, FlowKind::AuthorizationCode) else { return };
    o.member("authorizationCode", |doc| {
        object(doc, |o| {
            flow_url(o, ir, "authorizationUrl", flow.authorization_url);
            flow_url(o, ir, "tokenUrl", flow.token_url);
            flow_url(o, ir, "refreshUrl", flow.refresh_url);
            flow_scopes(o, ir, flow);
        });
    });
}

fn flow_url(o: &mut Members<'_>, ir: &Ir, key: &str, url: Option<Sym>) {
    if let Some(url) = url {
        o.string(key, literals::string(ir, url));
    }
}

fn flow_scopes(o: &mut Members<'_>, ir: &Ir, flow: &OauthFlow) {
    if !flow.scopes.is_empty() {
        o.member("scopes", |doc| {
            array(doc, Items::Others, flow.scopes, |doc, id| doc.text(literals::string(ir, ir.scopes[id].name)));
        });
    }
}

fn auth_parts(doc: &mut Doc, ir: &Ir, parts: Span<AuthPartId>) {
    let several = |part: &AuthPart| !matches!(part, AuthPart::Bearer { prefix: None, .. });
    let rows = ir.auth_parts.slice(parts);
    let kind = if rows.len() > 1 && rows.iter().all(several) { Items::Composite } else { Items::Others };
    array(doc, kind, rows, |doc, part| {
        object(doc, |o| match *part {
            AuthPart::Cookie { name } => {
                o.plain("kind", "\"cookie\"");
                o.string("name", literals::string(ir, name));
            }
            AuthPart::Header { name, source, mutation_only } => {
                o.plain("kind", "\"header\"");
                o.string("name", literals::string(ir, name));
                match source {
                    HeaderSource::Cookie(cookie) => o.string("equalsCookie", literals::string(ir, cookie)),
                    HeaderSource::Config(key) => o.string("fromConfig", literals::string(ir, key)),
                }
                o.flag("mutationOnly", mutation_only);
            }
            AuthPart::Bearer { prefix, .. } => {
                o.plain("kind", "\"bearer\"");
                if let Some(prefix) = prefix {
                    o.string("prefix", literals::string(ir, prefix));
                }
            }
        });
    });
}

/// Says which schemes are sent in a simpler way than the description means.
pub(crate) fn report_schemes(ir: &Ir, diags: &mut Diags) {
    for (id, row) in ir.schemes.iter() {
        if matches!(row.kind, AuthKind::OpenIdConnect { .. }) {
            let name = base::diag::quoted(ir.names.resolve(row.name));
            let message = format!("the SDK sends the credential of the OpenID Connect scheme {name} as a bearer token");
            diags.report(Code::TG0712, first_use(ir, id), message);
        }
    }
}

/// The first operation that may be called with a scheme; nowhere when there is none.
fn first_use(ir: &Ir, scheme: SchemeId) -> Place {
    let uses = |op: &&Op| {
        let mut needed = ir.ops.alternatives.slice(op.security).iter().flat_map(|one| one.all_of);
        needed.any(|id| ir.ops.requirements[id].scheme == scheme)
    };
    let op = ir.ops.rows.rows().iter().find(uses);
    op.map_or_else(Place::default, |op| Place::at(op.origin.source, "", (op.origin.offset, op.origin.offset)))
}

/// `src/index.ts`: all that a user of the package imports. A model hides a name of the runtime.
pub(crate) fn index(view: &View<'_>, package: &Package, header: &str) -> String {
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    line!(o, "export {{ {} }} from \"./client.js\";", package.client);
    o.line("export { createCore } from \"./internal.js\";");
    for namespace in view.namespaces.iter().filter(|namespace| !namespace.declarations.is_empty()) {
        let (name, local) = (&namespace.name, &namespace.local);
        if view.has_many_namespaces() {
            line!(o, "export type * as {local} from \"./models/{name}.js\";");
        } else {
            line!(o, "export type * from \"./models/{name}.js\";");
        }
    }
    let is_model = |name: &str| {
        let declared =
            |declaration: &crate::view::Declaration| view.declared_name(declaration.ty, declaration.form) == name;
        !view.has_many_namespaces()
            && view.namespaces.iter().any(|namespace| namespace.declarations.iter().any(declared))
    };
    let streams = Streams::of(view);
    let mut names = RE_EXPORTED.to_vec();
    if streams.items {
        names.extend(["EventStream", "StreamEvent"]);
    }
    if streams.items || streams.bytes {
        names.push("StreamOptions");
    }
    names.sort_unstable();
    names.retain(|name| !is_model(name));
    if !names.is_empty() {
        o.layout(|doc| {
            doc.text("export type ");
            tungsten_emit::layout::typescript::names(doc, names, tungsten_emit::Doc::text);
            doc.text(format_args!(" from \"{RUNTIME}\";"));
        });
    }
    if streams.bytes && !is_model("DownloadError") {
        line!(o, "export {{ DownloadError }} from \"{RUNTIME}\";");
    }
    o.line("export * as custom from \"./custom/index.js\";");
    o.finish(header)
}

/// Which kinds of streams an API has.
struct Streams {
    items: bool,
    bytes: bool,
}

impl Streams {
    fn of(view: &View<'_>) -> Self {
        let streams = || view.plan.calls.rows().iter().filter_map(|call| call.stream);
        Self {
            items: streams().any(|stream| !streams::is_bytes(view, stream)),
            bytes: streams().any(|stream| streams::is_bytes(view, stream)),
        }
    }
}

/// `src/descriptors.ts`: the descriptors of all calls.
pub(crate) fn descriptors(view: &View<'_>, header: &str) -> String {
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    if view.has_many_namespaces() {
        for namespace in &view.namespaces {
            let (name, local) = (&namespace.name, &namespace.local);
            line!(o, "export * as {local} from \"./descriptors/{name}.js\";");
        }
    } else {
        re_export(&mut o, view, None, "./descriptors/");
    }
    o.finish(header)
}

/// `src/descriptors/<namespace>.ts`, where there are several namespaces.
pub(crate) fn namespace_descriptors(view: &View<'_>, id: NamespaceId, header: &str) -> String {
    let mut o = Writer::new(&Lang::TYPESCRIPT);
    re_export(&mut o, view, Some(id), "./");
    o.finish(header)
}

fn re_export(o: &mut Writer, view: &View<'_>, only: Option<NamespaceId>, folder: &str) {
    let mut some = false;
    let has_calls = |id| view.nodes_of_file(id).any(|node| !view.plan.nodes[node].calls.is_empty());
    for id in view.files() {
        if has_calls(id) && only.is_none_or(|only| view.namespace_of_node(id) == only) {
            line!(o, "export * from \"{folder}{}.js\";", view.node_path(id));
            some = true;
        }
    }
    if !some {
        o.line("export {};");
    }
}
