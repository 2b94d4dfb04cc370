//! Relations between descriptions: what is only written otherwise compiles to the same.
//!
//! Spelling as JSON or YAML, copying what a reference names to where it is named, moving parts to files of their own, the
//! order of `components` and the number of threads change places at most. The inputs are a small description of every
//! construct, our own corpus, and published descriptions where they are at hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use base::digest::Digest;
use base::{Diags, Id, SourceId};
use base_doc::{DocId, Kind, NodeId, NodeRef, Value};
use serde_json::Value as Json;
use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, Request, compile};
use tungsten_ir::profile::{self, Profile};
use tungsten_ir::{DumpContext, Ir, Literal, NameOptions, Shape, assign};

use crate::spelled::{self, Node};

/// The folder and entry of published descriptions of one file each: small enough for a debug build, of three versions,
/// and, but for the first, with components of several kinds.
const PUBLISHED: [(&str, &str); 5] = [
    ("museum", "openapi.yaml"),
    ("scalar-galaxy", "latest.yaml"),
    ("prometheus", "openapi_3.1.yaml"),
    ("figma", "openapi.yaml"),
    ("qdrant", "openapi.json"),
];

struct Subject {
    name: String,
    document: Node,
}

fn subjects() -> Vec<Subject> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<(String, PathBuf)> = vec![
        ("everything".to_owned(), here.join("tests/it/everything.yaml")),
        ("harbour".to_owned(), here.join("../../corpus/harbour/openapi.yaml")),
    ];
    match crate::corpus::shared() {
        Some(shared) => {
            let path = |(folder, entry): (&str, &str)| shared.join("corpus").join(folder).join(entry);
            paths.extend(PUBLISHED.map(|one| (one.0.to_owned(), path(one))));
        }
        None => println!("skipped: no ../shared"),
    }
    let subject = |(name, path): (String, PathBuf)| {
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Subject { name, document: spelled::read(&path.to_string_lossy(), &bytes) }
    };
    paths.into_iter().map(subject).collect()
}

/// Several files as one description; the first is the entry.
fn compiled(files: &[(String, String)]) -> Compiled {
    let add = |loader: MemoryLoader, (path, text): &(String, String)| loader.with(path.as_str(), text.as_bytes());
    let loader = files.iter().fold(MemoryLoader::new(), add);
    let inputs = vec![InputRequest { namespace: "api".to_owned(), spec: files[0].0.clone() }];
    compile(&Request { api_name: "test".to_owned(), inputs, ..Request::default() }, &loader)
}

fn compiled_one(name: &str, text: String) -> Compiled {
    compiled(&[(name.to_owned(), text)])
}

fn compiled_json(document: &Node) -> Compiled {
    compiled_one("api.json", document.json())
}

/// The IR's JSON form, with its diagnostics.
fn dump(compiled: &Compiled) -> String {
    let literal = |at: Literal| {
        let at = NodeRef { doc: DocId::from_index(at.doc as usize), node: NodeId::from_index(at.node as usize) };
        json(compiled.docs.value(at))
    };
    let inputs: [(String, Digest); 0] = [];
    let diagnostics = compiled.diags.clone().finish(&compiled.sources);
    let context = DumpContext {
        tungsten_version: "0",
        inputs: &inputs,
        sources: &compiled.sources,
        diagnostics: &diagnostics,
        literal: &literal,
        pretty: false,
    };
    tungsten_ir::dump(ir(compiled), &context)
}

fn ir(compiled: &Compiled) -> &Ir {
    compiled.ir.as_ref().expect("the description compiles")
}

fn json(value: Value<'_>) -> Json {
    match value.kind() {
        Kind::Null => Json::Null,
        Kind::Bool => value.as_bool().into(),
        Kind::Number => serde_json::from_str(value.as_number().expect("a number")).unwrap_or_default(),
        Kind::String => value.as_str().into(),
        Kind::Array => value.children().map(json).collect(),
        Kind::Object => {
            let member = |child: Value<'_>| (child.key_text().expect("a key").to_owned(), json(child));
            Json::Object(value.children().map(member).collect())
        }
    }
}

/// The IR without places, digests and diagnostics.
fn meaning(compiled: &Compiled) -> Json {
    let mut dump: Json = serde_json::from_str(&dump(compiled)).expect("the dump is JSON");
    dump.as_object_mut().expect("an object").remove("diagnostics");
    forget_places(&mut dump);
    dump
}

