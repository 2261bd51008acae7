import { describe, expect, it } from "vitest";
import { type Channel, channel } from "../../src/ripgrep/channel.ts";
import { all } from "../support/query.ts";

function watched(bound: number): { queue: Channel<number>; events: string[] } {
  const events: string[] = [];
  const queue = channel<number>({
    bound,
    onFull: () => events.push("full"),
    onRoom: () => events.push("room"),
    onDone: () => events.push("done"),
  });
  return { queue, events };
}

describe("a channel", () => {
  it("hands out everything in order, then ends", async () => {
    const { queue, events } = watched(100);
    for (const item of [1, 2, 3]) queue.push(item, 1);
    queue.close();
    expect([await all(queue), events]).toEqual([[1, 2, 3], ["done"]]);
  });

  it("wakes a consumer that waits", async () => {
    const { queue } = watched(100);
    const taken = all(queue);
    await Promise.resolve();
    queue.push(1, 1);
    await Promise.resolve();
    queue.push(2, 1);
    queue.close();
    expect(await taken).toEqual([1, 2]);
  });

  it("says once that it is full, and once that there is room at half of its bound", async () => {
    const { queue, events } = watched(10);
    for (const item of [1, 2, 3, 4]) queue.push(item, 4);
    const items = queue[Symbol.asyncIterator]();
    expect(events).toEqual(["full"]);
    await items.next();
    await items.next();
    expect(events).toEqual(["full"]);
    await items.next();
    expect(events).toEqual(["full", "room"]);
  });

  it("drops what is queued when it is closed with an error", async () => {
    const { queue } = watched(100);
    queue.push(1, 1);
    queue.close(new Error("broken"));
    await expect(all(queue)).rejects.toThrow("broken");
  });

  it("hands out what is queued when it is closed without one, and takes no more", async () => {
    const { queue } = watched(100);
    queue.push(1, 1);
    queue.close();
    queue.push(2, 1);
    queue.close(new Error("too late"));
    expect(await all(queue)).toEqual([1]);
  });

  it("is done when its consumer leaves, and then takes nothing", async () => {
    const { queue, events } = watched(1);
    queue.push(1, 1);
    queue.push(2, 1);
    for await (const item of queue) {
      expect(item).toBe(1);
      break;
    }
    const before = [...events];
    queue.push(3, 100);
    expect([before.includes("done"), events]).toEqual([true, before]);
  });
});
