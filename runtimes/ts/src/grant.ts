// The tokens of one OAuth 2 scheme: reads them from the store, and gets or renews them where a call needs that, one request
// at a time. What token endpoints say is judged by `tokens.ts`; helpers for applications are in `oauth.ts`.

import type { AuthProblem } from "./auth.js";
import type { AuthScheme } from "./descriptor.js";
import type { OAuthCredential } from "./oauth.js";
import type { Runtime } from "./runtime.js";
import { unlessAborted } from "./source.js";
import type { TokenSource } from "./source.js";
import { endpointUrl, isStoredTokens, requestTokens, tokenKeyText } from "./tokens.js";
import type { NewTokens, StoredTokens, TokenKey, TokenStore } from "./tokens.js";

/** A scheme that flows belong to. */
export type OAuthScheme = AuthScheme & { readonly kind: "oauth2" };
/** Tokens, or why there are none. */
export type Tokens = StoredTokens | AuthProblem;

/** A token is renewed this long before it expires. */
const EARLY_MS = 30_000;
/** Lifetime of the token of a client that the issuer does not state (RFC 6749, section 5.1, only recommends to). */
const CLIENT_LIFETIME_S = 3600;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Where a flow takes place. */
interface Setup {
  readonly key: TokenKey;
  readonly client: OAuthCredential;
  readonly refreshUrl: string;
}

/** Requests that are on their way, by store: clients that share a store share them. */
const flights = new WeakMap<TokenStore, Map<string, Promise<Tokens>>>();

/** The tokens of one scheme. */
export class Grant implements TokenSource {
  readonly #runtime: Runtime;
  readonly #scheme: OAuthScheme;
  readonly #client: OAuthCredential | undefined;
  readonly #store: TokenStore;

  constructor(runtime: Runtime, scheme: OAuthScheme, client: OAuthCredential | undefined, store: TokenStore) {
    this.#runtime = runtime;
    this.#scheme = scheme;
    this.#client = client;
    this.#store = store;
  }

  get client(): OAuthCredential | undefined {
    return this.#client;
  }

  /** The access token for a call, renewed where it must be. */
  token(rejected: string | null, signal: AbortSignal | undefined): Promise<{ readonly token: string } | AuthProblem> {
    const find = async (): Promise<{ readonly token: string } | AuthProblem> => {
      const tokens = await this.current(rejected);
      return "expected" in tokens ? tokens : { token: tokens.accessToken };
    };
    return unlessAborted(find(), signal);
  }

