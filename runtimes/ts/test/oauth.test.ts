// OAuth 2: when tokens are asked for, what their endpoint may answer, and that secrets stay secret.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { MemoryTokenStore } from "../dist/index.js";
import type { ClientOptions, Credential, Result, StoredTokens, TokenKey, TokenStore } from "../dist/index.js";
import { AUTHORIZE, issued, issuerBench, REFRESH, TOKEN } from "./issuer.ts";
import type { Issue, IssuerBench, Serve } from "./issuer.ts";
import { create, errorOf, json, NOW, read, remove, valueOf } from "./support.ts";

const CLIENT = { clientId: "app", clientSecret: "canary-client-secret" };
const USER = { flow: "authorizationCode", clientId: "app", redirectUri: "https://app.test/back" } as const;
const USER_KEY: TokenKey = { issuer: TOKEN, clientId: "app", flow: "authorizationCode", scope: "read write" };
const security = [["oauth"]];
const list = read({ security });
const HOUR = 3_600_000;

const unauthorized = json(401, { error: "expired" });
const accepts =
  (...tokens: string[]): Serve =>
  (authorization) =>
    tokens.some((token) => authorization === `Bearer ${token}`) ? json(200, { fine: true }) : unauthorized;

function clientBench(issue?: Issue, serve?: Serve, more: ClientOptions = {}): IssuerBench {
  return issuerBench({ auth: { oauth: CLIENT }, ...more }, issue, serve);
}

interface UserBench extends IssuerBench {
  readonly store: MemoryTokenStore;
}

/** A user who authorized: the store has tokens that are good for an hour. */
function userBench(tokens: Partial<StoredTokens> | null, issue?: Issue, serve?: Serve, credential = {}): UserBench {
  const store = new MemoryTokenStore();
  const stored = { accessToken: "access", refreshToken: "r3fresh", expiresAt: NOW + HOUR, scope: "read write" };
  if (tokens !== null) store.set(USER_KEY, { ...stored, ...tokens });
  const auth: Record<string, Credential> = { oauth: { ...USER, ...credential } };
  return { ...issuerBench({ auth, tokenStore: store }, issue, serve), store };
}

function helper(bench: IssuerBench) {
  const one = bench.core.oauth()["oauth"];
  assert.ok(one);
  return one;
}

const expired = { expiresAt: NOW - 1 };

