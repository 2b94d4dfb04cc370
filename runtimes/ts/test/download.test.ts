// Bytes that are not kept in memory: downloads that are read while they arrive, and uploads that are sent while they are
// made.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { ClientCore, DownloadError, openDownload } from "../dist/index.js";
import type { Result, StreamingDescriptor } from "../dist/index.js";
import { bytes } from "./pieces.ts";
import { streamBench } from "./streaming.ts";
import type { Connection } from "./streaming.ts";
import { API, bench, create, errorOf, json, read, valueOf } from "./support.ts";
import type { Args, Op } from "./support.ts";

type Download = Promise<Result<ReadableStream<Uint8Array>>>;

function download(changes: Partial<Op> = {}): StreamingDescriptor<Args, unknown, Download> {
  return {
    ...read({
      responses: [{ status: 200, kind: "success", mediaType: "image/png", encoding: "bytes" }],
      ...changes,
    }),
    stream: { open: openDownload },
  };
}

const headers = { "content-type": "image/png" };
const pieces = [bytes("one"), bytes("two"), bytes("three")];

function opened(script: readonly Connection[], options = {}, operation = download()) {
  const bench = streamBench(script);
  return { bench, result: bench.core.stream(operation, {}, options) };
}

describe("a download", () => {
  it("gives its bytes as they arrive", async () => {
    const { bench, result } = opened([{ headers, send: pieces }]);
    const reader = valueOf(await result).getReader();
    for (const piece of pieces) assert.deepEqual((await reader.read()).value, piece);
    assert.equal((await reader.read()).done, true);
    assert.equal(bench.sent[0]?.headers["accept"], "image/png");
  });
  it("is retried before its first byte, and not after it", async () => {
    const refused = { status: 503, headers: { "content-type": "text/plain" } };
    const { bench, result } = opened([refused, { headers, send: pieces, end: "reset" }]);
    const answer = await result;
    assert.equal(answer.ok && answer.meta.attempts, 2);
    await assert.rejects(new Response(valueOf(answer)).arrayBuffer(), (error) => {
      assert.ok(error instanceof DownloadError);
      assert.deepEqual([error.error.category, error.error.http_status], ["TRANSPORT_FAILED", 200]);
      return true;
    });
    assert.deepEqual([bench.sent.length, bench.diagnostics.length], [2, 1]);
  });
  it("ends when it is silent for the time of an attempt", async () => {
    const { bench, result } = opened([{ headers, send: pieces, end: "stall" }], { timeoutMs: 77 });
    const reader = valueOf(await result).getReader();
    for (const _ of pieces) await reader.read();
    await assert.rejects(reader.read(), /UPSTREAM_UNAVAILABLE/);
    assert.deepEqual([bench.waits, bench.closed], [[77], [0]]);
  });
  it("ends by the caller's signal, and by a cancel", async () => {
    const controller = new AbortController();
    const aborted = opened([{ headers, send: pieces, end: "stall" }], { signal: controller.signal });
    const stream = valueOf(await aborted.result);
    controller.abort();
    assert.deepEqual(aborted.bench.closed, [0]);
    await assert.rejects(stream.getReader().read(), /TRANSPORT_FAILED/);
    assert.deepEqual(aborted.bench.closed, [0]);
    const cancelled = opened([{ headers, send: pieces, end: "stall" }]);
    await valueOf(await cancelled.result).cancel();
    assert.deepEqual(cancelled.bench.closed, [0]);
  });
  it("is an envelope for anything but bytes", async () => {
    const failed = opened([{ status: 404, headers: { "content-type": "application/json" }, send: "{}" }]);
    assert.equal(errorOf(await failed.result).category, "NOT_FOUND");
    const html = opened([{ headers: { "content-type": "text/html" }, send: "x" }]);
    assert.equal(errorOf(await html.result).expected, "a body of the type image/png");
    assert.equal(
      errorOf(await opened([], {}).bench.core.stream(download(), { nope: 1 })).category,
      "VALIDATION_FAILED",
    );
  });
  it("is empty for a success without a body", async () => {
    const operation = download({
      responses: [
        { status: 200, kind: "success", mediaType: "image/png", encoding: "bytes" },
        { status: 204, kind: "success" },
      ],
    });
    const { result } = opened([{ status: 204 }], {}, operation);
    assert.equal((await new Response(valueOf(await result)).arrayBuffer()).byteLength, 0);
  });
});

describe("an upload", () => {
  const upload = (changes: Partial<Op> = {}): Op =>
    create({
      body: {
        mediaType: "application/octet-stream",
        encoding: "bytes",
        required: true,
        arg: "data",
        schema: { kind: "bytes" },
      },
      ...changes,
    });
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
  it("hands streams and blobs to fetch as they are", async () => {
    const bodies: unknown[] = [];
    const core = new ClientCore(API, {
      fetch: (_, init) => {
        bodies.push(init.body, (init as { duplex?: string }).duplex);
        return Promise.resolve(new Response("{}", { status: 201, headers: { "content-type": "application/json" } }));
      },
    });
    const [data, blob] = [stream(), new Blob(["x"])];
    valueOf(await core.call(upload(), { data }));
    valueOf(await core.call(upload(), { data: blob }));
    assert.deepEqual(bodies, [data, "half", blob, undefined]);
    assert.equal(data.locked, false);
  });
  it("is sent again only when it can be read twice", async () => {
    const keyed = upload({ idempotency: { policy: "caller_owned" } });
    const script = [json(503, {}), json(201, {})];
    const options = { idempotencyKey: "k" };
    const once = bench(script);
    assert.equal(errorOf(await once.core.call(keyed, { data: stream() }, options)).category, "OUTCOME_UNKNOWN");
    assert.equal(once.sent.length, 1);
    const twice = bench(script);
    valueOf(await twice.core.call(keyed, { data: new Blob(["onetwothree"]) }, options));
    assert.deepEqual(
      twice.sent.map(({ body }) => body),
      ["onetwothree", "onetwothree"],
    );
  });
  it("that was read is not redirected", async () => {
    const search = upload({ method: "QUERY", safety: "read_only", responses: read().responses });
    const once = bench([{ status: 307, headers: { location: "/elsewhere" } }]);
    assert.equal(errorOf(await once.core.call(search, { data: stream() })).category, "UNEXPECTED_RESPONSE");
    assert.equal(once.sent.length, 1);
  });
});
