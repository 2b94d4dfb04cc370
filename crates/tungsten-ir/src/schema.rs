//! The JSON Schema (2020-12) of the document that `dump` writes.
//!
//! Objects are open: a minor version only adds members. What a reader may rely on is required.

use serde_json::{Value, json};

use crate::{Category, DisclosureMode, Jitter, KeyFormat, OnUnknown, Policy, Retryable, Safety};

/// The schema's id.
pub const SCHEMA_ID: &str = "https://tungsten.dev/schemas/ir-v1.json";

/// The JSON Schema of the IR document.
pub fn schema() -> Value {
    let mut defs = serde_json::Map::new();
    for part in [document_defs(), operation_defs(), agent_defs(), type_defs(), rule_defs(), auth_defs()] {
        if let Value::Object(part) = part {
            defs.extend(part);
        }
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        "title": "The intermediate representation of tungsten",
        "type": "object",
        "required": [
            "ir_version", "generator", "api", "namespaces", "types", "auth", "errors", "agent", "diagnostics"
        ],
        "properties": {
            "ir_version": {"type": "string", "pattern": "^1\\.[0-9]+\\.[0-9]+$"},
            "generator": object(&["tungsten_version", "inputs"], json!({
                "tungsten_version": text(),
                "inputs": {"type": "object", "additionalProperties": def("Digest")}
            })),
            "api": object(&["name", "title", "version", "servers"], json!({
                "name": def("Ident"),
                "title": text(),
                "description": text(),
                "docs_url": text(),
                "version": text(),
                "servers": list("Server")
            })),
            "namespaces": list("Namespace"),
            "types": object(&["types"], json!({"types": list("NamedType"), "rules": list("RuleSet")})),
            "auth": list("AuthScheme"),
            "errors": def("ErrorModel"),
            "agent": def("AgentModel"),
            "diagnostics": list("Diagnostic")
        },
        "$defs": defs
    })
}

fn document_defs() -> Value {
    json!({
        "Ident": object(&["wire", "words"], json!({
            "wire": text(),
            "words": {"type": "array", "items": {"type": "string", "pattern": "^[a-z0-9]+$"}}
        })),
        "Digest": {"type": "string", "pattern": "^blake3:[0-9a-f]{64}$"},
        "Place": object(&["file", "pointer"], json!({"file": text(), "pointer": text()})),
        "Doc": object(&[], json!({
            "summary": text(), "description": text(), "external": text(), "external_description": text()
        })),
        "Server": object(&["url"], json!({
            "url": text(),
            "description": text(),
            "template": text(),
            "name": text(),
            "variables": {"type": "array", "items": object(&["name", "default"], json!({
                "name": text(), "default": text(), "description": text(), "choices": texts()
            }))}
        })),
        "Namespace": object(
            &["name", "source", "digest", "title", "version", "resources", "planned", "errors"],
            json!({
                "name": def("Ident"),
                "source": def("Place"),
                "digest": def("Digest"),
                "title": text(),
                "version": text(),
                "resources": list("Resource"),
                "planned": list("Operation"),
                "errors": def("ErrorModel"),
                "webhooks": list("Operation"),
                "callbacks": list("Operation"),
                "tags": {"type": "array", "items": object(&["name"], json!({
                    "name": text(), "doc": def("Doc"), "parent": text(), "kind": text()
                }))},
                "info": object(&[], json!({
                    "uri": text(),
                    "doc": def("Doc"),
                    "terms_of_service": text(),
                    "contact": object(&[], json!({"name": text(), "url": text(), "email": text()})),
                    "license": object(&[], json!({"name": text(), "identifier": text(), "url": text()}))
                }))
            })
        ),
        "Resource": object(&["name", "path_prefix", "operations", "children"], json!({
            "name": def("Ident"),
            "path_prefix": text(),
            "doc": def("Doc"),
            "operations": list("Operation"),
            "children": list("Resource")
        })),
        "ErrorModel": object(&["codes"], json!({
            "envelope": text(),
            "code_field": text(),
            "message_field": text(),
            "codes": {"type": "array", "items": object(&["code", "statuses"], json!({
                "code": text(), "statuses": {"type": "array", "items": {"type": "integer"}}
            }))}
        })),
        "Diagnostic": object(&["code", "severity", "message", "labels"], json!({
            "code": {"type": "string", "pattern": "^TG[0-9]{4}$"},
            "severity": {"enum": ["error", "warning", "info"]},
            "message": text(),
            "labels": {"type": "array", "items": object(&["file", "pointer"], json!({
                "file": text(),
                "pointer": text(),
                "span": object(&["start", "end"], json!({"start": count(), "end": count()})),
                "message": text()
            }))},
            "help": text()
        }))
    })
}

