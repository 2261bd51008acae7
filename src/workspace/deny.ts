/**
 * The denied globs of a policy. A path is denied when a glob matches it or a folder it lies in; other spellings
 * of a name (composed or decomposed letters, and case where the file system does not tell it apart) do not slip
 * through. The glob dialect is passed in, because this room may not import the one that knows it.
 */
import { opendir, stat } from "node:fs/promises";
import { join, sep } from "node:path";

/** `(globs) => (path, kind) => does one match?`; the path has `/` and is relative to where globs are anchored. */
export type GlobMatcher = (globs: readonly string[]) => (path: string, kind: "file" | "folder") => boolean;

export interface DenyList {
  readonly empty: boolean;
  /** Is this path itself matched? `below` is relative to an allowed folder, in the system's notation. */
  matches(below: string, kind: "file" | "folder"): boolean;
  /** Is it, or a folder it lies in? */
  covers(below: string, kind: "file" | "folder"): boolean;
  /** The first glob to blame. Compiles them one by one, so only where a refusal is told. */
  blame(below: string, kind: "file" | "folder"): string | null;
}

export type Letters = "case counts" | "case does not count";

export function createDenyList(globs: readonly string[], compile: GlobMatcher, letters: Letters): DenyList {
  const any = tester(globs, compile, letters);
  const covers = (below: string, kind: "file" | "folder", test: Test): boolean => {
    const path = below.split(sep).join("/");
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
      if (test(path.slice(0, end), "folder")) return true;
    }
    return path !== "" && test(path, kind);
  };
  return {
    empty: globs.length === 0,
    matches: (below, kind) => below !== "" && any(below.split(sep).join("/"), kind),
    covers: (below, kind) => covers(below, kind, any),
    blame: (below, kind) =>
      globs.find((glob) => covers(below, kind, tester([glob], compile, letters))) ?? null,
  };
}

type Test = (path: string, kind: "file" | "folder") => boolean;

function tester(globs: readonly string[], compile: GlobMatcher, letters: Letters): Test {
  if (globs.length === 0) return () => false;
  const spelled = [...new Set([...globs, ...globs.map((glob) => glob.normalize("NFC"))])];
  const exact = compile(spelled);
  const folded = letters === "case does not count" ? compile(spelled.map(fold)) : null;
  return (path, kind) => {
    const composed = path.normalize("NFC");
    if (exact(path, kind)) return true;
    if (composed !== path && exact(composed, kind)) return true;
    return folded !== null && folded(fold(composed), kind);
  };
}

/** Through upper case first, for letters with two lower cases such as s and ſ. */
function fold(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** Does the file system below this folder take `a` and `A` for the same name? Asked of what is there. */
export async function tellsCase(folder: string, platform: NodeJS.Platform): Promise<Letters> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(folder)) {
      if (swapCase(entry.name) !== entry.name) names.push(entry.name);
      if (names.length === 8) break;
    }
  } catch {
    // A folder that cannot be listed is told by the platform.
  }
  for (const name of names) {
    const [here, there] = await Promise.all(
      [name, swapCase(name)].map((spelling) =>
        stat(join(folder, spelling), { bigint: true }).catch(() => null),
      ),
    );
    if (here === null || here === undefined) continue;
    const same = there?.ino === here.ino && there.dev === here.dev;
    return same ? "case does not count" : "case counts";
  }
  return platform === "win32" || platform === "darwin" ? "case does not count" : "case counts";
}

function swapCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}