describe("client credentials", () => {
  it("are exchanged once and kept until 30 s before they expire", async () => {
    const { core, asked, seen, clock } = clientBench();
    valueOf(await core.call(list, {}));
    valueOf(await core.call(list, {}));
    clock.now += HOUR - 30_001;
    valueOf(await core.call(list, {}));
    clock.now += 1;
    valueOf(await core.call(list, {}));
    assert.deepEqual(
      asked.map(({ url, form }) => ({ url, ...form })),
      [0, 1].map(() => ({ url: TOKEN, grant_type: "client_credentials", scope: "things:read things:write" })),
    );
    assert.deepEqual(seen, ["Bearer access-0", "Bearer access-0", "Bearer access-0", "Bearer access-1"]);
    assert.equal(asked[0]?.redirect, "manual");
  });
  it("travel percent-encoded in HTTP Basic", async () => {
    const { core, asked } = issuerBench({ auth: { oauth: { clientId: "a:b", clientSecret: "ü 1" } } });
    valueOf(await core.call(list, {}));
    assert.equal(atob(asked[0]?.authorization?.slice(6) ?? ""), "a%3Ab:%C3%BC%201");
    assert.equal(asked[0]?.form["client_id"], undefined);
  });
  it("fifty callers at once make one request", async () => {
    const { core, asked } = clientBench(async (_request, n) => {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      return issued(`access-${n}`);
    });
    const results = await Promise.all(Array.from({ length: 50 }, () => core.call(list, {})));
    assert.ok(results.every((result) => result.ok));
    assert.equal(asked.length, 1);
  });
  it("clients that share a store share the request", async () => {
    const tokenStore = new MemoryTokenStore();
    const first = clientBench(undefined, undefined, { tokenStore });
    const second = clientBench(undefined, undefined, { tokenStore });
    const results = await Promise.all([first, second].map(({ core }) => core.call(list, {})));
    assert.ok(results.every((result) => result.ok));
    assert.equal(first.asked.length + second.asked.length, 1);
  });
  it("ask for the scopes that the credential states", async () => {
    const { core, asked } = issuerBench({ auth: { oauth: { ...CLIENT, scopes: ["b", "a"] } } });
    valueOf(await core.call(list, {}));
    assert.equal(asked[0]?.form["scope"], "a b");
  });
  it("a 401 gets a new token and repeats the same request once", async () => {
    const { core, asked, seen } = clientBench(undefined, accepts("access-1"));
    const anyStatus = create({ security, responses: [{ status: 200, kind: "success" }] });
    const result = await core.call(anyStatus, { name: "a" });
    valueOf(result);
    assert.equal(result.ok && result.meta.attempts, 2);
    assert.deepEqual([asked.length, seen], [2, ["Bearer access-0", "Bearer access-1"]]);
  });
  it("a second 401 is the envelope", async () => {
    const { core, asked, seen } = clientBench(undefined, accepts());
    const error = errorOf(await core.call(list, {}));
    assert.deepEqual([error.category, error.http_status, error.trace.attempts], ["AUTH_FAILED", 401, 2]);
    assert.deepEqual([asked.length, seen.length], [2, 2]);
  });
  it("later attempts send the new token", async () => {
    const { core, seen } = clientBench(undefined, (authorization, n) =>
      n === 1 ? json(503, {}) : accepts("access-1")(authorization, n),
    );
    valueOf(await core.call(list, {}));
    assert.deepEqual(seen, ["Bearer access-0", "Bearer access-1", "Bearer access-1"]);
  });
  it("a cancelled caller does not cancel the request of the others", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { core, asked } = clientBench(async (_request, n) => {
      await gate;
      return issued(`access-${n}`);
    });
    const stop = new AbortController();
    const cancelled = core.call(list, {}, { signal: stop.signal });
    const patient = core.call(list, {});
    stop.abort();
    const error = errorOf(await cancelled);
    assert.deepEqual([error.category, error.trace.attempts], ["TRANSPORT_FAILED", 0]);
    release();
    valueOf(await patient);
    assert.equal(asked.length, 1);
  });
  it("a preview asks for no token", async () => {
    const { core, asked } = clientBench();
    const preview = valueOf(await core.preview(remove({ security }), { id: "1" }));
    assert.equal(preview.request.headers["authorization"], "<redacted>");
    assert.equal(asked.length, 0);
  });
});

describe("lifetimes", () => {
  const table: readonly (readonly [string, unknown, number | null, number | null])[] = [
    ["not stated", undefined, 3_600_000, null],
    ["a number", 60, 60_000, 60_000],
    ["a fraction", 1.5, 1500, 1500],
    ["text", "60", 60_000, 60_000],
    ["other text", "soon", 3_600_000, null],
    ["zero", 0, 3_600_000, null],
    ["negative", -5, 3_600_000, null],
    ["huge", 1e300, 1e12, 1e12],
    ["huge text", "99999999999999999999", 1e12, 1e12],
    ["null", null, 3_600_000, null],
  ];
  for (const [title, value, ofClient, ofUser] of table) {
    it(`${title}: ${JSON.stringify(value)}`, async () => {
      const tokenStore = new MemoryTokenStore();
      const client = clientBench(() => issued("a", { expires_in: value }), undefined, { tokenStore });
      valueOf(await client.core.call(list, {}));
      const key: TokenKey = { ...USER_KEY, flow: "clientCredentials", scope: "things:read things:write" };
      assert.equal(tokenStore.get(key)?.expiresAt, ofClient === null ? null : NOW + ofClient);
      const user = userBench(expired, () => issued("a", { expires_in: value }));
      valueOf(await user.core.call(list, {}));
      assert.equal(user.store.get(USER_KEY)?.expiresAt, ofUser === null ? null : NOW + ofUser);
    });
  }
  it("a token that is short-lived from the start is used and does not loop", async () => {
    const { core, asked } = clientBench((_request, n) => issued(`access-${n}`, { expires_in: 5 }));
    valueOf(await core.call(list, {}));
    valueOf(await core.call(list, {}));
    assert.equal(asked.length, 2);
  });
  it("a clock that is an hour behind ends in a 401 that is repaired", async () => {
    const bench = userBench({}, undefined, accepts("access-0"));
    bench.clock.now -= HOUR;
    valueOf(await bench.core.call(list, {}));
    assert.deepEqual([bench.asked.length, bench.seen], [1, ["Bearer access", "Bearer access-0"]]);
  });
  it("a clock that is an hour ahead refreshes too early and no more", async () => {
    const bench = userBench({});
    bench.clock.now += HOUR;
    valueOf(await bench.core.call(list, {}));
    valueOf(await bench.core.call(list, {}));
    assert.equal(bench.asked.length, 1);
  });
});

