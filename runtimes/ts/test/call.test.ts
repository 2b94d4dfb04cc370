// A call from end to end: arguments, responses, redaction, hooks, and what never happens (a throw, a leaked secret).

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { ClientOptions, FieldSchema, RequestContext, ResponseDescriptor, Schema } from "../dist/index.js";
import { receivedValue, scrubber, SensitiveFields, truncate } from "../dist/redact.js";
import { ANY, bench, create, errorOf, INTEGER, json, query, read, remove, STRING, valueOf } from "./support.ts";
import type { Args, Op, Step } from "./support.ts";

const body = (fields: readonly FieldSchema[], required = true): Partial<Op> => ({
  body: {
    mediaType: "application/json",
    encoding: "json",
    ...(required ? { required: true } : {}),
    schema: { kind: "object", fields },
  },
});
const wholeBody: Partial<Op> = {
  body: {
    mediaType: "application/json",
    encoding: "json",
    required: true,
    arg: "payload",
    schema: { kind: "array", items: { kind: "object", fields: [{ name: "a b", schema: INTEGER }] } },
  },
};

const faults: readonly (readonly [string, Op, unknown, string, string])[] = [
  ["no object", read(), [], "args", "an object"],
  ["wrong type", read({ params: [query(INTEGER)] }), { q: "ten" }, "args.q", "an integer"],
  [
    "item of a list",
    read({ params: [query({ kind: "array", items: STRING })] }),
    { q: ["a", 1] },
    "args.q[1]",
    "a string",
  ],
  ["required parameter", remove(), {}, "args.id", "a string (required)"],
  ["unknown argument", read(), { nope: 1 }, "args.nope", "no argument of this name"],
  [
    "unknown argument called __proto__",
    read(),
    JSON.parse('{"__proto__":1}'),
    "args.__proto__",
    "no argument of this name",
  ],
  ["required body field", create(), {}, "body.name", "a string (required)"],
  [
    "nested body field",
    create(body([{ name: "tags", schema: { kind: "array", items: STRING } }])),
    { tags: ["a", 2] },
    "body.tags[1]",
    "a string",
  ],
  [
    "read-only body field",
    create(body([{ name: "id", schema: INTEGER, readOnly: true }])),
    { id: 1 },
    "args.id",
    "no argument of this name",
  ],
  ["whole body", create(wholeBody), { payload: {} }, "body", "an array"],
  ["inside a whole body", create(wholeBody), { payload: [{ "a b": "x" }] }, 'body[0]["a b"]', "an integer"],
  ["whole body missing", create(wholeBody), {}, "body", "an array (required)"],
  [
    "structure before unknown arguments",
    read({ params: [query(INTEGER)] }),
    { zzz: 1, q: "x" },
    "args.q",
    "an integer",
  ],
  [
    "structure of the body before constraints of a parameter",
    create({ params: [query({ kind: "string", minLength: 2 })] }),
    { q: "x" },
    "body.name",
    "a string (required)",
  ],
  ["too deep", create(wholeBody), { payload: deep(300) }, "args", "nesting of at most 256 levels"],
];

function deep(levels: number): unknown {
  let value: unknown = [];
  for (let i = 0; i < levels; i += 1) value = [value];
  return value;
}

