// Hooks that observe calls. They see redacted facts, may add headers to a request, and can neither stop nor change a
// call: whatever a hook throws is ignored. The pipeline calls `Hooks`, which calls the user's functions in order.

import type { IdempotencyPolicy, Safety } from "./descriptor.js";
import type { Envelope } from "./envelope.js";
import { isHeaderName, isHeaderValue } from "./encode.js";

/** A request that is about to be sent. */
export interface RequestContext {
  /** The same object for all that is told about one call. */
  readonly call: object;
  readonly operation: string;
  readonly idempotencyPolicy: IdempotencyPolicy;
  readonly safety: Safety;
  readonly method: string;
  /** With credentials and sensitive values redacted. */
  readonly url: string;
  /** Redacted. Headers that a hook adds here are sent; the ones that are there stay as they are. */
  readonly headers: Record<string, string>;
  /** Wire form of a JSON or form body with sensitive fields redacted; absent without a body. */
  readonly body?: unknown;
  /** 1 for the first request of the call. */
  readonly attempt: number;
}

/** An answer that arrived. */
export interface ResponseContext {
  readonly call: object;
  readonly operation: string;
  readonly safety: Safety;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Redacted; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  readonly durationMs: number;
  readonly attempt: number;
}

/** A retry that is about to be waited for. */
export interface RetryContext {
  readonly call: object;
  readonly operation: string;
  /** The request that failed, counted from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: Envelope;
}

/** A call that is over: for a stream and a download, once all of it was read or the caller left it. */
export interface ResultContext {
  readonly call: object;
  readonly operation: string;
  readonly safety: Safety;
  readonly idempotencyPolicy: IdempotencyPolicy;
  /** `null`: it succeeded. */
  readonly error: Envelope | null;
  /** Requests that were sent. */
  readonly attempts: number;
}

/**
 * Something worth logging: a failed call, a response that does not match its description, or a value in one that its
 * description does not list.
 */
export interface Diagnostic {
  readonly kind: "failure" | "response_invalid" | "unknown_value";
  readonly operation: string;
  readonly error: Envelope;
}

/** A set of hooks. All of them are optional and may be asynchronous. */
export interface Middleware {
  readonly onRequest?: (context: RequestContext) => void | Promise<void>;
  readonly onResponse?: (context: ResponseContext) => void | Promise<void>;
  readonly onRetry?: (context: RetryContext) => void | Promise<void>;
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void | Promise<void>;
  readonly onResult?: (context: ResultContext) => void | Promise<void>;
}

/** Calls the hooks of a client. */
export class Hooks {
  readonly #middleware: readonly Middleware[];

  constructor(middleware: readonly Middleware[], onDiagnostic: Middleware["onDiagnostic"]) {
    this.#middleware = onDiagnostic === undefined ? middleware : [...middleware, { onDiagnostic }];
  }

  /** Whether anybody hears diagnostics. */
  get hearDiagnostics(): boolean {
    return this.#middleware.some(({ onDiagnostic }) => onDiagnostic !== undefined);
  }

  /** Runs `onRequest`; returns the valid headers that hooks added, with lower-case names. */
  async request(context: RequestContext): Promise<Readonly<Record<string, string>>> {
    const before = new Set(Object.keys(context.headers).map((name) => name.toLowerCase()));
    for (const { onRequest } of this.#middleware) await observe(onRequest, context);
    const added: Record<string, string> = {};
    for (const [name, value] of Object.entries(context.headers)) {
      const lower = name.toLowerCase();
      if (before.has(lower) || typeof value !== "string") continue;
      if (isHeaderName(lower) && isHeaderValue(value) && lower !== "__proto__") added[lower] = value;
    }
    return added;
  }

  /** Runs `onResponse`. */
  async response(context: ResponseContext): Promise<void> {
    for (const { onResponse } of this.#middleware) await observe(onResponse, context);
  }

  /** Runs `onRetry`. */
  async retry(context: RetryContext): Promise<void> {
    for (const { onRetry } of this.#middleware) await observe(onRetry, context);
  }

  /** Runs `onResult`. */
  async result(context: ResultContext): Promise<void> {
    for (const { onResult } of this.#middleware) await observe(onResult, context);
  }

  /** Runs `onDiagnostic`. */
  async diagnostic(diagnostic: Diagnostic): Promise<void> {
    for (const { onDiagnostic } of this.#middleware) await observe(onDiagnostic, diagnostic);
  }
}

async function observe<T>(hook: ((context: T) => void | Promise<void>) | undefined, context: T): Promise<void> {
  try {
    await hook?.(context);
  } catch {
    // Hooks observe: a broken one must not break the call.
  }
}