fn forget_places(value: &mut Json) {
    match value {
        Json::Object(members) => {
            let is_place = |value: &Json| {
                let Json::Object(place) = value else { return false };
                place.len() == 2 && place.contains_key("file") && place.contains_key("pointer")
            };
            members.retain(|key, value| key != "digest" && !is_place(value));
            members.values_mut().for_each(forget_places);
        }
        Json::Array(items) => items.iter_mut().for_each(forget_places),
        _ => {}
    }
}

/// The first place at which two values differ, with both, or nothing.
fn difference(a: &Json, b: &Json) -> Option<String> {
    let mut pending = vec![(String::new(), a, b)];
    while let Some((at, a, b)) = pending.pop() {
        match (a, b) {
            (Json::Object(x), Json::Object(y)) if x.keys().eq(y.keys()) => {
                pending.extend(x.iter().zip(y.values()).map(|((key, x), y)| (format!("{at}/{key}"), x, y)));
            }
            (Json::Array(x), Json::Array(y)) if x.len() == y.len() => {
                let items = x.iter().zip(y).enumerate();
                pending.extend(items.map(|(index, (x, y))| (format!("{at}/{index}"), x, y)));
            }
            _ if a == b => {}
            _ => {
                let short = |value: &Json| value.to_string().chars().take(600).collect::<String>();
                return Some(format!("{at}:\n  {}\n  {}", short(a), short(b)));
            }
        }
    }
    None
}

#[track_caller]
fn same(subject: &str, relation: &str, a: &Json, b: &Json) {
    if let Some(difference) = difference(a, b) {
        panic!("{subject}: {relation} changes {difference}");
    }
}

/// Findings with everything but their byte ranges and the ending of the file's name.
fn findings(compiled: &Compiled) -> Vec<String> {
    let sorted = compiled.diags.clone().finish(&compiled.sources);
    let line = |one: &base::Diagnostic| {
        let related =
            one.related.iter().map(|(place, why)| format!(" {} {why}", place.pointer)).collect::<Vec<_>>().concat();
        let help = one.help.as_deref().unwrap_or_default();
        format!("{} {} {} ({help}){related}", one.code, one.place.pointer, one.message).replace(".yaml", ".json")
    };
    sorted.iter().map(line).collect()
}

/// The same codes are found, however often and wherever.
#[track_caller]
fn same_codes(subject: &str, before: &Compiled, after: &Compiled) {
    let codes =
        |compiled: &Compiled| -> BTreeSet<&'static str> { compiled.diags.iter().map(|one| one.code.name()).collect() };
    let (a, b) = (codes(before), codes(after));
    let of_one = |line: &String| a.symmetric_difference(&b).any(|code| line.starts_with(code));
    let lines: Vec<String> = findings(before).into_iter().chain(findings(after)).filter(of_one).collect();
    assert!(a == b, "{subject}: found once only: {lines:#?}");
}

#[test]
fn json_and_yaml_mean_the_same() {
    for Subject { name, document } in subjects() {
        let (json, yaml) = (compiled_json(&document), compiled_one("api.yaml", document.yaml()));
        same(&name, "block YAML", &meaning(&json), &meaning(&yaml));
        assert_eq!(findings(&json), findings(&yaml), "{name}");
    }
}

/// Sections of `components` whose members may stand where they are named. Schemas have names of their own.
const INLINED: [&str; 7] = ["parameters", "responses", "requestBodies", "headers", "pathItems", "callbacks", "links"];

/// Keys whose members' keys are names, not keywords.
const NAMES: [&str; 26] = [
    "$defs",
    "additionalOperations",
    "callbacks",
    "content",
    "definitions",
    "dependentSchemas",
    "encoding",
    "headers",
    "links",
    "mapping",
    "mediaTypes",
    "parameters",
    "pathItems",
    "paths",
    "patternProperties",
    "properties",
    "requestBodies",
    "responses",
    "schemas",
    "scopes",
    "securitySchemes",
    "security",
    "variables",
    "webhooks",
    "examples",
    "dependencies",
];

/// Keys of literal values, in which nothing is a reference.
fn is_literal(key: &str) -> bool {
    matches!(key, "example" | "default" | "enum" | "const" | "value" | "requestBody/value") || key.starts_with("x-")
}

