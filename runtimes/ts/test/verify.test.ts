// Verification hooks: what is read after a success, when the waiting ends, and what an unknown outcome names.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { verifyCall } from "../dist/index.js";
import type { CallOptions, Condition, Expression, Verification, VerifyDescriptor } from "../dist/index.js";
import { bound, evaluate, holds, resolver } from "../dist/expressions.js";
import { bench, create, errorOf, json, NOW, query, read, STRING, valueOf } from "./support.ts";
import type { Op, Step } from "./support.ts";

const status = read({
  id: "shop.getStatus",
  path: "/status/{thing_id}",
  params: [query(STRING, { key: "thingId", name: "thing_id", in: "path", required: true })],
});
const BY_ID: Expression = { object: [{ name: "thing_id", value: { ref: "response", path: ["id"] } }] };

function hook(changes: Partial<VerifyDescriptor> = {}): Op {
  return create({ verify: { run: verifyCall, operation: () => status, args: BY_ID, ...changes } });
}

const made = json(201, { id: "t1" });
const inState = (state: unknown): Step => json(200, { state });
const is = (...states: string[]): readonly Condition[] => [{ path: ["state"], in: states }];

interface Seen {
  readonly verification: Verification | undefined;
  readonly urls: string[];
  readonly waits: number[];
}

async function call(operation: Op, script: readonly Step[], options: CallOptions = { verify: true }): Promise<Seen> {
  const { core, sent, waits } = bench(script);
  const result = await core.call(operation, { name: "a" }, options);
  assert.deepEqual(valueOf(result), { id: "t1" }, "the result stays the call's own");
  return {
    verification: result.ok ? result.verification : undefined,
    urls: sent.map(({ url }) => url.replace("https://api.shop.test/v1", "")),
    waits,
  };
}

describe("verification", () => {
  it("is off by default", async () => {
    const { verification, urls } = await call(hook(), [made], {});
    assert.deepEqual([verification, urls], [undefined, ["/things"]]);
  });
  it("reads once without a final state", async () => {
    const { verification, urls, waits } = await call(hook({ expect: is("queued", "sent") }), [made, inState("queued")]);
    const observed = { state: "queued" };
    assert.deepEqual(verification, { checked: true, state: "queued", passed: true, observed });
    assert.deepEqual([urls, waits], [["/things", "/status/t1"], []]);
  });
  it("tells that what is expected was not seen", async () => {
    const { verification } = await call(hook({ expect: is("sent") }), [made, inState("failed")]);
    assert.deepEqual([verification?.checked, verification?.passed, verification?.state], [true, false, "failed"]);
  });
  it("nothing is expected: nothing passed", async () => {
    const { verification } = await call(hook(), [made, inState("failed")]);
    assert.deepEqual(verification, { checked: true, state: null, passed: null, observed: {} });
  });
  it("waits for a final state", async () => {
    const verify = { expect: is("sent"), terminal: is("sent", "failed"), intervalMs: 500, budgetMs: 2000 };
    const { verification, waits } = await call(hook(verify), [
      made,
      inState("queued"),
      inState("queued"),
      inState("sent"),
    ]);
    assert.deepEqual([verification?.state, verification?.passed, verification?.timed_out], ["sent", true, undefined]);
    assert.deepEqual(waits, [500, 500]);
  });
  it("the last read is at the end of the budget", async () => {
    const verify = { terminal: is("sent"), intervalMs: 400, budgetMs: 1000 };
    const queued = inState("queued");
    const { verification, waits } = await call(hook(verify), [made, queued, queued, queued, queued]);
    assert.deepEqual([verification?.timed_out, verification?.checked], [true, true]);
    assert.deepEqual(waits, [400, 400, 200]);
  });
  it("a clock that stands still or goes back does not wait for ever", async () => {
    for (const step of [0, -1000]) {
      let now = NOW;
      const verify = { terminal: is("sent"), intervalMs: 400, budgetMs: 1000 };
      const queued = inState("queued");
      const { core, waits } = bench([made, queued, queued, queued, queued], { now: () => (now += step) });
      valueOf(await core.call(hook(verify), { name: "a" }, { verify: true }));
      assert.deepEqual(waits, [400, 400, 200]);
    }
  });
  it("a read that fails changes nothing", async () => {
    const { verification } = await call(hook({ expect: is("sent") }), [made, json(404, {})]);
    assert.deepEqual([verification?.checked, verification?.error?.operation], [false, "shop.getStatus"]);
    assert.equal(verification?.error?.category, "NOT_FOUND");
  });
  it("arguments that the answer does not have", async () => {
    const args: Expression = { object: [{ name: "thing_id", value: { ref: "response", path: ["no", "id"] } }] };
    const { verification } = await call(hook({ args }), [made]);
    assert.equal(verification?.error?.failed_parameter, "args.thingId");
  });
  it("a cancelled wait ends, the call stays a success", async () => {
    const stop = new AbortController();
    const { core } = bench([made, inState("queued")], {
      sleep: (ms) =>
        ms < 30_000 ? (stop.abort(), Promise.reject(new Error("stopped"))) : new Promise(() => undefined),
    });
    const verify = hook({ terminal: is("sent") });
    const result = await core.call(verify, { name: "a" }, { verify: true, signal: stop.signal });
    assert.equal(result.ok && result.verification?.timed_out, true);
  });
  it("references in conditions are resolved first; one that leads nowhere never holds", async () => {
    const same: readonly Condition[] = [{ path: ["owner"], equals: "$args.name" }];
    const seen = await call(hook({ expect: same }), [made, json(200, { owner: "a" })]);
    assert.deepEqual([seen.verification?.passed, seen.verification?.state], [true, "a"]);
    const nowhere: readonly Condition[] = [{ path: ["owner"], equals: "$response.owner" }];
    assert.equal(
      (await call(hook({ expect: nowhere }), [made, json(200, { owner: null })])).verification?.passed,
      false,
    );
  });
});