describe("stored tokens", () => {
  it("are sent", async () => {
    const { core, asked, seen } = userBench({});
    valueOf(await core.call(list, {}));
    assert.deepEqual([asked.length, seen], [0, ["Bearer access"]]);
  });
  it("that are missing fail before anything is sent", async () => {
    const { core, asked, seen } = userBench(null);
    for (const result of [await core.call(list, {}), await core.preview(remove({ security }), { id: "1" })]) {
      const error = errorOf(result);
      assert.deepEqual([error.category, error.http_status, error.trace.attempts], ["AUTH_FAILED", null, 0]);
      assert.match(error.remediation, /authorizationUrl\(\) of oauth/);
    }
    assert.deepEqual([asked.length, seen.length], [0, 0]);
  });
  it("that expire within 30 s are refreshed first, once for fifty callers", async () => {
    const { core, asked, seen } = userBench({ expiresAt: NOW + 30_000 });
    const results = await Promise.all(Array.from({ length: 50 }, () => core.call(list, {})));
    assert.ok(results.every((result) => result.ok));
    assert.deepEqual(
      asked.map(({ url, form, authorization }) => ({ url, form, authorization })),
      [
        {
          url: REFRESH,
          form: { grant_type: "refresh_token", refresh_token: "r3fresh", client_id: "app" },
          authorization: undefined,
        },
      ],
    );
    assert.deepEqual(new Set(seen), new Set(["Bearer access-0"]));
  });
  it("that expired and cannot be refreshed ask to authorize again", async () => {
    const { core, asked } = userBench({ ...expired, refreshToken: null });
    const error = errorOf(await core.call(list, {}));
    assert.equal(error.category, "AUTH_FAILED");
    assert.match(error.remediation, /again/);
    assert.equal(asked.length, 0);
  });
  it("a 401 refreshes once, for fifty callers", async () => {
    const { core, asked } = userBench({}, undefined, accepts("access-0"));
    const results = await Promise.all(Array.from({ length: 50 }, () => core.call(list, {})));
    assert.ok(results.every((result) => result.ok));
    assert.equal(asked.length, 1);
  });
  it("a 401 without a refresh token is the envelope", async () => {
    const { core, asked, seen } = userBench({ refreshToken: null }, undefined, accepts());
    const error = errorOf(await core.call(list, {}));
    assert.deepEqual([error.http_status, error.trace.attempts, asked.length, seen.length], [401, 1, 0, 1]);
  });
  it("a 401 after another caller's refresh takes its tokens without a request", async () => {
    const bench: UserBench = userBench({}, undefined, (authorization, n) => {
      if (n === 0) bench.store.set(USER_KEY, { accessToken: "newer", refreshToken: "r", expiresAt: null, scope: null });
      return accepts("newer")(authorization, n);
    });
    valueOf(await bench.core.call(list, {}));
    assert.deepEqual([bench.asked.length, bench.seen], [0, ["Bearer access", "Bearer newer"]]);
  });
  it("a body that can be read once is not sent twice", async () => {
    const upload = create({
      security,
      body: {
        mediaType: "application/octet-stream",
        encoding: "bytes",
        required: true,
        schema: { kind: "bytes" },
        arg: "body",
      },
    });
    const { core, seen } = userBench({}, undefined, accepts());
    const body = new Blob(["x"]).stream();
    assert.equal(errorOf(await core.call(upload, { body })).http_status, 401);
    assert.equal(seen.length, 1);
  });
  const broken: readonly (readonly [string, TokenStore])[] = [
    [
      "fails to read",
      { get: () => Promise.reject(new Error("canary")), set: () => undefined, delete: () => undefined },
    ],
    [
      "returns something else",
      { get: () => ({ token: 1 }) as unknown as StoredTokens, set: () => undefined, delete: () => undefined },
    ],
    [
      "fails to write",
      {
        get: () => ({ accessToken: "a", refreshToken: "r", expiresAt: NOW, scope: null }),
        set: () => {
          throw new Error("canary");
        },
        delete: () => undefined,
      },
    ],
  ];
  for (const [title, tokenStore] of broken) {
    it(`a store that ${title} is a failure before anything is sent`, async () => {
      const { core, seen } = issuerBench({ auth: { oauth: USER }, tokenStore });
      const error = errorOf(await core.call(list, {}));
      assert.deepEqual([error.category, error.retryable, seen.length], ["TRANSPORT_FAILED", "never", 0]);
    });
  }
});

