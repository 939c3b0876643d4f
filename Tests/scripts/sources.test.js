import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const scripts = new URL("../../Sources/Core/Resources/public/js/", import.meta.url);

/**
 * Returns the addresses of all scripts below a folder.
 *
 * @param {URL} folder
 * @returns {URL[]}
 */
function all(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return all(new URL(`${entry.name}/`, folder));
    return entry.name.endsWith(".js") ? [new URL(entry.name, folder)] : [];
  });
}

test("each JSDoc tag begins a line: the type checker ignores what follows text on its line", () => {
  const ignored = all(scripts).flatMap((script) => {
    const lines = readFileSync(script, "utf8").split("\n");
    const isIgnored = (line) => /^\s*(\/\*\*|\*) [^@\s].* @(param|returns|type|typedef|template|throws)\b/.test(line);
    return lines.flatMap((line, index) => (isIgnored(line) ? [`${script.pathname}:${index + 1}`] : []));
  });
  assert.deepEqual(ignored, []);
});
