// Attempts: which calls are repeated, how long they wait, what a chain of failures means; redirects, timeouts, cancel.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { RetryOptions } from "../dist/index.js";
import { parseRetryAfter, retryDelayMs, retryPolicy } from "../dist/retry.js";
import { ANY, API, bench, create, errorOf, json, NOW, read, valueOf } from "./support.ts";
import type { Op, Step } from "./support.ts";

const POLICY = { max: 3, baseMs: 200, maxMs: 5000, jitter: "full", honorRetryAfter: true } as const;

describe("retryDelayMs", () => {
  const table: readonly (readonly [string, number, RetryOptions, number | null, number, number])[] = [
    ["full jitter", 1, {}, null, 0.5, 100],
    ["doubles", 3, {}, null, 0.5, 400],
    ["is capped", 10, {}, null, 1, 5000],
    ["no jitter", 2, { jitter: "none" }, null, 0, 400],
    ["equal jitter", 1, { jitter: "equal" }, null, 0, 100],
    ["equal jitter, upper end", 1, { jitter: "equal" }, null, 1, 200],
    ["Retry-After", 1, {}, 1500, 0, 1500],
    ["Retry-After is capped", 1, {}, 60_000, 0, 5000],
    ["Retry-After is not honoured", 1, { honorRetryAfter: false }, 1500, 0.5, 100],
  ];
  for (const [title, n, options, after, unit, expected] of table) {
    it(title, () => assert.equal(retryDelayMs(n, { ...POLICY, ...options }, after, unit), expected));
  }
});

describe("parseRetryAfter", () => {
  const table: readonly (readonly [string | undefined, number | null])[] = [
    [undefined, null],
    ["", null],
    ["0", 0],
    ["120", 120_000],
    [" 3 ", 3000],
    ["-1", null],
    ["1.5", null],
    ["soon", null],
    ["99999999999999999999", Number.MAX_SAFE_INTEGER],
    ["Mon, 30 Nov 2026 12:00:10 GMT", 10_000],
    ["Monday, 30-Nov-26 12:00:10 GMT", 10_000],
    ["Mon Nov 30 12:00:10 2026", 10_000],
    ["Tue Dec  1 12:00:00 2026", 86_400_000],
    ["Sunday, 06-Nov-94 08:49:37 GMT", 0],
    ["Mon, 30 Nov 2026 11:00:00 GMT", 0],
    ["Mon, 30 Foo 2026 12:00:10 GMT", null],
  ];
  for (const [text, expected] of table) it(String(text), () => assert.equal(parseRetryAfter(text, NOW), expected));
});

describe("retryPolicy", () => {
  const api = {
    ...API,
    retries: { readOnly: { max: 1, baseMs: 10, maxMs: 20, jitter: "none" }, honorRetryAfter: false },
  } as const;
  it("defaults", () => assert.deepEqual(retryPolicy(API, "read_only", undefined), POLICY));
  it("the operation's tier", () =>
    assert.deepEqual(retryPolicy(api, "read_only", undefined), {
      max: 1,
      baseMs: 10,
      maxMs: 20,
      jitter: "none",
      honorRetryAfter: false,
    }));
  it("the client's options, member by member", () =>
    assert.deepEqual(retryPolicy(api, "read_only", { max: 2 }), {
      max: 2,
      baseMs: 10,
      maxMs: 20,
      jitter: "none",
      honorRetryAfter: false,
    }));
  it("other tier", () => assert.equal(retryPolicy(api, "destructive", undefined).max, 3));
  it("at most ten", () => assert.equal(retryPolicy(API, "read_only", { max: 99 }).max, 10));
});

const KEYED: Partial<Op> = { idempotency: { policy: "auto" } };
const IDENTITY: Partial<Op> = { idempotency: { policy: "content_identity" } };
const ok = json(200, 1);
const created = json(201, 1);
const busy = json(503, {});

interface Chain {
  readonly title: string;
  readonly operation: Op;
  readonly script: readonly Step[];
  /** Category, retryable, attempts; or attempts alone for a success. */
  readonly expected: readonly [string, string, number] | number;
}

