// From an answer to a result: which response it is, its value, and whether that is what was described. Reads the
// descriptor and the bytes; reports a mismatch through the hooks or as a failure, as the client asks.

import { pathText } from "./args.js";
import { classifyAnswer, responsesFor } from "./classify.js";
import type { AnyOperation, Verdict } from "./classify.js";
import { decode, hasRenames } from "./codec.js";
import { bodyJson, decodeBody, mediaTypeOf, rowFor } from "./decode.js";
import { parseJson } from "./exact.js";
import type { ResponseDescriptor } from "./descriptor.js";
import type { EnvelopeParts } from "./envelope.js";
import { failure } from "./failure.js";
import type { Protection } from "./idempotency.js";
import { MAX_DEPTH, nestsDeeperThan } from "./json.js";
import { receivedValue, SensitiveFields, truncate } from "./redact.js";
import type { Failed, Ok, ResponseMeta } from "./result.js";
import { parseRetryAfter } from "./retry.js";
import type { Exchange, Ready, Runtime } from "./runtime.js";
import type { Schema } from "./schema.js";
import type { Answer, Head } from "./transport.js";
import { hasLists, remember } from "./unknown.js";
import { validate } from "./validate.js";
import type { Issue } from "./validate.js";

/** RFC 9110 and common practice, in look-up order. */
const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"];

/** Success rows for a status. An operation that describes no success at all takes any 2xx for one. */
export function rowsOfSuccess(operation: AnyOperation, status: number): readonly ResponseDescriptor[] | null {
  const rows = responsesFor(operation, status).filter((row) => row.kind === "success");
  if (rows.length > 0) return rows;
  const undescribed = !operation.responses.some((row) => row.kind === "success");
  return undescribed && status >= 200 && status <= 299
    ? [
        { status, kind: "success", mediaType: "*/*" },
        { status, kind: "success" },
      ]
    : null;
}

/** Id of the request, from the first header that states one. */
export function requestId(answer: Head): string | null {
  for (const name of REQUEST_ID_HEADERS) {
    const value = answer.headers[name];
    if (value !== undefined && value !== "") return truncate(value);
  }
  return null;
}

function answerFacts(
  runtime: Runtime,
  answer: Head,
): Pick<EnvelopeParts, "http_status" | "request_id" | "retry_after_ms"> {
  return {
    http_status: answer.status === 0 ? null : answer.status,
    request_id: requestId(answer),
    retry_after_ms: parseRetryAfter(answer.headers["retry-after"], runtime.now()),
  };
}

/** The verdict on an answer that is not a success. */
export function errorVerdict(runtime: Runtime, ready: Ready, answer: Answer, protection: Protection): Verdict {
  const { operation } = ready;
  const mediaType = mediaTypeOf(answer.headers["content-type"]);
  const json = answer.bytes.length === 0 ? undefined : bodyJson(answer.bytes);
  const facts = { status: answer.status, mediaType, isEmpty: answer.bytes.length === 0, json };
  return { ...classifyAnswer(runtime.api, operation, facts, protection), ...answerFacts(runtime, answer) };
}

/** Facts about an answer, for its result. */
export function responseMeta(exchange: Exchange, answer: Head): ResponseMeta {
  return {
    status: answer.status,
    headers: answer.headers,
    requestId: requestId(answer),
    attempts: exchange.progress.sent,
  };
}

/** The result of a success status: its value, or what is wrong with its body. */
export async function success(exchange: Exchange, answer: Answer): Promise<Ok<unknown> | Failed> {
  const { operation } = exchange.ready;
  const meta = responseMeta(exchange, answer);
  const rows = rowsOfSuccess(operation, answer.status) ?? [];
  const described = rows.filter((row) => row.mediaType !== undefined);
  const bodiless = operation.method === "HEAD" || [204, 205, 304].includes(answer.status);
  const mayBeEmpty = bodiless || described.length < rows.length;
  if (described.length === 0 || (answer.bytes.length === 0 && mayBeEmpty)) return { ok: true, value: undefined, meta };
  const contentType = answer.headers["content-type"];
  const row = rowFor(rows, mediaTypeOf(contentType));
  if (row === undefined) {
    return wrongType(exchange, answer, described);
  }
  const decoded = decodeBody(row, answer.bytes, contentType);
  if ("expected" in decoded)
    return unexpected(exchange, answer, { expected: decoded.expected, received: null, at: null }, undefined);
  const { schema, encoding } = row;
  if (schema === undefined || decoded.value instanceof Uint8Array || encoding === "sse") {
    exchange.how.onAnswer?.({ schema: { kind: "any" }, wire: decoded.value });
    return { ok: true, value: decoded.value, meta };
  }
  const isList = encoding === "jsonl" || encoding === "json_seq";
  const type = isList ? ({ kind: "array", items: schema } as const) : schema;
  const body = encoding === "text" ? typedText(decoded.value, schema.kind) : decoded.value;
  exchange.how.onAnswer?.({ schema: type, wire: body });
  const judged = await judge(exchange, answer, type, body, "response");
  return "error" in judged ? judged : { ok: true, value: judged.value, meta };
}

