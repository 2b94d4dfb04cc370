//! Authentication: the schemes that documents define, and the requirements that name them.
//!
//! Reads `components/securitySchemes`, `security` and a project's auth profiles; writes schemes in the order of their
//! names. Equal names with other definitions are qualified by their namespace (TG0401); a scheme that cannot be used is
//! kept as such (TG0509); an alternative that names an undefined one is dropped (TG0502).

use crate::lookup::{Map, Set};
use base::diag::quoted;
use base::suggest::did_you_mean;
use base::{Code, Diags, Id, Span, Sym, Table, TextId};
use base_doc::{DocId, Kind, NodeRef, Value};
use rayon::prelude::*;
use tungsten_ir::{
    Alternative, AlternativeId, AuthKind, AuthPart, AuthPartId, AuthScheme, Doc, FlowKind, HeaderSource, KeyLocation,
    NamespaceId, OauthFlow, Requirement, SchemeId, Scope,
};

use crate::declared::{self, DeclaredAuth};
use crate::keywords as kw;
use crate::lower::Lowering;
use crate::operations::METHODS;
use crate::overrides::{AuthHeaderSource, AuthProfile, AuthProfileKind, AuthProfilePart};
use crate::params::meant;
use crate::refs::Reference;
use crate::version::Entry;

/// Headers that carry an API key, for documents that state no scheme.
const KEY_HEADERS: &[&str] = &["x-api-key", "api-key", "apikey"];

/// The name of an inferred scheme.
const INFERRED_NAME: &str = "apiKey";

/// Scheme names that a message spells out.
const NAMES_SHOWN: usize = 8;

/// The schemes of each namespace.
#[derive(Debug, Default)]
pub(crate) struct NamespaceSchemes {
    by_name: Vec<Map<Sym, SchemeId>>,
    /// By the place of the definition, for requirements that name it by its URI.
    by_place: Vec<Map<NodeRef, SchemeId>>,
    /// As the documents call them, in the order of `lists`.
    own_names: Vec<Vec<Sym>>,
    lists: Vec<Vec<SchemeId>>,
    /// By namespace: the scheme that every operation needs, though no requirement says so.
    inferred: Vec<Option<SchemeId>>,
}

impl NamespaceSchemes {
    /// All schemes of a namespace.
    pub(crate) fn of(&self, namespace: NamespaceId) -> &[SchemeId] {
        self.lists.get(namespace.index()).map_or(&[], Vec::as_slice)
    }

    fn find(&self, namespace: NamespaceId, name: Sym) -> Option<SchemeId> {
        self.by_name.get(namespace.index())?.get(&name).copied()
    }

    fn at(&self, namespace: NamespaceId, place: NodeRef) -> Option<SchemeId> {
        self.by_place.get(namespace.index())?.get(&place).copied()
    }
}

/// A scheme as one document defines it.
struct Definition<'a> {
    namespace: usize,
    name: &'a str,
    /// Nothing for a scheme that the project declares.
    at: Option<Value<'a>>,
    kind: DefinedKind<'a>,
    doc: Option<TextId>,
    is_inferred: bool,
    is_deprecated: bool,
}

