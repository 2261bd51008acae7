import { createHash } from "node:crypto";
import { applyPlan, type Applied } from "../edit/apply.ts";
import { FileChanged } from "../edit/commit/changed.ts";
import { type Change, commit } from "../edit/commit/commit.ts";
import { withFiles } from "../edit/commit/file-locks.ts";
import { parsePatch } from "../edit/patch/parse.ts";
import { type FileView, TEXT_VIEW, viewNamed, viewOf } from "../edit/views.ts";
import type { EditedFile } from "../model/edited.ts";
import { ToolError } from "../model/errors.ts";
import { TAGGED_FILE } from "../model/limits.ts";
import type { Session } from "../workspace/session.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";
import { throwIfAborted } from "./answer.ts";
import { lostAnchors } from "./anchors.ts";
import { editedFile, type ViewAfter } from "./edited-file.ts";
import { type Content, readTarget, tooLarge } from "./file-target.ts";
import { lostVersion } from "./lost-version.ts";
import { type Edit, openEdit, tagKnower } from "./open-edit.ts";
import { inOwnNames } from "./own-names.ts";

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
  const patch = await parsePatch(input, tagKnower(session));
  const edits: Edit[] = [];
  for (const section of patch.sections) edits.push(await openEdit(session, section));
  refuseTwice(edits);
  const files = await withFiles(
    edits.map(({ realPath }) => realPath),
    ground,
    () => tryAgain(() => applyAll(session, edits, ground)),
  );
  return { files, warnings: patch.warnings };
}

/** The same file under two names would be written twice. */
function refuseTwice(edits: readonly Edit[]): void {
  const seen = new Map<string, Edit>();
  for (const edit of edits) {
    const other = seen.get(edit.realPath);
    if (other !== undefined) {
      throw new ToolError(
        "PATCH_INVALID",
        `Patch lines ${other.section.row} and ${edit.section.row} name the same file: ${other.section.path} and ${edit.section.path}`,
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
    if (content.realPath !== edit.realPath) throw ledElsewhere(edit.target.label);
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
  refuseUnseeable(bytes, content.bytes, view, target.label);
  return { current, applied, bytes, after: viewAfter(view, applied.bytes, bytes, target.label) };
}

/**
 * A view that is made anew may say lines otherwise than they were written: a cell's marker gets its number. It must
 * have as many, or numbers in the answer would lead to other lines.
 */
export function viewAfter(view: FileView, text: Buffer, bytes: Buffer, label: string): ViewAfter | null {
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

/** A link was turned while we waited: the tag is of the file that it led to before. */
function ledElsewhere(label: string): ToolError {
  return new ToolError("TAG_OF_OTHER_FILE", `${label} leads to another file than when its tag was given`, {
    hint: "Read it again",
  });
}

/** What could not be shown, nor edited again. */
function refuseUnseeable(after: Buffer, before: Buffer, view: FileView, label: string): void {
  if (after.length > TAGGED_FILE) throw tooLarge(label);
  if (view !== TEXT_VIEW || viewOf(before, label) === TEXT_VIEW) return;
  if (viewOf(after, label) !== TEXT_VIEW) return;
  throw new ToolError("NOTEBOOK_INVALID", `The edit of ${label} would leave no notebook`, {
    hint: "Edit it through its cells: read shows them under a tag of their own",
  });
}

function noChange(label: string): ToolError {
  return new ToolError(
    "NO_CHANGE",
    `The edit of ${label} changes nothing: its rows are what stands at these lines already`,
    { hint: "The fault is elsewhere; read the file again before the next edit, and do not widen this one" },
  );
}
