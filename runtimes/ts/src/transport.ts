// The only file that touches the network: sends one request with `fetch`, never follows a redirect, and reads the whole
// answer within the attempt's time, or hands its body on to be read piece by piece. What an answer or a loss means is
// left to `classify.ts`.

import type { Loss } from "./classify.js";
import { bytesOf, setMember } from "./json.js";

/** The part of `fetch` that the runtime uses. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

/** Why a wait is made: the call rests before it goes on (the default), or the time of an attempt is measured. */
export type SleepRole = "pause" | "limit";

/**
 * Waits; rejects when the signal is aborted. A hook for tests: one that keeps a clock of its own can let time pass when
 * all that is left are waits, and the role says whether a call stands still or is on the network meanwhile.
 */
export type Sleep = (ms: number, signal: AbortSignal, role?: SleepRole) => Promise<void>;

/** One request on its way. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array> | null;
}

/** A complete answer. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** An answer whose body is still to be read. */
export interface Opened {
  readonly kind: "opened";
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadableStream<Uint8Array> | null;
  /** Ends the connection. */
  close(): void;
}

/** What the head of an answer says. */
export type Head = Pick<Opened, "status" | "headers">;

/** No complete answer. */
export interface Lost {
  readonly kind: "lost";
  readonly loss: Loss;
  /** False when the request surely did not reach the server. */
  readonly written: boolean;
  /** Status of an answer whose body was lost. */
  readonly status: number | null;
}

/** What sending one request needs. */
export interface SendOptions {
  readonly fetch: FetchLike;
  readonly sleep: Sleep;
  /** Time for the whole attempt, the body included; not positive or not finite: no limit. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Whether the body behind a head is left to the caller; never, when absent. */
  readonly opens?: ((head: Head) => boolean) | undefined;
}

/** Sends a request and reads its answer, or its head alone. Never rejects. */
export async function send(
  request: WireRequest,
  options: SendOptions & { readonly opens?: undefined },
): Promise<Answer | Lost>;
export async function send(request: WireRequest, options: SendOptions): Promise<Answer | Opened | Lost>;
export async function send(request: WireRequest, options: SendOptions): Promise<Answer | Opened | Lost> {
  if (options.signal?.aborted === true) return { kind: "lost", loss: "cancelled", written: false, status: null };
  const attempt = new AbortController();
  const settled = new AbortController();
  let status: number | null = null;
  const exchange = async (): Promise<Answer | Opened | Lost> => {
    try {
      const response = await options.fetch(request.url, requestInit(request, attempt.signal));
      status = response.status;
      const headers = headersOf(response.headers);
      if (options.opens?.({ status, headers }) === true) {
        const close = (): void => attempt.abort();
        return { kind: "opened", status, headers, body: response.body, close };
      }
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { kind: "answer", status, headers, bytes };
    } catch (error) {
      const connect = status === null && neverConnected(error);
      return { kind: "lost", loss: connect ? "connect" : "lost", written: !connect, status };
    }
  };
  const stopped = (loss: Loss): Lost => ({ kind: "lost", loss, written: true, status });
  const racers: Promise<Answer | Opened | Lost>[] = [
    exchange(),
    cancelled(options.signal, settled.signal).then(() => stopped("cancelled")),
  ];
  if (options.timeoutMs > 0 && Number.isFinite(options.timeoutMs)) {
    racers.push(patient(options.sleep, options.timeoutMs, settled.signal).then(() => stopped("timeout")));
  }
  // A `fetch` that ignores its signal must not hold the caller: the race ends without it.
  const outcome = await Promise.race(racers);
  settled.abort();
  if (outcome.kind === "lost") attempt.abort();
  return outcome;
}

/** The next piece of a body, or why there is none. */
export type Piece =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "lost"; readonly loss: Loss };

