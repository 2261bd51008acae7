import { isAbsolute, posix, relative, sep } from "node:path";
import type { Ground } from "../engine/ground.ts";
import { guarded } from "../engine/guard.ts";
import { planScope } from "../engine/plan.ts";
import { NEAR_NAMES, SUFFIX_TIME, TREE_COUNTED } from "../model/limits.ts";
import type { Scope } from "../model/query.ts";
import { listRun } from "../ripgrep/list.ts";
import { listFolder } from "../workspace/list-folder.ts";
import { openFolder } from "../workspace/open.ts";
import type { Session } from "../workspace/session.ts";
import { displayPath } from "../workspace/targets.ts";
import { agentScope } from "./agent-scope.ts";
import { throwIfAborted } from "./answer.ts";
import { PathRank, sameLetters, type Wanted } from "./path-rank.ts";
import { type Place, wholeGround } from "./places.ts";
import { guardOf } from "./walk-candidates.ts";

/**
 * Where a path that is not there may be meant: the one file or folder whose path ends with it, or the nearest names.
 * Called by read. One walk by ripgrep's rules; what the policy withholds is neither used nor named.
 */

export type Elsewhere =
  /** Relative to the root, as find prints it. */
  | { readonly kind: "unique"; readonly path: string }
  /** The nearest first; folders end in a slash. */
  | { readonly kind: "near"; readonly names: readonly string[] };

export async function lookElsewhere(session: Session, path: string, ground: Ground): Promise<Elsewhere> {
  throwIfAborted(ground.signal);
  const wanted = readWanted(session.root, path);
  if (wanted === null) return { kind: "near", names: [] };
  const spelled = await otherSpelling(session, wanted);
  if (spelled !== null) return { kind: "unique", path: spelled };
  const { rank, whole } = await walk(session, wanted, ground);
  const unique = whole ? rank.unique() : null;
  if (unique !== null && (await isThere(session, unique))) return { kind: "unique", path: unique };
  return { kind: "near", names: rank.nearest() };
}

/** An absolute path below the root is the part below it; what goes up and down again is left out. */
function readWanted(root: string, path: string): Wanted | null {
  const inside = isAbsolute(path) ? relative(root, path) : path;
  const outside = isAbsolute(inside) || inside === ".." || inside.startsWith(`..${sep}`);
  const plain = posix.normalize((isAbsolute(path) && outside ? path : inside).split(sep).join("/"));
  const names = plain.split("/").filter((name) => name !== "" && name !== "." && name !== "..");
  return names.length === 0 ? null : { path: names.join("/"), folder: /[\\/]$/.test(path) };
}

/**
 * A name in the same folder that is the same but for composed letters, apostrophes and blanks: macOS takes names
 * apart, and puts a narrow blank into those of screenshots.
 */
async function otherSpelling(session: Session, { path }: Wanted): Promise<string | null> {
  const at = path.lastIndexOf("/") + 1;
  const [folder, name] = [path.slice(0, at), path.slice(at)];
  const opened = await openFolder(session.policy, folder === "" ? "." : folder).catch(() => null);
  if (opened === null) return null;
  try {
    const { entries } = await listFolder(opened, TREE_COUNTED);
    const same = entries
      .map((entry) => entry.name.toString())
      .filter((other) => other !== name && sameLetters(other) === sameLetters(name));
    const [only] = same;
    if (only === undefined || same.length > 1) return null;
    return (await isThere(session, folder + only)) ? folder + only : null;
  } finally {
    await opened.handle.close();
  }
}

function isThere({ policy }: Session, path: string): Promise<boolean> {
  return policy.check(path).then(
    ({ kind }) => kind !== null,
    () => false,
  );
}

/**
 * `whole`: everything was looked at, without which nothing is the only one. The names come from the walk as they are:
 * of a hundred thousand only a few come near, and only those need the policy's last word.
 */
async function walk(
  session: Session,
  wanted: Wanted,
  { env, signal }: Ground,
): Promise<{ readonly rank: PathRank; readonly whole: boolean }> {
  const end = performance.now() + SUFFIX_TIME;
  const guard = guardOf(session);
  const scope = guarded(await wholeScope(session), guard);
  const rank = new PathRank(wanted, {
    keep: NEAR_NAMES,
    allows: (path, kind) => !guard.withholds({ path }, kind),
  });
  let whole = true;
  for (const batch of planScope(scope).batches) {
    const timeoutMs = Math.max(1, end - performance.now());
    const operands = batch.map(({ path }) => path);
    const run = listRun(scope, { operands, nameGlobs: [], explain: false, env, timeoutMs, signal });
    for await (const files of run) {
      // A name that is not UTF-8 cannot be said.
      for (const file of files) if (file.pathBytes === undefined) rank.meet(file.path);
      if (performance.now() >= end) break;
    }
    throwIfAborted(signal);
    const { timedOut, endedEarly } = run.report();
    whole &&= !timedOut && endedEarly === null && performance.now() < end;
  }
  return { rank, whole };
}

async function wholeScope(session: Session): Promise<Scope> {
  const places = (await wholeGround(session)).map((folder): Place => {
    const path = folder === "." ? folder : displayPath(session.root, folder);
    return { kind: "folder", label: path, target: { path, kind: "folder", glob: null } };
  });
  return agentScope(session, places, {});
}
