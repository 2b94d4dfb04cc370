// The order of a call: checks, authentication, key, request, attempts, result. Decisions are made by the pure files;
// `transport.ts` sends. Nothing here throws or rejects for what a caller, a server or a network does.

import { errorVerdict, requestId, responseMeta, rowsOfSuccess, success } from "./answer.js";
import type { AppliedAuth } from "./auth.js";
import { bodyDigest, EMPTY_JSON, encodeBody, enveloped, isReplayable } from "./body.js";
import type { EncodedBody } from "./body.js";
import { classifyLoss, unknownOutcome } from "./classify.js";
import type { AnyOperation, Verdict } from "./classify.js";
import { signToken, TOKEN_TTL_MS } from "./confirm.js";
import { hex, randomBytes, uuidV4 } from "./digest.js";
import { escapeComponent } from "./encode.js";
import type { Envelope, EnvelopeParts } from "./envelope.js";
import { argumentFailure, descriptorFailure, failure, partFault } from "./failure.js";
import type { Protection } from "./idempotency.js";
import { setMember } from "./json.js";
import type { CallOptions } from "./options.js";
import { argumentsDigest, authRequest, confirmationFailure, prepare } from "./prepare.js";
import { effectsOf, KEY_PLACEHOLDER } from "./preview.js";
import type { PreviewResult } from "./preview.js";
import { isSecretName, redact, REDACTED, redactHeaders, scrubber, truncate } from "./redact.js";
import { acceptHeader, buildRequest, headerText, statedHeader, unsendable } from "./request.js";
import type { BuiltRequest } from "./request.js";
import type { Failed, Ok, ResponseMeta, Result } from "./result.js";
import { isRetried, retryDelayMs, retryPolicy } from "./retry.js";
import type { RetryPolicy } from "./retry.js";
import type { Exchange, How, Progress, Ready, Reception, Renewal, Runtime } from "./runtime.js";
import { fieldsOf } from "./shape.js";
import { findAuth } from "./source.js";
import { send } from "./transport.js";
import type { Answer, Lost, Opened } from "./transport.js";
import { NOTHING } from "./wire.js";
import type { Typed } from "./wire.js";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Runs a call. */
export async function runCall(
  runtime: Runtime,
  operation: AnyOperation,
  args: unknown,
  options: CallOptions,
  how: How = {},
): Promise<Result<unknown>> {
  return reported(runtime, operation, newProgress(runtime), async (progress) => {
    const exchange = await begin(runtime, operation, args, options, WHOLE, how, progress);
    return "error" in exchange ? exchange : verified(exchange);
  });
}

/** The attempts of a call, and the look at what it did where its caller asks for that. */
async function verified(exchange: Exchange): Promise<Result<unknown>> {
  const { runtime, ready } = exchange;
  const hook = ready.options.verify === true ? ready.operation.verify : undefined;
  if (hook === undefined) return attempts(exchange, false);
  let answer: Typed = NOTHING;
  const onAnswer = (typed: Typed): void => void (answer = typed);
  const result = await attempts({ ...exchange, how: { ...exchange.how, onAnswer } }, false);
  return result.ok ? { ...result, verification: await hook.run(runtime, ready, answer) } : result;
}

/** A call whose answer is still to be read, with all that sending its request again needs. */
export interface OpenedCall {
  readonly exchange: Exchange;
  readonly opened: Opened;
}

/** Runs a call up to the head of its answer. Whoever reads the rest tells the result with `finished`. */
export async function openCall(
  runtime: Runtime,
  operation: AnyOperation,
  args: unknown,
  options: CallOptions,
  reception: Reception,
  progress: Progress,
): Promise<Result<OpenedCall>> {
  return caught(runtime, operation, progress, async () => {
    const exchange = await begin(runtime, operation, args, options, reception, {}, progress);
    return "error" in exchange ? exchange : openedBy(exchange, await attempts(exchange, false));
  });
}

/**
 * Sends the request of an opened call again, key and bytes included, and waits for the head of its answer. Credentials
 * may have expired since it was opened: they may be renewed once more.
 */