/** The failure of a success whose body is of none of the described types. */
export function wrongType(exchange: Exchange, answer: Head, described: readonly ResponseDescriptor[]): Failed {
  const expected = `a body of the type ${described.map((row) => row.mediaType).join(" or ")}`;
  const received = answer.headers["content-type"] ?? null;
  return unexpected(exchange, answer, { expected: truncate(expected), received, at: null }, undefined);
}

/** Something in a success that is not what was described. */
export interface ResponseIssue {
  readonly expected: string;
  readonly received: unknown;
  /** Path for the envelope; `null`: the whole. */
  readonly at: string | null;
}

/**
 * A decoded value as callers get it, judged as the client asks: `warn` reports a mismatch, `strict` fails. `place` is
 * what the value is called: `response`, `events[3]`.
 */
export async function judge(
  exchange: Exchange,
  answer: Head,
  schema: Schema,
  body: unknown,
  place: string,
): Promise<{ readonly value: unknown } | Failed> {
  const { runtime, ready } = exchange;
  const { operation } = ready;
  const mode = runtime.options.validateResponses ?? "warn";
  if (nestsDeeperThan(body, MAX_DEPTH) && (mode !== "off" || hasRenames(schema))) {
    const at = place === "response" ? null : place;
    return unexpected(
      exchange,
      answer,
      { expected: `nesting of at most ${MAX_DEPTH} levels`, received: null, at },
      body,
    );
  }
  const value = decode(schema, body);
  // Nobody would hear of a mismatch, so there is no point in looking for one.
  const isHeard = mode === "strict" || runtime.hooks.hearDiagnostics || (isOpen(runtime) && hasLists(schema));
  if (mode === "off" || !isHeard) return { value };
  const issue = await mismatch(exchange, answer, validate(schema, body, "response"), place);
  if (issue === undefined) return { value };
  const sensitive = new SensitiveFields(operation.sensitiveResponseFields);
  const received = receivedValue(issue.received, ready.scrub, sensitive, issue.path);
  const whole = issue.path.length === 0 && place === "response";
  const at = whole ? null : place + pathText(issue.path);
  return reportedIssue(exchange, answer, { expected: issue.expected, received, at }, value);
}

/** A mismatch as the client asks: `off` delivers the value, `warn` reports and delivers it, `strict` fails. */
export async function reportedIssue(
  exchange: Exchange,
  answer: Head,
  issue: ResponseIssue,
  value: unknown,
): Promise<{ readonly value: unknown } | Failed> {
  const { runtime, ready } = exchange;
  const mode = runtime.options.validateResponses ?? "warn";
  if (mode === "off") return { value };
  const failed = unexpected(exchange, answer, issue, value);
  if (mode === "strict") return failed;
  await runtime.hooks.diagnostic({ kind: "response_invalid", operation: ready.operation.id, error: failed.error });
  return { value };
}

function isOpen(runtime: Runtime): boolean {
  return runtime.options.unknownValues !== "reject";
}

/**
 * The first issue that is a mismatch. Values that are not listed are none, unless the client says so: they are reported by
 * themselves and remembered.
 */
async function mismatch(
  exchange: Exchange,
  answer: Head,
  issues: readonly Issue[],
  place: string,
): Promise<Issue | undefined> {
  const { runtime, ready } = exchange;
  const { operation } = ready;
  if (!isOpen(runtime)) return issues[0];
  const sensitive = new SensitiveFields(operation.sensitiveResponseFields);
  for (const { unknown, path, expected, received } of issues) {
    if (unknown === undefined) continue;
    remember(unknown);
    const { error } = failure(operation, ready.scrub, {
      ...answerFacts(runtime, answer),
      category: "UNEXPECTED_RESPONSE",
      failed_parameter: place + pathText(path),
      received_value: receivedValue(received, ready.scrub, sensitive, path),
      expected,
      remediation: "Generate the client again from a newer API description; the value was delivered as it came.",
      attempts: exchange.progress.sent,
    });
    await runtime.hooks.diagnostic({ kind: "unknown_value", operation: operation.id, error });
  }
  return issues.find(({ unknown }) => unknown === undefined);
}

/** Plain text that stands for a number or a boolean. */
function typedText(body: unknown, kind: string): unknown {
  if (typeof body !== "string" || !["integer", "number", "boolean"].includes(kind)) return body;
  try {
    return parseJson(body).value;
  } catch {
    return body;
  }
}

/** A success status whose body is not what was described. A mutation did take effect: its body is kept as `partial`. */
export function unexpected(exchange: Exchange, answer: Head, issue: ResponseIssue, partial: unknown): Failed {
  const { runtime, ready, progress } = exchange;
  const { operation } = ready;
  const mutation = operation.safety !== "read_only";
  const failed = failure(operation, ready.scrub, {
    ...answerFacts(runtime, answer),
    category: "UNEXPECTED_RESPONSE",
    failed_parameter: issue.at,
    received_value: receivedValue(issue.received, ready.scrub, new SensitiveFields(), []),
    expected: issue.expected,
    ...(mutation
      ? {
          remediation:
            "Do not repeat the call: the server reported success. Report the response that does not match the API description.",
        }
      : {}),
    attempts: progress.sent,
  });
  return mutation && partial !== undefined ? { ...failed, partial } : failed;
}
