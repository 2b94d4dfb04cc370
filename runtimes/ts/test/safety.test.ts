// What keeps side effects single and wanted: idempotency keys, confirmation tokens, previews.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type {
  CallOptions,
  ClientOptions,
  IdempotencyDescriptor,
  IdempotencyStore,
  ParamDescriptor,
} from "../dist/index.js";
import { ClientCore, MemoryIdempotencyStore } from "../dist/index.js";
import { checkToken, signToken } from "../dist/confirm.js";
import { canonicalJson } from "../dist/json.js";
import { sha256Hex } from "../dist/digest.js";
import { ANY, API, bench, create, errorOf, json, NOW, query, read, remove, STRING, valueOf } from "./support.ts";
import type { Op } from "./support.ts";

const UUID_4 = "123e4567-e89b-42d3-a456-426614174000";
const UUID_1 = "123e4567-e89b-12d3-a456-426614174000";
const created = json(201, 1);
const KEY_PARAM: ParamDescriptor = {
  key: "idempotencyKey",
  name: "X-Key",
  in: "header",
  schema: STRING,
  role: "idempotency_key",
};

const keys: readonly (readonly [string, Partial<Op>, CallOptions, string | undefined | RegExp, string])[] = [
  ["none: a key is not sent", {}, { idempotencyKey: "k" }, undefined, "idempotency-key"],
  ["none: sent when the operation has the parameter", { params: [KEY_PARAM] }, { idempotencyKey: "k" }, "k", "x-key"],
  ["auto: the caller's key", { idempotency: { policy: "auto" } }, { idempotencyKey: "k" }, "k", "idempotency-key"],
  [
    "auto: a new UUIDv4",
    { idempotency: { policy: "auto" } },
    {},
    /^80808080-8080-4080-8080-808080808080$/,
    "idempotency-key",
  ],
  [
    "auto: the policy's header",
    { idempotency: { policy: "auto", header: "X-Idem" } },
    { idempotencyKey: "k" },
    "k",
    "x-idem",
  ],
  [
    "auto: the parameter's header",
    { idempotency: { policy: "auto" }, params: [KEY_PARAM] },
    { idempotencyKey: "k" },
    "k",
    "x-key",
  ],
  ["caller_owned: sent", { idempotency: { policy: "caller_owned" } }, { idempotencyKey: "k" }, "k", "idempotency-key"],
  ["caller_owned: not made up", { idempotency: { policy: "caller_owned" } }, {}, undefined, "idempotency-key"],
  [
    "content_identity: never",
    { idempotency: { policy: "content_identity" } },
    { idempotencyKey: "k" },
    undefined,
    "idempotency-key",
  ],
];