export async function reopenCall(before: Exchange, reception: Reception): Promise<Result<OpenedCall>> {
  const { runtime, progress, renewal } = before;
  const { request, auth } = current(before);
  const wire = { ...request.wire, headers: { ...request.wire.headers, ...reception.headers } };
  const exchange: Exchange = {
    ...before,
    ready: { ...before.ready, auth },
    request: { ...request, wire },
    reception,
    ...(renewal === undefined ? {} : { renewal: { ...renewal, outcome: null } }),
  };
  const { operation } = exchange.ready;
  // The answer had begun: what the server says now cannot prove that nothing happened.
  const maybeApplied = operation.safety !== "read_only";
  return caught(runtime, operation, progress, async () => openedBy(exchange, await attempts(exchange, maybeApplied)));
}

function openedBy(exchange: Exchange, result: Result<unknown>): Result<OpenedCall> {
  // With a reception that opens, a success is what `send` opened: everything else became a failure.
  return result.ok ? { ...result, value: { exchange, opened: result.value as Opened } } : result;
}

/** The checks of a call up to its request. */
async function begin(
  runtime: Runtime,
  operation: AnyOperation,
  args: unknown,
  options: CallOptions,
  reception: Reception,
  how: How,
  progress: Progress,
): Promise<Exchange | Failed> {
  const ready = await prepare(runtime, operation, args, options, true, how);
  if ("error" in ready) return ready;
  progress.scrub = ready.scrub;
  const body = await encodedBody(runtime, ready);
  if (body !== null && "error" in body) return body;
  const key = await resolveKey(runtime, ready, body);
  if (key !== null && "error" in key) return key;
  const rebuild: Renewal["rebuild"] = (auth, reception) => {
    const authorized = { ...ready, auth };
    const built = build(runtime, authorized, body, key, reception);
    return how.link === undefined ? built : linked(built, how.link, authorized);
  };
  const request = rebuild(ready.auth, reception);
  if (request === null) return strayLink(ready, how.link);
  const fault = unsendable(request.wire);
  if (fault !== null) return descriptorFailure(operation, ready.scrub, fault);
  const protection = protectionOf(operation, key?.value ?? null);
  const stands =
    how.confirmed?.() ?? (ready.token === null || runtime.tokens.spend(ready.token, protection, runtime.now()));
  if (!stands) return confirmationFailure(runtime, ready.operation, ready.scrub, "spent");
  const policy = policyOf(runtime, operation);
  const renewal: Renewal = { rebuild, outcome: null };
  return { runtime, ready, request, body, protection, progress, policy, how, reception, renewal };
}

/** The body is read whole and decoded. */
const WHOLE: Reception = {
  accept: (operation, given) => given ?? acceptHeader(operation),
  headers: {},
  opens: undefined,
  success,
};

/** What is known of a call that begins. */
export function newProgress(runtime: Runtime): Progress {
  return { call: {}, sent: 0, scrub: runtime.secrets.scrub() };
}

/** Renders a call without sending it; asks the server for a dry run where the operation says so. */
export async function runPreview(
  runtime: Runtime,
  operation: AnyOperation,
  args: unknown,
  options: CallOptions,
  how: How = {},
): Promise<Result<PreviewResult>> {
  return reported(runtime, operation, newProgress(runtime), async (progress) => {
    const ready = await prepare(runtime, operation, args, options, false, how);
    if ("error" in ready) return ready;
    progress.scrub = ready.scrub;
    const body = await encodedBody(runtime, ready);
    if (body !== null && "error" in body) return body;
    const shown = build(runtime, ready, body, await previewKey(ready.plan, body), WHOLE);
    const fault = unsendable(shown.wire);
    if (fault !== null) return descriptorFailure(operation, ready.scrub, fault);
    const answer = how.local === true ? null : await serverPreview(runtime, ready, body, progress);
    if (answer !== null && !answer.ok) return answer;
    const isRead = operation.safety === "read_only";
    const expiresAt = runtime.now() + TOKEN_TTL_MS;
    const token = isRead
      ? null
      : await signToken(runtime.confirmationKey, operation.id, await argumentsDigest(operation, ready.args), expiresAt);
    const value: PreviewResult = {
      operation: operation.id,
      safety: operation.safety,
      request: {
        method: shown.wire.method,
        url: shown.shownUrl,
        headers: redactHeaders(shown.wire.headers, shown.secretHeaders, ready.scrub),
        body: body === null ? null : redact(body.value, ready.sensitive),
      },
      effects: effectsOf(operation, ready.args, ready.sensitive).map(ready.scrub),
      confirmation_token: token,
      expires_in_ms: token === null ? null : TOKEN_TTL_MS,
      ...(answer === null ? {} : { server_preview: answer.value }),
    };
    const nothingSent: ResponseMeta = { status: 0, headers: {}, requestId: null, attempts: 0 };
    return { ok: true, value, meta: answer === null ? nothingSent : answer.meta };
  });
}

