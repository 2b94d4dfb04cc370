// The client that generated code builds on: keeps options, keys and tokens, and turns descriptors into functions.
// All behaviour of a call is in `pipeline.ts`.

import { configuredSecrets } from "./auth.js";
import { functionSource } from "./source.js";
import type { TokenSource } from "./source.js";
import type { AnyOperation } from "./classify.js";
import { TokenLedger } from "./confirm.js";
import type {
  ApiDescriptor,
  MacroDescriptor,
  OperationDescriptor,
  PagedDescriptor,
  Safety,
  StreamingDescriptor,
} from "./descriptor.js";
import { cryptoRandom, randomBytes } from "./digest.js";
import { KeyKeeper, MemoryIdempotencyStore } from "./idempotency.js";
import { Hooks } from "./middleware.js";
import type { AuthorizationCodeHelper, OAuth, OAuthPart } from "./oauth.js";
import type { CallOptions, ClientOptions, MacroOptions, PageOptions, StreamOptions } from "./options.js";
import type { Pages } from "./paginate.js";
import { runCall, runPreview } from "./pipeline.js";
import type { PreviewResult } from "./preview.js";
import { Secrets } from "./redact.js";
import type { Result } from "./result.js";
import type { Runtime } from "./runtime.js";
import { timerSleep } from "./transport.js";
import type { FetchLike } from "./transport.js";

/** Arguments and options of a call; the arguments may be left out when all of them are optional. */
export type CallParameters<Args> =
  Record<never, never> extends Args
    ? [args?: Args | undefined, options?: CallOptions | undefined]
    : [args: Args, options?: CallOptions | undefined];

/** Arguments and options of a walk through pages. */
export type PageParameters<Args> =
  Record<never, never> extends Args
    ? [args?: Args | undefined, options?: PageOptions | undefined]
    : [args: Args, options?: PageOptions | undefined];

/** Arguments and options of a stream. */
export type StreamParameters<Args> =
  Record<never, never> extends Args
    ? [args?: Args | undefined, options?: StreamOptions | undefined]
    : [args: Args, options?: StreamOptions | undefined];

/** Input and options of a macro. */
export type MacroParameters<Input> =
  Record<never, never> extends Input
    ? [input?: Input | undefined, options?: MacroOptions | undefined]
    : [input: Input, options?: MacroOptions | undefined];

/** An operation as a function of a client. */
export interface Operation<Args, Value> {
  /** Calls the operation. Never throws for what the API, the network or the arguments do. */
  (...parameters: CallParameters<Args>): Promise<Result<Value>>;
  /** Renders the request without sending it, with a confirmation token where one may be needed. */
  preview(...parameters: CallParameters<Args>): Promise<Result<PreviewResult>>;
  readonly descriptor: OperationDescriptor<Args, Value>;
  readonly safety: Safety;
}

/** Parts of a client that not every API needs: bundlers leave out what is not passed. */
export interface ClientParts {
  /** `oauth2`: runs the OAuth 2 flows of the API. */
  readonly oauth?: OAuthPart;
}

/** An operation whose answer is a page of a list. */
export interface PagedOperation<Args, Value, Item> extends Operation<Args, Value> {
  /** The pages from the one that the arguments name; nothing is sent before the first one is asked for. */
  pages(...parameters: PageParameters<Args>): Pages<Item, Value>;
  readonly descriptor: PagedDescriptor<Args, Value, Item>;
}

/** A macro as a function of a client. */
export interface Macro<Input, Output> {
  /** Runs the steps. Never throws for what the API, the network or the input do. */
  (...parameters: MacroParameters<Input>): Promise<Result<Output>>;
  /** Renders the steps without sending anything, with a confirmation token where one may be needed. */
  preview(...parameters: MacroParameters<Input>): Promise<Result<PreviewResult>>;
  readonly descriptor: MacroDescriptor<Input, Output>;
  readonly safety: Safety;
}

/** Credentials, options and state that the operations of one client share. */
export class ClientCore {
  readonly #runtime: Runtime;
  readonly #registered = new Map<string, AnyOperation>();
  readonly #operations = new WeakMap<object, unknown>();
  readonly #oauth: OAuth | undefined;