describe("idempotency keys", () => {
  for (const [title, changes, options, expected, header] of keys) {
    it(title, async () => {
      const { core, sent } = bench([created]);
      valueOf(await core.call(create(changes), { name: "a" }, options));
      const key = sent[0]?.headers[header];
      if (expected instanceof RegExp) assert.match(key ?? "", expected);
      else assert.equal(key, expected);
    });
  }
  it("content_hash: the digest of the bytes that are sent", async () => {
    const { core, sent } = bench([created]);
    valueOf(
      await core.call(
        create({ idempotency: { policy: "content_hash" } }),
        { name: "a" },
        { idempotencyKey: "ignored" },
      ),
    );
    assert.equal(sent[0]?.headers["idempotency-key"], await sha256Hex('{"name":"a"}'));
  });
  it("content_hash: equal multipart contents have equal keys, others have not", async () => {
    const { core, sent } = bench([created, created, created]);
    const body = { mediaType: "multipart/form-data", encoding: "multipart", schema: ANY, arg: "body" } as const;
    for (const text of ["x", "x", "y"]) {
      await core.call(create({ body, idempotency: { policy: "content_hash" } }), { body: { f: new Blob([text]) } });
    }
    const [a, b, c] = sent.map((one) => one.headers["idempotency-key"]);
    assert.equal(a, b);
    assert.notEqual(a, c);
    assert.equal(a, await sha256Hex(sent[0]?.body ?? ""));
  });
  it("content_hash: a stream is refused", async () => {
    const { core } = bench([]);
    const body = {
      mediaType: "application/octet-stream",
      encoding: "bytes",
      schema: { kind: "bytes" },
      arg: "body",
    } as const;
    const operation = create({ body, idempotency: { policy: "content_hash" } });
    assert.equal(errorOf(await core.call(operation, { body: new Blob([]).stream() })).failed_parameter, "body");
  });
  const refused: readonly (readonly [IdempotencyDescriptor, string | undefined, string])[] = [
    [{ policy: "caller_owned", format: "uuid_v4", persistRequired: true }, undefined, "UUIDv4 string"],
    [{ policy: "caller_owned", format: "uuid_v4" }, "replay-1", "UUIDv4 string"],
    [{ policy: "caller_owned", format: "uuid_v4" }, UUID_1, "UUIDv4 string"],
    [{ policy: "caller_owned", format: "uuid" }, "x", "UUID string"],
    [{ policy: "auto" }, "", "1 to 255 visible ASCII characters"],
    [{ policy: "auto" }, "a b", "1 to 255 visible ASCII characters"],
    [{ policy: "auto" }, "x".repeat(256), "1 to 255 visible ASCII characters"],
  ];
  for (const [idempotency, key, expected] of refused) {
    it(`${idempotency.policy} ${idempotency.format ?? ""} refuses ${JSON.stringify(key)?.slice(0, 20)}`, async () => {
      const { core, sent } = bench([]);
      const error = errorOf(await core.call(create({ idempotency }), { name: "a" }, { idempotencyKey: key }));
      assert.deepEqual(
        [error.category, error.failed_parameter, error.expected, sent.length],
        ["VALIDATION_FAILED", "idempotencyKey", expected, 0],
      );
      if (key === "replay-1") assert.equal(error.received_value, "replay-1");
    });
  }
  for (const [format, key] of [
    ["uuid_v4", UUID_4.toUpperCase()],
    ["uuid", UUID_1],
  ] as const) {
    it(`${format} accepts ${key}`, async () => {
      const { core } = bench([created]);
      valueOf(
        await core.call(
          create({ idempotency: { policy: "caller_owned", format } }),
          { name: "a" },
          { idempotencyKey: key },
        ),
      );
    });
  }
  it("a required key header without a key is refused", async () => {
    const { core } = bench([]);
    const operation = create({ params: [{ ...KEY_PARAM, required: true }] });
    assert.equal(errorOf(await core.call(operation, { name: "a" })).failed_parameter, "idempotencyKey");
  });
});

describe("idempotency store", () => {
  const auto = create({ idempotency: { policy: "auto" } });
  let counter = 0;
  const random = (): number => (counter = (counter + 37) % 256) / 256;
  it("equal arguments find their key, others get another", async () => {
    const { core, sent } = bench([created, created, created], { random });
    for (const name of ["a", "a", "b"]) valueOf(await core.call(auto, { name }));
    const [a, b, c] = sent.map((one) => one.headers["idempotency-key"]);
    assert.equal(a, b);
    assert.notEqual(a, c);
  });
  it("calls at the same time share one key", async () => {
    // A store that answers late with what it held when it was asked: both calls ask before either has stored a key, unless
    // the digest of the second one comes later than that.
    let kept: string | null = null;
    const idempotencyStore: IdempotencyStore = {
      get: async () => {
        const known = kept;
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        return known;
      },
      put: (_scope, _id, key) => void (kept = key),
    };
    const { core, sent } = bench([created, created], { random, idempotencyStore });
    await Promise.all([core.call(auto, { name: "a" }), core.call(auto, { name: "a" })]);
    assert.equal(sent[0]?.headers["idempotency-key"], sent[1]?.headers["idempotency-key"]);
  });
  it("the key is stored before anything is sent, under the operation's id", async () => {
    const log: string[] = [];
    const idempotencyStore: IdempotencyStore = { get: () => null, put: (scope) => void log.push(`put ${scope}`) };
    const { core } = bench([created], { idempotencyStore, middleware: [{ onRequest: () => void log.push("send") }] });
    valueOf(await core.call(auto, { name: "a" }));
    assert.deepEqual(log, ["put shop.createThing", "send"]);
  });
  const broken: readonly (readonly [string, IdempotencyStore])[] = [
    ["get fails", { get: () => Promise.reject(new Error("disk")), put: () => undefined }],
    ["put fails", { get: () => null, put: () => Promise.reject(new Error("disk")) }],
    ["get returns nonsense", { get: () => "a\nb", put: () => undefined }],
  ];
  for (const [title, idempotencyStore] of broken) {
    it(`${title}: nothing is sent`, async () => {
      const { core, sent } = bench([], { idempotencyStore });
      const error = errorOf(await core.call(auto, { name: "a" }));
      assert.deepEqual([error.category, error.retryable, sent.length], ["TRANSPORT_FAILED", "never", 0]);
    });
  }
  it("the memory store keeps scopes apart", () => {
    const store = new MemoryIdempotencyStore();
    store.put("a", "b\nc", "k");
    assert.equal(store.get("a", "b\nc"), "k");
    assert.equal(store.get("a\nb", "c"), null);
  });
});

