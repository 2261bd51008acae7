// What the benchmarks share: medians, the machine and its versions, and where a run is kept.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { fileTypes } from "quarry";
import { ripgrepVersion } from "../dist/ripgrep/version.js";

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

export async function machine(rounds) {
  const { version, pcre2 } = await ripgrepVersion();
  return {
    date: new Date().toISOString(),
    node: process.version,
    ripgrep: version,
    pcre2,
    types: (await fileTypes()).size,
    kernel: release(),
    cpu: `${cpus().length} × ${cpus()[0]?.model}`,
    memoryGB: Math.round(totalmem() / 1e9),
    rounds: Number(rounds),
  };
}

/** `files`: others to keep beside it, by name. `runs`: another folder than this one's. */
export function keep(run, files = {}, runs = new URL("./runs/", import.meta.url)) {
  const place = new URL(`${run.machine.date.slice(0, 16).replace(":", "")}/`, runs);
  mkdirSync(place, { recursive: true });
  writeFileSync(new URL("run.json", place), `${JSON.stringify(run, null, 2)}\n`);
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, place), text);
  console.log(`kept in ${fileURLToPath(place)}`);
}
