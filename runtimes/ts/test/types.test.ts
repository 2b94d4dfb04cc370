// How generated code uses the runtime, as the type checker sees it; and what the package exports.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import * as runtime from "../dist/index.js";
import { ClientCore, macroEngine, openPages } from "../dist/index.js";
import type {
  CallOptions,
  ClientOptions,
  MacroDescriptor,
  Operation,
  OperationDescriptor,
  PagedDescriptor,
  Result,
} from "../dist/index.js";
import { API, INTEGER, STRING, valueOf } from "./support.ts";

interface Pet {
  readonly id: number;
}
interface PetsListArgs {
  readonly limit?: number;
}
interface PetsGetArgs {
  readonly petId: string;
}

const list: OperationDescriptor<PetsListArgs, Pet[]> = {
  id: "petstore.listPets",
  method: "GET",
  path: "/pets",
  params: [{ key: "limit", name: "limit", in: "query", schema: INTEGER }],
  responses: [
    { status: 200, kind: "success", mediaType: "application/json", encoding: "json", schema: { kind: "any" } },
  ],
  safety: "read_only",
};
const get: OperationDescriptor<PetsGetArgs, Pet> = {
  ...list,
  id: "petstore.getPet",
  path: "/pets/{petId}",
  params: [{ key: "petId", name: "petId", in: "path", schema: STRING, required: true }],
  "~types": undefined as never,
};

class PetsResource {
  readonly #core: ClientCore;
  constructor(core: ClientCore) {
    this.#core = core;
  }
  get list(): Operation<PetsListArgs, Pet[]> {
    return this.#core.operation(list);
  }
  get get(): Operation<PetsGetArgs, Pet> {
    return this.#core.operation(get);
  }
}

class PetstoreClient extends ClientCore {
  readonly pets = new PetsResource(this);
  constructor(options?: ClientOptions) {
    super(API, options);
  }
}

function petsList(core: ClientCore, args: PetsListArgs = {}, options?: CallOptions): Promise<Result<Pet[]>> {
  return core.call(list, args, options);
}
function petsGet(core: ClientCore, args: PetsGetArgs, options?: CallOptions): Promise<Result<Pet>> {
  return core.call(get, args, options);
}

const client = new PetstoreClient({
  fetch: () => Promise.resolve(Response.json([{ id: 1 }])),
  operations: [list, get],
});

describe("generated code", () => {
  it("calls with and without arguments", async () => {
    const pets: Pet[] = valueOf(await client.pets.list());
    assert.deepEqual(pets, [{ id: 1 }]);
    valueOf(await client.pets.list({ limit: 1 }, { timeoutMs: 10 }));
    valueOf(await client.pets.get({ petId: "1" }));
    valueOf(await petsList(client));
    valueOf(await petsGet(client, { petId: "1" }));
    assert.equal(valueOf(await client.pets.get.preview({ petId: "1" })).request.url, "https://api.shop.test/v1/pets/1");
  });
  it("the checker asks for required arguments and knows their types", async () => {
    // @ts-expect-error -- petId is required.
    assert.equal((await client.pets.get()).ok, false);
    // @ts-expect-error -- limit is a number.
    assert.equal((await client.pets.list({ limit: "1" })).ok, false);
    // @ts-expect-error -- there is no such argument.
    assert.equal((await client.call(list, { limits: 1 })).ok, false);
  });
});