describe("a refresh that fails", () => {
  const html = { status: 200, headers: { "content-type": "text/html" }, body: "<p>canary-html</p>" };
  const table: readonly (readonly [string, Issue, string, string, boolean, RegExp])[] = [
    [
      "400 invalid_grant",
      () => json(400, { error: "invalid_grant", error_description: "canary-text" }),
      "AUTH_FAILED",
      "never",
      false,
      /Authorize again/,
    ],
    ["401", () => json(401, {}), "AUTH_FAILED", "never", false, /Authorize again/],
    ["429", () => json(429, {}, { "retry-after": "7" }), "RATE_LIMITED", "after_delay", true, /Wait/],
    ["500", () => json(500, {}), "UPSTREAM_UNAVAILABLE", "after_delay", true, /Wait/],
    ["503", () => json(503, {}, { "retry-after": "7" }), "UPSTREAM_UNAVAILABLE", "after_delay", true, /Wait/],
    ["HTML", () => html, "UNEXPECTED_RESPONSE", "after_remediation", true, /may be spent/],
    ["no token", () => json(200, {}), "UNEXPECTED_RESPONSE", "after_remediation", true, /may be spent/],
    [
      "a token of another type",
      () => issued("a", { token_type: "DPoP" }),
      "UNEXPECTED_RESPONSE",
      "after_remediation",
      true,
      /may be spent/,
    ],
    [
      "a token that no header can carry",
      () => issued("a\nb"),
      "UNEXPECTED_RESPONSE",
      "after_remediation",
      true,
      /may be spent/,
    ],
    [
      "a redirect",
      () => ({ status: 307, headers: { location: "https://evil.test/" } }),
      "AUTH_FAILED",
      "never",
      true,
      /Correct the token URL/,
    ],
    ["no connection", () => ({ fails: "ECONNREFUSED" }), "TRANSPORT_FAILED", "after_delay", true, /connection/],
    ["a lost answer", () => ({ fails: "ECONNRESET" }), "TRANSPORT_FAILED", "after_remediation", true, /may be spent/],
  ];
  for (const [title, issue, category, retryable, kept, remediation] of table) {
    it(`${title}: before a call`, async () => {
      const bench = userBench(expired, issue);
      const error = errorOf(await bench.core.call(list, {}));
      assert.deepEqual(
        [error.category, error.retryable, error.http_status, error.trace.attempts],
        [category, retryable, null, 0],
      );
      assert.match(error.remediation, remediation);
      assert.deepEqual([bench.asked.length, bench.seen.length], [1, 0]);
      assert.equal(bench.store.get(USER_KEY) !== null, kept);
      assert.doesNotMatch(JSON.stringify([error, bench.diagnostics]), /canary/);
    });
    it(`${title}: after a 401`, async () => {
      const bench = userBench({}, issue, accepts());
      const error = errorOf(
        await bench.core.call(create({ security, idempotency: { policy: "auto" } }), { name: "a" }),
      );
      assert.deepEqual([error.category, error.http_status, error.trace.attempts], [category, 401, 1]);
      assert.match(error.remediation, remediation);
      assert.deepEqual([bench.asked.length, bench.seen.length], [1, 1]);
      assert.equal(bench.store.get(USER_KEY) !== null, kept);
    });
  }
  it("the error code is told", async () => {
    const { core } = userBench(expired, () => json(400, { error: "invalid_grant" }));
    assert.equal(errorOf(await core.call(list, {})).code, "invalid_grant");
  });
  it("a code that may be anything is not told", async () => {
    const { core } = userBench(expired, () => json(400, { error: "Canary-0815" }));
    assert.equal(errorOf(await core.call(list, {})).code, null);
  });
  it("Retry-After is told", async () => {
    const { core } = userBench(expired, () => json(429, {}, { "retry-after": "7" }));
    assert.equal(errorOf(await core.call(list, {})).retry_after_ms, 7000);
  });
  it("a rotated token whose answer was lost: the refusal of the next call says so, and then nothing is asked", async () => {
    const bench = userBench(expired, (_request, n) =>
      n === 0 ? { fails: "ECONNRESET" } : json(400, { error: "invalid_grant" }),
    );
    assert.match(errorOf(await bench.core.call(list, {})).remediation, /may be spent/);
    assert.equal(bench.asked.length, 1);
    assert.match(
      errorOf(await bench.core.call(list, {})).remediation,
      /spent by an earlier refresh whose answer was lost/,
    );
    assert.equal(bench.asked.length, 2);
    assert.match(errorOf(await bench.core.call(list, {})).remediation, /authorizationUrl/);
    assert.deepEqual([bench.asked.length, bench.seen.length], [2, 0]);
  });
  it("a lost answer of a server that did nothing is repaired by the next call", async () => {
    const bench = userBench(expired, (_request, n) => (n === 0 ? { fails: "ECONNRESET" } : issued("access-1")));
    errorOf(await bench.core.call(list, {}));
    valueOf(await bench.core.call(list, {}));
    assert.equal(bench.store.get(USER_KEY)?.refreshLost, undefined);
  });
  it("another process was first: its tokens are used and not deleted", async () => {
    const bench: UserBench = userBench(expired, () => {
      bench.store.set(USER_KEY, { accessToken: "theirs", refreshToken: "next", expiresAt: NOW + HOUR, scope: null });
      return json(400, { error: "invalid_grant" });
    });
    valueOf(await bench.core.call(list, {}));
    assert.deepEqual([bench.seen, bench.store.get(USER_KEY)?.refreshToken], [["Bearer theirs"], "next"]);
  });
});

