// Macros: steps in order, polls and pages, one confirmation for the whole run, and what a failure leaves behind.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { macroEngine, openPages } from "../dist/index.js";
import type { Expression, MacroDescriptor, MacroStep, Result, Schema } from "../dist/index.js";
import { bench, create, errorOf, INTEGER, json, NOW, query, read, STRING, valueOf } from "./support.ts";
import type { Args, Op, Step } from "./support.ts";

type Macro = MacroDescriptor<Args, unknown>;

const THING: Schema = {
  kind: "object",
  fields: [
    { name: "thingId", wire: "thing_id", schema: STRING, required: true },
    { name: "state", schema: STRING },
  ],
};
const answers = (status: number) =>
  [{ status, kind: "success", mediaType: "application/json", encoding: "json", schema: THING }] as const;
const ID = query(STRING, { key: "thingId", name: "thing_id", in: "path", required: true });

const make = create({ responses: answers(201) });
const get = read({ id: "shop.getThing", path: "/things/{thing_id}", params: [ID], responses: answers(200) });
const enable = create({
  id: "shop.enableThing",
  path: "/things/{thing_id}/enable",
  params: [ID],
  body: { ...make.body, required: undefined } as never,
  responses: answers(200),
});
const step = (index: number, ...path: string[]): Expression => ({ ref: index, path });
const withId = (index: number): Expression => ({ object: [{ name: "thing_id", value: step(index, "thing_id") }] });
const INPUT: Expression = { ref: "input" };

function macro(changes: Partial<Macro> = {}): Macro {
  return {
    name: "shop.setUp",
    safety: "mutating",
    engine: macroEngine,
    input: { extends: make },
    steps: [
      { kind: "call", operation: make, args: INPUT, as: "made" },
      { kind: "call", operation: enable, args: withId(0), as: "enabled" },
    ],
    output: {
      object: [
        { name: "thing_id", key: "thingId", value: step(0, "thing_id") },
        { name: "thing", value: { ref: 1 } },
        { name: "nothing", value: step(1, "no") },
      ],
    },
    ...changes,
  };
}

const thing = (status: number, state = "new"): Step => json(status, { thing_id: "t1", state });
const paths = (sent: readonly { readonly url: string }[]): string[] =>
  sent.map(({ url }) => url.replace("https://api.shop.test/v1", ""));
const partialOf = (result: Result<unknown>): unknown => (result.ok ? undefined : result.partial);

