// OAuth 2 tokens: how they are kept, how a token endpoint is asked for them, and what its answers mean. Sends one
// request through `transport.ts`; when to ask is left to `oauth.ts`.

import { clientToken } from "./auth.js";
import type { AuthProblem } from "./auth.js";
import { escapeAnyText } from "./encode.js";
import { isMembers, member } from "./json.js";
import type { Secrets } from "./redact.js";
import { parseRetryAfter } from "./retry.js";
import { send } from "./transport.js";
import type { Answer, FetchLike, Lost, Sleep } from "./transport.js";

/** What tokens belong to: an issuer (its token URL), a client of it, a flow, and the scopes that were asked for. */
export interface TokenKey {
  readonly issuer: string;
  readonly clientId: string;
  readonly flow: "clientCredentials" | "authorizationCode";
  /** Sorted, separated by spaces. */
  readonly scope: string;
}

/** Tokens as they are kept. They are secrets. */
export interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Epoch milliseconds by the clock of the client that got them; `null`: the issuer did not say. */
  readonly expiresAt: number | null;
  /** The scopes that were granted; `null`: the issuer did not say. */
  readonly scope: string | null;
  /** The answer to a refresh was lost, so the refresh token may be spent. */
  readonly refreshLost?: true;
}

/** Where tokens are kept. A store serves one user of the application: the key does not name the user. */
export interface TokenStore {
  /** The tokens of a key; `null` or `undefined` when there are none. */
  get(key: TokenKey): Promise<StoredTokens | null | undefined> | StoredTokens | null | undefined;
  /** Replaces the tokens of a key. */
  set(key: TokenKey, tokens: StoredTokens): Promise<void> | void;
  /** Forgets the tokens of a key. */
  delete(key: TokenKey): Promise<void> | void;
  /** Runs `work` while no other process that shares the store does so for this key. */
  exclusive?<T>(key: TokenKey, work: () => Promise<T>): Promise<T>;
}

/** One text for each key. */
export function tokenKeyText(key: TokenKey): string {
  return JSON.stringify([key.issuer, key.clientId, key.flow, key.scope]);
}

/** The default store: tokens live as long as the store object. */
export class MemoryTokenStore implements TokenStore {
  readonly #tokens = new Map<string, StoredTokens>();

  /** The tokens of a key. */
  get(key: TokenKey): StoredTokens | null {
    return this.#tokens.get(tokenKeyText(key)) ?? null;
  }

  /** Replaces the tokens of a key. */
  set(key: TokenKey, tokens: StoredTokens): void {
    this.#tokens.set(tokenKeyText(key), tokens);
  }

  /** Forgets the tokens of a key. */
  delete(key: TokenKey): void {
    this.#tokens.delete(tokenKeyText(key));
  }
}

/** Whether what a store returned are tokens. */
export function isStoredTokens(value: unknown): value is StoredTokens {
  if (!isMembers(value)) return false;
  const { accessToken, refreshToken, expiresAt, scope } = value;
  const textOrNull = (one: unknown): boolean => one === null || typeof one === "string";
  return isTokenText(accessToken) && textOrNull(refreshToken) && textOrNull(scope) && isTime(expiresAt);
}

function isTime(value: unknown): boolean {
  return value === null || (typeof value === "number" && Number.isFinite(value));
}

/** A token that a header can carry: visible ASCII. */
function isTokenText(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}

/**
 * The address of an endpoint: https, or http on a loopback address; without user information and fragment. A relative
 * one stands on the API's base URL. `null` when there is no usable one: secrets would travel in the open.
 */
