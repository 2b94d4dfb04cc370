// Streams over the pipeline: requests, reconnects, failures, and the published reconnect scripts. No time passes.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openStream } from "../dist/index.js";
import type { ClientOptions, Envelope, StreamItem, StreamOptions } from "../dist/index.js";
import { mergedAccept } from "../dist/request.js";
import { reconnectDelayMs } from "../dist/stream.js";
import { bytes, NO_SUITES, randomPieces, seeded, singleBytes, suite } from "./pieces.ts";
import { all, events, eventsOf, outline, streamBench } from "./streaming.ts";
import type { Connection, StreamOp } from "./streaming.ts";
import { ANY, create, INTEGER, STRING } from "./support.ts";
import type { Op, Sent } from "./support.ts";

const last = (items: readonly StreamItem<unknown>[]): Envelope => {
  const item = items.at(-1);
  if (item === undefined || item.ok) throw new Error("expected a failure at the end");
  return item.error;
};

/** A mutation whose answer is a stream; with a key of its own where asked. */
const changing = (isKeyed: boolean, stream: Partial<StreamOp["stream"]> = {}): StreamOp => ({
  ...create({
    ...(isKeyed ? { idempotency: { policy: "auto" } as const } : {}),
    responses: events().responses,
  }),
  stream: { open: openStream, ...stream },
});

// ---- The published scripts ----

interface Script {
  readonly id: string;
  readonly connections: readonly {
    readonly expect_last_event_id?: string | null;
    readonly min_wait_ms?: number;
    readonly send: string;
    readonly end: "reset" | "close" | "any";
    readonly status?: number;
    readonly content_type?: string;
  }[];
  readonly delivered: readonly string[];
  readonly events?: readonly string[];
  readonly resumable?: boolean;
  readonly final?: string;
}

describe("reconnect scripts of the suite", () => {
  const cases = (suite("sse/resume.json") as { cases: readonly Script[] } | null)?.cases;
  it("are there", { skip: cases === undefined ? NO_SUITES : false }, () => assert.equal(cases?.length, 15));
  for (const one of cases ?? []) {
    it(one.id, async () => {
      const script = one.connections.map((connection): Connection => {
        const { send, end, status = 200, content_type: type = "text/event-stream" } = connection;
        return { send, end: end === "reset" ? "reset" : "close", status, headers: { "content-type": type } };
      });
      const bench = streamBench(script);
      const items = await all(bench.open(events({ text: true })));
      const delivered = eventsOf(items);
      assert.deepEqual(
        delivered.map((item) => item.value),
        one.delivered,
      );
      if (one.events !== undefined)
        assert.deepEqual(
          delivered.map((item) => item.event),
          one.events,
        );
      const isResumable = one.resumable !== false;
      assert.equal(bench.sent.length, isResumable ? one.connections.length : 1);
      for (const [at, connection] of one.connections.slice(0, bench.sent.length).entries()) {
        const header = bench.sent[at]?.headers["last-event-id"];
        const id = header === undefined ? null : Buffer.from(header, "latin1").toString("utf8");
        assert.equal(id, connection.expect_last_event_id ?? null);
        if (connection.min_wait_ms !== undefined) assert.ok((bench.waits[at - 1] ?? 0) >= connection.min_wait_ms);
      }
      if (one.final === "UNEXPECTED_RESPONSE") assert.equal(last(items).category, one.final);
      else if (isResumable) assert.equal(items.length, delivered.length);
      else assert.equal(last(items).category, "TRANSPORT_FAILED");
    });
  }
});

// ---- Cuts ----

/** About 2 KB: data of several lines, ids of all kinds, waits, comments, each line end, characters of 1 to 4 bytes. */
function canonical(): string {
  const blocks = ["retry: 20\r\n: hello\r\n\r\n", 'id: 1\nevent: start\ndata: {"n":\ndata: 1}\n\n'];
  for (let n = 2; n < 22; n += 1) {
    const end = ["\n", "\r\n", "\r"][n % 3] ?? "\n";
    const id = n % 4 === 3 ? "" : `id: ${n % 5 === 0 ? `é😀${n}` : n - (n % 4 === 2 ? 1 : 0)}${end}`;
    const text = "😀é…x".repeat(1 + (n % 4));
    blocks.push(`: ${n}${end}${id}data: {"n": ${n},${end}data: "text": "${text}"}${end}${end}`);
  }
  blocks.push("id: 99\n\n", 'retry: 40\nid: 100\ndata: {"n": 100}\n\n', "data: [DONE]\n\n");
  return `\ufeff${blocks.join("")}`;
}

