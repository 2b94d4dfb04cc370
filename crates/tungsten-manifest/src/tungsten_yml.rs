//! `tungsten.yml`: every key once, with its type, its default and its sentence, and the rules between keys.
//!
//! Reads a parsed document; writes a [`Manifest`] and diagnostics (TG0602, TG0604 for a namespace that no input has,
//! TG0612, TG0615). Whether operations, paths and files exist is left to the compiler and the loader.

use std::collections::BTreeSet;

use base::{Code, Diags, Place, Severity};
use base_doc::Value;

use crate::forms::{
    CommandLine, EnvName, Extension, FieldRef, FilePath, HeaderName, HttpMethod, Identifier, KeyPlace, MachineName,
    Only, OperationRef, OutPath, ResourceName, TargetName, Text, UrlPath, Word,
};
use crate::keys::{Key, Object, Presence, Shape, object};
use crate::reader::{Cx, Int, Map, NonEmpty, Raw, RawEntry, True, list};
use crate::targets;

object! {
    /// The shape and naming of a project's SDKs.
    pub struct Manifest {
        /// Version of the manifest's format.
        tungsten: Int<1, 1> => (required),
        /// What the API is called.
        api: Api => (required),
        /// The OpenAPI documents, each a namespace of its own.
        inputs: NonEmpty<Input> => (required); check check_namespaces,
        /// Which operations are compiled, of the inputs that do not say so themselves.
        include: Option<Filter> => (optional "every operation"); check check_filter,
        /// Which operations are planned, of the inputs that do not say so themselves.
        planned_from: Option<Filter> => (optional); check check_filter,
        /// OpenAPI Overlay 1.0 and 1.1 files, applied in order after each input's own. One with `extends` is for the
        /// inputs that it names, another for all.
        overlays: Vec<FilePath> => (optional),
        /// Where the API is served.
        servers: Servers => (optional "the servers of the documents"),
        /// Overrides of the inferred resource tree: namespace, then resource name.
        resources: Map<MachineName, Map<ResourceName, Resource>> => (optional); check check_resource_namespaces,
        /// Names that are chosen instead of derived.
        naming: Naming => (optional),
        /// How callers authenticate, beyond what the documents say; a name may be that of a document's security scheme.
        auth_profiles: Map<Word, AuthProfile> => (optional); check check_key_places,
        /// How operations page, where inference is wrong or finds nothing.
        pagination: Map<OperationRef, Pagination> => (optional "inferred"),
        /// How schemas become types.
        types: Types => (optional),
        /// What is generated, and where to.
        targets: Map<TargetName, Target> => (optional); check targets::check_targets,
        /// Reserved: any value is accepted and none has an effect.
        output: Option<Raw> => (optional) not_applied,
        /// The agent manifest.
        agent: Option<FilePath> => (optional "`agent.yml` beside the manifest, when it is there"),
    }
}

object! {
    /// What the API is called.
    pub struct Api {
        /// Machine name of the API: packages, clients and environment variables are named after it.
        name: MachineName => (required),
        /// Name of the API for people, instead of the first document's title.
        title: Option<Text> => (optional),
        /// Where the API's documentation is published; generated READMEs name it.
        docs_url: Option<Text> => (optional),
        /// What the API is for, in a sentence or two, instead of the first document's description.
        description: Option<Text> => (optional),
    }
}

object! {
    /// One OpenAPI document and the part of it that is compiled.
    pub struct Input {
        /// Name of the document's operations, resources and types: `<namespace>.<operationId>`. No two inputs share
        /// one.
        namespace: MachineName => (required),
        /// The document, relative to the folder of the manifest.
        spec: FilePath => (required),
        /// OpenAPI Overlay 1.0 and 1.1 files for this document, applied in order before the manifest's own.
        overlays: Vec<FilePath> => (optional),
        /// Which operations are compiled. Others are left out (TG0504), webhooks and callbacks stay.
        include: Option<Filter> => (optional "that of the manifest"); check check_filter,
        /// Which operations are planned: listed, but not callable (TG0504). Without `include`, those that match; with
        /// it, those that match and are not included.
        planned_from: Option<Filter> => (optional "that of the manifest"); check check_filter,
        /// The operation that carries many methods in one envelope, to be taken apart.
        rpc_unflatten: Option<RpcUnflatten> => (optional),
        /// A remark for readers of the manifest.
        note: Option<Text> => (optional),
    }
}

