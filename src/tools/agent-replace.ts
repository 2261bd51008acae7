import { linesThrough } from "../edit/apply.ts";
import { FileChanged } from "../edit/commit/changed.ts";
import { commit } from "../edit/commit/commit.ts";
import { withFiles } from "../edit/commit/file-locks.ts";
import { type FlatText, flatText } from "../edit/flat-text.ts";
import { occurrences } from "../edit/occurrences.ts";
import { replaceText } from "../edit/replace.ts";
import { viewOf } from "../edit/views.ts";
import { bounded, quoteName } from "../format/escape.ts";
import type { EditedFile } from "../model/edited.ts";
import { ToolError } from "../model/errors.ts";
import { TAGGED_FILE, TWICE_NAMED } from "../model/limits.ts";
import { splitMember } from "../sources/split-member.ts";
import type { Session } from "../workspace/session.ts";
import { encodeText, NOT_ASCII, type TextLines, textLines } from "../workspace/text-lines.ts";
import { type EditGround, tryAgain, viewAfter } from "./agent-edit.ts";
import { throwIfAborted } from "./answer.ts";
import { editedFile } from "./edited-file.ts";
import { type FileTarget, fileTarget, locateTarget, readTarget, writtenPath } from "./file-target.ts";
import { fileSize, largerThan } from "./large-file.ts";
import { lostVersion } from "./lost-version.ts";
import { lookElsewhere } from "./missing-path.ts";
import { textNotFound } from "./near-text.ts";
import { inOwnNames } from "./own-names.ts";
import { isThere } from "./path-facts.ts";

/**
 * The edit of agents that name text and not lines: a text that stands exactly once in a file is replaced. A file that
 * changes meanwhile is read again and the text looked for again, so that no other change is ever lost. A notebook is
 * changed through its cells, because these are what view shows; its outputs and metadata stay.
 */

export interface ReplaceGiven {
  readonly path: string;
  readonly oldText: string;
  readonly newText: string;
  /** The largest file that is changed. */
  readonly largest: number;
}

export function agentReplace(session: Session, given: ReplaceGiven, ground: EditGround): Promise<EditedFile> {
  return inOwnNames(session, () => replaceIn(session, given, ground));
}

/** What is asked for, with `\n` between lines: those of the file count as the same. */
interface Wish {
  readonly old: string;
  readonly text: string;
  readonly largest: number;
}

async function replaceIn(session: Session, given: ReplaceGiven, ground: EditGround): Promise<EditedFile> {
  throwIfAborted(ground.signal);
  const wish = wishOf(given);
  const target = await replaceTarget(session, given.path, ground);
  refuseLarge(target.label, await fileSize(target), wish.largest);
  return tryAgain(async () => {
    const { realPath } = await locateTarget(target);
    return withFiles([realPath], ground, () => replaceOnce(session, { target, realPath, wish }, ground));
  });
}

function wishOf({ oldText, newText, largest }: ReplaceGiven): Wish {
  const [old, text] = [oldText.replaceAll("\r\n", "\n"), newText.replaceAll("\r\n", "\n")];
  if (old === "") {
    throw new ToolError("INVALID_INPUT", "old_str is empty, and every file holds that", {
      hint: "Name the text that new_str shall replace, or stand beside: repeat that in new_str",
    });
  }
  if (encodeText(old, "utf-8") === null) {
    throw new ToolError("INVALID_INPUT", "old_str holds half a character", {
      hint: "Write the character whole",
    });
  }
  if (old === text) {
    throw new ToolError("NO_CHANGE", "old_str and new_str are the same, so nothing would change");
  }
  return { old, text, largest: Math.min(largest, TAGGED_FILE) };
}

async function replaceTarget(session: Session, given: string, ground: EditGround): Promise<FileTarget> {
  const path = await writtenPath(session, given);
  if (path === "")
    throw new ToolError("INVALID_INPUT", "`path` is empty", { hint: "Name the file to change" });
  const target = await fileTarget(session, path);
  const missing =
    target.url === null
      ? !(await isThere(session, path))
      : (await target.policy.check(target.path)).kind === null;
  if (!missing) return target;
  if ((await splitMember(path, (prefix) => isThere(session, prefix))) !== null) {
    throw new ToolError("KIND_UNSUPPORTED", `${path} is an entry of an archive, which is not changed here`, {
      hint: "Unpack it first",
    });
  }
  const near =
    target.url === null ? await lookElsewhere(session, path, ground) : ({ kind: "near", names: [] } as const);
  const names = near.kind === "unique" ? [near.path] : near.names;
  throw new ToolError("PATH_NOT_FOUND", `There is no file ${path}`, {
    hint:
      names.length === 0
        ? "Check the spelling; create_file makes new files"
        : `Did you mean ${names.map((name) => bounded(quoteName(name))).join(", ")}? create_file makes new files`,
  });
}

