/**
 * Owns tree-sitter: its runtime and its grammars, both WASM, loaded when a text of that language is parsed first.
 * `blocks.ts` and `outline.ts` look at a text's tree here, and nowhere else is one alive.
 *
 * A text may be made to break a parser: some grammars keep thousands of readings of it and take all the memory
 * there is. So time and memory are bounded. When memory runs out the runtime ends in no known state; then, and
 * when it has grown too large (WASM never gives memory back), it is forgotten and the next text starts a new one.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Language as Grammar, Parser, Tree } from "web-tree-sitter";
import { PARSER_KEPT, PARSER_MEMORY, PARSE_TIME } from "../model/limits.ts";
import type { Language } from "./language.ts";

/** The part of the global that is used here; it is in no TypeScript library but the browser's. */
declare const WebAssembly: {
  readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => Memory;
  readonly RuntimeError: new () => Error;
};

interface Memory {
  readonly buffer: ArrayBuffer;
}

interface Package {
  readonly Parser: typeof Parser;
  readonly Language: typeof Grammar;
}

interface Runtime extends Package {
  readonly memory: Memory;
  readonly grammars: Map<Language, Promise<Grammar>>;
}

const PAGE = 65_536;
/** What the runtime is built to begin with: 32 MiB. */
const FIRST_PAGES = 512;
/** Characters handed to the parser at once; it may ask for the same ones many times over. */
const PIECE = 2_048;

let current: Promise<Runtime> | undefined;

/**
 * What `look` makes of the text's tree, which is gone when it returns. null: parsing takes more time or memory
 * than it may.
 */
export async function withTree<T>(
  language: Language,
  text: string,
  look: (tree: Tree) => T,
): Promise<T | null> {
  for (;;) {
    const { mine, runtime, grammar } = await ready(language);
    // Another text may have ended this runtime while the grammar was awaited.
    if (current === mine) return attempt(runtime, grammar, text, look);
  }
}

function attempt<T>(runtime: Runtime, grammar: Grammar, text: string, look: (tree: Tree) => T): T | null {
  try {
    return parse(runtime, grammar, text, look);
  } catch (error) {
    if (!isCrash(error)) throw error;
    current = undefined;
    return null;
  } finally {
    if (runtime.memory.buffer.byteLength > PARSER_KEPT) current = undefined;
  }
}

function parse<T>(runtime: Runtime, grammar: Grammar, text: string, look: (tree: Tree) => T): T | null {
  const parser = new runtime.Parser();
  parser.setLanguage(grammar);
  const end = performance.now() + PARSE_TIME;
  const isLate = (): boolean => performance.now() > end;
  // Where it skips what it does not understand, the parser reports no progress and only reads on: then the text ends.
  const read = (index: number): string => (isLate() ? "" : text.slice(index, index + PIECE));
  const tree = parser.parse(read, null, { progressCallback: isLate });
  const isWhole = tree !== null && !isLate();
  const seen = isWhole ? look(tree) : null;
  // Not in a `finally`: what has crashed cannot be freed, and goes with its runtime.
  tree?.delete();
  parser.delete();
  return seen;
}

interface Ready {
  readonly mine: Promise<Runtime>;
  readonly runtime: Runtime;
  readonly grammar: Grammar;
}

async function ready(language: Language): Promise<Ready> {
  const mine = (current ??= start());
  try {
    const runtime = await mine;
    return { mine, runtime, grammar: await grammarOf(runtime, language) };
  } catch (error) {
    current = undefined;
    throw error;
  }
}

/**
 * The package has one runtime a process. Its CommonJS form, taken out of the cache, can be loaded again, and the
 * one before it is let go, since nothing else holds it: a `require` of its own, too, would remember it.
 */
async function start(): Promise<Runtime> {
  const require = createRequire(import.meta.url);
  const file = require.resolve("web-tree-sitter");
  const { Parser, Language } = require(file) as Package;
  delete require.cache[file];
  const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: PARSER_MEMORY / PAGE });
  // Without `printErr` a crash is also written to the terminal.
  await Parser.init({ wasmMemory: memory, printErr: () => undefined });
  return { Parser, Language, memory, grammars: new Map() };
}

function grammarOf(runtime: Runtime, language: Language): Promise<Grammar> {
  const known = runtime.grammars.get(language);
  if (known !== undefined) return known;
  const grammar = readFile(grammarFile(language)).then((bytes) => runtime.Language.load(bytes));
  runtime.grammars.set(language, grammar);
  return grammar;
}

function grammarFile(language: Language): string {
  const require = createRequire(import.meta.url);
  if (language === "c") return require.resolve("tree-sitter-c/tree-sitter-c.wasm");
  const name = language === "csharp" ? "c-sharp" : language;
  const folder = dirname(require.resolve("@vscode/tree-sitter-wasm/package.json"));
  return join(folder, "wasm", `tree-sitter-${name}.wasm`);
}

/** Out of memory, out of stack, or an instruction that must not be reached. */
function isCrash(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}
