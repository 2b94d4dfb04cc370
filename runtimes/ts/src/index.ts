// The public surface: everything that generated code and its users may import. Nothing else of this package is.

export type { Credential } from "./auth.js";
export type { Binary } from "./body.js";
export { ClientCore } from "./client.js";
export type { CallParameters, Operation } from "./client.js";
export type {
  ApiDescriptor,
  AuthPart,
  AuthScheme,
  BodyDescriptor,
  BodyEncoding,
  IdempotencyDescriptor,
  IdempotencyPolicy,
  OperationDescriptor,
  ParamDescriptor,
  ParamIn,
  ParamStyle,
  PartEncoding,
  PreviewDescriptor,
  RemediationEntry,
  ResponseDescriptor,
  RetryTier,
  RpcDescriptor,
  Safety,
} from "./descriptor.js";
export type { Category, Envelope, Retryable } from "./envelope.js";
export { MemoryIdempotencyStore } from "./idempotency.js";
export type { IdempotencyStore } from "./idempotency.js";
export type { Diagnostic, Middleware, RequestContext, ResponseContext, RetryContext } from "./middleware.js";
export type { CallOptions, ClientOptions, ValidateResponses } from "./options.js";
export type { PreviewRequest, PreviewResult } from "./preview.js";
export type { ExactValue, Failed, JsonValue, Ok, ResponseMeta, Result } from "./result.js";
export type { RetryOptions } from "./retry.js";
export type {
  ArraySchema,
  FieldSchema,
  LimitsRule,
  MapSchema,
  NumericSchema,
  ObjectSchema,
  Rule,
  RuleMember,
  Schema,
  Shape,
  StringSchema,
  UnionSchema,
} from "./schema.js";
export type { FetchLike, Sleep, SleepRole } from "./transport.js";
