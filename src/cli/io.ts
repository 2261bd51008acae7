/**
 * The outside world of one run, handed in: its streams, the environment, the folder, and the signal that ends
 * it. `main.ts` gives the process's own, tests give theirs. Nothing else in this room touches `process`.
 */
import type { Readable, Writable } from "node:stream";
import type { Style } from "../format/style.ts";
import type { ChoiceOf } from "./flags.ts";

export interface Io {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether a terminal shows it. */
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Ctrl-C and its like. */
  readonly signal: AbortSignal;
}

/** Writes to stderr, and returns when it is out. Nobody there to read it is no fault; an aborted run does not wait. */
export function say(io: Io, text: string): Promise<void> {
  return new Promise((resolve) => {
    io.stderr.write(text, () => resolve());
    if (io.signal.aborted) resolve();
    else io.signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Colours and escapes for what goes to stdout. Coloured text is bound for a terminal, whatever lies between. */
export function stdoutStyle(io: Io, color: ChoiceOf<"color"> | undefined): Style {
  const colour = wantsColour(io.stdoutIsTerminal, io.env, color);
  return { colour, escape: io.stdoutIsTerminal || colour };
}

/** The same for stderr, which is always written for people. */
export function stderrStyle(io: Io, color?: ChoiceOf<"color">): Style {
  return { colour: wantsColour(io.stderrIsTerminal, io.env, color), escape: true };
}

/** https://no-color.org: any value but an empty one means no colour; `--color` wins over it. */
function wantsColour(terminal: boolean, env: NodeJS.ProcessEnv, color: ChoiceOf<"color"> = "auto"): boolean {
  if (color !== "auto") return color === "always";
  return terminal && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}