describe("a stream that is cut at every byte", () => {
  const text = canonical();
  const whole = bytes(text);
  const operation = events({ done: "[DONE]" });
  /** Where the block starts that first states an id. */
  const starts = new Map<string, number>();
  for (const found of text.matchAll(/(?<=^\ufeff|\r\n\r\n|\n\n|\r\r)(?:[^\r\n]+(?:\r\n|\n|\r))*?id: ([^\r\n]+)/g)) {
    const id = found[1] ?? "";
    if (!starts.has(id)) starts.set(id, bytes(text.slice(0, found.index)).length);
  }
  const servers: Readonly<Record<string, (id: string) => number>> = {
    "goes back to the id": (id) => {
      const start = starts.get(id);
      if (start === undefined) throw new Error(`resumed from an id that was never sent: ${id}`);
      return start;
    },
    "starts over": () => 0,
  };
  const resumedAt = (sent: Sent, start: (id: string) => number): number => {
    const header = sent.headers["last-event-id"];
    return header === undefined ? 0 : start(Buffer.from(header, "latin1").toString("utf8"));
  };
  const seen = (items: readonly StreamItem<unknown>[]): string =>
    JSON.stringify(items.map((item) => (item.ok ? [item.value, item.event, item.id] : item.error)));
  let expected = "";

  it("is about 2 KB and whole in one piece", async () => {
    assert.ok(whole.length > 1500 && whole.length < 2500, String(whole.length));
    const items = await all(streamBench([{ send: [whole] }]).open(operation));
    assert.equal(eventsOf(items).length, 22);
    assert.equal(starts.size, 15);
    expected = seen(items);
  });
  it("into two pieces", async () => {
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const bench = streamBench([{ send: [whole.subarray(0, cut), whole.subarray(cut)] }]);
      assert.equal(seen(await all(bench.open(operation))), expected, `${cut}`);
    }
  });
  for (const [name, start] of Object.entries(servers)) {
    for (const end of ["reset", "close", "stall"] as const) {
      it(`by ${end}, the server ${name}`, async () => {
        for (let cut = 0; cut <= whole.length; cut += 1) {
          const bench = streamBench((request, sent) =>
            request === 0
              ? { send: [whole.subarray(0, cut)], end }
              : { send: [whole.subarray(resumedAt(sent, start))] },
          );
          assert.equal(seen(await all(bench.open(operation, {}, { idleTimeoutMs: 5000 }))), expected, `${cut}`);
        }
      });
    }
  }
  it("several times, in random pieces", async () => {
    const random = seeded(3);
    const start = servers["goes back to the id"] ?? (() => 0);
    for (let round = 0; round < 200; round += 1) {
      const bench = streamBench((request, sent) => {
        const rest = whole.subarray(resumedAt(sent, start));
        const length = request === 3 ? rest.length : Math.floor(random() * rest.length);
        return { send: randomPieces(rest.subarray(0, length), random), end: random() < 0.5 ? "reset" : "close" };
      });
      assert.equal(seen(await all(bench.open(operation))), expected, `${round}`);
    }
  });
});

// ---- Requests ----

