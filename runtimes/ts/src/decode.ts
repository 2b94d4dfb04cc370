// Reads the body of an answer: which described response it is, and its value. Reads bytes and headers; whether the
// value has the described type is `validate.ts`'s business.

import { narrow } from "./codec.js";
import type { ResponseDescriptor } from "./descriptor.js";
import { parseJson } from "./exact.js";
import type { Schema } from "./schema.js";

/** A media type without parameters, in lower case; empty when the header is absent. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Whether a media type is JSON or built on it (RFC 6839, section 3.1). */
export function isJsonMedia(mediaType: string): boolean {
  return mediaType === "application/json" || mediaType === "text/json" || /^[^/]+\/.+\+json$/.test(mediaType);
}

/** Body text: UTF-8, or the charset that the content type names where the platform knows it. */
export function bodyText(bytes: Uint8Array, contentType: string | undefined): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1];
  try {
    return new TextDecoder(charset ?? "utf-8").decode(bytes);
  } catch {
    // A charset that nobody knows: UTF-8 is the best guess.
    return new TextDecoder().decode(bytes);
  }
}

/**
 * JSON of a text, which throws when it is none. Integers keep their digits (`exact.ts`), except where the schema has a
 * number: a double was meant there.
 */
function jsonValue(text: string, schema?: Schema): unknown {
  const { value, large } = parseJson(text);
  return large && schema !== undefined ? narrow(schema, value) : value;
}

/** JSON of a body; `undefined` when it is none. */
export function bodyJson(bytes: Uint8Array, schema?: Schema): unknown {
  try {
    return jsonValue(new TextDecoder("utf-8", { fatal: true }).decode(bytes), schema);
  } catch {
    return undefined;
  }
}

/**
 * The row for an answer's media type: the exact type, else a range, else any JSON row for a JSON type. An answer
 * without a content type is taken for the first row. `undefined`: none fits.
 */
export function rowFor(rows: readonly ResponseDescriptor[], mediaType: string): ResponseDescriptor | undefined {
  const described = rows.filter((row) => row.mediaType !== undefined);
  if (mediaType === "") return described[0];
  const type = mediaType.split("/")[0] ?? "";
  const ranges = [`${type}/*`, "*/*", "*"];
  return (
    described.find((row) => mediaTypeOf(row.mediaType) === mediaType) ??
    described.find((row) => mediaTypeOf(row.mediaType) === ranges[0]) ??
    described.find((row) => ranges.includes(mediaTypeOf(row.mediaType))) ??
    (isJsonMedia(mediaType) ? described.find((row) => row.encoding === "json") : undefined)
  );
}

/** A decoded body, or what was expected instead. */
export type Decoded = { readonly value: unknown } | { readonly expected: string };

/** Decodes a body by the encoding of its row. */
export function decodeBody(row: ResponseDescriptor, bytes: Uint8Array, contentType: string | undefined): Decoded {
  switch (row.encoding ?? encodingOf(mediaTypeOf(row.mediaType), mediaTypeOf(contentType))) {
    case "json": {
      const value = bodyJson(bytes, row.schema);
      return value === undefined ? { expected: "a JSON body" } : { value };
    }
    case "jsonl":
      return decodeLines(bodyText(bytes, contentType), row.schema);
    case "json_seq":
      return decodeSequence(bodyText(bytes, contentType), row.schema);
    case "form":
      return { value: formMembers(bodyText(bytes, contentType)) };
    case "text":
    case "sse":
      return { value: bodyText(bytes, contentType) };
    default:
      return { value: bytes };
  }
}

/** Encoding by media type, for a row that states none. */
function encodingOf(row: string, answer: string): "json" | "text" | "form" | "bytes" {
  const mediaType = row === "" || row.includes("*") ? answer : row;
  if (isJsonMedia(mediaType)) return "json";
  if (mediaType === "application/x-www-form-urlencoded") return "form";
  return mediaType.startsWith("text/") ? "text" : "bytes";
}

/** JSON texts, each after a record separator (RFC 7464). A text that was cut short is an error, not an item less. */
function decodeSequence(text: string, schema?: Schema): Decoded {
  const values: unknown[] = [];
  for (const record of text.split("\u001e")) {
    if (record.trim() === "") continue;
    try {
      values.push(jsonValue(record, schema));
    } catch {
      return { expected: "JSON values, each after a record separator" };
    }
  }
  return { value: values };
}

function decodeLines(text: string, schema?: Schema): Decoded {
  const values: unknown[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    try {
      values.push(jsonValue(line, schema));
    } catch {
      return { expected: "one JSON value a line" };
    }
  }
  return { value: values };
}

function formMembers(text: string): Record<string, string | string[]> {
  const members = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = members.get(name);
    members.set(name, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]);
  }
  // `fromEntries` defines own members, also one called `__proto__`.
  return Object.fromEntries(members);
}
