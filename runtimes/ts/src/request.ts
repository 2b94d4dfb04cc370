// Builds the request of a call from its parts: base URL, path, query pairs, headers, cookies. Each part is encoded
// once. Also renders it with secrets redacted, for previews and middleware. Sends nothing.

import { paramFault } from "./args.js";
import type { ArgumentFault, CheckedArguments } from "./args.js";
import type { AppliedAuth } from "./auth.js";
import { formText } from "./body.js";
import type { EncodedBody } from "./body.js";
import type { AnyOperation } from "./classify.js";
import type { ApiDescriptor, ParamDescriptor, ParamStyle } from "./descriptor.js";
import {
  escapeComponent,
  escapeCookieKeepingReserved,
  escapeQueryKeepingReserved,
  escapeSegmentKeepingReserved,
  fillPath,
  isCookieText,
  isHeaderName,
  isHeaderValue,
  noEscape,
  scalarText,
  styledPieces,
  styledText,
} from "./encode.js";
import type { Escape } from "./encode.js";
import { jsonText, setMember } from "./json.js";
import { isSecretName, REDACTED } from "./redact.js";
import type { Scrub, SensitiveFields } from "./redact.js";
import type { WireRequest } from "./transport.js";

/** One query pair, encoded, and how it may be shown. */
interface QueryPiece {
  readonly text: string;
  readonly shown: string;
}

/** Parameters in their places. */
export interface RenderedParams {
  readonly path: string;
  readonly query: readonly QueryPiece[];
  readonly headers: readonly { readonly name: string; readonly value: string; readonly secret: boolean }[];
  readonly cookies: readonly string[];
}

/** Fault of the descriptor itself: it names what it does not have. */
export interface DescriptorFault {
  readonly descriptorFault: string;
}

/** Writes all parameters, or says which one cannot be written. */
export function renderParams(
  operation: AnyOperation,
  args: CheckedArguments,
  sensitive: SensitiveFields,
): RenderedParams | ArgumentFault | DescriptorFault {
  const texts = new Map<string, string>();
  const query: QueryPiece[] = [];
  const headers: { name: string; value: string; secret: boolean }[] = [];
  const cookies: string[] = [];
  for (const { name, value } of operation.query ?? []) {
    const text = value === "" ? escapeComponent(name) : `${escapeComponent(name)}=${escapeComponent(value)}`;
    query.push({ text, shown: text });
  }
  for (const { param, value } of withConstants(operation, args)) {
    const secret = param.sensitive === true || sensitive.covers([param.name]);
    try {
      const fault = place(param, value, secret, { texts, query, headers, cookies });
      if (fault !== null) return fault;
    } catch (error) {
      if (!(error instanceof URIError)) throw error;
      return paramFault(param, "well-formed Unicode text", value);
    }
  }
  const filled = fillPath(operation.path, texts);
  if ("path" in filled) return { path: filled.path, query, headers, cookies };
  if (filled.reason === "unknown") return { descriptorFault: `a value for {${filled.bad}} of the path` };
  const bad = args.params.find(({ param }) => param.in === "path" && param.name === filled.bad);
  if (bad === undefined) return { descriptorFault: `a constant that is a path segment for {${filled.bad}}` };
  return paramFault(bad.param, 'text that is a path segment (not empty, "." or "..")', bad.value);
}

function withConstants(operation: AnyOperation, args: CheckedArguments): CheckedArguments["params"] {
  const constants = (operation.params ?? []).flatMap((param) =>
    param.role === "constant" && param.constant !== undefined ? [{ param, value: param.constant as unknown }] : [],
  );
  return constants.length === 0 ? args.params : [...args.params, ...constants];
}

interface Places {
  readonly texts: Map<string, string>;
  readonly query: QueryPiece[];
  readonly headers: { name: string; value: string; secret: boolean }[];
  readonly cookies: string[];
}

const DEFAULT_STYLE: Readonly<Record<ParamDescriptor["in"], ParamStyle>> = {
  path: "simple",
  header: "simple",
  query: "form",
  cookie: "form",
  querystring: "form",
};

