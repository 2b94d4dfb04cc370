// What streams and downloads share with other calls: credentials that are renewed, values that are not listed, and one
// result for the hooks.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openDownload, openPages, openStream } from "../dist/index.js";
import type {
  AuthScheme,
  ClientOptions,
  PagedDescriptor,
  ResultContext,
  Result,
  Schema,
  StreamingDescriptor,
} from "../dist/index.js";
import { bytes } from "./pieces.ts";
import { all, events, outline, streamBench } from "./streaming.ts";
import type { Connection, StreamBench, StreamOp } from "./streaming.ts";
import { ANY, bench, create, json, read, valueOf } from "./support.ts";
import type { Args, Sent } from "./support.ts";

const security = [["login"]];
const auth: readonly AuthScheme[] = [{ name: "login", kind: "http_bearer" }];
const refused: Connection = { status: 401, headers: { "content-type": "application/json" }, send: "{}" };

/** A credential that is `token-1` until it is refused, then `token-2`, and so on. */
function rotating(): { readonly find: (context: { readonly rejected: string | null }) => string; used(): string } {
  let n = 1;
  const used = (): string => `token-${n}`;
  return {
    find: ({ rejected }) => {
      if (rejected === used()) n += 1;
      return used();
    },
    used,
  };
}

const tokens = (sent: readonly Sent[]): unknown[] => sent.map(({ headers }) => headers["authorization"]);
const bearers = (...numbers: readonly number[]): string[] => numbers.map((n) => `Bearer token-${n}`);

function authorized(script: readonly Connection[], find: () => string = () => "same"): StreamBench {
  return streamBench(script, { auth: { login: find } }, { auth });
}

const watch = (): StreamOp => events({}, { security });
const changing = (): StreamOp => ({
  ...create({ security, idempotency: { policy: "auto" }, responses: events().responses }),
  stream: { open: openStream },
});

type Download = Promise<Result<ReadableStream<Uint8Array>>>;
const png: Connection = { headers: { "content-type": "image/png" }, send: [bytes("one"), bytes("two")] };
const download = (): StreamingDescriptor<Args, unknown, Download> => ({
  ...read({ security, responses: [{ status: 200, kind: "success", mediaType: "image/png", encoding: "bytes" }] }),
  stream: { open: openDownload },
});

