// Values that a server sends although its description does not list them: a newer member of an enumeration, a newer variant
// of a union. They are kept as they came and remembered, so that callers can send them back; what nobody received stays
// refused in requests.

import { canonicalJson } from "./json.js";
import type { Schema } from "./schema.js";
import { children, deref } from "./shape.js";

/**
 * The type of a text that is not listed: `"open" | "closed" | Unlisted`. No literal is of it, so what callers write stays
 * closed; it is a text, and unions that it stands in can be narrowed. A type only: there is no such value.
 */
export declare enum Unlisted {
  Value = "",
}

/** The type of a variant that is not described: only its tag is known by name. */
export type UnlistedVariant<Tag extends string> = { readonly [K in Tag]: Unlisted } & {
  readonly [member: string]: unknown;
};

/** A value that an enumeration, or the tag of a union, does not list. `list` names what is listed. */
export interface UnknownValue {
  readonly list: string;
  readonly value: string | number;
}

/** Values that are remembered for each list. A server that sends more than these sends anything. */
const MAX_VALUES = 100;

const received = new Map<string, Set<string | number>>();

/** Remembers a value that a server sent. */
export function remember({ list, value }: UnknownValue): void {
  const values = received.get(list) ?? new Set();
  received.set(list, values);
  if (values.size < MAX_VALUES) values.add(value);
}

/** Whether a server sent this value for this list before. */
export function wasReceived(list: string, value: unknown): boolean {
  return (typeof value === "string" || typeof value === "number") && received.get(list)?.has(value) === true;
}

/** The name of a list of values. */
export function listName(kind: "enum" | "tag", listed: readonly unknown[]): string {
  return canonicalJson([kind, listed]);
}

/** What is unknown about a value; `undefined` when it is listed, or not of the type of those that are. */
export function unknownAmong(list: string, listed: readonly unknown[], value: unknown): UnknownValue | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const isOfType = listed.some((one) => typeof one === typeof value);
  return isOfType && !listed.includes(value) ? { list, value } : undefined;
}

const open = new WeakMap<Schema, boolean>();

/** Whether a value of this type may hold something that is not listed. Computed once. */
export function hasLists(schema: Schema): boolean {
  const known = open.get(schema);
  if (known !== undefined) return known;
  const seen = new Set<Schema>([schema]);
  const stack: Schema[] = [schema];
  let found = false;
  for (let next = stack.pop(); next !== undefined && !found; next = stack.pop()) {
    const at = deref(next);
    found = at.kind === "enum" || (at.kind === "union" && at.tags !== undefined);
    for (const child of children(next)) {
      if (seen.has(child)) continue;
      seen.add(child);
      stack.push(child);
    }
  }
  open.set(schema, found);
  return found;
}
