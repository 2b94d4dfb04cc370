// Checks values against the neutral schema with Zod validators, which are built on first use and kept per schema.
// Reads schemas and values; returns issues in the order structure, constraints, unknown members. Envelopes are made
// by the callers.
//
// The functional entry `zod/mini` is used because bundlers can drop what is not called (the classic classes bring
// every method along) and because it brings no message catalogue: every text here is our own. Objects, maps and
// unions are checks of ours on Zod types rather than `z.object`, `z.record` and `z.union`: those read inherited
// members (`constructor`), skip `__proto__` and try nested variants again and again.

import * as z from "zod/mini";

import { canonicalJson, equalJson, isMembers, isNumeric, jsonText } from "./json.js";
import { MAX_DEPTH, member, nestsDeeperThan, valueAt } from "./json.js";
import type { Members } from "./json.js";
import type { ExactValue } from "./result.js";
import type { ArraySchema, FieldSchema, MapSchema, NumericSchema, ObjectSchema, Schema } from "./schema.js";
import type { StringSchema, UnionSchema } from "./schema.js";
import { encode, hasRenames } from "./codec.js";
import { codePoints, compilePattern, FORMATS } from "./formats.js";
import { brokenRule, isMultiple } from "./rules.js";
import { listName, unknownAmong, wasReceived } from "./unknown.js";
import type { UnknownValue } from "./unknown.js";
import { fieldsOf, isCircular, kindsOf, nameOfWire } from "./shape.js";

/**
 * `request`: TypeScript names, read-only fields refused. `response`: wire names, write-only fields not required.
 * `value`: TypeScript names, for values that were decoded or come from elsewhere; neither kind of field is required.
 */
export type Mode = "request" | "response" | "value";

/** Order of issues: structure, constraints, unknown members. */
export type Rank = 0 | 1 | 2;

/** One thing that is wrong with a value. */
export interface Issue {
  readonly path: readonly (string | number)[];
  /** What would be right, as a noun phrase. */
  readonly expected: string;
  readonly received: unknown;
  readonly rank: Rank;
  /** The value is not listed, which a newer server may be right about. Of responses alone. */
  readonly unknown?: UnknownValue;
}

type Validator = z.ZodMiniType;
type Payload = { readonly value: unknown; readonly issues: unknown[] };
type FoundIssue = {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly rank: Rank;
  readonly unknown: UnknownValue | undefined;
};

/** Most issues that one value collects: the first decides, the others serve `z.ZodType` users. */
const MAX_ISSUES = 100;

// What one run of a validator shares with the runs below it. Validators are synchronous, so a module variable does.
interface Run {
  /** Verdicts of union variants: nested unions would otherwise repeat the work at every level. */
  readonly verdicts: Map<unknown, Map<Validator, boolean>>;
}
let current: Run | null = null;

/**
 * What is wrong with `value`, most telling issue first; empty when it is valid. Never throws for deep, cyclic or
 * odd values.
 */
export function validate(schema: Schema, value: unknown, mode: Mode): readonly Issue[] {
  if (nestsDeeperThan(value, MAX_DEPTH)) {
    return [{ path: [], expected: `nesting of at most ${MAX_DEPTH} levels`, received: null, rank: 0 }];
  }
  const found = inRun(() => run(validator(schema, mode), value));
  const issues = found.map(({ path, message, rank, unknown }): Issue => {
    const steps = path.map((step) => (typeof step === "number" ? step : String(step)));
    const issue = { path: steps, expected: message, received: valueAt(value, steps), rank };
    return unknown === undefined ? issue : { ...issue, unknown };
  });
  return issues.sort((a, b) => a.rank - b.rank);
}

/** Whether `value` is valid; the same verdict as an empty `validate`. For values whose depth was checked. */
export function accepts(schema: Schema, value: unknown, mode: Mode): boolean {
  return inRun(() => verdict(validator(schema, mode), value));
}