object! {
    /// Which operations are meant: those of which everything holds that is stated here.
    pub struct Filter {
        /// Name of an extension that has the value `equals`.
        extension: Option<Extension> => (optional),
        /// The value of the extension.
        equals: Option<Raw> => (optional),
        /// Operations by id, with or without the namespace: the operation is one of them.
        operations: Vec<OperationRef> => (optional),
        /// Tags: the operation has one of them.
        tags: Vec<Word> => (optional),
        /// Paths: the operation's is one of them or below one; `{a}` stands for any placeholder.
        paths: Vec<UrlPath> => (optional),
    }
    only_with extension [equals]
}

object! {
    /// An envelope operation whose request body names a method.
    pub struct RpcUnflatten {
        /// Path of the operation.
        path: UrlPath => (required),
        /// HTTP method of the operation.
        method: HttpMethod => (required),
        /// Property of the request body that names the method.
        discriminator: Word => (required),
        /// Property of the request body that carries the method's parameters.
        params: Word => (required),
        /// Prefix that is left out of the methods' names.
        name_strip_prefix: Option<Text> => (optional),
    }
}

object! {
    /// Where the API is served.
    pub struct Servers {
        /// URL that generated clients use when they are given none.
        default: Option<Word> => (optional "the first server of the document"),
        /// Whether callers are meant to choose another URL. A word to readers: generated clients always take one.
        allow_override: bool => (default false),
    }
}

object! {
    /// A resource whose place in the tree is chosen.
    pub struct Resource {
        /// Path whose operations belong to the resource; `{a}` matches any placeholder.
        path: Option<UrlPath> => (optional "matched by name"),
        /// Resources below this one.
        children: Map<ResourceName, Resource> => (optional),
    }
}

object! {
    /// Names that are chosen instead of derived.
    pub struct Naming {
        /// Method names of operations.
        operations: Map<OperationRef, Identifier> => (optional),
        /// How fields are named.
        fields: FieldNaming => (optional),
    }
}

object! {
    /// How fields are named.
    pub struct FieldNaming {
        /// Whether TypeScript keeps field names as they stand on the wire.
        preserve_wire_names_in_ts: bool => (default false),
    }
}

object! {
    /// One way to authenticate.
    pub struct AuthProfile {
        /// Several parts that are sent together, such as cookies and a header.
        composite: Option<NonEmpty<CompositePart>> => (optional); check check_cookie_names,
        /// A token in the `Authorization` header.
        bearer: Option<BearerProfile> => (optional),
        /// A user name and a password in the `Authorization` header.
        basic: Option<BasicProfile> => (optional),
        /// A key where the document's scheme says.
        api_key: Option<ApiKeyProfile> => (optional),
        /// Names of the documents' security schemes that the profile stands in for.
        satisfies: Vec<Word> => (optional),
        /// Makes the profile a security scheme of its own, for operations of which the documents state none.
        declares: Option<Declares> => (optional),
        /// Values that a client is configured with.
        config: Map<Identifier, ConfigEntry> => (optional),
    }
    exactly_one [composite, bearer, basic, api_key]
}

object! {
    /// The operations that a profile is the security scheme of: those that are meant, as far as neither they nor their
    /// document state a requirement.
    pub struct Declares {
        /// Namespaces of the operations.
        namespaces: Vec<MachineName> => (optional "all"); check check_known_namespaces,
        /// Operations by id.
        operations: Vec<OperationRef> => (optional "all"),
        /// Tags of which an operation has one.
        tags: Vec<Word> => (optional "any"),
        /// Paths: an operation's is one of them or below one; `{a}` stands for any placeholder.
        paths: Vec<UrlPath> => (optional "any"),
        /// Whether the operations can be called without the credential too.
        optional: bool => (default false),
    }
}

