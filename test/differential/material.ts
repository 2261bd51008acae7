/**
 * Real text for the tree: slices of this checkout's sources and of the TypeScript library, whole lines each,
 * in several languages. Always the same for the same checkout, so that a seed reproduces a case.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const TYPESCRIPT = dirname(fileURLToPath(import.meta.resolve("typescript")));

/** About so many characters from a source of real text, from the line after `from` on. */
export type Draw = (from: number, characters: number) => string;

export interface Material {
  readonly code: Draw;
  readonly declarations: Draw;
  /** Diagnostic messages in Japanese and German, as JSON. */
  readonly messages: Draw;
  readonly prose: Draw;
}

export function material(): Material {
  const sources = readdirSync(join(CHECKOUT, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort();
  const messages = ["ja", "de"].map((language) =>
    readFileSync(join(TYPESCRIPT, language, "diagnosticMessages.generated.json"), "utf8").slice(0, 60_000),
  );
  return {
    code: draw(sources.map((name) => readFileSync(join(CHECKOUT, "src", name), "utf8")).join("")),
    declarations: draw(readFileSync(join(TYPESCRIPT, "lib.es5.d.ts"), "utf8")),
    messages: draw(messages.join("\n")),
    prose: draw(readFileSync(join(TYPESCRIPT, "../README.md"), "utf8")),
  };
}

function draw(text: string): Draw {
  return (from, characters) => {
    const start = text.indexOf("\n", from % text.length) + 1;
    const end = text.indexOf("\n", start + characters);
    return text.slice(start, end === -1 ? text.length : end + 1);
  };
}