/** Shares verdicts of union variants between the calls of `validate` and `accepts` inside `body`. */
export function inRun<T>(body: () => T): T {
  if (current !== null) return body();
  current = { verdicts: new Map() };
  try {
    return body();
  } finally {
    current = null;
  }
}

const caches: Readonly<Record<Mode, WeakMap<Schema, Validator>>> = {
  request: new WeakMap(),
  response: new WeakMap(),
  value: new WeakMap(),
};

/** The Zod validator of a schema. */
export function validator(schema: Schema, mode: Mode): Validator {
  const cache = caches[mode];
  const known = cache.get(schema);
  if (known !== undefined) return known;
  const built = build(schema, mode);
  cache.set(schema, built);
  return built;
}

/** Types whose rules are being asked, and about which values. */
const asked: { readonly schema: Schema; readonly value: unknown }[] = [];

function build(schema: Schema, mode: Mode): Validator {
  const shape = buildShape(schema, mode);
  const { rules } = schema;
  if (rules === undefined) return shape;
  // Rules name members as they travel, so they are asked about the value as it is sent.
  const isNamed = mode !== "response" && hasRenames(schema);
  return checked((value, report, payload) => {
    below(shape, value, [], report);
    if (payload.issues.length > 0) return;
    // A rule that comes back to its own type with the same value adds nothing.
    if (asked.some((one) => one.schema === schema && Object.is(one.value, value))) return;
    asked.push({ schema, value });
    try {
      const wire = isNamed ? encode(schema, value) : value;
      const expected = brokenRule(rules, wire, (one, given) => verdict(validator(one, "response"), given));
      if (expected !== null) report([], cut(expected), 1);
    } finally {
      asked.pop();
    }
  });
}

function buildShape(schema: Schema, mode: Mode): Validator {
  switch (schema.kind) {
    case "any":
      return z.unknown();
    case "never":
      return z.never({ error: "no value here" });
    case "boolean":
      return z.boolean({ error: "a boolean" });
    case "bytes":
      return checked((value, report) => {
        if (!isBinary(value)) report([], "binary data (Uint8Array, Blob or ReadableStream)", 0);
      });
    case "string":
      return stringType(schema);
    case "integer":
    case "number":
      return numericType(schema);
    case "enum":
      return enumType(schema.values, mode);
    case "const":
      return literalType([schema.value], `the value ${jsonText(schema.value)}`);
    case "array":
      return arrayType(schema, mode);
    case "map":
      return mapType(schema, mode);
    case "object":
      return objectType(schema, mode);
    case "union":
      return unionType(schema, mode);
    case "all":
      return allType(schema.members, mode);
    case "nullable":
      return z.nullable(validator(schema.inner, mode));
    case "ref":
      return z.lazy(() => (isCircular(schema) ? z.unknown() : validator(schema.ref(), mode)));
  }
}

type Report = (path: readonly PropertyKey[], expected: string, rank: Rank, unknown?: UnknownValue) => void;

/** A Zod type that is a check of our own. */
function checked(check: (value: unknown, report: Report, payload: Payload) => void): Validator {
  return withCheck(z.unknown(), check);
}

function withCheck<T extends Validator>(
  type: T,
  check: (value: unknown, report: Report, payload: Payload) => void,
): Validator {
  return type.check((payload) => {
    const report: Report = (path, expected, rank, unknown) => {
      if (payload.issues.length >= MAX_ISSUES) return;
      payload.issues.push({
        code: "custom",
        input: payload.value,
        path: [...path],
        message: expected,
        params: { rank, unknown },
        continue: true,
      });
    };
    check(payload.value, report, payload);
  });
}

/** Runs a validator and returns its issues; ranks travel in the parameters of Zod's custom issues. */
function run(type: Validator, value: unknown): readonly FoundIssue[] {
  const result = z.safeParse(type, value);
  if (result.success) return [];
  return result.error.issues.map((issue) => {
    const params = issue.code === "custom" ? issue.params : undefined;
    const rank: unknown = params?.["rank"];
    const unknown = params?.["unknown"] as UnknownValue | undefined;
    return { path: issue.path, message: issue.message, rank: rank === 1 || rank === 2 ? rank : 0, unknown };
  });
}

