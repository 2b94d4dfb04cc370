// What a generated SDK tells the runtime about the API and each of its operations. Data only, no behaviour.
// The generated code writes these literals; every other file of the runtime reads them. Some members are functions of
// the runtime: pages, streams, hooks and macros are named by what has them, so that programs without them do not contain
// them.

import type { AnyOperation } from "./classify.js";
import type { Condition, Expression } from "./expressions.js";
import type { MacroEngine } from "./macros.js";
import type { PageOptions, StreamOptions } from "./options.js";
import type { Pages } from "./paginate.js";
import type { ExactValue, Verification } from "./result.js";
import type { Ready, Runtime } from "./runtime.js";
import type { Schema } from "./schema.js";
import type { Typed } from "./wire.js";

/** Safety tiers, weak to strong. */
export type Safety = "read_only" | "mutating" | "destructive" | "irreversible";

export type IdempotencyPolicy = "none" | "auto" | "caller_owned" | "content_hash" | "content_identity";

export interface IdempotencyDescriptor {
  readonly policy: IdempotencyPolicy;
  /** Header that carries the key; `Idempotency-Key` when absent. */
  readonly header?: string;
  readonly format?: "uuid_v4" | "uuid" | "opaque";
  readonly persistRequired?: true;
  readonly note?: string;
}

export type PreviewDescriptor =
  | { readonly mode: "local" }
  | { readonly mode: "none" }
  | { readonly mode: "header"; readonly header: string; readonly value: string }
  | { readonly mode: "endpoint"; readonly operation: string };

export type ParamIn = "path" | "query" | "header" | "cookie" | "querystring";

export type ParamStyle =
  "simple" | "form" | "label" | "matrix" | "space_delimited" | "pipe_delimited" | "deep_object" | "cookie";

/** A parameter. Those with the role `plain` or `dry_run` are members of the arguments object under `key`. */
export interface ParamDescriptor {
  readonly key: string;
  /** Name on the wire. */
  readonly name: string;
  readonly in: ParamIn;
  readonly schema: Schema;
  readonly required?: true;
  /** Default: `simple` for path and header, `form` for query and cookie (OpenAPI 3.2, section 4.12). */
  readonly style?: ParamStyle;
  /** Default: true for `form` and `cookie`, else false. */
  readonly explode?: boolean;
  readonly allowReserved?: true;
  /** Set when the parameter is described by `content`: its value travels in that media type. */
  readonly mediaType?: string;
  /** How the members of a form are written that is the whole query string. */
  readonly parts?: readonly PartEncoding[];
  /**
   * Default `plain`. A `dry_run` header is the caller's to give as well, but a preview that asks the server replaces it.
   * The others are supplied by the runtime and are not arguments.
   */
  readonly role?: "plain" | "idempotency_key" | "dry_run" | "origin" | "auth" | "constant";
  readonly constant?: ExactValue;
  readonly sensitive?: true;
}

export type BodyEncoding = "json" | "form" | "multipart" | "bytes" | "text";

/** How one part of a form or multipart body is written (OpenAPI 3.1, section 4.8.15). */
export interface PartEncoding {
  /** Wire name of the property; absent for a part that is known by its place. */
  readonly name?: string;
  readonly contentType?: string;
  readonly style?: ParamStyle;
  readonly explode?: boolean;
  readonly allowReserved?: true;
}

export interface BodyDescriptor {
  readonly mediaType: string;
  readonly encoding: BodyEncoding;
  readonly required?: true;
  readonly schema: Schema;
  /**
   * Name of the one argument that is the whole body. Absent: the body's fields are merged into the arguments
   * object, under the TypeScript names of the (object) schema.
   */
  readonly arg?: string;
  readonly parts?: readonly PartEncoding[];
  /** Of the first parts of a list, one after another. */
  readonly prefixParts?: readonly PartEncoding[];
  /** Of each part of a list after those. */
  readonly itemPart?: PartEncoding;
}

/** One method of an envelope: the body is sent as `{ [field]: value, [params]: body, ...constants }`. */
export interface RpcDescriptor {
  /** Wire name of the member that names the method. */
  readonly field: string;
  readonly value: string;
  /** Wire name of the member that carries the body; absent for a method without parameters. */
  readonly params?: string;
  /** Members that are always the same. */
  readonly constants?: readonly { readonly name: string; readonly value: ExactValue }[];
}

export interface ResponseDescriptor {
  /** An exact status, a range such as `"2XX"`, or `"default"`. */
  readonly status: number | string;
  readonly kind: "success" | "error" | "ambiguous";
  /** Absent: the response has no body. Several media types of one status are several rows. */
  readonly mediaType?: string;
  readonly encoding?: BodyEncoding | "jsonl" | "json_seq" | "sse";
  readonly schema?: Schema;
}

