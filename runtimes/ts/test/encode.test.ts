// Parameters and bodies on the wire: every style, percent-encoding, what is refused; the URI template suite.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import type { BodyDescriptor, ParamDescriptor, Schema } from "../dist/index.js";
import { escapeComponent, escapeKeepingReserved, styledPieces, styledText } from "../dist/encode.js";
import { ANY, bench, create, errorOf, json, query, read, STRING } from "./support.ts";
import type { Args } from "./support.ts";

const list = ["a b", "c"];
const map = { k: "v w", n: 1 };

const queries: readonly (readonly [string, Partial<ParamDescriptor>, unknown, string])[] = [
  ["form", {}, "a b&c=d", "?q=a%20b%26c%3Dd"],
  ["form, marks that RFC 3986 reserves", {}, "!'()*", "?q=%21%27%28%29%2A"],
  ["form, empty text", {}, "", "?q="],
  ["form, number", {}, 1.5, "?q=1.5"],
  ["form, boolean", {}, false, "?q=false"],
  ["form, null", {}, null, ""],
  ["form, list", {}, list, "?q=a%20b&q=c"],
  ["form, list as one", { explode: false }, list, "?q=a%20b,c"],
  ["form, list with a comma", { explode: false }, ["a,b", "c"], "?q=a%2Cb,c"],
  ["form, empty list", {}, [], ""],
  ["form, object", {}, map, "?k=v%20w&n=1"],
  ["form, object as one", { explode: false }, map, "?q=k,v%20w,n,1"],
  ["form, nested object", { explode: false }, { k: { x: 1 } }, "?q=k,%7B%22x%22%3A1%7D"],
  ["space delimited", { style: "space_delimited", explode: false }, list, "?q=a%20b%20c"],
  ["space delimited, exploded", { style: "space_delimited", explode: true }, list, "?q=a%20b&q=c"],
  ["pipe delimited", { style: "pipe_delimited", explode: false }, list, "?q=a%20b%7Cc"],
  ["pipe delimited, object", { style: "pipe_delimited", explode: false }, map, "?q=k%7Cv%20w%7Cn%7C1"],
  ["deep object", { style: "deep_object", explode: true }, map, "?q%5Bk%5D=v%20w&q%5Bn%5D=1"],
  [
    "deep object, nested",
    { style: "deep_object" },
    { a: { b: [1, 2] } },
    "?q%5Ba%5D%5Bb%5D%5B0%5D=1&q%5Ba%5D%5Bb%5D%5B1%5D=2",
  ],
  ["reserved allowed", { allowReserved: true }, "a/b?c:d#e&f+g h%20", "?q=a/b?c:d%23e%26f%2Bg%20h%20"],
  ["JSON content", { mediaType: "application/json" }, map, "?q=%7B%22k%22%3A%22v%20w%22%2C%22n%22%3A1%7D"],
  ["other content", { mediaType: "text/plain" }, "a,b", "?q=a%2Cb"],
  ["odd name", { name: "a[b]&c" }, "x", "?a%5Bb%5D%26c=x"],
];

const paths: readonly (readonly [string, Partial<ParamDescriptor>, unknown, string])[] = [
  ["simple", {}, "a/b c", "/x/a%2Fb%20c"],
  ["simple, list", {}, list, "/x/a%20b,c"],
  ["simple, object", {}, map, "/x/k,v%20w,n,1"],
  ["simple, object exploded", { explode: true }, map, "/x/k=v%20w,n=1"],
  ["label", { style: "label" }, "a", "/x/.a"],
  ["label, list", { style: "label" }, list, "/x/.a%20b,c"],
  ["label, list exploded", { style: "label", explode: true }, list, "/x/.a%20b.c"],
  ["label, object exploded", { style: "label", explode: true }, map, "/x/.k=v%20w.n=1"],
  ["matrix", { style: "matrix" }, "a", "/x/;p=a"],
  ["matrix, empty text", { style: "matrix" }, "", "/x/;p"],
  ["matrix, list", { style: "matrix" }, list, "/x/;p=a%20b,c"],
  ["matrix, list exploded", { style: "matrix", explode: true }, list, "/x/;p=a%20b;p=c"],
  ["matrix, object exploded", { style: "matrix", explode: true }, map, "/x/;k=v%20w;n=1"],
  ["unreserved stays", {}, "-._~", "/x/-._~"],
  ["percent is encoded once", {}, "%2F", "/x/%252F"],
  ["reserved characters stay where they are allowed", { allowReserved: true }, "a:b@c/d?e#f", "/x/a:b@c%2Fd%3Fe%23f"],
  ["other scripts", {}, "é", "/x/%C3%A9"],
];