function below(type: Validator, value: unknown, path: readonly PropertyKey[], report: Report): void {
  for (const issue of run(type, value)) report([...path, ...issue.path], issue.message, issue.rank, issue.unknown);
}

function verdict(type: Validator, value: unknown): boolean {
  const verdicts = current?.verdicts;
  if (verdicts === undefined || typeof value !== "object" || value === null) return z.safeParse(type, value).success;
  const known = verdicts.get(value)?.get(type);
  if (known !== undefined) return known;
  const result = z.safeParse(type, value).success;
  const ofValue = verdicts.get(value) ?? new Map<Validator, boolean>();
  ofValue.set(type, result);
  verdicts.set(value, ofValue);
  return result;
}

function isBinary(value: unknown): boolean {
  if (typeof value === "string" || value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return true;
  return value instanceof Blob || value instanceof ReadableStream;
}

function stringType(schema: StringSchema): Validator {
  const { minLength, maxLength } = schema;
  const format = schema.format === undefined ? undefined : FORMATS.get(schema.format);
  const pattern = schema.pattern === undefined ? null : compilePattern(schema.pattern);
  const base = z.string({ error: "a string" });
  if (minLength === undefined && maxLength === undefined && format === undefined && pattern === null) return base;
  return withCheck(base, (value, report) => {
    const text = value as string;
    if (minLength !== undefined && codePoints(text) < minLength)
      report([], `at least ${count(minLength, "character")}`, 1);
    if (maxLength !== undefined && codePoints(text) > maxLength)
      report([], `at most ${count(maxLength, "character")}`, 1);
    if (pattern !== null && !pattern.test(text)) report([], `text that matches ${String(schema.pattern)}`, 1);
    if (format !== undefined && !format.test(text)) report([], format.expected, 1);
  });
}

/** The limits of integers of so many bits. */
const RANGES: Readonly<Record<32 | 64, readonly [bigint, bigint]>> = {
  32: [-(2n ** 31n), 2n ** 31n - 1n],
  64: [-(2n ** 63n), 2n ** 63n - 1n],
};

function numericType(schema: NumericSchema): Validator {
  const integer = schema.kind === "integer";
  return checked((value, report) => {
    if (!isNumeric(value)) return report([], integer ? "an integer" : "a number", 0);
    if (typeof value === "number") {
      if (!Number.isFinite(value)) return report([], integer ? "an integer" : "a number", 0);
      if (integer && !Number.isInteger(value)) return report([], "an integer", 0);
      // Beyond 2^53 neighbouring integers look the same: what was meant cannot be known.
      if (integer && !Number.isSafeInteger(value)) {
        return report([], "an integer: a bigint beyond plus or minus 2^53 - 1", 1);
      }
    }
    const { bits, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    const [least, most] = bits === undefined ? [value, value] : RANGES[bits];
    if (value < least || value > most) report([], `an integer of ${String(bits)} bits`, 1);
    if (minimum !== undefined && value < minimum) report([], `at least ${minimum}`, 1);
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) report([], `more than ${exclusiveMinimum}`, 1);
    if (maximum !== undefined && value > maximum) report([], `at most ${maximum}`, 1);
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) report([], `less than ${exclusiveMaximum}`, 1);
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) report([], `a multiple of ${multipleOf}`, 1);
  });
}

/** Responses tell what is not listed; requests and values may have it when a server sent it before. */
function enumType(values: readonly ExactValue[], mode: Mode): Validator {
  const expected = `one of ${values.map(jsonText).join(", ")}`;
  const listed = literalType(values, expected);
  if (values.length === 0) return listed;
  const list = listName("enum", values);
  return checked((value, report) => {
    if (verdict(listed, value) || (mode !== "response" && wasReceived(list, value))) return;
    report([], cut(expected), 0, mode === "response" ? unknownAmong(list, values, value) : undefined);
  });
}