/** One row of a remediation table. */
export interface RemediationEntry {
  readonly text?: string;
  readonly nextAction?: string;
  readonly retryable?: "never" | "after_delay" | "same_key_only" | "after_remediation";
  readonly category?: string;
}

/** How an operation's stream is read, beside what its response says. */
export interface StreamDescriptor<Stream = unknown> {
  /** `openStream` for events and JSON texts, `openDownload` for bytes. */
  readonly open: (runtime: Runtime, operation: AnyOperation, args: unknown, options: StreamOptions) => Stream;
  /** Data that ends the stream and is no item. */
  readonly done?: string;
  /** The argument, or the member of the body argument, that is true in a call of the stream. */
  readonly flag?: string;
  /** The data of an event is text, not JSON. */
  readonly text?: true;
}

/** How the next page is asked for. Names are wire names; those of fields are dotted paths into the answer. */
export type PageStyle =
  | {
      readonly style: "cursor";
      /** A parameter, or a field of the body. */
      readonly requestParam: string;
      /** The field that holds the next cursor; absent: it is `cursorItemField` of the last item. */
      readonly responseField?: string;
      readonly cursorItemField?: string;
    }
  | { readonly style: "offset"; readonly offsetParam: string; readonly limitParam: string }
  /** `firstPage`: the number of the page that is read without one, when it is not 1. */
  | { readonly style: "page"; readonly pageParam: string; readonly sizeParam: string; readonly firstPage?: number }
  | { readonly style: "link_header" }
  /** A field that is the URL of the next page. */
  | { readonly style: "link_field"; readonly responseField: string };

/** How a list is read page by page. */
export type PaginationDescriptor<Item = unknown, Body = unknown> = PageStyle & {
  /** `openPages`. */
  readonly open: (
    runtime: Runtime,
    operation: AnyOperation,
    args: unknown,
    options: PageOptions,
  ) => Pages<unknown, unknown>;
  /** Where the items are; absent: the answer is the list. */
  readonly itemsField?: string;
  readonly pageSizeParam?: string;
  /** A field that is false on the last page. */
  readonly hasMoreField?: string;
  /** Never present: carries the two type parameters. */
  readonly "~types"?: () => Pages<Item, Body>;
};

/** How to find out what a call has done. Names are wire names. */
export interface VerifyDescriptor {
  /** `verifyCall`. */
  readonly run: (runtime: Runtime, ready: Ready, response: Typed) => Promise<Verification>;
  /** A read, behind a function because descriptors may name each other. */
  readonly operation: () => AnyOperation;
  /** Of `response` and `args`. */
  readonly args: Expression;
  /** What holds when the call has done its work. */
  readonly expect?: readonly Condition[];
  /** What holds when nothing more will change; absent: the read is made once. */
  readonly terminal?: readonly Condition[];
  /** Default: 1,000. */
  readonly intervalMs?: number;
  /** For all reads together; default: 30,000. */
  readonly budgetMs?: number;
}

/** Everything the runtime must know about one operation. `Args` and `Value` exist for the type checker only. */
export interface OperationDescriptor<Args = never, Value = unknown> {
  /** `<namespace>.<operation id>`. */
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** Template of the path, `/pets/{petId}`. */
  readonly path: string;
  /** Query pairs that are sent on every call. */
  readonly query?: readonly { readonly name: string; readonly value: string }[];
  readonly params?: readonly ParamDescriptor[];
  readonly body?: BodyDescriptor;
  readonly rpc?: RpcDescriptor;
  readonly responses: readonly ResponseDescriptor[];
  readonly pagination?: PaginationDescriptor;
  readonly stream?: StreamDescriptor;
  /** Alternatives (or), each a list of scheme names (and). Absent or empty: no authentication. */
  readonly security?: readonly (readonly string[])[];
  /** Servers of this operation where they differ from the API's. */
  readonly servers?: readonly string[];
  readonly safety: Safety;
  /** Default: `{ policy: "none" }`. */
  readonly idempotency?: IdempotencyDescriptor;
  /** Default: `local` unless the operation is read-only. */
  readonly preview?: PreviewDescriptor;
  readonly verify?: VerifyDescriptor;
  readonly confirmation?: { readonly summaryFields: readonly string[]; readonly message?: string };
  readonly remediation?: Readonly<Record<string, RemediationEntry>>;
  readonly remediationNote?: string;
  readonly sensitiveResponseFields?: readonly string[];
  readonly sensitiveRequestFields?: readonly string[];
  readonly shownOnce?: true;
  /** Name of the string member that holds the API's error code, dotted (`error.code`). */
  readonly errorCodeField?: string;
  readonly gate?: { readonly env: string; readonly disabledStatus: number; readonly text?: string };
  readonly summary?: string;
  readonly deprecated?: true;
  /** Never present: carries the two type parameters. */
  readonly "~types"?: (args: Args) => Value;
}

