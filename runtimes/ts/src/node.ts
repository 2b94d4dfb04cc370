// The entry `./node`: stores in files, for idempotency keys and OAuth 2 tokens. Processes may share a file: a change is made
// under a lock, written to a temporary file beside it and renamed into place, so that readers see the old content or the
// new one. The only file of this package that uses Node.

import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";

import { sha256Hex } from "./digest.js";
import type { IdempotencyStore } from "./idempotency.js";
import { isMembers, member, setMember } from "./json.js";
import { isStoredTokens, tokenKeyText } from "./tokens.js";
import type { StoredTokens, TokenKey, TokenStore } from "./tokens.js";

/** Longest wait for a lock: other processes hold one for a few file operations. */
const LOCK_WAIT_MS = 10_000;
/** Longest wait for another process that asks a token endpoint. */
const EXCLUSIVE_WAIT_MS = 60_000;
/** A lock must be held this long before its owner is looked for. */
const STALE_MS = 500;
const POLL_MS = 10;

/**
 * Idempotency keys in a file: `{"version": 1, "keys": {"<operation>": {"<call>": "<key>"}}}`, readable by its owner only.
 * When two processes make a key for the same call, both get the one that was first. A file that cannot be read yields no
 * key and refuses to be written.
 */
export class FileIdempotencyStore implements IdempotencyStore {
  readonly #file: DocumentFile;

  constructor(path: string) {
    this.#file = new DocumentFile(path, "keys");
  }

  /** The key kept for a call. */
  async get(scope: string, logicalId: string): Promise<string | null> {
    try {
      return keyIn(await this.#file.read(), scope, logicalId);
    } catch {
      return null;
    }
  }

  /** Keeps a key unless there is one; returns the one that is kept. */
  put(scope: string, logicalId: string, key: string): Promise<string> {
    return this.#file.change((keys) => {
      const known = keyIn(keys, scope, logicalId);
      if (known !== null) return { result: known, changed: null };
      const before = member(keys, scope);
      const ofScope = { ...(isMembers(before) ? before : {}) };
      setMember(ofScope, logicalId, key);
      return { result: key, changed: withMember(keys, scope, ofScope) };
    });
  }
}

function keyIn(keys: Members, scope: string, logicalId: string): string | null {
  const ofScope = member(keys, scope);
  const key = isMembers(ofScope) ? member(ofScope, logicalId) : undefined;
  return typeof key === "string" ? key : null;
}

/**
 * OAuth 2 tokens in a file, readable by its owner only. Processes that share it refresh one after the other, so that a
 * refresh token is never used twice.
 */
export class FileTokenStore implements TokenStore {
  readonly #path: string;
  readonly #file: DocumentFile;

  constructor(path: string) {
    this.#path = resolve(path);
    this.#file = new DocumentFile(path, "tokens");
  }

  /** The tokens of a key. */
  async get(key: TokenKey): Promise<StoredTokens | null> {
    const tokens = member(await this.#file.read(), tokenKeyText(key));
    return isStoredTokens(tokens) ? tokens : null;
  }

  /** Replaces the tokens of a key. */
  set(key: TokenKey, tokens: StoredTokens): Promise<void> {
    return this.#file.change((all) => ({ result: undefined, changed: withMember(all, tokenKeyText(key), tokens) }));
  }

  /** Forgets the tokens of a key. */
  delete(key: TokenKey): Promise<void> {
    return this.#file.change((all) => {
      const text = tokenKeyText(key);
      const rest = Object.entries(all).filter(([name]) => name !== text);
      return { result: undefined, changed: Object.hasOwn(all, text) ? Object.fromEntries(rest) : null };
    });
  }

  /** Runs `work` while no other process that shares the file does so for this key. */
  async exclusive<T>(key: TokenKey, work: () => Promise<T>): Promise<T> {
    const name = (await sha256Hex(tokenKeyText(key))).slice(0, 16);
    await makeFolder(this.#path);
    return locked(`${this.#path}.${name}.lock`, EXCLUSIVE_WAIT_MS, work);
  }
}

type Members = Readonly<Record<string, unknown>>;

/** What a change makes of the members: `null` leaves the file as it is. */
interface Change<T> {
  readonly result: T;
  readonly changed: Members | null;
}

function withMember(members: Members, name: string, value: unknown): Members {
  const copy: Record<string, unknown> = { ...members };
  setMember(copy, name, value);
  return copy;
}

