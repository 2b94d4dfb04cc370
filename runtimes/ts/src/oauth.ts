// OAuth 2 flows: client credentials, and authorization code with PKCE (RFC 6749, RFC 7636). The part of a client that runs
// them, and the helpers of the authorization code flow; `grant.ts` decides when a token is asked for. Nothing is opened and
// nobody is asked: the application sends its user to `authorizationUrl` and gets the redirect. A client without such a
// flow does not import this.

import { isOAuthClient } from "./auth.js";
import type { TokenSource } from "./source.js";
import { base64Url, equalInConstantTime, randomBytes } from "./digest.js";
import { escapeAnyText } from "./encode.js";
import { envelope } from "./envelope.js";
import type { EnvelopeParts } from "./envelope.js";
import { Grant, misconfigured } from "./grant.js";
import type { OAuthScheme, Tokens } from "./grant.js";
import { setMember } from "./json.js";
import { scrubEnvelope } from "./redact.js";
import type { Failed, Ok, Result } from "./result.js";
import type { Runtime } from "./runtime.js";
import { MemoryTokenStore } from "./tokens.js";
import type { StoredTokens } from "./tokens.js";

/** A client that gets tokens for itself. */
export interface ClientCredentials {
  readonly flow?: "clientCredentials";
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: all scopes of the flow. */
  readonly scopes?: readonly string[];
  /** Replaces the token URL of the description. */
  readonly tokenUrl?: string;
}

/** A client that gets tokens for a user, who agreed at the authorization URL. */
export interface AuthorizationCode {
  readonly flow: "authorizationCode";
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  readonly redirectUri?: string;
  /** Default: all scopes of the flow. */
  readonly scopes?: readonly string[];
  /** Replaces the authorization URL of the description. */
  readonly authorizationUrl?: string;
  /** Replaces the token URL and the refresh URL of the description. */
  readonly tokenUrl?: string;
}

/** The client of an OAuth 2 flow, as a credential. */
export type OAuthCredential = ClientCredentials | AuthorizationCode;

/** A secret for one authorization, and what the authorization URL says about it (RFC 7636). */
export interface Pkce {
  /** Keep it until the redirect comes; it is a secret. */
  readonly verifier: string;
  readonly challenge: string;
  readonly method: "S256";
}

/** What is known about tokens without showing them. */
export interface TokenMetadata {
  /** Epoch milliseconds; `null`: the issuer did not say. */
  readonly expiresAt: number | null;
  /** The scopes that were granted, which may be fewer or more than those asked for; `null`: the issuer did not say. */
  readonly scope: string | null;
  /** Whether a new access token can be had without the user. */
  readonly refreshable: boolean;
}