function place(param: ParamDescriptor, value: unknown, secret: boolean, places: Places): ArgumentFault | null {
  const style = param.style ?? DEFAULT_STYLE[param.in];
  const content = param.mediaType !== undefined;
  // Described by `content`: the value travels as text of that media type, not in a style.
  const text = content ? contentText(param.mediaType, value) : value;
  const explode = !content && (param.explode ?? (style === "form" || style === "cookie"));
  const styled = { name: param.name, value: text, style: content ? DEFAULT_STYLE[param.in] : style, explode };
  switch (param.in) {
    case "path":
      if (value === null) return paramFault(param, "a value that is not null", value);
      places.texts.set(
        param.name,
        styledText(styled, param.allowReserved === true ? escapeSegmentKeepingReserved : escapeComponent),
      );
      return null;
    case "query": {
      const escape: Escape = param.allowReserved === true ? escapeQueryKeepingReserved : escapeComponent;
      for (const piece of styledPieces(styled, escape)) {
        const name = piece.split("=")[0] ?? "";
        places.query.push({ text: piece, shown: secret || isSecretName(name) ? `${name}=${REDACTED}` : piece });
      }
      return null;
    }
    case "header": {
      if (value === null) return null;
      const header = styledText(styled, noEscape);
      if (!isHeaderValue(header)) return paramFault(param, "header text: one line of ISO 8859-1 characters", value);
      places.headers.push({ name: param.name, value: header, secret });
      return null;
    }
    case "cookie": {
      const raw = style === "cookie" && !content;
      const escape: Escape = param.allowReserved === true ? escapeCookieKeepingReserved : escapeComponent;
      const pieces = styledPieces(styled, raw ? noEscape : escape);
      if (!pieces.every(isCookieText)) return paramFault(param, "cookie text: one line without a semicolon", value);
      places.cookies.push(...pieces);
      return null;
    }
    case "querystring": {
      const whole = wholeQuery(param, value);
      if (whole !== "") places.query.push({ text: whole, shown: secret ? REDACTED : whole });
      return null;
    }
  }
}

/** A value that is all of the query string: a form as pairs, anything else as the text of its media type. */
function wholeQuery(param: ParamDescriptor, value: unknown): string {
  const mediaType = param.mediaType ?? "";
  if (/^application\/x-www-form-urlencoded(?:;|$)/i.test(mediaType.trim())) return formText(param.parts ?? [], value);
  const text = contentText(mediaType, value);
  return param.allowReserved === true ? escapeQueryKeepingReserved(text) : escapeComponent(text);
}

function contentText(mediaType: string | undefined, value: unknown): string {
  const json = /[/+]json(?:;|$)/i.test(mediaType ?? "");
  return json || typeof value !== "string" ? jsonText(value) : value;
}

/** The base URL of an operation without a final slash; `null` when there is no usable one. */
export function baseUrl(operation: AnyOperation, api: ApiDescriptor, given: string | undefined): string | null {
  const text = given ?? operation.servers?.[0] ?? api.servers[0];
  if (text === undefined) return null;
  try {
    // In a browser a relative server stands on the page's address.
    const page = (globalThis as { location?: { href?: string } }).location?.href;
    const url = page === undefined ? new URL(text) : new URL(text, page);
    const odd = url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "";
    if (odd || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
    return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  } catch {
    return null;
  }
}

/** Name of the first header that cannot be sent; `null` when all can. */
export function badHeader(headers: Readonly<Record<string, string>> | undefined): string | null {
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (!isHeaderName(name) || typeof value !== "string" || !isHeaderValue(value)) return name;
  }
  return null;
}

/** The value of a header in sets from weak to strong, whatever the case of its name. */
export function statedHeader(
  name: string,
  sets: readonly (Readonly<Record<string, string>> | undefined)[],
): string | undefined {
  const values = sets.flatMap((set) => Object.entries(set ?? {})).filter(([key]) => key.toLowerCase() === name);
  return values.at(-1)?.[1];
}

/** The parts of a request. */
export interface RequestParts {
  readonly operation: AnyOperation;
  readonly base: string;
  readonly params: RenderedParams;
  readonly auth: AppliedAuth;
  readonly body: EncodedBody | null;
  readonly key: { readonly header: string; readonly value: string } | null;
  /** From weak to strong: a later one replaces an earlier one of the same name. */
  readonly headers: readonly (Readonly<Record<string, string>> | undefined)[];
  /** Replaces whatever the call says under that name: a preview must never become the call itself. */
  readonly dryRun?: { readonly header: string; readonly value: string } | undefined;
}

/** A request and how it may be shown. */
export interface BuiltRequest {
  readonly wire: WireRequest;
  readonly shownUrl: string;
  /** Lower-case names of headers that hold credentials or sensitive values. */
  readonly secretHeaders: ReadonlySet<string>;
}