const chains: readonly Chain[] = [
  { title: "read: 503 then success", operation: read(), script: [busy, ok], expected: 2 },
  { title: "read: 429 then success", operation: read(), script: [json(429, {}), ok], expected: 2 },
  { title: "read: 408 then success", operation: read(), script: [json(408, {}), ok], expected: 2 },
  {
    title: "read: refused connection then success",
    operation: read(),
    script: [{ fails: "ECONNREFUSED" }, ok],
    expected: 2,
  },
  { title: "read: reset then success", operation: read(), script: [{ fails: "ECONNRESET" }, ok], expected: 2 },
  { title: "read: broken body then success", operation: read(), script: [{ cutBody: 200 }, ok], expected: 2 },
  { title: "read: timeout then success", operation: read(), script: [{ hangs: true }, ok], expected: 2 },
  {
    title: "read: gives up after max",
    operation: read(),
    script: [busy, busy, busy, busy],
    expected: ["UPSTREAM_UNAVAILABLE", "after_delay", 4],
  },
  { title: "read: 404 is final", operation: read(), script: [json(404, {})], expected: ["NOT_FOUND", "never", 1] },
  {
    title: "read: lost requests are a transport failure",
    operation: read(),
    script: [0, 1, 2, 3].map(() => ({ fails: "ECONNRESET" })),
    expected: ["TRANSPORT_FAILED", "after_delay", 4],
  },
  {
    title: "unprotected mutation: 503 is unknown and final",
    operation: create(),
    script: [busy],
    expected: ["OUTCOME_UNKNOWN", "after_remediation", 1],
  },
  {
    title: "unprotected mutation: 429 is not repeated",
    operation: create(),
    script: [json(429, {})],
    expected: ["RATE_LIMITED", "after_delay", 1],
  },
  {
    title: "unprotected mutation: refused connection",
    operation: create(),
    script: [{ fails: "ECONNREFUSED" }],
    expected: ["TRANSPORT_FAILED", "after_delay", 1],
  },
  {
    title: "unprotected mutation: name look-up",
    operation: create(),
    script: [{ fails: "ENOTFOUND" }],
    expected: ["TRANSPORT_FAILED", "after_delay", 1],
  },
  {
    title: "unprotected mutation: TLS",
    operation: create(),
    script: [{ fails: "CERT_HAS_EXPIRED" }],
    expected: ["TRANSPORT_FAILED", "after_delay", 1],
  },
  {
    title: "unprotected mutation: reset",
    operation: create(),
    script: [{ fails: "ECONNRESET" }],
    expected: ["OUTCOME_UNKNOWN", "after_remediation", 1],
  },
  {
    title: "unprotected mutation: an error that says nothing",
    operation: create(),
    script: [{ fails: null }],
    expected: ["OUTCOME_UNKNOWN", "after_remediation", 1],
  },
  {
    title: "unprotected mutation: timeout",
    operation: create(),
    script: [{ hangs: true }],
    expected: ["OUTCOME_UNKNOWN", "after_remediation", 1],
  },
  {
    title: "unprotected mutation: body lost after a success status",
    operation: create(),
    script: [{ cutBody: 201 }],
    expected: ["OUTCOME_UNKNOWN", "after_remediation", 1],
  },
  { title: "keyed mutation: 503 then success", operation: create(KEYED), script: [busy, created], expected: 2 },
  {
    title: "keyed mutation: timeout, reset, success",
    operation: create(KEYED),
    script: [{ hangs: true }, { fails: "ECONNRESET" }, created],
    expected: 3,
  },
  {
    title: "keyed mutation: gives up unknown",
    operation: create(KEYED),
    script: [busy, busy, busy, busy],
    expected: ["OUTCOME_UNKNOWN", "same_key_only", 4],
  },
  {
    title: "keyed mutation: a refusal first is definite",
    operation: create(KEYED),
    script: [json(409, {})],
    expected: ["CONFLICT", "never", 1],
  },
  {
    title: "keyed mutation: a refusal after an unknown outcome proves nothing",
    operation: create(KEYED),
    script: [busy, json(409, {})],
    expected: ["OUTCOME_UNKNOWN", "same_key_only", 2],
  },
  {
    title: "keyed mutation: nor does a refused connection",
    operation: create(KEYED),
    script: [{ fails: "ECONNRESET" }, ...[0, 1, 2].map(() => ({ fails: "ECONNREFUSED" }))],
    expected: ["OUTCOME_UNKNOWN", "same_key_only", 4],
  },
  { title: "identity body: repeated", operation: create(IDENTITY), script: [busy, created], expected: 2 },
];