function literalType(values: readonly ExactValue[], expected: string): Validator {
  const error = cut(expected);
  const plain: (string | boolean | null)[] = [];
  for (const value of values) {
    // Numbers are compared by value: 2n is 2.
    if ((typeof value === "object" && value !== null) || isNumeric(value)) {
      return checked((given, report) => {
        if (!values.some((allowed) => equalJson(given, allowed))) report([], error, 0);
      });
    }
    plain.push(value);
  }
  return plain.length === 0 ? z.never({ error: "no value here" }) : z.literal(plain, { error });
}

function arrayType(schema: ArraySchema, mode: Mode): Validator {
  const { minItems, maxItems, unique } = schema;
  const limits = (value: unknown, report: Report): void => {
    const items = value as readonly unknown[];
    if (minItems !== undefined && items.length < minItems) report([], `at least ${count(minItems, "item")}`, 1);
    if (maxItems !== undefined && items.length > maxItems) report([], `at most ${count(maxItems, "item")}`, 1);
    if (unique === true && new Set(items.map(canonicalJson)).size < items.length) report([], "distinct items", 1);
  };
  const prefix = (schema.prefix ?? []).map((item) => validator(item, mode));
  const rest = schema.items === "closed" ? null : validator(schema.items, mode);
  if (prefix.length === 0 && rest !== null) return withCheck(z.array(rest, { error: "an array" }), limits);
  return checked((value, report) => {
    if (!Array.isArray(value)) return report([], "an array", 0);
    for (const [index, item] of value.entries()) {
      const type = prefix[index] ?? rest;
      if (type !== null) below(type, item, [index], report);
    }
    if (rest === null && value.length > prefix.length) report([], `at most ${count(prefix.length, "item")}`, 0);
    limits(value, report);
  });
}

/** Members with the value `undefined` are absent, as they are in JSON text. */
function presentKeys(value: Members): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

function sizeLimits(
  schema: { readonly minProperties?: number; readonly maxProperties?: number },
  size: number,
  report: Report,
): void {
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined && size < minProperties) report([], `at least ${count(minProperties, "member")}`, 1);
  if (maxProperties !== undefined && size > maxProperties) report([], `at most ${count(maxProperties, "member")}`, 1);
}

function mapType(schema: MapSchema, mode: Mode): Validator {
  const values = validator(schema.values, mode);
  return checked((value, report) => {
    if (!isMembers(value)) return report([], "an object", 0);
    const keys = presentKeys(value);
    if (schema.ruled !== true) for (const key of keys) below(values, value[key], [key], report);
    sizeLimits(schema, keys.length, report);
  });
}

interface FieldCheck {
  readonly type: Validator;
  readonly field: FieldSchema;
}

function objectType(schema: ObjectSchema, mode: Mode): Validator {
  const fields = new Map<string, FieldCheck>();
  for (const field of schema.fields) {
    const key = mode === "response" ? (field.wire ?? field.name) : field.name;
    fields.set(key, { type: validator(field.schema, mode), field });
  }
  const extra = schema.ruled === true ? "open" : (schema.additional ?? "open");
  const extraType = typeof extra === "object" ? validator(extra, mode) : null;
  return checked((value, report) => {
    if (!isMembers(value)) return report([], "an object", 0);
    for (const [key, { type, field }] of fields) {
      const given = member(value, key);
      if (given === undefined) {
        if (isRequired(field, mode)) report([key], requiredText(field.schema), 0);
      } else if (mode === "request" && field.readOnly === true) {
        report([key], "no value (the field is read-only)", 2);
      } else {
        below(type, given, [key], report);
      }
    }
    const keys = presentKeys(value);
    sizeLimits(schema, keys.length, report);
    for (const key of keys) {
      if (fields.has(key)) continue;
      if (extra === "closed") report([key], "no member of this name", 2);
      else if (extraType !== null) below(extraType, value[key], [key], report);
    }
  });
}

