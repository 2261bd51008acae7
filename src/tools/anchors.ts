import type { Lost } from "../edit/apply.ts";
import { type FileView, viewOf } from "../edit/views.ts";
import { lineRow } from "../format/line-row.ts";
import { quoteName } from "../format/escape.ts";
import { ToolError } from "../model/errors.ts";
import { LINE_CHARACTERS, MISMATCH_CONTEXT } from "../model/limits.ts";
import type { Operation, Section } from "../model/patch.ts";
import type { Session } from "../workspace/session.ts";
import type { Lookup, Snapshot } from "../workspace/snapshots.ts";
import { type TextLines, textLines } from "../workspace/text-lines.ts";
import { nameInRoots } from "../workspace/root-folder.ts";
import { displayPath } from "../workspace/targets.ts";
import type { Content, FileTarget } from "./file-target.ts";

/**
 * What an agent is told when its anchors do not hold: which of the reasons it is, and the file as it is now around each
 * line that was named, under its current tag. These rows count as shown, so the next edit needs no new read.
 */

/** The heading and rows around lines, those marked. */
export function showAround(
  label: string,
  snapshot: Snapshot,
  text: TextLines,
  lines: readonly number[],
): string {
  const rows = [`¶${quoteName(label)}#${snapshot.tag}`];
  const whole: number[] = [];
  let printed = 0;
  for (const line of [...new Set(lines)].sort((a, b) => a - b).slice(0, ANCHORS)) {
    const from = Math.max(1, printed + 1, line - MISMATCH_CONTEXT);
    if (printed > 0 && from > printed + 1) rows.push("…");
    for (let at = from; at <= line + MISMATCH_CONTEXT; at += 1) {
      const content = text.line(at);
      if (content === null) break;
      const row = lineRow(`${lines.includes(at) ? "*" : " "}${at}:`, content, LINE_CHARACTERS);
      rows.push(row.text);
      if (row.whole) whole.push(at);
      printed = at;
    }
  }
  snapshot.show(whole);
  return rows.join("\n");
}

/** Anchors that are shown in one refusal. */
const ANCHORS = 12;

/** Why a tag cannot be used. */
export function refuseTag(
  session: Session,
  { tag, operations }: Section,
  { label }: FileTarget,
  { key, bytes }: Content,
  found: Exclude<Lookup, { kind: "known" }>,
): ToolError {
  const view = viewOf(bytes, label);
  const text = textLines(view.show(bytes, label));
  const count = text.count();
  const wanted = operations.flatMap((operation) => linesNamed(operation, count));
  const snapshot = session.snapshots.record(key, bytes, view.name);
  const excerpt = showAround(label, snapshot, text, wanted);
  const again = "Below is the file as it is now, under its own tag: check the lines and send the edit again";
  if (found.kind === "elsewhere") {
    const others = found.paths.slice(0, 3).map((path) => quoteName(named(session, path)));
    return new ToolError(
      "TAG_OF_OTHER_FILE",
      others.includes(quoteName(label))
        ? `${label} leads to another file than when tag ${tag} was given`
        : `Tag ${tag} was given for ${others.join(", ")}, not for ${label}`,
      { hint: again, excerpt },
    );
  }
  if (
    found.kind === "forgotten" &&
    found.hash !== snapshot.hash &&
    session.sketches?.knows(key, found.hash)
  ) {
    return new ToolError(
      "FILE_CHANGED",
      `${label} has changed since tag ${tag} was given, and is too large for what it was then to be held`,
      { hint: again, excerpt },
    );
  }
  return new ToolError(
    "TAG_UNKNOWN",
    found.kind === "forgotten"
      ? `Tag ${tag} of ${label} is from too long ago: what was shown under it has been let go${found.hash === snapshot.hash ? ", though the file is still the same" : ""}`
      : `Tag ${tag} was never given for ${label} in this session`,
    { hint: again, excerpt },
  );
}

/** Where an operation would go in a file of so many lines, if its numbers were meant for it. */
function linesNamed(operation: Operation, count: number): number[] {
  const lines =
    "first" in operation
      ? [operation.first, operation.last]
      : "line" in operation
        ? [operation.line]
        : [operation.kind === "insert head" ? 1 : count];
  return lines.map((line) => Math.max(1, Math.min(line, count)));
}

function named(session: Session, key: string): string {
  if (session.router.handles(key)) return key;
  return nameInRoots(session.roots, key) ?? displayPath(session.root, key);
}

/** The lines that an edit names were changed since they were shown, or cannot be told from others. */
export function lostAnchors(
  session: Session,
  { label }: FileTarget,
  { key, bytes }: Content,
  view: FileView,
  { planned, map }: Lost,
  current: TextLines,
): ToolError {
  const snapshot = session.snapshots.record(key, bytes, view.name);
  const lines = planned.flatMap(({ names }) => (names === null ? [] : [names.first, names.last]));
  const near = lines.map((line) => {
    const before = map.runs.findLast((run) => run.first <= line);
    return Math.min(Math.max(1, line + (before?.by ?? 0)), Math.max(1, current.count()));
  });
  const list = planned
    .flatMap(({ names }) => (names === null ? [] : [names]))
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .slice(0, ANCHORS);
  return new ToolError(
    "FILE_CHANGED",
    `${label} has changed since it was shown, and ${list.length === 1 && !list[0]?.includes("-") ? "line" : "lines"} ${list.join(", ")} of that version ${list.length === 1 && !list[0]?.includes("-") ? "was" : "were"} changed too or cannot be told from others`,
    {
      hint: "Nothing was written. Below is the file as it is now, under its own tag: check the lines and send the edit again",
      excerpt: showAround(label, snapshot, current, near),
    },
  );
}
