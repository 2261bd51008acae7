/**
 * Edits through the tools, raced with somebody in a process of his own who writes to the same file. What he wrote and
 * did not overwrite himself is in the file at the end, or an answer said what became of it.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { EditDetails, Workspace } from "../../src/quarry.ts";
import { cacheEnv, codeIn, textOf, workspaceOf } from "../dialects/workspaces.ts";
import { tree } from "../support/tree.ts";
import { leftovers } from "./commit/ground.ts";
import { Dice } from "./model/dice.ts";

/** Appends, writes the whole file back in place, or puts another in its place. */
export type Way = "appends" | "rewrites" | "replaces";

export interface Raced {
  readonly edits: number;
  /** Edits that were made, and of these those that kept what he had changed since the file was read. */
  readonly applied: number;
  readonly merged: number;
  readonly refused: Readonly<Record<string, number>>;
  /** His updates, and those that were missing though he had not overwritten them. */
  readonly written: number;
  readonly missing: number;
  /** Answers that told of something of his that is lost, or is elsewhere now. */
  readonly told: number;
  /** Lines of ours that are not what the last answer about them said, in a file that he only appends to. */
  readonly undone: number;
  /** Files of ours that should be gone. */
  readonly left: readonly string[];
}

/** Lines of ours, below his own first one. */
const LINES = 6;
/** The most milliseconds between two of his updates, mostly far fewer: some edits must have a chance, and not all. */
const PAUSE = 150;

export async function race(way: Way, edits: number): Promise<Raced> {
  const lines = Array.from({ length: LINES }, (_, at) => `mine ${at} 0`);
  const root = tree({ "raced.txt": `counter 0\n${lines.join("\n")}\n` });
  const writer = await startWriter(way, join(root, "raced.txt"));
  const env = cacheEnv();
  const editor = new Editor(await workspaceOf(root, { env }), way);
  for (let number = 1; number <= edits; number += 1) await editor.edit(number);
  const { written, missing } = await writer.stop();
  const text = readFileSync(join(root, "raced.txt"), "utf8");
  const { tally, last } = editor;
  return {
    ...tally,
    edits,
    written,
    missing: missing + missingAtEnd(way, text, written),
    undone: way === "appends" ? [...last.values()].filter((line) => !text.includes(`${line}\n`)).length : 0,
    left: leftovers({ root, env }).filter((name) => !name.startsWith("rescued/")),
  };
}

/** Nobody looks after his last update but we. */
function missingAtEnd(way: Way, text: string, written: number): number {
  if (way !== "appends") return text.startsWith(`counter ${written}\n`) ? 0 : 1;
  const there = new Set(text.split("\n"));
  return Array.from({ length: written }, (_, at) => `w ${at + 1}`).filter((line) => !there.has(line)).length;
}

const WRITER = fileURLToPath(new URL("race-writer.mjs", import.meta.url));

async function startWriter(
  way: Way,
  file: string,
): Promise<{ readonly stop: () => Promise<{ readonly written: number; readonly missing: number }> }> {
  const stop = join(tree(), "stop");
  const before = readFileSync(file, "utf8");
  const child = spawn(process.execPath, [WRITER, way, file, stop, `${PAUSE}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  const ended = new Promise((resolve) => child.once("close", resolve));
  while (child.exitCode === null && readFileSync(file, "utf8") === before) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return {
    stop: async () => {
      writeFileSync(stop, "");
      await ended;
      return JSON.parse(out) as { written: number; missing: number };
    },
  };
}

/**
 * What an answer says of what others lost, or have to look for elsewhere. A file that is written in place by both may
 * come out with something of each; then it is said to be left so.
 */
const LOSS: Readonly<Record<Way, RegExp>> = {
  appends: /that version is lost| is in \//,
  rewrites: /that version is lost| is in \/|left as it is/,
  replaces: /that version is lost| is in \//,
};

class Editor {
  readonly tally = { applied: 0, merged: 0, told: 0, refused: {} as Record<string, number> };
  /** By line of ours, what the last answer says it is. */
  readonly last = new Map<number, string>();
  readonly #workspace: Workspace;
  readonly #dice = new Dice(1);
  #tag = "";

  readonly #loss: RegExp;

  constructor(workspace: Workspace, way: Way) {
    this.#workspace = workspace;
    this.#loss = LOSS[way];
  }

  /** Replaces a line of ours with a tag that is fresh, or the one that the last answer gave. */
  async edit(number: number): Promise<void> {
    const { tools } = this.#workspace;
    if (this.#tag === "" || this.#dice.once(2)) await this.#read();
    const which = this.#dice.below(LINES);
    const line = `mine ${which} ${number} ${"long ".repeat(this.#dice.below(4))}`.trimEnd();
    const at = which + 2;
    const result = await tools.edit({ input: `¶raced.txt#${this.#tag}\nreplace ${at}..${at}:\n+${line}\n` });
    const text = textOf(result);
    if (this.#loss.test(text)) this.tally.told += 1;
    this.#tag = "";
    if (result.isError === true) {
      const code = codeIn(result);
      this.tally.refused[code] = (this.tally.refused[code] ?? 0) + 1;
      return;
    }
    this.tally.applied += 1;
    const [file] = (result.details as EditDetails).perFileResults;
    this.tally.merged += Number(file?.merged === true);
    this.#tag = file?.tag ?? "";
    this.last.set(which, line);
  }

  async #read(): Promise<void> {
    const text = textOf(await this.#workspace.tools.read({ path: `raced.txt:1-${LINES + 1}` }));
    this.#tag = /^¶raced\.txt#([0-9A-F]{4})$/m.exec(text)?.[1] ?? "";
  }
}