function isRequired(field: FieldSchema, mode: Mode): boolean {
  if (field.required !== true) return false;
  if (mode === "request") return field.readOnly !== true;
  if (mode === "response") return field.writeOnly !== true;
  return field.readOnly !== true && field.writeOnly !== true;
}

function allType(members: readonly Schema[], mode: Mode): Validator {
  const types = members.map((part) => validator(part, mode));
  return checked((value, report) => {
    for (const type of types) below(type, value, [], report);
  });
}

function unionType(schema: UnionSchema, mode: Mode): Validator {
  if (schema.tag !== undefined && schema.tags !== undefined) return taggedType(schema, schema.tag, schema.tags, mode);
  const types = schema.variants.map((variant) => validator(variant, mode));
  const kinds = schema.variants.map((variant) => new Set(kindsOf(variant)));
  const expected = kindsText(schema.variants.flatMap(kindsOf));
  const keys = keysOf(schema, mode);
  return checked((value, report) => {
    const told = types[placeByKey(keys, value, mode) ?? types.length];
    if (told !== undefined && verdict(told, value)) return;
    if (types.some((type) => verdict(type, value))) return;
    const newer = mode === "response" ? types.find((type) => isNewer(type, value)) : undefined;
    if (newer !== undefined) return below(newer, value, [], report);
    const near = types.filter((_type, index) => isOfKind(value, kinds[index]));
    // A variant is worth explaining when a key tells that it is meant, or when it alone is of the value's kind.
    const only = told ?? (near.length === 1 ? near[0] : undefined);
    if (only !== undefined) below(only, value, [], report);
    else if (near.length > 1) report([], `one of the ${near.length} ${kindOf(value)} forms that the type allows`, 0);
    else report([], expected, 0);
  });
}

/** Whether nothing is wrong with a value but that it holds something that is not listed. */
function isNewer(type: Validator, value: unknown): boolean {
  return run(type, value).every(({ unknown }) => unknown !== undefined);
}

/** What a key asks of a value: a member under this name, which the type of the member accepts. */
interface KeyCheck {
  readonly name: string;
  readonly schema: Schema;
}

/** Per variant: its key; `rest` for the variant that has the objects without any key, null for variants that are none. */
type Keys = readonly (KeyCheck | "rest" | null)[];

const keyCaches: Readonly<Record<Mode, WeakMap<UnionSchema, Keys>>> = {
  request: new WeakMap(),
  response: new WeakMap(),
  value: new WeakMap(),
};

function keysOf(schema: UnionSchema, mode: Mode): Keys {
  const known = keyCaches[mode].get(schema);
  if (known !== undefined) return known;
  const keys = (schema.keys ?? []).map((key, index): KeyCheck | "rest" | null => {
    const variant = schema.variants[index];
    if (variant === undefined) return null;
    if (key === null) return kindsOf(variant).includes("object") ? "rest" : null;
    const field = fieldsOf(variant).find((candidate) => (candidate.wire ?? candidate.name) === key);
    if (field === undefined) return { name: key, schema: { kind: "any" } };
    return { name: mode === "response" ? key : field.name, schema: field.schema };
  });
  keyCaches[mode].set(schema, keys);
  return keys;
}

/** The place of the variant that an object's members tell; `undefined` when they tell none. */
function placeByKey(keys: Keys, value: unknown, mode: Mode): number | undefined {
  if (keys.length === 0 || !isMembers(value)) return undefined;
  const present: number[] = [];
  for (const [index, key] of keys.entries()) {
    if (key === null || key === "rest") continue;
    const given = member(value, key.name);
    if (given === undefined) continue;
    // Validators of members are made here, not with the keys: a member may be of this very union.
    if (verdict(validator(key.schema, mode), given)) return index;
    present.push(index);
  }
  // A key whose value is wrong still tells what was meant when no other is there.
  const fallback = present.length === 0 ? keys.indexOf("rest") : present.length === 1 ? (present[0] ?? -1) : -1;
  return fallback < 0 ? undefined : fallback;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (isNumeric(value)) return "number";
  return Array.isArray(value) ? "array" : typeof value;
}

