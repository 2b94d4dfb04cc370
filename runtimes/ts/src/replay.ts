// Tells the events that a server sends again after a reconnect from new ones. Pure: it keeps what was delivered, and
// judges each event of the new connection.
//
// A server that heeds `Last-Event-ID` sends nothing again. One that does not starts further back: then the events of an
// id that was delivered are repeats, as many as were delivered under it, since several events may share an id. At the
// last id both are possible, the same events or the rest of them, so there the content decides.

import type { SseEvent } from "./sse.js";

/** Ids that are remembered, the latest ones. A server that goes back further than that is believed. */
export const MAX_REMEMBERED_IDS = 100_000;

/** What was delivered, and how far a server has repeated it. */
export class Replay {
  /** Events delivered under each id, those that inherited it included. */
  readonly #delivered = new Map<string, number>();
  /** The last id, and what was delivered under it. */
  #lastId = "";
  #lastEvents: number[] = [];
  #isSkipping = false;
  /** Of the current connection: events that were repeats, by id; the last id stated. */
  #repeated = new Map<string, number>();
  #statedId = "";
  #startsFurtherBack = false;

  /** Keeps an event that was delivered. */
  deliver(event: SseEvent): void {
    if (event.id === "") return;
    const before = this.#delivered.get(event.id);
    this.#delivered.set(event.id, (before ?? 0) + 1);
    if (event.id !== this.#lastId) this.#moveTo(event.id);
    if (this.#lastEvents.length < MAX_REMEMBERED_IDS) this.#lastEvents.push(fingerprint(event));
    if (before === undefined && this.#delivered.size > MAX_REMEMBERED_IDS) this.#forgetOldest();
  }

  /** A connection that resumes from this id begins. */
  restart(lastEventId: string): void {
    if (lastEventId !== this.#lastId) this.#moveTo(lastEventId);
    this.#isSkipping = true;
    this.#repeated = new Map();
    this.#statedId = "";
    this.#startsFurtherBack = false;
  }

  /** Whether an event of the current connection was delivered before. */
  isRepeat(event: SseEvent): boolean {
    if (!this.#isSkipping) return false;
    if (event.statesId) this.#statedId = event.id;
    const id = this.#statedId;
    // An event before the first stated id has inherited the id that the stream was resumed from: it comes after it.
    if (id === "") return false;
    const delivered = this.#delivered.get(id) ?? 0;
    const repeated = this.#repeated.get(id) ?? 0;
    const isLast = id === this.#lastId;
    this.#startsFurtherBack ||= !isLast && delivered > 0;
    const byContent = isLast && !this.#startsFurtherBack && this.#lastEvents.length < MAX_REMEMBERED_IDS;
    const at = byContent ? this.#lastEvents.indexOf(fingerprint(event), repeated) : repeated;
    if (at < 0 || at >= delivered) {
      this.#isSkipping = !isLast && delivered > 0;
      return false;
    }
    this.#repeated.set(id, at + 1);
    return true;
  }

  #moveTo(id: string): void {
    this.#lastId = id;
    this.#lastEvents = [];
  }

  #forgetOldest(): void {
    for (const id of this.#delivered.keys()) {
      this.#delivered.delete(id);
      return;
    }
  }
}

/** A number of 52 bits that equal events share and different ones hardly do (two lanes of FNV-1a). */
function fingerprint(event: SseEvent): number {
  const text = `${event.event}\n${event.data}`;
  let low = 0x811c9dc5;
  let high = 0x050c5d1f;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + 0x9e37), 0x01000193);
  }
  return (high >>> 12) * 0x1_0000_0000 + (low >>> 0);
}
