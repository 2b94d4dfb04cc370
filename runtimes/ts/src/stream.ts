// A call whose answer is a stream of items: server-sent events, which are resumed when a connection drops, or JSON texts
// one after another. Reads what `sse.ts` and `lines.ts` make of the bytes; requests go through `pipeline.ts`. Nothing
// here throws: a failure is the last item. Waits, clock and randomness are the client's.

import { judge, reportedIssue, requestId, unexpected, wrongType } from "./answer.js";
import { isReplayable } from "./body.js";
import { classifyLoss } from "./classify.js";
import type { AnyOperation, Loss, Verdict } from "./classify.js";
import { jsonValue, mediaTypeOf } from "./decode.js";
import type { ResponseDescriptor } from "./descriptor.js";
import { isHeaderValue } from "./encode.js";
import type { Envelope } from "./envelope.js";
import { descriptorFailure, failure } from "./failure.js";
import { flagged } from "./flag.js";
import { LineSplitter } from "./lines.js";
import type { StreamOptions } from "./options.js";
import { attemptTimeoutMs, finished, newProgress, openCall, reopenCall, unforeseen, waited } from "./pipeline.js";
import type { OpenedCall } from "./pipeline.js";
import { truncate } from "./redact.js";
import { Replay } from "./replay.js";
import { mergedAccept } from "./request.js";
import type { Failed, ResponseMeta } from "./result.js";
import type { Progress, Reception, Runtime } from "./runtime.js";
import { deref } from "./shape.js";
import { SseParser } from "./sse.js";
import type { SseEvent } from "./sse.js";
import { readPiece } from "./transport.js";

const DEFAULT_MAX_EVENT_BYTES = 1024 * 1024;
const DEFAULT_MAX_RECONNECTS = 3;
const DEFAULT_RECONNECT_MAX_MS = 30_000;
/** Wait before a reconnect where the server asks for none. */
const DEFAULT_RETRY_MS = 250;
/** Share of a wait that randomness may take off. */
const JITTER = 0.25;

/** Facts about the answer behind an event. */
export interface StreamMeta extends ResponseMeta {
  /** Times that the stream was reconnected so far. */
  readonly reconnects: number;
}

/** One item of a stream. */
export interface StreamEvent<T> {
  readonly ok: true;
  readonly value: T;
  /** Name of the event; `message` where the stream names none. */
  readonly event: string;
  /** The last id that the stream stated; `null`: none. */
  readonly id: string | null;
  /** Reconnection time that the server asked for, in milliseconds. */
  readonly retry: number | null;
  readonly meta: StreamMeta;
}

/** What a stream yields: events, and as its last item the failure that ended it, if one did. */
export type StreamItem<T> = StreamEvent<T> | Failed;

/** What a helper made of a stream; after a failure `partial` is what it had made before. */
export type Folded<A> =
  | { readonly ok: true; readonly value: A; readonly reconnects: number }
  | { readonly ok: false; readonly error: Envelope; readonly partial: A; readonly reconnects: number };

/** A function for each event name; `*` takes the others. */
export type EventHandlers<T> = Readonly<Record<string, (event: StreamEvent<T>) => void | Promise<void>>>;

/**
 * The items of a call, for `for await` or one of the methods. The request is sent when the first item is asked for.
 * Leaving the loop closes the connection. A stream is read once.
 */
export class EventStream<T> implements AsyncIterableIterator<StreamItem<T>> {
  readonly #items: AsyncGenerator<StreamItem<T>, void, undefined>;
  readonly #control = new Control();