fn operation_defs() -> Value {
    json!({
        "Operation": object(
            &[
                "id", "name", "method", "path", "tags", "params", "responses", "security", "deprecated", "status",
                "extensions", "agent", "source"
            ],
            json!({
                "id": text(),
                "name": def("Ident"),
                "operation_id": text(),
                "method": {"type": "string", "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"},
                "path": def("PathTemplate"),
                "doc": def("Doc"),
                "tags": {"type": "array", "items": text()},
                "params": object(&["path", "query", "header", "cookie"], json!({
                    "path": list("Param"),
                    "query": list("Param"),
                    "header": list("Param"),
                    "cookie": list("Param"),
                    "querystring": list("Param")
                })),
                "body": def("Body"),
                "responses": list("Response"),
                "security": {"type": "array", "items": object(&["all_of"], json!({
                    "all_of": {"type": "array", "items": object(&["scheme", "scopes"], json!({
                        "scheme": text(), "scopes": {"type": "array", "items": text()}
                    }))}
                }))},
                "pagination": def("Pagination"),
                "streaming": {"enum": ["sse", "ndjson", "json_seq", "bytes"]},
                "stream": object(&["status", "media_type", "event", "also_plain"], json!({
                    "status": def("Status"),
                    "media_type": text(),
                    "event": def("TypeRef"),
                    "done": text(),
                    "request_flag": text(),
                    "also_plain": flag()
                })),
                "deprecated": flag(),
                "status": one_kind(&[
                    ("implemented", &[], json!({})),
                    ("planned", &["reason"], json!({"reason": text()})),
                    ("gated", &["gate"], json!({"gate": object(&["env_var", "default_on", "disabled_status"], json!({
                        "env_var": text(), "default_on": flag(), "disabled_status": def("StatusCode")
                    }))}))
                ]),
                "rpc": object(&["discriminator_field", "discriminator_value"], json!({
                    "discriminator_field": text(),
                    "discriminator_value": text(),
                    "params_field": text(),
                    "constants": {"type": "object"}
                })),
                "extensions": {"type": "object", "propertyNames": {"pattern": "^x-"}},
                "agent": def("OperationAgent"),
                "source": def("Place"),
                "servers": list("Server"),
                "webhook": text(),
                "callback": object(&["operation", "name"], json!({"operation": text(), "name": text()}))
            })
        ),
        "PathTemplate": object(&["raw", "segments"], json!({
            "raw": text(),
            "segments": {"type": "array", "items": one_kind(&[
                ("literal", &["value"], json!({"value": text()})),
                ("param", &["name"], json!({"name": text()})),
                ("template", &["parts"], json!({"parts": {"type": "array", "items": one_kind(&[
                    ("literal", &["value"], json!({"value": text()})),
                    ("param", &["name"], json!({"name": text()}))
                ])}}))
            ])},
            "query": {"type": "array", "items": object(&["name", "value"], json!({"name": text(), "value": text()}))}
        })),
        "Param": object(
            &["wire_name", "name", "ty", "required", "style", "explode", "role", "deprecated"],
            json!({
                "wire_name": text(),
                "name": def("Ident"),
                "ty": def("TypeRef"),
                "required": flag(),
                "doc": def("Doc"),
                "style": def("Style"),
                "explode": flag(),
                "role": {"enum": ["plain", "idempotency_key", "dry_run", "origin", "auth", "constant"]},
                "deprecated": flag(),
                "media_type": text(),
                "parts": list("NamedPart"),
                "prefix_parts": list("Part"),
                "item_part": def("Part"),
                "constant": true,
                "allow_reserved": flag(),
                "allow_empty": flag(),
                "sensitive": flag(),
                "default": true,
                "examples": list("Example"),
                "written_examples": list("WrittenExample")
            })
        ),
        "Style": {
            "enum": ["simple", "form", "label", "matrix", "space_delimited", "pipe_delimited", "deep_object", "cookie"]
        },
        "Example": object(&["value"], json!({
            "name": text(), "value": true, "serialized": text(), "external": text(), "doc": def("Doc")
        })),
        "WrittenExample": object(&[], json!({
            "name": text(), "serialized": text(), "external": text(), "doc": def("Doc")
        })),
        "Body": object(&["content", "required"], json!({
            "content": list("Content"), "required": flag(), "doc": def("Doc")
        })),
        "Content": object(&["media_type", "ty", "encoding"], json!({
            "media_type": text(),
            "ty": def("TypeRef"),
            "encoding": {"enum": ["json", "form", "multipart", "bytes", "text", "jsonl", "json_seq", "events"]},
            "item": def("TypeRef"),
            "description": text(),
            "parts": list("NamedPart"),
            "prefix_parts": list("Part"),
            "item_part": def("Part"),
            "examples": list("Example"),
            "written_examples": list("WrittenExample")
        })),
        "NamedPart": {"allOf": [def("Part"), object(&["wire_name"], json!({"wire_name": text()}))]},
        "Part": object(&[], json!({
            "content_type": text(),
            "style": def("Style"),
            "explode": flag(),
            "allow_reserved": flag(),
            "headers": list("Header"),
            "parts": list("NamedPart"),
            "prefix_parts": list("Part"),
            "item_part": def("Part")
        })),
        "Header": object(&["wire_name", "ty", "required"], json!({
            "wire_name": text(),
            "ty": def("TypeRef"),
            "required": flag(),
            "explode": flag(),
            "deprecated": flag(),
            "media_type": text(),
            "doc": def("Doc"),
            "examples": list("Example"),
            "written_examples": list("WrittenExample")
        })),
        "Response": object(&["status", "content", "headers", "kind"], json!({
            "status": def("Status"),
            "content": list("Content"),
            "headers": list("Header"),
            "kind": object(&["kind"], json!({"kind": {"enum": ["success", "error", "ambiguous"]}})),
            "doc": def("Doc"),
            "links": {"type": "array", "items": object(&["name", "parameters"], json!({
                "name": text(),
                "operation": text(),
                "target": text(),
                "parameters": {"type": "object"},
                "body": true,
                "server": def("Server"),
                "doc": def("Doc")
            }))}
        })),
        "Status": one_kind(&[
            ("exact", &["value"], json!({"value": {"type": "integer", "minimum": 100, "maximum": 999}})),
            ("range", &["value"], json!({"value": {"type": "integer", "minimum": 1, "maximum": 9}})),
            ("default", &[], json!({}))
        ]),
        "Pagination": object(&["style", "items_field", "exhausted_when", "inferred"], json!({
            "style": one_kind(&[
                ("cursor", &["request_param"], json!({"request_param": text(), "response_field": text()})),
                ("offset", &["offset_param", "limit_param"], json!({"offset_param": text(), "limit_param": text()})),
                ("page", &["page_param", "size_param"], json!({"page_param": text(), "size_param": text()})),
                ("link_header", &[], json!({})),
                ("link_field", &["response_field"], json!({"response_field": text()}))
            ]),
            "items_field": text(),
            "page_size_param": text(),
            "exhausted_when": {"enum": ["cursor_null", "empty_items", "no_link", "has_more_false"]},
            "has_more_field": text(),
            "cursor_item_field": text(),
            "inferred": flag()
        }))
    })
}

