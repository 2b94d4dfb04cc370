//! The resource tree and the names of methods, rule by rule.

use tungsten_frontend::{NameOverride, Overrides, ResourceOverride};

use crate::describe::{api, document, findings, ir, manifest, places, prefixes, tree, with_overrides};

fn check(lines: &[&str], expect: &[&str]) {
    let compiled = document(&api(lines));
    assert_eq!(tree(ir(&compiled)), expect, "{lines:?}\n{:?}", findings(&compiled));
}

#[test]
fn literal_segments_nest_and_versions_drop() {
    check(
        &["get /v1/webhooks listWebhooks array", "get /v1/webhooks/{id}/deliveries listDeliveries array"],
        &["webhooks.list = listWebhooks", "webhooks.deliveries.list = listDeliveries"],
    );
    check(&["get /v1/owner/messages listOwnerMessages array"], &["owner.messages.list = listOwnerMessages"]);
    check(&["get /v2beta/sealed-events listEvents array"], &["sealed-events.list = listEvents"]);
    check(&["get /api/v1/pods listPods array"], &["pods.list = listPods"]);
}

#[test]
fn crud_of_a_collection() {
    check(
        &[
            "get /pets listPets array",
            "post /pets createPet object",
            "get /pets/{petId} getPet object",
            "put /pets/{petId} replacePet object",
            "delete /pets/{petId} removePet",
            "delete /pets removeAll",
            "head /pets headPets",
            "post /pets/{petId} postPet",
        ],
        &[
            "pets.list = listPets",
            "pets.create = createPet",
            "pets.removeAll = removeAll",
            "pets.headPets = headPets",
            "pets.get = getPet",
            "pets.update = replacePet",
            "pets.delete = removePet",
            "pets.postPet = postPet",
        ],
    );
    // Without PUT and PATCH a POST to one item updates it.
    check(&["post /customers/{customer} postCustomer object"], &["customers.update = postCustomer"]);
    check(&["get /repos/{owner}/{repo} getRepo object"], &["repos.get = getRepo"]);
}

#[test]
fn singletons() {
    check(&["get /v1/health checkHealth object"], &["health.get = checkHealth"]);
    check(
        &["get /users/me getMe object", "patch /users/me patchMe object", "delete /users/me deleteMe"],
        &["users.me.get = getMe", "users.me.update = patchMe", "users.me.delete = deleteMe"],
    );
    check(
        &["get /users/{id}/settings getSettings object", "put /users/{id}/settings putSettings object"],
        &["users.settings.get = getSettings", "users.settings.update = putSettings"],
    );
}

#[test]
fn what_is_a_collection() {
    check(&["get /v1/widget listThem page"], &["widget.list = listThem"]);
    check(&["get /v1/widgets oneObject two"], &["widgets.get = oneObject"]);
    check(&["get /v1/widgets byName"], &["widgets.list = byName"]);
    check(&["get /v1/widgets byName any"], &["widgets.list = byName"]);
    check(&["get /v1/address notPlural"], &["address.get = notPlural"]);
    check(&["get /v1/staff byItem", "get /v1/staff/{id} one object"], &["staff.list = byItem", "staff.get = one"]);
    check(
        &["put /v1/things keepsItsId", "patch /v1/thing single"],
        &["things.keepsItsId = keepsItsId", "thing.update = single"],
    );
}

#[test]
fn actions() {
    check(&["post /v1/devices/{id}/enable enableDevice"], &["devices.enable = enableDevice"]);
    check(&["post /v1/devices/{id}/bulk-process doIt"], &["devices.bulk-process = doIt"]);
    check(&["post /v1/devices/{id}/sealed-events createSealed"], &["devices.sealed-events.create = createSealed"]);
    // Another method on the path, a path below it, or no placeholder before it: no action.
    check(
        &["post /v1/devices/{id}/enable enable1", "get /v1/devices/{id}/enable state object"],
        &["devices.enable.create = enable1", "devices.enable.get = state"],
    );
    check(
        &["post /d/{id}/enable enable1", "post /d/{id}/enable/{x}/more more1"],
        &["d.enable.create = enable1", "d.enable.more = more1"],
    );
    check(&["post /v1/login login1"], &["login.create = login1"]);
}

#[test]
fn custom_methods() {
    check(
        &[
            "post /v1/users/{id}:archive archiveUser",
            "get /v1/users:search searchUsers array",
            "get /v1/users/{id} getUser object",
            "get /v1/time/12:30 getTime object",
        ],
        &[
            "users.archive = archiveUser",
            "users.search = searchUsers",
            "users.get = getUser",
            "time.12:30.get = getTime",
        ],
    );
}

#[test]
fn paths_without_literal_segments_and_templates() {
    check(&["get / getRoot object", "get /{id} getIt object"], &["root.get = getRoot", "root.getIt = getIt"]);
    check(&["get /v1 entry object", "get /v1/{id} item object"], &["root.get = entry", "root.item = item"]);
    check(&["get /reports/{date}.csv report"], &["reports.get = report"]);
    check(&["get /pets/ listPets array"], &["pets.list = listPets"]);
}

