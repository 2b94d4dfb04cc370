// What an answer means: categories, tables, gates, codes; the envelope's shape.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { ApiDescriptor, Category } from "../dist/index.js";
import { classifyAnswer } from "../dist/classify.js";
import type { AnyOperation, ErrorAnswer } from "../dist/classify.js";
import { API, bench, create, errorOf, json, read, remove } from "./support.ts";
import type { Op } from "./support.ts";

const MEMBERS = [
  "status",
  "category",
  "operation",
  "http_status",
  "code",
  "failed_parameter",
  "received_value",
  "expected",
  "remediation",
  "retryable",
  "retry_after_ms",
  "next_action",
  "request_id",
  "trace",
];

describe("envelope", () => {
  it("has its fourteen members in order, before and after sending", async () => {
    const before = errorOf(await bench([]).core.call(remove(), {}));
    const after = errorOf(await bench([json(404, {})]).core.call(read(), {}));
    assert.deepEqual(Object.keys(before), MEMBERS);
    assert.deepEqual(Object.keys(after), MEMBERS);
    assert.deepEqual([before.http_status, before.trace.attempts], [null, 0]);
    assert.deepEqual([after.http_status, after.trace.attempts, after.operation], [404, 1, "shop.listThings"]);
  });
});

const statuses: readonly (readonly [number, Category, Category])[] = [
  [400, "VALIDATION_FAILED", "MALFORMED_REQUEST"],
  [401, "AUTH_FAILED", "AUTH_FAILED"],
  [402, "PRECONDITION_FAILED", "PRECONDITION_FAILED"],
  [403, "AUTH_FAILED", "AUTH_FAILED"],
  [404, "NOT_FOUND", "NOT_FOUND"],
  [407, "AUTH_FAILED", "AUTH_FAILED"],
  [408, "UPSTREAM_UNAVAILABLE", "UPSTREAM_UNAVAILABLE"],
  [409, "CONFLICT", "CONFLICT"],
  [410, "NOT_FOUND", "NOT_FOUND"],
  [412, "PRECONDITION_FAILED", "PRECONDITION_FAILED"],
  [413, "REQUEST_TOO_LARGE", "REQUEST_TOO_LARGE"],
  [418, "VALIDATION_FAILED", "MALFORMED_REQUEST"],
  [422, "VALIDATION_FAILED", "VALIDATION_FAILED"],
  [428, "PRECONDITION_FAILED", "PRECONDITION_FAILED"],
  [429, "RATE_LIMITED", "RATE_LIMITED"],
  [304, "UNEXPECTED_RESPONSE", "UNEXPECTED_RESPONSE"],
  [600, "UNEXPECTED_RESPONSE", "UNEXPECTED_RESPONSE"],
];

function answer(status: number, value?: unknown): ErrorAnswer {
  return value === undefined
    ? { status, mediaType: "text/html", isEmpty: false, json: undefined }
    : { status, mediaType: "application/json", isEmpty: false, json: value };
}

describe("status table", () => {
  for (const [status, withJson, without] of statuses) {
    for (const operation of [read(), create()]) {
      it(`${status} for a ${operation.safety} call`, () => {
        assert.equal(classifyAnswer(API, operation, answer(status, {}), null).category, withJson);
        assert.equal(classifyAnswer(API, operation, answer(status), null).category, without);
      });
    }
  }
  for (const status of [500, 502, 503, 504, 599]) {
    it(`${status}: a read is unavailable, a mutation unknown`, () => {
      assert.equal(classifyAnswer(API, read(), answer(status), null).category, "UPSTREAM_UNAVAILABLE");
      assert.equal(classifyAnswer(API, create(), answer(status, {}), null).category, "OUTCOME_UNKNOWN");
    });
  }
});

describe("unknown outcome", () => {
  const key = { kind: "key", key: "k" } as const;
  it("with a key: repeat with the same key", () => {
    const verdict = classifyAnswer(API, create(), answer(500), key);
    assert.equal(verdict.retryable, "same_key_only");
    assert.match(verdict.next_action ?? "", /same idempotency key and identical arguments/);
  });
  it("with an identity body: repeat with the identical body", () => {
    const verdict = classifyAnswer(API, create(), answer(500), { kind: "identity" });
    assert.equal(verdict.retryable, "same_key_only");
    assert.match(verdict.next_action ?? "", /identical body/);
  });
  it("without protection: act first, no next action", () => {
    const verdict = classifyAnswer(API, create(), answer(500), null);
    assert.deepEqual([verdict.retryable, verdict.next_action], ["after_remediation", null]);
  });
  it("ambiguous statuses of the API", () => {
    const api: ApiDescriptor = { ...API, ambiguousStatuses: [408, 409] };
    assert.equal(classifyAnswer(api, create(), answer(409, {}), null).category, "OUTCOME_UNKNOWN");
    assert.equal(classifyAnswer(api, read(), answer(409, {}), null).category, "CONFLICT");
  });
  it("responses that are described as ambiguous", () => {
    const operation = create({ responses: [{ status: 409, kind: "ambiguous" }] });
    assert.equal(classifyAnswer(API, operation, answer(409, {}), null).category, "OUTCOME_UNKNOWN");
  });
});

