import { escapeText } from "../format/escape.ts";
import { membersText } from "../format/members-text.ts";
import { ToolError } from "../model/errors.ts";
import type { ReadAnswer } from "../model/read-page.ts";
import { memberPath } from "../sources/member.ts";
import { textOf } from "../sources/text.ts";
import type { Session } from "../workspace/session.ts";
import { chooseMembers, memberFile, type OpenArchives } from "./open-archives.ts";
import { listedRows } from "./listed-rows.ts";
import { textPage } from "./read-lines.ts";
import type { ReadPlace } from "./read-place.ts";
import { guardOf } from "./walk-candidates.ts";

/** What is in an archive: the children of a folder of it, or the text of one member. Nothing of it can be edited. */
export async function readMember(
  session: Session,
  archives: OpenArchives,
  { archive: path, member: name, selector }: Extract<ReadPlace, { kind: "member" }>,
): Promise<ReadAnswer> {
  const archive = await archives.open(path);
  const chosen = chooseMembers(archive, name);
  const label = name === "" ? path : `${path}:${name}`;
  if (chosen === null) {
    // The archive's own words, with the names that come near.
    await archive.read(name);
    throw new ToolError("MEMBER_NOT_FOUND", `${path} has no file ${JSON.stringify(name)}`);
  }
  if (chosen.kind === "many") {
    const { withholds } = guardOf(session);
    const below = archive.members.filter(
      (member) => chosen.wants(member) && !withholds(memberFile(path, member), member.kind),
    );
    const rows = listedRows(selector, label, name === "" ? "an archive" : "a folder of an archive");
    const printed = membersText(
      below,
      memberPath(name) ?? "",
      { archive: path, complete: archive.complete },
      rows,
    );
    return {
      page: { kind: "archive", label, text: printed.text, cut: printed.cut, notes: [] },
      resolved: null,
      realPath: null,
    };
  }
  // Denied as a file below its archive would be.
  await session.policy.check(memberFile(path, chosen.member).path);
  const bytes = await archive.read(name);
  const text = textOf(bytes);
  if ("skipped" in text) {
    const what = text.skipped === "binary" ? "binary" : "not UTF-8";
    return {
      page: {
        kind: "archive",
        label,
        text: `[Cannot read ${escapeText(label)}: it is ${what}, ${bytes.length} bytes]`,
        cut: false,
        notes: [],
      },
      resolved: null,
      realPath: null,
    };
  }
  return {
    page: textPage({ label, tag: null, bytes, selector, settings: session.settings }),
    resolved: null,
    realPath: null,
  };
}