const badSegments: readonly unknown[] = ["", ".", "..", []];

const params = (changes: Partial<ParamDescriptor>): ParamDescriptor => ({
  key: "p",
  name: "p",
  in: "path",
  schema: ANY,
  required: true,
  ...changes,
});

describe("query", () => {
  for (const [title, changes, value, expected] of queries) {
    it(title, async () => {
      const { core, sent } = bench([json(200, 1)]);
      await core.call(read({ params: [query(ANY, changes)] }), { q: value });
      assert.equal(sent[0]?.url, `https://api.shop.test/v1/things${expected}`);
    });
  }
  it("constant pairs come first", async () => {
    const { core, sent } = bench([json(200, 1)]);
    await core.call(
      read({
        query: [
          { name: "action", value: "a b" },
          { name: "flag", value: "" },
        ],
        params: [query(ANY)],
      }),
      { q: 1 },
    );
    assert.equal(sent[0]?.url, "https://api.shop.test/v1/things?action=a%20b&flag&q=1");
  });
  it("a parameter is the whole query string", async () => {
    const whole = (changes: Partial<ParamDescriptor>): ParamDescriptor => query(ANY, { in: "querystring", ...changes });
    const form = {
      mediaType: "application/x-www-form-urlencoded",
      parts: [{ name: "csv", style: "form", explode: false }],
    } as const;
    const cases: readonly (readonly [Partial<ParamDescriptor>, unknown, string])[] = [
      [{ mediaType: "application/json" }, { a: [1], b: "x&y" }, "?%7B%22a%22%3A%5B1%5D%2C%22b%22%3A%22x%26y%22%7D"],
      [{ mediaType: "text/plain" }, "a=b&c", "?a%3Db%26c"],
      [{ mediaType: "text/plain", allowReserved: true }, "a=b/c&d", "?a=b/c%26d"],
      [form, { a: "x&y", csv: ["p", "q"] }, "?a=x%26y&csv=p,q"],
      [form, {}, ""],
    ];
    for (const [changes, value, expected] of cases) {
      const { core, sent } = bench([json(200, 1)]);
      await core.call(read({ params: [whole(changes)] }), { q: value });
      assert.equal(sent[0]?.url, `https://api.shop.test/v1/things${expected}`);
    }
  });
  it("a lone surrogate is refused", async () => {
    const { core } = bench([]);
    const error = errorOf(await core.call(read({ params: [query(ANY)] }), { q: "\ud800" }));
    assert.deepEqual([error.failed_parameter, error.expected], ["args.q", "well-formed Unicode text"]);
  });
});

describe("path", () => {
  for (const [title, changes, value, expected] of paths) {
    it(title, async () => {
      const { core, sent } = bench([json(200, 1)]);
      await core.call(read({ path: "/x/{p}", params: [params(changes)] }), { p: value });
      assert.equal(sent[0]?.url, `https://api.shop.test/v1${expected}`);
      assert.equal(new URL(sent[0]?.url ?? "").href, sent[0]?.url);
    });
  }
  for (const value of badSegments) {
    it(`refuses the segment ${JSON.stringify(value)}`, async () => {
      const { core, sent } = bench([]);
      const error = errorOf(await core.call(read({ path: "/x/{p}", params: [params({})] }), { p: value }));
      assert.deepEqual([error.category, error.failed_parameter, sent.length], ["VALIDATION_FAILED", "args.p", 0]);
    });
  }
  it("refuses a dot segment made of two parameters", async () => {
    const { core } = bench([]);
    const two = [params({}), params({ key: "r", name: "r" })];
    assert.equal(
      errorOf(await core.call(read({ path: "/x/{p}{r}", params: two }), { p: ".", r: "." })).failed_parameter,
      "args.r",
    );
  });
  it("an empty value beside literal text is a segment", async () => {
    const { core, sent } = bench([json(200, 1)]);
    await core.call(read({ path: "/x/{p}.json", params: [params({})] }), { p: "" });
    assert.equal(sent[0]?.url, "https://api.shop.test/v1/x/.json");
  });
  it("literal text is encoded where it must be", async () => {
    const { core, sent } = bench([json(200, 1)]);
    await core.call(read({ path: "/a b/ä:x/100%25/{p}", params: [params({})] }), { p: 1 });
    assert.equal(sent[0]?.url, "https://api.shop.test/v1/a%20b/%C3%A4:x/100%25/1");
  });
  it("a template that names an unknown parameter is a fault of the descriptor", async () => {
    const { core } = bench([]);
    assert.equal(errorOf(await core.call(read({ path: "/x/{nope}" }), {})).failed_parameter, "operation");
  });
});

