/**
 * A quiet tree, an index of it that was saved and is trusted, and what must be found in it. Its lines are single words,
 * so that there is a question that reads every list of a segment. For what is done to a saved index behind its back.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DISTRUSTED_YOUNG } from "../../src/model/limits.ts";
import { readManifest, SEGMENT_NAME } from "../../src/index/saved.ts";
import { contentsOf } from "./store.ts";
import { type Indexed, indexed } from "./indexed.ts";
import { write } from "./mutation-ground.ts";
import { askIndex, askRipgrep, type Question, type Said } from "./question.ts";

export interface SavedGround {
  readonly root: string;
  /** Indexes as they were saved: of the first half of the files, then of all, and of another tree. */
  readonly early: string;
  readonly whole: string;
  readonly other: string;
  /** A place for the index that is tried. */
  readonly folder: string;
  readonly questions: readonly Question[];
  readonly expected: readonly Said[];
  readonly remove: () => void;
}

const WORDS: readonly string[] = Array.from({ length: 14 }, (_, at) =>
  Array.from({ length: 8 }, (_, letter) =>
    String.fromCharCode(97 + ((at * 31 + letter * 17 + at * letter * 5) % 26)),
  ).join(""),
);
/** One list of a segment each. */
const GRAMS = new Set(
  [...WORDS, "first", "second"].flatMap((word) =>
    Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3)),
  ),
);

/** Each half is worth a segment of several pages, by its long names. */
const FILES_OF_HALF = 80;
const NAME = "n".repeat(200);

export async function savedGround(): Promise<SavedGround> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "quarry-saved-")));
  const at = (name: string): string => join(place, name);
  const [root, elsewhere] = [at("tree"), at("elsewhere")];
  plantHalf(root, 0);
  plantHalf(elsewhere, 1);
  await sleep(DISTRUSTED_YOUNG + 100);
  await saved(root, at("early"));
  await saved(elsewhere, at("other"));
  cpSync(at("early"), at("whole"), { recursive: true });
  plantHalf(root, 1);
  await sleep(DISTRUSTED_YOUNG + 100);
  await saved(root, at("whole"));
  const questions: readonly Question[] = [
    { asked: WORDS[5] ?? "", order: "path" },
    { asked: [...GRAMS].join("|"), order: "path" },
    { asked: "(?i)SECOND", order: "mtime" },
    { asked: "notthere", order: "path" },
  ];
  const expected: Said[] = [];
  for (const question of questions) expected.push(await askRipgrep(root, process.env, question));
  return {
    root,
    early: at("early"),
    whole: at("whole"),
    other: at("other"),
    folder: at("tried"),
    questions,
    expected,
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

function plantHalf(root: string, half: 0 | 1): void {
  for (let file = 0; file < FILES_OF_HALF; file++) {
    const words = WORDS.filter((_, at) => (at + file * 7) % (2 + (file % 9)) === 0);
    const text = [half === 0 ? "first" : "second", ...words, ""].join("\n");
    write(root, `half-${half}/d${file % 3}/${NAME}${file}`, text);
  }
}

async function saved(root: string, folder: string): Promise<void> {
  const index = await indexed(root, {}, folder);
  await index.keeper.settled();
  await index.close();
}

/** A copy of a saved index in its place. */
export function laid(from: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  cpSync(from, folder, { recursive: true });
}

/** What the index says to questions. */
export async function saidOf(
  index: Indexed,
  { root }: SavedGround,
  questions: readonly Question[],
): Promise<readonly Said[]> {
  const said: Said[] = [];
  for (const question of questions) said.push(await askIndex(index, root, process.env, question));
  return said;
}

/** Without who gave it. */
export function answersOf(said: readonly Said[]): readonly Pick<Said, "files" | "names">[] {
  return said.map(({ files, names }) => ({ files, names }));
}

/** By name; none where there is no such folder. */
export function segmentsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(SEGMENT_NAME))
    .sort();
}

/** What is wrong with a saved index that nobody has open; nothing where it is sound and alone. */
export function faultsOf(folder: string, root: string): readonly string[] {
  const manifest = readManifest(folder, root);
  if (manifest === null) return ["no manifest"];
  const named = new Set(manifest.segments);
  const faults: string[] = [];
  for (const name of readdirSync(folder)) {
    if (name.startsWith(SEGMENT_NAME) ? !named.has(name) : !KEPT.has(name)) faults.push(`left over: ${name}`);
  }
  for (const name of readdirSync(join(folder, "cookies"))) faults.push(`left over: cookies/${name}`);
  for (const name of named) {
    try {
      contentsOf(join(folder, name));
    } catch (cause) {
      faults.push(`${name}: ${String(cause)}`);
    }
  }
  return faults;
}

/** What a saved index is made of besides its segments. */
const KEPT = new Set(["manifest", "cookies", "used", "fallbacks"]);