describe("the request of a stream", () => {
  const accepts: readonly (readonly [string | undefined, string])[] = [
    [undefined, "text/event-stream"],
    ["", "text/event-stream"],
    ["application/json", "text/event-stream, application/json"],
    ["application/json, text/event-stream", "application/json, text/event-stream"],
    ["Text/Event-Stream;q=0.5, */*", "Text/Event-Stream;q=0.5, */*"],
    ["a/b, a/b;q=0.1, A/B", "text/event-stream, a/b"],
    ['a/b;x="1,2", c/d', 'text/event-stream, a/b;x="1,2", c/d'],
    ["*/*", "text/event-stream, */*"],
  ];
  for (const [given, expected] of accepts) {
    it(`accepts ${expected}`, () => assert.equal(mergedAccept("text/event-stream", given), expected));
  }
  it("takes the call's Accept, else the client's, in one header", async () => {
    const options = { headers: { ACCEPT: "a/b" } };
    for (const [headers, expected] of [
      [{ aCCept: "c/d" }, "text/event-stream, c/d"],
      [{}, "text/event-stream, a/b"],
    ] as const) {
      const bench = streamBench([{}], options);
      await all(bench.open(events(), {}, { headers }));
      const named = Object.entries(bench.sent[0]?.headers ?? {}).filter(([name]) => name.toLowerCase() === "accept");
      assert.deepEqual(named, [["accept", expected]]);
    }
  });
  it("sets the flag, whatever the caller says", async () => {
    const flag = { name: "stream", schema: { kind: "boolean" } } as const;
    const merged = create({
      body: { mediaType: "application/json", encoding: "json", schema: { kind: "object", fields: [flag] } },
      responses: events().responses,
    });
    const whole = { ...merged, body: { ...merged.body, arg: "body" } } as Op;
    for (const [operation, args, sent] of [
      [merged, {}, { stream: true }],
      [merged, { stream: false }, { stream: true }],
      [whole, { body: { stream: false } }, { stream: true }],
      [whole, {}, null],
    ] as const) {
      const bench = streamBench([{}]);
      await all(bench.open({ ...operation, stream: { open: openStream, flag: "stream" } }, args));
      assert.deepEqual(JSON.parse(bench.sent[0]?.body ?? "null"), sent);
    }
    const param = { key: "stream", name: "stream", in: "query", schema: { kind: "boolean" } } as const;
    const bench = streamBench([{}]);
    await all(bench.open(events({ flag: "stream" }, { params: [param] })));
    assert.match(bench.sent[0]?.url ?? "", /\?stream=true$/);
  });
  it("does not change what a confirmation is for", async () => {
    const param = { key: "stream", name: "stream", in: "query", schema: { kind: "boolean" } } as const;
    const operation = { ...events({ flag: "stream" }, { params: [param] }), safety: "irreversible" as const };
    const bench = streamBench([{ send: "data: 1\n\n" }]);
    const preview = await bench.core.preview(operation, {});
    const confirm = preview.ok ? (preview.value.confirmation_token ?? undefined) : undefined;
    assert.deepEqual(outline(await all(bench.open(operation, {}, { confirm }))), [1]);
  });
  it("is not sent before an item is asked for, nor after a cancel", async () => {
    const bench = streamBench([{}]);
    const stream = bench.open(events());
    stream.cancel();
    assert.deepEqual(await all(stream), []);
    assert.equal(bench.sent.length, 0);
  });
  it("is not sent for wrong arguments; the envelope is the only item", async () => {
    const bench = streamBench([]);
    const items = await all(bench.open(events(), { nope: 1 }));
    assert.deepEqual([items.length, last(items).category, bench.sent.length], [1, "VALIDATION_FAILED", 0]);
    assert.equal(bench.diagnostics.length, 1);
  });
  it("is retried before the first byte, as any other", async () => {
    const bench = streamBench([{ status: 503, headers: { "content-type": "text/plain" } }, { send: "data: 1\n\n" }]);
    const items = await all(bench.open(events()));
    assert.deepEqual(outline(items), [1]);
    assert.equal(eventsOf(items)[0]?.meta.attempts, 2);
    assert.equal(eventsOf(items)[0]?.meta.reconnects, 0);
  });
  it("fails for an answer of another type", async () => {
    const bench = streamBench([{ headers: { "content-type": "application/json" }, send: "{}" }]);
    const error = last(await all(bench.open(events())));
    assert.deepEqual(
      [error.category, error.expected, error.received_value],
      ["UNEXPECTED_RESPONSE", "a body of the type text/event-stream", "application/json"],
    );
  });
  it("takes any 2xx event stream, with parameters of its type", async () => {
    const headers = { "content-type": "Text/Event-Stream; charset=utf-8" };
    assert.deepEqual(
      outline(await all(streamBench([{ status: 206, headers, send: "data: 1\n\n" }]).open(events()))),
      [1],
    );
  });
  it("gives the envelope of an error status", async () => {
    const bench = streamBench([{ status: 404, headers: { "content-type": "application/json" }, send: "{}" }]);
    assert.deepEqual(outline(await all(bench.open(events()))), ["NOT_FOUND"]);
  });
});

// ---- Events ----