describe("credentials", () => {
  for (const [title, operation, args] of [
    ["a read", watch(), {}],
    ["a mutation", changing(), { name: "one" }],
  ] as const) {
    it(`are renewed after a 401 before a stream starts (${title})`, async () => {
      const stream = authorized([refused, { send: "data: 1\n\n" }], rotating().find as () => string);
      assert.deepEqual(outline(await all(stream.open(operation, args))), [1]);
      assert.deepEqual(tokens(stream.sent), bearers(1, 2));
      const [first, second] = stream.sent.map(({ headers: { authorization: _, ...others } }) => others);
      assert.deepEqual(first, second);
    });
  }
  it("are renewed once: the second 401 ends the stream", async () => {
    const stream = authorized([refused, refused], rotating().find as () => string);
    assert.deepEqual(outline(await all(stream.open(watch()))), ["AUTH_FAILED"]);
    assert.equal(stream.sent.length, 2);
  });
  it("that are the same again are not sent again", async () => {
    const stream = authorized([refused]);
    assert.deepEqual(outline(await all(stream.open(watch()))), ["AUTH_FAILED"]);
    assert.equal(stream.sent.length, 1);
  });
  it("may expire between connections, each time", async () => {
    const script: Connection[] = [
      refused,
      { send: "id: a\ndata: 1\n\n", end: "reset" },
      { send: "id: b\ndata: 2\n\n", end: "reset" },
      refused,
      { send: "id: c\ndata: 3\n\n", end: "reset" },
      refused,
      { send: "id: d\ndata: 4\n\n" },
    ];
    const stream = authorized(script, rotating().find as () => string);
    assert.deepEqual(outline(await all(stream.open(watch()))), [1, 2, 3, 4]);
    assert.deepEqual(tokens(stream.sent), bearers(1, 2, 2, 2, 3, 3, 4));
    assert.deepEqual(
      stream.sent.map(({ headers }) => headers["last-event-id"]),
      [undefined, undefined, "a", "b", "b", "c", "c"],
    );
  });
  it("are renewed for a download", async () => {
    const stream = authorized([refused, png], rotating().find as () => string);
    const body = valueOf(await stream.core.stream(download(), {}));
    assert.equal(await new Response(body).text(), "onetwo");
    assert.deepEqual(tokens(stream.sent), bearers(1, 2));
  });
  it("are renewed for a page that a link leads to, which is asked for again", async () => {
    const next = { link: '<https://api.shop.test/v1/things?after=b>; rel="next"' };
    const script = [json(200, [1], next), json(401, {}), json(200, [2])];
    const { find, used } = rotating();
    const { core, sent } = bench(script, { auth: { login: find } }, { auth });
    const responses = read().responses.map((row) => ({ ...row, schema: { kind: "array", items: ANY } as const }));
    const pages: PagedDescriptor<Args, unknown> = {
      ...read({ security, responses }),
      pagination: { style: "link_header", open: openPages },
    };
    const got: unknown[] = [];
    for await (const page of core.pages(pages, {})) got.push(valueOf(page).items);
    assert.deepEqual(got, [[1], [2]]);
    assert.deepEqual([sent[1]?.url, sent[2]?.url], Array(2).fill("https://api.shop.test/v1/things?after=b"));
    assert.equal(sent[2]?.headers["authorization"], `Bearer ${used()}`);
    assert.equal(used(), "token-2");
  });
});

describe("a value in an event that is not listed", () => {
  /** A list of its own for each test: what one test receives must not help another. */
  let lists = 0;
  const fresh = (): { readonly watch: StreamOp; readonly state: Schema } => {
    lists += 1;
    const state: Schema = { kind: "enum", values: ["open", "closed", `stream ${lists}`] };
    const schema: Schema = { kind: "object", fields: [{ name: "state", schema: state, required: true }] };
    return {
      watch: events({}, { responses: events().responses.map((row) => ({ ...row, schema })) }),
      state,
    };
  };
  const script = [{ send: 'data: {"state":"open"}\n\ndata: {"state":"paused"}\n\n' }];
  const values = [{ state: "open" }, { state: "paused" }];
  const told = ({ diagnostics }: StreamBench): unknown[] =>
    diagnostics.map(({ kind, error }) => [kind, error.failed_parameter, error.received_value]);

  for (const validateResponses of ["warn", "strict"] as const) {
    it(`is delivered and reported with its place (${validateResponses})`, async () => {
      const stream = streamBench(script, { validateResponses });
      assert.deepEqual(outline(await all(stream.open(fresh().watch))), values);
      assert.deepEqual(told(stream), [["unknown_value", "events[1].state", "paused"]]);
    });
  }
  it("is a mismatch where the client asks for that", async () => {
    const stream = streamBench(script, { validateResponses: "strict", unknownValues: "reject" });
    const items = await all(stream.open(fresh().watch));
    assert.deepEqual(outline(items), [values[0], "UNEXPECTED_RESPONSE"]);
    assert.deepEqual(told(stream), [["failure", "events[1].state", "paused"]]);
  });
  it("may be sent back, although nobody hears of it", async () => {
    const { watch, state } = fresh();
    const silent = { onDiagnostic: undefined } as unknown as ClientOptions;
    const answer: Connection = { status: 201, headers: { "content-type": "application/json" }, send: "1" };
    const stream = streamBench([...script, answer], silent);
    const send = create({
      body: { mediaType: "application/json", encoding: "json", required: true, schema: state, arg: "state" },
    });
    assert.equal((await stream.core.call(send, { state: "paused" })).ok, false);
    assert.deepEqual(outline(await all(stream.open(watch))), values);
    valueOf(await stream.core.call(send, { state: "paused" }));
    assert.equal(stream.sent[1]?.body, '"paused"');
  });
});