describe("a refresh that succeeds", () => {
  const table: readonly (readonly [string, Record<string, unknown>, string, string])[] = [
    ["without a refresh token keeps the old one", {}, "r3fresh", "read write"],
    ["with one replaces it", { refresh_token: "next" }, "next", "read write"],
    ["with fewer scopes", { scope: "read" }, "r3fresh", "read"],
    ["with more scopes", { scope: "read write admin" }, "r3fresh", "read write admin"],
  ];
  for (const [title, more, refreshToken, scope] of table) {
    it(title, async () => {
      const bench = userBench(expired, () => issued("fresh", more));
      valueOf(await bench.core.call(list, {}));
      const stored = bench.store.get(USER_KEY);
      assert.deepEqual([stored?.accessToken, stored?.refreshToken, stored?.scope], ["fresh", refreshToken, scope]);
      assert.equal(valueOf(await helper(bench).tokens())?.scope, scope);
    });
  }
  it("by hand", async () => {
    const bench = userBench({});
    assert.deepEqual(valueOf(await helper(bench).refresh()), {
      expiresAt: NOW + HOUR,
      scope: "read write",
      refreshable: true,
    });
    assert.equal(bench.asked.length, 1);
  });
  it("by hand, without a refresh token", async () => {
    const error = errorOf(await helper(userBench({ refreshToken: null })).refresh());
    assert.deepEqual([error.category, error.operation], ["AUTH_FAILED", "shop.oauth.oauth.refresh"]);
  });
  it("a client with a secret authenticates with HTTP Basic", async () => {
    const bench = userBench(expired, undefined, undefined, { clientSecret: "s3cret" });
    valueOf(await bench.core.call(list, {}));
    assert.equal(bench.asked[0]?.authorization, `Basic ${btoa("app:s3cret")}`);
    assert.equal(bench.asked[0]?.form["client_id"], undefined);
  });
});