/** A call from its beginning to its result, which hooks are told. */
async function reported<T>(
  runtime: Runtime,
  operation: AnyOperation,
  progress: Progress,
  body: (progress: Progress) => Promise<Result<T>>,
): Promise<Result<T>> {
  const result = await caught(runtime, operation, progress, body);
  await finished(runtime, operation, progress, result.ok ? null : result.error);
  return result;
}

/** Turns whatever is thrown into an envelope, and tells the hooks about failures. */
async function caught<T>(
  runtime: Runtime,
  operation: AnyOperation,
  progress: Progress,
  body: (progress: Progress) => Promise<Result<T>>,
): Promise<Result<T>> {
  let result: Result<T>;
  try {
    result = await body(progress);
  } catch (error) {
    result = failure(operation, progress.scrub, unforeseen(operation, error, progress.sent));
  }
  if (!result.ok) await runtime.hooks.diagnostic({ kind: "failure", operation: operation.id, error: result.error });
  return result;
}

/** Tells the hooks that a call is over. */
export async function finished(
  runtime: Runtime,
  operation: AnyOperation,
  progress: Progress,
  error: Envelope | null,
): Promise<void> {
  const { id, safety } = operation;
  const idempotencyPolicy = operation.idempotency?.policy ?? "none";
  const { call, sent } = progress;
  await runtime.hooks.result({ call, operation: id, safety, idempotencyPolicy, error, attempts: sent });
}

/** Something below threw: before anything was sent the arguments are to blame (getters, proxies, broken streams). */
export function unforeseen(operation: AnyOperation, error: unknown, sent: number): Partial<EnvelopeParts> & Verdict {
  const expected = truncate(error instanceof Error ? error.message : String(error));
  if (sent === 0) {
    return {
      category: "VALIDATION_FAILED",
      failed_parameter: "args",
      expected,
      remediation: "Pass plain values that can be encoded.",
    };
  }
  if (operation.safety === "read_only") return { category: "UNEXPECTED_RESPONSE", expected, attempts: sent };
  return { ...unknownOutcome(operation, null), expected, attempts: sent };
}

// ---- Body, key, request ----

async function encodedBody(runtime: Runtime, ready: Ready): Promise<EncodedBody | Failed | null> {
  const { operation, args } = ready;
  const descriptor = operation.rpc === undefined ? operation.body : (operation.body ?? EMPTY_JSON);
  const value = operation.rpc === undefined ? args.body : enveloped(operation.rpc, args.body);
  if (descriptor === undefined || value === undefined) return null;
  const byContent = ready.plan.kind === "hash";
  const boundary = byContent ? null : `tungsten-${hex(randomBytes(20, runtime.random))}`;
  const body = await encodeBody(descriptor, value, boundary);
  if (byContent && !isReplayable(body)) {
    const expected = "data that can be read twice (Uint8Array or Blob): its digest is the idempotency key";
    return argumentFailure(operation, partFault("body", expected), ready.sensitive, ready.scrub);
  }
  return body;
}

interface SentKey {
  readonly header: string;
  readonly value: string;
}

async function resolveKey(runtime: Runtime, ready: Ready, body: EncodedBody | null): Promise<SentKey | Failed | null> {
  const { plan } = ready;
  if (plan.kind === "none") return null;
  if (plan.kind === "given") return { header: plan.header, value: plan.key };
  if (plan.kind === "hash") return body === null ? null : { header: plan.header, value: await bodyDigest(body) };
  try {
    return { header: plan.header, value: await runtime.keys.keyFor(ready.operation.id, ready.args.given) };
  } catch {
    return failure(ready.operation, ready.scrub, {
      category: "TRANSPORT_FAILED",
      retryable: "never",
      expected: "an idempotency store that can read and keep keys",
      remediation: "Repair the idempotency store; nothing was sent.",
    });
  }
}

async function previewKey(plan: Ready["plan"], body: EncodedBody | null): Promise<SentKey | null> {
  if (plan.kind === "none") return null;
  if (plan.kind === "given") return { header: plan.header, value: plan.key };
  const known = plan.kind === "hash" && body !== null;
  return { header: plan.header, value: known ? await bodyDigest(body) : KEY_PLACEHOLDER };
}

