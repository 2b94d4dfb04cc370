// What an answer or a lost request means: category, advice, whether a repeat is safe. Pure: values in, a verdict out.
// The pipeline adds the request's own facts (attempts, request id) and scrubs secrets.

import type { ApiDescriptor, OperationDescriptor, RemediationEntry, ResponseDescriptor } from "./descriptor.js";
import { DEFAULT_RETRYABLE, isCategory, isRetryable } from "./envelope.js";
import type { Category, EnvelopeParts, Retryable } from "./envelope.js";
import { refersTo } from "./expressions.js";
import type { Expression } from "./expressions.js";
import type { Protection } from "./idempotency.js";
import { isMembers, isNumeric, member } from "./json.js";
import { truncate } from "./redact.js";
import { argumentName } from "./wire.js";

/** The operation as far as classification reads it; its arguments and value do not matter here. */
export type AnyOperation = OperationDescriptor<never, unknown>;

/** What is known of an error answer. */
export interface ErrorAnswer {
  readonly status: number;
  /** Lower case, without parameters; empty when the answer states none. */
  readonly mediaType: string;
  readonly isEmpty: boolean;
  /** The decoded JSON body; `undefined` when the body is not JSON. */
  readonly json: unknown;
}

/** The part of an envelope that classification decides. */
export type Verdict = Omit<EnvelopeParts, "operation" | "attempts">;

/** The rows that describe a status: exact ones, else those of its range, else the default ones. */
export function responsesFor(operation: AnyOperation, status: number): readonly ResponseDescriptor[] {
  const exact = operation.responses.filter((row) => row.status === status || row.status === String(status));
  if (exact.length > 0) return exact;
  const range = `${Math.floor(status / 100)}XX`;
  const ranged = operation.responses.filter(
    (row) => typeof row.status === "string" && row.status.toUpperCase() === range,
  );
  if (ranged.length > 0) return ranged;
  return operation.responses.filter((row) => row.status === "default");
}

/** The API's error code in a body: text, or a number as text; at most 200 characters. */
export function errorCode(operation: AnyOperation, json: unknown): string | null {
  let at: unknown = json;
  if (operation.errorCodeField === undefined) return null;
  for (const step of operation.errorCodeField.split(".")) at = isMembers(at) ? member(at, step) : undefined;
  if (isNumeric(at)) return truncate(String(at));
  return typeof at === "string" && at !== "" ? truncate(at) : null;
}

/** Classifies an answer that is not a success. `protection` is what the call was sent under. */
export function classifyAnswer(
  api: ApiDescriptor,
  operation: AnyOperation,
  answer: ErrorAnswer,
  protection: Protection,
): Verdict {
  const { status } = answer;
  const code = errorCode(operation, answer.json);
  const facts = { http_status: status, code };
  const gate = operation.gate;
  if (gate !== undefined && gate.disabledStatus === status && code === null) {
    const text = gate.text === undefined ? {} : { remediation: gate.text };
    return { ...facts, category: "GATE_DISABLED", ...text };
  }
  const mutation = operation.safety !== "read_only";
  const entry = remediationEntry(api, operation, answer, code);
  if (mutation && isAmbiguous(api, operation, status) && !isDefiniteRejection(entry)) {
    return { ...facts, ...unknownOutcome(operation, protection, entry) };
  }
  const category = isCategory(entry?.category) ? entry.category : categoryOf(status, answer.json !== undefined);
  if (category === "OUTCOME_UNKNOWN") {
    if (mutation) return { ...facts, ...unknownOutcome(operation, protection, entry) };
    // A read changes nothing, so there is no outcome to wonder about.
    return { ...facts, category: "UPSTREAM_UNAVAILABLE", retryable: "after_delay", ...advice(entry) };
  }
  const retryable: Retryable = isRetryable(entry?.retryable) ? entry.retryable : DEFAULT_RETRYABLE[category];
  return { ...facts, category, retryable, ...advice(entry) };
}

function advice(entry: RemediationEntry | undefined): Pick<EnvelopeParts, "remediation" | "next_action"> {
  return {
    ...(entry?.text === undefined ? {} : { remediation: entry.text }),
    ...(entry?.nextAction === undefined ? {} : { next_action: entry.nextAction }),
  };
}

/** Category of a status that no table knows. */
export function categoryOf(status: number, hasJson: boolean): Category {
  switch (status) {
    case 401:
    case 403:
    case 407:
      return "AUTH_FAILED";
    case 402:
    case 412:
    case 428:
      return "PRECONDITION_FAILED";
    case 404:
    case 410:
      return "NOT_FOUND";
    case 408:
      return "UPSTREAM_UNAVAILABLE";
    case 409:
      return "CONFLICT";
    case 413:
      return "REQUEST_TOO_LARGE";
    case 422:
      return "VALIDATION_FAILED";
    case 429:
      return "RATE_LIMITED";
    default:
      if (status >= 500 && status <= 599) return "UPSTREAM_UNAVAILABLE";
      if (status >= 400 && status <= 499) return hasJson ? "VALIDATION_FAILED" : "MALFORMED_REQUEST";
      return "UNEXPECTED_RESPONSE";
  }
}

