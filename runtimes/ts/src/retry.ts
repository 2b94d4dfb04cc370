// When and how long to wait before another attempt. Pure: time and randomness are passed in, nothing sleeps here.

import type { ApiDescriptor, RetryTier, Safety } from "./descriptor.js";
import type { Category, Envelope } from "./envelope.js";

/** Retry settings of a client; each member overrides the API's own setting. */
export interface RetryOptions {
  /** Attempts after the first, 0 to 10. */
  readonly max?: number;
  /** Ceiling of the first delay, in milliseconds. */
  readonly baseMs?: number;
  /** Ceiling of every delay, that of `Retry-After` included. */
  readonly maxMs?: number;
  readonly jitter?: RetryTier["jitter"];
  /** Whether `Retry-After` sets the delay. */
  readonly honorRetryAfter?: boolean;
}

/** The settings that hold for one call. */
export type RetryPolicy = Required<RetryOptions>;

const DEFAULTS: RetryPolicy = { max: 3, baseMs: 200, maxMs: 5000, jitter: "full", honorRetryAfter: true };
const MAX_RETRIES = 10;

/** The runtime's defaults, then the operation's tier, then the client's options, member by member. */
export function retryPolicy(api: ApiDescriptor, safety: Safety, options: RetryOptions | undefined): RetryPolicy {
  const tier = safety === "read_only" ? api.retries?.readOnly : api.retries?.mutating;
  const honor = api.retries?.honorRetryAfter;
  const merged: RetryPolicy = {
    ...DEFAULTS,
    ...(tier ?? {}),
    ...(honor === undefined ? {} : { honorRetryAfter: honor }),
    ...defined(options ?? {}),
  };
  const max = Number.isFinite(merged.max) ? Math.min(Math.max(Math.trunc(merged.max), 0), MAX_RETRIES) : DEFAULTS.max;
  return { ...merged, max };
}

function defined(options: RetryOptions): Partial<RetryPolicy> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const RETRIED: ReadonlySet<Category> = new Set(["RATE_LIMITED", "UPSTREAM_UNAVAILABLE", "TRANSPORT_FAILED"]);

/**
 * Whether a failure may be followed by another attempt. A read may; a mutation only when a repeat is harmless.
 */
export function isRetried(error: Envelope, safety: Safety, isProtected: boolean): boolean {
  if (error.retryable === "never" || error.retryable === "after_remediation") return false;
  if (safety !== "read_only" && !isProtected) return false;
  return RETRIED.has(error.category) || (error.category === "OUTCOME_UNKNOWN" && isProtected);
}

/**
 * Delay before retry `n` (1-based), in milliseconds.
 *
 * The ceiling is `min(maxMs, baseMs * 2^(n-1))`; jitter `full` is uniform below it, `equal` half of it plus a uniform
 * half; `unit` is a random number in `0.0..1.0`. A `Retry-After` answer overrides this (RFC 9110, section 10.2.3),
 * capped by `maxMs`.
 */
export function retryDelayMs(n: number, policy: RetryPolicy, retryAfterMs: number | null, unit: number): number {
  if (policy.honorRetryAfter && retryAfterMs !== null) return Math.min(retryAfterMs, policy.maxMs);
  const ceiling = Math.min(policy.maxMs, policy.baseMs * 2 ** (n - 1));
  if (policy.jitter === "none") return Math.round(ceiling);
  return Math.round(policy.jitter === "full" ? ceiling * unit : ceiling / 2 + (ceiling / 2) * unit);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const TIME = String.raw`(\d{2}):(\d{2}):(\d{2})`;
/** The three forms of an HTTP date (RFC 9110, section 5.6.7): day, month, year, time; asctime has its own order. */
const IMF_DATE = new RegExp(String.raw`^\w{3}, (\d{2}) (\w{3}) (\d{4}) ${TIME} GMT$`, "i");
const RFC850_DATE = new RegExp(String.raw`^\w{6,9}, (\d{2})-(\w{3})-(\d{2}) ${TIME} GMT$`, "i");
const ASCTIME_DATE = new RegExp(String.raw`^\w{3} (\w{3}) ([ \d]\d) ${TIME} (\d{4})$`, "i");

/** Milliseconds to wait that `Retry-After` asks for; `null` when it is absent or makes no sense. */
export function parseRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(text, now);
  return date === null ? null : Math.max(0, date - now);
}

function parseHttpDate(text: string, now: number): number | null {
  const long = IMF_DATE.exec(text) ?? RFC850_DATE.exec(text);
  if (long !== null) {
    const [, day, month, year, hour, minute, second] = long;
    return dateOf([year, month, day, hour, minute, second], now);
  }
  const short = ASCTIME_DATE.exec(text);
  if (short === null) return null;
  const [, month, day, hour, minute, second, year] = short;
  return dateOf([year, month, day, hour, minute, second], now);
}

function dateOf(parts: readonly (string | undefined)[], now: number): number | null {
  const month = MONTHS.indexOf((parts[1] ?? "").toLowerCase());
  const [year, day, hour, minute, second] = [parts[0], parts[2], parts[3], parts[4], parts[5]].map(Number);
  if (month < 0 || year === undefined || day === undefined) return null;
  const full = parts[0]?.length === 2 ? fullYear(year, now) : year;
  const date = Date.UTC(full, month, day, hour, minute, second);
  return Number.isFinite(date) ? date : null;
}

/** A two-digit year that seems more than 50 years ahead lies in the past (RFC 9110, section 5.6.7). */
function fullYear(year: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const guess = thisYear - (thisYear % 100) + year;
  return guess > thisYear + 50 ? guess - 100 : guess;
}