function protectionOf(operation: AnyOperation, key: string | null): Protection {
  if (key !== null) return { kind: "key", key };
  return operation.idempotency?.policy === "content_identity" ? { kind: "identity" } : null;
}

function policyOf(runtime: Runtime, operation: AnyOperation): RetryPolicy {
  return retryPolicy(runtime.api, operation.safety, runtime.options.retries);
}

function build(
  runtime: Runtime,
  ready: Ready,
  body: EncodedBody | null,
  key: SentKey | null,
  reception: Reception,
  dryRun?: { readonly header: string; readonly value: string },
): BuiltRequest {
  const { operation } = ready;
  const given = [runtime.options.headers, ready.options.headers];
  const accept = reception.accept(operation, statedHeader("accept", given));
  const defaults = {
    ...(runtime.userAgent === null ? {} : { "user-agent": runtime.userAgent }),
    "x-tungsten-operation": headerText(operation.id),
  };
  const headers = [defaults, ...given, accept === null ? {} : { accept }, reception.headers];
  return buildRequest(
    { operation, base: ready.base, params: ready.params, auth: ready.auth, body, key, headers, dryRun },
    ready.scrub,
  );
}

// ---- Attempts ----

/** `maybeApplied`: an earlier request of the same call may have taken effect. */
async function attempts(exchange: Exchange, maybeApplied: boolean): Promise<Result<unknown>> {
  const { runtime, ready, protection, policy, body, progress } = exchange;
  const { operation } = ready;
  const { signal } = ready.options;
  for (let retry = 1; ; retry += 1) {
    const outcome = await once(exchange);
    if ("ok" in outcome) return outcome;
    const own = failure(operation, ready.scrub, { ...outcome, attempts: progress.sent }).error;
    // After one attempt with an unknown outcome no later refusal proves that nothing happened.
    const hidden = maybeApplied && own.category !== "OUTCOME_UNKNOWN";
    maybeApplied ||= own.category === "OUTCOME_UNKNOWN";
    const verdict = hidden ? { ...outcome, ...unknownOutcome(operation, protection) } : outcome;
    const failed = hidden
      ? failure(operation, ready.scrub, { ...verdict, attempts: progress.sent })
      : { ok: false as const, error: own };
    const again = retry <= policy.max && (body === null || isReplayable(body)) && signal?.aborted !== true;
    if (!again || exchange.renewal?.outcome === "failed" || !isRetried(own, operation.safety, protection !== null))
      return failed;
    const delayMs = retryDelayMs(retry, policy, own.retry_after_ms, runtime.random());
    await runtime.hooks.retry({
      call: progress.call,
      operation: operation.id,
      attempt: progress.sent,
      delayMs,
      error: failed.error,
    });
    if (!(await waited(runtime, delayMs, signal))) return failed;
  }
}

/** Whether the wait came to its end; false when the caller cancelled it. */
export async function waited(runtime: Runtime, ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  const never = new AbortController().signal;
  try {
    await runtime.sleep(ms, signal ?? never, "pause");
    return signal?.aborted !== true;
  } catch {
    return false;
  }
}

/** One attempt with the redirects that it follows: a result, or the verdict on its failure. */
async function once(exchange: Exchange): Promise<Ok<unknown> | Failed | Verdict> {
  const { runtime, ready, protection } = exchange;
  const { operation } = ready;
  let { request, auth } = current(exchange);
  for (let redirects = 0; ; redirects += 1) {
    const outcome = await sendOnce(exchange, request);
    if (outcome.kind === "lost") {
      const verdict = classifyLoss(operation, outcome.loss, outcome.written, protection);
      return { ...verdict, http_status: outcome.status === 0 ? null : outcome.status };
    }
    if (outcome.kind === "opened") return { ok: true, value: outcome, meta: responseMeta(exchange, outcome) };
    if (rowsOfSuccess(operation, outcome.status) !== null) return exchange.reception.success(exchange, outcome);
    const follow = operation.safety === "read_only" && REDIRECTS.has(outcome.status);
    const next = follow && redirects < MAX_REDIRECTS ? redirected(request, outcome, { ...ready, auth }) : null;
    if (next !== null) {
      request = next;
      continue;
    }
    const verdict = errorVerdict(runtime, ready, outcome, protection);
    if (outcome.status !== 401) return verdict;
    const failed = await renew(exchange, verdict);
    if (failed !== null) return failed;
    ({ request, auth } = current(exchange));
  }
}