fn agent_defs() -> Value {
    json!({
        "OperationAgent": object(
            &[
                "safety", "idempotency", "preview", "remediation", "sensitive_response_fields", "shown_once",
                "compact_doc", "hidden"
            ],
            json!({
                "safety": def("Safety"),
                "idempotency": object(&["policy", "persist_required"], json!({
                    "policy": names(&Policy::ALL, Policy::name),
                    "header": text(),
                    "format": names(KeyFormat::ALL, KeyFormat::name),
                    "persist_required": flag(),
                    "note": text()
                })),
                "preview": one_of_key("mode", &[
                    ("local", &[], json!({})),
                    ("header", &["header", "value"], json!({"header": text(), "value": text()})),
                    ("endpoint", &["operation"], json!({"operation": text()})),
                    ("none", &[], json!({}))
                ]),
                "confirmation": object(&["summary_fields"], json!({
                    "summary_fields": texts(),
                    "message": text(),
                    "message_parts": {"type": "array", "items": one_kind(&[
                        ("text", &["value"], json!({"value": text()})),
                        ("field", &["value"], json!({"value": text()}))
                    ])}
                })),
                "verify": object(&["operation", "args", "expect", "terminal"], json!({
                    "operation": text(),
                    "args": def("Expression"),
                    "expect": def("MaybePredicate"),
                    "terminal": def("MaybePredicate"),
                    "poll_interval_ms": count(),
                    "poll_budget_ms": count()
                })),
                "remediation": def("Remediations"),
                "remediation_note": text(),
                "sensitive_response_fields": texts(),
                "shown_once": flag(),
                "compact_doc": text(),
                "cluster": text(),
                "hidden": flag(),
                "server_rules": {"type": "array", "items": object(&["field", "check", "status"], json!({
                    "field": text(),
                    "check": one_kind(&[
                        ("host_suffixes", &["suffixes"], json!({"suffixes": texts()})),
                        ("max_ahead_minutes", &["minutes"], json!({"minutes": count()}))
                    ]),
                    "status": def("StatusCode"),
                    "code": text(),
                    "message": text()
                }))}
            })
        ),
        "AgentModel": object(
            &[
                "macros", "clusters", "gates", "error_codes", "ambiguous_statuses", "non_json", "retries",
                "unknown_outcome", "disclosure"
            ],
            json!({
                "macros": list("Macro"),
                "clusters": {"type": "array", "items": object(&["name", "operations"], json!({
                    "name": text(), "summary": text(), "operations": texts()
                }))},
                "gates": {"type": "object", "additionalProperties": text()},
                "error_codes": def("Remediations"),
                "ambiguous_statuses": {"type": "array", "items": def("StatusCode")},
                "non_json": {"type": "array", "items": object(&["status", "media", "category"], json!({
                    "status": def("StatusCode"),
                    "media": text(),
                    "category": def("Category"),
                    "retryable": def("Retryable"),
                    "text": text()
                }))},
                "retries": object(&["read_only", "mutating", "honor_retry_after"], json!({
                    "read_only": def("RetryRule"), "mutating": def("RetryRule"), "honor_retry_after": flag()
                })),
                "unknown_outcome": object(
                    &["on_timeout", "on_connection_reset", "on_ambiguous_status"],
                    json!({
                        "on_timeout": def("OnUnknown"),
                        "on_connection_reset": def("OnUnknown"),
                        "on_ambiguous_status": def("OnUnknown")
                    })
                ),
                "disclosure": object(
                    &[
                        "mode", "threshold", "list_budget_tokens", "description_budget_tokens",
                        "schema_budget_tokens", "drop_fields", "keep_examples"
                    ],
                    json!({
                        "mode": names(DisclosureMode::ALL, DisclosureMode::name),
                        "threshold": count(),
                        "list_budget_tokens": count(),
                        "description_budget_tokens": count(),
                        "schema_budget_tokens": count(),
                        "drop_fields": texts(),
                        "keep_examples": flag()
                    })
                )
            })
        ),
        "Macro": object(
            &["name", "summary", "safety", "steps", "output", "input", "sensitive_response_fields", "shown_once"],
            json!({
                "name": text(),
                "summary": text(),
                "safety": def("Safety"),
                "steps": {"type": "array", "minItems": 1, "items": object(
                    &["kind", "operation", "args", "as", "until", "interval_ms", "budget_ms", "max_pages"],
                    json!({
                        "kind": {"enum": ["call", "poll", "paginate"]},
                        "operation": text(),
                        "args": def("Expression"),
                        "as": or_null(text()),
                        "until": def("MaybePredicate"),
                        "interval_ms": or_null(count()),
                        "budget_ms": def("Expression"),
                        "max_pages": or_null(count())
                    })
                )},
                "output": def("Expression"),
                "input": object(&["add"], json!({"extends": text(), "add": {"type": "object"}})),
                "cluster": text(),
                "sensitive_response_fields": texts(),
                "shown_once": flag()
            })
        ),
        "Safety": names(&Safety::ALL, Safety::name),
        "Category": names(Category::ALL, Category::name),
        "Retryable": names(Retryable::ALL, Retryable::name),
        "OnUnknown": names(OnUnknown::ALL, OnUnknown::name),
        "RetryRule": object(&["max", "base_ms", "max_ms", "jitter"], json!({
            "max": count(), "base_ms": count(), "max_ms": count(), "jitter": names(Jitter::ALL, Jitter::name)
        })),
        "Remediations": {"type": "object", "additionalProperties": object(&[], json!({
            "category": def("Category"),
            "text": text(),
            "retryable": def("Retryable"),
            "next_action": text(),
            "status": def("StatusCode")
        }))},
        "StatusCode": {"type": "integer", "minimum": 100, "maximum": 599},
        "MaybePredicate": or_null(json!({"type": "object", "additionalProperties": {"oneOf": [
            object(&["in"], json!({"in": {"type": "array"}})),
            object(&["equals"], json!({"equals": true})),
            object(&["contains"], json!({"contains": true}))
        ]}})),
        "Expression": true
    })
}

