// Validation: one case a rule, each with the schema, the value and the first issue that must be found.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { FieldSchema, ObjectSchema, Rule, Schema } from "../dist/index.js";
import { validate, variantOf } from "../dist/validate.js";
import type { Mode } from "../dist/validate.js";
import { zodType } from "../dist/zod.js";
import { ANY, INTEGER, STRING } from "./support.ts";

const PATH = (path: readonly (string | number)[]): string => path.join("/");

function first(schema: Schema, value: unknown, mode: Mode = "request"): string | null {
  const issue = validate(schema, value, mode)[0];
  return issue === undefined ? null : `${PATH(issue.path)}: ${issue.expected}`;
}

function object(fields: readonly FieldSchema[], rest: Partial<ObjectSchema> = {}): Schema {
  return { kind: "object", fields, ...rest };
}

const name: FieldSchema = { name: "name", schema: STRING, required: true };
const SAFE = Number.MAX_SAFE_INTEGER;

const ruled = (...rules: readonly Rule[]): Schema => ({ kind: "any", rules });
const needs = (...names: readonly string[]): Schema => ruled({ kind: "required", names });
const long: Schema = ruled({ kind: "limits", minLength: 3 });
const tags: Schema = { kind: "map", values: STRING };

/** A schema with one rule, a value, and what the rule asks for. */
const ruleCases: readonly (readonly [Rule, unknown, string | null])[] = [
  [{ kind: "types", types: ["integer", "null"] }, 1.5, "a value of type integer or null"],
  [{ kind: "types", types: ["integer", "null"] }, null, null],
  [{ kind: "values", values: [{ a: 1 }] }, { a: 1 }, null],
  [{ kind: "values", values: [] }, 1, "one of the values that are allowed"],
  [{ kind: "limits", minLength: 3, minimum: 3, minItems: 3, minProperties: 3 }, "ab", "at least 3 characters"],
  [{ kind: "limits", minLength: 3, minimum: 3, minItems: 3, minProperties: 3 }, 2, "at least 3"],
  [{ kind: "limits", minLength: 3, minimum: 3, minItems: 3, minProperties: 3 }, [1, 2], "at least 3 items"],
  [{ kind: "limits", minLength: 3, minimum: 3, minItems: 3, minProperties: 3 }, { a: 1 }, "at least 3 members"],
  [{ kind: "limits", unique: true }, [1, 1], "distinct items"],
  [{ kind: "limits", multipleOf: 0.01 }, 19.99, null],
  [{ kind: "limits", pattern: "^a" }, "b", "text that matches ^a"],
  [{ kind: "required", names: ["a", "b"] }, { a: 1 }, "the members b"],
  [{ kind: "required", names: ["a"] }, [], null],
  [{ kind: "required", names: ["constructor"] }, {}, "the members constructor"],
  [{ kind: "needsNames", name: "a", names: ["b"] }, { a: 1 }, "the members b"],
  [{ kind: "needsNames", name: "a", names: ["b"] }, { c: 1 }, null],
  [{ kind: "needsTypes", members: [{ name: "a", schema: needs("b") }] }, { a: 1 }, "a value that fits its member a"],
  [{ kind: "properties", members: [{ name: "a", schema: STRING }] }, { a: 1 }, "another member a"],
  [{ kind: "patterns", members: [{ pattern: "^x-", schema: STRING }] }, { "x-a": 1, b: 2 }, "another member x-a"],
  [{ kind: "patterns", members: [{ pattern: "^x-", schema: STRING }] }, { "x-a": "b", b: 2 }, null],
  [
    { kind: "additional", names: ["a"], patterns: ["^x-"], schema: { kind: "never" } },
    { a: 1, "x-b": 2, c: 3 },
    "no member c, or another one",
  ],
  [{ kind: "names", schema: long }, { abc: 1, ab: 2 }, "other names of members"],
  [{ kind: "not", schema: long }, "abc", "a value that is not excluded"],
  [{ kind: "not", schema: long }, "ab", null],
  [{ kind: "prefix", schemas: [STRING, INTEGER] }, ["a", "b"], "another item 1"],
  [{ kind: "prefix", schemas: [STRING, INTEGER] }, ["a"], null],
  [{ kind: "items", from: 1, schema: STRING }, [1, 2], "other items"],
  [{ kind: "contains", min: 1, schema: STRING }, [1], "at least 1 items of the kind that the type asks for"],
  [{ kind: "contains", min: 0, max: 1, schema: STRING }, ["a", "b"], "at most 1 items of a kind"],
  [{ kind: "all", schemas: [STRING, long] }, "ab", "a value that all parts of the type allow"],
  [{ kind: "any", schemas: [needs("a"), needs("b")] }, {}, "one of the forms that the type allows"],
  [{ kind: "one", schemas: [needs("a"), needs("b")] }, { a: 1, b: 2 }, "exactly one of the forms that the type allows"],
  [
    { kind: "if", condition: needs("a"), then: needs("b"), otherwise: needs("c") },
    { a: 1 },
    "a value that meets the condition of the type",
  ],
  [{ kind: "if", condition: needs("a"), then: needs("b") }, {}, null],
];