#[test]
fn versions_merge_and_collisions_are_numbered() {
    let compiled = document(&api(&["get /v1/pets listPets array", "get /v2/pets listPetsV2 array"]));
    assert_eq!(tree(ir(&compiled)), ["pets.list = listPets", "pets.list2 = listPetsV2"]);
    assert_eq!(places(&compiled, "TG0401"), ["/paths/~1v2~1pets/get"]);
    assert_eq!(prefixes(ir(&compiled)), ["pets /"]);

    let compiled = document(&api(&["get /pet-store a1 object", "get /pet_store b1 object"]));
    assert_eq!(tree(ir(&compiled)), ["pet-store.get = a1", "pet_store2.get = b1"]);
    assert_eq!(places(&compiled, "TG0401"), ["/paths/~1pet_store/get"]);
}

#[test]
fn tags_name_what_they_cover() {
    let cover = ["get /v1/hooks listHooks array Webhooks", "get /v1/hooks/{id} getHook object Webhooks"];
    check(&cover, &["Webhooks.list = listHooks", "Webhooks.get = getHook"]);
    // The lowest resource takes the tag, an uncovered one keeps its segment, a shared tag names nothing.
    check(&["get /owner/mail listMail array Messages"], &["owner.Messages.list = listMail"]);
    check(&["get /chat/completions listChats array Chat"], &["chat.completions.list = listChats"]);
    check(&["get /a/x listX array Shared", "get /b/y listY array Shared"], &["a.x.list = listX", "b.y.list = listY"]);
    // A sibling has the name already.
    check(
        &["get /cats listCats array Dogs", "get /dogs listDogs array"],
        &["cats.list = listCats", "dogs.list = listDogs"],
    );
}

#[test]
fn prefixes_are_common_paths() {
    let compiled = document(&api(&[
        "get /v1/webhooks listWebhooks array",
        "post /v1/webhooks/{id}/rotate rotateWebhook",
        "get /v1/webhooks/{id}/deliveries/{d} getDelivery object",
        "get /v1/owner/messages listMessages array",
        "get /{x} item object",
    ]));
    let expect = [
        "webhooks /v1/webhooks",
        "webhooks.deliveries /v1/webhooks/{id}/deliveries",
        "owner /v1/owner",
        "owner.messages /v1/owner/messages",
        "root /",
    ];
    assert_eq!(prefixes(ir(&compiled)), expect);
}

#[test]
fn resources_come_in_the_order_of_their_first_operation() {
    check(
        &["get /b/c c1 object", "get /a a1 object", "get /b b1 object", "get /a/z z1 object"],
        &["b.get = b1", "b.c.get = c1", "a.get = a1", "a.z.get = z1"],
    );
}

fn resource(name: &str, path: Option<&str>, children: Vec<ResourceOverride>) -> ResourceOverride {
    ResourceOverride {
        namespace: "api".into(),
        name: name.into(),
        path: path.map(|path| (path.into(), manifest(&format!("/resources/api/{name}/path")))),
        children,
        place: manifest(&format!("/resources/api/{name}")),
    }
}

#[test]
fn a_projects_resources_win_by_the_longest_prefix() {
    let deliveries = resource("deliveries", Some("/v1/webhooks/{endpoint_id}/deliveries"), vec![]);
    let overrides = Overrides {
        resources: vec![
            resource("hooks", Some("/v1/webhooks"), vec![deliveries]),
            resource("devices", Some("/v1/enrollment/devices"), vec![]),
            resource("second", Some("/v1/webhooks"), vec![]),
            resource("nowhere", Some("/v1/missing"), vec![]),
        ],
        ..Overrides::default()
    };
    let compiled = with_overrides(
        &api(&[
            "get /v1/webhooks/{id}/deliveries listDeliveries array",
            "get /v1/webhooks listWebhooks array",
            "post /v1/webhooks/{id}/rotate rotateWebhook",
            "get /v1/webhooks/{id}/secret/value getSecret object",
            "get /v1/enrollment/devices listDevices array",
            "get /v1/enrollment getEnrollment object",
            "get /v1/devices listOther array",
        ]),
        overrides,
    );
    let expect = [
        "hooks.list = listWebhooks",
        "hooks.rotate = rotateWebhook",
        "hooks.getSecret = getSecret",
        "hooks.deliveries.list = listDeliveries",
        "devices.list = listDevices",
        "enrollment.get = getEnrollment",
        "devices2.list = listOther",
    ];
    assert_eq!(tree(ir(&compiled)), expect);
    assert_eq!(places(&compiled, "TG0604"), ["/resources/api/nowhere/path"]);
    assert_eq!(places(&compiled, "TG0401"), ["/paths/~1v1~1devices/get"]);
    assert!(prefixes(ir(&compiled)).contains(&"hooks.deliveries /v1/webhooks/{id}/deliveries".to_owned()));
}

