// Makes failed results: an envelope of what a file knows, scrubbed of secrets. Every failure of a call passes here.

import type { ArgumentFault } from "./args.js";
import type { AnyOperation, Verdict } from "./classify.js";
import { envelope } from "./envelope.js";
import { receivedValue, REDACTED, scrubEnvelope } from "./redact.js";
import type { Scrub, SensitiveFields } from "./redact.js";
import type { Failed } from "./result.js";

/** A failed result. */
export function failure(
  operation: AnyOperation,
  scrub: Scrub,
  parts: Verdict & { readonly attempts?: number },
): Failed {
  return { ok: false, error: scrubEnvelope(envelope({ operation: operation.id, ...parts }), scrub) };
}

/** A failed check of an argument. */
export function argumentFailure(
  operation: AnyOperation,
  fault: ArgumentFault,
  sensitive: SensitiveFields,
  scrub: Scrub,
): Failed {
  const bodyPath =
    operation.body?.arg !== undefined && fault.path[0] === operation.body.arg ? fault.path.slice(1) : fault.path;
  const hidden = fault.sensitive || sensitive.covers(fault.path) || sensitive.covers(bodyPath);
  const shown = hidden && fault.received !== undefined && fault.received !== null ? REDACTED : null;
  return failure(operation, scrub, {
    category: "VALIDATION_FAILED",
    failed_parameter: fault.failedParameter,
    received_value: hidden ? shown : receivedValue(fault.received, scrub, sensitive, bodyPath),
    expected: fault.expected,
    remediation: `Fix ${fault.failedParameter} (expected: ${fault.expected}) and call again.`,
  });
}

/** A descriptor, or a name in it, of which no request can be made. */
export function descriptorFailure(operation: AnyOperation, scrub: Scrub, expected: string): Failed {
  return failure(operation, scrub, {
    category: "VALIDATION_FAILED",
    failed_parameter: "operation",
    expected,
    remediation: "Generate the client again from a corrected API description.",
  });
}

/** A fault of the request's parts that are not arguments of the operation: nothing of their value is shown. */
export function partFault(failedParameter: string, expected: string): ArgumentFault {
  return { failedParameter, expected, received: null, path: [], sensitive: false };
}
