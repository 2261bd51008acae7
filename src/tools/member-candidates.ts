import { comparePaths } from "../workspace/path-order.ts";
import type { Ledger } from "../engine/ledger.ts";
import { type MatchingText, matchingTexts, type NamedText } from "../engine/search-texts.ts";
import { ToolError } from "../model/errors.ts";
import type { FilePath } from "../model/match.ts";
import type { TextSkip } from "../sources/archive.ts";
import type { Member } from "../sources/member.ts";
import { textLines } from "../workspace/text-lines.ts";
import { chooseMembers, memberFile } from "./open-archives.ts";
import type { Place } from "./places.ts";
import { bytesCandidate, searchText, type TextOptions } from "./text-source.ts";
import { type Candidate, lineAtIn, type View } from "./view.ts";

/** The members of an archive that match, by path; what is no text is skipped and named. Nothing is unpacked to disk. */

export async function* memberCandidates(
  place: Extract<Place, { kind: "archive" }>,
  options: TextOptions,
): AsyncGenerator<Candidate> {
  const { archives, ledger, wants, ground } = options;
  const archive = await archives.open(place.archive);
  const chosen = chooseMembers(archive, place.member);
  if (chosen === null) return;
  const named = (path: string): FilePath => ({ path: `${place.archive}:${path}` });
  if (chosen.kind === "one") {
    for await (const text of archive.texts((member) => member === chosen.member)) {
      if ("skipped" in text) {
        count(ledger, text.skipped, place.label);
        throw unsearchable(place.label, text.skipped);
      }
      const file = named(chosen.member.path);
      ledger.searched(1);
      yield* bytesCandidate({ file, bytes: text.bytes, selector: place.selector }, options);
    }
    return;
  }
  if (!archive.complete) {
    const message = "ends without its end mark, so that members may be missing";
    ledger.notice({ code: "ARCHIVE_CUT", message, path: place.archive });
  }
  const allowed = (member: Member): boolean => {
    const withheld = ground.guard?.withholds(memberFile(place.archive, member), "file") ?? false;
    if (withheld) ledger.denied(1);
    return !withheld;
  };
  async function* texts(chosen: (member: Member) => boolean): AsyncGenerator<NamedText> {
    const meant = (member: Member): boolean => chosen(member) && wants(member.path);
    const total = archive.members.filter((member) => member.kind === "file" && meant(member)).length;
    let looked = 0;
    for await (const text of archive.texts((member) => meant(member) && allowed(member))) {
      ground.onLooked?.(looked, total);
      looked += 1;
      const file = named(text.member.path);
      if ("skipped" in text) skip(ledger, file, text.skipped);
      else {
        ledger.searched(1);
        yield { file, bytes: text.bytes };
      }
    }
  }
  const matching: MatchingText[] = [];
  for await (const text of matchingTexts(texts(chosen.wants), options)) matching.push(text);
  matching.sort((one, other) => comparePaths(one.file.path, other.file.path));
  for (const { file, bytes, lines } of matching) {
    const view = async (): Promise<View | null> => {
      const { lineAt, sizeAt } = lineAtIn(textLines(bytes));
      if (options.query.mode !== "content") return { matches: [], lineAt, sizeAt, version: null, lines };
      const found = await searchText({ kind: "bytes", bytes }, file, () => true, options);
      return found === null ? null : { matches: found.matches, lineAt, sizeAt, version: null, lines };
    };
    yield { file, selector: null, view };
  }
}

function unsearchable(label: string, why: TextSkip): ToolError {
  return new ToolError("MEMBER_UNREADABLE", `${label} cannot be searched: ${SKIP_TEXT[why]}`, {
    hint: "Only members that are UTF-8 text are searched",
  });
}

const SKIP_TEXT: Readonly<Record<TextSkip, string>> = {
  "unsafe-path": "its name leads out of the archive",
  link: "it is a link",
  encrypted: "it is encrypted",
  unsupported: "its compression or kind is not supported",
  "too-large": "it is too large",
  replaced: "a later member replaced it",
  binary: "it is binary",
  "not-utf8": "it is not UTF-8",
  damaged: "it is damaged",
  "over-budget": "the archive unpacks to more than is searched in one call",
};

function skip(ledger: Ledger, { path }: FilePath, why: TextSkip): void {
  // What a later member replaced is searched there.
  if (why === "replaced") return;
  count(ledger, why, path);
  ledger.notice({ code: "SOURCE_SKIPPED", message: SKIP_TEXT[why], path });
}

function count(ledger: Ledger, why: TextSkip, path: string): void {
  if (why === "binary") ledger.binary(path, false);
  else if (why === "too-large" || why === "over-budget") ledger.tooLarge(1);
  else ledger.unreadable(1);
}
