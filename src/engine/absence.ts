import { statSync } from "node:fs";
import { NAMES_PER_CHILD } from "../model/limits.ts";
import type { FilePath } from "../model/match.ts";
import type { Notice } from "../model/notice.ts";
import type { Query, Target } from "../model/query.ts";
import { onDisk } from "../workspace/targets.ts";
import type { Exclusion } from "./exclusions.ts";
import { pathFilter } from "../index/path-filter.ts";
import { planScope } from "./plan.ts";
import type { Ground } from "./ground.ts";
import { searchFiles } from "./search.ts";

/**
 * For an answer without matches: is the pattern in something that the ignore rules left out? Absence must not look
 * like exclusion. Only what was left out is searched, and for a bounded time.
 */

const NAMED = 3;

export interface AbsenceOptions {
  readonly ground: Ground;
  readonly excluded: readonly Exclusion[];
  readonly timeoutMs: number;
  /** Whether a file that was found may be named. @default any */
  readonly confirm?: ((file: FilePath) => Promise<boolean>) | undefined;
  /** Whether a rule of this ignore file may be quoted. @default any */
  readonly mayQuote?: ((ignoreFile: string) => boolean) | undefined;
}

export async function absence(asked: Query, options: AbsenceOptions): Promise<Notice[]> {
  const { excluded, mayQuote = () => true } = options;
  const { paths, complete } = await searchExcluded(asked, options);
  if (paths.length === 0) {
    const message = "What ignore rules leave out was not looked at to its end";
    return complete ? [] : [{ code: "EXCLUDED", message }];
  }
  const named = paths.slice(0, NAMED).map((path) => {
    const rule = ruleFor(excluded, path);
    return rule === null || !mayQuote(rule.file)
      ? path
      : `${path} (left out by "${rule.rule}" in ${rule.file})`;
  });
  const more = paths.length > NAMED ? ", and more" : "";
  return [
    {
      code: "EXCLUDED",
      message: `The pattern is in files that ignore rules leave out: ${named.join(", ")}${more}`,
    },
  ];
}

/** The first files that match, some targets at a time, until there are enough or the time is up. */
async function searchExcluded(
  asked: Query,
  { ground, excluded, timeoutMs, confirm = async () => true }: AbsenceOptions,
): Promise<{ readonly paths: readonly string[]; readonly complete: boolean }> {
  const wanted = pathFilter(asked, asked.targets);
  const end = performance.now() + timeoutMs;
  const paths: string[] = [];
  for (let from = 0; from < excluded.length; from += NAMES_PER_CHILD) {
    const left = end - performance.now();
    if (left <= 0) return { paths, complete: false };
    const some = excluded.slice(from, from + NAMES_PER_CHILD);
    const targets = some.flatMap(({ path }) => targetOf(asked, path));
    if (targets.length === 0) continue;
    // Links in what is left out lead anywhere, and are followed only where the query says that all are.
    const links = asked.links === "once" ? "skip" : asked.links;
    const query: Query = {
      ...asked,
      targets,
      links,
      mode: "files",
      ignore: "off",
      order: "none",
      timeoutMs: left,
    };
    const found = searchFiles(query, planScope(query), { ...ground, explain: false, onFound: undefined });
    for await (const { file } of found) {
      if (wanted(file.path, "file") && (await confirm(file))) paths.push(file.path);
      // One more than is named tells that there are more.
      if (paths.length > NAMED) return { paths, complete: true };
    }
    if (found.ledger.read().partial) return { paths, complete: false };
  }
  return { paths, complete: true };
}

/** Named by itself a file would count whatever its type, so where a type is asked for only folders are looked at. */
function targetOf({ root, types, typeGlobs }: Query, path: string): Target[] {
  const info = statSync(onDisk(root, path), { throwIfNoEntry: false });
  if (info?.isDirectory() === true) return [{ path, kind: "folder", glob: null }];
  const typed = types.length > 0 || typeGlobs.length > 0;
  return info?.isFile() === true && !typed ? [{ path, kind: "file", glob: null }] : [];
}

/** The rule may name the file itself or any folder above it. */
function ruleFor(excluded: readonly Exclusion[], path: string): Exclusion | null {
  return excluded.find((one) => one.path === path || path.startsWith(`${one.path}/`)) ?? null;
}