/** Joins the parts. */
export function buildRequest(parts: RequestParts, scrub: Scrub): BuiltRequest {
  const { operation, params, auth, body, key } = parts;
  const headers = new Map<string, string>();
  const secretHeaders = new Set<string>(["cookie", "authorization"]);
  for (const set of parts.headers) {
    for (const [name, value] of Object.entries(set ?? {})) headers.set(name.toLowerCase(), value);
  }
  for (const { name, value, secret } of params.headers) {
    headers.set(name.toLowerCase(), value);
    if (secret) secretHeaders.add(name.toLowerCase());
  }
  if (body !== null) headers.set("content-type", body.contentType);
  if (key !== null) headers.set(key.header.toLowerCase(), key.value);
  for (const [name, value] of auth.headers) {
    headers.set(name, value);
    if (name !== "origin") secretHeaders.add(name);
  }
  supplyOrigin(operation, parts.base, headers);
  if (parts.dryRun !== undefined) headers.set(parts.dryRun.header.toLowerCase(), parts.dryRun.value);
  const cookies = [...params.cookies, ...auth.cookies.map(([name, value]) => `${name}=${value}`)];
  const given = headers.get("cookie");
  if (cookies.length > 0) headers.set("cookie", [...(given === undefined ? [] : [given]), ...cookies].join("; "));
  const credentials = auth.query.map(([name, value]) => ({
    text: `${escapeComponent(name)}=${escapeComponent(value)}`,
    shown: `${escapeComponent(name)}=${REDACTED}`,
  }));
  const query = [...params.query, ...credentials];
  const address = parts.base + params.path;
  const search = (pieces: readonly string[]): string => (pieces.length === 0 ? "" : `?${pieces.join("&")}`);
  return {
    wire: {
      method: operation.method,
      url: address + search(query.map((piece) => piece.text)),
      headers: plainHeaders(headers),
      body: body?.data ?? null,
    },
    shownUrl:
      scrub(address) + search(query.map((piece) => (piece.shown === piece.text ? scrub(piece.shown) : piece.shown))),
    secretHeaders,
  };
}

function plainHeaders(headers: ReadonlyMap<string, string>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of headers) setMember(plain, name, value);
  return plain;
}

/** An `Origin` parameter is filled from the credentials or headers, else, when required, from the base URL. */
function supplyOrigin(operation: AnyOperation, base: string, headers: Map<string, string>): void {
  const param = operation.params?.find(({ role }) => role === "origin");
  if (param?.required !== true || headers.has(param.name.toLowerCase())) return;
  headers.set(param.name.toLowerCase(), new URL(base).origin);
}

/** Methods that the Fetch standard refuses. */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"]);

/**
 * What the descriptor or the credentials' names have in them that no request can carry; `null` when it can be sent.
 * `fetch` would throw, and a request that was never sent must not look like one that was lost.
 */
export function unsendable(wire: WireRequest): string | null {
  if (!isHeaderName(wire.method) || FORBIDDEN_METHODS.has(wire.method.toUpperCase()))
    return "a method that fetch can send";
  for (const [name, value] of Object.entries(wire.headers)) {
    if (!isHeaderName(name)) return `a header name instead of ${JSON.stringify(name)}`;
    if (!isHeaderValue(value)) return `one line of ISO 8859-1 text in the header ${name}`;
  }
  return URL.canParse(wire.url) ? null : "a path that makes a URL";
}

/** Text for a header: as it is where possible, else percent-encoded. */
export function headerText(text: string): string {
  return isHeaderValue(text) ? text : escapeComponent(text);
}

/** Media types that an operation's successes have, for `Accept`. Event streams only when there is nothing else. */
export function acceptHeader(operation: AnyOperation): string | null {
  const types = new Set<string>();
  for (const row of operation.responses) {
    if (row.kind === "success" && row.mediaType !== undefined) types.add(row.mediaType);
  }
  const plain = [...types].filter((type) => !type.toLowerCase().startsWith("text/event-stream"));
  const chosen = plain.length > 0 ? plain : [...types];
  return chosen.length === 0 ? null : chosen.filter(isHeaderValue).join(", ");
}

/**
 * The caller's `Accept` with one more media type: first, unless one of its media ranges is that type already. Repeated
 * ranges are left out.
 */
export function mergedAccept(mediaType: string, given: string | undefined): string {
  const ranges = (given?.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? []).map((range) => range.trim());
  const merged = new Map<string, string>();
  for (const range of ranges) {
    const name = rangeName(range);
    if (name !== "" && !merged.has(name)) merged.set(name, range);
  }
  const names = [...merged.keys()];
  const wanted = rangeName(mediaType).split(";")[0] ?? "";
  const isNamed = names.some((name) => name.split(";")[0] === wanted);
  return [...(isNamed ? [] : [mediaType]), ...merged.values()].join(", ");
}

/** What a media range accepts: in lower case, without its weight. */
function rangeName(range: string): string {
  return range
    .split(";")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/^q\s*=/.test(part))
    .join(";");
}

/** Text of a value inside a message. */
export function messageText(value: unknown): string {
  return scalarText(value) ?? "null";
}
