// Stores in files: what is on the disk, several processes, disks that refuse.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { FileIdempotencyStore, FileTokenStore } from "../dist/node.js";
import type { TokenKey } from "../dist/index.js";
import { issued, issuerBench, TOKEN } from "./issuer.ts";
import { bench, create, errorOf, json, NOW, read, valueOf } from "./support.ts";

const root = mkdtempSync(join(tmpdir(), "tungsten-stores-"));
after(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const folder = (): string => {
  folders += 1;
  const path = join(root, String(folders));
  mkdirSync(path);
  return path;
};

const helper = join(dirname(fileURLToPath(import.meta.url)), "store_process.ts");
const run = promisify(execFile);
const start = (...args: string[]): Promise<{ readonly stdout: string }> => run(process.execPath, [helper, ...args]);
const mode = (path: string): number => statSync(path).mode & 0o777;

const KEY: TokenKey = { issuer: TOKEN, clientId: "app", flow: "authorizationCode", scope: "" };
const tokens = { accessToken: "access", refreshToken: "r3fresh", expiresAt: NOW + 3_600_000, scope: null };
const auto = create({ idempotency: { policy: "auto" } });

describe("FileIdempotencyStore", () => {
  it("keeps keys in a file of its owner", async () => {
    const path = join(folder(), "below", "keys.json");
    const store = new FileIdempotencyStore(path);
    assert.equal(await store.get("s", "b"), null);
    assert.equal(await store.put("s", "b", "key-b"), "key-b");
    assert.equal(await store.put("s", "a", "key-a"), "key-a");
    assert.equal(await store.put("s", "a", "key-c"), "key-a");
    assert.equal(await new FileIdempotencyStore(path).get("s", "a"), "key-a");
    const expected = { version: 1, keys: { s: { a: "key-a", b: "key-b" } } };
    assert.equal(readFileSync(path, "utf8"), `${JSON.stringify(expected, null, 2)}\n`);
    if (process.platform !== "win32") assert.deepEqual([mode(path), mode(dirname(path))], [0o600, 0o700]);
    assert.deepEqual(readdirSync(dirname(path)), ["keys.json"]);
  });
  it("takes odd names", async () => {
    const store = new FileIdempotencyStore(join(folder(), "keys.json"));
    for (const name of ["__proto__", "constructor", "version", ""]) {
      assert.equal(await store.get(name, name), null);
      await store.put(name, name, `key-${name}`);
      assert.equal(await store.get(name, name), `key-${name}`);
    }
  });
  it("many changes at once lose nothing", async () => {
    const store = new FileIdempotencyStore(join(folder(), "keys.json"));
    await Promise.all(Array.from({ length: 40 }, (_, n) => store.put("s", `call-${n}`, `key-${n}`)));
    for (let n = 0; n < 40; n += 1) assert.equal(await store.get("s", `call-${n}`), `key-${n}`);
  });
  it("two processes lose no key, and have the same key for the same call", async () => {
    const path = join(folder(), "keys.json");
    const [one, two] = await Promise.all([start("keys", path, "one", "25"), start("keys", path, "two", "25")]);
    assert.equal(one.stdout, two.stdout);
    const store = new FileIdempotencyStore(path);
    for (let n = 0; n < 25; n += 1) {
      for (const name of ["one", "two"]) assert.equal(await store.get(name, `call-${n}`), `own-${n}`);
    }
    assert.deepEqual(readdirSync(dirname(path)), ["keys.json"]);
  });
  it("a repeat in another process sends the same key", async () => {
    const path = join(folder(), "keys.json");
    const keys: (string | undefined)[] = [];
    for (const random of [0.25, 0.75]) {
      const idempotencyStore = new FileIdempotencyStore(path);
      const { core, sent } = bench([json(201, 1)], { idempotencyStore, random: () => random });
      valueOf(await core.call(auto, { name: "a" }));
      keys.push(sent[0]?.headers["idempotency-key"]);
    }
    assert.ok(keys[0] !== undefined && keys[0] === keys[1]);
  });
  const unreadable: readonly (readonly [string, string])[] = [
    ["no JSON", "{"],
    ["another version", '{"version": 2, "keys": {}}'],
    ["something else", '{"version": 1, "keys": []}'],
  ];
  for (const [title, content] of unreadable) {
    it(`${title}: no key, no write, nothing is sent`, async () => {
      const path = join(folder(), "keys.json");
      writeFileSync(path, content);
      const { core, sent } = bench([], { idempotencyStore: new FileIdempotencyStore(path) });
      const error = errorOf(await core.call(auto, { name: "a" }));
      assert.deepEqual([error.category, error.retryable, sent.length], ["TRANSPORT_FAILED", "never", 0]);
      assert.equal(readFileSync(path, "utf8"), content);
    });
  }
  it("a place where nothing can be written: nothing is sent", async () => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const { core, sent } = bench([], { idempotencyStore: new FileIdempotencyStore(join(file, "keys.json")) });
    const error = errorOf(await core.call(auto, { name: "a" }));
    assert.deepEqual([error.category, error.retryable, sent.length], ["TRANSPORT_FAILED", "never", 0]);
  });
  it(
    "a disk that is full: refused, the old file and nothing else stays",
    { skip: process.platform === "win32" },
    async () => {
      const path = join(folder(), "keys.json");
      await new FileIdempotencyStore(path).put("s", "a", "key-a");
      const before = readFileSync(path, "utf8");
      // Files of this process may have 8 blocks of 512 bytes; without the signal, a longer write fails like on a full disk.
      const script = 'trap "" XFSZ; ulimit -f 8; exec "$0" "$@"';
      const { stdout } = await run("sh", ["-c", script, process.execPath, helper, "full", path]);
      assert.equal(stdout, "refused\n");
      assert.equal(readFileSync(path, "utf8"), before);
      assert.deepEqual(readdirSync(dirname(path)), ["keys.json"]);
    },
  );
});

