/**
 * The journal of one commit: what a later process needs to finish or undo it if this one dies. In the cache, for
 * its owner alone, as files that begin with the commit's id:
 *   ID.intent   before anything is made: names that may be left over. Not synced: it only prevents litter
 *   ID.N.old, ID.N.new   the stretch of bytes that file N's in-place write changes
 *   ID.commit   the commit point, synced: from here on the commit is finished, by whoever comes
 *   ID.undo     what .commit becomes when it must be taken back after all
 * A single file that is renamed or linked into place has an intent only: that call is its commit point.
 */
import { randomBytes } from "node:crypto";
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder, type Environment, preparePrivateFolder } from "../../workspace/cache.ts";
import { sha256, syncAll, writeAll } from "./bytes.ts";
import { ownerName, thisProcess } from "../../workspace/owner.ts";
import type { Stretch } from "./ranges.ts";

/** One file of a commit, as the journal knows it. */
export interface Step {
  readonly way: "rename" | "in place" | "create";
  /** A folder that was there, and the folders that are made below it; the file is in the last one. */
  readonly base: { readonly path: string; readonly dev: string; readonly ino: string };
  readonly below: readonly string[];
  readonly name: string;
  /** Names beside the file: of its new content, and of a second link to what it was. */
  readonly staged: string;
  readonly kept: string;
  /** sha-256 in hex; null: it was not there. "" for `after` in an intent, where nothing needs it. */
  readonly before: string | null;
  readonly after: string;
  readonly sizes: { readonly before: number; readonly after: number };
  /** The mode that an in-place write leaves: the kernel takes bits away when somebody else than root writes. */
  readonly mode: number | null;
  /** Of an in-place write: where its stretch begins, and the hashes of the two. */
  readonly stretch: { readonly offset: number; readonly old: string; readonly new: string } | null;
}

export type Phase = "intent" | "commit" | "undo";

/** Commits of this process that are under way: nobody recovers them. */
export const underWay: Set<string> = new Set();

export function journalFolder(env: Environment): string {
  return join(cacheFolder(env), "journal");
}

export class Journal {
  readonly id: string;
  readonly #folder: string;
  #written: string[] = [];

  private constructor(folder: string, id: string) {
    this.#folder = folder;
    this.id = id;
  }

  static async begin(env: Environment, steps: readonly Step[]): Promise<Journal> {
    const folder = journalFolder(env);
    await preparePrivateFolder(folder);
    const journal = new Journal(folder, `${ownerName(thisProcess())}-${randomBytes(6).toString("hex")}`);
    underWay.add(journal.id);
    try {
      writeFileSync(journal.#path("intent"), sealed(steps), { flag: "wx", mode: 0o600 });
    } catch (cause) {
      journal.end();
      throw cause;
    }
    return journal;
  }

  /** The bytes of file `index`, before they are needed. */
  async keepStretch(index: number, stretch: Stretch): Promise<void> {
    await this.#write(`${index}.old`, stretch.old);
    await this.#write(`${index}.new`, stretch.new);
  }

  /** The commit point. */
  async commit(steps: readonly Step[]): Promise<void> {
    await this.#write("draft", Buffer.from(sealed(steps)));
    renameSync(this.#path("draft"), this.#path("commit"));
    this.#written.push("commit", "undo");
    await this.#syncFolder();
  }

  /** From now on whoever finds it undoes it. */
  async turnBack(): Promise<void> {
    if (!this.#written.includes("commit")) return;
    renameSync(this.#path("commit"), this.#path("undo"));
    await this.#syncFolder();
  }

  /** All is done or undone. What decides goes first, so that a crash in between leaves no half a journal. */
  end(): void {
    const decides = ["commit", "undo", "draft"].filter((part) => this.#written.includes(part));
    const bytes = this.#written.filter((part) => !decides.includes(part));
    underWay.delete(this.id);
    try {
      for (const part of [...decides, ...bytes, "intent"]) rmSync(this.#path(part), { force: true });
    } catch {
      // Settling it once more does no harm: whoever comes next finds all done.
    }
  }

  /** It could not be undone: it stays for the next one who looks. */
  leave(): void {
    underWay.delete(this.id);
  }

  #path(part: string): string {
    return join(this.#folder, `${this.id}.${part}`);
  }

  async #write(part: string, bytes: Buffer): Promise<void> {
    this.#written.push(part);
    const fd = openSync(this.#path(part), "wx", 0o600);
    try {
      await writeAll(fd, bytes, 0);
      await syncAll(fd);
    } finally {
      closeSync(fd);
    }
  }

  async #syncFolder(): Promise<void> {
    if (process.platform === "win32") return;
    const fd = openSync(this.#folder, "r");
    try {
      await syncAll(fd);
    } finally {
      closeSync(fd);
    }
  }
}

/** With its own checksum in front. */
function sealed(steps: readonly Step[]): string {
  const text = JSON.stringify(steps);
  return `${sha256(Buffer.from(text))}\n${text}`;
}

const ID = /^([0-9a-f]{8}-[0-9a-f]{8}-\d+-\d+)-[0-9a-f]{12}$/;

/** The journals that lie in the folder: id, its owner's name, and the parts that are there. */
export async function listJournals(
  folder: string,
): Promise<Map<string, { readonly owner: string; readonly parts: string[] }>> {
  const found = new Map<string, { readonly owner: string; readonly parts: string[] }>();
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const dot = name.indexOf(".");
    const [id, owner] = ID.exec(name.slice(0, dot)) ?? [];
    if (id === undefined || owner === undefined) continue;
    const entry = found.get(id) ?? { owner, parts: [] };
    entry.parts.push(name.slice(dot + 1));
    found.set(id, entry);
  }
  return found;
}

/** The steps of a journal's part, or null when it is damaged or was not written by us. */
export function unsealed(text: string): readonly Step[] | null {
  const line = text.indexOf("\n");
  const body = text.slice(line + 1);
  if (line !== 64 || sha256(Buffer.from(body)) !== text.slice(0, line)) return null;
  try {
    const steps: unknown = JSON.parse(body);
    return Array.isArray(steps) && steps.every(isStep) ? steps : null;
  } catch {
    return null;
  }
}

function isStep(value: unknown): value is Step {
  const step = value as Step;
  const names = [step.name, step.staged, step.kept, ...step.below];
  return (
    ["rename", "in place", "create"].includes(step.way) &&
    typeof step.base.path === "string" &&
    names.every((name) => typeof name === "string" && isEntry(name)) &&
    OWN_NAME.test(step.staged) &&
    OWN_NAME.test(step.kept)
  );
}

/** One entry of a folder, and never a way out of it. */
function isEntry(name: string): boolean {
  return (
    name !== "" &&
    name !== "." &&
    name !== ".." &&
    !/[/\0]/.test(name) &&
    !(process.platform === "win32" && name.includes("\\"))
  );
}

const OWN_NAME = /^\.quarry-[0-9a-f]{16}\.(?:new|old)$/;

/** Two names beside a file that nobody else has. */
export function namesBeside(): { readonly staged: string; readonly kept: string } {
  const word = randomBytes(8).toString("hex");
  return { staged: `.quarry-${word}.new`, kept: `.quarry-${word}.old` };
}