/** What attempts send: the first request, or the one with renewed credentials. */
function current({ request, ready, renewal }: Exchange): {
  readonly request: BuiltRequest;
  readonly auth: AppliedAuth;
} {
  const outcome = renewal?.outcome ?? null;
  return outcome === null || outcome === "failed" ? { request, auth: ready.auth } : outcome;
}

/**
 * After a 401: finds other credentials, once a call, so that the request can be sent again. A 401 says that nothing
 * happened, so that is safe for a mutation too. Returns the verdict that stands when there are none.
 */
async function renew(exchange: Exchange, refused: Verdict): Promise<Verdict | null> {
  const { runtime, ready, renewal, body, progress, reception } = exchange;
  const { operation, auth, options, scrub } = ready;
  const repeatable = (body === null || isReplayable(body)) && options.signal?.aborted !== true;
  if (renewal === undefined || renewal.outcome !== null || !repeatable || auth.found.size === 0) return refused;
  const found = await findAuth(authRequest(runtime, operation), auth.found, options.signal);
  if ("expected" in found) {
    renewal.outcome = "failed";
    return { ...refused, category: "AUTH_FAILED", ...found };
  }
  const isOther = [...found.found].some(([scheme, credential]) => auth.found.get(scheme) !== credential);
  const request = isOther ? renewal.rebuild(found, reception) : null;
  if (request === null) return refused;
  renewal.outcome = { request, auth: found };
  const { error } = failure(operation, scrub, { ...refused, attempts: progress.sent });
  await runtime.hooks.retry({
    call: progress.call,
    operation: operation.id,
    attempt: progress.sent,
    delayMs: 0,
    error,
  });
  return null;
}

async function sendOnce(exchange: Exchange, request: BuiltRequest): Promise<Answer | Opened | Lost> {
  const { runtime, ready, progress, body } = exchange;
  const { operation, options, scrub } = ready;
  const attempt = progress.sent + 1;
  const key = exchange.protection?.kind === "key" ? exchange.protection.key : null;
  // Keys are never logged, so hooks do not see them either.
  const keyScrub = key === null ? scrub : scrubber([key]);
  const hide = (text: string): string => keyScrub(scrub(text));
  const keyHeaders = Object.entries(request.wire.headers).flatMap(([name, value]) => (value === key ? [name] : []));
  const hidden = new Set([...request.secretHeaders, ...keyHeaders]);
  const url = request.shownUrl;
  const shown = redactHeaders(request.wire.headers, hidden, hide);
  const { call } = progress;
  const facts = { call, operation: operation.id, safety: operation.safety, method: request.wire.method, url, attempt };
  const shownBody = request.wire.body === null || body === null ? {} : { body: redact(body.value, ready.sensitive) };
  const idempotencyPolicy = operation.idempotency?.policy ?? "none";
  const added = await runtime.hooks.request({ ...facts, idempotencyPolicy, headers: shown, ...shownBody });
  if (options.signal?.aborted !== true) progress.sent = attempt;
  const started = runtime.now();
  const headers = { ...added, ...request.wire.headers };
  const outcome = await send(
    { ...request.wire, headers },
    {
      fetch: runtime.fetch,
      sleep: runtime.sleep,
      timeoutMs: attemptTimeoutMs(runtime, options),
      signal: options.signal,
      opens: exchange.reception.opens,
    },
  );
  if (outcome.kind !== "lost") {
    const id = requestId(outcome);
    await runtime.hooks.response({
      ...facts,
      status: outcome.status,
      headers: redactHeaders(outcome.headers, new Set(["set-cookie"]), hide),
      requestId: id === null ? null : hide(id),
      durationMs: Math.max(0, runtime.now() - started),
    });
  }
  return outcome;
}

/** Time for one attempt, in milliseconds. */
export function attemptTimeoutMs(runtime: Runtime, options: CallOptions): number {
  return options.timeoutMs ?? runtime.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
}

/**
 * Where a reference leads, when it stays on the origin of the request. Credentials in the query are put back; `null`
 * for everything else.
 */
function sameOrigin(request: BuiltRequest, reference: string | undefined, ready: Ready): URL | null {
  if (reference === undefined) return null;
  let target: URL;
  try {
    target = new URL(reference, request.wire.url);
  } catch {
    return null;
  }
  if (target.origin !== new URL(request.wire.url).origin || target.username !== "" || target.password !== "")
    return null;
  target.hash = "";
  const own = [...target.searchParams.keys()];
  const missing = ready.auth.query.filter(([name]) => !own.includes(name));
  const pairs = missing.map(([name, value]) => `${escapeComponent(name)}=${escapeComponent(value)}`);
  if (pairs.length > 0)
    target.search = [...(target.search.length > 1 ? [target.search.slice(1)] : []), ...pairs].join("&");
  return target;
}

