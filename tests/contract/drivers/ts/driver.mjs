// The contract suite's driver for TypeScript: reads commands as JSON lines, calls the runtime with the descriptors of a
// generated SDK, and says what happened. tests/contract/README.md describes the lines.
//
// Usage: node driver.mjs <folder of the compiled SDK>

import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(folder, path)).href);
const { ClientCore, MemoryIdempotencyStore } = await import("@elysra/tungsten-runtime");
const { api } = await load("internal.js");
const operations = new Map([...descriptors(await load("descriptors.js"))].map((found) => [found.id, found]));

/** What this driver can do beyond calls and previews. */
const FEATURES = ["gzip"];

const state = {
  now: 0,
  random: () => 0.5,
  clients: new Map(),
  stores: new Map(),
  calls: new Map(),
  sleeps: new Map(),
  nSleeps: 0,
};

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const fault = (error) => say({ say: "fault", text: String(error?.stack ?? error) });

/** All descriptors, however deep the module namespaces nest. */
function* descriptors(value) {
  if (value === null || typeof value !== "object") return;
  if (typeof value.id === "string" && typeof value.method === "string") yield value;
  else for (const member of Object.values(value)) yield* descriptors(member);
}

// ---- Values: tagged JSON to JavaScript and back

function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (value === null || typeof value !== "object") return value;
  if ("$absent" in value) return undefined;
  if ("$bytes" in value) return new Uint8Array(Buffer.from(value.$bytes, "base64"));
  if ("$stream" in value) return new Blob([Buffer.from(value.$stream, "base64")]).stream();
  if ("$int" in value) return BigInt(value.$int);
  if ("$number" in value) return Number(value.$number);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decode(item)]));
}

function encode(value) {
  if (typeof value === "bigint") return { $int: String(value) };
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: String(value) };
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (Array.isArray(value)) return value.map(encode);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, encode(item)]));
}

// ---- Names: scenarios have wire names, the runtime takes those of the generated types

const toOurs = (field) => [field.wire ?? field.name, field.name];
const toWire = (field) => [field.name, field.wire ?? field.name];

function rename(value, schemas, names) {
  const forms = schemas.flatMap((schema) => [...plainForms(schema)]);
  if (Array.isArray(value)) {
    const ofItem = (index) =>
      forms.map((form) => form.prefix?.[index] ?? form.items).filter((form) => typeof form === "object");
    return value.map((item, index) => rename(item, ofItem(index), names));
  }
  if (value === null || typeof value !== "object" || value instanceof Uint8Array || value instanceof ReadableStream) {
    return value;
  }
  const fields = forms.flatMap((form) => form.fields ?? []);
  const rest = forms.flatMap((form) => [form.values, form.additional]).filter((form) => typeof form === "object");
  const renamed = Object.entries(value).map(([key, item]) => {
    const fitting = fields.filter((field) => names(field)[0] === key);
    const inner = fitting.length > 0 ? fitting.map((field) => field.schema) : rest;
    return [fitting.length > 0 ? names(fitting[0])[1] : key, rename(item, inner, names)];
  });
  return Object.fromEntries(renamed);
}

/** The schemas that a schema may stand for. */
function* plainForms(schema, seen = new Set()) {
  if (schema === undefined || seen.has(schema)) return;
  seen.add(schema);
  if (schema.kind === "ref") yield* plainForms(schema.ref(), seen);
  else if (schema.kind === "nullable") yield* plainForms(schema.inner, seen);
  else if (schema.kind === "union") for (const one of schema.variants) yield* plainForms(one, seen);
  else {
    yield schema;
    if (schema.kind === "all") for (const one of schema.members) yield* plainForms(one, seen);
  }
}

function argumentsOf(operation, args) {
  if (args === null || args === undefined) return undefined;
  const given = decode(args);
  if (given === null || typeof given !== "object" || Array.isArray(given)) return given;
  const isArgument = ({ role }) => [undefined, "plain", "dry_run"].includes(role);
  const params = (operation.params ?? []).filter(isArgument);
  const body = operation.body === undefined ? [] : [operation.body.schema];
  // Lists of members, not assignments: a member may be called `__proto__`.
  const merged = [];
  const ours = Object.entries(given).flatMap(([name, value]) => {
    const param = params.find((one) => one.name === name);
    if (param !== undefined) return [[param.key, rename(value, [param.schema], toOurs)]];
    if (name === "body" && operation.body?.arg !== undefined) {
      return [[operation.body.arg, rename(value, body, toOurs)]];
    }
    merged.push([name, value]);
    return [];
  });
  const left = rename(Object.fromEntries(merged), operation.body?.arg === undefined ? body : [], toOurs);
  return Object.fromEntries([...ours, ...Object.entries(left)]);
}

function wireValue(operation, value) {
  const schemas = (operation?.responses ?? []).flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
  return rename(value, schemas, toWire);
}

function wireResult(operation, kind, result) {
  if (!result.ok) {
    const partial = "partial" in result ? { partial: encode(wireValue(operation, result.partial)) } : {};
    return { ok: false, error: encode(result.error), ...partial };
  }
  const { status, headers, requestId, attempts } = result.meta;
  const value = kind === "preview" ? wirePreview(operation, result.value) : wireValue(operation, result.value);
  return { ok: true, value: encode(value), meta: { status, headers, request_id: requestId, attempts } };
}

function wirePreview(operation, preview) {
  if (!("server_preview" in preview)) return preview;
  const asked = operation.preview?.mode === "endpoint" ? operations.get(operation.preview.operation) : operation;
  return { ...preview, server_preview: wireValue(asked, preview.server_preview) };
}

// ---- Time and chance

