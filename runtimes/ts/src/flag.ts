// The argument that asks an operation for its stream: the call of the stream sets it to true, whatever the caller says.
// Reads the descriptor and the caller's arguments, which it leaves as they are.

import type { AnyOperation } from "./classify.js";
import { isMembers, member, setMember } from "./json.js";
import type { Members } from "./json.js";

/** The arguments with the flag set: an argument by itself, or a member of the one that is the whole body. */
export function flagged(operation: AnyOperation, args: unknown): unknown {
  const flag = operation.stream?.flag;
  if (flag === undefined) return args;
  const given = args ?? {};
  if (!isMembers(given)) return args;
  const whole = operation.body?.arg;
  const isOwn = whole === undefined || operation.params?.some((param) => param.key === flag) === true;
  if (isOwn) return withMember(given, flag, true);
  const body = member(given, whole);
  return isMembers(body) ? withMember(given, whole, withMember(body, flag, true)) : args;
}

function withMember(members: Members, key: string, value: unknown): Members {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(members)) setMember(copy, name, members[name]);
  setMember(copy, key, value);
  return copy;
}