describe("pages and macros, typed", () => {
  const pages: PagedDescriptor<PetsListArgs, { readonly pets: readonly Pet[] }, Pet> = {
    ...list,
    "~types": undefined as never,
    pagination: {
      open: openPages,
      style: "cursor",
      requestParam: "cursor",
      responseField: "next",
      itemsField: "pets",
    },
  };
  const macro: MacroDescriptor<PetsGetArgs, { readonly pet: Pet }> = {
    name: "petstore.look",
    safety: "read_only",
    engine: macroEngine,
    input: { extends: get },
    steps: [{ kind: "call", operation: get, args: { ref: "input" }, as: "pet" }],
    output: { object: [{ name: "pet", value: { ref: 0 } }] },
  };
  const answering = (value: unknown): ClientCore =>
    new ClientCore(API, {
      fetch: () => Promise.resolve(Response.json(value)),
    });

  it("pages hold items and bodies", async () => {
    const core = answering({ pets: [{ id: 7 }] });
    const ids: number[] = [];
    for await (const page of core.operation(pages).pages({ limit: 1 })) {
      if (page.ok) ids.push(...page.value.items.map((pet) => pet.id), page.value.body.pets.length);
    }
    for await (const pet of core.pages(pages).items()) if (pet.ok) ids.push(pet.value.id);
    assert.deepEqual([ids, valueOf(await core.pages(pages).collect())[0]?.id], [[7, 1, 7], 7]);
    // @ts-expect-error a key would be the same for every page
    core.pages(pages, {}, { idempotencyKey: "k" });
    // @ts-expect-error an operation without pages
    assert.throws(() => core.pages(list));
  });
  it("macros have input and output", async () => {
    const core = answering({ id: 7 });
    const result = await core.macro(macro)({ petId: "7" });
    assert.equal(valueOf(result).pet.id, 7);
    // @ts-expect-error the input is required
    assert.equal((await core.runMacro(macro)).ok, false);
  });
});

describe("package", () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  it("exports few values", () =>
    assert.deepEqual(Object.keys(runtime).sort(), [
      "ClientCore",
      "DownloadError",
      "MemoryIdempotencyStore",
      "MemoryTokenStore",
      "Pages",
      "macroEngine",
      "oauth2",
      "openDownload",
      "openPages",
      "openStream",
      "verifyCall",
    ]));
  it("is for browsers too", () => {
    assert.deepEqual(importGraph("index.ts").packages, ["zod/mini"]);
  });
  it("a client contains no pages, streams, hooks, macros or OAuth flows: what is passed brings them along", () => {
    const brought = [
      "paginate.ts",
      "links.ts",
      "stream.ts",
      "sse.ts",
      "lines.ts",
      "replay.ts",
      "download.ts",
      "verify.ts",
      "poll.ts",
      "macros.ts",
      "macro-preview.ts",
      "macro-failure.ts",
      "oauth.ts",
      "grant.ts",
      "tokens.ts",
    ];
    const { files } = importGraph("client.ts");
    assert.ok(files.includes("pipeline.ts"));
    assert.deepEqual(
      brought.filter((file) => files.includes(file)),
      [],
    );
    const index = importGraph("index.ts").files;
    assert.deepEqual(
      brought.filter((file) => !index.includes(file)),
      [],
    );
  });
  it("imports nothing but its own files and zod, zod's classes only in the zod entry", () => {
    const files = readdirSync(join(root, "dist")).filter((name) => name.endsWith(".js") && name !== "node.js");
    for (const file of files) {
      const text = readFileSync(join(root, "dist", file), "utf8");
      for (const [, from = ""] of text.matchAll(/^(?:import|export)[^"]*from "([^"]+)"/gm)) {
        const allowed = from.startsWith("./") || from === (file === "zod.js" ? "zod" : "zod/mini");
        assert.ok(allowed, `${file} imports ${from}`);
      }
    }
  });
  it("the lock file names no registry", () => {
    assert.doesNotMatch(readFileSync(join(root, "package-lock.json"), "utf8"), /"resolved"|registry\./);
  });
});

/** Files of `src` that are loaded with one of them, and the packages that those name. Types load nothing. */
function importGraph(entry: string): { readonly files: readonly string[]; readonly packages: readonly string[] } {
  const source = join(dirname(fileURLToPath(import.meta.url)), "../src");
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(source, file), "utf8");
    for (const [, from = ""] of text.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)";/gm)) {
      if (from.startsWith("./")) files.add(from.slice(2).replace(/\.js$/, ".ts"));
      else packages.add(from);
    }
    // Nothing is loaded in any other way.
    assert.doesNotMatch(text, /\bimport\(|\brequire\(|^import "/m, file);
  }
  return { files: [...files].sort(), packages: [...packages].sort() };
}
