/** Calls that are not put to the SDK's schemas: they are those that these take as they are, and answered the same. */
import { specTypeSchemas } from "@modelcontextprotocol/server";
import { assert, constantFrom, dictionary, jsonValue, oneof, property, record, string } from "fast-check";
import { expect, test } from "vitest";
import { isPlainCall } from "../../src/mcp/plain-request.ts";
import { tree } from "../support/tree.ts";
import { Wire } from "./wire.ts";

const names = oneof({ weight: 20, arbitrary: string() }, constantFrom("__proto__", "constructor"));
const given = {
  name: oneof({ weight: 9, arbitrary: string() }, jsonValue()),
  arguments: oneof({ weight: 9, arbitrary: dictionary(names, jsonValue()) }, jsonValue()),
};
const params = oneof(
  { weight: 5, arbitrary: record(given, { requiredKeys: ["name"] }) },
  record({ ...given, more: jsonValue() }, { requiredKeys: ["more"] }),
  jsonValue(),
);

test("what counts as a plain call is what the SDK's schema takes as it is", () => {
  let plain = 0;
  assert(
    property(params, (sent) => {
      const read: unknown = JSON.parse(JSON.stringify(sent));
      if (!isPlainCall(read)) return;
      plain += 1;
      const asked = { method: "tools/call", params: read };
      expect(specTypeSchemas.CallToolRequest["~standard"].validate(asked)).toEqual({ value: asked });
    }),
    { numRuns: 500 },
  );
  expect(plain).toBeGreaterThan(50);
});

test("a call is answered the same with and without what the SDK has to read", async () => {
  const wire = new Wire({ flags: ["--structured"], cwd: tree({ "a.txt": "needle é\n" }) });
  const calls = [
    { name: "search", arguments: { pattern: "needle" } },
    { name: "search", arguments: { pattern: "needle", paths: "nowhere" } },
    { name: "search", arguments: { patern: "needle" } },
    { name: "find" },
    { name: "no such tool", arguments: {} },
  ];
  await wire.initialize();
  for (const [at, call] of calls.entries()) {
    const plain = await wire.request(`plain ${at}`, "tools/call", call);
    const read = await wire.request(`read ${at}`, "tools/call", { ...call, _meta: {} });
    expect(timeless({ ...plain, id: 0 })).toBe(timeless({ ...read, id: 0 }));
  }
});

function timeless(message: object): string {
  return JSON.stringify(message).replaceAll(/"elapsedMs":\d+/g, "");
}