  /** A user who must authorize first is known before anything is sent. */
  async missing(): Promise<AuthProblem | null> {
    const setup = this.setup();
    if ("expected" in setup) return setup;
    const stored = await this.read(setup.key);
    if (stored !== null && "expected" in stored) return stored;
    if (setup.key.flow === "clientCredentials" || (stored !== null && this.#isGood(stored, null))) return null;
    return stored === null || stored.refreshToken === null ? this.#authorize(stored !== null) : null;
  }

  /** Tokens that a call can use, or why there are none. `rejected`: an access token that is of no use. */
  async current(rejected: string | null): Promise<Tokens> {
    const setup = this.setup();
    if ("expected" in setup) return setup;
    const stored = await this.read(setup.key);
    if (stored !== null && ("expected" in stored || this.#isGood(stored, rejected))) return stored;
    return this.#shared(setup, rejected);
  }

  /** Where the flow takes place, or what is wrong with the credential or the description. */
  setup(): Setup | AuthProblem {
    const client = this.#client;
    const { name, tokenUrl, scopes, authorizationCode } = this.#scheme;
    if (client === undefined) return misconfigured(name, "the client of a flow (clientId and so on)");
    const flow = client.flow ?? "clientCredentials";
    if (flow !== "clientCredentials" && flow !== "authorizationCode") return misconfigured(name, "a flow that exists");
    if (flow === "clientCredentials" && !client.clientSecret) return misconfigured(name, "a clientSecret");
    const described =
      flow === "clientCredentials"
        ? { token: tokenUrl, refresh: tokenUrl, scopes }
        : {
            token: authorizationCode?.tokenUrl,
            refresh: authorizationCode?.refreshUrl ?? authorizationCode?.tokenUrl,
            scopes: authorizationCode?.scopes,
          };
    const issuer = this.address(client.tokenUrl ?? described.token);
    const refreshUrl = this.address(client.tokenUrl ?? described.refresh);
    if (issuer === null || refreshUrl === null) {
      return misconfigured(name, `a token URL of the flow ${flow} with https, or on a loopback address`);
    }
    const scope = [...(client.scopes ?? described.scopes ?? [])].sort().join(" ");
    return { key: { issuer, clientId: client.clientId, flow, scope }, client, refreshUrl };
  }

  address(text: string | undefined): string | null {
    const { api, options } = this.#runtime;
    return endpointUrl(text, options.baseUrl ?? api.servers[0]);
  }

  /** What the store has; a store that fails, or returns something else, is a problem. */
  async read(key: TokenKey): Promise<StoredTokens | AuthProblem | null> {
    try {
      const stored: unknown = await this.#store.get(key);
      if (stored === null || stored === undefined) return null;
      if (!isStoredTokens(stored)) return BROKEN_STORE;
      this.#learn(stored);
      return stored;
    } catch {
      return BROKEN_STORE;
    }
  }

  /** Keeps new tokens; what the answer does not state is taken over from `before`. */
  async keep(key: TokenKey, tokens: NewTokens, before: StoredTokens | null): Promise<Tokens> {
    const seconds = tokens.expiresIn ?? (key.flow === "clientCredentials" ? CLIENT_LIFETIME_S : undefined);
    const kept: StoredTokens = {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken ?? before?.refreshToken ?? null,
      expiresAt: seconds === undefined ? null : this.#runtime.now() + Math.floor(seconds * 1000),
      scope: tokens.scope ?? before?.scope ?? (key.scope === "" ? null : key.scope),
    };
    this.#learn(kept);
    try {
      await this.#store.set(key, kept);
      return kept;
    } catch {
      return {
        ...BROKEN_STORE,
        remediation: "Repair the token store, then authorize again: new tokens came and could not be kept.",
      };
    }
  }

  async forget(key: TokenKey): Promise<AuthProblem | null> {
    try {
      await this.#store.delete(key);
      return null;
    } catch {
      return BROKEN_STORE;
    }
  }

  async request(url: string, form: Readonly<Record<string, string>>): ReturnType<typeof requestTokens> {
    const { options, fetch, sleep, now, secrets } = this.#runtime;
    const wire = { fetch, sleep, now, timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS, secrets };
    const { clientId = "", clientSecret } = this.#client ?? {};
    return requestTokens(wire, { url, clientId, clientSecret }, form);
  }

  #learn(tokens: StoredTokens): void {
    const { accessToken, refreshToken } = tokens;
    this.#runtime.secrets.learn(accessToken, ...(refreshToken === null ? [] : [refreshToken]));
  }

  /** Whether stored tokens serve a call: not about to expire, and not those that the API refused. */
  #isGood(stored: StoredTokens, rejected: string | null): boolean {
    if (rejected !== null && stored.accessToken === rejected) return false;
    return stored.expiresAt === null || this.#runtime.now() < stored.expiresAt - EARLY_MS;
  }

  /** One request at a time for each key; callers that come meanwhile get its answer. */
  #shared(setup: Setup, rejected: string | null): Promise<Tokens> {
    const running = flights.get(this.#store) ?? new Map<string, Promise<Tokens>>();
    flights.set(this.#store, running);
    const text = tokenKeyText(setup.key);
    const known = running.get(text);
    if (known !== undefined) return known;
    const flight = this.#alone(setup, rejected).finally(() => running.delete(text));
    running.set(text, flight);
    return flight;
  }

  async #alone(setup: Setup, rejected: string | null): Promise<Tokens> {
    const renew = (): Promise<Tokens> => this.#renew(setup, rejected);
    try {
      return await (this.#store.exclusive?.(setup.key, renew) ?? renew());
    } catch {
      return BROKEN_STORE;
    }
  }

  async #renew(setup: Setup, rejected: string | null): Promise<Tokens> {
    const { key } = setup;
    // Another caller or process may have been faster.
    const stored = await this.read(key);
    if (stored !== null && ("expected" in stored || this.#isGood(stored, rejected))) return stored;
    if (key.flow === "clientCredentials") return this.#ownTokens(setup);
    if (stored === null) return this.#authorize(false);
    // A token that was refused and cannot be renewed: the API's answer stands.
    if (stored.refreshToken === null) return rejected === null ? this.#authorize(true) : stored;
    return this.#refresh(setup, stored, stored.refreshToken);
  }

  async #ownTokens({ key }: Setup): Promise<Tokens> {
    const scope = key.scope === "" ? {} : { scope: key.scope };
    const answer = await this.request(key.issuer, { grant_type: "client_credentials", ...scope });
    return answer.kind === "tokens" ? this.keep(key, answer.tokens, null) : answer.problem;
  }

  async #refresh({ key, refreshUrl }: Setup, before: StoredTokens, refreshToken: string): Promise<Tokens> {
    const answer = await this.request(refreshUrl, { grant_type: "refresh_token", refresh_token: refreshToken });
    switch (answer.kind) {
      case "tokens":
        return this.keep(key, answer.tokens, before);
      case "unspent":
        return answer.problem;
      case "unsure":
        return this.#unsure(key, before, answer.problem);
      case "refused": {
        // A process without a common lock may have used the refresh token first: its tokens stay.
        const now = await this.read(key);
        if (now !== null && !("expected" in now) && now.accessToken !== before.accessToken) return now;
        return (await this.forget(key)) ?? refusedRefresh(answer.problem, before.refreshLost === true);
      }
    }
  }

  /** The refresh token may be spent and its successor lost: that is remembered, so that a refusal can be explained. */
  async #unsure(key: TokenKey, before: StoredTokens, problem: AuthProblem): Promise<AuthProblem> {
    try {
      await this.#store.set(key, { ...before, refreshLost: true });
    } catch {
      return BROKEN_STORE;
    }
    if (problem.category === "UPSTREAM_UNAVAILABLE") return problem;
    return {
      ...problem,
      retryable: "after_remediation",
      remediation:
        "Call again once: the answer to a token refresh was lost or unusable, and the refresh token may be spent. " +
        "If that fails with AUTH_FAILED, the user must authorize again.",
    };
  }

  #authorize(again: boolean): AuthProblem {
    const { name } = this.#scheme;
    return {
      expected: again ? `tokens of ${name} that have not expired` : `tokens of ${name}`,
      remediation: `Send the user to authorizationUrl() of ${name} ${again ? "again " : ""}and call exchangeCode() with the code of the redirect.`,
    };
  }
}

const BROKEN_STORE: AuthProblem = {
  category: "TRANSPORT_FAILED",
  retryable: "never",
  expected: "a token store that can read and keep tokens",
  remediation: "Repair the token store.",
};

/** A credential, or a description, of which no flow can be made. */
export function misconfigured(scheme: string, expected: string): AuthProblem {
  return {
    expected: `${scheme}: ${expected}`,
    remediation: `Correct the credential ${scheme} in the client's auth option.`,
  };
}

function refusedRefresh(problem: AuthProblem, wasLost: boolean): AuthProblem {
  const why = wasLost
    ? "the refresh token was probably spent by an earlier refresh whose answer was lost"
    : "the token endpoint refused the refresh";
  return {
    ...problem,
    remediation: `Authorize again: ${why}. The stored tokens were deleted.`,
  };
}
