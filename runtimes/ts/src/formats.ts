// String formats and patterns that are checked (JSON Schema 2020-12 validation, sections 6.3 and 7). Pure functions
// over text; which schema asks for which is up to `validate.ts`.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\.]+(?:\.[^\s@"(),:;<>[\]\\.]+)*$/u;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|[+-](\d{2}):(\d{2}))$/i;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6_GROUP = /^[0-9a-f]{1,4}$/i;

/** A calendar date of RFC 3339, section 5.6. */
function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (lengths[month - 1] ?? 0);
}

/** A date and time of RFC 3339, section 5.6; a leap second is accepted. */
function isDateTime(text: string): boolean {
  const separator = text[10];
  if (separator !== "T" && separator !== "t" && separator !== " ") return false;
  const time = TIME.exec(text.slice(11));
  if (time === null || !isDate(text.slice(0, 10))) return false;
  const inRange = Number(time[1]) <= 23 && Number(time[2]) <= 59 && Number(time[3]) <= 60;
  return inRange && Number(time[4] ?? 0) <= 23 && Number(time[5] ?? 0) <= 59;
}

/** An address of RFC 4291, section 2.2, without a zone. */
function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    if (half === "") continue;
    const parts = half.split(":");
    for (const [at, part] of parts.entries()) {
      const last = index === halves.length - 1 && at === parts.length - 1;
      if (last && part.includes(".")) {
        if (!IPV4.test(part)) return false;
        groups += 2;
      } else {
        if (!IPV6_GROUP.test(part)) return false;
        groups += 1;
      }
    }
  }
  return halves.length === 2 ? groups <= 7 : groups === 8;
}

/** How a checked format is called in an envelope, and its check. */
export const FORMATS: ReadonlyMap<string, { readonly expected: string; readonly test: (text: string) => boolean }> =
  new Map([
    ["uuid", { expected: "a UUID", test: (text: string) => UUID.test(text) }],
    ["email", { expected: "an e-mail address", test: (text: string) => EMAIL.test(text) }],
    ["date-time", { expected: "an RFC 3339 date and time", test: isDateTime }],
    ["date", { expected: "a date as YYYY-MM-DD", test: isDate }],
    ["ipv4", { expected: "an IPv4 address", test: (text: string) => IPV4.test(text) }],
    ["ipv6", { expected: "an IPv6 address", test: isIpv6 }],
  ]);

/**
 * The pattern as an unanchored ECMAScript expression with the `u` flag; `null` when it is none, and then it is not checked.
 * Generated schemas spell patterns for that flag.
 */
export function compilePattern(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return null;
  }
}

/** Length of text in Unicode code points. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i += 1) {
    const high = text.charCodeAt(i);
    if (high < 0xd800 || high > 0xdbff) continue;
    const low = text.charCodeAt(i + 1);
    if (low >= 0xdc00 && low <= 0xdfff) {
      count -= 1;
      i += 1;
    }
  }
  return count;
}

const compiled = new Map<string, RegExp | null>();

/** Whether a name matches; one whose pattern compiles nowhere matches nothing. */
export function matches(pattern: string, name: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    expression = compilePattern(pattern);
    compiled.set(pattern, expression);
  }
  return expression !== null && expression.test(name);
}