#[test]
fn a_resource_at_the_root_takes_what_no_other_takes() {
    let overrides = Overrides {
        resources: vec![resource("all", Some("/"), vec![]), resource("pets", Some("/pets"), vec![])],
        ..Overrides::default()
    };
    let compiled = with_overrides(&api(&["get /pets listPets array", "get /status getStatus object"]), overrides);
    assert_eq!(tree(ir(&compiled)), ["pets.list = listPets", "all.getStatus = getStatus"]);
    assert!(places(&compiled, "TG0604").is_empty());
}

#[test]
fn an_unknown_namespace_is_reported() {
    let mut unknown = resource("x", None, vec![]);
    unknown.namespace = "other".into();
    let overrides = Overrides { resources: vec![unknown], ..Overrides::default() };
    let compiled = with_overrides(&api(&["get /a a1 object"]), overrides);
    assert_eq!(places(&compiled, "TG0604"), ["/resources/api/x"]);
}

#[test]
fn prefixes_that_every_path_has_are_dropped() {
    check(
        &["get /api/v1/pets listPets array", "get /api/v2/toys listToys array", "get /api/v1/ getIndex object"],
        &["pets.list = listPets", "toys.list = listToys", "root.get = getIndex"],
    );
    check(
        &["get /apis/apps/v1/jobs listJobs array", "get /apis/apps/v1/jobs/{id} getJob object"],
        &["jobs.list = listJobs", "jobs.get = getJob"],
    );
    check(
        &["get /2022-11-28/pets listPets array", "get /2023-01-02/toys listToys array"],
        &["pets.list = listPets", "toys.list = listToys"],
    );
    // Not every path has it: the words stay, and no name starts with a digit.
    check(
        &["get /api/v1/pets listPets array", "get /status getStatus object"],
        &["api.v1.pets.list = listPets", "status.get = getStatus"],
    );
    check(
        &["get /2022-11-28/pets listPets array", "get /status getStatus object"],
        &["v2022-11-28.pets.list = listPets", "status.get = getStatus"],
    );
    check(&["get /users/v1/me getMe object"], &["users.v1.me.get = getMe"]);
}

#[test]
fn json_suffixes_name_nothing() {
    check(
        &["get /v1/pets.json listPets array", "get /v1/pets/{id}.json getPet object", "delete /v1/pets/{id} dropPet"],
        &["pets.list = listPets", "pets.get = getPet", "pets.delete = dropPet"],
    );
    check(&["get /.json getRoot object"], &[".json.get = getRoot"]);
}

#[test]
fn items_below_items() {
    check(
        &[
            "get /repos/{owner}/{repo} getRepo object",
            "delete /repos/{owner}/{repo} deleteRepo",
            "delete /repos/{owner}/{repo}/{branch} deleteBranch",
        ],
        &["repos.get = getRepo", "repos.delete = deleteRepo", "repos.deleteBranch = deleteBranch"],
    );
}

#[test]
fn another_path_with_the_same_name_keeps_its_id() {
    let compiled =
        document(&api(&["get /orders/notes listNotes array", "get /orders/{id}/notes listNotesOfOrder array"]));
    assert_eq!(
        tree(ir(&compiled)),
        ["orders.notes.list = listNotes", "orders.notes.listNotesOfOrder = listNotesOfOrder"]
    );
    assert!(places(&compiled, "TG0401").is_empty());
    check(
        &["get /guilds/{id}/widget getWidget object", "get /guilds/{id}/widget.json readWidget object"],
        &["guilds.widget.get = getWidget", "guilds.widget.readWidget = readWidget"],
    );
}

#[test]
fn put_beside_patch_replaces() {
    check(
        &[
            "put /pets/{id} putPet object",
            "patch /pets/{id} patchPet object",
            "put /me putMe object",
            "patch /me patchMe object",
        ],
        &["pets.replace = putPet", "pets.update = patchPet", "me.replace = putMe", "me.update = patchMe"],
    );
}

#[test]
fn a_projects_names_win() {
    let name = |operation: &str, name: &str| NameOverride {
        operation: operation.into(),
        name: name.into(),
        place: manifest(&format!("/naming/operations/{operation}")),
    };
    let overrides = Overrides {
        operation_names: vec![name("api.findPets", "list"), name("api.gone", "x")],
        ..Overrides::default()
    };
    let compiled = with_overrides(&api(&["get /pets listPets array", "get /pets/{id} findPets object"]), overrides);
    assert_eq!(tree(ir(&compiled)), ["pets.list2 = listPets", "pets.list = findPets"]);
    assert_eq!(places(&compiled, "TG0603"), ["/naming/operations/api.gone"]);
}

#[test]
fn thousands_of_resources() {
    let build = |n: usize| {
        let lines: Vec<String> = (0..n).map(|i| format!("get /v1/r{i}/{{id}}/child op{i} object")).collect();
        api(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let compiled = document(&build(3_000));
    assert_eq!(ir(&compiled).resources.rows.len(), 6_000);
}
