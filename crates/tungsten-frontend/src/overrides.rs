//! What a project decides about operations instead of the rules: names, resources, pages, credentials.
//!
//! Plain data, filled by whoever read the manifest; each entry knows its place there, so that one that names nothing of
//! the description can be reported where it stands. The passes read it.

use base::Place;

/// The decisions of one project.
#[derive(Clone, Debug)]
pub struct Overrides {
    /// Method names by operation id (`<namespace>.<operationId>`).
    pub operation_names: Vec<NameOverride>,
    /// Resource trees by namespace.
    pub resources: Vec<ResourceOverride>,
    pub pagination: Vec<PaginationOverride>,
    pub auth_profiles: Vec<AuthProfile>,
    /// Becomes the first server.
    pub default_server: Option<String>,
    /// Whether types that no operation reaches are dropped.
    pub prune_unreferenced: bool,
}

impl Default for Overrides {
    fn default() -> Self {
        Self {
            operation_names: Vec::new(),
            resources: Vec::new(),
            pagination: Vec::new(),
            auth_profiles: Vec::new(),
            default_server: None,
            prune_unreferenced: true,
        }
    }
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
    /// Schemes that a composite stands in for.
    pub satisfies: Vec<SchemeName>,
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
    Bearer { env: Option<String>, prefix: Option<String> },
    ApiKey { env: Option<String> },
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
