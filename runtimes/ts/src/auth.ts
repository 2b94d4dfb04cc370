// Chooses the credentials of a call and says where they go. Reads the API's schemes, the operation's requirement and
// the configured credentials; returns headers, query pairs and cookies, or what is missing. Sends nothing.

import type { AuthPart, AuthScheme } from "./descriptor.js";
import { escapeComponent, isHeaderValue } from "./encode.js";
import { base64 } from "./json.js";

/**
 * The credential of one scheme: a key or token as text; `{ username, password }` for HTTP Basic (or `user:password`);
 * for a composite scheme the values by cookie name, by configuration key, and `bearer`.
 */
export type Credential = string | Readonly<Record<string, string>>;

/** What a call sends to prove who it is. */
export interface AppliedAuth {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
  readonly cookies: readonly (readonly [string, string])[];
}

/** Why no credentials can be sent. */
export interface AuthProblem {
  readonly expected: string;
  readonly remediation: string;
}

const NOTHING: AppliedAuth = { headers: [], query: [], cookies: [] };

type Credentials = Readonly<Record<string, Credential>>;

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
    const open = openKeys(schemes.find((scheme) => scheme.name === name));
    const values = Object.entries(credential).flatMap(([key, value]) => (open.has(key) ? [] : [value]));
    const { username, password } = credential;
    return username === undefined || password === undefined
      ? values
      : [...values, basicToken(`${username}:${password}`)];
  });
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
  if (credential === undefined) return false;
  if (scheme.kind === "composite") {
    if (typeof credential === "string") return false;
    return scheme.parts.every((part) => partValue(part, credential) !== undefined || isSkipped(part, mutation));
  }
  if (typeof credential === "string") return credential !== "";
  return scheme.kind === "http_basic" && typeof credential["username"] === "string";
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
}

function applyAll(
  chosen: readonly AuthScheme[],
  credentials: Credentials,
  mutation: boolean,
): AppliedAuth | AuthProblem {
  const out: Gathered = { headers: [], query: [], cookies: [] };
  for (const scheme of chosen) {
    const credential = credentials[scheme.name];
    const problem = credential === undefined ? null : apply(scheme, credential, mutation, out);
    if (problem !== null) return problem;
  }
  for (const [, value] of [...out.headers, ...out.cookies]) {
    if (!isHeaderValue(value)) return unusable(chosen[0]?.name ?? "", "one line of text");
  }
  return out;
}

function unusable(name: string, expected: string): AuthProblem {
  return {
    expected: `${name}: ${expected}`,
    remediation: `Correct the credential ${name} in the client's auth option.`,
  };
}

function apply(scheme: AuthScheme, credential: Credential, mutation: boolean, out: Gathered): AuthProblem | null {
  if (scheme.kind === "composite") {
    return typeof credential === "string" ? null : applyComposite(scheme, credential, mutation, out);
  }
  if (scheme.kind === "http_basic") {
    const text =
      typeof credential === "string" ? credential : `${credential["username"] ?? ""}:${credential["password"] ?? ""}`;
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
  return bearer(scheme.name, credential, scheme.kind === "http_bearer" ? scheme.prefix : undefined, out);
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

function basicToken(text: string): string {
  return base64(new TextEncoder().encode(text));
}
