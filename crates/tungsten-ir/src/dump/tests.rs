//! The JSON form of hand-made IRs: against the schema, and member by member where the form makes a choice.

use base::{Code, Diags, Id, Place};
use serde_json::{Value, json};

use super::{DumpContext, dump, dump_op, dump_type};
use crate::sample::{Sample, extras, shop};
use crate::schema::schema;
use crate::schema::tests::fault;
use crate::{Literal, OpId, ResourceId, Shape};

fn with_context<T>(sample: &Sample, pretty: bool, run: impl FnOnce(&DumpContext<'_>) -> T) -> T {
    let mut diags = Diags::new();
    diags.report(Code::TG0203, Place::at(sample.source, "/a", (1, 2)), "circle").help = Some("none".to_owned());
    let diagnostics = diags.finish(&sample.sources);
    let literal = |literal: Literal| json!({"node": literal.node});
    run(&DumpContext {
        tungsten_version: "0.1.0",
        inputs: &[("openapi.yaml".to_owned(), base::digest::Digest::of(b""))],
        sources: &sample.sources,
        diagnostics: &diagnostics,
        literal: &literal,
        pretty,
    })
}

fn document(sample: &Sample) -> Value {
    let text = with_context(sample, false, |context| dump(&sample.ir, context));
    serde_json::from_str(&text).expect("the dump is JSON")
}

#[test]
fn dumps_fit_the_schema() {
    let schema = schema();
    for sample in [Sample::new(), shop(), extras()] {
        assert_eq!(sample.faults(), [""; 0]);
        assert_eq!(fault(&schema, &document(&sample)), None);
    }
    let breaks: [(&str, Value, &str); 6] = [
        ("/namespaces/0/resources/0/operations/0/method", json!("G T"), "pattern"),
        ("/types/types/0/shape/kind", json!("primitve"), "oneOf"),
        ("/types/types/0/id", json!(1), "type"),
        ("/ir_version", json!("2.0.0"), "pattern"),
        ("/namespaces/0/resources/0/operations/0/extensions", json!({"y": 1}), "propertyNames"),
        ("/namespaces/0/resources/0", json!({}), "required"),
    ];
    for (pointer, value, keyword) in breaks {
        let mut broken = document(&shop());
        *broken.pointer_mut(pointer).expect("the sample has it") = value;
        let fault = fault(&schema, &broken).unwrap_or_default();
        assert!(fault.contains(keyword), "{pointer}: {fault:?}");
    }
}

#[test]
fn members_come_in_their_order_and_pretty_means_the_same() {
    let sample = shop();
    let compact = with_context(&sample, false, |context| dump(&sample.ir, context));
    let pretty = with_context(&sample, true, |context| dump(&sample.ir, context));
    let value: Value = serde_json::from_str(&compact).expect("the dump is JSON");
    assert_eq!(serde_json::from_str::<Value>(&pretty).expect("the dump is JSON"), value);
    assert!(!compact.contains('\n') && pretty.starts_with("{\n  \"ir_version\": \"1.1.0\",\n"));
    let keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    let expect = ["ir_version", "generator", "api", "namespaces", "types", "auth", "errors", "agent", "diagnostics"];
    assert_eq!(keys, expect);
    let ids: Vec<&str> =
        value["types"]["types"].as_array().expect("a list").iter().map(|row| text(&row["id"])).collect();
    assert!(ids.is_sorted() && ids.contains(&"shop.Pet"));
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

#[test]
fn shapes_read_as_documented() {
    let sample = shop();
    let document = document(&sample);
    let types = document["types"]["types"].as_array().expect("a list");
    let cases = [
        ("shop.Creature", json!({"kind": "intersection", "members": [{"kind": "named", "value": "shop.Pet"}]})),
        ("shop.Account", json!({"kind": "primitive", "primitive": {"kind": "string", "format": {"other": "iban"}}})),
        ("shop.Fixed", json!({"kind": "const", "value": 100.0})),
    ];
    for (id, shape) in cases {
        let row = types.iter().find(|row| row["id"] == id).expect("the type is there");
        assert_eq!(row["shape"], shape, "{id}");
    }
    let animal = types.iter().find(|row| row["id"] == "shop.Animal").expect("the type is there");
    let mapping = json!({"property": "kind", "mapping": [["Cat", "shop.Cat"], ["Dog", "shop.Dog"]]});
    assert_eq!(animal["shape"]["discriminator"], mapping);
    let dog = types.iter().find(|row| row["id"] == "shop.Dog").expect("the type is there");
    assert_eq!(dog["shape"]["fields"][1]["presence"], "required_nullable");
    let cat = types.iter().find(|row| row["id"] == "shop.Cat").expect("the type is there");
    let constraints = json!({"minimum": 0, "multiple_of": 0.5});
    assert_eq!(cat["shape"]["fields"][1]["ty"]["value"]["constraints"], constraints);
}

#[test]
fn rules_stand_in_a_list_of_their_own() {
    let document = document(&shop());
    let types = document["types"]["types"].as_array().expect("a list");
    let owner = types.iter().find(|row| row["id"] == "shop.Ruled").expect("the type is there");
    let marks = (&owner["shape"]["inferred"], &owner["shape"]["exclusive"], &owner["shape"]["rules"]);
    assert_eq!(marks, (&json!(true), &json!(true), &json!(0)));
    let sets = document["types"]["rules"].as_array().expect("a list");
    assert_eq!((sets.len(), &sets[0]["type"]), (2, &json!("shop.Ruled")));
    let rules = sets[0]["rules"].as_array().expect("a list");
    assert_eq!(rules[0], json!({"kind": "types", "types": ["null", "number"]}));
    assert_eq!(rules[1], json!({"kind": "bounds", "min": 2, "constraints": {"minimum": 1}}));
    let hidden = json!({"kind": "rules", "value": 1});
    assert_eq!(rules[5], json!({"kind": "patterns", "members": [{"pattern": "^x-", "ty": hidden}]}));
    assert_eq!(rules[12], json!({"kind": "contains", "ty": hidden, "min": 1, "max": 2}));
    assert_eq!(rules[13], json!({"kind": "not", "ty": {"kind": "named", "value": "shop.Pet"}}));
    assert_eq!(sets[1], json!({"rules": [{"kind": "not", "ty": hidden}]}));
}

#[test]
fn operations_stand_in_the_tree_and_beside_it() {
    let document = document(&shop());
    let namespace = &document["namespaces"][0];
    assert_eq!(namespace["name"], json!({"wire": "shop", "words": ["shop"]}));
    let pets = &namespace["resources"][0];
    assert_eq!(pets["operations"][0]["id"], "shop.getPet");
    assert_eq!(pets["operations"][0]["extensions"], json!({"x-note": {"node": 7}}));
    let scheme = json!([{"all_of": [{"scheme": "scheme3", "scopes": ["read"]}]}]);
    assert_eq!(pets["operations"][0]["security"], scheme);
    let watch = &pets["children"][0]["operations"][0];
    assert_eq!((&watch["streaming"], &watch["stream"]["also_plain"]), (&json!("sse"), &json!(false)));
    assert_eq!(watch["stream"]["request_flag"], "live");
    assert_eq!(namespace["webhooks"][0]["webhook"], "pet.sold");
    assert_eq!(namespace["callbacks"][0]["callback"], json!({"operation": "shop.getPet", "name": "pet.sold"}));
    let label = json!({"file": "openapi.yaml", "pointer": "/a", "span": {"start": 1, "end": 2}});
    assert_eq!(document["diagnostics"][0]["labels"], json!([label]));
}

#[test]
fn what_1_1_0_added_is_there() {
    let document = document(&extras());
    let doc = json!({
        "summary": "Prose.", "description": "Prose.", "external": "Prose.", "external_description": "Prose."
    });
    let namespace = &document["namespaces"][0];
    assert_eq!((&namespace["info"]["doc"], &namespace["info"]["uri"]), (&doc, &json!("Prose.")));
    assert_eq!(namespace["info"]["license"], json!({"name": "Prose.", "identifier": "Prose.", "url": "Prose."}));
    assert_eq!(namespace["tags"], json!([{"name": "name", "doc": doc, "parent": "name", "kind": "name"}]));
    assert_eq!(document["api"]["servers"][0]["variables"][0]["choices"], json!(["name"]));
    let [copy, query] = &namespace["resources"][0]["operations"].as_array().expect("a list")[..] else {
        panic!("two operations")
    };
    assert_eq!((&copy["method"], &query["method"]), (&json!("M-COPY"), &json!("QUERY")));
    let whole = &copy["params"]["querystring"][0];
    assert_eq!((&whole["style"], &whole["parts"][0]["wire_name"]), (&json!("cookie"), &json!("name")));
    assert_eq!(whole["parts"][0]["item_part"]["content_type"], "name");
    let response = &query["responses"][0];
    let content = &response["content"][0];
    assert_eq!((&content["encoding"], &query["streaming"]), (&json!("json_seq"), &json!("json_seq")));
    assert_eq!(content["item"]["kind"], "inline");
    assert_eq!(
        (content["prefix_parts"].as_array().map(Vec::len), &content["description"]),
        (Some(1), &json!("Prose."))
    );
    assert_eq!(content["examples"][0]["value"], json!({"node": 1}));
    let written = json!([{"name": "name", "serialized": "Prose.", "external": "Prose.", "doc": doc}]);
    assert_eq!(content["written_examples"], written);
    assert_eq!(
        (&response["headers"][0]["explode"], &response["headers"][0]["media_type"]),
        (&json!(true), &json!("name"))
    );
    let link = &response["links"][0];
    assert_eq!((&link["target"], &link["server"]["name"]), (&json!("name"), &json!("name")));
    let types = document["types"]["types"].as_array().expect("a list");
    let shape = |id: &str| &types.iter().find(|row| row["id"] == id).expect("the type is there")["shape"];
    assert_eq!(shape("shop.Animal")["discriminator"]["default"], "shop.Dog");
    let xml = json!({"name": "name", "namespace": "https://example.com", "prefix": "name", "node_type": "cdata"});
    assert_eq!(shape("shop.Dog")["xml"], xml);
    assert_eq!(shape("shop.Dog")["fields"][0]["ty"]["value"]["xml"]["node_type"], "attribute");
    let scheme = &document["auth"][0];
    assert_eq!((&scheme["deprecated"], &scheme["metadata_url"]), (&json!(true), &json!("https://example.com")));
    assert_eq!(scheme["flows"][0]["device_authorization_url"], "https://example.com");
}

#[test]
fn what_a_manifest_adds_reads_in_its_own_form() {
    let document = document(&shop());
    let operations = &document["namespaces"][0]["resources"][0]["operations"];
    let agent = &operations[0]["agent"];
    assert_eq!(agent["preview"], json!({"mode": "endpoint", "operation": "shop.listPets"}));
    assert_eq!(operations[1]["agent"]["preview"], json!({"mode": "header", "header": "pets", "value": "pets"}));
    assert_eq!(operations[0]["status"]["gate"]["env_var"], "pets");
    assert_eq!(operations[1]["status"], json!({"kind": "implemented"}));
    let parts = json!([{"kind": "text", "value": "Take it home?"}, {"kind": "field", "value": "petId"}]);
    assert_eq!(agent["confirmation"]["message_parts"], parts);
    let verify = json!({
        "operation": "shop.listPets", "args": {"pets": "$response.petId"}, "expect": {"label": {"contains": "sold"}},
        "terminal": {"data.0.status": {"in": ["sold"]}}, "poll_interval_ms": 500
    });
    assert_eq!(agent["verify"], verify);
    let entry = json!({
        "category": "CONFLICT", "text": "Take it home?", "retryable": "never", "status": 409
    });
    assert_eq!(agent["remediation"]["pets"], entry);
    assert_eq!(agent["server_rules"][1]["check"], json!({"kind": "max_ahead_minutes", "minutes": 5}));
    let model = &document["agent"];
    let cluster = json!([{"name": "pets", "operations": ["shop.getAndWait", "shop.getPet"]}]);
    assert_eq!(model["clusters"], cluster);
    assert_eq!(model["gates"], json!({"pets": "Take it home?"}));
    let one = &model["macros"][0];
    let poll = json!({
        "kind": "poll", "operation": "shop.listPets", "args": {"pets": "$response.petId"}, "as": "status",
        "until": {"data.0.status": {"in": ["sold"]}}, "interval_ms": null, "budget_ms": "$input", "max_pages": null
    });
    assert_eq!(one["steps"][1], poll);
    assert_eq!(one["output"], json!([{"expr": "$status.data == \"it's lost\""}]));
    assert_eq!(one["input"], json!({"extends": "shop.getPet", "add": {"status": "it's lost"}}));
    assert_eq!(model["retries"]["read_only"], json!({"max": 3, "base_ms": 200, "max_ms": 5000, "jitter": "full"}));
}

#[test]
fn fragments_equal_their_place_in_the_document() {
    let sample = shop();
    let document = document(&sample);
    let (op, ty) = with_context(&sample, false, |context| {
        let op = OpId::from_index(0);
        (dump_op(&sample.ir, context, op), dump_type(&sample.ir, context, sample.ir.types.named[0]))
    });
    let op: Value = serde_json::from_str(&op).expect("JSON");
    let ty: Value = serde_json::from_str(&ty).expect("JSON");
    assert_eq!(op, document["namespaces"][0]["resources"][0]["operations"][0]);
    assert!(document["types"]["types"].as_array().expect("a list").contains(&ty));
}

#[test]
fn nesting_beyond_all_documents_ends() {
    let mut sample = Sample::new();
    let mut inner = sample.text_type();
    for _ in 0..5000 {
        inner = sample.ty("", Shape::Array { items: inner });
    }
    sample.ty("Deep", Shape::Array { items: inner });
    let mut parent = None;
    for _ in 0..20_000 {
        parent = Some(sample.resource("a", parent, &[]));
    }
    let rows = &mut sample.ir.resources;
    let top = rows.resource_refs.extend([ResourceId::from_index(0)]);
    sample.ir.namespaces[sample.namespace].resources = top;
    for index in 0..rows.rows.len() - 1 {
        let child = rows.resource_refs.extend([ResourceId::from_index(index + 1)]);
        rows.rows[ResourceId::from_index(index)].children = child;
    }
    let text = with_context(&sample, false, |context| dump(&sample.ir, context));
    assert_eq!(text.matches("\"path_prefix\"").count(), 20_000);
    assert!(text.contains("\"kind\":\"any\""));
}
