// Confirmation tokens: `tgc1.<expiry>.<signature>`, bound to one operation and its exact arguments. Signing and
// checking are pure apart from WebCrypto; the ledger remembers which token was spent on what. Time is passed in.

import type { Safety } from "./descriptor.js";
import { equalInConstantTime, hmacBase64Url } from "./digest.js";
import type { Protection } from "./idempotency.js";

/** How long a token is good for. */
export const TOKEN_TTL_MS = 300_000;

const FORM = /^tgc1\.(\d{1,16})\.([A-Za-z0-9_-]{43})$/;

type Key = Uint8Array<ArrayBuffer>;

/** Makes a token. `digest` is the hexadecimal SHA-256 of the canonical arguments. */
export async function signToken(key: Key, subject: string, digest: string, expiresAt: number): Promise<string> {
  return `tgc1.${expiresAt}.${await hmacBase64Url(key, `${subject}\n${digest}\n${expiresAt}`)}`;
}

/** What a token is worth. */
export type TokenVerdict = "valid" | "expired" | "mismatch" | "malformed";

/** Checks a token for an operation and its arguments at the time `now` (epoch milliseconds). */
export async function checkToken(
  key: Key,
  token: string,
  subject: string,
  digest: string,
  now: number,
): Promise<TokenVerdict> {
  const match = FORM.exec(token);
  const expiry = match?.[1];
  const signature = match?.[2];
  if (expiry === undefined || signature === undefined) return "malformed";
  const right = await hmacBase64Url(key, `${subject}\n${digest}\n${expiry}`);
  if (!equalInConstantTime(signature, right)) return "mismatch";
  return now < Number(expiry) ? "valid" : "expired";
}

/** Whether a tier asks for a confirmation, and of which kind. */
export function neededConfirmation(safety: Safety, allowTrue: boolean): "none" | "any" | "token" {
  if (safety === "irreversible") return "token";
  if (safety === "destructive") return allowTrue ? "any" : "token";
  return "none";
}

/** Remembers spent tokens: a token authorizes one intent. */
export class TokenLedger {
  readonly #spent = new Map<string, string | null>();

  /**
   * Spends a token on a call that is about to be sent. The first call binds the token to its replay protection; later
   * it is good only under the same one, and without one only once.
   */
  spend(token: string, protection: Protection, now: number): boolean {
    this.#forgetExpired(now);
    const bound = protection === null ? null : protection.kind === "key" ? `key:${protection.key}` : "identity";
    const before = this.#spent.get(token);
    if (before === undefined) {
      this.#spent.set(token, bound);
      return true;
    }
    return before !== null && before === bound;
  }

  #forgetExpired(now: number): void {
    for (const token of this.#spent.keys()) {
      if (Number(FORM.exec(token)?.[1] ?? 0) <= now) this.#spent.delete(token);
    }
  }
}
