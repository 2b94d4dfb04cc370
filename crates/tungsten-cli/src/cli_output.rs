//! The JSON Schema of `--json`: one closed envelope, and the result of each command.

use serde_json::{Value, json};

/// Draft 2020-12; the id is stable for version 1 of the output.
pub fn schema() -> Value {
    let commands: [(&str, &str); 9] = [
        ("check", "Check"),
        ("ir dump", "IrDump"),
        ("explain", "Explain"),
        ("schema", "Schema"),
        ("init", "Init"),
        ("doctor", "Doctor"),
        ("generate", "Generate"),
        ("mock", "Mock"),
        ("overlay suggest", "OverlaySuggest"),
    ];
    let names: Vec<Value> = commands.iter().map(|(name, _)| json!(name)).chain([Value::Null]).collect();
    let results: Vec<Value> = commands
        .iter()
        .map(|(name, result)| {
            json!({
                "if": { "properties": { "command": { "const": name } } },
                "then": { "properties": { "result": nullable(&reference(result)) } },
            })
        })
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://tungsten.dev/schemas/cli-output-v1.json",
        "title": "tungsten --json",
        "description": "Exactly one of these documents is printed on standard output. No timings, no timestamps, no absolute tool paths.",
        "type": "object",
        "additionalProperties": false,
        "required": ["tool", "version", "command", "ok", "exit_code", "diagnostics", "error", "result"],
        "properties": {
            "tool": { "const": "tungsten" },
            "version": { "type": "string" },
            "command": { "enum": names },
            "ok": { "type": "boolean", "description": "Whether the exit code is 0." },
            "exit_code": { "type": "integer", "minimum": 0, "maximum": 4 },
            "diagnostics": { "type": "array", "items": reference("Diagnostic") },
            "error": nullable(&reference("Error")),
            "result": true,
        },
        "allOf": results,
        "$defs": definitions(),
    })
}

fn definitions() -> Value {
    json!({
        "Diagnostic": closed(json!({
            "code": { "type": "string", "pattern": "^TG[0-9]{4}$" },
            "severity": { "enum": ["error", "warning", "info"] },
            "message": { "type": "string" },
            "help": nullable_type("string"),
            "file": { "type": ["string", "null"], "description": "Relative to the project's folder; for a single document, as it was named." },
            "pointer": { "type": ["string", "null"], "description": "RFC 6901." },
            "line": { "type": ["integer", "null"], "minimum": 1 },
            "column": { "type": ["integer", "null"], "minimum": 1, "description": "In characters." },
        }), &[]),
        "Error": closed(json!({
            "kind": { "enum": ["usage", "refused", "not_found", "io", "internal"] },
            "message": { "type": "string" },
            "help": nullable_type("string"),
        }), &[]),
        "Stats": closed(json!({
            "api": { "type": "string" },
            "namespaces": count(),
            "resources": count(),
            "operations": closed(json!({ "total": count(), "implemented": count(), "planned": count(), "gated": count() }), &[]),
            "types": count(),
            "auth_schemes": count(),
        }), &[]),
        "Check": closed(json!({
            "inputs": strings(),
            "openapi_versions": { "type": "array", "items": nullable_type("string") },
            "documents": count(),
            "counts": closed(json!({ "errors": count(), "warnings": count(), "infos": count() }), &[]),
            "promoted": count(),
            "strict": { "type": "boolean" },
            "ci": { "type": "boolean" },
            "refs": closed(json!({ "schemas": count(), "edges": count(), "cross_document": count(), "cycles": count(), "recursive": count() }), &[]),
            "stats": nullable(&reference("Stats")),
            "outputs": { "type": "array", "items": reference("TargetReport") },
        }), &["outputs"]),
        "TargetReport": closed(json!({
            "target": { "type": "string" },
            "status": { "enum": ["generated", "dry_run", "fresh", "stale", "skipped", "failed", "refused", "withheld"] },
            "out": { "type": "string" },
            "files": count(),
            "written": strings(),
            "unchanged": strings(),
            "removed": strings(),
            "preserved": strings(),
            "stale": strings(),
        }), &[]),
        "Generate": closed(json!({
            "targets": { "type": "array", "items": reference("TargetReport") },
            "dry_run": { "type": "boolean" },
            "check": { "type": "boolean" },
            "strict": { "type": "boolean" },
            "promoted": count(),
        }), &[]),
        "IrDump": closed(json!({
            "ir": { "type": "object" },
            "out": { "type": "string" },
            "bytes": count(),
            "stats": nullable(&reference("Stats")),
        }), &["ir", "out", "bytes"]),
        "Explain": { "oneOf": [
            closed(json!({
                "kind": { "const": "diagnostic_code" },
                "code": { "type": "string" },
                "summary": { "type": "string" },
                "area": { "type": "string" },
                "meaning": { "type": "string" },
                "fix": { "type": "string" },
            }), &[]),
            closed(json!({
                "kind": { "const": "operation" },
                "id": { "type": "string" },
                "resource": nullable_type("string"),
                "planned": { "type": "boolean" },
                "fragment": { "type": "object" },
            }), &[]),
            closed(json!({ "kind": { "const": "type" }, "id": { "type": "string" }, "fragment": { "type": "object" } }), &[]),
        ] },
        "Schema": closed(json!({ "name": { "type": "string" }, "schema": { "type": "object" } }), &[]),
        "Init": closed(json!({
            "dir": { "type": "string" },
            "api_name": { "type": "string" },
            "namespace": { "type": "string" },
            "spec": { "type": "string" },
            "spec_found": { "type": "boolean" },
            "files": { "type": "array", "items": closed(json!({
                "path": { "type": "string" },
                "action": { "enum": ["created", "overwritten"] },
            }), &[]) },
        }), &[]),
        "Doctor": closed(json!({
            "tools": { "type": "array", "items": closed(json!({
                "name": { "type": "string" },
                "found": { "type": "boolean" },
                "version": nullable_type("string"),
                "purpose": { "type": "string" },
                "required": { "type": "boolean" },
                "ok": { "type": "boolean" },
            }), &[]) },
            "project": closed(json!({
                "targets": strings(),
                "missing": strings(),
                "local_packages": { "type": "array", "items": closed(json!({
                    "target": { "type": "string" },
                    "option": { "type": "string" },
                    "path": { "type": "string" },
                    "found": { "type": "boolean" },
                }), &[]) },
            }), &[]),
        }), &["project"]),
        "Mock": closed(json!({
            "base_url": { "type": "string" },
            "enabled_gates": strings(),
            "max_recorded_calls": count(),
            "max_idempotent_responses": count(),
        }), &[]),
        "OverlaySuggest": closed(json!({
            "namespace": { "type": "string" },
            "spec": { "type": "string" },
            "actions": { "type": "array", "items": closed(json!({
                "codes": strings(),
                "target": { "type": "string", "description": "RFC 9535." },
                "pointer": { "type": "string", "description": "RFC 6901." },
                "update": { "type": "object" },
            }), &[]) },
            "skipped": count(),
            "out": { "type": "string" },
            "overlay": { "type": "object" },
        }), &["namespace", "spec", "out", "overlay"]),
    })
}

/// An object that has exactly these members; all but `optional` are required.
fn closed(properties: Value, optional: &[&str]) -> Value {
    let names = properties.as_object().into_iter().flat_map(|map| map.keys());
    let required: Vec<&String> = names.filter(|name| !optional.contains(&name.as_str())).collect();
    let required = json!(required);
    json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn nullable(schema: &Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

fn nullable_type(name: &str) -> Value {
    json!({ "type": [name, "null"] })
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn strings() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}