/** An operation with a stream: `Stream` is what opening it gives. */
export interface StreamingDescriptor<Args = never, Value = unknown, Stream = unknown> extends OperationDescriptor<
  Args,
  Value
> {
  readonly stream: StreamDescriptor<Stream>;
}

/** An operation whose answer is a page of a list of `Item`s. */
export interface PagedDescriptor<Args = never, Value = unknown, Item = unknown> extends OperationDescriptor<
  Args,
  Value
> {
  readonly pagination: PaginationDescriptor<Item, Value>;
}

/** An operation whose answer is a page of a list, and that has a stream as well. */
export interface PagedStreamingDescriptor<
  Args = never,
  Value = unknown,
  Item = unknown,
  Stream = unknown,
> extends PagedDescriptor<Args, Value, Item> {
  readonly stream: StreamDescriptor<Stream>;
}

/** A step of a macro. */
export type MacroStep = {
  readonly operation: AnyOperation;
  readonly args: Expression;
  /** The name under which its result is known. */
  readonly as?: string;
} & (
  | { readonly kind: "call" }
  | {
      readonly kind: "poll";
      readonly until: readonly Condition[];
      /** Default: 1,000. */
      readonly intervalMs?: number;
      /** Default: 30,000. */
      readonly budgetMs?: Expression;
    }
  /** `maxPages`: default 100. */
  | { readonly kind: "paginate"; readonly maxPages?: number }
);

/** An argument that a macro adds to those of an operation. */
export interface MacroField {
  readonly key: string;
  readonly name: string;
  readonly schema: Schema;
  readonly required?: true;
  readonly default?: ExactValue;
}

/** A call of several steps. */
export interface MacroDescriptor<Input = never, Output = unknown> {
  /** `<namespace>.<name>`. */
  readonly name: string;
  readonly summary?: string;
  readonly safety: Safety;
  /** `macroEngine`. */
  readonly engine: MacroEngine;
  readonly input: {
    /** The operation whose arguments it takes. */
    readonly extends?: AnyOperation;
    readonly fields?: readonly MacroField[];
  };
  readonly steps: readonly MacroStep[];
  readonly output: Expression;
  readonly sensitiveResponseFields?: readonly string[];
  readonly shownOnce?: true;
  /** Never present: carries the two type parameters. */
  readonly "~types"?: (input: Input) => Output;
}

export type AuthScheme =
  | {
      readonly kind: "api_key";
      readonly name: string;
      readonly in: "header" | "query" | "cookie";
      readonly wire: string;
    }
  | { readonly kind: "http_bearer"; readonly name: string; readonly prefix?: string }
  | { readonly kind: "http_basic"; readonly name: string }
  | {
      readonly kind: "oauth2";
      readonly name: string;
      /** Of the client credentials flow, as are `scopes`. */
      readonly tokenUrl?: string;
      readonly scopes?: readonly string[];
      readonly authorizationCode?: {
        readonly authorizationUrl: string;
        readonly tokenUrl: string;
        /** Default: the token URL. */
        readonly refreshUrl?: string;
        readonly scopes?: readonly string[];
      };
    }
  | {
      readonly kind: "composite";
      readonly name: string;
      readonly satisfies: readonly string[];
      readonly parts: readonly AuthPart[];
    };

export type AuthPart =
  | { readonly kind: "cookie"; readonly name: string }
  | {
      readonly kind: "header";
      readonly name: string;
      readonly equalsCookie?: string;
      readonly fromConfig?: string;
      readonly mutationOnly?: true;
    }
  | { readonly kind: "bearer"; readonly prefix?: string };

/** How often a tier is retried and how long it waits (full jitter: uniform below the ceiling). */
export interface RetryTier {
  /** Attempts after the first. */
  readonly max: number;
  readonly baseMs: number;
  readonly maxMs: number;
  readonly jitter: "none" | "full" | "equal";
}

/** What holds for the whole API. */
export interface ApiDescriptor {
  readonly name: string;
  readonly version: string;
  /** `<package>/<version> tungsten/<version> (typescript)`: the value of `User-Agent`. */
  readonly userAgent: string;
  /** Base URLs, the default first; variables are filled in with their defaults. */
  readonly servers: readonly string[];
  readonly auth: readonly AuthScheme[];
  readonly errorCodes?: Readonly<Record<string, RemediationEntry>>;
  readonly ambiguousStatuses?: readonly number[];
  readonly nonJson?: readonly {
    readonly status: number;
    readonly media: string;
    readonly category: string;
    readonly retryable?: string;
    readonly text?: string;
  }[];
  readonly retries?: {
    readonly readOnly?: RetryTier;
    readonly mutating?: RetryTier;
    readonly honorRetryAfter?: boolean;
  };
}
