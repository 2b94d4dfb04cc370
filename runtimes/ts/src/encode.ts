// Writes parameters as OpenAPI's styles do (3.2, section 4.12; RFC 6570 for the percent-encoding) and joins path,
// query, headers and cookies from parts, each encoded once. Reads wire values; bodies are left to `body.ts`.

import { isMembers, isNumeric, jsonText } from "./json.js";
import type { Members } from "./json.js";
import type { ParamStyle } from "./descriptor.js";

/** How text is percent-encoded. */
export type Escape = (text: string) => string;

/** Everything but the unreserved characters of RFC 3986, section 2.3. */
export function escapeComponent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The same for text of any kind: halves of surrogate pairs, which have no encoding, are left out. */
export function escapeAnyText(text: string): string {
  return escapeComponent(text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, ""));
}

/** Leaves reserved characters and existing percent triplets as they are (RFC 6570, section 3.2.3). */
export function escapeKeepingReserved(text: string): string {
  const keep = /%[0-9A-Fa-f]{2}|[:/?#[\]@!$&'()*+,;=]|[^%:/?#[\]@!$&'()*+,;=]+|%/g;
  return text.replace(keep, (part) => (/^(?:%..|[:/?#[\]@!$&'()*+,;=])$/.test(part) ? part : escapeComponent(part)));
}

/** As above for a query value, where `#`, `&` and `+` would end the value or change its meaning. */
export function escapeQueryKeepingReserved(text: string): string {
  return escapeKeepingReserved(text).replace(/[#&+]/g, (char) => escapeComponent(char));
}

/** As above for a path segment, which `/`, `?` and `#` would end. */
export function escapeSegmentKeepingReserved(text: string): string {
  return escapeKeepingReserved(text).replace(/[/?#[\]]/g, (char) => escapeComponent(char));
}

/** As above for a cookie, which `;` and `,` would end. */
export function escapeCookieKeepingReserved(text: string): string {
  return escapeKeepingReserved(text).replace(/[;,]/g, (char) => escapeComponent(char));
}

/** Header and cookie values travel as they are; `fetch` and we check their characters. */
export const noEscape: Escape = (text) => text;

interface StyleForm {
  readonly first: string;
  readonly separator: string;
  readonly named: boolean;
  /** What follows the name of an empty value. */
  readonly ifEmpty: string;
  /** Between the items of one value that is not exploded. */
  readonly comma: string;
}

/** RFC 6570, appendix A, and the delimited styles. */
const STYLES: Readonly<Record<Exclude<ParamStyle, "deep_object">, StyleForm>> = {
  simple: { first: "", separator: ",", named: false, ifEmpty: "", comma: "," },
  label: { first: ".", separator: ".", named: false, ifEmpty: "", comma: "," },
  matrix: { first: ";", separator: ";", named: true, ifEmpty: "", comma: "," },
  form: { first: "", separator: "&", named: true, ifEmpty: "=", comma: "," },
  space_delimited: { first: "", separator: "&", named: true, ifEmpty: "=", comma: "%20" },
  pipe_delimited: { first: "", separator: "&", named: true, ifEmpty: "=", comma: "%7C" },
  cookie: { first: "", separator: "; ", named: true, ifEmpty: "=", comma: "," },
};

/** Text of one scalar; `null` for what counts as undefined (RFC 6570, section 2.3). Objects become JSON text. */
export function scalarText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value;
  if (isNumeric(value) || typeof value === "boolean") return String(value);
  const text = jsonText(value);
  return text.startsWith('"') ? text.slice(1, -1) : text;
}

/** One parameter to write. */
export interface StyledValue {
  readonly name: string;
  readonly value: unknown;
  readonly style: ParamStyle;
  readonly explode: boolean;
}

/** The pieces of a value: `name=value` pairs or bare values, each encoded; empty when there is nothing to write. */
export function styledPieces(param: StyledValue, escape: Escape): readonly string[] {
  const { name, value, style, explode } = param;
  if (style === "deep_object")
    return isMembers(value) ? deepPieces(name, value) : formPieces(name, value, true, escape);
  const form = STYLES[style];
  if (Array.isArray(value)) {
    const items = value.map(scalarText).filter((text) => text !== null);
    if (items.length === 0) return [];
    if (explode) return items.map((text) => (form.named ? pair(name, text, form, escape) : escape(text)));
    const joined = items.map(escape).join(form.comma);
    return [form.named ? `${escapeName(name, escape)}${joined === "" ? form.ifEmpty : `=${joined}`}` : joined];
  }
  if (isMembers(value)) return objectPieces(name, value, explode, form, escape);
  const text = scalarText(value);
  if (text === null) return [];
  return [form.named ? pair(name, text, form, escape) : escape(text)];
}

function formPieces(name: string, value: unknown, explode: boolean, escape: Escape): readonly string[] {
  return styledPieces({ name, value, style: "form", explode }, escape);
}

/** Names are never left with reserved characters: `allowReserved` is about values. */
function escapeName(name: string, escape: Escape): string {
  return escape === noEscape ? name : escapeComponent(name);
}

function pair(name: string, text: string, form: StyleForm, escape: Escape): string {
  const escaped = escape(text);
  return `${escapeName(name, escape)}${escaped === "" ? form.ifEmpty : `=${escaped}`}`;
}

function objectPieces(
  name: string,
  value: Members,
  explode: boolean,
  form: StyleForm,
  escape: Escape,
): readonly string[] {
  const pairs: [string, string][] = [];
  for (const key of Object.keys(value)) {
    const text = scalarText(value[key]);
    if (text !== null) pairs.push([key, text]);
  }
  if (pairs.length === 0) return [];
  if (explode) {
    return pairs.map(([key, text]) => (form.named ? pair(key, text, form, escape) : `${escape(key)}=${escape(text)}`));
  }
  const joined = pairs.map(([key, text]) => `${escape(key)}${form.comma}${escape(text)}`).join(form.comma);
  return [form.named ? `${escapeName(name, escape)}=${joined}` : joined];
}

/** `name[key]=value`, nested objects and arrays with further brackets. Walks with a stack: nesting is bounded anyway. */
function deepPieces(name: string, value: Members): readonly string[] {
  const pieces: string[] = [];
  const stack: { readonly prefix: string; readonly value: unknown }[] = [{ prefix: escapeComponent(name), value }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { prefix, value: at } = next;
    const entries: [string, unknown][] | null = Array.isArray(at)
      ? at.map((item: unknown, index) => [String(index), item])
      : isMembers(at)
        ? Object.entries(at)
        : null;
    if (entries === null) {
      const text = scalarText(at);
      if (text !== null) pieces.push(`${prefix}=${escapeComponent(text)}`);
      continue;
    }
    for (const [key, item] of entries.reverse()) {
      stack.push({ prefix: `${prefix}%5B${escapeComponent(key)}%5D`, value: item });
    }
  }
  return pieces;
}

/** A whole value with the separators of its style, for the path and for headers. */
export function styledText(param: StyledValue, escape: Escape): string {
  if (param.style === "deep_object") return styledPieces(param, escape).join("&");
  const pieces = styledPieces(param, escape);
  const form = STYLES[param.style];
  return pieces.length === 0 ? "" : form.first + pieces.join(form.separator);
}

/** Whether text may be a header value: no CR, LF or NUL, and nothing beyond ISO 8859-1, which `fetch` refuses. */
export function isHeaderValue(text: string): boolean {
  return !/[\r\n]|[^\u0001-\u00ff]/.test(text);
}

/** Whether text may stand in a `Cookie` header as it is: nothing that ends the pair or the line. */
export function isCookieText(text: string): boolean {
  return isHeaderValue(text) && !text.includes(";");
}

/** Whether text may be a header name (RFC 9110, section 5.6.2). */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
}

/** What became of a path template. */
export type PathResult =
  | { readonly path: string }
  /** The parameter that makes a segment empty or a dot segment, or that the template names and nobody gave. */
  | { readonly bad: string; readonly reason: "segment" | "unknown" };

/**
 * Fills a path template. `texts` holds the encoded text of each parameter by wire name. A segment that would become
 * empty, `.` or `..` is refused: URL parsing drops such segments, and the request would reach another resource.
 */
export function fillPath(template: string, texts: ReadonlyMap<string, string>): PathResult {
  const segments: string[] = [];
  for (const segment of template.split("/")) {
    let filled = "";
    let last: string | null = null;
    for (const [index, part] of segment.split(/\{([^{}]*)\}/).entries()) {
      if (index % 2 === 0) {
        filled += escapeLiteral(part);
        continue;
      }
      const text = texts.get(part);
      if (text === undefined) return { bad: part, reason: "unknown" };
      filled += text;
      last = part;
    }
    if (last !== null && /^(?:\.|%2e){0,2}$/i.test(filled)) return { bad: last, reason: "segment" };
    segments.push(filled);
  }
  return { path: segments.join("/") };
}

/** Literal text of a template: path characters (RFC 3986, section 3.3) and existing triplets stay. */
function escapeLiteral(text: string): string {
  return escapeKeepingReserved(text).replace(/[?#[\]]/g, (char) => escapeComponent(char));
}