/// What makes two definitions the same.
#[derive(Clone, PartialEq, Eq, Hash)]
enum DefinedKind<'a> {
    ApiKey { location: KeyPlace, wire_name: &'a str },
    Bearer { format: Option<&'a str> },
    Basic,
    Oauth2 { flows: Vec<DefinedFlow<'a>>, metadata_url: Option<&'a str> },
    OpenIdConnect { url: &'a str },
    Unsupported,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum KeyPlace {
    Header,
    Query,
    Cookie,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct DefinedFlow<'a> {
    kind: usize,
    token_url: Option<&'a str>,
    authorization_url: Option<&'a str>,
    refresh_url: Option<&'a str>,
    device_authorization_url: Option<&'a str>,
    scopes: Vec<(&'a str, Option<&'a str>)>,
}

/// The types of schemes, as they are written.
const TYPES: [&str; 5] = ["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"];

const FLOWS: [(Sym, FlowKind); 5] = [
    (kw::CLIENT_CREDENTIALS, FlowKind::ClientCredentials),
    (kw::AUTHORIZATION_CODE, FlowKind::AuthorizationCode),
    (kw::PASSWORD, FlowKind::Password),
    (kw::IMPLICIT, FlowKind::Implicit),
    (kw::DEVICE_AUTHORIZATION, FlowKind::DeviceAuthorization),
];

/// Writes the schemes of all documents and profiles.
pub(crate) fn schemes<'a>(
    lower: &mut Lowering<'a>,
    entries: &[Entry<'a>],
    profiles: &'a [AuthProfile],
    diags: &mut Diags,
) -> (NamespaceSchemes, DeclaredAuth<'a>) {
    let mut definitions = Vec::new();
    for (namespace, entry) in entries.iter().enumerate() {
        let before = definitions.len();
        defined(lower, namespace, entry.root, &mut definitions);
        by_uri(lower, namespace, entry.doc, &mut definitions);
        let n_stated = definitions.len();
        declared_here(namespace, entry.namespace, profiles, before, &mut definitions, diags);
        let mut declaring = profiles.iter().filter_map(|profile| profile.declares.as_ref());
        let is_declared = declaring.any(|declares| declared::is_for(declares, entry.namespace));
        if n_stated == before && !is_declared {
            definitions.extend(inferred(lower, namespace, entry.root));
        }
    }
    report_idle(profiles, &definitions, diags);
    let names = ir_names(lower, entries, &definitions);
    let mut order: Vec<usize> = (0..definitions.len()).collect();
    order.sort_by(|&a, &b| names[a].cmp(&names[b]).then(a.cmp(&b)));
    let composites = composites(lower, &definitions, &names, profiles, diags);

    let mut schemes = NamespaceSchemes {
        by_name: vec![Map::default(); entries.len()],
        by_place: vec![Map::default(); entries.len()],
        own_names: vec![Vec::new(); entries.len()],
        lists: vec![Vec::new(); entries.len()],
        inferred: vec![None; entries.len()],
    };
    let mut composites = composites.into_iter().peekable();
    let mut composite_ids: Vec<(String, SchemeId)> = Vec::new();
    let mut last: Option<(&str, SchemeId)> = None;
    for index in order {
        let (definition, name) = (&definitions[index], names[index].as_str());
        let id = match last {
            Some((last_name, id)) if last_name == name => id,
            _ => {
                while let Some((own, composite)) = composites.next_if(|(composite, _)| composite.as_str() < name) {
                    composite_ids.push((own, lower.ir.schemes.push(composite)));
                }
                let row = scheme_row(lower, definition, name, profiles);
                lower.ir.schemes.push(row)
            }
        };
        last = Some((name, id));
        let own_name = lower.name(definition.name);
        schemes.by_name[definition.namespace].entry(own_name).or_insert(id);
        if let Some(target) = definition.at.and_then(|at| lower.follow(at)) {
            schemes.by_place[definition.namespace].insert(target.at(), id);
        }
        schemes.own_names[definition.namespace].push(own_name);
        schemes.lists[definition.namespace].push(id);
        if definition.is_inferred {
            schemes.inferred[definition.namespace] = Some(id);
        }
    }
    for (own, composite) in composites {
        composite_ids.push((own, lower.ir.schemes.push(composite)));
    }
    let declared = declared_auth(lower, entries, profiles, &schemes, &composite_ids);
    (schemes, declared)
}

/// Adds the schemes that profiles declare for a namespace, where its document has none of the name.
fn declared_here<'a>(
    namespace: usize,
    name: &str,
    profiles: &'a [AuthProfile],
    first: usize,
    out: &mut Vec<Definition<'a>>,
    diags: &mut Diags,
) {
    for profile in profiles {
        let is_here = profile.declares.as_ref().is_some_and(|declares| declared::is_for(declares, name));
        if !is_here || out[first..].iter().any(|definition| definition.name == profile.name) {
            continue;
        }
        let kind = match &profile.kind {
            AuthProfileKind::Composite(_) => continue,
            AuthProfileKind::Bearer { .. } => DefinedKind::Bearer { format: None },
            AuthProfileKind::Basic { .. } => DefinedKind::Basic,
            AuthProfileKind::ApiKey { at: Some((location, wire_name)), .. } => {
                let location = match location {
                    KeyLocation::Header => KeyPlace::Header,
                    KeyLocation::Query => KeyPlace::Query,
                    KeyLocation::Cookie => KeyPlace::Cookie,
                };
                DefinedKind::ApiKey { location, wire_name }
            }
            AuthProfileKind::ApiKey { at: None, .. } => {
                let message =
                    format!("the profile {} declares a key and does not say where it goes", quoted(&profile.name));
                diags.report(Code::TG0620, profile.place.clone(), message).help =
                    Some("add `in` and `name` to `api_key`".to_owned());
                continue;
            }
        };
        out.push(Definition {
            namespace,
            name: &profile.name,
            at: None,
            kind,
            doc: None,
            is_inferred: false,
            is_deprecated: false,
        });
    }
}

/// Pairs the profiles that declare a scheme with it, in each namespace.
fn declared_auth<'a>(
    lower: &mut Lowering<'a>,
    entries: &[Entry<'a>],
    profiles: &'a [AuthProfile],
    schemes: &NamespaceSchemes,
    composites: &[(String, SchemeId)],
) -> DeclaredAuth<'a> {
    let mut auth = DeclaredAuth::default();
    for profile in profiles {
        let Some(declares) = &profile.declares else { continue };
        let composite = composites.iter().find(|(name, _)| *name == profile.name).map(|(_, id)| *id);
        let is_composite = matches!(profile.kind, AuthProfileKind::Composite(_));
        let name = lower.name(&profile.name);
        let scheme_in = |(index, entry): (usize, &Entry<'_>)| {
            let own = || schemes.by_name[index].get(&name).copied();
            let scheme = if is_composite { composite } else { own() };
            scheme.filter(|_| declared::is_for(declares, entry.namespace))
        };
        auth.add(profile, declares, entries.iter().enumerate().map(scheme_in).collect());
    }
    auth
}

/// Whether a profile configures a scheme: by its name, or because it satisfies it.
fn configures(profile: &AuthProfile, definition: &Definition<'_>, name: &str) -> bool {
    let is_named = |wanted: &str| wanted == name || wanted == definition.name;
    is_named(&profile.name) || profile.satisfies.iter().any(|wanted| is_named(&wanted.name))
}

/// Whether a profile's credential is one of the scheme's.
fn fits(profile: &AuthProfileKind, scheme: &DefinedKind<'_>) -> bool {
    match profile {
        AuthProfileKind::Composite(_) => true,
        AuthProfileKind::Bearer { prefix, .. } => match scheme {
            DefinedKind::Bearer { .. } => true,
            DefinedKind::Oauth2 { .. } | DefinedKind::OpenIdConnect { .. } => prefix.is_none(),
            _ => false,
        },
        AuthProfileKind::Basic { .. } => matches!(scheme, DefinedKind::Basic),
        AuthProfileKind::ApiKey { .. } => matches!(scheme, DefinedKind::ApiKey { .. }),
    }
}

/// Reports profiles that nothing is done with: no scheme has their name, or one of another kind.
fn report_idle(profiles: &[AuthProfile], definitions: &[Definition<'_>], diags: &mut Diags) {
    for profile in profiles {
        let name = quoted(&profile.name);
        if matches!(profile.kind, AuthProfileKind::Composite(_)) {
            if profile.satisfies.is_empty() && profile.declares.is_none() {
                let message = format!("the profile {name} satisfies no scheme and declares none, so it is never used");
                diags.report(Code::TG0620, profile.place.clone(), message).help =
                    Some("name the schemes that it stands in for under `satisfies`".to_owned());
            }
            continue;
        }
        let own: Vec<&Definition<'_>> = definitions.iter().filter(|one| configures(profile, one, one.name)).collect();
        // What it satisfies and nobody defines is an error of its own (TG0503).
        let is_else = profile.declares.is_some() || !profile.satisfies.is_empty();
        if own.iter().any(|one| fits(&profile.kind, &one.kind)) || own.is_empty() && is_else {
            continue;
        }
        let (message, help) = if own.is_empty() {
            let known = definitions.iter().map(|one| one.name);
            let help = did_you_mean(&profile.name, known)
                .unwrap_or_else(|| "add `declares` if the profile is to be a scheme of its own".to_owned());
            (format!("no input defines a security scheme {name}, so the profile is never used"), help)
        } else {
            let help = "state `bearer`, `basic` or `api_key`, as the scheme is; `prefix` is for bearer schemes";
            (format!("the profile {name} is of another kind than the security scheme that it is for"), help.to_owned())
        };
        diags.report(Code::TG0620, profile.place.clone(), message).help = Some(help);
    }
}

/// Reads the schemes that a document defines.
fn defined<'a>(lower: &mut Lowering<'a>, namespace: usize, root: Value<'a>, out: &mut Vec<Definition<'a>>) {
    let components = root.get(kw::COMPONENTS);
    let list = components.and_then(|components| components.get(kw::SECURITY_SCHEMES));
    let Some(list) = list.and_then(|list| lower.follow(list)) else { return };
    for member in list.children() {
        let Some(name) = member.key_text() else { continue };
        out.extend(definition(lower, namespace, name, member));
    }
}

/// Reads the schemes that requirements name by their URI and that are no component of the entry document (OpenAPI 3.2,
/// section 4.30): each is called as its own document calls it.
fn by_uri<'a>(lower: &mut Lowering<'a>, namespace: usize, entry: DocId, out: &mut Vec<Definition<'a>>) {
    let mut known: Set<NodeRef> = Set::default();
    for definition in out.iter().filter(|definition| definition.namespace == namespace) {
        known.extend(definition.at.and_then(|at| lower.follow(at)).map(Value::at));
    }
    for &requirement in lower.refs.requirements(entry) {
        let Reference::To(target) = lower.refs.get(requirement) else { continue };
        let Some(scheme) = lower.follow(lower.docs.value(target)) else { continue };
        let Some(name) = lower.docs.value(target).key_text().filter(|_| known.insert(scheme.at())) else { continue };
        out.extend(definition(lower, namespace, name, scheme));
    }
}

