/**
 * Finishes or undoes what processes that died left behind. Called when a session opens: when
 * there is nothing it costs two listings of folders. A journal is believed only if it is ours, whole, and the folder
 * it names is still the same one; what it says is then done through that folder's descriptor.
 */
import { constants, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../../model/errors.ts";
import { RECOVER_WAIT, SESSION_UNUSED } from "../../model/limits.ts";
import { type Environment, preparePrivateFolder } from "../../workspace/cache.ts";
import { sha256 } from "./bytes.ts";
import { openEntry, removeEntry } from "./entry.ts";
import { sweepLocks, withFiles } from "./file-locks.ts";
import { closeFolder, type Folder, openBelow, openSame, syncFolder } from "./folder.ts";
import { journalFolder, listJournals, type Phase, type Step, underWay, unsealed } from "./journal.ts";
import { removeMade } from "./made.ts";
import { hasEnded, ownerName, readOwner, thisProcess } from "../../workspace/owner.ts";
import type { Stretch } from "./ranges.ts";
import { lateWrite, redoStep } from "./redo.ts";
import { rescue } from "./rescue.ts";
import { type Ground, undoStep } from "./undo.ts";

/** What it did, in words, as far as anybody needs to know. */
export async function recoverJournals(env: Environment): Promise<readonly string[]> {
  await sweepLocks(env).catch(() => {});
  const folder = journalFolder(env);
  const found = await listJournals(folder);
  const dead = [...found].filter(([id, { owner }]) => isDead(folder, id, owner));
  if (dead.length === 0) return [];
  await preparePrivateFolder(folder);
  const words: string[] = [];
  for (const [id] of dead) words.push(...(await recoverOne(env, folder, id)));
  return words;
}

function isDead(folder: string, id: string, owner: string): boolean {
  if (underWay.has(id)) return false;
  if (owner === ownerName(thisProcess())) return true;
  const known = readOwner(owner);
  return known !== null && hasEnded(known, ageOf(folder, id));
}

function ageOf(folder: string, id: string): number {
  const newest = (["intent", "commit", "undo"] as const)
    .map((part) => statSync(join(folder, `${id}.${part}`), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    .toSorted((a, b) => b - a)[0];
  return Date.now() - (newest ?? 0);
}

/** One process at a time; who comes second finds it done. */
async function recoverOne(env: Environment, folder: string, id: string): Promise<readonly string[]> {
  try {
    return await withFiles([`journal ${id}`], { env }, () => settle(env, folder, id), 0);
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === "WRITE_FAILED") return [];
    throw cause;
  }
}

async function settle(env: Environment, folder: string, id: string): Promise<readonly string[]> {
  const phase = (["undo", "commit", "intent"] as const).find((part) =>
    existsSync(join(folder, `${id}.${part}`)),
  );
  if (phase === undefined) {
    await forget(folder, id);
    return [];
  }
  const text = readFileSync(join(folder, `${id}.${phase}`), "utf8");
  const steps = unsealed(text);
  if (steps === null) {
    // An intent is not synced, so a power cut may leave it empty.
    const words = phase === "intent" ? [] : [await damaged(env, id, text)];
    await forget(folder, id);
    return words;
  }
  const paths = steps.map(({ base, below, name }) => join(base.path, ...below, name));
  return withFiles(paths, { env }, () => settleSteps({ env, folder, id, phase, steps }), RECOVER_WAIT);
}

interface Case {
  readonly env: Environment;
  readonly folder: string;
  readonly id: string;
  readonly phase: Phase;
  readonly steps: readonly Step[];
}

async function settleSteps({ env, folder, id, phase, steps }: Case): Promise<readonly string[]> {
  const words: string[] = [];
  let missing = false;
  for (const [index, step] of steps.entries()) {
    const place = openPlace(step);
    if (place === null) {
      missing = true;
      words.push(`A commit that was cut off cannot be settled: ${step.base.path} is gone or another folder`);
      continue;
    }
    try {
      const said =
        place.folder === null
          ? null
          : await settleStep({ env, folder, id, phase, steps }, index, place.folder);
      if (said !== null) words.push(`In ${step.base.path}: ${said}`);
      if (phase !== "commit") removeMade(place.base, step.below);
      await syncFolder(place.base);
    } finally {
      closeFolder(place.base);
      if (place.folder !== null) closeFolder(place.folder);
    }
  }
  // Perhaps a disk that is not there now; for a month it may come back.
  if (!missing || ageOf(folder, id) > SESSION_UNUSED) await forget(folder, id);
  if (phase !== "intent" && !missing) words.unshift(summary(phase, steps));
  return words;
}

function summary(phase: Phase, steps: readonly Step[]): string {
  const names = steps.map(({ name }) => name).join(", ");
  return `A commit that was cut off was ${phase === "commit" ? "finished" : "undone"}: ${names}`;
}

async function settleStep(from: Case, index: number, folder: Folder): Promise<string | null> {
  const step = from.steps[index] as Step;
  const ground: Ground = {
    env: from.env,
    folder,
    step,
    stretch: step.way === "in place" ? stretchFrom(from, index, step) : null,
    open: () => openEntry(folder, step.name, constants.O_RDWR),
  };
  if (from.phase === "commit") return redoStep(ground);
  if (from.phase === "undo") return (await undoStep(ground))?.said ?? null;
  // Nothing but a single rename can have happened, and that is whole.
  const late = await lateWrite(ground);
  for (const name of [step.staged, step.kept]) removeEntry(folder, name);
  return late;
}

function stretchFrom({ folder, id }: Case, index: number, step: Step): Stretch | null {
  try {
    const old = readFileSync(join(folder, `${id}.${index}.old`));
    const fresh = readFileSync(join(folder, `${id}.${index}.new`));
    const whole = sha256(old) === step.stretch?.old && sha256(fresh) === step.stretch.new;
    return whole ? { offset: step.stretch.offset, old, new: fresh } : null;
  } catch {
    return null;
  }
}

/** The folder of a step; `folder` is null if it was never made. */
function openPlace(step: Step): { readonly base: Folder; readonly folder: Folder | null } | null {
  const base = openSame(step.base.path, step.base.dev, step.base.ino);
  if (base === null) return null;
  let folder: Folder | null = null;
  try {
    folder = openBelow(base, ".");
    for (const name of step.below) {
      const parent: Folder = folder;
      folder = null;
      try {
        folder = openBelow(parent, name);
      } finally {
        closeFolder(parent);
      }
    }
    return { base, folder };
  } catch {
    return { base, folder: null };
  }
}

async function damaged(env: Environment, id: string, text: string): Promise<string> {
  const path = await rescue(env, `${id}.journal`, Buffer.from(text));
  return `The journal of a commit that was cut off is damaged and was not followed; it is in ${path}`;
}

async function forget(folder: string, id: string): Promise<void> {
  const parts = (await listJournals(folder)).get(id)?.parts ?? [];
  const decides = ["undo", "commit", "draft"].filter((part) => parts.includes(part));
  const rest = parts.filter((part) => !decides.includes(part) && part !== "intent");
  for (const part of [...decides, ...rest, "intent"]) rmSync(join(folder, `${id}.${part}`), { force: true });
}
