// Webhooks: signatures, the window of time, and what becomes of the body.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";

import { hmacWebhook, readWebhook, standardWebhook } from "../dist/webhooks.js";
import type {
  HmacWebhookOptions,
  WebhookDescriptor,
  WebhookPayload,
  WebhookResult,
  WebhookVerifier,
} from "../dist/webhooks.js";
import { NOW } from "./support.ts";

interface Sold {
  readonly petId: string;
  readonly price?: number;
}

const sold: WebhookDescriptor<Sold> = {
  id: "shop.petSold",
  kind: "webhook",
  name: "pet.sold",
  method: "POST",
  mediaType: "application/json",
  encoding: "json",
  required: true,
  schema: {
    kind: "object",
    fields: [
      { name: "petId", wire: "pet_id", schema: { kind: "string" }, required: true },
      { name: "price", schema: { kind: "integer" } },
      { name: "apiKey", wire: "api_key", schema: { kind: "string", maxLength: 3 } },
    ],
  },
};

const BODY = '{"pet_id": "7",  "price": 3}';
const SECONDS = Math.floor(NOW / 1000);
const now = (): number => NOW;

const KEY = Buffer.from("0123456789abcdef01234567");
const SECRET = `whsec_${KEY.toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another secret of 24 byt").toString("base64")}`;

function sign(key: Buffer, id: string, time: number | string, body: string | Buffer): string {
  return `v1,${createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64")}`;
}

function headers(changes: Record<string, string | string[] | undefined> = {}, body = BODY) {
  return {
    "content-type": "application/json",
    "webhook-id": "msg_1",
    "webhook-timestamp": String(SECONDS),
    "webhook-signature": sign(KEY, "msg_1", SECONDS, body),
    ...changes,
  };
}

function codeOf(result: WebhookResult<unknown>): string | null {
  if (result.ok) return null;
  assert.equal(result.status, result.error.code === "WEBHOOK_MISCONFIGURED" ? 500 : 401);
  assert.equal(result.error.category, "AUTH_FAILED");
  return result.error.code;
}

const standard = standardWebhook({ secret: SECRET, now });