/** A file `{"version": 1, "<name>": {…}}`. */
class DocumentFile {
  readonly #path: string;
  readonly #name: string;
  /** Changes of this process follow each other without waiting for the lock of the file. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, name: string) {
    this.#path = resolve(path);
    this.#name = name;
  }

  /** The members; none when there is no file. Rejects when the file is something else. */
  async read(): Promise<Members> {
    let text: string;
    try {
      text = await readFile(this.#path, "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") return {};
      throw error;
    }
    const document: unknown = JSON.parse(text);
    const members = isMembers(document) && document["version"] === 1 ? member(document, this.#name) : undefined;
    if (!isMembers(members)) throw new TypeError(`the file holds no ${this.#name} of version 1`);
    return members;
  }

  /** Changes the members while nobody else does. */
  async change<T>(make: (members: Members) => Change<T>): Promise<T> {
    const turn = this.#last.then(() => this.#changeNow(make));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #changeNow<T>(make: (members: Members) => Change<T>): Promise<T> {
    await makeFolder(this.#path);
    return locked(`${this.#path}.lock`, LOCK_WAIT_MS, async () => {
      const { result, changed } = make(await this.read());
      if (changed !== null) await replace(this.#path, `${sortedJson({ version: 1, [this.#name]: changed })}\n`);
      return result;
    });
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
}

/** Indented JSON; the members below the document's own are sorted. */
function sortedJson(document: Members): string {
  const sorted = (name: string, value: unknown): unknown =>
    name !== "" && isMembers(value)
      ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value;
  return JSON.stringify(document, sorted, 2);
}

/** Replaces a file in one step; the content is on the disk before the name leads to it. */
async function replace(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeNew(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await remove(temporary);
    throw error;
  }
}

async function writeNew(path: string, content: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function remove(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch {
    // It is gone, or its folder is: there is nothing else to do about it.
  }
}

// ---- Locks between processes ----

/** Runs `work` while holding a lock file. Rejects when it cannot be had in time. */
async function locked<T>(path: string, waitMs: number, work: () => Promise<T>): Promise<T> {
  await acquire(path, waitMs);
  try {
    return await work();
  } finally {
    await remove(path);
  }
}

async function acquire(path: string, waitMs: number): Promise<void> {
  const owner = JSON.stringify({ id: randomUUID(), pid: process.pid, host: hostname() });
  const temporary = `${path}.${randomUUID()}.tmp`;
  const started = performance.now();
  let holder = { id: "", since: started };
  try {
    await writeNew(temporary, owner);
    while (!(await taken(path, temporary, owner))) {
      const now = performance.now();
      if (now - started > waitMs) throw new Error("another process holds the lock of the store for too long");
      const other = await ownerOf(path);
      if (other?.id !== holder.id) holder = { id: other?.id ?? "", since: now };
      else if (now - holder.since > STALE_MS && isGone(other)) await breakLock(path, other.id);
      await new Promise((done) => setTimeout(done, POLL_MS * (0.5 + Math.random())));
    }
  } finally {
    await remove(temporary);
  }
}

/**
 * Whether the lock is ours now. A link makes a file that has its content from the start, so that nobody reads the lock of
 * an owner that is not named yet.
 */
async function taken(path: string, temporary: string, owner: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return false;
    // File systems without links: exclusive creation will do.
    if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS") return createdAlone(path, owner);
    throw error;
  }
}

async function createdAlone(path: string, owner: string): Promise<boolean> {
  try {
    await writeNew(path, owner);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes the lock of a process that is gone. Only whoever makes the marker named after that lock may remove it, and looks
 * again afterwards: a lock that somebody else took meanwhile has another id, so it stays.
 */
async function breakLock(path: string, id: string): Promise<void> {
  const marker = `${path}.${id}.stale`;
  if (!(await createdAlone(marker, ""))) return;
  try {
    if ((await ownerOf(path))?.id === id) await remove(path);
  } finally {
    await remove(marker);
  }
}

interface Owner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
}

async function ownerOf(path: string): Promise<Owner | null> {
  try {
    const owner: unknown = JSON.parse(await readFile(path, "utf8"));
    if (!isMembers(owner)) return null;
    const { id, pid, host } = owner;
    const named = typeof id === "string" && /^[0-9a-f-]{36}$/.test(id);
    return named && typeof pid === "number" && typeof host === "string" ? { id, pid, host } : null;
  } catch {
    return null;
  }
}

/** Whether the owner of a lock surely does not run any more. */
function isGone({ pid, host }: Owner): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // A process of another user cannot be signalled, but it is there.
    return codeOf(error) === "ESRCH";
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
