// The entries that browsers load import nothing of Node, directly or through other files.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "../src");

/** The text of a file without comments. */
function codeOf(path: string): string {
  return readFileSync(path, "utf8").replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
}

/** What a file imports or exports again, types included, also by `import()`. */
function importsOf(path: string): readonly string[] {
  const text = codeOf(path);
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, name = ""]) => name);
}

/** All files that an entry leads to, with what they import from elsewhere. */
function graph(entry: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const stack = [join(source, entry)];
  for (let path = stack.pop(); path !== undefined; path = stack.pop()) {
    if (found.has(path)) continue;
    const imports = importsOf(path);
    found.set(path, imports);
    for (const name of imports) {
      if (name.startsWith(".")) stack.push(resolve(dirname(path), name.replace(/\.js$/, ".ts")));
    }
  }
  return found;
}

const entries = readdirEntries();

/** The entries of the package but the one that is for Node. */
function readdirEntries(): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(source, "../package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  return Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === "string" || name === "./node"
      ? []
      : [target.default.replace("./dist/", "").replace(".js", ".ts")],
  );
}

describe("browser-safe", () => {
  assert.ok(entries.includes("index.ts"));
  for (const entry of entries) {
    it(entry, () => {
      for (const [path, imports] of graph(entry)) {
        for (const name of imports) {
          assert.ok(name.startsWith(".") || /^zod(?:\/mini)?$/.test(name), `${path} imports ${name}`);
        }
        assert.doesNotMatch(codeOf(path), /\b(?:process\.|Buffer\b|require\()/, path);
      }
    });
  }
  it("the walk finds Node's modules where there are some", () => {
    assert.ok([...graph("node.ts").values()].flat().includes("node:fs/promises"));
    assert.ok(graph("index.ts").size > 20);
  });
});
