// A process of its own that uses a store: run by `node.test.ts` with the work to do as its arguments.

import { FileIdempotencyStore, FileTokenStore } from "../dist/node.js";

const [, , what = "", path = "", name = "", count = "0"] = process.argv;

if (what === "keys") {
  const store = new FileIdempotencyStore(path);
  const kept: string[] = [];
  // One call that all processes share, and calls of its own.
  for (let n = 0; n < Number(count); n += 1) {
    kept.push(await store.put("shared", `call-${n}`, `${name}-${n}`));
    await store.put(name, `call-${n}`, `own-${n}`);
  }
  console.log(JSON.stringify(kept));
} else if (what === "exclusive") {
  const key = { issuer: "https://id.test/token", clientId: "app", flow: "authorizationCode", scope: "" } as const;
  const store = new FileTokenStore(path);
  const counted = { refreshToken: null, expiresAt: null, scope: null };
  for (let n = 0; n < Number(count); n += 1) {
    await store.exclusive(key, async () => {
      const before = await store.get(key);
      await store.set(key, { ...counted, accessToken: String(Number(before?.accessToken ?? 0) + 1) });
    });
  }
} else if (what === "die") {
  const store = new FileTokenStore(path);
  const key = { issuer: "https://id.test/token", clientId: "app", flow: "authorizationCode", scope: "" } as const;
  await store.exclusive(key, () => {
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => undefined);
  });
} else if (what === "full") {
  try {
    await new FileIdempotencyStore(path).put("scope", "call", "x".repeat(100_000));
    console.log("kept");
  } catch {
    console.log("refused");
  }
}
