// An issuer of tokens and an API behind it, as one scripted `fetch`: what OAuth 2 tests share.

import { oauth2 } from "../dist/index.js";
import type { ApiDescriptor, ClientOptions } from "../dist/index.js";
import { bench, json, NOW } from "./support.ts";
import type { Bench, Step } from "./support.ts";

export const AUTHORIZE = "https://id.test/authorize";
export const TOKEN = "https://id.test/token";
export const REFRESH = "https://id.test/refresh";

export const SCHEME = {
  kind: "oauth2",
  name: "oauth",
  tokenUrl: TOKEN,
  scopes: ["things:read", "things:write"],
  authorizationCode: { authorizationUrl: AUTHORIZE, tokenUrl: TOKEN, refreshUrl: REFRESH, scopes: ["read", "write"] },
} as const;

/** One request to a token endpoint. */
export interface TokenRequest {
  readonly url: string;
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
  readonly redirect: string | undefined;
}

export interface IssuerBench extends Omit<Bench, "sent"> {
  /** Requests to the token endpoint. */
  readonly asked: TokenRequest[];
  /** The `Authorization` header of each request to the API. */
  readonly seen: (string | undefined)[];
}

/** What the token endpoint does with its n-th request (from 0); by default it issues `access-n`. */
export type Issue = (request: TokenRequest, n: number) => Step | Promise<Step>;
/** What the API does with a request under an `Authorization` header. */
export type Serve = (authorization: string | undefined, n: number) => Step;

/** An answer with tokens. */
export function issued(accessToken: string, more: Record<string, unknown> = {}): Step {
  return json(200, { access_token: accessToken, token_type: "Bearer", expires_in: 3600, ...more });
}

export const issueInOrder: Issue = (_request, n) => issued(`access-${n}`);

/** A client of an API whose operations ask for the scheme `oauth`. */
export function issuerBench(
  options: ClientOptions,
  issue: Issue = issueInOrder,
  serve: Serve = () => json(200, {}),
  scheme: Partial<ApiDescriptor["auth"][number]> = {},
): IssuerBench {
  const asked: TokenRequest[] = [];
  const seen: (string | undefined)[] = [];
  const clock = { now: NOW };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = init.headers as Record<string, string>;
    if (url.startsWith("https://api.shop.test/")) {
      seen.push(headers["authorization"]);
      return answer(serve(headers["authorization"], seen.length - 1));
    }
    const form = Object.fromEntries(new URLSearchParams(init.body as string));
    const request = { url, form, authorization: headers["authorization"], redirect: init.redirect };
    asked.push(request);
    return answer(await issue(request, asked.length - 1));
  };
  const auth = [{ ...SCHEME, ...scheme } as ApiDescriptor["auth"][number]];
  const made = bench([], { fetch, now: () => clock.now, ...options }, { auth }, { oauth: oauth2 });
  return { ...made, asked, seen, clock };
}

function answer(step: Step): Response | Promise<Response> {
  if ("fails" in step) {
    const cause = step.fails === null ? undefined : Object.assign(new Error(step.fails), { code: step.fails });
    return Promise.reject(new TypeError("fetch failed", { cause }));
  }
  if (!("status" in step)) throw new Error("a step that this bench does not know");
  return new Response(step.body ?? null, { status: step.status, headers: step.headers ?? {} });
}