/// Reads one scheme; one that cannot be used is kept as such. Nothing when a reference is broken, which was reported.
fn definition<'a>(lower: &mut Lowering<'a>, namespace: usize, name: &'a str, at: Value<'a>) -> Option<Definition<'a>> {
    let scheme = lower.follow(at)?;
    let kind = match read_kind(scheme) {
        Ok(kind) => kind,
        Err(why) => {
            let message = format!("the security scheme {} is not used: {why}", quoted(name));
            let ty = scheme.get(kw::TYPE).and_then(Value::as_str).filter(|ty| !TYPES.contains(ty));
            let finding = lower.report(Code::TG0509, at, message);
            finding.help = ty.and_then(|ty| meant(ty, &TYPES)).or(finding.help.take());
            DefinedKind::Unsupported
        }
    };
    if let DefinedKind::Oauth2 { flows, .. } = &kind {
        report_lacking(lower, scheme, flows);
    }
    let doc = Doc { description: scheme.get(kw::DESCRIPTION).and_then(|text| lower.text_of(text)), ..Doc::default() };
    let doc = lower.doc_beside(at, doc).description;
    let is_deprecated = scheme.get(kw::DEPRECATED).and_then(Value::as_bool) == Some(true);
    Some(Definition { namespace, name, at: Some(at), kind, doc, is_inferred: false, is_deprecated })
}

