//! Writes large synthetic API descriptions of many documents, the same bytes each time: for measuring growth.
//!
//! One entry document, and one document for each group of schemas; schemas refer to each other within and across
//! documents. The paths stand in the entry, or beside the schemas that they are about when they would be too many for
//! one file. The text is plain block YAML, as people write it.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// How large a description is made.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Documents beside the entry.
    pub documents: usize,
    /// Operations in all; a fifth of them each list, create, get, update and delete.
    pub operations: usize,
    /// Where the path items are.
    pub paths: Paths,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paths {
    /// All in the entry.
    InEntry,
    /// Each in the document of its schemas; the entry refers to it.
    InGroups,
}

/// Fields of each schema.
const FIELDS: usize = 12;

/// Writes `openapi.yaml` and `schemas/*.yaml` into `folder`; returns the number of bytes.
pub fn write(folder: &Path, size: Size) -> io::Result<usize> {
    std::fs::create_dir_all(folder.join("schemas"))?;
    let n_resources = size.operations.div_ceil(5).max(1);
    let n_documents = size.documents.clamp(1, n_resources);
    let mut n_bytes = 0;
    for document in 0..n_documents {
        let mut text = schemas(document, n_documents, n_resources);
        if size.paths == Paths::InGroups {
            text.push_str("paths:\n");
            for resource in (document..n_resources).step_by(n_documents) {
                let schema = reference(resource, document, n_documents);
                path_items(&mut text, resource, &schema, size.operations - resource * 5);
            }
        }
        n_bytes += text.len();
        std::fs::write(folder.join(format!("schemas/group{document}.yaml")), text)?;
    }
    let text = entry(n_documents, n_resources, size);
    n_bytes += text.len();
    std::fs::write(folder.join("openapi.yaml"), text)?;
    Ok(n_bytes)
}

fn schemas(document: usize, n_documents: usize, n_resources: usize) -> String {
    let mut out = String::from("components:\n  schemas:\n");
    for resource in (document..n_resources).step_by(n_documents) {
        let _ = write!(
            out,
            "    Thing{resource}:\n      type: object\n      description: A thing of kind {resource}, with its parts and its place among the others.\n      required: [id, name]\n      properties:\n        id:\n          type: string\n          format: uuid\n          readOnly: true\n        name:\n          type: string\n          minLength: 1\n          maxLength: 200\n"
        );
        for field in 0..FIELDS {
            let _ = writeln!(out, "        field_{field}:");
            match field % 4 {
                0 => out.push_str("          type: integer\n          format: int64\n          minimum: 0\n"),
                1 => out.push_str("          type: array\n          items:\n            type: string\n"),
                2 => out.push_str("          type: string\n          enum: [first, second, third]\n"),
                _ => {
                    let other = (resource * 7 + field) % n_resources;
                    let _ = writeln!(out, "          $ref: \"{}\"", reference(other, document, n_documents));
                }
            }
        }
    }
    out
}

/// A reference to a schema as it is written in document `from` (the entry is the last).
fn reference(resource: usize, from: usize, n_documents: usize) -> String {
    let document = resource % n_documents;
    let file = match from {
        from if from == document => String::new(),
        from if from == n_documents => format!("schemas/group{document}.yaml"),
        _ => format!("group{document}.yaml"),
    };
    format!("{file}#/components/schemas/Thing{resource}")
}

fn entry(n_documents: usize, n_resources: usize, size: Size) -> String {
    let mut out = String::from(
        "openapi: 3.1.0\ninfo:\n  title: Synthetic\n  version: 1.0.0\nservers:\n  - url: https://api.example.test\npaths:\n",
    );
    for resource in 0..n_resources {
        let left = size.operations - resource * 5;
        match size.paths {
            Paths::InEntry => path_items(&mut out, resource, &reference(resource, n_documents, n_documents), left),
            Paths::InGroups => {
                let file = format!("schemas/group{}.yaml", resource % n_documents);
                let mut refer = |path: &str| {
                    let pointer = path.replace('/', "~1").replace('{', "%7B").replace('}', "%7D");
                    let _ = write!(out, "  {path}:\n    $ref: \"{file}#/paths/{pointer}\"\n");
                };
                refer(&format!("/things{resource}"));
                if left > 2 {
                    refer(&format!("/things{resource}/{{id}}"));
                }
            }
        }
    }
    out
}

/// The path items of a resource, with as many of its operations as are `left`.
fn path_items(out: &mut String, resource: usize, schema: &str, left: usize) {
    let _ = writeln!(out, "  /things{resource}:");
    let verbs = ["list", "create", "get", "update", "delete"];
    for verb in &verbs[..left.min(verbs.len())] {
        if *verb == "get" {
            let _ = write!(
                out,
                "  /things{resource}/{{id}}:\n    parameters:\n      - name: id\n        in: path\n        required: true\n        schema:\n          type: string\n"
            );
        }
        let method = match *verb {
            "list" | "get" => "get",
            "create" => "post",
            "update" => "put",
            _ => "delete",
        };
        let _ = write!(
            out,
            "    {method}:\n      operationId: {verb}Thing{resource}\n      summary: {verb} things of kind {resource}\n"
        );
        match *verb {
            "list" => {
                let _ = write!(
                    out,
                    "      parameters:\n        - name: limit\n          in: query\n          schema:\n            type: integer\n      responses:\n        \"200\":\n          description: The things.\n          content:\n            application/json:\n              schema:\n                type: array\n                items:\n                  $ref: \"{schema}\"\n"
                );
            }
            "delete" => out.push_str("      responses:\n        \"204\":\n          description: Gone.\n"),
            "get" => one(out, schema),
            _ => {
                body(out, schema);
                one(out, schema);
            }
        }
    }
}

fn body(out: &mut String, schema: &str) {
    let _ = write!(
        out,
        "      requestBody:\n        required: true\n        content:\n          application/json:\n            schema:\n              $ref: \"{schema}\"\n"
    );
}

fn one(out: &mut String, schema: &str) {
    let _ = write!(
        out,
        "      responses:\n        \"200\":\n          description: The thing.\n          content:\n            application/json:\n              schema:\n                $ref: \"{schema}\"\n"
    );
}
