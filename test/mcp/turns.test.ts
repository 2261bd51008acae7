/** Turns are handed out fairly: in a circle over those who wait, and never all of them to one. */
import { describe, expect, test } from "vitest";
import { fairTurns, type TurnBounds, type Turns } from "../../src/mcp/turns.ts";

/** Clients that ask for turns, and what came of it. */
class Table {
  readonly begun: string[] = [];
  readonly #turns: Turns;
  readonly #clients = new Map<string, object>();
  readonly #ends: { readonly name: string; readonly end: () => void }[] = [];

  constructor(bounds: Partial<TurnBounds>) {
    this.#turns = fairTurns({ count: 2, kept: 0, share: 2, waiting: 100, ...bounds });
  }

  ask(name: string, signal?: AbortSignal, kind: "search" | "other" = "search"): Promise<string> {
    const client = this.#clients.get(name) ?? {};
    this.#clients.set(name, client);
    return this.#turns(client, signal, kind).then(
      (end) => {
        this.begun.push(name);
        this.#ends.push({ name, end });
        return "begun";
      },
      (error: { readonly code: string }) => error.code,
    );
  }

  /** The call that began first ends. */
  async endOne(): Promise<void> {
    this.#ends.shift()?.end();
    await settled();
  }

  get running(): number {
    return this.#ends.length;
  }
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe("turns", () => {
  test("go round those who wait, however much one of them asks for", async () => {
    const table = new Table({});
    for (let at = 0; at < 10; at++) void table.ask("greedy");
    for (const name of ["one", "two", "one"]) void table.ask(name);
    await settled();
    for (let at = 0; at < 6; at++) await table.endOne();
    expect(table.begun).toEqual(["greedy", "greedy", "greedy", "one", "two", "greedy", "one", "greedy"]);
  });

  test("are never all held by one where others may come", async () => {
    const table = new Table({ count: 4, share: 3 });
    for (let at = 0; at < 10; at++) void table.ask("greedy");
    await settled();
    expect(table.running).toBe(3);
    expect(await table.ask("late")).toBe("begun");
    await table.endOne();
    expect(table.begun).toEqual(["greedy", "greedy", "greedy", "late", "greedy"]);
  });

  test("are refused to whoever has too many calls waiting, and to nobody else", async () => {
    const table = new Table({ count: 1, share: 1, waiting: 3 });
    for (let at = 0; at < 4; at++) void table.ask("greedy");
    expect(await table.ask("greedy")).toBe("SERVER_BUSY");
    const other = table.ask("other");
    await table.endOne();
    await table.endOne();
    expect(await other).toBe("begun");
    const again = table.ask("greedy");
    for (let at = 0; at < 4; at++) await table.endOne();
    expect(await again).toBe("begun");
  });

  test("are not lost to calls that were aborted while they waited, or before", async () => {
    const table = new Table({ count: 1, share: 1, waiting: 1 });
    await table.ask("first");
    const leaving = new AbortController();
    const left = table.ask("second", leaving.signal);
    leaving.abort();
    expect(await left).toBe("ABORTED");
    expect(await table.ask("second", leaving.signal)).toBe("ABORTED");
    const waiting = table.ask("second");
    await table.endOne();
    expect(await waiting).toBe("begun");
    leaving.abort();
    await table.endOne();
    expect(await table.ask("first")).toBe("begun");
  });

  test("are kept for calls that are no searches, whoever makes those", async () => {
    const table = new Table({ count: 4, kept: 1, share: 2 });
    for (let at = 0; at < 5; at++) for (const name of ["one", "two", "three"]) void table.ask(name);
    await settled();
    expect(table.running).toBe(4);
    expect(await table.ask("one", undefined, "other")).toBe("begun");
    const waiting = table.ask("four", undefined, "other");
    await settled();
    expect(table.running).toBe(5);
    for (let at = 0; at < 4; at++) await table.endOne();
    expect(await waiting).toBe("begun");
  });

  test("are given back once, however often their end is said", async () => {
    const turns = fairTurns({ count: 1, kept: 0, share: 1, waiting: 10 });
    const end = await turns({}, undefined, "search");
    end();
    end();
    await turns({}, undefined, "search");
    let third = false;
    void turns({}, undefined, "search").then(() => (third = true));
    await settled();
    expect(third).toBe(false);
  });
});