async function replaceOnce(
  session: Session,
  asked: { readonly target: FileTarget; readonly realPath: string; readonly wish: Wish },
  { env, signal }: EditGround,
): Promise<EditedFile> {
  const { target, wish } = asked;
  const { label } = target;
  const content = await readTarget(target);
  // A link was turned while we waited; the file that it leads to now must be locked first.
  if (content.realPath !== asked.realPath) throw new FileChanged(label, "leads to another file than before");
  refuseLarge(label, content.bytes.length, wish.largest);
  const view = viewOf(content.bytes, label);
  const current = textLines(view.show(content.bytes, label));
  const flat = flatText(current);
  const at = onlyPlace(label, current, flat, wish.old);
  const { bytes: text, splice } = replaceText(current, flat, { ...wish, at }, label);
  const bytes = view.write(content.bytes, text, label);
  if (bytes.equals(content.bytes)) throw new ToolError("NO_CHANGE", `The change leaves ${label} as it is`);
  refuseLarge(label, bytes.length, wish.largest);
  const after = viewAfter(view, text, bytes, label);
  const before = session.snapshots.record(content.key, content.bytes, view.name);
  throwIfAborted(signal);
  const change = { path: target.path, policy: target.policy, before: before.hash, after: bytes };
  const [written] = await commit([change], env, signal);
  return editedFile(session, {
    label,
    key: content.key,
    before,
    shown: current,
    current,
    currentHash: before.hash,
    planned: [],
    applied: {
      kind: "applied",
      bytes: text,
      splices: [splice],
      moved: linesThrough([splice]),
      merged: false,
    },
    bytes,
    after,
    warnings: lostVersion(label, written),
  });
}

function refuseLarge(label: string, size: number, largest: number): void {
  if (size <= largest) return;
  throw largerThan(label, size, largest, {
    what: "changed here",
    hint: "Change it with a program that streams, such as sed",
  });
}

/** Where the text is, if it is there once. */
function onlyPlace(label: string, lines: TextLines, flat: FlatText, old: string): number {
  if (flat.encoding === "single-byte" && NOT_ASCII.test(old)) {
    throw new ToolError(
      "ENCODING_UNKNOWN",
      `${label} is not UTF-8, and old_str has letters beyond ASCII, which cannot be told in it`,
      { hint: "Name a part of it that is ASCII, or convert the file to UTF-8 first" },
    );
  }
  const places: number[] = [];
  let count = 0;
  for (const at of occurrences(flat.text, old)) {
    count += 1;
    if (count <= TWICE_NAMED) places.push(at);
  }
  const [only] = places;
  if (only === undefined) throw textNotFound(label, lines, flat, old);
  if (count > 1) throw ambiguous(label, flat, places, count);
  if (flat.encoding === "single-byte") refuseHalf(label, flat, only);
  return only;
}

function ambiguous(label: string, flat: FlatText, places: readonly number[], count: number): ToolError {
  const lines = places.map((at) => flat.lineAt(at));
  const named = [...new Set(lines)].join(", ");
  const more = count > places.length ? ` and ${count - places.length} more places` : "";
  return new ToolError(
    "TEXT_AMBIGUOUS",
    `old_str stands ${count} times in ${label}, at ${new Set(lines).size === 1 ? "line" : "lines"} ${named}${more}`,
    { hint: "Take in more of the lines around the one that is meant, until it is unique" },
  );
}

/** In some encodings the second half of a letter looks like one of ASCII. */
function refuseHalf(label: string, { text, lineAt }: FlatText, at: number): void {
  if (text.charCodeAt(at - 1) < 0x80 || at === 0 || !/[0-9@-~]/.test(text[at] ?? "")) return;
  throw new ToolError(
    "ENCODING_UNKNOWN",
    `${label} is not UTF-8, and on line ${lineAt(at)} old_str begins right behind a letter beyond ASCII, of which it may be a part`,
    { hint: "Let it begin elsewhere, or convert the file to UTF-8 first" },
  );
}
