/**
 * `docs://`: Quarry's own documentation as it is shipped, page by page (`docs://README.md`) or as a scope.
 * Read from the package each time, never changed.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ToolError } from "../../model/errors.ts";
import type { Protocol } from "../urls.ts";

/** From src/workspace/protocols and from dist/workspace/protocols alike. */
const PACKAGE = fileURLToPath(new URL("../../../", import.meta.url));

export function docsProtocol(folder: string = PACKAGE): Protocol {
  const list = async (): Promise<string[]> =>
    [...(await pages(folder)).keys()].map((name) => `docs://${name}`);
  return {
    scheme: "docs",
    description: "the documentation of Quarry itself",
    list,
    async resolve(path) {
      if (path === "") return { kind: "many", url: "docs://", urls: await list() };
      const known = await pages(folder);
      const name = known.has(path) ? path : `${path}.md`;
      const file = known.get(name);
      if (file === undefined) {
        throw new ToolError("PATH_NOT_FOUND", `There is no page docs://${path}`, {
          hint: `There are ${[...known.keys()].join(", ")}`,
        });
      }
      return { kind: "text", url: `docs://${name}`, text: await readFile(file, "utf8"), immutable: true };
    },
  };
}

/** Pages by name. A name of `docs/` gives way to one of the same name above it. */
async function pages(folder: string): Promise<Map<string, string>> {
  const below = (await namesIn(join(folder, "docs"))).sort();
  const above = await namesIn(folder);
  const found = ["README.md", "CHANGELOG.md"].filter((name) => above.includes(name));
  const named = new Map(found.map((name) => [name, join(folder, name)]));
  for (const name of below) {
    if (name.endsWith(".md") && !named.has(name)) named.set(name, join(folder, "docs", name));
  }
  return named;
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
