// Integers beyond 2^53 - 1, from the text of an answer to the text of a request.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { bodyJson } from "../dist/decode.js";
import { parseJson } from "../dist/exact.js";
import { canonicalJson, equalJson, jsonText } from "../dist/json.js";
import { validate } from "../dist/validate.js";
import type { Schema } from "../dist/index.js";
import { bench, create, json, read } from "./support.ts";

const LARGE = 9223372036854775807n;
const INT64: Schema = { kind: "integer", bits: 64 };

describe("reading", () => {
  const texts: readonly (readonly [string, unknown])[] = [
    ["9223372036854775807", LARGE],
    ["-9007199254740993", -9007199254740993n],
    ["9007199254740991", 9007199254740991],
    ["[1e20, 1.5e3, 12345678901234567.0]", [100000000000000000000n, 1500, 12345678901234567n]],
    ["-0.12345678901234567890", -0.12345678901234568],
    ["12345678901234567.5", 12345678901234568],
    ["1e400", Infinity],
    [
      '{"a\\\\\\"": {"b": [true, false, null, "x\\u0041", 9007199254740993]}}',
      { 'a\\"': { b: [true, false, null, "xA", 9007199254740993n] } },
    ],
    [
      '{"9007199254740993": "9007199254740993", "": 9007199254740993}',
      { "9007199254740993": "9007199254740993", "": 9007199254740993n },
    ],
    ['{"a": 1, "a": 9007199254740993}', { a: 9007199254740993n }],
    [" [ ] ", []],
  ];
  for (const [text, value] of texts) {
    it(text, () => assert.deepEqual(parseJson(text).value, value));
  }
  it("a member called __proto__ is a member", () => {
    const { value } = parseJson('{"__proto__": {"a": 9007199254740993}}');
    assert.deepEqual(Object.keys(value as object), ["__proto__"]);
  });
  it("reads as JSON.parse does where nothing is large", () => {
    const text = '{"a": [1, -2.5, {"b": "\\n\\"", "c": {}}], "d": [[], ""], "e": null, "f": 1e3}';
    assert.deepEqual(parseJson(text).value, JSON.parse(text));
    assert.deepEqual(parseJson(`[${text}, 9007199254740993]`).value, [JSON.parse(text), 9007199254740993n]);
  });
  it("what is no JSON throws", () => {
    for (const text of ["", "[9007199254740993", "9007199254740993n", "01"]) assert.throws(() => parseJson(text), text);
  });
  it("deep text is read", () => {
    const depth = 50_000;
    let at = parseJson("[".repeat(depth) + "9007199254740993" + "]".repeat(depth)).value;
    for (let level = 0; level < depth; level += 1) at = (at as unknown[])[0];
    assert.equal(at, 9007199254740993n);
  });
  it("a number of the schema stays a number", () => {
    const schema: Schema = {
      kind: "object",
      fields: [
        { name: "id", schema: INT64 },
        { name: "size", schema: { kind: "nullable", inner: { kind: "number" } } },
        { name: "either", schema: { kind: "union", variants: [{ kind: "number" }, { kind: "string" }] } },
      ],
    };
    const text =
      '{"id": 9007199254740993, "size": 9007199254740993, "either": 9007199254740993, "more": 9007199254740993}';
    assert.deepEqual(bodyJson(new TextEncoder().encode(text), schema), {
      id: 9007199254740993n,
      size: 9007199254740992,
      either: 9007199254740992,
      more: 9007199254740993n,
    });
  });
});

describe("writing", () => {
  it("JSON keeps all digits", () => {
    const value = { a: [LARGE, undefined, { b: LARGE, c: undefined, d: new Date(0) }], e: new Uint8Array([1]) };
    assert.equal(
      jsonText(value),
      '{"a":[9223372036854775807,null,{"b":9223372036854775807,"d":"1970-01-01T00:00:00.000Z"}],"e":"AQ=="}',
    );
    assert.equal(jsonText({ a: 1, b: undefined }), '{"a":1}');
  });
  it("one number has one canonical text", () => {
    assert.equal(canonicalJson([2n, 2 ** 60]), `[2,${2n ** 60n}]`);
    assert.ok(equalJson(2n, 2) && equalJson([2n], [2]) && !equalJson(9007199254740993n, 9007199254740992));
  });
  it("path, query, header and body", async () => {
    const param = (key: string, where: "path" | "query" | "header"): object => ({
      key,
      name: key,
      in: where,
      schema: INT64,
    });
    const { core, sent } = bench([json(200, {}), json(201, {})]);
    const params = [
      { ...param("id", "path"), required: true },
      param("after", "query"),
      param("x-id", "header"),
    ] as unknown as NonNullable<ReturnType<typeof read>["params"]>;
    const args = { id: LARGE, after: LARGE, "x-id": LARGE };
    const result = await core.call(read({ path: "/things/{id}", params }), args);
    assert.equal(result.ok, true, JSON.stringify(result));
    assert.ok(sent[0]?.url.endsWith("/things/9223372036854775807?after=9223372036854775807"), sent[0]?.url);
    assert.equal(sent[0]?.headers["x-id"], "9223372036854775807");
    const fields = [{ name: "name", schema: INT64, required: true as const }];
    const body = { ...create().body, schema: { kind: "object", fields } } as ReturnType<typeof create>["body"];
    await core.call(create({ body: body as NonNullable<typeof body> }), { name: LARGE }, { idempotencyKey: "k" });
    assert.equal(sent[1]?.body, '{"name":9223372036854775807}');
  });
  it("an envelope is JSON", async () => {
    const { core } = bench([]);
    const params = [
      { key: "limit", name: "limit", in: "query" as const, schema: { kind: "integer" as const, bits: 32 as const } },
    ];
    const result = await core.call(read({ params } as Parameters<typeof read>[0]), { limit: LARGE });
    assert.ok(!result.ok);
    assert.equal(result.error.received_value, "9223372036854775807");
    JSON.stringify(result);
  });
});

