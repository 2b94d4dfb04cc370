// Maps values between TypeScript names and wire names. Reads schemas and values; returns the same value when no
// field below a schema is renamed, else a copy. What the schema does not describe is left as it is. The depth of
// values was checked by the callers, so recursion is bounded.

import { isMembers, MAX_DEPTH, nestsDeeperThan, setMember } from "./json.js";
import type { Members } from "./json.js";
import type { FieldSchema, ObjectSchema, Schema, UnionSchema } from "./schema.js";
import { children, deref, kindsOf, nameOfWire } from "./shape.js";
import { inRun, variantOf } from "./validate.js";

type Direction = "encode" | "decode" | "narrow";

/** The value as it travels: TypeScript names become wire names. */
export function encode(schema: Schema, value: unknown): unknown {
  return inRun(() => convert(schema, value, "encode"));
}

/** The value as callers see it: wire names become TypeScript names. */
export function decode(schema: Schema, value: unknown): unknown {
  return inRun(() => convert(schema, value, "decode"));
}

/**
 * A value as it came, its integers as `number`s where the schema has a number: a double was meant there, however large it
 * is. Beyond the nesting that anybody looks into, nothing is changed.
 */
export function narrow(schema: Schema, value: unknown): unknown {
  return nestsDeeperThan(value, MAX_DEPTH) ? value : inRun(() => convert(schema, value, "narrow"));
}

/** Whether a schema has numbers and no integers. */
function isDouble(schema: Schema): boolean {
  const kinds = kindsOf(schema);
  return kinds.includes("number") && !kinds.includes("integer") && !kinds.includes("any");
}

const renames = new WeakMap<Schema, boolean>();

/** Whether a field anywhere below a schema has another name on the wire. Computed once. */
export function hasRenames(schema: Schema): boolean {
  const known = renames.get(schema);
  if (known !== undefined) return known;
  const seen = new Set<Schema>([schema]);
  const stack: Schema[] = [schema];
  let found = false;
  for (let next = stack.pop(); next !== undefined && !found; next = stack.pop()) {
    found = renames.get(next) === true || (next.kind === "object" && next.fields.some(isRenamed));
    if (renames.get(next) === false) continue;
    for (const child of children(next)) {
      if (seen.has(child)) continue;
      seen.add(child);
      stack.push(child);
    }
  }
  // What was reached from a schema without renames has none either; with renames that holds for the root alone.
  if (found) renames.set(schema, true);
  else for (const reached of seen) renames.set(reached, false);
  return found;
}

function isRenamed(field: FieldSchema): boolean {
  return field.wire !== undefined && field.wire !== field.name;
}

