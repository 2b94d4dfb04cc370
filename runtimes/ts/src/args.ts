// Splits the arguments object of a call into parameters and body, checks both, and names the first fault the way an
// envelope does. Reads the descriptor and the caller's values; encoding is left to `encode.ts` and `body.ts`.

import type { AnyOperation } from "./classify.js";
import { encode } from "./codec.js";
import type { ParamDescriptor } from "./descriptor.js";
import { isMembers, MAX_DEPTH, member, nestsDeeperThan, setMember } from "./json.js";
import type { Members } from "./json.js";
import type { Path } from "./redact.js";
import { fieldsOf } from "./shape.js";
import { requiredText, validate } from "./validate.js";
import type { Issue, Rank } from "./validate.js";

/** A fault in the arguments. */
export interface ArgumentFault {
  /** `args.limit`, `body.tags[0]`. */
  readonly failedParameter: string;
  readonly expected: string;
  readonly received: unknown;
  /** Where the value lies in the arguments, for redaction. */
  readonly path: Path;
  readonly sensitive: boolean;
}

/** Arguments that passed their checks. */
export interface CheckedArguments {
  /** As the caller gave them, without undefined members. */
  readonly given: Members;
  /** Parameters that have a value, with their wire value. */
  readonly params: readonly { readonly param: ParamDescriptor; readonly value: unknown }[];
  /** Wire value of the body; `undefined` when none is sent. */
  readonly body: unknown;
}

/** Whether a parameter is a member of the arguments object; the others are supplied by the runtime. */
export function isArgument(param: ParamDescriptor): boolean {
  return param.role === undefined || param.role === "plain" || param.role === "dry_run";
}

/** Checks arguments. Issues are considered in the order structure, constraints, unknown members. */
export function checkArguments(operation: AnyOperation, args: unknown): CheckedArguments | ArgumentFault {
  if (args !== undefined && !isMembers(args)) return fault("args", "an object", args, [], false);
  const given = present(args ?? {});
  if (nestsDeeperThan(given, MAX_DEPTH)) {
    return fault("args", `nesting of at most ${MAX_DEPTH} levels`, null, [], false);
  }
  const found: { readonly rank: Rank; readonly fault: ArgumentFault }[] = [];
  const known = new Set<string>();
  const params: { param: ParamDescriptor; value: unknown }[] = [];
  for (const param of operation.params ?? []) {
    if (!isArgument(param)) continue;
    known.add(param.key);
    const value = member(given, param.key);
    const sensitive = param.sensitive === true;
    const issues = paramIssues(param, value);
    for (const issue of issues) {
      const path = [param.key, ...issue.path];
      found.push({
        rank: issue.rank,
        fault: fault(`args${pathText(path)}`, issue.expected, issue.received, path, sensitive),
      });
    }
    if (value !== undefined && issues.length === 0) params.push({ param, value: encode(param.schema, value) });
  }
  const body = splitBody(operation, given, known);
  if (body.value !== undefined) {
    for (const issue of validate(body.schema, body.value, "request")) {
      const path = [...body.at, ...issue.path];
      found.push({
        rank: issue.rank,
        fault: fault(`body${pathText(issue.path)}`, issue.expected, issue.received, path, false),
      });
    }
  } else if (operation.body?.required === true) {
    found.push({ rank: 0, fault: fault("body", requiredText(operation.body.schema), null, body.at, false) });
  }
  for (const key of Object.keys(given)) {
    if (known.has(key)) continue;
    found.push({
      rank: 2,
      fault: fault(`args${pathText([key])}`, "no argument of this name", given[key], [key], false),
    });
  }
  const first = [...found].sort((a, b) => a.rank - b.rank)[0];
  if (first !== undefined) return first.fault;
  return { given, params, body: body.value === undefined ? undefined : encode(body.schema, body.value) };
}

function fault(
  failedParameter: string,
  expected: string,
  received: unknown,
  path: Path,
  sensitive: boolean,
): ArgumentFault {
  return { failedParameter, expected, received, path, sensitive };
}

/** A fault of a parameter that shows only when it is encoded. */
export function paramFault(param: ParamDescriptor, expected: string, received: unknown): ArgumentFault {
  return fault(`args${pathText([param.key])}`, expected, received, [param.key], param.sensitive === true);
}

/** A copy without the members whose value is undefined: those are absent. */
function present(args: Members): Members {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(args)) {
    const value = args[key];
    if (value !== undefined) setMember(copy, key, value);
  }
  return copy;
}

function paramIssues(param: ParamDescriptor, value: unknown): readonly Issue[] {
  if (value !== undefined) return validate(param.schema, value, "request");
  if (param.required !== true) return [];
  return [{ path: [], expected: requiredText(param.schema), received: null, rank: 0 }];
}

interface BodyArgument {
  readonly schema: NonNullable<AnyOperation["body"]>["schema"];
  readonly value: unknown;
  /** Where the body lies in the arguments. */
  readonly at: Path;
}

/** Takes the body out of the arguments, and adds the keys that belong to it to `known`. */
function splitBody(operation: AnyOperation, given: Members, known: Set<string>): BodyArgument {
  const body = operation.body;
  if (body === undefined) return { schema: { kind: "never" }, value: undefined, at: [] };
  if (body.arg !== undefined) {
    known.add(body.arg);
    return { schema: body.schema, value: member(given, body.arg), at: [body.arg] };
  }
  const value: Record<string, unknown> = {};
  let isSent = body.required === true;
  for (const field of fieldsOf(body.schema)) {
    if (field.readOnly === true || known.has(field.name)) continue;
    known.add(field.name);
    const item = member(given, field.name);
    if (item === undefined) continue;
    setMember(value, field.name, item);
    isSent = true;
  }
  return { schema: body.schema, value: isSent ? value : undefined, at: [] };
}

/** A path as text: `.name`, `[0]`, and `["odd name"]` for names that are no identifiers. */
export function pathText(path: Path): string {
  return path
    .map((step) => {
      if (typeof step === "number") return `[${step}]`;
      return /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    })
    .join("");
}

/** Arguments under their wire names, body fields included: what confirmation messages refer to. */
export function wireArguments(args: CheckedArguments): Members {
  const wire: Record<string, unknown> = {};
  if (isMembers(args.body)) for (const key of Object.keys(args.body)) setMember(wire, key, args.body[key]);
  for (const { param, value } of args.params) setMember(wire, param.name, value);
  return wire;
}