describe("arguments", () => {
  for (const [title, operation, args, parameter, expected] of faults) {
    it(title, async () => {
      const { core, sent } = bench([]);
      const error = errorOf(await core.call(operation, args as Args));
      assert.deepEqual(
        [error.category, error.failed_parameter, error.expected],
        ["VALIDATION_FAILED", parameter, expected],
      );
      assert.deepEqual([error.retryable, error.trace.attempts, sent.length], ["never", 0, 0]);
      assert.equal(error.remediation, `Fix ${parameter} (expected: ${expected}) and call again.`);
    });
  }
  it("undefined arguments are absent", async () => {
    const { core, sent } = bench([json(200, 1)]);
    valueOf(await core.call(read({ params: [query(STRING)] }), { q: undefined, nope: undefined }));
    assert.equal(sent[0]?.url, "https://api.shop.test/v1/things");
  });
  it("an optional merged body without fields is not sent", async () => {
    const { core, sent } = bench([json(201, 1), json(201, 1)]);
    const operation = create(body([{ name: "note", schema: STRING }], false));
    await core.call(operation, {});
    await core.call(operation, { note: "x" });
    assert.deepEqual(
      sent.map((one) => one.body),
      [null, '{"note":"x"}'],
    );
  });
  it("a required merged body without fields is an empty object", async () => {
    const { core, sent } = bench([json(201, 1)]);
    await core.call(create(body([{ name: "note", schema: STRING }])), {});
    assert.equal(sent[0]?.body, "{}");
  });
  it("the fields of an all are merged", async () => {
    const { core, sent } = bench([json(201, 1)]);
    const all: Schema = {
      kind: "all",
      members: [
        { kind: "object", fields: [{ name: "aB", wire: "a_b", schema: STRING }] },
        { kind: "ref", ref: () => ({ kind: "object", fields: [{ name: "c", schema: INTEGER }] }) },
      ],
    };
    valueOf(
      await core.call(create({ body: { mediaType: "application/json", encoding: "json", schema: all } }), {
        aB: "x",
        c: 1,
      }),
    );
    assert.equal(sent[0]?.body, '{"a_b":"x","c":1}');
  });
  it("a getter that throws is a failure, not an exception", async () => {
    const args = Object.defineProperty({}, "name", {
      enumerable: true,
      get: () => {
        throw new Error("boom");
      },
    });
    assert.equal(errorOf(await bench([]).core.call(create(), args as Args)).failed_parameter, "args");
  });
});

const row = (changes: Partial<ResponseDescriptor>): ResponseDescriptor => ({
  status: 200,
  kind: "success",
  ...changes,
});
const jsonRow = (schema: Schema, changes: Partial<ResponseDescriptor> = {}): ResponseDescriptor =>
  row({ mediaType: "application/json", encoding: "json", schema, ...changes });
const typed = (type: string, text: string, status = 200): Step => ({
  status,
  headers: { "content-type": type },
  body: text,
});

const responses: readonly (readonly [string, readonly ResponseDescriptor[], Step, unknown])[] = [
  ["JSON", [jsonRow(ANY)], json(200, { a: 1 }), { a: 1 }],
  ["JSON null", [jsonRow(ANY)], json(200, null), null],
  ["JSON with a charset", [jsonRow(ANY)], typed("application/json; charset=utf-8", "1"), 1],
  ["a JSON type of its own", [jsonRow(ANY)], typed("application/problem+json", "1"), 1],
  [
    "wire names become names",
    [jsonRow({ kind: "object", fields: [{ name: "petName", wire: "pet_name", schema: STRING }] })],
    json(200, { pet_name: "a" }),
    { petName: "a" },
  ],
  ["204", [row({ status: 204 })], { status: 204 }, undefined],
  ["a success without a body, body ignored", [row({})], typed("text/plain", "noise"), undefined],
  ["an optional body that is absent", [jsonRow(ANY), row({})], { status: 200 }, undefined],
  ["an optional body that is there", [jsonRow(ANY), row({})], json(200, 1), 1],
  ["text", [row({ mediaType: "text/plain", encoding: "text", schema: STRING })], typed("text/plain", "hi"), "hi"],
  [
    "text in another charset",
    [row({ mediaType: "text/plain", encoding: "text" })],
    { status: 200, headers: { "content-type": "text/plain; charset=iso-8859-1" }, body: new Uint8Array([0xe9]) },
    "é",
  ],
  [
    "text that is a number",
    [row({ mediaType: "text/plain", encoding: "text", schema: INTEGER })],
    typed("text/plain", "42"),
    42,
  ],
  ["empty text", [row({ mediaType: "text/plain", encoding: "text" })], typed("text/plain", ""), ""],
  [
    "bytes",
    [row({ mediaType: "image/*", encoding: "bytes" })],
    typed("image/png", "png"),
    new TextEncoder().encode("png"),
  ],
  [
    "form",
    [row({ mediaType: "application/x-www-form-urlencoded", encoding: "form" })],
    typed("application/x-www-form-urlencoded", "a=1&b=2&b=3"),
    { a: "1", b: ["2", "3"] },
  ],
  [
    "lines of JSON",
    [row({ mediaType: "application/x-ndjson", encoding: "jsonl", schema: INTEGER })],
    typed("application/x-ndjson", "1\n2\n\n"),
    [1, 2],
  ],
  [
    "a sequence of JSON",
    [row({ mediaType: "application/json-seq", encoding: "json_seq", schema: INTEGER })],
    typed("application/json-seq", "\u001e1\n\u001e2\n"),
    [1, 2],
  ],
  [
    "one of several types",
    [jsonRow(ANY), row({ mediaType: "text/csv", encoding: "text" })],
    typed("text/csv", "a,b"),
    "a,b",
  ],
  ["no content type: the first row", [jsonRow(ANY)], { status: 200, body: "1" }, 1],
  ["a range of statuses", [jsonRow(ANY, { status: "2XX" })], json(202, 1), 1],
  ["an exact status before a range", [row({ status: 202 }), jsonRow(ANY, { status: "2XX" })], json(202, 1), undefined],
  ["default as success", [jsonRow(ANY, { status: "default" })], json(203, 1), 1],
  ["nothing described: any 2xx", [], json(200, 1), 1],
  ["nothing described, nothing sent", [], { status: 204 }, undefined],
];

