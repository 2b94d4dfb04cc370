//! What a manifest decides, as the frontend wants it: plain data with the place of each entry.

use tungsten_frontend::{
    AuthHeaderSource, AuthProfile, AuthProfileKind, AuthProfilePart, NameOverride, Overrides, Pages,
    PaginationOverride, ResourceOverride, SchemeName,
};
use tungsten_manifest::{
    CursorPages, HeaderPart, MachineName, Manifest, Map, Pagination, PaginationStyle, Part, Profile, Resource,
    ResourceName,
};

/// The overrides of a project's manifest.
pub fn of(manifest: &Manifest) -> Overrides {
    let names = manifest.naming.operations.iter().map(|(operation, name)| NameOverride {
        operation: operation.to_string(),
        name: name.to_string(),
        place: operation.place.clone(),
    });
    let resources = manifest.resources.iter().flat_map(|(namespace, resources)| resources_of(namespace, resources));
    let pagination = manifest.pagination.iter().map(|(operation, pagination)| PaginationOverride {
        operation: operation.to_string(),
        pages: pages(pagination),
        place: operation.place.clone(),
    });
    Overrides {
        operation_names: names.collect(),
        resources: resources.collect(),
        pagination: pagination.collect(),
        auth_profiles: manifest.auth_profiles.iter().map(|(name, profile)| auth_profile(name, profile)).collect(),
        default_server: manifest.servers.default.as_ref().map(|url| url.to_string()),
        prune_unreferenced: manifest.types.prune_unreferenced,
    }
}

fn resources_of(namespace: &MachineName, resources: &Map<ResourceName, Resource>) -> Vec<ResourceOverride> {
    let one = |(name, resource): &(ResourceName, Resource)| ResourceOverride {
        namespace: namespace.to_string(),
        name: name.to_string(),
        path: resource.path.as_ref().map(|path| (path.to_string(), path.place.clone())),
        children: resources_of(namespace, &resource.children),
        place: resource.place.clone(),
    };
    resources.iter().map(one).collect()
}

fn pages(pagination: &Pagination) -> Option<Pages> {
    Some(match pagination.style() {
        PaginationStyle::None => return None,
        PaginationStyle::Cursor(cursor) => cursor_pages(cursor)?,
        PaginationStyle::Offset(offset) => Pages::Offset {
            offset_param: offset.offset_param.to_string(),
            limit_param: offset.limit_param.to_string(),
            items: offset.items.to_string(),
        },
        PaginationStyle::Page(page) => Pages::Page {
            page_param: page.page_param.to_string(),
            size_param: page.size_param.to_string(),
            items: page.items.to_string(),
        },
        PaginationStyle::LinkHeader(link) => Pages::LinkHeader { items: link.items.to_string() },
        PaginationStyle::LinkField(link) => {
            Pages::LinkField { field: link.field.to_string(), items: link.items.to_string() }
        }
    })
}

/// The reader lets exactly one of the two fields through.
fn cursor_pages(cursor: &CursorPages) -> Option<Pages> {
    let param = cursor.param.to_string();
    let items = cursor.items.to_string();
    let page_size_param = cursor.page_size_param.as_ref().map(|param| param.to_string());
    let has_more = cursor.has_more.as_ref().map(|field| field.to_string());
    Some(match (&cursor.field, &cursor.item_field) {
        (Some(field), _) => Pages::Cursor { param, field: field.to_string(), items, page_size_param, has_more },
        (None, Some(field)) => {
            Pages::LastItem { param, item_field: field.to_string(), items, page_size_param, has_more }
        }
        (None, None) => return None,
    })
}

fn auth_profile(name: &str, profile: &tungsten_manifest::AuthProfile) -> AuthProfile {
    let kind = match profile.profile() {
        Profile::Composite(parts) => {
            AuthProfileKind::Composite(parts.iter().map(|part| auth_part(part.part())).collect())
        }
        Profile::Bearer(bearer) => AuthProfileKind::Bearer {
            env: bearer.env.as_ref().map(|env| env.to_string()),
            prefix: bearer.prefix.as_ref().map(|prefix| prefix.to_string()),
        },
        Profile::ApiKey(key) => AuthProfileKind::ApiKey { env: key.env.as_ref().map(|env| env.to_string()) },
    };
    let satisfies = profile.satisfies.iter();
    let satisfies = satisfies.map(|scheme| SchemeName { name: scheme.to_string(), place: scheme.place.clone() });
    AuthProfile { name: name.to_owned(), kind, satisfies: satisfies.collect(), place: profile.place.clone() }
}

fn auth_part(part: Part<'_>) -> AuthProfilePart {
    match part {
        Part::Cookie(name) => AuthProfilePart::Cookie { name: name.to_string() },
        Part::Header(header) => AuthProfilePart::Header {
            name: header.name.to_string(),
            source: header_source(header),
            mutation_only: header.when.is_some(),
        },
        Part::Bearer(bearer) => AuthProfilePart::Bearer {
            env: bearer.env.as_ref().map(|env| env.to_string()),
            prefix: bearer.prefix.as_ref().map(|prefix| prefix.to_string()),
        },
    }
}

fn header_source(header: &HeaderPart) -> AuthHeaderSource {
    match (&header.equals_cookie, &header.from_config) {
        (Some(cookie), _) => AuthHeaderSource::EqualsCookie(cookie.to_string()),
        (None, Some(config)) => AuthHeaderSource::FromConfig(config.to_string()),
        (None, None) => unreachable!("a header without a source is refused"),
    }
}