describe("judging", () => {
  const cases: readonly (readonly [Schema, unknown, boolean])[] = [
    [INT64, LARGE, true],
    [INT64, LARGE + 1n, false],
    [INT64, -LARGE - 1n, true],
    [INT64, 5n, true],
    [INT64, 2 ** 53, false],
    [{ kind: "integer" }, LARGE + 1n, true],
    [{ kind: "integer", bits: 32 }, 2147483647, true],
    [{ kind: "integer", bits: 32 }, 2147483648, false],
    [{ kind: "integer", maximum: 9223372036854775806n }, 9223372036854775806n, true],
    [{ kind: "integer", maximum: 9223372036854775806n }, LARGE, false],
    [{ kind: "integer", exclusiveMinimum: 9007199254740993n }, 9007199254740993n, false],
    [{ kind: "integer", multipleOf: 7 }, 9223372036854775807n, true],
    [{ kind: "integer", multipleOf: 2 }, 9223372036854775807n, false],
    [{ kind: "number" }, LARGE, true],
    [{ kind: "string" }, LARGE, false],
    [{ kind: "enum", values: [9007199254740993n, 2] }, 9007199254740993n, true],
    [{ kind: "enum", values: [9007199254740993n, 2] }, 9007199254740992n, false],
    [{ kind: "const", value: 2 }, 2n, true],
    [{ kind: "array", items: { kind: "any" }, unique: true }, [2, 2n], false],
    [{ kind: "any", rules: [{ kind: "types", types: ["integer"] }] }, LARGE, true],
    [{ kind: "any", rules: [{ kind: "limits", maximum: LARGE }] }, LARGE + 1n, false],
  ];
  for (const [index, [schema, value, valid]] of cases.entries()) {
    it(`${index}: ${schema.kind} ${jsonText(value)}`, () => {
      assert.equal(validate(schema, value, "response").length === 0, valid);
    });
  }
});

describe("what nothing else has looked at", () => {
  const never: Schema = { kind: "never" };
  const named = (name: string): Schema => ({
    kind: "object",
    fields: [{ name, schema: { kind: "any" }, required: true }],
    looks: { members: [name] },
  });
  const members = (beside: object): Schema => ({
    kind: "any",
    rules: [{ kind: "unevaluated", of: "members", beside, schema: never }],
  });
  const items = (beside: object): Schema => ({
    kind: "any",
    rules: [{ kind: "unevaluated", of: "items", beside, schema: never }],
  });
  const circular: Schema = { kind: "any", looks: { parts: [{ kind: "ref", ref: () => circular }], members: ["a"] } };
  const cases: readonly (readonly [string, Schema, unknown, boolean])[] = [
    ["names", members({ members: ["a"] }), { a: 1 }, true],
    ["other names", members({ members: ["a"] }), { b: 1 }, false],
    ["absent members", members({}), { b: undefined }, true],
    ["patterns", members({ patterns: ["^x-"] }), { "x-a": 1 }, true],
    ["all members", members({ members: "all" }), { b: 1 }, true],
    ["no object", members({}), 5, true],
    ["parts", members({ parts: [named("a")] }), { a: 1 }, true],
    ["variants that hold", members({ variants: [named("a"), named("b")] }), { b: 1 }, true],
    ["variants that do not", members({ variants: [named("a")] }), { b: 1 }, false],
    [
      "condition",
      members({ conditions: [{ condition: named("a"), then: named("b"), otherwise: named("c") }] }),
      { a: 1, b: 1 },
      true,
    ],
    [
      "otherwise",
      members({ conditions: [{ condition: named("a"), then: named("b"), otherwise: named("c") }] }),
      { c: 1 },
      true,
    ],
    ["then is not looked at", members({ conditions: [{ condition: named("a"), then: named("b") }] }), { b: 1 }, false],
    ["needs", members({ members: ["k"], needs: [{ name: "k", schema: named("a") }] }), { k: 1, a: 1 }, true],
    ["needs nothing", members({ needs: [{ name: "k", schema: named("a") }] }), { a: 1 }, false],
    ["circles end", members({ parts: [circular] }), { a: 1 }, true],
    ["first items", items({ items: 1 }), [1], true],
    ["further items", items({ items: 1 }), [1, 2], false],
    ["contained items", items({ contains: [{ kind: "string" }] }), ["a", "b"], true],
    ["others beside contained ones", items({ contains: [{ kind: "string" }] }), ["a", 1], false],
    ["all items", items({ items: "all" }), [1, 2], true],
  ];
  for (const [name, schema, value, valid] of cases) {
    it(name, () => assert.equal(validate(schema, value, "response").length === 0, valid));
  }
  it("schemas that share others are asked once", () => {
    let schema: Schema = named("a");
    for (let level = 0; level < 60; level += 1) {
      const below = schema;
      schema = { kind: "any", looks: { parts: [below], variants: [below] } };
    }
    assert.equal(validate(members({ parts: [schema] }), { a: 1 }, "response").length, 0);
  });
});