/// Calls `change` for every object of a document that is no literal, a container before what it contains. An object
/// whose keys are names is passed over, its members are not.
fn each_object(node: &mut Node, holds_names: bool, change: &mut dyn FnMut(&mut Node)) {
    if matches!(node, Node::Object(_)) && !holds_names {
        change(node);
    }
    match node {
        Node::Object(members) => {
            for (key, value) in members {
                if holds_names || !is_literal(key) {
                    let names = !holds_names && NAMES.contains(&key.as_str()) && matches!(value, Node::Object(_));
                    each_object(value, names, change);
                }
            }
        }
        Node::List(items) => items.iter_mut().for_each(|item| each_object(item, false, change)),
        _ => {}
    }
}

/// What a reference to a component that may be inlined names, and the section it is in.
fn component<'a>(document: &'a Node, target: &str) -> Option<(&'a Node, &'static str)> {
    let (section, name) = target.strip_prefix("#/components/")?.split_once('/')?;
    let section = INLINED.into_iter().find(|known| *known == section)?;
    let name = name.replace("~1", "/").replace("~0", "~").replace("%20", " ");
    document.get("components")?.get(section)?.get(&name).map(|node| (node, section))
}

/// Puts what references name in their places; returns how many of each section it were.
fn inline(document: &mut Node) -> BTreeMap<&'static str, usize> {
    let original = document.clone();
    let mut counts = BTreeMap::new();
    let mut change = |node: &mut Node| {
        // A chain of references ends: each document here is free of circles of them.
        while let Some((target, section)) = node.only_reference().and_then(|target| component(&original, target)) {
            *counts.entry(section).or_default() += 1;
            *node = target.clone();
        }
    };
    for part in ["paths", "webhooks"] {
        if let Some(part) = document.get_mut(part) {
            each_object(part, true, &mut change);
        }
    }
    counts
}

#[test]
fn what_a_reference_names_may_stand_in_its_place() {
    for Subject { name, document } in subjects() {
        let mut inlined = document.clone();
        let counts = inline(&mut inlined);
        println!("{name}: {counts:?}");
        if name == "everything" {
            assert_eq!(counts.keys().copied().collect::<BTreeSet<_>>(), BTreeSet::from(INLINED), "what is inlined");
        }
        let (before, after) = (compiled_json(&document), compiled_json(&inlined));
        same(&name, "inlining", &meaning(&before), &meaning(&after));
        same_codes(&name, &before, &after);
    }
}

/// A description that is being spread over files.
struct Split {
    /// By path; the entry is not among them.
    files: Vec<(String, String)>,
    /// Members of the one file that holds several parts.
    shared: Vec<(String, Node)>,
}

impl Split {
    /// Puts a reference in the place of a value, and the value in a file: one of its own, or the one of many parts.
    fn move_out(&mut self, node: &mut Node) {
        let number = self.files.len() + self.shared.len();
        let target = match number % 3 {
            0 => format!("parts/part{number}.json"),
            1 => format!("parts/part{number}.yaml"),
            _ => format!("parts/all.yaml#/of~1all/{}", self.shared.len()),
        };
        let mut part = std::mem::replace(node, Node::reference(&target));
        each_object(&mut part, false, &mut |node| lead_back(node, "../api.json"));
        match number % 3 {
            0 => self.files.push((target, part.json())),
            1 => self.files.push((target, part.yaml())),
            _ => self.shared.push((self.shared.len().to_string(), part)),
        }
    }
}

/// Makes references within the entry ones from another file.
fn lead_back(node: &mut Node, entry: &str) {
    let lead = |value: &mut Node| {
        if let Node::String(target) = value
            && target.starts_with('#')
        {
            target.insert_str(0, entry);
        }
    };
    ["$ref", "operationRef"].into_iter().for_each(|key| node.get_mut(key).into_iter().for_each(lead));
    if let Some(Node::Object(mapping)) = node.get_mut("discriminator").and_then(|node| node.get_mut("mapping")) {
        mapping.iter_mut().for_each(|(_, target)| lead(target));
    }
}

/// Moves every component and every path item to another file.
fn split(document: &Node) -> Vec<(String, String)> {
    let mut entry = document.clone();
    let mut split = Split { files: Vec::new(), shared: Vec::new() };
    if let Some(Node::Object(sections)) = entry.get_mut("components") {
        for (section, parts) in sections {
            let is_moved = section == "schemas" || section == "examples" || INLINED.contains(&section.as_str());
            if is_moved && matches!(parts, Node::Object(_)) {
                parts.members_mut().iter_mut().for_each(|(_, part)| split.move_out(part));
            }
        }
    }
    if let Some(Node::Object(paths)) = entry.get_mut("paths") {
        let items = paths.iter_mut().filter(|(path, item)| path.starts_with('/') && item.only_reference().is_none());
        items.for_each(|(_, item)| split.move_out(item));
    }
    let mut files = vec![("api.json".to_owned(), entry.json())];
    files.append(&mut split.files);
    let shared = Node::Object(vec![("of/all".to_owned(), Node::Object(split.shared))]);
    files.push(("parts/all.yaml".to_owned(), shared.yaml()));
    files
}

