// The side of a child process that answers: every line of its input is a call, one JSON text a line each way. Runs under
// node and bun; child.mjs is the side that asks.
import { createInterface } from "node:readline";

/** In the child: every line is a call of one of these, until there are no more. */
export async function answerLines(calls) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, op, ...input } = JSON.parse(line);
    try {
      console.log(JSON.stringify({ id, value: (await calls[op](input)) ?? null }));
    } catch (cause) {
      console.log(JSON.stringify({ id, error: String(cause?.message ?? cause) }));
    }
  }
}

export async function timed(work) {
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, value };
}
