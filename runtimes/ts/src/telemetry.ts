// The entry `./otel`: OpenTelemetry as a middleware. A span for each call, from its first request to its result, with what
// the hooks tell; nothing of arguments, bodies or headers. Typed by structure: `@opentelemetry/api` fits and is not needed.

import type { Middleware, RequestContext, ResultContext } from "./middleware.js";

/** Values of attributes. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The part of a span that is used. */
export interface TelemetrySpan {
  setAttribute(name: string, value: string | number | boolean): unknown;
  addEvent(name: string, attributes?: SpanAttributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

/** The part of `@opentelemetry/api` that is used: `import * as api from "@opentelemetry/api"`. */
export interface TelemetryApi {
  readonly trace: {
    getTracer(
      name: string,
      version?: string,
    ): {
      startSpan(name: string, options?: { kind?: number; attributes?: SpanAttributes }, context?: never): TelemetrySpan;
    };
    setSpan(context: never, span: never): unknown;
  };
  readonly context: { active(): unknown };
  readonly propagation: { inject(context: never, carrier: Record<string, string>): void };
}

/** What may be set. */
export interface TelemetryOptions {
  /** Name of the tracer; default: this package's. */
  readonly tracerName?: string;
  readonly tracerVersion?: string;
  /** Whether requests carry the trace to the server, as headers; default true. */
  readonly propagate?: boolean;
}

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR` of OpenTelemetry, whose numbers are fixed. */
const CLIENT = 2;
const ERROR = 2;

/** The middleware: `new Client({ middleware: [openTelemetry(api)] })`. */
export function openTelemetry(api: TelemetryApi, options: TelemetryOptions = {}): Middleware {
  const { tracerName = "@elysra/tungsten-runtime", tracerVersion, propagate = true } = options;
  const tracer = api.trace.getTracer(tracerName, tracerVersion);
  // Calls that are under way; one that never ends is forgotten with its object.
  const spans = new WeakMap<object, TelemetrySpan>();

  const start = (context: RequestContext | ResultContext): TelemetrySpan => {
    const span = tracer.startSpan(
      context.operation,
      {
        kind: CLIENT,
        attributes: {
          "tungsten.operation": context.operation,
          "tungsten.safety": context.safety,
          "tungsten.idempotency.policy": context.idempotencyPolicy,
        },
      },
      api.context.active() as never,
    );
    spans.set(context.call, span);
    return span;
  };

  return {
    onRequest(context) {
      const span = spans.get(context.call) ?? start(context);
      for (const [name, value] of Object.entries(requestAttributes(context))) span.setAttribute(name, value);
      if (!propagate) return;
      const carrier: Record<string, string> = {};
      const within = api.trace.setSpan(api.context.active() as never, span as never);
      api.propagation.inject(within as never, carrier);
      for (const [name, value] of Object.entries(carrier)) context.headers[name] ??= value;
    },
    onResponse(context) {
      const span = spans.get(context.call);
      span?.setAttribute("http.response.status_code", context.status);
      if (context.requestId !== null) span?.setAttribute("tungsten.request_id", context.requestId);
    },
    onRetry(context) {
      const { category } = context.error;
      const attributes = {
        "tungsten.attempt": context.attempt,
        "tungsten.delay_ms": context.delayMs,
        "error.type": category,
      };
      spans.get(context.call)?.addEvent("retry", attributes);
    },
    onResult(context) {
      // A call that failed before anything was sent has a span as well.
      const span = spans.get(context.call) ?? (context.error === null ? undefined : start(context));
      if (span === undefined) return;
      spans.delete(context.call);
      const outcome = context.error?.category ?? "ok";
      span.setAttribute("tungsten.outcome", outcome);
      span.setAttribute("tungsten.attempts", context.attempts);
      if (context.error !== null) {
        span.setAttribute("error.type", outcome);
        span.setStatus({ code: ERROR, message: outcome });
      }
      span.end();
    },
  };
}

/** By the semantic conventions for HTTP clients. The address is the redacted one. */
function requestAttributes(context: RequestContext): SpanAttributes {
  const attributes: Record<string, string | number> = {
    "http.request.method": context.method,
    "url.full": context.url,
  };
  if (context.attempt > 1) attributes["http.request.resend_count"] = context.attempt - 1;
  if (URL.canParse(context.url)) {
    const { hostname, port, protocol } = new URL(context.url);
    attributes["server.address"] = hostname;
    attributes["server.port"] = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
  }
  return attributes;
}
