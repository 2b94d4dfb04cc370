// What may be shown: marks sensitive values, cuts long ones and scrubs secrets from text. Pure functions over values
// whose depth was checked; used for envelopes, previews and what middleware sees.

import { escapeAnyText } from "./encode.js";
import type { Envelope } from "./envelope.js";
import { bytesOf, isMembers, isNumeric, jsonText, setMember } from "./json.js";
import type { JsonValue } from "./result.js";

/** Stands where a sensitive value was. */
export const REDACTED = "<redacted>";

/** Longest text that an envelope shows, in UTF-16 units, the ellipsis included. */
export const MAX_TEXT = 200;

/** Secrets shorter than this are not scrubbed: they would occur in text by chance. */
const MIN_SECRET = 4;

/** A function that takes secrets out of text. */
export type Scrub = (text: string) => string;

/** A path into arguments or a body: member names and indexes. */
export type Path = readonly (string | number)[];

const SECRET_NAME =
  /secret|password|passwd|passphrase|token|api[-_ ]?key|private[-_ ]?key|credential|authorization|cookie|session/i;
/** Names that the rule above would catch although they hold counts and positions. */
const NOT_SECRET_NAME = /(?:^|[^a-z])(?:page|next|previous|prev|continuation|cursor)[-_ ]?token$|tokens$/i;
const NOT_SECRET_CAMEL = /(?:page|next|previous|prev|continuation|cursor)Token$/;

/** Whether a name by itself says that its value is secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !NOT_SECRET_NAME.test(name) && !NOT_SECRET_CAMEL.test(name);
}

/** Cuts text to `MAX_TEXT`, the last character then being an ellipsis. Never splits a surrogate pair. */
export function truncate(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  const cut = text.slice(0, MAX_TEXT - 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Makes the function that replaces every secret of four or more characters, the longest first. */
export function scrubber(secrets: Iterable<string>): Scrub {
  const forms = new Set<string>();
  for (const secret of secrets) {
    if (secret.length < MIN_SECRET) continue;
    forms.add(secret);
    forms.add(escapeAnyText(secret));
    forms.add(JSON.stringify(secret).slice(1, -1));
  }
  const ordered = [...forms].filter((form) => form.length >= MIN_SECRET).sort((a, b) => b.length - a.length);
  if (ordered.length === 0) return (text) => text;
  return (text) => ordered.reduce((left, secret) => left.replaceAll(secret, REDACTED), text);
}

/** Secrets learnt while a client runs that are kept; the oldest are forgotten first. */
const MAX_LEARNT = 256;

/** All secrets that a client knows: the configured ones, and those that it learns while it runs. */
export class Secrets implements Iterable<string> {
  readonly #configured: readonly string[];
  readonly #learnt = new Set<string>();
  #version = 0;

  constructor(configured: readonly string[]) {
    this.#configured = configured;
  }

  [Symbol.iterator](): Iterator<string> {
    return [...this.#configured, ...this.#learnt][Symbol.iterator]();
  }

  /** Remembers secrets, so that nothing shows them from now on. */
  learn(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      // One that is in use is moved to the end, so that it is not the oldest.
      if (!this.#learnt.delete(secret)) this.#version += 1;
      this.#learnt.add(secret);
      const [oldest] = this.#learnt;
      if (this.#learnt.size > MAX_LEARNT && oldest !== undefined) this.#learnt.delete(oldest);
    }
  }

  /** A scrubber that also knows the secrets that are learnt after it was made. */
  scrub(also: readonly string[] = []): Scrub {
    let version = -1;
    let scrub: Scrub = (text) => text;
    return (text) => {
      if (version !== this.#version) {
        version = this.#version;
        scrub = scrubber([...this, ...also]);
      }
      return scrub(text);
    };
  }
}

function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

/** The declared sensitive fields, compared without case and separators: wire and TypeScript names both match. */
export class SensitiveFields {
  readonly #paths: readonly string[][];

  constructor(paths: readonly string[] = []) {
    const steps = paths.map((path) => path.replace(/\[[^\]]*\]/g, "").split("."));
    this.#paths = steps.map((path) => path.map(plainName).filter((step) => step !== ""));
  }

  /** Whether `path` is a sensitive field, lies below one, or has a name that says so. */
  covers(path: Path): boolean {
    if (path.some((step) => typeof step === "string" && isSecretName(step))) return true;
    const names = path.filter((step): step is string => typeof step === "string").map(plainName);
    return this.#paths.some((path) => path.length > 0 && path.every((step, index) => step === names[index]));
  }
}

/** A copy of a value in which sensitive members are replaced; `at` is where the value itself lies. */
export function redact(value: unknown, fields: SensitiveFields, at: Path = []): unknown {
  if (value === null || value === undefined || typeof value === "boolean") return value;
  if (at.length > 0 && fields.covers(at)) return REDACTED;
  if (Array.isArray(value)) return value.map((item: unknown, index) => redact(item, fields, [...at, index]));
  if (!isMembers(value)) return isBinaryValue(value) ? binaryNote(value) : value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setMember(copy, key, redact(value[key], fields, [...at, key]));
  return copy;
}

/** The texts at sensitive places of a value; they must not show up in diagnostics either. */
export function sensitiveTexts(value: unknown, fields: SensitiveFields, at: Path = []): readonly string[] {
  if (typeof value === "string") return fields.covers(at) ? [value] : [];
  if (isNumeric(value)) return fields.covers(at) ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => sensitiveTexts(item, fields, [...at, index]));
  if (!isMembers(value)) return [];
  return Object.keys(value).flatMap((key) => sensitiveTexts(value[key], fields, [...at, key]));
}

function isBinaryValue(value: unknown): boolean {
  return bytesOf(value) !== null || value instanceof Blob || value instanceof ReadableStream;
}

function binaryNote(value: unknown): string {
  const size = bytesOf(value)?.length ?? (value instanceof Blob ? value.size : undefined);
  return size === undefined ? "<stream of bytes>" : `<${size} bytes>`;
}

/** A value as `received_value` shows it: numbers and booleans as they are, everything else as short text. */
export function receivedValue(value: unknown, scrub: Scrub, fields: SensitiveFields, at: Path): JsonValue {
  if (value === undefined || value === null) return null;
  if (at.length > 0 && fields.covers(at)) return REDACTED;
  if (typeof value === "boolean") return value;
  if (typeof value === "number") {
    const text = String(value);
    return Number.isFinite(value) && scrub(text) === text ? value : scrub(text);
  }
  if (typeof value === "string") return truncate(scrub(value));
  if (isBinaryValue(value)) return binaryNote(value);
  if (typeof value !== "object") return truncate(scrub(String(value)));
  return truncate(scrub(jsonText(redact(value, fields, at))));
}

/** The envelope with secrets taken out of every text that came from elsewhere. */
export function scrubEnvelope(error: Envelope, scrub: Scrub): Envelope {
  const optional = (text: string | null): string | null => (text === null ? null : scrub(text));
  return {
    ...error,
    code: optional(error.code),
    failed_parameter: optional(error.failed_parameter),
    received_value: typeof error.received_value === "string" ? scrub(error.received_value) : error.received_value,
    expected: optional(error.expected),
    remediation: scrub(error.remediation),
    next_action: optional(error.next_action),
    request_id: optional(error.request_id),
  };
}

/** Headers as previews and middleware show them: credentials and whatever has a secret name are marked. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  secret: ReadonlySet<string>,
  scrub: Scrub,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const hidden = secret.has(name.toLowerCase()) || isSecretName(name);
    setMember(shown, name, hidden ? REDACTED : scrub(value));
  }
  return shown;
}
