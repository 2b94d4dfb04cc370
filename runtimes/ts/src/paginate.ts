// Lists that come page by page. Each page is an ordinary call through `pipeline.ts`; this file only says what the next
// one asks for and when there is none. Nothing throws: a failure is the last thing that a walk yields.

import { isArgument } from "./args.js";
import type { AnyOperation } from "./classify.js";
import { decode } from "./codec.js";
import type { PaginationDescriptor } from "./descriptor.js";
import { failure } from "./failure.js";
import { canonicalJson, isMembers, member, setMember } from "./json.js";
import type { Members } from "./json.js";
import { nextLink } from "./links.js";
import type { PageOptions } from "./options.js";
import { runCall } from "./pipeline.js";
import { receivedValue, scrubber, SensitiveFields } from "./redact.js";
import type { Failed, JsonValue, Ok, ResponseMeta, Result } from "./result.js";
import type { How, Runtime } from "./runtime.js";
import type { Schema } from "./schema.js";
import { kindsOf, nameOfWire } from "./shape.js";
import { argumentsFrom, followDotted, NOTHING, valueOf } from "./wire.js";
import type { Typed } from "./wire.js";

/** One page of a list. */
export interface Page<Item, Body> {
  readonly items: readonly Item[];
  /** The whole answer. */
  readonly body: Body;
  /** What the next page is asked for with: a cursor, an offset, a page number or a link; `null` after the last page. */
  readonly next: JsonValue;
}

/** A page as a walk makes it: what callers get, and the items as they travelled. */
export interface Step {
  readonly result: Result<Page<unknown, unknown>>;
  readonly list: Typed;
}

/**
 * The pages of a list, for `for await` or one of the methods. Nothing is sent before the first page is asked for, and
 * each loop starts anew.
 */
export class Pages<Item, Body> implements AsyncIterable<Result<Page<Item, Body>>> {
  readonly #walk: () => AsyncGenerator<Step, void, undefined>;

  /** Made by `openPages`. */
  constructor(walk: () => AsyncGenerator<Step, void, undefined>) {
    this.#walk = walk;
  }

  /** Page by page; a failure is the last item. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Result<Page<Item, Body>>, void, undefined> {
    for await (const { result } of this.#walk()) yield result as Result<Page<Item, Body>>;
  }

  /** Item by item over all pages; a failure is the last one. */
  async *items(): AsyncGenerator<{ readonly ok: true; readonly value: Item } | Failed, void, undefined> {
    for await (const page of this) {
      if (!page.ok) yield page;
      else for (const value of page.value.items) yield { ok: true, value };
    }
  }

  /** All items. After a failure, `partial` holds those of the pages before. Bound a long list with `maxItems`. */
  async collect(): Promise<Result<readonly Item[]>> {
    const items: Item[] = [];
    let meta = NOTHING_SENT;
    for await (const page of this) {
      if (!page.ok) return { ...page, partial: items };
      for (const item of page.value.items) items.push(item);
      meta = { ...page.meta, attempts: meta.attempts + page.meta.attempts };
    }
    return { ok: true, value: items, meta };
  }

  /** Pages with the items as they travelled, for other parts of the runtime. */
  steps(): AsyncGenerator<Step, void, undefined> {
    return this.#walk();
  }
}

const NOTHING_SENT: ResponseMeta = { status: 0, headers: {}, requestId: null, attempts: 0 };

/** Opens the pages of an operation. */
export function openPages(
  runtime: Runtime,
  operation: AnyOperation,
  args: unknown,
  options: PageOptions,
): Pages<unknown, unknown> {
  return new Pages(() => walk(runtime, operation, args, options));
}

