// What a schema has looked at in a value that it accepts: members by name, items by place. Reads the `looks` of schemas and
// a value as it travels; returns a set. Rules about the rest (`unevaluatedProperties`, `unevaluatedItems`) ask it.

import { isMembers, member } from "./json.js";
import { matches } from "./formats.js";
import type { Looks, Schema } from "./schema.js";
import { deref } from "./shape.js";

/** Whether a value is of a schema. */
export type Accepts = (schema: Schema, value: unknown) => boolean;

/** Names of members, places of items. */
export type Seen = ReadonlySet<string | number>;

const NOTHING: Seen = new Set();

/** What `looks` has seen of a value. Each schema is asked once: schemas that share others would multiply. */
export function seenBy(looks: Looks, value: unknown, accepts: Accepts): Seen {
  return visit(looks, value, accepts, new Map());
}

function visit(looks: Looks, value: unknown, accepts: Accepts, known: Map<Looks, Seen>): Seen {
  const before = known.get(looks);
  if (before !== undefined) return before;
  // Whoever comes back here without a step into the value adds nothing.
  known.set(looks, NOTHING);
  const seen = new Set<string | number>();
  if (Array.isArray(value)) addItems(looks, value, accepts, seen);
  else if (isMembers(value)) addMembers(looks, Object.keys(value), seen);
  for (const schema of holding(looks, value, accepts)) {
    const below = looksOf(schema);
    if (below === undefined) continue;
    for (const place of visit(below, value, accepts, known)) seen.add(place);
  }
  known.set(looks, seen);
  return seen;
}

function addItems(looks: Looks, items: readonly unknown[], accepts: Accepts, seen: Set<string | number>): void {
  const { contains = [] } = looks;
  const first = looks.items === "all" ? items.length : (looks.items ?? 0);
  for (const [index, item] of items.entries()) {
    if (index < first || contains.some((schema) => accepts(schema, item))) seen.add(index);
  }
}

function addMembers(looks: Looks, names: readonly string[], seen: Set<string | number>): void {
  const { members = [], patterns = [] } = looks;
  for (const name of names) {
    const isNamed = members === "all" || members.includes(name);
    if (isNamed || patterns.some((pattern) => matches(pattern, name))) seen.add(name);
  }
}

/** The schemas of `looks` that hold for the same value. */
function* holding(looks: Looks, value: unknown, accepts: Accepts): Generator<Schema> {
  yield* looks.parts ?? [];
  for (const schema of looks.variants ?? []) if (accepts(schema, value)) yield schema;
  for (const { condition, then, otherwise } of looks.conditions ?? []) {
    const holds = accepts(condition, value);
    if (holds) yield condition;
    const chosen = holds ? then : otherwise;
    if (chosen !== undefined) yield chosen;
  }
  for (const { name, schema } of looks.needs ?? []) {
    if (isMembers(value) && member(value, name) !== undefined) yield schema;
  }
}

/** The looks of a schema, behind references and what makes it nullable. */
function looksOf(schema: Schema): Looks | undefined {
  let at = schema;
  while (at.looks === undefined) {
    const next = at.kind === "ref" ? deref(at) : at.kind === "nullable" ? at.inner : null;
    if (next === null) return undefined;
    at = next;
  }
  return at.looks;
}
