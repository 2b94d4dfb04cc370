// Values as they travel, with their types: what pagination, verification hooks and macros refer to, since those are
// written against the API. Reads wire names; gives values with TypeScript names where callers see them.

import { isArgument } from "./args.js";
import type { CheckedArguments } from "./args.js";
import type { AnyOperation } from "./classify.js";
import { decode, typesOf } from "./codec.js";
import type { ParamDescriptor } from "./descriptor.js";
import { isMembers, member, setMember } from "./json.js";
import type { Members } from "./json.js";
import type { FieldSchema, Schema } from "./schema.js";
import { sameValueParts } from "./shape.js";

/** A value as it travels and the type that describes it. */
export interface Typed {
  readonly schema: Schema;
  readonly wire: unknown;
}

const ANY: Schema = { kind: "any" };

/** No value at all. */
export const NOTHING: Typed = { schema: ANY, wire: undefined };

/** The value as callers see it. */
export function valueOf({ schema, wire }: Typed): unknown {
  return decode(schema, wire);
}

/** The member or item under a name; `undefined` when there is none. */
function partOf(at: Typed, name: string): Typed | undefined {
  if (Array.isArray(at.wire)) {
    const index = /^\d{1,15}$/.test(name) ? Number(name) : -1;
    if (index < 0 || index >= at.wire.length) return undefined;
    return { schema: itemType(at, index), wire: at.wire[index] as unknown };
  }
  if (!isMembers(at.wire)) return undefined;
  const wire = member(at.wire, name);
  return wire === undefined ? undefined : { schema: memberType(at, name), wire };
}

function itemType(at: Typed, index: number): Schema {
  const array = typesOf(at.schema, at.wire).find((type) => type.kind === "array");
  const type = array?.kind === "array" ? (array.prefix?.[index] ?? array.items) : ANY;
  return type === "closed" ? ANY : type;
}

function memberType(at: Typed, name: string): Schema {
  const types = typesOf(at.schema, at.wire);
  for (const type of types) {
    if (type.kind !== "object") continue;
    const field = type.fields.find((one) => wireName(one) === name);
    if (field !== undefined) return field.schema;
  }
  for (const type of types) {
    if (type.kind === "map") return type.values;
    if (type.kind === "object" && typeof type.additional === "object") return type.additional;
  }
  return ANY;
}

function wireName(field: FieldSchema): string {
  return field.wire ?? field.name;
}

/** The value at a path of names; `undefined` where the path leaves the value. */
export function follow(start: Typed, path: readonly string[]): Typed | undefined {
  let at: Typed | undefined = start;
  for (const name of path) {
    at = partOf(at, name);
    if (at === undefined) return undefined;
  }
  return at;
}

/** The value at a dotted path. A name that holds dots itself is found when no shorter one is. */
export function followDotted(start: Typed, path: string): Typed | undefined {
  const names = path.split(".");
  let at = start;
  for (let from = 0; from < names.length;) {
    let to = from + 1;
    let next = partOf(at, names[from] ?? "");
    while (next === undefined && to < names.length) {
      to += 1;
      next = partOf(at, names.slice(from, to).join("."));
    }
    if (next === undefined) return undefined;
    at = next;
    from = to;
  }
  return at;
}

/** Wire name of the argument that is a whole body. */
const BODY = "body";

interface WireArguments {
  readonly params: readonly { readonly param: ParamDescriptor; readonly value: unknown }[];
  /** `undefined`: nothing belongs to the body. */
  readonly body: unknown;
}

/** Sorts arguments under wire names into parameters and body. Names that the operation does not have are left out. */
function sorted(operation: AnyOperation, wire: Members): WireArguments {
  const params: { param: ParamDescriptor; value: unknown }[] = [];
  const taken = new Set<string>();
  for (const param of operation.params ?? []) {
    if (!isArgument(param)) continue;
    taken.add(param.name);
    const value = member(wire, param.name);
    if (value !== undefined) params.push({ param, value });
  }
  if (operation.body === undefined) return { params, body: undefined };
  const fields = bodyFields(operation.body.schema);
  const whole = taken.has(BODY) || fields.has(BODY) ? undefined : member(wire, BODY);
  const merged: Record<string, unknown> = isMembers(whole) ? { ...whole } : {};
  let some = false;
  for (const name of fields) {
    const value = taken.has(name) ? undefined : member(wire, name);
    if (value === undefined) continue;
    setMember(merged, name, value);
    some = true;
  }
  return { params, body: some ? merged : whole };
}

/** Wire names of the fields that a body of this type may have. */
function bodyFields(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Schema>();
  const stack = [schema];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.kind === "object")
      for (const field of next.fields) if (field.readOnly !== true) names.add(wireName(field));
    stack.push(...sameValueParts(next));
  }
  return names;
}

/** The arguments object of a call whose arguments are known under their wire names. */
export function argumentsFrom(operation: AnyOperation, wire: Members): Members {
  const { params, body } = sorted(operation, wire);
  const args: Record<string, unknown> = {};
  for (const { param, value } of params) setMember(args, param.key, decode(param.schema, value));
  if (operation.body === undefined || body === undefined) return args;
  const value = decode(operation.body.schema, body);
  if (operation.body.arg !== undefined) setMember(args, operation.body.arg, value);
  else if (isMembers(value)) for (const key of Object.keys(value)) setMember(args, key, value[key]);
  return args;
}

/** The same without any check: a preview shows arguments whose values are not known yet. */
export function uncheckedArguments(operation: AnyOperation, wire: Members): CheckedArguments {
  return { given: wire, ...sorted(operation, wire) };
}

/** Checked arguments under their wire names: parameters, fields of the body, and the body as a whole. */
export function wireOfArguments(args: CheckedArguments): Members {
  const wire: Record<string, unknown> = {};
  if (args.body !== undefined) wire[BODY] = args.body;
  if (isMembers(args.body)) for (const key of Object.keys(args.body)) setMember(wire, key, args.body[key]);
  for (const { param, value } of args.params) setMember(wire, param.name, value);
  return wire;
}

/** How callers name the argument that travels under a wire name. */
export function argumentName(operation: AnyOperation, wire: string): string {
  const param = operation.params?.find((one) => isArgument(one) && one.name === wire);
  if (param !== undefined) return param.key;
  if (operation.body?.arg !== undefined) return wire === BODY ? operation.body.arg : `${operation.body.arg}.${wire}`;
  const args = argumentsFrom(operation, Object.fromEntries([[wire, null]]));
  return Object.keys(args)[0] ?? wire;
}