fn type_defs() -> Value {
    json!({
        "NamedType": object(&["id", "name", "namespace", "shape", "recursive", "origin"], json!({
            "id": text(),
            "name": def("Ident"),
            "namespace": text(),
            "shape": def("Shape"),
            "doc": def("Doc"),
            "recursive": flag(),
            "origin": def("Place"),
            "deprecated": flag(),
            "default": true
        })),
        "TypeRef": one_kind(&[
            ("named", &["value"], json!({"value": text()})),
            ("inline", &["value"], json!({"value": def("Shape")}))
        ]),
        "Shape": {"allOf": [
            object(&["kind"], json!({
                "kind": text(),
                "constraints": def("Constraints"),
                "min_properties": count(),
                "max_properties": count(),
                "inferred": flag(),
                "exclusive": flag(),
                "rules": count(),
                "xml": object(&[], json!({
                    "name": text(),
                    "namespace": text(),
                    "prefix": text(),
                    "node_type": {"enum": ["element", "attribute", "text", "cdata", "none"]}
                }))
            })),
            one_kind(&[
                ("primitive", &["primitive"], json!({"primitive": def("Primitive")})),
                ("enum", &["base", "values"], json!({
                    "base": object(&["kind"], json!({
                        "kind": {"enum": ["string", "integer", "number", "bool", "mixed"]}
                    })),
                    "values": {"type": "array", "minItems": 1, "items": object(&["value", "name"], json!({
                        "value": true, "name": def("Ident"), "doc": def("Doc")
                    }))}
                })),
                ("const", &["value"], json!({"value": true})),
                ("array", &["items", "unique"], json!({
                    "items": def("TypeRef"), "min": count(), "max": count(), "unique": flag()
                })),
                ("tuple", &["items", "unique"], json!({
                    "items": list("TypeRef"), "rest": def("TypeRef"), "min": count(), "max": count(), "unique": flag()
                })),
                ("map", &["values"], json!({"values": def("TypeRef")})),
                ("record", &["fields", "additional"], json!({
                    "fields": list("Field"),
                    "additional": one_kind(&[
                        ("closed", &[], json!({})),
                        ("open", &[], json!({})),
                        ("typed", &["values"], json!({"values": def("TypeRef")}))
                    ])
                })),
                ("union", &["variants", "strategy"], json!({
                    "variants": {"type": "array", "minItems": 1, "items": object(&["name", "ty"], json!({
                        "name": def("Ident"), "ty": def("TypeRef"), "tag": true, "key": text()
                    }))},
                    "discriminator": object(&["property", "mapping"], json!({
                        "property": text(),
                        "mapping": {"type": "array", "items": {
                            "type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [true, text()]
                        }},
                        "default": text()
                    })),
                    "strategy": {
                        "enum": ["tagged", "literal", "by_type", "by_property", "by_value", "untagged"]
                    }
                })),
                ("intersection", &["members"], json!({
                    "members": {"type": "array", "minItems": 1, "items": def("TypeRef")}
                })),
                ("nullable", &["inner"], json!({"inner": def("TypeRef")})),
                ("any", &[], json!({})),
                ("never", &[], json!({}))
            ])
        ]},
        "Primitive": object(&["kind"], json!({
            "kind": {
                "enum": ["string", "int32", "int64", "integer", "float", "double", "number", "bool", "bytes"]
            },
            "format": {"oneOf": [
                {"enum": [
                    "uuid", "date_time", "date", "time", "duration", "email", "uri", "hostname", "ipv4", "ipv6",
                    "byte", "password"
                ]},
                object(&["other"], json!({"other": text()}))
            ]}
        })),
        "Constraints": object(&[], json!({
            "pattern": text(),
            "min_length": count(),
            "max_length": count(),
            "minimum": {"type": "number"},
            "maximum": {"type": "number"},
            "exclusive_minimum": {"type": "number"},
            "exclusive_maximum": {"type": "number"},
            "multiple_of": {"type": "number"}
        })),
        "Field": object(
            &["wire_name", "name", "ty", "presence", "read_only", "write_only", "deprecated", "sensitive"],
            json!({
                "wire_name": text(),
                "name": def("Ident"),
                "ty": def("TypeRef"),
                "presence": {"enum": ["required", "required_nullable", "optional", "optional_nullable"]},
                "read_only": flag(),
                "write_only": flag(),
                "deprecated": flag(),
                "default": true,
                "doc": def("Doc"),
                "constraints": def("Constraints"),
                "sensitive": flag()
            })
        )
    })
}

