/** The same searches through the built program: `search --json --all`, with what its flags can say. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { SearchSummary } from "../../src/quarry.ts";
import { without } from "./cases.ts";
import type { Answer, Hit } from "./law.ts";
import type { SearchCase } from "./oracle.ts";
import { list } from "./scope.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

const UNSAYABLE = [
  "globsMatchNames",
  "typeGlobs",
  "skipFolders",
  "binary",
  "maxFiles",
  "skipFiles",
  "maxMatches",
  "maxPerFile",
];

/** The case without what the command line has no flag for, and without a page. */
export function sayable(searched: SearchCase): SearchCase {
  return { ...searched, request: without(searched.request, UNSAYABLE) };
}

export async function askProgram(searched: SearchCase): Promise<Answer<Hit, SearchSummary>> {
  const child = spawn(process.execPath, [PROGRAM, "search", ...argv(searched)], {
    cwd: searched.request.root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: Buffer[] = [];
  const said: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const lines = Buffer.concat(output).toString().split("\n").slice(0, -1);
  const records = lines.map((line) => JSON.parse(line) as { readonly type: string });
  const answer = records.map((record) => without(record, ["type"]) as unknown);
  const summary = answer.pop() as SearchSummary;
  // Without matches, 2 where something could not be read, as ripgrep does.
  const nothing = summary.skipped.unreadable > 0 ? 2 : 1;
  expect({ code, said: Buffer.concat(said).toString() }).toEqual({
    code: answer.length > 0 ? 0 : nothing,
    said: "",
  });
  return { hits: answer as Hit[], summary };
}

function argv({ request, places }: SearchCase): string[] {
  return [
    "--json",
    "--all",
    `--regexp=${request.pattern}`,
    ...(request.case === "insensitive" ? ["-i"] : request.case === "smart" ? ["-S"] : []),
    ...(request.literal === true ? ["-F"] : []),
    ...(request.word === true ? ["-w"] : []),
    ...(request.multiline === true ? ["-U"] : []),
    ...(request.dotAll === true ? ["--multiline-dotall"] : []),
    ...(request.before === undefined ? [] : ["-B", String(request.before)]),
    ...(request.after === undefined ? [] : ["-A", String(request.after)]),
    ...(request.mode === undefined ? [] : ["--mode", request.mode]),
    ...(request.order === undefined ? [] : ["--sort", request.order]),
    ...list(request.include).map((glob) => `--glob=${glob.replace(/^!/, "\\!")}`),
    ...list(request.exclude).map((glob) => `--glob=!${glob}`),
    ...list(request.types).flatMap((type) => ["-t", type]),
    ...(request.ignore === "off" ? ["--no-ignore"] : []),
    ...(request.ignore === "everywhere" ? ["--no-require-git"] : []),
    ...(request.hidden === false ? ["--no-hidden"] : []),
    ...(request.follow === true ? ["-L"] : []),
    ...(request.reportBinary === true ? ["--binary"] : []),
    ...(request.maxFileSize === undefined ? [] : ["--max-filesize", String(request.maxFileSize)]),
    "--",
    ...places.map(({ given }) => given),
  ];
}
