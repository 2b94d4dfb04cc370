//! What a manifest decides, as the frontend wants it: plain data with the place of each entry.

use tungsten_frontend::{
    AuthHeaderSource, AuthProfile, AuthProfileKind, AuthProfilePart, CycleBreak, Declares, Filter, NameOverride, Named,
    Overrides, Pages, PaginationOverride, Plain, ResourceOverride, RpcOverride, SchemeName, Selection,
};
use tungsten_ir::KeyLocation;
use tungsten_manifest::{
    ApiKeyProfile, CursorPages, HeaderPart, MachineName, Manifest, Map, OperationRef, Pagination, PaginationStyle,
    Part, Profile, Raw, Resource, ResourceName, UrlPath, Word,
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
    let text = |text: &Option<tungsten_manifest::Text>| {
        text.as_ref().map(|text| text.to_string()).filter(|text| !text.is_empty())
    };
    Overrides {
        title: text(&manifest.api.title),
        description: text(&manifest.api.description),
        docs_url: text(&manifest.api.docs_url),
        operation_names: names.collect(),
        resources: resources.collect(),
        pagination: pagination.collect(),
        auth_profiles: manifest.auth_profiles.iter().map(|(name, profile)| auth_profile(name, profile)).collect(),
        selections: selections(manifest),
        rpc: rpc(manifest),
        break_cycles: cycle_breaks(manifest),
        default_server: manifest.servers.default.as_ref().map(|url| url.to_string()),
        prune_unreferenced: manifest.types.prune_unreferenced,
    }
}

/// What inputs say about their operations, then what the manifest says for those that say nothing.
fn selections(manifest: &Manifest) -> Vec<Selection> {
    let mut selections = Vec::new();
    let mut others = Vec::new();
    for input in manifest.inputs.iter() {
        let namespace = input.namespace.to_string();
        if input.include.is_none() && input.planned_from.is_none() {
            others.push(namespace);
            continue;
        }
        selections.push(Selection {
            namespaces: vec![namespace],
            include: input.include.as_ref().or(manifest.include.as_ref()).map(filter),
            planned_from: input.planned_from.as_ref().or(manifest.planned_from.as_ref()).map(filter),
        });
    }
    let says_something = manifest.include.is_some() || manifest.planned_from.is_some();
    if says_something && !others.is_empty() {
        let include = manifest.include.as_ref().map(filter);
        let planned_from = manifest.planned_from.as_ref().map(filter);
        selections.push(Selection { namespaces: others, include, planned_from });
    }
    selections
}

fn filter(filter: &tungsten_manifest::Filter) -> Filter {
    let value = filter.equals.as_ref().map(plain);
    Filter {
        extension: filter.extension.as_ref().and_then(|name| Some((name.to_string(), value?))),
        operations: operations_named(&filter.operations),
        tags: tags_named(&filter.tags),
        paths: paths_named(&filter.paths),
    }
}

fn operations_named(list: &[OperationRef]) -> Vec<Named> {
    list.iter().map(|one| Named { name: one.to_string(), place: one.place.clone() }).collect()
}

fn tags_named(list: &[Word]) -> Vec<Named> {
    list.iter().map(|one| Named { name: one.to_string(), place: one.place.clone() }).collect()
}

fn paths_named(list: &[UrlPath]) -> Vec<Named> {
    list.iter().map(|one| Named { name: one.to_string(), place: one.place.clone() }).collect()
}

/// Recursion ends at the depth that the parser checked (`limits::DEPTH`).
fn plain(value: &Raw) -> Plain {
    match value {
        Raw::Null => Plain::Null,
        Raw::Bool(value) => Plain::Bool(*value),
        Raw::Number(text) => Plain::Number(text.clone()),
        Raw::Text(text) => Plain::Text(text.clone()),
        Raw::List(items) => Plain::List(items.iter().map(plain).collect()),
        Raw::Map(entries) => Plain::Map(entries.iter().map(|entry| (entry.key.clone(), plain(&entry.value))).collect()),
    }
}

fn rpc(manifest: &Manifest) -> Vec<RpcOverride> {
    let of = |input: &tungsten_manifest::Input| {
        let rpc = input.rpc_unflatten.as_ref()?;
        Some(RpcOverride {
            namespace: input.namespace.to_string(),
            path: rpc.path.to_string(),
            method: rpc.method.to_string(),
            discriminator: rpc.discriminator.to_string(),
            params: rpc.params.to_string(),
            name_strip_prefix: rpc.name_strip_prefix.as_ref().map(|prefix| prefix.to_string()).unwrap_or_default(),
            place: rpc.place.clone(),
        })
    };
    manifest.inputs.iter().filter_map(of).collect()
}

fn cycle_breaks(manifest: &Manifest) -> Vec<CycleBreak> {
    let of = |entry: &tungsten_manifest::FieldRef| {
        let (ty, field) = entry.split();
        CycleBreak { ty: ty.to_owned(), field: field.to_owned(), place: entry.place.clone() }
    };
    manifest.types.break_cycles.iter().map(of).collect()
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
        Profile::Basic(basic) => AuthProfileKind::Basic { env: basic.env.as_ref().map(|env| env.to_string()) },
        Profile::ApiKey(key) => {
            AuthProfileKind::ApiKey { env: key.env.as_ref().map(|env| env.to_string()), at: key_place(key) }
        }
    };
    let declares = profile.declares.as_ref().map(|declares| Declares {
        namespaces: declares.namespaces.iter().map(|name| name.to_string()).collect(),
        filter: Filter {
            extension: None,
            operations: operations_named(&declares.operations),
            tags: tags_named(&declares.tags),
            paths: paths_named(&declares.paths),
        },
        optional: declares.optional,
        place: declares.place.clone(),
    });
    let satisfies = profile.satisfies.iter();
    let satisfies = satisfies.map(|scheme| SchemeName { name: scheme.to_string(), place: scheme.place.clone() });
    AuthProfile { name: name.to_owned(), kind, satisfies: satisfies.collect(), declares, place: profile.place.clone() }
}

fn key_place(key: &ApiKeyProfile) -> Option<(KeyLocation, String)> {
    let location = match key.r#in.as_deref()? {
        "header" => KeyLocation::Header,
        "query" => KeyLocation::Query,
        _ => KeyLocation::Cookie,
    };
    Some((location, key.name.as_ref()?.to_string()))
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