/// What schemas say beside shapes. A number is the place of a type's rules in the list of all.
fn rule_defs() -> Value {
    let operand = || json!({"ty": def("Operand")});
    let operands = || json!({"types": list("Operand")});
    let names = || json!({"type": "array", "items": text()});
    let members = || {
        json!({"members": {"type": "array", "items": object(&["name", "ty"], json!({
            "name": text(), "ty": def("Operand")
        }))}})
    };
    json!({
        "RuleSet": object(&["rules"], json!({"type": text(), "rules": list("Rule")})),
        "Operand": one_kind(&[
            ("named", &["value"], json!({"value": text()})),
            ("inline", &["value"], json!({"value": def("Shape")})),
            ("rules", &["value"], json!({"value": count()}))
        ]),
        "Rule": one_kind(&[
            ("types", &["types"], json!({"types": {"type": "array", "items": {
                "enum": ["null", "boolean", "number", "integer", "string", "array", "object"]
            }}})),
            ("bounds", &[], json!({
                "min": count(), "max": count(), "unique": flag(), "min_properties": count(),
                "max_properties": count(), "constraints": def("Constraints")
            })),
            ("values", &["values"], json!({"values": {"type": "array"}})),
            ("required", &["names"], json!({"names": names()})),
            ("properties", &["members"], members()),
            ("patterns", &["members"], json!({"members": {"type": "array", "items": object(&["pattern", "ty"], json!({
                "pattern": text(), "ty": def("Operand")
            }))}})),
            ("additional", &["ty"], operand()),
            ("names", &["ty"], operand()),
            ("needs_names", &["name", "names"], json!({"name": text(), "names": names()})),
            ("needs_types", &["members"], members()),
            ("prefix", &["types"], operands()),
            ("items", &["ty"], operand()),
            ("contains", &["ty", "min"], json!({"ty": def("Operand"), "min": count(), "max": count()})),
            ("not", &["ty"], operand()),
            ("if", &["condition"], json!({
                "condition": def("Operand"), "then": def("Operand"), "else": def("Operand")
            })),
            ("all", &["types"], operands()),
            ("any", &["types"], operands()),
            ("one", &["types"], operands()),
            ("unevaluated_properties", &["ty"], operand()),
            ("unevaluated_items", &["ty"], operand())
        ])
    })
}

