// Calls of several steps. Each step is an ordinary call through `pipeline.ts`; this file evaluates arguments, waits for
// polls, gathers pages, and asks for one confirmation for the whole run. Nothing here throws.

import { checkArguments } from "./args.js";
import type { CheckedArguments } from "./args.js";
import { classifyLoss } from "./classify.js";
import type { AnyOperation } from "./classify.js";
import { signToken, TOKEN_TTL_MS } from "./confirm.js";
import type { MacroDescriptor, MacroStep, ParamDescriptor, Safety } from "./descriptor.js";
import { sha256Hex } from "./digest.js";
import { evaluate, holds, resolver } from "./expressions.js";
import type { Resolve } from "./expressions.js";
import { argumentFailure, failure } from "./failure.js";
import { planKey } from "./idempotency.js";
import type { Protection } from "./idempotency.js";
import { canonicalJson, isMembers, member, setMember } from "./json.js";
import type { Members } from "./json.js";
import { stepPreviews } from "./macro-preview.js";
import { failedStep } from "./macro-failure.js";
import type { MacroOptions } from "./options.js";
import { runCall } from "./pipeline.js";
import { DEFAULT_BUDGET_MS, DEFAULT_INTERVAL_MS, poll } from "./poll.js";
import { confirmationFailure, confirmationOf, keyParam } from "./prepare.js";
import type { PreviewResult } from "./preview.js";
import { scrubber, SensitiveFields, truncate } from "./redact.js";
import type { Failed, ResponseMeta, Result } from "./result.js";
import type { How, Runtime } from "./runtime.js";
import type { Schema } from "./schema.js";
import { argumentsFrom, NOTHING, wireOfArguments } from "./wire.js";
import type { Typed } from "./wire.js";

/** A macro as far as this file reads it; its input and output do not matter here. */
export type AnyMacro = MacroDescriptor<never, unknown>;

/** What runs macros. Generated descriptors name it. */
export interface MacroEngine {
  readonly run: (runtime: Runtime, macro: AnyMacro, input: unknown, options: MacroOptions) => Promise<Result<unknown>>;
  readonly preview: (
    runtime: Runtime,
    macro: AnyMacro,
    input: unknown,
    options: MacroOptions,
  ) => Promise<Result<PreviewResult>>;
}

export const macroEngine: MacroEngine = { run: runMacro, preview: previewMacro };

const DEFAULT_MAX_PAGES = 100;
const TIERS: readonly Safety[] = ["read_only", "mutating", "destructive", "irreversible"];

/** What a step gave: its value for callers, and as it travelled for the steps after it. */
interface Given {
  readonly value: unknown;
  readonly typed: Typed;
  readonly meta: ResponseMeta;
}

/** One run on its way. */
interface Run {
  readonly runtime: Runtime;
  readonly macro: AnyMacro;
  readonly options: MacroOptions;
  readonly input: Typed;
  readonly keys: readonly (string | undefined)[];
  /** Spends the run's token; false when it was spent on another run. */
  readonly spend: () => boolean;
  readonly results: Typed[];
}

async function runMacro(
  runtime: Runtime,
  macro: AnyMacro,
  given: unknown,
  options: MacroOptions,
): Promise<Result<unknown>> {
  return reported(runtime, macro, async () => {
    const subject = subjectOf(macro);
    const input = checkedInput(runtime, macro, given);
    if ("error" in input) return input;
    const keys = await stepKeys(macro, options.idempotencyKey);
    const lacking = lackingKey(runtime, macro, keys);
    if (lacking !== null) return lacking;
    const confirmed = await confirmationOf(runtime, `macro:${macro.name}`, subject.safety, options, () =>
      digest(input),
    );
    if ("problem" in confirmed)
      return confirmationFailure(runtime, subject, scrubber(runtime.secrets), confirmed.problem);
    const protection = runProtection(macro, keys, options.idempotencyKey);
    const { token } = confirmed;
    const spend = (): boolean => token === null || runtime.tokens.spend(token, protection, runtime.now());
    const typed: Typed = { schema: ANY, wire: wireOfArguments(input) };
    return steps({ runtime, macro, options, input: typed, keys, spend: once(spend), results: [] });
  });
}