describe("the result of a stream", () => {
  interface Heard {
    readonly bench: StreamBench;
    readonly results: ResultContext[];
    readonly calls: Set<object>;
  }
  function heard(script: readonly Connection[], options: ClientOptions = {}): Heard {
    const results: ResultContext[] = [];
    const calls = new Set<object>();
    const note = ({ call }: { readonly call: object }): void => void calls.add(call);
    const middleware = [
      {
        onRequest: note,
        onResponse: note,
        onRetry: note,
        onResult: (context: ResultContext) => {
          note(context);
          results.push(context);
        },
      },
    ];
    return { bench: streamBench(script, { middleware, ...options }), results, calls };
  }
  const outcomes = ({ results, calls }: Heard): unknown => [
    results.map(({ error, attempts }) => [error?.category ?? "ok", attempts]),
    calls.size,
  ];

  it("is told once, at its end, for all connections", async () => {
    const one = heard([{ send: "id: a\ndata: 1\n\n", end: "reset" }, { send: "id: b\ndata: 2\n\n" }]);
    for await (const item of one.bench.open(events())) {
      assert.equal(item.ok, true);
      assert.equal(one.results.length, 0);
    }
    assert.deepEqual(outcomes(one), [[["ok", 2]], 1]);
  });
  const failing: readonly (readonly [string, readonly Connection[], string])[] = [
    ["before its head", [{ status: 404, headers: { "content-type": "text/plain" } }], "NOT_FOUND"],
    ["while it arrives", [{ send: "data: 1\n\n", end: "reset" }], "TRANSPORT_FAILED"],
    ["by its content", [{ send: "data: 1\n\ndata: {\n\n" }], "UNEXPECTED_RESPONSE"],
  ];
  for (const [title, script, category] of failing) {
    it(`is the failure of a stream that fails ${title}`, async () => {
      const one = heard(script, { validateResponses: "strict" });
      assert.equal(outline(await all(one.bench.open(events()))).at(-1), category);
      assert.deepEqual(outcomes(one), [[[category, 1]], 1]);
    });
  }
  it("is told when the caller leaves the loop", async () => {
    const one = heard([{ send: "data: 1\n\ndata: 2\n\n", end: "stall" }]);
    for await (const _ of one.bench.open(events())) break;
    assert.deepEqual(outcomes(one), [[["ok", 1]], 1]);
  });
  const open = { ...download(), security: [] };
  it("of a download is told at the end of its bytes", async () => {
    const one = heard([png]);
    const body = valueOf(await one.bench.core.stream(open, {}));
    assert.equal(one.results.length, 0);
    assert.equal(await new Response(body).text(), "onetwo");
    assert.deepEqual(outcomes(one), [[["ok", 1]], 1]);
  });
  it("of a download that breaks is its failure", async () => {
    const one = heard([{ ...png, end: "reset" }]);
    await assert.rejects(new Response(valueOf(await one.bench.core.stream(open, {}))).text());
    assert.deepEqual(outcomes(one), [[["TRANSPORT_FAILED", 1]], 1]);
  });
  it("of a download that is refused, or not read to its end, is told", async () => {
    const missing = heard([{ status: 404, headers: { "content-type": "text/plain" } }]);
    assert.equal((await missing.bench.core.stream(open, {})).ok, false);
    assert.deepEqual(outcomes(missing), [[["NOT_FOUND", 1]], 1]);
    const left = heard([png]);
    await valueOf(await left.bench.core.stream(open, {})).cancel();
    assert.deepEqual(outcomes(left), [[["ok", 1]], 1]);
  });
});