describe("Standard Webhooks", () => {
  it("the example of the specification", async () => {
    const secret = "whsec_plJ3nmyCDGBKInavdOK15jsl";
    const verifier = standardWebhook({ secret, now: () => 1_731_705_121_000 });
    const body = '{"event_type":"ping","data":{"success":true}}';
    const signature = sign(Buffer.from(secret.slice(6), "base64"), "msg_loFOjxBNrRLzqYUf", 1_731_705_121, body);
    const given = {
      "webhook-id": "msg_loFOjxBNrRLzqYUf",
      "webhook-timestamp": "1731705121",
      "webhook-signature": "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=",
    };
    assert.equal(signature, given["webhook-signature"]);
    const any: WebhookDescriptor = {
      id: "a",
      kind: "webhook",
      name: "a",
      method: "POST",
      mediaType: "application/json",
    };
    assert.equal((await readWebhook(any, verifier, { headers: given, body })).ok, true);
  });
  it("a signed request becomes its payload", async () => {
    const result = await readWebhook(sold, standard, { headers: headers(), body: BODY });
    const value: WebhookPayload<typeof sold> | undefined = result.ok ? result.value : undefined;
    assert.deepEqual(value, { petId: "7", price: 3 });
    assert.deepEqual(result, { ok: true, value, id: "msg_1", timestamp: SECONDS * 1000 });
  });
  it("takes a Request, headers of any kind and bytes", async () => {
    const bytes = new TextEncoder().encode(BODY);
    const list = Object.fromEntries(
      Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), [value ?? ""].flat()]),
    );
    const requests = [
      new Request("https://app.test/hook", {
        method: "POST",
        headers: headers() as Record<string, string>,
        body: BODY,
      }),
      { headers: new Headers(headers() as Record<string, string>), body: bytes },
      { headers: list, body: bytes.buffer },
    ];
    for (const request of requests) assert.equal((await readWebhook(sold, standard, request)).ok, true);
  });
  const signature = headers()["webhook-signature"];
  const wrongEnd = signature.replace(/.=$/, (end) => (end === "A=" ? "B=" : "A="));
  const table: readonly (readonly [string, Record<string, string | string[] | undefined>, string | null])[] = [
    ["several entries, the last one fits", { "webhook-signature": `v1a,xyz v1,bad ${signature}` }, null],
    ["no entry of version 1", { "webhook-signature": signature.replace("v1,", "v2,") }, "WEBHOOK_SIGNATURE_WRONG"],
    ["another last character", { "webhook-signature": wrongEnd }, "WEBHOOK_SIGNATURE_WRONG"],
    ["a longer signature", { "webhook-signature": `${signature}=` }, "WEBHOOK_SIGNATURE_WRONG"],
    ["an empty signature", { "webhook-signature": "v1," }, "WEBHOOK_SIGNATURE_WRONG"],
    ["another id", { "webhook-id": "msg_2" }, "WEBHOOK_SIGNATURE_WRONG"],
    ["another time", { "webhook-timestamp": String(SECONDS + 1) }, "WEBHOOK_SIGNATURE_WRONG"],
    [
      "another secret",
      { "webhook-signature": sign(Buffer.from("x"), "msg_1", SECONDS, BODY) },
      "WEBHOOK_SIGNATURE_WRONG",
    ],
    ["no id", { "webhook-id": undefined }, "WEBHOOK_SIGNATURE_MISSING"],
    ["no time", { "webhook-timestamp": "" }, "WEBHOOK_SIGNATURE_MISSING"],
    ["no signature", { "webhook-signature": undefined }, "WEBHOOK_SIGNATURE_MISSING"],
    ["two signature headers", { "webhook-signature": [signature, signature] }, "WEBHOOK_SIGNATURE_MISSING"],
    ["a time that is no number", { "webhook-timestamp": "soon" }, "WEBHOOK_TIMESTAMP_WRONG"],
    ["a time with a sign", { "webhook-timestamp": `+${SECONDS}` }, "WEBHOOK_TIMESTAMP_WRONG"],
    ["a huge time", { "webhook-timestamp": "9".repeat(40) }, "WEBHOOK_TIMESTAMP_WRONG"],
  ];
  for (const [title, changes, code] of table) {
    it(title, async () => {
      assert.equal(codeOf(await readWebhook(sold, standard, { headers: headers(changes), body: BODY })), code);
    });
  }
  const times: readonly (readonly [number, number | undefined, boolean])[] = [
    [0, undefined, true],
    [-300, undefined, true],
    [300, undefined, true],
    [-301, undefined, false],
    [301, undefined, false],
    [-2, 1000, false],
    [-301, 400_000, true],
  ];
  for (const [distance, toleranceMs, isFine] of times) {
    it(`${distance} s from now, window ${toleranceMs ?? "by default"}`, async () => {
      const time = SECONDS + distance;
      const given = headers({ "webhook-timestamp": String(time), "webhook-signature": sign(KEY, "msg_1", time, BODY) });
      const verifier = standardWebhook({ secret: SECRET, now, ...(toleranceMs === undefined ? {} : { toleranceMs }) });
      const code = codeOf(await readWebhook(sold, verifier, { headers: given, body: BODY }));
      assert.equal(code, isFine ? null : "WEBHOOK_TIMESTAMP_OUT_OF_WINDOW");
    });
  }
  const secrets: readonly (readonly [string | readonly string[], string | null])[] = [
    [[OTHER, SECRET], null],
    [SECRET.slice(6), null],
    [OTHER, "WEBHOOK_SIGNATURE_WRONG"],
    [[], "WEBHOOK_MISCONFIGURED"],
    ["", "WEBHOOK_MISCONFIGURED"],
    ["whsec_", "WEBHOOK_MISCONFIGURED"],
    ["whsec_no base64", "WEBHOOK_MISCONFIGURED"],
    [[SECRET, "whsec_"], "WEBHOOK_MISCONFIGURED"],
  ];
  for (const [secret, code] of secrets) {
    it(`secret ${JSON.stringify(secret)}`, async () => {
      const result = await readWebhook(sold, standardWebhook({ secret, now }), { headers: headers(), body: BODY });
      assert.equal(codeOf(result), code);
      for (const one of [secret].flat().filter((text) => text.length > 6)) {
        assert.ok(!JSON.stringify(result).includes(one));
      }
    });
  }
});

