/** The file types that Boris's grep knows, by the globs of their names. */
import { ToolError } from "../../model/errors.ts";

const TYPES: Readonly<Record<string, readonly string[]>> = {
  c: ["*.c", "*.h"],
  cpp: ["*.cpp", "*.cc", "*.cxx", "*.hpp", "*.hh", "*.hxx", "*.h", "*.inl"],
  css: ["*.css", "*.scss"],
  go: ["*.go"],
  html: ["*.html", "*.htm"],
  java: ["*.java"],
  js: ["*.js", "*.mjs", "*.cjs", "*.jsx"],
  json: ["*.json"],
  markdown: ["*.md", "*.markdown", "*.mdx"],
  py: ["*.py", "*.pyi"],
  rust: ["*.rs"],
  ts: ["*.ts", "*.tsx", "*.mts", "*.cts"],
  yaml: ["*.yml", "*.yaml"],
};

const ALIASES: Readonly<Record<string, string>> = { python: "py", typescript: "ts", md: "markdown" };

/** @throws UNKNOWN_TYPE */
export function typeGlobs(type: string): readonly string[] {
  const name = Object.hasOwn(ALIASES, type) ? (ALIASES[type] ?? type) : type;
  if (Object.hasOwn(TYPES, name)) return TYPES[name] ?? [];
  const aliases = Object.entries(ALIASES).map(([alias, of]) => `${alias} (${of})`);
  throw new ToolError("UNKNOWN_TYPE", `There is no file type ${JSON.stringify(type)}`, {
    hint: `The types are ${[...Object.keys(TYPES), ...aliases].join(", ")}; or use a glob`,
  });
}