const CODE = { errorCodeField: "error.code" } as const;
const coded = (code: unknown): unknown => ({ error: { code } });

describe("tables", () => {
  const api: ApiDescriptor = {
    ...API,
    errorCodes: {
      gone: { category: "NOT_FOUND", text: "Global." },
      busy: { category: "UPSTREAM_UNAVAILABLE", text: "Wait for the commit." },
      late: { retryable: "after_remediation", text: "Act." },
      lost: { category: "OUTCOME_UNKNOWN", text: "Look." },
      toString2: {},
    },
    nonJson: [
      { status: 502, media: "text/html", category: "PRECONDITION_FAILED", text: "The proxy refused." },
      { status: 404, media: "none", category: "GATE_DISABLED" },
    ],
  };
  const table: readonly (readonly [string, Op, ErrorAnswer, Category, string | undefined])[] = [
    [
      "the operation's code first",
      read({ ...CODE, remediation: { gone: { text: "Own." } } }),
      answer(404, coded("gone")),
      "NOT_FOUND",
      "Own.",
    ],
    ["then the API's", read(CODE), answer(400, coded("gone")), "NOT_FOUND", "Global."],
    [
      "a number as a code",
      read({ ...CODE, remediation: { "7": { category: "CONFLICT" } } }),
      answer(400, coded(7)),
      "CONFLICT",
      undefined,
    ],
    ["no inherited names", read(CODE), answer(400, coded("constructor")), "VALIDATION_FAILED", undefined],
    ["then status and media type", read(), answer(502), "PRECONDITION_FAILED", "The proxy refused."],
    [
      "an empty body is none",
      read(),
      { status: 404, mediaType: "", isEmpty: true, json: undefined },
      "GATE_DISABLED",
      undefined,
    ],
    ["a definite rejection wins over 5xx", create(CODE), answer(500, coded("gone")), "NOT_FOUND", "Global."],
    ["so does a retryable that says so", create(CODE), answer(503, coded("late")), "UPSTREAM_UNAVAILABLE", "Act."],
    ["so does a non-JSON row", create(), answer(502), "PRECONDITION_FAILED", "The proxy refused."],
    ["unavailable does not", create(CODE), answer(503, coded("busy")), "OUTCOME_UNKNOWN", "Wait for the commit."],
    ["an unknown code keeps 5xx unknown", create(CODE), answer(500, coded("new")), "OUTCOME_UNKNOWN", undefined],
    ["a read is never unknown", read(CODE), answer(400, coded("lost")), "UPSTREAM_UNAVAILABLE", "Look."],
    ["a mutation may be by its table", create(CODE), answer(400, coded("lost")), "OUTCOME_UNKNOWN", "Look."],
  ];
  for (const [title, operation, given, category, text] of table) {
    it(title, () => {
      const verdict = classifyAnswer(api, operation, given, null);
      assert.equal(verdict.category, category);
      if (text !== undefined) assert.equal(verdict.remediation, text);
    });
  }
  it("a code is cut to 200 characters", () => {
    const verdict = classifyAnswer(api, read(CODE), answer(400, coded("x".repeat(300))), null);
    assert.equal(verdict.code, `${"x".repeat(199)}…`);
  });
});

describe("gate", () => {
  const operation: AnyOperation = read({ ...CODE, gate: { env: "BETA", disabledStatus: 404, text: "Enable BETA." } });
  it("a bare disabled status is the gate", () => {
    const verdict = classifyAnswer(API, operation, answer(404), null);
    assert.deepEqual([verdict.category, verdict.remediation], ["GATE_DISABLED", "Enable BETA."]);
  });
  it("the API's own code is not", () =>
    assert.equal(classifyAnswer(API, operation, answer(404, coded("x")), null).category, "NOT_FOUND"));
  it("another status is not", () =>
    assert.equal(classifyAnswer(API, operation, answer(403), null).category, "AUTH_FAILED"));
});

describe("request id", () => {
  const table: readonly (readonly [Record<string, string>, string | null])[] = [
    [{ "cf-ray": "e", "x-amzn-requestid": "d", "x-correlation-id": "c", "request-id": "b", "x-request-id": "a" }, "a"],
    [{ "cf-ray": "e", "x-amzn-requestid": "d", "x-correlation-id": "c", "request-id": "b" }, "b"],
    [{ "cf-ray": "e", "x-amzn-requestid": "d", "x-correlation-id": "c" }, "c"],
    [{ "cf-ray": "e", "x-amzn-requestid": "d" }, "d"],
    [{ "cf-ray": "e" }, "e"],
    [{}, null],
  ];
  for (const [headers, expected] of table) {
    it(`${expected}`, async () =>
      assert.equal(errorOf(await bench([json(404, {}, headers)]).core.call(read(), {})).request_id, expected));
  }
});
