/**
 * Takes `bundle.zip:src/a.ts` apart. Called while a tool's paths are read, after the whole input was found not
 * to exist: a real file called `b.zip:src` wins (T6). Asks only whether prefixes are files, opens nothing.
 */
import { archiveFormat } from "./format.ts";

/** The longest path that Linux opens; what is longer is no file. */
const LONGEST_PATH = 4096;

export interface MemberPath {
  /** The archive's path, a prefix of the input. */
  readonly archive: string;
  /** All that follows the colon, selectors too: empty, a folder with a slash, a member. */
  readonly member: string;
}

/** The first prefix that is called like an archive, ends before a colon and is a file; null when there is none. */
export async function splitMember(
  input: string,
  isFile: (prefix: string) => Promise<boolean>,
): Promise<MemberPath | null> {
  for (let colon = input.indexOf(":"); colon !== -1; colon = input.indexOf(":", colon + 1)) {
    if (colon > LONGEST_PATH) return null;
    const archive = input.slice(0, colon);
    if (archiveFormat(archive) !== null && (await isFile(archive)))
      return { archive, member: input.slice(colon + 1) };
  }
  return null;
}