describe("steps", () => {
  it("run in order; arguments and the output refer to what came before", async () => {
    const { core, sent } = bench([thing(201), thing(200, "on")]);
    const result = await core.runMacro(macro(), { name: "a" });
    assert.deepEqual(valueOf(result), { thingId: "t1", thing: { thingId: "t1", state: "on" } });
    assert.deepEqual(paths(sent), ["/things", "/things/t1/enable"]);
    assert.deepEqual(
      sent.map(({ body }) => body),
      ['{"name":"a"}', null],
    );
    assert.deepEqual(result.ok && [result.meta.status, result.meta.attempts], [200, 2]);
  });
  it("a function of the client", async () => {
    const { core } = bench([thing(201), thing(200)]);
    const run = core.macro(macro());
    assert.equal(core.macro(run.descriptor), run);
    assert.equal(run.safety, "mutating");
    assert.ok((await run({ name: "a" })).ok);
  });

  const wait = (until: string, changes: Partial<MacroStep> = {}): Macro =>
    macro({
      input: { extends: make, fields: [{ key: "waitMs", name: "wait_ms", schema: INTEGER }] },
      steps: [
        { kind: "call", operation: make, args: INPUT, as: "made" },
        {
          kind: "poll",
          operation: get,
          args: withId(0),
          until: [{ path: ["state"], in: [until] }],
          intervalMs: 500,
          budgetMs: { ref: "input", path: ["wait_ms"] },
          as: "final",
          ...changes,
        } as MacroStep,
      ],
      output: {
        object: [
          { name: "state", value: step(1, "state") },
          { name: "timedOut", value: { compare: { ref: 1 }, test: { equals: null } } },
        ],
      },
    });

  it("a poll waits until the answer is final", async () => {
    const { core, waits } = bench([thing(201), thing(200), thing(200, "done")]);
    assert.deepEqual(valueOf(await core.runMacro(wait("done"), { name: "a" })), { state: "done", timedOut: false });
    assert.deepEqual(waits, [500]);
  });
  it("a poll that runs out of time gives null, which the output can tell", async () => {
    const { core, waits } = bench([thing(201), thing(200), thing(200), thing(200)]);
    const result = await core.runMacro(wait("done"), { name: "a", waitMs: 700 });
    assert.deepEqual(valueOf(result), { timedOut: true });
    assert.deepEqual(waits, [500, 200]);
  });
  it("a cancelled poll is a failure of the macro", async () => {
    const stop = new AbortController();
    const { core } = bench([thing(201), thing(200)], {
      sleep: (ms) => (ms === 500 ? (stop.abort(), Promise.reject(new Error("stop"))) : new Promise(() => undefined)),
    });
    const result = await core.runMacro(wait("done"), { name: "a" }, { signal: stop.signal });
    assert.deepEqual([errorOf(result).category, errorOf(result).operation], ["TRANSPORT_FAILED", "shop.setUp"]);
    assert.deepEqual(partialOf(result), { made: { thingId: "t1", state: "new" } });
  });

  const pages: Op = {
    ...read({ id: "shop.listThings", params: [query(STRING, { key: "cursor", name: "cursor" })] }),
    pagination: { open: openPages, style: "cursor", requestParam: "cursor", responseField: "next", itemsField: "data" },
  };
  const all = (maxPages?: number): Macro =>
    macro({
      safety: "read_only",
      input: {},
      steps: [
        {
          kind: "paginate",
          operation: pages,
          args: { object: [] },
          as: "all",
          ...(maxPages === undefined ? {} : { maxPages }),
        },
        { kind: "call", operation: get, args: { object: [{ name: "thing_id", value: step(0, "1", "id") }] } },
      ],
      output: { ref: 0 },
    });
  const page = (ids: readonly string[], next: string | null): Step =>
    json(200, { data: ids.map((id) => ({ id })), next });

  it("pages become one list", async () => {
    const { core, sent } = bench([page(["a"], "x"), page(["b"], null), thing(200)]);
    assert.deepEqual(valueOf(await core.runMacro(all(), {})), [{ id: "a" }, { id: "b" }]);
    assert.deepEqual(paths(sent), ["/things", "/things?cursor=x", "/things/b"]);
  });
  it("max_pages bounds them", async () => {
    const { core, sent } = bench([page(["a", "b"], "x"), thing(200)]);
    assert.deepEqual(valueOf(await core.runMacro(all(1), {})), [{ id: "a" }, { id: "b" }]);
    assert.equal(sent.length, 2);
  });
  it("a failed page keeps the items before it", async () => {
    const { core } = bench([page(["a"], "x"), json(404, {})]);
    const result = await core.runMacro(all(), {});
    assert.match(errorOf(result).remediation, /^Step 1 of 2 \(shop\.listThings\) failed\./);
    assert.deepEqual(partialOf(result), { all: [{ id: "a" }] });
  });
});

