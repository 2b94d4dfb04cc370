// The diagnostic envelope: the one shape of every failure. Fourteen members, always present, in a fixed order.
// Reads what a caller of `envelope()` knows and fills in the rest; scrubbing is left to `redact.ts`.

import type { JsonValue } from "./result.js";

/** What kind of failure it is. A closed set. */
export type Category =
  | "VALIDATION_FAILED"
  | "MALFORMED_REQUEST"
  | "REQUEST_TOO_LARGE"
  | "AUTH_FAILED"
  | "NOT_FOUND"
  | "CONFLICT"
  | "PRECONDITION_FAILED"
  | "RATE_LIMITED"
  | "UPSTREAM_UNAVAILABLE"
  | "OUTCOME_UNKNOWN"
  | "TRANSPORT_FAILED"
  | "CONFIRMATION_REQUIRED"
  | "GATE_DISABLED"
  | "UNEXPECTED_RESPONSE";

/** Whether and how the call may be repeated. */
export type Retryable = "never" | "after_delay" | "same_key_only" | "after_remediation";

/** The failure of a call. It can be shown to a person or a model as it is: secrets are scrubbed. */
export interface Envelope {
  readonly status: "error";
  readonly category: Category;
  /** Id of the operation. */
  readonly operation: string;
  /** `null` for anything that failed before there was a response. */
  readonly http_status: number | null;
  /** The API's own error code, at most 200 characters. */
  readonly code: string | null;
  /** Path of the argument at fault: `args.limit`, `body.name`, `idempotencyKey`, `confirm`. */
  readonly failed_parameter: string | null;
  /** The value at fault, redacted and cut to 200 characters. */
  readonly received_value: JsonValue;
  readonly expected: string | null;
  /** What to do next, as an imperative sentence. */
  readonly remediation: string;
  readonly retryable: Retryable;
  /** What the server asked for with `Retry-After`. */
  readonly retry_after_ms: number | null;
  readonly next_action: string | null;
  readonly request_id: string | null;
  /** `attempts` is 0 when nothing was sent. */
  readonly trace: { readonly attempts: number };
}

/** `retryable` of each category where nothing else decides it. */
export const DEFAULT_RETRYABLE: Readonly<Record<Category, Retryable>> = {
  VALIDATION_FAILED: "never",
  MALFORMED_REQUEST: "never",
  REQUEST_TOO_LARGE: "never",
  AUTH_FAILED: "never",
  NOT_FOUND: "never",
  CONFLICT: "never",
  PRECONDITION_FAILED: "never",
  RATE_LIMITED: "after_delay",
  UPSTREAM_UNAVAILABLE: "after_delay",
  OUTCOME_UNKNOWN: "same_key_only",
  TRANSPORT_FAILED: "after_delay",
  CONFIRMATION_REQUIRED: "never",
  GATE_DISABLED: "never",
  UNEXPECTED_RESPONSE: "never",
};

/** `remediation` of each category where no remediation table has a text. */
export const DEFAULT_REMEDIATION: Readonly<Record<Category, string>> = {
  VALIDATION_FAILED: "Correct the arguments named by the API's error and call again.",
  MALFORMED_REQUEST: "Check the arguments against the operation's description and call again.",
  REQUEST_TOO_LARGE: "Send a smaller request.",
  AUTH_FAILED: "Check that the configured credential is valid and may call this operation.",
  NOT_FOUND: "Check the identifiers in the arguments; the resource does not exist or is not visible to you.",
  CONFLICT: "Read the current state of the resource and decide whether the change is still wanted.",
  PRECONDITION_FAILED: "Meet the precondition named by the API's error before calling again.",
  RATE_LIMITED: "Wait, then call again.",
  UPSTREAM_UNAVAILABLE: "Wait, then call again.",
  OUTCOME_UNKNOWN: "Check whether the change took effect before doing anything else.",
  TRANSPORT_FAILED: "Check the base URL and the network connection, then call again.",
  CONFIRMATION_REQUIRED: "Preview the call, review its effects and pass the confirmation token.",
  GATE_DISABLED: "Ask the operator of the API to enable this operation.",
  UNEXPECTED_RESPONSE: "Report the response to the maintainers of the API description; do not repeat the call blindly.",
};

/** Whether `text` names a category. */
export function isCategory(text: string | undefined): text is Category {
  return text !== undefined && Object.hasOwn(DEFAULT_RETRYABLE, text);
}

/** Whether `text` is a value of `retryable`. */
export function isRetryable(text: string | undefined): text is Retryable {
  return text === "never" || text === "after_delay" || text === "same_key_only" || text === "after_remediation";
}

/** What the maker of an envelope states; everything else gets its default. */
export type EnvelopeParts = Pick<Envelope, "category" | "operation"> &
  Partial<Omit<Envelope, "status" | "trace">> & { readonly attempts?: number };

/** Builds an envelope: all members, in the order of the interface. */
export function envelope(parts: EnvelopeParts): Envelope {
  const { category } = parts;
  return {
    status: "error",
    category,
    operation: parts.operation,
    http_status: parts.http_status ?? null,
    code: parts.code ?? null,
    failed_parameter: parts.failed_parameter ?? null,
    received_value: parts.received_value ?? null,
    expected: parts.expected ?? null,
    remediation: parts.remediation ?? DEFAULT_REMEDIATION[category],
    retryable: parts.retryable ?? DEFAULT_RETRYABLE[category],
    retry_after_ms: parts.retry_after_ms ?? null,
    next_action: parts.next_action ?? null,
    request_id: parts.request_id ?? null,
    trace: { attempts: parts.attempts ?? 0 },
  };
}
