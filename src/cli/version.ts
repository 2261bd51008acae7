/** The version of this package, read from its package.json. Called by `--version` and `doctor`. */
import { readFile } from "node:fs/promises";

export async function packageVersion(): Promise<string> {
  // The same two steps up from src/cli/ and from dist/cli/.
  const text = await readFile(new URL("../../package.json", import.meta.url), "utf8");
  const { version }: { version?: unknown } = JSON.parse(text);
  return String(version);
}
