import { hash as hashOf } from "node:crypto";
import { doubts } from "../edit/patch/doubts.ts";
import { unnumbered } from "../edit/patch/line-numbers.ts";
import { refuseOverlaps, type Touched } from "../edit/patch/overlap.ts";
import { type Planned, planOperations } from "../edit/plan.ts";
import { TEXT_VIEW, viewNamed } from "../edit/views.ts";
import { ToolError } from "../model/errors.ts";
import type { Section } from "../model/patch.ts";
import type { Session } from "../workspace/session.ts";
import type { Lookup, Snapshot } from "../workspace/snapshots.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";
import { refuseTag, showAround } from "./anchors.ts";
import { type FileTarget, fileTarget, locateTarget, readTarget, writtenPath } from "./file-target.ts";
import { isThere } from "./path-facts.ts";

/** A section of a patch, understood: which file and which version it means, and what it comes to in that version. */

/** One file of a patch: the version that its tag stands for, and what is to be done to it. */
export interface Edit {
  readonly section: Section;
  readonly target: FileTarget;
  readonly realPath: string;
  readonly snapshot: Snapshot;
  readonly shown: TextLines;
  readonly planned: readonly Planned[];
  /** What is probably not meant. */
  readonly warnings: readonly string[];
}

async function editTarget(session: Session, given: string): Promise<FileTarget> {
  const path = await writtenPath(session, given);
  const target = await fileTarget(session, path);
  if (target.url === null && !(await isThere(session, path))) throw noFile(path);
  return target;
}

/** Whether a tag was given for a path. A patch may ask for the same path in every row. */
export function tagKnower(session: Session): (path: string, tag: string) => Promise<boolean> {
  const keys = new Map<string, Promise<string | null>>();
  return async (path, tag) => {
    const known = keys.get(path) ?? keyOf(session, path);
    keys.set(path, known);
    const key = await known;
    if (key === null) return false;
    const { kind } = session.snapshots.find(key, tag);
    return kind === "known" || kind === "forgotten";
  };
}

async function keyOf(session: Session, path: string): Promise<string | null> {
  try {
    return (await locateTarget(await editTarget(session, path))).key;
  } catch (cause) {
    if (cause instanceof ToolError) return null;
    throw cause;
  }
}

export async function openEdit(session: Session, section: Section): Promise<Edit> {
  const target = await editTarget(session, section.path);
  const { key, realPath } = await locateTarget(target).catch((cause: unknown) => {
    throw notThere(target, cause);
  });
  const found = session.snapshots.find(key, section.tag);
  const snapshot = found.kind === "known" ? found.snapshot : await taggedNow(session, section, target, found);
  if (snapshot.view === TEXT_VIEW.name) snapshot.show(session.sketches?.shown(key, snapshot.hash) ?? []);
  const shown = textLines(viewNamed(snapshot.view).show(snapshot.bytes, target.label));
  const unnumberedOnes = section.operations.map((operation) => unnumbered(operation, shown.line));
  const operations = section.operations.map((operation, at) => unnumberedOnes[at]?.operation ?? operation);
  const planned = await planOperations(operations, {
    name: target.label,
    path: realPath,
    text: shown,
    wasShown: snapshot.wasShown,
    excerpt: (lines) => showAround(target.label, snapshot, shown, lines),
  });
  refuseOverlaps(planned.flatMap(touched));
  const warnings = [
    ...unnumberedOnes.flatMap((found) => (found === null ? [] : [found.warning])),
    ...planned.flatMap((one) => doubtsOf(shown, one)),
  ];
  return { section, target, realPath, snapshot, shown, planned, warnings };
}

/** What was shown without being held is the file as it is now, if that still has the same content. */
async function taggedNow(
  session: Session,
  section: Section,
  target: FileTarget,
  found: Exclude<Lookup, { kind: "known" }>,
): Promise<Snapshot> {
  const content = await readTarget(target);
  const { key, bytes } = content;
  const isSketched =
    found.kind === "forgotten" &&
    found.view === TEXT_VIEW.name &&
    session.sketches?.knows(key, found.hash) === true;
  if (isSketched && hashOf("sha256", bytes, "hex") === found.hash)
    return session.snapshots.record(key, bytes, found.view);
  throw refuseTag(session, section, target, content, found);
}

function notThere({ label }: FileTarget, cause: unknown): unknown {
  if (!(cause instanceof ToolError) || cause.code !== "PATH_NOT_FOUND") return cause;
  return noFile(label, cause);
}

function noFile(name: string, cause?: unknown): ToolError {
  return new ToolError("PATH_NOT_FOUND", `There is no file ${name} to edit`, {
    hint: "Check the spelling; write makes new files and entries of archives",
    cause,
  });
}

/** What it changes, or the line that it puts others beside: a block has become its lines by now. */
function touched({ operation: { row, kind }, at, remove, names }: Planned): Touched[] {
  if (remove > 0) return [{ first: at, last: at + remove - 1, row, as: "range" }];
  if (names === null) return [];
  const line = kind === "insert before" ? names.first : names.last;
  return [{ first: line, last: line, row, as: "anchor" }];
}

function doubtsOf(shown: TextLines, { operation, at, remove, body }: Planned): readonly string[] {
  const plain =
    remove > 0 && body.length > 0
      ? { kind: "replace" as const, first: at, last: at + remove - 1, body, row: operation.row }
      : operation;
  return doubts(plain, shown.line);
}
