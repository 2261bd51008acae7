/**
 * Globs as most people write them, without the call into the regex engine that costs more than the match: those on the
 * end of a name need no regex at all, others one of JavaScript's, where it cannot run away. Asked by `glob.ts`.
 */
import { FOLDERS_BEFORE, type ReadGlob } from "./glob-regex.ts";

/** A star, or several for folders, before something plain. */
const SUFFIX = /^(?:\*\*\/)?\*([\w.-]+)$/;
/** What every path that matches ends with; of no use in braces. */
const TAIL = /[\w.-]+$/;

/** More repeats may try too many ways to match a long path, and more globs are quicker together. */
const MOST_REPEATS = 3;
const MOST_GLOBS = 8;
const LONG_PATH = 512;
const LONG_GLOB = 200;

type Test = (bytes: string) => boolean;

/** null: too many or too intricate. `sure` tells of long paths. */
export function quickTest(globs: readonly ReadGlob[], sure: () => Test): Test | null {
  if (globs.length > MOST_GLOBS) return null;
  const tests: Test[] = [];
  for (const glob of globs) {
    const test = testOf(glob);
    if (test === null) return null;
    tests.push(test);
  }
  const [first] = tests;
  if (first === undefined) return () => false;
  const test: Test = tests.length === 1 ? first : (bytes) => tests.some((one) => one(bytes));
  let long: Test | null = null;
  return (bytes) => {
    if (bytes.length <= LONG_PATH) return test(bytes);
    long ??= sure();
    return long(bytes);
  };
}

/** Of a glob that says nothing of folders, the regex for the name alone; a class may mean a slash. */
function nameRegex(glob: string, regex: string): RegExp | null {
  if (!regex.startsWith(FOLDERS_BEFORE) || glob.includes("[")) return null;
  const rest = regex.slice(FOLDERS_BEFORE.length);
  return /\/|\\x2f|\./.test(rest.replaceAll("[^/]", "")) ? null : new RegExp(`^(?:${rest})$`, "s");
}

function testOf({ glob, regex }: ReadGlob): Test | null {
  const suffix = SUFFIX.exec(glob)?.[1];
  if (suffix !== undefined) return (bytes) => bytes.endsWith(suffix);
  if (glob.length > LONG_GLOB) return null;
  if ((regex.match(/\*/g)?.length ?? 0) > MOST_REPEATS) return null;
  const name = nameRegex(glob, regex);
  if (name !== null) return (bytes) => name.test(bytes.slice(bytes.lastIndexOf("/") + 1));
  const tail = /[{}[\]\\]/.test(glob) ? "" : (TAIL.exec(glob)?.[0] ?? "");
  const whole = new RegExp(`^(?:${regex})$`, "s");
  return (bytes) => bytes.endsWith(tail) && whole.test(bytes);
}
