/**
 * Owns the WASM instance of `rregex`, Rust's regex crate. `compile.ts` and `newline.ts` build patterns here.
 * rregex loses memory with every pattern, whatever is freed, so an instance that has grown too large is
 * forgotten and a new one made (a millisecond: the module is compiled once), with the first pattern that is not built in
 * it any more: then those of it can be forgotten too. A pattern keeps the instance it was built in; when the last of them
 * goes, so does that memory. Nothing is loaded before the first pattern.
 */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";
import type { RRegex } from "rregex";
import { REGEX_INSTANCE } from "../model/limits.ts";
import { Undecided } from "./text-match.ts";

/** The part of the global that is used here; it is in no TypeScript library but the browser's. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => object;
  readonly RuntimeError: new () => Error;
};

interface Instance {
  readonly RRegex: new (pattern: string) => RRegex;
  readonly wasm: Wasm;
  /** Bytes of it that were taken at the beginning; once it has more, it is full. */
  readonly reserved: number;
}

/** What the package's CommonJS form exports. */
interface Exports {
  readonly RRegex?: Instance["RRegex"];
  readonly __wasm?: Wasm;
}

interface Wasm {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Frees the text. */
  readonly rregex_isMatch: (regex: number, at: number, length: number) => number;
  readonly __wbindgen_malloc: (length: number, alignment: number) => number;
  readonly __wbindgen_free: (at: number, length: number, alignment: number) => void;
}

let instantiate: (() => Instance) | undefined;
let current: Instance | undefined;
const owners = new WeakMap<RRegex, Wasm>();

/** Changes when an instance was forgotten: whoever keeps patterns of it keeps its memory. */
export function instanceNumber(): number {
  return forgotten;
}

let forgotten = 0;

function forget(): void {
  current = undefined;
  forgotten += 1;
}

/** Builds a pattern, or throws what rregex throws. */
export function build(pattern: string): RRegex {
  instantiate ??= load();
  if (current !== undefined && isFull(current)) forget();
  const instance = (current ??= instantiate());
  try {
    const regex = new instance.RRegex(pattern);
    owners.set(regex, instance.wasm);
    return regex;
  } catch (error) {
    // A panic leaves the instance in no known state.
    if (error instanceof WebAssembly.RuntimeError) forget();
    throw error;
  }
}

function isFull({ wasm, reserved }: Instance): boolean {
  return wasm.memory.buffer.byteLength > reserved;
}

/**
 * Whether a pattern matches anywhere in bytes, without making a text of them: rregex takes only a text,
 * and puts it into its memory letter by letter, which takes longer than the search.
 * Throws Undecided where they are no UTF-8.
 */
export function isMatchIn(regex: RRegex, bytes: Uint8Array): boolean {
  const wasm = owners.get(regex);
  const { __wbg_ptr: pointer } = regex as unknown as { readonly __wbg_ptr: number };
  if (wasm === undefined) throw new TypeError("no pattern of ours");
  // It was when it was looked at before: somebody writes to the file.
  if (!isUtf8(bytes)) throw new Undecided("no UTF-8");
  const { memory, rregex_isMatch: isMatch, __wbindgen_malloc: take } = wasm;
  const at = take(bytes.length, 1) >>> 0;
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  return isMatch(pointer, at, bytes.length) !== 0;
}

/**
 * The package makes one instance when it is imported and has no way to make another. Its CommonJS form reads and
 * compiles the WASM through `require` and `WebAssembly`; run as a function, it is given both, and so the module.
 */
function load(): () => Instance {
  const require = createRequire(import.meta.url);
  const file = require.resolve("rregex");
  const folder = dirname(file);
  const module = new WebAssembly.Module(readFileSync(join(folder, "rregex.wasm")));
  const parameters = ["module", "require", "__dirname", "WebAssembly"];
  const glue = compileFunction(readFileSync(file, "utf8"), parameters, { filename: file });
  const loaded = {
    Module: function Module(): object {
      return module;
    },
    Instance: WebAssembly.Instance,
  };
  const noRead = { readFileSync: (): null => null };
  return () => {
    const target: { readonly exports: Exports } = { exports: {} };
    glue(target, (name: string): unknown => (name === "fs" ? noRead : require(name)), folder, loaded);
    const { RRegex, __wasm: wasm } = target.exports;
    if (RRegex === undefined || wasm === undefined) throw new Error(`${file} is not the rregex known here`);
    return { RRegex, wasm, reserved: reserve(wasm) };
  };
}

/**
 * Takes all memory that the instance may use at once, and frees it for its patterns. Growing by and by, it is new
 * external memory for V8 each time, as large as the whole, and has it collect garbage for every other pattern. What
 * nobody writes to takes no memory of the machine.
 */
function reserve({ memory, __wbindgen_malloc: take, __wbindgen_free: free }: Wasm): number {
  free(take(REGEX_INSTANCE, 1), REGEX_INSTANCE, 1);
  return memory.buffer.byteLength;
}
