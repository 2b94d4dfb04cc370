// What a schema says beside its shape: conditions, exclusions, names by pattern. Reads rules and a value as it travels
// (wire names); returns what would be right. Whether a value is of a schema is asked through a function, so that
// `validate.ts` may use this file.

import { canonicalJson, equalJson, isMembers, isNumeric, member } from "./json.js";
import type { Members } from "./json.js";
import { codePoints, compilePattern, matches } from "./formats.js";
import { seenBy } from "./looks.js";
import type { Accepts } from "./looks.js";
import type { LimitsRule, Rule, Schema } from "./schema.js";

/** What the first rule that does not hold asks for, as a noun phrase; `null` when all hold. */
export function brokenRule(rules: readonly Rule[], value: unknown, accepts: Accepts): string | null {
  for (const rule of rules) {
    const expected = broken(rule, value, accepts);
    if (expected !== null) return expected;
  }
  return null;
}

function broken(rule: Rule, value: unknown, accepts: Accepts): string | null {
  const of = (schema: Schema): boolean => accepts(schema, value);
  switch (rule.kind) {
    case "types":
      return rule.types.some((type) => isOfType(value, type)) ? null : `a value of type ${rule.types.join(" or ")}`;
    case "values":
      return rule.values.some((allowed) => equalJson(value, allowed)) ? null : "one of the values that are allowed";
    case "limits":
      return brokenLimit(rule, value);
    case "not":
      return of(rule.schema) ? "a value that is not excluded" : null;
    case "all":
      return rule.schemas.every(of) ? null : "a value that all parts of the type allow";
    case "any":
      return rule.schemas.some(of) ? null : "one of the forms that the type allows";
    case "one":
      return rule.schemas.filter(of).length === 1 ? null : "exactly one of the forms that the type allows";
    case "if": {
      const chosen = of(rule.condition) ? rule.then : rule.otherwise;
      return chosen === undefined || of(chosen) ? null : "a value that meets the condition of the type";
    }
    case "unevaluated":
      return brokenRest(rule, value, accepts);
    case "prefix":
    case "items":
    case "contains":
      return Array.isArray(value) ? brokenItems(rule, value, accepts) : null;
    default:
      return isMembers(value) ? brokenMembers(rule, value, accepts) : null;
  }
}

/** Judges the members or items that nothing beside the rule has looked at. */
function brokenRest(
  rule: Extract<Rule, { readonly kind: "unevaluated" }>,
  value: unknown,
  accepts: Accepts,
): string | null {
  if (rule.of === "items") {
    if (!Array.isArray(value)) return null;
    const seen = seenBy(rule.beside, value, accepts);
    const wrong = value.findIndex((item, index) => !seen.has(index) && !accepts(rule.schema, item));
    return wrong < 0 ? null : `no item ${wrong}, or another one`;
  }
  if (!isMembers(value)) return null;
  const seen = seenBy(rule.beside, value, accepts);
  const names = Object.keys(value).filter((name) => value[name] !== undefined && !seen.has(name));
  const broken = names.find((name) => !accepts(rule.schema, member(value, name)));
  return broken === undefined ? null : `no member ${broken}, or another one`;
}

type ItemRule = Extract<Rule, { readonly kind: "prefix" | "items" | "contains" }>;
type MemberRule = Exclude<Rule, ItemRule | { readonly kind: OtherKind }>;
type OtherKind = "unevaluated" | "types" | "values" | "limits" | "not" | "all" | "any" | "one" | "if";

function brokenItems(rule: ItemRule, items: readonly unknown[], accepts: Accepts): string | null {
  switch (rule.kind) {
    case "prefix": {
      const wrong = rule.schemas.findIndex((schema, index) => index < items.length && !accepts(schema, items[index]));
      return wrong < 0 ? null : `another item ${wrong}`;
    }
    case "items":
      return items.slice(rule.from).every((item) => accepts(rule.schema, item)) ? null : "other items";
    case "contains": {
      const found = items.filter((item) => accepts(rule.schema, item)).length;
      if (found < rule.min) return `at least ${rule.min} items of the kind that the type asks for`;
      return rule.max !== undefined && found > rule.max ? `at most ${rule.max} items of a kind` : null;
    }
  }
}

