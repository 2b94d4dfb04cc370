// Reads JSON text without losing digits of integers: those beyond plus or minus 2^53 - 1 become `bigint`s. Reads text;
// which of them its schema calls a `number` all the same is `codec.ts`'s business.

import { setMember } from "./json.js";

/** A JSON value, and whether it holds a `bigint`. */
export interface Parsed {
  readonly value: unknown;
  readonly large: boolean;
}

/** Where an integer of 16 digits or more may stand, or a number with an exponent; not in what follows a quote. */
const MAYBE_LARGE = /(?:^|[\s,:[])-?(?:\d{16}|\d+(?:\.\d+)?[eE]\+?\d)/;

/** A number; what stands behind it is not looked at. */
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Digits that are written out for an exponent: those of the largest double. */
const MAX_ZEROS = 308;

/** JSON of a text; throws like `JSON.parse`. Text without large integers costs one search more than that. */
export function parseJson(text: string): Parsed {
  const value: unknown = JSON.parse(text);
  return MAYBE_LARGE.test(text) ? readExact(text) : { value, large: false };
}

/** A list or an object that is being read; `key` is the name of the next member. */
interface Open {
  readonly value: unknown[] | Record<string, unknown>;
  key: string | null;
}

/** Reads a text that `JSON.parse` has accepted, so nothing is checked here. The stack is our own. */
function readExact(text: string): Parsed {
  const open: Open[] = [];
  let root: unknown;
  let large = false;
  const put = (value: unknown): void => {
    const top = open.at(-1);
    if (top === undefined) root = value;
    else if (Array.isArray(top.value)) top.value.push(value);
    else {
      setMember(top.value, top.key ?? "", value);
      top.key = null;
    }
  };
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? "";
    if (char === '"') {
      const end = endOfString(text, at);
      const string = JSON.parse(text.slice(at, end)) as string;
      const top = open.at(-1);
      if (top !== undefined && !Array.isArray(top.value) && top.key === null) top.key = string;
      else put(string);
      at = end;
    } else if (char === "[" || char === "{") {
      const value = char === "[" ? [] : {};
      put(value);
      open.push({ value, key: null });
      at += 1;
    } else if (char === "]" || char === "}") {
      open.pop();
      at += 1;
    } else if (char === "-" || (char >= "0" && char <= "9")) {
      NUMBER.lastIndex = at;
      const digits = NUMBER.exec(text)?.[0] ?? char;
      const number = exactNumber(digits);
      large ||= typeof number === "bigint";
      put(number);
      at += digits.length;
    } else if (char === "t" || char === "f" || char === "n") {
      put(char === "n" ? null : char === "t");
      at += char === "f" ? 5 : 4;
    } else {
      at += 1;
    }
  }
  return { value: root, large };
}

/** The place behind the quote that ends a string. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (; end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === "\\") before -= 1;
    if ((end - before) % 2 === 0) break;
  }
  return end + 1;
}

/** A number as JSON spells it: a `bigint` when it is an integer that a `number` would round. */
function exactNumber(text: string): number | bigint {
  const number = Number(text);
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return number;
  const [mantissa = "", exponent = "0"] = text.split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const zeros = Number(exponent) - fraction.length;
  if (zeros > MAX_ZEROS) return number;
  const digits = whole + fraction;
  if (zeros >= 0) return BigInt(digits + "0".repeat(zeros));
  // Only zeros stand behind the point, or the double has lost the rest.
  return /^0*$/.test(digits.slice(zeros)) ? BigInt(digits.slice(0, zeros)) : number;
}
