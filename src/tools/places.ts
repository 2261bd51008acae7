import { isAbsolute, resolve } from "node:path";
import type { Ground } from "../engine/ground.ts";
import { type ErrorCode, ToolError } from "../model/errors.ts";
import { AGENT_PATHS } from "../model/limits.ts";
import type { Target } from "../model/query.ts";
import type { Selector } from "../model/selector.ts";
import { compileGlobs } from "../regex/glob.ts";
import { archiveFormat } from "../sources/format.ts";
import { readEntries } from "../workspace/entries.ts";
import { type NamedRoot, outermost } from "../workspace/root-folder.ts";
import { mergeRanges } from "../workspace/line-set.ts";
import type { Allowed } from "../workspace/policy.ts";
import { pathBelow } from "../workspace/real-path.ts";
import { readInput, selectsLines, splitSelector } from "../workspace/selectors.ts";
import type { Session } from "../workspace/session.ts";
import { askedOnce, type Disk, leadsOverLink, patient, prompt } from "../workspace/disk.ts";
import { refuseRoot, resolveTarget } from "../workspace/targets.ts";
import type { Resource } from "../workspace/urls.ts";
import { throwIfAborted } from "./answer.ts";
import { chooseMembers, memberFile, type OpenArchives } from "./open-archives.ts";
import { pathFacts } from "./path-facts.ts";

/**
 * What the entries of an agent's `paths` mean, on the ground of a session: folders to walk, single files, archives
 * and what is in them, internal URLs. The policy is asked before anything is looked at; what it refuses is an
 * error, what is merely not there is listed. Called by the agents' search and find.
 */

export type Place =
  | { readonly kind: "folder"; readonly label: string; readonly target: Target }
  | { readonly kind: "file"; readonly label: string; readonly selector: Selector | null }
  | {
      readonly kind: "archive";
      readonly label: string;
      /** The archive's path, and what stands behind the colon. */
      readonly archive: string;
      readonly member: string;
      readonly selector: Selector | null;
    }
  | {
      readonly kind: "resource";
      readonly label: string;
      readonly resource: Exclude<Resource, { kind: "many" }>;
      readonly selector: Selector | null;
    };

export interface Places {
  readonly places: readonly Place[];
  /** Entries that are not there. */
  readonly missing: readonly string[];
  /** Entries that are there and cannot be used, with the reason. */
  readonly unusable: readonly ToolError[];
}

/** `paths` left out means all that the session may see. */
export async function readPlaces(
  given: Session,
  archives: OpenArchives,
  paths: string | readonly string[] | undefined,
  { signal, index }: Pick<Ground, "signal" | "index">,
): Promise<Places> {
  // What is indexed is on a local disk.
  const diskOf = disksBelow(given.root, index?.current() === undefined ? patient : prompt);
  const session = asking(given, diskOf);
  const reader = placeReader(session, archives, diskOf);
  if (Array.isArray(paths) && paths.length > AGENT_PATHS) {
    throw new ToolError("INVALID_INPUT", `paths has ${paths.length} entries, and ${AGENT_PATHS} are taken`, {
      hint: "Name folders or globs instead",
    });
  }
  const entries =
    paths === undefined
      ? await wholeGround(session)
      : await readEntries(paths, {
          home: session.home,
          exists: (entry) => {
            throwIfAborted(signal);
            return reader.exists(entry);
          },
        });
  const places: Place[] = [];
  const missing: string[] = [];
  const unusable: ToolError[] = [];
  for (const entry of entries) {
    throwIfAborted(signal);
    try {
      places.push(...(await reader.read(entry)));
    } catch (cause) {
      if (!(cause instanceof ToolError)) throw cause;
      if (MISSING.has(cause.code)) missing.push(entry);
      else if (!UNUSABLE.has(cause.code)) throw cause;
      unusable.push(cause);
    }
  }
  if (places.length === 0 && unusable.length > 0) throw noPlace(entries, missing, unusable);
  return {
    places: merged(places),
    missing,
    unusable: unusable.filter(({ code }) => !MISSING.has(code)),
  };
}

/** What an entry means is found out in several steps, and the policy looks at its path on disk for each: once is enough. */
function asking(session: Session, diskOf: DiskOf): Session {
  const { policy } = session;
  const known = new Map<string, Promise<Allowed>>();
  const check: Session["policy"]["check"] = (path) => {
    if (typeof path !== "string") return policy.check(path);
    const answer = known.get(path) ?? policy.check(path, diskOf(path));
    known.set(path, answer);
    return answer;
  };
  return { ...session, policy: { ...policy, check } };
}

/** The disk that a path lies on. */
type DiskOf = (path: string) => Disk;