object! {
    /// One part of a composite profile.
    pub struct CompositePart {
        /// Name of a cookie.
        cookie: Option<HeaderName> => (optional),
        /// A header and where its value comes from.
        header: Option<HeaderPart> => (optional),
        /// A token in the `Authorization` header.
        bearer: Option<BearerProfile> => (optional),
    }
    exactly_one [cookie, header, bearer]
}

object! {
    /// A header of a composite profile.
    pub struct HeaderPart {
        /// Name of the header.
        name: HeaderName => (required),
        /// The cookie of the profile whose value is repeated.
        equals_cookie: Option<HeaderName> => (optional),
        /// The client's configuration value that is sent.
        from_config: Option<Identifier> => (optional),
        /// Which calls carry the header.
        when: Option<Only> => (optional "every call"),
    }
    exactly_one [equals_cookie, from_config]
}

object! {
    /// A bearer token.
    pub struct BearerProfile {
        /// Environment variable that holds the token.
        env: Option<EnvName> => (optional),
        /// What every token starts with; checked before a token is sent.
        prefix: Option<Word> => (optional),
    }
}

object! {
    /// A user name and a password.
    pub struct BasicProfile {
        /// Environment variable that holds both, as `user:password`.
        env: Option<EnvName> => (optional),
    }
}

object! {
    /// An API key.
    pub struct ApiKeyProfile {
        /// Environment variable that holds the key.
        env: Option<EnvName> => (optional),
        /// Where the key goes, for a profile with `declares`.
        r#in: Option<KeyPlace> => (optional "where the document's scheme says"),
        /// Name of the header, the query parameter or the cookie, for a profile with `declares`.
        name: Option<HeaderName> => (optional "as the document's scheme says"),
    }
}

object! {
    /// A value that a client is configured with.
    pub struct ConfigEntry {
        /// Environment variable that holds the value.
        env: Option<EnvName> => (optional),
        /// What the value is.
        description: Option<Text> => (optional),
    }
}

object! {
    /// How an operation pages.
    pub struct Pagination {
        /// Each page names the next.
        cursor: Option<CursorPages> => (optional),
        /// Pages are counted in items.
        offset: Option<OffsetPages> => (optional),
        /// Pages are numbered.
        page: Option<NamedPages> => (optional),
        /// A `Link` header names the next page (RFC 8288).
        link_header: Option<LinkPages> => (optional),
        /// A response field is the URL of the next page.
        link_field: Option<LinkFieldPages> => (optional),
        /// The operation does not page: nothing is inferred.
        none: Option<True> => (optional),
    }
    exactly_one [cursor, offset, page, link_header, link_field, none]
}

object! {
    /// Paging by a cursor.
    pub struct CursorPages {
        /// Request parameter that takes the cursor.
        param: Word => (required),
        /// Response field that holds the next cursor.
        field: Option<Word> => (optional),
        /// Field of a page's last item that is the next cursor, where the response has none.
        item_field: Option<Word> => (optional),
        /// Response field that holds the items; empty when the body is the list.
        items: Text => (required),
        /// Request parameter for the number of items on a page.
        page_size_param: Option<Word> => (optional),
        /// Response field that says whether more pages follow.
        has_more: Option<Word> => (optional),
    }
    exactly_one [field, item_field]
}

object! {
    /// Paging by an offset.
    pub struct OffsetPages {
        /// Request parameter that takes the offset.
        offset_param: Word => (required),
        /// Request parameter for the number of items on a page.
        limit_param: Word => (required),
        /// Response field that holds the items; empty when the body is the list.
        items: Text => (required),
    }
}

object! {
    /// Paging by a page number.
    pub struct NamedPages {
        /// Request parameter that takes the number.
        page_param: Word => (required),
        /// Request parameter for the number of items on a page.
        size_param: Word => (required),
        /// Response field that holds the items; empty when the body is the list.
        items: Text => (required),
    }
}

object! {
    /// Paging by a `Link` header.
    pub struct LinkPages {
        /// Response field that holds the items; empty when the body is the list.
        items: Text => (required),
    }
}

object! {
    /// Paging by a link in the response.
    pub struct LinkFieldPages {
        /// Response field that holds the URL of the next page.
        field: Word => (required),
        /// Response field that holds the items.
        items: Text => (required),
    }
}

