/** Edits raced with outside writers in processes of their own. Nothing that these wrote may be lost in silence. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { commit } from "../../../src/edit/commit/commit.ts";
import { FileChanged } from "../../../src/edit/commit/changed.ts";
import { tree } from "../../support/tree.ts";
import { type Ground, hash } from "./ground.ts";

/** Appends "w N" lines in place: open, append, close. */
const APPENDER = `
  for (let n = 1; !fs.existsSync(stop); n++) { fs.appendFileSync(file, "w " + n + "\\n"); count = n; pause(); }`;

/** Reads, adds a "w N" line, and renames a new file over the old one. */
const REPLACER = `
  for (let n = 1; !fs.existsSync(stop); n++) {
    const text = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file + ".theirs", text + "w " + n + "\\n");
    fs.renameSync(file + ".theirs", file);
    count = n;
    pause();
  }`;

export const WRITERS: Readonly<Record<"appends" | "replaces", string>> = {
  appends: APPENDER,
  replaces: REPLACER,
};

/** Up to so many milliseconds: an edit must have a chance to come in between, and must not always have it. */
const PAUSE = 60;

/** A script with `file`, `stop`, `count` and a pause of a random length in scope; it prints the count at its end. */
function startWriter(body: string, file: string, stop: string): ChildProcess {
  const source = `const fs = require("node:fs"); const file = ${JSON.stringify(file)}; const stop = ${JSON.stringify(stop)};
    let count = 0; const PAUSE = ${PAUSE}; const cell = new Int32Array(new SharedArrayBuffer(4));
    const pause = () => Atomics.wait(cell, 0, 0, Math.random() * PAUSE);
    ${body}
    console.log(count);`;
  return spawn(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "inherit"] });
}

export interface Raced {
  /** Lines that the writer wrote, and those that are not in the file at the end. */
  readonly written: number;
  readonly lost: number;
  /** Edits that were tried, refused because the file had changed, and done with a word about what they overwrote. */
  readonly edits: number;
  readonly refused: number;
  readonly told: number;
}

export async function race(g: Ground, writer: keyof typeof WRITERS, edits: number): Promise<Raced> {
  const file = join(g.root, "raced.txt");
  const stop = join(tree(), "stop");
  writeFileSync(file, "edit 0\n");
  const child = startWriter(WRITERS[writer], file, stop);
  let out = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise((resolve) => child.once("close", resolve));
  while (existsSync(file) && readFileSync(file, "utf8") === "edit 0\n")
    await new Promise((resolve) => setTimeout(resolve, 5));
  let [refused, told] = [0, 0];
  for (let round = 0; round < edits; round++) {
    const text = readFileSync(file);
    const line = text.indexOf("\n");
    const after = Buffer.concat([Buffer.from(`edit ${round + 1}`), text.subarray(line)]);
    try {
      const [written] = await commit([{ path: file, policy: g.policy, before: hash(text), after }], g.env);
      if (written?.overwrote === true) told += 1;
    } catch (cause) {
      if (!(cause instanceof FileChanged)) throw cause;
      if (cause.message.includes(" is in ")) told += 1;
      refused += 1;
    }
  }
  writeFileSync(stop, "");
  await ended;
  const written = Number(out);
  const lines = new Set(readFileSync(file, "utf8").split("\n"));
  let lost = 0;
  for (let n = 1; n <= written; n++) if (!lines.has(`w ${n}`)) lost += 1;
  return { written, lost, edits, refused, told };
}
