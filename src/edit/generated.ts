/**
 * Is a file written by a program, which would write it again? Asked by edit and write before they change one. Told by
 * the names of lock files, and by what generators say of themselves in the comments that a file begins with. A mark
 * that is only spoken of, in quotes, in prose, in code or within a sentence, is none. Pure.
 */
import { basename } from "node:path";
import { GENERATED_BYTES, GENERATED_LINES } from "../model/limits.ts";
import { headerComments } from "./comments.ts";

const LOCK_FILES: Readonly<Record<string, string>> = {
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
  "yarn.lock": "Yarn",
  "pnpm-lock.yaml": "pnpm",
  "bun.lock": "Bun",
  "bun.lockb": "Bun",
  "deno.lock": "Deno",
  "Cargo.lock": "Cargo",
  "go.sum": "Go",
  "poetry.lock": "Poetry",
  "uv.lock": "uv",
  "pdm.lock": "PDM",
  "Pipfile.lock": "Pipenv",
  "composer.lock": "Composer",
  "Gemfile.lock": "Bundler",
  "Podfile.lock": "CocoaPods",
  "pubspec.lock": "pub",
  "mix.lock": "Mix",
  "flake.lock": "Nix",
  "packages.lock.json": "NuGet",
  "gradle.lockfile": "Gradle",
  "Package.resolved": "SwiftPM",
  ".terraform.lock.hcl": "Terraform",
};

const AUTOMATIC = "(?:auto-?|auto |automatically |machine[- ]|programmatically )";
const THIS_IS = "this (?:file|code|source|module|class|header|document) (?:is|was|has been) ";

/** Each is enough by itself, at the beginning of a comment's line. */
const MARKS: readonly RegExp[] = [
  /^@generated\b/,
  new RegExp(`^${THIS_IS}(?:automatically )?@generated\\b`, "i"),
  new RegExp(`^${THIS_IS}${AUTOMATIC}generated\\b`, "i"),
  new RegExp(`^${THIS_IS}generated (?:by|automatically|with|using)\\b`, "i"),
  new RegExp(`^this is an? ${AUTOMATIC}generated (?:file|code|source)\\b`, "i"),
  new RegExp(`^${AUTOMATIC}generated (?:by|from|with|using)\\b`, "i"),
  new RegExp(
    `^${AUTOMATIC}generated(?: (?:file|code|source))?[\\s.,;:!(-]*(?:$|(?:please )?(?:do not|don't)\\b)`,
    "i",
  ),
  /^<auto-?generated\b/i,
  /^code generated\b.*\bdo not (?:edit|modify)\b/i,
  /^generated (?:file|code)[\s.,;:!(-]*(?:please )?(?:do not|don't) (?:edit|modify)\b/i,
  /^(?:makefile(?:\.in)?|cmake|form|configure script) generated (?:by|from|file\b)/i,
];

/** Programs that sign what they write, and whose output nobody keeps by hand. */
const GENERATORS =
  /^(?:auto)?generated (?:by|with|using) (?:the )?(?:django \d|protocol buffer|protoc\b|protobuf|grpc|buf\b|thrift|flatbuffers|flatc|swagger|openapi|nswag|orval|graphql|apollo|relay|prisma|sqlc|jooq|antlr|bison|gnu |flex\b|swig|cython|coffeescript|rust-bindgen|bindgen|cbindgen|mockgen|mockery|stringer|wire\b|ts-proto|kysely|xtext|javacc|autoconf|automake|cmake|emscripten|pip-compile|uv pip|build_runner|json_serializable|freezed)/i;

const SENTENCE = "(?:^|[.,;:!(-]\\s*)";
const SUBJECT = "(?:this|the|these) [\\w ]{1,30}(?:is|are|was|were|has been) ";

/** One of these and one of the next are a mark together, each at the beginning of a line or a sentence. */
const GENERATED: readonly RegExp[] = [
  `${SENTENCE}(?:${SUBJECT})?${AUTOMATIC}?generated (?:by|from|with|using|on|at|automatically)\\b`,
  `${SENTENCE}${AUTOMATIC}?generated (?:file|code)(?:[.,;:!)]|$)`,
  `${SENTENCE}(?:${SUBJECT})?(?:created automatically|automatically created) by\\b`,
  `${SENTENCE}${SUBJECT}(?:built by|preprocessed)\\b`,
].map((source) => new RegExp(source, "i"));
const UNTOUCHED: readonly RegExp[] = [
  /(?:^|[.,;:!()-]\s*|\b(?:please|so|and)\s)(?:do not|don't|must not be|should not be) (?:manually |hand[- ])?(?:edit|modif|chang|touch)/i,
  /\bDO NOT (?:EDIT|MODIFY|CHANGE)\b/,
];

/** The mark that was found, for the message; null for a file that is not generated. */
export function generatedMark(bytes: Buffer, path: string): string | null {
  const name = basename(path);
  const program = Object.hasOwn(LOCK_FILES, name) ? LOCK_FILES[name] : undefined;
  if (program !== undefined) return `${name}, the lock file of ${program}`;
  const lines = headerText(bytes).split(/\r\n|\n|\r/, GENERATED_LINES);
  const said = headerComments(lines, path).map((text) => text.slice(0, LONGEST));
  const at = markedLine(said.map(statement));
  return at === -1 ? null : shown(said[at] ?? "");
}

const LONGEST = 400;

function markedLine(said: readonly string[]): number {
  const find = (marks: readonly RegExp[]): number =>
    said.findIndex((text, at) => !goesOn(said[at - 1], text) && marks.some((mark) => mark.test(text)));
  const marked = find([...MARKS, GENERATORS]);
  if (marked !== -1) return marked;
  return find(UNTOUCHED) === -1 ? -1 : find(GENERATED);
}

/** Is a line the middle of a sentence that began on the one before? */
function goesOn(before: string | undefined, text: string): boolean {
  return /[\p{L}\p{N},]$/u.test(before ?? "") && /^\p{Ll}/u.test(text);
}

function headerText(bytes: Buffer): string {
  const head = bytes.subarray(0, GENERATED_BYTES);
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(head);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(head);
  return new TextDecoder("utf-8").decode(head);
}

/** What it says: a word of warning before it does not count, and what is quoted is spoken of, or names a command. */
function statement(text: string): string {
  return text
    .replace(/^(?:note|notice|warning|attention|caution|important)\b[\s:!.-]*/i, "")
    .replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, "")
    .replace(/ {2,}/g, " ");
}

/** On one line, and no longer than a message can take. */
function shown(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