function convert(given: Schema, value: unknown, direction: Direction): unknown {
  if (direction === "narrow" && typeof value === "bigint") return isDouble(given) ? Number(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (direction !== "narrow" && !hasRenames(given)) return value;
  const schema = deref(given);
  switch (schema.kind) {
    case "nullable":
      return convert(schema.inner, value, direction);
    case "array":
      if (!Array.isArray(value)) return value;
      return value.map((item: unknown, index) => {
        const type = schema.prefix?.[index] ?? schema.items;
        return type === "closed" ? item : convert(type, item, direction);
      });
    case "map":
      return isMembers(value)
        ? mapMembers(value, (key, item) => [key, convert(schema.values, item, direction)])
        : value;
    case "object":
      return isMembers(value) ? convertMembers(planOf(schema, direction), value, direction) : value;
    case "union": {
      const variant = variantOf(schema, value, direction === "encode" ? "request" : "response");
      return variant === undefined ? retagged(schema, value, direction) : convert(variant, value, direction);
    }
    case "all":
      return convertAll(schema, value, direction);
    default:
      return value;
  }
}

/** A variant that is not described keeps its members as they are, but for the tag that callers ask for. */
function retagged(schema: UnionSchema, value: object, direction: Direction): unknown {
  const [first] = schema.variants;
  if (direction === "narrow" || schema.tag === undefined || first === undefined || !isMembers(value)) return value;
  const name = nameOfWire(first, schema.tag);
  const [from, to] = direction === "encode" ? [name, schema.tag] : [schema.tag, name];
  if (from === to || Object.hasOwn(value, to)) return value;
  return mapMembers(value, (key, item) => [key === from ? to : key, item]);
}

/**
 * All parts of an `all` look at the same members, so they rename together: one after the other would rename twice, and
 * a union among them would be asked about a value that is half renamed.
 */
function convertAll(schema: Schema & { readonly kind: "all" }, value: object, direction: Direction): unknown {
  if (isMembers(value))
    return convertMembers(renamePlan(partsFor(schema, value, direction), direction), value, direction);
  return schema.members.reduce((result: unknown, part) => convert(part, result, direction), value);
}

/** The types that describe a value as it travels; unions are replaced by the variant that the value belongs to. */
export function typesOf(schema: Schema, wire: unknown): readonly Schema[] {
  return inRun(() => partsFor(schema, wire, "decode"));
}

/** The types that describe the members of a value: unions are replaced by the variant that the value belongs to. */
function partsFor(schema: Schema, value: unknown, direction: Direction): readonly Schema[] {
  const parts: Schema[] = [];
  const seen = new Set<Schema>();
  const stack: Schema[] = [schema];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const part = deref(next);
    if (seen.has(part)) continue;
    seen.add(part);
    if (part.kind === "all") stack.push(...[...part.members].reverse());
    else if (part.kind === "nullable") stack.push(part.inner);
    else if (part.kind === "union") {
      const variant = variantOf(part, value, direction === "encode" ? "request" : "response");
      if (variant !== undefined) stack.push(variant);
    } else parts.push(part);
  }
  return parts;
}

/** How the members of a value are renamed in one direction. */
interface RenamePlan {
  /** By the name that the value has. */
  readonly fields: ReadonlyMap<string, { readonly target: string; readonly schema: Schema }>;
  /** Names that fields get, with the name that they come from. */
  readonly sources: ReadonlyMap<string, string>;
  /** Type of the members that are no fields. */
  readonly extra: Schema | null;
}

function renamePlan(parts: readonly Schema[], direction: Direction): RenamePlan {
  const fields = new Map<string, { target: string; schema: Schema }>();
  const sources = new Map<string, string>();
  let extra: Schema | null = null;
  for (const part of parts) {
    if (part.kind === "map") extra ??= part.values;
    if (part.kind !== "object") continue;
    if (typeof part.additional === "object") extra ??= part.additional;
    for (const field of part.fields) {
      const wire = field.wire ?? field.name;
      const source = direction === "encode" ? field.name : wire;
      const target = direction === "decode" ? field.name : wire;
      if (fields.has(source)) continue;
      fields.set(source, { target, schema: field.schema });
      sources.set(target, source);
    }
  }
  return { fields, sources, extra };
}

const plans: Readonly<Record<Direction, WeakMap<Schema, RenamePlan>>> = {
  encode: new WeakMap(),
  decode: new WeakMap(),
  narrow: new WeakMap(),
};

/** The plan of one object type, made once. */
function planOf(schema: ObjectSchema, direction: Direction): RenamePlan {
  const known = plans[direction].get(schema);
  if (known !== undefined) return known;
  const plan = renamePlan([schema], direction);
  plans[direction].set(schema, plan);
  return plan;
}

function convertMembers(plan: RenamePlan, value: Members, direction: Direction): unknown {
  const { fields, sources, extra } = plan;
  return mapMembers(value, (key, item) => {
    const field = fields.get(key);
    if (field !== undefined) return [field.target, convert(field.schema, item, direction)];
    // An undeclared member never overwrites a field that was renamed to its name.
    const source = sources.get(key);
    if (source !== undefined && Object.hasOwn(value, source)) return null;
    return [key, extra === null ? item : convert(extra, item, direction)];
  });
}

function mapMembers(value: Members, map: (key: string, item: unknown) => readonly [string, unknown] | null): unknown {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const entry = map(key, value[key]);
    if (entry !== null) setMember(result, entry[0], entry[1]);
  }
  return result;
}