fn read_kind(scheme: Value<'_>) -> Result<DefinedKind<'_>, String> {
    let text = |key: Sym| scheme.get(key).and_then(Value::as_str);
    let ty = text(kw::TYPE).ok_or("it states no `type`")?;
    match ty {
        "apiKey" => {
            let location = match text(kw::IN) {
                Some("header") => KeyPlace::Header,
                Some("query") => KeyPlace::Query,
                Some("cookie") => KeyPlace::Cookie,
                _ => return Err("an `apiKey` states `in`: header, query or cookie".into()),
            };
            let wire_name = text(kw::NAME).filter(|name| !name.is_empty()).ok_or("an `apiKey` states its `name`")?;
            Ok(DefinedKind::ApiKey { location, wire_name })
        }
        "http" => {
            let scheme = text(kw::SCHEME).ok_or("an `http` scheme states its `scheme`")?;
            match scheme.to_ascii_lowercase().as_str() {
                "bearer" => Ok(DefinedKind::Bearer { format: text(kw::BEARER_FORMAT) }),
                "basic" => Ok(DefinedKind::Basic),
                _ => Err(format!("the HTTP scheme {} is neither bearer nor basic", quoted(scheme))),
            }
        }
        "oauth2" => {
            let flows = scheme.get(kw::FLOWS).filter(|flows| flows.kind() == Kind::Object);
            let flows = read_flows(flows.ok_or("an `oauth2` scheme states its `flows`")?);
            if flows.is_empty() {
                Err("an `oauth2` scheme states its `flows`".into())
            } else {
                Ok(DefinedKind::Oauth2 { flows, metadata_url: text(kw::OAUTH2_METADATA_URL) })
            }
        }
        "openIdConnect" => {
            let url = text(kw::OPEN_ID_CONNECT_URL).ok_or("an `openIdConnect` scheme states its `openIdConnectUrl`")?;
            Ok(DefinedKind::OpenIdConnect { url })
        }
        _ => Err(format!("the type {} is not supported", quoted(ty))),
    }
}

fn read_flows(flows: Value<'_>) -> Vec<DefinedFlow<'_>> {
    let mut out = Vec::new();
    for flow in flows.children().filter(|flow| flow.kind() == Kind::Object) {
        let Some(kind) = FLOWS.iter().position(|(key, _)| flow.key() == Some(*key)) else { continue };
        let text = |key: Sym| flow.get(key).and_then(Value::as_str);
        let scopes = flow.get(kw::SCOPES).into_iter().flat_map(Value::children);
        out.push(DefinedFlow {
            kind,
            token_url: text(kw::TOKEN_URL),
            authorization_url: text(kw::AUTHORIZATION_URL),
            refresh_url: text(kw::REFRESH_URL),
            device_authorization_url: text(kw::DEVICE_AUTHORIZATION_URL),
            scopes: scopes.filter_map(|scope| Some((scope.key_text()?, scope.as_str()))).collect(),
        });
    }
    out
}

/// Reports the flows that lack a URL which they need (OpenAPI 3.1.1, section 4.8.29.1).
fn report_lacking<'a>(lower: &mut Lowering<'a>, scheme: Value<'a>, flows: &[DefinedFlow<'a>]) {
    for flow in flows {
        let (key, kind) = FLOWS[flow.kind];
        let has_pages = matches!(kind, FlowKind::AuthorizationCode | FlowKind::Implicit);
        let lacks = [
            ("authorizationUrl", has_pages && flow.authorization_url.is_none()),
            ("tokenUrl", kind != FlowKind::Implicit && flow.token_url.is_none()),
            (
                "deviceAuthorizationUrl",
                kind == FlowKind::DeviceAuthorization && flow.device_authorization_url.is_none(),
            ),
        ];
        let Some(at) = scheme.get(kw::FLOWS).and_then(|flows| flows.get(key)) else { continue };
        for (url, _) in lacks.into_iter().filter(|(_, is_lacking)| *is_lacking) {
            let name = lower.docs.keys.resolve(key);
            let message = format!("the flow `{name}` states no `{url}`; no token is to be had by it");
            lower.report(Code::TG0509, at, message);
        }
    }
}

