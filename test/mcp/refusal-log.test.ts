/** Refused requests do not fill the log: the first have a line each, the others one with their number. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refusalLog } from "../../src/mcp/refusal-log.ts";
import { MCP_REFUSALS, MCP_REFUSALS_TIME } from "../../src/model/limits.ts";
import { send, serve } from "./http-server.ts";
import { tree } from "../support/tree.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function lines(): { readonly said: string[]; readonly log: ReturnType<typeof refusalLog> } {
  const said: string[] = [];
  const log = refusalLog(
    (level, message, facts) => void said.push(`${level} ${message} ${String(facts?.["more"])}`),
  );
  return { said, log };
}

test("the first of a minute are said, the others counted, and the next minute begins anew", () => {
  const { said, log } = lines();
  const refuse = (times: number): void => {
    for (let at = 0; at < times; at++) log.say("Refused", {});
  };
  refuse(MCP_REFUSALS + 30);
  expect(said).toHaveLength(MCP_REFUSALS);
  vi.advanceTimersByTime(MCP_REFUSALS_TIME);
  expect(said.slice(MCP_REFUSALS)).toEqual(["warn Refused 30"]);
  refuse(3);
  vi.advanceTimersByTime(MCP_REFUSALS_TIME);
  expect(said).toHaveLength(MCP_REFUSALS + 4);
});

test("the end says what was counted", () => {
  const { said, log } = lines();
  for (let at = 0; at < MCP_REFUSALS + 2; at++) log.say("Refused", {});
  log.end();
  log.end();
  expect(said.slice(MCP_REFUSALS)).toEqual(["warn Refused 2"]);
});

test("many of one kind do not hide another", () => {
  const { said, log } = lines();
  for (let at = 0; at < 2 * MCP_REFUSALS; at++) log.say("Refused", {});
  log.say("Otherwise", {});
  expect(said.at(-1)).toBe("warn Otherwise undefined");
});

test("a server's refusals are bounded", async () => {
  vi.useRealTimers();
  const { port, log, end } = await serve(tree({}), { http: { tokens: ["0123456789abcdef"] } });
  for (let at = 0; at < 2 * MCP_REFUSALS; at++) {
    await send(port, { method: "GET", headers: at % 2 === 0 ? { host: `evil${at}.example` } : {} });
    await send(port, { method: "GET", headers: { origin: `https://evil${at}.example` } });
  }
  expect(log().match(/^warn A request was refused/gm)).toHaveLength(3 * MCP_REFUSALS);
  await end();
  expect(log()).toContain(`its Origin is not allowed {"more":${MCP_REFUSALS}}`);
});
