// Zod types of generated models, for code that composes its own Zod schemas. Kept apart from the main entry, because
// `z.ZodType` brings Zod's classic classes along, which the runtime itself does without.

import * as z from "zod";

import type { Schema } from "./schema.js";
import { validate } from "./validate.js";

/**
 * The Zod type of a schema, checking values with TypeScript names as the runtime does. It never changes a value.
 * Built when it is called; `T` is what the generated code knows the schema to describe.
 */
export function zodType<T>(schema: Schema): z.ZodType<T> {
  return z.custom<T>().check((payload) => {
    for (const { path, expected } of validate(schema, payload.value, "value")) {
      payload.issues.push({ code: "custom", input: payload.value, path: [...path], message: `expected ${expected}` });
    }
  });
}
