// The entry `./webhooks`: reads a request that the API sent. Verifies its signature over the bytes that arrived, in constant
// time and within a window of time, then decodes and checks its body like the body of an answer. Nothing throws for what
// a request says. Pure but for WebCrypto; the clock can be passed in.

import { pathText } from "./args.js";
import { decode } from "./codec.js";
import { decodeBody, mediaTypeOf } from "./decode.js";
import { base64Url, equalInConstantTime, hex } from "./digest.js";
import { envelope } from "./envelope.js";
import type { Envelope, EnvelopeParts } from "./envelope.js";
import { MAX_DEPTH, nestsDeeperThan } from "./json.js";
import { receivedValue, SensitiveFields } from "./redact.js";
import type { BodyEncoding } from "./descriptor.js";
import type { Schema } from "./schema.js";
import { remember } from "./unknown.js";
import { validate } from "./validate.js";

/** A webhook or a callback of an API. `Payload` exists for the type checker only. */
export interface WebhookDescriptor<Payload = unknown> {
  /** `<namespace>.<operation id>`. */
  readonly id: string;
  readonly kind: "webhook" | "callback";
  /** The name that the description gives it. */
  readonly name: string;
  /** Of a callback: the operation that asks for it. */
  readonly operation?: string;
  /** Upper case. */
  readonly method: string;
  /** Absent: the request has no body. */
  readonly mediaType?: string;
  readonly encoding?: BodyEncoding | "jsonl" | "json_seq" | "sse";
  readonly required?: true;
  readonly schema?: Schema;
  /** Never present: carries the type parameter. */
  readonly "~payload"?: Payload;
}

/** The payload of a webhook: `WebhookPayload<typeof petSold>`. */
export type WebhookPayload<D> = D extends WebhookDescriptor<infer Payload> ? Payload : never;

/** The body exactly as it arrived: what was parsed and written again has another signature. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** A request that arrived: one of the Fetch standard, or its headers and its body. */
export type WebhookRequest =
  | Request
  | {
      readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
      readonly body: WebhookBody;
    };

/** What a request brought. */
export type WebhookResult<Payload> =
  | {
      readonly ok: true;
      readonly value: Payload;
      /** Id of the message: the same for each delivery, so remember it to ignore repeats; `null`: none is signed. */
      readonly id: string | null;
      /** When it was sent, in epoch milliseconds; `null`: that is not signed. */
      readonly timestamp: number | null;
    }
  | {
      readonly ok: false;
      readonly error: Envelope;
      /** The status to answer with. */
      readonly status: 400 | 401 | 500;
    };

/** A signature that is fine, and what it covers beside the body. */
export interface Verified {
  readonly id: string | null;
  readonly timestamp: number | null;
}

/** Why a request is not believed. */
export interface Unverified {
  /** `WEBHOOK_MISCONFIGURED` is the receiver's fault, the others are the sender's. */
  readonly code:
    | "WEBHOOK_SIGNATURE_MISSING"
    | "WEBHOOK_SIGNATURE_WRONG"
    | "WEBHOOK_TIMESTAMP_WRONG"
    | "WEBHOOK_TIMESTAMP_OUT_OF_WINDOW"
    | "WEBHOOK_MISCONFIGURED";
  readonly expected: string;
}

/** Checks who sent a request. `header` reads one by its lower-case name. */
export type WebhookVerifier = (
  header: (name: string) => string | null,
  body: Uint8Array<ArrayBuffer>,
) => Promise<Verified | Unverified>;

/** How far the time of a message may be from the receiver's, in milliseconds: five minutes, as Standard Webhooks says. */
const DEFAULT_TOLERANCE_MS = 300_000;

/** A window of time, against requests that somebody recorded and sends again. */
export interface WindowOptions {
  /** How far the time of a message may be from now, in both directions; default 300,000. */
  readonly toleranceMs?: number;
  /** Clock in epoch milliseconds. */
  readonly now?: () => number;
}

/** Options of `standardWebhook`. */
export interface StandardWebhookOptions extends WindowOptions {
  /** `whsec_…`; several while they are being replaced. */
  readonly secret: string | readonly string[];
}