  /** Made by `openStream`. */
  constructor(items: (control: Control) => AsyncGenerator<StreamItem<T>, void, undefined>) {
    this.#items = items(this.#control);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Times that the stream was reconnected so far. */
  get reconnects(): number {
    return this.#control.reconnects;
  }

  next(): Promise<IteratorResult<StreamItem<T>, void>> {
    return this.#items.next();
  }

  return(): Promise<IteratorResult<StreamItem<T>, void>> {
    this.cancel();
    return this.#items.return(undefined);
  }

  /** Ends the stream, also while an item is waited for: the connection closes and no failure is reported. */
  cancel(): void {
    this.#control.isCancelled = true;
    this.#control.stop.abort();
    void this.#items.return(undefined);
  }

  /** Hands each event to the function under its name, or under `*`; the value is the number of events. */
  on(handlers: EventHandlers<T>): Promise<Folded<number>> {
    return this.reduce(async (count, event) => {
      const handler = Object.hasOwn(handlers, event.event) ? handlers[event.event] : handlers["*"];
      await handler?.(event);
      return count + 1;
    }, 0);
  }

  /** All events in order. A stream that never ends fills the memory: bound it with `first` or a loop. */
  collect(): Promise<Folded<readonly StreamEvent<T>[]>> {
    const events: StreamEvent<T>[] = [];
    return this.reduce<readonly StreamEvent<T>[]>((_, event) => {
      events.push(event);
      return events;
    }, events);
  }

  /** Folds the events into one value, for example text out of its pieces. */
  async reduce<A>(fold: (value: A, event: StreamEvent<T>) => A | Promise<A>, initial: A): Promise<Folded<A>> {
    let value = initial;
    for await (const item of this) {
      if (!item.ok) return { ok: false, error: item.error, partial: value, reconnects: this.reconnects };
      value = await fold(value, item);
    }
    return { ok: true, value, reconnects: this.reconnects };
  }

  /** The first event that `fits`, or `undefined` when there is none; closes the stream. */
  async first(fits: (event: StreamEvent<T>) => boolean = () => true): Promise<Folded<StreamEvent<T> | undefined>> {
    for await (const item of this) {
      if (!item.ok) return { ok: false, error: item.error, partial: undefined, reconnects: this.reconnects };
      if (fits(item)) return { ok: true, value: item, reconnects: this.reconnects };
    }
    return { ok: true, value: undefined, reconnects: this.reconnects };
  }
}

/** What a stream object and its items share. */
class Control {
  /** Ends whatever is waited for. */
  readonly stop = new AbortController();
  /** Whether it was the stream object that ended the stream: then nobody asks for a failure. */
  isCancelled = false;
  reconnects = 0;
}

/** Opens the stream that a descriptor describes. */
export function openStream<T>(
  runtime: Runtime,
  operation: AnyOperation,
  args: unknown,
  options: StreamOptions,
): EventStream<T> {
  return new EventStream<T>((control) => {
    const items = guarded(runtime, operation, args, options, control);
    // The descriptor's type parameter says what the values are.
    return items as AsyncGenerator<StreamItem<T>, void, undefined>;
  });
}

type Items<R> = AsyncGenerator<StreamItem<unknown>, R, undefined>;

/** Turns the caller's signal into a stop and whatever is thrown below into a failure; tells the hooks the result. */
async function* guarded(
  runtime: Runtime,
  operation: AnyOperation,
  args: unknown,
  options: StreamOptions,
  control: Control,
): Items<void> {
  const over = new AbortController();
  const stop = (): void => control.stop.abort();
  if (options.signal?.aborted === true) stop();
  options.signal?.addEventListener("abort", stop, { once: true, signal: over.signal });
  const progress = newProgress(runtime);
  let last: Failed | null = null;
  try {
    const stoppable = { ...options, signal: control.stop.signal };
    for await (const item of items(runtime, operation, args, stoppable, control, progress)) {
      if (!item.ok) last = item;
      yield item;
    }
  } catch (error) {
    last = failure(operation, progress.scrub, unforeseen(operation, error, 1));
    yield last;
  } finally {
    over.abort();
    await finished(runtime, operation, progress, last?.error ?? null);
  }
}

/** Connection after connection. */
async function* items(
  runtime: Runtime,
  operation: AnyOperation,
  args: unknown,
  options: StreamOptions,
  control: Control,
  progress: Progress,
): Items<void> {
  const row = streamRow(operation);
  if (row === undefined) {
    yield descriptorFailure(operation, progress.scrub, "a success response that is a stream");
    return;
  }
  const position = new Position(row, settingsOf(runtime, options), control);
  let result = await openCall(runtime, operation, flagged(operation, args), options, reception(row, null), progress);
  for (;;) {
    if (!result.ok) {
      if (!control.isCancelled) yield result;
      return;
    }
    const call = { ...result.value, meta: result.meta };
    const drop = yield* connection(call, position);
    if (drop === null || (drop.loss === "cancelled" && control.isCancelled)) return;
    const failed = dropFailure(call, drop, control.reconnects);
    if (!canResume(call, drop, position)) {
      await runtime.hooks.diagnostic({ kind: "failure", operation: operation.id, error: failed.error });
      yield failed;
      return;
    }
    const delayMs = reconnectDelayMs(position.retry, position.settings.reconnectMaxMs, runtime.random());
    const attempt = progress.sent;
    await runtime.hooks.retry({ call: progress.call, operation: operation.id, attempt, delayMs, error: failed.error });
    if (!(await waited(runtime, delayMs, options.signal))) {
      if (!control.isCancelled) yield dropFailure(call, { loss: "cancelled", isIdle: false }, control.reconnects);
      return;
    }
    control.reconnects += 1;
    position.restart();
    result = await reopenCall(call.exchange, reception(row, position.lastEventId));
  }
}

// ---- Requests ----

/** The response that is streamed: events before JSON texts. */
export function streamRow(operation: AnyOperation): ResponseDescriptor | undefined {
  const rows = operation.responses.filter((row) => row.kind === "success");
  const encoded = (encoding: string): ResponseDescriptor | undefined => rows.find((row) => row.encoding === encoding);
  return encoded("sse") ?? encoded("jsonl") ?? encoded("json_seq");
}

const JSON_LINES = /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|stream\+json)$/;

