// What the tests share: a scripted `fetch`, a clock, randomness and waits that are recorded instead of spent, and
// short forms of descriptors.

import { ClientCore } from "../dist/index.js";
import type {
  ApiDescriptor,
  ClientOptions,
  ClientParts,
  Diagnostic,
  Envelope,
  OperationDescriptor,
  ParamDescriptor,
  Result,
  Schema,
} from "../dist/index.js";

export type Args = Record<string, unknown>;
export type Op = OperationDescriptor<Args, unknown>;

export const STRING: Schema = { kind: "string" };
export const INTEGER: Schema = { kind: "integer" };
export const ANY: Schema = { kind: "any" };

/** What the scripted server does with one request. */
export type Step =
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string | Uint8Array<ArrayBuffer>;
    }
  /** `fetch` rejects with an error of this code (in its cause); no code: with a bare error. */
  | { readonly fails: string | null }
  /** Never answers: the attempt's time runs out. */
  | { readonly hangs: true }
  /** The head arrives, the body breaks. */
  | { readonly cutBody: number };

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly redirect: string | undefined;
}

export const NOW = Date.UTC(2026, 10, 30, 12, 0, 0);
export const TIMEOUT = 30_000;

export interface Bench {
  readonly core: ClientCore;
  readonly sent: Sent[];
  readonly waits: number[];
  readonly diagnostics: Diagnostic[];
  /** Moves the clock. */
  readonly clock: { now: number };
}

export const API: ApiDescriptor = {
  name: "shop",
  version: "1.0.0",
  userAgent: "shop-sdk/1.0.0 tungsten/0.1.0 (typescript)",
  servers: ["https://api.shop.test/v1"],
  auth: [],
};

export const JSON_TYPE = { "content-type": "application/json" };

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Step {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

/** A client over a script; a request beyond the script's end fails the test by an unmistakable code. */
export function bench(
  script: readonly Step[],
  options: ClientOptions = {},
  api: Partial<ApiDescriptor> = {},
  parts: ClientParts = {},
): Bench {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const diagnostics: Diagnostic[] = [];
  const clock = { now: NOW };
  let hanging = false;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const body = init.body === undefined || init.body === null ? null : await new Response(init.body).text();
    sent.push({
      method: init.method ?? "",
      url,
      headers: init.headers as Record<string, string>,
      body,
      redirect: init.redirect,
    });
    const step = script[sent.length - 1];
    if (step === undefined) throw new Error("request beyond the script");
    if ("fails" in step) throw step.fails === null ? new TypeError("fetch failed") : connectError(step.fails);
    if ("hangs" in step) {
      hanging = true;
      return new Promise(() => undefined);
    }
    if ("cutBody" in step) return new Response(brokenStream(), { status: step.cutBody, headers: JSON_TYPE });
    const bodiless = step.status === 204 || step.status === 205 || step.status === 304;
    // Bytes, because `Response` would add a content type to text.
    const bytes = typeof step.body === "string" ? new TextEncoder().encode(step.body) : step.body;
    return new Response(bodiless ? null : (bytes ?? new Uint8Array()), {
      status: step.status,
      headers: step.headers ?? {},
    });
  };
  const sleep = (ms: number): Promise<void> => {
    if (ms !== TIMEOUT) {
      waits.push(ms);
      clock.now += ms;
      return Promise.resolve();
    }
    // The timeout of an attempt: over at once when the server hangs, never otherwise.
    return new Promise((resolve) => setImmediate(() => (hanging ? resolve() : undefined)));
  };
  const core = new ClientCore(
    { ...API, ...api },
    {
      fetch,
      sleep,
      now: () => clock.now,
      random: () => 0.5,
      onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
      ...options,
    },
    parts,
  );
  return { core, sent, waits, diagnostics, clock };
}

function connectError(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

function brokenStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      controller.error(new Error("reset"));
    },
  });
}

/** A read of `/things` with a JSON answer, changed as the test needs it. */
export function read(changes: Partial<Op> = {}): Op {
  return {
    id: "shop.listThings",
    method: "GET",
    path: "/things",
    responses: [{ status: 200, kind: "success", mediaType: "application/json", encoding: "json", schema: ANY }],
    safety: "read_only",
    ...changes,
  };
}

/** A creation of `/things` with a merged JSON body of one field. */
export function create(changes: Partial<Op> = {}): Op {
  return {
    id: "shop.createThing",
    method: "POST",
    path: "/things",
    body: {
      mediaType: "application/json",
      encoding: "json",
      required: true,
      schema: { kind: "object", fields: [{ name: "name", schema: STRING, required: true }] },
    },
    responses: [{ status: 201, kind: "success", mediaType: "application/json", encoding: "json", schema: ANY }],
    safety: "mutating",
    ...changes,
  };
}

/** A deletion of `/things/{id}`. */
export function remove(changes: Partial<Op> = {}): Op {
  return {
    id: "shop.deleteThing",
    method: "DELETE",
    path: "/things/{id}",
    params: [{ key: "id", name: "id", in: "path", schema: STRING, required: true }],
    responses: [{ status: 204, kind: "success" }],
    safety: "destructive",
    ...changes,
  };
}

/** A query parameter of the name `q`. */
export function query(schema: Schema, changes: Partial<ParamDescriptor> = {}): ParamDescriptor {
  return { key: "q", name: "q", in: "query", schema, ...changes };
}

/** The envelope of a failed result. */
export function errorOf(result: Result<unknown>): Envelope {
  if (result.ok) throw new Error(`expected a failure, got ${JSON.stringify(result.value)}`);
  return result.error;
}

/** The value of a successful result. */
export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`expected a value, got ${JSON.stringify(result.error)}`);
  return result.value;
}
