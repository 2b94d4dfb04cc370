// What the steps of a macro will do. The first request is checked and rendered; those after it are rendered as far as
// they are known, with placeholders for what an earlier step will tell. Sends nothing.

import type { CheckedArguments } from "./args.js";
import type { MacroDescriptor, MacroStep } from "./descriptor.js";
import { escapeComponent } from "./encode.js";
import { evaluate, resolver } from "./expressions.js";
import type { Resolve } from "./expressions.js";
import { isMembers } from "./json.js";
import type { MacroOptions } from "./options.js";
import { runPreview } from "./pipeline.js";
import { effectsOf } from "./preview.js";
import type { MacroStepPreview, PreviewRequest } from "./preview.js";
import { SensitiveFields } from "./redact.js";
import type { Failed } from "./result.js";
import type { Runtime } from "./runtime.js";
import { argumentsFrom, uncheckedArguments } from "./wire.js";
import type { Typed } from "./wire.js";

export interface ShownSteps {
  readonly first: PreviewRequest;
  readonly steps: readonly MacroStepPreview[];
}

/** Renders all steps; the failure of the first one is the macro's. */
export async function stepPreviews(
  runtime: Runtime,
  macro: MacroDescriptor<never, unknown>,
  input: Typed,
  options: MacroOptions,
): Promise<ShownSteps | Failed> {
  const steps: MacroStepPreview[] = [];
  let first: PreviewRequest | null = null;
  for (const [index, step] of macro.steps.entries()) {
    const placeholders: string[] = [];
    const wire = evaluate(step.args, placeholderResolver(macro, input, placeholders), "wire");
    const args = isMembers(wire) ? wire : {};
    const checked = uncheckedArguments(step.operation, args);
    const how = index === 0 ? { local: true as const } : { local: true as const, checked };
    const { timeoutMs, headers, signal } = options;
    const result = await runPreview(
      runtime,
      step.operation,
      argumentsFrom(step.operation, args),
      { timeoutMs, headers, signal },
      how,
    );
    if (!result.ok && index === 0) return { ...result, error: { ...result.error, operation: macro.name } };
    const request = result.ok ? readable(result.value.request, placeholders) : null;
    first ??= request;
    steps.push(stepPreview(step, index, request, result.ok ? result.value.effects : effects(step, checked)));
  }
  return { first: first ?? { method: "", url: "", headers: {}, body: null }, steps };
}

function stepPreview(
  step: MacroStep,
  index: number,
  request: PreviewRequest | null,
  effects: readonly string[],
): MacroStepPreview {
  const { operation, kind } = step;
  return {
    step: index + 1,
    kind,
    operation: operation.id,
    as: step.as ?? null,
    safety: operation.safety,
    request,
    effects,
  };
}

function effects(step: MacroStep, args: CheckedArguments): readonly string[] {
  return effectsOf(step.operation, args, new SensitiveFields(step.operation.sensitiveRequestFields));
}

/** Gives what the input says, and for the answers of steps a placeholder, which is noted. */
function placeholderResolver(macro: MacroDescriptor<never, unknown>, input: Typed, placeholders: string[]): Resolve {
  const known = resolver((root) => (root === "input" ? input : undefined));
  return (reference) => {
    if (typeof reference.ref !== "number") return known(reference);
    const step = macro.steps[reference.ref];
    const name = step?.as ?? String(reference.ref + 1);
    const path = (reference.path ?? []).join(".");
    const text = path === "" ? `<from step ${name}>` : `<from step ${name}: ${path}>`;
    placeholders.push(text);
    return { schema: { kind: "any" }, wire: text };
  };
}

/** A request whose placeholders can be read: those in its URL were percent-encoded. */
function readable(request: PreviewRequest, placeholders: readonly string[]): PreviewRequest {
  const url = placeholders.reduce((text, one) => text.replaceAll(escapeComponent(one), one), request.url);
  return { ...request, url };
}