/// A scheme for a document that defines none and requires none, but declares a header that carries an API key.
fn inferred<'a>(lower: &mut Lowering<'a>, namespace: usize, root: Value<'a>) -> Option<Definition<'a>> {
    if root.get(kw::SECURITY).is_some() {
        return None;
    }
    let items: Vec<Value<'a>> = root.get(kw::PATHS).into_iter().flat_map(Value::children).collect();
    let reader = &*lower;
    let looks: Vec<KeyLook<'a>> = items.par_iter().map(|item| key_look(reader, *item)).collect();
    let mut found = None;
    for look in looks {
        match look {
            KeyLook::Secured => return None,
            KeyLook::Header { at, wire_name } => found = found.or(Some((at, wire_name))),
            KeyLook::Nothing => {}
        }
    }
    let (at, wire_name) = found?;
    let message = format!("no security scheme is defined; the header {} is taken to be one", quoted(wire_name));
    lower.report(Code::TG0112, at, message);
    let kind = DefinedKind::ApiKey { location: KeyPlace::Header, wire_name };
    Some(Definition {
        namespace,
        name: INFERRED_NAME,
        at: Some(at),
        kind,
        doc: None,
        is_inferred: true,
        is_deprecated: false,
    })
}

/// What a path item says about keys.
enum KeyLook<'a> {
    /// One of its operations states what it needs.
    Secured,
    /// The first header that looks like a key, and where its name stands.
    Header {
        at: Value<'a>,
        wire_name: &'a str,
    },
    Nothing,
}

fn key_look<'a>(lower: &Lowering<'a>, item: Value<'a>) -> KeyLook<'a> {
    let Some(item) = lower.follow(item) else { return KeyLook::Nothing };
    let operations = item.children().filter(|member| METHODS.iter().any(|(key, _)| member.key() == Some(*key)));
    let operations: Vec<Value<'a>> = operations.filter_map(|operation| lower.follow(operation)).collect();
    if operations.iter().any(|operation| operation.get(kw::SECURITY).is_some()) {
        return KeyLook::Secured;
    }
    let owners = std::iter::once(item).chain(operations);
    let mut params = owners.filter_map(|owner| owner.get(kw::PARAMETERS)).flat_map(Value::children);
    let header = params.find_map(|param| key_header(lower, param));
    header.map_or(KeyLook::Nothing, |(at, wire_name)| KeyLook::Header { at, wire_name })
}

fn key_header<'a>(lower: &Lowering<'a>, param: Value<'a>) -> Option<(Value<'a>, &'a str)> {
    let param = lower.follow(param)?;
    let at = param.get(kw::NAME)?;
    let name = at.as_str()?;
    let is_header = param.get(kw::IN).and_then(Value::as_str) == Some("header");
    let is_key = KEY_HEADERS.iter().any(|key| name.eq_ignore_ascii_case(key));
    (is_header && is_key).then_some((at, name))
}

