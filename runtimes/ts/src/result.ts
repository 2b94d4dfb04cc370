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
  /** What a look at the effect showed; there when the call asked for it and its operation says how. */
  readonly verification?: Verification;
}

/** What reading the effect of a call showed. It never changes the call's own result. */
export interface Verification {
  /** Whether the read answered. */
  readonly checked: boolean;
  /** The field that the expectation is about, as it was read last; `null` where it has no value. */
  readonly state: JsonValue;
  /** Whether what is expected was seen; `null` when nothing is expected or the read did not answer. */
  readonly passed: boolean | null;
  /** Every field that the expectation or the end of the wait is about, by its dotted wire name. */
  readonly observed: { readonly [field: string]: JsonValue };
  /** The budget ran out before the state was final. */
  readonly timed_out?: true;
  /** Why the read did not answer. */
  readonly error?: Envelope;
}

export interface Failed {
  readonly ok: false;
  readonly error: Envelope;
  /**
   * What there was before the failure: what a mutation that did take effect produced, for example a one-time secret; the
   * results of a macro's steps by their names; the items of the pages before.
   */
  readonly partial?: unknown;
}

export type Result<T> = Ok<T> | Failed;
