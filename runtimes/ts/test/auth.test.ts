// Credentials: which are chosen, where they go, what is missing.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { AuthScheme, Credential } from "../dist/index.js";
import { bench, create, errorOf, json, read, valueOf } from "./support.ts";

const schemes: readonly AuthScheme[] = [
  { kind: "http_bearer", name: "token" },
  { kind: "http_bearer", name: "prefixed", prefix: "sk_" },
  { kind: "http_basic", name: "basic" },
  { kind: "api_key", name: "head", in: "header", wire: "X-Api-Key" },
  { kind: "api_key", name: "param", in: "query", wire: "api key" },
  { kind: "api_key", name: "cook", in: "cookie", wire: "sid" },
  { kind: "oauth2", name: "oauth" },
  {
    kind: "composite",
    name: "session",
    satisfies: ["cook", "csrf"],
    parts: [
      { kind: "cookie", name: "sid" },
      { kind: "header", name: "X-CSRF", equalsCookie: "csrf", mutationOnly: true },
      { kind: "header", name: "Origin", fromConfig: "origin" },
    ],
  },
  {
    kind: "composite",
    name: "device",
    satisfies: ["token"],
    parts: [
      { kind: "bearer", prefix: "dev_" },
      { kind: "header", name: "X-Device", fromConfig: "device" },
    ],
  },
];

type Auth = Readonly<Record<string, Credential>>;
type Security = readonly (readonly string[])[];
const session = { sid: "c00kie", csrf: "t0ken", origin: "https://app.test" };

const chosen: readonly (readonly [string, Security, Auth, Record<string, string | undefined>])[] = [
  ["no requirement", [], { token: "abcd" }, { authorization: undefined }],
  ["bearer", [["token"]], { token: "abcd" }, { authorization: "Bearer abcd" }],
  ["bearer with its prefix", [["prefixed"]], { prefixed: "sk_1" }, { authorization: "Bearer sk_1" }],
  ["basic", [["basic"]], { basic: { username: "ü", password: "p:w" } }, { authorization: "Basic w7w6cDp3" }],
  ["basic as text", [["basic"]], { basic: "u:p" }, { authorization: "Basic dTpw" }],
  ["oauth2 with a token", [["oauth"]], { oauth: "tok1" }, { authorization: "Bearer tok1" }],
  ["api key in a header", [["head"]], { head: "k3y!" }, { "x-api-key": "k3y!" }],
  ["api key in a cookie", [["cook"]], { cook: "a;b" }, { cookie: "sid=a%3Bb" }],
  [
    "first alternative that is configured",
    [["head"], ["token"]],
    { token: "abcd" },
    { authorization: "Bearer abcd", "x-api-key": undefined },
  ],
  [
    "first of several",
    [["token"], ["head"]],
    { token: "abcd", head: "k3y!" },
    { authorization: "Bearer abcd", "x-api-key": undefined },
  ],
  [
    "all schemes of an alternative",
    [["token", "head"]],
    { token: "abcd", head: "k3y!" },
    { authorization: "Bearer abcd", "x-api-key": "k3y!" },
  ],
  ["an empty alternative last", [[], ["token"]], { token: "abcd" }, { authorization: "Bearer abcd" }],
  ["an empty alternative at all", [["token"], []], {}, { authorization: undefined }],
  [
    "a composite before the scheme it satisfies",
    [["token"]],
    { token: "abcd", device: { bearer: "dev_1", device: "d9" } },
    { authorization: "Bearer dev_1", "x-device": "d9" },
  ],
  [
    "a composite that is not configured",
    [["token"]],
    { token: "abcd", device: { bearer: "dev_1" } },
    { authorization: "Bearer abcd", "x-device": undefined },
  ],
  [
    "a composite for several schemes, read",
    [["cook", "csrf"]],
    { session },
    { cookie: "sid=c00kie", origin: "https://app.test", "x-csrf": undefined },
  ],
];