/// The names of the definitions in the IR: qualified where documents disagree about a name.
fn ir_names<'a>(lower: &mut Lowering<'a>, entries: &[Entry<'a>], definitions: &[Definition<'a>]) -> Vec<String> {
    let mut first_of: Map<&str, usize> = Map::default();
    let mut disputed: Set<&str> = Set::default();
    for (index, definition) in definitions.iter().enumerate() {
        let first = *first_of.entry(definition.name).or_insert(index);
        if definitions[first].kind != definition.kind {
            disputed.insert(definition.name);
        }
    }
    let mut names = Vec::with_capacity(definitions.len());
    for definition in definitions {
        if !disputed.contains(definition.name) {
            names.push(definition.name.to_owned());
            continue;
        }
        let name = format!("{}.{}", entries[definition.namespace].namespace, definition.name);
        let message = format!(
            "several documents define a scheme {}; this one becomes {}",
            quoted(definition.name),
            quoted(&name)
        );
        if let Some(at) = definition.at {
            lower.report(Code::TG0401, at, message);
        }
        names.push(name);
    }
    names
}

fn scheme_row(
    lower: &mut Lowering<'_>,
    definition: &Definition<'_>,
    name: &str,
    profiles: &[AuthProfile],
) -> AuthScheme {
    let profile =
        profiles.iter().find(|profile| configures(profile, definition, name) && fits(&profile.kind, &definition.kind));
    let (mut env, mut prefix) = (None, None);
    match (profile.map(|profile| &profile.kind), &definition.kind) {
        (Some(AuthProfileKind::Bearer { env: from, prefix: with }), DefinedKind::Bearer { .. }) => {
            env = from.as_deref().map(|env| lower.name(env));
            prefix = with.as_deref().map(|prefix| lower.name(prefix));
        }
        (
            Some(
                AuthProfileKind::Bearer { env: from, .. }
                | AuthProfileKind::Basic { env: from }
                | AuthProfileKind::ApiKey { env: from, .. },
            ),
            _,
        ) => {
            env = from.as_deref().map(|env| lower.name(env));
        }
        _ => {}
    }
    let kind = match &definition.kind {
        DefinedKind::ApiKey { location, wire_name } => {
            let location = match location {
                KeyPlace::Header => KeyLocation::Header,
                KeyPlace::Query => KeyLocation::Query,
                KeyPlace::Cookie => KeyLocation::Cookie,
            };
            AuthKind::ApiKey { location, wire_name: lower.name(wire_name) }
        }
        DefinedKind::Bearer { format } => AuthKind::Bearer { format: format.map(|text| lower.name(text)), prefix },
        DefinedKind::Basic => AuthKind::Basic,
        DefinedKind::Oauth2 { flows, metadata_url } => {
            AuthKind::Oauth2 { flows: flow_rows(lower, flows), metadata_url: metadata_url.map(|url| lower.name(url)) }
        }
        DefinedKind::OpenIdConnect { url } => AuthKind::OpenIdConnect { url: lower.name(url) },
        DefinedKind::Unsupported => AuthKind::Unsupported,
    };
    AuthScheme { name: lower.name(name), kind, doc: definition.doc, env, deprecated: definition.is_deprecated }
}

fn flow_rows(lower: &mut Lowering<'_>, flows: &[DefinedFlow<'_>]) -> Span<tungsten_ir::FlowId> {
    let mut rows = Vec::with_capacity(flows.len());
    for flow in flows {
        let mut scopes = Vec::with_capacity(flow.scopes.len());
        for (name, doc) in &flow.scopes {
            let doc = doc.filter(|text| !text.is_empty()).map(|text| lower.text(text));
            scopes.push(Scope { name: lower.name(name), doc });
        }
        rows.push(OauthFlow {
            kind: FLOWS[flow.kind].1,
            token_url: flow.token_url.map(|url| lower.name(url)),
            authorization_url: flow.authorization_url.map(|url| lower.name(url)),
            refresh_url: flow.refresh_url.map(|url| lower.name(url)),
            device_authorization_url: flow.device_authorization_url.map(|url| lower.name(url)),
            scopes: lower.ir.scopes.extend(scopes),
        });
    }
    lower.ir.flows.extend(rows)
}