function sleep(ms, signal, role) {
  return new Promise((resolve, reject) => {
    const stopped = () => reject(new Error("stopped"));
    if (signal.aborted) return stopped();
    const id = (state.nSleeps += 1);
    state.sleeps.set(id, resolve);
    signal.addEventListener("abort", () => {
      if (!state.sleeps.delete(id)) return;
      say({ say: "unsleep", sleep: id });
      stopped();
    });
    say({ say: "sleep", sleep: id, ms, role: role ?? "pause" });
  });
}

function randomOf({ constant, seed }) {
  if (constant !== undefined) return () => constant;
  let x = seed;
  return () => (x = (x * 48271) % 2147483647) / 2147483647;
}

// ---- Clients

const CLIENT_OPTIONS = [
  ...["base_url", "auth", "timeout_ms", "retries", "validate_responses", "headers", "confirmation_key", "store"],
  ...["middleware", "on_diagnostic"],
];
const CALL_OPTIONS = ["idempotency_key", "confirm", "allow_confirm_true", "timeout_ms", "headers"];

/** An option that is not passed on would make a scenario say more than it checks. */
function refuseOthers(options, known) {
  const other = Object.keys(options).find((name) => !known.includes(name));
  if (other !== undefined) throw new Error(`this driver does not know the option ${other}`);
}

function clientOf(name, options) {
  refuseOthers(options, CLIENT_OPTIONS);
  const { retries } = options;
  const report = (hook) => (context) => say({ say: "hook", client: name, hook, sees: encode(snake(context)) });
  const hearing = options.on_diagnostic === false ? {} : { onDiagnostic: report("diagnostic") };
  const reporter = { onRequest: report("request"), onResponse: report("response"), onRetry: report("retry") };
  const given = {
    baseUrl: options.base_url,
    auth: options.auth,
    timeoutMs: decode(options.timeout_ms),
    retries: retries && {
      max: retries.max,
      baseMs: retries.base_ms,
      maxMs: retries.max_ms,
      jitter: retries.jitter,
      honorRetryAfter: retries.honor_retry_after,
    },
    validateResponses: options.validate_responses,
    headers: options.headers,
    confirmationKey: options.confirmation_key,
    idempotencyStore: options.store && storeOf(options.store),
    middleware: [...(options.middleware ?? []).map(middlewareOf), reporter],
    operations: operations.values(),
    now: () => state.now,
    random: () => state.random(),
    sleep,
    ...hearing,
  };
  return new ClientCore(api, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
}

/** `requestId` as `request_id`: the members of what hooks see, not what those hold. */
function snake(context) {
  const word = (key) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(context).map(([key, value]) => [word(key), value]));
}

function middlewareOf({ add_headers = {}, throws }) {
  const act = (context) => {
    if (throws) throw new Error("a hook that throws");
    Object.assign(context.headers, add_headers);
  };
  return { onRequest: act, ...(throws ? { onResponse: act, onRetry: act, onDiagnostic: act } : {}) };
}

function storeOf({ name, fails, always }) {
  const kept = state.stores.get(name) ?? new MemoryIdempotencyStore();
  if (name !== undefined) state.stores.set(name, kept);
  const asked = (op, facts) => {
    say({ say: "store", asked: { op, ...facts } });
    if (fails === op) throw new Error("a store that fails");
  };
  return {
    get: (scope, logicalId) => {
      asked("get", { scope, logical_id: logicalId });
      return always ?? kept.get(scope, logicalId);
    },
    put: (scope, logicalId, key) => {
      asked("put", { scope, logical_id: logicalId, key });
      kept.put(scope, logicalId, key);
    },
  };
}

// ---- Commands

const COMMANDS = {
  begin: ({ random }) => {
    state.random = randomOf(random);
  },
  open: ({ client, options }) => {
    try {
      state.clients.set(client, clientOf(client, options));
    } catch (error) {
      fault(error);
    }
  },
  start: (command) => void start(command),
  cancel: ({ call }) => state.calls.get(call)?.abort(),
  advance: () => undefined,
  wake: ({ sleep: id }) => {
    const resolve = state.sleeps.get(id);
    state.sleeps.delete(id);
    resolve?.();
  },
  // Whatever can still happen at this moment happens before the answer.
  sync: ({ id }) => setImmediate(() => setImmediate(() => say({ say: "synced", id }))),
  reset: () => {
    for (const controller of state.calls.values()) controller.abort();
    for (const kept of [state.clients, state.stores, state.calls, state.sleeps]) kept.clear();
    say({ say: "reset" });
  },
};

async function start({ call, client, kind, operation: id, args, options, cancellable, cancelled }) {
  const controller = new AbortController();
  state.calls.set(call, controller);
  if (cancelled) controller.abort();
  try {
    const core = state.clients.get(client);
    const operation = operations.get(id);
    if (core === undefined) throw new Error(`no client is called ${client}`);
    if (operation === undefined) throw new Error(`the SDK has no operation ${id}`);
    if (kind !== "call" && kind !== "preview") throw new Error(`this driver cannot ${kind}`);
    refuseOthers(options, CALL_OPTIONS);
    const given = {
      idempotencyKey: decode(options.idempotency_key),
      confirm: decode(options.confirm),
      allowConfirmTrue: options.allow_confirm_true,
      timeoutMs: decode(options.timeout_ms),
      headers: decode(options.headers),
      ...(cancellable ? { signal: controller.signal } : {}),
    };
    const result = await core[kind](operation, argumentsOf(operation, args), given);
    if (state.calls.get(call) === controller) say({ say: "result", call, result: wireResult(operation, kind, result) });
  } catch (error) {
    fault(error);
  }
}

say({ say: "hello", target: "ts", features: FEATURES });
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  if (typeof command.now === "number") state.now = command.now;
  COMMANDS[command.do](command);
}