const mismatches: readonly (readonly [string, readonly ResponseDescriptor[], Step, string])[] = [
  ["another type", [jsonRow(ANY)], typed("text/html", "<p>"), "a body of the type application/json"],
  ["no JSON", [jsonRow(ANY)], typed("application/json", "{"), "a JSON body"],
  [
    "invalid UTF-8",
    [jsonRow(ANY)],
    { status: 200, headers: { "content-type": "application/json" }, body: new Uint8Array([0x22, 0xff, 0x22]) },
    "a JSON body",
  ],
  ["empty JSON", [jsonRow(ANY)], { status: 200, headers: { "content-type": "application/json" } }, "a JSON body"],
  [
    "a broken line",
    [row({ mediaType: "application/x-ndjson", encoding: "jsonl" })],
    typed("application/x-ndjson", "1\n{"),
    "one JSON value a line",
  ],
  [
    "a sequence that was cut short",
    [row({ mediaType: "application/json-seq", encoding: "json_seq" })],
    typed("application/json-seq", '\u001e1\n\u001e{"a"'),
    "JSON values, each after a record separator",
  ],
  [
    "too deep",
    [jsonRow(ANY)],
    typed("application/json", "[".repeat(300) + "]".repeat(300)),
    "nesting of at most 256 levels",
  ],
];