describe("the events of a stream", () => {
  it("carry value, name, id, wait and the response", async () => {
    const send = 'retry: 7\nid: a\nevent: tick\ndata: {"n":1}\n\ndata: 2\n\n';
    const items = eventsOf(await all(streamBench([{ send, headers: { "x-request-id": "r1" } }]).open(events())));
    const [first, second] = items;
    assert.deepEqual([first?.value, first?.event, first?.id, first?.retry], [{ n: 1 }, "tick", "a", 7]);
    assert.deepEqual([second?.value, second?.event, second?.id, second?.retry], [2, "message", "a", 7]);
    assert.deepEqual([first?.meta.status, first?.meta.requestId, first?.meta.attempts], [200, "r1", 1]);
    assert.equal(eventsOf(await all(streamBench([{ send: "data: 1\n\n" }]).open(events())))[0]?.id, null);
  });
  it("end at the done value, which is no item", async () => {
    const bench = streamBench([{ send: "data: 1\n\ndata: [DONE]\n\ndata: 2\n\n", end: "stall" }]);
    assert.deepEqual(outline(await all(bench.open(events({ done: "[DONE]" })))), [1]);
    assert.deepEqual([bench.sent.length, bench.closed], [1, [0]]);
  });
  const typed = (schema: Op["responses"][number]["schema"]): StreamOp => {
    const row = { status: 200, kind: "success", mediaType: "text/event-stream", encoding: "sse" } as const;
    return events({}, { responses: [{ ...row, ...(schema === undefined ? {} : { schema }) }] });
  };
  const numbers = typed({ kind: "object", fields: [{ name: "n", schema: INTEGER, required: true }] });
  const modes: readonly (readonly [ClientOptions["validateResponses"], unknown[], number])[] = [
    ["strict", [{ n: 1 }, "UNEXPECTED_RESPONSE"], 1],
    ["warn", [{ n: 1 }, { n: "x" }, { n: 3 }], 1],
    ["off", [{ n: 1 }, { n: "x" }, { n: 3 }], 0],
  ];
  for (const [validateResponses, expected, reports] of modes) {
    it(`are checked: ${validateResponses}`, async () => {
      const bench = streamBench([{ send: 'data: {"n":1}\n\ndata: {"n":"x"}\n\ndata: {"n":3}\n\n' }], {
        ...(validateResponses === undefined ? {} : { validateResponses }),
      });
      assert.deepEqual(outline(await all(bench.open(numbers))), expected);
      assert.equal(bench.diagnostics.length, reports);
      if (reports > 0) assert.equal(bench.diagnostics[0]?.error.failed_parameter, "events[1].n");
    });
    it(`that are no JSON: ${validateResponses}`, async () => {
      const bench = streamBench([{ send: "data: nope\n\n" }], {
        ...(validateResponses === undefined ? {} : { validateResponses }),
      });
      const items = outline(await all(bench.open(events())));
      assert.deepEqual(items, [validateResponses === "strict" ? "UNEXPECTED_RESPONSE" : "nope"]);
      assert.equal(bench.diagnostics.length, reports);
    });
  }
  it("of a string are the JSON string, else the text", async () => {
    const send = 'data: "a"\n\ndata: b c\n\ndata: 5\n\ndata: {"x":1}\n\n';
    const bench = streamBench([{ send }], { validateResponses: "strict" });
    assert.deepEqual(outline(await all(bench.open(typed(STRING)))), ["a", "b c", "5", '{"x":1}']);
  });
  it("of text are the text", async () => {
    assert.deepEqual(outline(await all(streamBench([{ send: 'data: "a"\n\n' }]).open(events({ text: true })))), [
      '"a"',
    ]);
  });
  it("have a limit", async () => {
    const bench = streamBench([{ send: "data: 1\n\ndata: 1234567\n\ndata: 3\n\n", end: "stall" }], {
      maxEventBytes: 10,
    });
    const items = await all(bench.open(events()));
    assert.deepEqual(outline(items), [1, "UNEXPECTED_RESPONSE"]);
    assert.deepEqual(
      [last(items).failed_parameter, last(items).expected],
      ["events[1]", "an event of at most 10 bytes"],
    );
    assert.deepEqual(bench.closed, [0]);
  });
  it("may have 1 MiB by default", async () => {
    const longest = `data: "${"x".repeat(1024 * 1024 - 9)}"\n\n`;
    assert.equal((await all(streamBench([{ send: longest }]).open(events())))[0]?.ok, true);
    const longer = `data: "${"x".repeat(1024 * 1024 - 8)}"\n\n`;
    assert.deepEqual(outline(await all(streamBench([{ send: longer }]).open(events()))), ["UNEXPECTED_RESPONSE"]);
  });
  it("nest to a limit", async () => {
    const deep = `data: ${"[".repeat(300)}${"]".repeat(300)}\n\n`;
    assert.deepEqual(outline(await all(streamBench([{ send: deep }]).open(events()))), ["UNEXPECTED_RESPONSE"]);
  });
});

// ---- Drops ----

const DROP: Connection = { send: "id: 1\ndata: 1\n\n", end: "reset" };

