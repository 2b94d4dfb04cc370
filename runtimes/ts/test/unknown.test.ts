// Newer servers: values and variants that the description does not list.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { ClientOptions, Schema } from "../dist/index.js";
import { readWebhook } from "../dist/webhooks.js";
import { bench, create, errorOf, json, query, read, STRING, valueOf } from "./support.ts";
import type { Bench, Op } from "./support.ts";

/** Lists of their own for each test: what one test receives must not help another. */
let lists = 0;
function fresh(): { readonly state: Schema; readonly pet: Schema; readonly thing: Schema } {
  lists += 1;
  const n = lists;
  const state: Schema = { kind: "enum", values: ["open", "closed", `list ${n}`] };
  const variant = (tag: string): Schema => ({
    kind: "object",
    fields: [
      { name: "petKind", wire: "pet_kind", schema: { kind: "const", value: tag }, required: true },
      { name: "fullName", wire: "full_name", schema: STRING },
    ],
  });
  const pet: Schema = {
    kind: "union",
    variants: [variant("cat"), variant(`dog ${n}`)],
    tag: "pet_kind",
    tags: [["cat"], [`dog ${n}`]],
  };
  const thing: Schema = {
    kind: "object",
    fields: [
      { name: "state", schema: state, required: true },
      { name: "oldStates", wire: "old_states", schema: { kind: "array", items: state } },
      { name: "pet", schema: pet },
    ],
  };
  return { state, pet, thing };
}

const answering = (schema: Schema): Op =>
  read({ responses: [{ status: 200, kind: "success", mediaType: "application/json", encoding: "json", schema }] });
const sending = (schema: Schema): Op =>
  create({ body: { mediaType: "application/json", encoding: "json", required: true, schema } });

function told(bench: Bench): readonly (readonly [string, string | null, unknown])[] {
  return bench.diagnostics.map(({ kind, error }) => [kind, error.failed_parameter, error.received_value]);
}

const NEWER = { state: "paused", old_states: ["open", "lost"], pet: { pet_kind: "ferret", full_name: "Fritz" } };
/** All but the tag of the variant that is not described has its TypeScript name where there is one. */
const RAW = { state: "paused", oldStates: ["open", "lost"], pet: { petKind: "ferret", full_name: "Fritz" } };

