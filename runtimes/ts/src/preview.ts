// What a preview tells: the rendered request, the effects, the confirmation token. Builds plain data; rendering and
// signing are done by the callers.

import { wireArguments } from "./args.js";
import type { CheckedArguments } from "./args.js";
import type { AnyOperation } from "./classify.js";
import type { Safety } from "./descriptor.js";
import { valueAt } from "./json.js";
import { isSecretName, REDACTED, truncate } from "./redact.js";
import type { SensitiveFields } from "./redact.js";
import { messageText } from "./request.js";

/** A request as it would be sent, with secrets redacted. */
export interface PreviewRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Wire form; `null` without a body. */
  readonly body: unknown;
}

/** What `preview()` returns. */
export interface PreviewResult {
  readonly operation: string;
  readonly safety: Safety;
  readonly request: PreviewRequest;
  /** What the call will do, in sentences. */
  readonly effects: readonly string[];
  /** Good for exactly these arguments; `null` for a read. */
  readonly confirmation_token: string | null;
  readonly expires_in_ms: number | null;
  /** The server's answer to a dry run, where the API offers one. */
  readonly server_preview?: unknown;
  /** Of a macro: what each step will do. */
  readonly steps?: readonly MacroStepPreview[];
}

/** What a step of a macro will do. What only an earlier step tells reads `<from step NAME: path>`. */
export interface MacroStepPreview {
  /** Counted from 1. */
  readonly step: number;
  readonly kind: "call" | "poll" | "paginate";
  readonly operation: string;
  readonly as: string | null;
  readonly safety: Safety;
  /** `null` when it cannot be known. */
  readonly request: PreviewRequest | null;
  readonly effects: readonly string[];
}

/** Stands for a key that is made when the call is sent. */
export const KEY_PLACEHOLDER = "<generated when the call is sent>";

/** The confirmation message with its placeholders filled in, the remediation note, the summary: those that exist. */
export function effectsOf(
  operation: AnyOperation,
  args: CheckedArguments,
  sensitive: SensitiveFields,
): readonly string[] {
  const message = operation.confirmation?.message;
  const filled = message === undefined ? undefined : interpolate(message, operation, args, sensitive);
  const effects = [filled, operation.remediationNote, operation.summary];
  return effects.filter((text): text is string => text !== undefined && text !== "");
}

/** Replaces `{field}`, a dotted wire name; one that has no value stays as it is. */
function interpolate(
  message: string,
  operation: AnyOperation,
  args: CheckedArguments,
  sensitive: SensitiveFields,
): string {
  const values = wireArguments(args);
  return message.replace(/\{([^{}]+)\}/g, (whole: string, name: string) => {
    const path = name.trim().split(".");
    const value = valueAt(values, [name.trim()]) ?? valueAt(values, path);
    if (value === undefined) return whole;
    const marked = operation.params?.some((param) => param.name === path[0] && param.sensitive === true) === true;
    return marked || sensitive.covers(path) || path.some(isSecretName) ? REDACTED : truncate(messageText(value));
  });
}
