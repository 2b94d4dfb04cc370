// Splits a stream of JSON texts: one a line (JSON lines), or each after a record separator (RFC 7464). Pure: bytes in,
// texts out, in whatever pieces they arrive; parsing them is left to `stream.ts`.

import { ByteBuffer } from "./bytes.js";

const LF = 0x0a;
const RECORD_SEPARATOR = 0x1e;

/** Splits the JSON texts of one connection. Blank ones are left out. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  readonly #maxBytes: number;
  readonly #separator: number;
  readonly #text = new ByteBuffer();
  #isTooLarge = false;

  constructor(encoding: "jsonl" | "json_seq", maxBytes: number) {
    this.#separator = encoding === "jsonl" ? LF : RECORD_SEPARATOR;
    this.#maxBytes = maxBytes;
  }

  /** Whether a text passed the limit; nothing is read from then on. */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  /** The texts that these bytes complete. */
  push(bytes: Uint8Array): readonly string[] {
    const texts: string[] = [];
    let start = 0;
    while (!this.#isTooLarge) {
      const at = bytes.indexOf(this.#separator, start);
      this.#keep(bytes.subarray(start, at < 0 ? undefined : at));
      if (at < 0) break;
      if (!this.#isTooLarge) this.#end(texts);
      start = at + 1;
    }
    return texts;
  }

  /** The text that the end of the body completes: the last one needs nothing after it. */
  end(): readonly string[] {
    const texts: string[] = [];
    this.#end(texts);
    return texts;
  }

  #keep(bytes: Uint8Array): void {
    this.#text.add(bytes);
    if (this.#text.length <= this.#maxBytes) return;
    this.#isTooLarge = true;
    this.#text.take();
  }

  #end(texts: string[]): void {
    const text = this.#decoder.decode(this.#text.take());
    if (text.trim() !== "") texts.push(text);
  }
}
