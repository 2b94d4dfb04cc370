// What every call returns: a value with its response metadata, or the diagnostic envelope. Nothing throws. Types only:
// the pipeline makes the values, `envelope.ts` describes the failure.

import type { Envelope } from "./envelope.js";

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A JSON value whose integers keep all their digits: beyond plus or minus 2^53 - 1 they are `bigint`s. */
export type ExactValue =
  null | boolean | number | bigint | string | readonly ExactValue[] | { readonly [key: string]: ExactValue };

/** Facts about the HTTP answer behind a value. */
export interface ResponseMeta {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string | null;
  /** Requests sent for this call, the last one included. */
  readonly attempts: number;
}

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
  readonly meta: ResponseMeta;
}

export interface Failed {
  readonly ok: false;
  readonly error: Envelope;
  /** What a mutation that did take effect produced before it failed, for example a one-time secret. */
  readonly partial?: unknown;
}

export type Result<T> = Ok<T> | Failed;