/** Elsewhere than below the root there may be any disk, and behind a link too. */
function disksBelow(root: string, disk: Disk): DiskOf {
  const [here, elsewhere] = [askedOnce(disk), askedOnce(patient)];
  const known = new Map<string, Disk>();
  return (path) => {
    const answer = known.get(path) ?? (disk === prompt && isPlain(root, path) ? here : elsewhere);
    known.set(path, answer);
    return answer;
  };
}

function isPlain(root: string, path: string): boolean {
  const below = pathBelow(root, resolve(root, path));
  return below !== null && !leadsOverLink(root, below);
}

const MISSING: ReadonlySet<ErrorCode> = new Set(["PATH_NOT_FOUND", "ARTIFACT_NOT_FOUND", "MEMBER_NOT_FOUND"]);
/** Faults of one entry that leave the others as they are. */
const UNUSABLE: ReadonlySet<ErrorCode> = new Set([
  "PATH_UNREADABLE",
  "NOT_A_FILE",
  "NOT_A_FOLDER",
  "ARCHIVE_INVALID",
  "ARCHIVE_TOO_LARGE",
  "MEMBER_UNREADABLE",
]);

/** Several missing entries are told together; any other fault, and a single one, in its own words. */
function noPlace(
  entries: readonly string[],
  missing: readonly string[],
  faults: readonly ToolError[],
): ToolError {
  const [first] = faults;
  if (first !== undefined && (faults.length === 1 || missing.length < entries.length)) return first;
  return new ToolError("PATH_NOT_FOUND", `Path not found: ${missing.join(", ")}`, {
    hint: "Check the spelling; find looks for names",
  });
}

/** The root, or the allowed folders where that is none of them; of several roots, each by its name. */
export async function wholeGround({ policy, roots }: Session): Promise<readonly string[]> {
  if (roots.length > 0) return seenRoots(policy, outermost(roots));
  const root = await policy.check(".").catch(() => null);
  return root === null ? policy.folders : ["."];
}

/** Without roots that are denied as a whole, unless there is no other. */
async function seenRoots(policy: Session["policy"], roots: readonly NamedRoot[]): Promise<readonly string[]> {
  const names = roots.map(({ name }) => name);
  const allowed = await Promise.all(
    names.map((name) =>
      policy.check(name).then(
        () => true,
        () => false,
      ),
    ),
  );
  const seen = names.filter((_, at) => allowed[at]);
  return seen.length === 0 ? names : seen;
}

interface PlaceReader {
  readonly exists: (entry: string) => Promise<boolean>;
  readonly read: (entry: string) => Promise<readonly Place[]>;
}

function placeReader(session: Session, archives: OpenArchives, diskOf: DiskOf): PlaceReader {
  const { root, policy, router } = session;
  const { isThere, memberOf, holdsMember, refuseMember } = pathFacts(session, archives);
  const isKnown = async (path: string): Promise<boolean> => (await isThere(path)) || holdsMember(path);

  const readUrl = async (entry: string): Promise<readonly Place[]> => {
    const { path, selector } = await readInput(entry, router.exists);
    const resource = await router.resolve(path);
    if (resource.kind === "many") {
      if (selector !== null) throw needsFile(entry, `${resource.url} is several`);
      const each = await Promise.all(resource.urls.map(readUrl));
      return each.flat();
    }
    return [{ kind: "resource", label: resource.url, resource, selector: lines(selector) }];
  };

  const readMember = async (
    split: { readonly archive: string; readonly member: string },
    selector: Selector | null,
  ): Promise<Place> => {
    const target = await resolveTarget(root, split.archive);
    if (target instanceof ToolError) throw target;
    const archive = await archives.open(target.path);
    const chosen = chooseMembers(archive, split.member);
    const label = `${target.path}:${split.member}`;
    if (chosen === null) {
      // The archive's own words, with the names that come near.
      await archive.read(split.member);
      throw new ToolError("MEMBER_NOT_FOUND", `${target.path} has no file ${JSON.stringify(split.member)}`);
    }
    // Denied as a file below its archive would be.
    if (chosen.kind === "one") await policy.check(memberFile(target.path, chosen.member).path);
    if (selector !== null && chosen.kind === "many") throw needsFile(label, "it is a part of an archive");
    return { kind: "archive", label, archive: target.path, member: split.member, selector };
  };

  const readPath = async (entry: string): Promise<Place> => {
    const { path, selector: given } = await readInput(entry, isKnown);
    const selector = lines(given);
    const split = (await isThere(path)) ? null : await memberOf(path);
    if (split !== null) return readMember(split, selector);
    await refuseMember(path);
    const named = (await isThere(path)) ? path : globBase(path);
    await checkNamed(session, named);
    const target = await resolveTarget(root, path, diskOf(path));
    if (target instanceof ToolError) throw target;
    if (target.kind === "file") {
      if (archiveFormat(target.path) === null) return { kind: "file", label: target.path, selector };
      if (selector !== null) throw needsFile(entry, `${target.path} is an archive`);
      return { kind: "archive", label: target.path, archive: target.path, member: "", selector };
    }
    if (selector !== null) {
      throw needsFile(entry, target.glob === null ? `${target.path} is a folder` : "this is a glob");
    }
    await policy.check(target.path);
    return { kind: "folder", label: target.glob === null ? target.path : path, target };
  };

  return {
    exists: async (entry) => {
      const known = router.handles(entry) ? router.exists : isKnown;
      if (await known(entry)) return true;
      for (const { path } of splitSelector(entry)) if (await known(path)) return true;
      return false;
    },
    read: async (entry) => {
      // Before anything on disk: a repository must not put a folder in the place of a URL.
      if (router.handles(entry)) return readUrl(entry);
      return acrossRoots(session, entry) ?? [await readPath(entry)];
    },
  };
}

