// Chooses the credentials of a call and says where they go. Reads the API's schemes, the operation's requirement and
// the configured credentials; returns headers, query pairs and cookies, or what is missing. Sends nothing.

import type { AuthPart, AuthScheme } from "./descriptor.js";
import { escapeAnyText, escapeComponent, isHeaderValue } from "./encode.js";
import type { Envelope } from "./envelope.js";
import { base64 } from "./json.js";
import type { OAuthCredential } from "./oauth.js";
import { REDACTED } from "./redact.js";

/**
 * A function that finds the credential when a call needs it. `rejected` is the one that the API refused with 401: when
 * the function then returns another one, the request is sent once more.
 */
export type CredentialFunction = (context: { readonly rejected: string | null }) => string | Promise<string>;

/**
 * The credential of one scheme: a key or token as text, or a function that finds it; `{ username, password }` for HTTP
 * Basic (or `user:password`); the client of an OAuth 2 flow; for a composite scheme the values by cookie name, by
 * configuration key, and `bearer`.
 */
export type Credential = string | CredentialFunction | OAuthCredential | Readonly<Record<string, string>>;

/** What a call sends to prove who it is. */
export interface AppliedAuth {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
  /** Schemes whose credential must still be found: a placeholder stands for it. */
  readonly sources: readonly string[];
  /** Credentials that were found, by scheme. */
  readonly found: ReadonlyMap<string, string>;
}

/** Why no credentials can be sent: `AUTH_FAILED` unless it says otherwise. */
export interface AuthProblem extends Partial<Pick<Envelope, "category" | "code" | "retryable" | "retry_after_ms">> {
  readonly expected: string;
  readonly remediation: string;
}

const NOTHING: AppliedAuth = { headers: [], query: [], cookies: [], sources: [], found: new Map() };

/** Credentials by scheme. */
export type Credentials = Readonly<Record<string, Credential>>;

/**
 * The first alternative whose schemes are all configured; one without schemes only as the last resort. Composite
 * schemes come before the schemes that they satisfy.
 */
export function chooseAuth(
  security: readonly (readonly string[])[] | undefined,
  schemes: readonly AuthScheme[],
  credentials: Credentials,
  mutation: boolean,
): AppliedAuth | AuthProblem {
  const alternatives = security ?? [];
  if (alternatives.length === 0) return NOTHING;
  let problem: AuthProblem | null = null;
  for (const alternative of alternatives) {
    if (alternative.length === 0) continue;
    const chosen = coveringSchemes(alternative, schemes, credentials, mutation);
    if (chosen === null) continue;
    const applied = applyAll(chosen, credentials, mutation);
    if (!("expected" in applied)) return applied;
    problem ??= applied;
  }
  if (problem !== null) return problem;
  if (alternatives.some((alternative) => alternative.length === 0)) return NOTHING;
  const names = alternatives.map((alternative) => alternative.join(" and ")).join(", or ");
  return {
    expected: `a credential for ${names}`,
    remediation: `Configure ${names} in the client's auth option and call again.`,
  };
}

/** All secrets that are configured, whether or not a call uses them. */
export function configuredSecrets(credentials: Credentials, schemes: readonly AuthScheme[]): readonly string[] {
  return Object.entries(credentials).flatMap(([name, credential]) => {
    if (typeof credential === "string") return [credential, basicToken(credential)];
    if (typeof credential === "function") return [];
    const scheme = schemes.find((candidate) => candidate.name === name);
    if (isOAuthClient(scheme, credential)) return clientSecrets(credential);
    const members = credential as Readonly<Record<string, string>>;
    const open = openKeys(scheme);
    const values = Object.entries(members).flatMap(([key, value]) => (open.has(key) ? [] : [value]));
    const { username, password } = members;
    return username === undefined || password === undefined
      ? values
      : [...values, basicToken(`${username}:${password}`)];
  });
}

/** Whether a credential is the client of an OAuth 2 flow. */
export function isOAuthClient(scheme: AuthScheme | undefined, credential: Credential): credential is OAuthCredential {
  return scheme?.kind === "oauth2" && typeof credential === "object" && typeof credential["clientId"] === "string";
}

function clientSecrets({ clientId, clientSecret }: OAuthCredential): readonly string[] {
  if (typeof clientSecret !== "string") return [];
  return [clientSecret, clientToken(clientId, clientSecret)];
}

/** How a client with a secret proves who it is (RFC 6749, section 2.3.1): the text after `Basic`. */
export function clientToken(clientId: string, clientSecret: string): string {
  return basicToken(`${escapeAnyText(clientId)}:${escapeAnyText(clientSecret)}`);
}

/** Members of a credential that are no secrets: scrubbing a user name or an origin would hide harmless text. */
function openKeys(scheme: AuthScheme | undefined): ReadonlySet<string> {
  if (scheme?.kind !== "composite") return new Set(["username"]);
  return new Set(
    scheme.parts.filter(isOrigin).map((part) => (part.kind === "header" ? (part.fromConfig ?? part.name) : "")),
  );
}

function isOrigin(part: AuthPart): boolean {
  return part.kind === "header" && part.name.toLowerCase() === "origin";
}

function coveringSchemes(
  names: readonly string[],
  schemes: readonly AuthScheme[],
  credentials: Credentials,
  mutation: boolean,
): readonly AuthScheme[] | null {
  const chosen: AuthScheme[] = [];
  const covered = new Set<string>();
  for (const scheme of schemes) {
    if (scheme.kind !== "composite" || !isConfigured(scheme, credentials, mutation)) continue;
    const satisfied = names.filter((name) => name === scheme.name || scheme.satisfies.includes(name));
    if (satisfied.every((name) => covered.has(name))) continue;
    chosen.push(scheme);
    for (const name of satisfied) covered.add(name);
  }
  for (const name of names) {
    if (covered.has(name)) continue;
    const direct = schemes.find((scheme) => scheme.name === name && scheme.kind !== "composite");
    if (direct === undefined || !isConfigured(direct, credentials, mutation)) return null;
    chosen.push(direct);
  }
  return chosen;
}

