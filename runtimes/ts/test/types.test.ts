// How generated code uses the runtime, as the type checker sees it; and what the package exports.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import * as runtime from "../dist/index.js";
import { ClientCore } from "../dist/index.js";
import type { CallOptions, ClientOptions, Operation, OperationDescriptor, Result } from "../dist/index.js";
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

describe("package", () => {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  it("exports these values", () =>
    assert.deepEqual(Object.keys(runtime).sort(), [
      "ClientCore",
      "MemoryIdempotencyStore",
      "MemoryTokenStore",
      "oauth2",
    ]));
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