describe("authorization", () => {
  it("pkce() is of RFC 7636", async () => {
    const bench = issuerBench({ auth: { oauth: USER }, random: () => 0.5 });
    const { verifier, challenge, method } = await helper(bench).pkce();
    assert.match(verifier, /^[A-Za-z0-9_-]{43}$/);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    assert.equal(challenge, Buffer.from(digest).toString("base64url"));
    assert.equal(method, "S256");
  });
  const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  it("the URL has its parameters in order, extra ones last and never instead", () => {
    const url = helper(userBench(null)).authorizationUrl({
      state: "a b",
      challenge,
      extra: { prompt: "login", access_type: "offline", client_id: "evil", state: "evil" },
    });
    assert.equal(
      valueOf(url),
      `${AUTHORIZE}?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fapp.test%2Fback&scope=read%20write` +
        `&state=a%20b&code_challenge=${challenge}&code_challenge_method=S256&access_type=offline&prompt=login`,
    );
  });
  it("a URL with a query is continued", () => {
    const bench = userBench(null, undefined, undefined, { authorizationUrl: `${AUTHORIZE}?tenant=1` });
    assert.match(
      valueOf(helper(bench).authorizationUrl({ state: "s", challenge })),
      /authorize\?tenant=1&response_type=code&/,
    );
  });
  const wrong: readonly (readonly [string, object, Record<string, unknown>, string])[] = [
    ["no state", {}, { state: "" }, "state"],
    ["a challenge that is none", {}, { challenge: "short" }, "challenge"],
    ["no redirect URI", { redirectUri: undefined }, {}, "redirectUri"],
  ];
  for (const [title, credential, change, parameter] of wrong) {
    it(title, () => {
      const url = helper(userBench(null, undefined, undefined, credential)).authorizationUrl({
        state: "s",
        challenge,
        ...change,
      });
      const error = errorOf(url);
      assert.deepEqual([error.category, error.failed_parameter], ["VALIDATION_FAILED", parameter]);
    });
  }
  const verifier = "v".repeat(43);
  it("a code becomes tokens, which calls then send", async () => {
    const bench = userBench(null, () => issued("access", { refresh_token: "r3fresh", scope: "read" }));
    const exchanged = await helper(bench).exchangeCode({ code: "c0de", verifier, state: "s", expectedState: "s" });
    assert.deepEqual(valueOf(exchanged), { expiresAt: NOW + HOUR, scope: "read", refreshable: true });
    assert.deepEqual(bench.asked[0]?.form, {
      grant_type: "authorization_code",
      code: "c0de",
      redirect_uri: "https://app.test/back",
      code_verifier: verifier,
      client_id: "app",
    });
    valueOf(await bench.core.call(list, {}));
    assert.deepEqual(bench.seen, ["Bearer access"]);
  });
  const states: readonly (readonly [string | undefined, string | undefined, boolean])[] = [
    [undefined, undefined, true],
    ["s", "s", true],
    ["s", "t", false],
    ["s", "ss", false],
    ["s", undefined, false],
    [undefined, "s", false],
    ["", "", false],
  ];
  for (const [state, expectedState, isFine] of states) {
    it(`state ${state} for ${expectedState}`, async () => {
      const bench = userBench(null);
      const given = {
        ...(state === undefined ? {} : { state }),
        ...(expectedState === undefined ? {} : { expectedState }),
      };
      const result = await helper(bench).exchangeCode({ code: "c", verifier, ...given });
      assert.deepEqual([result.ok, bench.asked.length], [isFine, isFine ? 1 : 0]);
      if (!result.ok) assert.equal(result.error.failed_parameter, "state");
    });
  }
  it("a refused code asks to authorize again and stores nothing", async () => {
    const bench = userBench(null, () => json(400, { error: "invalid_grant", error_description: "canary" }));
    const error = errorOf(await helper(bench).exchangeCode({ code: "c", verifier }));
    assert.deepEqual(
      [error.category, error.retryable, error.code],
      ["AUTH_FAILED", "after_remediation", "invalid_grant"],
    );
    assert.equal(bench.store.get(USER_KEY), null);
  });
  it("forget() deletes the tokens", async () => {
    const bench = userBench({});
    assert.equal(valueOf(await helper(bench).tokens())?.refreshable, true);
    valueOf(await helper(bench).forget());
    assert.equal(valueOf(await helper(bench).tokens()), null);
  });
  it("state() is random text", () => {
    assert.match(helper(userBench(null)).state(), /^[A-Za-z0-9_-]{43}$/);
  });
});

