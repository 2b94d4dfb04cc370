// The parsers of streams by themselves: the published cases, limits, and that pieces never matter.

import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { LineSplitter } from "../dist/lines.js";
import { Replay, MAX_REMEMBERED_IDS } from "../dist/replay.js";
import { SseParser } from "../dist/sse.js";
import type { SseEvent } from "../dist/sse.js";
import { bytes, NO_SUITES, randomPieces, seeded, singleBytes, suite } from "./pieces.ts";

interface Case {
  readonly id: string;
  readonly stream_base64: string;
  readonly events: readonly { readonly event: string; readonly data: string; readonly id: string }[];
  readonly last_event_id: string;
  readonly retry: number | null;
}

const UNLIMITED = Infinity;

function parsed(pieces: readonly Uint8Array[], limit = UNLIMITED): unknown {
  const parser = new SseParser(limit);
  const events = pieces.flatMap((piece) => parser.push(piece));
  return { events, lastEventId: parser.lastEventId, retry: parser.retry, isTooLarge: parser.isTooLarge };
}

describe("event streams of the suite", () => {
  const cases = (suite("sse/cases.json") as { cases: readonly Case[] } | null)?.cases;
  it("is there", { skip: cases === undefined ? NO_SUITES : false }, () => assert.equal(cases?.length, 55));
  for (const one of cases ?? []) {
    it(one.id, () => {
      const whole = Uint8Array.from(Buffer.from(one.stream_base64, "base64"));
      const random = seeded(1);
      const cuts = [[whole], singleBytes(whole), ...Array.from({ length: 100 }, () => randomPieces(whole, random))];
      for (const pieces of cuts) {
        const parser = new SseParser(UNLIMITED);
        const events = pieces.flatMap((piece) => parser.push(piece));
        const seen = events.map(({ event, data, id }) => ({ event, data, id }));
        assert.deepEqual(seen, one.events);
        assert.equal(parser.lastEventId, one.last_event_id);
        assert.equal(parser.retry, one.retry);
      }
    });
  }
});

