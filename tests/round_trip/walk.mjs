// Calls every operation of a generated SDK once, with arguments made from its descriptors, against the mock server.
//
// Usage: node walk.mjs <folder of the compiled SDK> <base URL>. Prints one line of JSON: how many operations were called,
// and each that did not end well. Responses are validated strictly, so a mock or a schema that is wrong shows here.

import { pathToFileURL } from "node:url";
import { join } from "node:path";

/** A value of each format that the runtime checks or a server may look at. */
const SAMPLES = {
  uuid: "5b0f6a1e-3f0b-4d7e-9a51-5d2f8c1b7a10",
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  time: "03:04:05Z",
  email: "a@example.test",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.test/a",
  hostname: "example.test",
  duration: "P1D",
  byte: "AQID",
};

const [folder, baseUrl] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(folder, path)).href);
const { ClientCore } = await import("@elysra/tungsten-runtime");
const { api } = await load("internal.js");
const all = await load("descriptors.js");

const core = new ClientCore(api, {
  baseUrl,
  auth: Object.fromEntries(api.auth.map((scheme) => [scheme.name, credential(scheme)])),
  validateResponses: "strict",
  retries: { max: 0 },
  timeoutMs: 10_000,
});

/** Operations that need a confirmation are previewed first. */
async function finish(descriptor, args, options) {
  if (descriptor.safety !== "destructive" && descriptor.safety !== "irreversible") {
    return core.call(descriptor, args, options);
  }
  const preview = await core.preview(descriptor, args, options);
  if (!preview.ok) return preview;
  return core.call(descriptor, args, { ...options, confirm: preview.value.confirmation_token });
}

/** All descriptors, however deep the module namespaces nest. */
function* descriptors(value, seen = new Set()) {
  if (value === null || typeof value !== "object" || seen.has(value)) return;
  seen.add(value);
  if (typeof value.id === "string" && typeof value.method === "string") {
    yield value;
    return;
  }
  for (const member of Object.values(value)) yield* descriptors(member, seen);
}

function credential(scheme) {
  switch (scheme.kind) {
    case "http_basic":
      return "user:password";
    case "composite":
      return Object.fromEntries(
        scheme.parts.flatMap((part) => {
          if (part.kind === "cookie") return [[part.name, "cookie-value"]];
          if (part.kind === "bearer") return [["bearer", `${part.prefix ?? ""}token-value`]];
          return part.fromConfig === undefined ? [] : [[part.fromConfig, "https://app.example.test"]];
        }),
      );
    default:
      return `${scheme.prefix ?? ""}token-value`;
  }
}

function call(descriptor) {
  const args = {};
  for (const param of descriptor.params ?? []) {
    const isArgument = (param.role ?? "plain") === "plain";
    if (isArgument && param.required) args[param.key] = sample(param.schema, 0);
  }
  const body = descriptor.body;
  if (body !== undefined && body.arg !== undefined) {
    if (body.required) args[body.arg] = bodySample(body);
  } else if (body !== undefined) {
    Object.assign(args, sample(body.schema, 0));
  }
  const keyed = ["caller_owned", "auto", "content_hash"].includes(descriptor.idempotency?.policy);
  return { args, options: keyed ? { idempotencyKey: crypto.randomUUID() } : {} };
}

function bodySample(body) {
  if (body.encoding === "bytes") return new Uint8Array([1, 2, 3]);
  return sample(body.schema, 0);
}

/** A value of a schema: the required members only, and nothing deeper than it must be. */
function sample(schema, depth) {
  if (depth > 24) throw new Error("a required member leads to itself");
  switch (schema.kind) {
    case "any":
      return "any";
    case "boolean":
      return true;
    case "bytes":
      return new Uint8Array([1, 2, 3]);
    case "string":
      return text(schema);
    case "integer":
    case "number":
      return number(schema);
    case "enum":
      return schema.values[0];
    case "const":
      return schema.value;
    case "array":
      return items(schema, depth);
    case "map": {
      const n = schema.minProperties ?? 0;
      return Object.fromEntries(Array.from({ length: n }, (_, i) => [`key${i}`, sample(schema.values, depth + 1)]));
    }
    case "object":
      return object(schema, depth);
    case "union":
      return variant(schema, depth);
    case "all":
      return schema.members.map((member) => sample(member, depth + 1)).reduce(merge);
    case "nullable":
      return schema.inner.kind === "ref" ? null : sample(schema.inner, depth);
    case "ref":
      return sample(schema.ref(), depth + 1);
    default:
      throw new Error(`no sample for a schema of kind ${schema.kind}`);
  }
}

function variant(schema, depth) {
  let problem;
  for (const one of schema.variants) {
    try {
      return sample(one, depth + 1);
    } catch (error) {
      problem = error;
    }
  }
  throw problem ?? new Error("a union without variants");
}

function merge(a, b) {
  const both = [a, b].every((value) => value !== null && typeof value === "object" && !Array.isArray(value));
  return both ? { ...a, ...b } : b;
}