fn auth_defs() -> Value {
    json!({
        "AuthScheme": {"allOf": [
            object(&["kind", "name"], json!({
                "kind": text(), "name": text(), "doc": text(), "env": text(), "deprecated": flag()
            })),
            one_kind(&[
                ("api_key", &["location", "wire_name"], json!({
                    "location": {"enum": ["header", "query", "cookie"]}, "wire_name": text()
                })),
                ("http_bearer", &[], json!({"format": text(), "prefix": text()})),
                ("http_basic", &[], json!({})),
                ("o_auth2", &["flows"], json!({"metadata_url": text(), "flows": {"type": "array", "items": object(
                    &["kind", "scopes"],
                    json!({
                        "kind": {"enum": [
                            "clientCredentials", "authorizationCode", "password", "implicit", "deviceAuthorization"
                        ]},
                        "token_url": text(),
                        "authorization_url": text(),
                        "refresh_url": text(),
                        "device_authorization_url": text(),
                        "scopes": {"type": "object", "additionalProperties": text()}
                    })
                )}})),
                ("open_id_connect", &["url"], json!({"url": text()})),
                ("composite", &["satisfies", "parts"], json!({
                    "satisfies": {"type": "array", "items": text()},
                    "parts": {"type": "array", "items": one_kind(&[
                        ("cookie", &["name"], json!({"name": text()})),
                        ("header", &["name", "mutation_only"], json!({
                            "name": text(), "equals_cookie": text(), "from_config": text(), "mutation_only": flag()
                        })),
                        ("bearer", &[], json!({"env": text(), "prefix": text()}))
                    ])}
                })),
                ("unsupported", &[], json!({}))
            ])
        ]}
    })
}