/// The composites of the project, sorted by name. Reports what profiles satisfy and nobody defines (TG0503).
fn composites<'a>(
    lower: &mut Lowering<'a>,
    definitions: &[Definition<'a>],
    names: &[String],
    profiles: &[AuthProfile],
    diags: &mut Diags,
) -> Vec<(String, AuthScheme)> {
    let mut out = Vec::new();
    for profile in profiles {
        let mut satisfied: Vec<&str> = Vec::new();
        for wanted in &profile.satisfies {
            let matching = definitions
                .iter()
                .zip(names)
                .filter(|(definition, name)| **name == wanted.name || definition.name == wanted.name);
            let before = satisfied.len();
            satisfied.extend(matching.map(|(_, name)| name.as_str()));
            if satisfied.len() == before {
                let message = format!(
                    "the profile {} satisfies {}, which no input defines",
                    quoted(&profile.name),
                    quoted(&wanted.name)
                );
                let known = definitions.iter().map(|definition| definition.name);
                let diagnostic = diags.report(Code::TG0503, wanted.place.clone(), message);
                diagnostic.help = did_you_mean(&wanted.name, known).or(diagnostic.help.take());
            }
        }
        let AuthProfileKind::Composite(parts) = &profile.kind else { continue };
        satisfied.sort_unstable();
        satisfied.dedup();
        let names: Vec<Sym> = satisfied.into_iter().map(|name| lower.name(name)).collect();
        let kind = AuthKind::Composite { satisfies: lower.ir.satisfied.extend(names), parts: part_rows(lower, parts) };
        let name = lower.name(&profile.name);
        out.push((profile.name.clone(), AuthScheme { name, kind, doc: None, env: None, deprecated: false }));
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}

fn part_rows(lower: &mut Lowering<'_>, parts: &[AuthProfilePart]) -> Span<AuthPartId> {
    let mut rows = Vec::with_capacity(parts.len());
    for part in parts {
        rows.push(match part {
            AuthProfilePart::Cookie { name } => AuthPart::Cookie { name: lower.name(name) },
            AuthProfilePart::Header { name, source, mutation_only } => {
                let source = match source {
                    AuthHeaderSource::EqualsCookie(cookie) => HeaderSource::Cookie(lower.name(cookie)),
                    AuthHeaderSource::FromConfig(key) => HeaderSource::Config(lower.name(key)),
                };
                AuthPart::Header { name: lower.name(name), source, mutation_only: *mutation_only }
            }
            AuthProfilePart::Bearer { env, prefix } => AuthPart::Bearer {
                env: env.as_deref().map(|env| lower.name(env)),
                prefix: prefix.as_deref().map(|prefix| lower.name(prefix)),
            },
        });
    }
    lower.ir.auth_parts.extend(rows)
}

/// The alternatives of one `security`, and what became of the others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requirements {
    alternatives: Span<AlternativeId>,
    /// Names of [`Undefined`] that dropped alternatives give.
    undefined: Span<UndefinedUseId>,
}

impl Requirements {
    const NONE: Self = Self { alternatives: Span::EMPTY, undefined: Span::EMPTY };

    /// Whether a credential is asked for and none can be given.
    fn is_left_open(self) -> bool {
        self.alternatives.is_empty() && !self.undefined.is_empty()
    }
}

base::ids! {
    UndefinedUseId "undefined";
}

/// Scheme names that requirements give and nobody defines: one finding a name and document, however many say so.
#[derive(Debug, Default)]
pub(crate) struct Undefined {
    rows: Vec<UndefinedName>,
    index_of: Map<(DocId, Sym), usize>,
    uses: Table<UndefinedUseId, usize>,
}

#[derive(Debug)]
struct UndefinedName {
    name: Sym,
    first: NodeRef,
    /// Operations with a dropped alternative.
    n_ops: usize,
    /// Those of them that have no alternative left.
    n_open: usize,
}

impl Undefined {
    fn note(&mut self, name: Sym, at: NodeRef) -> usize {
        let rows = &mut self.rows;
        *self.index_of.entry((at.doc, name)).or_insert_with(|| {
            rows.push(UndefinedName { name, first: at, n_ops: 0, n_open: 0 });
            rows.len() - 1
        })
    }

    fn count(&mut self, requirements: Requirements) {
        for &index in self.uses.slice(requirements.undefined) {
            self.rows[index].n_ops += 1;
            self.rows[index].n_open += usize::from(requirements.is_left_open());
        }
    }

    /// Reports each name once.
    pub(crate) fn report(&self, lower: &mut Lowering<'_>, schemes: &NamespaceSchemes) {
        let own_names = schemes.own_names.get(lower.namespace.index()).map_or(&[][..], Vec::as_slice);
        let shown: Vec<String> =
            own_names.iter().take(NAMES_SHOWN).map(|&name| quoted(lower.ir.names.resolve(name))).collect();
        let more = if own_names.len() > NAMES_SHOWN { ", …" } else { "" };
        let defined = match own_names.len() {
            0 => "none is defined".to_owned(),
            1 => format!("only {} is defined", shown[0]),
            _ => format!("defined are {}{more}", shown.join(", ")),
        };
        for row in &self.rows {
            let name = quoted(lower.ir.names.resolve(row.name));
            let effect = match (row.n_ops, row.n_open) {
                (0, _) => "no operation needs it".to_owned(),
                (1, 0) => "1 operation names it and needs one of its other alternatives".to_owned(),
                (1, _) => "1 operation names it and is called without a credential".to_owned(),
                (n_ops, 0) => format!("{n_ops} operations name it and need one of their other alternatives"),
                (n_ops, n_open) if n_ops == n_open => {
                    format!("{n_ops} operations name it and are called without a credential")
                }
                (n_ops, n_open) => {
                    format!("{n_ops} operations name it, and {n_open} of them are called without a credential")
                }
            };
            lower.findings.report(
                Code::TG0502,
                row.first,
                format!("no security scheme is named {name} ({defined}); {effect}"),
            );
        }
    }
}

