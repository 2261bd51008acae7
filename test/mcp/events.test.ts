import { describe, expect, test } from "vitest";
import { assert, asyncProperty, constantFrom, integer, nat, record, array } from "fast-check";
import { RecentEvents } from "../../src/mcp/events.ts";
import { MCP_EVENT_STREAMS, MCP_EVENT_TEXT, MCP_EVENTS } from "../../src/model/limits.ts";

const message = (size: number): never =>
  ({ jsonrpc: "2.0", method: "m", params: { x: "x".repeat(size) } }) as never;

/** The ids that are replayed; null: it cannot tell. */
async function after(store: RecentEvents, id: string): Promise<string[] | null> {
  if ((await store.getStreamIdForEventId(id)) === undefined) return null;
  const ids: string[] = [];
  await store.replayEventsAfter(id, { send: async (event) => void ids.push(event) });
  return ids;
}

describe("the events of a session", () => {
  test("are replayed to their last, or not at all, whatever was let go", async () => {
    const step = record({
      stream: constantFrom("a", "b", "_GET_stream"),
      size: constantFrom(0, 10, MCP_EVENT_TEXT / 5),
    });
    await assert(
      asyncProperty(array(step, { maxLength: 60 }), async (steps) => {
        const store = new RecentEvents();
        const given: { readonly stream: string; readonly id: string }[] = [];
        for (const { stream, size } of steps)
          given.push({ stream, id: await store.storeEvent(stream, message(size)) });
        for (const [at, { stream, id }] of given.entries()) {
          const later = given.slice(at + 1).filter((event) => event.stream === stream);
          const replayed = await after(store, id);
          expect([null, later.map((event) => event.id)]).toContainEqual(replayed);
        }
        const newest = given.at(-1);
        expect(newest === undefined ? [] : await after(store, newest.id)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("are not asked for by an id that was never given", async () => {
    const store = new RecentEvents();
    const id = await store.storeEvent("a", message(1));
    await assert(
      asyncProperty(nat(), integer(), async (number, other) => {
        for (const forged of [
          `b_${number}`,
          `a_${-1 - number}`,
          `a_${other}x`,
          `${number}`,
          `a_${number + 2}`,
        ]) {
          expect(await after(store, forged)).toBeNull();
        }
      }),
    );
    expect(await after(store, id)).toEqual([]);
    expect(await after(store, "a_0")).toBeNull();
  });

  test("are remembered for a call that waits while others say much", async () => {
    const store = new RecentEvents();
    const begun = await store.storeEvent("slow", {} as never);
    for (let at = 0; at < MCP_EVENT_STREAMS - 1; at++) await store.storeEvent(`quick-${at}`, message(10_000));
    const answer = await store.storeEvent("slow", message(2 * MCP_EVENT_TEXT));
    expect(await after(store, begun)).toEqual([answer]);
  });

  test("are let go when they are too many, the streams too", async () => {
    const store = new RecentEvents();
    const first = await store.storeEvent("a", message(1));
    const second = await store.storeEvent("a", message(1));
    for (let at = 0; at < MCP_EVENTS + MCP_EVENT_STREAMS; at++) await store.storeEvent(`s${at}`, message(1));
    expect(await after(store, first)).toBeNull();
    expect(await after(store, second)).toBeNull();
  });
});