/** The policy's word on a path; of `/` it is said what it is whether the policy allows it or not. */
export async function checkNamed({ root, policy }: Session, path: string): Promise<Allowed> {
  try {
    return await policy.check(path);
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === "PATH_OUTSIDE") await refuseRoot(resolve(root, path));
    throw cause;
  }
}

/** What lies above several roots: the whole, or a glob that begins there. null: it is none of that. */
export function acrossRoots({ roots }: Session, entry: string): readonly Place[] | null {
  if (roots.length === 0 || isAbsolute(entry)) return null;
  const path = entry.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  const place = (name: string, glob: string | null): Place => ({
    kind: "folder",
    label: glob === null ? name : `${name}/${glob}`,
    target: { path: name, kind: "folder", glob },
  });
  if (path === "" || path === ".") return outermost(roots).map(({ name }) => place(name, null));
  const [first = "", ...rest] = path.split("/");
  // A root may be called like a glob.
  if (!/[*?[{]/.test(first) || roots.some(({ name }) => name === first)) return null;
  if (rest.length === 0 || first === "**") return outermost(roots).map(({ name }) => place(name, path));
  // The first segment speaks of the roots' own names.
  const named = compileGlobs([first], "name");
  const meant = roots.filter(({ name }) => named.matches(name, "folder"));
  return meant.length === 0 ? null : meant.map(({ name }) => place(name, `/${rest.join("/")}`));
}

/** Of a glob, the folder that it starts from: the glob itself is no path that could be denied. */
function globBase(path: string): string {
  const glob = path.search(/[*?[{]/);
  if (glob === -1) return path;
  return path.slice(0, path.lastIndexOf("/", glob) + 1) || ".";
}

/** A selector of lines; search has no use for the others. */
function lines(selector: Selector | null): Selector | null {
  if (selector === null) return null;
  if (selectsLines(selector) && !selector.raw && !selector.conflicts) return selector;
  throw new ToolError("SELECTOR_INVALID", "Only a range of lines selects what is searched", {
    hint: "Use :50-100 or :5-16,960-973, or leave it out",
  });
}

function needsFile(entry: string, what: string): ToolError {
  return new ToolError("SELECTOR_INVALID", `A line range needs a single file, and ${what}: ${entry}`, {
    hint: "Leave the range out, or name one file",
  });
}

/** Is the scope one file, so that nothing else can match? */
export async function isSingle(places: readonly Place[], archives: OpenArchives): Promise<boolean> {
  const [place] = places;
  if (place === undefined || places.length > 1 || place.kind === "folder") return false;
  if (place.kind !== "archive") return true;
  return chooseMembers(await archives.open(place.archive), place.member)?.kind === "one";
}

/** Each once: of a file that is named several times, all the lines that are meant. */
function merged(places: readonly Place[]): Place[] {
  const found = new Map<string, Place>();
  for (const place of places) {
    const key = JSON.stringify([place.kind, place.label, place.kind === "folder" ? place.target : null]);
    const before = found.get(key);
    found.set(
      key,
      before === undefined || before.kind === "folder" || place.kind === "folder"
        ? place
        : { ...before, selector: joinSelectors(before.selector, place.selector) },
    );
  }
  return [...found.values()];
}

/** null is the whole file. */
function joinSelectors(one: Selector | null, other: Selector | null): Selector | null {
  if (one === null || other === null) return null;
  return {
    ...one,
    ranges: mergeRanges([...one.ranges, ...other.ranges]),
    tail:
      one.tail === null || other.tail === null ? (one.tail ?? other.tail) : Math.max(one.tail, other.tail),
  };
}