describe("headers and cookies", () => {
  const header = (changes: Partial<ParamDescriptor> = {}): ParamDescriptor => ({
    key: "h",
    name: "X-H",
    in: "header",
    schema: ANY,
    ...changes,
  });
  it("simple style, no percent-encoding", async () => {
    const { core, sent } = bench([json(200, 1)]);
    await core.call(read({ params: [header()] }), { h: ["a b", "c%"] });
    assert.equal(sent[0]?.headers["x-h"], "a b,c%");
  });
  for (const bad of ["a\r\nb", "a\nb", "a\0b", "snow ☃"]) {
    it(`refuses ${JSON.stringify(bad)}`, async () => {
      const { core, sent } = bench([]);
      const error = errorOf(await core.call(read({ params: [header()] }), { h: bad }));
      assert.deepEqual([error.failed_parameter, sent.length], ["args.h", 0]);
    });
    it(`refuses ${JSON.stringify(bad)} in a header option`, async () => {
      const { core } = bench([]);
      assert.equal(errorOf(await core.call(read(), {}, { headers: { "X-A": bad } })).failed_parameter, "headers.X-A");
    });
  }
  it("cookies are joined", async () => {
    const { core, sent } = bench([json(200, 1)]);
    const cookie = (key: string): ParamDescriptor => ({ key, name: key, in: "cookie", schema: ANY });
    await core.call(read({ params: [cookie("a"), cookie("b")] }), { a: "x;y", b: 1 });
    assert.equal(sent[0]?.headers["cookie"], "a=x%3By; b=1");
  });
  it("cookies of the style cookie travel as they are", async () => {
    const { core, sent } = bench([json(200, 1)]);
    const cookie = (key: string, changes: Partial<ParamDescriptor>): ParamDescriptor => ({
      key,
      name: key,
      in: "cookie",
      schema: ANY,
      ...changes,
    });
    const params = [
      cookie("raw", { style: "cookie" }),
      cookie("list", { style: "cookie" }),
      cookie("one", { style: "cookie", explode: false }),
      cookie("open", { allowReserved: true }),
    ];
    await core.call(read({ params }), { raw: "a=b c%", list: ["x", "y"], one: ["x", "y"], open: "a/b;c" });
    assert.equal(sent[0]?.headers["cookie"], "raw=a=b c%; list=x; list=y; one=x,y; open=a/b%3Bc");
    for (const bad of ["a;b", "a\r\nb"]) {
      const error = errorOf(await core.call(read({ params }), { raw: bad }));
      assert.deepEqual([error.failed_parameter, sent.length], ["args.raw", 1]);
    }
  });
  it("constants are sent and are no arguments", async () => {
    const { core, sent } = bench([json(200, 1)]);
    const constant = header({ role: "constant", constant: "2024-01-01", required: true });
    await core.call(read({ params: [constant] }), {});
    assert.equal(sent[0]?.headers["x-h"], "2024-01-01");
    assert.equal(errorOf(await core.call(read({ params: [constant] }), { h: 1 })).failed_parameter, "args.h");
  });
  it("a dry-run header is an argument", async () => {
    const { core, sent } = bench([json(200, 1)]);
    const dryRun = header({ role: "dry_run", required: true });
    await core.call(read({ params: [dryRun] }), { h: "yes" });
    assert.equal(sent[0]?.headers["x-h"], "yes");
    assert.equal(errorOf(await core.call(read({ params: [dryRun] }), {})).failed_parameter, "args.h");
  });
  it("a required origin comes from the base URL", async () => {
    const { core, sent } = bench([json(200, 1)]);
    await core.call(read({ params: [header({ name: "Origin", role: "origin", required: true })] }), {});
    assert.equal(sent[0]?.headers["origin"], "https://api.shop.test");
  });
});