describe("plain HMAC", () => {
  const mac = (
    algorithm: string,
    content: string,
    encoding: "hex" | "base64" | "base64url",
    secret = "s3cret",
  ): string => createHmac(algorithm, secret).update(content).digest(encoding);
  const slack = {
    secret: "s3cret",
    header: "X-Slack-Signature",
    prefix: "v0=",
    timestamp: { header: "X-Slack-Request-Timestamp", now },
    content: "v0:{timestamp}:{body}",
  } as const;
  const slackSignature = `v0=${mac("sha256", `v0:${SECONDS}:${BODY}`, "hex")}`;
  const table: readonly (readonly [string, HmacWebhookOptions, Record<string, string>, string | null])[] = [
    [
      "hex with a prefix",
      { secret: "s3cret", header: "X-Hub-Signature-256", prefix: "sha256=" },
      { "x-hub-signature-256": `sha256=${mac("sha256", BODY, "hex")}` },
      null,
    ],
    [
      "hex in capitals",
      { secret: "s3cret", header: "x-sig" },
      { "x-sig": mac("sha256", BODY, "hex").toUpperCase() },
      null,
    ],
    [
      "base64",
      { secret: "s3cret", header: "x-sig", encoding: "base64" },
      { "x-sig": mac("sha256", BODY, "base64") },
      null,
    ],
    [
      "base64url",
      { secret: "s3cret", header: "x-sig", encoding: "base64url" },
      { "x-sig": mac("sha256", BODY, "base64url") },
      null,
    ],
    ["SHA-1", { secret: "s3cret", header: "x-sig", algorithm: "sha1" }, { "x-sig": mac("sha1", BODY, "hex") }, null],
    [
      "SHA-512",
      { secret: "s3cret", header: "x-sig", algorithm: "sha512" },
      { "x-sig": mac("sha512", BODY, "hex") },
      null,
    ],
    [
      "bytes as the key",
      { secret: new TextEncoder().encode("s3cret"), header: "x-sig" },
      { "x-sig": mac("sha256", BODY, "hex") },
      null,
    ],
    ["two secrets", { secret: ["new", "s3cret"], header: "x-sig" }, { "x-sig": mac("sha256", BODY, "hex") }, null],
    [
      "a signed time",
      slack,
      { "x-slack-signature": slackSignature, "x-slack-request-timestamp": String(SECONDS) },
      null,
    ],
    [
      "a time that is too old",
      { ...slack, timestamp: { ...slack.timestamp, now: () => NOW + 300_001 } },
      { "x-slack-signature": slackSignature, "x-slack-request-timestamp": String(SECONDS) },
      "WEBHOOK_TIMESTAMP_OUT_OF_WINDOW",
    ],
    [
      "a time in milliseconds",
      { ...slack, timestamp: { ...slack.timestamp, unit: "ms" } },
      {
        "x-slack-signature": `v0=${mac("sha256", `v0:${NOW}:${BODY}`, "hex")}`,
        "x-slack-request-timestamp": String(NOW),
      },
      null,
    ],
    ["no time", slack, { "x-slack-signature": slackSignature }, "WEBHOOK_SIGNATURE_MISSING"],
    [
      "no prefix",
      { secret: "s3cret", header: "x-sig", prefix: "sha256=" },
      { "x-sig": mac("sha256", BODY, "hex") },
      "WEBHOOK_SIGNATURE_WRONG",
    ],
    [
      "another algorithm",
      { secret: "s3cret", header: "x-sig" },
      { "x-sig": mac("sha1", BODY, "hex") },
      "WEBHOOK_SIGNATURE_WRONG",
    ],
    [
      "another body",
      { secret: "s3cret", header: "x-sig" },
      { "x-sig": mac("sha256", JSON.stringify(JSON.parse(BODY)), "hex") },
      "WEBHOOK_SIGNATURE_WRONG",
    ],
    [
      "an empty signature",
      { secret: "s3cret", header: "x-sig", prefix: "sha256=" },
      { "x-sig": "sha256=" },
      "WEBHOOK_SIGNATURE_WRONG",
    ],
    ["no header", { secret: "s3cret", header: "x-sig" }, {}, "WEBHOOK_SIGNATURE_MISSING"],
    [
      "no secret",
      { secret: "", header: "x-sig" },
      { "x-sig": mac("sha256", BODY, "hex", "") },
      "WEBHOOK_MISCONFIGURED",
    ],
    [
      "a content without the body",
      { secret: "s3cret", header: "x-sig", content: "{id}" },
      { "x-sig": "a" },
      "WEBHOOK_MISCONFIGURED",
    ],
    ["a time that is not signed", { ...slack, content: "{body}" }, { "x-sig": "a" }, "WEBHOOK_MISCONFIGURED"],
    [
      "an algorithm that is none",
      { secret: "s3cret", header: "x-sig", algorithm: "constructor" as "sha1" },
      { "x-sig": "a" },
      "WEBHOOK_MISCONFIGURED",
    ],
  ];
  for (const [title, options, given, code] of table) {
    it(title, async () => {
      assert.equal(codeOf(await readWebhook(sold, hmacWebhook(options), { headers: given, body: BODY })), code);
    });
  }
  it("an id is told only when it is signed", async () => {
    const base = { secret: "s3cret", header: "x-sig", id: { header: "x-id" } };
    const read = (verifier: WebhookVerifier, signature: string) =>
      readWebhook(sold, verifier, { headers: { "x-sig": signature, "x-id": "m1" }, body: BODY });
    const unsigned = await read(hmacWebhook(base), mac("sha256", BODY, "hex"));
    const signed = await read(hmacWebhook({ ...base, content: "{id}.{body}" }), mac("sha256", `m1.${BODY}`, "hex"));
    assert.deepEqual([unsigned.ok && unsigned.id, signed.ok && signed.id], [null, "m1"]);
  });
});