#[test]
fn parts_may_stand_in_other_files() {
    for Subject { name, document } in subjects() {
        let files = split(&document);
        let (before, after) = (compiled_json(&document), compiled(&files));
        assert_eq!(after.stats.n_documents, files.len(), "{name}: every file is read");
        same(&name, "splitting", &meaning(&before), &meaning(&after));
        same_codes(&name, &before, &after);
    }
}

/// The same description with the sections of `components`, and the members of each, the other way round.
fn reordered(document: &Node) -> Node {
    let mut document = document.clone();
    if let Some(components) = document.get_mut("components") {
        let sections = components.members_mut();
        sections.reverse();
        sections.iter_mut().filter(|(key, _)| !key.starts_with("x-")).for_each(|(_, section)| {
            if let Node::Object(members) = section {
                members.reverse();
            }
        });
    }
    document
}

/// The lists that stand in the order of the components, sorted.
fn without_order(mut meaning: Json) -> Json {
    let schemes = meaning["auth"].as_array_mut().expect("a list");
    schemes.sort_by_key(|scheme| scheme["name"].to_string());
    let names = rule_names(&meaning["types"]["rules"]);
    name_rules(&mut meaning, &names);
    if let Some(rules) = meaning["types"]["rules"].as_array_mut() {
        rules.sort_by_key(Json::to_string);
    }
    meaning
}

/// A name for each entry of the list of rules that tells what it says, whatever its number.
fn rule_names(rules: &Json) -> Vec<String> {
    let entries = rules.as_array().map_or(&[][..], Vec::as_slice);
    let mut names = vec![String::new(); entries.len()];
    // An entry may lead to others by their numbers: what those say is a part of the name, three entries deep.
    for _ in 0..3 {
        let of = |entry: &Json| {
            let mut entry = entry.clone();
            name_rules(&mut entry, &names);
            base::digest::Digest::of(entry.to_string().as_bytes()).hex()
        };
        names = entries.iter().map(of).collect();
    }
    names
}

/// Puts names of rules where numbers of rules are.
fn name_rules(value: &mut Json, names: &[String]) {
    let name = |number: &Json| number.as_u64().map(|number| Json::from(names[number as usize].as_str()));
    match value {
        Json::Object(members) => {
            let key = if members.get("kind") == Some(&Json::from("rules")) { "value" } else { "rules" };
            if let Some(number) = members.get_mut(key)
                && let Some(name) = name(number)
            {
                *number = name;
            }
            members.values_mut().for_each(|member| name_rules(member, names));
        }
        Json::Array(items) => items.iter_mut().for_each(|item| name_rules(item, names)),
        _ => {}
    }
}

#[test]
fn the_order_of_components_changes_no_name() {
    for Subject { name, document } in subjects() {
        let (before, after) = (compiled_json(&document), compiled_json(&reordered(&document)));
        let [a, b] = [&before, &after].map(|compiled| without_order(meaning(compiled)));
        same(&name, "the order of components", &a, &b);
        for profile in [&profile::TYPESCRIPT, &profile::PYTHON, &profile::RUST, &profile::GO] {
            let [a, b] = [&before, &after].map(|compiled| names(compiled, profile));
            assert!(a.len() > 20, "{name}: {a:?}");
            let changed: Vec<_> = a.difference(&b).zip(b.difference(&a)).take(10).collect();
            assert!(changed.is_empty(), "{name}, {}: {changed:#?}", profile.language);
        }
    }
}

