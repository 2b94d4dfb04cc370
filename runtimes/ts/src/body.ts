// Turns the body of a call into what is sent: JSON text, form text, multipart bytes, bytes or text. Reads wire values
// and the body's descriptor. The same bytes serve every attempt, so multipart bodies are laid out here, with one
// boundary a call, and not by `fetch`.

import { sha256Hex } from "./digest.js";
import type { BodyDescriptor, PartEncoding, RpcDescriptor } from "./descriptor.js";
import { escapeComponent, escapeQueryKeepingReserved, scalarText, styledPieces } from "./encode.js";
import { bytesOf, isMembers, jsonText, setMember } from "./json.js";

/** Binary data as an argument. */
export type Binary = Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array>;

/** A body that is ready to be sent. */
export interface EncodedBody {
  readonly contentType: string;
  readonly data: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;
  /** Wire form of the value, for previews and middleware. */
  readonly value: unknown;
}

/** The body of a method that takes no parameters. */
export const EMPTY_JSON: BodyDescriptor = {
  mediaType: "application/json",
  encoding: "json",
  schema: { kind: "any" },
};

/** The envelope of a method: its name, its parameters when there are any, and what is always the same. */
export function enveloped(rpc: RpcDescriptor, params: unknown): Record<string, unknown> {
  const envelope: Record<string, unknown> = {};
  setMember(envelope, rpc.field, rpc.value);
  for (const { name, value } of rpc.constants ?? []) setMember(envelope, name, value);
  if (rpc.params !== undefined && params !== undefined) setMember(envelope, rpc.params, params);
  return envelope;
}

/** Whether the body can be sent again, and read for a digest: a stream can do neither. */
export function isReplayable(body: EncodedBody): boolean {
  return !(body.data instanceof ReadableStream);
}

/** Hexadecimal SHA-256 of the bytes of a replayable body. */
export async function bodyDigest(body: EncodedBody): Promise<string> {
  const { data } = body;
  if (typeof data === "string") return sha256Hex(data);
  if (data instanceof Blob) return sha256Hex(new Uint8Array(await data.arrayBuffer()));
  return data instanceof ReadableStream ? "" : sha256Hex(data);
}

/**
 * Encodes a body. `boundary` is random text for a multipart body; `null` asks for one made from the content, so that
 * equal contents give equal bytes.
 */
export async function encodeBody(
  descriptor: BodyDescriptor,
  value: unknown,
  boundary: string | null,
): Promise<EncodedBody> {
  switch (descriptor.encoding) {
    case "json":
      return { contentType: concrete(descriptor.mediaType, "application/json"), data: jsonText(value), value };
    case "form":
      return { contentType: "application/x-www-form-urlencoded", data: formText(descriptor.parts ?? [], value), value };
    case "multipart":
      return multipart(descriptor, value, boundary);
    case "bytes": {
      const type = value instanceof Blob ? value.type : "";
      const fallback = type === "" ? "application/octet-stream" : type;
      return { contentType: concrete(descriptor.mediaType, fallback), data: binary(value), value };
    }
    case "text":
      return { contentType: concrete(descriptor.mediaType, "text/plain"), data: scalarText(value) ?? "", value };
  }
}

/** The first of the listed media types that has no wildcard. */
function concrete(mediaType: string | undefined, fallback: string): string {
  const types = (mediaType ?? "").split(",").map((type) => type.trim());
  return types.find((type) => type !== "" && !type.includes("*")) ?? fallback;
}

function isJsonType(mediaType: string | undefined): boolean {
  return mediaType !== undefined && /^[^;,]*[/+]json(?:;|$)/i.test(mediaType.trim());
}

function binary(value: unknown): EncodedBody["data"] {
  if (value instanceof Blob || value instanceof ReadableStream) return value as Blob | ReadableStream<Uint8Array>;
  const bytes = bytesOf(value);
  // A copy: the caller may change its buffer between two attempts.
  return bytes === null ? (scalarText(value) ?? "") : Uint8Array.from(bytes);
}

function partsByName(parts: readonly PartEncoding[]): ReadonlyMap<string, PartEncoding> {
  return new Map(parts.map((part) => [part.name ?? "", part]));
}

function entries(value: unknown): readonly [string, unknown][] {
  return isMembers(value) ? Object.entries(value).filter(([, item]) => item !== undefined) : [];
}

