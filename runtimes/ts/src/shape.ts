// Questions about a schema that several files ask: what a reference stands for, which fields an object type has, what
// kinds of JSON value a type admits. Reads schemas only; every walk uses a stack of its own or a set of seen nodes.

import type { FieldSchema, ObjectSchema, Schema } from "./schema.js";

/** The schema behind a chain of references; a chain that leads back to itself says nothing, so it is `any`. */
export function deref(schema: Schema): Schema {
  let at = schema;
  const seen = new Set<Schema>();
  while (at.kind === "ref") {
    if (seen.has(at)) return { kind: "any" };
    seen.add(at);
    at = at.ref();
  }
  return at;
}

/** Schemas that look at the very same value as `schema` does: not those of members or items. */
export function sameValueParts(schema: Schema): readonly Schema[] {
  switch (schema.kind) {
    case "ref":
      return [schema.ref()];
    case "nullable":
      return [schema.inner];
    case "all":
      return schema.members;
    case "union":
      return schema.variants;
    default:
      return [];
  }
}

/** Schemas directly below `schema`, whether they look at the same value or at a part of it. */
export function children(schema: Schema): readonly Schema[] {
  switch (schema.kind) {
    case "array":
      return [...(schema.prefix ?? []), ...(schema.items === "closed" ? [] : [schema.items])];
    case "map":
      return [schema.values];
    case "object": {
      const extra = schema.additional;
      const fields = schema.fields.map((field) => field.schema);
      return typeof extra === "object" ? [...fields, extra] : fields;
    }
    default:
      return sameValueParts(schema);
  }
}

/** Whether a schema can stand for itself without looking at a part of the value, so that checking it never ends. */
export function isCircular(schema: Schema): boolean {
  const seen = new Set<Schema>();
  const stack = [...sameValueParts(schema)];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next === schema) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    stack.push(...sameValueParts(next));
  }
  return false;
}

/** The object types that together describe a value: those of an `all` are all found, those of a union are not. */
export function objectParts(schema: Schema): readonly ObjectSchema[] {
  const found: ObjectSchema[] = [];
  const seen = new Set<Schema>();
  const stack = [schema];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.kind === "object") found.push(next);
    else if (next.kind === "ref") stack.push(next.ref());
    else if (next.kind === "nullable") stack.push(next.inner);
    else if (next.kind === "all") stack.push(...[...next.members].reverse());
  }
  return found;
}

/** All fields of an object type, the first of each name. */
export function fieldsOf(schema: Schema): readonly FieldSchema[] {
  const fields = new Map<string, FieldSchema>();
  for (const part of objectParts(schema)) {
    for (const field of part.fields) if (!fields.has(field.name)) fields.set(field.name, field);
  }
  return [...fields.values()];
}

/** The TypeScript name under which a type has the member `wire`; the wire name itself when it has no such field. */
export function nameOfWire(schema: Schema, wire: string): string {
  return fieldsOf(schema).find((field) => (field.wire ?? field.name) === wire)?.name ?? wire;
}

const SCALARS: Readonly<Partial<Record<Schema["kind"], string>>> = {
  string: "string",
  integer: "integer",
  number: "number",
  boolean: "boolean",
  bytes: "binary",
  array: "array",
  map: "object",
  object: "object",
  any: "any",
};

function kindOfValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "bigint") return "number";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Names of the kinds of value a type admits, in the order of the schema: `string`, `integer`, `object` and so on. */
export function kindsOf(schema: Schema): readonly string[] {
  const kinds = new Set<string>();
  const seen = new Set<Schema>();
  const stack = [schema];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const scalar = SCALARS[next.kind];
    if (scalar !== undefined) kinds.add(scalar);
    else if (next.kind === "const") kinds.add(kindOfValue(next.value));
    else if (next.kind === "enum") for (const value of next.values) kinds.add(kindOfValue(value));
    else if (next.kind === "all") stack.push(...next.members.slice(0, 1));
    else stack.push(...[...sameValueParts(next)].reverse());
    if (next.kind === "nullable") kinds.add("null");
  }
  return [...kinds];
}