object! {
    /// How schemas become types.
    pub struct Types {
        /// Properties at which a circle of types is cut: `Type.field`.
        break_cycles: Vec<FieldRef> => (optional),
        /// Whether types that no operation reaches are left out.
        prune_unreferenced: bool => (default true),
    }
}

object! {
    /// One generated output.
    pub struct Target {
        /// Folder that the target is written to, inside the project folder; no two targets share or nest theirs.
        out: OutPath => (required),
        /// The emitter of a target that is not built in: `true` for `tungsten-emit-<name>` on the PATH, or a command.
        external: Option<External> => (optional) not_applied,
        /// Longest run of an external emitter, in milliseconds.
        timeout_ms: Int<1, 3600000> => (default 60000) not_applied,
        /// Most that an external emitter may print, in bytes.
        max_output_bytes: Int<1, { 1 << 40 }> => (default 67108864) not_applied,
    }
    only_with external [timeout_ms, max_output_bytes]
    rest options: Vec<RawEntry>
}

/// How an external emitter is found.
#[derive(Clone, PartialEq, Debug)]
pub enum External {
    /// As `tungsten-emit-<name>` on the PATH.
    OnPath,
    Command(CommandLine),
}

impl Key for External {
    fn shape() -> Shape {
        const { Shape::Either(&[Shape::True, Shape::Text(CommandLine::FORM)]) }
    }

    fn read(value: Value<'_>, cx: &mut Cx<'_>) -> Option<Self> {
        if value.as_bool() == Some(true) {
            return Some(Self::OnPath);
        }
        if value.as_str().is_none() {
            cx.wrong_kind(value, "`true` or a command line", Some("a built-in target needs no `external`"));
            // The key is there, though wrong: the target is not reported for lacking it as well.
            return Some(Self::OnPath);
        }
        CommandLine::read(value, cx).map(Self::Command)
    }
}

