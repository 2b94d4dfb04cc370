// A scripted server of streams. Each request is answered by one connection: pieces of a body, then a clean end, a reset
// or silence. Waits are not spent: whatever is waited for is over once nothing else can happen.

import { ClientCore, openStream } from "../dist/index.js";
import type {
  ApiDescriptor,
  ClientOptions,
  Diagnostic,
  EventStream,
  RetryContext,
  StreamDescriptor,
  StreamEvent,
  StreamingDescriptor,
  StreamItem,
  StreamOptions,
} from "../dist/index.js";
import { bytes } from "./pieces.ts";
import { ANY, API, NOW, read } from "./support.ts";
import type { Args, Op, Sent } from "./support.ts";

export interface Connection {
  readonly send?: string | readonly Uint8Array[];
  /** Default: a clean end. */
  readonly end?: "close" | "reset" | "stall";
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** `fetch` itself fails. */
  readonly refuses?: true;
}

export type StreamOp = StreamingDescriptor<Args, unknown, EventStream<unknown>>;

/** A read whose answer is a stream of events of any JSON. */
export function events(
  stream: Partial<StreamDescriptor<EventStream<unknown>>> = {},
  changes: Partial<Op> = {},
): StreamOp {
  return {
    ...read({
      id: "shop.watch",
      path: "/events",
      responses: [{ status: 200, kind: "success", mediaType: "text/event-stream", encoding: "sse", schema: ANY }],
      ...changes,
    }),
    stream: { open: openStream, ...stream },
  };
}

export interface StreamBench {
  readonly core: ClientCore;
  readonly sent: Sent[];
  /** Waits that came to their end, in milliseconds. */
  readonly waits: number[];
  readonly diagnostics: Diagnostic[];
  readonly retries: RetryContext[];
  /** Connections that the client ended itself. */
  readonly closed: number[];
  open(operation: StreamOp, args?: Args, options?: StreamOptions): EventStream<unknown>;
}

/** A client of a scripted server; `script` gives the connection for each request, counted from 0. */
export function streamBench(
  script: readonly Connection[] | ((request: number, sent: Sent) => Connection),
  options: ClientOptions = {},
  api: Partial<ApiDescriptor> = {},
): StreamBench {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const diagnostics: Diagnostic[] = [];
  const retries: RetryContext[] = [];
  const closed: number[] = [];
  const pending = new Set<{ ms: number; over: () => void }>();
  let now = NOW;
  let turn: NodeJS.Immediate | null = null;
  // Everything else here happens in microtasks: at the next turn of the loop only waiting is left.
  const pass = (): void => {
    turn = null;
    const next = [...pending].sort((a, b) => a.ms - b.ms)[0];
    if (next === undefined) return;
    pending.delete(next);
    waits.push(next.ms);
    now += next.ms;
    next.over();
    if (pending.size > 0) turn = setImmediate(pass);
  };
  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const wait = { ms, over: resolve };
      pending.add(wait);
      signal.addEventListener("abort", () => {
        pending.delete(wait);
        reject(STOPPED);
      });
      turn ??= setImmediate(pass);
    });
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const body = typeof init.body === "string" ? init.body : null;
    const headers = init.headers as Record<string, string>;
    sent.push({ method: init.method ?? "", url, headers, body, redirect: init.redirect });
    const number = sent.length - 1;
    const last = sent[number];
    const connection = typeof script === "function" && last !== undefined ? script(number, last) : listed(number);
    if (connection === undefined) throw new Error("request beyond the script");
    if (connection.refuses === true) throw new TypeError("fetch failed");
    const status = connection.status ?? 200;
    const bodiless = status === 204;
    return new Response(bodiless ? null : bodyOf(connection, () => closed.push(number)), {
      status,
      headers: { "content-type": "text/event-stream", ...connection.headers },
    });
  };
  const listed = (number: number): Connection | undefined =>
    typeof script === "function" ? undefined : script[number];
  const core = new ClientCore(
    { ...API, ...api },
    {
      fetch,
      sleep,
      now: () => now,
      random: () => 0.5,
      onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
      middleware: [{ onRetry: (context) => void retries.push(context) }],
      ...options,
    },
  );
  const open = (operation: StreamOp, args: Args = {}, streamOptions: StreamOptions = {}): EventStream<unknown> =>
    core.stream(operation, args, streamOptions);
  return { core, sent, waits, diagnostics, retries, closed, open };
}

const STOPPED = new Error("stopped");

function bodyOf(connection: Connection, onClose: () => void): ReadableStream<Uint8Array> {
  const { send = "", end = "close" } = connection;
  const pieces = typeof send === "string" ? [bytes(send)] : [...send];
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[at];
        at += 1;
        if (piece !== undefined) {
          // An empty piece would not end the wait for this one.
          return piece.length === 0 ? this.pull?.(controller) : controller.enqueue(piece.slice());
        }
        if (end === "close") return controller.close();
        if (end === "reset") return controller.error(new Error("reset"));
        return new Promise(() => undefined);
      },
      cancel: onClose,
    },
    { highWaterMark: 0 },
  );
}

export async function all(stream: EventStream<unknown>): Promise<StreamItem<unknown>[]> {
  const items: StreamItem<unknown>[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** Values of the events, and the category of the failure at the end. */
export function outline(items: readonly StreamItem<unknown>[]): unknown[] {
  return items.map((item) => (item.ok ? item.value : item.error.category));
}

export function eventsOf(items: readonly StreamItem<unknown>[]): StreamEvent<unknown>[] {
  return items.filter((item): item is StreamEvent<unknown> => item.ok);
}