describe("input", () => {
  const added = (changes: object = {}): Macro =>
    macro({ input: { extends: make, fields: [{ key: "waitMs", name: "wait_ms", schema: INTEGER, ...changes }] } });

  it("is checked before anything is sent, in the macro's name", async () => {
    const cases: readonly (readonly [Macro, unknown, string])[] = [
      [macro(), {}, "body.name"],
      [macro(), { name: 1 }, "body.name"],
      [macro(), { name: "a", other: 1 }, "args.other"],
      [macro(), "text", "args"],
      [added(), { name: "a", waitMs: "x" }, "args.waitMs"],
      [added({ required: true }), { name: "a" }, "args.waitMs"],
    ];
    for (const [one, input, at] of cases) {
      const { core, sent, diagnostics } = bench([]);
      const error = errorOf(await core.runMacro(one, input as Args));
      assert.deepEqual(
        [error.operation, error.category, error.failed_parameter],
        ["shop.setUp", "VALIDATION_FAILED", at],
      );
      assert.deepEqual([sent.length, diagnostics.length], [0, 1]);
    }
  });
  it("defaults are applied, also to what the token is bound to", async () => {
    const output: Expression = { ref: "input", path: ["wait_ms"] };
    const one = { ...added({ default: 7 }), output, safety: "destructive" } as const;
    const { core } = bench([thing(201), thing(200)]);
    const preview = valueOf(await core.previewMacro(one, { name: "a" }));
    const confirm = preview.confirmation_token ?? "";
    assert.equal(valueOf(await core.runMacro(one, { name: "a", waitMs: 7 }, { confirm })), 7);
  });
  it("an added argument takes the place of the operation's own", async () => {
    const fields = [{ key: "thingId", name: "thing_id", schema: INTEGER }];
    const one = macro({ input: { extends: get, fields }, steps: [], output: INPUT });
    assert.deepEqual(valueOf(await bench([]).core.runMacro(one, { thingId: 4 })), { thing_id: 4 });
  });
  it("what throws while it is read is a failure", async () => {
    const input = Object.defineProperty({}, "name", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    assert.equal(errorOf(await bench([]).core.runMacro(macro(), input as Args)).category, "VALIDATION_FAILED");
  });
});

describe("one confirmation for the whole run", () => {
  const danger = macro({ safety: "irreversible" });

  it("the strictest tier decides: the macro's own or that of a step", async () => {
    const strict: Op = { ...enable, safety: "destructive" };
    const steps: MacroStep[] = [
      { kind: "call", operation: strict, args: { object: [{ name: "thing_id", value: { value: "t" } }] } },
    ];
    for (const one of [macro({ safety: "destructive" }), macro({ safety: "read_only", steps })]) {
      const { core, sent } = bench([]);
      const error = errorOf(await core.runMacro(one, { name: "a" }));
      assert.deepEqual([error.category, error.operation, sent.length], ["CONFIRMATION_REQUIRED", "shop.setUp", 0]);
    }
    assert.ok(
      (
        await bench([thing(201), thing(200)]).core.runMacro(
          macro({ safety: "destructive" }),
          { name: "a" },
          { confirm: true },
        )
      ).ok,
    );
    const error = errorOf(await bench([]).core.runMacro(danger, { name: "a" }, { confirm: true }));
    assert.equal(error.category, "CONFIRMATION_REQUIRED");
    const only = await bench([]).core.runMacro(
      macro({ safety: "destructive" }),
      { name: "a" },
      { confirm: true, allowConfirmTrue: false },
    );
    assert.equal(errorOf(only).category, "CONFIRMATION_REQUIRED");
  });
  it("steps need no tokens of their own", async () => {
    const strict: Op = { ...enable, safety: "irreversible" };
    const steps: MacroStep[] = [
      { kind: "call", operation: make, args: INPUT },
      { kind: "call", operation: strict, args: withId(0) },
    ];
    const { core, sent } = bench([thing(201), thing(200)]);
    const one = macro({ steps });
    const { confirmation_token, safety } = valueOf(await core.previewMacro(one, { name: "a" }));
    assert.equal(safety, "irreversible");
    assert.ok((await core.runMacro(one, { name: "a" }, { confirm: confirmation_token ?? "" })).ok);
    assert.equal(sent.length, 2);
  });
  it("a token is for this macro and this input, for five minutes, for one run", async () => {
    const { core, clock, sent } = bench([thing(201), thing(200)]);
    const token = async (one: Macro, input: Args): Promise<string> =>
      valueOf(await core.previewMacro(one, input)).confirmation_token ?? "";
    const refused = async (confirm: string): Promise<string> =>
      errorOf(await core.runMacro(danger, { name: "a" }, { confirm })).remediation;
    assert.match(await refused(await token(danger, { name: "b" })), /exactly these arguments/);
    assert.match(
      await refused(await token({ ...danger, name: "shop.other" }, { name: "a" })),
      /exactly these arguments/,
    );
    const operation = valueOf(await core.preview(make, { name: "a" })).confirmation_token ?? "";
    assert.match(await refused(operation), /exactly these arguments/);
    const confirm = await token(danger, { name: "a" });
    assert.ok((await core.runMacro(danger, { name: "a" }, { confirm })).ok);
    const sentBefore = sent.length;
    assert.match(await refused(confirm), /used for another call/);
    assert.equal(sent.length, sentBefore);
    const old = await token(danger, { name: "a" });
    clock.now = NOW + 300_000;
    assert.match(await refused(old), /expired/);
  });
  it("a failed check of the first step does not spend the token", async () => {
    const steps: MacroStep[] = [{ kind: "call", operation: enable, args: { object: [] } }];
    const { core } = bench([]);
    const one = macro({ safety: "irreversible", steps });
    const first = await core.previewMacro({ ...one, steps: danger.steps }, { name: "a" });
    const confirm = valueOf(first).confirmation_token ?? "";
    for (let run = 0; run < 2; run += 1) {
      assert.equal(errorOf(await core.runMacro(one, { name: "a" }, { confirm })).failed_parameter, "args.thingId");
    }
  });
  it("the same token is good again under the same key", async () => {
    const keyed: Op = { ...make, idempotency: { policy: "caller_owned" } };
    const steps: MacroStep[] = [{ kind: "call", operation: keyed, args: INPUT }];
    const one = macro({ safety: "irreversible", steps, output: { value: 1 } });
    const { core } = bench([thing(201), thing(201)]);
    const confirm = valueOf(await core.previewMacro(one, { name: "a" })).confirmation_token ?? "";
    for (const [idempotencyKey, ok] of [
      ["k1", true],
      ["k1", true],
      ["k2", false],
    ] as const) {
      assert.equal((await core.runMacro(one, { name: "a" }, { confirm, idempotencyKey })).ok, ok);
    }
  });
});

describe("keys", () => {
  const keyed = (op: Op): Op => ({ ...op, idempotency: { policy: "caller_owned", persistRequired: true } });
  const one = macro({
    steps: [
      { kind: "call", operation: keyed(make), args: INPUT, as: "made" },
      { kind: "call", operation: keyed(enable), args: withId(0) },
    ],
  });

  it("the first step gets the caller's, later ones get keys made from it", async () => {
    const runs: (string | undefined)[][] = [];
    for (let run = 0; run < 2; run += 1) {
      const { core, sent } = bench([thing(201), thing(200)]);
      valueOf(await core.runMacro(one, { name: "a" }, { idempotencyKey: "k1" }));
      runs.push(sent.map(({ headers }) => headers["idempotency-key"]));
    }
    assert.equal(runs[0]?.[0], "k1");
    assert.match(runs[0]?.[1] ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(runs[0], runs[1]);
  });
  it("a key that a later step wants is missed before the first one has its effect", async () => {
    const late = macro({ steps: [{ kind: "call", operation: make, args: INPUT }, ...one.steps.slice(1)] });
    const { core, sent } = bench([]);
    const error = errorOf(await core.runMacro(late, { name: "a" }));
    assert.deepEqual([error.failed_parameter, error.operation, sent.length], ["idempotencyKey", "shop.setUp", 0]);
  });
});

describe("failures", () => {
  it("the first one ends the run; completed steps are named and kept", async () => {
    const { core, sent } = bench([thing(201), json(409, {})]);
    const result = await core.runMacro(macro(), { name: "a" });
    const error = errorOf(result);
    assert.deepEqual(
      [error.operation, error.category, error.retryable, sent.length],
      ["shop.setUp", "CONFLICT", "never", 2],
    );
    assert.match(
      error.remediation,
      /Step 2 of 2 \(shop\.enableThing\) failed\. Completed before it: made \(shop\.createThing\)\./,
    );
    assert.deepEqual(partialOf(result), { made: { thingId: "t1", state: "new" } });
  });
  const limited = json(429, {}, { "retry-after": "7" });
  it("a completed change without protection: not again, and the failed step is the next call", async () => {
    const error = errorOf(await bench([thing(201), limited]).core.runMacro(macro(), { name: "a" }));
    assert.deepEqual(
      [error.category, error.retryable, error.retry_after_ms],
      ["RATE_LIMITED", "after_remediation", 7000],
    );
    assert.match(error.remediation, /Do not run the macro again/);
    assert.match(error.next_action ?? "", /^Call shop\.enableThing by itself/);
  });
  it("a completed change under a key may be run again", async () => {
    const keyed: Op = { ...make, idempotency: { policy: "caller_owned" } };
    const steps: MacroStep[] = [{ kind: "call", operation: keyed, args: INPUT, as: "made" }, ...macro().steps.slice(1)];
    const { core } = bench([thing(201), limited]);
    const error = errorOf(await core.runMacro(macro({ steps }), { name: "a" }, { idempotencyKey: "k" }));
    assert.deepEqual([error.retryable, error.next_action], ["after_delay", null]);
    assert.doesNotMatch(error.remediation, /Do not run/);
    const without = errorOf(await bench([thing(201), limited]).core.runMacro(macro({ steps }), { name: "a" }));
    assert.equal(without.retryable, "after_remediation");
  });
  it("a step with an unknown outcome is looked at before it is called", async () => {
    const error = errorOf(await bench([thing(201), { fails: null }]).core.runMacro(macro(), { name: "a" }));
    assert.deepEqual([error.category, error.retryable], ["OUTCOME_UNKNOWN", "after_remediation"]);
    assert.match(error.next_action ?? "", /^Find out whether shop\.enableThing took effect/);
  });
  it("a completed read changes nothing", async () => {
    const steps: MacroStep[] = [
      { kind: "call", operation: get, args: { object: [{ name: "thing_id", value: { value: "t1" } }] }, as: "seen" },
      { kind: "call", operation: enable, args: withId(0) },
    ];
    const error = errorOf(await bench([thing(200), limited]).core.runMacro(macro({ steps }), { name: "a" }));
    assert.deepEqual([error.retryable, error.next_action], ["after_delay", null]);
  });
  it("what a failed step produced is kept under its name", async () => {
    const { core } = bench([json(201, { thing_id: 5, secret: "s" })], { validateResponses: "strict" });
    const result = await core.runMacro(macro(), { name: "a" });
    assert.deepEqual(partialOf(result), { made: { thingId: 5, secret: "s" } });
  });
  it("the first step by itself leaves nothing behind", async () => {
    const result = await bench([json(409, {})]).core.runMacro(macro(), { name: "a" });
    assert.equal(partialOf(result), undefined);
  });
});

describe("preview", () => {
  it("renders every step with placeholders, sends nothing", async () => {
    const noted: Op = {
      ...enable,
      remediationNote: "Turns it on.",
      confirmation: { summaryFields: [], message: "Enable {thing_id}?" },
    };
    const sending: Op = { ...make, preview: { mode: "header", header: "X-Try", value: "1" } };
    const steps: MacroStep[] = [
      { kind: "call", operation: sending, args: INPUT, as: "made" },
      {
        kind: "call",
        operation: noted,
        args: { object: [...(withId(0) as { object: [] }).object, { name: "name", value: { ref: 0 } }] },
      },
      { kind: "poll", operation: get, args: withId(0), until: [], as: "final" },
    ];
    const { core, sent } = bench([]);
    const preview = valueOf(await core.previewMacro(macro({ safety: "destructive", steps }), { name: "a" }));
    assert.equal(sent.length, 0);
    assert.deepEqual(
      [preview.operation, preview.safety, preview.expires_in_ms],
      ["shop.setUp", "destructive", 300_000],
    );
    assert.deepEqual(preview.request.body, { name: "a" });
    assert.deepEqual(
      preview.steps?.map((one) => [one.step, one.kind, one.operation, one.as, one.safety, one.request?.url]),
      [
        [1, "call", "shop.createThing", "made", "mutating", "https://api.shop.test/v1/things"],
        [
          2,
          "call",
          "shop.enableThing",
          null,
          "mutating",
          "https://api.shop.test/v1/things/<from step made: thing_id>/enable",
        ],
        [
          3,
          "poll",
          "shop.getThing",
          "final",
          "read_only",
          "https://api.shop.test/v1/things/<from step made: thing_id>",
        ],
      ],
    );
    assert.deepEqual(preview.steps?.[1]?.request?.body, { name: "<from step made>" });
    assert.deepEqual(preview.effects, ["Enable <from step made: thing_id>?", "Turns it on."]);
  });
  it("needs no key, and a read needs no token", async () => {
    const keyed: Op = { ...make, idempotency: { policy: "caller_owned", persistRequired: true } };
    const steps: MacroStep[] = [{ kind: "call", operation: keyed, args: INPUT }];
    assert.ok((await bench([]).core.previewMacro(macro({ steps }), { name: "a" })).ok);
    const reads: MacroStep[] = [
      { kind: "call", operation: get, args: { object: [{ name: "thing_id", value: { value: "t" } }] } },
    ];
    const preview = valueOf(
      await bench([]).core.previewMacro(macro({ safety: "read_only", steps: reads }), { name: "a" }),
    );
    assert.deepEqual([preview.confirmation_token, preview.expires_in_ms], [null, null]);
  });
  it("wrong input and a first step that cannot be called are failures of the macro", async () => {
    const steps: MacroStep[] = [{ kind: "call", operation: enable, args: { object: [] } }];
    for (const [one, input, at] of [
      [macro(), {}, "body.name"],
      [macro({ steps }), { name: "a" }, "args.thingId"],
    ] as const) {
      const error = errorOf(await bench([]).core.previewMacro(one, input));
      assert.deepEqual([error.operation, error.failed_parameter], ["shop.setUp", at]);
    }
  });
});
