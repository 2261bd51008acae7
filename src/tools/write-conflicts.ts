import { commit } from "../edit/commit/commit.ts";
import { withFiles } from "../edit/commit/file-locks.ts";
import { sideSpan } from "../edit/conflicts.ts";
import { linesThrough } from "../edit/apply.ts";
import { resolutionLines, resolutionSides } from "../edit/resolution.ts";
import { applySplices, type Splice } from "../edit/splice.ts";
import { count } from "../format/count.ts";
import type { Conflict, ListedConflict } from "../model/conflict.ts";
import { ToolError } from "../model/errors.ts";
import type { Written } from "../model/written.ts";
import { parseConflictUrl } from "../workspace/conflict-url.ts";
import type { Session } from "../workspace/session.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";
import { carried, lineAfter, written } from "./edited-file.ts";
import type { EditGround } from "./agent-edit.ts";
import { type Content, type FileTarget, fileTarget, readTarget } from "./file-target.ts";
import { lostVersion } from "./lost-version.ts";
import { changed } from "./read-conflicts.ts";

/** Merge conflicts that were listed, resolved: one, several or all, in one or several files, all or none. */
export async function writeConflicts(
  session: Session,
  url: string,
  content: string,
  { env, signal }: EditGround,
): Promise<Written> {
  const { ids, side } = parseConflictUrl(url, session.conflicts.ids());
  if (side !== null) {
    throw new ToolError(
      "URL_READ_ONLY",
      `${url} is one side of a conflict, which can be read and not written`,
      {
        hint: `Write conflict://${ids === "all" ? "*" : ids.join(",")} without /${side}; the content @${side} takes that side`,
      },
    );
  }
  const listed = session.conflicts.pick(ids);
  const paths = [...new Set(listed.map(({ label }) => label))];
  const targets = await Promise.all(paths.map((path) => fileTarget(session, path)));
  const places = await Promise.all(targets.map(({ policy, path }) => policy.check(path)));
  const resolved = await withFiles(
    places.map(({ realPath }) => realPath),
    { env, signal },
    async () => {
      const files = await Promise.all(
        targets.map(async (target) => {
          const own = listed.filter(({ label }) => label === target.label);
          return resolveIn(session, target, own, content);
        }),
      );
      const written = await commit(
        files.map(({ target, before, after }) => ({
          path: target.path,
          policy: target.policy,
          before,
          after,
        })),
        env,
        signal,
      );
      return files.map((file, at) => ({ ...file, warnings: lostVersion(file.target.label, written[at]) }));
    },
  );
  const snapshots = resolved.map((file) => remember(session, file));
  return {
    label: url,
    message: `Resolved ${count(listed.length, "conflict")} in ${paths.length === 1 ? paths[0] : count(paths.length, "file")}`,
    snapshots,
    created: false,
    madeExecutable: false,
    realPath: places.length === 1 ? (places[0]?.realPath ?? null) : null,
    warnings: resolved.flatMap(({ warnings }) => warnings),
  };
}

interface ResolvedFile {
  readonly target: FileTarget;
  readonly content: Content;
  readonly splices: readonly Splice[];
  readonly before: string;
  readonly after: Buffer;
}

async function resolveIn(
  session: Session,
  target: FileTarget,
  conflicts: readonly ListedConflict[],
  content: string,
): Promise<ResolvedFile> {
  const now = await readTarget(target);
  const { hash } = session.snapshots.record(now.key, now.bytes);
  for (const one of conflicts) if (one.hash !== hash) throw changed(target.label, one.id);
  const text = textLines(now.bytes);
  const splices = conflicts
    .flatMap(({ region }) => resolution(region, content, text))
    .sort((a, b) => a.at - b.at);
  return { target, content: now, splices, before: hash, after: applySplices(text, splices, target.label) };
}

/** A side that was chosen stays as it stands, byte for byte, and only what is around it goes. */
function resolution(region: Conflict, content: string, { line }: TextLines): Splice[] {
  const body = resolutionLines(content, region, line);
  const sides = resolutionSides(content);
  if (sides === null) return [{ at: region.start, remove: region.end - region.start + 1, body }];
  const splices: Splice[] = [];
  let at = region.start;
  for (const side of sides) {
    const span = sideSpan(region, side);
    if (span === null) continue;
    splices.push({ at, remove: span.first - at, body: [] });
    at = span.last + 1;
  }
  return [...splices, { at, remove: region.end - at + 1, body: [] }];
}

/** What was shown of the file stays known, and the conflicts that are left keep their numbers. */
function remember(
  session: Session,
  { target, content: { key, bytes }, splices, before, after }: ResolvedFile,
): { readonly label: string; readonly tag: string } {
  const old = session.snapshots.record(key, bytes);
  const snapshot = session.snapshots.record(key, after);
  const moved = linesThrough(splices);
  snapshot.show([...carried(old.shown, moved), ...written(splices)]);
  session.conflicts.moved(key, before, snapshot.hash, (line) => lineAfter(moved, line));
  return { label: target.label, tag: snapshot.tag };
}
