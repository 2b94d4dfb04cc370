// The checks before anything is sent, in their order: arguments, parameters, headers, key format, confirmation, base
// URL, credentials. Reads what the caller gave; returns a call that is ready, or the first failure.

import { checkArguments } from "./args.js";
import type { CheckedArguments } from "./args.js";
import { findAuth, shownAuth } from "./source.js";
import type { AuthRequest } from "./source.js";
import type { AnyOperation } from "./classify.js";
import { checkToken, neededConfirmation } from "./confirm.js";
import type { TokenVerdict } from "./confirm.js";
import type { Safety } from "./descriptor.js";
import { sha256Hex } from "./digest.js";
import { argumentFailure, descriptorFailure, failure, partFault } from "./failure.js";
import { flagged } from "./flag.js";
import { planKey } from "./idempotency.js";
import { canonicalJson, isNumeric } from "./json.js";
import type { CallOptions } from "./options.js";
import { receivedValue, SensitiveFields, sensitiveTexts } from "./redact.js";
import type { Scrub } from "./redact.js";
import { badHeader, baseUrl, renderParams } from "./request.js";
import type { Failed } from "./result.js";
import type { How, Ready, Runtime } from "./runtime.js";

/** Checks a call. `confirming` is false for previews, which need neither a key nor a confirmation. */
export async function prepare(
  runtime: Runtime,
  operation: AnyOperation,
  given: unknown,
  options: CallOptions,
  confirming: boolean,
  how: How = {},
): Promise<Ready | Failed> {
  const sensitive = new SensitiveFields(operation.sensitiveRequestFields);
  const plainScrub = runtime.secrets.scrub();
  const args = how.checked ?? checkArguments(operation, given);
  if ("failedParameter" in args) return argumentFailure(operation, args, sensitive, plainScrub);
  const scrub = runtime.secrets.scrub(sensitiveArguments(operation, args, sensitive));
  const params = renderParams(operation, args, sensitive);
  if ("descriptorFault" in params) return descriptorFailure(operation, scrub, params.descriptorFault);
  if ("failedParameter" in params) return argumentFailure(operation, params, sensitive, scrub);
  const noBody = operation.method === "GET" || operation.method === "HEAD";
  const hasBody = args.body !== undefined || operation.rpc !== undefined;
  if (noBody && hasBody) {
    const expected = `no body: fetch cannot send one with ${operation.method}`;
    return argumentFailure(operation, partFault("body", expected), sensitive, scrub);
  }
  const header = badHeader(options.headers) ?? badHeader(runtime.options.headers);
  if (header !== null) {
    const expected = "a header name and one line of ISO 8859-1 text";
    return argumentFailure(operation, partFault(`headers.${header}`, expected), sensitive, scrub);
  }
  const plan = planKey(operation.idempotency, options.idempotencyKey, keyParam(operation), hasBody);
  if (plan.kind === "refused" && confirming) {
    return failure(operation, scrub, {
      category: "VALIDATION_FAILED",
      failed_parameter: "idempotencyKey",
      received_value: receivedValue(options.idempotencyKey, scrub, new SensitiveFields(), []),
      expected: plan.expected,
      remediation: plan.remediation,
    });
  }
  const asked = confirming && how.confirmed === undefined;
  const verdict = asked ? await confirmation(runtime, operation, options, args) : null;
  if (verdict !== null && "problem" in verdict) return confirmationFailure(runtime, operation, scrub, verdict.problem);
  const base = baseUrl(operation, runtime.api, runtime.options.baseUrl);
  if (base === null) {
    return failure(operation, scrub, {
      category: "TRANSPORT_FAILED",
      retryable: "never",
      expected: "an absolute http or https URL without credentials, query or fragment",
      remediation: "Set the client's baseUrl option.",
    });
  }
  const needed = authRequest(runtime, operation);
  // A preview that asks nobody needs no real credentials.
  const sends = confirming || operation.preview?.mode === "header";
  const auth = await (sends ? findAuth(needed, new Map(), options.signal) : shownAuth(needed));
  if ("expected" in auth) return failure(operation, scrub, { category: "AUTH_FAILED", ...auth });
  return {
    operation,
    options,
    args,
    params,
    auth,
    base,
    plan: plan.kind === "refused" ? { kind: "none" } : plan,
    token: verdict?.token ?? null,
    sensitive,
    scrub,
  };
}

