// What a client and a call can be told. Types only; defaults are applied where each option is used.

import type { Credential } from "./auth.js";
import type { AnyOperation } from "./classify.js";
import type { Random } from "./digest.js";
import type { IdempotencyStore } from "./idempotency.js";
import type { Middleware } from "./middleware.js";
import type { ExactValue } from "./result.js";
import type { RetryOptions } from "./retry.js";
import type { TokenStore } from "./tokens.js";
import type { FetchLike, Sleep } from "./transport.js";

/** What to do with a response that does not match its description. */
export type ValidateResponses = "off" | "warn" | "strict";

/** How streams go on when their connection drops. Of a client, or of one stream. */
export interface StreamSettings {
  /** Reconnects of a stream at most; default 3; 0: none. */
  readonly maxReconnects?: number | undefined;
  /** Longest wait before a reconnect, in milliseconds; default 30,000. */
  readonly reconnectMaxMs?: number | undefined;
  /**
   * Silence after which a stream is idle and is reconnected, in milliseconds. Default: none; then a silence as long as
   * the time of an attempt ends the stream.
   */
  readonly idleTimeoutMs?: number | undefined;
}

/** Options of a client. */
export interface ClientOptions extends StreamSettings {
  /** Default: the API's first server. */
  readonly baseUrl?: string;
  /** Credentials by scheme name. */
  readonly auth?: Readonly<Record<string, Credential>>;
  /** Default: the platform's `fetch`. */
  readonly fetch?: FetchLike;
  /** Time for each attempt, in milliseconds; default 30,000; `Infinity` for no limit. */
  readonly timeoutMs?: number;
  readonly retries?: RetryOptions;
  /** Default: keys are kept in memory. */
  readonly idempotencyStore?: IdempotencyStore;
  /** Where OAuth 2 tokens are kept, for one user; default: in memory. */
  readonly tokenStore?: TokenStore;
  readonly middleware?: readonly Middleware[];
  /** Default `warn`: report through `onDiagnostic` and deliver the value. */
  readonly validateResponses?: ValidateResponses;
  /**
   * What a value of a response is that its enumeration, or the tag of its union, does not list, as newer servers send.
   * Default `accept`: it is delivered as it came, reported as `unknown_value`, and may be sent back. `reject`: it is a
   * mismatch like any other. Not looked for when `validateResponses` is `off`.
   */
  readonly unknownValues?: "accept" | "reject";
  readonly onDiagnostic?: NonNullable<Middleware["onDiagnostic"]>;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Key of the confirmation tokens; default: random, so that tokens are good for this client only. */
  readonly confirmationKey?: string | Uint8Array;
  /** Operations that others name, for example as their preview endpoint. */
  readonly operations?: Iterable<AnyOperation>;
  /** Bytes that one event of a stream may have; default 1,048,576. */
  readonly maxEventBytes?: number;
  /** Clock in epoch milliseconds. */
  readonly now?: () => number;
  /** Random numbers in `0.0..1.0` for keys and jitter; default: the platform's cryptographic generator. */
  readonly random?: Random;
  /** Waits between attempts and for timeouts; with `now` and `random`, what tests replace to own time and chance. */
  readonly sleep?: Sleep;
}

/** Options of one call. */
export interface CallOptions {
  /** Generate it once for an intent, persist it, reuse it on every retry. */
  readonly idempotencyKey?: string | undefined;
  /** A token of `preview()`; or `true`, which a destructive operation accepts and an irreversible one does not. */
  readonly confirm?: string | true | undefined;
  /** `false`: a destructive operation needs a token too. */
  readonly allowConfirmTrue?: boolean | undefined;
  /** Time for each attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Look at the effect after a success, where the operation says how; default: no. */
  readonly verify?: boolean | undefined;
}

/** Options of one stream. */
export interface StreamOptions extends Omit<CallOptions, "verify">, StreamSettings {}

/** Options of a walk through pages. */
export interface PageOptions extends Omit<CallOptions, "idempotencyKey" | "verify"> {
  /** Pages that are asked for at most; default: no limit. */
  readonly maxPages?: number | undefined;
  /** Items at most: the last page's `items` are cut to fit; default: no limit. */
  readonly maxItems?: number | undefined;
  /** Where to go on: `next` of an earlier page. */
  readonly next?: ExactValue | undefined;
}

/** Options of one run of a macro. */
export type MacroOptions = Omit<CallOptions, "verify">;
