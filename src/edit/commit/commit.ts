/**
 * Changed bytes get onto the disk here: all files of a call, or none, also when the process dies in between. The
 * tools call `commit` with what each file must hold before and shall hold after.
 *
 *   lock ─ find targets (open, then check) ─ intent ─ stage all ─ compare all hashes ─ commit point
 *        ─ apply each ─ look again at what was replaced ─ sync folders ─ look a last time ─ clean up
 *
 * What is promised to outside writers, and what remains: an outside write to the old file is found up to the end of
 * the call, and the outside version stands (FILE_CHANGED); a replacement by rename in the microseconds between our
 * last look and our rename is told (`overwrote`), where Linux reports it. A process that keeps a quiet file open for
 * writing, and writes after the call, writes to the old file; a file that was changed in the last two seconds, and not
 * by us alone, is checked for such processes first.
 */
import { closeSync, constants, fstatSync, rmSync } from "node:fs";
import { ToolError } from "../../model/errors.ts";
import { STAGED_TOGETHER } from "../../model/limits.ts";
import type { Environment } from "../../workspace/cache.ts";
import { tellWritten } from "../../workspace/written.ts";
import { apply, checkAfter, checkLate } from "./apply.ts";
import { sha256 } from "./bytes.ts";
import { notUndone, type Undone, withWords, writeFault } from "./changed.ts";
import type { Entry } from "./entry.ts";
import { withFiles } from "./file-locks.ts";
import { at, closeFolder, type Folder, syncFolder } from "./folder.ts";
import { Journal, namesBeside, type Step } from "./journal.ts";
import { removeMade } from "./made.ts";
import { openAgain, stage, type Staged } from "./stage.ts";
import { type Change, closeTarget, findTarget, makeFolder, type Target } from "./target.ts";
import { undoStep } from "./undo.ts";
import { type NameWatch, watchNames } from "./watch.ts";
import { rememberOwn } from "./writers.ts";

export type { Change } from "./target.ts";

export interface Written {
  readonly realPath: string;
  readonly created: boolean;
  readonly way: "renamed" | "in place" | "created";
  /** Somebody else replaced the file in the instant before, and that version is gone. */
  readonly overwrote: boolean;
}

/**
 * All or none. Throws FILE_CHANGED (a `FileChanged`, with its path) when a file is not what `before` says,
 * WRITE_FAILED, PATH_*, ABORTED. The signal is honoured until the commit point, not after.
 */
export async function commit(
  changes: readonly Change[],
  env: Environment,
  signal?: AbortSignal,
): Promise<readonly Written[]> {
  if (changes.length === 0) return [];
  const checked = await Promise.all(changes.map(({ policy, path }) => policy.check(path)));
  const names = checked.map(({ realPath }) => realPath);
  return withFiles(names, { env, signal }, async () => {
    const targets: Target[] = [];
    try {
      for (const change of changes) targets.push(await findTarget(change));
      refuseTwice(targets);
      return await withFiles(linkedFiles(targets), { env, signal }, () =>
        new Commit(targets, env, signal).run(),
      );
    } catch (cause) {
      throw writeFault(targets.map(({ change }) => change.path).join(", "), cause);
    } finally {
      for (const target of targets) await closeTarget(target);
      // Also what was taken back.
      tellWritten(targets.map(({ realPath }) => realPath));
    }
  });
}

function refuseTwice(targets: readonly Target[]): void {
  const seen = new Map<string, string>();
  for (const {
    realPath,
    file,
    change: { path },
  } of targets) {
    const key = file === null ? realPath : `${file.stat.dev}:${file.stat.ino}`;
    const other = seen.get(key);
    if (other !== undefined) {
      throw new ToolError("INVALID_INPUT", `${other} and ${path} are the same file`, {
        hint: "Name it once, with all that is to be changed",
      });
    }
    seen.set(key, path);
  }
}

/** Names for files that have several: their path alone would not keep others away. */
function linkedFiles(targets: readonly Target[]): string[] {
  return targets.flatMap(({ file }) =>
    file !== null && file.stat.nlink > 1 ? [`file ${file.stat.dev}:${file.stat.ino}`] : [],
  );
}

/** One commit under way, and all that must be let go when it ends. */
class Commit {
  readonly #targets: readonly Target[];
  readonly #env: Environment;
  readonly #signal: AbortSignal | undefined;
  readonly #folders: Folder[] = [];
  readonly #made: { readonly folder: Folder; readonly name: string }[] = [];
  readonly #staged: Staged[] = [];
  readonly #watches = new Map<string, NameWatch | null>();

  constructor(targets: readonly Target[], env: Environment, signal: AbortSignal | undefined) {
    this.#targets = targets;
    this.#env = env;
    this.#signal = signal;
  }