describe("a stream that drops", () => {
  const cases: readonly (readonly [string, StreamOp, readonly Connection[], StreamOptions, unknown[], number])[] = [
    ["is resumed", events(), [DROP, { send: "id: 2\ndata: 2\n\n" }], {}, [1, 2], 2],
    ["not with maxReconnects 0", events(), [DROP], { maxReconnects: 0 }, [1, "TRANSPORT_FAILED"], 1],
    ["as often as maxReconnects", events(), [DROP, DROP, DROP], { maxReconnects: 2 }, [1, "TRANSPORT_FAILED"], 3],
    ["three times by default", events(), [DROP, DROP, DROP, DROP], {}, [1, "TRANSPORT_FAILED"], 4],
    [
      "not without an id once there were events",
      events(),
      [{ send: "data: 1\n\n", end: "reset" }],
      {},
      [1, "TRANSPORT_FAILED"],
      1,
    ],
    [
      "from its start while there were none",
      events(),
      [{ send: ":x\n", end: "reset" }, { send: "data: 1\n\n" }],
      {},
      [1],
      2,
    ],
    ["not when it ends cleanly without a declared end", events(), [{ send: "id: 1\ndata: 1\n\n" }], {}, [1], 1],
    [
      "also by a clean end before the declared one",
      events({ done: "x" }),
      [{ send: "id: 1\ndata: 1\n\n" }, { send: "data: x\n\n" }],
      {},
      [1],
      2,
    ],
    [
      "a clean end is an end with maxReconnects 0",
      events({ done: "x" }),
      [{ send: "data: 1\n\n" }],
      { maxReconnects: 0 },
      [1],
      1,
    ],
    [
      "a clean end that cannot be resumed is a failure",
      events({ done: "x" }),
      [{ send: "data: 1\n\n" }],
      {},
      [1, "TRANSPORT_FAILED"],
      1,
    ],
    ["not for a mutation without a key", changing(false), [DROP], {}, [1, "OUTCOME_UNKNOWN"], 1],
    ["for a mutation with one", changing(true), [DROP, { send: "data: 2\n\n" }], {}, [1, 2], 2],
    [
      "a failure of the reconnect is the last item",
      events(),
      [DROP, { status: 404, headers: { "content-type": "a/b" } }],
      {},
      [1, "NOT_FOUND"],
      2,
    ],
    [
      "a refusal proves nothing about a mutation",
      changing(true),
      [DROP, { status: 400 }],
      {},
      [1, "OUTCOME_UNKNOWN"],
      2,
    ],
    ["the reconnect is retried by its tier", events(), [DROP, { status: 503 }, { send: "data: 2\n\n" }], {}, [1, 2], 3],
  ];
  for (const [name, operation, script, options, expected, requests] of cases) {
    it(name, async () => {
      const bench = streamBench(script);
      const args = operation.method === "POST" ? { name: "x" } : {};
      const items = await all(bench.open(operation, args, options));
      assert.deepEqual(outline(items), expected);
      assert.equal(bench.sent.length, requests);
      if (items.at(-1)?.ok === false)
        assert.equal(bench.diagnostics.filter(({ kind }) => kind === "failure").length, 1);
    });
  }
  it("sends the same request again, key and bytes included", async () => {
    const bench = streamBench([DROP, DROP, { send: "data: 3\n\n" }]);
    await all(bench.open(changing(true), { name: "x" }));
    const [first, ...others] = bench.sent.map(({ headers: { "last-event-id": _, ...headers }, ...sent }) => ({
      ...sent,
      headers,
    }));
    assert.ok(first?.headers["idempotency-key"] !== undefined);
    for (const other of others) assert.deepEqual(other, first);
  });
  it("says how often it was reconnected, in events and in the failure", async () => {
    const bench = streamBench([DROP, { send: "id: 2\ndata: 2\n\n", end: "reset" }], { maxReconnects: 1 });
    const stream = bench.open(events());
    const items = await all(stream);
    assert.deepEqual(
      eventsOf(items).map((item) => item.meta.reconnects),
      [0, 1],
    );
    assert.match(last(items).remediation, / The stream was reconnected once\.$/);
    assert.equal(stream.reconnects, 1);
    assert.equal(last(items).trace.attempts, 2);
    assert.equal(bench.retries.length, 1);
    const never = await all(streamBench([DROP], { maxReconnects: 0 }).open(events()));
    assert.doesNotMatch(last(never).remediation, /reconnected/);
  });
  it("the unknown outcome of a mutation says to check first", async () => {
    const error = last(await all(streamBench([DROP]).open(changing(false), { name: "x" })));
    assert.deepEqual(
      [error.category, error.retryable, error.http_status],
      ["OUTCOME_UNKNOWN", "after_remediation", 200],
    );
  });
  it("takes options of the call before those of the client", async () => {
    const bench = streamBench([DROP, DROP], { maxReconnects: 3 });
    await all(bench.open(events(), {}, { maxReconnects: 1 }));
    assert.equal(bench.sent.length, 2);
  });
  it("keeps an id that no header can carry from being sent", async () => {
    const bench = streamBench([{ send: "id: \u0001\ndata: 1\n\n", end: "reset" }]);
    assert.deepEqual(outline(await all(bench.open(events()))), [1, "TRANSPORT_FAILED"]);
  });
  it("resumes a stream that a caller resumes, from the caller's id until there is another", async () => {
    const bench = streamBench([{ end: "reset" }, DROP, { send: "data: 2\n\n" }]);
    await all(bench.open(events(), {}, { headers: { "Last-Event-ID": "5" } }));
    assert.deepEqual(
      bench.sent.map(({ headers }) => headers["last-event-id"]),
      ["5", "5", "1"],
    );
  });
  it("does not send a stream of bytes again", async () => {
    const operation: StreamOp = {
      ...create({
        idempotency: { policy: "auto" },
        body: { mediaType: "application/octet-stream", encoding: "bytes", arg: "data", schema: { kind: "bytes" } },
        responses: events().responses,
      }),
      stream: { open: openStream },
    };
    const bench = streamBench([DROP]);
    const data = new ReadableStream();
    const items = await all(bench.open(operation, { data }, { idempotencyKey: "k" }));
    assert.deepEqual(outline(items), [1, "OUTCOME_UNKNOWN"]);
  });
});

