// OpenTelemetry: one span for each call, what is on it, and what must not be.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openTelemetry } from "../dist/telemetry.js";
import type { SpanAttributes, TelemetryApi, TelemetryOptions } from "../dist/telemetry.js";
import { bench, create, json, read, remove, valueOf } from "./support.ts";
import type { Bench, Step } from "./support.ts";
import type { ApiDescriptor, ClientOptions } from "../dist/index.js";

interface RecordedSpan {
  readonly name: string;
  readonly kind: number | undefined;
  readonly parent: unknown;
  readonly attributes: Record<string, string | number | boolean>;
  readonly events: { readonly name: string; readonly attributes: SpanAttributes | undefined }[];
  status: { code: number; message?: string } | null;
  ended: number;
}

/** An API of OpenTelemetry that keeps what it is told. */
function recorder(): { readonly api: TelemetryApi; readonly spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = [];
  const api: TelemetryApi = {
    trace: {
      getTracer: (tracer, version) => ({
        startSpan(name, options, context) {
          const span: RecordedSpan = {
            name,
            kind: options?.kind,
            parent: context,
            attributes: { ...options?.attributes, tracer, ...(version === undefined ? {} : { version }) },
            events: [],
            status: null,
            ended: 0,
          };
          spans.push(span);
          return {
            number: spans.length,
            setAttribute: (key: string, value: string | number | boolean) => void (span.attributes[key] = value),
            addEvent: (key: string, attributes?: SpanAttributes) => void span.events.push({ name: key, attributes }),
            setStatus: (status: { code: number; message?: string }) => void (span.status = status),
            end: () => void (span.ended += 1),
          };
        },
      }),
      setSpan: (_context, span) => ({ span }),
    },
    context: { active: () => "active" },
    propagation: {
      inject(context, carrier) {
        const { span } = context as unknown as { span: { number: number } };
        carrier["traceparent"] = `00-trace-${span.number}`;
        carrier["accept"] = "never";
      },
    },
  };
  return { api, spans };
}

function telemetryBench(
  script: readonly Step[],
  client: ClientOptions = {},
  options?: TelemetryOptions,
  api: Partial<ApiDescriptor> = {},
): Bench & { readonly spans: RecordedSpan[] } {
  const { api: recording, spans } = recorder();
  return { ...bench(script, { middleware: [openTelemetry(recording, options)], ...client }, api), spans };
}