/** Bytes that are likely to mean something, with anything else among them. */
function noise(random: () => number): Uint8Array {
  const words = ["data", "id", "event", "retry", ":", " ", "\n", "\r", "\r\n", "\n\n", "\0", "1", "é", "😀", "\ufeff"];
  const parts = Array.from({ length: Math.floor(random() * 60) }, () => {
    const word = words[Math.floor(random() * words.length)] ?? "";
    return random() < 0.2 ? Uint8Array.of(Math.floor(random() * 256)) : bytes(word);
  });
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

describe("any bytes", () => {
  it("are events the same way in whatever pieces they come, under any limit", () => {
    const random = seeded(7);
    for (let round = 0; round < 3000; round += 1) {
      const whole = noise(random);
      const limit = random() < 0.5 ? UNLIMITED : Math.floor(random() * 40);
      const expected = parsed([whole], limit);
      assert.deepEqual(parsed(singleBytes(whole), limit), expected);
      for (let cut = 0; cut < 3; cut += 1) assert.deepEqual(parsed(randomPieces(whole, random), limit), expected);
    }
  });
  it("are JSON texts the same way in whatever pieces they come", () => {
    const random = seeded(11);
    const texts = (pieces: readonly Uint8Array[], encoding: "jsonl" | "json_seq", limit: number): unknown => {
      const splitter = new LineSplitter(encoding, limit);
      const found = pieces.flatMap((piece) => splitter.push(piece));
      return [found, splitter.isTooLarge, splitter.end()];
    };
    for (let round = 0; round < 1000; round += 1) {
      const whole = Uint8Array.from([...noise(random), 0x1e, ...noise(random)]);
      const limit = random() < 0.5 ? UNLIMITED : Math.floor(random() * 40);
      const encoding = random() < 0.5 ? "jsonl" : "json_seq";
      const expected = texts([whole], encoding, limit);
      assert.deepEqual(texts(singleBytes(whole), encoding, limit), expected);
      assert.deepEqual(texts(randomPieces(whole, random), encoding, limit), expected);
    }
  });
  it("may be overwritten by their owner afterwards", () => {
    const parser = new SseParser(UNLIMITED);
    const chunk = bytes("data: a");
    parser.push(chunk);
    chunk.fill(0x78);
    assert.equal(parser.push(bytes("b\n\n"))[0]?.data, "ab");
  });
});

describe("limit of one event", () => {
  const sizes: readonly (readonly [string, string, number, number])[] = [
    ["field lines, each with one byte for its end", "data: 1\nid: 2\n\n", 14, 1],
    ["a line end of two bytes counts once", "data: 1\r\nid: 2\r\n\r\n", 14, 1],
    ["finished comments do not count", ": abcdefgh\ndata: 1\n: abcdefgh\n\n", 18, 1],
    ["unknown fields count", "nope: 1\ndata: 1\n\n", 16, 1],
    ["UTF-8 bytes, not characters", "data: é😀\n\n", 13, 1],
    ["a line that is being read counts", "data: 12", 8, 0],
    ["a comment that is being read counts", ": 345678", 8, 0],
    ["each event has its own", "data: 1\n\ndata: 2\n\n", 8, 2],
  ];
  for (const [name, text, size, events] of sizes) {
    it(name, () => {
      for (const pieces of [[bytes(text)], singleBytes(bytes(text))]) {
        const fits = parsed(pieces, size) as { events: unknown[]; isTooLarge: boolean };
        assert.deepEqual([fits.events.length, fits.isTooLarge], [events, false]);
        assert.equal((parsed(pieces, size - 1) as { isTooLarge: boolean }).isTooLarge, true);
      }
    });
  }
  it("events before it are delivered, and nothing after it", () => {
    const parser = new SseParser(10);
    const events = parser.push(bytes("data: 1\n\ndata: 0123456789\n\ndata: 2\n\n"));
    assert.deepEqual([events.length, parser.isTooLarge, parser.push(bytes("data: 3\n\n")).length], [1, true, 0]);
  });
});

describe("repeats after a reconnect", () => {
  const event = (text: string): SseEvent => {
    const [id, data] = text.includes(":") ? text.split(":") : ["", text];
    return { event: "message", data: data ?? "", id: id ?? "", statesId: text.includes(":") };
  };
  /** `1:a` states its id, `b` inherits it. Which events of the second connection are new? */
  const fresh = (first: string, second: string): string => {
    const replay = new Replay();
    let id = "";
    const all = (texts: string): SseEvent[] =>
      texts.split(" ").map((text) => {
        const made = event(text);
        if (made.statesId) id = made.id;
        return { ...made, id };
      });
    for (const one of all(first)) replay.deliver(one);
    replay.restart(id);
    const kept = all(second).filter((one) => {
      if (replay.isRepeat(one)) return false;
      replay.deliver(one);
      return true;
    });
    return kept.map((one) => one.data).join(" ");
  };
  const cases: readonly (readonly [string, string, string, string])[] = [
    ["the server goes on", "1:a 2:b", "3:c 4:d", "c d"],
    ["the server starts over", "1:a 2:b", "1:a 2:b 3:c", "c"],
    ["the server repeats the last one", "1:a 2:b", "2:b 3:c", "c"],
    ["a repeat with other data is a repeat", "1:a 2:b", "1:x 2:y 3:c", "c"],
    ["the rest of a shared id", "1:a 1:b", "1:c 2:d", "c d"],
    ["a shared id from its start", "1:a 1:b", "1:a 1:b 1:c 2:d", "c d"],
    ["a shared id from its middle", "1:a 1:b", "1:b 1:c 2:d", "c d"],
    ["all, with a shared id", "0:z 1:a 1:b", "0:z 1:a 1:b 1:c 2:d", "c d"],
    ["inherited ids", "1:a b c", "1:a b c d 2:e", "d e"],
    ["all, with inherited ids", "0:z y 1:a b", "0:z y 1:a b c 2:d", "c d"],
    ["events that inherit the resumed id are new", "1:a b", "c 2:d", "c d"],
    ["a greeting without an id does not end the repeats", "1:a 2:b", "hello 1:a 2:b 3:c", "hello c"],
    ["equal data under new ids is new", "1:a 2:a", "3:a 4:a", "a a"],
    ["only as many as were delivered", "1:a 1:a", "1:a 1:a 1:a", "a"],
    ["once new, always new", "1:a 2:b", "3:c 1:a", "c a"],
  ];
  for (const [name, first, second, expected] of cases) {
    it(name, () => assert.equal(fresh(first, second), expected));
  }
  it("remembers a bounded number of ids", () => {
    const repeats = (ids: number): boolean => {
      const replay = new Replay();
      for (let id = 0; id < ids; id += 1) replay.deliver(event(`${id}:x`));
      replay.restart(String(ids - 1));
      return replay.isRepeat(event("0:x"));
    };
    assert.equal(repeats(MAX_REMEMBERED_IDS), true);
    assert.equal(repeats(MAX_REMEMBERED_IDS + 1), false);
  });
});