/// Reads the requirements of a document's root, which hold where an operation does not say; the inferred scheme where
/// there is one.
pub(crate) fn default_security<'a>(
    lower: &mut Lowering<'a>,
    schemes: &NamespaceSchemes,
    undefined: &mut Undefined,
    root: Value<'a>,
) -> Requirements {
    let inferred = schemes.inferred.get(lower.namespace.index()).copied().flatten();
    if let Some(scheme) = inferred {
        let all_of = lower.ir.ops.requirements.extend([Requirement { scheme, scopes: Span::EMPTY }]);
        let alternatives = lower.ir.ops.alternatives.extend([Alternative { all_of }]);
        return Requirements { alternatives, ..Requirements::NONE };
    }
    requirements(lower, schemes, undefined, root).unwrap_or(Requirements::NONE)
}

/// Reads the requirements of an operation, or gives the default.
pub(crate) fn security<'a>(
    lower: &mut Lowering<'a>,
    schemes: &NamespaceSchemes,
    undefined: &mut Undefined,
    operation: Value<'a>,
    default: Requirements,
) -> Span<AlternativeId> {
    let requirements = requirements(lower, schemes, undefined, operation).unwrap_or(default);
    undefined.count(requirements);
    requirements.alternatives
}

fn requirements<'a>(
    lower: &mut Lowering<'a>,
    schemes: &NamespaceSchemes,
    undefined: &mut Undefined,
    owner: Value<'a>,
) -> Option<Requirements> {
    let list = owner.get(kw::SECURITY)?;
    if list.kind() != Kind::Array {
        let message = format!("`security` is {}, not a list; it is ignored", list.kind().phrase());
        lower.report(Code::TG0508, list, message);
        return None;
    }
    let mut alternatives = Vec::with_capacity(list.n_children());
    let mut uses = Vec::new();
    for alternative in list.children() {
        alternatives.extend(read_alternative(lower, schemes, undefined, alternative, &mut uses));
    }
    let alternatives = lower.ir.ops.alternatives.extend(alternatives);
    Some(Requirements { alternatives, undefined: undefined.uses.extend(uses) })
}

/// Reads one alternative; nothing when it names a scheme that nobody defines, which is added to `uses`.
fn read_alternative<'a>(
    lower: &mut Lowering<'a>,
    schemes: &NamespaceSchemes,
    undefined: &mut Undefined,
    alternative: Value<'a>,
    uses: &mut Vec<usize>,
) -> Option<Alternative> {
    if alternative.kind() != Kind::Object {
        let message =
            format!("a security requirement is {}, not an object; it is ignored", alternative.kind().phrase());
        lower.report(Code::TG0508, alternative, message);
        return None;
    }
    let mut all_of = Vec::with_capacity(alternative.n_children());
    let mut is_whole = true;
    for requirement in alternative.children() {
        let Some(name) = requirement.key() else { continue };
        let found = match lower.refs.get(requirement.at()) {
            Reference::No => schemes.find(lower.namespace, name),
            Reference::To(_) => lower.follow(requirement).and_then(|scheme| schemes.at(lower.namespace, scheme.at())),
            Reference::Broken => {
                is_whole = false;
                continue;
            }
        };
        let Some(scheme) = found else {
            let index = undefined.note(name, requirement.at());
            if !uses.contains(&index) {
                uses.push(index);
            }
            is_whole = false;
            continue;
        };
        let mut scopes = Vec::new();
        if requirement.kind() != Kind::Array {
            let message = format!("the scopes are {}, not a list; they are ignored", requirement.kind().phrase());
            lower.report(Code::TG0508, requirement, message);
        }
        for scope in requirement.children() {
            if scope.as_str().is_none() {
                let message = format!("a scope is {}, not a text; it is ignored", scope.kind().phrase());
                lower.report(Code::TG0508, scope, message);
            }
            scopes.extend(scope.as_str().map(|scope| lower.name(scope)));
        }
        all_of.push(Requirement { scheme, scopes: lower.ir.ops.scope_uses.extend(scopes) });
    }
    is_whole.then(|| Alternative { all_of: lower.ir.ops.requirements.extend(all_of) })
}
