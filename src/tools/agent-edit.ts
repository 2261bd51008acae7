import { createHash } from "node:crypto";
import { applyPlan, type Applied } from "../edit/apply.ts";
import { FileChanged } from "../edit/commit/changed.ts";
import { type Change, commit } from "../edit/commit/commit.ts";
import { withFiles } from "../edit/commit/file-locks.ts";
import { doubts } from "../edit/patch/doubts.ts";
import { unnumbered } from "../edit/patch/line-numbers.ts";
import { refuseOverlaps, type Touched } from "../edit/patch/overlap.ts";
import { parsePatch } from "../edit/patch/parse.ts";
import { type Planned, planOperations } from "../edit/plan.ts";
import { type FileView, TEXT_VIEW, viewNamed } from "../edit/views.ts";
import type { EditedFile } from "../model/edited.ts";
import { ToolError } from "../model/errors.ts";
import type { Section } from "../model/patch.ts";
import type { Session } from "../workspace/session.ts";
import type { Snapshot } from "../workspace/snapshots.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";
import { throwIfAborted } from "./answer.ts";
import { lostAnchors, refuseTag, showAround } from "./anchors.ts";
import { editedFile, type ViewAfter } from "./edited-file.ts";
import {
  type Content,
  type FileTarget,
  fileTarget,
  locateTarget,
  readTarget,
  writtenPath,
} from "./file-target.ts";
import { lostVersion } from "./lost-version.ts";
import { inOwnNames } from "./own-names.ts";
import { isThere } from "./path-facts.ts";

/**
 * The edit that every agent's tool is made of: a patch against versions that were shown becomes files on the disk, all
 * or none. Lines are counted in the version of the tag; what changed since is merged where that is certain, and
 * refused where it is not. A wrong line is never edited.
 */

export interface EditPage {
  readonly files: readonly EditedFile[];
  /** About the patch as a whole. */
  readonly warnings: readonly string[];
}

export interface EditGround {
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal | undefined;
}

/** How often a file that changes under an edit is read again. */
const TRIES = 8;

export function agentEdit(session: Session, input: string, ground: EditGround): Promise<EditPage> {
  return inOwnNames(session, () => editFiles(session, input, ground));
}

async function editFiles(session: Session, input: string, ground: EditGround): Promise<EditPage> {
  throwIfAborted(ground.signal);
  const patch = await parsePatch(input, (path, tag) => knowsTag(session, path, tag));
  const edits: Edit[] = [];
  for (const section of patch.sections) edits.push(await openEdit(session, section));
  refuseTwice(edits);
  const files = await withFiles(
    edits.map(({ realPath }) => realPath),
    ground.env,
    () => tryAgain(() => applyAll(session, edits, ground)),
  );
  return { files, warnings: patch.warnings };
}

/** One file of a patch: the version that its tag stands for, and what is to be done to it. */
interface Edit {
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

async function knowsTag(session: Session, path: string, tag: string): Promise<boolean> {
  try {
    const { key } = await locateTarget(await editTarget(session, path));
    const { kind } = session.snapshots.find(key, tag);
    return kind === "known" || kind === "forgotten";
  } catch (cause) {
    if (cause instanceof ToolError) return false;
    throw cause;
  }
}

async function openEdit(session: Session, section: Section): Promise<Edit> {
  const target = await editTarget(session, section.path);
  const { key, realPath } = await locateTarget(target).catch((cause: unknown) => {
    throw notThere(target, cause);
  });
  const found = session.snapshots.find(key, section.tag);
  if (found.kind !== "known") throw refuseTag(session, section, target, await readTarget(target), found);
  const { snapshot } = found;
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
  return { target, realPath, snapshot, shown, planned, warnings };
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

/** The same file under two names would be written twice. */
function refuseTwice(edits: readonly Edit[]): void {
  const seen = new Map<string, Edit>();
  for (const edit of edits) {
    const other = seen.get(edit.realPath);
    if (other !== undefined) {
      throw new ToolError(
        "PATCH_INVALID",
        `${other.target.label} and ${edit.target.label} are the same file`,
        { hint: "Put all operations on a file into one section" },
      );
    }
    seen.set(edit.realPath, edit);
  }
}

/**
 * A file that was changed between our reading and our writing is read again, and merged or refused; unless something
 * that somebody else wrote could not be left where it was, which must be told.
 */
export async function tryAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left -= 1) {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof FileChanged) || cause.mustBeTold || left <= 1) throw cause;
    }
  }
}

