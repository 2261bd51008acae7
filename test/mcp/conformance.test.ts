/**
 * The official conformance suite against our HTTP room: with the suite's own handlers in it every scenario passes that
 * applies, and `quarry mcp` itself passes those that need none of them. What does not apply is listed here, each with
 * its reason, and only as long as it does not pass.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { tree } from "../cli/helpers.ts";
import {
  allScenarios,
  cannotRun,
  requirements,
  type Revision,
  type Scenario,
  type Served,
  startFixture,
  startQuarry,
} from "./conformance/suite.ts";

const TASKS = "The extension for tasks, which is optional: every call is answered while its client waits";

/** What the room does not offer. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
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
};

const SKILLS = "The extension for skills, which is optional and in no set: the server publishes none";

/** What no set of requirements runs. */
const IN_NO_SET: Readonly<Record<string, string>> = {
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
const CHECKS_WITH_FIXTURE: Readonly<Record<string, string>> = {
  "server-sse-disconnect-resume": "Calls test_reconnection",
  "sep-2549-prompts-list-caching-hints": "Lists prompts: Quarry has none and does not say that it does",
  "sep-2575-server-rejects-undeclared-capability": "Calls test_missing_capability",
  "sep-2575-missing-capability-http-400": "Calls test_missing_capability",
  "sep-2575-http-server-no-independent-requests-on-stream": "Calls test_streaming_elicitation",
  "sep-2575-server-no-log-without-loglevel": "Calls test_logging_tool",
};

/** How many scenarios the sets have: a run that ends early must not pass. */
const SCENARIOS: Readonly<Record<Revision, number>> = { "2025-11-25": 33, "2026-07-28": 50 };
const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

const why = cannotRun();

describe.skipIf(why !== null)(`the conformance suite${why === null ? "" : ` (skipped: ${why})`}`, () => {
  test("passes over our room but for what it does not offer", async () => {
    const { url } = await served(startFixture);
    const results = await both(url);
    for (const revision of REVISIONS) expect(results[revision]).toHaveLength(SCENARIOS[revision]);
    const open = Object.values(results).flat().filter(isOpen);
    expect(open.filter(({ name }) => !Object.hasOwn(NOT_OFFERED, name))).toEqual([]);
    // Whatever passes, or is not there any more, must leave the list.
    expect(open.map(({ name }) => name).sort()).toEqual(Object.keys(NOT_OFFERED).sort());
    // Nothing of the suite is forgotten.
    const seen = Object.values(results)
      .flat()
      .map(({ name }) => name);
    expect([...new Set([...seen, ...Object.keys(IN_NO_SET)])].sort()).toEqual(
      [...(await allScenarios())].sort(),
    );
  });

  test("passes over quarry mcp where it needs no handlers of its own", async () => {
    const { url } = await served(startQuarry);
    const results = await both(url);
    const applying = REVISIONS.flatMap((revision) =>
      results[revision].filter(({ name }) => WITHOUT_FIXTURE[revision].includes(name)),
    );
    expect(applying.map(({ name }) => name).sort()).toEqual(Object.values(WITHOUT_FIXTURE).flat().sort());
    expect(applying.filter(({ passed }) => passed === 0)).toEqual([]);
    const problems = Object.assign(
      {},
      ...applying.map((scenario) => scenario.problems),
    ) as Scenario["problems"];
    const others = Object.entries(problems).filter(([id]) => !Object.hasOwn(CHECKS_WITH_FIXTURE, id));
    expect(others).toEqual([]);
    expect(Object.keys(problems).sort()).toEqual(Object.keys(CHECKS_WITH_FIXTURE).sort());
  });
});

/** Until the end of the test, over a folder with one file. */
async function served(start: (cwd: string) => Promise<Served>): Promise<Served> {
  const server = await start(tree({ "a.txt": "one line\n" }));
  onTestFinished(server.end);
  return server;
}

/** One after the other: they share a machine with other tests. */
async function both(url: string): Promise<Readonly<Record<Revision, readonly Scenario[]>>> {
  return {
    "2025-11-25": await requirements(url, "2025-11-25"),
    "2026-07-28": await requirements(url, "2026-07-28"),
  };
}

/** A warning counts, and so does a scenario that found nothing to test. */
function isOpen({ passed, problems }: Scenario): boolean {
  return passed === 0 || Object.keys(problems).length > 0;
}