async function sentBody(body: Partial<BodyDescriptor>, args: Args): Promise<{ type: string; text: string }> {
  const { core, sent } = bench([json(201, 1)]);
  const result = await core.call(
    create({
      body: { mediaType: "application/json", encoding: "json", required: true, schema: ANY, arg: "body", ...body },
    }),
    args,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return { type: sent[0]?.headers["content-type"] ?? "", text: sent[0]?.body ?? "" };
}

describe("bodies", () => {
  const renamed: Schema = { kind: "object", fields: [{ name: "petName", wire: "pet_name", schema: STRING }] };
  it("JSON", async () =>
    assert.deepEqual(await sentBody({ schema: renamed }, { body: { petName: "a" } }), {
      type: "application/json",
      text: '{"pet_name":"a"}',
    }));
  it("JSON null", async () => assert.equal((await sentBody({}, { body: null })).text, "null"));
  it("JSON of a type of its own", async () =>
    assert.equal(
      (await sentBody({ mediaType: "application/merge-patch+json" }, { body: {} })).type,
      "application/merge-patch+json",
    ));
  it("JSON with bytes", async () =>
    assert.equal((await sentBody({}, { body: { a: new Uint8Array([1, 2, 3]) } })).text, '{"a":"AQID"}'));
  it("text", async () =>
    assert.deepEqual(await sentBody({ mediaType: "text/plain", encoding: "text" }, { body: "a\nb" }), {
      type: "text/plain",
      text: "a\nb",
    }));
  it("bytes", async () =>
    assert.deepEqual(
      await sentBody({ mediaType: "*/*", encoding: "bytes" }, { body: new TextEncoder().encode("hi") }),
      { type: "application/octet-stream", text: "hi" },
    ));
  it("blob", async () =>
    assert.deepEqual(
      await sentBody({ mediaType: "image/*", encoding: "bytes" }, { body: new Blob(["x"], { type: "image/png" }) }),
      { type: "image/png", text: "x" },
    ));
  it("stream", async () =>
    assert.equal(
      (
        await sentBody(
          { mediaType: "application/octet-stream", encoding: "bytes" },
          { body: new Blob(["stream"]).stream() },
        )
      ).text,
      "stream",
    ));
  it("form", async () => {
    const form = {
      mediaType: "application/x-www-form-urlencoded",
      encoding: "form",
      parts: [
        { name: "deep", style: "deep_object", explode: true },
        { name: "csv", style: "form", explode: false },
      ],
    } as const;
    const sent = await sentBody(form, {
      body: { a: "x&y z", list: [1, 2], obj: { k: 1 }, deep: { k: { l: 2 } }, csv: ["p", "q"], none: null },
    });
    assert.equal(sent.type, "application/x-www-form-urlencoded");
    assert.equal(sent.text, "a=x%26y%20z&list=1&list=2&obj=%7B%22k%22%3A1%7D&deep%5Bk%5D%5Bl%5D=2&csv=p,q");
  });
  it("multipart", async () => {
    const multipart = {
      mediaType: "multipart/form-data",
      encoding: "multipart",
      parts: [{ name: "photo", contentType: "image/png, image/jpeg" }],
    } as const;
    const sent = await sentBody(multipart, {
      body: {
        title: "T",
        tags: ["a", "b"],
        meta: { k: 1 },
        photo: new Uint8Array([104, 105]),
        file: new File(["data"], 'n"1\r\n.txt', { type: "text/plain" }),
      },
    });
    const boundary = /^multipart\/form-data; boundary=(tungsten-[0-9a-f]{40})$/.exec(sent.type)?.[1] ?? "";
    assert.notEqual(boundary, "");
    const parts = sent.text.split(`--${boundary}`);
    assert.deepEqual(parts, [
      "",
      '\r\nContent-Disposition: form-data; name="title"\r\n\r\nT\r\n',
      '\r\nContent-Disposition: form-data; name="tags"\r\n\r\na\r\n',
      '\r\nContent-Disposition: form-data; name="tags"\r\n\r\nb\r\n',
      '\r\nContent-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"k":1}\r\n',
      '\r\nContent-Disposition: form-data; name="photo"; filename="photo"\r\nContent-Type: image/png\r\n\r\nhi\r\n',
      '\r\nContent-Disposition: form-data; name="file"; filename="n%221%0D%0A.txt"\r\nContent-Type: text/plain\r\n\r\ndata\r\n',
      "--\r\n",
    ]);
    assert.equal(
      (await new Response(sent.text, { headers: { "content-type": sent.type } }).formData()).get("title"),
      "T",
    );
  });
  it("multipart by place", async () => {
    const multipart = {
      mediaType: "multipart/mixed",
      encoding: "multipart",
      prefixParts: [{ contentType: "application/json" }],
      itemPart: { contentType: "image/png" },
    } as const;
    const sent = await sentBody(multipart, { body: [{ k: 1 }, new Uint8Array([104, 105]), "text"] });
    const boundary = /^multipart\/mixed; boundary=(tungsten-[0-9a-f]{40})$/.exec(sent.type)?.[1] ?? "";
    assert.deepEqual(sent.text.split(`--${boundary}`), [
      "",
      '\r\nContent-Type: application/json\r\n\r\n{"k":1}\r\n',
      "\r\nContent-Type: image/png\r\n\r\nhi\r\n",
      "\r\nContent-Type: image/png\r\n\r\ntext\r\n",
      "--\r\n",
    ]);
  });
  it("a body with GET is refused", async () => {
    const { core } = bench([]);
    const operation = read({ body: { mediaType: "application/json", encoding: "json", schema: ANY, arg: "body" } });
    assert.equal(errorOf(await core.call(operation, { body: {} })).failed_parameter, "body");
  });
});

// ---- The URI template suite: those operators and modifiers that OpenAPI's styles have ----

const shared = process.env["TUNGSTEN_SHARED"] ?? join(dirname(fileURLToPath(import.meta.url)), "../../../../shared");
const suite = join(shared, "suites/uritemplate");

type Group = {
  readonly variables: Record<string, unknown>;
  readonly testcases: readonly (readonly [string, string | readonly string[] | false])[];
};

/** Expands a template with the runtime's styles; `null` when it uses what they do not have (prefixes, `/`, `#`). */
function expand(template: string, variables: Record<string, unknown>): string | null {
  let usable = true;
  const text = template.replace(/\{([^}]*)\}/g, (_whole, expression: string) => {
    const match = /^([+;.?&]?)((?:[\w.]|%[0-9A-Fa-f]{2})+\*?(?:,(?:[\w.]|%[0-9A-Fa-f]{2})+\*?)*)$/.exec(expression);
    if (match === null) {
      usable = false;
      return "";
    }
    const operator = match[1] ?? "";
    const style =
      ({ "": "simple", "+": "simple", ".": "label", ";": "matrix", "?": "form", "&": "form" } as const)[operator] ??
      "simple";
    const escape = operator === "+" ? escapeKeepingReserved : escapeComponent;
    const pieces = (match[2] ?? "").split(",").flatMap((name) => {
      const explode = name.endsWith("*");
      const key = explode ? name.slice(0, -1) : name;
      const value = variables[key] ?? null;
      if (key.includes("%") || /[^\w.]/.test(key)) usable = false;
      return styledPieces({ name: key, value, style, explode }, escape);
    });
    if (pieces.length === 0) return "";
    const [first, separator] = (
      { simple: ["", ","], label: [".", "."], matrix: [";", ";"], form: [operator, "&"] } as const
    )[style];
    return first + pieces.join(separator);
  });
  return usable ? text : null;
}

describe("URI template suite", { skip: existsSync(suite) ? false : "skipped: no ../shared" }, () => {
  for (const file of ["spec-examples.json", "spec-examples-by-section.json", "extended-tests.json"]) {
    it(file, () => {
      const groups = JSON.parse(readFileSync(join(suite, file), "utf8")) as Record<string, Group>;
      let tried = 0;
      for (const [title, { variables, testcases }] of Object.entries(groups)) {
        for (const [template, expected] of testcases) {
          if (expected === false) continue;
          const literals = template.replace(/\{[^}]*\}/g, "");
          if (/[^\x21-\x7e]/.test(literals)) continue;
          const text = expand(template, variables);
          if (text === null) continue;
          tried += 1;
          assert.ok(([] as string[]).concat(expected).includes(text), `${title}: ${template} gave ${text}`);
        }
      }
      assert.ok(tried >= 20, `only ${tried} cases apply`);
    });
  }
  it("styledText adds the style's first character", () => {
    assert.equal(
      styledText({ name: "x", value: ["a", "b"], style: "matrix", explode: true }, escapeComponent),
      ";x=a;x=b",
    );
  });
});