/** What reading a body piece by piece needs. */
export interface ReadOptions {
  readonly sleep: Sleep;
  /** Longest silence; not positive or not finite: no limit. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

/** Waits for the next piece of a body. Never rejects. */
export function readPiece(reader: ReadableStreamDefaultReader<Uint8Array>, options: ReadOptions): Promise<Piece> {
  // No `Promise.race`: the signal lives as long as the body, and each race would leave a listener on it.
  return new Promise((resolve) => {
    const settled = new AbortController();
    const settle = (piece: Piece): void => {
      settled.abort(STOPPED);
      resolve(piece);
    };
    const lose = (loss: Loss) => (): void => settle({ kind: "lost", loss });
    if (options.signal.aborted) return lose("cancelled")();
    options.signal.addEventListener("abort", lose("cancelled"), { once: true, signal: settled.signal });
    if (options.silenceMs > 0 && Number.isFinite(options.silenceMs)) {
      void patient(options.sleep, options.silenceMs, settled.signal).then(lose("timeout"));
    }
    reader.read().then(({ done, value }) => {
      if (done) return settle({ kind: "end" });
      const bytes = bytesOf(value);
      return bytes === null ? lose("lost")() : settle({ kind: "bytes", bytes });
    }, lose("lost"));
  });
}

function requestInit(request: WireRequest, signal: AbortSignal): RequestInit {
  const { body } = request;
  const init: RequestInit & { duplex?: "half" } = {
    method: request.method,
    headers: { ...request.headers },
    // `fetch` would carry custom credential headers to another origin, and repeat mutations.
    redirect: "manual",
    signal,
  };
  if (body !== null) init.body = body as BodyInit;
  // Required by the Fetch standard for a body that is a stream.
  if (body instanceof ReadableStream) init.duplex = "half";
  return init;
}

function headersOf(headers: Headers): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of headers) setMember(plain, name.toLowerCase(), value);
  return plain;
}

/** Resolves when the caller's signal is aborted; stays open for ever when the exchange was settled before. */
function cancelled(signal: AbortSignal | undefined, settled: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal?.addEventListener("abort", () => resolve(), { once: true, signal: settled });
  });
}

/** A wait that never rejects: it ends when the time is over, and stays open for ever when it was stopped. */
function patient(sleep: Sleep, ms: number, settled: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    sleep(ms, settled, "limit").then(
      () => {
        if (!settled.aborted) resolve();
      },
      () => undefined,
    );
  });
}

/** Longest time that platform timers can wait. */
const MAX_TIMER_MS = 2_147_483_647;

/** Why a wait was stopped. One for all: making an error costs more than reading a piece of a body. */
const STOPPED = new Error("stopped");

/** Waits with the platform's timer. */
export const timerSleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(STOPPED);
    const stop = (): void => {
      clearTimeout(timer);
      reject(STOPPED);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    signal.addEventListener("abort", stop, { once: true });
  });

/**
 * Codes of errors before a connection stood: name look-up, connecting, TLS. Node, Deno and Bun state them on the error
 * or its causes; browsers state nothing, so there a lost request counts as written.
 */
const CONNECT_CODES =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_[A-Z]+|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|CERT_[A-Z_]+|ERR_TLS_[A-Z_]+|ERR_SSL_(?:WRONG_VERSION_NUMBER|UNSUPPORTED_PROTOCOL|TLSV1_ALERT_PROTOCOL_VERSION|SSLV3_ALERT_HANDSHAKE_FAILURE)|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_[A-Z_]+|HOSTNAME_MISMATCH)$/;

function neverConnected(error: unknown, depth = 0): boolean {
  const stack: unknown[] = [error];
  let found = false;
  for (let steps = 0; stack.length > 0 && steps < 64; steps += 1) {
    const at = stack.pop();
    if (typeof at !== "object" || at === null) continue;
    const { code, errors, cause } = at as { code?: unknown; errors?: unknown; cause?: unknown };
    // Several addresses were tried: all of them must have failed before a connection stood.
    if (Array.isArray(errors) && errors.length > 0) {
      if (depth > 8 || !errors.every((one) => neverConnected(one, depth + 1))) return false;
      found = true;
      continue;
    }
    if (typeof code === "string") {
      if (!CONNECT_CODES.test(code) && !isConnectTimeout(at)) return false;
      found = true;
    }
    if (cause !== undefined) stack.push(cause);
  }
  return found;
}

function isConnectTimeout(error: object): boolean {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  return code === "ETIMEDOUT" && syscall === "connect";
}