describe("canonical JSON", () => {
  const table: readonly (readonly [unknown, string])[] = [
    [{ b: 1, a: [true, null] }, '{"a":[true,null],"b":1}'],
    [{ "\ud83d\ude00": 1, "\uffff": 2 }, '{"😀":1,"\uffff":2}'],
    [{ a: undefined, b: NaN, c: -0 }, '{"b":null,"c":0}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new Uint8Array([1, 2, 3]), '{"$bytes":"AQID"}'],
    [new Blob(["ab"], { type: "text/plain" }), '{"$blob":{"size":2,"type":"text/plain"}}'],
    [[undefined], "[null]"],
  ];
  for (const [value, text] of table) it(text, () => assert.equal(canonicalJson(value), text));
});

const noContent = { status: 204 } as const;
const irreversible = remove({ safety: "irreversible" });

async function token(core: ClientCore, operation: Op, args: Record<string, unknown>): Promise<string> {
  return valueOf(await core.preview(operation, args)).confirmation_token ?? "";
}

describe("confirmation", () => {
  const table: readonly (readonly [string, Op, CallOptions, boolean])[] = [
    ["destructive without", remove(), {}, false],
    ["destructive with true", remove(), { confirm: true }, true],
    ["destructive with true where that is not allowed", remove(), { confirm: true, allowConfirmTrue: false }, false],
    ["irreversible with true", irreversible, { confirm: true }, false],
    ["malformed token", remove(), { confirm: "tgc1.x.y" }, false],
    ["other text", remove(), { confirm: "yes" }, false],
    ["mutating without", remove({ safety: "mutating" }), {}, true],
  ];
  for (const [title, operation, options, allowed] of table) {
    it(title, async () => {
      const { core, sent } = bench([noContent]);
      const result = await core.call(operation, { id: "1" }, options);
      assert.deepEqual([result.ok, sent.length], [allowed, allowed ? 1 : 0]);
      if (!result.ok)
        assert.deepEqual(
          [result.error.category, result.error.failed_parameter, result.error.received_value],
          ["CONFIRMATION_REQUIRED", "confirm", null],
        );
    });
  }
  it("a token of a preview is accepted", async () => {
    const { core } = bench([noContent]);
    const confirm = await token(core, irreversible, { id: "1" });
    assert.match(confirm, /^tgc1\.\d{1,16}\.[A-Za-z0-9_-]{43}$/);
    assert.equal((await core.call(irreversible, { id: "1" }, { confirm })).ok, true);
  });
  it("undefined members do not change the arguments", async () => {
    const { core } = bench([noContent]);
    const operation = remove({ params: [...(remove().params ?? []), query(STRING)] });
    const confirm = await token(core, operation, { id: "1", q: undefined });
    assert.equal((await core.call(operation, { id: "1" }, { confirm })).ok, true);
  });
  it("other arguments, operations and clients are refused", async () => {
    const one = bench([]);
    const confirm = await token(one.core, irreversible, { id: "1" });
    const other = bench([], { random: () => 0.25 });
    const results = [
      await one.core.call(irreversible, { id: "2" }, { confirm }),
      await one.core.call({ ...irreversible, id: "shop.other" }, { id: "1" }, { confirm }),
      await other.core.call(irreversible, { id: "1" }, { confirm }),
    ];
    for (const result of results) assert.match(errorOf(result).remediation, /belongs to another call/);
  });
  it("a shared confirmationKey lets clients accept each other's tokens", async () => {
    const options: ClientOptions = { confirmationKey: "shared" };
    const confirm = await token(bench([], options).core, irreversible, { id: "1" });
    assert.equal((await bench([noContent], options).core.call(irreversible, { id: "1" }, { confirm })).ok, true);
  });
  it("a token expires after five minutes", async () => {
    const { core, clock } = bench([]);
    const confirm = await token(core, irreversible, { id: "1" });
    clock.now += 300_000;
    assert.match(errorOf(await core.call(irreversible, { id: "1" }, { confirm })).remediation, /expired/);
  });
  it("without a key a token is good for one sending call", async () => {
    const { core, sent } = bench([noContent]);
    const confirm = await token(core, irreversible, { id: "1" });
    assert.equal((await core.call(irreversible, { id: "1" }, { confirm })).ok, true);
    assert.equal(errorOf(await core.call(irreversible, { id: "1" }, { confirm })).category, "CONFIRMATION_REQUIRED");
    assert.equal(sent.length, 1);
  });
  it("with a key it is good again under the same key only", async () => {
    const keyed = remove({ safety: "irreversible", idempotency: { policy: "caller_owned" } });
    const { core, sent } = bench([noContent, noContent]);
    const confirm = await token(core, keyed, { id: "1" });
    const outcomes = [];
    for (const idempotencyKey of ["a", "a", "b", undefined]) {
      outcomes.push((await core.call(keyed, { id: "1" }, { confirm, idempotencyKey })).ok);
    }
    assert.deepEqual([outcomes, sent.length], [[true, true, false, false], 2]);
  });
  it("a refused call does not spend the token", async () => {
    const scheme = { kind: "http_bearer", name: "b" } as const;
    const { core } = bench([], {}, { auth: [scheme] });
    const secured = remove({ safety: "irreversible", security: [["b"]] });
    const confirm = await signToken(new Uint8Array([1]), "x", "y", NOW + 1);
    assert.equal(errorOf(await core.call(secured, { id: "1" }, { confirm })).category, "CONFIRMATION_REQUIRED");
  });
  it("checkToken tells the cases apart", async () => {
    const key = new Uint8Array([1, 2, 3]);
    const good = await signToken(key, "op", "digest", NOW + 10);
    assert.equal(await checkToken(key, good, "op", "digest", NOW), "valid");
    assert.equal(await checkToken(key, good, "op", "digest", NOW + 10), "expired");
    assert.equal(await checkToken(key, good, "op", "other", NOW), "mismatch");
    assert.equal(await checkToken(key, good.slice(0, -1), "op", "digest", NOW), "malformed");
    assert.equal(await checkToken(key, `tgc1.12345678901234567.${"A".repeat(43)}`, "op", "digest", NOW), "malformed");
  });
});

describe("preview", () => {
  it("renders without sending", async () => {
    const { core, sent } = bench([]);
    const operation = create({
      path: "/shops/{shop}/things",
      params: [{ key: "shop", name: "shop", in: "path", schema: STRING, required: true }],
      safety: "destructive",
      confirmation: { summaryFields: ["name"], message: "Creates {name} in {shop}; {missing} stays." },
      remediationNote: "It costs money.",
      summary: "Create a thing.",
    });
    const value = valueOf(await core.preview(operation, { shop: "s 1", name: "a" }));
    assert.deepEqual(value, {
      operation: "shop.createThing",
      safety: "destructive",
      request: {
        method: "POST",
        url: "https://api.shop.test/v1/shops/s%201/things",
        headers: {
          accept: "application/json",
          "user-agent": "shop-sdk/1.0.0 tungsten/0.1.0 (typescript)",
          "x-tungsten-operation": "shop.createThing",
          "content-type": "application/json",
        },
        body: { name: "a" },
      },
      effects: ["Creates a in s 1; {missing} stays.", "It costs money.", "Create a thing."],
      confirmation_token: value.confirmation_token,
      expires_in_ms: 300_000,
    });
    assert.equal(sent.length, 0);
  });
  it("validates first", async () => {
    assert.equal(errorOf(await bench([]).core.preview(create(), {} as never)).failed_parameter, "body.name");
  });
  it("a read has no token", async () => {
    const value = valueOf(await bench([]).core.preview(read(), {}));
    assert.deepEqual([value.confirmation_token, value.expires_in_ms], [null, null]);
  });
  it("a key that is not known yet is a placeholder, and none is stored", async () => {
    const idempotencyStore: IdempotencyStore = { get: () => assert.fail(), put: () => assert.fail() };
    const value = valueOf(
      await bench([], { idempotencyStore }).core.preview(create({ idempotency: { policy: "auto" } }), { name: "a" }),
    );
    assert.equal(value.request.headers["idempotency-key"], "<generated when the call is sent>");
  });
  it("a missing caller's key does not stop a preview", async () => {
    const operation = create({ idempotency: { policy: "caller_owned", persistRequired: true } });
    assert.equal((await bench([]).core.preview(operation, { name: "a" })).ok, true);
  });
  it("header mode asks the server once, with a key of its own", async () => {
    const operation = create({
      preview: { mode: "header", header: "X-Dry-Run", value: "1" },
      idempotency: { policy: "auto" },
    });
    const { core, sent } = bench([json(201, { would: 1 })]);
    const value = valueOf(await core.preview(operation, { name: "a" }, { idempotencyKey: "real" }));
    assert.deepEqual([value.server_preview, sent[0]?.headers["x-dry-run"], sent.length], [{ would: 1 }, "1", 1]);
    assert.notEqual(sent[0]?.headers["idempotency-key"], "real");
    assert.equal(value.request.headers["x-dry-run"], undefined);
  });
  it("header mode stays a dry run whatever the call says under that name", async () => {
    const operation = create({
      params: [{ key: "dryRun", name: "X-Dry-Run", in: "header", schema: STRING, role: "dry_run" }],
      preview: { mode: "header", header: "X-Dry-Run", value: "1" },
      idempotency: { policy: "auto" },
    });
    const { core, sent } = bench([json(201, {}), json(201, {})]);
    valueOf(await core.preview(operation, { name: "a", dryRun: "0" }, { headers: { "x-dry-run": "0" } }));
    valueOf(await core.call(operation, { name: "a", dryRun: "0" }));
    assert.deepEqual(
      sent.map(({ headers }) => headers["x-dry-run"]),
      ["1", "0"],
    );
  });
  it("header mode does not repeat", async () => {
    const operation = create({
      preview: { mode: "header", header: "X-Dry-Run", value: "1" },
      idempotency: { policy: "auto" },
    });
    const { core, sent } = bench([json(503, {})]);
    assert.equal(errorOf(await core.preview(operation, { name: "a" })).http_status, 503);
    assert.equal(sent.length, 1);
  });
  it("endpoint mode calls the other operation with the arguments that it knows", async () => {
    const check = read({
      id: "shop.check",
      path: "/check",
      params: [{ key: "name", name: "name", in: "query", schema: STRING }],
    });
    const operation = create({ params: [query(STRING)], preview: { mode: "endpoint", operation: "shop.check" } });
    const { core, sent } = bench([json(200, "fine")], { operations: [check] });
    const value = valueOf(await core.preview(operation, { name: "a", q: "x" }));
    assert.deepEqual([value.server_preview, sent[0]?.url], ["fine", "https://api.shop.test/v1/check?name=a"]);
  });
  it("endpoint mode needs the other operation", async () => {
    const { core } = bench([]);
    const operation = create({ preview: { mode: "endpoint", operation: "shop.check" } });
    assert.equal(errorOf(await core.preview(operation, { name: "a" })).failed_parameter, "operation");
    core.register([read({ id: "shop.check" })]);
    assert.notEqual(errorOf(await core.preview(operation, { name: "a" })).failed_parameter, "operation");
  });
});

describe("operation", () => {
  const core = new ClientCore(API, { fetch: () => Promise.resolve(Response.json(1)) });
  it("is the same function each time", () => {
    const descriptor = read();
    assert.equal(core.operation(descriptor), core.operation(descriptor));
  });
  it("carries its descriptor, its tier and a preview", async () => {
    const descriptor = read();
    const list = core.operation(descriptor);
    assert.deepEqual([list.descriptor, list.safety], [descriptor, "read_only"]);
    assert.equal(valueOf(await list()), 1);
    assert.equal(valueOf(await list.preview()).operation, "shop.listThings");
  });
});
