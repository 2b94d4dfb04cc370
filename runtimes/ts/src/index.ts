// The public surface: everything that generated code and its users may import. Nothing else of this package is.

export type { Credential, CredentialFunction } from "./auth.js";
export type { Binary } from "./body.js";
export { ClientCore } from "./client.js";
export type {
  CallParameters,
  ClientParts,
  Macro,
  MacroParameters,
  Operation,
  PagedOperation,
  PageParameters,
  StreamParameters,
} from "./client.js";
export type {
  ApiDescriptor,
  AuthPart,
  AuthScheme,
  BodyDescriptor,
  BodyEncoding,
  IdempotencyDescriptor,
  IdempotencyPolicy,
  MacroDescriptor,
  MacroField,
  MacroStep,
  OperationDescriptor,
  PagedDescriptor,
  PagedStreamingDescriptor,
  PageStyle,
  PaginationDescriptor,
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
  StreamDescriptor,
  StreamingDescriptor,
  VerifyDescriptor,
} from "./descriptor.js";
export { DownloadError, openDownload } from "./download.js";
export type { Category, Envelope, Retryable } from "./envelope.js";
export type { Condition, Expression, ExpressionMember, Reference, Root, Test } from "./expressions.js";
export { MemoryIdempotencyStore } from "./idempotency.js";
export type { IdempotencyStore } from "./idempotency.js";
export { macroEngine } from "./macros.js";
export type {
  Diagnostic,
  Middleware,
  RequestContext,
  ResponseContext,
  ResultContext,
  RetryContext,
} from "./middleware.js";
export { oauth2 } from "./oauth.js";
export type {
  AuthorizationCode,
  AuthorizationCodeHelper,
  AuthorizationRequest,
  ClientCredentials,
  CodeExchange,
  OAuthCredential,
  Pkce,
  TokenMetadata,
} from "./oauth.js";
export type {
  CallOptions,
  ClientOptions,
  MacroOptions,
  PageOptions,
  StreamOptions,
  StreamSettings,
  ValidateResponses,
} from "./options.js";
export { openPages, Pages } from "./paginate.js";
export type { Page } from "./paginate.js";
export type { MacroStepPreview, PreviewRequest, PreviewResult } from "./preview.js";
export type { ExactValue, Failed, JsonValue, Ok, ResponseMeta, Result, Verification } from "./result.js";
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
export { openStream } from "./stream.js";
export type { EventHandlers, EventStream, Folded, StreamEvent, StreamItem, StreamMeta } from "./stream.js";
export { MemoryTokenStore } from "./tokens.js";
export type { StoredTokens, TokenKey, TokenStore } from "./tokens.js";
export type { FetchLike, Sleep, SleepRole } from "./transport.js";
export type { Unlisted, UnlistedVariant } from "./unknown.js";
export { verifyCall } from "./verify.js";
