// The public surface: everything that generated code and its users may import. Nothing else of this package is.

export type { Credential, CredentialFunction } from "./auth.js";
export type { Binary } from "./body.js";
export { ClientCore } from "./client.js";
export type { CallParameters, ClientParts, Operation } from "./client.js";
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
export type {
  Diagnostic,
  Middleware,
  RequestContext,
  ResponseContext,
  ResultContext,
  RetryContext,
} from "./middleware.js";
export type { CallOptions, ClientOptions, ValidateResponses } from "./options.js";
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
export type { PreviewRequest, PreviewResult } from "./preview.js";
export type { Failed, JsonValue, Ok, ResponseMeta, Result } from "./result.js";
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
export { MemoryTokenStore } from "./tokens.js";
export type { StoredTokens, TokenKey, TokenStore } from "./tokens.js";
export type { Unlisted, UnlistedVariant } from "./unknown.js";
export type { FetchLike, Sleep } from "./transport.js";
