// Small helpers for values of unknown shape: own members only, no prototypes, explicit stacks. They read values
// and build new ones; what a value means is left to the callers.

import type { ExactValue } from "./result.js";

/** Greatest nesting of arrays and objects that the runtime looks into. */
export const MAX_DEPTH = 256;

/** An object whose own enumerable members are data: no array, no binary value, no `Date`, `Map` and the like. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether `value` is an object that JSON would write with braces. */
export function isMembers(value: unknown): value is Members {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.prototype.toString.call(value) === "[object Object]"
  );
}

/** Whether `value` is a number, however large. */
export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** An own member, or `undefined`: never something of the prototype (`constructor`, `__proto__`). */
export function member(value: Members, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Sets an own member, also one called `__proto__`. */
export function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** The value at a path of member names and indexes; `undefined` where the path leaves the value. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at: unknown = value;
  for (const step of path) {
    if (Array.isArray(at) && typeof step === "number") at = at[step];
    else if (isMembers(at) && typeof step === "string") at = member(at, step);
    else return undefined;
  }
  return at;
}

/** Whether arrays and objects nest deeper than `limit`; a cycle does. Walks with a stack of its own. */
export function nestsDeeperThan(value: unknown, limit: number): boolean {
  const seen = new Map<object, number>();
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value: at, depth } = next;
    const array = Array.isArray(at);
    if (!array && !isMembers(at)) continue;
    if (depth > limit) return true;
    const before = seen.get(at);
    if (before !== undefined && before >= depth) continue;
    seen.set(at, depth);
    const children: readonly unknown[] = array ? at : Object.values(at);
    for (const child of children) {
      if (typeof child === "object" && child !== null) stack.push({ value: child, depth: depth + 1 });
    }
  }
  return false;
}

/** The bytes of a binary value that is already in memory; `null` for anything else. */
export function bytesOf(value: unknown): Uint8Array | null {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : null;
}

/** Standard base64 with padding (RFC 4648, section 4). */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
}

/** JSON text of a value whose depth was checked before: integers with all digits, bytes as base64 text. */
export function jsonText(value: unknown): string {
  let large = false;
  const text = JSON.stringify(value, (_key, item: unknown) => {
    large ||= typeof item === "bigint";
    const bytes = bytesOf(item);
    if (bytes !== null) return base64(bytes);
    return typeof item === "bigint" ? 0 : item;
  });
  return large ? exactText(value) : text;
}

/** As `JSON.stringify` has it, which refuses a `bigint`. */
function exactText(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  const bytes = bytesOf(value);
  if (bytes !== null) return JSON.stringify(base64(bytes));
  if (typeof value !== "object" || value === null) return isJson(value) ? JSON.stringify(value) : "null";
  if (Array.isArray(value)) return `[${value.map(exactText).join(",")}]`;
  if ("toJSON" in value && typeof value.toJSON === "function") return exactText(value.toJSON());
  const members = Object.entries(value).filter(([, item]) => isJson(item));
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${exactText(item)}`).join(",")}}`;
}

function isJson(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

/** Numbers streams, which have no content to compare: the same stream object is the same argument. */
const streamIds = new WeakMap<object, number>();
let lastStreamId = 0;

function streamId(stream: object): number {
  const known = streamIds.get(stream);
  if (known !== undefined) return known;
  lastStreamId += 1;
  streamIds.set(stream, lastStreamId);
  return lastStreamId;
}

/**
 * Canonical JSON: members sorted by UTF-16 code units, no spaces, undefined members dropped, non-finite numbers as
 * null, dates as ISO text, bytes and blobs as marked objects. The caller has bounded the depth; cycles exceed it.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number") return canonicalNumber(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object") return "null";
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value instanceof Date) return Number.isFinite(value.getTime()) ? JSON.stringify(value.toISOString()) : "null";
  const bytes = bytesOf(value);
  if (bytes !== null) return canonicalJson({ $bytes: base64(bytes) });
  if (value instanceof Blob) return canonicalJson({ $blob: { size: value.size, type: value.type } });
  if (value instanceof ReadableStream) return canonicalJson({ $stream: streamId(value) });
  const members = value as Members;
  const parts: string[] = [];
  for (const key of Object.keys(members).sort()) {
    const item = members[key];
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`);
  }
  return `{${parts.join(",")}}`;
}

/** One spelling for each number, whether it is a `number` or a `bigint`. */
function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) return "null";
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : JSON.stringify(value);
}

/** Equality of two JSON values; the order of members does not count. */
export function equalJson(left: unknown, right: ExactValue): boolean {
  // Compared by their values: 2n is 2.
  if (isNumeric(right)) return isNumeric(left) && left == right;
  if (typeof right !== "object" || right === null) return left === right;
  return typeof left === "object" && left !== null && canonicalJson(left) === canonicalJson(right);
}
