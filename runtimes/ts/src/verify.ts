// Looks at what a call has done: reads through another operation, compares with what is expected, and waits for a final
// state where the description names one. Reads a call's arguments and answer; the read itself goes through `pipeline.ts`.

import type { VerifyDescriptor } from "./descriptor.js";
import { bound, evaluate, holds, observed, resolver } from "./expressions.js";
import type { Condition } from "./expressions.js";
import { isMembers } from "./json.js";
import type { CallOptions } from "./options.js";
import { runCall } from "./pipeline.js";
import { DEFAULT_BUDGET_MS, DEFAULT_INTERVAL_MS, poll } from "./poll.js";
import type { Result, Verification } from "./result.js";
import type { Ready, Runtime } from "./runtime.js";
import { argumentsFrom, NOTHING, wireOfArguments } from "./wire.js";
import type { Typed } from "./wire.js";

interface Look {
  readonly result: Result<unknown>;
  readonly answer: Typed;
}

/** Verifies a call that succeeded. Never rejects and never changes the call's result. */
export async function verifyCall(runtime: Runtime, ready: Ready, response: Typed): Promise<Verification> {
  const hook = ready.operation.verify;
  if (hook === undefined) return { checked: false, state: null, passed: null, observed: {} };
  const args: Typed = { schema: { kind: "any" }, wire: wireOfArguments(ready.args) };
  const resolve = resolver((root) => (root === "response" ? response : root === "args" ? args : undefined));
  const terminal = hook.terminal === undefined ? undefined : bound(hook.terminal, resolve);
  const expect = hook.expect === undefined ? undefined : bound(hook.expect, resolve);
  const wire = evaluate(hook.args, resolve, "wire");
  const { timeoutMs, headers, signal } = ready.options;
  const ask = (): Promise<Look> => look(runtime, hook, wire, { timeoutMs, headers, signal });
  const isFinal = ({ result, answer }: Look): boolean =>
    !result.ok || terminal === undefined || holds(terminal, answer);
  const { intervalMs = DEFAULT_INTERVAL_MS, budgetMs = DEFAULT_BUDGET_MS } = hook;
  const { end, last } = await poll(runtime, { intervalMs, budgetMs, signal }, ask, isFinal);
  const timedOut = end === "final" ? {} : { timed_out: true as const };
  return { ...verdict(last, expect, terminal), ...timedOut };
}

async function look(runtime: Runtime, hook: VerifyDescriptor, wire: unknown, options: CallOptions): Promise<Look> {
  const operation = hook.operation();
  let answer = NOTHING;
  const args = argumentsFrom(operation, isMembers(wire) ? wire : {});
  const onAnswer = (typed: Typed): void => void (answer = typed);
  return { result: await runCall(runtime, operation, args, options, { onAnswer }), answer };
}

function verdict(
  { result, answer }: Look,
  expect: readonly Condition[] | undefined,
  terminal: readonly Condition[] | undefined,
): Verification {
  if (!result.ok) return { checked: false, state: null, passed: null, observed: {}, error: result.error };
  const seen = observed([...(expect ?? []), ...(terminal ?? [])], answer);
  const state = Object.values(seen)[0] ?? null;
  return { checked: true, state, passed: expect === undefined ? null : holds(expect, answer), observed: seen };
}
