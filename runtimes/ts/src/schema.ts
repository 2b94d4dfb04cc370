// The language-neutral form of a type, as generated descriptors carry it. Data only: `validate.ts` turns it
// into Zod validators on first use, `codec.ts` maps between wire names and TypeScript names.

import type { ExactValue } from "./result.js";

/** Bounds of a string, in Unicode code points (JSON Schema 2020-12 validation, section 6.3). */
export interface StringSchema {
  readonly kind: "string";
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** An integer or a number with its bounds (JSON Schema 2020-12 validation, section 6.2). */
export interface NumericSchema {
  readonly kind: "integer" | "number";
  readonly bits?: 32 | 64;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly exclusiveMaximum?: number | bigint;
  readonly multipleOf?: number | bigint;
}

/** One member of an object. `name` is the TypeScript name; `wire` is stated only where it differs. */
export interface FieldSchema {
  readonly name: string;
  readonly wire?: string;
  readonly schema: Schema;
  readonly required?: true;
  readonly readOnly?: true;
  readonly writeOnly?: true;
}

export interface ObjectSchema {
  readonly kind: "object";
  readonly fields: readonly FieldSchema[];
  /** Members that are not fields: refused (`closed`), kept (`open`, the default), or of this schema. */
  readonly additional?: "closed" | "open" | Schema;
  /** The rules say which further members there are; `additional` only tells what most look like. */
  readonly ruled?: true;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface ArraySchema {
  readonly kind: "array";
  /** Schemas of the first items (a tuple); `items` is for those after them, `closed` allows none. */
  readonly prefix?: readonly Schema[];
  readonly items: Schema | "closed";
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly unique?: true;
}

export interface MapSchema {
  readonly kind: "map";
  readonly values: Schema;
  /** The rules say which members there are; `values` only tells what most look like. */
  readonly ruled?: true;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface UnionSchema {
  readonly kind: "union";
  readonly variants: readonly Schema[];
  /** Wire name of the discriminator; `tags` lists, per variant, the values that choose it. */
  readonly tag?: string;
  readonly tags?: readonly (readonly (string | number | bigint | boolean)[])[];
  /** Index of the variant of values whose tag is absent or none of `tags`. */
  readonly other?: number;
  /** Per variant, the wire name of a member that tells it from the variants after it: by being there, or by its value. */
  readonly keys?: readonly (string | null)[];
}

/** A schema that a rule connects with the name of a member. */
export interface RuleMember {
  readonly name: string;
  readonly schema: Schema;
}

/** Bounds of whatever a value is. */
export interface LimitsRule {
  readonly kind: "limits";
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly exclusiveMinimum?: number | bigint;
  readonly exclusiveMaximum?: number | bigint;
  readonly multipleOf?: number | bigint;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly unique?: true;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

/** What a schema that holds has looked at, by itself and through the schemas that hold for the same value. */
export interface Looks {
  readonly members?: "all" | readonly string[];
  readonly patterns?: readonly string[];
  /** All items, or how many of the first. */
  readonly items?: "all" | number;
  /** Items that one of these accepts. */
  readonly contains?: readonly Schema[];
  /** Schemas that hold as well. */
  readonly parts?: readonly Schema[];
  /** Schemas that count where they hold. */
  readonly variants?: readonly Schema[];
  readonly conditions?: readonly Condition[];
  /** Schemas that hold where the member is there. */
  readonly needs?: readonly RuleMember[];
}

interface Condition {
  readonly condition: Schema;
  readonly then?: Schema;
  readonly otherwise?: Schema;
}

/**
 * What a type says beside its shape (JSON Schema 2020-12 core, section 10, and validation, section 6). Names are those
 * on the wire. A rule says nothing about values of a JSON type that it is not about.
 */
export type Rule =
  | LimitsRule
  | { readonly kind: "types"; readonly types: readonly string[] }
  | { readonly kind: "values"; readonly values: readonly ExactValue[] }
  | { readonly kind: "required"; readonly names: readonly string[] }
  | { readonly kind: "needsNames"; readonly name: string; readonly names: readonly string[] }
  | { readonly kind: "properties" | "needsTypes"; readonly members: readonly RuleMember[] }
  | {
      readonly kind: "patterns";
      readonly members: readonly { readonly pattern: string; readonly schema: Schema }[];
    }
  /** Members that have none of the names and match none of the patterns. */
  | {
      readonly kind: "additional";
      readonly names: readonly string[];
      readonly patterns: readonly string[];
      readonly schema: Schema;
    }
  | { readonly kind: "names"; readonly schema: Schema }
  | { readonly kind: "not"; readonly schema: Schema }
  | { readonly kind: "prefix"; readonly schemas: readonly Schema[] }
  | { readonly kind: "all" | "any" | "one"; readonly schemas: readonly Schema[] }
  | { readonly kind: "items"; readonly from: number; readonly schema: Schema }
  | { readonly kind: "contains"; readonly min: number; readonly max?: number; readonly schema: Schema }
  | ({ readonly kind: "if" } & Condition)
  /** Members or items that the schema beside the rule has not looked at. */
  | {
      readonly kind: "unevaluated";
      readonly of: "members" | "items";
      readonly beside: Looks;
      readonly schema: Schema;
    };

/** What a value looks like. */
export type Shape =
  | { readonly kind: "any" | "never" | "boolean" | "bytes" }
  | StringSchema
  | NumericSchema
  | { readonly kind: "enum"; readonly values: readonly ExactValue[] }
  | { readonly kind: "const"; readonly value: ExactValue }
  | ArraySchema
  | MapSchema
  | ObjectSchema
  | UnionSchema
  | { readonly kind: "all"; readonly members: readonly Schema[] }
  | { readonly kind: "nullable"; readonly inner: Schema }
  /** A named type, behind a function so that recursive types can be written as constants. */
  | { readonly kind: "ref"; readonly ref: () => Schema };

/** A type in the form that every runtime understands: its shape, and what it says beside that. */
export type Schema = Shape & {
  readonly rules?: readonly Rule[];
  /** Where the rules of other types ask. */
  readonly looks?: Looks;
};