function isOfKind(value: unknown, kinds: ReadonlySet<string> | undefined): boolean {
  const kind = kindOf(value);
  if (kinds === undefined || kinds.has(kind) || kinds.has("any")) return true;
  return kind === "number" && kinds.has("integer");
}

function taggedType(
  schema: UnionSchema,
  tag: string,
  tags: readonly (readonly (string | number | bigint | boolean)[])[],
  mode: Mode,
): Validator {
  const choices = schema.variants.map((variant, index) => ({
    key: mode === "response" ? tag : nameOfWire(variant, tag),
    tags: tags[index] ?? [],
    type: validator(variant, mode),
  }));
  const expected = cut(`one of ${tags.flat().map(jsonText).join(", ")}`);
  const listed = tags.flat();
  const list = listName("tag", [tag, ...listed]);
  return checked((value, report) => {
    if (!isMembers(value)) return report([], "an object", 0);
    const tagged = choices.find((choice) =>
      choice.tags.some((allowed) => equalJson(member(value, choice.key), allowed)),
    );
    const chosen = tagged ?? choices[schema.other ?? choices.length];
    if (chosen !== undefined) return below(chosen.type, value, [], report);
    const key = choices[0]?.key ?? tag;
    const given = member(value, key);
    if (mode !== "response" && wasReceived(list, given)) return;
    report([key], expected, 0, mode === "response" ? unknownAmong(list, listed, given) : undefined);
  });
}

/**
 * The variant of a union that a value belongs to; `undefined` when none does. Without a tag it is the one that a key
 * tells, else, among the variants that accept the value, the one that knows most of its members. For values whose depth was checked.
 */
export function variantOf(schema: UnionSchema, value: unknown, mode: Mode): Schema | undefined {
  const { tag, tags } = schema;
  if (tag === undefined || tags === undefined) {
    const told = schema.variants[placeByKey(keysOf(schema, mode), value, mode) ?? schema.variants.length];
    if (told !== undefined && accepts(told, value, mode)) return told;
    const fitting = schema.variants.filter((variant) => accepts(variant, value, mode));
    if (fitting.length === 0 && mode === "response") {
      return schema.variants.find((variant) => isNewer(validator(variant, mode), value));
    }
    if (fitting.length < 2 || !isMembers(value)) return fitting[0];
    const scores = fitting.map((variant) => knownMembers(variant, value, mode));
    return fitting[scores.indexOf(Math.max(...scores))];
  }
  if (!isMembers(value)) return undefined;
  const tagged = schema.variants.find((variant, index) => {
    const given = member(value, mode === "response" ? tag : nameOfWire(variant, tag));
    return tags[index]?.some((allowed) => equalJson(given, allowed)) === true;
  });
  return tagged ?? schema.variants[schema.other ?? schema.variants.length];
}

function knownMembers(schema: Schema, value: Members, mode: Mode): number {
  const names = fieldsOf(schema).map((field) => (mode === "response" ? (field.wire ?? field.name) : field.name));
  return names.filter((name) => Object.hasOwn(value, name)).length;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function cut(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}

const KIND_TEXTS: ReadonlyMap<string, string> = new Map([
  ["any", "a value"],
  ["array", "an array"],
  ["binary", "binary data"],
  ["boolean", "a boolean"],
  ["integer", "an integer"],
  ["number", "a number"],
  ["object", "an object"],
  ["string", "a string"],
]);

/** The kinds of value that a type admits, as a noun phrase. */
function kindsText(kinds: readonly string[]): string {
  const texts = kinds.map((kind) => KIND_TEXTS.get(kind) ?? kind);
  return texts.length === 0 ? "a value" : cut([...new Set(texts)].join(" or "));
}

/** What an absent value should have been. */
export function requiredText(schema: Schema): string {
  return `${kindsText(kindsOf(schema))} (required)`;
}