describe("a value that is not listed", () => {
  for (const validateResponses of ["warn", "strict"] as const) {
    it(`is delivered as it came and reported (${validateResponses})`, async () => {
      const all = bench([json(200, NEWER)], { validateResponses });
      assert.deepEqual(valueOf(await all.core.call(answering(fresh().thing), {})), RAW);
      assert.deepEqual(told(all), [
        ["unknown_value", "response.state", "paused"],
        ["unknown_value", "response.old_states[1]", "lost"],
        ["unknown_value", "response.pet.pet_kind", "ferret"],
      ]);
    });
  }
  const silent: readonly (readonly [string, ClientOptions])[] = [
    ["a listener", {}],
    ["no listener", { onDiagnostic: undefined } as unknown as ClientOptions],
  ];
  for (const [title, options] of silent) {
    it(`may be sent back, with ${title}; others may not`, async () => {
      const { thing } = fresh();
      const { core, sent } = bench([json(200, NEWER), json(201, 1), json(201, 1)], options);
      const value = valueOf(await core.call(answering(thing), {})) as Record<string, unknown>;
      valueOf(await core.call(sending(thing), value));
      assert.deepEqual(JSON.parse(sent[1]?.body ?? ""), NEWER);
      for (const state of ["pausd", "ferret"]) {
        const error = errorOf(await core.call(sending(thing), { ...value, state }));
        assert.deepEqual([error.category, error.failed_parameter], ["VALIDATION_FAILED", "body.state"]);
      }
      const pet = { petKind: "weasel" };
      assert.equal(errorOf(await core.call(sending(thing), { ...value, pet })).failed_parameter, "body.pet.petKind");
    });
  }
  it("may be sent in another place of the same list", async () => {
    const { state, thing } = fresh();
    const { core, sent } = bench([json(200, NEWER), json(200, {})]);
    const search = read({ params: [query({ ...state })] });
    assert.equal(errorOf(await core.call(search, { q: "paused" })).category, "VALIDATION_FAILED");
    valueOf(await core.call(answering(thing), {}));
    valueOf(await core.call(search, { q: "paused" }));
    assert.match(sent[1]?.url ?? "", /q=paused$/);
  });
  it("is a mismatch where the client says so", async () => {
    const options = { unknownValues: "reject", validateResponses: "strict" } as const;
    const { core } = bench([json(200, NEWER)], options);
    const error = errorOf(await core.call(answering(fresh().thing), {}));
    assert.deepEqual([error.category, error.failed_parameter], ["UNEXPECTED_RESPONSE", "response.state"]);
    const warned = bench([json(200, NEWER)], { unknownValues: "reject" });
    valueOf(await warned.core.call(answering(fresh().thing), {}));
    assert.deepEqual(told(warned), [["response_invalid", "response.state", "paused"]]);
  });
  const mismatches: readonly (readonly [string, unknown, string])[] = [
    ["of another type", { state: 7 }, "response.state"],
    ["null", { state: null }, "response.state"],
    ["beside a real fault", { state: "paused", old_states: 7 }, "response.old_states"],
    ["a variant without its tag", { state: "open", pet: {} }, "response.pet.pet_kind"],
  ];
  for (const [title, body, parameter] of mismatches) {
    it(`${title}: strict fails`, async () => {
      const { core } = bench([json(200, body)], { validateResponses: "strict" });
      assert.equal(errorOf(await core.call(answering(fresh().thing), {})).failed_parameter, parameter);
    });
  }
  it("names below an untagged union are mapped all the same", async () => {
    const { state } = fresh();
    const union: Schema = {
      kind: "union",
      variants: [
        { kind: "object", fields: [{ name: "nowIs", wire: "now_is", schema: state, required: true }] },
        { kind: "object", fields: [{ name: "count", schema: { kind: "integer" }, required: true }] },
      ],
    };
    const all = bench([json(200, { now_is: "paused" })], { validateResponses: "strict" });
    assert.deepEqual(valueOf(await all.core.call(answering(union), {})), { nowIs: "paused" });
    assert.deepEqual(told(all), [["unknown_value", "response.now_is", "paused"]]);
  });
  it("is not looked for when nothing is", async () => {
    const { thing } = fresh();
    const all = bench([json(200, NEWER)], { validateResponses: "off" });
    const value = valueOf(await all.core.call(answering(thing), {})) as Record<string, unknown>;
    assert.deepEqual(told(all), []);
    assert.equal(errorOf(await all.core.call(sending(thing), value)).category, "VALIDATION_FAILED");
  });
  it("a server that sends anything fills no memory", async () => {
    const { state } = fresh();
    const many = Array.from({ length: 150 }, (_, n) => `value ${n}`);
    const list: Schema = { kind: "array", items: state };
    const { core } = bench([json(200, many.slice(0, 75)), json(200, many.slice(75)), json(200, {})]);
    for (const _ of [1, 2]) valueOf(await core.call(answering(list), {}));
    const search = read({ params: [query({ ...state })] });
    assert.equal(errorOf(await core.call(search, { q: "value 120" })).category, "VALIDATION_FAILED");
    valueOf(await core.call(search, { q: "value 99" }));
  });
  it("in a webhook is delivered", async () => {
    const { state } = fresh();
    const webhook = {
      id: "a",
      kind: "webhook",
      name: "a",
      method: "POST",
      mediaType: "application/json",
      schema: state,
    } as const;
    const verifier = () => Promise.resolve({ id: null, timestamp: null });
    const result = await readWebhook(webhook, verifier, { headers: {}, body: '"paused"' });
    assert.equal(result.ok && result.value, "paused");
  });
});