describe("the wait before a reconnect", () => {
  const waits: readonly (readonly [number | null, number, number, number])[] = [
    [null, 30_000, 0, 250],
    [null, 30_000, 0.999_999, 188],
    [20, 30_000, 0, 20],
    [99_999_999_999_999_999_999, 30_000, 0, 30_000],
    [99_999_999_999_999_999_999, 30_000, 1, 22_500],
    [0, 30_000, 0.5, 0],
    [1000, 100, 0, 100],
    [1000, 0.5, 0, 0.5],
  ];
  for (const [retry, max, unit, expected] of waits) {
    it(`${retry} capped by ${max} at ${unit}: ${expected}`, () =>
      assert.equal(reconnectDelayMs(retry, max, unit), expected));
  }
  it("is what the server asked for last, over reconnects", async () => {
    const bench = streamBench([
      { send: "retry: 40\nid: 1\ndata: 1\n\n", end: "reset" },
      { send: "id: 2\ndata: 2\n\n", end: "reset" },
      { send: "retry: 80\n\n", end: "reset" },
      { send: "data: 3\n\n" },
    ]);
    await all(bench.open(events()));
    assert.deepEqual(bench.waits, [35, 35, 70]);
  });
});

describe("a silent stream", () => {
  const stalled: Connection = { send: "id: 1\ndata: 1\n\n", end: "stall" };
  it("ends after the time of an attempt, without a reconnect and without a code", async () => {
    const bench = streamBench([stalled]);
    const items = await all(bench.open(events(), {}, { timeoutMs: 1234 }));
    assert.deepEqual([outline(items), last(items).code], [[1, "UPSTREAM_UNAVAILABLE"], null]);
    assert.deepEqual([bench.sent.length, bench.waits, bench.closed], [1, [1234], [0]]);
  });
  it("is idle after idleTimeoutMs, and reconnected", async () => {
    const bench = streamBench([stalled, { send: "id: 2\ndata: 2\n\n" }]);
    const items = await all(bench.open(events(), {}, { idleTimeoutMs: 5000 }));
    assert.deepEqual(outline(items), [1, 2]);
    assert.deepEqual([bench.waits, bench.closed], [[5000, 219], [0]]);
  });
  for (const [operation, category] of [
    [events(), "UPSTREAM_UNAVAILABLE"],
    [changing(false), "OUTCOME_UNKNOWN"],
  ] as const) {
    it(`that cannot be reconnected is ${category} with a code`, async () => {
      const bench = streamBench([stalled, stalled]);
      const args = operation.method === "POST" ? { name: "x" } : {};
      const items = await all(bench.open(operation, args, { idleTimeoutMs: 5000, maxReconnects: 1 }));
      assert.deepEqual([last(items).category, last(items).code], [category, "STREAM_IDLE"]);
    });
  }
  it("comments are no silence", async () => {
    const pieces = singleBytes(bytes(":ping\n:ping\ndata: 1\n\n"));
    const bench = streamBench([{ send: pieces }]);
    assert.deepEqual(outline(await all(bench.open(events(), {}, { idleTimeoutMs: 1 }))), [1]);
    assert.deepEqual(bench.waits, []);
  });
  it("replaces the time of an attempt where both are given", async () => {
    const bench = streamBench([stalled], { maxReconnects: 0 });
    await all(bench.open(events(), {}, { idleTimeoutMs: 60_000, timeoutMs: 10 }));
    assert.deepEqual(bench.waits, [60_000]);
  });
});