const cases: readonly (readonly [string, Schema, unknown, string | null])[] = [
  ["any takes null", ANY, null, null],
  ["never takes nothing", { kind: "never" }, 1, ": no value here"],
  ["boolean", { kind: "boolean" }, true, null],
  ["boolean from text", { kind: "boolean" }, "true", ": a boolean"],
  ["string", STRING, "a", null],
  ["string from number", STRING, 1, ": a string"],
  ["minLength counts code points", { kind: "string", minLength: 2 }, "😀", ": at least 2 characters"],
  ["maxLength counts code points", { kind: "string", maxLength: 1 }, "😀", null],
  ["maxLength with a lone surrogate", { kind: "string", maxLength: 1 }, "\ud83d", null],
  ["maxLength over", { kind: "string", maxLength: 1 }, "ab", ": at most 1 character"],
  ["pattern is unanchored", { kind: "string", pattern: "b" }, "abc", null],
  ["pattern fails", { kind: "string", pattern: "^b" }, "abc", ": text that matches ^b"],
  ["pattern with the u flag", { kind: "string", pattern: "^\\p{L}+$" }, "äß", null],
  ["pattern that the u flag refuses", { kind: "string", pattern: "^\\-a$" }, "b", null],
  ["pattern that compiles nowhere", { kind: "string", pattern: "(" }, "a", null],
  ["integer", INTEGER, 3, null],
  ["integer from text", INTEGER, "3", ": an integer"],
  ["integer with a fraction", INTEGER, 3.5, ": an integer"],
  ["integer is safe", INTEGER, SAFE, null],
  [
    "integer beyond 2^53",
    { kind: "integer", bits: 64 },
    SAFE + 1,
    ": an integer: a bigint beyond plus or minus 2^53 - 1",
  ],
  ["NaN", { kind: "number" }, NaN, ": a number"],
  ["Infinity", { kind: "number" }, Infinity, ": a number"],
  ["minimum", { kind: "number", minimum: 1 }, 0.5, ": at least 1"],
  ["exclusiveMinimum", { kind: "number", exclusiveMinimum: 1 }, 1, ": more than 1"],
  ["maximum", { kind: "number", maximum: 1 }, 1, null],
  ["exclusiveMaximum", { kind: "number", exclusiveMaximum: 1 }, 1, ": less than 1"],
  ["multipleOf with binary fractions", { kind: "number", multipleOf: 0.01 }, 123456789.01, null],
  ["multipleOf fails", { kind: "number", multipleOf: 0.5 }, 0.3, ": a multiple of 0.5"],
  ["multipleOf of large integers", { kind: "integer", multipleOf: 3 }, 9007199254740990, null],
  ["enum", { kind: "enum", values: ["a", "b"] }, "b", null],
  ["enum fails", { kind: "enum", values: ["a", 1] }, "c", ': one of "a", 1'],
  ["enum is strict", { kind: "enum", values: [1] }, "1", ": one of 1"],
  ["enum with an object", { kind: "enum", values: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, null],
  ["enum of nothing", { kind: "enum", values: [] }, 1, ": no value here"],
  ["const", { kind: "const", value: null }, null, null],
  ["const fails", { kind: "const", value: "x" }, "y", ': the value "x"'],
  ["array", { kind: "array", items: STRING }, ["a"], null],
  ["array from object", { kind: "array", items: STRING }, {}, ": an array"],
  ["array item", { kind: "array", items: STRING }, ["a", 1], "1: a string"],
  ["minItems", { kind: "array", items: ANY, minItems: 1 }, [], ": at least 1 item"],
  ["maxItems", { kind: "array", items: ANY, maxItems: 1 }, [1, 2], ": at most 1 item"],
  ["unique", { kind: "array", items: ANY, unique: true }, [{ a: 1 }, { a: 1 }], ": distinct items"],
  ["tuple", { kind: "array", prefix: [STRING], items: INTEGER }, ["a", 1], null],
  ["tuple item", { kind: "array", prefix: [STRING], items: INTEGER }, ["a", "b"], "1: an integer"],
  ["closed tuple", { kind: "array", prefix: [STRING], items: "closed" }, ["a", "b"], ": at most 1 item"],
  ["map", { kind: "map", values: INTEGER }, { a: 1 }, null],
  ["map value", { kind: "map", values: INTEGER }, { a: "x" }, "a: an integer"],
  [
    "map value under __proto__",
    { kind: "map", values: INTEGER },
    JSON.parse('{"__proto__":"x"}'),
    "__proto__: an integer",
  ],
  ["map size", { kind: "map", values: INTEGER, maxProperties: 1 }, { a: 1, b: 2 }, ": at most 1 member"],
  ["object", object([name]), { name: "a" }, null],
  ["object from array", object([]), [], ": an object"],
  ["object from date", object([]), new Date(0), ": an object"],
  ["missing member", object([name]), {}, "name: a string (required)"],
  ["undefined member is missing", object([name]), { name: undefined }, "name: a string (required)"],
  ["undefined optional member", object([{ name: "a", schema: STRING }]), { a: undefined }, null],
  ["inherited member is missing", object([{ ...name, name: "constructor" }]), {}, "constructor: a string (required)"],
  ["optional member called constructor", object([{ name: "constructor", schema: STRING }]), {}, null],
  [
    "member called __proto__",
    object([{ name: "__proto__", schema: STRING }]),
    JSON.parse('{"__proto__":1}'),
    "__proto__: a string",
  ],
  ["open object keeps others", object([name]), { name: "a", b: 1 }, null],
  ["closed object", object([name], { additional: "closed" }), { name: "a", b: 1 }, "b: no member of this name"],
  ["closed object with undefined", object([], { additional: "closed" }), { b: undefined }, null],
  ["typed others", object([name], { additional: INTEGER }), { name: "a", b: "x" }, "b: an integer"],
  ["minProperties", object([], { minProperties: 1 }), {}, ": at least 1 member"],
  ["read-only is not required", object([{ ...name, readOnly: true }]), {}, null],
  [
    "read-only is refused",
    object([{ ...name, readOnly: true }]),
    { name: "a" },
    "name: no value (the field is read-only)",
  ],
  [
    "structure before constraints",
    object([{ name: "a", schema: { kind: "string", minLength: 2 } }, name]),
    { a: "x" },
    "name: a string (required)",
  ],
  [
    "constraints before unknown members",
    object([{ name: "a", schema: { kind: "string", minLength: 2 } }], { additional: "closed" }),
    { z: 1, a: "x" },
    "a: at least 2 characters",
  ],
  ["nullable", { kind: "nullable", inner: STRING }, null, null],
  ["nullable inner", { kind: "nullable", inner: STRING }, 1, ": a string"],
  [
    "all",
    { kind: "all", members: [object([name]), object([{ name: "b", schema: INTEGER }])] },
    { name: "a", b: "x" },
    "b: an integer",
  ],
  ["union", { kind: "union", variants: [STRING, INTEGER] }, 1, null],
  ["union of kinds fails", { kind: "union", variants: [STRING, INTEGER] }, true, ": a string or an integer"],
  [
    "union explains the only near variant",
    { kind: "union", variants: [STRING, object([name])] },
    {},
    "name: a string (required)",
  ],
  [
    "union with several near variants",
    { kind: "union", variants: [object([name]), object([{ ...name, name: "b" }])] },
    {},
    ": one of the 2 object forms that the type allows",
  ],
  ["bytes", { kind: "bytes" }, new Uint8Array(1), null],
  ["blob", { kind: "bytes" }, new Blob([]), null],
  ["bytes from number", { kind: "bytes" }, 1, ": binary data (Uint8Array, Blob or ReadableStream)"],
];

const formats: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    "uuid",
    ["123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000"],
    ["123e4567", "{123e4567-e89b-12d3-a456-426614174000}"],
  ],
  ["email", ["a@b.test", "a+b@sub.b.test", "a@localhost"], ["a", "a@", "@b.test", "a b@c.test", "a@b..test"]],
  [
    "date-time",
    ["2026-11-30T12:00:00Z", "2026-11-30t12:00:00.123+05:30", "2016-12-31T23:59:60Z"],
    ["2026-11-30", "2026-11-30T12:00:00", "2026-02-30T12:00:00Z", "2026-11-30T25:00:00Z"],
  ],
  ["date", ["2024-02-29", "2026-12-31"], ["2026-02-29", "2026-13-01", "26-01-01", "2026-01-01T00:00:00Z"]],
  ["ipv4", ["127.0.0.1", "255.255.255.255"], ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4."]],
  [
    "ipv6",
    ["::", "::1", "2001:db8::1", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8"],
    ["1", ":::", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "1:2:3:4:5:6:7", "::1.2.3"],
  ],
  ["hostname", ["anything"], []],
];

describe("rules", () => {
  for (const [rule, value, expected] of ruleCases) {
    it(`${JSON.stringify(rule)} ${JSON.stringify(value)}`, () => {
      const found = first(ruled(rule), value);
      assert.equal(found, expected === null ? null : `: ${expected}`);
    });
  }

  it("are asked after the shape, about names on the wire", () => {
    const field: FieldSchema = { name: "cardNumber", wire: "card_number", schema: STRING };
    const schema: Schema = {
      kind: "object",
      fields: [field, { name: "iban", schema: STRING }],
      rules: [{ kind: "any", schemas: [needs("card_number"), needs("iban")] }],
    };
    assert.equal(first(schema, { cardNumber: "1" }), null);
    assert.equal(first(schema, { card_number: "1" }, "response"), null);
    assert.equal(first(schema, {}), ": one of the forms that the type allows");
    assert.equal(first(schema, { cardNumber: 1 }), "cardNumber: a string");
  });

  it("that lead back to their own type end", () => {
    const paradox: Schema = { kind: "any", rules: [{ kind: "not", schema: { kind: "ref", ref: () => paradox } }] };
    assert.doesNotThrow(() => first(paradox, { a: 1 }));
    const other: Schema = { kind: "union", variants: [STRING, { kind: "ref", ref: () => own }] };
    const own: Schema = {
      kind: "object",
      fields: [{ name: "aB", wire: "a_b", schema: STRING }],
      rules: [{ kind: "not", schema: { kind: "ref", ref: () => other } }],
    };
    assert.doesNotThrow(() => first(own, { aB: "x" }));
  });

  it("hold inside other types", () => {
    const schema: Schema = { kind: "array", items: { ...tags, rules: [{ kind: "names", schema: long }] } };
    assert.equal(first(schema, [{ abc: "x" }, { a: "x" }]), "1: other names of members");
  });
});

describe("validation", () => {
  for (const [title, schema, value, expected] of cases) it(title, () => assert.equal(first(schema, value), expected));
  for (const [format, good, bad] of formats) {
    const schema: Schema = { kind: "string", format };
    for (const text of good) it(`${format} accepts ${text}`, () => assert.equal(first(schema, text), null));
    for (const text of bad) it(`${format} refuses ${text}`, () => assert.notEqual(first(schema, text), null));
  }
});

describe("validation modes", () => {
  const schema = object([
    { name: "petName", wire: "pet_name", schema: STRING, required: true },
    { name: "id", schema: INTEGER, required: true, readOnly: true },
    { name: "password", schema: STRING, required: true, writeOnly: true },
  ]);
  const table: readonly (readonly [Mode, unknown, string | null])[] = [
    ["request", { petName: "a", password: "p" }, null],
    ["request", { pet_name: "a", password: "p" }, "petName: a string (required)"],
    ["response", { pet_name: "a", id: 1 }, null],
    ["response", { petName: "a", id: 1 }, "pet_name: a string (required)"],
    ["response", { pet_name: "a" }, "id: an integer (required)"],
    ["value", { petName: "a" }, null],
  ];
  for (const [mode, value, expected] of table) {
    it(`${mode} ${JSON.stringify(value)}`, () => assert.equal(first(schema, value, mode), expected));
  }
});

describe("tagged unions", () => {
  const cat = object([
    { name: "petType", wire: "pet_type", schema: STRING, required: true },
    { name: "lives", schema: INTEGER, required: true },
  ]);
  const dog = object([{ name: "petType", wire: "pet_type", schema: STRING, required: true }]);
  const pet: Schema = { kind: "union", variants: [cat, dog], tag: "pet_type", tags: [["cat", "lion"], ["dog"]] };
  const table: readonly (readonly [string, unknown, Mode, string | null])[] = [
    ["chooses by tag", { petType: "dog" }, "request", null],
    ["checks the chosen variant only", { petType: "lion" }, "request", "lives: an integer (required)"],
    ["refuses an unknown tag", { petType: "fish" }, "request", 'petType: one of "cat", "lion", "dog"'],
    ["refuses a missing tag", {}, "request", 'petType: one of "cat", "lion", "dog"'],
    ["uses the wire name in responses", { pet_type: "dog" }, "response", null],
  ];
  for (const [title, value, mode, expected] of table) it(title, () => assert.equal(first(pet, value, mode), expected));
  const open: Schema = { ...pet, other: 1 };
  const others: readonly (readonly [string, unknown, Mode, string | null])[] = [
    ["takes an unknown tag for the other variant", { petType: "fish" }, "request", null],
    ["checks the other variant", {}, "request", "petType: a string (required)"],
    ["still chooses by tag", { pet_type: "cat" }, "response", "lives: an integer (required)"],
  ];
  for (const [title, value, mode, expected] of others)
    it(title, () => assert.equal(first(open, value, mode), expected));
});

describe("unions with keys", () => {
  const id = { name: "id", schema: STRING, required: true } as const;
  const gone = object([id, { name: "isGone", wire: "is_gone", schema: { kind: "boolean" }, required: true }]);
  const pet = object([id, { name: "lives", schema: INTEGER, required: true }]);
  const byProperty: Schema = { kind: "union", variants: [gone, pet, STRING], keys: ["is_gone", null, null] };
  const kind = (values: readonly string[], other: string): Schema =>
    object([
      { name: "kind", schema: { kind: "enum", values }, required: true },
      { name: other, schema: INTEGER, required: true },
    ]);
  const byValue: Schema = {
    kind: "union",
    variants: [kind(["a", "b"], "x"), kind(["c"], "y")],
    keys: ["kind", "kind"],
  };
  const table: readonly (readonly [string, Schema, unknown, Mode, string | null])[] = [
    ["a key that is there", byProperty, { id: "1", isGone: true }, "request", null],
    ["the wire name in responses", byProperty, { id: "1", is_gone: true }, "response", null],
    ["no key", byProperty, { id: "1", lives: 9 }, "request", null],
    ["another kind of value", byProperty, "1", "request", null],
    ["a key explains its variant", byProperty, { isGone: true }, "request", "id: a string (required)"],
    ["a wrong key explains its variant", byProperty, { id: "1", isGone: 1 }, "request", "isGone: a boolean"],
    ["no key explains the variant without", byProperty, { id: "1" }, "request", "lives: an integer (required)"],
    ["what the key does not tell is still tried", byProperty, { id: "1", isGone: 1, lives: 9 }, "request", null],
    ["a value", byValue, { kind: "c", y: 1 }, "request", null],
    ["a value explains its variant", byValue, { kind: "c", x: 1 }, "request", "y: an integer (required)"],
    ["no value of a key", byValue, { kind: "d" }, "request", ": one of the 2 object forms that the type allows"],
  ];
  for (const [title, schema, value, mode, expected] of table)
    it(title, () => assert.equal(first(schema, value, mode), expected));

  it("the variant is the one that a key tells", () => {
    const loose = object([id, { name: "a", schema: INTEGER }, { name: "b", schema: INTEGER }]);
    const tight = object([{ name: "key", schema: STRING, required: true }]);
    const schema = { kind: "union", variants: [tight, loose], keys: ["key", null] } as const;
    assert.equal(variantOf(schema, { key: "k", id: "1", a: 1 }, "request"), tight);
    assert.equal(variantOf(schema, { id: "1" }, "request"), loose);
  });

  it("a key's member may be of the very union", () => {
    const inner: Schema = { kind: "union", variants: [{ kind: "ref", ref: () => node }, STRING], keys: ["next", null] };
    const node: Schema = object([{ name: "next", schema: inner, required: true }]);
    assert.equal(first(inner, { next: { next: "end" } }), null);
    assert.equal(first(inner, { next: { next: 1 } }), "next/next: an object or a string");
  });
});

describe("recursion and depth", () => {
  const node: Schema = {
    kind: "object",
    fields: [{ name: "next", schema: { kind: "ref", ref: () => node } }],
    additional: "closed",
  };
  const chain = (length: number): unknown => {
    let value: unknown = {};
    for (let i = 1; i < length; i += 1) value = { next: value };
    return value;
  };
  it("recursive type", () =>
    assert.equal(first(node, { next: { next: { x: 1 } } }), "next/next/x: no member of this name"));
  it("256 levels", () => assert.equal(first(node, chain(256)), null));
  it("257 levels", () => assert.equal(first(node, chain(257)), ": nesting of at most 256 levels"));
  it("100,000 levels", () => assert.equal(first(node, chain(100_000)), ": nesting of at most 256 levels"));
  it("a cyclic value", () => {
    const value: Record<string, unknown> = {};
    value["next"] = value;
    assert.equal(first(node, value), ": nesting of at most 256 levels");
  });
  it("a type that is only itself says nothing", () => {
    const loop: Schema = { kind: "nullable", inner: { kind: "ref", ref: () => loop } };
    assert.equal(first(loop, 1), null);
    const union: Schema = { kind: "union", variants: [{ kind: "ref", ref: () => union }, STRING] };
    assert.equal(first(union, "a"), null);
  });
  it("nested unions are not tried again at every level", () => {
    const a: Schema = {
      kind: "object",
      fields: [
        { name: "t", schema: { kind: "const", value: "a" }, required: true },
        { name: "c", schema: { kind: "ref", ref: () => either } },
      ],
    };
    const b: Schema = {
      kind: "object",
      fields: [
        { name: "t", schema: { kind: "const", value: "a" }, required: true },
        { name: "c", schema: { kind: "ref", ref: () => either } },
      ],
    };
    const either: Schema = { kind: "union", variants: [a, b] };
    let value: unknown = { t: "z" };
    for (let i = 0; i < 200; i += 1) value = { t: "a", c: value };
    assert.equal(first(either, value), ": one of the 2 object forms that the type allows");
  });
  it("many issues stay few", () => {
    const issues = validate(
      { kind: "map", values: STRING },
      Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i])),
      "request",
    );
    assert.ok(issues.length <= 100);
  });
});

describe("zodType", () => {
  const type = zodType<{ petName: string }>(
    object([{ name: "petName", wire: "pet_name", schema: STRING, required: true }]),
  );
  it("accepts and returns the same value", () => {
    const value = { petName: "a" };
    assert.equal(type.parse(value), value);
  });
  it("reports paths", () => assert.deepEqual(type.safeParse({ petName: 1 }).error?.issues[0]?.path, ["petName"]));
  it("composes", () => assert.equal(type.optional().safeParse(undefined).success, true));
});
