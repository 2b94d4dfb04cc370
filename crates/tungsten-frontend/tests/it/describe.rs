//! What the tests of operations share: small documents in, short lines out.
//!
//! A line per operation or diagnostic is easy to compare; the tables themselves are checked where a line says too little.

use base::Place;
use tungsten_frontend::{Compiled, InputRequest, MemoryLoader, Overrides, Request, compile};
use tungsten_ir::{Ir, OpId, OpKind, ResourceId};

/// Compiles one YAML document as the namespace `api`.
pub fn document(yaml: &str) -> Compiled {
    with_overrides(yaml, Overrides::default())
}

pub fn with_overrides(yaml: &str, overrides: Overrides) -> Compiled {
    documents(&[("api", yaml)], overrides)
}

/// Compiles one YAML document a namespace.
pub fn documents(inputs: &[(&str, &str)], overrides: Overrides) -> Compiled {
    let mut loader = MemoryLoader::new();
    for (namespace, yaml) in inputs {
        loader = loader.with(format!("{namespace}.yaml"), yaml.as_bytes());
    }
    let input = |(namespace, _): &(&str, &str)| InputRequest {
        namespace: (*namespace).to_owned(),
        spec: format!("{namespace}.yaml"),
    };
    let inputs = inputs.iter().map(input).collect();
    let request = Request { api_name: "test".to_owned(), inputs, overrides, ..Request::default() };
    compile(&request, &loader)
}

/// A document of operations, one a line: `get /pets listPets array`. The last word is the body of the 200 response: a
/// shape of [`schema`], or nothing for none.
pub fn api(lines: &[&str]) -> String {
    let mut paths: Vec<(&str, String)> = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (method, path, id) = (words[0], words[1], words[2]);
        let body = words.get(3).map_or(String::new(), |shape| {
            format!(", content: {{ application/json: {{ schema: {} }} }}", schema(shape))
        });
        let tags = words.get(4).map_or(String::new(), |tag| format!("      tags: [{tag}]\n"));
        let operation = format!(
            "    {method}:\n      operationId: {id}\n{tags}      responses: {{ '200': {{ description: ok{body} }} }}\n"
        );
        match paths.iter_mut().find(|(key, _)| *key == path) {
            Some((_, operations)) => operations.push_str(&operation),
            None => paths.push((path, operation)),
        }
    }
    let mut yaml = head();
    yaml.push_str("paths:\n");
    for (path, operations) in paths {
        yaml.push_str(&format!("  '{path}':\n{operations}"));
    }
    yaml
}

pub fn head() -> String {
    "openapi: 3.1.0\ninfo: { title: Test, version: 1.0.0 }\n".to_owned()
}

fn schema(shape: &str) -> &'static str {
    match shape {
        "array" => "{ type: array, items: { type: string } }",
        "object" => "{ type: object, properties: { name: { type: string } } }",
        "page" => {
            "{ type: object, properties: { items: { type: array, items: { type: string } }, n: { type: integer } } }"
        }
        "two" => "{ type: object, properties: { a: { type: array, items: {} }, b: { type: array, items: {} } } }",
        "any" => "{}",
        "-" => "{ type: object, properties: { name: { type: string } } }",
        other => panic!("no such shape: {other}"),
    }
}

/// Diagnostics as `TG0507 /paths/~1a/get`, sorted as they are printed.
pub fn findings(compiled: &Compiled) -> Vec<String> {
    let sorted = compiled.diags.clone().finish(&compiled.sources);
    sorted.iter().map(|one| format!("{} {}", one.code, one.place.pointer)).collect()
}

/// Diagnostics of one code, as their places.
pub fn places(compiled: &Compiled, code: &str) -> Vec<String> {
    let prefix = format!("{code} ");
    findings(compiled).iter().filter_map(|line| line.strip_prefix(&prefix)).map(str::to_owned).collect()
}

pub fn ir(compiled: &Compiled) -> &Ir {
    compiled.ir.as_ref().expect("the document compiles")
}

pub fn name(ir: &Ir, sym: base::Sym) -> &str {
    ir.names.resolve(sym)
}

/// The operation with a local id.
pub fn op(ir: &Ir, local_id: &str) -> OpId {
    let found = ir.ops.rows.iter().find(|(_, op)| name(ir, op.local_id) == local_id);
    found.unwrap_or_else(|| panic!("no operation {local_id}")).0
}

/// The tree of all namespaces: `webhooks.deliveries.list = listDeliveries`.
pub fn tree(ir: &Ir) -> Vec<String> {
    let mut lines = Vec::new();
    for (_, namespace) in ir.namespaces.iter() {
        for &resource in ir.resources.resource_refs.slice(namespace.resources) {
            lines_of(ir, resource, "", &mut lines);
        }
    }
    lines
}

fn lines_of(ir: &Ir, id: ResourceId, above: &str, lines: &mut Vec<String>) {
    let resource = &ir.resources.rows[id];
    let path = format!("{above}{}.", name(ir, resource.name));
    for &op in ir.resources.op_refs.slice(resource.ops) {
        assert_eq!(ir.op_resource[op], Some(id));
        assert_eq!(ir.ops.rows[op].kind, OpKind::Call);
        let method = ir.op_name[op].map_or("?", |method| name(ir, method));
        lines.push(format!("{path}{method} = {}", name(ir, ir.ops.rows[op].local_id)));
    }
    for &child in ir.resources.resource_refs.slice(resource.children) {
        assert_eq!(ir.resources.rows[child].parent, Some(id));
        lines_of(ir, child, &path, lines);
    }
}

/// Resources as `webhooks.deliveries /v1/webhooks/{id}/deliveries`.
pub fn prefixes(ir: &Ir) -> Vec<String> {
    let row = |(id, resource): (ResourceId, &tungsten_ir::Resource)| {
        let mut path = vec![name(ir, resource.name)];
        let mut at = ir.resources.rows[id].parent;
        while let Some(parent) = at {
            path.insert(0, name(ir, ir.resources.rows[parent].name));
            at = ir.resources.rows[parent].parent;
        }
        format!("{} {}", path.join("."), name(ir, resource.path_prefix))
    };
    ir.resources.rows.iter().map(row).collect()
}

/// A place in a manifest.
pub fn manifest(pointer: &str) -> Place {
    Place { pointer: pointer.to_owned(), ..Place::file("tungsten.yml") }
}
