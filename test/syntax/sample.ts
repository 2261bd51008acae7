/** The sample texts of the languages: `samples/NAME.txt`, so that no tool of the house takes them for its own. */
import { readFile } from "node:fs/promises";

export function sample(name: string): Promise<string> {
  return readFile(new URL(`./samples/${name}.txt`, import.meta.url), "utf8");
}