/**
 * Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`, whose entries are `v1,<signature>`. Any of
 * several entries may fit any of several secrets; entries of other versions are ignored.
 */
export function standardWebhook(options: StandardWebhookOptions): WebhookVerifier {
  const keys = list(options.secret).map(standardKey);
  return async (header, body) => {
    const usable = keys.filter((key) => key !== null);
    if (usable.length < keys.length || usable.length === 0) {
      return { code: "WEBHOOK_MISCONFIGURED", expected: "a secret: whsec_ and base64" };
    }
    const [id, time, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header);
    if (!id || !time || !signatures) {
      const expected = "the headers webhook-id, webhook-timestamp and webhook-signature";
      return { code: "WEBHOOK_SIGNATURE_MISSING", expected };
    }
    const timestamp = timeIn(time, 1000, options);
    if (typeof timestamp !== "number") return timestamp;
    const given = signatures.split(" ").flatMap((entry) => (entry.startsWith("v1,") ? [entry.slice(3)] : []));
    const content = joined([`${id}.${time}.`, body]);
    const right = await Promise.all(usable.map((key) => hmac("sha256", key, content)));
    return matches(given, right.map(standardBase64)) ? { id, timestamp } : WRONG;
  };
}

function standardKey(secret: string): Uint8Array<ArrayBuffer> | null {
  const text = typeof secret === "string" ? secret.replace(/^whsec_/, "") : "";
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Options of `hmacWebhook`. */
export interface HmacWebhookOptions {
  /** Text, or the bytes of the key; several while they are being replaced. */
  readonly secret: string | Uint8Array | readonly (string | Uint8Array)[];
  /** The header that holds the signature. */
  readonly header: string;
  /** Default `sha256`. */
  readonly algorithm?: "sha1" | "sha256" | "sha512";
  /** Default `hex`. */
  readonly encoding?: "hex" | "base64" | "base64url";
  /** Text before the signature, such as `sha256=`. */
  readonly prefix?: string;
  /** The header that holds the time of the message; it must be among what is signed. */
  readonly timestamp?: WindowOptions & {
    readonly header: string;
    /** Default `s`. */
    readonly unit?: "s" | "ms";
  };
  /** The header that holds the id of the message. */
  readonly id?: { readonly header: string };
  /** What is signed, with `{body}`, `{timestamp}` and `{id}` in their places; default `{body}`. */
  readonly content?: string;
}

/** A plain HMAC in a header. */
export function hmacWebhook(options: HmacWebhookOptions): WebhookVerifier {
  const { algorithm = "sha256", encoding = "hex", prefix = "", content = "{body}", timestamp: time } = options;
  const keys = list(options.secret).map((secret) =>
    typeof secret === "string" ? utf8.encode(secret) : secret.slice(),
  );
  const fault = hmacFault(options, keys);
  return async (header, body) => {
    if (fault !== null) return { code: "WEBHOOK_MISCONFIGURED", expected: fault };
    const given = header(options.header.toLowerCase());
    const at = time === undefined ? null : header(time.header.toLowerCase());
    const id = options.id === undefined ? null : header(options.id.header.toLowerCase());
    if (!given || (time !== undefined && !at) || (options.id !== undefined && !id)) {
      const names = [
        options.header,
        ...(time === undefined ? [] : [time.header]),
        ...(options.id === undefined ? [] : [options.id.header]),
      ];
      return { code: "WEBHOOK_SIGNATURE_MISSING", expected: `the headers ${names.join(", ")}` };
    }
    const timestamp = time === undefined || at === null ? null : timeIn(at, time.unit === "ms" ? 1 : 1000, time);
    if (timestamp !== null && typeof timestamp !== "number") return timestamp;
    if (!given.startsWith(prefix)) return WRONG;
    const pieces = content.split(/(\{body\}|\{timestamp\}|\{id\})/).map((piece) => {
      if (piece === "{body}") return body;
      return piece === "{timestamp}" ? (at ?? "") : piece === "{id}" ? (id ?? "") : piece;
    });
    const signed = joined(pieces);
    const right = await Promise.all(keys.map((key) => hmac(algorithm, key, signed)));
    const text = given.slice(prefix.length);
    const written = encoding === "hex" ? text.toLowerCase() : text;
    const isSigned = (name: string): boolean => content.includes(name);
    if (!matches([written], right.map(ENCODE[encoding]))) return WRONG;
    return { id: isSigned("{id}") ? id : null, timestamp };
  };
}

function hmacFault(options: HmacWebhookOptions, keys: readonly Uint8Array[]): string | null {
  const { algorithm = "sha256", encoding = "hex", content = "{body}", timestamp, header } = options;
  if (keys.length === 0 || keys.some((key) => key.length === 0)) return "a secret that is not empty";
  if (typeof header !== "string" || header === "") return "the name of the header that holds the signature";
  if (!Object.hasOwn(HASHES, algorithm)) return "one of the algorithms sha1, sha256 and sha512";
  if (!Object.hasOwn(ENCODE, encoding)) return "one of the encodings hex, base64 and base64url";
  if (!content.includes("{body}")) return "a content that contains {body}";
  // A time that is not signed could be replaced by whoever recorded the message.
  if (timestamp !== undefined && !content.includes("{timestamp}")) return "a content that contains {timestamp}";
  return null;
}

/**
 * Reads a request: verifies it, decodes its body and checks it against the description. `value` has TypeScript names.
 * Values that an enumeration does not list are delivered as they came, like those of responses.
 */
export async function readWebhook<Payload>(
  webhook: WebhookDescriptor<Payload>,
  verifier: WebhookVerifier,
  request: WebhookRequest,
): Promise<WebhookResult<Payload>> {
  try {
    const body = await bytesOf(request);
    const header = headerOf(request);
    const verified = await verifier(header, body);
    if ("code" in verified) return unverified(webhook, verified);
    const read = payloadOf(webhook, body, header("content-type"));
    if ("error" in read) return read;
    return { ok: true, value: read.value as Payload, id: verified.id, timestamp: verified.timestamp };
  } catch {
    const expected = "headers and a body that were not read before";
    return failed(webhook, 400, {
      category: "MALFORMED_REQUEST",
      expected,
      remediation: "Pass the request as it arrived.",
    });
  }
}

type Refused = WebhookResult<never> & { readonly ok: false };

function payloadOf(
  webhook: WebhookDescriptor,
  body: Uint8Array<ArrayBuffer>,
  contentType: string | null,
): { readonly value: unknown } | Refused {
  const { mediaType, encoding, schema, required } = webhook;
  if (mediaType === undefined || (body.length === 0 && required !== true)) return { value: undefined };
  const row = { status: 200, kind: "success", mediaType, ...(encoding === undefined ? {} : { encoding }) } as const;
  const decoded = decodeBody(row, body, contentType ?? mediaTypeOf(mediaType));
  if ("expected" in decoded) return invalid(webhook, "body", decoded.expected, null);
  if (schema === undefined) return decoded;
  if (nestsDeeperThan(decoded.value, MAX_DEPTH)) {
    return invalid(webhook, "body", `nesting of at most ${MAX_DEPTH} levels`, null);
  }
  const issues = validate(schema, decoded.value, "response");
  for (const { unknown } of issues) if (unknown !== undefined) remember(unknown);
  // Values that are not listed are delivered: a newer API must not lose its messages.
  const issue = issues.find(({ unknown }) => unknown === undefined);
  if (issue === undefined) return { value: decode(schema, decoded.value) };
  const received = receivedValue(issue.received, (text) => text, new SensitiveFields(), issue.path);
  return invalid(webhook, `body${pathText(issue.path)}`, issue.expected, received);
}

function invalid(
  webhook: WebhookDescriptor,
  parameter: string,
  expected: string,
  received: Envelope["received_value"],
): Refused {
  return failed(webhook, 400, {
    category: "VALIDATION_FAILED",
    failed_parameter: parameter,
    received_value: received,
    expected,
    remediation: "Report the payload that does not match the API description; the sender is who it says.",
  });
}

const REMEDIATION: Readonly<Record<Unverified["code"], string>> = {
  WEBHOOK_SIGNATURE_MISSING: "Refuse the request: it is not signed.",
  WEBHOOK_SIGNATURE_WRONG:
    "Refuse the request. If it does come from the API, check the secret, and that the body is passed as it arrived.",
  WEBHOOK_TIMESTAMP_WRONG: "Refuse the request: its time cannot be read.",
  WEBHOOK_TIMESTAMP_OUT_OF_WINDOW:
    "Refuse the request: it may be a repeat. Check this machine's clock if all are refused.",
  WEBHOOK_MISCONFIGURED: "Correct the options of the verifier.",
};

function unverified(webhook: WebhookDescriptor, { code, expected }: Unverified): Refused {
  const own = code === "WEBHOOK_MISCONFIGURED";
  const parts = { category: "AUTH_FAILED", code, expected, remediation: REMEDIATION[code] } as const;
  return failed(webhook, own ? 500 : 401, parts);
}

function failed(
  webhook: WebhookDescriptor,
  status: Refused["status"],
  parts: Omit<EnvelopeParts, "operation">,
): Refused {
  return { ok: false, error: envelope({ operation: webhook.id, ...parts }), status };
}

const WRONG: Unverified = { code: "WEBHOOK_SIGNATURE_WRONG", expected: "a signature of this body by a known secret" };

/** The time of a message in milliseconds, when it is near enough to now. */
function timeIn(text: string, unitMs: number, { toleranceMs, now }: WindowOptions): number | Unverified {
  if (!/^\d{1,15}$/.test(text)) return { code: "WEBHOOK_TIMESTAMP_WRONG", expected: "a time as a number" };
  const time = Number(text) * unitMs;
  const tolerance = toleranceMs ?? DEFAULT_TOLERANCE_MS;
  const distance = Math.abs((now ?? Date.now)() - time);
  return distance <= tolerance
    ? time
    : { code: "WEBHOOK_TIMESTAMP_OUT_OF_WINDOW", expected: `a time within ${tolerance} ms of now` };
}

/** Whether any given signature is right. All pairs are compared, so that time does not tell which one is. */
function matches(given: readonly string[], right: readonly string[]): boolean {
  let some = false;
  for (const one of given) for (const other of right) some = equalInConstantTime(one, other) || some;
  return some;
}

const utf8 = new TextEncoder();

const HASHES = { sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" } as const;

const ENCODE: Readonly<Record<"hex" | "base64" | "base64url", (bytes: Uint8Array) => string>> = {
  hex,
  base64: standardBase64,
  base64url: base64Url,
};

function standardBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

async function hmac(
  algorithm: keyof typeof HASHES,
  key: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const parameters = { name: "HMAC", hash: HASHES[algorithm] };
  const imported = await crypto.subtle.importKey("raw", key, parameters, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, content));
}

function joined(pieces: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const parts = pieces.map((piece) => (typeof piece === "string" ? utf8.encode(piece) : piece));
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function list<T>(one: T | readonly T[]): readonly T[] {
  return Array.isArray(one) ? (one as readonly T[]) : [one as T];
}

async function bytesOf(request: WebhookRequest): Promise<Uint8Array<ArrayBuffer>> {
  if (request instanceof Request) return new Uint8Array(await request.arrayBuffer());
  const { body } = request;
  if (typeof body === "string") return utf8.encode(body);
  if (!(body instanceof ArrayBuffer) && !ArrayBuffer.isView(body)) throw new TypeError("the body was parsed");
  return Uint8Array.from(body instanceof ArrayBuffer ? new Uint8Array(body) : body);
}

/** Reads headers by lower-case names. A header that is there twice is none: it would be open which one is signed. */
function headerOf({ headers }: WebhookRequest): (name: string) => string | null {
  if (headers instanceof Headers) return (name) => headers.get(name);
  const read = new Map<string, string | null>();
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    const values = value === undefined ? [] : typeof value === "string" ? [value] : value;
    if (values.length > 0) read.set(key, values.length === 1 && !read.has(key) ? (values[0] ?? null) : null);
  }
  return (name) => read.get(name) ?? null;
}