async function applyAll(
  session: Session,
  edits: readonly Edit[],
  { env, signal }: EditGround,
): Promise<readonly EditedFile[]> {
  const done: (Outcome & { readonly edit: Edit; readonly content: Content; readonly before: string })[] = [];
  for (const edit of edits) {
    throwIfAborted(signal);
    const content = await readTarget(edit.target);
    const outcome = await applyOne(session, edit, content);
    done.push({ edit, content, before: hashOf(edit, content), ...outcome });
  }
  const written = await commit(
    done.map(
      ({ edit, before, bytes }): Change => ({
        path: edit.target.path,
        policy: edit.target.policy,
        before,
        after: bytes,
      }),
    ),
    env,
    signal,
  );
  return done.map(({ edit, content, before, current, applied, bytes, after }, at) =>
    editedFile(session, {
      label: edit.target.label,
      key: content.key,
      before: edit.snapshot,
      shown: edit.shown,
      current,
      currentHash: before,
      planned: edit.planned,
      applied,
      bytes,
      after,
      warnings: [...edit.warnings, ...lostVersion(edit.target.label, written[at])],
    }),
  );
}

function doubtsOf(shown: TextLines, { operation, at, remove, body }: Planned): readonly string[] {
  const plain =
    remove > 0 && body.length > 0
      ? { kind: "replace" as const, first: at, last: at + remove - 1, body, row: operation.row }
      : operation;
  return doubts(plain, shown.line);
}

/** What becomes of a file: as it was right before, what was done, and its new bytes. */
interface Outcome {
  readonly current: TextLines;
  readonly applied: Applied;
  readonly bytes: Buffer;
  readonly after: ViewAfter | null;
}

async function applyOne(
  session: Session,
  { target, snapshot, shown, planned }: Edit,
  content: Content,
): Promise<Outcome> {
  const view = viewNamed(snapshot.view);
  const same = snapshot.bytes.equals(content.bytes);
  const current = same ? shown : textLines(view.show(content.bytes, target.label));
  const applied = await applyPlan(planned, shown, current, target.label);
  if (applied.kind === "lost") throw lostAnchors(session, target, content, view, applied, current);
  const bytes = view.write(content.bytes, applied.bytes, target.label);
  if (bytes.equals(content.bytes)) throw noChange(target.label);
  return { current, applied, bytes, after: viewAfter(view, applied.bytes, bytes, target.label) };
}

/**
 * A view that is made anew may say lines otherwise than they were written: a cell's marker gets its number. It must
 * have as many, or numbers in the answer would lead to other lines.
 */
function viewAfter(view: FileView, text: Buffer, bytes: Buffer, label: string): ViewAfter | null {
  if (view === TEXT_VIEW) return null;
  const [spliced, shown] = [textLines(text), textLines(view.show(bytes, label))];
  if (spliced.count() === shown.count()) return { spliced, shown };
  throw new ToolError(
    "NOTEBOOK_INVALID",
    `A cell of ${label} would hold a single blank line, which is the same as none`,
    {
      hint: "Leave the blank row out: a marker without rows is an empty cell",
    },
  );
}

function hashOf({ snapshot }: Edit, { bytes }: Content): string {
  if (snapshot.bytes.equals(bytes)) return snapshot.hash;
  return createHash("sha256").update(bytes).digest("hex");
}

function noChange(label: string): ToolError {
  return new ToolError(
    "NO_CHANGE",
    `The edit of ${label} changes nothing: its rows are what stands at these lines already`,
    { hint: "The fault is elsewhere; read the file again before the next edit, and do not widen this one" },
  );
}
