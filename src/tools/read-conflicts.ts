import { findConflicts } from "../edit/conflicts.ts";
import { sideLines } from "../edit/resolution.ts";
import { conflictText } from "../format/conflict-text.ts";
import { quoteName } from "../format/escape.ts";
import { ToolError } from "../model/errors.ts";
import { AGENT_TEXT, LINE_CHARACTERS } from "../model/limits.ts";
import type { ReadAnswer, ToldPage } from "../model/read-page.ts";
import type { Selector } from "../model/selector.ts";
import { parseConflictUrl } from "../workspace/conflict-url.ts";
import type { Session } from "../workspace/session.ts";
import type { Snapshot } from "../workspace/snapshots.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";
import { fileTarget, type FileTarget, readTarget } from "./file-target.ts";
import { textPage } from "./read-lines.ts";

/** Unresolved merge conflicts: those of a file, listed with the URLs that resolve them, and one of these or a side of it. */

interface ConflictedFile {
  readonly target: FileTarget;
  readonly key: string;
  readonly text: TextLines;
  readonly snapshot: Snapshot | null;
}

export function listConflicts(session: Session, { target, key, text, snapshot }: ConflictedFile): ToldPage {
  const { label } = target;
  if (snapshot === null) {
    throw new ToolError("URL_READ_ONLY", `${label} cannot be written, so its conflicts are not listed`);
  }
  const { conflicts, broken } = findConflicts(text.count(), text.line);
  const listed = session.conflicts.list(key, label, snapshot.hash, conflicts);
  const printed = conflictText(
    { label, listed, total: conflicts.length, broken, lineAt: text.line },
    LINE_CHARACTERS,
    AGENT_TEXT,
  );
  snapshot.show(printed.shown);
  return {
    kind: "conflicts",
    label,
    text: `¶${quoteName(label)}#${snapshot.tag}\n${printed.text}`,
    cut: printed.cut,
    notes: [],
  };
}

/** `conflict://N`, or a side of it: from the file as it is, which must be the one that was listed. */
export async function readConflict(
  session: Session,
  path: string,
  selector: Selector | null,
): Promise<ReadAnswer> {
  const { ids, side } = parseConflictUrl(path, session.conflicts.ids());
  const [listed, ...more] = session.conflicts.pick(ids);
  if (listed === undefined || more.length > 0) {
    throw new ToolError("INVALID_INPUT", "read takes one conflict at a time", {
      hint: "read FILE:conflicts shows those of a file",
    });
  }
  const { region, label } = listed;
  const content = await readTarget(await fileTarget(session, label));
  const snapshot = session.snapshots.record(content.key, content.bytes);
  if (snapshot.hash !== listed.hash) throw changed(label, listed.id);
  const text = textLines(content.bytes);
  if (side === null) {
    if (selector !== null) {
      throw new ToolError(
        "SELECTOR_INVALID",
        `conflict://${listed.id} is shown whole, and takes no selector`,
        {
          hint: `Read ${label}:${region.start}-${region.end} for its lines`,
        },
      );
    }
    const span = { first: region.start, last: region.end };
    return {
      page: {
        kind: "lines",
        label,
        tag: snapshot.tag,
        raw: false,
        spans: [span],
        from: region.start,
        brokenOff: null,
        lineAt: text.line,
        total: text.count,
        elided: [],
        selectorFrom: (line) => `${line}-${region.end}`,
        notes: [],
        show: snapshot.show,
      },
      resolved: null,
      realPath: content.realPath,
    };
  }
  const lines = sideLines(region, side, text.line);
  const page = textPage({
    label: `conflict://${listed.id}/${side}`,
    tag: null,
    bytes: Buffer.from(lines.map((line) => `${line}\n`).join("")),
    selector,
    settings: session.settings,
  });
  return { page, resolved: null, realPath: content.realPath };
}

export function changed(label: string, id: number): ToolError {
  return new ToolError("FILE_CHANGED", `${label} has changed since conflict ${id} was listed`, {
    hint: `Read ${label}:conflicts again`,
  });
}