async function* walk(
  runtime: Runtime,
  operation: AnyOperation,
  given: unknown,
  options: PageOptions,
): AsyncGenerator<Step, void, undefined> {
  const { maxPages = Infinity, maxItems = Infinity, next: start = null, ...call } = options;
  const pages = operation.pagination;
  let next: JsonValue = start;
  let left = maxItems;
  const seen = new Set<string>(start === null ? [] : [canonicalJson(start)]);
  for (let index = 0; pages !== undefined && index < maxPages && left > 0; index += 1) {
    const asked = next === null ? { args: given } : requestOf(operation, pages, given, next);
    let answer: Typed = NOTHING;
    const how: How = { ...asked.how, onAnswer: (typed) => void (answer = typed) };
    const result: Result<unknown> = await runCall(runtime, operation, asked.args, call, how);
    if (!result.ok) return yield { result, list: NOTHING };
    const list = pages.itemsField === undefined ? answer : (followDotted(answer, pages.itemsField) ?? NOTHING);
    const isList = list.wire === undefined || list.wire === null || Array.isArray(list.wire);
    if (!isList) return yield { result: await unexpected(runtime, operation, result, list.wire), list: NOTHING };
    const items = itemsOf(list);
    const token: JsonValue = nextOf(operation, pages, given, next, answer, list, result);
    yield { result: { ...result, value: pageOf(items, left, result.value, token) }, list: cut(list, left) };
    left -= items.length;
    if (token === null) return;
    if (!hasCount(pages) && !isNew(seen, token) && left > 0 && index + 1 < maxPages) {
      return yield { result: await repeated(runtime, operation, result, token), list: NOTHING };
    }
    next = token;
  }
}

function pageOf(items: readonly unknown[], left: number, body: unknown, next: JsonValue): Page<unknown, unknown> {
  return { items: items.length > left ? items.slice(0, Math.trunc(left)) : items, body, next };
}

function cut(list: Typed, left: number): Typed {
  return Array.isArray(list.wire) && list.wire.length > left
    ? { ...list, wire: list.wire.slice(0, Math.trunc(left)) }
    : list;
}

function itemsOf(list: Typed): readonly unknown[] {
  const value = valueOf(list);
  return Array.isArray(value) ? value : [];
}

