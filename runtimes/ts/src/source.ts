// Credentials that are found when a call needs them: functions of the caller, and the tokens of OAuth 2 flows. `auth.ts`
// says which schemes a call uses; here their credentials are asked for. Nothing here rejects.

import { basicToken, chooseAuth, unusable } from "./auth.js";
import type { AppliedAuth, AuthProblem, CredentialFunction, Credentials } from "./auth.js";
import type { AuthScheme } from "./descriptor.js";
import type { Secrets } from "./redact.js";

/** Finds the credential of one scheme when a call needs it. */
export interface TokenSource {
  /** The credential to send; after a 401 `rejected` is the one that was sent. Never rejects. */
  token(rejected: string | null, signal: AbortSignal | undefined): Promise<{ readonly token: string } | AuthProblem>;
  /** What is known to be missing before anything is sent: for previews. */
  missing(): Promise<AuthProblem | null>;
}

/** What a call needs, who can give it. */
export interface AuthRequest {
  readonly security: readonly (readonly string[])[] | undefined;
  readonly schemes: readonly AuthScheme[];
  readonly credentials: Credentials;
  readonly mutation: boolean;
  readonly source: (scheme: string) => TokenSource | undefined;
}

/**
 * The credentials of a call that is about to be sent. `rejected`: those that the API refused with 401, by scheme. One
 * that turns out to be unusable gives way to the next alternative.
 */
export async function findAuth(
  request: AuthRequest,
  rejected: ReadonlyMap<string, string>,
  signal: AbortSignal | undefined,
): Promise<AppliedAuth | AuthProblem> {
  const found = new Map<string, string>();
  for (;;) {
    const credentials = { ...request.credentials, ...Object.fromEntries(found) };
    const chosen = chooseAuth(request.security, request.schemes, credentials, request.mutation);
    if ("expected" in chosen) return chosen;
    if (chosen.sources.length === 0) return { ...chosen, found };
    for (const name of chosen.sources) {
      const answer = await sourceOf(request, name).token(rejected.get(name) ?? null, signal);
      if ("expected" in answer) return answer;
      found.set(name, answer.token);
    }
  }
}

/** The credentials of a call that is only shown: nothing is asked for, placeholders stay. */
export async function shownAuth(request: AuthRequest): Promise<AppliedAuth | AuthProblem> {
  const chosen = chooseAuth(request.security, request.schemes, request.credentials, request.mutation);
  if ("expected" in chosen) return chosen;
  for (const name of chosen.sources) {
    const problem = await sourceOf(request, name).missing();
    if (problem !== null) return problem;
  }
  return chosen;
}

function sourceOf(request: AuthRequest, scheme: string): TokenSource {
  return request.source(scheme) ?? NO_SOURCE;
}

const NO_FLOWS: AuthProblem = {
  expected: "a client that can run OAuth 2 flows",
  remediation: "Make the client with the part `oauth2` of the runtime, or configure an access token.",
};

/** A client was made by hand, without the part that runs flows. */
const NO_SOURCE: TokenSource = {
  token: () => Promise.resolve(NO_FLOWS),
  missing: () => Promise.resolve(NO_FLOWS),
};

/** The source behind a function of the caller. What the function throws is not shown: it may hold secrets. */
export function functionSource(scheme: string, find: CredentialFunction, secrets: Secrets): TokenSource {
  const failed = unusable(scheme, "a function that returns the credential as text");
  const ask = async (rejected: string | null): Promise<{ readonly token: string } | AuthProblem> => {
    try {
      const token: unknown = await find({ rejected });
      if (typeof token !== "string") return failed;
      secrets.learn(token, basicToken(token));
      return { token };
    } catch {
      return failed;
    }
  };
  return {
    token: (rejected, signal) => unlessAborted(ask(rejected), signal),
    missing: () => Promise.resolve(null),
  };
}

/** Waits for an answer only as long as the caller does; what was asked for goes on for others. */
export async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T | AuthProblem> {
  if (signal === undefined) return answer;
  const over = new AbortController();
  const aborted = new Promise<AuthProblem>((resolve) => {
    const stop = (): void =>
      resolve({
        category: "TRANSPORT_FAILED",
        expected: "a credential before the caller cancels",
        remediation: "Call again if the result is still wanted: the caller cancelled.",
      });
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([aborted, answer]);
  } finally {
    over.abort();
  }
}