/// Every generated name of a profile, with what it names: `type /components/schemas/Pet: Pet`.
fn names(compiled: &Compiled, profile: &Profile) -> BTreeSet<String> {
    let ir = ir(compiled);
    let names = assign(ir, profile, &NameOptions::default(), &mut Diags::new());
    let pointers = pointers(compiled);
    let text = |sym| ir.names.resolve(sym);
    let mut out = BTreeSet::new();
    for (id, row) in ir.types.rows.iter() {
        let at = pointers.get(&(row.origin.source, row.origin.offset)).map_or("", String::as_str);
        out.extend(names.try_ty(id).map(|name| format!("type {at}: {name}")));
        match row.shape {
            Shape::Record { fields, .. } => {
                let fields = fields.iter().map(|id| (ir.types.fields[id].name, names.field(id)));
                out.extend(fields.map(|(wire, name)| format!("field {at} {}: {name}", text(wire))));
            }
            Shape::Enum { values } => {
                out.extend(values.iter().map(|id| format!("value {at}: {}", names.enum_value(id))));
            }
            Shape::Union { variants, .. } => {
                out.extend(variants.iter().map(|id| format!("variant {at}: {}", names.variant(id))));
            }
            _ => {}
        }
    }
    for (id, op) in ir.ops.rows.iter() {
        let key = text(op.id);
        let of_op = [names.method(id), names.op_function(id), names.op_args(id), names.body_arg(id)];
        out.extend(of_op.iter().enumerate().map(|(kind, name)| format!("operation {key} {kind}: {name}")));
        let params = op.params.iter().map(|id| (&ir.ops.params[id], names.param(id)));
        out.extend(params.map(|(row, name)| format!("parameter {key} {:?} {}: {name}", row.location, text(row.name))));
    }
    for (id, row) in ir.resources.rows.iter() {
        let of_resource =
            [names.resource(id), names.resource_class(id), names.resource_file(id), names.resource_module(id)];
        let key = text(row.path_prefix);
        out.extend(of_resource.iter().enumerate().map(|(kind, name)| format!("resource {key} {kind}: {name}")));
    }
    out
}

/// The pointer of every value, by its place.
fn pointers(compiled: &Compiled) -> BTreeMap<(SourceId, u32), String> {
    let mut out = BTreeMap::new();
    for (id, doc) in compiled.docs.docs.iter() {
        let mut pending = vec![(compiled.docs.root(id), String::new())];
        while let Some((value, pointer)) = pending.pop() {
            for (index, child) in value.children().enumerate() {
                let token = child.key_text().map_or(index.to_string(), base_doc::escape_token);
                pending.push((child, format!("{pointer}/{token}")));
            }
            out.insert((doc.source_id(), doc.offset(value.at().node)), pointer);
        }
    }
    out
}

#[test]
fn an_inline_type_is_named_after_the_component_that_it_stands_in() {
    let everything = subjects().swap_remove(0).document;
    for document in [reordered(&everything), everything] {
        let names = names(&compiled_json(&document), &profile::TYPESCRIPT);
        // `Owner` takes the fields of `Base` over, whichever of the two comes first.
        for (property, name) in [("role", "BaseRole"), ("place/properties/kind", "BasePlaceKind")] {
            let line = format!("type /components/schemas/Base/properties/{property}: {name}");
            assert!(names.contains(&line), "{line} {names:#?}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    let pool = |n_threads| rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads start");
    let (one, two) = (pool(1), pool(2));
    for Subject { name, document } in subjects() {
        let files = split(&document);
        for files in [&files[..], &[("api.json".to_owned(), document.json())]] {
            let all = || {
                let compiled = compiled(files);
                let names = names(&compiled, &profile::TYPESCRIPT);
                (dump(&compiled), names)
            };
            let (a, b) = (one.install(all), two.install(all));
            assert!(a.0 == b.0, "{name}: {:?}", difference(&parsed(&a.0), &parsed(&b.0)));
            assert_eq!(a.1, b.1, "{name}");
        }
    }
}

fn parsed(dump: &str) -> Json {
    serde_json::from_str(dump).expect("the dump is JSON")
}

#[test]
fn a_change_of_meaning_is_seen() {
    let everything = subjects().swap_remove(0).document;
    let mut other = everything.clone();
    let steps = ["components", "schemas", "Name", "maxLength"];
    let most = steps.iter().try_fold(&mut other, |node, step| node.get_mut(step)).expect("a schema with a limit");
    *most = Node::Number("81".to_owned());
    let found = difference(&meaning(&compiled_json(&everything)), &meaning(&compiled_json(&other)));
    assert!(found.as_ref().is_some_and(|found| found.contains("max_length")), "{found:?}");
    // An order within a record is one of meaning; the order of components is not.
    assert_ne!(reordered(&everything), everything);
    assert!(split(&everything).len() > 20);
}