function isConfigured(scheme: AuthScheme, credentials: Credentials, mutation: boolean): boolean {
  const credential = Object.hasOwn(credentials, scheme.name) ? credentials[scheme.name] : undefined;
  if (credential === undefined || credential === null) return false;
  if (scheme.kind === "composite") {
    if (typeof credential !== "object") return false;
    const members = credential as Readonly<Record<string, string>>;
    return scheme.parts.every((part) => partValue(part, members) !== undefined || isSkipped(part, mutation));
  }
  if (typeof credential === "string") return credential !== "";
  if (isSource(scheme, credential)) return true;
  return scheme.kind === "http_basic" && typeof (credential as Record<string, unknown>)["username"] === "string";
}

/** Whether the credential must be found when a call needs it. */
function isSource(scheme: AuthScheme, credential: Credential): boolean {
  return typeof credential === "function" || isOAuthClient(scheme, credential);
}

function isSkipped(part: AuthPart, mutation: boolean): boolean {
  return part.kind === "header" && part.mutationOnly === true && !mutation;
}

function partValue(part: AuthPart, credential: Readonly<Record<string, string>>): string | undefined {
  const key =
    part.kind === "cookie"
      ? part.name
      : part.kind === "bearer"
        ? "bearer"
        : (part.equalsCookie ?? part.fromConfig ?? part.name);
  const value = Object.hasOwn(credential, key) ? credential[key] : undefined;
  return value === "" ? undefined : value;
}

interface Gathered {
  readonly headers: [string, string][];
  readonly query: [string, string][];
  readonly cookies: [string, string][];
  readonly sources: string[];
}

function applyAll(
  chosen: readonly AuthScheme[],
  credentials: Credentials,
  mutation: boolean,
): AppliedAuth | AuthProblem {
  const out: Gathered = { headers: [], query: [], cookies: [], sources: [] };
  for (const scheme of chosen) {
    const credential = credentials[scheme.name];
    const problem = credential === undefined ? null : apply(scheme, credential, mutation, out);
    if (problem !== null) return problem;
  }
  for (const [, value] of [...out.headers, ...out.cookies]) {
    if (!isHeaderValue(value)) return unusable(chosen[0]?.name ?? "", "one line of text");
  }
  return { ...out, found: NOTHING.found };
}

/** A credential that cannot be sent. */
export function unusable(name: string, expected: string): AuthProblem {
  return {
    expected: `${name}: ${expected}`,
    remediation: `Correct the credential ${name} in the client's auth option.`,
  };
}

function apply(scheme: AuthScheme, given: Credential, mutation: boolean, out: Gathered): AuthProblem | null {
  if (scheme.kind === "composite") {
    return typeof given === "object"
      ? applyComposite(scheme, given as Readonly<Record<string, string>>, mutation, out)
      : null;
  }
  const source = isSource(scheme, given);
  if (source) out.sources.push(scheme.name);
  const credential = source ? `${REDACTED}:${REDACTED}` : given;
  if (scheme.kind === "http_basic") {
    const { username, password } = credential as Readonly<Record<string, string | undefined>>;
    const text = typeof credential === "string" ? credential : `${username ?? ""}:${password ?? ""}`;
    if (!text.includes(":")) return unusable(scheme.name, "a user name and a password");
    out.headers.push(["authorization", `Basic ${basicToken(text)}`]);
    return null;
  }
  if (typeof credential !== "string") return unusable(scheme.name, "text");
  if (scheme.kind === "api_key") {
    if (scheme.in === "header") out.headers.push([scheme.wire.toLowerCase(), credential]);
    else if (scheme.in === "query") out.query.push([scheme.wire, credential]);
    else out.cookies.push([scheme.wire, cookieValue(credential)]);
    return null;
  }
  const prefix = scheme.kind === "http_bearer" && !source ? scheme.prefix : undefined;
  return bearer(scheme.name, credential, prefix, out);
}

function bearer(name: string, token: string, prefix: string | undefined, out: Gathered): AuthProblem | null {
  if (prefix !== undefined && !token.startsWith(prefix)) return unusable(name, `a token that starts with ${prefix}`);
  out.headers.push(["authorization", `Bearer ${token}`]);
  return null;
}

function applyComposite(
  scheme: AuthScheme & { readonly kind: "composite" },
  credential: Readonly<Record<string, string>>,
  mutation: boolean,
  out: Gathered,
): AuthProblem | null {
  for (const part of scheme.parts) {
    const value = partValue(part, credential);
    if (value === undefined || isSkipped(part, mutation)) continue;
    if (part.kind === "cookie") out.cookies.push([part.name, cookieValue(value)]);
    else if (part.kind === "header") out.headers.push([part.name.toLowerCase(), value]);
    else {
      const problem = bearer(scheme.name, value, part.prefix, out);
      if (problem !== null) return problem;
    }
  }
  return null;
}

/** A cookie value keeps the characters that RFC 6265, section 4.1.1, allows; others are percent-encoded. */
function cookieValue(text: string): string {
  return text.replace(/[^\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+/g, (part) => escapeComponent(part));
}

/** The text after `Basic` in an `Authorization` header. */
export function basicToken(text: string): string {
  return base64(new TextEncoder().encode(text));
}
