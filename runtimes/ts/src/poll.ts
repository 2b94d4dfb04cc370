// Asking again until an answer is final or the time is over. Waits and the clock are the client's; a clock that stands
// still or jumps back does not make the wait longer, because the waits themselves are counted too.

import type { Runtime } from "./runtime.js";

export interface Timing {
  readonly intervalMs: number;
  /** For all questions together. */
  readonly budgetMs: number;
  readonly signal: AbortSignal | undefined;
}

export const DEFAULT_INTERVAL_MS = 1000;
export const DEFAULT_BUDGET_MS = 30_000;
/** Shorter waits would be a burst of requests. */
const MIN_INTERVAL_MS = 100;

/** How the asking ended, with the last answer. */
export interface Polled<T> {
  readonly end: "final" | "timeout" | "cancelled";
  readonly last: T;
}

/** Asks once, and again after each interval until `isFinal` or the end of the budget; the last question is at its end. */
export async function poll<T>(
  runtime: Runtime,
  timing: Timing,
  ask: () => Promise<T>,
  isFinal: (answer: T) => boolean,
): Promise<Polled<T>> {
  const interval = Math.max(timing.intervalMs, MIN_INTERVAL_MS);
  const start = runtime.now();
  let waited = 0;
  for (;;) {
    const last = await ask();
    if (isFinal(last)) return { end: "final", last };
    if (timing.signal?.aborted === true) return { end: "cancelled", last };
    const left = timing.budgetMs - Math.max(waited, runtime.now() - start);
    // Not `left <= 0`: a budget that is no number must not wait for ever.
    if (!(left > 0)) return { end: "timeout", last };
    const ms = Math.min(interval, left);
    waited += ms;
    try {
      await runtime.sleep(ms, timing.signal ?? new AbortController().signal);
    } catch {
      return { end: "cancelled", last };
    }
  }
}