describe("chains of attempts", () => {
  for (const { title, operation, script, expected } of chains) {
    it(title, async () => {
      const { core, sent, waits } = bench(script);
      const result = await core.call(operation, operation.body === undefined ? {} : { name: "a" });
      assert.equal(sent.length, script.length);
      assert.equal(waits.length, script.length - 1);
      if (typeof expected === "number") {
        if (!result.ok) throw new Error(JSON.stringify(result.error));
        assert.equal(result.meta.attempts, expected);
      } else {
        const error = errorOf(result);
        assert.deepEqual([error.category, error.retryable, error.trace.attempts], expected);
      }
      // One intent: every attempt carries the same key and the same bytes.
      assert.equal(new Set(sent.map((one) => one.body)).size, 1);
      assert.equal(new Set(sent.map((one) => one.headers["idempotency-key"])).size, 1);
    });
  }
  it("waits as Retry-After says, up to the cap", async () => {
    const { core, waits } = bench([
      json(429, {}, { "retry-after": "2" }),
      json(429, {}, { "retry-after": "Mon, 30 Nov 2026 13:00:00 GMT" }),
      ok,
    ]);
    valueOf(await core.call(read(), {}));
    assert.deepEqual(waits, [2000, 5000]);
  });
  it("retry_after_ms says what the server asked for", async () => {
    const { core } = bench([json(429, {}, { "retry-after": "60" })], { retries: { max: 0 } });
    assert.equal(errorOf(await core.call(read(), {})).retry_after_ms, 60_000);
  });
  it("a multipart body keeps its boundary", async () => {
    const { core, sent } = bench([busy, created]);
    const body = { mediaType: "multipart/form-data", encoding: "multipart", schema: ANY, arg: "body" } as const;
    valueOf(await core.call(create({ ...KEYED, body }), { body: { a: new Blob(["x"]) } }));
    assert.equal(sent[0]?.headers["content-type"], sent[1]?.headers["content-type"]);
    assert.equal(sent[0]?.body, sent[1]?.body);
  });
  it("bytes that the caller changes later are sent as they were", async () => {
    const bytes = new Uint8Array([97]);
    const body = {
      mediaType: "application/octet-stream",
      encoding: "bytes",
      schema: { kind: "bytes" },
      arg: "body",
    } as const;
    const { core, sent } = bench([busy, created], { middleware: [{ onRetry: () => void bytes.fill(98) }] });
    valueOf(await core.call(create({ ...KEYED, body }), { body: bytes }));
    assert.deepEqual(
      sent.map((one) => one.body),
      ["a", "a"],
    );
  });
  it("a stream is sent once", async () => {
    const body = {
      mediaType: "application/octet-stream",
      encoding: "bytes",
      schema: { kind: "bytes" },
      arg: "body",
    } as const;
    const { core, sent } = bench([busy]);
    const error = errorOf(await core.call(create({ ...KEYED, body }), { body: new Blob(["x"]).stream() }));
    assert.deepEqual([sent.length, error.trace.attempts], [1, 1]);
  });
});

const redirect = (status: number, location: string): Step => ({ status, headers: { location } });

