// What the stream tests share: where the published suites are, seeded randomness, and ways to cut bytes.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const shared = process.env["TUNGSTEN_SHARED"] ?? join(root, "../shared");

/** A file of the published suites; `null` where they are not there. */
export function suite(path: string): unknown {
  const file = join(shared, "suites", path);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

export const NO_SUITES = "skipped: no ../shared";

/** Random numbers in `0..1` that a seed decides (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function singleBytes(whole: Uint8Array): Uint8Array[] {
  return Array.from(whole, (_, at) => whole.subarray(at, at + 1));
}

/** Cuts at random places, empty pieces included. */
export function randomPieces(whole: Uint8Array, random: () => number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const longest = 1 + random() * random() * whole.length;
  for (let at = 0; at < whole.length;) {
    const length = Math.floor(random() * longest);
    pieces.push(whole.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
