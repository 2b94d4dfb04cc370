//! What a project decides about operations instead of the rules: names, resources, pages, credentials.
//!
//! Plain data, filled by whoever read the manifest; each entry knows its place there, so that one that names nothing of
//! the description can be reported where it stands. The passes read it.

use base::Place;
use tungsten_ir::KeyLocation;

/// The decisions of one project.
#[derive(Clone, Debug)]
pub struct Overrides {
    /// What the API is called for people, instead of the first document's title.
    pub title: Option<String>,
    pub description: Option<String>,
    /// Where the API's documentation is published.
    pub docs_url: Option<String>,
    /// Method names by operation id (`<namespace>.<operationId>`).
    pub operation_names: Vec<NameOverride>,
    /// Resource trees by namespace.
    pub resources: Vec<ResourceOverride>,
    pub pagination: Vec<PaginationOverride>,
    pub auth_profiles: Vec<AuthProfile>,
    /// Which operations are callable, where not all are.
    pub selections: Vec<Selection>,
    /// Envelopes that are taken apart.
    pub rpc: Vec<RpcOverride>,
    /// Properties at which circles of types are cut.
    pub break_cycles: Vec<CycleBreak>,
    /// Becomes the first server.
    pub default_server: Option<String>,
    /// Whether types that no operation reaches are dropped.
    pub prune_unreferenced: bool,
}

impl Default for Overrides {
    fn default() -> Self {
        Self {
            title: None,
            description: None,
            docs_url: None,
            operation_names: Vec::new(),
            resources: Vec::new(),
            pagination: Vec::new(),
            auth_profiles: Vec::new(),
            selections: Vec::new(),
            rpc: Vec::new(),
            break_cycles: Vec::new(),
            default_server: None,
            prune_unreferenced: true,
        }
    }
}

/// Which operations of some inputs are callable. Webhooks and callbacks are not asked for.
#[derive(Clone, Default, Debug)]
pub struct Selection {
    /// The inputs that it is for.
    pub namespaces: Vec<String>,
    /// Without it, every operation is included.
    pub include: Option<Filter>,
    /// Operations that are listed, but not callable.
    pub planned_from: Option<Filter>,
}

/// Which operations are meant: those of which everything holds that is stated. A filter that states nothing means all.
#[derive(Clone, Default, Debug)]
pub struct Filter {
    /// Name of an extension, and its value.
    pub extension: Option<(String, Plain)>,
    /// Ids, with or without the namespace.
    pub operations: Vec<Named>,
    pub tags: Vec<Named>,
    /// Path templates that the operation's path starts with.
    pub paths: Vec<Named>,
}

/// A name that a manifest gives, and where.
#[derive(Clone, Debug)]
pub struct Named {
    pub name: String,
    pub place: Place,
}

/// A value of a manifest.
#[derive(Clone, PartialEq, Debug)]
pub enum Plain {
    Null,
    Bool(bool),
    /// Exact spelling, in JSON's form.
    Number(String),
    Text(String),
    List(Vec<Plain>),
    Map(Vec<(String, Plain)>),
}

/// An operation whose request body is one of several methods.
#[derive(Clone, Debug)]
pub struct RpcOverride {
    pub namespace: String,
    pub path: String,
    /// Lower case, as the key of a path item.
    pub method: String,
    /// Property of the body that names the method.
    pub discriminator: String,
    /// Property of the body that carries the method's parameters.
    pub params: String,
    pub name_strip_prefix: String,
    pub place: Place,
}

/// A property of a named type, `Type.field`.
#[derive(Clone, Debug)]
pub struct CycleBreak {
    pub ty: String,
    pub field: String,
    pub place: Place,
}

/// The method name of one operation.
#[derive(Clone, Debug)]
pub struct NameOverride {
    pub operation: String,
    pub name: String,
    pub place: Place,
}

/// A resource that a project declares, with its children.
#[derive(Clone, Debug)]
pub struct ResourceOverride {
    pub namespace: String,
    pub name: String,
    /// Path template that the resource's operations start with, and where it is written.
    pub path: Option<(String, Place)>,
    pub children: Vec<ResourceOverride>,
    pub place: Place,
}

/// How the pages of one operation are read.
#[derive(Clone, Debug)]
pub struct PaginationOverride {
    pub operation: String,
    /// Nothing switches inference off.
    pub pages: Option<Pages>,
    pub place: Place,
}

/// A declared style of pages. `items` is a dotted path, empty when the body is the array.
#[derive(Clone, Debug)]
pub enum Pages {
    Cursor {
        param: String,
        field: String,
        items: String,
        page_size_param: Option<String>,
        has_more: Option<String>,
    },
    /// The cursor is a field of the last item.
    LastItem {
        param: String,
        item_field: String,
        items: String,
        page_size_param: Option<String>,
        has_more: Option<String>,
    },
    Offset {
        offset_param: String,
        limit_param: String,
        items: String,
    },
    Page {
        page_param: String,
        size_param: String,
        items: String,
    },
    LinkHeader {
        items: String,
    },
    LinkField {
        field: String,
        items: String,
    },
}

/// How a project supplies credentials.
#[derive(Clone, Debug)]
pub struct AuthProfile {
    pub name: String,
    pub kind: AuthProfileKind,
    /// Schemes that the profile stands in for.
    pub satisfies: Vec<SchemeName>,
    /// Makes the profile a scheme of its own.
    pub declares: Option<Declares>,
    pub place: Place,
}

/// The operations that need a profile, as far as the documents state no requirement.
#[derive(Clone, Default, Debug)]
pub struct Declares {
    /// All when there is none.
    pub namespaces: Vec<String>,
    pub filter: Filter,
    /// Whether they can be called without the credential too.
    pub optional: bool,
    pub place: Place,
}

/// A scheme of the inputs, by its name.
#[derive(Clone, Debug)]
pub struct SchemeName {
    pub name: String,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub enum AuthProfileKind {
    Composite(Vec<AuthProfilePart>),
    Bearer {
        env: Option<String>,
        prefix: Option<String>,
    },
    Basic {
        env: Option<String>,
    },
    ApiKey {
        env: Option<String>,
        /// Place and name, for a profile that is a scheme of its own.
        at: Option<(KeyLocation, String)>,
    },
}

/// A part of a composite, sent together with the others.
#[derive(Clone, Debug)]
pub enum AuthProfilePart {
    Cookie { name: String },
    Header { name: String, source: AuthHeaderSource, mutation_only: bool },
    Bearer { env: Option<String>, prefix: Option<String> },
}

#[derive(Clone, Debug)]
pub enum AuthHeaderSource {
    EqualsCookie(String),
    FromConfig(String),
}
