/**
 * Text that was cut from an answer, kept whole as `artifact://ID` for as long as the session lasts: files for
 * their owner alone, below the session's cache folder, outside what `allow` speaks of. Bounded in number and
 * size, the oldest goes first. Storing never fails a call: the failure is a value, and the answer says so.
 */
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../model/errors.ts";
import { ARTIFACT, ARTIFACT_BYTES, ARTIFACTS } from "../model/limits.ts";
import { preparePrivateFolder } from "./cache.ts";
import { codeOf } from "./real-path.ts";

export type Stored =
  | { readonly kind: "stored"; readonly id: string; readonly url: string }
  | { readonly kind: "failed"; readonly reason: string };

export interface Artifacts {
  /** The folder they lie in, made when first needed. */
  folder(): Promise<string>;
  store(text: string): Promise<Stored>;
  /** Throws ARTIFACT_NOT_FOUND. */
  read(id: string): Promise<string>;
  /** The file of one, for whoever searches it. Throws ARTIFACT_NOT_FOUND. */
  locate(id: string): Promise<string>;
  /** Ids, the oldest first. */
  list(): Promise<string[]>;
}

export interface ArtifactLimits {
  readonly count: number;
  readonly each: number;
  readonly bytes: number;
}

const LIMITS: ArtifactLimits = { count: ARTIFACTS, each: ARTIFACT, bytes: ARTIFACT_BYTES };
const ID = /^[1-9][0-9]{0,8}$/;

/** `parent` makes the session's folder when it is first asked. */
export function createArtifacts(parent: () => Promise<string>, limits: ArtifactLimits = LIMITS): Artifacts {
  const folder = async (): Promise<string> => {
    const path = join(await parent(), "artifacts");
    await preparePrivateFolder(path);
    return path;
  };
  const locate = async (id: string): Promise<string> => {
    const ids = await listIds(await folder());
    if (ids.includes(id)) return join(await folder(), fileName(id));
    throw new ToolError("ARTIFACT_NOT_FOUND", `There is no artifact://${id}`, {
      hint: ids.length === 0 ? "This session has no artifacts" : `There are ${ids.join(", ")}`,
    });
  };
  return {
    folder,
    locate,
    list: async () => listIds(await folder()),
    read: async (id) => readFile(await locate(id), "utf8"),
    store: async (text) => {
      try {
        const id = await write(await folder(), Buffer.from(text), limits);
        return { kind: "stored", id, url: `artifact://${id}` };
      } catch (cause) {
        return { kind: "failed", reason: reasonOf(cause) };
      }
    },
  };
}

async function write(folder: string, bytes: Buffer, limits: ArtifactLimits): Promise<string> {
  if (bytes.length > limits.each) {
    throw new RangeError(`${bytes.length} bytes are more than an artifact may have (${limits.each})`);
  }
  const ids = await listIds(folder);
  for (let number = Number(ids.at(-1) ?? 0) + 1; ; number += 1) {
    const file = join(folder, fileName(String(number)));
    try {
      await writeFile(file, bytes, { mode: 0o600, flag: "wx" });
      await bound(folder, limits);
      return String(number);
    } catch (cause) {
      // Taken in this moment by a session that shares the folder.
      if (codeOf(cause) === "EEXIST") continue;
      await rm(file, { force: true });
      throw cause;
    }
  }
}

/** The newest always stays: it is the one that the answer will name. */
async function bound(folder: string, limits: ArtifactLimits): Promise<void> {
  let bytes = 0;
  for (const [age, id] of (await listIds(folder)).reverse().entries()) {
    const file = join(folder, fileName(id));
    bytes += (await stat(file).catch(() => null))?.size ?? 0;
    if (age > 0 && (age >= limits.count || bytes > limits.bytes)) await rm(file, { force: true });
  }
}

async function listIds(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  const ids = names.filter((name) => name.endsWith(".txt")).map((name) => name.slice(0, -".txt".length));
  return ids.filter((id) => ID.test(id)).sort((a, b) => Number(a) - Number(b));
}

function fileName(id: string): string {
  return `${id}.txt`;
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