describe("OpenTelemetry", () => {
  it("a call that succeeds", async () => {
    const { core, sent, spans } = telemetryBench([json(200, {}, { "x-request-id": "r1" })]);
    valueOf(await core.call(read(), {}));
    const [span] = spans;
    assert.equal(spans.length, 1);
    assert.deepEqual(
      { ...span },
      {
        name: "shop.listThings",
        kind: 2,
        parent: "active",
        attributes: {
          tracer: "@elysra/tungsten-runtime",
          "tungsten.operation": "shop.listThings",
          "tungsten.safety": "read_only",
          "tungsten.idempotency.policy": "none",
          "http.request.method": "GET",
          "url.full": "https://api.shop.test/v1/things",
          "server.address": "api.shop.test",
          "server.port": 443,
          "http.response.status_code": 200,
          "tungsten.request_id": "r1",
          "tungsten.outcome": "ok",
          "tungsten.attempts": 1,
        },
        events: [],
        status: null,
        ended: 1,
      },
    );
    assert.equal(sent[0]?.headers["traceparent"], "00-trace-1");
    assert.equal(sent[0]?.headers["accept"], "application/json");
  });
  it("retries are events of the same span", async () => {
    const { core, spans } = telemetryBench([json(503, {}), { fails: "ECONNRESET" }, json(200, {})]);
    valueOf(await core.call(read(), {}));
    assert.equal(spans.length, 1);
    assert.deepEqual(
      spans[0]?.events.map(({ name, attributes }) => [
        name,
        attributes?.["tungsten.attempt"],
        attributes?.["error.type"],
      ]),
      [
        ["retry", 1, "UPSTREAM_UNAVAILABLE"],
        ["retry", 2, "TRANSPORT_FAILED"],
      ],
    );
    const { attributes } = spans[0];
    assert.deepEqual([attributes["http.request.resend_count"], attributes["tungsten.attempts"]], [2, 3]);
  });
  const failures: readonly (readonly [string, Step, string])[] = [
    ["a refusal", json(409, {}), "CONFLICT"],
    ["an unknown outcome", { fails: "ECONNRESET" }, "OUTCOME_UNKNOWN"],
  ];
  for (const [title, step, outcome] of failures) {
    it(title, async () => {
      const { core, spans } = telemetryBench([step]);
      await core.call(create(), { name: "a" });
      const [span] = spans;
      assert.deepEqual([span?.attributes["tungsten.outcome"], span?.attributes["error.type"]], [outcome, outcome]);
      assert.deepEqual([span?.status, span?.ended], [{ code: 2, message: outcome }, 1]);
    });
  }
  it("a call that was refused before anything was sent", async () => {
    const { core, spans } = telemetryBench([]);
    await core.call(remove(), { id: "1" });
    const [span] = spans;
    assert.deepEqual(
      [
        span?.attributes["tungsten.outcome"],
        span?.attributes["tungsten.attempts"],
        span?.attributes["tungsten.safety"],
      ],
      ["CONFIRMATION_REQUIRED", 0, "destructive"],
    );
    assert.deepEqual([spans.length, span?.ended], [1, 1]);
  });
  it("a preview sends nothing and has no span", async () => {
    const { core, spans } = telemetryBench([]);
    valueOf(await core.preview(remove(), { id: "1" }));
    assert.equal(spans.length, 0);
  });
  it("calls at the same time have spans of their own", async () => {
    const { core, sent, spans } = telemetryBench([json(200, {}), json(404, {})]);
    await Promise.all([core.call(read(), {}), core.call(read(), {})]);
    assert.deepEqual(
      spans.map(({ attributes, ended }) => [
        attributes["http.response.status_code"],
        attributes["tungsten.outcome"],
        ended,
      ]),
      [
        [200, "ok", 1],
        [404, "NOT_FOUND", 1],
      ],
    );
    assert.deepEqual(
      sent.map(({ headers }) => headers["traceparent"]),
      ["00-trace-1", "00-trace-2"],
    );
  });
  it("no secret and no body", async () => {
    const auth = { key: "canary-key" };
    const operation = create({ security: [["key"]], idempotency: { policy: "auto" } });
    const api = { auth: [{ kind: "api_key", name: "key", in: "query", wire: "k" } as const] };
    const { core, spans } = telemetryBench([json(201, { secret: "canary-answer" })], { auth }, undefined, api);
    valueOf(await core.call(operation, { name: "canary-body" }));
    assert.equal(spans[0]?.attributes["tungsten.idempotency.policy"], "auto");
    assert.doesNotMatch(JSON.stringify(spans), /canary/);
  });
  it("without propagation, under another tracer", async () => {
    const options = { propagate: false, tracerName: "mine", tracerVersion: "2" };
    const { core, sent, spans } = telemetryBench([json(200, {})], {}, options);
    valueOf(await core.call(read(), {}));
    assert.equal(sent[0]?.headers["traceparent"], undefined);
    assert.deepEqual([spans[0]?.attributes["tracer"], spans[0]?.attributes["version"]], ["mine", "2"]);
  });
  it("an exporter that throws breaks no call", async () => {
    const { api } = recorder();
    const broken: TelemetryApi = {
      ...api,
      context: {
        active: () => {
          throw new Error("broken");
        },
      },
    };
    const { core } = bench([json(200, {})], { middleware: [openTelemetry(broken)] });
    valueOf(await core.call(read(), {}));
  });
});
