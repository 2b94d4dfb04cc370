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
import type { Answer } from "./transport.js";
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
export function requestId(answer: Answer): string | null {
  for (const name of REQUEST_ID_HEADERS) {
    const value = answer.headers[name];
    if (value !== undefined && value !== "") return truncate(value);
  }
  return null;
}

function answerFacts(
  runtime: Runtime,
  answer: Answer,
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

/** The result of a success status: its value, or what is wrong with its body. */
export async function success(exchange: Exchange, answer: Answer): Promise<Ok<unknown> | Failed> {
  const { ready, progress } = exchange;
  const { operation } = ready;
  const meta: ResponseMeta = {
    status: answer.status,
    headers: answer.headers,
    requestId: requestId(answer),
    attempts: progress.sent,
  };
  const rows = rowsOfSuccess(operation, answer.status) ?? [];
  const described = rows.filter((row) => row.mediaType !== undefined);
  const bodiless = operation.method === "HEAD" || [204, 205, 304].includes(answer.status);
  const mayBeEmpty = bodiless || described.length < rows.length;
  if (described.length === 0 || (answer.bytes.length === 0 && mayBeEmpty)) return { ok: true, value: undefined, meta };
  const contentType = answer.headers["content-type"];
  const row = rowFor(rows, mediaTypeOf(contentType));
  if (row === undefined) {
    const expected = `a body of the type ${described.map((one) => one.mediaType).join(" or ")}`;
    return unexpected(
      exchange,
      answer,
      { expected: truncate(expected), received: contentType ?? null, at: "" },
      undefined,
    );
  }
  const decoded = decodeBody(row, answer.bytes, contentType);
  if ("expected" in decoded)
    return unexpected(exchange, answer, { expected: decoded.expected, received: null, at: "" }, undefined);
  return checkedValue(exchange, answer, row, decoded.value, meta);
}

interface ResponseIssue {
  readonly expected: string;
  readonly received: unknown;
  readonly at: string;
}

async function checkedValue(
  exchange: Exchange,
  answer: Answer,
  row: ResponseDescriptor,
  body: unknown,
  meta: ResponseMeta,
): Promise<Ok<unknown> | Failed> {
  const { runtime, ready } = exchange;
  const { operation } = ready;
  const mode = runtime.options.validateResponses ?? "warn";
  const { schema } = row;
  if (schema === undefined || body instanceof Uint8Array || row.encoding === "sse") {
    exchange.how.onAnswer?.({ schema: { kind: "any" }, wire: body });
    return { ok: true, value: body, meta };
  }
  if (nestsDeeperThan(body, MAX_DEPTH) && (mode !== "off" || hasRenames(schema))) {
    const issue = { expected: `nesting of at most ${MAX_DEPTH} levels`, received: null, at: "" };
    return unexpected(exchange, answer, issue, body);
  }
  const isList = row.encoding === "jsonl" || row.encoding === "json_seq";
  const type = isList ? ({ kind: "array", items: schema } as const) : schema;
  const wire = row.encoding === "text" ? typedText(body, schema.kind) : body;
  exchange.how.onAnswer?.({ schema: type, wire });
  const value = decode(type, wire);
  // Nobody would hear of a mismatch, so there is no point in looking for one.
  const isHeard = mode === "strict" || runtime.hooks.hearDiagnostics || (isOpen(runtime) && hasLists(type));
  if (mode === "off" || !isHeard) return { ok: true, value, meta };
  const issues = validate(type, wire, "response");
  const issue = await mismatch(exchange, answer, issues, "response");
  if (issue === undefined) return { ok: true, value, meta };
  const sensitive = new SensitiveFields(operation.sensitiveResponseFields);
  const received = receivedValue(issue.received, ready.scrub, sensitive, issue.path);
  const failed = unexpected(exchange, answer, { expected: issue.expected, received, at: pathText(issue.path) }, value);
  if (mode === "strict") return failed;
  await runtime.hooks.diagnostic({ kind: "response_invalid", operation: operation.id, error: failed.error });
  return { ok: true, value, meta };
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
  answer: Answer,
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
function unexpected(exchange: Exchange, answer: Answer, issue: ResponseIssue, partial: unknown): Failed {
  const { runtime, ready, progress } = exchange;
  const { operation } = ready;
  const mutation = operation.safety !== "read_only";
  const failed = failure(operation, ready.scrub, {
    ...answerFacts(runtime, answer),
    category: "UNEXPECTED_RESPONSE",
    failed_parameter: issue.at === "" ? null : `response${issue.at}`,
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
