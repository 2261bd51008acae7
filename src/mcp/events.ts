/**
 * What a session has sent lately, for a client that lost its connection and asks for the rest of a stream. One store
 * for each session, so that no event of another can be asked for; the oldest events go when there are too many.
 */
import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";
import { MCP_EVENT_STREAMS, MCP_EVENT_TEXT, MCP_EVENTS } from "../model/limits.ts";

interface Event {
  readonly stream: string;
  readonly number: number;
  readonly text: string;
}

/** Marks the begin of a stream, and says nothing. */
const EMPTY = "{}";

export class RecentEvents implements EventStore {
  #count = 0;
  #characters = 0;
  /** By their number, the oldest first. */
  readonly #events = new Map<number, Event>();
  /** Of each stream, the number of the last event that was let go. */
  readonly #lost = new Map<string, number>();

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const number = ++this.#count;
    const text = JSON.stringify(message);
    if (!this.#lost.has(stream)) this.#lost.set(stream, 0);
    this.#events.set(number, { stream, number, text });
    this.#characters += text.length;
    this.#trim();
    return `${stream}_${number}`;
  }

  /** undefined: it was never given here, or what followed it is not there any more. */
  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#find(id)?.stream;
  }

  async replayEventsAfter(
    id: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#find(id);
    if (last === null) throw new Error("There is no such event");
    for (const { stream, number, text } of this.#events.values()) {
      if (stream !== last.stream || number <= last.number || text === EMPTY) continue;
      await send(`${stream}_${number}`, JSON.parse(text) as JSONRPCMessage);
    }
    return last.stream;
  }

  #find(id: string): { readonly stream: string; readonly number: number } | null {
    const [, stream = "", digits = ""] = /^(.+)_(\d{1,15})$/.exec(id) ?? [];
    const number = Number(digits);
    // It may be let go itself, as long as all after it are there; these are, where it is the last that was let go.
    const known = this.#events.get(number)?.stream === stream || this.#lost.get(stream) === number;
    return known && number > 0 ? { stream, number } : null;
  }

  #trim(): void {
    for (const { stream, number, text } of this.#events.values()) {
      const many = this.#events.size > MCP_EVENTS || this.#characters > MCP_EVENT_TEXT;
      // The newest one stays, whatever its size: it may be the answer that is waited for.
      if (!many || number === this.#count) break;
      this.#events.delete(number);
      this.#characters -= text.length;
      this.#lost.set(stream, number);
    }
    for (const stream of this.#lost.keys()) {
      if (this.#lost.size <= MCP_EVENT_STREAMS) break;
      this.#lost.delete(stream);
    }
  }
}