describe("responses", () => {
  for (const [title, rows, step, expected] of responses) {
    it(title, async () => {
      const { core } = bench([step], { validateResponses: "strict" });
      assert.deepEqual(valueOf(await core.call(read({ responses: rows }), {})), expected);
    });
  }
  for (const [title, rows, step, expected] of mismatches) {
    it(`${title}: UNEXPECTED_RESPONSE`, async () => {
      const { core } = bench([step]);
      const error = errorOf(await core.call(read({ responses: rows }), {}));
      assert.deepEqual(
        [error.category, error.expected, error.http_status, error.retryable],
        ["UNEXPECTED_RESPONSE", expected, 200, "never"],
      );
    });
  }
  it("a 2xx that is not described", async () => {
    const { core } = bench([json(202, 1)]);
    assert.equal(errorOf(await core.call(read(), {})).category, "UNEXPECTED_RESPONSE");
  });
  it("HEAD has no body", async () => {
    const { core } = bench([{ status: 200, headers: { "content-type": "application/json" } }]);
    assert.equal(valueOf(await core.call(read({ method: "HEAD" }), {})), undefined);
  });
  it("meta", async () => {
    const { core } = bench([json(200, 1, { "X-Request-Id": "r1", "X-Other": "o" })]);
    const result = await core.call(read(), {});
    if (!result.ok) throw new Error("failed");
    assert.deepEqual(result.meta, {
      status: 200,
      headers: { "content-type": "application/json", "x-request-id": "r1", "x-other": "o" },
      requestId: "r1",
      attempts: 1,
    });
  });
  it("Accept lists the success types once, event streams aside", async () => {
    const { core, sent } = bench([json(200, 1)]);
    const rows = [
      jsonRow(ANY),
      row({ mediaType: "text/csv" }),
      jsonRow(ANY, { status: 201 }),
      row({ mediaType: "text/event-stream", encoding: "sse" }),
      jsonRow(ANY, { status: 400, kind: "error", mediaType: "application/problem+json" }),
    ];
    await core.call(read({ responses: rows }), {});
    assert.equal(sent[0]?.headers["accept"], "application/json, text/csv");
  });
});

const secretShape: Schema = {
  kind: "object",
  fields: [
    { name: "id", schema: INTEGER, required: true },
    { name: "clientSecret", wire: "client_secret", schema: STRING },
  ],
};

describe("validateResponses", () => {
  const rows = [jsonRow(secretShape, { status: 201 })];
  const wrong = json(201, { id: "x", client_secret: "once" });
  const run = async (validateResponses?: ClientOptions["validateResponses"]) => {
    const made = bench([wrong], validateResponses === undefined ? {} : { validateResponses });
    return { ...made, result: await made.core.call(create({ responses: rows }), { name: "a" }) };
  };
  it("off does not look", async () => {
    const { result, diagnostics } = await run("off");
    assert.deepEqual([valueOf(result), diagnostics], [{ id: "x", clientSecret: "once" }, []]);
  });
  it("warn is the default: reports and delivers", async () => {
    const { result, diagnostics } = await run();
    assert.deepEqual(valueOf(result), { id: "x", clientSecret: "once" });
    assert.deepEqual(
      diagnostics.map(({ kind, error }) => [kind, error.category, error.failed_parameter, error.received_value]),
      [["response_invalid", "UNEXPECTED_RESPONSE", "response.id", "x"]],
    );
  });
  it("strict keeps what a mutation made", async () => {
    const { result } = await run("strict");
    const error = errorOf(result);
    assert.deepEqual(
      [error.category, error.failed_parameter, error.expected, error.http_status],
      ["UNEXPECTED_RESPONSE", "response.id", "an integer", 201],
    );
    assert.deepEqual(result.ok ? null : result.partial, { id: "x", clientSecret: "once" });
    assert.match(error.remediation, /Do not repeat/);
  });
  it("strict for a read has nothing to keep", async () => {
    const { core } = bench([json(200, { id: "x" })], { validateResponses: "strict" });
    const result = await core.call(read({ responses: [jsonRow(secretShape)] }), {});
    assert.equal("partial" in result, false);
  });
  it("a sensitive field is not shown", async () => {
    const { core } = bench([json(200, { pin: 123456 })], { validateResponses: "strict" });
    const schema: Schema = { kind: "object", fields: [{ name: "pin", schema: STRING }] };
    const error = errorOf(
      await core.call(read({ responses: [jsonRow(schema)], sensitiveResponseFields: ["pin"] }), {}),
    );
    assert.equal(error.received_value, "<redacted>");
  });
  it("an integer beyond its bits is reported", async () => {
    const { core, diagnostics } = bench([typed("application/json", "9223372036854775808")]);
    valueOf(await core.call(read({ responses: [jsonRow({ kind: "integer", bits: 64 })] }), {}));
    const error = diagnostics[0]?.error;
    assert.equal(error?.expected, "an integer of 64 bits");
    assert.equal(error.received_value, "9223372036854775808");
  });
});