describe("endpoints", () => {
  const table: readonly (readonly [string, boolean])[] = [
    ["https://id.test/token", true],
    ["http://127.0.0.1:8080/token", true],
    ["http://localhost/token", true],
    ["http://[::1]/token", true],
    ["token", true],
    ["/oauth/token?x=1", true],
    ["http://id.test/token", false],
    ["http://127.0.0.1.evil.test/token", false],
    ["http://localhost.evil.test/token", false],
    ["https://u:p@id.test/token", false],
    ["https://id.test/token#x", false],
    ["ftp://id.test/token", false],
    ["", false],
  ];
  for (const [tokenUrl, isUsed] of table) {
    it(`${tokenUrl}: ${isUsed ? "asked" : "refused before anything is sent"}`, async () => {
      const bench = issuerBench({ auth: { oauth: CLIENT } }, undefined, undefined, { tokenUrl });
      const result = await bench.core.call(list, {});
      // The bench takes what lies below the API's base URL for calls of the API.
      const relative = !tokenUrl.includes("://") && tokenUrl !== "";
      if (isUsed && !relative) assert.deepEqual([result.ok, bench.asked.length], [true, 1]);
      else if (isUsed) assert.equal(errorOf(result).category, "UNEXPECTED_RESPONSE");
      else assert.deepEqual([errorOf(result).category, bench.asked.length, bench.seen.length], ["AUTH_FAILED", 0, 0]);
    });
  }
});