const ANY: Schema = { kind: "any" };

function once(spend: () => boolean): () => boolean {
  let answer: boolean | undefined;
  return () => (answer ??= spend());
}

async function steps(run: Run): Promise<Result<unknown>> {
  const { macro } = run;
  const partial: Record<string, unknown> = {};
  let meta: ResponseMeta = { status: 0, headers: {}, requestId: null, attempts: 0 };
  const resolve = resolverOf(run);
  for (const [index, step] of macro.steps.entries()) {
    const result = await runStep(run, step, index, resolve);
    if ("error" in result) {
      const own = result.partial;
      if (own !== undefined && step.as !== undefined) setMember(partial, step.as, own);
      return failedStep(macro, index, result, partial, (at) => isProtected(macro.steps[at], run.keys[at]));
    }
    run.results.push(result.typed);
    if (step.as !== undefined) setMember(partial, step.as, result.value);
    meta = { ...result.meta, attempts: meta.attempts + result.meta.attempts };
  }
  return { ok: true, value: evaluate(macro.output, resolve, "key"), meta };
}

/** `$input` and the answers of the steps before. */
function resolverOf(run: Run): Resolve {
  return resolver((root) => (root === "input" ? run.input : typeof root === "number" ? run.results[root] : undefined));
}

async function runStep(run: Run, step: MacroStep, index: number, resolve: Resolve): Promise<Given | Failed> {
  const { runtime, options } = run;
  const wire = evaluate(step.args, resolve, "wire");
  const args = argumentsFrom(step.operation, isMembers(wire) ? wire : {});
  const { timeoutMs, headers, signal } = options;
  const idempotencyKey = run.keys[index];
  const callOptions = { timeoutMs, headers, signal, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  const how: How = { confirmed: spends(run.macro, index) ? run.spend : () => true };
  const ask = async (): Promise<Given | Failed> => {
    let typed = NOTHING;
    const onAnswer = (answer: Typed): void => void (typed = answer);
    const result = await runCall(runtime, step.operation, args, callOptions, { ...how, onAnswer });
    return result.ok ? { value: result.value, typed, meta: result.meta } : result;
  };
  switch (step.kind) {
    case "call":
      return ask();
    case "poll":
      return polled(run, step, resolve, ask);
    case "paginate":
      return gathered(run, step, args, { timeoutMs, headers, signal });
  }
}

/** Whether a step is the one whose request the confirmation is spent on: the first that changes something. */
function spends(macro: AnyMacro, index: number): boolean {
  const first = macro.steps.findIndex(isChange);
  return index === Math.max(first, 0);
}

/** A poll that runs out of time gives null, which is for the macro's output to tell. */
async function polled(
  run: Run,
  step: MacroStep & { readonly kind: "poll" },
  resolve: Resolve,
  ask: () => Promise<Given | Failed>,
): Promise<Given | Failed> {
  const budget = step.budgetMs === undefined ? undefined : evaluate(step.budgetMs, resolve, "wire");
  const timing = {
    intervalMs: step.intervalMs ?? DEFAULT_INTERVAL_MS,
    budgetMs: typeof budget === "number" || typeof budget === "bigint" ? Number(budget) : DEFAULT_BUDGET_MS,
    signal: run.options.signal,
  };
  let attempts = 0;
  const counted = async (): Promise<Given | Failed> => {
    const result = await ask();
    if (!("error" in result)) attempts += result.meta.attempts;
    return result;
  };
  const isFinal = (given: Given | Failed): boolean => "error" in given || holds(step.until, given.typed);
  const { end, last } = await poll(run.runtime, timing, counted, isFinal);
  if ("error" in last) return last;
  const meta = { ...last.meta, attempts };
  if (end === "final") return { ...last, meta };
  if (end === "timeout") return { value: null, typed: { schema: ANY, wire: null }, meta };
  const verdict = classifyLoss(step.operation, "cancelled", false, null);
  return failure(step.operation, scrubber(run.runtime.secrets), { ...verdict, attempts });
}

/** The items of all pages as one list. */
async function gathered(
  run: Run,
  step: MacroStep & { readonly kind: "paginate" },
  args: Members,
  options: Pick<MacroOptions, "timeoutMs" | "headers" | "signal">,
): Promise<Given | Failed> {
  const { operation, maxPages = DEFAULT_MAX_PAGES } = step;
  const items: unknown[] = [];
  const wire: unknown[] = [];
  let schema: Schema = ANY;
  let meta: ResponseMeta = { status: 0, headers: {}, requestId: null, attempts: 0 };
  const pages = operation.pagination?.open(run.runtime, operation, args, { ...options, maxPages });
  for await (const { result, list } of pages?.steps() ?? []) {
    if (!result.ok) return items.length === 0 ? result : { ...result, partial: items };
    for (const item of result.value.items) items.push(item);
    if (Array.isArray(list.wire)) for (const item of list.wire) wire.push(item);
    if (list.schema.kind !== "any") ({ schema } = list);
    meta = { ...result.meta, attempts: meta.attempts + result.meta.attempts };
  }
  return { value: items, typed: { schema, wire }, meta };
}

async function previewMacro(
  runtime: Runtime,
  macro: AnyMacro,
  given: unknown,
  options: MacroOptions,
): Promise<Result<PreviewResult>> {
  return reported(runtime, macro, async () => {
    const subject = subjectOf(macro);
    const input = checkedInput(runtime, macro, given);
    if ("error" in input) return input;
    const shown = await stepPreviews(runtime, macro, { schema: ANY, wire: wireOfArguments(input) }, options);
    if ("error" in shown) return shown;
    const expiresAt = runtime.now() + TOKEN_TTL_MS;
    const token =
      subject.safety === "read_only"
        ? null
        : await signToken(runtime.confirmationKey, `macro:${macro.name}`, await digest(input), expiresAt);
    const value: PreviewResult = {
      operation: macro.name,
      safety: subject.safety,
      request: shown.first,
      effects: [...new Set(shown.steps.flatMap((step) => step.effects))],
      confirmation_token: token,
      expires_in_ms: token === null ? null : TOKEN_TTL_MS,
      steps: shown.steps,
    };
    return { ok: true, value, meta: { status: 0, headers: {}, requestId: null, attempts: 0 } };
  });
}

/** Tells the hooks about failures that are the macro's own, and turns whatever is thrown into one. */
async function reported<T>(runtime: Runtime, macro: AnyMacro, body: () => Promise<Result<T>>): Promise<Result<T>> {
  let result: Result<T>;
  try {
    result = await body();
  } catch (error) {
    result = failure(subjectOf(macro), scrubber(runtime.secrets), {
      category: "VALIDATION_FAILED",
      failed_parameter: "args",
      expected: truncate(error instanceof Error ? error.message : String(error)),
      remediation: "Pass plain values that can be encoded.",
    });
  }
  if (!result.ok) await runtime.hooks.diagnostic({ kind: "failure", operation: macro.name, error: result.error });
  return result;
}

// ---- Input, confirmation, keys ----

/** The macro as an operation that takes its input: failures and checks of arguments are those of operations. */
function subjectOf(macro: AnyMacro): AnyOperation {
  const { extends: base, fields = [] } = macro.input;
  const added = new Set(fields.map((field) => field.name));
  const own = fields.map(({ key, name, schema, required }): ParamDescriptor => {
    return { key, name, in: "query", schema, ...(required === true ? { required } : {}) };
  });
  const kept = (base?.params ?? []).filter((param) => !added.has(param.name));
  const tiers = [macro.safety, ...macro.steps.filter(isCall).map((step) => step.operation.safety)];
  const safety = tiers.reduce((strict, tier) => (TIERS.indexOf(tier) > TIERS.indexOf(strict) ? tier : strict));
  return {
    id: macro.name,
    method: base?.method ?? "POST",
    path: base?.path ?? "/",
    params: [...kept, ...own],
    ...(base?.body === undefined ? {} : { body: base.body }),
    ...(base?.sensitiveRequestFields === undefined ? {} : { sensitiveRequestFields: base.sensitiveRequestFields }),
    responses: [],
    safety,
  };
}

function checkedInput(runtime: Runtime, macro: AnyMacro, given: unknown): CheckedArguments | Failed {
  const subject = subjectOf(macro);
  const input = checkArguments(subject, withDefaults(macro, given));
  if (!("failedParameter" in input)) return input;
  const sensitive = new SensitiveFields(subject.sensitiveRequestFields);
  return argumentFailure(subject, input, sensitive, scrubber(runtime.secrets));
}

function withDefaults(macro: AnyMacro, given: unknown): unknown {
  if (given !== undefined && !isMembers(given)) return given;
  const input: Record<string, unknown> = { ...given };
  for (const { key, default: value } of macro.input.fields ?? []) {
    if (value !== undefined && member(input, key) === undefined) setMember(input, key, value);
  }
  return input;
}

function digest(input: CheckedArguments): Promise<string> {
  return sha256Hex(canonicalJson(input.given));
}

/**
 * The key of each step that can be called with one: the caller's for the first, keys made from it for the others, so
 * that a second run with the same key repeats every step under its own one.
 */
async function stepKeys(macro: AnyMacro, key: string | undefined): Promise<readonly (string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  let first = true;
  for (const [index, step] of macro.steps.entries()) {
    const takes = key !== undefined && isCall(step) && takesKey(step.operation);
    keys.push(!takes ? undefined : first ? key : await derivedKey(key, macro.name, index));
    if (takes) first = false;
  }
  return keys;
}

function takesKey(operation: AnyOperation): boolean {
  const policy = operation.idempotency?.policy ?? "none";
  return policy === "auto" || policy === "caller_owned" || (policy === "none" && keyParam(operation) !== undefined);
}

async function derivedKey(key: string, macro: string, index: number): Promise<string> {
  const text = await sha256Hex(`${key}\n${macro}\n${index}`);
  const variant = ((Number.parseInt(text.slice(16, 17), 16) & 3) | 8).toString(16);
  const parts = [text.slice(0, 8), text.slice(8, 12), `4${text.slice(13, 16)}`];
  return [...parts, `${variant}${text.slice(17, 20)}`, text.slice(20, 32)].join("-");
}

/** The failure of a run that a later step would end for want of a key, before the first one has had its effect. */
function lackingKey(runtime: Runtime, macro: AnyMacro, keys: readonly (string | undefined)[]): Failed | null {
  for (const [index, step] of macro.steps.entries()) {
    if (!isCall(step)) continue;
    const plan = planKey(step.operation.idempotency, keys[index], keyParam(step.operation), true);
    if (plan.kind !== "refused") continue;
    return failure(subjectOf(macro), scrubber(runtime.secrets), {
      category: "VALIDATION_FAILED",
      failed_parameter: "idempotencyKey",
      expected: plan.expected,
      remediation: plan.remediation,
    });
  }
  return null;
}

function isCall(step: MacroStep): boolean {
  return step.kind === "call";
}

function isChange(step: MacroStep): boolean {
  return isCall(step) && step.operation.safety !== "read_only";
}

/** Whether repeating a step is harmless. */
function isProtected(step: MacroStep | undefined, key: string | undefined): boolean {
  if (step === undefined || !isChange(step) || key !== undefined) return true;
  const policy = step.operation.idempotency?.policy;
  return policy === "auto" || policy === "content_hash" || policy === "content_identity";
}

/** What makes a second run harmless; `null` as soon as one step has nothing. */
function runProtection(macro: AnyMacro, keys: readonly (string | undefined)[], key: string | undefined): Protection {
  const all = macro.steps.every((step, index) => isProtected(step, keys[index]));
  if (!all || !macro.steps.some(isChange)) return null;
  return keys.some((one) => one !== undefined) && key !== undefined ? { kind: "key", key } : { kind: "identity" };
}
