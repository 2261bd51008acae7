/**
 * Globs as most people write them, without the call into the regex engine that costs more than the match: those that
 * only say what a name begins with, ends in or holds need no regex at all, others one of JavaScript's, where it cannot
 * run away. Asked by `glob.ts`.
 */
import { FOLDERS_BEFORE, type ReadGlob } from "./glob-regex.ts";
import { hasShape, type NameShape, nameShapes } from "./glob-shape.ts";

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
  const shapes = nameShapes(glob);
  const shaped = shapes === null ? null : anyShape(shapes.any);
  if (shapes?.sure === "all") return shaped;
  if (glob.length > LONG_GLOB) return null;
  if ((regex.match(/\*/g)?.length ?? 0) > MOST_REPEATS) return null;
  const name = nameRegex(glob, regex);
  const whole = name ?? new RegExp(`^(?:${regex})$`, "s");
  const test: Test = (bytes) => whole.test(name === null ? bytes : bytes.slice(nameOf(bytes)));
  return shaped === null ? test : (bytes) => shaped(bytes) && test(bytes);
}

function anyShape(shapes: readonly NameShape[]): Test {
  const [only] = shapes;
  if (only === undefined || shapes.length > 1) {
    return (bytes) => {
      const from = nameOf(bytes);
      return shapes.some((shape) => hasShape(bytes, from, bytes.length, shape));
    };
  }
  const { start, middle, end, whole } = only;
  if (!whole && start + middle === "") return (bytes) => bytes.endsWith(end);
  return (bytes) => hasShape(bytes, nameOf(bytes), bytes.length, only);
}

/** Where the last name of a path begins. */
function nameOf(bytes: string): number {
  return bytes.lastIndexOf("/") + 1;
}