describe("other credentials of the scheme", () => {
  it("an access token as text", async () => {
    const { core, asked, seen } = issuerBench({ auth: { oauth: "t0ken" } });
    valueOf(await core.call(list, {}));
    assert.deepEqual([asked.length, seen], [0, ["Bearer t0ken"]]);
  });
  it("a function, asked for each call and again after a 401", async () => {
    const rejected: (string | null)[] = [];
    const find = (context: { readonly rejected: string | null }): Promise<string> => {
      rejected.push(context.rejected);
      return Promise.resolve(`token-${rejected.length}`);
    };
    const { core, seen } = issuerBench({ auth: { oauth: find } }, undefined, accepts("token-2", "token-3"));
    valueOf(await core.call(list, {}));
    valueOf(await core.call(list, {}));
    assert.deepEqual(seen, ["Bearer token-1", "Bearer token-2", "Bearer token-3"]);
    assert.deepEqual(rejected, [null, "token-1", null]);
  });
  it("a function that knows no other token: the 401 stands", async () => {
    const { core, seen } = issuerBench({ auth: { oauth: () => "same" } }, undefined, accepts());
    assert.equal(errorOf(await core.call(list, {})).http_status, 401);
    assert.equal(seen.length, 1);
  });
  const failing: readonly (readonly [string, () => string])[] = [
    [
      "throws",
      () => {
        throw new Error("canary");
      },
    ],
    ["returns no text", () => 7 as unknown as string],
    ["returns nothing", () => ""],
    ["returns two lines", () => "a\r\nb"],
  ];
  for (const [title, find] of failing) {
    it(`a function that ${title} fails before anything is sent`, async () => {
      const { core, seen } = issuerBench({ auth: { oauth: find } });
      const error = errorOf(await core.call(list, {}));
      assert.deepEqual([error.category, seen.length], ["AUTH_FAILED", 0]);
      assert.doesNotMatch(JSON.stringify(error), /canary/);
    });
  }
  const incomplete: readonly (readonly [string, Credential])[] = [
    ["no secret", { clientId: "app" } as Credential],
    ["another flow", { flow: "implicit", clientId: "app" } as unknown as Credential],
  ];
  for (const [title, credential] of incomplete) {
    it(`a client with ${title}`, async () => {
      const { core, asked } = issuerBench({ auth: { oauth: credential } });
      assert.deepEqual([errorOf(await core.call(list, {})).category, asked.length], ["AUTH_FAILED", 0]);
    });
  }
});

describe("secrets", () => {
  it("show up in no result, hook, preview or helper", async () => {
    const out: unknown[] = [];
    const keep = (one: unknown): void => void out.push(structuredClone(one));
    const store = new MemoryTokenStore();
    const secret = (name: string): string => `canary-${name}-secret`;
    const leak = { "x-echo": "" };
    // The API and the token endpoint repeat whatever they were told.
    const issue: Issue = ({ form, authorization }, n) =>
      n === 2
        ? json(400, { error: "invalid_grant", error_description: JSON.stringify({ form, authorization }) })
        : issued(secret(`access-${n}`), { refresh_token: secret(`refresh-${n}`), id_token: secret("id") });
    const serve: Serve = (authorization) =>
      json(401, { error: authorization }, { ...leak, "x-request-id": authorization ?? "" });
    const options: ClientOptions = {
      auth: { oauth: { ...USER, clientSecret: secret("client") } },
      tokenStore: store,
      middleware: [{ onRequest: keep, onResponse: keep, onRetry: keep, onDiagnostic: keep }],
    };
    const bench = issuerBench(options, issue, serve);
    const operation = read({ security, errorCodeField: "error" });
    const oauth = helper(bench);
    const pkce = await oauth.pkce();
    const results: Result<unknown>[] = [
      oauth.authorizationUrl({ state: "s", challenge: pkce.challenge }),
      await oauth.exchangeCode({ code: secret("code"), verifier: pkce.verifier }),
      await bench.core.call(operation, {}),
      await bench.core.call(operation, {}),
      await oauth.refresh(),
      await bench.core.preview(remove({ security }), { id: "1" }),
      await oauth.tokens(),
    ];
    results.forEach(keep);
    const text = JSON.stringify([out, bench.diagnostics]);
    assert.ok(bench.asked.length >= 3 && out.length > 15);
    const hidden = text.replaceAll(encodeURIComponent(pkce.challenge), "");
    for (const [form] of hidden.matchAll(/canary-[a-z0-9-]*/g)) assert.fail(`shown: ${form}`);
    assert.ok(!text.includes(pkce.verifier));
    assert.ok(!text.includes(btoa(`app:${secret("client")}`)));
  });
});
