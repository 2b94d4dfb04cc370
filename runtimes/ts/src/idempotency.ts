// Decides which idempotency key a call carries, and keeps keys for repeats. Reads the policy, the caller's key and the
// store; sends nothing. Randomness is passed in.

import type { IdempotencyDescriptor } from "./descriptor.js";
import { sha256Hex, uuidV4 } from "./digest.js";
import type { Random } from "./digest.js";
import { canonicalJson } from "./json.js";

/** Where keys are kept, so that a repeat of the same call finds its key. `scope` is the operation's id. */
export interface IdempotencyStore {
  /** The key kept for a call; `null` or `undefined` when there is none. */
  get(scope: string, logicalId: string): Promise<string | null | undefined> | string | null | undefined;
  /**
   * Keeps a key. A store that others share returns the one that is kept: theirs, when they were first. A failure stops
   * the call before anything is sent.
   */
  put(scope: string, logicalId: string, key: string): Promise<string | void> | string | void;
}

/** The default store: keys live as long as the store object. */
export class MemoryIdempotencyStore implements IdempotencyStore {
  readonly #keys = new Map<string, string>();

  /** The key kept for a call. */
  get(scope: string, logicalId: string): string | null {
    return this.#keys.get(JSON.stringify([scope, logicalId])) ?? null;
  }

  /** Keeps a key. */
  put(scope: string, logicalId: string, key: string): void {
    this.#keys.set(JSON.stringify([scope, logicalId]), key);
  }
}

type KeyFormat = NonNullable<IdempotencyDescriptor["format"]>;

/** The accepted forms of a caller's key. */
const FORMATS: Readonly<Record<KeyFormat, { readonly test: RegExp; readonly expected: string }>> = {
  uuid_v4: {
    test: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
    expected: "UUIDv4 string",
  },
  uuid: {
    test: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
    expected: "UUID string",
  },
  opaque: { test: /^[\x21-\x7e]{1,255}$/, expected: "1 to 255 visible ASCII characters" },
};

/** Whether text may be a key at all: what a store returns must be. */
export function isOpaqueKey(key: unknown): key is string {
  return typeof key === "string" && FORMATS.opaque.test.test(key);
}

/** What a call must do about its key, before authentication. */
export type KeyPlan =
  /** No key is sent. */
  | { readonly kind: "none" }
  | { readonly kind: "given"; readonly key: string; readonly header: string }
  /** Find or make a key in the store. */
  | { readonly kind: "stored"; readonly header: string }
  /** The digest of the encoded body is the key. */
  | { readonly kind: "hash"; readonly header: string }
  | { readonly kind: "refused"; readonly expected: string; readonly remediation: string };

/**
 * The plan for a call's key.
 *
 * `headerParam` is the operation's own key header parameter; a key under the policy `none` is sent only when there is
 * one. A key of the wrong form is refused, and so is a missing one where the operation requires it.
 */
export function planKey(
  policy: IdempotencyDescriptor | undefined,
  given: string | undefined,
  headerParam: { readonly name: string; readonly required: boolean } | undefined,
  hasBody: boolean,
): KeyPlan {
  const header = policy?.header ?? headerParam?.name ?? "Idempotency-Key";
  const form = FORMATS[policy?.format ?? "opaque"];
  const kind = policy?.policy ?? "none";
  const usesGiven = kind === "auto" || kind === "caller_owned" || (kind === "none" && headerParam !== undefined);
  if (usesGiven && given !== undefined) {
    return typeof given === "string" && form.test.test(given)
      ? { kind: "given", key: given, header }
      : { kind: "refused", expected: form.expected, remediation: keyAdvice(form.expected) };
  }
  if (kind === "auto") return { kind: "stored", header };
  if (kind === "content_hash" && hasBody) return { kind: "hash", header };
  if ((kind === "caller_owned" && policy?.persistRequired === true) || (usesGiven && headerParam?.required === true)) {
    return { kind: "refused", expected: form.expected, remediation: keyAdvice(form.expected) };
  }
  return { kind: "none" };
}

function keyAdvice(expected: string): string {
  return `Generate the key once (${expected}), persist it with the intent and pass it as idempotencyKey on every attempt.`;
}

/** What makes a repeat of a call harmless. `null`: nothing does. */
export type Protection = { readonly kind: "key"; readonly key: string } | { readonly kind: "identity" } | null;

/** Finds the keys of the policy `auto`; equal calls that run at the same time share one key. */
export class KeyKeeper {
  readonly #store: IdempotencyStore;
  readonly #random: Random;
  readonly #running = new Map<string, Promise<string>>();

  constructor(store: IdempotencyStore, random: Random) {
    this.#store = store;
    this.#random = random;
  }

  /** The stored key of (operation, arguments), else a new one that is stored first. Rejects when the store fails. */
  async keyFor(operation: string, args: unknown): Promise<string> {
    const logicalId = await sha256Hex(canonicalJson(args));
    const call = JSON.stringify([operation, logicalId]);
    const running = this.#running.get(call) ?? this.#find(operation, logicalId);
    this.#running.set(call, running);
    try {
      return await running;
    } finally {
      this.#running.delete(call);
    }
  }

  async #find(scope: string, logicalId: string): Promise<string> {
    const known = await this.#store.get(scope, logicalId);
    if (known !== null && known !== undefined) {
      if (!isOpaqueKey(known)) throw new TypeError("the idempotency store returned something that is no key");
      return known;
    }
    const key = uuidV4(this.#random);
    const kept = (await this.#store.put(scope, logicalId, key)) ?? key;
    if (!isOpaqueKey(kept)) throw new TypeError("the idempotency store returned something that is no key");
    return kept;
  }
}