  async run(): Promise<readonly Written[]> {
    const steps = this.#targets.map(intended);
    const journal = await Journal.begin(this.#env, steps).catch((cause: unknown) => {
      throw writeFault("The journal", cause);
    });
    let settled = true;
    try {
      await this.#stageAll(steps, journal);
      const record = await this.#commitPoint(journal);
      try {
        await this.#applyAll();
      } catch (cause) {
        settled = false;
        const words = await this.#takeBack(journal, record).catch((second: unknown) => {
          throw notUndone(cause, second);
        });
        settled = true;
        throw withWords(cause, words);
      }
      // It is done, and nothing that fails from here on undoes it.
      const written = await this.#tell();
      settled = this.#removeStaged(steps);
      return written;
    } catch (cause) {
      if (settled) settled = this.#removeStaged(steps) && this.#removeMade();
      throw cause;
    } finally {
      this.#letGo();
      if (settled) journal.end();
      else journal.leave();
    }
  }

  async #stageAll(steps: readonly Step[], journal: Journal): Promise<void> {
    for (const target of this.#targets) {
      this.#refuseAborted();
      const made = (folder: Folder, name: string): void => void this.#made.push({ folder, name });
      this.#folders.push(
        await makeFolder(target, made).catch((cause: unknown) => {
          throw writeFault(target.change.path, cause);
        }),
      );
    }
    for (let from = 0; from < steps.length; from += STAGED_TOGETHER) {
      this.#refuseAborted();
      await this.#stageSome(steps, journal, from);
    }
    this.#refuseAborted();
  }

  async #stageSome(steps: readonly Step[], journal: Journal, from: number): Promise<void> {
    const some = steps.slice(from, from + STAGED_TOGETHER);
    const results = await Promise.allSettled(
      some.map((step, offset) => {
        const index = from + offset;
        const target = this.#targets[index] as Target;
        const folder = this.#folders[index] as Folder;
        return stage({ target, folder, step, journal, index });
      }),
    );
    for (const result of results) if (result.status === "fulfilled") this.#staged.push(result.value);
    for (const [offset, result] of results.entries()) {
      if (result.status === "rejected") throw this.#fault(from + offset, result.reason);
    }
  }

  #fault(index: number, cause: unknown): ToolError {
    return writeFault((this.#targets[index] as Target).change.path, cause);
  }

  /** A single rename or link is its own commit point. Whether there is a record. */
  async #commitPoint(journal: Journal): Promise<boolean> {
    const single = this.#staged.length === 1 && this.#staged[0]?.step.way !== "in place";
    if (!single) {
      try {
        await journal.commit(this.#staged.map(withHash));
      } catch (cause) {
        // It may be there already, and not for certain.
        await journal.turnBack().catch(() => {});
        throw writeFault("The journal", cause);
      }
    }
    return !single;
  }

  async #applyAll(): Promise<void> {
    for (const staged of this.#staged) this.#watch(staged);
    for (const [index, staged] of this.#staged.entries()) {
      await apply(staged).catch((cause: unknown) => {
        throw this.#fault(index, cause);
      });
    }
    for (const staged of this.#staged) await checkAfter(staged);
    for (const staged of this.#staged) await this.#sync(staged);
    for (const staged of this.#staged) await checkLate(staged);
  }

  #watch({ folder, step }: Staged): void {
    const key = `${folder.dev}:${folder.ino}`;
    if (step.way === "rename" && !this.#watches.has(key)) this.#watches.set(key, watchNames(folder));
  }

  async #sync({ step, folder, target }: Staged): Promise<void> {
    if (step.way === "in place") return;
    try {
      await syncFolder(folder);
    } catch (cause) {
      throw writeFault(target.change.path, cause);
    }
  }

  async #tell(): Promise<readonly Written[]> {
    const written: Written[] = [];
    for (const { step, folder, target, fd } of this.#staged) {
      const watch = this.#watches.get(`${folder.dev}:${folder.ino}`) ?? null;
      const overwrote =
        step.way === "rename" && watch !== null && (await watch.changedBefore(step.name, step.staged));
      rememberOwn(fd);
      const way = ({ rename: "renamed", create: "created", "in place": "in place" } as const)[step.way];
      written.push({ realPath: target.realPath, created: step.way === "create", way, overwrote });
    }
    return written;
  }

  /** From the last to the first; words about what could not be. */
  async #takeBack(journal: Journal, record: boolean): Promise<Undone[]> {
    if (record) await journal.turnBack();
    const words: Undone[] = [];
    for (const staged of this.#staged.toReversed()) {
      const { folder, stretch } = staged;
      const said = await undoStep({
        env: this.#env,
        folder,
        step: withHash(staged),
        stretch,
        open: () => reopened(staged),
      });
      if (said !== null) words.push(said);
    }
    return words;
  }

  /** Whether nothing is left beside the files; if something is, the journal stays and tells of it. */
  #removeStaged(steps: readonly Step[]): boolean {
    let gone = true;
    for (const [index, folder] of this.#folders.entries()) {
      const step = steps[index] as Step;
      for (const name of [step.staged, step.kept]) {
        try {
          rmSync(at(folder, name), { force: true });
        } catch {
          gone = false;
        }
      }
    }
    return gone;
  }

  #removeMade(): boolean {
    for (const { folder, name } of this.#made.toReversed()) removeMade(folder, [name]);
    return true;
  }

  #letGo(): void {
    for (const watch of this.#watches.values()) watch?.close();
    for (const { fd } of this.#staged) closeSync(fd);
    for (const folder of this.#folders) closeFolder(folder);
    for (const { folder } of this.#made) closeFolder(folder);
  }

  #refuseAborted(): void {
    if (this.#signal?.aborted === true)
      throw new ToolError("ABORTED", "The call was aborted; nothing was changed");
  }
}

function intended({ change, base, below, name, file }: Target): Step {
  return {
    way: file === null ? "create" : "rename",
    base: { path: base.realPath, dev: base.dev, ino: base.ino },
    below,
    name,
    ...namesBeside(),
    before: change.before,
    after: "",
    sizes: { before: file?.stat.size ?? 0, after: change.after.length },
    mode: null,
    stretch: null,
  };
}

/** The hash of the new bytes is only needed by those who come later. */
function withHash({ step, target }: Staged): Step {
  return { ...step, after: sha256(target.change.after) };
}

function reopened({ target, folder }: Staged): Entry | null {
  const old = target.file?.handle.fd;
  if (old === undefined) return null;
  const fd = openAgain(target, folder, old, constants.O_RDWR);
  return { fd, stat: fstatSync(fd, { bigint: true }) };
}