/** By code in the operation's table, by code in the API's, then by status and media type of a body without JSON. */
function remediationEntry(
  api: ApiDescriptor,
  operation: AnyOperation,
  answer: ErrorAnswer,
  code: string | null,
): RemediationEntry | undefined {
  for (const table of [operation.remediation, api.errorCodes]) {
    if (code !== null && table !== undefined && Object.hasOwn(table, code)) return table[code];
  }
  if (answer.json !== undefined) return undefined;
  const media = answer.isEmpty ? "none" : answer.mediaType;
  const row = api.nonJson?.find((entry) => entry.status === answer.status && entry.media.toLowerCase() === media);
  if (row === undefined) return undefined;
  const retryable = isRetryable(row.retryable) ? { retryable: row.retryable } : {};
  return { category: row.category, ...retryable, ...(row.text === undefined ? {} : { text: row.text }) };
}

function isAmbiguous(api: ApiDescriptor, operation: AnyOperation, status: number): boolean {
  if (status >= 500 && status <= 599) return true;
  if (api.ambiguousStatuses?.includes(status) === true) return true;
  return responsesFor(operation, status).some((row) => row.kind === "ambiguous");
}

/** Categories that do not say that nothing happened. */
const INDEFINITE: ReadonlySet<string> = new Set(["UPSTREAM_UNAVAILABLE", "OUTCOME_UNKNOWN", "TRANSPORT_FAILED"]);

/** Whether a table entry says that the server refused before doing anything. */
function isDefiniteRejection(entry: RemediationEntry | undefined): boolean {
  if (entry === undefined) return false;
  if (isCategory(entry.category)) return !INDEFINITE.has(entry.category);
  return entry.retryable === "never" || entry.retryable === "after_remediation";
}

/** The verdict for a mutation that may or may not have taken effect. Protection decides whether a repeat is safe. */
export function unknownOutcome(operation: AnyOperation, protection: Protection, entry?: RemediationEntry): Verdict {
  const next = entry?.nextAction ?? hookAdvice(operation) ?? repeatAdvice(operation, protection);
  const remediation =
    entry?.text ??
    (protection === null
      ? "Check whether the change took effect before repeating it: a repeat can apply it twice."
      : protection.kind === "key"
        ? "Repeat the call only with the same idempotency key and identical arguments."
        : "Repeat the call only with the identical body.");
  const retryable: Retryable = protection === null ? "after_remediation" : "same_key_only";
  return { category: "OUTCOME_UNKNOWN", retryable, remediation, next_action: next };
}

/** The read that tells what a call has done, when it can be called without the answer that was lost. */
function hookAdvice(operation: AnyOperation): string | null {
  const hook = operation.verify;
  if (hook === undefined || refersTo(hook.args, "response")) return null;
  const target = hook.operation();
  const members = "object" in hook.args ? hook.args.object : [];
  const args = members.map(({ name, value }) => `${argumentName(target, name)}${sourceText(operation, value)}`);
  const given = args.length === 0 ? "" : ` with ${args.join(", ")}`;
  return truncate(`Call ${target.id}${given} to see whether the change took effect.`);
}

/** Where an argument of the hook comes from: a literal, or an argument of the call under its TypeScript name. */
function sourceText(operation: AnyOperation, value: Expression): string {
  if ("value" in value) return ` = ${JSON.stringify(value.value)}`;
  if (!("ref" in value)) return "";
  const [first, ...rest] = value.path ?? [];
  const steps = first === undefined ? [] : [argumentName(operation, first), ...rest];
  return ` = ${["args", ...steps].join(".")}`;
}

function repeatAdvice(operation: AnyOperation, protection: Protection): string | null {
  if (protection === null) return null;
  return protection.kind === "key"
    ? `Repeat ${operation.id} with the same idempotency key and identical arguments.`
    : `Repeat ${operation.id} with the identical body.`;
}

/** How a request was lost. */
export type Loss = "connect" | "lost" | "timeout" | "cancelled";

/** Classifies a request without a complete answer. `written` is false when it surely did not reach the server. */
export function classifyLoss(operation: AnyOperation, loss: Loss, written: boolean, protection: Protection): Verdict {
  if (written && operation.safety !== "read_only") return unknownOutcome(operation, protection);
  switch (loss) {
    case "timeout":
      return {
        category: "UPSTREAM_UNAVAILABLE",
        remediation: "Wait, then call again, with a longer timeoutMs if needed.",
      };
    case "cancelled":
      return {
        category: "TRANSPORT_FAILED",
        remediation: "Call again if the result is still wanted: the caller cancelled.",
      };
    default:
      return { category: "TRANSPORT_FAILED" };
  }
}