function object(schema, depth) {
  const value = {};
  for (const field of schema.fields) {
    if (field.required && !field.readOnly) value[field.name] = sample(field.schema, depth + 1);
  }
  for (const name of demanded(schema, (name) => name in value)) {
    const field = schema.fields.find((field) => (field.wire ?? field.name) === name);
    if (field !== undefined && !(field.name in value)) value[field.name] = sample(field.schema, depth + 1);
  }
  for (let i = 0; Object.keys(value).length < (schema.minProperties ?? 0); i += 1) {
    const field = schema.fields.find((field) => !field.readOnly && !(field.name in value));
    if (field !== undefined) value[field.name] = sample(field.schema, depth + 1);
    else value[`key${i}`] = typeof schema.additional === "object" ? sample(schema.additional, depth + 1) : "any";
  }
  return value;
}

/** Names of members that rules ask for beside the fields' own flags; of several forms, those of the first. */
function demanded(schema, has) {
  return (schema.rules ?? []).flatMap((rule) => {
    switch (rule.kind) {
      case "required":
        return rule.names;
      case "needsNames":
        return has(rule.name) ? rule.names : [];
      case "all":
        return rule.schemas.flatMap((part) => asked(part, has));
      case "any":
      case "one": {
        const forms = rule.schemas.map((part) => asked(part, has));
        return forms.some((names) => names.every(has)) ? [] : (forms[0] ?? []);
      }
      default:
        return [];
    }
  });
}

/** Names of all members that a schema asks for. */
function asked(schema, has) {
  if (schema.kind === "ref") return asked(schema.ref(), has);
  const required = (schema.fields ?? []).filter((field) => field.required).map((field) => field.wire ?? field.name);
  return [...required, ...demanded(schema, has)];
}

function items(schema, depth) {
  const list = (schema.prefix ?? []).map((item) => sample(item, depth + 1));
  while (list.length < (schema.minItems ?? 0) && schema.items !== "closed") {
    list.push(distinct(sample(schema.items, depth + 1), schema.items, list.length));
  }
  return list;
}

/** Another value for a later item of a list whose items must differ. */
function distinct(value, schema, index) {
  const inner = schema.kind === "ref" ? schema.ref() : schema;
  if (inner.kind === "enum") return inner.values[index % inner.values.length];
  if (index === 0) return value;
  return typeof value === "number" ? value + index : typeof value === "string" ? value + index : value;
}

function number(schema) {
  const step = schema.multipleOf ?? (schema.kind === "integer" ? 1 : 0.5);
  let low = schema.minimum ?? -Infinity;
  if (schema.exclusiveMinimum !== undefined) low = Math.max(low, schema.exclusiveMinimum + step);
  let high = schema.maximum ?? Infinity;
  if (schema.exclusiveMaximum !== undefined) high = Math.min(high, schema.exclusiveMaximum - step);
  const wanted = Math.min(Math.max(1, low), high);
  const rounded = Math.ceil(wanted / step) * step;
  return rounded <= high ? rounded : Math.floor(high / step) * step;
}

function text(schema) {
  const known = SAMPLES[schema.format];
  if (known !== undefined) return known;
  const length = Math.max(schema.minLength ?? 0, Math.min(schema.maxLength ?? 8, 8));
  const plain = "abcdefgh".repeat(Math.ceil(length / 8) || 1).slice(0, length);
  if (schema.pattern === undefined || matches(schema.pattern, plain)) return plain;
  return candidates(schema, length).find((value) => matches(schema.pattern, value)) ?? plain;
}

function matches(pattern, value) {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return new RegExp(pattern).test(value);
  }
}

/** Texts that patterns of real descriptions accept, within the length. */
function candidates(schema, length) {
  const most = schema.maxLength ?? 64;
  const least = schema.minLength ?? 0;
  const shapes = ["1", "12345678", "0", "a", "A", "en-us", "en", "US", "USD", "v1", "/a", "a/b", "#ffffff", "asst_abc", "file-abc123",
    "2026-01-02", "2026-01-02T03:04:05Z", "https://example.test", "a@example.test", "123456789012345678", "{}", "00000000-0000-4000-8000-000000000000",
    "+15555550100", "10s", "1.0.0", "sha256:" + "0".repeat(64), "0".repeat(40), "a".repeat(64), "a.b", "a_b", "a-b", "A1", "1:1", "abc=", "0.5", ""];
  const runs = ["a", "A", "0", "1"].flatMap((char) => [least, length, most].filter((n) => n <= 4096).map((n) => char.repeat(n)));
  return [...shapes, ...runs].filter((value) => value.length >= least && value.length <= most);
}

const failures = [];
let called = 0;
for (const descriptor of descriptors(all)) {
  called += 1;
  const { args, options } = call(descriptor);
  try {
    const result = await finish(descriptor, args, options);
    if (!result.ok) failures.push({ operation: descriptor.id, args, error: result.error });
  } catch (error) {
    failures.push({ operation: descriptor.id, args, error: String(error?.stack ?? error) });
  }
}
console.log(JSON.stringify({ called, failed: failures.length, failures }));