describe("redaction", () => {
  const none = new SensitiveFields();
  const plain = scrubber([]);
  const shown: readonly (readonly [string, unknown, unknown])[] = [
    ["null", null, null],
    ["undefined", undefined, null],
    ["number", 1.5, 1.5],
    ["NaN", NaN, "NaN"],
    ["boolean", false, false],
    ["200 characters", "x".repeat(200), "x".repeat(200)],
    ["201 characters", "x".repeat(201), `${"x".repeat(199)}…`],
    ["object", { a: [1, null] }, '{"a":[1,null]}'],
    [
      "long array",
      Array.from({ length: 100 }, () => "ab"),
      `${JSON.stringify(Array.from({ length: 100 }, () => "ab")).slice(0, 199)}…`,
    ],
    ["bytes", new Uint8Array(3), "<3 bytes>"],
    ["blob", new Blob(["abcd"]), "<4 bytes>"],
    [
      "secret names",
      { apiKey: "a", nested: [{ PASSWORD: "b" }], page_token: "c", max_tokens: 5 },
      '{"apiKey":"<redacted>","nested":[{"PASSWORD":"<redacted>"}],"page_token":"c","max_tokens":5}',
    ],
  ];
  for (const [title, value, expected] of shown)
    it(title, () => assert.deepEqual(receivedValue(value, plain, none, []), expected));
  it("never cuts a surrogate pair", () => assert.equal(truncate(`${"x".repeat(198)}😀😀`), `${"x".repeat(198)}…`));
  it("longer secrets first, short ones not at all", () =>
    assert.equal(scrubber(["abc", "abcdef", "abcd"])("abcdef abcd abc"), "<redacted> <redacted> abc"));

  const SECRET = "sup3r-s3cret";
  it("configured secrets never show up in an envelope", async () => {
    const { core } = bench(
      [json(400, { error: { code: `bad ${SECRET}` } }, { "x-request-id": SECRET })],
      { auth: { t: SECRET } },
      { auth: [{ kind: "http_bearer", name: "t" }] },
    );
    const error = errorOf(await core.call(read({ errorCodeField: "error.code", security: [["t"]] }), {}));
    assert.doesNotMatch(JSON.stringify(error), new RegExp(SECRET));
    assert.equal(error.code, "bad <redacted>");
  });
  it("nor in received_value, cut or not", async () => {
    const { core } = bench([], { auth: { t: SECRET } });
    const error = errorOf(await core.call(read({ params: [query(INTEGER)] }), { q: `${"x".repeat(190)}${SECRET}` }));
    assert.doesNotMatch(JSON.stringify(error), /sup3r/);
  });
  it("a sensitive parameter is not shown", async () => {
    const error = errorOf(
      await bench([]).core.call(read({ params: [query(INTEGER, { sensitive: true })] }), { q: "hidden" }),
    );
    assert.equal(error.received_value, "<redacted>");
  });
  it("nor is a sensitive body field, also below a parent", async () => {
    const card: Schema = { kind: "object", fields: [{ name: "cardNumber", wire: "card_number", schema: STRING }] };
    const operation = create({
      ...body([
        { name: "card", schema: { kind: "nullable", inner: card } },
        { name: "n", schema: INTEGER },
      ]),
      sensitiveRequestFields: ["card.card_number"],
    });
    const own = errorOf(await bench([]).core.call(operation, { card: { cardNumber: 4242 } }));
    assert.deepEqual([own.failed_parameter, own.received_value], ["body.card.cardNumber", "<redacted>"]);
    const parent = errorOf(await bench([]).core.call(operation, { card: [{ cardNumber: "4242" }] }));
    assert.deepEqual([parent.failed_parameter, parent.received_value], ["body.card", '[{"cardNumber":"<redacted>"}]']);
  });
  const sensitive = create({
    ...body([{ name: "iban", schema: STRING }]),
    sensitiveRequestFields: ["iban"],
    params: [query(STRING, { sensitive: true })],
    security: [["k"], ["c"]],
  });
  const auth = { auth: { k: SECRET } };
  const api = { auth: [{ kind: "api_key", name: "k", in: "query", wire: "key" }] } as const;
  it("previews are redacted", async () => {
    const value = valueOf(
      await bench([], { ...auth, headers: { "X-Session": "abcd", Cookie: "a=b" } }, api).core.preview(sensitive, {
        iban: "DE00-1234",
        q: "hush",
      }),
    );
    assert.equal(value.request.url, "https://api.shop.test/v1/things?q=<redacted>&key=<redacted>");
    assert.deepEqual(value.request.body, { iban: "<redacted>" });
    assert.deepEqual(
      [value.request.headers["x-session"], value.request.headers["cookie"]],
      ["<redacted>", "<redacted>"],
    );
  });
  it("so is what hooks see, and the server's echo", async () => {
    const seen: RequestContext[] = [];
    const { core, sent } = bench(
      [json(400, { error: { code: "bad DE00-1234 for hush" } })],
      { ...auth, middleware: [{ onRequest: (context) => void seen.push(context) }] },
      api,
    );
    const error = errorOf(
      await core.call({ ...sensitive, errorCodeField: "error.code" }, { iban: "DE00-1234", q: "hush" }),
    );
    assert.equal(error.code, "bad <redacted> for <redacted>");
    assert.doesNotMatch(JSON.stringify(seen), /DE00|hush|sup3r/);
    assert.equal(sent[0]?.url, `https://api.shop.test/v1/things?q=hush&key=${SECRET}`);
    assert.equal(sent[0]?.body, '{"iban":"DE00-1234"}');
  });
});

