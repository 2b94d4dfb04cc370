// What a client keeps and what a call has once its checks passed: the data that the steps of the pipeline hand on.
// Types only.

import type { CheckedArguments } from "./args.js";
import type { AppliedAuth, Credential } from "./auth.js";
import type { TokenSource } from "./source.js";
import type { EncodedBody } from "./body.js";
import type { AnyOperation } from "./classify.js";
import type { TokenLedger } from "./confirm.js";
import type { ApiDescriptor } from "./descriptor.js";
import type { Random } from "./digest.js";
import type { KeyKeeper, KeyPlan, Protection } from "./idempotency.js";
import type { Hooks } from "./middleware.js";
import type { CallOptions, ClientOptions } from "./options.js";
import type { Scrub, Secrets, SensitiveFields } from "./redact.js";
import type { BuiltRequest, RenderedParams } from "./request.js";
import type { Failed, Ok } from "./result.js";
import type { RetryPolicy } from "./retry.js";
import type { Answer, FetchLike, Head, Sleep } from "./transport.js";
import type { Typed } from "./wire.js";

/** What a client keeps for its calls. */
export interface Runtime {
  readonly api: ApiDescriptor;
  readonly options: ClientOptions;
  readonly credentials: Readonly<Record<string, Credential>>;
  /** Of all credentials. */
  readonly secrets: Secrets;
  /** Finds the credential of a scheme that is not configured as text. */
  readonly source: (scheme: string) => TokenSource | undefined;
  readonly fetch: FetchLike;
  readonly sleep: Sleep;
  readonly now: () => number;
  readonly random: Random;
  readonly keys: KeyKeeper;
  readonly tokens: TokenLedger;
  readonly confirmationKey: Uint8Array<ArrayBuffer>;
  readonly hooks: Hooks;
  /** `null` where the platform sets the header itself. */
  readonly userAgent: string | null;
  /** Operations that others name. */
  readonly operation: (id: string) => AnyOperation | undefined;
}

/** What the runtime itself decides about a call, beside what its caller says. */
export interface How {
  /** Arguments that need no check, in place of those that were given. */
  readonly checked?: CheckedArguments;
  /** Reference that replaces the URL of the arguments: the link to a next page. It must stay on the origin. */
  readonly link?: string;
  /** The call belongs to something that is confirmed as a whole; says whether that confirmation still stands. */
  readonly confirmed?: () => boolean;
  /** A preview that asks no server. */
  readonly local?: true;
  /** Told of the value of a success as it travelled, with its type. */
  readonly onAnswer?: (answer: Typed) => void;
}

/** A call that passed its checks. */
export interface Ready {
  readonly operation: AnyOperation;
  readonly options: CallOptions;
  readonly args: CheckedArguments;
  readonly params: RenderedParams;
  readonly auth: AppliedAuth;
  readonly base: string;
  readonly plan: Exclude<KeyPlan, { readonly kind: "refused" }>;
  /** The token that was given and is valid; `null` when none is needed. */
  readonly token: string | null;
  readonly sensitive: SensitiveFields;
  readonly scrub: Scrub;
}

/** Things learnt on the way, for the envelope of an unforeseen failure. */
export interface Progress {
  /** Stands for the call towards hooks. */
  readonly call: object;
  sent: number;
  scrub: Scrub;
}

/** A request with all that deciding about its attempts needs. */
export interface Exchange {
  readonly runtime: Runtime;
  readonly ready: Ready;
  readonly request: BuiltRequest;
  readonly body: EncodedBody | null;
  readonly protection: Protection;
  readonly progress: Progress;
  readonly policy: RetryPolicy;
  readonly how: How;
  readonly reception: Reception;
  /** Present where a request that the API refused with 401 may be sent once more with other credentials. */
  readonly renewal?: Renewal;
}

/** How the body of a success is received: read whole and decoded, or handed on while it arrives. */
export interface Reception {
  /** The value of `Accept`, given the one that the caller states. */
  readonly accept: (operation: AnyOperation, given: string | undefined) => string | null;
  /** Headers that replace the caller's. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the body behind a head is handed on. */
  readonly opens: ((head: Head) => boolean) | undefined;
  /** The result of a success that was read whole. */
  readonly success: (exchange: Exchange, answer: Answer) => Promise<Ok<unknown> | Failed>;
}

/** How the credentials of a request are replaced. */
export interface Renewal {
  /** The same request with other credentials; `null`: it cannot be built with them. */
  readonly rebuild: (auth: AppliedAuth, reception: Reception) => BuiltRequest | null;
  /** The request that every later attempt sends. `failed`: there is no sense in another attempt. */
  outcome: { readonly request: BuiltRequest; readonly auth: AppliedAuth } | "failed" | null;
}