fn text() -> Value {
    json!({"type": "string"})
}

fn texts() -> Value {
    json!({"type": "array", "items": text()})
}

fn flag() -> Value {
    json!({"type": "boolean"})
}

fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}

fn def(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn list(name: &str) -> Value {
    json!({"type": "array", "items": def(name)})
}

fn object(required: &[&str], properties: Value) -> Value {
    if required.is_empty() {
        return json!({"type": "object", "properties": properties});
    }
    json!({"type": "object", "required": required, "properties": properties})
}

/// An object whose member `kind` says which of several forms it has.
fn one_kind(kinds: &[(&str, &[&str], Value)]) -> Value {
    one_of_key("kind", kinds)
}

/// An object whose member `key` says which of several forms it has.
fn one_of_key(key: &str, kinds: &[(&str, &[&str], Value)]) -> Value {
    let forms = kinds.iter().map(|(kind, required, properties)| {
        let mut members = json!({key: {"const": kind}});
        if let (Value::Object(members), Value::Object(properties)) = (&mut members, properties) {
            members.extend(properties.clone());
        }
        let required: Vec<&str> = std::iter::once(key).chain(required.iter().copied()).collect();
        object(&required, members)
    });
    json!({"oneOf": forms.collect::<Vec<_>>()})
}

fn or_null(schema: Value) -> Value {
    json!({"oneOf": [{"const": null}, schema]})
}

/// The words of an enum.
fn names<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str) -> Value {
    json!({"enum": all.iter().map(|one| name(*one)).collect::<Vec<_>>()})
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::Value;

    use super::schema;

    /// The first keyword of `schema` that `value` breaks, and where. Knows the keywords that the schema uses, and
    /// panics on others: small enough to read, where a whole validator takes minutes to build.
    pub(crate) fn fault(schema: &Value, value: &Value) -> Option<String> {
        check(schema, schema, value, "")
    }

    fn check(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
        let Value::Object(keywords) = schema else {
            return (*schema == Value::Bool(false)).then(|| format!("false at {at}"));
        };
        keywords.iter().find_map(|(keyword, rule)| {
            let all = |rule: &Value| rule.as_array().cloned().unwrap_or_default();
            let members = || value.as_object().into_iter().flatten();
            let items = || value.as_array().into_iter().flatten().enumerate();
            let within = |schema: &Value, value: &Value, step: &dyn std::fmt::Display| {
                check(root, schema, value, &format!("{at}/{step}"))
            };
            let holds = match keyword.as_str() {
                "$schema" | "$id" | "title" | "$defs" => true,
                "$ref" => {
                    let target = rule.as_str().and_then(|rule| root.pointer(rule.trim_start_matches('#')));
                    return check(root, target.expect("the schema has what it refers to"), value, at);
                }
                "allOf" => return all(rule).iter().find_map(|schema| check(root, schema, value, at)),
                "properties" => return members().find_map(|(key, value)| within(rule.get(key)?, value, key)),
                "additionalProperties" => return members().find_map(|(key, value)| within(rule, value, key)),
                "propertyNames" => {
                    let names = members().map(|(key, _)| Value::String(key.clone()));
                    return names.into_iter().find_map(|key| within(rule, &key, &"propertyNames"));
                }
                "items" => return items().find_map(|(index, value)| within(rule, value, &index)),
                "prefixItems" => return items().find_map(|(index, value)| within(rule.get(index)?, value, &index)),
                "oneOf" => all(rule).iter().filter(|schema| check(root, schema, value, at).is_none()).count() == 1,
                "type" => match rule.as_str().expect("one type") {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    other => panic!("type {other}"),
                },
                "required" => all(rule).iter().all(|key| value.get(key.as_str().expect("a key")).is_some()),
                "enum" => all(rule).contains(value),
                "const" => rule == value,
                "minItems" => value.as_array().is_none_or(|items| Some(items.len() as u64) >= rule.as_u64()),
                "maxItems" => value.as_array().is_none_or(|items| Some(items.len() as u64) <= rule.as_u64()),
                "minimum" => value.as_i64().is_none_or(|number| Some(number) >= rule.as_i64()),
                "maximum" => value.as_i64().is_none_or(|number| Some(number) <= rule.as_i64()),
                "pattern" => matches(rule.as_str().expect("a pattern"), value.as_str().unwrap_or_default()),
                other => panic!("keyword {other}"),
            };
            (!holds).then(|| format!("{keyword} at {at}"))
        })
    }

    /// Whether a text matches one of the schema's patterns, each said again by hand.
    fn matches(pattern: &str, text: &str) -> bool {
        let all = |text: &str, wanted: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|b| wanted(&b));
        match pattern {
            "^x-" => text.starts_with("x-"),
            "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" => {
                all(text, |b| b.is_ascii_alphanumeric() || b"!#$%&'*+.^_`|~-".contains(b))
            }
            "^[a-z0-9]+$" => all(text, |b| b.is_ascii_lowercase() || b.is_ascii_digit()),
            "^TG[0-9]{4}$" => {
                text.strip_prefix("TG").is_some_and(|rest| rest.len() == 4 && all(rest, u8::is_ascii_digit))
            }
            "^blake3:[0-9a-f]{64}$" => base::digest::Digest::parse(text).is_some(),
            "^1\\.[0-9]+\\.[0-9]+$" => {
                let parts: Vec<&str> = text.split('.').collect();
                parts.len() == 3 && parts[0] == "1" && parts.iter().all(|part| all(part, u8::is_ascii_digit))
            }
            other => panic!("pattern {other}"),
        }
    }

    #[test]
    fn every_definition_is_used_and_every_reference_has_one() {
        let schema = schema();
        let text = schema.to_string();
        let defs = schema["$defs"].as_object().expect("definitions");
        for name in defs.keys() {
            assert!(text.contains(&format!("\"#/$defs/{name}\"")), "{name} is used");
        }
        for reference in text.split("\"$ref\":\"#/$defs/").skip(1) {
            let name = reference.split('"').next().unwrap_or_default();
            assert!(defs.contains_key(name), "{name} is defined");
        }
    }
}
