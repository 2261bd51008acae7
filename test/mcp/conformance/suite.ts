/**
 * Runs the official conformance suite against a server, in a process of its own, and reads its results.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { collect } from "../../cli/helpers.ts";
import { listening, type Started } from "../program.ts";

const require = createRequire(import.meta.url);
const TSX = pathToFileURL(require.resolve("tsx")).href;
const PRELOAD = new URL("suite-preload.mjs", import.meta.url).href;
const SUITE = join(
  dirname(require.resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const FIXTURE = fileURLToPath(new URL("fixture.ts", import.meta.url));

/** The revisions whose requirements the suite has frozen, one for each way of speaking. */
export type Revision = "2025-11-25" | "2026-07-28";

/** Our room with the suite's handlers. */
export function startFixture(cwd: string): Promise<Started> {
  return listening(spawn(process.execPath, ["--import", TSX, FIXTURE], { cwd }));
}

export interface Scenario {
  readonly name: string;
  /** How many of its checks; none: it found nothing to test. */
  readonly passed: number;
  /** The checks that failed or warn, by their ids, in the suite's words. */
  readonly problems: Readonly<Record<string, string>>;
}

/** Far more than a scenario takes on a machine that has time for it. */
const SCENARIO_TIME = 30_000;

/** Every scenario of a revision's requirements, with those that the suite runs and does not count. */
export async function requirements(url: string, revision: Revision): Promise<readonly Scenario[]> {
  const folder = mkdtempSync(join(tmpdir(), "quarry-conformance-"));
  try {
    const argv = ["--url", url, "--requirements", revision, "--timeout", String(SCENARIO_TIME), "-o", folder];
    // Its exit code knows nothing of the scenarios that it does not count.
    const said = await suite(["server", ...argv]);
    const results = readdirSync(folder).map((name) => resultOf(folder, name));
    if (results.length === 0) throw new Error(`The suite ran nothing: ${said}`);
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The names of all scenarios for servers. */
export async function allScenarios(): Promise<readonly string[]> {
  const [, list = ""] = /^Server scenarios[^\n]*\n((?: {2}- .*\n)+)/m.exec(await suite(["list"])) ?? [];
  return [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
}

async function suite(argv: readonly string[]): Promise<string> {
  const { stdout, stderr } = await collect(spawn(process.execPath, ["--import", PRELOAD, SUITE, ...argv]));
  return stdout + stderr;
}

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** Folders are named after the scenario and the time. */
function resultOf(folder: string, name: string): Scenario {
  const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
  if (scenario === undefined) throw new Error(`This is no result of the suite: ${name}`);
  const checks: readonly Check[] = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"));
  const problems = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  return {
    name: scenario,
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    problems: Object.fromEntries(problems.map(({ id, errorMessage = "" }) => [id, errorMessage])),
  };
}
