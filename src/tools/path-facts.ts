import { lstat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { type MemberPath, splitMember } from "../sources/split-member.ts";
import type { Policy } from "../workspace/policy.ts";
import type { Session } from "../workspace/session.ts";
import { chooseMembers, type OpenArchives } from "./open-archives.ts";

/** What is there under a path, as far as the policy lets anybody know. Asked while an input is taken apart. */

export interface PathFacts {
  readonly kindOf: (path: string) => Promise<"file" | "folder" | "other" | null>;
  /** A file or folder by exactly this path. */
  readonly isThere: (path: string) => Promise<boolean>;
  /** The archive on the disk, and what stands behind its colon. */
  readonly memberOf: (path: string) => Promise<MemberPath | null>;
  /** The archive is there and has that member or folder. */
  readonly holdsMember: (path: string) => Promise<boolean>;
  /** Throws what the policy says of an archive that may not be looked into, whatever stands behind its colon. */
  readonly refuseMember: (path: string) => Promise<void>;
}

/** A file or folder by exactly this path: no `a.zip:../x`, which is no way to a file `x` for the system. */
export async function isThere({ root, policy }: Session, path: string): Promise<boolean> {
  return (await kindAt(policy, path)) !== null && (!DOTS.test(path) || (await isReached(root, path)));
}

function kindAt(policy: Policy, path: string): ReturnType<PathFacts["kindOf"]> {
  return policy.check(path).then(
    ({ kind }) => kind,
    () => null,
  );
}

/** For the system, `..` behind a name that is not there leads nowhere; `resolve` would take both away. */
function isReached(root: string, path: string): Promise<boolean> {
  return lstat(isAbsolute(path) ? path : `${root}/${path}`).then(
    () => true,
    () => false,
  );
}

export function pathFacts(session: Session, archives: OpenArchives): PathFacts {
  const { policy } = session;
  const kindOf: PathFacts["kindOf"] = (path) => kindAt(policy, path);
  const memberOf: PathFacts["memberOf"] = (path) =>
    splitMember(path, async (prefix) => (await kindOf(prefix)) === "file");
  return {
    kindOf,
    memberOf,
    isThere: (path) => isThere(session, path),
    holdsMember: async (path) => {
      const split = await memberOf(path);
      if (split === null) return false;
      const archive = await archives.open(split.archive).catch(() => null);
      return archive !== null && chooseMembers(archive, split.member) !== null;
    },
    refuseMember: async (path) => {
      await splitMember(path, async (prefix) => {
        await policy.check(prefix);
        return false;
      });
    },
  };
}

const DOTS = /(?:^|\/)\.\.(?:\/|$)|:\.\.\//;
