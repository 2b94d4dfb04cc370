// Lists page by page: every style, where a walk ends, and what is left of it after a failure.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { openPages } from "../dist/index.js";
import type { Page, PagedDescriptor, PageOptions, PaginationDescriptor, Result, Schema } from "../dist/index.js";
import { nextLink } from "../dist/links.js";
import { ANY, bench, errorOf, INTEGER, json, query, read, STRING, valueOf } from "./support.ts";
import type { Args, Op, Step } from "./support.ts";

type Style = Omit<PaginationDescriptor, "open">;
type Paged = PagedDescriptor<Args, unknown, unknown>;

/** A list of the given style; its parameters are `cursor`, `offset`, `page` and `limit`. */
function list(style: object, changes: Partial<Op> = {}): Paged {
  const param = (name: string, schema: Schema): ReturnType<typeof query> => query(schema, { key: name, name });
  const params = [param("cursor", STRING), param("offset", INTEGER), param("page", INTEGER), param("limit", INTEGER)];
  return {
    ...read({ params, ...changes }),
    pagination: { open: openPages, ...(style as Style) } as PaginationDescriptor,
  };
}

const CURSOR = { style: "cursor", requestParam: "cursor", responseField: "next", itemsField: "data" };

interface Walk {
  readonly pages: Result<Page<unknown, unknown>>[];
  readonly urls: string[];
}

async function walk(
  operation: Paged,
  script: readonly Step[],
  args: Args = {},
  options: PageOptions = {},
): Promise<Walk> {
  const { core, sent } = bench(script);
  const pages: Result<Page<unknown, unknown>>[] = [];
  for await (const page of core.pages(operation, args, options)) pages.push(page);
  return { pages, urls: sent.map(({ url }) => url.replace("https://api.shop.test/v1/things", "")) };
}

function items({ pages }: Walk): unknown[] {
  return pages.map((page) => (page.ok ? page.value.items : page.error.category));
}

const link = (url: string): Record<string, string> => ({ link: `<${url}>; rel="next"` });