// ---- Ends by the caller ----

describe("a stream that its caller ends", () => {
  const silent: Connection = { send: "id: 1\ndata: 1\n\n", end: "stall" };
  it("by leaving the loop", async () => {
    const bench = streamBench([{ send: "data: 1\n\ndata: 2\n\n", end: "stall" }]);
    for await (const item of bench.open(events())) {
      assert.equal(item.ok, true);
      break;
    }
    assert.deepEqual([bench.closed, bench.sent.length], [[0], 1]);
  });
  it("by cancel() while an event is waited for: no failure, no reconnect", async () => {
    const bench = streamBench([silent], { timeoutMs: Infinity });
    const stream = bench.open(events());
    assert.equal((await stream.next()).done, false);
    const next = stream.next();
    stream.cancel();
    assert.deepEqual(await next, { done: true, value: undefined });
    assert.deepEqual([bench.closed, bench.sent.length, bench.diagnostics.length], [[0], 1, 0]);
  });
  it("by cancel() while nobody waits: the connection closes at once", async () => {
    const bench = streamBench([silent], { timeoutMs: Infinity });
    const stream = bench.open(events());
    await stream.next();
    stream.cancel();
    assert.deepEqual(bench.closed, [0]);
    assert.equal((await stream.next()).done, true);
  });
  it("by cancel() during the wait before a reconnect", async () => {
    const stop: { stream?: ReturnType<ReturnType<typeof streamBench>["open"]> } = {};
    const bench = streamBench([DROP], { middleware: [{ onRetry: () => stop.stream?.cancel() }] });
    stop.stream = bench.open(events());
    assert.deepEqual(outline(await all(stop.stream)), [1]);
    assert.equal(bench.sent.length, 1);
  });
  for (const [operation, category] of [
    [events(), "TRANSPORT_FAILED"],
    [changing(false), "OUTCOME_UNKNOWN"],
    [changing(true), "OUTCOME_UNKNOWN"],
  ] as const) {
    it(`by its signal: ${category}, no reconnect`, async () => {
      const bench = streamBench([silent], { timeoutMs: Infinity });
      const controller = new AbortController();
      const args = operation.method === "POST" ? { name: "x" } : {};
      const stream = bench.open(operation, args, { signal: controller.signal });
      await stream.next();
      const next = stream.next();
      controller.abort();
      const item = (await next).value;
      assert.equal(item?.ok === false ? item.error.category : null, category);
      assert.equal((await stream.next()).done, true);
      assert.deepEqual([bench.sent.length, bench.closed], [1, [0]]);
    });
  }
  it("by a signal that was aborted before", async () => {
    const bench = streamBench([]);
    const items = await all(bench.open(events(), {}, { signal: AbortSignal.abort() }));
    assert.deepEqual([outline(items), bench.sent.length], [["TRANSPORT_FAILED"], 0]);
  });
  it("is over: reading it again gives nothing", async () => {
    const bench = streamBench([{ send: "data: 1\n\n" }]);
    const stream = bench.open(events());
    assert.deepEqual(outline(await all(stream)), [1]);
    assert.deepEqual(await all(stream), []);
    assert.equal(bench.sent.length, 1);
  });
});

// ---- Helpers ----