function isStreamType(row: ResponseDescriptor, contentType: string | undefined): boolean {
  const mediaType = mediaTypeOf(contentType);
  if (row.encoding === "sse") return mediaType === "text/event-stream";
  if (mediaType === "" || mediaType === mediaTypeOf(row.mediaType)) return true;
  return row.encoding === "jsonl" && JSON_LINES.test(mediaType);
}

/** `lastEventId` is that of the stream so far; `null` on the first connection. */
function reception(row: ResponseDescriptor, lastEventId: string | null): Reception {
  const mediaType = row.encoding === "sse" ? "text/event-stream" : (row.mediaType ?? "application/jsonl");
  return {
    accept: (_, given) => mergedAccept(mediaType, given),
    headers: lastEventId === null || lastEventId === "" ? {} : { "last-event-id": headerBytes(lastEventId) },
    // 204 tells a client that reconnects to stop (WHATWG HTML, section 9.2.2).
    opens: ({ status, headers }) =>
      (status === 204 && lastEventId !== null) ||
      (status >= 200 && status <= 299 && status !== 204 && isStreamType(row, headers["content-type"])),
    success: (exchange, answer) => Promise.resolve(wrongType(exchange, answer, [{ ...row, mediaType }])),
  };
}

/** The UTF-8 bytes of an id as header text, which `fetch` takes byte by byte. */
function headerBytes(id: string): string {
  return Array.from(new TextEncoder().encode(id), (byte) => String.fromCharCode(byte)).join("");
}

// ---- Settings, position ----

interface Settings {
  readonly maxEventBytes: number;
  readonly maxReconnects: number;
  readonly reconnectMaxMs: number;
  /** `Infinity`: none. */
  readonly idleTimeoutMs: number;
  /** What the wait for the next bytes is bounded by. */
  readonly silenceMs: number;
}

function settingsOf(runtime: Runtime, options: StreamOptions): Settings {
  const client = runtime.options;
  const idleTimeoutMs = positive(options.idleTimeoutMs ?? client.idleTimeoutMs, Infinity);
  return {
    maxEventBytes: positive(client.maxEventBytes, DEFAULT_MAX_EVENT_BYTES),
    maxReconnects: Math.max(0, numberOr(options.maxReconnects ?? client.maxReconnects, DEFAULT_MAX_RECONNECTS)),
    reconnectMaxMs: Math.max(0, numberOr(options.reconnectMaxMs ?? client.reconnectMaxMs, DEFAULT_RECONNECT_MAX_MS)),
    idleTimeoutMs,
    silenceMs: idleTimeoutMs === Infinity ? attemptTimeoutMs(runtime, options) : idleTimeoutMs,
  };
}

function numberOr(value: number | undefined, otherwise: number): number {
  return value === undefined || Number.isNaN(value) ? otherwise : value;
}