describe("middleware", () => {
  it("runs in order, and its failures are ignored", async () => {
    const log: string[] = [];
    const hooks = (name: string, fails: boolean) => ({
      onRequest: () => {
        log.push(`${name} request`);
        if (fails) throw new Error("x");
      },
      onResponse: async () => {
        log.push(`${name} response`);
        if (fails) throw new Error("x");
      },
      onRetry: () => {
        log.push(`${name} retry`);
        if (fails) throw new Error("x");
      },
      onDiagnostic: () => {
        log.push(`${name} diagnostic`);
        if (fails) throw new Error("x");
      },
    });
    const { core } = bench([json(503, {}), json(404, {})], {
      middleware: [hooks("a", true), hooks("b", false)],
      onDiagnostic: () => void log.push("client diagnostic"),
    });
    errorOf(await core.call(read(), {}));
    const each = (event: string): string[] => [`a ${event}`, `b ${event}`];
    assert.deepEqual(log, [
      ...each("request"),
      ...each("response"),
      ...each("retry"),
      ...each("request"),
      ...each("response"),
      ...each("diagnostic"),
      "client diagnostic",
    ]);
  });
  it("added headers are sent; those that are there stay; broken ones are dropped", async () => {
    const { core, sent } = bench([json(200, 1)], {
      middleware: [
        {
          onRequest: ({ headers }) =>
            void Object.assign(headers, { Traceparent: "00-1", accept: "evil", "x-bad": "a\nb", "bad name": "x" }),
        },
      ],
    });
    valueOf(await core.call(read(), {}));
    assert.deepEqual(
      [
        sent[0]?.headers["traceparent"],
        sent[0]?.headers["accept"],
        sent[0]?.headers["x-bad"],
        sent[0]?.headers["bad name"],
      ],
      ["00-1", "application/json", undefined, undefined],
    );
  });
  it("does not see idempotency keys", async () => {
    const seen: string[] = [];
    const { core, sent } = bench([json(201, 1)], {
      middleware: [{ onRequest: ({ headers }) => void seen.push(JSON.stringify(headers)) }],
    });
    valueOf(await core.call(create({ idempotency: { policy: "auto" } }), { name: "a" }, { idempotencyKey: "k1" }));
    assert.equal(sent[0]?.headers["idempotency-key"], "k1");
    assert.doesNotMatch(seen.join(), /"k1"/);
  });
  it("hears of failures before sending", async () => {
    const { core, diagnostics } = bench([]);
    errorOf(await core.call(remove(), {}));
    assert.deepEqual(
      diagnostics.map(({ kind, operation }) => [kind, operation]),
      [["failure", "shop.deleteThing"]],
    );
  });
});

