/**
 * The comments that a file begins with, for `generated.ts`: from the first line to the first one of code. A few lines
 * may stand among them: a script's interpreter, an XML or PHP opening, a header guard. Which marks begin a comment
 * is told by the file's name; in prose only `<!--` does, so that a heading or a list is none. Pure.
 */
import { basename, extname } from "node:path";

interface Style {
  /** What a comment of one line begins with. */
  readonly line: readonly string[];
  readonly blocks: readonly (readonly [open: string, close: string])[];
}

const C_BLOCK = ["/*", "*/"] as const;
const XML_BLOCK = ["<!--", "-->"] as const;

const C: Style = { line: ["//"], blocks: [C_BLOCK] };
const HASH: Style = { line: ["#"], blocks: [] };
/** What a module says of itself stands in a string. */
const PYTHON: Style = {
  line: ["#"],
  blocks: [
    ['"""', '"""'],
    ["'''", "'''"],
  ],
};
const BOTH: Style = { line: ["#", "//"], blocks: [C_BLOCK] };
const DASH: Style = { line: ["--"], blocks: [["{-", "-}"], ["--[[", "]]"], C_BLOCK] };
const SEMICOLON: Style = { line: [";", "#"], blocks: [["#|", "|#"]] };
const PERCENT: Style = { line: ["%"], blocks: [] };
const QUOTE: Style = { line: ["'", '"'], blocks: [] };
const ML: Style = { line: ["//"], blocks: [["(*", "*)"]] };
const MARKUP: Style = { line: [], blocks: [XML_BLOCK] };
const NONE: Style = { line: [], blocks: [] };
const ANY: Style = { line: ["//", "#", "--", ";;"], blocks: [C_BLOCK, XML_BLOCK] };

const BY_ENDING: Readonly<Record<string, Style>> = Object.fromEntries([
  ...endings(
    "ts tsx mts cts js jsx mjs cjs go rs c h cc cpp cxx hpp hh hxx m mm java kt kts scala swift cs dart proto groovy gradle css scss less zig sol v sv svh glsl hlsl json jsonc json5 thrift fbs vala d",
    C,
  ),
  ...endings(
    "rb sh bash zsh fish pl pm r yaml yml toml mk cmake cfg conf properties ex exs cr nim jl tcl graphql gql awk bzl lock env",
    HASH,
  ),
  ...endings("py pyi pyx", PYTHON),
  ...endings("php tf hcl nix", BOTH),
  ...endings("sql lua hs elm adb ads vhd vhdl", DASH),
  ...endings("lisp cl clj cljs el scm rkt asm s ini", SEMICOLON),
  ...endings("tex sty erl hrl", PERCENT),
  ...endings("vb bas vim", QUOTE),
  ...endings("ml mli fs fsi pas", ML),
  ...endings(
    "md markdown mdx html htm xhtml xml xsd xsl svg vue svelte xaml plist csproj props targets resx",
    MARKUP,
  ),
  ...endings("txt rst adoc asciidoc org text log", NONE),
]);

/** Prose without an ending, and texts that are written as lines of a hash comment. */
const PROSE = /^(?:readme|license|licence|copying|notice|authors|contributing|changelog|changes|news|todo)$/i;
const HASH_TEXT = /^(?:requirements|constraints)[\w.-]*\.txt$|^cmakelists\.txt$/i;

const PREAMBLE =
  /^(?:#!|<\?|<!doctype\b|["']use [a-z]+["'];?$|package\s[\w.]+;?$|#\s*(?:ifndef|ifdef|if|define|pragma|endif|include)\b|#!?\[|syntax\s*=|@charset\b)/i;

function endings(names: string, style: Style): [string, Style][] {
  return names.split(" ").map((name) => [`.${name}`, style]);
}

function styleOf(path: string): Style {
  const name = basename(path);
  if (HASH_TEXT.test(name)) return HASH;
  if (PROSE.test(name)) return NONE;
  return BY_ENDING[extname(name).toLowerCase()] ?? ANY;
}

/** What the comments say, line by line, without their marks. */
export function headerComments(lines: readonly string[], path: string): string[] {
  const style = styleOf(path);
  const said: string[] = [];
  let close: string | null = null;
  for (const raw of lines) {
    const line = raw.trim();
    const opened: readonly [open: string, close: string] | undefined =
      close === null ? style.blocks.find(([open]) => line.startsWith(open)) : undefined;
    const ending: string | null = close ?? opened?.[1] ?? null;
    if (ending !== null) {
      const rest: string = line.slice(opened?.[0].length ?? 0);
      const end = rest.indexOf(ending);
      said.push(bare(end === -1 ? rest : rest.slice(0, end)));
      close = end === -1 ? ending : null;
      // Code behind a comment: what follows is no header.
      if (end !== -1 && rest.slice(end + ending.length).trim() !== "") break;
      continue;
    }
    const mark = style.line.find((start) => line.startsWith(start));
    if (mark !== undefined && !line.startsWith("#!")) said.push(bare(line.slice(mark.length)));
    else if (line !== "" && !PREAMBLE.test(line)) break;
  }
  return said;
}

/** Without more of the same mark, and the stars and lines that frame a block. */
function bare(text: string): string {
  return text.replace(/^[\s*/#;%!=~-]+/, "").replace(/[\s*/#=~-]+$/, "");
}
