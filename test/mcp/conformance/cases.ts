/**
 * What the official conformance suite must find, for each revision: with the suite's own handlers in our HTTP room every
 * scenario passes that applies, and `quarry mcp` itself passes those that need none of them. What does not apply is
 * listed here, each with its reason, and only as long as it does not pass. Used by the test and by the long run.
 */
import { onTestFinished } from "vitest";
import { tree } from "../../cli/helpers.ts";
import { startProgram, type Started, stop } from "../program.ts";
import { allScenarios, requirements, type Revision, type Scenario, startFixture } from "./suite.ts";

type Reasons = Readonly<Record<string, string>>;

const TASKS = "The extension for tasks, which is optional: every call is answered while its client waits";

/** What the room does not offer. */
const NOT_OFFERED: Readonly<Record<Revision, Reasons>> = {
  "2025-11-25": {},
  "2026-07-28": {
    "tasks-lifecycle": TASKS,
    "tasks-capability-negotiation": TASKS,
    "tasks-wire-fields": TASKS,
    "tasks-request-state-removal": TASKS,
    "tasks-mrtr-input": TASKS,
    "tasks-request-headers": TASKS,
    "tasks-dispatch-and-envelope": TASKS,
    "tasks-status-notifications": TASKS,
    "tasks-required-task-error": TASKS,
    "tasks-mrtr-composition": TASKS,
    "http-custom-header-server-validation":
      "Needs a tool with a parameter that is repeated in a header (x-mcp-header): no tool of ours has one",
  },
};

const SKILLS = "The extension for skills, which is optional: the server publishes none";

/** What no set of requirements runs. */
const IN_NO_SET: Reasons = {
  "sep-2640-skills-directory": SKILLS,
  "sep-2640-skills-enumeration": SKILLS,
  "sep-2640-skills-manifest": SKILLS,
};

/** The scenarios that need nothing but a server: `quarry mcp` as people start it passes them. */
const WITHOUT_FIXTURE: Readonly<Record<Revision, readonly string[]>> = {
  "2025-11-25": [
    "completion-complete",
    "dns-rebinding-protection",
    "logging-set-level",
    "ping",
    "resources-list",
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "server-sse-polling",
    "tools-list",
  ],
  "2026-07-28": [
    "caching",
    "completion-complete",
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "resources-list",
    "sep-2164-resource-not-found",
    "server-sse-multiple-streams",
    "server-stateless",
    "tools-list",
  ],
};

/** Single checks of those that do need one of the suite's names, or what Quarry does not have. */
const CHECKS_WITH_FIXTURE: Readonly<Record<Revision, Reasons>> = {
  "2025-11-25": { "server-sse-disconnect-resume": "Calls test_reconnection" },
  "2026-07-28": {
    "sep-2549-prompts-list-caching-hints": "Lists prompts: Quarry has none and does not say that it does",
    "sep-2575-server-rejects-undeclared-capability": "Calls test_missing_capability",
    "sep-2575-missing-capability-http-400": "Calls test_missing_capability",
    "sep-2575-http-server-no-independent-requests-on-stream": "Calls test_streaming_elicitation",
    "sep-2575-server-no-log-without-loglevel": "Calls test_logging_tool",
  },
};

/** How many scenarios the sets have: a run that ends early must not pass. */
const SCENARIOS: Readonly<Record<Revision, number>> = { "2025-11-25": 33, "2026-07-28": 50 };

/** What is wrong with the room, and the scenarios that were run. */
export async function runRoom(
  revision: Revision,
): Promise<{ readonly wrong: readonly string[]; readonly ran: readonly string[] }> {
  const { url } = await served(startFixture);
  const results = await requirements(url, revision);
  const ran = results.map(({ name }) => name);
  const open = results.filter(isOpen);
  const wrong = [
    ...(ran.length === SCENARIOS[revision] ? [] : [`${ran.length} scenarios were run`]),
    ...unexpected(
      open.map(({ name, problems }) => [name, JSON.stringify(problems)]),
      NOT_OFFERED[revision],
    ),
  ];
  return { wrong, ran };
}

/** What is wrong with `quarry mcp`. */
export async function runQuarry(revision: Revision): Promise<readonly string[]> {
  const { url } = await served(startProgram);
  const results = await requirements(url, revision);
  const applying = WITHOUT_FIXTURE[revision].map(
    (name) => results.find((scenario) => scenario.name === name) ?? { name, passed: 0, problems: {} },
  );
  return [
    ...applying.filter(({ passed }) => passed === 0).map(({ name }) => `${name} tested nothing`),
    ...unexpected(
      applying.flatMap(({ problems }) => Object.entries(problems)),
      CHECKS_WITH_FIXTURE[revision],
    ),
  ];
}

/** What the suite has that neither was run nor is listed, and the other way round. */
export async function forgotten(ran: readonly string[]): Promise<readonly string[]> {
  const known = new Set([...ran, ...Object.keys(IN_NO_SET)]);
  const all = new Set(await allScenarios());
  return [...[...known].filter((name) => !all.has(name)), ...[...all].filter((name) => !known.has(name))];
}

/** What is open without a reason; and reasons for what is not open: it passes, or is not there any more. */
function unexpected(open: readonly (readonly [string, string])[], reasons: Reasons): readonly string[] {
  const names = new Set(open.map(([name]) => name));
  return [
    ...open.filter(([name]) => !Object.hasOwn(reasons, name)).map(([name, why]) => `${name}: ${why}`),
    ...Object.keys(reasons)
      .filter((name) => !names.has(name))
      .map((name) => `${name} is listed and not open`),
  ];
}

/** Until the end of the test, over a folder with one file. */
async function served(start: (cwd: string) => Promise<Started>): Promise<Started> {
  const server = await start(tree({ "a.txt": "one line\n" }));
  onTestFinished(async () => void (await stop(server)));
  return server;
}

/** A warning counts, and so does a scenario that found nothing to test. */
function isOpen({ passed, problems }: Scenario): boolean {
  return passed === 0 || Object.keys(problems).length > 0;
}