/** What an authorization URL says. */
export interface AuthorizationRequest {
  /** A value that nobody can guess, tied to the user's session; comes back with the redirect. */
  readonly state: string;
  /** Of `pkce()`. */
  readonly challenge: string;
  /** Default: the credential's. */
  readonly redirectUri?: string;
  /** Default: the credential's, else all of the flow. */
  readonly scopes?: readonly string[];
  /** Further parameters; they replace none of the others. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** What came back with the redirect, and what was kept for it. */
export interface CodeExchange {
  readonly code: string;
  /** Of `pkce()`. */
  readonly verifier: string;
  /** As it came back. */
  readonly state?: string;
  /** As it was sent. */
  readonly expectedState?: string;
  /** Default: the credential's. */
  readonly redirectUri?: string;
}

/** The helpers of one authorization code scheme. */
export interface AuthorizationCodeHelper {
  /** Makes the secret of one authorization. */
  pkce(): Promise<Pkce>;
  /** Makes a state of 43 random characters. */
  state(): string;
  /** Where to send the user. */
  authorizationUrl(request: AuthorizationRequest): Result<string>;
  /** Turns the code of a redirect into tokens, which go to the store. */
  exchangeCode(exchange: CodeExchange): Promise<Result<TokenMetadata>>;
  /** Gets a new access token now. */
  refresh(): Promise<Result<TokenMetadata>>;
  /** What the store has; `null` when it has nothing. */
  tokens(): Promise<Result<TokenMetadata | null>>;
  /** Forgets the tokens. */
  forget(): Promise<Result<undefined>>;
}

/** The OAuth 2 schemes of a client. */
export interface OAuth {
  /** Helpers by scheme. */
  readonly helpers: Readonly<Record<string, AuthorizationCodeHelper>>;
  readonly source: (scheme: string) => TokenSource | undefined;
}

/** Makes the OAuth 2 part of a client. */
export type OAuthPart = (runtime: Runtime) => OAuth;

/** The part of a client that runs OAuth 2 flows: `new ClientCore(api, options, { oauth: oauth2 })`. */
export const oauth2: OAuthPart = (runtime) => {
  const store = runtime.options.tokenStore ?? new MemoryTokenStore();
  const sources = new Map<string, TokenSource>();
  const helpers: Record<string, AuthorizationCodeHelper> = {};
  for (const scheme of runtime.api.auth) {
    if (scheme.kind !== "oauth2") continue;
    const credential = Object.hasOwn(runtime.credentials, scheme.name) ? runtime.credentials[scheme.name] : undefined;
    const given = credential !== undefined && isOAuthClient(scheme, credential) ? credential : undefined;
    const grant = new Grant(runtime, scheme, given, store);
    if (given !== undefined) sources.set(scheme.name, grant);
    if (scheme.authorizationCode !== undefined) setMember(helpers, scheme.name, helperOf(runtime, scheme, grant));
  }
  return { helpers, source: (scheme) => sources.get(scheme) };
};

/** Parameters of an authorization URL that nothing may replace. */
const RESERVED: ReadonlySet<string> = new Set([
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
]);

function helperOf(runtime: Runtime, scheme: OAuthScheme, grant: Grant): AuthorizationCodeHelper {
  const failed = (method: string, parts: Partial<EnvelopeParts>): Failed => {
    const operation = `${runtime.api.name}.oauth.${scheme.name}.${method}`;
    const error = scrubEnvelope(envelope({ category: "AUTH_FAILED", operation, ...parts }), runtime.secrets.scrub());
    // Hooks observe: nobody waits for them here, since building a URL is no asynchronous matter.
    void runtime.hooks.diagnostic({ kind: "failure", operation, error });
    return { ok: false, error };
  };
  const bad = (method: string, parameter: string, expected: string): Failed =>
    failed(method, {
      category: "VALIDATION_FAILED",
      failed_parameter: parameter,
      expected,
      remediation: `Fix ${parameter} (expected: ${expected}) and call again.`,
    });
  const metadata = (method: string, tokens: Tokens): Result<TokenMetadata> =>
    "expected" in tokens ? failed(method, tokens) : done(metadataOf(tokens));
  const random = (): string => base64Url(randomBytes(32, runtime.random));

  return {
    async pkce() {
      const verifier = random();
      runtime.secrets.learn(verifier);
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
      return { verifier, challenge: base64Url(new Uint8Array(digest)), method: "S256" };
    },

    state: random,

    authorizationUrl(request) {
      const method = "authorizationUrl";
      const setup = grant.setup();
      if ("expected" in setup) return failed(method, setup);
      const { client } = setup;
      if (client.flow !== "authorizationCode")
        return failed(method, misconfigured(scheme.name, "the flow authorizationCode"));
      const url = grant.address(client.authorizationUrl ?? scheme.authorizationCode?.authorizationUrl);
      if (url === null)
        return failed(method, misconfigured(scheme.name, "an authorization URL with https, or on a loopback address"));
      const redirectUri = request.redirectUri ?? client.redirectUri;
      if (!isText(redirectUri)) return bad(method, "redirectUri", "the URI that the user is sent back to");
      if (!isText(request.state)) return bad(method, "state", "text that nobody can guess");
      if (!/^[A-Za-z0-9_-]{43}$/.test(request.challenge)) return bad(method, "challenge", "the challenge of pkce()");
      const scopes = request.scopes ?? client.scopes ?? scheme.authorizationCode?.scopes ?? [];
      const extra = Object.entries(request.extra ?? {}).filter(([name]) => !RESERVED.has(name));
      const pairs: (readonly [string, string])[] = [
        ["response_type", "code"],
        ["client_id", client.clientId],
        ["redirect_uri", redirectUri],
        ...(scopes.length === 0 ? [] : [["scope", scopes.join(" ")] as const]),
        ["state", request.state],
        ["code_challenge", request.challenge],
        ["code_challenge_method", "S256"],
        ...extra.sort(([left], [right]) => (left < right ? -1 : 1)),
      ];
      const text = pairs.map(([name, value]) => `${escapeAnyText(name)}=${escapeAnyText(value)}`).join("&");
      return done(`${url}${url.includes("?") ? "&" : "?"}${text}`);
    },

    async exchangeCode(exchange) {
      const method = "exchangeCode";
      const { code, verifier, state, expectedState } = exchange;
      runtime.secrets.learn(...[code, verifier].filter(isText));
      const setup = grant.setup();
      if ("expected" in setup) return failed(method, setup);
      const { client, key } = setup;
      if (client.flow !== "authorizationCode")
        return failed(method, misconfigured(scheme.name, "the flow authorizationCode"));
      if (state !== undefined || expectedState !== undefined) {
        const same = isText(state) && isText(expectedState) && equalInConstantTime(state, expectedState);
        if (!same) return bad(method, "state", "the state of the request that this redirect answers");
      }
      if (!isText(code)) return bad(method, "code", "the code of the redirect");
      if (!isText(verifier) || !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) {
        return bad(method, "verifier", "the verifier of pkce()");
      }
      const redirectUri = exchange.redirectUri ?? client.redirectUri;
      if (!isText(redirectUri)) return bad(method, "redirectUri", "the URI that the user was sent back to");
      const answer = await grant.request(key.issuer, {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      if (answer.kind === "tokens") return metadata(method, await grant.keep(key, answer.tokens, null));
      const again = `Send the user to authorizationUrl() of ${scheme.name} again: a code is good for one request.`;
      return failed(method, {
        ...answer.problem,
        ...(answer.kind === "unspent" ? {} : { retryable: "after_remediation", remediation: again }),
      });
    },

    async refresh() {
      const setup = grant.setup();
      if ("expected" in setup) return failed("refresh", setup);
      const stored = await grant.read(setup.key);
      if (stored !== null && "expected" in stored) return failed("refresh", stored);
      const tokens = await grant.current(stored?.accessToken ?? null);
      if (
        stored !== null &&
        !("expected" in tokens) &&
        tokens.accessToken === stored.accessToken &&
        stored.refreshToken === null
      ) {
        return failed("refresh", {
          expected: "a refresh token",
          remediation: `Send the user to authorizationUrl() of ${scheme.name} again.`,
        });
      }
      return metadata("refresh", tokens);
    },

    async tokens() {
      const setup = grant.setup();
      if ("expected" in setup) return failed("tokens", setup);
      const stored = await grant.read(setup.key);
      return stored === null ? done(null) : metadata("tokens", stored);
    },

    async forget() {
      const setup = grant.setup();
      const problem = "expected" in setup ? setup : await grant.forget(setup.key);
      return problem === null ? done(undefined) : failed("forget", problem);
    },
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function metadataOf(tokens: StoredTokens): TokenMetadata {
  return { expiresAt: tokens.expiresAt, scope: tokens.scope, refreshable: tokens.refreshToken !== null };
}

function done<T>(value: T): Ok<T> {
  return { ok: true, value, meta: { status: 0, headers: {}, requestId: null, attempts: 0 } };
}
