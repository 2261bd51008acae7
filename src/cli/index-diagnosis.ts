/** What `quarry doctor` says of the index: whether the system tells of changes, and what is saved. */
import { realpath } from "node:fs/promises";
import { count, grouped, size } from "../format/count.ts";
import { indexHome, savedTrees } from "../index/places.ts";
import { indexCacheBytes } from "../index/settings.ts";
import { DOCTOR_TIME } from "../model/limits.ts";
import { ToolError } from "../model/errors.ts";
import { codeOf } from "../workspace/real-path.ts";
import { type Standing, standingOf } from "./index-standing.ts";

/** Of the current folder, and of all that is saved. */
export interface IndexDiagnosis extends Omit<Standing, "listed"> {
  /** null: not counted. */
  readonly files: number | null;
  readonly trees: number;
  readonly bytes: number;
  readonly mostBytes: number;
  readonly folder: string;
}

/** @throws INVALID_INPUT, CACHE_UNSAFE, PATH_UNREADABLE */
export async function diagnoseIndex(
  cwd: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<IndexDiagnosis> {
  const { listed, ...standing } = await standingOf(await realCwd(cwd), env, signal, DOCTOR_TIME);
  const trees = savedTrees(env);
  return {
    ...standing,
    files: listed?.size ?? null,
    trees: trees.length,
    bytes: trees.reduce((sum, { bytes }) => sum + bytes, 0),
    mostBytes: indexCacheBytes(env),
    folder: indexHome(env),
  };
}

/** Rows of the report. */
export function indexRows(index: IndexDiagnosis | null): [string, string][] {
  if (index === null) return [["index", "not known, see below"]];
  const { trees, bytes, mostBytes, folder } = index;
  return [
    ["index", usable(index)],
    [
      "saved",
      `${count(trees, "index", "indexes")}, ${size(bytes)} of at most ${size(mostBytes)}, in ${folder}`,
    ],
  ];
}

function usable({ against, watches, folders, files, maxFiles }: IndexDiagnosis): string {
  if (against !== null) return `not used here: ${against}`;
  if (watches === null) return "used; the system does not say how many folders it watches";
  if (folders === null || files === null)
    return `used where its folders fit in ${grouped(watches)} watches (inotify), and its files in ${grouped(maxFiles)}; not counted`;
  return `used: ${count(folders, "folder")} here, ${grouped(watches)} watches (inotify)`;
}

async function realCwd(cwd: string): Promise<string> {
  try {
    return await realpath(cwd);
  } catch (cause) {
    throw new ToolError("PATH_UNREADABLE", `The current folder cannot be looked at: ${codeOf(cause)}`, {
      hint: "Change to one that is there",
      cause,
    });
  }
}
