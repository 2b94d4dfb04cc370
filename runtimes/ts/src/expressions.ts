// Expressions and predicates of verification hooks and macros: typed rows that the compiler made, evaluated over values
// as they travel. Pure; what a reference leads to is asked of the caller.

import type { JsonValue } from "./result.js";
import { equalJson, isMembers, setMember } from "./json.js";
import { follow, valueOf } from "./wire.js";
import type { Typed } from "./wire.js";

/** Where a reference starts: an answer, arguments, a macro's input, or the answer of a step by its index. */
export type Root = "response" | "args" | "input" | number;

/** A value that is known when the expression is. Names are wire names. */
export interface Reference {
  readonly ref: Root;
  readonly path?: readonly string[];
}

/** What a comparison asks of a value; one that leads nowhere compares as null. */
export type Test =
  { readonly in: readonly JsonValue[] } | { readonly equals: JsonValue } | { readonly differs: JsonValue };

/** How a value is made. */
export type Expression =
  | { readonly value: JsonValue }
  | Reference
  | { readonly compare: Reference; readonly test: Test }
  | { readonly list: readonly Expression[] }
  | { readonly object: readonly ExpressionMember[] };

export interface ExpressionMember {
  readonly name: string;
  /** Name that callers see, where it is another one. */
  readonly key?: string;
  readonly value: Expression;
}

/** What must hold of one field. */
export type Condition = { readonly path: readonly string[] } & (
  { readonly in: readonly JsonValue[] } | { readonly equals: JsonValue } | { readonly contains: JsonValue }
);

/** Finds what a reference leads to; `undefined`: nothing. */
export type Resolve = (reference: Reference) => Typed | undefined;

/** Follows references from what their roots stand for. */
export function resolver(root: (root: Root) => Typed | undefined): Resolve {
  return ({ ref, path }) => {
    const start = root(ref);
    return start === undefined ? undefined : follow(start, path ?? []);
  };
}

/**
 * The value of an expression, under wire names for requests and under TypeScript names for callers. `undefined`: it
 * leads nowhere, and its member is left out. Expressions nest at most 64 levels, so recursion is bounded.
 */
export function evaluate(expression: Expression, resolve: Resolve, names: "wire" | "key"): unknown {
  if ("value" in expression) return expression.value;
  if ("ref" in expression) {
    const found = resolve(expression);
    return found === undefined || names === "wire" ? found?.wire : valueOf(found);
  }
  if ("compare" in expression) return passes(resolve(expression.compare)?.wire ?? null, expression.test);
  if ("list" in expression) return expression.list.map((item) => evaluate(item, resolve, names) ?? null);
  const made: Record<string, unknown> = {};
  for (const { name, key, value } of expression.object) {
    const item = evaluate(value, resolve, names);
    if (item !== undefined) setMember(made, names === "key" ? (key ?? name) : name, item);
  }
  return made;
}

/** Whether an expression refers to a root of this kind. */
export function refersTo(expression: Expression, root: Root): boolean {
  if ("ref" in expression) return expression.ref === root;
  if ("compare" in expression) return expression.compare.ref === root;
  if ("list" in expression) return expression.list.some((item) => refersTo(item, root));
  return "object" in expression && expression.object.some((one) => refersTo(one.value, root));
}

function passes(value: unknown, test: Test): boolean {
  if ("in" in test) return test.in.some((item) => equal(value, item));
  return "equals" in test ? equal(value, test.equals) : !equal(value, test.differs);
}

/** Whether all conditions hold of an answer. */
export function holds(conditions: readonly Condition[], answer: Typed): boolean {
  return conditions.every((condition) => {
    const value = follow(answer, condition.path)?.wire ?? null;
    if ("in" in condition) return condition.in.some((item) => equal(value, item));
    return "equals" in condition ? equal(value, condition.equals) : contains(value, condition.contains);
  });
}

function equal(left: unknown, right: JsonValue): boolean {
  // A number of a hundred digits and one of two are equal when their values are.
  if (typeof left === "bigint" && typeof right === "number") return left === BigInt(Math.trunc(right));
  return equalJson(left, right);
}

/**
 * A recursive test for a subset: members of an object; an array has the pattern when some element does, or every
 * element of a pattern that is an array itself; text has a part. Patterns come from documents, so depth is bounded.
 */
function contains(value: unknown, pattern: JsonValue): boolean {
  if (Array.isArray(value)) {
    const all: readonly JsonValue[] = Array.isArray(pattern)
      ? (pattern as readonly JsonValue[])
      : [pattern as JsonValue];
    return all.every((one) => value.some((item) => contains(item, one)));
  }
  if (typeof value === "string" && typeof pattern === "string") return value.includes(pattern);
  if (isMembers(pattern) && isMembers(value)) {
    return Object.keys(pattern).every(
      (key) => Object.hasOwn(value, key) && contains(value[key], pattern[key] as JsonValue),
    );
  }
  return equal(value, pattern);
}

/**
 * Conditions whose values are known: text that is `$response`, `$args` or a path below one of them is replaced by what
 * it leads to. A condition with a reference that leads nowhere becomes one that never holds.
 */
export function bound(conditions: readonly Condition[], resolve: Resolve): readonly Condition[] {
  return conditions.map((condition): Condition => {
    const { path } = condition;
    if ("in" in condition) {
      const items = condition.in.map((item) => boundValue(item, resolve));
      return { path, in: items.filter((item) => item !== undefined) };
    }
    const value = boundValue("equals" in condition ? condition.equals : condition.contains, resolve);
    if (value === undefined) return { path, in: [] };
    return "equals" in condition ? { path, equals: value } : { path, contains: value };
  });
}

function boundValue(value: JsonValue, resolve: Resolve): JsonValue | undefined {
  if (typeof value === "string") {
    const [root, ...path] = value.split(".");
    if (root !== "$response" && root !== "$args") return value;
    const found = resolve({ ref: root === "$args" ? "args" : "response", path })?.wire;
    return found === undefined ? undefined : (found as JsonValue);
  }
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => boundValue(item, resolve));
    return items.some((item) => item === undefined) ? undefined : (items as JsonValue[]);
  }
  if (!isMembers(value)) return value;
  const made: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = boundValue(value[key] as JsonValue, resolve);
    if (item === undefined) return undefined;
    setMember(made, key, item);
  }
  return made as JsonValue;
}

/** What an answer has at the fields of conditions, by dotted wire names. */
export function observed(conditions: readonly Condition[], answer: Typed): { readonly [field: string]: JsonValue } {
  const fields: Record<string, unknown> = {};
  for (const { path } of conditions) setMember(fields, path.join("."), follow(answer, path)?.wire ?? null);
  return fields as { readonly [field: string]: JsonValue };
}
