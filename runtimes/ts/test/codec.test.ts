// Names: what callers write against what travels, both ways.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { FieldSchema, Schema } from "../dist/index.js";
import { decode, encode, hasRenames } from "../dist/codec.js";
import { ANY, INTEGER, STRING } from "./support.ts";

const petName: FieldSchema = { name: "petName", wire: "pet_name", schema: STRING };
const pet: Schema = { kind: "object", fields: [petName] };
const tree: Schema = {
  kind: "object",
  fields: [{ name: "subTrees", wire: "sub_trees", schema: { kind: "array", items: { kind: "ref", ref: () => tree } } }],
};
const cat: Schema = {
  kind: "object",
  fields: [{ name: "petType", wire: "pet_type", schema: { kind: "const", value: "cat" }, required: true }, petName],
};
const dog: Schema = {
  kind: "object",
  fields: [
    { name: "petType", wire: "pet_type", schema: { kind: "const", value: "dog" }, required: true },
    { name: "petName", wire: "called", schema: STRING },
  ],
};
const tagged: Schema = { kind: "union", variants: [cat, dog], tag: "pet_type", tags: [["cat"], ["dog"]] };
const untagged: Schema = { kind: "union", variants: [cat, dog] };

const table: readonly (readonly [string, Schema, unknown, unknown])[] = [
  ["object", pet, { petName: "a" }, { pet_name: "a" }],
  ["keeps undeclared members", pet, { petName: "a", x: 1 }, { pet_name: "a", x: 1 }],
  ["array", { kind: "array", items: pet }, [{ petName: "a" }], [{ pet_name: "a" }]],
  [
    "tuple",
    { kind: "array", prefix: [STRING, pet], items: "closed" },
    ["x", { petName: "a" }],
    ["x", { pet_name: "a" }],
  ],
  ["map", { kind: "map", values: pet }, { petName: { petName: "a" } }, { petName: { pet_name: "a" } }],
  ["nullable", { kind: "nullable", inner: pet }, { petName: "a" }, { pet_name: "a" }],
  ["null", { kind: "nullable", inner: pet }, null, null],
  [
    "typed other members",
    { kind: "object", fields: [], additional: pet },
    { x: { petName: "a" } },
    { x: { pet_name: "a" } },
  ],
  ["recursive", tree, { subTrees: [{ subTrees: [] }] }, { sub_trees: [{ sub_trees: [] }] }],
  ["union by tag", tagged, { petType: "dog", petName: "a" }, { pet_type: "dog", called: "a" }],
  ["union by trying", untagged, { petType: "dog", petName: "a" }, { pet_type: "dog", called: "a" }],
  [
    "all",
    { kind: "all", members: [pet, { kind: "object", fields: [{ name: "bigId", wire: "big_id", schema: INTEGER }] }] },
    { petName: "a", bigId: 1 },
    { pet_name: "a", big_id: 1 },
  ],
  [
    "all does not rename twice",
    {
      kind: "all",
      members: [
        { kind: "object", fields: [{ name: "a", wire: "b", schema: ANY }] },
        { kind: "object", fields: [{ name: "b", wire: "c", schema: ANY }] },
      ],
    },
    { a: 1, b: 2 },
    { b: 1, c: 2 },
  ],
  [
    "a union inside an all, with the tag in the base",
    {
      kind: "all",
      members: [{ kind: "object", fields: [{ name: "petType", wire: "pet_type", schema: STRING }] }, tagged],
    },
    { petType: "dog", petName: "a" },
    { pet_type: "dog", called: "a" },
  ],
  [
    "a map inside an all",
    { kind: "all", members: [pet, { kind: "map", values: ANY }, { kind: "map", values: pet }] },
    { petName: "a", x: 1 },
    { pet_name: "a", x: 1 },
  ],
  [
    "the variant that knows most members",
    {
      kind: "union",
      variants: [
        { kind: "object", fields: [{ name: "a", schema: ANY }] },
        { kind: "object", fields: [{ name: "a", schema: ANY }, petName] },
      ],
    },
    { a: 1, petName: "x" },
    { a: 1, pet_name: "x" },
  ],
  [
    "swapped names",
    {
      kind: "object",
      fields: [
        { name: "a", wire: "b", schema: ANY },
        { name: "b", wire: "a", schema: ANY },
      ],
    },
    { a: 1, b: 2 },
    { b: 1, a: 2 },
  ],
  [
    "a name to __proto__",
    { kind: "object", fields: [{ name: "proto", wire: "__proto__", schema: ANY }] },
    { proto: 1 },
    JSON.parse('{"__proto__":1}'),
  ],
  ["a value that does not match", { kind: "array", items: pet }, "text", "text"],
];

describe("codec", () => {
  for (const [title, schema, value, wire] of table) {
    it(`encodes ${title}`, () => assert.deepEqual(encode(schema, value), wire));
    it(`decodes ${title}`, () => assert.deepEqual(decode(schema, wire), value));
  }
  it("maps nothing but the tag of a value of no variant", () =>
    assert.deepEqual(encode(tagged, { petType: "fish", petName: "a" }), { pet_type: "fish", petName: "a" }));
  it("a field wins over an undeclared member of its wire name", () =>
    assert.deepEqual(encode(pet, { petName: "a", pet_name: "b" }), { pet_name: "a" }));
  it("copies nothing without renames", () => {
    const plain: Schema = { kind: "object", fields: [{ name: "a", schema: { kind: "array", items: ANY } }] };
    const value = { a: [1] };
    assert.equal(encode(plain, value), value);
    assert.equal(hasRenames(plain), false);
    assert.equal(hasRenames(tree), true);
  });
  it("does not touch prototypes", () => {
    const result = decode(pet, JSON.parse('{"__proto__":{"polluted":1},"pet_name":"a"}')) as Record<string, unknown>;
    assert.equal(result["polluted"], undefined);
    assert.equal(Object.getPrototypeOf(result), Object.prototype);
    assert.deepEqual(Object.keys(result), ["__proto__", "petName"]);
  });
});