describe("styles", () => {
  const styles: readonly (readonly [string, object, readonly Step[], readonly unknown[], readonly string[]])[] = [
    [
      "cursor in the body",
      CURSOR,
      [json(200, { data: [1, 2], next: "a" }), json(200, { data: [3], next: null })],
      [[1, 2], [3]],
      ["", "?cursor=a"],
    ],
    [
      "cursor below a member, with a name that holds a dot",
      { ...CURSOR, responseField: "meta.next.page", itemsField: "meta.rows" },
      [json(200, { meta: { "next.page": "x", rows: [1] } }), json(200, { meta: { rows: [] } })],
      [[1], []],
      ["", "?cursor=x"],
    ],
    [
      "an empty cursor ends the list, an empty page does not",
      CURSOR,
      [json(200, { data: [], next: "a" }), json(200, { data: [1], next: "" })],
      [[], [1]],
      ["", "?cursor=a"],
    ],
    [
      "cursor of the last item",
      { style: "cursor", requestParam: "cursor", cursorItemField: "id", itemsField: "data" },
      [json(200, { data: [{ id: "a" }, { id: "b" }] }), json(200, { data: [] })],
      [[{ id: "a" }, { id: "b" }], []],
      ["", "?cursor=b"],
    ],
    [
      "a field that says that there is no more",
      { style: "cursor", requestParam: "cursor", cursorItemField: "id", itemsField: "data", hasMoreField: "has_more" },
      [json(200, { data: [{ id: 1 }], has_more: true }), json(200, { data: [{ id: 2 }], has_more: false })],
      [[{ id: 1 }], [{ id: 2 }]],
      ["", "?cursor=1"],
    ],
    [
      "offset: by the items that came",
      { style: "offset", offsetParam: "offset", limitParam: "limit" },
      [json(200, [1, 2]), json(200, [3]), json(200, [])],
      [[1, 2], [3], []],
      ["", "?offset=2", "?offset=3"],
    ],
    [
      "page number",
      { style: "page", pageParam: "page", sizeParam: "limit" },
      [json(200, [1]), json(200, [2]), json(200, [])],
      [[1], [2], []],
      ["", "?page=2", "?page=3"],
    ],
    [
      "page number from zero",
      { style: "page", pageParam: "page", sizeParam: "limit", firstPage: 0 },
      [json(200, [1]), json(200, [])],
      [[1], []],
      ["", "?page=1"],
    ],
    [
      "link header, relative and absolute",
      { style: "link_header" },
      [
        json(200, [1], link("?after=a%2Fb")),
        json(200, [2], link("https://api.shop.test/v1/things?after=c&seed=1")),
        json(200, [3], { link: '<?after=x>; rel="prev"' }),
      ],
      [[1], [2], [3]],
      ["", "?after=a%2Fb", "?after=c&seed=1"],
    ],
    [
      "link in the body",
      { style: "link_field", responseField: "links.next", itemsField: "rows" },
      [json(200, { rows: [1], links: { next: "/v1/things?page=2" } }), json(200, { rows: [2], links: { next: null } })],
      [[1], [2]],
      ["", "?page=2"],
    ],
  ];
  for (const [title, style, script, pages, urls] of styles) {
    it(title, async () => {
      const walked = await walk(list(style), script);
      assert.deepEqual(items(walked), pages);
      assert.deepEqual(walked.urls, urls);
    });
  }

  it("goes on from what the caller gave, and keeps the other arguments", async () => {
    const offset = list({ style: "offset", offsetParam: "offset", limitParam: "limit" });
    const walked = await walk(offset, [json(200, [1, 2]), json(200, [])], { offset: 10, limit: 2 });
    assert.deepEqual(walked.urls, ["?offset=10&limit=2", "?offset=12&limit=2"]);
    const page = list({ style: "page", pageParam: "page", sizeParam: "limit" });
    assert.deepEqual((await walk(page, [json(200, [1]), json(200, [])], { page: 7 })).urls, ["?page=7", "?page=8"]);
  });

  it("TypeScript names for callers, wire names for the next request", async () => {
    const item: Schema = { kind: "object", fields: [{ name: "itemId", wire: "item_id", schema: STRING }] };
    const schema: Schema = {
      kind: "object",
      fields: [
        { name: "dataRows", wire: "data_rows", schema: { kind: "array", items: item } },
        { name: "nextCursor", wire: "next_cursor", schema: STRING },
      ],
    };
    const responses = [
      { status: 200, kind: "success", mediaType: "application/json", encoding: "json", schema },
    ] as const;
    const params = [query(STRING, { key: "startAt", name: "start_at" })];
    const style = { ...CURSOR, requestParam: "start_at", responseField: "next_cursor", itemsField: "data_rows" };
    const script = [json(200, { data_rows: [{ item_id: "a" }], next_cursor: "c" }), json(200, { data_rows: null })];
    const walked = await walk(list(style, { responses, params }), script);
    assert.deepEqual(items(walked), [[{ itemId: "a" }], []]);
    assert.deepEqual(walked.urls, ["", "?start_at=c"]);
    assert.ok(walked.pages[0]?.ok);
    assert.deepEqual(walked.pages[0].value.body, { dataRows: [{ itemId: "a" }], nextCursor: "c" });
    assert.equal(walked.pages[0].value.next, "c");
  });

  it("a cursor that is a field of the body, merged or whole", async () => {
    const schema: Schema = {
      kind: "object",
      fields: [
        { name: "startAt", wire: "start_at", schema: ANY },
        { name: "size", schema: INTEGER },
      ],
    };
    const body = { mediaType: "application/json", encoding: "json", required: true, schema } as const;
    const style = { ...CURSOR, requestParam: "start_at" };
    const script = [json(200, { data: [1], next: { key: 7 } }), json(200, { data: [] })];
    for (const [arg, args] of [
      [undefined, { size: 2 }],
      ["body", { body: { size: 2 } }],
    ] as const) {
      const post = list(style, {
        method: "POST",
        params: [],
        body: { ...body, ...(arg === undefined ? {} : { arg }) },
      });
      const { core, sent } = bench(script);
      valueOf(await core.pages(post, args).collect());
      assert.deepEqual(
        sent.map((one) => JSON.parse(one.body ?? "") as unknown),
        [{ size: 2 }, { size: 2, start_at: { key: 7 } }],
      );
    }
  });
});