describe("FileTokenStore", () => {
  it("keeps tokens in a file of its owner", async () => {
    const path = join(folder(), "tokens.json");
    const store = new FileTokenStore(path);
    assert.equal(await store.get(KEY), null);
    await store.set(KEY, tokens);
    await store.set({ ...KEY, clientId: "other" }, { ...tokens, accessToken: "theirs" });
    assert.deepEqual(await new FileTokenStore(path).get(KEY), tokens);
    if (process.platform !== "win32") assert.equal(mode(path), 0o600);
    await store.delete(KEY);
    assert.equal(await store.get(KEY), null);
    assert.equal((await store.get({ ...KEY, clientId: "other" }))?.accessToken, "theirs");
  });
  it("two processes never hold a key at once", async () => {
    const path = join(folder(), "tokens.json");
    await Promise.all([start("exclusive", path, "", "15"), start("exclusive", path, "", "15")]);
    assert.equal((await new FileTokenStore(path).get(KEY))?.accessToken, "30");
  });
  it("a lock whose process was killed does not stay", async () => {
    const path = join(folder(), "tokens.json");
    await assert.rejects(start("die", path));
    assert.ok(readdirSync(dirname(path)).some((name) => name.endsWith(".lock")));
    const store = new FileTokenStore(path);
    assert.deepEqual(await Promise.all([1, 2].map((n) => store.exclusive(KEY, () => Promise.resolve(n)))), [1, 2]);
    assert.deepEqual(readdirSync(dirname(path)), []);
  });
  it("two clients refresh once", async () => {
    const path = join(folder(), "tokens.json");
    const key: TokenKey = { ...KEY, scope: "read write" };
    await new FileTokenStore(path).set(key, { ...tokens, expiresAt: NOW });
    const auth = { oauth: { flow: "authorizationCode", clientId: "app" } } as const;
    const make = () =>
      issuerBench({ auth, tokenStore: new FileTokenStore(path) }, () => issued("fresh", { refresh_token: "next" }));
    const clients = [make(), make()];
    const results = await Promise.all(clients.map(({ core }) => core.call(read({ security: [["oauth"]] }), {})));
    assert.ok(results.every((result) => result.ok));
    assert.equal(
      clients.reduce((sum, { asked }) => sum + asked.length, 0),
      1,
    );
    assert.equal((await new FileTokenStore(path).get(key))?.refreshToken, "next");
  });
  it("a file that holds something else is a failure before anything is sent", async () => {
    const path = join(folder(), "tokens.json");
    writeFileSync(path, "[]");
    const auth = { oauth: { flow: "authorizationCode", clientId: "app" } } as const;
    const { core, seen } = issuerBench({ auth, tokenStore: new FileTokenStore(path) });
    const error = errorOf(await core.call(read({ security: [["oauth"]] }), {}));
    assert.deepEqual([error.category, error.retryable, seen.length], ["TRANSPORT_FAILED", "never", 0]);
    assert.equal(readFileSync(path, "utf8"), "[]");
  });
});
