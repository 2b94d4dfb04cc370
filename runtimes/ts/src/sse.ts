// Parses server-sent events (WHATWG HTML, section 9.2.6): bytes in, events out, in whatever pieces they arrive. Pure:
// one parser reads one connection; reconnecting, JSON and types are left to `stream.ts`.

import { ByteBuffer } from "./bytes.js";

/** One event, as it was dispatched by a blank line. */
export interface SseEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  readonly data: string;
  /** The id that holds for the event: its own, or the last one before it; empty when there is none. */
  readonly id: string;
  /** Whether the event's own block states the id. */
  readonly statesId: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const BOM = [0xef, 0xbb, 0xbf];

/** Reads the events of one connection. */
export class SseParser {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #maxEventBytes: number;
  readonly #line = new ByteBuffer();
  /** Until the first three bytes are known. */
  #mayHaveBom = true;
  #skipsLf = false;
  #isTooLarge = false;
  /** Bytes of the field lines of the open event, each with one byte for its end. */
  #eventBytes = 0;
  #data: string[] = [];
  #event = "";
  #id: string;
  #statesId = false;
  #lastEventId: string;
  #retry: number | null;

  /** `lastEventId` and `retry` are what an earlier connection left. */
  constructor(maxEventBytes: number, lastEventId = "", retry: number | null = null) {
    this.#maxEventBytes = maxEventBytes;
    this.#id = lastEventId;
    this.#lastEventId = lastEventId;
    this.#retry = retry;
  }

  /** The id that the last blank line committed: what a reconnect resumes from. Empty: nothing. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** The reconnection time that the server asked for, in milliseconds. */
  get retry(): number | null {
    return this.#retry;
  }

  /** Whether an event passed the limit; nothing is read from then on. */
  get isTooLarge(): boolean {
    return this.#isTooLarge;
  }

  /** The events that these bytes complete. */
  push(bytes: Uint8Array): readonly SseEvent[] {
    const events: SseEvent[] = [];
    let start = 0;
    for (let at = 0; at < bytes.length && !this.#isTooLarge; at += 1) {
      const byte = bytes[at];
      if (this.#skipsLf) {
        this.#skipsLf = false;
        if (byte === LF) {
          start = at + 1;
          continue;
        }
      }
      if (byte !== LF && byte !== CR) continue;
      this.#skipsLf = byte === CR;
      this.#keep(bytes.subarray(start, at));
      start = at + 1;
      if (!this.#isTooLarge) this.#endLine(events);
    }
    if (!this.#isTooLarge) this.#keep(bytes.subarray(start));
    return events;
  }

  /** Adds to the line that is being read. The limit is checked here, so that it does not depend on the pieces. */
  #keep(bytes: Uint8Array): void {
    this.#line.add(bytes);
    if (this.#mayHaveBom && this.#line.length < BOM.length) return;
    if (this.#mayHaveBom) this.#dropBom();
    if (this.#eventBytes + this.#line.length > this.#maxEventBytes) this.#giveUp();
  }

  #dropBom(): void {
    this.#mayHaveBom = false;
    const bytes = this.#line.take();
    this.#line.add(BOM.every((byte, at) => bytes[at] === byte) ? bytes.subarray(BOM.length) : bytes);
  }

  #giveUp(): void {
    this.#isTooLarge = true;
    this.#line.take();
    this.#data = [];
  }

  #endLine(events: SseEvent[]): void {
    const line = this.#line.take();
    this.#mayHaveBom = false;
    if (line.length === 0) return this.#dispatch(events);
    if (line[0] === COLON) return;
    this.#eventBytes += line.length + 1;
    if (this.#eventBytes > this.#maxEventBytes) return this.#giveUp();
    const colon = line.indexOf(COLON);
    const field = this.#text(colon < 0 ? line : line.subarray(0, colon));
    const value = colon < 0 ? "" : this.#text(line.subarray(colon + 1)).replace(/^ /, "");
    this.#field(field, value);
  }

  /** Line ends are never part of a longer UTF-8 sequence, so that lines can be decoded one by one. */
  #text(bytes: Uint8Array): string {
    return this.#decoder.decode(bytes);
  }

  #field(field: string, value: string): void {
    switch (field) {
      case "data":
        this.#data.push(value);
        return;
      case "event":
        this.#event = value;
        return;
      case "id":
        if (value.includes("\0")) return;
        this.#id = value;
        this.#statesId = true;
        return;
      case "retry":
        if (/^[0-9]+$/.test(value)) this.#retry = Number(value);
    }
  }

  /** A blank line: it commits the id, also where there is no data and hence no event. */
  #dispatch(events: SseEvent[]): void {
    this.#lastEventId = this.#id;
    if (this.#data.length > 0) {
      const event = this.#event === "" ? "message" : this.#event;
      events.push({ event, data: this.#data.join("\n"), id: this.#id, statesId: this.#statesId });
    }
    this.#data = [];
    this.#event = "";
    this.#statesId = false;
    this.#eventBytes = 0;
  }
}