/** The same request at the URL of a link; `null` when that leads elsewhere. */
function linked(request: BuiltRequest, link: string, ready: Ready): BuiltRequest | null {
  const target = sameOrigin(request, link, ready);
  if (target === null) return null;
  const shown = new URL(target);
  // A server may repeat credentials in its links.
  const names = [...new Set(shown.searchParams.keys())];
  for (const name of names) if (isSecretName(name)) shown.searchParams.set(name, REDACTED);
  for (const [name] of ready.auth.query) shown.searchParams.set(name, REDACTED);
  return { ...request, wire: { ...request.wire, url: target.href }, shownUrl: ready.scrub(shown.href) };
}

function strayLink(ready: Ready, link: string | undefined): Failed {
  return failure(ready.operation, ready.scrub, {
    category: "UNEXPECTED_RESPONSE",
    received_value: link === undefined ? null : truncate(ready.scrub(link)),
    expected: "a link to the next page on the origin of the request",
    remediation: "Read no further: the API's link to the next page leads to another origin.",
  });
}

/** The request that a redirect asks for, when it stays on the same origin. */
function redirected(request: BuiltRequest, answer: Answer, ready: Ready): BuiltRequest | null {
  const target = sameOrigin(request, answer.headers["location"], ready);
  if (target === null) return null;
  const { method, headers, body } = request.wire;
  // 303 asks for a GET; 301 and 302 turn a POST into one (Fetch standard, HTTP-redirect fetch).
  const toGet = method !== "HEAD" && (answer.status === 303 || (method === "POST" && answer.status < 303));
  // A stream was read by the first request.
  if (!toGet && body instanceof ReadableStream) return null;
  const kept = Object.entries(headers).filter(([name]) => !toGet || !name.startsWith("content-"));
  return {
    ...request,
    wire: {
      method: toGet ? "GET" : method,
      url: target.href,
      headers: Object.fromEntries(kept),
      body: toGet ? null : body,
    },
    shownUrl: ready.scrub(target.href),
  };
}

// ---- Previews that ask the server ----

async function serverPreview(
  runtime: Runtime,
  ready: Ready,
  body: EncodedBody | null,
  progress: Progress,
): Promise<Result<unknown> | null> {
  const { operation } = ready;
  const preview = operation.preview;
  if (preview === undefined || preview.mode === "local" || preview.mode === "none") return null;
  if (preview.mode === "endpoint") return endpointPreview(runtime, ready, preview.operation);
  // A dry run is not the intent itself: it gets a key of its own, which is not kept.
  const key = ready.plan.kind === "none" ? null : { header: ready.plan.header, value: uuidV4(runtime.random) };
  const request = build(runtime, ready, body, key, WHOLE, preview);
  const protection = protectionOf(operation, key?.value ?? null);
  const policy = { ...policyOf(runtime, operation), max: 0 };
  return attempts({ runtime, ready, request, body, protection, progress, policy, how: {}, reception: WHOLE }, false);
}

async function endpointPreview(runtime: Runtime, ready: Ready, id: string): Promise<Result<unknown>> {
  const target = runtime.operation(id);
  if (target === undefined) {
    return failure(ready.operation, ready.scrub, {
      category: "VALIDATION_FAILED",
      failed_parameter: "operation",
      expected: `the operation ${id}, which previews this one, among the client's operations`,
      remediation: `Pass the descriptor of ${id} in the client's operations option.`,
    });
  }
  const known = new Set([
    ...(target.params ?? []).map((param) => param.key),
    ...(target.body?.arg === undefined ? bodyNames(target) : [target.body.arg]),
  ]);
  const args: Record<string, unknown> = {};
  for (const key of Object.keys(ready.args.given)) if (known.has(key)) setMember(args, key, ready.args.given[key]);
  const { idempotencyKey: _key, confirm: _confirm, ...options } = ready.options;
  return runCall(runtime, target, args, options);
}

function bodyNames(operation: AnyOperation): readonly string[] {
  return operation.body === undefined ? [] : fieldsOf(operation.body.schema).map((field) => field.name);
}