/** `application/x-www-form-urlencoded`: pairs as a query has them. */
export function formText(parts: readonly PartEncoding[], value: unknown): string {
  const encodings = partsByName(parts);
  const pieces: string[] = [];
  for (const [name, item] of entries(value)) {
    const part = encodings.get(name);
    const styled = part?.style !== undefined || part?.explode !== undefined || part?.allowReserved === true;
    if (!styled && (isMembers(item) || isJsonType(part?.contentType))) {
      pieces.push(`${escapeComponent(name)}=${escapeComponent(jsonText(item))}`);
      continue;
    }
    const style = part?.style ?? "form";
    const escape = part?.allowReserved === true ? escapeQueryKeepingReserved : escapeComponent;
    pieces.push(...styledPieces({ name, value: item, style, explode: part?.explode ?? style === "form" }, escape));
  }
  return pieces.join("&");
}

interface Part {
  /** Nothing for a part that is known by its place. */
  readonly name: string | null;
  readonly contentType: string | null;
  readonly fileName: string | null;
  readonly data: string | Uint8Array<ArrayBuffer> | Blob;
}

async function multipart(descriptor: BodyDescriptor, value: unknown, given: string | null): Promise<EncodedBody> {
  const parts = Array.isArray(value) ? await listParts(descriptor, value) : await memberParts(descriptor, value);
  const boundary = given ?? (await contentBoundary(parts));
  const chunks: (string | Uint8Array<ArrayBuffer> | Blob)[] = [];
  for (const { name, contentType, fileName, data } of parts) {
    const file = fileName === null ? "" : `; filename="${quoted(fileName)}"`;
    const disposition = name === null ? "" : `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n`;
    const type = contentType === null ? "" : `Content-Type: ${contentType}\r\n`;
    chunks.push(`--${boundary}\r\n${disposition}${type}\r\n`, data, "\r\n");
  }
  chunks.push(`--${boundary}--\r\n`);
  const mediaType = concrete(descriptor.mediaType, "multipart/form-data");
  return { contentType: `${mediaType}; boundary=${boundary}`, data: new Blob(chunks), value };
}

/** The items of a list, each a part that its place tells from the others (OpenAPI 3.2, section 4.15). */
async function listParts(descriptor: BodyDescriptor, value: readonly unknown[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const [index, item] of value.entries()) {
    const encoding = descriptor.prefixParts?.[index] ?? descriptor.itemPart;
    parts.push({ ...(await part("", item, encoding)), name: null });
  }
  return parts;
}

async function memberParts(descriptor: BodyDescriptor, value: unknown): Promise<Part[]> {
  const encodings = partsByName(descriptor.parts ?? []);
  const parts: Part[] = [];
  for (const [name, item] of entries(value)) {
    const encoding = encodings.get(name);
    const items: readonly unknown[] = Array.isArray(item) && !isJsonType(encoding?.contentType) ? item : [item];
    for (const one of items) parts.push(await part(name, one, encoding));
  }
  return parts;
}

async function part(name: string, value: unknown, encoding: PartEncoding | undefined): Promise<Part> {
  const declared = encoding?.contentType;
  if (value instanceof Blob) {
    const fileName = "name" in value && typeof value.name === "string" ? value.name : name;
    const own = headerSafe(value.type);
    const contentType = own === "" ? concrete(declared, "application/octet-stream") : own;
    return { name, contentType, fileName, data: value };
  }
  const bytes = value instanceof ReadableStream ? await readAll(value) : bytesOf(value);
  if (bytes !== null) {
    const contentType = concrete(declared, "application/octet-stream");
    return { name, contentType, fileName: name, data: Uint8Array.from(bytes) };
  }
  if (typeof value === "object" || isJsonType(declared)) {
    return { name, contentType: concrete(declared, "application/json"), fileName: null, data: jsonText(value) };
  }
  const contentType = declared === undefined ? null : concrete(declared, "text/plain");
  return { name, contentType, fileName: null, data: scalarText(value) ?? "" };
}

async function readAll(stream: ReadableStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

function headerSafe(text: string): string {
  return text.replace(/[\r\n\0]/g, "");
}

/** A name inside quotes (WHATWG HTML, "multipart/form-data encoding algorithm"). */
function quoted(text: string): string {
  return text
    .replace(/\r\n|\r|\n/g, "%0D%0A")
    .replaceAll('"', "%22")
    .replaceAll("\0", "");
}

/** A boundary that cannot occur in the content, since it depends on all of it. */
async function contentBoundary(parts: readonly Part[]): Promise<string> {
  const digests: string[] = [];
  for (const { name, contentType, fileName, data } of parts) {
    const content = data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data;
    digests.push(JSON.stringify([name, contentType, fileName, await sha256Hex(content)]));
  }
  return `tungsten-${(await sha256Hex(digests.join("\n"))).slice(0, 40)}`;
}