describe("a body that is signed", () => {
  const receive = (webhook: WebhookDescriptor, body: string): Promise<WebhookResult<unknown>> =>
    readWebhook(webhook, standard, { headers: headers({}, body), body });
  const wrong: readonly (readonly [string, string, string])[] = [
    ["no JSON", "{", "body"],
    ["empty", "", "body"],
    ["a member of another type", '{"pet_id": 7}', "body.pet_id"],
    ["a member that is missing", "{}", "body.pet_id"],
    ["deep nesting", `{"pet_id": ${"[".repeat(300)}${"]".repeat(300)}}`, "body"],
  ];
  for (const [title, body, parameter] of wrong) {
    it(title, async () => {
      const result = await receive(sold, body);
      assert.ok(!result.ok);
      assert.deepEqual(
        [result.status, result.error.category, result.error.failed_parameter, result.error.operation],
        [400, "VALIDATION_FAILED", parameter, "shop.petSold"],
      );
    });
  }
  it("a secret in it is not shown", async () => {
    const result = await receive(sold, '{"pet_id": "7", "api_key": "canary"}');
    assert.ok(!result.ok);
    assert.doesNotMatch(JSON.stringify(result), /canary/);
  });
  it("is not read again", async () => {
    const request = new Request("https://app.test/", {
      method: "POST",
      headers: headers() as Record<string, string>,
      body: BODY,
    });
    await request.text();
    const result = await readWebhook(sold, standard, request);
    assert.deepEqual([result.ok, !result.ok && result.error.category], [false, "MALFORMED_REQUEST"]);
  });
  it("that was parsed before is refused", async () => {
    const request = { headers: headers(), body: JSON.parse(BODY) as string };
    const result = await readWebhook(sold, standard, request);
    assert.deepEqual([result.ok, !result.ok && result.error.category], [false, "MALFORMED_REQUEST"]);
  });
  const { required: _required, ...optional } = sold;
  const form: WebhookDescriptor = { ...sold, mediaType: "application/x-www-form-urlencoded", encoding: "form" };
  const { mediaType: _type, encoding: _encoding, schema: _schema, ...bare } = sold;
  const fine: readonly (readonly [string, WebhookDescriptor, string, unknown])[] = [
    ["none where it is optional", optional, "", undefined],
    ["a form", form, "pet_id=7", { petId: "7" }],
    ["text", { ...bare, mediaType: "text/plain", encoding: "text" }, "hello", "hello"],
    ["none described", bare, "ignored", undefined],
  ];
  for (const [title, webhook, body, value] of fine) {
    it(title, async () => {
      const result = await receive(webhook, body);
      assert.deepEqual(result.ok && result.value, value);
    });
  }
});