  constructor(api: ApiDescriptor, options: ClientOptions = {}, parts: ClientParts = {}) {
    const random = options.random ?? cryptoRandom;
    const credentials = options.auth ?? {};
    this.register(options.operations ?? []);
    this.#runtime = {
      api,
      options,
      credentials,
      secrets: new Secrets(configuredSecrets(credentials, api.auth)),
      source: (scheme) => this.#source(scheme),
      fetch: options.fetch ?? platformFetch,
      sleep: options.sleep ?? timerSleep,
      now: options.now ?? Date.now,
      random,
      keys: new KeyKeeper(options.idempotencyStore ?? new MemoryIdempotencyStore(), random),
      tokens: new TokenLedger(),
      confirmationKey: confirmationKey(options.confirmationKey, random),
      hooks: new Hooks(options.middleware ?? [], options.onDiagnostic),
      userAgent: setsOwnUserAgent() ? null : api.userAgent,
      operation: (id) => this.#registered.get(id),
    };
    this.#oauth = parts.oauth?.(this.#runtime);
  }

  #source(scheme: string): TokenSource | undefined {
    const { credentials, secrets } = this.#runtime;
    const credential = Object.hasOwn(credentials, scheme) ? credentials[scheme] : undefined;
    return typeof credential === "function" ? functionSource(scheme, credential, secrets) : this.#oauth?.source(scheme);
  }

  /** Helpers of the API's authorization code schemes, by name; none when the client was made without `oauth2`. */
  oauth<Scheme extends string = string>(): Readonly<Record<Scheme, AuthorizationCodeHelper>> {
    const helpers = this.#oauth?.helpers ?? {};
    // Whoever names schemes has read the API's description.
    return helpers as Readonly<Record<Scheme, AuthorizationCodeHelper>>;
  }

  /** What holds for the whole API. */
  get api(): ApiDescriptor {
    return this.#runtime.api;
  }

  /** Calls an operation. Never throws for what the API, the network or the arguments do. */
  call<Args, Value>(
    descriptor: OperationDescriptor<Args, Value>,
    ...[args, options]: CallParameters<Args>
  ): Promise<Result<Value>> {
    // The pipeline works on described values; the descriptor's type parameters say what they are.
    return runCall(this.#runtime, descriptor, args, options ?? {}) as Promise<Result<Value>>;
  }

  /** Opens the stream of an operation; nothing is sent before its first item is asked for. */
  stream<Args, Value, Stream>(
    descriptor: StreamingDescriptor<Args, Value, Stream>,
    ...[args, options]: StreamParameters<Args>
  ): Stream {
    return descriptor.stream.open(this.#runtime, descriptor, args, options ?? {});
  }

  /** Renders a call without sending it. */
  preview<Args, Value>(
    descriptor: OperationDescriptor<Args, Value>,
    ...[args, options]: CallParameters<Args>
  ): Promise<Result<PreviewResult>> {
    return runPreview(this.#runtime, descriptor, args, options ?? {});
  }

  /** The pages of a list; nothing is sent before the first one is asked for. */
  pages<Args, Value, Item>(
    descriptor: PagedDescriptor<Args, Value, Item>,
    ...[args, options]: PageParameters<Args>
  ): Pages<Item, Value> {
    return descriptor.pagination.open(this.#runtime, descriptor, args, options ?? {}) as Pages<Item, Value>;
  }

  /** Runs a macro. Never throws for what the API, the network or the input do. */
  runMacro<Input, Output>(
    descriptor: MacroDescriptor<Input, Output>,
    ...[input, options]: MacroParameters<Input>
  ): Promise<Result<Output>> {
    return descriptor.engine.run(this.#runtime, descriptor, input, options ?? {}) as Promise<Result<Output>>;
  }

  /** Renders the steps of a macro without sending anything. */
  previewMacro<Input, Output>(
    descriptor: MacroDescriptor<Input, Output>,
    ...[input, options]: MacroParameters<Input>
  ): Promise<Result<PreviewResult>> {
    return descriptor.engine.preview(this.#runtime, descriptor, input, options ?? {});
  }

  /** The macro as a function of this client; the same function each time. */
  macro<Input, Output>(descriptor: MacroDescriptor<Input, Output>): Macro<Input, Output> {
    const known = this.#operations.get(descriptor) as Macro<Input, Output> | undefined;
    if (known !== undefined) return known;
    const run = (...parameters: MacroParameters<Input>): Promise<Result<Output>> =>
      this.runMacro(descriptor, ...parameters);
    const built: Macro<Input, Output> = Object.assign(run, {
      preview: (...parameters: MacroParameters<Input>): Promise<Result<PreviewResult>> =>
        this.previewMacro(descriptor, ...parameters),
      descriptor,
      safety: descriptor.safety,
    });
    this.#operations.set(descriptor, built);
    return built;
  }

  /** The operation as a function of this client; the same function each time. */
  operation<Args, Value, Item>(descriptor: PagedDescriptor<Args, Value, Item>): PagedOperation<Args, Value, Item>;
  operation<Args, Value>(descriptor: OperationDescriptor<Args, Value>): Operation<Args, Value>;
  operation<Args, Value>(descriptor: OperationDescriptor<Args, Value>): Operation<Args, Value> {
    const known = this.#operations.get(descriptor) as Operation<Args, Value> | undefined;
    if (known !== undefined) return known;
    const call = (...parameters: CallParameters<Args>): Promise<Result<Value>> => this.call(descriptor, ...parameters);
    const built: Operation<Args, Value> = Object.assign(call, {
      preview: (...parameters: CallParameters<Args>): Promise<Result<PreviewResult>> =>
        this.preview(descriptor, ...parameters),
      descriptor,
      safety: descriptor.safety,
    });
    const { pagination } = descriptor;
    if (pagination !== undefined) {
      const paged = descriptor as PagedDescriptor<Args, Value>;
      Object.assign(built, { pages: (...parameters: PageParameters<Args>) => this.pages(paged, ...parameters) });
    }
    this.#operations.set(descriptor, built);
    return built;
  }

  /** Makes operations known to those that name them by id, for example as their preview endpoint. */
  register(descriptors: Iterable<AnyOperation>): void {
    for (const descriptor of descriptors) this.#registered.set(descriptor.id, descriptor);
  }
}

const platformFetch: FetchLike = (url, init) => globalThis.fetch(url, init);

function confirmationKey(given: string | Uint8Array | undefined, random: () => number): Uint8Array<ArrayBuffer> {
  if (given === undefined) return randomBytes(32, random);
  const bytes = typeof given === "string" ? new TextEncoder().encode(given) : Uint8Array.from(given);
  // WebCrypto refuses an empty HMAC key, and nobody means one.
  return bytes.length === 0 ? randomBytes(32, random) : bytes;
}

/** Browsers and their workers do not let scripts set `User-Agent`. */
function setsOwnUserAgent(): boolean {
  return "document" in globalThis || "WorkerGlobalScope" in globalThis;
}