/** What an operation asks of the client's credentials. */
export function authRequest(runtime: Runtime, operation: AnyOperation): AuthRequest {
  return {
    security: operation.security,
    schemes: runtime.api.auth,
    credentials: runtime.credentials,
    mutation: operation.safety !== "read_only",
    source: runtime.source,
  };
}

/** Hexadecimal SHA-256 of the canonical arguments: what a confirmation token is bound to. */
export async function argumentsDigest(operation: AnyOperation, args: CheckedArguments): Promise<string> {
  // Whether the answer is streamed is no part of what is confirmed.
  return sha256Hex(canonicalJson(flagged(operation, args.given)));
}

/** Texts of the arguments that are marked sensitive: they are scrubbed like credentials. */
function sensitiveArguments(
  operation: AnyOperation,
  args: CheckedArguments,
  sensitive: SensitiveFields,
): readonly string[] {
  const marked = args.params.filter(({ param }) => param.sensitive === true).map(({ value }) => value);
  const texts = marked.filter((value) => typeof value === "string" || isNumeric(value)).map(String);
  const params = args.params.flatMap(({ param, value }) => sensitiveTexts(value, sensitive, [param.name]));
  return operation.sensitiveRequestFields === undefined
    ? texts
    : [...texts, ...params, ...sensitiveTexts(args.body, sensitive)];
}

/** The operation's own parameter for an idempotency key. */
export function keyParam(operation: AnyOperation): { readonly name: string; readonly required: boolean } | undefined {
  const param = operation.params?.find(({ role }) => role === "idempotency_key");
  return param === undefined ? undefined : { name: param.name, required: param.required === true };
}

/** What a confirmation lacks. */
export type ConfirmationProblem = "missing" | "spent" | Exclude<TokenVerdict, "valid">;

async function confirmation(
  runtime: Runtime,
  operation: AnyOperation,
  options: CallOptions,
  args: CheckedArguments,
): Promise<Confirmed> {
  return confirmationOf(runtime, operation.id, operation.safety, options, () => argumentsDigest(operation, args));
}

/** The token that was given and is valid (`null`: none is needed), or what the confirmation lacks. */
export type Confirmed = { readonly token: string | null } | { readonly problem: ConfirmationProblem };

/** Checks the confirmation of a subject: an operation's id, or the word of a macro. */
export async function confirmationOf(
  runtime: Runtime,
  subject: string,
  safety: Safety,
  options: CallOptions,
  digest: () => Promise<string>,
): Promise<Confirmed> {
  const needed = neededConfirmation(safety, options.allowConfirmTrue !== false);
  if (needed === "none") return { token: null };
  const given = options.confirm;
  if (given === true && needed === "any") return { token: null };
  if (typeof given !== "string") return { problem: "missing" };
  const verdict = await checkToken(runtime.confirmationKey, given, subject, await digest(), runtime.now());
  return verdict === "valid" ? { token: given } : { problem: verdict };
}

const CONFIRMATION_TEXTS: Readonly<Record<ConfirmationProblem, string>> = {
  missing: "Preview the call, review its effects and pass its confirmation_token as confirm.",
  expired: "Preview the call again: the confirmation token has expired.",
  mismatch: "Preview the call with exactly these arguments: the confirmation token belongs to another call.",
  malformed: "Pass the confirmation_token of preview() unchanged.",
  spent: "Preview the call again: the confirmation token was used for another call.",
};

/** A call that lacks its confirmation. */
export function confirmationFailure(
  runtime: Runtime,
  operation: AnyOperation,
  scrub: Scrub,
  problem: ConfirmationProblem,
): Failed {
  const trueToo = operation.safety === "destructive" && problem === "missing" ? ", or true" : "";
  return failure(operation, scrub, {
    category: "CONFIRMATION_REQUIRED",
    failed_parameter: "confirm",
    expected: `a confirmation token of preview() with the same arguments${trueToo}`,
    remediation: CONFIRMATION_TEXTS[problem],
    next_action: `Preview ${operation.id} of ${runtime.api.name} with the same arguments.`,
  });
}
