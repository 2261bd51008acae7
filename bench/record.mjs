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

export function keep(run) {
  const place = new URL(`./runs/${run.machine.date.slice(0, 16).replace(":", "")}/`, import.meta.url);
  mkdirSync(place, { recursive: true });
  writeFileSync(new URL("run.json", place), `${JSON.stringify(run, null, 2)}\n`);
  console.log(`kept in ${fileURLToPath(place)}`);
}