describe("credentials", () => {
  for (const [title, security, auth, headers] of chosen) {
    it(title, async () => {
      const { core, sent } = bench([json(200, 1)], { auth }, { auth: schemes });
      valueOf(await core.call(read({ security }), {}));
      for (const [name, value] of Object.entries(headers)) assert.equal(sent[0]?.headers[name], value, name);
    });
  }
  it("api key in the query", async () => {
    const { core, sent } = bench([json(200, 1)], { auth: { param: "a&b" } }, { auth: schemes });
    valueOf(await core.call(read({ security: [["param"]] }), {}));
    assert.equal(sent[0]?.url, "https://api.shop.test/v1/things?api%20key=a%26b");
  });
  it("a part for mutations only", async () => {
    const { core, sent } = bench([json(201, 1)], { auth: { session } }, { auth: schemes });
    valueOf(await core.call(create({ security: [["cook", "csrf"]] }), { name: "a" }));
    assert.equal(sent[0]?.headers["x-csrf"], "t0ken");
  });
  it("a preview shows the origin, and no secret of a composite", async () => {
    const { core } = bench([], { auth: { session } }, { auth: schemes });
    const { headers } = valueOf(await core.preview(create({ security: [["cook", "csrf"]] }), { name: "a" })).request;
    assert.deepEqual(
      [headers["origin"], headers["cookie"], headers["x-csrf"]],
      ["https://app.test", "<redacted>", "<redacted>"],
    );
  });
  it("credentials replace a header of the same name", async () => {
    const { core, sent } = bench(
      [json(200, 1)],
      { auth: { token: "abcd" }, headers: { Authorization: "no" } },
      { auth: schemes },
    );
    valueOf(await core.call(read({ security: [["token"]] }), {}, { headers: { AUTHORIZATION: "neither" } }));
    assert.equal(sent[0]?.headers["authorization"], "Bearer abcd");
  });
  const missing: readonly (readonly [string, Security, Auth, RegExp])[] = [
    ["nothing configured", [["token"], ["head", "cook"]], {}, /token, or head and cook/],
    ["half of an alternative", [["token", "head"]], { token: "abcd" }, /token and head/],
    ["an empty credential", [["token"]], { token: "" }, /token/],
    ["inherited names", [["constructor"]], {}, /constructor/],
    ["a wrong prefix", [["prefixed"]], { prefixed: "pk_1" }, /starts with sk_/],
    ["a wrong prefix in a composite", [["token"]], { device: { bearer: "x", device: "y" } }, /starts with dev_/],
    ["line breaks", [["token"]], { token: "a\r\nX: y" }, /one line/],
    ["basic without a password", [["basic"]], { basic: "user" }, /password/],
  ];
  for (const [title, security, auth, expected] of missing) {
    it(`${title}: AUTH_FAILED before sending`, async () => {
      const { core, sent } = bench([], { auth }, { auth: schemes });
      const error = errorOf(await core.call(read({ security }), {}));
      assert.deepEqual(
        [error.category, error.http_status, error.trace.attempts, sent.length],
        ["AUTH_FAILED", null, 0, 0],
      );
      assert.match(error.expected ?? "", expected);
    });
  }
  it("an alternative that cannot be used gives way to the next", async () => {
    const { core, sent } = bench([json(200, 1)], { auth: { prefixed: "pk_1", head: "k3y!" } }, { auth: schemes });
    valueOf(await core.call(read({ security: [["prefixed"], ["head"]] }), {}));
    assert.equal(sent[0]?.headers["x-api-key"], "k3y!");
  });
});

describe("base URL", () => {
  const table: readonly (readonly [
    string | undefined,
    readonly string[],
    readonly string[] | undefined,
    string | null,
  ])[] = [
    [undefined, ["https://a.test/v1/"], undefined, "https://a.test/v1/things"],
    ["http://127.0.0.1:8099", ["https://a.test"], undefined, "http://127.0.0.1:8099/things"],
    [undefined, ["https://a.test"], ["https://upload.test/x"], "https://upload.test/x/things"],
    ["http://localhost", ["https://a.test"], ["https://upload.test"], "http://localhost/things"],
    [undefined, [], undefined, null],
    [undefined, ["/v1"], undefined, null],
    ["ftp://a.test", [], undefined, null],
    ["https://u:p@a.test", [], undefined, null],
    ["https://a.test?x=1", [], undefined, null],
    ["nonsense", [], undefined, null],
  ];
  for (const [baseUrl, servers, own, expected] of table) {
    it(`${baseUrl} ${servers.join()} ${own?.join()}`, async () => {
      const { core, sent } = bench([json(200, 1)], baseUrl === undefined ? {} : { baseUrl }, { servers });
      const result = await core.call(read(own === undefined ? {} : { servers: own }), {});
      if (expected !== null) return assert.equal(sent[0]?.url, expected);
      const error = errorOf(result);
      assert.deepEqual([error.category, error.retryable, sent.length], ["TRANSPORT_FAILED", "never", 0]);
    });
  }
});