describe("helpers", () => {
  const send = "event: a\ndata: 1\n\nevent: b\ndata: 2\n\ndata: 3\n\n";
  it("on: a function for each name, * for the others", async () => {
    const seen: unknown[] = [];
    const stream = streamBench([{ send: `${send}event: toString\ndata: 4\n\n` }]).open(events());
    const result = await stream.on({
      a: ({ value }) => void seen.push(["a", value]),
      "*": async ({ value }) => void seen.push(value),
    });
    assert.deepEqual(seen, [["a", 1], 2, 3, 4]);
    assert.deepEqual(result, { ok: true, value: 4, reconnects: 0 });
    assert.equal((await streamBench([{ send }]).open(events()).on({})).ok, true);
  });
  it("collect", async () => {
    const result = await streamBench([DROP, { send: "id: 2\ndata: 2\n\n" }])
      .open(events())
      .collect();
    assert.ok(result.ok);
    assert.deepEqual([result.value.map(({ value }) => value), result.reconnects], [[1, 2], 1]);
  });
  it("collect and reduce keep what came before a failure", async () => {
    const broken: Connection = { send, end: "reset" };
    const collected = await streamBench([broken]).open(events()).collect();
    assert.ok(!collected.ok);
    assert.deepEqual(
      [collected.partial.map(({ value }) => value), collected.error.category],
      [[1, 2, 3], "TRANSPORT_FAILED"],
    );
    const sum = await streamBench([broken])
      .open(events())
      .reduce((total, { value }) => total + Number(value), 0);
    assert.deepEqual([sum.ok, sum.ok ? null : sum.partial], [false, 6]);
  });
  it("first closes the stream", async () => {
    const bench = streamBench([{ send, end: "stall" }]);
    const result = await bench.open(events()).first(({ event }) => event === "b");
    assert.deepEqual([result.ok && result.value?.value, bench.closed], [2, [0]]);
    const none = await streamBench([{ send }])
      .open(events())
      .first(({ event }) => event === "z");
    assert.deepEqual(none, { ok: true, value: undefined, reconnects: 0 });
  });
  it("let errors of the caller's functions through, and close the stream", async () => {
    const bench = streamBench([{ send, end: "stall" }]);
    await assert.rejects(
      bench.open(events()).reduce(() => Promise.reject(new Error("mine")), 0),
      /mine/,
    );
    assert.deepEqual(bench.closed, [0]);
  });
});

// ---- JSON texts ----

describe("JSON texts one after another", () => {
  const lines = (encoding: "jsonl" | "json_seq", stream: Partial<StreamOp["stream"]> = {}): StreamOp => {
    const mediaType = encoding === "jsonl" ? "application/x-ndjson" : "application/json-seq";
    return events(stream, { responses: [{ status: 200, kind: "success", mediaType, encoding, schema: ANY }] });
  };
  const headers = { "content-type": "application/x-ndjson" };
  it("are the items of the same stream", async () => {
    const bench = streamBench([{ headers, send: '{"a":1}\r\n\n"é"\n3' }]);
    const items = await all(bench.open(lines("jsonl")));
    assert.deepEqual(outline(items), [{ a: 1 }, "é", 3]);
    assert.deepEqual([eventsOf(items)[0]?.event, eventsOf(items)[0]?.id], ["message", null]);
    assert.equal(bench.sent[0]?.headers["accept"], "application/x-ndjson");
  });
  it("stand after record separators", async () => {
    const send = '\u001e{"a":\n1}\n\u001e2\n';
    const bench = streamBench([{ headers: { "content-type": "application/json-seq" }, send }]);
    assert.deepEqual(outline(await all(bench.open(lines("json_seq")))), [{ a: 1 }, 2]);
  });
  it("are not resumed; a cut text is none", async () => {
    const bench = streamBench([{ headers, send: '1\n{"a":', end: "reset" }]);
    assert.deepEqual(outline(await all(bench.open(lines("jsonl")))), [1, "TRANSPORT_FAILED"]);
    assert.equal(bench.sent.length, 1);
  });
  it("may be idle", async () => {
    const bench = streamBench([{ headers, send: "1\n", end: "stall" }]);
    const error = last(await all(bench.open(lines("jsonl"), {}, { idleTimeoutMs: 10 })));
    assert.deepEqual([error.code, bench.sent.length], ["STREAM_IDLE", 1]);
  });
  it("have a limit and an end", async () => {
    const bench = streamBench([{ headers, send: "1\n12345\n" }], { maxEventBytes: 4 });
    const items = await all(bench.open(lines("jsonl")));
    assert.deepEqual([outline(items), last(items).failed_parameter], [[1, "UNEXPECTED_RESPONSE"], "events[1]"]);
    const done = streamBench([{ headers, send: "1\nEND\n2\n" }]);
    assert.deepEqual(outline(await all(done.open(lines("jsonl", { done: "END" })))), [1]);
  });
  it("may come under another name of their type", async () => {
    for (const type of ["application/jsonl", "application/x-jsonlines", "application/x-ndjson;charset=utf-8"]) {
      const bench = streamBench([{ headers: { "content-type": type }, send: "1\n" }]);
      assert.deepEqual(outline(await all(bench.open(lines("jsonl")))), [1]);
    }
    const html = streamBench([{ headers: { "content-type": "text/html" }, send: "1\n" }]);
    assert.deepEqual(outline(await all(html.open(lines("jsonl")))), ["UNEXPECTED_RESPONSE"]);
  });
});
