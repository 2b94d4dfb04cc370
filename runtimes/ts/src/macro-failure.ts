// The failure of a macro: the envelope of the step that failed, told as the macro's own. Says which steps were completed
// and whether the macro may be run again. Pure.

import type { MacroDescriptor, MacroStep } from "./descriptor.js";
import type { Envelope, Retryable } from "./envelope.js";
import type { Failed } from "./result.js";

/** Turns the failure of step `index` into that of the run. `isProtected` tells whether repeating a step is harmless. */
export function failedStep(
  macro: MacroDescriptor<never, unknown>,
  index: number,
  failed: Failed,
  partial: Readonly<Record<string, unknown>>,
  isProtected: (index: number) => boolean,
): Failed {
  const step = macro.steps[index];
  if (step === undefined) return failed;
  const before = macro.steps.slice(0, index);
  const unprotected = before.filter((_, at) => !isProtected(at));
  const own = failed.error;
  const parts = [
    macro.steps.length > 1 ? `Step ${index + 1} of ${macro.steps.length} (${step.operation.id}) failed.` : "",
    before.length === 0 ? "" : `Completed before it: ${before.map(stepText).join(", ")}.`,
    unprotected.length === 0
      ? ""
      : `Do not run the macro again: that would repeat ${unprotected.map(stepText).join(", ")}.`,
    own.remediation,
  ];
  const error: Envelope = {
    ...own,
    operation: macro.name,
    remediation: parts.filter((part) => part !== "").join(" "),
    ...(unprotected.length === 0 ? {} : { retryable: tamed(own.retryable), next_action: nextAction(step, own) }),
  };
  return Object.keys(partial).length === 0 ? { ok: false, error } : { ok: false, error, partial };
}

/** `created (shop.createOrder)`. */
function stepText(step: MacroStep): string {
  return step.as === undefined ? step.operation.id : `${step.as} (${step.operation.id})`;
}

/** Waiting or the same key help a single call; a second run would repeat what was done. */
function tamed(retryable: Retryable): Retryable {
  return retryable === "after_delay" || retryable === "same_key_only" ? "after_remediation" : retryable;
}

/** The step by itself is the next call, unless it may have taken effect: then finding that out comes first. */
function nextAction(step: MacroStep, own: Envelope): string {
  const { id } = step.operation;
  if (own.category === "OUTCOME_UNKNOWN")
    return own.next_action ?? `Find out whether ${id} took effect before calling it.`;
  return `Call ${id} by itself, with what the completed steps gave (partial).`;
}