function positive(value: number | undefined, otherwise: number): number {
  return value !== undefined && value > 0 ? value : otherwise;
}

/** Where a stream is: what outlives a connection. */
class Position {
  readonly row: ResponseDescriptor;
  readonly settings: Settings;
  readonly control: Control;
  readonly replay = new Replay();
  lastEventId = "";
  retry: number | null = null;
  delivered = 0;

  constructor(row: ResponseDescriptor, settings: Settings, control: Control) {
    this.row = row;
    this.settings = settings;
    this.control = control;
  }

  get isResumable(): boolean {
    return this.row.encoding === "sse" && this.settings.maxReconnects > 0;
  }

  restart(): void {
    this.replay.restart(this.lastEventId);
  }

  deliver(event: SseEvent): void {
    this.delivered += 1;
    if (this.isResumable) this.replay.deliver(event);
  }
}

// ---- One connection ----

interface Connection extends OpenedCall {
  readonly meta: ResponseMeta;
}

/** Why a connection ended before its stream did. */
interface Drop {
  readonly loss: Loss;
  readonly isIdle: boolean;
}

/** The items of one connection; returns why it dropped, or `null` when the stream is over. */
async function* connection(call: Connection, position: Position): Items<Drop | null> {
  const { exchange, opened } = call;
  const { runtime } = exchange;
  const { settings, control } = position;
  const signal = control.stop.signal;
  const done = exchange.ready.operation.stream?.done;
  const isLines = position.row.encoding !== "sse";
  if (opened.status === 204 && control.reconnects > 0) return null;
  const frames = isLines ? new LineFrames(position) : new EventFrames(position);
  const reader = opened.body?.getReader();
  const over = new AbortController();
  const close = (): void => {
    reader?.cancel().catch(() => undefined);
    opened.close();
  };
  // A caller that waits for nothing at the moment still wants the connection to end.
  signal.addEventListener("abort", close, { once: true, signal: over.signal });
  try {
    for (;;) {
      const options = { sleep: runtime.sleep, silenceMs: settings.silenceMs, signal };
      const piece = reader === undefined ? ({ kind: "end" } as const) : await readPiece(reader, options);
      if (piece.kind === "lost") {
        return { loss: piece.loss, isIdle: piece.loss === "timeout" && settings.idleTimeoutMs !== Infinity };
      }
      for (const event of piece.kind === "end" ? frames.end() : frames.push(piece.bytes)) {
        if (done !== undefined && (isLines ? event.data.trim() : event.data) === done) return null;
        if (position.replay.isRepeat(event)) continue;
        const value = await valueOf(call, position, event.data);
        if ("error" in value) {
          yield* reportedFailure(call, value);
          return null;
        }
        position.deliver(event);
        yield {
          ok: true,
          value: value.value,
          event: event.event,
          id: event.id === "" ? null : event.id,
          retry: position.retry,
          meta: { ...call.meta, reconnects: control.reconnects },
        };
        if (signal.aborted) return { loss: "cancelled", isIdle: false };
      }
      if (frames.isTooLarge) {
        const expected = `an event of at most ${settings.maxEventBytes} bytes`;
        const issue = { expected, received: null, at: `events[${position.delivered}]` };
        yield* reportedFailure(call, unexpected(exchange, opened, issue, undefined));
        return null;
      }
      if (piece.kind !== "end") continue;
      const isEnd = isLines || done === undefined || settings.maxReconnects === 0;
      return isEnd ? null : { loss: "lost", isIdle: false };
    }
  } finally {
    over.abort();
    close();
  }
}

async function* reportedFailure(call: Connection, failed: Failed): Items<void> {
  const { runtime, ready } = call.exchange;
  await runtime.hooks.diagnostic({ kind: "failure", operation: ready.operation.id, error: failed.error });
  yield failed;
}

/** What makes events of the bytes of one connection. */
interface Frames {
  readonly isTooLarge: boolean;
  push(bytes: Uint8Array): readonly SseEvent[];
  end(): readonly SseEvent[];
}

class EventFrames implements Frames {
  readonly #position: Position;
  readonly #parser: SseParser;

  constructor(position: Position) {
    this.#position = position;
    this.#parser = new SseParser(position.settings.maxEventBytes, position.lastEventId, position.retry);
  }