describe("next_action of an unknown outcome", () => {
  const lost: Step = { fails: null };
  it("names the hook when its arguments are known", async () => {
    const args: Expression = {
      object: [
        { name: "thing_id", value: { ref: "args", path: ["name"] } },
        { name: "other", value: { value: 1 } },
      ],
    };
    const error = errorOf(await bench([lost]).core.call(hook({ args }), { name: "a" }));
    assert.equal(error.category, "OUTCOME_UNKNOWN");
    assert.equal(
      error.next_action,
      "Call shop.getStatus with thingId = args.name, other = 1 to see whether the change took effect.",
    );
  });
  it("not when they need the answer that was lost", async () => {
    assert.equal(errorOf(await bench([lost]).core.call(hook(), { name: "a" })).next_action, null);
    const keyed: Op = { ...hook(), idempotency: { policy: "caller_owned" } };
    const error = errorOf(
      await bench([lost, lost, lost, lost]).core.call(keyed, { name: "a" }, { idempotencyKey: "k" }),
    );
    assert.match(error.next_action ?? "", /same idempotency key/);
  });
});

describe("expressions and conditions", () => {
  const answer = {
    schema: { kind: "any" },
    wire: { a: { b: [1, { c: "x" }] }, n: null, big: 12n, text: "hello" },
  } as const;
  const resolve = resolver((root) => (root === "response" ? answer : undefined));
  const values: readonly (readonly [string, Expression, unknown])[] = [
    ["a literal", { value: [1] }, [1]],
    ["a path into a list", { ref: "response", path: ["a", "b", "1", "c"] }, "x"],
    ["null is a value", { ref: "response", path: ["n"] }, null],
    ["nothing of the prototype", { ref: "response", path: ["constructor"] }, undefined],
    ["a list keeps its places", { list: [{ value: 1 }, { ref: "response", path: ["no"] }] }, [1, null]],
    [
      "members that lead nowhere are left out",
      {
        object: [
          { name: "x", value: { ref: "args" } },
          { name: "__proto__", value: { value: 1 } },
        ],
      },
      JSON.parse('{"__proto__":1}'),
    ],
    ["nothing compares as null", { compare: { ref: "args", path: ["x"] }, test: { equals: null } }, true],
    ["in", { compare: { ref: "response", path: ["text"] }, test: { in: ["a", "hello"] } }, true],
    ["differs", { compare: { ref: "response", path: ["text"] }, test: { differs: "hello" } }, false],
  ];
  for (const [title, expression, expected] of values) {
    it(title, () => assert.deepEqual(evaluate(expression, resolve, "wire"), expected));
  }
  it("names for callers", () => {
    const expression: Expression = { object: [{ name: "a_b", key: "aB", value: { value: 1 } }] };
    assert.deepEqual(evaluate(expression, resolve, "key"), { aB: 1 });
    assert.deepEqual(evaluate(expression, resolve, "wire"), { a_b: 1 });
  });
  const conditions: readonly (readonly [string, Condition, boolean])[] = [
    ["equal objects", { path: ["a"], equals: { b: [1, { c: "x" }] } }, true],
    ["a bigint and a number", { path: ["big"], equals: 12 }, true],
    ["null where nothing is", { path: ["no"], equals: null }, true],
    ["part of a text", { path: ["text"], contains: "ell" }, true],
    ["a subset", { path: ["a"], contains: { b: [{ c: "x" }] } }, true],
    ["some element", { path: ["a", "b"], contains: { c: "x" } }, true],
    ["no element", { path: ["a", "b"], contains: { c: "y" } }, false],
    ["a member of the prototype", { path: ["a"], contains: { toString: null } }, false],
  ];
  for (const [title, condition, expected] of conditions) {
    it(title, () => assert.equal(holds([condition], answer), expected));
  }
  it("all conditions must hold", () => {
    assert.equal(
      holds(
        [
          { path: ["n"], equals: null },
          { path: ["text"], equals: "x" },
        ],
        answer,
      ),
      false,
    );
    assert.equal(holds([], answer), true);
  });
  it("binding replaces references and nothing that only looks like one", () => {
    const given: readonly Condition[] = [{ path: ["x"], in: ["$response.text", "$respond", "$args.no", "$5"] }];
    assert.deepEqual(bound(given, resolve), [{ path: ["x"], in: ["hello", "$respond", "$5"] }]);
  });
});