describe("where a walk ends", () => {
  const pages = [
    json(200, { data: [1, 2], next: "a" }),
    json(200, { data: [3, 4], next: "b" }),
    json(200, { data: [5] }),
  ];

  it("by itself: the last page has no next", async () => {
    const walked = await walk(list(CURSOR), pages);
    assert.deepEqual(
      walked.pages.map((page) => page.ok && page.value.next),
      ["a", "b", null],
    );
  });
  it("maxPages", async () => {
    assert.deepEqual(items(await walk(list(CURSOR), pages, {}, { maxPages: 2 })), [
      [1, 2],
      [3, 4],
    ]);
    assert.deepEqual((await walk(list(CURSOR), pages, {}, { maxPages: 0 })).urls, []);
  });
  it("maxItems cuts the last page and asks for no more", async () => {
    const walked = await walk(list(CURSOR), pages, {}, { maxItems: 3 });
    assert.deepEqual(items(walked), [[1, 2], [3]]);
    assert.deepEqual((await walk(list(CURSOR), pages, {}, { maxItems: 2 })).urls, [""]);
  });
  it("leaving the loop asks for no more", async () => {
    const { core, sent } = bench(pages);
    for await (const item of core.pages(list(CURSOR)).items()) if (item.ok && item.value === 2) break;
    assert.equal(sent.length, 1);
  });
  it("nothing is sent before the first page is asked for, and each loop starts anew", async () => {
    const { core, sent } = bench([...pages, ...pages]);
    const list_ = core.pages(list(CURSOR));
    assert.equal(sent.length, 0);
    assert.deepEqual(valueOf(await list_.collect()), [1, 2, 3, 4, 5]);
    assert.deepEqual(valueOf(await list_.collect()), [1, 2, 3, 4, 5]);
    assert.equal(sent.length, 6);
  });
  it("next of an earlier page is where another walk goes on", async () => {
    assert.deepEqual((await walk(list(CURSOR), pages.slice(1), {}, { next: "a" })).urls, ["?cursor=a", "?cursor=b"]);
    const walked = await walk(list({ style: "link_header" }), [json(200, [2])], {}, { next: "?after=a" });
    assert.deepEqual(walked.urls, ["?after=a"]);
  });
  it("the operation of a client has its pages; another one has none", async () => {
    const { core } = bench(pages);
    assert.deepEqual(valueOf(await core.operation(list(CURSOR)).pages({}, { maxPages: 1 }).collect()), [1, 2]);
    assert.ok(!("pages" in core.operation(read())));
  });
});