describe("redirects", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`a read follows ${status} on the same origin`, async () => {
      const { core, sent } = bench([redirect(status, "/v2/things?x=1"), ok]);
      const result = await core.call(read(), {});
      assert.deepEqual(
        [result.ok, sent[1]?.url, sent[1]?.method],
        [true, "https://api.shop.test/v2/things?x=1", "GET"],
      );
    });
    it(`a mutation does not follow ${status}`, async () => {
      const { core, sent } = bench([redirect(status, "/v2/things")]);
      assert.equal(errorOf(await core.call(create(), { name: "a" })).category, "UNEXPECTED_RESPONSE");
      assert.equal(sent.length, 1);
    });
  }
  const refused: readonly (readonly [string, string])[] = [
    ["another host", "https://evil.test/"],
    ["another port", "https://api.shop.test:8443/"],
    ["another scheme", "http://api.shop.test/v1/things"],
    ["credentials", "https://a:b@api.shop.test/"],
    ["nonsense", "http://["],
  ];
  for (const [title, location] of refused) {
    it(`a read does not follow to ${title}`, async () => {
      const { core, sent } = bench([redirect(302, location)]);
      const error = errorOf(await core.call(read(), {}));
      assert.deepEqual([error.category, error.http_status, sent.length], ["UNEXPECTED_RESPONSE", 302, 1]);
    });
  }
  it("at most five", async () => {
    const { core, sent } = bench(Array.from({ length: 7 }, () => redirect(302, "/again")));
    assert.equal(errorOf(await core.call(read(), {})).category, "UNEXPECTED_RESPONSE");
    assert.equal(sent.length, 6);
  });
  it("fetch is never asked to follow", async () => {
    const { core, sent } = bench([ok]);
    await core.call(read(), {});
    assert.equal(sent[0]?.redirect, "manual");
  });
  it("credentials in the query are put back", async () => {
    const { core, sent } = bench(
      [redirect(302, "/other?a=1"), ok],
      { auth: { k: "s3cret" } },
      { auth: [{ kind: "api_key", name: "k", in: "query", wire: "key" }] },
    );
    await core.call(read({ security: [["k"]] }), {});
    assert.equal(sent[1]?.url, "https://api.shop.test/other?a=1&key=s3cret");
  });
  it("a POST that reads keeps its body under 307 and becomes a GET under 303", async () => {
    const search = create({ safety: "read_only", responses: read().responses });
    const { core, sent } = bench([redirect(307, "/a"), redirect(303, "/b"), ok]);
    valueOf(await core.call(search, { name: "a" }));
    assert.deepEqual(
      sent.map(({ method, body }) => [method, body]),
      [
        ["POST", '{"name":"a"}'],
        ["POST", '{"name":"a"}'],
        ["GET", null],
      ],
    );
    assert.equal(sent[2]?.headers["content-type"], undefined);
  });
});

describe("cancelling", () => {
  it("before sending", async () => {
    const { core, sent } = bench([]);
    const error = errorOf(await core.call(create(), { name: "a" }, { signal: AbortSignal.abort() }));
    assert.deepEqual([error.category, error.trace.attempts, sent.length], ["TRANSPORT_FAILED", 0, 0]);
  });
  it("while a mutation is on its way", async () => {
    const stop = new AbortController();
    const { core } = bench([{ hangs: true }], {
      timeoutMs: Infinity,
      middleware: [{ onRequest: () => void setImmediate(() => stop.abort()) }],
    });
    const error = errorOf(await core.call(create(KEYED), { name: "a" }, { signal: stop.signal }));
    assert.deepEqual([error.category, error.trace.attempts], ["OUTCOME_UNKNOWN", 1]);
  });
  it("between attempts: the last failure stands, nothing more is sent", async () => {
    const stop = new AbortController();
    const { core, sent } = bench([busy], { middleware: [{ onRetry: () => stop.abort() }] });
    const error = errorOf(await core.call(create(KEYED), { name: "a" }, { signal: stop.signal }));
    assert.deepEqual([error.category, sent.length], ["OUTCOME_UNKNOWN", 1]);
  });
});

describe("an attempt that runs out of time", () => {
  it("is aborted", async () => {
    let signal: AbortSignal | null | undefined;
    const { core } = bench([], {
      fetch: (_url, init) => {
        signal = init.signal;
        return new Promise(() => undefined);
      },
      sleep: (ms) => (ms === 5 ? Promise.resolve() : new Promise(() => undefined)),
      retries: { max: 0 },
    });
    errorOf(await core.call(read(), {}, { timeoutMs: 5 }));
    assert.equal(signal?.aborted, true);
  });
});

describe("a fetch that ignores its signal", () => {
  it("an attempt ends after its time although fetch ignores the signal", async () => {
    const { core } = bench([], {
      fetch: () => new Promise(() => undefined),
      sleep: (ms) => (ms === 5 ? Promise.resolve() : new Promise(() => undefined)),
      retries: { max: 0 },
    });
    const error = errorOf(await core.call(read(), {}, { timeoutMs: 5 }));
    assert.equal(error.category, "UPSTREAM_UNAVAILABLE");
  });
});