function isNew(seen: Set<string>, token: JsonValue): boolean {
  const key = canonicalJson(token);
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** Whether pages are counted by the client, so that no page can lead back. */
function hasCount(pages: PaginationDescriptor): boolean {
  return pages.style === "offset" || pages.style === "page";
}

// ---- The next page ----

/** What the next page is asked for with; `null`: there is none. */
function nextOf(
  operation: AnyOperation,
  pages: PaginationDescriptor,
  given: unknown,
  at: JsonValue,
  answer: Typed,
  list: Typed,
  result: Ok<unknown>,
): JsonValue {
  const items: readonly unknown[] = Array.isArray(list.wire) ? list.wire : [];
  const more = pages.hasMoreField === undefined ? undefined : followDotted(answer, pages.hasMoreField)?.wire;
  if (more === false) return null;
  switch (pages.style) {
    case "cursor": {
      if (pages.responseField !== undefined) return cursor(followDotted(answer, pages.responseField)?.wire);
      if (items.length === 0 || pages.cursorItemField === undefined) return null;
      return cursor(followDotted(list, `${items.length - 1}.${pages.cursorItemField}`)?.wire);
    }
    case "offset":
      return items.length === 0 ? null : number(at ?? argument(operation, given, pages.offsetParam), 0) + items.length;
    case "page":
      return items.length === 0
        ? null
        : number(at ?? argument(operation, given, pages.pageParam), pages.firstPage ?? 1) + 1;
    case "link_header":
      return cursor(nextLink(result.meta.headers["link"]));
    case "link_field": {
      const link = followDotted(answer, pages.responseField)?.wire;
      return typeof link === "string" ? cursor(link) : null;
    }
  }
}

/** A cursor or link; null, nothing, false and empty text mean that there is none. */
function cursor(value: unknown): JsonValue {
  return value === undefined || value === "" || value === false ? null : (value as JsonValue);
}

function number(value: unknown, otherwise: number): number {
  const count = typeof value === "string" || typeof value === "bigint" ? Number(value) : value;
  return typeof count === "number" && Number.isFinite(count) ? count : otherwise;
}

/** The call of the page that `next` stands for. */
function requestOf(
  operation: AnyOperation,
  pages: PaginationDescriptor,
  given: unknown,
  next: JsonValue,
): { readonly args: unknown; readonly how?: How } {
  switch (pages.style) {
    case "link_header":
    case "link_field":
      return { args: given, how: { link: typeof next === "string" ? next : "" } };
    case "cursor":
      return { args: withArgument(operation, given, pages.requestParam, next) };
    case "offset":
      return { args: withArgument(operation, given, pages.offsetParam, next) };
    case "page":
      return { args: withArgument(operation, given, pages.pageParam, next) };
  }
}

/** What the caller gave for the argument of this wire name. */
function argument(operation: AnyOperation, given: unknown, name: string): unknown {
  if (!isMembers(given)) return undefined;
  const param = operation.params?.find((one) => isArgument(one) && one.name === name);
  if (param !== undefined) return member(given, param.key);
  const body = operation.body?.arg === undefined ? given : member(given, operation.body.arg);
  const schema = operation.body?.schema;
  return isMembers(body) && schema !== undefined ? member(body, nameOfWire(schema, name)) : undefined;
}

/** The arguments with one of them replaced: a parameter, or a field of the body by its wire name. */
function withArgument(operation: AnyOperation, given: unknown, name: string, value: JsonValue): Members {
  const args: Record<string, unknown> = isMembers(given) ? { ...given } : {};
  const param = operation.params?.find((one) => isArgument(one) && one.name === name);
  if (param !== undefined) {
    setMember(args, param.key, decode(param.schema, fitted(param.schema, value)));
    return args;
  }
  const arg = operation.body?.arg;
  if (arg === undefined) {
    const field = argumentsFrom(operation, Object.fromEntries([[name, value]]));
    for (const key of Object.keys(field)) setMember(args, key, field[key]);
    return args;
  }
  const body = member(args, arg);
  const path = name.split(".");
  setMember(args, arg, withField(isMembers(body) ? body : {}, operation.body?.schema ?? { kind: "any" }, path, value));
  return args;
}

function withField(body: Members, schema: Schema, path: readonly string[], value: JsonValue): Members {
  const [first = "", ...rest] = path;
  const name = nameOfWire(schema, first);
  const copy: Record<string, unknown> = { ...body };
  const inner = member(body, name);
  const below = rest.length === 0 ? value : withField(isMembers(inner) ? inner : {}, { kind: "any" }, rest, value);
  setMember(copy, name, below);
  return copy;
}

/** A cursor of the kind that the parameter takes: ids are numbers in one place and text in another. */
function fitted(schema: Schema, value: JsonValue): JsonValue {
  const kinds = kindsOf(schema);
  const takesText = kinds.includes("string");
  const takesNumbers = kinds.includes("integer") || kinds.includes("number");
  if ((typeof value === "number" || typeof value === "bigint") && takesText && !takesNumbers) return String(value);
  if (typeof value === "string" && takesNumbers && !takesText && /^-?\d{1,15}$/.test(value)) return Number(value);
  return value;
}

// ---- Failures ----

async function repeated(
  runtime: Runtime,
  operation: AnyOperation,
  page: Ok<unknown>,
  token: JsonValue,
): Promise<Failed> {
  return failed(runtime, operation, page, token, {
    expected: "another cursor than those of the pages before",
    remediation: "Read no further: the API leads back to a page that was read before.",
  });
}

async function unexpected(
  runtime: Runtime,
  operation: AnyOperation,
  page: Ok<unknown>,
  list: unknown,
): Promise<Failed> {
  const { itemsField } = operation.pagination ?? {};
  return failed(runtime, operation, page, list, {
    expected: itemsField === undefined ? "a list" : `a list at ${itemsField}`,
    remediation: "Report the response that does not match the API description.",
  });
}

async function failed(
  runtime: Runtime,
  operation: AnyOperation,
  page: Ok<unknown>,
  received: unknown,
  advice: { readonly expected: string; readonly remediation: string },
): Promise<Failed> {
  const scrub = scrubber(runtime.secrets);
  const result = failure(operation, scrub, {
    category: "UNEXPECTED_RESPONSE",
    http_status: page.meta.status,
    request_id: page.meta.requestId,
    received_value: receivedValue(received, scrub, new SensitiveFields(), []),
    ...advice,
    attempts: page.meta.attempts,
  });
  await runtime.hooks.diagnostic({ kind: "failure", operation: operation.id, error: result.error });
  return result;
}