describe("failures", () => {
  it("a failed page is the last thing; the items before it are kept", async () => {
    const script = [json(200, { data: [1, 2], next: "a" }), json(404, { code: "gone" })];
    assert.deepEqual(items(await walk(list(CURSOR), script)), [[1, 2], "NOT_FOUND"]);
    const result = await bench(script).core.pages(list(CURSOR)).collect();
    assert.equal(errorOf(result).http_status, 404);
    assert.deepEqual(result.ok ? null : result.partial, [1, 2]);
  });
  it("each page is retried like any call", async () => {
    const script = [json(200, { data: [1], next: "a" }), json(503, {}), json(200, { data: [2] })];
    const { core, sent, waits } = bench(script);
    const result = await core.pages(list(CURSOR)).collect();
    assert.deepEqual(valueOf(result), [1, 2]);
    assert.deepEqual([sent.length, waits.length, result.ok && result.meta.attempts], [3, 1, 3]);
  });
  it("wrong arguments are the only item", async () => {
    const walked = await walk(list(CURSOR), [], { limit: "x" });
    assert.deepEqual([items(walked), walked.urls], [["VALIDATION_FAILED"], []]);
  });
  it("a cancelled walk ends with a failure", async () => {
    const stop = new AbortController();
    const { core, sent } = bench([json(200, { data: [1], next: "a" })]);
    const seen: unknown[] = [];
    for await (const page of core.pages(list(CURSOR), {}, { signal: stop.signal })) {
      seen.push(page.ok ? page.value.items : page.error.category);
      stop.abort();
    }
    assert.deepEqual([seen, sent.length], [[[1], "TRANSPORT_FAILED"], 1]);
  });
  for (const [title, style, pages] of [
    ["a cursor that comes again", CURSOR, ["a", "b", "a"].map((next) => json(200, { data: [1], next }))],
    ["a link that comes again", { style: "link_header" }, [1, 2].map(() => json(200, [1], link("?p=2")))],
  ] as const) {
    it(`${title} ends the walk`, async () => {
      const walked = await walk(list(style), pages);
      const last = walked.pages.at(-1);
      assert.equal(walked.urls.length, pages.length);
      assert.equal(last?.ok === false && last.error.category, "UNEXPECTED_RESPONSE");
      assert.equal(last?.ok === false && last.error.retryable, "never");
      assert.equal(walked.pages.filter((page) => page.ok).length, pages.length);
    });
  }
  for (const url of [
    "https://evil.test/v1/things",
    "http://api.shop.test/v1/things",
    "https://u:p@api.shop.test/",
    "http://[",
  ]) {
    it(`the link ${url} is not followed`, async () => {
      const walked = await walk(list({ style: "link_header" }), [json(200, [1], link(url))]);
      assert.deepEqual([items(walked), walked.urls], [[[1], "UNEXPECTED_RESPONSE"], [""]]);
    });
  }
  it("credentials of the query are put back on links and never shown", async () => {
    const urls: string[] = [];
    const { core, sent } = bench(
      [json(200, [1], link("?p=2&api_key=secret-1")), json(200, [])],
      {
        auth: { key: "secret-1" },
        middleware: [{ onRequest: ({ url }) => void urls.push(url) }],
      },
      { auth: [{ kind: "api_key", name: "key", in: "query", wire: "api_key" }] },
    );
    valueOf(await core.pages(list({ style: "link_header" }, { security: [["key"]] })).collect());
    assert.deepEqual(
      sent.map(({ url }) => new URL(url).search),
      ["?api_key=secret-1", "?p=2&api_key=secret-1"],
    );
    assert.ok(
      urls.every((url) => !url.includes("secret-1")),
      urls.join(" "),
    );
  });
  it("items that are no list", async () => {
    const walked = await walk(list(CURSOR), [json(200, { data: { a: 1 }, next: "x" })]);
    const [only] = walked.pages;
    assert.equal(only?.ok === false && only.error.expected, "a list at data");
  });
});

describe("Link headers", () => {
  const cases: readonly (readonly [string | undefined, string | null])[] = [
    [undefined, null],
    ["", null],
    ['<a>; rel="next"', "a"],
    ["<a>;rel=next", "a"],
    ["<a>; REL = NEXT", "a"],
    ['<a>; rel="prev", <b>; rel="next"', "b"],
    ['<a,b>; title="x, <c>; rel=next"; rel="prev next last"', "a,b"],
    ['<a>; title="\\"; rel=next"', null],
    ['<a>; rel="prev"; rel="next"', null],
    ['<a>; rel="nextish"', null],
    ["<a", null],
    ["<a>; rel", null],
    [`<a>${" ".repeat(50_000)}; rel=next`, "a"],
  ];
  for (const [header, expected] of cases) {
    it(JSON.stringify(header)?.slice(0, 60) ?? "none", () => assert.equal(nextLink(header), expected));
  }
});