/// The way an [`AuthProfile`] authenticates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Profile<'a> {
    Composite(&'a [CompositePart]),
    Bearer(&'a BearerProfile),
    Basic(&'a BasicProfile),
    ApiKey(&'a ApiKeyProfile),
}

impl AuthProfile {
    /// The one way that the profile states.
    pub fn profile(&self) -> Profile<'_> {
        match (&self.composite, &self.bearer, &self.basic, &self.api_key) {
            (Some(parts), ..) => Profile::Composite(parts),
            (_, Some(bearer), ..) => Profile::Bearer(bearer),
            (_, _, Some(basic), _) => Profile::Basic(basic),
            (.., Some(api_key)) => Profile::ApiKey(api_key),
            (None, None, None, None) => unreachable!("a profile with no way to authenticate is refused"),
        }
    }
}

/// What a [`CompositePart`] sends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Part<'a> {
    Cookie(&'a HeaderName),
    Header(&'a HeaderPart),
    Bearer(&'a BearerProfile),
}

impl CompositePart {
    /// The one thing that the part sends.
    pub fn part(&self) -> Part<'_> {
        match (&self.cookie, &self.header, &self.bearer) {
            (Some(cookie), ..) => Part::Cookie(cookie),
            (_, Some(header), _) => Part::Header(header),
            (_, _, Some(bearer)) => Part::Bearer(bearer),
            (None, None, None) => unreachable!("a part that sends nothing is refused"),
        }
    }
}

/// The one style that a [`Pagination`] states.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PaginationStyle<'a> {
    Cursor(&'a CursorPages),
    Offset(&'a OffsetPages),
    Page(&'a NamedPages),
    LinkHeader(&'a LinkPages),
    LinkField(&'a LinkFieldPages),
    None,
}

impl Pagination {
    pub fn style(&self) -> PaginationStyle<'_> {
        match (&self.cursor, &self.offset, &self.page, &self.link_header, &self.link_field) {
            (Some(cursor), ..) => PaginationStyle::Cursor(cursor),
            (_, Some(offset), ..) => PaginationStyle::Offset(offset),
            (_, _, Some(page), ..) => PaginationStyle::Page(page),
            (_, _, _, Some(link), _) => PaginationStyle::LinkHeader(link),
            (.., Some(link)) => PaginationStyle::LinkField(link),
            (None, None, None, None, None) => PaginationStyle::None,
        }
    }
}

impl Manifest {
    /// The descriptions and overlays that the manifest names, as written: each input's own, then the overlays for all.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let own = self.inputs.iter().flat_map(|input| std::iter::once(&input.spec).chain(&input.overlays));
        own.chain(&self.overlays).map(FilePath::as_str)
    }

    /// The manifest of a single document that has none: one input, nothing chosen, no targets.
    ///
    /// The names are machine names, as [`crate::machine_name`] and [`crate::namespace_name`] make them.
    pub fn default_for(api_name: &str, namespace: &str, spec_path: &str) -> Self {
        let nowhere = Place::default;
        let mut input = Input {
            namespace: MachineName::new(namespace, nowhere()),
            spec: FilePath::new(spec_path, nowhere()),
            overlays: Vec::new(),
            include: None,
            planned_from: None,
            rpc_unflatten: None,
            note: None,
            place: nowhere(),
        };
        input.place.file = Some(spec_path.to_owned());
        Self {
            tungsten: Int(1),
            api: Api {
                name: MachineName::new(api_name, nowhere()),
                title: None,
                docs_url: None,
                description: None,
                place: nowhere(),
            },
            inputs: NonEmpty::one(input),
            include: None,
            planned_from: None,
            overlays: Vec::new(),
            servers: whole_default(),
            resources: Map::default(),
            naming: whole_default(),
            auth_profiles: Map::default(),
            pagination: Map::default(),
            types: whole_default(),
            targets: Map::default(),
            output: None,
            agent: None,
            place: nowhere(),
        }
    }
}

fn whole_default<T: Key>() -> T {
    T::absent().expect("every key of the object is optional")
}

/// Reads `tungsten.yml` and reports all that is wrong with it; nothing when an error was reported.
///
/// `value` is the outermost value of the document; its syntax was checked by the parser (TG0601).
pub fn read(value: Value<'_>, diags: &mut Diags) -> Option<Manifest> {
    let mut found = Diags::new();
    let manifest = read_root(value, &mut found);
    let has_errors = found.has_errors();
    diags.append(found);
    manifest.filter(|_| !has_errors)
}

fn read_root(value: Value<'_>, diags: &mut Diags) -> Option<Manifest> {
    let mut cx = Cx::new(diags);
    if value.is_null() {
        report_empty(Manifest::TABLE, cx.place(value), diags);
        return None;
    }
    let manifest = Manifest::read(value, &mut cx);
    cx.check_budget(value);
    manifest
}

/// Reports a manifest with nothing in it.
pub(crate) fn report_empty(table: &Object, place: Place, diags: &mut Diags) {
    let required = table.keys.iter().filter(|row| row.presence == Presence::Required);
    let help = format!("it needs at least {}", list(required.map(|row| row.name)));
    diags.report(Code::TG0602, place, "the manifest is empty").help = Some(help);
}

/// No two inputs share a namespace.
fn check_namespaces(inputs: &NonEmpty<Input>, cx: &mut Cx<'_>) {
    let mut sorted: Vec<&MachineName> = inputs.iter().map(|input| &input.namespace).collect();
    // Stable: of equal names the first in the document stays first.
    sorted.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    for same in sorted.chunk_by(|a, b| a.as_str() == b.as_str()) {
        for again in &same[1..] {
            let message = format!("namespace `{}` is used by two inputs", again.as_str());
            let diagnostic = cx.wrong(again.place.clone(), message);
            diagnostic.help = Some("give each input a namespace of its own".to_owned());
            diagnostic.related.push((same[0].place.clone(), "the first".to_owned()));
        }
    }
    cx.namespaces = inputs.iter().map(|input| input.namespace.clone()).collect();
}

/// Each namespace under `resources` is that of an input.
fn check_resource_namespaces(resources: &Map<MachineName, Map<ResourceName, Resource>>, cx: &mut Cx<'_>) {
    check_namespaces_of(resources.iter().map(|(name, _)| name), cx);
}

/// Each namespace of the list is that of an input.
#[allow(clippy::ptr_arg, reason = "a check is handed the key as it was read")]
fn check_known_namespaces(namespaces: &Vec<MachineName>, cx: &mut Cx<'_>) {
    check_namespaces_of(namespaces.iter(), cx);
}

fn check_namespaces_of<'n>(names: impl Iterator<Item = &'n MachineName>, cx: &mut Cx<'_>) {
    let known: BTreeSet<String> = cx.namespaces.iter().map(|name| name.as_str().to_owned()).collect();
    if known.is_empty() {
        // The inputs themselves could not be read, which was reported.
        return;
    }
    for name in names.filter(|name| !known.contains(name.as_str())) {
        let help = match base::suggest::nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("namespaces of the inputs: {}", list(known.iter().map(String::as_str))),
        };
        let message = format!("no input has the namespace {}", base::diag::quoted(name));
        let diagnostic = cx.report(Code::TG0604, name.place.clone(), message);
        diagnostic.severity = Severity::Error;
        diagnostic.help = Some(help);
    }
}

/// `equals_cookie` names a cookie of the same profile.
#[allow(clippy::ref_option, reason = "a check is handed the key as it was read")]
fn check_cookie_names(parts: &Option<NonEmpty<CompositePart>>, cx: &mut Cx<'_>) {
    let parts = parts.as_deref().unwrap_or_default();
    let cookies: BTreeSet<&str> = parts.iter().filter_map(|part| part.cookie.as_deref()).collect();
    let headers = parts.iter().filter_map(|part| part.header.as_ref());
    for cookie in headers.filter_map(|header| header.equals_cookie.as_ref()) {
        if cookies.contains(cookie.as_str()) {
            continue;
        }
        let help = match base::suggest::nearest(cookie, cookies.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "add a part `cookie` with that name".to_owned(),
        };
        let message = format!("{} has no cookie {}", cx.subject(), base::diag::quoted(cookie));
        cx.wrong(cookie.place.clone(), message).help = Some(help);
    }
}

/// A filter says something, and an extension has a value to be compared with.
#[allow(clippy::ref_option, reason = "a check is handed the key as it was read")]
fn check_filter(filter: &Option<Filter>, cx: &mut Cx<'_>) {
    let Some(filter) = filter else { return };
    let subject = cx.subject();
    if filter.extension.is_some() && filter.equals.is_none() {
        let message = format!("{subject} lacks the key `equals` beside `extension`");
        cx.wrong(filter.place.clone(), message).help = Some("add `equals`: the value of the extension".to_owned());
    }
    let is_empty = filter.operations.is_empty() && filter.tags.is_empty() && filter.paths.is_empty();
    if filter.extension.is_none() && filter.equals.is_none() && is_empty {
        let message = format!("{subject} says nothing about operations");
        let keys = list(["extension", "operations", "tags", "paths"]);
        cx.wrong(filter.place.clone(), message).help = Some(format!("give at least one of the keys {keys} a value"));
    }
}

/// Where an API key goes is said whole or not at all, and only by a profile that is a scheme of its own.
fn check_key_places(profiles: &Map<Word, AuthProfile>, cx: &mut Cx<'_>) {
    for (name, profile) in profiles.iter() {
        let Some(key) = &profile.api_key else { continue };
        let subject = base::diag::quoted(&format!("{}.{}.api_key", "auth_profiles", name.as_str()));
        match (&key.r#in, &key.name, &profile.declares) {
            (Some(_), None, _) => {
                let message = format!("{subject} lacks the key `name` beside `in`");
                cx.wrong(key.place.clone(), message).help = Some("add `name`: the header, parameter or cookie".into());
            }
            (None, Some(_), _) => {
                let message = format!("{subject} lacks the key `in` beside `name`");
                cx.wrong(key.place.clone(), message).help = Some("add `in`: `header`, `query` or `cookie`".into());
            }
            (Some(_), Some(_), None) => {
                let message = format!("`in` and `name` of {subject} mean nothing without `declares`");
                cx.wrong(key.place.clone(), message).help =
                    Some("add `declares`, or remove them: the document's scheme says where its key goes".into());
            }
            _ => {}
        }
    }
}