  get isTooLarge(): boolean {
    return this.#parser.isTooLarge;
  }

  push(bytes: Uint8Array): readonly SseEvent[] {
    const events = this.#parser.push(bytes);
    this.#position.lastEventId = this.#parser.lastEventId;
    this.#position.retry = this.#parser.retry;
    return events;
  }

  /** An event that is still open at the end is none. */
  end(): readonly SseEvent[] {
    return [];
  }
}

class LineFrames implements Frames {
  readonly #splitter: LineSplitter;

  constructor(position: Position) {
    const encoding = position.row.encoding === "json_seq" ? "json_seq" : "jsonl";
    this.#splitter = new LineSplitter(encoding, position.settings.maxEventBytes);
  }

  get isTooLarge(): boolean {
    return this.#splitter.isTooLarge;
  }

  push(bytes: Uint8Array): readonly SseEvent[] {
    return this.#splitter.push(bytes).map(lineEvent);
  }

  end(): readonly SseEvent[] {
    return this.#splitter.end().map(lineEvent);
  }
}

function lineEvent(data: string): SseEvent {
  return { event: "message", data, id: "", statesId: false };
}

/** The value of an event's data, checked as the client asks. */
async function valueOf(
  call: Connection,
  position: Position,
  data: string,
): Promise<{ readonly value: unknown } | Failed> {
  const { exchange, opened } = call;
  const { schema } = position.row;
  const place = `events[${position.delivered}]`;
  const isString = schema !== undefined && deref(schema).kind === "string";
  let value: unknown = data;
  if (exchange.ready.operation.stream?.text !== true) {
    try {
      const json = jsonValue(data, schema);
      // Servers send the text itself as often as its JSON form.
      value = isString && typeof json !== "string" ? data : json;
    } catch {
      if (!isString) {
        const received = truncate(data);
        return reportedIssue(exchange, opened, { expected: "a JSON value", received, at: place }, data);
      }
    }
  }
  return schema === undefined ? { value } : judge(exchange, opened, schema, value, place);
}

// ---- Drops ----

/** Whether the request may be sent again, and the stream goes on where it was. */
function canResume(call: Connection, drop: Drop, position: Position): boolean {
  const { ready, protection, body } = call.exchange;
  const { control, settings, lastEventId, delivered } = position;
  if (drop.loss === "cancelled" || (drop.loss === "timeout" && !drop.isIdle)) return false;
  if (!position.isResumable || control.reconnects >= settings.maxReconnects) return false;
  if (body !== null && !isReplayable(body)) return false;
  if (ready.operation.safety !== "read_only" && protection === null) return false;
  return lastEventId === "" ? delivered === 0 : isHeaderValue(headerBytes(lastEventId));
}

/**
 * Wait before a reconnect, in milliseconds: what the server asked for, capped, and up to a quarter less, so that the
 * clients of a server that restarts do not come back at once; `unit` is a random number in `0.0..1.0`.
 */
export function reconnectDelayMs(retry: number | null, maxMs: number, unit: number): number {
  const capped = Math.min(retry ?? DEFAULT_RETRY_MS, maxMs);
  return Math.min(maxMs, Math.round(capped * (1 - JITTER * unit)));
}

function dropFailure(call: Connection, drop: Drop, reconnects: number): Failed {
  const { exchange, opened } = call;
  const { operation, scrub } = exchange.ready;
  const own = failure(operation, scrub, {
    ...dropVerdict(operation, drop, call),
    http_status: opened.status,
    request_id: requestId(opened),
    attempts: exchange.progress.sent,
  });
  if (reconnects === 0) return own;
  const count = `The stream was reconnected ${reconnects === 1 ? "once" : `${reconnects} times`}.`;
  return { ...own, error: { ...own.error, remediation: `${own.error.remediation} ${count}` } };
}

function dropVerdict(operation: AnyOperation, drop: Drop, call: Connection): Verdict {
  const verdict = classifyLoss(operation, drop.loss, true, call.exchange.protection);
  if (!drop.isIdle) return verdict;
  const advice = { remediation: "Wait, then call again, with a longer idleTimeoutMs if needed." };
  return { ...verdict, code: "STREAM_IDLE", ...(operation.safety === "read_only" ? advice : {}) };
}