function brokenMembers(rule: MemberRule, value: Members, accepts: Accepts): string | null {
  const names = (): string[] => Object.keys(value).filter((name) => value[name] !== undefined);
  const has = (name: string): boolean => member(value, name) !== undefined;
  switch (rule.kind) {
    case "required":
      return missing(rule.names, has);
    case "needsNames":
      return has(rule.name) ? missing(rule.names, has) : null;
    case "needsTypes": {
      const broken = rule.members.find(({ name, schema }) => has(name) && !accepts(schema, value));
      return broken === undefined ? null : `a value that fits its member ${broken.name}`;
    }
    case "properties": {
      const broken = rule.members.find(({ name, schema }) => has(name) && !accepts(schema, member(value, name)));
      return broken === undefined ? null : `another member ${broken.name}`;
    }
    case "names":
      return names().every((name) => accepts(rule.schema, name)) ? null : "other names of members";
    case "patterns": {
      const broken = names().find((name) =>
        rule.members.some((one) => matches(one.pattern, name) && !accepts(one.schema, member(value, name))),
      );
      return broken === undefined ? null : `another member ${broken}`;
    }
    case "additional": {
      const isKnown = (name: string): boolean =>
        rule.names.includes(name) || rule.patterns.some((pattern) => matches(pattern, name));
      const broken = names().find((name) => !isKnown(name) && !accepts(rule.schema, member(value, name)));
      return broken === undefined ? null : `no member ${broken}, or another one`;
    }
  }
}

function missing(names: readonly string[], has: (name: string) => boolean): string | null {
  const absent = names.filter((name) => !has(name));
  return absent.length === 0 ? null : `the members ${absent.join(", ")}`;
}

function brokenLimit(rule: LimitsRule, value: unknown): string | null {
  if (typeof value === "string") return brokenText(rule, value);
  if (isNumeric(value)) return brokenNumber(rule, value);
  if (Array.isArray(value)) {
    const outside = outsideOf(value.length, rule.minItems, rule.maxItems, "items");
    if (outside !== null || rule.unique !== true) return outside;
    return new Set(value.map(canonicalJson)).size === value.length ? null : "distinct items";
  }
  return isMembers(value)
    ? outsideOf(Object.keys(value).length, rule.minProperties, rule.maxProperties, "members")
    : null;
}

function brokenText(rule: LimitsRule, text: string): string | null {
  const outside = outsideOf(codePoints(text), rule.minLength, rule.maxLength, "characters");
  if (outside !== null || rule.pattern === undefined) return outside;
  const expression = compilePattern(rule.pattern);
  return expression === null || expression.test(text) ? null : `text that matches ${rule.pattern}`;
}

function brokenNumber(rule: LimitsRule, number: number | bigint): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = rule;
  if (minimum !== undefined && number < minimum) return `at least ${minimum}`;
  if (exclusiveMinimum !== undefined && number <= exclusiveMinimum) return `more than ${exclusiveMinimum}`;
  if (maximum !== undefined && number > maximum) return `at most ${maximum}`;
  if (exclusiveMaximum !== undefined && number >= exclusiveMaximum) return `less than ${exclusiveMaximum}`;
  return multipleOf === undefined || isMultiple(number, multipleOf) ? null : `a multiple of ${multipleOf}`;
}

/** Integers are divided exactly. Of others, tolerates 1e-9, and for large quotients what binary fractions cannot express. */
export function isMultiple(value: number | bigint, step: number | bigint): boolean {
  if (isWhole(value) && isWhole(step) && step != 0) return BigInt(value) % BigInt(step) === 0n;
  const quotient = Number(value) / Number(step);
  const tolerance = Math.max(1e-9, Math.abs(quotient) * Number.EPSILON * 4);
  return Math.abs(quotient - Math.round(quotient)) <= tolerance;
}

function isWhole(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

function outsideOf(count: number, min: number | undefined, max: number | undefined, noun: string): string | null {
  if (min !== undefined && count < min) return `at least ${min} ${noun}`;
  return max !== undefined && count > max ? `at most ${max} ${noun}` : null;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return typeof value === "bigint" || Number.isInteger(value);
    case "number":
      return isNumeric(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isMembers(value);
    default:
      return typeof value === type;
  }
}
