// A call whose answer is bytes that are read while they arrive. The call up to the head of its answer is the pipeline's;
// after that nothing is tried again, since the bytes that were read cannot be taken back.

import { requestId, rowsOfSuccess, wrongType } from "./answer.js";
import { classifyLoss } from "./classify.js";
import type { AnyOperation } from "./classify.js";
import { mediaTypeOf, rowFor } from "./decode.js";
import { isHeaderValue } from "./encode.js";
import type { Envelope } from "./envelope.js";
import { failure } from "./failure.js";
import type { CallOptions } from "./options.js";
import { attemptTimeoutMs, finished, newProgress, openCall } from "./pipeline.js";
import type { OpenedCall } from "./pipeline.js";
import type { Result } from "./result.js";
import type { Reception, Runtime } from "./runtime.js";
import { readPiece } from "./transport.js";

/** What reading a download rejects with when its connection breaks. */
export class DownloadError extends Error {
  /** The failure, as a call would have given it. */
  readonly error: Envelope;

  constructor(error: Envelope) {
    super(`${error.category}: ${error.remediation}`);
    this.name = "DownloadError";
    this.error = error;
  }
}

/** Opens the bytes of an operation. The time of an attempt bounds the wait for each piece of them. */
export async function openDownload(
  runtime: Runtime,
  operation: AnyOperation,
  args: unknown,
  options: CallOptions,
): Promise<Result<ReadableStream<Uint8Array>>> {
  const progress = newProgress(runtime);
  const result = await openCall(runtime, operation, args, options, reception(operation), progress);
  if (!result.ok) await finished(runtime, operation, progress, result.error);
  return result.ok ? { ...result, value: bytesOf(runtime, result.value, options) } : result;
}

function reception(operation: AnyOperation): Reception {
  const rows = operation.responses.filter((row) => row.kind === "success" && row.encoding === "bytes");
  const types = [...new Set(rows.map((row) => row.mediaType ?? ""))].filter((type) => type !== "");
  return {
    accept: (_, given) => given ?? (types.length === 0 ? null : types.filter(isHeaderValue).join(", ")),
    headers: {},
    opens: ({ status, headers }) => {
      const success = rowsOfSuccess(operation, status);
      // A success that is described without a body has no bytes.
      if (success === null || !success.some((row) => row.mediaType !== undefined)) return success !== null;
      return rowFor(success, mediaTypeOf(headers["content-type"]))?.encoding === "bytes";
    },
    success: (exchange, answer) => Promise.resolve(wrongType(exchange, answer, rows)),
  };
}

function bytesOf(runtime: Runtime, call: OpenedCall, options: CallOptions): ReadableStream<Uint8Array> {
  const { exchange, opened } = call;
  const { operation, scrub } = exchange.ready;
  const reader = opened.body?.getReader();
  const over = new AbortController();
  const close = (): void => {
    over.abort();
    reader?.cancel().catch(() => undefined);
    opened.close();
  };
  const stop = options.signal ?? new AbortController().signal;
  // Also while nobody reads.
  stop.addEventListener("abort", close, { once: true, signal: over.signal });
  const end = async (error: Envelope | null): Promise<void> => {
    close();
    if (error !== null) await runtime.hooks.diagnostic({ kind: "failure", operation: operation.id, error });
    await finished(runtime, operation, exchange.progress, error);
  };
  const reading = { sleep: runtime.sleep, silenceMs: attemptTimeoutMs(runtime, options), signal: stop };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = reader === undefined ? ({ kind: "end" } as const) : await readPiece(reader, reading);
        if (piece.kind === "bytes") return controller.enqueue(piece.bytes);
        if (piece.kind === "end") {
          await end(null);
          return controller.close();
        }
        const verdict = classifyLoss(operation, piece.loss, true, exchange.protection);
        const facts = { http_status: opened.status, request_id: requestId(opened), attempts: exchange.progress.sent };
        const failed = failure(operation, scrub, { ...verdict, ...facts });
        await end(failed.error);
        controller.error(new DownloadError(failed.error));
      },
      cancel: () => end(null),
    },
    { highWaterMark: 0 },
  );
}
