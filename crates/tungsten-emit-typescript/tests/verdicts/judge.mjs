// Judges values by the schemas of generated SDKs, in one process.
//
// Usage: node judge.mjs <folder of the built runtime> <cases.json>. The cases are `{folder, values: [JSON text]}`: the
// folder holds the generated `src`. Prints a JSON list of lists: true, or what the runtime expected instead.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, list] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(path).href);
const { validate } = await load(join(runtime, "validate.js"));
const { bodyJson } = await load(join(runtime, "decode.js"));
const encoder = new TextEncoder();

/** Types are taken away; what is left are constants that the runtime reads. */
function transpile(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith(".ts")) continue;
    const path = join(folder, name);
    writeFileSync(path.replace(/\.ts$/, ".js"), stripTypeScriptTypes(readFileSync(path, "utf8")));
  }
}

function verdict(schema, text) {
  const issues = validate(schema, bodyJson(encoder.encode(text), schema), "response");
  return issues.length === 0 || `${issues[0].path.join("/")}: ${issues[0].expected}`;
}

const results = [];
for (const { folder, values } of JSON.parse(readFileSync(list, "utf8"))) {
  transpile(folder);
  // The one operation; what it is called is told by what it answers with.
  const [operation] = Object.values(await load(join(folder, "descriptors/subject.js")));
  const { schema } = operation.responses[0];
  results.push(values.map((text) => verdict(schema, text)));
}
process.stdout.write(JSON.stringify(results));