export function endpointUrl(text: string | undefined, base: string | undefined): string | null {
  if (text === undefined || text === "") return null;
  try {
    const url = base === undefined ? new URL(text) : new URL(text, `${base.replace(/\/+$/, "")}/`);
    if (url.username !== "" || url.password !== "" || url.hash !== "") return null;
    return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)) ? url.href : null;
  } catch {
    return null;
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** What asking a token endpoint needs. */
export interface TokenWire {
  readonly fetch: FetchLike;
  readonly sleep: Sleep;
  readonly now: () => number;
  readonly timeoutMs: number;
  readonly secrets: Secrets;
}

/** A client of an issuer, and where the issuer answers. */
export interface TokenClient {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/** New tokens; members that the answer does not state are `undefined`. */
export interface NewTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds; positive. */
  readonly expiresIn: number | undefined;
  readonly scope: string | undefined;
}

/**
 * How a token request ended. `refused`: the endpoint judged it and said no. `unspent`: what it carried was surely not
 * used up. `unsure`: it may have been.
 */
export type TokenAnswer =
  | { readonly kind: "tokens"; readonly tokens: NewTokens }
  | { readonly kind: "refused" | "unspent" | "unsure"; readonly problem: AuthProblem };

/** Sends a token request. Never rejects; follows no redirect. */
export async function requestTokens(
  wire: TokenWire,
  client: TokenClient,
  form: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const { clientId, clientSecret } = client;
  const secret = clientSecret !== undefined && clientSecret !== "";
  const fields = secret ? form : { ...form, client_id: clientId };
  const body = Object.entries(fields)
    .map(([name, value]) => `${escapeAnyText(name)}=${escapeAnyText(value)}`)
    .join("&");
  const headers = {
    accept: "application/json",
    "content-type": "application/x-www-form-urlencoded",
    ...(secret ? { authorization: `Basic ${clientToken(clientId, clientSecret)}` } : {}),
  };
  const request = { method: "POST", url: client.url, headers, body };
  // A token request serves all callers that wait for it, so none of them can cancel it.
  const outcome = await send(request, {
    fetch: wire.fetch,
    sleep: wire.sleep,
    timeoutMs: wire.timeoutMs,
    signal: undefined,
  });
  return outcome.kind === "lost" ? lostAnswer(outcome) : judged(outcome, wire);
}

function lostAnswer(lost: Lost): TokenAnswer {
  if (!lost.written) {
    return {
      kind: "unspent",
      problem: {
        category: "TRANSPORT_FAILED",
        expected: "a connection to the token endpoint",
        remediation: "Check the token URL and the network connection, then call again.",
      },
    };
  }
  return {
    kind: "unsure",
    problem: {
      category: "TRANSPORT_FAILED",
      expected: "an answer of the token endpoint",
      remediation: "Call again: the answer of the token endpoint was lost.",
    },
  };
}

function judged(answer: Answer, wire: TokenWire): TokenAnswer {
  const { status } = answer;
  const retryAfterMs = parseRetryAfter(answer.headers["retry-after"], wire.now());
  if (status === 408 || status === 425 || status === 429) {
    return {
      // These judge the moment, not the grant.
      kind: status === 408 ? "unsure" : "unspent",
      problem: {
        category: status === 429 ? "RATE_LIMITED" : "UPSTREAM_UNAVAILABLE",
        retry_after_ms: retryAfterMs,
        expected: `tokens from the token endpoint, which answered ${status}`,
        remediation: "Wait, then call again: the token endpoint asks for patience.",
      },
    };
  }
  if (status >= 500 && status <= 599) {
    return {
      kind: "unsure",
      problem: {
        category: "UPSTREAM_UNAVAILABLE",
        retry_after_ms: retryAfterMs,
        expected: `tokens from the token endpoint, which answered ${status}`,
        remediation: "Wait, then call again: the token endpoint is not available.",
      },
    };
  }
  const json = jsonOf(answer);
  if (status >= 400 && status <= 499) {
    const code = refusalCode(json);
    return {
      kind: "refused",
      problem: {
        category: "AUTH_FAILED",
        code,
        expected: `tokens from the token endpoint, which answered ${status}${code === null ? "" : ` ${code}`}`,
        remediation: "Check the client's id, its secret and its scopes in the client's auth option.",
      },
    };
  }
  // Browsers show a redirect that is not followed as status 0.
  if (status === 0 || (status >= 300 && status <= 399)) return { kind: "unspent", problem: REDIRECTED };
  const tokens = status >= 200 && status <= 299 ? tokensIn(json, wire.secrets) : null;
  if (tokens !== null) return { kind: "tokens", tokens };
  return {
    kind: "unsure",
    problem: {
      category: "UNEXPECTED_RESPONSE",
      expected: `a JSON object with a bearer access_token from the token endpoint, which answered ${status}`,
      remediation: "Check that the token URL leads to the token endpoint.",
    },
  };
}

const REDIRECTED: AuthProblem = {
  expected: "a token endpoint that answers itself: redirects are not followed with secrets",
  remediation: "Correct the token URL; the endpoint answered with a redirect.",
};

function jsonOf(answer: Answer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(answer.bytes)) as unknown;
  } catch {
    return undefined;
  }
}

/** The error code of a refusal. The endpoint's own text is never repeated, nor a code that could be anything else. */
function refusalCode(json: unknown): string | null {
  const code = isMembers(json) ? member(json, "error") : undefined;
  return typeof code === "string" && /^[a-z]+(?:_[a-z]+){0,5}$/.test(code) && code.length <= 40 ? code : null;
}

function tokensIn(json: unknown, secrets: Secrets): NewTokens | null {
  if (!isMembers(json)) return null;
  const text = (name: string): string | undefined => {
    const value = member(json, name);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const accessToken = text("access_token");
  const refreshToken = text("refresh_token");
  secrets.learn(...[accessToken, refreshToken, text("id_token")].filter((secret) => secret !== undefined));
  const type = text("token_type");
  if (!isTokenText(accessToken) || (type !== undefined && type.toLowerCase() !== "bearer")) return null;
  return { accessToken, refreshToken, expiresIn: secondsIn(member(json, "expires_in")), scope: text("scope") };
}

/** Longest lifetime that is believed, about 31 years: the sum with a clock stays exact. */
const MAX_SECONDS = 1_000_000_000;

/** A lifetime as a number or as its text; anything that is no positive number counts as not stated. */
function secondsIn(value: unknown): number | undefined {
  const seconds = typeof value === "string" && /^\s*\d{1,20}(?:\.\d+)?\s*$/.test(value) ? Number(value) : value;
  return typeof seconds === "number" && seconds > 0 ? Math.min(seconds, MAX_SECONDS) : undefined;
}