describe("what no request can carry", () => {
  const table: readonly (readonly [string, Op])[] = [
    ["a method that fetch refuses", create({ method: "TRACE" })],
    ["a method that is none", create({ method: "PO ST" })],
    ["a header name with a space", create({ security: [["odd"]] })],
    [
      "a media type with a line break",
      create({ body: { mediaType: "a/b\r\nX: y", encoding: "json", schema: ANY, arg: "name" } }),
    ],
  ];
  for (const [title, operation] of table) {
    it(`${title}: a fault of the operation, nothing is sent`, async () => {
      const api = { auth: [{ kind: "api_key", name: "odd", in: "header", wire: "X Key" }] } as const;
      const { core, sent } = bench([], { auth: { odd: "abcd" } }, api);
      const error = errorOf(await core.call(operation, { name: "a" }));
      assert.deepEqual([error.category, error.failed_parameter, sent.length], ["VALIDATION_FAILED", "operation", 0]);
      assert.equal(errorOf(await core.preview(operation, { name: "a" })).failed_parameter, "operation");
    });
  }
  it("an operation id of another script is encoded", async () => {
    const { core, sent } = bench([json(200, 1)]);
    valueOf(await core.call(read({ id: "laden.öffne☃" }), {}));
    assert.equal(sent[0]?.headers["x-tungsten-operation"], "laden.%C3%B6ffne%E2%98%83");
  });
});

describe("headers", () => {
  it("defaults, the client's, the call's: the later wins, whatever the case", async () => {
    const { core, sent } = bench([json(200, 1)], { headers: { "X-A": "client", "x-b": "client" } });
    valueOf(await core.call(read(), {}, { headers: { "x-a": "call", ACCEPT: "text/plain" } }));
    assert.deepEqual(sent[0]?.headers, {
      accept: "text/plain",
      "user-agent": "shop-sdk/1.0.0 tungsten/0.1.0 (typescript)",
      "x-tungsten-operation": "shop.listThings",
      "x-a": "call",
      "x-b": "client",
    });
  });
});

describe("methods of an envelope", () => {
  const send = create({
    rpc: {
      field: "method",
      value: "action.send",
      params: "params",
      constants: [{ name: "jsonrpc", value: "2.0" }],
    },
  });
  const envelope = async (operation: Op, args: Args): Promise<unknown> => {
    const { core, sent } = bench([json(201, {})]);
    valueOf(await core.call(operation, args));
    assert.equal(sent[0]?.headers["content-type"], "application/json");
    return JSON.parse(sent[0]?.body ?? "null");
  };

  it("parameters are wrapped under the method's name", async () => {
    const expected = { method: "action.send", jsonrpc: "2.0", params: { name: "a" } };
    assert.deepEqual(await envelope(send, { name: "a" }), expected);
  });

  it("a method without parameters is its name alone", async () => {
    const { body: _, ...bare } = send;
    const ping: Op = { ...bare, rpc: { field: "method", value: "ping" } };
    assert.deepEqual(await envelope(ping, {}), { method: "ping" });
  });

  it("faults name the parameters, and a preview shows the envelope", async () => {
    const { core } = bench([]);
    assert.equal(errorOf(await core.call(send, { name: 1 })).failed_parameter, "body.name");
    const preview = valueOf(await core.preview(send, { name: "a" }));
    assert.deepEqual((preview as { request: { body: unknown } }).request.body, {
      method: "action.send",
      jsonrpc: "2.0",
      params: { name: "a" },
    });
  });
});
